/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vector primitives for arm64: NEON, VS_W = 4 lanes of 32 bits.
 *
 * Inline assembly where the operand order matters (a compiler may swap the operands of additions
 * and multiplications) or where there is no operator. No assembly is volatile: it only computes
 * values.
 *
 * NaNs differ from x86's: a signalling NaN wins over a quiet one, and invalid operations give the
 * positive quiet NaN. Both raise the invalid flag, so that only the executors that do not look at
 * it correct them, by f_nan_rule().
 */
#ifndef VEC_NEON_H
#define VEC_NEON_H

#include "vec_gnu.h"

#define VS_NEON

#define f_nan_rule(r, a, b)	f_first_nan(r, a, b)

#define VS_UN(insn, out, type, in) ({							\
	out _r;										\
											\
	__asm__(insn " %0." type ", %1." type : "=w"(_r) : "w"(in));			\
	_r; })

#define VS_BIN(name, insn)							\
static __always_inline vf name(vf a, vf b)					\
{										\
	vf r;									\
										\
	__asm__(insn " %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(a), "w"(b));	\
	return r;								\
}										\
static __always_inline vdh name##_dh(vdh a, vdh b)				\
{										\
	vdh r;									\
										\
	__asm__(insn " %0.2d, %1.2d, %2.2d" : "=w"(r) : "w"(a), "w"(b));	\
	return r;								\
}

VS_BIN(f_add, "fadd")
VS_BIN(f_mul, "fmul")

/* The second operand for NaNs and equal ones. */
static __always_inline vf f_min(vf a, vf b)
{
	return f_sel(f_lt(a, b), a, b);
}

static __always_inline vf f_max(vf a, vf b)
{
	return f_sel(f_lt(b, a), a, b);
}

static __always_inline vf f_sqrt(vf a)
{
	return VS_UN("fsqrt", vf, "4s", a);
}

static __always_inline vf f_floor(vf a)
{
	return VS_UN("frintm", vf, "4s", a);
}

/* ---- doubles ---- */

static __always_inline vd vd_add(vd a, vd b)
{
	return (vd){ f_add_dh(a.l, b.l), f_add_dh(a.h, b.h) };
}

static __always_inline vd vd_mul(vd a, vd b)
{
	return (vd){ f_mul_dh(a.l, b.l), f_mul_dh(a.h, b.h) };
}

static __always_inline vd vd_sqrt(vd a)
{
	return (vd){ VS_UN("fsqrt", vdh, "2d", a.l), VS_UN("fsqrt", vdh, "2d", a.h) };
}

static __always_inline vd vd_from_f(vf a)
{
	vd r;

	__asm__("fcvtl %0.2d, %1.2s" : "=w"(r.l) : "w"(a));
	__asm__("fcvtl2 %0.2d, %1.4s" : "=w"(r.h) : "w"(a));
	return r;
}

static __always_inline vf f_from_d(vd a)
{
	vf r;

	__asm__("fcvtn %0.2s, %1.2d" : "=w"(r) : "w"(a.l));
	__asm__("fcvtn2 %0.4s, %1.2d" : "+w"(r) : "w"(a.h));
	return r;
}

static __always_inline vd vd_from_i(vi a)
{
	vl wide = l_from_i(a);

	return (vd){ __builtin_convertvector(wide.l, vdh), __builtin_convertvector(wide.h, vdh) };
}

/* ---- masks ---- */

/* Bit per lane of a comparison. */
static __always_inline u64 v_movemask(vi m)
{
	vi r;

	__asm__("addv %s0, %1.4s" : "=w"(r) : "w"(m & (vi){ 1, 2, 4, 8 }));
	return (u32)r[0];
}

/* Active lanes get @r, the others keep @old. */
static __always_inline vf v_blend(const struct vs_block *b, u32 lane, vf old, vf r)
{
	return f_sel(ld_i(b->lanemask + lane), r, old);
}

/* All ones in active lanes. */
static __always_inline vi v_lanemask(const struct vs_block *b, u32 lane)
{
	return ld_i(b->lanemask + lane);
}

#endif /* VEC_NEON_H */
