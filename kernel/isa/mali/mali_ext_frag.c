// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragment outputs of Bifrost: coverage, shader depth, blending, tile buffer.
 *
 * There is no tile: targets in memory are read and written directly, in their own format. The
 * colour formats of the tile buffer map to the target's format; other formats are stored as
 * they are.
 */
#include "mali_run_int.h"

#define REGS		4	/* components that a program passes */
#define MAX_SAMPLES	256	/* samples blended per time slice check */
#define SAMPLE_COST	4	/* cost of blending a sample */

#define BLEND_MODE(lo)		((lo) & 3)
#define BLEND_TARGET(lo)	((lo) >> 16 & 15)

/* ---- coverage ---- */

/* Alpha to coverage: nearest number of samples, lowest first. @samples: a power of two. */
static u32 alpha_samples(u32 alpha, u32 samples)
{
	u32 shift = __ffs64(samples) + 1, k, n = 0;

	for (k = 0; k < samples; k++) {
		/* (2 k + 1) / (2 samples) */
		u32 limit = mali_s32_to_f32(2 * k + 1) - (shift << 23);

		n += mali_compare(6, alpha, limit);
	}
	return (1U << n) - 1;
}

u32 mali_alpha_test(const struct mali_frag *f, const struct mali_raster *r, u32 coverage, u32 alpha,
		    u32 ref)
{
	if (f->flags & MALI_FRAG_ALPHA_TEST && !mali_compare(f->alpha_func, alpha, ref))
		return 0;
	if (!(f->flags & MALI_FRAG_ALPHA_TO_COVERAGE))
		return coverage;
	if (r->nsamples == 1)
		return alpha_samples(alpha, 1) ? coverage : 0;
	return coverage & alpha_samples(alpha, r->nsamples);
}

/* Samples of a lane in a program's coverage; without multisampling any bit counts. */
static u32 samples_of(const struct mali_raster *r, u32 lane, u32 coverage)
{
	if (r->nsamples == 1)
		return coverage ? r->cover[lane] : 0;
	return coverage & r->cover[lane];
}

/* Depth and stencil tests at the end of programs. Return: lanes with samples left. */
static u64 late_tests(struct simt_machine *m, const struct simt_block *b)
{
	return mali_zs(m, mx_effect(b), MALI_ZS_TEST | MALI_ZS_WRITE);
}

/* Write the remaining coverage to the result. */
static void put_coverage(const struct simt_block *b, const struct simt_uop *u,
			 const struct mali_raster *r, u32 lane, u32 coverage)
{
	if (r->nsamples > 1 || !r->cover[lane])
		coverage &= r->cover[lane];
	*mx_slot(b, u->d, lane) = coverage;
}

/*
 * ATEST: OpenGL ES has no alpha test since 2.0: coverage passes unless the launch has one. From
 * here on the program's coverage also applies to depth and stencil.
 */
bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *run = simt_machine_arg(m);
	const struct mali_frag *f = run->w.frag;
	struct mali_raster *r = run->r;
	u32 *left = run->v[0], l;

	EACH_LANE(l, b->mask) {
		left[l] = mx_src(b, u, 0, l);
		if (f->flags & (MALI_FRAG_ALPHA_TEST | MALI_FRAG_ALPHA_TO_COVERAGE))
			left[l] = mali_alpha_test(f, r, left[l], mx_src(b, u, 1, l),
						  mx_src(b, u, 2, l));
		r->cover[l] = samples_of(r, l, left[l]);
	}
	if (f->flags & MALI_FRAG_LATE &&
	    !(f->flags & (MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S)))
		late_tests(m, b);
	EACH_LANE(l, b->mask) {
		put_coverage(b, u, r, l, left[l]);
		if (!*mx_slot(b, u->d, l))
			b->helper |= BIT_ULL(l);
	}
	return true;
}

bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *run = simt_machine_arg(m);
	u32 flags = run->w.frag->flags, l;
	struct mali_raster *r = run->r;

	/* late tests must see the values that the program emits */
	if ((u->imm & MALI_EXT_S && flags & MALI_FRAG_STENCIL_TEST &&
	     !(flags & MALI_FRAG_SHADER_S)) ||
	    (!(u->imm & MALI_EXT_S) && flags & MALI_FRAG_SHADER_S) ||
	    (!(u->imm & MALI_EXT_Z) && flags & MALI_FRAG_SHADER_Z))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	EACH_LANE(l, b->mask) {
		r->cover[l] = samples_of(r, l, mx_src(b, u, 2, l));
		if (flags & MALI_FRAG_SHADER_Z)
			r->z[0][l] = mali_clamp_depth(mx_src(b, u, 0, l));
		if (flags & MALI_FRAG_SHADER_S)
			r->ref[l] = mx_src(b, u, 1, l);
	}
	if (flags & (MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S))
		late_tests(m, b);
	EACH_LANE(l, b->mask) {
		put_coverage(b, u, r, l, b->helper >> l & 1 ? 0 : mx_src(b, u, 2, l));
	}
	return true;
}

/* ---- targets ---- */

/* Is this a tile buffer format: a colour whose memory format is the target's? */
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
 * struct out - pixel output
 * @s:		target
 * @format:	memory format
 * @regfmt:	enum mali_regfmt of the registers
 * @nregs:	number of slots
 */
struct out {
	const struct mali_surf *s;
	struct mali_format format;
	u32 regfmt;
	u32 nregs;
};

/* Three components use three quarters of a tile buffer's pixel. */
static bool fits(const struct mali_format *f, const struct mali_surf *s)
{
	return f->bytes == s->format.bytes || (s->tile && 4 * f->bytes == 3 * s->format.bytes);
}

/* Look up a target. Return: false with a fault. o->s NULL: no target, writes are ignored. */
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
	    (!mx_cvt_format(&r->w, cvt, &o->format) || !fits(&o->format, o->s) ||
	     !mali_format_readable(&o->format) || !mali_format_writable(&o->format)))
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, cvt);
	o->regfmt = cvt & MALI_CVT_RAW ? MALI_REG_AUTO : MALI_CVT_REG(cvt);
	o->nregs = mali_reg_slots(o->regfmt, comps);
	return o->nregs || mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, cvt);
}

/* ---- blending ---- */

/* Blend constant: the upper bits of a number as wide as the target's components. */
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

/* Blend equation; Midgard descriptors have it in their third word, followed by the constant. */
static u32 equation_of(const struct mali_run *r, const struct mali_blend *d)
{
	return mali_gpu_is_midgard(r->w.gpu) ? d->internal[0] : d->equation;
}

static u32 constant_of(const struct mali_run *r, const struct mali_blend *d,
		       const struct mali_format *f)
{
	return mali_gpu_is_midgard(r->w.gpu) ? d->internal[1] : constant(f, d->flags);
}

/* State of the blend unit. Return: false: its use is not supported. */
static bool blend_state(const struct mali_run *r, const struct mali_blend *d, const struct out *o,
			struct vr_blend *b)
{
	*b = (struct vr_blend){ .equation = equation_of(r, d),
				.constant = constant_of(r, d, &o->format),
				.alpha_one = d->flags & MALI_BLEND_ALPHA_TO_ONE };
	return vr_blend_ok(b, &o->format);
}

u64 mali_few_pixels(const struct mali_raster *r, u64 lanes)
{
	u64 rest = lanes;
	u32 n;

	for (n = 0; n < MAX_SAMPLES / r->nsamples && rest; n++)
		rest &= rest - 1;
	return lanes & ~rest;
}

/* Blend into a target in memory; @b NULL: replace. Return: false with a fault. */
static bool blend_memory(struct simt_machine *m, u64 mask, const struct mali_colours *c,
			 const struct out *o, const struct vr_blend *b,
			 const u32 (*colour)[SIMT_LANES])
{
	struct mali_run *r = simt_machine_arg(m);
	u32 l, v[4], bits, i;
	u8 *p;

	EACH_LANE(l, mask) {
		for (i = 0; i < REGS; i++)
			v[i] = colour[i][l];
		for (bits = c->cover[l]; bits; bits &= bits - 1) {
			p = mali_sample_pixel(m, o->s, r->r->x[l], r->r->y[l], __ffs64(bits),
					      BIT_ULL(l), true);
			if (!p)
				return false;
			if (b)
				vr_blend_pixel(simt_machine_simd(m), &o->format, b, v, p);
			else
				mali_pack(&o->format, v, REGS, p);
		}
	}
	return true;
}

