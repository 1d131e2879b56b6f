// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Slots without gaps. Front ends give every register of an instruction set a slot; a program uses
 * few of them, and many blocks work at the same time: what they work with should stay in a near
 * cache, and in few pages. Slots that the program neither reads nor writes go, the order of the
 * others stays, so that those that follow each other still do.
 */
#include "simt_opt.h"

static void use(u64 *used, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < SIMT_MAX_SLOTS; i++)
		used[i / 64] |= BIT_ULL(i % 64);
}

/* Slots from d and d2 on, whether they count or not: they have to exist. */
static u32 num_d(const struct simt_uop *u)
{
	u32 first, n = simt_opt_written(u);

	n = max(n, simt_opt_read_from(u, 0, &first));
	return u->op == SIMT_ATOM ? max(n, 2U) : n;
}

static u32 num_d2(const struct simt_uop *u)
{
	u32 first, n = simt_opt_read_from(u, 1, &first);

	return u->op == SIMT_SHADD ? 1 : n;
}

static void add_used(const struct simt_uop *u, u64 *used)
{
	u32 k;

	for (k = 0; k < simt_opinfo[u->op].nsrc; k++)
		if (!(u->s[k] & SIMT_U))
			use(used, u->s[k], 1);
	use(used, u->d, num_d(u));
	use(used, u->d2, num_d2(u));
}

static void renumber(struct simt_uop *u, const u16 *to)
{
	u32 k;

	for (k = 0; k < simt_opinfo[u->op].nsrc; k++)
		if (!(u->s[k] & SIMT_U))
			u->s[k] = to[u->s[k]];
	if (num_d(u))
		u->d = to[u->d];
	if (num_d2(u))
		u->d2 = to[u->d2];
}

/* Nothing has been verified yet. */
static bool all_exist(const struct simt_prog *p, const u64 *used)
{
	u32 i;

	for (i = p->nslots; i < SIMT_MAX_SLOTS; i++)
		if (simt_opt_bit(used, i))
			return false;
	return true;
}

static u32 used_below(const u64 *used, u32 slot)
{
	u32 i, n = 0;

	for (i = 0; i < slot; i++)
		n += simt_opt_bit(used, i);
	return n;
}

static void move_live(struct simt_prog *p, const u16 *to)
{
	u64 live[ARRAY_SIZE(p->live)] = {};
	u32 i;

	for (i = 0; i < SIMT_LIVE_SLOTS; i++)
		if (to[i] < SIMT_LIVE_SLOTS && simt_opt_bit(p->live, i))
			live[to[i] / 64] |= BIT_ULL(to[i] % 64);
	memcpy(p->live, live, sizeof(live));
}

/* Number the slots that are used. */
static void number(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	u32 i, n = 0;

	for (i = 0; i < SIMT_MAX_SLOTS; i++)
		f->slots[i] = simt_opt_bit(f->uses, i) ? n++ : SIMT_NOWHERE;
	move_live(p, f->slots);
	p->at = f->slots;
	p->own = used_below(f->uses, p->own);
	p->zero = used_below(f->uses, p->zero);
	p->nslots = max(n, 1U);
}

int simt_pack_find(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	struct simt_pass *pass = &f->pass;

	/* resources have slots of their own choice */
	if (!p->pack || p->debug || p->exts || p->nslots > SIMT_MAX_SLOTS)
		return 0;
	for (; simt_pass_more(pass, p->nuops); pass->i++)
		add_used(&f->out[pass->i], f->uses);
	if (pass->i < p->nuops)
		return -EAGAIN;
	if (all_exist(p, f->uses))
		number(f);
	return 0;
}

int simt_pack_renumber(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	struct simt_pass *pass = &f->pass;

	if (!p->at)
		return 0;
	for (; simt_pass_more(pass, p->nuops); pass->i++)
		renumber(&f->out[pass->i], f->slots);
	return simt_pass_end(pass, p->nuops);
}
