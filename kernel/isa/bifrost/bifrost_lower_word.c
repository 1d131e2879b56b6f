// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: operations on integers, bits and parts of words. The rule's argument
 * has the size of an element, BL_SIGN or BL_UNSIGN.
 */
#include "bifrost_lower_priv.h"

/* Select a micro-op by the size of elements: 4, 2 or 1 bytes. */
static u32 by_bytes(u32 arg, u32 word, u32 half, u32 byte)
{
	return BL_BYTES(arg) == 4 ? word : BL_BYTES(arg) == 2 ? half : byte;
}

int bl_nop(struct bl *l, u32 arg)
{
	return 0;
}

int bl_mov(struct bl *l, u32 arg)
{
	bl_result(l, bl_src(l, 0));
	return 0;
}

int bl_one(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0);

	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s }));
	return 0;
}

int bl_clz(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), false);

	bl_emit(l, BL_UOP(.op = by_bytes(arg, SIMT_CLZ, SIMT_CLZ16, SIMT_CLZ8), .d = bl_dst(l),
			  .s = { a.s }, .imm = l->o.m.v[BL_MASK]));
	return 0;
}

int bl_iabs(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), true);

	bl_emit(l, BL_UOP(.op = by_bytes(arg, SIMT_IABS, SIMT_IABS16, SIMT_IABS8),
			  .d = bl_dst(l), .s = { a.s }));
	return 0;
}

/* ---- arithmetic ---- */

int bl_iadd(struct bl *l, u32 arg)
{
	static const u16 words[2][2] = { { SIMT_UADDS, SIMT_USUBS }, { SIMT_IADDS, SIMT_ISUBS } };
	bool sign = arg & BL_SIGN, sub = arg & BL_SUB;
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), sign);
	struct bl_val b = bl_int(l, 1, BL_BYTES(arg), sign);
	u32 op, imm = 0;

	if (!l->o.m.v[BL_SAT]) {
		op = sub ? by_bytes(arg, SIMT_ISUB, SIMT_ISUB16, SIMT_ISUB8) :
			   by_bytes(arg, SIMT_IADD, SIMT_IADD16, SIMT_IADD8);
	} else {
		op = by_bytes(arg, words[sign][sub], SIMT_ISAT16, SIMT_ISAT8);
		if (BL_BYTES(arg) < 4)
			imm = sub | (u32)!sign << 1;
	}
	bl_emit(l, BL_UOP(.op = op, .d = bl_dst(l), .s = { a.s, b.s }, .imm = imm));
	return 0;
}

int bl_hadd(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), false);
	struct bl_val b = bl_int(l, 1, BL_BYTES(arg), false);

	/* rounds down, or up */
	bl_emit(l, BL_UOP(.op = by_bytes(arg, SIMT_IHADD, SIMT_IHADD16, SIMT_IHADD8),
			  .d = bl_dst(l), .s = { a.s, b.s },
			  .imm = l->o.m.v[BL_ROUND] | (arg & BL_SIGN ? 0 : 2)));
	return 0;
}

/* The operand extension is a modifier of the operation: none, signed, unsigned. */
int bl_imul(struct bl *l, u32 arg)
{
	bool sign = l->o.m.v[BL_EXTEND] == 1;
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), sign);
	struct bl_val b = bl_int(l, 1, BL_BYTES(arg), sign);

	bl_emit(l, BL_UOP(.op = by_bytes(arg, SIMT_IMUL, SIMT_IMUL16, SIMT_IMUL8),
			  .d = bl_dst(l), .s = { a.s, b.s }));
	return 0;
}

static const char * const byte_names[] = { "b0", "b1", "b2", "b3" };

