// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor: AVX-512, 16 lanes at a time.
 */
#define VS_W	16
#include "vec_x86.h"

#define VS_ENTRY(name)	vs_exec_##name##_avx512
#include "exec_main.h"
