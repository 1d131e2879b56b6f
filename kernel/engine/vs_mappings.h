/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Algebra of address space mappings: sorted, disjoint mappings. Knows neither DRM nor
 * buffer objects, so that it can be tested and fuzzed outside of the kernel.
 */
#ifndef VS_MAPPINGS_H
#define VS_MAPPINGS_H

#include "engine/vs_glue.h"

/**
 * struct vs_mapping - One mapping.
 * @va:		first address
 * @size:	bytes, not 0; @va + @size does not overflow
 * @off:	first byte of the object that is mapped
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
 * @cap:	room at @e
 */
struct vs_mappings {
	struct vs_mapping *e;
	u32 n;
	u32 cap;
};

/* Most mappings that one vs_mappings_map() or _unmap() adds. */
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
 * vs_mappings_unmap - remove a range, splitting what it cuts
 * @x: mappings, with room for one more
 * @va: first address
 * @size: bytes, not 0
 *
 * Return: 0, -EINVAL if the range is empty or wraps, -ENOSPC without room; @x is
 * unchanged on error.
 */
int vs_mappings_unmap(struct vs_mappings *x, u64 va, u64 size);

/**
 * vs_mappings_map - add an mapping, replacing what it overlaps
 * @x: mappings, with room for %VS_MAPPINGS_GROWTH more
 * @m: the mapping
 *
 * Return: as vs_mappings_unmap().
 */
int vs_mappings_map(struct vs_mappings *x, const struct vs_mapping *m);

/**
 * vs_mappings_gap - lowest free range
 * @x: mappings
 * @start: lowest address wanted
 * @end: one past the highest
 * @size: bytes
 * @va: where the address found is put
 *
 * Return: 0 or -ENOSPC.
 */
int vs_mappings_gap(const struct vs_mappings *x, u64 start, u64 end, u64 size,
			u64 *va);

/**
 * vs_mappings_valid - check the invariants
 * @x: mappings
 *
 * Return: whether all mappings are ascending, disjoint, not empty and do not wrap.
 */
bool vs_mappings_valid(const struct vs_mappings *x);

#endif /* VS_MAPPINGS_H */
