// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of 8, 16 and 32-bit integer operations, a word at a time: four lanes, two or one.
 */
#include "midgard_lower_priv.h"

/* Micro-ops by width: 8, 16, 32 bits. */
enum kind {
	ADD, SUB, MUL, MINMAX, SATURATE, AVERAGE, LEFT, RIGHT, ARITHMETIC, COMPARE, SELECT,
	ZEROS, NUM_KINDS
};

static const u16 uops[NUM_KINDS][3] = {
	[ADD] = { SIMT_IADD8, SIMT_IADD16, SIMT_IADD },
	[SUB] = { SIMT_ISUB8, SIMT_ISUB16, SIMT_ISUB },
	[MUL] = { SIMT_IMUL8, SIMT_IMUL16, SIMT_IMUL },
	[MINMAX] = { SIMT_IMM8, SIMT_IMM16, 0 },
	[SATURATE] = { SIMT_ISAT8, SIMT_ISAT16, 0 },
	[AVERAGE] = { SIMT_IHADD8, SIMT_IHADD16, SIMT_IHADD },
	[LEFT] = { SIMT_SHL8, SIMT_SHL16, SIMT_SHL },
	[RIGHT] = { SIMT_SHR8, SIMT_SHR16, SIMT_SHR },
	[ARITHMETIC] = { SIMT_ASR8, SIMT_ASR16, SIMT_ASR },
	[COMPARE] = { SIMT_ICMP8, SIMT_ICMP16, SIMT_ICMP },
	[SELECT] = { SIMT_CSEL8, SIMT_CSEL16, SIMT_ICSEL },
	[ZEROS] = { SIMT_CLZ8, SIMT_CLZ16, SIMT_CLZ },
};

#define PACKED_UNSIGNED	0x40	/* comparisons of packed lanes */

static u16 uop(const struct ml *l, u32 kind)
{
	return uops[kind][l->a->mode];
}

/* Constant word with @v in all lanes. */
static struct ml_val lanes(struct ml *l, u32 v)
{
	static const u32 times[3] = { 0x1010101, 0x10001, 1 };
	static const u32 mask[3] = { 0xff, 0xffff, ~0U };

	return ml_const(l, (v & mask[l->a->mode]) * times[l->a->mode]);
}

static struct ml_val ml_int_two(struct ml *l, u32 kind, struct ml_val a, struct ml_val b, u32 imm)
{
	return ml_op(l, ML_U(.op = uop(l, kind), .s = { a.s, b.s }, .imm = imm));
}

static struct ml_val aux(struct ml *l, u32 kind, struct ml_val a, struct ml_val b, u32 imm)
{
	return ml_aux(l, ML_U(.op = uop(l, kind), .s = { a.s, b.s }, .imm = imm));
}

/* Shift words; constant amounts have micro-ops of their own. */
static struct ml_val ml_int_shift(struct ml *l, u32 kind, struct ml_val a, struct ml_val n)
{
	static const u16 by[3] = { SIMT_SHLI, SIMT_SHRI, SIMT_ASRI };

	if (l->a->mode != MG_MODE_32 || !n.is_const)
		return ml_int_two(l, kind, a, n, 0);
	return ml_op(l, ML_U(.op = by[kind - LEFT], .s = { a.s }, .imm = n.bits & 31));
}

static struct ml_val ml_int_min_max(struct ml *l, struct ml_val a, struct ml_val b, u32 max,
				    u32 is_unsigned)
{
	static const u16 words[2][2] = { { SIMT_IMIN, SIMT_UMIN }, { SIMT_IMAX, SIMT_UMAX } };

	if (l->a->mode != MG_MODE_32)
		return ml_int_two(l, MINMAX, a, b, max | is_unsigned << 1);
	return ml_op(l, ML_U(.op = words[max][is_unsigned], .s = { a.s, b.s }));
}

