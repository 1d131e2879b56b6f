// SPDX-License-Identifier: GPL-2.0
/* Fragment lighting. */
#include <math.h>
#include <string.h>

#include "../include/tap.h"
#include "../../kernel/isa/pica/pica_launch.h"
#include "scene.h"

#define RGB10(r, g, b)	((uint32_t)(r) << 20 | (uint32_t)(g) << 10 | (uint32_t)(b))

/* A hill: normals lean outwards. Quaternions of opposite sign are among them. */
static void hill(void)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	int i, k, c;

	for (i = 0; i < 4; i++) {
		for (k = 0; k < 4; k++) {
			for (c = 0; c < 6; c++) {
				float x = -1 + (i + (corner[c] & 1)) / 2.0f;
				float y = -1 + (k + (corner[c] >> 1)) / 2.0f;
				float sign = (i + c) % 3 ? 1 : -1;
				float *v = sc_vertex(x, y, -0.5f, 1, 0xffffffff);

				v[SV_QUAT] = sign * -0.4f * y;
				v[SV_QUAT + 1] = sign * 0.4f * x;
				v[SV_QUAT + 2] = sign * 0.1f;
				v[SV_QUAT + 3] = sign;
				v[SV_VIEW] = -x;
				v[SV_VIEW + 1] = -y;
				v[SV_VIEW + 2] = 3;
				v[SV_TC0] = x;
				v[SV_TC0 + 1] = y;
				v[SV_TC0W] = 1;
			}
		}
	}
	sc_draw();
}

static void table(int n, int kind)
{
	int i;

	sc_reg(0x1c5, (uint32_t)n << 8);
	for (i = 0; i < 256; i++) {
		int v = kind == 0 ? i * 16 : kind == 1 ? 4095 - i * 12 : (i * i) / 16;
		int d = kind == 0 ? 8 : kind == 1 ? -6 : i / 16;

		sc_reg(0x1c8 + i % 8,
		       (uint32_t)v | (uint32_t)(d < 0 ? -d : d) << 12 | (d < 0) << 23);
	}
}

static void light(int i, float x, float y, float z, uint32_t flags)
{
	uint32_t r = 0x140 + 16 * i;

	sc_reg(r, RGB10(100, 60, 30));
	sc_reg(r + 1, RGB10(40, 80, 120));
	sc_reg(r + 2, RGB10(90, 120, 60 + 20 * i));
	sc_reg(r + 3, RGB10(5, 10, 15));
	sc_reg(r + 4, sc_f16(x) | sc_f16(y) << 16);
	sc_reg(r + 5, sc_f16(z));
	sc_reg(r + 6, 300 | (0x1fffu & -200) << 16);
	sc_reg(r + 7, 1900);
	sc_reg(r + 9, flags);
	sc_reg(r + 10, sc_f20(0.125f));
	sc_reg(r + 11, sc_f20(0.0625f));
}

/* Diffuse colour in both, alpha of the second one. */
static void begin(int config, int lights)
{
	int i;

	sc_begin();
	sc_reg(0x8f, 1);
	sc_reg(0x1c0, RGB10(12, 8, 4));
	sc_reg(0x1c2, lights - 1);
	sc_reg(0x1c3, (uint32_t)config << 4 | 1 << 2 | 1 << 27);
	sc_reg(0x1c4, 0);
	sc_reg(0x1d9, 0x76543210);
	for (i = 0; i < 24; i++) {
		if (i != 2 && i != 7)
			table(i, i % 3);
	}
	for (i = 0; i < lights; i++)
		light(i, 0.3f * i - 0.5f, 0.8f - 0.2f * i, 1 + 0.1f * i, i & 1);
	/* first and second colour, added */
	sc_combiner(0, 0x21 | 0x11 << 16, 0, 2 | 0 << 16);
}

