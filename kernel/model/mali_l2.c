// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali: an L2 cache that is not coherent with the processor, as an option. The worker accesses
 * copies of the pages, by physical address. What it has written reaches memory when the cache is
 * cleaned, and what the processor has written reaches the copies when they are invalidated.
 *
 * Bytes that differ from what was loaded are dirty: the processor may write to other bytes of a
 * page meanwhile.
 */
#include "mali_model.h"

#define PAGE		VS_SNAP_PAGE
#define CHUNK		64	/* bytes of a line of the cache */

/**
 * struct mali_line - A page in the cache.
 * @next:	page of the same bucket
 * @pa:		physical address
 * @frame:	physical address of the copy
 * @mem:	the page's memory
 * @copy:	the copy's memory
 * @old:	as it was loaded, or cleaned
 * @valid:	it was loaded
 * @used:	a space has the page; while others are freed
 */
struct mali_line {
	struct mali_line *next;
	u64 pa;
	u64 frame;
	u8 *mem;
	u8 *copy;
	u8 *old;
	bool valid;
	bool used;
};

static struct mali_line **l2_bucket(struct mali_model *g, u64 pa)
{
	return &g->l2.bucket[(pa / PAGE) % MALI_L2_BUCKETS];
}

static struct mali_line *l2_find(struct mali_model *g, u64 pa)
{
	struct mali_line *l = *l2_bucket(g, pa);

	while (l && l->pa != pa)
		l = l->next;
	return l;
}

/* ---- clean, invalidate ---- */

static bool l2_is_dirty(const struct mali_line *l)
{
	return l->valid && memcmp(l->copy, l->old, PAGE);
}

/* The worker may write meanwhile: what it writes later is dirty again. */
static void l2_write_back(struct mali_line *l)
{
	u32 i, k;
	u8 byte;

	for (i = 0; i < PAGE; i += CHUNK) {
		if (!memcmp(l->copy + i, l->old + i, CHUNK))
			continue;
		for (k = i; k < i + CHUNK; k++) {
			byte = READ_ONCE(l->copy[k]);
			if (byte == l->old[k])
				continue;
			l->mem[k] = byte;
			l->old[k] = byte;
		}
	}
}

static void l2_clean_line(struct mali_model *g, struct mali_line *l, u32 reg)
{
	const struct vs_model_host *h = &g->m.host;

	if (!l2_is_dirty(l))
		return;
	if (h->is_free && h->is_free(h->priv, l->pa)) {
		vs_model_report(&g->m, reg, (u32)l->pa,
				"the page at 0x%llx has been freed with dirty lines in the L2",
				(unsigned long long)l->pa);
		l->valid = false;
		return;
	}
	l2_write_back(l);
}

void mali_l2_clean(struct mali_model *g, u32 reg)
{
	struct mali_line *l;
	u32 i;

	for (i = 0; i < MALI_L2_BUCKETS && g->l2.n; i++) {
		for (l = g->l2.bucket[i]; l; l = l->next)
			l2_clean_line(g, l, reg);
	}
}

void mali_l2_drop(struct mali_model *g)
{
	struct mali_line *l;
	u32 i;

	for (i = 0; i < MALI_L2_BUCKETS && g->l2.n; i++) {
		for (l = g->l2.bucket[i]; l; l = l->next)
			l->valid = false;
	}
}

void mali_l2_off(struct mali_model *g, u32 reg)
{
	struct mali_line *l;
	u32 i;

	for (i = 0; i < MALI_L2_BUCKETS && g->l2.n; i++) {
		for (l = g->l2.bucket[i]; l; l = l->next) {
			if (!l2_is_dirty(l))
				continue;
			vs_model_report(&g->m, reg, (u32)l->pa,
					"the L2 cache loses power with dirty lines, of 0x%llx",
					(unsigned long long)l->pa);
			mali_l2_drop(g);
			return;
		}
	}
	mali_l2_drop(g);
}

/* ---- pages ---- */

static void l2_free_line(struct mali_model *g, struct mali_line *l)
{
	const struct vs_model_host *h = &g->m.host;

	h->page_free(h->priv, l->frame);
	vs_free(l->old);
	vs_free(l);
}

static struct mali_line *l2_new_line(struct mali_model *g, u64 pa, u8 *mem)
{
	const struct vs_model_host *h = &g->m.host;
	struct mali_line *l = vs_zalloc(sizeof(*l));

	if (!l)
		return NULL;
	l->pa = pa;
	l->mem = mem;
	l->old = vs_zalloc(PAGE);
	l->frame = h->page_new(h->priv);
	l->copy = l->frame ? h->page(h->priv, l->frame) : NULL;
	if (l->old && l->copy)
		return l;
	if (l->frame)
		h->page_free(h->priv, l->frame);
	vs_free(l->old);
	vs_free(l);
	return NULL;
}

