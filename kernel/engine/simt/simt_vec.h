/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vector primitives that only the SIMT executors use, on top of vec_x86.h, vec_neon.h or
 * vec_soft.h:
 * lane masks (vm) from comparisons, fused multiply-add, rounding, halves.
 */
#ifndef SIMT_VEC_H
#define SIMT_VEC_H

#include "simt_exec.h"

#if VS_W == 1
typedef u32 vu;
#else
typedef VS_VEC(u32, 4 * VS_W) vu;
#endif

/* Wrapping arithmetic. */
static __always_inline vi i_add(vi a, vi b)
{
	return (vi)((vu)a + (vu)b);
}

static __always_inline vi i_sub(vi a, vi b)
{
	return (vi)((vu)a - (vu)b);
}

static __always_inline vi i_mul(vi a, vi b)
{
	return (vi)((vu)a * (vu)b);
}

/* Per-lane shift counts, below 32. */
static __always_inline vi v_shl(vi a, vi n)
{
	return (vi)((vu)a << (vu)n);
}

static __always_inline vi v_shr(vi a, vi n)
{
	return (vi)((vu)a >> (vu)n);
}

static __always_inline vi v_sar(vi a, vi n)
{
	return a >> n;
}

/* ---- masks ---- */

#if VS_W == 16

typedef unsigned short vm;

#define M_ALL		((vm)0xffff)

#define M_CMP(insn, a, b, pred) ({						\
	vm _k;									\
										\
	__asm__(insn " %3, %2, %1, %0" : "=Yk"(_k) : "v"(a), VS_RM(b), "i"(pred)); \
	_k; })

static __always_inline vi m_sel(vm m, vi a, vi b)
{
	__asm__("vmovdqa32 %1, %0%{%2%}" : "+v"(b) : "v"(a), "Yk"(m));
	return b;
}

/* @a where @m, else 0. */
static __always_inline vi m_and(vm m, vi a)
{
	vi r;

	__asm__("vmovdqa32 %1, %0%{%2%}%{z%}" : "=v"(r) : "v"(a), "Yk"(m));
	return r;
}

static __always_inline vm m_nan(vf a)
{
	return M_CMP("vcmpps", a, a, 3);
}

/* Compare predicates: quiet NaNs raise no exceptions. */
static __always_inline vm m_fcmp(const u32 cmp, vf a, vf b)
{
	switch (cmp) {
	case SIMT_EQ:
		return M_CMP("vcmpps", a, b, 0);
	case SIMT_GT:
		return M_CMP("vcmpps", a, b, 0x1e);
	case SIMT_GE:
		return M_CMP("vcmpps", a, b, 0x1d);
	case SIMT_NE:
		return M_CMP("vcmpps", a, b, 4);
	case SIMT_LT:
		return M_CMP("vcmpps", a, b, 0x11);
	case SIMT_LE:
		return M_CMP("vcmpps", a, b, 0x12);
	case SIMT_GTLT:
		return M_CMP("vcmpps", a, b, 0x0c);
	default:
		return M_CMP("vcmpps", a, b, 7);
	}
}

static __always_inline vm m_icmp(const u32 cmp, vi a, vi b)
{
	switch (cmp) {
	case SIMT_EQ:
		return M_CMP("vpcmpd", a, b, 0);
	case SIMT_GT:
		return M_CMP("vpcmpd", a, b, 6);
	case SIMT_GE:
		return M_CMP("vpcmpd", a, b, 5);
	case SIMT_LT:
		return M_CMP("vpcmpd", a, b, 1);
	case SIMT_LE:
		return M_CMP("vpcmpd", a, b, 2);
	default:
		return M_CMP("vpcmpd", a, b, 4);
	}
}

static __always_inline vm m_ucmp(const u32 cmp, vi a, vi b)
{
	switch (cmp) {
	case SIMT_EQ:
		return M_CMP("vpcmpud", a, b, 0);
	case SIMT_GT:
		return M_CMP("vpcmpud", a, b, 6);
	case SIMT_GE:
		return M_CMP("vpcmpud", a, b, 5);
	case SIMT_LT:
		return M_CMP("vpcmpud", a, b, 1);
	case SIMT_LE:
		return M_CMP("vpcmpud", a, b, 2);
	default:
		return M_CMP("vpcmpud", a, b, 4);
	}
}

