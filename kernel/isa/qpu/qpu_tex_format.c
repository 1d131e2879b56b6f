// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV textures: from bits in memory to values and from these to r4.
 *
 * Colours come as 8888: red in byte a, alpha in byte d (from Mesa's swizzles). Choices
 * where nothing is published: alpha types have black for a colour, luminance types an
 * alpha of 255; S8, S16 and S16F come in the low bits of the word, the rest is 0; RGBA64
 * takes two loads, red (16a) and green, then blue and alpha; YUYV gives Y, U, V, 255
 * without conversion. Narrow channels are widened by repeating their high bits.
 *
 * Filtering: weights of 8 bits; between two colours the exact sum, truncated to 1/256 of a
 * byte's unit after each of the up to seven steps, rounded to nearest at the end. Halves:
 * binary32 steps, each rounded to nearest even, the result too.
 */
#include "qpu_tex.h"
#include "../../engine/softfloat.h"
#include "../../engine/vs_num.h"

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

/* @bits bits of @v from @shift on, widened to 8 bits. */
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

static struct qpu_texel from_8888(u32 w)
{
	return rgba(w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff, w >> 24);
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
		return qpu_tex_etc1(raw, x & 3, tex->etc_flip ? ~y & 3 : y & 3);
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

/* Binary32 to binary16, to nearest even. */
static u32 to_half(u32 f)
{
	u32 sign = f >> 16 & 0x8000, a = f & VS_F32_ABS, e = a >> 23, m, shift;

	if (a > VS_F32_INF)
		return sign | 0x7e00;
	if (a >= 0x477ff000)
		return sign | 0x7c00;
	if (e >= 113) {
		a -= 112U << 23;
		return sign | (a + 0xfff + (a >> 13 & 1)) >> 13;
	}
	if (e < 102)
		return sign;
	m = (a & 0x7fffff) | 0x800000;
	shift = 126 - e;
	return sign | (m + (1U << (shift - 1)) - 1 + (m >> shift & 1)) >> shift;
}

static u32 mix_half(u32 a, u32 b, u32 w)
{
	/* (256 - w) / 256 and w / 256 */
	u32 wa = sf_mul(vs_i2f(256 - w), 0x3b800000, false);
	u32 wb = sf_mul(vs_i2f(w), 0x3b800000, false);

	if (!w)
		return a;
	return to_half(sf_add(sf_mul(vs_f16_unpack(a), wa, false),
			      sf_mul(vs_f16_unpack(b), wb, false), false));
}

struct qpu_texel qpu_tex_mix(u32 type, struct qpu_texel a, struct qpu_texel b, u32 w)
{
	struct qpu_texel c;
	u32 i;

	for (i = 0; i < 4; i++) {
		if (is_half(type))
			c.c[i] = mix_half(a.c[i], b.c[i], w);
		else
			c.c[i] = (a.c[i] * (256 - w) + b.c[i] * w) >> 8;
	}
	return c;
}

/* The register has the colour in the form that results have, the first word of them. */
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
