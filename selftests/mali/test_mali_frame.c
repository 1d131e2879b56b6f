// SPDX-License-Identifier: GPL-2.0
/*
 * Frames made by hand, v5 and v7: TILER and FRAGMENT jobs of draws without a program, which
 * write depth and stencil and count samples; clears; hostile lists.
 */
#include "../include/tap.h"
#include "frame.h"
#include "native/mali/mali_fb.h"
#include "native/mali/mali_prim.h"

#define CHECK(cond)	tap_result(cond, "%s: %s", frame_arch_name(), #cond)

static void test_clear(void)
{
	frame_new(1);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && !frame.fault.kind && !frame_count_drawn());
	/* only tiles of 16 x 16 pixels from (1, 1) to (4, 2) */
	frame_new(1);
	frame_w32(FRAME_FRAGMENT_JOB + 32, 1 | 1 << 16);
	frame_w32(FRAME_FRAGMENT_JOB + 36, 4 | 2 << 16);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && !frame_pixel(15, 20) &&
	      frame_pixel(16, 16) == 0x55ffffff &&
	      frame_pixel(79, 47) == 0x55ffffff && !frame_pixel(80, 20) && !frame_pixel(20, 48));
}

/* Clear by a tile enable map: bytes from row to row. */
static bool clear_by_map(u32 stride)
{
	frame_w32(FRAME_FRAGMENT_JOB + 36, frame_r32(FRAME_FRAGMENT_JOB + 36) | 1U << 31);
	frame_w64(FRAME_FRAGMENT_JOB + 48, FRAME_MEM_VA + FRAME_ENABLE_MAP);
	frame_w32(FRAME_FRAGMENT_JOB + 56, stride);
	return !frame_run(FRAME_FRAGMENT_JOB);
}

/* Whether the pixels of these squares of 32 x 32 pixels are cleared: bit x of row y. No others. */
static bool is_cleared(const u16 *rows)
{
	u32 x, y;

	for (y = 0; y < frame.size; y++)
		for (x = 0; x < frame.size; x++)
			if (frame_pixel(x, y) != (rows[y / 32] >> x / 32 & 1 ? 0x55ffffff : 0))
				return false;
	return true;
}

/* Mesa (v5) makes maps with a bit for 32 x 32 pixels and rows of a multiple of 64 bytes. */
static void test_enable_map(void)
{
	static const u32 strides[] = { 1, 2, 64, 192, 255 };
	static const u16 wide[] = { 0x208, 0, 0x100, 0, 0, 0, 0, 0, 0, 0x200 };
	static const u16 rows[] = { 5, 2, 4 };
	u32 i, y, stride;

	for (i = 0; i < ARRAY_SIZE(strides); i++) {
		stride = strides[i];
		frame_new(1);
		/* memory between rows is not read */
		memset(frame.mem + FRAME_ENABLE_MAP, 0xff, 0x400);
		for (y = 0; y < 3; y++)
			frame.mem[FRAME_ENABLE_MAP + y * stride] = rows[y];
		tap_result(clear_by_map(stride) && !frame.fault.kind && is_cleared(rows),
			   "%s: enable map, %u bytes a row", frame_arch_name(), stride);
	}
	/* more than a byte in a row */
	frame.size = 320;
	frame_new(1);
	for (y = 0; y < 10; y++)
		memcpy(frame.mem + FRAME_ENABLE_MAP + 64 * y, &wide[y], 2);
	CHECK(clear_by_map(64) && is_cleared(wide));
	frame.size = 96;
	/* only rows that the frame has are read */
	frame_new(1);
	frame_w64(FRAME_FRAGMENT_JOB + 48, FRAME_MEM_VA + FRAME_MEM_SIZE - 129);
	frame_w32(FRAME_FRAGMENT_JOB + 36, frame_r32(FRAME_FRAGMENT_JOB + 36) | 1U << 31);
	frame_w32(FRAME_FRAGMENT_JOB + 56, 64);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && !frame.fault.kind);
	frame_w32(FRAME_FRAGMENT_JOB + 56, 65);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_READ);
}

