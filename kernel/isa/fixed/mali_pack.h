/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Texels and vertex elements of any decoded format to four components, and back; components
 * to registers, and back. Integer arithmetic: deterministic on all machines.
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
#ifndef MALI_PACK_H
#define MALI_PACK_H

#include "../../engine/simt/simt.h"
#include "../../engine/vs_num.h"
#include "mali_res.h"

/* Type of a component's 32 bits. */
enum mali_kind { MALI_KIND_F32, MALI_KIND_U32, MALI_KIND_S32 };

/* Maximum size of an element or block. */
#define MALI_MAX_BYTES	16

/**
 * mali_format_readable - can mali_unpack() read it, or mali_etc2() if it has blocks?
 * @f: format
 *
 * Callers report other formats (currently big endian) as unsupported; they read as zeros.
 */
bool mali_format_readable(const struct mali_format *f);

/**
 * mali_format_writable - can mali_pack() write it?
 * @f: format
 */
bool mali_format_writable(const struct mali_format *f);

/* Kind of the components. */
enum mali_kind mali_format_kind(const struct mali_format *f);

/* The number one in this kind. */
static inline u32 mali_one(enum mali_kind kind)
{
	return kind == MALI_KIND_F32 ? 0x3f800000 : 1;
}

/**
 * mali_unpack - read an element
 * @f: readable format without blocks
 * @p: f->bytes bytes, any alignment
 * @v: r, g, b, a
 */
void mali_unpack(const struct mali_format *f, const void *p, u32 v[4]);

/**
 * mali_etc2 - read a texel of a compressed block
 * @f: format with layout MALI_ETC2
 * @block: f->bytes bytes
 * @x: column, 0..3
 * @y: row, 0..3
 * @v: r, g, b, a
 */
void mali_etc2(const struct mali_format *f, const void *block, u32 x, u32 y, u32 v[4]);

/**
 * mali_pack - write an element
 * @f: writable format
 * @v: r, g, b, a, of kind mali_format_kind(@f)
 * @comps: number of components in @v; memory components without a source keep their bits
 * @p: f->bytes bytes, read and written
 */
void mali_pack(const struct mali_format *f, const u32 v[4], u32 comps, void *p);

/* ---- registers ---- */

/**
 * mali_reg_slots - number of 32-bit slots for components
 * @fmt: enum mali_regfmt
 * @comps: 1..4
 *
 * Return: number of slots; 0: unsupported (64 bits, undefined code).
 */
u32 mali_reg_slots(u32 fmt, u32 comps);

/**
 * mali_to_reg - convert components to a register format
 * @kind: kind of @v
 * @v: components
 * @fmt: enum mali_regfmt with slots
 * @comps: 1..4
 * @out: mali_reg_slots() words; 16-bit formats have the first component in the lower half
 *
 * Converts values: floats to integers toward zero, saturated, NaN becomes 0; integers to floats
 * to nearest even; the 16-bit integers are the lower halves of the 32-bit ones.
 */
void mali_to_reg(enum mali_kind kind, const u32 v[4], u32 fmt, u32 comps, u32 *out);

/**
 * mali_from_reg - convert registers to components, for mali_pack()
 * @fmt: enum mali_regfmt with slots; AUTO: registers are of @kind
 * @in: mali_reg_slots() words
 * @comps: 1..4
 * @kind: kind of @v
 * @v: components; missing ones are 0, 0, 0, 1
 */
void mali_from_reg(u32 fmt, const u32 *in, u32 comps, enum mali_kind kind, u32 v[4]);

/**
 * mali_block_to_reg - mali_to_reg() for the lanes of a block
 * @kind: kind of @v
 * @v: components, each for all lanes
 * @fmt: enum mali_regfmt with slots
 * @comps: 1..4
 * @mask: lanes
 * @slot: mali_reg_slots() times SIMT_LANES words; only lanes of @mask are written
 */
void mali_block_to_reg(enum mali_kind kind, const u32 v[4][SIMT_LANES], u32 fmt, u32 comps,
		       u64 mask, u32 *slot);

/**
 * mali_block_from_reg - mali_from_reg() for the lanes of a block
 * @fmt: enum mali_regfmt with slots; AUTO: registers are of @kind
 * @slot: mali_reg_slots() times SIMT_LANES words
 * @comps: 1..4
 * @kind: kind of @v
 * @mask: lanes
 * @v: room for the components
 *
 * Return: components, each for all lanes: @v or the slots. Only lanes of @mask have values.
 */
const u32 (*mali_block_from_reg(u32 fmt, const u32 *slot, u32 comps, enum mali_kind kind, u64 mask,
				u32 v[4][SIMT_LANES]))[SIMT_LANES];

/* ---- numbers ---- */

u32 mali_f32_to_f16(u32 f);
u32 mali_f32_to_u32(u32 f);
u32 mali_f32_to_s32(u32 f);
u32 mali_u32_to_f32(u32 v);
u32 mali_s32_to_f32(u32 v);

/* n / 255 for n up to 255, rounded as UNORM. */
static inline u32 mali_unorm8_to_f32(u32 n)
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
u32 mali_srgb_to_f32(u32 code);
u32 mali_f32_to_srgb(u32 f);

#endif /* MALI_PACK_H */
