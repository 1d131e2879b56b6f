// SPDX-License-Identifier: GPL-2.0
/* Texture operations on the Midgard reference model, made by hand. */
#include <string.h>

#include "../include/tap.h"
#include "mcode.h"

/* Tables below have a form of an operation and what is different in it. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define ORDER	0x688u
#define R32F	(0xa7u << 12 | ORDER)
#define RGBA8	(0xbbu << 12 | ORDER)
#define R32UI	(0x85u << 12 | ORDER)
#define F(x)	float_bits(x)

static uint32_t float_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

/* What a texture's descriptor says; surfaces have addresses and strides. */
struct tex {
	unsigned int dim, w, h, d, layers, levels, order;
	uint32_t fmt, swizzle;
};

/*
 * Texel x, y, z of a surface is 1 + x + 10 y + 100 z + 1000 surface, as a float or an
 * integer; RGBA8 has x, y, z, surface as bytes.
 */
static uint32_t texel(const struct tex *t, unsigned int s, unsigned int x, unsigned int y,
		      unsigned int z)
{
	uint32_t v = 1 + x + 10 * y + 100 * z + 1000 * s;

	if (t->fmt == RGBA8)
		return x | y << 8 | z << 16 | s << 24;
	return t->fmt == R32F ? F((float)v) : v;
}

static uint32_t tiled(uint32_t x, uint32_t y)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		v |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return v;
}

static unsigned int at_level(unsigned int n, unsigned int level)
{
	return n >> level ? n >> level : 1;
}

static void texture(struct mjob *j, const struct tex *t)
{
	unsigned int s, x, y, z, faces = t->dim ? 1 : 6, level;

	j->textures = 1;
	mj_w64(j, MJ_TEXTURES, MJ_TEXTURE);
	mj_w32(j, MJ_TEXTURE, (t->w - 1) | (t->h - 1) << 16);
	mj_w32(j, MJ_TEXTURE + 4, (t->d - 1) | (t->layers - 1) << 16);
	mj_w32(j, MJ_TEXTURE + 8, t->fmt | t->dim << 22 | t->order << 24 | 3u << 28);
	mj_w32(j, MJ_TEXTURE + 12, (t->levels - 1) << 24);
	mj_w32(j, MJ_TEXTURE + 16, t->swizzle);
	for (s = 0; s < t->layers * t->levels * faces; s++) {
		uint64_t va = MJ_TEXELS + 0x800 * s;

		level = s / faces % t->levels;
		mj_w64(j, MJ_TEXTURE + 32 + 16 * s, va);
		mj_w32(j, MJ_TEXTURE + 40 + 16 * s, t->order == 1 ? 0x400 : 0x40);
		mj_w32(j, MJ_TEXTURE + 44 + 16 * s, 0x100);
		for (z = 0; z < at_level(t->d, level); z++)
			for (y = 0; y < at_level(t->h, level); y++)
				for (x = 0; x < at_level(t->w, level); x++)
					mj_w32(j, va + (t->order == 1 ? 4 * tiled(x, y) :
							0x100 * z + 0x40 * y + 4 * x),
					       texel(t, s, x, y, z));
	}
}

/* @flags: first word of a sampler; wrap modes of s, t and r, 4 bits each, and a function. */
static void sampler(struct mjob *j, uint32_t flags, uint32_t lods, uint32_t wraps)
{
	unsigned int i;

	mj_w32(j, MJ_SAMPLERS, flags);
	mj_w32(j, MJ_SAMPLERS + 4, lods);
	mj_w32(j, MJ_SAMPLERS + 8, wraps);
	for (i = 0; i < 4; i++)
		mj_w32(j, MJ_SAMPLERS + 16 + 4 * i, F(0.25f));
}

#define NEAREST		0x23u
#define LINEAR		0x20u
#define TRILINEAR	0x38u
#define EDGE		0x999u
#define REPEAT		0x888u
#define BORDER		0xbbbu
#define MIRROR		0xcccu
#define MIRROR_EDGE	0xdddu

/* A thread puts its arguments in place, does the operation, stores the result. */
static bool run(struct mjob *j, const struct mc_tex *x, const uint32_t *at0, const uint32_t *at1,
		uint32_t *out)
{
	struct mc_alu a = { 0 };
	struct mcode c;
	unsigned int i;
	bool ok;

	for (i = 0; i < 4; i++) {
		mj_push(j, 1, i, at0[i]);
		mj_push(j, 2, i, at1[i]);
	}
	mc_start(&c);
	mc_move(&a, MC_VMUL, 22, MC_T0);
	mc_move(&a, MC_VLUT, 21, MC_T1);
	mc_alu(&c, &a);
	mc_texture(&c, x);
	mc_store(&c, MC_T0 + x->out_select, 0, 0);
	ok = mj_run(j, &c);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(j, MJ_DATA + 4 * i);
	return ok;
}