#else

typedef vi vm;

#define M_ALL		splat_i(~0U)

static __always_inline vi m_sel(vm m, vi a, vi b)
{
#if VS_W == 8
	__asm__("vblendvps %2, %1, %0, %0" : "+x"(b) : VS_XM(a), "x"(m));
	return b;
#else
	return i_sel(m, a, b);
#endif
}

static __always_inline vi m_and(vm m, vi a)
{
	return m & a;
}

static __always_inline vm m_nan(vf a)
{
	return f_nan(a);
}

static __always_inline vm m_fcmp(const u32 cmp, vf a, vf b)
{
	switch (cmp) {
	case SIMT_EQ:
		return f_eq(a, b);
	case SIMT_GT:
		return f_lt(b, a);
	case SIMT_GE:
		return f_le(b, a);
	case SIMT_NE:
		return ~f_eq(a, b);
	case SIMT_LT:
		return f_lt(a, b);
	case SIMT_LE:
		return f_le(a, b);
	case SIMT_GTLT:
		return f_lt(a, b) | f_lt(b, a);
	default:
		return ~(f_nan(a) | f_nan(b));
	}
}

static __always_inline vm m_icmp(const u32 cmp, vi a, vi b)
{
	switch (cmp) {
	case SIMT_EQ:
		return i_eq(a, b);
	case SIMT_GT:
		return i_gt(a, b);
	case SIMT_GE:
		return ~i_gt(b, a);
	case SIMT_LT:
		return i_gt(b, a);
	case SIMT_LE:
		return ~i_gt(a, b);
	default:
		return ~i_eq(a, b);
	}
}

static __always_inline vm m_ucmp(const u32 cmp, vi a, vi b)
{
	vi top = splat_i(0x80000000);

	return m_icmp(cmp, a ^ top, b ^ top);
}

#endif

#if VS_W == 16

#define M_NONE		((vm)0)

/* Bit per lane of a vector mask. */
static __always_inline u64 m_bits(vm m)
{
	return m;
}

#else

#define M_NONE		splat_i(0)

/* Bit per lane of a vector mask. */
static __always_inline u64 m_bits(vm m)
{
	/* the one-lane primitives represent comparisons as 0 and -1, too */
	return v_movemask(m);
}

#endif

static __always_inline bool m_none(vm m)
{
	return !m_bits(m);
}

/* Lanes in which @a or @b is a NaN. */
static __always_inline vm m_nan2(vf a, vf b)
{
#if VS_W == 16
	return M_CMP("vcmpps", a, b, 3);
#elif VS_W == 8
	vi r;

	__asm__("vcmpunordps %2, %1, %0" : "=x"(r) : "x"(a), "x"(b));
	return r;
#elif VS_W == 4 && !defined(VS_NEON)
	__asm__("cmpunordps %1, %0" : "+x"(a) : "x"(b));
	return as_i(a);
#else
	return f_nan(a) | f_nan(b);
#endif
}

static __always_inline vf m_self(vm m, vf a, vf b)
{
	return as_f(m_sel(m, as_i(a), as_i(b)));
}

/* Canonicalise a NaN result. */
static __always_inline vf f_canon(vf r)
{
	return m_self(m_nan(r), splat_f(SIMT_F32_NAN), r);
}

static __always_inline vi i_min(vi a, vi b)
{
	return m_sel(m_icmp(SIMT_LT, a, b), a, b);
}

static __always_inline vi i_max(vi a, vi b)
{
	return m_sel(m_icmp(SIMT_GT, a, b), a, b);
}

static __always_inline vi u_min(vi a, vi b)
{
	return m_sel(m_ucmp(SIMT_LT, a, b), a, b);
}

static __always_inline vi u_max(vi a, vi b)
{
	return m_sel(m_ucmp(SIMT_GT, a, b), a, b);
}

/* ---- fused multiply-add ---- */

#if VS_W == 1

#define f_fma(a, b, c)	sf_fma(a, b, c, 0, SF_RTE)

#else

/*
 * a * b is exact in binary64. The sum is rounded to odd, so that rounding it again gives the
 * result of a single rounding: its error is known exactly, and if it is not 0, an even
 * significand is replaced by its odd neighbour on the error's side.
 */
