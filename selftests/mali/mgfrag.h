/* SPDX-License-Identifier: GPL-2.0 */
/* Test fragment programs of Midgard, run on an image of 8 x 8 pixels. */
#ifndef SELFTESTS_MALI_MGFRAG_H
#define SELFTESTS_MALI_MGFRAG_H

#include "../midgard/mcode.h"
#include "ext.h"

/* In the memory of the fixture. */
#define MGF_CODE	0x0
#define MGF_BLEND_A	0x1000
#define MGF_BLEND_B	0x1800
#define MGF_TARGET_A	0x4000
#define MGF_TARGET_B	0x6000
#define MGF_DEPTH	0x8000
#define MGF_STENCIL	0xa000
#define MGF_VARYING	0xb000
#define MGF_SIZE	8
#define MGF_SAMPLE	256	/* from sample to sample, of targets and depth; of stencil 64 */

#define MGF_ORDER	0x688u	/* components as they are */
#define MGF_RGBA8	(187u << 12 | MGF_ORDER)
#define MGF_RGBA32F	(191u << 12 | MGF_ORDER)
#define MGF_R32F	(167u << 12 | MGF_ORDER)
#define MGF_R32UI	(133u << 12 | MGF_ORDER)
#define MGF_R8UI	(131u << 12 | MGF_ORDER)

#define MGF_REPLACE	0xf0122122u	/* equation: source, all components */
#define MGF_BACK	1		/* mgf_write(): r1.w = address of the next bundle */
#define MGF_ENABLE	0x200u
#define MGF_PROGRAM	0x202u

/**
 * struct mgf - work of a fragment program
 * @main:	program at MGF_CODE
 * @push:	uniforms: vector 0 is r23
 * @work:	remaining state; @work.frag belongs to the fixture
 */
struct mgf {
	struct mcode main;
	u32 push[16];
	struct mali_work work;
};

/* Empty program; targets of @samples, blending replaces; depth 1, stencil 0. */
void mgf_new(struct mgf *f, u32 format, u32 samples);
/* A vector: all words of @from to @to. */
void mgf_move(struct mcode *c, u32 from, u32 to);
/* One word of a register from one of another's. */
void mgf_word(struct mcode *c, u32 from, u32 i, u32 to, u32 k);
/* Write r0, with @to in r1.z. */
void mgf_write(struct mcode *c, u32 to, u32 flags);
/* LD_TILEBUFFER @op of @target's sample to a register. */
void mgf_load_tile(struct mcode *c, u32 op, u32 target, u32 sample, u32 reg);
/* LD_SPECIAL.u32 @number to a register. */
void mgf_special(struct mcode *c, u32 number, u32 reg);
/* A program to memory, with its end marked. Return: its address and tag. */
u64 mgf_put(struct mcode *c, u32 at);
/* Blend descriptor of a target. */
void mgf_blend(u32 target, u32 flags, u64 shader);
/* Execute. Return: true: done; else fx.fault. */
bool mgf_run(struct mgf *f, enum vs_simd simd);
/* Word of a pixel. */
u32 mgf_pixel(u32 at, u32 x, u32 y, u32 sample);

#endif
