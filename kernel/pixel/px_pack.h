/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Texels and vertex elements of any decoded format to four components, and back. Integer
 * arithmetic: deterministic on all machines.
 *
 * Components are 32-bit numbers of one kind: binary32 (also for normalised and fixed
 * point formats), unsigned or signed. Choices for undocumented behaviour:
 *
 * - UNORM and SNORM of up to 16 bits are multiplied by the binary32 reciprocal of their
 *   maximum and rounded to even; wider ones are divided. In the other direction, the product is
 *   rounded to binary32, then to even; NaN becomes 0.
 * - Halves and small floats keep infinities and NaNs; writes round to nearest even, 11 and 10
 *   bits toward zero, negative numbers become 0.
 * - Integers that do not fit lose their upper bits.
 * - sRGB applies to r, g, b; writes select the code with the nearest value.
 */
#ifndef PX_PACK_H
#define PX_PACK_H

#include "../engine/vs_num.h"
#include "px_format.h"

/* Type of a component's 32 bits. */
enum px_kind { PX_KIND_F32, PX_KIND_U32, PX_KIND_S32 };

/* Maximum size of an element or block. */
#define PX_MAX_BYTES	16

/**
 * px_format_readable - can px_unpack() read it, or px_etc2() if it has blocks?
 * @f: format
 *
 * Callers report other formats (currently big endian) as unsupported; they read as zeros.
 */
bool px_format_readable(const struct px_format *f);

/**
 * px_format_writable - can px_pack() write it?
 * @f: format
 */
bool px_format_writable(const struct px_format *f);
/* Are the components in memory those in registers: r, g, b, a of 32 bits? */
bool px_is_words(const struct px_format *f);
/* Number of such components if the others are constants, which memory has not; 0: converted. */
u32 px_num_words(const struct px_format *f);

/* Kind of the components. */
enum px_kind px_format_kind(const struct px_format *f);

/* The number one in this kind. */
static inline u32 px_one(enum px_kind kind)
{
	return kind == PX_KIND_F32 ? 0x3f800000 : 1;
}

/**
 * px_unpack - read an element
 * @f: readable format without blocks
 * @p: f->bytes bytes, any alignment
 * @v: r, g, b, a
 */
void px_unpack(const struct px_format *f, const void *p, u32 v[4]);

/**
 * px_etc2 - read a texel of a compressed block
 * @f: format with layout PX_ETC2
 * @block: f->bytes bytes
 * @x: column, 0..3
 * @y: row, 0..3
 * @v: r, g, b, a
 */
void px_etc2(const struct px_format *f, const void *block, u32 x, u32 y, u32 v[4]);

/**
 * px_etc1 - read a texel of an ETC1 block
 * @block: 8 bytes, the first one highest
 * @x: column, 0..3
 * @y: row, 0..3
 * @c: r, g, b, 255
 *
 * Differential colours that leave 0..31, which GL_OES_compressed_ETC1_RGB8_texture leaves
 * undefined, wrap.
 */
void px_etc1(u64 block, u32 x, u32 y, u8 c[4]);

/**
 * px_pack - write an element
 * @f: writable format
 * @v: r, g, b, a, of kind px_format_kind(@f)
 * @comps: number of components in @v; memory components without a source keep their bits
 * @p: f->bytes bytes, read and written
 */
void px_pack(const struct px_format *f, const u32 v[4], u32 comps, void *p);

/* ---- numbers ---- */

u32 px_f32_to_f16(u32 f);
u32 px_f32_to_u32(u32 f);
u32 px_f32_to_s32(u32 f);
u32 px_u32_to_f32(u32 v);
u32 px_s32_to_f32(u32 v);

/* n / 255 for n up to 255, rounded as UNORM. */
static inline u32 px_unorm8_to_f32(u32 n)
{
	/* 0x808081 * 2^-31 is the reciprocal; the product has at most 32 bits. */
	u32 p = n * 0x808081, e;

	if (!n)
		return 0;
	e = 31 - __builtin_clz(p);
	/* No product is a tie. */
	if (e > 23)
		p = (u32)(((u64)p + (1U << (e - 24))) >> (e - 23));
	return ((e + 95) << 23) + p;
}

/* sRGB code, 0..255, to a linear number, and back. */
u32 px_srgb_to_f32(u32 code);
u32 px_f32_to_srgb(u32 f);

#endif /* PX_PACK_H */
