// SPDX-License-Identifier: GPL-2.0
/* Textures and samplers, of the Mali reference models. */
#include <math.h>
#include <string.h>

#include "mali_ref_int.h"
#include "mali_ref_num.h"

/* Sampler of either descriptor form. */
struct sampler {
	bool mag_nearest, min_nearest;
	unsigned int mip;		/* 0 nearest, 1 none, 3 linear */
	unsigned int wrap[3];
	unsigned int func;		/* less, equal, greater are bits */
	bool normalized;
	double bias, min_lod, max_lod;
	uint32_t border[4];
};

static void texture_v7(struct mrf *g, uint64_t at, struct mrf_tex *x)
{
	uint32_t w[8];
	unsigned int i;

	for (i = 0; i < 8; i++)
		w[i] = mrf_load(g, at + 4 * i);
	x->fmt = w[0] >> 10;
	x->dim = w[0] >> 4 & 3;
	x->width = (w[1] & 0xffff) + 1;
	x->height = (w[1] >> 16) + 1;
	x->swizzle = w[2] & 0xfff;
	x->ordering = w[2] >> 12 & 15;
	x->levels = (w[2] >> 16 & 31) + 1;
	x->samples = 1;
	x->surfaces = w[4] | (uint64_t)w[5] << 32;
	x->layers = (w[6] & 0xffff) + 1;
	x->depth = (w[7] & 0xffff) + 1;
	x->form = 3;
}

/* A table of addresses; surface pointers follow the texture descriptor. */
static void texture_v5(struct mrf *g, uint64_t at, struct mrf_tex *x)
{
	uint32_t w[5] = { 0 };
	unsigned int i;

	at = mrf_load64(g, at);
	for (i = 0; i < 5 && !*g->error; i++)
		w[i] = mrf_load(g, at + 4 * i);
	x->width = (w[0] & 0xffff) + 1;
	x->height = (w[0] >> 16) + 1;
	x->fmt = w[2] & 0x3fffff;
	x->dim = w[2] >> 22 & 3;
	x->depth = x->dim == 3 ? (w[1] & 0xffff) + 1 : 1;
	x->samples = x->dim == 3 ? 1 : (w[1] & 0xffff) + 1;
	x->layers = (w[1] >> 16) + 1;
	x->ordering = w[2] >> 24 & 15;
	x->form = w[2] >> 28 & 3;
	x->levels = (w[3] >> 24) + 1;
	x->swizzle = w[4] & 0xfff;
	x->surfaces = at + 32;
}

bool mrf_texture(struct mrf *g, const struct mrf_draw *d, unsigned int index, struct mrf_tex *x)
{
	memset(x, 0, sizeof(*x));
	if (index >= d->ntextures) {
		mrf_fail(g, false, "texture %u of %u", index, d->ntextures);
		return false;
	}
	if (g->arch == 5)
		texture_v5(g, d->textures + 8 * (uint64_t)index, x);
	else
		texture_v7(g, d->textures + 32 * (uint64_t)index, x);
	x->faces = x->dim ? 1 : 6;
	return !*g->error;
}

static uint32_t at_level(uint32_t n, unsigned int level)
{
	return level < 32 && n >> level ? n >> level : 1;
}

/* One image of a texture; missing strides default to dense texels. */
static uint64_t surface(struct mrf *g, const struct mrf_tex *x, unsigned int level,
			unsigned int layer, unsigned int face, unsigned int sample,
			unsigned int bytes, uint32_t *row, uint32_t *slice)
{
	static const uint8_t size[4] = { 4, 8, 8, 16 };
	uint32_t w = at_level(x->width, level), h = at_level(x->height, level);
	uint64_t entry, base;

	/* v7: levels vary fastest, then faces, then layers; v5: samples, faces, levels, layers */
	if (g->arch == 5)
		entry = ((uint64_t)(layer * x->levels + level) * x->faces + face) * x->samples +
			sample;
	else
		entry = (uint64_t)(layer * x->faces + face) * x->levels + level;
	entry = x->surfaces + size[x->form] * entry;
	base = x->form & 1 ? mrf_load64(g, entry) : mrf_load(g, entry);
	*row = x->ordering == 1 ? (w + 15) / 16 * 256 * bytes : w * bytes;
	*slice = *row * (x->ordering == 1 ? (h + 15) / 16 : h);
	if (x->form >= 2)
		*row = mrf_load(g, entry + size[x->form] / 2);
	if (x->form == 3)
		*slice = mrf_load(g, entry + 12);
	return base;
}

