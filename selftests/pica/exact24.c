// SPDX-License-Identifier: GPL-2.0
#include "exact24.h"

#define BIAS		63
#define MAX_EXPONENT	126
#define INFINITY24	0x7f0000u

/* (-1)^sign * mantissa * 2^exponent; mantissa 0 or 17 bits. */
struct parts {
	bool sign;
	uint32_t mantissa;
	int exponent;
};

static struct parts unpack(uint32_t raw)
{
	struct parts p = { .sign = raw >> 23 & 1 };
	int exponent = (int)(raw >> 16 & 0x7f);

	/* Arithmetic reads subnormals as zero. */
	if (exponent) {
		p.mantissa = 0x10000 | (raw & 0xffff);
		p.exponent = exponent - BIAS - 16;
	}
	return p;
}

/* Pack mantissa * 2^exponent; @sticky: non-zero bits follow below the mantissa. */
static uint32_t pack(bool sign, __uint128_t mantissa, int exponent, bool sticky, bool nearest)
{
	uint32_t m;
	bool half = false;

	if (!mantissa)
		return 0;
	while (mantissa >> 17) {
		sticky |= half;
		half = mantissa & 1;
		mantissa >>= 1;
		exponent++;
	}
	while (!(mantissa >> 16)) {
		mantissa <<= 1;
		exponent--;
	}
	m = (uint32_t)mantissa;
	if (nearest && half && (sticky || (m & 1)))
		m++;
	if (m >> 17) {
		m >>= 1;
		exponent++;
	}
	exponent += BIAS + 16;
	if (exponent < 1)
		return 0;
	if (exponent > MAX_EXPONENT)
		return (sign ? 1u << 23 : 0) | INFINITY24;
	return (sign ? 1u << 23 : 0) | (uint32_t)exponent << 16 | (m & 0xffff);
}

uint32_t exact24_mul(uint32_t a, uint32_t b, bool nearest)
{
	struct parts x = unpack(a), y = unpack(b);

	return pack(x.sign != y.sign, (__uint128_t)x.mantissa * y.mantissa, x.exponent + y.exponent,
		    false, nearest);
}

uint32_t exact24_add(uint32_t a, uint32_t b, bool nearest)
{
	struct parts x = unpack(a), y = unpack(b), swap;
	__uint128_t large, small;
	bool sticky = false;
	int distance;

	if (!x.mantissa || (y.mantissa && y.exponent > x.exponent)) {
		swap = x;
		x = y;
		y = swap;
	}
	if (!x.mantissa)
		return 0;
	/* 64 bits below the larger operand hold the smaller one or its trace. */
	large = (__uint128_t)x.mantissa << 64;
	distance = y.mantissa ? x.exponent - y.exponent : 0;
	small = (__uint128_t)y.mantissa << 64;
	if (distance > 100) {
		sticky = true;
		small = 0;
	} else {
		sticky = distance && (small & (((__uint128_t)1 << distance) - 1));
		small >>= distance;
	}
	if (x.sign == y.sign || !y.mantissa)
		return pack(x.sign, large + small, x.exponent - 64, sticky, nearest);
	if (sticky)
		small++;	/* borrow: the remainder exceeds the difference */
	if (large >= small)
		return pack(x.sign, large - small, x.exponent - 64, sticky, nearest);
	return pack(y.sign, small - large, x.exponent - 64, sticky, nearest);
}

uint32_t exact24_rcp(uint32_t a, uint32_t b, bool nearest)
{
	struct parts x = unpack(a);
	__uint128_t one = (__uint128_t)1 << 80;

	(void)b;
	if (!x.mantissa)
		return INFINITY24;
	return pack(x.sign, one / x.mantissa, -80 - x.exponent, one % x.mantissa, nearest);
}

uint32_t exact24_rsq(uint32_t a, uint32_t b, bool nearest)
{
	struct parts x = unpack(a);
	uint64_t mantissa = x.mantissa, root = 0, bit;
	int exponent = x.exponent;
	__uint128_t rest;

	(void)b;
	if (!mantissa)
		return INFINITY24;
	if (exponent & 1) {
		mantissa <<= 1;
		exponent--;
	}
	/* root = floor(sqrt(2^120 / mantissa)), by its bits: root^2 * mantissa <= 2^120 */
	for (bit = (uint64_t)1 << 54; bit; bit >>= 1) {
		uint64_t try = root | bit;

		if ((__uint128_t)try * try <= ((__uint128_t)1 << 120) / mantissa)
			root = try;
	}
	rest = (__uint128_t)root * root;
	return pack(false, root, -60 - exponent / 2,
		    rest * mantissa != (__uint128_t)1 << 120, nearest);
}