/* Return: the page in the cache, loaded; NULL: it is not in memory, or there is none left. */
static struct mali_line *l2_load(struct mali_model *g, u64 pa)
{
	const struct vs_model_host *h = &g->m.host;
	struct mali_line *l = l2_find(g, pa), **b = l2_bucket(g, pa);
	u8 *mem;

	if (!l) {
		mem = h->page(h->priv, pa);
		l = mem ? l2_new_line(g, pa, mem) : NULL;
		if (!l)
			return NULL;
		vs_model_lock(&g->m);
		l->next = *b;
		*b = l;
		g->l2.n++;
		vs_model_unlock(&g->m);
	}
	if (READ_ONCE(l->valid))
		return l;
	memcpy(l->copy, l->mem, PAGE);
	memcpy(l->old, l->copy, PAGE);
	WRITE_ONCE(l->valid, true);
	return l;
}

bool mali_l2_map(struct mali_model *g, struct vs_model_snap *t)
{
	const struct vs_model_host *h = &g->m.host;
	struct mali_line *l;
	u32 i;

	if (!READ_ONCE(g->l2.on))
		return true;
	t->mapped = vs_zalloc_array(t->npages, sizeof(*t->mapped));
	for (i = 0; t->mapped && i < t->npages && i < t->max; i++) {
		/* those that are free are not accessed */
		if (h->is_free && h->is_free(h->priv, t->pas[i])) {
			t->mapped[i] = t->pas[i];
			continue;
		}
		l = l2_load(g, t->pas[i]);
		t->mapped[i] = l ? l->frame : t->pas[i];
	}
	return t->mapped;
}

static void l2_sweep_bucket(struct mali_model *g, struct mali_line **at)
{
	struct mali_line *l;

	while ((l = *at)) {
		if (l->used) {
			l->used = false;
			at = &l->next;
			continue;
		}
		*at = l->next;
		g->l2.n--;
		l2_free_line(g, l);
	}
}

static void l2_mark(struct mali_model *g, const struct vs_model_snap *t)
{
	struct mali_line *l;
	u32 i;

	for (; t; t = t->older) {
		for (i = 0; t->mapped && i < t->npages && i < t->max; i++) {
			l = l2_find(g, t->pas[i]);
			if (l)
				l->used = true;
		}
	}
}

/* Free pages that no space has. They have been cleaned. With the lock; frees do not sleep. */
static void l2_sweep(struct mali_model *g)
{
	u32 i;

	for (i = 0; i < MALI_SPACES; i++)
		l2_mark(g, g->space[i].snap);
	for (i = 0; i < MALI_L2_BUCKETS; i++)
		l2_sweep_bucket(g, &g->l2.bucket[i]);
}

void mali_l2_begin(struct mali_space *s, bool clean, bool invalidate)
{
	const struct vs_model_host *h = &s->g->m.host;
	const struct vs_model_snap *t = READ_ONCE(s->drop) ? NULL : s->snap;
	struct mali_model *g = s->g;
	u32 i;

	if (!READ_ONCE(g->l2.n))
		return;
	vs_model_lock(&g->m);
	if (clean || invalidate)
		mali_l2_clean(g, MALI_L2_REG);
	if (invalidate) {
		mali_l2_drop(g);
		l2_sweep(g);
	}
	vs_model_unlock(&g->m);
	for (i = 0; t && t->mapped && i < t->npages && i < t->max; i++) {
		if (t->mapped[i] != t->pas[i] && !(h->is_free && h->is_free(h->priv, t->pas[i])))
			l2_load(g, t->pas[i]);
	}
}

void mali_l2_free(struct mali_model *g)
{
	struct mali_line *l, *next;
	u32 i;

	for (i = 0; i < MALI_L2_BUCKETS; i++) {
		for (l = g->l2.bucket[i]; l; l = next) {
			next = l->next;
			l2_free_line(g, l);
		}
		g->l2.bucket[i] = NULL;
	}
	g->l2.n = 0;
}

/* Translations are taken again: those in use have memory, or its copies. */
bool mali_l2_enable(struct vs_model *m, bool on)
{
	struct mali_model *g = to_mali(m);
	u32 i;

	if (!m->host.page_new)
		return false;
	mali_l2_clean(g, MALI_L2_REG);
	mali_l2_drop(g);
	g->l2.on = on;
	for (i = 0; i < MALI_SPACES; i++)
		g->space[i].drop = true;
	return true;
}
