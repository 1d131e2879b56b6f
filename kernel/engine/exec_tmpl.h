/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The executor. Included once for each instantiation with
 *
 * VS_FN(name)	names of its functions
 * VS_MODEL	numeric model, see exec_num.h
 * VS_MASKED	some lanes only
 * VS_SMALL	one general handler per operation instead of one for each component
 *		count and uniform operand
 *
 * A handler copies what it needs of the micro-op before its lane loop: stores to slots
 * could alias the micro-op as far as the compiler knows. All components of a chunk are
 * computed before any is stored, so that swizzles onto the destination work.
 */
#include "exec_num.h"

#define VS_EACH_LANE(l)	for (l = 0; l < (VS_SMALL ? b->lanes : VS_LANES); l += VS_W)

/*
 * Components of a general handler. Unrolled for speed, so that arrays of vectors stay in
 * registers: kernel builds clear those on the stack each time.
 */
#if VS_SMALL
#define VS_EACH_COMP(i)	for (i = 0; i < nc; i++)
#else
#define VS_EACH_COMP(i)	VS_UNROLL(4) for (i = 0; i < 4; i++) if (i < nc)
#endif

static __always_inline void VS_FN(put)(const struct vs_block *b, u32 *p, u32 l, vf r)
{
	st_f(p + l, VS_MASKED ? v_blend(b, l, ld_f(p + l), r) : r);
}

/* Lane arrays of an operand; uniform words are first expanded to scratch. */
static __always_inline void VS_FN(spread)(struct vs_block *b, const u32 *p[4], const u16 *w,
					  u32 n, bool unif, u32 which)
{
	u32 i, l;

	for (i = 0; i < n; i++) {
		vf v;

		if (!unif) {
			p[i] = b->slot[w[i]];
			continue;
		}
		v = splat_f(b->unif[w[i]]);
		p[i] = b->tmp[4 * which + i];
		VS_EACH_LANE(l)
			st_f(b->tmp[4 * which + i] + l, v);
	}
}

static __always_inline vf VS_FN(one)(u32 op, vf a)
{
	switch (op) {
	case VS_OP_NEG:
		return VS_FN(neg)(a);
	case VS_OP_FLR:
		return VS_FN(flr)(a);
	case VS_OP_F2I:
		return VS_FN(f2i)(a);
	case VS_OP_RCP:
		return VS_FN(rcp)(a);
	case VS_OP_RSQ:
		return VS_FN(rsq)(a);
	case VS_OP_EX2:
		return VS_FN(ex2)(a);
	case VS_OP_LG2:
		return VS_FN(lg2)(a);
	default:
		return a;
	}
}

/* @ready: VS_FN(factor) has been applied to one operand. */
static __always_inline vf VS_FN(two)(u32 op, bool ready, vf a, vf b)
{
	switch (op) {
	case VS_OP_ADD:
		return VS_FN(add)(a, b);
	case VS_OP_SUB:
		return VS_FN(sub)(a, b);
	case VS_OP_MUL:
		return ready ? VS_FN(mul_ready)(a, b) : VS_FN(mul)(a, b);
	case VS_OP_MIN:
		return f_min(a, b);
	case VS_OP_MAX:
		return f_max(a, b);
	case VS_OP_SGE:
		return as_f(f_le(b, a) & splat_i(VS_ONE));
	default:	/* VS_OP_SLT */
		return as_f(f_lt(a, b) & splat_i(VS_ONE));
	}
}

static __always_inline vf VS_FN(dot)(u32 op, bool ready, const vf *a, const vf *b)
{
	u32 i, n = op == VS_OP_DP3 ? 3 : 4;
	vf r = VS_FN(two)(VS_OP_MUL, ready, a[0], b[0]);

	VS_UNROLL(4)
	for (i = 1; i < n; i++)
		r = VS_FN(add)(r, VS_FN(two)(VS_OP_MUL, ready, a[i], b[i]));
	return r;
}

/* ---- general handlers ---- */

