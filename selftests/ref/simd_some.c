// SPDX-License-Identifier: GPL-2.0
/*
 * Executors that tests try under a sanitizer: the portable one, which is instrumented, and the
 * widest, for which all code around it has its largest blocks. The others are tried without one.
 */
#include "engine/vs_job.h"

#ifdef vs_simd_mask
u32 vs_simd_mask(void)
{
	return 1U << VS_SIMD_PORTABLE | 1U << vs_simd_best();
}
#endif
