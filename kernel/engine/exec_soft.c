// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor: portable, no floating-point instructions at all, always exact.
 */
#include "vec_soft.h"

#define VS_ENTRY(name)	vs_exec_##name##_soft
#define VS_NO_FAST
#define VS_STEPS
#include "exec_main.h"
