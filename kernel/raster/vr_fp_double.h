/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth and varyings: with the machine's binary64. In FPU sections only.
 */
#define PX_DOUBLE_NATIVE
#include "../pixel/px_double.h"
#include "vr_fp.h"
#include "vr_fp_main.h"
