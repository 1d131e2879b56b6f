// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of PICA200 to engine micro-ops. One arithmetic instruction becomes one micro-op
 * with as many component tuples as its write mask enables; swizzles are slot numbers.
 * Preceding helper micro-ops read a relatively addressed row, or negate a register
 * if no operand form does that for free.
 *
 * Flow instructions become flow micro-ops. The three ring stacks are in the
 * engine; whether one of them may pop after an instruction is determined here, from
 * the ends of all reachable blocks.
 */
#include "pica_lower.h"

#define F32_ONE		0x3f800000u
#define F32_ZERO	0x00000000u
/* LITP clamps y to 127.99609375: 1.7.16 mantissa 0xfffc. */
#define LITP_LIMIT	0x42fffe00u
#define SIGN		0x80000000u

/**
 * struct operand - source operand of the instruction being lowered
 * @word: slot or uniform word for each component, after the swizzle
 * @unif: @word are uniform words
 * @neg: negation is pending
 */
struct operand {
	u16 word[4];
	bool unif;
	bool neg;
};

/**
 * struct lower - state of a lowering
 * @b: micro-ops emitted so far
 * @w: reachable code
 * @insn: current instruction
 * @desc: its operand descriptor
 * @pc: its address
 */
struct lower {
	struct vs_builder *b;
	struct pica_walk *w;
	const struct pica_insn *insn;
	struct pica_opdesc desc;
	u32 pc;
};

static u16 scratch(unsigned int quad, unsigned int comp)
{
	return PICA_SLOT_SCRATCH + 4 * quad + comp;
}

/* Read a relatively addressed row; the read applies the range rule and the sign. */
static void read_row(struct lower *lo, unsigned int n, u8 live, struct operand *o)
{
	struct vs_uop u = { .op = VS_OP_LDROW };
	unsigned int c;

	for (c = 0; c < 4; c++) {
		if (!(live & (1 << c)))
			continue;
		u.b[u.ncomp] = lo->desc.sel[n][c];
		u.d[u.ncomp] = scratch(n, c);
		o->word[c] = scratch(n, c);
		u.ncomp++;
	}
	u.a[0] = PICA_SLOT_ADDR + lo->insn->f[PICA_F_IDX] - PICA_IDX_A0X;
	u.imm = lo->insn->src[n] - PICA_SRC_C0;
	if (o->neg)
		u.imm |= VS_LDROW_NEG;
	o->neg = false;
	if (u.ncomp)
		vs_builder_emit(lo->b, &u);
}

/* Get source @n, of which components @live will be read. */
static void get_source(struct lower *lo, unsigned int n, u8 live, struct operand *o)
{
	u32 reg = lo->insn->src[n];
	u32 base;
	unsigned int c;

	memset(o, 0, sizeof(*o));
	o->neg = (lo->desc.neg >> n) & 1;
	if (reg >= PICA_SRC_C0 && n == lo->insn->wide && lo->insn->f[PICA_F_IDX]) {
		read_row(lo, n, live, o);
		return;
	}
	if (reg >= PICA_SRC_C0) {
		o->unif = true;
		base = 4 * (reg - PICA_SRC_C0);
	} else if (reg >= PICA_SRC_R0) {
		base = PICA_SLOT_TEMP + 4 * (reg - PICA_SRC_R0);
	} else {
		base = PICA_SLOT_IN + 4 * reg;
	}
	for (c = 0; c < 4; c++)
		o->word[c] = (u16)(base + lo->desc.sel[n][c]);
}

/* Apply a pending negation, by a negated uniform word or a micro-op. */
static void pica_lower_settle(struct lower *lo, unsigned int n, u8 live, struct operand *o)
{
	struct vs_uop u = { .op = VS_OP_NEG };
	unsigned int c;

	if (!o->neg)
		return;
	o->neg = false;
	for (c = 0; c < 4; c++) {
		if (!(live & (1 << c)))
			continue;
		if (o->unif) {
			o->word[c] = (u16)vs_builder_neg(lo->b, o->word[c]);
			continue;
		}
		u.a[u.ncomp] = o->word[c];
		u.d[u.ncomp] = scratch(n, c);
		o->word[c] = scratch(n, c);
		u.ncomp++;
	}
	if (u.ncomp)
		vs_builder_emit(lo->b, &u);
}

