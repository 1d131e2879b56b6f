// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Integer operations for one lane. For those that have vector code, this is the portable
 * executor's implementation.
 */
#include "../softfloat.h"
#include "simt_scalar.h"

/**
 * struct part - A half or a byte of a word.
 * @bits:	width: 8 or 16
 * @shift:	position of its lowest bit
 */
struct part {
	u32 bits;
	u32 shift;
};

static u32 part_mask(struct part p)
{
	return (1U << p.bits) - 1;
}

static u32 get_u(u32 v, struct part p)
{
	return v >> p.shift & part_mask(p);
}

static s32 get_s(u32 v, struct part p)
{
	return (s32)(v << (32 - p.bits - p.shift)) >> (32 - p.bits);
}

static s32 simt_scalar_int_get(u32 v, struct part p, bool is_unsigned)
{
	return is_unsigned ? (s32)get_u(v, p) : get_s(v, p);
}

/* Relation of two numbers as a bit mask: less, equal, greater, NaN. */
static u32 relation(s64 a, s64 b)
{
	return a < b ? 1 : a == b ? 2 : 4;
}

static u32 relation_half(u32 a, u32 b)
{
	a = vs_f16_unpack(a);
	b = vs_f16_unpack(b);
	return sf_lt(a, b) ? 1 : sf_eq(a, b) ? 2 : sf_lt(b, a) ? 4 : 8;
}

static bool holds(u32 cmp, u32 relation)
{
	static const u8 when[8] = {
		[SIMT_EQ] = 2, [SIMT_GT] = 4, [SIMT_GE] = 6, [SIMT_NE] = 13, [SIMT_LT] = 1,
		[SIMT_LE] = 3, [SIMT_GTLT] = 5, [SIMT_ORD] = 7,
	};

	return when[cmp & 7] & relation;
}

static s32 min_max_part(u32 imm, u32 a, u32 b, struct part p)
{
	s32 x = simt_scalar_int_get(a, p, imm & 2), y = simt_scalar_int_get(b, p, imm & 2);

	return (imm & 1 ? x > y : x < y) ? x : y;
}

static bool cmp_part(u32 imm, const u32 *s, struct part p)
{
	bool un = imm & 0x40;

	if (imm & 0x80 && p.bits == 16)
		return holds(imm & 15, relation_half(get_u(s[0], p), get_u(s[1], p)));
	return holds(imm & 15,
		     relation(simt_scalar_int_get(s[0], p, un), simt_scalar_int_get(s[1], p, un)));
}

enum part_op { PART_ADD, PART_SUB, PART_MUL, PART_MM, PART_CMP, PART_CSEL };

/* Operation on one part; the caller truncates the result. */
static u32 part_one(enum part_op op, u32 imm, const u32 *s, struct part p)
{
	u32 a = get_u(s[0], p), b = get_u(s[1], p);

	switch (op) {
	case PART_ADD:
		return a + b;
	case PART_SUB:
		return a - b;
	case PART_MUL:
		return a * b;
	case PART_MM:
		return min_max_part(imm, s[0], s[1], p);
	case PART_CMP:
		return cmp_part(imm & 0x7f, s, p) ? simt_true16(imm, false) : 0;
	default:	/* PART_CSEL */
		return get_u(cmp_part(imm, s, p) ? s[2] : s[3], p);
	}
}

static u32 parts(enum part_op op, u32 bits, u32 imm, const u32 *s)
{
	struct part p = { .bits = bits };
	u32 r = 0;

	for (; p.shift < 32; p.shift += bits)
		r |= (part_one(op, imm, s, p) & part_mask(p)) << p.shift;
	return r;
}

/**
 * simt_perm1 - one word of PERM
 * @imm: nibbles
 * @s0: first source
 * @s1: second source
 */
u32 simt_perm1(u32 imm, u32 s0, u32 s1)
{
	u32 r = 0, i, k, v;

	for (i = 0; i < 4; i++) {
		k = imm >> (4 * i) & 15;
		if (k < SIMT_PERM_00)
			v = (k < 4 ? s0 : s1) >> (8 * (k & 3)) & 0xff;
		else if (k < SIMT_PERM_SIGN(0))
			v = k == SIMT_PERM_FF ? 0xff : 0;
		else
			v = s0 >> (8 * ((k - SIMT_PERM_SIGN(0)) & 3) + 7) & 1 ? 0xff : 0;
		r |= v << (8 * i);
	}
	return r;
}

static u32 word_op(const struct simt_uop *u, const u32 *s)
{
	u32 imm = u->imm;

	switch (u->op) {
	case SIMT_PERM:
		return simt_perm1(imm, s[0], s[1]);
	case SIMT_ICMP:
		return holds(imm & 15, relation((s32)s[0], (s32)s[1])) ? simt_true(imm) : 0;
	case SIMT_UCMP:
		return holds(imm & 15, relation(s[0], s[1])) ? simt_true(imm) : 0;
	case SIMT_ICSEL:
		return holds(imm & 15, relation((s32)s[0], (s32)s[1])) ? s[2] : s[3];
	case SIMT_UCSEL:
		return holds(imm & 15, relation(s[0], s[1])) ? s[2] : s[3];
	default:
		return 0;
	}
}

/* Operations on parts, with the parts' width. */
static const struct {
	u8 op;
	u8 bits;
} part_ops[SIMT_NUM_OPS] = {
	[SIMT_IADD16] = { PART_ADD, 16 }, [SIMT_IADD8] = { PART_ADD, 8 },
	[SIMT_ISUB16] = { PART_SUB, 16 }, [SIMT_ISUB8] = { PART_SUB, 8 },
	[SIMT_IMUL16] = { PART_MUL, 16 },
	[SIMT_IMM16] = { PART_MM, 16 }, [SIMT_IMM8] = { PART_MM, 8 },
	[SIMT_ICMP16] = { PART_CMP, 16 }, [SIMT_ICMP8] = { PART_CMP, 8 },
	[SIMT_CSEL16] = { PART_CSEL, 16 }, [SIMT_CSEL8] = { PART_CSEL, 8 },
};

/**
 * simt_scalar_int - an integer operation
 * @u: micro-op
 * @s: operands
 */
u32 simt_scalar_int(const struct simt_uop *u, const u32 *s)
{
	if (part_ops[u->op].bits)
		return parts(part_ops[u->op].op, part_ops[u->op].bits, u->imm, s);
	return word_op(u, s);
}
