// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "qpu_ref_num.h"

#define SIGN	0x80000000u
#define INF	0x7f800000u

static unsigned int exponent(uint32_t x)
{
	return x >> 23 & 0xff;
}

static uint64_t mantissa(uint32_t x)
{
	return (x & 0x7fffff) | 0x800000;
}

/* @mag * 2^(@exp - 150) without its lower bits; @mag is not 0. */
static uint32_t truncated(uint32_t sign, __uint128_t mag, int exp)
{
	while (mag >> 24) {
		mag >>= 1;
		exp++;
	}
	while (!(mag >> 23)) {
		mag <<= 1;
		exp--;
	}
	if (exp >= 255)
		return sign | INF;
	if (exp <= 0)
		return 0;
	return sign | (uint32_t)exp << 23 | ((uint32_t)mag & 0x7fffff);
}

static uint32_t float_add(uint32_t a, uint32_t b)
{
	__int128 sum;
	uint32_t t;
	int d;

	if (exponent(b) == 255)
		return (b & SIGN) | INF;
	if (exponent(a) == 255)
		return (a & SIGN) | INF;
	if (!exponent(a) && !exponent(b))
		return 0;
	if (!exponent(a))
		return b;
	if (!exponent(b))
		return a;
	if ((a & ~SIGN) < (b & ~SIGN)) {
		t = a;
		a = b;
		b = t;
	}
	/* Anything smaller than 2^-60 of the larger one only decides the rounding. */
	d = (int)exponent(a) - (int)exponent(b);
	sum = d > 60 ? 1 : (__int128)mantissa(b) << (60 - d);
	if ((a ^ b) & SIGN)
		sum = -sum;
	sum += (__int128)mantissa(a) << 60;
	return sum ? truncated(a & SIGN, (__uint128_t)sum, (int)exponent(a) - 60) : 0;
}

static uint32_t float_mul(uint32_t a, uint32_t b)
{
	uint32_t sign = (a ^ b) & SIGN;

	if (!exponent(a) || !exponent(b))
		return 0;
	if (exponent(a) == 255 || exponent(b) == 255)
		return sign | INF;
	return truncated(sign, mantissa(a) * mantissa(b),
			 (int)exponent(a) + (int)exponent(b) - 150);
}

static uint32_t float_from_int(uint32_t a)
{
	uint32_t mag = a & SIGN ? 0u - a : a;

	return a ? truncated(a & SIGN, mag, 150) : 0;
}

static uint32_t float_to_int(uint32_t a)
{
	int e = (int)exponent(a) - 150;
	uint64_t m = mantissa(a);

	if (exponent(a) < 127 || exponent(a) == 255)
		return 0;
	if (e > 8)
		return 0;
	m = e >= 0 ? m << e : m >> -e;
	if (a & SIGN)
		return m > 0x80000000ull ? 0 : (uint32_t)(0 - m);
	return m > 0x7fffffffull ? 0 : (uint32_t)m;
}

/* Floats in the order that minimum and maximum use. */
static bool float_above(uint32_t a, uint32_t b)
{
	int64_t x = a & SIGN ? -(int64_t)(a & ~SIGN) : a;
	int64_t y = b & SIGN ? -(int64_t)(b & ~SIGN) : b;

	return x > y;
}

enum bytes_op { BYTES_ADD, BYTES_SUB, BYTES_MUL, BYTES_MIN, BYTES_MAX };

static unsigned int one_byte(enum bytes_op op, unsigned int a, unsigned int b)
{
	switch (op) {
	case BYTES_ADD:
		return a + b > 255 ? 255 : a + b;
	case BYTES_SUB:
		return a > b ? a - b : 0;
	case BYTES_MUL:
		return (a * b + 127) / 255;
	case BYTES_MIN:
		return a < b ? a : b;
	default:
		return a > b ? a : b;
	}
}

static uint32_t bytes(enum bytes_op op, uint32_t a, uint32_t b)
{
	uint32_t r = 0;
	unsigned int i;

	for (i = 0; i < 32; i += 8)
		r |= one_byte(op, a >> i & 0xff, b >> i & 0xff) << i;
	return r;
}

static void shift(unsigned int op, uint32_t a, unsigned int n, struct qpu_ref_val *r)
{
	if (op == 17) {
		r->v = a << n;
		r->c = n && (a >> (32 - n) & 1);
		return;
	}
	r->v = op == 14 ? a >> n : (uint32_t)((int64_t)(int32_t)a >> n);
	r->c = n && (a >> (n - 1) & 1);
}

