// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blending of bytes with the machine's numbers. Steps and roundings are those of mali_unpack(),
 * mali_fp_blend() and mali_pack(). Called in FPU sections only.
 */
#include "vr_tile.h"

/* In binary32, its last bit is 1: sums are rounded to nearest even integers. */
#define ROUND	12582912.0f

static double number(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* A + B * C; see operands of struct mali_fp_blend. */
static double blend_one(u32 function, const double *src, const double *dst, double constant, u32 i)
{
	double s = src[i], d = dst[i];
	const double a[4] = { 0, 0, s, d }, b[4] = { s - d, s + d, s, d };
	const double c[8] = { 0, 0, s, d, s + s, src[3], dst[3], constant };
	double x = a[function & 3], y = b[function >> 4 & 3], z = c[function >> 8 & 7];

	if (function >> 11 & 1)
		z = 1 - z;
	if (function >> 3 & 1)
		x = 0 - x;
	if (function >> 7 & 1)
		y = 0 - y;
	return x + y * z;
}

/* NaN is 0. */
static u8 to_byte(double v)
{
	float f = (float)v;
	u32 bits;

	if (!(f > 0))
		return 0;
	if (f >= 1)
		return 255;
	f *= 255;
	f += ROUND;
	memcpy(&bits, &f, sizeof(bits));
	return bits & 0xff;
}

void vr_blend_bytes_sse2(u32 equation, u32 constant, const u8 order[4], const u32 src[4], u8 *p)
{
	double s[4], d[4], k = number(constant);
	u32 i;

	for (i = 0; i < 4; i++) {
		s[i] = number(src[i]);
		d[i] = number(mali_unorm8_to_f32(p[order[i]]));
	}
	for (i = 0; i < 4; i++)
		if (equation >> (28 + i) & 1)
			p[order[i]] = to_byte(blend_one(i < 3 ? equation : equation >> 12, s, d, k,
							i));
}
