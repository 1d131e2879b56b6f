// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali: address spaces. Translations are taken from the page tables as a whole and kept until a
 * command drops them: a driver that does not flush sees stale ones, each time.
 */
#include "mali_model.h"

#define MAX_PAGES	BIT(18)
#define MAX_TABLES	BIT(14)
#define ENTRIES		512
#define PAGE		VS_SNAP_PAGE
#define ADDRESS		GENMASK_ULL(47, 12)

/* Translation faults: 0xc0 + level; accesses are reported as reads: see the documentation. */
#define FAULT_TRANSLATION 0xc0
#define ACCESS_READ	(2 << 8)

enum { CMD_NOP, CMD_UPDATE, CMD_LOCK, CMD_UNLOCK, CMD_FLUSH_PT, CMD_FLUSH_MEM };

/* Modes of TRANSCFG. */
enum { CFG_LEGACY = 0, CFG_AARCH64_4K = 6 };

/**
 * struct walk - A walk through all tables.
 * @s:		space
 * @aarch64:	format
 * @tables:	tables so far
 * @bus:	a table was not in memory
 * @snap:	receives pages
 */
struct walk {
	struct mali_space *s;
	bool aarch64;
	u32 tables;
	bool bus;
	struct vs_model_snap *snap;
};

bool mali_space_on(const struct mali_space *s)
{
	if ((s->mode & 0xf) == CFG_AARCH64_4K)
		return s->root & ADDRESS;
	return (s->root & 3) == 3;
}

/* ---- page tables ---- */

static u32 leaf_flags(const struct walk *w, u64 pte)
{
	bool write = w->aarch64 ? !(pte & BIT_ULL(7)) : !!(pte & BIT_ULL(7));

	return (write ? VS_EXT_WRITE : 0) | (pte & BIT_ULL(54) ? 0 : VS_EXT_EXEC);
}

static void add_leaf(struct walk *w, u64 va, u64 pte, u32 shift)
{
	u64 size = 1ULL << shift, pa = pte & ADDRESS & ~(size - 1), at;

	/* larger than all memory that is permitted */
	if (shift > 30 || (!w->aarch64 && !(pte & BIT_ULL(6))))
		return;
	for (at = 0; at < size && w->snap->npages < MAX_PAGES; at += PAGE)
		vs_model_snap_add(w->snap, va + at, pa + at, leaf_flags(w, pte));
}

/* Which entries are tables: the formats differ in the last level. */
static bool is_table(const struct walk *w, u64 pte, u32 shift)
{
	return (pte & 3) == 3 && shift > 12;
}

static bool is_leaf(const struct walk *w, u64 pte, u32 shift)
{
	return (pte & 3) == (w->aarch64 && shift == 12 ? 3 : 1);
}

struct level {
	const u64 *table;
	u64 va;
	u32 i;
};

static const u64 *enter(struct walk *w, u64 pa)
{
	const struct vs_model_host *h = &w->s->g->m.host;
	const u64 *p = NULL;

	if (w->tables < MAX_TABLES)
		p = h->page(h->priv, pa & ADDRESS);
	w->tables++;
	w->bus |= !p;
	return p;
}

static void walk_tables(struct walk *w, u64 root, u32 shift)
{
	struct level l[4] = { { .table = enter(w, root) } }, *at = l;
	u64 pte, va;

	if (!at->table)
		return;
	for (;;) {
		if (at->i == ENTRIES) {
			if (at == l)
				return;
			at--;
			shift += 9;
			continue;
		}
		pte = READ_ONCE(at->table[at->i]);
		va = at->va | (u64)at->i++ << shift;
		if (is_leaf(w, pte, shift)) {
			add_leaf(w, va, pte, shift);
		} else if (is_table(w, pte, shift)) {
			at[1] = (struct level){ .table = enter(w, pte), .va = va };
			if (!at[1].table)
				continue;
			at++;
			shift -= 9;
		}
	}
}

/* @bits of virtual addresses: three or four levels. */
static void walk(struct walk *w, struct mali_space *s)
{
	u32 bits = 48;

	w->s = s;
	w->aarch64 = (s->mode & 0xf) == CFG_AARCH64_4K;
	if (w->aarch64)
		bits = 55 - min_t(u32, s->mode >> 6 & 0x1f, 25);
	if (mali_space_on(s))
		walk_tables(w, s->root, bits > 39 ? 39 : 30);
}

/* ---- translations ---- */