static __always_inline vdh fma_odd(vdh a, vdh b, vdh c)
{
	vdh p = a * b, s = p + c, back = s - p, err = (p - (s - back)) + (c - back);
	vlh bits = (vlh)s, wrong = (err < 0) | (err > 0), away = ((vlh)err ^ bits) < 0;
	vlh even = (bits & 1) - 1;

	/* +1, or -1 if the error points to zero */
	return (vdh)(bits + (((away << 1) + 1) & wrong & even));
}

#if defined(VS_NEON)

static __always_inline vf f_fma(vf a, vf b, vf c)
{
	__asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(c) : "w"(a), "w"(b));
	return c;
}

#elif VS_W == 4

static __always_inline vf f_fma(vf a, vf b, vf c)
{
	vd x = vd_from_f(a), y = vd_from_f(b), z = vd_from_f(c);

	return f_from_d((vd){ fma_odd(x.l, y.l, z.l), fma_odd(x.h, y.h, z.h) });
}

#else

static __always_inline vf f_fma(vf a, vf b, vf c)
{
	__asm__("vfmadd213ps %2, %1, %0" : "+v"(a) : "v"(b), VS_RM(c));
	return a;
}

#endif

/* (a * b + c) * 2^e, |e| up to 600, rounded to nearest even or toward zero. */
static __always_inline vf f_fma_scaled(vf a, vf b, vf c, vi e, bool cut)
{
	vd x = vd_from_f(a), y = vd_from_f(b), z = vd_from_f(c), d;
	vl abs = l_splat(~(1ULL << 63));
	vf r;
	vi ok;

	d = (vd){ fma_odd(x.l, y.l, z.l), fma_odd(x.h, y.h, z.h) };
	d = vd_mul(d, bits_d(l_shl(l_add(l_from_i(e), l_splat(1023)), 52)));
	r = f_from_d(d);
	if (!cut)
		return r;
	/* One ulp back where rounding went away from zero; NaNs are kept. */
	ok = vd_le(bits_d(l_and(vd_bits(vd_from_f(r)), abs)), bits_d(l_and(vd_bits(d), abs)));
	return as_f(i_sub(as_i(r), ~ok & splat_i(1)));
}

#endif

/* a * b + c for operands that are halves: a * b is exact, the sum rounded to odd. */
#if VS_W == 1
#define h_fma(a, b, c)	sf_fma(a, b, c, 0, SF_ODD)
#else
static __always_inline vf h_fma(vf a, vf b, vf c)
{
	vf p = f_mul(a, b), s = f_add(p, c), back = f_sub(s, p), zero = splat_f(0);
	vf err = f_add(f_sub(p, f_sub(s, back)), f_sub(c, back));
	vi wrong = f_lt(err, zero) | f_lt(zero, err), bits = as_i(s);
	vi away = (as_i(err) ^ bits) >> 31, even = i_sub(bits & splat_i(1), splat_i(1));

	return as_f(i_add(bits, (away | splat_i(1)) & wrong & even));
}
#endif

/* ---- rounding to integers ---- */

#if VS_W == 1

static __always_inline vf f_rint(const u32 mode, vf a)
{
	switch (mode) {
	case SIMT_RTE:
		return sf_rint(a, SF_RTE);
	case SIMT_RTP:
		return sf_rint(a, SF_RTP);
	case SIMT_RTN:
		return sf_rint(a, SF_RTN);
	case SIMT_RTZ:
		return sf_rint(a, SF_RTZ);
	default:
		return sf_rint(a, SF_RTNA);
	}
}

#elif defined(VS_NEON)

static __always_inline vf f_rint(const u32 mode, vf a)
{
	switch (mode) {
	case SIMT_RTE:
		return VS_UN("frintn", vf, "4s", a);
	case SIMT_RTP:
		return VS_UN("frintp", vf, "4s", a);
	case SIMT_RTN:
		return VS_UN("frintm", vf, "4s", a);
	case SIMT_RTZ:
		return VS_UN("frintz", vf, "4s", a);
	default:
		return VS_UN("frinta", vf, "4s", a);
	}
}

#else

#if VS_W == 16
#define F_RINT_INSN	"vrndscaleps"
#else
#define F_RINT_INSN	"vroundps"
#endif

#define F_RINT(a, how) ({							\
	vf _r;									\
										\
	__asm__(F_RINT_INSN " %2, %1, %0" : "=v"(_r) : "v"(a), "i"(how));	\
	_r; })

