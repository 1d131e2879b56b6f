// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of 64-bit integer operations of Midgard to micro-ops on two words.
 */
#include "midgard_lower_priv.h"

static struct ml_val one(struct ml *l, u32 op, struct ml_val a, u32 imm)
{
	return ml_aux(l, ML_U(.op = (u16)op, .s = { a.s }, .imm = imm));
}

static struct ml_val ml_wide_two(struct ml *l, u32 op, struct ml_val a, struct ml_val b, u32 imm)
{
	return ml_aux(l, ML_U(.op = (u16)op, .s = { a.s, b.s }, .imm = imm));
}

/* a == b ? c : d */
static struct ml_val if_same(struct ml *l, struct ml_val a, struct ml_val b, struct ml_val c,
			     struct ml_val d)
{
	return ml_aux(l, ML_U(.op = SIMT_UCSEL, .imm = SIMT_EQ, .s = { a.s, b.s, c.s, d.s }));
}

static struct ml_pair both(struct ml *l, u32 op, struct ml_pair a, struct ml_pair b, u32 imm)
{
	return (struct ml_pair){ ml_wide_two(l, op, a.lo, b.lo, imm),
				 ml_wide_two(l, op, a.hi, b.hi, imm) };
}

/* on != 0 ? a : b */
static struct ml_pair ml_wide_pick(struct ml *l, struct ml_val on, struct ml_pair a,
				   struct ml_pair b)
{
	struct ml_val zero = ml_const(l, 0);

	return (struct ml_pair){ if_same(l, on, zero, b.lo, a.lo),
				 if_same(l, on, zero, b.hi, a.hi) };
}

static struct ml_pair ml_wide_add(struct ml *l, struct ml_pair a, struct ml_pair b, u32 shift)
{
	u16 d = ml_temps(l, 2);

	ml_emit(l, ML_UOP(.op = SIMT_SHADD, .d = d, .d2 = (u16)(d + 1), .imm = shift,
			  .s = { a.lo.s, a.hi.s, b.lo.s, b.hi.s }));
	return (struct ml_pair){ ml_slot(d), ml_slot(d + 1) };
}

static struct ml_pair inverted(struct ml *l, struct ml_pair a)
{
	return (struct ml_pair){ ml_wide_two(l, SIMT_IXOR, a.lo, ml_const(l, ~0U), 0),
				 ml_wide_two(l, SIMT_IXOR, a.hi, ml_const(l, ~0U), 0) };
}

/* a - b = ~(~a + b) */
static struct ml_pair subtract(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	return inverted(l, ml_wide_add(l, inverted(l, a), b, 0));
}

static struct ml_val same(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	struct ml_pair x = both(l, SIMT_IXOR, a, b, 0);

	return ml_wide_two(l, SIMT_UCMP, ml_wide_two(l, SIMT_IOR, x.lo, x.hi, 0), ml_const(l, 0),
			   SIMT_CMP(SIMT_EQ, SIMT_TRUE_M1));
}

/* ~0 if a < b */
static struct ml_val less(struct ml *l, struct ml_pair a, struct ml_pair b, bool is_unsigned)
{
	u32 imm = SIMT_CMP(SIMT_LT, SIMT_TRUE_M1);
	struct ml_val lo = ml_wide_two(l, SIMT_UCMP, a.lo, b.lo, imm);
	struct ml_val hi = ml_wide_two(l, is_unsigned ? SIMT_UCMP : SIMT_ICMP, a.hi, b.hi, imm);

	return if_same(l, a.hi, b.hi, lo, hi);
}

static struct ml_val inverse(struct ml *l, struct ml_val v)
{
	return ml_wide_two(l, SIMT_IXOR, v, ml_const(l, ~0U), 0);
}

static struct ml_val ml_wide_compare(struct ml *l, u32 op, struct ml_pair a, struct ml_pair b)
{
	switch (op) {
	case 0:
		return same(l, a, b);
	case 1:
		return inverse(l, same(l, a, b));
	case 2:
	case 4:
		return less(l, a, b, op == 2);
	default:
		return inverse(l, less(l, b, a, op == 3));
	}
}

