/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference model of the Utgard pixel processor: a group of 2 x 2 fragments. Written from
 * the notes on the instruction set; shares no code with the engine.
 */
#ifndef UTGARD_PP_REF_H
#define UTGARD_PP_REF_H

#include <stdbool.h>
#include <stdint.h>

#define UPR_TEMPS	16

enum upr_status { UPR_ENDED, UPR_BUDGET };

/**
 * struct upr_fragment - inputs and outputs of a fragment, numbers as bits of binary32
 * @var: varyings
 * @coord: position
 * @point: point coordinates
 * @facing: 1.0 or 0.0
 * @fb_color: framebuffer colour of the pixel
 * @fb_depth: framebuffer depth of the pixel
 * @temp: temporaries
 * @reg: registers
 * @gone: discarded
 */
struct upr_fragment {
	uint32_t var[12][4];
	uint32_t coord[4];
	uint32_t point[2];
	uint32_t facing;
	uint32_t fb_color[4];
	uint32_t fb_depth;
	uint32_t temp[UPR_TEMPS][4];
	uint32_t reg[6][4];
	bool gone;
};

/**
 * struct upr_group - quad of four fragments and its shared state
 * @f: fragments: x, y; x + 1, y; x, y + 1; x + 1, y + 1
 * @fp32: registers are binary32
 * @half: uniforms, halves
 * @nhalves: number of @half
 * @ntemps: rows of temporaries, at most UPR_TEMPS
 * @texture: fetch: texture unit, kind (31: cube), operands x, y, z, level
 */
struct upr_group {
	struct upr_fragment f[4];
	bool fp32;
	const uint16_t *half;
	unsigned int nhalves;
	unsigned int ntemps;
	void (*texture)(uint32_t unit, uint32_t kind, const uint32_t in[4], uint32_t out[4]);
};

/* Run @words from the first on; at most @budget instructions. */
enum upr_status upr_run(const uint32_t *words, unsigned int n, struct upr_group *g,
			unsigned int budget);

#endif
