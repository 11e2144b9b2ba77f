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

static volatile u64 address_slot;

/*
 * A kernel pointer as a number: what the verifier lets pass into a function of its own, and lets be added to. It takes
 * what is read from a global variable for a number.
 */
static __always_inline u64 address_of(const void *pointer)
{
	address_slot = (u64)pointer;
	return address_slot;
}

/*
 * Reading members of a kernel struct by its address: plain loads where the kernel can type an address (programs define
 * KOORD_PLAIN_LOADS; 6.2 and later), which cost a tenth of a call per member, else calls.
 *
 * What has been typed so is a pointer that the verifier doesn't trust, which also makes programs load quickly:
 * following a trusted one, it looks for the member in lists that the kernel's type information keeps, each by a search
 * through all types, milliseconds per pointer.
 */
#ifdef KOORD_PLAIN_LOADS
extern void *bpf_rdonly_cast(const void *obj, u32 btf_id) __ksym __weak;
#define struct_at(address, type) ((type *)bpf_rdonly_cast((void *)(address), bpf_core_type_id_kernel(type)))
#define read_member(pointer, member) ((pointer)->member)
#else
#define struct_at(address, type) ((type *)(address))
#define read_member(pointer, member) BPF_CORE_READ(pointer, member)
#endif

/*
 * A function that the verifier checks once and by itself. Inlined into a walk over thousands of cgroups, the branches
 * of all of them multiply beyond what it is willing to follow.
 */
#define verified_alone __attribute__((noinline)) int

#endif
