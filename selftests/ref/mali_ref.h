/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the reference models of Mali GPUs share: memory of a GPU, what became of a run,
 * and, inside, formats, attributes, textures and rasterisation. They share no code with the
 * engine, its ISAs or its descriptor parser.
 */
#ifndef SELFTESTS_REF_MALI_REF_H
#define SELFTESTS_REF_MALI_REF_H

#include <stdbool.h>
#include <stdint.h>

#define MRF_MAX_BOS	96
#define MRF_FB_MAX	64

struct mrf_bo {
	uint64_t va;
	uint64_t size;
	uint8_t *bytes;
};

/**
 * struct mrf - a GPU's memory and what became of a run
 * @arch: descriptors are those of Mali v5 or v7
 * @bo: pieces of memory
 * @nbo: how many
 * @unfused: FMA of Bifrost rounds its product, as renderers on a CPU do; the GPU is taken
 *	not to
 * @budget: clauses or bundles that may still be executed, all threads together
 * @steps: those executed
 * @threads: run
 * @unsupported: @error is about something outside the model
 * @width: of what a draw rendered
 * @height: of it
 * @clear: texels and depths before a draw
 * @fb: its texels, one word each
 * @depth: of them
 * @error: empty: everything ended as it should
 */
struct mrf {
	unsigned int arch;
	struct mrf_bo bo[MRF_MAX_BOS];
	unsigned int nbo;
	bool unfused;
	uint64_t budget;
	uint64_t steps;
	uint64_t threads;
	bool unsupported;
	unsigned int width, height;
	uint32_t clear;
	uint32_t fb[MRF_FB_MAX * MRF_FB_MAX];
	float depth[MRF_FB_MAX * MRF_FB_MAX];
	char error[200];
};

/* Memory of @size bytes at @va, zeroed. Return: false: no room, or it overlaps. */
bool mrf_map(struct mrf *g, uint64_t va, uint64_t size);
/* @n bytes at @va, NULL if they are not all mapped. */
uint8_t *mrf_at(struct mrf *g, uint64_t va, uint64_t n);
void mrf_free(struct mrf *g);
/* What the fragment job at @job clears its first render target to. */
bool mrf_clear_color(struct mrf *g, uint64_t job, uint32_t *color);

#endif
