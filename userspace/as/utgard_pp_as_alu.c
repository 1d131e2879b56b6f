// SPDX-License-Identifier: MIT
/*
 * Utgard pixel assembler: multipliers, adders, combiner.
 */
#include "utgard_pp_as.h"

/**
 * struct alu - operation being read
 * @pas: assembly
 * @name: mnemonic without unit and modifier
 * @modifier: enum upp_modifier
 * @tokens: operands
 * @n: number of @tokens
 */
struct alu {
	struct pas *pas;
	const char *name;
	u32 modifier;
	char **tokens;
	u32 n;
};

/* Code of an operation; its operands in @nsrc. */
static int op_code(struct alu *a, enum upp_class class, bool scalar, u32 high, u32 *nsrc)
{
	const struct upp_op_info *op;
	u32 n, i;
	s64 code;

	op = upp_ops(&n);
	for (i = 0; i < n; i++, op++) {
		if (op->class != class || strcmp(op->name, a->name) ||
		    (scalar && op->flags & UPP_VEC_ONLY))
			continue;
		*nsrc = op->nsrc;
		return op->code;
	}
	if (!strncmp(a->name, "op", 2) && uas_number(a->name + 2, 0, high, &code)) {
		op = upp_op(class, (u32)code);
		if (!op || (scalar && op->flags & UPP_VEC_ONLY)) {
			*nsrc = 2;
			return (int)code;
		}
	}
	return pas_error(a->pas, "this unit cannot %.40s", a->name);
}

/* Take a power of two off the first operand of a multiplication. */
static int take_shift(struct alu *a, char *s, u32 *op)
{
	char *left = strstr(s, "<<"), *at = left ? left : strstr(s, ">>");
	s64 n;

	if (!at)
		return 0;
	*at = '\0';
	/* Mesa's listings write the code after the operator, up to 7. */
	if (*op || !uas_number(at + 2, 0, left ? 7 : 4, &n))
		return pas_error(a->pas, "not a power of two: %.40s", at + 2);
	*op = left ? (u32)n : (u32)(8 - n) & 7;
	return 0;
}

static bool count_ok(struct alu *a, u32 nsrc)
{
	if (a->n == nsrc || a->n == nsrc + 1)
		return true;
	pas_error(a->pas, "%.40s has %u operands", a->name, nsrc);
	return false;
}

/* ---- operands ---- */

/* @mul_in may be NULL: then it is no result of a multiplier; likewise @absolute, @negate. */
static int take_vector(struct alu *a, u32 token, u32 *reg, u32 *swizzle, u32 *absolute,
		       u32 *negate, u32 *mul_in)
{
	struct pas_src src;

	if (pas_vector(a->pas, a->tokens[token], mul_in ? "^v0" : NULL, &src))
		return -EINVAL;
	if (!absolute && (src.absolute || src.negate))
		return pas_error(a->pas, "the vector has no signs");
	*reg = src.reg;
	*swizzle = src.swizzle;
	if (absolute) {
		*absolute = src.absolute;
		*negate = src.negate;
	}
	if (mul_in)
		*mul_in = src.special;
	return 0;
}

static int take_scalar(struct alu *a, u32 token, u32 *lane, u32 *absolute, u32 *negate,
		       u32 *mul_in)
{
	struct pas_src src;

	if (pas_scalar(a->pas, a->tokens[token], mul_in ? "^s0" : NULL, &src))
		return -EINVAL;
	*lane = src.reg << 2 | src.swizzle;
	*absolute = src.absolute;
	*negate = src.negate;
	if (mul_in)
		*mul_in = src.special;
	return 0;
}

/* ---- units ---- */

static int read_vec(struct alu *a, enum upp_field field)
{
	bool mul = field == UPP_VEC_MUL;
	union upp_part *part = pas_begin(a->pas, mul ? UPP_FORM_VEC_MUL : UPP_FORM_VEC_ADD, field);
	struct upp_vec *v = part ? &part->vec : NULL;
	u32 nsrc = 0, dest;
	int code;

	code = op_code(a, mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, false, 31, &nsrc);
	if (!v || code < 0 || !count_ok(a, nsrc))
		return -EINVAL;
	v->op = (u32)code;
	v->modifier = a->modifier;
	dest = a->n - nsrc;
	if (dest && pas_masked(a->pas, a->tokens[0], &v->dest, &v->mask))
		return -EINVAL;
	if (mul && take_shift(a, a->tokens[dest], &v->op))
		return -EINVAL;
	if (take_vector(a, dest, &v->arg0, &v->swizzle0, &v->absolute0, &v->negate0,
			mul ? NULL : &v->mul_in))
		return -EINVAL;
	return nsrc < 2 ? 0 : take_vector(a, dest + 1, &v->arg1, &v->swizzle1, &v->absolute1,
					  &v->negate1, NULL);
}

