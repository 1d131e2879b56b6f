// SPDX-License-Identifier: MIT
/*
 * QPU assembler: from the parts of an instruction to its word.
 *
 * ALU assignments are tried in order: the first part on the adder, then on the
 * multiplier, and constants that need an operation in the ways that qas_consts() finds.
 * Registers in both files are read through file A while it is free.
 */
#include "qpu_as.h"
#include "qpu_encode.h"

#define MAX_CONSTS	64

/**
 * struct enc - attempt to encode an instruction
 * @as: the assembler
 * @x: fields so far
 * @ws: write swap, -1: not decided
 * @ra: address that file A reads, -1: none
 * @rb: address that file B reads, -1: none
 * @imm: value of the small immediate
 * @has_imm: there is one
 * @code: code of the small immediate if it is given, -1 otherwise
 * @rot: rotation + 1, 0: none
 * @pm: pack mode select, -1: not decided
 * @unpack_a: unpack mode of file A operands + 1, 0: no such operand
 * @unpack_4: of r4 operands
 * @either: operands in a register of both files: mux[i] is still unset
 * @addr: its address
 * @reads: registers of both files that are only read
 * @nreads: number of @reads
 * @col: of the part at hand
 * @err: error message
 * @err_col: where
 */
struct enc {
	struct qas *as;
	struct qpu_insn x;
	s8 ws;
	s16 ra;
	s16 rb;
	u32 imm;
	bool has_imm;
	s16 code;
	u8 rot;
	s8 pm;
	u8 unpack_a;
	u8 unpack_4;
	bool either[4];
	u8 addr[4];
	u8 reads[4];
	u32 nreads;
	u32 col;
	char err[120];
	u32 err_col;
};

static int __printf(2, 3) bad(struct enc *e, const char *fmt, ...)
{
	va_list ap;

	if (e->err[0])
		return -EINVAL;
	va_start(ap, fmt);
	vsnprintf(e->err, sizeof(e->err), fmt, ap);
	va_end(ap);
	e->err_col = e->col;
	return -EINVAL;
}

static void enc_init(struct enc *e, struct qas *as)
{
	memset(e, 0, sizeof(*e));
	e->as = as;
	e->x.sig = QPU_SIG_NONE;
	e->x.waddr_add = QPU_W_NOP;
	e->x.waddr_mul = QPU_W_NOP;
	e->ws = -1;
	e->ra = -1;
	e->rb = -1;
	e->code = -1;
	e->pm = -1;
}

static int set_pm(struct enc *e, u8 pm)
{
	if (e->pm >= 0 && e->pm != pm)
		return bad(e, "modes of file A and those of multiplier or r4 exclude each other");
	e->pm = (s8)pm;
	return 0;
}

static int set_ws(struct enc *e, bool ws)
{
	if (e->ws >= 0 && e->ws != ws)
		return bad(e, "both destinations are in the same register file");
	e->ws = ws;
	return 0;
}

/* ---- destinations ---- */

/*
 * Pack mode of a destination. Saturating byte modes exist in both; without the suffix i
 * or f they select the multiplier's if file A has none or the result is a float.
 */
static int enc_pack(struct enc *e, const struct qas_val *v, u8 sfx, bool mul, bool is_float)
{
	const struct qas_suffix *s = &qas_suffixes[sfx - 1];
	bool multiplier = s->mul && mul && (!s->pack || v->addr >= 32 || is_float);

	if (!s->pack && !s->mul)
		return qas_eq((struct qas_str){ s->name, 2 }, "32") ? 0 :
		       bad(e, "%s is no pack mode", s->name);
	if (e->x.pack)
		return bad(e, "only one result can be packed");
	if (multiplier) {
		e->x.pack = s->mul;
		return set_pm(e, 1);
	}
	if (!s->pack)
		return bad(e, "%s packs results of the multiplier only", s->name);
	if (s->mul && v->addr >= 32)
		return bad(e, "packing into that register takes the multiplier");
	e->x.pack = s->pack;
	return set_pm(e, 0) || set_ws(e, mul) ? -EINVAL : 0;
}

