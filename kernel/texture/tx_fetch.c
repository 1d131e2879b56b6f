// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Texture unit: texel fetch. Addresses of texels in linear and tiled images, wrap modes, cube
 * edges, decoding, shadow comparison.
 */
#include "tx_fp.h"
#include "tx_intern.h"

#define BLOCK		4	/* texels of an ETC2 block */
#define BORDER		(-1)	/* texel coordinate: outside, border colour */

/* ---- images ---- */

/* Rows and columns in units of the row stride, and bytes of one of these columns. */
static void grid(const struct tx_unit *u, u32 *rows, u32 *columns, u32 *bytes)
{
	u32 side = 1, per = 1;

	if (u->t->order == PX_TILED) {
		side = PX_TILE;
		per = u->blocks ? PX_TILE / BLOCK * (PX_TILE / BLOCK) : PX_TILE * PX_TILE;
	} else if (u->blocks) {
		side = BLOCK;
	}
	*columns = DIV_ROUND_UP(u->img.size[0], side);
	*rows = DIV_ROUND_UP(u->img.size[1], side);
	*bytes = per * u->format.bytes;
}

/* Map an image: strides of @s, or dense; one pointer if the image is contiguous. */
static void map_image(struct tx_unit *u, const struct tx_surface *s)
{
	struct tx_image *im = &u->img;
	u32 rows, columns, bytes;
	u64 size;

	grid(u, &rows, &columns, &bytes);
	im->va = s->va;
	im->row = s->row_stride ? s->row_stride : (s64)columns * bytes;
	im->slice = s->surface_stride ? s->surface_stride : im->row * rows;
	if (im->row < 0 || im->slice < 0)
		return;
	size = (u64)im->row * (rows - 1) + (u64)columns * bytes;
	if (u->t->dim == TX_DIM_3D)
		size += (u64)im->slice * (im->size[2] - 1);
	im->bytes = size;
	if (size && im->va + size > im->va)
		im->p = simt_ptr(u->m, im->va, size, 0);
}

static void select_image(struct tx_unit *u, u32 level, u32 layer, u32 face, u32 sample)
{
	const struct tx_surface *s;
	struct tx_image *im = &u->img;
	u32 d;

	if (im->valid && im->key[0] == level && im->key[1] == layer && im->key[2] == face &&
	    im->key[3] == sample)
		return;
	im->valid = true;
	im->key[0] = level;
	im->key[1] = layer;
	im->key[2] = face;
	im->key[3] = sample;
	for (d = 0; d < 3; d++)
		im->size[d] = d < u->t->dim || (d < 2 && u->t->dim == TX_DIM_CUBE) ?
			      tx_size(u->t, d, level) : 1;
	s = tx_find_surface(u->t, level, layer, face, sample);
	im->exists = s;
	im->va = 0;
	im->p = NULL;
	if (s && s->va)
		map_image(u, s);
}

/*
 * Contribution of a coordinate to a texel's address: offsets add up, and tile indices, in units
 * of a texel or block, are combined by xor.
 */
struct part {
	s64 offset;
	u32 in_tile;
};

static struct part part_x(const struct tx_unit *u, u32 x)
{
	u32 bytes = u->format.bytes;

	if (u->blocks)
		x /= BLOCK;
	if (u->t->order == PX_LINEAR)
		return (struct part){ (u64)x * bytes, 0 };
	if (u->blocks)
		return (struct part){ (u64)(x / BLOCK * BLOCK * BLOCK) * bytes,
				      px_spread_x[x % BLOCK] };
	return (struct part){ (u64)(x / PX_TILE * PX_TILE * PX_TILE) * bytes,
			      px_spread_x[x % PX_TILE] };
}

static struct part part_y(const struct tx_unit *u, u32 y)
{
	if (u->blocks)
		y /= BLOCK;
	if (u->t->order == PX_LINEAR)
		return (struct part){ u->img.row * y, 0 };
	if (u->blocks)
		return (struct part){ u->img.row * (y / BLOCK), px_spread_y[y % BLOCK] };
	return (struct part){ u->img.row * (y / PX_TILE), px_spread_y[y % PX_TILE] };
}

static s64 fetch_join(const struct tx_unit *u, const struct part *x, const struct part *y)
{
	return x->offset + y->offset + (u64)(x->in_tile ^ y->in_tile) * u->format.bytes;
}

