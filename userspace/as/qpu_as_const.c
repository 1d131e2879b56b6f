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
	case QPU_A_ASR:
		*r = (u32)((s32)x >> n);
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
		*r = float_bits(f + f);
		return is_float(code);
	case QPU_A_FTOI:
		*r = is_float(code) ? (u32)(s32)f : 0;
		return is_float(code);
	case QPU_A_ITOF:
		*r = float_bits((float)(s32)x);
		return !is_float(code);
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
		*r = float_bits(f * f);
		return is_float(code);
	default:
		return false;
	}
}

/*
 * Ways to make a constant, the plainest first: the value itself, then other operations
 * in the order of immediates; at last 0 without an immediate.
 */
u32 qas_consts(u32 value, bool mul, struct qas_const *list, u32 max)
{
	u32 copy = mul ? QPU_M_V8MIN : QPU_A_OR;
	u32 n = 0, code, op, r;

	if (qas_small(value) >= 0 && n < max)
		list[n++] = (struct qas_const){ (u8)qas_small(value), (s8)copy };
	for (code = 0; code < 48; code++) {
		for (op = 0; op < (mul ? 8 : 32) && n < max; op++) {
			if (op == copy)
				continue;
			if ((mul ? eval_mul(op, code, &r) : eval_add(op, code, &r)) && r == value)
				list[n++] = (struct qas_const){ (u8)code, (s8)op };
		}
	}
	if (!value && n < max)
		list[n++] = (struct qas_const){ 0xff, (s8)(mul ? QPU_M_MV8SUBS : QPU_A_XOR) };
	return n;
}
