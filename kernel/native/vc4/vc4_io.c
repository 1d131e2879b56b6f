// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Loads and stores of tiles. Colours in the tile buffer are the words of 8888 images; those of 565
 * images have the upper bits of components, and a load repeats these. An image of one sample is
 * loaded to all samples. Utiles are transferred whole: images in T and LT consist of whole ones.
 */
#include "vc4_render.h"

#define FULL_TILE	16384	/* bytes of a tile in full resolution */
#define FULL_SIDE	32	/* pixels */
#define UTILE		64	/* bytes */
#define OPAQUE		0xff000000U

static u32 side_of(const struct vc4_render *r)
{
	return r->ms ? 32 : 64;
}

/* ---- pixels ---- */

static u32 expand(u32 v)
{
	u32 c0 = v & 31, c1 = v >> 5 & 63, c2 = v >> 11;

	return OPAQUE | (c0 << 3 | c0 >> 2) << 16 | (c1 << 2 | c1 >> 4) << 8 | (c2 << 3 | c2 >> 2);
}

static u32 reduce(u32 v)
{
	return (v >> 3 & 31) << 11 | (v >> 10 & 63) << 5 | (v >> 19 & 31);
}

/* Mean of the bytes of four samples, halves up. */
static u32 mean(const u32 *v)
{
	u32 even = 0x00020002, odd = 0x00020002, k;

	for (k = 0; k < 4; k++) {
		even += v[4 * k] & 0x00ff00ff;
		odd += v[4 * k] >> 8 & 0x00ff00ff;
	}
	return (even >> 2 & 0x00ff00ff) | (odd << 6 & 0xff00ff00);
}

static u32 vc4_io_sample_of(const struct vr_tile *t, u32 x, u32 y)
{
	return vr_tile_index(t, x, y) + (x & 1) + 2 * (y & 1);
}

static u32 store_pixel(const struct vr_tile *t, const struct vc4_access *a, u32 x, u32 y)
{
	u32 at = vc4_io_sample_of(t, x, y), v;
	const u32 *colour = (const u32 *)t->colour[0];

	if (a->kind == VC4_ZS)
		return t->z[at] << 8 | t->s[at];
	v = a->mean && t->samples == 4 ? mean(colour + at) : colour[at];
	return a->bytes == 2 ? reduce(v) : v;
}

static void load_pixel(struct vr_tile *t, const struct vc4_access *a, u32 x, u32 y, u32 v)
{
	u32 at = vc4_io_sample_of(t, x, y), k;
	u32 *colour = (u32 *)t->colour[0];

	for (k = 0; k < t->samples; k++, at += 4) {
		if (a->kind == VC4_ZS) {
			t->z[at] = v >> 8;
			t->s[at] = v & 0xff;
		} else {
			colour[at] = a->bytes == 2 ? expand(v) : v;
		}
	}
}

/* ---- rows ---- */

/* Depth and stencil of @n pixels, 1 or 2, from sample @at of a tile with one sample. */
static __always_inline u64 vc4_io_get_zs(const struct vr_tile *t, u32 at, u32 n)
{
	u64 z = 0, s = t->s[at];

	memcpy(&z, t->z + at, 4 * n);
	if (n == 2)
		s |= (u64)t->s[at + 1] << 32;
	return (z & 0x00ffffff00ffffff) << 8 | s;
}

static __always_inline void vc4_io_put_zs(struct vr_tile *t, u32 at, u32 n, u64 v)
{
	u64 z = v >> 8 & 0x00ffffff00ffffff;

	memcpy(t->z + at, &z, 4 * n);
	t->s[at] = (u8)v;
	if (n == 2)
		t->s[at + 1] = (u8)(v >> 32);
}

/* Words of @n pixels of a tile with one sample: 1 or 2, which are side by side in a quad. */
static __always_inline void move_pixels(struct vr_tile *t, bool zs, bool store, u32 at, u32 n,
					u32 *p)
{
	u8 *colour = t->colour[0] + 4 * at;
	u64 v = 0;

	if (zs && store) {
		v = vc4_io_get_zs(t, at, n);
		memcpy(p, &v, 4 * n);
	} else if (zs) {
		memcpy(&v, p, 4 * n);
		vc4_io_put_zs(t, at, n, v);
	} else if (store) {
		memcpy(p, colour, 4 * n);
	} else {
		memcpy(colour, p, 4 * n);
	}
}

