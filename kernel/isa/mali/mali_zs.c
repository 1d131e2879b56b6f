// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Depth and stencil tests per sample; sample positions and coverage.
 */
#include "mali_run_int.h"

#define SUBPIXEL	256

/* ---- samples ---- */

/* Sample positions in 1/16 of a pixel from its centre; numbers of the hardware. */
static const s8 four[4][2] = { { -2, -6 }, { 6, -2 }, { -6, 2 }, { 2, 6 } };

static const s8 eight[8][2] = {
	{ 1, -3 }, { -1, 3 }, { 5, 1 }, { -3, -5 }, { -5, 5 }, { -7, -1 }, { 3, 7 }, { 7, -7 },
};

static const s8 sixteen[16][2] = {
	{ 1, 1 }, { -1, -3 }, { -3, 2 }, { 4, -1 }, { -5, -2 }, { 2, 5 }, { 5, 3 }, { 3, -5 },
	{ -2, 6 }, { 0, 7 }, { -4, -6 }, { -6, 4 }, { -8, 0 }, { 7, -4 }, { 6, 7 }, { -7, -8 },
};

void mali_sample_place(u32 nsamples, u32 sample, s32 *x, s32 *y)
{
	static const s8 centre[2] = { 0, 0 };
	const s8 *at = centre;

	if (nsamples == 4)
		at = four[sample & 3];
	else if (nsamples == 8)
		at = eight[sample & 7];
	else if (nsamples == 16)
		at = sixteen[sample & 15];
	*x = SUBPIXEL / 2 + at[0] * (SUBPIXEL / 16);
	*y = SUBPIXEL / 2 + at[1] * (SUBPIXEL / 16);
}

void mali_edges_at(struct mali_raster *r, u32 l, s32 x, s32 y)
{
	s64 e[3];
	u32 i;

	if (r->q) {
		mali_quads_at(r->q, l, x, y);
		return;
	}
	mali_frag_edges(r, (s64)r->x[l] * SUBPIXEL + x, (s64)r->y[l] * SUBPIXEL + y, e);
	for (i = 0; i < 3; i++)
		r->fp.e[i][l] = e[i];
}

static void edges_at_sample(struct mali_raster *r, u64 mask, u32 nsamples, u32 sample)
{
	s32 x, y;
	u32 l;

	mali_sample_place(nsamples, sample, &x, &y);
	EACH_LANE(l, mask)
		mali_edges_at(r, l, x, y);
}

u64 mali_cover_samples(struct mali_run *run, u64 lanes, u64 centres)
{
	const struct mali_frag *f = run->w.frag;
	struct mali_raster *r = run->r;
	u64 covered = 0;
	u32 l, s;
	s32 x, y;

	EACH_LANE(l, lanes) {
		r->cover[l] = r->nsamples == 1 ? centres >> l & 1 : 0;
		for (s = 0; s < r->nsamples && r->nsamples > 1; s++) {
			mali_sample_place(r->nsamples, s, &x, &y);
			if (mali_raster_inside(r, f, l, x, y))
				r->cover[l] |= BIT(s);
		}
		r->cover[l] &= f->sample_mask ? f->sample_mask : 0xffff;
		if (f->flags & MALI_FRAG_PER_SAMPLE)
			r->cover[l] &= BIT(r->sample);
		if (r->cover[l])
			covered |= BIT_ULL(l);
	}
	return covered;
}

/* ---- one sample ---- */

/**
 * struct zs - tests of a sample
 * @m:		machine
 * @f:		fragment
 * @r:		raster
 * @lane:	lane
 * @sample:	sample
 * @side:	stencil word of the visible side
 * @writable:	write mask of the stencil value
 */
struct zs {
	struct simt_machine *m;
	const struct mali_frag *f;
	struct mali_raster *r;
	u32 lane;
	u32 sample;
	u32 side;
	u32 writable;
};

#define STENCIL_REF(w)		((w) & 0xff)
#define STENCIL_MASK(w)		((w) >> 8 & 0xff)
#define STENCIL_FUNC(w)		((w) >> 16 & 7)
#define STENCIL_FAIL(w)		((w) >> 19 & 7)
#define STENCIL_ZFAIL(w)	((w) >> 22 & 7)
#define STENCIL_PASS(w)		((w) >> 25 & 7)

enum { KEEP, REPLACE, ZERO, INVERT, INCR_WRAP, DECR_WRAP, INCR_SAT, DECR_SAT };

static u32 stencil_op(u32 op, u32 v, u32 ref)
{
	switch (op) {
	case REPLACE:
		return ref;
	case ZERO:
		return 0;
	case INVERT:
		return ~v & 0xff;
	case INCR_WRAP:
		return (v + 1) & 0xff;
	case DECR_WRAP:
		return (v - 1) & 0xff;
	case INCR_SAT:
		return v < 0xff ? v + 1 : v;
	case DECR_SAT:
		return v ? v - 1 : v;
	default:
		return v;
	}
}

/* Component of the stencil value: second in formats with depth. */
static u32 stencil_part(const struct mali_format *f)
{
	return f->ncomp > 1;
}

static u8 *zs_pixel(const struct zs *z, const struct mali_surf *s, bool write)
{
	return mali_sample_pixel(z->m, s, z->r->x[z->lane], z->r->y[z->lane], z->sample,
				 BIT_ULL(z->lane), write);
}