/* Bits of colours: three components in memory, four in the tile buffer. */
static void test_raw_targets(void)
{
	static const struct {
		u8 internal;
		u8 writeback;
		u8 bytes;
	} raw[] = { { 34, 3, 4 }, { 34, 2, 3 }, { 35, 5, 8 }, { 35, 4, 6 }, { 36, 7, 16 },
		    { 36, 6, 12 } };
	u8 clear[16], pixel[16];
	u32 i, k, rt = FRAME_FB + 192, bad;

	for (i = 0; i < ARRAY_SIZE(raw); i++) {
		frame_new(1);
		frame_w32(rt, (u32)raw[i].internal << 26);
		/* written, linear, also clean tiles */
		frame_w32(rt + 4, 1 | raw[i].writeback << 3 | 2 << (frame.v5 ? 10 : 8) | 1U << 31);
		frame_w64(rt + 32, FRAME_MEM_VA + FRAME_COLOUR);
		frame_w32(rt + 40, frame.size * raw[i].bytes);
		for (k = 0; k < 16; k++)
			clear[k] = 0x81 + 7 * k;
		memcpy(frame.mem + rt + 48, clear, sizeof(clear));
		bad = frame_run(FRAME_FRAGMENT_JOB) || frame.fault.kind;
		for (k = 0; k < frame.size * frame.size; k++) {
			memcpy(pixel, frame.mem + FRAME_COLOUR + k * raw[i].bytes, raw[i].bytes);
			bad += memcmp(pixel, clear, raw[i].bytes) != 0;
		}
		tap_result(!bad, "%s: raw targets of %u bytes", frame_arch_name(), raw[i].bytes);
	}
	/* half of the tile buffer's bytes */
	frame_w32(rt + 4, 1 | 5 << 3 | 2 << (frame.v5 ? 10 : 8));
	frame_run(FRAME_FRAGMENT_JOB);
	CHECK(frame.fault.kind == VS_FAULT_COMMAND && frame.fault.code == MALI_BAD_FRAMEBUFFER);
}

static void test_rectangle(void)
{
	frame_new(1);
	frame_corners(0, 10, 20, 70, 80);
	frame_primitive(10, 0, 4);
	CHECK(frame_draws() && frame_is_drawn(10, 20, 70, 80));
	CHECK(frame_pixel(10, 20) == 0xaa800000 && frame_counted() == 3600);
	/* the predicate */
	frame_w32(frame_draw_at(), 2 | 1 << 3);
	frame_w32(FRAME_COUNTER, 0);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame_r32(FRAME_COUNTER) == 1);
	/* scissor of odd numbers */
	frame_new(1);
	frame_corners(0, 0, 0, frame.size, frame.size);
	frame_primitive(10, 0, 4);
	frame_w32(FRAME_VIEWPORT + 24, 11 | 21 << 16);
	frame_w32(FRAME_VIEWPORT + 28, 70 | 72 << 16);
	CHECK(frame_draws() && frame_is_drawn(11, 21, 71, 73));
}

/* A colour target that is written, RGBA8, linear; its memory has 0x11 everywhere. */
static void colour_target(u32 flags)
{
	u32 rt = FRAME_FB + 192;

	frame_w32(rt, 1U << 26);
	frame_w32(rt + 4, 1 | 19 << 3 | 2 << (frame.v5 ? 10 : 8) | 0x688 << 16 | flags);
	frame_w64(rt + 32, FRAME_MEM_VA + FRAME_COLOUR);
	frame_w32(rt + 40, frame.size * 4);
	frame_w32(rt + 48, 0x44332211);
	memset(frame.mem + FRAME_COLOUR, 0x11, frame.size * frame.size * 4);
	memset(frame.mem + FRAME_DEPTH, 0x11, frame.size * frame.size * 4);
}

/* Pixels that have a value. */
static u32 count(u32 at, u32 value)
{
	u32 i, n = 0;

	for (i = 0; i < frame.size * frame.size; i++)
		n += frame_r32(at + 4 * i) == value;
	return n;
}

#define CLEAN_ZS	(1 << 10)

