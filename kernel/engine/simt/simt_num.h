/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Functions on vectors of binary32, bit-identical in every build: only exactly rounded operations.
 * NaN results are canonical unless noted otherwise.
 */
#ifndef SIMT_NUM_H
#define SIMT_NUM_H

#include "simt_vec.h"
#include "../exec_models.h"

/* Exponentials and logarithms are those of the streaming engine. */
#ifndef VS_RZ
#define VS_RZ		false
#endif
#define VS_FN(name)	f32x_##name
#define VS_MODEL	VS_M_F32X
#include "../exec_num.h"
#undef VS_FN
#undef VS_MODEL

#define NUM_D_ONE	0x3ff0000000000000ULL
#define NUM_D_HALF	0x3fe0000000000000ULL

static __always_inline vi f_abs_bits(vf a)
{
	return as_i(a) & splat_i(VS_F32_ABS);
}

static __always_inline vi f_sign_bits(vf a)
{
	return as_i(a) & splat_i(VS_F32_SIGN);
}

static __always_inline vf num_clamp(u32 clamp, vf r)
{
	if (clamp == SIMT_CLAMP_NONE)
		return r;
	/* NaN and zeros select the second operand. */
	r = f_max(r, splat_f(clamp == SIMT_CLAMP_M1_1 ? VS_F32_ONE | VS_F32_SIGN : 0));
	return f_min(r, splat_f(clamp == SIMT_CLAMP_0_INF ? VS_F32_INF : VS_F32_ONE));
}

/* f_min() and f_max() return the second operand for NaNs and equal ones. */
static __always_inline vf num_order(const bool is_max, vf a, vf b)
{
	vf r = is_max ? f_max(a, b) : f_min(a, b);
	vi zero = is_max ? as_i(a) & as_i(b) : as_i(a) | as_i(b);

	return m_self(m_fcmp(SIMT_EQ, a, b), as_f(zero), r);
}

/* The number of a number and a NaN. The NaN of two is not canonical. */
static __always_inline vf num_number(const bool is_max, vf a, vf b)
{
	return m_self(m_nan(b), a, num_order(is_max, a, b));
}

static __always_inline vf num_minmax(const bool is_max, const u32 nan, vf a, vf b)
{
	vf r = num_order(is_max, a, b);

	if (nan == SIMT_NAN_SUPPRESS)
		r = num_number(is_max, a, b);
	else if (nan == SIMT_NAN_C_INV)
		r = m_self(m_fcmp(SIMT_ORD, a, b), r, a);
	else if (nan == SIMT_NAN_PROPAGATE)
		return m_self(m_fcmp(SIMT_ORD, a, b), r, splat_f(SIMT_F32_NAN));
	return f_canon(r);
}

static __always_inline vf num_minmax_by(const bool is_max, u32 nan, vf a, vf b)
{
	switch (nan & 3) {
	case SIMT_NAN_SUPPRESS:
		return num_minmax(is_max, SIMT_NAN_SUPPRESS, a, b);
	case SIMT_NAN_PROPAGATE:
		return num_minmax(is_max, SIMT_NAN_PROPAGATE, a, b);
	case SIMT_NAN_C:
		return num_minmax(is_max, SIMT_NAN_C, a, b);
	default:
		return num_minmax(is_max, SIMT_NAN_C_INV, a, b);
	}
}

/* Lanes where the comparison in imm bits 0-3 holds. */
static __always_inline vm num_cmp_by(u32 imm, vf a, vf b)
{
	switch (imm & 15) {
	case SIMT_EQ:
		return m_fcmp(SIMT_EQ, a, b);
	case SIMT_GT:
		return m_fcmp(SIMT_GT, a, b);
	case SIMT_GE:
		return m_fcmp(SIMT_GE, a, b);
	case SIMT_NE:
		return m_fcmp(SIMT_NE, a, b);
	case SIMT_LT:
		return m_fcmp(SIMT_LT, a, b);
	case SIMT_LE:
		return m_fcmp(SIMT_LE, a, b);
	case SIMT_GTLT:
		return m_fcmp(SIMT_GTLT, a, b);
	default:
		return m_fcmp(SIMT_ORD, a, b);
	}
}

static __always_inline vf num_round(u32 mode, vf a)
{
	switch (mode & 7) {
	case SIMT_RTE:
		return f_rint(SIMT_RTE, a);
	case SIMT_RTP:
		return f_rint(SIMT_RTP, a);
	case SIMT_RTN:
		return f_rint(SIMT_RTN, a);
	case SIMT_RTZ:
		return f_rint(SIMT_RTZ, a);
	default:
		return f_rint(SIMT_RTNA, a);
	}
}

