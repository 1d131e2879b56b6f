/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * ARM Mali Bifrost: clause encoding, decoded forms and tables.
 *
 * A program is a sequence of clauses; a clause is one to eight tuples, a header and up to
 * seven embedded constants, packed into 128-bit words (quads). A tuple is an operation of
 * the multiplier unit (FMA), one of the adder unit (ADD) and a register block. Positions
 * count quads.
 *
 * Source: Mesa's public description of the instruction set, its disassembler and packing
 * code; Connor Abbott's notes on the architecture.
 */
#ifndef BIFROST_H
#define BIFROST_H

#include "../isa.h"

#define BI_MAX_QUADS	65536		/* per program: 1 MiB */
#define BI_MAX_TUPLES	8
#define BI_MAX_CONSTS	7
#define BI_CLAUSE_QUADS	8		/* maximum quads per clause */
#define BI_REG_RETURN	48		/* return address of blend programs */

/* GPUs; sets of GPUs are bit masks. */
enum bi_gpu { BI_G71, BI_G72, BI_G31, BI_G52, BI_NUM_GPUS };

enum bi_unit { BI_FMA, BI_ADD, BI_NUM_UNITS };

/* Message types of the clause header. */
enum bi_message {
	BI_MSG_NONE, BI_MSG_VARYING, BI_MSG_ATTRIBUTE, BI_MSG_TEXTURE, BI_MSG_VARTEX,
	BI_MSG_LOAD, BI_MSG_STORE, BI_MSG_ATOMIC, BI_MSG_BARRIER, BI_MSG_BLEND, BI_MSG_TILE,
	BI_MSG_Z_STENCIL = 12, BI_MSG_ATEST, BI_MSG_JOB, BI_MSG_64BIT
};

/* Flow control of the clause header. */
enum bi_flow {
	BI_FLOW_END, BI_FLOW_NBB_PC, BI_FLOW_NBB_RECONVERGE, BI_FLOW_NBB, BI_FLOW_BB_RECONVERGE,
	BI_FLOW_BB, BI_FLOW_WE_RECONVERGE, BI_FLOW_WE
};

/* Operand codes. */
enum bi_src {
	BI_SRC_PORT0, BI_SRC_PORT1, BI_SRC_PORT2, BI_SRC_STAGE, BI_SRC_FAU_LO, BI_SRC_FAU_HI,
	BI_SRC_T0, BI_SRC_T1
};

/* Operations of a register port. */
enum bi_port_op { BI_PORT_IDLE, BI_PORT_READ, BI_PORT_WRITE, BI_PORT_WRITE_LO, BI_PORT_WRITE_HI };

/* Addition of the program counter to an embedded constant. */
enum bi_const_mode { BI_CONST_PLAIN, BI_CONST_PC_LO, BI_CONST_PC_HI, BI_CONST_PC_BOTH };

/* First values of ranges of the FAU index. */
#define BI_FAU_BLEND	0x08
#define BI_FAU_CONST	0x20
#define BI_FAU_UNIFORM	0x80

/**
 * struct bi_tuple - encoded tuple
 * @regs: register block, 35 bits
 * @fma: operation of the multiplier unit, 23 bits
 * @add: operation of the adder unit, 20 bits
 */
struct bi_tuple {
	u64 regs;
	u32 fma;
	u32 add;
};

/**
 * struct bi_clause - clause unpacked from its quads
 * @quads: size
 * @ntuples: 1..8
 * @nconsts: embedded constants
 * @m: modes of a constant that shares a quad with tuples; else 0
 * @header: 45 bits
 * @tuples: tuples
 * @consts: embedded constants; their low four bits are 0
 */
struct bi_clause {
	u8 quads;
	u8 ntuples;
	u8 nconsts;
	u8 m;
	u64 header;
	struct bi_tuple tuples[BI_MAX_TUPLES];
	u64 consts[BI_MAX_CONSTS];
};

/**
 * struct bi_header - fields of the clause header
 * @ftz: flush to zero: 0 no, 1 as Direct3D, 2 always, 3 abruptly
 * @suppress_inf: infinite results become the largest finite number
 * @suppress_nan: NaN results become 0
 * @fpe: exceptions: 0 enabled, 1 disabled, 2 precise division, 3 precise square root
 * @flow: enum bi_flow
 * @td: terminate discarded threads
 * @ncph: the next clause may be prefetched
 * @osrb: wait until messages have read their registers
 * @sr: staging register
 * @wait: scoreboard slots to wait for after the clause
 * @slot: scoreboard slot of this clause's message
 * @message: enum bi_message
 * @next_message: message type of the next clause
 */
