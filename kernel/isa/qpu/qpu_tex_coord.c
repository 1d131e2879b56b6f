// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV textures: coordinates, wrapping and the level of detail.
 *
 * Choices, as precision is undocumented: coordinates times size are kept to
 * 1/256 of a texel, rounded down. The level of detail of a 2 x 2 quad is log2 of the
 * largest of the four differences (across and down, in u and in v) of pixels 1 and 2 to
 * pixel 0, to 1/256, where log2 is linear between powers of two. In a cube map all three
 * are on the face of pixel 0.
 */
#include "qpu_tex.h"
#include "../../engine/softfloat.h"
#include "../../engine/vs_num.h"

#define FAR_AWAY	0x100000000000LL	/* outside of every texture */
#define LOD_MAX	0x10000

s64 qpu_tex_fixed(u32 f, u32 n, u32 wrap)
{
	u32 e = f >> 23 & 0xff;
	s64 v = e ? (s64)((f & 0x7fffff) | 0x800000) * n : 0;
	bool neg = f & VS_F32_SIGN;

	if (e > 150) {
		/* even integers, infinity, NaN */
		if (wrap == QPU_WRAP_REPEAT || wrap == QPU_WRAP_MIRROR)
			return 0;
		return neg ? -FAR_AWAY : FAR_AWAY;
	}
	if (neg)
		v = -v;
	if (e >= 142)
		return v * ((s64)1 << (e - 142));
	return v >> min(142 - e, 63U);
}

s32 qpu_tex_wrap(s64 i, u32 n, u32 wrap)
{
	s64 m;

	if (i >= 0 && i < n)
		return i;
	switch (wrap) {
	case QPU_WRAP_REPEAT:
		m = i % (s64)n;
		return m < 0 ? m + n : m;
	case QPU_WRAP_MIRROR:
		m = i % (s64)(2 * n);
		if (m < 0)
			m += 2 * n;
		return m < n ? m : 2 * n - 1 - m;
	case QPU_WRAP_CLAMP:
		return i < 0 ? 0 : n - 1;
	default:
		return -1;
	}
}

/* (@n / |@d| + 1) / 2 */
static u32 face_coord(u32 n, u32 d)
{
	u32 q = sf_div(n, d & VS_F32_ABS, false);

	return sf_mul(sf_add(q, VS_F32_ONE, false), 0x3f000000, false);
}

/* OpenGL's rules; for equal magnitudes x takes precedence over y over z. */
static u8 qpu_tex_face(u32 x, u32 y, u32 z)
{
	u32 ax = x & VS_F32_ABS, ay = y & VS_F32_ABS, az = z & VS_F32_ABS;

	if (ax >= ay && ax >= az)
		return x >> 31;
	return ay >= az ? 2 + (y >> 31) : 4 + (z >> 31);
}

/* Project a direction onto the plane of a face. */
static void qpu_tex_project(u32 face, u32 x, u32 y, u32 z, u32 *s, u32 *t)
{
	u32 flip = face & 1 ? VS_F32_SIGN : 0;

	switch (face / 2) {
	case 0:
		*s = face_coord(z ^ flip ^ VS_F32_SIGN, x);
		*t = face_coord(y ^ VS_F32_SIGN, x);
		break;
	case 1:
		*s = face_coord(x, y);
		*t = face_coord(z ^ flip, y);
		break;
	default:
		*s = face_coord(x ^ flip, z);
		*t = face_coord(y ^ VS_F32_SIGN, z);
	}
}

static void qpu_tex_cube_coords(struct qpu_tex_coords *c, u32 e, u32 x, u32 y, u32 z)
{
	c->face[e] = qpu_tex_face(x, y, z);
	qpu_tex_project(c->face[e], x, y, z, &c->s[e], &c->t[e]);
	c->quad_s[e] = c->s[e];
	c->quad_t[e] = c->t[e];
	if (c->face[e] != c->face[e & ~3U])
		qpu_tex_project(c->face[e & ~3U], x, y, z, &c->quad_s[e], &c->quad_t[e]);
}

void qpu_tex_coords(const struct qpu_tex *tex, const u32 *s, const u32 *t, const u32 *r,
		    struct qpu_tex_coords *c)
{
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		u32 y = t ? t[e] : 0, z = r ? r[e] : 0;

		if (tex->cube) {
			qpu_tex_cube_coords(c, e, s[e], y, z);
			continue;
		}
		c->s[e] = s[e];
		c->t[e] = y;
		c->face[e] = 0;
	}
}

/* log2 of @n / 256 in 1/256. */
static s32 qpu_tex_log2_fixed(u64 n)
{
	u32 top;

	if (!n)
		return -LOD_MAX;
	top = 63 - __builtin_clzll(n);
	n = top >= 8 ? n >> (top - 8) : n << (8 - top);
	return ((s32)top - 8) * 256 + (n & 0xff);
}

static u64 difference(s64 a, s64 b)
{
	return a < b ? b - a : a - b;
}

/* Largest difference in the quad that starts at element @e. */
static u64 steepest(const struct qpu_tex *tex, const struct qpu_tex_coords *c, u32 e)
{
	const u32 *s = tex->cube ? c->quad_s : c->s, *t = tex->cube ? c->quad_t : c->t;
	s64 u[3], v[3];
	u64 d = 0;
	u32 i;

	/* Wrapping is not applied here. */
	for (i = 0; i < 3; i++) {
		u[i] = qpu_tex_fixed(s[e + i], tex->cwidth, QPU_WRAP_CLAMP);
		v[i] = qpu_tex_fixed(t[e + i], tex->cheight, QPU_WRAP_CLAMP);
	}
	for (i = 1; i < 3; i++) {
		d = max(d, difference(u[i], u[0]));
		d = max(d, difference(v[i], v[0]));
	}
	return d;
}

void qpu_tex_lod(const struct qpu_tex *tex, const struct qpu_tex_coords *c, const u32 *b,
		 s32 *lod)
{
	s32 quad = 0;
	s64 bias;
	u32 e;

	for (e = 0; e < QPU_LANES; e++) {
		if (!(e & 3) && !tex->bias_only)
			quad = qpu_tex_log2_fixed(steepest(tex, c, e));
		bias = b ? qpu_tex_fixed(b[e], 1, QPU_WRAP_CLAMP) : 0;
		lod[e] = quad + clamp_t(s64, bias, -LOD_MAX, LOD_MAX);
	}
}
