// SPDX-License-Identifier: GPL-2.0
/* Texture bundles of the Midgard reference model. */
#include <math.h>
#include <string.h>

#include "midgard_ref_int.h"
#include "midgard_ref_num.h"

/* Decoded texture word. */
struct tex {
	unsigned int op, mode, dim;
	bool kill;
	bool sampler_reg, texture_reg, lod_reg, offset_reg;
	bool in_full, in_upper;
	unsigned int in_select, in_swizzle;
	bool out_full, out_upper;
	unsigned int type, out_select, mask, outmod, swizzle;
	unsigned int offset, bias;
	int bias_int;
	unsigned int sampler, texture;
};

static void decode(const uint32_t *w, struct tex *x)
{
	x->op = mgr_bits(w, 8, 4);
	x->mode = mgr_bits(w, 12, 4);
	x->kill = mgr_bits(w, 16, 2) == 2;
	x->dim = mgr_bits(w, 18, 2);
	x->sampler_reg = mgr_bits(w, 20, 1);
	x->texture_reg = mgr_bits(w, 21, 1);
	x->lod_reg = mgr_bits(w, 22, 1);
	x->offset_reg = mgr_bits(w, 23, 1);
	x->in_full = mgr_bits(w, 24, 1);
	x->in_select = mgr_bits(w, 25, 1);
	x->in_upper = mgr_bits(w, 26, 1);
	x->in_swizzle = mgr_bits(w, 27, 8);
	x->out_full = mgr_bits(w, 37, 1);
	x->type = mgr_bits(w, 38, 2);
	x->out_select = mgr_bits(w, 40, 1);
	x->out_upper = mgr_bits(w, 41, 1);
	x->mask = mgr_bits(w, 42, 4);
	x->outmod = mgr_bits(w, 46, 2);
	x->swizzle = mgr_bits(w, 48, 8);
	x->offset = mgr_bits(w, 68, 12);
	x->bias = mgr_bits(w, 80, 8);
	x->bias_int = (int8_t)mgr_bits(w, 88, 8);
	x->sampler = mgr_bits(w, 96, 16);
	x->texture = mgr_bits(w, 112, 16);
}

/* A component of an argument register, as 32 bits; halves are floats or integers. */
static uint32_t component(const struct mgr_thread *t, bool full, unsigned int select, bool upper,
			  unsigned int c, bool is_float)
{
	const struct mgr_reg *r = &t->at[select];
	uint32_t v;

	if (full)
		return mgr_word(r, c);
	v = mrf_get(r->b + 2 * (c + 4 * upper), 2);
	return is_float ? mrf_half((uint16_t)v) : (uint32_t)mgr_sext(v, 16);
}

/* By the eight bits of a register selector. */
static uint32_t selected(const struct mgr_thread *t, unsigned int sel, bool is_float)
{
	return component(t, sel & 1, sel >> 1 & 1, sel >> 2 & 1, sel >> 3 & 3, is_float);
}

static void coordinates(const struct mgr_thread *t, const struct tex *x, bool is_float,
			uint32_t *c)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		c[i] = component(t, x->in_full, x->in_select, x->in_upper,
				 x->in_swizzle >> (2 * i) & 3, is_float);
}

static void offsets(const struct mgr_thread *t, const struct tex *x, int *out)
{
	unsigned int i, o = x->offset;

	for (i = 0; i < 3; i++)
		if (x->offset_reg)
			out[i] = (int)component(t, o & 1, o >> 1 & 1, o >> 2 & 1,
						o >> (3 + 2 * i) & 3, false);
		else
			out[i] = (int)mgr_sext(o >> (4 * i) & 15, 4);
}

static void write_result(struct mrf *g, struct mgr_thread *t, const struct tex *x,
			 const struct mrf_texel *texel)
{
	static const enum mrf_regfmt types[4] = { MRF_AUTO, MRF_F32, MRF_U32, MRF_S32 };
	struct mgr_reg *to = &t->ta[x->out_select];
	uint32_t v[4] = { 0 }, one;
	unsigned int i;

	mrf_deliver(g, texel, types[x->type], 4, v);
	for (i = 0; i < 4; i++) {
		if (!(x->mask >> i & 1))
			continue;
		one = v[x->swizzle >> (2 * i) & 3];
		if (x->type == 1)
			one = (uint32_t)mgr_fclamp(one, 32, x->outmod);
		if (x->out_full)
			mgr_set_word(to, i, one);
		else
			mrf_put(to->b + 2 * (i + 4 * x->out_upper), 2,
				x->type == 1 ? mrf_to_half(mrf_f(one), MRF_RTE) : one);
	}
}

