/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard vertex programs on the SIMT machine: a thread is a vertex.
 *
 * What is not known of the processor is chosen, and the reference model chooses the same:
 *
 * - binary32, rounded to nearest even, subnormals kept; NaN results are 0x7fc00000; least
 *   and greatest ignore NaN and have -0 < +0; comparisons with NaN are false, but NaN is a
 *   condition that holds; sign(NaN) = sign(-0) = 0.
 * - adding -neutral and multiplying by neutral are moves: NaN keeps its bits.
 * - an idle unit's result is 0, and so are results before the program and complex1's one
 *   instruction later. complex2 has the result 0.
 * - exp2, log2, rcp, rsqrt of the complex unit are complete functions: complex1 gives its
 *   first operand, preexp2 and postlog2 what they get.
 * - registers and address registers start as 0. What is read before it can be read has its
 *   old value.
 * - address registers hold integers: numbers cut towards 0, saturated, NaN 0.
 * - a vertex has 304 rows of its own, at first uniforms, zeros where there are none. Loads
 *   elsewhere give 0, stores elsewhere do nothing.
 */
#ifndef UTGARD_GP_LOWER_H
#define UTGARD_GP_LOWER_H

#include "../../engine/simt/simt.h"
#include "utgard_gp.h"

#define UGP_NO_SLOT	0xffff

#define UGP_LOWER_DEBUG	0x1	/* for a debugger: everything in its place between instructions */

/*
 * Slots of a program for a debugger, and words of rows in thread memory. Results are by unit,
 * those of the instruction before, then of the one before that.
 */
#define UGP_SLOT_REG	0				/* of 16 registers */
#define UGP_SLOT_ADDR	(UGP_SLOT_REG + 4 * UGP_NUM_REGS)	/* of 4 address registers */
#define UGP_SLOT_BACK1	(UGP_SLOT_ADDR + 4)
#define UGP_SLOT_BACK2	(UGP_SLOT_BACK1 + UGP_NUM_UNITS + 1)
#define UGP_SLOT_PORT0	(UGP_SLOT_BACK2 + UGP_NUM_UNITS)
#define UGP_SLOT_OUT	(UGP_SLOT_PORT0 + 4)		/* of 16 varyings */
#define UGP_SLOT_ATTR	(UGP_SLOT_OUT + 4 * UGP_NUM_VARYINGS)
#define UGP_SLOT_MORE	(UGP_SLOT_ATTR + 4 * UGP_NUM_ATTRIBUTES)

/* Buffer of simt_launch.ubo that loads with address registers read: all uniform rows. */
#define UGP_UBO		0

/**
 * struct ugp_program - an executable vertex program
 * @prog: micro-ops; a launch gives as uniforms the first @prog->nunif words of the rows,
 *	zeros where there are none
 * @attr: first of four slots of an attribute, filled by simt_ops.start; UGP_NO_SLOT: there are
 *	none
 * @attrmask: attributes that are read
 * @out: first of four slots of a varying, to be read by simt_ops.end; they start as 0, or
 *	as what simt_ops.start puts there; UGP_NO_SLOT: there are none
 * @outmask: components of a varying that stores name
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
 * ugp_lower() - make a vertex program executable
 * @arena: where the program and everything needed meanwhile come from
 * @words: UGP_WORDS for each instruction; the program starts with the first one and ends
 *	behind the last one
 * @ninsns: instructions
 * @flags: UGP_LOWER_DEBUG
 * @out: program
 * @rej: why it was rejected, as ugp_verify() says it
 *
 * Return: 0, -ENOEXEC (@rej), -ENOMEM (arena), -E2BIG.
 */
int ugp_lower(struct simt_arena *arena, const u32 *words, u32 ninsns, u32 flags,
	      struct ugp_program *out, struct vs_reject *rej);

/* The same in pieces, where nothing may take long. */
struct ugl;

int ugp_lower_new(struct simt_arena *arena, const u32 *words, u32 ninsns, u32 flags,
		  struct ugp_program *out, struct ugl **lowering, struct vs_reject *rej);
/* Return: -EAGAIN: no visits are left (see SIMT_PIECE); else as ugp_lower(). */
int ugp_lower_step(struct ugl *l, u32 *left, struct vs_reject *rej);

#endif /* UTGARD_GP_LOWER_H */
