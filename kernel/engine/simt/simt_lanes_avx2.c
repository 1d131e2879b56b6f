// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Questions about lanes: AVX2.
 */
#define VS_W	8
#include "../vec_x86.h"

#define LANES_ENTRY(name)	simt_##name##_avx2
#include "simt_lanes_main.h"
