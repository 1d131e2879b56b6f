// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Framebuffer descriptors: parameters (128 bytes), an optional extension for depth and stencil
 * (64), and a descriptor of each colour target (64). AFBC is rejected; checksums (CRC) are
 * neither read nor written.
 */
#include "mali_fb.h"
#include "mali_prim.h"

#define FB_WORDS	32
#define EXT_WORDS	16
#define RT_WORDS	16
#define DESC_BYTES	64
#define FB_BYTES	128

/* Order of pixels; v4 and v5 have no code for "not written". */
enum { BLOCK_NONE, BLOCK_TILED, BLOCK_LINEAR, BLOCK_OTHER };

enum { MSAA_SINGLE, MSAA_AVERAGE, MSAA_MULTIPLE, MSAA_LAYERED };

static int mali_fb_reject(struct mali_parser *p, const char *field, u64 va, u32 value)
{
	return mali_reject_at(p, MALI_BAD_FRAMEBUFFER, field, va, value);
}

static u32 block_format(const struct mali_parser *p, u32 code)
{
	if (p->arch->block_bits == 2)
		return code == 0 ? BLOCK_TILED : code == 2 ? BLOCK_LINEAR : BLOCK_OTHER;
	return min_t(u32, code, BLOCK_OTHER);
}

/* ---- formats ---- */

/**
 * struct colour - Format of colours.
 * @bytes:	of a pixel; 0: undefined
 * @bits:	of r, g, b, a; none: the bits have no meaning here
 * @fraction:	in clear values: more bits of each component, below @bits
 */
struct colour {
	u8 bytes;
	u8 bits[4];
	u8 fraction[4];
};

/* Formats of the tile buffer; it has the precision of memory. */
static const struct colour internals[64] = {
	[1] = { 4, { 8, 8, 8, 8 } },
	[2] = { 4, { 10, 10, 10, 2 } },
	[3] = { 4, { 8, 8, 8, 2 }, { 2, 2, 2, 0 } },
	[4] = { 2, { 4, 4, 4, 4 }, { 4, 4, 4, 4 } },
	[5] = { 2, { 5, 6, 5, 0 }, { 5, 4, 5, 2 } },
	[6] = { 2, { 5, 5, 5, 1 }, { 5, 5, 5, 1 } },
	[32] = { 1 }, [33] = { 2 }, [34] = { 4 }, [35] = { 8 }, [36] = { 16 },
};

/* Formats in memory. */
static const struct colour writebacks[32] = {
	[0] = { 1 }, [1] = { 2 }, [2] = { 3 }, [3] = { 4 }, [4] = { 6 }, [5] = { 8 }, [6] = { 12 },
	[7] = { 16 },
	[16] = { 1, { 8 } },
	[17] = { 2, { 8, 8 } },
	[18] = { 3, { 8, 8, 8 } },
	[19] = { 4, { 8, 8, 8, 8 } },
	[20] = { 2, { 4, 4, 4, 4 } },
	[21] = { 2, { 5, 6, 5 } },
	[24] = { 4, { 10, 10, 10, 2 } },
	[25] = { 4, { 2, 10, 10, 10 } },
	[28] = { 2, { 5, 5, 5, 1 } },
	[29] = { 2, { 1, 5, 5, 5 } },
};

/* Bits that are copied: four integers, or three, of which memory does not have the fourth. */
static void mali_fb_raw_format(u32 bytes, struct px_format *f)
{
	u32 n = bytes % 3 ? bytes < 4 ? 1 : 4 : 3, i;

	*f = (struct px_format){ .layout = PX_PLAIN, .comp = PX_UINT, .ncomp = n,
				   .bytes = bytes };
	for (i = 0; i < 4; i++) {
		f->bits[i] = i < n ? 8 * bytes / n : 0;
		f->swizzle[i] = i < n ? i : i < 3 ? PX_SWZ_0 : PX_SWZ_1;
	}
}

