// SPDX-License-Identifier: MIT
/*
 * Values and their text.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "debug_value.h"
#include "jobfile.h"

struct dbg_value dbg_int(int64_t n)
{
	return (struct dbg_value){ .type = DBG_SIGNED, .bits = 64, .num = 1, .v = { (uint64_t)n } };
}

struct dbg_value dbg_uint(uint64_t n, unsigned int bits)
{
	return (struct dbg_value){ .type = DBG_UNSIGNED, .bits = bits, .num = 1, .v = { n } };
}

struct dbg_value dbg_double(double n)
{
	struct dbg_value v = { .type = DBG_FLOAT, .bits = 64, .num = 1 };

	memcpy(&v.v[0], &n, 8);
	return v;
}

static uint64_t mask(unsigned int bits)
{
	return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static int64_t extend(uint64_t v, unsigned int bits)
{
	return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static double float_of(uint64_t bits, unsigned int size)
{
	double d;

	if (size == 64) {
		memcpy(&d, &bits, 8);
		return d;
	}
	return jf_decode(size == 16 ? JF_F16 : JF_F32, (uint32_t)bits);
}

static uint64_t bits_of(double d, unsigned int size)
{
	uint64_t bits;

	if (size == 64) {
		memcpy(&bits, &d, 8);
		return bits;
	}
	return jf_encode(size == 16 ? JF_F16 : JF_F32, d);
}

int64_t dbg_to_int(const struct dbg_value *v, unsigned int n)
{
	double d;

	switch (v->type) {
	case DBG_SIGNED:
		return extend(v->v[n], v->bits);
	case DBG_UNSIGNED:
		return (int64_t)(v->v[n] & mask(v->bits));
	default:
		d = float_of(v->v[n], v->bits);
		if (isnan(d))
			return 0;
		if (d >= 9223372036854775808.0)
			return INT64_MAX;
		return d < -9223372036854775808.0 ? INT64_MIN : (int64_t)d;
	}
}

double dbg_to_double(const struct dbg_value *v, unsigned int n)
{
	switch (v->type) {
	case DBG_SIGNED:
		return (double)extend(v->v[n], v->bits);
	case DBG_UNSIGNED:
		return (double)(v->v[n] & mask(v->bits));
	default:
		return float_of(v->v[n], v->bits);
	}
}

uint64_t dbg_convert(const struct dbg_value *v, unsigned int n, enum dbg_type type,
		     unsigned int bits)
{
	if (type == DBG_FLOAT)
		return bits_of(dbg_to_double(v, n), bits);
	return (uint64_t)dbg_to_int(v, n) & mask(bits);
}

static const char *binary(uint64_t v, bool zeros, unsigned int bits, char *buf, size_t size)
{
	unsigned int n = 0, top = bits;

	while (!zeros && top > 1 && !(v >> (top - 1) & 1))
		top--;
	while (top && n + 1 < size)
		buf[n++] = v >> --top & 1 ? '1' : '0';
	buf[n] = 0;
	return buf;
}

static const char *float_text(double d, unsigned int bits, char *buf, size_t size)
{
	snprintf(buf, size, "%.*g", bits == 64 ? 17 : bits == 16 ? 5 : 9, d);
	return buf;
}

const char *dbg_component(const struct dbg_value *v, unsigned int n, char letter, char *buf,
			  size_t size)
{
	uint64_t raw = v->v[n] & mask(v->bits);
	int c;

	if (!letter)
		letter = v->type == DBG_FLOAT ? 'f' : v->hex ? 'x' :
			 v->type == DBG_SIGNED ? 'd' : 'u';
	/* Constants have no bit pattern of their own: convert them by value. */
	if (v->type == DBG_FLOAT && v->bits == 64 && letter != 'f' && letter != 'x')
		raw = (uint64_t)dbg_to_int(v, n);
	switch (letter) {
	case 'd':
		snprintf(buf, size, "%" PRId64, extend(raw, v->bits));
		break;
	case 'u':
		snprintf(buf, size, "%" PRIu64, raw);
		break;
	case 'o':
		snprintf(buf, size, "%s%" PRIo64, raw ? "0" : "", raw);
		break;
	case 't':
		return binary(raw, false, v->bits, buf, size);
	case 'z':
		snprintf(buf, size, "0x%0*" PRIx64, (int)(v->bits / 4), raw);
		break;
	case 'c':
		c = (int)(raw & 255);
		snprintf(buf, size, isprint(c) ? "%d '%c'" : "%d '\\%03o'", c, c);
		break;
	case 'f':
		if (v->type == DBG_SIGNED && v->bits == 64)
			snprintf(buf, size, "%" PRId64, (int64_t)raw);
		else if (v->bits == 8)
			snprintf(buf, size, "%" PRIu64, raw);
		else
			float_text(float_of(raw, v->bits), v->bits, buf, size);
		break;
	default:
		snprintf(buf, size, "0x%" PRIx64, raw);
	}
	return buf;
}

const char *dbg_text(const struct dbg_value *v, char letter, char *buf, size_t size)
{
	bool names = !v->lanes && v->num <= 4 && v->place == DBG_REGISTER;
	char one[80];
	size_t len;
	unsigned int i;

	if (v->num == 1 && !v->vector)
		return dbg_component(v, 0, letter, buf, size);
	len = (size_t)snprintf(buf, size, "{");
	for (i = 0; i < v->num && len < size; i++) {
		dbg_component(v, i, letter, one, sizeof(one));
		if (names)
			len += (size_t)snprintf(buf + len, size - len, "%s%c = %s", i ? ", " : "",
						"xyzw"[(v->first + i) & 3], one);
		else
			len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "", one);
	}
	if (len < size)
		snprintf(buf + len, size - len, "}");
	return buf;
}

bool dbg_type_by_name(const char *name, size_t len, enum dbg_type *type, unsigned int *bits)
{
	static const struct {
		const char *name;
		enum dbg_type type;
		unsigned int bits;
	} types[] = {
		{ "u8", DBG_UNSIGNED, 8 }, { "u16", DBG_UNSIGNED, 16 },
		{ "u32", DBG_UNSIGNED, 32 }, { "u64", DBG_UNSIGNED, 64 },
		{ "s8", DBG_SIGNED, 8 }, { "s16", DBG_SIGNED, 16 },
		{ "s32", DBG_SIGNED, 32 }, { "s64", DBG_SIGNED, 64 },
		{ "f16", DBG_FLOAT, 16 }, { "f32", DBG_FLOAT, 32 }, { "f64", DBG_FLOAT, 64 },
		{ "char", DBG_SIGNED, 8 }, { "short", DBG_SIGNED, 16 }, { "int", DBG_SIGNED, 32 },
		{ "long", DBG_SIGNED, 64 }, { "unsigned", DBG_UNSIGNED, 32 },
		{ "float", DBG_FLOAT, 32 }, { "double", DBG_FLOAT, 64 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) == len && !memcmp(types[i].name, name, len)) {
			*type = types[i].type;
			*bits = types[i].bits;
			return true;
		}
	}
	return false;
}
