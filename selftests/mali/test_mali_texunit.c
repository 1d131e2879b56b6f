// SPDX-License-Identifier: GPL-2.0
/*
 * Texture unit: random textures, samplers and coordinates against a model in doubles, both
 * builds of the arithmetic bit for bit; limits, faults and missing textures.
 */
#include <math.h>
#include <time.h>

#include "../include/tap.h"
#include "texmodel.h"

#define ONE	0x3f800000U

static struct tx_request q, other;
static struct tx_sampler samp;

static u32 below(u32 n)
{
	return tm_rnd() % n;
}

static float between(float lo, float hi)
{
	return lo + (hi - lo) * (float)(tm_rnd() >> 8) / 16777216.0f;
}

struct named_format {
	const char *name;
	enum mali_arch arch;
	u32 word;
};

/* Formats of textures, filterable ones first. */
static const struct named_format formats[] = {
	{ "RGBA8", MALI_V7, 0xbb << 12 }, { "BGRA8", MALI_V7, 0xbb << 12 | 4 },
	{ "R8", MALI_V7, 0xa3 << 12 | 16 }, { "RG8", MALI_V6, 0xab << 12 | 05410 },
	{ "RGB8", MALI_V6, 0xb3 << 12 | 05210 }, { "RGBA8 snorm", MALI_V7, 0x7b << 12 },
	{ "sRGB8 A8", MALI_V7, 1 << 20 | 0xbb << 12 }, { "RGB565", MALI_V7, 0x40 << 12 | 16 },
	{ "RGB5A1", MALI_V7, 0x41 << 12 }, { "RGBA4", MALI_V7, 0xba << 12 },
	{ "RGB10A2", MALI_V7, 0x43 << 12 }, { "R11G11B10F", MALI_V7, 0x59 << 12 | 16 },
	{ "RGB9E5", MALI_V5, 0x5b << 12 | 05210 }, { "RGBA16F", MALI_V7, 0xdf << 12 },
	{ "R32F", MALI_V7, 0xa7 << 12 | 16 }, { "RGBA32F", MALI_V7, 0xbf << 12 },
	{ "L8", MALI_V5, 0xa3 << 12 | 05000 }, { "Z16", MALI_V7, 0x4b << 12 | 16 },
	{ "Z24X8", MALI_V5, 0x4d << 12 | 00000 }, { "ETC2 RGB8", MALI_V7, 1 << 12 | 16 },
	{ "ETC2 sRGB8 A8", MALI_V6, 1 << 20 | 3 << 12 | 03210 },
	{ "ETC2 RGB8A1", MALI_V7, 19 << 12 }, { "EAC RG11 snorm", MALI_V6, 18 << 12 | 05410 },
	{ "RGBA8UI", MALI_V7, 0x9b << 12 }, { "RGBA32I", MALI_V7, 0xdd << 12 },
	{ "R16I", MALI_V5, 0xc4 << 12 | 05000 }, { "RG32UI", MALI_V7, 0x8d << 12 | 16 },
	{ "RGB10A2UI", MALI_V7, 0x47 << 12 }, { "S8", MALI_V7, 0x5d << 12 },
};

#define FILTERED	23	/* of @formats */
#define DEPTH_FIRST	17
#define DEPTHS		2

static const u8 wraps[] = {
	TX_REPEAT, TX_CLAMP_TO_EDGE, TX_CLAMP, TX_CLAMP_TO_BORDER, TX_MIRRORED_REPEAT,
	TX_MIRRORED_CLAMP_TO_EDGE, TX_MIRRORED_CLAMP, TX_MIRRORED_CLAMP_TO_BORDER,
};

/* A texture of a dimension; sizes, levels and layers at random. */
static bool rnd_texture(struct tm_texture *x, const struct named_format *f, u32 dim)
{
	struct tx_texture *t = &x->t;
	u32 most = dim == TX_DIM_3D ? 12 : 40, i;

	x->arch = f->arch;
	if (!mali_format_decode(f->arch, f->word, &t->format))
		return false;
	t->dim = dim;
	t->order = below(2) ? PX_TILED : PX_LINEAR;
	t->width = 1 + below(most);
	t->height = dim == TX_DIM_1D ? 1 : dim == TX_DIM_CUBE ? t->width : 1 + below(most);
	t->depth = dim == TX_DIM_3D ? 1 + below(most) : 1;
	t->levels = 1 + below(5);
	t->array_size = dim == TX_DIM_3D ? 1 : 1 + below(3);
	t->max_lod = below(4) ? (t->levels - 1) << 8 : below(5 << 8);
	t->min_lod = below(4) ? 0 : below(2 << 8);
	for (i = 0; i < 4; i++)
		t->swizzle[i] = below(3) ? i : below(6);
	return tm_fill(x, below(2));
}

