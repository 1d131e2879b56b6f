// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Words of frames of the pixel processor: size, clear values, tile buffer, images to write. Values
 * that no open driver uses are rejected.
 */
#include "utgard_tiles.h"

/* Words of a frame. */
enum {
	W_FLAGS = 3, W_CLEAR_DEPTH, W_CLEAR_STENCIL, W_CLEAR_COLOR, W_RIGHT = 10, W_BOTTOM,
	W_STACK = 13, W_ORIGIN_X = 16, W_ORIGIN_Y, W_SUBPIXEL, W_TIEBREAK, W_SCALE = 21, W_LAYOUT
};

/* Words of a write-back unit. */
enum {
	WB_TYPE, WB_ADDRESS, WB_FORMAT, WB_LAYOUT = 4, WB_PITCH, WB_FLAGS, WB_SAMPLES,
	WB_SAMPLE_PITCH
};

#define FIRST_UNIT	(UTF_PP_FRAME_WORDS + 1)
#define FLAG_FP16	0x1
#define FLAGS_UNUSED	0x60	/* lower left origin, quad cover */
#define LEFT_BOUND	0xf0000
#define SCALE_UNUSED	0x00770003
#define SCALE		0xc	/* of fragment coordinates and derivatives */
#define TYPE_COLOR	2
#define ZS_Z16		14
#define SWAP_RB		4
#define ALL_SAMPLES	15

/* ---- formats ---- */

/**
 * struct format - Format of written pixels.
 * @comp:	enum px_comp
 * @bits:	of components, lowest first
 * @swapped:	only with red and blue swapped
 */
struct format {
	u8 comp;
	u8 bits[4];
	bool swapped;
};

static const struct format formats[] = {
	{ PX_UNORM, { 5, 6, 5 } },
	{ PX_UNORM, { 5, 5, 5, 1 } },
	{ PX_UNORM, { 4, 4, 4, 4 } },
	{ PX_UNORM, { 8, 8, 8, 8 } },
	{ PX_UNORM, { 8 }, true },
	{ PX_UNORM, { 8, 8 }, true },
	{ PX_FLOAT, { 16, 16, 16, 16 } },
	{ PX_FLOAT, { 16 }, true },
	{ PX_FLOAT, { 16, 16 }, true },
};

static void utt_set_format(struct px_format *f, u32 comp, const u8 bits[4], bool swapped)
{
	u32 i, sum = 0;

	*f = (struct px_format){ .layout = PX_PLAIN, .comp = comp };
	for (i = 0; i < 4; i++) {
		f->bits[i] = bits[i];
		f->ncomp += bits[i] != 0;
		sum += bits[i];
		f->swizzle[i] = i;
	}
	for (; i > f->ncomp; i--)
		f->swizzle[i - 1] = i == 4 ? PX_SWZ_1 : PX_SWZ_0;
	f->bytes = DIV_ROUND_UP(sum, 8);
	if (!swapped)
		swap(f->swizzle[0], f->swizzle[2]);
}

static bool has_color(const u32 *w)
{
	u32 i;

	for (i = 0; i < UTF_PP_WB_UNITS; i++)
		if (w[FIRST_UNIT + i * UTF_PP_WB_WORDS + WB_TYPE] == TYPE_COLOR)
			return true;
	return false;
}

/* The tile buffer's colours: bits of red, green, blue and alpha, four bits each. */
static bool set_buffer(struct utf_tiles *t, u32 layout)
{
	static const u8 halves[4] = { 16, 16, 16, 16 };
	u8 bits[4];
	u32 i;

	t->ntargets = 1;
	if (t->words[W_FLAGS] & FLAG_FP16) {
		utt_set_format(&t->format, PX_FLOAT, halves, true);
		return !layout;
	}
	if (!layout && !has_color(t->words)) {
		t->ntargets = 0;
		return true;
	}
	/* Mesa 26 gives none for formats of one and of two components */
	if (!layout)
		layout = 0x8888;
	for (i = 0; i < 4; i++)
		bits[i] = layout >> (4 * i) & 15;
	utt_set_format(&t->format, PX_UNORM, bits, true);
	return layout == 0x8888 || layout == 0x8565 || layout == 0x8444;
}

static void utt_set_clear(struct utf_tiles *t)
{
	static const struct px_format wide = {
		.layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 4, .bytes = 8,
		.bits = { 16, 16, 16, 16 }, .swizzle = { 0, 1, 2, 3 },
	}, narrow = {
		.layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 4, .bytes = 4,
		.bits = { 8, 8, 8, 8 }, .swizzle = { 0, 1, 2, 3 },
	};
	const u32 *w = t->words;
	u32 v[4];

	px_unpack(w[W_FLAGS] & FLAG_FP16 ? &wide : &narrow, w + W_CLEAR_COLOR, v);
	if (t->ntargets)
		px_pack(&t->format, v, 4, t->clear);
	t->z = vr_depth_value(VR_Z24, w[W_CLEAR_DEPTH]);
	t->s = (u8)w[W_CLEAR_STENCIL];
}

/* ---- write-back units ---- */