/* ---- texels ---- */

static void fetch_decode(const struct tx_unit *u, const u8 *p, u32 x, u32 y, u32 v[4])
{
	const u8 *swizzle = u->format.swizzle;
	u16 h;
	u32 i;

	switch (u->decoder) {
	case DEC_UNORM8:
		for (i = 0; i < 4; i++)
			v[i] = swizzle[i] < 4 ? px_unorm8_to_f32(p[swizzle[i]]) :
			       tx_constant(u, swizzle[i]);
		break;
	case DEC_SRGB8:
		for (i = 0; i < 4; i++) {
			if (swizzle[i] >= 4)
				v[i] = tx_constant(u, swizzle[i]);
			else if (i < 3)
				v[i] = px_srgb_to_f32(p[swizzle[i]]);
			else
				v[i] = px_unorm8_to_f32(p[swizzle[i]]);
		}
		break;
	case DEC_F16:
		for (i = 0; i < 4; i++) {
			memcpy(&h, p + 2 * i, sizeof(h));
			v[i] = vs_f16_to_f32(h);
		}
		break;
	case DEC_F32:
		memcpy(v, p, 4 * sizeof(*v));
		break;
	case DEC_ETC2:
		px_etc2(&u->format, p, x % BLOCK, y % BLOCK, v);
		break;
	default:
		px_unpack(&u->format, p, v);
		break;
	}
}

static const u8 no_bytes[PX_MAX_BYTES];

/* Pointer to a texel of the selected image; zeros if outside. @l: lane, for faults. */
static const u8 *texel_bytes(struct tx_unit *u, s64 at, u32 l)
{
	const struct tx_image *im = &u->img;
	const u8 *p;

	u->q->reads++;
	if (likely(im->p))
		return im->p + at;
	if (!im->va || !u->format.bytes)
		return no_bytes;
	p = simt_ptr(u->m, im->va + at, u->format.bytes, 0);
	if (!p) {
		u->q->fault_va = im->va + at;
		u->q->fault_size = u->format.bytes;
		u->q->fault_lane = l;
	}
	return p;
}

/* Apply the texture's swizzle. */
static u32 swizzled(const struct tx_unit *u, const u32 v[4], u32 i)
{
	u32 s = u->t->swizzle[i];

	return s < 4 ? v[s] : tx_constant(u, s);
}

/* ---- fetches ---- */

static bool fetch_lane(struct tx_unit *u, u32 l)
{
	struct tx_request *q = u->q;
	u32 i, d, c[3] = {}, v[4], face = 0, dims = u->dims;
	struct part x, y;
	const u8 *p;
	u32 layer = q->array ? q->layer[l] : 0, sample = q->ms ? q->sample[l] : 0;

	if (u->t->dim == TX_DIM_CUBE)
		face = q->face[l];
	for (d = 0; d < dims; d++)
		c[d] = q->coord[d][l] + (q->offsets ? (u32)(s32)q->offset[d][l] : 0);
	for (i = 0; i < 4; i++)
		q->result[i][l] = 0;
	select_image(u, q->lod[l], layer, face, sample);
	if (!u->img.exists || (!u->img.va && u->format.bytes))
		return true;
	for (d = 0; d < dims; d++)
		if (c[d] >= u->img.size[d])
			return true;
	x = part_x(u, c[0]);
	y = part_y(u, c[1]);
	p = texel_bytes(u, fetch_join(u, &x, &y) + u->img.slice * c[2], l);
	if (!p)
		return false;
	fetch_decode(u, p, c[0], c[1], v);
	for (i = 0; i < 4; i++)
		q->result[i][l] = swizzled(u, v, i);
	return true;
}

bool tx_fetch(struct tx_unit *u)
{
	u64 mask = u->q->mask;

	for (; mask; mask &= mask - 1)
		if (!fetch_lane(u, __ffs64(mask)))
			return false;
	return true;
}

/* ---- footprints of filters ---- */

static s32 repeat(s32 i, s32 n)
{
	if (!(n & (n - 1)))
		return i & (n - 1);
	i %= n;
	return i < 0 ? i + n : i;
}

