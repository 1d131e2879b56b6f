// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU executor: portable, one element at a time, no floating-point instructions.
 */
#define VS_RZ	true
#include "../../engine/vec_soft.h"

#define QPU_ENTRY	qpu_exec_soft
#include "qpu_exec_main.h"
