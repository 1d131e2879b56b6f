// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU executor: SSE2, 4 elements at a time.
 */
#define VS_W	4
#include "../../engine/vec_x86.h"

#define QPU_ENTRY	qpu_exec_sse2
#include "qpu_exec_main.h"