static void fetch(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		  const struct tex *x, struct mrf_texel *out)
{
	uint32_t c[4], lod, layer, sample = 0;
	struct mrf_tex tex;
	unsigned int i;
	int o[3];

	if (!mrf_texture(g, &d->d, x->texture, &tex))
		return;
	if (x->mode != 1 || !x->dim) {
		mrf_fail(g, true, "fetch in mode %u, dimension %u", x->mode, x->dim);
		return;
	}
	coordinates(t, x, false, c);
	offsets(t, x, o);
	if (tex.samples > 1) {
		sample = c[2];
		c[2] = 0;
	}
	for (i = 0; i < 3; i++)
		c[i] += (uint32_t)o[i];
	layer = c[3];
	lod = x->lod_reg ? selected(t, x->bias, false) : x->bias;
	mrf_fetch_texel(g, &tex, c, lod, 0, layer, sample, out);
}

/* Coordinates of one lane, a cube's without its face. */
static void place(const struct mgr_thread *t, const struct tex *x, double *c)
{
	uint32_t v[4];
	unsigned int i;

	coordinates(t, x, true, v);
	if (!x->dim) {
		v[0] &= 0x3fffffff;
		v[1] &= 0x3fffffff;
	}
	for (i = 0; i < 3; i++)
		c[i] = mrf_f(v[i]);
}

/* From the differences between the lanes; missing lanes equal the first. */
static double computed(const struct mgr_quad *q, const struct mgr_thread *t,
		       const struct tex *x, const struct mrf_tex *tex)
{
	double c[4][3], dx[3], dy[3];
	unsigned int i;

	for (i = 0; i < 4; i++)
		place(q->t[i] ? q->t[i] : t, x, c[i]);
	for (i = 0; i < 3; i++) {
		dx[i] = c[1][i] - c[0][i];
		dy[i] = c[2][i] - c[0][i];
	}
	return mrf_computed_lod(tex, dx, dy);
}

static void sample(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		   const struct mgr_quad *q, const struct tex *x, struct mrf_texel *out)
{
	struct mrf_sampling s = { .texture = x->texture, .sampler = x->sampler, .gather = -1 };
	struct mrf_tex tex;
	uint32_t v[4];

	if (!mrf_texture(g, &d->d, x->texture, &tex))
		return;
	if (tex.dim != x->dim || tex.samples != 1) {
		mrf_fail(g, true, "sampling of dimension %u, texture has %u", x->dim, tex.dim);
		return;
	}
	coordinates(t, x, true, v);
	place(t, x, s.c);
	if (!x->dim)
		s.face = v[0] >> 30 | (v[1] >> 30) << 2;
	if (tex.layers > 1 && mrf_f(v[3]) > 0)
		s.layer = (unsigned int)mrf_round_int(fmin(mrf_f(v[3]), tex.layers - 1), MRF_RTE);
	offsets(t, x, s.offset);
	s.lod = x->lod_reg ? mrf_f(selected(t, x->bias, true)) : x->bias_int + x->bias / 256.0;
	if (x->op == 1 && q)
		s.lod += computed(q, t, x, &tex);
	s.shadow = x->mode == 5 || x->mode == 6;
	s.ref = mrf_f(v[2]);
	if (x->mode == 6)
		s.gather = 0;
	else if (x->mode >= 8 && x->mode <= 11)
		s.gather = x->mode - 8;
	else if (x->mode != 1 && x->mode != 5)
		mrf_fail(g, true, "texture mode %u", x->mode);
	mrf_sample(g, &d->d, &s, out);
}

/* Right minus left of the lane's row, or lower minus upper of its column. */
static void derivative(struct mrf *g, struct mgr_thread *t, const struct mgr_quad *q,
		       const struct tex *x, struct mrf_texel *out)
{
	unsigned int step = x->mode ? 2 : 1, i;
	const struct mgr_thread *a, *b;
	uint32_t va[4], vb[4];

	if (x->mode > 1 || !q) {
		mrf_fail(g, true, "derivative in mode %u", x->mode);
		return;
	}
	a = q->t[t->lane & ~step];
	b = q->t[t->lane | step];
	/* one that is not there has no value, and the result no meaning */
	coordinates(a ? a : t, x, true, va);
	coordinates(b ? b : t, x, true, vb);
	for (i = 0; i < 4; i++)
		out->v[i] = mrf_to_single((double)mrf_f(vb[i]) - mrf_f(va[i]), MRF_RTE);
}

void mgr_exec_tex(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		  const struct mgr_quad *q, const uint32_t *w)
{
	struct mrf_texel out = { 0 };
	struct tex x;

	decode(w, &x);
	if (x.op == 11) {
		t->waits = !q;
		return;
	}
	if (x.sampler_reg)
		x.sampler = selected(t, x.sampler, false);
	if (x.texture_reg)
		x.texture = selected(t, x.texture, false);
	switch (x.op) {
	case 1:
	case 2:
		sample(g, d, t, q, &x, &out);
		break;
	case 4:
		fetch(g, d, t, &x, &out);
		break;
	case 13:
		derivative(g, t, q, &x, &out);
		break;
	default:
		mrf_fail(g, true, "texture operation %u", x.op);
	}
	if (!*g->error)
		write_result(g, t, &x, &out);
	/* helpers are no longer needed */
	if (x.kill && q && !t->covered)
		t->done = true;
}