static void rnd_sampler(void)
{
	static const u8 mips[] = { TX_MIP_NEAREST, TX_MIP_NONE, TX_MIP_TRILINEAR };
	u32 i;

	memset(&samp, 0, sizeof(samp));
	samp.va = 0x2000;
	for (i = 0; i < 3; i++)
		samp.wrap[i] = wraps[below(ARRAY_SIZE(wraps))];
	for (i = 0; i < 4; i++)
		samp.border[i] = tm_bits(between(-1.5f, 1.5f));
	samp.mag_nearest = !below(3);
	samp.min_nearest = !below(3);
	samp.mip = mips[below(ARRAY_SIZE(mips))];
	samp.func = below(8);
	samp.normalized = below(8) != 0;
	samp.seamless = below(4) != 0;
	samp.clamp_int_array = true;
	samp.mag_cutoff = !below(4);
	samp.min_lod = below(3) ? 0 : below(4 << 8);
	samp.max_lod = below(3) ? 31 << 8 : below(5 << 8);
	samp.lod_bias = below(3) ? 0 : (s32)below(1024) - 512;
	samp.max_aniso = 1;
}

static void rnd_lane(const struct tx_texture *t, u32 l)
{
	u32 i, n;

	for (i = 0; i < 3; i++) {
		n = i == 0 ? t->width : i == 1 ? t->height : t->depth;
		if (t->dim == TX_DIM_CUBE && !q.cube_dir)
			q.coord[i][l] = tm_bits(between(0, 1));
		else if (samp.normalized)
			q.coord[i][l] = tm_bits(between(-2.5f, 3.5f));
		else
			q.coord[i][l] = tm_bits(between(-1.5f * (float)n, 2.5f * (float)n));
		/* Texel centres and edges. */
		if (samp.normalized && !below(6))
			q.coord[i][l] = tm_bits((float)((s32)below(6 * n) - (s32)n) /
						(float)(2 * n));
		if (t->dim == TX_DIM_CUBE && !q.cube_dir)
			q.coord[i][l] = tm_bits(fminf(fmaxf(tm_float(q.coord[i][l]), 0), 1));
		q.offset[i][l] = (s32)below(16) - 8;
		q.grad[0][i][l] = tm_bits(between(-0.2f, 0.2f));
		q.grad[1][i][l] = tm_bits(between(-0.2f, 0.2f));
	}
	q.face[l] = below(6);
	q.layer[l] = below(5) ? below(t->array_size) : tm_rnd();
	q.lod[l] = tm_bits(between(-2, 6));
	q.bound[l] = (u16)below(5 << 8);
	q.ref[l] = tm_bits(between(-0.2f, 1.2f));
	q.sample[l] = 0;
}

/* Quads with derivatives similar to those of a texture that covers a screen. */
static void rnd_quads(const struct tx_texture *t)
{
	float step[3], base;
	u32 l, i;

	for (l = 0; l < SIMT_LANES; l++) {
		for (i = 0; i < 3 && !(l & 3); i++)
			step[i] = ldexpf(between(-1, 1), -(int)below(7));
		for (i = 0; i < 3; i++) {
			base = tm_float(q.coord[i][l & ~3U]);
			if (l & 3)
				base += step[i] * ((l & 1) * 0.7f + (l >> 1 & 1) * 0.6f);
			if (t->dim == TX_DIM_CUBE && !q.cube_dir)
				base = fminf(fmaxf(base, 0), 1);
			q.coord[i][l] = tm_bits(base);
		}
		if (t->dim == TX_DIM_CUBE && (l & 3) && below(4))
			q.face[l] = q.face[l & ~3U];
	}
}

static void rnd_request(struct tm_texture *x, u32 op)
{
	u32 l;

	memset(&q, 0x5a, sizeof(q));
	q.op = op;
	q.lod_mode = below(4);
	q.comp = below(4);
	q.array = below(2);
	q.shadow = false;
	q.offsets = !below(3);
	q.cube_dir = below(2);
	q.ms = false;
	q.bounded = op == TX_OP_SAMPLE && !below(3);
	q.tex = &x->t;
	q.samp = &samp;
	q.mask = below(4) ? ~0ULL : (u64)tm_rnd() << 32 | tm_rnd();
	q.quads = ~0ULL;
	for (l = 0; l < SIMT_LANES; l++)
		rnd_lane(&x->t, l);
	if (q.lod_mode != TX_LOD_EXPLICIT)
		rnd_quads(&x->t);
}

/* Run both builds. Return: false if they differ or do not return status @want. */
static bool run_both(struct tm_texture *x, enum tx_status want)
{
	enum tx_status a, b;
	u32 i, l, bad = 0;

	memset(q.result, 0x5a, sizeof(q.result));
	other = q;
	a = tx_run(tm_machine(x), vs_simd_best(), &q);
	b = tx_run(tm_machine(x), VS_SIMD_PORTABLE, &other);
	for (i = 0; i < 4; i++)
		for (l = 0; l < SIMT_LANES; l++)
			if (q.mask >> l & 1)
				bad += q.result[i][l] != other.result[i][l];
			else
				bad += q.result[i][l] != 0x5a5a5a5a;
	if (bad || a != b || a != want || q.kind != other.kind || q.reads != other.reads) {
		tap_comment("%u results differ, status %u and %u, %u and %u reads", bad, a, b,
			    q.reads, other.reads);
		return false;
	}
	return true;
}