static unsigned int leading_zeros(uint32_t a)
{
	unsigned int n = 0;

	while (n < 32 && !(a >> (31 - n) & 1))
		n++;
	return n;
}

static void float_op(unsigned int op, uint32_t a, uint32_t b, struct qpu_ref_val *r)
{
	r->f = true;
	if (op <= 2) {
		r->v = float_add(a, op == 2 ? b ^ SIGN : b);
		r->c = r->v && !(r->v & SIGN);
		return;
	}
	if (op >= 5) {
		a &= ~SIGN;
		b &= ~SIGN;
	}
	r->c = float_above(a, b);
	r->v = (op & 1) == r->c ? b : a;
}

void qpu_ref_add_op(unsigned int op, uint32_t a, uint32_t b, struct qpu_ref_val *r)
{
	bool above = (int32_t)a > (int32_t)b;

	memset(r, 0, sizeof(*r));
	switch (op) {
	case 1 ... 6:
		float_op(op, a, b, r);
		break;
	case 7:
		r->v = float_to_int(a);
		break;
	case 8:
		r->v = float_from_int(a);
		r->c = r->v && !(r->v & SIGN);
		r->f = true;
		break;
	case 12:
		r->v = a + b;
		r->c = r->v < a;
		r->ov = (~(a ^ b) & (a ^ r->v)) >> 31;
		break;
	case 13:
		r->v = a - b;
		r->c = a < b;
		r->ov = ((a ^ b) & (a ^ r->v)) >> 31;
		break;
	case 14:
	case 15:
	case 17:
		shift(op, a, b & 31, r);
		break;
	case 16:
		r->v = b & 31 ? a >> (b & 31) | a << (32 - (b & 31)) : a;
		break;
	case 18:
		r->v = above ? b : a;
		r->c = above;
		break;
	case 19:
		r->v = above ? a : b;
		r->c = above;
		break;
	case 20:
		r->v = a & b;
		break;
	case 21:
		r->v = a | b;
		break;
	case 22:
		r->v = a ^ b;
		break;
	case 23:
		r->v = ~a;
		break;
	case 24:
		r->v = leading_zeros(a);
		break;
	case 30:
		r->v = bytes(BYTES_ADD, a, b);
		break;
	case 31:
		r->v = bytes(BYTES_SUB, a, b);
		break;
	default:	/* undefined: 0 */
		break;
	}
	r->z = !r->v;
	r->n = r->v >> 31;
}

