// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dead-code elimination and the fusions that depend on it, in one backward walk with live sets:
 *
 * - micro-ops whose results are dead are removed;
 * - moves are coalesced: the producer writes the move's destination;
 * - FMUL and FADD become FMAU (rounds twice, as the two do), two FMUL and FADD become FDOT;
 * - SHRX and IMUL become SHRXM, IMUL and IADD become IMAD;
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

static bool simt_fuse_uses(const struct simt_uop *u, u32 s)
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
 * Extend the search for the producer of @s, which is to become @d, over the conditional branch in
 * front of the basic block that starts at *@first, if neither is live where the branch goes to.
 */
static bool cross_branch(const struct simt_live *l, u32 *first, u32 s, u32 d)
{
	const struct simt_code *c = l->c;
	u32 at = *first - 1;
	const u64 *live;

	if (!*first || !l->at || simt_bit(c->labels, *first) || is_dead(l, at) ||
	    !simt_is_branch(&c->uops[at]) || c->uops[at].op == SIMT_JMP)
		return false;
	live = l->at + simt_bb_of(c, c->to[at]) * l->words;
	*first = c->start[simt_bb_of(c, at)];
	return !simt_bit(live, s) && !simt_bit(live, d);
}

/* @d instead of @s is live where the search from micro-op @i to @j has crossed branches. */
static void rename_live(struct simt_live *l, u32 j, u32 i, u32 s, u32 d)
{
	u32 block;

	for (block = simt_bb_of(l->c, i); l->c->start[block] > j; block--) {
		simt_clear_bit(l->at + block * l->words, s);
		simt_set_bit(l->at + block * l->words, d);
	}
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
	for (j = i; (j > first || cross_branch(l, &first, s, d)) && j-- && i - j <= NEAR;) {
		l->looks++;
		if (is_dead(l, j))
			continue;
		if (can_retarget(&uops[j], s, d))
			break;
		if (defines(&uops[j], s) || defines(&uops[j], d) || simt_fuse_uses(&uops[j], d) ||
		    uses_implicitly(&uops[j], s))
			return false;
	}
	if (j < first || i - j > NEAR || j == i || is_dead(l, j) || !can_retarget(&uops[j], s, d))
		return false;
	if (j < l->c->start[simt_bb_of(l->c, i)])
		rename_live(l, j, i, s, d);
	uops[j].d = (u16)d;
	for (k = j + 1; k < i; k++)
		if (!is_dead(l, k))
			replace_operand(&uops[k], s, d);
	return true;
}

/* ---- fusion of an operation with the one that makes an operand of it ---- */

/* Return: @u makes @d and may become part of the operation that reads it. */
static bool is_product(const struct simt_uop *u, u32 d)
{
	return u->op == SIMT_FMUL && u->d == d && u->s[0] != d && u->s[1] != d &&
	       !SIMT_CLAMP_OF(u->mods);
}

static bool is_shifted(const struct simt_uop *u, u32 d)
{
	return u->op == SIMT_SHRX && u->d == d;
}

static bool is_int_product(const struct simt_uop *u, u32 d)
{
	return u->op == SIMT_IMUL && u->d == d;
}

/* Number + 1 of the micro-op whose only use is operand @k of @i and which @fits; 0: none. */
static u32 find_part(struct simt_live *l, u32 i, u32 k, u32 first,
		     bool (*fits)(const struct simt_uop *u, u32 d))
{
	const struct simt_uop *uops = l->c->uops, *u = &uops[i];
	u32 d = u->s[k], j;

	if (d & SIMT_U || u->mods & SIMT_ABS(k) || (d != u->d && simt_live_in(l, d)))
		return 0;
	for (j = 0; j < simt_opinfo[u->op].nsrc; j++)
		if (j != k && u->s[j] == d)
			return 0;
	for (j = i; j-- > first && i - j <= NEAR;) {
		l->looks++;
		if (is_dead(l, j))
			continue;
		if (fits(&uops[j], d))
			break;
		if (defines(&uops[j], d) || simt_fuse_uses(&uops[j], d))
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
		at = find_part(l, i, k, first, is_product);
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

/* The summand of FMAU @i is a product. */
static void fuse_products(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *sum = &l->c->uops[i];
	u32 at = find_part(l, i, 2, first, is_product);
	u16 signs = SIMT_NEG(0) | SIMT_NEG(1) | SIMT_ABS(0) | SIMT_ABS(1);
	const struct simt_uop *m;

	if (!at)
		return;
	m = &l->c->uops[at - 1];
	sum->op = SIMT_FDOT;
	sum->s[2] = m->s[0];
	sum->s[3] = m->s[1];
	sum->mods ^= (m->mods & signs) << 2;
	simt_set_bit(l->c->dead, at - 1);
}

/* A factor of IMUL @i is a SHRX, or a summand of IADD @i is an IMUL. */
static void fuse_words(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *u = &l->c->uops[i];
	const struct simt_uop *part;
	u32 k, at = 0;
	u16 other;

	for (k = 0; k < 2 && !at; k++) {
		other = u->s[!k];
		at = find_part(l, i, k, first, u->op == SIMT_IMUL ? is_shifted : is_int_product);
	}
	if (!at)
		return;
	part = &l->c->uops[at - 1];
	u->s[0] = part->s[0];
	u->s[1] = u->op == SIMT_IMUL ? other : part->s[1];
	u->s[2] = u->op == SIMT_IMUL ? part->s[1] : other;
	u->imm = part->imm;
	u->op = u->op == SIMT_IMUL ? SIMT_SHRXM : SIMT_IMAD;
	simt_set_bit(l->c->dead, at - 1);
}

/* ---- compare-branch fusion ---- */

static bool simt_fuse_is_comparison(const struct simt_uop *u, u32 d)
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
		if (simt_fuse_is_comparison(&uops[j], d))
			break;
		if (defines(&uops[j], d) || simt_fuse_uses(&uops[j], d))
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

static void simt_fuse_visit(struct simt_live *l, u32 i)
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
	if (u->op == SIMT_FMAU)
		fuse_products(l, i, first);
	if (u->op == SIMT_IMUL || u->op == SIMT_IADD)
		fuse_words(l, i, first);
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
		simt_fuse_visit(l, n - 1 - p->i);
		simt_pass_use(p, l->looks / LOOKS);
	}
	return simt_pass_end(p, n);
}
