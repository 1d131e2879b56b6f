/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internals of the Bifrost lowering.
 */
#ifndef BIFROST_LOWER_PRIV_H
#define BIFROST_LOWER_PRIV_H

#include "bifrost_lower.h"
#include "bifrost_verify.h"

/**
 * struct bl_val - a value: its operand and known properties
 * @s: micro-op operand
 * @is_const: the value is known at lowering time
 * @is_bool: if the word is not 0, its low half is not 0 either
 * @cmp: index of a comparison that is not emitted yet, plus 1; @s is undefined
 * @bits: value, if @is_const
 */
struct bl_val {
	u16 s;
	bool is_const;
	bool is_bool;
	u8 cmp;
	u32 bits;
};

/* Modifiers of the operation. */
enum bl_field {
	BL_NOTHING, BL_ABS, BL_NEG, BL_INV, BL_SEL, BL_SIGNED,	/* of a source */
	BL_CLAMP, BL_ROUND, BL_CMP, BL_TRUE, BL_MUX, BL_NAN, BL_SEG, BL_REGFMT, BL_COMPS,
	BL_SAMPLE, BL_EXTEND, BL_LANE, BL_OPC, BL_SQRT, BL_LOG, BL_MODE, BL_PRECISION,
	BL_DIVZERO, BL_SPECIAL, BL_ADJ, BL_OFFSET, BL_SAT, BL_MASK, BL_LANE_OP, BL_SUBGROUP,
	BL_INACTIVE, BL_LOD0, BL_UPDATE, BL_VARYING, BL_STENCIL, BL_Z, BL_FUNCTION, BL_NULL,
	BL_NOT, BL_IN_BYTES, BL_WORD, BL_COMBINE, BL_NUM_FIELDS
};

/* Rounding mode that SIMT lacks. */
#define BL_ROUND_ODD	8

/**
 * struct bl_mods - modifiers of an operation
 * @abs: mask of sources
 * @neg: mask of sources
 * @inv: mask of inverted sources
 * @is_signed: mask of sources
 * @sel: per source: name of the selected part, or NULL
 * @lane: name of the destination lane, or NULL
 * @v: by enum bl_field: values of the SIMT machine or of bifrost_ext.h where these exist
 */
struct bl_mods {
	u8 abs;
	u8 neg;
	u8 inv;
	u8 is_signed;
	const char *sel[4];
	const char *lane;
	u8 v[BL_NUM_FIELDS];
};

/* Read the modifiers. Return: false if one is undefined. */
bool bl_mods_read(const struct bi_op *op, u32 bits, struct bl_mods *m);

struct bl;

/* BL_EFFECT: has side effects. BL_PAIR: completes an operation of FMA. */
#define BL_EFFECT	0x01
#define BL_PAIR		0x02
#define BL_F32		0x04		/* binary32 result */
#define BL_F16		0x08		/* two binary16 results */

/**
 * struct bl_rule - lowering rule of an operation
 * @emit: emits micro-ops; -ENOEXEC with bl_unsupported()
 * @arg: argument of @emit
 * @flags: BL_EFFECT ...
 */
struct bl_rule {
	int (*emit)(struct bl *l, u32 arg);
	u32 arg;
	u32 flags;
};

/* Rule of an operation, or NULL. */
const struct bl_rule *bl_rule(const struct bi_op *op);

/**
 * struct bl_ins - operation of the clause
 * @op: table entry
 * @rule: lowering rule
 * @bits: encoding
 * @nsrc: number of sources
 * @code: source codes
 * @live: the operation is not dead
 * @readers: operations that read its result by forwarding, not through a register
 * @write: enum bi_port_op of the write of its result to @reg
 * @reg: see @write
 */
struct bl_ins {
	const struct bi_op *op;
	const struct bl_rule *rule;
	u32 bits;
	u8 nsrc;
	u8 code[4];
	bool live;
	u8 readers;
	u8 write;
	u8 reg;
};

#define BL_NOWHERE	(~0U)

#define BL_MAX_CMPS	(2 * BI_MAX_TUPLES)
#define BL_MAX_BACK	16		/* maximum BLENDs that may call */

/**
 * struct bl_order - position in the order of clauses; reset for each pass
 * @pos: next clause to lower, or BL_NOWHERE
 * @next: quad that follows the previous clause, or BL_NOWHERE
 * @after: successor of the current clause, or BL_NOWHERE
 * @skip: clause that shorten_branch() has made unreachable
 * @skip_to: quad that follows @skip
 * @td: discarded threads have ended
 */
struct bl_order {
	u32 pos;
	u32 next;
	u32 after;
	u32 skip;
	u32 skip_to;
	bool td;
};

