/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tasks of a cgroup itself: the sum over the css_sets that lie in it. The list changes under css_set_lock, which no
 * program can take, so each link is checked to belong to the cgroup; when one doesn't, or there are too many (a v1
 * root has them all), the row goes without the number.
 */
#ifndef KOORD_TASKS_H
#define KOORD_TASKS_H

#include "koord_row.h"
#include "member.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define KOORD_MAX_CSETS 64

struct task_count {
	u64 head; /* &cgroup->cset_links */
	u64 at;
	u64 cgrp;
	u64 tasks;
	u32 done;
};

static long count_cset(u32 i, struct task_count *count)
{
	struct cgrp_cset_link *link;
	u64 cgrp = 0;
	struct css_set *cset = NULL;
	int tasks = 0;

	if (count->at == count->head) {
		count->done = 1;
		return 1;
	}
	link = (void *)(count->at - bpf_core_field_offset(struct cgrp_cset_link, cset_link));
	if (bpf_core_read(&cgrp, sizeof(cgrp), &link->cgrp) || cgrp != count->cgrp ||
	    bpf_core_read(&cset, sizeof(cset), &link->cset) || bpf_core_read(&tasks, sizeof(tasks), &cset->nr_tasks) ||
	    bpf_core_read(&count->at, sizeof(count->at), &link->cset_link.next))
		return 1;
	count->tasks += tasks;
	return 0;
}

/* `cgrp` is the address of a cgroup. */
verified_alone read_tasks(struct koord_row *row, u64 cgrp)
{
	struct cgroup *cgroup = (void *)cgrp;
	struct task_count count = {.cgrp = cgrp, .head = cgrp + bpf_core_field_offset(struct cgroup, cset_links)};

	if (!row || bpf_core_read(&count.at, sizeof(count.at), &cgroup->cset_links.next))
		return 0;
	bpf_loop(KOORD_MAX_CSETS, count_cset, &count, 0);
	if (count.done) {
		row->nr_tasks = count.tasks;
		row->groups |= KOORD_TASKS;
	}
	return 0;
}

#endif
