/* SPDX-License-Identifier: GPL-2.0 */
/* Inside the Midgard reference model. */
#ifndef SELFTESTS_REF_MIDGARD_REF_INT_H
#define SELFTESTS_REF_MIDGARD_REF_INT_H

#include "mali_ref_int.h"
#include "midgard_ref.h"

#define MGR_POISON	0xa5	/* bytes that hardware does not fill */
#define MGR_LOCAL	0x7d0000000000ull	/* where threads' and groups' memory is */

/* 128 bits of a register. */
struct mgr_reg {
	uint8_t b[16];
};

/**
 * struct mgr_thread - one invocation
 * @r: r0 to r23
 * @tmp: r24 and r25, within a bundle
 * @al: r26 and r27 as the load/store unit sees them
 * @at: r28 and r29 as the texture unit sees them
 * @ta: r28 and r29 as texture results
 * @cond: r31 as conditions
 * @cond_set: bytes of it that the bundle has written
 * @r1_set: bytes of r1 that the bundle has written
 * @pc: address of the bundle to execute
 * @tag: its tag, as the previous bundle announces it
 * @link: return address of the current function, or 0
 * @link_tag: tag of the bundle at @link
 * @local: id in the group
 * @group: id of the group
 * @global: id
 * @vertex: vertex index
 * @instance: instance index
 * @tls: address of the thread's own memory
 * @wls: address of the group's memory
 * @done: has ended
 * @waits: at a barrier
 * @covered: false for helpers, which have no side effects
 * @lane: lane in its quad
 * @x: fragment position
 * @y: fragment position
 * @blending: runs a blend program for another one
 * @stored: that blend program has written
 */
struct mgr_thread {
	struct mgr_reg r[24];
	struct mgr_reg tmp[2];
	struct mgr_reg al[2];
	struct mgr_reg at[2];
	struct mgr_reg ta[2];
	struct mgr_reg cond;
	uint16_t cond_set;
	uint16_t r1_set;
	uint64_t pc;
	unsigned int tag;
	uint64_t link;
	unsigned int link_tag;
	uint32_t local[3];
	uint32_t group[3];
	uint32_t global[3];
	uint32_t vertex;
	uint32_t instance;
	uint64_t tls;
	uint64_t wls;
	bool done;
	bool waits;
	bool covered;
	unsigned int lane;
	unsigned int x, y;
	bool blending;
	bool stored;
};

/**
 * struct mgr_draw - descriptors of a job
 * @d: state common to all Mali GPUs
 * @tag: kind of the program's first bundle
 * @work: work registers, from r0 on
 * @uniforms: vectors of uniforms, from r23 down
 * @fp_mode: 0 is GL with infinities and NaNs
 * @flags: first word of the draw descriptor
 */
struct mgr_draw {
	struct mrf_draw d;
	unsigned int tag;
	unsigned int work;
	unsigned int uniforms;
	unsigned int fp_mode;
	uint32_t flags;
};

/* Registers of the four lanes of a quad that execute a texture bundle; NULL: not there. */
struct mgr_quad {
	const struct mgr_thread *t[4];
};

/* Control flow after an ALU bundle. */
enum mgr_flow { MGR_NEXT, MGR_TAKEN, MGR_EXIT };

static inline uint32_t mgr_word(const struct mgr_reg *r, unsigned int i)
{
	return mrf_get(r->b + 4 * (i & 3), 4);
}

static inline void mgr_set_word(struct mgr_reg *r, unsigned int i, uint32_t v)
{
	mrf_put(r->b + 4 * (i & 3), 4, v);
}

/* 64 bits at a component of 32. */
static inline uint64_t mgr_pair(const struct mgr_reg *r, unsigned int i)
{
	return mgr_word(r, i) | (uint64_t)mgr_word(r, i + 1) << 32;
}

/* Bits of a quadword, 64 at most. */
uint64_t mgr_bits(const uint32_t *w, unsigned int at, unsigned int n);
/* Copies the words of a mask of four. */
void mgr_write_words(struct mgr_reg *to, const uint32_t *v, unsigned int mask);
/* Work register for writing. NULL: an error is set. */
struct mgr_reg *mgr_work_reg(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
			     unsigned int n);

/* Each executes a bundle. @size: quadwords. */
enum mgr_flow mgr_exec_alu(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
			   const uint32_t *w, unsigned int size);
void mgr_exec_ldst(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		   const uint32_t *w);
void mgr_exec_tex(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		  const struct mgr_quad *q, const uint32_t *w);

/* midgard_ref.c: bundles until the thread, or all of the quad, end or wait. */
void mgr_run_one(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t);
void mgr_run_quad(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t);
void mgr_draw_state(struct mrf *g, uint64_t dcd, struct mgr_draw *d);
/* A thread before its first bundle. */
void mgr_start(struct mrf *g, struct mgr_thread *t, const struct mgr_draw *d);

/* midgard_ref_draw.c */
void mgr_draw_tiler(struct mrf *g, uint64_t job);
/* Varying of a fragment, or the special value selected by its buffer. */
void mgr_varying(struct mrf *g, const struct mgr_draw *d, const struct mgr_thread *t,
		 unsigned int index, unsigned int params, struct mrf_texel *x);
/* A framebuffer write with r0 and r1. */
void mgr_write_out(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t);
/* Texel of the framebuffer under a fragment; NULL: none. */
uint32_t *mgr_target(struct mrf *g, const struct mgr_thread *t);

#endif
