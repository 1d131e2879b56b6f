// SPDX-License-Identifier: GPL-2.0
/*
 * Stencil, alpha and multisampled targets: micro-ops in fragments of a rectangle or triangle, an
 * image of 8 x 8 pixels with up to 16 samples.
 */
#include "ext.h"

#define STENCIL_AT	0x3000
#define SAMPLE_BYTES	256		/* 8 x 8 pixels of 4 bytes */
#define STENCIL_BYTES	64

enum { KEEP, REPLACE, ZERO, INVERT, INCR_WRAP, DECR_WRAP, INCR_SAT, DECR_SAT };

static const struct simt_uop nop = { .op = SIMT_MOV, .d = 20, .s = { IN, IN, IN, IN } };

/* Reference, mask, function, and operations on stencil fail, depth fail, pass. */
static u32 side(u32 ref, u32 mask, u32 func, u32 fail, u32 zfail, u32 pass)
{
	return ref | mask << 8 | func << 16 | fail << 19 | zfail << 22 | pass << 25;
}

static u8 *stencil_at(u32 x, u32 y, u32 sample)
{
	return fx.mem + STENCIL_AT + STENCIL_BYTES * sample + 8 * y + x;
}

static void zs_new(u32 samples, u8 stencil)
{
	frag_new(RGBA8);
	frag.prim = MALI_PRIM_RECT;
	frag.samples = samples;
	frag.target[0].row_stride = 32;
	frag.target[0].sample_stride = SAMPLE_BYTES;
	frag.depth.va = MEM_VA + 0x4000;
	frag.depth.sample_stride = SAMPLE_BYTES;
	frag.stencil = (struct mali_target){ MEM_VA + STENCIL_AT, 8, PX_LINEAR, R8UI,
					     STENCIL_BYTES };
	memset(fx.mem + STENCIL_AT, stencil, 0x1000);
	frag.flags = MALI_FRAG_STENCIL_TEST;
	frag.stencil_write = 0xffff;
}

static u32 coverage(u32 l)
{
	return fx.run->r->cover[l];
}

/* Runs a program that does nothing. Return: lanes that are covered before. */
static u32 go(void)
{
	u32 l, n = 0;

	if (!frag_begin() || !fx_run(&nop, 1, vs_simd_best()))
		return ~0U;
	for (l = 0; l < LANES; l++)
		n += fx.run->r->covered >> l & 1;
	return n;
}

static void test_operations(void)
{
	static const struct {
		u8 op, from, to;
	} cases[] = {
		{ KEEP, 7, 7 }, { REPLACE, 7, 0x5a }, { ZERO, 7, 0 }, { INVERT, 0x0f, 0xf0 },
		{ INCR_WRAP, 255, 0 }, { DECR_WRAP, 0, 255 }, { INCR_SAT, 255, 255 },
		{ INCR_SAT, 3, 4 }, { DECR_SAT, 0, 0 }, { DECR_SAT, 9, 8 },
	};
	static const u8 at[3] = { 25, 19, 22 };
	u32 i, k, want, bad = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		/* always, never, never in depth */
		for (k = 0; k < 3; k++) {
			zs_new(1, cases[i].from);
			frag.stencil_side[0] = side(0x5a, 0xff, 7, KEEP, KEEP, KEEP);
			if (k == 1)
				frag.stencil_side[0] &= ~(7U << 16);
			frag.stencil_side[0] |= (u32)cases[i].op << at[k];
			if (k == 2)
				frag.flags |= MALI_FRAG_DEPTH_TEST;
			want = 64;
			if (k)
				want = 0;
			bad += go() != want;
			bad += *stencil_at(0, 0, 0) != cases[i].to ||
			       *stencil_at(7, 7, 0) != cases[i].to;
		}
	}
	tap_result(!bad, "stencil operations: %u wrong", bad);
}

