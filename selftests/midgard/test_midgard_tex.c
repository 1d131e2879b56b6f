// SPDX-License-Identifier: GPL-2.0
/* Texture operations on the Midgard reference model, made by hand. */
#include "../include/tap.h"
#include "mtex.h"

static bool run(struct mjob *j, const struct mc_tex *x, const uint32_t *at0, const uint32_t *at1,
		uint32_t *out)
{
	struct mcode c;
	unsigned int i;
	bool ok;

	mtex_program(j, x, at0, at1, &c);
	ok = mj_run(j, &c);
	for (i = 0; i < 4; i++)
		out[i] = mj_r32(j, MJ_DATA + 4 * i);
	return ok;
}

static const struct mtex plain = { 2, 4, 4, 1, 1, 1, 2, R32F, ORDER };

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
		mtex_texture(&j, &plain);
		mtex_sampler(&j, t[i].flags, 0, t[i].wraps);
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

static void operation_forms(void)
{
	uint32_t out[4];
	unsigned int i;
	struct mjob j;
	bool ok;

	for (i = 0; i < mtex_nforms; i++) {
		const struct mtex_form *f = &mtex_forms[i];

		mj_new(&j);
		mtex_texture(&j, &f->t);
		mtex_sampler(&j, f->flags, f->lods, f->wraps);
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
	struct mtex cube = { 0, 2, 2, 1, 1, 1, 2, R32F, ORDER };
	struct mc_tex x = TEX(.dim = 0);
	unsigned int i, k;
	uint32_t want;

	for (i = 0; i < 6; i++) {
		struct mc_alu a = { 0 };
		struct mcode c;
		struct mjob j;
		bool ok;

		mj_new(&j);
		mtex_texture(&j, &cube);
		mtex_sampler(&j, NEAREST, 0, EDGE);
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
		want = mtex_texel(&cube, t[i].face, t[i].x, t[i].y, 0);
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
		mtex_texture(&j, &plain);
		mtex_sampler(&j, NEAREST, 0, EDGE);
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
