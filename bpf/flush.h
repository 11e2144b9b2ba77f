/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes the base statistics (CPU usage) of a v2 cgroup and its descendants current. Only sleepable iterators may call
 * the kernel's flush, so it runs in an iterator that visits the one cgroup it is attached to. Memory statistics have a
 * tree of their own since 6.16, and no program can get a pointer to it that the verifier trusts.
 */
#ifndef KOORD_FLUSH_H
#define KOORD_FLUSH_H

#include "koord_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

extern void css_rstat_flush(struct cgroup_subsys_state *css) __ksym __weak; /* 6.16 and later */
extern void cgroup_rstat_flush(struct cgroup *cgrp) __ksym __weak; /* 6.1 to 6.15 */

static __always_inline void flush(struct cgroup *cgrp)
{
	if (bpf_ksym_exists(css_rstat_flush))
		css_rstat_flush(&cgrp->self);
	else
		cgroup_rstat_flush(cgrp);
}

#endif
