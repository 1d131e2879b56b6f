// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: messages that use descriptors, operations across threads, and branches.
 */
#include "bifrost_ext.h"
#include "bifrost_lower_priv.h"

/* Registers that @comps components occupy. */
static u32 words_of(u32 comps, u32 regfmt)
{
	switch (regfmt) {
	case MALI_REG_F16:
	case MALI_REG_S16:
	case MALI_REG_U16:
		return (comps + 1) / 2;
	case MALI_REG_F64:
	case MALI_REG_I64:
		return 2 * comps;
	default:
		return comps;
	}
}

/* Emit a message that writes @n staging registers. */
static void bl_msg_fetch(struct bl *l, struct simt_uop *u, u32 n)
{
	u->op = SIMT_EXT;
	u->d = bl_stage_out(l, n);
	u->n = (u16)n;
	bl_emit(l, u);
}

/* ---- attributes, images, varyings ---- */

/*
 * Attributes: the rule's argument is the resource operation, LD or LEA. The third operand, the
 * attribute index, may be an immediate.
 */
int bl_attr(struct bl *l, u32 arg)
{
	u32 op = BL_OP_OF(arg), fmt = l->o.m.v[BL_REGFMT], comps = l->o.m.v[BL_COMPS];
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c;
	bool lea = op == MX_LEA_ATTR || op == MX_LEA_IMG;

	c = l->o.in->nsrc > 2 ? bl_src(l, 2) : bl_const(l, bl_imm(l, 0));
	bl_msg_fetch(l, BL_UOP(.s = { a.s, b.s, c.s },
			       .imm = MALI_EXT_IMM(op, lea ? 0 : comps, fmt) |
			       (op == MX_LEA_ATTR ? MALI_EXT_VARYING : 0)),
		     lea ? 3 : words_of(comps, fmt));
	return 0;
}

int bl_ld_cvt(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2);
	u32 comps = l->o.m.v[BL_COMPS];

	bl_msg_fetch(l, BL_UOP(.s = { a.s, b.s, c.s },
			       .imm = MALI_EXT_IMM(BL_OP_OF(arg), comps, MALI_REG_AUTO)), comps);
	return 0;
}

int bl_st_cvt(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2);
	u32 comps = l->o.m.v[BL_COMPS];

	bl_emit(l, BL_UOP(.op = SIMT_EXT, .d = bl_stage_in(l, comps), .s = { a.s, b.s, c.s },
			  .imm = MALI_EXT_IMM(BL_OP_OF(arg), comps, MALI_REG_AUTO)));
	return 0;
}

/* Is the update mode of the sample position supported? The conditional mode is not. */
static bool knows_place(const struct bl *l)
{
	return l->o.m.v[BL_UPDATE] != MALI_UPDATE_CONDITIONAL;
}

static u32 place_imm(const struct bl *l)
{
	return MALI_EXT_SAMPLE_IS(l->o.m.v[BL_SAMPLE]) | MALI_EXT_UPDATE_IS(l->o.m.v[BL_UPDATE]);
}

int bl_ld_var(struct bl *l, u32 arg)
{
	u32 fmt = l->o.m.v[BL_REGFMT], comps = l->o.m.v[BL_COMPS];
	struct bl_val place = bl_src(l, 0), index;

	if (!knows_place(l))
		return bl_unsupported(l);
	index = l->o.in->nsrc > 1 ? bl_src(l, 1) : bl_const(l, bl_imm(l, 0));
	bl_msg_fetch(l, BL_UOP(.s = { index.s, place.s, index.s },
			       .imm = MALI_EXT_IMM(MX_LD_VAR, comps, fmt) |
			       place_imm(l)), words_of(comps, fmt));
	return 0;
}

#define FUNCTION_NONE 3

int bl_ld_var_flat(struct bl *l, u32 arg)
{
	u32 fmt = l->o.m.v[BL_REGFMT], comps = l->o.m.v[BL_COMPS];
	struct bl_val index = l->o.in->nsrc ? bl_src(l, 0) : bl_const(l, bl_imm(l, 0));

	if (l->o.m.v[BL_FUNCTION] != FUNCTION_NONE)
		return bl_unsupported(l);
	bl_msg_fetch(l, BL_UOP(.s = { index.s, index.s, index.s },
			       .imm = MALI_EXT_IMM(MX_LD_VAR_FLAT, comps, fmt)),
		     words_of(comps, fmt));
	return 0;
}

