/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 vertex and geometry units: decoding, encoding, verification and
 * disassembly.  No allocation, no floating point, no ISA-foreign headers.
 */
#ifndef VS_PICA_H
#define VS_PICA_H

#include "../isa.h"

#define PICA_MAX_CODE		4096	/* branch targets have 12 bits */
#define PICA_MAX_OPDESC		128	/* 7-bit index */
#define PICA_MAX_OPDESC_MAD	32	/* 5-bit index in MAD and MADI */
#define PICA_NUM_REGS		16	/* each of v, r and o */
#define PICA_NUM_CONST		96
#define PICA_NUM_INT		4
#define PICA_NUM_BOOL		16
#define PICA_CALL_DEPTH		4
#define PICA_IF_DEPTH		8
#define PICA_LOOP_DEPTH		4

/* Register codes of source operands. */
#define PICA_SRC_V0		0x00
#define PICA_SRC_R0		0x10
#define PICA_SRC_C0		0x20
/* Register codes of destination operands. */
#define PICA_DST_O0		0x00
#define PICA_DST_R0		0x10

/** enum pica_layout - instruction layouts */
enum pica_layout {
#define PICA_LAYOUT(id, name) PICA_##id,
#include "pica_ops.def"
	PICA_NUM_LAYOUTS
};

/** enum pica_field_id - operand fields over all layouts */
enum pica_field_id {
	PICA_F_OP,
	PICA_F_DST,
	PICA_F_IDX,
	PICA_F_SRC1,
	PICA_F_SRC2,
	PICA_F_SRC3,
	PICA_F_DESC,
	PICA_F_CMPX,
	PICA_F_CMPY,
	PICA_F_REFX,
	PICA_F_REFY,
	PICA_F_COND,
	PICA_F_TARGET,
	PICA_F_NUM,
	PICA_F_BOOL,
	PICA_F_INT,
	PICA_F_NOT,
	PICA_F_VTX,
	PICA_F_PRIM,
	PICA_F_WIND,
	PICA_NUM_FIELDS
};

/* Bit of a field in the "unused" column of the operation table. */
#define PICA_FB(f)		(1U << PICA_F_##f)

/** enum pica_op - operations */
enum pica_op {
#define PICA_OP(id, ...) PICA_OP_##id,
#include "pica_ops.def"
	PICA_NUM_OPS,
	PICA_OP_INVALID = PICA_NUM_OPS
};

/* Operation flags */
#define PICA_OPF_NONE		0U
#define PICA_OPF_DEST		BIT(0)	/* writes a register */
#define PICA_OPF_CMP		BIT(1)	/* writes cmp.x, cmp.y */
#define PICA_OPF_ADDR		BIT(2)	/* writes a0 */
#define PICA_OPF_FLOW		BIT(3)	/* may change the program counter */
#define PICA_OPF_END		BIT(4)
#define PICA_OPF_COND		BIT(5)	/* depends on the flags */
#define PICA_OPF_BOOL		BIT(6)	/* depends on a boolean uniform */
#define PICA_OPF_BREAK		BIT(7)
#define PICA_OPF_CALL		BIT(8)
#define PICA_OPF_IF		BIT(9)
#define PICA_OPF_LOOP		BIT(10)
#define PICA_OPF_JUMP		BIT(11)
#define PICA_OPF_GEOM		BIT(12)	/* geometry unit only */

/** enum pica_reads - components of its sources that an operation reads */
enum pica_reads {
	PICA_RD_NONE,
	PICA_RD_PER,
	PICA_RD_X,
	PICA_RD_XYZ,
	PICA_RD_XYZ1,
	PICA_RD_ALL,
	PICA_RD_XY,
	PICA_RD_ADR,
};

/** enum pica_status - evidence for the behaviour of an operation */
enum pica_status {
	PICA_ST_HW,
	PICA_ST_CON,
	PICA_ST_DOC,
};

/* Values of the COND field */
#define PICA_COND_OR		0
#define PICA_COND_AND		1
#define PICA_COND_X		2
#define PICA_COND_Y		3

/* Values of the IDX field */
#define PICA_IDX_NONE		0
#define PICA_IDX_A0X		1
#define PICA_IDX_A0Y		2
#define PICA_IDX_AL		3

/**
 * struct pica_field - bit range of an instruction layout
 * @id: enum pica_field_id
 * @lo: lowest bit
 * @width: number of bits
 * @name: name for messages
 */
