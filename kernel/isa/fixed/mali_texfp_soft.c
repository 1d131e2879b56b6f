// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arithmetic of the texture unit in integers. */
#include "mali_dp.h"
#include "mali_texfp.h"

#define MALI_TEXFP_ENTRY(name)	mali_texfp_##name##_soft
/* Skip inactive lanes: emulation is slow. */
#define LANE_SKIP(mask, l)	(!((mask) >> (l) & 1))

#include "mali_texfp_main.h"
