// SPDX-License-Identifier: GPL-2.0
/* Vertex streams of the benchmark workloads, as data/workloads.json describes them. */
#include <math.h>
#include <string.h>

#include "workload.h"

static uint32_t draw(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

/* Binary32 with the low 7 mantissa bits cleared: exact in 1.7.16. */
static uint32_t truncated(double value)
{
	float f = (float)value;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits & ~0x7fu;
}

static float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static uint32_t draw_in(uint32_t *state, double low, double high)
{
	return truncated(low + (high - low) * ((draw(state) >> 8) / 16777216.0));
}

static void position(uint32_t *state, uint32_t out[4])
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		out[i] = draw_in(state, -1.0, 1.0);
	out[3] = truncated(1.0);
}

static void normal(uint32_t *state, uint32_t out[4])
{
	double v[3], length;
	unsigned int i;

	for (i = 0; i < 3; i++)
		v[i] = as_float(draw_in(state, -1.0, 1.0));
	length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (i = 0; i < 3; i++)
		out[i] = truncated(v[i] / length);
	out[3] = 0;
}

static void texture(uint32_t *state, uint32_t out[4])
{
	out[0] = draw_in(state, 0.0, 1.0);
	out[1] = draw_in(state, 0.0, 1.0);
	out[2] = 0;
	out[3] = truncated(1.0);
}

static void colour(uint32_t *state, uint32_t out[4])
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		out[i] = draw_in(state, 0.0, 1.0);
	out[3] = truncated(1.0);
}

/* Offsets of four bones in the matrix palette, and their weights. */
static void bones(uint32_t *state, uint32_t offset[4], uint32_t weight[4])
{
	double w[4], sum = 0.0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		offset[i] = truncated(3.0 * (draw(state) % 16));
	for (i = 0; i < 4; i++) {
		w[i] = as_float(draw_in(state, 0.05, 1.0));
		sum += w[i];
	}
	for (i = 0; i < 4; i++)
		weight[i] = truncated(w[i] / sum);
}

static void vertex(const struct workload *w, uint32_t *state, uint32_t (*out)[4])
{
	position(state, out[0]);
	normal(state, out[1]);
	texture(state, out[2]);
	if (w == &workload_w2)
		bones(state, out[3], out[4]);
	else
		colour(state, out[3]);
}

void workload_vertices(const struct workload *w, uint32_t *out, size_t n)
{
	size_t size = (size_t)w->inputs * 4;
	uint32_t state = w->seed;
	uint32_t v[WORKLOAD_MAX_INPUTS][4];
	size_t i;

	for (i = 0; i < n; i++) {
		if (i >= WORKLOAD_VERTICES) {
			memcpy(out + i * size, out + (i - WORKLOAD_VERTICES) * size,
			       size * sizeof(*out));
			continue;
		}
		vertex(w, &state, v);
		memcpy(out + i * size, v, size * sizeof(*out));
	}
}

uint64_t workload_hash(uint64_t hash, const uint32_t *words, size_t n)
{
	size_t i;
	unsigned int shift;

	for (i = 0; i < n; i++) {
		for (shift = 0; shift < 32; shift += 8) {
			hash ^= words[i] >> shift & 0xff;
			hash *= 0x100000001b3ull;
		}
	}
	return hash;
}
