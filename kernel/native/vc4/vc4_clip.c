// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Clipping. Choice: the guard band is the largest one whose vertices have coordinates of 12.4
 * bits, so primitives are rarely cut at the sides; pixels outside of the clip window are not drawn
 * anyway. A cut is calculated from the inner vertex to the outer one: of two primitives with an
 * edge in common it is the same point.
 */
#include "../../engine/softfloat.h"
#include "../../raster/vr_bin.h"
#include "vc4_clip.h"

#define SIGN		0x80000000U
#define ONE_F32		0x3f800000U
#define HALF_F32	0x3f000000U
#define BAND_F32	0x46ffe000U	/* 32752: coordinates in 1/16 pixels */
#define MAX_COORD	32767
#define PLANES		6

/* A corner of the polygon. */
struct point {
	u32 clip[4];
	u32 weight[3];
};

static u32 vc4_clip_negated(u32 f)
{
	return f ^ SIGN;
}

/* Not less than zero. NaN is. */
static bool is_inside(u32 d)
{
	return sf_le(0, d);
}

/*
 * Distance from a plane: near, far, then left, right, upper and lower side of the guard band, where
 * |x| * scale = BAND * w.
 */
static u32 vc4_clip_distance(const struct vc4_clipper *c, const u32 clip[4], u32 plane)
{
	u32 axis = plane / 2 - 1, at;

	if (plane == 0)
		return sf_add(clip[2], clip[3], false);
	if (plane == 1)
		return sf_sub(clip[3], clip[2], false);
	at = sf_mul(clip[axis], c->scale[axis] & ~SIGN, false);
	return sf_add(sf_mul(clip[3], BAND_F32, false), plane & 1 ? vc4_clip_negated(at) : at,
		      false);
}

bool vc4_point_outside(const u32 *clip)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if (!sf_le(clip[i] & ~SIGN, clip[3]))
			return true;
	return false;
}

static u32 vc4_clip_mix(u32 a, u32 b, u32 t)
{
	return sf_add(a, sf_mul(t, sf_sub(b, a, false), false), false);
}

/* Between a point inside of a plane and one outside. */
static void vc4_clip_cut(const struct point *in, u32 d_in, const struct point *out, u32 d_out,
			 struct point *p)
{
	u32 t = sf_div(d_in, sf_sub(d_in, d_out, false), false), i;

	for (i = 0; i < 4; i++)
		p->clip[i] = vc4_clip_mix(in->clip[i], out->clip[i], t);
	for (i = 0; i < 3; i++)
		p->weight[i] = vc4_clip_mix(in->weight[i], out->weight[i], t);
}

/* Cut at a plane. Lines are open. Return: number of corners. */
static u32 cut_plane(const struct vc4_clipper *c, u32 plane, const struct point *p, u32 n,
		     bool open, struct point *q)
{
	u32 d[VC4_MAX_POLYGON], i, k, m = 0;

	for (i = 0; i < n; i++)
		d[i] = vc4_clip_distance(c, p[i].clip, plane);
	for (i = 0; i < n; i++) {
		k = (i + 1) % n;
		/* rounding may make polygons concave, whose cuts have more corners */
		if (m + 2 > VC4_MAX_POLYGON)
			break;
		if (is_inside(d[i]))
			q[m++] = p[i];
		if ((open && !k) || is_inside(d[i]) == is_inside(d[k]))
			continue;
		if (is_inside(d[i]))
			vc4_clip_cut(&p[i], d[i], &p[k], d[k], &q[m++]);
		else
			vc4_clip_cut(&p[k], d[k], &p[i], d[i], &q[m++]);
	}
	return m;
}

/* To the nearest integer, within 16 bits. */
static s32 vc4_clip_nearest(u32 f)
{
	return clamp_t(s32, vr_floor(sf_add(f, HALF_F32, false)), -MAX_COORD, MAX_COORD);
}

static void project(const struct vc4_clipper *c, const struct point *p, struct vc4_corner *out)
{
	u32 inv_w = sf_div(ONE_F32, p->clip[3], false);

	out->x = vc4_clip_nearest(sf_mul(sf_mul(p->clip[0], c->scale[0], false), inv_w, false));
	out->y = vc4_clip_nearest(sf_mul(sf_mul(p->clip[1], c->scale[1], false), inv_w, false));
	out->z = sf_add(sf_mul(sf_mul(p->clip[2], c->z[0], false), inv_w, false), c->z[1], false);
	out->inv_w = inv_w;
	memcpy(out->weight, p->weight, sizeof(out->weight));
}

/*
 * Is a vertex inside of all planes for certain, by its exponents? In x and y by a factor of two, so
 * that numbers need not be multiplied.
 */
static bool is_safe(const struct vc4_clipper *c, const u32 clip[4])
{
	u32 w = clip[3], i, at, band = BAND_F32 >> 23;

	if (w >= 0x7f800000 || w < 0x00800000 || (clip[2] & ~SIGN) > w)
		return false;
	for (i = 0; i < 2; i++) {
		at = (clip[i] & ~SIGN) >> 23;
		/* |x| < 2^(at + 1), the same for the scale; w >= 2^w */
		if (at == 0xff || at + ((c->scale[i] & ~SIGN) >> 23) + 2 > band + (w >> 23))
			return false;
	}
	return true;
}

static u32 clip_all(const struct vc4_clipper *c, const u32 clip[][4], u32 n,
		    struct vc4_corner out[VC4_MAX_POLYGON])
{
	struct point p[2][VC4_MAX_POLYGON] = {};
	u32 i, k, now = 0, needed = 0;

	for (k = 0; k < n; k++) {
		for (i = 0; i < PLANES; i++)
			if (!is_inside(vc4_clip_distance(c, clip[k], i)))
				needed |= 1U << i;
		memcpy(p[0][k].clip, clip[k], sizeof(p[0][k].clip));
		p[0][k].weight[k] = ONE_F32;
	}
	if (!needed)
		return ~0U;
	for (i = 0; i < PLANES && n; i++) {
		if (!(needed >> i & 1))
			continue;
		n = cut_plane(c, i, p[now], n, n == 2, p[!now]);
		now = !now;
	}
	for (k = 0; k < n; k++)
		project(c, &p[now][k], &out[k]);
	return n;
}

u32 vc4_clip(const struct vc4_clipper *c, const u32 (*clip)[4], u32 n,
	     struct vc4_corner out[VC4_MAX_POLYGON])
{
	u32 k;

	for (k = 0; k < n; k++)
		if (!is_safe(c, clip[k]))
			return clip_all(c, clip, n, out);
	return ~0U;
}
