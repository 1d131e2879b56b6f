// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * QPU executor: NEON, 4 elements at a time.
 */
#define VS_W	4
#include "../../engine/vec_neon.h"

#define QPU_ENTRY	qpu_exec_neon
#include "qpu_exec_main.h"
