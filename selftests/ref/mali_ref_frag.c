// SPDX-License-Identifier: GPL-2.0
/* Reference model of the fixed functions around fragment programs of Mali GPUs. */
#include <math.h>
#include <string.h>

#include "mali_ref_frag.h"

/* ---- where samples are ---- */

/* In 1/16 of a pixel from its centre. */
struct place {
	int x, y;
};

static const struct place rotated[] = { { -2, -6 }, { 6, -2 }, { -6, 2 }, { 2, 6 } };
static const struct place d3d8[] = {
	{ 1, -3 }, { -1, 3 }, { 5, 1 }, { -3, -5 }, { -5, 5 }, { -7, -1 }, { 3, 7 }, { 7, -7 },
};

static const struct place d3d16[] = {
	{ 1, 1 }, { -1, -3 }, { -3, 2 }, { 4, -1 }, { -5, -2 }, { 2, 5 }, { 5, 3 }, { 3, -5 },
	{ -2, 6 }, { 0, 7 }, { -4, -6 }, { -6, 4 }, { -8, 0 }, { 7, -4 }, { 6, 7 }, { -7, -8 },
};

struct point {
	double x, y;
};

static struct point sample_at(const struct mrs_draw *d, unsigned int x, unsigned int y,
			      unsigned int sample)
{
	struct place p = { 0, 0 };

	if (d->samples == 4)
		p = rotated[sample];
	else if (d->samples == 8)
		p = d3d8[sample];
	else if (d->samples == 16)
		p = d3d16[sample];
	return (struct point){ x + 0.5 + p.x / 16.0, y + 0.5 + p.y / 16.0 };
}

/* ---- coverage ---- */