/* Apply a stencil operation. Return: false with a fault. */
static bool update_stencil(const struct zs *z, u32 op)
{
	const struct mali_format *f = &z->r->stencil.format;
	u32 v[4], part = stencil_part(f), was;
	u8 *p;

	if (!(z->f->flags & MALI_FRAG_STENCIL_TEST) || op == KEEP || !z->writable)
		return true;
	p = zs_pixel(z, &z->r->stencil, true);
	if (!p)
		return false;
	mali_unpack(f, p, v);
	was = v[part];
	v[part] = stencil_op(op, was & 0xff, STENCIL_REF(z->side));
	v[part] = (v[part] & z->writable) | (was & ~z->writable);
	mali_pack(f, v, 4, p);
	return true;
}

/* Return: false if the test fails, or with a fault. */
static bool test_stencil(const struct zs *z)
{
	const struct mali_format *f = &z->r->stencil.format;
	u32 v[4], mask = STENCIL_MASK(z->side), a, b;
	const u8 *p;

	if (!(z->f->flags & MALI_FRAG_STENCIL_TEST))
		return true;
	p = zs_pixel(z, &z->r->stencil, false);
	if (!p)
		return false;
	mali_unpack(f, p, v);
	a = STENCIL_REF(z->side) & mask;
	b = v[stencil_part(f)] & mask;
	if (STENCIL_FUNC(z->side) & (a < b ? 1 : a > b ? 4 : 2))
		return true;
	update_stencil(z, STENCIL_FAIL(z->side));
	return false;
}

static u32 z_of(const struct zs *z)
{
	return z->r->z[z->f->flags & MALI_FRAG_SHADER_Z ? 0 : z->sample][z->lane];
}

static bool test_depth(const struct zs *z)
{
	u32 v[4];
	const u8 *p;

	if (!(z->f->flags & MALI_FRAG_DEPTH_TEST))
		return true;
	p = zs_pixel(z, &z->r->depth, false);
	if (!p)
		return false;
	mali_unpack(&z->r->depth.format, p, v);
	if (mali_compare(z->f->depth_func, z_of(z), v[0]))
		return true;
	update_stencil(z, STENCIL_ZFAIL(z->side));
	return false;
}

/* Write depth; the byte next to 24 bits of depth may be a stencil value. */
static bool write_depth(const struct zs *z)
{
	const struct mali_format *f = &z->r->depth.format;
	u32 v[4] = {};
	u8 *p, top;

	if (!(z->f->flags & MALI_FRAG_DEPTH_WRITE))
		return true;
	p = zs_pixel(z, &z->r->depth, true);
	if (!p)
		return false;
	top = p[f->bytes - 1];
	v[0] = z_of(z);
	mali_pack(f, v, 1, p);
	if (f->bytes == 4 && f->bits[0] == 24)
		p[3] = top;
	return true;
}

static bool run_sample(const struct zs *z, u32 what)
{
	if (what & MALI_ZS_TEST && !(test_stencil(z) && test_depth(z)))
		return false;
	if (!(what & MALI_ZS_WRITE))
		return true;
	return update_stencil(z, STENCIL_PASS(z->side)) && write_depth(z);
}

u64 mali_zs(struct simt_machine *m, u64 lanes, u32 what)
{
	struct mali_run *run = simt_machine_arg(m);
	const struct mali_frag *f = run->w.frag;
	struct mali_raster *r = run->r;
	bool back = f->flags & MALI_FRAG_BACK;
	struct zs z = { .m = m, .f = f, .r = r, .side = f->stencil_side[back],
			.writable = f->stencil_write >> (back ? 8 : 0) & 0xff };
	u64 left = 0;
	u32 bits;

	if (r->q)
		return mali_quads_zs(m, lanes, what);
	EACH_LANE(z.lane, lanes) {
		if (f->flags & MALI_FRAG_SHADER_S)
			z.side = (f->stencil_side[back] & ~0xffU) | (r->ref[z.lane] & 0xff);
		for (bits = r->cover[z.lane]; bits; bits &= bits - 1) {
			z.sample = __ffs64(bits);
			if (!run_sample(&z, what))
				r->cover[z.lane] &= ~BIT(z.sample);
		}
		if (r->cover[z.lane])
			left |= BIT_ULL(z.lane);
	}
	simt_charge(m, hweight64(lanes) * r->nsamples);
	return left;
}

/* ---- depth of samples ---- */

u32 mali_clamp_depth(u32 z)
{
	if (z >> 31 || z > 0x7f800000)
		return 0;
	return min(z, 0x3f800000U);
}

static void clamp_all(u64 mask, u32 *z)
{
	u32 l;

	EACH_LANE(l, mask)
		z[l] = mali_clamp_depth(z[l]);
}

void mali_zs_primitive(struct simt_machine *m, u64 mask)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	bool moves = r->nsamples > 1 && run->w.frag->prim == MALI_PRIM_TRIANGLE;
	u32 s;

	for (s = 0; s < r->nsamples; s++) {
		if (moves)
			edges_at_sample(r, mask, r->nsamples, s);
		mali_frag_z(m, mask, r->z[s]);
		clamp_all(mask, r->z[s]);
	}
	if (moves)
		edges_at_sample(r, mask, 1, 0);
}