static int enc_dest(struct enc *e, const struct qas_val *v, u8 cond, bool mul, bool flags,
		    u8 pack, bool is_float)
{
	u8 sfx = v->sfx ? v->sfx : pack;

	if (v->rot) {
		if (!mul)
			return bad(e, "only the multiplier rotates");
		if (e->rot && e->rot != v->rot)
			return bad(e, "different rotations");
		e->rot = v->rot;
	}
	if (v->sfx && pack)
		return bad(e, "two pack modes");
	if (!(v->use & QPU_REG_WB) && set_ws(e, mul))
		return -EINVAL;
	if (!(v->use & QPU_REG_WA) && set_ws(e, !mul))
		return -EINVAL;
	if (sfx && enc_pack(e, v, sfx, mul, is_float))
		return -EINVAL;
	if (!cond)
		cond = (v->addr == QPU_W_NOP && !flags ? QPU_COND_NEVER : QPU_COND_ALWAYS) + 1;
	if (mul) {
		e->x.waddr_mul = v->addr;
		e->x.cond_mul = cond - 1;
	} else {
		e->x.waddr_add = v->addr;
		e->x.cond_add = cond - 1;
	}
	return 0;
}

/* Condition of destination @i, + 1: its own or the part's. */
static int item_cond(struct enc *e, const struct qas_item *it, u32 i, u8 *cond)
{
	*cond = it->cond ? it->cond : it->dst_cond[i];
	return it->cond && it->dst_cond[i] ? bad(e, "two conditions") : 0;
}

/* ---- sources ---- */

static int use_imm(struct enc *e, u32 bits)
{
	if (e->has_imm && e->imm != bits)
		return bad(e, "an instruction has one small immediate");
	e->has_imm = true;
	e->imm = bits;
	return 0;
}

static int use_file(struct enc *e, bool file_b, u8 addr)
{
	s16 *r = file_b ? &e->rb : &e->ra;

	if (*r >= 0 && *r != addr)
		return bad(e, "two registers of file %c are read: %u and %u", file_b ? 'B' : 'A',
			   *r, addr);
	*r = addr;
	return 0;
}

static int enc_unpack(struct enc *e, u8 mode, bool r4)
{
	u8 *old = r4 ? &e->unpack_4 : &e->unpack_a;

	if (*old && *old != mode + 1)
		return bad(e, "operands of %s are unpacked in one way only", r4 ? "r4" : "file A");
	*old = mode + 1;
	return mode ? set_pm(e, r4) : 0;
}

static int enc_rotate(struct enc *e, const struct qas_val *v, bool mul)
{
	if (!v->rot)
		return 0;
	if (!mul)
		return bad(e, "only the multiplier rotates");
	if (e->rot && e->rot != v->rot)
		return bad(e, "different rotations");
	e->rot = v->rot;
	return 0;
}

static int enc_number(struct enc *e, const struct qas_val *v, u32 i)
{
	u32 bits;

	if (v->type == QAS_SEMA || v->type == QAS_ELEM || !qas_bits(v, &bits))
		return bad(e, "no operand for an ALU");
	if (qas_small(bits) < 0)
		return bad(e, "0x%x is no small immediate", bits);
	e->x.mux[i] = QPU_MUX_B;
	return use_imm(e, bits);
}

/* Unpack mode of an operand: its own or the part's, if the operand supports one. */
static int source_unpack(struct enc *e, const struct qas_val *v, u8 sfx, u8 *mode)
{
	u8 s = v->sfx ? v->sfx : sfx;

	*mode = 0;
	if (!s)
		return 0;
	*mode = qas_suffixes[s - 1].unpack;
	if (!*mode && memcmp(qas_suffixes[s - 1].name, "32", 2))
		return bad(e, "%s is no unpack mode", qas_suffixes[s - 1].name);
	return 0;
}

