// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Depth and varyings: which build; their integers.
 */
#include "vr_fp.h"

#if defined(__x86_64__)
#define DISPATCH(simd, name, ...)						\
	do {									\
		enum vs_simd simd_ = (simd);					\
										\
		if (VS_BUILT(avx2) && simd_ >= VS_SIMD_AVX2)			\
			return vr_##name##_avx2(__VA_ARGS__);			\
		if (VS_BUILT(sse2) && simd_ == VS_SIMD_SSE2)			\
			return vr_##name##_sse2(__VA_ARGS__);			\
		return vr_##name##_soft(__VA_ARGS__);				\
	} while (0)
#elif defined(__aarch64__)
#define DISPATCH(simd, name, ...)						\
	do {									\
		if ((simd) == VS_SIMD_NEON)					\
			return vr_##name##_neon(__VA_ARGS__);			\
		return vr_##name##_soft(__VA_ARGS__);				\
	} while (0)
#else
#define DISPATCH(simd, name, ...)						\
	do {									\
		(void)(simd);							\
		return vr_##name##_soft(__VA_ARGS__);				\
	} while (0)
#endif

void vr_edge_values(const struct vr_prim *p, s32 x, s32 y, s64 e[3])
{
	u32 i, n = p->kind == VR_TRIANGLE ? 3 : 2;
	const struct vr_edge *g;
	vr_s128 v;

	e[0] = 1;
	e[1] = 0;
	e[2] = 0;
	for (i = 0; !vr_is_flat(p) && i < n; i++) {
		g = &p->edge[i];
		if (p->wide) {
			v = (vr_s128)g->a * x + (vr_s128)g->b * y + g->c + g->open;
			e[i] = (s64)(v >> p->shift[i]);
		} else {
			e[i] = vr_near_edge(g, x, y);
		}
		e[i] *= p->sign[i];
	}
}

void vr_plane(enum vs_simd simd, struct vr_plane *plane, const struct vr_prim *p,
	      const struct vr_depth *d, const u32 z[3])
{
	DISPATCH(simd, plane, plane, p, d, z);
}

u64 vr_plane_quad(enum vs_simd simd, const struct vr_plane *plane, u32 x, u32 y, u64 cover,
		  u32 z[4 * VR_MAX_SAMPLES])
{
	DISPATCH(simd, plane_quad, plane, x, y, cover, z);
}

void vr_weights_quad(enum vs_simd simd, struct vr_weights *w, u32 q, const struct vr_prim *p,
		     const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2])
{
	DISPATCH(simd, weights_quad, w, q, p, inv_w, x, y, at);
}

void vr_weights(enum vs_simd simd, struct vr_weights *w, const struct vr_batch *b,
		const struct vr_quad_prim *prim, bool perspective, const s16 at[][2])
{
	DISPATCH(simd, weights, w, b, prim, perspective, at);
}

void vr_plane_whole(enum vs_simd simd, const struct vr_plane *plane, u32 x, u32 y,
		    u32 z[VS_LANES])
{
	DISPATCH(simd, plane_whole, plane, x, y, z);
}

u32 vr_plane_quads(enum vs_simd simd, const struct vr_batch *b, const struct vr_quad_prim *prim,
		   u32 z[VS_LANES])
{
	DISPATCH(simd, plane_quads, b, prim, z);
}

void vr_varying(enum vs_simd simd, const struct vr_weights *w, u32 quads, const u32 v[][3][4],
		const u8 of[VR_QUADS], u32 comps, u32 out[][VS_LANES])
{
	DISPATCH(simd, varying, w, quads, v, of, comps, out);
}

void vr_interpolate(enum vs_simd simd, const struct vr_weights *w, u32 quads,
		    const u32 v[VR_QUADS][3], u32 *out)
{
	DISPATCH(simd, interpolate, w, quads, v, out);
}

u32 vr_ratio(enum vs_simd simd, s32 a, s32 b)
{
	DISPATCH(simd, ratio, a, b);
}

void vr_invert(enum vs_simd simd, const u32 *v, u32 n, u32 *out)
{
	DISPATCH(simd, invert, v, n, out);
}

void vr_mix(enum vs_simd simd, const struct vr_blend *b, struct vr_mix *x)
{
	DISPATCH(simd, mix, b, x);
}
