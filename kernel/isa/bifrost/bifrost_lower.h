/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * From Bifrost code to a program of the SIMT machine.
 *
 * The guest position of a micro-op is the quad that its clause starts at.
 */
#ifndef BIFROST_LOWER_H
#define BIFROST_LOWER_H

#include "../../engine/simt/simt.h"
#include "bifrost_verify.h"

/*
 * Slots. Registers have their architectural values between clauses if they will be read, and
 * with BI_LOWER_KEEP_REGS when a thread ends. Those below r54 that are read before they are
 * written start as zeros; the others are for the launch to fill, or never read.
 */
#define BI_SLOT_REG(n)	(n)		/* r0 .. r63 */
#define BI_SLOT_TEMP	64		/* results of tuples, of the last four */
#define BI_SLOT_CARRY	72		/* results of a clause's last tuple, for the next clause */
#define BI_SLOT_GO	74		/* address that a clause goes to when it is over */
#define BI_SLOT_STAGE	75		/* staging registers that cannot be where they are */
#define BI_SLOT_SAVE	83		/* old values of registers */
#define BI_SLOT_WORK	115		/* intermediate values of an operation */
#define BI_NUM_SLOTS	155		/* EXT wants 8 slots from its first one on */

/*
 * With BI_NUM_SEG_SLOTS the program makes pointers of offsets: two slots each hold the address
 * of the workgroup's memory and of the thread's, to be preloaded.
 */
#define BI_SLOT_WLS	155
#define BI_SLOT_TLS	157
#define BI_NUM_SEG_SLOTS 159

/*
 * Words of the uniform table that a launch provides: 2 n and 2 n + 1 are the pair n of
 * push uniforms; then, if simt_prog.nunif is BI_NUM_UNIF, special values, two words each.
 */
#define BI_UNIF_PUSH	0
#define BI_UNIF_SPECIAL	256
#define BI_UNIF_WARP	(BI_UNIF_SPECIAL + 0)	/* number of the warp */
#define BI_UNIF_CORE	(BI_UNIF_SPECIAL + 2)	/* of the core */
#define BI_UNIF_FBSIZE	(BI_UNIF_SPECIAL + 4)	/* framebuffer size */
#define BI_UNIF_ATEST	(BI_UNIF_SPECIAL + 6)	/* alpha test datum */
#define BI_UNIF_SAMPLES	(BI_UNIF_SPECIAL + 8)	/* address of the sample positions */
#define BI_UNIF_BLEND	(BI_UNIF_SPECIAL + 10)	/* blend descriptors 0 to 7, words 2 and 3 */
#define BI_NUM_UNIF	(BI_UNIF_BLEND + 16)

/* Numbers of registers for debuggers: r0 .. r63, then pairs of push uniforms. */
#define BI_DBG_REG		0
#define BI_DBG_UNIF		64
#define BI_DBG_PAIRS		(BI_UNIF_SPECIAL / 2)

/* Flags of bifrost_lower(). */
#define BI_LOWER_FUSED_FMA	0x1	/* FMA.f32 rounds once, as the hardware does */
#define BI_LOWER_KEEP_REGS	0x2	/* registers matter when threads end */
#define BI_LOWER_DEBUG		0x4	/* they matter between clauses, too, where it stops */
#define BI_LOWER_CHECK		0x8	/* only find out whether it would be rejected */

/* Memory that bifrost_lower() takes from the arena without @out. */
u64 bifrost_check_bytes(u32 nquads);

/* Lanes of a warp. */
u32 bifrost_warp(enum bi_gpu gpu);

/**
 * bifrost_lower() - make a program of what can be reached from an entry
 * @arena: where the program comes from, and memory that is needed meanwhile
 * @words: code
 * @nquads: size, at most BI_MAX_QUADS
 * @va: guest address of @words
 * @entry: quad to start at
 * @gpu: GPU; without @out also BI_NUM_GPUS: any
 * @stage: only fragments have helper threads that end, and come in quads
 * @flags: BI_LOWER_*
 * @out: program; NULL: only find out whether it would be rejected
 * @rej: why it is rejected; offsets count quads
 *
 * Return: 0, -ENOEXEC (@rej filled), -ENOMEM (arena), -E2BIG.
 */
int bifrost_lower(struct simt_arena *arena, const u32 *words, u32 nquads, u64 va, u32 entry,
		  enum bi_gpu gpu, enum vs_stage stage, u32 flags, struct simt_prog **out,
		  struct vs_reject *rej);

#define BI_MAX_PARTS	9	/* a program and those that blend for it */

/**
 * struct bi_code - code of several programs
 * @words: all of them
 * @nquads: size of @words, at most BI_MAX_QUADS
 * @parts: the programs, in their order: the first one begins at quad 0; it can call the others,
 *	at their first quads, by BLEND, and they return to it
 * @nparts: how many, 1 to BI_MAX_PARTS
 * @entry: quad of the first program to start at
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
 * bifrost_extent() - how much of the code behind @words belongs to a program
 * @arena: memory while it runs
 * @words: code as far as it is known
 * @nquads: size, at most BI_MAX_QUADS
 * @entry: quad to start at
 * @need: quads that all code that can be reached needs, as far as that is known. If it is
 *	more than @nquads: ask again with so many. Code that bifrost_lower() will reject
 *	needs nothing behind the place where it does.
 *
 * Return: 0 or -ENOMEM.
 */
int bifrost_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry, u32 *need);

/*
 * bifrost_lower_parts() and bifrost_extent() in pieces, for any stage, where nothing may take
 * long. What @code names must stay, @code itself and its parts need not. *@need may change until
 * the last piece.
 */
struct bl;

int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct bl **out, struct vs_reject *rej);
/* Return: -EAGAIN: no visits are left (see SIMT_PIECE); else as bifrost_lower(). */
int bifrost_lower_step(struct bl *l, u32 *left, struct simt_prog **out, struct vs_reject *rej);
int bifrost_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       u32 *need, struct bl **out);
/* Return: -EAGAIN, or 0: *@need is complete. */
int bifrost_extent_step(struct bl *l, u32 *left);

/* Of the operation of a BI_UNSUPPORTED record: mnemonic, or "?". */
const char *bifrost_reject_name(const struct vs_reject *rej);
/* Is there a rule for this mnemonic? Some of its modifiers may be rejected. */
bool bifrost_executes(const char *name);

#endif /* BIFROST_LOWER_H */
