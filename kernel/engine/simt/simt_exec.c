// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Dispatch to the executor build. Plain calls, no function pointers. */
#include "simt_exec.h"

/**
 * simt_exec_run - execute micro-ops of the classes F, H, B, G and I
 * @simd: executor build
 * @b: block
 * @u: first micro-op
 *
 * Return: the next micro-op of another class, not executed; the portable executor also stops
 * earlier, for responsiveness.
 */
const struct simt_uop *simt_exec_run(enum vs_simd simd, struct simt_block *b,
				     const struct simt_uop *u)
{
#ifdef __x86_64__
	if (VS_BUILT(avx512) && likely(simd == VS_SIMD_AVX512))
		return simt_exec_avx512(b, u);
	if (VS_BUILT(avx2) && simd == VS_SIMD_AVX2)
		return simt_exec_avx2(b, u);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return simt_exec_sse2(b, u);
#elif defined(__aarch64__)
	if (likely(simd == VS_SIMD_NEON))
		return simt_exec_neon(b, u);
#endif
	return simt_exec_soft(b, u);
}
