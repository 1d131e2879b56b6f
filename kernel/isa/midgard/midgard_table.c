// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tables of Midgard operations.
 */
#include "midgard.h"

#define UNITS_NONE	0
#define UNITS_VMUL	BIT(MG_VMUL)
#define UNITS_VADD	BIT(MG_VADD)
#define UNITS_LUT	BIT(MG_VLUT)
#define UNITS_MUL	(BIT(MG_VMUL) | BIT(MG_SMUL))
#define UNITS_ADD	(BIT(MG_VADD) | BIT(MG_SADD))
#define UNITS_MULLUT	(UNITS_MUL | UNITS_LUT)
#define UNITS_MOST	(UNITS_MUL | UNITS_ADD)
#define UNITS_ALL	(UNITS_MOST | UNITS_LUT)
#define UNITS_VECTOR	(BIT(MG_VMUL) | BIT(MG_VADD))
#define UNITS_CSEL	(BIT(MG_VADD) | BIT(MG_SMUL))

#define TYPES_F		0
#define TYPES_I		(MG_INT_IN | MG_INT_OUT)
#define TYPES_U		(TYPES_I | MG_UNSIGNED)
#define TYPES_FI	MG_INT_OUT
#define TYPES_IF	MG_INT_IN
#define TYPES_UF	(MG_INT_IN | MG_UNSIGNED)

#define MG_ALU(code, id, name, units, types, channels, flags)
#define MG_LDST(code, name, class, type, bits, swap)
#define MG_TEXOP(code, name)

#undef MG_ALU
#define MG_ALU(code, id, name, units, types, channels, flags) \
	[code] = { name, UNITS_##units, TYPES_##types | (flags), channels },
static const struct mg_alu_def alu_ops[256] = {
#include "midgard_ops.def"
};

#undef MG_ALU
#define MG_ALU(code, id, name, units, types, channels, flags)
#undef MG_LDST
#define MG_LDST(code, name, class, type, bits, swap) \
	[code] = { name, MG_LS_##class, MG_LT_##type, bits, swap },
static const struct mg_ldst_def ldst_ops[256] = {
#include "midgard_ops.def"
};

#undef MG_LDST
#define MG_LDST(code, name, class, type, bits, swap)
#undef MG_TEXOP
#define MG_TEXOP(code, name) [code] = name,
static const char * const tex_ops[16] = {
#include "midgard_ops.def"
};

const struct mg_alu_def *mg_alu_op(u32 op)
{
	return op < ARRAY_SIZE(alu_ops) && alu_ops[op].name ? &alu_ops[op] : NULL;
}

const struct mg_ldst_def *mg_ldst_op(u32 op)
{
	return op < ARRAY_SIZE(ldst_ops) && ldst_ops[op].name ? &ldst_ops[op] : NULL;
}

const char *mg_tex_op_name(u32 op)
{
	return op < ARRAY_SIZE(tex_ops) ? tex_ops[op] : NULL;
}

u32 mg_tag_quads(u32 tag)
{
	if (mg_tag_is_alu(tag))
		return (tag & 3) + 1;
	return tag >= MG_TAG_TEX_VERTEX && tag <= MG_TAG_LDST;
}

bool mg_tex_reg_decode(u32 bits, struct mg_tex_reg *r)
{
	r->full = bits & 1;
	r->select = bits >> 1 & 1;
	r->upper = bits >> 2 & 1;
	r->comp = bits >> 3 & 3;
	return !(bits >> 5) && !(r->full && r->upper);
}

bool mg_tex_offset_reg(u32 offset, struct mg_tex_reg *r, u8 *swizzle)
{
	r->full = offset & 1;
	r->select = offset >> 1 & 1;
	r->upper = offset >> 2 & 1;
	r->comp = 0;
	*swizzle = (u8)(offset >> 3);
	return !(offset >> 11) && !(r->full && r->upper);
}
