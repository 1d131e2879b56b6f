// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: operations on floats.
 */
#include "bifrost_lower_priv.h"

#define ONE	0x3f800000
#define HALF_ONES 0x3c003c00	/* two binary16 */
#define HALF_SIGNS 0x80008000U
#define SIGN	0x80000000

static u16 clamp_of(const struct bl *l)
{
	return SIMT_CLAMP(l->o.m.v[BL_CLAMP]);
}

/* Bits of constant source @i, with its modifiers applied. */
static u32 const_bits(const struct bl *l, u32 i, struct bl_val v, u32 sign)
{
	u32 bits = v.bits;

	if (l->o.m.abs >> i & 1)
		bits &= ~sign;
	return l->o.m.neg >> i & 1 ? bits ^ sign : bits;
}

static bool is_const(const struct bl *l, u32 i, struct bl_val v, u32 bits)
{
	return v.is_const && !l->o.m.sel[i] && const_bits(l, i, v, SIGN) == bits;
}

int bl_fma32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1), c = bl_f32(l, 2);
	u16 clamp = clamp_of(l), signs = bl_all_signs(l, 3);
	u32 round = l->o.m.v[BL_ROUND];

	if (!round && is_const(l, 2, c, SIGN))
		bl_emit(l, BL_UOP(.op = SIMT_FMUL, .d = bl_dst(l), .s = { a.s, b.s },
				  .mods = bl_all_signs(l, 2) | clamp));
	else if (!round && is_const(l, 1, b, ONE))
		bl_emit(l, BL_UOP(.op = SIMT_FADD, .d = bl_dst(l), .s = { a.s, c.s },
				  .mods = bl_signs(l, 0, 0) | bl_signs(l, 2, 1) | clamp));
	else
		bl_emit(l, BL_UOP(.op = round ? SIMT_FMAR : l->fused ? SIMT_FMA : SIMT_FMAU,
				  .d = bl_dst(l), .s = { a.s, b.s, c.s },
				  .mods = signs | clamp, .imm = round));
	return 0;
}

int bl_fma16(struct bl *l, u32 arg)
{
	u32 imm = l->o.m.v[BL_ROUND], swz = 0;
	struct bl_val a = bl_f16(l, 0, 0, &swz), b = bl_f16(l, 1, 1, &swz);
	u16 clamp = clamp_of(l);
	struct bl_val c;

	c = bl_src(l, 2);
	if (!imm && c.is_const && const_bits(l, 2, c, HALF_SIGNS) == HALF_SIGNS) {
		bl_emit(l, BL_UOP(.op = SIMT_HMUL, .d = bl_dst(l), .s = { a.s, b.s },
				  .mods = bl_all_signs(l, 2) | clamp, .imm = swz));
		return 0;
	}
	c = bl_f16(l, 2, 2, &swz);
	bl_emit(l, BL_UOP(.op = imm ? SIMT_HFMAR : SIMT_HFMA, .d = bl_dst(l),
			  .s = { a.s, b.s, c.s }, .mods = bl_all_signs(l, 3) | clamp,
			  .imm = imm | swz));
	return 0;
}

/* Add with round-to-odd: towards zero, with the last bit set if the result is inexact. */
static void add_odd(struct bl *l, struct bl_val a, struct bl_val b)
{
	static const u8 modes[3] = { SIMT_RTZ, SIMT_RTP, SIMT_RTN };
	u16 r[3];
	u32 i;

	for (i = 0; i < 3; i++) {
		r[i] = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_FMAR, .d = r[i],
				  .s = { a.s, bl_const(l, ONE).s, b.s },
				  .mods = bl_signs(l, 0, 0) | bl_signs(l, 1, 2), .imm = modes[i]));
	}
	bl_emit(l, BL_UOP(.op = SIMT_FCMP, .d = r[1], .s = { r[1], r[2] },
			  .imm = SIMT_CMP(SIMT_GTLT, SIMT_TRUE_1)));
	bl_emit(l, BL_UOP(.op = SIMT_IOR, .d = bl_dst(l), .s = { r[0], r[1] }));
}

int bl_fadd32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);
	u32 round = l->o.m.v[BL_ROUND];

	if (round == BL_ROUND_ODD && l->o.m.v[BL_CLAMP])
		return bl_unsupported(l);
	if (round == BL_ROUND_ODD)
		add_odd(l, a, b);
	else if (round)
		bl_emit(l, BL_UOP(.op = SIMT_FMAR, .d = bl_dst(l),
				  .s = { a.s, bl_const(l, ONE).s, b.s },
				  .mods = bl_signs(l, 0, 0) | bl_signs(l, 1, 2) | clamp_of(l),
				  .imm = round));
	else
		bl_emit(l, BL_UOP(.op = SIMT_FADD, .d = bl_dst(l), .s = { a.s, b.s },
				  .mods = bl_all_signs(l, 2) | clamp_of(l)));
	return 0;
}

