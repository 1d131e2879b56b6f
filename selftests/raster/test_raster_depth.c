// SPDX-License-Identifier: GPL-2.0
/*
 * Depth and varyings against models in doubles; the portable and the native build agree on
 * every bit, whatever the input.
 */
#include <math.h>

#include "rt.h"

static bool setup(struct vr_prim *p, const struct vr_state *st, const struct vr_vertex v[3])
{
	return vr_setup_triangle(p, st, (const struct vr_vertex *[]){ &v[0], &v[1], &v[2] });
}

static void corner_depths(const struct vr_vertex v[3], u32 z[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		z[i] = v[i].z;
}

static double snapped(u32 bits)
{
	return round((double)rt_float(bits) * 256) / 256;
}

/* Weights in the window, of snapped corners. */
static void weights(const struct vr_vertex v[3], double x, double y, double b[3])
{
	double c[3][2], area;
	u32 i;

	for (i = 0; i < 3; i++) {
		c[i][0] = snapped(v[i].x);
		c[i][1] = snapped(v[i].y);
	}
	area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
	       (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
	for (i = 0; i < 3; i++) {
		const double *j = c[(i + 1) % 3], *k = c[(i + 2) % 3];

		b[i] = ((k[0] - j[0]) * (y - j[1]) - (k[1] - j[1]) * (x - j[0])) / area;
	}
}

static const struct vr_depth plain = { .range = { 0, 0x3f800000 } };

/* ---- depth ---- */

static void random_triangle(struct vr_vertex v[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		v[i] = rt_vertex(rt_between(-20, 84), rt_between(-20, 84), rt_between(0, 1),
				 rt_between(0.1, 4));
}

static void test_depth(void)
{
	u32 n = rt_long ? 300000 : 5000, i, s, k, zc[3], quads = 0;
	u32 z[4 * VR_MAX_SAMPLES];
	double worst = 0, b[3], want, scale;
	struct vr_state st = rt_state();
	struct vr_plane plane;
	struct vr_vertex v[3];
	struct vr_prim p;

	for (i = 0; i < n; i++) {
		random_triangle(v);
		st.samples = i % 2 ? 4 << i % 3 : 1;
		if (!setup(&p, &st, v))
			continue;
		corner_depths(v, zc);
		vr_plane(vs_simd_best(), &plane, &p, &plain, zc);
		for (k = 0; k < 8; k++) {
			u32 x = (p.box[0] + rt_rnd(p.box[2] - p.box[0] + 1)) & ~1;
			u32 y = (p.box[1] + rt_rnd(p.box[3] - p.box[1] + 1)) & ~1;
			u32 pixel = rt_rnd(4);

			vr_plane_quad(vs_simd_best(), &plane, x, y, 0xffff, z);
			for (s = 0; s < st.samples; s++) {
				s32 sx, sy;

				vr_sample_place(st.samples, s, &sx, &sy);
				weights(v, x + (pixel & 1) + sx / 256.0,
					y + (pixel >> 1) + sy / 256.0, b);
				want = b[0] * rt_float(v[0].z) + b[1] * rt_float(v[1].z) +
				       b[2] * rt_float(v[2].z);
				scale = fabs(b[0]) + fabs(b[1]) + fabs(b[2]);
				want = fmin(fmax(want, 0), 1) - rt_float(z[4 * s + pixel]);
				worst = fmax(worst, fabs(want) / scale);
				quads++;
			}
		}
	}
	tap_result(quads > n && worst < 0.0000001, "depth of %u samples, error %g at most", quads,
		   worst);
}

/* A plane of known slope. */
static void plane_of(struct vr_plane *plane, const struct vr_depth *d, double z0, double zx,
		     double zy)
{
	struct vr_vertex v[3] = { rt_vertex(0, 0, z0, 1), rt_vertex(64, 0, z0 + 64 * zx, 1),
				  rt_vertex(0, 64, z0 + 64 * zy, 1) };
	struct vr_state st = rt_state();
	struct vr_prim p;
	u32 z[3];

	corner_depths(v, z);
	if (setup(&p, &st, v))
		vr_plane(vs_simd_best(), plane, &p, d, z);
}

#define ONE_EACH	VR_EACH_PIXEL(1)

static double depth_at(const struct vr_depth *d, double z0, double zx, double zy, u64 *cover)
{
	struct vr_plane plane;
	u32 z[4 * VR_MAX_SAMPLES];

	plane_of(&plane, d, z0, zx, zy);
	*cover = vr_plane_quad(vs_simd_best(), &plane, 8, 16, ONE_EACH, z);
	return rt_float(z[0]);
}

static void test_state(void)
{
	struct vr_depth d = plain;
	u64 cover;

	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.25 && cover == ONE_EACH);
	/* slopes are powers of two: exact */
	CHECK(depth_at(&d, 0.25, 1 / 256.0, -1 / 512.0, &cover) == 0.25 + 8.5 / 256 - 16.5 / 512);
	d.flags = VR_DEPTH_OFFSET;
	d.factor = rt_bits(2);
	CHECK(depth_at(&d, 0.25, 1 / 256.0, -1 / 64.0, &cover) ==
	      0.25 + 8.5 / 256 - 16.5 / 64 + 2 / 64.0);
	d.factor = 0;
	d.units = rt_bits(-4);
	d.bits = 16;
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.25 - 4 / 65536.0);
	d.bits = 0;
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.25 - 4.0 / (1 << 25));
	d.bits = 4;
	d.clamp = rt_bits(-0.125);
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.125);
	d.units = rt_bits(4);
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.5);
	d.clamp = rt_bits(0.125);
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.375);
	/* range and clipping */
	d = plain;
	d.range[0] = rt_bits(0.75);
	d.range[1] = rt_bits(0.5);
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.5 && cover == ONE_EACH);
	CHECK(depth_at(&d, 1, 0, 0, &cover) == 0.75 && cover == ONE_EACH);
	d.flags = VR_DEPTH_CLIP_NEAR;
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.5 && !cover);
	CHECK(depth_at(&d, 1, 0, 0, &cover) == 0.75 && cover == ONE_EACH);
	d.flags = VR_DEPTH_CLIP_FAR;
	CHECK(depth_at(&d, 1, 0, 0, &cover) == 0.75 && !cover);
	/* two columns are in front of 0.5 */
	d.flags = VR_DEPTH_CLIP_NEAR;
	CHECK(depth_at(&d, 0.5 - 9 / 256.0, 1 / 256.0, 0, &cover) == 0.5 &&
	      cover == 0x0001000000010000ULL);
	/* of depths without the offset, which is limited by 0 and 1, or by the range */
	d.flags = VR_DEPTH_CLIP_NEAR | VR_DEPTH_CLIP_FAR | VR_DEPTH_OFFSET;
	d.units = rt_bits(6);
	d.bits = 4;
	CHECK(depth_at(&d, 0.625, 0, 0, &cover) == 1 && cover == ONE_EACH);
	CHECK(depth_at(&d, 0.25, 0, 0, &cover) == 0.625 && !cover);
	d.units = rt_bits(-12);
	CHECK(depth_at(&d, 0.625, 0, 0, &cover) == 0 && cover == ONE_EACH);
	d.flags = VR_DEPTH_CLIP_NEAR | VR_DEPTH_OFFSET;
	d.units = rt_bits(6);
	CHECK(depth_at(&d, 0.625, 0, 0, &cover) == 0.75 && cover == ONE_EACH);
	d.flags = VR_DEPTH_CLIP_NEAR;
	CHECK(depth_at(&d, NAN, 0, 0, &cover) == 0.5);
	CHECK(depth_at(&d, INFINITY, 0, 0, &cover) == 0.5);
}

