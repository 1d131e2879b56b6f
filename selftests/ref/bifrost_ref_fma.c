// SPDX-License-Identifier: GPL-2.0
/* Operations of the multiplier unit, 23 bits each, in the Bifrost reference model. */
#include <math.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

enum fma_op {
	NOP, BITREV, MOV, POPCOUNT, CLZ, F16_TO_F32, S16_TO_S32, U16_TO_U32, DTSEL_IMM,
	FREXPE, FREXPE_LOG, IMUL, IMUL_H, IMUL_B, FREXPM, FREXPM_LOG, FROUND, FROUND_NA,
	ARSHIFT, MKVEC, ATOM_C1, ATOM_C, ATOM_POST, IADDC, FADD_LSCALE, LSHIFT_AND, LSHIFT_OR,
	LSHIFT_XOR, RSHIFT_AND, RSHIFT_OR, RSHIFT_XOR, V2F32_TO_V2F16, CSEL_F32, CSEL_I32,
	CSEL_S32, CSEL_U32, CSEL_V2I16, FADD, FCMP, FMA_RSCALE, FMA, FMA_V2F16,
};

/* The more bits an entry fixes the earlier it stands. */
static const struct fma_entry {
	uint32_t mask, value;
	enum fma_op op;
} table[] = {
	{ 0x7fffff, 0x701963, NOP },
	{ 0x7ffff8, 0x701fc0, BITREV },
	{ 0x7ffff8, 0x701968, MOV },
	{ 0x7ffff8, 0x73c6d8, POPCOUNT },
	{ 0x7ffff0, 0x701fd0, CLZ },
	{ 0x7ffff0, 0x700d10, F16_TO_F32 },
	{ 0x7fffe8, 0x700cc0, S16_TO_S32 },
	{ 0x7fffe8, 0x700cc8, U16_TO_U32 },
	{ 0x7fffe0, 0x70f3e0, DTSEL_IMM },
	{ 0x7fffe0, 0x701e20, FREXPE_LOG },
	{ 0x7fffc0, 0x73c0c0, IMUL },
	{ 0x7ffea0, 0x701c20, FREXPE },
	{ 0x7fff20, 0x701b20, FREXPM },
	{ 0x7fff20, 0x701a20, FREXPM_LOG },
	{ 0x7ffe60, 0x707620, FROUND_NA },
	{ 0x7ff838, 0x335018, ARSHIFT },
	{ 0x7ff9c0, 0x73c8c0, IMUL_H },
	{ 0x7fff00, 0x70f000, MKVEC },
	{ 0x7ffe00, 0x2f7e00, ATOM_C1 },
	{ 0x7ff860, 0x70c020, FROUND },
	{ 0x7ffe00, 0x27fc00, IADDC },
	{ 0x7ff1c0, 0x73b0c0, IMUL_B },
	{ 0x7ffc00, 0x6ee400, ATOM_POST },
	{ 0x7ffc00, 0x70f400, FADD_LSCALE },
	{ 0x7fd800, 0x325000, LSHIFT_XOR },
	{ 0x7fd800, 0x321000, RSHIFT_XOR },
	{ 0x7fe000, 0x2f6000, ATOM_C },
	{ 0x7fe000, 0x2e4000, CSEL_S32 },
	{ 0x7fe000, 0x2e6000, CSEL_U32 },
	{ 0x7f3800, 0x311000, LSHIFT_AND },
	{ 0x7f3800, 0x313000, LSHIFT_OR },
	{ 0x7f3800, 0x301000, RSHIFT_AND },
	{ 0x7f3800, 0x303000, RSHIFT_OR },
	{ 0x7fe000, 0x6e8000, V2F32_TO_V2F16 },
	{ 0x7ff000, 0x2e3000, CSEL_I32 },	/* the fourth comparison of CSEL.f32 */
	{ 0x7ff000, 0x6e3000, CSEL_V2I16 },
	{ 0x7fc000, 0x2e0000, CSEL_F32 },
	{ 0x7e0000, 0x2c0000, FADD },
	{ 0x7c0000, 0x240000, FCMP },
	{ 0x7c0000, 0x280000, FMA_RSCALE },
	{ 0x600000, 0x000000, FMA },
	{ 0x600000, 0x400000, FMA_V2F16 },
};

