// SPDX-License-Identifier: GPL-2.0
/*
 * Random states of all stages, compared with the model pixel by pixel on every executor.
 *
 * In half of the scenes all numbers are dyadic: right triangles whose legs are powers of two,
 * texture coordinates, depths and w of few bits. The model's binary64 and the engine's binary32 are
 * then exact, and the pictures equal. Others are of lights and of unit 3, and of any triangles,
 * with a tolerance. One of eight has everything at once, in frames of any size: there the executors
 * are compared with each other only. Registers have defined values only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "../../kernel/isa/pica/pica_launch.h"
#include "scene.h"

#define PAINT_SWITCHES	(PICA_SW_FACTORS_OF_MIN_MAX | PICA_SW_REFLECTIONS_SWAPPED | \
			 PICA_SW_QUATERNIONS_AS_GIVEN | PICA_SW_FACTOR_UNBOUNDED | \
			 PICA_SW_SHADOW_ALPHA_OF_BOTH | PICA_SW_TEXELS_TO_ZERO | \
			 PICA_SW_CLAMP_OF_BOTH)

static uint32_t first_seed = 1;
static unsigned int scenes = 60;

static uint32_t below(uint32_t n)
{
	return sc_random() % n;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

static uint32_t word(void)
{
	return sc_random() << 16 ^ sc_random();
}

/* A multiple of 1 / @parts. */
static float dyadic(int lo, int hi, int parts)
{
	return (float)(lo * parts + (int)below((uint32_t)((hi - lo) * parts + 1))) / parts;
}

/* ---- registers ---- */

static void fill(uint32_t from, uint32_t to)
{
	uint32_t i;

	for (i = from; i < to; i++)
		N.mem[i] = sc_random();
}

static void frame(void)
{
	static const uint32_t depth[3] = { 0, 2, 3 };

	fill(SC_COLOUR, SC_TEXTURE + 3 * 0x40000);
	sc_reg(0x116, depth[below(3)]);
	sc_reg(0x117, below(5) << 16);
	sc_reg(0x11b, one_in(4));
}

static void tests(void)
{
	sc_reg(0x104, one_in(3) | below(8) << 4 | below(256) << 8);
	sc_reg(0x105, one_in(2) | below(8) << 4 | below(1 << 24) << 8);
	sc_reg(0x106, below(8) | below(8) << 4 | below(8) << 8);
	sc_reg(0x107, one_in(2) | below(8) << 4 | (one_in(3) ? below(16) : 15) << 8 |
	       below(2) << 12);
	sc_reg(0x113, one_in(8) ? 0 : 15);
	sc_reg(0x115, one_in(4) ? 1 + below(3) : 3);
	sc_reg(0x65, below(4));
	sc_reg(0x66, below(40) | below(40) << 16);
	sc_reg(0x67, (20 + below(50)) | (20 + below(50)) << 16);
	sc_reg(0x40, below(4));
}

static void blending(void)
{
	sc_reg(0x100, below(2) << 8);
	sc_reg(0x101, below(5) | below(5) << 8 | below(15) << 16 | below(15) << 20 |
	       below(15) << 24 | below(15) << 28);
	sc_reg(0x102, below(16));
	sc_reg(0x103, word());
}

static void depths(void)
{
	static const float scale[4] = { -1, -0.5f, 1, 0.25f }, offset[4] = { 0, 0, 1, 0.25f };

	sc_reg(0x4d, sc_f24(scale[below(4)]));
	sc_reg(0x4e, sc_f24(offset[below(4)]));
	sc_reg(0x6d, below(2));
}

static uint32_t sources(void)
{
	static const uint8_t all[] = { 0, 1, 2, 3, 4, 5, 6, 13, 14, 15, 15, 13, 3, 4, 5 };
	uint32_t v = 0, i;

	for (i = 0; i < 3; i++)
		v = v << 4 | all[below(sizeof(all))];
	return v;
}

static uint32_t operands(void)
{
	static const uint8_t all[] = { 0, 1, 2, 3, 4, 5, 8, 9, 12, 13 };
	uint32_t v = 0, i;

	for (i = 0; i < 3; i++)
		v = v << 4 | all[below(sizeof(all))];
	return v | below(1 << 9) << 12;
}

static void combiners(void)
{
	static const uint32_t base[6] = { 0xc0, 0xc8, 0xd0, 0xd8, 0xf0, 0xf8 };
	int i, n = 1 + (int)below(6);

	for (i = 0; i < n; i++) {
		sc_combiner(i, sources() | sources() << 16, operands(),
			    below(10) | below(10) << 16);
		sc_reg(base[i] + 3, word());
		sc_reg(base[i] + 4, one_in(2) ? 0 : below(4) | below(4) << 16);
	}
	sc_reg(0xe0, (one_in(2) ? 0 : below(256) << 8) | (one_in(3) ? 5 : 0) | below(2) << 16);
	sc_reg(0xfd, word());
	sc_reg(0xe1, word());
	sc_reg(0xe6, 0);
	for (i = 0; i < 128; i++)
		sc_reg(0xe8 + below(8), word() & 0xffffff);
}

