// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Arithmetic of fragments: selection of the build.
 */
#include "mali_fp.h"

#if defined(__x86_64__)
#define DISPATCH(simd, name, ...)						\
	do {									\
		if ((simd) != VS_SIMD_PORTABLE)					\
			return mali_fp_##name##_sse2(__VA_ARGS__);		\
		return mali_fp_##name##_soft(__VA_ARGS__);			\
	} while (0)
#elif defined(__aarch64__)
#define DISPATCH(simd, name, ...)						\
	do {									\
		if ((simd) == VS_SIMD_NEON)					\
			return mali_fp_##name##_neon(__VA_ARGS__);		\
		return mali_fp_##name##_soft(__VA_ARGS__);			\
	} while (0)
#else
#define DISPATCH(simd, name, ...)						\
	do {									\
		(void)(simd);							\
		return mali_fp_##name##_soft(__VA_ARGS__);			\
	} while (0)
#endif

void mali_fp_perspective(enum vs_simd simd, const struct mali_fp_prim *p, u64 mask,
			 const u32 v[][3], u32 n, u32 *out)
{
	DISPATCH(simd, perspective, p, mask, v, n, out);
}

void mali_fp_linear(enum vs_simd simd, const struct mali_fp_prim *p, u64 mask,
		    const u32 v[3], u32 *out)
{
	DISPATCH(simd, linear, p, mask, v, out);
}

u32 mali_fp_ratio(enum vs_simd simd, s32 a, s32 b)
{
	DISPATCH(simd, ratio, a, b);
}

void mali_fp_blend(enum vs_simd simd, struct mali_fp_blend *b)
{
	DISPATCH(simd, blend, b);
}
