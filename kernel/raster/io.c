// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Load, resolve and store: between the tile buffer and images in memory.
 */
#include "../engine/softfloat.h"
#include "vr_tile.h"

#define PART	16	/* pixels a side */
#define PARTS	(VR_TILE / PART)
#define QUARTER	0x3e800000U

static const struct {
	u8 bytes;
	u8 zformat;
	bool stencil;
} zs_images[VR_NUM_ZS_IMAGES] = {
	[VR_IMAGE_Z16] = { 2, VR_Z16, false },
	[VR_IMAGE_Z24X8] = { 4, VR_Z24, false },
	[VR_IMAGE_Z24S8] = { 4, VR_Z24, true },
	[VR_IMAGE_Z32F] = { 4, VR_Z32F, false },
	[VR_IMAGE_Z32F_S8X24] = { 8, VR_Z32F, true },
	[VR_IMAGE_S8] = { 1, VR_Z_NONE, true },
};

static bool image_ok(const struct vr_io *io)
{
	const struct vr_image *m = io->image;

	if (!m->width || !m->height || m->width > VR_MAX_SIZE || m->height > VR_MAX_SIZE ||
	    (m->resolve && !io->store) || !px_order_ok(m->order, io->bytes))
		return false;
	if (io->att == VR_ATT_ZS)
		return zs_images[m->zs].zformat == VR_Z_NONE ||
		       zs_images[m->zs].zformat == io->t->zformat;
	return io->att < io->t->ntargets && io->t->format[io->att].bytes && m->format.bytes &&
	       m->format.bytes <= PX_MAX_BYTES && px_format_writable(&m->format) &&
	       px_format_kind(&m->format) == px_format_kind(&io->t->format[io->att]);
}

static bool same_format(const struct px_format *a, const struct px_format *b)
{
	return !memcmp(a, b, offsetof(struct px_format, swizzle)) &&
	       !memcmp(a->swizzle, b->swizzle, sizeof(a->swizzle)) && a->srgb == b->srgb;
}

/* Are pixels words that are moved as they are? */
static bool are_words(const struct vr_io *io)
{
	return io->att != VR_ATT_ZS && io->bytes == 4 &&
	       !(io->image->resolve && io->t->samples == 4) &&
	       same_format(&io->t->format[io->att], &io->image->format);
}

/* Are pixels words of depth, with stencil above it or without? */
static bool are_depths(const struct vr_io *io)
{
	return io->att == VR_ATT_ZS &&
	       (io->image->zs == VR_IMAGE_Z24S8 || io->image->zs == VR_IMAGE_Z24X8);
}

bool vr_io_begin(struct vr_io *io, struct vr_tile *t, const struct vr_image *image, u32 att,
		 bool store)
{
	io->t = t;
	io->image = image;
	io->att = att;
	io->store = store;
	io->filled = false;
	io->inside = false;
	io->parts = 0xffff;
	io->next = 0;
	io->fault = 0;
	if (att == VR_ATT_ZS && image->zs >= VR_NUM_ZS_IMAGES)
		return false;
	io->bytes = att == VR_ATT_ZS ? zs_images[image->zs].bytes : image->format.bytes;
	if (!image_ok(io))
		return false;
	io->quick = are_words(io) || are_depths(io);
	if (!store && att != VR_ATT_ZS)
		t->plain[att] = 0;
	else if (!store)
		t->plain[VR_DIRTY_Z] = 0;
	return true;
}

u16 vr_io_dirty(const struct vr_tile *t, const struct vr_image *image, u32 att)
{
	if (att != VR_ATT_ZS)
		return t->dirty[att];
	return (zs_images[image->zs].zformat == VR_Z_NONE ? 0 : t->dirty[VR_DIRTY_Z]) |
	       (zs_images[image->zs].stencil ? t->dirty[VR_DIRTY_S] : 0);
}

/* ---- pixels ---- */

/**
 * struct part - 16 x 16 pixels of a sample.
 * @x:		in the frame
 * @y:		"
 * @sample:	sample
 */
struct part {
	u32 x;
	u32 y;
	u32 sample;
};

static u32 sample_at(const struct vr_io *io, const struct part *p, u32 x, u32 y)
{
	return vr_tile_index(io->t, p->x + x, p->y + y) + 4 * p->sample + (x & 1) + 2 * (y & 1);
}

/* Pixel in the part; tiles of 16 x 16 are aligned. */
static u8 *in_part(struct vr_io *io, u32 x, u32 y)
{
	u32 i = io->image->order == PX_TILED ? px_tile_index(x, y) : y * PART + x;

	return io->part + i * io->bytes;
}

