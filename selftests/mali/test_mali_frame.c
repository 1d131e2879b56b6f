// SPDX-License-Identifier: GPL-2.0
/*
 * Frames made by hand, v5 and v7: TILER and FRAGMENT jobs of draws without a program, which
 * write depth and stencil and count samples; clears; hostile lists.
 */
#include "../include/tap.h"
#include "run.h"
#include "native/mali/mali_prim.h"

#define CHECK(cond)	tap_result(cond, "%s: %s", arch_name(), #cond)
#define MEM_VA		0x100000ULL
#define MEM_SIZE	0x100000
#define BUDGET		(1ULL << 24)
#define SIZE		96	/* pixels of a frame: two tiles, the second is smaller */

/* Offsets in memory. */
#define TILER_JOB	0x0000
#define FRAGMENT_JOB	0x0200
#define STATE		0x0400
#define VIEWPORT	0x0500
#define COUNTER		0x0540
#define CONTEXT		0x0600	/* v7: tiler context; its heap descriptor */
#define HEAP_DESC	0x0700
#define LIST		0x0800	/* v5: polygon list */
#define FB		0x1000
#define POSITIONS	0x2000
#define INDICES		0x4000
#define SIZES		0x6000
#define HEAP		0x8000
#define HEAP_SIZE	0x8000
#define DEPTH		0x20000
#define COLOUR		0x40000
#define ENABLE_MAP	0x7000

static u8 *mem;
static struct vs_extent ext;
static struct vs_map map = { 1, &ext };
static struct vs_fault fault;
static bool v5;

static const char *arch_name(void)
{
	return v5 ? "v5" : "v7";
}

static void w32(u32 at, u32 v)
{
	memcpy(mem + at, &v, 4);
}

static void w64(u32 at, u64 v)
{
	memcpy(mem + at, &v, 8);
}

static u32 r32(u32 at)
{
	u32 v;

	memcpy(&v, mem + at, 4);
	return v;
}

static void f32(u32 at, float f)
{
	memcpy(mem + at, &f, 4);
}

static u32 draw_at(void)
{
	return TILER_JOB + (v5 ? 64 : 128);
}

/* ---- descriptors ---- */

static void job(u32 at, u32 type)
{
	w32(at + 16, type << 1 | 1);
}

static void primitive(u32 mode, u32 flags, u32 count)
{
	w32(TILER_JOB + 40, mode | flags);
	w32(TILER_JOB + 52, count - 1);
	w64(TILER_JOB + 56, MEM_VA + INDICES);
}

static void instances(u32 n, u32 vertices)
{
	/* vertices in the lower 8 bits, then instances */
	w32(TILER_JOB + 32, (vertices - 1) | (n - 1) << 8);
	w32(TILER_JOB + 36, 0 << 16 | 8 << 22);
}

static void framebuffer(u32 samples)
{
	u32 at = FB, ext_at = FB + 128;

	w32(at + 32, (SIZE - 1) | (SIZE - 1) << 16);
	w32(at + 44, (samples == 4 ? 2 : 0) | (samples == 4 ? 2 : 0) << 3);
	/* depth and stencil are written; 24 bits; extension */
	w32(at + 48, 0x55 | 1 << 8 | 1 << 16 | 1 << 18 | 1 << 21);
	f32(at + 52, 1);
	/* D24S8, linear; also clean tiles */
	w32(ext_at + 12, 5 | 2 << 4 | 1 << 10 | (samples == 4 ? 3 << (v5 ? 6 : 8) : 0));
	w64(ext_at + 16, MEM_VA + DEPTH);
	w32(ext_at + 24, SIZE * 4);
	w32(ext_at + 28, SIZE * SIZE * 4);
	/* colours are not written */
	w32(ext_at + 64, 1U << 26);
	if (v5) {
		w64(at + 56 + 8, MEM_VA + LIST);
		w64(at + 56 + 24, MEM_VA + HEAP);
		w64(at + 56 + 32, MEM_VA + HEAP + HEAP_SIZE);
		return;
	}
	w64(at + 56, MEM_VA + CONTEXT);
	w32(CONTEXT + 12, (SIZE - 1) | (SIZE - 1) << 16);
	w64(CONTEXT + 24, MEM_VA + HEAP_DESC);
	w32(HEAP_DESC + 4, HEAP_SIZE);
	w64(HEAP_DESC + 8, MEM_VA + HEAP);
	w64(HEAP_DESC + 16, MEM_VA + HEAP);
	w64(HEAP_DESC + 24, MEM_VA + HEAP + HEAP_SIZE);
}

