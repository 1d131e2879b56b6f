/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of the texture unit, written in binary64 primitives: included by each build.
 *
 * NaNs are canonicalised: coordinates and LODs become 0, results the positive quiet NaN.
 */

#define D_ZERO		d_from_bits(0)
#define D_HALF		d_from_bits(0x3fe0000000000000ULL)
#define D_ONE		d_from_bits(0x3ff0000000000000ULL)
#define D_TWO		d_from_bits(0x4000000000000000ULL)
#define D_THIRD		d_from_bits(0x3fd5555555555555ULL)
#define D_2_30		d_from_bits(0x41d0000000000000ULL)
#define D_256TH		d_from_bits(0x3f70000000000000ULL)
#define D_2_20		d_from_bits(0x4130000000000000ULL)
#define D_MIN_RHO2	d_from_bits(0x3bc79ca10c924223ULL)	/* 1e-20 */
#define D_MAX_RHO2	d_from_bits(0x4ff0000000000000ULL)	/* 2^256 */
#define D_SIGN		BIT_ULL(63)
#define F_NAN		0x7fc00000U

static __always_inline fd d_neg(fd a)
{
	return d_from_bits(d_bits(a) ^ D_SIGN);
}

static __always_inline fd d_abs(fd a)
{
	return d_from_bits(d_bits(a) & ~D_SIGN);
}

static __always_inline fd d_min(fd a, fd b)
{
	return d_is_less(b, a) ? b : a;
}

static __always_inline fd d_max(fd a, fd b)
{
	return d_is_less(a, b) ? b : a;
}

/* Operand from the program; NaN becomes 0. */
static __always_inline fd operand(u32 f)
{
	return d_from_f32((f & 0x7fffffff) > 0x7f800000 ? 0 : f);
}

/* Split into integer part, clamped to 2^30, and fraction, 0..1. */
static __always_inline s32 split(fd a, fd *frac)
{
	fd in = d_max(d_min(a, D_2_30), d_neg(D_2_30));
	s32 i = d_to_s32(in);

	i -= d_is_less(in, d_from_s32(i));
	*frac = dp_sub(in, d_from_s32(i));
	return i;
}

/* ---- coordinates ---- */

/* Components of a direction that are s, t and the major axis of a face, and their signs. */
static const struct axes {
	u8 s, t, m;
	bool ns, nt, nm;
} axes[TX_CUBE_FACES] = {
	{ 2, 1, 0, true, true, false }, { 2, 1, 0, false, true, true },
	{ 0, 2, 1, false, false, false }, { 0, 2, 1, false, true, true },
	{ 0, 1, 2, false, true, false }, { 0, 1, 2, true, true, true },
};

static fd signed_of(fd a, bool negative)
{
	return negative ? d_neg(a) : a;
}

/* Face that a direction points to; ties prefer x over y over z. */
static u32 find_face(const fd v[3])
{
	fd x = d_abs(v[0]), y = d_abs(v[1]), z = d_abs(v[2]);
	u32 axis = 2;

	if (!d_is_less(x, y) && !d_is_less(x, z))
		axis = 0;
	else if (!d_is_less(y, z))
		axis = 1;
	return 2 * axis + (d_bits(v[axis]) >> 63);
}

/* (a / m + 1) / 2, with 0 / 0 and inf / inf as 0. */
static fd face_coord(fd a, fd m)
{
	fd r = dp_div(a, m);

	if (d_is_nan(r))
		r = D_ZERO;
	return dp_mul(dp_add(r, D_ONE), D_HALF);
}

static void start_cube(struct tx_request *q, u32 l)
{
	struct tx_work *w = &q->w;
	const struct axes *x;
	fd v[3], m;
	u32 i, face;

	for (i = 0; i < 3; i++)
		v[i] = operand(q->coord[i][l]);
	face = find_face(v);
	x = &axes[face];
	m = d_abs(v[x->m]);
	w->face[l] = face;
	w->pos[0][l] = d_bits(face_coord(signed_of(v[x->s], x->ns), m));
	w->pos[1][l] = d_bits(face_coord(signed_of(v[x->t], x->nt), m));
}

static void start_faces(struct tx_request *q)
{
	struct tx_work *w = &q->w;
	u64 mask = q->mask | q->quads;
	u32 l, d;

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(mask >> l & 1))
			continue;
		if (q->cube_dir) {
			start_cube(q, l);
			continue;
		}
		for (d = 0; d < 2; d++)
			w->pos[d][l] = d_bits(d_max(d_min(d_from_bits(w->pos[d][l]), D_ONE),
						    D_ZERO));
		w->face[l] = min_t(u32, q->face[l], TX_CUBE_FACES - 1);
		if (q->face[l] >= TX_CUBE_FACES)
			w->active &= ~BIT_ULL(l);
	}
}

