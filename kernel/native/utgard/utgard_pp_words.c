// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Words of frames of Utgard's pixel processor and of its render state: defined bits and valid
 * values.
 */
#include "utgard_frame.h"

/**
 * struct word - A word of a frame or state.
 * @name:	for messages
 * @known:	bits that are defined
 */
struct word {
	const char *name;
	u32 known;
};

#define ALL	0xffffffff
#define TO_8	0xfffffff8	/* addresses of multiples of 8, 16, 32, 64 */
#define TO_16	0xfffffff0
#define TO_64	0xffffffc0

static const struct word frame_words[UTF_PP_FRAME_WORDS] = {
	{ "tile list", TO_8 },
	{ "render state", TO_64 },
	{ "vertices", TO_64 },
	{ "flags", 0x7b },
	{ "clear depth", 0xffffff },
	{ "clear stencil", ALL },	/* Mesa does not cut it to 8 bits */
	{ "clear color 0", ALL },
	{ "clear color 1", ALL },
	{ "clear color 2", ALL },
	{ "clear color 3", ALL },
	{ "bounding box left, right", 0x000f3fff },
	{ "bounding box bottom", 0x3fff },
	{ "fragment stack", TO_64 },
	{ "fragment stack size", ALL },
	{ "word 14", 0 },
	{ "word 15", 0 },
	{ "origin x", 0xffff },
	{ "origin y", 0xffff },
	{ "subpixel specifier", 0xff },
	{ "tiebreak mode", 3 },
	{ "polygon tiles", 0x303f003f },
	{ "scale and flip", 0x00770f0f },
	{ "channel layout", 0xffff },
};

/* Write-back unit. */
static const struct word wb_words[UTF_PP_WB_WORDS] = {
	{ "write-back type", 3 },
	{ "write-back address", TO_8 },
	{ "write-back format", 15 },
	{ "write-back downsampling", 0 },
	{ "write-back layout", 3 },
	{ "write-back pitch", 0xffff },
	{ "write-back flags", 4 },
	{ "write-back samples", 15 },
	{ "write-back sample pitch", ALL },
	{ "write-back word 9", 0 },
	{ "write-back word 10", 0 },
	{ "write-back word 11", 0 },
};

#define NUM_PP		UTF_PP_FRAME_WORDS
#define WB_FIRST	(UTF_PP_FRAME_WORDS + 1)
#define AFTER_WB	(WB_FIRST + UTF_PP_WB_UNITS * UTF_PP_WB_WORDS)

static const struct word state_words[UTF_STATE_WORDS] = {
	{ "blend color blue, green", 0x00ff00ff },
	{ "blend color red, alpha", 0x00ff00ff },
	{ "blend", ALL },
	{ "depth", 0xffff1fff },
	{ "depth range", ALL },
	{ "stencil front", 0xffff0fff },
	{ "stencil back", 0xffff0fff },
	{ "stencil masks, alpha reference", 0x00ffffff },
	{ "samples, alpha test, colors", 0xfffffdff },
	{ "shader", ALL },
	{ "varying types", ALL },
	{ "uniforms", ALL },
	{ "textures", TO_16 },
	{ "aux 0", 0xffffd3bf },
	{ "aux 1", 0x00013000 },
	{ "varyings", ALL },
};

const char *utf_state_word_name(u32 word)
{
	return word < UTF_STATE_WORDS ? state_words[word].name : "?";
}

/**
 * utf_pp_word_name - name of a frame's word
 * @gpu: enum utf_gpu
 * @word: number
 *
 * Return: name.
 */
const char *utf_pp_word_name(enum utf_gpu gpu, u32 word)
{
	u32 lists = gpu == UTF_MALI450 ? AFTER_WB + 2 : AFTER_WB;

	if (word < UTF_PP_FRAME_WORDS)
		return frame_words[word].name;
	if (word == NUM_PP)
		return "processors";
	if (word < AFTER_WB)
		return wb_words[(word - WB_FIRST) % UTF_PP_WB_WORDS].name;
	if (word < lists)
		return word == AFTER_WB ? "load balancing" : "padding";
	if (word >= utf_pp_words(gpu))
		return "?";
	return word < lists + (utf_pp_words(gpu) - lists) / 2 ? "tile list of a processor" :
								"stack of a processor";
}

/* ---- frames ---- */

static enum utf_reason utf_check_words(const struct word *k, const u32 *w, u32 n, u32 first,
				       u32 *word)
{
	u32 i;

	for (i = 0; i < n; i++) {
		*word = first + i;
		if (!(w[i] & ~k[i].known))
			continue;
		/* lower bits of addresses */
		return k[i].known == TO_8 || k[i].known == TO_16 || k[i].known == TO_64 ?
		       UTF_MISALIGNED : UTF_UNKNOWN_BITS;
	}
	return UTF_OK;
}

