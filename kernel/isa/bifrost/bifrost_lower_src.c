// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: modifiers of operations and of their operands.
 */
#include "bifrost_lower_priv.h"

/**
 * struct list_use - meaning of a list of modifier values
 * @field: enum bl_field
 * @map: number for each value, or NULL: identity
 */
struct list_use {
	u8 field;
	const u8 *map;
};

#define MAP(...) ((const u8[]){ __VA_ARGS__ })

static const struct list_use uses[BI_NUM_LISTS] = {
	[BI_L_ABS] = { BL_ABS },
	[BI_L_NEG] = { BL_NEG },
	[BI_L_NOT] = { BL_INV },
	[BI_L_NOT_RESULT] = { BL_INV, MAP(1, 0) },
	[BI_L_SIGN] = { BL_SIGNED },
	[BI_L_LANE] = { BL_SEL },
	[BI_L_LANES] = { BL_SEL },
	[BI_L_LANES_2] = { BL_SEL },
	[BI_L_LANES_3] = { BL_SEL },
	[BI_L_LANES_4] = { BL_SEL },
	[BI_L_LANE_2] = { BL_SEL },
	[BI_L_LANE_3] = { BL_SEL },
	[BI_L_LANE_4] = { BL_SEL },
	[BI_L_SWAP] = { BL_SEL },
	[BI_L_SWZ] = { BL_SEL },
	[BI_L_SWZ_2] = { BL_SEL },
	[BI_L_SWZ_3] = { BL_SEL },
	[BI_L_SWZ_4] = { BL_SEL },
	[BI_L_WIDEN] = { BL_SEL },
	[BI_L_WIDEN_2] = { BL_SEL },
	[BI_L_WIDEN_3] = { BL_SEL },
	[BI_L_REPLICATE] = { BL_SEL },
	[BI_L_LANE_DEST] = { BL_LANE },
	[BI_L_LANE_DEST_2] = { BL_LANE },
	[BI_L_LANE_DEST_3] = { BL_LANE },
	[BI_L_CLAMP] = { BL_CLAMP },
	[BI_L_CLAMP_2] = { BL_CLAMP, MAP(SIMT_CLAMP_NONE, SIMT_CLAMP_0_1) },
	[BI_L_ROUND] = { BL_ROUND },
	[BI_L_ROUND_2] = { BL_ROUND, MAP(SIMT_RTE, SIMT_RTZ) },
	[BI_L_ROUND_3] = { BL_ROUND },
	[BI_L_ROUND_4] = { BL_ROUND, MAP(SIMT_RTE, SIMT_RTP, SIMT_RTN, SIMT_RTZ, BL_ROUND_ODD) },
	[BI_L_ROUND_5] = { BL_ROUND },
	[BI_L_ROUND_6] = { BL_ROUND, MAP(SIMT_RTE, SIMT_RTP, SIMT_RTN, SIMT_RTZ, SIMT_RTNA, 0,
					 BL_ROUND_ODD, BL_ROUND_ODD) },
	[BI_L_CMPF] = { BL_CMP },
	[BI_L_CMPF_2] = { BL_CMP, MAP(SIMT_EQ, SIMT_NE) },
	[BI_L_CMPF_3] = { BL_CMP, MAP(SIMT_GT, SIMT_GE, SIMT_LT, SIMT_LE) },
	[BI_L_CMPF_4] = { BL_CMP },
	[BI_L_CMPF_5] = { BL_CMP, MAP(SIMT_GT, SIMT_GE) },
	[BI_L_RESULT_TYPE] = { BL_TRUE },
	[BI_L_RESULT_TYPE_2] = { BL_TRUE, MAP(SIMT_TRUE_1, SIMT_TRUE_M1) },
	[BI_L_MUX] = { BL_MUX },
	[BI_L_MUX_2] = { BL_MUX },
	[BI_L_SEM] = { BL_NAN },
	[BI_L_SEG] = { BL_SEG },
	[BI_L_SEG_2] = { BL_SEG, MAP(1, 2) },
	[BI_L_SEG_3] = { BL_SEG },
	[BI_L_SEG_4] = { BL_SEG },
	[BI_L_REGISTER_FORMAT] = { BL_REGFMT },
	[BI_L_REGISTER_FORMAT_2] = { BL_REGFMT, MAP(1, 0, 8) },
	[BI_L_REGISTER_FORMAT_3] = { BL_REGFMT, MAP(1, 0, 3, 2, 8) },
	[BI_L_VECSIZE] = { BL_COMPS, MAP(1, 2, 3, 4) },
	[BI_L_SAMPLE] = { BL_SAMPLE },
	[BI_L_SAMPLE_2] = { BL_SAMPLE, MAP(0, 4) },
	[BI_L_EXTEND] = { BL_EXTEND },
	[BI_L_ATOM_OPC] = { BL_OPC },
	[BI_L_ATOM_OPC_2] = { BL_OPC },
	[BI_L_ATOM_OPC_3] = { BL_OPC },
	[BI_L_SQRT] = { BL_SQRT },
	[BI_L_LOG] = { BL_LOG },
	[BI_L_MODE] = { BL_MODE },
	[BI_L_PRECISION] = { BL_PRECISION },
	[BI_L_DIVZERO] = { BL_DIVZERO },
	[BI_L_SPECIAL] = { BL_SPECIAL },
	[BI_L_SPECIAL_2] = { BL_SPECIAL },
	[BI_L_SPECIAL_3] = { BL_SPECIAL },
	[BI_L_ADJ] = { BL_ADJ },
	[BI_L_OFFSET] = { BL_OFFSET },
	[BI_L_SATURATE] = { BL_SAT },
	[BI_L_MASK] = { BL_MASK },
	[BI_L_LANE_OP] = { BL_LANE_OP },
	[BI_L_SUBGROUP] = { BL_SUBGROUP },
	[BI_L_SUBGROUP_2] = { BL_SUBGROUP },
	[BI_L_INACTIVE_RESULT] = { BL_INACTIVE },
	[BI_L_LOD_MODE] = { BL_LOD0 },
	[BI_L_UPDATE] = { BL_UPDATE },
	[BI_L_UPDATE_2] = { BL_UPDATE },
	[BI_L_VARYING_NAME] = { BL_VARYING },
	[BI_L_STENCIL] = { BL_STENCIL },
	[BI_L_Z] = { BL_Z },
	[BI_L_FUNCTION] = { BL_FUNCTION },
	[BI_L_PRESERVE_NULL] = { BL_NULL },
	[BI_L_BYTES] = { BL_IN_BYTES },
	[BI_L_RESULT_WORD] = { BL_WORD },
	[BI_L_COMBINE] = { BL_COMBINE },
};

