/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth and varyings: with the machine's binary64. In FPU sections only.
 */
#include "vr_fp.h"

#define D	double

static inline D dp_add(D a, D b)
{
	return a + b;
}

static inline D dp_sub(D a, D b)
{
	return a - b;
}

static inline D dp_mul(D a, D b)
{
	return a * b;
}

static inline D dp_div(D a, D b)
{
	return a / b;
}

static inline D d_from_f32(u32 a)
{
	float f;

	memcpy(&f, &a, sizeof(f));
	return f;
}

static inline D d_from_s64(s64 a)
{
	return (double)a;
}

static inline D d_from_s32(s32 a)
{
	return (double)a;
}

static inline D d_from_bits(u64 a)
{
	double d;

	memcpy(&d, &a, sizeof(d));
	return d;
}

/* Without an instruction for each lane. */
static inline D d_from_edge(s64 a)
{
	const double bias = 0x1.8p52;
	u64 bits;

	memcpy(&bits, &bias, sizeof(bits));
	return d_from_bits(bits + (u64)a) - bias;
}

static inline u64 d_bits(D a)
{
	u64 bits;

	memcpy(&bits, &a, sizeof(bits));
	return bits;
}

static inline u32 d_to_f32(D a)
{
	float f = (float)a;
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static inline bool d_is_nan(D a)
{
	return a != a;
}

#include "vr_fp_main.h"
