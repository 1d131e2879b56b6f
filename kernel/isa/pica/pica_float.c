// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 number formats, see pica_float.h. All have infinities, NaN and
 * subnormals like IEEE 754 formats of their widths.
 */
#include "pica_float.h"

#define F32_MAN		23
#define F32_BIAS	127
#define F32_INF		0x7f800000u

#define F24_MAN		16
#define F24_BIAS	63
#define F24_SIGN	0x800000u
#define F24_INF		0x7f0000u
#define F24_QUIET	0x008000u
#define F24_DROP	(F32_MAN - F24_MAN)

/* Widen a sign-exponent-mantissa pattern; every value is exact in binary32. */
static u32 pica_float_widen(u32 raw, unsigned int exp_bits, unsigned int man_bits)
{
	u32 man = raw & ((1u << man_bits) - 1);
	u32 top = (1u << exp_bits) - 1;
	u32 exp = (raw >> man_bits) & top;
	u32 sign = ((raw >> (exp_bits + man_bits)) & 1) << 31;
	u32 bias = top >> 1;

	if (exp == top)
		return sign | F32_INF | man << (F32_MAN - man_bits);
	if (!exp && !man)
		return sign;
	if (!exp) {
		/* Normalise: move the leading one to the implicit bit. */
		exp = 1;
		while (!(man >> man_bits)) {
			man <<= 1;
			exp--;
		}
		man &= (1u << man_bits) - 1;
	}
	/* exp may have wrapped below 0, the sum does not. */
	return sign | (exp + F32_BIAS - bias) << F32_MAN | man << (F32_MAN - man_bits);
}

/**
 * pica_f24_to_f32() - widen 1.7.16
 * @raw: pattern in bits 0..23
 *
 * Return: binary32 pattern of the same value.
 */
u32 pica_f24_to_f32(u32 raw)
{
	return pica_float_widen(raw, 7, 16);
}

/**
 * pica_f20_to_f32() - widen 1.7.12
 * @raw: pattern in bits 0..19
 *
 * Return: binary32 pattern of the same value.
 */
u32 pica_f20_to_f32(u32 raw)
{
	return pica_float_widen(raw, 7, 12);
}

/**
 * pica_f16_to_f32() - widen 1.5.10
 * @raw: pattern in bits 0..15
 *
 * Return: binary32 pattern of the same value.
 */
u32 pica_f16_to_f32(u32 raw)
{
	return pica_float_widen(raw, 5, 10);
}

/* Shift out and round the lowest @drop bits of @man, 0 < @drop < 32. */
static u32 shift_round(u32 man, unsigned int drop, bool nearest)
{
	u32 rest = man & ((1u << drop) - 1);
	u32 half = 1u << (drop - 1);
	u32 out = man >> drop;

	if (nearest && (rest > half || (rest == half && (out & 1))))
		out++;
	return out;
}

/* Convert the magnitude of a finite, non-zero binary32 to 1.7.16. */
static u32 pica_float_narrow(u32 mag, u32 flags)
{
	bool nearest = flags & PICA_TO_F24_NEAREST;
	u32 man = mag & ((1u << F32_MAN) - 1);
	int exp = (int)(mag >> F32_MAN) - F32_BIAS + F24_BIAS;
	u32 out;

	if (exp > 0) {
		/* A carry out of the mantissa increments the exponent. */
		out = ((u32)exp << F24_MAN) + shift_round(man, F24_DROP, nearest);
		return min(out, F24_INF);
	}
	/* Underflow; subnormal binary32 numbers are far below the range. */
	if (exp < -F24_MAN - 1)
		return 0;
	out = shift_round(man | 1u << F32_MAN, F24_DROP + 1 - exp, nearest);
	/* A value that rounded up to the smallest normal number is kept. */
	if ((flags & PICA_TO_F24_FLUSH) && out < 1u << F24_MAN)
		return 0;
	return out;
}

/**
 * pica_f32_to_f24() - round binary32 to 1.7.16
 * @bits: binary32 pattern
 * @flags: PICA_TO_F24_*
 *
 * Magnitudes of 2^64 and more become infinity in either rounding mode. NaN stay
 * NaN, quiet, with the upper bits of their payload.
 *
 * Return: pattern in bits 0..23.
 */
u32 pica_f32_to_f24(u32 bits, u32 flags)
{
	u32 mag = bits & ~(1u << 31);
	u32 sign = bits >> 31 ? F24_SIGN : 0;
	u32 out;

	if (mag > F32_INF)
		return sign | F24_INF | F24_QUIET | ((mag >> F24_DROP) & (F24_QUIET - 1));
	if (mag == F32_INF)
		return sign | F24_INF;
	out = mag ? pica_float_narrow(mag, flags) : 0;
	if (!out && ((flags & PICA_TO_F24_NO_NEG_ZERO) || (mag && (flags & PICA_TO_F24_FLUSH))))
		sign = 0;
	return sign | out;
}

/**
 * pica_f32_round_f24() - round a binary32 value to the precision of 1.7.16
 * @bits: binary32 pattern
 * @flags: PICA_TO_F24_*
 *
 * Return: binary32 pattern of the rounded value.
 */
u32 pica_f32_round_f24(u32 bits, u32 flags)
{
	return pica_f24_to_f32(pica_f32_to_f24(bits, flags));
}

/**
 * pica_unpack_f24() - unpack a vector from three words of a packed uniform upload
 * @words: in the order of the register writes
 * @raw: x, y, z, w as 1.7.16 patterns
 */
void pica_unpack_f24(const u32 words[3], u32 raw[4])
{
	raw[0] = words[2] & 0xffffff;
	raw[1] = (words[1] & 0xffff) << 8 | words[2] >> 24;
	raw[2] = (words[0] & 0xff) << 16 | words[1] >> 16;
	raw[3] = words[0] >> 8;
}

/**
 * pica_pack_f24() - pack a vector to three words of a uniform upload
 * @raw: x, y, z, w as 1.7.16 patterns
 * @words: in the order of the register writes
 */
void pica_pack_f24(const u32 raw[4], u32 words[3])
{
	words[0] = raw[3] << 8 | (raw[2] >> 16 & 0xff);
	words[1] = (raw[2] & 0xffff) << 16 | (raw[1] >> 8 & 0xffff);
	words[2] = (raw[1] & 0xff) << 24 | (raw[0] & 0xffffff);
}

/**
 * pica_unpack_f32() - unpack a vector from four words of a 32-bit uniform upload
 * @words: in the order of the register writes: w, z, y, x
 * @bits: x, y, z, w as binary32 patterns
 */
void pica_unpack_f32(const u32 words[4], u32 bits[4])
{
	unsigned int c;

	for (c = 0; c < 4; c++)
		bits[c] = words[3 - c];
}
