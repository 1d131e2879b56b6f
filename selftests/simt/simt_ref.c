// SPDX-License-Identifier: GPL-2.0
/*
 * Floats of the reference: binary32 operands are exact in binary64, sums are rounded to odd
 * with the help of the host's inexact flag, and round_to() rounds once to the requested
 * format.
 */
#include <fenv.h>
#include <math.h>

#include "simt_ref_int.h"

/* Exceeds our functions' error, far below a unit in the last place. */
#define EPSILON	0x1p-46

float ref_f(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static u32 bits_of(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return isnan(f) ? 0x7fc00000 : bits;
}

static long double round_int(long double d, enum simt_round how)
{
	long double t = truncl(d), rest = fabsl(d - t), away = t + copysignl(1, d);

	switch (how) {
	case SIMT_RTE:
		return rest > 0.5L || (rest == 0.5L && fmodl(t, 2) != 0) ? away : t;
	case SIMT_RTNA:
		return rest >= 0.5L ? away : t;
	case SIMT_RTP:
		return rest && d > 0 ? away : t;
	case SIMT_RTN:
		return rest && d < 0 ? away : t;
	default:
		return t;
	}
}

/* To a format of @prec significant bits whose normal numbers are 2^emin .. 2^(1 - emin). */
static long double round_to(long double d, int prec, int emin, enum simt_round how)
{
	long double r, top = ldexpl(2 - ldexpl(1, 1 - prec), 1 - emin);
	int e;

	if (!isfinite(d) || !d)
		return d;
	frexpl(d, &e);
	e = e - 1 < emin ? emin : e - 1;
	r = ldexpl(round_int(ldexpl(d, prec - 1 - e), how), e - prec + 1);
	if (fabsl(r) <= top)
		return r ? r : copysignl(0, d);
	if (how == SIMT_RTZ || (how == SIMT_RTP && d < 0) || (how == SIMT_RTN && d > 0))
		return copysignl(top, d);
	return copysignl(INFINITY, d);
}

static u32 single(long double d, enum simt_round how)
{
	return bits_of((float)round_to(d, 24, -126, how));
}

/* A half's value; NaN as such. */
static double half(u32 h)
{
	u32 e = h >> 10 & 31, m = h & 1023;
	double d = e == 31 ? m ? NAN : INFINITY : e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);

	return h & 0x8000 ? -d : d;
}

static u32 half_bits(long double d, enum simt_round how)
{
	u32 sign, e;
	int lead;

	if (isnan(d))
		return 0x7e00;
	d = round_to(d, 11, -14, how);
	sign = signbit(d) ? 0x8000 : 0;
	d = fabsl(d);
	if (isinf(d))
		return sign | 0x7c00;
	if (d < 0x1p-14L)
		return sign | (u32)(d * 0x1p24L);
	frexpl(d, &lead);
	e = lead + 14;
	return sign | e << 10 | ((u32)ldexpl(d, 11 - lead) & 1023);
}

/* a * b + c; a * b must be exact. */
static double fma_odd(double a, double b, double c, enum simt_round how)
{
	double p = a * b, r;
	bool inexact;
	u64 bits;

	if (p && isfinite(p) && p == -c)
		return how == SIMT_RTN ? -0.0 : 0.0;
	if (!p && !c)
		return signbit(p) == signbit(c) ? p : how == SIMT_RTN ? -0.0 : 0.0;
	fesetround(FE_TOWARDZERO);
	feclearexcept(FE_ALL_EXCEPT);
	__asm__ volatile("" : "+m"(p), "+m"(c));
	r = p + c;
	__asm__ volatile("" : "+m"(r));
	inexact = fetestexcept(FE_INEXACT);
	fesetround(FE_TONEAREST);
	memcpy(&bits, &r, 8);
	bits |= inexact && isfinite(r);
	memcpy(&r, &bits, 8);
	return r;
}

