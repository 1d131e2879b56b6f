/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vector primitives for one lane, in integers only. VS_RZ: the rounding mode of the
 * instantiation being compiled.
 */
#ifndef VEC_SOFT_H
#define VEC_SOFT_H

#include "softfloat.h"
#include "vs_block.h"

#define VS_W		1
#define VS_UNROLL(n)

typedef u32 vf;
typedef s32 vi;
typedef u64 vd;
typedef u64 vl;

#define as_i(a)		((vi)(a))
#define as_f(a)		((vf)(a))
#define splat_i(v)	((vi)(v))
#define splat_f(v)	((vf)(v))

#define f_add(a, b)	sf_add(a, b, VS_RZ)
#define f_sub(a, b)	sf_sub(a, b, VS_RZ)
#define f_mul(a, b)	sf_mul(a, b, VS_RZ)
#define f_div(a, b)	sf_div(a, b, VS_RZ)
#define f_sqrt(a)	sf_sqrt(a, VS_RZ)
#define f_nan_rule(r, a, b)	(r)
#define f_floor(a)	sf_floor(a)
#define f_lt(a, b)	(-(vi)sf_lt(a, b))
#define f_le(a, b)	(-(vi)sf_le(a, b))
#define f_eq(a, b)	(-(vi)sf_eq(a, b))
#define f_nan(a)	(-(vi)(((a) & VS_F32_ABS) > VS_F32_INF))
#define f_to_i(a)	sf_to_int(a)
#define i_to_f(a)	vs_i2f(a)
#define i_eq(a, b)	(-(vi)((vi)(a) == (vi)(b)))
#define i_gt(a, b)	(-(vi)((vi)(a) > (vi)(b)))
#define i_shl(a, n)	((vi)((u32)(a) << (n)))
#define i_shr(a, n)	((vi)((u32)(a) >> (n)))

static __always_inline vf ld_f(const u32 *p)
{
	return *p;
}

static __always_inline vi ld_i(const u32 *p)
{
	return *p;
}

static __always_inline void st_f(u32 *p, vf v)
{
	*p = v;
}

static __always_inline void st_i(u32 *p, vi v)
{
	*p = v;
}

static __always_inline vf f_min(vf a, vf b)
{
	return sf_lt(a, b) ? a : b;
}

static __always_inline vf f_max(vf a, vf b)
{
	return sf_lt(b, a) ? a : b;
}

static __always_inline vi i_sel(vi m, vi a, vi b)
{
	return (a & m) | (b & ~m);
}

static __always_inline vf f_sel(vi m, vf a, vf b)
{
	return m ? a : b;
}

#define vd_splat(bits)	((vd)(bits))
#define l_splat(bits)	((vl)(bits))
#define vd_bits(a)	((vl)(a))
#define bits_d(a)	((vd)(a))
#define vd_add(a, b)	sd_add(a, b, VS_RZ)
#define vd_sub(a, b)	sd_sub(a, b, VS_RZ)
#define vd_mul(a, b)	sd_mul(a, b, VS_RZ)
#define vd_div(a, b)	sd_div(a, b, VS_RZ)
#define vd_sqrt(a)	sd_sqrt(a, VS_RZ)
#define vd_from_f(a)	sd_from_float(a)
#define vd_from_i(a)	sd_from_int(a)
#define f_from_d(a)	sd_to_float(a, VS_RZ ? SF_RTZ : SF_RTE)
#define l_add(a, b)	((a) + (b))
#define l_sub(a, b)	((a) - (b))
#define l_and(a, b)	((a) & (b))
#define l_or(a, b)	((a) | (b))
#define l_shl(a, n)	((a) << (n))
#define l_shr(a, n)	((a) >> (n))
#define l_from_i(a)	((vl)(s64)(vi)(a))

#define v_movemask(m)	((u64)((vi)(m) & 1))
#define v_expand(b)	((void)(b))

static __always_inline vf v_blend(const struct vs_block *b, u32 lane, vf old, vf r)
{
	return b->mask >> lane & 1 ? r : old;
}

static __always_inline vi v_lanemask(const struct vs_block *b, u32 lane)
{
	return -(vi)(b->mask >> lane & 1);
}

#define V_LOAD_ROWS(t, addr)	memcpy(t, addr(0), 16)
#define V_STORE_ROWS(t, addr)	memcpy(addr(0), t, 16)

#endif /* VEC_SOFT_H */
