/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard vertex processor (GP of Mali-200, 300, 400, 450): decoded instructions and tables.
 *
 * An instruction of 128 bits drives two adders, two multipliers, a pass-through and a
 * complex unit, one load from each of two register ports and from the uniforms, and two
 * store groups. Operands are loaded values and results of the last two instructions. Within
 * an instruction all loads come first, then the units execute in parallel, then results of
 * this instruction are stored.
 */
#ifndef UTGARD_GP_H
#define UTGARD_GP_H

#include "../isa.h"

#define UGP_WORDS		4	/* per instruction */
#define UGP_MAX_INSNS		512
#define UGP_MAX_ROWS		304	/* uniforms, constants and temporaries */
#define UGP_NUM_REGS		16
#define UGP_NUM_ATTRIBUTES	16
#define UGP_NUM_VARYINGS	16

/* Instructions until a register write is visible. */
#define UGP_REG_LATENCY		3
#define UGP_TEMP_LATENCY	4
#define UGP_ADDR_LATENCY	4	/* address registers 1 to 3; 0 has none */

/* Units, in the order of result indices in assembly. */
enum ugp_unit {
	UGP_ACC0, UGP_ACC1, UGP_MUL0, UGP_MUL1, UGP_PASS_UNIT, UGP_COMPLEX_UNIT, UGP_NUM_UNITS
};

/* Operation fields. */
enum ugp_class { UGP_ACC, UGP_MUL, UGP_PASS, UGP_COMPLEX, UGP_NUM_CLASSES };

/* Operand codes; codes of four components are followed by y, z, w. */
enum ugp_src_code {
	UGP_SRC_PORT0 = 0,		/* attribute or register */
	UGP_SRC_PORT1 = 4,		/* register */
	UGP_SRC_UNKNOWN = 8,		/* 8 to 11 */
	UGP_SRC_LOAD = 12,		/* uniform or temporary */
	UGP_SRC_P1_ACC0 = 16, UGP_SRC_P1_ACC1, UGP_SRC_P1_MUL0, UGP_SRC_P1_MUL1, UGP_SRC_P1_PASS,
	UGP_SRC_NONE,
	UGP_SRC_P1_COMPLEX,		/* second operand: neutral element */
	UGP_SRC_P2_PASS,
	UGP_SRC_P2_ACC0, UGP_SRC_P2_ACC1, UGP_SRC_P2_MUL0, UGP_SRC_P2_MUL1,
	UGP_SRC_PREV_PORT0 = 28		/* value of port 0 in the previous instruction */
};

/* Store source codes. */
enum ugp_store {
	UGP_STORE_ACC0, UGP_STORE_ACC1, UGP_STORE_MUL0, UGP_STORE_MUL1, UGP_STORE_PASS,
	UGP_STORE_UNKNOWN, UGP_STORE_COMPLEX, UGP_STORE_NONE
};

/* Defined values of load_offset: address register 1 to 3, or none. */
#define UGP_OFFSET_ADDR1	1
#define UGP_OFFSET_ADDR3	3
#define UGP_OFFSET_NONE		7

/* Defined values of unknown_1. */
#define UGP_MODE_NORMAL		0
#define UGP_MODE_TEMP_STORE	12
#define UGP_MODE_BRANCH		13

/* Flags of operations. */
#define UGP_WIDE		0x1	/* single operation of both multipliers */
#define UGP_UNSEEN		0x2	/* no open compiler emits it */

/* Operations: UGP_OP_ADD ... of all units, UGP_OP_BAD for undefined codes. */
enum ugp_opcode {
#define UGP_OP(name, class, code, text, nsrc, flags) UGP_OP_##name,
#include "utgard_gp_ops.def"
#undef UGP_OP
	UGP_NUM_OPS,
	UGP_OP_BAD = UGP_NUM_OPS
};

/*
 * struct ugp_insn - the 39 fields, as named in utgard_gp_fields.def: every bit of the
 * instruction belongs to one of them, so decoding and encoding are lossless.
 */
struct ugp_insn {
#define UGP_FIELD(name, pos, width, idle) u16 name;
#include "utgard_gp_fields.def"
#undef UGP_FIELD
};

/* Field indices: UGP_F_mul0_a ... */
enum ugp_field {
#define UGP_FIELD(name, pos, width, idle) UGP_F_##name,
#include "utgard_gp_fields.def"
#undef UGP_FIELD
	UGP_NUM_FIELDS
};

/**
 * struct ugp_field_info - position of a field
 * @name: name
 * @pos: lowest bit
 * @width: bits
 * @idle: value in a no-op instruction
 */
struct ugp_field_info {
	const char *name;
	u8 pos;
	u8 width;
	u8 idle;
};

/**
 * struct ugp_op_info - table entry of an operation
 * @name: mnemonic, without the unit
 * @class: enum ugp_class
 * @code: value of the operation field
 * @nsrc: number of operands; further ones are ignored
 * @flags: UGP_WIDE, UGP_UNSEEN
 */
struct ugp_op_info {
	const char *name;
	u8 class;
	u8 code;
	u8 nsrc;
	u8 flags;
};

/* Operand kinds. */
enum ugp_src_kind {
	UGP_KIND_NONE,		/* no operand */
	UGP_KIND_BAD,		/* undefined */
	UGP_KIND_PORT0,		/* component @comp of port 0 of this instruction */
	UGP_KIND_PORT1,
	UGP_KIND_LOAD,		/* component of the row loaded by this instruction */
	UGP_KIND_RESULT,	/* result of @unit, @back instructions ago */
	UGP_KIND_NEUTRAL,	/* 0 in an adder, 1 in a multiplier */
	UGP_KIND_PREV_PORT0	/* component of port 0 in the previous instruction */
};

