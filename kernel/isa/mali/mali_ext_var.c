// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Varyings of fragments: interpolated, flat, special; preloaded messages.
 */
#include "mali_run_int.h"

#define SUBPIXEL	256

/* Values of a varying at the corners of the primitive. */
static bool corners(struct simt_machine *m, u64 mask, u32 index, u32 v[3][4],
		    enum mali_kind *kind)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 i, n = r->w.frag->prim == MALI_PRIM_TRIANGLE ? 3 : 1;
	struct mali_elem e;

	*kind = MALI_KIND_F32;
	memset(v, 0, 3 * 4 * sizeof(**v));
	if (!mx_attr(m, mask, &r->w.varyings, index, &e))
		return false;
	if (!e.attr)
		return true;
	*kind = mali_format_kind(&e.attr->format);
	for (i = 0; i < n; i++) {
		if (!mx_read_elem(m, mask, &e, r->w.frag->index[i], v[i]))
			return false;
	}
	return true;
}

static void fill(u32 *out, u64 mask, u32 value)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = value;
}

/* Varying of blocks of quads; integers are flat. */
static bool of_quads(struct simt_machine *m, u64 mask, u32 index, u32 comps, bool flat,
		     enum mali_kind *kind, u32 v[][SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);
	struct mali_elem e;
	u32 k;

	*kind = MALI_KIND_F32;
	if (!mx_attr(m, mask, &r->w.varyings, index, &e))
		return false;
	for (k = 0; k < comps && !e.attr; k++)
		fill(v[k], mask, 0);
	if (!e.attr)
		return true;
	*kind = mali_format_kind(&e.attr->format);
	return mali_quads_varying(m, mask, &e, comps, true, flat || *kind != MALI_KIND_F32, v);
}

/* Interpolate with the raster's current edge values. */
static bool interpolate(struct simt_machine *m, u64 mask, u32 index, u32 comps,
			u32 v[][SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);
	u32 c[3][4], k, i, one[3];
	enum mali_kind kind;

	if (r->r->q)
		return of_quads(m, mask, index, comps, false, &kind, v);
	if (!corners(m, mask, index, c, &kind))
		return false;
	for (k = 0; k < comps; k++) {
		for (i = 0; i < 3; i++)
			one[i] = c[i][k];
		/* integers are flat, or undefined */
		if (r->w.frag->prim != MALI_PRIM_TRIANGLE || kind != MALI_KIND_F32)
			fill(v[k], mask, one[0]);
		else
			mali_fp_perspective(simt_machine_simd(m), &r->r->fp, mask, &one, 1, v[k]);
	}
	return true;
}

bool mx_varying(struct simt_machine *m, u64 mask, u32 index, u32 comps, u32 v[][SIMT_LANES])
{
	return interpolate(m, mask, index, comps, v);
}

/*
 * Sample position of a lane's varyings, in 1/256 from the pixel's corner. @s1: r61 as compilers
 * pass it: coverage, with the sample index in the upper half; or an explicit position.
 */
static void place(const struct mali_raster *r, u32 mode, u32 s1, s32 *x, s32 *y)
{
	u32 all = (1U << r->nsamples) - 1, some = s1 & all;

	mali_sample_place(1, 0, x, y);
	if (mode == MALI_EXPLICIT) {
		*x = (s16)(s1 & 0xffff);
		*y = (s16)(s1 >> 16);
	} else if (mode == MALI_SAMPLE) {
		mali_sample_place(r->nsamples, s1 >> 16, x, y);
	} else if (mode == MALI_CENTROID && r->nsamples > 1 && some && some != all) {
		mali_sample_place(r->nsamples, __ffs64(some), x, y);
	}
}

void mali_edges_in(struct mali_raster *r, u32 l, u32 mode, u32 s1)
{
	s32 x, y;

	place(r, mode, s1, &x, &y);
	mali_edges_at(r, l, x, y);
}

static void edges_at_centres(struct mali_raster *r, u64 mask)
{
	u32 l;

	EACH_LANE(l, mask)
		mali_edges_in(r, l, MALI_CENTER, 0);
}

static void keep_centres(struct mali_raster *r, u64 mask)
{
	s32 x, y;
	u32 l;

	mali_sample_place(1, 0, &x, &y);
	EACH_LANE(l, mask) {
		r->kept[0][l] = (s16)x;
		r->kept[1][l] = (s16)y;
	}
}

