// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Copy propagation: readers of a moved value read the move's source, within a basic block. Moves
 * that nobody reads any more are removed by dead-code elimination (simt_fuse.c).
 */
#include "simt_opt.h"

/* ---- available copies: @of[d] is the source of the last move to d ---- */

static void forget_at(struct simt_copies *c, u32 i)
{
	c->of[c->list[i]] = SIMT_NOWHERE;
	c->list[i] = c->list[--c->nlist];
}

static void forget_all(struct simt_copies *c)
{
	while (c->nlist)
		forget_at(c, c->nlist - 1);
}

/* Slots [first, first + n) are redefined: copies of and in them end. */
static void kill_copies(struct simt_copies *c, u32 first, u32 n)
{
	u32 i = 0;

	while (i < c->nlist) {
		u32 s = c->list[i], of = c->of[s];

		if (s - first < n || of - first < n)
			forget_at(c, i);
		else
			i++;
	}
}

static void add_copy(struct simt_copies *c, u32 d, u32 s)
{
	if (d == s || d >= c->n || c->nlist == SIMT_MAX_COPIES)
		return;
	c->of[d] = (u16)s;
	c->list[c->nlist++] = (u16)d;
}

static u16 source_of(const struct simt_copies *c, u16 s)
{
	return s & SIMT_U || s >= c->n || c->of[s] == SIMT_NOWHERE ? s : c->of[s];
}

/* ---- propagation ---- */

/* ST reads consecutive slots from d on: replaced if all their sources are consecutive, too. */
static void propagate_stored(const struct simt_copies *c, struct simt_uop *u)
{
	u32 n = DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4), i, first = source_of(c, u->d);

	for (i = 0; i < n; i++)
		if (u->d + i >= c->n || source_of(c, (u16)(u->d + i)) != first + i)
			return;
	if (!(first & SIMT_U))
		u->d = (u16)first;
}

static void propagate(const struct simt_copies *c, struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		u->s[i] = source_of(c, u->s[i]);
	if (u->op == SIMT_ST)
		propagate_stored(c, u);
}

int simt_copy_propagate(struct simt_finish *f)
{
	struct simt_code *code = &f->c;
	struct simt_copies *c = &f->copies;
	struct simt_pass *p = &f->pass;

	if (!c->of) {
		c->n = code->p->nslots;
		c->of = simt_arena_take(f->a, c->n, sizeof(*c->of));
		if (!c->of)
			return -ENOMEM;
		memset(c->of, 0xff, c->n * sizeof(*c->of));
	}
	for (; simt_pass_more(p, code->n); p->i++) {
		struct simt_uop *u = &code->uops[p->i];

		if (simt_bit(code->dead, p->i))
			continue;
		if (simt_bit(code->labels, p->i))
			forget_all(c);
		propagate(c, u);
		kill_copies(c, u->d, simt_num_defs(u));
		if (u->op == SIMT_SHADD)
			kill_copies(c, u->d2, 1);
		if (u->op == SIMT_MOV)
			add_copy(c, u->d, u->s[0]);
	}
	return simt_pass_end(p, code->n);
}
