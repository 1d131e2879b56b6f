/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Blending of bytes, codes of depths and their tests, with the machine's numbers, for any width of
 * vectors.
 * Roundings are those of vr_blend_pixel() and vr_depth_code(): all lanes that vectors have are
 * calculated, without a branch.
 */
#include "vr_tile.h"

#define CHUNK	16	/* lanes at a time, which may be kept as binary64 */
/* In binary32, its last bit is 1: sums are rounded to nearest even integers. */
#define ROUND	12582912.0f

#ifdef __AVX__
#define WIDE	4
#else
#define WIDE	2
#endif

#define wide_double	double __attribute__((vector_size(8 * WIDE)))
#define wide_float	float __attribute__((vector_size(4 * WIDE)))
#define wide_word	u32 __attribute__((vector_size(4 * WIDE)))

/* Words of four lanes. */
#define quad_word	u32 __attribute__((vector_size(16)))
#define signed_quad	s32 __attribute__((vector_size(16)))
#define half_quad	s16 __attribute__((vector_size(8)))

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
 * struct product - A term: (@s src + @d dst) * (@k + @kc c)
 * @s:	factor of the source: -1, 0 or 1
 * @d:	factor of the destination: -1, 0 or 1
 * @k:	constant
 * @kc:	factor of @c
 * @c:	a component of the source or the destination, of each lane
 *
 * All of src, dst and c are from 0 to 1: what is multiplied by 0 adds nothing.
 */
