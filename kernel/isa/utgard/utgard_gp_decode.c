// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard vertex processor: tables, decoding and encoding of instruction fields.
 */
#include "utgard_gp.h"

static const struct ugp_field_info fields[UGP_NUM_FIELDS] = {
#define UGP_FIELD(n, p, w, i) { #n, (p), (w), (i) },
#include "utgard_gp_fields.def"
#undef UGP_FIELD
};

static const struct ugp_op_info ops[UGP_NUM_OPS] = {
#define UGP_OP(n, c, v, t, s, f) { (t), UGP_##c, (v), (s), (f) },
#include "utgard_gp_ops.def"
#undef UGP_OP
};

const struct ugp_field_info *ugp_field(enum ugp_field f)
{
	return &fields[f];
}

const struct ugp_op_info *ugp_op(enum ugp_opcode op)
{
	return op < UGP_NUM_OPS ? &ops[op] : NULL;
}

enum ugp_opcode ugp_op_find(enum ugp_class class, u32 code)
{
	u32 i;

	for (i = 0; i < UGP_NUM_OPS; i++)
		if (ops[i].class == class && ops[i].code == code)
			return (enum ugp_opcode)i;
	return UGP_OP_BAD;
}

/* All members of the struct have one type and table order. */
u32 ugp_get(const struct ugp_insn *insn, enum ugp_field f)
{
	return ((const u16 *)insn)[f];
}

void ugp_set(struct ugp_insn *insn, enum ugp_field f, u32 value)
{
	((u16 *)insn)[f] = (u16)(value & ((1U << fields[f].width) - 1));
}

void ugp_decode(const u32 words[UGP_WORDS], struct ugp_insn *insn)
{
	u32 i, at;
	u64 two;

	for (i = 0; i < UGP_NUM_FIELDS; i++) {
		at = fields[i].pos / 32;
		two = words[at];
		if (at + 1 < UGP_WORDS)
			two |= (u64)words[at + 1] << 32;
		ugp_set(insn, (enum ugp_field)i, (u32)(two >> (fields[i].pos % 32)));
	}
}

/* Results of previous instructions, by operand code. */
static const struct {
	u8 unit;
	u8 back;
} results[32] = {
	[UGP_SRC_P1_ACC0] = { UGP_ACC0, 1 }, [UGP_SRC_P1_ACC1] = { UGP_ACC1, 1 },
	[UGP_SRC_P1_MUL0] = { UGP_MUL0, 1 }, [UGP_SRC_P1_MUL1] = { UGP_MUL1, 1 },
	[UGP_SRC_P1_PASS] = { UGP_PASS_UNIT, 1 }, [UGP_SRC_P1_COMPLEX] = { UGP_COMPLEX_UNIT, 1 },
	[UGP_SRC_P2_PASS] = { UGP_PASS_UNIT, 2 }, [UGP_SRC_P2_ACC0] = { UGP_ACC0, 2 },
	[UGP_SRC_P2_ACC1] = { UGP_ACC1, 2 }, [UGP_SRC_P2_MUL0] = { UGP_MUL0, 2 },
	[UGP_SRC_P2_MUL1] = { UGP_MUL1, 2 },
};

void ugp_src(u32 code, bool b, struct ugp_src *src)
{
	static const u8 kinds[8] = {
		UGP_KIND_PORT0, UGP_KIND_PORT1, UGP_KIND_BAD, UGP_KIND_LOAD, UGP_KIND_RESULT,
		UGP_KIND_RESULT, UGP_KIND_RESULT, UGP_KIND_PREV_PORT0,
	};

	memset(src, 0, sizeof(*src));
	code &= 31;
	src->kind = kinds[code / 4];
	if (src->kind != UGP_KIND_RESULT)
		src->comp = code & 3;
	if (code == UGP_SRC_NONE)
		src->kind = UGP_KIND_NONE;
	if (code == UGP_SRC_P1_COMPLEX && b)
		src->kind = UGP_KIND_NEUTRAL;
	if (src->kind != UGP_KIND_RESULT)
		return;
	src->unit = results[code].unit;
	src->back = results[code].back;
}

enum ugp_unit ugp_store_unit(u32 code)
{
	static const u8 units[8] = {
		UGP_ACC0, UGP_ACC1, UGP_MUL0, UGP_MUL1, UGP_PASS_UNIT, UGP_NUM_UNITS,
		UGP_COMPLEX_UNIT, UGP_NUM_UNITS,
	};

	return (enum ugp_unit)units[code & 7];
}
