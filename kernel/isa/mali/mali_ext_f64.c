// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Midgard's binary64 operations: lane by lane, in integer arithmetic, so that all executors
 * agree. No GL compiler emits any.
 */
#include "../../engine/softfloat.h"
#include "../midgard/midgard_ext.h"
#include "mali_run_int.h"

#define ONE		0x3ff0000000000000ULL
#define NAN64		0x7ff8000000000000ULL
#define INF64		0x7ff0000000000000ULL
#define SIGN64		BIT_ULL(63)
#define NAN32		0x7fc00000U

static const enum sf_round rounds[8] = {
	[SIMT_RTE] = SF_RTE, [SIMT_RTP] = SF_RTP, [SIMT_RTN] = SF_RTN, [SIMT_RTZ] = SF_RTZ,
	[SIMT_RTNA] = SF_RTNA,
};

static bool mx_f64_is_nan(u64 a)
{
	return (a & ~SIGN64) > INF64;
}

static u64 canonical(u64 a)
{
	return mx_f64_is_nan(a) ? NAN64 : a;
}

/* Clamp by enum simt_clamp; NaN becomes the lower limit. */
static u64 mx_f64_clamped(u64 a, u32 clamp)
{
	u64 low = clamp == SIMT_CLAMP_M1_1 ? ONE | SIGN64 : 0;

	if (clamp == SIMT_CLAMP_NONE)
		return a;
	if (!sd_lt(low, a))
		return low;
	return clamp != SIMT_CLAMP_0_INF && sd_lt(ONE, a) ? ONE : a;
}

static u64 suppressed(u64 a)
{
	if (mx_f64_is_nan(a))
		return 0;
	/* infinity becomes the largest finite number */
	return (a & ~SIGN64) == INF64 ? a - 1 : a;
}

static u64 mx_f64_min_max(u64 a, u64 b, bool is_max, bool keeps_nan)
{
	if (mx_f64_is_nan(a) || mx_f64_is_nan(b)) {
		if (keeps_nan || (mx_f64_is_nan(a) && mx_f64_is_nan(b)))
			return NAN64;
		return mx_f64_is_nan(a) ? b : a;
	}
	/* -0 is less than +0 */
	if (sd_eq(a, b))
		return (a >> 63) == is_max ? b : a;
	return sd_lt(a, b) == is_max ? b : a;
}

static u64 mx_f64_from_int(u64 a, bool is_unsigned, enum sf_round mode)
{
	bool neg = !is_unsigned && a >> 63;

	return sd_from_int64(neg ? -a : a, neg, mode);
}

static u64 narrowed(u64 a, enum sf_round mode)
{
	return mx_f64_is_nan(a) ? NAN32 : sd_to_float(a, mode);
}

static u64 mx_f64_execute(u32 imm, const u64 s[3])
{
	enum sf_round mode = rounds[MGX_F64_ROUND(imm)];

	switch (MGX_F64_FN(imm)) {
	case MGX_F64_ADD:
		return canonical(sd_fma(s[0], ONE, s[1], mode));
	case MGX_F64_MUL:
		/* the added zero's sign keeps the sign of a zero product */
		return canonical(sd_fma(s[0], s[1], mode == SF_RTN ? 0 : SIGN64, mode));
	case MGX_F64_FMA:
		return canonical(sd_fma(s[0], s[1], s[2], mode));
	case MGX_F64_MIN:
	case MGX_F64_MAX:
		return mx_f64_min_max(s[0], s[1], MGX_F64_FN(imm) == MGX_F64_MAX,
				      imm & MGX_F64_NAN);
	case MGX_F64_RINT:
		return canonical(sd_rint(s[0], mode));
	case MGX_F64_EQ:
		return sd_eq(s[0], s[1]) ? ~0ULL : 0;
	case MGX_F64_NE:
		return sd_eq(s[0], s[1]) ? 0 : ~0ULL;
	case MGX_F64_LT:
		return sd_lt(s[0], s[1]) ? ~0ULL : 0;
	case MGX_F64_LE:
		return sd_lt(s[0], s[1]) || sd_eq(s[0], s[1]) ? ~0ULL : 0;
	case MGX_F64_TO_S64:
		return sd_to_int64(s[0], false, mode);
	case MGX_F64_TO_U64:
		return sd_to_int64(s[0], true, mode);
	case MGX_F64_FROM_S64:
		return mx_f64_from_int(s[0], false, mode);
	case MGX_F64_FROM_U64:
		return mx_f64_from_int(s[0], true, mode);
	case MGX_F64_FROM_F32:
		return canonical(sd_from_float((u32)s[0]));
	case MGX_F64_TO_F32:
		return narrowed(s[0], mode);
	default:
		return s[0];
	}
}

static u64 mx_f64_operand(const struct simt_block *b, const struct simt_uop *u, u32 k, u32 lane)
{
	u64 v;

	if (k < 2)
		v = sx_src64(b, u, 2 * k, lane);
	else
		v = *sx_slot(b, u->d2, lane) | (u64)*sx_slot(b, u->d2 + 1, lane) << 32;
	if (u->imm & MGX_F64_ABS(k))
		v &= ~SIGN64;
	return u->imm & MGX_F64_NEG(k) ? v ^ SIGN64 : v;
}

bool mgx_f64(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, k;
	u64 s[3], r;

	EACH_LANE(l, b->mask) {
		for (k = 0; k < 3; k++)
			s[k] = mx_f64_operand(b, u, k, l);
		r = mx_f64_execute(u->imm, s);
		if (u->imm & MGX_F64_SUPPRESS)
			r = suppressed(r);
		r = mx_f64_clamped(r, MGX_F64_CLAMP(u->imm));
		*sx_slot(b, u->d, l) = (u32)r;
		*sx_slot(b, u->d + 1, l) = r >> 32;
	}
	return true;
}
