/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * From Midgard code to a program of the SIMT machine.
 *
 * The guest position of a micro-op is the quad that its bundle starts at.
 */
#ifndef MIDGARD_LOWER_H
#define MIDGARD_LOWER_H

#include "../../engine/simt/simt.h"
#include "midgard.h"

/*
 * Slots: four words of each register. All of them start as zeros, work registers as far as the
 * program uses them. Registers from r24 on are others when they are read than when they are
 * written.
 */
#define MG_SLOT_TMP	0		/* r24, r25 within a bundle */
#define MG_SLOT_AL	8		/* r26, r27 as the load/store unit sees them */
#define MG_SLOT_AT	16		/* r28, r29 as the texture unit sees them */
#define MG_SLOT_TA	24		/* its results */
#define MG_SLOT_COND	32		/* r31 as conditions */
#define MG_SLOT_REG(n)	(36 + 4 * (n))	/* r0 .. r15 */
#define MG_SLOT_LOCAL	100		/* local id, preloaded */
#define MG_SLOT_GROUP	103		/* workgroup, preloaded */
#define MG_SLOT_GLOBAL	106		/* global id; y: vertex, z: instance */
#define MG_SLOT_PEND	109		/* results that wait for the end of their stage */
#define MG_SLOT_WORK	124		/* intermediate values */
#define MG_NUM_WORK	96
#define MG_SLOT_LINK	234		/* number of the call whose function it is in; 0: none */
#define MG_SLOT_BACK	235		/* blend programs: they return */
#define MG_NUM_SLOTS	236		/* EXT wants some behind its last one */

/*
 * With MG_NUM_SEG_SLOTS the program uses the addresses of the thread's and the workgroup's
 * memory: two slots each, preloaded.
 */
#define MG_SLOT_TLS	236
#define MG_SLOT_WLS	238
#define MG_NUM_SEG_SLOTS 240

/* Words of the uniform table that a launch provides: push uniforms, four for each vector. */
#define MG_MAX_UNIFORMS	16
#define MG_NUM_UNIF	(4 * MG_MAX_UNIFORMS)

/* Numbers of registers for debuggers: r0 .. r15, then push uniforms: u0 is r23, u1 is r22. */
#define MG_DBG_REG	0
#define MG_DBG_UNIF	16

/* Modes of floating-point operations. */
enum mg_fp_mode {
	MG_FP_GL,	/* infinities and NaN are results like others */
	MG_FP_GL_NO_INF_NAN, /* results are finite: the largest number, 0 */
	MG_FP_CL,	/* as MG_FP_GL */
	MG_FP_D3D11,	/* subnormal binary32 operands and results are zeros of their sign */
	MG_NUM_FP_MODES
};

/* Reject reasons besides enum mg_reason. */
enum mg_lower_reason {
	MG_UNSUPPORTED = MG_NUM_REASONS,	/* known, not executed */
	MG_BAD_FP_MODE,
	MG_BAD_WORK_REGS,
	MG_LAST_REASON
};

/* Text of both kinds of reasons. */
const char *mg_lower_reason_text(u32 reason);

/* Lanes of a warp. */
#define MG_WARP		4

#define MG_MAX_PARTS	9	/* a program and those that blend for it */

/**
 * struct mg_part - one of several programs
 * @va: guest address
 * @first: its first quad among all of them
 * @nquads: size
 * @tag: tag that it was announced with; 0: nothing was
 */
struct mg_part {
	u64 va;
	u32 first;
	u32 nquads;
	u32 tag;
};

/**
 * struct mg_code - a program to lower
 * @words: code
 * @nquads: size, at most MG_MAX_QUADS
 * @parts: the program, which begins at quad 0, and behind it the programs that its writes to the
 *	framebuffer may call, which return to it; they have what @words has. NULL: there is only one
 * @nparts: how many, at most MG_MAX_PARTS
 * @va: guest address of @words, but for programs in @parts
 * @entry: quad to start at
 * @tag: tag that the entry was announced with; 0: nothing was
 * @gpu: GPU
 * @stage: only fragments have helper threads that end, and come in quads
 * @fp_mode: enum mg_fp_mode
 * @work: work registers, from r0 on; 0: as many as uniforms leave
 * @uniforms: vectors of push uniforms, from r23 down
 * @debug: bundles can be stopped at
 */
struct mg_code {
	const u32 *words;
	u32 nquads;
	const struct mg_part *parts;
	u32 nparts;
	u64 va;
	u32 entry;
	u32 tag;
	enum mg_gpu gpu;
	enum vs_stage stage;
	u32 fp_mode;
	u32 work;
	u32 uniforms;
	bool debug;
};

/**
 * midgard_lower() - make a program of what can be reached from an entry
 * @arena: where the program comes from, and memory that is needed meanwhile
 * @code: what to lower
 * @out: program
 * @rej: why it is rejected; offsets count quads
 *
 * Return: 0, -ENOEXEC (@rej filled), -ENOMEM (arena), -E2BIG.
 */
int midgard_lower(struct simt_arena *arena, const struct mg_code *code, struct simt_prog **out,
		  struct vs_reject *rej);

/**
 * midgard_extent() - how much of the code behind @words belongs to a program
 * @arena: memory while it runs
 * @words: code as far as it is known
 * @nquads: size, at most MG_MAX_QUADS
 * @entry: quad to start at
 * @need: quads that all code that can be reached needs, as far as that is known. If it is
 *	more than @nquads: ask again with so many. Code that midgard_lower() will reject
 *	needs nothing behind the place where it does.
 *
 * Return: 0 or -ENOMEM.
 */
int midgard_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry, u32 *need);

/*
 * midgard_lower() and midgard_extent() in pieces, where nothing may take long. What @code names
 * must stay, @code itself and its parts need not.
 */
struct ml;
struct ml_walk;

int midgard_lower_new(struct simt_arena *arena, const struct mg_code *code, struct ml **out,
		      struct vs_reject *rej);
/* Return: -EAGAIN: no visits are left (see SIMT_PIECE); else as midgard_lower(). */
int midgard_lower_step(struct ml *l, u32 *left, struct simt_prog **out, struct vs_reject *rej);
int midgard_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       struct ml_walk **out);
/* Return: -EAGAIN, or 0: *@need is complete. */
int midgard_extent_step(struct ml_walk *w, u32 *left, u32 *need);

/* Are operations with this code executed? Some of their forms may be rejected. */
bool midgard_executes_alu(u32 op);
bool midgard_executes_ldst(u32 op);
bool midgard_executes_tex(u32 op);

#endif /* MIDGARD_LOWER_H */