/* Apply the sign of a product to either @a or @b, whichever is cheaper. */
static void settle_product(struct lower *lo, u8 live, struct operand *a, struct operand *b)
{
	bool neg = a->neg != b->neg;

	a->neg = neg && !b->unif;
	b->neg = neg && b->unif;
	pica_lower_settle(lo, 0, live, a);
	pica_lower_settle(lo, 1, live, b);
}

static u16 pica_lower_dest_slot(const struct lower *lo, unsigned int c)
{
	u32 reg = lo->insn->f[PICA_F_DST];

	if (reg >= PICA_DST_R0)
		return (u16)(PICA_SLOT_TEMP + 4 * (reg - PICA_DST_R0) + c);
	return (u16)(PICA_SLOT_OUT + 4 * reg + c);
}

static void emit_nop(struct lower *lo)
{
	struct vs_uop u = { .op = VS_OP_NOP, .ncomp = 1 };

	vs_builder_emit(lo->b, &u);
}

static void set_unif(struct vs_uop *u, const struct operand *a, const struct operand *b,
		     const struct operand *c)
{
	if (a && a->unif)
		u->flags |= VS_UOP_A_UNIF;
	if (b && b->unif)
		u->flags |= VS_UOP_B_UNIF;
	if (c && c->unif)
		u->flags |= VS_UOP_C_UNIF;
}

/* Component by component: d = op(a, b, c) for the components in @mask. */
static void emit_per(struct lower *lo, enum vs_op op, u8 mask, const struct operand *a,
		     const struct operand *b, const struct operand *c)
{
	struct vs_uop u = { .op = (u16)op };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (!(mask & (1 << i)))
			continue;
		u.d[u.ncomp] = pica_lower_dest_slot(lo, i);
		u.a[u.ncomp] = a->word[i];
		if (b)
			u.b[u.ncomp] = b->word[i];
		if (c)
			u.c[u.ncomp] = c->word[i];
		u.ncomp++;
	}
	set_unif(&u, a, b, c);
	vs_builder_emit(lo->b, &u);
}

/* Write one result to all enabled components, from the first @n components of a, b. */
static void emit_splat(struct lower *lo, enum vs_op op, unsigned int n, const struct operand *a,
		       const struct operand *b)
{
	struct vs_uop u = { .op = (u16)op };
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (lo->desc.mask & (1 << i))
			u.d[u.ncomp++] = pica_lower_dest_slot(lo, i);
	for (i = 0; i < n; i++) {
		/* DPH has no fourth component of a. */
		if (op != VS_OP_DPH || i < 3)
			u.a[i] = a->word[i];
		if (b)
			u.b[i] = b->word[i];
	}
	set_unif(&u, a, b, NULL);
	vs_builder_emit(lo->b, &u);
}

static void lower_add(struct lower *lo)
{
	u8 mask = lo->desc.mask;
	struct operand a, b;

	get_source(lo, 0, mask, &a);
	get_source(lo, 1, mask, &b);
	if (a.unif || (a.neg && b.neg))
		pica_lower_settle(lo, 0, mask, &a);
	if (b.unif)
		pica_lower_settle(lo, 1, mask, &b);
	if (b.neg)
		emit_per(lo, VS_OP_SUB, mask, &a, &b, NULL);
	else if (a.neg)
		emit_per(lo, VS_OP_SUB, mask, &b, &a, NULL);
	else
		emit_per(lo, VS_OP_ADD, mask, &a, &b, NULL);
}

static void lower_mul(struct lower *lo)
{
	u8 mask = lo->desc.mask;
	struct operand a, b;

	get_source(lo, 0, mask, &a);
	get_source(lo, 1, mask, &b);
	settle_product(lo, mask, &a, &b);
	emit_per(lo, VS_OP_MUL, mask, &a, &b, NULL);
}

