// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Locations of the registers of Mali GPUs between instructions, for debuggers.
 */
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

static bool has_pixels(const struct mali_run *run)
{
	return run->w.stage == MALI_STAGE_FRAGMENT && run->r;
}

/* Pixel of a fragment; 0 in other programs. */
static void get_pixel(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct mali_run *run = simt_machine_arg(m);
	bool is = has_pixels(run);

	val[0] = is ? run->r->x[lane] : 0;
	val[1] = is ? run->r->y[lane] : 0;
}

/* Index of the job that draws; 0 in frame shaders and without a frame. */
static void get_draw(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct mali_run *run = simt_machine_arg(m);

	*val = has_pixels(run) && run->r->q ? run->r->q->in->draw : 0;
}

static const struct simt_reg bifrost_regs[] = {
	{ .first = BI_DBG_REG, .count = 64, .comps = 1, .at = BI_SLOT_REG(0) },
	{ .first = BI_DBG_UNIF, .count = BI_DBG_PAIRS, .comps = 2, .at = SIMT_U | BI_UNIF_PUSH },
	{ .first = BI_DBG_PIXEL, .count = 1, .comps = 2, .get = get_pixel },
	{ .first = BI_DBG_DRAW, .count = 1, .comps = 1, .get = get_draw },
};

static const struct simt_reg midgard_regs[] = {
	{ .first = MG_DBG_REG, .count = 16, .comps = 4, .at = MG_SLOT_REG(0) },
	{ .first = MG_DBG_UNIF, .count = MG_MAX_UNIFORMS, .comps = 4, .at = SIMT_U },
	{ .first = MG_DBG_PIXEL, .count = 1, .comps = 2, .get = get_pixel },
	{ .first = MG_DBG_DRAW, .count = 1, .comps = 1, .get = get_draw },
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