static __always_inline vf f_trunc(vf a)
{
#if VS_W == 4
	vi sign = as_i(a) & splat_i(VS_F32_SIGN);
	/* false for NaN */
	vi small = f_lt(as_f(as_i(a) ^ sign), splat_f(0x4b000000));
	vi t = as_i(i_to_f(f_to_i(as_f(as_i(a) & small)))) | sign;

	return as_f(i_sel(small, t, as_i(a)));
#else
	return F_RINT(a, 11);
#endif
}

/* Add one away from zero where @m. */
static __always_inline vf f_away(vf t, vm m)
{
	vi one = (as_i(t) & splat_i(VS_F32_SIGN)) | splat_i(VS_F32_ONE);

	return f_add(t, as_f(m_and(m, one)));
}

static __always_inline vf f_rint_na(vf a)
{
	vf t = f_trunc(a), rest = as_f(as_i(f_sub(a, t)) & splat_i(VS_F32_ABS));
	vf r = f_away(t, m_fcmp(SIMT_GE, rest, splat_f(0x3f000000)));

	/* 0 + -0 would lose the sign. */
	return as_f(as_i(r) | (as_i(a) & splat_i(VS_F32_SIGN)));
}

#if VS_W == 4
static __always_inline vf f_rint(const u32 mode, vf a)
{
	vi sign = as_i(a) & splat_i(VS_F32_SIGN);
	vf t = f_trunc(a), r, big = splat_f(0x4b000000), abs = as_f(as_i(a) ^ sign);

	switch (mode) {
	case SIMT_RTE:
		r = f_sub(f_add(abs, big), big);
		r = f_sel(f_lt(abs, big), r, abs);
		break;
	case SIMT_RTP:
		r = f_away(t, f_lt(t, a));
		break;
	case SIMT_RTN:
		r = f_away(t, f_lt(a, t));
		break;
	case SIMT_RTZ:
		r = t;
		break;
	default:
		r = f_rint_na(a);
	}
	return as_f(as_i(r) | sign);
}
#else
static __always_inline vf f_rint(const u32 mode, vf a)
{
	switch (mode) {
	case SIMT_RTE:
		return F_RINT(a, 8);
	case SIMT_RTP:
		return F_RINT(a, 10);
	case SIMT_RTN:
		return F_RINT(a, 9);
	case SIMT_RTZ:
		return F_RINT(a, 11);
	default:
		return f_rint_na(a);
	}
}
#endif

#endif

/* Truncation to s32, saturated; NaN is 0. */
static __always_inline vi f_to_s32(vf a)
{
#if VS_W == 1
	u32 abs = a & VS_F32_ABS;

	if (abs >= 0x4f000000)
		return abs > VS_F32_INF ? 0 : a >> 31 ? (s32)VS_F32_SIGN : (s32)VS_F32_ABS;
	return f_to_i(a);
#elif defined(VS_NEON)
	return VS_UN("fcvtzs", vi, "4s", a);
#else
	/* The processor returns 0x80000000 if out of range. */
	vm big = m_fcmp(SIMT_GE, a, splat_f(0x4f000000));
	vm number = m_fcmp(SIMT_ORD, a, a);
	vi r;

#if VS_W == 4
	__asm__("cvttps2dq %1, %0" : "=x"(r) : "x"(a));
#else
	__asm__("vcvttps2dq %1, %0" : "=v"(r) : "v"(a));
#endif
	return m_and(number, r ^ m_and(big, splat_i(~0U)));
#endif
}

/* Truncation to u32, saturated; NaN is 0. */
static __always_inline vi f_to_u32(vf a)
{
#if VS_W == 1
	u32 e = a >> 23;

	if (a >= 0x4f800000)
		return a > VS_F32_INF ? 0 : -1;
	return e < 150 ? f_to_i(a) : (vi)(((a & 0x7fffff) | 0x800000) << (e - 150));
#elif defined(VS_NEON)
	return VS_UN("fcvtzu", vi, "4s", a);
#elif VS_W == 16
	vi r;

	a = f_max(a, splat_f(0));
	/* out of range: all ones */
	__asm__("vcvttps2udq %1, %0" : "=v"(r) : "v"(a));
	return r;
#else
	vf two31 = splat_f(0x4f000000);
	vi high, all, r;

	a = f_max(a, splat_f(0));
	high = f_le(two31, a);
	all = f_le(splat_f(0x4f800000), a);
	a = f_sub(a, as_f(as_i(two31) & high));
#if VS_W == 4
	__asm__("cvttps2dq %1, %0" : "=x"(r) : "x"(a));
#else
	__asm__("vcvttps2dq %1, %0" : "=v"(r) : "v"(a));
#endif
	return (r ^ (high & splat_i(0x80000000))) | all;
#endif
}

