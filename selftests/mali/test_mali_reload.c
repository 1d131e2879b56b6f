// SPDX-License-Identifier: GPL-2.0
/*
 * Midgard: frames that begin with a draw that copies the target to itself, and that go on with a
 * triangle. Each is drawn with the samples of that draw counted, which its program does, and
 * without, where loads may replace it: memory becomes the same on all executors, and with several
 * workers. So does that of draws that only look like it; what is quick is seen by its weight.
 */
#include "../include/mali_blend.h"
#include "../include/tap.h"
#include "frame.h"
#include "native/mali/mali_prim.h"

#define SIZE		200	/* four tiles each way, of which the last has half a part */
#define STRIDE		(13 * 1024)
#define IMAGE_SIZE	(13 * STRIDE)
#define OTHER		(FRAME_COLOUR + 0x40000)
#define IMAGES_SIZE	0x80000
#define RESULTS_SIZE	(FRAME_COLOUR - FRAME_DEPTH + IMAGES_SIZE)

#define MAIN		0x7000
#define TEXTURES	0x7100
#define TEXTURE		0x7140
#define SAMPLER		0x71c0
#define ATTR		0x7200
#define ATTR_BUF	0x7240
#define VARYINGS	0x7280
#define PUSH		0x7300
#define SECOND_MAIN	0x7400
#define SECOND_STATE	0x7500
#define SECOND_JOB	0x7600
#define SECOND_POSITIONS 0x5000

#define RGBA8		(187U << 12 | 0x688)
#define RGBA32F		(191U << 12 | 0x688)
#define REPLACE		0xf0122122U
#define QUICK_BUDGET	600000	/* weight; the program has twice as much for all pixels */

/* LD_VARY.f32 AT0.xy; TEX.2d TA0.f32, 0, 0, AT0.xy; write TA0 to target 0 */
static const u32 reload[] = {
	0xc87c9835, 0x01403939, 0x00000030, 0x00000000,
	0x210b12d3, 0x00e43c60, 0x00000000, 0x00000000,
	0x0822001d, 0x841f0398, 0x4000027b, 0x0240ffae,
	0xc0a00000, 0x0000006f, 0x0000ffff, 0x00000000,
	0x0822001d, 0x841f0018, 0x4000027b, 0x0240ffae,
	0xc0a00000, 0xfffffc6f, 0x0000ffff, 0x00000000,
};

static u8 before[IMAGES_SIZE], expected[RESULTS_SIZE];

/* ---- the scene ---- */

static void put_f32(u32 at, float x, float y)
{
	frame_f32(at, x);
	frame_f32(at + 4, y);
}

static void put_target(void)
{
	u32 rt = FRAME_FB + 192;

	/* depth is not written */
	frame_w32(FRAME_FB + 48, 0x55 | 1 << 16 | 1 << 21);
	memset(frame.mem + FRAME_FB + 128, 0, 64);
	frame_w32(rt, 1U << 26);
	frame_w32(rt + 4, 1 | 19 << 3 | 0x688 << 16);
	frame_w64(rt + 32, FRAME_MEM_VA + FRAME_COLOUR);
	frame_w32(rt + 40, STRIDE);
	frame_w32(rt + 48, 0x44332211);
	frame_w32(FRAME_FRAGMENT_JOB + 36, 12 | 12 << 16);
}

static void put_texture(void)
{
	frame_w64(TEXTURES, FRAME_MEM_VA + TEXTURE);
	frame_w32(TEXTURE, (SIZE - 1) | (SIZE - 1) << 16);
	frame_w32(TEXTURE + 8, RGBA8 | TX_DIM_2D << 22 | PX_TILED << 24 | 1 << 28);
	frame_w32(TEXTURE + 16, 0x688);
	frame_w64(TEXTURE + 32, FRAME_MEM_VA + FRAME_COLOUR);
	/* nearest, not normalised, edges */
	frame_w32(SAMPLER, 3);
	frame_w32(SAMPLER + 8, 0x999);
	frame_w32(ATTR, RGBA32F << 10);
	frame_w64(ATTR_BUF, (FRAME_MEM_VA + VARYINGS) | MALI_BUF_1D);
	frame_w32(ATTR_BUF + 8, 16);
	frame_w32(ATTR_BUF + 12, 64);
}

