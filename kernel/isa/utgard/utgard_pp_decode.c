// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard pixel processor: tables, decoding and encoding of instructions.
 */
#include "utgard_pp.h"

#define PART(n, p, w, d) { #n, (p), (w), (d) },

static const struct upp_field_info ctrl_parts[] = { UPP_CTRL_FIELDS(PART) };
static const struct upp_field_info varying_parts[] = { UPP_VARYING_FIELDS(PART) };
static const struct upp_field_info varying_reg_parts[] = { UPP_VARYING_REG_FIELDS(PART) };
static const struct upp_field_info sampler_parts[] = { UPP_SAMPLER_FIELDS(PART) };
static const struct upp_field_info uniform_parts[] = { UPP_UNIFORM_FIELDS(PART) };
static const struct upp_field_info vec_parts[] = { UPP_VEC_FIELDS(PART) };
static const struct upp_field_info scalar_parts[] = { UPP_SCALAR_FIELDS(PART) };
static const struct upp_field_info combine_parts[] = { UPP_COMBINE_FIELDS(PART) };
static const struct upp_field_info atan_parts[] = { UPP_ATAN_FIELDS(PART) };
static const struct upp_field_info atan_end_parts[] = { UPP_ATAN_END_FIELDS(PART) };
static const struct upp_field_info scale_parts[] = { UPP_SCALE_FIELDS(PART) };
static const struct upp_field_info store_parts[] = { UPP_STORE_FIELDS(PART) };
static const struct upp_field_info fb_read_parts[] = { UPP_FB_READ_FIELDS(PART) };
static const struct upp_field_info branch_parts[] = { UPP_BRANCH_FIELDS(PART) };
static const struct upp_field_info const_parts[] = { UPP_CONST_FIELDS(PART) };

static const struct upp_form_info forms[UPP_NUM_FORMS] = {
	[UPP_FORM_CTRL] = { "ctrl", UPP_NUM_FIELDS, ARRAY_SIZE(ctrl_parts), ctrl_parts },
	[UPP_FORM_VARYING] = { "varying", UPP_VARYING, ARRAY_SIZE(varying_parts), varying_parts },
	[UPP_FORM_VARYING_REG] = { "varying", UPP_VARYING,
					ARRAY_SIZE(varying_reg_parts), varying_reg_parts },
	[UPP_FORM_SAMPLER] = { "sampler", UPP_SAMPLER, ARRAY_SIZE(sampler_parts), sampler_parts },
	[UPP_FORM_UNIFORM] = { "uniform", UPP_UNIFORM, ARRAY_SIZE(uniform_parts), uniform_parts },
	/* The multiplier lacks the last part: it has no multiplier result as operand. */
	[UPP_FORM_VEC_MUL] = { "vec_mul", UPP_VEC_MUL, ARRAY_SIZE(vec_parts) - 1, vec_parts },
	[UPP_FORM_SCALAR_MUL] = { "scalar_mul", UPP_SCALAR_MUL, ARRAY_SIZE(scalar_parts) - 1,
				  scalar_parts },
	[UPP_FORM_VEC_ADD] = { "vec_add", UPP_VEC_ADD, ARRAY_SIZE(vec_parts), vec_parts },
	[UPP_FORM_SCALAR_ADD] = { "scalar_add", UPP_SCALAR_ADD,
					ARRAY_SIZE(scalar_parts), scalar_parts },
	[UPP_FORM_COMBINE] = { "combine", UPP_COMBINE, ARRAY_SIZE(combine_parts), combine_parts },
	[UPP_FORM_ATAN] = { "combine", UPP_COMBINE, ARRAY_SIZE(atan_parts), atan_parts },
	[UPP_FORM_ATAN_END] = { "combine", UPP_COMBINE,
					ARRAY_SIZE(atan_end_parts), atan_end_parts },
	[UPP_FORM_SCALE] = { "combine", UPP_COMBINE, ARRAY_SIZE(scale_parts), scale_parts },
	[UPP_FORM_STORE] = { "temp", UPP_TEMP, ARRAY_SIZE(store_parts), store_parts },
	[UPP_FORM_FB_READ] = { "temp", UPP_TEMP, ARRAY_SIZE(fb_read_parts), fb_read_parts },
	[UPP_FORM_BRANCH] = { "branch", UPP_BRANCH, ARRAY_SIZE(branch_parts), branch_parts },
	[UPP_FORM_CONST] = { "const0", UPP_CONST0, ARRAY_SIZE(const_parts), const_parts },
};

static const struct {
	const char *name;
	u8 bits;
} fields[UPP_NUM_FIELDS] = {
	[UPP_VARYING] = { "varying", 34 },
	[UPP_SAMPLER] = { "sampler", 62 },
	[UPP_UNIFORM] = { "uniform", 41 },
	[UPP_VEC_MUL] = { "vec_mul", 43 },
	[UPP_SCALAR_MUL] = { "scalar_mul", 30 },
	[UPP_VEC_ADD] = { "vec_add", 44 },
	[UPP_SCALAR_ADD] = { "scalar_add", 31 },
	[UPP_COMBINE] = { "combine", 30 },
	[UPP_TEMP] = { "temp", 41 },
	[UPP_BRANCH] = { "branch", 73 },
	[UPP_CONST0] = { "const0", 64 },
	[UPP_CONST1] = { "const1", 64 },
};

