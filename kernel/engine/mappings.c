// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Algebra of address space mappings.
 */
#include "engine/vs_mappings.h"

static u64 mapping_end(const struct vs_mapping *e)
{
	return e->va + e->size;
}

u32 vs_mappings_search(const struct vs_mappings *x, u64 va)
{
	u32 lo = 0, hi = x->n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (mapping_end(&x->e[mid]) <= va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Replace @drop mappings at @at by @add uninitialised ones. */
static void mappings_splice(struct vs_mappings *x, u32 at, u32 drop, u32 add)
{
	if (drop != add)
		memmove(&x->e[at + add], &x->e[at + drop],
			(x->n - at - drop) * sizeof(*x->e));
	x->n = x->n - drop + add;
}

/* The part of @e from @va on. */
static struct vs_mapping mapping_tail(const struct vs_mapping *e, u64 va)
{
	struct vs_mapping tail = *e;

	tail.off += va - e->va;
	tail.size -= va - e->va;
	tail.va = va;
	return tail;
}

/*
 * Cut [va, va + size) out and leave room for @add new mappings there.
 * Returns their index.
 */
static int mappings_cut(struct vs_mappings *x, u64 va, u64 size, u32 add)
{
	struct vs_mapping left = {}, right = {};
	u32 first, last, keep_left, keep_right;
	u64 end;

	if (!size || check_add_overflow(va, size, &end))
		return -EINVAL;

	first = vs_mappings_search(x, va);
	for (last = first; last < x->n && x->e[last].va < end; last++)
		;

	keep_left = last > first && x->e[first].va < va;
	keep_right = last > first && mapping_end(&x->e[last - 1]) > end;
	if (x->n - (last - first) + keep_left + add + keep_right > x->cap)
		return -ENOSPC;

	if (keep_left) {
		left = x->e[first];
		left.size = va - left.va;
	}
	if (keep_right)
		right = mapping_tail(&x->e[last - 1], end);

	mappings_splice(x, first, last - first, keep_left + add + keep_right);
	if (keep_left)
		x->e[first] = left;
	if (keep_right)
		x->e[first + keep_left + add] = right;
	return first + keep_left;
}

int vs_mappings_unmap(struct vs_mappings *x, u64 va, u64 size)
{
	int at = mappings_cut(x, va, size, 0);

	return at < 0 ? at : 0;
}

int vs_mappings_map(struct vs_mappings *x, const struct vs_mapping *m)
{
	int at = mappings_cut(x, m->va, m->size, 1);

	if (at < 0)
		return at;
	x->e[at] = *m;
	return 0;
}

static u64 align_up(u64 va, u64 align)
{
	return (va + align - 1) & ~(align - 1);
}

int vs_mappings_gap(const struct vs_mappings *x, u64 start, u64 end, u64 size,
		    u64 align, u64 *va)
{
	u32 i;

	start = align_up(start, align);
	for (i = vs_mappings_search(x, start); i < x->n; i++) {
		if (x->e[i].va >= end)
			break;
		if (start < x->e[i].va && x->e[i].va - start >= size)
			break;
		start = align_up(mapping_end(&x->e[i]), align);
	}
	if (start >= end || end - start < size)
		return -ENOSPC;
	*va = start;
	return 0;
}

bool vs_mappings_valid(const struct vs_mappings *x)
{
	u64 end = 0;
	u32 i;

	if (x->n > x->cap)
		return false;
	for (i = 0; i < x->n; i++) {
		const struct vs_mapping *e = &x->e[i];

		if (!e->size || e->va + e->size < e->va)
			return false;
		if (i && e->va < end)
			return false;
		end = mapping_end(e);
	}
	return true;
}