void mrf_fetch_texel(struct mrf *g, const struct mrf_tex *x, const uint32_t *c, uint32_t level,
		     uint32_t face, uint32_t layer, uint32_t sample, struct mrf_texel *out)
{
	unsigned int bytes, i;
	uint32_t row, slice, at;
	struct mrf_texel raw;
	uint64_t base;

	memset(out, 0, sizeof(*out));
	bytes = mrf_texel_size(g, x->fmt, &out->kind);
	if (!bytes)
		return;
	if (level >= x->levels || layer >= x->layers || face >= x->faces ||
	    sample >= x->samples ||
	    c[0] >= at_level(x->width, level) || c[1] >= at_level(x->height, level) ||
	    c[2] >= at_level(x->depth, level))
		return;
	base = surface(g, x, level, layer, face, sample, bytes, &row, &slice);
	if (x->ordering == 1) {
		at = mrf_interleaved(c[0], c[1], bytes, row);
	} else if (x->ordering == 2) {
		at = c[1] * row + c[0] * bytes;
	} else {
		mrf_fail(g, true, "texel ordering %u", x->ordering);
		return;
	}
	mrf_unpack(g, x->fmt, base + at + (uint64_t)c[2] * slice, &raw);
	for (i = 0; i < 4; i++) {
		unsigned int sel = x->swizzle >> (3 * i) & 7;

		out->v[i] = sel < 4 ? raw.v[sel] : sel == 5 ? mrf_one(raw.kind) : 0;
	}
}

static void sampler_v7(const uint32_t *w, struct sampler *s)
{
	s->wrap[2] = w[0] >> 8 & 15;
	s->wrap[1] = w[0] >> 12 & 15;
	s->wrap[0] = w[0] >> 16 & 15;
	s->normalized = w[0] >> 25 & 1;
	s->min_nearest = w[0] >> 27 & 1;
	s->mag_nearest = w[0] >> 28 & 1;
	s->mip = w[0] >> 30;
	s->min_lod = (w[1] & 0x1fff) / 256.0;
	s->func = w[1] >> 13 & 7;
	s->max_lod = (w[1] >> 16 & 0x1fff) / 256.0;
	s->bias = (int16_t)w[2] / 256.0;
}

static void sampler_v5(const uint32_t *w, struct sampler *s)
{
	s->mag_nearest = w[0] & 1;
	s->min_nearest = w[0] >> 1 & 1;
	s->mip = w[0] >> 3 & 3;
	/* a faster kind of the same */
	if (s->mip == 2)
		s->mip = 3;
	s->normalized = w[0] >> 5 & 1;
	s->bias = (int16_t)(w[0] >> 16) / 256.0;
	s->min_lod = (w[1] & 0xffff) / 256.0;
	s->max_lod = (w[1] >> 16) / 256.0;
	s->wrap[0] = w[2] & 15;
	s->wrap[1] = w[2] >> 4 & 15;
	s->wrap[2] = w[2] >> 8 & 15;
	s->func = w[2] >> 12 & 7;
}

static bool sampler(struct mrf *g, const struct mrf_draw *d, unsigned int index,
		    struct sampler *s)
{
	uint32_t w[8];
	unsigned int i;

	memset(s, 0, sizeof(*s));
	if (index >= d->nsamplers) {
		mrf_fail(g, false, "sampler %u of %u", index, d->nsamplers);
		return false;
	}
	for (i = 0; i < 8; i++)
		w[i] = mrf_load(g, d->samplers + 32 * (uint64_t)index + 4 * i);
	memcpy(s->border, w + 4, sizeof(s->border));
	if (g->arch == 5)
		sampler_v5(w, s);
	else
		sampler_v7(w, s);
	if (s->mip == 2)
		mrf_fail(g, true, "mipmap mode 2");
	return !*g->error;
}

/* Integer coordinate at a wrap mode. Return: -1: the border. */
static int wrap(struct mrf *g, int i, int n, unsigned int mode)
{
	int p;

	switch (mode) {
	case 8:
		return (i % n + n) % n;
	case 9:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	case 11:
		return i < 0 || i >= n ? -1 : i;
	case 12:
		p = (i % (2 * n) + 2 * n) % (2 * n);
		return p < n ? p : 2 * n - 1 - p;
	case 13:
		p = i < 0 ? -1 - i : i;
		return p >= n ? n - 1 : p;
	default:
		mrf_fail(g, true, "wrap mode %u", mode);
		return 0;
	}
}

static void fetch_texel(struct mrf *g, const struct mrf_tex *x, const struct sampler *s,
			const struct mrf_sampling *sm, unsigned int level, const int *at,
			struct mrf_texel *t)
{
	uint32_t size[3], c[3] = { 0 };
	unsigned int i;

	size[0] = at_level(x->width, level);
	size[1] = at_level(x->height, level);
	size[2] = at_level(x->depth, level);
	for (i = 0; i < (x->dim == 3 ? 3 : 2); i++) {
		/* faces are filtered on their own */
		int p = wrap(g, at[i], (int)size[i], x->dim ? s->wrap[i] : 9);

		if (p < 0)
			break;
		c[i] = (uint32_t)p;
	}
	mrf_fetch_texel(g, x, c, level, sm->face, sm->layer, 0, t);
	if (i < (x->dim == 3 ? 3 : 2))
		memcpy(t->v, s->border, sizeof(t->v));
}

/* Mesa's drivers swap less and greater: the texel is the first operand. */
static bool compare(unsigned int func, double ref, double texel)
{
	return func & (texel < ref ? 1 : texel == ref ? 2 : texel > ref ? 4 : 0);
}

