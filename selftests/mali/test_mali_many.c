// SPDX-License-Identifier: GPL-2.0
/* Frames of tens of thousands of draws, each a job of one chain: none is lost, all are in order. */
#include "../include/tap.h"
#include "frame.h"
#include "native/mali/mali_prim.h"

#define JOBS_VA		0x10000000ULL
#define JOB_SIZE	0x200
#define HEAP_VA		0x20000000ULL
#define HEAP_SIZE	(32 << 20)
#define POSITIONS_VA	0x30000000ULL
#define BUDGET		(1ULL << 32)

static struct vs_extent ext[4];

static void add_extent(u32 i, u64 va, u64 size)
{
	ext[i] = (struct vs_extent){ va, va + size, calloc(1, size), VS_EXT_WRITE };
}

/* The frame's job as number @i of @n, whose triangle has only the centre of one pixel. */
static void put_draw(u32 i, u32 n)
{
	u32 at = i % (frame.size * frame.size), k;
	float x = at % frame.size, y = at / frame.size;
	float z = 1 - (i + 1) / 70000.f;
	const float v[3][4] = { { x, y, z, 1 }, { x + 1, y, z, 1 }, { x, y + 1.125f, z, 1 } };
	u8 *job = ext[1].kva + (u64)JOB_SIZE * i;
	u64 next = i + 1 < n ? JOBS_VA + (u64)JOB_SIZE * (i + 1) : 0;
	u64 positions = POSITIONS_VA + sizeof(v) * i;

	memcpy(job, frame.mem + FRAME_TILER_JOB, JOB_SIZE);
	k = (i + 1) << 16 | MALI_JOB_TILER << 1 | 1;
	memcpy(job + 16, &k, 4);
	/* each waits for the one before it */
	memcpy(job + 20, &i, 4);
	memcpy(job + 24, &next, 8);
	memcpy(job + frame_draw_at() + 4 * MALI_DRAW_POSITION, &positions, 8);
	memcpy(ext[3].kva + sizeof(v) * i, v, sizeof(v));
}

static void put_heap(void)
{
	u32 at = frame.v5 ? FRAME_FB + 56 + 24 : FRAME_HEAP_DESC + 16;

	frame_w64(at, HEAP_VA);
	frame_w64(at + 8, HEAP_VA + HEAP_SIZE);
	if (frame.v5)
		return;
	frame_w32(FRAME_HEAP_DESC + 4, HEAP_SIZE);
	frame_w64(FRAME_HEAP_DESC + 8, HEAP_VA);
}

static bool run(u64 va)
{
	u32 format = frame.v5 ? VS_NATIVE_MIDGARD_CHAIN : VS_NATIVE_BIFROST_CHAIN;
	u32 gpu = frame.v5 ? MALI_T860 : MALI_G52;
	char text[300];

	if (run_native(&frame.map, format, va, gpu, 0, vs_simd_best(), BUDGET, &frame.fault))
		return false;
	if (!frame.fault.kind)
		return true;
	snprintf(text, sizeof(text), "draw %u: fault %u, code %u", frame.fault.draw,
		 frame.fault.kind, frame.fault.code);
	tap_comment("%s", text);
	return false;
}

static void test_draws(u32 n)
{
	u32 i, drawn, pixels = frame.size * frame.size;

	frame_new(1);
	add_extent(1, JOBS_VA, (u64)JOB_SIZE * n);
	add_extent(2, HEAP_VA, HEAP_SIZE);
	add_extent(3, POSITIONS_VA, 48ULL * n);
	put_heap();
	for (i = 0; i < n; i++)
		put_draw(i, n);
	/* a draw behind an earlier one of its pixel would not be counted */
	tap_result(run(JOBS_VA) && run(FRAME_MEM_VA + FRAME_FRAGMENT_JOB) && frame_counted() == n,
		   "%s: %u draws, %u counted", frame_arch_name(), n, frame_counted());
	drawn = frame_count_drawn();
	tap_result(drawn == (n < pixels ? n : pixels), "%s: %u pixels drawn", frame_arch_name(),
		   drawn);
	for (i = 1; i < 4; i++)
		free(ext[i].kva);
}

int main(void)
{
	u32 v5;

	frame_begin();
	ext[0] = frame.map.ext[0];
	frame.map = (struct vs_map){ ARRAY_SIZE(ext), ext };
	for (v5 = 0; v5 < 2; v5++) {
		frame.v5 = v5;
		test_draws(100);
		test_draws(20000);
		test_draws(MALI_MAX_JOBS);
	}
	frame_end();
	return tap_done();
}
