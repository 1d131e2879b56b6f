// SPDX-License-Identifier: GPL-2.0
/*
 * Worst cases for the length of a job's steps: eight lights with all tables, bump and shadow, all
 * stages of fragments, unit 3 with noise, three textures of ETC1A4 with linear filters and mip
 * levels, slow lanes, blocks that few or no pixels are drawn of, tiny triangles, requests. The
 * weight of a step is bounded, and all work is charged; the times of steps are printed.
 */
#include <math.h>
#include <string.h>

#include "../include/scene_dump.h"
#include "../include/sections.h"
#include "../include/tap.h"
#include "scene.h"

/* Maximum weight that a block, a fragment, a quad's texels or a launch's start adds to a slice. */
#define OVER	1200
#define SLICE_PORTABLE	(SECTIONS_SLICE / 8)

static struct sections_way way;

static bool run(struct sections *s, const struct vs_native_in *in)
{
	struct vs_native_state *state = vs_native_state_new(in->format);
	struct vs_native *nat;
	struct vs_fault fault;
	struct vs_job *job;
	bool ok = false;

	if (!vs_native_parse(in, state, &nat, &fault)) {
		job = vs_job_new(vs_native_map(nat), sections_limits(&way), vs_native_phases(nat));
		vs_native_add_phases(nat, job);
		sections_run(s, job);
		ok = vs_job_get_fault(job)->kind == VS_FAULT_NONE;
		vs_job_free(job);
		vs_native_free(nat);
	}
	vs_native_state_free(state);
	return ok;
}

/* All that a run has charged. */
static uint64_t charged(const struct sections *s)
{
	uint64_t k, sum = 0;

	for (k = 0; k < s->n; k++)
		sum += s->step[k].weight;
	return sum;
}

/* @least: weight that the run has to charge: with less of it the measured steps are too long */
static void check(const char *name, uint32_t format, const uint32_t *words, uint32_t n,
		  uint64_t least)
{
	struct vs_extent ext = { NAT_MEM_VA, NAT_MEM_VA + NAT_MEM_SIZE, N.mem, VS_EXT_WRITE };
	struct vs_map map = { .n = 1, .ext = &ext };
	const struct vs_native_in in = { .format = format, .words = words, .nwords = n,
					 .va = NAT_LIST_VA, .map = &map, .max_memory = 64 << 20,
					 .max_draws = 64 };
	struct sections s = { .name = name };
	uint64_t slice = way.limits.simd == VS_SIMD_PORTABLE ? SLICE_PORTABLE : SECTIONS_SLICE, sum;
	bool ok = true;

	if (sections_first(&way))
		scene_dump(name, &in);
	while (sections_again(&s))
		ok &= run(&s, &in);
	sum = charged(&s);
	sections_show(&s, &way);
	tap_result(ok && s.n > 20, "%s: %s: as expected", way.name, name);
	tap_result(s.weight < slice + OVER, "%s: %s: weight of a step, %llu", way.name, name,
		   (unsigned long long)s.weight);
	tap_result(sum >= least, "%s: %s: weight of all, %llu", way.name, name,
		   (unsigned long long)sum);
}

/* All that follows a fragment's colours: six combiners, fog, all tests, blending. */
static void stages(void)
{
	int i;

	for (i = 0; i < 6; i++)
		sc_combiner(i, (i % 2 ? 0x31f : 0xfd1) | (i % 2 ? 0x62f : 0xfd2) << 16, 0x531531,
			    i % 2 ? 4 | 4 << 16 : 6 | 8 << 16);
	sc_reg(0xe0, 5 | 0xff00 | 1 << 16);
	sc_reg(0x100, 1 << 8);
	sc_reg(0x101, 0x76760000);
	sc_reg(0x104, 1 | 7 << 4);
	sc_reg(0x105, 1 | 1 << 4 | 0xff << 8 | 0xffu << 24);
	sc_reg(0x106, 3 | 4 << 4 | 6 << 8);
	sc_reg(0x107, 0x1f00 | 1 | 1 << 4);
}

static void light(uint32_t i)
{
	uint32_t r = 0x140 + 16 * i;

	sc_reg(r, 0x0ff3fcff);
	sc_reg(r + 1, 0x0ff3fcff);
	sc_reg(r + 2, 0x0ff3fcff);
	sc_reg(r + 4, 0x34003800 + i);
	sc_reg(r + 5, 0x3c00);
	sc_reg(r + 6, 300 | (0x1fffu & -200) << 16);
	sc_reg(r + 7, 1900);
	sc_reg(r + 9, 0xe);
	sc_reg(r + 10, sc_f20(0.125f));
	sc_reg(r + 11, sc_f20(0.0625f));
}

/* All tables with signed inputs, shadow, bump, on both sides. */
static void begin_lights(void)
{
	uint32_t i;

	sc_begin();
	sc_reg(0x8f, 1);
	sc_reg(0x1c0, 0x01004010);
	sc_reg(0x1c2, 7);
	sc_reg(0x1c3, 8 << 4 | 0xd | 0xf << 16 | 1 << 27 | 1 << 28);
	sc_reg(0x1c4, 0);
	sc_reg(0x1d0, 0x2222222);
	sc_reg(0x1d1, 0x5432100);
	sc_reg(0x1d2, 0x0167123);
	sc_reg(0x1d9, 0x76543210);
	for (i = 0; i < 8; i++)
		light(i);
	for (i = 0; i < 24 * 256; i++) {
		if (!(i % 256))
			sc_reg(0x1c5, i);
		sc_reg(0x1c8, sc_random());
	}
	stages();
}