static u8 *colour_at(const struct vr_io *io, u32 sample)
{
	return io->t->colour[io->att] + sample * io->t->format[io->att].bytes;
}

/* Are all components numbers of 8 bits whose mean is that of the bytes? */
static bool byte_wise(const struct px_format *f)
{
	u32 i;

	for (i = 0; i < f->ncomp; i++)
		if (f->bits[i] != 8)
			return false;
	return f->layout == PX_PLAIN && f->comp == PX_UNORM && !f->srgb &&
	       f->bytes == f->ncomp;
}

static void convert_colour(const struct px_format *from, const u8 *p,
			   const struct px_format *to, u8 *out)
{
	u32 v[4];

	if (same_format(from, to)) {
		memcpy(out, p, to->bytes);
		return;
	}
	px_unpack(from, p, v);
	px_pack(to, v, 4, out);
}

/* Most pixels are inside of a primitive. */
static bool all_equal(const struct vr_io *io, u32 at)
{
	u32 k, bytes = io->t->format[io->att].bytes;

	for (k = 1; k < 4; k++)
		if (memcmp(colour_at(io, at), colour_at(io, at + 4 * k), bytes))
			return false;
	return true;
}

/* Halves up. */
static void mean_bytes(const struct vr_io *io, u32 at, u8 *to)
{
	u32 i, k, total;

	for (i = 0; i < io->t->format[io->att].bytes; i++) {
		for (k = 0, total = 2; k < 4; k++)
			total += colour_at(io, at + 4 * k)[i];
		to[i] = total / 4;
	}
}

/* Mean of the samples from @at on. */
static void io_resolve(const struct vr_io *io, u32 at, u8 *to)
{
	const struct px_format *from = &io->t->format[io->att], *f = &io->image->format;
	u8 mean[PX_MAX_BYTES], *first = colour_at(io, at);
	u32 i, k, sum[4] = {}, v[4];

	if (px_format_kind(f) != PX_KIND_F32 || all_equal(io, at)) {
		convert_colour(from, first, f, to);
		return;
	}
	if (byte_wise(from)) {
		mean_bytes(io, at, mean);
		convert_colour(from, mean, f, to);
		return;
	}
	for (k = 0; k < 4; k++) {
		px_unpack(from, colour_at(io, at + 4 * k), v);
		for (i = 0; i < 4; i++)
			sum[i] = k ? sf_add(sum[i], v[i], false) : v[i];
	}
	for (i = 0; i < 4; i++)
		v[i] = sf_mul(sum[i], QUARTER, false);
	px_pack(f, v, 4, to);
}

static void io_colour(const struct vr_io *io, u32 at, u8 *p)
{
	const struct px_format *in = &io->t->format[io->att], *f = &io->image->format;
	u8 *tile = colour_at(io, at);

	if (io->image->resolve && io->t->samples == 4)
		io_resolve(io, at, p);
	else if (io->store)
		convert_colour(in, tile, f, p);
	else
		convert_colour(f, p, in, tile);
}

/* Words of a pixel: depth with what is above it, and another word. */
static void io_store_zs(const struct vr_io *io, u32 at, u8 *p)
{
	u32 zs = io->image->zs, word[2] = { io->t->z[at], io->t->s[at] };

	if (zs == VR_IMAGE_Z32F || zs == VR_IMAGE_Z32F_S8X24)
		word[0] = vr_depth_value(VR_Z32F, word[0]);
	else if (zs == VR_IMAGE_Z24S8)
		word[0] |= word[1] << 24;
	else if (zs == VR_IMAGE_S8)
		word[0] = word[1];
	memcpy(p, word, io->bytes);
}

static void io_load_zs(const struct vr_io *io, u32 at, const u8 *p)
{
	u32 zs = io->image->zs, word[2] = {};

	memcpy(word, p, io->bytes);
	if (zs == VR_IMAGE_S8)
		word[1] = word[0];
	else if (zs == VR_IMAGE_Z24S8)
		word[1] = word[0] >> 24;
	if (zs_images[zs].stencil)
		io->t->s[at] = word[1];
	if (zs_images[zs].zformat == VR_Z32F)
		io->t->z[at] = vr_depth_code(VR_Z32F, word[0]);
	else if (zs_images[zs].zformat != VR_Z_NONE)
		io->t->z[at] = word[0] & (zs == VR_IMAGE_Z16 ? 0xffff : 0xffffff);
}

/* A row of a quad, two words; they may have changed places. */
static __always_inline void io_move_row(bool store, bool turned, u8 *tile, u8 *image)
{
	u64 row;

	memcpy(&row, store ? tile : image, sizeof(row));
	if (turned)
		row = row << 32 | row >> 32;
	memcpy(store ? image : tile, &row, sizeof(row));
}

