// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The special function unit. The chip's tables are not public: results here are those of
 * the shared executor, rounded to nearest, which the chip approximates to 13 or 14 bits.
 * RECIPSQRT and LOG take the absolute value.
 */
#include "qpu_run.h"

static void qpu_sfu_run(enum vs_simd simd, u32 fn, u32 n, const u32 *const *v, u32 *const *r)
{
#ifdef __x86_64__
	if (VS_BUILT(avx2) && simd == VS_SIMD_AVX2)
		return qpu_sfu_avx2(fn, n, v, r);
	if (VS_BUILT(avx512) && simd == VS_SIMD_AVX512)
		return qpu_sfu_avx512(fn, n, v, r);
	if (VS_BUILT(sse2) && simd == VS_SIMD_SSE2)
		return qpu_sfu_sse2(fn, n, v, r);
#elif defined(__aarch64__)
	if (simd == VS_SIMD_NEON)
		return qpu_sfu_neon(fn, n, v, r);
#endif
	qpu_sfu_soft(fn, n, v, r);
}

void qpu_sfu(struct qpu_machine *m, u32 fn, u32 n, const u32 *const *v, u32 *const *r)
{
	qpu_fp_sfu(m, true);
	qpu_sfu_run(m->simd, fn, n, v, r);
	qpu_fp_sfu(m, false);
}
