/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Per-CPU kernel pointers. Per-CPU ksyms need CONFIG_KALLSYMS_ALL, so the distance between a per-CPU pointer and CPU
 * c's copy is taken from a map of our own: where the kernel says that its element for CPU c lies, minus the pointer
 * that struct bpf_array holds. It is the same distance for every per-CPU pointer and never changes.
 */
#ifndef KOORD_PERCPU_H
#define KOORD_PERCPU_H

#include "koord_types.h"
#include "member.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} percpu_probe SEC(".maps");

/* Created by user space with one entry per possible CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, u32);
	__type(value, u64);
} cpu_offsets SEC(".maps");

/* The address of CPU `cpu`'s copy of what `base` points to; 0 for a CPU that cannot exist. */
static __always_inline u64 percpu_address(u64 base, u32 cpu)
{
	u64 *offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);

	return offset ? base + *offset : 0;
}

static long percpu_learn_one(u32 cpu, u64 *base)
{
	u32 zero = 0;
	u64 *offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);
	void *element = bpf_map_lookup_percpu_elem(&percpu_probe, &zero, cpu);

	if (!offset || !element)
		return 1;
	*offset = address_of(element) - *base;
	return 0;
}

/* Fills cpu_offsets for nr_cpus CPUs. */
static __always_inline void percpu_learn(u32 nr_cpus)
{
	struct bpf_array *array = (void *)address_of(&percpu_probe);
	u64 base = 0;

	bpf_core_read(&base, sizeof(base), &array->pptrs[0]);
	bpf_loop(nr_cpus, percpu_learn_one, &base, 0);
}

#endif