static __always_inline vf num_rcp(vf a)
{
	return f_canon(f_div(splat_f(VS_F32_ONE), a));
}

#if VS_W < 8

static __always_inline vf num_root_rcp(vf a)
{
	return f_from_d(vd_div(vd_splat(NUM_D_ONE), vd_sqrt(vd_from_f(a))));
}

#else

static noinline vf num_root_rcp_slow(vf a)
{
	return f_from_d(vd_div(vd_splat(NUM_D_ONE), vd_sqrt(vd_from_f(a))));
}

static __always_inline vdh num_refined(vdh x, vdh y)
{
	vdh half = vd_splat(NUM_D_HALF).l, part = vd_splat(0x3fd8000000000000ULL).l;
	vdh h = f_mul_dh(y, y), e = vd_splat(NUM_D_ONE).l;

	/* e = 1 - x y^2, result y (1 + e / 2 + 3 e^2 / 8); y^2 is exact */
	__asm__("vfnmadd231pd %2, %1, %0" : "+v"(e) : "v"(x), "v"(h));
	__asm__("vfmadd213pd %2, %1, %0" : "+v"(part) : "v"(e), "v"(half));
	h = f_mul_dh(e, part);
	__asm__("vfmadd213pd %1, %1, %0" : "+v"(h) : "v"(y));
	return h;
}

/* Lanes where the discarded bits are within 16 of a tie. */
static __always_inline vlh num_near_tie(vdh d)
{
	return (((vlh)d + 16 - (1LL << 28)) & 0x1fffffe0) == 0;
}

/*
 * Same result as the binary64 division above, at lower cost: the refined binary32 quotient is
 * within three binary64 ulps. That determines the rounding unless it is next to a tie: two
 * mantissas of 2^24.
 */
static __always_inline vf num_root_rcp(vf a)
{
	vi inf = splat_i(VS_F32_INF), fine = i_gt(as_i(a), splat_i(0)) & i_gt(inf, as_i(a));
	vf y = f_div(splat_f(VS_F32_ONE), f_sqrt(a)), one = splat_f(VS_F32_ONE);
	vd x = vd_from_f(f_sel(fine, a, one)), d = vd_from_f(f_sel(fine, y, one));

	d = (vd){ num_refined(x.l, d.l), num_refined(x.h, d.h) };
	if (unlikely(v_movemask((vi)(num_near_tie(d.l) | num_near_tie(d.h)))))
		return num_root_rcp_slow(a);
	/* Zeros, infinities, NaNs and negative numbers use the quotient. */
	return f_sel(fine, f_from_d(d), y);
}

#endif

/* ---- mantissa and exponent ---- */

/* Lanes with zeros, infinities, NaNs. */
static __always_inline vi num_special(vf a)
{
	vi abs = f_abs_bits(a);

	return i_eq(abs, splat_i(0)) | i_gt(abs, splat_i(VS_F32_INF - 1));
}

/*
 * |a| = m 2^e with m in [1/2, 1); mode SQRT: m 4^e, m in [1/4, 1); LOG: m in [3/4, 3/2).
 * Undefined for specials.
 */
static __always_inline vf num_split(vf a, const u32 mode, vi *exp)
{
	vi abs = f_abs_bits(a), sub = i_gt(splat_i(0x00800000), abs), bits, m, e, odd;

	bits = as_i(f_sel(sub, f_mul(as_f(abs), splat_f(0x4b800000)), as_f(abs)));
	e = i_sub(i_shr(bits, 23), splat_i(126) + (sub & splat_i(24)));
	m = (bits & splat_i(0x7fffff)) | splat_i(0x3f000000);
	if (mode == SIMT_FREXP_SQRT) {
		odd = e & splat_i(1);
		m = i_sub(m, i_shl(odd, 23));
		e = i_add(e, odd) >> 1;
	} else if (mode == SIMT_FREXP_LOG) {
		odd = i_gt(splat_i(0x3f400000), m) & splat_i(1);
		m = i_add(m, i_shl(odd, 23));
		e = i_sub(e, odd);
	}
	*exp = e;
	return as_f(m);
}

static __always_inline vf num_split_by(vf a, u32 mode, vi *exp)
{
	switch (mode & 3) {
	case SIMT_FREXP_NORM:
		return num_split(a, SIMT_FREXP_NORM, exp);
	case SIMT_FREXP_SQRT:
		return num_split(a, SIMT_FREXP_SQRT, exp);
	default:
		return num_split(a, SIMT_FREXP_LOG, exp);
	}
}

