// SPDX-License-Identifier: GPL-2.0
/*
 * Coverage against a brute-force model: triangles, points, lines, one to sixteen samples,
 * scissors, corners beyond the guard band and behind the eye, meshes without gaps.
 */
#include <math.h>

#include "rt.h"

/* ---- model: doubles are exact here ---- */

/* In sixteenths of a pixel. */
static const u8 places[3][16][2] = {
	{ { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } },
	{ { 9, 5 }, { 7, 11 }, { 13, 9 }, { 5, 3 }, { 3, 13 }, { 1, 7 }, { 11, 15 }, { 15, 1 } },
	{ { 9, 9 }, { 7, 5 }, { 5, 10 }, { 12, 7 }, { 3, 6 }, { 10, 13 }, { 13, 11 }, { 11, 3 },
	  { 6, 14 }, { 8, 15 }, { 4, 2 }, { 2, 12 }, { 0, 8 }, { 15, 4 }, { 14, 15 }, { 1, 0 } },
};

static void place(u32 samples, u32 s, double *x, double *y)
{
	const u8 *at = places[samples / 8][s];

	*x = samples > 1 ? at[0] / 16.0 : 0.5;
	*y = samples > 1 ? at[1] / 16.0 : 0.5;
}

/* Half away from zero, as snapping has it. */
static double snapped(u32 bits)
{
	return round((double)rt_float(bits) * 256) / 256;
}

