// SPDX-License-Identifier: GPL-2.0
/* Textures with known texels, and the expected results of sampling. */
#include <math.h>

#include "texmodel.h"

/* Machine whose memory is the texture: addresses past @x->used are not mapped. */
struct simt_machine *tm_machine(struct tm_texture *x)
{
	static u8 memory[1 << 16] __aligned(64);
	static struct vs_extent ext;
	static const struct vs_map map = { 1, &ext };
	static struct simt_arena arena = { .base = memory, .size = sizeof(memory) };
	static struct simt_machine *machine;

	ext.lo = TM_VA;
	ext.hi = TM_VA + x->used;
	ext.kva = x->mem;
	if (!machine)
		machine = simt_machine_new(&arena, &map);
	return machine;
}

u32 tm_rnd(void)
{
	static u64 s = 88172645463325252ULL;

	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return (u32)(s >> 16);
}

float tm_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

u32 tm_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

void tm_new(struct tm_texture *x)
{
	memset(x, 0, sizeof(*x));
	x->mem = calloc(1, TM_SIZE);
	x->texel = calloc(TM_TEXELS, sizeof(*x->texel));
	x->t.surfaces = x->surfaces;
	x->t.va = 0x1000;
	x->t.width = 1;
	x->t.height = 1;
	x->t.depth = 1;
	x->t.array_size = 1;
	x->t.samples = 1;
	x->t.levels = 1;
	x->t.order = PX_LINEAR;
	x->t.swizzle[1] = 1;
	x->t.swizzle[2] = 2;
	x->t.swizzle[3] = 3;
	x->t.max_lod = 31 << 8;
}

void tm_free(struct tm_texture *x)
{
	free(x->mem);
	free(x->texel);
}

/* ---- memory ---- */

static u32 at_least_1(u32 n)
{
	return n ? n : 1;
}

static u32 size_of(const struct tx_texture *t, u32 d, u32 level)
{
	u32 n = d == 0 ? t->width : d == 1 ? t->height : t->depth;

	if ((d == 1 && t->dim == TX_DIM_1D) || (d == 2 && t->dim != TX_DIM_3D))
		return 1;
	return at_least_1(n >> level);
}

static u32 faces_of(const struct tx_texture *t)
{
	return t->dim == TX_DIM_CUBE ? 6 : 1;
}

/* v7: levels vary fastest, then samples, faces, layers; before, levels come after faces. */
static u32 surface_of(const struct tm_texture *x, u32 level, u32 layer, u32 face, u32 sample)
{
	const struct tx_texture *t = &x->t;

	if (x->arch == MALI_V7)
		return level + t->levels * (sample + t->samples * (face + faces_of(t) * layer));
	return sample + t->samples * (face + faces_of(t) * (level + t->levels * layer));
}

/* Bits of coordinates, from the definition: y3, y3 ^ x3, y2, ... */
static u32 interleave(u32 x, u32 y, u32 n)
{
	u32 r = 0;

	while (n--)
		r = r << 2 | (y >> n & 1) << 1 | ((x ^ y) >> n & 1);
	return r;
}

/* Byte of a texel, or block, in a slice. */
static u32 byte_of(const struct tx_texture *t, u32 row, u32 x, u32 y)
{
	u32 bytes = t->format.bytes;

	if (t->format.layout == PX_ETC2) {
		if (t->order == PX_LINEAR)
			return y / 4 * row + x / 4 * bytes;
		return y / 16 * row +
		       (x / 16 * 16 + interleave(x / 4 % 4, y / 4 % 4, 2)) * bytes;
	}
	if (t->order == PX_LINEAR)
		return y * row + x * bytes;
	return y / 16 * row + (x / 16 * 256 + interleave(x % 16, y % 16, 4)) * bytes;
}

/* Bytes per row in units of the row stride; @rows: number of rows. */
static u32 dense_row(const struct tx_texture *t, u32 w, u32 h, u32 *rows)
{
	bool etc = t->format.layout == PX_ETC2;

	if (t->order == PX_TILED) {
		*rows = (h + 15) / 16;
		return (w + 15) / 16 * (etc ? 16 : 256) * t->format.bytes;
	}
	*rows = etc ? (h + 3) / 4 : h;
	return (etc ? (w + 3) / 4 : w) * t->format.bytes;
}

