// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of the pixel processor: a thread is a fragment, sixteen quads are a block. Inputs
 * are computed at the start of a block, registers are written to images at its end.
 */
#include "../../engine/softfloat.h"
#include "utgard_run_int.h"

#define F32_ONE		0x3f800000U
#define F32_INF		0x7f800000U
#define STREAM_TARGET	16	/* streams in fault records: inputs, targets, mask, depth */
#define START_COST	64
#define VARYING_COST	64	/* cost of interpolating a varying for a block */
#define TARGET_COST	16

/* ---- inputs of a primitive ---- */

static bool is_rect(const struct utgard_run *r)
{
	return r->pp->frag->prim == MALI_PRIM_RECT;
}

static void upp_run_fill(u32 *out, u64 mask, u32 value)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = value;
}

/* Slot of an input, all lanes. */
static u32 *upp_run_input(struct simt_block *b, u32 in)
{
	switch (in) {
	case UPP_IN_COORD:
		return sx_slot(b, UPP_SLOT_COORD, 0);
	case UPP_IN_POINT:
		return sx_slot(b, UPP_SLOT_POINT, 0);
	case UPP_IN_FACING:
		return sx_slot(b, UPP_SLOT_FACING, 0);
	default:
		return sx_slot(b, UPP_SLOT_VAR + 4 * in, 0);
	}
}

static u32 input_comps(u32 in)
{
	return in == UPP_IN_FACING ? 1 : in == UPP_IN_POINT ? 2 : 4;
}

/* Interpolate an input; components missing in the stream are constants. */
static void upp_run_interpolate(struct simt_machine *m, struct simt_block *b, u32 in)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct utgard_corner *c = &r->corner[in];
	u32 n = r->pp->frag->prim == MALI_PRIM_TRIANGLE ? r->stream[in]->format.ncomp : 0;
	u32 *slot = upp_run_input(b, in), quads = vr_quads_of(b->live), k, q;
	struct vr_shade *s = &r->raster->shade;
	enum vs_simd simd = simt_machine_simd(m);

	simt_charge(m, VARYING_COST);
	if (n)
		vr_shade_weigh(s, simd, true);
	for (k = 0; k < n; k++) {
		for (q = 0; q < VR_QUADS; q++)
			memcpy(s->v[q], c->v[k], sizeof(s->v[q]));
		vr_shade_interpolate(s, simd, true, quads, slot + k * SIMT_LANES);
	}
	for (k = n; k < 4; k++)
		upp_run_fill(slot + k * SIMT_LANES, b->live, c->v[k][0]);
}

/* Row of a fragment, for the program. */
static u32 upp_run_row_of(const struct utgard_run *r, u32 lane)
{
	const struct mali_frag *f = r->pp->frag;
	u32 y = r->raster->y[lane];

	return f->flags & UPP_FRAG_Y_UP ? f->y + f->height - 1 - y : y;
}

/* x + 1/2 */
static u32 centre(u32 x)
{
	return px_s32_to_f32((s32)(2 * x + 1)) - (1U << 23);
}

static void upp_run_coordinates(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 *slot = upp_run_input(b, UPP_IN_COORD), *z = slot + 2 * SIMT_LANES;
	u32 *w = z + SIMT_LANES, l;
	enum vs_simd simd = simt_machine_simd(m);
	struct utgard_pixels *ra = r->raster;

	EACH_LANE(l, b->live) {
		slot[l] = centre(ra->x[l]);
		slot[l + SIMT_LANES] = centre(upp_run_row_of(r, l));
		z[l] = 0;
		w[l] = F32_ONE;
	}
	if (is_rect(r))
		return;
	vr_shade_z(&ra->shade, simd, b->live, z);
	vr_shade_weigh(&ra->shade, simd, false);
	vr_shade_inv_w(&ra->shade, simd, b->live, w);
	EACH_LANE(l, b->live)
		w[l] = sf_div(F32_ONE, w[l], false);
}

/* Inputs from the primitive, unless streams replace them. */
static void upp_run_builtin(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct mali_frag *f = r->pp->frag;
	u32 *point = upp_run_input(b, UPP_IN_POINT);

	upp_run_coordinates(m, b);
	upp_run_fill(upp_run_input(b, UPP_IN_FACING), b->live,
		     f->flags & MALI_FRAG_BACK ? 0 : F32_ONE);
	if (f->prim == MALI_PRIM_POINT)
		vr_shade_point(&r->raster->shade, simt_machine_simd(m), b->live,
			       f->flags & UPP_FRAG_Y_UP, point, point + SIMT_LANES);
}

