// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic of the PICA200 reference model. Slow and plain on purpose: every
 * 1.7.16 result is formed exactly and rounded once.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "pica_ref_num.h"

_Static_assert(FLT_EVAL_METHOD == 0, "binary32 arithmetic must not be widened");

/* Smallest normal magnitude, quantum of subnormals and first magnitude too large of 1.7.16. */
#define F24_MIN_NORMAL	(1.0 / (1ull << 62))
#define F24_QUANTUM	(F24_MIN_NORMAL / (1ull << 16))
#define F24_TOO_LARGE	0x1p64
/* Significant bits, the leading one included. */
#define F24_BITS	17

float pica_ref_from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

uint32_t pica_ref_to_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Round a non-negative double to an integer. */
static double round_integer(enum pica_ref_model model, double v)
{
	double low = floor(v);
	double rest = v - low;

	if (model == PICA_REF_F24_TRUNC)
		return low;
	if (rest > 0.5 || (rest == 0.5 && fmod(low, 2.0) != 0.0))
		return low + 1.0;
	return low;
}

float pica_ref_round24(enum pica_ref_model model, double exact)
{
	double fraction, magnitude;
	int exponent;

	if (isnan(exact))
		return NAN;
	if (isinf(exact))
		return (float)exact;
	if (exact == 0.0)
		return 0.0f;

	fraction = frexp(fabs(exact), &exponent);
	magnitude = round_integer(model, ldexp(fraction, F24_BITS));
	magnitude = ldexp(magnitude, exponent - F24_BITS);
	if (magnitude < F24_MIN_NORMAL)
		return 0.0f;
	if (magnitude >= F24_TOO_LARGE)
		magnitude = INFINITY;
	return (float)copysign(magnitude, exact);
}

/* Round to a stored result, and count non-zero values that are flushed. */
static float result24(struct pica_ref_num *n, double exact)
{
	float r = pica_ref_round24(n->model, exact);

	if (r == 0.0f && exact != 0.0)
		n->flushes++;
	return r;
}

/* An arithmetic operand: subnormals read as zero. */
static double operand24(struct pica_ref_num *n, float a)
{
	if (a != 0.0f && fabs((double)a) < F24_MIN_NORMAL) {
		n->flushes++;
		return 0.0;
	}
	return a;
}

float pica_ref_load(enum pica_ref_model model, uint32_t bits)
{
	float a = pica_ref_from_bits(bits);
	double units;

	if (model == PICA_REF_F32)
		return a;
	if (a == 0.0f)
		return 0.0f;
	if (isnan(a) || fabs((double)a) >= F24_MIN_NORMAL)
		return pica_ref_round24(model, a);
	/*
	 * The register format has subnormals, and compares see them, so a
	 * value that enters keeps them; only arithmetic flushes.
	 */
	units = round_integer(model, fabs((double)a) / F24_QUANTUM);
	if (units == 0.0)
		return 0.0f;
	return (float)copysign(units * F24_QUANTUM, a);
}

float pica_ref_unpack(uint32_t raw, unsigned int exponent_bits, unsigned int mantissa_bits)
{
	uint32_t sign = raw >> (exponent_bits + mantissa_bits) & 1;
	uint32_t top = (1u << exponent_bits) - 1;
	uint32_t exponent = raw >> mantissa_bits & top;
	uint32_t mantissa = raw & ((1u << mantissa_bits) - 1);
	int bias = (int)(top >> 1);
	double v;

	if (exponent == top)
		v = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		v = ldexp(mantissa, 1 - bias - (int)mantissa_bits);
	else
		v = ldexp((1u << mantissa_bits) + mantissa,
			  (int)exponent - bias - (int)mantissa_bits);
	return (float)(sign ? -v : v);
}

uint32_t pica_ref_pack24(float value)
{
	uint32_t sign = signbit(value) ? 1u << 23 : 0;
	double fraction, a = fabs((double)value);
	int exponent;

	if (isnan(value))
		return sign | 0x7f8000;
	if (a >= F24_TOO_LARGE)
		return sign | 0x7f0000;
	if (a < F24_MIN_NORMAL)
		return sign | (uint32_t)(a / F24_QUANTUM);
	fraction = frexp(a, &exponent);
	return sign | (uint32_t)(exponent - 1 + 63) << 16 |
	       ((uint32_t)ldexp(fraction, F24_BITS) & 0xffff);
}

/*
 * a + b, inexact results rounded to odd: of the two neighbouring doubles the one with the
 * odd last bit. Rounding that to 17 bits equals rounding the exact sum.
 */
