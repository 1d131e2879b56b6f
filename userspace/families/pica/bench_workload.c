// SPDX-License-Identifier: MIT
/*
 * Benchmark workloads: vertices from a rule, verification of outputs.
 *
 * Vertices come from xorshift32. A draw in [a, b] is a + (b - a) * ((x >> 8) / 2^24),
 * rounded to binary32, its low 7 mantissa bits cleared so that it is exact in 1.7.16.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench_pica.h"

static uint32_t next(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x;
}

static uint32_t to_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static float to_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint32_t cut(double d)
{
	return to_bits((float)d) & ~0x7fu;
}

static uint32_t draw(uint32_t *x, double a, double b)
{
	return cut(a + (b - a) * ((double)(next(x) >> 8) / 16777216.0));
}

static void draw_row(uint32_t *x, uint32_t *out, unsigned int n, double a, double b)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		out[i] = draw(x, a, b);
}

/* Divided by @len in double precision and cut again. */
static void divide(uint32_t *v, unsigned int n, double len)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		v[i] = cut((double)to_float(v[i]) / len);
}

static double length3(const uint32_t *v)
{
	double x = to_float(v[0]), y = to_float(v[1]), z = to_float(v[2]);

	return sqrt(x * x + y * y + z * z);
}

/* Position, normal, texture; then a colour or bones and weights. */
static void vertex(uint32_t *x, uint32_t (*v)[4], bool skinned)
{
	double sum = 0;
	unsigned int i;

	draw_row(x, v[0], 3, -1, 1);
	v[0][3] = to_bits(1.0f);
	draw_row(x, v[1], 3, -1, 1);
	divide(v[1], 3, length3(v[1]));
	v[1][3] = 0;
	draw_row(x, v[2], 2, 0, 1);
	v[2][2] = 0;
	v[2][3] = to_bits(1.0f);
	if (!skinned) {
		draw_row(x, v[3], 3, 0, 1);
		v[3][3] = to_bits(1.0f);
		return;
	}
	for (i = 0; i < 4; i++)
		v[3][i] = to_bits((float)(3 * (next(x) % 16)));
	draw_row(x, v[4], 4, 0.05, 1);
	for (i = 0; i < 4; i++)
		sum += (double)to_float(v[4][i]);
	divide(v[4], 4, sum);
}

/* Centre, colour, half size. */
static void point(uint32_t *x, uint32_t (*v)[4])
{
	draw_row(x, v[0], 2, -1, 1);
	v[0][2] = draw(x, -8, -2);
	v[0][3] = to_bits(1.0f);
	draw_row(x, v[1], 3, 0, 1);
	v[1][3] = to_bits(1.0f);
	draw_row(x, v[2], 2, 0.01, 0.1);
	v[2][2] = 0;
	v[2][3] = 0;
}

void bench_vertices(const struct bench_workload *w, uint32_t *out)
{
	uint32_t x = w->seed, i;

	for (i = 0; i < BENCH_VERTICES; i++, out += 4 * w->inputs) {
		if (w->stage == DRM_VSHADER_STAGE_GEOMETRY)
			point(&x, (uint32_t (*)[4])out);
		else
			vertex(&x, (uint32_t (*)[4])out, w->inputs == 5);
	}
}

uint32_t bench_out_words(const struct bench_workload *w)
{
	return 4 * w->outputs * (w->max_prims ? 3 * w->max_prims : 1);
}

/* ---- expectations ---- */

/* Rows times vector, products added from left to right, in binary32. */
static void transform(const struct bench_workload *w, const float *v, uint32_t *out)
{
	unsigned int i, k;

	for (i = 0; i < 4; i++) {
		float sum = 0;

		for (k = 0; k < 4; k++) {
			float p = to_float(w->uniforms[i].value[k]) * v[k];

			sum = k ? sum + p : p;
		}
		out[i] = to_bits(sum);
	}
}

/* Slots 0, 1, 2 of the first triangle; the second has another slot 0. */
static void expect_quad(const struct bench_workload *w, const uint32_t (*v)[4], uint32_t *out)
{
	static const float signs[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
	static const unsigned int corners[6] = { 0, 1, 2, 3, 1, 2 };
	unsigned int i;

	for (i = 0; i < 6; i++, out += 8) {
		const float *s = signs[corners[i]];
		float dx = to_float(v[2][0]) * s[0], dy = to_float(v[2][1]) * s[1];
		float p[4] = {
			dx + to_float(v[0][0]), dy + to_float(v[0][1]),
			to_float(v[0][2]), to_float(v[0][3]),
		};

		transform(w, p, out);
		memcpy(out + 4, v[1], 16);
	}
}

static bool close_enough(uint32_t got, uint32_t want, double tolerance, double *worst)
{
	double g = to_float(got), x = to_float(want), diff = fabs(g - x), scale;

	if (got == want || g == x)
		return true;
	/* Small results of large terms: relative to 1, as all terms are about 1. */
	scale = fabs(x) > 1 ? fabs(x) : 1;
	if (!(diff / scale <= *worst))
		*worst = diff / scale;
	return diff <= tolerance * scale;
}

static bool compare(const uint32_t *got, const uint32_t *want, uint32_t n, double tolerance,
		    double *worst, uint32_t *bad)
{
	bool ok = true;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (close_enough(got[i], want[i], tolerance, worst))
			continue;
		if (ok)
			*bad = i;
		ok = false;
	}
	return ok;
}

/* All vertices that there is an expectation for. */
static bool compare_all(const struct bench_workload *w, const uint32_t *vertices,
			const uint32_t *outputs, double tolerance, double *worst, uint32_t *bad)
{
	uint32_t words = bench_out_words(w), i, want[48];

	if (w->first)
		return compare(outputs, w->first, words * BENCH_CHECKED, tolerance, worst, bad);
	for (i = 0; i < BENCH_VERTICES; i++) {
		expect_quad(w, (const uint32_t (*)[4])(vertices + 4 * i * w->inputs), want);
		if (!compare(outputs + i * words, want, words, tolerance, worst, bad)) {
			*bad += i * words;
			return false;
		}
	}
	return true;
}

bool bench_verify(const struct bench_workload *w, uint32_t model, const uint32_t *vertices,
		  const uint32_t *outputs, uint64_t reference, char *how, size_t size)
{
	uint32_t words = bench_out_words(w), bad = 0;
	uint64_t hash = bench_hash(outputs, (size_t)BENCH_VERTICES * words * 4);
	bool f32 = model == DRM_VSHADER_PICA_F32;
	double worst = 0, tolerance = f32 ? w->tolerance : w->tolerance_f24;

	if (reference && hash != reference) {
		snprintf(how, size, "hash %016llx, other executors give %016llx",
			 (unsigned long long)hash, (unsigned long long)reference);
		return false;
	}
	if (f32 && w->hash && hash == w->hash) {
		snprintf(how, size, "hash of all outputs");
		return true;
	}
	if (f32 && w->exact) {
		snprintf(how, size, "hash %016llx, expected %016llx", (unsigned long long)hash,
			 (unsigned long long)w->hash);
		return false;
	}
	if (!compare_all(w, vertices, outputs, tolerance, &worst, &bad)) {
		snprintf(how, size, "vertex %u, word %u: %.9g differs by more than %g", bad / words,
			 bad % words, (double)to_float(outputs[bad]), tolerance);
		return false;
	}
	snprintf(how, size, "%s outputs within %.2g%s", w->first ? "first" : "all", worst,
		 reference ? ", same hash on all executors" : "");
	return true;
}
