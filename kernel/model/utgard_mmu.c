// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard: MMUs. Two levels of 1024 entries of 4 bytes. Translations are taken from the tables as
 * a whole when a frame begins, and kept until the driver drops them; pages that are added are
 * seen without that.
 */
#include "utgard_model.h"

#define ENTRIES		1024
#define SHIFT	12
#define TABLE_SHIFT	22
#define ADDRESS		0xfffff000U
#define MAX_PAGES	BIT(18)

#define ENTRY_PRESENT	BIT(0)
#define ENTRY_READ	BIT(1)
#define ENTRY_WRITE	BIT(2)

enum mmu_command {
	CMD_ENABLE_PAGING, CMD_DISABLE_PAGING, CMD_ENABLE_STALL, CMD_DISABLE_STALL, CMD_ZAP,
	CMD_FAULT_DONE, CMD_RESET
};

static struct utg_core *utgard_mmu_core_of(struct utg_mmu *s)
{
	return container_of(s, struct utg_core, mmu);
}

/* ---- page tables ---- */

static const u32 *table_at(struct utg_mmu *s, u32 entry, bool *bus)
{
	const struct vs_model_host *h = &s->g->m.host;
	const u32 *p = h->page(h->priv, entry & ADDRESS);

	*bus |= !p;
	return p;
}

static void walk_table(const u32 *table, u32 va, struct vs_model_snap *t)
{
	u32 i, pte;

	for (i = 0; i < ENTRIES && t->npages < MAX_PAGES; i++) {
		pte = READ_ONCE(table[i]);
		if ((pte & (ENTRY_PRESENT | ENTRY_READ)) != (ENTRY_PRESENT | ENTRY_READ))
			continue;
		vs_model_snap_add(t, va | i << SHIFT, pte & ADDRESS,
				  VS_EXT_EXEC | (pte & ENTRY_WRITE ? VS_EXT_WRITE : 0));
	}
}

/* Return: false: a table is not in memory. */
static bool utgard_mmu_walk(struct utg_mmu *s, struct vs_model_snap *t)
{
	const u32 *dir, *table;
	bool bus = false;
	u32 i, pde;

	dir = s->paging ? table_at(s, s->dte, &bus) : NULL;
	for (i = 0; dir && i < ENTRIES; i++) {
		pde = READ_ONCE(dir[i]);
		if (!(pde & ENTRY_PRESENT))
			continue;
		table = table_at(s, pde, &bus);
		if (table)
			walk_table(table, i << TABLE_SHIFT, t);
	}
	return !bus;
}

/* ---- translations ---- */

void utg_mmu_free(struct utg_mmu *s)
{
	if (s->snap)
		vs_model_snap_free(s->snap, &s->g->m.host);
	s->snap = NULL;
}

const struct vs_extent *utg_mmu_find(struct vs_pager *p, u64 va, u32 need)
{
	struct utg_mmu *s = container_of(p, struct utg_mmu, pager);
	const struct vs_extent *e = vs_model_snap_find(s->snap, va);

	s->off |= e && !e->kva;
	return e && e->kva ? e : NULL;
}

/*
 * Translations as the tables are now: the last ones if nothing has changed and they were not
 * @dropped. NULL: a bus error.
 */
static struct vs_model_snap *utgard_mmu_take(struct utg_mmu *s, bool dropped)
{
	struct vs_model_snap count = {}, *now = NULL;

	if (!utgard_mmu_walk(s, &count))
		return NULL;
	if (s->snap && !dropped && s->snap->hash == count.hash)
		return s->snap;
	now = vs_model_snap_new(count.npages);
	if (now)
		utgard_mmu_walk(s, now);
	return now;
}

static void report_va(struct utg_mmu *s, u64 va, const char *what)
{
	struct utg_core *c = utgard_mmu_core_of(s);
	struct utg_model *g = s->g;

	vs_model_lock(&g->m);
	vs_model_report(&g->m, utg_is_gp(c) ? 0x3008 : 0x4008, (u32)va, "core %u, 0x%llx: %s",
			utg_core_number(g, c), (unsigned long long)va, what);
	vs_model_unlock(&g->m);
}

/* Whether translations that were not dropped are wrong now. */
static bool is_stale(struct utg_mmu *s, const struct vs_model_snap *now)
{
	u64 va;

	if (READ_ONCE(s->drop) || !s->snap || !vs_model_snap_stale(s->snap, now, &va))
		return false;
	report_va(s, va, "a page was changed or removed without ZAP_CACHE");
	return true;
}

/*
 * Before the tables are read, as the driver may drop their translations meanwhile: whether it has
 * done so, and whether the walk fails.
 */
static bool utgard_mmu_start(struct utg_mmu *s, bool *fails)
{
	struct utg_model *g = s->g;
	bool dropped;

	vs_model_lock(&g->m);
	*fails = vs_model_fails(&g->m, UTG_FAIL_BUS);
	dropped = s->drop;
	s->drop = false;
	vs_model_unlock(&g->m);
	return dropped;
}