static struct ml_val ml_int_saturated(struct ml *l, struct ml_val a, struct ml_val b, u32 sub,
				      u32 is_unsigned)
{
	static const u16 words[2][2] = { { SIMT_IADDS, SIMT_UADDS }, { SIMT_ISUBS, SIMT_USUBS } };

	if (l->a->mode != MG_MODE_32)
		return ml_int_two(l, SATURATE, a, b, sub | is_unsigned << 1);
	return ml_op(l, ML_U(.op = words[sub][is_unsigned], .s = { a.s, b.s }));
}

/* cmp(a, b) ? c : d */
static struct ml_val ml_int_pick(struct ml *l, u32 cmp, bool is_unsigned, struct ml_val a,
				 struct ml_val b, struct ml_val c, struct ml_val d)
{
	u32 op = uop(l, SELECT), imm = cmp;

	if (l->a->mode == MG_MODE_32)
		op = is_unsigned ? SIMT_UCSEL : SIMT_ICSEL;
	else if (is_unsigned)
		imm |= PACKED_UNSIGNED;
	return ml_op(l, ML_U(.op = op, .s = { a.s, b.s, c.s, d.s }, .imm = imm));
}

static struct ml_val ml_int_compare(struct ml *l, u32 op, struct ml_val a, struct ml_val b)
{
	static const u8 cmps[6] = { SIMT_EQ, SIMT_NE, SIMT_LT, SIMT_LE, SIMT_LT, SIMT_LE };
	bool is_unsigned = op == 2 || op == 3;
	u32 kind = uop(l, COMPARE), imm = SIMT_CMP(cmps[op], SIMT_TRUE_M1);

	if (l->a->mode != MG_MODE_32)
		imm |= is_unsigned ? PACKED_UNSIGNED : 0;
	else if (is_unsigned)
		kind = SIMT_UCMP;
	return ml_op(l, ML_U(.op = kind, .s = { a.s, b.s }, .imm = imm));
}

/* Saturating shift: if shifting back does not restore the operand, the limit of the range. */
static struct ml_val ml_int_shift_saturated(struct ml *l, struct ml_val a, struct ml_val b,
					    bool is_unsigned)
{
	struct ml_val left, back, end;
	u32 bits = 8U << l->a->mode;
	u16 want = l->want;

	l->want = ML_NOWHERE;
	left = aux(l, LEFT, a, b, 0);
	back = aux(l, is_unsigned ? RIGHT : ARITHMETIC, left, b, 0);
	end = lanes(l, ~0U);
	if (!is_unsigned) {
		end = aux(l, ARITHMETIC, a, lanes(l, bits - 1), 0);
		end = ml_aux(l, ML_U(.op = SIMT_IXOR,
				     .s = { end.s, lanes(l, (1U << (bits - 1)) - 1).s }));
	}
	l->want = want;
	return ml_int_pick(l, SIMT_EQ, false, back, a, left, end);
}

static struct ml_val bits_set(struct ml *l, struct ml_val a)
{
	u32 bits = 8U << l->a->mode, n = 32 / bits, i;
	u32 fill = SIMT_PERM_00;
	struct ml_val part, sum;
	u16 want = l->want;

	if (n == 1)
		return ml_op(l, ML_U(.op = SIMT_POPC, .s = { a.s }));
	l->want = ML_NOWHERE;
	for (i = 0; i < n; i++) {
		if (n == 4)
			part = ml_perm(l, a, a, ML_PERM(i, fill, fill, fill));
		else
			part = ml_perm(l, a, a, ML_PERM(2 * i, 2 * i + 1, fill, fill));
		part = ml_aux(l, ML_U(.op = SIMT_POPC, .s = { part.s }));
		if (!i) {
			sum = part;
			continue;
		}
		part = ml_aux(l, ML_U(.op = SIMT_SHLI, .s = { part.s }, .imm = i * bits));
		if (i == n - 1)
			l->want = want;
		sum = ml_op(l, ML_U(.op = SIMT_IOR, .s = { sum.s, part.s }));
	}
	return sum;
}

