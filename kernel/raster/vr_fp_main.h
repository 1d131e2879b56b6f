/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth and varyings, for any kind of binary64: D with dp_add, dp_sub, dp_mul, dp_div,
 * d_from_f32, d_from_s32, d_from_s64, d_from_edge (of integers below 2^51), d_to_f32, d_is_nan and
 * d_bits, d_from_bits; FP_ENTRY(name) names the entry points.
 */

#define QUIET_NAN	0x7fc00000U
#define SIGN_BIT	0x80000000U
#define D_ABS(bits)	((bits) & ~(1ULL << 63))
#define BATCH		(VR_TILE * VR_ONE)	/* far corners: from here to there */

/* 2^n */
static inline D power(s32 n)
{
	return d_from_bits((u64)(1023 + n) << 52);
}

static inline D larger(D a, D b)
{
	return D_ABS(d_bits(a)) > D_ABS(d_bits(b)) ? d_from_bits(D_ABS(d_bits(a))) :
						     d_from_bits(D_ABS(d_bits(b)));
}

static inline bool is_nan(u32 f)
{
	return (s32)(f & ~SIGN_BIT) > 0x7f800000;
}

/* ---- depth ---- */

/* Edge function @i times 2^-shift is @e. */
static inline D edge(const struct vr_prim *p, u32 i, s64 e)
{
	return dp_mul(d_from_s64(e), power(p->shift[i]));
}

/* Sum of the edge functions; as they are linear, at any point. */
static D area(const struct vr_prim *p, const s64 e[3])
{
	return dp_add(dp_add(edge(p, 0, e[0]), edge(p, 1, e[1])), edge(p, 2, e[2]));
}

static void make_plane(struct vr_plane *plane, const struct vr_prim *p, const D z[3])
{
	D d1 = dp_sub(z[1], z[0]), d2 = dp_sub(z[2], z[0]), all, zero = d_from_s64(0);
	s64 e[3], a2 = 0, b2 = 0;

	vr_edge_values(p, plane->x * VR_ONE, plane->y * VR_ONE, e);
	all = area(p, e);
	if (p->kind == VR_TRIANGLE) {
		a2 = p->edge[2].a * p->sign[2];
		b2 = p->edge[2].b * p->sign[2];
	} else {
		d2 = zero;
	}
	plane->z = d_bits(dp_add(z[0], dp_div(dp_add(dp_mul(edge(p, 1, e[1]), d1),
						     dp_mul(edge(p, 2, e[2]), d2)), all)));
	plane->dz[0] = d_bits(dp_div(dp_add(dp_mul(d_from_s64(p->edge[1].a * p->sign[1]), d1),
					    dp_mul(d_from_s64(a2), d2)), all));
	plane->dz[1] = d_bits(dp_div(dp_add(dp_mul(d_from_s64(p->edge[1].b * p->sign[1]), d1),
					    dp_mul(d_from_s64(b2), d2)), all));
}

static D weighted(const struct vr_prim *p, const D z[3], s32 x, s32 y)
{
	D sum = d_from_s64(0), all = sum, n;
	s64 e[3];
	u32 i;

	vr_edge_values(p, x, y, e);
	for (i = 0; i < 3; i++) {
		n = dp_mul(d_from_s64(e[i]), power(p->shift[i] + p->exp[i]));
		all = dp_add(all, n);
		sum = dp_add(sum, dp_mul(n, z[i]));
	}
	return dp_div(sum, all);
}

/* A corner has moved towards the origin: weights are no longer linear in its coordinates. */
static void make_far_plane(struct vr_plane *plane, const struct vr_prim *p, const D z[3])
{
	s32 x = plane->x * VR_ONE, y = plane->y * VR_ONE;
	D at = weighted(p, z, x, y), step = d_from_s64(BATCH);

	plane->z = d_bits(at);
	plane->dz[0] = d_bits(dp_div(dp_sub(weighted(p, z, x + BATCH, y), at), step));
	plane->dz[1] = d_bits(dp_div(dp_sub(weighted(p, z, x, y + BATCH), at), step));
}

