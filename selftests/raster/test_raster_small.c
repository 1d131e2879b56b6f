// SPDX-License-Identifier: GPL-2.0
/*
 * Small triangles in vectors: setup and coverage are those of all triangles.
 */
#include <math.h>

#include "engine/vs_intern.h"
#include "raster/vr_small.h"
#include "rt.h"

/**
 * struct walked - A triangle in a tile, from setup and from vectors
 * @v:		corners
 * @st:		state
 * @clip:	pixels that may be covered
 * @clipped:	@clip is valid
 * @tile:	column and row of the tile
 * @p:		primitive
 * @w:		its walk
 * @covers:	it may cover pixels of the tile
 */
struct walked {
	struct vr_vertex v[3];
	struct vr_state st;
	s32 clip[4];
	bool clipped;
	u32 tile[2];
	struct vr_prim p[2];
	struct vr_walk w[2];
	bool covers;
};

static double corner(double around, double size)
{
	double c = around + rt_between(-size, size);

	switch (rt_rnd(4)) {
	case 0:
		return round(c * 2) / 2;
	case 1:
		return round(c * 512) / 512;
	default:
		return c;
	}
}

/* Of a tile at the frame's origin, or far from it. */
static void small_state(struct walked *c)
{
	u32 i;

	c->st = rt_state();
	c->st.flags = rt_rnd(4) ? rt_rnd(2) : rt_rnd(8);
	c->st.width = 32000;
	c->st.height = 32000;
	c->st.scissor[2] = 31999;
	c->st.scissor[3] = 31999;
	if (!rt_rnd(16))
		c->st.samples = rt_rnd(20);
	if (!rt_rnd(16))
		c->st.sample_mask = rt_rnd(4);
	if (!rt_rnd(16))
		c->st.flags |= VR_RECTANGLE;
	for (i = 0; i < 2; i++) {
		c->tile[i] = rt_rnd(2) ? rt_rnd(512) : 0;
		if (!rt_rnd(8)) {
			c->st.scissor[i] = c->tile[i] * VR_TILE + rt_rnd(70);
			c->st.scissor[i + 2] = c->tile[i] * VR_TILE + rt_rnd(70);
		}
	}
	c->clipped = !rt_rnd(8);
	for (i = 0; i < 4; i++)
		c->clip[i] = (s32)(c->tile[i % 2] * VR_TILE + (i < 2 ? 0 : 20) + rt_rnd(50));
	if (!rt_rnd(32))
		((u32 *)&c->st)[rt_rnd(sizeof(c->st) / 4)] = (u32)rt_rnd64();
}

static void small_corners(struct walked *c, double size)
{
	double x = c->tile[0] * VR_TILE + rt_between(-8, 72);
	double y = c->tile[1] * VR_TILE + rt_between(-8, 72);
	u32 i;

	for (i = 0; i < 3; i++)
		c->v[i] = rt_vertex(corner(x, size), corner(y, size), rt_between(0, 1),
				    rt_between(0.25, 4));
	if (!rt_rnd(8))
		c->v[rt_rnd(3)] = c->v[rt_rnd(3)];
	if (!rt_rnd(8))
		c->v[rt_rnd(3)].x = c->v[rt_rnd(3)].x;
	if (!rt_rnd(16))
		c->v[rt_rnd(3)].y ^= 1U << rt_rnd(32);
	if (!rt_rnd(16))
		c->v[rt_rnd(3)].inv_w = (u32)rt_rnd64();
	if (!rt_rnd(64))
		((u32 *)&c->v[rt_rnd(3)])[rt_rnd(2)] = (u32)rt_rnd64();
}

/* The way of all triangles. */
static void walk_any(struct walked *c)
{
	const struct vr_vertex *const v[3] = { &c->v[0], &c->v[1], &c->v[2] };
	struct vr_prim *p = &c->p[0];
	u32 i;

	c->covers = vr_setup_triangle(p, &c->st, v);
	for (i = 0; i < 2 && c->covers && c->clipped; i++) {
		p->box[i] = max(p->box[i], c->clip[i]);
		p->box[i + 2] = min(p->box[i + 2], c->clip[i + 2]);
		c->covers = p->box[i] <= p->box[i + 2];
	}
	c->covers = c->covers && vr_walk_begin(&c->w[0], p, c->tile[0], c->tile[1]);
}

