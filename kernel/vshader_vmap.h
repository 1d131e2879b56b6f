/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Algebra of address space mappings: sorted, disjoint extents. Knows neither DRM nor
 * buffer objects, so that it can be tested and fuzzed outside of the kernel.
 */
#ifndef VSHADER_VMAP_H
#define VSHADER_VMAP_H

#include "engine/vs_glue.h"

/**
 * struct vshader_extent - One mapping.
 * @va:		first address
 * @size:	bytes, not 0; @va + @size does not overflow
 * @off:	first byte of the object that is mapped
 * @obj:	the object; only compared, never dereferenced here
 * @flags:	rights, opaque here
 */
struct vshader_extent {
	u64 va;
	u64 size;
	u64 off;
	void *obj;
	u32 flags;
};

/**
 * struct vshader_extents - Mappings of an address space, ascending and disjoint.
 * @e:		the extents
 * @n:		number of them
 * @cap:	room at @e
 */
struct vshader_extents {
	struct vshader_extent *e;
	u32 n;
	u32 cap;
};

/* Most extents that one vshader_extents_map() or _unmap() adds. */
#define VSHADER_EXTENTS_GROWTH	2

/**
 * vshader_extents_search - first extent that ends behind an address
 * @x: extents
 * @va: address
 *
 * Return: index of the extent that holds @va or is the next above it; @x->n if none.
 */
u32 vshader_extents_search(const struct vshader_extents *x, u64 va);

/**
 * vshader_extents_unmap - remove a range, splitting what it cuts
 * @x: extents, with room for one more
 * @va: first address
 * @size: bytes, not 0
 *
 * Return: 0, -EINVAL if the range is empty or wraps, -ENOSPC without room; @x is
 * unchanged on error.
 */
int vshader_extents_unmap(struct vshader_extents *x, u64 va, u64 size);

/**
 * vshader_extents_map - add an extent, replacing what it overlaps
 * @x: extents, with room for %VSHADER_EXTENTS_GROWTH more
 * @ext: the extent
 *
 * Return: as vshader_extents_unmap().
 */
int vshader_extents_map(struct vshader_extents *x, const struct vshader_extent *ext);

/**
 * vshader_extents_gap - lowest free range
 * @x: extents
 * @start: lowest address wanted
 * @end: one past the highest
 * @size: bytes
 * @va: where the address found is put
 *
 * Return: 0 or -ENOSPC.
 */
int vshader_extents_gap(const struct vshader_extents *x, u64 start, u64 end, u64 size,
			u64 *va);

/**
 * vshader_extents_valid - check the invariants
 * @x: extents
 *
 * Return: whether all extents are ascending, disjoint, not empty and do not wrap.
 */
bool vshader_extents_valid(const struct vshader_extents *x);

#endif /* VSHADER_VMAP_H */