/* Twice the signed area of a triangle. */
static double area(struct point a, struct point b, struct point c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static struct point corner(const struct mrs_draw *d, unsigned int i)
{
	return (struct point){ d->corner[i % 3][0], d->corner[i % 3][1] };
}

/* A point on an edge belongs to the primitive to the right of or below the edge. */
static bool on_edge(struct point from, struct point to)
{
	return to.y < from.y || (to.y == from.y && to.x > from.x);
}

static bool in_triangle(const struct mrs_draw *d, struct point p)
{
	double whole = area(corner(d, 0), corner(d, 1), corner(d, 2)), part;
	struct point a, b;
	unsigned int i;

	if (whole == 0)
		return false;
	for (i = 0; i < 3; i++) {
		/* always turning in the same direction */
		a = corner(d, whole > 0 ? i : i + 1);
		b = corner(d, whole > 0 ? i + 1 : i);
		part = area(a, b, p);
		if (part < 0 || (part == 0 && !on_edge(a, b)))
			return false;
	}
	return true;
}

static bool covers(const struct mrs_draw *d, struct point p)
{
	double x = p.x - d->corner[0][0] + d->size / 2.0, y = p.y - d->corner[0][1] + d->size / 2.0;

	if (d->prim == MRS_TRIANGLE)
		return in_triangle(d, p);
	return d->prim == MRS_RECT || (x >= 0 && y >= 0 && x < d->size && y < d->size);
}

/* ---- depth ---- */

static float limited(float z)
{
	return z >= 1 ? 1 : z > 0 ? z : 0;
}

/* A plane through the corners. */
static float depth_at(const struct mrs_draw *d, struct point p)
{
	double sum = 0, all = 0, w;
	unsigned int i;

	if (d->program_z)
		return limited(d->z);
	if (d->prim != MRS_TRIANGLE)
		return limited(d->corner[0][2]);
	for (i = 0; i < 3; i++) {
		w = area(corner(d, i + 1), corner(d, i + 2), p);
		sum += w * (double)d->corner[i][2];
		all += w;
	}
	return limited((float)(sum / all));
}

static bool compares(unsigned int func, double a, double b)
{
	if (isnan(a) || isnan(b))
		return func == (MRS_LESS | MRS_EQUAL | MRS_GREATER);
	return func & (a < b ? MRS_LESS : a > b ? MRS_GREATER : MRS_EQUAL);
}

/* ---- one sample ---- */

struct sample {
	const struct mrs_draw *d;
	struct mrs_images *to;
	unsigned int x, y, i;
};

static unsigned int changed(unsigned int op, unsigned int v, unsigned int ref)
{
	switch (op) {
	case MRS_REPLACE:
		return ref;
	case MRS_ZERO:
		return 0;
	case MRS_INVERT:
		return 255 - v;
	case MRS_INCR_WRAP:
		return v == 255 ? 0 : v + 1;
	case MRS_DECR_WRAP:
		return v == 0 ? 255 : v - 1;
	case MRS_INCR_SAT:
		return v == 255 ? 255 : v + 1;
	case MRS_DECR_SAT:
		return v == 0 ? 0 : v - 1;
	default:
		return v;
	}
}

static unsigned int reference(const struct mrs_draw *d)
{
	return d->program_s ? d->s & 255 : d->stencil[d->back].ref;
}

static void set_stencil(const struct sample *s, unsigned int op)
{
	uint8_t *at = &s->to->stencil[s->i][s->y][s->x];
	unsigned int writable = s->d->stencil[s->d->back].writable;

	if (s->d->stencil_test)
		*at = (uint8_t)((changed(op, *at, reference(s->d)) & writable) |
				(*at & ~writable));
}

static float *stored_depth(const struct sample *s)
{
	return &s->to->depth[s->i][s->y][s->x];
}

static float sample_depth(const struct sample *s)
{
	return depth_at(s->d, sample_at(s->d, s->x, s->y, s->i));
}

static bool passes(const struct sample *s)
{
	const struct mrs_stencil *side = &s->d->stencil[s->d->back];
	unsigned int old = s->to->stencil[s->i][s->y][s->x];

	if (s->d->stencil_test &&
	    !compares(side->func, reference(s->d) & side->mask, old & side->mask)) {
		set_stencil(s, side->fail);
		return false;
	}
	if (s->d->depth_test && !compares(s->d->depth_func, sample_depth(s), *stored_depth(s))) {
		set_stencil(s, side->zfail);
		return false;
	}
	return true;
}

static void settle(const struct sample *s)
{
	set_stencil(s, s->d->stencil[s->d->back].pass);
	if (s->d->depth_write)
		*stored_depth(s) = sample_depth(s);
}

/* ---- colours ---- */

static float unit(float v)
{
	return v >= 1 ? 1 : v > 0 ? v : 0;
}

static float byte_to_float(unsigned int v)
{
	return (float)v * (1.0f / 255.0f);
}

static unsigned int float_to_byte(float v)
{
	return (unsigned int)rintf(unit(v) * 255.0f);
}

static float blended(const struct mrs_draw *d, const struct mrs_function *f, const float *src,
		     const float *dst, unsigned int i)
{
	double a = 0, b = 0, c = 0;

	if (f->a != MRS_A_ZERO)
		a = f->a == MRS_A_SRC ? src[i] : dst[i];
	switch (f->b) {
	case MRS_B_SRC_LESS_DST:
		b = (double)src[i] - dst[i];
		break;
	case MRS_B_SRC_AND_DST:
		b = (double)src[i] + dst[i];
		break;
	case MRS_B_SRC:
		b = src[i];
		break;
	case MRS_B_DST:
		b = dst[i];
		break;
	}
	switch (f->c) {
	case MRS_C_ZERO:
		break;
	case MRS_C_SRC:
		c = src[i];
		break;
	case MRS_C_DST:
		c = dst[i];
		break;
	case MRS_C_SRC_TWICE:
		c = 2.0 * src[i];
		break;
	case MRS_C_SRC_ALPHA:
		c = src[3];
		break;
	case MRS_C_DST_ALPHA:
		c = dst[3];
		break;
	case MRS_C_CONSTANT:
		c = unit(d->constant);
		break;
	}
	if (f->one_minus_c)
		c = 1 - c;
	return (float)((f->minus_a ? -a : a) + (f->minus_b ? -b : b) * c);
}

static void set_colour(const struct sample *s)
{
	const struct mrs_draw *d = s->d;
	uint32_t *at = &s->to->colour[s->i][s->y][s->x], was = *at, v;
	float src[4], dst[4];
	unsigned int k;

	if (!d->enable)
		return;
	for (k = 0; k < 4; k++) {
		src[k] = unit(d->colour[k]);
		dst[k] = byte_to_float(was >> 8 * k & 255);
	}
	if (d->alpha_to_one)
		src[3] = 1;
	for (k = 0; k < 4; k++) {
		if (!(d->components >> k & 1))
			continue;
		v = float_to_byte(blended(d, k < 3 ? &d->rgb : &d->alpha, src, dst, k));
		*at = (*at & ~(255u << 8 * k)) | v << 8 * k;
	}
}

/* ---- one run of a program ---- */

/* Alpha to coverage: the first samples, in proportion to alpha. */
static unsigned int alpha_leaves(const struct mrs_draw *d)
{
	unsigned int n = 0, i;

	if (d->alpha_test && !compares(d->alpha_func, d->colour[3], d->alpha_ref))
		return 0;
	if (!d->alpha_to_coverage)
		return ~0u;
	for (i = 0; i < d->samples; i++)
		n += d->colour[3] >= (2 * i + 1) / (2.0f * d->samples);
	return (1u << n) - 1;
}

static unsigned int tested(struct sample *s, unsigned int covered)
{
	for (s->i = 0; s->i < s->d->samples; s->i++)
		if (covered >> s->i & 1 && !passes(s))
			covered &= ~(1u << s->i);
	return covered;
}

static void each(struct sample *s, unsigned int covered, void (*what)(const struct sample *s))
{
	for (s->i = 0; s->i < s->d->samples; s->i++)
		if (covered >> s->i & 1)
			what(s);
}

static void run(const struct mrs_draw *d, struct mrs_images *to, unsigned int x, unsigned int y,
		unsigned int covered)
{
	struct sample s = { d, to, x, y, 0 };
	bool late = d->late || d->program_z || d->program_s;

	if (!late)
		covered = tested(&s, covered);
	covered &= alpha_leaves(d);
	if (late)
		covered = tested(&s, covered);
	each(&s, covered, settle);
	each(&s, covered, set_colour);
}

void mrs_run(const struct mrs_draw *d, struct mrs_images *to)
{
	unsigned int x, y, i, covered;

	for (y = 0; y < MRS_SIZE; y++)
		for (x = 0; x < MRS_SIZE; x++) {
			covered = 0;
			for (i = 0; i < d->samples; i++)
				if (covers(d, sample_at(d, x, y, i)))
					covered |= 1u << i;
			if (d->sample_mask)
				covered &= d->sample_mask;
			if (!d->per_sample)
				run(d, to, x, y, covered);
			for (i = 0; i < d->samples && d->per_sample; i++)
				run(d, to, x, y, covered & 1u << i);
		}
}
