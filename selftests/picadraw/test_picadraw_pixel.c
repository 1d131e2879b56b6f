// SPDX-License-Identifier: GPL-2.0
/* Combiners, fog, alpha test, blending, logic operations, masks, formats, shadow maps, gas. */
#include <string.h>

#include "../include/tap.h"
#include "../../kernel/isa/pica/pica_launch.h"
#include "scene.h"

/* 16 columns and rows of other colours. */
static void carpet(uint32_t key)
{
	int i, k;

	for (i = 0; i < 8; i++) {
		for (k = 0; k < 8; k++) {
			uint32_t c = (i * 8 + k) * 0x04081021u ^ key;

			sc_rect(-1 + i / 4.0f, -1 + k / 4.0f, -0.75f + i / 4.0f, -0.75f + k / 4.0f,
				-(i + k + 1) / 17.0f, c);
		}
	}
	sc_draw();
}

static void test_operations(void)
{
	char name[40];
	int op, scale;

	for (op = 0; op < 10; op++) {
		sc_begin();
		scale = op % 3;
		/* a: primary, b: constant, c: primary's other components */
		sc_reg(0xc3, 0x80c04010 + op * 0x071113);
		sc_combiner(0, 0, 0x008200 | 0x2000, op | op << 16);
		sc_reg(0xc0, 0x0e0 | 0x0e0 << 16);
		sc_reg(0xc4, scale | scale << 16);
		carpet(0x13579bdf);
		snprintf(name, sizeof(name), "combiner operation %d", op);
		sc_check(name, 0);
	}
}

static void test_operands(void)
{
	static const int rgb[10] = { 0, 1, 2, 3, 4, 5, 8, 9, 12, 13 };
	int i;

	sc_begin();
	for (i = 0; i < 10; i++) {
		sc_combiner(0, 0, rgb[i] | (uint32_t)(i % 8) << 12, 0);
		sc_rect(-1, -1 + i / 5.0f, 1, -0.8f + i / 5.0f, -0.5f, 0x204070d0);
		sc_draw();
	}
	sc_check("operands of combiners", 0);
}

/* A write of the buffer is seen by the stage after the next. */
static void test_buffer(void)
{
	int c[4];

	sc_begin();
	sc_reg(0xfd, 0x11223344);
	sc_reg(0xe0, 1 << 8 | 1 << 13);
	sc_reg(0xc3, 0x000000a0);
	sc_reg(0xcb, 0x50000000);
	sc_combiner(0, 0x0e << 0 | 0x0e << 16, 0, 0);
	sc_combiner(1, 0x0d | 0x0e << 16, 0, 0);	/* the buffer's first value */
	sc_combiner(2, 0x0d | 0x0f << 4 | 0x0f << 16, 0, 2 | 0 << 16);	/* + what stage 0 wrote */
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	sc_check("combiner buffer", 0);
	sc_pixel(3, 3, c);
	tap_result(c[0] == 0xa0 + 0x44 && c[1] == 0x33 && c[2] == 0x22, "%s: buffer: %x %x %x",
		   nat_simd(), c[0], c[1], c[2]);
}

static void test_previous(void)
{
	sc_begin();
	sc_combiner(0, 0x0eff | 0x0eff << 16, 0, 2 | 2 << 16);
	sc_reg(0xc3, 0x10203040);
	carpet(0);
	sc_check("previous result in the first stage: third source", 0);
	sc_begin();
	sc_combiner(0, 0x0fff | 0x0fff << 16, 0, 0);
	carpet(0x55555555);
	sc_check("previous result in the first stage: primary colour", 0);
}

static void test_fog(void)
{
	int i, flip;

	for (flip = 0; flip < 2; flip++) {
		sc_begin();
		sc_reg(0xe0, 5 | flip << 16);
		sc_reg(0xe1, 0x00c08040);
		sc_reg(0xe6, 0);
		for (i = 0; i < 128; i++)
			sc_reg(0xe8 + i % 8, (uint32_t)(2047 - 14 * i) << 13 | (0x1fff & -14));
		carpet(0x0f0f0f0f);
		sc_check(flip ? "fog from the other end" : "fog", 1);
	}
}

static void test_alpha(void)
{
	int f;

	sc_begin();
	for (f = 0; f < 8; f++) {
		sc_reg(0x104, 1 | f << 4 | 0x80 << 8);
		sc_rect(-1, -1 + f / 4.0f, -0.4f, -0.75f + f / 4.0f, -0.5f, 0x1020307f);
		sc_rect(-0.4f, -1 + f / 4.0f, 0.4f, -0.75f + f / 4.0f, -0.5f, 0x10203080);
		sc_rect(0.4f, -1 + f / 4.0f, 1, -0.75f + f / 4.0f, -0.5f, 0x10203081);
		sc_draw();
	}
	sc_check("alpha test: eight functions", 0);
}

