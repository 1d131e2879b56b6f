// SPDX-License-Identifier: GPL-2.0
/* Triangles: coverage, clipping, culling, scissor, depth, interpolation. */
#include <math.h>
#include <string.h>

#include "../include/tap.h"
#include "scene.h"

/* A rectangle on pixel borders: all pixels inside have its colour, no other is written. */
static void test_first(void)
{
	int x, y, wrong = 0;

	sc_begin();
	sc_rect(-0.5f, -0.5f, 0.5f, 0.25f, -0.5f, 0x4080c0ff);
	sc_draw();
	sc_check("rectangle", 0);
	for (y = 0; y < SC_SIDE; y++) {
		for (x = 0; x < SC_SIDE; x++) {
			bool in = x >= 16 && x < 48 && y >= 16 && y < 40;

			wrong += sc_rgba(x, y) != (in ? 0x4080c0ff : 0);
			wrong += sc_zs(x, y) != (in ? 0x7fffff : 0);
		}
	}
	tap_result(!wrong, "%s: rectangle: closed form, %d wrong", nat_simd(), wrong);
}

static void random_triangle(float reach)
{
	int i, k;

	for (i = 0; i < 3; i++) {
		float w = 0.25f + (sc_random() & 0xff) / 64.0f, p[3];
		float *v;

		for (k = 0; k < 3; k++)
			p[k] = ((int)(sc_random() & 0xffff) - 0x8000) / 32768.0f * w * reach;
		v = sc_vertex(p[0], p[1], k == 2 ? 0 : -fabsf(p[2]), w,
			      sc_random() << 8 | sc_random());
		v[SV_QUAT + 3] = 1;
	}
}

static void test_random(void)
{
	int i;

	sc_begin();
	sc_reg(0x107, 0x1f61);
	for (i = 0; i < 60; i++)
		random_triangle(0.9f);
	sc_draw();
	sc_check("60 triangles with perspective and depth", 1);
}

static void test_clip(void)
{
	int i;

	sc_begin();
	for (i = 0; i < 20; i++)
		random_triangle(2.5f);
	sc_draw();
	sc_check("20 triangles across the clip volume", 1);
}

static void test_clip_closed(void)
{
	int x, y, wrong = 0;

	sc_begin();
	/* reaches beyond all sides, in front of the near plane and behind the far one */
	sc_vertex(-3, -3, -0.5f, 1, 0xff00ffff);
	sc_vertex(5, -3, -0.5f, 1, 0xff00ffff);
	sc_vertex(-3, 5, -0.5f, 1, 0xff00ffff);
	sc_draw();
	sc_check("a triangle larger than the window", 0);
	for (y = 0; y < SC_SIDE; y++)
		for (x = 0; x < SC_SIDE; x++)
			wrong += sc_rgba(x, y) != 0xff00ffff;
	tap_result(!wrong, "%s: larger than the window: %d pixels are missing", nat_simd(), wrong);
}

static void test_user_plane(void)
{
	int x, wrong = 0;

	sc_begin();
	sc_reg(0x47, 1);
	sc_reg(0x48, sc_f24(1));
	sc_reg(0x49, 0);
	sc_reg(0x4a, 0);
	sc_reg(0x4b, 0);
	sc_quad(-0.5f, 0x102030ff);
	sc_draw();
	sc_check("user clip plane", 0);
	for (x = 0; x < SC_SIDE; x++)
		wrong += sc_rgba(x, 5) != (x >= 32 ? 0x102030ff : 0);
	tap_result(!wrong, "%s: user clip plane: keeps x >= 0", nat_simd());
}

static void cull(int mode)
{
	char name[40];

	sc_begin();
	sc_reg(0x40, mode);
	sc_vertex(-0.9f, -0.9f, -0.5f, 1, 0xff0000ff);
	sc_vertex(-0.1f, -0.9f, -0.5f, 1, 0xff0000ff);
	sc_vertex(-0.9f, 0.9f, -0.5f, 1, 0xff0000ff);
	sc_vertex(0.1f, -0.9f, -0.5f, 1, 0x00ff00ff);
	sc_vertex(0.1f, 0.9f, -0.5f, 1, 0x00ff00ff);
	sc_vertex(0.9f, -0.9f, -0.5f, 1, 0x00ff00ff);
	sc_draw();
	snprintf(name, sizeof(name), "cull mode %d", mode);
	sc_check(name, 0);
	/* the red one is counter-clockwise with y upwards */
	tap_result(!sc_rgba(5, 5) == (mode == 1) && !sc_rgba(40, 5) == (mode == 2),
		   "%s: cull mode %d drops what it must", nat_simd(), mode);
}

static void test_cull(void)
{
	int i;

	for (i = 0; i < 4; i++)
		cull(i);
}

static void test_scissor(void)
{
	static const struct { const char *name; int mode; } modes[3] = {
		{ "scissor: exclude", 1 }, { "scissor: off", 2 }, { "scissor: include", 3 },
	};
	int i;

	for (i = 0; i < 3; i++) {
		sc_begin();
		sc_reg(0x65, modes[i].mode);
		sc_reg(0x66, 8 | 16 << 16);
		sc_reg(0x67, 39 | 47 << 16);
		sc_quad(-0.5f, 0xffffffff);
		sc_draw();
		sc_check(modes[i].name, 0);
	}
	sc_begin();
	sc_quad(-0.5f, 0x11111111);
	sc_draw();
	sc_reg(0x65, 3);
	sc_reg(0x66, 20);
	sc_reg(0x67, 10 | 47 << 16);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	sc_check("scissor: empty", 0);
}