static void put_state(u32 at, u64 program)
{
	memset(frame.mem + at, 0, 64);
	frame_w64(at, program);
	frame_w32(at + 16, 8 << 16);
	/* depth always passes, so does the alpha test */
	frame_w32(at + 32, 0xffff | 7 << 24);
	frame_w32(at + 36, 7 << 21);
	frame_w32(at + 64, 0x200);
	frame_w32(at + 72, REPLACE);
}

/* A rectangle, two triangles as a strip: the first job. */
static void put_reload(void)
{
	u32 draw = frame_draw_at(), i;

	for (i = 0; i < 4; i++) {
		frame_vertex(i, i & 1 ? SIZE : 0, i & 2 ? SIZE : 0, 0);
		put_f32(VARYINGS + 16 * i, i & 1 ? SIZE : 0, i & 2 ? SIZE : 0);
	}
	frame_primitive(10, 0, 4);
	frame_w32(draw, 2);
	frame_w64(draw + 32, FRAME_MEM_VA + TEXTURES);
	frame_w64(draw + 40, FRAME_MEM_VA + SAMPLER);
	frame_w64(draw + 64, FRAME_MEM_VA + ATTR_BUF);
	frame_w64(draw + 72, FRAME_MEM_VA + ATTR);
	frame_w64(draw + 80, FRAME_MEM_VA + ATTR_BUF);
	frame_w64(draw + 88, FRAME_MEM_VA + ATTR);
	memcpy(frame.mem + MAIN, reload, sizeof(reload));
	put_state(FRAME_STATE, (FRAME_MEM_VA + MAIN) | (reload[0] & 15));
	frame_w32(FRAME_STATE + 8, 1 | 1 << 16);
	frame_w32(FRAME_STATE + 12, 1 << 16);
}

/* A triangle of one colour: the second job. */
static void put_triangle(void)
{
	static const float colour[8] = { 0.25f, 0.5f, 0.125f, 0.75f }, at[3] = { 70, 80, 95 };
	u32 draw = SECOND_JOB + 64, i;

	memcpy(frame.mem + SECOND_JOB, frame.mem + FRAME_TILER_JOB, 0x100);
	frame_w32(SECOND_JOB + 40, 8);
	frame_w32(SECOND_JOB + 52, 2);
	frame_w64(draw + 4 * MALI_DRAW_POSITION, FRAME_MEM_VA + SECOND_POSITIONS);
	frame_w64(draw + 56, FRAME_MEM_VA + SECOND_STATE);
	frame_w64(draw + 48, FRAME_MEM_VA + PUSH);
	memcpy(frame.mem + PUSH, colour, sizeof(colour));
	memcpy(frame.mem + SECOND_MAIN, blend_midgard_targets, sizeof(blend_midgard_targets));
	put_state(SECOND_STATE, (FRAME_MEM_VA + SECOND_MAIN) | (blend_midgard_targets[0] & 15));
	frame_w32(SECOND_STATE + 16, 8 << 16 | 2 << 21 | 2 << 8);
	for (i = 0; i < 3; i++) {
		put_f32(SECOND_POSITIONS + 16 * i, at[i], at[i] + 40 * (i % 2));
		frame_f32(SECOND_POSITIONS + 16 * i + 12, 1);
	}
}

/* ---- variants ---- */

static void as_it_is(void)
{
}

static void strides(void)
{
	frame_w32(TEXTURE + 8, frame_r32(TEXTURE + 8) | 3 << 28);
	frame_w32(TEXTURE + 40, STRIDE);
}

static void linear_order(void)
{
	frame_w32(FRAME_FB + 196, frame_r32(FRAME_FB + 196) | 2 << 10);
	frame_w32(FRAME_FB + 232, 4 * SIZE);
	frame_w32(TEXTURE + 8, RGBA8 | TX_DIM_2D << 22 | PX_LINEAR << 24 | 1 << 28);
}

static void bgra(void)
{
	frame_w32(FRAME_FB + 196, 1 | 19 << 3 | 0x60a << 16);
	frame_w32(TEXTURE + 16, 0x60a);
}