static void start_dim(struct tx_request *q, u64 mask, u32 d)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		q->w.pos[d][l] = d_bits(operand(q->coord[d][l]));
	}
}

void TX_FP_ENTRY(start)(struct tx_request *q)
{
	u32 d, dims = tx_dims(q->tex);
	u64 mask = q->mask | q->quads;

	q->w.active = q->mask;
	if (q->tex->dim != TX_DIM_CUBE || !q->cube_dir)
		for (d = 0; d < dims; d++)
			start_dim(q, mask, d);
	if (q->tex->dim == TX_DIM_CUBE)
		start_faces(q);
}

/* ---- level of detail ---- */

/*
 * Binary logarithm of a positive normal number, exact for powers of two: with
 * s = (m - 1) / (m + 1), log2(m) = 2 / ln 2 * (s + s^3 / 3 + s^5 / 5 + ...). m is between
 * the roots of a half and two, s^2 below 0.0295: the error is below 1e-12.
 */
static fd log_2(fd a)
{
	/* 2 / ln 2 / 13, / 11, ... / 1 */
	static const u64 c[] = {
		0x3fcc68f568d31760ULL, 0x3fd0c9a84994022dULL, 0x3fd484b13d7c02a9ULL,
		0x3fda61762a7aded9ULL, 0x3fe2776c50ef9bfeULL, 0x3feec709dc3a03fdULL,
		0x40071547652b82feULL,
	};
	s32 e = (s32)(d_bits(a) >> 52) - 1023;
	u64 m = (d_bits(a) & (BIT_ULL(52) - 1)) | BIT_ULL(52) * 1023;
	fd s, z, p;
	u32 i;

	if (m > 0x3ff6a09e667f3bccULL) {
		m -= BIT_ULL(52);
		e++;
	}
	s = dp_div(dp_sub(d_from_bits(m), D_ONE), dp_add(d_from_bits(m), D_ONE));
	z = dp_mul(s, s);
	p = d_from_bits(c[0]);
	for (i = 1; i < ARRAY_SIZE(c); i++)
		p = dp_add(dp_mul(p, z), d_from_bits(c[i]));
	return dp_add(d_from_s32(e), dp_mul(s, p));
}

/* LOD of the squared lengths of two gradients, in texels. */
static fd lod_of(fd x2, fd y2)
{
	fd r = d_max(x2, y2);

	if (d_is_nan(x2) || d_is_nan(y2))
		return D_ZERO;
	r = d_max(d_min(r, D_MAX_RHO2), D_MIN_RHO2);
	return dp_mul(D_HALF, log_2(r));
}

/* Move a point of a cube along its direction to the plane of face @to, if that is before it. */
static void project(fd p[3], u32 to, fd half)
{
	const struct axes *x = &axes[to];
	fd m = signed_of(p[x->m], x->nm), k;
	u32 i;

	if (!d_is_less(D_ZERO, m))
		return;
	k = dp_div(half, m);
	for (i = 0; i < 3; i++)
		p[i] = i == x->m ? signed_of(half, x->nm) : dp_mul(p[i], k);
}

/*
 * Coordinates in texels of level 0; cubes: the point in the plane of @face, in which the quad's
 * gradients do not depend on lanes beyond the face's edges.
 */
static void gradient_point(const struct tx_request *q, u32 l, u32 face, fd p[3])
{
	const struct tx_texture *t = q->tex;
	const struct axes *x = &axes[t->dim == TX_DIM_CUBE ? q->w.face[l] : 0];
	u32 d, dims = tx_dims(t);
	fd half;

	for (d = 0; d < 3; d++)
		p[d] = D_ZERO;
	if (t->dim == TX_DIM_CUBE) {
		half = dp_mul(d_from_s32(t->width), D_HALF);
		for (d = 0; d < 2; d++) {
			fd c = dp_sub(dp_mul(d_from_bits(q->w.pos[d][l]), D_TWO), D_ONE);

			p[d ? x->t : x->s] = signed_of(dp_mul(c, half), d ? x->nt : x->ns);
		}
		p[x->m] = signed_of(half, x->nm);
		if (q->w.face[l] != face)
			project(p, face, half);
		return;
	}
	for (d = 0; d < dims; d++) {
		p[d] = d_from_bits(q->w.pos[d][l]);
		if (q->samp->normalized)
			p[d] = dp_mul(p[d], d_from_s32(tx_size(t, d, 0)));
	}
}

