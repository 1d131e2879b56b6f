// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: a triangle's corners: signs of quaternions, clip volume, viewport.
 *
 * Distances and new corners are calculated in binary32; a new corner depends on the edge alone and
 * not on its direction. The viewport is calculated in the job's numeric model.
 */
#include "../../isa/pica/pica_float.h"
#include "../../isa/pica/pica_launch.h"
#include "pica_paint.h"

#define SMALLEST_W	0x3727c5acu	/* 1e-5: choice */
#define WINDOW_LIMIT	0x100000	/* 1/16 pixels */

/* Round to the model of the draw. */
static u32 model(const struct pica_frag *f, u32 v)
{
	if (f->model != PICA_MODEL_F24)
		return v;
	return pica_f32_round_f24(v, f->switches & PICA_SW_ROUND_NEAREST ?
				     PICA_TO_F24_NEAREST : 0);
}

/* Operations before the model's rounding. */
static bool to_zero(const struct pica_frag *f)
{
	return f->model == PICA_MODEL_F24 && !(f->switches & PICA_SW_ROUND_NEAREST);
}

static u32 mul(const struct pica_frag *f, u32 a, u32 b)
{
	return model(f, sf_mul(a, b, to_zero(f)));
}

static u32 pica_paint_add(const struct pica_frag *f, u32 a, u32 b)
{
	return model(f, sf_add(a, b, to_zero(f)));
}

static u32 pica_paint_reciprocal(const struct pica_frag *f, u32 a)
{
	return model(f, sf_div(PICA_ONE, a, to_zero(f)));
}

/* ---- quaternions ---- */

static u32 dot4(const u32 *a, const u32 *b)
{
	u32 s = pf_mul(a[0], b[0]), i;

	for (i = 1; i < 4; i++)
		s = pf_add(s, pf_mul(a[i], b[i]));
	return s;
}

/* The second and third quaternion are on the first one's side. */
static void fix_quaternions(struct pica_paint *p)
{
	u32 i, k;

	for (i = 1; i < 3; i++) {
		if (!pf_is_neg(dot4(p->corner[0].v + PICA_V_QUAT, p->corner[i].v + PICA_V_QUAT)))
			continue;
		for (k = 0; k < 4; k++)
			p->corner[i].v[PICA_V_QUAT + k] = pf_neg(p->corner[i].v[PICA_V_QUAT + k]);
	}
}

/* ---- clip volume ---- */

enum {
	PLANE_RIGHT, PLANE_LEFT, PLANE_TOP, PLANE_BOTTOM, PLANE_FAR, PLANE_NEAR, PLANE_W,
	PLANE_USER, NUM_PLANES
};

/* Distance from a plane, positive inside. */
static u32 pica_paint_distance(const struct pica_frag *f, u32 plane, const u32 *pos)
{
	switch (plane) {
	case PLANE_RIGHT:
	case PLANE_TOP:
		return pf_sub(pos[3], pos[plane / 2]);
	case PLANE_LEFT:
	case PLANE_BOTTOM:
		return pf_add(pos[3], pos[plane / 2]);
	case PLANE_FAR:
		return pf_neg(pos[2]);
	case PLANE_NEAR:
		return pf_add(pos[3], pos[2]);
	case PLANE_W:
		return pf_sub(pos[3], SMALLEST_W);
	default:
		return dot4(f->plane, pos);
	}
}

static bool is_nan(u32 a)
{
	return (a & 0x7fffffff) > 0x7f800000;
}

/* A corner on the plane, from the one inside towards the one outside. */
static void pica_paint_cut(struct pica_corner *out, const struct pica_corner *in,
			   const struct pica_corner *far, u32 din, u32 dfar)
{
	u32 t = pf_div(din, pf_sub(din, dfar)), i;

	for (i = 0; i < PICA_V_WORDS; i++)
		out->v[i] = pf_add(in->v[i], pf_mul(t, pf_sub(far->v[i], in->v[i])));
}

