// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Small triangles: NEON. Called in vector sections only. */
#define SMALL_ENTRY(name)	vr_small_##name##_neon
#include "vr_small_main.h"