static struct ml_val ml_int_logic(struct ml *l, u32 op, struct ml_val a, struct ml_val b)
{
	static const u16 ops[8] = { SIMT_IAND, SIMT_IOR, SIMT_IAND, SIMT_IOR, SIMT_IAND,
				    SIMT_IOR, SIMT_IXOR, SIMT_IXOR };
	/* bit 1: second operand inverted, bit 2: result */
	static const u8 inv[8] = { 0, 0, 4, 4, 2, 2, 0, 4 };

	return ml_op(l, ML_U(.op = ops[op], .s = { a.s, b.s }, .imm = inv[op]));
}

/* Element @i of the first source, replicated to all elements of a word. */
static int ml_int_element(struct ml *l, u32 i, struct ml_val *v)
{
	u32 bytes = 1U << l->a->mode, at = i * bytes % 4, k, imm = 0;
	int ret;

	ret = ml_src(l, 0, i * bytes / 4, v);
	for (k = 0; k < 4; k++)
		imm |= (at + k % bytes) << (4 * k);
	if (!ret)
		*v = ml_perm(l, *v, *v, imm);
	return ret;
}

/* Select elements of the first source by index, modulo their number. */
static int ml_int_shuffle(struct ml *l, struct ml_val b, struct ml_val *v)
{
	static const u16 ops[3] = { SIMT_CSEL8, SIMT_CSEL16, SIMT_UCSEL };
	static const u32 ones[3] = { 0x1010101, 0x10001, 1 };
	u32 mode = l->a->mode, count = 16 >> mode, i;
	struct ml_val e, n;
	u16 want = l->want;
	int ret;

	if (l->a->nlanes == 1)
		return ml_unsupported(l, l->a->op);
	l->want = ML_NOWHERE;
	n = ml_aux(l, ML_U(.op = SIMT_IAND,
			   .s = { b.s, ml_const(l, (count - 1) * ones[mode]).s }));
	ret = ml_int_element(l, 0, v);
	for (i = 1; i < count && !ret; i++) {
		ret = ml_int_element(l, i, &e);
		if (i == count - 1)
			l->want = want;
		*v = ml_op(l, ML_U(.op = ops[mode], .imm = SIMT_EQ,
				   .s = { n.s, ml_const(l, i * ones[mode]).s, e.s, v->s }));
	}
	return ret;
}

/* Convert integers to floats of the same width. */
static int ml_int_from_int(struct ml *l, struct ml_val a, struct ml_val *v)
{
	bool is_unsigned = l->a->op >= MG_OP_U2F;
	u32 op = is_unsigned ? SIMT_U2F : SIMT_I2F, i, top;
	struct ml_val h[2];
	u16 want = l->want;

	if (l->a->mode == MG_MODE_32 && ml_plain_float(l)) {
		*v = ml_op(l, ML_U(.op = op, .s = { a.s }, .imm = ml_round(l)));
		return 0;
	}
	if (l->a->mode == MG_MODE_32) {
		l->want = ML_NOWHERE;
		*v = ml_aux(l, ML_U(.op = op, .s = { a.s }, .imm = ml_round(l)));
		l->want = want;
		*v = ml_finish_float(l, *v);
		return 0;
	}
	if (l->a->mode != MG_MODE_16)
		return ml_unsupported(l, l->a->op);
	l->want = ML_NOWHERE;
	for (i = 0; i < 2; i++) {
		top = is_unsigned ? SIMT_PERM_00 : SIMT_PERM_SIGN(2 * i + 1);
		h[i] = ml_perm(l, a, a, ML_PERM(2 * i, 2 * i + 1, top, top));
		h[i] = ml_aux(l, ML_U(.op = op, .s = { h[i].s }));
	}
	*v = ml_aux(l, ML_U(.op = SIMT_F2H2, .s = { h[0].s, h[1].s }, .imm = ml_round(l)));
	l->want = want;
	*v = ml_finish_float(l, *v);
	return 0;
}

