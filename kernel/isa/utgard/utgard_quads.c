// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Pixel programs on blocks of quads in a tile buffer. A launch has all blocks that wait for a draw;
 * the blocks run one after another, so the tile buffer sees the quads in their order.
 */
#include "../../engine/softfloat.h"
#include "utgard_quads.h"
#include "utgard_run_int.h"

#define F32_ONE		0x3f800000U
#define START_COST	64
#define VARYING_COST	64	/* of interpolating a varying for a block */
#define PRIM_COST	8
#define TARGET_COST	16
#define SAMPLE_COST	4	/* of blending a sample */

/**
 * struct upq_run - Launches on quads.
 * @p:		pixels of the block; must be the first member, for the debugger
 * @d:		draw
 * @s:		block
 * @z:		depth of each sample
 * @cover:	samples of each lane that are left
 * @covered:	lanes with samples
 * @ref:	stencil reference of each lane
 * @ended:	calls of upq_end() for the block
 * @left:	lanes that have passed all tests
 * @corner:	a varying at the corners of some primitives
 * @of:		index of each quad's primitive there
 * @work:	for debuggers
 */
struct upq_run {
	struct utgard_block p;
	const struct upq_draw *d;
	struct vr_shade s;
	u32 z[VR_MAX_SAMPLES][VS_LANES];
	u16 cover[VS_LANES];
	u64 covered;
	u32 ref[VS_LANES];
	u32 ended;
	u64 left;
	u32 corner[VR_QUADS][3][4];
	u8 of[VR_QUADS];
	struct upp_work work;
};

static struct upq_run *run_of(struct simt_machine *m)
{
	const struct utgard_run *r = simt_machine_arg(m);

	return r->quads;
}

static struct vr_pixels pixels_of(struct upq_run *q)
{
	return (struct vr_pixels){ .x = q->p.x, .y = q->p.y, .cover = q->cover, .z = q->z };
}

static void upq_fill(u32 *out, u64 mask, u32 value)
{
	u32 l;

	EACH_LANE(l, mask)
		out[l] = value;
}

/* ---- varyings ---- */

/* Binary32 of a vertex's varying; missing components are 0, 0, 0, 1. */
static bool upq_read_vertex(struct simt_machine *m, u64 mask, u32 in, u32 vertex, u32 v[4])
{
	const struct upq_draw *d = run_of(m)->d;
	u64 va = d->varyings + (u64)d->stride * vertex + d->at[in];
	bool half = d->type[in] >= UPQ_F16X4;
	u32 n = d->type[in] & 1 ? 2 : 4, i;
	u16 h[4];
	const u8 *p;

	p = utgard_ptr(m, va, half ? 2 * n : 4 * n, 0);
	if (!p) {
		simt_fault(m, VS_FAULT_READ, mask, va, half ? 2 * n : 4 * n);
		simt_fault_stream(m, in);
		return false;
	}
	v[2] = 0;
	v[3] = F32_ONE;
	if (!half) {
		memcpy(v, p, 4 * n);
		return true;
	}
	memcpy(h, p, 2 * n);
	for (i = 0; i < n; i++)
		v[i] = vs_f16_to_f32(h[i]);
	return true;
}

/**
 * struct corners - Where a varying's corners are read
 * @m:		machine
 * @mask:	lanes that need them
 * @in:		stream
 */
struct corners {
	struct simt_machine *m;
	u64 mask;
	u32 in;
};

static bool upq_read_corner(void *arg, u32 i, u32 vertex, u32 v[4])
{
	const struct corners *c = arg;

	return upq_read_vertex(c->m, c->mask & 15ULL << (4 * i), c->in, vertex, v);
}

static void weigh(struct simt_machine *m, bool perspective)
{
	if (vr_shade_weigh(&run_of(m)->s, simt_machine_simd(m), perspective))
		simt_charge(m, 2 * SIMT_LANES);
}

