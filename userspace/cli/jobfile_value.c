// SPDX-License-Identifier: MIT
/*
 * Number formats of job files: conversion, lists of values, comparison.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_json.h"

const char * const jf_type_names[JF_NUM_TYPES] = {
	[JF_U8] = "u8", [JF_U16] = "u16", [JF_U32] = "u32",
	[JF_F16] = "f16", [JF_F24] = "f24", [JF_F32] = "f32",
};

/* Small binary formats: sign, @exp bits of exponent, @man bits of mantissa. */
struct small_float {
	unsigned int exp;
	unsigned int man;
	bool truncate;
};

static const struct small_float f16_format = { .exp = 5, .man = 10 };
static const struct small_float f24_format = { .exp = 7, .man = 16, .truncate = true };

unsigned int jf_type_bytes(enum jf_type type)
{
	switch (type) {
	case JF_U8:
		return 1;
	case JF_U16:
	case JF_F16:
		return 2;
	default:
		return 4;
	}
}

static bool is_float(enum jf_type type)
{
	return type == JF_F16 || type == JF_F24 || type == JF_F32;
}

static uint32_t encode_small(const struct small_float *f, double num)
{
	int bias = (1 << (f->exp - 1)) - 1, e;
	uint32_t sign = (signbit(num) ? 1u : 0u) << (f->exp + f->man);
	uint32_t inf = ((1u << f->exp) - 1) << f->man;
	double m, scaled;
	uint64_t n;

	if (isnan(num))
		return sign | inf | 1u << (f->man - 1);
	if (isinf(num))
		return sign | inf;
	if (num == 0)
		return sign;
	m = frexp(fabs(num), &e);	/* 0.5 <= m < 1 */
	e += bias - 1;
	/* Below the smallest normal number the exponent stays and bits are lost. */
	scaled = ldexp(m, (int)f->man + 1 + (e < 1 ? e - 1 : 0));
	n = (uint64_t)(f->truncate ? trunc(scaled) : nearbyint(scaled));
	if (e < 1)
		e = 1;
	/* The hidden bit, and a carry out of the mantissa, go into the exponent. */
	n += (uint64_t)(e - 1) << f->man;
	if (n >= inf)
		return sign | (f->truncate ? inf - 1 : inf);
	return sign | (uint32_t)n;
}

static double decode_small(const struct small_float *f, uint32_t bits)
{
	int bias = (1 << (f->exp - 1)) - 1;
	uint32_t man = bits & ((1u << f->man) - 1);
	uint32_t e = bits >> f->man & ((1u << f->exp) - 1);
	double v;

	if (e == (1u << f->exp) - 1)
		v = man ? NAN : INFINITY;
	else if (!e)
		v = ldexp(man, 1 - bias - (int)f->man);
	else
		v = ldexp(man | 1u << f->man, (int)e - bias - (int)f->man);
	return bits >> (f->exp + f->man) & 1 ? -v : v;
}

uint32_t jf_encode(enum jf_type type, double num)
{
	float f = (float)num;
	uint32_t bits;

	switch (type) {
	case JF_F32:
		memcpy(&bits, &f, 4);
		return bits;
	case JF_F16:
		return encode_small(&f16_format, num);
	case JF_F24:
		return encode_small(&f24_format, num);
	default:
		return (uint32_t)(int64_t)num;
	}
}

double jf_decode(enum jf_type type, uint32_t bits)
{
	float f;

	switch (type) {
	case JF_F32:
		memcpy(&f, &bits, 4);
		return f;
	case JF_F16:
		return decode_small(&f16_format, bits);
	case JF_F24:
		return decode_small(&f24_format, bits);
	default:
		return bits;
	}
}

uint32_t jf_load(enum jf_type type, const void *p)
{
	const uint8_t *b = p;

	switch (jf_type_bytes(type)) {
	case 1:
		return b[0];
	case 2:
		return b[0] | (uint32_t)b[1] << 8;
	default:
		return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	}
}

void jf_store(enum jf_type type, uint32_t bits, void *p)
{
	unsigned int i, n = jf_type_bytes(type);
	uint8_t *b = p;

	for (i = 0; i < n; i++)
		b[i] = (uint8_t)(bits >> 8 * i);
}

/* ---- parsing ---- */

enum jf_type jf_values_type(struct json_object *o)
{
	unsigned int t;

	for (t = 0; t < JF_NUM_TYPES; t++) {
		if (json_object_object_get_ex(o, jf_type_names[t], NULL))
			break;
	}
	return t;
}

static uint32_t type_max(enum jf_type type)
{
	switch (type) {
	case JF_U8:
		return 0xff;
	case JF_U16:
	case JF_F16:
		return 0xffff;
	case JF_F24:
		return 0xffffff;
	default:
		return 0xffffffff;
	}
}

static int parse_word(struct jf_ctx *c, const char *s, enum jf_type type, bool expect,
		      struct jf_value *v)
{
	const char *end;
	uint64_t n;