static const struct upp_op_info ops[] = {
#define UPP_OP(c, v, n, t, s, f) { (t), UPP_CLASS_##c, (v), (s), (f) },
#include "utgard_pp_ops.def"
#undef UPP_OP
};

const struct upp_form_info *upp_form(enum upp_form form)
{
	return &forms[form];
}

u32 upp_field_bits(enum upp_field field)
{
	return fields[field].bits;
}

const char *upp_field_name(enum upp_field field)
{
	return field < UPP_NUM_FIELDS ? fields[field].name : "ctrl";
}

const struct upp_op_info *upp_ops(u32 *n)
{
	*n = ARRAY_SIZE(ops);
	return ops;
}

const struct upp_op_info *upp_op(enum upp_class class, u32 code)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].class == class && ops[i].code == code)
			return &ops[i];
	return NULL;
}

static u32 field_bits(u32 present)
{
	u32 bits = 0, i;

	for (i = 0; i < UPP_NUM_FIELDS; i++)
		if (present >> i & 1)
			bits += fields[i].bits;
	return bits;
}

u32 upp_size(u32 present)
{
	return 1 + DIV_ROUND_UP(field_bits(present), 32);
}

/* Read @width bits, at most 32, from bit @pos; bits past the end are zero. */
static u32 get_bits(const u32 *words, u32 nwords, u32 pos, u32 width)
{
	u32 at = pos / 32;
	u64 two = at < nwords ? words[at] : 0;

	if (at + 1 < nwords)
		two |= (u64)words[at + 1] << 32;
	return (u32)(two >> (pos % 32) & ((1ULL << width) - 1));
}

void upp_ctrl_decode(u32 word, struct upp_ctrl *ctrl)
{
	u32 *v = (u32 *)ctrl, i;

	for (i = 0; i < ARRAY_SIZE(ctrl_parts); i++)
		v[i] = get_bits(&word, 1, ctrl_parts[i].pos, ctrl_parts[i].width);
}

/* Form of a field, determined by its first 16 bits. */
static enum upp_form form_of(enum upp_field field, u32 low)
{
	static const u8 plain[UPP_NUM_FIELDS] = {
		[UPP_SAMPLER] = UPP_FORM_SAMPLER, [UPP_UNIFORM] = UPP_FORM_UNIFORM,
		[UPP_VEC_MUL] = UPP_FORM_VEC_MUL, [UPP_SCALAR_MUL] = UPP_FORM_SCALAR_MUL,
		[UPP_VEC_ADD] = UPP_FORM_VEC_ADD, [UPP_SCALAR_ADD] = UPP_FORM_SCALAR_ADD,
		[UPP_BRANCH] = UPP_FORM_BRANCH, [UPP_CONST0] = UPP_FORM_CONST,
		[UPP_CONST1] = UPP_FORM_CONST,
	};
	static const u8 combines[4] = {
		UPP_FORM_COMBINE, UPP_FORM_ATAN, UPP_FORM_ATAN_END, UPP_FORM_SCALE,
	};
	u32 source = low >> 2 & 3, what = low & 3;

	switch (field) {
	case UPP_VARYING:
		if (source == UPP_FROM_CUBE &&
		    (what == UPP_CUBE_REG || what == UPP_CUBE_NORMALIZE))
			return UPP_FORM_VARYING_REG;
		return source == UPP_FROM_REG ? UPP_FORM_VARYING_REG : UPP_FORM_VARYING;
	case UPP_COMBINE:
		return (enum upp_form)combines[what];
	case UPP_TEMP:
		return source == 3 ? UPP_FORM_FB_READ : UPP_FORM_STORE;
	default:
		return (enum upp_form)plain[field];
	}
}

enum upp_reason upp_decode(const u32 *words, u32 nwords, struct upp_insn *insn)
{
	u32 pos = 32, count, i, k;

	memset(insn, 0, sizeof(*insn));
	if (!nwords)
		return UPP_TRUNCATED;
	upp_ctrl_decode(words[0], &insn->ctrl);
	count = insn->ctrl.count;
	if (count != upp_size(insn->ctrl.fields))
		return UPP_BAD_COUNT;
	if (count > nwords)
		return UPP_TRUNCATED;
	for (i = 0; i < UPP_NUM_FIELDS; i++) {
		const struct upp_form_info *f;

		if (!upp_has(insn, (enum upp_field)i))
			continue;
		insn->form[i] = form_of((enum upp_field)i, get_bits(words, count, pos, 16));
		f = &forms[insn->form[i]];
		for (k = 0; k < f->n; k++)
			insn->part[i].v[k] = get_bits(words, count, pos + f->parts[k].pos,
						      f->parts[k].width);
		pos += fields[i].bits;
	}
	insn->padding = get_bits(words, count, pos, 32 * count - pos);
	return UPP_OK;
}

bool upp_is_discard(const struct upp_branch *b)
{
	/* The whole field, from the lowest bit, is 0x007f0003. */
	return b->unknown_0 == 3 && !b->arg1 && !b->arg0 && b->greater && b->equal && b->less &&
	       b->unknown_1 == 15 && !b->target && !b->next_count;
}