static double clamped(double d, u32 clamp)
{
	double lo = clamp == SIMT_CLAMP_M1_1 ? -1 : 0;

	if (!clamp)
		return d;
	if (!(d > lo))
		return lo;
	return clamp != SIMT_CLAMP_0_INF && d > 1 ? 1 : d;
}

/* m of |v| = m 2^e (NORM, LOG) or m 4^e (SQRT) */
static double mantissa(float v, u32 how, int *e)
{
	double m = frexp(fabs((double)v), e);

	if (how == SIMT_FREXP_SQRT) {
		if (*e & 1) {
			m /= 2;
			*e += 1;
		}
		*e /= 2;
	} else if (how == SIMT_FREXP_LOG && m < 0.75) {
		m *= 2;
		*e -= 1;
	}
	return m;
}

static bool special(float v)
{
	return !v || !isfinite(v);
}

static u32 frexpm(float v, u32 how)
{
	int e;

	return special(v) ? bits_of(v) : bits_of(copysignf((float)mantissa(v, how, &e), v));
}

static double min_max(double a, double b, bool is_max, u32 nan)
{
	bool less;

	if (isnan(a) || isnan(b)) {
		if (nan == SIMT_NAN_SUPPRESS)
			return isnan(a) ? b : a;
		if (nan == SIMT_NAN_PROPAGATE)
			return NAN;
		return nan == SIMT_NAN_C ? b : a;
	}
	less = a < b || (a == b && signbit(a) && !signbit(b));
	return less != is_max ? a : b;
}

static bool compare(double a, double b, u32 cmp)
{
	switch (cmp & 15) {
	case SIMT_EQ:
		return a == b;
	case SIMT_GT:
		return a > b;
	case SIMT_GE:
		return a >= b;
	case SIMT_NE:
		return a != b;
	case SIMT_LT:
		return a < b;
	case SIMT_LE:
		return a <= b;
	case SIMT_GTLT:
		return a < b || a > b;
	default:
		return !isnan(a) && !isnan(b);
	}
}

/* A function known to 80 bits; results near a tie may be rounded either way. */
static void near(struct ref *r, long double v)
{
	r->lo = single(v * (1 - EPSILON), SIMT_RTE);
	r->hi = single(v * (1 + EPSILON), SIMT_RTE);
}

/* sin(pi v) or cos(pi v); the argument is reduced exactly. */
static void sine(struct ref *r, float v, bool cosine)
{
	long double a = fmodl(fabsl((long double)v), 2), t;
	bool neg = !cosine && signbit(v);

	if (!isfinite(v)) {
		r->lo = 0x7fc00000;
		r->hi = r->lo;
		return;
	}
	if (a >= 1) {
		a -= 1;
		neg = !neg;
	}
	/* now half a turn: both functions by a quarter of it */
	if (cosine && a > 0.5L)
		neg = !neg;
	if (cosine)
		t = a > 0.5L ? a - 0.5L : 0.5L - a;
	else
		t = a > 0.5L ? 1 - a : a;
	if (!t) {
		r->lo = !cosine && signbit(v) ? 0x80000000 : 0;
		r->hi = r->lo;
		return;
	}
	/* 1/2 - a is not exact for small a, where the cosine is 1 anyway */
	t = sinl(M_PIl * t);
	near(r, neg ? -t : t);
}

static float log_lookup(float v, u32 imm)
{
	double m, r;
	int e;

	if (isnan(v) || v < 0)
		return NAN;
	if (special(v))
		return !imm ? 1 : v ? INFINITY : -INFINITY;
	m = mantissa(v, SIMT_FREXP_LOG, &e);
	frexp(m, &e);
	m = ldexp(floor(ldexp(m, 5 - e)) + 0.5, e - 5);
	r = 1 / m;
	frexp(r, &e);
	r = ldexp(rint(ldexp(r, 5 - e)), e - 5);
	return !imm ? r : imm == 1 ? -log2(r) : -log(r);
}

