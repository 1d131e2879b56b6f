// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address translation: sorted extents or a tree of mappings, and a direct-mapped cache in front
 * of them.
 */
#include "vs_intern.h"
#include "vs_mappings.h"

/* The first of the map's own extents that ends after @va, or NULL. */
static const struct vs_extent *map_own_next(const struct vs_map *m, u64 va)
{
	u32 lo = 0, hi = m->n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (va >= m->ext[mid].hi)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->n ? &m->ext[lo] : NULL;
}

/* The extent that holds @va, for an access that needs @need of it, or NULL. */
static const struct vs_extent *map_find(const struct vs_map *m, u64 va, u32 need)
{
	const struct vs_mapping *mapping;
	const struct vs_extent *e;

	for (; m; m = m->base) {
		e = m->n ? map_own_next(m, va) : NULL;
		if (e && e->lo <= va)
			return e;
		mapping = m->mappings ? vs_mappings_find(m->mappings, va) : NULL;
		if (mapping)
			return &mapping->x;
		e = unlikely(m->pager) ? m->pager->fault(m->pager, va, need) : NULL;
		if (e)
			return e;
	}
	return NULL;
}

/**
 * vs_map_find - extent that holds an address
 * @m: map
 * @va: address
 *
 * Return: the extent, or NULL.
 */
const struct vs_extent *vs_map_find(const struct vs_map *m, u64 va)
{
	return map_find(m, va, 0);
}

/**
 * vs_map_next - first extent that ends after an address
 * @m: map
 * @va: address
 *
 * Return: the extent, or NULL. Memory that comes into being is left out.
 */
const struct vs_extent *vs_map_next(const struct vs_map *m, u64 va)
{
	const struct vs_extent *e, *first = NULL;
	const struct vs_mapping *mapping;

	for (; m; m = m->base) {
		e = map_own_next(m, va);
		if (e && (!first || e->lo < first->lo))
			first = e;
		mapping = m->mappings ? vs_mappings_next(m->mappings, va) : NULL;
		if (mapping && (!first || mapping->x.lo < first->lo))
			first = &mapping->x;
	}
	return first;
}

void *vs_map_ptr(const struct vs_map *m, u64 va, u64 size, u32 need)
{
	return vs_extent_ptr(map_find(m, va, need), va, size, need);
}

/* Length of the prefix of [va, va + size) in one extent with @need; *@p: its host address. */
static u64 map_piece(const struct vs_map *m, u64 va, u64 size, u32 need, u8 **p)
{
	const struct vs_extent *e = map_find(m, va, need);

	if (!e)
		return 0;
	size = min_t(u64, size, e->hi - va);
	*p = vs_extent_ptr(e, va, size, need);
	return *p ? size : 0;
}

static u64 copy_from(const struct vs_map *m, u64 va, void *dst, u64 size, u32 need)
{
	u64 done = 0, n;
	u8 *p;

	while (done < size) {
		n = map_piece(m, va + done, size - done, need, &p);
		if (!n)
			break;
		memcpy((u8 *)dst + done, p, n);
		done += n;
	}
	return done;
}

/**
 * vs_map_read - copy from guest memory
 * @m: map
 * @va: address
 * @dst: destination
 * @size: bytes
 *
 * Return: bytes copied before the first bad address.
 */
u64 vs_map_read(const struct vs_map *m, u64 va, void *dst, u64 size)
{
	return copy_from(m, va, dst, size, 0);
}

/**
 * vs_map_fetch - copy code from guest memory
 * @m: map
 * @va: address
 * @dst: destination
 * @size: bytes
 *
 * Return: bytes copied before the first address that is bad or not executable.
 */
u64 vs_map_fetch(const struct vs_map *m, u64 va, void *dst, u64 size)
{
	return copy_from(m, va, dst, size, VS_EXT_EXEC);
}

/**
 * vs_map_write - copy to guest memory
 * @m: map
 * @va: address
 * @src: source
 * @size: bytes
 *
 * Return: bytes copied before the first bad or read-only address.
 */
u64 vs_map_write(const struct vs_map *m, u64 va, const void *src, u64 size)
{
	u64 done = 0, n;
	u8 *p;

	while (done < size) {
		n = map_piece(m, va + done, size - done, VS_EXT_WRITE, &p);
		if (!n)
			break;
		memcpy(p, (const u8 *)src + done, n);
		done += n;
	}
	return done;
}

/**
 * vs_map_bad - first address of a range that is not accessible
 * @m: map
 * @va: address
 * @size: bytes
 * @need: VS_EXT_* that is needed
 *
 * Return: the address; va + size if there is none.
 */
u64 vs_map_bad(const struct vs_map *m, u64 va, u64 size, u32 need)
{
	u64 done = 0, n;
	u8 *p;

	while (done < size) {
		n = map_piece(m, va + done, size - done, need, &p);
		if (!n)
			break;
		done += n;
	}
	return va + done;
}

/* Out of line, so that a hit needs no stack. */
static noinline const struct vs_extent *tlb_fill(struct vs_tlb *t, u64 va, u32 need)
{
	const struct vs_extent *e = map_find(t->map, va, need);

	if (e)
		t->ext[(va >> VS_TLB_SHIFT) % VS_TLB_SIZE] = e;
	return e;
}

static noinline void *tlb_fill_ptr(struct vs_tlb *t, u64 va, u64 size, u32 need)
{
	return vs_extent_ptr(tlb_fill(t, va, need), va, size, need);
}

/**
 * vs_tlb_find - extent that holds an address, through a translation cache
 * @t: cache
 * @va: address
 *
 * Return: the extent, or NULL.
 */
const struct vs_extent *vs_tlb_find(struct vs_tlb *t, u64 va)
{
	const struct vs_extent *e = vs_tlb_hit(t, va);

	return e ? e : tlb_fill(t, va, 0);
}

/**
 * vs_tlb_ptr - pointer to a range in one extent
 * @t: cache
 * @va: address
 * @size: bytes
 * @need: VS_EXT_* that the extent must have
 *
 * Return: the pointer, or NULL.
 */
void *vs_tlb_ptr(struct vs_tlb *t, u64 va, u64 size, u32 need)
{
	const struct vs_extent *e = vs_tlb_hit(t, va);

	if (unlikely(!e))
		return tlb_fill_ptr(t, va, size, need);
	return vs_extent_ptr(e, va, size, need);
}