static __always_inline vf f_from_s32(vi a)
{
#if VS_W == 1
	return sf_from_int(a, SF_RTE);
#else
	return i_to_f(a);
#endif
}

static __always_inline vf f_from_u32(vi a)
{
#if VS_W == 1
	return sf_from_int((u32)a, SF_RTE);
#elif defined(VS_NEON)
	return VS_UN("ucvtf", vf, "4s", a);
#elif VS_W == 16
	vf r;

	__asm__("vcvtudq2ps %1, %0" : "=v"(r) : "v"(a));
	return r;
#else
	/* Both parts are exact, their sum is rounded once. */
	vf hi = f_mul(i_to_f(i_shr(a, 16)), splat_f(0x47800000));

	return f_add(hi, i_to_f(a & splat_i(0xffff)));
#endif
}

/* ---- halves ---- */

#if VS_W == 1

#define h_widen(h)	((vf)vs_f16_unpack(h))
#define h_narrow(f)	((vi)sh_from_float(f, SF_RTE))
#define h_narrow_by(mode, f)	h_narrow(f)
#define H_NARROW_MODES	SIMT_RTE

#elif defined(VS_NEON)

#define h_narrow_by(mode, f)	h_narrow(f)
#define H_NARROW_MODES	SIMT_RTE

/* Widen a half in each lane, upper bits clear. */
static __always_inline vf h_widen(vi h)
{
	vf r;

	__asm__("xtn %0.4h, %1.4s\n\tfcvtl %0.4s, %0.4h" : "=w"(r) : "w"(h));
	return r;
}

/* Narrow to a half, to nearest even. */
static __always_inline vi h_narrow(vf f)
{
	vi r;

	__asm__("fcvtn %0.4h, %1.4s\n\tuxtl %0.4s, %0.4h" : "=w"(r) : "w"(f));
	return r;
}

#elif VS_W == 4

#define h_narrow_by(mode, f)	h_narrow(f)
#define H_NARROW_MODES	SIMT_RTE

/* Widen a half in each lane, upper bits clear. */
static __always_inline vf h_widen(vi h)
{
	vi abs = h & splat_i(0x7fff), sign = i_shl(h ^ abs, 16);
	/* The multiplication corrects the exponent's bias, also for subnormals. */
	vf r = f_mul(as_f(i_shl(abs, 13)), splat_f(0x77800000));
	vi high = i_gt(abs, splat_i(0x7bff)) & splat_i(VS_F32_INF);

	return as_f(as_i(r) | high | sign);
}

/* Narrow to a half, to nearest even. */
static __always_inline vi h_narrow(vf f)
{
	vi abs = as_i(f) & splat_i(VS_F32_ABS), sign = i_shr(as_i(f) ^ abs, 16), half, low;
	vf magic = splat_f(0x3f000000);

	half = i_add(abs, splat_i(0xfff - (112 << 23)));
	half = i_shr(i_add(half, i_shr(abs, 13) & splat_i(1)), 13);
	/* The ulp of 1/2 is that of subnormal halves. */
	low = i_sub(as_i(f_add(as_f(abs), magic)), as_i(magic));
	half = i_sel(i_gt(splat_i(113 << 23), abs), low, half);
	half = i_sel(i_gt(abs, splat_i(0x477fffff)), splat_i(0x7c00), half);
	half = i_sel(i_gt(abs, splat_i(VS_F32_INF)), splat_i(SIMT_F16_NAN), half);
	return half | sign;
}

#else

typedef VS_VEC(u16, 2 * VS_W) vhalf;

static __always_inline vf h_widen_h(vhalf h)
{
	vf r;

	__asm__("vcvtph2ps %1, %0" : "=v"(r) : "v"(h));
	return r;
}

