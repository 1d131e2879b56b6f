// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Special function unit: SSE2, 4 elements at a time. */
#define VS_W	4
#include "../../engine/vec_x86.h"

#define QPU_SFU_ENTRY	qpu_sfu_sse2
#include "qpu_sfu_main.h"
