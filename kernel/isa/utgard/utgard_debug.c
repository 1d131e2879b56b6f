// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Locations of the registers of Utgard's processors between instructions, and of the pixel
 * processor between the fields of one, for debuggers.
 */
#include "../../engine/softfloat.h"
#include "utgard_debug.h"
#include "utgard_run_int.h"

static const struct simt_reg gp_regs[] = {
	{ .first = UGP_DBG_REG, .count = UGP_NUM_REGS, .comps = 4, .at = UGP_SLOT_REG },
	{ .first = UGP_DBG_ADDR, .count = 4, .comps = 1, .at = UGP_SLOT_ADDR },
	{ .first = UGP_DBG_BACK1, .count = UGP_NUM_UNITS, .comps = 1, .at = UGP_SLOT_BACK1 },
	{ .first = UGP_DBG_BACK2, .count = UGP_NUM_UNITS, .comps = 1, .at = UGP_SLOT_BACK2 },
	{ .first = UGP_DBG_PORT0, .count = 1, .comps = 4, .at = UGP_SLOT_PORT0 },
	{ .first = UGP_DBG_ATTR, .count = UGP_NUM_ATTRIBUTES, .comps = 4, .at = UGP_SLOT_ATTR },
	{ .first = UGP_DBG_OUT, .count = UGP_NUM_VARYINGS, .comps = 4, .at = UGP_SLOT_OUT },
	{ .first = UGP_DBG_ROW, .count = UGP_MAX_ROWS, .comps = 4, .thread = true },
};

const struct simt_reg *ugp_debug_regs(u32 *n)
{
	*n = ARRAY_SIZE(gp_regs);
	return gp_regs;
}

/* Pixel processor registers hold binary16 values only. */
static u32 to_half(u32 bits)
{
	return vs_f16_to_f32(sh_from_float(bits, SF_RTE));
}

static void get_pixel(struct simt_machine *m, u32 lane, u32 *val)
{
	const struct utgard_run *run = simt_machine_arg(m);
	const struct utgard_block *quads = (const struct utgard_block *)run->quads;

	if (quads) {
		val[0] = quads->x[lane];
		val[1] = quads->y[lane];
		return;
	}
	val[0] = run->raster->x[lane];
	val[1] = run->raster->y[lane];
}

static void get_fragment(struct simt_machine *m, u32 lane, u32 *val)
{
	get_pixel(m, lane, val);
	/* programs do not run for each sample */
	val[2] = 0;
}

void upp_debug_regs(struct utgard_run *r)
{
	u32 (*fit)(u32 bits) = r->pp->switches & UPP_SW_FP32 ? NULL : to_half;
	const struct simt_reg regs[UTGARD_DEBUG_REGS] = {
		{ .first = UPP_DBG_REG, .count = UPP_NUM_REGS, .comps = 4, .at = UPP_SLOT_REG,
		  .fit = fit },
		{ .first = UPP_DBG_VAR, .count = UPP_NUM_VARYINGS, .comps = 4,
		  .at = UPP_SLOT_VAR },
		{ .first = UPP_DBG_COORD, .count = 1, .comps = 4, .at = UPP_SLOT_COORD },
		{ .first = UPP_DBG_POINT, .count = 1, .comps = 2, .at = UPP_SLOT_POINT },
		{ .first = UPP_DBG_FACING, .count = 1, .comps = 1, .at = UPP_SLOT_FACING },
		/* only programs that use temporaries have them */
		{ .first = UPP_DBG_TEMP, .comps = 4, .thread = true, .fit = fit,
		  .count = r->pixel.tls ? min_t(u32, r->pp->temps, UPP_DBG_TEMPS) : 0 },
		{ .first = UPP_DBG_UNIF, .count = UPP_DBG_ROWS, .comps = 4, .at = SIMT_U,
		  .fit = to_half },
		{ .first = UPP_DBG_TEX, .count = 3, .comps = 4, .at = UPP_SLOT_SHOW_TEX },
		{ .first = UPP_DBG_SMUL, .count = 1, .comps = 1, .at = UPP_SLOT_SHOW_SMUL },
		{ .first = UPP_DBG_PIXEL, .count = 1, .comps = 2, .get = get_pixel },
		{ .first = UPP_DBG_FRAGMENT, .count = 1, .comps = 3, .get = get_fragment },
	};

	memcpy(r->regs, regs, sizeof(regs));
	r->l.regs = r->regs;
	r->l.nregs = ARRAY_SIZE(regs);
}