/* Each buffer of a tile is written where a draw has written it, or where clean parts are. */
static void test_validity(void)
{
	u32 all = frame.size * frame.size, ext = FRAME_FB + 128 + 12;

	/* depth and stencil only: the target keeps what it had */
	frame_new(1);
	colour_target(0);
	frame_w32(ext, frame_r32(ext) & ~CLEAN_ZS);
	frame_corners(0, 10, 20, 30, 40);
	frame_primitive(10, 0, 4);
	/* three of the four parts' columns and rows: x 0 to 31, y 16 to 47 */
	CHECK(frame_draws() && count(FRAME_COLOUR, 0x11111111) == all &&
	      count(FRAME_DEPTH, 0xaa800000) == 400 &&
	      count(FRAME_DEPTH, 0x55ffffff) == 32 * 32 - 400 &&
	      count(FRAME_DEPTH, 0x11111111) == all - 32 * 32);
	/* clean parts of the target, too */
	colour_target(1U << 31);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_COLOUR, 0x44332211) == all &&
	      count(FRAME_DEPTH, 0x11111111) == all - 32 * 32);
	/* a draw that reloads: all stays clean, the tests see it */
	colour_target(0);
	frame_w32(frame_draw_at(), 2 | 3 << 3 | 1 << 11);
	frame_w32(FRAME_COUNTER, 0);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_DEPTH, 0x11111111) == all &&
	      frame_counted() == 400);
	frame_w32(ext, frame_r32(ext) | CLEAN_ZS);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_DEPTH, 0xaa800000) == 400 &&
	      count(FRAME_DEPTH, 0x55ffffff) == all - 400);
	/* a draw that writes neither depth nor stencil, or whose tests fail */
	frame_w32(ext, frame_r32(ext) & ~CLEAN_ZS);
	frame_w32(frame_draw_at(), 2 | 3 << 3);
	frame_w32(FRAME_STATE + 32, 0xffff | 1 << 24);
	frame_w32(FRAME_STATE + 36, 0);
	colour_target(0);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_DEPTH, 0x11111111) == all);
	frame_w32(FRAME_STATE + 32, 0xffff | 1 << 27);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_DEPTH, 0x11111111) == all);
	/* stencil alone */
	frame_w32(FRAME_STATE + 36, 0xffff | 1 << 16);
	frame_w32(FRAME_STATE + 32, 0xffff | 7 << 24);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && count(FRAME_DEPTH, 0xaaffffff) == 400 &&
	      count(FRAME_DEPTH, 0x11111111) == all - 32 * 32);
}

/*
 * v7: the draw as frame shader @i, of the whole frame; the draw itself is in the list of the first
 * tile only, and covers nothing.
 */
static void frame_shader(u32 i, u32 mode, u32 flags)
{
	u32 at = FRAME_SIZES + 128 * i, viewport = FRAME_VIEWPORT + 0x80;

	frame_new(1);
	colour_target(0);
	frame_w32(FRAME_FB + 128 + 12, frame_r32(FRAME_FB + 128 + 12) & ~CLEAN_ZS);
	frame_corners(0, 10, 20, 30, 40);
	frame_corners(4, 0, 0, (float)frame.size, (float)frame.size);
	frame_primitive(10, 0, 4);
	memcpy(frame.mem + at, frame.mem + frame_draw_at(), 128);
	memcpy(frame.mem + viewport, frame.mem + FRAME_VIEWPORT, 32);
	frame_w32(at, 2 | flags);
	frame_w64(at + 4 * MALI_DRAW_POSITION, FRAME_MEM_VA + FRAME_POSITIONS + 64);
	frame_w64(at + 4 * MALI_DRAW_VIEWPORT, FRAME_MEM_VA + viewport);
	frame_w64(FRAME_FB + 24, FRAME_MEM_VA + FRAME_SIZES);
	frame_w32(FRAME_FB, mode << (3 * i));
	frame_w32(FRAME_VIEWPORT + 28, 0);
}

