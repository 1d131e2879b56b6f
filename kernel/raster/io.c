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
	    (m->resolve && !io->store))
		return false;
	if (io->att == VR_ATT_ZS)
		return m->zs < VR_NUM_ZS_IMAGES &&
		       (zs_images[m->zs].zformat == VR_Z_NONE ||
			zs_images[m->zs].zformat == io->t->zformat);
	return io->att < io->t->ntargets && io->t->format[io->att].bytes && m->format.bytes &&
	       m->format.bytes <= MALI_MAX_BYTES && mali_format_writable(&m->format) &&
	       mali_format_kind(&m->format) == mali_format_kind(&io->t->format[io->att]);
}

bool vr_io_begin(struct vr_io *io, struct vr_tile *t, const struct vr_image *image, u32 att,
		 bool store)
{
	io->t = t;
	io->image = image;
	io->att = att;
	io->store = store;
	io->parts = 0xffff;
	io->next = 0;
	io->fault = 0;
	if (!image_ok(io))
		return false;
	io->bytes = att == VR_ATT_ZS ? zs_images[image->zs].bytes : image->format.bytes;
	return true;
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
	u32 i = io->image->tiled ? mali_tile_index(x, y) : y * PART + x;

	return io->part + i * io->bytes;
}

static u8 *colour_at(const struct vr_io *io, u32 sample)
{
	return io->t->colour[io->att] + sample * io->t->format[io->att].bytes;
}

static bool same_format(const struct mali_format *a, const struct mali_format *b)
{
	return !memcmp(a, b, offsetof(struct mali_format, swizzle)) &&
	       !memcmp(a->swizzle, b->swizzle, sizeof(a->swizzle)) && a->srgb == b->srgb;
}

/* Are all components numbers of 8 bits whose mean is that of the bytes? */
static bool byte_wise(const struct mali_format *f)
{
	u32 i;

	for (i = 0; i < f->ncomp; i++)
		if (f->bits[i] != 8)
			return false;
	return f->layout == MALI_PLAIN && f->comp == MALI_UNORM && !f->srgb &&
	       f->bytes == f->ncomp;
}

static void convert_colour(const struct mali_format *from, const u8 *p,
			   const struct mali_format *to, u8 *out)
{
	u32 v[4];

	if (same_format(from, to)) {
		memcpy(out, p, to->bytes);
		return;
	}
	mali_unpack(from, p, v);
	mali_pack(to, v, 4, out);
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
static void resolve(const struct vr_io *io, u32 at, u8 *to)
{
	const struct mali_format *from = &io->t->format[io->att], *f = &io->image->format;
	u8 mean[MALI_MAX_BYTES], *first = colour_at(io, at);
	u32 i, k, sum[4] = {}, v[4];

	if (mali_format_kind(f) != MALI_KIND_F32 || all_equal(io, at)) {
		convert_colour(from, first, f, to);
		return;
	}
	if (byte_wise(from)) {
		mean_bytes(io, at, mean);
		convert_colour(from, mean, f, to);
		return;
	}
	for (k = 0; k < 4; k++) {
		mali_unpack(from, colour_at(io, at + 4 * k), v);
		for (i = 0; i < 4; i++)
			sum[i] = k ? sf_add(sum[i], v[i], false) : v[i];
	}
	for (i = 0; i < 4; i++)
		v[i] = sf_mul(sum[i], QUARTER, false);
	mali_pack(f, v, 4, to);
}

static void colour(const struct vr_io *io, u32 at, u8 *p)
{
	const struct mali_format *in = &io->t->format[io->att], *f = &io->image->format;
	u8 *tile = colour_at(io, at);

	if (io->image->resolve && io->t->samples == 4)
		resolve(io, at, p);
	else if (io->store)
		convert_colour(in, tile, f, p);
	else
		convert_colour(f, p, in, tile);
}

/* Words of a pixel: depth with what is above it, and another word. */
static void store_zs(const struct vr_io *io, u32 at, u8 *p)
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

static void load_zs(const struct vr_io *io, u32 at, const u8 *p)
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

/* Are pixels words that are stored as they are? */
static bool are_words(const struct vr_io *io)
{
	return io->store && io->att != VR_ATT_ZS && io->bytes == 4 &&
	       !(io->image->resolve && io->t->samples == 4) &&
	       same_format(&io->t->format[io->att], &io->image->format);
}

static void copy_words(struct vr_io *io, const struct part *p, u32 from, u32 to)
{
	u32 x, y, word;

	for (y = from; y < to; y++) {
		for (x = 0; x < PART; x++) {
			memcpy(&word, colour_at(io, sample_at(io, p, x, y)), sizeof(word));
			memcpy(in_part(io, x, y), &word, sizeof(word));
		}
	}
}

/* The upper or the lower half. */
static void convert(struct vr_io *io, const struct part *p, u32 half)
{
	u32 x, y, at;

	if (are_words(io)) {
		copy_words(io, p, half * PART / 2, (half + 1) * PART / 2);
		return;
	}
	for (y = half * PART / 2; y < (half + 1) * PART / 2; y++) {
		for (x = 0; x < PART; x++) {
			at = sample_at(io, p, x, y);
			if (io->att != VR_ATT_ZS)
				colour(io, at, in_part(io, x, y));
			else if (io->store)
				store_zs(io, at, in_part(io, x, y));
			else
				load_zs(io, at, in_part(io, x, y));
		}
	}
}

/* ---- memory ---- */

static bool copy(struct vr_io *io, const struct vs_map *map, u64 va, u8 *p, u32 n)
{
	u64 done = io->store ? vs_map_write(map, va, p, n) : vs_map_read(map, va, p, n);

	io->fault = va + done;
	return done == n;
}

/* Rows and columns outside of a linear image are not touched. */
static bool transfer(struct vr_io *io, const struct vs_map *map, const struct part *p)
{
	const struct vr_image *m = io->image;
	u64 va = m->va + p->sample * m->sample_stride;
	u32 y, n = min_t(u32, PART, m->width - p->x) * io->bytes;

	if (m->tiled)
		return copy(io, map, va + p->y / PART * m->row_stride +
				     (u64)(p->x / PART) * 256 * io->bytes, io->part,
			    256 * io->bytes);
	for (y = 0; y < PART && p->y + y < m->height; y++)
		if (!copy(io, map, va + (p->y + y) * m->row_stride + (u64)p->x * io->bytes,
			  io->part + y * PART * io->bytes, n))
			return false;
	return true;
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
		if (!io->store && !half) {
			memset(io->part, 0, sizeof(io->part));
			if (!transfer(io, map, &p))
				return -EFAULT;
		}
		convert(io, &p, half);
		if (io->store && half && !transfer(io, map, &p))
			return -EFAULT;
	}
	return io->next < 2 * samples * PARTS * PARTS ? -EAGAIN : 0;
}
