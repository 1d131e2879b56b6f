// SPDX-License-Identifier: GPL-2.0
/* Texture units 0 to 3. */
#include <string.h>

#include "../../kernel/isa/pica/pica_launch.h"
#include "../../kernel/native/pica/pica_cl.h"
#include "../include/tap.h"
#include "scene.h"

#define LINEAR		6u
#define WRAP(s, t)	((uint32_t)(t) << 8 | (uint32_t)(s) << 12)
#define TYPE(n)		((uint32_t)(n) << 28)
#define MIP_LINEAR	(1u << 24)

static void show(int unit)
{
	sc_combiner(0, (3 + unit) | (3 + unit) << 16, 0, 0);
}

static void test_formats(void)
{
	static const char *const name[14] = {
		"RGBA8", "RGB8", "RGB5A1", "RGB565", "RGBA4", "LA8", "HILO8",
		"L8", "A8", "LA4", "L4", "A4", "ETC1", "ETC1A4"
	};
	char text[40];
	int f;

	for (f = 0; f < 14; f++) {
		sc_begin();
		sc_texture(0, f, 32, 16, 0);
		show(0);
		sc_quad(-0.5f, 0xffffffff);
		sc_draw();
		snprintf(text, sizeof(text), "texture in %s", name[f]);
		sc_check(text, 0);
	}
}

/* A rectangle with coordinates from lo to hi in all sets. */
static void stretched(float lo, float hi)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	int i, k;

	for (i = 0; i < 6; i++) {
		float *v = sc_vertex(corner[i] & 1 ? 1 : -1, corner[i] >> 1 ? 1 : -1, -0.5f, 1,
				     0xffffffff);

		for (k = 0; k < 2; k++) {
			v[SV_TC0 + k] = (k ? corner[i] >> 1 : corner[i] & 1) ? hi : lo;
			v[SV_TC1 + k] = v[SV_TC0 + k];
			v[SV_TC2 + k] = v[SV_TC0 + k];
		}
		v[SV_TC0W] = 1;
		v[SV_QUAT + 3] = 1;
		v[SV_VIEW + 2] = 1;
	}
	sc_draw();
}

static void test_wraps(void)
{
	char text[40];
	int w;

	for (w = 0; w < 8; w++) {
		sc_begin();
		sc_texture(0, 0, 8, 8, WRAP(w, (w + 3) & 7));
		sc_reg(0x81, 0x40c08020);
		show(0);
		stretched(-2.25f, 2.75f);
		snprintf(text, sizeof(text), "wrap modes %d and %d", w, (w + 3) & 7);
		sc_check(text, 0);
	}
}

static void test_units(void)
{
	int u;

	for (u = 0; u < 3; u++) {
		sc_begin();
		sc_texture(u, 0, 16, 16, WRAP(2, 2));
		show(u);
		stretched(0, 1 + u);
		sc_check(u == 0 ? "unit 0" : u == 1 ? "unit 1" : "unit 2", 0);
	}
	sc_begin();
	sc_texture(2, 4, 16, 16, WRAP(2, 3));
	sc_reg(0x80, REF.r[0x80] | 1 << 13);
	show(2);
	stretched(-1, 1);
	sc_check("unit 2 with the coordinates of unit 1", 0);
	sc_begin();
	sc_texture(0, 0, 16, 16, WRAP(2, 2));
	sc_texture(1, 0, 32, 16, WRAP(2, 2));
	sc_combiner(0, 0x43 | 0x43 << 16, 0, 1 | 1 << 16);
	stretched(0, 1);
	sc_check("two units, modulated", 0);
}

static void test_filters(void)
{
	sc_begin();
	sc_texture(0, 0, 8, 8, LINEAR | WRAP(2, 0));
	show(0);
	stretched(-0.5f, 1.5f);
	sc_check("linear filter", 0);
	sc_begin();
	sc_texture(0, 0, 8, 8, LINEAR | WRAP(1, 3));
	sc_reg(0x81, 0xff00ff00);
	show(0);
	stretched(-0.5f, 1.5f);
	sc_check("linear filter with a border", 0);
	sc_begin();
	sc_texture(0, 3, 64, 64, WRAP(2, 2));
	sc_reg(0x84, 3 << 16);
	show(0);
	stretched(0, 3);
	sc_check("nearest mip level", 0);
	sc_begin();
	sc_texture(0, 0, 64, 64, LINEAR | MIP_LINEAR | WRAP(2, 2));
	sc_reg(0x84, 3 << 16);
	show(0);
	stretched(0, 2.7f);
	sc_check("between two mip levels", 1);
	sc_begin();
	sc_texture(0, 7, 64, 64, WRAP(2, 2));
	sc_reg(0x84, 3 << 16 | 1 << 24 | (0x1fff & -300));
	show(0);
	stretched(0, 4);
	sc_check("LOD with bias and least level", 0);
}