/**
 * struct ugp_src - operand
 * @kind: enum ugp_src_kind
 * @comp: component, 0..3
 * @unit: enum ugp_unit
 * @back: 1 or 2
 * @neg: negated
 */
struct ugp_src {
	u8 kind;
	u8 comp;
	u8 unit;
	u8 back;
	bool neg;
};

/**
 * struct ugp_slot - operation of a unit
 * @op: enum ugp_opcode; UGP_OP_IDLE: no-op
 * @nsrc: number of operands
 * @src: operands: a, b of a unit; complex1: a, b of the first multiplier, then a, b of the
 *	second one; select: condition, value if it is not 0, value if it is 0
 * @neg: the result is negated (multipliers)
 *
 * clamp also reads components x (lower limit) and y (upper limit) of the loaded row.
 * A wide operation is in UGP_MUL0; UGP_MUL1 is idle then.
 */
struct ugp_slot {
	u8 op;
	u8 nsrc;
	struct ugp_src src[4];
	bool neg;
};

/* Destination of a store group. */
enum ugp_dest { UGP_DEST_NONE, UGP_DEST_REG, UGP_DEST_VARYING, UGP_DEST_TEMP };

/**
 * struct ugp_store_group - components x, y or z, w of a store
 * @dest: enum ugp_dest
 * @addr: register or varying; temporaries: the row is in address register 0
 * @unit: source of the two components: enum ugp_unit, or UGP_NUM_UNITS: no store
 */
struct ugp_store_group {
	u8 dest;
	u8 addr;
	u8 unit[2];
};

/**
 * struct ugp_view - semantics of an instruction
 * @slot: by enum ugp_unit
 * @store: store groups: x, y; z, w
 * @load_row: row of uniforms or temporaries
 * @load_addr: address register added to it: 1 to 3, or 0 for none
 * @port0: register or attribute index
 * @port0_attribute: port 0 reads an attribute
 * @port1: register index
 * @reads: mask of components read from the loaded row
 * @reads0: mask of components read from port 0 in this instruction
 * @reads1: mask of components read from port 1
 * @branch: branch to @target if the result of the pass unit is not 0
 * @target: instruction
 */
struct ugp_view {
	struct ugp_slot slot[UGP_NUM_UNITS];
	struct ugp_store_group store[2];
	u16 load_row;
	u8 load_addr;
	u8 port0;
	bool port0_attribute;
	u8 port1;
	u8 reads;
	u8 reads0;
	u8 reads1;
	bool branch;
	u16 target;
};

/* Reject reasons; 0 is none. */
enum ugp_reason {
	UGP_OK, UGP_BAD_SIZE, UGP_BAD_STAGE, UGP_BAD_ENTRY, UGP_BAD_OP, UGP_BAD_SRC,
	UGP_MISSING_SRC, UGP_BAD_STORE, UGP_BAD_DEST, UGP_BAD_OFFSET, UGP_BAD_ROW, UGP_BAD_MODE,
	UGP_BAD_CONDITION, UGP_BAD_TARGET,
	UGP_NUM_REASONS
};

/* utgard_gp_decode.c */

const struct ugp_field_info *ugp_field(enum ugp_field f);
const struct ugp_op_info *ugp_op(enum ugp_opcode op);
/* Operation of a code: enum ugp_opcode, UGP_OP_BAD if undefined. */
enum ugp_opcode ugp_op_find(enum ugp_class class, u32 code);
u32 ugp_get(const struct ugp_insn *insn, enum ugp_field f);
void ugp_set(struct ugp_insn *insn, enum ugp_field f, u32 value);

/* Decode an instruction; cannot fail and loses no bit. */
void ugp_decode(const u32 words[UGP_WORDS], struct ugp_insn *insn);

/* Decode an operand of a unit; @b: the second one of an adder or multiplier. */
void ugp_src(u32 code, bool b, struct ugp_src *src);
/* Unit selected by a store code, UGP_NUM_UNITS if none. */
enum ugp_unit ugp_store_unit(u32 code);
/* Branch target field, also valid if there is no branch. */
static inline u32 ugp_target(const struct ugp_insn *insn)
{
	return insn->branch_target | (insn->branch_target_low ? 0 : 0x100);
}

/**
 * ugp_view() - analyse the semantics of an instruction
 * @insn: fields
 * @view: result
 * @field: with a reject reason: the offending field
 *
 * Idle units: adders and the pass-through without operand a; a multiplier without a and b,
 * unless the operation is wide; complex with operation 0.
 *
 * Return: UGP_OK, or the reject reason.
 */
enum ugp_reason ugp_view(const struct ugp_insn *insn, struct ugp_view *view,
			 enum ugp_field *field);

/* utgard_gp_verify.c */

/* Verify a program. Return: 0 or -ENOEXEC. Offsets count instructions, positions bits. */
/* Steps of ugp_verify(): sizes, then each of the @n instructions; @words: of this one. */
int ugp_verify_size(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej);
int ugp_verify_insn(const u32 *words, u32 offset, u32 n, struct vs_report *rep,
		    struct vs_reject *rej);
int ugp_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej);
const char *ugp_reason_text(u32 reason);
/* Name of the field that a rejection refers to, NULL if none. */
const char *ugp_reject_field(const struct vs_reject *rej);

#endif /* UTGARD_GP_H */
