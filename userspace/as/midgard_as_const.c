// SPDX-License-Identifier: MIT
/*
 * Midgard assembler: constants of bundles that have no line of them.
 */
#include <stdlib.h>

#include "midgard_as.h"

/* Half float that is nearest; ties go to the even one. */
static u16 to_half(float value)
{
	union { float f; u32 u; } v = { .f = value };
	u32 sign = v.u >> 16 & 0x8000, size = v.u & 0x7fffffff, shift, mantissa, rest;

	if (size > 0x7f800000)
		return (u16)(sign | 0x7e00);
	if (size >= 0x47800000)
		return (u16)(sign | 0x7c00);
	if (size < 0x33000000)
		return (u16)sign;
	mantissa = (size & 0x7fffff) | 0x800000;
	/* Below 2^-14 there are fewer digits. */
	shift = size < 0x38800000 ? 13 + 113 - (size >> 23) : 13;
	rest = mantissa & ((1U << shift) - 1);
	mantissa >>= shift;
	mantissa += rest > 1U << (shift - 1) || (rest == 1U << (shift - 1) && mantissa & 1);
	if (shift == 13)
		mantissa += ((size >> 23) - 113) << 10;
	return (u16)(sign | mantissa);
}

static bool read_float(const char *s, u32 bits, u64 *value)
{
	union { double d; u64 u; } d;
	union { float f; u32 u; } f;
	char *end;

	d.d = strtod(s, &end);
	f.f = strtof(s, NULL);
	*value = bits == 64 ? d.u : bits == 32 ? f.u : to_half(f.f);
	return end != s && !*end && bits >= 16;
}

static bool read_integer(const char *s, u32 bits, u64 *value)
{
	bool negative = *s == '-';
	u64 limit = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
	char *end;

	s += negative;
	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*value = strtoull(s, &end, 0);
	if (*end || errno || *value > (negative ? limit / 2 + 1 : limit))
		return false;
	if (negative)
		*value = -*value & limit;
	return true;
}

bool mas_small_number(const struct mg_alu *a, const char *token, u32 *imm)
{
	union { float f; u32 u; } f;
	u32 size;
	char *end;
	s64 v;

	if (mg_alu_op(a->op)->flags & MG_INT_IN) {
		if (!mas_signed(&token, -32768, 32767, &v) || *token)
			return false;
		*imm = (u16)v;
		return true;
	}
	f.f = strtof(token, &end);
	size = f.u & 0x7fffffff;
	*imm = to_half(f.f);
	return end != token && !*end && !(f.u & 0x1fff) &&
	       (!size || (size >= 0x38800000 && size < 0x47800000));
}

static void put_const(u32 *consts, u32 bits, u32 elem, u64 value)
{
	u32 at = bits * elem;

	if (bits == 64) {
		consts[at / 32] = (u32)value;
		consts[at / 32 + 1] = (u32)(value >> 32);
		return;
	}
	consts[at / 32] |= (u32)value << (at % 32);
}

/* Allocate a value: reuse an equal one or take a free slot. */
static bool place(struct mas *as, u32 bits, u64 value)
{
	u32 mask = (1U << (bits / 8)) - 1, i;

	for (i = 0; i < 128 / bits; i++)
		if ((as->taken >> (i * bits / 8) & mask) == mask &&
		    mg_const(as->b.consts, bits, i) == value)
			return true;
	for (i = 0; i < 128 / bits; i++) {
		if (as->taken >> (i * bits / 8) & mask)
			continue;
		as->taken |= mask << (i * bits / 8);
		put_const(as->b.consts, bits, i, value);
		return true;
	}
	return false;
}

/* The number as the disassembler writes it. */
static void rewrite(const struct mg_alu *a, u32 bits, u64 value, struct mg_token *token)
{
	struct mg_src s = { .kind = MG_SRC_CONST, .full = true, .bits = (u8)bits };
	u32 consts[4] = { };

	put_const(consts, bits, 0, value);
	if (MG_VECTOR >> a->unit & 1)
		mg_src_update(&s, a->mode);
	mg_shown_const(consts, a, &s, 0, token);
}

bool mas_place_consts(struct mas *as, const struct mg_alu *a, struct mg_token *tokens, u32 n)
{
	bool integer = mg_alu_op(a->op)->flags & MG_INT_IN;
	u32 bits = 8U << a->mode, i;
	u64 value = 0;

	for (i = 0; i < n; i++) {
		if (!(integer ? read_integer(tokens[i].text, bits, &value) :
				read_float(tokens[i].text, bits, &value)))
			return false;
		if (!place(as, bits, value))
			return false;
		rewrite(a, bits, value, &tokens[i]);
	}
	as->b.has_consts = true;
	return true;
}