/* Squared distance of two lanes; cubes: in the plane of @face. */
static fd distance2(const struct tx_request *q, u32 a, u32 b, u32 face)
{
	fd pa[3], pb[3], sum = D_ZERO, d;
	u32 i;

	gradient_point(q, a, face, pa);
	gradient_point(q, b, face, pb);
	for (i = 0; i < 3; i++) {
		d = dp_sub(pb[i], pa[i]);
		sum = dp_add(sum, dp_mul(d, d));
	}
	return sum;
}

static bool both(const struct tx_request *q, u32 a, u32 b)
{
	return (q->quads >> a) & (q->quads >> b) & 1;
}

/* Cubes: the lanes of a quad may see several faces, and each has the gradients in its own. */
static fd quad_lod(const struct tx_request *q, u32 l)
{
	u32 face = q->tex->dim == TX_DIM_CUBE ? q->w.face[l] : 0;
	fd x = D_ZERO, y = D_ZERO;

	l &= ~3U;
	if (both(q, l, l + 1))
		x = distance2(q, l, l + 1, face);
	else if (both(q, l + 2, l + 3))
		x = distance2(q, l + 2, l + 3, face);
	if (both(q, l, l + 2))
		y = distance2(q, l, l + 2, face);
	else if (both(q, l + 1, l + 3))
		y = distance2(q, l + 1, l + 3, face);
	return lod_of(x, y);
}

/* Squared length of an explicit gradient, in texels. */
static fd gradient2(const struct tx_request *q, const u32 grad[3][SIMT_LANES], u32 l)
{
	const struct tx_texture *t = q->tex;
	const struct axes *x = &axes[t->dim == TX_DIM_CUBE ? q->w.face[l] : 0];
	u32 d, dims = tx_dims(t);
	fd sum = D_ZERO, g, m, dm, at;

	for (d = 0; d < dims; d++) {
		g = operand(grad[d][l]);
		if (t->dim == TX_DIM_CUBE && q->cube_dir) {
			/* (c / m)' = (c' - (c / m) m') / m; a face has two of them */
			m = d_abs(operand(q->coord[x->m][l]));
			dm = signed_of(operand(grad[x->m][l]), x->nm);
			g = signed_of(operand(grad[d ? x->t : x->s][l]), d ? x->nt : x->ns);
			at = dp_sub(dp_mul(d_from_bits(q->w.pos[d][l]), D_TWO), D_ONE);
			g = dp_sub(g, dp_mul(at, dm));
			g = dp_mul(dp_div(g, m), D_HALF);
		}
		if (q->samp->normalized || t->dim == TX_DIM_CUBE)
			g = dp_mul(g, d_from_s32(tx_size(t, d, 0)));
		sum = dp_add(sum, dp_mul(g, g));
	}
	return sum;
}

static fd limited(fd a)
{
	return d_max(d_min(a, D_2_20), d_neg(D_2_20));
}

/* LOD before the sampler's bias. */
static fd base_lod(const struct tx_request *q, u32 l)
{
	fd given = limited(operand(q->lod[l]));

	switch (q->lod_mode) {
	case TX_LOD_COMPUTED:
		return quad_lod(q, l);
	case TX_LOD_BIAS:
		return dp_add(quad_lod(q, l), given);
	case TX_LOD_EXPLICIT:
		return given;
	case TX_LOD_GRAD:
		return dp_add(lod_of(gradient2(q, q->grad[0], l), gradient2(q, q->grad[1], l)),
			     given);
	default:
		return D_ZERO;
	}
}

static fd fixed8(s32 v)
{
	return dp_mul(d_from_s32(v), D_256TH);
}

/* Limits common to all lanes. */
struct lod_limits {
	fd min, max, tex_min, tex_max, magnify, bias;
	bool filter, trilinear, by_level;
};

static void get_limits(const struct tx_request *q, struct lod_limits *c)
{
	const struct tx_sampler *s = q->samp;
	const struct tx_texture *t = q->tex;
	u32 top = t->levels ? t->levels - 1 : 0;

	c->min = fixed8(s->min_lod);
	c->max = fixed8(s->max_lod);
	c->bias = fixed8(s->lod_bias);
	c->tex_min = d_min(d_max(fixed8(t->min_lod), d_from_s32(t->min_level)), d_from_s32(top));
	c->tex_max = d_min(fixed8(t->max_lod), d_from_s32(top));
	c->magnify = s->mag_cutoff ? D_HALF : D_ZERO;
	c->filter = px_format_kind(&t->format) == PX_KIND_F32;
	c->trilinear = s->mip == TX_MIP_TRILINEAR && c->filter;
	c->by_level = s->mip != TX_MIP_NONE;
}