static double number(u32 v)
{
	if (q.kind == PX_KIND_F32)
		return tm_float(v);
	return q.kind == PX_KIND_U32 ? (double)v : (double)(s32)v;
}

static void explain(struct tm_texture *x, const char *name, u32 l, const double want[4])
{
	tap_comment("%s dim %u order %u %ux%ux%u, %u levels: lane %u at %g %g %g face %u",
		    name, x->t.dim, x->t.order, x->t.width, x->t.height, x->t.depth, x->t.levels, l,
		    tm_float(q.coord[0][l]), tm_float(q.coord[1][l]), tm_float(q.coord[2][l]),
		    q.face[l]);
	tap_comment("lod %u %g, wrap %u %u %u, mip %u: %g %g %g %g, want %g %g %g %g",
		    q.lod_mode, tm_float(q.lod[l]), samp.wrap[0], samp.wrap[1], samp.wrap[2],
		    samp.mip, number(q.result[0][l]), number(q.result[1][l]),
		    number(q.result[2][l]), number(q.result[3][l]), want[0], want[1], want[2],
		    want[3]);
}

/* Is the level choice sensitive to rounding? */
static bool on_edge(const struct tm_texture *x, double lod)
{
	double limit = samp.mag_cutoff ? 0.5 : 0;

	lod += samp.lod_bias / 256.0;
	return fabs(lod + 0.5 - rint(lod + 0.5)) < 1e-6 || fabs(lod - limit) < 1e-6;
}

static double lane_lod(const struct tm_texture *x, u32 l)
{
	double given = tm_float(q.lod[l]);

	switch (q.lod_mode) {
	case TX_LOD_EXPLICIT:
		return given;
	case TX_LOD_COMPUTED:
		return tm_lod(x, &q, l);
	case TX_LOD_BIAS:
		return tm_lod(x, &q, l) + given;
	default:
		return 0;
	}
}

static u32 check_samples(struct tm_texture *x, const char *name)
{
	double want[4], lod, scale;
	u32 i, l, bad = 0;

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(q.mask >> l & 1))
			continue;
		lod = lane_lod(x, l);
		if (q.lod_mode != TX_LOD_ZERO && on_edge(x, lod))
			continue;
		tm_sample(x, &q, l, lod, want);
		for (i = 0; i < 4; i++) {
			scale = fmax(1, fabs(want[i]));
			if (fabs(number(q.result[i][l]) - want[i]) <= 1e-5 * scale)
				continue;
			if (!bad++)
				explain(x, name, l, want);
		}
	}
	return bad;
}

static void test_samples(u32 dim, const char *what)
{
	struct tm_texture x;
	u32 i, n, bad = 0;

	tm_new(&x);
	for (i = 0; i < ARRAY_SIZE(formats) && !bad; i++)
		for (n = 0; n < 40 && !bad; n++) {
			if (!rnd_texture(&x, &formats[i], dim))
				continue;
			rnd_sampler();
			rnd_request(&x, TX_OP_SAMPLE);
			bad = !run_both(&x, TX_OK) || check_samples(&x, formats[i].name);
		}
	tap_result(!bad, "samples of %s", what);
	tm_free(&x);
}

static void test_shadow(void)
{
	struct tm_texture x;
	u32 i, n, bad = 0;

	tm_new(&x);
	for (i = 0; i < 4 && !bad; i++)
		for (n = 0; n < 150 && !bad; n++) {
			if (!rnd_texture(&x, &formats[DEPTH_FIRST + n % DEPTHS], i))
				continue;
			rnd_sampler();
			rnd_request(&x, TX_OP_SAMPLE);
			q.shadow = true;
			/* Now and then equal. */
			if (!below(3))
				q.ref[5] = x.texel[0][0];
			bad = !run_both(&x, TX_OK) || check_samples(&x, "shadow");
		}
	tap_result(!bad, "shadow");
	tm_free(&x);
}

static u32 check_gather(struct tm_texture *x)
{
	u32 i, l, bad = 0;
	double want;

	for (l = 0; l < SIMT_LANES; l++)
		for (i = 0; i < 4 && q.mask >> l & 1; i++) {
			tm_gather(x, &q, l, i & 1, i >> 1, &want);
			bad += fabs(number(q.result[i][l]) - want) > 1e-6 * fabs(want);
		}
	return bad;
}

