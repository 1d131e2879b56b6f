// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of QPU instructions to micro-ops.
 *
 * Both ALUs read before either writes, and both conditions use the flags from before
 * the instruction. Micro-ops execute in sequence: the multiplier's come first if the adder
 * sets flags, else the adder's; operands of the second ALU that the first one overwrites
 * are copied.
 */
#include "qpu_lower.h"

/**
 * struct half - operation of one ALU
 * @op:		micro-operation, 0 none
 * @a:		source slot
 * @b:		source slot
 * @cond:	condition
 * @waddr:	write address
 * @file:	file of the write address: 0 A, 1 B
 * @out:	slot for peripherals
 * @pack:	pack mode
 * @flags:	QPU_UF_FLOAT, QPU_UF_PM
 * @rot:	rotation micro-op, 0 none
 * @by:		its amount
 * @nop:	writes an undefined value and sets no flags
 */
struct half {
	u8 op;
	u8 a;
	u8 b;
	u8 cond;
	u8 waddr;
	u8 file;
	u8 out;
	u8 pack;
	u8 flags;
	u8 rot;
	u8 by;
	u8 nop;
};

/**
 * struct lower - instruction being lowered
 * @i:		its fields
 * @d:		result
 * @u:		micro-ops
 * @n:		number of micro-ops
 * @ntmp:	temporaries in use
 */
struct lower {
	const struct qpu_insn *i;
	struct qpu_dec *d;
	struct qpu_uop *u;
	u32 n;
	u32 ntmp;
};

/* Operation properties: number of operands, and which values are floats. */
#define REAL_F	1
#define REAL_I	0

struct op_info {
	u8 operands;
	u8 reads_float;
	u8 writes_float;
};