static void test_functions(void)
{
	u32 func, v, bad = 0, want;

	for (func = 0; func < 8; func++) {
		for (v = 3; v <= 5; v++) {
			/* bits that the mask hides differ */
			zs_new(1, (u8)(0xf0 | v));
			frag.stencil_side[0] = side(4, 0x0f, func, KEEP, KEEP, KEEP);
			want = func & (v > 4 ? 1 : v < 4 ? 4 : 2) ? 64 : 0;
			bad += go() != want;
		}
	}
	tap_result(!bad, "stencil functions: %u wrong", bad);
	/* the side, its bits that are written */
	zs_new(1, 0xff);
	frag.stencil_side[0] = side(0, 0xff, 7, KEEP, KEEP, ZERO);
	frag.stencil_side[1] = side(0x3c, 0xff, 7, KEEP, KEEP, REPLACE);
	frag.stencil_write = 0x0ff0;
	CHECK(go() == 64 && *stencil_at(3, 3, 0) == 0x0f);
	frag.flags |= MALI_FRAG_BACK;
	CHECK(go() == 64 && *stencil_at(3, 3, 0) == 0x0c);
	/* killed fragments write nothing */
	fx.helper = ALL;
	frag.stencil_side[1] = side(0, 0xff, 7, KEEP, KEEP, INVERT);
	CHECK(go() == 64 && *stencil_at(3, 3, 0) == 0x0c);
	fx.helper = 0;
	frag.stencil.va = 0;
	CHECK(!frag_begin() && why == MALI_RUN_BAD_FRAGMENT);
	frag.stencil = (struct mali_target){ MEM_VA, 32, PX_LINEAR, RGBA8 };
	CHECK(!frag_begin());
}

/* 24 bits of depth and 8 of stencil in one image. */
static void test_together(void)
{
	u32 v = 0x40ffffff, got;

	zs_new(1, 0);
	for (got = 0; got < 64; got++)
		memcpy(fx.mem + 0x4000 + 4 * got, &v, 4);
	frag.depth.format = 0x4d << 12;
	frag.stencil = frag.depth;
	frag.stencil.format = 0x55 << 12;
	frag.flags |= MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	frag.depth_func = 1;
	frag.stencil_side[0] = side(0x40, 0xff, 2, KEEP, KEEP, INCR_SAT);
	CHECK(go() == 64);
	memcpy(&got, fx.mem + 0x4000 + 4 * 9, 4);
	CHECK(got == 0x41000000);
	CHECK(go() == 0);
	/* depths are compared as they are stored, in 24 bits: equal to what has been written */
	frag.flags = MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	frag.depth_func = 7;
	corner(0, -9, -9, 0.1, 1);
	corner(1, 90, -9, 0.2, 1);
	corner(2, -9, 90, 0.7, 1);
	CHECK(go() == 64);
	frag.depth_func = 2;
	CHECK(go() == 64);
	memcpy(&got, fx.mem + 0x4000 + 4 * 9, 4);
	CHECK(got >> 24 == 0x41);
}

/* The program outputs the reference value. */
static void test_shader_reference(void)
{
	u32 l;

	zs_new(1, 7);
	frag.flags |= MALI_FRAG_SHADER_S;
	frag.stencil_side[0] = side(0, 0xff, 2, KEEP, KEEP, REPLACE);
	frag_begin();
	for (l = 0; l < LANES; l++)
		fx.slot[IN + 1][l] = l & 1 ? 7 : 9;
	fill(IN + 2, 0xffff);
	CHECK(ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_S) && !fx.slot[OUT][0] &&
	      fx.slot[OUT][1] == 0xffff && *stencil_at(1, 0, 0) == 7);
	frag.stencil_side[0] = side(0, 0xff, 6, KEEP, KEEP, REPLACE);
	CHECK(frag_begin() && ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_S) &&
	      fx.slot[OUT][0] == 0xffff &&
	      *stencil_at(0, 0, 0) == 9 && *stencil_at(1, 0, 0) == 7);
	/* MALI_FRAG_SHADER_S requires a stencil value, which the request lacks */
	CHECK(!ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0)) && refused(MALI_RUN_BAD_STAGE));
	/* late: at ATEST, except for fragments that fail the alpha test */
	zs_new(1, 7);
	frag.flags |= MALI_FRAG_LATE | MALI_FRAG_ALPHA_TEST;
	frag.alpha_func = 4;
	frag.stencil_side[0] = side(7, 0xff, 2, KEEP, KEEP, INCR_WRAP);
	frag_begin();
	fill(IN, 0xffff);
	fill(IN + 2, f32(0.5));
	for (l = 0; l < LANES; l++)
		fx.slot[IN + 1][l] = f32(l & 1 ? 0.75 : 0.5);
	CHECK(ext(MALI_EXT_IMM(MX_ATEST, 0, 0)) && !fx.slot[OUT][0] &&
	      fx.slot[OUT][1] == 0xffff && *stencil_at(0, 0, 0) == 7 &&
	      *stencil_at(1, 0, 0) == 8);
}