/**
 * struct bl_clause - state of a clause
 * @v: decoded clause
 * @ins: its operations
 * @port: values of the read ports, per tuple
 * @cmp: comparisons that are not emitted yet
 * @ncmp: number of @cmp
 * @part: number of the next operation, not counting NOPs; only for debuggers
 * @save: next slot for old values of registers
 * @late: number of staging registers written at the end of the clause, from BI_SLOT_STAGE on
 * @late_reg: first of these registers
 * @branch: micro-op that ends the clause, SIMT_NUM_OPS: none
 * @branch_on: its condition
 * @goes: kind of its target
 * @target: quad
 * @calls: a blend program may be called, at the address in BI_SLOT_GO
 * @returns: this blend program returns to the address in BI_SLOT_GO
 */
struct bl_clause {
	struct bi_view v;
	struct bl_ins ins[BI_MAX_TUPLES][BI_NUM_UNITS];
	struct bl_val port[BI_MAX_TUPLES][3];
	struct simt_uop cmp[BL_MAX_CMPS];
	u32 ncmp;
	u32 part;
	u16 save;
	u32 late;
	u32 late_reg;
	u16 branch;
	struct bl_val branch_on;
	enum bi_goes goes;
	s64 target;
	bool calls;
	bool returns;
};

/**
 * struct bl_tuple - state of a tuple
 * @index: index in the clause
 * @prev: results of the previous tuple; they outlive this one, but not the clause
 * @cur: results of this tuple
 * @stage_val: staging registers that its message reads
 * @nstage: number of @stage_val
 * @pair: extra values that FMA passes to ADD
 * @atom: ATOM_C: operation, enum simt_atom; SIMT_NUM_ATOMS: none
 * @atom_flags: SIMT_ATOM_*
 * @atom_arg: operand, one word or two
 */
struct bl_tuple {
	u32 index;
	struct bl_val prev[BI_NUM_UNITS];
	struct bl_val cur[BI_NUM_UNITS];
	struct bl_val stage_val[8];
	u32 nstage;
	struct bl_val pair;
	u8 atom;
	u32 atom_flags;
	struct bl_val atom_arg[2];
};

/**
 * struct bl_oper - state of an operation
 * @unit: unit
 * @in: operation; NULL between operations
 * @m: modifiers
 * @dst_known: @res is set
 * @dst: slot for the result
 * @res: result
 */
struct bl_oper {
	enum bi_unit unit;
	const struct bl_ins *in;
	struct bl_mods m;
	bool dst_known;
	u16 dst;
	struct bl_val res;
};

/**
 * struct bl - state of an incremental lowering
 *
 * @f: steps, emission; @f.pos is the first quad of the clause
 *
 * Fixed:
 * @words: code
 * @nquads: its size
 * @entry: quad to start at
 * @parts: programs in @words
 * @nparts: number of @parts
 * @gpu: enum bi_gpu
 * @stage: stage
 * @fused: FMA.f32 rounds once
 * @keeps: registers are live when threads end
 * @debug: registers are live between operations, too
 *
 * Set by the walk over all clauses:
 * @walk: reachable clauses
 * @check: reject reason
 * @clauses: number of clauses
 * @targets: branch targets, a bit set of quads
 * @carries: a clause reads results of the previous one
 * @back: quads following BLENDs of the first part, where blend programs return to
 * @nback: number of @back
 * @live: register liveness by the clauses' quads, or NULL
 * @passes: passes over @live so far
 * @changed: this pass has changed @live
 *
 * Set by the first of two passes that lower all clauses; the second one emits:
 * @segments: offsets are converted to pointers
 * @npush: pairs of push uniforms used
 * @ends: branches to the end exist
 *
 * State of a pass, by lifetime:
 * @seq: order of clauses
 * @part: the part that the clause belongs to
 * @cl: clause
 * @t: tuple
 * @o: operation
 */
struct bl {
	struct simt_front f;

	const u32 *words;
	u32 nquads;
	u32 entry;
	struct bi_part parts[BI_MAX_PARTS];
	u32 nparts;
	enum bi_gpu gpu;
	enum vs_stage stage;
	bool fused;
	bool keeps;
	bool debug;

	struct bi_walk walk;
	struct bi_check check;
	u32 clauses;
	u64 *targets;
	bool carries;
	u32 back[BL_MAX_BACK];
	u32 nback;
	struct bl_live *live;
	u32 passes;
	bool changed;

	bool segments;
	u32 npush;
	bool ends;

	struct bl_order seq;
	const struct bi_part *part;
	struct bl_clause cl;
	struct bl_tuple t;
	struct bl_oper o;
};

#define BL_UOP(...) (&(struct simt_uop){ __VA_ARGS__ })

/* A macro: sparse takes the initialiser of a literal given to an inline function twice. */
#define bl_emit(l, u)	simt_front_emit(&(l)->f, u)

