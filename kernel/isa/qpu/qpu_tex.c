// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV texture lookups: levels, filters, texels.
 *
 * The level of detail is clamped to 0 .. number of levels - 1. At 0 and below the
 * magnification filter applies. Choices: the nearest level is the rounded one (halves
 * up); between two levels the fraction has 8 bits; a texel outside mapped memory is 0 in
 * all channels and its element counts as one stray read; child images are cut out of every
 * level with offset and size halved, flipped within themselves.
 */
#include "qpu_tex.h"

/* State of a lookup. */
struct lookup {
	struct qpu_shared *s;
	struct qpu_core *q;
	const struct qpu_tex *tex;
	struct qpu_texel border;
	u32 bytes;	/* of a texel */
	bool stray;	/* this element has read outside mapped memory */
	bool fault;
};

static struct qpu_texel qpu_tex_fetch(struct lookup *k, const struct qpu_tex_level *l, u32 face,
				      u32 x, u32 y)
{
	u32 bit, addr = qpu_tex_addr(k->tex, l, face, x, y, &bit);
	const void *p = qpu_mem(k->s, addr, k->bytes, 0);
	u64 raw = 0;

	if (!p) {
		if (!k->stray && qpu_tmu_stray(k->s, k->q, addr, k->bytes))
			k->fault = true;
		k->stray = true;
		return (struct qpu_texel){ { 0 } };
	}
	memcpy(&raw, p, k->bytes);
	return qpu_tex_decode(k->tex, raw, bit, x, y);
}

/* Part of level @n that coordinates from 0 to 1 cover. */
struct window {
	u32 x, y, width, height;
};

static struct window window_of(const struct qpu_tex *tex, u32 n)
{
	const struct qpu_tex_level *l = &tex->level[n];
	struct window w = { .width = l->width, .height = l->height };

	if (tex->child) {
		w.x = tex->cx >> n;
		w.y = tex->cy >> n;
		w.width = max(tex->cwidth >> n, 1U);
		w.height = max(tex->cheight >> n, 1U);
	}
	return w;
}

/* Column of the level that is column @i of a window, which may be outside of it. -1: border */
static s32 qpu_tex_column(const struct qpu_tex *tex, u32 n, const struct window *w, s64 i)
{
	s32 x = qpu_tex_wrap(i, w->width, tex->wrap[0]);

	/* A child may exceed the image. */
	return x < 0 ? x : (s32)min(w->x + x, tex->level[n].width - 1);
}

static s32 qpu_tex_row(const struct qpu_tex *tex, u32 n, const struct window *w, s64 j)
{
	s32 y = qpu_tex_wrap(j, w->height, tex->wrap[1]);

	if (y >= 0 && tex->flip_y)
		y = w->height - 1 - y;
	return y < 0 ? y : (s32)min(w->y + y, tex->level[n].height - 1);
}

static struct qpu_texel qpu_tex_texel(struct lookup *k, u32 n, u32 face, s32 x, s32 y)
{
	return x < 0 || y < 0 ? k->border : qpu_tex_fetch(k, &k->tex->level[n], face, x, y);
}

/* Filter one level at the coordinates of element @e. */
static struct qpu_texel sample(struct lookup *k, u32 n, const struct qpu_tex_coords *c, u32 e,
			       bool near)
{
	const struct qpu_tex *tex = k->tex;
	struct window w = window_of(tex, n);
	s64 u = qpu_tex_fixed(c->s[e], w.width, tex->wrap[0]);
	s64 v = qpu_tex_fixed(c->t[e], w.height, tex->wrap[1]);
	struct qpu_texel top, bottom;
	u32 face = c->face[e];
	s32 x[2], y[2];

	if (near)
		return qpu_tex_texel(k, n, face, qpu_tex_column(tex, n, &w, u >> 8),
				     qpu_tex_row(tex, n, &w, v >> 8));
	u -= 128;
	v -= 128;
	x[0] = qpu_tex_column(tex, n, &w, u >> 8);
	x[1] = qpu_tex_column(tex, n, &w, (u >> 8) + 1);
	y[0] = qpu_tex_row(tex, n, &w, v >> 8);
	y[1] = qpu_tex_row(tex, n, &w, (v >> 8) + 1);
	top = qpu_tex_mix(tex->type, qpu_tex_texel(k, n, face, x[0], y[0]),
			  qpu_tex_texel(k, n, face, x[1], y[0]), u & 0xff);
	bottom = qpu_tex_mix(tex->type, qpu_tex_texel(k, n, face, x[0], y[1]),
			     qpu_tex_texel(k, n, face, x[1], y[1]), u & 0xff);
	return qpu_tex_mix(tex->type, top, bottom, v & 0xff);
}

static struct qpu_texel element(struct lookup *k, const struct qpu_tex_coords *c, u32 e, s32 lod)
{
	const struct qpu_tex *tex = k->tex;
	u32 n;

	if (lod <= 0)
		return sample(k, 0, c, e, tex->mag_near);
	if (!tex->mip)
		return sample(k, 0, c, e, tex->min_near);
	lod = min(lod, (s32)(tex->nlevels - 1) * 256);
	if (tex->mip == 1)
		return sample(k, (lod + 128) >> 8, c, e, tex->min_near);
	n = lod >> 8;
	if (!(lod & 0xff))
		return sample(k, n, c, e, tex->min_near);
	return qpu_tex_mix(tex->type, sample(k, n, c, e, tex->min_near),
			   sample(k, n + 1, c, e, tex->min_near), lod & 0xff);
}

static enum qpu_ev lookup_all(struct lookup *k, const struct qpu_tmu *t, const u32 *sv, u32 mask,
			      u32 *results[2])
{
	struct qpu_tex_coords c;
	u32 e, i, nwords, words[2];
	s32 lod[QPU_LANES];

	qpu_tex_coords(k->tex, sv, t->have & 1 ? t->coord[0] : NULL,
		       t->have & 2 ? t->coord[1] : NULL, &c);
	qpu_tex_lod(k->tex, &c, t->have & 4 ? t->coord[2] : NULL, lod);
	nwords = qpu_tex_words(k->tex->type);
	k->bytes = qpu_tex_bytes(k->tex->type);
	for (e = 0; e < QPU_LANES; e++) {
		memset(words, 0, sizeof(words));
		if (mask >> e & 1) {
			k->stray = false;
			k->border = qpu_tex_border(k->tex->type,
						   k->tex->border ? t->coord[1][e] : 0);
			qpu_tex_pack(k->tex->type, element(k, &c, e, lod[e]), words);
			if (k->fault)
				return QPU_EV_FAULT;
		}
		for (i = 0; i < nwords; i++)
			results[i][e] = words[i];
	}
	return QPU_EV_OK;
}

enum qpu_ev qpu_tex_lookup(struct qpu_shared *s, struct qpu_core *q, struct qpu_tmu *t,
			   const u32 *sv, u32 mask)
{
	struct qpu_tex tex;
	struct lookup k = { .s = s, .q = q, .tex = &tex };
	u32 *results[2], i;

	if (!qpu_tex_config(t, &tex))
		return qpu_fault_code(s, q, VS_FAULT_HANG, 0, QPU_HZ_TMU_CONFIG);
	for (i = 0; i < qpu_tex_words(tex.type); i++) {
		if (qpu_tmu_push(s, q, t, &results[i]))
			return QPU_EV_FAULT;
	}
	return lookup_all(&k, t, sv, mask, results);
}