/* Abs and negation of a float of 32 bits. */
static uint32_t mod(uint32_t v, bool abs, bool neg)
{
	if (abs)
		v &= 0x7fffffff;
	return neg ? v ^ 0x80000000 : v;
}

static uint32_t widen(uint32_t v, unsigned int how)
{
	return how ? mrf_half(mrf_lane16(v, how - 1)) : v;
}

/* Where an operation has one source: 1 none, 2 low half, 3 high half; 0 is not defined. */
static uint32_t widen_one(uint32_t op, uint32_t v)
{
	unsigned int how = mrf_field(op, 3, 2);

	return widen(v, how ? how - 1 : 0);
}

/* The eight pairs of widenings: 0 whole word, 1 low half, 2 high half. */
static const uint8_t widen_pair[8][2] = {
	{ 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 1 }, { 1, 2 }, { 2, 2 }, { 1, 0 }, { 2, 0 },
};

static unsigned int bit(uint32_t op, unsigned int at)
{
	return op >> at & 1;
}

static uint32_t fma_f32(struct mrf *g, uint32_t op, const uint32_t *s)
{
	const uint8_t *w = widen_pair[mrf_field(op, 9, 3)];
	uint32_t a = mod(widen(s[0], w[0]), bit(op, 12), bit(op, 17));
	uint32_t b = mod(widen(s[1], w[1]), bit(op, 19), false);
	uint32_t c = mod(s[2], bit(op, 20), bit(op, 18));

	if (g->unfused) {
		a = mrf_fma(a, b, 0x80000000, 0, mrf_field(op, 13, 2));
		b = 0x3f800000;
	}
	return mrf_clamp(mrf_fma(a, b, c, 0, mrf_field(op, 13, 2)), mrf_field(op, 15, 2));
}

static uint32_t fadd_f32(uint32_t op, const uint32_t *s)
{
	const uint8_t *w = widen_pair[mrf_field(op, 9, 3)];
	uint32_t a = mod(widen(s[0], w[0]), bit(op, 12), bit(op, 7));
	uint32_t b = mod(widen(s[1], w[1]), bit(op, 6), bit(op, 8));

	return mrf_clamp(mrf_fma(a, 0x3f800000, b, 0, mrf_field(op, 13, 2)),
			 mrf_field(op, 15, 2));
}

static uint32_t fcmp_f32(uint32_t op, const uint32_t *s)
{
	static const uint32_t yes[4] = { 1, 0x3f800000, 0xffffffff, 0 };
	const uint8_t *w = widen_pair[mrf_field(op, 9, 3)];
	uint32_t a = mod(widen(s[0], w[0]), bit(op, 12), bit(op, 7));
	uint32_t b = mod(widen(s[1], w[1]), bit(op, 6), bit(op, 8));

	return mrf_fcmp(mrf_f(a), mrf_f(b), mrf_field(op, 13, 3)) ?
		yes[mrf_field(op, 16, 2)] : 0;
}

static uint32_t rscale(uint32_t op, const uint32_t *s)
{
	unsigned int how = mrf_field(op, 12, 3);
	uint32_t a = mod(s[0], bit(op, 15), bit(op, 16));
	uint32_t c = mod(s[2], false, bit(op, 17));
	uint32_t b = s[1];
	bool zero = mrf_f(a) == 0 || mrf_f(b) == 0;
	int scale = (int32_t)s[3];

	/* 4, 5: n; 6: the scale has 16 bits; 7: left */
	if (how == 6)
		scale = (int16_t)scale;
	if (how == 7 && zero)
		b = mrf_bits(1);
	if ((how == 4 || how == 5) && zero && isnan(mrf_f(a) * mrf_f(b))) {
		a = 0;
		b = 0;
	}
	return mrf_clamp(mrf_fma(a, b, c, scale, how == 5 ? MRF_RTZ : MRF_RTE),
			 how < 4 ? how : MRF_CLAMP_NONE);
}

static uint32_t fma_v2f16(uint32_t op, const uint32_t *s)
{
	/* swizzles h00 h10 h01 h11: bit 0 chooses the low result's half, bit 1 the high one's */
	uint32_t res = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		uint16_t a = mrf_lane16(s[0], op >> (9 + i));
		uint16_t b = mrf_lane16(s[1], op >> (11 + i));
		uint16_t c = mrf_lane16(s[2], op >> (19 + i));
		double d;

		a ^= bit(op, 17) << 15;
		c ^= bit(op, 18) << 15;
		d = mrf_fma_odd(mrf_f(mrf_half(a)), mrf_f(mrf_half(b)), mrf_f(mrf_half(c)));
		if (mrf_field(op, 13, 2) == MRF_RTN)
			d = mrf_zero_down(d, (double)mrf_f(mrf_half(a)) * mrf_f(mrf_half(b)),
					  mrf_f(mrf_half(c)));
		res |= (uint32_t)mrf_clamp_half(mrf_to_half(d, mrf_field(op, 13, 2)),
						mrf_field(op, 15, 2)) << (16 * i);
	}
	return res;
}