/* ---- shifts: amounts modulo 64 ---- */

static struct ml_val is_far(struct ml *l, struct ml_val n)
{
	return ml_wide_two(l, SIMT_IAND, n, ml_const(l, 32), 0);
}

static struct ml_pair ml_wide_left(struct ml *l, struct ml_pair a, struct ml_val n)
{
	struct ml_val lo = ml_wide_two(l, SIMT_SHL, a.lo, n, 0), hi, cross, zero = ml_const(l, 0);

	/* bits that cross words: shift by one, then by the rest, so that 0 needs no special case */
	cross = ml_wide_two(l, SIMT_SHR, one(l, SIMT_SHRI, a.lo, 1), inverse(l, n), 0);
	hi = ml_wide_two(l, SIMT_IOR, ml_wide_two(l, SIMT_SHL, a.hi, n, 0), cross, 0);
	return ml_wide_pick(l, is_far(l, n), (struct ml_pair){ zero, lo },
			    (struct ml_pair){ lo, hi });
}

static struct ml_pair ml_wide_right(struct ml *l, struct ml_pair a, struct ml_val n,
				    bool arithmetic)
{
	struct ml_val hi = ml_wide_two(l, arithmetic ? SIMT_ASR : SIMT_SHR, a.hi, n,
				       0), lo, cross, fill;

	cross = ml_wide_two(l, SIMT_SHL, one(l, SIMT_SHLI, a.hi, 1), inverse(l, n), 0);
	lo = ml_wide_two(l, SIMT_IOR, ml_wide_two(l, SIMT_SHR, a.lo, n, 0), cross, 0);
	fill = arithmetic ? one(l, SIMT_ASRI, a.hi, 31) : ml_const(l, 0);
	return ml_wide_pick(l, is_far(l, n), (struct ml_pair){ hi, fill },
			    (struct ml_pair){ lo, hi });
}

static struct ml_pair ml_wide_ends(struct ml *l, struct ml_pair a)
{
	struct ml_val sign = one(l, SIMT_ASRI, a.hi, 31);

	/* the maximum, or its inverse (minimum) */
	return (struct ml_pair){ inverse(l, sign),
				 ml_wide_two(l, SIMT_IXOR, sign, ml_const(l, 0x7fffffff), 0) };
}

static struct ml_pair ml_wide_shift_saturated(struct ml *l, struct ml_pair a, struct ml_val n,
					      bool is_unsigned)
{
	struct ml_val most = ml_const(l, ~0U);
	struct ml_pair left = ml_wide_left(l, a, n), end = { most, most };
	struct ml_pair back = ml_wide_right(l, left, n, !is_unsigned);

	if (!is_unsigned)
		end = ml_wide_ends(l, a);
	return ml_wide_pick(l, same(l, back, a), left, end);
}

/* ---- sums ---- */

static struct ml_pair ml_wide_saturated(struct ml *l, struct ml_pair a, struct ml_pair b, bool sub,
					bool is_unsigned)
{
	struct ml_pair r = sub ? subtract(l, a, b) : ml_wide_add(l, a, b, 0);
	struct ml_val most = ml_const(l, sub ? 0 : ~0U), over, x, y;

	if (is_unsigned) {
		over = sub ? less(l, a, b, true) : less(l, r, a, true);
		return ml_wide_pick(l, over, (struct ml_pair){ most, most }, r);
	}
	/* overflow: operand signs equal (with @sub: different) and the result's sign differs */
	x = ml_wide_two(l, SIMT_IXOR, a.hi, b.hi, sub ? 0 : 4);
	y = ml_wide_two(l, SIMT_IXOR, a.hi, r.hi, 0);
	over = one(l, SIMT_ASRI, ml_wide_two(l, SIMT_IAND, x, y, 0), 31);
	return ml_wide_pick(l, over, ml_wide_ends(l, a), r);
}

