/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* As flush_css, for 6.1 to 6.15. */
#include "koord_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern void cgroup_rstat_flush(struct cgroup *cgrp) __ksym;

SEC("iter.s/cgroup")
int koord_flush(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgrp = ctx->cgroup;

	/* Naming the struct gives the object its definition: libbpf refuses a function of a merely declared type. */
	if (cgrp && bpf_core_type_exists(struct cgroup))
		cgroup_rstat_flush(cgrp);
	return 0;
}