void qpu_ref_mul_op(unsigned int op, uint32_t a, uint32_t b, struct qpu_ref_val *r)
{
	static const enum bytes_op code[8] = {
		[3] = BYTES_MUL, [4] = BYTES_MIN, [5] = BYTES_MAX, [6] = BYTES_ADD,
		[7] = BYTES_SUB,
	};

	memset(r, 0, sizeof(*r));
	switch (op) {
	case 1:
		r->v = float_mul(a, b);
		r->f = true;
		break;
	case 2:
		r->v = (a & 0xffffff) * (b & 0xffffff);
		r->c = (uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32;
		break;
	case 3 ... 7:
		r->v = bytes(code[op], a, b);
		break;
	default:
		break;
	}
	r->z = !r->v;
	r->n = r->v >> 31;
}

bool qpu_ref_add_reads_float(unsigned int op)
{
	return op >= 1 && op <= 7;
}

bool qpu_ref_mul_reads_float(unsigned int op)
{
	return op == 1;
}

/* Exponents 0 and 31 are ordinary, except for their values. */
static uint32_t half_to_float(uint32_t h)
{
	uint32_t e = h >> 10 & 31;

	if (e == 31)
		e = 255;
	else if (e)
		e += 127 - 15;
	return (h & 0x8000) << 16 | e << 23 | (h & 0x3ff) << 13;
}

/* @b / 255, truncated. */
static uint32_t unit_to_float(uint32_t b)
{
	return b ? truncated(0, ((__uint128_t)b << 60) / 255, 150 - 60) : 0;
}

uint32_t qpu_ref_unpack(unsigned int mode, uint32_t v, bool as_float)
{
	uint32_t x;

	switch (mode) {
	case 0:
		return v;
	case 1:
	case 2:
		x = mode == 1 ? v & 0xffff : v >> 16;
		if (as_float)
			return half_to_float(x);
		return x & 0x8000 ? x | 0xffff0000 : x;
	case 3:
		return (v >> 24) * 0x01010101u;
	default:
		x = v >> 8 * (mode - 4) & 0xff;
		return as_float ? unit_to_float(x) : x;
	}
}

static uint32_t float_to_half(uint32_t v)
{
	uint32_t sign = v >> 16 & 0x8000, e = exponent(v), m = v & 0x7fffff, h, rest;

	if (e == 255)
		return sign | 0x7c00;
	if (e < 127 - 14)
		return 0;
	if (e > 127 + 15)
		return sign | 0x7c00;
	h = (e - 127 + 15) << 10 | m >> 13;
	rest = m & 0x1fff;
	if (rest > 0x1000 || (rest == 0x1000 && (h & 1)))
		h++;
	return sign | h;
}

/* Saturated value on overflow, or -1. */
static int64_t overflow_value(const struct qpu_ref_val *r, uint32_t high, uint32_t low)
{
	if (!r->ov)
		return -1;
	return r->c ? low : high;
}

/* Narrow to 16 or 8 bits. */
static uint32_t narrow(const struct qpu_ref_val *r, bool saturate, int32_t min, int32_t max)
{
	uint32_t mask = min ? 0xffff : 0xff;
	int64_t over = min ? overflow_value(r, 0x7fff, 0x8000) : overflow_value(r, 255, 0);
	int64_t clip = -1;

	if ((int32_t)r->v > max)
		clip = max;
	else if ((int32_t)r->v < min)
		clip = (uint32_t)min & mask;
	if (!saturate || clip < 0)
		return over < 0 ? r->v & mask : (uint32_t)over;
	return over < 0 ? (uint32_t)clip : (uint32_t)(clip & over);
}

uint32_t qpu_ref_pack_a(unsigned int mode, const struct qpu_ref_val *r, uint32_t old)
{
	bool saturate = mode & 8;
	int64_t over;
	uint32_t x;

	switch (mode & 7) {
	case 0:
		over = saturate ? overflow_value(r, 0x7fffffff, 0x80000000) : -1;
		return over < 0 ? r->v : (uint32_t)over;
	case 1:
	case 2:
		x = r->f ? float_to_half(r->v) : narrow(r, saturate, -32768, 32767);
		return (mode & 7) == 1 ? (old & 0xffff0000) | x : (old & 0xffff) | x << 16;
	case 3:
		return narrow(r, saturate, 0, 255) * 0x01010101u;
	default:
		x = 8 * ((mode & 7) - 4);
		return (old & ~(0xffu << x)) | narrow(r, saturate, 0, 255) << x;
	}
}

/* 255 * @v to the nearest of 0..255. */
static uint32_t float_to_unit(uint32_t v)
{
	unsigned int e = exponent(v);
	uint64_t m;

	if (!e || v & SIGN || e < 127 - 10)
		return 0;
	if (e >= 127)
		return 255;
	/* 2 * 255 * x with a separate bit for the half */
	m = mantissa(v) * 255 * 2 >> (150 - e);
	return (uint32_t)((m + 1) >> 1);
}

bool qpu_ref_pack_mul(unsigned int mode, uint32_t r, uint32_t old, uint32_t *out)
{
	unsigned int at;

	/* vc4asm sets bit 3, as if there was a choice not to saturate. */
	mode &= 7;
	if (!mode) {
		*out = r;
		return true;
	}
	if (mode == 3) {
		*out = float_to_unit(r) * 0x01010101u;
		return true;
	}
	if (mode < 4 || mode > 7)
		return false;
	at = 8 * (mode - 4);
	*out = (old & ~(0xffu << at)) | float_to_unit(r) << at;
	return true;
}

uint32_t qpu_ref_small_imm(unsigned int code)
{
	if (code < 16)
		return code;
	if (code < 32)
		return code - 32;
	if (code < 40)
		return (127 + code - 32) << 23;
	if (code < 48)
		return (127 - 8 + code - 40) << 23;
	return code - 64;
}

double qpu_ref_sfu_exact(unsigned int op, uint32_t x)
{
	float f;

	if (!exponent(x))
		x = 0;
	if (exponent(x) == 255)
		x = (x & SIGN) | INF;
	if (op & 1)
		x &= ~SIGN;
	memcpy(&f, &x, sizeof(f));
	switch (op) {
	case 0:
		return f == 0 ? INFINITY : 1.0 / f;
	case 1:
		return 1.0 / sqrt(f);
	case 2:
		return exp2(f);
	default:
		return log2(f);
	}
}

uint32_t qpu_ref_sfu(unsigned int op, uint32_t x)
{
	float f = (float)qpu_ref_sfu_exact(op, x);
	uint32_t v;

	memcpy(&v, &f, sizeof(v));
	return exponent(v) ? v : 0;
}
