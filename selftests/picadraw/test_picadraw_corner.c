// SPDX-License-Identifier: GPL-2.0
/* Corners: sizes of frames and textures, limits of registers, several passes over one picture. */
#include <math.h>
#include <string.h>

#include "../include/tap.h"
#include "../../kernel/native/pica/pica_cl.h"
#include "scene.h"

#define LINEAR		6u
#define WRAP(s, t)	((uint32_t)(t) << 8 | (uint32_t)(s) << 12)
#define TYPE(n)		((uint32_t)(n) << 28)
#define MIP_LINEAR	(1u << 24)

static const int corner6[6] = { 0, 1, 2, 2, 1, 3 };

static void frame(int w, int h)
{
	sc_reg(0x11e, (uint32_t)w | (uint32_t)(h - 1) << 12);
	sc_reg(0x41, sc_f24(w / 2.0f));
	sc_reg(0x43, sc_f24(h / 2.0f));
}

static void show(int unit)
{
	sc_combiner(0, (3 + unit) | (3 + unit) << 16, 0, 0);
}

/* A rectangle with a colour at each corner, and coordinates between the given ones. */
static void ramp(float lo, float hi)
{
	static const uint32_t colour[4] = { 0xff000000, 0x00ff0055, 0x0000ffaa, 0xffffffff };
	int i, k;

	for (i = 0; i < 6; i++) {
		int c = corner6[i];
		float *v = sc_vertex(c & 1 ? 1 : -1, c >> 1 ? 1 : -1, -0.5f, 1, colour[c]);

		for (k = 0; k < 2; k++) {
			v[SV_TC0 + k] = (k ? c >> 1 : c & 1) ? hi : lo;
			v[SV_TC1 + k] = v[SV_TC0 + k];
			v[SV_TC2 + k] = v[SV_TC0 + k];
		}
		v[SV_TC0W] = 1;
		v[SV_QUAT + 3] = 1;
		v[SV_VIEW + 2] = 1;
	}
}

/* ---- frames ---- */

/* The screens' sizes, in a format each; odd ones, one pixel, in all formats of colour and depth. */
static void test_frames(void)
{
	static const int size[6][2] = {
		{ 240, 400 }, { 240, 320 }, { 52, 37 }, { 1, 1 }, { 7, 130 }, { 512, 16 }
	};
	static const int depth[3] = { 0, 2, 3 };
	char name[40];
	int i, f;

	for (i = 0; i < 6; i++) {
		for (f = 0; f < 5; f++) {
			if (i < 2 && f != 3 * i)
				continue;
			sc_begin();
			frame(size[i][0], size[i][1]);
			sc_reg(0x117, (uint32_t)f << 16);
			sc_reg(0x116, depth[f % 3]);
			sc_reg(0x11b, f == 4);
			sc_reg(0x107, 0x1f61);
			ramp(0, 1);
			sc_draw();
			snprintf(name, sizeof(name), "a frame of %d x %d, format %d", size[i][0],
				 size[i][1], f);
			sc_check(name, 1);
		}
	}
}

/* Depth of a second pass over the same triangles equals that of the first: all is replaced. */
static void test_equal(void)
{
	int i, k, x, y, first = 0, wrong = 0;
	float v[12][4];

	for (i = 0; i < 12; i++) {
		v[i][3] = 1 + i % 3;
		v[i][0] = sinf(i * 1.7f) * v[i][3];
		v[i][1] = cosf(i * 2.3f) * v[i][3];
		v[i][2] = -0.08f * (float)i * v[i][3];
	}
	for (k = 0; k < 2; k++) {
		sc_begin();
		sc_reg(0x6d, k);
		sc_reg(0x4d, sc_f24(k ? -1 : -0.25f));
		sc_reg(0x107, 0x1f61);
		for (i = 0; i < 12; i++)
			sc_vertex(v[i][0], v[i][1], v[i][2], v[i][3], 0x102030ff);
		sc_draw();
		sc_reg(0x107, 0x0f21);
		for (i = 0; i < 12; i++)
			sc_vertex(v[i][0], v[i][1], v[i][2], v[i][3], 0x405060ff);
		sc_draw();
		sc_check(k ? "equal depths" : "equal depths times w", 2);
		for (y = 0; y < SC_SIDE; y++) {
			for (x = 0; x < SC_SIDE; x++) {
				first += !!sc_rgba(x, y);
				wrong += sc_rgba(x, y) && sc_rgba(x, y) != 0x405060ff;
			}
		}
	}
	tap_result(first > 1000 && !wrong, "%s: equal depths: %d of %d pixels differ", nat_simd(),
		   wrong, first);
}

