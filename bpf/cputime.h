/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * User and system time as the kernel's files show them: cputime_adjust() of kernel/sched/cputime.c splits the exact
 * run time in the proportion of the tick-sampled user and system times, and never lets a share fall below what a file
 * showed before (prev_cputime).
 */
#ifndef KOORD_CPUTIME_H
#define KOORD_CPUTIME_H

#include "koord_row.h"
#include "member.h"
#include <bpf/bpf_helpers.h>

/* a * b / c for a <= c without a 128-bit product; off by at most b / 2^20. */
static __always_inline u64 scale(u64 a, u64 b, u64 c)
{
	u64 fraction = a >> 44 ? a / (c >> 20) : (a << 20) / c;

	return (b >> 20) * fraction + (((b & 0xfffff) * fraction) >> 20);
}

/* Splits row->usage_ns by the sampled utime and stime; neither share falls below prev_utime and prev_stime. */
verified_alone split_usage(struct koord_row *row, u64 utime, u64 stime, u64 prev_utime, u64 prev_stime)
{
	u64 usage, sampled = utime + stime;

	if (!row)
		return 0;
	usage = row->usage_ns;
	if (prev_utime + prev_stime >= usage) {
		row->user_ns = prev_utime;
		row->system_ns = prev_stime;
		return 0;
	}
	/* The difference is what sampling got wrong, so it is small and the error of scale() doesn't show. */
	if (stime && !utime)
		stime = usage;
	else if (stime && usage >= sampled)
		stime += scale(stime, usage - sampled, sampled);
	else if (stime)
		stime -= scale(stime, sampled - usage, sampled);
	if (stime < prev_stime)
		stime = prev_stime;
	utime = usage - stime;
	if (utime < prev_utime) {
		utime = prev_utime;
		stime = usage - utime;
	}
	row->user_ns = utime;
	row->system_ns = stime;
	return 0;
}

#endif
