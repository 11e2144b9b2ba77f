/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes the base statistics (CPU usage) of a v2 cgroup and its descendants current (6.16 and later). Only sleepable
 * iterators may call the flush, so this is an iterator that visits the one cgroup it is attached to. Memory statistics
 * have a tree of their own since 6.16, and no program can get a pointer to it that the verifier trusts. */
#include "koord_types.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern void css_rstat_flush(struct cgroup_subsys_state *css) __ksym;

SEC("iter.s/cgroup")
int koord_flush(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgrp = ctx->cgroup;

	if (cgrp)
		css_rstat_flush(&cgrp->self);
	return 0;
}