/* Without 8 bits of stencil in the buffer the test is off. */
static void test_no_stencil(void)
{
	int f;

	for (f = 0; f < 3; f += 2) {
		sc_begin();
		sc_reg(0x116, f);
		sc_reg(0x105, 1 | 0 << 4 | 0xff << 8 | 0x55 << 16 | 0xffu << 24);
		sc_reg(0x106, 0x222);
		sc_reg(0x107, 0x1f11);
		ramp(0, 1);
		sc_draw();
		sc_check(f ? "stencil test with depth of 24 bits" :
			 "stencil test with depth of 16 bits", 1);
	}
}

/* All masks: colour, depth and stencil are each written or kept. */
static void test_masks(void)
{
	char name[40];
	int i;

	for (i = 0; i < 8; i++) {
		sc_begin();
		memset(N.mem + SC_COLOUR, 0x69, SC_TEXTURE - SC_COLOUR);
		sc_reg(0x117, (uint32_t)(i % 5) << 16);
		sc_reg(0x113, i & 1 ? 15 : 0);
		sc_reg(0x115, (i >> 1) & 3);
		sc_reg(0x107, (uint32_t)(i * 5 + 3) % 16 << 8 | (i & 1) << 12 | 0x11);
		sc_reg(0x105, 1 | 1 << 4 | 0xf0 << 8 | 0x3c << 16 | 0xffu << 24);
		sc_reg(0x106, 0x252);
		ramp(0, 1);
		sc_draw();
		snprintf(name, sizeof(name), "masks %d", i);
		sc_check(name, 1);
	}
}

/* Early depth changes nothing. */
static void test_early(void)
{
	uint32_t a;
	int k;

	for (k = 0, a = 0; k < 2; k++) {
		sc_begin();
		if (k) {
			sc_reg(0x61, 2);
			sc_reg(0x62, 1);
			sc_reg(0x63, 1);
			sc_reg(0x6a, 0x00800000);
			sc_reg(0x118, 1);
		}
		sc_reg(0x107, 0x1f61);
		sc_rect(-1, -1, 0.5f, 0.5f, -0.75f, 0x998877ff);
		sc_draw();
		sc_rect(-0.5f, -0.5f, 1, 1, -0.25f, 0x112233ff);
		sc_draw();
		sc_check(k ? "early depth" : "late depth", 0);
		tap_result(!k || a == sc_sum(), "%s: early depth: %d", nat_simd(), k);
		a = sc_sum();
	}
}

/* Rectangles of the scissor that leave the frame, and empty ones. */
static void test_scissors(void)
{
	static const uint32_t box[6][2] = {
		{ 0, 0x03ff03ff }, { 0x00200020, 0x03ff03ff }, { 0x003f003f, 0x003f003f },
		{ 0x00400000, 0x03ff003f }, { 0x00100010, 0x000f0030 }, { 0, 0 },
	};
	char name[40];
	int i, mode;

	for (i = 0; i < 6; i++) {
		for (mode = 1; mode < 4; mode += 2) {
			sc_begin();
			sc_reg(0x65, 3);
			sc_reg(0x66, 0);
			sc_reg(0x67, 0x00040004);
			ramp(0, 1);
			sc_draw();
			sc_reg(0x65, mode);
			sc_reg(0x66, box[i][0]);
			sc_reg(0x67, box[i][1]);
			sc_reg(0x107, 0x0f00);
			sc_rect(-1, -1, 1, 1, -0.5f, 0x336699ff);
			sc_draw();
			snprintf(name, sizeof(name), "scissor %d of %#x, %#x", mode, box[i][0],
				 box[i][1]);
			sc_check(name, 1);
		}
	}
}

