// SPDX-License-Identifier: GPL-2.0
/*
 * Fragments in programs built from their micro-ops: coverage, varyings, depth, blending,
 * targets; the portable and the native arithmetic return the same results. Then any micro-op
 * with any operands.
 */
#include <math.h>

#include "ext.h"

/* Of triangles that share edges every pixel belongs to exactly one. */
static void test_coverage(void)
{
	static const double v[6][2] = { { 0, 0 }, { 8, 0 }, { 8, 8 }, { 0, 8 }, { 3.5, 4.5 },
					{ 0, 0 } };
	u32 count[64] = {}, i, l, bad = 0;
	struct simt_uop nop = { .op = SIMT_MOV, .d = OUT, .s = { IN, IN, IN, IN } };

	for (i = 0; i < 8; i++) {
		frag_new(RGBA8);
		/* the corners of the square with a point on pixel centres, in both windings */
		corner(i < 4 ? 0 : 1, v[i % 4][0], v[i % 4][1], 0, 1);
		corner(i < 4 ? 1 : 0, v[(i + 1) % 4][0], v[(i + 1) % 4][1], 0, 1);
		corner(2, v[4][0], v[4][1], 0, 1);
		frag_begin();
		if (!fx_run(&nop, 1, vs_simd_best()))
			bad++;
		for (l = 0; l < LANES; l++)
			count[l] += fx.run->r->covered >> l & 1;
	}
	for (l = 0; l < LANES; l++)
		bad += count[l] != 2;
	tap_result(!bad, "four triangles of a square cover each pixel once");
	/* nothing, far away, not a number */
	frag_new(RGBA8);
	corner(0, 1, 1, 0, 1);
	corner(1, 5, 5, 0, 1);
	corner(2, 7, 7, 0, 1);
	CHECK(frag_begin() && !fx.run->w.groups[0]);
	corner(2, NAN, 7, 0, 1);
	CHECK(frag_begin() && !fx.run->w.groups[0]);
	corner(2, -1e6, 1e6, 0, 1);
	CHECK(frag_begin() && fx.run->w.groups[0] == 1);
	frag.x = 1;
	CHECK(!frag_begin() && why == MALI_RUN_BAD_FRAGMENT);
	frag.x = 65534;
	CHECK(!frag_begin());
	frag.x = 0;
	frag.target[0].format = 255 << 12;
	CHECK(!frag_begin());
	frag.target[0].format = RGBA8;
	frag.target[0].order = 3;
	CHECK(!frag_begin());
	frag.ntargets = 9;
	CHECK(!frag_begin());
}

