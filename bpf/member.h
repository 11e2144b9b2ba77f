/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef KOORD_MEMBER_H
#define KOORD_MEMBER_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/*
 * The address of a member in a copy of a kernel struct. The barrier keeps clang from folding the offset into the load:
 * libbpf refuses such a load when an array has another length in the running kernel.
 */
#define member_at(copy, type, member)                               \
	({                                                          \
		u64 __offset = bpf_core_field_offset(type, member); \
		asm volatile("" : "+r"(__offset));                  \
		(void *)(copy) + __offset;                          \
	})

/* A kernel pointer as a number: what the verifier lets pass into a function of its own, and lets be added to. */
static __always_inline u64 address_of(const void *pointer)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &pointer);
	return address;
}

/*
 * A function that the verifier checks once and by itself. Inlined into a walk over thousands of cgroups, the branches
 * of all of them multiply beyond what it is willing to follow.
 */
#define verified_alone __attribute__((noinline)) int

#endif
