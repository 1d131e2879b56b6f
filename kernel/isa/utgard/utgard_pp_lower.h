/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard pixel programs on the SIMT machine: a thread is a fragment, four that follow each
 * other are a group of 2 x 2: x, y; x + 1, y; x, y + 1; x + 1, y + 1.
 *
 * What is not known of the processor is chosen:
 *
 * - what is written to a register, loaded from a texture or handed from a multiplier to an
 *   adder is rounded to binary16 (to nearest even, subnormals kept), unless UPP_LOWER_FP32;
 *   within an operation it is binary32. What goes from the varying field to the sampler is
 *   not rounded if it is not written.
 * - the lower pixels of the group have the greater y. A discarded fragment goes on as a
 *   helper.
 * - of the first step of atan, which makes three components, the product of x and y goes to
 *   the second one as x: the smaller operand over the greater one. z is the angle, in
 *   quarter turns and with the sign of the first operand, that the arc tangent of x is added
 *   to, or taken away from if z is 1 or -1. y is 1 for atan, w is 0.
 * - the frame buffer has what it had before the fragments of the launch.
 * - offsets are cut towards 0. Loads from rows that do not exist give 0, stores to them do
 *   nothing.
 */
#ifndef UTGARD_PP_LOWER_H
#define UTGARD_PP_LOWER_H

#include "../../engine/simt/simt.h"
#include "../../engine/vs_num.h"
#include "utgard_pp.h"

#define UPP_LOWER_FP32	0x1	/* registers are binary32 */
#define UPP_LOWER_DEBUG	0x2	/* a debugger may stop in front of instructions */

/* Slots: registers hold results at the end, the others are filled before. */
#define UPP_SLOT_REG	0				/* of 6 registers */
#define UPP_SLOT_VAR	(4 * UPP_NUM_REGS)		/* of 12 varyings */
#define UPP_SLOT_COORD	(UPP_SLOT_VAR + 4 * UPP_NUM_VARYINGS)	/* x, y, depth, w */
#define UPP_SLOT_POINT	(UPP_SLOT_COORD + 4)		/* coordinates in the point */
#define UPP_SLOT_FACING	(UPP_SLOT_POINT + 2)		/* 1.0 front, 0.0 back */
#define UPP_SLOT_FB_COLOR (UPP_SLOT_FACING + 2)		/* what the pixel has: r, g, b, a */
#define UPP_SLOT_FB_DEPTH (UPP_SLOT_FB_COLOR + 4)
#define UPP_SLOT_FREE	(UPP_SLOT_FB_DEPTH + 2)

/* Buffer of simt_launch.ubo that uniforms with an offset come from: halves. */
#define UPP_UBO		0

/* Most rows of temporaries. */
#define UPP_MAX_TEMPS	1024

/*
 * The only EXT micro-op, a texture fetch: operands x, y, z, level; slot d2: offset of the
 * index, s32; result in d .. d + 3. In imm:
 */
#define UPP_TEX_INDEX(imm)	((imm) & 0xfff)
#define UPP_TEX_CUBE		0x1000
#define UPP_TEX_BIAS		0x2000	/* the level is added to the one that follows */
#define UPP_TEX_LEVEL		0x4000	/* the level is given */

/**
 * struct upp_program - an executable pixel program
 * @prog: micro-ops; a launch gives as uniforms the first @prog->nunif halves, each as
 *	vs_f16_to_f32() makes it, zeros where there are none
 * @inputs: varyings used
 * @tls: bytes of thread memory, 0: none
 * @ubo: UPP_UBO is read
 * @given: position, coordinates in the point or facing are read
 * @fb_color: UPP_SLOT_FB_COLOR is read
 * @fb_depth: UPP_SLOT_FB_DEPTH is read
 */
struct upp_program {
	struct simt_prog *prog;
	u32 inputs;
	u32 tls;
	bool ubo;
	bool given;
	bool fb_color;
	bool fb_depth;
};

/**
 * upp_lower() - make a pixel program executable
 * @arena: where the program and everything needed meanwhile come from
 * @words: program
 * @nwords: words
 * @entry: word that it starts with
 * @temps: rows of temporaries that a fragment has
 * @flags: UPP_LOWER_*
 * @out: program
 * @rej: why it was rejected, as upp_verify() says it
 *
 * Return: 0, -ENOEXEC (@rej), -ENOMEM (arena), -E2BIG.
 */
int upp_lower(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
	      u32 flags, struct upp_program *out, struct vs_reject *rej);

/* The same in pieces, where nothing may take long. */
struct upl;

int upp_lower_new(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
		  u32 flags, struct upp_program *out, struct upl **lowering,
		  struct vs_reject *rej);
/* Return: -EAGAIN: no visits are left (see SIMT_PIECE); else as upp_lower(). */
int upp_lower_step(struct upl *l, u32 *left, struct vs_reject *rej);

#endif /* UTGARD_PP_LOWER_H */