static void choose_level(struct tx_request *q, const struct lod_limits *c, fd lod, u32 l)
{
	struct tx_work *w = &q->w;
	fd frac, given = lod;
	s32 i;

	w->lod[l] = d_bits(lod);
	lod = d_max(lod, c->min);
	if (q->bounded)
		lod = d_max(lod, fixed8(q->bound[l]));
	lod = d_min(lod, c->max);
	if (!q->samp->filter_first)
		given = lod;
	if (!c->filter ||
	    (d_is_less(c->magnify, given) ? q->samp->min_nearest : q->samp->mag_nearest))
		w->nearest |= BIT_ULL(l);
	lod = d_max(d_min(c->by_level ? lod : D_ZERO, c->tex_max), c->tex_min);
	i = split(c->trilinear ? lod : dp_add(lod, D_HALF), &frac);
	w->level[0][l] = i;
	w->level[1][l] = i;
	w->frac[l] = 0;
	if (!c->trilinear || !d_is_less(D_ZERO, frac))
		return;
	w->level[1][l] = i + 1;
	w->frac[l] = d_bits(frac);
	w->two |= BIT_ULL(l);
}

/* Lane @to selects as lane @from. */
static void copy_level(struct tx_work *w, u32 from, u32 to)
{
	w->lod[to] = w->lod[from];
	w->level[0][to] = w->level[0][from];
	w->level[1][to] = w->level[1][from];
	w->frac[to] = w->frac[from];
	w->nearest |= (w->nearest >> from & 1) << to;
	w->two |= (w->two >> from & 1) << to;
}

/* All lanes select as lane 0. */
static void choose_all(struct tx_work *w)
{
	u32 l;

	for (l = 1; l < SIMT_LANES; l++) {
		w->level[0][l] = w->level[0][0];
		w->level[1][l] = w->level[1][0];
		w->frac[l] = w->frac[0];
	}
	w->nearest = w->nearest & 1 ? ~0ULL : 0;
	w->two = w->two & 1 ? ~0ULL : 0;
	w->same = true;
}

/*
 * Do all LODs select the same level and filter? They do if the least and the largest one that the
 * sampler allows do. Sets lane 0.
 */
static bool same_anyway(struct tx_request *q, const struct lod_limits *c)
{
	struct tx_work *w = &q->w;
	bool bounded = q->bounded;

	if (q->op != TX_OP_SAMPLE ||
	    (q->samp->filter_first && q->samp->min_nearest != q->samp->mag_nearest))
		return false;
	q->bounded = false;
	choose_level(q, c, c->min, 0);
	choose_level(q, c, c->max, 1);
	q->bounded = bounded;
	return w->level[0][0] == w->level[0][1] && w->frac[0] == w->frac[1] &&
	       (w->nearest & 3) % 3 == 0;
}

/* Do two lanes of a quad have the same LOD? */
static bool same_lod(const struct tx_request *q, u32 a, u32 b)
{
	return a / 4 == b / 4 && !q->bounded &&
	       (q->tex->dim != TX_DIM_CUBE || q->w.face[a] == q->w.face[b]) &&
	       (q->lod_mode == TX_LOD_COMPUTED ||
		(q->lod_mode == TX_LOD_BIAS && q->lod[a] == q->lod[b]));
}

void TX_FP_ENTRY(lod)(struct tx_request *q)
{
	u32 l, first = __ffs64(q->mask);
	struct lod_limits c;

	q->w.nearest = 0;
	q->w.two = 0;
	q->w.same = false;
	get_limits(q, &c);
	if (same_anyway(q, &c)) {
		choose_all(&q->w);
		return;
	}
	q->w.nearest = 0;
	q->w.two = 0;
	for (l = 0; l < SIMT_LANES; l++) {
		if (!(q->mask >> l & 1))
			continue;
		if (l != first && same_lod(q, first, l)) {
			copy_level(&q->w, first, l);
			continue;
		}
		first = l;
		choose_level(q, &c, dp_add(base_lod(q, l), c.bias), l);
	}
}

