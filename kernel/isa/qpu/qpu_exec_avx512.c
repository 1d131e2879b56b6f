// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU executor: AVX-512, 16 elements at a time.
 */
#define VS_W	16
#include "../../engine/vec_x86.h"

#define QPU_ENTRY	qpu_exec_avx512
#include "qpu_exec_main.h"
