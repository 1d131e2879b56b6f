// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard: registers of the vertex processor (GP) and of the pixel processors (PP): frames,
 * commands, resets, interrupts.
 */
#include "utgard_model.h"

#define GP_VERSION_400	0x0b070101
#define GP_VERSION_450	0x0d070000
#define PP_VERSION_400	0xcd070101
#define PP_VERSION_450	0xcf070000

#define GP_LISTS	0x10	/* registers of the lists end here, those of the heap follow */
#define GP_FRAME	0x18
#define PP_WORDS	0x330
#define PP_CONTROL	0x1000

/* PP_CTRL. */
#define PP_STOP_BUS	BIT(0)
#define PP_RESET	BIT(5)
#define PP_START	BIT(6)
#define PP_SOFT_RESET	BIT(7)

u32 utg_core_l2(const struct utg_core *c)
{
	const struct utg_model *g = c->mmu.g;
	u32 n = utg_core_number(g, c);

	return !utg_is_450(g) || !n ? 0 : n < 5 ? 1 : 2;
}

void utg_core_raise(struct utg_core *c, u32 bits)
{
	c->irq.raw |= bits;
	c->irq.seen &= ~bits;
	if (vs_model_fails(&c->mmu.g->m, UTG_FAIL_LOST_IRQ))
		c->lost |= bits;
}

/* Lists that are held back are done, or reset. */
static void utgard_core_let_go(struct utg_core *c, u32 lists)
{
	c->held &= ~lists;
	if (!c->held)
		c->mmu.g->m.race.held &= ~(1U << utg_core_number(c->mmu.g, c));
}

void utg_core_end(struct utg_core *c, u32 lists)
{
	utgard_core_let_go(c, lists);
	c->active &= ~lists;
	/* the bits of the ends are those of the starts */
	utg_core_raise(c, lists);
}

void utg_core_show(struct vs_model *m)
{
	struct utg_model *g = to_utg(m);
	u32 n;

	for (n = 0; n <= g->chip->pps; n++) {
		if (g->core[n].held)
			utg_core_end(&g->core[n], g->core[n].held);
	}
}

/* Race: ends that are held back may show at any access. */
static void utg_core_maybe_show(struct utg_core *c)
{
	if (c->held && vs_model_chance(&c->mmu.g->m, 2))
		utg_core_end(c, c->held);
}

/* ---- resets ---- */

/* Hard: all registers are lost, and nothing is reported. */
static void utgard_core_reset(struct utg_core *c)
{
	c->irq = (struct vs_model_irq){};
	c->lost = 0;
	memset(c->plain, 0, sizeof(c->plain));
	c->active = 0;
	utgard_core_let_go(c, c->held);
	c->hold = 0;
	c->resets++;
	c->resetting = false;
	c->late = false;
	c->heap_dirty = false;
	c->full = false;
}

void utg_core_off(struct utg_core *c)
{
	utgard_core_reset(c);
	c->cleared = false;
	utg_mmu_off(&c->mmu);
}

static void soft_reset(struct utg_core *c, u32 offset, u32 value)
{
	struct vs_model *m = &c->mmu.g->m;

	if (c->active && !c->hold)
		vs_model_report(m, offset, value, "a core that executes is reset softly");
	utgard_core_reset(c);
	c->resetting = true;
	c->slow = vs_model_random(m, 3);
	c->late = vs_model_fails(m, UTG_FAIL_RESET);
	if (!c->late)
		c->irq.raw = utg_is_gp(c) ? UTG_GP_RESET_DONE : UTG_PP_RESET_DONE;
}

/* Registers of frames are for cores that have been reset, and await no list. */
static void check_frame(struct utg_core *c, u32 offset, u32 value)
{
	struct vs_model *m = &c->mmu.g->m;

	if (c->resetting)
		vs_model_report(m, offset, value, "the reset has not been awaited");
	else if (c->active)
		vs_model_report(m, offset, value, "registers of a frame that executes change");
}

/* ---- starts ---- */

