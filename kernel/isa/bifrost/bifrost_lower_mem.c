// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: loads, stores and atomics.
 */
#include "bifrost_lower_priv.h"

/* Segments: 3 is global memory, too; for stores also 4 (positions) and 5 (varyings). */
enum { SEG_NONE = 1, SEG_WLS = 2, SEG_STREAM = 3, SEG_UBO = 4, SEG_VARY = 5, SEG_TL = 7 };

/* ---- staging registers ---- */

u16 bl_stage_out(struct bl *l, u32 n)
{
	u32 reg = l->cl.v.header.sr, i;

	if (reg + n > 64 || bl_used_later(l, reg, n, true)) {
		l->cl.late = n;
		l->cl.late_reg = reg;
		return BI_SLOT_STAGE;
	}
	for (i = 0; i < n; i++)
		bl_save(l, (u16)(reg + i));
	return (u16)reg;
}

u16 bl_stage_in(struct bl *l, u32 n)
{
	bool together = true;
	u32 i;

	for (i = 1; i < n; i++)
		together &= l->t.stage_val[i].s == l->t.stage_val[0].s + i;
	if (together)
		return l->t.stage_val[0].s;
	for (i = 0; i < n; i++)
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = BI_SLOT_STAGE + i,
				  .s = { l->t.stage_val[i].s }));
	return BI_SLOT_STAGE;
}

/* ---- loads and stores ---- */

static u32 segment(const struct bl *l, bool store)
{
	switch (l->o.m.v[BL_SEG]) {
	case SEG_WLS:
		return SIMT_SEG_WLS;
	case SEG_TL:
		return SIMT_SEG_TLS;
	case SEG_UBO:
		return store ? SIMT_SEG_GLOBAL : SIMT_SEG_UBO;
	default:
		return SIMT_SEG_GLOBAL;
	}
}

/*
 * PERM immediate that places @bytes loaded bytes in lane @lane. Lanes smaller than a word keep
 * the rest of the register (PERM's second operand).
 */
static u32 lane_imm(const char *lane, u32 bytes, bool is_signed)
{
	u32 size = *lane == 'b' ? 1 : *lane == 'h' ? 2 : 4;
	u32 first = size < 4 ? (u32)(lane[1] - '0') * size : 0, imm = 0, i, nibble;

	for (i = 0; i < 4; i++) {
		if (i < first || i >= first + size)
			nibble = SIMT_PERM_B(i);
		else if (i - first < bytes)
			nibble = SIMT_PERM_A(i - first);
		else
			nibble = is_signed ? SIMT_PERM_SIGN(bytes - 1) : SIMT_PERM_00;
		imm |= nibble << 4 * i;
	}
	return imm;
}

/* Load @bytes bytes into a part of a register, or extended. */
static void bl_mem_load_lane(struct bl *l, struct simt_uop *ld, u32 bytes)
{
	bool is_signed = l->o.m.v[BL_EXTEND] == 1, wide = *l->o.m.lane == 'd';
	u16 reg = l->cl.v.header.sr, out = bl_stage_out(l, wide ? 2 : 1), old = reg;
	u32 imm = lane_imm(l->o.m.lane, bytes, is_signed);

	ld->d = bl_temp(l);
	bl_emit(l, ld);
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = out, .s = { ld->d, old }, .imm = imm));
	if (!wide)
		return;
	if (is_signed)
		bl_emit(l, BL_UOP(.op = SIMT_ASRI, .d = out + 1, .s = { out }, .imm = 31));
	else
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = out + 1, .s = { bl_const(l, 0).s }));
}

int bl_load(struct bl *l, u32 arg)
{
	u32 bytes = BL_OP_OF(arg);
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	struct simt_uop ld = {
		.op = SIMT_LD, .s = { a.s, b.s },
		.imm = SIMT_MEM(bytes, segment(l, false), 0),
	};

	/* the load micro-op zero-extends */
	if (l->o.m.lane && (*l->o.m.lane != 'w' || l->o.m.v[BL_EXTEND] == 1)) {
		bl_mem_load_lane(l, &ld, bytes);
		return 0;
	}
	ld.d = bl_stage_out(l, DIV_ROUND_UP(bytes, 4));
	bl_emit(l, &ld);
	return 0;
}

int bl_store(struct bl *l, u32 arg)
{
	u32 bytes = BL_OP_OF(arg);
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);

	bl_emit(l, BL_UOP(.op = SIMT_ST, .d = bl_stage_in(l, DIV_ROUND_UP(bytes, 4)),
			  .s = { a.s, b.s }, .imm = SIMT_MEM(bytes, segment(l, true), 0)));
	return 0;
}

/* ---- atomics ---- */

/* Atomic operation by its code: 0 to 2 add. */
static u32 bl_mem_atom_op(u32 opc)
{
	static const u8 ops[] = {
		SIMT_ATOM_ADD, SIMT_ATOM_ADD, SIMT_ATOM_ADD, SIMT_NUM_ATOMS, SIMT_NUM_ATOMS,
		SIMT_NUM_ATOMS, SIMT_NUM_ATOMS, SIMT_NUM_ATOMS, SIMT_ATOM_SMIN, SIMT_ATOM_SMAX,
		SIMT_ATOM_UMIN, SIMT_ATOM_UMAX, SIMT_ATOM_AND, SIMT_ATOM_OR, SIMT_ATOM_XOR,
	};

	return opc < ARRAY_SIZE(ops) ? ops[opc] : SIMT_NUM_ATOMS;
}

