// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What ends fragments: coverage, depth of the program, blending, the tile buffer.
 *
 * There is no tile: targets in memory are read and written at once, in their own format. The
 * tile buffer's formats for colours stand for that; other formats are what is stored.
 */
#include "mali_run_int.h"

#define REGS		4	/* components that a program hands over */

/* Blend descriptor: kinds, numbers of the hardware. */
enum { BLEND_SHADER, BLEND_OPAQUE, BLEND_FIXED, BLEND_OFF };

#define BLEND_MODE(lo)		((lo) & 3)
#define BLEND_TARGET(lo)	((lo) >> 16 & 15)
#define BLEND_ALPHA_TO_ONE	0x100
#define BLEND_ENABLE		0x200

/* ---- coverage ---- */

/* OpenGL ES has had no alpha test since 2.0: coverage passes. */
bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l, coverage;

	EACH_LANE(l, b->mask) {
		coverage = mx_src(b, u, 0, l);
		*mx_slot(b, u->d, l) = coverage;
		if (!coverage)
			b->helper |= BIT_ULL(l);
	}
	return true;
}

bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u64 pass = mx_effect(b);
	u32 l;

	/* there is no stencil buffer */
	if (u->imm & MALI_EXT_S)
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	if (u->imm & MALI_EXT_Z) {
		EACH_LANE(l, pass)
			r->v[0][l] = mx_src(b, u, 0, l);
		pass = mali_depth_given(m, pass, r->v[0]);
	}
	EACH_LANE(l, b->mask) {
		*mx_slot(b, u->d, l) = pass >> l & 1 ? mx_src(b, u, 2, l) : 0;
	}
	return true;
}

/* ---- targets ---- */

/* Formats that only the tile buffer has: colours whose bits are the target's affair. */
static bool is_tile_format(u32 word)
{
	switch (MALI_CVT_FORMAT(word) >> 12 & 0xff) {
	case 224: case 225:	/* RGB5 A1 */
	case 226: case 227:	/* R5 G6 B5 */
	case 232: case 233:	/* RGBA4 */
	case 237:		/* RGBA8 */
	case 238:		/* RGB10 A2 */
	case 241: case 242:	/* RGB8 A2 */
		return true;
	default:
		return false;
	}
}

/**
 * struct out - How pixels are written.
 * @s:		target
 * @format:	of memory
 * @regfmt:	enum mali_regfmt of the registers
 * @nregs:	slots
 */
struct out {
	const struct mali_surf *s;
	struct mali_format format;
	u32 regfmt;
	u32 nregs;
};

/* Return: false with a fault. o->s NULL: nothing is there. */
static bool open_target(struct simt_machine *m, u64 mask, u32 target, u32 cvt, u32 comps,
			struct out *o)
{
	struct mali_run *r = simt_machine_arg(m);

	o->s = NULL;
	if (target >= r->w.frag->ntargets)
		return mx_refuse(m, mask, MALI_RUN_BAD_INDEX, target);
	if (!r->r->target[target].t.va)
		return true;
	o->s = &r->r->target[target];
	o->format = o->s->format;
	if (!is_tile_format(cvt) &&
	    (!mx_cvt_format(&r->w, cvt, &o->format) ||
	     o->format.bytes != o->s->format.bytes || !mali_format_readable(&o->format) ||
	     !mali_format_writable(&o->format)))
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, cvt);
	o->regfmt = cvt & MALI_CVT_RAW ? MALI_REG_AUTO : MALI_CVT_REG(cvt);
	o->nregs = mali_reg_slots(o->regfmt, comps);
	return o->nregs || mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, cvt);
}

/* ---- blending ---- */

/* Is there a meaning in all parts of a blend function? */
static bool function_ok(u32 f)
{
	return (f & 3) && !(f >> 2 & 1) && !(f >> 6 & 1) && (f >> 8 & 7);
}

static u32 between(u32 v, bool is_signed)
{
	u32 one = 0x3f800000, low = is_signed ? one | 1U << 31 : 0;

	if ((v & 0x7fffffff) > 0x7f800000)
		return 0;
	if (v >> 31)
		return is_signed ? min(v, low) : 0;
	return min(v, one);
}

static void clamp_colour(const struct mali_format *f, u32 v[4])
{
	u32 i;

	for (i = 0; i < 4 && (f->comp == MALI_UNORM || f->comp == MALI_SNORM); i++)
		v[i] = between(v[i], f->comp == MALI_SNORM);
}

/* The blend constant is the upper bits of a number as wide as the target's components. */
static u32 constant(const struct mali_format *f, u32 flags)
{
	struct mali_format one = { .layout = MALI_PLAIN, .comp = MALI_UNORM, .ncomp = 1,
				   .bytes = 2, .swizzle = { 0, 0, 0, 0 } };
	u32 bits = f->comp == MALI_UNORM && f->bits[0] && f->bits[0] <= 16 ? f->bits[0] : 16;
	u16 word = (flags >> 16) >> (16 - bits);
	u32 v[4];

	one.bits[0] = bits;
	mali_unpack(&one, &word, v);
	return v[0];
}

