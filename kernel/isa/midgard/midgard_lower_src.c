// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Sources of Midgard arithmetic as words: swizzles, widening, inline and embedded constants.
 */
#include "../../engine/softfloat.h"
#include "../../engine/vs_num.h"
#include "midgard_lower_priv.h"

static bool is_float(const struct ml *l)
{
	return !(l->def->flags & MG_INT_IN);
}

static int float_immediate(struct ml *l, u32 half, u32 w, struct ml_val *v)
{
	u64 wide;

	switch (l->a->mode) {
	case MG_MODE_16:
		*v = ml_const(l, half * 0x10001U);
		return 0;
	case MG_MODE_32:
		*v = ml_const(l, vs_f16_to_f32(half));
		return 0;
	case MG_MODE_64:
		wide = sd_from_float(vs_f16_to_f32(half));
		*v = ml_const(l, w & 1 ? wide >> 32 : (u32)wide);
		return 0;
	default:
		return ml_unsupported(l, l->a->op);
	}
}

static int ml_src_immediate(struct ml *l, const struct mg_src *s, u32 w, struct ml_val *v)
{
	u32 n = s->imm, sign = n & 0x8000 ? ~0U : 0;

	if (is_float(l))
		return float_immediate(l, n, w, v);
	switch (l->a->mode) {
	case MG_MODE_8:
		*v = ml_const(l, (n & 255) * 0x1010101U);
		break;
	case MG_MODE_16:
		*v = ml_const(l, n * 0x10001U);
		break;
	case MG_MODE_32:
		*v = ml_const(l, n | (sign & 0xffff0000));
		break;
	default:
		*v = ml_const(l, w & 1 ? sign : n | (sign & 0xffff0000));
		break;
	}
	return 0;
}

/* Combine two halves of a register; @e0, @e1 count 16 bits. */
static int ml_src_halves(struct ml *l, u32 reg, u32 e0, u32 e1, struct ml_val *v)
{
	u32 lo = 2 * (e0 & 1), hi = 2 * (e1 & 1);
	struct ml_val a, b;
	int ret;

	ret = ml_reg_word(l, reg, e0 / 2, &a);
	if (!ret)
		ret = ml_reg_word(l, reg, e1 / 2, &b);
	if (ret)
		return ret;
	if (e0 / 2 == e1 / 2)
		*v = ml_perm(l, a, a, ML_PERM(lo, lo + 1, hi, hi + 1));
	else
		*v = ml_perm(l, a, b, ML_PERM(lo, lo + 1, SIMT_PERM_B(hi), SIMT_PERM_B(hi + 1)));
	return 0;
}

/* Widen bytes @e0 and @e1 to 16-bit lanes. */
static int widen_bytes(struct ml *l, const struct mg_src *s, u32 e0, u32 e1, struct ml_val *v)
{
	u32 lo = e0 & 3, hi = SIMT_PERM_B(e1 & 3), zero = SIMT_PERM_00;
	struct ml_val a, b;
	int ret;

	ret = ml_reg_word(l, s->reg, e0 / 4, &a);
	if (!ret)
		ret = ml_reg_word(l, s->reg, e1 / 4, &b);
	if (ret)
		return ret;
	switch (s->mod) {
	case MG_WIDEN_ZERO:
		*v = ml_perm(l, a, b, ML_PERM(lo, zero, hi, zero));
		return 0;
	case MG_WIDEN_REPLICATE:
		*v = ml_perm(l, a, b, ML_PERM(lo, lo, hi, hi));
		return 0;
	default:
		*v = ml_perm(l, a, b, ML_PERM(zero, lo, zero, hi));
		break;
	}
	if (s->mod == MG_WIDEN_SIGN)
		*v = ml_aux(l, ML_U(.op = SIMT_ASR16, .s = { v->s, ml_const(l, 0x80008).s }));
	return 0;
}