static inline struct bl_val bl_const(struct bl *l, u32 bits)
{
	return (struct bl_val){ .s = simt_front_const(&l->f, bits), .is_const = true,
				.bits = bits };
}

static inline struct bl_val bl_slot(u16 slot)
{
	return (struct bl_val){ .s = slot };
}

/* A slot for an intermediate value, free again with the next operation. */
static inline u16 bl_temp(struct bl *l)
{
	return simt_front_temps(&l->f, 1);
}

/* bifrost_lower_clause.c: lower clause @pos; @follows: the previous one falls through to it. */
int bl_clause(struct bl *l, u32 pos, bool follows);

/* bifrost_lower_op.c */
/* Lower the operation of unit @unit of the current tuple. */
int bl_op(struct bl *l, enum bi_unit unit);
/* Guest address of quad @pos of the clause's program. */
u64 bl_va(const struct bl *l, u32 pos);
/* The slot of the operation's result; only its last micro-op may write there. */
u16 bl_dst(struct bl *l);
/* Make an existing value the result, without a micro-op. */
void bl_result(struct bl *l, struct bl_val v);
int bl_unsupported(struct bl *l);
/* Operand @i as a word. */
struct bl_val bl_src(struct bl *l, u32 i);
/* Operand @i as a word or a comparison that is not emitted yet. */
struct bl_val bl_src_lazy(struct bl *l, u32 i);
/* Make this comparison the result; emitted unless the reader fuses it. @u->d is not set. */
void bl_compare(struct bl *l, const struct simt_uop *u);
/* Emit a deferred comparison. Return: the value in a slot. */
struct bl_val bl_force(struct bl *l, struct bl_val v);
/* Slot @slot is about to be written: give its later readers in the clause a copy. */
void bl_save(struct bl *l, u16 slot);
/*
 * Does a later operation of the clause use registers @reg .., or (with @own) does this one write
 * its result there?
 */
bool bl_used_later(const struct bl *l, u32 reg, u32 n, bool own);

/* bifrost_lower_live.c: allocate the liveness sets. Return: 0 or -ENOMEM. */
int bl_live_init(struct bl *l, struct simt_arena *arena);
u64 bl_live_bytes(u32 nquads);
void bl_live_clause(struct bl *l, const struct bi_view *v);
/* Compute liveness, once all clauses are recorded. */
int bl_live_find(struct bl *l, const u64 *seen, u32 *left);
/* Registers below the returned one must be zero-initialised. */
u32 bl_live_zero(const struct bl *l, u32 entry);
/* Drop the register writes of dead results of the clause. */
void bl_live_writes(struct bl *l);

/* bifrost_lower_src.c: operands with modifiers. */
/* Select bytes of a value by a PERM immediate. */
struct bl_val bl_perm(struct bl *l, struct bl_val v, u32 imm);
/* PERM immediate of a selection, for elements of @bytes bytes. */
u32 bl_sel_imm(const char *sel, u32 bytes, bool is_signed);
/* Make selected bytes of a value the result. */
void bl_perm_result(struct bl *l, struct bl_val v, u32 imm);
/* Operand as words, halves or bytes, with its selection applied. */
struct bl_val bl_int(struct bl *l, u32 i, u32 bytes, bool is_signed);
/* Operand widened to binary32; its sign stays a modifier. */
struct bl_val bl_f32(struct bl *l, u32 i);
/* Operand as two binary16; adds SIMT_SWZ() of operand @at to *@imm. */
struct bl_val bl_f16(struct bl *l, u32 i, u32 at, u32 *imm);
/* Widen a half of a value to binary32. */
struct bl_val bl_half(struct bl *l, struct bl_val v, u32 half);
/* Modifiers of source @i for operand @at of a micro-op. */
u16 bl_signs(const struct bl *l, u32 i, u32 at);
u16 bl_all_signs(const struct bl *l, u32 n);

/* Immediate @k of the operation. */
static inline u32 bl_imm(const struct bl *l, u32 k)
{
	return bi_bits(l->o.in->bits, l->o.in->op->imm[k].pos, l->o.in->op->imm[k].width);
}

/* Rule arguments: element size in bytes, signedness, and more. */
#define BL_BYTES(arg)	((arg) & 7)
#define BL_SIGN		0x08
#define BL_UNSIGN	0x10
#define BL_SUB		0x20
#define BL_OP(op)	((u32)(op) << 8)
#define BL_OP_OF(arg)	((arg) >> 8)

/* Shifts: direction, and the micro-op that follows (MOV: none). */
enum { BL_LEFT, BL_RIGHT, BL_ARITHMETIC };