bool mali_blend(struct simt_machine *m, struct simt_block *b, u64 mask, struct mali_colours *c)
{
	struct mali_run *r = simt_machine_arg(m);
	bool fixed = BLEND_MODE(c->lo) == MALI_BLEND_FIXED;
	u32 target = BLEND_TARGET(c->lo), l;
	const u32 (*v)[SIMT_LANES];
	const struct mali_blend *d;
	struct vr_blend state;
	struct out o;

	if (!open_target(m, mask, target, c->hi, REGS, &o))
		return false;
	d = &r->w.frag->blend[target];
	if (!o.s || (fixed && !(d->flags & MALI_BLEND_ENABLE)))
		return true;
	if (fixed && !blend_state(r, d, &o, &state))
		return mx_refuse(m, mask, MALI_RUN_BAD_BLEND, equation_of(r, d));
	simt_charge(m, SAMPLE_COST * hweight64(mask) * (r->r->nsamples - 1));
	v = mali_block_from_reg(o.regfmt, mx_slot(b, c->slot, 0), REGS,
				mali_format_kind(&o.format), mask, r->v);
	if (!o.s->tile)
		return blend_memory(m, mask, c, &o, fixed ? &state : NULL, v);
	EACH_LANE(l, ~mask)
		c->cover[l] = 0;
	vr_tile_blend(simt_machine_simd(m), o.s->tile, target, &o.format, fixed ? &state : NULL,
		      r->r->q->block, c->cover, v);
	return true;
}

/* Blend the lanes that share this descriptor. */
static bool blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u64 mask,
		  u32 lo, u32 hi)
{
	struct mali_run *r = simt_machine_arg(m);
	struct mali_colours c = { .slot = u->d, .lo = lo, .hi = hi };
	u32 l;

	EACH_LANE(l, mask)
		c.cover[l] = samples_of(r->r, l, mx_src(b, u, 0, l));
	return mali_blend(m, b, mask, &c);
}

/* Is the descriptor's program one of the blend programs lowered with this one? */
static bool is_called(struct simt_machine *m, const struct simt_uop *u, u32 lo, u32 hi)
{
	const u32 internal[2] = { lo, hi };
	struct mali_run *r = simt_machine_arg(m);
	u32 pc = mali_blend_pc(internal), i;

	if (!(u->imm & MALI_EXT_CALLS) || !pc)
		return false;
	for (i = 1; i < r->nparts; i++)
		if ((u32)r->part[i].va == pc)
			return true;
	return false;
}

bool mx_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *r = simt_machine_arg(m);
	u64 left = 0, lanes;
	u32 l, lo, hi;

	EACH_LANE(l, simt_ext_lanes(m, b) & mx_effect(b))
		if (mx_src(b, u, 0, l))
			left |= BIT_ULL(l);
	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lo = mx_src(b, u, 1, __ffs64(left));
		hi = mx_src(b, u, 2, __ffs64(left));
		lanes = mali_few_pixels(r->r, mx_same(b, u, 2, mx_same(b, u, 1, left)));
		if (BLEND_MODE(lo) == MALI_BLEND_OFF)
			continue;
		if (BLEND_MODE(lo) == MALI_BLEND_SHADER && is_called(m, u, lo, hi))
			continue;
		if (BLEND_MODE(lo) == MALI_BLEND_SHADER)
			return mx_refuse(m, lanes, MALI_RUN_BAD_BLEND, hi);
		if (!blend(m, b, u, lanes, lo, hi))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}

/* ---- tile buffer ---- */

/*
 * Are these pixel indices (sample, target, x, y) those of the thread's own pixel: y is 255? The
 * sample is ignored without multisampling.
 */
static bool own_pixel(u32 w)
{
	return w >> 24 == 0xff;
}

static bool tile(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u, u32 lane,
		 bool store)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 w = mx_src(b, u, 0, lane), comps = MALI_EXT_COMPS(u->imm), words[4], v[4];
	u32 sample = r->r->nsamples > 1 ? w & 255 : 0;
	u64 mask = BIT_ULL(lane);
	struct out o;
	u8 *p;

	if (!own_pixel(w) || sample >= r->r->nsamples)
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
	if (store && !(samples_of(r->r, lane, mx_src(b, u, 1, lane)) >> sample & 1))
		return true;
	p = mali_sample_pixel(m, o.s, r->r->x[lane], r->r->y[lane], sample, mask, store);
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