	if (is_float(type)) {
		v->kind = expect ? JF_NAN : JF_NUMBER;
		v->num = NAN;
		if (!strcmp(s, "nan"))
			goto encode;
		v->kind = JF_NUMBER;
		v->num = INFINITY;
		if (!strcmp(s, "inf"))
			goto encode;
		v->num = -INFINITY;
		if (!strcmp(s, "-inf"))
			goto encode;
		v->kind = JF_INF;
		if (expect && !strcmp(s, "+-inf"))
			goto encode;
	}
	v->kind = JF_BITS;
	if (!jf_parse_u64(s, &end, &n) || *end)
		return jf_error(c, "expected a number, %s, got \"%.40s\"", is_float(type) ?
				"\"inf\", \"-inf\", \"nan\" or bits as \"0x...\"" :
				"decimal or with 0x", s);
	if (n > type_max(type))
		return jf_error(c, "\"%.40s\" does not fit into %s", s, jf_type_names[type]);
	v->bits = (uint32_t)n;
	v->num = jf_decode(type, v->bits);
	return 0;
encode:
	v->bits = jf_encode(type, v->num);
	return 0;
}

/* A number of a float type. One that is too large would be an infinity. */
static int take_float(struct jf_ctx *c, double num, enum jf_type type, struct jf_value *v)
{
	v->kind = JF_NUMBER;
	v->num = num;
	v->bits = jf_encode(type, num);
	if (isinf(jf_decode(type, v->bits)))
		return jf_error(c, "%g is too large for %s (an infinity is \"inf\")", num,
				jf_type_names[type]);
	return 0;
}

static int parse_value(struct jf_ctx *c, struct json_object *o, enum jf_type type, bool expect,
		       struct jf_value *v)
{
	int64_t n;

	switch (json_object_get_type(o)) {
	case json_type_null:
		if (!expect)
			break;
		v->kind = JF_ANY;
		return 0;
	case json_type_string:
		return parse_word(c, json_object_get_string(o), type, expect, v);
	case json_type_int:
		v->kind = JF_NUMBER;
		n = json_object_get_int64(o);
		if (is_float(type))
			return take_float(c, json_object_get_double(o), type, v);
		if (n > (int64_t)type_max(type) || n < -(int64_t)(type_max(type) / 2 + 1))
			return jf_error(c, "%lld does not fit into %s", (long long)n,
					jf_type_names[type]);
		v->bits = (uint32_t)n & type_max(type);
		v->num = v->bits;
		return 0;
	case json_type_double:
		if (!is_float(type))
			break;
		return take_float(c, json_object_get_double(o), type, v);
	default:
		break;
	}
	return jf_error(c, "expected a value of type %s%s", jf_type_names[type],
			expect ? " or null" : "");
}

/* Lists may be nested, for readability only. */
static int count_values(struct jf_ctx *c, struct json_object *list, uint64_t *n)
{
	size_t i, len = json_object_array_length(list);
	int ret;

	for (i = 0; i < len; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (json_object_is_type(o, json_type_array)) {
			ret = count_values(c, o, n);
			if (ret)
				return ret;
		} else if (++*n > c->values_left) {
			return jf_error(c, "more than %u values in this file", JF_MAX_VALUES);
		}
	}
	return 0;
}

static int fill_values(struct jf_ctx *c, struct json_object *list, bool expect,
		       struct jf_values *out)
{
	size_t i, len = json_object_array_length(list), mark;
	int ret = 0;

	for (i = 0; !ret && i < len; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		mark = jf_enter_index(c, i);
		if (json_object_is_type(o, json_type_array))
			ret = fill_values(c, o, expect, out);
		else
			ret = parse_value(c, o, out->type, expect, &out->v[out->count++]);
		jf_leave(c, mark);
	}
	return ret;
}

int jf_parse_values(struct jf_ctx *c, struct json_object *list, enum jf_type type, bool expect,
		    struct jf_values *out)
{
	uint64_t n = 0;
	int ret;

	out->type = type;
	out->count = 0;
	if (!json_object_is_type(list, json_type_array))
		return jf_error(c, "expected a list of values");
	ret = count_values(c, list, &n);
	if (ret)
		return ret;
	c->values_left -= n;
	out->v = jf_alloc(&c->jf->blocks, n * sizeof(*out->v));
	if (!out->v)
		return -ENOMEM;
	return fill_values(c, list, expect, out);
}

/* ---- comparison ---- */

/* Number of representable values between two of the same type. */
static uint64_t ulp_distance(enum jf_type type, uint32_t a, uint32_t b)
{
	uint32_t sign = type == JF_F16 ? 0x8000 : type == JF_F24 ? 0x800000 : 0x80000000;
	int64_t x = a & (sign - 1), y = b & (sign - 1);

	x = a & sign ? -x : x;
	y = b & sign ? -y : y;
	return (uint64_t)(x > y ? x - y : y - x);
}

bool jf_match(const struct jf_values *want, uint32_t n, uint32_t bits, const struct jf_expect *tol)
{
	const struct jf_value *v = &want->v[n];
	double got = jf_decode(want->type, bits), diff;

	switch (v->kind) {
	case JF_ANY:
		return true;
	case JF_BITS:
		return bits == v->bits;
	case JF_NAN:
		return isnan(got);
	case JF_INF:
		return isinf(got);
	case JF_NUMBER:
		break;
	}
	if (!is_float(want->type)) {
		diff = fabs(got - v->num);
		return diff <= tol->abs_tol;
	}
	/* Without a tolerance: equal as numbers of the type, so -0 equals 0. */
	if (got == jf_decode(want->type, v->bits))
		return true;
	if (!isfinite(got) || !isfinite(v->num))
		return false;
	diff = fabs(got - v->num);
	if (tol->abs_tol && diff <= tol->abs_tol)
		return true;
	if (tol->rel_tol && diff <= tol->rel_tol * fabs(v->num))
		return true;
	return tol->ulp_tol && ulp_distance(want->type, bits, v->bits) <= tol->ulp_tol;
}