/* ---- varyings ---- */

/* Value @f of a varying of a projected triangle, some corners behind the eye. */
static void test_perspective(bool behind)
{
	u32 n = rt_long ? 300000 : 10000, i, k, lanes = 0, inv[3], c[VR_QUADS][3] = {}, out[64];
	struct vr_state st = rt_state();
	struct vr_weights w;
	struct vr_vertex v[3];
	struct vr_prim p;
	double worst = 0;

	for (i = 0; i < n; i++) {
		double f[3], clip[3][3], least = 0, px, py, b[3], sum = 0, want = 0;
		u32 x = rt_rnd(32) * 2, y = rt_rnd(32) * 2;

		for (k = 0; k < 3; k++) {
			do
				clip[k][2] = rt_between(behind ? -1 : 0.2, 2);
			while (fabs(clip[k][2]) < 0.05);
			clip[k][0] = rt_between(-2, 2);
			clip[k][1] = rt_between(-2, 2);
			v[k] = rt_vertex(clip[k][0] / clip[k][2] * 32 + 32,
					 clip[k][1] / clip[k][2] * 32 + 32, 0, 1 / clip[k][2]);
			inv[k] = v[k].inv_w;
			f[k] = rt_between(-3, 3);
			c[3][k] = rt_bits((float)f[k]);
		}
		if (!setup(&p, &st, v))
			continue;
		vr_weights_quad(vs_simd_best(), &w, 3, &p, inv, x, y, NULL);
		vr_interpolate(vs_simd_best(), &w, BIT(3), (const u32 (*)[3])c, out);
		px = (x + 0.5 - 32) / 32;
		py = (y + 0.5 - 32) / 32;
		for (k = 0; k < 3; k++) {
			const double *j = clip[(k + 1) % 3], *m = clip[(k + 2) % 3];

			b[k] = px * (j[1] * m[2] - j[2] * m[1]) + py * (j[2] * m[0] - j[0] * m[2]) +
			       j[0] * m[1] - j[1] * m[0];
			sum += b[k];
		}
		for (k = 0; k < 3; k++) {
			want += b[k] / sum * f[k];
			least = fmin(least, b[k] / sum);
		}
		/* not where snapping moves the plane much, nor outside */
		if (least < 0 || fabs(sum) < 0.3)
			continue;
		lanes++;
		worst = fmax(worst, fabs(want - rt_float(out[12])));
	}
	tap_result(lanes > n / 50 && worst < 0.02, "varyings of %u pixels%s, error %g at most",
		   lanes, behind ? ", triangles reach behind the eye" : "", worst);
}