int bl_ld_var_special(struct bl *l, u32 arg)
{
	static const u8 names[] = { MALI_VAR_POINT, 0, MALI_VAR_FRAG_W, MALI_VAR_FRAG_Z };
	u32 fmt = l->o.m.v[BL_REGFMT], comps = l->o.m.v[BL_COMPS];
	struct bl_val place = bl_src(l, 0);

	if (!knows_place(l))
		return bl_unsupported(l);
	bl_msg_fetch(l, BL_UOP(.s = { place.s, place.s, place.s },
			       .imm = MALI_EXT_IMM(MX_LD_VAR_SPECIAL, comps, fmt) |
			       place_imm(l) |
			       (u32)names[l->o.m.v[BL_VARYING]] << 20), words_of(comps, fmt));
	return 0;
}

/* ---- textures ---- */

/* Immediate of a texture request; the rule's argument is the register format. */
static u32 tex_imm(const struct bl *l, u32 op, u32 fmt, u32 texture, u32 sampler)
{
	return MALI_EXT_IMM(op, 4, fmt) | texture << 16 | sampler << 20 |
	       (l->o.m.v[BL_LOD0] ? MALI_EXT_LOD0 : 0);
}

int bl_texs(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	u32 fmt = BL_OP_OF(arg);

	bl_msg_fetch(l, BL_UOP(.s = { a.s, b.s, b.s },
			       .imm = tex_imm(l, MX_TEXS, fmt, bl_imm(l, 0), bl_imm(l, 1))),
		     words_of(4, fmt));
	return 0;
}

int bl_texs_cube(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2);
	u32 fmt = BL_OP_OF(arg);

	bl_msg_fetch(l, BL_UOP(.s = { a.s, b.s, c.s },
			       .imm = tex_imm(l, MX_TEXS, fmt, bl_imm(l, 1), bl_imm(l, 0)) |
			       MALI_EXT_CUBE), words_of(4, fmt));
	return 0;
}

/* Result words of a descriptor: format in bits 24 to 27; 16-bit formats take half of them. */
static u32 texc_words(struct bl_val desc)
{
	u32 fmt = desc.bits >> 24 & 15;

	return desc.is_const && (fmt < 4 || fmt == 12 || fmt == 13) ? 2 : 4;
}

int bl_texc(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2);
	u16 in = bl_stage_in(l, ARRAY_SIZE(l->t.stage_val));
	u32 n = texc_words(c), i;
	struct simt_uop u = {
		.d2 = in, .s = { a.s, b.s, c.s }, .imm = MALI_EXT_IMM(MX_TEXC, 0, 0),
	};

	/* masked components, and those of an unknown descriptor, keep their registers */
	if (bl_used_later(l, l->cl.v.header.sr, n, true) || l->cl.v.header.sr + n > 64) {
		if (in == BI_SLOT_STAGE)
			return bl_unsupported(l);
		for (i = 0; i < n; i++)
			bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_STAGE + i,
					  .s = { (l->cl.v.header.sr + i) & 63 }));
	}
	bl_msg_fetch(l, &u, n);
	return 0;
}

int bl_var_tex(struct bl *l, u32 arg)
{
	u32 fmt = BL_OP_OF(arg), texture = bl_imm(l, 1);
	struct bl_val zero = bl_const(l, 0);

	if (!knows_place(l))
		return bl_unsupported(l);
	bl_msg_fetch(l, BL_UOP(.s = { zero.s, zero.s, zero.s },
			       .imm = tex_imm(l, MX_VAR_TEX, fmt, bl_imm(l, 0), texture) |
			       place_imm(l)), words_of(4, fmt));
	return 0;
}

/* ---- fragments ---- */

/* Write the remaining coverage to the result and to the staging register. */
static void coverage(struct bl *l, const struct simt_uop *u)
{
	struct simt_uop copy = *u;
	u16 staging;

	copy.op = SIMT_EXT;
	copy.d = bl_dst(l);
	copy.n = 1;
	bl_emit(l, &copy);
	if (copy.d == l->cl.v.header.sr && !bl_used_later(l, copy.d, 1, false))
		return;
	staging = bl_stage_out(l, 1);
	if (staging != copy.d)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = staging, .s = { copy.d }));
}

int bl_atest(struct bl *l, u32 arg)
{
	struct bl_val cover = bl_src(l, 0), alpha = bl_f32(l, 1);

	coverage(l, BL_UOP(.s = { cover.s, alpha.s, SIMT_U | BI_UNIF_ATEST },
			   .imm = MALI_EXT_IMM(MX_ATEST, 0, 0)));
	return 0;
}