/* Frame shaders in tiles with and without primitives. A reload leaves tiles clean. */
static void test_frame_shaders(void)
{
	static const struct {
		u32 mode;
		u32 flags;
		u32 drawn;
		bool clean;
	} wants[] = {
		{ MALI_FRAME_NEVER, 0, 0 },
		{ MALI_FRAME_ALWAYS, 0, 9216 },
		{ MALI_FRAME_ALWAYS, 1 << 11, 0 },
		/* the tile of 64 x 64 that has the primitive */
		{ MALI_FRAME_INTERSECT, 0, 4096 },
		{ MALI_FRAME_INTERSECT, 1 << 11, 0 },
		/* clean pixels are written: they have to be right */
		{ MALI_FRAME_INTERSECT, 1 << 11, 9216, true },
		{ MALI_FRAME_EARLY_ZS_ALWAYS, 0, 9216 },
		{ MALI_FRAME_EARLY_ZS_ALWAYS, 1 << 11, 0 },
	};
	u32 i, k, n, all = frame.size * frame.size;

	for (i = 0; i < ARRAY_SIZE(wants); i++) {
		for (k = 0; k < 3; k++) {
			frame_shader(k, wants[i].mode, wants[i].flags);
			if (wants[i].clean)
				frame_w32(FRAME_FB + 128 + 12,
					  frame_r32(FRAME_FB + 128 + 12) | CLEAN_ZS);
			n = frame_draws() ? all - count(FRAME_DEPTH, 0x11111111) : ~0U;
			if (wants[i].clean)
				n = count(FRAME_DEPTH, 0xaa800000);
			tap_result(n == wants[i].drawn && count(FRAME_COLOUR, 0x11111111) == all,
				   "%s: frame shader %u, mode %u, flags 0x%x: %u pixels written",
				   frame_arch_name(), k, wants[i].mode, wants[i].flags, n);
		}
	}
}

/* Without positions a frame shader covers its viewport, in any frame. */
static void test_frame_shader_everywhere(void)
{
	u32 all = frame.size * frame.size;

	frame_shader(0, MALI_FRAME_ALWAYS, 0);
	frame_w64(FRAME_SIZES + 4 * MALI_DRAW_POSITION, 0);
	CHECK(frame_draws() && count(FRAME_DEPTH, 0x11111111) == all - 9216);
	frame_shader(0, MALI_FRAME_ALWAYS, 0);
	frame_w64(FRAME_SIZES + 4 * MALI_DRAW_POSITION, 8);
	CHECK(!frame_draws());
}

static void test_modes(void)
{
	static const u8 quad[] = { 0, 1, 3, 2 };
	u32 i;

	frame_new(1);
	for (i = 0; i < 2; i++) {
		frame_vertex(3 * i, 4, 4, 0.25);
		frame_vertex(3 * i + 1, i ? 4 : 60, 60, 0.25);
		frame_vertex(3 * i + 2, 60, i ? 60 : 4, 0.25);
	}
	frame_primitive(8, 0, 6);
	CHECK(frame_draws() && frame_is_drawn(4, 4, 60, 60));
	frame_new(1);
	frame_corners(0, 8, 8, 40, 50);
	for (i = 0; i < 4; i++)
		frame.mem[FRAME_INDICES + i] = quad[i];
	frame_primitive(12, 1 << 8, 4);
	CHECK(frame_draws() && frame_is_drawn(8, 8, 40, 50));
	frame_primitive(13, 1 << 8, 4);
	frame_w64(frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, 0);
	CHECK(frame_draws() && frame_is_drawn(8, 8, 40, 50));
	frame_primitive(14, 1 << 8, 4);
	frame_w64(frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, 0);
	CHECK(frame_draws() && frame_is_drawn(8, 8, 40, 50));
	frame_primitive(15, 0, 4);
	frame_w64(frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, 0);
	CHECK(frame_draws() && frame_is_drawn(8, 8, 40, 50));
}

