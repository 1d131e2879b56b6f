// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blocks of quads in a tile buffer: pixels, depth and stencil tests, weights of varyings,
 * blending.
 */
#include "vr_fp.h"

#define CENTRE		(VR_ONE / 2)

static const struct vr_plane *plane_of(struct vr_quad_prim *p, const struct vr_depth *depth,
				       enum vs_simd simd)
{
	if (!p->planed)
		vr_plane(simd, &p->plane, &p->p, depth, p->z);
	p->planed = true;
	return &p->plane;
}

void vr_quads_fixed(struct vr_quads *in, u32 block, enum vs_simd simd)
{
	const struct vr_batch *b = &in->block[block];
	u32 i, x, y, z[4 * VR_MAX_SAMPLES];
	struct vr_quad_prim *p;
	u64 cover;

	for (i = 0; i < b->n; i++) {
		x = b->quad[i].x;
		y = b->quad[i].y;
		p = &in->prim[b->quad[i].slot];
		cover = vr_plane_quad(simd, plane_of(p, &in->depth, simd), x, y, b->quad[i].cover,
				      z);
		vr_tile_zs(in->tile, &in->zs, p->p.back, x, y, cover, z, NULL,
			   VR_ZS_TEST | VR_ZS_WRITE);
	}
}

u32 vr_quads_of(u64 lanes)
{
	u64 one = vr_whole_quads(lanes) & 0x1111111111111111ULL;

	one = (one | one >> 3) & 0x0303030303030303ULL;
	one = (one | one >> 6) & 0x000f000f000f000fULL;
	one = (one | one >> 12) & 0x000000ff000000ffULL;
	return (u32)(one | one >> 24) & 0xffff;
}

/* ---- builds with vectors ---- */

#if defined(__x86_64__) || defined(__aarch64__)

static bool has_vectors(enum vs_simd simd)
{
	return simd != VS_SIMD_PORTABLE;
}