/*
 * FMA encodes the operation; ADD, which must be ATOM_CX, sends the message. The rule's argument
 * has SIMT_ATOM_64 and SIMT_ATOM_NORET.
 */
int bl_atom_c(struct bl *l, u32 arg)
{
	l->t.atom = (u8)bl_mem_atom_op(l->o.m.v[BL_OPC]);
	l->t.atom_flags = BL_OP_OF(arg);
	l->t.atom_arg[0] = bl_src(l, 2);
	return 0;
}

/* Operand implied by the operation: 1, -1, or the limit 1. */
int bl_atom_c1(struct bl *l, u32 arg)
{
	static const u8 ops[] = {
		SIMT_ATOM_ADD, SIMT_ATOM_ADD, SIMT_ATOM_UMAX, SIMT_ATOM_SMAX, SIMT_ATOM_OR
	};
	u32 opc = l->o.m.v[BL_OPC];

	l->t.atom = opc < ARRAY_SIZE(ops) ? ops[opc] : SIMT_NUM_ATOMS;
	l->t.atom_flags = BL_OP_OF(arg);
	l->t.atom_arg[0] = bl_const(l, opc == 1 ? ~0U : 1);
	l->t.atom_arg[1] = bl_const(l, opc == 1 ? ~0U : 0);
	return 0;
}

/*
 * Neutral element of an operation. Hardware combines the operations of a warp and returns to
 * each lane the old value and the combination of the preceding lanes, for ATOM_POST to merge.
 * Here lanes execute one by one, so the second part is always the neutral element.
 */
static u32 neutral(u32 op)
{
	switch (op) {
	case SIMT_ATOM_SMIN:
		return 0x7fffffff;
	case SIMT_ATOM_SMAX:
		return 0x80000000;
	case SIMT_ATOM_UMIN:
	case SIMT_ATOM_AND:
		return ~0U;
	default:
		return 0;
	}
}

int bl_atom_cx(struct bl *l, u32 arg)
{
	const struct bl_ins *fma = &l->cl.ins[l->t.index][BI_FMA];
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	bool wide = l->t.atom_flags & SIMT_ATOM_64;
	u32 imm = SIMT_ATOM_IMM(l->t.atom, SIMT_SEG_GLOBAL, l->t.atom_flags, 0);
	u16 d = 0;

	if (l->t.atom == SIMT_NUM_ATOMS)
		return bl_unsupported(l);
	/* 64-bit operands are in staging registers */
	if (wide && fma->rule->emit == bl_atom_c) {
		l->t.atom_arg[0] = l->t.stage_val[0];
		l->t.atom_arg[1] = l->t.stage_val[1];
	}
	if (!wide)
		l->t.atom_arg[1] = l->t.atom_arg[0];
	if (!(l->t.atom_flags & SIMT_ATOM_NORET))
		d = bl_stage_out(l, 2);
	bl_emit(l, BL_UOP(.op = SIMT_ATOM, .d = d, .imm = imm,
			  .s = { a.s, b.s, l->t.atom_arg[0].s, l->t.atom_arg[1].s }));
	if (!wide && !(l->t.atom_flags & SIMT_ATOM_NORET))
		bl_emit(l, BL_UOP(.op = SIMT_MOV, .d = d + 1,
				  .s = { bl_const(l, neutral(l->t.atom)).s }));
	return 0;
}

int bl_atom_post(struct bl *l, u32 arg)
{
	static const u16 ops[] = {
		[SIMT_ATOM_ADD] = SIMT_IADD, [SIMT_ATOM_SMIN] = SIMT_IMIN,
		[SIMT_ATOM_SMAX] = SIMT_IMAX, [SIMT_ATOM_UMIN] = SIMT_UMIN,
		[SIMT_ATOM_UMAX] = SIMT_UMAX, [SIMT_ATOM_AND] = SIMT_IAND,
		[SIMT_ATOM_OR] = SIMT_IOR, [SIMT_ATOM_XOR] = SIMT_IXOR,
	};
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	u32 op = bl_mem_atom_op(l->o.m.v[BL_OPC]);

	if (op >= ARRAY_SIZE(ops))
		return bl_unsupported(l);
	bl_emit(l, BL_UOP(.op = ops[op], .d = bl_dst(l), .s = { a.s, b.s }));
	return 0;
}

/* Exchange: staging registers hold the new value and receive the old one. */
int bl_axchg(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	u32 flags = BL_OP_OF(arg), words = flags & SIMT_ATOM_64 ? 2 : 1;
	u16 s2 = l->t.stage_val[0].s, s3 = l->t.stage_val[words - 1].s;

	bl_emit(l, BL_UOP(.op = SIMT_ATOM, .d = bl_stage_out(l, words),
			  .s = { a.s, b.s, s2, s3 },
			  .imm = SIMT_ATOM_IMM(SIMT_ATOM_XCHG, segment(l, false), flags, 0)));
	return 0;
}

/* Compare-exchange: staging registers hold the new value, then the comparand. */
int bl_acmpxchg(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	u32 flags = BL_OP_OF(arg), words = flags & SIMT_ATOM_64 ? 2 : 1;
	u16 all = bl_stage_in(l, 2 * words), d = 0;

	if (!(flags & SIMT_ATOM_NORET))
		d = bl_stage_out(l, words);
	bl_emit(l, BL_UOP(.op = SIMT_ATOM, .d = d, .d2 = all + words,
			  .s = { a.s, b.s, all, all + 1 },
			  .imm = SIMT_ATOM_IMM(SIMT_ATOM_CMPXCHG, segment(l, false), flags, 0)));
	return 0;
}
