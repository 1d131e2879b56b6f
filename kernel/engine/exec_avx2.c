// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor: AVX2, 8 lanes at a time.
 */
#define VS_W	8
#include "vec_x86.h"

#define VS_ENTRY(name)	vs_exec_##name##_avx2
#include "exec_main.h"
