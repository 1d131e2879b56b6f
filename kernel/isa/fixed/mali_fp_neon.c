// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of fragments with the processor's binary64. Called in the FPU section only. */
#define MALI_DP_NATIVE
#include "mali_dp.h"
#include "mali_fp.h"

#define FP_ENTRY(name)	mali_fp_##name##_neon
#include "mali_fp_main.h"