/* Depths that leave 0 to 1 in one corner, both directions. */
static void test_depth_range(void)
{
	static const float range[5][2] = {
		{ -3, -1 }, { 2, 1.25f }, { 0, 0.75f }, { -1, 0.5f }, { 64, 64 }
	};
	char name[40];
	int i;

	for (i = 0; i < 5; i++) {
		sc_begin();
		sc_reg(0x4d, sc_f24(range[i][0]));
		sc_reg(0x4e, sc_f24(range[i][1]));
		sc_reg(0x107, 0x1f71);
		sc_vertex(-1, -1, 0, 1, 0x11223344);
		sc_vertex(1, -1, -1, 1, 0x55667788);
		sc_vertex(-1, 1, -0.5f, 1, 0x99aabbcc);
		sc_draw();
		snprintf(name, sizeof(name), "depth range %d", i);
		sc_check(name, 1);
	}
}

/* ---- texture units ---- */

static void test_large(void)
{
	static const struct { const char *name; int format, w, h; uint32_t params; } t[] = {
		{ "1024 x 1024 texels in L4", 10, 1024, 1024, WRAP(2, 3) },
		{ "1024 x 8 texels in ETC1", 12, 1024, 8, WRAP(0, 0) | LINEAR },
		{ "8 x 1024 texels in ETC1A4", 13, 8, 1024, WRAP(2, 2) },
		{ "512 x 128 texels in A4", 11, 512, 128, WRAP(3, 1) | LINEAR },
		{ "256 x 256 texels in RGB8", 1, 256, 256, WRAP(2, 2) },
		{ "16 x 512 texels in HILO8", 6, 16, 512, WRAP(1, 0) | LINEAR },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sc_begin();
		sc_texture(1, t[i].format, t[i].w, t[i].h, t[i].params);
		sc_reg(0x91, 0x804020ff);
		show(1);
		ramp(-0.25f, 1.25f);
		sc_draw();
		sc_check(t[i].name, 0);
	}
}

/* Levels of formats with blocks and nibbles, down to 8 x 8 and on. */
static void test_levels(void)
{
	static const int formats[5] = { 12, 13, 10, 5, 1 };
	char name[40];
	int f, bias;

	for (f = 0; f < 5; f++) {
		for (bias = -1; bias < 3; bias++) {
			sc_begin();
			sc_texture(0, formats[f], 64, 32, WRAP(2, 2) | (bias & 1 ? MIP_LINEAR : 0) |
				   (bias ? LINEAR : 0));
			sc_reg(0x84, 5u << 16 | (0x1fffu & (uint32_t)(256 * bias + 40)));
			show(0);
			ramp(0, 2);
			sc_draw();
			snprintf(name, sizeof(name), "levels in format %d, bias %d", formats[f],
				 bias);
			sc_check(name, 1);
		}
	}
	sc_begin();
	sc_texture(0, 0, 32, 32, WRAP(2, 2));
	sc_reg(0x84, 2 << 16 | 5u << 24);
	show(0);
	ramp(0, 4);
	sc_draw();
	sc_check("the least level is above the largest one", 0);
}

/* Directions of a whole cube, with levels; faces in ETC1. */
static void test_cube_levels(void)
{
	int i, k, n;

	sc_begin();
	sc_texture(0, 12, 32, 32, TYPE(1) | LINEAR | MIP_LINEAR);
	sc_reg(0x84, 2 << 16);
	for (i = 0; i < 5; i++)
		sc_reg(0x86 + i, ((NAT_MEM_VA + SC_TEXTURE + 0x2000 * (i + 1)) / 8) & 0x3fffff);
	show(0);
	for (n = 0; n < 24; n++) {
		float x = -1 + n % 6 / 3.0f, y = -1 + n / 6 / 2.0f;

		for (i = 0; i < 6; i++) {
			int c = corner6[i];
			float *v = sc_vertex(x + (c & 1 ? 1 / 3.0f : 0), y + (c >> 1 ? 0.5f : 0),
					     -0.5f, 1, ~0u);

			for (k = 0; k < 3; k++)
				v[k == 2 ? SV_TC0W : SV_TC0 + k] =
					sinf(n * 2.1f + k * 1.9f) +
					0.4f * (float)((c >> (k & 1)) & 1);
			v[SV_QUAT + 3] = 1;
		}
	}
	sc_draw();
	sc_check_most("a cube in ETC1 with levels", 2, 200);
}

