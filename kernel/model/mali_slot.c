// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali: the job manager's slots. A slot has the chain that it executes and the next one, which
 * it takes over by itself unless the first has failed.
 */
#include "../native/mali/mali_desc.h"
#include "mali_model.h"

#define CONFIG_SPACE	0xf
#define CONFIG_START	(BIT(8) | BIT(9))	/* clean and invalidate */
#define CONFIG_FLAG	BIT(11)
#define CONFIG_END	BIT(12)			/* clean */

enum command { NOP, START, SOFT_STOP, HARD_STOP, SOFT_STOP_0, HARD_STOP_0, SOFT_STOP_1,
	       HARD_STOP_1 };

static u32 slot_base(u32 n)
{
	return 0x1800 + n * 0x80;
}

/* Done: bit n. All other ends: bit 16 + n. */
static u32 end_bit(u32 n, u32 status)
{
	return status == MALI_STATUS_DONE ? 1U << n : 0x10000U << n;
}

static void take_next(struct mali_model *g, u32 n)
{
	struct mali_slot *s = &g->slot[n];

	if (s->active || s->blocked || !s->next.command)
		return;
	if (s->unread)
		vs_model_report(&g->m, slot_base(n) + 0x60, 1,
				"slot %u has failed and its STATUS has not been read", n);
	s->job = s->next;
	s->next.command = 0;
	s->tail = s->job.head;
	s->status = MALI_STATUS_ACTIVE;
	s->active = true;
	s->stop = 0;
	s->hangs = vs_model_fails(&g->m, MALI_FAIL_HANG);
	g->flush_id++;
	g->m.kick = true;
}

void mali_slot_end(struct mali_model *g, u32 n, u32 status)
{
	struct mali_slot *s = &g->slot[n];
	u32 bit = end_bit(n, status);

	s->active = false;
	s->held = 0;
	g->m.race.held &= ~(1U << n);
	s->status = status;
	/* one that is pending and has been read stands for the second end, too */
	if (!(g->jm.raw & bit))
		g->jm.seen &= ~bit;
	g->jm.raw |= bit;
	if (vs_model_fails(&g->m, MALI_FAIL_LOST_IRQ))
		g->lost |= bit;
	s->blocked = status != MALI_STATUS_DONE;
	s->unread = s->blocked;
	take_next(g, n);
}

void mali_slot_end_or_hold(struct mali_model *g, u32 n, u32 status)
{
	if (vs_model_hold(&g->m, n))
		g->slot[n].held = status;
	else
		mali_slot_end(g, n, status);
}

void mali_slot_show(struct vs_model *m)
{
	struct mali_model *g = to_mali(m);
	u32 n;

	for (n = 0; n < MALI_SLOTS; n++) {
		if (g->slot[n].held)
			mali_slot_end(g, n, g->slot[n].held);
	}
}

/* Race: ends that are held back may show at any access. */
static void mali_slot_maybe_show(struct mali_model *g)
{
	if (g->m.race.held && vs_model_chance(&g->m, 2))
		mali_slot_show(&g->m);
}

void mali_slot_power(struct mali_model *g)
{
	g->m.kick = true;
}

/* ---- checks ---- */

static void check_space(struct mali_model *g, u32 offset, u32 as)
{
	const struct mali_space *s;

	if (as >= MALI_SPACES) {
		vs_model_report(&g->m, offset, as, "there is no address space %u", as);
		return;
	}
	s = &g->space[as];
	if (!mali_space_on(s))
		vs_model_report(&g->m, offset, as, "a job for address space %u, which is off%s", as,
				s->dirty ? ": UPDATE is missing" : "");
	else if (s->dirty)
		vs_model_report(&g->m, offset, as,
				"a job for address space %u, whose registers await UPDATE", as);
}

/* The L2 cache is not coherent with the processor: it reads old lines, and keeps new ones. */
static void check_flushes(struct mali_model *g, u32 n, u32 offset)
{
	u32 config = g->slot[n].next.config;

	if ((config & CONFIG_START) != CONFIG_START)
		vs_model_report(&g->m, offset, config,
				"slot %u: the L2 cache is not invalidated at the job's start", n);
	if (!(config & CONFIG_END))
		vs_model_report(&g->m, offset, config,
				"slot %u: the L2 cache keeps what the job writes", n);
}

static void mali_slot_check_start(struct mali_model *g, u32 n, u32 offset)
{
	const struct mali_slot *s = &g->slot[n];
	u64 cores = s->next.affinity;

	if (s->next.command)
		vs_model_report(&g->m, offset, 1, "slot %u has a next job already", n);
	if (!s->next.head)
		vs_model_report(&g->m, offset, 1, "the job of slot %u has no address", n);
	if (!cores || cores & ~(u64)g->ready[MALI_SHADER] || !g->ready[MALI_L2])
		vs_model_report(&g->m, offset, (u32)cores,
				"a job for cores without power: it waits");
	check_space(g, offset, s->next.config & CONFIG_SPACE);
	check_flushes(g, n, offset);
}