/* ---- inputs of fragments ---- */

/* Index of a lane's fragment in the rectangle; helpers outside have the nearest one's. */
static u64 fragment(const struct utgard_run *r, u32 lane)
{
	const struct mali_frag *f = r->pp->frag;
	u32 x = min(r->raster->x[lane] - f->x, f->width - 1);
	u32 y = min(r->raster->y[lane] - f->y, f->height - 1);

	return (u64)y * f->width + x;
}

static bool read_input(struct simt_machine *m, struct simt_block *b, u32 in)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct utgard_stream *s = r->stream[in];
	u32 *slot = upp_run_input(b, in), n = input_comps(in), l, k, v[4];
	const u8 *p;

	simt_charge(m, VARYING_COST);
	EACH_LANE(l, b->live) {
		utgard_lanes(m, BIT_ULL(l));
		p = utgard_elem(m, s, fragment(r, l), BIT_ULL(l), (u32)(s - r->pp->in));
		if (!p)
			return false;
		utgard_read(s, p, v);
		for (k = 0; k < n; k++)
			slot[k * SIMT_LANES + l] = v[k];
	}
	return true;
}

static bool inputs(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 in;

	for (in = 0; in < UPP_NUM_IN; in++) {
		if (in < UPP_NUM_VARYINGS && !(r->pixel.inputs >> in & 1))
			continue;
		if (!r->stream[in]) {
			if (in < UPP_NUM_VARYINGS)
				upp_run_fill(upp_run_input(b, in) + 3 * SIMT_LANES, b->live,
					     F32_ONE);
		} else if (!is_rect(r)) {
			upp_run_interpolate(m, b, in);
		} else if (!read_input(m, b, in)) {
			return false;
		}
	}
	return true;
}

/* Read pixels of the first image, for programs that read the frame buffer. */
static bool read_target(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct mali_surf *s = &r->raster->target[0];
	u32 l, k, v[4];
	const u8 *p;

	simt_charge(m, TARGET_COST);
	EACH_LANE(l, r->raster->covered) {
		utgard_lanes(m, BIT_ULL(l));
		p = mali_pixel(m, s, r->raster->x[l], r->raster->y[l], BIT_ULL(l), false);
		if (!p) {
			simt_fault_stream(m, STREAM_TARGET);
			return false;
		}
		px_unpack(&s->format, p, v);
		for (k = 0; k < 4; k++)
			*sx_slot(b, UPP_SLOT_FB_COLOR + k, l) = v[k];
	}
	return true;
}

static bool read_depth(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 *slot = sx_slot(b, UPP_SLOT_FB_DEPTH, 0), l;
	const u8 *p;
	u64 va;

	simt_charge(m, TARGET_COST);
	EACH_LANE(l, r->raster->covered) {
		utgard_lanes(m, BIT_ULL(l));
		va = r->pp->depth + (u64)r->raster->y[l] * r->pp->depth_stride +
		     4ULL * r->raster->x[l];
		p = utgard_ptr(m, va, 4, 0);
		if (!p) {
			simt_fault(m, VS_FAULT_READ, BIT_ULL(l), va, 4);
			simt_fault_stream(m, STREAM_TARGET + UPP_MAX_TARGETS + 1);
			return false;
		}
		memcpy(&slot[l], p, 4);
	}
	return true;
}

static void upp_run_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct utgard_run *r = simt_machine_arg(m);
	struct utgard_pixels *ra = r->raster;
	const struct vr_pixels to = { .x = ra->x, .y = ra->y, .cover = ra->cover };

	ra->covered = vr_area_begin(&ra->shade, simt_machine_simd(m), &ra->area, g->group, 1, &to);
	b->live &= vr_whole_quads(ra->covered);
	b->helper = b->live & ~ra->covered;
	b->mask = b->live;
	simt_charge(m, START_COST);
	if (!b->live)
		return;
	if (r->pixel.given)
		upp_run_builtin(m, b);
	if (inputs(m, b) && (!r->pixel.fb_color || read_target(m, b)) && r->pixel.fb_depth)
		read_depth(m, b);
	utgard_lanes(m, 0);
}