static int use_b(struct enc *e, u32 i, u8 addr)
{
	e->x.mux[i] = QPU_MUX_B;
	return use_file(e, true, addr);
}

static int enc_source(struct enc *e, const struct qas_val *v, u32 i, u8 sfx)
{
	bool r4 = v->is_acc && v->addr == QPU_MUX_R4;
	u8 mode;

	if (v->type != QAS_REG)
		return enc_number(e, v, i);
	if (enc_rotate(e, v, i >= 2) || source_unpack(e, v, sfx, &mode))
		return -EINVAL;
	if (v->is_acc) {
		e->x.mux[i] = v->addr;
		if (r4)
			return enc_unpack(e, mode, true);
		return v->sfx ? bad(e, "only file A and r4 can be unpacked") : 0;
	}
	if (!(v->use & (QPU_REG_RA | QPU_REG_RB)))
		return bad(e, "register cannot be read");
	if (!(v->use & QPU_REG_RB) || mode) {
		if (!(v->use & QPU_REG_RA))
			return v->sfx ? bad(e, "only file A and r4 can be unpacked") :
			       use_b(e, i, v->addr);
		e->x.mux[i] = QPU_MUX_A;
		return enc_unpack(e, mode, false) ? -EINVAL : use_file(e, false, v->addr);
	}
	if (!(v->use & QPU_REG_RA))
		return use_b(e, i, v->addr);
	e->either[i] = true;
	e->addr[i] = v->addr;
	return 0;
}

/*
 * Replace numbers by equivalent small immediates: shifts use five bits, and adding 16
 * equals subtracting -16. The carry differs, so not if the flags are set.
 */
static void other_number(struct enc *e, const struct qas_item *it, struct qas_val *v)
{
	u32 bits;

	if (!qas_bits(v, &bits) || v->type != QAS_INT || qas_small(bits) >= 0)
		return;
	switch (e->x.op_add) {
	case QPU_A_SHL:
	case QPU_A_SHR:
	case QPU_A_ASR:
	case QPU_A_ROR:
		v->i = (s32)(bits << 27) >> 27;
		return;
	case QPU_A_ADD:
	case QPU_A_SUB:
		if (it->setf || qas_small(-bits) < 0)
			return;
		e->x.op_add = e->x.op_add == QPU_A_ADD ? QPU_A_SUB : QPU_A_ADD;
		v->i = (s32)-bits;
		return;
	default:
		return;
	}
}

/*
 * An unpack mode of the whole part applies to operands of file A; without any, to r4.
 */
static bool unpacks_r4(const struct qas_item *it)
{
	u32 i;

	for (i = 0; i < it->nsrc; i++)
		if (it->src[i].type == QAS_REG && !it->src[i].is_acc &&
		    (it->src[i].use & QPU_REG_RA))
			return false;
	return true;
}

static int enc_operand(struct enc *e, const struct qas_item *it, u32 k, u32 i)
{
	struct qas_val v = it->src[k];
	bool r4 = v.is_acc && v.addr == QPU_MUX_R4;
	u8 sfx = it->unpack;

	if (r4 != unpacks_r4(it))
		sfx = 0;
	if (i == 1 && it->kind == QAS_I_ALU)
		other_number(e, it, &v);
	return enc_source(e, &v, i, sfx);
}

/* ---- parts ---- */

static bool float_result(bool mul, u8 op)
{
	return mul ? op == QPU_M_FMUL : (op >= QPU_A_FADD && op <= QPU_A_FMAXABS) ||
					 op == QPU_A_ITOF;
}