static void shadow_scene(const char *name, uint32_t type, uint32_t reg, uint32_t params, float w)
{
	int i;

	sc_begin();
	sc_texture(0, 0, 16, 16, TYPE(type) | params);
	for (i = 0; i < 5; i++)
		sc_reg(0x86 + i, ((NAT_MEM_VA + SC_TEXTURE + 0x400 * (i + 1)) / 8) & 0x3fffff);
	sc_reg(0x8b, reg);
	sc_reg(0x81, 0x10203040);
	show(0);
	for (i = 0; i < 6; i++) {
		int c = corner6[i];
		float *v = sc_vertex(c & 1 ? 1 : -1, c >> 1 ? 1 : -1, -0.5f, 1, ~0u);

		v[SV_TC0] = c & 1 ? 1.3f : -0.4f;
		v[SV_TC0 + 1] = c >> 1 ? 1.1f : -0.2f;
		v[SV_TC0W] = w;
		v[SV_QUAT + 3] = 1;
	}
	sc_draw();
	sc_check_most(name, 0, 12);
}

static void test_shadows(void)
{
	shadow_scene("shadow map: border", 2, 1, WRAP(1, 1), 0.5f);
	shadow_scene("shadow map: divided", 2, 0x40000, WRAP(2, 3), 0.75f);
	shadow_scene("shadow map: divided by a negative w", 2, 0, WRAP(2, 2), -0.5f);
	shadow_scene("shadow map: bias above the depth", 2, 1 | 0xfffffe, WRAP(0, 0), 0.25f);
	shadow_scene("shadow map: behind all", 2, 1, WRAP(0, 0), 4);
	shadow_scene("shadow cube", 4, 0x2000, WRAP(0, 0), 0.625f);
	shadow_scene("projection by a negative w", 3, 0, WRAP(2, 2), -0.25f);
}

/* All units at once, with levels, filters and unit 3's coordinates from each set. */
static void test_all_units(void)
{
	int u, i;

	for (u = 0; u < 3; u++) {
		sc_begin();
		for (i = 0; i < 3; i++)
			sc_texture(i, (4 * i + u) % 14, 16 << i, 32 >> i, WRAP(i, 3) | LINEAR);
		sc_reg(0x80, REF.r[0x80] | 1 << 10 | (uint32_t)u << 8 | (u == 2) << 13);
		sc_reg(0xa8, 2 | 3 << 3 | 4 << 6);
		sc_reg(0xac, 1 | 128 << 11);
		sc_reg(0xaf, 2 << 8);
		for (i = 0; i < 128; i++)
			sc_reg(0xb0, (uint32_t)(i * 32) | 32 << 12);
		sc_reg(0xaf, 4 << 8);
		for (i = 0; i < 256; i++)
			sc_reg(0xb0, (uint32_t)i * 0x01010101);
		sc_combiner(0, 0x43 | 0x43 << 16, 0, 2 | 1 << 16);
		sc_combiner(1, 0x0f5 | 0x0f5 << 16, 0x000, 1 | 2 << 16);
		sc_combiner(2, 0x0f6 | 0x0f6 << 16, 0, 3 | 3 << 16);
		ramp(-0.5f, 1.75f);
		sc_draw();
		sc_check(u == 0 ? "all units: first set" : u == 1 ? "all units: second set" :
			 "all units: third set", 2);
	}
}

/* ---- colours ---- */

/* Every combiner's operation with every operand of one kind, scaled. */
static void test_operations(void)
{
	char name[40];
	int op, scale;

	for (op = 0; op < 10; op++) {
		for (scale = 0; scale < 4; scale++) {
			sc_begin();
			sc_texture(0, 0, 16, 16, WRAP(2, 2));
			sc_reg(0xc3, 0x4080c0e0 + 0x01030507 * (uint32_t)op);
			sc_reg(0xc4, (uint32_t)scale | (uint32_t)(3 - scale) << 16);
			sc_combiner(0, 0xe03 | 0x3e0 << 16,
				    0x810u >> scale | (uint32_t)(op * 73 & 0x1ff) << 12,
				    (uint32_t)op | (uint32_t)(9 - op) << 16);
			ramp(0, 3);
			sc_draw();
			snprintf(name, sizeof(name), "operations %d and %d, scale %d", op, 9 - op,
				 scale);
			sc_check(name, scale ? 4 : 1);
		}
	}
}

