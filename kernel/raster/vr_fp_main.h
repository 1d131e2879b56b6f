/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Depth, varyings and blending, for both kinds of binary64 of px_double.h; FP_ENTRY(name) names the
 * entry points.
 */

#define QUIET_NAN	0x7fc00000U
#define SIGN_BIT	0x80000000U
#define INFINITE	0x7f800000U
#define ONE		0x3f800000U
#define D_ABS(bits)	((bits) & ~(1ULL << 63))
#define BATCH		(VR_TILE * VR_ONE)	/* far corners: from here to there */

static inline bool is_nan(u32 f)
{
	return (s32)(f & ~SIGN_BIT) > (s32)INFINITE;
}

/* ---- four numbers ---- */

#ifdef PX_DOUBLE_NATIVE

#ifdef __AVX__
#define PARTS	1
#define PART_LIST(x, y, z, w)	{ { x, y, z, w } }
#else
#define PARTS	2
#define PART_LIST(x, y, z, w)	{ { x, y }, { z, w } }
#endif

#define part		double __attribute__((vector_size(32 / PARTS)))
#define small_part	float __attribute__((vector_size(16 / PARTS)))
#define word_part	s32 __attribute__((vector_size(16 / PARTS)))

#define PART_ADD(a, b)	((a) + (b))
#define PART_MUL(a, b)	((a) * (b))
#define PART_DIV(a, b)	((a) / (b))

#else

#define PARTS	4
#define PART_LIST(x, y, z, w)	{ x, y, z, w }

#define part		fd

#define PART_ADD	dp_add
#define PART_MUL	dp_mul
#define PART_DIV	dp_div

#endif

/**
 * struct four - Numbers of a quad's pixels
 * @p:	vectors, or numbers
 */
struct four {
	part p[PARTS];
};

static __always_inline struct four four_add(struct four a, struct four b)
{
	u32 i;

	for (i = 0; i < PARTS; i++)
		a.p[i] = PART_ADD(a.p[i], b.p[i]);
	return a;
}

static __always_inline struct four four_mul(struct four a, struct four b)
{
	u32 i;

	for (i = 0; i < PARTS; i++)
		a.p[i] = PART_MUL(a.p[i], b.p[i]);
	return a;
}

static __always_inline struct four four_div(struct four a, struct four b)
{
	u32 i;

	for (i = 0; i < PARTS; i++)
		a.p[i] = PART_DIV(a.p[i], b.p[i]);
	return a;
}

static __always_inline struct four four_load(const u64 *bits)
{
	struct four a;

	memcpy(&a, bits, sizeof(a));
	return a;
}

static __always_inline void four_store(u64 *bits, struct four a)
{
	memcpy(bits, &a, sizeof(a));
}

static __always_inline struct four four_of(fd x, fd y, fd z, fd w)
{
	return (struct four){ .p = PART_LIST(x, y, z, w) };
}

static __always_inline struct four four_each(fd x)
{
	return four_of(x, x, x, x);
}

/* To binary32; NaNs are QUIET_NAN. */
static __always_inline void four_to_f32(struct four a, u32 out[4])
{
	u32 i;

	for (i = 0; i < PARTS; i++) {
#ifdef PX_DOUBLE_NATIVE
		small_part f = __builtin_convertvector(a.p[i], small_part);
		word_part nan = (word_part)(f != f), bits = (word_part)f;

		bits = (bits & ~nan) | (nan & (s32)QUIET_NAN);
		memcpy(out + 4 / PARTS * i, &bits, sizeof(bits));
#else
		u32 bits = d_to_f32(a.p[i]);

		out[i] = is_nan(bits) ? QUIET_NAN : bits;
#endif
	}
}

/* 2^n */
static inline fd power(s32 n)
{
	return d_from_bits((u64)(1023 + n) << 52);
}

static inline fd larger(fd a, fd b)
{
	return D_ABS(d_bits(a)) > D_ABS(d_bits(b)) ? d_from_bits(D_ABS(d_bits(a))) :
						     d_from_bits(D_ABS(d_bits(b)));
}

/* ---- depth ---- */

/* Edge function @i times 2^-shift is @e. */
static inline fd edge(const struct vr_prim *p, u32 i, s64 e)
{
	return dp_mul(d_from_s64(e), power(p->shift[i]));
}

/* Sum of the edge functions; as they are linear, at any point. */
static fd area(const struct vr_prim *p, const s64 e[3])
{
	return dp_add(dp_add(edge(p, 0, e[0]), edge(p, 1, e[1])), edge(p, 2, e[2]));
}

