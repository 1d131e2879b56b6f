// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Register compaction: slots that the program neither reads nor writes are removed.
 *
 * Front ends give every register of an instruction set a slot; a program uses few of them, and
 * many blocks are resident at a time: their slots should fit a near cache and few pages. The
 * order of the remaining slots does not change, so that vectors stay consecutive.
 */
#include "simt_opt.h"

static void mark_slots(u64 *used, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < SIMT_MAX_SLOTS; i++)
		simt_set_bit(used, i);
}

/* Number of slots from d on that must exist, including those whose access does not take effect. */
static u32 num_d(const struct simt_uop *u)
{
	u32 first, n = simt_num_defs(u);

	n = max(n, simt_implicit_uses(u, 0, &first));
	return u->op == SIMT_ATOM ? max(n, 2U) : n;
}

/* The same for d2. */
static u32 num_d2(const struct simt_uop *u)
{
	u32 first, n = simt_implicit_uses(u, 1, &first);

	return u->op == SIMT_SHADD ? 1 : n;
}

void simt_mark_used(const struct simt_uop *u, u64 *used)
{
	u32 k, reach = u->op == SIMT_EXT ? SIMT_EXT_REACH : 0;

	for (k = 0; k < simt_opinfo[u->op].nsrc; k++)
		if (!(u->s[k] & SIMT_U))
			mark_slots(used, u->s[k], 1);
	mark_slots(used, u->d, max(num_d(u), reach));
	mark_slots(used, u->d2, max(num_d2(u), reach));
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

/* The program has not been verified yet: it may use slots that do not exist. */
static bool all_exist(const struct simt_prog *p, const u64 *used)
{
	u32 i;

	for (i = p->nslots; i < SIMT_MAX_SLOTS; i++)
		if (simt_bit(used, i))
			return false;
	return true;
}

/* The new number of slot @slot if it is used, or of the next used one. */
static u32 used_below(const u64 *used, u32 slot)
{
	u32 i, n = 0;

	for (i = 0; i < slot; i++)
		n += simt_bit(used, i);
	return n;
}

static void move_live(struct simt_prog *p, const u16 *to)
{
	u64 live[ARRAY_SIZE(p->live)] = {};
	u32 i;

	for (i = 0; i < SIMT_LIVE_SLOTS; i++)
		if (to[i] < SIMT_LIVE_SLOTS && simt_bit(p->live, i))
			simt_set_bit(live, to[i]);
	memcpy(p->live, live, sizeof(live));
}

/* Assign new numbers to the slots that are used. */
static void simt_compact_assign(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	u32 i, n = 0;

	for (i = 0; i < SIMT_MAX_SLOTS; i++)
		f->slots[i] = simt_bit(f->uses, i) ? n++ : SIMT_NOWHERE;
	move_live(p, f->slots);
	p->at = f->slots;
	p->own = used_below(f->uses, p->own);
	p->zero = used_below(f->uses, p->zero);
	p->nslots = max(n, 1U);
}

/* Collect the slots that the program uses and assign their numbers. */
int simt_compact_collect(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	struct simt_pass *pass = &f->pass;

	/* EXT accesses slots by their numbers */
	if (!p->compact || p->debug || p->exts || p->nslots > SIMT_MAX_SLOTS)
		return 0;
	for (; simt_pass_more(pass, p->nuops); pass->i++)
		simt_mark_used(&f->out[pass->i], f->uses);
	if (pass->i < p->nuops)
		return -EAGAIN;
	if (all_exist(p, f->uses))
		simt_compact_assign(f);
	return 0;
}

/* Rewrite all operands. */
int simt_compact_renumber(struct simt_finish *f)
{
	struct simt_prog *p = f->c.p;
	struct simt_pass *pass = &f->pass;

	if (!p->at)
		return 0;
	for (; simt_pass_more(pass, p->nuops); pass->i++)
		renumber(&f->out[pass->i], f->slots);
	return simt_pass_end(pass, p->nuops);
}