static D resolution(const struct vr_depth *d, const u32 z[3])
{
	u32 i, top = 0;

	if (d->bits && d->bits <= 32)
		return power(-(s32)d->bits);
	for (i = 0; i < 3; i++)
		top = max(top, z[i] & ~SIGN_BIT);
	return power((s32)(top >> 23) - 127 - 23);
}

static void offset(struct vr_plane *plane, const struct vr_depth *d, const u32 z[3])
{
	D slope = larger(d_from_bits(plane->dz[0]), d_from_bits(plane->dz[1])), o, c;

	slope = dp_mul(slope, d_from_s64(VR_ONE));
	o = dp_add(dp_mul(slope, d_from_f32(d->factor)),
		   dp_mul(resolution(d, z), d_from_f32(d->units)));
	c = d_from_f32(d->clamp);
	if (d->clamp & ~SIGN_BIT && !d_is_nan(c) && !d_is_nan(o)) {
		D over = d->clamp & SIGN_BIT ? dp_sub(c, o) : dp_sub(o, c);

		/* not above the limit: negative */
		if (!(d_bits(over) >> 63))
			o = c;
	}
	plane->z = d_bits(dp_add(d_from_bits(plane->z), o));
}

void FP_ENTRY(plane)(struct vr_plane *plane, const struct vr_prim *p, const struct vr_depth *d,
		     const u32 z[3])
{
	D c[3];
	u32 i;

	for (i = 0; i < 3; i++)
		c[i] = d_from_f32(z[p->kind == VR_POINT || (p->kind == VR_LINE && i > 1) ? 0 : i]);
	plane->x = p->box[0];
	plane->y = p->box[1];
	plane->samples = p->samples;
	plane->flags = d->flags;
	plane->lo = vr_depth_order(d->range[0]) < vr_depth_order(d->range[1]) ? d->range[0] :
									       d->range[1];
	plane->hi = plane->lo == d->range[0] ? d->range[1] : d->range[0];
	if (p->kind == VR_POINT) {
		plane->z = d_bits(c[0]);
		plane->dz[0] = 0;
		plane->dz[1] = 0;
	} else if (p->exp[0] | p->exp[1] | p->exp[2]) {
		make_far_plane(plane, p, c);
	} else {
		make_plane(plane, p, c);
	}
	if (p->kind == VR_TRIANGLE && d->flags & VR_DEPTH_OFFSET)
		offset(plane, d, z);
}

/* Depths of a sample of four pixels; @x, @y: of each, 1/256 pixels from the origin. */
static void depths_at(const struct vr_plane *plane, const s32 x[4], const s32 y[4], u32 z[4])
{
	D dx = d_from_bits(plane->dz[0]), dy = d_from_bits(plane->dz[1]), at;
	u32 k;

	for (k = 0; k < 4; k++) {
		at = dp_add(d_from_bits(plane->z), dp_mul(dx, d_from_s32(x[k])));
		z[k] = d_to_f32(dp_add(at, dp_mul(dy, d_from_s32(y[k]))));
	}
}

u32 FP_ENTRY(plane_quad)(const struct vr_plane *plane, u32 x, u32 y, u32 cover,
			 u32 z[4 * VR_MAX_SAMPLES])
{
	s32 dx = ((s32)x - plane->x) * VR_ONE, dy = ((s32)y - plane->y) * VR_ONE, sx, sy;
	s32 px[4], py[4];
	u32 s, k;

	for (s = 0; s < plane->samples; s++, z += 4) {
		vr_sample_place(plane->samples, s, &sx, &sy);
		for (k = 0; k < 4; k++) {
			px[k] = dx + sx + (s32)(k & 1) * VR_ONE;
			py[k] = dy + sy + (s32)(k >> 1) * VR_ONE;
		}
		depths_at(plane, px, py, z);
		for (k = 0; k < 4; k++)
			cover &= ~(vr_depth_clip(plane, &z[k]) << (4 * k + s));
	}
	return cover;
}

/* ---- varyings ---- */

