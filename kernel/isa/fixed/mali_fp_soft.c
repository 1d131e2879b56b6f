// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of fragments in integers. */
#include "mali_dp.h"
#include "mali_fp.h"

#define FP_ENTRY(name)	mali_fp_##name##_soft
#include "mali_fp_main.h"