static void test_gather(void)
{
	struct tm_texture x;
	u32 i, n, bad = 0;

	tm_new(&x);
	for (i = 0; i < ARRAY_SIZE(formats) && !bad; i++)
		for (n = 0; n < 30 && !bad; n++) {
			if (!rnd_texture(&x, &formats[i], n & 1 ? TX_DIM_2D : TX_DIM_CUBE))
				continue;
			rnd_sampler();
			rnd_request(&x, TX_OP_GATHER);
			q.shadow = i >= DEPTH_FIRST && i < DEPTH_FIRST + DEPTHS && n & 2;
			if (px_format_kind(&x.t.format) != PX_KIND_F32)
				memset(samp.border, 0x33, sizeof(samp.border));
			bad = !run_both(&x, TX_OK) || check_gather(&x);
			if (bad)
				tap_comment("%s", formats[i].name);
		}
	tap_result(!bad, "gather");
	rnd_texture(&x, &formats[0], TX_DIM_3D);
	rnd_request(&x, TX_OP_GATHER);
	tap_result(run_both(&x, TX_UNSUPPORTED), "no gather of 3D");
	tm_free(&x);
}

static void rnd_fetch(struct tm_texture *x)
{
	u32 i, l, n;

	rnd_request(x, TX_OP_FETCH);
	q.samp = NULL;
	q.ms = x->t.samples > 1;
	for (l = 0; l < SIMT_LANES; l++) {
		for (i = 0; i < 3; i++) {
			n = i == 0 ? x->t.width : i == 1 ? x->t.height : x->t.depth;
			q.coord[i][l] = below(8) ? below(n) : tm_rnd() >> below(32);
		}
		q.lod[l] = below(8) ? below(x->t.levels) : tm_rnd() >> below(32);
		q.layer[l] = below(8) ? below(x->t.array_size) : tm_rnd() >> below(32);
		q.sample[l] = below(8) ? below(x->t.samples) : tm_rnd() >> below(32);
		q.face[l] = below(8) ? below(6) : tm_rnd() >> below(32);
	}
}

static u32 check_fetch(struct tm_texture *x)
{
	u32 i, l, bad = 0, want[4];

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(q.mask >> l & 1))
			continue;
		tm_fetch(x, &q, l, want);
		for (i = 0; i < 4; i++)
			bad += q.result[i][l] != want[i];
	}
	return bad;
}

static void test_fetch(void)
{
	struct tm_texture x;
	u32 i, n, bad = 0;

	tm_new(&x);
	for (i = 0; i < ARRAY_SIZE(formats) && !bad; i++)
		for (n = 0; n < 40 && !bad; n++) {
			x.t.samples = n & 4 && n & 3 ? 4 : 1;
			if (!rnd_texture(&x, &formats[i], n & 3))
				continue;
			rnd_fetch(&x);
			bad = !run_both(&x, TX_OK) || check_fetch(&x);
			if (bad)
				tap_comment("%s, dim %u", formats[i].name, n & 3);
		}
	tap_result(!bad, "fetch");
	tm_free(&x);
}

/* Gradients equal to those of the quad. */
static void test_gradients(void)
{
	u32 n, l, i, bad = 0, dim;
	struct tm_texture x;
	double lod;

	tm_new(&x);
	for (n = 0; n < 400 && !bad; n++) {
		dim = 1 + n % 3;
		if (!rnd_texture(&x, &formats[n % FILTERED], dim))
			continue;
		rnd_sampler();
		rnd_request(&x, TX_OP_LOD);
		q.lod_mode = TX_LOD_COMPUTED;
		rnd_quads(&x.t);
		q.mask = ~0ULL;
		bad = !run_both(&x, TX_OK);
		for (l = 0; l < SIMT_LANES; l++) {
			lod = tm_lod(&x, &q, l) + samp.lod_bias / 256.0;
			bad += fabs(tm_float(q.result[1][l]) - lod) > 1e-5;
			for (i = 0; i < 3; i++) {
				u32 b = l & ~3U;

				q.grad[0][i][l] = tm_bits(tm_float(q.coord[i][b + 1]) -
							  tm_float(q.coord[i][b]));
				q.grad[1][i][l] = tm_bits(tm_float(q.coord[i][b + 2]) -
							  tm_float(q.coord[i][b]));
			}
			q.lod[l] = tm_bits(0.25f);
		}
		memcpy(other.result, q.result, sizeof(q.result));
		q.lod_mode = TX_LOD_GRAD;
		q.quads = 0;
		tx_run(tm_machine(&x), vs_simd_best(), &q);
		for (l = 0; l < SIMT_LANES; l++)
			bad += fabs(tm_float(q.result[1][l]) - tm_float(other.result[1][l]) -
				    0.25) > 1e-4;
	}
	tap_result(!bad, "gradients, given and of quads");
	tm_free(&x);
}

