// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blending of pixels, and of blocks into the tile buffer.
 */
#include "vr_tile.h"

#define ONE_F32	0x3f800000U
#define INF_F32	0x7f800000U

/* ---- a pixel ---- */

static bool function_ok(u32 f)
{
	return (f & 3) && !(f >> 2 & 1) && !(f >> 6 & 1) && (f >> 8 & 7);
}

bool vr_blend_ok(const struct vr_blend *b, const struct mali_format *f)
{
	return function_ok(b->equation) && function_ok(b->equation >> 12) &&
	       mali_format_kind(f) == MALI_KIND_F32;
}

static u32 clamped(u32 v, bool is_signed)
{
	u32 low = is_signed ? ONE_F32 | 1U << 31 : 0;

	if ((v & 0x7fffffff) > INF_F32)
		return 0;
	if (v >> 31)
		return is_signed ? min(v, low) : 0;
	return min(v, ONE_F32);
}

void vr_blend_pixel(enum vs_simd simd, const struct mali_format *f, const struct vr_blend *b,
		    const u32 src[4], void *p)
{
	struct mali_fp_blend fb = { .equation = b->equation, .constant = b->constant };
	bool limited = f->comp == MALI_UNORM || f->comp == MALI_SNORM;
	u32 was[4], i;

	for (i = 0; i < 4; i++)
		fb.src[i] = limited ? clamped(src[i], f->comp == MALI_SNORM) : src[i];
	if (b->alpha_one)
		fb.src[3] = ONE_F32;
	mali_unpack(f, p, was);
	memcpy(fb.dst, was, sizeof(fb.dst));
	mali_fp_blend(simd, &fb);
	for (i = 0; i < 4; i++)
		if (!(b->equation >> (28 + i) & 1))
			fb.dst[i] = was[i];
	mali_pack(f, fb.dst, 4, p);
}

/* ---- a block ---- */

/**
 * struct write - Colours of a block and where they go
 * @simd:	executor
 * @f:		format of pixels
 * @b:		blend state; NULL: replace
 * @batch:	quads
 * @cover:	samples of each lane
 * @src:	components of each lane
 * @bytes:	order of the components, if pixels are four bytes that vectors can blend; else NULL
 */
struct write {
	enum vs_simd simd;
	const struct mali_format *f;
	const struct vr_blend *b;
	const struct vr_batch *batch;
	const u16 *cover;
	const u32 (*src)[VS_LANES];
	const u8 *bytes;
};

static void write_pixel(const struct write *w, u32 l, u8 *p)
{
	u32 v[4] = { w->src[0][l], w->src[1][l], w->src[2][l], w->src[3][l] };

	if (w->b)
		vr_blend_pixel(w->simd, w->f, w->b, v, p);
	else
		mali_pack(w->f, v, 4, p);
}

/* Are pixels four bytes, each a component? */
static bool is_bytes(const struct mali_format *f)
{
	u32 i, found = 0;

	for (i = 0; i < 4; i++) {
		if (f->bits[i] != 8 || f->swizzle[i] > 3)
			return false;
		found |= 1U << f->swizzle[i];
	}
	return found == 15 && f->layout == MALI_PLAIN && f->comp == MALI_UNORM && !f->srgb &&
	       !f->big_endian;
}

/* 0 + src * (1 - 0), or src + b * 0 */
static bool is_source(u32 f)
{
	const u32 all = MALI_BLEND_A_ZERO | MALI_BLEND_B_SRC << 4 | MALI_BLEND_C_ZERO << 8 |
			1U << 11;

	return (f & 0xfff) == all || (f & 0xf0f) == (MALI_BLEND_A_SRC | MALI_BLEND_C_ZERO << 8);
}

/* Are all components the source's? Not of formats that may keep a NaN. */
static bool replaces(const struct vr_blend *b)
{
	return is_source(b->equation) && is_source(b->equation >> 12) &&
	       b->equation >> 28 == 15 && !b->alpha_one;
}

#if defined(__x86_64__) || defined(__aarch64__)