static __always_inline vf num_frexpm(u32 mode, vf a)
{
	vi e, m = as_i(num_split_by(a, mode, &e)) | f_sign_bits(a);

	return f_canon(f_sel(num_special(a), a, as_f(m)));
}

static __always_inline vi num_frexpe(u32 imm, vf a)
{
	vi e;

	num_split_by(a, imm, &e);
	e = e & ~num_special(a);
	return imm & 0x10 ? i_sub(splat_i(0), e) : e;
}

static __always_inline vf num_rcp_approx(vf a)
{
	vi e, r;
	vf m = num_split(a, SIMT_FREXP_NORM, &e), one = splat_f(VS_F32_ONE);
	vi special = num_special(a);

	r = as_i(f_div(one, f_sel(special, a, m)));
	r = i_sel(special, r, (r & splat_i(~63U)) | f_sign_bits(a));
	return f_canon(as_f(r));
}

static __always_inline vf num_rsq_approx(vf a)
{
	vi e, r, special = num_special(a) | i_gt(splat_i(0), as_i(a));
	vf m = num_split(a, SIMT_FREXP_SQRT, &e);

	r = as_i(num_root_rcp(f_sel(special, a, m)));
	r = i_sel(special, r, r & splat_i(~63U));
	return f_canon(as_f(r));
}

/* ---- transcendental functions, through binary64 ---- */

/*
 * 2^(fixed / 2^24). The fixed-point argument saturates, giving infinity and zero. NaN where @a
 * is.
 */
static __always_inline vf num_expx(vi fixed, vf a)
{
	vi n = i_add(fixed >> 24, i_shr(fixed, 23) & splat_i(1));
	vd f = vd_mul(vd_from_i(i_sub(fixed, i_shl(n, 24))), vd_splat(0x3e70000000000000ULL));
	vf r = f_from_d(f32x_exp2_sum(n, f));

	r = f_sel(i_eq(fixed, splat_i(0x7fffffff)), splat_f(VS_F32_INF), r);
	r = f_sel(i_eq(fixed, splat_i(0x80000000)), splat_f(0), r);
	return f_sel(f_nan(a), splat_f(SIMT_F32_NAN), r);
}

/*
 * log2(m) / (m - 1), m the mantissa (mode LOG): with s = (m - 1) / (m + 1), log2(m) = s r(s^2),
 * and the result is r(s^2) / (m + 1), free of cancellation. Coefficients:
 * selftests/simt/coef.py, relative error 2e-17.
 */
static __always_inline vf num_logd(vf a)
{
	vi abs = f_abs_bits(a), special = num_special(a), e;
	vi bad = i_gt(abs, splat_i(VS_F32_INF)) |
		 (i_gt(splat_i(0), as_i(a)) & ~i_eq(abs, splat_i(0)));
	vd one = vd_splat(NUM_D_ONE), m, p, s, z;
	vf r;

	m = vd_from_f(num_split(a, SIMT_FREXP_LOG, &e));
	s = vd_div(vd_sub(m, one), vd_add(m, one));
	z = vd_mul(s, s);
	p = vd_splat(0x3fc9952526118cbaULL);
	p = f32x_horner(p, z, 0x3fc852d27373ecc2ULL);
	p = f32x_horner(p, z, 0x3fcc6c18a7900fa3ULL);
	p = f32x_horner(p, z, 0x3fd0c99ebcb35b3aULL);
	p = f32x_horner(p, z, 0x3fd484b15f85dad8ULL);
	p = f32x_horner(p, z, 0x3fda61762a36db83ULL);
	p = f32x_horner(p, z, 0x3fe2776c50efbdfcULL);
	p = f32x_horner(p, z, 0x3feec709dc3a03f0ULL);
	p = f32x_horner(p, z, 0x40071547652b82feULL);
	r = f_from_d(vd_div(p, vd_add(m, one)));
	r = f_sel(special, splat_f(VS_F32_INF), r);
	return f_sel(bad, splat_f(SIMT_F32_NAN), r);
}

