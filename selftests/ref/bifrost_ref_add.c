// SPDX-License-Identifier: GPL-2.0
/* Operations of the adder unit, 20 bits each, in the Bifrost reference model. */
#include <stddef.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

enum add_op {
	NOP, BARRIER, F32_TO_S32, F32_TO_S32_NA, F32_TO_U32, F32_TO_U32_NA, FLOGD, IABS, JUMP,
	MOV, S32_TO_F32, U32_TO_F32, F16_TO_F32, FCOS, FSIN, S16_TO_F32, S16_TO_S32,
	U16_TO_F32, U16_TO_U32, S8_TO_F32, S8_TO_S32, U8_TO_F32, U8_TO_U32, FEXP_TABLE, FEXP,
	FLOG_RED, FLOG_LOG, FRCP, FRSQ, FRCP_APPROX, FRSQ_APPROX, ACMPXCHG, AXCHG, FREXPE,
	FREXPE_LOG, FREXPM, FREXPM_LOG, IADD, IADD_H, IADD_B, ISUB, ISUB_H, ISUB_B, ICMP_I,
	ICMP_S, ICMP_U, MKVEC, ATOM_CX, BRANCHZ, FROUND, LOAD32, LOAD64, LOAD96, LOAD128,
	STORE32, STORE64, STORE96, STORE128, LD_ATTR, LD_ATTR_AUTO, LD_ATTR_TEX,
	LD_ATTR_TEX_AUTO, LEA_ATTR_TEX, LEA_ATTR_TEX_AUTO, TEXC, MUX, ST_CVT,
	V2F32_TO_V2F16, FMAX, FMIN, FADD, FCMP, FCMP_V2F16,
	CLPER, CLPER_OLD, ATEST, BLEND, LD_VAR, LD_VAR_FLAT, LD_VAR_SPECIAL, TEXS, LEA_ATTR,
	LEA_ATTR_AUTO, ZS_EMIT, LD_TILE,
};

