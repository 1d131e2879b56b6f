// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Special function unit: AVX2, 8 elements at a time. */
#define VS_W	8
#include "../../engine/vec_x86.h"

#define QPU_SFU_ENTRY	qpu_sfu_avx2
#include "qpu_sfu_main.h"