static bool upq_interpolate(struct simt_machine *m, struct simt_block *b, u32 in)
{
	struct upq_run *q = run_of(m);
	u32 n = q->d->type[in] & 1 ? 2 : 4, quads = vr_quads_of(b->live), prims, c;
	struct corners from = { .m = m, .mask = b->live, .in = in };
	u32 *slot = sx_slot(b, UPP_SLOT_VAR + 4 * in, 0);
	bool ok;

	simt_charge(m, VARYING_COST);
	ok = vr_shade_corners(&q->s, quads, upq_read_corner, &from, q->corner, q->of,
			      &prims);
	simt_charge(m, PRIM_COST * prims);
	if (!ok)
		return false;
	weigh(m, true);
	vr_varying(simt_machine_simd(m), &q->s.w[true], quads,
		   (const u32 (*)[3][4])q->corner, q->of, n, (u32 (*)[SIMT_LANES])slot);
	for (c = n; c < 4; c++)
		upq_fill(slot + c * SIMT_LANES, b->live, c == 3 ? F32_ONE : 0);
	return true;
}

/* Half of an integer. */
static u32 halved(s32 v)
{
	u32 f = px_s32_to_f32(v);

	return f ? f - (1U << 23) : 0;
}

static void upq_coordinates(struct simt_machine *m, struct simt_block *b)
{
	struct upq_run *q = run_of(m);
	u32 *x = sx_slot(b, UPP_SLOT_COORD, 0), *y = x + SIMT_LANES, *w = x + 3 * SIMT_LANES, l;

	EACH_LANE(l, b->live) {
		x[l] = halved(2 * q->p.x[l] + 1);
		y[l] = halved(q->d->flags & UPQ_COORD_UP ? (s32)q->d->origin - 2 * q->p.y[l] :
							   2 * q->p.y[l] + 1);
	}
	vr_shade_z(&q->s, simt_machine_simd(m), b->live, x + 2 * SIMT_LANES);
	weigh(m, false);
	vr_shade_inv_w(&q->s, simt_machine_simd(m), b->live, w);
	EACH_LANE(l, b->live)
		w[l] = sf_div(F32_ONE, w[l], false);
}

static void upq_builtin(struct simt_machine *m, struct simt_block *b)
{
	u32 *facing = sx_slot(b, UPP_SLOT_FACING, 0), *point = sx_slot(b, UPP_SLOT_POINT, 0), l;
	struct upq_run *q = run_of(m);

	upq_coordinates(m, b);
	EACH_LANE(l, b->live)
		facing[l] = vr_shade_prim(&q->s, l)->p.back ? 0 : F32_ONE;
	vr_shade_point(&q->s, simt_machine_simd(m), b->live, q->d->flags & UPQ_POINT_UP, point,
		       point + SIMT_LANES);
}

/* ---- the tile buffer ---- */

/* First sample of a lane's pixel. */
static u32 upq_sample_of(const struct upq_run *q, const struct vr_tile *t, u32 l)
{
	return vr_tile_index(t, q->p.x[l], q->p.y[l]) + (l & 3);
}

static void read_tile(struct simt_machine *m, struct simt_block *b)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct upq_run *q = r->quads;
	const struct vr_tile *t = q->s.in->tile;
	u32 l, k, v[4] = {};

	simt_charge(m, TARGET_COST);
	EACH_LANE(l, b->live) {
		if (r->pixel.fb_depth)
			*sx_slot(b, UPP_SLOT_FB_DEPTH, l) =
				vr_depth_value(t->zformat, t->z[upq_sample_of(q, t, l)]);
		if (!r->pixel.fb_color)
			continue;
		if (t->ntargets)
			px_unpack(&t->format[0],
				  t->colour[0] + upq_sample_of(q, t, l) * t->format[0].bytes, v);
		for (k = 0; k < 4; k++)
			*sx_slot(b, UPP_SLOT_FB_COLOR + k, l) = v[k];
	}
}