static float sine_table(u32 i)
{
	i &= 63;
	if (!(i & 31))
		return 0;
	if ((i & 31) == 16)
		return i < 32 ? 1 : -1;
	return sin(i * M_PI / 32);
}

static u32 to_int(double d, u32 how, double lo, double hi)
{
	if (isnan(d))
		return 0;
	d = (double)round_int(d, how);
	return (u32)(s64)(d < lo ? lo : d > hi ? hi : d);
}

static u32 cut(double d)
{
	return bits_of((float)d) & ~63u;
}

/* Operations with one source. */
static bool one(const struct simt_uop *u, u32 raw, float v, struct ref *r)
{
	u32 how = u->imm & 7;
	int e;

	switch (u->op) {
	case SIMT_FMOV:
		memcpy(&r->lo, &v, 4);
		break;
	case SIMT_FRND:
		r->lo = bits_of(special(v) ? v : copysignf((float)round_int(v, how), v));
		break;
	case SIMT_FSQRT:
		r->lo = bits_of(sqrtf(v));
		break;
	case SIMT_FRCP:
		r->lo = bits_of(1 / v);
		break;
	case SIMT_FRSQ:
		r->lo = bits_of((float)(1 / sqrt((double)v)));
		break;
	case SIMT_FEXP2:
		near(r, exp2l(v));
		return true;
	case SIMT_FLOG2:
		near(r, log2l(v));
		return true;
	case SIMT_FSINPI:
	case SIMT_FCOSPI:
		sine(r, v, u->op == SIMT_FCOSPI);
		return true;
	case SIMT_FLOGD:
		if (isnan(v) || v < 0)
			r->lo = 0x7fc00000;
		else if (special(v))
			r->lo = 0x7f800000;
		else if (mantissa(v, SIMT_FREXP_LOG, &e) == 1)
			r->lo = bits_of((float)(1 / M_LN2l));
		else
			break;
		r->hi = r->lo;
		return true;
	case SIMT_FREXPM:
		r->lo = frexpm(v, u->imm & 3);
		break;
	case SIMT_FREXPE:
		e = 0;
		if (!special(v))
			mantissa(v, u->imm & 3, &e);
		r->lo = (u32)(u->imm & 0x10 ? -e : e);
		break;
	case SIMT_FRCPA:
		r->lo = special(v) ? bits_of(1 / v) :
			cut(1 / mantissa(v, 0, &e)) | (signbit(v) ? 0x80000000 : 0);
		break;
	case SIMT_FRSQA:
		r->lo = special(v) || v < 0 ? bits_of((float)(1 / sqrt((double)v))) :
			cut(1 / sqrt(mantissa(v, SIMT_FREXP_SQRT, &e)));
		break;
	case SIMT_FEXPT:
		r->lo = bits_of((float)exp2((raw & 15) / 16.0));
		break;
	case SIMT_FSINT:
		r->lo = bits_of(sine_table(raw));
		break;
	case SIMT_FCOST:
		r->lo = bits_of(sine_table((raw & 63) + 16));
		break;
	case SIMT_FLOGT:
		r->lo = bits_of(log_lookup(v, u->imm));
		break;
	case SIMT_F2I:
		r->lo = to_int(v, how, -0x1p31, 0x1p31 - 1);
		break;
	case SIMT_F2U:
		r->lo = to_int(v, how, 0, 0x1p32 - 1);
		break;
	case SIMT_I2F:
		r->lo = single((s32)raw, how);
		break;
	case SIMT_U2F:
		r->lo = single(raw, how);
		break;
	case SIMT_FHALF:
		v = (float)half(half_bits(v, SIMT_RTE));
		r->lo = bits_of(fabsf(v) * 16384 < 1 ? copysignf(0, v) : v);
		break;
	case SIMT_FFTZ:
		r->lo = raw & 0x7f800000 ? raw : raw & 0x80000000;
		break;
	case SIMT_FSUPP:
		r->lo = raw;
		if (u->imm & 1 && isinf(ref_f(raw)))
			r->lo = raw - 1;
		if (u->imm & 2 && isnan(ref_f(raw)))
			r->lo = 0;
		break;
	default:
		return false;
	}
	if (u->op == SIMT_FLOGD) {
		double m = mantissa(v, SIMT_FREXP_LOG, &e);

		near(r, log2l(m) / ((long double)m - 1));
		return true;
	}
	r->hi = r->lo;
	return true;
}