static void test_weights(void)
{
	struct vr_vertex v[3] = { rt_vertex(4, 4, 0, 1), rt_vertex(20, 4, 0, 0.5),
				  rt_vertex(4, 20, 0, 1) };
	static const s16 at[4][2] = { { 0, 0 }, { 128, 128 }, { 256, 0 }, { 0, -256 } };
	u32 inv[3] = { v[0].inv_w, v[1].inv_w, v[2].inv_w }, c[VR_QUADS][3] = {}, out[64];
	struct vr_state st = rt_state();
	struct vr_weights w;
	struct vr_prim p;
	u32 i;

	for (i = 0; i < 3; i++)
		c[0][i] = rt_bits((float)i * 16);
	setup(&p, &st, v);
	/* half way from corner 0 to 1 */
	vr_weights_quad(vs_simd_best(), &w, 0, &p, NULL, 12, 4, at);
	vr_interpolate(vs_simd_best(), &w, 1, (const u32 (*)[3])c, out);
	CHECK(out[0] == rt_bits(8) && out[2] == rt_bits(9 + 2) && out[3] == rt_bits(9));
	vr_weights_quad(vs_simd_best(), &w, 0, &p, inv, 12, 4, at);
	vr_interpolate(vs_simd_best(), &w, 1, (const u32 (*)[3])c, out);
	CHECK(out[0] == rt_bits((float)(16 * 0.25 / 0.75)));
	CHECK(vr_setup_line(&p, &st, (const struct vr_vertex *[]){ &v[0], &v[2] }, rt_bits(3)));
	vr_weights_quad(vs_simd_best(), &w, 0, &p, NULL, 4, 12, at);
	vr_interpolate(vs_simd_best(), &w, 1, (const u32 (*)[3])c, out);
	CHECK(out[0] == rt_bits(8) && out[1] == rt_bits(8.5));
	CHECK(vr_setup_point(&p, &st, &v[0], rt_bits(3)));
	c[0][0] = 0x12345678;
	vr_weights_quad(vs_simd_best(), &w, 0, &p, inv, 4, 12, NULL);
	vr_interpolate(vs_simd_best(), &w, 1, (const u32 (*)[3])c, out);
	CHECK(out[0] == c[0][0] && out[3] == c[0][0]);
}

/* ---- all builds ---- */

static u32 any(void)
{
	return rt_rnd(2) ? (u32)rt_rnd64() : rt_bits((float)rt_between(-2, 2));
}

static void test_builds(void)
{
	u32 n = rt_long ? 1000000 : 20000, i, k, z[VS_NUM_SIMD][4 * VR_MAX_SAMPLES],
	    c[VR_QUADS][3], m;
	u32 out[VS_NUM_SIMD][64] = {};
	struct vr_state st = rt_state();
	struct vr_plane plane[VS_NUM_SIMD];
	static struct vr_weights w[VS_NUM_SIMD];
	struct vr_vertex v[3];
	struct vr_depth d;
	struct vr_prim p;
	u32 inv[3], zc[3], drawn = 0, same = 0, x, y;
	u64 cover[VS_NUM_SIMD];
	bool ok;

	for (i = 0; i < n; i++) {
		random_triangle(v);
		for (k = 0; k < 3; k++) {
			zc[k] = any();
			inv[k] = any();
			v[k].inv_w = inv[k];
			if (!rt_rnd(10))
				v[k].x = any();
		}
		for (k = 0; k < sizeof(d) / 4; k++)
			((u32 *)&d)[k] = any();
		for (k = 0; k < 48; k++)
			c[k / 3][k % 3] = any();
		st.samples = rt_rnd(2) ? 4 << rt_rnd(3) : 1;
		if (i % 8 ? !setup(&p, &st, v) :
			    !vr_setup_line(&p, &st, (const struct vr_vertex *[]){ &v[0], &v[1] },
					   rt_bits(4)))
			continue;
		drawn++;
		x = p.box[0] & ~1;
		y = p.box[1] & ~1;
		memset(z, 0, sizeof(z));
		for (m = 0, ok = true; m < VS_NUM_SIMD; m++) {
			if (!(vs_simd_mask() >> m & 1))
				continue;
			vr_plane(m, &plane[m], &p, &d, zc);
			cover[m] = vr_plane_quad(m, &plane[m], x, y, ~0ULL, z[m]);
			vr_weights_quad(m, &w[m], 5, &p, inv, x, y, NULL);
			vr_interpolate(m, &w[m], BIT(5), (const u32 (*)[3])c, out[m]);
			ok &= !memcmp(z[0], z[m], sizeof(z[0])) && cover[0] == cover[m] &&
			      !memcmp(out[0] + 20, out[m] + 20, 16);
		}
		same += ok;
	}
	tap_result(drawn > n / 4 && same == drawn,
		   "%u primitives of any depth: all builds agree (%u do not)", drawn,
		   drawn - same);
}

int main(int argc, char **argv)
{
	rt_args(argc, argv);
	test_depth();
	test_state();
	test_perspective(false);
	test_perspective(true);
	test_weights();
	test_builds();
	return tap_done();
}