static __always_inline void VS_FN(gen1)(struct vs_block *b, const struct vs_uop *u, vi *range,
					u32 op)
{
	u32 nc = u->ncomp, i, l;
	const u32 *pa[4];
	u16 d[4];

	memcpy(d, u->d, sizeof(d));
	VS_FN(spread)(b, pa, u->a, nc, u->flags & VS_UOP_A_UNIF, 0);
	VS_EACH_LANE(l) {
		vf r[4];

		VS_EACH_COMP(i)
			r[i] = VS_FN(one)(op, ld_f(pa[i] + l));
		VS_EACH_COMP(i) {
			if (op == VS_OP_FLR)
				VS_FN(note)(range, r[i]);
			VS_FN(put)(b, b->slot[d[i]], l, r[i]);
		}
	}
}

/* One source component, one result for all destinations. */
static __always_inline void VS_FN(gens)(struct vs_block *b, const struct vs_uop *u, vi *range,
					u32 op)
{
	u32 nc = u->ncomp, i, l;
	const u32 *pa[4];
	u16 d[4];

	memcpy(d, u->d, sizeof(d));
	VS_FN(spread)(b, pa, u->a, 1, u->flags & VS_UOP_A_UNIF, 0);
	VS_EACH_LANE(l) {
		vf r = VS_FN(one)(op, ld_f(pa[0] + l));

		VS_FN(note)(range, r);
		VS_FN(put)(b, b->slot[d[0]], l, r);
		for (i = 1; i < nc; i++)
			VS_FN(put)(b, b->slot[d[i]], l, r);
	}
}

static __always_inline void VS_FN(gen2)(struct vs_block *b, const struct vs_uop *u, vi *range,
					u32 op)
{
	u32 nc = u->ncomp, i, l;
	const u32 *pa[4], *pb[4];
	u16 d[4];

	memcpy(d, u->d, sizeof(d));
	VS_FN(spread)(b, pa, u->a, nc, u->flags & VS_UOP_A_UNIF, 0);
	VS_FN(spread)(b, pb, u->b, nc, u->flags & VS_UOP_B_UNIF, 1);
	VS_EACH_LANE(l) {
		vf r[4];

		VS_EACH_COMP(i)
			r[i] = VS_FN(two)(op, false, ld_f(pa[i] + l), ld_f(pb[i] + l));
		VS_EACH_COMP(i) {
			if (op == VS_OP_ADD || op == VS_OP_SUB || op == VS_OP_MUL)
				VS_FN(note)(range, r[i]);
			VS_FN(put)(b, b->slot[d[i]], l, r[i]);
		}
	}
}

static __always_inline void VS_FN(gen3)(struct vs_block *b, const struct vs_uop *u, vi *range,
					u32 op)
{
	u32 nc = u->ncomp, i, l;
	const u32 *pa[4], *pb[4], *pc[4];
	u16 d[4];

	memcpy(d, u->d, sizeof(d));
	VS_FN(spread)(b, pa, u->a, nc, u->flags & VS_UOP_A_UNIF, 0);
	VS_FN(spread)(b, pb, u->b, nc, u->flags & VS_UOP_B_UNIF, 1);
	VS_FN(spread)(b, pc, u->c, nc, u->flags & VS_UOP_C_UNIF, 2);
	VS_EACH_LANE(l) {
		vf r[4];

		VS_EACH_COMP(i)
			r[i] = VS_FN(add)(VS_FN(mul)(ld_f(pa[i] + l), ld_f(pb[i] + l)),
					  ld_f(pc[i] + l));
		VS_EACH_COMP(i) {
			VS_FN(note)(range, r[i]);
			VS_FN(put)(b, b->slot[d[i]], l, r[i]);
		}
	}
}

static __always_inline void VS_FN(gend)(struct vs_block *b, const struct vs_uop *u, vi *range,
					u32 op)
{
	u32 nc = u->ncomp, n = op == VS_OP_DP3 ? 3 : 4, i, l;
	const u32 *pa[4], *pb[4];
	u16 d[4];

	memcpy(d, u->d, sizeof(d));
	VS_FN(spread)(b, pa, u->a, op == VS_OP_DPH ? 3 : n, u->flags & VS_UOP_A_UNIF, 0);
	VS_FN(spread)(b, pb, u->b, n, u->flags & VS_UOP_B_UNIF, 1);
	if (op == VS_OP_DPH)
		pa[3] = pa[0];
	VS_EACH_LANE(l) {
		vf x[4], y[4], r;

		VS_UNROLL(4)
		for (i = 0; i < n; i++) {
			x[i] = ld_f(pa[i] + l);
			y[i] = ld_f(pb[i] + l);
		}
		if (op == VS_OP_DPH)
			x[3] = splat_f(VS_ONE);
		r = VS_FN(dot)(op, false, x, y);
		VS_FN(note)(range, r);
		VS_FN(put)(b, b->slot[d[0]], l, r);
		for (i = 1; i < nc; i++)
			VS_FN(put)(b, b->slot[d[i]], l, r);
	}
}