static void lower_mad(struct lower *lo)
{
	u8 mask = lo->desc.mask;
	struct operand a, b, c;

	get_source(lo, 0, mask, &a);
	get_source(lo, 1, mask, &b);
	get_source(lo, 2, mask, &c);
	settle_product(lo, mask, &a, &b);
	pica_lower_settle(lo, 2, mask, &c);
	emit_per(lo, VS_OP_MAD, mask, &a, &b, &c);
}

static void lower_per2(struct lower *lo, enum vs_op op)
{
	u8 mask = lo->desc.mask;
	struct operand a, b;

	get_source(lo, 0, mask, &a);
	get_source(lo, 1, mask, &b);
	pica_lower_settle(lo, 0, mask, &a);
	pica_lower_settle(lo, 1, mask, &b);
	emit_per(lo, op, mask, &a, &b, NULL);
}

static void lower_dot(struct lower *lo, enum vs_op op, unsigned int n)
{
	u8 live = (u8)((1 << n) - 1);
	struct operand a, b;

	get_source(lo, 0, live, &a);
	get_source(lo, 1, live, &b);
	settle_product(lo, live, &a, &b);
	emit_splat(lo, op, n, &a, &b);
}

/*
 * DPH: the constant 1 for a.w is not negated with a, so only the sign of the first
 * three products can move to b, and only if b's words are selected individually.
 */
static void lower_dph(struct lower *lo)
{
	struct operand a, b;
	unsigned int c;

	get_source(lo, 0, 0x7, &a);
	get_source(lo, 1, 0xf, &b);
	if (b.unif) {
		bool xyz = a.neg != b.neg;

		for (c = 0; c < 4; c++)
			if (c < 3 ? xyz : b.neg)
				b.word[c] = (u16)vs_builder_neg(lo->b, b.word[c]);
		a.neg = false;
		b.neg = false;
	}
	pica_lower_settle(lo, 0, 0x7, &a);
	pica_lower_settle(lo, 1, 0xf, &b);
	emit_splat(lo, VS_OP_DPH, 4, &a, &b);
}

static void lower_scalar(struct lower *lo, enum vs_op op)
{
	struct operand a;

	get_source(lo, 0, 0x1, &a);
	pica_lower_settle(lo, 0, 0x1, &a);
	emit_splat(lo, op, 1, &a, NULL);
}

static void lower_flr(struct lower *lo)
{
	struct operand a;

	get_source(lo, 0, lo->desc.mask, &a);
	pica_lower_settle(lo, 0, lo->desc.mask, &a);
	emit_per(lo, VS_OP_FLR, lo->desc.mask, &a, NULL, NULL);
}

/* A relative MOV is just the row read. */
static void lower_mov_row(struct lower *lo)
{
	struct vs_uop u = { .op = VS_OP_LDROW };
	unsigned int c;

	for (c = 0; c < 4; c++) {
		if (!(lo->desc.mask & (1 << c)))
			continue;
		u.d[u.ncomp] = pica_lower_dest_slot(lo, c);
		u.b[u.ncomp] = lo->desc.sel[0][c];
		u.ncomp++;
	}
	u.a[0] = PICA_SLOT_ADDR + lo->insn->f[PICA_F_IDX] - PICA_IDX_A0X;
	u.imm = lo->insn->src[0] - PICA_SRC_C0;
	if (lo->desc.neg & 1)
		u.imm |= VS_LDROW_NEG;
	vs_builder_emit(lo->b, &u);
}

static void lower_mov(struct lower *lo)
{
	u8 mask = lo->desc.mask;
	struct operand a;

	if (lo->insn->f[PICA_F_IDX]) {
		lower_mov_row(lo);
		return;
	}
	get_source(lo, 0, mask, &a);
	if (a.unif)
		pica_lower_settle(lo, 0, mask, &a);
	emit_per(lo, a.neg ? VS_OP_NEG : VS_OP_MOV, mask, &a, NULL, NULL);
}