/* Does the edge from a to b have the point on its right as seen, or own it? */
static bool right_of(const double *a, const double *b, double x, double y)
{
	double dx = b[0] - a[0], dy = b[1] - a[1], e = dx * (y - a[1]) - dy * (x - a[0]);

	/* inside is below a top edge, to the right of a left one */
	return e > 0 || (e == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool in_triangle(double v[3][2], double x, double y)
{
	double area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) -
		      (v[1][1] - v[0][1]) * (v[2][0] - v[0][0]);
	u32 i;

	for (i = 0; i < 3; i++) {
		const double *a = v[i], *b = v[(i + 1) % 3];

		if (area > 0 ? !right_of(a, b, x, y) : !right_of(b, a, x, y))
			return false;
	}
	return area != 0;
}

static bool in_scissor(const struct vr_state *st, u32 x, u32 y)
{
	return x >= st->scissor[0] && x <= st->scissor[2] && y >= st->scissor[1] &&
	       y <= st->scissor[3] && x < st->width && y < st->height;
}

static u32 model_pixel(const struct vr_state *st, double v[3][2], u32 px, u32 py)
{
	u32 s, cover = 0;
	double x, y;

	if (!in_scissor(st, px, py))
		return 0;
	for (s = 0; s < st->samples; s++) {
		place(st->samples, s, &x, &y);
		if (st->sample_mask >> s & 1 && in_triangle(v, px + x, py + y))
			cover |= 1U << s;
	}
	return cover;
}

/* ---- random triangles ---- */

static void random_state(struct vr_state *st)
{
	*st = rt_state();
	if (!rt_rnd(3))
		st->samples = 4 << rt_rnd(3);
	if (!rt_rnd(8))
		st->sample_mask = rt_rnd(1 << st->samples);
	if (!rt_rnd(4)) {
		st->scissor[0] = rt_rnd(70);
		st->scissor[1] = rt_rnd(70);
		st->scissor[2] = rt_rnd(70);
		st->scissor[3] = rt_rnd(70);
	}
	if (!rt_rnd(8)) {
		st->width = 1 + rt_rnd(64);
		st->height = 1 + rt_rnd(64);
	}
}

/* Coordinates that hit samples and each other often, or not. */
static double coordinate(double around, double size)
{
	double c = around + rt_between(-size, size);

	switch (rt_rnd(4)) {
	case 0:
		return round(c * 2) / 2;
	case 1:
		return round(c * 8) / 8;
	default:
		return c;
	}
}

static void random_corners(struct vr_vertex v[3], double size)
{
	double x = rt_between(-4, 68), y = rt_between(-4, 68);
	u32 i;

	for (i = 0; i < 3; i++)
		v[i] = rt_vertex(coordinate(x, size), coordinate(y, size), 0, 1);
	if (!rt_rnd(8))
		v[rt_rnd(3)].x = v[rt_rnd(3)].x;
	if (!rt_rnd(8))
		v[rt_rnd(3)].y = v[rt_rnd(3)].y;
}

/* Pixels from the box of the corners that may differ; others must be empty. */
static u32 compare_triangle(const struct vr_state *st, const struct vr_vertex v[3],
			    const struct rt_cover *c)
{
	u32 i, x, y, bad = 0, found = 0, want = 0;
	s32 x0 = 64, y0 = 64, x1 = -1, y1 = -1;
	double d[3][2];

	for (i = 0; i < 3; i++) {
		d[i][0] = snapped(v[i].x);
		d[i][1] = snapped(v[i].y);
		x0 = min_t(s32, x0, max(0.0, floor(d[i][0])));
		y0 = min_t(s32, y0, max(0.0, floor(d[i][1])));
		x1 = max_t(s32, x1, min(63.0, floor(d[i][0])));
		y1 = max_t(s32, y1, min(63.0, floor(d[i][1])));
	}
	for (y = y0; (s32)y <= y1; y++) {
		for (x = x0; (s32)x <= x1; x++) {
			want = model_pixel(st, d, x, y);
			bad += want != c->at[y][x];
			found += !want;
			found -= !c->at[y][x];
		}
	}
	for (y = 0; y < VR_TILE; y++)
		for (x = 0; x < VR_TILE; x++)
			found += c->at[y][x] && ((s32)x < x0 || (s32)x > x1 || (s32)y < y0 ||
						 (s32)y > y1);
	return bad + found;
}

static bool setup(struct vr_prim *p, const struct vr_state *st, const struct vr_vertex v[3])
{
	return vr_setup_triangle(p, st, (const struct vr_vertex *[]){ &v[0], &v[1], &v[2] });
}

static void random_triangles(u32 n, double size, const char *name)
{
	struct vr_vertex v[3];
	struct vr_state st;
	struct rt_cover c;
	struct vr_prim p;
	u32 i, bad = 0, drawn = 0;

	for (i = 0; i < n; i++) {
		random_state(&st);
		random_corners(v, size);
		memset(&c, 0, sizeof(c));
		if (setup(&p, &st, v)) {
			rt_cover(&c, &p);
			drawn++;
		}
		bad += compare_triangle(&st, v, &c);
	}
	tap_result(!bad && drawn > n / 3, "%s: %u triangles match the model (%u pixels differ)",
		   name, n, bad);
}

/* Quads by themselves are covered as they are in a walk over the tile. */
static void test_quads(void)
{
	u32 n = rt_long ? 100000 : 5000, i, q, bad = 0, quads = 0, whole = 0;
	struct vr_vertex v[3];
	struct vr_walk w, one;
	struct vr_state st;
	struct vr_block b;
	struct vr_prim p;

	for (i = 0; i < n; i++) {
		random_state(&st);
		random_corners(v, i % 2 ? 4 : 40);
		if (i % 16 ? !setup(&p, &st, v) : !vr_setup_rect(&p, &st))
			continue;
		if (!vr_walk_begin(&w, &p, 0, 0))
			continue;
		one = w;
		while (vr_walk_next(&w, &b)) {
			for (q = 0; q < VR_QUADS && b.whole; q++)
				bad += w.samples != 1 || b.cover[q] != VR_EACH_PIXEL(1);
			whole += b.whole;
			for (q = 0; q < VR_QUADS; q++)
				bad += vr_walk_quad(&one, b.x + 2 * (q % 4), b.y + 2 * (q / 4)) !=
				       (b.quads >> q & 1 ? b.cover[q] : 0);
			quads += VR_QUADS;
		}
	}
	tap_result(!bad && quads && whole, "%u quads one by one (%u differ)", quads, bad);
	st = rt_state();
	st.samples = 16;
	st.scissor[0] = 3;
	st.scissor[2] = 4;
	CHECK(vr_setup_rect(&p, &st) && vr_walk_begin(&w, &p, 0, 0) &&
	      vr_walk_quad(&w, 2, 8) == 0xffff0000ffff0000ULL &&
	      vr_walk_quad(&w, 4, 8) == 0x0000ffff0000ffffULL && !vr_walk_quad(&w, 6, 8));
}

/* ---- culling ---- */

static void test_cull(void)
{
	/* clockwise as seen, y downwards */
	struct vr_vertex v[3] = { rt_vertex(1, 1, 0, 1), rt_vertex(9, 1, 0, 1),
				  rt_vertex(1, 9, 0, 1) };
	struct vr_vertex w[3] = { v[0], v[2], v[1] };
	struct vr_state st = rt_state();
	struct vr_prim p;

	CHECK(setup(&p, &st, v) && !p.back && setup(&p, &st, w) && p.back);
	st.flags = VR_FRONT_CCW;
	CHECK(setup(&p, &st, v) && p.back && setup(&p, &st, w) && !p.back);
	st.flags = VR_CULL_BACK;
	CHECK(setup(&p, &st, v) && !setup(&p, &st, w));
	st.flags = VR_CULL_FRONT;
	CHECK(!setup(&p, &st, v) && setup(&p, &st, w));
	st.flags = VR_CULL_FRONT | VR_CULL_BACK;
	CHECK(!setup(&p, &st, v) && !setup(&p, &st, w));
	st.flags = 0;
	w[2] = w[1];
	CHECK(!setup(&p, &st, w));
}

/* Triangles have the same pixels for binning and setup, of unknown samples no fewer. */
static void test_bins(void)
{
	u32 n = rt_long ? 1000000 : 30000, i, k, bad = 0, gone = 0, drawn = 0;
	struct vr_state st = rt_state();
	struct vr_vertex v[3];
	struct vr_corner c[3];
	struct vr_prim p;
	bool now, is, any;

	for (i = 0; i < n; i++) {
		s32 box[2][4] = { { 0, 0, st.width - 1, st.height - 1 } };

		memcpy(box[1], box[0], sizeof(box[0]));
		random_corners(v, i % 2 ? 8 : 100000);
		for (k = 0; k < 3; k++) {
			if (!rt_rnd(8))
				v[k].inv_w ^= 1U << 31;
			if (!rt_rnd(64))
				v[k].x = (u32)rt_rnd64();
			if (!rt_rnd(16))
				v[k] = v[0];
		}
		st.flags = rt_rnd(8);
		st.samples = 1U << 2 * rt_rnd(3);
		st.sample_mask = ~0U;
		now = setup(&p, &st, v);
		is = vr_snap(&c[0], &v[0]) && vr_snap(&c[1], &v[1]) && vr_snap(&c[2], &v[2]);
		any = is && vr_triangle_pixels(box[1], st.flags, 0, c);
		is = is && vr_triangle_pixels(box[0], st.flags, st.samples, c);
		bad += is != now || (is && memcmp(box[0], p.box, sizeof(p.box)));
		bad += is && !(any && box[1][0] <= box[0][0] && box[1][1] <= box[0][1] &&
			       box[1][2] >= box[0][2] && box[1][3] >= box[0][3]);
		gone += !is;
		drawn += is;
	}
	tap_result(!bad && gone > n / 8 && drawn > n / 8, "%u triangles for bins (%u wrong)", n,
		   bad);
}

/* ---- meshes ---- */

#define MAX_POINTS	40

static void count_cover(u32 count[64][64], const struct vr_prim *p)
{
	struct rt_cover c;
	u32 x, y;

	rt_cover(&c, p);
	for (y = 0; y < VR_TILE; y++)
		for (x = 0; x < VR_TILE; x++)
			count[y][x] += hweight32(c.at[y][x]);
}

/* A square is cut into triangles at random points; @far: its corners are this far away. */
static u32 mesh(double far, u32 points, u32 samples)
{
	struct vr_vertex v[4 + MAX_POINTS];
	u32 tri[2 + 2 * MAX_POINTS][3] = { { 0, 1, 2 }, { 0, 2, 3 } }, n = 2, i, k, t, bad = 0;
	u32 count[64][64] = {}, x, y;
	struct vr_state st = rt_state();
	struct vr_prim p;

	st.samples = samples;
	for (i = 0; i < 4; i++)
		v[i] = rt_vertex(i == 1 || i == 2 ? far : 64 - far, i > 1 ? far : 64 - far, 0, 1);
	for (i = 4; i < 4 + points; i++) {
		double a = rt_between(0, 1), b = rt_between(0, 1 - a), c = 1 - a - b;
		u32 *q;

		t = rt_rnd(n);
		q = tri[t];
		v[i] = rt_vertex(a * rt_float(v[q[0]].x) + b * rt_float(v[q[1]].x) +
				 c * rt_float(v[q[2]].x),
				 a * rt_float(v[q[0]].y) + b * rt_float(v[q[1]].y) +
				 c * rt_float(v[q[2]].y), 0, 1);
		for (k = 0; k < 2; k++) {
			tri[n + k][0] = q[k];
			tri[n + k][1] = q[k + 1];
			tri[n + k][2] = i;
		}
		q[1] = i;
		n += 2;
	}
	for (t = 0; t < n; t++) {
		struct vr_vertex c[3] = { v[tri[t][0]], v[tri[t][1]], v[tri[t][2]] };
		bool turned = false;

		/* points on an edge may have been snapped to its other side: that covers twice */
		st.flags = VR_CULL_BACK;
		turned = !setup(&p, &st, c);
		st.flags = 0;
		if (turned && setup(&p, &st, c))
			return 0;
		if (!turned)
			count_cover(count, &p);
	}
	for (y = 0; y < VR_TILE; y++)
		for (x = 0; x < VR_TILE; x++)
			bad += count[y][x] != samples;
	return bad;
}

static void test_meshes(void)
{
	static const double far[] = { 64, 500, 30000, 1e6, 1e10, 6e10, 1e12, 1e20, 1e37 };
	u32 i, k, n = rt_long ? 3000 : 60, bad;

	for (i = 0; i < ARRAY_SIZE(far); i++) {
		for (k = 0, bad = 0; k < n; k++)
			bad += mesh(far[i], 1 + rt_rnd(MAX_POINTS), k % 2 ? 4 : 1);
		tap_result(!bad, "meshes with corners at %g have neither gaps nor overlaps (%u)",
			   far[i], bad);
	}
}

/* ---- behind the eye ---- */

/* Clip coordinates of a point to what vertex programs write; 32 pixels are 1. */
static struct vr_vertex project(const double c[3])
{
	return rt_vertex(c[0] / c[2] * 32 + 32, c[1] / c[2] * 32 + 32, 0, 1 / c[2]);
}

/* Smallest homogeneous barycentric coordinate of a pixel, its w; in units of a pixel's change. */
static double model_behind(double c[3][3], double px, double py, double *w)
{
	double p[3] = { (px - 32) / 32, (py - 32) / 32, 1 }, b[3], least = INFINITY;
	double det = 0, sum = 0;
	u32 i;

	for (i = 0; i < 3; i++) {
		const double *j = c[(i + 1) % 3], *k = c[(i + 2) % 3];
		double n[3] = { j[1] * k[2] - j[2] * k[1], j[2] * k[0] - j[0] * k[2],
				j[0] * k[1] - j[1] * k[0] };
		double step = hypot(n[0], n[1]) / 32;

		det = c[i][0] * n[0] + c[i][1] * n[1] + c[i][2] * n[2];
		b[i] = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
		if (det < 0)
			b[i] = -b[i];
		sum += b[i];
		least = fmin(least, step > 0 ? b[i] / step : b[i] < 0 ? -INFINITY : INFINITY);
	}
	/* p is the sum of b v, over the determinant: behind the eye all b are negative */
	*w = sum;
	return least;
}

static void test_behind(void)
{
	u32 n = rt_long ? 200000 : 3000, i, k, x, y, bad = 0, drawn = 0, dropped = 0, sides = 0;
	struct vr_vertex v[3];
	struct vr_state st = rt_state();
	struct rt_cover c;
	struct vr_prim p;
	double clip[3][3], w, b;

	for (i = 0; i < n; i++) {
		double det;

		for (k = 0; k < 3; k++) {
			clip[k][0] = rt_between(-2, 2);
			clip[k][1] = rt_between(-2, 2);
			/* nearer, binary32 has no 1/256 of a pixel left */
			do
				clip[k][2] = rt_between(-1, 2);
			while (fabs(clip[k][2]) < 0.002);
			v[k] = project(clip[k]);
			/* the model has the snapped corners */
			clip[k][0] = (snapped(v[k].x) - 32) / 32 * clip[k][2];
			clip[k][1] = (snapped(v[k].y) - 32) / 32 * clip[k][2];
		}
		if (clip[0][2] > 0 && clip[1][2] > 0 && clip[2][2] > 0)
			continue;
		memset(&c, 0, sizeof(c));
		if (setup(&p, &st, v)) {
			rt_cover(&c, &p);
			det = clip[0][0] * (clip[1][1] * clip[2][2] - clip[1][2] * clip[2][1]) -
			      clip[0][1] * (clip[1][0] * clip[2][2] - clip[1][2] * clip[2][0]) +
			      clip[0][2] * (clip[1][0] * clip[2][1] - clip[1][1] * clip[2][0]);
			/* clockwise as seen is positive: y is downwards in the model, too */
			if (fabs(det) > 0.001)
				sides += p.back != (det < 0);
			drawn++;
		} else {
			dropped++;
		}
		for (y = 0; y < VR_TILE; y++) {
			for (x = 0; x < VR_TILE; x++) {
				b = model_behind(clip, x + 0.5, y + 0.5, &w);
				/* nearer to an edge rounding decides */
				if (fabs(b) > 0.0001)
					bad += (b > 0 && w > 0) != !!c.at[y][x];
			}
		}
	}
	tap_result(!bad && drawn > n / 4, "%u triangles that reach behind the eye (%u pixels)",
		   drawn, bad);
	tap_result(!sides, "their visible parts show the right side (%u do not)", sides);
	tap_result(dropped > n / 50, "%u are behind the eye entirely", dropped);
}

/* A ground plane around the eye: below the horizon each pixel once, above it none. */
static void test_ground(void)
{
	u32 count[64][64] = {}, i, k, x, y, bad = 0;
	struct vr_state st = rt_state();
	struct vr_vertex v[4], t[3];
	struct vr_prim p;

	for (i = 0; i < 20; i++) {
		for (k = 0; k < 20; k++) {
			u32 n;

			for (n = 0; n < 4; n++) {
				/* no point exactly at the eye */
				double c[3] = { (i + (n == 1 || n == 2) - 9.7) * 40, 1,
						(k + (n > 1) - 9.7) * 40 };

				v[n] = project(c);
			}
			for (n = 0; n < 2; n++) {
				t[0] = v[0];
				t[1] = v[1 + n];
				t[2] = v[2 + n];
				if (setup(&p, &st, t))
					count_cover(count, &p);
			}
		}
	}
	for (y = 0; y < VR_TILE; y++)
		for (x = 0; x < VR_TILE; x++)
			bad += y < 32 ? count[y][x] != 0 : y > 32 && count[y][x] != 1;
	tap_result(!bad, "a plane around the eye has its horizon, no gaps (%u pixels)", bad);
}

/* ---- points and lines ---- */

static void test_points(void)
{
	u32 n = rt_long ? 1000000 : 8000, i, s, x, y, bad = 0, want;
	struct vr_state st;
	struct vr_vertex v;
	struct rt_cover c;
	struct vr_prim p;
	double size, h, cx, cy, px, py;

	for (i = 0; i < n; i++) {
		random_state(&st);
		v = rt_vertex(coordinate(32, 40), coordinate(32, 40), 0, 1);
		size = rt_rnd(2) ? 1 + rt_rnd(20) : rt_between(0, 20);
		memset(&c, 0, sizeof(c));
		if (vr_setup_point(&p, &st, &v, rt_bits((float)size)))
			rt_cover(&c, &p);
		h = snapped(rt_bits((float)size)) / 2;
		cx = snapped(v.x);
		cy = snapped(v.y);
		for (y = 0; y < VR_TILE; y++) {
			for (x = 0; x < VR_TILE; x++) {
				for (s = 0, want = 0; s < st.samples; s++) {
					place(st.samples, s, &px, &py);
					px += x;
					py += y;
					if (st.sample_mask >> s & 1 && in_scissor(&st, x, y) &&
					    px >= cx - h && px < cx + h && py >= cy - h &&
					    py < cy + h)
						want |= 1U << s;
				}
				bad += want != c.at[y][x];
			}
		}
	}
	tap_result(!bad, "%u points match the model (%u pixels differ)", n, bad);
}

/* Distance from the border of a line's rectangle, negative outside. */
static double line_distance(const double a[2], const double b[2], double width, bool aligned,
			    double x, double y)
{
	double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy), along, across, lo, hi;

	if (!aligned) {
		along = ((x - a[0]) * dx + (y - a[1]) * dy) / length;
		across = fabs((x - a[0]) * dy - (y - a[1]) * dx) / length;
		return fmin(fmin(along, length - along), width / 2 - across);
	}
	if (fabs(dx) >= fabs(dy)) {
		lo = fmin(a[0], b[0]);
		hi = fmax(a[0], b[0]);
		across = fabs(y - (a[1] + (x - a[0]) * dy / dx));
		return fmin(fmin(x - lo, hi - x), width / 2 - across);
	}
	lo = fmin(a[1], b[1]);
	hi = fmax(a[1], b[1]);
	across = fabs(x - (a[0] + (y - a[1]) * dx / dy));
	return fmin(fmin(y - lo, hi - y), width / 2 - across);
}

