// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Special function unit: AVX-512, 16 elements at a time. */
#define VS_W	16
#include "../../engine/vec_x86.h"

#define QPU_SFU_ENTRY	qpu_sfu_avx512
#include "qpu_sfu_main.h"