/* Unpacking halves to floats takes an operation on floats. */
static bool wants_float(const struct qas_item *it)
{
	u8 s = it->src[0].sfx ? it->src[0].sfx : it->unpack;
	u8 p = it->dst[0].sfx ? it->dst[0].sfx : it->pack;

	return (s && qas_suffixes[s - 1].kind == 'f' && qas_suffixes[s - 1].unpack < 3) ||
	       (p && qas_suffixes[p - 1].kind == 'f' && qas_suffixes[p - 1].pack == 1) ||
	       (p && qas_suffixes[p - 1].kind == 'f' && qas_suffixes[p - 1].pack == 2);
}

static int mov_op(struct enc *e, const struct qas_item *it, bool mul, u8 *op)
{
	*op = mul ? QPU_M_V8MIN : QPU_A_OR;
	if (!wants_float(it))
		return 0;
	if (mul)
		return bad(e, "the multiplier cannot copy floats");
	*op = QPU_A_FMIN;
	return 0;
}

static int enc_const(struct enc *e, const struct qas_const *k, bool mul)
{
	u8 mux = k->imm == 0xff ? 0 : QPU_MUX_B;

	e->x.mux[2 * mul] = mux;
	e->x.mux[2 * mul + 1] = mux;
	return k->imm == 0xff ? 0 : use_imm(e, qpu_small_imm(k->imm));
}

/**
 * enc_alu() - encode a part on an ALU
 * @e: encoding attempt
 * @it: operation, mov or nop
 * @mul: on the multiplier
 * @k: synthesis of a mov's constant, or NULL
 */
static int enc_alu(struct enc *e, const struct qas_item *it, bool mul, const struct qas_const *k)
{
	s8 code = mul ? it->mul : it->add;
	u8 op, cond;
	u32 i;

	e->col = it->col;
	if (code < 0)
		return bad(e, "the %s cannot do that", mul ? "multiplier" : "adder");
	op = (u8)code;
	if (k)
		op = (u8)k->op;
	else if (it->kind == QAS_I_MOV && mov_op(e, it, mul, &op))
		return -EINVAL;
	if (mul)
		e->x.op_mul = op;
	else
		e->x.op_add = op;
	if (it->setf)
		e->x.sf = 1;
	if (item_cond(e, it, 0, &cond))
		return -EINVAL;
	if (it->ndst && enc_dest(e, &it->dst[0], cond, mul, it->setf, it->pack,
				 it->kind != QAS_I_MOV && float_result(mul, op)))
		return -EINVAL;
	if (k)
		return enc_const(e, k, mul);
	for (i = 0; i < it->nsrc; i++)
		if (enc_operand(e, it, i, 2 * mul + i))
			return -EINVAL;
	/* Single-source operations repeat the operand. */
	if (it->nsrc == 1) {
		e->x.mux[2 * mul + 1] = e->x.mux[2 * mul];
		e->either[2 * mul + 1] = e->either[2 * mul];
		e->addr[2 * mul + 1] = e->addr[2 * mul];
	}
	return 0;
}

static int enc_read(struct enc *e, const struct qas_item *it)
{
	const struct qas_val *v = &it->src[0];
	u32 bits;

	e->col = it->col;
	if (v->type != QAS_REG) {
		if (!qas_bits(v, &bits) || qas_small(bits) < 0)
			return bad(e, "read takes a register or a small immediate");
		return use_imm(e, bits);
	}
	if (v->is_acc || !(v->use & (QPU_REG_RA | QPU_REG_RB)))
		return bad(e, "read takes a register of a file");
	if (!(v->use & QPU_REG_RB))
		return use_file(e, false, v->addr);
	if (!(v->use & QPU_REG_RA))
		return use_file(e, true, v->addr);
	if (e->nreads == ARRAY_SIZE(e->reads))
		return bad(e, "too many reads");
	e->reads[e->nreads++] = v->addr;
	return 0;
}

static int enc_signal(struct enc *e, const struct qas_item *it)
{
	e->col = it->col;
	if (e->x.sig != QPU_SIG_NONE)
		return bad(e, "an instruction has one signal");
	e->x.sig = it->sig;
	return 0;
}