/* Raw formats of memory have the bytes of the tile buffer, or three quarters of them. */
static bool mali_fb_fits(const struct colour *memory, const struct colour *tile)
{
	if (!memory->bits[0] != !tile->bits[0])
		return false;
	return memory->bits[0] || memory->bytes == tile->bytes ||
	       (tile->bytes >= 4 && 4 * memory->bytes == 3 * tile->bytes);
}

static void plain_format(const struct colour *c, struct px_format *f)
{
	u32 i;

	if (!c->bits[0]) {
		mali_fb_raw_format(c->bytes, f);
		return;
	}
	*f = (struct px_format){ .layout = PX_PLAIN, .comp = PX_UNORM, .bytes = c->bytes };
	for (i = 0; i < 4; i++) {
		f->bits[i] = c->bits[i];
		f->swizzle[i] = c->bits[i] ? i : i < 3 ? PX_SWZ_0 : PX_SWZ_1;
		f->ncomp += c->bits[i] != 0;
	}
}

/* @swizzle: component of the tile buffer for each of the memory's. */
static void order_format(u32 swizzle, struct px_format *f)
{
	u32 i, c;

	for (i = 0; i < 4; i++)
		f->swizzle[i] = i < 3 ? PX_SWZ_0 : PX_SWZ_1;
	for (i = f->ncomp; i-- > 0;) {
		c = swizzle >> (3 * i) & 7;
		if (c < 4)
			f->swizzle[c] = i;
	}
}

/* Clear value: components with more bits than the tile buffer has here, first lowest. */
static void clear_value(const struct colour *c, const struct px_format *f, const u32 w[4],
			u8 *pixel)
{
	u64 bits = w[0] | (u64)w[1] << 32, out = 0, v, top;
	u32 i, at = 0;

	if (!c->bits[0]) {
		memcpy(pixel, w, f->bytes);
		return;
	}
	for (i = 0; i < 4; i++) {
		v = bits & ((1ULL << (c->bits[i] + c->fraction[i])) - 1);
		bits >>= c->bits[i] + c->fraction[i];
		top = (1ULL << c->bits[i]) - 1;
		if (c->fraction[i])
			v = min((v + (1U << (c->fraction[i] - 1))) >> c->fraction[i], top);
		out |= v << at;
		at += c->bits[i];
	}
	memcpy(pixel, &out, f->bytes);
}

/* ---- colour targets ---- */

static void buffer(const u32 *w, struct vr_image *m)
{
	/* guest addresses have 48 bits */
	m->va = mali_u64(w, 0) & (BIT_ULL(48) - 1);
	m->row_stride = w[2];
	m->sample_stride = w[3];
}