/* A draw of triangles that writes depth, replaces stencil by 0xaa and counts samples. */
static void new_frame(u32 samples)
{
	u32 draw;

	memset(mem, 0, MEM_SIZE);
	draw = draw_at();
	job(TILER_JOB, MALI_JOB_TILER);
	job(FRAGMENT_JOB, MALI_JOB_FRAGMENT);
	w32(FRAGMENT_JOB + 32, 0);
	w32(FRAGMENT_JOB + 36, (SIZE / 16 - 1) | (SIZE / 16 - 1) << 16);
	w64(FRAGMENT_JOB + 40, MEM_VA + FB + 1);
	framebuffer(samples);
	instances(1, 3);
	primitive(8, 0, 3);
	w32(draw, 2 | 3 << 3);
	w64(draw + 4 * MALI_DRAW_POSITION, MEM_VA + POSITIONS);
	w64(draw + 4 * 14, MEM_VA + STATE);
	w64(draw + 4 * MALI_DRAW_VIEWPORT, MEM_VA + VIEWPORT);
	w64(draw + 4 * MALI_DRAW_OCCLUSION, MEM_VA + COUNTER);
	if (v5)
		w64(draw + 4 * MALI_DRAW_STORAGE, MEM_VA + FB + 1);
	else
		w64(TILER_JOB + 72, MEM_VA + CONTEXT);
	f32(VIEWPORT + 20, 1);
	w32(VIEWPORT + 28, (SIZE - 1) | (SIZE - 1) << 16);
	/* all samples, less, depth is written; stencil: always, replace */
	w32(STATE + 32, 0xffff | (samples == 4) << 16 | 1 << 24 | 1 << 27);
	w32(STATE + 36, 0xffff | 1 << 16);
	w32(STATE + 40, 0xaa | 0xff << 8 | 7 << 16 | 1 << 25);
	w32(STATE + 44, 0xbb | 0xff << 8 | 7 << 16 | 1 << 25);
}

static void vertex(u32 i, float x, float y, float z)
{
	f32(POSITIONS + 16 * i, x);
	f32(POSITIONS + 16 * i + 4, y);
	f32(POSITIONS + 16 * i + 8, z);
	f32(POSITIONS + 16 * i + 12, 1);
}

static void line_width(float width)
{
	f32(TILER_JOB + (v5 ? 184 : 64), width);
}

/* ---- results ---- */

static int run_job_at(u32 at)
{
	return run_native(&map, v5 ? VS_NATIVE_MIDGARD_CHAIN : VS_NATIVE_BIFROST_CHAIN, MEM_VA + at,
			  v5 ? MALI_T860 : MALI_G52, 0, vs_simd_best(), BUDGET, &fault);
}

static bool draws(void)
{
	return !run_job_at(TILER_JOB) && !fault.kind && !run_job_at(FRAGMENT_JOB) && !fault.kind;
}

static u32 pixel(u32 x, u32 y)
{
	return r32(DEPTH + 4 * (y * SIZE + x));
}

/* Pixels of the rectangle that primitives have, and no others. */
static bool is_drawn(u32 x0, u32 y0, u32 x1, u32 y1)
{
	u32 x, y;

	for (y = 0; y < SIZE; y++)
		for (x = 0; x < SIZE; x++)
			if ((pixel(x, y) != 0x55ffffff) !=
			    (x >= x0 && x < x1 && y >= y0 && y < y1))
				return false;
	return true;
}

static u32 count_drawn(void)
{
	u32 i, n = 0;

	for (i = 0; i < SIZE * SIZE; i++)
		n += pixel(i % SIZE, i / SIZE) != 0x55ffffff;
	return n;
}

/* Corners of a rectangle, as a strip has them. */
static void corners(u32 first, float x0, float y0, float x1, float y1)
{
	vertex(first, x0, y0, 0.5);
	vertex(first + 1, x1, y0, 0.5);
	vertex(first + 2, x0, y1, 0.5);
	vertex(first + 3, x1, y1, 0.5);
}