/* sin(pi r) for |r| up to 1/2; coefficients: selftests/simt/coef.py */
static __always_inline vf num_sine(vd r)
{
	vd z = vd_mul(r, r), p = vd_splat(0xbe57ed4cd2691592ULL);

	p = f32x_horner(p, z, 0x3eaaabbe37edc59bULL);
	p = f32x_horner(p, z, 0xbef6fad48884986fULL);
	p = f32x_horner(p, z, 0x3f3e8f4338e0384dULL);
	p = f32x_horner(p, z, 0xbf7e3074fdc520e5ULL);
	p = f32x_horner(p, z, 0x3fb50783487ec19aULL);
	p = f32x_horner(p, z, 0xbfe32d2cce62bd57ULL);
	p = f32x_horner(p, z, 0x400466bc6775aae2ULL);
	p = f32x_horner(p, z, 0xc014abbce625be53ULL);
	p = f32x_horner(p, z, 0x400921fb54442d18ULL);
	return f_from_d(vd_mul(r, p));
}

/*
 * |a| = n + r, |r| at most 1/2; exact. The largest number below 1/2 is added before truncation,
 * as with 1/2 itself the sum could round up to an integer. From 2^23 on there are no
 * fractions, from 2^24 on all numbers are even.
 */
static __always_inline vf num_turns(vf a, vi *odd)
{
	vi abs = f_abs_bits(a), x, half, n;

	x = abs & i_gt(splat_i(0x4b800000), abs);
	half = splat_i(0x3effffff) & i_gt(splat_i(0x4b000000), x);
	n = f_to_i(f_add(as_f(x), as_f(half)));
	*odd = i_shl(n, 31);
	return f_sub(as_f(x), i_to_f(n));
}

/* sin(pi a). Zeros have the sign of the argument. */
static __always_inline vf num_sinpi(vf a)
{
	vi nan = i_gt(f_abs_bits(a), splat_i(VS_F32_INF - 1)), odd, r;
	vf turn = num_turns(a, &odd);

	odd &= ~i_eq(f_abs_bits(turn), splat_i(0));
	r = as_i(num_sine(vd_from_f(turn))) ^ odd ^ f_sign_bits(a);
	return f_sel(nan, splat_f(SIMT_F32_NAN), as_f(r));
}

/* cos(pi a). Zeros are positive. */
static __always_inline vf num_cospi(vf a)
{
	vi nan = i_gt(f_abs_bits(a), splat_i(VS_F32_INF - 1)), odd, r, abs;

	abs = f_abs_bits(num_turns(a, &odd));
	odd &= ~i_eq(abs, splat_i(0x3f000000));
	r = as_i(num_sine(vd_sub(vd_splat(NUM_D_HALF), vd_from_f(as_f(abs))))) ^ odd;
	return f_sel(nan, splat_f(SIMT_F32_NAN), as_f(r));
}

/* ---- tables ---- */

/* sin(i pi / 32) for the low 6 bits of @i. Zeros are positive. */
static __always_inline vi num_sine_table(vi i)
{
	vi k = i & splat_i(31), quarter = i_eq(k, splat_i(16)), neg, r;

	neg = i_shl(i, 26) & splat_i(VS_F32_SIGN) & ~i_eq(k, splat_i(0));
	k = i_sel(i_gt(k, splat_i(16)), i_sub(splat_i(32), k), k);
	r = v_lookup(simt_sin_table, k & splat_i(15));
	return i_sel(quarter, splat_i(VS_F32_ONE), r) | neg;
}

static __always_inline vi num_log_table(u32 imm, vf a)
{
	vi abs = f_abs_bits(a), special = num_special(a), zero = i_eq(abs, splat_i(0)), r, e;
	vi bad = i_gt(abs, splat_i(VS_F32_INF)) | (i_gt(splat_i(0), as_i(a)) & ~zero);
	const u32 *t = simt_log_table[imm < 2 ? imm : 2];
	vf m = num_split(a, SIMT_FREXP_NORM, &e);

	r = v_lookup(t, i_shr(as_i(m), 19) & splat_i(15));
	if (imm)
		r = i_sel(special, splat_i(VS_F32_INF) | (zero & splat_i(VS_F32_SIGN)), r);
	else
		r = i_sel(special, splat_i(VS_F32_ONE), r);
	return i_sel(bad, splat_i(SIMT_F32_NAN), r);
}

/* ---- bit patterns ---- */

static __always_inline vi num_ftz(vi a)
{
	vi sub = i_gt(splat_i(0x00800000), a & splat_i(VS_F32_ABS));

	return a & ~(sub & splat_i(VS_F32_ABS));
}

static __always_inline vi num_supp(u32 imm, vi a)
{
	vi abs = a & splat_i(VS_F32_ABS), inf = splat_i(VS_F32_INF);

	if (imm & 2)
		a &= ~i_gt(abs, inf);
	if (imm & 1)
		a = i_add(a, i_eq(abs, inf));
	return a;
}