void TX_FP_ENTRY(levels)(struct tx_request *q)
{
	const struct tx_work *w = &q->w;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(q->mask >> l & 1))
			continue;
		q->result[0][l] = d_to_f32(dp_add(d_from_s32(w->level[0][l]),
						  d_from_bits(w->frac[l])));
		q->result[1][l] = d_to_f32(d_from_bits(w->lod[l]));
	}
}

/* ---- texel coordinates and weights ---- */

/* Wrap parameters of a dimension, common to all lanes. */
struct wrapping {
	u32 dim;
	u32 mode;
	bool normalized;
};

/*
 * Reduce a repeated coordinate before the multiplication, so that it stays in integer range.
 * CLAMP modes clamp the coordinate itself.
 */
static __always_inline fd prepare(const struct wrapping *r, fd a, fd n)
{
	fd u = r->normalized ? dp_mul(a, n) : a, f;

	switch (r->mode) {
	case TX_MIRRORED_CLAMP:
		return d_min(d_abs(u), n);
	case TX_CLAMP:
		return d_max(d_min(u, n), D_ZERO);
	case TX_REPEAT:
		if (!r->normalized || d_is_less(d_abs(u), D_2_20))
			return u;
		/* No fraction from 2^30 on. */
		if (!d_is_less(d_abs(a), D_2_30))
			return D_ZERO;
		split(a, &f);
		return dp_mul(f, n);
	case TX_MIRRORED_REPEAT:
		if (!r->normalized || d_is_less(d_abs(u), D_2_20))
			return u;
		if (!d_is_less(d_abs(a), D_2_30))
			return D_ZERO;
		split(dp_mul(a, D_HALF), &f);
		return dp_mul(dp_mul(f, D_TWO), n);
	default:
		return u;
	}
}

/* Coordinate of one dimension of a lane: base, and weights of its two texels. */
static __always_inline void coordinate(struct tx_request *q, const struct wrapping *r, u32 l,
				       u32 size, bool nearest, fd *w0, fd *w1)
{
	fd u = prepare(r, d_from_bits(q->w.pos[r->dim][l]), d_from_s32(size)), f;

	q->w.base[r->dim][l] = split(nearest ? u : dp_sub(u, D_HALF), &f);
	*w1 = nearest ? D_ZERO : f;
	*w0 = dp_sub(D_ONE, *w1);
}

/* Distribute the weight of the missing corner texel to the other three. */
static void share_corner(struct tx_request *q, u32 l, u32 n)
{
	struct tx_work *w = &q->w;
	u32 k, other;
	fd third;

	for (k = 0; k < 4; k++) {
		if (!tx_corner(w->base[0][l] + (k & 1), w->base[1][l] + (k >> 1), n))
			continue;
		third = dp_mul(d_from_bits(w->weight[k][l]), D_THIRD);
		w->weight[k][l] = 0;
		for (other = 0; other < 4; other++)
			if (other != k)
				w->weight[other][l] =
					d_bits(dp_add(d_from_bits(w->weight[other][l]), third));
	}
}

static __always_inline void lane_coords(struct tx_request *q, const struct wrapping r[3],
					u32 dims, u32 pass, u32 l)
{
	struct tx_work *w = &q->w;
	fd f[3][2] = { { D_ONE, D_ZERO }, { D_ONE, D_ZERO }, { D_ONE, D_ZERO } };
	bool nearest = w->nearest >> l & 1;
	fd of_level = d_from_bits(w->frac[l]);
	u32 d, k, ntexels = 1U << dims;

	if (!pass)
		of_level = dp_sub(D_ONE, of_level);
	for (d = 0; d < dims; d++)
		coordinate(q, &r[d], l, tx_size(q->tex, d, w->level[pass][l]), nearest,
			   &f[d][0], &f[d][1]);
	for (k = 0; k < ntexels; k++)
		w->weight[k][l] =
			d_bits(dp_mul(of_level, dp_mul(dp_mul(f[0][k & 1], f[1][k >> 1 & 1]),
						       f[2][k >> 2])));
}

/* A dimension of all lanes with coordinates from 2^20 texels on. */
static void far_bases(struct tx_request *q, const struct wrapping *r, fd n, fd half)
{
	struct tx_work *w = &q->w;
	u32 l;
	fd f;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(q->mask, l))
			continue;
		w->base[r->dim][l] = split(dp_sub(prepare(r, d_from_bits(w->pos[r->dim][l]), n),
						  half), &f);
		w->weight[r->dim][l] = d_bits(f);
	}
}