struct bi_header {
	u8 ftz;
	u8 suppress_inf;
	u8 suppress_nan;
	u8 fpe;
	u8 flow;
	u8 td;
	u8 ncph;
	u8 osrb;
	u8 sr;
	u8 wait;
	u8 slot;
	u8 message;
	u8 next_message;
};

/**
 * struct bi_ports - decoded register block
 * @fau: index of the 64-bit FAU value
 * @read0: port 0 reads @reg0
 * @read1: port 1 reads @reg1
 * @op2: enum bi_port_op of port 2; it writes the FMA result
 * @op3: enum bi_port_op of port 3
 * @fma3: port 3 writes the FMA result, else the ADD result
 * @reg0: register of port 0
 * @reg1: register of port 1
 * @reg2: register of port 2
 * @reg3: register of port 3
 *
 * Writes are those of the previous tuple; in the first tuple, those of the last one.
 */
struct bi_ports {
	u8 fau;
	bool read0;
	bool read1;
	u8 op2;
	u8 op3;
	bool fma3;
	u8 reg0;
	u8 reg1;
	u8 reg2;
	u8 reg3;
};

/* Reject reasons; 0 is none. */
enum bi_reason {
	BI_OK, BI_BAD_TAG, BI_TRUNCATED, BI_BAD_RESERVED, BI_BAD_CONST, BI_BAD_HEADER,
	BI_BAD_PORTS, BI_BAD_FMA, BI_BAD_ADD, BI_BAD_SOURCE, BI_BAD_FAU, BI_BAD_MESSAGE,
	BI_BAD_PLACE, BI_BAD_TARGET, BI_BAD_GPU, BI_BAD_ENTRY, BI_BAD_SIZE, BI_BAD_STAGE,
	BI_RUNS_OFF, BI_UNSUPPORTED, BI_BAD_JUMP,
	BI_NUM_REASONS
};

/* bifrost_table.c */

/* Names of the values of a modifier field; NULL: undefined value. */
struct bi_list {
	const char *const *names;
	u32 n;
};

/* Lists of names; END terminates the modifiers of an operation. */
enum bi_list_id {
	BI_L_END,
#define BI_LIST(name, ...) BI_L_##name,
#include "bifrost_lists.def"
#undef BI_LIST
	BI_NUM_LISTS
};

#define BI_MOD_DERIVED	0xff		/* position of modifiers that are table columns */
#define BI_MOD_MNEMONIC	(-1)		/* modifier of the mnemonic, not of a source */

/**
 * struct bi_mod - modifier of an operation
 * @list: enum bi_list_id: names of its values
 * @pos: lowest bit of its field, or BI_MOD_DERIVED
 * @width: width of its field in bits
 * @def: default value, omitted in assembly, or -1
 * @src: source that it modifies, or BI_MOD_MNEMONIC
 */
struct bi_mod {
	u8 list;
	u8 pos;
	u8 width;
	s8 def;
	s8 src;
};

/* Use of staging registers by a message. */
enum bi_staging { BI_SR_NONE, BI_SR_READ, BI_SR_WRITE, BI_SR_BOTH };

#define BI_NOT_G71	0x01
#define BI_WIDE_CLPER	0x02	/* not on G71, G72, G31 */
#define BI_OLD_CLPER	0x04	/* only on G71, G72, G31 */
#define BI_UNUSED	0x08	/* no known compiler emits it */
#define BI_LAST		0x10	/* must be in the last tuple */
#define BI_ORDERED	0x20	/* the order of the first two source codes selects rows */
#define BI_BRANCH	0x40	/* may branch to a clause that does not follow */

/* Row values: not this operation; undefined unless an entry with the same mask matches. */
#define BI_NEXT		0xffffffff
#define BI_NONE		0xfffffffe

/* Lowering rules, indices of the table in bifrost_lower_rules.c. */
enum bi_rule {
	BI_RULE_NONE,
#define BL_RULE(id, ...) BI_RULE_##id,
#include "bifrost_rules.def"
#undef BL_RULE
	BI_NUM_RULES
};