/* What a stage writes to the buffer is read two stages later. */
static void test_buffer(void)
{
	int c[4], i;

	sc_begin();
	sc_reg(0xfd, 0x04030201);
	sc_reg(0xe0, 0x0f << 8 | 0x05 << 12);
	sc_combiner(0, 0xe | 0xe << 16, 0, 0);
	sc_reg(0xc3, 0x40302010);
	sc_combiner(1, 0xd | 0xd << 16, 0, 0);
	sc_combiner(2, 0xed | 0xed << 16, 0, 2 | 2 << 16);
	sc_reg(0xd3, 0x01010101);
	sc_combiner(3, 0xdf | 0xdf << 16, 0, 2 | 2 << 16);
	sc_combiner(4, 0xdf | 0xdf << 16, 0, 2 | 2 << 16);
	sc_combiner(5, 0xdf | 0xdf << 16, 0, 2 | 2 << 16);
	sc_quad(-0.5f, 0);
	sc_draw();
	sc_check("buffer", 0);
	sc_pixel(3, 3, c);
	/*
	 * The buffer before stages 0 to 5: B, B, K, B, K + 1 (alpha of stage 2), then what
	 * stage 3 has written.
	 */
	for (i = 0; i < 4; i++) {
		int b = i + 1, k = 16 * (i + 1), s2 = k + 1, s3 = s2 + (i == 3 ? k : b), s4, s5;

		s4 = s3 + s2;
		s5 = s4 + (i == 3 ? s2 : s3);
		tap_result(c[i] == (s5 > 255 ? 255 : s5), "%s: buffer: component %d is %d, not %d",
			   nat_simd(), i, c[i], s5);
	}
}

/* Alpha test: a ramp of all values against one reference. */
static void test_alpha(void)
{
	static const uint32_t refs[3] = { 0, 0x80, 255 };
	char name[40];
	int f, r;

	for (f = 0; f < 8; f++) {
		for (r = 0; r < 3; r++) {
			sc_begin();
			memset(N.mem + SC_COLOUR, 0x11, SC_SIDE * SC_SIDE * 4);
			frame(256, 8);
			sc_reg(0x104, 1 | (uint32_t)f << 4 | refs[r] << 8);
			/* the value of pixel x is x + 1/4, before it is rounded */
			sc_vertex(-1 + 0.5f / 256, -1, -0.5f, 1, 0);
			sc_vertex(-1 + 510.5f / 256, -1, -0.5f, 1, 0xff);
			sc_vertex(-1 + 0.5f / 256, 3, -0.5f, 1, 0);
			sc_draw();
			snprintf(name, sizeof(name), "alpha test %d against %u", f, refs[r]);
			sc_check(name, 1);
		}
	}
}

/* Fog: both directions, from W, entries that overflow, modes that are none. */
static void test_fog(void)
{
	char name[40];
	int mode, flip, w, i;

	for (mode = 0; mode < 7; mode++) {
		flip = mode & 1;
		w = mode >> 1 & 1;
		sc_begin();
		sc_reg(0xe0, (uint32_t)(mode < 4 ? 5 : mode == 6 ? 6 : mode - 3) |
		       (uint32_t)flip << 16);
		sc_reg(0xe1, 0x00c08040);
		sc_reg(0x6d, !w);
		/* the index goes on from the table's end to its begin */
		sc_reg(0xe6, 64);
		for (i = 0; i < 128; i++) {
			uint32_t n = (uint32_t)(i + 64) % 128;

			sc_reg(0xe8 + n % 8,
			       (2047 - n * 15) << 13 | (0x1fff & (n & 32 ? -400 : 90)));
		}
		sc_vertex(-1, -1, 0, 1, 0xffffffff);
		sc_vertex(2, -2, -1.5f, 2, 0x10ff20ff);
		sc_vertex(-1, 1, -0.5f, 1, 0x000000ff);
		sc_draw();
		snprintf(name, sizeof(name), "fog %d", mode);
		sc_check(name, 1);
	}
}

/* Logic operations and blending in formats that have fewer bits. */
static void test_small_formats(void)
{
	char name[40];
	int f, op;

	for (f = 1; f < 5; f++) {
		for (op = 0; op < 16; op++) {
			uint32_t i;

			sc_begin();
			for (i = SC_COLOUR; i < SC_DEPTH; i++)
				N.mem[i] = sc_random();
			sc_reg(0x117, (uint32_t)f << 16);
			sc_reg(0x102, (uint32_t)op);
			sc_reg(0x103, 0x80c04020);
			sc_reg(0x100, op & 1 ? 0x100 : 0);
			sc_reg(0x101, (uint32_t)(op % 8) | (uint32_t)(7 - op % 8) << 8 |
			       (uint32_t)op << 16 | (uint32_t)(15 - op) << 20 |
			       (uint32_t)(op + 5) % 16 << 24 | (uint32_t)(op + 11) % 16 << 28);
			sc_rect(-1, -1, 1, 1, -0.5f, 0x5a3cc3a5);
			sc_draw();
			snprintf(name, sizeof(name), "format %d, operation %d", f, op);
			sc_check(name, 0);
		}
	}
}

