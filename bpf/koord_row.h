/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the snapshot programs and user space share. This file is the only definition: the Rust types are generated from
 * it (rust/probes/build/layout.rs), which is why it keeps to one member per line, fixed-width types and natural
 * alignment without padding.
 */
#ifndef KOORD_ROW_H
#define KOORD_ROW_H

#include "koord_types.h"

/* Groups of values: which of them a walk shall read (koord_control.want) and which of them a row carries. */
enum koord_group {
	KOORD_CPU_BASE = 1 << 0, /* usage, user and system time from the v2 base statistics */
	KOORD_CPU_ACCT = 1 << 1, /* usage, user and system time from v1's cpuacct */
	KOORD_CPU_ENTITY = 1 << 2, /* usage alone, from v1 cpu's scheduling entities; at most one tick old */
	KOORD_CPU_BANDWIDTH = 1 << 3, /* periods, throttling, quota */
	KOORD_CPU_BURST = 1 << 4, /* bursts (5.15 and later) */
	KOORD_PSI = 1 << 5, /* pressure totals */
	KOORD_PSI_EXACT = 1 << 6, /* pressure totals up to now; without it up to 2 s old */
	KOORD_MEMORY = 1 << 7, /* memory_bytes, memory_max_bytes */
	KOORD_MEMORY_STAT = 1 << 8, /* the five LRU lists */
	KOORD_OOM = 1 << 9, /* OOM kills */
	KOORD_PIDS = 1 << 10, /* pids */
	KOORD_TASKS = 1 << 11, /* nr_tasks */
	KOORD_FRESH = 1 << 12, /* per-CPU counts were flushed before: CPU_BASE and MEMORY_STAT are up to now */
};

/* One cgroup. What `groups` doesn't name is zero. */
struct koord_row {
	u64 id; /* inode number of the cgroup's directory; unique within a hierarchy only */
	u64 parent_id; /* 0 for a hierarchy's root */
	u64 ts_ns; /* CLOCK_MONOTONIC when the row was read */
	u32 level; /* depth below the hierarchy's root, which is 0 */
	u32 hier; /* hierarchy number as in /proc/self/cgroup; 0 is v2 */
	u32 css_id; /* cpu controller's dense id, 0 when the cgroup has no cpu controller of its own */
	u32 groups; /* enum koord_group */
	u64 usage_ns; /* CPU time of the cgroup and its descendants */
	u64 user_ns; /* share of usage_ns in user mode, scaled as the kernel's files do */
	u64 system_ns; /* share of usage_ns in kernel mode; user_ns + system_ns = usage_ns */
	u64 nr_periods; /* enforcement periods that had runnable tasks */
	u64 nr_throttled; /* periods in which the quota was used up */
	u64 throttled_ns; /* throttled time, summed over CPUs */
	u64 nr_bursts; /* periods that used saved quota */
	u64 burst_ns; /* time used above the quota */
	u64 quota_ns; /* quota per period; all ones: none */
	u64 period_ns; /* enforcement period */
	u64 psi_ns[6]; /* stall totals: io some, io full, memory some, memory full, cpu some, cpu full */
	u64 memory_bytes; /* charged to the cgroup and its descendants */
	u64 memory_max_bytes; /* hard limit; all ones: none */
	u64 inactive_anon_bytes; /* with descendants, as v2's memory.stat and v1's total_ lines */
	u64 active_anon_bytes; /* as above */
	u64 inactive_file_bytes; /* as above */
	u64 active_file_bytes; /* as above */
	u64 unevictable_bytes; /* as above */
	u64 oom_kills; /* processes killed in the cgroup and (v2) its descendants */
	u64 oom_kills_local; /* processes killed in the cgroup itself */
	u64 pids; /* tasks in the cgroup and its descendants, by the pids controller */
	u64 nr_tasks; /* tasks in the cgroup itself */
};

/* The single entry of the control map. User space writes the first part before a walk and reads the second after it. */
struct koord_control {
	u64 root_id; /* in: id of the cgroup at the walk's top, for walks that aren't bound to one */
	u32 hier; /* in: hierarchy number of this walk */
	u32 want; /* in: enum koord_group, the groups to read */
	u32 nr_cpus; /* in: possible CPUs */
	u32 page_shift; /* in: log2 of the page size */
	u32 offsets_known; /* out: the cpu_offsets map is filled */
	u32 nr_rows; /* out: rows written */
	u32 nr_lost; /* out: cgroups for which the rows map had no room */
	u32 reserved; /* zero */
	u64 clock_ns; /* out: the scheduler's clock at the walk's start */
};

_Static_assert(sizeof(struct koord_row) == 256, "four cache lines");
_Static_assert(sizeof(struct koord_control) == 48, "no padding");

#endif
