/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel types that our programs touch, and of those only the members they use. Every access is relocated by name
 * against the running kernel's BTF, so order and offsets don't matter. The shape of arrays does: BTF flattens those of
 * several dimensions.
 */
#ifndef KOORD_TYPES_H
#define KOORD_TYPES_H

/* libbpf's headers then take their kernel types from here. */
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u16 __sum16;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __u32 u32;
typedef __s64 s64;
typedef __u64 u64;
typedef _Bool bool;

#define NULL ((void *)0)
#define true 1
#define false 0

enum bpf_map_type {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
};

enum {
	BPF_F_MMAPABLE = 1 << 10,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next;
};

typedef struct {
	s64 counter;
} atomic64_t;

struct kernfs_node {
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	int id;
	unsigned int flags;
	struct cgroup_subsys_state *parent;
};

struct task_cputime {
	u64 stime;
	u64 utime;
	u64 sum_exec_runtime;
};

struct prev_cputime {
	u64 utime;
	u64 stime;
};

struct cgroup_base_stat {
	struct task_cputime cputime;
};

struct psi_group_cpu {
	u32 state_mask;
	u32 times[8];
	u64 state_start;
	u32 times_prev[16];
};

struct psi_group {
	bool enabled; /* 6.1 and later */
	struct psi_group_cpu *pcpu;
	u64 total[14];
};

struct css_set {
	int nr_tasks;
};

struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct css_set *cset;
	struct list_head cset_link;
};

struct cgroup {
	struct cgroup_subsys_state self;
	int level;
	int nr_populated_csets;
	struct kernfs_node *kn;
	struct cgroup_subsys_state *subsys[16];
	struct list_head cset_links;
	struct cgroup_base_stat bstat;
	struct prev_cputime prev_cputime;
	struct psi_group *psi;
};

struct cfs_bandwidth {
	s64 period;
	u64 quota;
	int nr_periods;
	int nr_throttled;
	int nr_burst; /* 5.15 and later */
	u64 throttled_time;
	u64 burst_time; /* 5.15 and later */
};

struct rq {
	u64 clock;
};

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct task_group {
	struct sched_entity **se;
	struct cfs_bandwidth cfs_bandwidth;
};

struct kernel_cpustat {
	u64 cpustat[10];
};

struct cpuacct {
	u64 *cpuusage;
	struct kernel_cpustat *cpustat;
};

struct page_counter {
	atomic64_t usage;
	unsigned long max;
};

struct memcg_vmstats {
	long state[40];
};

struct mem_cgroup {
	struct page_counter memory;
	struct memcg_vmstats *vmstats;
	atomic64_t memory_events[9];
	atomic64_t memory_events_local[9];
};

struct pids_cgroup {
	atomic64_t counter;
};

struct task_struct {
	struct sched_entity se;
};

struct bpf_array {
	void *pptrs[1];
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

struct bpf_iter__cgroup {
	struct bpf_iter_meta *meta;
	struct cgroup *cgroup;
};

#pragma clang attribute pop

/* Values are the running kernel's (bpf_core_enum_value), not these. */
enum cgroup_subsys_id {
	cpu_cgrp_id,
	cpuacct_cgrp_id,
	memory_cgrp_id,
	pids_cgrp_id,
};

enum node_stat_item {
	NR_INACTIVE_ANON,
	NR_ACTIVE_ANON,
	NR_INACTIVE_FILE,
	NR_ACTIVE_FILE,
	NR_UNEVICTABLE,
};

enum memcg_memory_event {
	MEMCG_OOM_KILL,
};

enum psi_states {
	PSI_NONIDLE,
};

enum cpu_usage_stat {
	CPUTIME_USER,
	CPUTIME_NICE,
	CPUTIME_SYSTEM,
	CPUTIME_SOFTIRQ,
	CPUTIME_IRQ,
};

#endif