/* Bases of a dimension for all lanes, and fractions, from which weights are computed. */
static void plane_bases(struct tx_request *q, const struct wrapping *r, u32 size, bool nearest)
{
	fd n = d_from_s32(size), by = r->normalized ? n : D_ONE, u, whole;
	const u64 *pos = q->w.pos[r->dim];
	u64 *weight = q->w.weight[r->dim];
	fd half = nearest ? D_ZERO : D_HALF;
	s32 *base = q->w.base[r->dim];
	s64 below = -1;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(q->mask, l))
			continue;
		u = dp_mul(d_from_bits(pos[l]), by);
		/* the sign is that of a comparison */
		below &= (s64)d_bits(d_abs(u)) - (s64)d_bits(D_2_20);
		weight[l] = d_bits(dp_sub(u, half));
	}
	if (unlikely(below >= 0)) {
		far_bases(q, r, n, half);
		return;
	}
	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(q->mask, l))
			continue;
		u = d_from_bits(weight[l]);
		whole = d_floor(u);
		base[l] = d_to_s32(whole);
		weight[l] = d_bits(dp_sub(u, whole));
	}
}

static void nearest_weights(struct tx_work *w, u64 mask, bool second)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++)
		if (!LANE_SKIP(mask, l))
			w->weight[0][l] = second ? w->frac[l] :
					  d_bits(dp_sub(D_ONE, d_from_bits(w->frac[l])));
}

/* @two: some lanes have two levels; the weight of others is 1, which changes no product. */
static __always_inline void plane_weights(struct tx_work *w, u64 mask, bool two, bool second)
{
	fd x0, x1, y0, y1, level, one = D_ONE;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		x1 = d_from_bits(w->weight[0][l]);
		y1 = d_from_bits(w->weight[1][l]);
		x0 = dp_sub(one, x1);
		y0 = dp_sub(one, y1);
		if (!two) {
			w->weight[0][l] = d_bits(dp_mul(x0, y0));
			w->weight[1][l] = d_bits(dp_mul(x1, y0));
			w->weight[2][l] = d_bits(dp_mul(x0, y1));
			w->weight[3][l] = d_bits(dp_mul(x1, y1));
			continue;
		}
		level = d_from_bits(w->frac[l]);
		if (!second)
			level = dp_sub(one, level);
		w->weight[0][l] = d_bits(dp_mul(level, dp_mul(x0, y0)));
		w->weight[1][l] = d_bits(dp_mul(level, dp_mul(x1, y0)));
		w->weight[2][l] = d_bits(dp_mul(level, dp_mul(x0, y1)));
		w->weight[3][l] = d_bits(dp_mul(level, dp_mul(x1, y1)));
	}
}

/* lane_coords() for lanes that all sample the same image, one step for all lanes at a time. */
static void plane_coords(struct tx_request *q, const struct wrapping r[3], u32 pass)
{
	bool nearest = q->w.nearest >> q->w.first & 1;
	u32 level = q->w.level[pass][q->w.first];

	plane_bases(q, &r[0], tx_size(q->tex, 0, level), nearest);
	plane_bases(q, &r[1], tx_size(q->tex, 1, level), nearest);
	if (nearest)
		nearest_weights(&q->w, q->mask, pass);
	else if (pass)
		plane_weights(&q->w, q->mask, true, true);
	else if (q->mask & q->w.two)
		plane_weights(&q->w, q->mask, true, false);
	else
		plane_weights(&q->w, q->mask, false, false);
}

/* ---- places in a plane ---- */

/* Modes that keep texels in the image; of other sizes than powers of two, one by one. */
static __always_inline s32 wrap_one(s32 i, s32 n, u32 mode)
{
	s32 two = 2 * n;

	switch (mode) {
	case TX_REPEAT:
		if (!(n & (n - 1)))
			return i & (n - 1);
		i %= n;
		return i < 0 ? i + n : i;
	case TX_MIRRORED_REPEAT:
		if (!(n & (n - 1))) {
			i &= two - 1;
		} else {
			i %= two;
			i = i < 0 ? i + two : i;
		}
		return i < n ? i : two - 1 - i;
	case TX_MIRRORED_CLAMP_TO_EDGE:
		return min(i < 0 ? -1 - i : i, n - 1);
	default:
		return clamp_t(s32, i, 0, n - 1);
	}
}

static __always_inline void wrap_rest(const s32 *base, u32 more, s32 n, u32 mode, s32 *out)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++)
		out[l] = wrap_one((s32)((u32)base[l] + more), n, mode);
}

