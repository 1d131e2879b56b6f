// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV textures: decoding of texels, filtering and packing for r4.
 *
 * Colours are 8888: red in byte a, alpha in byte d (from Mesa's swizzles). Choices
 * for undocumented behaviour: alpha types have the colour black, luminance types an
 * alpha of 255; S8, S16 and S16F are in the low bits of the word, the rest is 0; RGBA64
 * takes two loads, red (16a) and green, then blue and alpha; YUYV returns Y, U, V, 255
 * without conversion. Narrow channels are widened by repeating their high bits.
 *
 * Filtering: weights of 8 bits; between two colours the exact sum, truncated to 1/256 of a
 * byte's unit after each of the up to seven steps, rounded to nearest at the end. Halves:
 * the exact sum, rounded to nearest even in each step.
 */
#include "../../pixel/px_pack.h"
#include "qpu_tex.h"

static bool is_half(u32 type)
{
	return type == QPU_TEX_S16F || type == QPU_TEX_RGBA64;
}

u32 qpu_tex_bytes(u32 type)
{
	if (type == QPU_TEX_YUYV422R)
		return 4;
	return max(qpu_tex_bits(type) / 8, 1U);
}

u32 qpu_tex_words(u32 type)
{
	return type == QPU_TEX_RGBA64 ? 2 : 1;
}

/* Field of @bits bits of @v from bit @shift on, widened to 8 bits. */
static u32 channel(u32 v, u32 shift, u32 bits)
{
	v = v >> shift & ((1U << bits) - 1);
	switch (bits) {
	case 1:
		return v * 0xff;
	case 4:
		return v << 4 | v;
	case 5:
		return v << 3 | v >> 2;
	case 6:
		return v << 2 | v >> 4;
	default:
		return v;
	}
}

static struct qpu_texel rgba(u32 r, u32 g, u32 b, u32 a)
{
	return (struct qpu_texel){ { r << 8, g << 8, b << 8, a << 8 } };
}

/* The channels as one word, red lowest: processors are little-endian. */
static u64 all_channels(struct qpu_texel t)
{
	u64 v;

	memcpy(&v, t.c, sizeof(v));
	return v;
}

static struct qpu_texel from_channels(u64 v)
{
	struct qpu_texel t;

	memcpy(t.c, &v, sizeof(v));
	return t;
}

static struct qpu_texel from_8888(u32 w)
{
	u64 v = (w | (u64)w << 16) & 0x0000ffff0000ffffULL;

	return from_channels((v << 8 | v << 16) & 0xff00ff00ff00ff00ULL);
}

/* @raw: the block, first byte lowest. */
static struct qpu_texel from_etc1(u64 raw, u32 x, u32 y)
{
	u8 c[4];

	px_etc1(__builtin_bswap64(raw), x, y, c);
	return rgba(c[0], c[1], c[2], c[3]);
}

static struct qpu_texel grey(u32 l, u32 a)
{
	return rgba(l, l, l, a);
}

struct qpu_texel qpu_tex_decode(const struct qpu_tex *tex, u64 raw, u32 bit, u32 x, u32 y)
{
	u32 w = raw, h = raw & 0xffff;

	switch (tex->type) {
	case QPU_TEX_RGBA8888:
	case QPU_TEX_RGBA32R:
		return from_8888(w);
	case QPU_TEX_RGBX8888:
		return from_8888(w | 0xff000000);
	case QPU_TEX_RGBA4444:
		return rgba(channel(w, 12, 4), channel(w, 8, 4), channel(w, 4, 4),
			    channel(w, 0, 4));
	case QPU_TEX_RGBA5551:
		return rgba(channel(w, 11, 5), channel(w, 6, 5), channel(w, 1, 5),
			    channel(w, 0, 1));
	case QPU_TEX_RGB565:
		return rgba(channel(w, 11, 5), channel(w, 5, 6), channel(w, 0, 5), 0xff);
	case QPU_TEX_LUMINANCE:
		return grey(w & 0xff, 0xff);
	case QPU_TEX_ALPHA:
		return rgba(0, 0, 0, w & 0xff);
	case QPU_TEX_LUMALPHA:
		return grey(w & 0xff, w >> 8 & 0xff);
	case QPU_TEX_ETC1:
		return from_etc1(raw, x & 3, tex->etc_flip ? ~y & 3 : y & 3);
	case QPU_TEX_S16F:
	case QPU_TEX_S16:
		return (struct qpu_texel){ { h } };
	case QPU_TEX_S8:
		return rgba(w & 0xff, 0, 0, 0);
	case QPU_TEX_BW1:
		return grey(channel(w, bit, 1), 0xff);
	case QPU_TEX_A4:
		return rgba(0, 0, 0, channel(w, bit, 4));
	case QPU_TEX_A1:
		return rgba(0, 0, 0, channel(w, bit, 1));
	case QPU_TEX_RGBA64:
		return (struct qpu_texel){ { h, raw >> 16, raw >> 32, raw >> 48 } };
	default: /* QPU_TEX_YUYV422R: Y0 U Y1 V */
		return rgba(x & 1 ? w >> 16 & 0xff : w & 0xff, w >> 8 & 0xff, w >> 24, 0xff);
	}
}

#define HALF_INF	0x7c00
#define HALF_NAN	0x7e00

static bool qpu_tex_is_special(u32 h)
{
	return (h & HALF_INF) == HALF_INF;
}

/* A finite half in units of 2^-24. */
static s64 half_to_fixed(u32 h)
{
	u32 e = h >> 10 & 0x1f, m = h & 0x3ff;
	s64 v = e ? (s64)(m | 0x400) << (e - 1) : m;

	return h & 0x8000 ? -v : v;
}

/* Round @v, in units of 2^-32, to the nearest half, ties to even. */
static u32 half_from_fixed(s64 v)
{
	u32 sign = v < 0 ? 0x8000 : 0, shift, h;
	u64 a = v < 0 ? -v : v;

	/* 11 bits remain, less below 2^-14 */
	shift = a >> 19 ? 53 - __builtin_clzll(a) : 8;
	a = (a + (1ULL << (shift - 1)) - 1 + (a >> shift & 1)) >> shift;
	h = ((shift - 8) << 10) + a;
	return sign | min_t(u32, h, HALF_INF);
}

static u32 mix_half(u32 a, u32 b, u32 w)
{
	if (!w || a == b)
		return a;
	if (qpu_tex_is_special(a))
		return qpu_tex_is_special(b) ? HALF_NAN : a;
	if (qpu_tex_is_special(b))
		return b;
	return half_from_fixed(half_to_fixed(a) * (256 - w) + half_to_fixed(b) * w);
}

struct qpu_texel qpu_tex_mix(u32 type, struct qpu_texel a, struct qpu_texel b, u32 w)
{
	const u64 every = 0x0000ffff0000ffffULL;
	u64 u, v, low, high;
	u32 i;

	if (is_half(type)) {
		for (i = 0; i < 4; i++)
			a.c[i] = mix_half(a.c[i], b.c[i], w);
		return a;
	}
	/* two channels at a time: products have 24 bits */
	u = all_channels(a);
	v = all_channels(b);
	low = (u & every) * (256 - w) + (v & every) * w;
	high = (u >> 16 & every) * (256 - w) + (v >> 16 & every) * w;
	return from_channels((low >> 8 & every) | (high << 8 & ~every));
}

/* The register holds the colour in result format, in the first result word. */
struct qpu_texel qpu_tex_border(u32 type, u32 r)
{
	if (type == QPU_TEX_S16)
		return (struct qpu_texel){ { r } };
	if (is_half(type))
		return (struct qpu_texel){ { r, r >> 16 } };
	return from_8888(r);
}

static u32 to_byte(u32 c)
{
	return (c + 128) >> 8;
}

u32 qpu_tex_pack(u32 type, struct qpu_texel c, u32 *words)
{
	switch (type) {
	case QPU_TEX_RGBA64:
		words[0] = c.c[0] | (u32)c.c[1] << 16;
		words[1] = c.c[2] | (u32)c.c[3] << 16;
		return 2;
	case QPU_TEX_S16F:
	case QPU_TEX_S16:
		words[0] = c.c[0];
		return 1;
	default:
		words[0] = to_byte(c.c[0]) | to_byte(c.c[1]) << 8 | to_byte(c.c[2]) << 16 |
			   to_byte(c.c[3]) << 24;
		return 1;
	}
}