/* A varying over a triangle with different w; the same by both builds. */
static void test_varyings(void)
{
	static u32 first[4][LANES];
	u32 k, i, j, x, y, l, bad = 0, differ = 0, imm;
	double e[3], n, d, want, got;

	for (k = 0; k < 2; k++) {
		frag_new(RGBA8);
		corner(0, -2, -2, 0, 1);
		corner(1, 14, -2, 0.5, 2);
		corner(2, -2, 14, 1, 5);
		set_attr(1, RGBA32F, 0);
		bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + 0x4000,
						  .size = 4096, .stride = 16 };
		for (i = 0; i < 3; i++) {
			for (j = 0; j < 4; j++) {
				u32 v = f32(i * 10 + j + 0.5);

				memcpy(fx.mem + 0x4000 + 16 * i + 4 * j, &v, 4);
			}
		}
		bind_attrs(&fx.run->w.varyings);
		fill(IN, 1);
		frag_begin();
		imm = MALI_EXT_IMM(MX_LD_VAR, 4, MALI_REG_F32);
		const struct simt_uop u = { .op = SIMT_EXT, .d = OUT,
					    .s = { IN, IN + 1, IN, IN }, .n = 4, .imm = imm };

		CHECK(fx_run(&u, 1, k ? vs_simd_best() : VS_SIMD_PORTABLE));
		if (k)
			differ = memcmp(first, fx.slot, sizeof(first));
		memcpy(first, fx.slot, sizeof(first));
	}
	for (y = 0; y < 8; y++) {
		for (x = 0; x < 8; x++) {
			e[1] = (x + 2.5) / 16;
			e[2] = (y + 2.5) / 16;
			e[0] = 1 - e[1] - e[2];
			/* nothing of these quads is covered */
			if (x >= 6 && y >= 6)
				continue;
			for (n = 0, d = 0, i = 0; i < 3; i++) {
				static const double w[3] = { 1, 2, 5 };

				n += e[i] / w[i] * (i * 10 + 3 + 0.5);
				d += e[i] / w[i];
			}
			want = n / d;
			got = num(fx.slot[OUT + 3][lane_of(x, y)]);
			bad += fabs(got - want) > 1e-5 * fabs(want);
		}
	}
	tap_result(!bad && !differ, "perspective: %u wrong, %s", bad,
		   differ ? "builds differ" : "builds agree");
	/* a quarter of a pixel away is linear in between, where w is the same */
	for (i = 0; i < 3; i++)
		frag.vertex[i][3] = f32(1);
	frag_begin();
	fill(IN + 1, (128 + 64) | (128U - 64) << 16);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR, 1, MALI_REG_F32) | MALI_EXT_SAMPLE_IS(MALI_EXPLICIT)));
	l = lane_of(3, 5);
	want = 0.5 + 10 * (3.5 + 0.25 + 2) / 16 + 20 * (5.5 - 0.25 + 2) / 16;
	tap_result(fabs(num(fx.slot[OUT][l]) - want) < 1e-5, "varying at an offset");
	fill(IN + 1, 0);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_FLAT, 2, MALI_REG_F32)) &&
	      fx.slot[OUT + 1][5] == f32(21.5));
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 1, MALI_REG_F32) | MALI_VAR_FRAG_Z << 20) &&
	      fabs(num(fx.slot[OUT][l]) - (0.5 * 5.5 / 16 + 7.5 / 16)) < 1e-6);
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 1, MALI_REG_F32) | MALI_VAR_FRAG_W << 20) &&
	      fx.slot[OUT][l] == f32(1));
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR, 2, MALI_REG_F16)) &&
	      (fx.slot[OUT][l] & 0xffff) == px_f32_to_f16(f32(0.5 + 10 * 5.5 / 16 +
								   20 * 7.5 / 16)));
	fill(IN, 7);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_VAR, 1, MALI_REG_F32)) && refused(MALI_RUN_BAD_INDEX));
}

static void test_points(void)
{
	u32 l, n = 0;

	frag_new(RGBA8);
	frag.prim = MALI_PRIM_POINT;
	frag.vertex[0][0] = f32(4);
	frag.vertex[0][1] = f32(3);
	frag.point_size = f32(4);
	CHECK(frag_begin());
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 2, MALI_REG_F32)));
	for (l = 0; l < LANES; l++)
		n += fx.run->r->covered >> l & 1;
	l = lane_of(2, 4);
	CHECK(n == 16 && fx.slot[OUT][l] == f32(0.125) && fx.slot[OUT + 1][l] == f32(0.875));
	frag.flags = MALI_FRAG_POINT_UP;
	CHECK(ext(MALI_EXT_IMM(MX_LD_VAR_SPECIAL, 2, MALI_REG_F32)) &&
	      fx.slot[OUT + 1][l] == f32(0.125));
	frag.point_size = f32(-1);
	CHECK(frag_begin() && !fx.run->w.groups[0]);
}

/* A varying holds the texture coordinates; preloaded and not. */
static void test_var_tex(void)
{
	u32 i, v, l;

	frag_new(RGBA8);
	set_texture(0, TX_DIM_2D, 1, 1);
	set_sampler(0, false);
	fx.run->w.textures = tex;
	fx.run->w.ntextures = 1;
	fx.run->w.samplers = samp;
	fx.run->w.nsamplers = 1;
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 0, 1);
	corner(2, 0, 16, 0, 1);
	set_attr(1, RGBA32F, 0);
	bufs[1] = (struct mali_attr_buf){ .type = MALI_BUF_1D, .va = MEM_VA + 0x4000,
					  .size = 4096, .stride = 16 };
	for (i = 0; i < 3; i++) {
		v = f32(i == 1 ? 2 : 0);
		memcpy(fx.mem + 0x4000 + 16 * i, &v, 4);
		v = f32(i == 2 ? 2 : 0);
		memcpy(fx.mem + 0x4000 + 16 * i + 4, &v, 4);
	}
	bind_attrs(&fx.run->w.varyings);
	frag_begin();
	l = lane_of(5, 2);
	CHECK(ext(MALI_EXT_IMM(MX_VAR_TEX, 4, MALI_REG_U32) | 1 << 16) &&
	      rgba(l) == (5 | 2 << 8));
	/* messages: the same as single floats in r0 .., the varying as halves in r4 .. */
	fx.run->w.message[0] = 2 | 1 << 4;
	fx.run->w.message[1] = 1 | 1 << 4 | 1 << 9 | 1 << 11;
	const struct simt_uop nop = { .op = SIMT_MOV, .d = 20, .s = { IN, IN, IN, IN } };

	CHECK(fx_run(&nop, 1, vs_simd_best()) && fx.slot[0][l] == f32(5) &&
	      fx.slot[1][l] == f32(2) &&
	      fx.slot[4][l] == (px_f32_to_f16(f32(5.5 / 8)) |
				px_f32_to_f16(f32(2.5 / 8)) << 16));
	fx.run->w.message[0] = 3;
	CHECK(!fx_run(&nop, 1, vs_simd_best()) && refused(MALI_RUN_BAD_MESSAGE));
}

