/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * IEEE 754 arithmetic in integers, with the results of x86's SSE: the first NaN operand
 * wins, quieted, and invalid operations give the negative quiet NaN. Subnormals are
 * kept. @rz: round toward zero, else to nearest even.
 */
#ifndef VS_SOFTFLOAT_H
#define VS_SOFTFLOAT_H

#include "vs_glue.h"

/*
 * To nearest even, toward zero, up, down, to nearest with ties away from zero; to odd, which
 * may be rounded again to a format with two bits less.
 */
enum sf_round { SF_RTE, SF_RTZ, SF_RTP, SF_RTN, SF_RTNA, SF_ODD };

u32 sf_add(u32 a, u32 b, bool rz);
u32 sf_sub(u32 a, u32 b, bool rz);
u32 sf_mul(u32 a, u32 b, bool rz);
u32 sf_div(u32 a, u32 b, bool rz);
u32 sf_sqrt(u32 a, bool rz);
s32 sf_to_int(u32 a);
u32 sf_fma(u32 a, u32 b, u32 c, int scale, enum sf_round mode);
u32 sf_rint(u32 a, enum sf_round mode);
u32 sf_from_int(s64 a, enum sf_round mode);
bool sf_lt(u32 a, u32 b);
bool sf_le(u32 a, u32 b);
bool sf_eq(u32 a, u32 b);

u32 sh_fma(u32 a, u32 b, u32 c, enum sf_round mode);
u32 sh_from_float(u32 a, enum sf_round mode);

u64 sd_add(u64 a, u64 b, bool rz);
u64 sd_sub(u64 a, u64 b, bool rz);
u64 sd_mul(u64 a, u64 b, bool rz);
u64 sd_div(u64 a, u64 b, bool rz);
u64 sd_sqrt(u64 a, bool rz);
u64 sd_from_float(u32 a);
u32 sd_to_float(u64 a, enum sf_round mode);
u64 sd_fma(u64 a, u64 b, u64 c, enum sf_round mode);
u64 sd_rint(u64 a, enum sf_round mode);
u64 sd_from_int64(u64 a, bool neg, enum sf_round mode);
u64 sd_to_int64(u64 a, bool is_unsigned, enum sf_round mode);
bool sd_lt(u64 a, u64 b);
bool sd_eq(u64 a, u64 b);

static inline u32 sf_floor(u32 a)
{
	return sf_rint(a, SF_RTN);
}

/* Exact. */
static inline u64 sd_from_int(s32 a)
{
	return sd_from_int64(a < 0 ? -(u64)a : (u64)a, a < 0, SF_RTZ);
}

#endif /* VS_SOFTFLOAT_H */