static void test_points_lines(void)
{
	frame_new(1);
	frame_vertex(0, 20, 30, 0.5);
	frame_primitive(1, 0, 1);
	frame_line_width(8);
	CHECK(frame_draws() && frame_is_drawn(16, 26, 24, 34));
	/* an array of halves: 4 */
	frame_new(1);
	frame_vertex(0, 20, 30, 0.5);
	frame_vertex(1, 60, 70, 0.5);
	frame_primitive(1, 2 << 11, 2);
	frame_w64(FRAME_TILER_JOB + (frame.v5 ? 184 : 64), FRAME_MEM_VA + FRAME_SIZES);
	frame_w32(FRAME_SIZES, 0x4400 | 0x4400U << 16);
	CHECK(frame_draws() && frame_count_drawn() == 32 && frame_pixel(18, 28) != 0x55ffffff &&
	      frame_pixel(61, 71) != 0x55ffffff);
	frame_new(1);
	frame_vertex(0, 10, 30, 0.5);
	frame_vertex(1, 70, 30, 0.5);
	frame_primitive(2, 0, 2);
	frame_line_width(4);
	CHECK(frame_draws() && frame_count_drawn() == 240 && frame_is_drawn(10, 28, 70, 32));
	/* the loop has a side more than the strip */
	frame_new(1);
	frame_vertex(0, 10.5f, 10.5f, 0.5);
	frame_vertex(1, 50.5f, 10.5f, 0.5);
	frame_vertex(2, 50.5f, 50.5f, 0.5);
	frame_vertex(3, 10.5f, 50.5f, 0.5);
	frame_primitive(4, 0, 4);
	frame_line_width(1);
	CHECK(frame_draws() && frame_count_drawn() == 120);
	frame_primitive(6, 0, 4);
	frame_w64(frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, 0);
	CHECK(frame_draws() && frame_count_drawn() == 160);
}

static void test_indices(void)
{
	static const u32 list[] = { 7, 8, 9, 10, ~0U, 3, 4, 5, 6 };
	u32 bytes, i;

	for (bytes = 1; bytes <= 4; bytes *= 2) {
		frame_new(1);
		frame_corners(0, 0, 0, 16, 16);
		frame_corners(4, 32, 32, 48, 48);
		for (i = 0; i < ARRAY_SIZE(list); i++)
			memcpy(frame.mem + FRAME_INDICES + bytes * i, &list[i], bytes);
		/* base -3, implicit restart */
		frame_primitive(10, (bytes == 4 ? 3 : bytes) << 8 | 2 << 19, ARRAY_SIZE(list));
		frame_w32(FRAME_TILER_JOB + 44, -3U);
		CHECK(frame_draws() && frame_count_drawn() == 512 &&
		      frame_pixel(0, 0) != 0x55ffffff &&
		      frame_pixel(47, 47) != 0x55ffffff);
		/* an explicit restart index */
		for (i = 0; i < bytes; i++)
			frame.mem[FRAME_INDICES + bytes * 4 + i] = 0;
		frame_primitive(10, (bytes == 4 ? 3 : bytes) << 8 | 3 << 19, ARRAY_SIZE(list));
		frame_w64(frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128, 0);
		memset(frame.mem + FRAME_DEPTH, 0, frame.size * frame.size * 4);
		CHECK(frame_draws() && frame_count_drawn() == 512);
	}
}

static void test_instances(void)
{
	u32 i;

	frame_new(1);
	/* 4 vertices are padded to 5 */
	for (i = 0; i < 3; i++)
		frame_corners(5 * i, 30.0f * i, 10, 30.0f * i + 20, 20);
	frame_primitive(10, 0, 4);
	frame_instances(3, 4);
	frame_w32(frame_draw_at(), 2 | 3 << 3 | (2 << 5) << 16);
	CHECK(frame_draws() && frame_count_drawn() == 600 && frame_counted() == 600);
}

static void test_culling(void)
{
	u32 i, drawn[4];

	for (i = 0; i < 4; i++) {
		frame_new(1);
		frame_vertex(0, 10, 10, 0.5);
		frame_vertex(1, 10, 50, 0.5);
		frame_vertex(2, 50, 10, 0.5);
		/* counter-clockwise on the screen; bit 5: that is the front */
		frame_w32(frame_draw_at(), 2 | (i & 1) << 5 | (i & 2 ? 1 << 6 : 1 << 7));
		drawn[i] = frame_draws() ? frame_count_drawn() : ~0U;
	}
	CHECK(!drawn[0] && drawn[1] && drawn[2] == drawn[1] && !drawn[3]);
	/* the back has its own stencil */
	frame_new(1);
	frame_vertex(0, 10, 10, 0.5);
	frame_vertex(1, 10, 50, 0.5);
	frame_vertex(2, 50, 10, 0.5);
	CHECK(frame_draws() && frame_pixel(12, 12) >> 24 == 0xbb);
}

