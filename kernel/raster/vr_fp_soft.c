// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Depth and varyings: portable, with integers.
 */
#include "../engine/softfloat.h"
#include "vr_fp.h"

#define D	u64
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

static inline D d_from_s64(s64 a)
{
	return sd_from_int64(a < 0 ? -(u64)a : (u64)a, a < 0, SF_RTE);
}

static inline D d_from_s32(s32 a)
{
	return sd_from_int(a);
}

static inline D d_from_edge(s64 a)
{
	return d_from_s64(a);
}

static inline D d_from_bits(u64 a)
{
	return a;
}

static inline u64 d_bits(D a)
{
	return a;
}

static inline u32 d_to_f32(D a)
{
	return sd_to_float(a, SF_RTE);
}

static inline bool d_is_nan(D a)
{
	return a << 1 > EXP << 1;
}

#define FP_ENTRY(name)	vr_##name##_soft
#include "vr_fp_main.h"
