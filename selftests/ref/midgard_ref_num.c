// SPDX-License-Identifier: GPL-2.0
/* Numbers of the Midgard reference model, by host doubles with one final rounding. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "midgard_ref_num.h"

static int host(enum mrf_round round)
{
	switch (round) {
	case MRF_RTP:
		return FE_UPWARD;
	case MRF_RTN:
		return FE_DOWNWARD;
	case MRF_RTZ:
		return FE_TOWARDZERO;
	default:
		return FE_TONEAREST;
	}
}

uint64_t mgr_mask(unsigned int bits)
{
	return bits == 64 ? ~0ull : (1ull << bits) - 1;
}

int64_t mgr_sext(uint64_t a, unsigned int bits)
{
	return (int64_t)(a << (64 - bits)) >> (64 - bits);
}

bool mgr_is_float(unsigned int bits)
{
	return bits == 16 || bits == 32 || bits == 64;
}

uint64_t mgr_nan(unsigned int bits)
{
	return bits == 16 ? 0x7e00 : bits == 32 ? MRF_NAN : 0x7ff8000000000000ull;
}

double mgr_value(uint64_t raw, unsigned int bits)
{
	double d;

	if (bits == 16)
		return mrf_f(mrf_half((uint16_t)raw));
	if (bits == 32)
		return mrf_f((uint32_t)raw);
	memcpy(&d, &raw, 8);
	return d;
}

uint64_t mgr_raw(double d, unsigned int bits, enum mrf_round round)
{
	uint64_t raw;

	if (isnan(d))
		return mgr_nan(bits);
	if (bits == 16)
		return mrf_to_half(d, round);
	if (bits == 32)
		return mrf_to_single(d, round);
	memcpy(&raw, &d, 8);
	return raw;
}

/* Doubles: the host's own operations. */
static uint64_t host_op(char op, uint64_t ra, uint64_t rb, uint64_t rc, enum mrf_round round)
{
	double a = mgr_value(ra, 64), b = mgr_value(rb, 64), c = mgr_value(rc, 64), d;

	/* the operation stays where the mode is set */
	fesetround(host(round));
	__asm__ volatile("" : "+m"(a), "+m"(b), "+m"(c));
	d = op == '+' ? a + b : op == '*' ? a * b : fma(a, b, c);
	__asm__ volatile("" : "+m"(d));
	fesetround(FE_TONEAREST);
	return mgr_raw(d, 64, MRF_RTE);
}

/* An exact sum of zero is -0 when rounding down, unless both were 0. */
static double zero_sum(double d, double a, double b, enum mrf_round round)
{
	if (!d && round == MRF_RTN && (signbit(a) || signbit(b)))
		return -0.0;
	return d;
}

uint64_t mgr_fadd(uint64_t a, uint64_t b, unsigned int bits, enum mrf_round round)
{
	double x = mgr_value(a, bits), y = mgr_value(b, bits);

	if (bits == 64)
		return host_op('+', a, b, 0, round);
	return mgr_raw(zero_sum(mrf_fma_odd(x, 1, y), x, y, round), bits, round);
}

uint64_t mgr_fmul(uint64_t a, uint64_t b, unsigned int bits, enum mrf_round round)
{
	if (bits == 64)
		return host_op('*', a, b, 0, round);
	return mgr_raw(mgr_value(a, bits) * mgr_value(b, bits), bits, round);
}

uint64_t mgr_fma(uint64_t a, uint64_t b, uint64_t c, unsigned int bits, enum mrf_round round)
{
	double p = mgr_value(a, bits) * mgr_value(b, bits), z = mgr_value(c, bits);

	if (bits == 64)
		return host_op('f', a, b, c, round);
	return mgr_raw(zero_sum(mrf_fma_odd(mgr_value(a, bits), mgr_value(b, bits), z), p, z,
				round), bits, round);
}

