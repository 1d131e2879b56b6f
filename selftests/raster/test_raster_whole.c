// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks of 8 x 8 pixels that a primitive covers are shaded as their quads.
 */
#include "raster/vr_fp.h"
#include "rt.h"

/**
 * struct shaded - What a block leaves
 * @t:		tile buffer
 * @mem:	of it
 * @q:		the block and its primitive
 * @s:		its state
 * @lanes:	of pixels, and those that pass the tests
 * @x:		pixels
 * @y:		"
 * @cover:	"
 * @z:		"
 */
struct shaded {
	struct vr_tile t;
	u8 *mem;
	struct vr_quads q;
	struct vr_shade s;
	u64 lanes[2];
	u16 x[VS_LANES];
	u16 y[VS_LANES];
	u16 cover[VS_LANES];
	u32 z[VR_MAX_SAMPLES][VS_LANES];
};

/* Shade a block of 8 x 8 pixels without those of @hole, and blend it. */
static void shade_block(struct shaded *w, enum vs_simd simd, u64 hole, const struct vr_blend *b,
			const u32 src[4][VS_LANES])
{
	const struct vr_pixels to = { .x = w->x, .y = w->y, .cover = w->cover, .z = w->z };
	u32 l;

	w->q.tile = &w->t;
	w->s.in = &w->q;
	w->q.prim[0].planed = false;
	w->lanes[0] = vr_shade_begin(&w->s, simd, 0, 0xffff, &to);
	vr_shade_weigh(&w->s, simd, true);
	for (l = 0; l < VS_LANES; l++)
		if (hole >> l & 1)
			w->cover[l] = 0;
	w->lanes[1] = vr_shade_zs(&w->s, simd, w->lanes[0] & ~hole, &to, 1, NULL,
				  VR_ZS_TEST | VR_ZS_WRITE);
	vr_tile_blend(simd, &w->t, 0, &w->t.format[0], b, w->s.block, w->cover, src, NULL);
}

static bool shaded_alike(const struct shaded *a, const struct shaded *b, u32 bytes)
{
	return a->lanes[0] == b->lanes[0] && a->lanes[1] == b->lanes[1] &&
	       !memcmp(a->x, b->x, sizeof(a->x)) && !memcmp(a->y, b->y, sizeof(a->y)) &&
	       !memcmp(a->cover, b->cover, sizeof(a->cover)) &&
	       !memcmp(a->z[0], b->z[0], sizeof(a->z[0])) &&
	       !memcmp(&a->s.w[1], &b->s.w[1], sizeof(a->s.w[1])) && a->t.passed == b->t.passed &&
	       !memcmp(a->t.dirty, b->t.dirty, sizeof(a->t.dirty)) &&
	       !memcmp(a->mem, b->mem, bytes);
}

static bool whole_prim(struct vr_quad_prim *p)
{
	struct vr_vertex v[3] = { rt_vertex(-99, -99, rt_between(0, 1), 1),
				  rt_vertex(999, -99, rt_between(0, 1), 1),
				  rt_vertex(-99, 999, rt_between(0, 1), 1) };
	struct vr_state st = rt_state();
	u32 i;

	/* some with depths that are clipped, or not numbers */
	if (!rt_rnd(4))
		v[rt_rnd(3)].z = rt_rnd(2) ? rt_bits((float)rt_between(-2, 3)) : (u32)rt_rnd64();
	for (i = 0; i < 3; i++) {
		v[i].inv_w = rt_bits((float)rt_between(0.25, 4));
		p->z[i] = v[i].z;
		p->inv_w[i] = v[i].inv_w;
	}
	return vr_setup_triangle(&p->p, &st, (const struct vr_vertex *[]){ &v[0], &v[1], &v[2] });
}

/* A batch that was filled at once is shaded as one of single quads, by all builds. */
static void test_whole(void)
{
	static struct shaded one, two;
	u32 n = rt_long ? 20000 : 1000, i, k, l, simd, bytes = 0, bad = 0;
	static u32 src[4][VS_LANES];

	for (i = 0; i < n; i++) {
		u32 x = 8 * rt_rnd(8), y = 8 * rt_rnd(8);
		struct vr_blend b = rt_rnd_blend();
		u64 hole = rt_rnd(2) ? 0 : rt_rnd64() & rt_rnd64();
		struct vr_batch *batch = &one.q.block[0];

		if (!i) {
			one.t = (struct vr_tile){ .samples = 1, .ntargets = 1, .zformat = VR_Z24,
						  .format = { rt_format(0xbb, 0, false) } };
			bytes = vr_tile_bytes(&one.t);
			one.mem = calloc(1, bytes);
			two.mem = calloc(1, bytes);
			two.t = one.t;
			vr_tile_place(&one.t, one.mem);
			vr_tile_place(&two.t, two.mem);
		}
		bad += !whole_prim(&one.q.prim[0]);
		one.q.depth = (struct vr_depth){ .range = { 0, rt_bits(1) },
						 .flags = rt_rnd(2) ? VR_DEPTH_CLIP_NEAR : 0 };
		one.q.zs = (struct vr_zs){ .flags = rt_rnd(4) * VR_DEPTH_TEST, .func = rt_rnd(8) };
		if (rt_rnd(2))
			one.q.zs.flags = VR_DEPTH_TEST | VR_DEPTH_WRITE;
		vr_batch_clear(batch);
		vr_batch_fill(batch, 0, x, y);
		two.q = one.q;
		batch = &two.q.block[0];
		vr_batch_clear(batch);
		for (k = 0; k < VR_QUADS; k++)
			vr_batch_add(batch, 0, x + 2 * (k % 4), y + 2 * (k / 4), VR_EACH_PIXEL(1));
		bad += memcmp(batch->met, one.q.block[0].met, sizeof(batch->met)) != 0 ||
		       memcmp(batch->quad, one.q.block[0].quad, sizeof(batch->quad)) != 0;
		for (l = 0; l < VS_LANES; l++)
			for (k = 0; k < 4; k++)
				src[k][l] = rt_component();
		for (simd = VS_SIMD_PORTABLE; simd < VS_NUM_SIMD; simd++) {
			if (!(vs_simd_mask() >> simd & 1))
				continue;
			rt_fill(one.mem, bytes);
			for (k = 0; k < VR_TILE * VR_TILE; k++)
				one.t.z[k] &= 0xffffff;
			memcpy(two.mem, one.mem, bytes);
			memset(one.z, 0, sizeof(one.z));
			memset(two.z, 0, sizeof(two.z));
			shade_block(&one, simd, hole, i % 4 ? &b : NULL,
				    (const u32 (*)[VS_LANES])src);
			shade_block(&two, simd, hole, i % 4 ? &b : NULL,
				    (const u32 (*)[VS_LANES])src);
			bad += !shaded_alike(&one, &two, bytes);
		}
	}
	tap_result(!bad, "%u blocks of 8 x 8 pixels are shaded as their quads (%u are not)", n,
		   bad);
	free(one.mem);
	free(two.mem);
}

int main(int argc, char **argv)
{
	rt_args(argc, argv);
	test_whole();
	return tap_done();
}