static void lower_mova(struct lower *lo)
{
	struct vs_uop u = { .op = VS_OP_F2I };
	u8 mask = lo->desc.mask & 0x3;
	struct operand a;
	unsigned int c;

	if (!mask) {
		emit_nop(lo);
		return;
	}
	get_source(lo, 0, mask, &a);
	pica_lower_settle(lo, 0, mask, &a);
	for (c = 0; c < 2; c++) {
		if (!(mask & (1 << c)))
			continue;
		u.d[u.ncomp] = PICA_SLOT_ADDR + c;
		u.a[u.ncomp] = a.word[c];
		u.ncomp++;
	}
	set_unif(&u, &a, NULL, NULL);
	vs_builder_emit(lo->b, &u);
}

static void lower_cmp(struct lower *lo)
{
	struct vs_uop u = {
		.op = VS_OP_CMP,
		.ncomp = 2,
		.imm = lo->insn->f[PICA_F_CMPX] | (u32)lo->insn->f[PICA_F_CMPY] << 4,
		.d = { PICA_PRED_X, PICA_PRED_Y },
	};
	struct operand a, b;
	unsigned int c;

	get_source(lo, 0, 0x3, &a);
	get_source(lo, 1, 0x3, &b);
	pica_lower_settle(lo, 0, 0x3, &a);
	pica_lower_settle(lo, 1, 0x3, &b);
	for (c = 0; c < 2; c++) {
		u.a[c] = a.word[c];
		u.b[c] = b.word[c];
	}
	set_unif(&u, &a, &b, NULL);
	vs_builder_emit(lo->b, &u);
}

/* d = op(a, b) on single slots or words; @b_word is a uniform word if @b_unif. */
static void emit_one(struct lower *lo, enum vs_op op, u16 d, u16 a, bool a_unif, u16 b, bool b_unif)
{
	struct vs_uop u = { .op = (u16)op, .ncomp = 1 };

	u.d[0] = d;
	u.a[0] = a;
	u.b[0] = b;
	u.flags = (a_unif ? VS_UOP_A_UNIF : 0) | (b_unif ? VS_UOP_B_UNIF : 0);
	vs_builder_emit(lo->b, &u);
}

/* Copy results collected in the last scratch quad to the destination. */
static void emit_collected(struct lower *lo)
{
	struct operand t = { .unif = false };
	unsigned int c;

	for (c = 0; c < 4; c++)
		t.word[c] = scratch(3, c);
	emit_per(lo, VS_OP_MOV, lo->desc.mask, &t, NULL, NULL);
}

/* DST: (1, a.y b.y, a.z, b.w) */
static void lower_dst(struct lower *lo)
{
	u8 mask = lo->desc.mask;
	struct operand a, b, ay, by;

	get_source(lo, 0, mask & 0x6, &a);
	get_source(lo, 1, mask & 0xa, &b);
	if (mask & 0x1)
		emit_one(lo, VS_OP_MOV, scratch(3, 0), (u16)vs_builder_const(lo->b, F32_ONE),
			 true, 0, false);
	if (mask & 0x2) {
		/* Before the product: the 0 of 0 * inf must not be negated. */
		ay = a;
		by = b;
		settle_product(lo, 0x2, &ay, &by);
		emit_one(lo, VS_OP_MUL, scratch(3, 1), ay.word[1], ay.unif, by.word[1], by.unif);
	}
	if (mask & 0x4)
		emit_one(lo, a.neg ? VS_OP_NEG : VS_OP_MOV, scratch(3, 2), a.word[2], a.unif,
			 0, false);
	if (mask & 0x8)
		emit_one(lo, b.neg ? VS_OP_NEG : VS_OP_MOV, scratch(3, 3), b.word[3], b.unif,
			 0, false);
	emit_collected(lo);
}

/*
 * LITP: (max(a.x, 0), a.y clamped, 0, max(a.w, 0)), cmp = (a.x >= 0, a.w >= 0). The flags
 * are written regardless of the mask.
 */