static void put_colour(double r, double g, double b, double a)
{
	fill(OUT, f32(r));
	fill(OUT + 1, f32(g));
	fill(OUT + 2, f32(b));
	fill(OUT + 3, f32(a));
}

static bool blend(u32 mode, u32 cvt)
{
	fill(IN, 0xffff);
	fill(IN + 1, mode);
	fill(IN + 2, cvt);
	return ext(MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO));
}

static u32 pixel(u32 x, u32 y)
{
	u32 v;

	memcpy(&v, fx.mem + 64 * y + 4 * x, 4);
	return v;
}

#define CVT_F32	(RGBA8_TB | MALI_REG_F32 << 24)
/* src * src alpha + dst * (1 - src alpha): dst + (src - dst) * sa */
#define EQ_OVER	(0x503 | 0x503 << 12 | 0xfU << 28)

static void test_blend(void)
{
	static const struct {
		u32 function;
		double result;	/* of src 0.75, dst 0.5, src alpha 0.25, dst alpha 1 */
	} f[] = {
		{ 0x503, 0.5 + 0.25 * 0.25 },		/* over */
		{ 0x921, 0.75 },			/* 0 + src * (1 - 0) */
		{ 0x931, 0.5 },
		{ 0x231, 0.375 },			/* dst * src */
		{ 0x122, 0.75 },			/* src + src * 0 */
		{ 0x522, 0.75 + 0.75 * 0.25 },
		{ 0x932, 1 },				/* src + dst, clamped */
		{ 0x93a, 0 },				/* -src + dst, clamped */
		{ 0x9b2, 0.25 },			/* src - dst */
		{ 0xe32, 0.75 },			/* src + dst * (1 - dst alpha) */
		{ 0x311, (0.75 + 0.5) * 0.5 },		/* (src + dst) * dst */
		{ 0x421, 1 },				/* src * 2 src, clamped */
		{ 0x721, 0.75 * 128 / 255 },		/* src * constant */
	};
	u32 i, k, got, bad;

	for (i = 0; i < ARRAY_SIZE(f); i++) {
		u32 seen[2];

		for (k = 0; k < 2; k++) {
			frag_new(RGBA8);
			memset(fx.mem, 0x80, 64 * 8);
			frag.blend[0].flags = 0x200 | 0x8000U << 16;
			frag.blend[0].equation = f[i].function | 0x921 << 12 | 7U << 28;
			memset(fx.mem + 3, 0xff, 1);
			frag_begin();
			put_colour(0.75, 0.75, 0.75, 0.25);
			fill(IN, 0xffff);
			fill(IN + 1, 2);
			fill(IN + 2, CVT_F32);
			const struct simt_uop u = {
				.op = SIMT_EXT, .d = OUT, .s = { IN, IN + 1, IN + 2, IN }, .n = 4,
				.imm = MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO),
			};

			if (!fx_run(&u, 1, k ? vs_simd_best() : VS_SIMD_PORTABLE))
				tap_comment("fault %u", fx.fault.kind);
			seen[k] = pixel(0, 0);
		}
		got = seen[0] & 255;
		bad = fabs(got - f[i].result * 255) > 1.01 || seen[0] != seen[1] ||
		      seen[0] >> 24 != 0xff;
		tap_result(!bad, "blend function %03x: %u for %g", f[i].function, got,
			   f[i].result * 255);
	}
}

