/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Components to registers of programs, and back.
 */
#ifndef MALI_PACK_H
#define MALI_PACK_H

#include "../../pixel/px_pack.h"
#include "../bifrost/bifrost_ext.h"

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
void mali_to_reg(enum px_kind kind, const u32 v[4], u32 fmt, u32 comps, u32 *out);

/**
 * mali_from_reg - convert registers to components, for px_pack()
 * @fmt: enum mali_regfmt with slots; AUTO: registers are of @kind
 * @in: mali_reg_slots() words
 * @comps: 1..4
 * @kind: kind of @v
 * @v: components; missing ones are 0, 0, 0, 1
 */
void mali_from_reg(u32 fmt, const u32 *in, u32 comps, enum px_kind kind, u32 v[4]);

/**
 * mali_block_to_reg - mali_to_reg() for the lanes of a block
 * @simd: executor
 * @kind: kind of @v
 * @v: components, each for all lanes
 * @fmt: enum mali_regfmt with slots
 * @comps: 1..4
 * @mask: lanes
 * @slot: mali_reg_slots() times SIMT_LANES words; only lanes of @mask are written
 */
void mali_block_to_reg(enum vs_simd simd, enum px_kind kind, const u32 v[4][SIMT_LANES], u32 fmt,
		       u32 comps, u64 mask, u32 *slot);

/*
 * mali_block_from_reg - mali_from_reg() for the lanes of a block
 * @simd: executor
 * @fmt: enum mali_regfmt with slots; AUTO: registers are of @kind
 * @slot: mali_reg_slots() times SIMT_LANES words
 * @comps: 1..4
 * @kind: kind of @v
 * @mask: lanes
 * @v: room for the components
 *
 * Return: components, each for all lanes: @v or the slots. Only lanes of @mask have values.
 */
const u32 (*mali_block_from_reg(enum vs_simd simd, u32 fmt, const u32 *slot, u32 comps,
				enum px_kind kind, u64 mask,
				u32 v[4][SIMT_LANES]))[SIMT_LANES];

#endif /* MALI_PACK_H */
