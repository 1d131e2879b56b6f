// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Liveness analysis: the slots whose values may still be read, at the start of each basic block.
 *
 * Backward data flow over the blocks, iterated up to a fixed point. Without memory for the sets,
 * or without a fixed point after MAX_SWEEPS, all slots that may live across blocks are live
 * between them, which is always correct.
 */
#include "simt_opt.h"

#define MAX_SWEEPS	12
#define MAX_VISITS	0x200000	/* of micro-ops, in all sweeps */

static void set_live(struct simt_live *l, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < l->c->p->nslots; i++)
		simt_set_bit(l->now, i);
}

/* EXT may leave slots of its range as they were: these defs do not kill. */
static void kill_defs(struct simt_live *l, const struct simt_uop *u)
{
	u32 i, n = u->op == SIMT_EXT ? 0 : simt_num_defs(u);

	for (i = 0; i < n && u->d + i < l->c->p->nslots; i++)
		simt_clear_bit(l->now, u->d + i);
	if (u->op == SIMT_SHADD && u->d2 < l->c->p->nslots)
		simt_clear_bit(l->now, u->d2);
}

static void add_uses(struct simt_live *l, const struct simt_uop *u)
{
	u32 i, first, n;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (!(u->s[i] & SIMT_U))
			set_live(l, u->s[i], 1);
	for (i = 0; i < 2; i++) {
		n = simt_implicit_uses(u, i, &first);
		set_live(l, first, n);
	}
}

void simt_live_step(struct simt_live *l, const struct simt_uop *u)
{
	kill_defs(l, u);
	add_uses(l, u);
}

bool simt_live_in(const struct simt_live *l, u32 s)
{
	return s >= l->c->p->nslots || simt_bit(l->now, s);
}

bool simt_live_needed(const struct simt_live *l, const struct simt_uop *u)
{
	if (simt_opinfo[u->op].class > SIMT_CL_I || simt_live_in(l, u->d))
		return true;
	return u->op == SIMT_SHADD && simt_live_in(l, u->d2);
}

/* Slots that may live across blocks, or be read from ended threads. */
static void set_persistent(struct simt_live *l)
{
	const struct simt_prog *p = l->c->p;

	set_live(l, 0, p->temp ? p->temp : p->nslots);
	set_live(l, p->keep, p->nkeep);
}

static void add_successor(struct simt_live *l, u32 at)
{
	u32 block = simt_bb_of(l->c, at), i;

	for (i = 0; i < l->words; i++)
		l->now[i] |= l->at[block * l->words + i];
}

/* Live-out set of the block that ends at micro-op @i: the union over its successors. */
static void set_live_out(struct simt_live *l, u32 i)
{
	const struct simt_uop *u = &l->c->uops[i];
	u32 op = u->op;

	memset(l->now, 0, l->words * sizeof(*l->now));
	if (!l->at || ((op == SIMT_END || op == SIMT_ENDKILL) && !l->c->p->forget))
		set_persistent(l);
	else if (op == SIMT_END || op == SIMT_ENDKILL)
		set_live(l, 0, l->c->p->nout);
	if (!l->at)
		return;
	if (simt_is_branch(u))
		add_successor(l, l->c->to[i]);
	if (simt_falls_through(u) && i + 1 < l->c->n)
		add_successor(l, i + 1);
}

void simt_live_enter(struct simt_live *l, u32 i)
{
	if (i + 1 == simt_bb_end(l->c, l->block))
		set_live_out(l, i);
}

/* Store the live-in set of the current block. */
static void merge_live_in(struct simt_live *l)
{
	u64 *at = l->at + l->block * l->words, more = 0;
	u32 i;

	for (i = 0; i < l->words; i++) {
		more |= l->now[i] & ~at[i];
		at[i] |= l->now[i];
	}
	l->changed |= more;
}

static void simt_live_visit(struct simt_live *l, u32 i)
{
	const struct simt_uop *u = &l->c->uops[i];

	simt_live_enter(l, i);
	if (!simt_bit(l->c->dead, i) && simt_live_needed(l, u))
		simt_live_step(l, u);
	if (i != l->c->start[l->block])
		return;
	merge_live_in(l);
	l->block--;
}

/* Allocate the sets, empty. */
int simt_live_begin(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;

	if (!l->c) {
		l->c = &f->c;
		l->words = DIV_ROUND_UP(f->c.p->nslots, 64);
		l->now = simt_arena_alloc(f->a, l->words, sizeof(*l->now));
		if (!l->now)
			return -ENOMEM;
		l->at = simt_arena_take(f->a, (u64)f->c.nblocks * l->words, sizeof(*l->at));
		l->sweeps = min_t(u32, MAX_SWEEPS, MAX_VISITS / f->c.n);
		l->changed = false;
	}
	if (!l->at)
		return 0;
	for (; simt_pass_more(p, f->c.nblocks); p->i++)
		memset(l->at + p->i * l->words, 0, l->words * sizeof(*l->at));
	return simt_pass_end(p, f->c.nblocks);
}

/* Iterate; l->at becomes NULL if there is no fixed point. */
int simt_live_solve(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;
	u32 n = f->c.n;

	for (; l->at && l->sweeps; l->sweeps--) {
		if (!p->i)
			l->block = f->c.nblocks - 1;
		for (; simt_pass_more(p, n); p->i++)
			simt_live_visit(l, n - 1 - p->i);
		if (p->i < n)
			return -EAGAIN;
		if (!l->changed)
			return 0;
		l->changed = false;
		p->i = 0;
	}
	l->at = NULL;
	return 0;
}

/* Only slots that are live at the entry need to be zeros there. */
int simt_live_entry(struct simt_finish *f)
{
	const struct simt_live *l = &f->live;
	struct simt_prog *p = f->c.p;
	const u64 *at;
	u32 i;

	if (!l->at)
		return 0;
	at = l->at + simt_bb_of(l->c, l->c->entry) * l->words;
	while (p->zero && !simt_bit(at, p->zero - 1))
		p->zero--;
	for (i = 0; i < min_t(u32, p->nslots, SIMT_LIVE_SLOTS); i++) {
		if (!simt_bit(at, i))
			simt_clear_bit(p->live, i);
	}
	return 0;
}
