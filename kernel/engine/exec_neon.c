// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor: NEON, 4 lanes at a time.
 */
#define VS_W	4
#include "vec_neon.h"

#define VS_ENTRY(name)	vs_exec_##name##_neon
#include "exec_main.h"
