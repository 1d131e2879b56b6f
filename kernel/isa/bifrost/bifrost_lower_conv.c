// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: conversions. The rule's argument is the size and signedness of the operand.
 */
#include "bifrost_lower_priv.h"

static const char *half_name(u32 half)
{
	return half ? "h1" : "h0";
}

/* Half of source 0 that supplies result @i. */
static u32 half_of(const struct bl *l, u32 i)
{
	return l->o.m.sel[0] ? (u32)(l->o.m.sel[0][1 + i] - '0') : i;
}

/* Extend bytes or halves; the rule's size is that of the result. */
int bl_extend(struct bl *l, u32 arg)
{
	bl_perm_result(l, bl_src(l, 0), bl_sel_imm(l->o.m.sel[0], BL_BYTES(arg), arg & BL_SIGN));
	return 0;
}

int bl_f2i(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0);

	bl_emit(l, BL_UOP(.op = arg & BL_SIGN ? SIMT_F2I : SIMT_F2U, .d = bl_dst(l),
			  .s = { a.s }, .imm = l->o.m.v[BL_ROUND]));
	return 0;
}

int bl_i2f(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, 4, arg & BL_SIGN);

	bl_emit(l, BL_UOP(.op = arg & BL_SIGN ? SIMT_I2F : SIMT_U2F, .d = bl_dst(l),
			  .s = { a.s }, .imm = l->o.m.v[BL_ROUND]));
	return 0;
}

int bl_h2f(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0);

	bl_emit(l, BL_UOP(.op = SIMT_H2F, .d = bl_dst(l), .s = { a.s },
			  .imm = l->o.m.sel[0] ? l->o.m.sel[0][1] - '0' : 0));
	return 0;
}

int bl_f2h(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);

	bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { a.s, b.s },
			  .mods = bl_all_signs(l, 2),
			  .imm = l->o.m.v[BL_ROUND] | l->o.m.v[BL_CLAMP] << 4));
	return 0;
}

/* Convert two halves to 16-bit integers, saturated. */
int bl_h2i16(struct bl *l, u32 arg)
{
	bool sign = arg & BL_SIGN;
	struct bl_val v = bl_src(l, 0);
	u16 r[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		r[i] = bl_half(l, v, half_of(l, i)).s;
		bl_emit(l, BL_UOP(.op = sign ? SIMT_F2I : SIMT_F2U, .d = r[i], .s = { r[i] },
				  .imm = l->o.m.v[BL_ROUND]));
		bl_emit(l, BL_UOP(.op = sign ? SIMT_IMIN : SIMT_UMIN, .d = r[i],
				  .s = { r[i], bl_const(l, sign ? 0x7fff : 0xffff).s }));
		if (sign)
			bl_emit(l, BL_UOP(.op = SIMT_IMAX, .d = r[i],
					  .s = { r[i], bl_const(l, 0xffff8000).s }));
	}
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { r[0], r[1] }, .imm = 0x5410));
	return 0;
}

/* Convert two 8-bit or 16-bit integers to halves; they are exact as binary32. */
int bl_i2h(struct bl *l, u32 arg)
{
	bool sign = arg & BL_SIGN;
	struct bl_val v = bl_src(l, 0), k;
	u16 r[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		char sel[3] = { 'b', (char)('0' + half_of(l, i)), 0 };

		k = bl_perm(l, v, bl_sel_imm(BL_BYTES(arg) == 1 ? sel : half_name(half_of(l, i)),
					     4, sign));
		r[i] = bl_temp(l);
		bl_emit(l, BL_UOP(.op = sign ? SIMT_I2F : SIMT_U2F, .d = r[i], .s = { k.s }));
	}
	bl_emit(l, BL_UOP(.op = SIMT_F2H2, .d = bl_dst(l), .s = { r[0], r[1] },
			  .imm = l->o.m.v[BL_ROUND]));
	return 0;
}