static void test_lines(void)
{
	u32 n = rt_long ? 300000 : 3000, i, s, x, y, bad = 0, want, unsure;
	struct vr_state st;
	struct vr_vertex v[2];
	struct rt_cover c;
	struct vr_prim p;
	double width, a[2], b[2], d, px, py;

	for (i = 0; i < n; i++) {
		random_state(&st);
		if (rt_rnd(2))
			st.flags |= VR_LINE_ALIGNED;
		for (s = 0; s < 2; s++)
			v[s] = rt_vertex(coordinate(32, 50), coordinate(32, 50), 0, 1);
		width = rt_rnd(2) ? 1 + rt_rnd(8) : rt_between(0.1, 10);
		memset(&c, 0, sizeof(c));
		if (vr_setup_line(&p, &st, (const struct vr_vertex *[]){ &v[0], &v[1] },
				  rt_bits((float)width)))
			rt_cover(&c, &p);
		a[0] = snapped(v[0].x);
		a[1] = snapped(v[0].y);
		b[0] = snapped(v[1].x);
		b[1] = snapped(v[1].y);
		width = snapped(rt_bits((float)width));
		for (y = 0; y < VR_TILE; y++) {
			for (x = 0; x < VR_TILE; x++) {
				for (s = want = unsure = 0; s < st.samples; s++) {
					place(st.samples, s, &px, &py);
					d = line_distance(a, b, width, st.flags, x + px, y + py);
					if (fabs(d) < 0.01)
						unsure |= 1U << s;
					if (d > 0 && st.sample_mask >> s & 1 &&
					    in_scissor(&st, x, y))
						want |= 1U << s;
				}
				bad += (want ^ c.at[y][x]) & ~unsure ? 1 : 0;
			}
		}
	}
	tap_result(!bad, "%u lines match the model (%u pixels differ)", n, bad);
}

