// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Algebra of address space mappings.
 */
#include "vshader_vmap.h"

static u64 extent_end(const struct vshader_extent *e)
{
	return e->va + e->size;
}

u32 vshader_extents_search(const struct vshader_extents *x, u64 va)
{
	u32 lo = 0, hi = x->n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (extent_end(&x->e[mid]) <= va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Replace @drop extents at @at by @add uninitialised ones. */
static void extents_splice(struct vshader_extents *x, u32 at, u32 drop, u32 add)
{
	if (drop != add)
		memmove(&x->e[at + add], &x->e[at + drop],
			(x->n - at - drop) * sizeof(*x->e));
	x->n = x->n - drop + add;
}

/* The part of @e from @va on. */
static struct vshader_extent extent_tail(const struct vshader_extent *e, u64 va)
{
	struct vshader_extent tail = *e;

	tail.off += va - e->va;
	tail.size -= va - e->va;
	tail.va = va;
	return tail;
}

/*
 * Cut [va, va + size) out and leave room for @add new extents there.
 * Returns their index.
 */
static int extents_cut(struct vshader_extents *x, u64 va, u64 size, u32 add)
{
	struct vshader_extent left = {}, right = {};
	u32 first, last, keep_left, keep_right;
	u64 end;

	if (!size || check_add_overflow(va, size, &end))
		return -EINVAL;

	first = vshader_extents_search(x, va);
	for (last = first; last < x->n && x->e[last].va < end; last++)
		;

	keep_left = last > first && x->e[first].va < va;
	keep_right = last > first && extent_end(&x->e[last - 1]) > end;
	if (x->n - (last - first) + keep_left + add + keep_right > x->cap)
		return -ENOSPC;

	if (keep_left) {
		left = x->e[first];
		left.size = va - left.va;
	}
	if (keep_right)
		right = extent_tail(&x->e[last - 1], end);

	extents_splice(x, first, last - first, keep_left + add + keep_right);
	if (keep_left)
		x->e[first] = left;
	if (keep_right)
		x->e[first + keep_left + add] = right;
	return first + keep_left;
}

int vshader_extents_unmap(struct vshader_extents *x, u64 va, u64 size)
{
	int at = extents_cut(x, va, size, 0);

	return at < 0 ? at : 0;
}

int vshader_extents_map(struct vshader_extents *x, const struct vshader_extent *ext)
{
	int at = extents_cut(x, ext->va, ext->size, 1);

	if (at < 0)
		return at;
	x->e[at] = *ext;
	return 0;
}

int vshader_extents_gap(const struct vshader_extents *x, u64 start, u64 end, u64 size,
			u64 *va)
{
	u32 i;

	for (i = vshader_extents_search(x, start); i < x->n; i++) {
		if (x->e[i].va >= end)
			break;
		if (start < x->e[i].va && x->e[i].va - start >= size)
			break;
		start = extent_end(&x->e[i]);
	}
	if (start >= end || end - start < size)
		return -ENOSPC;
	*va = start;
	return 0;
}

bool vshader_extents_valid(const struct vshader_extents *x)
{
	u64 end = 0;
	u32 i;

	if (x->n > x->cap)
		return false;
	for (i = 0; i < x->n; i++) {
		const struct vshader_extent *e = &x->e[i];

		if (!e->size || e->va + e->size < e->va)
			return false;
		if (i && e->va < end)
			return false;
		end = extent_end(e);
	}
	return true;
}
