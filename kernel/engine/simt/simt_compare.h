/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The comparison of BRCMP for all lanes of a block, for the executors and simt_lanes.h.
 */
#ifndef SIMT_COMPARE_H
#define SIMT_COMPARE_H

#include "simt_vec.h"

static __always_inline vm compare_vector(const u32 cmp, const u32 of, vi a, vi b)
{
	if (of == SIMT_CMP_F)
		return m_fcmp(cmp, as_f(a), as_f(b));
#if VS_W == 8
	if (of == SIMT_CMP_U && (cmp == SIMT_GE || cmp == SIMT_LE)) {
		vi r;

		if (cmp == SIMT_GE)
			__asm__("vpmaxud %2, %1, %0" : "=x"(r) : "x"(a), VS_XM(b));
		else
			__asm__("vpminud %2, %1, %0" : "=x"(r) : "x"(a), VS_XM(b));
		return i_eq(r, a);
	}
#endif
	return of == SIMT_CMP_I ? m_icmp(cmp, a, b) : m_ucmp(cmp, a, b);
}

/* @a_step, @b_step: words from one vector to the next. */
static __always_inline u64 compare_by(const u32 cmp, const u32 of, const u32 *a, u32 a_step,
				      const u32 *b, u32 b_step)
{
	static const u8 opposite[] = {
		[SIMT_EQ] = SIMT_NE, [SIMT_NE] = SIMT_EQ, [SIMT_GT] = SIMT_LE,
		[SIMT_LE] = SIMT_GT, [SIMT_GE] = SIMT_LT, [SIMT_LT] = SIMT_GE,
	};
	/* those that have no instruction; floats have other opposites */
	const bool order = VS_W == 8 && of == SIMT_CMP_U ? cmp == SIMT_GT || cmp == SIMT_LT :
			   cmp == SIMT_GE || cmp == SIMT_LE;
	const bool not = VS_W < 16 && of != SIMT_CMP_F && (cmp == SIMT_NE || order);
	const u32 by = not ? opposite[cmp] : cmp;
	u64 set = 0;
	u32 l;

	VS_UNROLL(8)
	for (l = 0; l < SIMT_LANES; l += VS_W, a += a_step, b += b_step)
		set |= m_bits(compare_vector(by, of, ld_i(a), ld_i(b))) << l;
	return not ? ~set : set;
}

/* Lanes for which comparison @how, n of BRCMP without SIMT_BRCMP_NOT, holds. */
static u64 simt_compared(u32 how, const u32 *a, u32 a_step, const u32 *b, u32 b_step)
{
	switch (how) {
	case SIMT_BRCMP(SIMT_EQ, SIMT_CMP_F):
		return compare_by(SIMT_EQ, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GT, SIMT_CMP_F):
		return compare_by(SIMT_GT, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GE, SIMT_CMP_F):
		return compare_by(SIMT_GE, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_NE, SIMT_CMP_F):
		return compare_by(SIMT_NE, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LT, SIMT_CMP_F):
		return compare_by(SIMT_LT, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LE, SIMT_CMP_F):
		return compare_by(SIMT_LE, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GTLT, SIMT_CMP_F):
		return compare_by(SIMT_GTLT, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_ORD, SIMT_CMP_F):
		return compare_by(SIMT_ORD, SIMT_CMP_F, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_EQ, SIMT_CMP_I):
		return compare_by(SIMT_EQ, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GT, SIMT_CMP_I):
		return compare_by(SIMT_GT, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GE, SIMT_CMP_I):
		return compare_by(SIMT_GE, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_NE, SIMT_CMP_I):
		return compare_by(SIMT_NE, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LT, SIMT_CMP_I):
		return compare_by(SIMT_LT, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LE, SIMT_CMP_I):
		return compare_by(SIMT_LE, SIMT_CMP_I, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_EQ, SIMT_CMP_U):
		return compare_by(SIMT_EQ, SIMT_CMP_U, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GT, SIMT_CMP_U):
		return compare_by(SIMT_GT, SIMT_CMP_U, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_GE, SIMT_CMP_U):
		return compare_by(SIMT_GE, SIMT_CMP_U, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_NE, SIMT_CMP_U):
		return compare_by(SIMT_NE, SIMT_CMP_U, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LT, SIMT_CMP_U):
		return compare_by(SIMT_LT, SIMT_CMP_U, a, a_step, b, b_step);
	case SIMT_BRCMP(SIMT_LE, SIMT_CMP_U):
		return compare_by(SIMT_LE, SIMT_CMP_U, a, a_step, b, b_step);
	default:
		return 0;
	}
}

#endif /* SIMT_COMPARE_H */
