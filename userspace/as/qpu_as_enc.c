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
 * struct unpacking - unpacked operands of file A or of r4
 * @mode: unpack mode, 0: none
 * @with: ALUs, as bits, with operands that ask for it
 * @without: ALUs with operands that do not
 * @floats: ALUs in @with that take floats
 * @fixed: a suffix says integer or float
 *
 * The hardware has one mode for all operands of the file.
 */
struct unpacking {
	u8 mode;
	u8 with;
	u8 without;
	u8 floats;
	bool fixed;
};

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
 * @rot_full: it is of r0 to r3, or of the result: across groups of four elements
 * @pm: pack mode select, -1: not decided
 * @unpack: unpack mode of operands in file A and in r4, see struct unpacking
 * @idle: unpack mode of a part without an operand for it
 * @either: operands in a register of both files: mux[i] is still unset
 * @addr: its address
 * @reads: registers of both files that are only read
 * @nreads: number of @reads
 * @col: of the part at hand
 * @err: error message
 * @err_col: where
 * @warn: warning
 * @warn_col: where
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
	bool rot_full;
	s8 pm;
	struct unpacking unpack[2];
	u8 idle;
	bool either[4];
	u8 addr[4];
	u8 reads[4];
	u32 nreads;
	u32 col;
	char err[120];
	u32 err_col;
	const char *warn;
	u32 warn_col;
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

