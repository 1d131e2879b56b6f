// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Locations of the registers of Mali GPUs between instructions, for debuggers.
 */
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

static const struct simt_reg bifrost_regs[] = {
	{ .first = BI_DBG_REG, .count = 64, .comps = 1, .at = BI_SLOT_REG(0) },
	{ .first = BI_DBG_UNIF, .count = BI_DBG_PAIRS, .comps = 2, .at = SIMT_U | BI_UNIF_PUSH },
};

static const struct simt_reg midgard_regs[] = {
	{ .first = MG_DBG_REG, .count = 16, .comps = 4, .at = MG_SLOT_REG(0) },
	{ .first = MG_DBG_UNIF, .count = MG_MAX_UNIFORMS, .comps = 4, .at = SIMT_U },
};

const struct simt_reg *mali_debug_regs(u32 gpu, u32 *n)
{
	if (mali_gpu_is_midgard(gpu)) {
		*n = ARRAY_SIZE(midgard_regs);
		return midgard_regs;
	}
	*n = ARRAY_SIZE(bifrost_regs);
	return bifrost_regs;
}