static void bl_src_note(struct bl_mods *m, const struct bi_mod *mod, u32 value)
{
	const struct list_use *use = &uses[mod->list];
	const char *name = bi_list(mod->list)->names[value];
	u8 bit = mod->src >= 0 ? (u8)(1U << mod->src) : 0;
	u8 v = use->map ? use->map[value] : (u8)value;

	switch (use->field) {
	case BL_ABS:
		m->abs |= v ? bit : 0;
		break;
	case BL_NEG:
		m->neg |= v ? bit : 0;
		break;
	case BL_SIGNED:
		m->is_signed |= v ? bit : 0;
		break;
	case BL_INV:
		if (bit)
			m->inv |= v ? bit : 0;
		else
			m->v[BL_NOT] = v;
		break;
	case BL_SEL:
		if (bit && strcmp(name, "none"))
			m->sel[mod->src] = name;
		break;
	case BL_LANE:
		m->lane = strcmp(name, "none") ? name : NULL;
		break;
	default:
		m->v[use->field] = v;
		break;
	}
}

bool bl_mods_read(const struct bi_op *op, u32 bits, struct bl_mods *m)
{
	u32 i;

	memset(m, 0, sizeof(*m));
	for (i = 0; op->mods && op->mods[i].list; i++) {
		int value = bi_mod_value(op, i, bits);

		if (value < 0)
			return false;
		bl_src_note(m, &op->mods[i], (u32)value);
	}
	return true;
}

/* ---- selections ---- */

#define PERM_SAME 0x3210