static void textures(void)
{
	static const uint32_t base[3] = { 0x81, 0x91, 0x99 };
	static const uint8_t types[8] = { 0, 0, 1, 2, 3, 3, 4, 5 };
	uint32_t u, i, most;

	for (u = 0; u < 3; u++) {
		uint32_t at = (NAT_MEM_VA + SC_TEXTURE + 0x40000 * u) / 8;

		sc_reg(base[u], word());
		sc_reg(base[u] + 1, 8u << below(4) << 16 | 8u << below(4));
		sc_reg(base[u] + 2, below(8) | below(8) << 8 | below(8) << 12 | below(2) << 24 |
		       (uint32_t)types[u ? 0 : below(8)] << 28);
		most = one_in(3) ? 0 : below(4);
		sc_reg(base[u] + 3, ((below(1024) - 512) & 0x1fff) | most << 16 |
		       below(most + 1) << 24);
		sc_reg(base[u] + 4, at + 16 * below(64));
		sc_reg(u ? base[u] + 5 : 0x8e, below(14));
		for (i = 0; i < 5 && !u; i++)
			sc_reg(0x86 + i, (at + 16 * below(256)) & 0x3fffff);
	}
	sc_reg(0x8b, one_in(2) | (one_in(2) ? below(1 << 22) << 1 : 0));
	sc_reg(0x80, below(8) | below(4) << 8 | below(2) << 13);
}

/* ---- triangles ---- */

/* Words of the vertex that textures read. */
static void coordinates(float *v)
{
	float big = one_in(3) ? 4 : 1;
	int k;

	for (k = 0; k < 2; k++) {
		v[SV_TC0 + k] = dyadic(-2, 2, 16) * big;
		v[SV_TC1 + k] = dyadic(-2, 2, 16) * big;
		v[SV_TC2 + k] = dyadic(-2, 2, 16) * big;
	}
}

/*
 * A right triangle: legs of @a and @b pixels from a point in 1/16 pixels, one w, which is a power
 * of two.
 */
static void exact_triangle(void)
{
	static const float ws[4] = { 1, 1, 2, 0.5f }, tcw[4] = { 1, 2, -0.5f, 0.25f };
	int a = 8 << below(3), b = 8 << below(3), i, order = (int)below(3), turn = one_in(2);
	float px = dyadic(0, 64 - a, 16), py = dyadic(0, 64 - b, 16), w = ws[below(4)];
	float tw = tcw[below(4)];

	if (one_in(2))
		px = floorf(px);
	if (one_in(2))
		py = floorf(py);
	for (i = 0; i < 3; i++) {
		int c = (turn ? 3 - i : i) % 3;
		float x = (px + (c == 1 ? a : 0)) / 32 - 1, y = (py + (c == 2 ? b : 0)) / 32 - 1;
		float *v;

		c = (c + order) % 3;
		v = sc_vertex(x * w, y * w, dyadic(-1, 0, 64) * w, w, 0);
		coordinates(v);
		v[SV_TC0W] = tw;
		for (c = 0; c < 4; c++) {
			v[SV_COLOUR + c] = dyadic(0, 1, 128);
			v[SV_QUAT + c] = c == 3;
		}
	}
}

static void exact_scene(const char *name)
{
	int draws = 1 + (int)below(3), tolerance = 0, d, i, n;

	sc_switches(word() & PAINT_SWITCHES);
	frame();
	for (d = 0; d < draws; d++) {
		tests();
		blending();
		depths();
		combiners();
		textures();
		if (one_in(8)) {
			sc_reg(0x100, 3);
			sc_reg(0x117, 0);
			sc_reg(0x130, sc_f16(dyadic(0, 1, 16)) | sc_f16(dyadic(0, 2, 16)) << 16);
			tolerance = 1;
		}
		n = 1 + (int)below(4);
		for (i = 0; i < n; i++)
			exact_triangle();
		if (one_in(3))
			sc_draw_immediate();
		else
			sc_draw();
	}
	sc_check(name, tolerance);
}

/* ---- lights, unit 3 ---- */

static float between(float lo, float hi)
{
	return lo + (hi - lo) * (float)below(1 << 20) / (1 << 20);
}