/* Wrap a texel coordinate outside of the image, or BORDER. */
static noinline s32 wrap_outside(s32 i, u32 size, u32 mode, bool nearest)
{
	s32 n = (s32)size;

	switch (mode) {
	case TX_REPEAT:
		return repeat(i, n);
	case TX_MIRRORED_REPEAT:
		i = repeat(i, 2 * n);
		return i < n ? i : 2 * n - 1 - i;
	case TX_MIRRORED_CLAMP_TO_EDGE:
		return min(i < 0 ? -1 - i : i, n - 1);
	case TX_CLAMP_TO_BORDER:
		return BORDER;
	case TX_MIRRORED_CLAMP_TO_BORDER:
		i = i < 0 ? -1 - i : i;
		return i < n ? i : BORDER;
	case TX_CLAMP:
	case TX_MIRRORED_CLAMP:
		/* The coordinate is inside already, its neighbour may be outside. */
		if (!nearest)
			return BORDER;
		break;
	}
	return i < 0 ? 0 : n - 1;
}

static inline s32 wrap(s32 i, u32 size, u32 mode, bool nearest)
{
	return likely((u32)i < size) ? i : wrap_outside(i, size, mode, nearest);
}

/*
 * Next face for a texel one step outside of one edge. With face coordinates from -n to n, the
 * coordinate that is outside becomes the major axis, and the old major axis becomes a coordinate
 * half a texel inside of the new face's edge.
 */
static u32 next_face(u32 face, s32 *x, s32 *y, s32 n)
{
	/* Axes of s and t, bit 2: negative. */
	static const u8 s_axis[TX_CUBE_FACES] = { 6, 2, 0, 0, 0, 4 };
	static const u8 t_axis[TX_CUBE_FACES] = { 5, 5, 2, 6, 5, 5 };
	s32 v[3], s = 2 * *x + 1 - n, t = 2 * *y + 1 - n;
	u32 as = s_axis[face] & 3, at = t_axis[face] & 3, am = face >> 1, m;

	v[as] = s_axis[face] & 4 ? -s : s;
	v[at] = t_axis[face] & 4 ? -t : t;
	v[am] = face & 1 ? 1 - n : n - 1;
	m = s < -n || s > n ? as : at;
	face = 2 * m + (v[m] < 0);
	s = v[s_axis[face] & 3];
	t = v[t_axis[face] & 3];
	*x = ((s_axis[face] & 4 ? -s : s) + n - 1) / 2;
	*y = ((t_axis[face] & 4 ? -t : t) + n - 1) / 2;
	return face;
}

/* Map binary32 to integers in the same order; zeros are equal. */
static s32 order(u32 f)
{
	return f >> 31 ? -(s32)(f & 0x7fffffff) : (s32)f;
}

static u32 fetch_compare(const struct tx_unit *u, u32 texel, u32 ref)
{
	u32 func = u->s->func, is;

	if (u->format.comp == PX_UNORM)
		ref = tx_limit(ref);
	if ((texel & 0x7fffffff) > 0x7f800000 || (ref & 0x7fffffff) > 0x7f800000)
		return (func & 5) == 5 ? 0x3f800000 : 0;
	is = order(texel) < order(ref) ? 1 : order(texel) == order(ref) ? 2 : 4;
	return func & is ? 0x3f800000 : 0;
}

static void compare_texel(const struct tx_unit *u, u32 l, u32 v[4])
{
	u32 i, d = fetch_compare(u, v[0], u->q->ref[l]), first = u->format.swizzle[0];

	for (i = 0; i < 4; i++)
		if (u->format.swizzle[i] == first)
			v[i] = d;
}

/* Decode texel @k of the footprint, at @x, @y. */
static void set_texel(struct tx_unit *u, u32 k, u32 l, const u8 *p, u32 x, u32 y)
{
	struct tx_work *w = &u->q->w;
	u32 i, v[4] = {};

	if (w->raw) {
		if (u->format.bytes == 4)
			memcpy(v, p, 4);
		else
			memcpy(v, p, u->format.bytes & 3);
		w->texel[k][0][l] = v[0];
		return;
	}
	fetch_decode(u, p, x, y, v);
	if (u->q->shadow)
		compare_texel(u, l, v);
	for (i = 0; i < 4; i++)
		w->texel[k][i][l] = v[i];
}

