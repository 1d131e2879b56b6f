/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What micro-op EXT means in programs of the Mali families: everything that goes through
 * descriptors. Front ends emit these, mali_ext.c executes them.
 */
#ifndef MALI_EXT_H
#define MALI_EXT_H

#include "../../engine/simt/simt.h"
#include "../fixed/mali_res.h"

/**
 * enum mali_ext - Bits 0-7 of EXT's imm.
 *
 * "comps" and "regfmt" are fields of imm, see MALI_EXT_IMM(). Results of 16-bit register
 * formats are packed two to a slot.
 *
 * @MX_LD_ATTR:	d .. = element of attribute s2: s0 vertex, s1 instance (both as the program
 *		sees them); comps, regfmt
 * @MX_LEA_ATTR: d, d+1 = address of that element, d+2 = conversion word; table by
 *		MALI_EXT_VARYING; regfmt
 * @MX_LD_IMG:	d .. = texel of image s2 (attribute table): s0 = x | y << 16, s1 = z or
 *		layer; comps, regfmt
 * @MX_LEA_IMG:	d, d+1 = its address (0: outside), d+2 = conversion word; regfmt
 * @MX_LD_CVT:	d .. = (s0, s1) read as conversion word s2 says; comps
 * @MX_ST_CVT:	slots d .. are stored to (s0, s1) as conversion word s2 says; comps
 * @MX_LD_VAR:	d .. = varying s0 interpolated; s1 = sample number or offset where the
 *		sample mode says so; comps, regfmt, sample mode
 * @MX_LD_VAR_FLAT: d .. = varying s0 of the provoking vertex; comps, regfmt
 * @MX_LD_VAR_SPECIAL: d .. = enum mali_var_special in bits 20-23; comps, regfmt
 * @MX_TEXS:	Bifrost TEXS: s0, s1 coordinates (cube: s2 too), texture in bits 16-19,
 *		sampler in bits 20-23 of imm, MALI_EXT_CUBE, MALI_EXT_LOD0; regfmt
 * @MX_TEXC:	Bifrost TEXC: s0, s1, s2 = descriptor word; further operands in slots d2 ..,
 *		result to d ..; two results: see the descriptor
 * @MX_VAR_TEX:	Bifrost VAR_TEX: varying bits 16-19, texture and sampler bits 20-23;
 *		MALI_EXT_LOD0; sample mode; regfmt
 * @MX_ATEST:	d = coverage s0 after the alpha test of s1; lanes that fail become helpers;
 *		s2 = alpha test datum
 * @MX_ZS_EMIT:	d = coverage s2 after depth s0 (if MALI_EXT_Z) and stencil s1 (MALI_EXT_S)
 * @MX_BLEND:	colour in slots d .. goes to the render target of blend descriptor (s1, s2);
 *		s0 = coverage; comps, regfmt
 * @MX_LD_TILE:	d .. = pixel of the tile buffer: s0 pixel indices, s1 coverage, s2
 *		conversion word; comps
 * @MX_ST_TILE:	slots d .. to it: operands as MX_LD_TILE; comps
 * @MX_DIVERGED: d = 1 if the lane's warp has lanes that are elsewhere, else 0
 * @MX_CLOCK:	d, d+1 = how often that was asked for in the launch
 */
enum mali_ext {
	MX_LD_ATTR, MX_LEA_ATTR, MX_LD_IMG, MX_LEA_IMG, MX_LD_CVT, MX_ST_CVT, MX_LD_VAR,
	MX_LD_VAR_FLAT, MX_LD_VAR_SPECIAL, MX_TEXS, MX_TEXC, MX_VAR_TEX, MX_ATEST, MX_ZS_EMIT,
	MX_BLEND, MX_LD_TILE, MX_ST_TILE, MX_DIVERGED, MX_CLOCK, MX_NUM
};

/* Where varyings are sampled; numbers of Bifrost. */
enum mali_sample { MALI_CENTER, MALI_CENTROID, MALI_SAMPLE, MALI_EXPLICIT, MALI_SAMPLE_NONE };

/* The place where a varying is taken is kept, or the one that was kept is used. */
enum mali_update { MALI_UPDATE_STORE, MALI_UPDATE_RETRIEVE, MALI_UPDATE_CONDITIONAL,
		   MALI_UPDATE_CLOBBER };

enum mali_var_special { MALI_VAR_POINT, MALI_VAR_FRAG_W, MALI_VAR_FRAG_Z };

#define MALI_EXT_IMM(op, comps, regfmt)	((op) | (comps) << 8 | (regfmt) << 12)
#define MALI_EXT_OP(imm)		((imm) & 0xff)
#define MALI_EXT_COMPS(imm)		((imm) >> 8 & 15)
#define MALI_EXT_REGFMT(imm)		((imm) >> 12 & 15)
#define MALI_EXT_SAMPLE(imm)		((imm) >> 24 & 7)	/* enum mali_sample */
#define MALI_EXT_SAMPLE_IS(s)		((u32)(s) << 24)

#define MALI_EXT_VARYING	0x10000	/* LEA_ATTR: table of varyings */
#define MALI_EXT_CALLS		0x10000	/* BLEND: programs that the descriptor names follow */
#define MALI_EXT_Z		0x10000	/* ZS_EMIT */
#define MALI_EXT_S		0x20000
#define MALI_EXT_CUBE		0x8000000	/* TEXS */
#define MALI_EXT_LOD0		0x10000000	/* TEXS, VAR_TEX: level 0, else computed */
#define MALI_EXT_UPDATE(imm)	((imm) >> 29 & 3)	/* varyings: enum mali_update */
#define MALI_EXT_UPDATE_IS(u)	((u32)(u) << 29)

#endif /* MALI_EXT_H */