static bool line(struct vr_prim *p, const struct vr_state *st, double x0, double y0, double x1,
		 double y1, double inv_w1)
{
	struct vr_vertex v[2] = { rt_vertex(x0, y0, 0, 1), rt_vertex(x1, y1, 0, inv_w1) };

	return vr_setup_line(p, st, (const struct vr_vertex *[]){ &v[0], &v[1] }, rt_bits(1));
}

/* Strips and lines with one end behind the eye. */
static void test_line_ends(void)
{
	static const s8 at[5][2] = { { 4, 4 }, { 20, 9 }, { 20, 30 }, { 7, 30 }, { 4, 4 } };
	struct vr_state st = rt_state();
	u32 count[64][64] = {}, i, x, y, bad = 0, n = 0;
	struct rt_cover c;
	struct vr_prim p;

	st.flags = VR_LINE_ALIGNED;
	for (i = 0; i < 4; i++)
		if (line(&p, &st, at[i][0] + 0.5, at[i][1] + 0.5, at[i + 1][0] + 0.5,
			 at[i + 1][1] + 0.5, 1))
			count_cover(count, &p);
	for (y = 0; y < VR_TILE; y++)
		for (x = 0; x < VR_TILE; x++) {
			bad += count[y][x] > 1;
			n += count[y][x];
		}
	/* a segment covers as many pixels as its longer side */
	tap_result(!bad && n == 16 + 21 + 13 + 26, "lines of a loop cover no pixel twice (%u)", n);
	CHECK(line(&p, &st, 10.5, 5.5, 30.5, 5.5, -1));
	rt_cover(&c, &p);
	/* the end at 30 is behind the eye: the line runs away from it */
	for (x = 0, bad = 0; x < VR_TILE; x++)
		bad += !!c.at[5][x] != (x <= 10);
	tap_result(!bad, "a line with an end behind the eye runs the other way");
	CHECK(line(&p, &st, 10.5, 5.5, 1e30, 5.5, 1));
	rt_cover(&c, &p);
	for (x = 0, bad = 0; x < VR_TILE; x++)
		bad += !!c.at[5][x] != (x >= 10);
	tap_result(!bad, "a line to the far right");
	CHECK(!line(&p, &st, 3, 3, 3, 3, 1) && !line(&p, &st, 3, 3, NAN, 3, 1));
}