static void clean_tiles(void)
{
	frame_w32(FRAME_FB + 196, frame_r32(FRAME_FB + 196) | 1U << 31);
}

static void clean_depth(void)
{
	u32 at = FRAME_FB + 128;

	frame_w32(FRAME_FB + 48, 0x55 | 1 << 8 | 1 << 16 | 1 << 18 | 1 << 21);
	frame_w32(at + 12, 5 | 2 << 4 | 1 << 10);
	frame_w64(at + 16, FRAME_MEM_VA + FRAME_DEPTH);
	frame_w32(at + 24, SIZE * 4);
}

static void another_image(void)
{
	frame_w64(TEXTURE + 32, FRAME_MEM_VA + OTHER);
}

static void another_order(void)
{
	frame_w32(TEXTURE + 8, RGBA8 | TX_DIM_2D << 22 | PX_LINEAR << 24 | 1 << 28);
}

static void another_swizzle(void)
{
	frame_w32(TEXTURE + 16, 0x60a);
}

static void small_texture(void)
{
	frame_w32(TEXTURE, (SIZE - 1) | (SIZE - 9) << 16);
}

static void filtered(void)
{
	frame_w32(SAMPLER, 0);
	put_f32(VARYINGS + 48, SIZE - 1, SIZE);
}

static void normalised(void)
{
	frame_w32(SAMPLER, 3 | 1 << 5);
}

static void moved_coordinates(void)
{
	u32 i;

	for (i = 0; i < 4; i++)
		put_f32(VARYINGS + 16 * i, i & 1 ? SIZE + 1 : 1, i & 2 ? SIZE : 0);
}

static void turned_coordinates(void)
{
	u32 i;

	for (i = 0; i < 4; i++)
		put_f32(VARYINGS + 16 * i, i & 2 ? SIZE : 0, i & 1 ? SIZE : 0);
}

static void smaller_rectangle(void)
{
	frame_f32(FRAME_POSITIONS + 16, SIZE - 3);
	frame_f32(VARYINGS + 16, SIZE - 3);
}

static void perspective(void)
{
	frame_f32(FRAME_POSITIONS + 12, 0.5);
}

static void scissor(void)
{
	frame_w32(FRAME_VIEWPORT + 24, 5 | 3 << 16);
}

static void clipped(void)
{
	u32 i;

	for (i = 0; i < 4; i++)
		frame_f32(FRAME_POSITIONS + 16 * i + 8, -1);
	frame_w32(FRAME_STATE + 32, frame_r32(FRAME_STATE + 32) | 3 << 28);
}

static void culled(void)
{
	frame_w32(frame_draw_at(), frame_r32(frame_draw_at()) | 3 << 6);
}

static void no_samples(void)
{
	frame_w32(FRAME_STATE + 32, 0xfffe | 7 << 24);
}

static void depth_test(void)
{
	frame_w32(FRAME_STATE + 32, 0xffff);
}

static void alpha_test(void)
{
	frame_w32(FRAME_STATE + 36, 4 << 21);
	frame_f32(FRAME_STATE + 48, 0.5);
}

static void some_components(void)
{
	frame_w32(FRAME_STATE + 72, REPLACE & ~(8U << 28));
}

static void one_alpha(void)
{
	frame_w32(FRAME_STATE + 64, 0x300);
}

static void no_writes(void)
{
	frame_w32(FRAME_STATE + 64, 0);
}

static void one_triangle(void)
{
	frame_primitive(10, 0, 3);
}

static void two_samples_of_one(void)
{
	frame_w32(ATTR + 4, 16);
}

static const struct {
	const char *name;
	void (*set)(void);
	bool quick;
} variants[] = {
	{ "as it is", as_it_is, true }, { "strides", strides, true },
	{ "linear order", linear_order, true }, { "BGRA", bgra, true },
	{ "clean tiles are stored", clean_tiles, true },
	{ "depth of clean tiles is stored", clean_depth }, { "another image", another_image },
	{ "another order", another_order }, { "another swizzle", another_swizzle },
	{ "small texture", small_texture }, { "filtered", filtered },
	{ "normalised coordinates", normalised }, { "moved coordinates", moved_coordinates },
	{ "turned coordinates", turned_coordinates }, { "smaller rectangle", smaller_rectangle },
	{ "perspective", perspective }, { "scissor", scissor }, { "clipped", clipped },
	{ "culled", culled }, { "no sample", no_samples }, { "depth test", depth_test },
	{ "alpha test", alpha_test }, { "some components", some_components },
	{ "alpha is one", one_alpha }, { "no writes", no_writes },
	{ "one triangle", one_triangle }, { "offset of the varying", two_samples_of_one },
};