/* The words of a part's half, quad by quad. */
static __always_inline void io_move_words(struct vr_io *io, const struct part *p, u32 half,
					  bool store, bool tiled)
{
	u32 from = half * PART / 2, x, y;
	u8 *tile, *to;

	for (y = from; y < from + PART / 2; y += 2) {
		tile = colour_at(io, sample_at(io, p, 0, y));
		for (x = 0; x < PART; x += 2, tile += 16 * io->t->samples) {
			/* a quad of PX_TILED is four words: its first row, its second one turned */
			to = io->part + 4 * (tiled ? px_tile_index(x, y) : y * PART + x);
			io_move_row(store, false, tile, to);
			io_move_row(store, tiled, tile + 8, to + (tiled ? 8 : 4 * PART));
		}
	}
}

static void io_copy_words(struct vr_io *io, const struct part *p, u32 half)
{
	bool tiled = io->image->order == PX_TILED;

	if (io->store && tiled)
		io_move_words(io, p, half, true, true);
	else if (io->store)
		io_move_words(io, p, half, true, false);
	else
		io_move_words(io, p, half, false, tiled);
}

/* The words of a part's half of are_depths(), likewise. */
static __always_inline void io_move_depths(struct vr_io *io, const struct part *p, u32 half,
					   bool store, bool stencil, bool tiled)
{
	u32 from = half * PART / 2, x, y, k, at, word;
	u8 *to, *pixel;

	for (y = from; y < from + PART / 2; y += 2) {
		at = sample_at(io, p, 0, y);
		for (x = 0; x < PART; x += 2, at += 4 * io->t->samples) {
			to = io->part + 4 * (tiled ? px_tile_index(x, y) : y * PART + x);
			for (k = 0; k < 4; k++) {
				pixel = to + 4 * (tiled ? k ^ k >> 1 : (k >> 1) * PART + (k & 1));
				if (store) {
					word = io->t->z[at + k];
					word |= stencil ? (u32)io->t->s[at + k] << 24 : 0;
					memcpy(pixel, &word, sizeof(word));
					continue;
				}
				memcpy(&word, pixel, sizeof(word));
				io->t->z[at + k] = word & 0xffffff;
				if (stencil)
					io->t->s[at + k] = word >> 24;
			}
		}
	}
}

static void io_copy_depths(struct vr_io *io, const struct part *p, u32 half)
{
	bool tiled = io->image->order == PX_TILED, stencil = io->image->zs == VR_IMAGE_Z24S8;

	if (io->store && stencil && tiled)
		io_move_depths(io, p, half, true, true, true);
	else if (io->store)
		io_move_depths(io, p, half, true, stencil, tiled);
	else
		io_move_depths(io, p, half, false, stencil, tiled);
}

/* Is a load of pixels of which some are outside of the image? */
static bool is_cut(const struct vr_io *io, const struct part *p)
{
	const struct vr_image *m = io->image;

	return !io->store && (p->x + PART > m->width || p->y + PART > m->height);
}

static void io_pixel(const struct vr_io *io, u32 at, u8 *p)
{
	if (io->att != VR_ATT_ZS)
		io_colour(io, at, p);
	else if (io->store)
		io_store_zs(io, at, p);
	else
		io_load_zs(io, at, p);
}

/* The upper or the lower half. */
static void io_convert(struct vr_io *io, const struct part *p, u32 half)
{
	bool cut = io->inside && is_cut(io, p);
	u32 x, y;

	if (are_words(io) && !cut) {
		io_copy_words(io, p, half);
		return;
	}
	if (are_depths(io) && !cut) {
		io_copy_depths(io, p, half);
		return;
	}
	for (y = half * PART / 2; y < (half + 1) * PART / 2; y++) {
		for (x = 0; x < PART; x++) {
			if (cut && (p->x + x >= io->image->width || p->y + y >= io->image->height))
				continue;
			io_pixel(io, sample_at(io, p, x, y), in_part(io, x, y));
		}
	}
}

/* ---- memory ---- */

static bool io_copy(struct vr_io *io, const struct vs_map *map, u64 va, u8 *p, u32 n)
{
	u64 done = io->store ? vs_map_write(map, va, p, n) : vs_map_read(map, va, p, n);

	io->fault = va + done;
	return done == n;
}