static void set_border_texel(struct tx_unit *u, u32 k, u32 l)
{
	u32 i, v[4];

	memcpy(v, u->border, sizeof(v));
	if (u->q->shadow)
		compare_texel(u, l, v);
	for (i = 0; i < 4; i++)
		u->q->w.texel[k][i][l] = v[i];
}

static void zero_texel(struct tx_work *w, u32 k, u32 l)
{
	u32 i;

	for (i = 0; i < (w->raw ? 1 : 4); i++)
		w->texel[k][i][l] = 0;
}

static bool has_image(struct tx_unit *u, u32 l)
{
	if (u->img.exists && (u->img.va || !u->format.bytes))
		return true;
	u->none |= BIT_ULL(l);
	return false;
}

/**
 * struct corners - two texel coordinates per dimension
 * @c:		texels, or BORDER
 * @x:		address contributions of the two columns
 * @y:		address contributions of the two rows
 */
struct corners {
	s32 c[3][2];
	struct part x[2];
	struct part y[2];
};

/* @n: coordinates needed per dimension. */
static void find_corners(const struct tx_unit *u, u32 l, u32 n, bool nearest,
			 struct corners *t)
{
	const struct tx_request *q = u->q;
	u32 d, i;
	s32 c;

	for (d = 0; d < u->dims; d++) {
		c = q->w.base[d][l] + (q->offsets ? q->offset[d][l] : 0);
		for (i = 0; i < n; i++)
			t->c[d][i] = wrap(c + (s32)i, u->img.size[d], u->s->wrap[d], nearest);
	}
	for (; d < 3; d++)
		memset(t->c[d], 0, sizeof(t->c[d]));
	for (i = 0; i < n; i++) {
		t->x[i] = part_x(u, t->c[0][i]);
		t->y[i] = part_y(u, t->c[1][i]);
	}
}

/* Fetch a lane's footprint from one image. Return: false with a fault. */
static bool read_flat(struct tx_unit *u, u32 pass, u32 ntexels, u32 l, u32 layer, bool all)
{
	struct tx_work *w = &u->q->w;
	bool nearest = w->nearest >> l & 1;
	struct corners t;
	const u8 *p;
	u32 k;

	select_image(u, w->level[pass][l], layer, 0, 0);
	if (!has_image(u, l))
		return true;
	find_corners(u, l, ntexels > 1 ? 2 : 1, nearest, &t);
	for (k = 0; k < ntexels; k++) {
		u32 i = k & 1, j = k >> 1 & 1, m = k >> 2;

		if (!all && !(w->weight[k][l] << 1)) {
			zero_texel(w, k, l);
			continue;
		}
		if (t.c[0][i] == BORDER || t.c[1][j] == BORDER || t.c[2][m] == BORDER) {
			set_border_texel(u, k, l);
			continue;
		}
		p = texel_bytes(u, fetch_join(u, &t.x[i], &t.y[j]) + u->img.slice * t.c[2][m], l);
		if (!p)
			return false;
		set_texel(u, k, l, p, t.c[0][i], t.c[1][j]);
	}
	return true;
}

/* Face and coordinates of texel @k of a footprint in a cube. */
static u32 place_texel(const struct tx_unit *u, u32 pass, u32 k, u32 l, s32 c[2])
{
	const struct tx_work *w = &u->q->w;
	u32 face = w->face[l], n = tx_size(u->t, 0, w->level[pass][l]);
	bool nearest = w->nearest >> l & 1;

	c[0] = w->base[0][l] + (s32)(k & 1);
	c[1] = w->base[1][l] + (s32)(k >> 1);
	if (!u->s->seamless)
		return face;
	/* Missing corners use the nearest texel; only GATHER reads them. */
	if (nearest || tx_corner(c[0], c[1], n)) {
		c[0] = clamp_t(s32, c[0], 0, n - 1);
		c[1] = clamp_t(s32, c[1], 0, n - 1);
	} else if ((u32)c[0] >= n || (u32)c[1] >= n) {
		face = next_face(face, &c[0], &c[1], n);
	}
	return face;
}