/* Operations with more. */
static bool more(const struct simt_uop *u, const u32 *raw, const float *s, struct ref *r)
{
	u32 how = u->imm & 7, yes[3] = { 1, 0x3f800000, 0xffffffff }, i;
	int scale;

	switch (u->op) {
	case SIMT_FADD:
		r->lo = single(fma_odd(s[0], 1, s[1], SIMT_RTE), SIMT_RTE);
		break;
	case SIMT_FADDM:
		r->lo = single(fma_odd(s[0], 1, ref_f(frexpm(s[1], SIMT_FREXP_LOG)), SIMT_RTE),
			       SIMT_RTE);
		break;
	case SIMT_FMUL:
		r->lo = single((double)s[0] * s[1], SIMT_RTE);
		break;
	case SIMT_FMA:
		r->lo = single(fma_odd(s[0], s[1], s[2], SIMT_RTE), SIMT_RTE);
		break;
	case SIMT_FMAU:
		r->lo = single(fma_odd(ref_f(single((double)s[0] * s[1], SIMT_RTE)), 1, s[2],
				       SIMT_RTE), SIMT_RTE);
		break;
	case SIMT_FDOT:
		r->lo = single(fma_odd(ref_f(single((double)s[0] * s[1], SIMT_RTE)), 1,
				       ref_f(single((double)s[2] * s[3], SIMT_RTE)), SIMT_RTE),
			       SIMT_RTE);
		break;
	case SIMT_FMAR:
		r->lo = single(fma_odd(s[0], s[1], s[2], how), how);
		break;
	case SIMT_FMASC:
		scale = (s32)raw[3] > 700 ? 700 : (s32)raw[3] < -700 ? -700 : (s32)raw[3];
		if (u->imm & 0x10 && (s[0] == 0 || s[1] == 0) && isnan((double)s[0] * s[1]))
			r->lo = single(ldexpl(fma_odd(0, 0, s[2], how), scale), how);
		else if (u->imm & 0x20 && (s[0] == 0 || s[1] == 0))
			r->lo = single(ldexpl(fma_odd(s[0], 1, s[2], how), scale), how);
		else
			r->lo = single(ldexpl(fma_odd(s[0], s[1], s[2], how), scale), how);
		break;
	case SIMT_FMIN:
	case SIMT_FMAX:
		r->lo = bits_of((float)min_max(s[0], s[1], u->op == SIMT_FMAX, u->imm & 3));
		break;
	case SIMT_FEXPX:
		if (isnan(ref_f(raw[1])))
			r->lo = 0x7fc00000;
		else if (raw[0] == 0x7fffffff)
			r->lo = 0x7f800000;
		else if (raw[0] == 0x80000000)
			r->lo = 0;
		else
			return near(r, exp2l((s32)raw[0] * 0x1p-24L)), true;
		break;
	case SIMT_FCMP:
		r->lo = compare(s[0], s[1], u->imm) ? yes[u->imm >> 4 & 3] : 0;
		break;
	case SIMT_FCSEL:
		r->lo = compare(s[0], s[1], u->imm) ? raw[2] : raw[3];
		break;
	case SIMT_F2H2:
		for (i = 0, r->lo = 0; i < 2; i++) {
			u32 h = half_bits(s[i], how);

			if (u->imm >> 4 & 3)
				h = half_bits(clamped(half(h), u->imm >> 4 & 3), SIMT_RTE);
			r->lo |= h << (16 * i);
		}
		break;
	default:
		return false;
	}
	r->hi = r->lo;
	return true;
}

