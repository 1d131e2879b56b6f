/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lowering of Midgard code to a program of the SIMT machine.
 *
 * The guest position of a micro-op is the first quad of its bundle.
 */
#ifndef MIDGARD_LOWER_H
#define MIDGARD_LOWER_H

#include "../simt_front.h"
#include "midgard.h"

/*
 * Slots: four words per register. All start as zeros; work registers as far as the program uses
 * them. Registers from r24 on read and write different slots.
 */
#define MG_SLOT_TMP	0		/* r24, r25: forwarded within a bundle */
#define MG_SLOT_AL	8		/* r26, r27: arguments of the load/store unit */
#define MG_SLOT_AT	16		/* r28, r29: arguments of the texture unit */
#define MG_SLOT_TA	24		/* texture results */
#define MG_SLOT_COND	32		/* r31: conditions */
#define MG_SLOT_REG(n)	(36 + 4 * (n))	/* r0 .. r15 */
#define MG_SLOT_LOCAL	100		/* local id, preset */
#define MG_SLOT_GROUP	103		/* workgroup id, preset */
#define MG_SLOT_GLOBAL	106		/* global id; y: vertex, z: instance */
#define MG_SLOT_PEND	109		/* results pending until the end of their stage */
#define MG_SLOT_WORK	124		/* intermediate values */
#define MG_NUM_WORK	96
#define MG_SLOT_LINK	234		/* index of the active call; 0: none */
#define MG_SLOT_BACK	235		/* blend programs: return position */
#define MG_NUM_SLOTS	236		/* EXT needs spare slots after its last one */

/*
 * Programs with MG_NUM_SEG_SLOTS use the addresses of thread-local and workgroup memory: two
 * preset slots each.
 */
#define MG_SLOT_TLS	236
#define MG_SLOT_WLS	238
#define MG_NUM_SEG_SLOTS 240

/* Uniform table of a launch: push uniforms, four words per vector. */
#define MG_MAX_UNIFORMS	16

/* Register indices for debuggers: r0 .. r15, push uniforms: u0 is r23, u1 is r22; fragments. */
#define MG_DBG_REG	0
#define MG_DBG_UNIF	16
#define MG_DBG_PIXEL	(MG_DBG_UNIF + MG_MAX_UNIFORMS)
#define MG_DBG_DRAW	(MG_DBG_PIXEL + 1)
/* Registers of operations within a bundle: r24 and r25, r26 .. r29, r28 and r29 as results, r31. */
#define MG_DBG_TMP	(MG_DBG_DRAW + 1)
#define MG_DBG_AL	(MG_DBG_TMP + 2)
#define MG_DBG_AT	(MG_DBG_AL + 2)
#define MG_DBG_TA	(MG_DBG_AT + 2)
#define MG_DBG_COND	(MG_DBG_TA + 2)
#define MG_DBG_FRAGMENT	(MG_DBG_COND + 1)

/* Floating-point modes. */
enum mg_fp_mode {
	MG_FP_GL,	/* infinities and NaN are kept */
	MG_FP_GL_NO_INF_NAN, /* results are finite: infinities become the largest number, NaN 0 */
	MG_FP_CL,	/* same as MG_FP_GL */
	MG_FP_D3D11,	/* subnormal binary32 operands and results flush to zero, sign kept */
	MG_NUM_FP_MODES
};

/* Reject reasons in addition to enum mg_reason. */
enum mg_lower_reason {
	MG_UNSUPPORTED = MG_NUM_REASONS,	/* defined but not implemented */
	MG_BAD_FP_MODE,
	MG_BAD_WORK_REGS,
	MG_NO_WORK_REG,
	MG_LAST_REASON
};

/* Text of a reject reason: enum mg_reason or enum mg_lower_reason. */
const char *mg_lower_reason_text(u32 reason);

/* Lanes of a warp. */
#define MG_WARP		4

#define MG_MAX_PARTS	9	/* a program and its blend programs */

/**
 * struct mg_part - one program of a group lowered together
 * @va: guest address
 * @first: index of its first quad in the group
 * @nquads: size
 * @tag: announced tag of its first bundle; 0: not announced
 */
struct mg_part {
	u64 va;
	u32 first;
	u32 nquads;
	u32 tag;
};

/**
 * struct mg_code - program to lower
 * @words: code
 * @nquads: size, at most MG_MAX_QUADS
 * @parts: the main program, at quad 0, followed by the blend programs that its framebuffer
 *	writes may call and that return to it; all code is in @words. NULL: a single program
 * @nparts: number of @parts, at most MG_MAX_PARTS
 * @va: guest address of @words, unused with @parts
 * @entry: quad to start at
 * @tag: announced tag of the entry; 0: not announced
 * @gpu: enum mg_gpu
 * @stage: only fragments come in quads and have helper threads that end
 * @fp_mode: enum mg_fp_mode
 * @work: work registers, from r0 on; 0: all that uniforms leave
 * @uniforms: vectors of push uniforms, from r23 down
 * @debug: allow stops at bundles
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
 * midgard_lower_new() - begin to lower the code reachable from an entry
 * @arena: memory of the program and of temporary data
 * @code: code to lower. The arrays that it points to must stay valid; it and its parts need not
 * @out: the lowering, which simt_front_step() continues
 * @rej: reject reason; offsets count quads
 *
 * Return: 0, -ENOEXEC (@rej filled), -ENOMEM (arena).
 */
int midgard_lower_new(struct simt_arena *arena, const struct mg_code *code,
		      struct simt_front **out, struct vs_reject *rej);

struct ml_walk;

/**
 * midgard_extent_new() - begin to find the size of the program that starts at @words
 * @arena: memory for temporary data
 * @words: known code
 * @nquads: size of @words, at most MG_MAX_QUADS
 * @entry: quad to start at
 * @out: the search
 *
 * Return: 0 or -ENOMEM.
 */
int midgard_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       struct ml_walk **out);
/*
 * Continue. *@need: quads that the reachable code covers, as far as known. If it exceeds the known
 * ones, search again with that many. Code after a bundle that the lowering will reject is not
 * counted. Return: -EAGAIN, or 0 when *@need is complete.
 */
int midgard_extent_step(struct ml_walk *w, u32 *left, u32 *need);

/* Is the operation implemented? Some of its forms may still be rejected. */
bool midgard_executes_alu(u32 op);
bool midgard_executes_ldst(u32 op);
bool midgard_executes_tex(u32 op);

#endif /* MIDGARD_LOWER_H */
