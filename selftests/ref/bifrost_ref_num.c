// SPDX-License-Identifier: GPL-2.0
/* Numbers of the Bifrost reference model, by host doubles with one final rounding. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "bifrost_ref_num.h"

float bfr_f(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

uint32_t bfr_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static uint32_t quiet(float f)
{
	return isnan(f) ? BFR_NAN : bfr_bits(f);
}

uint32_t bfr_half(uint16_t h)
{
	unsigned int e = h >> 10 & 31, m = h & 1023;
	double d;

	if (e == 31 && m)
		return BFR_NAN;
	if (e == 31)
		d = INFINITY;
	else
		d = e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
	return bfr_bits((float)(h & 0x8000 ? -d : d));
}

double bfr_round_int(double d, enum bfr_round round)
{
	switch (round) {
	case BFR_RTP:
		return ceil(d);
	case BFR_RTN:
		return floor(d);
	case BFR_RTZ:
		return trunc(d);
	case BFR_RTNA:
		return copysign(floor(fabs(d) + 0.5), d);
	default:
		return rint(d);
	}
}

uint16_t bfr_to_half(double d, enum bfr_round round)
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
	/* in units of the last place of this binade */
	n = fabs(bfr_round_int(ldexp(d, 11 - e), round));
	top = ldexp(n, e - 11);
	if (top > 65504) {
		if (round == BFR_RTZ || (round == BFR_RTP && sign) || (round == BFR_RTN && !sign))
			return sign | 0x7bff;
		return sign | 0x7c00;
	}
	if (top < ldexp(1, -14))
		return sign | (uint16_t)ldexp(top, 24);
	frexp(top, &e);
	return sign | (uint16_t)((e + 14) << 10) | ((uint16_t)ldexp(top, 11 - e) & 1023);
}

uint32_t bfr_to_single(double d, enum bfr_round round)
{
	static const int mode[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
				    FE_TONEAREST };
	float out;

	/* The conversion stays where the mode is set. */
	fesetround(mode[round]);
	__asm__ volatile("" : "+m"(d));
	out = (float)d;
	__asm__ volatile("" : "+m"(out));
	fesetround(FE_TONEAREST);
	return quiet(out);
}

double bfr_fma_odd(double a, double b, double c)
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

uint32_t bfr_fma(uint32_t a, uint32_t b, uint32_t c, int scale, enum bfr_round round)
{
	double d = bfr_fma_odd(bfr_f(a), bfr_f(b), bfr_f(c));

	if (scale > 600)
		scale = 600;
	if (scale < -600)
		scale = -600;
	if (!d && round == BFR_RTN && (double)bfr_f(a) * bfr_f(b) != 0)
		d = -0.0;
	return bfr_to_single(scale ? ldexp(d, scale) : d, round);
}

uint32_t bfr_clamp(uint32_t v, enum bfr_clamp clamp)
{
	float lo = clamp == BFR_CLAMP_M1_1 ? -1 : 0;
	float hi = clamp == BFR_CLAMP_0_INF ? INFINITY : 1;
	float f = bfr_f(v);

	if (clamp == BFR_CLAMP_NONE)
		return v;
	if (!(f > lo))
		return bfr_bits(lo);
	return f > hi ? bfr_bits(hi) : v;
}

uint16_t bfr_clamp_half(uint16_t v, enum bfr_clamp clamp)
{
	if (clamp == BFR_CLAMP_NONE)
		return v;
	return bfr_to_half(bfr_f(bfr_clamp(bfr_half(v), clamp)), BFR_RTE);
}

bool bfr_fcmp(double a, double b, unsigned int op)
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

uint32_t bfr_min(uint32_t a, uint32_t b, bool max, unsigned int sem)
{
	float x = bfr_f(a), y = bfr_f(b);

	if (isnan(x) || isnan(y)) {
		if (sem == 1)
			return BFR_NAN;
		if (sem == 0)
			return isnan(x) ? quiet(y) : a;
		/* C's a < b ? a : b takes the second, its inverse the first */
		return sem == 2 ? quiet(y) : quiet(x);
	}
	if (x == y) {
		/* only zeros differ */
		if (max)
			return signbit(x) ? b : a;
		return signbit(x) ? a : b;
	}
	return (x > y) == max ? a : b;
}

uint32_t bfr_to_s32(uint32_t v, enum bfr_round round)
{
	double d = bfr_f(v);

	if (isnan(d))
		return 0;
	d = bfr_round_int(d, round);
	if (d >= 2147483647.0)
		return 0x7fffffff;
	if (d <= -2147483648.0)
		return 0x80000000;
	return (uint32_t)(int32_t)d;
}

