// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversions between binary32, binary16 and integers, in integer arithmetic.
 */
#include "px_pack.h"

#define F32_INF		0x7f800000
#define F16_INF		0x7c00
#define F16_NAN		0x7e00

/* @v >> @n, to nearest even; @n up to 63. */
static u64 shift_even(u64 v, u32 n)
{
	u64 rest, half;

	if (!n)
		return v;
	rest = v & ((1ULL << n) - 1);
	half = 1ULL << (n - 1);
	v >>= n;
	return v + (rest > half || (rest == half && v & 1));
}

/**
 * px_f32_to_f16 - narrow to binary16, nearest even
 * @f: binary32
 */
u32 px_f32_to_f16(u32 f)
{
	u32 sign = f >> 16 & 0x8000, a = f & 0x7fffffff, e = a >> 23, m;

	if (a > F32_INF)
		return F16_NAN;
	if (e >= 143)
		return sign | F16_INF;
	/* A carry out of the mantissa increments the exponent, up to infinity. */
	if (e >= 113)
		return sign | (u32)shift_even(a - (112U << 23), 13);
	if (e < 101)
		return sign;
	m = (a & 0x7fffff) | 0x800000;
	return sign | (u32)shift_even(m, 126 - e);
}

/**
 * px_f32_to_u32 - truncate to unsigned, saturated
 * @f: binary32; NaN becomes 0
 */
u32 px_f32_to_u32(u32 f)
{
	u32 e = f >> 23 & 0xff, m = (f & 0x7fffff) | 0x800000;

	if (f >> 31 || f > F32_INF || e < 127)
		return 0;
	if (e >= 159)
		return ~0U;
	return e >= 150 ? m << (e - 150) : m >> (150 - e);
}

/**
 * px_f32_to_s32 - truncate to signed, saturated
 * @f: binary32; NaN becomes 0
 */
u32 px_f32_to_s32(u32 f)
{
	u32 v = px_f32_to_u32(f & 0x7fffffff), limit = 0x7fffffffU + (f >> 31);

	v = min(v, limit);
	return f >> 31 ? -v : v;
}

/**
 * px_u32_to_f32 - convert to binary32, nearest even
 * @v: integer
 */
u32 px_u32_to_f32(u32 v)
{
	u32 lead;

	if (!v)
		return 0;
	lead = 31 - __builtin_clz(v);
	/* The leading bit adds one to the exponent. */
	if (lead <= 23)
		return ((126 + lead) << 23) + (v << (23 - lead));
	return ((126 + lead) << 23) + (u32)shift_even(v, lead - 23);
}

/**
 * px_s32_to_f32 - convert to binary32, nearest even
 * @v: signed integer
 */
u32 px_s32_to_f32(u32 v)
{
	return v >> 31 ? 0x80000000 | px_u32_to_f32(-v) : px_u32_to_f32(v);
}
