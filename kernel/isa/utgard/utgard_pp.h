/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard pixel processor (PP of Mali-200, 300, 400, 450): decoded instructions and tables.
 *
 * An instruction is a control word and up to twelve fields, packed without gaps in pipeline
 * order; later fields see registers written by earlier ones, except that the two multipliers
 * execute in parallel, as do the two adders. Positions count words of 32 bits.
 */
#ifndef UTGARD_PP_H
#define UTGARD_PP_H

#include "../isa.h"
#include "utgard_pp_fields.def"

#define UPP_MAX_WORDS		65536	/* per program */
#define UPP_INSN_WORDS		19	/* maximum per instruction */
#define UPP_NUM_REGS		6
#define UPP_NUM_VARYINGS	12	/* four components each */

/* Register codes without a register; as a destination 15 means none. */
#define UPP_REG_CONST0		12
#define UPP_REG_CONST1		13
#define UPP_REG_TEXTURE		14
#define UPP_REG_UNIFORM		15
#define UPP_REG_NOWHERE		15
#define UPP_NO_OFFSET		15	/* offset_vector of varyings */

/* Fields in pipeline order, which is the order of the presence bits. */
enum upp_field {
	UPP_VARYING, UPP_SAMPLER, UPP_UNIFORM, UPP_VEC_MUL, UPP_SCALAR_MUL, UPP_VEC_ADD,
	UPP_SCALAR_ADD, UPP_COMBINE, UPP_TEMP, UPP_BRANCH, UPP_CONST0, UPP_CONST1,
	UPP_NUM_FIELDS
};

/* Encoding variants of fields. */
enum upp_form {
	UPP_FORM_CTRL, UPP_FORM_VARYING, UPP_FORM_VARYING_REG, UPP_FORM_SAMPLER,
	UPP_FORM_UNIFORM, UPP_FORM_VEC_MUL, UPP_FORM_SCALAR_MUL, UPP_FORM_VEC_ADD,
	UPP_FORM_SCALAR_ADD, UPP_FORM_COMBINE, UPP_FORM_ATAN, UPP_FORM_ATAN_END,
	UPP_FORM_SCALE, UPP_FORM_STORE, UPP_FORM_FB_READ, UPP_FORM_BRANCH, UPP_FORM_CONST,
	UPP_NUM_FORMS
};

/* Values of source in the varying field. */
enum upp_source { UPP_FROM_VARYING, UPP_FROM_REG, UPP_FROM_CUBE, UPP_FROM_POINT };

/* Values of perspective: divide by z or w; with UPP_FROM_CUBE: selects the value. */
#define UPP_DIVIDE_NONE		0
#define UPP_DIVIDE_Z		2
#define UPP_DIVIDE_W		3
#define UPP_CUBE_VARYING	0
#define UPP_CUBE_REG		1
#define UPP_CUBE_NORMALIZE	2
#define UPP_CUBE_FRAG_COORD	3

/* Alignment of varyings counts components less one; of other fields it is a power of two. */
#define UPP_VARYING_SCALAR	0
#define UPP_VARYING_VEC2	1
#define UPP_VARYING_VEC4	3
#define UPP_ALIGN_SCALAR	0
#define UPP_ALIGN_VEC2		1
#define UPP_ALIGN_VEC4		2

#define UPP_LOAD_UNIFORM	0
#define UPP_LOAD_TEMP		3
#define UPP_SAMPLER_2D		0
#define UPP_SAMPLER_CUBE	31
#define UPP_SAMPLER_PATTERN	0x39001
#define UPP_FB_DEPTH		2
#define UPP_FB_COLOR		3

/* Result modifiers. */
enum upp_modifier { UPP_MOD_NONE, UPP_MOD_SAT, UPP_MOD_POS, UPP_MOD_INT };

/* Flags of operations. */
#define UPP_VEC_ONLY		0x1
#define UPP_UNSEEN		0x2	/* no open compiler emits it */

enum upp_class { UPP_CLASS_MUL, UPP_CLASS_ADD, UPP_CLASS_COMBINE, UPP_NUM_CLASSES };