/* The direction (1, s, t) on face 0 with given gradients, and by hand. */
static void test_cube_gradients(void)
{
	struct tm_texture x;
	u32 bad = 0;

	tm_new(&x);
	mali_format_decode(MALI_V7, 0xbb << 12, &x.t.format);
	x.t.dim = TX_DIM_CUBE;
	x.t.width = 32;
	x.t.height = 32;
	tm_fill(&x, true);
	rnd_sampler();
	samp.lod_bias = 0;
	rnd_request(&x, TX_OP_LOD);
	memset(q.grad, 0, sizeof(q.grad));
	q.lod_mode = TX_LOD_GRAD;
	q.cube_dir = true;
	q.mask = 1;
	q.lod[0] = 0;
	q.coord[0][0] = tm_bits(2);
	q.coord[1][0] = tm_bits(0.5f);
	q.coord[2][0] = tm_bits(-1);
	/* (s, t) = (-z / x, -y / x): z' = 0.5 is a quarter of 16 texels. */
	q.grad[0][2][0] = tm_bits(0.5f);
	bad += !run_both(&x, TX_OK) || q.result[1][0] != tm_bits(2);
	/* x' = 1 yields (0.25, 0.125) */
	q.grad[0][2][0] = 0;
	q.grad[0][0][0] = tm_bits(1);
	bad += !run_both(&x, TX_OK) ||
	       fabs(tm_float(q.result[1][0]) - log2(16 * hypot(0.25, 0.125))) > 1e-5;
	/* Of a face: half as many, as a face has 0..1. */
	q.cube_dir = false;
	q.coord[0][0] = tm_bits(0.5f);
	q.grad[0][0][0] = tm_bits(0.25f);
	bad += !run_both(&x, TX_OK) || q.result[1][0] != tm_bits(3);
	tap_result(!bad, "gradients of cubes");
	tm_free(&x);
}

/* ---- special cases ---- */

static void simple(struct tm_texture *x, u32 word, u32 w, u32 h)
{
	tm_new(x);
	x->arch = MALI_V7;
	mali_format_decode(MALI_V7, word, &x->t.format);
	x->t.dim = TX_DIM_2D;
	x->t.width = w;
	x->t.height = h;
	tm_fill(x, true);
	memset(&samp, 0, sizeof(samp));
	samp.va = 0x2000;
	samp.wrap[0] = TX_REPEAT;
	samp.wrap[1] = TX_REPEAT;
	samp.wrap[2] = TX_REPEAT;
	samp.mip = TX_MIP_NEAREST;
	samp.normalized = true;
	samp.max_lod = 31 << 8;
	memset(&q, 0, sizeof(q));
	q.tex = &x->t;
	q.samp = &samp;
	q.mask = ~0ULL;
	q.quads = ~0ULL;
}

static u32 count_nonzero(u64 mask)
{
	u32 i, l, n = 0;

	for (i = 0; i < 4; i++)
		for (l = 0; l < SIMT_LANES; l++)
			n += mask >> l & 1 && q.result[i][l];
	return n;
}

static void test_nothing(void)
{
	struct tm_texture x;

	simple(&x, 0xbb << 12, 4, 4);
	q.tex = NULL;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(~0ULL), "no texture");
	q.tex = &x.t;
	x.t.va = 0;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(~0ULL), "unbound texture");
	x.t.va = 0x1000;
	q.samp = NULL;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(~0ULL), "no sampler");
	q.samp = &samp;
	tap_result(run_both(&x, TX_OK) && count_nonzero(~0ULL), "both");
	x.surfaces[0].va = 0;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(~0ULL), "no address");
	x.surfaces[0].va = TM_VA;
	x.t.levels = 3;
	q.lod_mode = TX_LOD_EXPLICIT;
	memset(q.lod, 0x40, sizeof(q.lod));
	x.t.nsurfaces = 1;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(~0ULL), "no such surface");
	x.t.levels = 1;
	q.array = true;
	q.layer[3] = 1;
	samp.clamp_int_array = false;
	x.t.swizzle[3] = PX_SWZ_1;
	tap_result(run_both(&x, TX_OK) && !count_nonzero(8) && q.result[3][2] == ONE,
		   "no such layer");
	x.t.format.big_endian = true;
	tap_result(run_both(&x, TX_UNSUPPORTED), "big endian is not supported");
	tm_free(&x);
}

