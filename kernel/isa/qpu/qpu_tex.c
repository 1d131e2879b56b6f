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
	bool stray;	/* this element has read outside mapped memory */
	bool fault;
};

static struct qpu_texel fetch(struct lookup *k, const struct qpu_tex_level *l, u32 face, u32 x,
			      u32 y)
{
	u32 bit, addr = qpu_tex_addr(k->tex, l, face, x, y, &bit);
	u32 bytes = qpu_tex_bytes(k->tex->type);
	const void *p = qpu_mem(k->s, addr, bytes, 0);
	u64 raw = 0;

	if (!p) {
		if (!k->stray && qpu_tmu_stray(k->s, k->q, addr, bytes))
			k->fault = true;
		k->stray = true;
		return (struct qpu_texel){ { 0 } };
	}
	memcpy(&raw, p, bytes);
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

/* Texel at column @i, row @j of a window; may be outside of it. */
static struct qpu_texel texel(struct lookup *k, u32 n, const struct window *w, u32 face, s64 i,
			      s64 j)
{
	const struct qpu_tex_level *l = &k->tex->level[n];
	s32 x = qpu_tex_wrap(i, w->width, k->tex->wrap[0]);
	s32 y = qpu_tex_wrap(j, w->height, k->tex->wrap[1]);

	if (x < 0 || y < 0)
		return k->border;
	if (k->tex->flip_y)
		y = w->height - 1 - y;
	/* A child may exceed the image. */
	return fetch(k, l, face, min(w->x + x, l->width - 1), min(w->y + y, l->height - 1));
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
	s64 i, j;

	if (near)
		return texel(k, n, &w, face, u >> 8, v >> 8);
	u -= 128;
	v -= 128;
	i = u >> 8;
	j = v >> 8;
	top = qpu_tex_mix(tex->type, texel(k, n, &w, face, i, j),
			  texel(k, n, &w, face, i + 1, j), u & 0xff);
	bottom = qpu_tex_mix(tex->type, texel(k, n, &w, face, i, j + 1),
			     texel(k, n, &w, face, i + 1, j + 1), u & 0xff);
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