static void blend_pixel(enum vs_simd simd, const struct mali_blend *d, const struct out *o,
			const u32 src[4], u8 *p)
{
	struct mali_fp_blend fb = { .equation = d->equation,
				    .constant = constant(&o->format, d->flags) };
	u32 i, was[4], mask = d->equation >> 28;

	memcpy(fb.src, src, sizeof(fb.src));
	clamp_colour(&o->format, fb.src);
	if (d->flags & BLEND_ALPHA_TO_ONE)
		fb.src[3] = 0x3f800000;
	mali_unpack(&o->format, p, was);
	memcpy(fb.dst, was, sizeof(fb.dst));
	mali_fp_blend(simd, &fb);
	for (i = 0; i < 4; i++)
		if (!(mask >> i & 1))
			fb.dst[i] = was[i];
	mali_pack(&o->format, fb.dst, 4, p);
}

static bool blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u64 mask,
		  u32 lo, u32 hi)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l, target = BLEND_TARGET(lo), words[4], v[4];
	const struct mali_blend *d;
	struct out o;
	u8 *p;

	if (!open_target(m, mask, target, hi, REGS, &o))
		return false;
	d = &r->w.frag->blend[target];
	if (!o.s || (BLEND_MODE(lo) == BLEND_FIXED && !(d->flags & BLEND_ENABLE)))
		return true;
	if (BLEND_MODE(lo) == BLEND_FIXED &&
	    (!function_ok(d->equation) || !function_ok(d->equation >> 12) ||
	     mali_format_kind(&o.format) != MALI_KIND_F32))
		return mx_refuse(m, mask, MALI_RUN_BAD_BLEND, d->equation);
	EACH_LANE(l, mask) {
		p = mali_pixel(m, o.s, r->r->x[l], r->r->y[l], BIT_ULL(l), true);
		if (!p)
			return false;
		mx_get(b, u->d, l, words, o.nregs);
		mali_from_reg(o.regfmt, words, REGS, mali_format_kind(&o.format), v);
		if (BLEND_MODE(lo) == BLEND_FIXED)
			blend_pixel(simt_machine_simd(m), d, &o, v, p);
		else
			mali_pack(&o.format, v, REGS, p);
	}
	return true;
}

bool mx_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u64 left = 0, lanes;
	u32 l, lo, hi;

	EACH_LANE(l, mx_effect(b))
		if (mx_src(b, u, 0, l))
			left |= BIT_ULL(l);
	for (; left; left &= ~lanes) {
		lo = mx_src(b, u, 1, __ffs64(left));
		hi = mx_src(b, u, 2, __ffs64(left));
		lanes = 0;
		EACH_LANE(l, left)
			if (mx_src(b, u, 1, l) == lo && mx_src(b, u, 2, l) == hi)
				lanes |= BIT_ULL(l);
		if (BLEND_MODE(lo) == BLEND_OFF)
			continue;
		if (BLEND_MODE(lo) == BLEND_SHADER)
			return mx_refuse(m, lanes, MALI_RUN_BAD_BLEND, lo);
		if (!blend(m, b, u, lanes, lo, hi))
			return false;
	}
	return true;
}

/* ---- tile buffer ---- */

/* Pixel indices: sample, target, x, y; 255: the thread's own pixel. */
static bool own_pixel(u32 w)
{
	return w >> 16 == 0xffff;
}

static bool tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u32 lane,
		 bool store)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 w = mx_src(b, u, 0, lane), comps = MALI_EXT_COMPS(u->imm), words[4], v[4];
	u64 mask = BIT_ULL(lane);
	struct out o;
	u8 *p;

	if (!own_pixel(w))
		return mx_refuse(m, mask, MALI_RUN_BAD_INDEX, w);
	if (comps < 1 || comps > 4)
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, 0);
	if (!open_target(m, mask, w >> 8 & 255, mx_src(b, u, 2, lane), comps, &o))
		return false;
	if (!o.s) {
		memset(words, 0, sizeof(words));
		if (!store)
			mx_put(b, u->d, lane, words, min_t(u32, u->n, 4));
		return true;
	}
	p = mali_pixel(m, o.s, r->r->x[lane], r->r->y[lane], mask, store);
	if (!p)
		return false;
	if (store) {
		mx_get(b, u->d, lane, words, o.nregs);
		mali_from_reg(o.regfmt, words, comps, mali_format_kind(&o.format), v);
		mali_pack(&o.format, v, comps, p);
	} else {
		mali_unpack(&o.format, p, v);
		mali_to_reg(mali_format_kind(&o.format), v, o.regfmt, comps, words);
		mx_put(b, u->d, lane, words, o.nregs);
	}
	return true;
}

bool mx_ld_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 words[4] = {}, l;

	EACH_LANE(l, b->mask) {
		/* helpers may be outside of the target */
		if (!(r->r->covered >> l & 1))
			mx_put(b, u->d, l, words, min_t(u32, u->n, 4));
		else if (!tile(m, b, u, l, false))
			return false;
	}
	return true;
}

bool mx_st_tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	u32 l;

	EACH_LANE(l, mx_effect(b))
		if (mx_src(b, u, 1, l) && !tile(m, b, u, l, true))
			return false;
	return true;
}