/* Corner of a sphere: its normal is the quaternion's axis z, turned there from z. */
static void sphere_corner(int i, int k)
{
	float a = 6.2831853f * i / 50, b = 3.1415927f * k / 20, n[3], by;
	float *v;
	int c;

	n[0] = sinf(b) * cosf(a);
	n[1] = sinf(b) * sinf(a);
	n[2] = cosf(b);
	v = sc_vertex(0.9f * n[0], 0.9f * n[1], -0.5f - 0.4f * n[2], 1, 0xffffffff);
	/* halfway between z and n: x, y, 0 and the cosine */
	by = 1 / sqrtf(2 + 2 * n[2] + 1e-3f);
	v[SV_QUAT] = -n[1] * by;
	v[SV_QUAT + 1] = n[0] * by;
	v[SV_QUAT + 2] = 0;
	v[SV_QUAT + 3] = (1 + n[2]) * by;
	for (c = 0; c < 3; c++)
		v[SV_VIEW + c] = (c == 2 ? 3 : 0) - n[c];
}

static void test_mesh(void)
{
	static const int corner[6] = { 0, 1, 2, 2, 1, 3 };
	int i, k, c;

	begin(5, 3);
	sc_reg(0x107, 0x1f61);
	for (k = 0; k < 20; k++)
		for (i = 0; i < 50; i++)
			for (c = 0; c < 6; c++)
				sphere_corner(i + (corner[c] & 1), k + (corner[c] >> 1));
	sc_draw();
	sc_check("a mesh of 2,000 triangles with three lights", 3);
}

static void test_configs(void)
{
	static const int config[8] = { 0, 1, 2, 3, 4, 5, 6, 8 };
	char name[40];
	int i;

	for (i = 0; i < 8; i++) {
		begin(config[i], 2);
		sc_reg(0x1d1, 0x5432100 + i);
		hill();
		snprintf(name, sizeof(name), "tables of configuration %d", config[i]);
		sc_check(name, 2);
	}
}

static void test_inputs(void)
{
	char name[40];
	int i, signs;

	for (i = 0; i < 6; i++) {
		for (signs = 0; signs < 2; signs++) {
			begin(8, 1);
			sc_reg(0x1d1, 0x1111111 * i);
			sc_reg(0x1d0, signs ? 0x2222222 : 0);
			sc_reg(0x1d2, signs ? 0x0167123 : 0);
			hill();
			snprintf(name, sizeof(name), "input %d, %s", i,
				 signs ? "signed" : "absolute");
			sc_check(name, 3);
		}
	}
}

static void test_lights(void)
{
	begin(6, 8);
	hill();
	sc_check("8 lights", 3);
	begin(6, 3);
	sc_reg(0x1d9, 0x00000527);
	light(5, -1, 0.5f, 2, 3);
	light(7, 1, 1, 2, 0xc);
	light(2, 0, -1, 2, 0xf);
	hill();
	sc_check("order of lights, two sides, geometric factors", 3);
	begin(6, 2);
	sc_reg(0x1c4, 0x7f << 16 | 0xff << 8 | 0xffu << 24);
	hill();
	sc_check("all tables off", 2);
	begin(6, 2);
	sc_reg(0x1c6, 1);
	hill();
	tap_result(sc_run() && !(sc_rgba(9, 9) >> 8), "%s: lighting is off", nat_simd());
}

static void test_bump(void)
{
	int mode, keep;

	for (mode = 1; mode < 3; mode++) {
		for (keep = 0; keep < 2; keep++) {
			begin(8, 1);
			sc_texture(0, 0, 16, 16, 2 << 8 | 2 << 12);
			sc_reg(0x1c3, 8 << 4 | (uint32_t)mode << 28 | (uint32_t)keep << 30);
			sc_reg(0x1d1, 0x5050505);
			hill();
			sc_check(mode == 1 ? keep ? "bump: normal with z" : "bump: normal" :
				 keep ? "bump: tangent with z" : "bump: tangent", 4);
		}
	}
}

static void test_shadow(void)
{
	int invert;

	for (invert = 0; invert < 2; invert++) {
		begin(6, 2);
		sc_texture(0, 0, 16, 16, 2 << 8 | 2 << 12);
		sc_reg(0x1c3, 1 | 3 << 2 | 6 << 4 | 3 << 16 | (uint32_t)invert << 18 | 1 << 19);
		sc_reg(0x1c4, 2);
		hill();
		sc_check(invert ? "shadow input, inverted" : "shadow input", 2);
	}
}

