// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SIMT executor: AVX2 with FMA and F16C, 8 lanes at a time.
 */
#define VS_W	8
#include "../vec_x86.h"

#define SIMT_ENTRY	simt_exec_avx2
#include "simt_exec_main.h"