static void read_back(struct tm_texture *x, u32 s, u32 level, u32 texel)
{
	struct tx_texture *t = &x->t;
	u32 w = size_of(t, 0, level), h = size_of(t, 1, level), d = size_of(t, 2, level);
	u32 i, j, k, row = x->surfaces[s].row_stride, slice = x->surfaces[s].surface_stride, rows;
	u8 *p = x->mem + (x->surfaces[s].va - TM_VA);

	if (!row)
		row = dense_row(t, w, h, &rows);
	if (!slice)
		slice = row * (dense_row(t, w, h, &rows), rows);
	for (k = 0; k < d; k++)
		for (j = 0; j < h; j++)
			for (i = 0; i < w; i++, texel++) {
				u8 *at = p + k * slice + byte_of(t, row, i, j);

				if (t->format.layout == PX_ETC2)
					px_etc2(&t->format, at, i & 3, j & 3, x->texel[texel]);
				else
					px_unpack(&t->format, at, x->texel[texel]);
			}
}

/* Halves and floats that are numbers of moderate size. */
static void fill_bytes(const struct px_format *f, u8 *p, u32 n)
{
	u32 i, v[4];

	for (i = 0; i < n; i++)
		p[i] = tm_rnd();
	if (f->comp != PX_FLOAT || f->layout == PX_SHARED_EXP)
		return;
	for (i = 0; i + f->bytes <= n; i += f->bytes) {
		v[0] = tm_bits((float)(s32)tm_rnd() / 268435456.0f);
		v[1] = tm_bits((float)(s32)tm_rnd() / 268435456.0f);
		v[2] = tm_bits((float)(s32)tm_rnd() / 268435456.0f);
		v[3] = tm_bits((float)(s32)tm_rnd() / 268435456.0f);
		px_pack(f, v, 4, p + i);
	}
}

bool tm_fill(struct tm_texture *x, bool dense)
{
	struct tx_texture *t = &x->t;
	u32 level, layer, face, sample, s, row, rows, slice, texel = 0, n;

	t->level_inner = x->arch == MALI_V7;
	t->nsurfaces = t->levels * t->array_size * faces_of(t) * t->samples;
	if (t->nsurfaces > TM_SURFACES)
		return false;
	x->used = 0;
	for (layer = 0; layer < t->array_size; layer++)
		for (level = 0; level < t->levels; level++)
			for (face = 0; face < faces_of(t); face++)
				for (sample = 0; sample < t->samples; sample++) {
					u32 w = size_of(t, 0, level), h = size_of(t, 1, level);
					u32 d = size_of(t, 2, level);

					s = surface_of(x, level, layer, face, sample);
					row = dense_row(t, w, h, &rows);
					if (!dense && t->order == PX_LINEAR)
						row += 64 - row % 64;
					slice = row * rows + (dense ? 0 : 64);
					n = slice * d;
					if (x->used + n > TM_SIZE || texel + w * h * d > TM_TEXELS)
						return false;
					x->surfaces[s].va = TM_VA + x->used;
					x->surfaces[s].row_stride = dense ? 0 : row;
					x->surfaces[s].surface_stride = dense ? 0 : slice;
					x->first[s] = texel;
					fill_bytes(&t->format, x->mem + x->used, n);
					x->used += n;
					read_back(x, s, level, texel);
					texel += w * h * d;
				}
	return true;
}

/* ---- texels ---- */

struct place {
	u32 level, layer, face, sample;
	int x, y, z;
};

static const u32 *texel_at(const struct tm_texture *x, const struct place *p)
{
	u32 w = size_of(&x->t, 0, p->level), h = size_of(&x->t, 1, p->level);
	u32 s = surface_of(x, p->level, p->layer, p->face, p->sample);

	return x->texel[x->first[s] + ((u32)p->z * h + (u32)p->y) * w + (u32)p->x];
}

/* A component as a number. */
static double number(const struct tm_texture *x, u32 v)
{
	switch (px_format_kind(&x->t.format)) {
	case PX_KIND_U32:
		return v;
	case PX_KIND_S32:
		return (s32)v;
	default:
		return tm_float(v);
	}
}

static u32 constant(const struct tm_texture *x, u32 swizzle)
{
	return swizzle == PX_SWZ_1 ? px_one(px_format_kind(&x->t.format)) : 0;
}

