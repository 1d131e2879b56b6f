// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU executor: AVX2, 8 elements at a time.
 */
#define VS_W	8
#include "../../engine/vec_x86.h"

#define QPU_ENTRY	qpu_exec_avx2
#include "qpu_exec_main.h"