/* Widen half @e to a 32-bit lane. */
static int widen_half(struct ml *l, const struct mg_src *s, u32 e, struct ml_val *v)
{
	u32 lo = 2 * (e & 1), hi = lo + 1, zero = SIMT_PERM_00, sign = SIMT_PERM_SIGN(hi);
	struct ml_val a;
	int ret;

	ret = ml_reg_word(l, s->reg, e / 2, &a);
	if (ret)
		return ret;
	if (is_float(l)) {
		if (a.is_const)
			*v = ml_const(l, vs_f16_to_f32(a.bits >> (8 * lo) & 0xffff));
		else
			*v = ml_aux(l, ML_U(.op = SIMT_H2F, .s = { a.s }, .imm = e & 1));
		return 0;
	}
	switch (s->mod) {
	case MG_WIDEN_SIGN:
		*v = ml_perm(l, a, a, ML_PERM(lo, hi, sign, sign));
		break;
	case MG_WIDEN_ZERO:
		*v = ml_perm(l, a, a, ML_PERM(lo, hi, zero, zero));
		break;
	case MG_WIDEN_REPLICATE:
		*v = ml_perm(l, a, a, ML_PERM(lo, hi, lo, hi));
		break;
	default:
		*v = ml_perm(l, a, a, ML_PERM(zero, zero, lo, hi));
		break;
	}
	return 0;
}

/* The @high or low half of a 64-bit lane that word @e is widened to. */
static int widen_word(struct ml *l, const struct mg_src *s, u32 e, bool high, struct ml_val *v)
{
	struct ml_val a;
	int ret;

	ret = ml_reg_word(l, s->reg, e, &a);
	if (ret)
		return ret;
	*v = a;
	if (s->mod == MG_WIDEN_SHIFT && !high)
		*v = ml_const(l, 0);
	if (s->mod == MG_WIDEN_ZERO && high)
		*v = ml_const(l, 0);
	if (s->mod != MG_WIDEN_SIGN || !high)
		return 0;
	if (a.is_const)
		*v = ml_const(l, a.bits >> 31 ? ~0U : 0);
	else
		*v = ml_aux(l, ML_U(.op = SIMT_ASRI, .s = { a.s }, .imm = 31));
	return 0;
}

/* Register word that supplies half of a 64-bit lane. */
static u32 wide_word(const struct mg_src *s, u32 w)
{
	return s->swizzle >> (4 * (w / 2) + 2 * (w & 1)) & 3;
}

/* First lane of a word. */
static u32 first_lane(const struct mg_alu *a, u32 w)
{
	return a->mode == MG_MODE_64 ? w / 2 : w << (MG_MODE_32 - a->mode);
}

static int ml_src_source(struct ml *l, const struct mg_src *s, u32 w, struct ml_val *v)
{
	u32 lane = first_lane(l->a, w);

	if (s->kind == MG_SRC_IMM)
		return ml_src_immediate(l, s, w, v);
	switch (l->a->mode) {
	case MG_MODE_8:
		return ml_src_halves(l, s->reg, s->elem[lane] / 2, s->elem[lane + 2] / 2, v);
	case MG_MODE_16:
		if (s->widen)
			return widen_bytes(l, s, s->elem[lane], s->elem[lane + 1], v);
		return ml_src_halves(l, s->reg, s->elem[lane], s->elem[lane + 1], v);
	case MG_MODE_32:
		if (s->widen)
			return widen_half(l, s, s->elem[w], v);
		return ml_reg_word(l, s->reg, s->elem[w], v);
	default:
		if (s->widen)
			return widen_word(l, s, s->elem[w / 2], w & 1, v);
		return ml_reg_word(l, s->reg, wide_word(s, w), v);
	}
}

/* Flush subnormal numbers to zero, sign kept. */
static struct ml_val flushed(struct ml *l, struct ml_val v)
{
	if (!v.is_const)
		return ml_aux(l, ML_U(.op = SIMT_FFTZ, .s = { v.s }));
	return v.bits & 0x7f800000 ? v : ml_const(l, v.bits & 1U << 31);
}

