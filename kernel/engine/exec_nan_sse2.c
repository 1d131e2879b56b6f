// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Executor for processors that do not return the first of two NaN operands, as QEMU's emulation of
 * x86: the exact instantiations, SSE2, with the NaN of every sum and product selected. The
 * executors of all widths call it: slots look the same to them.
 */
#define VS_W	4
#define VS_NAN_RULE
#include "vec_x86.h"

#define VS_ENTRY(name)	vs_exec_##name##_nan
#define VS_NO_FAST
#include "exec_run.h"