int bl_fadd16(struct bl *l, u32 arg)
{
	u32 imm = l->o.m.v[BL_ROUND], second = imm ? 2 : 1;
	struct bl_val a = bl_f16(l, 0, 0, &imm), b = bl_f16(l, 1, second, &imm);

	if (second == 2)
		bl_emit(l, BL_UOP(.op = SIMT_HFMAR, .d = bl_dst(l),
				  .s = { a.s, bl_const(l, HALF_ONES).s, b.s },
				  .mods = bl_signs(l, 0, 0) | bl_signs(l, 1, 2) | clamp_of(l),
				  .imm = imm));
	else
		bl_emit(l, BL_UOP(.op = SIMT_HADD, .d = bl_dst(l), .s = { a.s, b.s },
				  .mods = bl_all_signs(l, 2) | clamp_of(l), .imm = imm));
	return 0;
}

int bl_fminmax32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);

	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s, b.s },
			  .mods = bl_all_signs(l, 2) | clamp_of(l), .imm = l->o.m.v[BL_NAN]));
	return 0;
}

int bl_fminmax16(struct bl *l, u32 arg)
{
	u32 imm = l->o.m.v[BL_NAN];
	struct bl_val a = bl_f16(l, 0, 0, &imm), b = bl_f16(l, 1, 1, &imm);

	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s, b.s },
			  .mods = bl_all_signs(l, 2), .imm = imm));
	return 0;
}

int bl_fcmp32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);

	bl_compare(l, BL_UOP(.op = SIMT_FCMP, .s = { a.s, b.s }, .mods = bl_all_signs(l, 2),
			     .imm = SIMT_CMP(l->o.m.v[BL_CMP], l->o.m.v[BL_TRUE])));
	return 0;
}

int bl_fcmp16(struct bl *l, u32 arg)
{
	u32 imm = SIMT_CMP(l->o.m.v[BL_CMP], l->o.m.v[BL_TRUE]);
	struct bl_val a = bl_f16(l, 0, 0, &imm), b = bl_f16(l, 1, 1, &imm);

	bl_emit(l, BL_UOP(.op = SIMT_HCMP, .d = bl_dst(l), .s = { a.s, b.s },
			  .mods = bl_all_signs(l, 2), .imm = imm));
	return 0;
}

int bl_fround32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	bl_emit(l, BL_UOP(.op = SIMT_FRND, .d = bl_dst(l), .s = { a.s },
			  .mods = bl_signs(l, 0, 0), .imm = l->o.m.v[BL_ROUND]));
	return 0;
}

int bl_fround16(struct bl *l, u32 arg)
{
	u32 imm = l->o.m.v[BL_ROUND];
	struct bl_val a = bl_f16(l, 0, 0, &imm);

	bl_emit(l, BL_UOP(.op = SIMT_HRND, .d = bl_dst(l), .s = { a.s },
			  .mods = bl_signs(l, 0, 0), .imm = imm));
	return 0;
}

/* Quiet NaNs: the machine has a single NaN, so adding -0 suffices. */
int bl_quiet32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	bl_emit(l, BL_UOP(.op = SIMT_FADD, .d = bl_dst(l), .s = { a.s, bl_const(l, SIGN).s }));
	return 0;
}

int bl_quiet16(struct bl *l, u32 arg)
{
	u32 imm = 0;
	struct bl_val a = bl_f16(l, 0, 0, &imm);

	bl_emit(l, BL_UOP(.op = SIMT_HADD, .d = bl_dst(l),
			  .s = { a.s, bl_const(l, HALF_SIGNS).s }, .imm = imm));
	return 0;
}

/* ---- scaling by a power of two ---- */

/*
 * Special handling: n: a product with a factor 0 is 0 where it would be NaN; left: a product
 * with a factor 0 is the first operand; scale16: the scale is half a word.
 */
enum { SPECIAL_N = 1, SPECIAL_LEFT, SPECIAL_SCALE16 };

int bl_rscale(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1), c = bl_f32(l, 2), n = bl_src(l, 3);
	u32 special = l->o.m.v[BL_SPECIAL];
	u16 signs = bl_all_signs(l, 3);

	/* encodings have the product's sign, which the first operand keeps in its place */
	if (special == SPECIAL_LEFT)
		signs = (bl_signs(l, 0, 0) ^ bl_signs(l, 1, 0)) | bl_signs(l, 2, 2);
	if (special == SPECIAL_SCALE16) {
		n = bl_perm(l, n, bl_sel_imm("h0", 4, true));
		special = 0;
	}
	bl_emit(l, BL_UOP(.op = SIMT_FMASC, .d = bl_dst(l), .s = { a.s, b.s, c.s, n.s },
			  .mods = signs | clamp_of(l),
			  .imm = l->o.m.v[BL_ROUND] | special << 4));
	return 0;
}