/* One directional light onto a plane that faces it: diffuse + ambient, with no tables. */
static void test_closed(void)
{
	int c[4];

	begin(0, 1);
	sc_reg(0x1c4, 0x7f << 16 | 0xff << 8 | 0xffu << 24);
	light(0, 0, 0, 1, 1);
	sc_reg(0x140, 0);
	sc_reg(0x141, 0);
	sc_quad(-0.5f, 0);
	sc_draw();
	sc_check("a plane that faces its light", 1);
	sc_pixel(10, 10, c);
	/* 90 + 5 + 12, 120 + 10 + 8, 60 + 15 + 4, truncated */
	tap_result(c[0] + 1 >= 107 && c[0] <= 107 && c[1] + 1 >= 138 && c[1] <= 138 &&
		   c[2] + 1 >= 79 && c[2] <= 79,
		   "%s: closed form: %d %d %d", nat_simd(), c[0], c[1], c[2]);
}

static void test_switches(void)
{
	uint32_t a, b;

	begin(4, 1);
	sc_reg(0x1c4, 1 << 20);
	hill();
	sc_check("reflection of blue off", 2);
	a = sc_rgba(20, 20);
	N.switches = PICA_SW_REFLECTIONS_SWAPPED;
	sc_run();
	b = sc_rgba(20, 20);
	N.switches = 0;
	tap_result(a != b, "%s: switch: order of reflections", nat_simd());
	begin(4, 1);
	hill();
	sc_run();
	a = sc_rgba(20, 20);
	N.switches = PICA_SW_QUATERNIONS_AS_GIVEN;
	sc_run();
	b = sc_rgba(20, 20);
	N.switches = 0;
	tap_result(a != b, "%s: switch: quaternions as given", nat_simd());

	/* a light opposite to the view, on both sides: H is short */
	begin(6, 1);
	light(0, -0.3f, -0.2f, -1, 0xf);
	N.switches = PICA_SW_FACTOR_UNBOUNDED;
	REF.factor_unbounded = true;
	hill();
	sc_check("switch: unbounded geometric factor", 3);
	a = sc_sum();
	N.switches = 0;
	sc_run();
	tap_result(a != sc_sum(), "%s: switch: the factor is bounded without it", nat_simd());
}

static void test_shadow_alpha(void)
{
	uint32_t a;

	begin(8, 1);
	sc_texture(0, 0, 64, 64, 0);
	/* Fresnel of the first colour; alpha of both, added */
	sc_reg(0x1c3, 8 << 4 | 1 | 1 << 2 | 1 << 19);
	sc_combiner(0, 0x21 | 0x21 << 16, 0, 2 | 1 << 16);
	N.switches = PICA_SW_SHADOW_ALPHA_OF_BOTH;
	REF.shadow_alpha_of_both = true;
	hill();
	sc_check("switch: shadow's alpha of both colours", 3);
	a = sc_sum();
	N.switches = 0;
	sc_run();
	tap_result(a != sc_sum(), "%s: switch: of one without it", nat_simd());
}

/* Lights from behind, clamped, one of them two-sided: their ambient parts are dropped, too. */
static void test_clamp_of_both(void)
{
	uint32_t a;

	begin(6, 3);
	light(0, 0.2f, 0.1f, -1, 1);
	light(1, -0.6f, 0.3f, -0.2f, 3);
	light(2, 0.1f, 0.4f, 0.8f, 0);
	sc_switches(PICA_SW_CLAMP_OF_BOTH);
	hill();
	sc_check_most("switch: clamped highlights of both colours", 3, 64);
	a = sc_sum();
	N.switches = 0;
	sc_run();
	tap_result(a != sc_sum(), "%s: switch: of the second one without it", nat_simd());
}

int main(void)
{
	static const nat_test tests[] = {
		test_configs, test_inputs, test_lights, test_bump, test_shadow, test_closed,
		test_switches, test_mesh, test_shadow_alpha, test_clamp_of_both,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
