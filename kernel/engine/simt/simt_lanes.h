/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Questions about the lanes of a block that control code asks of vector code.
 */
#ifndef SIMT_LANES_H
#define SIMT_LANES_H

#include "simt.h"

/**
 * struct simt_scan - What the addresses of the active lanes have in common.
 * @base:	address of the first active lane
 * @near:	all have the high word of @base: @min and @max are valid
 * @same:	all are equal
 * @row:	those of the active lanes lie as if each lane had its bytes right behind those
 *		of the lane before
 * @min:	lowest address minus @base, or less
 * @max:	highest address minus @base, or more: as if all low words were possible that
 *		differ in the bits in which some of them differ, unless asked for exactly
 */
struct simt_scan {
	u64 base;
	bool near;
	bool same;
	bool row;
	s64 min;
	s64 max;
};

#define SIMT_LANES_DECLARE(sfx)								\
	u64 simt_nonzero_##sfx(const u32 *v);						\
	void simt_scan_##sfx(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,	\
			     u64 mask, u32 bytes, bool exact, struct simt_scan *s);	\
	void simt_load_words_##sfx(u32 *d, const u8 *p, u32 n);				\
	void simt_store_words_##sfx(u8 *p, const u32 *s, u32 n);			\
	void simt_load_near_##sfx(u32 *d, const u8 *p, const u32 *off, u32 from)

SIMT_LANES_DECLARE(soft);
SIMT_LANES_DECLARE(sse2);
SIMT_LANES_DECLARE(avx2);
SIMT_LANES_DECLARE(avx512);

/* Lanes whose word is not zero. */
u64 simt_nonzero(enum vs_simd simd, const u32 *v);
/* @mask is not empty; steps as from simt_src(). */
void simt_scan(enum vs_simd simd, const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
	       u64 mask, u32 bytes, bool exact, struct simt_scan *s);
/* All lanes, @n words (1, 2 or 4) each: memory row by row, slots one after the other. */
void simt_load_words(enum vs_simd simd, u32 *d, const u8 *p, u32 n);
void simt_store_words(enum vs_simd simd, u8 *p, const u32 *s, u32 n);
/* All lanes, a word each: that of lane l is at p + (off[l] - from). */
void simt_load_near(enum vs_simd simd, u32 *d, const u8 *p, const u32 *off, u32 from);

#endif /* SIMT_LANES_H */