static bool has_vectors(enum vs_simd simd)
{
	return simd != VS_SIMD_PORTABLE;
}

static void blend_bytes(enum vs_simd simd, const struct vr_blend *b, const u8 order[4], u32 quads,
			const u32 src[4][VS_LANES], u32 *pixel)
{
#ifdef __aarch64__
	vr_blend_bytes_neon(b, order, quads, src, pixel);
#else
	if (simd == VS_SIMD_SSE2)
		vr_blend_bytes_sse2(b, order, quads, src, pixel);
	else
		vr_blend_bytes_avx2(b, order, quads, src, pixel);
#endif
}

#else

static bool has_vectors(enum vs_simd simd)
{
	return false;
}

static void blend_bytes(enum vs_simd simd, const struct vr_blend *b, const u8 order[4], u32 quads,
			const u32 src[4][VS_LANES], u32 *pixel)
{
}

#endif

bool vr_pack_bytes(enum vs_simd simd, const struct mali_format *f, const u32 src[4][VS_LANES],
		   u32 pixel[VS_LANES])
{
	if (!has_vectors(simd) || !is_bytes(f))
		return false;
	blend_bytes(simd, NULL, f->swizzle, VR_QUADS, src, pixel);
	return true;
}

/* First of the four pixels of a quad's sample; they are consecutive. */
static u8 *quad_at(const struct vr_tile *t, u32 target, const struct write *w, u32 i, u32 sample)
{
	return t->colour[target] + (vr_tile_index(t, w->batch->quad[i].x, w->batch->quad[i].y) +
				    4 * sample) * t->format[target].bytes;
}

/* Copy pixels that are covered to the quad at @p. */
static void put_quad(const struct write *w, u32 i, u32 sample, const u32 *pixel, u8 *p)
{
	const u16 *cover = w->cover + 4 * i;
	u32 k;

	if ((cover[0] & cover[1] & cover[2] & cover[3]) >> sample & 1) {
		memcpy(p, pixel, 16);
		return;
	}
	for (k = 0; k < 4; k++)
		if (cover[k] >> sample & 1)
			memcpy(p + 4 * k, &pixel[k], 4);
}

static void write_bytes(const struct vr_tile *t, u32 target, const struct write *w, u32 sample)
{
	u32 pixel[VS_LANES] __aligned(64), i;

	for (i = 0; w->b && i < w->batch->n; i++)
		memcpy(pixel + 4 * i, quad_at(t, target, w, i, sample), 16);
	for (i = 4 * w->batch->n; i < VS_LANES; i++)
		pixel[i] = 0;
	blend_bytes(w->simd, w->b, w->bytes, w->batch->n, w->src, pixel);
	for (i = 0; i < w->batch->n; i++)
		put_quad(w, i, sample, pixel + 4 * i, quad_at(t, target, w, i, sample));
}

static void write_pixels(const struct vr_tile *t, u32 target, const struct write *w, u32 sample)
{
	u32 i, k;
	u8 *p;

	for (i = 0; i < w->batch->n; i++) {
		p = quad_at(t, target, w, i, sample);
		for (k = 0; k < 4; k++)
			if (w->cover[4 * i + k] >> sample & 1)
				write_pixel(w, 4 * i + k, p + k * t->format[target].bytes);
	}
}

void vr_tile_blend(enum vs_simd simd, struct vr_tile *t, u32 target, const struct mali_format *f,
		   const struct vr_blend *b, const struct vr_batch *batch,
		   const u16 cover[VS_LANES], const u32 src[4][VS_LANES])
{
	struct write w = { .simd = simd, .f = f, .b = b, .batch = batch, .cover = cover,
			   .src = src };
	u32 s;

	if (has_vectors(simd) && is_bytes(f) && t->format[target].bytes == f->bytes) {
		w.bytes = f->swizzle;
		if (b && replaces(b))
			w.b = NULL;
	}
	for (s = 0; s < t->samples; s++) {
		if (w.bytes)
			write_bytes(t, target, &w, s);
		else
			write_pixels(t, target, &w, s);
	}
}
