// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragments: quads to lanes, targets.
 */
#include "mali_run_int.h"

#define COVERED		0xffffU		/* coverage of a pixel: all samples */

/* Decode a render target. */

static bool read_target(enum mali_arch arch, const struct mali_target *t, struct mali_surf *s)
{
	s->t = *t;
	if (!t->va)
		return true;
	if (t->order != MALI_LINEAR && t->order != MALI_TILED)
		return false;
	return mali_format_decode(arch, t->format, &s->format) &&
	       mali_format_readable(&s->format) && mali_format_writable(&s->format) &&
	       s->format.bytes;
}

static bool read_targets(struct mali_run *r, const struct mali_frag *f)
{
	enum mali_arch arch = r->w.arch;
	u32 i;

	if (f->ntargets > MALI_MAX_TARGETS)
		return false;
	for (i = 0; i < f->ntargets; i++) {
		if (!read_target(arch, &f->target[i], &r->r->target[i]))
			return false;
	}
	if (f->flags & (MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE) &&
	    (!f->depth.va || !read_target(arch, &f->depth, &r->r->depth) ||
	     mali_format_kind(&r->r->depth.format) != MALI_KIND_F32))
		return false;
	if (!(f->flags & MALI_FRAG_STENCIL_TEST))
		return true;
	return f->stencil.va && read_target(arch, &f->stencil, &r->r->stencil) &&
	       mali_format_kind(&r->r->stencil.format) == MALI_KIND_U32;
}

static bool samples_ok(const struct mali_frag *f)
{
	if (f->samples > 1 && f->samples != 4 && f->samples != 8 && f->samples != 16)
		return false;
	return f->samples > 1 || !(f->flags & MALI_FRAG_PER_SAMPLE);
}

static int begin_primitive(struct mali_run *r)
{
	const struct mali_frag *f = r->w.frag;

	r->r->nsamples = max(f->samples, 1U);
	return mali_raster_begin(r->r, f) && read_targets(r, f) ? 0 : -ENOEXEC;
}

/**
 * mali_frag_begin - check and prepare a fragment work
 * @r: machine; its work is of fragments
 * @why: with -ENOEXEC
 *
 * Return: 0, -ENOEXEC or -ENOMEM.
 */
int mali_frag_begin(struct mali_run *r, enum mali_run_reason *why)
{
	const struct mali_frag *f = r->w.frag;
	struct mali_raster *ra;
	int ret;

	*why = MALI_RUN_BAD_FRAGMENT;
	if (!f || f->flags & ~MALI_FRAG_ALL || f->provoking > 2 || f->depth_func > 7 ||
	    f->alpha_func > 7 || !samples_ok(f) || (u32)f->blend_base)
		return -ENOEXEC;
	ra = simt_arena_alloc(r->arena, 1, sizeof(*ra));
	if (!ra)
		return -ENOMEM;
	r->r = ra;
	ret = f->quads ? mali_quads_begin(r) : begin_primitive(r);
	if (ret)
		return ret;
	r->w.local[0] = SIMT_LANES;
	r->w.local[1] = 1;
	r->w.local[2] = 1;
	ra->turns = f->flags & MALI_FRAG_PER_SAMPLE ? ra->nsamples : 1;
	r->w.groups[0] = (f->quads ? f->quads->nblocks : DIV_ROUND_UP(ra->nquads, MALI_QUADS)) *
			 ra->turns;
	r->w.groups[1] = 1;
	r->w.groups[2] = 1;
	return 0;
}

/* ---- pixels ---- */

u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write)
{
	return mali_sample_pixel(m, s, x, y, 0, mask, write);
}

u8 *mali_sample_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y,
		      u32 sample, u64 mask, bool write)
{
	u32 bytes = s->format.bytes;
	u64 at;
	u8 *p;

	if (!s->t.va)
		return NULL;
	if (s->tile)
		return mali_quads_pixel(s, x, y, sample);
	if (s->t.order == MALI_LINEAR)
		at = (u64)y * s->t.row_stride + (u64)x * bytes;
	else
		at = (u64)(y >> 4) * s->t.row_stride +
		     ((u64)(x >> 4) * 256 + mali_tile_index(x, y)) * bytes;
	at += (u64)sample * s->t.sample_stride;
	p = simt_ptr(m, s->t.va + at, bytes, write ? VS_EXT_WRITE : 0);
	if (!p)
		simt_fault(m, write ? VS_FAULT_WRITE : VS_FAULT_READ, mask, s->t.va + at, bytes);
	return p;
}

