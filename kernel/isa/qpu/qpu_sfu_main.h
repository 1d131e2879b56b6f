/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A build of the special function unit. The including file has defined the vector primitives and
 * QPU_SFU_ENTRY, the name of its function. Functions are those of the shared executor, to nearest.
 */
#include "../../engine/exec_models.h"
#include "qpu_vm.h"

#ifndef VS_RZ
#define VS_RZ		false
#endif
#define VS_FN(name)	f32x_##name
#define VS_MODEL	VS_M_F32X
#include "../../engine/exec_num.h"

/* Clamp an operand: exponent 0 to 0, exponent 255 to infinity. */
static __always_inline vi qpu_sfu_input(vi v)
{
	vi e = v & splat_i(VS_F32_INF), big = i_eq(e, splat_i(VS_F32_INF));

	return v & ~i_eq(e, splat_i(0)) & ~(big & splat_i(0x7fffff));
}

static __always_inline vi qpu_sfu_output(vi v)
{
	return v & ~i_eq(v & splat_i(VS_F32_INF), splat_i(0));
}

#if VS_W == 1

/*
 * The executor rounds the square root and the quotient: the result may be one off. It is
 * right if x times the square of the middle between it and a neighbour is not on the wrong
 * side of 1. The products are as near to a power of two from 2^71 to 2^75 as 2^53, so that
 * the low 64 bits, with a sign, are the exact difference.
 */
static u32 round_rsqrt(u32 x, u32 y)
{
	/* the exponent without its bias may be odd */
	u64 m = (u64)((x & 0x7fffff) | 0x800000) << !(x & 0x800000);
	u64 n = (y & 0x7fffff) | 0x800000, nm = 4 * n * m, nnm = n * nm;
	s64 above = nnm + nm + m, below = nnm - nm + m;	/* (2n + 1)^2 m, (2n - 1)^2 m */
	u32 step;

	if (n == 0x800000)
		below = 4 * nnm - 2 * nm + m;	/* (4n - 1)^2 m */
	/* one up or down, without branches; not for 0 and infinity */
	step = (u32)((u64)above >> 63) - (u32)((u64)-below >> 63);
	return y + (step & -(u32)(x - 1 < VS_F32_INF - 1));
}

static vf qpu_sfu_rsqrt(vf x)
{
	return round_rsqrt(x, f32x_rsq(x));
}

#else

/* Binary64 is exact enough to be rounded again: seen of the mantissas of two exponents, all. */
static __always_inline vf qpu_sfu_rsqrt(vf x)
{
	return f_from_d(vd_div(vd_splat(0x3ff0000000000000ULL), vd_sqrt(vd_from_f(x))));
}

#endif

static __always_inline vf qpu_sfu_function(u32 fn, vf x)
{
	switch (fn) {
	case QPU_W_SFU_RECIP:
		return f32x_rcp(x);
	case QPU_W_SFU_RSQRT:
		return qpu_sfu_rsqrt(x);
	case QPU_W_SFU_EXP:
		return f32x_ex2(x);
	default:
		return f32x_lg2(x);
	}
}

/* @fn is constant. */
static __always_inline void qpu_sfu_vectors(u32 fn, u32 n, const u32 *const *v, u32 *const *r)
{
	vi keep = splat_i(fn == QPU_W_SFU_RSQRT || fn == QPU_W_SFU_LOG ? VS_F32_ABS : ~0U), x;
	u32 k, l;

	for (k = 0; k < n; k++) {
		for (l = 0; l < QPU_LANES; l += VS_W) {
			x = qpu_sfu_input(ld_i(v[k] + l) & keep);
			st_i(r[k] + l, qpu_sfu_output(as_i(qpu_sfu_function(fn, as_f(x)))));
		}
	}
}

noinline void QPU_SFU_ENTRY(u32 fn, u32 n, const u32 *const *v, u32 *const *r)
{
	switch (fn) {
	case QPU_W_SFU_RECIP:
		qpu_sfu_vectors(QPU_W_SFU_RECIP, n, v, r);
		break;
	case QPU_W_SFU_RSQRT:
		qpu_sfu_vectors(QPU_W_SFU_RSQRT, n, v, r);
		break;
	case QPU_W_SFU_EXP:
		qpu_sfu_vectors(QPU_W_SFU_EXP, n, v, r);
		break;
	default:
		qpu_sfu_vectors(QPU_W_SFU_LOG, n, v, r);
		break;
	}
}
