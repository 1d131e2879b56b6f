// SPDX-License-Identifier: GPL-2.0
/*
 * Blend programs of Bifrost: called by BLEND, they read and write the target and return to the
 * fragment program, or end it.
 */
#include <math.h>

#include "../include/mali_blend.h"
#include "ext.h"

#define PUSH_COLOUR	{ f32(1), f32(0.5), f32(0.25), f32(0.75) }
#define CODE		0x0		/* in the memory */
#define PROGRAM_A	0x1000
#define PROGRAM_B	0x2000
#define TARGET_A	0x4000
#define TARGET_B	0x5000
#define SIZE		8

#define OPAQUE_RGBA8	{ 1 | 1 << 16, RGBA8_TB | MALI_REG_F32 << 24 }

/* BLEND r8, r60, 0, 0x00200000, @r0: calls a program; JUMP r48 */
static const u32 nested[] = {
	0xc208400e, 0x80cb186b, 0xc002a583, 0x02400008,
	0x00000070, 0x02000000, 0x00000000, 0x00000000,
	0x0000004b, 0x80cb1843, 0x8003f8d3, 0x00000008,
};

static u32 push[4];

static void put(u32 at, const u32 *words, size_t size)
{
	memcpy(fx.mem + at, words, size);
}

/* Whole pixels of both targets; a program blends for the first one. */
static void setup(u32 back)
{
	const u32 colour[4] = PUSH_COLOUR;
	u32 i;

	frag_new(RGBA8);
	fx.ext.flags |= VS_EXT_EXEC;
	put(CODE, blend_targets, sizeof(blend_targets));
	put(PROGRAM_A, blend_minus, sizeof(blend_minus));
	memcpy(push, colour, sizeof(push));
	for (i = 0; i < 2 * 4 * SIZE * SIZE; i += 4)
		memcpy(fx.mem + TARGET_A + i, "\x10\x20\x30\x40", 4);
	frag.ntargets = 2;
	frag.target[0] = (struct mali_target){ MEM_VA + TARGET_A, 4 * SIZE, PX_LINEAR, RGBA8 };
	frag.target[1] = (struct mali_target){ MEM_VA + TARGET_B, 4 * SIZE, PX_LINEAR, RGBA8 };
	frag.blend[0] = (struct mali_blend){ 0x200, 0, { back, MEM_VA + PROGRAM_A } };
	frag.blend[1] = (struct mali_blend){ 0x200, 0, OPAQUE_RGBA8 };
}

static bool go_on(enum vs_simd simd)
{
	struct bench b = { .run = fx.run, .simd = simd };
	struct mali_work w = {
		.gpu = MALI_G52, .arch = MALI_V7, .stage = MALI_STAGE_FRAGMENT,
		.code_va = MEM_VA + CODE, .instance_size = 1, .preload = 0x3e00,
		.push = push, .npush = 4, .frag = &frag,
	};

	memset(&fx.fault, 0, sizeof(fx.fault));
	return bench_work(&b, &w, &fx.fault);
}

static bool go(void)
{
	return go_on(vs_simd_best());
}

static u32 word(u32 at, u32 x, u32 y)
{
	u32 v;

	memcpy(&v, fx.mem + at + 4 * (y * SIZE + x), 4);
	return v;
}

/* Of all pixels in a target. */
static bool all_are(u32 at, u32 v)
{
	u32 i;

	for (i = 0; i < SIZE * SIZE; i++)
		if (word(at, i % SIZE, i / SIZE) != v)
			return false;
	return true;
}

#define BEFORE		0x40302010U
#define MINUS		0x401060efU	/* 1 - 16/255, 1/2 - 32/255, 1/4 - 48/255, as it was */
#define TWICE		0x40301f10U	/* applied twice */
#define SECOND		0xff1060bfU	/* 3/4; the blend program's output; 1 */

