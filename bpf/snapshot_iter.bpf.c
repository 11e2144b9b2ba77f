/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tier B: the kernel's cgroup iterator, for v1 hierarchies and v2 trees (6.1 and later). It holds the global cgroup
 * mutex while it walks. */
#include "snapshot.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("iter/cgroup")
int koord_walk_iter(struct bpf_iter__cgroup *ctx)
{
	struct koord_control *control = control_entry();
	struct cgroup *cgrp = ctx->cgroup;

	if (!cgrp || !control)
		return 0;
	if (!ctx->meta->seq_num)
		begin_walk(control, bpf_get_current_task_btf());
	emit(cgrp, control);
	return 0;
}