int bl_zs_emit(struct bl *l, u32 arg)
{
	struct bl_val z = bl_src(l, 0), stencil = bl_src(l, 1), cover = bl_src(l, 2);

	coverage(l, BL_UOP(.s = { z.s, stencil.s, cover.s },
			   .imm = MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) |
				  (l->o.m.v[BL_Z] ? MALI_EXT_Z : 0) |
				  (l->o.m.v[BL_STENCIL] ? MALI_EXT_S : 0)));
	return 0;
}

/*
 * Call a blend program. Descriptor words: return offset with kind 0, and the lower half of the
 * address. Lanes without coverage do not call it.
 */
static void bl_msg_call(struct bl *l, struct bl_val cover, struct bl_val lo, struct bl_val hi,
			u32 back)
{
	u16 kind = bl_temp(l), pc = bl_temp(l), ret = bl_temp(l), zero = bl_const(l, 0).s;

	bl_emit(l, BL_UOP(.op = SIMT_IAND, .d = kind, .s = { lo.s, bl_const(l, 3).s }));
	bl_emit(l, BL_UOP(.op = SIMT_IAND, .d = pc, .s = { hi.s, bl_const(l, ~15U).s }));
	bl_emit(l, BL_UOP(.op = SIMT_IAND, .d = ret, .s = { lo.s, bl_const(l, ~7U).s }));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = pc, .s = { kind, zero, pc, zero },
			  .imm = SIMT_EQ));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = BI_SLOT_GO, .s = { cover.s, zero, zero, pc },
			  .imm = SIMT_EQ));
	bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = bl_dst(l),
			  .s = { kind, zero, ret, bl_const(l, back).s }, .imm = SIMT_EQ));
	l->cl.calls = true;
}

/* BLEND: the result is the return address of a blend program. */
int bl_blend(struct bl *l, u32 arg)
{
	struct bl_val cover = bl_src(l, 0), a = bl_src(l, 1), b = bl_src(l, 2);
	u32 back = (u32)bl_va(l, l->cl.v.pos + l->cl.v.c.quads);
	bool calls = l->nparts > 1 && l->part == l->parts;

	bl_emit(l, BL_UOP(.op = SIMT_EXT, .d = bl_stage_in(l, 4),
			  .s = { cover.s, a.s, b.s },
			  .imm = MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO) |
				 (calls ? MALI_EXT_CALLS : 0)));
	if (calls)
		bl_msg_call(l, cover, a, b, back);
	else
		bl_result(l, bl_const(l, back));
	return 0;
}

int bl_discard(struct bl *l, u32 arg)
{
	struct bl_val a = bl_f32(l, 0), b = bl_f32(l, 1);
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = SIMT_FCMP, .d = slot, .s = { a.s, b.s },
			  .imm = SIMT_CMP(l->o.m.v[BL_CMP], SIMT_TRUE_1)));
	bl_emit(l, BL_UOP(.op = SIMT_KILL, .s = { slot }));
	l->seq.td = false;
	return 0;
}

/* ---- operations across threads ---- */

int bl_barrier(struct bl *l, u32 arg)
{
	bl_emit(l, BL_UOP(.op = SIMT_BARRIER));
	return 0;
}

/* Raise a fault. */
int bl_kaboom(struct bl *l, u32 arg)
{
	bl_emit(l, BL_UOP(.op = SIMT_FAULT, .imm = VS_FAULT_ENCODING));
	return 0;
}

#define MAX_SUBGROUP 2	/* 8 lanes */

int bl_clper(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), lane = bl_src(l, 1);
	u32 size = l->o.m.v[BL_SUBGROUP];

	if (size > MAX_SUBGROUP)
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = SIMT_CLPER, .d = bl_dst(l), .s = { a.s, lane.s },
			  .imm = l->o.m.v[BL_LANE_OP] | size << 4 | l->o.m.v[BL_INACTIVE] << 8));
	return 0;
}

/* Read another lane of four; 0 from inactive lanes. */
int bl_clper_old(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), lane = bl_src(l, 1);

	bl_emit(l, BL_UOP(.op = SIMT_CLPER, .d = bl_dst(l), .s = { a.s, lane.s },
			  .imm = SIMT_LANE_NONE | 1 << 4 | SIMT_INACTIVE_ZERO << 8));
	return 0;
}