uint32_t bfr_to_u32(uint32_t v, enum bfr_round round)
{
	double d = bfr_f(v);

	if (isnan(d))
		return 0;
	d = bfr_round_int(d, round);
	if (d >= 4294967295.0)
		return 0xffffffff;
	return d <= 0 ? 0 : (uint32_t)d;
}

/* |v| = mantissa * 2^e, or 4^e for square roots. */
static double split(uint32_t v, enum bfr_frexp how, int *e)
{
	double m = frexp(fabs((double)bfr_f(v)), e);

	if (how == BFR_FREXP_SQRT) {
		if (*e & 1) {
			m /= 2;
			(*e)++;
		}
		*e /= 2;
	} else if (how == BFR_FREXP_LOG && m < 0.75) {
		m *= 2;
		(*e)--;
	}
	return m;
}

static bool special(uint32_t v)
{
	return !isfinite(bfr_f(v)) || !bfr_f(v);
}

uint32_t bfr_frexpm(uint32_t v, enum bfr_frexp how)
{
	int e;

	if (special(v))
		return quiet(bfr_f(v));
	return bfr_bits(copysignf((float)split(v, how, &e), bfr_f(v)));
}

int bfr_frexpe(uint32_t v, enum bfr_frexp how)
{
	int e;

	if (special(v))
		return 0;
	split(v, how, &e);
	return e;
}

uint32_t bfr_rcp(uint32_t v)
{
	return quiet(1.0f / bfr_f(v));
}

uint32_t bfr_rsq(uint32_t v)
{
	return bfr_to_single(1 / sqrt((double)bfr_f(v)), BFR_RTE);
}

static float cut(double d)
{
	uint32_t b = bfr_bits((float)d);

	return bfr_f(b & 0xffffffc0u);
}

uint32_t bfr_rcp_approx(uint32_t v)
{
	int e;

	if (special(v))
		return bfr_rcp(v);
	return bfr_bits(copysignf(cut(1 / split(v, BFR_FREXP, &e)), bfr_f(v)));
}

uint32_t bfr_rsq_approx(uint32_t v)
{
	int e;

	if (special(v) || bfr_f(v) < 0)
		return bfr_rsq(v);
	return bfr_bits(cut(1 / sqrt(split(v, BFR_FREXP_SQRT, &e))));
}

uint32_t bfr_exp(uint32_t fixed, uint32_t v)
{
	if (isnan(bfr_f(v)))
		return BFR_NAN;
	/* the fixed point number saturates at the ends */
	if (fixed == 0x7fffffff)
		return bfr_bits(INFINITY);
	if (fixed == 0x80000000)
		return 0;
	return bfr_to_single(exp2(ldexp((int32_t)fixed, -24)), BFR_RTE);
}

uint32_t bfr_logd(uint32_t v)
{
	double m;
	int e;

	if (isnan(bfr_f(v)) || (bfr_f(v) < 0))
		return BFR_NAN;
	/* times (0 - 1) and (inf - 1) these give the limits */
	if (special(v))
		return bfr_bits(INFINITY);
	m = split(v, BFR_FREXP_LOG, &e);
	return bfr_to_single(m == 1 ? 1 / log(2) : log2(m) / (m - 1), BFR_RTE);
}

uint32_t bfr_log_table(uint32_t v, unsigned int mode)
{
	double m, r;
	int e;

	if (isnan(bfr_f(v)) || bfr_f(v) < 0)
		return BFR_NAN;
	if (special(v)) {
		if (!mode)
			return 0x3f800000;
		return bfr_bits(bfr_f(v) ? INFINITY : -INFINITY);
	}
	m = split(v, BFR_FREXP_LOG, &e);
	/* an entry for each value of the four highest bits of the fraction */
	frexp(m, &e);
	m = ldexp(floor(ldexp(m, 5 - e)) + 0.5, e - 5);
	r = 1 / m;
	frexp(r, &e);
	r = ldexp(rint(ldexp(r, 5 - e)), e - 5);
	if (!mode)
		return bfr_bits((float)r);
	return bfr_to_single(mode == 1 ? -log2(r) : -log(r), BFR_RTE);
}

uint32_t bfr_exp_table(uint32_t v)
{
	return bfr_to_single(exp2((v & 15) / 16.0), BFR_RTE);
}

uint32_t bfr_sincos_table(uint32_t v, bool cosine)
{
	unsigned int i = v & 63;
	double a;

	if (cosine)
		i = (i + 16) & 63;
	if (!(i & 31))
		return 0;
	a = sin(i * M_PI / 32);
	if ((i & 31) == 16)
		a = i < 32 ? 1 : -1;
	return bfr_to_single(a, BFR_RTE);
}