/* ---- runs ---- */

static bool run_one(u32 at, enum vs_simd simd, u64 budget)
{
	return !run_native(&frame.map, VS_NATIVE_MIDGARD_CHAIN, FRAME_MEM_VA + at, MALI_T860, 0,
			   simd, budget, &frame.fault) && !frame.fault.kind;
}

/* @counts: samples of the first draw are counted; @late: it follows the triangle. */
static bool draw(u32 v, bool counts, bool late, enum vs_simd simd, u64 budget)
{
	frame_new(1);
	put_target();
	put_texture();
	put_reload();
	put_triangle();
	variants[v].set();
	if (counts)
		frame_w32(frame_draw_at(), frame_r32(frame_draw_at()) | 3 << 3);
	memcpy(frame.mem + FRAME_COLOUR, before, IMAGES_SIZE);
	return run_one(late ? SECOND_JOB : FRAME_TILER_JOB, simd, FRAME_BUDGET) &&
	       run_one(late ? FRAME_TILER_JOB : SECOND_JOB, simd, FRAME_BUDGET) &&
	       run_one(FRAME_FRAGMENT_JOB, simd, budget);
}

static bool is_expected(void)
{
	return !memcmp(frame.mem + FRAME_DEPTH, expected, RESULTS_SIZE);
}

static void test_variant(u32 v, bool late)
{
	enum vs_simd simd;
	bool ok;

	ok = draw(v, true, late, vs_simd_best(), FRAME_BUDGET);
	memcpy(expected, frame.mem + FRAME_DEPTH, RESULTS_SIZE);
	for (simd = 0; simd < VS_NUM_SIMD && ok; simd++)
		if (vs_simd_mask() >> simd & 1)
			ok = draw(v, false, late, simd, FRAME_BUDGET) && is_expected();
	tap_result(ok, "%s%s: the same on all executors", variants[v].name,
		   late ? ", last" : "");
	/* others may read pixels of tiles that another worker stores */
	if (!variants[v].quick)
		return;
	run_threads = 3;
	ok = draw(v, false, late, vs_simd_best(), FRAME_BUDGET) && is_expected();
	run_threads = 1;
	tap_result(ok, "%s%s: the same with three workers", variants[v].name,
		   late ? ", last" : "");
}

static void test_weight(u32 v)
{
	bool quick = draw(v, false, false, vs_simd_best(), QUICK_BUDGET);

	tap_result(quick && !draw(v, true, false, vs_simd_best(), QUICK_BUDGET) &&
		   frame.fault.kind == VS_FAULT_BUDGET, "%s: quick", variants[v].name);
}

/* What is drawn is a triangle on what there was. */
static void test_drawn(void)
{
	u32 i, same = 0, drawn = 0, word;

	draw(0, false, false, vs_simd_best(), FRAME_BUDGET);
	for (i = 0; i < IMAGE_SIZE; i += 4) {
		word = frame_r32(FRAME_COLOUR + i);
		same += !memcmp(&word, before + i, 4);
		drawn += word == 0xbf208040;
	}
	tap_result(drawn > 100 && drawn < 1000 && same + drawn >= SIZE * SIZE,
		   "%u pixels are drawn, %u stay", drawn, same);
}

int main(void)
{
	u32 i;

	frame_begin();
	frame.size = SIZE;
	frame.v5 = true;
	/* all bytes, and no two pixels alike */
	for (i = 0; i < IMAGES_SIZE; i++)
		before[i] = (i * 2654435761U >> 16) ^ (i >> 2);
	test_drawn();
	for (i = 0; i < ARRAY_SIZE(variants); i++) {
		test_variant(i, false);
		if (variants[i].quick)
			test_weight(i);
	}
	test_variant(0, true);
	frame_end();
	return tap_done();
}
