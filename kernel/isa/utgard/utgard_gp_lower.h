/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Utgard vertex programs to the SIMT machine: a thread is a vertex.
 *
 * Choices for undocumented behaviour, shared with the reference model:
 *
 * - binary32, rounded to nearest even, subnormals kept; NaN results are 0x7fc00000; minimum
 *   and maximum ignore NaN and have -0 < +0; comparisons with NaN are false, but NaN is a
 *   true condition; sign(NaN) = sign(-0) = 0.
 * - adding -neutral and multiplying by neutral are moves: NaN keeps its bits.
 * - the result of an idle unit is 0, as are results before the program and complex1's one
 *   instruction later. complex2 has the result 0.
 * - exp2, log2, rcp, rsqrt of the complex unit are complete functions: complex1 returns its
 *   first operand, preexp2 and postlog2 their operand.
 * - registers and address registers start as 0. Reads before the end of a write's latency
 *   return the old value.
 * - address registers hold integers: truncated towards 0, saturated, NaN 0.
 * - a vertex has 304 private rows, initially uniforms, then zeros. Out-of-range loads return
 *   0, out-of-range stores are ignored.
 */
#ifndef UTGARD_GP_LOWER_H
#define UTGARD_GP_LOWER_H

#include "../simt_front.h"
#include "utgard_gp.h"

#define UGP_NO_SLOT	0xffff

#define UGP_LOWER_DEBUG	0x1	/* keep all architectural state in its slots between instructions */

/*
 * Slots of a program for a debugger, and words of rows in thread memory. Results are by unit,
 * first those of the previous instruction, then those of the one before.
 */
#define UGP_SLOT_REG	0				/* of 16 registers */
#define UGP_SLOT_ADDR	(UGP_SLOT_REG + 4 * UGP_NUM_REGS)	/* of 4 address registers */
#define UGP_SLOT_BACK1	(UGP_SLOT_ADDR + 4)
#define UGP_SLOT_BACK2	(UGP_SLOT_BACK1 + UGP_NUM_UNITS + 1)
#define UGP_SLOT_PORT0	(UGP_SLOT_BACK2 + UGP_NUM_UNITS)
#define UGP_SLOT_OUT	(UGP_SLOT_PORT0 + 4)		/* of 16 varyings */
#define UGP_SLOT_ATTR	(UGP_SLOT_OUT + 4 * UGP_NUM_VARYINGS)

/* Buffer of simt_launch.ubo for loads with address registers: all uniform rows. */
#define UGP_UBO		0

/**
 * struct ugp_program - executable vertex program
 * @prog: micro-ops; the launch provides the first @prog->nunif words of the rows as uniforms,
 *	zeros for missing rows
 * @attr: first of four slots of an attribute, filled by simt_ops.start; UGP_NO_SLOT: none
 * @attrmask: mask of attributes read
 * @out: first of four slots of a varying, to be read by simt_ops.end; they start as 0, or as
 *	set by simt_ops.start; UGP_NO_SLOT: none
 * @outmask: mask of components stored to a varying
 * @tls: bytes of thread memory, 0: none
 * @ubo: UGP_UBO is read
 */
struct ugp_program {
	struct simt_prog *prog;
	u16 attr[UGP_NUM_ATTRIBUTES];
	u16 attrmask;
	u16 out[UGP_NUM_VARYINGS];
	u8 outmask[UGP_NUM_VARYINGS];
	u32 tls;
	bool ubo;
};

/**
 * ugp_lower_new() - begin to lower a vertex program
 * @arena: memory of the program and of temporary data
 * @words: UGP_WORDS for each instruction, valid until the end; execution starts with the first
 *	instruction and ends after the last one
 * @ninsns: number of instructions
 * @flags: UGP_LOWER_DEBUG
 * @out: program; valid until the end
 * @lowering: the lowering, which simt_front_step() continues with &out->prog
 * @rej: reject reason, as set by ugp_verify()
 *
 * Return: 0, -ENOEXEC (@rej), -ENOMEM (arena).
 */
int ugp_lower_new(struct simt_arena *arena, const u32 *words, u32 ninsns, u32 flags,
		  struct ugp_program *out, struct simt_front **lowering, struct vs_reject *rej);

#endif /* UTGARD_GP_LOWER_H */