static void test_projection(void)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	int i;

	sc_begin();
	sc_texture(0, 0, 16, 16, TYPE(3) | WRAP(2, 2));
	show(0);
	for (i = 0; i < 6; i++) {
		float *v = sc_vertex(corner[i] & 1 ? 1 : -1, corner[i] >> 1 ? 1 : -1, -0.5f, 1,
				     0xffffffff);

		v[SV_TC0] = corner[i] & 1 ? 3 : 0;
		v[SV_TC0 + 1] = corner[i] >> 1;
		v[SV_TC0W] = corner[i] & 1 ? 2 : 1;
		v[SV_QUAT + 3] = 1;
	}
	sc_draw();
	sc_check("projection", 0);
}

static void test_cube(void)
{
	int i;

	sc_begin();
	sc_texture(0, 0, 16, 16, TYPE(1));
	for (i = 0; i < 5; i++)
		sc_reg(0x86 + i, ((NAT_MEM_VA + SC_TEXTURE + 0x1000 * (i + 1)) / 8) & 0x3fffff);
	show(0);
	for (i = 0; i < 6; i++) {
		int axis = i / 2, k, c;
		static const int corner[6] = { 0, 1, 2, 2, 1, 3 };

		for (c = 0; c < 6; c++) {
			float x = -1 + i / 3.0f, d[3];
			float *v = sc_vertex(x + (corner[c] & 1 ? 1 / 3.0f : 0),
					     corner[c] >> 1 ? 1 : -1, -0.5f, 1, 0xffffffff);

			for (k = 0; k < 3; k++)
				d[k] = k == axis ? (i & 1 ? -1 : 1) :
				       k == (axis + 1) % 3 ? (corner[c] & 1 ? 0.9f : -0.9f) :
				       corner[c] >> 1 ? 0.9f : -0.9f;
			v[SV_TC0] = d[0];
			v[SV_TC0 + 1] = d[1];
			v[SV_TC0W] = d[2];
			v[SV_QUAT + 3] = 1;
		}
	}
	sc_draw();
	sc_check("six faces of a cube", 0);
}

static void test_shadow(void)
{
	int i;

	sc_begin();
	sc_texture(0, 0, 16, 16, TYPE(2));
	sc_reg(0x8b, 1 | 0x1000);
	for (i = 0; i < 16 * 16; i++)
		N.mem[SC_TEXTURE + 4 * i] = i;
	show(0);
	for (i = 0; i < 4; i++)
		sc_rect(-1 + i / 2.0f, -1, -0.5f + i / 2.0f, 1, -0.5f, 0xffffffff);
	sc_draw();
	sc_check("shadow map is read", 0);
}

static void test_off(void)
{
	int c[4];

	sc_begin();
	show(0);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	sc_reg(0x107, 0x0f00);
	tap_result(sc_run() && !sc_rgba(4, 4), "%s: a unit that is off is zero", nat_simd());
	sc_begin();
	sc_texture(0, 0, 8, 8, 0);
	cb_write(&CB, 0x85, 0);
	REF.r[0x85] = (NAT_MEM_VA + SC_TEXTURE) / 8;
	show(0);
	sc_quad(-0.5f, 0xffffffff);
	sc_draw();
	sc_run();
	sc_pixel(4, 4, c);
	tap_result(!c[0] && !c[1] && !c[2] && c[3] == 255, "%s: no address is black", nat_simd());
}

/* ---- unit 3 ---- */

static void proctex(uint32_t cfg, uint32_t filter)
{
	int i;

	sc_reg(0x80, 1 << 10);
	sc_reg(0xa8, cfg);
	sc_reg(0xa9, 1200 | sc_f16(0.3f) << 16);
	sc_reg(0xaa, 900 | sc_f16(0.7f) << 16);
	sc_reg(0xab, sc_f16(0.5f) | sc_f16(0.4f) << 16);
	sc_reg(0xac, filter | 129 << 11);
	sc_reg(0xad, 3);
	sc_reg(0xaf, 0);
	for (i = 0; i < 128; i++)
		sc_reg(0xb0, (uint32_t)(i * i * (384 - 2 * i) / 512) & 0xfff);
	sc_reg(0xaf, 2 << 8);
	for (i = 0; i < 128; i++)
		sc_reg(0xb1, (uint32_t)(i * 32) | 32 << 12);
	sc_reg(0xaf, 3 << 8);
	for (i = 0; i < 128; i++)
		sc_reg(0xb2, (uint32_t)(4095 - i * 31) | (0xfffu & -31) << 12);
	sc_reg(0xaf, 4 << 8);
	for (i = 0; i < 256; i++)
		sc_reg(0xb3, (uint32_t)(i | (255 - i) << 8 | (i * 3 & 255) << 16) | 0x80u << 24);
	sc_reg(0xaf, 5 << 8);
	for (i = 0; i < 256; i++)
		sc_reg(0xb4, 0x00020001);
	show(3);
}

