// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Small triangles: AVX2. Called in vector sections only. */
#define SMALL_ENTRY(name)	vr_small_##name##_avx2
#include "vr_small_main.h"