/* The build of the caller's variable simd. */
#ifdef __aarch64__
#define BLEND_BUILD(name, ...)	vr_blend_##name##_neon(__VA_ARGS__)
#else
#define BLEND_BUILD(name, ...)								\
	(VS_BUILT(sse2) && (simd == VS_SIMD_SSE2 || !VS_BUILT(avx2)) ?			\
				vr_blend_##name##_sse2(__VA_ARGS__) :				\
				vr_blend_##name##_avx2(__VA_ARGS__))
#endif

#else

static bool has_vectors(enum vs_simd simd)
{
	return false;
}

static u64 blend_no_build(const void *first, ...)
{
	return 0;
}

#define BLEND_BUILD(name, ...)	blend_no_build(__VA_ARGS__)

#endif

/* ---- one primitive ---- */

static bool set_up(struct vr_prim *p, const struct vr_state *st, enum vr_kind kind,
		   const struct vr_vertex v[3], u32 size)
{
	const struct vr_vertex *const corner[3] = { &v[0], &v[1], &v[2] };

	if (kind == VR_TRIANGLE)
		return vr_setup_triangle(p, st, corner);
	return kind == VR_POINT ? vr_setup_point(p, st, v, size) : vr_setup_rect(p, st);
}

void vr_area_init(struct vr_area *a, const struct vr_state *st, enum vr_kind kind,
		  const struct vr_vertex v[3], u32 size)
{
	struct vr_quad_prim *p = &a->prim;
	u32 i;

	a->x = st->scissor[0];
	a->y = st->scissor[1];
	a->at[0] = VR_MAX_SIZE;
	a->nquads = 0;
	if (!set_up(&p->p, st, kind, v, size))
		return;
	for (i = 0; i < 3; i++) {
		p->z[i] = v[i].z;
		p->inv_w[i] = i && vr_is_flat(&p->p) ? 0 : v[i].inv_w;
	}
	a->columns = (st->scissor[2] - a->x) / 2 + 1;
	a->nquads = a->columns * (u64)((st->scissor[3] - a->y) / 2 + 1);
}

static u64 area_cover(struct vr_area *a, u32 x, u32 y)
{
	u32 tx = x / VR_TILE, ty = y / VR_TILE;

	if (a->at[0] != tx || a->at[1] != ty) {
		a->at[0] = tx;
		a->at[1] = ty;
		a->walked = vr_walk_begin(&a->walk, &a->prim.p, tx, ty);
	}
	return a->walked ? vr_walk_quad(&a->walk, x, y) : 0;
}

static void quads_fill_block(struct vr_area *a, u64 first)
{
	u32 n = first < a->nquads ? min_t(u64, a->nquads - first, VR_QUADS) : 0, x, y, i;
	u64 cover;

	x = n ? first % a->columns : 0;
	y = n ? first / a->columns : 0;
	vr_batch_clear(&a->block);
	for (i = 0; i < n; i++) {
		cover = area_cover(a, a->x + 2 * x, a->y + 2 * y);
		vr_batch_add(&a->block, 0, a->x + 2 * x, a->y + 2 * y, cover, vr_pixels_of(cover));
		if (++x == a->columns) {
			x = 0;
			y++;
		}
	}
}

/* ---- pixels ---- */

/* Is the depth of a triangle the same everywhere, and in the range? */
static __always_inline bool is_level(const struct vr_quad_prim *p, const struct vr_depth *d)
{
	s64 z = vr_depth_order(p->z[0]), a = vr_depth_order(d->range[0]);
	s64 b = vr_depth_order(d->range[1]);

	return p->z[0] == p->z[1] && p->z[0] == p->z[2] && p->p.kind == VR_TRIANGLE &&
	       !p->p.wide && !(d->flags & VR_DEPTH_OFFSET) && z >= min(a, b) && z <= max(a, b);
}

/* Are a quad's depths @tested, or may some of them be clipped? */
static __always_inline bool needs_depths(struct vr_shade *s, enum vs_simd simd, u32 i, bool tested)
{
	struct vr_quad_prim *p = &s->prim[s->block->quad[i].slot];

	if (tested)
		return true;
	return s->depth->flags & (VR_DEPTH_CLIP_NEAR | VR_DEPTH_CLIP_FAR) &&
	       !is_level(p, s->depth) && !plane_of(p, s->depth, simd)->inside;
}

/*
 * Pixels of a quad; @depths: they are calculated, @tested: and kept. Return: lanes with samples,
 * the quad's first in bit 0.
 */
static __always_inline u32 quads_place_quad(struct vr_shade *s, enum vs_simd simd, u32 i,
					    u32 samples, const struct vr_pixels *to, bool depths,
					    bool tested)
{
	const struct vr_batch *b = s->block;
	u32 x = b->quad[i].x, y = b->quad[i].y, n, lanes, z[4 * VR_MAX_SAMPLES];
	u64 cover = b->quad[i].cover, at[2] = {
		VR_EACH_PIXEL(x) + VR_SAMPLE(1, 0) + VR_SAMPLE(3, 0),
		VR_EACH_PIXEL(y) + VR_SAMPLE(2, 0) + VR_SAMPLE(3, 0),
	};

	if (depths && cover)
		cover = vr_plane_quad(simd, plane_of(&s->prim[b->quad[i].slot], s->depth, simd), x,
				      y, cover, z);
	cover &= VR_EACH_PIXEL(samples);
	/* four numbers of 16 bits each; of lanes in order, as processors are little-endian */
	memcpy(to->x + 4 * i, &at[0], sizeof(at[0]));
	memcpy(to->y + 4 * i, &at[1], sizeof(at[1]));
	memcpy(to->cover + 4 * i, &cover, sizeof(cover));
	lanes = vr_pixels_of(cover);
	for (n = 0; n < s->tile->samples && lanes && depths && tested; n++)
		memcpy(to->z[n] + 4 * i, z + 4 * n, 4 * sizeof(*z));
	return lanes;
}

/* Pixels of a whole batch. Return: false: some samples may be clipped. */
static noinline bool quads_place_whole(struct vr_shade *s, enum vs_simd simd, bool tested,
				       const struct vr_pixels *to)
{
	const struct vr_batch *b = s->block;
	u64 x = VR_EACH_PIXEL(b->quad[0].x) + VR_SAMPLE(1, 0) + VR_SAMPLE(3, 0);
	u64 y = VR_EACH_PIXEL(b->quad[0].y) + VR_SAMPLE(2, 0) + VR_SAMPLE(3, 0);
	const u64 cover = VR_EACH_PIXEL(1);
	u64 at[2];
	u32 i;

	if (needs_depths(s, simd, 0, tested)) {
		if (!plane_of(vr_shade_prim(s, 0), s->depth, simd)->inside)
			return false;
		vr_plane_whole(simd, &vr_shade_prim(s, 0)->plane, b->quad[0].x, b->quad[0].y,
			       to->z[0]);
	}
	for (i = 0; i < VR_QUADS; i++) {
		at[0] = x + VR_EACH_PIXEL(2 * (i % 4));
		at[1] = y + VR_EACH_PIXEL(2 * (i / 4));
		memcpy(to->x + 4 * i, &at[0], sizeof(at[0]));
		memcpy(to->y + 4 * i, &at[1], sizeof(at[1]));
		memcpy(to->cover + 4 * i, &cover, sizeof(cover));
	}
	return true;
}

/* Depths of a block with one sample of each pixel. Return: quads without: some may be clipped. */
static u32 place_depths(struct vr_shade *s, enum vs_simd simd, u32 z[VS_LANES])
{
	const struct vr_batch *b = s->block;
	u32 i;

	for (i = 0; i < b->n; i++)
		if (!i || b->quad[i].slot != b->quad[i - 1].slot)
			plane_of(&s->prim[b->quad[i].slot], s->depth, simd);
	return vr_plane_quads(simd, b, s->prim, z);
}

/* Pixels of quads whose depths are known, or not wanted. Return: lanes with samples. */
static u64 place_plain(const struct vr_batch *b, u32 samples, const struct vr_pixels *to)
{
	const u64 right = VR_SAMPLE(1, 0) | VR_SAMPLE(3, 0);
	const u64 down = VR_SAMPLE(2, 0) | VR_SAMPLE(3, 0);
	u64 lanes = 0, cover, at;
	u32 i;

	/* four numbers of 16 bits each, as in quads_place_quad() */
	for (i = 0; i < b->n; i++) {
		at = VR_EACH_PIXEL(b->quad[i].x) + right;
		memcpy(to->x + 4 * i, &at, sizeof(at));
		at = VR_EACH_PIXEL(b->quad[i].y) + down;
		memcpy(to->y + 4 * i, &at, sizeof(at));
		cover = b->quad[i].cover & VR_EACH_PIXEL(samples);
		memcpy(to->cover + 4 * i, &cover, sizeof(cover));
		lanes |= (u64)vr_pixels_of(cover) << (4 * i);
	}
	return lanes;
}

static u64 place_quads(struct vr_shade *s, enum vs_simd simd, u32 samples,
		       const struct vr_pixels *to)
{
	bool tested = to->z && vr_zs_enabled(s->tile, s->zs);
	const struct vr_batch *b = s->block;
	bool depths = false;
	u32 i, rest = ~0U;
	u64 lanes = 0;

	s->known = 0;
	s->moved = false;
	s->early = false;
	if (b->whole && samples & 1 && quads_place_whole(s, simd, tested, to))
		return ~0ULL;
	if (tested && s->tile->samples == 1)
		rest = place_depths(s, simd, to->z[0]);
	if (tested ? !rest : !(s->depth->flags & (VR_DEPTH_CLIP_NEAR | VR_DEPTH_CLIP_FAR)))
		return place_plain(b, samples, to);
	for (i = 0; i < b->n; i++) {
		if (!i || b->quad[i].slot != b->quad[i - 1].slot)
			depths = needs_depths(s, simd, i, tested);
		lanes |= (u64)quads_place_quad(s, simd, i, samples, to, depths && rest >> i & 1,
					       tested) << (4 * i);
	}
	return lanes;
}

u64 vr_shade_begin(struct vr_shade *s, enum vs_simd simd, u32 n, u32 samples,
		   const struct vr_pixels *to)
{
	s->area = NULL;
	s->tile = s->in->tile;
	s->depth = &s->in->depth;
	s->zs = &s->in->zs;
	s->prim = s->in->prim;
	s->block = &s->in->block[n];
	return place_quads(s, simd, samples, to);
}

u64 vr_area_begin(struct vr_shade *s, enum vs_simd simd, struct vr_area *a, u64 n, u32 samples,
		  const struct vr_pixels *to)
{
	quads_fill_block(a, n * VR_QUADS);
	s->area = a;
	s->tile = &a->tile;
	s->depth = &a->depth;
	s->zs = &a->zs;
	s->prim = &a->prim;
	s->block = &a->block;
	return place_quads(s, simd, samples, to);
}

/* ---- depth and stencil ---- */

static u64 test_area_quad(const struct vr_shade *s, u32 lane, u64 cover, const u32 *z,
			  const u32 *ref, u32 what)
{
	struct vr_area *a = s->area;
	u64 left;

	if (!a->ops->load(a, lane, cover))
		return 0;
	left = vr_tile_zs(&a->tile, &a->zs, a->prim.p.back, 0, 0, cover, z, ref, what);
	return a->ops->store(a, lane, cover, what & VR_ZS_WRITE ? left : 0) ? left : 0;
}

static u64 test_quad(const struct vr_shade *s, u32 i, u64 cover, const struct vr_pixels *p,
		     u32 depths, const u32 *ref, u32 what)
{
	u32 z[4 * VR_MAX_SAMPLES], n;

	for (n = 0; n < s->tile->samples; n++)
		memcpy(z + 4 * n, p->z[depths == 1 ? 0 : n] + 4 * i, 4 * sizeof(*z));
	if (s->area)
		return test_area_quad(s, 4 * i, cover, z, ref ? ref + 4 * i : NULL, what);
	return vr_tile_zs(s->tile, s->zs, vr_shade_prim(s, 4 * i)->p.back, p->x[4 * i],
			  p->y[4 * i], cover, z, ref ? ref + 4 * i : NULL, what);
}

/* Nothing is tested or written: samples are counted. */
static u64 count_samples(const struct vr_shade *s, u64 lanes, const u16 *cover, u32 what)
{
	u64 left = lanes & vr_covered(cover), rest;

	if (!(what & VR_ZS_WRITE))
		return left;
	if (s->tile->samples == 1)
		s->tile->passed += hweight64(left);
	for (rest = s->tile->samples == 1 ? 0 : left; rest; rest &= rest - 1)
		s->tile->passed += hweight32(cover[__ffs64(rest)]);
	return left;
}

/* Some lanes of a block are written. */
static void touch_lanes(struct vr_tile *t, u32 buffer, const struct vr_batch *b, u64 lanes)
{
	u16 parts = 0;
	u32 i;

	if (!vr_tile_touches(t, buffer, b->parts))
		return;
	for (i = 0; i < b->n; i++)
		if (lanes >> (4 * i) & 15)
			parts |= vr_tile_part(b->quad[i].x, b->quad[i].y);
	vr_tile_touch_parts(t, buffer, parts);
}

/* Lanes of primitives that show their back. */
static u64 back_lanes(const struct vr_shade *s)
{
	u64 lanes = 0;
	u32 i;

	for (i = 0; i < s->block->n; i++)
		lanes |= (s->prim[s->block->quad[i].slot].p.back ? 15ULL : 0) << (4 * i);
	return lanes;
}

/* A block with one sample of each pixel, in vectors. @lanes: all are covered. */
static u64 test_lanes(const struct vr_shade *s, enum vs_simd simd, u64 lanes, struct vr_tests *t)
{
	struct vr_tile *tile = s->tile;
	u64 left = 0, some, back = t->flags & VR_STENCIL_TEST ? back_lanes(s) : 0;
	u32 i;

	t->quads = s->block->n;
	t->z = tile->z;
	t->s = tile->s;
	t->func = s->zs->func;
	for (i = 0; i < t->quads; i++)
		t->at[i] = s->block->quad[i].at;
	for (i = 0; i < 2; i++) {
		some = lanes & (i ? back : ~back);
		t->side = &s->zs->side[i];
		if (!some)
			continue;
		left |= BLEND_BUILD(tests, t, some);
		if (t->flags & VR_STENCIL_TEST && t->side->write &&
		    t->side->fail | t->side->zfail | t->side->pass)
			touch_lanes(tile, VR_DIRTY_S, s->block, some);
	}
	return left;
}

/* Samples that have passed are written in the tile buffer. */
static void count_written(const struct vr_shade *s, u64 lanes, u32 flags)
{
	s->tile->passed += hweight64(lanes);
	if (flags & VR_DEPTH_WRITE)
		touch_lanes(s->tile, VR_DIRTY_Z, s->block, lanes);
}

/* Write what passes at once; finish_early() takes back what the program drops. */
static u64 test_early(struct vr_shade *s, enum vs_simd simd, u64 lanes, struct vr_tests *t)
{
	const struct vr_tile *tile = s->tile;
	u32 i, at;

	for (i = 0; i < s->block->n; i++) {
		at = s->block->quad[i].at;
		memcpy(s->z + 4 * i, tile->z + at, 4 * sizeof(*tile->z));
		memcpy(s->stencil + 4 * i, tile->s + at, 4);
	}
	t->what = VR_ZS_TEST | VR_ZS_WRITE;
	s->written = test_lanes(s, simd, lanes, t);
	s->early = true;
	return s->written;
}

/* The tests are over; @lanes of those that have passed are left. */
static u64 finish_early(struct vr_shade *s, u64 lanes)
{
	u32 flags = vr_zs_enabled(s->tile, s->zs), at, l;
	u64 dropped;

	lanes &= s->written;
	for (dropped = s->written & ~lanes; dropped; dropped &= dropped - 1) {
		l = __ffs64(dropped);
		at = s->block->quad[l / 4].at + l % 4;
		if (flags & VR_DEPTH_WRITE)
			s->tile->z[at] = s->z[l];
		if (flags & VR_STENCIL_TEST)
			s->tile->s[at] = s->stencil[l];
	}
	count_written(s, lanes, flags);
	s->early = false;
	return lanes;
}

static u64 test_block(struct vr_shade *s, enum vs_simd simd, u64 lanes,
		      const struct vr_pixels *p, const u32 *ref, u32 what)
{
	u32 code[VS_LANES] __aligned(64), max = s->tile->zformat == VR_Z16 ? 0xffff :
						s->tile->zformat == VR_Z24 ? 0xffffff : 0;
	struct vr_tests t;	/* an initialiser would clear all of it */
	u64 left, fails;

	t.code = code;
	t.ref = ref;
	t.flags = vr_zs_enabled(s->tile, s->zs);
	t.what = what;
	/* a program may have dropped samples since */
	if (what & VR_ZS_WRITE)
		lanes &= vr_covered(p->cover);
	if (what == VR_ZS_WRITE && s->early)
		return finish_early(s, lanes);
	BLEND_BUILD(depths, p->z[0], max, code);
	left = what == VR_ZS_TEST ? test_early(s, simd, lanes, &t) : test_lanes(s, simd, lanes, &t);
	if (what & VR_ZS_WRITE)
		count_written(s, left, t.flags);
	for (fails = lanes & ~left; fails; fails &= fails - 1)
		p->cover[__ffs64(fails)] = 0;
	return left;
}

u64 vr_shade_zs(struct vr_shade *s, enum vs_simd simd, u64 lanes, const struct vr_pixels *p,
		u32 depths, const u32 *ref, u32 what)
{
	u32 i, k, flags = vr_zs_enabled(s->tile, s->zs);
	u64 left = 0, cover;

	if (!flags || (what == VR_ZS_WRITE && flags == VR_DEPTH_TEST))
		return count_samples(s, lanes, p->cover, what);
	if (has_vectors(simd) && !s->area && s->tile->samples == 1)
		return test_block(s, simd, lanes, p, ref, what);
	for (i = 0; i < s->block->n; i++) {
		if (!(lanes >> (4 * i) & 15))
			continue;
		cover = 0;
		for (k = 0; k < 4; k++)
			if (lanes >> (4 * i + k) & 1)
				cover |= p->cover[4 * i + k] * VR_SAMPLE(k, 0);
		cover = test_quad(s, i, cover, p, depths, ref, what);
		for (k = 0; k < 4; k++) {
			if (!(lanes >> (4 * i + k) & 1))
				continue;
			p->cover[4 * i + k] = VR_PIXEL(cover, k);
			if (VR_PIXEL(cover, k))
				left |= BIT_ULL(4 * i + k);
		}
	}
	return left;
}

/* ---- varyings ---- */

void vr_shade_at(struct vr_shade *s, u32 lane, s32 x, s32 y)
{
	u32 l;

	for (l = 0; l < VS_LANES && !s->moved; l++) {
		s->at[l][0] = CENTRE;
		s->at[l][1] = CENTRE;
	}
	s->moved = true;
	if (s->at[lane][0] == x && s->at[lane][1] == y)
		return;
	s->at[lane][0] = (s16)x;
	s->at[lane][1] = (s16)y;
	s->known = 0;
}

bool vr_shade_weigh(struct vr_shade *s, enum vs_simd simd, bool perspective)
{
	if (s->known >> perspective & 1)
		return false;
	s->known |= 1U << perspective;
	vr_weights(simd, &s->w[perspective], s->block, s->prim, perspective,
		   s->moved ? (const s16 (*)[2])s->at : NULL);
	return true;
}

void vr_shade_inv_w(struct vr_shade *s, enum vs_simd simd, u64 mask, u32 *out)
{
	u32 i;

	for (i = 0; i < s->block->n; i++)
		memcpy(s->v[i], vr_shade_prim(s, 4 * i)->inv_w, sizeof(s->v[i]));
	vr_shade_interpolate(s, simd, false, vr_quads_of(mask), out);
}

void vr_shade_z(const struct vr_shade *s, enum vs_simd simd, u64 mask, u32 *out)
{
	struct vr_plane plane;
	u32 i;

	for (i = 0; i < s->block->n; i++) {
		if (!(mask >> (4 * i) & 15))
			continue;
		plane = *plane_of(vr_shade_prim(s, 4 * i), s->depth, simd);
		plane.samples = 1;
		vr_plane_quad(simd, &plane, s->block->quad[i].x, s->block->quad[i].y, 0,
			      out + 4 * i);
	}
}

void vr_shade_point(const struct vr_shade *s, enum vs_simd simd, u64 mask, bool up, u32 *sx,
		    u32 *ty)
{
	const struct vr_prim *p;
	s32 x, y, size;
	u32 l;

	for (; mask; mask &= mask - 1) {
		l = __ffs64(mask);
		p = &vr_shade_prim(s, l)->p;
		sx[l] = 0;
		ty[l] = 0;
		if (p->kind != VR_POINT)
			continue;
		/* 1/512 pixels */
		size = 2 * (s32)p->size;
		x = s->block->quad[l / 4].x + (l & 1);
		y = s->block->quad[l / 4].y + (l >> 1 & 1);
		x = (s32)((2 * x + 1) * VR_ONE - p->at[0]);
		y = (s32)((2 * y + 1) * VR_ONE - p->at[1]);
		sx[l] = vr_ratio(simd, x, size);
		ty[l] = vr_ratio(simd, up ? size - y : y, size);
	}
}

/* ---- blending ---- */

/**
 * struct write - Colours of a block and where they go
 * @simd:	executor
 * @f:		format of pixels
 * @b:		blend state; NULL: replace
 * @batch:	quads
 * @cover:	samples of each lane
 * @src:	components of each lane
 * @second:	the same of the second colour, or NULL
 * @bytes:	order of the components, if pixels are four bytes that vectors can blend; else NULL
 */
struct write {
	enum vs_simd simd;
	const struct px_format *f;
	const struct vr_blend *b;
	const struct vr_batch *batch;
	const u16 *cover;
	const u32 (*src)[VS_LANES];
	const u32 (*second)[VS_LANES];
	const u8 *bytes;
};

static void write_pixel(const struct write *w, u32 l, u8 *p)
{
	u32 v[4] = { w->src[0][l], w->src[1][l], w->src[2][l], w->src[3][l] }, second[4], i;

	for (i = 0; w->second && i < 4; i++)
		second[i] = w->second[i][l];
	if (w->b)
		vr_blend_pixel(w->simd, w->f, w->b, v, w->second ? second : NULL, p);
	else
		px_pack(w->f, v, 4, p);
}

bool vr_is_bytes(const struct px_format *f)
{
	u32 i, found = 0;

	for (i = 0; i < 4; i++) {
		if (f->bits[i] != 8 || f->swizzle[i] > 3)
			return false;
		found |= 1U << f->swizzle[i];
	}
	return found == 15 && f->layout == PX_PLAIN && f->comp == PX_UNORM && !f->srgb &&
	       !f->big_endian;
}

static bool is_one(const struct vr_term *t)
{
	return t->factor == VR_FACTOR_ZERO && t->invert;
}

/* Is a term 0, for numbers from 0 to 1? */
static bool is_nothing(const struct vr_term *t)
{
	return (!t->src && !t->dst) || (t->factor == VR_FACTOR_ZERO && !t->invert);
}

static bool is_source(const struct vr_term *t)
{
	return t->src == 1 && !t->dst && is_one(t);
}

bool vr_blend_replaces(const struct vr_blend *b)
{
	const struct vr_function *f = b->f;
	u32 i;

	for (i = 0; i < 2; i++, f++)
		if (f->op != VR_BLEND_ADD || !((is_source(&f->a) && is_nothing(&f->b)) ||
					       (is_nothing(&f->a) && is_source(&f->b))))
			return false;
	return b->write == 15 && !b->alpha_one && !b->logic;
}

static bool blend_is_simple(const struct vr_term *t)
{
	return t->factor != VR_FACTOR_SECOND && t->factor != VR_FACTOR_SATURATE;
}

/* Is there code for vectors? */
static bool in_vectors(const struct vr_blend *b)
{
	u32 i;

	for (i = 0; i < 2; i++)
		if (b->f[i].op != VR_BLEND_ADD || !blend_is_simple(&b->f[i].a) ||
		    !blend_is_simple(&b->f[i].b))
			return false;
	return !b->logic;
}

static void blend_bytes(enum vs_simd simd, const struct vr_blend *b, const u8 order[4], u32 quads,
			const u32 src[4][VS_LANES], u32 *pixel)
{
	BLEND_BUILD(bytes, b, order, quads, src, pixel);
}

/* Copy pixels whose sample is covered to the quads @at. */
static void blend_put(enum vs_simd simd, u8 *const at[VR_QUADS], u32 quads, const u16 *cover,
		      u32 sample, const u32 *pixel)
{
	BLEND_BUILD(put, at, quads, cover, sample, pixel);
}

bool vr_pack_bytes(enum vs_simd simd, const struct px_format *f, const u32 src[4][VS_LANES],
		   u32 pixel[VS_LANES])
{
	if (!has_vectors(simd) || !vr_is_bytes(f))
		return false;
	blend_bytes(simd, NULL, f->swizzle, VR_QUADS, src, pixel);
	return true;
}

/* First of the four pixels of a quad's sample; they are consecutive. */
static u8 *quad_at(const struct vr_tile *t, u32 target, const struct write *w, u32 i, u32 sample)
{
	return t->colour[target] + (w->batch->quad[i].at * t->samples + 4 * sample) *
				   t->format[target].bytes;
}

/* Parts with covered pixels become dirty. */
static void touch_quads(struct vr_tile *t, u32 target, const struct write *w)
{
	u16 parts = 0;
	u32 i;

	if (!vr_tile_touches(t, target, w->batch->parts))
		return;
	for (i = 0; i < w->batch->n; i++)
		if (vr_quad_cover(w->cover, i))
			parts |= vr_tile_part(w->batch->quad[i].x, w->batch->quad[i].y);
	vr_tile_touch_parts(t, target, parts);
}

/* Rows of quads of a whole batch are consecutive: 16 pixels each. */
static void write_whole(const struct vr_tile *t, u32 target, const struct write *w)
{
	u32 pixel[VS_LANES] __aligned(64), i;
	u8 *at = quad_at(t, target, w, 0, 0);
	const u32 row = VR_TILE / 2 * 16;

	for (i = 0; w->b && i < 4; i++)
		memcpy(pixel + 16 * i, at + row * i, 64);
	blend_bytes(w->simd, w->b, w->bytes, VR_QUADS, w->src, pixel);
	for (i = 0; i < 4; i++)
		memcpy(at + row * i, pixel + 16 * i, 64);
}

static void write_bytes(const struct vr_tile *t, u32 target, const struct write *w, u32 sample)
{
	u32 pixel[VS_LANES] __aligned(64), i;
	u8 *at[VR_QUADS];

	for (i = 0; i < w->batch->n; i++)
		at[i] = quad_at(t, target, w, i, sample);
	for (i = 0; w->b && i < w->batch->n; i++)
		memcpy(pixel + 4 * i, at[i], 16);
	for (i = 4 * w->batch->n; i < VS_LANES; i++)
		pixel[i] = 0;
	blend_bytes(w->simd, w->b, w->bytes, w->batch->n, w->src, pixel);
	blend_put(w->simd, at, w->batch->n, w->cover, sample, pixel);
}

static void write_pixels(const struct vr_tile *t, u32 target, const struct write *w, u32 sample)
{
	u32 i, k;
	u8 *p;

	for (i = 0; i < w->batch->n; i++) {
		p = quad_at(t, target, w, i, sample);
		for (k = 0; k < 4; k++)
			if (w->cover[4 * i + k] >> sample & 1)
				write_pixel(w, 4 * i + k, p + k * t->format[target].bytes);
	}
}

bool vr_blend_quick(enum vs_simd simd, const struct vr_tile *t, u32 target,
		    const struct px_format *f, const struct vr_blend *b)
{
	return has_vectors(simd) && vr_is_bytes(f) && t->format[target].bytes == f->bytes &&
	       (!b || in_vectors(b));
}

void vr_tile_blend(enum vs_simd simd, struct vr_tile *t, u32 target, const struct px_format *f,
		   const struct vr_blend *b, const struct vr_batch *batch,
		   const u16 cover[VS_LANES], const u32 src[4][VS_LANES],
		   const u32 second[4][VS_LANES])
{
	struct write w = { .simd = simd, .f = f, .b = b, .batch = batch, .cover = cover,
			   .src = src, .second = second };
	u32 s;

	if (vr_blend_quick(simd, t, target, f, b)) {
		w.bytes = f->swizzle;
		if (b && vr_blend_replaces(b))
			w.b = NULL;
	}
	if (batch->whole && w.bytes && vr_all_covered(cover)) {
		vr_tile_touch(t, target, batch->quad[0].x, batch->quad[0].y);
		write_whole(t, target, &w);
		return;
	}
	touch_quads(t, target, &w);
	for (s = 0; s < t->samples; s++) {
		if (w.bytes)
			write_bytes(t, target, &w, s);
		else
			write_pixels(t, target, &w, s);
	}
}