static uint32_t shift(uint32_t op, enum fma_op what, const uint32_t *s)
{
	unsigned int n = mrf_lane8(s[2], mrf_field(op, 9, 2)) & 31;
	bool left = what == LSHIFT_AND || what == LSHIFT_OR || what == LSHIFT_XOR;
	uint32_t a = left ? s[0] << n : s[0] >> n;
	uint32_t b = s[1];

	switch (what) {
	case LSHIFT_AND:
	case RSHIFT_AND:
		a &= bit(op, 14) ? ~b : b;
		/* the result is inverted if the bit is clear */
		return bit(op, 15) ? a : ~a;
	case LSHIFT_OR:
	case RSHIFT_OR:
		/* the operand is inverted if the bit is clear */
		a |= bit(op, 14) ? b : ~b;
		return bit(op, 15) ? ~a : a;
	default:
		a ^= b;
		return bit(op, 13) ? ~a : a;
	}
}

static uint32_t fround(uint32_t op, uint32_t v, enum mrf_round round)
{
	v = mod(widen_one(op, v), bit(op, 7), bit(op, 8));
	return mrf_to_single(mrf_round_int(mrf_f(v), round), MRF_RTE);
}

static uint32_t imul_lane(uint32_t op, const uint32_t *s, enum fma_op what)
{
	uint32_t b;

	if (what == IMUL_H) {
		b = mrf_lane16(s[1], op >> 9);
		return s[0] * (bit(op, 10) ? (uint32_t)(int16_t)b : b);
	}
	b = mrf_lane8(s[1], op >> 9);
	return s[0] * (bit(op, 11) ? (uint32_t)(int8_t)b : b);
}

static uint32_t bitrev(uint32_t v)
{
	uint32_t r = 0;
	unsigned int i;

	for (i = 0; i < 32; i++)
		r |= (v >> i & 1) << (31 - i);
	return r;
}

/* C1 forms have the operand in the operation: 1, -1, the largest, 1. */
static void atom_c1(struct bfr_step *st, unsigned int op)
{
	static const uint8_t as[8] = { MRF_ADD, MRF_ADD, MRF_UMAX, MRF_SMAX, MRF_OR };
	static const uint32_t arg[8] = { 1, 0xffffffff, 1, 1, 1 };

	if (op > 4)
		return;
	st->atom = as[op];
	st->atom_arg = arg[op];
}

static uint32_t csel_f32(uint32_t op, const uint32_t *s)
{
	/* eq, gt, ge; the others are made by exchanging sources */
	return mrf_fcmp(mrf_f(s[0]), mrf_f(s[1]), mrf_field(op, 12, 2)) ? s[2] : s[3];
}

static uint32_t csel_v2i16(const uint32_t *s)
{
	uint32_t res = 0, m;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		m = 0xffffu << (16 * i);
		res |= ((s[0] ^ s[1]) & m ? s[3] : s[2]) & m;
	}
	return res;
}

