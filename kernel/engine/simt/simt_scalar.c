// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Rare operations of the SIMT machine, lane by lane in integers, for every executor build.
 * Operations on halves and bytes are in simt_scalar_int.c.
 */
#include "../softfloat.h"
#include "simt_scalar.h"

static const enum sf_round round_of[8] = {
	[SIMT_RTE] = SF_RTE, [SIMT_RTP] = SF_RTP, [SIMT_RTN] = SF_RTN, [SIMT_RTZ] = SF_RTZ,
	[SIMT_RTNA] = SF_RTNA,
};

static bool simt_scalar_is_nan(u32 a)
{
	return (a & VS_F32_ABS) > VS_F32_INF;
}

static u32 canon(u32 a)
{
	return simt_scalar_is_nan(a) ? SIMT_F32_NAN : a;
}

static u32 canon16(u32 a)
{
	return (a & 0x7fff) > 0x7c00 ? SIMT_F16_NAN : a;
}

static u32 clamp_float(u32 a, enum simt_clamp clamp)
{
	u32 lo = clamp == SIMT_CLAMP_M1_1 ? VS_F32_ONE | VS_F32_SIGN : 0;

	if (clamp == SIMT_CLAMP_NONE)
		return a;
	if (!sf_lt(lo, a))
		return lo;
	return clamp != SIMT_CLAMP_0_INF && sf_lt(VS_F32_ONE, a) ? VS_F32_ONE : a;
}

static u32 clamp_half(u32 a, enum simt_clamp clamp)
{
	return sh_from_float(clamp_float(vs_f16_unpack(a), clamp), SF_RTE);
}

static u32 fma_scaled(const u32 *s, u32 imm)
{
	int scale = max_t(s32, min_t(s32, s[3], 600), -600);
	u32 a = s[0], b = s[1];
	bool zero = !(a & 0x7fffffff) || !(b & 0x7fffffff);

	if (imm & 0x10 && zero && simt_scalar_is_nan(sf_mul(a, b, false))) {
		a = 0;
		b = 0;
	}
	if (imm & 0x20 && zero)
		b = 0x3f800000;
	return canon(sf_fma(a, b, s[2], scale, round_of[imm & 7]));
}

static u32 simt_scalar_two_halves(const u32 *s, u32 imm)
{
	u32 r = 0, i;

	for (i = 0; i < 2; i++) {
		u32 h = canon16(sh_from_float(s[i], round_of[imm & 7]));

		r |= clamp_half(h, imm >> 4 & 3) << (16 * i);
	}
	return r;
}

static u32 half_fma(const struct simt_uop *u, const u32 *s)
{
	u32 r = 0, x[3], half, i;

	for (half = 0; half < 2; half++) {
		for (i = 0; i < 3; i++) {
			x[i] = s[i] >> (16 * simt_swz_half(u->imm, i, half)) & 0xffff;
			if (u->mods & SIMT_ABS(i))
				x[i] &= 0x7fff;
			if (u->mods & SIMT_NEG(i))
				x[i] ^= 0x8000;
		}
		i = canon16(sh_fma(x[0], x[1], x[2], round_of[u->imm & 7]));
		r |= clamp_half(i, SIMT_CLAMP_OF(u->mods)) << (16 * half);
	}
	return r;
}

/* Operations on binary32 and conversions; 0 for other operations. */
static u32 float_op(const struct simt_uop *u, const u32 *s)
{
	u32 imm = u->imm;

	switch (u->op) {
	case SIMT_FMAR:
		return canon(sf_fma(s[0], s[1], s[2], 0, round_of[imm & 7]));
	case SIMT_FMASC:
		return fma_scaled(s, imm);
	case SIMT_I2F:
		return sf_from_int((s32)s[0], round_of[imm & 7]);
	case SIMT_U2F:
		return sf_from_int(s[0], round_of[imm & 7]);
	case SIMT_F2H2:
		return simt_scalar_two_halves(s, imm);
	case SIMT_HFMAR:
		return half_fma(u, s);
	default:
		return simt_scalar_int(u, s);
	}
}

