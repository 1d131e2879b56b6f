// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Questions about lanes: NEON.
 */
#define VS_W	4
#include "../vec_neon.h"

#define LANES_ENTRY(name)	simt_##name##_neon
#include "simt_lanes_main.h"