/* Operation codes: UPP_OP_MUL_NOT, UPP_OP_ADD_FRACT, UPP_OP_COMBINE_RCP ... */
enum upp_opcode {
#define UPP_OP(class, code, name, text, nsrc, flags) UPP_OP_##name = (code),
#include "utgard_pp_ops.def"
#undef UPP_OP
};

/*
 * Forms of fields; utgard_pp_fields.def names their parts. All members are u32, in bit order:
 * each bit belongs to one of them, so decoding and encoding are lossless.
 */
#define UPP_MEMBER(name, pos, width, def) u32 name;

struct upp_ctrl { UPP_CTRL_FIELDS(UPP_MEMBER) };
struct upp_varying { UPP_VARYING_FIELDS(UPP_MEMBER) };
struct upp_varying_reg { UPP_VARYING_REG_FIELDS(UPP_MEMBER) };
struct upp_sampler { UPP_SAMPLER_FIELDS(UPP_MEMBER) };
struct upp_uniform { UPP_UNIFORM_FIELDS(UPP_MEMBER) };
struct upp_vec { UPP_VEC_FIELDS(UPP_MEMBER) };
struct upp_scalar { UPP_SCALAR_FIELDS(UPP_MEMBER) };
struct upp_combine { UPP_COMBINE_FIELDS(UPP_MEMBER) };
struct upp_atan { UPP_ATAN_FIELDS(UPP_MEMBER) };
struct upp_atan_end { UPP_ATAN_END_FIELDS(UPP_MEMBER) };
struct upp_scale { UPP_SCALE_FIELDS(UPP_MEMBER) };
struct upp_store { UPP_STORE_FIELDS(UPP_MEMBER) };
struct upp_fb_read { UPP_FB_READ_FIELDS(UPP_MEMBER) };
struct upp_branch { UPP_BRANCH_FIELDS(UPP_MEMBER) };
struct upp_const { UPP_CONST_FIELDS(UPP_MEMBER) };

/**
 * union upp_part - a field in its form
 * @varying: UPP_FORM_VARYING
 * @varying_reg: UPP_FORM_VARYING_REG
 * @sampler: UPP_FORM_SAMPLER
 * @uniform: UPP_FORM_UNIFORM
 * @vec: UPP_FORM_VEC_MUL, UPP_FORM_VEC_ADD
 * @scalar: UPP_FORM_SCALAR_MUL, UPP_FORM_SCALAR_ADD
 * @combine: UPP_FORM_COMBINE
 * @atan: UPP_FORM_ATAN
 * @atan_end: UPP_FORM_ATAN_END
 * @scale: UPP_FORM_SCALE
 * @store: UPP_FORM_STORE
 * @fb_read: UPP_FORM_FB_READ
 * @branch: UPP_FORM_BRANCH
 * @constant: UPP_FORM_CONST: four halves
 * @v: any of them
 */
union upp_part {
	struct upp_varying varying;
	struct upp_varying_reg varying_reg;
	struct upp_sampler sampler;
	struct upp_uniform uniform;
	struct upp_vec vec;
	struct upp_scalar scalar;
	struct upp_combine combine;
	struct upp_atan atan;
	struct upp_atan_end atan_end;
	struct upp_scale scale;
	struct upp_store store;
	struct upp_fb_read fb_read;
	struct upp_branch branch;
	struct upp_const constant;
	u32 v[16];
};

/**
 * struct upp_insn - decoded instruction
 * @ctrl: control word; bit i of @ctrl.fields: field i is present
 * @form: enum upp_form of the present fields
 * @part: the fields; absent fields are zero
 * @padding: bits after the last field
 */
struct upp_insn {
	struct upp_ctrl ctrl;
	u8 form[UPP_NUM_FIELDS];
	union upp_part part[UPP_NUM_FIELDS];
	u32 padding;
};

/**
 * struct upp_field_info - part of a field
 * @name: name
 * @pos: lowest bit within the field
 * @width: bits
 * @def: default value in assembly
 */
struct upp_field_info {
	const char *name;
	u8 pos;
	u8 width;
	u32 def;
};

/**
 * struct upp_form_info - form of a field
 * @name: name of the field
 * @field: enum upp_field
 * @n: number of parts
 * @parts: parts, in the order of the struct's members
 */
struct upp_form_info {
	const char *name;
	u8 field;
	u8 n;
	const struct upp_field_info *parts;
};

