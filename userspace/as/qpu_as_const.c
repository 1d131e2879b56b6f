// SPDX-License-Identifier: MIT
/*
 * QPU assembler: constants without a load immediate.
 *
 * An instruction can have one small immediate. An ALU operation with it at both inputs
 * yields more constants: 64 is 8 * 8 or 4 << 4. Results follow the recorded hardware;
 * only operations with undisputed results are used.
 */
#include <math.h>

#include "qpu_as.h"

/* Pack modes that write the whole word. */
enum { PACK_8ABCD = 3, PACK_32S = 8, PACK_8ABCDS = 11 };

/* Small immediate of a value, or -1. */
int qas_small(u32 value)
{
	u32 i;

	for (i = 0; i < 48; i++)
		if (qpu_small_imm(i) == value)
			return (int)i;
	return -1;
}

/* 32 bits of a number; false if it is none or does not fit. */
bool qas_bits(const struct qas_val *v, u32 *bits)
{
	float f;

	if (v->type == QAS_FLOAT) {
		f = (float)v->f;
		memcpy(bits, &f, sizeof(f));
		return true;
	}
	if (v->type != QAS_INT || v->i < -0x80000000LL || v->i > 0xffffffffLL)
		return false;
	*bits = (u32)v->i;
	return true;
}

static u32 ror(u32 x, u32 n)
{
	n &= 31;
	return n ? x >> n | x << (32 - n) : x;
}

static u32 bytes(u32 x, u32 (*fn)(u32 b))
{
	u32 i, r = 0;

	for (i = 0; i < 32; i += 8)
		r |= fn(x >> i & 0xff) << i;
	return r;
}

static u32 twice(u32 b)
{
	return b > 127 ? 255 : 2 * b;
}

static u32 square(u32 b)
{
	return (b * b + 127) / 255;
}

/* Immediates that are floats, all powers of two. */
static bool is_float(u32 code)
{
	return code >= 32;
}

/* Immediates that are negative numbers have the bits of NaNs. */
static bool is_nan(u32 code)
{
	return code >= 16 && code < 32;
}

#define INFINITY_BITS	0x7f800000U
#define NEG_INFINITY	0xff800000U

static u32 float_bits(float f)
{
	u32 v;

	memcpy(&v, &f, sizeof(v));
	return v;
}

/* Operation of the adder on immediate @code twice; false: not to be used. */
static bool eval_add(u32 op, u32 code, u32 *r)
{
	u32 x = qpu_small_imm(code), n = x & 31;
	float f;

	memcpy(&f, &x, sizeof(f));
	switch (op) {
	case QPU_A_OR:
		*r = x;
		return true;
	case QPU_A_ADD:
		*r = x + x;
		return true;
	case QPU_A_SHL:
		*r = x << n;
		return true;
	case QPU_A_SHR:
		*r = x >> n;
		return true;
	case QPU_A_ROR:
		*r = ror(x, n);
		return true;
	case QPU_A_NOT:
		*r = ~x;
		return true;
	case QPU_A_CLZ:
		*r = x ? (u32)__builtin_clz(x) : 32;
		return true;
	case QPU_A_V8ADDS:
		*r = bytes(x, twice);
		return true;
	case QPU_A_FADD:
		*r = is_nan(code) ? NEG_INFINITY : float_bits(f + f);
		return is_float(code) || is_nan(code);
	case QPU_A_FSUB:
		*r = INFINITY_BITS;
		return is_nan(code);
	case QPU_A_FTOI:
		*r = is_float(code) ? (u32)(s32)f : 0;
		return is_float(code);
	case QPU_A_ITOF:
		*r = float_bits((float)(s32)x);
		return true;
	default:
		return false;
	}
}

static bool eval_mul(u32 op, u32 code, u32 *r)
{
	u32 x = qpu_small_imm(code);
	float f;

	memcpy(&f, &x, sizeof(f));
	switch (op) {
	case QPU_M_V8MIN:
		*r = x;
		return true;
	case QPU_M_MUL24:
		*r = (u32)((u64)(x & 0xffffff) * (x & 0xffffff));
		return true;
	case QPU_M_V8MULD:
		*r = bytes(x, square);
		return true;
	case QPU_M_MV8ADDS:
		*r = bytes(x, twice);
		return true;
	case QPU_M_FMUL:
		*r = is_nan(code) ? INFINITY_BITS : float_bits(f * f);
		return is_float(code) || is_nan(code);
	default:
		return false;
	}
}

/* Operations in vc4asm's order of preference. */
static const u8 add_order[] = {
	QPU_A_OR, QPU_A_ITOF, QPU_A_FADD, QPU_A_FSUB, QPU_A_ROR, QPU_A_ADD, QPU_A_FTOI, QPU_A_NOT,
	QPU_A_SHL, QPU_A_CLZ, QPU_A_SHR, QPU_A_V8ADDS,
};

static const u8 mul_order[] = {
	QPU_M_V8MIN, QPU_M_FMUL, QPU_M_MUL24, QPU_M_V8MULD, QPU_M_MV8ADDS,
};

/* Result of a pack mode that writes the whole word; false: not to be used. */
static bool eval_pack(const struct qas_const *k, u32 code, u32 *r)
{
	u32 x = qpu_small_imm(code);
	float f;

	switch (k->pack) {
	case 0:
		return true;
	case PACK_8ABCD:
		*r = 0x01010101 * (*r & 0xff);
		return true;
	case PACK_8ABCDS:
		memcpy(&f, r, sizeof(f));
		if (k->pm)
			*r = 0x01010101U * (u32)(f > 0 ? min(f, 1.0f) * 255 + 0.5f : 0);
		else
			*r = 0x01010101U * (u32)clamp_t(s32, (s32)*r, 0, 255);
		return !k->pm || f == f;
	default:
		*r = (s32)x < 0 ? 0x80000000 : 0x7fffffff;
		return k->op == QPU_A_ADD && (s32)(x ^ x << 1) < 0;
	}
}

/* Add the ways to a value that have the pack mode of @k. */
static u32 add_ways(u32 value, bool mul, struct qas_const k, struct qas_const *list, u32 n,
		    u32 max)
{
	u32 nops = mul ? ARRAY_SIZE(mul_order) : ARRAY_SIZE(add_order), i, code, r;

	for (i = 0; i < nops; i++) {
		k.op = (s8)(mul ? mul_order[i] : add_order[i]);
		for (code = 0; code < 48 && n < max; code++) {
			k.imm = (u8)code;
			if (!(mul ? eval_mul((u32)k.op, code, &r) : eval_add((u32)k.op, code, &r)))
				continue;
			if (eval_pack(&k, code, &r) && r == value)
				list[n++] = k;
		}
	}
	return n;
}

/*
 * Ways to make a constant, in vc4asm's order: operations without a pack mode, then with
 * one. Zero is the difference of an operand and itself, without an immediate.
 */
u32 qas_consts(u32 value, bool mul, struct qas_const *list, u32 max)
{
	static const struct qas_const packs[] = {
		{ .pack = 0 }, { .pack = PACK_8ABCD },
		{ .pack = PACK_8ABCDS, .pm = true }, { .pack = PACK_8ABCDS },
		{ .pack = PACK_32S },
	};
	u32 n = 0, i;

	if (!value && n < max) {
		list[n++] = (struct qas_const){ .imm = 0xff,
			.op = (s8)(mul ? QPU_M_MV8SUBS : QPU_A_XOR) };
		return n;
	}
	for (i = 0; i < ARRAY_SIZE(packs); i++)
		if (mul || !packs[i].pm)
			n = add_ways(value, mul, packs[i], list, n, max);
	return n;
}
