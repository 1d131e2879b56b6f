/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * EXT micro-ops that only Midgard programs have. Everything else is as in mali_ext.h.
 */
#ifndef MALI_EXT_MIDGARD_H
#define MALI_EXT_MIDGARD_H

#include "mali_ext.h"

/**
 * enum mali_ext_midgard - Bits 0-7 of EXT's imm.
 * @MGX_TEX:	d .. d+3 = four components of a texture operation, of MGX_TEX_TYPE(); slots d2
 *		.. d2+3: coordinates (binary32, FETCH: integers; the last one is the layer, as
 *		an integer); s0 texture, s1 sampler, s2 LOD or bias (binary32, FETCH: level),
 *		s3 offsets in bytes
 * @MGX_LD_VAR:	d .. d+3 = varying s0, by the parameters of LD_VARY; regfmt
 * @MGX_COVERED: d = 1, 0 for helpers
 * @MGX_DEPTH:	d = coverage: 1, or 0 for helpers and where depth s0 fails, if the launch says
 *		that the program's depth counts
 * @MGX_BLEND:	as MX_BLEND with s1 = MGX_BLEND_FIXED | target << 16, s3 = MGX_BLEND_OPAQUE |
 *		target << 16, for targets of integers; target MGX_NO_TARGET: nothing
 * @MGX_UNPACK:	d .. d+3 = slots d2 .. d2+3 read in format s0; regfmt
 * @MGX_PACK:	d .. d+3 = slots d2 .. d2+3 written in format s0; regfmt
 */
enum mali_ext_midgard {
	MGX_TEX = 0x80, MGX_LD_VAR, MGX_COVERED, MGX_DEPTH, MGX_BLEND, MGX_UNPACK, MGX_PACK,
	MGX_LAST
};

/* Words of blend descriptors of later GPUs that say what a write of Midgard does. */
#define MGX_NO_TARGET		255
#define MGX_BLEND_OPAQUE	1
#define MGX_BLEND_FIXED		2
/* Conversions: colours of the tile buffer, with registers of the target's kind; a word. */
#define MGX_TILE_COLOUR		(237U << 12 | 0x688)
#define MGX_TILE_RGBA8		(MGX_TILE_COLOUR | 0x400000)
#define MGX_TILE_WORD		(133U << 12 | 0x688 | 0x400000)
/* Pixel indices of the thread's own pixel, target 0. */
#define MGX_OWN_PIXEL		0xffff0000U

/* MGX_TEX: where the LOD comes from. */
enum mgx_tex_lod { MGX_LOD_EXPLICIT, MGX_LOD_BIAS, MGX_LOD_FETCH };

#define MGX_TEX_IMM(lod, mode, dim, type, offsets) \
	(MGX_TEX | (u32)(lod) << 8 | (u32)(mode) << 12 | (u32)(dim) << 16 | (u32)(type) << 20 | \
	 (u32)(offsets) << 24)
#define MGX_TEX_LOD(imm)	((imm) >> 8 & 3)
#define MGX_TEX_MODE(imm)	((imm) >> 12 & 15)	/* enum mg_tex_mode */
#define MGX_TEX_DIM(imm)	((imm) >> 16 & 3)	/* enum mali_dim */
#define MGX_TEX_TYPE(imm)	((imm) >> 20 & 3)	/* enum mg_tex_type */
#define MGX_TEX_OFFSETS(imm)	((imm) >> 24 & 1)

/* MGX_LD_VAR: how it is interpolated, as LD_VARY has it. */
#define MGX_VAR_FLAT		0x10000
#define MGX_VAR_PERSPECTIVE	0x20000

#endif /* MALI_EXT_MIDGARD_H */
