// SPDX-License-Identifier: GPL-2.0
/* Frames made by hand, v5 and v7: a TILER and a FRAGMENT job of a draw without a program. */
#include "../include/tap.h"
#include "frame.h"
#include "native/mali/mali_prim.h"

struct frame frame;
static struct vs_extent ext;

const char *frame_arch_name(void)
{
	return frame.v5 ? "v5" : frame.v6 ? "v6" : "v7";
}

void frame_w32(u32 at, u32 v)
{
	memcpy(frame.mem + at, &v, 4);
}

void frame_w64(u32 at, u64 v)
{
	memcpy(frame.mem + at, &v, 8);
}

u32 frame_r32(u32 at)
{
	u32 v;

	memcpy(&v, frame.mem + at, 4);
	return v;
}

void frame_f32(u32 at, float f)
{
	memcpy(frame.mem + at, &f, 4);
}

u32 frame_draw_at(void)
{
	return FRAME_TILER_JOB + (frame.v5 ? 64 : 128);
}

/* ---- descriptors ---- */

void frame_job(u32 at, u32 type)
{
	frame_w32(at + 16, type << 1 | 1);
}

void frame_primitive(u32 mode, u32 flags, u32 count)
{
	frame_w32(FRAME_TILER_JOB + 40, mode | flags);
	frame_w32(FRAME_TILER_JOB + 52, count - 1);
	frame_w64(FRAME_TILER_JOB + 56, FRAME_MEM_VA + FRAME_INDICES);
}

void frame_instances(u32 n, u32 vertices)
{
	/* vertices in the lower 8 bits, then instances */
	frame_w32(FRAME_TILER_JOB + 32, (vertices - 1) | (n - 1) << 8);
	frame_w32(FRAME_TILER_JOB + 36, 0 << 16 | 8 << 22);
}

static bool is_v7(void)
{
	return !frame.v5 && !frame.v6;
}

static void framebuffer(u32 samples)
{
	u32 at = FRAME_FB, ext_at = FRAME_FB + 128;

	frame_w32(at + 32, (frame.size - 1) | (frame.size - 1) << 16);
	frame_w32(at + 44, (samples == 4 ? 2 : 0) | (samples == 4 ? 2 : 0) << 3);
	/* depth and stencil are written; 24 bits; extension */
	frame_w32(at + 48, 0x55 | 1 << 8 | 1 << 16 | 1 << 18 | 1 << 21);
	frame_f32(at + 52, 1);
	/* D24S8, linear; also clean tiles */
	frame_w32(ext_at + 12, 5 | 2 << 4 | 1 << 10 | (samples == 4 ? 3 << (is_v7() ? 8 : 6) : 0));
	frame_w64(ext_at + 16, FRAME_MEM_VA + FRAME_DEPTH);
	frame_w32(ext_at + 24, frame.size * 4);
	frame_w32(ext_at + 28, frame.size * frame.size * 4);
	/* colours are not written */
	frame_w32(ext_at + 64, 1U << 26);
	if (frame.v5) {
		frame_w64(at + 56 + 8, FRAME_MEM_VA + FRAME_LIST);
		frame_w64(at + 56 + 24, FRAME_MEM_VA + FRAME_HEAP);
		frame_w64(at + 56 + 32, FRAME_MEM_VA + FRAME_HEAP + FRAME_HEAP_SIZE);
		return;
	}
	frame_w64(at + 56, FRAME_MEM_VA + FRAME_CONTEXT);
	frame_w32(FRAME_CONTEXT + 12, (frame.size - 1) | (frame.size - 1) << 16);
	frame_w64(FRAME_CONTEXT + 24, FRAME_MEM_VA + FRAME_HEAP_DESC);
	frame_w32(FRAME_HEAP_DESC + 4, FRAME_HEAP_SIZE);
	frame_w64(FRAME_HEAP_DESC + 8, FRAME_MEM_VA + FRAME_HEAP);
	frame_w64(FRAME_HEAP_DESC + 16, FRAME_MEM_VA + FRAME_HEAP);
	frame_w64(FRAME_HEAP_DESC + 24, FRAME_MEM_VA + FRAME_HEAP + FRAME_HEAP_SIZE);
}

