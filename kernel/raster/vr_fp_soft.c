// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Depth and varyings: portable, with integers.
 */
#include "../pixel/px_double.h"
#include "vr_fp.h"

#define FP_ENTRY(name)	vr_##name##_soft
#include "vr_fp_main.h"
