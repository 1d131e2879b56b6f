/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Mali Bifrost: executes job chains in an image of GPU memory, one
 * thread after the other, taking every word apart each time it is executed. Written from
 * Mesa's public ISA and descriptor descriptions; it shares no code with the engine.
 *
 * Jobs: null, write value, cache flush, compute (and what transform feedback makes of
 * it), vertex and tiler, indexed vertex, of triangles and points. Descriptors are those
 * of v7 (G31, G52); programs may be those of v6. Not modelled, and reported as an error
 * when met: indices, lines, cubes, gradients, blend programs, fragment jobs.
 *
 * Choices where nothing public says what the hardware does:
 * - NaN results are 0x7fc00000; a clamp turns NaN into its lower bound.
 * - FRCP, FRSQ, FEXP, FLOGD, the tables: what is nearest to the real result, from double
 *   arithmetic. FRCP_APPROX and FRSQ_APPROX are cut to 17 bits of mantissa.
 * - FMA_RSCALE with "special n": a product of 0 and infinity, or with a NaN, counts as 0,
 *   so that Mesa's Newton steps keep the approximation's value.
 * - ATOM_C_RETURN leaves the old value and the operation's neutral element in its two
 *   registers; ATOM_POST combines them (hardware coalesces the lanes of a warp).
 * - The third word of LEA_ATTR is like a conversion of a blend descriptor and the one that
 *   position programs have as a constant: format | register format << 24.
 */
#ifndef SELFTESTS_REF_BIFROST_REF_H
#define SELFTESTS_REF_BIFROST_REF_H

#include <stdbool.h>
#include <stdint.h>

#define BFR_MAX_BOS	96
#define BFR_FB_MAX	64

struct bfr_bo {
	uint64_t va;
	uint64_t size;
	uint8_t *bytes;
};

/**
 * struct bfr - a GPU's memory and what became of a run
 * @bo: pieces of memory
 * @nbo: how many
 * @unfused: FMA.f32 rounds its product, as renderers on a CPU do; the GPU is taken not to
 * @budget: clauses that may still be executed, all threads together
 * @clauses: executed
 * @threads: run
 * @unsupported: @error is about something outside this model
 * @width: of what a draw rendered
 * @height: of it
 * @clear: texels and depths before a draw
 * @fb: its texels, one word each
 * @depth: of them
 * @error: empty: everything ended as it should
 */
struct bfr {
	struct bfr_bo bo[BFR_MAX_BOS];
	unsigned int nbo;
	bool unfused;
	uint64_t budget;
	uint64_t clauses;
	uint64_t threads;
	bool unsupported;
	unsigned int width, height;
	uint32_t clear;
	uint32_t fb[BFR_FB_MAX * BFR_FB_MAX];
	float depth[BFR_FB_MAX * BFR_FB_MAX];
	char error[200];
};

/* Memory of @size bytes at @va, zeroed. Return: false: no room, or it overlaps. */
bool bfr_map(struct bfr *g, uint64_t va, uint64_t size);
/* @n bytes at @va, NULL if they are not all mapped. */
uint8_t *bfr_at(struct bfr *g, uint64_t va, uint64_t n);
void bfr_free(struct bfr *g);
/* What the fragment job at @job clears its first render target to. */
bool bfr_clear_color(struct bfr *g, uint64_t job, uint32_t *color);
/* Execute the chain that begins at @chain. Return: true if all jobs ended well. */
bool bfr_run(struct bfr *g, uint64_t chain);

#endif