/* ---- remaining fields of the word ---- */

/* File of a register that both have. */
static int choose_file(struct enc *e, u8 addr, bool *file_b)
{
	bool b_free = !e->has_imm && !e->rot;

	*file_b = false;
	if (e->ra == addr || e->ra < 0) {
		e->ra = addr;
		return 0;
	}
	*file_b = true;
	if (b_free && (e->rb == addr || e->rb < 0)) {
		e->rb = addr;
		return 0;
	}
	return bad(e, "no register file is free to read address %u", addr);
}

static int choose_files(struct enc *e)
{
	bool file_b;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (!e->either[i])
			continue;
		if (choose_file(e, e->addr[i], &file_b))
			return -EINVAL;
		e->x.mux[i] = file_b ? QPU_MUX_B : QPU_MUX_A;
		if (!file_b && enc_unpack(e, 0, false))
			return -EINVAL;
	}
	for (i = 0; i < e->nreads; i++)
		if (choose_file(e, e->reads[i], &file_b))
			return -EINVAL;
	return 0;
}

static int finish_imm(struct enc *e)
{
	int code = e->has_imm ? qas_small(e->imm) : -1;

	if (e->rot) {
		if (e->has_imm && e->imm != qpu_small_imm(47U + e->rot))
			return bad(e, "a small immediate beside this rotation must be %d",
				   (int)qpu_small_imm(47U + e->rot));
		code = 47 + e->rot;
	}
	if (code < 0)
		return 0;
	if (e->x.sig != QPU_SIG_NONE)
		return bad(e, "a signal excludes small immediates and rotation");
	if (e->rb >= 0)
		return bad(e, "a small immediate takes the place of register file B");
	e->x.sig = QPU_SIG_SMI;
	e->rb = (s16)code;
	return 0;
}

static int finish(struct enc *e)
{
	u8 unpack = 0;

	if (choose_files(e) || finish_imm(e))
		return -EINVAL;
	if (e->unpack_a > 1 && e->unpack_4 > 1)
		return bad(e, "file A and r4 cannot both be unpacked");
	if (e->unpack_a > 1)
		unpack = e->unpack_a - 1;
	if (e->unpack_4 > 1)
		unpack = e->unpack_4 - 1;
	e->x.unpack = unpack;
	e->x.pm = e->pm > 0;
	e->x.ws = e->ws > 0;
	e->x.raddr_a = e->ra < 0 ? QPU_R_NOP : (u8)e->ra;
	e->x.raddr_b = e->rb < 0 ? QPU_R_NOP : (u8)e->rb;
	return 0;
}

/* ---- ALU words ---- */

/**
 * struct alu - parts of an ALU word
 * @it: parts for the ALUs
 * @n: parts in @it
 * @other: signals and reads
 * @nother: number of @other
 */
struct alu {
	const struct qas_item *it[2];
	u32 n;
	const struct qas_item *other[QAS_MAX_ITEMS];
	u32 nother;
};

static bool is_const_mov(const struct qas_item *it)
{
	return it->kind == QAS_I_MOV && it->src[0].type != QAS_REG;
}

/* Constants of ALU parts, as they would be on each ALU. */
struct ways {
	struct qas_const k[MAX_CONSTS];
	u32 n;
	bool is_const;
};

static void find_ways(const struct qas_item *it, bool mul, struct ways *w)
{
	u32 bits;

	w->is_const = is_const_mov(it);
	w->n = 1;
	if (!w->is_const)
		return;
	w->n = 0;
	/* Labels may move: always the same form. */
	if (!it->src[0].dep && qas_bits(&it->src[0], &bits))
		w->n = qas_consts(bits, mul, w->k, MAX_CONSTS);
}

/* Does part @i go to the multiplier? */
static bool on_mul(u32 i, bool swap)
{
	return swap ? !i : i;
}

