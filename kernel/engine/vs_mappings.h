/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Address space mappings: a persistent B-tree of disjoint mappings. Copies share their nodes; a
 * change copies the nodes from the root to the leaf that others use too, so that it costs time
 * and memory proportional to the height. Independent of DRM and buffer objects, so that it can
 * be tested and fuzzed outside the kernel.
 */
#ifndef VS_MAPPINGS_H
#define VS_MAPPINGS_H

#include "vs_job.h"

/* Bytes of a node: an object size of the kernel's allocator. */
#define VS_MAPPINGS_NODE	512

/**
 * struct vs_mapping - One mapping.
 * @x:		addresses, host memory and rights; not empty
 * @off:	offset of the first mapped byte in the object
 * @obj:	the object; never dereferenced here
 */
struct vs_mapping {
	struct vs_extent x;
	u64 off;
	void *obj;
};

struct vs_mappings_owner;

/**
 * struct vs_mappings_ops - Memory and objects of trees.
 * @alloc:	allocate %VS_MAPPINGS_NODE bytes. Return: 0 or an error
 * @free:	free them
 * @get:	a leaf holds the object once more, for each mapping of it; or NULL
 * @put:	undo @get; may sleep; or NULL
 */
struct vs_mappings_ops {
	int (*alloc)(struct vs_mappings_owner *o, void **node);
	void (*free)(struct vs_mappings_owner *o, void *node);
	void (*get)(void *obj);
	void (*put)(void *obj);
};

/* The owner of trees, which outlives them; part of a larger structure. */
struct vs_mappings_owner {
	const struct vs_mappings_ops *ops;
};

struct vs_mappings_node;

/**
 * struct vs_mappings - Mappings of an address space, ascending and disjoint. Zeroed: none.
 * @owner:	owner; NULL: memory of the engine, objects are not counted
 * @root:	root of the tree, or NULL; holds a reference
 * @n:		number of mappings
 *
 * Changes need exclusive access to this structure only; the nodes may be in use elsewhere.
 */
struct vs_mappings {
	struct vs_mappings_owner *owner;
	struct vs_mappings_node *root;
	u32 n;
};

/**
 * vs_mappings_copy - share all mappings
 * @to: receives them; uninitialised
 * @from: mappings, which other threads may read and copy, but not change
 */
void vs_mappings_copy(struct vs_mappings *to, const struct vs_mappings *from);

/**
 * vs_mappings_fini - drop all mappings; may sleep
 * @x: mappings; none are left
 */
void vs_mappings_fini(struct vs_mappings *x);

/**
 * vs_mappings_next - first mapping that ends after an address
 * @x: mappings
 * @va: address
 *
 * Return: the mapping that holds @va or is the next above it, or NULL. It stays valid until @x is
 * changed, or longer as part of a copy.
 */
const struct vs_mapping *vs_mappings_next(const struct vs_mappings *x, u64 va);

/**
 * vs_mappings_find - mapping that holds an address
 * @x: mappings
 * @va: address
 *
 * Return: the mapping, as of vs_mappings_next(), or NULL.
 */
static inline const struct vs_mapping *vs_mappings_find(const struct vs_mappings *x, u64 va)
{
	const struct vs_mapping *m = vs_mappings_next(x, va);

	return m && m->x.lo <= va ? m : NULL;
}

/**
 * vs_mappings_unmap - remove a range, splitting mappings at its ends
 * @x: mappings
 * @va: first address
 * @size: bytes, not 0
 *
 * The removal of whole mappings allocates nothing if @x shares no nodes.
 *
 * Return: 0, -EINVAL if the range is empty or wraps, or the error of an allocation: then parts of
 * the range may have been removed. Copies are never affected.
 */
int vs_mappings_unmap(struct vs_mappings *x, u64 va, u64 size);

/**
 * vs_mappings_map - add a mapping, replacing overlapped ranges
 * @x: mappings
 * @m: the mapping, which is copied; the caller holds its object
 *
 * Return: as vs_mappings_unmap(); if nothing is overlapped, errors have no effect.
 */
int vs_mappings_map(struct vs_mappings *x, const struct vs_mapping *m);

/**
 * vs_mappings_update - change a mapping, but not its addresses
 * @x: mappings
 * @va: an address that is mapped
 * @off: new offset
 * @flags: new rights
 *
 * Allocates nothing if @x shares no nodes.
 *
 * Return: 0 or the error of an allocation, which has no effect.
 */
int vs_mappings_update(struct vs_mappings *x, u64 va, u64 off, u32 flags);

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
 * vs_mappings_covered - check that a range is mapped with rights
 * @x: mappings
 * @va: first address
 * @size: bytes
 * @need: VS_EXT_* that all of it must have
 *
 * Return: whether it is.
 */
bool vs_mappings_covered(const struct vs_mappings *x, u64 va, u64 size, u32 need);

/**
 * vs_mappings_valid - check the invariants
 * @x: mappings
 *
 * Return: whether all mappings are ascending, disjoint and not empty, and the tree is sound.
 */
bool vs_mappings_valid(const struct vs_mappings *x);

#endif /* VS_MAPPINGS_H */
