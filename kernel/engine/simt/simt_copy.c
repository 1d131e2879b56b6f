// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Slots that were moved to others: who reads the others reads the first ones, and may find
 * that nobody needs the move.
 */
#include "simt_opt.h"

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

/* Slots [first, first + n) get other values. */
static void overwrite(struct simt_copies *c, u32 first, u32 n)
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

static void remember(struct simt_copies *c, u32 d, u32 s)
{
	if (d == s || d >= c->n || c->nlist == SIMT_MAX_COPIES)
		return;
	c->of[d] = (u16)s;
	c->list[c->nlist++] = (u16)d;
}

static u16 origin(const struct simt_copies *c, u16 s)
{
	return s & SIMT_U || s >= c->n || c->of[s] == SIMT_NOWHERE ? s : c->of[s];
}

/* Stored slots, if they come from slots one behind the other. */
static void use_stored(const struct simt_copies *c, struct simt_uop *u)
{
	u32 n = DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4), i, first = origin(c, u->d);

	for (i = 0; i < n; i++)
		if (u->d + i >= c->n || origin(c, (u16)(u->d + i)) != first + i)
			return;
	if (!(first & SIMT_U))
		u->d = (u16)first;
}

static void use(const struct simt_copies *c, struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		u->s[i] = origin(c, u->s[i]);
	if (u->op == SIMT_ST)
		use_stored(c, u);
}

int simt_opt_copies(struct simt_finish *f)
{
	struct simt_code *code = &f->c;
	struct simt_copies *c = &f->copies;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, code->n); p->i++) {
		struct simt_uop *u = &code->uops[p->i];

		if (simt_opt_bit(code->dead, p->i))
			continue;
		if (simt_opt_bit(code->labels, p->i))
			forget_all(c);
		use(c, u);
		overwrite(c, u->d, simt_opt_written(u));
		if (u->op == SIMT_SHADD)
			overwrite(c, u->d2, 1);
		if (u->op == SIMT_MOV)
			remember(c, u->d, u->s[0]);
	}
	return simt_pass_end(p, code->n);
}