/* ---- registers ---- */

static void clear_irq(struct mali_model *g, u32 offset, u32 value)
{
	u32 n, bits;

	vs_model_irq_write(&g->m, &g->jm, offset, 4, value);
	g->lost &= ~value;
	for (n = 0; n < MALI_SLOTS; n++) {
		struct mali_slot *s = &g->slot[n];

		bits = 0x10001U << n;
		if (!(value & bits))
			continue;
		if (value & 0x10000U << n) {
			s->blocked = false;
			take_next(g, n);
		}
		g->js_state &= ~bits;
		g->js_state |= (s->active ? 1U << n : 0) | (s->next.command ? 0x10000U << n : 0);
	}
	mali_slot_maybe_show(g);
}

/* Sampled when interrupts are cleared, but slots that have stopped show at once. */
static u32 js_state(const struct mali_model *g)
{
	u32 n, v = g->js_state;

	for (n = 0; n < MALI_SLOTS; n++) {
		v &= ~(1U << n);
		v |= g->slot[n].active ? 1U << n : 0;
	}
	return v;
}

static void mali_slot_stop(struct mali_model *g, u32 n, enum command c)
{
	struct mali_slot *s = &g->slot[n];
	bool hard = c & 1, flag;

	/* the chain was done before the command; it meets the next one */
	if (s->held)
		mali_slot_end(g, n, s->held);
	flag = s->job.config & CONFIG_FLAG;
	if (!s->active || (c >= SOFT_STOP_1 && !flag) ||
	    ((c == SOFT_STOP_0 || c == HARD_STOP_0) && flag))
		return;
	if (s->hangs && !hard)
		return;
	s->stop = hard ? MALI_STATUS_TERMINATED : MALI_STATUS_STOPPED;
	if (!s->running)
		mali_slot_end(g, n, s->stop);
	g->m.kick = true;
}

static void slot_command(struct mali_model *g, u32 n, u32 offset, u32 value)
{
	if (value == START)
		vs_model_report(&g->m, offset, value, "jobs are started with COMMAND_NEXT");
	else if (value)
		mali_slot_stop(g, n, value & 7);
}

static u32 slot_read(struct mali_model *g, u32 n, u32 at)
{
	struct mali_slot *s = &g->slot[n];

	switch (at & ~4U) {
	case 0x00:
		return mali_half(s->job.head, at);
	case 0x08:
		return mali_half(s->tail, at);
	case 0x10:
		return mali_half(s->job.affinity, at);
	case 0x40:
		return mali_half(s->next.head, at);
	case 0x50:
		return mali_half(s->next.affinity, at);
	}
	switch (at) {
	case 0x18:
		return s->job.config;
	case 0x24:
		s->unread = false;
		return s->status;
	case 0x58:
		return s->next.config;
	case 0x60:
		return s->next.command;
	case 0x70:
		return s->next.flush;
	default:
		return 0;
	}
}

static void mali_slot_start(struct mali_model *g, u32 n, u32 offset, u32 value)
{
	struct mali_slot *s = &g->slot[n];

	if (value == START)
		mali_slot_check_start(g, n, offset);
	s->next.command = value == START;
	take_next(g, n);
	mali_slot_maybe_show(g);
}

static void slot_write(struct mali_model *g, u32 n, u32 offset, u32 value)
{
	struct mali_slot *s = &g->slot[n];
	u32 at = offset - slot_base(n);

	if (at >= 0x40 && at != 0x60 && s->next.command)
		vs_model_report(&g->m, offset, value, "slot %u has a next job, which changes", n);
	switch (at) {
	case 0x20:
		slot_command(g, n, offset, value);
		break;
	case 0x40:
	case 0x44:
		mali_set_half(&s->next.head, at, value);
		break;
	case 0x50:
	case 0x54:
		mali_set_half(&s->next.affinity, at, value);
		break;
	case 0x58:
		s->next.config = value;
		break;
	case 0x60:
		mali_slot_start(g, n, offset, value);
		break;
	case 0x70:
		s->next.flush = value;
		break;
	}
}

u32 mali_jm_read(struct mali_model *g, u32 offset)
{
	u32 n = (offset - 0x1800) / 0x80, value;

	if (offset >= 0x1800)
		return slot_read(g, n, offset - slot_base(n));
	if (offset == 0x1010)
		return js_state(g);
	if (offset == 0x1014)
		return 0;
	g->spurious = false;
	value = vs_model_irq_read(&g->m, &g->jm, offset - 0x1000);
	mali_slot_maybe_show(g);
	return value;
}

void mali_jm_write(struct mali_model *g, u32 offset, u32 value)
{
	if (offset >= 0x1800)
		slot_write(g, (offset - 0x1800) / 0x80, offset, value);
	else if (offset == 0x1004)
		clear_irq(g, offset, value);
	else if (offset == 0x1008)
		vs_model_irq_write(&g->m, &g->jm, offset, 8, value);
}
