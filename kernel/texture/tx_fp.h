/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of the texture unit, builds with the processor's floating point and one without.
 * Private to the texture unit.
 */
#ifndef TX_FP_H
#define TX_FP_H

#include "tx_unit.h"

/* Number of filtered dimensions of a texture. */
static inline u32 tx_dims(const struct tx_texture *t)
{
	return t->dim == TX_DIM_CUBE ? 2 : t->dim;
}

/* Size of a level in a dimension, in texels. */
static inline u32 tx_size(const struct tx_texture *t, u32 d, u32 level)
{
	return tx_minify(d == 0 ? t->width : d == 1 ? t->height : t->depth, level);
}

/* Is this the missing corner texel of a cube, the mean of three others? @x, @y on a face of @n. */
static inline bool tx_corner(s32 x, s32 y, u32 n)
{
	return (u32)x >= n && (u32)y >= n;
}

/*
 * Steps for the lanes q->mask; tx_run() calls them in this order, with fetches in between.
 *
 * start:	coordinates to pos and face, active
 * lod:		lod, level, frac, nearest, two
 * coords:	base and weight for level @pass
 * places:	place of the texels of a plane, @n in each dimension; @row: bytes of a row of
 *		texels or tiles, @bytes: of a texel
 * bytes:	results of a plane of bytes with one level, of @n texels each, without constants
 *		of the swizzle; unless all lanes are in q->mask, that of component c to
 *		texel[c][1]
 * add:		texels of level @pass to the sums of components @comps
 * finish:	sums of components @comps to texel 0
 * levels:	result of TX_OP_LOD
 */
#define TX_FP(build)							\
void tx_fp_start_##build(struct tx_request *q);				\
void tx_fp_lod_##build(struct tx_request *q);				\
void tx_fp_coords_##build(struct tx_request *q, u32 pass);		\
void tx_fp_places_##build(struct tx_request *q, u32 pass, u32 n, u32 row, u32 bytes); \
void tx_fp_bytes_##build(struct tx_request *q, u32 n);			\
void tx_fp_add_##build(struct tx_request *q, u32 pass, u32 ntexels, u32 comps); \
void tx_fp_finish_##build(struct tx_request *q, u32 comps);		\
void tx_fp_levels_##build(struct tx_request *q)

TX_FP(soft);
TX_FP(sse2);
TX_FP(avx2);
TX_FP(neon);

#endif /* TX_FP_H */