static void test_targets(void)
{
	u32 v, at;
	u16 h;

	frag_new(RGBA8);
	frag_begin();
	put_colour(1, 0.5, 0, 2);
	CHECK(blend(1, CVT_F32) && pixel(3, 3) == 0xff0080ff);
	/* only red and alpha are written */
	frag.blend[0].flags = 0x200;
	frag.blend[0].equation = 0x921 | 0x921 << 12 | 9U << 28;
	put_colour(0, 1, 1, 0);
	CHECK(blend(2, CVT_F32) && pixel(3, 3) == 0x00008000);
	frag.blend[0].flags = 0;
	put_colour(1, 1, 1, 1);
	CHECK(blend(2, CVT_F32) && pixel(3, 3) == 0x00008000);
	CHECK(blend(3, CVT_F32) && pixel(3, 3) == 0x00008000);
	CHECK(!blend(0, CVT_F32) && refused(MALI_RUN_BAD_BLEND));
	CHECK(!blend(1 | 1 << 16, CVT_F32) && refused(MALI_RUN_BAD_INDEX));
	frag.blend[0].flags = 0x200;
	frag.blend[0].equation = 0x920 | 0x921 << 12;
	CHECK(!blend(2, CVT_F32) && refused(MALI_RUN_BAD_BLEND));
	/* helpers and lanes without coverage write nothing */
	fx.helper = ALL;
	CHECK(blend(1, CVT_F32) && pixel(3, 3) == 0x00008000);
	fx.helper = 0;
	put_colour(1, 1, 1, 1);
	fill(IN, 0);
	CHECK(ext(MALI_EXT_IMM(MX_BLEND, 4, MALI_REG_AUTO)) && pixel(3, 3) == 0x00008000);
	/* halves in registers */
	fill(OUT, 0x3c00);
	fill(OUT + 1, 0x3c003c00);
	CHECK(blend(1, RGBA8_TB | MALI_REG_F16 << 24) && pixel(3, 3) == 0xffff00ff);
	/* integers */
	frag_new(R32UI);
	frag_begin();
	fill(OUT, 0x12345678);
	CHECK(blend(1, R32UI | MALI_REG_U32 << 24) && pixel(5, 6) == 0x12345678);
	frag.blend[0] = (struct mali_blend){ .flags = 0x200, .equation = EQ_OVER };
	CHECK(!blend(2, R32UI | MALI_REG_U32 << 24) && refused(MALI_RUN_BAD_BLEND));
	CHECK(!blend(1, RGBA32F | MALI_REG_F32 << 24) && refused(MALI_RUN_BAD_FORMAT));
	/* 16 bits, tiled */
	frag_new(RGB565);
	frag.target[0].order = PX_TILED;
	frag.target[0].row_stride = 512;
	frag_begin();
	put_colour(1, 0, 1, 1);
	CHECK(blend(1, (227 << 12) | MALI_REG_F32 << 24));
	at = px_tile_index(5, 6) * 2;
	memcpy(&h, fx.mem + at, 2);
	CHECK(h == 0xf81f);
	/* read and written by the program */
	frag_new(RGBA8);
	frag_begin();
	v = 0x80ff4000;
	memcpy(fx.mem + 64 * 2 + 4 * 4, &v, 4);
	fill(IN, 0xffffU << 16 | 0xff);
	fill(IN + 1, 0xffff);
	fill(IN + 2, CVT_F32);
	CHECK(ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) &&
	      fx.slot[OUT + 2][lane_of(4, 2)] == f32(1) &&
	      !fx.slot[OUT][lane_of(4, 2)]);
	put_colour(0, 1, 0, 1);
	CHECK(ext(MALI_EXT_IMM(MX_ST_TILE, 4, MALI_REG_AUTO)) && pixel(1, 1) == 0xff00ff00);
	fill(IN, 0);
	CHECK(!ext(MALI_EXT_IMM(MX_LD_TILE, 4, MALI_REG_AUTO)) && refused(MALI_RUN_BAD_INDEX));
	/* a target that is not mapped */
	frag.target[0].va = MEM_VA + MEM_SIZE;
	frag_begin();
	CHECK(!blend(1, CVT_F32) && fx.fault.kind == VS_FAULT_WRITE &&
	      fx.fault.address == MEM_VA + MEM_SIZE);
	frag.target[0].va = 0;
	frag_begin();
	CHECK(blend(1, CVT_F32));
}

static u32 z_at(u32 x, u32 y)
{
	u32 v;

	memcpy(&v, fx.mem + 0x1000 + 32 * y + 4 * x, 4);
	return v;
}