/* A continuous table of lighting: the difference is of 1 / 2047, the value of 1 / 4095. */
static void light_table(uint32_t n)
{
	int v = (int)below(4096), d = 2 * (int)below(30) - 30, i;

	sc_reg(0x1c5, n << 8);
	for (i = 0; i < 256; i++) {
		if (one_in(20))
			d = 2 * (int)below(30) - 30;
		if (v + d < 0 || v + d > 4095)
			d = -d;
		sc_reg(0x1c8 + below(8),
		       (uint32_t)v | (uint32_t)abs(d) / 2 << 12 | (uint32_t)(d < 0) << 23);
		v += d;
	}
}

static void light(uint32_t i)
{
	uint32_t r = 0x140 + 16 * i, k;

	for (k = 0; k < 4; k++)
		sc_reg(r + k, below(120) | below(120) << 10 | below(120) << 20);
	sc_reg(r + 4, sc_f16(between(-2, 2)) | sc_f16(between(-2, 2)) << 16);
	sc_reg(r + 5, sc_f16(between(0.5f, 2)));
	sc_reg(r + 6, below(0x2000) | below(0x2000) << 16);
	sc_reg(r + 7, below(0x2000));
	sc_reg(r + 9, below(16));
	sc_reg(r + 10, sc_f20(between(-0.2f, 0.3f)));
	sc_reg(r + 11, sc_f20(between(0, 0.3f)));
}

static void lights(void)
{
	static const uint8_t configs[8] = { 0, 1, 2, 3, 4, 5, 6, 8 };
	static const uint8_t scales[6] = { 0, 1, 2, 3, 6, 7 };
	uint32_t v = 0, s = 0, i, config = configs[below(8)];

	sc_reg(0x8f, 1);
	sc_reg(0x1c6, 0);
	sc_reg(0x1c0, word() & 0x03f0fc3f);
	sc_reg(0x1c2, below(4));
	sc_reg(0x1c3, (word() & 0xcfcf000c) | config << 4 | below(3) << 28 | one_in(2));
	sc_reg(0x1c4, one_in(2) ? 0 : word() & word() & ~(1u << 18));
	sc_reg(0x1d9, word() & 0x77777777);
	for (i = 0; i < 7; i++) {
		v |= below(config == 8 ? 6 : 5) << (4 * i);
		s |= (uint32_t)scales[below(6)] << (4 * i);
	}
	sc_reg(0x1d0, word() & 0x02222222);
	sc_reg(0x1d1, v);
	sc_reg(0x1d2, s);
	for (i = 0; i < 24; i++) {
		if (i != 2 && i != 7)
			light_table(i);
	}
	for (i = 0; i < 8; i++)
		light(i);
	sc_combiner(0, 0x21 | 0x21 << 16, 0, below(2) * 2 | below(2) * 2 << 16);
}

static void map_table(uint32_t n)
{
	int v = (int)below(4096), d = 0, i;

	sc_reg(0xaf, n << 8);
	for (i = 0; i < 128; i++) {
		if (one_in(10))
			d = (int)below(120) - 60;
		if (v + d < 0 || v + d > 4095)
			d = -d;
		sc_reg(0xb0 + below(8), (uint32_t)v | (uint32_t)(d & 0xfff) << 12);
		v += d;
	}
}

static void unit3(void)
{
	int c[4] = { 0 }, d[4] = { 0 }, i, k;
	uint32_t colours[256], diffs[256], most, bias;

	sc_reg(0x80, 1 << 10 | below(3) << 8);
	sc_reg(0xa8, below(5) | below(5) << 3 | below(10) << 6 | below(10) << 10 | below(2) << 14 |
	       below(2) << 15 | below(3) << 16 | below(3) << 18);
	for (i = 0; i < 2; i++)
		sc_reg(0xa9 + i, below(2000) | sc_f16(between(-1, 1)) << 16);
	sc_reg(0xab, sc_f16(between(0, 0.7f)) | sc_f16(between(0, 0.7f)) << 16);
	most = below(8);
	sc_reg(0xac, (one_in(3) ? 1 : below(6)) | below(most + 1) << 3 | most << 7 |
	       (32 + below(200)) << 11);
	if (!one_in(4)) {
		bias = sc_f16(between(0, 4) * (one_in(2) ? 1 : -1));
		sc_reg(0xa8, REF.r[0xa8] | (bias & 255) << 20);
		sc_reg(0xac, REF.r[0xac] | bias >> 8 << 19);
	}
	sc_reg(0xad, word());
	map_table(0);
	map_table(2);
	map_table(3);
	for (i = 0; i < 256; i++) {
		colours[i] = 0;
		diffs[i] = 0;
		for (k = 0; k < 4; k++) {
			if (one_in(8))
				d[k] = (int)below(8) - 4;
			if (c[k] + 2 * d[k] < 0 || c[k] + 2 * d[k] > 255)
				d[k] = -d[k];
			colours[i] |= (uint32_t)c[k] << (8 * k);
			diffs[i] |= (uint32_t)(d[k] & 255) << (8 * k);
			c[k] += 2 * d[k];
		}
	}
	sc_reg(0xaf, 4 << 8);
	for (i = 0; i < 256; i++)
		sc_reg(0xb0, colours[i]);
	sc_reg(0xaf, 5 << 8);
	for (i = 0; i < 256; i++)
		sc_reg(0xb7, diffs[i]);
	sc_combiner(0, 6 | 6 << 16, 0, 0);
}

