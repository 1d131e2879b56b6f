/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared parts of the reference models of Mali GPUs: GPU memory, the outcome of a run, and
 * internally formats, attributes, textures and rasterisation. They share no code with the
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
 * struct mrf - memory of a GPU and the outcome of a run
 * @arch: descriptors are those of Mali v5 or v7
 * @bo: memory mappings
 * @nbo: number of @bo
 * @unfused: Bifrost's FMA rounds its product, as CPU renderers do; the GPU is assumed to
 *	fuse
 * @budget: clauses or bundles that may still be executed, all threads together
 * @steps: number of clauses or bundles executed
 * @threads: number of threads run
 * @unsupported: @error reports a feature outside the model
 * @width: width of the render target, pixels
 * @height: height of the render target, pixels
 * @clear: texels and depths before a draw
 * @fb: rendered texels, one word each
 * @depth: rendered depths
 * @error: error message; empty on success
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
/* Clear colour of the first render target of the fragment job at @job. */
bool mrf_clear_color(struct mrf *g, uint64_t job, uint32_t *color);

#endif