/* A draw of triangles that writes depth, replaces stencil by 0xaa and counts samples. */
void frame_new(u32 samples)
{
	u32 draw;

	memset(frame.mem, 0, FRAME_MEM_SIZE);
	draw = frame_draw_at();
	frame_job(FRAME_TILER_JOB, MALI_JOB_TILER);
	frame_job(FRAME_FRAGMENT_JOB, MALI_JOB_FRAGMENT);
	frame_w32(FRAME_FRAGMENT_JOB + 32, 0);
	frame_w32(FRAME_FRAGMENT_JOB + 36, (frame.size / 16 - 1) | (frame.size / 16 - 1) << 16);
	frame_w64(FRAME_FRAGMENT_JOB + 40, FRAME_MEM_VA + FRAME_FB + 1);
	framebuffer(samples);
	frame_instances(1, 3);
	frame_primitive(8, 0, 3);
	frame_w32(draw, 2 | 3 << 3);
	frame_w64(draw + 4 * MALI_DRAW_POSITION, FRAME_MEM_VA + FRAME_POSITIONS);
	frame_w64(draw + 4 * 14, FRAME_MEM_VA + FRAME_STATE);
	frame_w64(draw + 4 * MALI_DRAW_VIEWPORT, FRAME_MEM_VA + FRAME_VIEWPORT);
	frame_w64(draw + 4 * MALI_DRAW_OCCLUSION, FRAME_MEM_VA + FRAME_COUNTER);
	if (frame.v5)
		frame_w64(draw + 4 * MALI_DRAW_STORAGE, FRAME_MEM_VA + FRAME_FB + 1);
	else
		frame_w64(FRAME_TILER_JOB + 72, FRAME_MEM_VA + FRAME_CONTEXT);
	frame_f32(FRAME_VIEWPORT + 20, 1);
	frame_w32(FRAME_VIEWPORT + 28, (frame.size - 1) | (frame.size - 1) << 16);
	/* all samples, less, depth is written; stencil: always, replace */
	frame_w32(FRAME_STATE + 32, 0xffff | (samples == 4) << 16 | 1 << 24 | 1 << 27);
	frame_w32(FRAME_STATE + 36, 0xffff | 1 << 16);
	frame_w32(FRAME_STATE + 40, 0xaa | 0xff << 8 | 7 << 16 | 1 << 25);
	frame_w32(FRAME_STATE + 44, 0xbb | 0xff << 8 | 7 << 16 | 1 << 25);
}

void frame_vertex(u32 i, float x, float y, float z)
{
	frame_f32(FRAME_POSITIONS + 16 * i, x);
	frame_f32(FRAME_POSITIONS + 16 * i + 4, y);
	frame_f32(FRAME_POSITIONS + 16 * i + 8, z);
	frame_f32(FRAME_POSITIONS + 16 * i + 12, 1);
}

void frame_line_width(float width)
{
	frame_f32(FRAME_TILER_JOB + (frame.v5 ? 184 : 64), width);
}

/* ---- results ---- */

int frame_run(u32 at)
{
	u32 format = frame.v5 ? VS_NATIVE_MIDGARD_CHAIN : VS_NATIVE_BIFROST_CHAIN;
	u32 gpu = frame.v5 ? MALI_T860 : frame.v6 ? MALI_G71 : MALI_G52;

	return run_native(&frame.map, format, FRAME_MEM_VA + at, gpu, 0, vs_simd_best(),
			  FRAME_BUDGET, &frame.fault);
}

bool frame_draws(void)
{
	return !frame_run(FRAME_TILER_JOB) && !frame.fault.kind &&
	       !frame_run(FRAME_FRAGMENT_JOB) && !frame.fault.kind;
}

u32 frame_pixel(u32 x, u32 y)
{
	return frame_r32(FRAME_DEPTH + 4 * (y * frame.size + x));
}

/* Pixels of the rectangle that primitives have, and no others. */
bool frame_is_drawn(u32 x0, u32 y0, u32 x1, u32 y1)
{
	u32 x, y;

	for (y = 0; y < frame.size; y++)
		for (x = 0; x < frame.size; x++)
			if ((frame_pixel(x, y) != 0x55ffffff) !=
			    (x >= x0 && x < x1 && y >= y0 && y < y1))
				return false;
	return true;
}

u32 frame_count_drawn(void)
{
	u32 i, n = 0;

	for (i = 0; i < frame.size * frame.size; i++)
		n += frame_pixel(i % frame.size, i / frame.size) != 0x55ffffff;
	return n;
}

u32 frame_counted(void)
{
	u32 n = frame_r32(FRAME_COUNTER), unit = 1;

	if (frame.v5 && !(frame_r32(FRAME_FB + 44) & 7))
		unit = 4;
	return n % unit ? ~0U : n / unit;
}

/* Corners of a rectangle, as a strip has them. */
void frame_corners(u32 first, float x0, float y0, float x1, float y1)
{
	frame_vertex(first, x0, y0, 0.5);
	frame_vertex(first + 1, x1, y0, 0.5);
	frame_vertex(first + 2, x0, y1, 0.5);
	frame_vertex(first + 3, x1, y1, 0.5);
}

void frame_begin(void)
{
	frame.size = 96;
	frame.mem = aligned_alloc(4096, FRAME_MEM_SIZE);
	ext = (struct vs_extent){ FRAME_MEM_VA, FRAME_MEM_VA + FRAME_MEM_SIZE, frame.mem,
				  VS_EXT_WRITE | VS_EXT_EXEC };
	frame.map = (struct vs_map){ 1, &ext };
}

void frame_end(void)
{
	free(frame.mem);
}
