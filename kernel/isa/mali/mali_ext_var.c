// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Varyings of fragments: interpolated, flat, special; preloaded messages.
 */
#include "mali_run_int.h"

static void mx_var_fill(u32 *out, u64 mask, u32 value)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = value;
}

/* Read a varying; integers are flat. */
static bool read_varying(struct simt_machine *m, u64 mask, u32 index, u32 comps, bool flat,
			 enum px_kind *kind, u32 v[][SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);
	struct mali_elem e;
	u32 k;

	*kind = PX_KIND_F32;
	if (!mx_attr(m, mask, &r->w.varyings, index, &e))
		return false;
	for (k = 0; k < comps && !e.attr; k++)
		mx_var_fill(v[k], mask, 0);
	if (!e.attr)
		return true;
	*kind = px_format_kind(&e.attr->format);
	return mali_frag_varying(m, mask, &e, comps, true, flat || *kind != PX_KIND_F32, v);
}

/* Varying @index at the pixel centres of @mask's lanes, binary32; @v has @comps rows. */
static bool mx_varying(struct simt_machine *m, u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES])
{
	enum px_kind kind;

	return read_varying(m, mask, index, comps, false, &kind, v);
}

/*
 * Sample position of a lane's varyings, in 1/256 from the pixel's corner. @s1: r61 as compilers
 * pass it: coverage, with the sample index in the upper half; or an explicit position.
 */
static void mx_var_place(const struct mali_fragments *r, u32 mode, u32 s1, s32 *x, s32 *y)
{
	u32 all = (1U << r->nsamples) - 1, some = s1 & all;

	vr_sample_place(1, 0, x, y);
	if (mode == MALI_EXPLICIT) {
		*x = (s16)(s1 & 0xffff);
		*y = (s16)(s1 >> 16);
	} else if (mode == MALI_SAMPLE) {
		vr_sample_place(r->nsamples, s1 >> 16, x, y);
	} else if (mode == MALI_CENTROID && r->nsamples > 1 && some && some != all) {
		vr_sample_place(r->nsamples, __ffs64(some), x, y);
	}
}

void mali_place(struct mali_fragments *r, u32 l, u32 mode, u32 s1)
{
	s32 x, y;

	mx_var_place(r, mode, s1, &x, &y);
	vr_shade_at(&r->s, l, x, y);
}

static void keep_centres(struct mali_fragments *r, u64 mask)
{
	s32 x, y;
	u32 l;

	vr_sample_place(1, 0, &x, &y);
	EACH_LANE(l, mask) {
		r->kept[0][l] = (s16)x;
		r->kept[1][l] = (s16)y;
	}
}

/* Move to the operation's sample position, and store it; or use a stored one. */
static void move_to(struct mali_fragments *r, const struct simt_block *b,
		    const struct simt_uop *u, u64 mask)
{
	u32 update = MALI_EXT_UPDATE(u->imm), l;
	s32 x, y;

	EACH_LANE(l, mask) {
		if (update == MALI_UPDATE_RETRIEVE) {
			vr_shade_at(&r->s, l, r->kept[0][l], r->kept[1][l]);
			continue;
		}
		mx_var_place(r, MALI_EXT_SAMPLE(u->imm), sx_src(b, u, 1, l), &x, &y);
		vr_shade_at(&r->s, l, x, y);
		r->kept[0][l] = (s16)x;
		r->kept[1][l] = (s16)y;
	}
	if (update == MALI_UPDATE_STORE)
		r->moved |= mask;
}

/* Is any of the lanes' sample positions not the pixel centre? */
static bool is_away(const struct mali_run *r, const struct simt_uop *u, u64 mask)
{
	u32 mode = MALI_EXT_SAMPLE(u->imm);

	if (r->w.frag->prim != MALI_PRIM_TRIANGLE)
		return false;
	if (MALI_EXT_UPDATE(u->imm) == MALI_UPDATE_RETRIEVE)
		return r->r->moved & mask;
	return mode == MALI_EXPLICIT ||
	       (r->r->nsamples > 1 && (mode == MALI_SAMPLE || mode == MALI_CENTROID));
}

bool mx_varying_at(struct simt_machine *m, const struct simt_block *b, const struct simt_uop *u,
		   u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);
	bool ok;
	u32 l;

	if (!is_away(r, u, mask)) {
		if (MALI_EXT_UPDATE(u->imm) == MALI_UPDATE_STORE)
			r->r->moved &= ~mask;
		return mx_varying(m, mask, index, comps, v);
	}
	/* lanes at the centre may share a request with others */
	if (MALI_EXT_UPDATE(u->imm) == MALI_UPDATE_RETRIEVE)
		keep_centres(r->r, mask & ~r->r->moved);
	move_to(r->r, b, u, mask);
	ok = mx_varying(m, mask, index, comps, v);
	EACH_LANE(l, mask)
		mali_place(r->r, l, MALI_CENTER, 0);
	return ok;
}