/* Map binary32 to integers in the same order; both zeros are equal. */
static s64 ordered(u32 a)
{
	u32 magnitude = a & 0x7fffffff;

	return a >> 31 ? -(s64)magnitude : magnitude;
}

bool mali_compare(u32 func, u32 a, u32 b)
{
	s64 x = ordered(a), y = ordered(b);

	if ((a & 0x7fffffff) > 0x7f800000 || (b & 0x7fffffff) > 0x7f800000)
		return func == 7;
	return func & (x < y ? 1 : x > y ? 4 : 2);
}

void mali_frag_z(struct simt_machine *m, u64 mask, u32 *z)
{
	struct mali_run *run = simt_machine_arg(m);
	const struct mali_frag *f = run->w.frag;
	u32 v[3] = { f->vertex[0][2], f->vertex[1][2], f->vertex[2][2] };

	if (run->r->q)
		mali_quads_z(m, mask, z);
	else
		mali_fp_linear(simt_machine_simd(m), &run->r->fp, mask, v, z);
}

#define ZS_FLAGS	(MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE | MALI_FRAG_STENCIL_TEST)

/* Are samples tested before the program, and written at its end? */
static bool is_early(const struct mali_frag *f)
{
	return (f->quads || f->flags & ZS_FLAGS) && !(f->flags & MALI_FRAG_LATER);
}

/* Tests before the program. Return: lanes with samples left. */
static u64 early_tests(struct simt_machine *m, u64 mask)
{
	struct mali_run *run = simt_machine_arg(m);
	const struct mali_frag *f = run->w.frag;

	if (!f->quads && !(f->flags & ZS_FLAGS))
		return mask;
	if (!f->quads && !(f->flags & MALI_FRAG_SHADER_Z))
		mali_zs_primitive(m, mask);
	return is_early(f) ? mali_zs(m, mask, MALI_ZS_TEST) : mask;
}

/* ---- blocks ---- */

/* Preload Bifrost's registers. */
static void preload(struct simt_block *b, const struct mali_run *run)
{
	const struct mali_raster *r = run->r;
	const struct mali_frag *f = run->w.frag;
	u32 l, coverage;

	EACH_LANE(l, b->live) {
		coverage = r->cover[l];
		if (r->nsamples == 1)
			coverage = coverage ? COVERED : 0;
		if (run->w.preload & BIT(9))
			*mx_slot(b, 57, l) = r->q ? mali_quads_prim(r->q, l)->primitive :
						    f->primitive;
		if (run->w.preload & BIT(10))
			*mx_slot(b, 58, l) = mali_is_back(run, l);
		if (run->w.preload & BIT(11))
			*mx_slot(b, 59, l) = r->x[l] | (u32)r->y[l] << 16;
		*mx_slot(b, 60, l) = coverage;
		if (run->w.preload & BIT(13))
			*mx_slot(b, 61, l) = coverage | r->sample << 16;
	}
}

void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	u64 lanes;

	r->sample = g->group % r->turns;
	memset(r->cover, 0, sizeof(r->cover));
	r->moved = 0;
	r->tested = 0;
	if (r->q) {
		lanes = mali_quads_place(m, g->group / r->turns);
	} else {
		lanes = mali_raster_place(r, run->w.frag, g->group / r->turns * MALI_QUADS);
		lanes = mali_cover_samples(run, lanes,
					   mali_raster_cover(r, run->w.frag, lanes));
	}
	r->covered = early_tests(m, lanes);
	b->live &= mali_whole_quads(r->covered);
	b->helper = b->live & ~r->covered;
	b->mask = b->live;
	simt_charge(m, 64);
	if (!b->live || mali_gpu_is_midgard(run->w.gpu))
		return;
	preload(b, run);
	mx_messages(m, b);
}

void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);

	if (is_early(run->w.frag))
		mali_zs(m, run->r->covered & ~b->helper, MALI_ZS_WRITE);
}
