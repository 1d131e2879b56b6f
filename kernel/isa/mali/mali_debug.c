// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Locations of the registers of Mali GPUs between operations, for debuggers.
 */
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

static bool has_pixels(const struct mali_run *run)
{
	return run->w.stage == MALI_STAGE_FRAGMENT && run->r;
}

/* Pixel of a fragment; 0 in other programs. */
static void mali_debug_get_pixel(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct mali_run *run = simt_machine_arg(m);
	bool is = has_pixels(run);

	val[0] = is ? run->r->x[lane] : 0;
	val[1] = is ? run->r->y[lane] : 0;
}

/* The pixel and the sample, which is 0 unless the program runs for each. */
static void mali_debug_get_fragment(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct mali_run *run = simt_machine_arg(m);

	mali_debug_get_pixel(m, lane, val);
	val[2] = has_pixels(run) ? run->r->sample : 0;
}

/* Index of the job that draws; 0 in frame shaders and without a frame. */
static void get_draw(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct mali_run *run = simt_machine_arg(m);

	*val = has_pixels(run) && run->r->s.in ? run->r->s.in->draw : 0;
}

static const struct simt_reg bifrost_regs[] = {
	{ .first = BI_DBG_REG, .count = 64, .comps = 1, .at = BI_SLOT_REG(0) },
	{ .first = BI_DBG_UNIF, .count = BI_DBG_PAIRS, .comps = 2, .at = SIMT_U | BI_UNIF_PUSH },
	{ .first = BI_DBG_PIXEL, .count = 1, .comps = 2, .get = mali_debug_get_pixel },
	{ .first = BI_DBG_DRAW, .count = 1, .comps = 1, .get = get_draw },
	{ .first = BI_DBG_TEMP, .count = BI_NUM_UNITS, .comps = 1, .at = BI_SLOT_SHOW },
	{ .first = BI_DBG_STAGE, .count = BI_DBG_NUM_STAGE, .comps = 1, .at = BI_SLOT_STAGE },
	{ .first = BI_DBG_FRAGMENT, .count = 1, .comps = 3, .get = mali_debug_get_fragment },
};

static const struct simt_reg midgard_regs[] = {
	{ .first = MG_DBG_REG, .count = 16, .comps = 4, .at = MG_SLOT_REG(0) },
	{ .first = MG_DBG_UNIF, .count = MG_MAX_UNIFORMS, .comps = 4, .at = SIMT_U },
	{ .first = MG_DBG_PIXEL, .count = 1, .comps = 2, .get = mali_debug_get_pixel },
	{ .first = MG_DBG_DRAW, .count = 1, .comps = 1, .get = get_draw },
	{ .first = MG_DBG_TMP, .count = 2, .comps = 4, .at = MG_SLOT_TMP },
	{ .first = MG_DBG_AL, .count = 2, .comps = 4, .at = MG_SLOT_AL },
	{ .first = MG_DBG_AT, .count = 2, .comps = 4, .at = MG_SLOT_AT },
	{ .first = MG_DBG_TA, .count = 2, .comps = 4, .at = MG_SLOT_TA },
	{ .first = MG_DBG_COND, .count = 1, .comps = 4, .at = MG_SLOT_COND },
	{ .first = MG_DBG_FRAGMENT, .count = 1, .comps = 3, .get = mali_debug_get_fragment },
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