static int attempt(struct enc *e, const struct alu *a, bool swap, const struct qas_const **k)
{
	bool flags = false;
	u32 i;

	for (i = 0; i < a->n; i++) {
		if (enc_alu(e, a->it[i], on_mul(i, swap), k[i]))
			return -EINVAL;
		flags |= a->it[i]->setf && on_mul(i, swap);
	}
	if (flags && e->x.op_add != QPU_A_NOP)
		return bad(e, "flags come from the adder if it does anything");
	for (i = 0; i < a->nother; i++)
		if (a->other[i]->kind == QAS_I_READ ? enc_read(e, a->other[i]) :
						     enc_signal(e, a->other[i]))
			return -EINVAL;
	return finish(e);
}

/* Try all constants in one order of the ALUs. */
static int order(struct qas *as, const struct alu *a, bool swap, struct enc *e)
{
	const struct qas_const *k[2] = { NULL, NULL };
	struct ways w[2] = { { .n = 1 }, { .n = 1 } };
	struct enc try;
	u32 i, j;
	int ret = -ENOENT;

	for (i = 0; i < a->n; i++)
		find_ways(a->it[i], on_mul(i, swap), &w[i]);
	for (i = 0; i < w[0].n && ret; i++) {
		for (j = 0; j < w[1].n && ret; j++) {
			k[0] = w[0].is_const ? &w[0].k[i] : NULL;
			k[1] = w[1].is_const ? &w[1].k[j] : NULL;
			enc_init(&try, as);
			as->steps += 4;
			ret = attempt(&try, a, swap, k);
			if (!ret || !e->err[0])
				*e = try;
		}
	}
	if (ret && !e->err[0])
		bad(e, "constant needs a load immediate of its own");
	return ret;
}

/* Does each part have an operation on the ALU that it would get? */
static bool feasible(const struct alu *a, bool swap)
{
	u32 i;

	for (i = 0; i < a->n; i++)
		if ((on_mul(i, swap) ? a->it[i]->mul : a->it[i]->add) < 0)
			return false;
	return true;
}

static int encode_ldi(struct qas *as, const struct qas_item *it, struct enc *e);

static bool same_value(const struct qas_val *a, const struct qas_val *b)
{
	u32 x, y;

	if (a->type == QAS_ELEM || a->type == QAS_SEMA)
		return a->type == b->type && a->i == b->i;
	return qas_bits(a, &x) && qas_bits(b, &y) && x == y;
}

/* Movs of a single constant: encode a load immediate. */
static int encode_movs(struct qas *as, const struct alu *a, struct enc *e)
{
	struct qas_item it;

	if (!a->n || a->nother || !is_const_mov(a->it[0]))
		return -ENOENT;
	it = *a->it[0];
	it.kind = QAS_I_LDI;
	it.form = 0xff;
	if (a->n == 2) {
		if (!is_const_mov(a->it[1]) || a->it[1]->ndst > 1 || it.ndst > 1 ||
		    a->it[1]->pack || it.pack || !same_value(&it.src[0], &a->it[1]->src[0]))
			return -ENOENT;
		it.dst[1] = a->it[1]->dst[0];
		it.dst_cond[0] = it.cond ? it.cond : it.dst_cond[0];
		it.dst_cond[1] = a->it[1]->cond ? a->it[1]->cond : a->it[1]->dst_cond[0];
		it.cond = 0;
		it.setf |= a->it[1]->setf;
		it.ndst = 2;
	}
	return encode_ldi(as, &it, e);
}