/* ---- samples ---- */

static u32 pixel(u32 x, u32 y, u32 sample)
{
	u32 v;

	memcpy(&v, fx.mem + SAMPLE_BYTES * sample + 32 * y + 4 * x, 4);
	return v;
}

/* An edge through the middle of pixels: samples on its left are covered. */
static void test_cover(void)
{
	static const s8 x4[4] = { -2, 6, -6, 2 };
	u32 s, want = 0, bad = 0, y;

	zs_new(4, 0);
	frag.flags = 0;
	corner(0, 3.5, -20, 0, 1);
	corner(1, 3.5, 40, 0, 1);
	corner(2, -60, 10, 0, 1);
	if (go() == ~0U)
		bad++;
	for (s = 0; s < 4; s++)
		want |= x4[s] < 0 ? 1U << s : 0;
	for (y = 0; y < 8; y++) {
		bad += coverage(lane_of(1, y)) != 15 || coverage(lane_of(3, y)) != want ||
		       coverage(lane_of(4, y)) != 0;
	}
	tap_result(!bad, "samples at an edge: %u wrong", bad);
	frag.sample_mask = 6;
	CHECK(go() != ~0U && coverage(lane_of(3, 2)) == (want & 6) &&
	      coverage(lane_of(0, 2)) == 6);
	frag.samples = 3;
	CHECK(!frag_begin());
	frag.samples = 1;
	frag.flags = MALI_FRAG_PER_SAMPLE;
	CHECK(!frag_begin());
}

static void test_samples(void)
{
	u32 samples, s, l, bad = 0, v;

	for (samples = 4; samples <= 16; samples *= 2) {
		zs_new(samples, 0);
		frag.flags = 0;
		frag_begin();
		for (l = 0; l < 4; l++)
			fill(OUT + l, f32(1));
		/* the program covers every other sample */
		fill(IN, 0x5555);
		fill(IN + 1, 1);
		fill(IN + 2, RGBA8_TB | MALI_REG_F32 << 24);
		bad += !ext(MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO));
		for (s = 0; s < samples; s++)
			bad += pixel(6, 5, s) != (s & 1 ? 0 : 0xffffffff);
	}
	tap_result(!bad, "blending into samples: %u wrong", bad);
	/* a single sample by index */
	zs_new(4, 0);
	frag.flags = 0;
	frag_begin();
	v = 0x80ff4000;
	memcpy(fx.mem + 2 * SAMPLE_BYTES + 32 * 2 + 4 * 4, &v, 4);
	fill(IN, 0xff000000 | 2);
	fill(IN + 1, 0xffff);
	fill(IN + 2, RGBA8_TB | MALI_REG_F32 << 24);
	CHECK(ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) &&
	      fx.slot[OUT + 2][lane_of(4, 2)] == f32(1) && !fx.slot[OUT][lane_of(4, 2)]);
	for (l = 0; l < 4; l++)
		fill(OUT + l, f32(1));
	CHECK(ext(MALI_EXT_IMM(MX_ST_TILE, 4, MALI_REG_AUTO)) &&
	      pixel(1, 1, 2) == 0xffffffff && !pixel(1, 1, 1));
	fill(IN + 1, 0xb);
	fill(OUT, 0);
	CHECK(ext(MALI_EXT_IMM(MX_ST_TILE, 4, MALI_REG_AUTO)) && pixel(1, 1, 2) == 0xffffffff);
	fill(IN, 0xff000000 | 4);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_INDEX));
	/* stencil and depth of each */
	zs_new(4, 1);
	*stencil_at(2, 2, 3) = 5;
	frag.stencil_side[0] = side(1, 0xff, 2, INVERT, KEEP, INCR_SAT);
	CHECK(go() == 64 && coverage(lane_of(2, 2)) == 7 && coverage(lane_of(3, 2)) == 15 &&
	      *stencil_at(2, 2, 3) == 0xfa && *stencil_at(2, 2, 1) == 2);
}

/* A plane of depth: each sample has its own. */
static void test_sample_depth(void)
{
	u32 s, z[4];

	zs_new(4, 0);
	frag.flags = MALI_FRAG_DEPTH_WRITE;
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 1, 1);
	corner(2, 0, 16, 0, 1);
	CHECK(go() != ~0U);
	for (s = 0; s < 4; s++)
		memcpy(&z[s], fx.mem + 0x4000 + SAMPLE_BYTES * s + 32 * 1 + 4 * 2, 4);
	CHECK(z[0] == f32((2.5 - 0.125) / 16) && z[1] == f32((2.5 + 0.375) / 16) &&
	      z[2] == f32((2.5 - 0.375) / 16) && z[3] == f32((2.5 + 0.125) / 16));
}

