// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Translations of an address space at one time. */
#include "model_snap.h"

struct vs_model_snap *vs_model_snap_new(u32 pages)
{
	struct vs_model_snap *t = vs_zalloc(sizeof(*t));

	if (!t)
		return NULL;
	t->max = pages;
	t->pas = vs_zalloc_array(pages, sizeof(*t->pas));
	t->ext = vs_zalloc_array(pages, sizeof(*t->ext));
	if (t->pas && t->ext)
		return t;
	vs_free(t->pas);
	vs_free(t->ext);
	vs_free(t);
	return NULL;
}

static u32 run_pages(const struct vs_extent *e)
{
	return (e->hi - e->lo) / VS_SNAP_PAGE;
}

void vs_model_snap_free(struct vs_model_snap *t, const struct vs_model_host *h)
{
	u32 i;

	for (i = 0; i < t->next; i++) {
		if (t->ext[i].kva)
			h->unmap(h->priv, t->ext[i].kva, run_pages(&t->ext[i]));
	}
	vs_free(t->mapped);
	vs_free(t->pas);
	vs_free(t->ext);
	vs_free(t);
}

void vs_model_snap_add(struct vs_model_snap *t, u64 va, u64 pa, u32 flags)
{
	struct vs_extent *e = t->next ? &t->ext[t->next - 1] : NULL;
	u32 n = t->npages++;

	t->hash = (t->hash ^ va ^ pa << 8 ^ flags) * 0x100000001b3ULL + 1;
	if (n >= t->max)
		return;
	t->pas[n] = pa;
	if (e && e->hi == va && e->flags == flags) {
		e->hi += VS_SNAP_PAGE;
		return;
	}
	t->ext[t->next++] = (struct vs_extent){
		.lo = va, .hi = va + VS_SNAP_PAGE, .flags = flags,
	};
}

/* The first of some pages that is free; @n: none. */
static u32 snap_free_page(const struct vs_model_host *h, const u64 *pa, u32 n)
{
	u32 i;

	for (i = 0; i < n && !(h->is_free && h->is_free(h->priv, pa[i])); i++)
		;
	return i;
}

void vs_model_snap_map(struct vs_model_snap *t, const struct vs_model_host *h)
{
	const u64 *pa = t->mapped ?: t->pas;
	u32 i, at = 0, n;

	for (i = 0; i < t->next; i++) {
		n = run_pages(&t->ext[i]);
		if (snap_free_page(h, t->pas + at, n) == n)
			t->ext[i].kva = h->map(h->priv, pa + at, n);
		at += n;
	}
}

bool vs_model_snap_freed(const struct vs_model_snap *t, const struct vs_model_host *h, u64 *va)
{
	u32 i, at = 0, n, k;

	for (i = 0; i < t->next; i++) {
		n = run_pages(&t->ext[i]);
		k = snap_free_page(h, t->pas + at, n);
		*va = t->ext[i].lo + k * VS_SNAP_PAGE;
		if (k < n)
			return true;
		at += n;
	}
	return false;
}

bool vs_model_snap_same(const struct vs_model_snap *t, const struct vs_model_snap *now)
{
	u32 i;

	if (t->hash != now->hash || t->npages != now->npages || t->next != now->next ||
	    t->npages > t->max || now->npages > now->max)
		return false;
	for (i = 0; i < t->next; i++) {
		if (t->ext[i].lo != now->ext[i].lo || t->ext[i].hi != now->ext[i].hi ||
		    t->ext[i].flags != now->ext[i].flags || !t->ext[i].kva)
			return false;
	}
	return !memcmp(t->pas, now->pas, t->npages * sizeof(*t->pas));
}

const struct vs_extent *vs_model_snap_find(const struct vs_model_snap *t, u64 va)
{
	const struct vs_map m = { .n = t ? t->next : 0, .ext = t ? t->ext : NULL };

	return vs_map_find(&m, va);
}

/* Physical address of a page, ~0: none. */
static u64 snap_pa(const struct vs_model_snap *t, u64 va)
{
	u32 i, at = 0;

	for (i = 0; i < t->next; i++) {
		if (va >= t->ext[i].lo && va < t->ext[i].hi)
			return t->pas[at + (va - t->ext[i].lo) / VS_SNAP_PAGE];
		at += run_pages(&t->ext[i]);
	}
	return ~0ULL;
}

bool vs_model_snap_stale(const struct vs_model_snap *t, const struct vs_model_snap *now, u64 *va)
{
	u32 i, at = 0;

	for (i = 0; i < t->next; i++) {
		for (*va = t->ext[i].lo; *va < t->ext[i].hi; *va += VS_SNAP_PAGE) {
			if (snap_pa(now, *va) != t->pas[at++])
				return true;
		}
	}
	return false;
}