static enum utf_reason set_color(const u32 *w, u32 *word, struct vr_image *m)
{
	const struct format *f = &formats[w[WB_FORMAT]];
	bool swapped = w[WB_FLAGS] & SWAP_RB;

	*word += WB_FLAGS;
	if (f->swapped && !swapped)
		return UTF_UNUSED_VALUE;
	utt_set_format(&m->format, f->comp, f->bits, swapped);
	return UTF_OK;
}

static void utt_set_depth(struct utf_tiles *t, const u32 *w, struct vr_image *m)
{
	m->zs = w[WB_FORMAT] == ZS_Z16 ? VR_IMAGE_Z16 : VR_IMAGE_Z24S8;
	if (m->zs == VR_IMAGE_Z16)
		t->zformat = VR_Z16;
}

static u32 bytes_of(const struct vr_image *m, bool color)
{
	return color ? m->format.bytes : m->zs == VR_IMAGE_Z16 ? 2 : 4;
}

static enum utf_reason set_image(struct utf_tiles *t, u32 unit, u32 *word)
{
	u32 first = FIRST_UNIT + unit * UTF_PP_WB_WORDS, n = t->nimages;
	const u32 *w = t->words + first;
	struct vr_image *m = &t->images[n];
	bool color = w[WB_TYPE] == TYPE_COLOR, tiled = w[WB_LAYOUT] == 2;
	enum utf_reason why = UTF_OK;

	if (!w[WB_TYPE])
		return UTF_OK;
	*m = (struct vr_image){ .va = w[WB_ADDRESS], .width = t->width, .height = t->height,
				.order = tiled ? PX_TILED : PX_LINEAR,
				.sample_stride = w[WB_SAMPLE_PITCH],
				.resolve = !w[WB_SAMPLES] };
	*word = first + WB_SAMPLES;
	if (w[WB_SAMPLES] && w[WB_SAMPLES] != ALL_SAMPLES)
		return UTF_UNUSED_VALUE;
	*word = first;
	if (color)
		why = set_color(w, word, m);
	else
		utt_set_depth(t, w, m);
	if (why)
		return why;
	m->row_stride = (u64)w[WB_PITCH] * (tiled ? 256 * bytes_of(m, color) : 8);
	if (w[WB_SAMPLES])
		t->samples = 4;
	t->image[n] = (struct vr_access){ .image = m, .att = color ? 0 : VR_ATT_ZS,
					  .clean = true };
	t->unit[n] = first;
	t->nimages++;
	return UTF_OK;
}

/* ---- the frame ---- */

/* Values that open drivers always write, and the meaning of others is not known. */
static enum utf_reason check_values(const u32 *w, u32 *word)
{
	static const struct {
		u8 word;
		u32 mask;
		u32 value;
	} fixed[] = {
		{ W_FLAGS, FLAGS_UNUSED, 0 },
		{ W_RIGHT, LEFT_BOUND, 0 },
		{ W_ORIGIN_X, ~0U, 1 },
		{ W_SUBPIXEL, ~0U, 0x77 },
		{ W_TIEBREAK, ~0U, 1 },
		{ W_SCALE, SCALE_UNUSED | SCALE, SCALE },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++) {
		*word = fixed[i].word;
		if ((w[*word] & fixed[i].mask) != fixed[i].value)
			return UTF_UNUSED_VALUE;
	}
	return UTF_OK;
}

static enum utf_reason set_size(struct utf_tiles *t, u32 *word)
{
	t->width = (t->words[W_RIGHT] & 0x3fff) + 1;
	t->height = t->words[W_BOTTOM] + 1;
	t->columns = DIV_ROUND_UP(t->width, UTL_TILE);
	t->rows = DIV_ROUND_UP(t->height, UTL_TILE);
	*word = t->columns > UTT_MAX_SIDE ? W_RIGHT : W_BOTTOM;
	return t->columns > UTT_MAX_SIDE || t->rows > UTT_MAX_SIDE ? UTF_BAD_VALUE : UTF_OK;
}

/* Without a float buffer, each sample has a clear color of its own. */
static bool clears_equal(const u32 *w)
{
	const u32 *c = w + W_CLEAR_COLOR;

	return w[W_FLAGS] & FLAG_FP16 || (c[0] == c[1] && c[0] == c[2] && c[0] == c[3]);
}

enum utf_reason utt_read(struct utf_tiles *t, u32 *word)
{
	const u32 *w = t->words;
	enum utf_reason why = check_values(w, word);
	u32 i;

	if (!why)
		why = set_size(t, word);
	if (why)
		return why;
	*word = W_STACK;
	t->temps = w[W_STACK] & 0xffff;
	if (t->temps > UPP_MAX_TEMPS)
		return UTF_BAD_COUNT;
	*word = W_CLEAR_COLOR;
	if (!clears_equal(w))
		return UTF_BAD_SAMPLES;
	*word = W_LAYOUT;
	if (!set_buffer(t, w[W_LAYOUT]))
		return UTF_UNUSED_VALUE;
	t->samples = 1;
	t->zformat = VR_Z24;
	for (i = 0; i < UTF_PP_WB_UNITS && !why; i++)
		why = set_image(t, i, word);
	utt_set_clear(t);
	return why;
}