static void test_alpha(void)
{
	static const struct {
		double alpha;
		u32 mask;
	} cases[] = {
		{ -1, 0 }, { 0.1, 0 }, { 0.125, 1 }, { 0.25, 1 }, { 0.4, 3 }, { 0.75, 7 },
		{ 0.874, 7 }, { 0.875, 15 }, { 1, 15 }, { 9, 15 },
	};
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		zs_new(4, 0);
		frag.flags = MALI_FRAG_ALPHA_TO_COVERAGE;
		frag_begin();
		fill(IN, 0xff);
		fill(IN + 1, f32(cases[i].alpha));
		bad += !ext(MALI_EXT_IMM(MX_ATEST, 0, 0)) || fx.slot[OUT][9] != cases[i].mask ||
		       !!fx.helper_after != !cases[i].mask;
	}
	tap_result(!bad, "alpha to coverage: %u wrong", bad);
}

/* A program per sample: its inputs, and the positions of its varyings. */
static void test_per_sample(void)
{
	u32 i, j, v, l = lane_of(3, 5);

	zs_new(4, 0);
	frag.flags = MALI_FRAG_PER_SAMPLE;
	fx.run->w.preload = 0x3e00;
	CHECK(frag_begin() && fx.run->w.groups[0] == 4);
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 0, 1);
	corner(2, 0, 16, 0, 1);
	set_attr(1, RGBA32F, 0);
	bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + 0x5000,
					  .size = 4096, .stride = 16 };
	for (i = 0; i < 3; i++) {
		for (j = 0; j < 4; j++) {
			v = f32(i == 1 ? 16 : 0);
			memcpy(fx.mem + 0x5000 + 16 * i + 4 * j, &v, 4);
		}
	}
	bind_attrs(&fx.run->w.varyings);
	frag.flags = 0;
	frag_begin();
	fill(IN, 1);
	fill(IN + 1, 2 << 16 | 15);
	v = MALI_EXT_IMM(MX_LD_VAR, 1, MALI_REG_F32);
	CHECK(ext(v | MALI_EXT_SAMPLE_IS(MALI_SAMPLE)) && fx.slot[OUT][l] == f32(3.5 - 0.375));
	CHECK(ext(v | MALI_EXT_SAMPLE_IS(MALI_CENTROID)) && fx.slot[OUT][l] == f32(3.5));
	fill(IN + 1, 10);
	CHECK(ext(v | MALI_EXT_SAMPLE_IS(MALI_CENTROID)) && fx.slot[OUT][l] == f32(3.875));
	CHECK(ext(v) && fx.slot[OUT][l] == f32(3.5));
	/* kept for the next one, or not */
	const struct simt_uop u[3] = {
		{ .op = SIMT_EXT, .d = OUT, .d2 = IN, .s = { IN, IN + 1, IN, IN }, .n = 1,
		  .imm = v | MALI_EXT_SAMPLE_IS(MALI_SAMPLE) },
		{ .op = SIMT_EXT, .d = OUT + 1, .d2 = IN, .s = { IN, IN + 2, IN, IN }, .n = 1,
		  .imm = v | MALI_EXT_UPDATE_IS(MALI_UPDATE_CLOBBER) },
		{ .op = SIMT_EXT, .d = OUT + 2, .d2 = IN, .s = { IN, IN + 2, IN, IN }, .n = 1,
		  .imm = v | MALI_EXT_UPDATE_IS(MALI_UPDATE_RETRIEVE) },
	};

	fill(IN + 1, 1 << 16);
	CHECK(fx_run(u, 3, vs_simd_best()) && fx.slot[OUT][l] == f32(3.875) &&
	      fx.slot[OUT + 1][l] == f32(3.5) && fx.slot[OUT + 2][l] == f32(3.875));
	CHECK(fx_run(u + 1, 2, vs_simd_best()) && fx.slot[OUT + 2][l] == f32(3.5));
}

int main(void)
{
	tap_start();
	test_operations();
	test_functions();
	test_together();
	test_shader_reference();
	test_cover();
	test_samples();
	test_sample_depth();
	test_alpha();
	test_per_sample();
	fx_free();
	return tap_done();
}