/* Shadow maps: a depth, then a density before it, with all kinds of attenuation. */
static void test_shadow_maps(void)
{
	static const float k[4][2] = { { 1, 0 }, { 0, 1 }, { 0.5f, 0.5f }, { 0, 0 } };
	char name[40];
	int i;

	for (i = 0; i < 4; i++) {
		sc_begin();
		memset(N.mem + SC_COLOUR, 0xff, SC_SIDE * SC_SIDE * 4);
		sc_reg(0x100, 3);
		sc_reg(0x117, 0);
		sc_reg(0x130, sc_f16(k[i][0]) | sc_f16(k[i][1]) << 16);
		sc_rect(-1, -1, 0.5f, 0.5f, -0.25f, 0);
		sc_draw();
		sc_rect(-0.5f, -0.5f, 1, 1, -0.125f, 0x00400000);
		sc_draw();
		sc_rect(-0.75f, -0.25f, 0.75f, 1, -0.5f, 0x00c00000);
		sc_draw();
		snprintf(name, sizeof(name), "shadow map %d", i);
		sc_check(name, 1);
	}
}

/* ---- lighting ---- */

/* Every light in the order of the permutation, some twice; alpha of the last one's Fresnel. */
static void test_light_order(void)
{
	int i, k;

	sc_begin();
	sc_reg(0x8f, 1);
	sc_reg(0x1c2, 7);
	sc_reg(0x1c3, 3 << 2 | 3 << 4);
	sc_reg(0x1c4, 0x77u << 16 | 0xff << 8 | 0xffu << 24);
	sc_reg(0x1d9, 0x01234577);
	sc_reg(0x1d1, 0x3000);
	for (i = 0; i < 8; i++) {
		uint32_t r = 0x140 + 16 * (uint32_t)i;

		for (k = 0; k < 4; k++)
			sc_reg(r + (uint32_t)k, (uint32_t)(i + 1) * (k + 1) * 0x100401);
		sc_reg(r + 4, sc_f16(0.25f * (float)i - 1) | sc_f16(0.5f) << 16);
		sc_reg(r + 5, sc_f16(1));
		sc_reg(r + 9, 1);
	}
	sc_reg(0x1c5, 3 << 8 | 0x80);
	for (i = 0; i < 256; i++) {
		uint32_t n = (uint32_t)(i + 0x80) & 255;

		sc_reg(0x1c8, n * 16 | 8 << 12);
	}
	sc_combiner(0, 0x21 | 0x21 << 16, 0, 2 | 1 << 16);
	ramp(0, 1);
	sc_draw();
	sc_check("eight lights, one of them twice", 2);
}

/* Gas has its own message. */
static void test_gas(void)
{
	static const uint32_t bad[2][2] = { { 0x100, 1 }, { 0xe0, 7 } };
	unsigned int i, n = 0;

	for (i = 0; i < 2; i++) {
		sc_begin();
		sc_reg(bad[i][0], bad[i][1]);
		ramp(0, 1);
		sc_draw();
		n += !sc_run() && N.fault.code == PICA_CL_GAS;
		sc_begin();
		sc_reg(bad[i][0], bad[i][1]);
		sc_reg(0x113, 0);
		sc_reg(0x115, 0);
		ramp(0, 1);
		sc_draw();
		n += sc_run();
	}
	tap_result(n == 4, "%s: gas is rejected if a draw changes the picture: %u of 4", nat_simd(),
		   n);
}

int main(void)
{
	static const nat_test tests[] = {
		test_frames, test_equal, test_no_stencil, test_masks, test_early, test_scissors,
		test_depth_range, test_large, test_levels, test_cube_levels, test_shadows,
		test_all_units, test_operations, test_buffer, test_alpha, test_fog,
		test_small_formats, test_shadow_maps, test_light_order, test_gas,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
