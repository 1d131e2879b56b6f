// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Special function unit: portable, one element at a time, no floating-point instructions. */
#define VS_RZ	false
#include "../../engine/vec_soft.h"

#define QPU_SFU_ENTRY	qpu_sfu_soft
#include "qpu_sfu_main.h"