/* A vertex without zeros. */
static void corner(float x, float y, float quaternion)
{
	float *v = sc_vertex(x, y, -0.5f, 1, 0xffe0c0ff);
	int k;

	for (k = SV_TC0; k < 24; k++)
		v[k] = (x + y) * (0.1f + 0.05f * k) + 0.3f;
	v[SV_VIEW + 2] = 3;
	v[SV_TC0W] = 1;
	v[SV_QUAT] = quaternion;
	v[SV_QUAT + 1] = -0.2f * y;
	v[SV_QUAT + 2] = 0.3f + 0.1f * x;
	v[SV_QUAT + 3] = 0.8f;
}

static void half(int side, float quaternion)
{
	corner(side, side, quaternion);
	corner(-side, side, quaternion);
	corner(side, -side, quaternion);
}

static void lights(float quaternion)
{
	begin_lights();
	sc_texture(0, 13, 256, 256, 0x01002006);
	half(1, 0.3f);
	half(-1, quaternion);
	sc_draw();
}

/* Blocks that have few pixels, or none that is drawn. */
static void sparse(bool lit, bool excluded)
{
	int i;

	if (lit)
		begin_lights();
	else
		sc_begin();
	sc_reg(0x6d, 0);
	if (excluded) {
		sc_reg(0x65, 1);
		sc_reg(0x67, 63 | 63 << 16);
	}
	for (i = 0; i < 200; i++) {
		float x = -1 + i / 100.0f;

		if (excluded) {
			half(i % 2 ? 1 : -1, 0.3f);
		} else {
			corner(x, -1, 0.3f);
			corner(x + 0.01f, -1, 0.3f);
			corner(1 - x, 1, 0.3f);
		}
	}
	sc_draw();
}

static void textures(void)
{
	int i;

	sc_begin();
	for (i = 0; i < 3; i++) {
		sc_texture(i, 13, 256, 256, 0x01002006);
		sc_reg(i == 0 ? 0x84 : i == 1 ? 0x94 : 0x9c, 0x00050080);
	}
	sc_reg(0x80, REF.r[0x80] | 1 << 10);
	sc_reg(0xa8, 3 << 14 | 9 << 10 | 9 << 6 | 3 << 3 | 3);
	sc_reg(0xac, 5 | 3 << 7 | 99 << 11 | 0x3c << 19);
	stages();
	sc_quad(-0.5f, 0x80ffffff);
	sc_quad(-0.25f, 0x8000ffff);
	sc_draw();
}

/* Each covers a pixel or none, and is cut by planes. */
static void slivers(void)
{
	int i;

	sc_begin();
	for (i = 0; i < 2000; i++) {
		float x = (float)(i % 50) / 24 - 1, y = (float)i / 1000 - 1;

		sc_vertex(x, y, -0.5f, 1, 0xffffffff);
		sc_vertex(x + 0.01f, y - 2, 0.5f, 1, 0xffffffff);
		sc_vertex(x, y + 4, -3, 1, 0xffffffff);
	}
	sc_draw();
}

static void requests(void)
{
	static uint32_t w[8 * 16];
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t *q = w + 8 * i;

		q[0] = 2 + i % 3;
		q[1] = NAT_MEM_VA + 0x10000;
		q[2] = NAT_MEM_VA + 0x80000;
		q[3] = i % 3 == 0 ? NAT_MEM_VA + 0x70000 : i % 3 == 1 ? 256 | 256 << 16 : 0x40000;
		q[4] = i % 3 == 1 ? 256 | 256 << 16 : 0x00010001;
		q[5] = i % 3 == 1 ? 2 << 24 : i % 3 == 2 ? 0x00010001 : 0;
		q[7] = 1;
	}
	check("requests", VS_NATIVE_PICA_GX, w, sizeof(w) / sizeof(w[0]), 980000);
}

static void test_lights(void)
{
	lights(0.3f);
	check("eight lights", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 4400000);
	lights(INFINITY);
	check("eight lights, without vectors", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 4400000);
}

static void test_sparse(void)
{
	sparse(false, false);
	check("few pixels of blocks", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 240000);
	sparse(true, false);
	check("few pixels of blocks, eight lights", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 3500000);
	sparse(false, true);
	check("excluded pixels", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 2700000);
	sparse(true, true);
	check("excluded pixels, eight lights", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 4400000);
}

static void test_textures(void)
{
	textures();
	check("all texture units", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 2050000);
}

static void test_slivers(void)
{
	slivers();
	check("triangles that are clipped", VS_NATIVE_PICA_CMDLIST, CB.w, CB.n, 1400000);
}

int main(void)
{
	static const nat_test tests[] = {
		test_lights, test_sparse, test_textures, test_slivers, requests,
	};
	unsigned int i;

	cb_init(&CB);
	while (sections_next(&way)) {
		for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
			nat_init(&N, way.limits.simd);
			cb_reset(&CB);
			tests[i]();
			nat_fini(&N);
		}
	}
	cb_fini(&CB);
	return tap_done();
}