/* Texel coordinates of all lanes, also inactive ones. */
static void wrap_all(const s32 *base, u32 more, s32 n, u32 mode, s32 *out)
{
	u32 l;

	/* constant arguments, for the compiler */
	if (mode == TX_REPEAT && !(n & (n - 1)))
		for (l = 0; l < SIMT_LANES; l++)
			out[l] = (s32)((u32)base[l] + more) & (n - 1);
	else if (mode == TX_CLAMP_TO_EDGE)
		wrap_rest(base, more, n, TX_CLAMP_TO_EDGE, out);
	else
		wrap_rest(base, more, n, mode, out);
}

/* Bit i of 4 bits becomes bit 2 i. */
static __always_inline u32 spread_bits(u32 i)
{
	i = (i | i << 2) & 0x33;
	return (i | i << 1) & 0x55;
}

/* Offsets of the texels in column @i and row @j of all footprints. */
static __always_inline void place_all(struct tx_work *w, u32 i, u32 j, u32 bytes)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++)
		w->place[2 * j + i][l] = w->row[j][l] +
					 (w->column[i][l] ^ w->in_tile[j][l]) * bytes;
}

void TX_FP_ENTRY(places)(struct tx_request *q, u32 pass, u32 n, u32 row, u32 bytes)
{
	u32 level = q->w.level[pass][q->w.first], k, l, x, y;
	const struct tx_texture *t = q->tex;
	s32 at[2][SIMT_LANES] __aligned(64);
	struct tx_work *w = &q->w;

	for (k = 0; k < n; k++) {
		wrap_all(w->base[0], k, tx_size(t, 0, level), q->samp->wrap[0], at[0]);
		wrap_all(w->base[1], k, tx_size(t, 1, level), q->samp->wrap[1], at[1]);
		if (t->order == PX_LINEAR) {
			for (l = 0; l < SIMT_LANES; l++) {
				w->column[k][l] = at[0][l];
				w->in_tile[k][l] = 0;
				w->row[k][l] = at[1][l] * row;
			}
			continue;
		}
		for (l = 0; l < SIMT_LANES; l++) {
			x = at[0][l];
			y = at[1][l];
			/* px_spread_x, px_spread_y */
			w->column[k][l] = x / PX_TILE * PX_TILE * PX_TILE +
					  spread_bits(x % PX_TILE);
			w->in_tile[k][l] = 3 * spread_bits(y % PX_TILE);
			w->row[k][l] = y / PX_TILE * row;
		}
	}
	for (k = 0; k < n * n; k++)
		place_all(w, k % n, k / n, bytes);
}

void TX_FP_ENTRY(coords)(struct tx_request *q, u32 pass)
{
	u32 l, d, dims = tx_dims(q->tex);
	bool cube = q->tex->dim == TX_DIM_CUBE;
	struct wrapping r[3];

	for (d = 0; d < 3; d++) {
		r[d].dim = d;
		r[d].mode = cube && q->samp->seamless ? TX_CLAMP_TO_EDGE : q->samp->wrap[d];
		r[d].normalized = q->samp->normalized || cube;
	}
	if (q->w.plane) {
		plane_coords(q, r, pass);
		return;
	}
	for (l = 0; l < SIMT_LANES; l++) {
		if (!(q->mask >> l & 1))
			continue;
		lane_coords(q, r, dims, pass, l);
		if (cube && q->samp->seamless && !(q->w.nearest >> l & 1) &&
		    q->op == TX_OP_SAMPLE)
			share_corner(q, l, tx_size(q->tex, 0, q->w.level[pass][l]));
	}
}

/* ---- sums ---- */

static __always_inline void add_texel(struct tx_work *w, u64 mask, u32 k, u32 c, bool first)
{
	u32 l;
	fd p;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		p = dp_mul(d_from_bits(w->weight[k][l]), d_from_f32(w->texel[k][c][l]));
		w->sum[c][l] = d_bits(first ? p : dp_add(d_from_bits(w->sum[c][l]), p));
	}
}

/* @shift: position of the byte. */
static __always_inline void add_byte(struct tx_work *w, u64 mask, u32 k, u32 c, u32 shift,
				     bool first)
{
	u32 l;
	fd p;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		p = dp_mul(d_from_bits(w->weight[k][l]),
			   d_from_unorm8(w->texel[k][0][l] >> shift & 0xff));
		w->sum[c][l] = d_bits(first ? p : dp_add(d_from_bits(w->sum[c][l]), p));
	}
}

/* A texel times its weight. @raw: a byte at @shift, else a number. */
static __always_inline fd add_product(const struct tx_work *w, u32 k, u32 c, u32 l, bool raw,
				      u32 shift)
{
	fd v = raw ? d_from_unorm8(w->texel[k][0][l] >> shift & 0xff) :
		     d_from_f32(w->texel[k][c][l]);

	return dp_mul(d_from_bits(w->weight[k][l]), v);
}