static void test_call(void)
{
	u32 simd;

	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		setup((u32)MEM_VA + BLEND_TARGETS_BACK);
		tap_result(go_on(simd) && all_are(TARGET_A, MINUS) && all_are(TARGET_B, SECOND),
			   "%s: a program blends, and returns", vs_simd_name(simd));
	}
	/* address 0 ends threads */
	setup(0);
	CHECK(go() && all_are(TARGET_A, MINUS) && word(TARGET_B, 1, 1) == 0);
	/* without a caller there */
	setup((u32)MEM_VA + 0x50);
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH);
}

/* Threads that a triangle does not cover run along and write nothing. */
static void test_coverage(void)
{
	u32 x, y, bad = 0;

	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	corner(0, 0, 0, 0, 1);
	corner(1, 7, 0, 0, 1);
	corner(2, 0, 7, 0, 1);
	if (!go())
		bad = 1;
	for (y = 0; y < SIZE; y++) {
		for (x = 0; x < SIZE; x++) {
			bool in = x + y < 6;

			bad += word(TARGET_A, x, y) != (in ? MINUS : BEFORE) ||
			       word(TARGET_B, x, y) != (in ? SECOND : 0);
		}
	}
	tap_result(!bad, "blend programs write covered pixels only: %u wrong", bad);
}

static void test_many(void)
{
	/* the same for both targets: it always blends into the first one */
	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	frag.blend[1] = frag.blend[0];
	frag.blend[1].internal[0] = 0;
	CHECK(go() && all_are(TARGET_A, 0x40000000));
	/* another one, which is not in memory */
	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	frag.blend[1] = frag.blend[0];
	frag.blend[1].internal[1] = MEM_VA + MEM_SIZE + 0x1000;
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH &&
	      fx.fault.address == MEM_VA + MEM_SIZE + 0x1000);
	/* one that the program does not call need not be there */
	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	frag.ntargets = 3;
	frag.blend[2] = frag.blend[0];
	frag.blend[2].internal[1] = MEM_VA + MEM_SIZE + 0x1000;
	CHECK(go() && all_are(TARGET_A, MINUS) && all_are(TARGET_B, SECOND));
	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	frag.blend[1] = frag.blend[0];
	/* an undefined instruction: the fault address lies in its program */
	frag.blend[1].internal[1] = MEM_VA + PROGRAM_B;
	put(PROGRAM_B, blend_minus, sizeof(blend_minus));
	memset(fx.mem + PROGRAM_B + 0x20, 0xff, 16);
	CHECK(!go() && fx.fault.kind == VS_FAULT_ENCODING && fx.fault.pc == 2 &&
	      fx.fault.address == MEM_VA + PROGRAM_B + 0x20);
	/* blend programs do not call any */
	put(PROGRAM_B, nested, sizeof(nested));
	CHECK(!go() && refused(MALI_RUN_BAD_BLEND));
	/* not executable */
	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	fx.ext.flags &= ~VS_EXT_EXEC;
	CHECK(!go() && fx.fault.kind == VS_FAULT_FETCH && fx.fault.address == MEM_VA);
}

/* Lowered programs are cached; memory changes must invalidate them. */
static void test_changes(void)
{
	u32 jump[4];

	setup((u32)MEM_VA + BLEND_TARGETS_BACK);
	CHECK(go() && go() && all_are(TARGET_A, TWICE));
	/* only the JUMP is left of it */
	memcpy(jump, blend_minus + 28, sizeof(jump));
	put(PROGRAM_A, jump, sizeof(jump));
	CHECK(go() && all_are(TARGET_A, TWICE) && all_are(TARGET_B, 0xff4080bf));
	/* no blend program */
	frag.blend[0] = frag.blend[1];
	frag.blend[0].internal[0] = 1;
	CHECK(go() && all_are(TARGET_A, 0xbf4080ff));
}

int main(void)
{
	tap_start();
	test_call();
	test_coverage();
	test_many();
	test_changes();
	fx_free();
	return tap_done();
}