static void test_viewport(void)
{
	sc_begin();
	sc_reg(0x41, sc_f24(12.5f));
	sc_reg(0x43, sc_f24(20));
	sc_reg(0x68, 7 | (0x3ff & -9) << 16);
	sc_quad(-0.5f, 0x998877ff);
	sc_draw();
	sc_check("viewport with a corner below 0", 0);
}

static void test_depth(void)
{
	static const char *const name[3] = {
		"depth of 16 bits", "depth of 24 bits", "depth, 24 and 8 bits"
	};
	static const int format[3] = { 0, 2, 3 };
	int i, f;

	for (i = 0; i < 3; i++) {
		sc_begin();
		sc_reg(0x116, format[i]);
		for (f = 0; f < 8; f++) {
			sc_reg(0x107, 0x1f01 | f << 4);
			sc_rect(-1, -1 + f / 8.0f, 1, 1 - f / 16.0f, -0.1f - 0.1f * (f * 5 % 8),
				0x10203040 * (f % 4 + 1));
			sc_draw();
		}
		sc_check(name[i], 0);
	}
	sc_begin();
	sc_reg(0x6d, 0);
	sc_reg(0x4d, sc_f24(-0.25f));
	for (i = 0; i < 12; i++)
		random_triangle(0.9f);
	sc_draw();
	sc_check("depth times w", 2);
	sc_begin();
	sc_reg(0x4d, sc_f24(-4));
	sc_reg(0x4e, sc_f24(-1));
	sc_rect(-1, -1, 1, 0, -0.9f, 0xffffffff);
	sc_rect(-1, 0, 1, 1, -0.1f, 0xffffffff);
	sc_draw();
	sc_check("depth is clamped", 0);
}

static void test_stencil(void)
{
	int op, fn;

	sc_begin();
	for (op = 0; op < 8; op++) {
		fn = 7 - op;
		sc_reg(0x105, 1 | fn << 4 | 0xf7 << 8 | (0x20 + op) << 16 | 0x7fu << 24);
		sc_reg(0x106, op | ((op + 3) & 7) << 4 | ((op + 5) & 7) << 8);
		sc_reg(0x107, 0x1f01 | (op & 1 ? 6 : 4) << 4);
		sc_rect(-1 + op / 8.0f, -1, 1, 1 - op / 5.0f, -0.2f - 0.1f * (op * 3 % 7),
			0x01020304 * (op + 1));
		sc_draw();
	}
	sc_check("stencil: functions, operations, masks", 0);
}

static void test_immediate(void)
{
	int i;

	sc_begin();
	sc_rect(-0.8f, -0.7f, 0.3f, 0.9f, -0.25f, 0x20c040ff);
	sc_draw_immediate();
	sc_reg(0x107, 0x1f61);
	for (i = 0; i < 20; i++) {
		sc_vertex(i / 10.0f - 1, -0.9f, -0.1f, 1 + i / 20.0f, 0xff00ff00 + 12 * i);
		sc_vertex(i / 10.0f - 0.8f, 0.5f, -0.4f, 1, 0x0000ffff);
		sc_vertex(i / 10.0f - 1.2f, 0.7f, -0.5f, 1, 0xffff00ff);
	}
	sc_draw_immediate();
	sc_rect(0.1f, -0.2f, 0.7f, 0.4f, -0.45f, 0xffffffff);
	sc_draw();
	sc_check("immediate mode, then a draw", 1);
}

static void test_seam(void)
{
	int i, x, y, wrong = 0;

	sc_begin();
	/* additive: a pixel drawn twice or not at all shows */
	sc_reg(0x100, 0x100);
	sc_reg(0x101, 1 << 16 | 1 << 20 | 1 << 24 | 1 << 28);
	for (i = 0; i < 8; i++) {
		float a = i * 0.785398f, b = (i + 1) * 0.785398f;

		sc_vertex(0.013f, 0.027f, -0.5f, 1, 0x01010101);
		sc_vertex(3 * cosf(a), 3 * sinf(a), -0.5f, 1, 0x01010101);
		sc_vertex(3 * cosf(b), 3 * sinf(b), -0.5f, 1, 0x01010101);
	}
	sc_draw();
	sc_check("fan of 8 triangles", 0);
	for (y = 0; y < SC_SIDE; y++)
		for (x = 0; x < SC_SIDE; x++)
			wrong += sc_rgba(x, y) != 0x01010101;
	tap_result(!wrong, "%s: fan: %d pixels were drawn twice or not at all", nat_simd(), wrong);
}

static void test_block32(void)
{
	int n = 0, i;

	sc_begin();
	sc_reg(0x11b, 1);
	sc_rect(-1, 0, 0, 1, -0.5f, 0xaabbccdd);
	sc_draw();
	/* the upper left quarter is one block */
	tap_result(sc_run(), "%s: blocks of 32 x 32", nat_simd());
	for (i = 0; i < 4 * 1024; i += 4)
		n += !memcmp(N.mem + SC_COLOUR + i, "\xdd\xcc\xbb\xaa", 4);
	tap_result(n == 1024 && !N.mem[SC_COLOUR + 4 * 1024],
		   "%s: blocks of 32 x 32: %d pixels", nat_simd(), n);
}

int main(void)
{
	static const nat_test tests[] = {
		test_first, test_random, test_clip, test_clip_closed, test_user_plane, test_cull,
		test_scissor, test_viewport, test_depth, test_stencil, test_seam, test_block32,
		test_immediate,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
