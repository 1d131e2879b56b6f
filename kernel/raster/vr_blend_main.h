/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Blending of bytes with the machine's numbers, for any width of vectors. Roundings are those of
 * vr_blend_pixel(): all lanes that vectors have are calculated, without a branch.
 */
#include "vr_tile.h"

#define CHUNK	16	/* lanes that are kept as binary64 at a time */
/* In binary32, its last bit is 1: sums are rounded to nearest even integers. */
#define ROUND	12582912.0f

/**
 * struct numbers - Components of some lanes
 * @src:	of the source
 * @dst:	of the destination
 */
struct numbers {
	double src[4][CHUNK];
	double dst[4][CHUNK];
};

/**
 * struct function - Blend function: sum of multiples
 *
 * (@as src + @ad dst) + (@bs src + @bd dst) * (@k + @kc c)
 *
 * All of src, dst and c are from 0 to 1: what is multiplied by 0 adds nothing.
 */
struct function {
	double as, ad, bs, bd, k, kc;
	const double *c;
};

static __always_inline float number(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static __always_inline s32 pattern(float f)
{
	s32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* From 0 to 1; NaN is 0. Patterns of positive numbers have the order of integers. */
static __always_inline s32 limited(s32 bits)
{
	/* not a condition, which would end the vectors */
	bits &= ~(bits >> 31) & -(bits <= 0x7f800000);
	return min(bits, 0x3f800000);
}

static __always_inline s32 to_byte(s32 bits)
{
	return pattern(number(limited(bits)) * 255 + ROUND) & 0xff;
}

static void set_c(struct function *o, u32 f, const struct numbers *n, double constant, u32 i)
{
	o->c = n->src[i];
	o->k = 0;
	o->kc = 1;
	switch (f >> 8 & 7) {
	case MALI_BLEND_C_SRC:
		break;
	case MALI_BLEND_C_DEST:
		o->c = n->dst[i];
		break;
	case MALI_BLEND_C_SRC_X_2:
		o->kc = 2;
		break;
	case MALI_BLEND_C_SRC_ALPHA:
		o->c = n->src[3];
		break;
	case MALI_BLEND_C_DEST_ALPHA:
		o->c = n->dst[3];
		break;
	case MALI_BLEND_C_CONSTANT:
		o->k = constant;
		fallthrough;
	default:
		o->kc = 0;
		break;
	}
	if (f >> 11 & 1) {
		o->k = 1 - o->k;
		o->kc = -o->kc;
	}
}

static void set_function(struct function *o, u32 f, const struct numbers *n, double constant,
			 u32 i)
{
	double a = f >> 3 & 1 ? -1 : 1, b = f >> 7 & 1 ? -1 : 1;
	u32 how = f >> 4 & 3;

	o->as = (f & 3) == MALI_BLEND_A_SRC ? a : 0;
	o->ad = (f & 3) == MALI_BLEND_A_DEST ? a : 0;
	o->bs = how == MALI_BLEND_B_DEST ? 0 : b;
	o->bd = how == MALI_BLEND_B_SRC ? 0 : how == MALI_BLEND_B_SRC_MINUS_DEST ? -b : b;
	set_c(o, f, n, constant, i);
}

/* Components @i of @pixel become the function's, in bits @shift to @shift + 7. */
static void apply(const struct function *o, const struct numbers *n, u32 i, u32 shift, u32 *pixel)
{
	const double *src = n->src[i], *dst = n->dst[i];
	s32 f[CHUNK];
	u32 l;

	for (l = 0; l < CHUNK; l++)
		f[l] = pattern((o->as * src[l] + o->ad * dst[l]) +
			       (o->bs * src[l] + o->bd * dst[l]) * (o->k + o->kc * o->c[l]));
	for (l = 0; l < CHUNK; l++)
		f[l] = to_byte(f[l]);
	for (l = 0; l < CHUNK; l++)
		pixel[l] = (pixel[l] & ~(0xffU << shift)) | (u32)f[l] << shift;
}

static void load(struct numbers *__restrict n, const u8 order[4], const u32 src[4][VS_LANES],
		 u32 from, const u32 *pixel)
{
	/* 1 / 255 */
	float part = number(0x3b808081);
	u32 i, l, shift;

	for (i = 0; i < 4; i++) {
		shift = 8 * order[i];
		for (l = 0; l < CHUNK; l++)
			n->src[i][l] = number(limited(src[i][from + l]));
		for (l = 0; l < CHUNK; l++)
			n->dst[i][l] = (float)(s32)(pixel[l] >> shift & 0xff) * part;
	}
}

static void convert(const u8 order[4], const u32 src[4][VS_LANES], u32 from,
		    u32 *__restrict pixel)
{
	u32 r = 8 * order[0], g = 8 * order[1], b = 8 * order[2], a = 8 * order[3], l;

	for (l = 0; l < CHUNK; l++)
		pixel[l] = (u32)to_byte(src[0][from + l]) << r |
			   (u32)to_byte(src[1][from + l]) << g |
			   (u32)to_byte(src[2][from + l]) << b |
			   (u32)to_byte(src[3][from + l]) << a;
}

void BLEND_ENTRY(bytes)(const struct vr_blend *b, const u8 order[4], u32 quads,
			const u32 src[4][VS_LANES], u32 *pixel)
{
	double constant = number(b ? b->constant : 0);
	struct function o;
	struct numbers n;
	u32 at, i, l;

	for (at = 0; at < 4 * quads && !b; at += CHUNK)
		convert(order, src, at, pixel + at);
	for (at = 0; at < 4 * quads && b; at += CHUNK) {
		load(&n, order, src, at, pixel + at);
		for (l = 0; l < CHUNK && b->alpha_one; l++)
			n.src[3][l] = 1;
		for (i = 0; i < 4; i++) {
			if (!(b->equation >> (28 + i) & 1))
				continue;
			set_function(&o, i < 3 ? b->equation : b->equation >> 12, &n, constant, i);
			apply(&o, &n, i, 8 * order[i], pixel + at);
		}
	}
}
