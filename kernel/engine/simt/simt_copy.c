// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Slots that were moved to others: who reads the others reads the first ones, and may find
 * that nobody needs the move.
 */
#include "simt_opt.h"

#define NONE	0xffff
#define MAX_COPIES 32

/**
 * struct copies - What slots have that others have, too.
 * @of:		per slot: operand with the same value, or NONE
 * @n:		slots
 * @list:	slots of which there is one
 * @nlist:	how many
 */
struct copies {
	u16 *of;
	u32 n;
	u16 list[MAX_COPIES];
	u32 nlist;
};

static void forget_at(struct copies *c, u32 i)
{
	c->of[c->list[i]] = NONE;
	c->list[i] = c->list[--c->nlist];
}

static void forget_all(struct copies *c)
{
	while (c->nlist)
		forget_at(c, c->nlist - 1);
}

/* Slots [first, first + n) get other values. */
static void overwrite(struct copies *c, u32 first, u32 n)
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

static void remember(struct copies *c, u32 d, u32 s)
{
	if (d == s || d >= c->n || c->nlist == MAX_COPIES)
		return;
	c->of[d] = (u16)s;
	c->list[c->nlist++] = (u16)d;
}

static u16 origin(const struct copies *c, u16 s)
{
	return s & SIMT_U || s >= c->n || c->of[s] == NONE ? s : c->of[s];
}

/* Stored slots, if they come from slots one behind the other. */
static void use_stored(const struct copies *c, struct simt_uop *u)
{
	u32 n = DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4), i, first = origin(c, u->d);

	for (i = 0; i < n; i++)
		if (u->d + i >= c->n || origin(c, (u16)(u->d + i)) != first + i)
			return;
	if (!(first & SIMT_U))
		u->d = (u16)first;
}

static void use(const struct copies *c, struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		u->s[i] = origin(c, u->s[i]);
	if (u->op == SIMT_ST)
		use_stored(c, u);
}

int simt_opt_copies(struct simt_arena *a, struct simt_code *code)
{
	struct copies c = { .n = code->p->nslots };
	u32 i;

	c.of = simt_arena_alloc(a, c.n, sizeof(*c.of));
	if (!c.of)
		return -ENOMEM;
	memset(c.of, 0xff, c.n * sizeof(*c.of));
	for (i = 0; i < code->n; i++) {
		struct simt_uop *u = &code->uops[i];

		if (simt_opt_bit(code->dead, i))
			continue;
		if (simt_opt_bit(code->labels, i))
			forget_all(&c);
		use(&c, u);
		overwrite(&c, u->d, simt_opt_written(u));
		if (u->op == SIMT_SHADD)
			overwrite(&c, u->d2, 1);
		if (u->op == SIMT_MOV)
			remember(&c, u->d, u->s[0]);
	}
	return 0;
}
