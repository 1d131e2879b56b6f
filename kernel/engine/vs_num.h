/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Number formats in integer arithmetic: the 24-bit format 1.7.16 (bias 63) of the
 * PICA200, kept in registers as the binary32 pattern of the same value.
 */
#ifndef VS_NUM_H
#define VS_NUM_H

#include "vs_glue.h"

#define VS_F32_ABS	0x7fffffffU
#define VS_F32_SIGN	0x80000000U
#define VS_F32_INF	0x7f800000U
#define VS_F32_QUIET	0x00400000U
#define VS_F32_ONE	0x3f800000U
#define VS_F32_NAN	0xffc00000U	/* result of an invalid operation */

#define VS_F24_MASK	0xffffff80U	/* binary32 bits that 1.7.16 keeps */
#define VS_F24_MIN	0x20800000U	/* 2^-62, smallest normal */
#define VS_F24_BIG	0x5f800000U	/* 2^64, first magnitude that is infinite */

/* Round magnitude @a at bit @s (1..23); carries correctly propagate into the exponent. */
static inline u32 vs_round_bits(u32 a, unsigned int s, bool nearest)
{
	u32 mant = (a & 0x7fffff) | 0x800000;

	if (nearest)
		a += (1U << (s - 1)) - 1 + (mant >> s & 1);
	return a & ~((1U << s) - 1);
}

/**
 * vs_f24_load - convert binary32 to 1.7.16
 * @bits:	binary32
 * @nearest:	round to nearest even, else toward zero
 *
 * For input values: the format's subnormals (multiples of 2^-78) are kept, as comparisons
 * see them; there is no negative zero; NaNs are kept, quieted.
 *
 * Return: bits of the same value in binary32, the low 7 of them clear.
 */
static inline u32 vs_f24_load(u32 bits, bool nearest)
{
	u32 a = bits & VS_F32_ABS, sign = bits & VS_F32_SIGN, e = a >> 23;

	if (a > VS_F32_INF)
		return (bits | VS_F32_QUIET) & VS_F24_MASK;
	if (e >= 65)
		a = vs_round_bits(a, 7, nearest);
	else if (e >= 49)
		a = vs_round_bits(a, 72 - e, nearest);
	else
		a = nearest && a > 48U << 23 ? 49U << 23 : 0;
	if (!a)
		return 0;
	return sign | (a >= VS_F24_BIG ? VS_F32_INF : a);
}

/* Raw 1.7.16 to binary32, exact. */
static inline u32 vs_f24_unpack(u32 raw)
{
	u32 sign = (raw & 0x800000) << 8, e = raw >> 16 & 0x7f, m = raw & 0xffff, n;

	if (e == 0x7f)
		return sign | VS_F32_INF | m << 7 | (m ? VS_F32_QUIET : 0);
	if (e)
		return sign | (e + 64) << 23 | m << 7;
	if (!m)
		return sign;
	n = 31 - __builtin_clz(m);
	return sign | (49 + n) << 23 | (m << (23 - n) & 0x7fffff);
}

/* Binary32 to raw 1.7.16, truncated. */
static inline u32 vs_f24_pack(u32 bits)
{
	u32 a = bits & VS_F32_ABS, sign = bits >> 8 & 0x800000, e = a >> 23;

	if (a > VS_F32_INF)
		return sign | 0x7f8000;
	if (a >= VS_F24_BIG)
		return sign | 0x7f0000;
	if (e >= 65)
		return sign | (e - 64) << 16 | (a & 0x7fffff) >> 7;
	if (e < 49)
		return sign;
	return sign | ((a & 0x7fffff) | 0x800000) >> (72 - e);
}

/* Binary16 to binary32, exact. */
static inline u32 vs_f16_unpack(u32 h)
{
	u32 sign = (h & 0x8000) << 16, e = h >> 10 & 0x1f, m = h & 0x3ff, n;

	if (e == 0x1f)
		return sign | VS_F32_INF | m << 13 | (m ? VS_F32_QUIET : 0);
	if (e)
		return sign | (e + 112) << 23 | m << 13;
	if (!m)
		return sign;
	n = 31 - __builtin_clz(m);
	return sign | (103 + n) << 23 | (m << (23 - n) & 0x7fffff);
}

/* The same; NaNs become the positive quiet one. */
static inline u32 vs_f16_to_f32(u32 h)
{
	return (h & 0x7fff) > 0x7c00 ? VS_F32_INF | VS_F32_QUIET : vs_f16_unpack(h);
}

/* Integer of magnitude below 2^24 to binary32, exact. */
static inline u32 vs_i2f(s32 v)
{
	u32 a = v < 0 ? -(u32)v : (u32)v, n;

	if (!a)
		return 0;
	n = 31 - __builtin_clz(a);
	return (v < 0 ? VS_F32_SIGN : 0) | (127 + n) << 23 | (a << (23 - n) & 0x7fffff);
}

/*
 * The optimistic float24 executor keeps values multiplied by 2^-64: the hardware's
 * flush to zero then happens exactly where 1.7.16's does. Only zeros and normals of
 * magnitude below VS_F24_SAFE (times 2^64) may be scaled.
 */
#define VS_F24_SCALE	(64U << 23)
#define VS_F24_SAFE	0x4f000000U	/* 2^31 */

static inline bool vs_f24_scalable(u32 bits)
{
	u32 a = bits & VS_F32_ABS;

	return !a || (a >= VS_F24_MIN && a < VS_F24_SAFE);
}

static inline u32 vs_f24_scale(u32 bits)
{
	return bits & VS_F32_ABS ? bits - VS_F24_SCALE : 0;
}

/* Infinities and NaNs are unchanged. */
static inline u32 vs_f24_unscale(u32 bits)
{
	u32 a = bits & VS_F32_ABS;

	return a >= VS_F32_INF ? bits : a ? bits + VS_F24_SCALE : 0;
}

#endif /* VS_NUM_H */