/* Test or write depth and stencil of lanes. Return: lanes that are left. */
static u64 test(struct simt_machine *m, u64 lanes, u32 what)
{
	struct upq_run *q = run_of(m);
	const struct vr_pixels p = pixels_of(q);
	u32 samples = q->s.in->tile->samples;

	simt_charge(m, hweight64(lanes) * samples);
	return vr_shade_zs(&q->s, simt_machine_simd(m), lanes, &p,
			   q->d->flags & UPQ_SHADER_Z ? 1 : samples,
			   q->d->flags & UPQ_SHADER_S ? q->ref : NULL, what);
}

static void upq_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct utgard_run *r = simt_machine_arg(m);
	struct upq_run *q = r->quads;
	const struct vr_pixels to = pixels_of(q);
	u32 in;

	q->ended = 0;
	memset(q->cover, 0, sizeof(q->cover));
	q->covered = vr_shade_begin(&q->s, simt_machine_simd(m), (u32)g->group, 0xffff, &to);
	if (q->d->flags & UPQ_EARLY)
		q->covered = test(m, q->covered, VR_ZS_TEST | VR_ZS_WRITE);
	b->live &= vr_whole_quads(q->covered);
	b->helper = b->live & ~q->covered;
	b->mask = b->live;
	simt_charge(m, START_COST);
	if (!b->live)
		return;
	utgard_lanes(m, b->live);
	if (r->pixel.given)
		upq_builtin(m, b);
	for (in = 0; in < UPP_NUM_VARYINGS; in++)
		if (r->pixel.inputs >> in & 1 && !upq_interpolate(m, b, in))
			return;
	if (r->pixel.fb_color || r->pixel.fb_depth)
		read_tile(m, b);
	utgard_lanes(m, 0);
}

static bool upq_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	const struct utgard_run *r = simt_machine_arg(m);

	return utgard_tex_ext(m, b, u, &r->bank);
}

/* ---- the end ---- */

/* Tests by the program's alpha. Return: lanes that are left. */
static u64 test_alpha(struct upq_run *q, u64 lanes, const u32 *alpha)
{
	const struct upq_draw *d = q->d;
	u32 samples = q->s.in->tile->samples, l;

	if (d->alpha.func == 7 && !(d->flags & UPQ_TO_COVERAGE))
		return lanes;
	EACH_LANE(l, lanes) {
		if (!vr_alpha_passes(&d->alpha, alpha[l]))
			q->cover[l] = 0;
		if (d->flags & UPQ_TO_COVERAGE && samples > 1)
			q->cover[l] &= vr_alpha_cover(samples, alpha[l]);
		if (!q->cover[l])
			lanes &= ~BIT_ULL(l);
	}
	return lanes;
}

/* Depth and stencil that the program has calculated. */
static void take_depth(struct upq_run *q, struct simt_block *b, u64 lanes)
{
	const u32 *reg = sx_slot(b, UPP_SLOT_REG + 4 * q->d->depth, 0);
	u32 l;

	EACH_LANE(l, lanes) {
		if (q->d->flags & UPQ_SHADER_Z)
			q->z[0][l] = reg[l];
		if (q->d->flags & UPQ_SHADER_S)
			q->ref[l] = vr_byte(reg[SIMT_LANES + l]);
	}
}

static const u32 (*colour(struct simt_block *b, u32 reg))[VS_LANES]
{
	return (const u32 (*)[VS_LANES])sx_slot(b, UPP_SLOT_REG + 4 * reg, 0);
}

/* Tests at the end of a program. Return: lanes that are left. */
static u64 upq_tests(struct simt_machine *m, struct simt_block *b)
{
	struct upq_run *q = run_of(m);
	const struct upq_draw *d = q->d;
	u64 left = q->covered & ~b->helper;
	u32 l;

	left = test_alpha(q, left, colour(b, d->color)[3]);
	if (!(d->flags & UPQ_EARLY)) {
		take_depth(q, b, left);
		left = test(m, left, VR_ZS_TEST | VR_ZS_WRITE);
	}
	for (l = 0; l < VS_LANES; l++)
		if (!(left >> l & 1))
			q->cover[l] = 0;
	return left;
}