/* The first four texels at once. */
static __always_inline void add_four(struct tx_work *w, u64 mask, u32 c, bool raw, u32 shift)
{
	fd sum;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		sum = dp_add(add_product(w, 0, c, l, raw, shift),
			     add_product(w, 1, c, l, raw, shift));
		sum = dp_add(sum, add_product(w, 2, c, l, raw, shift));
		w->sum[c][l] = d_bits(dp_add(sum, add_product(w, 3, c, l, raw, shift)));
	}
}

static void set_sum(struct tx_work *w, u32 c, fd v)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++)
		w->sum[c][l] = d_bits(v);
}

static void add_bytes(struct tx_request *q, u32 pass, u32 ntexels, u32 c)
{
	u32 k, from = q->w.raw_swizzle[c];

	if (from >= 4) {
		set_sum(&q->w, c, from == PX_SWZ_1 ? D_ONE : D_ZERO);
		return;
	}
	if (!pass && ntexels == 4) {
		add_four(&q->w, q->mask, c, true, 8 * from);
		return;
	}
	for (k = 0; k < ntexels; k++) {
		if (!pass && !k)
			add_byte(&q->w, q->mask, k, c, 8 * from, true);
		else
			add_byte(&q->w, q->mask, k, c, 8 * from, false);
	}
}

void TX_FP_ENTRY(add)(struct tx_request *q, u32 pass, u32 ntexels, u32 comps)
{
	u32 c, k;

	for (c = 0; c < 4; c++) {
		if (!(comps >> c & 1))
			continue;
		if (q->w.raw) {
			add_bytes(q, pass, ntexels, c);
			continue;
		}
		if (!pass && ntexels == 4) {
			add_four(&q->w, q->mask, c, false, 0);
			continue;
		}
		for (k = 0; k < ntexels; k++) {
			if (!pass && !k)
				add_texel(&q->w, q->mask, k, c, true);
			else
				add_texel(&q->w, q->mask, k, c, false);
		}
	}
}

static __always_inline void finish_comp(struct tx_work *w, u64 mask, u32 c)
{
	u32 l, f;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(mask, l))
			continue;
		f = d_to_f32(d_from_bits(w->sum[c][l]));
		w->texel[0][c][l] = (f & 0x7fffffff) > 0x7f800000 ? F_NAN : f;
	}
}

/* A component of all lanes. Weights are numbers from 0 to 1: there is no NaN. */
static __always_inline void mix_bytes(const struct tx_request *q, u32 shift, bool one,
				      u32 *__restrict out)
{
	const struct tx_work *w = &q->w;
	fd sum;
	u32 l;

	for (l = 0; l < SIMT_LANES; l++) {
		if (LANE_SKIP(q->mask, l))
			continue;
		if (one) {
			sum = d_from_unorm8(w->texel[0][0][l] >> shift & 0xff);
		} else {
			sum = dp_add(add_product(w, 0, 0, l, true, shift),
				     add_product(w, 1, 0, l, true, shift));
			sum = dp_add(sum, add_product(w, 2, 0, l, true, shift));
			sum = dp_add(sum, add_product(w, 3, 0, l, true, shift));
		}
		out[l] = d_to_f32(sum);
	}
}

void TX_FP_ENTRY(bytes)(struct tx_request *q, u32 n)
{
	u32 c, l, from, *out;

	for (c = 0; c < 4; c++) {
		if (q->tex->swizzle[c] >= 4)
			continue;
		from = q->w.raw_swizzle[q->tex->swizzle[c]];
		out = ~q->mask ? q->w.texel[c][1] : q->result[c];
		if (from >= 4)
			for (l = 0; l < SIMT_LANES; l++)
				out[l] = from == PX_SWZ_1 ? 0x3f800000 : 0;
		else if (n == 1)
			mix_bytes(q, 8 * from, true, out);
		else
			mix_bytes(q, 8 * from, false, out);
	}
}

void TX_FP_ENTRY(finish)(struct tx_request *q, u32 comps)
{
	/* Constant arguments, for the compiler. */
	if (comps & 1)
		finish_comp(&q->w, q->mask, 0);
	if (comps & 2)
		finish_comp(&q->w, q->mask, 1);
	if (comps & 4)
		finish_comp(&q->w, q->mask, 2);
	if (comps & 8)
		finish_comp(&q->w, q->mask, 3);
}