static void test_depth(void)
{
	const struct simt_uop nop = { .op = SIMT_MOV, .d = 20, .s = { IN, IN, IN, IN } };
	u32 half, n, l;

	/* the primitive's: from 0 on the left to 1 on the right, less than a half passes */
	frag_new(RGBA8);
	half = f32(0.5);
	for (l = 0; l < 64; l++)
		memcpy(fx.mem + 0x1000 + 4 * l, &half, 4);
	corner(0, 0, 0, 0, 1);
	corner(1, 16, 0, 2, 1);
	corner(2, 0, 16, 0, 1);
	frag.depth_func = 1;
	frag.flags = MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE;
	CHECK(frag_begin() && fx_run(&nop, 1, vs_simd_best()));
	for (n = 0, l = 0; l < LANES; l++)
		n += fx.run->r->covered >> l & 1;
	CHECK(n == 32 && z_at(1, 5) == f32(1.5 / 8) && z_at(4, 5) == half);
	/* killed fragments write no depth */
	fx.helper = ALL;
	frag.depth_func = 7;
	CHECK(frag_begin() && fx_run(&nop, 1, vs_simd_best()) && z_at(7, 0) == half);
	fx.helper = 0;
	/* the program's, clamped */
	frag.flags |= MALI_FRAG_SHADER_Z;
	frag.depth_func = 4;
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = f32(l & 1 ? 3 : -3);
	fill(IN + 2, 0xffff);
	CHECK(frag_begin() && ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_Z) &&
	      !fx.slot[OUT][0] &&
	      fx.slot[OUT][1] == 0xffff && z_at(1, 0) == f32(1) && z_at(4, 0) == half);
	CHECK(!ext(MALI_EXT_IMM(MX_ZS_EMIT, 0, 0) | MALI_EXT_S) &&
	      refused(MALI_RUN_BAD_STAGE));
	/* coverage passes; none: the lane becomes a helper */
	for (l = 0; l < LANES; l++)
		fx.slot[IN][l] = l & 4 ? 0xffff : 0;
	CHECK(ext(MALI_EXT_IMM(MX_ATEST, 0, 0)) && fx.slot[OUT][4] == 0xffff &&
	      !fx.slot[OUT][8] && fx.helper_after == 0x0f0f0f0f0f0f0f0fULL);
}

/* ---- anything ---- */

static u64 rng = 1;

static u32 rnd(void)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return rng >> 33 ^ rng << 20;
}

/* Addresses, indices, numbers and nonsense. */
static u32 any(void)
{
	switch (rnd() % 8) {
	case 0:
		return (u32)MEM_VA + rnd() % (MEM_SIZE + 64);
	case 1:
	case 2:
		return rnd() % 16;
	case 3:
		return f32((int)(rnd() % 2000) / 100.0 - 10);
	case 4:
		return (rnd() & 0xff) << 12 | (rnd() & 7) << 24;
	case 5:
		return RGBA8_TB | MALI_REG_F32 << 24;
	case 6:
		return 0;
	default:
		return rnd();
	}
}

static void any_frag(void)
{
	u32 i, k;

	frag_new(rnd() % 4 ? RGBA8 : (rnd() & 0xff) << 12);
	frag.prim = rnd() % MALI_NUM_PRIMS;
	frag.flags = rnd() & MALI_FRAG_ALL;
	if (rnd() % 3)
		frag.flags &= ~(MALI_FRAG_PER_SAMPLE | MALI_FRAG_SHADER_S);
	else
		frag.samples = 4U << rnd() % 3;
	frag.depth_func = rnd() & 7;
	frag.alpha_func = rnd() & 7;
	frag.alpha_ref = any();
	frag.sample_mask = rnd() % 2 ? 0 : rnd();
	frag.target[0].sample_stride = rnd() % 2 ? 512 : any();
	frag.depth.sample_stride = 256;
	frag.stencil = (struct mali_target){ MEM_VA + 0x3000, 8, PX_LINEAR, R8UI, 64 };
	frag.stencil_side[0] = any();
	frag.stencil_side[1] = any();
	frag.stencil_write = any();
	frag.point_size = any();
	frag.target[0].order = 1 + rnd() % 2;
	frag.target[0].row_stride = rnd() % 2 ? 64 : any();
	for (i = 0; i < 3; i++) {
		frag.index[i] = any();
		for (k = 0; k < 4; k++)
			frag.vertex[i][k] = rnd() % 4 ? f32(rnd() % 20 - 6.0) : any();
	}
	frag.blend[0] = (struct mali_blend){ 0x200 | rnd() << 16, any(), { 0, 0 } };
}