static const struct tex plain = { 2, 4, 4, 1, 1, 1, 2, R32F, ORDER };

/* Two-dimensional sampling; the first component of what comes. */
static void sampling(void)
{
	static const struct {
		const char *what;
		uint32_t flags, wraps;
		float s, t, want;
	} t[] = {
		{ "nearest", NEAREST, EDGE, 0.3f, 0.9f, 32 },
		{ "nearest, clamped to the edge", NEAREST, EDGE, -3, 7, 31 },
		{ "nearest, repeated", NEAREST, REPEAT, 1.3f, -0.1f, 32 },
		{ "nearest, mirrored", NEAREST, MIRROR, 1.3f, -0.1f, 3 },
		{ "nearest, mirrored once", NEAREST, MIRROR_EDGE, -0.3f, 5, 32 },
		{ "nearest, border", NEAREST, BORDER, 1.1f, 0.5f, 0.25f },
		{ "linear, at a centre", LINEAR, EDGE, 0.375f, 0.625f, 22 },
		{ "linear, between", LINEAR, EDGE, 0.5f, 0.5f, 17.5f },
		{ "linear, at the edge", LINEAR, EDGE, 0, 0, 1 },
		{ "linear, over the edge", LINEAR, REPEAT, 0, 0.125f, 2.5f },
		{ "linear, mirrored at the edge", LINEAR, MIRROR, 0, 0.125f, 1 },
		{ "linear, with the border", LINEAR, BORDER, 0, 0.125f, 0.625f },
		{ "pixels as coordinates", 3, EDGE, 2.9f, 1.1f, 13 },
		{ "infinite", NEAREST, REPEAT, 1e30f, 0.3f, 11 },
	};
	uint32_t out[4], at[2][4] = { { 0 } };
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct mc_tex x = MC_TEX_2D;
		struct mjob j;
		bool ok;

		mj_new(&j);
		texture(&j, &plain);
		sampler(&j, t[i].flags, 0, t[i].wraps);
		at[0][0] = F(t[i].s);
		at[0][1] = F(t[i].t);
		ok = run(&j, &x, at[0], at[1], out);
		/* the border has four equal components */
		tap_result(ok && out[0] == F(t[i].want) &&
			   (t[i].wraps == BORDER ||
			    (!out[1] && !out[2] && out[3] == 0x3f800000)),
			   "%s: %08x, expected %08x %s", t[i].what, out[0], F(t[i].want),
			   j.g.error);
		mj_free(&j);
	}
}

/* One operation on one texture with given arguments. */
struct form {
	const char *what;
	struct tex t;
	uint32_t flags, lods, wraps;
	struct mc_tex x;
	uint32_t at0[4], at1[4];
	uint32_t want[4];
};

#define ONE		0x3f800000u
#define P5		0x3f000000u	/* 0.5 */
#define P25		0x3e800000u
#define TEX(...)	{ .tag = 2, .op = 2, .mode = 1, .partial = 3, .dim = 2, .in_full = true, \
			  .in_swizzle = MC_XYZW, .out_full = true, .type = 1, .mask = 15, \
			  .swizzle = MC_XYZW, __VA_ARGS__ }
#define WHOLE(d, w, h, dp, l, lv) { d, w, h, dp, l, lv, 2, R32F, ORDER }
#define OLD		0xa5a5a5a5u