/* Edge functions at four pixels; @at: see vr_weights_quad(). */
static void edges_at(const struct vr_prim *p, u32 x, u32 y, const s16 at[4][2], D e[3][4])
{
	u32 i, k;
	s64 v[3];

	for (k = 0; k < 4; k++) {
		vr_edge_values(p, (s32)(x + (k & 1)) * VR_ONE + at[k][0],
			       (s32)(y + (k >> 1)) * VR_ONE + at[k][1], v);
		for (i = 0; i < 3; i++)
			e[i][k] = d_from_s64(v[i]);
	}
}

/* At their centres, of a triangle whose corners are near. */
static void edges_at_centres(const struct vr_prim *p, u32 x, u32 y, D e[3][4])
{
	s64 v[3], dx, dy;
	u32 i, k;

	vr_edge_values(p, (s32)x * VR_ONE + VR_ONE / 2, (s32)y * VR_ONE + VR_ONE / 2, v);
	for (i = 0; i < 3; i++) {
		dx = p->edge[i].a * p->sign[i] * VR_ONE;
		dy = p->edge[i].b * p->sign[i] * VR_ONE;
		for (k = 0; k < 4; k++)
			e[i][k] = d_from_edge(v[i] + (k & 1 ? dx : 0) + (k & 2 ? dy : 0));
	}
}

/* What edge functions are multiplied by. */
static void get_scale(const struct vr_prim *p, const u32 inv_w[3], D scale[3])
{
	u32 corners = p->kind == VR_TRIANGLE ? 3 : p->kind == VR_LINE ? 2 : 1, i;

	for (i = 0; i < 3; i++) {
		scale[i] = power(p->shift[i] + p->exp[i]);
		if (inv_w)
			scale[i] = dp_mul(scale[i], d_from_f32(inv_w[i]));
		/* lines have no third corner, points one */
		if (i >= corners)
			scale[i] = d_from_s64(0);
	}
}

void FP_ENTRY(weights_quad)(struct vr_weights *w, u32 q, const struct vr_prim *p,
			    const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2])
{
	static const s16 centres[4][2] = {
		{ VR_ONE / 2, VR_ONE / 2 }, { VR_ONE / 2, VR_ONE / 2 },
		{ VR_ONE / 2, VR_ONE / 2 }, { VR_ONE / 2, VR_ONE / 2 },
	};
	D scale[3], e[3][4], n[3][4], by[4], one = d_from_s64(1);
	u32 i, k;

	get_scale(p, inv_w, scale);
	if (!at && !p->wide && p->kind == VR_TRIANGLE)
		edges_at_centres(p, x, y, e);
	else
		edges_at(p, x, y, at ? at : centres, e);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 4; k++)
			n[i][k] = dp_mul(e[i][k], scale[i]);
	for (k = 0; k < 4; k++)
		by[k] = dp_div(one, dp_add(dp_add(n[0][k], n[1][k]), n[2][k]));
	for (i = 0; i < 3; i++)
		for (k = 0; k < 4; k++)
			w->w[i][4 * q + k] = d_bits(dp_mul(n[i][k], by[k]));
}

void FP_ENTRY(interpolate)(const struct vr_weights *w, u32 quads, const u32 v[VR_QUADS][3],
			   u32 *out)
{
	u32 q, i, l, bits[4];
	D sum[4], c[3];

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		for (i = 0; i < 3; i++)
			c[i] = d_from_f32(v[q][i]);
		for (l = 0; l < 4; l++)
			sum[l] = dp_add(dp_mul(d_from_bits(w->w[0][4 * q + l]), c[0]),
					dp_mul(d_from_bits(w->w[1][4 * q + l]), c[1]));
		for (l = 0; l < 4; l++)
			bits[l] = d_to_f32(dp_add(sum[l],
						  dp_mul(d_from_bits(w->w[2][4 * q + l]), c[2])));
		for (l = 0; l < 4; l++)
			out[4 * q + l] = is_nan(bits[l]) ? QUIET_NAN : bits[l];
	}
}
