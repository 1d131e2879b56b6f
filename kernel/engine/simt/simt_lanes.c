// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Dispatch of lane queries to the executor build. */
#include "simt_lanes.h"

/* Call the build that the caller's variable simd selects. */
#if defined(__x86_64__)
#define DISPATCH(name, ...)							\
	(VS_BUILT(avx512) && simd == VS_SIMD_AVX512 ? simt_##name##_avx512(__VA_ARGS__) :	\
	 VS_BUILT(avx2) && simd == VS_SIMD_AVX2 ? simt_##name##_avx2(__VA_ARGS__) :		\
	 VS_BUILT(sse2) && simd == VS_SIMD_SSE2 ? simt_##name##_sse2(__VA_ARGS__) :		\
	 simt_##name##_soft(__VA_ARGS__))
#elif defined(__aarch64__)
#define DISPATCH(name, ...)							\
	(simd == VS_SIMD_NEON ? simt_##name##_neon(__VA_ARGS__) :		\
	 simt_##name##_soft(__VA_ARGS__))
#else
#define DISPATCH(name, ...)	simt_##name##_soft(__VA_ARGS__)
#endif

bool simt_nonzero(enum vs_simd simd, const u32 *v, u32 n, u32 gap, u64 mask, u64 *set)
{
	return DISPATCH(nonzero, v, n, gap, mask, set);
}

bool simt_compare(enum vs_simd simd, const struct simt_compare *c, u64 *set)
{
	return DISPATCH(compare, c, set);
}

void simt_scan(enum vs_simd simd, const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
	       u64 mask, u32 bytes, bool exact, struct simt_scan *s)
{
	DISPATCH(scan, lo, lo_step, hi, hi_step, mask, bytes, exact, s);
}

void simt_load_words(enum vs_simd simd, u32 *d, const u8 *p, u32 n)
{
	DISPATCH(load_words, d, p, n);
}

void simt_store_words(enum vs_simd simd, u8 *p, const u32 *s, u32 n)
{
	DISPATCH(store_words, p, s, n);
}

void simt_load_rows(enum vs_simd simd, u32 *d, const u8 *p, u64 stride, u32 n)
{
	DISPATCH(load_rows, d, p, stride, n);
}

void simt_store_rows(enum vs_simd simd, u8 *p, u64 stride, const u32 *s)
{
	DISPATCH(store_rows, p, stride, s);
}

void simt_load_near(enum vs_simd simd, u32 *d, u8 *p, u64 span, const u32 *off, u32 from)
{
	DISPATCH(load_near, d, p, span, off, from);
}

u32 simt_words(enum vs_simd simd, const struct simt_words *w)
{
	return DISPATCH(words, w);
}

bool simt_offsets(enum vs_simd simd, u32 *d, const u32 *s, u64 mask, const struct simt_wide *w)
{
	return DISPATCH(offsets, d, s, mask, w);
}

void simt_plus(enum vs_simd simd, u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n)
{
	DISPATCH(plus, d, gap, s, c, n);
}

void simt_put(enum vs_simd simd, u32 *d, const u32 *s, u64 mask)
{
	DISPATCH(put, d, s, mask);
}

void simt_to_halves(enum vs_simd simd, u32 *d, const u32 *lo, const u32 *hi, u64 mask)
{
	DISPATCH(to_halves, d, lo, hi, mask);
}

void simt_from_halves(enum vs_simd simd, u32 *lo, u32 *hi, const u32 *s)
{
	DISPATCH(from_halves, lo, hi, s);
}