/* Average: common bits plus half of the differing bits; rounded up by a subtraction. */
static struct ml_pair average(struct ml *l, struct ml_pair a, struct ml_pair b, bool up,
			      bool is_unsigned)
{
	struct ml_pair common = both(l, up ? SIMT_IOR : SIMT_IAND, a, b, 0);
	struct ml_pair half = ml_wide_right(l, both(l, SIMT_IXOR, a, b, 0), ml_const(l, 1),
					  !is_unsigned);

	return up ? subtract(l, common, half) : ml_wide_add(l, common, half, 0);
}

static struct ml_pair ml_wide_multiply(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	struct ml_val hi = ml_wide_two(l, SIMT_UMULH, a.lo, b.lo, 0);

	hi = ml_wide_two(l, SIMT_IADD, hi, ml_wide_two(l, SIMT_IMUL, a.lo, b.hi, 0), 0);
	hi = ml_wide_two(l, SIMT_IADD, hi, ml_wide_two(l, SIMT_IMUL, a.hi, b.lo, 0), 0);
	return (struct ml_pair){ ml_wide_two(l, SIMT_IMUL, a.lo, b.lo, 0), hi };
}

static struct ml_val leading_zeros(struct ml *l, struct ml_pair a)
{
	struct ml_val lo = ml_wide_two(l, SIMT_IADD, one(l, SIMT_CLZ, a.lo, 0), ml_const(l, 32), 0);

	return if_same(l, a.hi, ml_const(l, 0), lo, one(l, SIMT_CLZ, a.hi, 0));
}

static struct ml_pair ml_wide_distance(struct ml *l, struct ml_pair a, struct ml_pair b,
				       bool is_unsigned)
{
	return ml_wide_pick(l, less(l, a, b, is_unsigned), subtract(l, b, a), subtract(l, a, b));
}

static struct ml_pair ml_wide_logic(struct ml *l, u32 op, struct ml_pair a, struct ml_pair b)
{
	static const u16 ops[8] = { SIMT_IAND, SIMT_IOR, SIMT_IAND, SIMT_IOR, SIMT_IAND,
				    SIMT_IOR, SIMT_IXOR, SIMT_IXOR };
	static const u8 inv[8] = { 0, 0, 4, 4, 2, 2, 0, 4 };

	return both(l, ops[op], a, b, inv[op]);
}

struct ml_pair ml_wide_choose(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b)
{
	u32 w = MG_SLOT_COND + 2 * lane;

	if (l->a->op & 1)
		return ml_wide_pick(l, ml_slot(MG_SLOT_COND + 3), a, b);
	return (struct ml_pair){
		ml_aux(l, ML_U(.op = SIMT_BSEL, .s = { a.lo.s, b.lo.s, (u16)w })),
		ml_aux(l, ML_U(.op = SIMT_BSEL, .s = { a.hi.s, b.hi.s, (u16)(w + 1) })),
	};
}

struct ml_pair ml_wide_sum(struct ml *l, struct ml_pair a, struct ml_pair b)
{
	return ml_wide_add(l, a, b, 0);
}

struct ml_pair ml_wide_end(struct ml *l, struct ml_pair a, struct ml_pair b, bool max,
			   bool is_unsigned)
{
	struct ml_val on = less(l, a, b, is_unsigned);

	return max ? ml_wide_pick(l, on, b, a) : ml_wide_pick(l, on, a, b);
}

/* Select a lane of the first source by index. */
static int ml_wide_shuffle(struct ml *l, struct ml_pair n, struct ml_pair *v)
{
	struct ml_val on = ml_wide_two(l, SIMT_IAND, n.lo, ml_const(l, 1), 0), w[4];
	u32 i;
	int ret;

	for (i = 0; i < 4; i++) {
		ret = ml_src(l, 0, i, &w[i]);
		if (ret)
			return ret;
	}
	*v = ml_wide_pick(l, on, (struct ml_pair){ w[2], w[3] }, (struct ml_pair){ w[0], w[1] });
	return 0;
}

