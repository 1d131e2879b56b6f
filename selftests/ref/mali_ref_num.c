// SPDX-License-Identifier: GPL-2.0
/* Numbers of the Mali reference models, by host doubles with one final rounding. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "mali_ref_num.h"

float mrf_f(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

uint32_t mrf_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

uint32_t mrf_quiet(float f)
{
	return isnan(f) ? MRF_NAN : mrf_bits(f);
}

uint32_t mrf_half(uint16_t h)
{
	unsigned int e = h >> 10 & 31, m = h & 1023;
	double d;

	if (e == 31 && m)
		return MRF_NAN;
	if (e == 31)
		d = INFINITY;
	else
		d = e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
	return mrf_bits((float)(h & 0x8000 ? -d : d));
}

/* Outside round()'s namesake parameter; adding one half instead would round the sum. */
static double round_away(double d)
{
	return round(d);
}

double mrf_round_int(double d, enum mrf_round round)
{
	switch (round) {
	case MRF_RTP:
		return ceil(d);
	case MRF_RTN:
		return floor(d);
	case MRF_RTZ:
		return trunc(d);
	case MRF_RTNA:
		return round_away(d);
	default:
		return rint(d);
	}
}

uint16_t mrf_to_half(double d, enum mrf_round round)
{
	uint16_t sign = signbit(d) ? 0x8000 : 0;
	double a = fabs(d), n, top;
	int e;

	if (isnan(d))
		return 0x7e00;
	if (isinf(d))
		return sign | 0x7c00;
	if (!a)
		return sign;
	frexp(a, &e);
	if (e < -13)
		e = -13;
	/* in units in the last place of this binade */
	n = fabs(mrf_round_int(ldexp(d, 11 - e), round));
	top = ldexp(n, e - 11);
	if (top > 65504) {
		if (round == MRF_RTZ || (round == MRF_RTP && sign) || (round == MRF_RTN && !sign))
			return sign | 0x7bff;
		return sign | 0x7c00;
	}
	if (top < ldexp(1, -14))
		return sign | (uint16_t)ldexp(top, 24);
	frexp(top, &e);
	return sign | (uint16_t)((e + 14) << 10) | ((uint16_t)ldexp(top, 11 - e) & 1023);
}

uint32_t mrf_to_single(double d, enum mrf_round round)
{
	static const int mode[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
				    FE_TONEAREST };
	float out;

	/* The conversion stays where the mode is set. */
	fesetround(round == MRF_RTNA ? FE_TOWARDZERO : mode[round]);
	__asm__ volatile("" : "+m"(d));
	out = (float)d;
	__asm__ volatile("" : "+m"(out));
	fesetround(FE_TONEAREST);
	if (round == MRF_RTNA && isfinite(d)) {
		float away = nextafterf(out, copysignf(INFINITY, (float)d));

		double beyond = isinf(away) ? copysign(ldexp(1, 128), d) : away;

		if (fabs(d - out) >= fabs(beyond - d))
			out = away;
	}
	return mrf_quiet(out);
}

double mrf_fma_odd(double a, double b, double c)
{
	double p = a * b, s = p + c, back = s - p, err;
	uint64_t u;
	double r = s;

	if (!isfinite(r))
		return r;
	err = (p - (s - back)) + (c - back);
	if (err) {
		memcpy(&u, &r, 8);
		if (!(u & 1))
			u += (err > 0) == (r > 0) ? 1 : -1;
		memcpy(&r, &u, 8);
	}
	return r;
}

/* Rounding down, a sum that is exactly 0 is -0 unless both parts are +0. */
double mrf_zero_down(double d, double p, double c)
{
	return !d && (signbit(p) || signbit(c)) ? -0.0 : d;
}

uint32_t mrf_fma(uint32_t a, uint32_t b, uint32_t c, int scale, enum mrf_round round)
{
	double d = mrf_fma_odd(mrf_f(a), mrf_f(b), mrf_f(c));

	if (scale > 600)
		scale = 600;
	if (scale < -600)
		scale = -600;
	if (round == MRF_RTN)
		d = mrf_zero_down(d, (double)mrf_f(a) * mrf_f(b), mrf_f(c));
	return mrf_to_single(scale ? ldexp(d, scale) : d, round);
}

uint32_t mrf_clamp(uint32_t v, enum mrf_clamp clamp)
{
	float lo = clamp == MRF_CLAMP_M1_1 ? -1 : 0;
	float hi = clamp == MRF_CLAMP_0_INF ? INFINITY : 1;
	float f = mrf_f(v);

	if (clamp == MRF_CLAMP_NONE)
		return v;
	if (!(f > lo))
		return mrf_bits(lo);
	return f > hi ? mrf_bits(hi) : v;
}

uint16_t mrf_clamp_half(uint16_t v, enum mrf_clamp clamp)
{
	if (clamp == MRF_CLAMP_NONE)
		return v;
	return mrf_to_half(mrf_f(mrf_clamp(mrf_half(v), clamp)), MRF_RTE);
}

bool mrf_fcmp(double a, double b, unsigned int op)
{
	switch (op) {
	case 0:
		return a == b;
	case 1:
		return a > b;
	case 2:
		return a >= b;
	case 3:
		return a != b;
	case 4:
		return a < b;
	case 5:
		return a <= b;
	case 6:
		return a < b || a > b;
	default:
		return !isnan(a) && !isnan(b);
	}
}

uint32_t mrf_min(uint32_t a, uint32_t b, bool max, unsigned int sem)
{
	float x = mrf_f(a), y = mrf_f(b);

	if (isnan(x) || isnan(y)) {
		if (sem == 1)
			return MRF_NAN;
		if (sem == 0)
			return isnan(x) ? mrf_quiet(y) : a;
		/* C's a < b ? a : b takes the second, its inverse the first */
		return sem == 2 ? mrf_quiet(y) : mrf_quiet(x);
	}
	if (x == y) {
		/* only zeros differ */
		if (max)
			return signbit(x) ? b : a;
		return signbit(x) ? a : b;
	}
	return (x > y) == max ? a : b;
}

uint32_t mrf_to_s32(uint32_t v, enum mrf_round round)
{
	double d = mrf_f(v);

	if (isnan(d))
		return 0;
	d = mrf_round_int(d, round);
	if (d >= 2147483647.0)
		return 0x7fffffff;
	if (d <= -2147483648.0)
		return 0x80000000;
	return (uint32_t)(int32_t)d;
}

uint32_t mrf_to_u32(uint32_t v, enum mrf_round round)
{
	double d = mrf_f(v);

	if (isnan(d))
		return 0;
	d = mrf_round_int(d, round);
	if (d >= 4294967295.0)
		return 0xffffffff;
	return d <= 0 ? 0 : (uint32_t)d;
}
