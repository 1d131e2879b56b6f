// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: operations that Mesa's compiler does not emit, as far as their names and
 * operands define them.
 */
#include "bifrost_ext.h"
#include "bifrost_lower_priv.h"

/* ---- shifts of 64 bits ---- */

/**
 * struct wide - pair of words and shift amount
 * @lo: low word
 * @hi: high word
 * @by: 0 to 63 bits; word shifts use the lower five bits
 * @far: not 0: 32 bits or more
 */
struct wide {
	u16 lo;
	u16 hi;
	u16 by;
	u16 far;
};

static u16 bl_more_two(struct bl *l, u32 op, u16 a, u16 b)
{
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = (u16)op, .d = slot, .s = { a, b }));
	return slot;
}

/* Read the operands; byte b0 or b2 of the third one is the amount in bits or bytes. */
static void read_wide(struct bl *l, bool negate, struct wide *w)
{
	const char *sel = l->o.m.sel[2] ? l->o.m.sel[2] : "b0";
	u16 slot = bl_temp(l);

	w->lo = bl_src(l, 0).s;
	w->hi = bl_src(l, 1).s;
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = slot, .s = { bl_src(l, 2).s, bl_src(l, 2).s },
			  .imm = bl_sel_imm(sel, 4, false)));
	if (l->o.m.v[BL_IN_BYTES])
		bl_emit(l, BL_UOP(.op = SIMT_SHLI, .d = slot, .s = { slot }, .imm = 3));
	if (negate)
		bl_emit(l, BL_UOP(.op = SIMT_ISUB, .d = slot,
				  .s = { bl_const(l, 0).s, slot }));
	w->by = slot;
	w->far = bl_more_two(l, SIMT_IAND, slot, bl_const(l, 32).s);
}

/* Emit the result: @b if the shift is far, else @a. */
static void bl_more_put_word(struct bl *l, const struct wide *w, u16 d, u16 a, u16 b)
{
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = d, .s = { w->far, bl_const(l, 0).s, a, b },
			  .imm = SIMT_EQ));
}

static void bl_more_wide_left(struct bl *l, const struct wide *w, bool high)
{
	u16 low = bl_more_two(l, SIMT_SHL, w->lo, w->by), hi, carry;

	if (!high) {
		bl_more_put_word(l, w, bl_dst(l), low, bl_const(l, 0).s);
		return;
	}
	/* 31 - n bits, after a shift by one: 0 if n is 0 */
	hi = bl_more_two(l, SIMT_SHL, w->hi, w->by);
	carry = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = carry, .s = { w->lo }, .imm = 1));
	carry = bl_more_two(l, SIMT_SHR, carry,
			    bl_more_two(l, SIMT_IXOR, w->by, bl_const(l, 31).s));
	bl_more_put_word(l, w, bl_dst(l), bl_more_two(l, SIMT_IOR, hi, carry), low);
}

static void bl_more_wide_right(struct bl *l, const struct wide *w, bool high, bool sign)
{
	u16 fill = bl_const(l, 0).s, top = bl_more_two(l, sign ? SIMT_ASR : SIMT_SHR, w->hi,
						       w->by), low;

	if (high && sign) {
		fill = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_ASRI, .d = fill, .s = { w->hi }, .imm = 31));
	}
	if (high) {
		bl_more_put_word(l, w, bl_dst(l), top, fill);
		return;
	}
	low = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_FUN, .d = low, .s = { w->lo, w->hi, w->by }));
	bl_more_put_word(l, w, bl_dst(l), low, top);
}

static void wide_rotate(struct bl *l, const struct wide *w, bool high)
{
	u16 a = bl_temp(l), b = bl_temp(l);

	bl_more_put_word(l, w, a, high ? w->hi : w->lo, high ? w->lo : w->hi);
	bl_more_put_word(l, w, b, high ? w->lo : w->hi, high ? w->hi : w->lo);
	bl_emit(l, BL_UOP(.op = SIMT_FUN, .d = bl_dst(l), .s = { a, b, w->by }));
}

/* One word of a 64-bit shift; the rule's argument is enum bl_wide. */
int bl_shift_double(struct bl *l, u32 arg)
{
	bool high = l->o.m.v[BL_WORD];
	u32 how = BL_OP_OF(arg);
	struct wide w;

	read_wide(l, how == BL_WIDE_ROL, &w);
	switch (how) {
	case BL_WIDE_SHL:
		bl_more_wide_left(l, &w, high);
		break;
	case BL_WIDE_SHR:
	case BL_WIDE_ASR:
		bl_more_wide_right(l, &w, high, how == BL_WIDE_ASR);
		break;
	default:
		wide_rotate(l, &w, high);
		break;
	}
	return 0;
}

