/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of fragments: interpolation over a primitive, and blending. In binary64, with
 * the same order of operations in both builds, rounded to binary32 once; NaNs are the positive
 * quiet one. Numbers are binary32 patterns.
 */
#ifndef MALI_FP_H
#define MALI_FP_H

#include "../../engine/simt/simt.h"

/**
 * struct mali_fp_prim - positions of pixels in a primitive
 * @e:		by lane: twice the area of the triangle of its pixel and the edge opposite to
 *		each corner; below 2^53, not all zero
 * @inv_w:	1 / w of the corners
 */
struct mali_fp_prim {
	s64 e[3][SIMT_LANES];
	u32 inv_w[3];
};

/* Blend functions; names as in Mesa. */
enum mali_blend_a { MALI_BLEND_A_ZERO = 1, MALI_BLEND_A_SRC, MALI_BLEND_A_DEST };
enum mali_blend_b { MALI_BLEND_B_SRC_MINUS_DEST, MALI_BLEND_B_SRC_PLUS_DEST, MALI_BLEND_B_SRC,
		    MALI_BLEND_B_DEST };
enum mali_blend_c { MALI_BLEND_C_ZERO = 1, MALI_BLEND_C_SRC, MALI_BLEND_C_DEST,
		    MALI_BLEND_C_SRC_X_2, MALI_BLEND_C_SRC_ALPHA, MALI_BLEND_C_DEST_ALPHA,
		    MALI_BLEND_C_CONSTANT };

/**
 * struct mali_fp_blend - blend operation
 * @equation:	rgb function in bits 0-11, alpha's in 12-23; validated
 * @constant:	blend constant
 * @src:	colour from the program
 * @dst:	colour in the target; replaced by the result
 */
struct mali_fp_blend {
	u32 equation;
	u32 constant;
	u32 src[4];
	u32 dst[4];
};

/*
 * Interpolate @n components, up to 4, with perspective correction. @v: values of each at the
 * corners; @out: @n times SIMT_LANES words.
 */
void mali_fp_perspective(enum vs_simd simd, const struct mali_fp_prim *p, u64 mask,
			 const u32 v[][3], u32 n, u32 *out);
/* Interpolate without perspective correction. */
void mali_fp_linear(enum vs_simd simd, const struct mali_fp_prim *p, u64 mask,
		    const u32 v[3], u32 *out);
/* @a / @b, of integers. */
u32 mali_fp_ratio(enum vs_simd simd, s32 a, s32 b);
void mali_fp_blend(enum vs_simd simd, struct mali_fp_blend *b);

#define MALI_FP_PROTOTYPES(suffix)						\
void mali_fp_perspective_##suffix(const struct mali_fp_prim *p, u64 mask,	\
				  const u32 v[][3], u32 n, u32 *out);		\
void mali_fp_linear_##suffix(const struct mali_fp_prim *p, u64 mask,		\
			     const u32 v[3], u32 *out);				\
u32 mali_fp_ratio_##suffix(s32 a, s32 b);					\
void mali_fp_blend_##suffix(struct mali_fp_blend *b)

MALI_FP_PROTOTYPES(soft);
MALI_FP_PROTOTYPES(sse2);
MALI_FP_PROTOTYPES(neon);

#endif /* MALI_FP_H */