/* Lanes where the comparison @cond of @a and @b holds. */
static __always_inline vi VS_FN(compare)(u32 cond, vf a, vf b)
{
	switch (cond) {
	case VS_CMP_EQ:
		return f_eq(a, b);
	case VS_CMP_NE:
		return ~f_eq(a, b);
	case VS_CMP_LT:
		return f_lt(a, b);
	case VS_CMP_LE:
		return f_le(a, b);
	case VS_CMP_GT:
		return f_lt(b, a);
	default:	/* VS_CMP_GE */
		return f_le(b, a);
	}
}

static __always_inline u64 VS_FN(compare_all)(const struct vs_block *b, u32 cond,
					      const u32 *pa, const u32 *pb)
{
	u64 r = 0;
	u32 l;

	VS_EACH_LANE(l)
		r |= v_movemask(VS_FN(compare)(cond, ld_f(pa + l), ld_f(pb + l))) << l;
	return r;
}

static __always_inline u64 VS_FN(cmp1)(const struct vs_block *b, u32 cond, const u32 *pa,
				       const u32 *pb)
{
	switch (cond) {
	case VS_CMP_EQ:
		return VS_FN(compare_all)(b, VS_CMP_EQ, pa, pb);
	case VS_CMP_NE:
		return VS_FN(compare_all)(b, VS_CMP_NE, pa, pb);
	case VS_CMP_LT:
		return VS_FN(compare_all)(b, VS_CMP_LT, pa, pb);
	case VS_CMP_LE:
		return VS_FN(compare_all)(b, VS_CMP_LE, pa, pb);
	case VS_CMP_GT:
		return VS_FN(compare_all)(b, VS_CMP_GT, pa, pb);
	default:
		return VS_FN(compare_all)(b, VS_CMP_GE, pa, pb);
	}
}

static __always_inline void VS_FN(cmp)(struct vs_block *b, const struct vs_uop *u, vi *range,
				       u32 op)
{
	u32 nc = u->ncomp, i;
	const u32 *pa[4], *pb[4];

	VS_FN(spread)(b, pa, u->a, nc, u->flags & VS_UOP_A_UNIF, 0);
	VS_FN(spread)(b, pb, u->b, nc, u->flags & VS_UOP_B_UNIF, 1);
	for (i = 0; i < nc; i++) {
		u64 r = VS_FN(cmp1)(b, u->imm >> (4 * i) & 7, pa[i], pb[i]);
		u64 *p = &b->pred[u->d[i]];

		*p = VS_MASKED ? (*p & ~b->mask) | (r & b->mask) : r;
	}
}

/* ---- indexed uniform rows ---- */

/* Row numbers of all lanes. Return: the active lanes have the same one. */
static __always_inline bool VS_FN(row_numbers)(struct vs_block *b, const struct vs_uop *u)
{
	const u32 *pa = b->slot[u->a[0]];
	vi base = splat_i(VS_LDROW_BASE(u->imm)), mask = splat_i(b->row_mask);
	vi lo = splat_i(b->off_min), hi = splat_i(b->off_max), first, diff = splat_i(0);
	u32 l;

	VS_EACH_LANE(l) {
		vi off = ld_i(pa + l), far = i_gt(lo, off) | i_gt(off, hi), row;

		row = (base + (off & ~far)) & mask;
		if (b->oor_zero)
			row = i_sel(far, mask + splat_i(1), row);
		st_i(b->idx + l, row);
	}
	first = splat_i(b->idx[VS_MASKED ? __ffs64(b->mask) : 0]);
	VS_EACH_LANE(l) {
		vi d = ld_i(b->idx + l) ^ first;

		if (VS_MASKED)
			d &= v_lanemask(b, l);
		diff |= d;
	}
	return v_movemask(i_eq(diff, splat_i(0))) == (VS_W == 1 ? 1 : (1ULL << VS_W) - 1);
}

