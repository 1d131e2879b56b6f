// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address translation: sorted extents, binary search, and a direct-mapped cache in
 * front of it.
 */
#include "vs_intern.h"

/**
 * vs_map_find - extent that holds an address
 * @m: map
 * @va: address
 *
 * Return: the extent, or NULL.
 */
const struct vs_extent *vs_map_find(const struct vs_map *m, u64 va)
{
	u32 lo = 0, hi = m->n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (va < m->ext[mid].lo)
			hi = mid;
		else if (va >= m->ext[mid].hi)
			lo = mid + 1;
		else
			return &m->ext[mid];
	}
	return unlikely(m->pager) ? m->pager->fault(m->pager, va) : NULL;
}

void *vs_extent_ptr(const struct vs_extent *e, u64 va, u64 size, u32 need)
{
	if (!e || (e->flags & need) != need)
		return NULL;
	return vs_bounded_ptr(e->kva, e->hi - e->lo, va - e->lo, size);
}

void *vs_map_ptr(const struct vs_map *m, u64 va, u64 size, u32 need)
{
	return vs_extent_ptr(vs_map_find(m, va), va, size, need);
}

/* Length of the prefix of [va, va + size) in one extent with @need; *@p: its host address. */
static u64 piece(const struct vs_map *m, u64 va, u64 size, u32 need, u8 **p)
{
	const struct vs_extent *e = vs_map_find(m, va);

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
		n = piece(m, va + done, size - done, need, &p);
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
		n = piece(m, va + done, size - done, VS_EXT_WRITE, &p);
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
		n = piece(m, va + done, size - done, need, &p);
		if (!n)
			break;
		done += n;
	}
	return va + done;
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

	if (e)
		return e;
	e = vs_map_find(t->map, va);
	if (e)
		t->ext[(va >> VS_TLB_SHIFT) % VS_TLB_SIZE] = e;
	return e;
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
	return vs_extent_ptr(vs_tlb_find(t, va), va, size, need);
}
