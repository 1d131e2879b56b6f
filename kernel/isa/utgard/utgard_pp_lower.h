/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Utgard pixel programs to the SIMT machine: a thread is a fragment, four
 * consecutive threads are a quad: x, y; x + 1, y; x, y + 1; x + 1, y + 1.
 *
 * Choices for undocumented behaviour:
 *
 * - values written to a register, loaded from a texture or passed from a multiplier to an
 *   adder are rounded to binary16 (to nearest even, subnormals kept), unless UPP_LOWER_FP32;
 *   within an operation they are binary32. The value passed from the varying field to the
 *   sampler is not rounded unless it is also written.
 * - the lower pixels of the quad have the greater y, unless UPP_LOWER_Y_UP. A discarded fragment
 *   continues as a helper.
 * - the first step of atan yields three components; the product of x and y is passed to the
 *   second step as x: the smaller operand over the greater one. z is the angle, in quarter
 *   turns and with the sign of the first operand, that the arc tangent of x is added to, or
 *   subtracted from if z is 1 or -1. y is 1 for atan, w is 0.
 * - the frame buffer reads as before the fragments of the launch.
 * - offsets are truncated towards 0. Out-of-range rows load 0, stores to them are ignored.
 */
#ifndef UTGARD_PP_LOWER_H
#define UTGARD_PP_LOWER_H

#include "../../engine/vs_num.h"
#include "../simt_front.h"
#include "utgard_pp.h"

#define UPP_LOWER_FP32	0x1	/* registers are binary32 */
#define UPP_LOWER_DEBUG	0x2	/* a debugger may stop before instructions */
#define UPP_LOWER_Y_UP	0x4	/* the upper pixels of a quad have the greater y */
/* Only the first @n registers are read at the end; 0: all. */
#define UPP_LOWER_REGS(n)	((n) << 8)
#define UPP_LOWER_NREGS(flags)	((flags) >> 8 & 7)

/* Slots: registers hold results at the end, the others are preset. */
#define UPP_SLOT_REG	0				/* of 6 registers */
#define UPP_SLOT_VAR	(4 * UPP_NUM_REGS)		/* of 12 varyings */
#define UPP_SLOT_COORD	(UPP_SLOT_VAR + 4 * UPP_NUM_VARYINGS)	/* x, y, depth, w */
#define UPP_SLOT_POINT	(UPP_SLOT_COORD + 4)		/* coordinates within the point */
#define UPP_SLOT_FACING	(UPP_SLOT_POINT + 2)		/* 1.0 front, 0.0 back */
#define UPP_SLOT_FB_COLOR (UPP_SLOT_FACING + 2)		/* current pixel: r, g, b, a */
#define UPP_SLOT_FB_DEPTH (UPP_SLOT_FB_COLOR + 4)
#define UPP_SLOT_FREE	(UPP_SLOT_FB_DEPTH + 2)
/* Debuggers: values that the fields of an instruction pass on. */
#define UPP_SLOT_SHOW	UPP_SLOT_FREE
#define UPP_SLOT_SHOW_TEX UPP_SLOT_SHOW
#define UPP_SLOT_SHOW_UNI (UPP_SLOT_SHOW + 4)
#define UPP_SLOT_SHOW_VMUL (UPP_SLOT_SHOW + 8)
#define UPP_SLOT_SHOW_SMUL (UPP_SLOT_SHOW + 12)
#define UPP_NUM_SHOW	14			/* even */

/* Buffer of simt_launch.ubo for uniforms with an offset: halves. */
#define UPP_UBO		0

/* Maximum rows of temporaries. */
#define UPP_MAX_TEMPS	1024

/*
 * The only EXT micro-op, a texture fetch: operands x, y, z, level; slot d2: offset of the
 * index, s32; result in d .. d + 3. Immediate:
 */
#define UPP_TEX_INDEX(imm)	((imm) & 0xfff)
#define UPP_TEX_CUBE		0x1000
#define UPP_TEX_BIAS		0x2000	/* the level operand is added to the computed level */
#define UPP_TEX_LEVEL		0x4000	/* the level operand is the level */

/**
 * struct upp_program - executable pixel program
 * @prog: micro-ops; the launch provides the first @prog->nunif halves as uniforms, each
 *	converted by vs_f16_to_f32(), zeros for missing rows
 * @inputs: varyings used
 * @tls: bytes of thread memory, 0: none
 * @ubo: UPP_UBO is read
 * @given: position, coordinates within the point or facing are read
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
 * upp_lower_new() - begin to lower a pixel program
 * @arena: memory of the program and of temporary data
 * @words: program, valid until the end
 * @nwords: number of words
 * @entry: word to start at
 * @temps: rows of temporaries per fragment
 * @flags: UPP_LOWER_*
 * @out: program; valid until the end
 * @lowering: the lowering, which simt_front_step() continues with &out->prog
 * @rej: reject reason, as set by upp_verify()
 *
 * Return: 0, -ENOEXEC (@rej), -ENOMEM (arena), -E2BIG.
 */
int upp_lower_new(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
		  u32 flags, struct upp_program *out, struct simt_front **lowering,
		  struct vs_reject *rej);

#endif /* UTGARD_PP_LOWER_H */
