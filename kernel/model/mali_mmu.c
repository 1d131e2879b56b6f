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

/* FAULTSTATUS: exceptions, to which the level is added; what the access was. */
#define FAULT_TRANSLATION	0xc0
#define FAULT_PERMISSION	0xc8
#define FAULT_TABLE_BUS		0xd0
#define FAULT_ACCESS_FLAG	0xd8
#define FAULT_SIZE_IN		0xe0
#define FAULT_SIZE_OUT		0xe4
#define FAULT_ATTRIBUTES	0xe8

enum { ACCESS_EXECUTE = 1 << 8, ACCESS_READ = 2 << 8, ACCESS_WRITE = 3 << 8 };

enum { CMD_NOP, CMD_UPDATE, CMD_LOCK, CMD_UNLOCK, CMD_FLUSH_PT, CMD_FLUSH_MEM };

/* TRANSCFG: modes; bits that change what the tables mean, of which one is modelled. */
enum { CFG_LEGACY = 0, CFG_UNMAPPED = 1, CFG_AARCH64_4K = 6 };

#define CFG_MODE		0xf
#define CFG_NO_ACCESS_FLAG	BIT_ULL(34)
#define CFG_OTHERS		(BIT_ULL(22) | BIT_ULL(35) | BIT_ULL(36))

#define LPAE_BITS	48	/* of virtual addresses */
#define OUT_BITS	40	/* of physical addresses, as in GPU_MMU_FEATURES */

/* Entries. */
#define PTE_READ		BIT_ULL(6)	/* LPAE */
#define PTE_WRITE		BIT_ULL(7)	/* LPAE */
#define PTE_READ_ONLY		BIT_ULL(7)	/* AArch64 */
#define PTE_ACCESS_FLAG		BIT_ULL(10)	/* AArch64 */
#define PTE_NO_EXEC		BIT_ULL(54)

/* A byte of MEMATTR, AArch64: accesses fault. */
#define ATTRIBUTE_FAULTS(byte)	(((byte) >> 6 & 3) == 3)

/**
 * struct walk - A walk through all tables.
 * @s:		space
 * @aarch64:	format
 * @bits:	of virtual addresses
 * @tables:	tables so far
 * @bus:	there are more tables than are read
 * @snap:	receives pages
 */
struct walk {
	struct mali_space *s;
	bool aarch64;
	u32 bits;
	u32 tables;
	bool bus;
	struct vs_model_snap *snap;
};

bool mali_space_on(const struct mali_space *s)
{
	switch (s->mode & CFG_MODE) {
	case CFG_AARCH64_4K:
		return s->root & ADDRESS;
	case CFG_LEGACY:
		return (s->root & 3) == 3;
	default:
		return false;
	}
}

/* ---- page tables ---- */

static u32 leaf_flags(const struct walk *w, u64 pte)
{
	bool write = w->aarch64 ? !(pte & PTE_READ_ONLY) : !!(pte & PTE_WRITE);

	return (write ? VS_EXT_WRITE : 0) | (pte & PTE_NO_EXEC ? 0 : VS_EXT_EXEC);
}

/* Why an access to a page or block faults; 0: it does not. */
static u32 leaf_fault(const struct walk *w, u64 pte, u32 need)
{
	u32 attributes = (u32)(w->s->attributes >> (pte >> 2 & 7) * 8);

	if ((pte & ADDRESS) >> OUT_BITS)
		return FAULT_SIZE_OUT;
	if (w->aarch64 && !(pte & PTE_ACCESS_FLAG) && !(w->s->mode & CFG_NO_ACCESS_FLAG))
		return FAULT_ACCESS_FLAG;
	if (w->aarch64 && ATTRIBUTE_FAULTS(attributes))
		return FAULT_ATTRIBUTES;
	if (!w->aarch64 && !(pte & PTE_READ))
		return FAULT_PERMISSION;
	return (leaf_flags(w, pte) & need) == need ? 0 : FAULT_PERMISSION;
}

static void add_leaf(struct walk *w, u64 va, u64 pte, u32 shift)
{
	u64 size = 1ULL << shift, pa = pte & ADDRESS & ~(size - 1), at;

	if (leaf_fault(w, pte, 0))
		return;
	for (at = 0; at < size && w->snap->npages < MAX_PAGES; at += PAGE)
		vs_model_snap_add(w->snap, va + at, pa + at, leaf_flags(w, pte));
}

