// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Depth and varyings: NEON. Called in FPU sections only. */
#define FP_ENTRY(name)	vr_##name##_neon
#include "vr_fp_double.h"