static double add_to_odd(double a, double b)
{
	double sum = a + b;
	double b_part = sum - a;
	double rest = (a - (sum - b_part)) + (b - b_part);
	uint64_t bits;

	if (rest == 0.0 || !isfinite(sum))
		return sum;
	if (rest * sum < 0.0)
		sum = nextafter(sum, 0.0);
	memcpy(&bits, &sum, sizeof(bits));
	bits |= 1;
	memcpy(&sum, &bits, sizeof(bits));
	return sum;
}

float pica_ref_neg(struct pica_ref_num *n, float a)
{
	if (n->model != PICA_REF_F32 && a == 0.0f)
		return 0.0f;
	return pica_ref_from_bits(pica_ref_to_bits(a) ^ 0x80000000u);
}

float pica_ref_add(struct pica_ref_num *n, float a, float b)
{
	if (n->model == PICA_REF_F32)
		return a + b;
	return result24(n, add_to_odd(operand24(n, a), operand24(n, b)));
}

float pica_ref_mul(struct pica_ref_num *n, float a, float b)
{
	double x = a, y = b;

	if (n->model != PICA_REF_F32) {
		x = operand24(n, a);
		y = operand24(n, b);
	}
	if ((x == 0.0 && isinf(y)) || (isinf(x) && y == 0.0))
		return 0.0f;
	if (n->model == PICA_REF_F32)
		return a * b;
	return result24(n, x * y);
}

/*
 * Round a value to 17 bits, given a good double approximation and an exact test "is this
 * 18-bit candidate at most the true value".
 */
static float round_by_test(struct pica_ref_num *n, double x, double approx,
			   bool (*at_most)(double x, double candidate))
{
	double fraction, step, low;
	int exponent;

	fraction = frexp(approx, &exponent);
	step = ldexp(1.0, exponent - F24_BITS);
	low = floor(ldexp(fraction, F24_BITS)) * step;
	while (!at_most(x, low))
		low -= step;
	while (at_most(x, low + step))
		low += step;
	/* No tie can occur: neither 1/x nor 1/sqrt(x) ends after 18 bits unless exact. */
	if (n->model == PICA_REF_F24_NEAREST && at_most(x, low + step / 2))
		low += step;
	return result24(n, low);
}

/* At most 18 by 17 bits: the product is exact in double. */
static bool rcp_at_most(double x, double candidate)
{
	return candidate * x <= 1.0;
}

/* At most 18 + 18 + 17 bits: exact in double. */
static bool rsq_at_most(double x, double candidate)
{
	return candidate * candidate * x <= 1.0;
}

float pica_ref_rcp(struct pica_ref_num *n, float a)
{
	double x = a;
	float r;

	if (n->model != PICA_REF_F32)
		x = operand24(n, a);
	if (x == 0.0)
		return INFINITY;
	if (n->model == PICA_REF_F32)
		return 1.0f / a;
	if (isnan(x))
		return NAN;
	if (isinf(x))
		return 0.0f;
	r = round_by_test(n, fabs(x), 1.0 / fabs(x), rcp_at_most);
	return x < 0.0 ? pica_ref_neg(n, r) : r;
}

float pica_ref_rsq(struct pica_ref_num *n, float a)
{
	double x = a;

	if (n->model != PICA_REF_F32)
		x = operand24(n, a);
	if (x == 0.0)
		return INFINITY;
	if (isnan(x) || x < 0.0)
		return NAN;
	if (isinf(x))
		return 0.0f;
	if (n->model == PICA_REF_F32)
		return 1.0f / sqrtf(a);
	return round_by_test(n, x, 1.0 / sqrt(x), rsq_at_most);
}

float pica_ref_ex2(struct pica_ref_num *n, float a)
{
	if (isnan(a))
		return NAN;
	if (n->model == PICA_REF_F32)
		return n->libm ? exp2f(a) : (float)exp2(a);
	return result24(n, exp2(operand24(n, a)));
}

float pica_ref_lg2(struct pica_ref_num *n, float a)
{
	double x = a;

	if (n->model != PICA_REF_F32)
		x = operand24(n, a);
	if (isnan(x) || x < 0.0)
		return NAN;
	if (x == 0.0)
		return -INFINITY;
	if (n->model == PICA_REF_F32)
		return n->libm ? log2f(a) : (float)log2(x);
	return result24(n, log2(x));
}

float pica_ref_flr(struct pica_ref_num *n, float a)
{
	float r = floorf(a);

	if (n->model == PICA_REF_F32)
		return r;
	return pica_ref_round24(n->model, r);
}

float pica_ref_max(float a, float b)
{
	return a > b ? a : b;
}

float pica_ref_min(float a, float b)
{
	return a < b ? a : b;
}

int32_t pica_ref_to_int(float a)
{
	if (isnan(a))
		return 0;
	if (a >= 0x1p31f)
		return INT32_MAX;
	if (a <= -0x1p31f)
		return INT32_MIN;
	return (int32_t)a;
}