bool utg_mmu_begin(struct utg_mmu *s, bool begun)
{
	const struct vs_model_host *h = &s->g->m.host;
	bool dropped, fails, freed;
	struct vs_model_snap *now;
	u64 va;

	s->off = false;
	dropped = utgard_mmu_start(s, &fails);
	freed = s->snap && vs_model_snap_freed(s->snap, h, &va);
	now = fails ? NULL : utgard_mmu_take(s, dropped || freed);
	if (!now && dropped)
		WRITE_ONCE(s->drop, true);
	if (!now || now == s->snap)
		return now;
	/*
	 * The driver drops them before each job: what is the same stays mapped. Stale ones stay in
	 * use, unless what they lead to was freed. While a frame executes, clients may unmap pages
	 * that it does not access.
	 */
	if (!freed && ((s->snap && vs_model_snap_same(s->snap, now)) ||
		       (!dropped && !begun && is_stale(s, now)))) {
		vs_model_snap_free(now, h);
		return true;
	}
	utg_mmu_free(s);
	vs_model_snap_map(now, h);
	s->snap = now;
	if (vs_model_snap_freed(now, h, &va))
		report_va(s, va, "the page has been freed");
	return true;
}

/* ---- commands ---- */

void utg_mmu_off(struct utg_mmu *s)
{
	s->irq = (struct vs_model_irq){};
	s->dte = 0;
	s->paging = false;
	s->stalled = false;
	s->fault = false;
	s->write = false;
	s->address = 0;
	s->unread = false;
	s->dirty = false;
	s->drop = true;
}

static void fault_done(struct utg_mmu *s, u32 offset)
{
	if (!s->fault)
		vs_model_report(&s->g->m, offset, CMD_FAULT_DONE, "there is no page fault");
	s->fault = false;
	utgard_mmu_core_of(s)->hold &= ~UTG_HOLD_FAULT;
	s->g->m.kick = true;
}

static void zap(struct utg_mmu *s)
{
	s->drop = true;
	s->dirty = false;
}

/* Stalls are not possible during a page fault. */
static void stall(struct utg_mmu *s, u32 offset)
{
	if (s->fault)
		vs_model_report(&s->g->m, offset, CMD_ENABLE_STALL,
				"the page fault at 0x%x is not resolved", s->address);
	else if (!vs_model_fails(&s->g->m, UTG_FAIL_STALL))
		s->stalled = s->paging;
}

static void obey(struct utg_mmu *s, u32 offset, u32 value)
{
	switch (value) {
	case CMD_ENABLE_PAGING:
		s->paging = true;
		break;
	case CMD_DISABLE_PAGING:
		s->paging = false;
		s->stalled = false;
		break;
	case CMD_ENABLE_STALL:
		stall(s, offset);
		break;
	case CMD_DISABLE_STALL:
		s->stalled = false;
		s->g->m.kick = true;
		break;
	case CMD_ZAP:
		zap(s);
		break;
	case CMD_FAULT_DONE:
		fault_done(s, offset);
		break;
	case CMD_RESET:
		if (utgard_mmu_core_of(s)->active && !utgard_mmu_core_of(s)->hold)
			vs_model_report(&s->g->m, offset, value,
					"the MMU of a core that executes is reset");
		utg_mmu_off(s);
		break;
	default:
		vs_model_report(&s->g->m, offset, value, "there is no such command");
	}
}

/* ---- registers ---- */

static void set_dte(struct utg_mmu *s, u32 offset, u32 value)
{
	if (s->paging && !s->stalled && !s->fault)
		vs_model_report(&s->g->m, offset, value,
				"the directory changes while the MMU is not stalled");
	s->dirty |= s->paging;
	s->dte = value & ADDRESS;
}

static u32 status(struct utg_mmu *s)
{
	u32 core = utg_core_number(s->g, utgard_mmu_core_of(s));
	bool idle = !utgard_mmu_core_of(s)->active;

	return s->paging | s->fault << 1 | s->stalled << 2 | idle << 3 | 1 << 4 | s->write << 5 |
	       (s->fault ? core : 0) << 6 | (u32)!s->stalled << 31;
}

u32 utg_mmu_read(struct utg_mmu *s, u32 reg)
{
	switch (reg) {
	case 0x00:
		return s->dte;
	case 0x04:
		return status(s);
	case 0x0c:
		s->unread = false;
		return s->address;
	default:
		return vs_model_irq_read(&s->g->m, &s->irq, reg - 0x14);
	}
}

void utg_mmu_write(struct utg_mmu *s, u32 offset, u32 reg, u32 value)
{
	switch (reg) {
	case 0x00:
		set_dte(s, offset, value);
		break;
	case 0x08:
		obey(s, offset, value);
		break;
	case 0x10:
		zap(s);
		break;
	case 0x18:
		if (value & s->irq.raw & UTG_MMU_FAULT && s->unread)
			vs_model_report(&s->g->m, offset, value, "the fault has not been read");
		fallthrough;
	default:
		vs_model_irq_write(&s->g->m, &s->irq, offset, reg - 0x14, value);
	}
}
