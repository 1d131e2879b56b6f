// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What can be said of straight code before it is run.
 *
 * Shaders compute addresses of 64 bits as base + offset with a carry, where the base is a
 * pair of uniform words: then the memory micro-op takes the pair and the offset, and nobody
 * reads the rest of the computation any more. Micro-ops whose results nobody reads go.
 *
 * A stretch ends at labels and where control flow may change. Lanes do not change inside.
 */
#include "simt_intern.h"

#define NO_DEF	0

/**
 * struct defs - Where slots were written last in the stretch.
 * @at:	number of the micro-op + 1, or NO_DEF: before the stretch
 * @n:	slots
 */
struct defs {
	u32 *at;
	u32 n;
};

static bool ends_stretch(u32 op)
{
	switch (op) {
	case SIMT_JOIN:
	case SIMT_JMP:
	case SIMT_BRNZ:
	case SIMT_BRZ:
	case SIMT_END:
	case SIMT_BARRIER:
	case SIMT_ENDKILL:
	case SIMT_FAULT:
		return true;
	default:
		return false;
	}
}

/* Slots from d on that are written, or may be. */
static u32 written(const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_LD:
		return DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4);
	case SIMT_ATOM:
		return u->imm & SIMT_ATOM_NORET ? 0 : u->imm & SIMT_ATOM_64 ? 2 : 1;
	case SIMT_EXT:
		return SIMT_EXT_SLOTS;
	case SIMT_ST:
		return 0;
	default:
		return simt_opinfo[u->op].class == SIMT_CL_C ? 0 : 1;
	}
}

static void define(struct defs *f, const struct simt_uop *u, u32 i)
{
	u32 k, n = written(u);

	for (k = 0; k < n && u->d + k < f->n; k++)
		f->at[u->d + k] = i + 1;
	if (u->op == SIMT_SHADD && u->d2 < f->n)
		f->at[u->d2] = i + 1;
}

/* Whether slot @s has not been written since micro-op @u. */
static bool unchanged(const struct defs *f, const struct simt_uop *uops, u32 s,
		      const struct simt_uop *u)
{
	return s & SIMT_U || (s < f->n && (f->at[s] == NO_DEF || &uops[f->at[s] - 1] < u));
}

/* Micro-op that wrote operand @s in this stretch, if it has this operation. */
static const struct simt_uop *def_of(const struct defs *f, const struct simt_uop *uops, u32 s,
				     u32 op)
{
	if (s & SIMT_U || s >= f->n || f->at[s] == NO_DEF || uops[f->at[s] - 1].op != op)
		return NULL;
	return &uops[f->at[s] - 1];
}

/* Of a sum of a uniform word and a slot: which is which. */
static bool uniform_plus_slot(const struct simt_uop *u, u32 *uniform, u32 *slot)
{
	u32 k = u->s[0] & SIMT_U ? 0 : 1;

	*uniform = u->s[k];
	*slot = u->s[!k];
	return *uniform & SIMT_U && !(*slot & SIMT_U);
}

/* (base, base + 1) + offset with its carry? */
static void use_base(struct defs *f, struct simt_uop *uops, struct simt_uop *u)
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
	/* what was added must still be there */
	if (!unchanged(f, uops, off, lo))
		return;
	u->s[0] = off;
	u->s[1] = base;
	u->imm |= SIMT_SEG_BASE << 5;
}

/* Sum with something shifted? */
static void use_shift(struct defs *f, struct simt_uop *uops, struct simt_uop *u)
{
	const struct simt_uop *shift;
	u32 k;

	for (k = 0; k < 2; k++) {
		shift = def_of(f, uops, u->s[k], SIMT_SHLI);
		if (!shift || !unchanged(f, uops, shift->s[0], shift))
			continue;
		*u = (struct simt_uop){ .op = SIMT_SHLA, .d = u->d,
					.s = { shift->s[0], u->s[!k] }, .imm = shift->imm,
					.guest = u->guest };
		return;
	}
}

static bool is_global(const struct simt_uop *u)
{
	return (u->op == SIMT_LD || u->op == SIMT_ST || u->op == SIMT_ATOM) &&
	       SIMT_MEM_SEG(u->imm) == SIMT_SEG_GLOBAL;
}