int bl_add_rscale(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1), n = bl_src(l, 2);

	if (l->o.m.v[BL_SPECIAL])
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = SIMT_FMASC, .d = bl_dst(l),
			  .s = { a.s, bl_const(l, ONE).s, b.s, n.s },
			  .mods = bl_signs(l, 0, 0) | bl_signs(l, 1, 2) | clamp_of(l),
			  .imm = l->o.m.v[BL_ROUND]));
	return 0;
}

int bl_lscale(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);

	bl_emit(l, BL_UOP(.op = SIMT_FADDM, .d = bl_dst(l), .s = { a.s, b.s },
			  .mods = bl_all_signs(l, 2)));
	return 0;
}

static void bl_float_scale(struct bl *l, u16 dst, struct bl_val a, struct bl_val n, u32 round)
{
	bl_emit(l, BL_UOP(.op = SIMT_FMASC, .d = dst,
			  .s = { a.s, bl_const(l, ONE).s, bl_const(l, SIGN).s, n.s },
			  .imm = round));
}

int bl_ldexp32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), n = bl_src(l, 1);

	if (l->o.m.v[BL_ROUND] > SIMT_RTNA)
		return bl_unsupported(l);
	bl_float_scale(l, bl_dst(l), a, n, l->o.m.v[BL_ROUND]);
	return 0;
}

/* In binary32 a scaled binary16 is exact, or far out of range. */
int bl_ldexp16(struct bl *l, u32 arg)
{
	struct bl_val v = bl_src(l, 0), n = bl_src(l, 1), k;
	u16 half[2];
	u32 i;

	if (l->o.m.v[BL_ROUND] > SIMT_RTNA)
		return bl_unsupported(l);
	for (i = 0; i < 2; i++) {
		half[i] = bl_half(l, v, i).s;
		k = bl_perm(l, n, bl_sel_imm(i ? "h1" : "h0", 4, true));
		bl_float_scale(l, half[i], bl_slot(half[i]), k, SIMT_RTE);
	}
	bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { half[0], half[1] },
			  .imm = l->o.m.v[BL_ROUND]));
	return 0;
}

/* ---- functions ---- */

int bl_fn32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	if (l->o.m.v[BL_DIVZERO])
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s },
			  .mods = bl_signs(l, 0, 0)));
	return 0;
}

int bl_fn16(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);
	u16 slot = bl_temp(l);

	if (l->o.m.v[BL_DIVZERO])
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = slot, .s = { a.s },
			  .mods = bl_signs(l, 0, 0)));
	bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { slot, bl_const(l, 0).s }));
	return 0;
}

int bl_fexp(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);

	bl_emit(l, BL_UOP(.op = SIMT_FEXPX, .d = bl_dst(l), .s = { a.s, b.s }));
	return 0;
}

/* Table lookup by a few bits of a word. */
int bl_table(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0);

	if (l->o.m.v[BL_OFFSET] || l->o.m.v[BL_ADJ])
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s }));
	return 0;
}

int bl_log_table(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	if (l->o.m.v[BL_DIVZERO] || l->o.m.v[BL_PRECISION])
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = SIMT_FLOGT, .d = bl_dst(l), .s = { a.s },
			  .mods = bl_signs(l, 0, 0), .imm = l->o.m.v[BL_MODE]));
	return 0;
}

/* FREXPM, FREXPE: the negation of FREXPE applies to its result. */
static void bl_float_split(struct bl *l, u16 dst, struct bl_val a, u32 op)
{
	u32 imm = l->o.m.v[BL_LOG] ? SIMT_FREXP_LOG :
		  l->o.m.v[BL_SQRT] ? SIMT_FREXP_SQRT : SIMT_FREXP_NORM;
	u16 mods = bl_signs(l, 0, 0);

	if (op == SIMT_FREXPE) {
		imm |= l->o.m.neg & 1 ? 0x10 : 0;
		mods = 0;
	}
	bl_emit(l, BL_UOP(.op = op, .d = dst, .s = { a.s }, .mods = mods, .imm = imm));
}

int bl_frexp32(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	bl_float_split(l, bl_dst(l), a, BL_OP_OF(arg));
	return 0;
}

int bl_frexp16(struct bl *l, u32 arg)
{
	const char *sel = l->o.m.sel[0];
	struct bl_val v = bl_src(l, 0);
	u16 half[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		half[i] = bl_half(l, v, sel ? (u32)(sel[1 + i] - '0') : i).s;
		bl_float_split(l, half[i], bl_slot(half[i]), BL_OP_OF(arg));
	}
	if (BL_OP_OF(arg) == SIMT_FREXPM)
		bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { half[0], half[1] }));
	else
		bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { half[0], half[1] },
				  .imm = 0x5410));
	return 0;
}

