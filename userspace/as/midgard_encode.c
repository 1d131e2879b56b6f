// SPDX-License-Identifier: MIT
/*
 * Midgard: parts of a bundle from their fields, names.
 */
#include "midgard_encode.h"

static u32 field(u32 bits, u32 pos, u32 width)
{
	return bits >> pos & ((1U << width) - 1);
}

static u64 encode_source(const struct mg_src *s, bool vector)
{
	if (s->kind != MG_SRC_IMM)
		return vector ? s->mod | s->expand << 2 | s->swizzle << 5 :
				s->mod | s->full << 2 | s->comp << 3;
	if (vector)
		return s->mod | field(s->imm, 8, 3) << 2 | field(s->imm, 0, 8) << 5;
	return field(s->imm, 9, 2) | field(s->imm, 8, 1) << 2 | field(s->imm, 5, 3) << 3 |
	       field(s->imm, 0, 5) << 6;
}

void mg_alu_encode(struct mg_alu *a)
{
	bool vector = MG_VECTOR >> a->unit & 1, imm = a->src[1].kind == MG_SRC_IMM;
	u64 src1 = encode_source(&a->src[0], vector), src2 = encode_source(&a->src[1], vector);
	u32 reg2 = imm ? a->src[1].imm >> 11 : a->src[1].reg;

	a->reg_word = (u16)(a->src[0].reg | reg2 << 5 | a->dest << 10 | (u32)imm << 15);
	if (vector)
		a->body = a->op | (u64)a->mode << 8 | src1 << 10 | src2 << 23 |
			  (u64)a->shrink << 36 | (u64)a->outmod << 38 | (u64)a->mask << 40;
	else
		a->body = a->op | src1 << 8 | src2 << 14 | (u64)a->outmod << 26 |
			  (u64)(a->shrink == MG_SHRINK_NONE) << 28 | (u64)a->comp << 29;
}

void mg_branch_encode(struct mg_branch *br)
{
	u64 bits = br->op | br->dest_tag << 3;

	if (br->extended)
		bits |= br->call << 7 | (u64)(br->offset & 0x7fffff) << 9 | (u64)br->cond << 32;
	else if (br->op == MG_BR_JUMP)
		bits |= br->call << 7 | (br->offset & 0x7f) << 9;
	else
		bits |= (br->offset & 0x7f) << 7 | (br->cond & 3) << 14;
	br->bits = bits;
}

void mg_ldst_encode(struct mg_ldst *l)
{
	l->bits = l->op | l->reg << 8 | l->mask << 13 | (u64)l->swizzle << 17 |
		  (u64)l->arg_comp << 25 | (u64)l->arg_reg << 27 | (u64)l->toggle << 30 |
		  (u64)l->index_format << 31 | (u64)l->index_comp << 33 |
		  (u64)l->index_reg << 35 | (u64)l->index_shift << 38 |
		  (u64)(l->offset & 0x3ffff) << 42;
}

u64 mg_const(const u32 consts[4], u32 bits, u32 i)
{
	if (bits * i >= 128)
		return 0;
	if (bits == 64)
		return consts[2 * i] | (u64)consts[2 * i + 1] << 32;
	return consts[bits * i / 32] >> (bits * i % 32) & GENMASK_ULL(bits - 1, 0);
}

bool mg_alu_op_twin(u32 op)
{
	const struct mg_alu_def *def = mg_alu_op(op), *other;
	u32 i;

	for (i = 0; i < 256; i++) {
		other = mg_alu_op(i);
		if (i != op && other && !strcmp(other->name, def->name) &&
		    !((other->flags ^ def->flags) & ~MG_UNSIGNED))
			return true;
	}
	return false;
}

const char *mg_tag_name(u32 tag)
{
	static const char * const names[16] = {
		"invalid", "break", "tex/vt", "tex", "tex/bar", "ldst", "unk1", "unk2",
		"alu/4", "alu/8", "alu/12", "alu/16", "aluw/4", "aluw/8", "aluw/12", "aluw/16",
	};

	return names[tag & 15];
}

const char *mg_unit_name(enum mg_unit unit)
{
	static const char * const names[MG_NUM_UNITS] = { "vmul", "sadd", "vadd", "smul", "lut" };

	return unit < MG_NUM_UNITS ? names[unit] : NULL;
}
