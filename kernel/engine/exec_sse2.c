// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor: SSE2, 4 lanes at a time.
 */
#define VS_W	4
#include "vec_x86.h"

#define VS_ENTRY(name)	vs_exec_##name##_sse2
#include "exec_main.h"