#define BL_SHIFT(way, op) BL_OP((way) << 8 | (op))
#define BL_SHIFT_OF(arg) (BL_OP_OF(arg) >> 8)
#define BL_LOGIC_OF(arg) (BL_OP_OF(arg) & 0xff)

/* 64-bit shifts. */
enum { BL_WIDE_SHL, BL_WIDE_SHR, BL_WIDE_ASR, BL_WIDE_ROL, BL_WIDE_ROR };

#define BL_RULE_FN(name) int bl_##name(struct bl *l, u32 arg)

/* bifrost_lower_float.c */
BL_RULE_FN(fma32);
BL_RULE_FN(fma16);
BL_RULE_FN(fadd32);
BL_RULE_FN(fadd16);
BL_RULE_FN(fminmax32);
BL_RULE_FN(fminmax16);
BL_RULE_FN(fcmp32);
BL_RULE_FN(fcmp16);
BL_RULE_FN(fround32);
BL_RULE_FN(fround16);
BL_RULE_FN(quiet32);
BL_RULE_FN(quiet16);
BL_RULE_FN(rscale);
BL_RULE_FN(add_rscale);
BL_RULE_FN(lscale);
BL_RULE_FN(ldexp32);
BL_RULE_FN(ldexp16);
BL_RULE_FN(fn32);
BL_RULE_FN(fn16);
BL_RULE_FN(fexp);
BL_RULE_FN(table);
BL_RULE_FN(log_table);
BL_RULE_FN(frexp32);
BL_RULE_FN(frexp16);
BL_RULE_FN(cubeface1);
BL_RULE_FN(cubeface2);
BL_RULE_FN(cube_ssel);
BL_RULE_FN(cube_tsel);

/* bifrost_lower_word.c */
BL_RULE_FN(nop);
BL_RULE_FN(mov);
BL_RULE_FN(one);
BL_RULE_FN(clz);
BL_RULE_FN(iabs);
BL_RULE_FN(iadd);
BL_RULE_FN(hadd);
BL_RULE_FN(imul);
BL_RULE_FN(idp);
BL_RULE_FN(addc);
BL_RULE_FN(icmp);
BL_RULE_FN(csel);
BL_RULE_FN(csel16);
BL_RULE_FN(mux);
BL_RULE_FN(mux_packed);
BL_RULE_FN(shift);
BL_RULE_FN(mkvec16);
BL_RULE_FN(mkvec8);
BL_RULE_FN(swz);
BL_RULE_FN(shaddxl);
BL_RULE_FN(shaddxh);
BL_RULE_FN(seg_add);

/* bifrost_lower_conv.c */
BL_RULE_FN(extend);
BL_RULE_FN(f2i);
BL_RULE_FN(i2f);
BL_RULE_FN(h2f);
BL_RULE_FN(f2h);
BL_RULE_FN(h2i16);
BL_RULE_FN(i2h);

/* bifrost_lower_mem.c */
BL_RULE_FN(load);
BL_RULE_FN(store);
BL_RULE_FN(atom_c);
BL_RULE_FN(atom_c1);
BL_RULE_FN(atom_cx);
BL_RULE_FN(atom_post);
BL_RULE_FN(axchg);
BL_RULE_FN(acmpxchg);
/* Slots for @n staging registers that the message writes. */
u16 bl_stage_out(struct bl *l, u32 n);
/* Slots with @n staging registers that the message reads. */
u16 bl_stage_in(struct bl *l, u32 n);

/* bifrost_lower_msg.c */
BL_RULE_FN(attr);
BL_RULE_FN(ld_cvt);
BL_RULE_FN(st_cvt);
BL_RULE_FN(ld_var);
BL_RULE_FN(ld_var_flat);
BL_RULE_FN(ld_var_special);
BL_RULE_FN(texs);
BL_RULE_FN(texs_cube);
BL_RULE_FN(texc);
BL_RULE_FN(var_tex);
BL_RULE_FN(atest);
BL_RULE_FN(zs_emit);
BL_RULE_FN(blend);
BL_RULE_FN(discard);
BL_RULE_FN(barrier);
BL_RULE_FN(kaboom);
BL_RULE_FN(clper);
BL_RULE_FN(clper_old);
BL_RULE_FN(wmask);
BL_RULE_FN(jump);
BL_RULE_FN(branchz);
BL_RULE_FN(branch);
/* Branch at the end of the clause by micro-op @op: JMP, or BRNZ or BRZ by @on. */
int bl_take(struct bl *l, u32 op, struct bl_val on);

/* bifrost_lower_more.c */
BL_RULE_FN(shift_double);
BL_RULE_FN(logb32);
BL_RULE_FN(logb16);
BL_RULE_FN(branchc);
BL_RULE_FN(branch_diverg);
BL_RULE_FN(ld_gclk);

#endif /* BIFROST_LOWER_PRIV_H */