/* Formats of written images: colors, depth. */
static bool wb_format_ok(u32 type, u32 format)
{
	return type == 1 ? format >= 14 : format <= 8;
}

static enum utf_reason check_wb(const u32 *w, u32 first, u32 *word)
{
	enum utf_reason why = utf_check_words(wb_words, w, UTF_PP_WB_WORDS, first, word);

	if (why)
		return why;
	*word = first;
	if (w[0] == 3)
		return UTF_BAD_VALUE;
	*word = first + 2;
	if (w[0] && !wb_format_ok(w[0], w[2]))
		return UTF_BAD_VALUE;
	*word = first + 4;
	return w[4] & 1 ? UTF_BAD_VALUE : UTF_OK;
}

/* Words following the write-back units: lists and stacks of the processors. */
static enum utf_reason check_tail(enum utf_gpu gpu, const u32 *frame, u32 *word)
{
	u32 i, max = gpu == UTF_MALI450 ? 8 : 4, at = AFTER_WB;
	bool dlbu = false;

	*word = NUM_PP;
	if (!frame[NUM_PP] || frame[NUM_PP] > max)
		return UTF_BAD_COUNT;
	if (gpu == UTF_MALI450) {
		*word = at;
		if (frame[at] > 1)
			return UTF_BAD_VALUE;
		dlbu = frame[at++];
		*word = at;
		if (frame[at++])
			return UTF_UNKNOWN_BITS;
	}
	/* load balancing: an address, then numbers, in the first four words */
	for (i = 0; i < max; i++) {
		*word = at + i;
		if (frame[at + i] % 8 && (!dlbu || !i))
			return UTF_MISALIGNED;
		*word = at + max + i;
		if (frame[at + max + i] % 64)
			return UTF_MISALIGNED;
	}
	return UTF_OK;
}

enum utf_reason utf_pp_check(enum utf_gpu gpu, const u32 *frame, u32 *word)
{
	enum utf_reason why;
	u32 i, at = WB_FIRST;

	why = utf_check_words(frame_words, frame, UTF_PP_FRAME_WORDS, 0, word);
	for (i = 0; !why && i < UTF_PP_WB_UNITS; i++, at += UTF_PP_WB_WORDS)
		why = check_wb(frame + at, at, word);
	if (why)
		return why;
	*word = 20;
	if (frame[20] >> 28 > 2)
		return UTF_BAD_VALUE;
	return check_tail(gpu, frame, word);
}

/* ---- render state ---- */

/* Blend factors: bit mask of the 32 values that are defined; alpha has the first 16 of them. */
#define COLOR_FACTORS	0x27272f3fU
#define ALPHA_FACTORS	0x2f3fU
/* Subtract, reversed subtract, add, logic operation, minimum, maximum. */
#define BLEND_FUNCS	0x3fU

static bool blend_ok(u32 w)
{
	return BLEND_FUNCS >> (w & 7) & BLEND_FUNCS >> (w >> 3 & 7) & 1 &&
	       COLOR_FACTORS >> (w >> 6 & 31) & COLOR_FACTORS >> (w >> 11 & 31) & 1 &&
	       ALPHA_FACTORS >> (w >> 16 & 15) & ALPHA_FACTORS >> (w >> 20 & 15) & 1 &&
	       ((w >> 24 & 15) == 12 || !(w >> 24 & 15));
}

static bool logic_ok(u32 w)
{
	/* logic operations are in the source factors, with an additional bit for colors */
	return (w & 7) == 3 && (w >> 3 & 7) == 3 && !(w & 0xc00) &&
	       ((w >> 24 & 15) == 12 || !(w >> 24 & 15));
}

static bool samples_ok(u32 w)
{
	u32 msaa = w >> 3 & 15;

	/* none, of clears, of draws to four samples */
	return (!msaa || msaa == 1 || msaa == 13) && (w >> 10 & 3) < 3;
}

enum utf_reason utf_state_check(const u32 *state, u32 *word)
{
	enum utf_reason why = utf_check_words(state_words, state, UTF_STATE_WORDS, 0, word);

	if (why)
		return why;
	*word = UTF_STATE_BLEND;
	if (!blend_ok(state[UTF_STATE_BLEND]) && !logic_ok(state[UTF_STATE_BLEND]))
		return UTF_BAD_VALUE;
	*word = UTF_STATE_SAMPLES;
	return samples_ok(state[UTF_STATE_SAMPLES]) ? UTF_OK : UTF_BAD_VALUE;
}