static const struct form forms[] = {
	{ "tiled", { 2, 4, 4, 1, 1, 1, 1, R32F, ORDER }, NEAREST, 0, EDGE, TEX(.op = 2),
	  { P5, P25 }, { 0 }, { 0x41500000, 0, 0, ONE } },
	{ "bytes, swizzled by the texture", { 2, 4, 4, 1, 1, 1, 2, RGBA8, 0xa41 }, NEAREST, 0, EDGE,
	  TEX(.op = 2), { P5, P25 }, { 0 }, { 0x3b808081, 0x3c008081, 0x3b808081, ONE } },
	{ "swizzled by the operation, some components", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.swizzle = 0x33, .mask = 5), { P5, P25 }, { 0 }, { ONE, OLD, ONE, OLD } },
	{ "second argument and result", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.in_select = 1, .out_select = 1, .in_swizzle = 0xee), { 0 }, { 0, 0, P5, P25 },
	  { 0x41500000, 0, 0, ONE } },
	{ "half coordinates", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.in_full = false, .in_upper = 1), { 0, 0, 0x38003400, 0 }, { 0 },
	  { 0x41b00000, 0, 0, ONE } },
	{ "half results, upper", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.out_full = false, .out_upper = 1), { P5, P25 }, { 0 },
	  { OLD, OLD, 0x00004a80, 0x3c000000 } },
	{ "clamped", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE, TEX(.outmod = 3),
	  { P5, P25 }, { 0 }, { ONE, 0, 0, ONE } },
	{ "offset", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE, TEX(.offset = 0x21), { 0, 0 }, { 0 },
	  { 0x41b00000, 0, 0, ONE } },
	{ "offset from a register", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.offset_reg = true, .offset = 1 | 2 | 0 << 3 | 1 << 5 | 2 << 7), { ONE, ONE },
	  { 0xffffffff, 0xfffffffe, 0 }, { 0x41c00000, 0, 0, ONE } },
	{ "level by a constant", WHOLE(2, 4, 4, 1, 1, 3), NEAREST, 0x3000000, EDGE,
	  TEX(.bias_int = 1), { P5, P5 }, { 0 }, { 0x447d0000, 0, 0, ONE } },
	{ "level from a register", WHOLE(2, 4, 4, 1, 1, 3), NEAREST, 0x3000000, EDGE,
	  TEX(.lod_reg = true, .bias = 1 | 2 | 3 << 3), { P5, P5 }, { 0, 0, 0, 0x40000000 },
	  { 0x44fa2000, 0, 0, ONE } },
	{ "level clamped by the sampler", WHOLE(2, 4, 4, 1, 1, 3), NEAREST, 0x1000000, EDGE,
	  TEX(.bias_int = 2), { P5, P5 }, { 0 }, { 0x447d0000, 0, 0, ONE } },
	{ "between levels", WHOLE(2, 4, 4, 1, 1, 3), TRILINEAR | 3, 0x3000000, EDGE,
	  TEX(.bias = 128), { 0, 0 }, { 0 }, { 0x43fa8000, 0, 0, ONE } },
	{ "bias of the sampler", WHOLE(2, 4, 4, 1, 1, 3), NEAREST | 0x1000000, 0x3000000, EDGE,
	  TEX(.bias = 0), { 0, 0 }, { 0 }, { 0x447a4000, 0, 0, ONE } },
	{ "layer of an array", WHOLE(2, 4, 4, 1, 3, 1), NEAREST, 0, EDGE, TEX(.op = 2),
	  { 0, 0, 0, 0x40000000 }, { 0 }, { 0x44fa2000, 0, 0, ONE } },
	{ "layer behind the last", WHOLE(2, 4, 4, 1, 3, 1), NEAREST, 0, EDGE, TEX(.op = 2),
	  { 0, 0, 0, 0x40e00000 }, { 0 }, { 0x44fa2000, 0, 0, ONE } },
	{ "3D, nearest", WHOLE(3, 4, 4, 2, 1, 1), NEAREST, 0, EDGE, TEX(.dim = 3),
	  { 0, 0, 0x3f400000 }, { 0 }, { 0x42ca0000, 0, 0, ONE } },
	{ "3D, linear", WHOLE(3, 4, 4, 2, 1, 1), LINEAR, 0, EDGE, TEX(.dim = 3),
	  { 0, 0, P5 }, { 0 }, { 0x424c0000, 0, 0, ONE } },
	{ "1D", WHOLE(1, 4, 1, 1, 1, 1), NEAREST, 0, EDGE, TEX(.dim = 1), { P5, 0 }, { 0 },
	  { 0x40400000, 0, 0, ONE } },
	{ "gathered", WHOLE(2, 4, 4, 1, 1, 1), LINEAR, 0, EDGE, TEX(.mode = 8), { P5, P5 }, { 0 },
	  { 0x41400000, 0x41500000, 0x41b00000, 0x41b80000 } },
	{ "compared: less", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE | 1 << 12, TEX(.mode = 5),
	  { 0, 0, P5 }, { 0 }, { ONE, ONE, ONE, ONE } },
	{ "compared: greater", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE | 4 << 12, TEX(.mode = 5),
	  { 0, 0, P5 }, { 0 }, { 0, 0, 0, 0 } },
	{ "compared and mixed", WHOLE(2, 4, 4, 1, 1, 1), LINEAR, 0, EDGE | 1 << 12, TEX(.mode = 5),
	  { P25, 0, 0x3fc00000 }, { 0 }, { P5, P5, P5, P5 } },
	{ "compared and gathered", WHOLE(2, 4, 4, 1, 1, 1), LINEAR, 0, EDGE | 6 << 12,
	  TEX(.mode = 6), { P5, P5, 0x41500000 }, { 0 }, { ONE, ONE, 0, 0 } },
	{ "fetched", WHOLE(2, 4, 4, 1, 2, 2), NEAREST, 0, EDGE, TEX(.op = 4, .lod_reg = true,
								  .bias = 3),
	  { 1, 0, 0, 1 }, { 1 }, { 0x453ba000, 0, 0, ONE } },
	{ "fetched with an offset", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.op = 4, .offset = 0x1f), { 3, 1 }, { 0 }, { 0x41b80000, 0, 0, ONE } },
	{ "fetched outside", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE, TEX(.op = 4),
	  { 4, 0 }, { 0 }, { 0, 0, 0, 0 } },
	{ "fetched integers", { 2, 4, 4, 1, 1, 1, 2, R32UI, ORDER }, NEAREST, 0, EDGE,
	  TEX(.op = 4, .type = 2), { 2, 1 }, { 0 }, { 13, 0, 0, 1 } },
	{ "sampled integers", { 2, 4, 4, 1, 1, 1, 2, R32UI, ORDER }, NEAREST, 0, EDGE,
	  TEX(.type = 3), { P5, P25 }, { 0 }, { 13, 0, 0, 1 } },
	{ "texture and sampler from registers", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.texture_reg = true, .sampler_reg = true, .texture = 1 | 2 | 1 << 3,
	      .sampler = 1 | 2 | 2 << 3), { P5, P25 }, { 9, 0, 0, 9 }, { 0x41500000, 0, 0, ONE } },
};