static void utgard_core_check_start(struct utg_core *c, u32 offset, u32 value)
{
	struct utg_model *g = c->mmu.g;
	u32 n = utg_core_number(g, c);

	if (c->resetting)
		vs_model_report(&g->m, offset, value, "core %u: the reset has not been awaited", n);
	if (!c->mmu.paging)
		vs_model_report(&g->m, offset, value, "core %u starts without paging", n);
	if (c->mmu.stalled)
		vs_model_report(&g->m, offset, value, "core %u starts while its MMU is stalled", n);
	if (c->mmu.dirty)
		vs_model_report(&g->m, offset, value,
				"core %u starts with another directory, without ZAP_CACHE", n);
	if (!(g->l2[utg_core_l2(c)].enable & 1))
		vs_model_report(&g->m, offset, value, "core %u starts, its L2 cache is off", n);
	if (!c->cleared)
		vs_model_report(&g->m, offset, value,
				"core %u: the L2 cache was not cleared after its last frame", n);
}

/* Several cores may begin before the first one ends; one clear is for all. */
static void utgard_core_start(struct utg_core *c, u32 offset, u32 lists, u32 value)
{
	struct utg_model *g = c->mmu.g;

	utgard_core_check_start(c, offset, value);
	if (c->active & lists) {
		vs_model_report(&g->m, offset, value, "core %u is executing",
				utg_core_number(g, c));
		return;
	}
	c->lists = lists | (c->active ? c->lists : 0);
	c->begun = c->begun && c->active;
	c->active |= lists;
	c->cleared = false;
	if (vs_model_fails(&g->m, UTG_FAIL_HANG))
		c->hold |= UTG_HOLD_HANG;
	g->m.kick = true;
}

/* ---- vertex processor ---- */

static void new_heap(struct utg_core *c)
{
	/* one that begins where the last one has ended extends it */
	if (!(c->hold & UTG_HOLD_HEAP) || c->plain[UTF_GP_HEAP_START] != c->heap_end)
		c->heap = c->plain[UTF_GP_HEAP_START];
	c->heap_dirty = false;
	c->hold &= ~UTG_HOLD_HEAP;
	c->mmu.g->m.kick = true;
}

static void gp_start(struct utg_core *c, u32 offset, u32 value)
{
	struct vs_model *m = &c->mmu.g->m;
	u32 lists = value & (UTG_GP_START_VS | UTG_GP_START_PLBU);

	if (value & UTG_GP_START_PLBU && c->heap_dirty)
		vs_model_report(m, offset, value, "the heap has changed without UPDATE_PLBU_ALLOC");
	if (value & UTG_GP_START_PLBU) {
		c->invalid = vs_model_fails(m, UTG_FAIL_HEAP_ERROR);
		c->full = vs_model_fails(m, UTG_FAIL_HEAP) || c->invalid;
	}
	utgard_core_start(c, offset, lists, value);
}

static void stop_bus(struct utg_core *c, u32 bit)
{
	c->hold |= UTG_HOLD_BUS;
	c->irq.raw |= bit;
}

static void gp_command(struct utg_core *c, u32 offset, u32 value)
{
	if (value & UTG_GP_UPDATE_HEAP)
		new_heap(c);
	if (value & (UTG_GP_START_VS | UTG_GP_START_PLBU))
		gp_start(c, offset, value);
	if (value & UTG_GP_STOP_BUS)
		stop_bus(c, UTG_GP_BUS_STOPPED);
	if (value & UTG_GP_FORCE_HANG) {
		c->hold |= UTG_HOLD_HANG;
		utg_core_raise(c, UTG_GP_FORCED_HANG);
	}
	if (value & UTG_GP_RESET)
		utgard_core_reset(c);
	if (value & UTG_GP_SOFT_RESET)
		soft_reset(c, offset, value);
}

static u32 gp_status(const struct utg_core *c)
{
	return (c->active & UTG_GP_START_VS ? BIT(1) : 0) | (c->hold & UTG_HOLD_BUS ? BIT(2) : 0) |
	       (c->active & UTG_GP_START_PLBU ? BIT(3) : 0) |
	       (c->irq.raw & UTG_GP_BUS_ERROR ? BIT(6) : 0);
}

/* Interrupts, by registers from RAWSTAT on. */
static u32 irq_read(struct utg_core *c, u32 which)
{
	struct vs_model *m = &c->mmu.g->m;
	u32 value;

	if (which == VS_IRQ_RAWSTAT && vs_model_slow(m, &c->slow))
		return 0;
	if (which == VS_IRQ_RAWSTAT)
		c->resetting = c->late;
	else if (which == VS_IRQ_STAT)
		c->spurious = false;
	value = vs_model_irq_read(m, &c->irq, which);
	utg_core_maybe_show(c);
	return value;
}