/* ---- tests ---- */

static void test_clear(void)
{
	new_frame(1);
	CHECK(!run_job_at(FRAGMENT_JOB) && !fault.kind && !count_drawn());
	/* only tiles of 16 x 16 pixels from (1, 1) to (4, 2) */
	new_frame(1);
	w32(FRAGMENT_JOB + 32, 1 | 1 << 16);
	w32(FRAGMENT_JOB + 36, 4 | 2 << 16);
	CHECK(!run_job_at(FRAGMENT_JOB) && !pixel(15, 20) && pixel(16, 16) == 0x55ffffff &&
	      pixel(79, 47) == 0x55ffffff && !pixel(80, 20) && !pixel(20, 48));
	new_frame(1);
	w32(FRAGMENT_JOB + 36, r32(FRAGMENT_JOB + 36) | 1U << 31);
	w64(FRAGMENT_JOB + 48, MEM_VA + ENABLE_MAP);
	w32(FRAGMENT_JOB + 56, 1);
	mem[ENABLE_MAP + 1] = 0x12;
	CHECK(!run_job_at(FRAGMENT_JOB) && pixel(16, 16) == 0x55ffffff && !pixel(32, 16) &&
	      pixel(64, 31) == 0x55ffffff && !pixel(16, 15));
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
	u32 i, k, rt = FB + 192, bad;

	for (i = 0; i < ARRAY_SIZE(raw); i++) {
		new_frame(1);
		w32(rt, (u32)raw[i].internal << 26);
		/* written, linear, also clean tiles */
		w32(rt + 4, 1 | raw[i].writeback << 3 | 2 << (v5 ? 10 : 8) | 1U << 31);
		w64(rt + 32, MEM_VA + COLOUR);
		w32(rt + 40, SIZE * raw[i].bytes);
		for (k = 0; k < 16; k++)
			clear[k] = 0x81 + 7 * k;
		memcpy(mem + rt + 48, clear, sizeof(clear));
		bad = run_job_at(FRAGMENT_JOB) || fault.kind;
		for (k = 0; k < SIZE * SIZE; k++) {
			memcpy(pixel, mem + COLOUR + k * raw[i].bytes, raw[i].bytes);
			bad += memcmp(pixel, clear, raw[i].bytes) != 0;
		}
		tap_result(!bad, "%s: raw targets of %u bytes", arch_name(), raw[i].bytes);
	}
	/* half of the tile buffer's bytes */
	w32(rt + 4, 1 | 5 << 3 | 2 << (v5 ? 10 : 8));
	run_job_at(FRAGMENT_JOB);
	CHECK(fault.kind == VS_FAULT_COMMAND && fault.code == MALI_BAD_FRAMEBUFFER);
}

static void test_rectangle(void)
{
	new_frame(1);
	corners(0, 10, 20, 70, 80);
	primitive(10, 0, 4);
	CHECK(draws() && is_drawn(10, 20, 70, 80));
	CHECK(pixel(10, 20) == 0xaa800000 && r32(COUNTER) == 3600);
	/* the predicate */
	w32(draw_at(), 2 | 1 << 3);
	w32(COUNTER, 0);
	CHECK(!run_job_at(FRAGMENT_JOB) && r32(COUNTER) == 1);
	/* scissor of odd numbers */
	new_frame(1);
	corners(0, 0, 0, SIZE, SIZE);
	primitive(10, 0, 4);
	w32(VIEWPORT + 24, 11 | 21 << 16);
	w32(VIEWPORT + 28, 70 | 72 << 16);
	CHECK(draws() && is_drawn(11, 21, 71, 73));
}