/* Pixels of an order other than those of Mali, in runs. */
static bool transfer_runs(struct vr_io *io, const struct vs_map *map, const struct part *p, u64 va)
{
	const struct vr_image *m = io->image;
	u32 x, y, n, run = px_run(m->order, io->bytes), end = min_t(u32, PART, m->width - p->x);

	for (y = 0; y < PART && p->y + y < m->height; y++) {
		for (x = 0; x < end; x += n) {
			n = min(run, end - x);
			if (!io_copy(io, map, va + px_offset(m->order, io->bytes, m->row_stride,
							     p->x + x, p->y + y),
				     io->part + (y * PART + x) * io->bytes, n * io->bytes))
				return false;
		}
	}
	return true;
}

/* Rows of an image that are in one extent. Return: false: they are not. */
static bool transfer_rows(struct vr_io *io, const struct vs_map *map, const struct part *p, u32 n)
{
	const struct vr_image *m = io->image;
	u64 va = m->va + p->sample * m->sample_stride + p->y * m->row_stride + p->x * io->bytes;
	u32 rows = min_t(u32, PART, m->height - p->y), y;
	u8 *at;

	if (m->row_stride > ~0U)
		return false;
	at = vs_map_ptr(map, va, (rows - 1) * m->row_stride + n, io->store ? VS_EXT_WRITE : 0);
	for (y = 0; at && y < rows; y++, at += m->row_stride)
		memcpy(io->store ? at : io->part + y * PART * io->bytes,
		       io->store ? io->part + y * PART * io->bytes : at, n);
	return y;
}

/* Rows and columns outside of the image are not touched, but of PX_TILED. */
static bool io_transfer(struct vr_io *io, const struct vs_map *map, const struct part *p)
{
	const struct vr_image *m = io->image;
	u64 va = m->va + p->sample * m->sample_stride;
	u32 y, n = min_t(u32, PART, m->width - p->x) * io->bytes;

	if (m->order == PX_TILED)
		return io_copy(io, map, va + p->y / PART * m->row_stride +
				     (u64)(p->x / PART) * 256 * io->bytes, io->part,
			       256 * io->bytes);
	if (m->order > PX_LINEAR)
		return transfer_runs(io, map, p, va);
	if (transfer_rows(io, map, p, n))
		return true;
	for (y = 0; y < PART && p->y + y < m->height; y++)
		if (!io_copy(io, map, va + (p->y + y) * m->row_stride + (u64)p->x * io->bytes,
			     io->part + y * PART * io->bytes, n))
			return false;
	return true;
}

/* Are all pixels of part @i equal? A load of stencil ends that of depth, which is enough. */
static bool is_plain(const struct vr_io *io, u32 i)
{
	const u16 *plain = io->t->plain;

	if (io->att != VR_ATT_ZS)
		return plain[io->att] >> i & 1;
	return (plain[VR_DIRTY_Z] & plain[VR_DIRTY_S]) >> i & 1;
}

/* Store a part that is plain: the pixels of the last one, or copies of its first one. */
static bool store_plain(struct vr_io *io, const struct vs_map *map, const struct part *p)
{
	u8 pixel[PX_MAX_BYTES];

	if (!io->filled) {
		io_pixel(io, sample_at(io, p, 0, 0), pixel);
		vr_tile_fill(io->part, pixel, io->bytes, PART * PART * io->bytes);
	}
	io->filled = true;
	return io_transfer(io, map, p);
}

/* Load or store half of a part. Return: false: fault. */
static bool move_half(struct vr_io *io, const struct vs_map *map, const struct part *p, u32 half)
{
	if (!io->store && !half) {
		memset(io->part, 0, sizeof(io->part));
		if (!io_transfer(io, map, p))
			return false;
	}
	io->filled = false;
	io_convert(io, p, half);
	return !io->store || !half || io_transfer(io, map, p);
}

int vr_io_step(struct vr_io *io, const struct vs_map *map)
{
	u32 samples = io->image->resolve ? 1 : io->t->samples;
	u32 half = io->next % 2, i = io->next / 2 % (PARTS * PARTS);
	struct part p = { .x = io->t->x + i % PARTS * PART, .y = io->t->y + i / PARTS * PART,
			  .sample = io->next / 2 / (PARTS * PARTS) };

	if (p.sample >= samples)
		return 0;
	io->next++;
	if (io->parts >> i & 1 && p.x < io->image->width && p.y < io->image->height) {
		if (io->store && !half && is_plain(io, i)) {
			io->next++;
			if (!store_plain(io, map, &p))
				return -EFAULT;
		} else if (!move_half(io, map, &p, half)) {
			return -EFAULT;
		}
	}
	return io->next < 2 * samples * PARTS * PARTS ? -EAGAIN : 0;
}