/* Is component @k the compared one? */
static bool compared(const struct mrf_tex *x, unsigned int k)
{
	return ((x->swizzle >> 3 * k ^ x->swizzle) & 7) == 0;
}

/* Position of a coordinate: the first texel and the fraction towards the next. */
static int locate(const struct sampler *s, double c, uint32_t n, bool nearest, double *frac)
{
	double t = s->normalized ? c * n : c;

	*frac = 0;
	if (!(fabs(t) < 1e9))
		return 0;
	if (!nearest) {
		t -= 0.5;
		*frac = t - floor(t);
	}
	return (int)floor(t);
}

/* One level, nearest or linear; added to @sum with weight @w; integers are the nearest. */
static void sample_level(struct mrf *g, const struct mrf_tex *x, const struct sampler *s,
			 const struct mrf_sampling *sm, unsigned int level, bool nearest,
			 double w, double *sum, struct mrf_texel *out)
{
	unsigned int i, k, dims = x->dim == 3 ? 3 : x->dim == 1 ? 1 : 2;
	uint32_t size[3] = { x->width, x->height, x->depth };
	unsigned int texels = nearest ? 1 : 1u << dims;
	int first[3] = { 0 }, at[3] = { 0 };
	double f[3] = { 0 }, v;

	for (i = 0; i < dims; i++)
		first[i] = locate(s, sm->c[i], at_level(size[i], level), nearest, &f[i]) +
			sm->offset[i];
	for (i = 0; i < texels && !*g->error; i++) {
		double wt = w;

		for (k = 0; k < dims; k++) {
			at[k] = first[k] + (int)(i >> k & 1);
			wt *= i >> k & 1 ? f[k] : 1 - f[k];
		}
		fetch_texel(g, x, s, sm, level, at, out);
		for (k = 0; k < 4; k++) {
			v = mrf_f(out->v[k]);
			if (sm->shadow && compared(x, k))
				v = compare(s->func, sm->ref, mrf_f(out->v[0]));
			sum[k] += wt * v;
		}
	}
}

/* Four texels, row by row: drivers bring them into OpenGL's order, against the clock. */
static void gather(struct mrf *g, const struct mrf_tex *x, const struct sampler *s,
		   const struct mrf_sampling *sm, struct mrf_texel *out)
{
	int at[3] = { 0 };
	struct mrf_texel t;
	unsigned int i;
	double f;

	for (i = 0; i < 4 && !*g->error; i++) {
		at[0] = locate(s, sm->c[0], x->width, false, &f) + (i & 1) + sm->offset[0];
		at[1] = locate(s, sm->c[1], x->height, false, &f) + (i >> 1) + sm->offset[1];
		fetch_texel(g, x, s, sm, 0, at, &t);
		out->kind = t.kind;
		out->v[i] = t.v[sm->gather & 3];
		if (sm->shadow)
			out->v[i] = mrf_bits(compare(s->func, sm->ref, mrf_f(t.v[0])));
	}
}

double mrf_computed_lod(const struct mrf_tex *x, const double dx[3], const double dy[3])
{
	double depth = x->dim == 3 ? x->depth : 0;
	double a = hypot(hypot(dx[0] * x->width, dx[1] * x->height), dx[2] * depth);
	double b = hypot(hypot(dy[0] * x->width, dy[1] * x->height), dy[2] * depth);

	return log2(fmax(fmax(a, b), 1e-10));
}

static void mix(struct mrf *g, const struct mrf_tex *x, const struct sampler *s,
		const struct mrf_sampling *sm, struct mrf_texel *out)
{
	double lod = fmin(fmax(sm->lod + s->bias, s->min_lod), s->max_lod), sum[4] = { 0 };
	bool nearest = lod > 0 ? s->min_nearest : s->mag_nearest;
	unsigned int level, i;
	double frac;

	lod = fmin(fmax(lod, 0), x->levels - 1);
	if (s->mip == 3) {
		level = (unsigned int)floor(lod);
		frac = lod - level;
		sample_level(g, x, s, sm, level, nearest, 1 - frac, sum, out);
		if (frac)
			sample_level(g, x, s, sm, level + 1, nearest, frac, sum, out);
	} else {
		level = s->mip == 1 ? 0 : (unsigned int)floor(lod + 0.5);
		sample_level(g, x, s, sm, level, nearest, 1, sum, out);
	}
	for (i = 0; i < 4 && out->kind == MRF_FLOATS; i++)
		out->v[i] = mrf_to_single(sum[i], MRF_RTE);
}

void mrf_sample(struct mrf *g, const struct mrf_draw *d, const struct mrf_sampling *sm,
		struct mrf_texel *out)
{
	struct sampler s;
	struct mrf_tex x;

	memset(out, 0, sizeof(*out));
	if (!sampler(g, d, sm->sampler, &s) || !mrf_texture(g, d, sm->texture, &x))
		return;
	if (sm->gather >= 0)
		gather(g, &x, &s, sm, out);
	else
		mix(g, &x, &s, sm, out);
}
