/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One row per cgroup, the same for every way of walking them. One walk at a time: user space sets the control entry,
 * runs the walk, reads the rows.
 */
#ifndef KOORD_SNAPSHOT_H
#define KOORD_SNAPSHOT_H

#include "controllers.h"
#include "cputime.h"
#include "koord_row.h"
#include "percpu.h"
#include "pressure.h"
#include "tasks.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* Both are created by user space, rows with as many entries as the host needs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct koord_row);
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, struct koord_control);
} control_map SEC(".maps");

static __always_inline struct koord_control *control_entry(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&control_map, &zero);
}

/* Called once per walk, before the first row. */
static __always_inline void begin_walk(struct koord_control *control, struct task_struct *task)
{
	control->nr_rows = 0;
	control->nr_lost = 0;
	/* The run queue's clock is what PSI's state_start was taken from (cpu_clock), at most a tick old. */
	control->clock_ns = task->se.cfs_rq->rq->clock;
	if (!control->offsets_known) {
		percpu_learn(control->nr_cpus);
		control->offsets_known = 1;
	}
}

static __always_inline void read_cpu(struct koord_row *row, struct cgroup *cgrp, struct koord_control *control)
{
	bool usage = control->want & (KOORD_CPU_BASE | KOORD_CPU_ACCT | KOORD_CPU_ENTITY);
	u64 cpu = usage || control->want & KOORD_CPU_BANDWIDTH ? controller(cgrp, cpu_cgrp_id) : 0;
	u64 acct = control->want & KOORD_CPU_ACCT ? controller(cgrp, cpuacct_cgrp_id) : 0;

	if (cpu) {
		row->css_id = cgrp->subsys[bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id)]->id;
		if (control->want & KOORD_CPU_BANDWIDTH)
			read_bandwidth(row, cpu);
	}
	if (!control->hier) {
		/* The root's base statistics aren't kept. */
		if (cgrp->level && control->want & KOORD_CPU_BASE) {
			row->usage_ns = cgrp->bstat.cputime.sum_exec_runtime;
			row->groups |= KOORD_CPU_BASE;
			split_usage(row, cgrp->bstat.cputime.utime, cgrp->bstat.cputime.stime, cgrp->prev_cputime.utime,
				    cgrp->prev_cputime.stime);
		}
	} else if (acct) {
		read_cpuacct(row, control, acct, cgrp->prev_cputime.utime, cgrp->prev_cputime.stime);
	} else if (cpu && control->want & KOORD_CPU_ENTITY) {
		read_entities(row, control, cpu);
	}
}

/* Groups of v1 hierarchies have a psi_group, too, but nothing accounts there. */
static __always_inline void read_psi(struct koord_row *row, struct cgroup *cgrp, struct koord_control *control)
{
	struct psi_group *pressure;

	if (control->hier || !(control->want & KOORD_PSI))
		return;
	pressure = cgrp->psi;
	if (!pressure)
		return;
	if (bpf_core_field_exists(pressure->enabled) && !pressure->enabled)
		return;
	read_pressure(row, control, address_of(pressure));
}

static __always_inline void read_pids(struct koord_row *row, struct cgroup *cgrp)
{
	u64 css = controller(cgrp, pids_cgrp_id);

	if (!css)
		return;
	row->pids = read_member(struct_at(css, struct pids_cgroup), counter.counter);
	row->groups |= KOORD_PIDS;
}

/* Time goes into waiting for memory: what a walk touches of a cgroup is rarely in a cache. */
static __always_inline void emit(struct cgroup *cgrp, struct koord_control *control)
{
	u32 index = control->nr_rows;
	struct koord_row *row = bpf_map_lookup_elem(&rows, &index);
	struct cgroup_subsys_state *parent = cgrp->self.parent;
	u64 memory;

	if (!row) {
		control->nr_lost++;
		return;
	}
	control->nr_rows = index + 1;
	__builtin_memset(row, 0, sizeof(*row));
	/* Before the loads: reading the clock waits for every load under way. */
	row->ts_ns = bpf_ktime_get_ns();
	row->id = cgrp->kn->id;
	row->parent_id = parent ? parent->cgroup->kn->id : 0;
	row->level = cgrp->level;
	row->hier = control->hier;
	row->groups = control->want & KOORD_FRESH;

	read_cpu(row, cgrp, control);
	read_psi(row, cgrp, control);
	if (control->want & (KOORD_MEMORY | KOORD_MEMORY_STAT | KOORD_OOM)) {
		memory = controller(cgrp, memory_cgrp_id);
		if (memory)
			read_memory(row, control, memory);
	}
	if (control->want & KOORD_PIDS && cgrp->level)
		read_pids(row, cgrp);
	if (control->want & KOORD_TASKS) {
		if (cgrp->nr_populated_csets)
			read_tasks(row, address_of(cgrp));
		else
			row->groups |= KOORD_TASKS;
	}
}

#endif
