/* SPDX-License-Identifier: GPL-2.0 */
/* Inside the Bifrost reference model. */
#ifndef SELFTESTS_REF_BIFROST_REF_INT_H
#define SELFTESTS_REF_BIFROST_REF_INT_H

#include "bifrost_ref.h"
#include "mali_ref_int.h"

#define BFR_POISON	0xa5a5a5a5u	/* registers that hardware does not fill */

struct bfr_thread {
	uint32_t r[64];
	uint32_t t[2];		/* results of the tuple before */
	uint64_t pc;		/* of the clause to execute */
	uint8_t *tls;
	bool done;
	bool waits;		/* at a barrier */
	unsigned int lane;	/* of a quad */
	bool covered;		/* else a helper: without effects */
	unsigned int x, y;	/* of a fragment */
};

/* Operands of an operation of the adder in all lanes that execute it. */
struct bfr_quad {
	uint32_t src[4][4];
	bool active[4];
};

/**
 * struct bfr_step - tuple being executed
 * @port: values of the three read ports
 * @fau: low and high word of the FAU value
 * @fma: result of the multiplier, for the adder
 * @atom: operation that the multiplier prepares for ATOM_CX, else -1
 * @atom_arg: its operand
 * @jump: the adder branches to @target
 * @quad: the same in the neighbours
 * @sr: staging register of the clause
 * @nout: words in @out that go to the staging registers at the end of the clause
 */
struct bfr_step {
	uint32_t port[3];
	uint32_t fau[2];
	uint32_t fma;
	int atom;
	uint32_t atom_arg;
	bool jump;
	uint32_t target;
	const struct bfr_quad *quad;
	unsigned int sr;
	unsigned int nout;
	uint32_t out[4];
};

/* bifrost_ref_fma.c, bifrost_ref_add.c: an operation, with its sources read. */
uint32_t bfr_exec_fma(struct mrf *g, uint32_t op, const uint32_t *src, struct bfr_step *s);
uint32_t bfr_exec_add(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		      uint32_t op, const uint32_t *src, struct bfr_step *s);

/* bifrost_ref_more.c: halves and bytes. Return: false: not such an operation. */
bool bfr_more_fma(uint32_t op, const uint32_t *s, uint32_t *res);
bool bfr_more_add(uint32_t op, const uint32_t *s, uint32_t *res);

/* bifrost_ref_msg.c: memory, attributes, images, texels. */
enum bfr_seg { BFR_SEG_GLOBAL, BFR_SEG_WLS, BFR_SEG_TLS, BFR_SEG_UBO };

uint8_t *bfr_seg(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		 enum bfr_seg seg, uint32_t lo, uint32_t hi, uint32_t n);
void bfr_atomic(struct mrf *g, uint64_t va, unsigned int op, uint32_t arg, struct bfr_step *s);
void bfr_sample(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
		unsigned int texture, unsigned int sampler, bool computed, double lod,
		enum mrf_regfmt fmt, struct bfr_step *s);
void bfr_texc(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t, uint32_t x,
	      uint32_t y, uint32_t desc, struct bfr_step *s);

/* bifrost_ref_draw.c */
void bfr_draw_job(struct mrf *g, uint64_t job);
void bfr_draw_tiler(struct mrf *g, uint64_t job);
/* Blend a colour per the descriptor words in BLEND. */
void bfr_blend(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
	       const uint32_t *desc, const uint32_t *color);
/* The pixel of the thread, as binary32. */
void bfr_ld_tile(struct mrf *g, const struct mrf_draw *d, const struct bfr_thread *t,
		 const uint32_t *s, uint32_t *color);
/* The clauses of one thread, and of four that are neighbours. */
void bfr_run_one(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t);
void bfr_run_quad(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t);
void bfr_draw_state(struct mrf *g, uint64_t dcd, struct mrf_draw *d, uint32_t *preload);

#endif
