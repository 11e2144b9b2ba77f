/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* As flush_css, for 6.1 to 6.15. */
#include "koord_types.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern void cgroup_rstat_flush(struct cgroup *cgrp) __ksym;

SEC("iter.s/cgroup")
int koord_flush(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgrp = ctx->cgroup;

	if (cgrp)
		cgroup_rstat_flush(cgrp);
	return 0;
}
