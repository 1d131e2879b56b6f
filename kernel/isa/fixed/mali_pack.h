/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Texels and vertex elements of any decoded format to four components, and back; components
 * to registers, and back. Integers only: the same results everywhere.
 *
 * Components are numbers of 32 bits of one kind: binary32 (also of normalised and fixed
 * point formats), unsigned or signed. Choices, as what the hardware does is not published:
 *
 * - UNORM and SNORM of up to 16 bits are multiplied with the binary32 reciprocal of their
 *   largest number and rounded to even; those of more are divided. Back, the product is
 *   rounded to binary32, then to even; NaN gives 0.
 * - Halves and small floats keep infinities and NaNs; back, to nearest even, 11 and 10 bits
 *   toward zero, negative numbers give 0.
 * - Integers that do not fit lose their upper bits.
 * - sRGB concerns r, g, b; back, it gives the code whose value is nearest.
 */
#ifndef MALI_PACK_H
#define MALI_PACK_H

#include "../../engine/simt/simt.h"
#include "../../engine/vs_num.h"
#include "mali_res.h"

/* What a component's 32 bits are. */
enum mali_kind { MALI_KIND_F32, MALI_KIND_U32, MALI_KIND_S32 };

/* Most bytes of an element or block. */
#define MALI_MAX_BYTES	16

/**
 * mali_format_readable - can mali_unpack() read it, or mali_etc2() if it has blocks?
 * @f: format
 *
 * Others (big endian, today) are to be reported as unsupported; reading them gives zeros.
 */
bool mali_format_readable(const struct mali_format *f);

/**
 * mali_format_writable - can mali_pack() write it?
 * @f: format
 */
bool mali_format_writable(const struct mali_format *f);

/* Kind of the components. */
enum mali_kind mali_format_kind(const struct mali_format *f);

/* The number one of a kind. */
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
 * @comps: how many of them there are; components in memory that none of them is for keep
 *	   their bits
 * @p: f->bytes bytes, read and written
 */
void mali_pack(const struct mali_format *f, const u32 v[4], u32 comps, void *p);

/* ---- registers ---- */

/**
 * mali_reg_slots - slots of 32 bits that components take
 * @fmt: enum mali_regfmt
 * @comps: 1..4
 *
 * Return: number of slots; 0: not supported (64 bits, no such number).
 */
u32 mali_reg_slots(u32 fmt, u32 comps);

/**
 * mali_to_reg - components to a register format
 * @kind: of @v
 * @v: components
 * @fmt: enum mali_regfmt that has slots
 * @comps: 1..4
 * @out: mali_reg_slots() words; 16-bit formats have the first component in the lower half
 *
 * By value: floats to integers toward zero, saturated, NaN is 0; integers to floats to
 * nearest even; the 16-bit integers are the lower halves of the 32-bit ones.
 */
void mali_to_reg(enum mali_kind kind, const u32 v[4], u32 fmt, u32 comps, u32 *out);

/**
 * mali_from_reg - components from registers, for mali_pack()
 * @fmt: enum mali_regfmt that has slots; AUTO: they are of @kind
 * @in: mali_reg_slots() words
 * @comps: 1..4
 * @kind: wanted
 * @v: components; those that are not there are 0, 0, 0, 1
 */
void mali_from_reg(u32 fmt, const u32 *in, u32 comps, enum mali_kind kind, u32 v[4]);

/**
 * mali_block_to_reg - mali_to_reg() for the lanes of a block
 * @kind: of @v
 * @v: components, each for all lanes
 * @fmt: enum mali_regfmt that has slots
 * @comps: 1..4
 * @mask: lanes
 * @slot: mali_reg_slots() times SIMT_LANES words; only lanes of @mask are written
 */
void mali_block_to_reg(enum mali_kind kind, const u32 v[4][SIMT_LANES], u32 fmt, u32 comps,
		       u64 mask, u32 *slot);

/* ---- numbers ---- */

u32 mali_f32_to_f16(u32 f);
u32 mali_f32_to_u32(u32 f);
u32 mali_f32_to_s32(u32 f);
u32 mali_u32_to_f32(u32 v);
u32 mali_s32_to_f32(u32 v);

/* n / 255, n up to 255, as UNORM has it. */
static inline u32 mali_unorm8_to_f32(u32 n)
{
	/* 0x808081 * 2^-31 is the reciprocal; the product has at most 32 bits. */
	u32 p = n * 0x808081, e;

	if (!n)
		return 0;
	e = 31 - __builtin_clz(p);
	/* No product is halfway between two numbers. */
	if (e > 23)
		p = (u32)(((u64)p + (1U << (e - 24))) >> (e - 23));
	return ((e + 95) << 23) + p;
}

/* sRGB code, 0..255, to a linear number, and back. */
u32 mali_srgb_to_f32(u32 code);
u32 mali_f32_to_srgb(u32 f);

#endif /* MALI_PACK_H */
