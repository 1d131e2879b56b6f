// SPDX-License-Identifier: MIT
/*
 * Floating-point numbers as decimal text.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "midgard_disasm.h"

static double half_to_double(u32 bits)
{
	u32 mantissa = bits & 0x3ff;
	int exponent = bits >> 10 & 31;

	if (exponent == 31)
		return mantissa ? NAN : INFINITY;
	return exponent ? ldexp(mantissa | 0x400, exponent - 25) : ldexp(mantissa, -24);
}

void mg_put_float(struct vs_text *t, u64 bits, u32 width)
{
	u64 magnitude = bits & ~(1ULL << (width - 1));
	u32 word = (u32)magnitude;
	double value;
	float single;

	if (width == 16) {
		value = half_to_double(word);
	} else if (width == 32) {
		memcpy(&single, &word, sizeof(single));
		value = single;
	} else {
		memcpy(&value, &magnitude, sizeof(value));
	}
	/* printf does not guarantee the sign of a NaN. */
	vs_put(t, "%s", bits >> (width - 1) & 1 ? "-" : "");
	if (isnan(value))
		vs_put(t, "nan");
	else
		vs_put(t, "%g", value);
}
