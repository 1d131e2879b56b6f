// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Questions about lanes: portable, one lane at a time.
 */
#include "../vec_soft.h"

#define LANES_ENTRY(name)	simt_##name##_soft
#include "simt_lanes_main.h"
