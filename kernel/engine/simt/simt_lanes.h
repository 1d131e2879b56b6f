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
 * @row:	all lanes are active, and the bytes of each lane follow those of the lane before,
 *		without a carry out of the low word
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

/**
 * struct simt_words - Loads or stores of a word by each lane, at offsets from one place, for
 * blocks in step.
 * @p:		where the place is for the first block; at least @limit + 4 bytes
 * @p_gap:	bytes to the next block's place
 * @off:	offsets of the first block
 * @off_gap:	words to those of the next one
 * @same:	one offset for all lanes and blocks
 * @index:	offsets are numbers of words, and only rows of them are done
 * @hi:		words that all have to be @high, or NULL; not with @same
 * @hi_gap:	words to those of the next block
 * @high:	see @hi
 * @add:	to be added to each offset, modulo 2^32; with @index it has a sign
 * @limit:	greatest sum that is allowed, at most SIMT_WORDS_LIMIT
 * @slot:	words of the first block
 * @gap:	words to those of the next block
 * @n:		blocks
 * @mask:	lanes
 * @store:	to memory
 */
struct simt_words {
	u8 *p;
	u64 p_gap;
	const u32 *off;
	u32 off_gap;
	bool index;
	const u32 *hi;
	u32 hi_gap;
	u32 high;
	bool same;
	u32 add;
	u32 limit;
	u32 *slot;
	u32 gap;
	u32 n;
	u64 mask;
	bool store;
};

/**
 * struct simt_compare - Two words of each lane, of blocks in step.
 * @how:	comparison, n of BRCMP without SIMT_BRCMP_NOT
 * @a:		one operand, of the first block
 * @b:		the other one
 * @a_step:	0: a word of the uniform table, 1: a slot
 * @b_step:	the same
 * @a_gap:	words to the next block's
 * @b_gap:	the same
 * @n:		blocks
 * @mask:	lanes
 */
struct simt_compare {
	u32 how;
	const u32 *a;
	const u32 *b;
	u32 a_step;
	u32 b_step;
	u32 a_gap;
	u32 b_gap;
	u32 n;
	u64 mask;
};

/**
 * struct simt_wide - What offsets are made of words by.
 * @shift:	to the left, after the word has been made wider
 * @sign:	by its sign
 * @add:	to be added
 */
struct simt_wide {
	u32 shift;
	bool sign;
	s32 add;
};

/* So that rows do not wrap around. */
#define SIMT_WORDS_LIMIT	(~0U - 4 * SIMT_LANES)

#define SIMT_LANES_DECLARE(sfx)								\
	bool simt_nonzero_##sfx(const u32 *v, u32 n, u32 gap, u64 mask, u64 *set);	\
	bool simt_compare_##sfx(const struct simt_compare *c, u64 *set);		\
	void simt_scan_##sfx(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,	\
			     u64 mask, u32 bytes, bool exact, struct simt_scan *s);	\
	void simt_load_words_##sfx(u32 *d, const u8 *p, u32 n);				\
	void simt_store_words_##sfx(u8 *p, const u32 *s, u32 n);			\
	void simt_load_near_##sfx(u32 *d, u8 *p, u64 span, const u32 *off, u32 from);	\
	u32 simt_words_##sfx(const struct simt_words *w);				\
	bool simt_offsets_##sfx(u32 *d, const u32 *s, u64 mask, const struct simt_wide *w);	\
	void simt_plus_##sfx(u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n)

SIMT_LANES_DECLARE(soft);
SIMT_LANES_DECLARE(sse2);
SIMT_LANES_DECLARE(avx2);
SIMT_LANES_DECLARE(avx512);

/*
 * Which of the lanes @mask have words that are not zero, of @n blocks whose words are @gap
 * apart. Return: false: the blocks differ.
 */
bool simt_nonzero(enum vs_simd simd, const u32 *v, u32 n, u32 gap, u64 mask, u64 *set);
/* For which lanes it holds. Return: false: the blocks differ. */
bool simt_compare(enum vs_simd simd, const struct simt_compare *c, u64 *set);
/* @mask is not empty; steps as from simt_src(). */
void simt_scan(enum vs_simd simd, const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
	       u64 mask, u32 bytes, bool exact, struct simt_scan *s);
/* All lanes, @n words (1, 2 or 4) each: memory row by row, slots one after the other. */
void simt_load_words(enum vs_simd simd, u32 *d, const u8 *p, u32 n);
void simt_store_words(enum vs_simd simd, u8 *p, const u32 *s, u32 n);
/* All lanes, a word each: that of lane l is at p + (off[l] - from), within @span bytes from @p. */
void simt_load_near(enum vs_simd simd, u32 *d, u8 *p, u64 span, const u32 *off, u32 from);
/*
 * Offsets from words, for the lanes @mask. Return: false: not all are in 0 .. 0x7fffffff, or
 * words are so large that it does not look so.
 */
bool simt_offsets(enum vs_simd simd, u32 *d, const u32 *s, u64 mask, const struct simt_wide *w);
/* All lanes: s + c. */
void simt_plus(enum vs_simd simd, u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n);
/* Return: blocks done before the first one with a sum that is not allowed. */
u32 simt_words(enum vs_simd simd, const struct simt_words *w);

#endif /* SIMT_LANES_H */
