// SPDX-License-Identifier: MIT
/*
 * Utgard pixel assembler: operands, destinations, numbers.
 */
#include <math.h>

#include "utgard_pp_as.h"

int pas_error(struct pas *pas, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return uas_error(&pas->as, pas->as.line, "%s", text);
}

/* Modifiers around an operand; returns the text between them. */
static char *take_signs(char *s, struct pas_src *src)
{
	size_t n;

	memset(src, 0, sizeof(*src));
	src->negate = *s == '-';
	s += src->negate;
	n = strlen(s);
	src->absolute = !strncmp(s, "abs(", 4) && s[n - 1] == ')';
	if (src->absolute) {
		s[n - 1] = '\0';
		s += 4;
	}
	return s;
}

static bool read_reg(const char *s, u32 *reg)
{
	s64 number;

	for (*reg = UPP_REG_CONST0; *reg <= UPP_REG_UNIFORM; ++*reg)
		if (!strcmp(upp_special_reg(*reg), s))
			return true;
	if (*s != '$' || !uas_number(s + 1, 0, 15, &number))
		return false;
	*reg = (u32)number;
	return true;
}

/* Four components; a shorter list repeats its last one. */
static bool read_swizzle(const char *s, u32 *swizzle)
{
	size_t n = strlen(s), i;

	*swizzle = 0;
	for (i = 0; i < 4; i++) {
		const char *p = strchr("xyzw", s[i < n ? i : n - 1]);

		if (!n || n > 4 || !p)
			return false;
		*swizzle |= (u32)(p - "xyzw") << (2 * i);
	}
	return true;
}

int pas_vector(struct pas *pas, char *s, const char *special, struct pas_src *src)
{
	char *dot;

	s = take_signs(s, src);
	dot = strchr(s, '.');
	src->swizzle = 0xe4;
	if (dot) {
		*dot = '\0';
		if (!read_swizzle(dot + 1, &src->swizzle))
			return pas_error(pas, "not components: %.40s", dot + 1);
	}
	if (special && !strcmp(s, special)) {
		src->special = true;
		return 0;
	}
	return read_reg(s, &src->reg) ? 0 : pas_error(pas, "not an operand: %.40s", s);
}

int pas_scalar(struct pas *pas, char *s, const char *special, struct pas_src *src)
{
	int comp;

	s = take_signs(s, src);
	if (special && !strcmp(s, special)) {
		src->special = true;
		return 0;
	}
	comp = uas_component(s);
	if (comp < 0 || !read_reg(s, &src->reg))
		return pas_error(pas, "not a scalar: %.40s", s);
	src->swizzle = (u32)comp;
	return 0;
}

int pas_lane(struct pas *pas, char *s, u32 *lane)
{
	struct pas_src src;

	if (pas_scalar(pas, s, NULL, &src))
		return -EINVAL;
	if (src.absolute || src.negate)
		return pas_error(pas, "this operand has no signs");
	*lane = src.reg << 2 | src.swizzle;
	return 0;
}

int pas_masked(struct pas *pas, char *s, u32 *reg, u32 *mask)
{
	char *dot = strchr(s, '.');
	s64 number = UPP_REG_NOWHERE;

	*mask = 15;
	if (dot) {
		*dot = '\0';
		*mask = uas_mask(dot + 1);
		if (!*mask && dot[1])
			return pas_error(pas, "not components: %.40s", dot + 1);
	}
	if (strcmp(s, "^discard") && (*s != '$' || !uas_number(s + 1, 0, 15, &number)))
		return pas_error(pas, "not a destination: %.40s", s);
	*reg = (u32)number;
	return 0;
}

int pas_dest(struct pas *pas, char *s, u32 *lane)
{
	int comp = uas_component(s);
	s64 number;

	if (comp < 0 || *s != '$' || !uas_number(s + 1, 0, 15, &number))
		return pas_error(pas, "not a scalar destination: %.40s", s);
	*lane = (u32)number << 2 | (u32)comp;
	return 0;
}

int pas_index(struct pas *pas, char *s, s64 low, s64 high, s64 *index, u32 *align)
{
	char *dot = strchr(s, '.');
	const char *comp = dot ? dot + 1 : "";
	const char *p = *comp && !comp[1] ? strchr("xyzw", *comp) : NULL;
	s64 row;

	if (dot)
		*dot = '\0';
	if (!uas_number(s, -0x10000, 0x10000, &row))
		return pas_error(pas, "not an index: %.40s", s);
	if (!dot) {
		*align = UPP_ALIGN_VEC4;
		*index = row;
	} else if (p) {
		*align = UPP_ALIGN_SCALAR;
		*index = 4 * row + (p - "xyzw");
	} else if (!strcmp(comp, "xy") || !strcmp(comp, "zw")) {
		*align = UPP_ALIGN_VEC2;
		*index = 2 * row + (*comp == 'z');
	} else {
		return pas_error(pas, "not components: %.40s", comp);
	}
	if (*index < low || *index > high)
		return pas_error(pas, "index %lld is out of range", (long long)*index);
	return 0;
}

char *pas_offset(char *s)
{
	char *plus = strchr(s, '+');

	if (plus)
		*plus++ = '\0';
	return plus;
}

/* To nearest, ties to even. */
static u32 to_half(double value)
{
	u32 sign = signbit(value) ? 0x8000 : 0;
	double a = fabs(value), scaled;
	int exponent;

	if (!a)
		return sign;
	if (isinf(a))
		return sign | 0x7c00;
	frexp(a, &exponent);
	/* The last bit of normal numbers has the weight 2^(exponent - 11). */
	exponent = exponent < -13 ? -13 : exponent;
	scaled = rint(ldexp(a, 11 - exponent));
	/* A carry out of the mantissa correctly increments the exponent. */
	return sign | ((u32)(exponent + 13) * 0x400 + (u32)scaled);
}

int pas_half(struct pas *pas, const char *s, u32 *half)
{
	double value;
	char *end;
	s64 bits;

	if (s[0] == '0' && (s[1] | 32) == 'x') {
		if (!uas_number(s, 0, 0xffff, &bits))
			return pas_error(pas, "not 16 bits: %.40s", s);
		*half = (u32)bits;
		return 0;
	}
	value = strtod(s, &end);
	if (end == s || *end || isnan(value))
		return pas_error(pas, "not a number: %.40s", s);
	if (!isinf(value) && fabs(value) >= 65520)
		return pas_error(pas, "too large for a half: %.40s", s);
	*half = to_half(value);
	return 0;
}