/* Border colour after the format's component order, as in GL. */
static double border(const struct tm_texture *x, const struct tx_sampler *s, u32 i)
{
	const struct px_format *f = &x->t.format;
	double d;

	if (f->swizzle[i] >= 4)
		return number(x, constant(x, f->swizzle[i]));
	d = number(x, s->border[i]);
	if (f->comp == PX_UNORM)
		return fmin(fmax(d, 0), 1);
	return f->comp == PX_SNORM ? fmin(fmax(d, -1), 1) : d;
}

/* Return: false: outside. */
static bool wrapped(int *i, int n, u32 mode, bool nearest)
{
	int p;

	switch (mode) {
	case TX_REPEAT:
		*i = ((*i % n) + n) % n;
		return true;
	case TX_MIRRORED_REPEAT:
		p = ((*i % (2 * n)) + 2 * n) % (2 * n);
		*i = p < n ? p : 2 * n - 1 - p;
		return true;
	case TX_MIRRORED_CLAMP_TO_EDGE:
		p = *i < 0 ? -1 - *i : *i;
		*i = p < n ? p : n - 1;
		return true;
	case TX_CLAMP_TO_BORDER:
		return *i >= 0 && *i < n;
	case TX_MIRRORED_CLAMP_TO_BORDER:
		*i = *i < 0 ? -1 - *i : *i;
		return *i < n;
	case TX_CLAMP:
	case TX_MIRRORED_CLAMP:
		if (!nearest)
			return *i >= 0 && *i < n;
		fallthrough;
	default:
		*i = *i < 0 ? 0 : *i < n ? *i : n - 1;
		return true;
	}
}

/* ---- cubes ---- */