static void test_depth(void)
{
	frame_new(1);
	frame_corners(0, 10, 10, 60, 60);
	frame_corners(4, 20, 20, 50, 50);
	frame_vertex(4, 20, 20, 0.75);
	frame_vertex(5, 50, 20, 0.75);
	frame_vertex(6, 20, 50, 0.75);
	frame_vertex(7, 50, 50, 0.75);
	frame_primitive(15, 0, 8);
	/* only the first rectangle and what is between them is in front */
	CHECK(frame_draws() && frame_pixel(12, 12) == 0xaa800000);
	/* behind the far plane: clipped, or clamped */
	frame_new(1);
	frame_corners(0, 10, 10, 60, 60);
	frame_vertex(0, 10, 10, 2);
	frame_vertex(1, 60, 10, 2);
	frame_vertex(2, 10, 60, 2);
	frame_vertex(3, 60, 60, 2);
	frame_primitive(10, 0, 4);
	frame_w32(FRAME_STATE + 32, 0xffff | 7 << 24 | 1 << 27);
	CHECK(frame_draws() && frame_counted() == 2500 &&
	      frame_pixel(20, 20) == 0xaaffffff);
	frame_w32(FRAME_STATE + 32, 0xffff | 7 << 24 | 1 << 27 | 1 << 29);
	frame_w32(FRAME_COUNTER, 0);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && !frame_counted());
	/* polygon offset: 1,024 units of 2^-24 */
	frame_new(1);
	frame_corners(0, 10, 10, 60, 60);
	frame_primitive(10, 0, 4);
	frame_f32(FRAME_STATE + 20, 1024);
	frame_w32(FRAME_STATE + 36, frame_r32(FRAME_STATE + 36) | 3 << 28);
	CHECK(frame_draws() && frame_pixel(20, 20) == 0xaa8003ff);
}

static void test_samples(void)
{
	u32 i, n = 0;

	frame_new(4);
	frame_corners(0, 10, 10, 20.5f, 20);
	frame_primitive(10, 0, 4);
	CHECK(frame_draws() && frame_counted() == 420);
	for (i = 0; i < 4; i++)
		n += frame_pixel(20, i * frame.size + 12) != 0x55ffffff;
	CHECK(n == 2);
	/* multisampling disabled: pixels are covered as a whole */
	frame_new(4);
	frame_corners(0, 10, 10, 20.75f, 20);
	frame_primitive(10, 0, 4);
	frame_w32(FRAME_STATE + 32, frame_r32(FRAME_STATE + 32) & ~(1 << 16));
	CHECK(frame_draws() && frame_counted() == 440);
	/* the sample mask */
	frame_new(4);
	frame_corners(0, 10, 10, 20, 20);
	frame_primitive(10, 0, 4);
	frame_w32(FRAME_STATE + 32, 5 | 1 << 16 | 1 << 24 | 1 << 27);
	CHECK(frame_draws() && frame_counted() == 200);
}

/* Many small triangles in many records, all tiles. */
static void test_many(void)
{
	u32 i, n = 300;

	frame_new(1);
	for (i = 0; i < n; i++) {
		float x = (float)(i % 24 * 4), y = (float)(i / 24 * 6);

		frame_vertex(3 * i, x, y, 0.5);
		frame_vertex(3 * i + 1, x + 4, y, 0.5);
		frame_vertex(3 * i + 2, x, y + 4, 0.5);
	}
	frame_primitive(8, 0, 3 * n);
	CHECK(frame_draws() && frame_count_drawn() == 300 * 6 && frame_counted() == 1800);
	CHECK(frame_r32((frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128) + 4) == 2);
}

static u64 list_at(void)
{
	return frame.v5 ? FRAME_LIST : FRAME_CONTEXT + 128;
}