static void test_blend(void)
{
	char name[40];
	int eq, f;

	for (eq = 0; eq < 5; eq++) {
		sc_begin();
		carpet(0xa5a5a5a5);
		sc_reg(0x100, 0x100);
		sc_reg(0x103, 0x60a02080);
		for (f = 0; f < 16; f++) {
			uint32_t g = (f * 7 + 3) & 15;

			sc_reg(0x101, (uint32_t)eq | (uint32_t)eq << 8 |
			       (uint32_t)f << 16 | g << 20 |
			       (uint32_t)((f + 5) & 15) << 24 | (uint32_t)((g + 9) & 15) << 28);
			sc_rect(-1 + f / 8.0f, -1, -0.875f + f / 8.0f, 1, -0.5f, 0x3070b0d0);
			sc_draw();
		}
		snprintf(name, sizeof(name), "blend equation %d, 16 factors", eq);
		sc_check(name, 0);
	}
}

static void test_min_max_switch(void)
{
	int c[4];

	sc_begin();
	sc_quad(-0.5f, 0x80808080);
	sc_draw();
	sc_reg(0x100, 0x100);
	sc_reg(0x101, 4 | 4 << 8 | 0x0u << 16 | 1 << 20 | 0 << 24 | 1 << 28);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	N.switches = PICA_SW_FACTORS_OF_MIN_MAX;
	tap_result(sc_run(), "%s: maximum", nat_simd());
	sc_pixel(1, 1, c);
	N.switches = 0;
	tap_result(c[0] == 0x80, "%s: switch: maximum of products is %x", nat_simd(), c[0]);
	tap_result(sc_run(), "%s: maximum", nat_simd());
	sc_pixel(1, 1, c);
	tap_result(c[0] == 0xff, "%s: maximum of colours is %x", nat_simd(), c[0]);
}

static void test_logic(void)
{
	int op;

	sc_begin();
	carpet(0x3c3c3c3c);
	for (op = 0; op < 16; op++) {
		sc_reg(0x102, op);
		sc_rect(-1 + op / 8.0f, -1, -0.875f + op / 8.0f, 1, -0.5f, 0x35c9a69a);
		sc_draw();
	}
	sc_check("16 logic operations", 0);
}

static void test_masks(void)
{
	int i;

	sc_begin();
	carpet(0x77777777);
	for (i = 0; i < 16; i++) {
		sc_reg(0x107, 0x1000 | i << 8);
		sc_rect(-1 + i / 8.0f, -1, -0.875f + i / 8.0f, 1, -0.25f, 0x12345678);
		sc_draw();
	}
	sc_reg(0x107, 0x0f00);
	sc_reg(0x115, 0);
	sc_reg(0x113, 0);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	sc_check("masks of colour and depth", 0);
}

static void test_formats(void)
{
	static const char *const name[5] = { "RGBA8", "RGB8", "RGB5A1", "RGB565", "RGBA4" };
	char text[40];
	int f;

	for (f = 0; f < 5; f++) {
		sc_begin();
		sc_reg(0x117, (uint32_t)f << 16);
		carpet(0x9182736f);
		sc_reg(0x100, 0x100);
		sc_reg(0x101, 6 << 16 | 8u << 20 | 1 << 24 | 4u << 28);
		sc_rect(-1, -1, 1, 0, -0.5f, 0x884422cc);
		sc_draw();
		snprintf(text, sizeof(text), "colours in %s", name[f]);
		sc_check(text, 0);
	}
}

static void test_shadow_map(void)
{
	sc_begin();
	memset(N.mem + SC_COLOUR, 0xff, 4 * SC_SIDE * SC_SIDE);
	sc_reg(0x100, 3);
	sc_reg(0x130, sc_f16(0.25f) | sc_f16(0.5f) << 16);
	sc_rect(-1, -1, 0.5f, 0.5f, -0.25f, 0xff00ffff);
	sc_rect(-0.5f, -0.5f, 1, 1, -0.5f, 0xff00ffff);
	sc_draw();
	sc_rect(-0.75f, -0.75f, 0.75f, 0.75f, -0.125f, 0x0040ffff);
	sc_draw();
	sc_check("shadow map: depth and density", 1);
}

static void test_gas(void)
{
	sc_begin();
	sc_reg(0x100, 1);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	tap_result(!sc_run() && N.ret && N.fault.kind == VS_FAULT_COMMAND && N.fault.code == 14,
		   "%s: gas density is rejected: %s", nat_simd(),
		   vs_native_reason_text(VS_NATIVE_PICA_CMDLIST, N.fault.code));
	sc_begin();
	sc_reg(0xe0, 7);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	tap_result(!sc_run() && N.fault.code == 14, "%s: gas shading is rejected", nat_simd());
}

int main(void)
{
	static const nat_test tests[] = {
		test_operations, test_operands, test_buffer, test_previous, test_fog, test_alpha,
		test_blend, test_min_max_switch, test_logic, test_masks, test_formats,
		test_shadow_map, test_gas,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