/* Set the edges to the operation's sample position, and store it; or use a stored one. */
static void move_edges(struct mali_raster *r, const struct simt_block *b,
		       const struct simt_uop *u, u64 mask)
{
	u32 update = MALI_EXT_UPDATE(u->imm), l;
	s32 x, y;

	EACH_LANE(l, mask) {
		if (update == MALI_UPDATE_RETRIEVE) {
			mali_edges_at(r, l, r->kept[0][l], r->kept[1][l]);
			continue;
		}
		place(r, MALI_EXT_SAMPLE(u->imm), mx_src(b, u, 1, l), &x, &y);
		mali_edges_at(r, l, x, y);
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

	if (!is_away(r, u, mask)) {
		if (MALI_EXT_UPDATE(u->imm) == MALI_UPDATE_STORE)
			r->r->moved &= ~mask;
		return interpolate(m, mask, index, comps, v);
	}
	/* lanes at the centre may share a request with others */
	if (MALI_EXT_UPDATE(u->imm) == MALI_UPDATE_RETRIEVE)
		keep_centres(r->r, mask & ~r->r->moved);
	move_edges(r->r, b, u, mask);
	ok = interpolate(m, mask, index, comps, v);
	edges_at_centres(r->r, mask);
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
	mali_block_to_reg(MALI_KIND_F32, (const u32 (*)[SIMT_LANES])r->v, regfmt, comps, mask,
			  mx_slot(b, u->d, 0));
	return true;
}

bool mx_ld_var(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = simt_ext_lanes(m, b), lanes;

	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = mx_same(b, u, 0, left);
		simt_charge(m, MALI_VARYING_COST);
		if (!ld_var(m, b, u, lanes, mx_src(b, u, 0, __ffs64(left))))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

bool mx_ld_var_flat(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	const struct mali_frag *f = r->w.frag;
	u32 comps = MALI_EXT_COMPS(u->imm), regfmt = MALI_EXT_REGFMT(u->imm), l, n;
	u32 c[3][4], out[4], from = f->prim == MALI_PRIM_TRIANGLE ? f->provoking : 0;
	u64 left = b->mask, lanes;
	enum mali_kind kind;

	n = comps >= 1 && comps <= 4 ? mali_reg_slots(regfmt, comps) : 0;
	if (!n)
		return mx_refuse(m, b->mask, MALI_RUN_BAD_FORMAT, 0);
	for (; left && r->r->q; left &= ~lanes) {
		lanes = mx_same(b, u, 0, left);
		if (!of_quads(m, lanes, mx_src(b, u, 0, __ffs64(left)), comps, true, &kind, r->v))
			return false;
		mali_block_to_reg(kind, (const u32 (*)[SIMT_LANES])r->v, regfmt, comps, lanes,
				  mx_slot(b, u->d, 0));
	}
	for (; left; left &= ~lanes) {
		lanes = mx_same(b, u, 0, left);
		if (!corners(m, lanes, mx_src(b, u, 0, __ffs64(left)), c, &kind))
			return false;
		mali_to_reg(kind, c[from], regfmt, comps, out);
		EACH_LANE(l, lanes)
			mx_put(b, u->d, l, out, n);
	}
	return true;
}

/* ---- special ---- */

/* Point coordinates: from 0 to 1 over the point. */
static void point_coord(struct simt_machine *m, u64 mask, u32 v[][SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);

	if (r->r->q) {
		mali_quads_point(m, mask, r->w.frag->flags & MALI_FRAG_POINT_UP, v[0], v[1]);
		return;
	}
	if (r->w.frag->prim == MALI_PRIM_POINT) {
		mali_raster_point(r->r, r->w.frag->flags & MALI_FRAG_POINT_UP,
				  simt_machine_simd(m), mask, v[0], v[1]);
		return;
	}
	fill(v[0], mask, 0);
	fill(v[1], mask, 0);
}

void mali_frag_inv_w(struct simt_machine *m, u64 mask, u32 *out)
{
	struct mali_run *r = simt_machine_arg(m);

	if (r->r->q)
		mali_quads_inv_w(m, mask, out);
	else
		mali_fp_linear(simt_machine_simd(m), &r->r->fp, mask, r->r->fp.inv_w, out);
}

bool mx_ld_var_special(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 comps = MALI_EXT_COMPS(u->imm), regfmt = MALI_EXT_REGFMT(u->imm), i;

	if (comps < 1 || comps > 4 || !mali_reg_slots(regfmt, comps))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_FORMAT, 0);
	for (i = 0; i < 4; i++)
		fill(r->v[i], b->mask, 0);
	switch (u->imm >> 20 & 15) {
	case MALI_VAR_POINT:
		point_coord(m, b->mask, r->v);
		break;
	case MALI_VAR_FRAG_W:
		mali_frag_inv_w(m, b->mask, r->v[0]);
		break;
	case MALI_VAR_FRAG_Z:
		mali_frag_z(m, b->mask, r->v[0]);
		break;
	default:
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	}
	mali_block_to_reg(MALI_KIND_F32, (const u32 (*)[SIMT_LANES])r->v, regfmt, comps, b->mask,
			  mx_slot(b, u->d, 0));
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
		if (!mx_varying(m, b->live, w >> 4 & 31, comps, r->v))
			return false;
		mali_block_to_reg(MALI_KIND_F32, (const u32 (*)[SIMT_LANES])r->v, regfmt, comps,
				  b->live, mx_slot(b, reg, 0));
		return true;
	case MESSAGE_VAR_TEX:
		return mx_varying(m, b->live, w >> 4 & 7, 2, r->req->coord) &&
		       mx_sample_var(m, b->live, w >> 7 & 3, w >> 15 & 1, regfmt,
				     mx_slot(b, reg, 0));
	default:
		return mx_refuse(m, b->live, MALI_RUN_BAD_MESSAGE, w);
	}
}

bool mx_messages(struct simt_machine *m, struct simt_block *b)
{
	struct mali_run *r = simt_machine_arg(m);

	return message(m, b, r->w.message[0], 0) && message(m, b, r->w.message[1], 4);
}
