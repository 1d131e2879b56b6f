// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Special function unit: NEON, 4 elements at a time. */
#define VS_W	4
#include "../../engine/vec_neon.h"

#define QPU_SFU_ENTRY	qpu_sfu_neon
#include "qpu_sfu_main.h"