/* ---- exponents ---- */

#define INFINITY_BITS	0x7f800000
#define NAN_BITS	0x7fc00000

/* Substitutes for the exponents of 0, infinity and NaN. */
struct exponents {
	u32 zero;
	u32 infinity;
	u32 nan;
};

static const struct exponents as_int = { 0x80000000, 0x7fffffff, 0x7fffffff };
static const struct exponents as_float = { 0xff800000, INFINITY_BITS, NAN_BITS };

static void bl_more_exponent(struct bl *l, u16 d, u16 a, bool to_float)
{
	const struct exponents *x = to_float ? &as_float : &as_int;
	u16 inf = bl_const(l, INFINITY_BITS).s, zero = bl_const(l, 0).s, e = bl_temp(l), bits;

	bl_emit(l, BL_UOP(.op = SIMT_FREXPE, .d = e, .s = { a }, .imm = SIMT_FREXP_NORM));
	e = bl_more_two(l, SIMT_IADD, e, bl_const(l, ~0U).s);
	if (to_float)
		bl_emit(l, BL_UOP(.op = SIMT_I2F, .d = e, .s = { e }));
	bits = bl_more_two(l, SIMT_IAND, a, bl_const(l, 0x7fffffff).s);
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = e,
			  .s = { bits, zero, bl_const(l, x->zero).s, e }, .imm = SIMT_EQ));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = e,
			  .s = { bits, inf, bl_const(l, x->infinity).s, e }, .imm = SIMT_EQ));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = d,
			  .s = { bits, inf, bl_const(l, x->nan).s, e }, .imm = SIMT_GT));
}

int bl_logb32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	bl_more_exponent(l, bl_dst(l), a.s, BL_OP_OF(arg));
	return 0;
}

/* Exponents of halves; integers are truncated to 16 bits, extreme values stay extreme. */
int bl_logb16(struct bl *l, u32 arg)
{
	const char *sel = l->o.m.sel[0];
	struct bl_val v = bl_src(l, 0);
	u16 half[2], work;
	u32 i;

	for (i = 0; i < 2; i++)
		half[i] = bl_half(l, v, sel ? (u32)(sel[1 + i] - '0') : i).s;
	work = l->f.temp;
	for (i = 0; i < 2; i++) {
		l->f.temp = work;
		bl_more_exponent(l, half[i], half[i], BL_OP_OF(arg));
		if (BL_OP_OF(arg))
			continue;
		bl_emit(l, BL_UOP(.op = SIMT_IMAX, .d = half[i],
				  .s = { half[i], bl_const(l, 0xffff8000).s }));
		bl_emit(l, BL_UOP(.op = SIMT_IMIN, .d = half[i],
				  .s = { half[i], bl_const(l, 0x7fff).s }));
	}
	if (BL_OP_OF(arg))
		bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { half[0], half[1] }));
	else
		bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { half[0], half[1] },
				  .imm = 0x5410));
	return 0;
}

/* ---- threads of a warp ---- */

/* Branch if the operand is not 0 in any, or in all, active threads of the warp. */
int bl_branchc(struct bl *l, u32 arg)
{
	u32 log = bifrost_warp(l->gpu) == 8 ? 3 : 2;
	struct bl_val a = bl_int(l, 0, 4, false);
	u16 some = bl_temp(l), all = bl_temp(l);

	bl_emit(l, BL_UOP(.op = SIMT_WMASK, .d = some, .s = { a.s }, .imm = log));
	if (!l->o.m.v[BL_COMBINE])
		return bl_take(l, SIMT_BRNZ, bl_slot(some));
	bl_emit(l, BL_UOP(.op = SIMT_WMASK, .d = all, .s = { bl_const(l, 1).s }, .imm = log));
	bl_emit(l, BL_UOP(.op = SIMT_UCMP, .d = all, .s = { some, all },
			  .imm = SIMT_CMP(SIMT_EQ, SIMT_TRUE_1)));
	return bl_take(l, SIMT_BRNZ, bl_slot(all));
}

/* Branch by divergence; the rule's argument is the branch micro-op. */
int bl_branch_diverg(struct bl *l, u32 arg)
{
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = SIMT_EXT, .d = slot, .n = 1,
			  .imm = MALI_EXT_IMM(MX_DIVERGED, 0, 0)));
	return bl_take(l, BL_OP_OF(arg), bl_slot(slot));
}

/* Cycle counter: no real clock, but every read is later than the previous one. */
int bl_ld_gclk(struct bl *l, u32 arg)
{
	bl_emit(l, BL_UOP(.op = SIMT_EXT, .d = bl_stage_out(l, 2), .n = 2,
			  .imm = MALI_EXT_IMM(MX_CLOCK, 0, 0)));
	return 0;
}