int ml_src(struct ml *l, u32 k, u32 w, struct ml_val *v)
{
	u16 want = l->want;
	int ret;

	l->want = ML_NOWHERE;
	ret = ml_src_source(l, &l->a->src[k], w, v);
	if (!ret && is_float(l) && ml_flushes(l))
		*v = flushed(l, *v);
	l->want = want;
	return ret;
}

int ml_check_sources(struct ml *l)
{
	u32 k;

	if (!is_float(l))
		return 0;
	/* 8-bit floats are undefined */
	if (l->a->mode == MG_MODE_8)
		return ml_unsupported(l, l->a->op);
	for (k = 0; k < 2; k++)
		if (l->a->src[k].kind == MG_SRC_REG && l->a->src[k].bits == 8)
			return ml_unsupported(l, l->a->op);
	return 0;
}

/* ---- source sets ---- */

static void add_word(struct ml_set *set, u32 reg, u32 word)
{
	u32 slot;

	if (reg < 16)
		slot = MG_SLOT_REG(reg);
	else if (reg == MG_REG_TMP || reg == MG_REG_TMP + 1)
		slot = MG_SLOT_TMP + 4 * (reg - MG_REG_TMP);
	else
		return;
	slot += word;
	set->bits[slot / 64] |= 1ULL << (slot % 64);
}

static void src_reads(const struct mg_alu *a, const struct mg_src *s, u32 w, struct ml_set *set)
{
	u32 per, i, first = first_lane(a, w);

	if (s->kind != MG_SRC_REG)
		return;
	if (a->mode == MG_MODE_64) {
		add_word(set, s->reg, s->widen ? s->elem[w / 2] : wide_word(s, w));
		return;
	}
	per = 4 >> a->mode;
	for (i = first; i < first + max(per, 1U) && i < a->nlanes; i++)
		add_word(set, s->reg, s->elem[i] * s->bits / 32);
}

void ml_src_reads(const struct mg_alu *a, u32 w, struct ml_set *set)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	u32 i;

	if (a->nlanes == 1 && w)
		return;
	if (!(def->flags & MG_MOVE))
		src_reads(a, &a->src[0], w, set);
	if (!(def->flags & MG_UNARY))
		src_reads(a, &a->src[1], w, set);
	/* conditions; factors shared by all lanes; elements selected by index */
	if (def->flags & MG_CSEL)
		for (i = 0; i < 4; i++)
			set->bits[(MG_SLOT_COND + i) / 64] |= 1ULL << ((MG_SLOT_COND + i) % 64);
	if ((a->op >= MG_OP_FMA && a->op <= MG_OP_FMA_RTP) || a->op == MG_OP_CHOOSE)
		for (i = 0; i < 4; i++)
			add_word(set, a->src[0].reg, i);
}

/* ---- modifiers ---- */

u16 ml_signs(const struct ml *l, u32 k, u32 at)
{
	const struct mg_src *s = &l->a->src[k];
	u16 mods = 0;

	if (s->kind == MG_SRC_IMM || l->def->flags & MG_INT_IN)
		return 0;
	if (s->mod & MG_MOD_ABS)
		mods |= SIMT_ABS(at);
	if (s->mod & MG_MOD_NEG)
		mods |= SIMT_NEG(at);
	return mods;
}

struct ml_val ml_apply_signs(struct ml *l, u32 k, struct ml_val v)
{
	u32 sign = l->a->mode == MG_MODE_16 ? 0x80008000 : 0x80000000;
	u16 mods = ml_signs(l, k, 0);

	if (mods & SIMT_ABS(0))
		v = ml_aux(l, ML_U(.op = SIMT_IAND, .s = { v.s, ml_const(l, ~sign).s }));
	if (mods & SIMT_NEG(0))
		v = ml_aux(l, ML_U(.op = SIMT_IXOR, .s = { v.s, ml_const(l, sign).s }));
	return v;
}
