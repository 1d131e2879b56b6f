// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address folding: 64-bit address arithmetic becomes an addressing mode of the memory micro-op.
 *
 * Shaders compute base + offset, as two additions with a carry or as one SHADD, where the base
 * is a pair of uniform words or the workgroup's memory. LD, ST and ATOM take base and offset
 * themselves (SIMT_SEG_BASE, SIMT_SEG_LOCAL); the additions die if nothing else reads them.
 * A second pass fuses a shift with an addition (SHLA) or an exclusive or (SHLX, SHRX).
 *
 * Both work within stretches: straight code without labels and branches, where the set of
 * active lanes does not change.
 */
#include "simt_opt.h"

static bool ends_stretch(u32 op)
{
	switch (op) {
	case SIMT_JOIN:
	case SIMT_JMP:
	case SIMT_BRNZ:
	case SIMT_BRZ:
	case SIMT_BRCMP:
	case SIMT_END:
	case SIMT_BARRIER:
	case SIMT_ENDKILL:
	case SIMT_FAULT:
		return true;
	default:
		return false;
	}
}

static void add_def(struct simt_defs *f, const struct simt_uop *u, u32 i)
{
	u32 k, n = simt_num_defs(u);

	for (k = 0; k < n && u->d + k < f->n; k++)
		f->at[u->d + k] = i + 1;
	if (u->op == SIMT_SHADD && u->d2 < f->n)
		f->at[u->d2] = i + 1;
}

/* Operand @s still has the value that micro-op @u read. */
static bool unchanged(const struct simt_defs *f, const struct simt_uop *uops, u32 s,
		      const struct simt_uop *u)
{
	return s & SIMT_U || (s < f->n && (f->at[s] == 0 || &uops[f->at[s] - 1] < u));
}

/* The definition of operand @s that reaches from this stretch if it is an @op, else NULL. */
static const struct simt_uop *def_of(const struct simt_defs *f, const struct simt_uop *uops, u32 s,
				     u32 op)
{
	if (s & SIMT_U || s >= f->n || f->at[s] == 0 || uops[f->at[s] - 1].op != op)
		return NULL;
	return &uops[f->at[s] - 1];
}

/* Return: @u adds a uniform word and a slot, in either order. */
static bool uniform_plus_slot(const struct simt_uop *u, u32 *uniform, u32 *slot)
{
	u32 k = u->s[0] & SIMT_U ? 0 : 1;

	*uniform = u->s[k];
	*slot = u->s[!k];
	return *uniform & SIMT_U && !(*slot & SIMT_U);
}

/* Base pair (base, base + 1) + offset by IADD, carry, IADD: SIMT_SEG_BASE. */
static void fold_add_carry(struct simt_defs *f, struct simt_uop *uops, struct simt_uop *u)
{
	const struct simt_uop *lo = def_of(f, uops, u->s[0], SIMT_IADD);
	const struct simt_uop *hi = def_of(f, uops, u->s[1], SIMT_IADD), *carry;
	u32 base, high, off, c;

	if (!lo || !hi || !uniform_plus_slot(lo, &base, &off) ||
	    !uniform_plus_slot(hi, &high, &c) || high != base + 1)
		return;
	carry = def_of(f, uops, c, SIMT_UCMP);
	if (!carry || carry > hi || carry < lo || carry->s[0] != base ||
	    carry->s[1] != u->s[0] || carry->imm != SIMT_CMP(SIMT_GT, SIMT_TRUE_1))
		return;
	/* the offset is read later than it was */
	if (!unchanged(f, uops, off, lo))
		return;
	u->s[0] = off;
	u->s[1] = base;
	u->imm |= SIMT_SEG_BASE << 5;
}

/* Pair of words + widened offset by SHADD: SIMT_SEG_BASE or SIMT_SEG_LOCAL. */
static void fold_shadd(struct simt_defs *f, const struct simt_code *c, struct simt_uop *u)
{
	const struct simt_uop *sum = def_of(f, c->uops, u->s[0], SIMT_SHADD);
	u32 how, wide;

	if (!sum || sum != def_of(f, c->uops, u->s[1], SIMT_SHADD) || sum->d == sum->d2 ||
	    sum->d != u->s[0] || sum->d2 != u->s[1] || sum->s[3] != sum->s[2] + 1 ||
	    !unchanged(f, c->uops, sum->s[0], sum))
		return;
	how = sum->imm >> 4;
	wide = SIMT_MEM_SHIFT(sum->imm & 7) | (how == 1 ? SIMT_MEM_SIGNED : 0);
	if (how != 1 && how != 2)
		return;
	if (sum->s[2] & SIMT_U) {
		u->s[1] = sum->s[2];
		u->imm |= SIMT_SEG_BASE << 5 | wide;
	} else if (f->wls && sum->s[2] == f->wls) {
		u->s[1] = sum->s[0];
		u->imm |= SIMT_SEG_LOCAL << 5 | wide;
	} else {
		return;
	}
	u->s[0] = sum->s[0];
}