/* Blend a sample of each lane. */
static void upq_blend_sample(struct simt_machine *m, struct simt_block *b, u32 sample)
{
	struct upq_run *q = run_of(m);
	struct vr_tile *t = q->s.in->tile;
	const struct upq_draw *d = q->d;
	u16 cover[VS_LANES];
	u32 l;

	for (l = 0; l < VS_LANES; l++)
		cover[l] = q->cover[l] & BIT(sample);
	vr_tile_blend(simt_machine_simd(m), t, 0, &t->format[0], &d->blend, q->s.block, cover,
		      colour(b, d->color),
		      d->flags & UPQ_SECOND ? colour(b, d->second) : NULL);
}

/* First the tests, then the samples: one by one, or all of them where that is quick. */
static void upq_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct upq_run *q = run_of(m);
	struct vr_tile *t = q->s.in->tile;
	const struct upq_draw *d = q->d;

	if (!q->ended++) {
		q->left = upq_tests(m, b);
		if (!q->left || !t->ntargets)
			return;
		if (t->samples > 1 &&
		    !vr_blend_quick(simt_machine_simd(m), t, 0, &t->format[0], &d->blend)) {
			simt_end_again(m);
			return;
		}
		simt_charge(m, SAMPLE_COST * hweight64(q->left) * t->samples);
		vr_tile_blend(simt_machine_simd(m), t, 0, &t->format[0], &d->blend, q->s.block,
			      q->cover, colour(b, d->color),
			      d->flags & UPQ_SECOND ? colour(b, d->second) : NULL);
		return;
	}
	simt_charge(m, SAMPLE_COST * hweight64(q->left));
	upq_blend_sample(m, b, q->ended - 2);
	if (q->ended <= t->samples)
		simt_end_again(m);
}

static const struct simt_ops ops = { .start = upq_start, .ext = upq_ext, .end = upq_end };

/* ---- launches ---- */

struct upq_run *upq_new(struct simt_arena *a)
{
	static_assert(SIMT_LANES == VS_LANES, "lanes of blocks");
	return simt_arena_alloc(a, 1, sizeof(struct upq_run));
}

/* Slots that upq_start() sets in all lanes of a quad. */
static void upq_preset(struct utgard_run *r)
{
	u32 in;

	for (in = 0; in < UPP_NUM_VARYINGS; in++)
		if (r->pixel.inputs >> in & 1)
			utgard_preset(r, UPP_SLOT_VAR + 4 * in, 4);
	if (!r->pixel.given)
		return;
	utgard_preset(r, UPP_SLOT_COORD, 4);
	utgard_preset(r, UPP_SLOT_POINT, 2);
	utgard_preset(r, UPP_SLOT_FACING, 1);
}

int upq_launch(struct utgard_run *r, struct upq_run *q, const struct upq_draw *d,
	       struct vr_quads *quads, struct vs_debug *dbg, struct vs_fault *fault)
{
	int ret;

	utgard_begin(r, fault);
	q->d = d;
	q->s.in = quads;
	q->work = (struct upp_work){ .switches = d->flags & UPQ_FP32 ? UPP_SW_FP32 : 0,
				     .temps = d->temps };
	r->quads = q;
	r->pp = &q->work;
	r->pixel = d->program;
	r->ubo = (struct simt_ubo){ .va = d->uniforms, .size = 8ULL * d->rows };
	r->bank = (struct utgard_tex_bank){ .tex = d->textures, .n = d->ntextures };
	r->bank.req = simt_arena_alloc(r->arena, 1, sizeof(*r->bank.req));
	if (!r->bank.req)
		return -ENOMEM;
	r->l.prog = r->pixel.prog;
	r->l.ops = &ops;
	r->l.unif = d->unif;
	r->l.local[0] = SIMT_LANES;
	r->l.local[1] = 1;
	r->l.local[2] = 1;
	r->l.groups[0] = quads->nblocks;
	r->l.groups[1] = 1;
	r->l.groups[2] = 1;
	r->l.dbg = dbg;
	r->l.code_va = d->code_va;
	upq_preset(r);
	upp_debug_regs(r);
	ret = utgard_launch(r, r->pixel.tls, fault);
	if (ret)
		utgard_run_end(r);
	return ret;
}