static void bus_error(struct mali_space *s)
{
	struct mali_model *g = s->g;
	u32 n = s - g->space;

	vs_model_lock(&g->m);
	s->fault_status = 0x80;
	s->unread = true;
	g->mmu.raw |= 0x10000U << n;
	vs_model_unlock(&g->m);
}

static bool fails_bus(struct mali_model *g)
{
	bool fails;

	vs_model_lock(&g->m);
	fails = vs_model_fails(&g->m, MALI_FAIL_BUS);
	vs_model_unlock(&g->m);
	return fails;
}

/* Translations as the tables are now. */
static void take_snap(struct mali_space *s)
{
	struct vs_model_snap count = {}, *t;
	struct walk w = { .snap = &count };

	WRITE_ONCE(s->drop, false);
	walk(&w, s);
	t = vs_model_snap_new(count.npages);
	if (!t || fails_bus(s->g)) {
		if (t)
			vs_model_snap_free(t, &s->g->m.host);
		bus_error(s);
		return;
	}
	w = (struct walk){ .snap = t };
	walk(&w, s);
	t->older = s->snap;
	s->snap = t;
	vs_model_snap_map(t, &s->g->m.host);
	if (w.bus)
		bus_error(s);
}

static const struct vs_extent *snap_find(const struct vs_model_snap *t, u64 va)
{
	const struct vs_extent *e = vs_model_snap_find(t, va);

	return e && e->kva ? e : NULL;
}

/* ---- checks ---- */

static void report_stale(struct mali_space *s, u64 va, const char *what)
{
	struct mali_model *g = s->g;
	u32 n = s - g->space;

	vs_model_lock(&g->m);
	vs_model_report(&g->m, 0x2418 + n * 0x40, (u32)va,
			"address space %u, 0x%llx: %s without FLUSH_PT or FLUSH_MEM", n,
			(unsigned long long)va, what);
	vs_model_unlock(&g->m);
}

/* Pages that were added are no mistake before they are used: their flush may be still to come. */
void mali_space_begin(struct mali_space *s)
{
	struct vs_model_snap count = {}, *now;
	struct walk w = { .snap = &count };
	u64 va;

	if (!s->snap || READ_ONCE(s->drop))
		return;
	walk(&w, s);
	if (count.hash == s->snap->hash)
		return;
	now = vs_model_snap_new(count.npages);
	if (!now)
		return;
	w = (struct walk){ .snap = now };
	walk(&w, s);
	if (vs_model_snap_stale(s->snap, now, &va))
		report_stale(s, va, "a page was changed or removed");
	vs_model_snap_free(now, &s->g->m.host);
}

void mali_space_end(struct mali_space *s)
{
	struct vs_model_snap *t, *older;

	if (!s->snap)
		return;
	for (t = s->snap->older; t; t = older) {
		older = t->older;
		vs_model_snap_free(t, &s->g->m.host);
	}
	s->snap->older = NULL;
	if (READ_ONCE(s->drop)) {
		vs_model_snap_free(s->snap, &s->g->m.host);
		s->snap = NULL;
	}
}

/* ---- faults ---- */

/* Tell the driver. Return: number of events before. */
static u32 raise(struct mali_space *s, u64 va)
{
	struct mali_model *g = s->g;
	u32 n = s - g->space, events;

	vs_model_lock(&g->m);
	s->fault_status = FAULT_TRANSLATION | 3 | ACCESS_READ;
	s->fault_address = va;
	s->unread = true;
	g->mmu.raw |= 1U << n;
	g->mmu.seen &= ~(1U << n);
	events = s->events;
	vs_model_unlock(&g->m);
	return events;
}

/* Wait until the driver has acted on a fault. */
static void await(struct mali_space *s, u32 events)
{
	const struct vs_model_host *h = &s->g->m.host;
	u32 bit = 1U << (s - s->g->space);

	while ((READ_ONCE(s->events) == events || READ_ONCE(s->g->mmu.raw) & bit) &&
	       !mali_work_ending(s->g))
		h->wait(h->priv);
}