static void lower_litp(struct lower *lo)
{
	u16 zero = (u16)vs_builder_const(lo->b, F32_ZERO);
	u16 low = (u16)vs_builder_const(lo->b, LITP_LIMIT | SIGN);
	struct vs_uop u = { .op = VS_OP_MOV, .ncomp = 3 };
	struct operand a;
	unsigned int i;
	static const u8 comps[3] = { 0, 1, 3 };

	/* Operands of the comparison must be slots, as the constants are uniforms. */
	get_source(lo, 0, 0xb, &a);
	pica_lower_settle(lo, 0, 0xb, &a);
	if (a.unif) {
		for (i = 0; i < 3; i++) {
			u.d[i] = scratch(0, comps[i]);
			u.a[i] = a.word[comps[i]];
			a.word[comps[i]] = scratch(0, comps[i]);
		}
		u.flags = VS_UOP_A_UNIF;
		vs_builder_emit(lo->b, &u);
	}

	u = (struct vs_uop){ .op = VS_OP_MAX, .ncomp = 3, .flags = VS_UOP_B_UNIF };
	for (i = 0; i < 3; i++) {
		u.d[i] = scratch(3, comps[i]);
		u.a[i] = a.word[comps[i]];
		u.b[i] = comps[i] == 1 ? low : zero;
	}
	vs_builder_emit(lo->b, &u);
	emit_one(lo, VS_OP_MIN, scratch(3, 1), scratch(3, 1), false,
		 (u16)vs_builder_const(lo->b, LITP_LIMIT), true);
	emit_one(lo, VS_OP_MOV, scratch(3, 2), zero, true, 0, false);

	u = (struct vs_uop){ .op = VS_OP_CMP, .ncomp = 2, .flags = VS_UOP_B_UNIF };
	u.imm = VS_CMP_GE | VS_CMP_GE << 4;
	u.d[0] = PICA_PRED_X;
	u.d[1] = PICA_PRED_Y;
	u.a[0] = a.word[0];
	u.a[1] = a.word[3];
	u.b[0] = zero;
	u.b[1] = zero;
	vs_builder_emit(lo->b, &u);
	if (lo->desc.mask)
		emit_collected(lo);
}

static void lower_arith(struct lower *lo)
{
	/* No-op for an empty mask, except that LITP and CMP set the flags. */
	if ((lo->insn->info->flags & PICA_OPF_DEST) && !lo->desc.mask &&
	    !(lo->insn->info->flags & PICA_OPF_CMP)) {
		emit_nop(lo);
		return;
	}

	switch (lo->insn->op) {
	case PICA_OP_ADD:
		lower_add(lo);
		break;
	case PICA_OP_DP3:
		lower_dot(lo, VS_OP_DP3, 3);
		break;
	case PICA_OP_DP4:
		lower_dot(lo, VS_OP_DP4, 4);
		break;
	case PICA_OP_DPH:
	case PICA_OP_DPHI:
		lower_dph(lo);
		break;
	case PICA_OP_DST:
	case PICA_OP_DSTI:
		lower_dst(lo);
		break;
	case PICA_OP_EX2:
		lower_scalar(lo, VS_OP_EX2);
		break;
	case PICA_OP_LG2:
		lower_scalar(lo, VS_OP_LG2);
		break;
	case PICA_OP_RCP:
		lower_scalar(lo, VS_OP_RCP);
		break;
	case PICA_OP_RSQ:
		lower_scalar(lo, VS_OP_RSQ);
		break;
	case PICA_OP_LITP:
		lower_litp(lo);
		break;
	case PICA_OP_MUL:
		lower_mul(lo);
		break;
	case PICA_OP_SGE:
	case PICA_OP_SGEI:
		lower_per2(lo, VS_OP_SGE);
		break;
	case PICA_OP_SLT:
	case PICA_OP_SLTI:
		lower_per2(lo, VS_OP_SLT);
		break;
	case PICA_OP_MAX:
		lower_per2(lo, VS_OP_MAX);
		break;
	case PICA_OP_MIN:
		lower_per2(lo, VS_OP_MIN);
		break;
	case PICA_OP_FLR:
		lower_flr(lo);
		break;
	case PICA_OP_MOV:
		lower_mov(lo);
		break;
	case PICA_OP_MOVA:
		lower_mova(lo);
		break;
	case PICA_OP_CMP:
		lower_cmp(lo);
		break;
	case PICA_OP_MAD:
	case PICA_OP_MADI:
		lower_mad(lo);
		break;
	default:
		emit_nop(lo);
		break;
	}
}