/**
 * struct bi_op - encoding of an operation
 * @name: mnemonic; encodings may share one
 * @rule: enum bi_rule: lowering rule
 * @mask: bits that identify the operation
 * @exact: value of these bits
 * @src: sources: lowest bit, mask of allowed codes; a zero mask ends the list
 * @imm: immediates: name (NULL ends the list), lowest bit, bits
 * @fields: fields that select a row: lowest bit, bits; a zero width ends the list
 * @mods: modifiers in assembly order
 * @rows: values of modifiers without a field of their own, four bits each
 * @message: enum bi_message
 * @staging: enum bi_staging
 * @sr_count: number of staging registers, 0 if it depends on modifiers
 * @flags: BI_NOT_G71 ...
 */
struct bi_op {
	const char *name;
	u16 rule;
	u32 mask;
	u32 exact;
	struct {
		u8 pos;
		u8 codes;
	} src[4];
	struct {
		const char *name;
		u8 pos;
		u8 width;
	} imm[2];
	struct {
		u8 pos;
		u8 width;
	} fields[4];
	const struct bi_mod *mods;
	const u32 *rows;
	u8 message;
	u8 staging;
	u8 sr_count;
	u8 flags;
};

/* Operations of a unit in match order: the first match applies. */
const struct bi_op *bi_ops(enum bi_unit unit, u32 *n);
const struct bi_list *bi_list(u32 list);

/**
 * bi_op_find() - table entry of an encoded operation
 * @unit: unit
 * @bits: 23 bits (FMA) or 20 bits (ADD)
 *
 * Return: the operation, or NULL if the bits are undefined.
 */
const struct bi_op *bi_op_find(enum bi_unit unit, u32 bits);
/* Value of modifier @i of an operation; -1 if undefined. */
int bi_mod_value(const struct bi_op *op, u32 i, u32 bits);
/* Does a modifier have a value with this name? */
bool bi_has_mod(const struct bi_op *op, u32 bits, const char *name);
/* Row selected by the fields and the source codes. */
u32 bi_row(const struct bi_op *op, u32 bits);

static inline u32 bi_bits(u32 word, u32 pos, u32 width)
{
	return word >> pos & ((1U << width) - 1);
}

/* Is the last source a branch target? */
bool bi_op_branches(const struct bi_op *op);
/* Does the operation always branch? */
bool bi_op_jumps(const struct bi_op *op);
/* Mask of GPUs that have the operation. */
u32 bi_op_gpus(const struct bi_op *op);

/* bifrost_decode.c */

/**
 * bi_clause_decode() - unpack a clause
 * @words: first word of the clause
 * @nquads: quads up to the end of the program
 * @c: unpacked clause
 *
 * Accepts exactly the encodings that bi_clause_encode() reproduces word for word.
 *
 * Return: BI_OK or the reject reason.
 */
enum bi_reason bi_clause_decode(const u32 *words, u32 nquads, struct bi_clause *c);
/* Pack a clause: room for BI_CLAUSE_QUADS. Return: quads, 0 if the clause has no encoding. */
u32 bi_clause_encode(const struct bi_clause *c, u32 *words);
/* Minimum and maximum number of constants for @ntuples tuples; both differ by steps of two. */
u32 bi_min_consts(u32 ntuples);
u32 bi_max_consts(u32 ntuples);
/* Does the constant that shares a quad with tuples have modes of its own? */
bool bi_const_has_modes(u32 ntuples);
/* Modes of the constants; BI_BAD_CONST if undefined. */
enum bi_reason bi_const_modes(const struct bi_clause *c, u8 modes[BI_MAX_CONSTS]);

/* Decode the clause header. Return: false if reserved bits or undefined values are set. */
bool bi_header_decode(u64 header, struct bi_header *h);

/* bifrost_ports.c */

/* Decode a register block; @first: of the first tuple. Return: false if undefined. */
bool bi_ports_decode(u64 regs, bool first, struct bi_ports *p);
/* Index of the embedded constant that a FAU index names, or -1. */
int bi_fau_const(u32 fau);

/* bifrost_isa.c */
extern const struct vs_isa bifrost_isa;

#endif /* BIFROST_H */
