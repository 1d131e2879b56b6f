// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dead-code elimination and the fusions that depend on it, in one backward walk with live sets:
 *
 * - micro-ops whose results are dead are removed;
 * - moves are coalesced: the producer writes the move's destination;
 * - FMUL and FADD become FMAU (rounds twice, as the two do);
 * - a comparison and the branch on it become BRCMP.
 *
 * The partner is searched for in the same basic block, at most NEAR micro-ops back.
 */
#include "simt_opt.h"

#define NEAR		24
#define LOOKS		2		/* searched micro-ops that count as one visit */

static bool within(u32 s, u32 first, u32 n)
{
	return s >= first && s - first < n;
}

/* Return: @u reads slot @s implicitly, not as an operand. */
static bool uses_implicitly(const struct simt_uop *u, u32 s)
{
	u32 first, n;

	n = simt_implicit_uses(u, 0, &first);
	if (within(s, first, n))
		return true;
	n = simt_implicit_uses(u, 1, &first);
	return within(s, first, n);
}

static bool uses(const struct simt_uop *u, u32 s)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (u->s[i] == s)
			return true;
	return uses_implicitly(u, s);
}

static bool defines(const struct simt_uop *u, u32 s)
{
	return within(s, u->d, simt_num_defs(u)) || (u->op == SIMT_SHADD && u->d2 == s);
}

static bool is_dead(const struct simt_live *l, u32 i)
{
	return simt_bit(l->c->dead, i);
}

/* Return: the search for a partner of @i ended at @j within the block and the window. */
static bool is_found(u32 j, u32 i, u32 first)
{
	return j + 1 != first && j <= i && i - j <= NEAR;
}

/* Slots s[0] and s[1] of micro-op @j still have their values at micro-op @i. */
static bool sources_last(const struct simt_live *l, u32 j, u32 i)
{
	const struct simt_uop *uops = l->c->uops, *u = &uops[j];
	u32 k;

	for (k = j + 1; k < i; k++)
		if (!is_dead(l, k) && (defines(&uops[k], u->s[0]) || defines(&uops[k], u->s[1])))
			return false;
	return true;
}

/* ---- move coalescing ---- */

/* @u defines slot @s completely and could define slot @d instead. */
static bool can_retarget(const struct simt_uop *u, u32 s, u32 d)
{
	u32 i;

	if (u->d != s || u->op == SIMT_SHADD || u->op == SIMT_CLPER || u->op == SIMT_WMASK)
		return false;
	if (simt_opinfo[u->op].class <= SIMT_CL_I)
		return true;
	if (u->op != SIMT_LD || simt_num_defs(u) != 1)
		return false;
	for (i = 0; i < 2; i++)
		if (u->s[i] == d)
			return false;
	return true;
}

static void replace_operand(struct simt_uop *u, u32 from, u32 to)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (u->s[i] == from)
			u->s[i] = (u16)to;
}

/*
 * Coalesce move @i if its source is dead afterwards: the source's producer and the readers
 * between them get the move's destination. Return: the move is dead.
 */
static bool coalesce(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops;
	u32 s = uops[i].s[0], d = uops[i].d, k, j;

	if (s & SIMT_U || s == d || s >= l->c->p->nslots || simt_bit(l->now, s))
		return false;
	for (j = i; j-- > first && i - j <= NEAR;) {
		l->looks++;
		if (is_dead(l, j))
			continue;
		if (can_retarget(&uops[j], s, d))
			break;
		if (defines(&uops[j], s) || defines(&uops[j], d) || uses(&uops[j], d) ||
		    uses_implicitly(&uops[j], s))
			return false;
	}
	if (!is_found(j, i, first))
		return false;
	uops[j].d = (u16)d;
	for (k = j + 1; k < i; k++)
		if (!is_dead(l, k))
			replace_operand(&uops[k], s, d);
	return true;
}

/* ---- multiply-add fusion ---- */

static bool is_product(const struct simt_uop *u, u32 d)
{
	return u->op == SIMT_FMUL && u->d == d && u->s[0] != d && u->s[1] != d &&
	       !SIMT_CLAMP_OF(u->mods);
}