static const int axes[6][3][3] = {
	/* directions of s, t and the face */
	{ { 0, 0, -1 }, { 0, -1, 0 }, { 1, 0, 0 } },
	{ { 0, 0, 1 }, { 0, -1, 0 }, { -1, 0, 0 } },
	{ { 1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
	{ { 1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 } },
	{ { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } },
	{ { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } },
};

/* Face and coordinates from 0 to 1 of a direction. */
static u32 face_of(const double v[3], double *s, double *t)
{
	u32 face, best = 0, i;
	double m = -1, c[6][3];

	for (face = 0; face < 6; face++) {
		for (i = 0; i < 3; i++)
			c[face][i] = v[0] * axes[face][i][0] + v[1] * axes[face][i][1] +
				     v[2] * axes[face][i][2];
		if (c[face][2] > m) {
			m = c[face][2];
			best = face;
		}
	}
	*s = m ? (c[best][0] / m + 1) / 2 : 0.5;
	*t = m ? (c[best][1] / m + 1) / 2 : 0.5;
	return best;
}

/* Point of the plane of a face. */
static void point_of(u32 face, double s, double t, double v[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		v[i] = (2 * s - 1) * axes[face][0][i] + (2 * t - 1) * axes[face][1][i] +
		       axes[face][2][i];
}

/* The texel that the centre of one outside of the face is seen on. */
static void over_edge(struct place *p, int n)
{
	double v[3], s, t;

	point_of(p->face, (p->x + 0.5) / n, (p->y + 0.5) / n, v);
	p->face = face_of(v, &s, &t);
	p->x = (int)floor(s * n);
	p->y = (int)floor(t * n);
}

/* ---- sampling ---- */

/* Coordinates of a lane; of cubes the face, too. */
static u32 coordinates(const struct tm_texture *x, const struct tx_request *q, u32 l, double c[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		c[i] = tm_float(q->coord[i][l]);
	if (x->t.dim != TX_DIM_CUBE)
		return 0;
	if (q->cube_dir)
		return face_of(c, &c[0], &c[1]);
	return q->face[l];
}

/* Compare, if requested. */
static double shadowed(const struct tm_texture *x, const struct tx_request *q, u32 l,
		       double texel)
{
	double ref = tm_float(q->ref[l]);

	if (x->t.format.comp == PX_UNORM)
		ref = fmin(fmax(ref, 0), 1);
	return !!(q->samp->func & (texel < ref ? 1 : texel == ref ? 2 : 4));
}

/* r, g, b, a of a texel, before the texture's swizzle. */
static void fetch_texel(const struct tm_texture *x, const struct tx_request *q, u32 l,
			struct place p, bool nearest, double out[4])
{
	const struct px_format *f = &x->t.format;
	u32 d, i, dims = x->t.dim == TX_DIM_CUBE ? 2 : x->t.dim;
	int *c[3] = { &p.x, &p.y, &p.z };
	bool inside = true;
	const u32 *v;

	if (x->t.dim == TX_DIM_CUBE && q->samp->seamless && !nearest)
		over_edge(&p, (int)size_of(&x->t, 0, p.level));
	for (d = 0; d < dims; d++) {
		u32 mode = x->t.dim == TX_DIM_CUBE && q->samp->seamless ?
			   TX_CLAMP_TO_EDGE : q->samp->wrap[d];

		if (!wrapped(c[d], (int)size_of(&x->t, d, p.level), mode, nearest))
			inside = false;
	}
	v = inside ? texel_at(x, &p) : NULL;
	for (i = 0; i < 4; i++)
		out[i] = v ? number(x, v[i]) : border(x, q->samp, i);
	if (!q->shadow)
		return;
	out[0] = shadowed(x, q, l, out[0]);
	for (i = 1; i < 4; i++)
		if (f->swizzle[i] == f->swizzle[0])
			out[i] = out[0];
}

static double texel_coord(const struct tm_texture *x, const struct tx_request *q, double c, u32 d,
			  u32 level)
{
	double n = size_of(&x->t, d, level);
	double u = q->samp->normalized || x->t.dim == TX_DIM_CUBE ? c * n : c;

	if (x->t.dim == TX_DIM_CUBE && q->samp->seamless)
		return u;
	if (q->samp->wrap[d] == TX_CLAMP)
		return fmin(fmax(u, 0), n);
	return q->samp->wrap[d] == TX_MIRRORED_CLAMP ? fmin(fabs(u), n) : u;
}

static u32 layer_of(const struct tm_texture *x, const struct tx_request *q, u32 l)
{
	if (!q->array)
		return 0;
	return q->layer[l] < x->t.array_size ? q->layer[l] : x->t.array_size - 1;
}

/* The three texels at a corner instead of four. */
static bool is_corner(const struct tm_texture *x, const struct tx_request *q,
		      const struct place *p)
{
	int n = (int)size_of(&x->t, 0, p->level);

	return x->t.dim == TX_DIM_CUBE && q->samp->seamless && (p->x < 0 || p->x >= n) &&
	       (p->y < 0 || p->y >= n);
}

static void sample_level(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 level,
			 bool nearest, double weight, double sum[4])
{
	u32 d, i, k, dims = x->t.dim == TX_DIM_CUBE ? 2 : x->t.dim;
	double c[3], u, f[3] = {}, w[8], v[4], corner = 0;
	int base[3] = {};
	u32 face = coordinates(x, q, l, c), ntexels = nearest ? 1 : 1U << dims;

	for (d = 0; d < dims; d++) {
		u = texel_coord(x, q, c[d], d, level) - (nearest ? 0 : 0.5);
		base[d] = (int)floor(u);
		f[d] = u - base[d];
		if (q->offsets && x->t.dim != TX_DIM_CUBE)
			base[d] += q->offset[d][l];
	}
	for (k = 0; k < 2 * ntexels; k++) {
		struct place p = { level, layer_of(x, q, l), face, 0, base[0] + (k & 1),
				   base[1] + (k >> 1 & 1), base[2] + (k >> 2 & 1) };

		/* First the weights, then the texels. */
		if (k < ntexels) {
			w[k] = weight;
			for (d = 0; d < dims && !nearest; d++)
				w[k] *= k >> d & 1 ? f[d] : 1 - f[d];
			if (!nearest && is_corner(x, q, &p)) {
				corner = w[k];
				w[k] = -1;
			}
			continue;
		}
		i = k - ntexels;
		p.x = base[0] + (int)(i & 1);
		p.y = base[1] + (int)(i >> 1 & 1);
		p.z = base[2] + (int)(i >> 2 & 1);
		if (w[i] < 0 || (!w[i] && !corner))
			continue;
		fetch_texel(x, q, l, p, nearest, v);
		for (d = 0; d < 4; d++)
			sum[d] += (w[i] + corner / 3) * v[d];
	}
}

static void swizzle(const struct tm_texture *x, const double in[4], double out[4])
{
	u32 i, s;

	for (i = 0; i < 4; i++) {
		s = x->t.swizzle[i];
		out[i] = s < 4 ? in[s] : number(x, constant(x, s));
	}
}

void tm_sample(const struct tm_texture *x, const struct tx_request *q, u32 l, double lod,
	       double out[4])
{
	const struct tx_sampler *s = q->samp;
	double sum[4] = {}, top = x->t.levels - 1, frac;
	bool filter = px_format_kind(&x->t.format) == PX_KIND_F32, nearest;

	lod += s->lod_bias / 256.0;
	lod = fmax(lod, s->min_lod / 256.0);
	if (q->bounded)
		lod = fmax(lod, q->bound[l] / 256.0);
	lod = fmin(lod, s->max_lod / 256.0);
	nearest = !filter ||
		  (lod > (s->mag_cutoff ? 0.5 : 0) ? s->min_nearest : s->mag_nearest);
	if (s->mip == TX_MIP_NONE)
		lod = 0;
	lod = fmin(lod, fmin(top, x->t.max_lod / 256.0));
	lod = fmax(lod, fmin(top, fmax(x->t.min_level, x->t.min_lod / 256.0)));
	if (s->mip == TX_MIP_TRILINEAR && filter) {
		frac = lod - floor(lod);
		sample_level(x, q, l, (u32)lod, nearest, 1 - frac, sum);
		if (frac)
			sample_level(x, q, l, (u32)lod + 1, nearest, frac, sum);
	} else {
		sample_level(x, q, l, (u32)floor(lod + 0.5), nearest, 1, sum);
	}
	swizzle(x, sum, out);
}

/* Points of cubes are seen in the plane of face @to, unless they are behind it. */
static void lod_point(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 to,
		      double p[3])
{
	u32 d, face = coordinates(x, q, l, p);
	double v[3], m = 0;

	if (x->t.dim == TX_DIM_CUBE) {
		point_of(face, p[0], p[1], v);
		for (d = 0; d < 3; d++)
			m += v[d] * axes[to][2][d];
		for (d = 0; d < 3; d++)
			p[d] = v[d] / (m > 0 ? m : 1) * x->t.width / 2;
		return;
	}
	for (d = 0; d < 3; d++)
		p[d] = d < x->t.dim ? p[d] * (q->samp->normalized ? size_of(&x->t, d, 0) : 1) : 0;
}

double tm_lod(const struct tm_texture *x, const struct tx_request *q, u32 l)
{
	double p[3][3], a, b;
	u32 i, face = coordinates(x, q, l, p[0]);

	l &= ~3U;
	for (i = 0; i < 3; i++)
		lod_point(x, q, l + i, face, p[i]);
	a = hypot(hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]), p[1][2] - p[0][2]);
	b = hypot(hypot(p[2][0] - p[0][0], p[2][1] - p[0][1]), p[2][2] - p[0][2]);
	return log2(fmax(fmax(a, b), 1e-10));
}

void tm_fetch(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 out[4])
{
	u32 d, i, s, dims = x->t.dim == TX_DIM_CUBE ? 2 : x->t.dim;
	struct place p = { q->lod[l], q->array ? q->layer[l] : 0,
			   x->t.dim == TX_DIM_CUBE ? q->face[l] : 0,
			   q->ms ? q->sample[l] : 0 };
	int *c[3] = { &p.x, &p.y, &p.z };
	const u32 *v;

	memset(out, 0, 4 * sizeof(*out));
	if (p.level >= x->t.levels || p.layer >= x->t.array_size || p.face >= faces_of(&x->t) ||
	    p.sample >= x->t.samples)
		return;
	for (d = 0; d < dims; d++) {
		*c[d] = (int)q->coord[d][l] + (q->offsets ? q->offset[d][l] : 0);
		if (*c[d] < 0 || *c[d] >= (int)size_of(&x->t, d, p.level))
			return;
	}
	v = texel_at(x, &p);
	for (i = 0; i < 4; i++) {
		s = x->t.swizzle[i];
		out[i] = s < 4 ? v[s] : constant(x, s);
	}
}

void tm_gather(const struct tm_texture *x, const struct tx_request *q, u32 l, u32 dx, u32 dy,
	       double *out)
{
	double c[3], u[2], v[4], r[4];
	struct place p = { 0, layer_of(x, q, l), coordinates(x, q, l, c) };
	u32 d;

	for (d = 0; d < 2; d++)
		u[d] = floor(texel_coord(x, q, c[d], d, 0) - 0.5) +
		       (q->offsets && x->t.dim != TX_DIM_CUBE ? q->offset[d][l] : 0);
	p.x = (int)u[0] + (int)dx;
	p.y = (int)u[1] + (int)dy;
	fetch_texel(x, q, l, p, is_corner(x, q, &p), v);
	swizzle(x, v, r);
	*out = r[q->comp];
}