/* ---- hostile ---- */

static void test_garbage(void)
{
	u32 i, k, n = rt_long ? 3000000 : 100000, drawn = 0, outside = 0;
	struct vr_vertex v[3];
	struct vr_state st;
	struct vr_prim p;
	struct vr_walk w;
	struct vr_block b;
	bool ok;

	for (i = 0; i < n; i++) {
		for (k = 0; k < 3; k++) {
			u32 *word = (u32 *)&v[k], m;

			for (m = 0; m < 4; m++)
				word[m] = rt_rnd(2) ? (u32)rt_rnd64() :
					  rt_bits((float)(rt_between(-2, 2) * pow(2, rt_rnd(40))));
		}
		for (k = 0; k < sizeof(st) / 4; k++)
			((u32 *)&st)[k] = rt_rnd(2) ? (u32)rt_rnd64() : rt_rnd(100);
		switch (rt_rnd(3)) {
		case 0:
			ok = setup(&p, &st, v);
			break;
		case 1:
			ok = vr_setup_line(&p, &st, (const struct vr_vertex *[]){ &v[0], &v[1] },
					   v[2].x);
			break;
		default:
			ok = vr_setup_point(&p, &st, &v[0], v[1].x);
			break;
		}
		if (!ok || !vr_walk_begin(&w, &p, p.box[0] / 64, p.box[1] / 64))
			continue;
		while (vr_walk_next(&w, &b)) {
			drawn++;
			outside += b.x / 8 < p.box[0] / 8 || b.x / 8 > p.box[2] / 8 ||
				   b.y / 8 < p.box[1] / 8 || b.y / 8 > p.box[3] / 8;
		}
	}
	tap_result(drawn && !outside, "any bits cover blocks inside of frame and scissor only (%u)",
		   drawn);
}

int main(int argc, char **argv)
{
	u32 many;

	rt_args(argc, argv);
	many = rt_long ? 20000000 : rt_quick ? 200000 : 1000000;
	random_triangles(many, 4, "small");
	random_triangles(many / 20, 12, "medium");
	test_quads();
	random_triangles(many / 200, 100, "large");
	random_triangles(many / 400, 30000, "beyond the guard band");
	test_cull();
	test_bins();
	test_meshes();
	test_behind();
	test_ground();
	test_points();
	test_lines();
	test_line_ends();
	test_garbage();
	return tap_done();
}