static int read_scalar(struct alu *a, enum upp_field field)
{
	bool mul = field == UPP_SCALAR_MUL;
	union upp_part *part = pas_begin(a->pas, mul ? UPP_FORM_SCALAR_MUL : UPP_FORM_SCALAR_ADD,
					 field);
	struct upp_scalar *v = part ? &part->scalar : NULL;
	u32 nsrc = 0, dest;
	int code;

	code = op_code(a, mul ? UPP_CLASS_MUL : UPP_CLASS_ADD, true, 31, &nsrc);
	if (!v || code < 0 || !count_ok(a, nsrc))
		return -EINVAL;
	v->op = (u32)code;
	v->modifier = a->modifier;
	dest = a->n - nsrc;
	v->output = dest;
	if (dest && pas_dest(a->pas, a->tokens[0], &v->dest))
		return -EINVAL;
	if (mul && take_shift(a, a->tokens[dest], &v->op))
		return -EINVAL;
	if (take_scalar(a, dest, &v->arg0, &v->absolute0, &v->negate0, mul ? NULL : &v->mul_in))
		return -EINVAL;
	return nsrc < 2 ? 0 : take_scalar(a, dest + 1, &v->arg1, &v->absolute1, &v->negate1, NULL);
}

/* A vector times a scalar: $0 $1.x $2. */
static int read_scale(struct alu *a)
{
	union upp_part *part = pas_begin(a->pas, UPP_FORM_SCALE, UPP_COMBINE);
	struct upp_scale *v = part ? &part->scale : NULL;

	if (!v)
		return -EINVAL;
	if (a->n != 3 || a->modifier)
		return pas_error(a->pas, "mul.s2 has a destination, a scalar and a vector");
	if (pas_masked(a->pas, a->tokens[0], &v->dest, &v->mask) ||
	    take_scalar(a, 1, &v->arg0, &v->absolute0, &v->negate0, NULL))
		return -EINVAL;
	return take_vector(a, 2, &v->reg, &v->swizzle, NULL, NULL, NULL);
}

static int read_atan(struct alu *a, u32 code, u32 nsrc)
{
	union upp_part *part = pas_begin(a->pas, UPP_FORM_ATAN, UPP_COMBINE);
	struct upp_atan *v = part ? &part->atan : NULL;

	if (!v)
		return -EINVAL;
	if (a->n != nsrc + 1 || a->modifier)
		return pas_error(a->pas, "%s.s2 has a destination and %u operands", a->name, nsrc);
	v->op = code;
	if (pas_masked(a->pas, a->tokens[0], &v->dest, &v->mask) ||
	    take_scalar(a, 1, &v->arg0, &v->absolute0, &v->negate0, NULL))
		return -EINVAL;
	return nsrc < 2 ? 0 : take_scalar(a, 2, &v->arg1, &v->absolute1, &v->negate1, NULL);
}

static int read_atan_end(struct alu *a)
{
	union upp_part *part = pas_begin(a->pas, UPP_FORM_ATAN_END, UPP_COMBINE);
	struct upp_atan_end *v = part ? &part->atan_end : NULL;

	if (!v)
		return -EINVAL;
	v->modifier = a->modifier;
	if (a->n != 2)
		return pas_error(a->pas, "atan_pt2.s2 has a destination and a vector");
	if (pas_dest(a->pas, a->tokens[0], &v->dest))
		return -EINVAL;
	return take_vector(a, 1, &v->reg, &v->swizzle, NULL, NULL, NULL);
}

static int read_combine(struct alu *a)
{
	union upp_part *part;
	struct upp_combine *v;
	u32 nsrc = 0;
	int code;

	if (!strcmp(a->name, "mul"))
		return read_scale(a);
	if (!strcmp(a->name, "atan_pt2"))
		return read_atan_end(a);
	code = op_code(a, UPP_CLASS_COMBINE, false, 15, &nsrc);
	if (code < 0)
		return -EINVAL;
	if (code == UPP_OP_COMBINE_ATAN || code == UPP_OP_COMBINE_ATAN2)
		return read_atan(a, (u32)code, nsrc);
	part = pas_begin(a->pas, UPP_FORM_COMBINE, UPP_COMBINE);
	if (!part)
		return -EINVAL;
	v = &part->combine;
	if (a->n != 2)
		return pas_error(a->pas, "%.40s.s2 has a destination and an operand", a->name);
	v->op = (u32)code;
	v->modifier = a->modifier;
	if (pas_dest(a->pas, a->tokens[0], &v->dest))
		return -EINVAL;
	return take_scalar(a, 1, &v->arg0, &v->absolute0, &v->negate0, NULL);
}

static bool read_modifier(struct alu *a, char *s)
{
	static const char * const names[] = { NULL, "sat", "pos", "int" };
	u32 i;

	for (i = 1; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], s))
			continue;
		a->modifier = i;
		return true;
	}
	return false;
}

int pas_alu(struct pas *pas, char *head, char **tokens, u32 n)
{
	struct alu a = { .pas = pas, .name = head, .tokens = tokens, .n = n };
	char *unit = strrchr(head, '.'), *modifier;

	if (!unit)
		return pas_error(pas, "no such operation: %.40s", head);
	*unit++ = '\0';
	modifier = strrchr(head, '.');
	if (modifier) {
		*modifier++ = '\0';
		if (!read_modifier(&a, modifier))
			return pas_error(pas, "no such modifier: %.40s", modifier);
	}
	if (!strcmp(unit, "v0"))
		return read_vec(&a, UPP_VEC_MUL);
	if (!strcmp(unit, "v1"))
		return read_vec(&a, UPP_VEC_ADD);
	if (!strcmp(unit, "s0"))
		return read_scalar(&a, UPP_SCALAR_MUL);
	if (!strcmp(unit, "s1"))
		return read_scalar(&a, UPP_SCALAR_ADD);
	if (!strcmp(unit, "s2"))
		return read_combine(&a);
	return pas_error(pas, "no such unit: %.40s", unit);
}