/* Dot product of bytes. */
int bl_idp(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), x, y;
	u16 sum = bl_temp(l), product = bl_temp(l), work = l->f.temp;
	u32 i;

	for (i = 0; i < 4; i++) {
		l->f.temp = work;
		x = bl_perm(l, a, bl_sel_imm(byte_names[i], 4, l->o.m.is_signed & 1));
		y = bl_perm(l, b, bl_sel_imm(byte_names[i], 4, l->o.m.is_signed & 2));
		bl_emit(l, BL_UOP(.op = SIMT_IMUL, .d = i ? product : sum, .s = { x.s, y.s }));
		if (i)
			bl_emit(l, BL_UOP(.op = SIMT_IADD, .d = i < 3 ? sum : bl_dst(l),
					  .s = { sum, product }));
	}
	return 0;
}

/* Add with carry: bit 0 of the third operand; BL_SUB: subtract with borrow. */
int bl_addc(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2);
	u16 sum = bl_temp(l), bit = bl_temp(l);
	u32 op = arg & BL_SUB ? SIMT_ISUB : SIMT_IADD;

	bl_emit(l, BL_UOP(.op = op, .d = sum, .s = { a.s, b.s }));
	bl_emit(l, BL_UOP(.op = SIMT_IAND, .d = bit, .s = { c.s, bl_const(l, 1).s }));
	bl_emit(l, BL_UOP(.op = op, .d = bl_dst(l), .s = { sum, bit }));
	return 0;
}

/* ---- comparisons and selections ---- */

int bl_icmp(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), false);
	struct bl_val b = bl_int(l, 1, BL_BYTES(arg), false);
	u32 imm = SIMT_CMP(l->o.m.v[BL_CMP], l->o.m.v[BL_TRUE]);

	if (BL_BYTES(arg) == 4) {
		bl_compare(l, BL_UOP(.op = arg & BL_SIGN ? SIMT_ICMP : SIMT_UCMP,
				     .s = { a.s, b.s }, .imm = imm));
		return 0;
	}
	bl_emit(l, BL_UOP(.op = by_bytes(arg, 0, SIMT_ICMP16, SIMT_ICMP8), .d = bl_dst(l),
			  .s = { a.s, b.s }, .imm = imm | (arg & BL_SIGN ? 0 : 0x40)));
	return 0;
}

int bl_csel(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2), d = bl_src(l, 3);

	bl_emit(l, BL_UOP(.op = BL_OP_OF(arg), .d = bl_dst(l), .s = { a.s, b.s, c.s, d.s },
			  .imm = l->o.m.v[BL_CMP]));
	return 0;
}

/* CSEL16; the rule's argument is the flags of the micro-op. */
int bl_csel16(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), c = bl_src(l, 2), d = bl_src(l, 3);

	bl_emit(l, BL_UOP(.op = SIMT_CSEL16, .d = bl_dst(l), .s = { a.s, b.s, c.s, d.s },
			  .imm = l->o.m.v[BL_CMP] | BL_OP_OF(arg)));
	return 0;
}

enum mux { MUX_NEG, MUX_INT_ZERO, MUX_FP_ZERO, MUX_BIT };

/* If @on is a deferred comparison, fuse it with the select. */
static bool select_by(struct bl *l, struct bl_val on, struct bl_val yes, struct bl_val no)
{
	struct simt_uop *cmp;
	u32 op;

	if (!on.cmp)
		return false;
	cmp = &l->cl.cmp[on.cmp - 1];
	op = cmp->op == SIMT_FCMP ? SIMT_FCSEL : cmp->op == SIMT_ICMP ? SIMT_ICSEL : SIMT_UCSEL;
	bl_emit(l, BL_UOP(.op = op, .d = bl_dst(l), .mods = cmp->mods,
			  .s = { cmp->s[0], cmp->s[1], yes.s, no.s }, .imm = cmp->imm & 7));
	cmp->op = SIMT_NUM_OPS;
	return true;
}

