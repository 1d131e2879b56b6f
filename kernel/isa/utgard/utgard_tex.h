/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Textures of the Utgard pixel processor: descriptors as they are in memory. utgard_launch.h
 * has what reads them and executes fetches. Filtering is that of the later Mali families'
 * texture unit (mali_texunit.h), with the same choices.
 *
 * Sources: Mesa's lima driver, what it writes and how it names it. What is not known of the
 * processor is chosen:
 *
 * - The level of detail is that of the quad or the given one, plus the descriptor's bias, then
 *   limited; magnification is up to 0. With nearest mipmaps the level is rounded, halves up.
 * - There are as many levels as the greatest level of detail asks for, at most 13. A level
 *   whose address is 0 is not there: a fetch that needs it gives zeros.
 * - A descriptor of zeros, or the address 0 instead of one, is no texture: zeros.
 * - The stride is that of level 0 of linear textures. Rows of further levels, and those of
 *   textures without a stride, follow each other as Mesa places them: with columns up to a
 *   multiple of 16, without a stride in level 0 as many as there are.
 * - Faces of cubes and slices of 3D follow each other in each level, as far apart as tiles
 *   of 16 x 16 that cover them take.
 * - Cubes are not filtered across edges.
 * - Depth formats give the depth as r, g and b, and 1 as a.
 * - ETC1 blocks that overflow are what ETC2 makes of them.
 * - Anisotropic filtering is isotropic.
 */
#ifndef UTGARD_TEX_H
#define UTGARD_TEX_H

#include "../fixed/mali_texunit.h"
#include "utgard_launch.h"

#define UTX_WORDS		18	/* of a descriptor with 13 levels; with 11: 16 */
#define UTX_SHORT_WORDS		16
#define UTX_SHORT_LEVELS	11
#define UTX_MAX_LEVELS		13
#define UTX_ALIGN		64	/* of descriptors and images */
#define UTX_MAX_SURFACES	(UTX_MAX_LEVELS * MALI_CUBE_FACES)

/* Sizes of COMMAND faults count from here: UTX_REASON + enum utx_reason. */
#define UTX_REASON		0x200

/* Why a descriptor or a fetch is rejected. */
enum utx_reason {
	UTX_OK, UTX_MISALIGNED, UTX_BAD_FORMAT, UTX_BAD_ORDER, UTX_BAD_RANGE, UTX_BAD_LAYOUT,
	UTX_BAD_DIM, UTX_BAD_SIZE, UTX_BAD_FILTER, UTX_UNKNOWN_BITS, UTX_BAD_KIND,
	UTX_NUM_REASONS
};

/* Text of enum utx_reason, which is in a COMMAND fault's @size; never NULL. */
const char *utx_reason_text(u32 reason);

/* What a texel format is called; NULL: there is none with this number. */
const char *utx_format_name(u32 code);

/**
 * utx_decode - take a descriptor apart
 * @w: UTX_WORDS words; with up to UTX_SHORT_LEVELS levels the last two are not looked at
 * @va: where it is, not 0
 * @surfaces: room for UTX_MAX_SURFACES images, which @t refers to
 * @t: texture
 * @value: what is wrong
 *
 * Return: UTX_OK or why it is rejected.
 */
enum utx_reason utx_decode(const u32 *w, u64 va, struct mali_surface *surfaces,
			   struct utgard_tex *t, u32 *value);

/* Levels that a descriptor has, which is how long it is. */
u32 utx_levels(const u32 *w);

#endif /* UTGARD_TEX_H */
