// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV textures: coordinates, wrapping and the level of detail.
 *
 * Choices, as precision is undocumented: coordinates times size are kept to
 * 1/256 of a texel, rounded down. The level of detail of a 2 x 2 quad is log2 of the
 * largest of the four differences (across and down, in u and in v) of pixels 1 and 2 to
 * pixel 0, to 1/256. In a cube map all three
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

/* log2 of 1 + i / 256 in 1/256, rounded. */
static const u8 qpu_tex_log2[256] = {
	0, 1, 3, 4, 6, 7, 9, 10, 11, 13, 14, 16, 17, 18, 20, 21,
	22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40, 41, 42,
	44, 45, 46, 47, 49, 50, 51, 52, 54, 55, 56, 57, 59, 60, 61, 62,
	63, 65, 66, 67, 68, 69, 71, 72, 73, 74, 75, 77, 78, 79, 80, 81,
	82, 84, 85, 86, 87, 88, 89, 90, 92, 93, 94, 95, 96, 97, 98, 99,
	100, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 116, 117,
	118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133,
	134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149,
	150, 151, 152, 153, 154, 155, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164,
	165, 166, 167, 168, 169, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 178,
	179, 180, 181, 182, 183, 184, 185, 185, 186, 187, 188, 189, 190, 191, 192, 192,
	193, 194, 195, 196, 197, 198, 198, 199, 200, 201, 202, 203, 203, 204, 205, 206,
	207, 208, 208, 209, 210, 211, 212, 212, 213, 214, 215, 216, 216, 217, 218, 219,
	220, 220, 221, 222, 223, 224, 224, 225, 226, 227, 228, 228, 229, 230, 231, 231,
	232, 233, 234, 234, 235, 236, 237, 238, 238, 239, 240, 241, 241, 242, 243, 244,
	244, 245, 246, 247, 247, 248, 249, 249, 250, 251, 252, 252, 253, 254, 255, 255,
};

/* log2 of @n / 256 in 1/256. */
static s32 qpu_tex_log2_fixed(u64 n)
{
	u32 top;

	if (!n)
		return -LOD_MAX;
	top = 63 - __builtin_clzll(n);
	n = top >= 8 ? n >> (top - 8) : n << (8 - top);
	return ((s32)top - 8) * 256 + qpu_tex_log2[n & 0xff];
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