/* Per half of @v: all ones where it is 0x8000 or above. */
static __always_inline vi num_half_top(vi v)
{
	v = i_shr(v, 15) & splat_i(0x00010001);
	return i_sub(i_shl(v, 16), v);
}

/* As binary16; what is subnormal there becomes a zero of its sign. */
static __always_inline vf num_half(vf a)
{
	vi r = as_i(f_canon(h_widen(h_narrow(a)))), sign = r & splat_i(0x80000000);

	return as_f(sign | (r & i_gt(r ^ sign, splat_i(0x387fffff))));
}

static __always_inline vi num_half_ftz(vi a)
{
	vi normal = num_half_top(i_add(a & splat_i(0x7c007c00), splat_i(0x7c007c00)));

	return a & (normal | splat_i(0x80008000));
}

static __always_inline vi num_half_supp(u32 imm, vi a)
{
	vi abs = a & splat_i(0x7fff7fff), nan = num_half_top(i_add(abs, splat_i(0x03ff03ff)));
	vi inf = num_half_top(i_add(abs, splat_i(0x04000400))) & ~nan;

	if (imm & 2)
		a &= ~nan;
	if (imm & 1)
		a = i_sub(a, inf & splat_i(0x00010001));
	return a;
}

/* Full-word masks from a pair of halves 0 or 1.0, as h_join() returns. */
static __always_inline vi num_half_mask(vi pair)
{
	vi one = i_shr(pair, 10) & splat_i(0x00010001);

	return i_sub(i_shl(one, 16), one);
}

/* ---- words ---- */

/*
 * Keep the highest bit and clear the ones below that could round it up; it becomes a float's
 * exponent.
 */
static __always_inline vi num_clz(u32 imm, vi a)
{
	vi zero = i_eq(a, splat_i(0)), f = as_i(f_from_u32(a & ~i_shr(a, 1)));
	vi r = i_sub(splat_i(158), i_shr(f, 23));

	return i_sel(zero, splat_i(imm & 1 ? ~0U : 32), r);
}

static __always_inline vi num_popc(vi a)
{
	a = i_sub(a, i_shr(a, 1) & splat_i(0x55555555));
	a = i_add(a & splat_i(0x33333333), i_shr(a, 2) & splat_i(0x33333333));
	a = i_add(a, i_shr(a, 4)) & splat_i(0x0f0f0f0f);
	return i_shr(i_mul(a, splat_i(0x01010101)), 24);
}

/* Swap adjacent groups of @n bits; @low: mask of the lower ones. */
static __always_inline vi num_swap(vi a, const u32 n, u32 low)
{
	return (i_shr(a, n) & splat_i(low)) | i_shl(a & splat_i(low), n);
}

static __always_inline vi num_brev(vi a)
{
	a = num_swap(a, 1, 0x55555555);
	a = num_swap(a, 2, 0x33333333);
	a = num_swap(a, 4, 0x0f0f0f0f);
	a = num_swap(a, 8, 0x00ff00ff);
	return i_shr(a, 16) | i_shl(a, 16);
}

/* Saturate signed sums and differences: the bound where @overflow has the sign bit set. */
static __always_inline vi num_saturated(vi a, vi r, vi overflow)
{
	return i_sel(overflow >> 31, (a >> 31) ^ splat_i(0x7fffffff), r);
}

static __always_inline vi num_iadds(vi a, vi b)
{
	vi r = i_add(a, b);

	return num_saturated(a, r, ~(a ^ b) & (a ^ r));
}

static __always_inline vi num_isubs(vi a, vi b)
{
	vi r = i_sub(a, b);

	return num_saturated(a, r, (a ^ b) & (a ^ r));
}

static __always_inline vi num_uadds(vi a, vi b)
{
	vi r = i_add(a, b);

	return r | m_and(m_ucmp(SIMT_LT, r, a), splat_i(~0U));
}

static __always_inline vi num_usubs(vi a, vi b)
{
	return m_and(m_ucmp(SIMT_GT, a, b), i_sub(a, b));
}

/*
 * Rounded down: common bits plus half of the differing; up: all bits minus half of the differing.
 */
static __always_inline vi num_ihadd(u32 imm, vi a, vi b)
{
	vi half = imm & 2 ? i_shr(a ^ b, 1) : (vi)((a ^ b) >> 1);

	return imm & 1 ? i_sub(a | b, half) : i_add(a & b, half);
}

#endif /* SIMT_NUM_H */
