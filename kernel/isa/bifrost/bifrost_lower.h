/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Bifrost code to a program of the SIMT machine.
 *
 * The guest position of a micro-op is the first quad of its clause.
 */
#ifndef BIFROST_LOWER_H
#define BIFROST_LOWER_H

#include "../../engine/simt/simt.h"
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
#define BI_SLOT_WORK	115		/* intermediate values of an operation */
#define BI_NUM_SLOTS	155		/* EXT needs 8 slots from its first one on */

/*
 * With BI_NUM_SEG_SLOTS the program converts offsets to pointers: two preset slots each hold
 * the address of workgroup memory and of thread-local memory.
 */
#define BI_SLOT_WLS	155
#define BI_SLOT_TLS	157
#define BI_NUM_SEG_SLOTS 159

/*
 * Uniform table of a launch: words 2 n and 2 n + 1 are pair n of the push uniforms; if
 * simt_prog.nunif is BI_NUM_UNIF, special values follow, two words each.
 */
#define BI_UNIF_PUSH	0
#define BI_UNIF_SPECIAL	256
#define BI_UNIF_WARP	(BI_UNIF_SPECIAL + 0)	/* warp index */
#define BI_UNIF_CORE	(BI_UNIF_SPECIAL + 2)	/* core index */
#define BI_UNIF_FBSIZE	(BI_UNIF_SPECIAL + 4)	/* framebuffer size */
#define BI_UNIF_ATEST	(BI_UNIF_SPECIAL + 6)	/* alpha test datum */
#define BI_UNIF_SAMPLES	(BI_UNIF_SPECIAL + 8)	/* address of the sample positions */
#define BI_UNIF_BLEND	(BI_UNIF_SPECIAL + 10)	/* blend descriptors 0 to 7, words 2 and 3 */
#define BI_NUM_UNIF	(BI_UNIF_BLEND + 16)

/* Register indices for debuggers: r0 .. r63, then pairs of push uniforms; fragments. */
#define BI_DBG_REG		0
#define BI_DBG_UNIF		64
#define BI_DBG_PAIRS		(BI_UNIF_SPECIAL / 2)
#define BI_DBG_PIXEL		(BI_DBG_UNIF + BI_DBG_PAIRS)
#define BI_DBG_DRAW		(BI_DBG_PIXEL + 1)

/* Flags of bifrost_lower(). */
#define BI_LOWER_FUSED_FMA	0x1	/* FMA.f32 rounds once, as the hardware does */
#define BI_LOWER_KEEP_REGS	0x2	/* registers are live when threads end */
#define BI_LOWER_DEBUG		0x4	/* registers are live between clauses, for stops */
#define BI_LOWER_CHECK		0x8	/* check only, no program */

/* Arena memory that bifrost_lower() uses without @out, in bytes. */
u64 bifrost_check_bytes(u32 nquads);

/* Lanes of a warp. */
u32 bifrost_warp(enum bi_gpu gpu);

/**
 * bifrost_lower() - lower the code reachable from an entry
 * @arena: memory of the program and of temporary data
 * @words: code
 * @nquads: size, at most BI_MAX_QUADS
 * @va: guest address of @words
 * @entry: quad to start at
 * @gpu: enum bi_gpu; without @out also BI_NUM_GPUS: any
 * @stage: only fragments come in quads and have helper threads that end
 * @flags: BI_LOWER_*
 * @out: program; NULL: only check whether the code is accepted
 * @rej: reject reason; offsets count quads
 *
 * Return: 0, -ENOEXEC (@rej filled), -ENOMEM (arena), -E2BIG.
 */
int bifrost_lower(struct simt_arena *arena, const u32 *words, u32 nquads, u64 va, u32 entry,
		  enum bi_gpu gpu, enum vs_stage stage, u32 flags, struct simt_prog **out,
		  struct vs_reject *rej);

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

/* bifrost_lower() for a fragment program with blend programs; @out is not NULL. */
int bifrost_lower_parts(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
			u32 flags, struct simt_prog **out, struct vs_reject *rej);

/**
 * bifrost_extent() - size of the program that starts at @words
 * @arena: memory for temporary data
 * @words: known code
 * @nquads: size of @words, at most BI_MAX_QUADS
 * @entry: quad to start at
 * @need: quads that the reachable code covers, as far as known. If it exceeds @nquads, call
 *	again with that many quads. Code after a clause that bifrost_lower() will reject is
 *	not counted.
 *
 * Return: 0 or -ENOMEM.
 */
int bifrost_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry, u32 *need);

/*
 * Incremental forms of bifrost_lower_parts() and bifrost_extent(), for any stage, in contexts
 * with bounded latency. The arrays that @code points to must stay valid; @code and its parts
 * need not. *@need may change until the last step.
 */
struct bl;

int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct bl **out, struct vs_reject *rej);
/* Return: -EAGAIN if the visits are used up (see SIMT_PIECE), else as bifrost_lower(). */
int bifrost_lower_step(struct bl *l, u32 *left, struct simt_prog **out, struct vs_reject *rej);
int bifrost_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       u32 *need, struct bl **out);
/* Return: -EAGAIN, or 0 when *@need is complete. */
int bifrost_extent_step(struct bl *l, u32 *left);

/* Mnemonic of the operation in a BI_UNSUPPORTED record, or "?". */
const char *bifrost_reject_name(const struct vs_reject *rej);
/* Is there a rule for this mnemonic? Some of its modifiers may still be rejected. */
bool bifrost_executes(const char *name);

#endif /* BIFROST_LOWER_H */