static void test_modes(void)
{
	static const u8 quad[] = { 0, 1, 3, 2 };
	u32 i;

	new_frame(1);
	for (i = 0; i < 2; i++) {
		vertex(3 * i, 4, 4, 0.25);
		vertex(3 * i + 1, i ? 4 : 60, 60, 0.25);
		vertex(3 * i + 2, 60, i ? 60 : 4, 0.25);
	}
	primitive(8, 0, 6);
	CHECK(draws() && is_drawn(4, 4, 60, 60));
	new_frame(1);
	corners(0, 8, 8, 40, 50);
	for (i = 0; i < 4; i++)
		mem[INDICES + i] = quad[i];
	primitive(12, 1 << 8, 4);
	CHECK(draws() && is_drawn(8, 8, 40, 50));
	primitive(13, 1 << 8, 4);
	w64(v5 ? LIST : CONTEXT + 128, 0);
	CHECK(draws() && is_drawn(8, 8, 40, 50));
	primitive(14, 1 << 8, 4);
	w64(v5 ? LIST : CONTEXT + 128, 0);
	CHECK(draws() && is_drawn(8, 8, 40, 50));
	primitive(15, 0, 4);
	w64(v5 ? LIST : CONTEXT + 128, 0);
	CHECK(draws() && is_drawn(8, 8, 40, 50));
}

static void test_points_lines(void)
{
	new_frame(1);
	vertex(0, 20, 30, 0.5);
	primitive(1, 0, 1);
	line_width(8);
	CHECK(draws() && is_drawn(16, 26, 24, 34));
	/* an array of halves: 4 */
	new_frame(1);
	vertex(0, 20, 30, 0.5);
	vertex(1, 60, 70, 0.5);
	primitive(1, 2 << 11, 2);
	w64(TILER_JOB + (v5 ? 184 : 64), MEM_VA + SIZES);
	w32(SIZES, 0x4400 | 0x4400U << 16);
	CHECK(draws() && count_drawn() == 32 && pixel(18, 28) != 0x55ffffff &&
	      pixel(61, 71) != 0x55ffffff);
	new_frame(1);
	vertex(0, 10, 30, 0.5);
	vertex(1, 70, 30, 0.5);
	primitive(2, 0, 2);
	line_width(4);
	CHECK(draws() && count_drawn() == 240 && is_drawn(10, 28, 70, 32));
	/* the loop has a side more than the strip */
	new_frame(1);
	vertex(0, 10.5f, 10.5f, 0.5);
	vertex(1, 50.5f, 10.5f, 0.5);
	vertex(2, 50.5f, 50.5f, 0.5);
	vertex(3, 10.5f, 50.5f, 0.5);
	primitive(4, 0, 4);
	line_width(1);
	CHECK(draws() && count_drawn() == 120);
	primitive(6, 0, 4);
	w64(v5 ? LIST : CONTEXT + 128, 0);
	CHECK(draws() && count_drawn() == 160);
}

static void test_indices(void)
{
	static const u32 list[] = { 7, 8, 9, 10, ~0U, 3, 4, 5, 6 };
	u32 bytes, i;

	for (bytes = 1; bytes <= 4; bytes *= 2) {
		new_frame(1);
		corners(0, 0, 0, 16, 16);
		corners(4, 32, 32, 48, 48);
		for (i = 0; i < ARRAY_SIZE(list); i++)
			memcpy(mem + INDICES + bytes * i, &list[i], bytes);
		/* base -3, implicit restart */
		primitive(10, (bytes == 4 ? 3 : bytes) << 8 | 2 << 19, ARRAY_SIZE(list));
		w32(TILER_JOB + 44, -3U);
		CHECK(draws() && count_drawn() == 512 && pixel(0, 0) != 0x55ffffff &&
		      pixel(47, 47) != 0x55ffffff);
		/* an explicit restart index */
		for (i = 0; i < bytes; i++)
			mem[INDICES + bytes * 4 + i] = 0;
		primitive(10, (bytes == 4 ? 3 : bytes) << 8 | 3 << 19, ARRAY_SIZE(list));
		w64(v5 ? LIST : CONTEXT + 128, 0);
		memset(mem + DEPTH, 0, SIZE * SIZE * 4);
		CHECK(draws() && count_drawn() == 512);
	}
}

static void test_instances(void)
{
	u32 i;

	new_frame(1);
	/* 4 vertices are padded to 5 */
	for (i = 0; i < 3; i++)
		corners(5 * i, 30.0f * i, 10, 30.0f * i + 20, 20);
	primitive(10, 0, 4);
	instances(3, 4);
	w32(draw_at(), 2 | 3 << 3 | (2 << 5) << 16);
	CHECK(draws() && count_drawn() == 600 && r32(COUNTER) == 600);
}

