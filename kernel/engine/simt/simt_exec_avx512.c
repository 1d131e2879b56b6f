// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SIMT executor: AVX-512, 16 lanes at a time.
 */
#define VS_W	16
#include "../vec_x86.h"

#define SIMT_ENTRY	simt_exec_avx512
#include "simt_exec_main.h"
