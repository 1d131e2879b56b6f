/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Operations on halves and bytes that vector units lack for these widths: the parts of a word are
 * processed one after the other, as words.
 */
#ifndef SIMT_PART_H
#define SIMT_PART_H

#include "simt_num.h"

enum part_op {
	PART_MUL, PART_SAT, PART_HADD, PART_ABS, PART_SHL, PART_SHR, PART_ASR, PART_CLZ
};

/* Part @k of @bits bits, zero- or sign-extended. */
static __always_inline vi part_get(vi a, const u32 bits, const u32 k, bool is_signed)
{
	a = i_shl(a, 32 - bits * (k + 1));
	if (is_signed)
		return a >> (32 - bits);
	return i_shr(a, 32 - bits);
}

static __always_inline vi part_saturated(const u32 bits, bool is_signed, vi r)
{
	u32 lo = is_signed ? ~0U << (bits - 1) : 0, hi = ~0U >> (32 - bits + is_signed);

	return i_max(i_min(r, splat_i(hi)), splat_i(lo));
}

static __always_inline vi part_clz(const u32 bits, u32 imm, vi a)
{
	vi r = i_sub(num_clz(0, a), splat_i(32 - bits));

	if (imm & 1)
		r |= i_eq(a, splat_i(0));
	return r;
}

/* Operation on one part; the caller truncates the result. */
static __always_inline vi part_one(const enum part_op op, const u32 bits, const u32 k, u32 imm,
				   vi a, vi b)
{
	bool sg = !(imm & 2);
	vi x = part_get(a, bits, k, false), n = part_get(b, bits, k, false);

	n &= splat_i(bits - 1);
	switch (op) {
	case PART_MUL:
		return i_mul(x, part_get(b, bits, k, false));
	case PART_SAT:
		x = part_get(a, bits, k, sg);
		n = part_get(b, bits, k, sg);
		return part_saturated(bits, sg, imm & 1 ? i_sub(x, n) : i_add(x, n));
	case PART_HADD:
		x = i_add(part_get(a, bits, k, sg), part_get(b, bits, k, sg));
		return i_add(x, splat_i(imm & 1)) >> 1;
	case PART_ABS:
		x = part_get(a, bits, k, true);
		return i_max(x, i_sub(splat_i(0), x));
	case PART_SHL:
		return v_shl(x, n);
	case PART_SHR:
		return v_shr(x, n);
	case PART_ASR:
		return v_sar(part_get(a, bits, k, true), n);
	default:	/* PART_CLZ */
		return part_clz(bits, imm, x);
	}
}

static __always_inline vi part_in_place(const enum part_op op, const u32 bits, const u32 k,
					u32 imm, vi a, vi b)
{
	return i_shl(part_one(op, bits, k, imm, a, b) & splat_i((1U << bits) - 1), bits * k);
}

static __always_inline vi part_all(const enum part_op op, const u32 bits, u32 imm, vi a, vi b)
{
	vi r = part_in_place(op, bits, 0, imm, a, b) | part_in_place(op, bits, 1, imm, a, b);

	if (bits < 16)
		r |= part_in_place(op, bits, 2, imm, a, b) | part_in_place(op, bits, 3, imm, a, b);
	return r;
}

#endif /* SIMT_PART_H */
