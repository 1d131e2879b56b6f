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
			vr_batch_add(batch, 0, x + 2 * (k % 4), y + 2 * (k / 4), VR_EACH_PIXEL(1),
				     15);
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

/* ---- tests of depth and stencil ---- */

static struct vr_stencil random_stencil(void)
{
	return (struct vr_stencil){
		.ref = rt_rnd(3), .read = rt_rnd(2) ? 0xff : rt_rnd(256),
		.write = rt_rnd(2) ? 0xff : rt_rnd(256), .func = rt_rnd(8), .fail = rt_rnd(9),
		.zfail = rt_rnd(9), .pass = rt_rnd(9),
	};
}

/* Quads of two primitives at few places, so that some have the same pixels in parts. */
static void random_batch(struct vr_batch *b)
{
	u32 n = 1 + rt_rnd(VR_QUADS), i, x, y;
	u64 cover;

	vr_batch_clear(b);
	for (i = 0; i < n; i++) {
		x = 30 + 2 * rt_rnd(3);
		y = 14 + 2 * rt_rnd(3);
		cover = rt_rnd64() & VR_EACH_PIXEL(1);
		if (vr_batch_room(b, x, y, cover, vr_pixels_of(cover)))
			vr_batch_add(b, rt_rnd(2), x, y, cover, vr_pixels_of(cover));
	}
}

static void random_tests(struct shaded *w, u32 bytes)
{
	static const u32 masks[VR_NUM_ZFORMATS] = { [VR_Z16] = 0xffff, [VR_Z24] = 0xffffff };
	u32 k, mask;

	w->t.zformat = rt_rnd(VR_NUM_ZFORMATS);
	w->t.has_stencil = rt_rnd(4);
	w->t.loads = !rt_rnd(4);
	w->t.passed = 0;
	w->q.zs = (struct vr_zs){ .flags = rt_rnd(8), .func = rt_rnd(8),
				  .side = { random_stencil(), random_stencil() } };
	random_batch(&w->q.block[0]);
	rt_fill(w->mem, bytes);
	mask = masks[w->t.zformat];
	for (k = 0; k < VR_TILE * VR_TILE; k++) {
		w->t.z[k] = rt_rnd(2) ? vr_depth_code(w->t.zformat, w->q.prim[0].z[0]) :
			    mask ? w->t.z[k] & mask : w->t.z[k];
		w->t.s[k] = rt_rnd(2) ? rt_rnd(3) : 255 - rt_rnd(2);
	}
	memset(w->t.dirty, 0, sizeof(w->t.dirty));
	memset(w->t.plain, 0xff, sizeof(w->t.plain));
}

static void run_tests(struct shaded *w, enum vs_simd simd, u64 lanes, const u32 *ref, u32 what)
{
	const struct vr_pixels to = { .x = w->x, .y = w->y, .cover = w->cover, .z = w->z };

	w->q.tile = &w->t;
	w->s.in = &w->q;
	w->q.prim[0].planed = false;
	w->q.prim[1].planed = false;
	memset(w->cover, 0, sizeof(w->cover));
	memset(w->z, 0, sizeof(w->z));
	w->lanes[0] = vr_shade_begin(&w->s, simd, 0, 0xffff, &to);
	w->lanes[1] = vr_shade_zs(&w->s, simd, w->lanes[0] & lanes, &to, 1, ref, what);
	/* the program drops some pixels */
	if (what == VR_ZS_TEST)
		w->lanes[1] = vr_shade_zs(&w->s, simd, w->lanes[1] & (lanes << 1 | lanes >> 63),
					  &to, 1, ref, VR_ZS_WRITE);
}

static bool tested_alike(const struct shaded *a, const struct shaded *b, u32 bytes)
{
	return a->lanes[1] == b->lanes[1] && !memcmp(a->cover, b->cover, sizeof(a->cover)) &&
	       a->t.passed == b->t.passed &&
	       !memcmp(a->t.dirty, b->t.dirty, sizeof(a->t.dirty)) &&
	       !memcmp(a->t.plain, b->t.plain, sizeof(a->t.plain)) &&
	       !memcmp(a->mem, b->mem, bytes);
}

/* All builds test as the portable one, a sample after the other. */
static void test_tests(void)
{
	static struct shaded one, two, from;
	u32 n = rt_long ? 200000 : 10000, i, l, simd, bytes, bad = 0, what, ref[VS_LANES];
	u64 lanes;

	from.t = (struct vr_tile){ .samples = 1 };
	bytes = vr_tile_bytes(&from.t);
	one.mem = calloc(1, bytes);
	two.mem = calloc(1, bytes);
	from.mem = calloc(1, bytes);
	vr_tile_place(&from.t, from.mem);
	from.q.depth = (struct vr_depth){ .range = { 0, rt_bits(1) } };
	for (i = 0; i < n; i++) {
		bad += !whole_prim(&from.q.prim[0]) || !whole_prim(&from.q.prim[1]);
		from.q.prim[1].p.back = !from.q.prim[0].p.back;
		random_tests(&from, bytes);
		lanes = rt_rnd(2) ? ~0ULL : rt_rnd64();
		what = 1 + rt_rnd(3);
		for (l = 0; l < VS_LANES; l++)
			ref[l] = rt_rnd(2) ? rt_rnd(3) : (u32)rt_rnd64();
		for (simd = VS_SIMD_PORTABLE; simd < VS_NUM_SIMD; simd++) {
			struct shaded *w = simd == VS_SIMD_PORTABLE ? &one : &two;
			u8 *mem = w->mem;

			if (!(vs_simd_mask() >> simd & 1))
				continue;
			w->q = from.q;
			w->t = from.t;
			w->mem = mem;
			memcpy(mem, from.mem, bytes);
			w->t.z = (u32 *)(mem + ((u8 *)from.t.z - from.mem));
			w->t.s = mem + (from.t.s - from.mem);
			run_tests(w, simd, lanes, i % 4 ? NULL : ref, what);
			bad += simd != VS_SIMD_PORTABLE && !tested_alike(&one, &two, bytes);
		}
	}
	tap_result(!bad, "%u blocks are tested by all builds as by the portable one (%u are not)",
		   n, bad);
	free(one.mem);
	free(two.mem);
	free(from.mem);
}

int main(int argc, char **argv)
{
	rt_args(argc, argv);
	test_whole();
	test_tests();
	return tap_done();
}
