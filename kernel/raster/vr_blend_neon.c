// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Blending of bytes: NEON. Called in FPU sections only. */
#define BLEND_ENTRY(name)	vr_blend_##name##_neon
#include "vr_blend_main.h"
