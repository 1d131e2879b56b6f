// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Arithmetic of fragments: portable, with integers.
 */
#include "../../engine/softfloat.h"
#include "mali_fp.h"

#define D	u64

#define TWO_16	0x40f0000000000000ULL
#define TWO_32	0x41f0000000000000ULL
#define EXP	0x7ff0000000000000ULL

static inline D dp_add(D a, D b)
{
	return sd_add(a, b, false);
}

static inline D dp_sub(D a, D b)
{
	return sd_sub(a, b, false);
}

static inline D dp_mul(D a, D b)
{
	return sd_mul(a, b, false);
}

static inline D dp_div(D a, D b)
{
	return sd_div(a, b, false);
}

static inline D d_from_f32(u32 a)
{
	return sd_from_float(a);
}

/* Exact below 2^53. */
static inline D d_from_s64(s64 a)
{
	D hi = sd_mul(sd_from_int(a >> 32), TWO_32, false);
	D mid = sd_mul(sd_from_int(a >> 16 & 0xffff), TWO_16, false);

	return sd_add(sd_add(hi, mid, false), sd_from_int(a & 0xffff), false);
}

static inline u32 d_to_f32(D a)
{
	return sd_to_float(a, SF_RTE);
}

static inline bool d_is_nan(D a)
{
	return a << 1 > EXP << 1;
}

#define FP_ENTRY(name)	mali_fp_##name##_soft
#include "mali_fp_main.h"
