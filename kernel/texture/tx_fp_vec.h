/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of the texture unit with the processor's binary64. The order of a sum's operands
 * does not matter, as NaNs are canonicalised at the end.
 */
#define PX_DOUBLE_NATIVE
#include "../pixel/px_double.h"
#include "tx_fp.h"

/* All lanes: loops without branches. Results of inactive lanes are not used. */
#define LANE_SKIP(mask, l)	((void)(mask), (void)(l), false)

#include "tx_fp_main.h"