/* The more bits an entry fixes the earlier it stands. */
static const struct add_entry {
	uint32_t mask, value;
	enum add_op op;
} table[] = {
	{ 0xfffff, 0xd7874, BARRIER },
	{ 0xfffff, 0x3d964, NOP },
	{ 0xffff8, 0x3cca0, F32_TO_S32_NA },
	{ 0xffff8, 0x3cca8, F32_TO_U32_NA },
	{ 0xffff8, 0x66340, FLOGD },
	{ 0xffff8, 0x3dea0, IABS },
	{ 0xffe3f, 0x6fe34, JUMP },
	{ 0xffff8, 0x3d968, MOV },
	{ 0xffff0, 0x3cd10, F16_TO_F32 },
	{ 0xfffe8, 0x67a88, FCOS },
	{ 0xfffe8, 0x67a80, FSIN },
	{ 0xfffe8, 0x3cce0, S16_TO_F32 },
	{ 0xfffe8, 0x3ccc0, S16_TO_S32 },
	{ 0xfffe8, 0x3cce8, U16_TO_F32 },
	{ 0xfffe8, 0x3ccc8, U16_TO_U32 },
	{ 0xfffc8, 0x3c980, F32_TO_S32 },
	{ 0xfffc8, 0x3c988, F32_TO_U32 },
	{ 0xfffe0, 0x67ac0, FEXP_TABLE },
	{ 0xfffe0, 0x3de20, FREXPE_LOG },
	{ 0xfffc8, 0x3cbc0, S32_TO_F32 },
	{ 0xfffc8, 0x3cb80, S8_TO_F32 },
	{ 0xfffc8, 0x3cb40, S8_TO_S32 },
	{ 0xfffc8, 0x3cbc8, U32_TO_F32 },
	{ 0xfffc8, 0x3cb88, U8_TO_F32 },
	{ 0xfffc8, 0x3cb48, U8_TO_U32 },
	{ 0xfffc0, 0x66ac0, FEXP },
	{ 0xfffc0, 0x67300, FLOG_RED },
	{ 0xfffc0, 0x67b00, FLOG_LOG },
	{ 0xfffe0, 0x66000, FRCP },
	{ 0xfffc0, 0x67000, FRCP_APPROX },
	{ 0xfffe0, 0x66100, FRSQ },
	{ 0xfffc0, 0x67100, FRSQ_APPROX },
	{ 0xfffc0, 0x3f0c0, CLPER_OLD },
	{ 0xffdc0, 0x644c0, ACMPXCHG },
	{ 0xffdc0, 0x640c0, AXCHG },
	{ 0xffea0, 0x3dc20, FREXPE },
	{ 0xfff20, 0x3db20, FREXPM },
	{ 0xfff20, 0x3da20, FREXPM_LOG },
	{ 0xffe40, 0xbc600, IADD },
	{ 0xffe40, 0xbd600, ISUB },
	{ 0xffb80, 0x7b300, ICMP_I },
	{ 0xffb80, 0x7b200, ICMP_S },
	{ 0xffb80, 0x7b280, ICMP_U },
	{ 0xfff00, 0x75300, MKVEC },
	{ 0xffe00, 0xd7400, ATOM_CX },
	{ 0xffe00, 0x6f800, BRANCHZ },
	{ 0xff860, 0x3e820, FROUND },
	{ 0xfff00, 0xc8f00, ATEST },
	{ 0xffe00, 0xca800, BLEND },
	{ 0xff800, 0xcb000, LD_TILE },
	{ 0xffc40, 0xbec00, IADD_H },
	{ 0xffc40, 0xbfc00, ISUB_H },
	{ 0xff840, 0xbe000, IADD_B },
	{ 0xff840, 0xbf000, ISUB_B },
	{ 0xffe00, 0x60c00, LOAD32 },
	{ 0xffe00, 0x60e00, LOAD64 },
	{ 0xffe00, 0x65400, LOAD96 },
	{ 0xffe00, 0x61000, LOAD128 },
	{ 0xffe00, 0x62c00, STORE32 },
	{ 0xffe00, 0x62e00, STORE64 },
	{ 0xffe00, 0x65c00, STORE96 },
	{ 0xffe00, 0x61200, STORE128 },
	{ 0xffe00, 0xc8600, LEA_ATTR_TEX_AUTO },
	{ 0x7c3e0, 0x500a0, LD_VAR_SPECIAL },
	{ 0xffc00, 0xc8000, LEA_ATTR_AUTO },
	{ 0xffc00, 0xd7000, TEXC },
	{ 0xfe600, 0xc4600, LD_ATTR_TEX_AUTO },
	{ 0xff800, 0x74000, MUX },
	{ 0xff800, 0xc9800, ST_CVT },
	{ 0xff800, 0xd7800, ZS_EMIT },
	{ 0xfe400, 0xc4000, LD_ATTR_AUTO },
	{ 0x7f800, 0x53800, LD_VAR_FLAT },
	{ 0xfc600, 0xc0600, LEA_ATTR_TEX },
	{ 0xfc400, 0xc0000, LEA_ATTR },
	{ 0xfe000, 0x76000, V2F32_TO_V2F16 },
	{ 0xfc000, 0x7c000, CLPER },
	{ 0xfc000, 0x58000, TEXS },
	{ 0x7c000, 0x50000, LD_VAR },
	{ 0xf0600, 0x00000, FMAX },
	{ 0xf0600, 0x10000, FMIN },
	{ 0xf0600, 0x40600, LD_ATTR_TEX },
	{ 0xf0400, 0x40000, LD_ATTR },
	{ 0xf0000, 0x20000, FADD },
	{ 0xf0000, 0x30000, FCMP },
	{ 0xf0000, 0xb0000, FCMP_V2F16 },
};

static unsigned int bit(uint32_t op, unsigned int at)
{
	return op >> at & 1;
}

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

/* The four pairs of widenings that the adder has. */
static const uint8_t widen_pair[4][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 1 } };

/* Values of a true comparison by result type; the last is not a type. */
static const uint32_t yes32[4] = { 1, 0x3f800000, 0xffffffff, 0 };
static const uint32_t yes16[4] = { 1, 0x3c00, 0xffff, 0 };

static uint32_t fadd_f32(uint32_t op, const uint32_t *s)
{
	const uint8_t *w = widen_pair[mrf_field(op, 9, 2)];
	uint32_t a = mod(widen(s[0], w[0]), bit(op, 15), bit(op, 7));
	uint32_t b = mod(widen(s[1], w[1]), bit(op, 6), bit(op, 8));

	return mrf_clamp(mrf_fma(a, 0x3f800000, b, 0, mrf_field(op, 13, 2)),
			 mrf_field(op, 11, 2));
}