int bl_wmask(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0);
	u32 log = l->o.m.v[BL_SUBGROUP] + 1;
	u16 slot, active;

	if (log > MAX_SUBGROUP + 1)
		return bl_unsupported(l);
	/* subgroups do not exceed the warp */
	log = min_t(u32, log, bifrost_warp(l->gpu) == 8 ? 3 : 2);
	if (!bl_imm(l, 0)) {
		bl_emit(l, BL_UOP(.op = SIMT_WMASK, .d = bl_dst(l), .s = { a.s }, .imm = log));
		return 0;
	}
	/* bits of inactive lanes are ones */
	slot = bl_temp(l);
	active = bl_temp(l);
	bl_emit(l, BL_UOP(.op = SIMT_WMASK, .d = slot, .s = { a.s }, .imm = log));
	bl_emit(l, BL_UOP(.op = SIMT_WMASK, .d = active, .s = { bl_const(l, 1).s }, .imm = log));
	bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = active,
			  .s = { active, bl_const(l, (1U << (1U << log)) - 1).s }));
	bl_emit(l, BL_UOP(.op = SIMT_IOR, .d = bl_dst(l), .s = { slot, active }));
	return 0;
}

/* ---- branches: taken at the end of the clause ---- */

/* Return of a blend program to its caller. */
static int come_back(struct bl *l, u32 op)
{
	if (op != SIMT_JMP)
		return bi_reject(&l->check, BI_BAD_JUMP, l->cl.v.pos, l->o.in->bits, l->t.index);
	bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_GO,
			  .s = { bl_src(l, l->o.in->nsrc - 1U).s }));
	l->cl.returns = true;
	l->cl.branch = SIMT_END;
	return 0;
}

/* Record the clause's branch. Register jumps other than blend returns have unknown targets. */
int bl_take(struct bl *l, u32 op, struct bl_val on)
{
	const struct bl_ins *in = l->cl.ins[l->t.index];
	u16 slot;

	l->cl.goes = bi_branch_target(&l->cl.v, &l->cl.target);
	if (l->cl.goes == BI_GOES_ANYWHERE ||
	    (l->cl.goes == BI_GOES_RETURN && l->stage != VS_STAGE_FRAGMENT))
		return bi_reject(&l->check, BI_BAD_JUMP, l->cl.v.pos, l->o.in->bits, l->t.index);
	if (l->cl.calls)
		return bl_unsupported(l);
	if (l->cl.goes == BI_GOES_RETURN && l->part != l->parts)
		return come_back(l, op);
	l->cl.branch = (u16)(op == SIMT_JMP && l->cl.goes != BI_GOES_QUAD ? SIMT_END : op);
	/* the clause may overwrite the register */
	if (on.s < BI_SLOT_TEMP && op != SIMT_JMP &&
	    (l->cl.late || in[BI_FMA].write > BI_PORT_WRITE)) {
		slot = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = slot, .s = { on.s }));
		on = bl_slot(slot);
	}
	l->cl.branch_on = on;
	return 0;
}

int bl_jump(struct bl *l, u32 arg)
{
	return bl_take(l, SIMT_JMP, (struct bl_val){ });
}

/* Compared part of source @i, as a word. */
static struct bl_val bl_msg_compared(struct bl *l, u32 i, u32 arg)
{
	if (BL_OP_OF(arg) == SIMT_FCMP)
		return bl_f32(l, i);
	return bl_int(l, i, 4, arg & BL_SIGN);
}

static int branch_if(struct bl *l, struct bl_val a, struct bl_val b, u32 arg)
{
	u16 slot = bl_temp(l);

	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = slot, .s = { a.s, b.s },
			  .imm = SIMT_CMP(l->o.m.v[BL_CMP], SIMT_TRUE_1)));
	return bl_take(l, SIMT_BRNZ, bl_slot(slot));
}

/* Branch on a comparison with zero. */
int bl_branchz(struct bl *l, u32 arg)
{
	u32 cmp = l->o.m.v[BL_CMP];
	const char *sel = l->o.m.sel[0];
	struct bl_val a = bl_src(l, 0);

	if (BL_OP_OF(arg) == SIMT_FCMP || (cmp != SIMT_EQ && cmp != SIMT_NE))
		return branch_if(l, bl_msg_compared(l, 0, arg), bl_const(l, 0), arg);
	/* the low half of a truth value suffices */
	if (!(a.is_bool && sel && sel[1] == '0'))
		a = bl_msg_compared(l, 0, arg);
	return bl_take(l, cmp == SIMT_EQ ? SIMT_BRZ : SIMT_BRNZ, a);
}

int bl_branch(struct bl *l, u32 arg)
{
	return branch_if(l, bl_msg_compared(l, 0, arg), bl_msg_compared(l, 1, arg), arg);
}
