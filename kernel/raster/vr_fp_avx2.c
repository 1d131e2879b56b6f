// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Depth and varyings: AVX2. Called in FPU sections only. */
#define FP_ENTRY(name)	vr_##name##_avx2
#include "vr_fp_double.h"