/* Number + 1 of the FMUL whose only use is operand @k of FADD @i; 0: none. */
static u32 find_product(struct simt_live *l, u32 i, u32 k, u32 first)
{
	const struct simt_uop *uops = l->c->uops, *sum = &uops[i];
	u32 d = sum->s[k], j;

	if (d & SIMT_U || d == sum->s[!k] || sum->mods & SIMT_ABS(k))
		return 0;
	if (d != sum->d && simt_live_in(l, d))
		return 0;
	for (j = i; j-- > first && i - j <= NEAR;) {
		l->looks++;
		if (is_dead(l, j))
			continue;
		if (is_product(&uops[j], d))
			break;
		if (defines(&uops[j], d) || uses(&uops[j], d))
			return 0;
	}
	return is_found(j, i, first) && sources_last(l, j, i) ? j + 1 : 0;
}

static void fuse_mul_add(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *sum = &l->c->uops[i];
	const struct simt_uop *m;
	u32 k, at;
	u16 mods;

	for (k = 0; k < 2; k++) {
		at = find_product(l, i, k, first);
		if (!at)
			continue;
		m = &l->c->uops[at - 1];
		mods = m->mods ^ (sum->mods & SIMT_NEG(k) ? SIMT_NEG(0) : 0);
		mods |= sum->mods & SIMT_NEG(!k) ? SIMT_NEG(2) : 0;
		mods |= sum->mods & SIMT_ABS(!k) ? SIMT_ABS(2) : 0;
		mods |= SIMT_CLAMP(SIMT_CLAMP_OF(sum->mods));
		sum->s[2] = sum->s[!k];
		sum->s[0] = m->s[0];
		sum->s[1] = m->s[1];
		sum->op = SIMT_FMAU;
		sum->mods = mods;
		simt_set_bit(l->c->dead, at - 1);
		return;
	}
}

/* ---- compare-branch fusion ---- */

static bool is_comparison(const struct simt_uop *u, u32 d)
{
	if (u->d != d || u->mods)
		return false;
	return u->op == SIMT_FCMP ||
	       ((u->op == SIMT_ICMP || u->op == SIMT_UCMP) && (u->imm & 7) <= SIMT_LE);
}

static void fuse_cmp_branch(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops, *u = &uops[i];
	u32 d = u->s[0], j = i;

	if (d & SIMT_U || simt_live_in(l, d))
		return;
	while (j-- > first && i - j <= NEAR) {
		l->looks++;
		if (is_dead(l, j))
			continue;
		if (is_comparison(&uops[j], d))
			break;
		if (defines(&uops[j], d) || uses(&uops[j], d))
			return;
	}
	if (!is_found(j, i, first) || !sources_last(l, j, i))
		return;
	u->n = SIMT_BRCMP(uops[j].imm & 7, uops[j].op == SIMT_FCMP ? SIMT_CMP_F :
			  uops[j].op == SIMT_ICMP ? SIMT_CMP_I : SIMT_CMP_U);
	u->n |= u->op == SIMT_BRZ ? SIMT_BRCMP_NOT : 0;
	u->op = SIMT_BRCMP;
	u->s[0] = uops[j].s[0];
	u->s[1] = uops[j].s[1];
	simt_set_bit(l->c->dead, j);
}

/* ---- the pass ---- */

static bool becomes_dead(struct simt_live *l, u32 i, u32 first)
{
	const struct simt_uop *u = &l->c->uops[i];

	return !simt_live_needed(l, u) || (u->op == SIMT_MOV && coalesce(l, i, first));
}

static void visit(struct simt_live *l, u32 i)
{
	struct simt_uop *u = &l->c->uops[i];
	u32 first = l->c->start[l->block];

	simt_live_enter(l, i);
	if (i == first)
		l->block--;
	if (is_dead(l, i))
		return;
	if (becomes_dead(l, i, first)) {
		simt_set_bit(l->c->dead, i);
		return;
	}
	if (u->op == SIMT_FADD)
		fuse_mul_add(l, i, first);
	if (u->op == SIMT_BRNZ || u->op == SIMT_BRZ)
		fuse_cmp_branch(l, i, first);
	simt_live_step(l, u);
}

int simt_fuse(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;
	u32 n = f->c.n;

	if (!p->i)
		l->block = f->c.nblocks - 1;
	for (; simt_pass_more(p, n); p->i++) {
		l->looks = 0;
		visit(l, n - 1 - p->i);
		simt_pass_use(p, l->looks / LOOKS);
	}
	return simt_pass_end(p, n);
}