static bool upp_run_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	const struct utgard_run *r = simt_machine_arg(m);

	return utgard_tex_ext(m, b, u, &r->bank);
}

/* ---- outputs ---- */

/*
 * Pixel 0, 0 of a linear image, if all pixels from the first to the last row of the block can be
 * written; else NULL.
 */
static u8 *whole_rows(struct simt_machine *m, const struct mali_surf *s, u64 mask)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct mali_frag *f = r->pp->frag;
	u32 top = r->raster->y[__ffs64(mask)] & ~1U;
	u32 bottom = min(r->raster->y[63 - __builtin_clzll(mask)] | 1U, f->y + f->height - 1);
	u64 lo = (u64)top * s->t.row_stride + 4ULL * f->x;
	u64 hi = (u64)bottom * s->t.row_stride + 4ULL * (f->x + f->width);
	u8 *p;

	if (s->t.order != PX_LINEAR || r->pp->dbg)
		return NULL;
	p = simt_ptr(m, s->t.va + lo, hi - lo, VS_EXT_WRITE);
	return p ? p - lo : NULL;
}

/* Write pixels of four bytes to the rows from @rows on. */
static void write_rows(const struct utgard_run *r, const struct mali_surf *s, u64 mask,
		       const u32 pixel[SIMT_LANES], u8 *rows)
{
	const struct utgard_pixels *ra = r->raster;
	u32 i, l;
	u8 *p;

	for (i = 0; i < SIMT_LANES; i += 4) {
		p = rows + (u64)ra->y[i] * s->t.row_stride + 4ULL * ra->x[i];
		if ((mask >> i & 15) == 15) {
			memcpy(p, pixel + i, 8);
			memcpy(p + s->t.row_stride, pixel + i + 2, 8);
			continue;
		}
		for (l = 0; l < 4; l++)
			if (mask >> (i + l) & 1)
				memcpy(p + (l >> 1) * s->t.row_stride + 4 * (l & 1), pixel + i + l,
				       4);
	}
}

/* Write a block of pixels at once. Return: false: write them one by one. */
static bool upp_run_write_block(struct simt_machine *m, struct simt_block *b, u32 n, u64 mask)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct mali_surf *s = &r->raster->target[n];
	const u32 *reg = sx_slot(b, UPP_SLOT_REG + 4 * r->pp->target[n].reg, 0);
	u32 pixel[SIMT_LANES] __aligned(64);
	u8 *rows;

	static_assert(SIMT_LANES == VS_LANES, "lanes of blocks");
	rows = mask ? whole_rows(m, s, mask) : NULL;
	if (!rows || !vr_pack_bytes(simt_machine_simd(m), &s->format,
				    (const u32 (*)[VS_LANES])reg, pixel))
		return false;
	write_rows(r, s, mask, pixel, rows);
	return true;
}

static bool write_target(struct simt_machine *m, struct simt_block *b, u32 n, u64 mask)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct mali_surf *s = &r->raster->target[n];
	u32 reg = UPP_SLOT_REG + 4 * r->pp->target[n].reg, l, k, v[4];
	u8 *p;

	simt_charge(m, TARGET_COST);
	if (upp_run_write_block(m, b, n, mask))
		return true;
	EACH_LANE(l, mask) {
		utgard_lanes(m, BIT_ULL(l));
		p = mali_pixel(m, s, r->raster->x[l], r->raster->y[l], BIT_ULL(l), true);
		if (!p) {
			simt_fault_stream(m, STREAM_TARGET + n);
			return false;
		}
		for (k = 0; k < 4; k++)
			v[k] = *sx_slot(b, reg + k, l);
		px_pack(&s->format, v, 4, p);
	}
	return true;
}

static bool write_mask(struct simt_machine *m, u64 covered, u64 written)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u64 va;
	u32 l;
	u8 *p;

	EACH_LANE(l, covered) {
		utgard_lanes(m, BIT_ULL(l));
		va = r->pp->mask + (u64)r->raster->y[l] * r->pp->mask_stride + r->raster->x[l];
		p = utgard_ptr(m, va, 1, VS_EXT_WRITE);
		if (!p) {
			simt_fault(m, VS_FAULT_WRITE, BIT_ULL(l), va, 1);
			simt_fault_stream(m, STREAM_TARGET + UPP_MAX_TARGETS);
			return false;
		}
		*p = written >> l & 1;
	}
	return true;
}

