/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * EXT micro-ops of Midgard programs only, in addition to those of bifrost_ext.h.
 */
#ifndef MIDGARD_EXT_H
#define MIDGARD_EXT_H

#include "../bifrost/bifrost_ext.h"

/**
 * enum mali_ext_midgard - operation of EXT, bits 0-7 of imm
 * @MGX_TEX:	d .. d+3 = four components of a texture operation, of MGX_TEX_TYPE(); slots d2
 *		.. d2+3: coordinates (binary32, FETCH: integers; the last one is the layer, as
 *		an integer); s0 texture, s1 sampler, s2 LOD or bias (binary32, FETCH: level),
 *		s3 offsets in bytes
 * @MGX_LD_VAR:	d .. d+3 = varying s0, by the parameters of LD_VARY; regfmt
 * @MGX_COVERED: d = mask of covered samples, 1 for single-sample pixels; 0 for helpers
 * @MGX_SAMPLE:	d = sample index of a per-sample program, 0 for per-pixel programs
 * @MGX_WRITE:	write the colour in slots d2 .. d2+3 to target s2, see MGX_TARGET(); the first
 *		write performs the tests at the fragment's end, with depth s0 and stencil s1 if
 *		the program provides them; d = index of the blend program to call for the lane,
 *		0: none
 * @MGX_LD_RAW:	d .. d+3 = raw tile bits of a sample: s0 as for MX_LD_TILE
 * @MGX_ST_RAW:	store raw tile bits in slots d2 .. d2+3 to all samples within the 16 bytes that
 *		s0 selects: target as MGX_TARGET(), index of the 16 bytes as MGX_CHUNK()
 * @MGX_UNPACK:	d .. d+3 = slots d2 .. d2+3 read in format s0; regfmt
 * @MGX_PACK:	d .. d+3 = slots d2 .. d2+3 written in format s0; regfmt
 * @MGX_F64:	d, d+1 = enum mgx_f64_fn of (s0, s1), (s2, s3) and slots d2, d2+1
 * @MGX_LAST:	one past the last operation
 */
enum mali_ext_midgard {
	MGX_TEX = 0x80, MGX_LD_VAR, MGX_COVERED, MGX_SAMPLE, MGX_WRITE, MGX_LD_RAW, MGX_ST_RAW,
	MGX_UNPACK, MGX_PACK, MGX_F64,
	MGX_LAST
};

/* Fields of r1.z for a write: target, and 16 bytes of the tile's pixel; 255: no colour. */
#define MGX_TARGET(w)		((w) >> 8 & 0xff)
#define MGX_CHUNK(w)		((w) & 0xff)
#define MGX_NO_COLOUR		0xff
/* Conversion word: colour of the tile buffer, registers of the target's kind. */
#define MGX_TILE_COLOUR		(237U << 12 | 0x688)
#define MGX_TILE_RGBA8		(MGX_TILE_COLOUR | 0x400000)
/* Pixel indices of the thread's own pixel: the target is in bits 8 to 15. */
#define MGX_OWN_PIXEL		0xffff0000U

/* MGX_TEX: source of the LOD. */
enum mgx_tex_lod { MGX_LOD_EXPLICIT, MGX_LOD_BIAS, MGX_LOD_FETCH };

#define MGX_TEX_IMM(lod, mode, dim, type, offsets) \
	(MGX_TEX | (u32)(lod) << 8 | (u32)(mode) << 12 | (u32)(dim) << 16 | (u32)(type) << 20 | \
	 (u32)(offsets) << 24)
#define MGX_TEX_LOD(imm)	((imm) >> 8 & 3)
#define MGX_TEX_MODE(imm)	((imm) >> 12 & 15)	/* enum mg_tex_mode */
#define MGX_TEX_DIM(imm)	((imm) >> 16 & 3)	/* enum tx_dim */
#define MGX_TEX_TYPE(imm)	((imm) >> 20 & 3)	/* enum mg_tex_type */
#define MGX_TEX_OFFSETS(imm)	((imm) >> 24 & 1)

/* MGX_LD_VAR: interpolation parameters of LD_VARY. */
#define MGX_VAR_FLAT		0x10000
#define MGX_VAR_PERSPECTIVE	0x20000
#define MGX_VAR_CENTROID	0x40000
#define MGX_VAR_SAMPLE		0x80000		/* for per-sample programs */

/*
 * MGX_F64: operations on a, b and c. NaN results are 0x7ff8000000000000. TO_F32 and FROM_F32: the
 * binary32 is the low word. TO_*: saturated, NaN becomes 0. EQ and later ones: all bits or none.
 */
enum mgx_f64_fn {
	MGX_F64_MOV, MGX_F64_ADD, MGX_F64_MUL, MGX_F64_FMA, MGX_F64_MIN, MGX_F64_MAX,
	MGX_F64_RINT, MGX_F64_TO_S64, MGX_F64_TO_U64, MGX_F64_FROM_S64, MGX_F64_FROM_U64,
	MGX_F64_FROM_F32, MGX_F64_TO_F32, MGX_F64_EQ, MGX_F64_NE, MGX_F64_LT,
	MGX_F64_LE
};

#define MGX_F64_IMM(fn, round)	(MGX_F64 | (u32)(fn) << 8 | (u32)(round) << 13)
#define MGX_F64_FN(imm)		((imm) >> 8 & 31)
#define MGX_F64_ROUND(imm)	((imm) >> 13 & 7)		/* enum simt_round */
#define MGX_F64_CLAMP_IS(c)	((u32)(c) << 16)
#define MGX_F64_CLAMP(imm)	((imm) >> 16 & 3)		/* enum simt_clamp */
#define MGX_F64_SUPPRESS	0x40000		/* infinities become the largest numbers, NaN 0 */
#define MGX_F64_NAN		0x80000		/* MIN, MAX: NaN if an operand is NaN */
#define MGX_F64_ABS(k)		(0x100000U << (2 * (k)))	/* of operand k */
#define MGX_F64_NEG(k)		(0x200000U << (2 * (k)))	/* after ABS */

/* mali_ext_f64.c */
bool mgx_f64(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u);

#endif /* MIDGARD_EXT_H */