#define H_NARROW(f, how) ({								\
	vhalf _r;									\
											\
	__asm__("vcvtps2ph %2, %1, %0" : "=v"(_r) : "v"(f), "i"(how));			\
	_r; })

static __always_inline vhalf h_narrow_h(vf f)
{
	return H_NARROW(f, 0);
}

static __always_inline vf h_widen(vi h)
{
	return h_widen_h(__builtin_convertvector((vu)h, vhalf));
}

static __always_inline vi h_narrow(vf f)
{
	return (vi)__builtin_convertvector(h_narrow_h(f), vu);
}

/* All modes but RTNA. */
#define H_NARROW_MODES	SIMT_RTZ

static __always_inline vi h_narrow_by(u32 mode, vf f)
{
	vhalf r;

	switch (mode) {
	case SIMT_RTP:
		r = H_NARROW(f, 2);
		break;
	case SIMT_RTN:
		r = H_NARROW(f, 1);
		break;
	case SIMT_RTZ:
		r = H_NARROW(f, 3);
		break;
	default:
		r = H_NARROW(f, 0);
	}
	return (vi)__builtin_convertvector(r, vu);
}

#endif

/**
 * struct vh - The halves of a vector of words as floats, in an order private to h_split()
 * and h_join().
 * @x:	first part
 * @y:	second part
 */
struct vh {
	vf x;
	vf y;
};

static __always_inline struct vh h_split(vi w)
{
#if VS_W <= 4
	return (struct vh){ h_widen(w & splat_i(0xffff)), h_widen(i_shr(w, 16)) };
#else
	return (struct vh){ h_widen_h((vhalf)VS_LO(w)), h_widen_h((vhalf)VS_HI(w)) };
#endif
}

static __always_inline vi h_join(struct vh h)
{
#if VS_W <= 4
	return h_narrow(h.x) | i_shl(h_narrow(h.y), 16);
#else
	return VS_JOIN((vih)h_narrow_h(h.x), (vih)h_narrow_h(h.y));
#endif
}

/* ---- lanes and tables ---- */

/* Look up entries of a table of 16 words, aligned to 64 bytes. */
static __always_inline vi v_lookup(const u32 *table, vi index)
{
#if VS_W == 1
	return table[index];
#elif VS_W == 4
	vi r = {};
	u32 i;

	for (i = 0; i < 4; i++)
		r[i] = table[index[i]];
	return r;
#elif VS_W == 8
	vi low = ld_i(table), high = ld_i(table + 8);

	return v_permute2(low, high, index);
#else
	return v_permute(ld_i(table), index);
#endif
}

/* ---- blocks ---- */

/* 0, 1, 2 ... */
static __always_inline vi v_lanes(void)
{
#if VS_W == 1
	return 0;
#else
	vi r = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		r[i] = i;
	return r;
#endif
}

#define SIMT_VEC_LANES	((1ULL << VS_W) - 1)

/* Prepare v_put(). */
static __always_inline void v_masks(struct simt_block *b)
{
#if VS_W == 4 || VS_W == 8
	vi bits = {};
	u32 i;

	if (b->expanded == b->mask)
		return;
	for (i = 0; i < VS_W; i++)
		bits[i] = 1 << i;
	for (i = 0; i < SIMT_LANES; i += VS_W)
		st_i(b->lanemask + i, i_eq(splat_i(b->mask >> i) & bits, bits));
	b->expanded = b->mask;
#endif
}

/* All ones in active lanes. @mask: from this lane on. */
static __always_inline vi v_active(const struct simt_block *b, u64 mask, u32 lane)
{
#if VS_W == 1
	return -(vi)(mask & 1);
#elif VS_W == 16
	return m_and((vm)mask, splat_i(~0U));
#else
	return ld_i(b->lanemask + lane);
#endif
}

/* Store @r to the active lanes of @p. @mask: from this lane on. */
static __always_inline void v_put(const struct simt_block *b, u64 mask, u32 lane, u32 *p, vi r)
{
#if VS_W == 1
	*p = r;
#elif VS_W == 16
	__asm__("vmovdqa32 %1, %0%{%2%}" : "+m"(*(vi *)p) : "v"(r), "Yk"((vm)mask));
#else
	st_i(p, m_sel(ld_i(b->lanemask + lane), r, ld_i(p)));
#endif
}

#endif /* SIMT_VEC_H */
