// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SIMT executor: portable, a lane at a time, no floating-point instructions.
 */
#define VS_RZ	false
#include "../vec_soft.h"

#define SIMT_ENTRY	simt_exec_soft
#include "simt_exec_main.h"
