// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dispatch of the EXT micro-ops of Mali programs.
 */
#include "../../engine/simt/simt_lanes.h"
#include "mali_run_int.h"

bool mx_refuse_value(struct simt_machine *m, u64 mask, u32 reason, u64 va, u32 value)
{
	simt_fault_command(m, mask, va, reason, value);
	return false;
}

bool mx_refuse(struct simt_machine *m, u64 mask, enum mali_run_reason reason, u64 va)
{
	return mx_refuse_value(m, mask, reason, va, 0);
}

bool mx_refuse_blend(struct simt_machine *m, u64 mask, u64 pc)
{
	const struct mali_run *r = simt_machine_arg(m);
	u32 i;

	for (i = r->nparts; i < r->nparts + r->nlost; i++) {
		if ((u32)r->part[i].va != ((u32)pc & ~15U))
			continue;
		simt_fault(m, VS_FAULT_FETCH, mask, r->part[i].va, 16);
		return false;
	}
	return mx_refuse(m, mask, MALI_RUN_BAD_BLEND, pc);
}

void mx_put(const struct simt_block *b, u32 d, u32 lane, const u32 *words, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		*sx_slot(b, d + i, lane) = words[i];
}

void mx_copy_src(const struct simt_machine *m, u32 *out, const struct simt_block *b,
		 const struct simt_uop *u, u32 i)
{
	u32 l, word;

	if (u->s[i] & SIMT_U) {
		word = sx_src(b, u, i, 0);
		for (l = 0; l < SIMT_LANES; l++)
			out[l] = b->mask >> l & 1 ? word : out[l];
		return;
	}
	if (!~b->mask) {
		memmove(out, sx_slot(b, u->s[i], 0), SIMT_LANES * sizeof(*out));
		return;
	}
	simt_put(simt_machine_simd(m), out, sx_slot(b, u->s[i], 0), b->mask);
}

void mx_get(const struct simt_block *b, u32 d, u32 lane, u32 *words, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		words[i] = *sx_slot(b, d + i, lane);
}

bool mx_cvt_format(const struct mali_work *w, u32 word, struct px_format *f)
{
	return mali_format_decode(w->arch, MALI_CVT_FORMAT(word), f) ||
	       mali_format_decode(mali_gpu_arch(w->gpu), MALI_CVT_FORMAT(word), f);
}

/* MX_DIVERGED; lanes that have ended do not count. */
static bool diverged(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 elsewhere = b->live & ~b->mask, warp = (1ULL << b->warp) - 1;
	u32 l;

	EACH_LANE(l, b->mask) {
		*sx_slot(b, u->d, l) = !!(elsewhere & warp << (l & ~(b->warp - 1)));
	}
	return true;
}

static bool clock(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l;

	r->clock++;
	EACH_LANE(l, b->mask) {
		*sx_slot(b, u->d, l) = (u32)r->clock;
		*sx_slot(b, u->d + 1, l) = r->clock >> 32;
	}
	return true;
}

static bool (*const handlers[MX_NUM])(struct simt_machine *m, struct simt_block *b,
				      const struct simt_uop *u) = {
	[MX_LD_ATTR] = mx_ld_attr,
	[MX_LEA_ATTR] = mx_lea_attr,
	[MX_LD_IMG] = mx_ld_img,
	[MX_LEA_IMG] = mx_lea_img,
	[MX_LD_CVT] = mx_ld_cvt,
	[MX_ST_CVT] = mx_st_cvt,
	[MX_LD_VAR] = mx_ld_var,
	[MX_LD_VAR_FLAT] = mx_ld_var_flat,
	[MX_LD_VAR_SPECIAL] = mx_ld_var_special,
	[MX_TEXS] = mx_texs,
	[MX_TEXC] = mx_texc,
	[MX_VAR_TEX] = mx_var_tex,
	[MX_ATEST] = mx_atest,
	[MX_ZS_EMIT] = mx_zs_emit,
	[MX_BLEND] = mx_blend,
	[MX_LD_TILE] = mx_ld_tile,
	[MX_ST_TILE] = mx_st_tile,
	[MX_DIVERGED] = diverged,
	[MX_CLOCK] = clock,
};

/* Does the operation need a primitive or targets? */
static bool is_fragments(u32 op)
{
	return op == MX_LD_VAR || op == MX_LD_VAR_FLAT || op == MX_LD_VAR_SPECIAL ||
	       (op >= MX_VAR_TEX && op <= MX_ST_TILE);
}

/* The verifier does not know how many slots a descriptor word in a register writes. */
#define MAX_RESULTS	4

bool mali_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 op = MALI_EXT_OP(u->imm), nslots = simt_machine_launched(m)->prog->nslots;
	struct mali_run *r = simt_machine_arg(m);

	if (u->d + MAX_RESULTS > nslots || u->d2 + SIMT_EXT_REACH > nslots)
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	if (op >= MX_NUM || (is_fragments(op) && r->w.stage != MALI_STAGE_FRAGMENT))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	if (!simt_ext_resumes(m))
		simt_charge(m, 2 * hweight64(b->mask));
	return handlers[op](m, b, u);
}
