// SPDX-License-Identifier: GPL-2.0
/* Midgard texture operations made by hand, with their results. */
#include "mtex.h"

uint32_t mtex_float(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

uint32_t mtex_texel(const struct mtex *t, unsigned int s, unsigned int x, unsigned int y,
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

void mtex_texture(struct mjob *j, const struct mtex *t)
{
	unsigned int s, x, y, z, faces = t->dim ? 1 : 6, level;
	unsigned int samples = t->samples ? t->samples : 1;

	j->textures = 1;
	mj_w64(j, MJ_TEXTURES, MJ_TEXTURE);
	mj_w32(j, MJ_TEXTURE, (t->w - 1) | (t->h - 1) << 16);
	mj_w32(j, MJ_TEXTURE + 4, (t->d * samples - 1) | (t->layers - 1) << 16);
	mj_w32(j, MJ_TEXTURE + 8, t->fmt | t->dim << 22 | t->order << 24 | 3u << 28);
	mj_w32(j, MJ_TEXTURE + 12, (t->levels - 1) << 24);
	mj_w32(j, MJ_TEXTURE + 16, t->swizzle);
	for (s = 0; s < t->layers * t->levels * faces * samples; s++) {
		uint64_t va = MJ_TEXELS + 0x800 * s;

		level = s / samples / faces % t->levels;
		mj_w64(j, MJ_TEXTURE + 32 + 16 * s, va);
		mj_w32(j, MJ_TEXTURE + 40 + 16 * s, t->order == 1 ? 0x400 : 0x40);
		mj_w32(j, MJ_TEXTURE + 44 + 16 * s, 0x100);
		for (z = 0; z < at_level(t->d, level); z++)
			for (y = 0; y < at_level(t->h, level); y++)
				for (x = 0; x < at_level(t->w, level); x++)
					mj_w32(j, va + (t->order == 1 ? 4 * tiled(x, y) :
							0x100 * z + 0x40 * y + 4 * x),
					       mtex_texel(t, s, x, y, z));
	}
}

void mtex_sampler(struct mjob *j, uint32_t flags, uint32_t lods, uint32_t wraps)
{
	unsigned int i;

	mj_w32(j, MJ_SAMPLERS, flags);
	mj_w32(j, MJ_SAMPLERS + 4, lods);
	mj_w32(j, MJ_SAMPLERS + 8, wraps);
	for (i = 0; i < 4; i++)
		mj_w32(j, MJ_SAMPLERS + 16 + 4 * i, F(0.25f));
}

void mtex_program(struct mjob *j, const struct mc_tex *x, const uint32_t *at0,
		  const uint32_t *at1, struct mcode *c)
{
	struct mc_alu a = { 0 };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		mj_push(j, 1, i, at0[i]);
		mj_push(j, 2, i, at1[i]);
	}
	mc_start(c);
	mc_move(&a, MC_VMUL, 22, MC_T0);
	mc_move(&a, MC_VLUT, 21, MC_T1);
	mc_alu(c, &a);
	mc_texture(c, x);
	mc_store(c, MC_T0 + x->out_select, 0, 0);
}

const struct mtex_form mtex_forms[] = {
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
	{ "layer past the last", WHOLE(2, 4, 4, 1, 3, 1), NEAREST, 0, EDGE, TEX(.op = 2),
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
	  { 0, 0, P5 }, { 0 }, { 0, 0, 0, ONE } },
	{ "compared: greater", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE | 4 << 12, TEX(.mode = 5),
	  { 0, 0, P5 }, { 0 }, { ONE, 0, 0, ONE } },
	{ "compared and mixed", WHOLE(2, 4, 4, 1, 1, 1), LINEAR, 0, EDGE | 1 << 12, TEX(.mode = 5),
	  { P25, 0, 0x3fc00000 }, { 0 }, { P5, 0, 0, ONE } },
	{ "compared and gathered", WHOLE(2, 4, 4, 1, 1, 1), LINEAR, 0, EDGE | 6 << 12,
	  TEX(.mode = 6), { P5, P5, 0x41500000 }, { 0 }, { 0, ONE, ONE, ONE } },
	{ "fetched", WHOLE(2, 4, 4, 1, 2, 2), NEAREST, 0, EDGE, TEX(.op = 4, .lod_reg = true,
								  .bias = 3),
	  { 1, 0, 0, 1 }, { 1 }, { 0x453ba000, 0, 0, ONE } },
	{ "fetched with an offset", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.op = 4, .offset = 0x1f), { 3, 1 }, { 0 }, { 0x41b80000, 0, 0, ONE } },
	{ "fetched outside", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE, TEX(.op = 4),
	  { 4, 0 }, { 0 }, { 0, 0, 0, 0 } },
	{ "sample of a fetch", { 2, 4, 4, 1, 1, 1, 2, R32F, ORDER, 4 }, NEAREST, 0, EDGE,
	  TEX(.op = 4), { 1, 2, 3 }, { 0 }, { 0x453ce000, 0, 0, ONE } },
	{ "sample of a layer", { 2, 4, 4, 1, 2, 1, 2, R32F, ORDER, 4 }, NEAREST, 0, EDGE,
	  TEX(.op = 4), { 1, 2, 1, 1 }, { 0 }, { 0x459cf000, 0, 0, ONE } },
	{ "sample past the last", { 2, 4, 4, 1, 1, 1, 2, R32F, ORDER, 4 }, NEAREST, 0, EDGE,
	  TEX(.op = 4), { 1, 2, 4 }, { 0 }, { 0, 0, 0, 0 } },
	{ "fetched integers", { 2, 4, 4, 1, 1, 1, 2, R32UI, ORDER }, NEAREST, 0, EDGE,
	  TEX(.op = 4, .type = 2), { 2, 1 }, { 0 }, { 13, 0, 0, 1 } },
	{ "sampled integers", { 2, 4, 4, 1, 1, 1, 2, R32UI, ORDER }, NEAREST, 0, EDGE,
	  TEX(.type = 3), { P5, P25 }, { 0 }, { 13, 0, 0, 1 } },
	{ "texture and sampler from registers", WHOLE(2, 4, 4, 1, 1, 1), NEAREST, 0, EDGE,
	  TEX(.texture_reg = true, .sampler_reg = true, .texture = 1 | 2 | 1 << 3,
	      .sampler = 1 | 2 | 2 << 3), { P5, P25 }, { 9, 0, 0, 9 }, { 0x41500000, 0, 0, ONE } },
};

const unsigned int mtex_nforms = sizeof(mtex_forms) / sizeof(mtex_forms[0]);
