// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Floating-point numbers as decimal text, exactly rounded, without floating point.
 */
#include "midgard_text.h"

#define LIMBS	36		/* holds 2^1024 and fractions of 1074 bits */
#define SHOWN	6		/* significant digits */

/**
 * struct digits - the first significant digits of a number
 * @digit: digits, one more than is shown
 * @n: how many
 * @rest: later ones are not all zero
 * @exponent: power of ten of the first one
 */
struct digits {
	u8 digit[SHOWN + 1];
	u32 n;
	bool rest;
	int exponent;
};

/* Next digit; @power is that of ten that it stands for. */
static void feed(struct digits *d, u32 digit, int power)
{
	if (!d->n && !digit)
		return;
	if (!d->n)
		d->exponent = power;
	if (d->n < ARRAY_SIZE(d->digit))
		d->digit[d->n++] = (u8)digit;
	else
		d->rest = d->rest || digit;
}

/* Divide by 10^9. Return: remainder. */
static u32 divide(u32 limb[LIMBS])
{
	u32 rest = 0, i;
	u64 part;

	for (i = LIMBS; i--;) {
		part = (u64)rest << 32 | limb[i];
		limb[i] = (u32)(part / 1000000000);
		rest = (u32)(part % 1000000000);
	}
	return rest;
}

static void integer_digits(struct digits *d, u64 mantissa, u32 shift)
{
	u32 limb[LIMBS] = { }, part[LIMBS], n = 0, i, unit;

	for (i = 0; i < 64; i++)
		if (mantissa >> i & 1)
			limb[(shift + i) / 32] |= 1U << ((shift + i) % 32);
	for (i = 0; i < LIMBS; i++) {
		part[i] = divide(limb);
		n = part[i] ? i + 1 : n;
	}
	while (n--)
		for (unit = 100000000, i = 0; i < 9; i++, unit /= 10)
			feed(d, part[n] / unit % 10, (int)(9 * n + 8 - i));
}

/* @mantissa / 2^@shift, less than 1. */
static void fraction_digits(struct digits *d, u64 mantissa, u32 shift)
{
	u32 limb[LIMBS] = { }, i, at, any;
	int power;
	u64 part;

	/* The binary point is above the highest limb. */
	for (i = 0; i < 64; i++) {
		if (!(mantissa >> i & 1))
			continue;
		at = 32 * LIMBS - shift + i;
		limb[at / 32] |= 1U << (at % 32);
	}
	for (power = -1; power > -400; power--) {
		for (i = 0, part = 0, any = 0; i < LIMBS; i++) {
			part += (u64)limb[i] * 10;
			limb[i] = (u32)part;
			any |= limb[i];
			part >>= 32;
		}
		feed(d, (u32)part, power);
		if (!any)
			return;
		if (d->n == ARRAY_SIZE(d->digit)) {
			d->rest = true;
			return;
		}
	}
}

/* To nearest, ties to even. */
static void round_digits(struct digits *d)
{
	u8 last = d->digit[SHOWN];
	int i;

	if (last < 5 || (last == 5 && !d->rest && !(d->digit[SHOWN - 1] & 1)))
		return;
	for (i = SHOWN - 1; i >= 0; i--) {
		if (++d->digit[i] < 10)
			return;
		d->digit[i] = 0;
	}
	d->digit[0] = 1;
	d->exponent++;
}

static void put_digits(struct vs_text *t, const struct digits *d)
{
	int point = d->exponent >= -4 && d->exponent < SHOWN ? d->exponent : 0;
	int last = SHOWN - 1, i;

	while (last > 0 && !d->digit[last])
		last--;
	for (i = point < 0 ? point : 0; i <= last || i <= point; i++) {
		vs_put(t, "%u", i < 0 || i > last ? 0 : d->digit[i]);
		if (i == point && i < last)
			vs_put(t, ".");
	}
	if (point != d->exponent)
		vs_put(t, "e%c%02d", d->exponent < 0 ? '-' : '+',
		       d->exponent < 0 ? -d->exponent : d->exponent);
}

void mg_put_float(struct vs_text *t, u64 bits, u32 width)
{
	u32 mbits = width == 16 ? 10 : width == 32 ? 23 : 52, ebits = width - 1 - mbits;
	u64 mantissa = bits & ((1ULL << mbits) - 1);
	u32 exponent = (u32)(bits >> mbits) & ((1U << ebits) - 1), bias = (1U << (ebits - 1)) - 1;
	struct digits d = { };
	int shift;

	vs_put(t, "%s", bits >> (width - 1) & 1 ? "-" : "");
	if (exponent == (1U << ebits) - 1) {
		vs_put(t, mantissa ? "nan" : "inf");
		return;
	}
	if (exponent)
		mantissa |= 1ULL << mbits;
	/* The number is mantissa * 2^shift. */
	shift = (int)(exponent ? exponent : 1) - (int)bias - (int)mbits;
	if (shift >= 0) {
		integer_digits(&d, mantissa, (u32)shift);
	} else {
		integer_digits(&d, shift > -64 ? mantissa >> -shift : 0, 0);
		fraction_digits(&d, shift > -64 ? mantissa & ((1ULL << -shift) - 1) : mantissa,
				(u32)-shift);
	}
	round_digits(&d);
	put_digits(t, &d);
}