static void make_plane(struct vr_plane *plane, const struct vr_prim *p, const fd z[3])
{
	fd d1 = dp_sub(z[1], z[0]), d2 = dp_sub(z[2], z[0]), all, zero = d_from_s64(0);
	s32 x = plane->x * VR_ONE, y = plane->y * VR_ONE;
	s64 e[3], a2 = 0, b2 = 0;
	u32 i;

	if (p->wide || p->kind != VR_TRIANGLE)
		vr_edge_values(p, x, y, e);
	else
		for (i = 0; i < 3; i++)
			e[i] = vr_near_edge(&p->edge[i], x, y) * p->sign[i];
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

static fd weighted(const struct vr_prim *p, const fd z[3], s32 x, s32 y)
{
	fd sum = d_from_s64(0), all = sum, n;
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
static void make_far_plane(struct vr_plane *plane, const struct vr_prim *p, const fd z[3])
{
	s32 x = plane->x * VR_ONE, y = plane->y * VR_ONE;
	fd at = weighted(p, z, x, y), step = d_from_s64(BATCH);

	plane->z = d_bits(at);
	plane->dz[0] = d_bits(dp_div(dp_sub(weighted(p, z, x + BATCH, y), at), step));
	plane->dz[1] = d_bits(dp_div(dp_sub(weighted(p, z, x, y + BATCH), at), step));
}

static fd resolution(const struct vr_depth *d, const u32 z[3])
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
	fd slope = larger(d_from_bits(plane->dz[0]), d_from_bits(plane->dz[1])), o, c;

	slope = dp_mul(slope, d_from_s64(VR_ONE));
	o = dp_add(dp_mul(slope, d_from_f32(d->factor)),
		   dp_mul(resolution(d, z), d_from_f32(d->units)));
	c = d_from_f32(d->clamp);
	if (d->clamp & ~SIGN_BIT && !d_is_nan(c) && !d_is_nan(o)) {
		fd over = d->clamp & SIGN_BIT ? dp_sub(c, o) : dp_sub(o, c);

		/* not above the limit: negative */
		if (!(d_bits(over) >> 63))
			o = c;
	}
	plane->moved = d_bits(dp_add(d_from_bits(plane->z), o));
}

/*
 * Depths of a sample of four pixels; @from: at the origin; @x, @y: of each, 1/256 pixels from the
 * origin.
 */
static void depths_at(const struct vr_plane *plane, u64 from, const s32 x[4], const s32 y[4],
		      u32 z[4])
{
	fd dx = d_from_bits(plane->dz[0]), dy = d_from_bits(plane->dz[1]), at;
	u32 k;

	for (k = 0; k < 4; k++) {
		at = dp_add(d_from_bits(from), dp_mul(dx, d_from_s32(x[k])));
		z[k] = d_to_f32(dp_add(at, dp_mul(dy, d_from_s32(y[k]))));
	}
}

/*
 * Are the depths of all quads of the box in the range? Depth and its roundings are monotonic, so it
 * is enough if those at the corners of a larger box are.
 */
static bool plane_is_inside(const struct vr_plane *plane, u64 from, const struct vr_prim *p)
{
	const fd right = d_from_s32((p->box[2] - p->box[0] + 2) * VR_ONE);
	const fd down = d_from_s32((p->box[3] - p->box[1] + 2) * VR_ONE);
	const fd before = d_from_s32(-VR_ONE);
	struct four x = four_of(before, right, before, right);
	struct four y = four_of(before, before, down, down);
	u32 z[4], k, was;

	x = four_mul(four_each(d_from_bits(plane->dz[0])), x);
	y = four_mul(four_each(d_from_bits(plane->dz[1])), y);
	four_to_f32(four_add(four_add(four_each(d_from_bits(from)), x), y), z);
	/* patterns of positive numbers have their order */
	for (k = 0; k < 4 && z[k] - plane->lo <= plane->hi - plane->lo; k++)
		;
	if (k == 4 && plane->lo <= plane->hi && plane->hi < INFINITE)
		return true;
	for (k = 0; k < 4; k++) {
		was = z[k];
		/* between infinities there may be a NaN */
		if ((was & INFINITE) == INFINITE || vr_depth_clip(plane, &z[k]) || z[k] != was)
			return false;
	}
	return true;
}

void FP_ENTRY(plane)(struct vr_plane *plane, const struct vr_prim *p, const struct vr_depth *d,
		     const u32 z[3])
{
	fd c[3];
	u32 i;

	for (i = 0; i < 3; i++)
		c[i] = d_from_f32(z[vr_is_flat(p) || (p->kind == VR_LINE && i > 1) ? 0 : i]);
	plane->x = p->box[0];
	plane->y = p->box[1];
	plane->samples = p->samples;
	plane->flags = d->flags;
	plane->lo = vr_depth_order(d->range[0]) < vr_depth_order(d->range[1]) ? d->range[0] :
									       d->range[1];
	plane->hi = plane->lo == d->range[0] ? d->range[1] : d->range[0];
	if (vr_is_flat(p)) {
		plane->z = d_bits(c[0]);
		plane->dz[0] = 0;
		plane->dz[1] = 0;
	} else if (p->exp[0] | p->exp[1] | p->exp[2]) {
		make_far_plane(plane, p, c);
	} else {
		make_plane(plane, p, c);
	}
	plane->moved = plane->z;
	plane->offset = p->kind == VR_TRIANGLE &&
			d->flags & (p->back ? VR_DEPTH_OFFSET_BACK : VR_DEPTH_OFFSET_FRONT);
	if (plane->offset)
		offset(plane, d, z);
	plane->inside = plane_is_inside(plane, plane->z, p) &&
			(!plane->offset || plane_is_inside(plane, plane->moved, p));
}

/* Depths with the offset are not clipped, but in the buffer's range. */
static u32 limited(const struct vr_plane *plane, u32 z)
{
	struct vr_plane wide = *plane;

	if (plane->flags & VR_DEPTH_CLIP_NEAR && vr_depth_order(plane->lo) > 0)
		wide.lo = 0;
	if (plane->flags & VR_DEPTH_CLIP_FAR && vr_depth_order(plane->hi) < ONE)
		wide.hi = ONE;
	vr_depth_clip(&wide, &z);
	return z;
}

u64 FP_ENTRY(plane_quad)(const struct vr_plane *plane, u32 x, u32 y, u64 cover,
			 u32 z[4 * VR_MAX_SAMPLES])
{
	s32 dx = ((s32)x - plane->x) * VR_ONE, dy = ((s32)y - plane->y) * VR_ONE, sx, sy;
	u32 s, k, flat[4];
	s32 px[4], py[4];

	for (s = 0; s < plane->samples; s++, z += 4) {
		vr_sample_place(plane->samples, s, &sx, &sy);
		for (k = 0; k < 4; k++) {
			px[k] = dx + sx + (s32)(k & 1) * VR_ONE;
			py[k] = dy + sy + (s32)(k >> 1) * VR_ONE;
		}
		depths_at(plane, plane->moved, px, py, z);
		if (plane->inside)
			continue;
		memcpy(flat, z, sizeof(flat));
		if (plane->offset)
			depths_at(plane, plane->z, px, py, flat);
		for (k = 0; k < 4; k++) {
			cover &= ~((u64)vr_depth_clip(plane, &flat[k]) << (16 * k + s));
			z[k] = plane->offset ? limited(plane, z[k]) : flat[k];
		}
	}
	return cover;
}

/* As plane_quad() of planes that are inside: without NaNs. */
u32 FP_ENTRY(plane_quads)(const struct vr_batch *b, const struct vr_quad_prim *prim,
			  u32 z[VS_LANES])
{
	const struct four right = four_of(d_from_s64(0), d_from_s64(VR_ONE), d_from_s64(0),
					  d_from_s64(VR_ONE));
	const struct four down = four_of(d_from_s64(0), d_from_s64(0), d_from_s64(VR_ONE),
					 d_from_s64(VR_ONE));
	const struct vr_plane *plane;
	struct four x, y, at;
	u32 i, left = 0;

	for (i = 0; i < b->n; i++) {
		plane = &prim[b->quad[i].slot].plane;
		left |= (u32)!plane->inside << i;
		x = four_each(d_from_s32(((s32)b->quad[i].x - plane->x) * VR_ONE + VR_ONE / 2));
		y = four_each(d_from_s32(((s32)b->quad[i].y - plane->y) * VR_ONE + VR_ONE / 2));
		at = four_mul(four_each(d_from_bits(plane->dz[0])), four_add(x, right));
		at = four_add(four_each(d_from_bits(plane->moved)), at);
		y = four_mul(four_each(d_from_bits(plane->dz[1])), four_add(y, down));
		four_to_f32(four_add(at, y), z + 4 * i);
	}
	return left;
}

/*
 * As depths_at() at the centres of the pixels of 16 quads: steps of a column are the same in each
 * row. Without NaNs, as the plane is inside.
 */
void FP_ENTRY(plane_whole)(const struct vr_plane *plane, u32 x, u32 y, u32 z[VS_LANES])
{
	s32 px = ((s32)x - plane->x) * VR_ONE + VR_ONE / 2;
	s32 py = ((s32)y - plane->y) * VR_ONE + VR_ONE / 2, ax, ay;
	fd dx = d_from_bits(plane->dz[0]), dy = d_from_bits(plane->dz[1]), up, down;
	struct four from = four_each(d_from_bits(plane->moved)), column[4], row[4];
	u32 i;

	for (i = 0; i < 4; i++) {
		ax = px + (s32)(2 * i) * VR_ONE;
		ay = py + (s32)(2 * i) * VR_ONE;
		up = dp_mul(dx, d_from_s32(ax));
		down = dp_mul(dx, d_from_s32(ax + VR_ONE));
		column[i] = four_add(from, four_of(up, down, up, down));
		up = dp_mul(dy, d_from_s32(ay));
		down = dp_mul(dy, d_from_s32(ay + VR_ONE));
		row[i] = four_of(up, up, down, down);
	}
	for (i = 0; i < VR_QUADS; i++)
		four_to_f32(four_add(column[i % 4], row[i / 4]), z + 4 * i);
}

/* ---- varyings ---- */

/**
 * struct weigher - What the weights of a primitive's quads have in common
 * @p:		primitive
 * @scale:	factors of the edge functions
 * @near:	of a triangle whose corners are near: edge functions are linear and below 2^51
 * @step:	their steps from a quad's first pixel
 */
struct weigher {
	const struct vr_prim *p;
	fd scale[3];
	bool near;
	struct four step[3];
};

static void begin_weights(struct weigher *g, const struct vr_prim *p, const u32 inv_w[3])
{
	u32 corners = p->kind == VR_TRIANGLE ? 3 : p->kind == VR_LINE ? 2 : 1, i;
	fd dx, dy;

	g->p = p;
	g->near = !p->wide && p->kind == VR_TRIANGLE;
	for (i = 0; i < 3; i++) {
		g->scale[i] = power(p->shift[i] + p->exp[i]);
		if (inv_w && corners > 1)
			g->scale[i] = dp_mul(g->scale[i], d_from_f32(inv_w[i]));
		/* lines have no third corner, points one */
		if (i >= corners)
			g->scale[i] = d_from_s64(0);
	}
	for (i = 0; i < 3 && g->near; i++) {
		dx = d_from_s64(p->edge[i].a * p->sign[i] * VR_ONE);
		dy = d_from_s64(p->edge[i].b * p->sign[i] * VR_ONE);
		g->step[i] = four_of(d_from_s64(0), dx, dy, dp_add(dx, dy));
	}
}

/* Edge functions at four pixels; @at: see vr_weights_quad(). */
static void edges_at(const struct weigher *g, u32 x, u32 y, const s16 at[4][2], struct four e[3])
{
	static const s16 centres[4][2] = {
		{ VR_ONE / 2, VR_ONE / 2 }, { VR_ONE / 2, VR_ONE / 2 },
		{ VR_ONE / 2, VR_ONE / 2 }, { VR_ONE / 2, VR_ONE / 2 },
	};
	u32 i, k;
	s64 v[4][3];

	if (!at)
		at = centres;
	for (k = 0; k < 4; k++)
		vr_edge_values(g->p, (s32)(x + (k & 1)) * VR_ONE + at[k][0],
			       (s32)(y + (k >> 1)) * VR_ONE + at[k][1], v[k]);
	for (i = 0; i < 3; i++)
		e[i] = four_of(d_from_s64(v[0][i]), d_from_s64(v[1][i]), d_from_s64(v[2][i]),
			       d_from_s64(v[3][i]));
}

/* At their centres. Exact. */
static __always_inline void edges_at_centres(const struct weigher *g, u32 x, u32 y,
					     struct four e[3])
{
	s32 cx = (s32)x * VR_ONE + VR_ONE / 2, cy = (s32)y * VR_ONE + VR_ONE / 2;
	u32 i;
	fd at;

	for (i = 0; i < 3; i++) {
		at = d_from_s64(vr_near_edge(&g->p->edge[i], cx, cy) * g->p->sign[i]);
		e[i] = four_add(four_each(at), g->step[i]);
	}
}

/* Weights of quad @q, with edge functions @e. */
static __always_inline void weigh_edges(const struct weigher *g, struct vr_weights *w, u32 q,
					const struct four e[3])
{
	struct four n[3], by;
	u32 i;

	for (i = 0; i < 3; i++)
		n[i] = four_mul(e[i], four_each(g->scale[i]));
	by = four_div(four_each(d_from_s64(1)), four_add(four_add(n[0], n[1]), n[2]));
	for (i = 0; i < 3; i++)
		four_store(&w->w[i][4 * q], four_mul(n[i], by));
}

static __always_inline void weigh_quad(const struct weigher *g, struct vr_weights *w, u32 q, u32 x,
				       u32 y, const s16 at[4][2])
{
	struct four e[3];

	if (!at && g->near)
		edges_at_centres(g, x, y, e);
	else
		edges_at(g, x, y, at, e);
	weigh_edges(g, w, q, e);
}

/* 16 quads, row by row, at the centres of 8 x 8 pixels; steps of edge functions are exact. */
static void weigh_whole(const struct weigher *g, struct vr_weights *w, u32 x, u32 y)
{
	struct four first[3], e[3], right[3], down[3];
	u32 q, i;

	edges_at_centres(g, x, y, first);
	for (i = 0; i < 3; i++) {
		right[i] = four_each(d_from_s64(g->p->edge[i].a * g->p->sign[i] * 2 * VR_ONE));
		down[i] = four_each(d_from_s64(g->p->edge[i].b * g->p->sign[i] * 2 * VR_ONE));
	}
	for (q = 0; q < VR_QUADS; q++) {
		for (i = 0; i < 3; i++) {
			if (q && !(q % 4))
				first[i] = four_add(first[i], down[i]);
			e[i] = q % 4 ? four_add(e[i], right[i]) : first[i];
		}
		weigh_edges(g, w, q, e);
	}
}

void FP_ENTRY(weights_quad)(struct vr_weights *w, u32 q, const struct vr_prim *p,
			    const u32 inv_w[3], u32 x, u32 y, const s16 at[4][2])
{
	struct weigher g;

	begin_weights(&g, p, inv_w);
	weigh_quad(&g, w, q, x, y, at);
}

void FP_ENTRY(weights)(struct vr_weights *w, const struct vr_batch *b,
		       const struct vr_quad_prim *prim, bool perspective, const s16 at[][2])
{
	const struct vr_quad_prim *p, *before = NULL;
	struct weigher g;
	u32 i;

	if (b->whole && !at) {
		p = &prim[b->quad[0].slot];
		begin_weights(&g, &p->p, perspective ? p->inv_w : NULL);
		if (g.near) {
			weigh_whole(&g, w, b->quad[0].x, b->quad[0].y);
			return;
		}
	}
	for (i = 0; i < b->n; i++) {
		if (!b->quad[i].cover)
			continue;
		p = &prim[b->quad[i].slot];
		if (p != before)
			begin_weights(&g, &p->p, perspective ? p->inv_w : NULL);
		before = p;
		weigh_quad(&g, w, i, b->quad[i].x, b->quad[i].y, at ? at + 4 * i : NULL);
	}
}

/* A component at four pixels with weights @w; @v: at the corners. */
static __always_inline void interpolate_quad(const struct four w[3], const struct four v[3],
					     u32 out[4])
{
	struct four c[3];
	u32 i;

	for (i = 0; i < 3; i++)
		c[i] = four_mul(w[i], v[i]);
	four_to_f32(four_add(four_add(c[0], c[1]), c[2]), out);
}

static __always_inline void load_weights(const struct vr_weights *w, u32 q, struct four to[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		to[i] = four_load(&w->w[i][4 * q]);
}

/* Components at the corners, @stride words apart. */
static __always_inline void load_corners(const u32 *v, u32 stride, struct four to[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		to[i] = four_each(d_from_f32(v[i * stride]));
}

void FP_ENTRY(interpolate)(const struct vr_weights *w, u32 quads, const u32 v[VR_QUADS][3],
			   u32 *out)
{
	struct four of[3], at[3];
	u32 q;

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		load_weights(w, q, of);
		load_corners(v[q], 1, at);
		interpolate_quad(of, at, out + 4 * q);
	}
}

void FP_ENTRY(varying)(const struct vr_weights *w, u32 quads, const u32 v[][3][4],
		       const u8 of[VR_QUADS], u32 comps, u32 out[][VS_LANES])
{
	struct four by[3], at[4][3];
	u32 q, c, before = VR_QUADS;

	for (q = 0; q < VR_QUADS; q++) {
		if (!(quads >> q & 1))
			continue;
		for (c = 0; c < comps && of[q] != before; c++)
			load_corners(&v[of[q]][0][c], 4, at[c]);
		before = of[q];
		load_weights(w, q, by);
		for (c = 0; c < comps; c++)
			interpolate_quad(by, at[c], &out[c][4 * q]);
	}
}

static u32 canonical(fd a)
{
	return d_is_nan(a) ? QUIET_NAN : d_to_f32(a);
}

u32 FP_ENTRY(ratio)(s32 a, s32 b)
{
	return canonical(dp_div(d_from_s64(a), d_from_s64(b)));
}

void FP_ENTRY(invert)(const u32 *v, u32 n, u32 *out)
{
	fd one = d_from_s64(1);
	u32 i;

	for (i = 0; i < n; i++)
		out[i] = canonical(dp_div(one, d_from_f32(v[i])));
}

/* ---- blending ---- */

/**
 * struct colours - Operands of a pixel's blending.
 * @src:	source, second colour
 * @dst:	in the buffer
 * @constant:	of the state
 */
struct colours {
	fd src[2][4];
	fd dst[4];
	fd constant[4];
};

static fd factor_of(const struct vr_term *t, const struct colours *c, u32 i)
{
	u32 k = t->alpha ? 3 : i;
	fd rest;

	switch (t->factor) {
	case VR_FACTOR_SRC:
		return c->src[0][k];
	case VR_FACTOR_DST:
		return c->dst[k];
	case VR_FACTOR_SECOND:
		return c->src[1][k];
	case VR_FACTOR_CONSTANT:
		return c->constant[k];
	case VR_FACTOR_SRC_TWICE:
		return dp_add(c->src[0][k], c->src[0][k]);
	case VR_FACTOR_SATURATE:
		if (i == 3)
			return d_from_s64(1);
		rest = dp_sub(d_from_s64(1), c->dst[3]);
		return d_is_less(rest, c->src[0][3]) ? rest : c->src[0][3];
	default:
		return d_from_s64(0);
	}
}

/* Factor 1 needs no multiplication. */
static fd term(const struct vr_term *t, const struct colours *c, u32 i)
{
	fd zero = d_from_s64(0), sum = zero, f;

	if (t->src && t->src == t->dst)
		sum = dp_add(c->src[0][i], c->dst[i]);
	else if (t->src && t->dst)
		sum = t->src > 0 ? dp_sub(c->src[0][i], c->dst[i]) :
				   dp_sub(c->dst[i], c->src[0][i]);
	else if (t->src | t->dst)
		sum = t->src ? c->src[0][i] : c->dst[i];
	if (t->src + t->dst < 0)
		sum = dp_sub(zero, sum);
	if (t->factor == VR_FACTOR_ZERO && t->invert)
		return sum;
	f = factor_of(t, c, i);
	return dp_mul(sum, t->invert ? dp_sub(d_from_s64(1), f) : f);
}

static fd function(const struct vr_function *f, const struct colours *c, u32 i)
{
	fd a = term(&f->a, c, i), b = term(&f->b, c, i);

	if (f->op == VR_BLEND_SUM_MIN || f->op == VR_BLEND_SUM_MAX) {
		a = dp_add(a, b);
		b = c->dst[i];
	}
	switch (f->op) {
	case VR_BLEND_MIN:
	case VR_BLEND_SUM_MIN:
		return d_is_less(b, a) ? b : a;
	case VR_BLEND_MAX:
	case VR_BLEND_SUM_MAX:
		return d_is_less(a, b) ? b : a;
	default:
		return dp_add(a, b);
	}
}

void FP_ENTRY(mix)(const struct vr_blend *b, struct vr_mix *x)
{
	struct colours c;
	u32 i;

	for (i = 0; i < 4; i++) {
		c.src[0][i] = d_from_f32(x->src[0][i]);
		c.src[1][i] = d_from_f32(x->src[1][i]);
		c.dst[i] = d_from_f32(x->dst[i]);
		c.constant[i] = d_from_f32(b->constant[i]);
	}
	for (i = 0; i < 4; i++)
		x->dst[i] = canonical(function(&b->f[i == 3], &c, i));
}