/* A shift by a constant becomes one by an immediate. */
static void shift_by_constant(const struct simt_builder *b, struct simt_uop *u)
{
	static const u16 to[][2] = {
		{ SIMT_SHL, SIMT_SHLI }, { SIMT_SHR, SIMT_SHRI }, { SIMT_ASR, SIMT_ASRI },
	};
	u32 word = u->s[1] & ~SIMT_U, i;

	if (!(u->s[1] & SIMT_U) || word < b->nunif || word - b->nunif >= b->nconst)
		return;
	for (i = 0; i < ARRAY_SIZE(to); i++) {
		if (u->op != to[i][0])
			continue;
		u->op = to[i][1];
		u->imm = b->consts[word - b->nunif] & 31;
		u->s[1] = 0;
		return;
	}
}

/* Fuse @u, an operation on two words, with the @shift of one of them. */
static void fuse_shift(struct simt_defs *f, struct simt_uop *uops, struct simt_uop *u, u32 shift,
		       u32 op)
{
	const struct simt_uop *def;
	u32 k;

	for (k = 0; k < 2; k++) {
		def = def_of(f, uops, u->s[k], shift);
		if (!def || !unchanged(f, uops, def->s[0], def))
			continue;
		*u = (struct simt_uop){ .op = op, .d = u->d, .s = { def->s[0], u->s[!k] },
					.imm = def->imm, .guest = u->guest };
		return;
	}
}

static void fuse_shifts(struct simt_defs *f, struct simt_uop *uops, struct simt_uop *u)
{
	if (u->op == SIMT_IADD)
		fuse_shift(f, uops, u, SIMT_SHLI, SIMT_SHLA);
	if (u->op == SIMT_IXOR && !u->imm)
		fuse_shift(f, uops, u, SIMT_SHLI, SIMT_SHLX);
	if (u->op == SIMT_IXOR && !u->imm)
		fuse_shift(f, uops, u, SIMT_SHRI, SIMT_SHRX);
}

static bool is_global(const struct simt_uop *u)
{
	return (u->op == SIMT_LD || u->op == SIMT_ST || u->op == SIMT_ATOM) &&
	       SIMT_MEM_SEG(u->imm) == SIMT_SEG_GLOBAL;
}

static void simt_addr_visit(struct simt_finish *fin, u32 i, bool shifts)
{
	const struct simt_code *c = &fin->c;
	struct simt_uop *u = &c->uops[i];
	struct simt_defs *f = &fin->defs;

	if (!i || simt_bit(c->labels, i) || ends_stretch(u->op))
		memset(f->at, 0, f->n * sizeof(*f->at));
	if (!shifts && is_global(u)) {
		fold_add_carry(f, c->uops, u);
		if (u->op != SIMT_ATOM && is_global(u))
			fold_shadd(f, c, u);
	}
	if (shifts) {
		shift_by_constant(fin->b, u);
		fuse_shifts(f, c->uops, u);
	}
	add_def(f, u, i);
}

static int simt_addr_walk(struct simt_finish *f, bool shifts)
{
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, f->c.n); p->i++)
		simt_addr_visit(f, p->i, shifts);
	return simt_pass_end(p, f->c.n);
}

int simt_addr_fold(struct simt_finish *f)
{
	return simt_addr_walk(f, false);
}

/* Runs after address folding, which matches plain additions. */
int simt_addr_fuse_shifts(struct simt_finish *f)
{
	return simt_addr_walk(f, true);
}

int simt_addr_begin(struct simt_finish *f)
{
	u32 n = f->c.p->nslots;

	f->defs.n = n;
	f->defs.wls = f->c.p->wls;
	f->defs.at = simt_arena_alloc(f->a, n, sizeof(*f->defs.at));
	return f->defs.at ? 0 : -ENOMEM;
}

/* SIMT_SEG_LOCAL requires that nothing redefines the slots with the workgroup's address. */
int simt_addr_check_wls(struct simt_finish *f)
{
	u32 wls = f->defs.wls, n;
	struct simt_pass *p = &f->pass;

	if (!wls)
		return 0;
	for (; simt_pass_more(p, f->c.n); p->i++) {
		const struct simt_uop *u = &f->c.uops[p->i];

		n = simt_num_defs(u);
		if ((u->d + n > wls && u->d < wls + 2) ||
		    (u->op == SIMT_SHADD && u->d2 - wls < 2)) {
			f->defs.wls = 0;
			return 0;
		}
	}
	return simt_pass_end(p, f->c.n);
}