static void test_faults(void)
{
	struct tm_texture x;
	bool ok;

	simple(&x, 0xbb << 12, 16, 16);
	x.used = 16 * 4 * 15;
	q.mask = 1ULL << 7 | 1ULL << 9;
	q.coord[1][7] = tm_bits(0.5f);
	q.coord[1][9] = tm_bits(0.999f);
	q.coord[0][9] = tm_bits(0.25f);
	samp.mag_nearest = true;
	ok = run_both(&x, TX_FAULT);
	tap_result(ok && q.fault_lane == 9 && q.fault_size == 4 &&
		   q.fault_va == TM_VA + 15 * 64 + 4 * 4, "fault");
	q.mask = 1ULL << 7;
	tap_result(run_both(&x, TX_OK) && q.reads == 1, "no fault where nothing is read");
	/* A row is not read if its weight is zero. */
	samp.mag_nearest = false;
	q.coord[0][7] = tm_bits(0.5f / 16);
	q.coord[1][7] = tm_bits(14.5f / 16);
	tap_result(run_both(&x, TX_OK) && q.reads == 1, "no fault where weights are zero");
	q.coord[1][7] = tm_bits(14.625f / 16);
	tap_result(run_both(&x, TX_FAULT) && q.fault_va == TM_VA + 15 * 64, "else there is");
	x.surfaces[0].va = ~0ULL - 100;
	tap_result(run_both(&x, TX_FAULT), "end of the address space");
	x.surfaces[0].row_stride = -64;
	x.surfaces[0].va = TM_VA + 14 * 64;
	x.used = 15 * 64;
	q.coord[1][7] = tm_bits(13.5f / 16);
	tap_result(run_both(&x, TX_OK) &&
		   q.result[0][7] == x.texel[16][0], "rows backwards");
	tm_free(&x);
}

/* Whole texels pass as they are. */
static void test_bits(void)
{
	static const u32 odd[4] = { 0x7f812345, 0xffc00001, 0x80000000, 0x00000001 };
	struct tm_texture x;

	simple(&x, 0xbf << 12, 1, 1);
	memcpy(x.mem, odd, sizeof(odd));
	samp.mag_nearest = true;
	tap_result(run_both(&x, TX_OK) && q.result[0][1] == odd[0] &&
		   q.result[1][1] == odd[1] && q.result[2][1] == odd[2] &&
		   q.result[3][1] == odd[3], "bits of one texel");
	samp.mag_nearest = false;
	tap_result(run_both(&x, TX_OK) && q.result[0][1] == 0x7fc00000 &&
		   q.result[1][1] == 0x7fc00000 && q.result[2][1] == 0x80000000 &&
		   q.result[3][1] == 1, "filtered NaNs are one");
	tm_free(&x);
}

static void test_odd_coordinates(void)
{
	static const u32 odd[] = { 0x7fc00000, 0xff812345, 0x7f800000, 0xff800000, 0x7f7fffff,
				   0xff7fffff, 0x4f000000, 0xcf000001, 1, 0x80000001 };
	u32 i, n, l, bad = 0;
	struct tm_texture x;

	simple(&x, 0xbb << 12, 16, 8);
	for (n = 0; n < 2000 && !bad; n++) {
		rnd_sampler();
		x.t.dim = n & 1 ? TX_DIM_2D : TX_DIM_1D;
		rnd_request(&x, below(3));
		x.t.dim = TX_DIM_2D;
		if (q.op == TX_OP_FETCH)
			q.op = TX_OP_LOD;
		for (l = 0; l < SIMT_LANES; l++)
			for (i = 0; i < 2; i++) {
				q.coord[i][l] = below(3) ? odd[below(ARRAY_SIZE(odd))] : tm_rnd();
				q.lod[l] = below(2) ? odd[below(ARRAY_SIZE(odd))] : tm_rnd();
				q.grad[i][below(2)][l] = tm_rnd();
			}
		bad = !run_both(&x, TX_OK);
	}
	tap_result(!bad, "odd coordinates, LODs and gradients");
	tm_free(&x);
	simple(&x, 0xbb << 12, 16, 8);
	samp.mag_nearest = true;
	for (i = 0; i < ARRAY_SIZE(odd); i++)
		q.coord[0][i] = odd[i];
	/* NaN, infinity and numbers too large for a fraction map to 0 of a repeated texture. */
	bad = !run_both(&x, TX_OK);
	for (i = 0; i < 9; i++)
		bad += q.result[0][i] != x.texel[0][0];
	bad += q.result[0][9] != x.texel[15][0];
	tap_result(!bad, "where odd coordinates are");
	/* Far, but with a fraction. */
	q.coord[0][0] = tm_bits(-4000000.25f);
	q.coord[0][1] = tm_bits(1000000.5f);
	bad = !run_both(&x, TX_OK) || q.result[0][0] != x.texel[12][0] ||
	      q.result[0][1] != x.texel[8][0];
	samp.wrap[0] = TX_MIRRORED_REPEAT;
	q.coord[0][1] = tm_bits(1000001.25f);
	bad += !run_both(&x, TX_OK) || q.result[0][0] != x.texel[3][0] ||
	       q.result[0][1] != x.texel[11][0];
	tap_result(!bad, "repetition far away");
	tm_free(&x);
}