static bool prims_alike(const struct vr_prim *a, const struct vr_prim *b)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if (a->edge[i].a != b->edge[i].a || a->edge[i].b != b->edge[i].b ||
		    a->edge[i].c != b->edge[i].c || a->edge[i].open != b->edge[i].open)
			return false;
	return a->kind == b->kind && a->nedges == b->nedges && a->back == b->back &&
	       a->wide == b->wide && !memcmp(a->sign, b->sign, sizeof(a->sign)) &&
	       !memcmp(a->exp, b->exp, sizeof(a->exp)) &&
	       !memcmp(a->shift, b->shift, sizeof(a->shift)) &&
	       !memcmp(a->box, b->box, sizeof(a->box)) && a->samples == b->samples &&
	       a->sample_mask == b->sample_mask;
}

static bool walks_alike(const struct vr_walk *a, const struct vr_walk *b)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if (a->packed[0][i] != b->packed[0][i] || a->a[i] != b->a[i] || a->b[i] != b->b[i])
			return false;
	return a->small && b->small && a->plain && b->plain && a->nedges == b->nedges &&
	       a->full == b->full && a->samples == b->samples &&
	       !memcmp(a->x, b->x, sizeof(a->x)) && !memcmp(a->y, b->y, sizeof(a->y)) &&
	       !memcmp(a->at, b->at, sizeof(a->at)) &&
	       !memcmp(a->tile, b->tile, sizeof(a->tile));
}

static bool blocks_alike(const struct vr_block *a, const struct vr_block *b)
{
	u32 q;

	for (q = 0; q < VR_QUADS; q++)
		if (a->quads >> q & 1 && a->cover[q] != b->cover[q])
			return false;
	return a->x == b->x && a->y == b->y && a->quads == b->quads && a->whole == b->whole;
}

/* All blocks, of which there are *@n. */
static bool blocks_of_walk(struct walked *c, enum vs_simd simd, u32 *n)
{
	struct vr_block a, b;
	bool more;

	do {
		more = vr_walk_next(&c->w[0], &a);
		if (vr_small_next(simd, &c->w[1], &b) != more)
			return false;
		if (more && !blocks_alike(&a, &b))
			return false;
		*n += more;
	} while (more);
	return c->w[0].at[0] == c->w[1].at[0] && c->w[0].at[1] == c->w[1].at[1];
}

/* Return: the triangle is the same in vectors. */
static bool small_alike(struct walked *c, enum vs_simd simd, u32 *set, u32 *empty, u32 *blocks)
{
	switch (vr_small_triangle(simd, &c->p[1], &c->w[1], &c->st, c->v,
				  c->clipped ? c->clip : NULL, c->tile[0], c->tile[1])) {
	case VR_SMALL_NOT:
		return true;
	case VR_SMALL_EMPTY:
		(*empty)++;
		return !c->covers;
	default:
		(*set)++;
		return c->covers && prims_alike(&c->p[0], &c->p[1]) &&
		       walks_alike(&c->w[0], &c->w[1]) && blocks_of_walk(c, simd, blocks);
	}
}

