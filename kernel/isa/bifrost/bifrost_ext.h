/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * EXT micro-ops of the Mali families: all accesses through descriptors. Front ends emit them,
 * mali_ext.c executes them.
 */
#ifndef BIFROST_EXT_H
#define BIFROST_EXT_H

#include "../../engine/simt/simt.h"

/* Register formats; AUTO: 32 bits, kind of the descriptor's format. Bifrost's encoding. */
enum mali_regfmt { MALI_REG_F16, MALI_REG_F32, MALI_REG_S32, MALI_REG_U32, MALI_REG_S16,
		   MALI_REG_U16, MALI_REG_F64, MALI_REG_I64, MALI_REG_AUTO };

/**
 * enum mali_ext - operation of EXT, bits 0-7 of imm
 *
 * "comps" and "regfmt" are fields of imm, see MALI_EXT_IMM(). Results of 16-bit register
 * formats are packed two to a slot.
 *
 * @MX_LD_ATTR:	d .. = element of attribute s2: s0 vertex, s1 instance (as seen by the
 *		program); comps, regfmt
 * @MX_LEA_ATTR: d, d+1 = address of that element, d+2 = conversion word; table by
 *		MALI_EXT_VARYING; regfmt
 * @MX_LD_IMG:	d .. = texel of image s2 (attribute table): s0 = x | y << 16, s1 = z or
 *		layer; comps, regfmt
 * @MX_LEA_IMG:	d, d+1 = its address (0: outside), d+2 = conversion word; regfmt
 * @MX_LD_CVT:	d .. = load from (s0, s1), converted by conversion word s2; comps
 * @MX_ST_CVT:	store slots d .. to (s0, s1), converted by conversion word s2; comps
 * @MX_LD_VAR:	d .. = varying s0 interpolated; s1 = sample index or offset if the sample
 *		mode uses one; comps, regfmt, sample mode
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
 * @MX_BLEND:	blend the colour in slots d .. with the render target of blend descriptor
 *		(s1, s2); s0 = coverage; comps, regfmt
 * @MX_LD_TILE:	d .. = pixel of the tile buffer: s0 pixel indices, s1 coverage, s2
 *		conversion word; comps
 * @MX_ST_TILE:	store slots d .. to that pixel: operands as MX_LD_TILE; comps
 * @MX_DIVERGED: d = 1 if lanes of the lane's warp are at another instruction, else 0
 * @MX_CLOCK:	d, d+1 = number of reads of the clock in the launch
 * @MX_NUM:	number of operations
 */
enum mali_ext {
	MX_LD_ATTR, MX_LEA_ATTR, MX_LD_IMG, MX_LEA_IMG, MX_LD_CVT, MX_ST_CVT, MX_LD_VAR,
	MX_LD_VAR_FLAT, MX_LD_VAR_SPECIAL, MX_TEXS, MX_TEXC, MX_VAR_TEX, MX_ATEST, MX_ZS_EMIT,
	MX_BLEND, MX_LD_TILE, MX_ST_TILE, MX_DIVERGED, MX_CLOCK, MX_NUM
};

/* Sample position of varyings; numbers of Bifrost. */
enum mali_sample { MALI_CENTER, MALI_CENTROID, MALI_SAMPLE, MALI_EXPLICIT, MALI_SAMPLE_NONE };

/* Whether a varying's sample position is stored, or a stored one is used. */
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
#define MALI_EXT_CALLS		0x10000	/* BLEND: may call the blend program */
#define MALI_EXT_Z		0x10000	/* ZS_EMIT */
#define MALI_EXT_S		0x20000
#define MALI_EXT_CUBE		0x8000000	/* TEXS */
#define MALI_EXT_LOD0		0x10000000	/* TEXS, VAR_TEX: level 0, else computed */
#define MALI_EXT_UPDATE(imm)	((imm) >> 29 & 3)	/* varyings: enum mali_update */
#define MALI_EXT_UPDATE_IS(u)	((u32)(u) << 29)

#endif /* BIFROST_EXT_H */