/* Which entries are tables: the formats differ in the last level. */
static bool is_table(const struct walk *w, u64 pte, u32 shift)
{
	return (pte & 3) == 3 && shift > 12;
}

/* One of the first level would be larger than all memory that is permitted. */
static bool is_leaf(const struct walk *w, u64 pte, u32 shift)
{
	return (pte & 3) == (w->aarch64 && shift == 12 ? 3 : 1) && shift <= 30;
}

struct level {
	const u64 *table;
	u64 va;
	u32 i;
};

static const u64 *enter(struct walk *w, u64 pa)
{
	const struct vs_model_host *h = &w->s->g->m.host;

	if (w->tables++ < MAX_TABLES)
		return h->page(h->priv, pa & ADDRESS);
	w->bus = true;
	return NULL;
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
		if (va >> w->bits)
			continue;
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

/* Begin a walk. Return: the shift of the first level, of three or four. */
static u32 begin_walk(struct walk *w, struct mali_space *s)
{
	w->s = s;
	w->aarch64 = (s->mode & CFG_MODE) == CFG_AARCH64_4K;
	w->bits = LPAE_BITS;
	if (w->aarch64)
		w->bits = 55 - clamp_t(u32, s->mode >> 6 & 0x1f, 7, 25);
	return w->bits > 39 ? 39 : 30;
}

static void mali_mmu_walk(struct walk *w, struct mali_space *s)
{
	u32 shift = begin_walk(w, s);

	if (mali_space_on(s))
		walk_tables(w, s->root, shift);
}

/*
 * Why an access faults, by the tables as they are now; 0: it does not. @level: where the walk ends,
 * 0 to 3.
 */
static u32 mali_mmu_why(struct mali_space *s, u64 va, u32 need, u32 *level)
{
	struct walk w = {};
	u32 shift = begin_walk(&w, s);
	const u64 *table;
	u64 pte = s->root;

	*level = 0;
	if (va >> w.bits)
		return w.aarch64 ? FAULT_SIZE_IN : FAULT_TRANSLATION;
	for (;; shift -= 9) {
		*level = (39 - shift) / 9;
		table = enter(&w, pte);
		if (!table)
			return FAULT_TABLE_BUS;
		pte = READ_ONCE(table[va >> shift & (ENTRIES - 1)]);
		if (!is_table(&w, pte, shift))
			break;
	}
	return is_leaf(&w, pte, shift) ? leaf_fault(&w, pte, need) : FAULT_TRANSLATION;
}

/* ---- translations ---- */

static u32 access_of(u32 need)
{
	if (need & VS_EXT_WRITE)
		return ACCESS_WRITE;
	return need & VS_EXT_EXEC ? ACCESS_EXECUTE : ACCESS_READ;
}

static void bus_error(struct mali_space *s, u64 va, u32 need)
{
	struct mali_model *g = s->g;
	u32 n = s - g->space, level;

	mali_mmu_why(s, va, need, &level);
	vs_model_lock(&g->m);
	s->fault_status = FAULT_TABLE_BUS | level | access_of(need);
	s->fault_address = va;
	s->unread = true;
	g->mmu.raw |= 0x10000U << n;
	vs_model_unlock(&g->m);
}

static bool mali_mmu_fails_bus(struct mali_model *g)
{
	bool fails;

	vs_model_lock(&g->m);
	fails = vs_model_fails(&g->m, MALI_FAIL_BUS);
	vs_model_unlock(&g->m);
	return fails;
}

static void report_freed(struct mali_space *s, u64 va)
{
	struct mali_model *g = s->g;
	u32 n = s - g->space;

	vs_model_lock(&g->m);
	vs_model_report(&g->m, 0x2400 + n * 0x40, (u32)va,
			"address space %u, 0x%llx: the page has been freed", n,
			(unsigned long long)va);
	vs_model_unlock(&g->m);
}

/*
 * Translations as the tables are now, for an access to @va. Return: false: a bus error; the older
 * ones stay dropped.
 */
static bool take_snap(struct mali_space *s, u64 va, u32 need)
{
	struct vs_model_snap count = {}, *t;
	struct walk w = { .snap = &count };
	u64 freed;

	/* first: the driver may drop them meanwhile */
	WRITE_ONCE(s->drop, false);
	mali_mmu_walk(&w, s);
	t = vs_model_snap_new(count.npages);
	if (t) {
		w = (struct walk){ .snap = t };
		mali_mmu_walk(&w, s);
	}
	if (!t || mali_mmu_fails_bus(s->g) || !mali_l2_map(s->g, t)) {
		if (t)
			vs_model_snap_free(t, &s->g->m.host);
		WRITE_ONCE(s->drop, true);
		bus_error(s, va, need);
		return false;
	}
	t->older = s->snap;
	s->snap = t;
	vs_model_snap_map(t, &s->g->m.host);
	if (!READ_ONCE(s->drop) && vs_model_snap_freed(t, &s->g->m.host, &freed))
		report_freed(s, freed);
	if (w.bus)
		bus_error(s, va, need);
	return true;
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
static void check_stale(struct mali_space *s)
{
	struct vs_model_snap count = {}, *now;
	struct walk w = { .snap = &count };
	u64 va;

	mali_mmu_walk(&w, s);
	if (count.hash == s->snap->hash)
		return;
	now = vs_model_snap_new(count.npages);
	if (!now)
		return;
	w = (struct walk){ .snap = now };
	mali_mmu_walk(&w, s);
	/* unless the flush has come meanwhile */
	if (vs_model_snap_stale(s->snap, now, &va) && !READ_ONCE(s->drop))
		report_stale(s, va, "a page was changed or removed");
	vs_model_snap_free(now, &s->g->m.host);
}

void mali_space_begin(struct mali_space *s)
{
	u64 va;

	if (!s->snap || READ_ONCE(s->drop))
		return;
	check_stale(s);
	/* freed pages are not accessed: the tables are read again */
	if (vs_model_snap_freed(s->snap, &s->g->m.host, &va))
		WRITE_ONCE(s->drop, true);
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

/*
 * Report a fault to the driver. @events is older than the tables that were read: if the driver
 * has acted since, they are out of date. @denied: of a page that is mapped. Return: false: read the
 * tables again.
 */
static bool raise(struct mali_space *s, u64 va, u32 need, u32 events, bool denied)
{
	u32 level, why = mali_mmu_why(s, va, need, &level);
	struct mali_model *g = s->g;
	u32 n = s - g->space, bit;

	/* what is mapped and not in memory has no code of its own */
	if (denied || !why)
		why = denied ? FAULT_PERMISSION : FAULT_TRANSLATION;
	bit = why == FAULT_TABLE_BUS ? 0x10000U << n : 1U << n;
	vs_model_lock(&g->m);
	if (s->events != events) {
		vs_model_unlock(&g->m);
		return false;
	}
	s->fault_status = why | level | access_of(need);
	s->fault_address = va;
	s->unread = true;
	g->mmu.raw |= bit;
	g->mmu.seen &= ~bit;
	vs_model_unlock(&g->m);
	return true;
}

/* Wait until the driver has acted on a fault, or on a bus error. */
static void await(struct mali_space *s, u32 events)
{
	u32 bits = 0x10001U << (s - s->g->space);

	WRITE_ONCE(s->waiting, true);
	while ((READ_ONCE(s->events) == events || READ_ONCE(s->g->mmu.raw) & bits) &&
	       mali_space_on(s) && !mali_work_ending(s->g))
		vs_model_wait(&s->g->m);
	WRITE_ONCE(s->waiting, false);
}

const struct vs_extent *mali_space_fault(struct vs_pager *p, u64 va, u32 need)
{
	struct mali_space *s = container_of(p, struct mali_space, pager);
	const struct vs_extent *e;
	bool stale, taken;
	u32 events;

	if (va >= VS_INTERNAL_VA || !mali_space_on(s) || READ_ONCE(s->g->gone))
		return NULL;
	e = READ_ONCE(s->drop) ? NULL : snap_find(s->snap, va);
	while (!e && !mali_work_ending(s->g) && mali_space_on(s)) {
		events = READ_ONCE(s->events);
		stale = s->snap && !READ_ONCE(s->drop);
		taken = take_snap(s, va, need);
		e = READ_ONCE(s->drop) ? NULL : snap_find(s->snap, va);
		if (e && stale && READ_ONCE(s->events) == events)
			report_stale(s, va, "a page was added");
		if (!taken || (!e && raise(s, va, need, events, false)))
			await(s, events);
	}
	return e;
}

/* Whether translations in use, or the tables, have the page without the right. */
static bool is_denied(struct mali_space *s, u64 va, u32 need)
{
	const struct vs_extent *e = READ_ONCE(s->drop) ? NULL : snap_find(s->snap, va);
	u32 level;

	if (e)
		return (e->flags & need) != need;
	return mali_mmu_why(s, va, need, &level) == FAULT_PERMISSION;
}

bool mali_space_denied(struct mali_space *s, u64 va, u32 size, u32 need)
{
	u64 at = va, end = va + max(size, 1U);
	bool raised = false;
	u32 events;

	if (!mali_space_on(s))
		return false;
	while (at < end && at < VS_INTERNAL_VA && !is_denied(s, at, need))
		at = (at & ~(PAGE - 1)) + PAGE;
	if (at >= end || at >= VS_INTERNAL_VA)
		return false;
	while (mali_space_on(s) && !mali_work_ending(s->g)) {
		events = READ_ONCE(s->events);
		if (!is_denied(s, at, need))
			return raised;
		if (raise(s, at, need, events, true))
			await(s, events);
		raised = true;
	}
	return false;
}

/* ---- registers ---- */

/* Modes and bits that are not modelled. */
static void check_space_mode(struct mali_model *g, const struct mali_space *s, u32 reg, u32 value)
{
	u32 n = s - g->space, mode = s->config & CFG_MODE;

	if (mode != CFG_LEGACY && mode != CFG_UNMAPPED && mode != CFG_AARCH64_4K)
		vs_model_report(&g->m, reg, value,
				"address space %u: mode %u of TRANSCFG is not modelled", n, mode);
	else if (mode == CFG_LEGACY && (s->transtab & 3) == 2)
		vs_model_report(&g->m, reg, value,
				"address space %u: mode 2 of TRANSTAB is not modelled", n);
	else if (mode == CFG_AARCH64_4K && s->config & CFG_OTHERS)
		vs_model_report(&g->m, reg, value,
				"address space %u: bits 0x%llx of TRANSCFG are not modelled", n,
				(unsigned long long)(s->config & CFG_OTHERS));
}

static void check_command(struct mali_model *g, struct mali_space *s, u32 reg, u32 value)
{
	u32 n = s - g->space;

	if (s->stuck || s->busy)
		vs_model_report(&g->m, reg, value, "address space %u is busy", n);
	if (!g->ready[MALI_L2])
		vs_model_report(&g->m, reg, value,
				"address space %u: a command while the L2 cache has no power", n);
	if (value == CMD_LOCK && (s->lock & 0x3f) < 14)
		vs_model_report(&g->m, reg, value, "a locked region has at least 32 KiB");
	if ((value == CMD_FLUSH_PT || value == CMD_FLUSH_MEM) && !s->locked)
		vs_model_report(&g->m, reg, value, "address space %u: flush without LOCK", n);
	if (value == CMD_UPDATE && s->locked)
		vs_model_report(&g->m, reg, value, "address space %u: UPDATE while locked", n);
	if (value == CMD_UPDATE)
		check_space_mode(g, s, reg, value);
}

static void space_command(struct mali_model *g, struct mali_space *s, u32 reg, u32 value)
{
	check_command(g, s, reg, value);
	s->stuck = vs_model_fails(&g->m, MALI_FAIL_STUCK) || s->stuck;
	if (s->stuck)
		return;
	s->busy = vs_model_random(&g->m, 3);
	switch (value) {
	case CMD_NOP:
		return;
	case CMD_LOCK:
		s->locked = true;
		return;
	case CMD_UPDATE:
		s->root = s->transtab;
		s->mode = s->config;
		s->attributes = s->memattr;
		s->dirty = false;
		if (!mali_space_on(s))
			s->unread = false;	/* the driver gives the space up */
		break;
	case CMD_FLUSH_MEM:
		g->flush_id++;
		fallthrough;
	case CMD_FLUSH_PT:
		mali_l2_clean(g, reg);
		fallthrough;
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
		return s->stuck || vs_model_slow(&s->g->m, &s->busy);
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
	return vs_model_irq_read(&g->m, &g->mmu, offset - 0x2000);
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

/* Race: another core reports the same fault before the driver has acted on the first one. */
static void repeat_faults(struct mali_model *g, u32 value)
{
	struct mali_space *s;
	u32 n;

	for (n = 0; n < MALI_SPACES; n++) {
		s = &g->space[n];
		if (!(value & 1U << n) || !s->waiting || !mali_space_on(s) ||
		    !vs_model_chance(&g->m, 2))
			continue;
		s->waiting = false;
		s->unread = true;
		g->mmu.raw |= 1U << n;
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
	if (offset == 0x2004)
		repeat_faults(g, value);
}