static void operation_forms(void)
{
	uint32_t out[4];
	unsigned int i;
	struct mjob j;
	bool ok;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct form *f = &forms[i];

		mj_new(&j);
		texture(&j, &f->t);
		sampler(&j, f->flags, f->lods, f->wraps);
		ok = run(&j, &f->x, f->at0, f->at1, out);
		tap_result(ok && !memcmp(out, f->want, 16), "%s: %08x %08x %08x %08x %s", f->what,
			   out[0], out[1], out[2], out[3], j.g.error);
		mj_free(&j);
	}
}

/* A direction as the load/store unit turns it, then a texel of one of six faces. */
static void cubes(void)
{
	static const struct { float d[3]; unsigned int face, x, y; } t[] = {
		{ { 4, 1, -3 }, 0, 1, 0 }, { { -4, -1, -3 }, 1, 0, 1 }, { { 1, 4, 3 }, 2, 1, 1 },
		{ { -1, -4, 3 }, 3, 0, 0 }, { { 1, 2, 4 }, 4, 1, 0 }, { { 1, -2, -4 }, 5, 0, 1 },
	};
	struct tex cube = { 0, 2, 2, 1, 1, 1, 2, R32F, ORDER };
	struct mc_tex x = TEX(.dim = 0);
	unsigned int i, k;
	uint32_t want;

	for (i = 0; i < 6; i++) {
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		texture(&j, &cube);
		sampler(&j, NEAREST, 0, EDGE);
		for (k = 0; k < 3; k++)
			mj_push(&j, 1, k, F(t[i].d[k]));
		mc_start(&c);
		mc_move(&a, MC_VMUL, 22, MC_AL0);
		mc_alu(&c, &a);
		mc_ldst(&c,
			MC_LS(.op = 0x0e, .reg = 28, .mask = 3, .swizzle = MC_XYZW,
			      .toggle = true), MC_NOP_LS);
		mc_texture(&c, &x);
		mc_store(&c, MC_T0, 0, 0);
		ok = mj_run(&j, &c);
		want = texel(&cube, t[i].face, t[i].x, t[i].y, 0);
		tap_result(ok && mj_r32(&j, MJ_DATA) == want, "face %u: %08x, expected %08x %s",
			   t[i].face, mj_r32(&j, MJ_DATA), want, j.g.error);
		mj_free(&j);
	}
}

static void refused(void)
{
	static const struct { const char *what; struct mc_tex x; bool unsupported; } t[] = {
		{ "gradient from derivatives", TEX(.op = 9), true },
		{ "move", TEX(.op = 10), true },
		{ "mode 3", TEX(.mode = 3), true },
		{ "texture 1", TEX(.texture = 1), false },
		{ "sampler 1", TEX(.sampler = 1), false },
		{ "other dimension", TEX(.dim = 3), true },
		{ "derivative of one thread", TEX(.op = 13, .mode = 0), true },
	};
	uint32_t out[4], at[2][4] = { { 0 } };
	unsigned int i;
	struct mjob j;
	bool ok;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		mj_new(&j);
		texture(&j, &plain);
		sampler(&j, NEAREST, 0, EDGE);
		ok = run(&j, &t[i].x, at[0], at[1], out);
		tap_result(!ok && j.g.unsupported == t[i].unsupported, "refused: %s: %s",
			   t[i].what, j.g.error);
		mj_free(&j);
	}
}

int main(void)
{
	tap_start();
	sampling();
	operation_forms();
	cubes();
	refused();
	return tap_done();
}