/* ---- cube maps ---- */

/* Face order +x -x +y -y +z -z; the face index is in bits 29 to 31. */
#define FACE_SHIFT 29

static u16 face_if(struct bl *l, u32 i, struct bl_val v)
{
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = slot, .s = { v.s }, .imm = 31));
	if (l->o.m.neg >> i & 1)
		bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = slot, .s = { slot, bl_const(l, 1).s }));
	if (i)
		bl_emit(l, BL_UOP(.op = SIMT_IOR, .d = slot,
				  .s = { slot, bl_const(l, 2 * i).s }));
	return slot;
}

int bl_cubeface1(struct bl *l, u32 arg)
{
	const struct bl_ins *add = &l->cl.ins[l->t.index][BI_ADD];
	struct bl_val v[3];
	u16 face[3], max = bl_temp(l);
	u32 i, k;

	for (i = 0; i < 3; i++)
		v[i] = bl_f32(l, i);
	bl_emit(l, BL_UOP(.op = SIMT_FMAX, .d = max, .s = { v[1].s, v[2].s },
			  .mods = SIMT_ABS(0) | SIMT_ABS(1)));
	if (add->live && add->rule && add->rule->emit == bl_cubeface2) {
		/* a slot that lasts until the ADD operation reads it */
		k = l->cl.save < BI_SLOT_WORK - 1 ? l->cl.save++ : l->cl.save;
		l->t.pair = bl_slot((u16)k);
		for (i = 0; i < 3; i++)
			face[i] = face_if(l, i, v[i]);
		bl_emit(l, BL_UOP(.op = SIMT_FCSEL, .d = face[1],
				  .s = { v[1].s, v[2].s, face[1], face[2] },
				  .mods = SIMT_ABS(0) | SIMT_ABS(1), .imm = SIMT_GE));
		bl_emit(l, BL_UOP(.op = SIMT_FCSEL, .d = face[0],
				  .s = { v[0].s, max, face[0], face[1] }, .mods = SIMT_ABS(0),
				  .imm = SIMT_GE));
		bl_emit(l, BL_UOP(.op = SIMT_SHLI, .d = (u16)k, .s = { face[0] },
				  .imm = FACE_SHIFT));
	}
	bl_emit(l, BL_UOP(.op = SIMT_FMAX, .d = bl_dst(l), .s = { v[0].s, max },
			  .mods = SIMT_ABS(0)));
	return 0;
}

int bl_cubeface2(struct bl *l, u32 arg)
{
	const struct bl_ins *fma = &l->cl.ins[l->t.index][BI_FMA];

	if (!fma->rule || fma->rule->emit != bl_cubeface1)
		return bl_unsupported(l);
	bl_result(l, l->t.pair);
	return 0;
}

/* Negate @v if the face index in @number is @face. */
static u16 negate_if(struct bl *l, struct bl_val v, u16 number, u32 face)
{
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = slot, .s = { v.s, bl_const(l, SIGN).s }));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = slot,
			  .s = { number, bl_const(l, face).s, slot, v.s }, .imm = SIMT_EQ));
	return slot;
}

static struct bl_val signed_src(struct bl *l, u32 i)
{
	struct bl_val v = bl_src(l, i);
	u16 slot;

	if (!(l->o.m.neg >> i & 1))
		return v;
	slot = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = slot, .s = { v.s, bl_const(l, SIGN).s }));
	return bl_slot(slot);
}

/* s coordinate from z, x by face: -z, z, x, x, x, -x */
int bl_cube_ssel(struct bl *l, u32 arg)
{
	struct bl_val z = signed_src(l, 0), x = signed_src(l, 1), face = bl_src(l, 2);
	u16 number = bl_temp(l), a, b;

	bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = number, .s = { face.s }, .imm = FACE_SHIFT));
	a = negate_if(l, z, number, 0);
	b = negate_if(l, x, number, 5);
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = bl_dst(l),
			  .s = { number, bl_const(l, 2).s, a, b }, .imm = SIMT_LT));
	return 0;
}

/* t coordinate from y, z by face: -y, -y, z, -z, -y, -y */
int bl_cube_tsel(struct bl *l, u32 arg)
{
	struct bl_val y = signed_src(l, 0), z = signed_src(l, 1), face = bl_src(l, 2);
	u16 number = bl_temp(l), a = bl_temp(l), b;

	bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = number, .s = { face.s }, .imm = FACE_SHIFT));
	b = negate_if(l, z, number, 3);
	bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = a, .s = { y.s, bl_const(l, SIGN).s }));
	bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = number, .s = { number }, .imm = 1));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = bl_dst(l),
			  .s = { number, bl_const(l, 1).s, b, a }, .imm = SIMT_EQ));
	return 0;
}