static void rewrite(struct defs *f, struct simt_uop *uops, u32 n, const u64 *labels, u32 pass)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (labels[i / 64] >> (i % 64) & 1 || ends_stretch(uops[i].op))
			memset(f->at, 0, f->n * sizeof(*f->at));
		if (pass == 0 && is_global(&uops[i]))
			use_base(f, uops, &uops[i]);
		if (pass == 1 && uops[i].op == SIMT_IADD)
			use_shift(f, uops, &uops[i]);
		define(f, &uops[i], i);
	}
}

/* ---- results that nobody reads ---- */

/**
 * struct live - Slots whose values are wanted, going backwards.
 * @is:		flags
 * @p:		slots and temporaries of the program
 */
struct live {
	u8 *is;
	const struct simt_prog *p;
};

/* Between stretches temporaries are of no use, but for those that the front end names. */
static void all_live(struct live *l)
{
	const struct simt_prog *p = l->p;
	u32 temp = p->temp ? min(p->temp, p->nslots) : p->nslots, i;

	memset(l->is, 1, temp);
	memset(l->is + temp, 0, p->nslots - temp);
	for (i = 0; i < p->nkeep && p->keep + i < p->nslots; i++)
		l->is[p->keep + i] = 1;
}

static void read_slots(struct live *l, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < l->p->nslots; i++)
		l->is[i] = 1;
}

static void read_all(struct live *l, const struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++) {
		if (!(u->s[i] & SIMT_U))
			read_slots(l, u->s[i], 1);
	}
	switch (u->op) {
	case SIMT_ST:
		read_slots(l, u->d, DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4));
		break;
	case SIMT_ATOM:
		read_slots(l, u->d2, 2);
		break;
	case SIMT_EXT:
		read_slots(l, u->d, SIMT_EXT_SLOTS);
		read_slots(l, u->d2, SIMT_EXT_SLOTS);
		break;
	}
}

static bool wanted(const struct live *l, const struct simt_uop *u)
{
	if (simt_opinfo[u->op].class > SIMT_CL_I || u->d >= l->p->nslots || l->is[u->d])
		return true;
	return u->op == SIMT_SHADD && (u->d2 >= l->p->nslots || l->is[u->d2]);
}

/* What is written surely need not be there before. */
static void unread(struct live *l, const struct simt_uop *u)
{
	u32 i, n = u->op == SIMT_EXT ? 0 : written(u);

	for (i = 0; i < n && u->d + i < l->p->nslots; i++)
		l->is[u->d + i] = 0;
	if (u->op == SIMT_SHADD && u->d2 < l->p->nslots)
		l->is[u->d2] = 0;
}

static void find_dead(struct live *l, const struct simt_uop *uops, u32 n, const u64 *labels,
		      u64 *dead)
{
	u32 i;

	all_live(l);
	for (i = n; i-- > 0;) {
		const struct simt_uop *u = &uops[i];

		if (ends_stretch(u->op))
			all_live(l);
		if (wanted(l, u)) {
			unread(l, u);
			read_all(l, u);
		} else {
			dead[i / 64] |= BIT_ULL(i % 64);
		}
		if (labels[i / 64] >> (i % 64) & 1)
			all_live(l);
	}
}

/**
 * simt_optimize - simpler micro-ops with the same effects
 * @a: arena, for memory that is needed meanwhile
 * @p: nslots, temp, keep, nkeep
 * @uops: micro-ops, changed
 * @n: how many
 * @labels: bit per micro-op: arrived at from elsewhere
 * @dead: bit per micro-op, set: to be left out
 *
 * Return: 0, -ENOMEM.
 */
int simt_optimize(struct simt_arena *a, const struct simt_prog *p, struct simt_uop *uops, u32 n,
		  const u64 *labels, u64 *dead)
{
	struct defs f = { .n = p->nslots };
	struct live l = { .p = p };

	f.at = simt_arena_alloc(a, p->nslots, sizeof(*f.at));
	l.is = simt_arena_alloc(a, p->nslots, sizeof(*l.is));
	if (!f.at || !l.is)
		return -ENOMEM;
	/* addresses are known by their sums, so these are changed later */
	rewrite(&f, uops, n, labels, 0);
	memset(f.at, 0, f.n * sizeof(*f.at));
	rewrite(&f, uops, n, labels, 1);
	find_dead(&l, uops, n, labels, dead);
	return 0;
}