static int mali_fb_read_target(struct mali_parser *p, u64 va, u32 i, struct mali_fb *fb)
{
	u32 w[RT_WORDS], internal, writeback, block, msaa;
	struct vr_image *m = &fb->image[i];
	int ret;

	ret = mali_words(p, va, w, RT_WORDS, DESC_BYTES, "render target");
	if (ret)
		return ret;
	internal = mali_bits(w, 0, 26, 6);
	writeback = mali_bits(w, 1, 3, 5);
	msaa = mali_bits(w, 1, 12, 2);
	/* the upper bits of what v7 has */
	block = block_format(p, mali_bits(w, 1, 12 - p->arch->block_bits, p->arch->block_bits));
	if (!internals[internal].bytes)
		return mali_bits(w, 1, 0, 1) ? mali_fb_reject(p, "internal format", va, w[0]) : 0;
	plain_format(&internals[internal], &fb->format[i]);
	clear_value(&internals[internal], &fb->format[i], w + 12, fb->clear[i]);
	if (!mali_bits(w, 1, 0, 1) || block == BLOCK_NONE)
		return 0;
	if (block == BLOCK_OTHER)
		return mali_fb_reject(p, "writeback block format", va + 4, w[1]);
	if (mali_bits(w, 0, 24, 1))
		return mali_fb_reject(p, "YUV enable", va, w[0]);
	/* v7 has a wider block format there */
	if (p->arch->block_bits == 2 && mali_bits(w, 1, 8, 2))
		return mali_fb_reject(p, "writeback endianness", va + 4, w[1]);
	if (p->arch->midgard && mali_bits(w, 1, 29, 2))
		return mali_fb_reject(p, "writeback sampling mode", va + 4, w[1]);
	if (p->arch->midgard && mali_bits(w, 2, 0, 2))
		return mali_fb_reject(p, "preload, unload", va + 8, w[2]);
	if (msaa == MSAA_MULTIPLE)
		return mali_fb_reject(p, "writeback MSAA", va + 4, w[1]);
	if (!writebacks[writeback].bytes ||
	    !mali_fb_fits(&writebacks[writeback], &internals[internal]))
		return mali_fb_reject(p, "writeback format", va + 4, w[1]);
	plain_format(&writebacks[writeback], &m->format);
	if (writebacks[writeback].bits[0]) {
		order_format(mali_bits(w, 1, 16, 12), &m->format);
		/* blending converts, so that the tile buffer has codes, as the clear value has */
		m->format.srgb = mali_bits(w, 1, 14, 1);
		fb->format[i].srgb = m->format.srgb;
	}
	m->order = block == BLOCK_TILED ? PX_TILED : PX_LINEAR;
	m->resolve = fb->samples > 1 && msaa != MSAA_LAYERED;
	m->width = fb->width;
	m->height = fb->height;
	if (mali_bits(w, 1, 31, 1))
		fb->clean |= BIT(i);
	buffer(w + 8, m);
	return 0;
}

/* ---- depth and stencil ---- */

static const u8 zs_formats[16] = {
	[1] = 1 + VR_IMAGE_Z16, [4] = 1 + VR_IMAGE_Z24X8, [5] = 1 + VR_IMAGE_Z24S8,
	[14] = 1 + VR_IMAGE_Z32F, [15] = 1 + VR_IMAGE_Z32F_S8X24,
};

static bool zs_has_stencil(u32 code)
{
	return zs_formats[code] == 1 + VR_IMAGE_Z24S8 ||
	       zs_formats[code] == 1 + VR_IMAGE_Z32F_S8X24;
}

static int zs_image(struct mali_parser *p, u64 va, const u32 *w, u32 block, u32 msaa, u32 kind,
		    struct mali_fb *fb, struct vr_image *m)
{
	if (block == BLOCK_NONE)
		return 0;
	if (block == BLOCK_OTHER)
		return mali_fb_reject(p, "ZS block format", va, w[3]);
	if (msaa == MSAA_MULTIPLE)
		return mali_fb_reject(p, "ZS MSAA", va, w[3]);
	m->zs = kind;
	m->order = block == BLOCK_TILED ? PX_TILED : PX_LINEAR;
	m->resolve = fb->samples > 1 && msaa != MSAA_LAYERED;
	m->width = fb->width;
	m->height = fb->height;
	return 0;
}