u32 bl_sel_imm(const char *sel, u32 bytes, bool is_signed)
{
	u32 size = sel && *sel == 'b' ? 1 : sel ? 2 : 4, imm = 0, i, k;

	if (!sel)
		return PERM_SAME;
	for (i = 0; i < 4; i += bytes) {
		/* "h0" of words, "h10" of halves, "b0" .. */
		u32 from = (u32)(sel[1 + i / bytes] - '0') * size;

		for (k = 0; k < bytes; k++) {
			u32 nibble = from + k;

			if (k >= size)
				nibble = is_signed ? SIMT_PERM_SIGN(from + size - 1) : SIMT_PERM_00;
			imm |= nibble << 4 * (i + k);
		}
	}
	return imm;
}

static u32 perm_bits(u32 v, u32 imm)
{
	u32 out = 0, i, n, byte;

	for (i = 0; i < 4; i++) {
		n = imm >> 4 * i & 15;
		if (n < 4)
			byte = v >> 8 * n & 0xff;
		else if (n >= SIMT_PERM_SIGN(0))
			byte = v >> (8 * (n - SIMT_PERM_SIGN(0)) + 7) & 1 ? 0xff : 0;
		else
			byte = n == SIMT_PERM_FF ? 0xff : 0;
		out |= byte << 8 * i;
	}
	return out;
}

struct bl_val bl_perm(struct bl *l, struct bl_val v, u32 imm)
{
	u16 slot;

	if (imm == PERM_SAME)
		return v;
	if (v.is_const)
		return bl_const(l, perm_bits(v.bits, imm));
	slot = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = slot, .s = { v.s, v.s }, .imm = imm));
	return bl_slot(slot);
}

void bl_perm_result(struct bl *l, struct bl_val v, u32 imm)
{
	if (imm == PERM_SAME || v.is_const)
		bl_result(l, bl_perm(l, v, imm));
	else
		bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { v.s, v.s },
				  .imm = imm));
}

struct bl_val bl_int(struct bl *l, u32 i, u32 bytes, bool is_signed)
{
	return bl_perm(l, bl_src(l, i), bl_sel_imm(l->o.m.sel[i], bytes, is_signed));
}

/* ---- floats ---- */

static struct bl_val bl_src_flush(struct bl *l, struct bl_val v, bool half)
{
	u16 slot;

	/* mode 1 (Direct3D) does not flush binary16 */
	if (l->cl.v.header.ftz <= half)
		return v;
	slot = bl_temp(l);
	bl_emit(l, BL_UOP(.op = half ? SIMT_HFTZ : SIMT_FFTZ, .d = slot, .s = { v.s }));
	return bl_slot(slot);
}

struct bl_val bl_half(struct bl *l, struct bl_val v, u32 half)
{
	u16 slot = bl_temp(l);

	v = bl_src_flush(l, v, true);
	bl_emit(l, BL_UOP(.op = SIMT_H2F, .d = slot, .s = { v.s }, .imm = half));
	return bl_slot(slot);
}

struct bl_val bl_f32(struct bl *l, u32 i)
{
	struct bl_val v = bl_src(l, i);
	const char *sel = l->o.m.sel[i];

	return sel ? bl_half(l, v, sel[1] - '0') : bl_src_flush(l, v, false);
}

struct bl_val bl_f16(struct bl *l, u32 i, u32 at, u32 *imm)
{
	const char *sel = l->o.m.sel[i];
	u32 swz = SIMT_H01;

	if (sel && sel[1] == sel[2])
		swz = sel[1] == '1' ? SIMT_H11 : SIMT_H00;
	else if (sel && sel[1] == '1')
		swz = SIMT_H10;
	*imm |= SIMT_SWZ(at, swz);
	return bl_src_flush(l, bl_src(l, i), true);
}

u16 bl_signs(const struct bl *l, u32 i, u32 at)
{
	return (u16)((l->o.m.neg >> i & 1 ? SIMT_NEG(at) : 0) |
		     (l->o.m.abs >> i & 1 ? SIMT_ABS(at) : 0));
}

u16 bl_all_signs(const struct bl *l, u32 n)
{
	u16 mods = 0;
	u32 i;

	for (i = 0; i < n; i++)
		mods |= bl_signs(l, i, i);
	return mods;
}