/* Select source 0 if source 2 is zero or negative, else source 1; or bitwise. */
int bl_mux(struct bl *l, u32 arg)
{
	static const u16 ops[] = { SIMT_ICSEL, SIMT_UCSEL, SIMT_FCSEL };
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1), on = bl_src_lazy(l, 2);
	u32 mode = l->o.m.v[BL_MUX];

	if (mode == MUX_INT_ZERO && select_by(l, on, b, a))
		return 0;
	on = bl_force(l, on);
	if (mode == MUX_BIT)
		bl_emit(l, BL_UOP(.op = SIMT_BSEL, .d = bl_dst(l), .s = { a.s, b.s, on.s }));
	else
		bl_emit(l, BL_UOP(.op = ops[mode], .d = bl_dst(l),
				  .s = { on.s, bl_const(l, 0).s, a.s, b.s },
				  .imm = mode == MUX_NEG ? SIMT_LT : SIMT_EQ));
	return 0;
}

int bl_mux_packed(struct bl *l, u32 arg)
{
	struct bl_val a = bl_int(l, 0, BL_BYTES(arg), false);
	struct bl_val b = bl_int(l, 1, BL_BYTES(arg), false);
	struct bl_val on = bl_int(l, 2, BL_BYTES(arg), false);
	u32 mode = l->o.m.v[BL_MUX], imm = SIMT_EQ;

	if (mode == MUX_BIT) {
		bl_emit(l, BL_UOP(.op = SIMT_BSEL, .d = bl_dst(l), .s = { a.s, b.s, on.s }));
		return 0;
	}
	if (mode == MUX_NEG)
		imm = SIMT_LT;
	else if (mode == MUX_FP_ZERO)
		imm = SIMT_EQ | 0x80;
	bl_emit(l, BL_UOP(.op = by_bytes(arg, 0, SIMT_CSEL16, SIMT_CSEL8), .d = bl_dst(l),
			  .s = { on.s, bl_const(l, 0).s, a.s, b.s }, .imm = imm));
	return 0;
}

/* ---- shifts and logic ---- */

/**
 * struct shift - shift by a number of bits
 * @op: micro-op; MOV: by 0
 * @by: operand
 * @imm: bits
 */
struct shift {
	u16 op;
	u16 by;
	u32 imm;
};

static struct shift word_shift(struct bl *l, u32 kind)
{
	static const u16 ops[] = { SIMT_SHL, SIMT_SHR, SIMT_ASR };
	static const u16 imm_ops[] = { SIMT_SHLI, SIMT_SHRI, SIMT_ASRI };
	u32 lane = l->o.m.sel[2] ? l->o.m.sel[2][1] - '0' : 0;
	struct bl_val n = bl_src(l, 2);
	u16 slot;

	if (n.is_const) {
		u32 imm = n.bits >> 8 * lane & 31;

		return (struct shift){ .op = imm ? imm_ops[kind] : SIMT_MOV, .imm = imm };
	}
	if (lane) {
		slot = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_SHRI, .d = slot, .s = { n.s }, .imm = 8 * lane));
		n.s = slot;
	}
	return (struct shift){ .op = ops[kind], .by = n.s };
}

static struct shift packed_shift(struct bl *l, u32 kind, u32 bytes)
{
	static const u16 ops[2][3] = {
		{ SIMT_SHL8, SIMT_SHR8, SIMT_ASR8 }, { SIMT_SHL16, SIMT_SHR16, SIMT_ASR16 },
	};
	struct bl_val n = bl_int(l, 2, bytes, false);

	if (n.is_const && !n.bits)
		return (struct shift){ .op = SIMT_MOV };
	return (struct shift){ .op = ops[bytes - 1][kind], .by = n.s };
}

/* Is the logic operation the identity of its first operand? */
static bool bl_word_leaves(u32 logic, bool inverted, struct bl_val b)
{
	if (logic == SIMT_MOV)
		return true;
	return b.is_const && (inverted ? ~b.bits : b.bits) == (logic == SIMT_IAND ? ~0U : 0);
}