static void test_missing_lanes(void)
{
	struct tm_texture x;

	simple(&x, 0xbb << 12, 64, 64);
	q.op = TX_OP_LOD;
	q.lod_mode = TX_LOD_COMPUTED;
	q.coord[0][1] = tm_bits(4.0f / 64);
	q.coord[1][2] = tm_bits(2.0f / 64);
	q.coord[0][3] = tm_bits(16.0f / 64);
	q.quads = 0xf;
	q.mask = 0xf;
	tap_result(run_both(&x, TX_OK) && q.result[1][0] == tm_bits(2) &&
		   q.result[1][3] == tm_bits(2), "whole quad");
	q.quads = 0x5;
	q.mask = 0x5;
	tap_result(run_both(&x, TX_OK) && q.result[1][0] == tm_bits(1), "a column");
	q.quads = 0xc;
	q.mask = 0xc;
	tap_result(run_both(&x, TX_OK) && q.result[1][3] > tm_bits(4), "second row");
	q.quads = 0x1;
	q.mask = 0x1;
	tap_result(run_both(&x, TX_OK) && tm_float(q.result[1][0]) < -30, "one lane");
	tm_free(&x);
}

/* The levels that would be used, and the LOD itself. */
static void test_levels(void)
{
	static const struct { float lod, level[2]; } want[] = {
		{ -1, { 0, 0 } }, { 0.25f, { 0.25f, 0 } }, { 2.5f, { 2.5f, 3 } },
		{ 2.4375f, { 2.4375f, 2 } }, { 9, { 4, 4 } },
	};
	u32 l, k, bad = 0;
	struct tm_texture x;

	simple(&x, 0xbb << 12, 64, 64);
	x.t.levels = 5;
	tm_fill(&x, true);
	q.op = TX_OP_LOD;
	q.lod_mode = TX_LOD_EXPLICIT;
	for (l = 0; l < ARRAY_SIZE(want); l++)
		q.lod[l] = tm_bits(want[l].lod);
	q.mask = (1 << ARRAY_SIZE(want)) - 1;
	for (k = 0; k < 2; k++) {
		samp.mip = k ? TX_MIP_NEAREST : TX_MIP_TRILINEAR;
		bad += !run_both(&x, TX_OK);
		for (l = 0; l < ARRAY_SIZE(want); l++)
			bad += q.result[0][l] != tm_bits(want[l].level[k]) ||
			       q.result[1][l] != q.lod[l];
	}
	tap_result(!bad, "levels");
	samp.mip = TX_MIP_TRILINEAR;
	samp.min_lod = 1 << 8;
	samp.max_lod = 3 << 7;
	samp.lod_bias = -128;
	bad = !run_both(&x, TX_OK) || q.result[0][0] != tm_bits(1) ||
	      q.result[0][4] != tm_bits(1.5f) || q.result[1][4] != tm_bits(8.5f);
	x.t.min_level = 2;
	bad += !run_both(&x, TX_OK) || q.result[0][4] != tm_bits(2);
	samp.mip = TX_MIP_NONE;
	x.t.min_level = 0;
	bad += !run_both(&x, TX_OK) || q.result[0][4] != tm_bits(0);
	tap_result(!bad, "limits of levels");
	tm_free(&x);
}

static void test_srgb_override(void)
{
	struct tm_texture x;
	bool ok;

	simple(&x, 1 << 20 | 0xbb << 12, 1, 1);
	x.mem[0] = 128;
	ok = run_both(&x, TX_OK) && q.result[0][0] == px_srgb_to_f32(128);
	samp.srgb_override = true;
	tap_result(ok && run_both(&x, TX_OK) &&
		   tm_float(q.result[0][0]) == (float)(128 * (double)(1 / 255.0f)),
		   "sRGB, and not");
	tm_free(&x);
}

/* All codes through the fast way of four bytes. */
static void test_bytes(void)
{
	struct tm_texture x;
	u32 i, n, bad = 0;

	simple(&x, 0xbb << 12, 64, 1);
	samp.mag_nearest = true;
	for (i = 0; i < SIMT_LANES; i++)
		q.coord[0][i] = tm_bits((float)i / 64);
	for (n = 0; n < 4; n++) {
		for (i = 0; i < 256; i++)
			x.mem[i] = i / 4 * 4 + (i + n) % 4;
		bad += !run_both(&x, TX_OK);
		for (i = 0; i < 256; i++)
			bad += tm_float(q.result[i % 4][i / 4]) !=
			       (float)(x.mem[i] * (double)(1 / 255.0f));
	}
	tap_result(!bad, "bytes");
	tm_free(&x);
}