static void test_hostile(void)
{
	u32 i, bad = 0, chunk;
	u64 seed = 1;

	/* the heap is full */
	frame_new(1);
	frame_primitive(8, 0, 3);
	frame_vertex(0, 10, 10, 0.5);
	frame_vertex(1, 10, 50, 0.5);
	frame_vertex(2, 50, 10, 0.5);
	frame_w64(frame.v5 ? FRAME_FB + 56 + 32 : FRAME_HEAP_DESC + 24,
		  FRAME_MEM_VA + FRAME_HEAP + 32);
	CHECK(!frame_run(FRAME_TILER_JOB) && frame.fault.kind == VS_FAULT_OVERFLOW &&
	      frame_r32(FRAME_TILER_JOB) == MALI_STATUS_OUT_OF_MEMORY);
	/* a part of a list that is its own successor */
	frame_new(1);
	frame_vertex(0, 10, 10, 0.5);
	frame_vertex(1, 10, 50, 0.5);
	frame_vertex(2, 50, 10, 0.5);
	CHECK(!frame_run(FRAME_TILER_JOB) && !frame.fault.kind);
	chunk = frame_r32(FRAME_HEAP) - FRAME_MEM_VA;
	frame_w64(chunk + offsetof(struct vr_chunk, next), FRAME_MEM_VA + chunk);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_BUDGET);
	/* no list */
	frame_w32(chunk, 0);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_COMMAND &&
	      frame.fault.code == MALI_BAD_HEAP);
	frame_w64(FRAME_HEAP, 0x900000000ULL);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_COMMAND &&
	      frame.fault.code == MALI_UNMAPPED && frame.fault.address == 0x900000000ULL);
	frame_w64(list_at() + offsetof(struct vr_lists, bins), 0x900000000ULL);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_READ &&
	      frame.fault.address == 0x900000000ULL);
	/* changed bytes: any end */
	for (i = 0; i < 1000; i++) {
		u32 at, to, k;

		frame_new(i % 2 ? 4 : 1);
		frame_corners(0, 10, 10, 60, 60);
		frame_primitive(10, 0, 4);
		if (i % 3) {
			bad += frame_run(FRAME_TILER_JOB) != 0;
			at = FRAME_HEAP;
		} else {
			at = 0;
		}
		for (k = 0; k < 4; k++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			to = at + (u32)(seed >> 40) % (at ? 512 : FRAME_FB + 384);
			frame.mem[to] ^= 1 << (seed >> 33 & 7);
		}
		if (!(i % 3))
			bad += frame_run(FRAME_TILER_JOB) != 0;
		bad += frame_run(FRAME_FRAGMENT_JOB) != 0;
	}
	tap_result(!bad, "%s: changed bytes of descriptors and lists: every job ends",
		   frame_arch_name());
}

static void test_rejects(void)
{
	frame_new(1);
	frame_w32(FRAME_TILER_JOB + 40, 3);
	CHECK(!frame_run(FRAME_TILER_JOB) && frame.fault.code == MALI_BAD_PRIMITIVE);
	frame_new(1);
	frame_w32(FRAME_TILER_JOB + 40, 8 | 4 << 8);
	CHECK(!frame_run(FRAME_TILER_JOB) && frame.fault.code == MALI_BAD_PRIMITIVE);
	/* AFBC */
	frame_new(1);
	frame_w32(FRAME_FB + 128 + 12, 5 | (frame.v5 ? 3 : 12) << 4);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.code == MALI_BAD_FRAMEBUFFER);
	/* 8 samples */
	frame_new(1);
	frame_w32(FRAME_FB + 44, 3);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.code == MALI_BAD_FRAMEBUFFER);
	/* the depth image is not there */
	frame_new(1);
	frame_w64(FRAME_FB + 128 + 16, 0x800000000ULL);
	CHECK(!frame_run(FRAME_FRAGMENT_JOB) && frame.fault.kind == VS_FAULT_WRITE &&
	      frame.fault.address == 0x800000000ULL);
}

int main(void)
{
	u32 i;

	frame_begin();
	for (i = 0; i < 2; i++) {
		frame.v5 = i;
		test_clear();
		test_enable_map();
		test_raw_targets();
		test_rectangle();
		test_validity();
		if (!frame.v5) {
			test_frame_shaders();
			test_frame_shader_everywhere();
		}
		test_modes();
		test_points_lines();
		test_indices();
		test_instances();
		test_culling();
		test_depth();
		test_samples();
		test_many();
		test_hostile();
		test_rejects();
	}
	frame_end();
	return tap_done();
}