static uint32_t fcmp_f32(uint32_t op, const uint32_t *s)
{
	const uint8_t *w = widen_pair[mrf_field(op, 9, 2)];
	uint32_t a = mod(widen(s[0], w[0]), bit(op, 11), bit(op, 13));
	uint32_t b = mod(widen(s[1], w[1]), bit(op, 12), false);

	return mrf_fcmp(mrf_f(a), mrf_f(b), mrf_field(op, 6, 3)) ?
		yes32[mrf_field(op, 14, 2)] : 0;
}

static uint32_t fcmp_v2f16(uint32_t op, const uint32_t *s)
{
	uint32_t res = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		uint32_t a = mod(mrf_half(mrf_lane16(s[0], op >> (9 + i))), false, bit(op, 13));
		uint32_t b = mrf_half(mrf_lane16(s[1], op >> (11 + i)));

		if (mrf_fcmp(mrf_f(a), mrf_f(b), mrf_field(op, 6, 3)))
			res |= yes16[mrf_field(op, 14, 2)] << (16 * i);
	}
	return res;
}

static uint32_t icmp(enum add_op what, uint32_t op, uint32_t a, uint32_t b)
{
	bool res;

	if (what == ICMP_I)
		res = (a == b) != bit(op, 6);
	else if (a == b)
		res = bit(op, 6);
	else if (what == ICMP_S)
		res = (int32_t)a > (int32_t)b;
	else
		res = a > b;
	return res ? yes32[bit(op, 10) ? 2 : 0] : 0;
}

static uint32_t iadd(uint32_t op, uint32_t a, uint32_t b, bool sub)
{
	int64_t d;

	if (!bit(op, 8))
		return sub ? a - b : a + b;
	if (bit(op, 7)) {
		d = sub ? (int64_t)a - b : (int64_t)a + b;
		return d < 0 ? 0 : d > 0xffffffff ? 0xffffffff : (uint32_t)d;
	}
	d = sub ? (int64_t)(int32_t)a - (int32_t)b : (int64_t)(int32_t)a + (int32_t)b;
	if (d > INT32_MAX)
		d = INT32_MAX;
	return (uint32_t)(d < INT32_MIN ? INT32_MIN : d);
}

/* The lane of the second source, extended as the operation is signed or not. */
static uint32_t iadd_lane(uint32_t op, uint32_t v, bool byte)
{
	bool is_unsigned = bit(op, 7);

	if (byte) {
		v = mrf_lane8(v, op >> 9);
		return is_unsigned ? v : (uint32_t)(int8_t)v;
	}
	v = mrf_lane16(v, op >> 9);
	return is_unsigned ? v : (uint32_t)(int16_t)v;
}

static uint32_t mux(struct mrf *g, uint32_t op, const uint32_t *s)
{
	switch (mrf_field(op, 9, 2)) {
	case 1:
		return s[2] ? s[1] : s[0];
	case 2:
		return mrf_f(s[2]) != 0 ? s[1] : s[0];
	case 3:
		return (s[0] & s[2]) | (s[1] & ~s[2]);
	default:
		mrf_fail(g, true, "MUX by sign");
		return 0;
	}
}

static uint32_t from_int(double d, unsigned int round)
{
	return mrf_to_single(d, round);
}

static uint8_t *address(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
			uint32_t op, const uint32_t *s, unsigned int n, bool store)
{
	/* none, shared, stream; UBO for loads only (stores: position), 7 scratch */
	switch (mrf_field(op, 6, 3)) {
	case 1:
	case 3:
		return bfr_seg(g, d, t, BFR_SEG_GLOBAL, s[0], s[1], 4 * n);
	case 2:
		return bfr_seg(g, d, t, BFR_SEG_WLS, s[0], s[1], 4 * n);
	case 4:
		if (!store)
			return bfr_seg(g, d, t, BFR_SEG_UBO, s[0], s[1], 4 * n);
		break;
	case 7:
		return bfr_seg(g, d, t, BFR_SEG_TLS, s[0], s[1], 4 * n);
	}
	mrf_fail(g, true, "segment %u", mrf_field(op, 6, 3));
	return NULL;
}