static void irq_write(struct utg_core *c, u32 offset, u32 which, u32 value)
{
	if (which == VS_IRQ_CLEAR)
		c->lost &= ~value;
	vs_model_irq_write(&c->mmu.g->m, &c->irq, offset, which, value);
	utg_core_maybe_show(c);
}

static u32 gp_read(struct utg_core *c, u32 reg)
{
	switch (reg) {
	case 0x24:
	case 0x2c:
	case 0x30:
		return irq_read(c, reg - 0x24);
	case 0x68:
		return gp_status(c);
	case 0x6c:
		return utg_is_450(c->mmu.g) ? GP_VERSION_450 : GP_VERSION_400;
	case 0x80:
		return c->plain[0];
	case 0x84:
		return c->plain[2];
	default:
		return c->plain[reg / 4];
	}
}

static void gp_write(struct utg_core *c, u32 offset, u32 reg, u32 value)
{
	switch (reg) {
	case 0x20:
		gp_command(c, offset, value);
		return;
	case 0x28:
	case 0x2c:
		irq_write(c, offset, reg - 0x24, value);
		return;
	}
	/* a heap is extended while the list of the PLBU waits for it */
	if (reg < GP_LISTS || (reg < GP_FRAME && !(c->hold & UTG_HOLD_HEAP)))
		check_frame(c, offset, value);
	c->heap_dirty |= reg >= GP_LISTS && reg < GP_FRAME;
	c->plain[reg / 4] = value;
}

/* ---- pixel processors ---- */

static void check_dlbu(struct utg_core *c, u32 offset, u32 value)
{
	struct utg_model *g = c->mmu.g;
	u32 n = utg_core_number(g, c) - 1;

	if (utg_is_450(g) && g->dlbu[1] && c->plain[0] == g->dlbu[1] && !(g->dlbu[6] & BIT(n)))
		vs_model_report(&g->m, offset, value,
				"PP%u reads the list of the DLBU, which is off for it", n);
}

static void pp_command(struct utg_core *c, u32 offset, u32 value)
{
	if (value & PP_START) {
		check_dlbu(c, offset, value);
		utgard_core_start(c, offset, 1, value);
	}
	if (value & PP_STOP_BUS)
		stop_bus(c, UTG_PP_BUS_STOPPED);
	if (value & PP_RESET)
		utgard_core_reset(c);
	if (value & PP_SOFT_RESET)
		soft_reset(c, offset, value);
}

static u32 pp_read(struct utg_core *c, u32 reg)
{
	switch (reg) {
	case 0x1000:
		return utg_is_450(c->mmu.g) ? PP_VERSION_450 : PP_VERSION_400;
	case 0x1004:
		return c->plain[0];
	case 0x1008:
		return c->active | (c->hold & UTG_HOLD_BUS ? BIT(4) : 0);
	case 0x1020:
	case 0x1028:
	case 0x102c:
		return irq_read(c, reg - 0x1020);
	default:
		return c->plain[reg / 4];
	}
}

static void pp_write(struct utg_core *c, u32 offset, u32 reg, u32 value)
{
	switch (reg) {
	case 0x100c:
		pp_command(c, offset, value);
		return;
	case 0x1020:
		/* sets interrupts; lima does this before a reset, which removes them */
		c->irq.raw |= value;
		return;
	case 0x1024:
	case 0x1028:
		irq_write(c, offset, reg - 0x1020, value);
		return;
	}
	if (reg < PP_WORDS)
		check_frame(c, offset, value);
	c->plain[reg / 4] = value;
}

/* ---- registers ---- */

u32 utg_core_read(struct utg_core *c, u32 reg)
{
	return utg_is_gp(c) ? gp_read(c, reg) : pp_read(c, reg);
}

void utg_core_write(struct utg_core *c, u32 offset, u32 reg, u32 value)
{
	if (utg_is_gp(c))
		gp_write(c, offset, reg, value);
	else
		pp_write(c, offset, reg, value);
}
