/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pressure totals. The kernel folds the per-CPU times into psi_group.total every 2 s or when a file is read; the exact
 * total adds what collect_percpu_times() of kernel/sched/psi.c would add now: each CPU's stall times since the last
 * folding, weighted by its non-idle time.
 */
#ifndef KOORD_PRESSURE_H
#define KOORD_PRESSURE_H

#include "koord_row.h"
#include "member.h"
#include "percpu.h"

#define KOORD_NR_PSI 6

/* Not on the stack, where the verifier would follow every sum's possible range from CPU to CPU. */
static struct {
	u64 base; /* psi_group.pcpu */
	u64 clock;
	u64 weights;
	u64 stalls[KOORD_NR_PSI];
} fold;

/*
 * Growth of a time that wraps at 4.3 s. Up to a quarter of a second backwards is none: our clock is a little behind the
 * one that the kernel folded a running state with.
 */
static __always_inline u32 growth(u32 now, u32 before)
{
	u32 grown = now - before;

	return grown > 0xf0000000 ? 0 : grown;
}

static long fold_cpu(u32 cpu, void *unused)
{
	u64 address = percpu_address(fold.base, cpu);
	u64 block[24]; /* one read of the whole struct */
	u32 size = bpf_core_type_size(struct psi_group_cpu);
	u32 nonidle_state = bpf_core_enum_value(enum psi_states, PSI_NONIDLE) & 7;
	u32 *times = member_at(block, struct psi_group_cpu, times);
	u32 *prev = member_at(block, struct psi_group_cpu, times_prev);
	u32 mask, running, nonidle;
	u64 start;

	if (size > sizeof(block))
		size = sizeof(block);
	if (!address || bpf_probe_read_kernel(block, size, (void *)address))
		return 0;
	mask = *(u32 *)member_at(block, struct psi_group_cpu, state_mask);
	start = *(u64 *)member_at(block, struct psi_group_cpu, state_start);
	/* The clock is at most a tick old: a state may have begun after it. */
	running = fold.clock > start ? (u32)(fold.clock - start) : 0;
	nonidle = growth(times[nonidle_state] + (mask & (1 << nonidle_state) ? running : 0), prev[nonidle_state]);
	/* The kernel weights by jiffies; ~1 us steps do without its CONFIG_HZ. */
	nonidle >>= 10;
	if (!nonidle)
		return 0;
	fold.weights += nonidle;
#pragma unroll
	for (int state = 0; state < KOORD_NR_PSI; state++) {
		u32 stall = growth(times[state] + (mask & (1 << state) ? running : 0), prev[state]);

		fold.stalls[state] += (u64)stall * nonidle;
	}
	return 0;
}

/* `group` is the address of a psi_group. */
verified_alone read_pressure(struct koord_row *row, struct koord_control *control, u64 group)
{
	struct psi_group *pressure = (void *)group;

	if (!row || !control || bpf_core_read(row->psi_ns, sizeof(row->psi_ns), &pressure->total))
		return 0;
	row->groups |= KOORD_PSI;
	if (!(control->want & KOORD_PSI_EXACT) || bpf_core_read(&fold.base, sizeof(fold.base), &pressure->pcpu))
		return 0;
	fold.clock = control->clock_ns;
	fold.weights = 0;
	__builtin_memset(fold.stalls, 0, sizeof(fold.stalls));
	bpf_loop(control->nr_cpus, fold_cpu, NULL, 0);
	row->groups |= KOORD_PSI_EXACT;
	if (!fold.weights)
		return 0;
#pragma unroll
	for (int state = 0; state < KOORD_NR_PSI; state++)
		row->psi_ns[state] += fold.stalls[state] / fold.weights;
	return 0;
}

#endif
