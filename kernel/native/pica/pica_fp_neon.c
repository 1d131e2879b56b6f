// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* PICA200 pictures: NEON. Called in FPU sections only. */
#define VS_W		4
#include "../../engine/vec_neon.h"
#define PICA_FP_ENTRY(name)	pica_fp_##name##_neon
#include "pica_fp_main.h"
