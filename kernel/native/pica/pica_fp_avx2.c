// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* PICA200 pictures: AVX2. Called in FPU sections only. */
#define VS_W		8
#include "../../engine/vec_x86.h"
#define PICA_FP_ENTRY(name)	pica_fp_##name##_avx2
#include "pica_fp_main.h"