/* Operands of a lane. */
static void simt_scalar_fetch(const struct simt_block *b, const struct simt_uop *u, u32 lane,
			      u32 *s)
{
	const struct simt_opinfo *info = &simt_opinfo[u->op];
	u32 i;

	for (i = 0; i < info->nsrc; i++) {
		s[i] = u->s[i] & SIMT_U ? b->unif[16 * (u->s[i] & ~SIMT_U)] :
					  b->slot[SIMT_LANES * u->s[i] + lane];
		if (info->class != SIMT_CL_F && info->class != SIMT_CL_B)
			continue;
		if (u->mods & SIMT_ABS(i))
			s[i] &= VS_F32_ABS;
		if (u->mods & SIMT_NEG(i))
			s[i] ^= VS_F32_SIGN;
	}
}

/* The lane read by CLPER. */
static u32 other_lane(u32 imm, u32 lane, u32 by)
{
	u32 n = 2U << (imm >> 4 & 3), own = lane & (n - 1), in;

	switch (imm & 3) {
	case SIMT_LANE_XOR:
		in = own ^ by;
		break;
	case SIMT_LANE_ACCUMULATE:
		in = own | by;
		break;
	case SIMT_LANE_SHIFT:
		in = own + by;
		break;
	default:
		in = by;
	}
	return (lane - own) + (in & (n - 1));
}

/* Results of CLPER for inactive lanes, by enum simt_inactive. */
const u32 simt_inactive_value[16] = {
	[SIMT_INACTIVE_ZERO] = 0, [SIMT_INACTIVE_UMAX] = ~0U, [SIMT_INACTIVE_I1] = 1,
	[SIMT_INACTIVE_V2I1] = 0x00010001, [SIMT_INACTIVE_SMIN] = 0x80000000,
	[SIMT_INACTIVE_SMAX] = 0x7fffffff, [SIMT_INACTIVE_V2SMIN] = 0x80008000,
	[SIMT_INACTIVE_V2SMAX] = 0x7fff7fff, [SIMT_INACTIVE_V4SMIN] = 0x80808080,
	[SIMT_INACTIVE_V4SMAX] = 0x7f7f7f7f, [SIMT_INACTIVE_F1] = 0x3f800000,
	[SIMT_INACTIVE_V2F1] = 0x3c003c00, [SIMT_INACTIVE_INFN] = 0xff800000,
	[SIMT_INACTIVE_INF] = 0x7f800000, [SIMT_INACTIVE_V2INFN] = 0xfc00fc00,
	[SIMT_INACTIVE_V2INF] = 0x7c007c00,
};

/* All lanes are read before one is written. */
static void permute_lanes(struct simt_block *b, const struct simt_uop *u)
{
	u32 *d = b->slot + SIMT_LANES * u->d, r[SIMT_LANES], s[4], lane, from;
	u32 none = simt_inactive_value[u->imm >> 8 & 15];
	u64 m;

	for (m = b->mask; m; m &= m - 1) {
		lane = __ffs64(m);
		simt_scalar_fetch(b, u, lane, s);
		from = other_lane(u->imm, lane, s[1]);
		simt_scalar_fetch(b, u, from, s);
		r[lane] = b->mask >> from & 1 ? s[0] : none;
	}
	for (m = b->mask; m; m &= m - 1)
		d[__ffs64(m)] = r[__ffs64(m)];
}

/**
 * simt_scalar - execute a micro-op lane by lane
 * @b: block
 * @u: an operation without vector code
 */
void simt_scalar(struct simt_block *b, const struct simt_uop *u)
{
	u32 *d = b->slot + SIMT_LANES * u->d, lane, s[4] = {}, r;
	bool clamp = simt_opinfo[u->op].class == SIMT_CL_F;
	u64 m;

	if (u->op == SIMT_CLPER) {
		permute_lanes(b, u);
		return;
	}
	for (m = b->mask; m; m &= m - 1) {
		lane = __ffs64(m);
		simt_scalar_fetch(b, u, lane, s);
		r = float_op(u, s);
		d[lane] = clamp ? clamp_float(r, SIMT_CLAMP_OF(u->mods)) : r;
	}
}