/* May a ring entry end after the instruction at @pc? */
static bool is_end(const struct pica_walk *w, u32 pc)
{
	return w->ifs.head[pc + 1] != PICA_NONE || w->loops.head[pc + 1] != PICA_NONE ||
	       w->calls.head[pc + 1] != PICA_NONE;
}

/* Truth table over cmp.x (bit 0 of the index) and cmp.y (bit 1). */
static u8 cond_table(const struct pica_insn *insn)
{
	u8 lut = 0;
	u32 i;

	for (i = 0; i < 4; i++) {
		bool x = (i & 1) == insn->f[PICA_F_REFX];
		bool y = (i >> 1) == insn->f[PICA_F_REFY];
		bool holds;

		switch (insn->f[PICA_F_COND]) {
		case PICA_COND_OR:
			holds = x || y;
			break;
		case PICA_COND_AND:
			holds = x && y;
			break;
		case PICA_COND_X:
			holds = x;
			break;
		default:
			holds = y;
			break;
		}
		lut |= holds << i;
	}
	return lut;
}

static void set_cond(const struct pica_insn *insn, struct vs_flow *f)
{
	if (insn->info->flags & PICA_OPF_COND) {
		f->cond = VS_COND_PREDS;
		f->lut = cond_table(insn);
	} else if (insn->info->flags & PICA_OPF_BOOL) {
		f->cond = VS_COND_BOOL;
		f->num = (u8)insn->f[PICA_F_BOOL];
		f->lut = (u8)insn->f[PICA_F_NOT];
	} else {
		f->cond = VS_COND_ALWAYS;
	}
}

static enum vs_op flow_op(u32 flags)
{
	if (flags & PICA_OPF_END)
		return VS_OP_END;
	if (flags & PICA_OPF_CALL)
		return VS_OP_CALL;
	if (flags & PICA_OPF_IF)
		return VS_OP_IF;
	if (flags & PICA_OPF_LOOP)
		return VS_OP_LOOP;
	if (flags & PICA_OPF_BREAK)
		return VS_OP_BREAK;
	return VS_OP_BR;
}

static void lower_flow(struct lower *lo)
{
	const struct pica_insn *insn = lo->insn;
	u32 flags = insn->info->flags;
	struct vs_uop u = { .op = (u16)flow_op(flags), .ncomp = 1 };

	u.f.resume = lo->pc + 1;
	u.f.target = lo->pc + 1;
	u.f.other = lo->pc + 1;
	u.f.al = PICA_SLOT_AL;
	set_cond(insn, &u.f);
	if (flags & (PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_LOOP))
		u.f.end = (u16)pica_block_end(insn);
	if (flags & (PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_JUMP))
		u.f.target = insn->f[PICA_F_TARGET];
	if (flags & PICA_OPF_IF)
		u.f.other = insn->f[PICA_F_TARGET] + insn->f[PICA_F_NUM];
	if (flags & PICA_OPF_LOOP) {
		u.f.other = pica_block_end(insn);
		u.f.num = (u8)insn->f[PICA_F_INT];
	}
	if (flags & PICA_OPF_END) {
		memset(&u.f, 0, sizeof(u.f));
	} else if (is_end(lo->w, lo->pc)) {
		u.flags |= VS_UOP_RINGS;
		u.f.next = (u16)(lo->pc + 1);
	}
	vs_builder_emit(lo->b, &u);
}

static void lower_rings(struct lower *lo)
{
	struct vs_uop u = { .op = VS_OP_RINGS, .ncomp = 1, .flags = VS_UOP_RINGS };

	u.f.resume = lo->pc + 1;
	u.f.target = lo->pc + 1;
	u.f.other = lo->pc + 1;
	u.f.next = (u16)(lo->pc + 1);
	u.f.al = PICA_SLOT_AL;
	vs_builder_emit(lo->b, &u);
}