const struct vs_extent *mali_space_fault(struct vs_pager *p, u64 va)
{
	struct mali_space *s = container_of(p, struct mali_space, pager);
	const struct vs_extent *e;
	bool stale;

	if (va >= VS_INTERNAL_VA || !mali_space_on(s))
		return NULL;
	e = READ_ONCE(s->drop) ? NULL : snap_find(s->snap, va);
	while (!e && !mali_work_ending(s->g) && mali_space_on(s)) {
		stale = s->snap && !READ_ONCE(s->drop);
		take_snap(s);
		e = snap_find(s->snap, va);
		if (e && stale)
			report_stale(s, va, "a page was added");
		if (!e)
			await(s, raise(s, va));
	}
	return e;
}

/* ---- registers ---- */

static void check_command(struct mali_model *g, struct mali_space *s, u32 reg, u32 value)
{
	u32 n = s - g->space;

	if (s->stuck)
		vs_model_report(&g->m, reg, value, "address space %u is busy", n);
	if (value == CMD_LOCK && (s->lock & 0x3f) < 14)
		vs_model_report(&g->m, reg, value, "a locked region has at least 32 KiB");
	if ((value == CMD_FLUSH_PT || value == CMD_FLUSH_MEM) && !s->locked)
		vs_model_report(&g->m, reg, value, "address space %u: flush without LOCK", n);
	if (value == CMD_UPDATE && s->locked)
		vs_model_report(&g->m, reg, value, "address space %u: UPDATE while locked", n);
}

static void space_command(struct mali_model *g, struct mali_space *s, u32 reg, u32 value)
{
	check_command(g, s, reg, value);
	s->stuck = vs_model_fails(&g->m, MALI_FAIL_STUCK) || s->stuck;
	if (s->stuck)
		return;
	switch (value) {
	case CMD_NOP:
		return;
	case CMD_LOCK:
		s->locked = true;
		return;
	case CMD_UPDATE:
		s->root = s->transtab;
		s->mode = s->config;
		s->dirty = false;
		break;
	case CMD_FLUSH_MEM:
		g->flush_id++;
		fallthrough;
	case CMD_FLUSH_PT:
	case CMD_UNLOCK:
		s->locked = false;
		break;
	default:
		vs_model_report(&g->m, reg, value, "there is no such command");
		return;
	}
	WRITE_ONCE(s->drop, true);
	WRITE_ONCE(s->events, s->events + 1);
}

static u32 space_read(struct mali_space *s, u32 at)
{
	switch (at) {
	case 0x00:
	case 0x04:
		return mali_half(s->transtab, at);
	case 0x08:
	case 0x0c:
		return mali_half(s->memattr, at);
	case 0x10:
	case 0x14:
		return mali_half(s->lock, at);
	case 0x1c:
		s->unread = false;
		return s->fault_status;
	case 0x20:
	case 0x24:
		return mali_half(s->fault_address, at);
	case 0x28:
		return s->stuck;
	case 0x30:
	case 0x34:
		return mali_half(s->config, at);
	default:
		return 0;
	}
}

static void space_write(struct mali_model *g, struct mali_space *s, u32 reg, u32 at, u32 value)
{
	switch (at) {
	case 0x00:
	case 0x04:
		mali_set_half(&s->transtab, at, value);
		s->dirty = true;
		break;
	case 0x08:
	case 0x0c:
		mali_set_half(&s->memattr, at, value);
		s->dirty = true;
		break;
	case 0x10:
	case 0x14:
		mali_set_half(&s->lock, at, value);
		break;
	case 0x18:
		space_command(g, s, reg, value);
		break;
	case 0x30:
	case 0x34:
		mali_set_half(&s->config, at, value);
		s->dirty = true;
		break;
	}
}

u32 mali_mmu_read(struct mali_model *g, u32 offset)
{
	if (offset >= 0x2400)
		return space_read(&g->space[(offset - 0x2400) >> 6], offset & 0x3f);
	return vs_model_irq_read(&g->mmu, offset - 0x2000);
}

static void check_clear(struct mali_model *g, u32 offset, u32 value)
{
	u32 n;

	for (n = 0; n < MALI_SPACES; n++) {
		if (value & g->mmu.raw & 0x10001U << n && g->space[n].unread)
			vs_model_report(&g->m, offset, value,
					"address space %u: the fault has not been read", n);
	}
}

void mali_mmu_write(struct mali_model *g, u32 offset, u32 value)
{
	if (offset >= 0x2400) {
		space_write(g, &g->space[(offset - 0x2400) >> 6], offset, offset & 0x3f, value);
		return;
	}
	if (offset == 0x2004)
		check_clear(g, offset, value);
	vs_model_irq_write(&g->m, &g->mmu, offset, offset - 0x2000, value);
}
