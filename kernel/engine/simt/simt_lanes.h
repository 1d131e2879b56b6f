/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vectorised lane queries and moves for control code: tests, address scans, word loads and stores.
 */
#ifndef SIMT_LANES_H
#define SIMT_LANES_H

#include "simt.h"

/**
 * struct simt_scan - Pattern of the addresses of the active lanes.
 * @base:	address of the first active lane
 * @near:	all addresses have the high word of @base; @min and @max are valid
 * @same:	all addresses are equal
 * @row:	all lanes are active and access consecutive addresses, without a carry out of the
 *		low word
 * @min:	lower bound of the addresses, relative to @base
 * @max:	upper bound, relative to @base. Unless the scan is exact, the bounds cover all low
 *		words that differ in the same bits
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
 * struct simt_words - Load or store of one 32-bit word per lane at an offset from a common base,
 * for blocks in step.
 * @p:		base of the first block; at least @limit + 4 bytes are accessible
 * @p_gap:	bytes to the next block's base
 * @off:	offsets of the first block
 * @off_gap:	words to the next block's offsets
 * @same:	all lanes of all blocks have the same offset
 * @index:	offsets are word indices; only consecutive ones are supported
 * @hi:		high words of the offsets, all of which must be @high, or NULL; not with @same
 * @hi_gap:	words to the next block's high words
 * @high:	see @hi
 * @add:	added to each offset, modulo 2^32; signed with @index
 * @limit:	maximum offset after the addition, at most SIMT_WORDS_LIMIT
 * @slot:	slot of the first block
 * @gap:	words to the next block's slot
 * @n:		number of blocks
 * @mask:	active lanes
 * @store:	store rather than load
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
 * struct simt_compare - Comparison of two words per lane, for blocks in step.
 * @how:	comparison: n of BRCMP without SIMT_BRCMP_NOT
 * @a:		first operand, of the first block
 * @b:		second operand
 * @a_step:	0: word of the uniform table, 1: slot
 * @b_step:	the same for @b
 * @a_gap:	words to the next block's operand
 * @b_gap:	the same for @b
 * @n:		number of blocks
 * @mask:	active lanes
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
 * struct simt_wide - Conversion of a word to an offset: (extend(word) << @shift) + @add.
 * @shift:	left shift, after the extension
 * @sign:	sign-extend, else zero-extend
 * @add:	addend
 */
struct simt_wide {
	u32 shift;
	bool sign;
	s32 add;
};

/* Low enough that a row does not wrap around. */
#define SIMT_WORDS_LIMIT	(~0U - 4 * SIMT_LANES)

#define SIMT_LANES_DECLARE(sfx)								\
	bool simt_nonzero_##sfx(const u32 *v, u32 n, u32 gap, u64 mask, u64 *set);	\
	bool simt_compare_##sfx(const struct simt_compare *c, u64 *set);		\
	void simt_scan_##sfx(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,	\
			     u64 mask, u32 bytes, bool exact, struct simt_scan *s);	\
	void simt_load_words_##sfx(u32 *d, const u8 *p, u32 n);				\
	void simt_store_words_##sfx(u8 *p, const u32 *s, u32 n);			\
	void simt_load_rows_##sfx(u32 *d, const u8 *p, u64 stride, u32 n);		\
	void simt_store_rows_##sfx(u8 *p, u64 stride, const u32 *s);			\
	void simt_load_near_##sfx(u32 *d, u8 *p, u64 span, const u32 *off, u32 from);	\
	u32 simt_words_##sfx(const struct simt_words *w);				\
	bool simt_offsets_##sfx(u32 *d, const u32 *s, u64 mask, const struct simt_wide *w);	\
	void simt_plus_##sfx(u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n);	\
	void simt_put_##sfx(u32 *d, const u32 *s, u64 mask);				\
	void simt_to_halves_##sfx(u32 *d, const u32 *lo, const u32 *hi, u64 mask);	\
	void simt_from_halves_##sfx(u32 *lo, u32 *hi, const u32 *s)

SIMT_LANES_DECLARE(soft);
SIMT_LANES_DECLARE(sse2);
SIMT_LANES_DECLARE(avx2);
SIMT_LANES_DECLARE(avx512);
SIMT_LANES_DECLARE(neon);

/*
 * Lanes of @mask with nonzero words, for @n blocks at a distance of @gap words. Return: false if
 * the blocks differ.
 */
bool simt_nonzero(enum vs_simd simd, const u32 *v, u32 n, u32 gap, u64 mask, u64 *set);
/* Lanes for which the comparison holds. Return: false if the blocks differ. */
bool simt_compare(enum vs_simd simd, const struct simt_compare *c, u64 *set);
/* Scan the addresses of the lanes of @mask, which must not be empty; steps as from simt_src(). */
void simt_scan(enum vs_simd simd, const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
	       u64 mask, u32 bytes, bool exact, struct simt_scan *s);
/* Load @n consecutive words (1, 2 or 4) per lane for all lanes from a row in memory to @n slots. */
void simt_load_words(enum vs_simd simd, u32 *d, const u8 *p, u32 n);
void simt_store_words(enum vs_simd simd, u8 *p, const u32 *s, u32 n);
/*
 * Load @n words (1 to 4) per lane for all lanes to @n slots; a lane's are @stride bytes after those
 * of the lane before, multiples of 4. All of 16 bytes per lane are read.
 */
void simt_load_rows(enum vs_simd simd, u32 *d, const u8 *p, u64 stride, u32 n);
/* Store four words per lane, in the order of the lanes. */
void simt_store_rows(enum vs_simd simd, u8 *p, u64 stride, const u32 *s);
/*
 * Load one word per lane for all lanes: lane l from p + (off[l] - from), within @span bytes of @p.
 */
void simt_load_near(enum vs_simd simd, u32 *d, u8 *p, u64 span, const u32 *off, u32 from);
/*
 * Convert the words @s of the lanes @mask to offsets. Return: false if an offset is, or may be,
 * outside 0 .. 0x7fffffff.
 */
bool simt_offsets(enum vs_simd simd, u32 *d, const u32 *s, u64 mask, const struct simt_wide *w);
/* d = s + c for all lanes of @n blocks. */
void simt_plus(enum vs_simd simd, u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n);
/* d = s for the lanes of @mask. */
void simt_put(enum vs_simd simd, u32 *d, const u32 *s, u64 mask);
/*
 * Narrow binary32 to halves, as px_f32_to_f16(): @lo to the lower half of each word, @hi to the
 * upper one, which is 0 if @hi is NULL.
 */
void simt_to_halves(enum vs_simd simd, u32 *d, const u32 *lo, const u32 *hi, u64 mask);
/* Widen halves, as vs_f16_to_f32(), of all lanes. */
void simt_from_halves(enum vs_simd simd, u32 *lo, u32 *hi, const u32 *s);
/* Load or store. Return: number of blocks done before the first one out of bounds. */
u32 simt_words(enum vs_simd simd, const struct simt_words *w);

#endif /* SIMT_LANES_H */