static bool outputs(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u64 written = r->raster->covered & ~b->helper;
	u32 i;

	for (i = 0; i < r->pp->ntargets; i++)
		if (r->pp->target[i].va && !write_target(m, b, i, written))
			return false;
	return !r->pp->mask || write_mask(m, r->raster->covered, written);
}

static void upp_run_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	outputs(m, b);
	utgard_lanes(m, 0);
}

static const struct simt_ops ops = { .start = upp_run_start, .ext = upp_run_ext,
				     .end = upp_run_end };

/* ---- preparation ---- */

static bool read_targets(struct utgard_run *r, const struct upp_work *w)
{
	u32 i;

	for (i = 0; i < w->ntargets; i++) {
		const struct upp_target *t = &w->target[i];
		struct mali_surf *s = &r->raster->target[i];

		s->t = (struct mali_target){ .va = t->va, .row_stride = t->row_stride,
					     .order = t->order };
		s->format = t->format;
		if (t->reg >= UPP_NUM_REGS || (t->order != PX_LINEAR && t->order != PX_TILED))
			return false;
		if (t->format.layout != PX_PLAIN || !t->format.bytes ||
		    !px_format_writable(&t->format) ||
		    px_format_kind(&t->format) != PX_KIND_F32)
			return false;
	}
	return true;
}

static bool bind_streams(struct utgard_run *r, const struct upp_work *w)
{
	bool rect = w->frag->prim == MALI_PRIM_RECT;
	u32 i;

	for (i = 0; i < w->nin; i++) {
		const struct utgard_stream *s = &w->in[i];

		if (s->reg >= (rect ? UPP_NUM_IN : UPP_NUM_VARYINGS) || s->divisor ||
		    !utgard_stream_ok(s) || r->stream[s->reg])
			return false;
		r->stream[s->reg] = s;
	}
	return true;
}

/* Return: 0, -ENOEXEC. */
static int read_corners(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	u32 n = w->frag->prim == MALI_PRIM_TRIANGLE ? 3 : 1, in, i, k, v[4];
	u8 bytes[PX_MAX_BYTES];
	u64 va;

	for (in = 0; in < UPP_NUM_VARYINGS; in++) {
		const struct utgard_stream *s = r->stream[in];

		for (i = 0; s && i < n; i++) {
			va = s->va + (u64)w->frag->index[i] * s->stride;
			if (va >= VS_INTERNAL_VA ||
			    vs_map_read(r->guest, va, bytes, s->format.bytes) != s->format.bytes) {
				vs_fault_memory(fault, VS_FAULT_READ, va, s->format.bytes);
				fault->stream = (u32)(s - w->in);
				return -ENOEXEC;
			}
			utgard_read(s, bytes, v);
			for (k = 0; k < 4; k++)
				r->corner[in].v[k][i] = v[k];
		}
	}
	return 0;
}

static int upp_run_geometry(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	static const struct vr_depth depth = { .range = { F32_INF | 1U << 31, F32_INF } };
	const struct mali_frag *f = w->frag;

	r->raster = simt_arena_alloc(r->arena, 1, sizeof(*r->raster));
	r->corner = simt_arena_alloc(r->arena, UPP_NUM_VARYINGS, sizeof(*r->corner));
	if (!r->raster || !r->corner)
		return -ENOMEM;
	r->raster->area.tile.samples = 1;
	r->raster->area.depth = depth;
	if (f->flags & ~(MALI_FRAG_BACK | UPP_FRAG_Y_UP) ||
	    !mali_frag_area(f, &r->raster->area) || !read_targets(r, w))
		return vs_fault_command(fault, 0, UTGARD_BAD_FRAGMENT, 0);
	if (!bind_streams(r, w))
		return vs_fault_command(fault, 0, UTGARD_BAD_STREAM, 0);
	return f->prim == MALI_PRIM_RECT ? 0 : read_corners(r, w, fault);
}

