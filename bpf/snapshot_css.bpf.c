/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tier A for a v2 tree. */
#include "walk_css.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

extern struct cgroup *bpf_cgroup_from_id(u64 id) __ksym;

/* Returns 0, or 1 when koord_control.root_id is no cgroup that the caller may see. */
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
