/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Bifrost code to a program of the SIMT machine.
 *
 * The guest position of a micro-op is the first quad of its clause.
 */
#ifndef BIFROST_LOWER_H
#define BIFROST_LOWER_H

#include "../simt_front.h"
#include "bifrost_verify.h"

/*
 * Slots. Registers have their architectural values between clauses if they are live, and
 * with BI_LOWER_KEEP_REGS when a thread ends. Registers below r54 that are read before they are
 * written start as zeros; the launch presets the others.
 */
#define BI_SLOT_REG(n)	(n)		/* r0 .. r63 */
#define BI_SLOT_TEMP	64		/* results of the last four tuples */
#define BI_SLOT_CARRY	72		/* results of a clause's last tuple, for the next clause */
#define BI_SLOT_GO	74		/* target address of a clause's indirect branch */
#define BI_SLOT_STAGE	75		/* staging registers that need a copy */
#define BI_SLOT_SAVE	83		/* old values of registers */
#define BI_SLOT_SHOW	115		/* debuggers: the last results of FMA and ADD */
#define BI_SLOT_WORK	117		/* intermediate values of an operation */
#define BI_NUM_WORK	32
#define BI_NUM_SLOTS	157		/* EXT needs 8 slots from its first one on */

/*
 * With BI_NUM_SEG_SLOTS the program converts offsets to pointers: two preset slots each hold
 * the address of workgroup memory and of thread-local memory.
 */
#define BI_SLOT_WLS	157
#define BI_SLOT_TLS	159
#define BI_NUM_SEG_SLOTS 161

/*
 * Uniform table of a launch: special values, two words each, then the pairs of push uniforms, up
 * to the last one that the program reads.
 */
#define BI_UNIF_SPECIAL	0
#define BI_UNIF_WARP	(BI_UNIF_SPECIAL + 0)	/* warp index */
#define BI_UNIF_CORE	(BI_UNIF_SPECIAL + 2)	/* core index */
#define BI_UNIF_FBSIZE	(BI_UNIF_SPECIAL + 4)	/* framebuffer size */
#define BI_UNIF_ATEST	(BI_UNIF_SPECIAL + 6)	/* alpha test datum */
#define BI_UNIF_SAMPLES	(BI_UNIF_SPECIAL + 8)	/* address of the sample positions */
#define BI_UNIF_BLEND	(BI_UNIF_SPECIAL + 10)	/* blend descriptors 0 to 7, words 2 and 3 */
#define BI_UNIF_PUSH	(BI_UNIF_BLEND + 16)
#define BI_MAX_PUSH	256	/* words */
#define BI_NUM_UNIF	(BI_UNIF_PUSH + BI_MAX_PUSH)

/*
 * Register indices for debuggers: r0 .. r63, then pairs of push uniforms; fragments; t0, t1;
 * results of messages that become registers at the end of the clause.
 */
#define BI_DBG_REG		0
#define BI_DBG_UNIF		64
#define BI_DBG_PAIRS		(BI_MAX_PUSH / 2)
#define BI_DBG_PIXEL		(BI_DBG_UNIF + BI_DBG_PAIRS)
#define BI_DBG_DRAW		(BI_DBG_PIXEL + 1)
#define BI_DBG_TEMP		(BI_DBG_DRAW + 1)
#define BI_DBG_STAGE		(BI_DBG_TEMP + 2)
#define BI_DBG_NUM_STAGE	8
#define BI_DBG_FRAGMENT		(BI_DBG_STAGE + BI_DBG_NUM_STAGE)

/* Flags of bifrost_lower_new(). */
#define BI_LOWER_FUSED_FMA	0x1	/* FMA.f32 rounds once, as the hardware does */
#define BI_LOWER_KEEP_REGS	0x2	/* registers are live when threads end */
#define BI_LOWER_DEBUG		0x4	/* registers are live between operations, for stops */
#define BI_LOWER_CHECK		0x8	/* check only, no program */

/* Arena memory of a lowering with BI_LOWER_CHECK, in bytes. */
u64 bifrost_check_bytes(u32 nquads);

/* Lanes of a warp. */
u32 bifrost_warp(enum bi_gpu gpu);

#define BI_MAX_PARTS	9	/* a program and its blend programs */

/**
 * struct bi_code - group of programs lowered together
 * @words: code of all programs
 * @nquads: size of @words, at most BI_MAX_QUADS
 * @parts: the programs in address order: the main program starts at quad 0; its BLENDs call the
 *	others at their first quads, and they return to it
 * @nparts: number of @parts, 1 to BI_MAX_PARTS
 * @entry: quad of the main program to start at
 */
struct bi_code {
	const u32 *words;
	u32 nquads;
	const struct bi_part *parts;
	u32 nparts;
	u32 entry;
};

/**
 * bifrost_lower_new() - begin to lower the code reachable from an entry
 * @arena: memory of the program and of temporary data
 * @code: code to lower. The words must stay valid; it and its parts need not
 * @gpu: enum bi_gpu; with BI_LOWER_CHECK also BI_NUM_GPUS: any
 * @stage: only fragments come in quads and have helper threads that end
 * @flags: BI_LOWER_*
 * @out: the lowering, which simt_front_step() continues
 * @rej: reject reason; offsets count quads
 *
 * Return: 0, -ENOEXEC (@rej filled), -ENOMEM (arena).
 */
int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct simt_front **out,
		      struct vs_reject *rej);

struct bl;

/**
 * bifrost_extent_new() - begin to find the size of the program that starts at @words
 * @arena: memory for temporary data
 * @words: known code
 * @nquads: size of @words, at most BI_MAX_QUADS
 * @entry: quad to start at
 * @need: quads that the reachable code covers, as far as known; it may change until the last step.
 *	If it exceeds @nquads, search again with that many quads. Code after a clause that the
 *	lowering will reject is not counted.
 * @out: the search
 *
 * Return: 0 or -ENOMEM.
 */
int bifrost_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       u32 *need, struct bl **out);
/* Continue. Return: -EAGAIN, or 0 when *@need is complete. */
int bifrost_extent_step(struct bl *l, u32 *left);

/* Mnemonic of the operation in a BI_UNSUPPORTED record, or "?". */
const char *bifrost_reject_name(const struct vs_reject *rej);
/* Is there a rule for this mnemonic? Some of its modifiers may still be rejected. */
bool bifrost_executes(const char *name);

#endif /* BIFROST_LOWER_H */