static void lower_geometry(struct lower *lo)
{
	const struct pica_insn *insn = lo->insn;
	struct vs_uop u = { .op = VS_OP_EMIT, .ncomp = 1 };

	if (insn->op == PICA_OP_SETEMIT) {
		u.op = VS_OP_SETEMIT;
		u.imm = insn->f[PICA_F_VTX] | (u32)insn->f[PICA_F_PRIM] << 2 |
			(u32)insn->f[PICA_F_WIND] << 3;
	}
	vs_builder_emit(lo->b, &u);
}

static void lower_word(struct lower *lo)
{
	const struct pica_insn *insn = lo->insn;

	if (insn->info->flags & PICA_OPF_FLOW) {
		lower_flow(lo);
		return;
	}
	if (insn->nsrc) {
		pica_opdesc_decode(lo->w->prog->opdesc[insn->f[PICA_F_DESC]], &lo->desc);
		lower_arith(lo);
	} else if (insn->info->flags & PICA_OPF_GEOM) {
		lower_geometry(lo);
	} else {
		emit_nop(lo);
	}
	if (is_end(lo->w, lo->pc))
		lower_rings(lo);
}

static void pica_lower_emit_fault(struct lower *lo, enum vs_fault_kind kind)
{
	struct vs_uop u = { .op = VS_OP_FAULT, .ncomp = 1, .imm = kind };

	vs_builder_emit(lo->b, &u);
}

/*
 * Mark words that flow micro-ops refer to but that are unreachable, such as the return
 * address of a procedure that ends the invocation: they need a micro-op.
 */
static void mark_named(const struct pica_walk *w, u64 *named)
{
	u32 pc;

	for (pc = 0; pc < w->prog->ncode; pc++) {
		const struct pica_insn *insn = &w->insn[pc];

		if (!pica_reached(w, pc) || !insn->info)
			continue;
		if (insn->info->flags & PICA_OPF_END)
			continue;
		if ((insn->info->flags & PICA_OPF_FLOW) || is_end(w, pc))
			pica_set_bit(named, pc + 1);
		/* A block that ends right here pops before its target is reached. */
		if (insn->info->flags & (PICA_OPF_CALL | PICA_OPF_IF | PICA_OPF_JUMP))
			pica_set_bit(named, insn->f[PICA_F_TARGET]);
		if (insn->info->flags & PICA_OPF_IF)
			pica_set_bit(named, insn->f[PICA_F_TARGET] + insn->f[PICA_F_NUM]);
		if (insn->info->flags & PICA_OPF_LOOP)
			pica_set_bit(named, pica_block_end(insn));
	}
}

static void pica_lower_all(struct lower *lo, const u64 *named)
{
	const struct pica_walk *w = lo->w;

	for (lo->pc = 0; lo->pc < w->prog->ncode; lo->pc++) {
		lo->insn = &w->insn[lo->pc];
		if (!pica_reached(w, lo->pc) && !pica_bit(named, lo->pc))
			continue;
		vs_builder_guest(lo->b, lo->pc);
		if (pica_reached(w, lo->pc))
			lower_word(lo);
		else
			pica_lower_emit_fault(lo, VS_FAULT_ENCODING);
	}
	/* The end of the code. */
	vs_builder_guest(lo->b, w->prog->ncode);
	pica_lower_emit_fault(lo, VS_FAULT_FETCH);
}

static void add_reg(struct vs_reg *reg, char file, u32 num, u32 slot)
{
	u32 c;

	scnprintf(reg->name, sizeof(reg->name), "%c%u", file, num);
	reg->ncomp = 4;
	for (c = 0; c < 4; c++)
		reg->slot[c] = (u16)(slot + 4 * num + c);
}

/* v0..v15, o0..o15, r0..r15, a0, aL, cmp */
#define NUM_REG_ROWS	(3 * PICA_NUM_REGS + 3)

