// SPDX-License-Identifier: GPL-2.0
/* Functions and tables of the Bifrost reference model. */
#include <math.h>
#include <string.h>

#include "bifrost_ref_num.h"

/* |v| = mantissa * 2^e, or 4^e for square roots. */
static double split(uint32_t v, enum bfr_frexp how, int *e)
{
	double m = frexp(fabs((double)mrf_f(v)), e);

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
	return !isfinite(mrf_f(v)) || !mrf_f(v);
}

uint32_t bfr_frexpm(uint32_t v, enum bfr_frexp how)
{
	int e;

	if (special(v))
		return mrf_quiet(mrf_f(v));
	return mrf_bits(copysignf((float)split(v, how, &e), mrf_f(v)));
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
	return mrf_quiet(1.0f / mrf_f(v));
}

uint32_t bfr_rsq(uint32_t v)
{
	return mrf_to_single(1 / sqrt((double)mrf_f(v)), MRF_RTE);
}

static float cut(double d)
{
	uint32_t b = mrf_bits((float)d);

	return mrf_f(b & 0xffffffc0u);
}

uint32_t bfr_rcp_approx(uint32_t v)
{
	int e;

	if (special(v))
		return bfr_rcp(v);
	return mrf_bits(copysignf(cut(1 / split(v, BFR_FREXP, &e)), mrf_f(v)));
}

uint32_t bfr_rsq_approx(uint32_t v)
{
	int e;

	if (special(v) || mrf_f(v) < 0)
		return bfr_rsq(v);
	return mrf_bits(cut(1 / sqrt(split(v, BFR_FREXP_SQRT, &e))));
}

uint32_t bfr_exp(uint32_t fixed, uint32_t v)
{
	if (isnan(mrf_f(v)))
		return MRF_NAN;
	/* the fixed point number saturates at the ends */
	if (fixed == 0x7fffffff)
		return mrf_bits(INFINITY);
	if (fixed == 0x80000000)
		return 0;
	return mrf_to_single(exp2(ldexp((int32_t)fixed, -24)), MRF_RTE);
}

uint32_t bfr_logd(uint32_t v)
{
	double m;
	int e;

	if (isnan(mrf_f(v)) || (mrf_f(v) < 0))
		return MRF_NAN;
	/* multiplied by (0 - 1) and (inf - 1) these yield the limits */
	if (special(v))
		return mrf_bits(INFINITY);
	m = split(v, BFR_FREXP_LOG, &e);
	return mrf_to_single(m == 1 ? 1 / log(2) : log2(m) / (m - 1), MRF_RTE);
}

uint32_t bfr_log_table(uint32_t v, unsigned int mode)
{
	double m, r;
	int e;

	if (isnan(mrf_f(v)) || mrf_f(v) < 0)
		return MRF_NAN;
	if (special(v)) {
		if (!mode)
			return 0x3f800000;
		return mrf_bits(mrf_f(v) ? INFINITY : -INFINITY);
	}
	m = split(v, BFR_FREXP_LOG, &e);
	/* an entry for each value of the four highest bits of the fraction */
	frexp(m, &e);
	m = ldexp(floor(ldexp(m, 5 - e)) + 0.5, e - 5);
	r = 1 / m;
	frexp(r, &e);
	r = ldexp(rint(ldexp(r, 5 - e)), e - 5);
	if (!mode)
		return mrf_bits((float)r);
	return mrf_to_single(mode == 1 ? -log2(r) : -log(r), MRF_RTE);
}

uint32_t bfr_exp_table(uint32_t v)
{
	return mrf_to_single(exp2((v & 15) / 16.0), MRF_RTE);
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
	return mrf_to_single(a, MRF_RTE);
}