/* Fetch a lane's footprint from a cube; it may span faces. Return: false with a fault. */
static bool read_cube(struct tx_unit *u, u32 pass, u32 ntexels, u32 l, u32 layer, bool all)
{
	struct tx_work *w = &u->q->w;
	bool nearest = w->nearest >> l & 1;
	struct part x, y;
	u32 k, d, face;
	const u8 *p;
	s32 c[2];

	for (k = 0; k < ntexels; k++) {
		if (!all && !(w->weight[k][l] << 1)) {
			zero_texel(w, k, l);
			continue;
		}
		face = place_texel(u, pass, k, l, c);
		select_image(u, w->level[pass][l], layer, face, 0);
		if (!has_image(u, l))
			return true;
		for (d = 0; d < 2; d++)
			c[d] = wrap(c[d], u->img.size[d], u->s->wrap[d], nearest);
		if (c[0] == BORDER || c[1] == BORDER) {
			set_border_texel(u, k, l);
			continue;
		}
		x = part_x(u, c[0]);
		y = part_y(u, c[1]);
		p = texel_bytes(u, fetch_join(u, &x, &y), l);
		if (!p)
			return false;
		set_texel(u, k, l, p, c[0], c[1]);
	}
	return true;
}

/* Fetch a lane's footprint; @all: including zero weights. Return: false with a fault. */
static bool read_lane(struct tx_unit *u, u32 pass, u32 ntexels, u32 l, bool all)
{
	struct tx_work *w = &u->q->w;
	u32 layer = u->q->array ? u->q->layer[l] : 0;

	if (layer >= u->t->array_size && u->s->clamp_int_array)
		layer = u->t->array_size - 1;
	if (!(w->active >> l & 1) || layer >= u->t->array_size) {
		u->none |= BIT_ULL(l);
		return true;
	}
	return u->t->dim == TX_DIM_CUBE ? read_cube(u, pass, ntexels, l, layer, all) :
					    read_flat(u, pass, ntexels, l, layer, all);
}

bool tx_map_plane(struct tx_unit *u, u32 pass)
{
	const struct tx_request *q = u->q;
	const struct tx_work *w = &q->w;
	u32 layer;

	if (!w->plane || !w->raw || (u->format.bytes != 4 && u->format.bytes != 1))
		return false;
	layer = q->array ? q->layer[w->first] : 0;
	if (layer >= u->t->array_size && u->s->clamp_int_array)
		layer = u->t->array_size - 1;
	select_image(u, w->level[pass][w->first], layer, 0, 0);
	return u->img.p && u->img.bytes <= ~0U;
}

/* A lane's four texels of four bytes each: all are read before one is written. */
static __always_inline void fetch_read_four(struct tx_work *w, const u8 *image, u32 l)
{
	u32 a, b, c, d;

	memcpy(&a, image + w->place[0][l], 4);
	memcpy(&b, image + w->place[1][l], 4);
	memcpy(&c, image + w->place[2][l], 4);
	memcpy(&d, image + w->place[3][l], 4);
	w->texel[0][0][l] = a;
	w->texel[1][0][l] = b;
	w->texel[2][0][l] = c;
	w->texel[3][0][l] = d;
}

/* Inactive lanes read some address within it, too, which is cheaper than masking. */
static __always_inline void fetch_read_places(struct tx_unit *u, bool words, u32 ntexels)
{
	struct tx_work *w = &u->q->w;
	const u8 *image = u->img.p;
	u32 l, k;

	for (l = 0; l < SIMT_LANES; l++) {
		if (words && ntexels == 4) {
			fetch_read_four(w, image, l);
			continue;
		}
		for (k = 0; k < ntexels; k++) {
			if (words)
				memcpy(&w->texel[k][0][l], image + w->place[k][l], 4);
			else
				w->texel[k][0][l] = image[w->place[k][l]];
		}
	}
}

void tx_read_plane(struct tx_unit *u, u32 ntexels)
{
	u->q->reads += ntexels * hweight64(u->q->mask);
	if (u->format.bytes == 1)
		fetch_read_places(u, false, ntexels);
	else if (ntexels == 1)
		fetch_read_places(u, true, 1);
	else
		fetch_read_places(u, true, 4);
}

bool tx_read_texels(struct tx_unit *u, u32 pass, u32 ntexels, bool all)
{
	u64 mask = u->q->mask;

	for (; mask; mask &= mask - 1)
		if (!read_lane(u, pass, ntexels, __ffs64(mask), all))
			return false;
	return true;
}