static void clip_plane(struct pica_paint *p, u32 plane)
{
	struct pica_corner *in = p->uncut;
	u32 d[PICA_MAX_CORNERS], i, j, n = p->ncorners, m = 0, outside = 0;

	for (i = 0; i < n; i++) {
		d[i] = pica_paint_distance(p->frag, plane, p->corner[i].v);
		outside += pf_is_neg(d[i]) || is_nan(d[i]);
	}
	if (!outside)
		return;
	if (outside == n) {
		p->ncorners = 0;
		return;
	}
	memcpy(in, p->corner, n * sizeof(in[0]));
	for (i = 0; i < n; i++) {
		bool here = !pf_is_neg(d[i]) && !is_nan(d[i]), next;

		j = (i + 1) % n;
		next = !pf_is_neg(d[j]) && !is_nan(d[j]);
		/* a convex polygon has one corner more; rounding may make it concave */
		if (here && m < PICA_MAX_CORNERS)
			p->corner[m++] = in[i];
		if (here != next && m < PICA_MAX_CORNERS)
			pica_paint_cut(&p->corner[m++], here ? &in[i] : &in[j],
				       here ? &in[j] : &in[i], here ? d[i] : d[j],
				       here ? d[j] : d[i]);
	}
	p->ncorners = m;
}

/* ---- window ---- */

/* 1/16 pixels to pixels. */
static u32 pica_paint_pixels(s64 v)
{
	v = clamp_t(s64, v, -WINDOW_LIMIT, WINDOW_LIMIT);
	return pf_mul(pf_int((s32)v), 0x3d800000);
}

/* Window coordinate of an axis in 1/16 pixels, to the nearest. */
static s64 window(const struct pica_frag *f, u32 axis, u32 clip, u32 inv_w)
{
	u32 v = mul(f, pica_paint_add(f, mul(f, clip, inv_w), PICA_ONE), f->half[axis]);

	v = pica_paint_add(f, v, pf_int(f->corner[axis]));
	return (pica_fix(v, 5) + 1) >> 1;
}

static void to_window(const struct pica_frag *f, struct pica_corner *c)
{
	const u32 *pos = c->v + PICA_V_POS;
	u32 inv_w = pica_paint_reciprocal(f, pos[3]);

	c->at.x = pica_paint_pixels(window(f, 0, pos[0], inv_w));
	c->at.y = pica_paint_pixels(16 * (s64)f->height - window(f, 1, pos[1], inv_w));
	c->at.inv_w = inv_w;
	/* with perspective, depth times w is linear in the clip coordinates */
	if (f->w_buffer)
		c->z = pf_add(pf_mul(pos[2], f->depth[0]), pf_mul(f->depth[1], pos[3]));
	else
		c->z = pf_add(pf_mul(pf_mul(pos[2], inv_w), f->depth[0]), f->depth[1]);
}

/**
 * pica_paint_triangle - begin a triangle, which is then drawn by pica_paint_step()
 * @p: state with no triangle in progress
 * @v: vertices
 */
void pica_paint_triangle(struct pica_paint *p, const u32 v[3][PICA_V_WORDS])
{
	u32 i, planes = p->frag->r[PICA_REG_CLIP] & 1 ? NUM_PLANES : NUM_PLANES - 1;

	for (i = 0; i < 3; i++)
		memcpy(p->corner[i].v, v[i], sizeof(p->corner[i].v));
	p->ncorners = 3;
	p->fan = 2;
	if (!(p->frag->switches & PICA_SW_QUATERNIONS_AS_GIVEN))
		fix_quaternions(p);
	for (i = 0; i < planes && p->ncorners; i++)
		clip_plane(p, i);
	for (i = 0; i < p->ncorners; i++)
		to_window(p->frag, &p->corner[i]);
}

/**
 * pica_paint_setup - set up the next triangle of the fan
 * @p: state with such a triangle
 *
 * Return: false: it covers nothing.
 */
bool pica_paint_setup(struct pica_paint *p)
{
	const struct pica_corner *c[3] = {
		&p->corner[0], &p->corner[p->fan - 1], &p->corner[p->fan]
	};
	const struct vr_vertex *at[3] = { &c[0]->at, &c[1]->at, &c[2]->at };
	u32 i;

	p->fan++;
	if (!vr_setup_triangle(&p->prim, &p->frag->rs, at))
		return false;
	for (i = 0; i < 3; i++) {
		p->z[i] = c[i]->z;
		p->inv_w[i] = c[i]->at.inv_w;
		p->v[i] = c[i]->v;
	}
	return true;
}