static void fill_regs(struct vs_reg *regs)
{
	struct vs_reg *special = regs + 3 * PICA_NUM_REGS;
	u32 i;

	for (i = 0; i < PICA_NUM_REGS; i++) {
		add_reg(&regs[i], 'v', i, PICA_SLOT_IN);
		add_reg(&regs[PICA_NUM_REGS + i], 'o', i, PICA_SLOT_OUT);
		add_reg(&regs[2 * PICA_NUM_REGS + i], 'r', i, PICA_SLOT_TEMP);
	}
	special[0] = (struct vs_reg){ .name = "a0", .ncomp = 2, .type = 1,
				      .slot = { PICA_SLOT_ADDR, PICA_SLOT_ADDR + 1 } };
	special[1] = (struct vs_reg){ .name = "aL", .ncomp = 1, .type = 1,
				      .slot = { PICA_SLOT_AL } };
	special[2] = (struct vs_reg){ .name = "cmp", .ncomp = 2, .type = 2,
				      .slot = { PICA_PRED_X, PICA_PRED_Y } };
}

static void fill_proto(struct vs_prog *proto, const struct pica_program *prog,
		       const struct vs_report *rep)
{
	bool geometry = prog->stage == VS_STAGE_GEOMETRY;

	/* The builder has room for the end of the code, too. */
	proto->nguest = prog->ncode;
	proto->nslots = geometry ? PICA_SLOTS_GEOMETRY : PICA_SLOTS_VERTEX;
	proto->nunif = 4 * PICA_NUM_CONST;
	proto->rows = (struct vs_rows){
		.mask = 0x7f,
		.limit = PICA_NUM_CONST,
		.beyond = F32_ONE,
		.off_min = -128,
		.off_max = 127,
	};
	proto->in_slot = PICA_SLOT_IN;
	proto->out_slot = PICA_SLOT_OUT;
	proto->shadow_slot = geometry ? PICA_SLOT_SHADOW : 0;
	proto->nin = PICA_NUM_REGS;
	proto->nout = PICA_NUM_REGS;
	proto->in_used = rep->inputs;
	proto->out_written = rep->outputs;
}

static int lower_walked(struct pica_walk *w, const struct vs_report *rep, struct vs_prog **out)
{
	struct vs_prog proto = { .nuops = 0 };
	u64 named[PICA_WALK_ENDS / 64 + 1] = { 0 };
	struct lower lo = { .w = w };
	int ret;

	fill_proto(&proto, w->prog, rep);
	proto.nregs = NUM_REG_ROWS;
	proto.regs = vs_zalloc_array(NUM_REG_ROWS, sizeof(*proto.regs));
	if (!proto.regs)
		return -ENOMEM;
	fill_regs(proto.regs);
	lo.b = vs_builder_new(proto.nguest, proto.nslots, proto.nunif);
	if (!lo.b) {
		vs_free(proto.regs);
		return -ENOMEM;
	}
	mark_named(w, named);
	pica_lower_all(&lo, named);
	ret = vs_prog_finish(lo.b, &proto, w->prog->entries, w->prog->nentries, out);
	vs_free(proto.regs);
	return ret;
}

/**
 * pica_lower() - lower a program to the engine
 * @src: source that pica_verify() accepted
 * @rep: its resource report; adds whether results depend on earlier invocations
 * @out: the program
 *
 * Return: 0, -ENOMEM, -E2BIG if there are too many micro-ops, -EINVAL on a defect.
 */
int pica_lower(const struct vs_src *src, struct vs_report *rep, struct vs_prog **out)
{
	struct pica_program prog;
	struct pica_walk *w;
	int ret;

	pica_program_init(&prog, src);
	w = pica_walk_new(&prog);
	if (!w)
		return -ENOMEM;
	pica_walk_run(w);
	ret = lower_walked(w, rep, out);
	pica_walk_free(w);
	if (!ret && (*out)->carries)
		rep->features |= VS_FEAT_CARRIES_STATE;
	return ret;
}