static uint32_t exec(struct mrf *g, enum fma_op what, uint32_t op, const uint32_t *s,
		     struct bfr_step *st)
{
	switch (what) {
	case NOP:
		return 0;
	case MOV:
	case DTSEL_IMM:		/* which table: only the first is in use */
		return s[0];
	case BITREV:
		return bitrev(s[0]);
	case POPCOUNT:
		return (uint32_t)__builtin_popcount(s[0]);
	case CLZ:
		if (bit(op, 3))
			return s[0] ? (uint32_t)__builtin_clz(s[0]) : 0xffffffff;
		return s[0] ? (uint32_t)__builtin_clz(s[0]) : 32;
	case F16_TO_F32:
		return mrf_half(mrf_lane16(s[0], op >> 3));
	case S16_TO_S32:
		return (uint32_t)(int16_t)mrf_lane16(s[0], op >> 4);
	case U16_TO_U32:
		return mrf_lane16(s[0], op >> 4);
	case FREXPE:
	case FREXPE_LOG: {
		int e = bfr_frexpe(widen_one(op, s[0]),
				   what == FREXPE_LOG ? BFR_FREXP_LOG :
				   bit(op, 8) ? BFR_FREXP_SQRT : BFR_FREXP);

		return (uint32_t)(what == FREXPE && bit(op, 6) ? -e : e);
	}
	case FREXPM:
		return bfr_frexpm(mod(widen_one(op, s[0]), bit(op, 6), false),
				  bit(op, 7) ? BFR_FREXP_SQRT : BFR_FREXP);
	case FREXPM_LOG:
		return bfr_frexpm(mod(widen_one(op, s[0]), bit(op, 6), bit(op, 7)),
				  BFR_FREXP_LOG);
	case FROUND:
		return fround(op, s[0], mrf_field(op, 9, 2));
	case FROUND_NA:
		return fround(op, s[0], MRF_RTNA);
	case IMUL:
		return s[0] * s[1];
	case IMUL_H:
	case IMUL_B:
		return imul_lane(op, s, what);
	case ARSHIFT:
		return (uint32_t)((int32_t)s[0] >> (mrf_lane8(s[2], mrf_field(op, 9, 2)) & 31));
	case MKVEC:
		return mrf_lane16(s[0], op >> 6) | (uint32_t)mrf_lane16(s[1], op >> 7) << 16;
	case ATOM_C:
		st->atom = (int)mrf_field(op, 9, 4);
		st->atom_arg = s[2];
		return 0;
	case ATOM_C1:
		atom_c1(st, mrf_field(op, 6, 3));
		return 0;
	case ATOM_POST:
		return mrf_atom_op(mrf_field(op, 6, 4), s[0], s[1]);
	case IADDC:
		return s[0] + s[1] + (s[2] & 1);
	case FADD_LSCALE:
		/* Used only to prepare FLOGD: the second operand without its exponent. */
		return mrf_fma(mod(s[0], bit(op, 6), bit(op, 7)), 0x3f800000,
			       mod(bfr_frexpm(s[1], BFR_FREXP_LOG), bit(op, 8), bit(op, 9)),
			       0, MRF_RTE);
	case LSHIFT_AND:
	case LSHIFT_OR:
	case LSHIFT_XOR:
	case RSHIFT_AND:
	case RSHIFT_OR:
	case RSHIFT_XOR:
		return shift(op, what, s);
	case V2F32_TO_V2F16: {
		uint32_t a = mod(s[0], bit(op, 6), bit(op, 7));
		uint32_t b = mod(s[1], bit(op, 6), bit(op, 7));
		unsigned int clamp = mrf_field(op, 8, 2), round = mrf_field(op, 10, 3);

		if (round > MRF_RTNA)
			break;
		return mrf_clamp_half(mrf_to_half(mrf_f(a), round), clamp) |
			(uint32_t)mrf_clamp_half(mrf_to_half(mrf_f(b), round), clamp) << 16;
	}
	case CSEL_F32:
		return csel_f32(op, s);
	case CSEL_I32:
		return s[0] == s[1] ? s[2] : s[3];
	case CSEL_S32:
		return (int32_t)s[0] > (int32_t)s[1] || (bit(op, 12) && s[0] == s[1]) ?
			s[2] : s[3];
	case CSEL_U32:
		return s[0] > s[1] || (bit(op, 12) && s[0] == s[1]) ? s[2] : s[3];
	case CSEL_V2I16:
		return csel_v2i16(s);
	case FADD:
		return fadd_f32(op, s);
	case FCMP:
		return fcmp_f32(op, s);
	case FMA_RSCALE:
		return rscale(op, s);
	case FMA:
		return fma_f32(g, op, s);
	case FMA_V2F16:
		return fma_v2f16(op, s);
	}
	mrf_fail(g, true, "FMA operation %06x: modifiers", op);
	return 0;
}

uint32_t bfr_exec_fma(struct mrf *g, uint32_t op, const uint32_t *src, struct bfr_step *s)
{
	unsigned int i;
	uint32_t res;

	if (bfr_more_fma(op, src, &res))
		return res;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if ((op & table[i].mask) == table[i].value)
			return exec(g, table[i].op, op, src, s);
	mrf_fail(g, true, "FMA operation %06x", op);
	return 0;
}