int bl_shift(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	bool inverted = l->o.m.inv >> 1 & 1, not = l->o.m.v[BL_NOT], only;
	u32 logic = BL_LOGIC_OF(arg);
	struct shift s;
	u16 slot = a.s;

	s = BL_BYTES(arg) == 4 ? word_shift(l, BL_SHIFT_OF(arg)) :
				 packed_shift(l, BL_SHIFT_OF(arg), BL_BYTES(arg));
	only = bl_word_leaves(logic, inverted, b) && !not;
	if (only && s.op == SIMT_MOV) {
		bl_result(l, a);
		return 0;
	}
	if (s.op != SIMT_MOV) {
		slot = only ? bl_dst(l) : bl_temp(l);
		bl_emit(l, BL_UOP(.op = s.op, .d = slot, .s = { a.s, s.by }, .imm = s.imm));
	}
	if (!only)
		bl_emit(l, BL_UOP(.op = logic, .d = bl_dst(l), .s = { slot, b.s },
				  .imm = inverted << 1 | not << 2));
	return 0;
}

/* ---- parts of words ---- */

/* Byte @k of half (or byte) @sel. */
static u32 part(const char *sel, u32 size, u32 k)
{
	return sel ? (u32)(sel[1] - '0') * size + k : k;
}

int bl_mkvec16(struct bl *l, u32 arg)
{
	struct bl_val a = bl_src(l, 0), b = bl_src(l, 1);
	const char *sa = l->o.m.sel[0], *sb = l->o.m.sel[1];
	u32 imm = SIMT_PERM_A(part(sa, 2, 0)) | SIMT_PERM_A(part(sa, 2, 1)) << 4 |
		  SIMT_PERM_B(part(sb, 2, 0)) << 8 | SIMT_PERM_B(part(sb, 2, 1)) << 12;

	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { a.s, b.s }, .imm = imm));
	return 0;
}

int bl_mkvec8(struct bl *l, u32 arg)
{
	u16 pair[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		struct bl_val a = bl_src(l, 2 * i), b = bl_src(l, 2 * i + 1);

		pair[i] = bl_temp(l);
		bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = pair[i], .s = { a.s, b.s },
				  .imm = SIMT_PERM_A(part(l->o.m.sel[2 * i], 1, 0)) |
					 SIMT_PERM_B(part(l->o.m.sel[2 * i + 1], 1, 0)) << 4 |
					 SIMT_PERM_00 << 8 | SIMT_PERM_00 << 12));
	}
	bl_emit(l, BL_UOP(.op = SIMT_PERM, .d = bl_dst(l), .s = { pair[0], pair[1] },
			  .imm = 0x5410));
	return 0;
}

int bl_swz(struct bl *l, u32 arg)
{
	bl_perm_result(l, bl_src(l, 0), bl_sel_imm(l->o.m.sel[0], BL_BYTES(arg), false));
	return 0;
}

/* ---- 64-bit operations split between both units ---- */

/*
 * Shift the second operand and add it to the first one. FMA yields the low word; the bits
 * shifted out and the carry go to SHADDXH, whose first operand is the high word of the first
 * operand; its second operand is used only if both are 64 bits wide.
 */
int bl_shaddxl(struct bl *l, u32 arg)
{
	const struct bl_ins *add = &l->cl.ins[l->t.index][BI_ADD];
	bool wide = !(arg & (BL_SIGN | BL_UNSIGN)), pair;
	struct bl_val a = bl_src(l, 0), b = bl_int(l, 1, 4, arg & BL_SIGN), ah, bh;
	u32 imm = bl_imm(l, 0) | (arg & BL_SIGN ? 0x10 : wide ? 0 : 0x20);
	u16 dst, high;

	pair = add->live && add->rule && add->rule->emit == bl_shaddxh;
	if (!pair && add->op->message)
		return bl_unsupported(l);
	ah = bl_const(l, 0);
	bh = ah;
	high = bl_temp(l);
	if (pair) {
		const struct bl_ins *in = l->o.in;

		/* read operands as ADD does */
		l->o.unit = BI_ADD;
		l->o.in = add;
		ah = bl_src(l, 0);
		bh = bl_src(l, 1);
		l->o.unit = BI_FMA;
		l->o.in = in;
		high = l->cl.save < BI_SLOT_WORK - 1 ? l->cl.save++ : l->cl.save;
		l->t.pair = bl_slot(high);
	}
	dst = bl_dst(l);
	bl_emit(l, BL_UOP(.op = SIMT_SHADD, .d = dst, .d2 = high,
			  .s = { b.s, bh.s, a.s, ah.s }, .imm = imm));
	return 0;
}