/* The pixels of triangles of any size, for bins. */
static void test_pixels(enum vs_simd simd, double size)
{
	u32 n = rt_long ? 5000000 : rt_quick ? 20000 : 200000, samples, i, k;
	u32 bad = 0, set = 0, empty = 0;
	struct vr_corner corners[3];
	s32 box[2][4];
	struct walked c;
	bool covers;

	for (i = 0; i < n; i++) {
		small_state(&c);
		small_corners(&c, size);
		for (k = 0; k < 4; k++) {
			box[0][k] = c.st.scissor[k] % 65536;
			box[1][k] = box[0][k];
		}
		samples = rt_rnd(2) ? 1 : rt_rnd(17);
		covers = vr_snap(&corners[0], &c.v[0]) && vr_snap(&corners[1], &c.v[1]) &&
			 vr_snap(&corners[2], &c.v[2]) && box[0][0] <= box[0][2] &&
			 box[0][1] <= box[0][3] &&
			 vr_triangle_pixels(box[0], c.st.flags, samples, corners);
		vs_vector_begin(simd);
		switch (vr_near_pixels(simd, box[1], c.st.flags, samples, c.v)) {
		case VR_SMALL_NOT:
			break;
		case VR_SMALL_EMPTY:
			empty++;
			bad += covers;
			break;
		default:
			set++;
			bad += !covers || memcmp(box[0], box[1], sizeof(box[0]));
		}
		vs_vector_end(simd);
	}
	tap_result(!bad && set > n / 8 && empty > n / 8,
		   "%s: pixels of %u triangles of %.0f pixels: %u, %u without one (%u differ)",
		   vs_simd_name(simd), n, 2 * size, set, empty, bad);
}

static void test_small(enum vs_simd simd, double size)
{
	u32 n = rt_long ? 10000000 : rt_quick ? 50000 : 500000, i, bad = 0;
	u32 set = 0, empty = 0, blocks = 0;
	struct walked c;

	for (i = 0; i < n; i++) {
		memset(&c, i, sizeof(c));
		small_state(&c);
		small_corners(&c, size);
		walk_any(&c);
		vs_vector_begin(simd);
		bad += !small_alike(&c, simd, &set, &empty, &blocks);
		vs_vector_end(simd);
	}
	tap_result(!bad && set > n / 8 && empty > n / 8 && blocks > set / 2,
		   "%s: %u triangles of %.0f pixels: %u small, %u empty, %u blocks (%u differ)",
		   vs_simd_name(simd), n, 2 * size, set, empty, blocks, bad);
}

/* The largest coordinates, and triangles that are just small, or just not. */
static void test_limits(enum vs_simd simd)
{
	static const double at[] = { -32768, -32767.998, -0.001, 0, 32752, 32767.998, 32768, 1e30 };
	u32 i, k, bad = 0, set = 0, empty = 0, blocks = 0;
	static const double most[] = { 1, 6.99, 7, 8, 15.99, 16, 16.01 };
	struct walked c = { .st = rt_state() };

	c.st.width = VR_MAX_SIZE;
	c.st.height = VR_MAX_SIZE;
	c.st.scissor[2] = VR_MAX_SIZE - 1;
	c.st.scissor[3] = VR_MAX_SIZE - 1;
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		for (k = 0; k < ARRAY_SIZE(most); k++) {
			c.v[0] = rt_vertex(at[i], 64, 0, 1);
			c.v[1] = rt_vertex(at[i] + most[k], 64, 0, 1);
			c.v[2] = rt_vertex(at[i], 64 + most[k], 0, 1);
			c.tile[0] = max(0.0, min(1023.0, floor(at[i] / 64)));
			c.tile[1] = 1;
			walk_any(&c);
			vs_vector_begin(simd);
			bad += !small_alike(&c, simd, &set, &empty, &blocks);
			vs_vector_end(simd);
		}
	}
	tap_result(!bad && set && empty, "%s: limits of small triangles: %u small, %u empty",
		   vs_simd_name(simd), set, empty);
}

int main(int argc, char **argv)
{
	u32 simd, n = 0;

	rt_args(argc, argv);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1) || !vr_small_quick((enum vs_simd)simd))
			continue;
		test_small((enum vs_simd)simd, 2);
		test_small((enum vs_simd)simd, 5);
		test_limits((enum vs_simd)simd);
		test_pixels((enum vs_simd)simd, 3);
		test_pixels((enum vs_simd)simd, 20000);
		n++;
	}
	CHECK(!vr_small_quick(VS_SIMD_PORTABLE));
	if (!n)
		tap_skip("no vectors", "small triangles");
	return tap_done();
}