static bool ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		   u64 mask, u32 index)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 comps = MALI_EXT_COMPS(u->imm), regfmt = MALI_EXT_REGFMT(u->imm);

	if (comps < 1 || comps > 4 || !mali_reg_slots(regfmt, comps))
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, 0);
	if (!mx_varying_at(m, b, u, mask, index, comps, r->v))
		return false;
	mali_block_to_reg(simt_machine_simd(m), PX_KIND_F32, (const u32 (*)[SIMT_LANES])r->v,
			  regfmt, comps, mask, sx_slot(b, u->d, 0));
	return true;
}

bool mx_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = simt_ext_lanes(m, b), lanes;

	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = sx_same(b, u, 0, left);
		simt_charge(m, MALI_VARYING_COST);
		if (!ld_var(m, b, u, lanes, sx_src(b, u, 0, __ffs64(left))))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

bool mx_ld_var_flat(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 comps = MALI_EXT_COMPS(u->imm), regfmt = MALI_EXT_REGFMT(u->imm);
	u64 left = b->mask, lanes;
	enum px_kind kind;

	if (comps < 1 || comps > 4 || !mali_reg_slots(regfmt, comps))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_FORMAT, 0);
	for (; left; left &= ~lanes) {
		lanes = sx_same(b, u, 0, left);
		if (!read_varying(m, lanes, sx_src(b, u, 0, __ffs64(left)), comps, true, &kind,
				  r->v))
			return false;
		mali_block_to_reg(simt_machine_simd(m), kind, (const u32 (*)[SIMT_LANES])r->v,
				  regfmt, comps, lanes, sx_slot(b, u->d, 0));
	}
	return true;
}

/* ---- special ---- */

bool mx_ld_var_special(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 comps = MALI_EXT_COMPS(u->imm), regfmt = MALI_EXT_REGFMT(u->imm), i;
	enum vs_simd simd = simt_machine_simd(m);

	if (comps < 1 || comps > 4 || !mali_reg_slots(regfmt, comps))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_FORMAT, 0);
	for (i = 0; i < 4; i++)
		mx_var_fill(r->v[i], b->mask, 0);
	switch (u->imm >> 20 & 15) {
	case MALI_VAR_POINT:
		vr_shade_point(&r->r->s, simd, b->mask, r->w.frag->flags & MALI_FRAG_POINT_UP,
			       r->v[0], r->v[1]);
		break;
	case MALI_VAR_FRAG_W:
		mali_frag_inv_w(m, b->mask, r->v[0]);
		break;
	case MALI_VAR_FRAG_Z:
		vr_shade_z(&r->r->s, simd, b->mask, r->v[0]);
		break;
	default:
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	}
	mali_block_to_reg(simd, PX_KIND_F32, (const u32 (*)[SIMT_LANES])r->v, regfmt, comps,
			  b->mask, sx_slot(b, u->d, 0));
	return true;
}

/* ---- messages ---- */

/* Kinds of preloaded messages; numbers of the hardware. */
enum { MESSAGE_NONE, MESSAGE_LD_VAR, MESSAGE_VAR_TEX };

static bool message(struct simt_machine *m, struct simt_block *b, u32 w, u32 reg)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 regfmt = w >> 9 & 3 ? MALI_REG_F16 : MALI_REG_F32, comps = (w >> 11 & 3) + 1;

	switch (w & 15) {
	case MESSAGE_NONE:
		return true;
	case MESSAGE_LD_VAR:
		/* binary32 as it is, and only lanes of @b->live are written */
		if (regfmt == MALI_REG_F32)
			return mx_varying(m, b->live, w >> 4 & 31, comps,
					  (u32 (*)[SIMT_LANES])sx_slot(b, reg, 0));
		if (!mx_varying(m, b->live, w >> 4 & 31, comps, r->v))
			return false;
		mali_block_to_reg(simt_machine_simd(m), PX_KIND_F32,
				  (const u32 (*)[SIMT_LANES])r->v, regfmt, comps, b->live,
				  sx_slot(b, reg, 0));
		return true;
	case MESSAGE_VAR_TEX:
		return mx_varying(m, b->live, w >> 4 & 7, 2, r->req->coord) &&
		       mx_sample_var(m, b->live, w >> 7 & 3, w >> 15 & 1, regfmt,
				     sx_slot(b, reg, 0));
	default:
		return mx_refuse_value(m, b->live, MALI_RUN_BAD_MESSAGE, 0, w);
	}
}

bool mx_messages(struct simt_machine *m, struct simt_block *b)
{
	struct mali_run *r = simt_machine_arg(m);

	return message(m, b, r->w.message[0], 0) && message(m, b, r->w.message[1], 4);
}