struct pica_field {
	u8 id;
	u8 lo;
	u8 width;
	const char *name;
};

/**
 * struct pica_op_info - row of the operation table
 * @name: name of the operation, upper case
 * @mnem: picasso's mnemonic
 * @text: description
 * @unused: fields of the layout that it ignores, bits of enum pica_field_id
 * @flags: PICA_OPF_*
 * @code: first 6-bit code
 * @last_code: last code
 * @layout: enum pica_layout
 * @reads: enum pica_reads
 * @status: enum pica_status
 */
struct pica_op_info {
	const char *name;
	const char *mnem;
	const char *text;
	u32 unused;
	u16 flags;
	u8 code;
	u8 last_code;
	u8 layout;
	u8 reads;
	u8 status;
};

/**
 * struct pica_insn - decoded instruction
 * @raw: encoded word
 * @odd: bits of @raw that differ from the canonical encoding of the same
 *	operation; only bits that the unit ignores can be set here
 * @info: row of the operation table, NULL if the code is undefined
 * @f: field values by enum pica_field_id, 0 for missing fields
 * @op: enum pica_op
 * @nsrc: number of source operands
 * @wide: index (0..2) of the wide source, 0xff if there is none
 * @src: register codes of the sources, in operand order
 */
struct pica_insn {
	u32 raw;
	u32 odd;
	const struct pica_op_info *info;
	u16 f[PICA_NUM_FIELDS];
	u8 op;
	u8 nsrc;
	u8 wide;
	u8 src[3];
};

/**
 * struct pica_opdesc - decoded operand descriptor
 * @mask: write mask, bit n is component n (bit 0 is x)
 * @neg: negate source n (bit n)
 * @sel: selected component for each source and component
 */
struct pica_opdesc {
	u8 mask;
	u8 neg;
	u8 sel[3][4];
};

/* Lowest bit of the negate flag and selector of source @n. */
#define PICA_OPDESC_SHIFT(n)	(4 + 9 * (n))

extern const struct pica_op_info pica_ops[PICA_NUM_OPS];
extern const char * const pica_layout_names[PICA_NUM_LAYOUTS];

const struct pica_field *pica_layout_fields(enum pica_layout layout, unsigned int *count);
const struct pica_field *pica_find_field(enum pica_layout layout, enum pica_field_id id);
enum pica_op pica_op_of_code(unsigned int code);
bool pica_decode(u32 word, struct pica_insn *insn);
void pica_insn_init(struct pica_insn *insn, enum pica_op op);
u32 pica_encode(const struct pica_insn *insn);
void pica_opdesc_decode(u32 word, struct pica_opdesc *desc);

/**
 * struct pica_program - words of a program
 * @code: instruction words
 * @opdesc: operand descriptors, first word of each
 * @entries: words where an invocation may start
 * @ncode: number of instruction words
 * @nopdesc: number of descriptors
 * @nentries: number of entry points
 * @stage: VS_STAGE_VERTEX or VS_STAGE_GEOMETRY
 */
struct pica_program {
	const u32 *code;
	const u32 *opdesc;
	const u32 *entries;
	u32 ncode;
	u32 nopdesc;
	u32 nentries;
	enum vs_stage stage;
};

void pica_program_init(struct pica_program *prog, const struct vs_src *src);

/** enum pica_reason - reject reasons */
enum pica_reason {
	PICA_REASON_NONE,
	PICA_REASON_NO_CODE,
	PICA_REASON_CODE_SIZE,
	PICA_REASON_OPDESC_COUNT,
	PICA_REASON_STAGE,
	PICA_REASON_NO_ENTRY,
	PICA_REASON_ENTRY,
	PICA_REASON_OPCODE,
	PICA_REASON_CMP_COND,
	PICA_REASON_GEOMETRY_ONLY,
	PICA_REASON_EMIT_SLOT,
	PICA_REASON_OPDESC,
	PICA_REASON_TARGET,
	PICA_REASON_CALL_RANGE,
	PICA_REASON_ELSE_RANGE,
	PICA_NUM_REASONS
};

int pica_check(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej);
const char *pica_reason_text(u32 reason);
int pica_verify(const struct vs_src *src, struct vs_report *rep, struct vs_reject *rej,
		struct vs_log *log);
int pica_lower(const struct vs_src *src, struct vs_report *rep, struct vs_prog **out);

extern const struct vs_isa pica_isa;

#endif /* VS_PICA_H */