static void load(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t op,
		 const uint32_t *s, unsigned int n, struct bfr_step *st)
{
	const uint8_t *p = address(g, d, t, op, s, n, false);
	unsigned int i;

	for (i = 0; p && i < n; i++)
		st->out[i] = p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 |
			(uint32_t)p[4 * i + 3] << 24;
	st->nout = p ? n : 0;
}

static void put(uint8_t *p, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void store(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t op,
		  const uint32_t *s, unsigned int n, struct bfr_step *st)
{
	uint8_t *p = address(g, d, t, op, s, n, true);
	unsigned int i;

	for (i = 0; p && t->covered && i < n; i++)
		put(p + 4 * i, t->r[(st->sr + i) & 63]);
}

static void exchange(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t op,
		     const uint32_t *s, bool compare, struct bfr_step *st)
{
	uint8_t *p = bfr_seg(g, d, t, bit(op, 9) ? BFR_SEG_WLS : BFR_SEG_GLOBAL, s[0], s[1], 4);
	uint32_t old;

	if (!p || !t->covered)
		return;
	old = p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
	/* registers: new value, then the comparand */
	if (!compare || old == t->r[(st->sr + 1) & 63])
		put(p, t->r[st->sr]);
	st->out[0] = old;
	st->nout = 1;
}

static void atom_cx(struct mrf *g, const struct bfr_thread *t, const uint32_t *s,
		    struct bfr_step *st)
{
	if (st->atom < 0)
		mrf_fail(g, true, "ATOM_CX alone");
	else if (t->covered)
		bfr_atomic(g, s[0] | (uint64_t)s[1] << 32, (unsigned int)st->atom, st->atom_arg,
			   st);
}

static void branchz(struct mrf *g, uint32_t op, const uint32_t *s, struct bfr_step *st)
{
	unsigned int how = mrf_field(op, 4, 2);
	uint16_t v;

	if (how != 1 && how != 2) {
		mrf_fail(g, true, "BRANCHZ %05x", op);
		return;
	}
	v = mrf_lane16(s[0], how == 1);
	st->jump = bit(op, 3) ? !v : v;
	st->target = s[2];
}

static uint32_t fround(uint32_t op, uint32_t v)
{
	v = mod(widen_one(op, v), bit(op, 7), bit(op, 8));
	return mrf_to_single(mrf_round_int(mrf_f(v), mrf_field(op, 9, 2)), MRF_RTE);
}

static uint32_t min_max(uint32_t op, const uint32_t *s, bool max)
{
	return mrf_clamp(mrf_min(mod(s[0], bit(op, 15), bit(op, 7)),
				 mod(s[1], bit(op, 6), bit(op, 8)), max, mrf_field(op, 13, 2)),
			 mrf_field(op, 11, 2));
}

/* Single-source operations with a result. */
static bool exec_one(enum add_op what, uint32_t op, uint32_t a, uint32_t *res)
{
	unsigned int round = mrf_field(op, 4, 2);
	uint32_t f = mod(a, bit(op, 4), bit(op, 3));

	switch (what) {
	case MOV:
		*res = a;
		return true;
	case F32_TO_S32:
	case F32_TO_S32_NA:
		*res = mrf_to_s32(a, what == F32_TO_S32 ? round : MRF_RTNA);
		return true;
	case F32_TO_U32:
	case F32_TO_U32_NA:
		*res = mrf_to_u32(a, what == F32_TO_U32 ? round : MRF_RTNA);
		return true;
	case S32_TO_F32:
		*res = from_int((int32_t)a, round);
		return true;
	case U32_TO_F32:
		*res = from_int(a, round);
		return true;
	case F16_TO_F32:
		*res = mrf_half(mrf_lane16(a, op >> 3));
		return true;
	case S16_TO_F32:
		*res = from_int((int16_t)mrf_lane16(a, op >> 4), MRF_RTE);
		return true;
	case U16_TO_F32:
		*res = from_int(mrf_lane16(a, op >> 4), MRF_RTE);
		return true;
	case S16_TO_S32:
		*res = (uint32_t)(int16_t)mrf_lane16(a, op >> 4);
		return true;
	case U16_TO_U32:
		*res = mrf_lane16(a, op >> 4);
		return true;
	case S8_TO_F32:
		*res = from_int((int8_t)mrf_lane8(a, op >> 4), MRF_RTE);
		return true;
	case U8_TO_F32:
		*res = from_int(mrf_lane8(a, op >> 4), MRF_RTE);
		return true;
	case S8_TO_S32:
		*res = (uint32_t)(int8_t)mrf_lane8(a, op >> 4);
		return true;
	case U8_TO_U32:
		*res = mrf_lane8(a, op >> 4);
		return true;
	case IABS:
		*res = (int32_t)a < 0 ? -a : a;
		return true;
	case FROUND:
		*res = fround(op, a);
		return true;
	case FLOGD:
		*res = bfr_logd(a);
		return true;
	case FCOS:
	case FSIN:
		/* the offset form is not emitted by Mesa */
		*res = bfr_sincos_table(a, what == FCOS);
		return !bit(op, 4);
	case FEXP_TABLE:
		*res = bfr_exp_table(a);
		return !mrf_field(op, 3, 2);
	case FLOG_RED:
		*res = bfr_log_table(f, 0);
		return !bit(op, 5);
	case FLOG_LOG:
		*res = bfr_log_table(f, bit(op, 5) ? 2 : 1);
		return true;
	case FRCP:
		*res = bfr_rcp(f);
		return true;
	case FRSQ:
		*res = bfr_rsq(f);
		return true;
	case FRCP_APPROX:
		*res = bfr_rcp_approx(f);
		return !bit(op, 5);
	case FRSQ_APPROX:
		*res = bfr_rsq_approx(f);
		return !bit(op, 5);
	case FREXPE: {
		int e = bfr_frexpe(widen_one(op, a),
				   bit(op, 8) ? BFR_FREXP_SQRT : BFR_FREXP);

		*res = (uint32_t)(bit(op, 6) ? -e : e);
		return true;
	}
	case FREXPE_LOG:
		*res = (uint32_t)bfr_frexpe(widen_one(op, a), BFR_FREXP_LOG);
		return true;
	case FREXPM:
		*res = bfr_frexpm(mod(widen_one(op, a), bit(op, 6), false),
				  bit(op, 7) ? BFR_FREXP_SQRT : BFR_FREXP);
		return true;
	case FREXPM_LOG:
		*res = bfr_frexpm(mod(widen_one(op, a), bit(op, 6), bit(op, 7)),
				  BFR_FREXP_LOG);
		return true;
	default:
		return false;
	}
}

/* Operations with more sources. */
static bool exec_more(struct mrf *g, enum add_op what, uint32_t op, const uint32_t *s,
		      uint32_t *res)
{
	switch (what) {
	case FEXP:
		*res = bfr_exp(s[0], s[1]);
		return true;
	case IADD:
	case ISUB:
		*res = iadd(op, s[0], s[1], what == ISUB);
		return true;
	case IADD_H:
	case ISUB_H:
		*res = iadd(op, s[0], iadd_lane(op, s[1], false), what == ISUB_H);
		return true;
	case IADD_B:
	case ISUB_B:
		*res = iadd(op, s[0], iadd_lane(op, s[1], true), what == ISUB_B);
		return true;
	case ICMP_I:
	case ICMP_S:
	case ICMP_U:
		*res = icmp(what, op, s[0], s[1]);
		return true;
	case MKVEC:
		*res = mrf_lane16(s[0], op >> 6) | (uint32_t)mrf_lane16(s[1], op >> 7) << 16;
		return true;
	case MUX:
		*res = mux(g, op, s);
		return true;
	case V2F32_TO_V2F16: {
		unsigned int clamp = mrf_field(op, 8, 2), round = mrf_field(op, 10, 3), i;

		*res = 0;
		for (i = 0; i < 2; i++) {
			uint32_t v = mod(s[i], bit(op, 6), bit(op, 7));

			*res |= (uint32_t)mrf_clamp_half(mrf_to_half(mrf_f(v), round), clamp) <<
				(16 * i);
		}
		return round <= MRF_RTNA;
	}
	case FMAX:
	case FMIN:
		*res = min_max(op, s, what == FMAX);
		return true;
	case FADD:
		*res = fadd_f32(op, s);
		return true;
	case FCMP:
		*res = fcmp_f32(op, s);
		return mrf_field(op, 14, 2) != 3;
	case FCMP_V2F16:
		*res = fcmp_v2f16(op, s);
		return mrf_field(op, 14, 2) != 3;
	default:
		return false;
	}
}

/* Another lane's value of the first source; 0 if that lane does not execute this. */
static bool clper(const struct bfr_step *st, const struct bfr_thread *t, uint32_t op,
		  const uint32_t *s, bool old, uint32_t *res)
{
	unsigned int lane = s[1] & 3;

	if (!old && (mrf_field(op, 8, 2) != 1 || mrf_field(op, 6, 2) > 1 ||
		     mrf_field(op, 10, 4)))
		return false;
	if (!old && mrf_field(op, 6, 2))
		lane ^= t->lane;
	*res = st->quad->active[lane] ? st->quad->src[lane][0] : 0;
	return true;
}

/* As singles, or two halves in a register. */
static void varying(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
		    uint32_t op, bool flat, struct bfr_step *st)
{
	unsigned int n = mrf_field(op, 8, 2) + 1, i;
	uint32_t v[4] = { 0 };

	mrf_ld_var(g, d, t->x, t->y, mrf_field(op, 3, 5), flat, true, n, v);
	for (i = 0; i < 4; i++)
		st->out[i] = 0;
	for (i = 0; i < n; i++)
		if (!flat && bit(op, 19))
			st->out[i / 2] |= (uint32_t)mrf_to_half(mrf_f(v[i]), MRF_RTE) <<
				(16 * (i & 1));
		else
			st->out[i] = v[i];
	st->nout = !flat && bit(op, 19) ? (n + 1) / 2 : n;
}

/* Three words: address, and format with register type for a typed store. */
static void address_out(uint64_t va, uint32_t fmt, enum mrf_regfmt reg, struct bfr_step *st)
{
	st->out[0] = (uint32_t)va;
	st->out[1] = (uint32_t)(va >> 32);
	st->out[2] = mrf_conversion(fmt, reg);
	st->nout = 3;
}

/* Operations of fragments only, and vertex operations that feed them. */
static bool exec_draw(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		      enum add_op what, uint32_t op, const uint32_t *s, struct bfr_step *st,
		      uint32_t *res)
{
	uint32_t color[4], fmt;
	unsigned int i;
	uint64_t va;

	switch (what) {
	case CLPER:
	case CLPER_OLD:
		return clper(st, t, op, s, what == CLPER_OLD, res);
	case ATEST:
		/* no alpha test in GLES 2 and later: coverage passes, to both results */
		*res = s[0];
		st->out[0] = s[0];
		st->nout = 1;
		return true;
	case ZS_EMIT:
		/* depth without stencil; both results receive the remaining coverage */
		if (mrf_field(op, 9, 2) != 2)
			return false;
		*res = t->covered && mrf_zs_test(g, d, t->x, t->y, s[0]) ? s[2] : 0;
		st->out[0] = *res;
		st->nout = 1;
		return true;
	case BLEND:
		for (i = 0; i < 4; i++)
			color[i] = t->r[(st->sr + i) & 63];
		/* continue in a blend program, which returns to the address in the descriptor */
		if (!(s[1] & 3) && s[2] >> 4) {
			*res = s[1] & ~7u;
			st->jump = s[0] != 0;
			st->target = s[2] & ~15u;
		} else if (s[0]) {
			bfr_blend(g, d, t, s + 1, color);
		}
		return true;
	case LD_TILE:
		bfr_ld_tile(g, d, t, s, st->out);
		st->nout = mrf_field(op, 9, 2) + 1;
		return true;
	case LD_VAR:
		varying(g, d, t, op, false, st);
		return !mrf_field(op, 10, 4);
	case LD_VAR_FLAT:
		varying(g, d, t, op, true, st);
		return mrf_field(op, 0, 3) == 3 && bit(op, 10) == !bit(op, 19);
	case LD_VAR_SPECIAL:
		/* 0 point coordinates, 3 depth */
		if (mrf_field(op, 3, 2) == 1 || mrf_field(op, 3, 2) == 2 || bit(op, 19) ||
		    !d->frag)
			return false;
		st->nout = mrf_field(op, 3, 2) ? 1 : 2;
		if (st->nout == 1)
			mrf_ld_var_z(d->frag, t->x, t->y, st->out);
		else
			mrf_ld_point(d->frag, t->x, t->y, st->out);
		return true;
	case TEXS:
		bfr_sample(g, d, t, mrf_field(op, 6, 3), mrf_field(op, 10, 3), !bit(op, 13), 0,
			   MRF_F32, st);
		return true;
	case LEA_ATTR:
	case LEA_ATTR_AUTO:
		va = mrf_lea_varying(g, d, mrf_field(op, 6, 4), s[0], s[1], &fmt);
		address_out(va, fmt, what == LEA_ATTR ? mrf_field(op, 11, 3) : MRF_AUTO, st);
		return true;
	default:
		return false;
	}
}

/* Messages and flow. */
static bool exec_message(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
			 enum add_op what, uint32_t op, const uint32_t *s, struct bfr_step *st)
{
	unsigned int n = mrf_field(op, 11, 2) + 1;
	struct mrf_texel x;
	uint32_t fmt;
	uint64_t va;

	switch (what) {
	case NOP:
		return true;
	case BARRIER:
		t->waits = true;
		return true;
	case JUMP:
		st->jump = true;
		st->target = s[2];
		return true;
	case BRANCHZ:
		branchz(g, op, s, st);
		return true;
	case ACMPXCHG:
	case AXCHG:
		exchange(g, d, t, op, s, what == ACMPXCHG, st);
		return true;
	case ATOM_CX:
		atom_cx(g, t, s, st);
		return true;
	case LOAD32:
	case LOAD64:
	case LOAD96:
	case LOAD128:
		load(g, d, t, op, s, what - LOAD32 + 1, st);
		return true;
	case STORE32:
	case STORE64:
	case STORE96:
	case STORE128:
		store(g, d, t, op, s, what - STORE32 + 1, st);
		return true;
	case LD_ATTR:
	case LD_ATTR_AUTO:
		mrf_ld_attr(g, d, mrf_field(op, 6, 4), s[0], s[1], &x);
		fmt = what == LD_ATTR ? mrf_field(op, 13, 3) : MRF_AUTO;
		st->nout = mrf_deliver(g, &x, fmt, n, st->out);
		return true;
	case LD_ATTR_TEX:
	case LD_ATTR_TEX_AUTO:
		mrf_ld_image(g, d, s[2], s[0], s[1], &x);
		fmt = what == LD_ATTR_TEX ? mrf_field(op, 13, 3) : MRF_AUTO;
		st->nout = mrf_deliver(g, &x, fmt, n, st->out);
		return true;
	case LEA_ATTR_TEX:
	case LEA_ATTR_TEX_AUTO:
		va = mrf_lea_image(g, d, s[2], s[0], s[1], &fmt);
		address_out(va, fmt, what == LEA_ATTR_TEX ? mrf_field(op, 11, 3) : MRF_AUTO, st);
		return true;
	case ST_CVT: {
		uint32_t data[4];
		unsigned int i;

		for (i = 0; i < 4; i++)
			data[i] = t->r[(st->sr + i) & 63];
		if (t->covered)
			mrf_st_cvt(g, s[0] | (uint64_t)s[1] << 32, s[2], mrf_field(op, 9, 2) + 1,
				   data);
		return true;
	}
	case TEXC:
		bfr_texc(g, d, t, s[0], s[1], s[2], st);
		return true;
	default:
		return false;
	}
}

uint32_t bfr_exec_add(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		      uint32_t op, const uint32_t *src, struct bfr_step *s)
{
	uint32_t res = 0;
	unsigned int i;

	if (bfr_more_add(op, src, &res))
		return res;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if ((op & table[i].mask) == table[i].value)
			break;
	if (i == sizeof(table) / sizeof(table[0]) ||
	    (!exec_one(table[i].op, op, src[0], &res) &&
	     !exec_more(g, table[i].op, op, src, &res) &&
	     !exec_message(g, d, t, table[i].op, op, src, s) &&
	     !exec_draw(g, d, t, table[i].op, op, src, s, &res)))
		mrf_fail(g, true, "ADD operation %05x", op);
	return res;
}
