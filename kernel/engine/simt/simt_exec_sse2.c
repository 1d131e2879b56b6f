// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SIMT executor: SSE2, 4 lanes at a time.
 */
#define VS_W	4
#include "../vec_x86.h"

#define SIMT_ENTRY	simt_exec_sse2
#include "simt_exec_main.h"
