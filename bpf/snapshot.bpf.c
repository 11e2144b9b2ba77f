/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tier A for a v2 tree and for a v1 hierarchy, and the flush. Most of what loading costs is the search of the kernel's
 * type information, which is done once per object. Kernel functions are weak, so that a program can be loaded from here
 * without what the others need.
 */
#include "flush.h"
#include "walk_css.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern struct cgroup *bpf_cgroup_from_id(u64 id) __ksym __weak;
extern struct cgroup *bpf_task_get_cgroup1(struct task_struct *task, int hierarchy_id) __ksym __weak;
extern struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, int level) __ksym __weak;

/* A v2 tree. Returns 0, or 1 when koord_control.root_id is no cgroup that the caller may see. */
SEC("syscall")
int koord_walk_css(void *ctx)
{
	struct koord_control *control = control_entry();
	struct cgroup *root;

	if (!control)
		return 1;
	root = bpf_cgroup_from_id(control->root_id);
	if (!root)
		return 1;
	walk_css(root, control);
	bpf_cgroup_release(root);
	return 0;
}

/*
 * A v1 hierarchy (6.8 and later). Ids of v1 cgroups cannot be looked up, so the walk starts at the root, which is an
 * ancestor of the caller's own cgroup. Returns 0, or 1 when koord_control.hier is no v1 hierarchy.
 */
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

SEC("iter.s/cgroup")
int koord_flush(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgrp = ctx->cgroup;

	if (cgrp)
		flush(cgrp);
	return 0;
}