static void test_culling(void)
{
	u32 i, drawn[4];

	for (i = 0; i < 4; i++) {
		new_frame(1);
		vertex(0, 10, 10, 0.5);
		vertex(1, 10, 50, 0.5);
		vertex(2, 50, 10, 0.5);
		/* counter-clockwise on the screen; bit 5: that is the front */
		w32(draw_at(), 2 | (i & 1) << 5 | (i & 2 ? 1 << 6 : 1 << 7));
		drawn[i] = draws() ? count_drawn() : ~0U;
	}
	CHECK(!drawn[0] && drawn[1] && drawn[2] == drawn[1] && !drawn[3]);
	/* the back has its own stencil */
	new_frame(1);
	vertex(0, 10, 10, 0.5);
	vertex(1, 10, 50, 0.5);
	vertex(2, 50, 10, 0.5);
	CHECK(draws() && pixel(12, 12) >> 24 == 0xbb);
}

static void test_depth(void)
{
	new_frame(1);
	corners(0, 10, 10, 60, 60);
	corners(4, 20, 20, 50, 50);
	vertex(4, 20, 20, 0.75);
	vertex(5, 50, 20, 0.75);
	vertex(6, 20, 50, 0.75);
	vertex(7, 50, 50, 0.75);
	primitive(15, 0, 8);
	/* only the first rectangle and what is between them is in front */
	CHECK(draws() && pixel(12, 12) == 0xaa800000);
	/* behind the far plane: clipped, or clamped */
	new_frame(1);
	corners(0, 10, 10, 60, 60);
	vertex(0, 10, 10, 2);
	vertex(1, 60, 10, 2);
	vertex(2, 10, 60, 2);
	vertex(3, 60, 60, 2);
	primitive(10, 0, 4);
	w32(STATE + 32, 0xffff | 7 << 24 | 1 << 27);
	CHECK(draws() && r32(COUNTER) == 2500 && pixel(20, 20) == 0xaaffffff);
	w32(STATE + 32, 0xffff | 7 << 24 | 1 << 27 | 1 << 29);
	w32(COUNTER, 0);
	CHECK(!run_job_at(FRAGMENT_JOB) && !r32(COUNTER));
	/* polygon offset: 1,024 units of 2^-24 */
	new_frame(1);
	corners(0, 10, 10, 60, 60);
	primitive(10, 0, 4);
	f32(STATE + 20, 1024);
	w32(STATE + 36, r32(STATE + 36) | 3 << 28);
	CHECK(draws() && pixel(20, 20) == 0xaa8003ff);
}

static void test_samples(void)
{
	u32 i, n = 0;

	new_frame(4);
	corners(0, 10, 10, 20.5f, 20);
	primitive(10, 0, 4);
	CHECK(draws() && r32(COUNTER) == 420);
	for (i = 0; i < 4; i++)
		n += r32(DEPTH + i * SIZE * SIZE * 4 + 4 * (12 * SIZE + 20)) != 0x55ffffff;
	CHECK(n == 2);
	/* multisampling disabled: pixels are covered as a whole */
	new_frame(4);
	corners(0, 10, 10, 20.75f, 20);
	primitive(10, 0, 4);
	w32(STATE + 32, r32(STATE + 32) & ~(1 << 16));
	CHECK(draws() && r32(COUNTER) == 440);
	/* the sample mask */
	new_frame(4);
	corners(0, 10, 10, 20, 20);
	primitive(10, 0, 4);
	w32(STATE + 32, 5 | 1 << 16 | 1 << 24 | 1 << 27);
	CHECK(draws() && r32(COUNTER) == 200);
}

/* Many small triangles in many records, all tiles. */
static void test_many(void)
{
	u32 i, n = 300;

	new_frame(1);
	for (i = 0; i < n; i++) {
		float x = (float)(i % 24 * 4), y = (float)(i / 24 * 6);

		vertex(3 * i, x, y, 0.5);
		vertex(3 * i + 1, x + 4, y, 0.5);
		vertex(3 * i + 2, x, y + 4, 0.5);
	}
	primitive(8, 0, 3 * n);
	CHECK(draws() && count_drawn() == 300 * 6 && r32(COUNTER) == 1800);
	CHECK(r32((v5 ? LIST : CONTEXT + 128) + 4) == 2);
}