/* Words of 4 x 4 pixels: two quads each of two rows of quads. */
static __always_inline void move_utile(struct vr_tile *t, bool zs, bool store, u32 *p,
				       const u32 from[2])
{
	u32 first = vr_tile_index(t, from[0], from[1]), y, at;

	for (y = 0; y < 4; y++, p += 4) {
		at = first + y / 2 * 2 * VR_TILE + y % 2 * 2;
		move_pixels(t, zs, store, at, 2, p);
		move_pixels(t, zs, store, at + 4, 2, p + 2);
	}
}

/* Rows of words. */
static __always_inline void move_rows(struct vr_tile *t, bool zs, bool store, u32 *p,
				      const u32 from[2], u32 w, u32 h)
{
	u32 x, y, at;

	if (w == 4 && h == 4) {
		move_utile(t, zs, store, p, from);
		return;
	}
	for (y = from[1]; y < from[1] + h; y++) {
		at = vc4_io_sample_of(t, from[0], y);
		for (x = 0; x + 1 < w; x += 2, at += 4, p += 2)
			move_pixels(t, zs, store, at, 2, p);
		if (x < w)
			move_pixels(t, zs, store, at, 1, p++);
	}
}

/* ---- images ---- */

static void fill_bytes(u8 *p, u32 n, u64 v)
{
	for (; n >= sizeof(v); n -= sizeof(v), p += sizeof(v))
		memcpy(p, &v, sizeof(v));
	memcpy(p, &v, n);
}

/* Successive pixels of a blank tile of one sample, of which the first one is even. */
static u64 blank_pixels(const struct vc4_render *r, const struct vc4_pass *p,
			const struct vc4_access *a)
{
	u64 v[2] = { 0, 0 };

	if (a->kind == VC4_ZS && p->clear & 2) {
		v[0] = (u32)(r->clear[2] << 8 | (r->clear[3] & 0xff));
		v[1] = v[0];
	}
	if (a->kind != VC4_ZS && p->clear & 1) {
		v[0] = r->clear[0];
		v[1] = r->clear[1];
	}
	if (a->bytes == 4)
		return v[1] << 32 | v[0];
	return (reduce((u32)v[1]) << 16 | reduce((u32)v[0])) * 0x100000001ULL;
}

/* Pixels of a rectangle, row by row without gaps at @p. @fill: a store of these bytes, or NULL */
static void convert(struct vr_tile *t, const struct vc4_access *a, bool store, const u64 *fill,
		    u8 *p, const u32 at[2], u32 w, u32 h)
{
	bool zs = a->kind == VC4_ZS;
	u32 x, y, v = 0;

	if (fill) {
		fill_bytes(p, w * h * a->bytes, *fill);
		return;
	}
	if (a->bytes == 4 && t->samples == 1) {
		if (store && !zs)
			move_rows(t, false, true, (u32 *)p, at, w, h);
		else if (store)
			move_rows(t, true, true, (u32 *)p, at, w, h);
		else
			move_rows(t, zs, false, (u32 *)p, at, w, h);
		return;
	}
	for (y = 0; y < h; y++) {
		for (x = 0; x < w; x++, p += a->bytes) {
			if (store)
				v = store_pixel(t, a, at[0] + x, at[1] + y);
			memcpy(store ? p : (u8 *)&v, store ? (u8 *)&v : p, a->bytes);
			if (!store)
				load_pixel(t, a, at[0] + x, at[1] + y, v);
		}
	}
}

/* The same, in memory at @va. */
static int transfer(struct vr_tile *t, struct vr_mem *mem, const struct vc4_access *a, bool store,
		    const u64 *fill, u64 va, const u32 at[2], u32 w, u32 h)
{
	u8 raw[4 * VR_TILE] __aligned(8);
	int ret = store ? 0 : vr_read(mem, va, raw, w * h * a->bytes);

	if (ret)
		return ret;
	convert(t, a, store, fill, raw, at, w, h);
	return store ? vr_write(mem, va, raw, w * h * a->bytes) : 0;
}

/*
 * Pieces of a whole tile: 4 x 4 utiles of T, or a row of utiles of LT, which are successive in
 * memory, each in one extent. Return: false: one is not.
 */
static bool move_pieces(struct vr_tile *t, struct vr_mem *mem, const struct vc4_access *a,
			bool store, const u64 *fill, u32 stride, const u32 from[2], u32 side,
			const u32 utile[2])
{
	u32 columns = a->order == PX_T ? 4 : side / utile[0], rows = a->order == PX_T ? 4 : 1;
	u32 x, y, k, at[2];
	u8 *p;

	for (y = 0; y < side; y += rows * utile[1]) {
		for (x = 0; x < side; x += columns * utile[0]) {
			p = vs_tlb_ptr(&mem->tlb, a->va + px_offset(a->order, a->bytes, stride,
								    from[0] + x, from[1] + y),
				       columns * rows * UTILE, store ? VS_EXT_WRITE : 0);
			if (!p)
				return false;
			if (fill) {
				fill_bytes(p, columns * rows * UTILE, *fill);
				continue;
			}
			for (k = 0; k < columns * rows; k++, p += UTILE) {
				at[0] = from[0] + x + k % columns * utile[0];
				at[1] = from[1] + y + k / columns * utile[1];
				convert(t, a, store, NULL, p, at, utile[0], utile[1]);
			}
		}
	}
	return true;
}

