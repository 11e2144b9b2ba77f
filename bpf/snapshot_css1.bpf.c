/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tier A for a v1 hierarchy (6.8 and later). Ids of v1 cgroups cannot be looked up, so the walk starts at the root,
 * which is an ancestor of the caller's own cgroup. */
#include "walk_css.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern struct cgroup *bpf_task_get_cgroup1(struct task_struct *task, int hierarchy_id) __ksym;
extern struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, int level) __ksym;

/* Returns 0, or 1 when koord_control.hier is no v1 hierarchy. */
SEC("syscall")
int koord_walk_css1(void *ctx)
{
	struct koord_control *control = control_entry();
	struct cgroup *own, *root;

	if (!control)
		return 1;
	own = bpf_task_get_cgroup1(bpf_get_current_task_btf(), control->hier);
	if (!own)
		return 1;
	root = bpf_cgroup_ancestor(own, 0);
	bpf_cgroup_release(own);
	if (!root)
		return 1;
	walk_css(root, control);
	bpf_cgroup_release(root);
	return 0;
}