int bl_shaddxh(struct bl *l, u32 arg)
{
	const struct bl_ins *fma = &l->cl.ins[l->t.index][BI_FMA];

	if (!fma->rule || fma->rule->emit != bl_shaddxl)
		return bl_unsupported(l);
	bl_result(l, l->t.pair);
	return 0;
}

enum { SEG_WLS = 2, SEG_TLS = 7 };

static bool is_seg(const struct bl_ins *in, u32 arg)
{
	return in->rule && in->rule->emit == bl_seg_add && in->rule->arg == arg;
}

static void invert(struct bl *l, u16 d, u16 s)
{
	bl_emit(l, BL_UOP(.op = SIMT_IXOR, .d = d, .s = { s, bl_const(l, 0).s }, .imm = 4));
}

/* d, d2 = lo, hi + base; BL_SUB: - base, as ~(~a + base). */
static void add_base(struct bl *l, u32 arg, u16 d, u16 d2, u16 lo, u16 hi, u16 base)
{
	u16 a[2] = { lo, hi };

	if (arg & BL_SUB) {
		a[0] = bl_temp(l);
		a[1] = bl_temp(l);
		invert(l, a[0], lo);
		invert(l, a[1], hi);
	}
	bl_emit(l, BL_UOP(.op = SIMT_SHADD, .d = d, .d2 = d2,
			  .s = { a[0], a[1], base, base + 1 }));
	if (arg & BL_SUB) {
		invert(l, d, d);
		invert(l, d2, d2);
	}
}

/* Add a segment base: FMA yields the low word and ADD the high one, with the carry of FMA. */
int bl_seg_add(struct bl *l, u32 arg)
{
	const struct bl_ins *ins = l->cl.ins[l->t.index], *fma = &ins[BI_FMA], *add = &ins[BI_ADD];
	u16 base, high, null, dst;
	struct bl_val lo, hi;
	u32 i;

	if (l->o.unit == BI_ADD) {
		if (!is_seg(fma, arg))
			return bl_unsupported(l);
		bl_result(l, l->t.pair);
		return 0;
	}
	base = l->o.m.v[BL_SEG] == SEG_WLS ? BI_SLOT_WLS : BI_SLOT_TLS;
	l->segments = true;
	lo = bl_src(l, 0);
	hi = bl_const(l, 0);
	if (add->live && is_seg(add, arg)) {
		const struct bl_ins *in = l->o.in;

		l->o.unit = BI_ADD;
		l->o.in = add;
		hi = bl_src(l, 0);
		l->o.unit = BI_FMA;
		l->o.in = in;
	}
	high = l->cl.save < BI_SLOT_WORK - 1 ? l->cl.save++ : l->cl.save;
	l->t.pair = bl_slot(high);
	null = bl_temp(l);
	if (l->o.m.v[BL_NULL])
		bl_emit(l, BL_UOP(.op = SIMT_IOR, .d = null, .s = { lo.s, hi.s }));
	dst = bl_dst(l);
	add_base(l, arg, dst, high, lo.s, hi.s, base);
	for (i = 0; l->o.m.v[BL_NULL] && i < 2; i++)
		bl_emit(l, BL_UOP(.op = SIMT_UCSEL, .d = i ? high : dst,
				  .s = { null, bl_const(l, 0).s, bl_const(l, 0).s,
					 i ? high : dst }, .imm = SIMT_EQ));
	return 0;
}