static void test_proctex(void)
{
	char text[40];
	int i;

	for (i = 0; i < 10; i++) {
		sc_begin();
		proctex((uint32_t)i << 6 | (uint32_t)(9 - i) << 10 | (i & 1) << 14 | 1 | 1 << 3,
			i & 1);
		stretched(0.1f, 0.95f);
		snprintf(text, sizeof(text), "unit 3: combiner %d", i);
		sc_check(text, 2);
	}
	for (i = 0; i < 5; i++) {
		sc_begin();
		proctex(4 << 6 | i | (4 - i) << 3 | (i % 3) << 16 | ((i + 1) % 3) << 18, 1);
		stretched(-2.3f, 1.9f);
		snprintf(text, sizeof(text), "unit 3: clamps %d and %d, shifts", i, 4 - i);
		sc_check(text, 3);
	}
	sc_begin();
	proctex(4 << 6 | 2 | 2 << 3 | 1 << 15, 1);
	stretched(0.1f, 3.2f);
	sc_check("unit 3: noise", 3);
}

/* Levels of the colour table have a shade each. */
static void test_proctex_levels(void)
{
	static const uint32_t start[8] = { 0, 0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe };
	char text[40];
	int f, i, l;

	for (f = 0; f < 6; f++) {
		sc_begin();
		/* 1.5 as a factor of the differences */
		proctex(0x3e00u % 256 << 20, f);
		sc_reg(0xac, (uint32_t)f | 7 << 7 | 128 << 11 | 0x3eu << 19);
		sc_reg(0xad, 0xe0c08000);
		sc_reg(0xaf, 4 << 8);
		for (i = 0, l = 0; i < 256; i++) {
			l += l < 7 && (uint32_t)i == start[l + 1];
			sc_reg(0xb0, (uint32_t)(255 - 30 * l) | (uint32_t)i << 8);
		}
		sc_reg(0xaf, 5 << 8);
		for (i = 0; i < 256; i++)
			sc_reg(0xb0, 0);
		/* coordinates grow faster to the right */
		for (i = 0; i < 4; i++) {
			float *v = sc_vertex(i / 2.0f - 1, -1, -0.5f, 1, ~0u);

			v[SV_TC0] = 0;
			v[SV_TC0 + 1] = 0;
			v = sc_vertex(i / 2.0f - 0.5f, -1, -0.5f, 1, ~0u);
			v[SV_TC0] = (float)(1 << (2 * i)) / 16;
			v = sc_vertex(i / 2.0f - 1, 1, -0.5f, 1, ~0u);
			v[SV_TC0] = 0;
		}
		sc_draw();
		snprintf(text, sizeof(text), "unit 3: levels, filter %d", f);
		sc_check(text, 1);
	}
}

static void test_proctex_undefined(void)
{
	static const uint32_t bad[][2] = {
		{ 0xa8, 5 }, { 0xa8, 5 << 3 }, { 0xa8, 10 << 6 }, { 0xa8, 1 << 14 | 10 << 10 },
		{ 0xa8, 3 << 16 }, { 0xa8, 3 << 18 }, { 0xac, 6 }, { 0x80, 1 << 10 | 3 << 8 },
	};
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		sc_begin();
		proctex(0, 0);
		sc_reg(bad[i][0], bad[i][1]);
		sc_quad(-0.5f, ~0u);
		sc_draw();
		n += !sc_run() && N.ret == -ENOEXEC && N.fault.code == PICA_CL_PROCTEX;
	}
	tap_result(n == i && strstr(vs_native_reason_text(VS_NATIVE_PICA_CMDLIST, PICA_CL_PROCTEX),
				    "unit 3"),
		   "%s: undefined codes of unit 3 are rejected: %u of %u", nat_simd(), n, i);
}

static void test_to_zero(void)
{
	uint32_t a;
	int i;

	sc_begin();
	sc_texture(0, 0, 8, 8, 2 << 8 | 2 << 12);
	sc_combiner(0, 0x00030003, 0, 0);
	for (i = 0; i < 6; i++) {
		static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
		float *v = sc_vertex(corner[i] & 1 ? 1 : -1, corner[i] & 2 ? 1 : -1, -0.5f, 1, ~0u);

		v[SV_TC0] = corner[i] & 1 ? 1.37f : -1.61f;
		v[SV_TC0 + 1] = corner[i] & 2 ? 0.9f : -0.83f;
	}
	N.switches = PICA_SW_TEXELS_TO_ZERO;
	REF.texels_to_zero = true;
	sc_draw();
	sc_check("switch: nearest texels towards zero", 0);
	a = sc_sum();
	N.switches = 0;
	sc_run();
	tap_result(a != sc_sum(), "%s: switch: down without it", nat_simd());
}

int main(void)
{
	static const nat_test tests[] = {
		test_formats, test_wraps, test_units, test_filters, test_projection, test_cube,
		test_shadow, test_off, test_proctex,
		test_proctex_levels, test_proctex_undefined, test_to_zero,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