struct product {
	double s, d, k, kc;
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

static __always_inline u32 rounded(float f, u32 shift)
{
	return (u32)to_byte(pattern(f)) << shift;
}

/*
 * Means of colours, which are from 0 to 1 as roundings keep the order of numbers. Not a loop, which
 * would be unrolled before the compiler looks for vectors.
 */
static __always_inline void mean(const double *src, const double *dst, const double *by, u32 shift,
				 u32 *word)
{
	wide_double s, d, c;
	wide_float f;
	wide_word to;

	memcpy(&s, src, sizeof(s));
	memcpy(&d, dst, sizeof(d));
	memcpy(&c, by, sizeof(c));
	memcpy(&to, word, sizeof(to));
	f = __builtin_convertvector(d + (s - d) * c, wide_float);
	to |= ((wide_word)(f * 255.0f + ROUND) & 0xff) << shift;
	memcpy(word, &to, sizeof(to));
}

static void set_product(struct product *o, const struct vr_term *t, const struct numbers *n,
			double constant, u32 i)
{
	u32 k = t->alpha ? 3 : i;

	o->s = t->src;
	o->d = t->dst;
	o->c = n->src[k];
	o->k = 0;
	o->kc = 1;
	switch (t->factor) {
	case VR_FACTOR_SRC:
		break;
	case VR_FACTOR_DST:
		o->c = n->dst[k];
		break;
	case VR_FACTOR_SRC_TWICE:
		o->kc = 2;
		break;
	case VR_FACTOR_CONSTANT:
		o->k = constant;
		fallthrough;
	default:
		o->kc = 0;
		break;
	}
	if (t->invert) {
		o->k = 1 - o->k;
		o->kc = -o->kc;
	}
}

static bool product_is(const struct product *o, double s, double d, double k, double kc)
{
	return o->s == s && o->d == d && o->k == k && o->kc == kc;
}

/* The usual functions, without multiplications by 0 and 1: Mali's, OpenGL's, of a constant. */
enum { BLEND_MEAN, BLEND_SUM, BLEND_CONSTANT, BLEND_ANY };

static u32 kind_of(const struct product *a, const struct product *b)
{
	if (product_is(a, 0, 1, 1, 0) && product_is(b, 1, -1, 0, 1))
		return BLEND_MEAN;
	if (product_is(a, 1, 0, 0, 1) && product_is(b, 0, 1, 1, -1))
		return BLEND_SUM;
	/* a constant, which is exact as a multiple of each */
	return a->kc == 0 && (a->k == 1 || a->s == 0 || a->d == 0) ? BLEND_CONSTANT : BLEND_ANY;
}

/**
 * struct component - Function of a component
 * @kind:	of function
 * @a:		first term
 * @b:		second term
 */
struct component {
	u32 kind;
	struct product a, b;
};

/* Component @i to bits @shift to @shift + 7, which are zeros. */
static void apply(const struct component *o, const struct numbers *n, u32 i, u32 shift,
		  u32 *__restrict word)
{
	const double *src = n->src[i], *dst = n->dst[i];
	const struct product *a = &o->a, *b = &o->b;
	u32 l;

	if (o->kind == BLEND_MEAN) {
		for (l = 0; l < CHUNK; l += WIDE)
			mean(src + l, dst + l, b->c + l, shift, word + l);
		return;
	}
	if (o->kind == BLEND_SUM) {
		for (l = 0; l < CHUNK; l++)
			word[l] |= rounded(src[l] * a->c[l] + dst[l] * (1 - b->c[l]), shift);
		return;
	}
	if (o->kind == BLEND_CONSTANT) {
		double s = a->s * a->k, d = a->d * a->k;

		for (l = 0; l < CHUNK; l++)
			word[l] |= rounded((s * src[l] + d * dst[l]) +
					   (b->s * src[l] + b->d * dst[l]) *
					   (b->k + b->kc * b->c[l]), shift);
		return;
	}
	for (l = 0; l < CHUNK; l++)
		word[l] |= rounded((a->s * src[l] + a->d * dst[l]) * (a->k + a->kc * a->c[l]) +
				   (b->s * src[l] + b->d * dst[l]) * (b->k + b->kc * b->c[l]),
				   shift);
}

static void load(struct numbers *__restrict n, const u8 order[4], const u32 src[4][VS_LANES],
		 u32 from, const u32 *pixel)
{
	/* 1 / 255 */
	float part = number(0x3b808081);
	u32 i, l, shift;
	const u32 *s;

	for (i = 0; i < 4; i++) {
		shift = 8 * order[i];
		s = src[i] + from;
		for (l = 0; l < CHUNK; l++)
			n->src[i][l] = number(limited(s[l]));
		for (l = 0; l < CHUNK; l++)
			n->dst[i][l] = (float)(s32)(pixel[l] >> shift & 0xff) * part;
	}
}

static void convert(const u8 order[4], const u32 src[4][VS_LANES], u32 from,
		    u32 *__restrict pixel)
{
	u32 r = 8 * order[0], g = 8 * order[1], b = 8 * order[2], a = 8 * order[3], l;
	/* successive for the compiler, too: indices may wrap */
	const u32 *s0 = src[0] + from, *s1 = src[1] + from;
	const u32 *s2 = src[2] + from, *s3 = src[3] + from;

	for (l = 0; l < CHUNK; l++)
		pixel[l] = (u32)to_byte(s0[l]) << r | (u32)to_byte(s1[l]) << g |
			   (u32)to_byte(s2[l]) << b | (u32)to_byte(s3[l]) << a;
}

void BLEND_ENTRY(bytes)(const struct vr_blend *b, const u8 order[4], u32 quads,
			const u32 src[4][VS_LANES], u32 *pixel)
{
	const struct vr_function *f;
	struct component of[4];
	struct numbers n;
	u32 at, i, l, keep = ~0U, word[CHUNK];

	for (i = 0; i < 4 && b; i++) {
		keep &= b->write >> i & 1 ? ~(0xffU << 8 * order[i]) : ~0U;
		f = &b->f[i == 3];
		set_product(&of[i].a, &f->a, &n, number(b->constant[f->a.alpha ? 3 : i]), i);
		set_product(&of[i].b, &f->b, &n, number(b->constant[f->b.alpha ? 3 : i]), i);
		of[i].kind = kind_of(&of[i].a, &of[i].b);
	}
	for (at = 0; at < 4 * quads && !b; at += CHUNK)
		convert(order, src, at, pixel + at);
	for (at = 0; at < 4 * quads && b; at += CHUNK) {
		load(&n, order, src, at, pixel + at);
		for (l = 0; l < CHUNK && b->alpha_one; l++)
			n.src[3][l] = 1;
		for (l = 0; l < CHUNK; l++)
			word[l] = pixel[at + l] & keep;
		for (i = 0; i < 4; i++) {
			if (b->write >> i & 1)
				apply(&of[i], &n, i, 8 * order[i], word);
		}
		memcpy(pixel + at, word, sizeof(word));
	}
}

/* Copy pixels of quads whose sample @sample is covered; @at: four pixels each, consecutive. */
void BLEND_ENTRY(put)(u8 *const at[VR_QUADS], u32 quads, const u16 cover[VS_LANES], u32 sample,
		      const u32 *pixel)
{
	quad_word from, to, which;
	half_quad four;
	u32 i;

	for (i = 0; i < quads; i++) {
		memcpy(&four, cover + 4 * i, sizeof(four));
		four = four << (15 - sample) >> 15;
		which = (quad_word)__builtin_convertvector(four, signed_quad);
		memcpy(&from, pixel + 4 * i, sizeof(from));
		memcpy(&to, at[i], sizeof(to));
		to ^= (to ^ from) & which;
		memcpy(at[i], &to, sizeof(to));
	}
}

/* ---- depth and stencil ---- */

/*
 * Halves up: with 48 bits of a product, sums that matter are exact. @max: largest code; 0: they are
 * binary32
 */
void BLEND_ENTRY(depths)(const u32 z[VS_LANES], u32 max, u32 code[VS_LANES])
{
	const double by = max;
	u32 l, v;

	for (l = 0; l < VS_LANES && max; l++)
		code[l] = (s32)(number(limited(z[l])) * by + 0.5);
	for (l = 0; l < VS_LANES && !max; l++) {
		v = z[l] & 0x7fffffff;
		v = v && v <= 0x7f800000 ? z[l] : 0;
		code[l] = v ^ ((u32)((s32)v >> 31) | 1U << 31);
	}
}

/* All bits of lanes in a mask of four. */
static const u32 lanes_of[16][4] = {
	{ 0, 0, 0, 0 }, { ~0U, 0, 0, 0 }, { 0, ~0U, 0, 0 }, { ~0U, ~0U, 0, 0 },
	{ 0, 0, ~0U, 0 }, { ~0U, 0, ~0U, 0 }, { 0, ~0U, ~0U, 0 }, { ~0U, ~0U, ~0U, 0 },
	{ 0, 0, 0, ~0U }, { ~0U, 0, 0, ~0U }, { 0, ~0U, 0, ~0U }, { ~0U, ~0U, 0, ~0U },
	{ 0, 0, ~0U, ~0U }, { ~0U, 0, ~0U, ~0U }, { 0, ~0U, ~0U, ~0U }, { ~0U, ~0U, ~0U, ~0U },
};

static __always_inline quad_word each(u32 v)
{
	return (quad_word){ v, v, v, v };
}

static __always_inline u32 bits_of_quad(quad_word lanes)
{
	u64 half[2];

	lanes &= (quad_word){ 1, 2, 4, 8 };
	memcpy(half, &lanes, sizeof(half));
	half[0] |= half[1];
	return (u32)(half[0] | half[0] >> 32);
}

/* Return: lanes of @lanes that pass. */
static u64 test_depth(const struct vr_tests *t, u64 lanes)
{
	const quad_word less = each(-(t->func & 1)), equal = each(-(t->func >> 1 & 1));
	const quad_word more = each(-(t->func >> 2 & 1));
	quad_word code, z, is, below;
	u64 left = 0;
	u32 i;

	for (i = 0; i < t->quads; i++) {
		memcpy(&code, t->code + 4 * i, sizeof(code));
		memcpy(&z, t->z + t->at[i], sizeof(z));
		below = (quad_word)(code < z);
		is = (quad_word)(code == z);
		is = (below & less) | (is & equal) | (~(below | is) & more);
		left |= (u64)bits_of_quad(is) << (4 * i);
	}
	return left & lanes;
}

static void write_depth(const struct vr_tests *t, u64 lanes)
{
	quad_word code, z, which;
	u32 i;

	for (i = 0; i < t->quads; i++) {
		memcpy(&code, t->code + 4 * i, sizeof(code));
		memcpy(&z, t->z + t->at[i], sizeof(z));
		memcpy(&which, lanes_of[lanes >> (4 * i) & 15], sizeof(which));
		z ^= (z ^ code) & which;
		memcpy(t->z + t->at[i], &z, sizeof(z));
	}
}

/**
 * struct stencils - Stencil values of a block
 * @s:		values
 * @ref:	reference values
 */
struct stencils {
	u8 s[VS_LANES];
	u8 ref[VS_LANES];
};

static void load_stencils(const struct vr_tests *t, struct stencils *o)
{
	u32 i;

	for (i = 0; i < t->quads; i++)
		memcpy(o->s + 4 * i, t->s + t->at[i], 4);
	memset(o->s + 4 * i, 0, VS_LANES - 4 * i);
	if (!t->ref)
		memset(o->ref, t->side->ref, sizeof(o->ref));
	for (i = 0; i < VS_LANES && t->ref; i++)
		o->ref[i] = (u8)t->ref[i];
}

/* Of the same quad in the block, other pixels may have been written since they were loaded. */
static void store_stencils(const struct vr_tests *t, const struct stencils *o, u64 lanes)
{
	u32 i, new, value, which;

	for (i = 0; i < t->quads; i++, lanes >>= 4) {
		which = ((lanes & 15) * 0x204081 & 0x1010101) * 0xff;
		memcpy(&new, o->s + 4 * i, sizeof(new));
		memcpy(&value, t->s + t->at[i], sizeof(value));
		value ^= (value ^ new) & which;
		memcpy(t->s + t->at[i], &value, sizeof(value));
	}
}

/* Return: lanes of @lanes that pass. */
static u64 test_stencil(const struct vr_tests *t, const struct stencils *o, u64 lanes)
{
	u8 read = t->side->read, less = -(t->side->func & 1), equal = -(t->side->func >> 1 & 1);
	u8 more = -(t->side->func >> 2 & 1), pass[VS_LANES], a, b;
	u64 left = 0, eight;
	u32 i;

	for (i = 0; i < VS_LANES; i++) {
		a = o->ref[i] & read;
		b = o->s[i] & read;
		pass[i] = a < b ? less : a == b ? equal : more;
	}
	for (i = 0; i < VS_LANES; i += 8) {
		memcpy(&eight, pass + i, sizeof(eight));
		left |= ((eight & 0x0101010101010101) * 0x0102040810204080 >> 56) << i;
	}
	return left & lanes;
}

/* Write what a stencil operation makes of some lanes' values, enum vr_stencil_op. */
static void operate(const struct vr_tests *t, struct stencils *o, u32 op, u64 lanes)
{
	/* ((s & value | ref & by) ^ flip) + step, but s if it is stop */
	static const struct { u8 value, by, flip, step, stop, stops; } ops[] = {
		[VR_KEEP] = {},
		[VR_REPLACE] = { .by = 255 },
		[VR_ZERO] = {},
		[VR_INVERT] = { .value = 255, .flip = 255 },
		[VR_INCR_WRAP] = { .value = 255, .step = 1 },
		[VR_DECR_WRAP] = { .value = 255, .step = 255 },
		[VR_INCR] = { .value = 255, .step = 1, .stop = 255, .stops = 255 },
		[VR_DECR] = { .value = 255, .step = 255, .stop = 0, .stops = 255 },
	};
	u8 value, by, flip, step, stop, stops, write = t->side->write, which[VS_LANES], v;
	u32 i, four;

	if (op == VR_KEEP || op >= ARRAY_SIZE(ops) || !lanes)
		return;
	for (i = 0; i < VR_QUADS; i++) {
		four = ((lanes >> (4 * i) & 15) * 0x204081 & 0x1010101) * 0xff;
		memcpy(which + 4 * i, &four, sizeof(four));
	}
	value = ops[op].value;
	by = ops[op].by;
	flip = ops[op].flip;
	step = ops[op].step;
	stop = ops[op].stop;
	stops = ops[op].stops;
	for (i = 0; i < VS_LANES; i++) {
		v = (((o->s[i] & value) | (o->ref[i] & by)) ^ flip) + step;
		v = o->s[i] == stop ? (u8)((o->s[i] & stops) | (v & ~stops)) : v;
		o->s[i] ^= (o->s[i] ^ v) & write & which[i];
	}
}

u64 BLEND_ENTRY(tests)(const struct vr_tests *t, u64 lanes)
{
	bool stencil = t->flags & VR_STENCIL_TEST, tests = t->what & VR_ZS_TEST;
	u64 left = lanes, was;
	struct stencils o;

	if (stencil)
		load_stencils(t, &o);
	if (stencil && tests) {
		left = test_stencil(t, &o, lanes);
		operate(t, &o, t->side->fail, lanes & ~left);
	}
	if (t->flags & VR_DEPTH_TEST && tests) {
		was = left;
		left = test_depth(t, left);
		if (stencil)
			operate(t, &o, t->side->zfail, was & ~left);
	}
	if (stencil && t->what & VR_ZS_WRITE)
		operate(t, &o, t->side->pass, left);
	if (t->flags & VR_DEPTH_WRITE && t->what & VR_ZS_WRITE)
		write_depth(t, left);
	if (stencil)
		store_stencils(t, &o, lanes);
	return left;
}
