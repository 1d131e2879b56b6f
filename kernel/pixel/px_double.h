/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Binary64 primitives of the fixed-function units: fd with the processor's, if
 * PX_DOUBLE_NATIVE is defined; else in integers. Results differ in NaNs only.
 */
#ifndef PX_DOUBLE_H
#define PX_DOUBLE_H

#include "../engine/softfloat.h"
#include "px_pack.h"

#ifdef PX_DOUBLE_NATIVE

#define fd	double

static __always_inline fd d_from_bits(u64 bits)
{
	fd a;

	memcpy(&a, &bits, sizeof(a));
	return a;
}

static __always_inline u64 d_bits(fd a)
{
	u64 bits;

	memcpy(&bits, &a, sizeof(bits));
	return bits;
}

static __always_inline fd dp_add(fd a, fd b)
{
	return a + b;
}

static __always_inline fd dp_sub(fd a, fd b)
{
	return a - b;
}

static __always_inline fd dp_mul(fd a, fd b)
{
	return a * b;
}

static __always_inline fd dp_div(fd a, fd b)
{
	return a / b;
}

static __always_inline fd d_from_f32(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static __always_inline u32 d_to_f32(fd a)
{
	float f = (float)a;
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static __always_inline fd d_from_unorm8(u32 n)
{
	const u32 bits = 0x3b808081;	/* 1 / 255 */
	float by;

	memcpy(&by, &bits, sizeof(by));
	return (float)(s32)n * by;
}

static __always_inline fd d_from_s32(s32 i)
{
	return i;
}

static __always_inline fd d_from_s64(s64 a)
{
	return (fd)a;
}

/* Truncation; magnitude below 2^31. */
static __always_inline s32 d_to_s32(fd a)
{
	return (s32)a;
}

/* Magnitude below 2^51. */
static __always_inline fd d_floor(fd a)
{
	/* sums with it are rounded to integers */
	const fd big = d_from_bits(0x4338000000000000ULL);
	fd near = a + big - big;

	return a < near ? near - 1 : near;
}

static __always_inline bool d_is_less(fd a, fd b)
{
	return a < b;
}

#else

#define fd	u64

static __always_inline fd d_from_bits(u64 bits)
{
	return bits;
}

static __always_inline u64 d_bits(fd a)
{
	return a;
}

static __always_inline fd dp_add(fd a, fd b)
{
	return sd_add(a, b, false);
}

static __always_inline fd dp_sub(fd a, fd b)
{
	return sd_sub(a, b, false);
}

static __always_inline fd dp_mul(fd a, fd b)
{
	return sd_mul(a, b, false);
}

static __always_inline fd dp_div(fd a, fd b)
{
	return sd_div(a, b, false);
}

static __always_inline fd d_from_f32(u32 bits)
{
	return sd_from_float(bits);
}

static __always_inline u32 d_to_f32(fd a)
{
	return sd_to_float(a, SF_RTE);
}

static __always_inline fd d_from_unorm8(u32 n)
{
	return sd_from_float(px_unorm8_to_f32(n));
}

static __always_inline fd d_from_s32(s32 i)
{
	return sd_from_int(i);
}

static __always_inline fd d_from_s64(s64 a)
{
	return sd_from_int64(a < 0 ? -(u64)a : (u64)a, a < 0, SF_RTE);
}

static __always_inline s32 d_to_s32(fd a)
{
	s32 e = (s32)(a >> 52 & 0x7ff) - 1023, i;

	if (e < 0)
		return 0;
	i = (s32)(((a & (BIT_ULL(52) - 1)) | BIT_ULL(52)) >> (52 - e));
	return a >> 63 ? -i : i;
}

static __always_inline fd d_floor(fd a)
{
	fd whole = d_from_s32(d_to_s32(a));

	return sd_lt(a, whole) ? sd_sub(whole, d_from_s32(1), false) : whole;
}

static __always_inline bool d_is_less(fd a, fd b)
{
	return sd_lt(a, b);
}

#endif

static __always_inline bool d_is_nan(fd a)
{
	return d_bits(a) << 1 > 0xffe0000000000000ULL;
}

#endif /* PX_DOUBLE_H */
