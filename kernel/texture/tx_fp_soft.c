// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit in integers. */
#include "../pixel/px_double.h"
#include "tx_fp.h"

#define TX_FP_ENTRY(name)	tx_fp_##name##_soft
/* Skip inactive lanes: emulation is slow. */
#define LANE_SKIP(mask, l)	(!((mask) >> (l) & 1))

#include "tx_fp_main.h"