static int ml_wide_operation(struct ml *l, u32 lane, struct ml_pair a, struct ml_pair b,
			     struct ml_pair *v)
{
	u32 op = l->a->op;
	bool odd = op & 1;
	struct ml_val zero = ml_const(l, 0);

	switch (op) {
	case MG_OP_ADD:
	case MG_OP_ADD_SHL1:
		*v = ml_wide_add(l, a, b, odd);
		break;
	case MG_OP_SUB:
		*v = subtract(l, a, b);
		break;
	case MG_OP_SUB_SHL1:
		*v = subtract(l, ml_wide_add(l, a, (struct ml_pair){ zero, zero }, 1), b);
		break;
	case MG_OP_ADDSAT:
	case MG_OP_ADDSAT_U:
		*v = ml_wide_saturated(l, a, b, false, odd);
		break;
	case MG_OP_SUBSAT:
	case MG_OP_SUBSAT_U:
		*v = ml_wide_saturated(l, a, b, true, odd);
		break;
	case MG_OP_MUL:
		*v = ml_wide_multiply(l, a, b);
		break;
	case MG_OP_MIN:
	case MG_OP_MIN_U:
		*v = ml_wide_end(l, a, b, false, odd);
		break;
	case MG_OP_MAX:
	case MG_OP_MAX_U:
		*v = ml_wide_end(l, a, b, true, odd);
		break;
	case MG_OP_AVG_RTZ ... MG_OP_AVG_ROUND_U:
		*v = average(l, a, b, op & 2, odd);
		break;
	case MG_OP_ASR:
	case MG_OP_LSR:
		*v = ml_wide_right(l, a, b.lo, !odd);
		break;
	case MG_OP_SHL_SAT:
	case MG_OP_SHL_SAT_U:
		*v = ml_wide_shift_saturated(l, a, b.lo, odd);
		break;
	case MG_OP_SHL:
		*v = ml_wide_left(l, a, b.lo);
		break;
	case MG_OP_AND ... MG_OP_NXOR:
		*v = ml_wide_logic(l, op & 7, a, b);
		break;
	case MG_OP_CLZ:
		*v = (struct ml_pair){ leading_zeros(l, a), zero };
		break;
	case MG_OP_POPCNT:
		*v = (struct ml_pair){ ml_wide_two(l, SIMT_IADD, one(l, SIMT_POPC, a.lo, 0),
						   one(l, SIMT_POPC, a.hi, 0), 0), zero };
		break;
	case MG_OP_MOV:
		*v = b;
		break;
	case MG_OP_ABSDIFF:
	case MG_OP_ABSDIFF_U:
		*v = ml_wide_distance(l, a, b, odd);
		break;
	case MG_OP_CHOOSE:
		return ml_wide_shuffle(l, b, v);
	case MG_OP_CMP_EQ ... MG_OP_CMP_LE:
		v->lo = ml_wide_compare(l, op & 7, a, b);
		v->hi = v->lo;
		break;
	case MG_OP_CSEL_VECTOR:
	case MG_OP_CSEL_SCALAR:
		*v = ml_wide_choose(l, lane, a, b);
		break;
	default:
		return ml_unsupported(l, op);
	}
	return 0;
}

int ml_wide(struct ml *l, u32 lane, struct ml_pair *v)
{
	struct ml_val s[2][2];
	u32 k, w;
	int ret;

	if ((l->def->flags & (MG_INT_IN | MG_INT_OUT)) != (MG_INT_IN | MG_INT_OUT))
		return ml_double(l, lane, v);
	for (k = 0; k < 2; k++) {
		for (w = 0; w < 2; w++) {
			s[k][w] = ml_const(l, 0);
			if (l->def->flags & (k ? MG_UNARY : MG_MOVE))
				continue;
			ret = ml_src(l, k, 2 * lane + w, &s[k][w]);
			if (ret)
				return ret;
		}
	}
	return ml_wide_operation(l, lane, (struct ml_pair){ s[0][0], s[0][1] },
				 (struct ml_pair){ s[1][0], s[1][1] }, v);
}