static u32 half_op(const struct simt_uop *u, const double *s)
{
	u32 how = u->imm & 7, yes[3] = { 1, 0x3c00, 0xffff };

	switch (u->op) {
	case SIMT_HADD:
		return half_bits(s[0] + s[1], SIMT_RTE);
	case SIMT_HMUL:
		return half_bits(s[0] * s[1], SIMT_RTE);
	case SIMT_HFMA:
		return half_bits(fma_odd(s[0], s[1], s[2], SIMT_RTE), SIMT_RTE);
	case SIMT_HFMAR:
		return half_bits(fma_odd(s[0], s[1], s[2], how), how);
	case SIMT_HMIN:
	case SIMT_HMAX:
		return half_bits(min_max(s[0], s[1], u->op == SIMT_HMAX, u->imm & 3), SIMT_RTE);
	case SIMT_HRND:
		return half_bits(special(s[0]) ? s[0] :
				 copysignl(round_int(s[0], how), s[0]), SIMT_RTE);
	default:	/* SIMT_HCMP */
		return compare(s[0], s[1], u->imm) ? yes[u->imm >> 4 & 3] : 0;
	}
}

/* Classes H and G: each half with its sources' halves. */
static void halves(const struct simt_uop *u, const u32 *raw, struct ref *r)
{
	static const u8 from[4][2] = { { 0, 1 }, { 0, 0 }, { 1, 1 }, { 1, 0 } };
	u32 n = simt_opinfo[u->op].nsrc, k, i, h;
	double s[3];

	r->lo = 0;
	for (k = 0; k < 2; k++) {
		for (i = 0; i < n; i++) {
			s[i] = half(raw[i] >> (16 * from[u->imm >> (16 + 2 * i) & 3][k]));
			if (u->mods & SIMT_ABS(i))
				s[i] = fabs(s[i]);
			if (u->mods & SIMT_NEG(i))
				s[i] = -s[i];
		}
		h = half_op(u, s);
		if (u->op != SIMT_HCMP && SIMT_CLAMP_OF(u->mods))
			h = half_bits(clamped(half(h), SIMT_CLAMP_OF(u->mods)), SIMT_RTE);
		r->lo |= h << (16 * k);
	}
	r->hi = r->lo;
}

static u32 clamp_bits(u32 v, u32 clamp)
{
	return clamp ? bits_of((float)clamped(ref_f(v), clamp)) : v;
}

bool ref_lane(const struct simt_uop *u, const u32 *src, unsigned int lane, struct ref *r)
{
	u32 cl = simt_opinfo[u->op].class, raw[4], i;
	float s[4];

	memcpy(raw, src, sizeof(raw));
	if (cl == SIMT_CL_H || cl == SIMT_CL_G) {
		halves(u, raw, r);
		return true;
	}
	if (u->op == SIMT_H2F) {
		double d = half(raw[0] >> (16 * (u->imm & 1)));

		/* modifiers apply to the converted value */
		raw[0] = bits_of((float)d);
	}
	for (i = 0; i < simt_opinfo[u->op].nsrc; i++) {
		if (cl != SIMT_CL_I && i < 3 && u->mods & SIMT_ABS(i))
			raw[i] &= 0x7fffffff;
		if (cl != SIMT_CL_I && i < 3 && u->mods & SIMT_NEG(i))
			raw[i] ^= 0x80000000;
		s[i] = ref_f(raw[i]);
	}
	if (u->op == SIMT_FCSEL)
		memcpy(raw + 2, src + 2, 8);
	if (u->op == SIMT_H2F) {
		r->lo = bits_of(s[0]);
		r->hi = r->lo;
	} else if (!one(u, raw[0], s[0], r) && !more(u, raw, s, r)) {
		return ref_int(u, raw, lane, r);
	}
	if (cl == SIMT_CL_F) {
		r->lo = clamp_bits(r->lo, SIMT_CLAMP_OF(u->mods));
		r->hi = clamp_bits(r->hi, SIMT_CLAMP_OF(u->mods));
	}
	return true;
}
