// SPDX-License-Identifier: MIT
/*
 * The Utgard workloads in plain C: scalar code of the compiler.
 */
#include "bench_utgard.h"

/* clang's flag is in the Makefile. */
#ifdef __clang__
#define SCALAR		__attribute__((noinline))
#else
#define SCALAR		__attribute__((optimize("no-tree-vectorize"), noinline))
#endif

SCALAR void bench_c_light(const float *attr, const float *rows, float *out)
{
	const float *light = rows + 16, *diffuse = rows + 20, *ambient = rows + 24;
	uint32_t i, k;

	for (i = 0; i < BENCH_UTGARD_VERTICES; i++, attr += 6, out += 8) {
		const float *n = attr + 3;
		float d;

		for (k = 0; k < 4; k++)
			out[k] = attr[2] * rows[8 + k] +
				 (attr[1] * rows[4 + k] + attr[0] * rows[k]) + rows[12 + k];
		d = n[0] * light[0] + n[1] * light[1] + n[2] * light[2];
		d = d > 0 ? d : 0;
		for (k = 0; k < 3; k++)
			out[4 + k] = d * diffuse[k] + ambient[k];
		out[7] = ambient[3];
	}
}

/* Bilinear, clamped to the edge; half a texel is between -1/2 and the first centre. */
static void sample(const uint8_t *texels, float u, float v, float rgba[4])
{
	const int last = BENCH_UTGARD_TEXELS - 1;
	float s = u * BENCH_UTGARD_TEXELS - 0.5f, t = v * BENCH_UTGARD_TEXELS - 0.5f;
	int x = (int)(s + 1) - 1, y = (int)(t + 1) - 1, k;
	float fs = s - (float)x, ft = t - (float)y;
	int x0 = x < 0 ? 0 : x, y0 = y < 0 ? 0 : y;
	int x1 = x + 1 > last ? last : x + 1, y1 = y + 1 > last ? last : y + 1;
	const uint8_t *row0 = texels + 4 * BENCH_UTGARD_TEXELS * (unsigned int)y0;
	const uint8_t *row1 = texels + 4 * BENCH_UTGARD_TEXELS * (unsigned int)y1;

	for (k = 0; k < 4; k++) {
		float top = row0[4 * x0 + k] * (1 - fs) + row0[4 * x1 + k] * fs;
		float bottom = row1[4 * x0 + k] * (1 - fs) + row1[4 * x1 + k] * fs;

		rgba[k] = (top * (1 - ft) + bottom * ft) * (1 / 255.0f);
	}
}

static uint8_t to_byte(float v)
{
	return (uint8_t)((v < 0 ? 0 : v > 1 ? 1 : v) * 255 + 0.5f);
}

SCALAR void bench_c_texture(const uint8_t *texels, const float *offset, uint8_t *out)
{
	const float side = BENCH_UTGARD_SIDE;
	float rgba[4];
	uint32_t x, y, k;

	for (y = 0; y < BENCH_UTGARD_SIDE; y++) {
		for (x = 0; x < BENCH_UTGARD_SIDE; x++, out += 4) {
			float u = ((float)x + 0.5f) / side, v = ((float)y + 0.5f) / side;
			const float colour[4] = { u, v, 1 - u / 2, 1 };

			sample(texels, u, v, rgba);
			for (k = 0; k < 4; k++)
				out[k] = to_byte(rgba[k] * colour[k] + offset[k]);
		}
	}
}
