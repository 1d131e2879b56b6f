/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth and varyings, for any kind of binary64: D with dp_add, dp_sub, dp_mul, dp_div,
 * d_from_f32, d_from_s64, d_to_f32, d_is_nan and d_bits, d_from_bits; FP_ENTRY(name) names the
 * entry points.
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

static u32 depth_at(const struct vr_plane *plane, s32 x, s32 y)
{
	D z = dp_add(d_from_bits(plane->z), dp_mul(d_from_bits(plane->dz[0]), d_from_s64(x)));

	z = dp_add(z, dp_mul(d_from_bits(plane->dz[1]), d_from_s64(y)));
	return d_is_nan(z) ? plane->lo : d_to_f32(z);
}

u32 FP_ENTRY(plane_quad)(const struct vr_plane *plane, u32 x, u32 y, u32 cover,
			 u32 z[4 * VR_MAX_SAMPLES])
{
	s32 dx = ((s32)x - plane->x) * VR_ONE, dy = ((s32)y - plane->y) * VR_ONE, sx, sy;
	u32 s, k, at;

	for (s = 0; s < plane->samples; s++) {
		vr_sample_place(plane->samples, s, &sx, &sy);
		for (k = 0; k < 4; k++) {
			at = depth_at(plane, dx + sx + (s32)(k & 1) * VR_ONE,
				      dy + sy + (s32)(k >> 1) * VR_ONE);
			cover &= ~(vr_depth_clip(plane, &at) << (4 * k + s));
			z[4 * s + k] = at;
		}
	}
	return cover;
}

/* ---- varyings ---- */

void FP_ENTRY(weights_quad)(struct vr_weights *w, u32 q, const struct vr_prim *p,
			    const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2])
{
	u32 corners = p->kind == VR_TRIANGLE ? 3 : p->kind == VR_LINE ? 2 : 1, i, k, l;
	D scale[3], n[3], all;
	s64 e[3];

	for (i = 0; i < 3; i++) {
		scale[i] = power(p->shift[i] + p->exp[i]);
		if (inv_w)
			scale[i] = dp_mul(scale[i], d_from_f32(inv_w[i]));
		/* lines have no third corner, points one */
		if (i >= corners)
			scale[i] = d_from_s64(0);
	}
	for (k = 0; k < 4; k++) {
		l = 4 * q + k;
		vr_edge_values(p, (s32)(x + (k & 1)) * VR_ONE + (at ? at[k][0] : VR_ONE / 2),
			       (s32)(y + (k >> 1)) * VR_ONE + (at ? at[k][1] : VR_ONE / 2), e);
		for (i = 0; i < 3; i++)
			n[i] = dp_mul(d_from_s64(e[i]), scale[i]);
		all = dp_add(dp_add(n[0], n[1]), n[2]);
		for (i = 0; i < 3; i++)
			w->w[i][l] = d_bits(dp_div(n[i], all));
	}
}

void FP_ENTRY(interpolate)(const struct vr_weights *w, u32 quads, const u32 v[VR_QUADS][3],
			   u32 *out)
{
	D sum, c[3];
	u32 q, i, l;

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		for (i = 0; i < 3; i++)
			c[i] = d_from_f32(v[q][i]);
		for (l = 4 * q; l < 4 * q + 4; l++) {
			sum = dp_mul(d_from_bits(w->w[0][l]), c[0]);
			sum = dp_add(sum, dp_mul(d_from_bits(w->w[1][l]), c[1]));
			sum = dp_add(sum, dp_mul(d_from_bits(w->w[2][l]), c[2]));
			out[l] = d_is_nan(sum) ? QUIET_NAN : d_to_f32(sum);
		}
	}
}
