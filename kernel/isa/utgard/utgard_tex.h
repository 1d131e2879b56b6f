/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Textures of the Utgard pixel processor: descriptors in guest memory. utgard_launch.h declares
 * their reading and the execution of fetches. Filtering is that of the later Mali families'
 * texture unit (tx_unit.h), with the same choices.
 *
 * Source: Mesa's lima driver, field names and values it writes. Choices for undocumented
 * behaviour:
 *
 * - The level of detail is that of the quad or the given one, plus the descriptor's bias, then
 *   clamped. Before it is clamped, magnification is up to 0. With nearest mipmaps the level is
 *   rounded, halves up. A nearest filter for minification has a bias of its own.
 * - The maximum level of detail determines the number of levels, at most 13. A level with
 *   address 0 is missing: a fetch that needs it returns zeros.
 * - A descriptor of zeros, or address 0 instead of one, is no texture: zeros.
 * - The stride is that of level 0 of linear textures. Rows of further levels, and of textures
 *   without a stride, are placed as Mesa does: columns padded to a multiple of 16, level 0
 *   without a stride unpadded.
 * - Faces of cubes and slices of 3D textures are consecutive in each level, each rounded up to
 *   whole tiles of 16 x 16.
 * - Cubes are not filtered across edges.
 * - Depth formats return the depth in r, g and b, and 1 in a.
 * - ETC1 blocks that overflow decode as in ETC2.
 * - Anisotropic filtering is isotropic.
 */
#ifndef UTGARD_TEX_H
#define UTGARD_TEX_H

#include "../../texture/tx_unit.h"
#include "utgard_launch.h"

#define UTX_WORDS		18	/* descriptor with 13 levels; with 11: 16 */
#define UTX_SHORT_WORDS		16
#define UTX_SHORT_LEVELS	11
#define UTX_MAX_LEVELS		13
#define UTX_ALIGN		64	/* alignment of descriptors and images */
#define UTX_MAX_SURFACES	(UTX_MAX_LEVELS * TX_CUBE_FACES)

/* Codes of COMMAND faults for textures start here: UTX_REASON + enum utx_reason. */
#define UTX_REASON		0x200

/* Reject reasons of descriptors and fetches. */
enum utx_reason {
	UTX_OK, UTX_MISALIGNED, UTX_BAD_FORMAT, UTX_BAD_ORDER, UTX_BAD_RANGE, UTX_BAD_LAYOUT,
	UTX_BAD_DIM, UTX_BAD_SIZE, UTX_BAD_FILTER, UTX_UNKNOWN_BITS, UTX_BAD_KIND,
	UTX_NUM_REASONS
};

/* Text of UTX_REASON + enum utx_reason, as in a COMMAND fault's @code; never NULL. */
const char *utx_reason_text(u32 reason);

/* Name of a texel format; NULL if the code is undefined. */
const char *utx_format_name(u32 code);

/**
 * utx_decode - decode a descriptor
 * @w: UTX_WORDS words; with up to UTX_SHORT_LEVELS levels the last two are ignored
 * @va: its guest address, not 0
 * @surfaces: room for UTX_MAX_SURFACES images, which @t refers to
 * @t: texture
 * @value: offending value
 *
 * Return: UTX_OK or the reject reason.
 */
enum utx_reason utx_decode(const u32 *w, u64 va, struct tx_surface *surfaces,
			   struct utgard_tex *t, u32 *value);

/* Number of levels of a descriptor, which determines its length. */
u32 utx_levels(const u32 *w);

#endif /* UTGARD_TEX_H */
