// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Small triangles: which build.
 */
#include "vr_small.h"

#if defined(__x86_64__)

bool vr_small_quick(enum vs_simd simd)
{
	return simd != VS_SIMD_PORTABLE;
}

#define SMALL_BUILD(simd, name, ...)							\
	(VS_BUILT(sse2) && ((simd) == VS_SIMD_SSE2 || !VS_BUILT(avx2)) ?		\
				vr_small_##name##_sse2(__VA_ARGS__) :			\
				vr_small_##name##_avx2(__VA_ARGS__))

#elif defined(__aarch64__)

bool vr_small_quick(enum vs_simd simd)
{
	return simd == VS_SIMD_NEON;
}

#define SMALL_BUILD(simd, name, ...)	vr_small_##name##_neon(__VA_ARGS__)

#else

bool vr_small_quick(enum vs_simd simd)
{
	return false;
}

static u32 small_no_build(const void *first, ...)
{
	return 0;
}

#define SMALL_BUILD(simd, name, ...)	small_no_build(__VA_ARGS__)

#endif

enum vr_small vr_small_triangle(enum vs_simd simd, struct vr_prim *p, struct vr_walk *w,
				const struct vr_state *st, const struct vr_vertex v[3],
				const s32 *clip, u32 tx, u32 ty)
{
	return (enum vr_small)SMALL_BUILD(simd, triangle, p, w, st, v, clip, tx, ty);
}

enum vr_small vr_near_pixels(enum vs_simd simd, s32 box[4], u32 flags, u32 samples,
			     const struct vr_vertex v[3])
{
	return (enum vr_small)SMALL_BUILD(simd, pixels, box, flags, samples, v);
}

bool vr_small_next(enum vs_simd simd, struct vr_walk *w, struct vr_block *b)
{
	return SMALL_BUILD(simd, next, w, b);
}