/* Convert uniforms that are read without an offset to binary32. */
static int uniforms(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	u32 n = r->pixel.prog->nunif, i;
	u32 *unif = simt_arena_alloc(r->arena, n, sizeof(*unif));
	u16 *half = simt_arena_alloc(r->arena, n, sizeof(*half));
	int ret;

	if (!unif || !half)
		return -ENOMEM;
	ret = utgard_uniforms(r, w->uniforms, 8ULL * w->nrows, 2ULL * n, half, fault);
	for (i = 0; i < n && !ret; i++)
		unif[i] = vs_f16_to_f32(half[i]);
	r->l.unif = unif;
	r->ubo = (struct simt_ubo){ .va = w->uniforms, .size = 8ULL * w->nrows };
	return ret;
}

/* Number of registers up to the last one that is written to an image. */
static u32 num_regs(const struct upp_work *w)
{
	u32 n = 1, i;

	for (i = 0; i < w->ntargets; i++)
		n = max(n, w->target[i].reg + 1);
	return n;
}

static int begin_lower(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	u32 flags = (w->switches & UPP_SW_FP32 ? UPP_LOWER_FP32 : 0) |
		    (w->dbg ? UPP_LOWER_DEBUG : 0) |
		    (w->frag->flags & UPP_FRAG_Y_UP ? UPP_LOWER_Y_UP : 0) |
		    UPP_LOWER_REGS(num_regs(w));
	struct vs_reject rej = {};
	int ret;

	ret = upp_lower_new(r->arena, w->code, w->ncode, w->entry, w->temps, flags, &r->pixel,
			    &r->lowering, &rej);
	return ret == -ENOEXEC ? utgard_reject(fault, &rej) : ret;
}

static int upp_run_begin(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	int ret;

	if (w->ntargets > UPP_MAX_TARGETS || w->nrows > UPP_MAX_ROWS || w->nin > UPP_NUM_IN ||
	    w->temps > UPP_MAX_TEMPS || w->ntextures > UPP_MAX_TEXTURES)
		return vs_fault_command(fault, 0, UTGARD_BAD_SIZE, 0);
	ret = upp_run_geometry(r, w, fault);
	return ret ? ret : begin_lower(r, w, fault);
}

/* Slots that upp_run_start() sets in all lanes of a quad. */
static void upp_run_preset(struct utgard_run *r)
{
	u32 in;

	for (in = 0; in < UPP_NUM_VARYINGS; in++) {
		if (!(r->pixel.inputs >> in & 1))
			continue;
		if (r->stream[in])
			utgard_preset(r, UPP_SLOT_VAR + 4 * in, 4);
		else
			utgard_preset(r, UPP_SLOT_VAR + 4 * in + 3, 1);
	}
	if (r->pixel.given) {
		utgard_preset(r, UPP_SLOT_COORD, 4);
		utgard_preset(r, UPP_SLOT_FACING, 1);
	}
}

int utgard_launch_pp(struct utgard_run *r, struct vs_fault *fault)
{
	const struct upp_work *w = r->pp;
	int ret;

	/* only the frame buffer contents that the job provides can be read */
	if ((r->pixel.fb_depth && !w->depth) ||
	    (r->pixel.fb_color && (!w->ntargets || !w->target[0].va)))
		return vs_fault_command(fault, 0, UTGARD_UNSUPPORTED, 0);
	ret = uniforms(r, w, fault);
	if (ret)
		return ret;
	r->bank = (struct utgard_tex_bank){ .tex = w->textures, .n = w->ntextures };
	r->bank.req = simt_arena_alloc(r->arena, 1, sizeof(*r->bank.req));
	if (!r->bank.req)
		return -ENOMEM;
	r->l.prog = r->pixel.prog;
	r->l.ops = &ops;
	r->l.local[0] = SIMT_LANES;
	r->l.local[1] = 1;
	r->l.local[2] = 1;
	r->l.groups[0] = DIV_ROUND_UP(r->raster->area.nquads, VR_QUADS);
	r->l.groups[1] = 1;
	r->l.groups[2] = 1;
	r->l.dbg = w->dbg;
	r->l.code_va = w->code_va;
	upp_run_preset(r);
	upp_debug_regs(r);
	return utgard_launch(r, r->pixel.tls, fault);
}

int utgard_prepare_pp(struct utgard_run *r, const struct upp_work *w, struct vs_fault *fault)
{
	int ret;

	utgard_begin(r, fault);
	r->pp = w;
	ret = upp_run_begin(r, w, fault);
	if (ret)
		utgard_run_end(r);
	return ret ? ret : -EAGAIN;
}