/**
 * struct upp_op_info - table entry of an operation
 * @name: mnemonic
 * @class: enum upp_class
 * @code: value of the operation field
 * @nsrc: number of operands; further ones are ignored
 * @flags: UPP_VEC_ONLY, UPP_UNSEEN
 */
struct upp_op_info {
	const char *name;
	u8 class;
	u8 code;
	u8 nsrc;
	u8 flags;
};

/* Reject reasons; 0 is none. */
enum upp_reason {
	UPP_OK, UPP_BAD_SIZE, UPP_BAD_STAGE, UPP_BAD_ENTRY, UPP_BAD_COUNT, UPP_TRUNCATED,
	UPP_BAD_PADDING, UPP_BAD_RESERVED, UPP_BAD_VALUE, UPP_BAD_OP, UPP_BAD_REG,
	UPP_BAD_DEST, UPP_NOT_LOADED, UPP_MISSING_FIELD, UPP_BAD_INDEX, UPP_BAD_TARGET,
	UPP_RUNS_OFF,
	UPP_NUM_REASONS
};

/* utgard_pp_decode.c */

const struct upp_form_info *upp_form(enum upp_form form);
/* Size of a field in bits. */
u32 upp_field_bits(enum upp_field field);
/* Name of a field in assembly. */
const char *upp_field_name(enum upp_field field);
/* Operation of a class by its code, NULL if undefined. */
const struct upp_op_info *upp_op(enum upp_class class, u32 code);
/* Operations of all classes. */
const struct upp_op_info *upp_ops(u32 *n);
/* Size in words of an instruction with these fields, control word included. */
u32 upp_size(u32 fields);
void upp_ctrl_decode(u32 word, struct upp_ctrl *ctrl);

/**
 * upp_decode() - decode an instruction
 * @words: first word of the instruction
 * @nwords: words up to the end of the program
 * @insn: decoded instruction
 *
 * Checks lengths only: the instruction must be complete and as long as its fields.
 *
 * Return: UPP_OK, UPP_BAD_COUNT, UPP_TRUNCATED.
 */
enum upp_reason upp_decode(const u32 *words, u32 nwords, struct upp_insn *insn);

static inline bool upp_has(const struct upp_insn *insn, enum upp_field field)
{
	return insn->ctrl.fields >> field & 1;
}

/* Index of a uniform, or of a temporary to load or store. */
static inline s32 upp_index(u32 index)
{
	return (s16)index;
}

/* Branch target in words from the start of the branch's instruction. */
static inline s32 upp_target(const struct upp_branch *b)
{
	return (s32)(b->target << 5) >> 5;
}

/* Is this the branch encoding that discards the fragment? */
bool upp_is_discard(const struct upp_branch *b);

/* Power of two that scales a multiplication's result. */
static inline s32 upp_mul_shift(u32 op)
{
	return op < 4 ? (s32)op : (s32)op - 8;
}

/* utgard_pp_verify.c */

/**
 * struct upp_check - resources that a program uses, and its reject reason
 * @insns: number of reachable instructions
 * @samplers: bit i: texture unit i, up to 31
 * @indexed_samplers: units are selected by a register
 * @first_count: words of the instruction at the first entry point
 * @temp_low: lowest temporary row accessed without an offset
 * @temp_high: highest temporary row accessed without an offset
 * @temps: temporaries are accessed
 * @discard: fragments may be discarded
 * @group: results of neighbours are used: derivatives, textures
 * @fb_read: the frame buffer is read
 * @field: rejected enum upp_field, UPP_NUM_FIELDS: control word
 * @part: name of the rejected part of the field, or NULL
 * @reject: reject reason; offset counts words, field bits those of @field
 */
struct upp_check {
	u32 insns;
	u32 samplers;
	bool indexed_samplers;
	u32 first_count;
	s32 temp_low;
	s32 temp_high;
	bool temps;
	bool discard;
	bool group;
	bool fb_read;
	u32 field;
	const char *part;
	struct vs_reject reject;
};

/* Verify a program. Return: 0, -ENOEXEC if rejected, -ENOMEM. */
int upp_verify(const struct vs_src *src, struct vs_report *rep, struct upp_check *check);

const char *upp_reason_text(u32 reason);

#endif /* UTGARD_PP_H */