/* Hostile descriptors that the parser accepts. */
static void test_fuzz(u32 rounds)
{
	u32 n, i, bad = 0, seen[3] = {};
	enum tx_status a, b;
	struct tm_texture x;

	tm_new(&x);
	for (n = 0; n < rounds && !bad; n++) {
		if (!rnd_texture(&x, &formats[below(ARRAY_SIZE(formats))], below(4)))
			continue;
		rnd_sampler();
		rnd_request(&x, below(4));
		q.shadow = below(2);
		for (i = 0; i < 64 && below(2); i++) {
			q.coord[below(3)][below(64)] = tm_rnd();
			q.lod[below(64)] = tm_rnd();
			q.layer[below(64)] = tm_rnd();
			q.face[below(64)] = tm_rnd();
			((u32 *)q.grad)[below(384)] = tm_rnd();
			q.ref[below(64)] = tm_rnd();
		}
		if (below(2))
			x.surfaces[below(TM_SURFACES)].va = (u64)tm_rnd() << below(33);
		if (below(2))
			x.surfaces[below(4)].row_stride = tm_rnd() >> below(32);
		if (below(2))
			x.surfaces[below(4)].surface_stride = tm_rnd();
		if (!below(4))
			x.t.width = 1 + below(65536);
		if (!below(4))
			x.t.height = 1 + below(65536);
		if (!below(4))
			x.t.depth = 1 + below(65536);
		if (!below(4))
			x.t.levels = 1 + below(256);
		if (!below(4))
			x.t.min_level = below(32);
		if (!below(4))
			x.t.array_size = 1 + below(65536);
		if (!below(4))
			x.t.dim = below(4);
		x.used = below(2) ? x.used : below(x.used + 1);
		other = q;
		a = tx_run(tm_machine(&x), vs_simd_best(), &q);
		b = tx_run(tm_machine(&x), VS_SIMD_PORTABLE, &other);
		seen[a]++;
		bad += a != b || q.reads != other.reads || q.reads > 64 * 16;
		if (a == TX_OK)
			bad += memcmp(q.result, other.result, sizeof(q.result)) != 0;
		else if (a == TX_FAULT)
			bad += q.fault_va != other.fault_va || q.fault_lane != other.fault_lane;
		memset(x.surfaces, 0, sizeof(x.surfaces));
		x.t.min_level = 0;
	}
	tap_result(!bad && seen[0] && seen[1] && seen[2],
		   "any descriptors: %u good, %u faults, %u not supported", seen[0],
		   seen[1], seen[2]);
	tm_free(&x);
}

/* ---- speed ---- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void time_one(const char *name, u32 word, u32 order, bool nearest, u32 mip,
		     enum vs_simd simd)
{
	struct tm_texture x;
	double t0, t;
	u32 l, n = 0;

	simple(&x, word, 128, 128);
	x.t.order = order;
	x.t.levels = mip == TX_MIP_TRILINEAR ? 8 : 1;
	tm_fill(&x, true);
	samp.mag_nearest = nearest;
	samp.min_nearest = nearest;
	samp.mip = mip;
	q.lod_mode = TX_LOD_COMPUTED;
	for (l = 0; l < SIMT_LANES; l++) {
		q.coord[0][l] = tm_bits((float)((l & 1) + (l >> 2 & 3) * 2) / 70 + 0.31f);
		q.coord[1][l] = tm_bits((float)((l >> 1 & 1) + (l >> 4) * 2) / 70 + 0.62f);
	}
	t0 = now();
	do {
		for (l = 0; l < 100; l++)
			tx_run(tm_machine(&x), simd, &q);
		n += l;
		t = now() - t0;
	} while (t < 0.2);
	tap_comment("%s, %s, %s, %s: %.2f us for 64 lanes", name,
		    order == PX_TILED ? "tiled" : "linear",
		    nearest ? "nearest" : mip == TX_MIP_TRILINEAR ? "trilinear" : "bilinear",
		    vs_simd_name(simd), 1e6 * t / n);
	tm_free(&x);
}

static void bench(void)
{
	enum vs_simd best = vs_simd_best();

	time_one("RGBA8", 0xbb << 12, PX_LINEAR, false, TX_MIP_NEAREST, best);
	time_one("RGBA8", 0xbb << 12, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("RGBA8", 0xbb << 12, PX_TILED, true, TX_MIP_NEAREST, best);
	time_one("RGBA8", 0xbb << 12, PX_TILED, false, TX_MIP_TRILINEAR, best);
	time_one("R8", 0xa3 << 12 | 16, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("RGBA16F", 0xdf << 12, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("RGBA32F", 0xbf << 12, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("sRGB8", 1 << 20 | 0xbb << 12, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("ETC2", 1 << 12 | 16, PX_TILED, false, TX_MIP_NEAREST, best);
	time_one("RGBA8", 0xbb << 12, PX_TILED, false, TX_MIP_NEAREST, VS_SIMD_PORTABLE);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--bench")) {
		bench();
		return 0;
	}
	test_samples(TX_DIM_1D, "1D");
	test_samples(TX_DIM_2D, "2D");
	test_samples(TX_DIM_3D, "3D");
	test_samples(TX_DIM_CUBE, "cubes");
	test_shadow();
	test_gather();
	test_fetch();
	test_gradients();
	test_cube_gradients();
	test_nothing();
	test_faults();
	test_bits();
	test_odd_coordinates();
	test_missing_lanes();
	test_levels();
	test_srgb_override();
	test_bytes();
	test_fuzz(3000);
	return tap_done();
}
