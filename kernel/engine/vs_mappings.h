/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Address space mappings: a sorted list of disjoint mappings. Independent of DRM and
 * buffer objects, so that it can be tested and fuzzed outside the kernel.
 */
#ifndef VS_MAPPINGS_H
#define VS_MAPPINGS_H

#include "engine/vs_glue.h"

/**
 * struct vs_mapping - One mapping.
 * @va:		first address
 * @size:	bytes, not 0; @va + @size does not overflow
 * @off:	offset of the first mapped byte in the object
 * @obj:	the object; only compared, never dereferenced here
 * @flags:	rights, opaque here
 */
struct vs_mapping {
	u64 va;
	u64 size;
	u64 off;
	void *obj;
	u32 flags;
};

/**
 * struct vs_mappings - Mappings of an address space, ascending and disjoint.
 * @e:		the mappings
 * @n:		number of them
 * @cap:	capacity of @e
 */
struct vs_mappings {
	struct vs_mapping *e;
	u32 n;
	u32 cap;
};

/* Maximum number of mappings that one vs_mappings_map() or _unmap() adds. */
#define VS_MAPPINGS_GROWTH	2

/**
 * vs_mappings_search - first mapping that ends after an address
 * @x: mappings
 * @va: address
 *
 * Return: index of the mapping that holds @va or is the next above it; @x->n if none.
 */
u32 vs_mappings_search(const struct vs_mappings *x, u64 va);

/**
 * vs_mappings_unmap - remove a range, splitting mappings at its ends
 * @x: mappings, with room for one more
 * @va: first address
 * @size: bytes, not 0
 *
 * Return: 0, -EINVAL if the range is empty or wraps, -ENOSPC without room; @x is
 * unchanged on error.
 */
int vs_mappings_unmap(struct vs_mappings *x, u64 va, u64 size);

/**
 * vs_mappings_map - add a mapping, replacing overlapped ranges
 * @x: mappings, with room for %VS_MAPPINGS_GROWTH more
 * @m: the mapping
 *
 * Return: as vs_mappings_unmap().
 */
int vs_mappings_map(struct vs_mappings *x, const struct vs_mapping *m);

/**
 * vs_mappings_gap - lowest free range
 * @x: mappings
 * @start: lowest address
 * @end: one past the highest address
 * @size: bytes
 * @align: alignment of the address, a power of two
 * @va: receives the address
 *
 * Return: 0 or -ENOSPC.
 */
int vs_mappings_gap(const struct vs_mappings *x, u64 start, u64 end, u64 size,
		    u64 align, u64 *va);

/**
 * vs_mappings_valid - check the invariants
 * @x: mappings
 *
 * Return: whether all mappings are ascending, disjoint, not empty and do not wrap.
 */
bool vs_mappings_valid(const struct vs_mappings *x);

#endif /* VS_MAPPINGS_H */