static void any_resources(void)
{
	struct mali_work *w = &fx.run->w;
	u32 i;

	set_texture(0, rnd() % 4, 1, 1);
	set_texture(1, TX_DIM_2D, 3, 1);
	set_sampler(0, rnd() & 1);
	for (i = 0; i < 3; i++)
		samp[0].wrap[i] = TX_REPEAT + rnd() % 8;
	samp[0].mip = rnd() % 2 ? TX_MIP_TRILINEAR : TX_MIP_NEAREST;
	if (rnd() % 2)
		mali_format_decode(MALI_V7, RGBA8, &tex[0].format);
	for (i = 0; i < 4; i++) {
		set_attr(i, rnd() % 2 ? RGBA8 : RGBA32F, rnd() % 32);
		bufs[i] = (struct mali_attr_buf){ .type = 1 + rnd() % 6, .r = rnd() % 4, .p = 1,
						  .magic = 0xaaaaaaab, .va = MEM_VA,
						  .size = rnd() % 4096, .stride = any(),
						  .dim = { 9, 7, 2 }, .row_stride = 128,
						  .slice_stride = 1024 };
	}
	w->textures = tex;
	w->ntextures = 2;
	w->samplers = samp;
	w->nsamplers = 1;
	bind_attrs(&w->attrs);
	bind_attrs(&w->varyings);
}

static void any_operands(void)
{
	u32 i, l, v;

	for (i = 0; i < NSLOTS; i++) {
		v = any();
		for (l = 0; l < LANES; l++)
			fx.slot[i][l] = i % 2 ? v : any();
	}
	/* a texture operation more often than by chance */
	if (rnd() % 2)
		fill(IN + 2, 1 << 11 | (4 + rnd() % 4) << 12 | (rnd() & 7) << 15 |
		     (rnd() & 3) << 18 | (rnd() & 7) << 20 | (rnd() & 15) << 24 | rnd() << 28);
}

static void test_any(void)
{
	u32 i, op, done = 0, refusals = 0, accesses = 0, strange = 0, differ = 0;
	static u32 in[NSLOTS][LANES], first[NSLOTS][LANES];
	static u8 before[MEM_SIZE], after[MEM_SIZE];
	u32 imm, kind;
	bool ok;

	for (i = 0; i < 1500; i++) {
		any_frag();
		any_resources();
		any_operands();
		if (!frag_begin()) {
			refusals++;
			continue;
		}
		op = rnd() % MX_NUM;
		imm = (rnd() & ~0xffU) | op;
		if (rnd() % 4)
			imm = (imm & ~0xff00U) | (1 + rnd() % 4) << 8 | (rnd() % 9) << 12;
		fx.helper = rnd() % 2 ? 0 : rnd();
		memcpy(in, fx.slot, sizeof(in));
		memcpy(before, fx.mem, MEM_SIZE);
		ok = ext_on(imm, VS_SIMD_PORTABLE);
		kind = fx.fault.kind;
		memcpy(first, fx.slot, sizeof(first));
		memcpy(after, fx.mem, MEM_SIZE);
		memcpy(fx.slot, in, sizeof(in));
		memcpy(fx.mem, before, MEM_SIZE);
		differ += ext_on(imm, vs_simd_best()) != ok || fx.fault.kind != kind ||
			  memcmp(after, fx.mem, MEM_SIZE) ||
			  (ok && memcmp(first, fx.slot, sizeof(first)));
		done += ok;
		refusals += kind == VS_FAULT_COMMAND;
		accesses += kind == VS_FAULT_READ || kind == VS_FAULT_WRITE;
		strange += !ok && kind != VS_FAULT_COMMAND && kind != VS_FAULT_READ &&
			   kind != VS_FAULT_WRITE;
	}
	tap_result(!strange && !differ && done > 100,
		   "any operation: %u done, %u refused, %u bad accesses, builds differ in %u",
		   done, refusals, accesses, differ);
}

int main(void)
{
	tap_start();
	test_coverage();
	test_varyings();
	test_points();
	test_var_tex();
	test_blend();
	test_targets();
	test_depth();
	test_any();
	fx_free();
	return tap_done();
}