static int image(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t,
		 struct vr_mem *mem, const struct vc4_access *a, bool store, const u64 *fill)
{
	u32 ws = px_utile_wshift(8 * a->bytes), hs = px_utile_hshift(8 * a->bytes);
	u32 side = side_of(r), from[2] = { p->x * side, p->y * side };
	u32 size[2] = { 1U << ws, 1U << hs };
	u32 end[2] = { min(from[0] + side, r->width), min(from[1] + side, r->height) };
	u32 whole = (r->width + size[0] - 1) >> ws << ws, stride, at[2];
	int ret = 0;

	if (a->order == PX_LINEAR) {
		stride = whole * a->bytes;
		size[0] = end[0] - from[0];
		size[1] = 1;
	} else if (a->order == PX_LT) {
		stride = whole / size[0] * UTILE;
	} else {
		stride = DIV_ROUND_UP(whole, 8 * size[0]) * 64 * UTILE;
	}
	if (a->order != PX_LINEAR && end[0] == from[0] + side && end[1] == from[1] + side &&
	    move_pieces(t, mem, a, store, fill, stride, from, side, size))
		return 0;
	for (at[1] = from[1]; at[1] < end[1]; at[1] += size[1])
		for (at[0] = from[0]; at[0] < end[0] && !ret; at[0] += size[0])
			ret = transfer(t, mem, a, store, fill,
				       a->va + px_offset(a->order, a->bytes, stride, at[0], at[1]),
				       at, size[0], size[1]);
	return ret;
}

/* All samples: quads are in memory as they are in the tile buffer. */
static int vc4_io_full(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t,
		       struct vr_mem *mem, const struct vc4_access *a, bool store)
{
	u32 columns = DIV_ROUND_UP(r->width, FULL_SIDE), row, i, at, n = FULL_SIDE / 2 * 16;
	u64 va = a->va + (u64)FULL_TILE * (p->y * columns + p->x);
	u32 word[FULL_SIDE / 2 * 16], *w = word;
	int ret = 0;

	for (row = 0; row < FULL_SIDE / 2 && !ret; row++, va += sizeof(word)) {
		at = vr_tile_index(t, p->x * FULL_SIDE, p->y * FULL_SIDE + 2 * row);
		if (a->kind == VC4_FULL_COLOR)
			w = (u32 *)t->colour[0] + at;
		for (i = 0; i < n && store && a->kind == VC4_FULL_ZS; i++)
			word[i] = t->z[at + i] << 8 | t->s[at + i];
		ret = store ? vr_write(mem, va, w, sizeof(word)) :
			      vr_read(mem, va, w, sizeof(word));
		for (i = 0; i < n && !store && a->kind == VC4_FULL_ZS; i++) {
			t->z[at + i] = word[i] >> 8;
			t->s[at + i] = word[i] & 0xff;
		}
	}
	return ret;
}

int vc4_io(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t,
	   struct vr_mem *mem, const struct vc4_access *a, bool store, bool *blank)
{
	bool full = a->kind == VC4_FULL_COLOR || a->kind == VC4_FULL_ZS;
	u64 fill;

	if (*blank && store && !full && t->samples == 1) {
		fill = blank_pixels(r, p, a);
		return image(r, p, t, mem, a, store, &fill);
	}
	if (*blank)
		vc4_clear(r, p, t);
	*blank = false;
	return full ? vc4_io_full(r, p, t, mem, a, store) :
		      image(r, p, t, mem, a, store, NULL);
}

void vc4_clear(const struct vc4_render *r, const struct vc4_pass *p, struct vr_tile *t)
{
	static const u32 zeros[4];
	const u32 *c = p->clear & 1 ? r->clear : zeros, *zs = p->clear & 2 ? r->clear : zeros;
	u32 n = VR_TILE * VR_TILE * t->samples, i;
	u64 colours = (u64)c[1] << 32 | c[0], depths = (u64)zs[2] << 32 | zs[2];

	for (i = 0; i < n; i += 2) {
		memcpy(t->colour[0] + 4 * i, &colours, sizeof(colours));
		memcpy(t->z + i, &depths, sizeof(depths));
	}
	memset(t->s, (u8)zs[3], n);
}
