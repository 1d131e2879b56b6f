// SPDX-License-Identifier: GPL-2.0
/*
 * CPU time of the rasteriser's parts, printed; a test fails if one is an order of magnitude above
 * its goal.
 */
#include "isa/mali/mali_res.h"
#include "raster/vr_tile.h"
#include "rt.h"

#define TRIANGLES	1000
/* Times the goal, for sanitizers; an emulated machine is slower yet with vectors. */
#define LIMIT		(rt_emulated ? 100 : 10)

static u8 memory[9 * 4096] __aligned(16);

static void small_triangles(void)
{
	static struct vr_vertex v[TRIANGLES][3];
	struct vr_state st = rt_state();
	u32 i, k, r, rounds = 200, quads = 0;
	struct vr_block b;
	struct vr_prim p;
	struct vr_walk w;
	double t, ns;

	for (i = 0; i < TRIANGLES; i++) {
		double x = rt_between(2, 60), y = rt_between(2, 60);

		for (k = 0; k < 3; k++)
			v[i][k] = rt_vertex(x + rt_between(-4, 4), y + rt_between(-4, 4), 0, 1);
	}
	t = rt_seconds();
	for (r = 0; r < rounds; r++) {
		for (i = 0; i < TRIANGLES; i++) {
			const struct vr_vertex *const c[3] = { &v[i][0], &v[i][1], &v[i][2] };

			if (!vr_setup_triangle(&p, &st, c) || !vr_walk_begin(&w, &p, 0, 0))
				continue;
			while (vr_walk_next(&w, &b))
				quads += hweight32(b.quads);
		}
	}
	ns = (rt_seconds() - t) / rounds / TRIANGLES * 1000000000;
	tap_comment("setup and coverage of a triangle of %.1f quads: %.0f ns",
		    (double)quads / rounds / TRIANGLES, ns);
	tap_result(ns < 500 * LIMIT, "small triangles");
}

/* A tile of depth-tested quads with one varying of four components, blended. */
static void quads(enum vs_simd simd)
{
	struct vr_vertex v[3] = { rt_vertex(0, 0, 0, 1), rt_vertex(130, 0, 1, 1),
				  rt_vertex(0, 130, 0.5, 1) };
	u32 z[3] = { v[0].z, v[1].z, v[2].z }, inv[3] = { v[0].inv_w, v[1].inv_w, v[2].inv_w };
	struct vr_depth d = { .range = { 0, 0x3f800000 } };
	struct vr_zs zs = { .flags = VR_DEPTH_TEST | VR_DEPTH_WRITE, .func = 3 };
	/* source * alpha + destination * (1 - alpha) */
	static const struct vr_function over = {
		.a = { .dst = 1, .invert = true },
		.b = { .src = 1, .dst = -1, .factor = VR_FACTOR_SRC, .alpha = true },
	};
	struct vr_blend blend = { .f = { over, over }, .write = 15 };
	u32 q, i, r, rounds = 20, at[4 * VR_MAX_SAMPLES], c[VR_QUADS][3];
	u32 out[4][VS_LANES] = {};
	struct vr_tile t = { .samples = 1, .ntargets = 1, .zformat = VR_Z24 };
	struct vr_state st = rt_state();
	u16 lanes[VS_LANES];
	u64 cover;
	struct vr_batch batch;
	struct vr_weights w;
	struct vr_plane plane;
	struct vr_block b;
	struct vr_prim p;
	struct vr_walk walk;
	double start, ns;

	mali_format_decode(MALI_V7, 0xbb << 12, &t.format[0]);
	if (vr_tile_bytes(&t) > sizeof(memory) || !vr_blend_ok(&blend, &t.format[0]))
		printf("Bail out! tile\n");
	for (i = 0; i < 3 * VR_QUADS; i++)
		c[i / 3][i % 3] = rt_bits(i % 3 / 2.0f);
	vr_tile_place(&t, memory);
	vr_tile_clear_zs(&t, 0x3f800000, 0);
	vr_setup_triangle(&p, &st, (const struct vr_vertex *[]){ &v[0], &v[1], &v[2] });
	start = rt_seconds();
	for (r = 0; r < rounds; r++) {
		vr_plane(simd, &plane, &p, &d, z);
		vr_walk_begin(&walk, &p, 0, 0);
		while (vr_walk_next(&walk, &b)) {
			for (q = 0; q < VR_QUADS; q++) {
				u32 x = b.x + 2 * (q % 4), y = b.y + 2 * (q / 4);

				cover = b.quads >> q & 1 ? b.cover[q] : 0;
				cover = vr_plane_quad(simd, &plane, x, y, cover, at);
				cover = vr_tile_zs(&t, &zs, false, x, y, cover, at, NULL,
						   VR_ZS_TEST | VR_ZS_WRITE);
				vr_weights_quad(simd, &w, q, &p, inv, x, y, NULL);
				b.cover[q] = cover;
			}
			for (i = 0; i < 4; i++)
				vr_interpolate(simd, &w, b.quads, (const u32 (*)[3])c, out[i]);
			vr_batch_clear(&batch);
			for (i = 0; i < VS_LANES; i++)
				lanes[i] = VR_PIXEL(b.cover[i / 4], i % 4);
			for (q = 0; q < VR_QUADS; q++)
				vr_batch_add(&batch, 0, b.x + 2 * (q % 4), b.y + 2 * (q / 4), 0, 0);
			vr_tile_blend(simd, &t, 0, &t.format[0], &blend, &batch, lanes,
				      (const u32 (*)[VS_LANES])out, NULL);
		}
	}
	ns = (rt_seconds() - start) / rounds / (VR_TILE * VR_TILE) * 1000000000;
	tap_comment("depth, a varying of 4 components, blending, %s: %.1f ns a pixel",
		    vs_simd_name(simd), ns);
	if (simd != VS_SIMD_PORTABLE)
		tap_result(ns < 100 * LIMIT && t.passed == rounds * VR_TILE * VR_TILE,
			   "depth-tested, blended quads");
}

int main(int argc, char **argv)
{
	u32 simd;

	rt_args(argc, argv);
	small_triangles();
	/* there is no wider build than AVX2's */
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		if (simd != VS_SIMD_AVX512 && vs_simd_mask() >> simd & 1)
			quads(simd);
	return tap_done();
}
