/* SPDX-License-Identifier: GPL-2.0 */
/* Textures with known texels, and the expected results of sampling, in host doubles. */
#ifndef SELFTESTS_MALI_TEXMODEL_H
#define SELFTESTS_MALI_TEXMODEL_H

#include "isa/mali/mali_res.h"
#include "texture/tx_unit.h"

#define TM_VA		0x100000ULL
#define TM_SIZE		0x400000
#define TM_TEXELS	131072
#define TM_SURFACES	512

/**
 * struct tm_texture - A texture with its memory.
 * @t:		descriptor
 * @arch:	descriptor format
 * @surfaces:	of @t
 * @mem:	TM_SIZE bytes at TM_VA
 * @texel:	components by surface, slice, row and column, kind of @t's format
 * @first:	first texel of each surface
 * @used:	bytes of @mem
 */
struct tm_texture {
	struct tx_texture t;
	enum mali_arch arch;
	struct tx_surface surfaces[TM_SURFACES];
	u8 *mem;
	u32 (*texel)[4];
	u32 first[TM_SURFACES];
	u32 used;
};

u32 tm_rnd(void);
float tm_float(u32 bits);
u32 tm_bits(float f);

void tm_new(struct tm_texture *x);
void tm_free(struct tm_texture *x);
/*
 * Fill @x->t with random texels; dim, order, sizes, levels, array_size, samples and format
 * are set. Return: false if it is too large.
 */
bool tm_fill(struct tm_texture *x, bool dense);

/* A machine with the texture's memory; valid until the next call. */
struct simt_machine *tm_machine(struct tm_texture *x);

/**
 * tm_sample - filtered texel
 * @x: texture
 * @q: request; only one lane is read; SAMPLE only
 * @l: lane
 * @lod: level of detail, before the sampler's bias
 * @out: result
 */
void tm_sample(const struct tm_texture *x, const struct tx_request *q, u32 l, double lod,
	       double out[4]);
/* Level of detail of a quad's lanes. */
double tm_lod(const struct tm_texture *x, const struct tx_request *q, u32 l);
/* Texel of FETCH, after swizzles, as bits. */
void tm_fetch(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 out[4]);
/* One texel of the four of GATHER: @dx, @dy: 0 or 1. */
void tm_gather(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 dx, u32 dy,
	       double *out);

#endif
