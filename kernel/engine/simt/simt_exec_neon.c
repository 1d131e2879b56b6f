// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SIMT executor: NEON, 4 lanes at a time.
 */
#define VS_W	4
#include "../vec_neon.h"

#define SIMT_ENTRY	simt_exec_neon
#include "simt_exec_main.h"
