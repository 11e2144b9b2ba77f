/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tier A: a walk under RCU, which delays nobody who creates or removes cgroups (6.7 and later). */
#ifndef KOORD_WALK_CSS_H
#define KOORD_WALK_CSS_H

#define KOORD_PLAIN_LOADS
#include "snapshot.h"

#define CSS_ONLINE (1 << 1)
#define BPF_CGROUP_ITER_DESCENDANTS_PRE 2

struct bpf_iter_css {
	u64 opaque[3];
} __attribute__((aligned(8)));

extern int bpf_iter_css_new(struct bpf_iter_css *it, struct cgroup_subsys_state *start,
			    unsigned int flags) __ksym __weak;
extern struct cgroup_subsys_state *bpf_iter_css_next(struct bpf_iter_css *it) __ksym __weak;
extern void bpf_iter_css_destroy(struct bpf_iter_css *it) __ksym __weak;
extern void bpf_cgroup_release(struct cgroup *cgrp) __ksym __weak;
extern void bpf_rcu_read_lock(void) __ksym __weak;
extern void bpf_rcu_read_unlock(void) __ksym __weak;

/* Emits a row for the cgroup and each of its live descendants. */
static __always_inline void walk_css(struct cgroup *root, struct koord_control *control)
{
	struct cgroup_subsys_state *css;
	struct bpf_iter_css it;

	begin_walk(control, struct_at(bpf_get_current_task_btf(), struct task_struct));
	bpf_rcu_read_lock();
	bpf_iter_css_new(&it, &root->self, BPF_CGROUP_ITER_DESCENDANTS_PRE);
	while ((css = bpf_iter_css_next(&it))) {
		/* A removed group stays listed while something (page cache, usually) refers to it. */
		if (css->flags & CSS_ONLINE)
			emit(struct_at(css, struct cgroup_subsys_state)->cgroup, control);
	}
	bpf_iter_css_destroy(&it);
	bpf_rcu_read_unlock();
}

#endif