/* Select by the condition: bitwise, or all bits by r31.w. */
static struct ml_val ml_int_choose(struct ml *l, u32 w, struct ml_val a, struct ml_val b)
{
	if (l->a->op & 1)
		return ml_op(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_NE,
				     .s = { MG_SLOT_COND + 3, ml_const(l, 0).s, a.s, b.s }));
	return ml_op(l, ML_U(.op = SIMT_BSEL, .s = { a.s, b.s, MG_SLOT_COND + w }));
}

int ml_int(struct ml *l, u32 w, struct ml_val a, struct ml_val b, struct ml_val *v)
{
	u32 op = l->a->op, odd = op & 1;

	switch (op) {
	case MG_OP_ADD:
		*v = ml_int_two(l, ADD, a, b, 0);
		break;
	case MG_OP_ADD_SHL1:
		*v = ml_int_two(l, ADD, aux(l, ADD, a, a, 0), b, 0);
		break;
	case MG_OP_SUB:
		*v = ml_int_two(l, SUB, a, b, 0);
		break;
	case MG_OP_SUB_SHL1:
		*v = ml_int_two(l, SUB, aux(l, ADD, a, a, 0), b, 0);
		break;
	case MG_OP_ADDSAT:
	case MG_OP_ADDSAT_U:
		*v = ml_int_saturated(l, a, b, 0, odd);
		break;
	case MG_OP_SUBSAT:
	case MG_OP_SUBSAT_U:
		*v = ml_int_saturated(l, a, b, 1, odd);
		break;
	case MG_OP_MUL:
		*v = ml_int_two(l, MUL, a, b, 0);
		break;
	case MG_OP_MIN ... MG_OP_MAX_U:
		*v = ml_int_min_max(l, a, b, op >> 1 & 1, odd);
		break;
	case MG_OP_AVG_RTZ ... MG_OP_AVG_ROUND_U:
		*v = ml_int_two(l, AVERAGE, a, b, (op >> 1 & 1) | odd << 1);
		break;
	case MG_OP_ASR:
		*v = ml_int_shift(l, ARITHMETIC, a, b);
		break;
	case MG_OP_LSR:
		*v = ml_int_shift(l, RIGHT, a, b);
		break;
	case MG_OP_SHL_SAT:
	case MG_OP_SHL_SAT_U:
		*v = ml_int_shift_saturated(l, a, b, odd);
		break;
	case MG_OP_SHL:
		*v = ml_int_shift(l, LEFT, a, b);
		break;
	case MG_OP_AND ... MG_OP_NXOR:
		*v = ml_int_logic(l, op & 7, a, b);
		break;
	case MG_OP_CLZ:
		*v = ml_op(l, ML_U(.op = uop(l, ZEROS), .s = { a.s }));
		break;
	case MG_OP_POPCNT:
		*v = bits_set(l, a);
		break;
	case MG_OP_MOV:
		*v = b;
		break;
	case MG_OP_ABSDIFF:
	case MG_OP_ABSDIFF_U: {
		u16 want = l->want;
		struct ml_val top;

		l->want = ML_NOWHERE;
		top = ml_int_min_max(l, a, b, 1, odd);
		b = ml_int_min_max(l, a, b, 0, odd);
		l->want = want;
		*v = ml_int_two(l, SUB, top, b, 0);
		break;
	}
	case MG_OP_CHOOSE:
		return ml_int_shuffle(l, b, v);
	case MG_OP_CMP_EQ ... MG_OP_CMP_LE:
		*v = ml_int_compare(l, op & 7, a, b);
		break;
	case MG_OP_I2F ... MG_OP_U2F_RTP:
		return ml_int_from_int(l, a, v);
	case MG_OP_CSEL_VECTOR:
	case MG_OP_CSEL_SCALAR:
		*v = ml_int_choose(l, ml_select_word(l, w), a, b);
		break;
	/* handled by the horizontal comparisons */
	case MG_OP_CMP_ALL_EQ ... MG_OP_CMP_ALL_LE:
	case MG_OP_CMP_ANY_EQ ... MG_OP_CMP_ANY_LE:
		*v = ml_int_compare(l, op & 7, a, b);
		break;
	default:
		return ml_unsupported(l, op);
	}
	return 0;
}