static const struct op_info ops[QPU_U_MUL + QPU_NUM_MUL_OPS] = {
#define QPU_ADD_OP(code, name, text, operands, reads, writes) \
	[code] = { operands, REAL_##reads, REAL_##writes },
#define QPU_MUL_OP(code, name, text, operands, reads, writes) \
	[QPU_U_MUL + (code)] = { operands, REAL_##reads, REAL_##writes },
#include "qpu_ops.def"
#undef QPU_ADD_OP
#undef QPU_MUL_OP
};

static struct qpu_uop *qpu_lower_emit(struct lower *l, u32 op, u32 d, u32 a, u32 b)
{
	struct qpu_uop *u = &l->u[l->n++];

	*u = (struct qpu_uop){
		.h = QPU_HANDLER(op, QPU_V_PLAIN),
		.cond = QPU_COND_ALWAYS,
		.d = d,
		.a = a,
		.b = b,
	};
	return u;
}

static u32 new_tmp(struct lower *l)
{
	return QPU_S_TMP + l->ntmp++;
}

/* ---- operands ---- */

/* Slot that port A or B reads. */
static u32 port_slot(u32 raddr, u32 port)
{
	if (raddr < 32)
		return (port ? QPU_S_RB : QPU_S_RA) + raddr;
	if (raddr == QPU_R_ELEM_QPU)
		return port ? QPU_S_QPU : QPU_S_ELEM;
	if (raddr == QPU_R_NOP)
		return port ? QPU_S_RES_B : QPU_S_RES_A;
	if (raddr == QPU_R_UNIF)
		return QPU_S_UNIF;
	/* DMA is synchronous: never busy. */
	if (raddr == QPU_R_VPM_BUSY || raddr == QPU_R_VPM_WAIT)
		return QPU_S_IMM;
	return port ? QPU_S_PB : QPU_S_PA;
}

/* Slot of a small immediate; codes 48 to 63 also encode rotations. */
static u32 imm_slot(u32 code)
{
	return QPU_S_IMM + (code < 48 ? code : code - 32);
}

static u32 mux_slot(const struct qpu_insn *i, u32 mux)
{
	if (mux < QPU_MUX_A)
		return QPU_S_ACC + mux;
	if (mux == QPU_MUX_A)
		return port_slot(i->raddr_a, 0);
	return i->sig == QPU_SIG_SMI ? imm_slot(i->raddr_b) : port_slot(i->raddr_b, 1);
}

static bool mux_unpacks(const struct qpu_insn *i, u32 mux)
{
	return i->unpack && mux == (i->pm ? QPU_MUX_R4 : QPU_MUX_A);
}

/* Slot of an operand; @cache: unpacked values for integer and float consumers. */
static u32 qpu_lower_operand(struct lower *l, u32 mux, bool is_float, u32 cache[2])
{
	const struct qpu_insn *i = l->i;
	u32 slot = mux_slot(i, mux);
	/* r4 always converts */
	bool f = is_float || i->pm;

	if (!mux_unpacks(i, mux))
		return slot;
	if (!cache[f]) {
		cache[f] = new_tmp(l);
		qpu_lower_emit(l, f ? QPU_U_UNPACK_F : QPU_U_UNPACK_I, cache[f], slot, slot)->imm =
			i->unpack;
	}
	return cache[f];
}

/* ---- results ---- */

static bool qpu_lower_is_special(u32 waddr)
{
	return waddr >= 32 && waddr != QPU_W_NOP && waddr != QPU_W_ACC5 &&
	       !(waddr >= QPU_W_ACC0 && waddr <= QPU_W_ACC3);
}

static u32 dest_slot(const struct half *h)
{
	if (h->waddr < 32)
		return (h->file ? QPU_S_RB : QPU_S_RA) + h->waddr;
	if (h->waddr >= QPU_W_ACC0 && h->waddr <= QPU_W_ACC3)
		return QPU_S_ACC + h->waddr - QPU_W_ACC0;
	if (h->waddr == QPU_W_ACC5)
		return QPU_S_R5;
	return qpu_lower_is_special(h->waddr) ? h->out : QPU_S_TRASH;
}

/* Writes to r5 broadcast elements, so the result needs a temporary first. */
static bool is_r5(const struct half *h)
{
	return h->waddr == QPU_W_ACC5;
}

/* Simplify a | a and the like to moves. */
static u32 simplify(const struct half *h)
{
	bool same = h->a == h->b;

	if (same && (h->op == QPU_A_OR || h->op == QPU_A_AND || h->op == QPU_A_MIN ||
		     h->op == QPU_A_MAX || h->op == QPU_U_MUL + QPU_M_V8MIN ||
		     h->op == QPU_U_MUL + QPU_M_V8MAX))
		return QPU_U_MOV;
	return h->op;
}

/* Give the last micro-op its condition, flags and packing. */
static void qualify(struct qpu_uop *u, const struct half *h, bool sf, bool all)
{
	u32 op = u->h / QPU_NUM_VARIANTS;
	bool full = sf || h->pack;

	u->cond = h->cond;
	u->pack = h->pack;
	u->flags = h->flags | (sf ? QPU_UF_SF : 0) | (all ? QPU_UF_ALL : 0);
	if (full)
		u->h = QPU_HANDLER(op, h->pack || h->cond != QPU_COND_ALWAYS ?
				   QPU_V_FULL : QPU_V_FLAGS);
	else if (all || h->cond == QPU_COND_ALWAYS)
		u->h = QPU_HANDLER(op, QPU_V_PLAIN);
	else
		u->h = QPU_HANDLER(op, QPU_V_COND);
	/* Rotations test the condition in every variant. */
	if (!full && all)
		u->cond = QPU_COND_ALWAYS;
}

/* Move to r5 without a temporary. Return: false: not a move. */
static bool move_to_r5(struct lower *l, const struct half *h, u32 op, bool sf)
{
	bool rot = h->rot == QPU_U_ROT && h->file;
	struct qpu_uop *u;

	if (!is_r5(h) || op != QPU_U_MOV || sf || h->pack || (h->rot && !rot))
		return false;
	u = qpu_lower_emit(l, h->file ? QPU_U_R5_ALL : QPU_U_R5_QUAD, QPU_S_R5, h->a, h->a);
	u->cond = h->cond;
	u->imm = rot ? 16 - h->by : 0;
	return true;
}

static void spread_r5(struct lower *l, const struct half *h, u32 from, bool sf)
{
	struct qpu_uop *u;

	u = qpu_lower_emit(l, h->file ? QPU_U_R5_ALL : QPU_U_R5_QUAD, QPU_S_R5, from, from);
	u->cond = sf ? QPU_COND_SAVED : h->cond;
}

static u32 rotated(struct lower *l, const struct half *h, u32 slot)
{
	u32 t = new_tmp(l);

	qpu_lower_emit(l, h->rot, t, slot, slot)->imm = h->by;
	return t;
}

/* Emit the micro-ops of one ALU. */
static void emit_half(struct lower *l, const struct half *h, bool sf)
{
	u32 op = simplify(h), a = h->a, b = h->b, d;
	bool all = is_r5(h) || qpu_lower_is_special(h->waddr);
	struct qpu_uop *u;

	if (move_to_r5(l, h, op, sf))
		return;
	d = is_r5(h) ? new_tmp(l) : dest_slot(h);
	/* Packing into a peripheral: bytes that are not written are 0. */
	if ((qpu_lower_is_special(h->waddr) || is_r5(h)) && h->pack)
		qpu_lower_emit(l, QPU_U_LDI, d, 0, 0);
	if (is_r5(h) && sf)
		qpu_lower_emit(l, QPU_U_SAVE_COND, 0, 0, 0)->cond = h->cond;
	if (h->rot && sf) {
		/* The carry is that of the rotated product: rotate the operands. */
		a = rotated(l, h, h->a);
		b = h->b == h->a ? a : rotated(l, h, h->b);
		u = qpu_lower_emit(l, op, d, a, b);
	} else if (h->rot) {
		u32 t = op == QPU_U_MOV ? a : new_tmp(l);

		if (t != a)
			qpu_lower_emit(l, op, t, a, b);
		u = qpu_lower_emit(l, h->rot, d, t, t);
		u->imm = h->by;
	} else {
		u = qpu_lower_emit(l, op, d, a, b);
	}
	qualify(u, h, sf, all);
	if (is_r5(h))
		spread_r5(l, h, d, sf);
}

/* Copy operands of @second that @first writes; rotations by r5 go first anyway. */
static void protect(struct lower *l, const struct half *first, struct half *second)
{
	u32 d = dest_slot(first);

	if (second->a == d || second->b == d) {
		u32 t = new_tmp(l);

		qpu_lower_emit(l, QPU_U_MOV, t, d, d);
		second->a = second->a == d ? t : second->a;
		second->b = second->b == d ? t : second->b;
	}
}

/* Record a write to a peripheral. */
static void note_write(struct qpu_dec *d, const struct half *h, u32 which)
{
	if (!h->op || !qpu_lower_is_special(h->waddr))
		return;
	d->x |= QPU_X_WRITE;
	d->wr[which] = h->waddr;
	d->wfile[which] = h->file;
	d->wcond[which] = h->cond;
}

static bool qpu_lower_rotates_by_r5(const struct half *h)
{
	return h->op && (h->rot == QPU_U_ROT5 || h->rot == QPU_U_ROTQ5);
}

/* Does an ALU have no effect? */
static bool is_idle(const struct half *h, bool sf)
{
	return !h->op || (!sf && (h->waddr == QPU_W_NOP || h->cond == QPU_COND_NEVER) &&
			  !qpu_lower_is_special(h->waddr));
}

static void emit_both(struct lower *l, struct half *add, struct half *mul, bool sf)
{
	bool adds = add->op && !add->nop;
	bool sf_add = sf && adds, sf_mul = sf && !adds && !mul->nop;

	note_write(l->d, add, 0);
	note_write(l->d, mul, 1);
	if (is_idle(add, sf_add))
		add->op = 0;
	if (is_idle(mul, sf_mul))
		mul->op = 0;
	if (!add->op || !mul->op) {
		if (add->op)
			emit_half(l, add, sf_add);
		if (mul->op)
			emit_half(l, mul, sf_mul);
	} else if (sf_add || qpu_lower_rotates_by_r5(mul)) {
		protect(l, mul, add);
		emit_half(l, mul, sf_mul);
		emit_half(l, add, sf_add);
	} else {
		protect(l, add, mul);
		emit_half(l, add, false);
		emit_half(l, mul, sf_mul);
	}
}

/* ---- forms ---- */

static void set_dest(const struct qpu_insn *i, struct half *add, struct half *mul)
{
	add->cond = i->cond_add;
	add->waddr = i->waddr_add;
	add->file = i->ws;
	add->out = QPU_S_OUT_ADD;
	mul->cond = i->cond_mul;
	mul->waddr = i->waddr_mul;
	mul->file = !i->ws;
	mul->out = QPU_S_OUT_MUL;
	if (!i->pm) {
		if (!add->file && add->waddr < 32)
			add->pack = i->pack;
		if (!mul->file && mul->waddr < 32)
			mul->pack = i->pack;
	} else {
		/* vc4asm sets bit 3, although the multiplier always saturates. */
		mul->pack = i->pack & 7;
		mul->flags |= QPU_UF_PM;
	}
}

/* Full rotations only of accumulators r0 to r3, else within groups of four. */
static void set_rotation(const struct qpu_insn *i, struct half *mul)
{
	bool full = i->mux[2] < QPU_MUX_R4 && i->mux[3] < QPU_MUX_R4;

	if (i->sig != QPU_SIG_SMI || i->raddr_b < 48 || !mul->op)
		return;
	mul->by = i->raddr_b - 48;
	if (mul->by)
		mul->rot = full ? QPU_U_ROT : QPU_U_ROTQ;
	else
		mul->rot = full ? QPU_U_ROT5 : QPU_U_ROTQ5;
}

/* Peripheral read address; uniforms are handled by qpu_reads_uniform(). */
static u32 peripheral_read(u32 raddr)
{
	switch (raddr) {
	case QPU_R_VARY:
	case QPU_R_XY_PIXEL:
	case QPU_R_MS_REV:
	case QPU_R_VPM:
	case QPU_R_MUTEX:
		return raddr;
	default:
		return 0;
	}
}

/*
 * NOPs write no register: py-videocore's name r0 as destination. But writes to the vertex pipeline
 * memory take place, with undefined data: vc4asm's smitest relies on that.
 */
static void lower_nop(struct half *h)
{
	if (h->op || h->waddr != QPU_W_VPM || h->cond == QPU_COND_NEVER)
		return;
	h->op = QPU_U_MOV;
	h->a = QPU_S_IMM;
	h->b = QPU_S_IMM;
	h->nop = 1;
}

static void lower_alu(struct lower *l)
{
	const struct qpu_insn *i = l->i;
	const struct op_info *ai = &ops[i->op_add], *mi = &ops[QPU_U_MUL + i->op_mul];
	struct half add = {}, mul = {};
	u32 cache[2] = {};

	l->d->rd[0] = peripheral_read(i->raddr_a);
	if (i->sig != QPU_SIG_SMI)
		l->d->rd[1] = peripheral_read(i->raddr_b);
	if (l->d->rd[0] || l->d->rd[1])
		l->d->x |= QPU_X_READ;
	set_dest(i, &add, &mul);
	/* Undefined codes return 0. */
	if (!qpu_add_op_defined(i->op_add)) {
		add.op = QPU_U_MOV;
		add.a = QPU_S_IMM;
		add.b = QPU_S_IMM;
	} else if (i->op_add) {
		add.op = i->op_add;
		add.a = qpu_lower_operand(l, i->mux[0], ai->reads_float, cache);
		add.b = ai->operands > 1 ?
			qpu_lower_operand(l, i->mux[1], ai->reads_float, cache) : add.a;
		add.flags |= ai->writes_float ? QPU_UF_FLOAT : 0;
	}
	if (i->op_mul) {
		mul.op = QPU_U_MUL + i->op_mul;
		mul.a = qpu_lower_operand(l, i->mux[2], mi->reads_float, cache);
		mul.b = qpu_lower_operand(l, i->mux[3], mi->reads_float, cache);
		mul.flags |= mi->writes_float ? QPU_UF_FLOAT : 0;
	}
	set_rotation(i, &mul);
	lower_nop(&add);
	lower_nop(&mul);
	emit_both(l, &add, &mul, i->sf);
	l->d->sig = i->sig;
	switch (i->sig) {
	case QPU_SIG_NONE:
	case QPU_SIG_SMI:
	/* No other thread to switch to. */
	case QPU_SIG_THRSW:
	case QPU_SIG_LTHRSW:
		l->d->sig = QPU_SIG_NONE;
		break;
	default:
		l->d->x |= QPU_X_SIGNAL;
	}
}

/* Load immediate: both ALUs write the same value. */
static void lower_ldi(struct lower *l)
{
	static const u8 form[8] = { [QPU_LDI_32] = QPU_U_LDI, [QPU_LDI_ELEM_S] = QPU_U_LDI_S,
				    [QPU_LDI_ELEM_U] = QPU_U_LDI_U,
				    [QPU_LDI_SEMA] = QPU_U_LDI };
	const struct qpu_insn *i = l->i;
	struct half add = {}, mul = {};
	u32 t = new_tmp(l);

	qpu_lower_emit(l, form[i->unpack], t, 0, 0)->imm = i->imm;
	set_dest(i, &add, &mul);
	/* Flags follow the adder's condition, unless the adder is idle. */
	add.op = i->cond_add || !i->cond_mul ? QPU_U_MOV : 0;
	mul.op = QPU_U_MOV;
	add.a = t;
	add.b = t;
	mul.a = t;
	mul.b = t;
	emit_both(l, &add, &mul, i->sf);
	/* Without a destination it is a no-op: QPULib's are of this form. */
	if (l->n == 1)
		l->n = 0;
	/* The last move of a plain load can load the immediate itself. */
	if (l->n == 2 && l->u[1].h == QPU_HANDLER(QPU_U_MOV, QPU_V_PLAIN) && l->u[1].a == t) {
		l->u[0].d = l->u[1].d;
		l->n = 1;
	}
	if (i->unpack == QPU_LDI_SEMA) {
		l->d->x |= QPU_X_SEMA;
		l->d->imm = i->imm;
	}
}

/* The link value is known at execution only: qpu_special.c writes it. */
static void lower_branch(struct lower *l)
{
	const struct qpu_insn *i = l->i;
	struct qpu_dec *d = l->d;

	d->x |= QPU_X_BRANCH;
	d->br_cond = i->br_cond;
	d->br_rel = i->br_rel;
	d->br_reg = i->br_reg;
	d->br_raddr = i->br_raddr;
	d->sf = i->br_raddr & 1;
	d->imm = i->imm;
	d->wr[0] = i->waddr_add;
	d->wr[1] = i->waddr_mul;
	d->wfile[0] = i->ws;
	d->wfile[1] = !i->ws;
}

static bool conditional(u32 cond)
{
	return cond > QPU_COND_ALWAYS;
}

/* Use of flags by instruction @i: bit 0 reads them, bit 1 sets all of them. */
static u8 flag_use(const struct qpu_insn *i)
{
	bool alu = i->sig < QPU_SIG_LDI, from_add = !alu || i->op_add;
	u8 r = 0;

	if (i->sig == QPU_SIG_BRANCH)
		return i->br_cond == QPU_BR_ALWAYS ? 0 : QPU_FLAGS_USED;
	if (conditional(i->cond_add) || conditional(i->cond_mul))
		r |= QPU_FLAGS_USED;
	if (i->sf && (from_add ? i->cond_add : i->cond_mul) == QPU_COND_ALWAYS &&
	    (from_add || i->op_mul))
		r |= QPU_FLAGS_SET;
	return r;
}

/* Is this an unconditional write that cannot stall: pipeline memory, DMA, TMU request? */
static bool simple_write(const struct qpu_dec *d, u32 which)
{
	u32 w = d->wr[which];

	return d->wcond[which] == QPU_COND_ALWAYS &&
	       ((w >= QPU_W_VPM && w <= QPU_W_VPM_ADDR) || w == QPU_W_TMU0_S ||
		w == QPU_W_TMU1_S);
}

/* Does an instruction only access peripherals that executors handle? */
static bool is_simple(const struct qpu_dec *d)
{
	u32 i;

	if (d->x & ~(QPU_X_READ | QPU_X_WRITE | QPU_X_SIGNAL) || !d->x)
		return false;
	if (d->x & QPU_X_SIGNAL && d->sig != QPU_SIG_LDTMU0 && d->sig != QPU_SIG_LDTMU1)
		return false;
	for (i = 0; i < 2; i++) {
		if ((d->rd[i] && d->rd[i] != QPU_R_VPM) || (d->wr[i] && !simple_write(d, i)))
			return false;
	}
	return true;
}

/* Remove micro-op @k of @l. */
static void drop(struct lower *l, u32 k)
{
	l->n--;
	memmove(l->u + k, l->u + k + 1, (l->n - k) * sizeof(*l->u));
}

/*
 * A peripheral takes a moved value from its source, unless another micro-op or the result of a
 * request overwrites that.
 */
static void take_from_source(struct lower *l, u32 which)
{
	u32 out = QPU_S_OUT_ADD + which, k, from, i;

	for (k = 0; k < l->n && l->u[k].d != out; k++)
		;
	if (k == l->n || l->u[k].h != QPU_HANDLER(QPU_U_MOV, QPU_V_PLAIN))
		return;
	from = l->u[k].a;
	if (from == QPU_S_R4 && l->d->x & QPU_X_SIGNAL)
		return;
	for (i = k + 1; i < l->n; i++) {
		if (l->u[i].d == from)
			return;
	}
	drop(l, k);
	l->d->wslot[which] = from;
}

u32 qpu_lower(const struct qpu_insn *insn, struct qpu_dec *d, struct qpu_uop *u)
{
	struct lower l = { .i = insn, .d = d, .u = u };

	*d = (struct qpu_dec){ .sig = QPU_SIG_NONE, .flags = flag_use(insn) };
	if (insn->sig == QPU_SIG_BRANCH)
		lower_branch(&l);
	else if (insn->sig == QPU_SIG_LDI)
		lower_ldi(&l);
	else
		lower_alu(&l);
	d->simple = is_simple(d);
	d->wslot[0] = QPU_S_OUT_ADD;
	d->wslot[1] = QPU_S_OUT_MUL;
	if (d->simple && d->wr[0])
		take_from_source(&l, 0);
	if (d->simple && d->wr[1])
		take_from_source(&l, 1);
	return l.n;
}

void qpu_drop_flags(struct qpu_uop *u, u32 n)
{
	for (; n--; u++) {
		u32 op = u->h / QPU_NUM_VARIANTS;

		if (!(u->flags & QPU_UF_SF))
			continue;
		u->flags &= ~QPU_UF_SF;
		if (!u->pack)
			u->h = QPU_HANDLER(op, u->flags & QPU_UF_ALL ||
					   u->cond == QPU_COND_ALWAYS ?
					   QPU_V_PLAIN : QPU_V_COND);
	}
}

bool qpu_reads_uniform(const struct qpu_insn *i)
{
	return i->sig < QPU_SIG_LDI &&
	       (i->raddr_a == QPU_R_UNIF ||
		(i->sig != QPU_SIG_SMI && i->raddr_b == QPU_R_UNIF));
}

/* Source slot of port @port, which leaves its residue; small immediates do, too. */
bool qpu_port_source(const struct qpu_insn *i, u32 port, u32 *slot)
{
	u32 raddr = port ? i->raddr_b : i->raddr_a;

	if (i->sig >= QPU_SIG_LDI)
		return false;
	if (port && i->sig == QPU_SIG_SMI) {
		*slot = imm_slot(raddr);
		return true;
	}
	*slot = port_slot(raddr, port);
	return raddr < 32 || raddr == QPU_R_ELEM_QPU || raddr == QPU_R_UNIF ||
	       raddr == QPU_R_VPM_BUSY || raddr == QPU_R_VPM_WAIT || peripheral_read(raddr);
}

u32 qpu_reads_residue(const struct qpu_insn *i)
{
	u32 k, r = 0;

	if (i->sig >= QPU_SIG_LDI)
		return 0;
	for (k = 0; k < 4; k++) {
		if (!(k < 2 ? i->op_add : i->op_mul))
			continue;
		if (i->mux[k] == QPU_MUX_A && i->raddr_a == QPU_R_NOP)
			r |= 1;
		if (i->mux[k] == QPU_MUX_B && i->sig != QPU_SIG_SMI && i->raddr_b == QPU_R_NOP)
			r |= 2;
	}
	return r;
}
