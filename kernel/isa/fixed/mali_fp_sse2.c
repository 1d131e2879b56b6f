// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Arithmetic of fragments: with the machine's binary64. Called in the FPU section only.
 */
#include "mali_fp.h"

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

#define FP_ENTRY(name)	mali_fp_##name##_sse2
#include "mali_fp_main.h"