/* mov with two destinations: one for each ALU. */
static int split_mov(struct alu *a, struct qas_item *copy)
{
	if (a->n != 1 || a->it[0]->kind != QAS_I_MOV || a->it[0]->ndst != 2)
		return 0;
	copy[0] = *a->it[0];
	copy[1] = *a->it[0];
	copy[0].ndst = 1;
	copy[1].ndst = 1;
	copy[1].dst[0] = copy[0].dst[1];
	copy[1].dst_cond[0] = copy[0].dst_cond[1];
	copy[1].setf = false;
	a->it[0] = &copy[0];
	a->it[1] = &copy[1];
	a->n = 2;
	return 0;
}

static bool is_sema_or_list(const struct qas_item *it)
{
	return it->kind == QAS_I_MOV &&
	       (it->src[0].type == QAS_SEMA || it->src[0].type == QAS_ELEM);
}

static int encode_alu(struct qas *as, const struct qas_item *items, u32 n, struct enc *e)
{
	struct qas_item copy[2];
	struct alu a = { .n = 0 };
	struct enc first;
	u32 i;

	for (i = 0; i < n; i++) {
		bool alu = items[i].kind == QAS_I_ALU || items[i].kind == QAS_I_MOV ||
			   items[i].kind == QAS_I_NOP;

		if (items[i].kind == QAS_I_ENC)
			continue;
		e->col = items[i].col;
		if (alu && a.n == 2)
			return bad(e, "there are two ALUs");
		if (alu)
			a.it[a.n++] = &items[i];
		else
			a.other[a.nother++] = &items[i];
	}
	split_mov(&a, copy);
	if (a.n == 1 && !a.nother && is_const_mov(a.it[0]))
		return encode_movs(as, &a, e);
	for (i = 0; i < a.n; i++)
		if (is_sema_or_list(a.it[i]))
			return encode_movs(as, &a, e) == -ENOENT ?
			       bad(e, "semaphores and lists take an instruction of their own") : 0;
	if ((feasible(&a, false) || !feasible(&a, true)) && !order(as, &a, false, e))
		return 0;
	first = *e;
	if (a.n && feasible(&a, true) && !order(as, &a, true, e))
		return 0;
	if (!first.err[0])
		first = *e;
	enc_init(e, as);
	if (!encode_movs(as, &a, e))
		return 0;
	*e = first;
	return -EINVAL;
}

/* ---- load immediate ---- */

static int ldi_value(struct enc *e, const struct qas_item *it)
{
	const struct qas_val *v = &it->src[0];
	u8 form = it->form;
	u32 bits;

	if (form == 0xff)
		form = v->type == QAS_SEMA ? QPU_LDI_SEMA : v->type != QAS_ELEM ? QPU_LDI_32 :
		       v->is_signed ? QPU_LDI_ELEM_S : QPU_LDI_ELEM_U;
	e->x.unpack = form;
	if (v->type == QAS_SEMA || v->type == QAS_ELEM) {
		e->x.imm = (u32)v->i;
		return 0;
	}
	if (!qas_bits(v, &bits))
		return bad(e, v->type == QAS_REG ? "expected a constant" :
			   "the number does not fit 32 bits");
	e->x.imm = bits;
	/* A numeric operand: the mnemonic decides bit 4. */
	if (form == QPU_LDI_SEMA)
		e->x.imm = (bits & ~0x10U) | (it->add > 0 ? 0x10 : 0);
	return 0;
}

static int encode_ldi(struct qas *as, const struct qas_item *it, struct enc *e)
{
	const struct qas_val *d = &it->dst[0];
	u8 sfx, cond;
	bool mul;

	enc_init(e, as);
	e->col = it->col;
	e->x.sig = QPU_SIG_LDI;
	e->x.sf = it->setf;
	if (ldi_value(e, it) || item_cond(e, it, 0, &cond))
		return -EINVAL;
	sfx = d->sfx ? d->sfx : it->pack;
	/* Modes that only the multiplier has move a single destination there. */
	mul = it->ndst == 1 && sfx && qas_suffixes[sfx - 1].mul &&
	      (!qas_suffixes[sfx - 1].pack || d->addr >= 32);
	if (enc_dest(e, d, cond, mul, it->setf, it->pack, false))
		return -EINVAL;
	if (it->ndst > 1 &&
	    (item_cond(e, it, 1, &cond) ||
	     enc_dest(e, &it->dst[1], cond, true, false, it->pack, false)))
		return -EINVAL;
	if (e->rot)
		return bad(e, "only the multiplier rotates");
	e->x.pm = e->pm > 0;
	e->x.ws = e->ws > 0;
	return 0;
}