static u64 list_at(void)
{
	return v5 ? LIST : CONTEXT + 128;
}

static void test_hostile(void)
{
	u32 i, bad = 0, chunk;
	u64 seed = 1;

	/* the heap is full */
	new_frame(1);
	primitive(8, 0, 3);
	vertex(0, 10, 10, 0.5);
	vertex(1, 10, 50, 0.5);
	vertex(2, 50, 10, 0.5);
	w64(v5 ? FB + 56 + 32 : HEAP_DESC + 24, MEM_VA + HEAP + 32);
	CHECK(!run_job_at(TILER_JOB) && fault.kind == VS_FAULT_OVERFLOW &&
	      r32(TILER_JOB) == MALI_STATUS_OUT_OF_MEMORY);
	/* a part of a list that is its own successor */
	new_frame(1);
	vertex(0, 10, 10, 0.5);
	vertex(1, 10, 50, 0.5);
	vertex(2, 50, 10, 0.5);
	CHECK(!run_job_at(TILER_JOB) && !fault.kind);
	chunk = r32(HEAP) - MEM_VA;
	w64(chunk + offsetof(struct mali_chunk, next), MEM_VA + chunk);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.kind == VS_FAULT_BUDGET);
	/* no list */
	w32(chunk, 0);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.kind == VS_FAULT_COMMAND &&
	      fault.code == MALI_BAD_HEAP);
	w64(HEAP, 0x900000000ULL);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.kind == VS_FAULT_COMMAND &&
	      fault.code == MALI_UNMAPPED && fault.address == 0x900000000ULL);
	w64(list_at() + offsetof(struct mali_list, bins), 0x900000000ULL);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.kind == VS_FAULT_READ &&
	      fault.address == 0x900000000ULL);
	/* changed bytes: any end */
	for (i = 0; i < 1000; i++) {
		u32 at, to, k;

		new_frame(i % 2 ? 4 : 1);
		corners(0, 10, 10, 60, 60);
		primitive(10, 0, 4);
		if (i % 3) {
			bad += run_job_at(TILER_JOB) != 0;
			at = HEAP;
		} else {
			at = 0;
		}
		for (k = 0; k < 4; k++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			to = at + (u32)(seed >> 40) % (at ? 512 : FB + 384);
			mem[to] ^= 1 << (seed >> 33 & 7);
		}
		if (!(i % 3))
			bad += run_job_at(TILER_JOB) != 0;
		bad += run_job_at(FRAGMENT_JOB) != 0;
	}
	tap_result(!bad, "%s: changed bytes of descriptors and lists: every job ends",
		   arch_name());
}

static void test_rejects(void)
{
	new_frame(1);
	w32(TILER_JOB + 40, 3);
	CHECK(!run_job_at(TILER_JOB) && fault.code == MALI_BAD_PRIMITIVE);
	new_frame(1);
	w32(TILER_JOB + 40, 8 | 4 << 8);
	CHECK(!run_job_at(TILER_JOB) && fault.code == MALI_BAD_PRIMITIVE);
	/* AFBC */
	new_frame(1);
	w32(FB + 128 + 12, 5 | (v5 ? 3 : 12) << 4);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.code == MALI_BAD_FRAMEBUFFER);
	/* 8 samples */
	new_frame(1);
	w32(FB + 44, 3);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.code == MALI_BAD_FRAMEBUFFER);
	/* the depth image is not there */
	new_frame(1);
	w64(FB + 128 + 16, 0x800000000ULL);
	CHECK(!run_job_at(FRAGMENT_JOB) && fault.kind == VS_FAULT_WRITE &&
	      fault.address == 0x800000000ULL);
}

int main(void)
{
	u32 i;

	mem = aligned_alloc(4096, MEM_SIZE);
	ext = (struct vs_extent){ MEM_VA, MEM_VA + MEM_SIZE, mem, VS_EXT_WRITE };
	for (i = 0; i < 2; i++) {
		v5 = i;
		test_clear();
		test_raw_targets();
		test_rectangle();
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
	free(mem);
	return tap_done();
}
