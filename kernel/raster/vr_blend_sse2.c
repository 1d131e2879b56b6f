// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Blending of bytes: SSE2. Called in FPU sections only. */
#define BLEND_ENTRY(name)	vr_blend_##name##_sse2
#include "vr_blend_main.h"
