// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 instruction words and operand descriptors: decoding and encoding,
 * both driven by the table in pica_ops.def.
 */
#include "pica.h"

const struct pica_op_info pica_ops[PICA_NUM_OPS] = {
#define PICA_OP(id, mn, first, last, l, un, rd, fl, st, tx)			\
	[PICA_OP_##id] = {						\
		.name = #id,						\
		.mnem = mn,						\
		.text = tx,						\
		.unused = un,						\
		.flags = fl,						\
		.code = first,						\
		.last_code = last,					\
		.layout = PICA_##l,					\
		.reads = PICA_RD_##rd,					\
		.status = PICA_ST_##st,					\
	},
#include "pica_ops.def"
};

const char * const pica_layout_names[PICA_NUM_LAYOUTS] = {
#define PICA_LAYOUT(id, nm)						\
	[PICA_##id] = nm,
#include "pica_ops.def"
};

/* Operation + 1 by 6-bit code; 0: undefined. */
static const u8 op_of_code[64] = {
#define PICA_OP(id, mn, first, last, ...)				\
	[first ... last] = PICA_OP_##id + 1,
#include "pica_ops.def"
};

static const struct pica_field field_rows[] = {
#define PICA_FIELD(l, f, low, wid, nm) { PICA_F_##f, low, wid, nm },
#include "pica_ops.def"
};

/* Row numbers, for the first row of each layout. */
enum {
#define PICA_FIELD(l, f, ...) ROW_##l##_##f,
#include "pica_ops.def"
};

/* The opcode field is the first row of each layout. */
static const u8 first_row[PICA_NUM_LAYOUTS + 1] = {
#define PICA_LAYOUT(id, nm)						\
	[PICA_##id] = ROW_##id##_OP,
#include "pica_ops.def"
	[PICA_NUM_LAYOUTS] = ARRAY_SIZE(field_rows),
};

/**
 * pica_layout_fields() - bit ranges of a layout
 * @layout: layout
 * @count: set to the number of ranges
 *
 * Return: the first of @count ranges.
 */
const struct pica_field *pica_layout_fields(enum pica_layout layout, unsigned int *count)
{
	*count = first_row[layout + 1] - first_row[layout];
	return &field_rows[first_row[layout]];
}

/**
 * pica_find_field() - bit range of a field in a layout
 * @layout: layout
 * @id: field
 *
 * Return: the range, NULL if the layout has no such field.
 */
const struct pica_field *pica_find_field(enum pica_layout layout, enum pica_field_id id)
{
	unsigned int i;

	for (i = first_row[layout]; i < first_row[layout + 1]; i++)
		if (field_rows[i].id == id)
			return &field_rows[i];

	return NULL;
}

/**
 * pica_op_of_code() - operation of a 6-bit code
 * @code: bits 26..31 of an instruction
 *
 * Return: the operation, PICA_OP_INVALID if the code is undefined.
 */
enum pica_op pica_op_of_code(unsigned int code)
{
	unsigned int op = op_of_code[code & 0x3f];

	return op ? (enum pica_op)(op - 1) : PICA_OP_INVALID;
}

/* Index of the source operand with 7 bits; 0xff if there is no source. */
static u8 wide_source(enum pica_layout layout)
{
	switch (layout) {
	case PICA_L1:
	case PICA_L1U:
	case PICA_L1C:
		return 0;
	case PICA_L1I:
	case PICA_L5:
		return 1;
	case PICA_L5I:
		return 2;
	default:
		return 0xff;
	}
}

static u8 source_count(enum pica_layout layout)
{
	switch (layout) {
	case PICA_L1:
	case PICA_L1I:
	case PICA_L1C:
		return 2;
	case PICA_L1U:
		return 1;
	case PICA_L5:
	case PICA_L5I:
		return 3;
	default:
		return 0;
	}
}

/* The index field applies only if the wide source is a uniform. */
static bool index_counts(const struct pica_insn *insn)
{
	return insn->wide < 3 && insn->src[insn->wide] >= PICA_SRC_C0;
}

/**
 * pica_insn_init() - initialise an instruction for encoding
 * @insn: filled in, fields 0
 * @op: operation
 */
void pica_insn_init(struct pica_insn *insn, enum pica_op op)
{
	memset(insn, 0, sizeof(*insn));
	insn->op = op;
	insn->info = &pica_ops[op];
	insn->nsrc = source_count((enum pica_layout)insn->info->layout);
	insn->wide = wide_source((enum pica_layout)insn->info->layout);
}

/**
 * pica_encode() - canonical encoding of an instruction
 * @insn: operation (@op) and field values (@f); other members are ignored
 *	except @src and @wide, which must agree with @f
 *
 * Ignored bits are 0, except that a flag reference that the condition does not use
 * is 1, as picasso writes it.
 *
 * Return: the word.
 */
u32 pica_encode(const struct pica_insn *insn)
{
	const struct pica_op_info *info = &pica_ops[insn->op];
	u32 word = (u32)info->code << 26;
	unsigned int i;

	for (i = first_row[info->layout] + 1; i < first_row[info->layout + 1]; i++) {
		const struct pica_field *fd = &field_rows[i];
		u32 v = insn->f[fd->id];

		if (info->unused & (1U << fd->id))
			continue;
		if (fd->id == PICA_F_IDX && !index_counts(insn))
			continue;
		if (fd->id == PICA_F_REFX && insn->f[PICA_F_COND] == PICA_COND_Y)
			v = 1;
		if (fd->id == PICA_F_REFY && insn->f[PICA_F_COND] == PICA_COND_X)
			v = 1;
		word |= (v & ((1U << fd->width) - 1)) << fd->lo;
	}

	return word;
}

/**
 * pica_decode() - decode an instruction word
 * @word: any word
 * @insn: decoded instruction, completely written for any word
 *
 * Return: false if the operation code is undefined.
 */
bool pica_decode(u32 word, struct pica_insn *insn)
{
	unsigned int i;
	enum pica_op op = pica_op_of_code(word >> 26);
	u8 layout;

	if (op == PICA_OP_INVALID) {
		memset(insn, 0, sizeof(*insn));
		insn->raw = word;
		insn->wide = 0xff;
		insn->op = op;
		return false;
	}

	pica_insn_init(insn, op);
	insn->raw = word;
	layout = insn->info->layout;
	for (i = first_row[layout]; i < first_row[layout + 1]; i++) {
		const struct pica_field *fd = &field_rows[i];

		if (insn->info->unused & (1U << fd->id))
			continue;
		insn->f[fd->id] = (word >> fd->lo) & ((1U << fd->width) - 1);
	}

	for (i = 0; i < insn->nsrc; i++)
		insn->src[i] = insn->f[PICA_F_SRC1 + i];
	if (!index_counts(insn))
		insn->f[PICA_F_IDX] = PICA_IDX_NONE;
	insn->odd = word ^ pica_encode(insn);
	return true;
}

/**
 * pica_opdesc_decode() - decode an operand descriptor
 * @word: first word of a descriptor; bit 31 has no effect
 * @desc: decoded descriptor
 */
void pica_opdesc_decode(u32 word, struct pica_opdesc *desc)
{
	unsigned int n, c;

	memset(desc, 0, sizeof(*desc));
	for (c = 0; c < 4; c++)
		desc->mask |= ((word >> (3 - c)) & 1) << c;
	for (n = 0; n < 3; n++) {
		u32 bits = word >> PICA_OPDESC_SHIFT(n);

		desc->neg |= (bits & 1) << n;
		for (c = 0; c < 4; c++)
			desc->sel[n][c] = (bits >> (7 - 2 * c)) & 3;
	}
}