/* ---- branch ---- */

static int branch_target(struct enc *e, const struct qas_item *it, const struct qas_val *v,
			 struct qas_slot *slot, bool *have)
{
	u32 bits;

	if (v->type == QAS_REG) {
		if (v->is_acc || !(v->use & QPU_REG_RA) || v->addr > 31 || v->sfx || v->rot)
			return bad(e, "a branch goes to a register of file A");
		if (e->x.br_reg)
			return bad(e, "a branch adds one register");
		e->x.br_reg = 1;
		e->x.br_raddr = v->addr;
		return 0;
	}
	if (*have)
		return bad(e, "a branch adds one number");
	if (!qas_bits(v, &bits))
		return bad(e, "expected a target");
	*have = true;
	e->x.imm = bits;
	slot->is_rel = it->rel && v->labels > 0;
	slot->target = v->i;
	return 0;
}

static int encode_branch(struct qas *as, const struct qas_item *it, struct enc *e,
			 struct qas_slot *slot)
{
	bool have = false;
	u32 i;

	enc_init(e, as);
	e->col = it->col;
	e->x.sig = QPU_SIG_BRANCH;
	e->x.br_cond = it->br_cond;
	e->x.br_rel = it->rel;
	for (i = 0; i < it->ndst; i++) {
		if (it->dst_cond[i] || it->dst[i].sfx)
			return bad(e, "destinations of a branch have no conditions or modes");
		if (enc_dest(e, &it->dst[i], 0, i, false, 0, false))
			return -EINVAL;
	}
	/* The second operand of "-, 0" style operands is ignored. */
	for (i = 0; i < it->nsrc; i++) {
		const struct qas_val *v = &it->src[i];

		if (it->nsrc == 2 && !i && v->type == QAS_INT && !v->i && !v->dep)
			continue;
		if (branch_target(e, it, v, slot, &have))
			return -EINVAL;
	}
	e->x.ws = e->ws > 0;
	return 0;
}

/* ---- */

static int encode(struct qas *as, const struct qas_item *items, u32 n, struct enc *e,
		  struct qas_slot *slot)
{
	const struct qas_item *alone = NULL;
	u32 i, parts = 0;

	for (i = 0; i < n; i++) {
		if (items[i].kind == QAS_I_LDI || items[i].kind == QAS_I_BRANCH)
			alone = &items[i];
		parts += items[i].kind != QAS_I_ENC;
	}
	if (!alone)
		return encode_alu(as, items, n, e);
	e->col = alone->col;
	if (parts > 1)
		return bad(e, "load immediates, semaphores and branches stand alone");
	return alone->kind == QAS_I_LDI ? encode_ldi(as, alone, e) :
	       encode_branch(as, alone, e, slot);
}

/* Make the word of an instruction. */
int qas_encode(struct qas *as, const struct qas_item *items, u32 n, struct qas_slot *slot)
{
	struct enc e;
	u32 i;

	enc_init(&e, as);
	slot->is_rel = false;
	if (encode(as, items, n, &e, slot))
		return qas_error(as, e.err_col ? e.err_col : items[0].col, "%s",
				 e.err[0] ? e.err : "the parts do not fit one instruction");
	for (i = 0; i < n; i++)
		if (items[i].kind == QAS_I_ENC)
			*((u8 *)&e.x + items[i].field->offset) = (u8)items[i].src[0].i;
	slot->word = qpu_encode(&e.x);
	return 0;
}