static __always_inline void VS_FN(ldrow)(struct vs_block *b, const struct vs_uop *u, vi *range,
					 u32 op)
{
	u32 nc = u->ncomp, i, l, neg = u->imm & VS_LDROW_NEG;
	bool same = VS_FN(row_numbers)(b, u);
	u16 d[4], c[4];

	memcpy(d, u->d, sizeof(d));
	memcpy(c, u->b, sizeof(c));
	if (same) {
		const u32 *row = b->rows + 4 * b->idx[VS_MASKED ? __ffs64(b->mask) : 0];

		for (i = 0; i < nc; i++) {
			vf v = splat_f(row[c[i]]);

			if (neg)
				v = VS_FN(neg)(v);
			VS_UNROLL(4)
			VS_EACH_LANE(l)
				VS_FN(put)(b, b->slot[d[i]], l, v);
		}
		return;
	}
	VS_EACH_LANE(l) {
		const u32 *rows = b->rows, *idx = b->idx + l;
		vf t[4];

#define VS_ROW_ADDR(k)	(rows + 4 * idx[k])
		V_LOAD_ROWS(t, VS_ROW_ADDR);
#undef VS_ROW_ADDR
		VS_EACH_COMP(i)
			VS_FN(put)(b, b->slot[d[i]], l, neg ? VS_FN(neg)(t[c[i]]) : t[c[i]]);
	}
}

/*
 * General handlers are separate functions, to keep the stack frame of the switch small.
 * The accumulated range is in memory meanwhile.
 */