uint64_t mgr_fmin(uint64_t a, uint64_t b, unsigned int bits, bool max, bool nan)
{
	double x = mgr_value(a, bits), y = mgr_value(b, bits);

	if (isnan(x) || isnan(y)) {
		if (nan || (isnan(x) && isnan(y)))
			return mgr_nan(bits);
		return isnan(x) ? b : a;
	}
	if (x == y)
		return signbit(x) == max ? b : a;
	return (x > y) == max ? a : b;
}

uint64_t mgr_fround(uint64_t a, unsigned int bits, enum mrf_round round)
{
	double d = mgr_value(a, bits);

	return mgr_raw(copysign(mrf_round_int(d, round), d), bits, MRF_RTE);
}

uint64_t mgr_fclamp(uint64_t a, unsigned int bits, unsigned int outmod)
{
	double d = mgr_value(a, bits), lo = outmod == 2 ? -1 : 0;

	if (!outmod)
		return a;
	if (!(d > lo))
		return mgr_raw(lo, bits, MRF_RTE);
	return outmod >= 2 && d > 1 ? mgr_raw(1, bits, MRF_RTE) : a;
}

uint64_t mgr_suppress(uint64_t a, unsigned int bits)
{
	double d = mgr_value(a, bits);

	if (isnan(d))
		return 0;
	/* the largest one is before infinity */
	return isinf(d) ? a - 1 : a;
}

uint64_t mgr_abs(uint64_t a, unsigned int bits)
{
	return a & (mgr_mask(bits) >> 1);
}

uint64_t mgr_neg(uint64_t a, unsigned int bits)
{
	return a ^ 1ull << (bits - 1);
}

uint64_t mgr_to_int(uint64_t a, unsigned int bits, bool is_signed, enum mrf_round round)
{
	double d = mrf_round_int(mgr_value(a, bits), round);
	double top = ldexp(1, (int)bits - is_signed);

	if (isnan(d))
		return 0;
	if (d >= top)
		return mgr_mask(bits) >> is_signed;
	if (is_signed)
		return d < -top ? 1ull << (bits - 1) : (uint64_t)(int64_t)d & mgr_mask(bits);
	return d <= 0 ? 0 : (uint64_t)d;
}

uint64_t mgr_from_int(uint64_t a, unsigned int bits, bool is_signed, enum mrf_round round)
{
	double d;

	if (bits < 64)
		return mgr_raw(is_signed ? (double)mgr_sext(a, bits) : (double)a, bits, round);
	fesetround(host(round));
	__asm__ volatile("" : "+r"(a));
	d = is_signed ? (double)(int64_t)a : (double)a;
	__asm__ volatile("" : "+m"(d));
	fesetround(FE_TONEAREST);
	return mgr_raw(d, 64, MRF_RTE);
}

/* sin(pi x), or of x + 1/2: exact where the result is. */
static double sin_pi(double x, bool cosine)
{
	double r = fmod(x, 2);

	if (!isfinite(x))
		return NAN;
	if (cosine)
		r = fmod(fabs(r) + 0.5, 2);
	if (r == floor(r))
		return copysign(0, x);
	/* to the first quarter, where sine is not near the end of a period */
	if (fabs(r) > 1)
		r -= copysign(2, r);
	if (fabs(r) > 0.5)
		r = copysign(1, r) - r;
	return fabs(r) == 0.5 ? copysign(1, r) : sin(M_PI * r);
}

bool mgr_function(unsigned int op, uint64_t a, unsigned int bits, uint64_t *res)
{
	double x = mgr_value(a, bits), d;

	switch (op) {
	case 0xf0:
		d = 1 / x;
		break;
	case 0xf2:
		d = 1 / sqrt(x);
		break;
	case 0xf3:
		d = sqrt(x);
		break;
	case 0xf4:
		d = exp2(x);
		break;
	case 0xf5:
		d = log2(x);
		break;
	case 0xf6:
	case 0xf7:
		d = sin_pi(x, op == 0xf7);
		break;
	default:
		return false;
	}
	*res = mgr_raw(d, bits, MRF_RTE);
	return true;
}
