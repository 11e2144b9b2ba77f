/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the controllers know of a cgroup. Their structs begin with the cgroup_subsys_state, but the verifier refuses a
 * cast of it, so members are read by address (bpf_core_read).
 */
#ifndef KOORD_CONTROLLERS_H
#define KOORD_CONTROLLERS_H

#include "cputime.h"
#include "koord_row.h"
#include "member.h"
#include "percpu.h"

#define KOORD_NONE (~0ULL)

/* The address of the cgroup's own state for a controller, or 0 when it has none. */
#define controller(cgrp, name)                                                              \
	(bpf_core_enum_value_exists(enum cgroup_subsys_id, name)                            \
	     ? address_of((cgrp)->subsys[bpf_core_enum_value(enum cgroup_subsys_id, name)]) \
	     : 0)

struct percpu_sum {
	u64 base;
	u64 usage;
	u64 user;
	u64 system;
};

verified_alone read_bandwidth(struct koord_row *row, u64 css)
{
	struct task_group *group = struct_at(css, struct task_group);

	if (!row)
		return 0;
	row->nr_periods = (u32)read_member(group, cfs_bandwidth.nr_periods);
	row->nr_throttled = (u32)read_member(group, cfs_bandwidth.nr_throttled);
	row->throttled_ns = read_member(group, cfs_bandwidth.throttled_time);
	row->quota_ns = read_member(group, cfs_bandwidth.quota);
	row->period_ns = read_member(group, cfs_bandwidth.period);
	row->groups |= KOORD_CPU_BANDWIDTH;
	if (bpf_core_field_exists(struct cfs_bandwidth, burst_time)) {
		row->nr_bursts = (u32)read_member(group, cfs_bandwidth.nr_burst);
		row->burst_ns = read_member(group, cfs_bandwidth.burst_time);
		row->groups |= KOORD_CPU_BURST;
	}
	return 0;
}

static long sum_entity(u32 cpu, struct percpu_sum *sum)
{
	struct sched_entity *entity = NULL;
	u64 runtime = 0;

	bpf_probe_read_kernel(&entity, sizeof(entity), (void *)(sum->base + cpu * sizeof(void *)));
	bpf_core_read(&runtime, sizeof(runtime), &entity->sum_exec_runtime);
	sum->usage += runtime;
	return 0;
}

/* The root's task group has no entities, since nothing schedules it. */
verified_alone read_entities(struct koord_row *row, struct koord_control *control, u64 css)
{
	struct task_group *group = struct_at(css, struct task_group);
	struct percpu_sum sum = {};

	if (!row || !control || !row->level)
		return 0;
	sum.base = address_of(read_member(group, se));
	bpf_loop(control->nr_cpus, sum_entity, &sum, 0);
	row->usage_ns = sum.usage;
	row->groups |= KOORD_CPU_ENTITY;
	return 0;
}

#define cpustat(name) block[bpf_core_enum_value(enum cpu_usage_stat, name) & 7]

static long sum_cpustat(u32 cpu, struct percpu_sum *sum)
{
	u64 block[8] = {};
	u64 address = percpu_address(sum->base, cpu);

	if (!address || bpf_probe_read_kernel(block, sizeof(block), (void *)address))
		return 0;
	sum->user += cpustat(CPUTIME_USER) + cpustat(CPUTIME_NICE);
	sum->system += cpustat(CPUTIME_SYSTEM) + cpustat(CPUTIME_SOFTIRQ) + cpustat(CPUTIME_IRQ);
	return 0;
}

static long sum_cpuusage(u32 cpu, struct percpu_sum *sum)
{
	u64 address = percpu_address(sum->base, cpu);
	u64 usage = 0;

	if (address)
		bpf_probe_read_kernel(&usage, sizeof(usage), (void *)address);
	sum->usage += usage;
	return 0;
}

verified_alone read_cpuacct(struct koord_row *row, struct koord_control *control, u64 css, u64 prev_utime,
			    u64 prev_stime)
{
	struct cpuacct *acct = struct_at(css, struct cpuacct);
	struct percpu_sum sum = {};

	if (!row || !control)
		return 0;
	sum.base = address_of(read_member(acct, cpuusage));
	bpf_loop(control->nr_cpus, sum_cpuusage, &sum, 0);
	sum.base = address_of(read_member(acct, cpustat));
	bpf_loop(control->nr_cpus, sum_cpustat, &sum, 0);
	row->usage_ns = sum.usage;
	row->groups |= KOORD_CPU_ACCT;
	return split_usage(row, sum.user, sum.system, prev_utime, prev_stime);
}

static __always_inline void read_charges(struct koord_row *row, struct mem_cgroup *memory, u32 page_shift)
{
	u64 pages = read_member(memory, memory.usage.counter);
	u64 max = read_member(memory, memory.max);

	row->memory_bytes = pages << page_shift;
	/* A counter without a limit holds the greatest number of pages whose bytes a long can count. */
	row->memory_max_bytes = max >= (~0ULL >> 1) >> page_shift ? KOORD_NONE : max << page_shift;
	row->groups |= KOORD_MEMORY;
}

static __always_inline void read_lru_lists(struct koord_row *row, struct mem_cgroup *memory, u32 page_shift)
{
	u64 state = address_of(read_member(memory, vmstats));
	u64 lru[5] = {};

	/* 6.10 and later index by a table of their own, in which the LRU lists come first, too. */
	state += bpf_core_field_offset(struct memcg_vmstats, state) +
		 sizeof(u64) * bpf_core_enum_value(enum node_stat_item, NR_INACTIVE_ANON);
	if (bpf_probe_read_kernel(lru, sizeof(lru), (void *)state))
		return;
	row->inactive_anon_bytes = lru[0] << page_shift;
	row->active_anon_bytes = lru[1] << page_shift;
	row->inactive_file_bytes = lru[2] << page_shift;
	row->active_file_bytes = lru[3] << page_shift;
	row->unevictable_bytes = lru[4] << page_shift;
	row->groups |= KOORD_MEMORY_STAT;
}

static __always_inline void read_kills(struct koord_row *row, u64 memory)
{
	u64 kill = sizeof(u64) * bpf_core_enum_value(enum memcg_memory_event, MEMCG_OOM_KILL);
	void *all = (void *)memory + bpf_core_field_offset(struct mem_cgroup, memory_events);
	void *local = (void *)memory + bpf_core_field_offset(struct mem_cgroup, memory_events_local);

	bpf_probe_read_kernel(&row->oom_kills, sizeof(u64), all + kill);
	bpf_probe_read_kernel(&row->oom_kills_local, sizeof(u64), local + kill);
	row->groups |= KOORD_OOM;
}

/* The root isn't charged, so only its LRU lists and kills are known. */
verified_alone read_memory(struct koord_row *row, struct koord_control *control, u64 css)
{
	struct mem_cgroup *memory = struct_at(css, struct mem_cgroup);

	if (!row || !control)
		return 0;
	if (control->want & KOORD_MEMORY && row->level)
		read_charges(row, memory, control->page_shift);
	if (control->want & KOORD_MEMORY_STAT)
		read_lru_lists(row, memory, control->page_shift);
	if (control->want & KOORD_OOM)
		read_kills(row, css);
	return 0;
}

#endif