static void any_triangle(float out)
{
	float w;
	int i, k;

	for (i = 0; i < 3; i++) {
		float *v;

		w = between(0.5f, 2);
		v = sc_vertex(between(-out, out) * w, between(-out, out) * w,
			      between(-out, out / 4) * w / 2, w, 0);
		for (k = 0; k < 4; k++) {
			v[SV_COLOUR + k] = between(0, 1);
			v[SV_QUAT + k] = between(-0.5f, 0.5f) + (k == 3);
			v[SV_VIEW + k % 3] = between(-1, 1) + (k % 3 == 2) * 2;
		}
		for (k = 0; k < 2; k++) {
			v[SV_TC0 + k] = between(0, 2);
			v[SV_TC1 + k] = between(-1, 2);
			v[SV_TC2 + k] = between(-2, 2);
		}
		v[SV_TC0W] = 1;
	}
}

static void lit_scene(const char *name)
{
	int i;

	sc_switches(word() & PAINT_SWITCHES);
	sc_reg(0x11b, one_in(4));
	textures();
	lights();
	for (i = 0; i < 3; i++)
		any_triangle(0.95f);
	sc_draw();
	sc_check_most(name, 1, 16);
}

static void unit3_scene(const char *name)
{
	int i;

	unit3();
	for (i = 0; i < 3; i++)
		any_triangle(0.95f);
	sc_draw();
	sc_check_most(name, 1, 40);
}

/* Any triangles, also outside of the window, clip planes, viewports. */
static void clipped_scene(const char *name)
{
	int i;

	fill(SC_COLOUR, SC_DEPTH);
	for (i = 0; i < 4 && one_in(2); i++)
		sc_reg(0x48 + i, sc_f24(between(-1, 1)));
	sc_reg(0x47, i == 4);
	sc_reg(0x41, sc_f24(between(16, 64)));
	sc_reg(0x43, sc_f24(between(16, 64)));
	sc_reg(0x68, ((below(64) - 32) & 1023) | ((below(64) - 32) & 1023) << 16);
	sc_reg(0x40, below(4));
	sc_reg(0x107, 0x1f01 | (6 + below(2)) << 4);
	for (i = 0; i < 6; i++)
		any_triangle(1.5f);
	sc_draw();
	sc_check_most(name, 1, 40);
}

/* All stages together: a difference in the last bit may choose another texel, or pass a test. */
static void mixed_scene(const char *name)
{
	uint32_t w = 1 + below(128), h = 1 + below(128);
	int i;

	sc_switches(word() & PAINT_SWITCHES);
	frame();
	sc_reg(0x11e, w | (h - 1) << 12);
	sc_reg(0x41, sc_f24((float)w / 2));
	sc_reg(0x43, sc_f24((float)h / 2));
	tests();
	blending();
	depths();
	unit3();
	textures();
	sc_reg(0x80, (REF.r[0x80] & ~0x300u) | 1 << 10 | below(3) << 8);
	if (below(3))
		lights();
	sc_reg(0x1c2, below(8));
	combiners();
	for (i = 0; i < 6; i++)
		any_triangle(1.2f);
	sc_draw();
	sc_check_most(name, 1, 2 * 0x80000);
}

static void test_random(void)
{
	unsigned int i;
	char name[40];

	for (i = 0; i < scenes; i++) {
		uint32_t seed = first_seed + i;

		sc_begin();
		sc_seed(seed * 2654435761u);
		N.model = one_in(4) ? PICA_MODEL_F32 : PICA_MODEL_F24;
		REF.f24 = N.model == PICA_MODEL_F24;
		snprintf(name, sizeof(name), "random state %u", seed);
		switch (seed % 8) {
		case 4:
			mixed_scene(name);
			break;
		case 5:
			lit_scene(name);
			break;
		case 6:
			unit3_scene(name);
			break;
		case 7:
			clipped_scene(name);
			break;
		default:
			exact_scene(name);
			break;
		}
	}
}

int main(int argc, char **argv)
{
	static const nat_test tests[] = { test_random };
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			first_seed = (uint32_t)strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--scenes"))
			scenes = (unsigned int)strtoul(argv[i + 1], NULL, 0);
	}
	nat_all(tests, 1);
	return tap_done();
}