#define VS_OP_FN(gen, op)							\
static noinline void VS_FN(do_##op)(struct vs_block *b, const struct vs_uop *u)	\
{										\
	vi range = ld_i(b->range);						\
										\
	VS_FN(gen)(b, u, &range, VS_OP_##op);					\
	st_i(b->range, range);							\
}

#define VS_GEN_OPS(fn)		\
	fn(gen1, NEG)		\
	fn(gen1, FLR)		\
	fn(gen1, F2I)		\
	fn(gen2, SUB)		\
	fn(gen2, SGE)		\
	fn(gen2, SLT)		\
	fn(gen3, MAD)		\
	fn(gend, DP3)		\
	fn(gend, DP4)		\
	fn(gend, DPH)		\
	fn(gens, RCP)		\
	fn(gens, RSQ)		\
	fn(gens, EX2)		\
	fn(gens, LG2)		\
	fn(cmp, CMP)		\
	fn(ldrow, LDROW)
#define VS_SMALL_OPS(fn)	\
	fn(gen1, MOV)		\
	fn(gen2, ADD)		\
	fn(gen2, MUL)		\
	fn(gen2, MIN)		\
	fn(gen2, MAX)

VS_GEN_OPS(VS_OP_FN)
#if VS_SMALL
VS_SMALL_OPS(VS_OP_FN)
#endif

/* ---- handlers for a component count and a uniform operand: 0 none, 1 a, 2 b, 3 c ---- */

#if !VS_SMALL

static __always_inline void VS_FN(hot1)(struct vs_block *b, const struct vs_uop *u,
					const u32 nc, const u32 un)
{
	const u32 *pa[4];
	u32 *pd[4], i, l;
	vf ua[4];

	VS_UNROLL(4)
	for (i = 0; i < nc; i++) {
		pd[i] = b->slot[u->d[i]];
		if (un)
			ua[i] = splat_f(b->unif[u->a[i]]);
		else
			pa[i] = b->slot[u->a[i]];
	}
	VS_UNROLL(2)
	VS_EACH_LANE(l) {
		vf r[4];

		VS_UNROLL(4)
		for (i = 0; i < nc; i++)
			r[i] = un ? ua[i] : ld_f(pa[i] + l);
		VS_UNROLL(4)
		for (i = 0; i < nc; i++)
			VS_FN(put)(b, pd[i], l, r[i]);
	}
}

static __always_inline void VS_FN(hot2)(struct vs_block *b, const struct vs_uop *u, vi *range,
					const u32 op, const u32 nc, const u32 un)
{
	const u32 *pa[4], *pb[4];
	u32 *pd[4], i, l;
	vf ua[4], ub[4];

	VS_UNROLL(4)
	for (i = 0; i < nc; i++) {
		pd[i] = b->slot[u->d[i]];
		if (un == 1)
			ua[i] = splat_f(b->unif[u->a[i]]);
		else
			pa[i] = b->slot[u->a[i]];
		if (un == 2)
			ub[i] = splat_f(b->unif[u->b[i]]);
		else
			pb[i] = b->slot[u->b[i]];
		if (op == VS_OP_MUL && un == 1)
			ua[i] = VS_FN(factor)(ua[i]);
		if (op == VS_OP_MUL && un == 2)
			ub[i] = VS_FN(factor)(ub[i]);
	}
	VS_UNROLL(2)
	VS_EACH_LANE(l) {
		vf r[4];

		VS_UNROLL(4)
		for (i = 0; i < nc; i++)
			r[i] = VS_FN(two)(op, un, un == 1 ? ua[i] : ld_f(pa[i] + l),
					  un == 2 ? ub[i] : ld_f(pb[i] + l));
		VS_UNROLL(4)
		for (i = 0; i < nc; i++) {
			VS_FN(put)(b, pd[i], l, r[i]);
			if (op == VS_OP_ADD || op == VS_OP_MUL)
				VS_FN(note)(range, r[i]);
		}
	}
}

static __always_inline void VS_FN(hot3)(struct vs_block *b, const struct vs_uop *u, vi *range,
					const u32 nc, const u32 un)
{
	const u32 *pa[4], *pb[4], *pc[4];
	u32 *pd[4], i, l;
	vf ub[4], uc[4];

	VS_UNROLL(4)
	for (i = 0; i < nc; i++) {
		pd[i] = b->slot[u->d[i]];
		pa[i] = b->slot[u->a[i]];
		if (un == 2)
			ub[i] = VS_FN(factor)(splat_f(b->unif[u->b[i]]));
		else
			pb[i] = b->slot[u->b[i]];
		if (un == 3)
			uc[i] = splat_f(b->unif[u->c[i]]);
		else
			pc[i] = b->slot[u->c[i]];
	}
	VS_UNROLL(2)
	VS_EACH_LANE(l) {
		vf r[4];

		VS_UNROLL(4)
		for (i = 0; i < nc; i++) {
			vf p = VS_FN(two)(VS_OP_MUL, un == 2, ld_f(pa[i] + l),
					  un == 2 ? ub[i] : ld_f(pb[i] + l));

			r[i] = VS_FN(add)(p, un == 3 ? uc[i] : ld_f(pc[i] + l));
		}
		VS_UNROLL(4)
		for (i = 0; i < nc; i++) {
			VS_FN(put)(b, pd[i], l, r[i]);
			VS_FN(note)(range, r[i]);
		}
	}
}

static __always_inline void VS_FN(hotd)(struct vs_block *b, const struct vs_uop *u, vi *range,
					const u32 op, const u32 un)
{
	const u32 n = op == VS_OP_DP3 ? 3 : 4;
	const u32 *pa[4], *pb[4];
	u32 *pd = b->slot[u->d[0]], i, l;
	vf ua[4], ub[4];

	VS_UNROLL(4)
	for (i = 0; i < n; i++) {
		if (un == 1)
			ua[i] = VS_FN(factor)(splat_f(b->unif[u->a[i]]));
		else
			pa[i] = b->slot[u->a[i]];
		if (un == 2)
			ub[i] = VS_FN(factor)(splat_f(b->unif[u->b[i]]));
		else
			pb[i] = b->slot[u->b[i]];
	}
	VS_UNROLL(8)
	VS_EACH_LANE(l) {
		vf x[4], y[4], r;

		VS_UNROLL(4)
		for (i = 0; i < n; i++) {
			x[i] = un == 1 ? ua[i] : ld_f(pa[i] + l);
			y[i] = un == 2 ? ub[i] : ld_f(pb[i] + l);
		}
		r = VS_FN(dot)(op, un, x, y);
		VS_FN(put)(b, pd, l, r);
		VS_FN(note)(range, r);
	}
}

#define VS_HOT1(op, nc, un)						\
	case VS_H(VS_OP_##op, nc, un):					\
		VS_FN(hot1)(b, u, nc, un);				\
		break;
#define VS_HOT2(op, nc, un)						\
	case VS_H(VS_OP_##op, nc, un):					\
		VS_FN(hot2)(b, u, &range, VS_OP_##op, nc, un);		\
		break;
#define VS_HOT3(op, nc, un)						\
	case VS_H(VS_OP_##op, nc, un):					\
		VS_FN(hot3)(b, u, &range, nc, un);			\
		break;
#define VS_HOTD(op, un)							\
	case VS_H(VS_OP_##op, 1, un):					\
		VS_FN(hotd)(b, u, &range, VS_OP_##op, un);		\
		break;
#define VS_HOT_COUNTS(hot, op, un)	\
	hot(op, 1, un) hot(op, 2, un) hot(op, 3, un) hot(op, 4, un)
#define VS_HOT_CASES				\
	VS_HOT_COUNTS(VS_HOT1, MOV, 0)		\
	VS_HOT_COUNTS(VS_HOT1, MOV, 1)		\
	VS_HOT_COUNTS(VS_HOT2, ADD, 0)		\
	VS_HOT_COUNTS(VS_HOT2, ADD, 1)		\
	VS_HOT_COUNTS(VS_HOT2, ADD, 2)		\
	VS_HOT_COUNTS(VS_HOT2, MUL, 0)		\
	VS_HOT_COUNTS(VS_HOT2, MUL, 1)		\
	VS_HOT_COUNTS(VS_HOT2, MUL, 2)		\
	VS_HOT_COUNTS(VS_HOT2, MIN, 0)		\
	VS_HOT_COUNTS(VS_HOT2, MIN, 1)		\
	VS_HOT_COUNTS(VS_HOT2, MIN, 2)		\
	VS_HOT_COUNTS(VS_HOT2, MAX, 0)		\
	VS_HOT_COUNTS(VS_HOT2, MAX, 1)		\
	VS_HOT_COUNTS(VS_HOT2, MAX, 2)		\
	VS_HOT_COUNTS(VS_HOT3, MAD, 0)		\
	VS_HOT_COUNTS(VS_HOT3, MAD, 2)		\
	VS_HOT_COUNTS(VS_HOT3, MAD, 3)		\
	VS_HOTD(DP3, 0)				\
	VS_HOTD(DP3, 1)				\
	VS_HOTD(DP3, 2)				\
	VS_HOTD(DP4, 0)				\
	VS_HOTD(DP4, 1)				\
	VS_HOTD(DP4, 2)

/* General handlers serve the cases of these operations without a handler of their own. */
#define VS_KEY(u)		((u)->handler)
#define VS_KEY_OF(op)		VS_H(VS_OP_##op, 0, 0)

#else

#define VS_HOT_CASES		VS_SMALL_OPS(VS_GEN_CASE)
#define VS_KEY(u)		((u)->op)
#define VS_KEY_OF(op)		VS_OP_##op

#endif

#define VS_GEN_CASE(gen, op)			\
	case VS_KEY_OF(op):			\
		st_i(b->range, range);		\
		VS_FN(do_##op)(b, u);		\
		range = ld_i(b->range);		\
		break;

static noinline const struct vs_uop *VS_FN(run)(struct vs_block *b, const struct vs_uop *u)
{
	vi range = ld_i(b->range);

	if (VS_MASKED)
		v_expand(b);
	for (;; u++) {
		switch (VS_KEY(u)) {
		VS_HOT_CASES
		VS_GEN_OPS(VS_GEN_CASE)
		case VS_KEY_OF(NOP):
			break;
		default:
			goto out;
		}
#ifdef VS_STEPS
		if (b->step && u[1].flags & VS_UOP_FIRST) {
			u++;
			goto out;
		}
#endif
	}
out:
	st_i(b->range, range);
	return u;
}

#undef VS_OP_FN
#undef VS_GEN_OPS
#undef VS_SMALL_OPS
#undef VS_KEY_OF
#undef VS_HOT_CASES
#undef VS_HOT_COUNTS
#undef VS_HOT1
#undef VS_HOT2
#undef VS_HOT3
#undef VS_HOTD
#undef VS_KEY
#undef VS_GEN_CASE
#undef VS_EACH_LANE
#undef VS_EACH_COMP
#undef VS_IS_F24X
#undef VS_IS_F32
#undef VS_ONE
#undef VS_TWO64
#undef VS_TWO64I
#undef VS_D_TWO64I
#undef VS_FN
#undef VS_MODEL
#undef VS_MASKED
#undef VS_SMALL
