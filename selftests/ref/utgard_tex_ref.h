/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of Utgard's textures: from the words of a descriptor and bytes of memory to
 * filtered texels, in doubles. Shares no code with the engine.
 */
#ifndef UTGARD_TEX_REF_H
#define UTGARD_TEX_REF_H

#include <stdbool.h>
#include <stdint.h>

enum utr_lod { UTR_COMPUTED, UTR_BIAS, UTR_EXPLICIT };

/**
 * struct utr_fetch - texture instruction of a group of 2 x 2 fragments
 * @desc: words of the descriptor, 18
 * @mem: memory
 * @va: its address
 * @size: its bytes; images must be inside
 * @lod: enum utr_lod
 * @coord: coordinates of the four fragments
 * @level: bias or level of detail
 */
struct utr_fetch {
	const uint32_t *desc;
	const uint8_t *mem;
	uint32_t va;
	uint32_t size;
	unsigned int lod;
	float coord[4][3];
	float level[4];
};

/**
 * utr_sample() - texel of a fragment
 * @f: instruction
 * @n: fragment
 * @out: r, g, b, a
 *
 * Return: distance of the level of detail from the next change of level or filter; results
 * are only defined if it exceeds the rounding error.
 */
double utr_sample(const struct utr_fetch *f, unsigned int n, double out[4]);

/* Bits of a descriptor. */
uint32_t utr_get(const uint32_t *w, unsigned int at, unsigned int n);
void utr_set(uint32_t *w, unsigned int at, unsigned int n, uint32_t v);

/* Positions, from the first bit of the descriptor. */
#define UTR_FORMAT	0
#define UTR_SWAP	7
#define UTR_STRIDE	16
#define UTR_UNNORM	39
#define UTR_CUBE	41
#define UTR_DIM		42
#define UTR_MIN_LOD	44
#define UTR_MAX_LOD	52
#define UTR_BIAS_AT	60
#define UTR_HAS_STRIDE	72
#define UTR_MIP		73
#define UTR_MIN_NEAREST	75
#define UTR_MAG_NEAREST	76
#define UTR_WRAP	77
#define UTR_WIDTH	86
#define UTR_HEIGHT	99
#define UTR_DEPTH	112
#define UTR_BORDER	125
#define UTR_LAYOUT	205
#define UTR_MIPS	222

/* Bytes of a level's image, and the number of levels. */
uint32_t utr_image_bytes(const uint32_t *w, unsigned int level);
unsigned int utr_levels(const uint32_t *w);

#endif