/* @writes: bit 0 depth, bit 1 stencil. */
static int read_zs(struct mali_parser *p, u64 va, u32 writes, struct mali_fb *fb)
{
	u32 w[EXT_WORDS], z, s, shift = p->arch->block_bits;
	int ret;

	ret = mali_words(p, va, w, EXT_WORDS, DESC_BYTES, "ZS CRC extension");
	if (ret)
		return ret;
	if (p->arch->block_bits == 2 && mali_bits(w, 3, 8, 1))
		return mali_fb_reject(p, "ZS big endian", va + 12, w[3]);
	z = mali_bits(w, 3, 0, 4);
	s = mali_bits(w, 3, 16, 4);
	fb->clean_zs = mali_bits(w, 3, 10, 1);
	/* combined formats have one enable */
	if (z && mali_u64(w, 4) && (writes & 1 || (writes && zs_has_stencil(z)))) {
		if (!zs_formats[z])
			return mali_fb_reject(p, "ZS write format", va + 12, w[3]);
		ret = zs_image(p, va + 12, w, block_format(p, mali_bits(w, 3, 4, shift)),
			       mali_bits(w, 3, 4 + shift, 2), zs_formats[z] - 1, fb,
			       &fb->zs[MALI_FB_DEPTH]);
		if (ret)
			return ret;
		buffer(w + 4, &fb->zs[MALI_FB_DEPTH]);
	}
	if (!s || !mali_u64(w, 8) || !(writes & 2))
		return 0;
	if (s != 1)
		return mali_fb_reject(p, "S write format", va + 12, w[3]);
	ret = zs_image(p, va + 12, w, block_format(p, mali_bits(w, 3, 20, shift)),
		       mali_bits(w, 3, 20 + shift, 2), VR_IMAGE_S8, fb, &fb->zs[MALI_FB_STENCIL]);
	if (!ret)
		buffer(w + 8, &fb->zs[MALI_FB_STENCIL]);
	return ret;
}

/* ---- parameters ---- */

static int read_parameters(struct mali_parser *p, u64 va, const u32 *w, struct mali_fb *fb)
{
	static const u8 zformats[4] = { VR_Z16, VR_Z24, VR_Z32F };
	u32 i, z = mali_bits(w, 12, 16, 2), samples = mali_bits(w, 11, 0, 3);

	if (samples && samples != 2)
		return mali_fb_reject(p, "sample count", va + 44, w[11]);
	if (mali_bits(w, 11, 13, 6))
		return mali_fb_reject(p, "downsampling scale", va + 44, w[11]);
	if (mali_bits(w, 12, 9, 2) || mali_bits(w, 12, 19, 2))
		return mali_fb_reject(p, "ZS preload, unload", va + 48, w[12]);
	if (!zformats[z])
		return mali_fb_reject(p, "Z internal format", va + 48, w[12]);
	*fb = (struct mali_fb){
		.width = mali_bits(w, 8, 0, 16) + 1,
		.height = mali_bits(w, 8, 16, 16) + 1,
		.samples = 1U << samples,
		.ntargets = mali_bits(w, 11, 19, 4) + 1,
		.zformat = zformats[z],
		.z_clear = w[13],
		.s_clear = mali_bits(w, 12, 0, 8),
	};
	if (fb->ntargets > VR_MAX_TARGETS)
		return mali_fb_reject(p, "render target count", va + 44, w[11]);
	if (p->arch->midgard) {
		fb->tiler = va + MALI_FB_TILER;
		return 0;
	}
	fb->tiler = mali_u64(w, 14);
	fb->sample_positions = mali_u64(w, 4);
	fb->shaders = mali_u64(w, 6);
	for (i = 0; i < 3; i++) {
		fb->mode[i] = mali_bits(w, 0, 3 * i, 3);
		if (fb->mode[i] > MALI_FRAME_EARLY_ZS_ALWAYS)
			return mali_fb_reject(p, "pre frame, post frame", va, w[0]);
	}
	return 0;
}

int mali_fb_read(struct mali_parser *p, u64 va, struct mali_fb *fb)
{
	u32 w[FB_WORDS], i, writes;
	int ret;

	ret = mali_words(p, va, w, FB_WORDS, DESC_BYTES, "framebuffer");
	if (!ret)
		ret = read_parameters(p, va, w, fb);
	if (ret)
		return ret;
	va += FB_BYTES;
	writes = mali_bits(w, 12, 18, 1) | mali_bits(w, 12, 8, 1) << 1;
	if (mali_bits(w, 12, 21, 1)) {
		ret = read_zs(p, va, writes, fb);
		va += DESC_BYTES;
	}
	for (i = 0; i < fb->ntargets && !ret; i++)
		ret = mali_fb_read_target(p, va + DESC_BYTES * i, i, fb);
	return ret;
}