static void enc_warn(struct enc *e, const char *text)
{
	if (e->warn)
		return;
	e->warn = text;
	e->warn_col = e->col;
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

/* Of operands other than r0 to r3 only the rotation within groups of four counts. */
static bool same_rotation(const struct enc *e, const struct qas_val *v, bool full)
{
	if (e->rot == v->rot)
		return true;
	return e->rot > 1 && v->rot > 1 && !((e->rot - v->rot) & 3) && !(e->rot_full && full);
}

static int enc_rotate(struct enc *e, const struct qas_val *v, bool mul, bool full)
{
	if (!v->rot)
		return 0;
	if (!mul)
		return bad(e, "only the multiplier rotates");
	if (e->rot && !same_rotation(e, v, full))
		return bad(e, "different rotations");
	if (!e->rot || full)
		e->rot = v->rot;
	e->rot_full |= full;
	return 0;
}

/* ---- destinations ---- */

/* Can a result be written there through file A, so that its pack modes apply? */
static bool in_file_a(const struct qas_val *v)
{
	return v->addr < 32 && (v->use & QPU_REG_WA);
}

/* Does a suffix select a mode of the multiplier for a result of it? */
static bool packs_in_mul(const struct enc *e, const struct qas_val *v, u8 sfx)
{
	const struct qas_suffix *s = &qas_suffixes[sfx - 1];

	return s->mul && (!s->pack || !in_file_a(v) || e->pm == 1);
}

/* File A packs to 16 bits as the operation's result is: an integer or a float. */
static int check_pack16(struct enc *e, const struct qas_suffix *s, bool is_float)
{
	if ((s->pack & 7) > 2 || !s->kind || (s->kind == 'f') == is_float)
		return 0;
	return bad(e, "%s packs results of operations on %s only", s->name,
		   is_float ? "integers" : "floats");
}

/*
 * Pack mode of a destination. Byte modes exist in file A, where they pack integers, and in
 * the multiplier, where they convert floats. The suffixes i and f tell them apart; without
 * one file A is preferred.
 */
static int enc_pack(struct enc *e, const struct qas_val *v, u8 sfx, bool mul, bool is_float)
{
	const struct qas_suffix *s = &qas_suffixes[sfx - 1];

	if (!s->pack && !s->mul)
		return qas_eq((struct qas_str){ s->name, 2 }, "32") ? 0 :
		       bad(e, "%s is no pack mode", s->name);
	if (e->x.pack)
		return bad(e, "only one result can be packed");
	if (mul && packs_in_mul(e, v, sfx)) {
		e->x.pack = s->mul;
		return set_pm(e, 1);
	}
	if (!s->pack)
		return bad(e, "%s packs results of the multiplier only", s->name);
	if (!in_file_a(v))
		return bad(e, s->mul ? "packing into that register takes the multiplier" :
			   "%s packs into registers of file A only", s->name);
	if (e->x.sig != QPU_SIG_LDI && check_pack16(e, s, is_float))
		return -EINVAL;
	if (is_float && s->mul)
		enc_warn(e, "file A packs the bits of the float as an integer; the suffix f converts it");
	e->x.pack = s->pack;
	return set_pm(e, 0) || set_ws(e, mul) ? -EINVAL : 0;
}

static int enc_dest(struct enc *e, const struct qas_val *v, u8 cond, bool mul, bool flags,
		    u8 pack, bool is_float)
{
	u8 sfx = v->sfx ? v->sfx : pack;

	if (enc_rotate(e, v, mul, true))
		return -EINVAL;
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

/* An operand of ALU @mul, in file A or r4, with unpack mode @mode or none. */
static int enc_unpack(struct enc *e, u8 mode, bool r4, bool mul)
{
	struct unpacking *u = &e->unpack[r4];

	if (!mode) {
		u->without |= BIT(mul);
		return 0;
	}
	if (u->mode && u->mode != mode)
		return bad(e, "operands of %s are unpacked in one way only", r4 ? "r4" : "file A");
	u->mode = mode;
	u->with |= BIT(mul);
	return set_pm(e, r4);
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

static bool is_r4(const struct qas_val *v)
{
	return v->type == QAS_REG && v->is_acc && v->addr == QPU_MUX_R4;
}

static bool in_general_a(const struct qas_val *v)
{
	return v->type == QAS_REG && !v->is_acc && v->addr < 32 && (v->use & QPU_REG_RA);
}

static bool float_input(bool mul, u8 op)
{
	return mul ? op == QPU_M_FMUL : op >= QPU_A_FADD && op <= QPU_A_FTOI;
}

/*
 * Can an operand be unpacked as a suffix says? File A gives what the operation takes, r4
 * always a float. Copying all bytes of 8dr is the same for both.
 */
static bool unpacks(const struct qas_suffix *s, bool r4, bool is_float)
{
	if (!s->kind || s->unpack == 3)
		return true;
	return (s->kind == 'f') == (r4 || is_float);
}

/* Unpack mode of an operand in file A or r4, from its own suffix or the part's. */
static int source_unpack(struct enc *e, const struct qas_val *v, u8 sfx, bool mul, u8 *mode)
{
	bool r4 = is_r4(v), is_float = float_input(mul, mul ? e->x.op_mul : e->x.op_add);
	const struct qas_suffix *s;

	*mode = 0;
	if (!v->sfx && !sfx)
		return 0;
	s = &qas_suffixes[(v->sfx ? v->sfx : sfx) - 1];
	*mode = s->unpack;
	if (!*mode)
		return qas_eq((struct qas_str){ s->name, (u32)strlen(s->name) }, "32") ? 0 :
		       bad(e, "%s is no unpack mode", s->name);
	if (!unpacks(s, r4, is_float))
		return r4 ? bad(e, "r4 is unpacked to floats only") :
		       bad(e, "%s takes an operation on %s", s->name,
			   is_float ? "integers" : "floats");
	if (!r4 && is_float)
		e->unpack[0].floats |= BIT(mul);
	e->unpack[r4].fixed |= s->kind != 0;
	return 0;
}

static int use_b(struct enc *e, u32 i, u8 addr)
{
	e->x.mux[i] = QPU_MUX_B;
	return use_file(e, true, addr);
}

static int enc_source(struct enc *e, const struct qas_val *v, u32 i, u8 sfx)
{
	bool r4 = is_r4(v), mul = i >= 2;
	u8 mode = 0;

	if (v->type != QAS_REG)
		return enc_number(e, v, i);
	if (enc_rotate(e, v, mul, v->is_acc && v->addr < QPU_MUX_R4))
		return -EINVAL;
	if ((r4 || (!v->is_acc && (v->use & QPU_REG_RA))) &&
	    source_unpack(e, v, sfx, mul, &mode))
		return -EINVAL;
	if (v->is_acc) {
		e->x.mux[i] = v->addr;
		if (r4)
			return enc_unpack(e, mode, true, mul);
		return v->sfx ? bad(e, "only file A and r4 can be unpacked") : 0;
	}
	if (!(v->use & (QPU_REG_RA | QPU_REG_RB)))
		return bad(e, "register cannot be read");
	if (!(v->use & QPU_REG_RA))
		return v->sfx ? bad(e, "only file A and r4 can be unpacked") :
		       use_b(e, i, v->addr);
	if (!(v->use & QPU_REG_RB) || mode) {
		e->x.mux[i] = QPU_MUX_A;
		return enc_unpack(e, mode, false, mul) ? -EINVAL : use_file(e, false, v->addr);
	}
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
 * An unpack mode of the whole part applies to the operands that can be unpacked so: those
 * in file A or r4, not both.
 */
static int part_unpack(struct enc *e, const struct qas_item *it, bool mul, bool *r4)
{
	bool is_float = float_input(mul, mul ? e->x.op_mul : e->x.op_add);
	bool found[2] = { false, false };
	const struct qas_suffix *s;
	u32 i;

	if (!it->unpack)
		return 0;
	s = &qas_suffixes[it->unpack - 1];
	if (!s->unpack)
		return 0;
	for (i = 0; i < it->nsrc; i++) {
		*r4 = is_r4(&it->src[i]);
		if ((*r4 || in_general_a(&it->src[i])) && unpacks(s, *r4, is_float))
			found[*r4] = true;
	}
	*r4 = found[1];
	if (found[0] && found[1])
		return bad(e, "%s can apply to the operand in file A and to r4: write it at one",
			   s->name);
	if (!found[0] && !found[1]) {
		enc_warn(e, "the unpack mode applies to no operand");
		e->idle = s->unpack;
	}
	return 0;
}

static int enc_operands(struct enc *e, const struct qas_item *it, bool mul)
{
	bool r4 = false;
	u32 k;

	if (part_unpack(e, it, mul, &r4))
		return -EINVAL;
	for (k = 0; k < it->nsrc; k++) {
		struct qas_val v = it->src[k];
		u8 sfx = it->unpack && !e->idle &&
			 (r4 ? is_r4(&v) : in_general_a(&v)) ? it->unpack : 0;

		if (v.sfx && sfx)
			return bad(e, "two unpack modes");
		if (k == 1 && !mul && it->kind == QAS_I_ALU)
			other_number(e, it, &v);
		if (enc_source(e, &v, 2 * mul + k, sfx))
			return -EINVAL;
	}
	return 0;
}

/* ---- parts ---- */

static bool float_result(bool mul, u8 op)
{
	return mul ? op == QPU_M_FMUL : (op >= QPU_A_FADD && op <= QPU_A_FMAXABS) ||
					 op == QPU_A_ITOF;
}

/* Unpacking file A to floats, and packing floats in it, takes an operation on floats. */
static bool wants_float(const struct qas_item *it)
{
	u8 s = it->src[0].sfx ? it->src[0].sfx : it->unpack;
	u8 p = it->dst[0].sfx ? it->dst[0].sfx : it->pack;

	return (s && in_general_a(&it->src[0]) && qas_suffixes[s - 1].kind == 'f') ||
	       (p && qas_suffixes[p - 1].kind == 'f' && qas_suffixes[p - 1].pack);
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

/* Pack mode of a synthesized constant. */
static int const_pack(struct enc *e, const struct qas_item *it, const struct qas_const *k,
		      bool mul)
{
	if (!k->pack)
		return 0;
	if (e->x.pack || (!k->pm && (it->setf || !in_file_a(&it->dst[0]))))
		return bad(e, "the constant takes a pack mode of its own");
	e->x.pack = k->pack;
	return set_pm(e, k->pm) || (!k->pm && set_ws(e, mul)) ? -EINVAL : 0;
}

static int enc_const(struct enc *e, const struct qas_item *it, const struct qas_const *k,
		     bool mul)
{
	e->x.mux[2 * mul] = QPU_MUX_B;
	e->x.mux[2 * mul + 1] = QPU_MUX_B;
	if (const_pack(e, it, k, mul))
		return -EINVAL;
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
				 float_result(mul, op)))
		return -EINVAL;
	if (k)
		return enc_const(e, it, k, mul);
	if (enc_operands(e, it, mul))
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
		if (!file_b)
			enc_unpack(e, 0, false, i >= 2);
	}
	for (i = 0; i < e->nreads; i++)
		if (choose_file(e, e->reads[i], &file_b))
			return -EINVAL;
	return 0;
}

static int finish_imm(struct enc *e)
{
	int code = e->has_imm ? qas_small(e->imm) : -1;

	if (e->rot && !e->rot_full && e->rot > 1 && code > 16 && code < 32 &&
	    !((code - 15 - e->rot) & 3))
		e->rot = (u8)(code - 15);
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

/* The unpack mode of the word, which applies to all operands of file A or r4. */
static int finish_unpack(struct enc *e)
{
	const struct unpacking *u = &e->unpack[e->pm > 0];

	e->x.unpack = u->mode ? u->mode : e->idle;
	if (!e->x.unpack)
		return 0;
	if (u->without & ~u->with)
		return bad(e, u->mode ?
			   "the unpack mode of one operation also applies to the other's operand" :
			   "the operation does not take what the unpack mode gives");
	if (u->without)
		enc_warn(e, "the unpack mode also applies to the other operand");
	if (u->with != 3 || u->mode == 3 || !u->floats || u->floats == 3)
		return 0;
	if (u->fixed)
		return bad(e, "file A is unpacked for integers or floats, not for both");
	enc_warn(e, "one operation unpacks file A to integers, the other one to floats");
	return 0;
}

static int finish(struct enc *e)
{
	if (choose_files(e) || finish_imm(e) || finish_unpack(e))
		return -EINVAL;
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

/* Operations with one name for both ALUs are the multiplier's, unless that is in use. */
static bool usually_mul(const struct qas_item *it)
{
	return it->mul >= 0 && (it->add < 0 || it->kind == QAS_I_ALU);
}

/* Does the second part make the first one change the ALU when it already has its operands? */
static bool second_swaps(const struct enc *e, const struct alu *a)
{
	const struct qas_item *it = a->it[1];

	if (usually_mul(a->it[0]))
		return true;
	return it->kind == QAS_I_MOV && (it->setf || is_const_mov(it)) && !e->rot &&
	       !(e->x.pm && e->x.pack);
}

/*
 * Fields without an effect as vc4asm leaves them: the write swap, where both destinations
 * are in both files, after the ALUs were swapped; the conditions of an idle multiplier
 * beside a constant, and of an idle adder if the flags are set.
 */
static void like_vc4asm(struct enc *e, const struct alu *a, bool swap, const struct qas_const *k)
{
	bool add = false;
	u32 i;

	for (i = 0; i < a->n; i++)
		add |= !on_mul(i, swap) && a->it[i]->ndst;
	if (e->x.sf && !add)
		e->x.cond_add = QPU_COND_ALWAYS;
	if (e->ws < 0 && a->n == 2 && on_mul(0, swap) != usually_mul(a->it[0]))
		e->ws = second_swaps(e, a);
	if (k && a->n == 1 && !swap && (k->imm == 0xff || !e->x.sf))
		e->x.cond_mul = QPU_COND_ALWAYS;
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
	like_vc4asm(e, a, swap, k[0]);
	return finish(e);
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

/**
 * struct search - ways to encode the parts of an ALU word
 * @as: the assembler
 * @a: the parts
 * @w: ways to make their constants, of each part on each ALU
 * @e: the encoding, or the first error
 */
struct search {
	struct qas *as;
	const struct alu *a;
	struct ways w[2][2];
	struct enc *e;
};

/*
 * Try the way @i of the first part with all ways of the second one. With @imm, only if it
 * takes the same small immediate.
 */
static int search_second(struct search *s, bool swap, u32 i, const u8 *imm)
{
	const struct ways *first = &s->w[0][on_mul(0, swap)], *w = &s->w[1][on_mul(1, swap)];
	const struct qas_const *k[2] = { NULL, NULL };
	u32 j, n = s->a->n > 1 ? w->n : 1;
	struct enc try;

	if (first->is_const)
		k[0] = &first->k[i];
	if (imm && k[0] && k[0]->imm != *imm)
		return -ENOENT;
	for (j = 0; j < n; j++) {
		k[1] = s->a->n > 1 && w->is_const ? &w->k[j] : NULL;
		enc_init(&try, s->as);
		s->as->steps += 4;
		if (!attempt(&try, s->a, swap, k)) {
			*s->e = try;
			return 0;
		}
		if (!s->e->err[0])
			*s->e = try;
	}
	return -ENOENT;
}

static int search_first(struct search *s, bool swap, const u8 *imm)
{
	u32 i;

	for (i = 0; i < s->w[0][on_mul(0, swap)].n; i++)
		if (!search_second(s, swap, i, imm))
			return 0;
	return -ENOENT;
}

/*
 * As vc4asm: the parts have the ALUs of their order, and the first way to make a constant.
 * If the second part does not fit, the ALUs are swapped. Other ways come last.
 */
static int search(struct search *s, bool swap)
{
	const struct ways *w = &s->w[0][on_mul(0, swap)];
	bool other = s->a->n && feasible(s->a, !swap);
	bool fits = feasible(s->a, swap);
	u32 i;

	if (!fits && !other)
		fits = true;	/* for the error */
	for (i = 0; i < w->n; i++) {
		if (fits && !search_second(s, swap, i, NULL))
			return 0;
		if (other && !search_first(s, !swap, w->is_const ? &w->k[i].imm : NULL))
			return 0;
	}
	return other ? search_first(s, !swap, NULL) : -ENOENT;
}

static int search_all(struct qas *as, const struct alu *a, struct enc *e)
{
	struct search s = { .as = as, .a = a, .e = e };
	u32 i;

	for (i = 0; i < 4; i++) {
		struct ways *w = &s.w[i / 2][i % 2];

		w->n = 1;
		if (i / 2 < a->n)
			find_ways(a->it[i / 2], i % 2, w);
	}
	return search(&s, a->n && usually_mul(a->it[0]));
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

/* NOPs beside a constant; returns whether a single part is left. */
static bool drop_nops(struct alu *a)
{
	if (a->n == 2 && a->it[1]->kind == QAS_I_NOP && !a->it[1]->ndst)
		a->n = 1;
	if (a->n == 2 && a->it[0]->kind == QAS_I_NOP && !a->it[0]->ndst &&
	    is_const_mov(a->it[1])) {
		a->it[0] = a->it[1];
		a->n = 1;
	}
	return a->n == 1;
}

/* A constant alone is a load immediate, but not one that sets flags and fits the adder. */
static bool takes_ldi(const struct alu *a)
{
	const struct qas_item *it = a->it[0];
	struct qas_const k;
	u32 bits;

	if (a->nother || !is_const_mov(it))
		return false;
	return !it->setf || it->ndst > 1 || it->src[0].dep || !qas_bits(&it->src[0], &bits) ||
	       !bits || it->src[0].type == QAS_ELEM || it->src[0].type == QAS_SEMA ||
	       !qas_consts(bits, it->add < 0, &k, 1);
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
	if (drop_nops(&a) && takes_ldi(&a))
		return encode_movs(as, &a, e);
	split_mov(&a, copy);
	for (i = 0; i < a.n; i++)
		if (is_sema_or_list(a.it[i]))
			return encode_movs(as, &a, e) == -ENOENT ?
			       bad(e, "semaphores and lists take an instruction of their own") : 0;
	if (!search_all(as, &a, e))
		return 0;
	first = *e;
	enc_init(e, as);
	if (!encode_movs(as, &a, e))
		return 0;
	*e = first;
	if (!e->err[0])
		bad(e, "constant needs a load immediate of its own");
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
	/* Modes of the multiplier move a single destination there. */
	mul = it->ndst == 1 && sfx && packs_in_mul(e, d, sfx);
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
	if (e.warn)
		qas_warn(as, e.warn_col, "%s", e.warn);
	for (i = 0; i < n; i++)
		if (items[i].kind == QAS_I_ENC)
			*((u8 *)&e.x + items[i].field->offset) = (u8)items[i].src[0].i;
	slot->word = qpu_encode(&e.x);
	return 0;
}
