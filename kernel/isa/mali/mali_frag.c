// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragments: their blocks of quads, those of a frame in its tile buffer and those of a shader job
 * in images; start and end of their programs; Bifrost's messages of coverage, depth, blending
 * and the tile buffer.
 *
 * Targets of shader jobs are in memory, where they are read and written in their own format. The
 * colour formats of the tile buffer map to the target's format; other formats are stored as
 * they are.
 */
#include "../../engine/simt/simt_lanes.h"
#include "mali_run_int.h"

#define REGS		4	/* components that a program passes */
#define MAX_SAMPLES	256	/* samples blended per time slice check */
#define SAMPLE_COST	4	/* cost of blending a sample */
#define PRIM_COST	8	/* weight of a primitive in a block */
#define COVERED		0xffffU	/* coverage of a pixel: all samples */
#define ALPHA_FLAGS	(MALI_FRAG_ALPHA_TEST | MALI_FRAG_ALPHA_TO_COVERAGE)

#define BLEND_MODE(lo)		((lo) & 3)
#define BLEND_TARGET(lo)	((lo) >> 16 & 15)

/* ---- the launch ---- */

bool mali_surf_decode(enum mali_arch arch, const struct mali_target *t, struct mali_surf *s)
{
	s->t = *t;
	if (!t->va)
		return true;
	if (t->order != PX_LINEAR && t->order != PX_TILED)
		return false;
	return mali_format_decode(arch, t->format, &s->format) &&
	       px_format_readable(&s->format) && px_format_writable(&s->format) &&
	       s->format.bytes;
}

bool mali_frag_area(const struct mali_frag *f, struct vr_area *a)
{
	static const u8 kinds[MALI_NUM_PRIMS] = { VR_RECT, VR_TRIANGLE, VR_POINT };
	const struct vr_state st = {
		.samples = a->tile.samples, .sample_mask = f->sample_mask ? f->sample_mask : ~0U,
		.width = f->x + f->width, .height = f->y + f->height,
		.scissor = { f->x, f->y, f->x + f->width - 1, f->y + f->height - 1 },
	};
	struct vr_vertex v[3];
	u32 i;

	if (f->x % 2 || f->y % 2 || f->x > MALI_MAX_FB || f->width > MALI_MAX_FB - f->x ||
	    f->y > MALI_MAX_FB || f->height > MALI_MAX_FB - f->y || f->prim >= MALI_NUM_PRIMS)
		return false;
	for (i = 0; i < 3; i++)
		v[i] = (struct vr_vertex){ f->vertex[i][0], f->vertex[i][1], f->vertex[i][2],
					   f->vertex[i][3] };
	if (!f->width || !f->height)
		return true;
	vr_area_init(a, &st, kinds[f->prim], v, f->point_size);
	a->prim.p.back = f->flags & MALI_FRAG_BACK;
	memcpy(a->prim.vertex, f->index, sizeof(f->index));
	a->prim.provoking = f->prim == MALI_PRIM_TRIANGLE ? f->provoking : 0;
	a->prim.primitive = f->primitive;
	return true;
}

static int begin_quads(struct mali_run *run, struct vr_quads *in)
{
	struct mali_fragments *r = run->r;
	u32 i;

	if (run->w.frag->ntargets > in->tile->ntargets || in->nblocks > VR_QUADS_BLOCKS)
		return -ENOEXEC;
	r->s.in = in;
	r->nsamples = in->tile->samples;
	r->nblocks = in->nblocks;
	for (i = 0; i < run->w.frag->ntargets; i++) {
		r->target[i] = (struct mali_surf){ .format = in->tile->format[i],
						   .tile = in->tile, .number = i };
		r->target[i].t.va = in->tile->format[i].bytes != 0;
	}
	return 0;
}

static int begin_area(struct mali_run *run, const struct mali_frag *f)
{
	struct mali_area *a = simt_arena_alloc(run->arena, 1, sizeof(*a));
	struct mali_fragments *r = run->r;
	u32 i;

	if (!a)
		return -ENOMEM;
	r->area = a;
	r->nsamples = max(f->samples, 1U);
	a->a.tile.samples = r->nsamples;
	a->a.depth.range[1] = 0x3f800000;
	a->a.ops = &mali_zs_ops;
	if (f->ntargets > MALI_MAX_TARGETS || !mali_frag_area(f, &a->a) ||
	    !mali_zs_begin(a, f, run->w.arch))
		return -ENOEXEC;
	for (i = 0; i < f->ntargets; i++)
		if (!mali_surf_decode(run->w.arch, &f->target[i], &r->target[i]))
			return -ENOEXEC;
	r->nblocks = DIV_ROUND_UP(a->a.nquads, VR_QUADS);
	return 0;
}

static bool mali_frag_samples_ok(const struct mali_frag *f)
{
	if (f->samples > 1 && f->samples != 4 && f->samples != 8 && f->samples != 16)
		return false;
	return f->samples > 1 || !(f->flags & MALI_FRAG_PER_SAMPLE);
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
	struct mali_fragments *ra;
	int ret;

	*why = MALI_RUN_BAD_FRAGMENT;
	if (!f || f->flags & ~MALI_FRAG_ALL || f->provoking > 2 || f->depth_func > 7 ||
	    f->alpha_func > 7 || !mali_frag_samples_ok(f) || (u32)f->blend_base)
		return -ENOEXEC;
	ra = simt_arena_take(r->arena, 1, sizeof(*ra));
	if (!ra)
		return -ENOMEM;
	memset(ra, 0, offsetof(struct mali_fragments, s));
	r->r = ra;
	ra->output = simt_arena_alloc(r->arena, min_t(u32, f->ntargets, MALI_MAX_TARGETS),
				      sizeof(*ra->output));
	if (!ra->output)
		return -ENOMEM;
	ret = f->quads ? begin_quads(r, f->quads) : begin_area(r, f);
	if (ret)
		return ret;
	r->w.local[0] = SIMT_LANES;
	r->w.local[1] = 1;
	r->w.local[2] = 1;
	ra->turns = f->flags & MALI_FRAG_PER_SAMPLE ? ra->nsamples : 1;
	r->w.groups[0] = ra->nblocks * ra->turns;
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
	if (s->tile) {
		if (write)
			vr_tile_touch(s->tile, s->number, x, y);
		return s->tile->colour[s->number] +
		       (vr_tile_index(s->tile, x, y) + 4 * sample + (x & 1) + 2 * (y & 1)) * bytes;
	}
	at = px_offset(s->t.order, bytes, s->t.row_stride, x, y) +
	     (u64)sample * s->t.sample_stride;
	p = simt_ptr(m, s->t.va + at, bytes, write ? VS_EXT_WRITE : 0);
	if (!p)
		simt_fault(m, write ? VS_FAULT_WRITE : VS_FAULT_READ, mask, s->t.va + at, bytes);
	return p;
}

u32 mali_clamp_depth(u32 z)
{
	if (z >> 31 || z > 0x7f800000)
		return 0;
	return min(z, 0x3f800000U);
}

/* ---- varyings ---- */

static void mali_frag_weigh(struct simt_machine *m, bool perspective)
{
	struct mali_run *run = simt_machine_arg(m);

	if (vr_shade_weigh(&run->r->s, simt_machine_simd(m), perspective))
		simt_charge(m, 2 * SIMT_LANES);
}

/**
 * struct corners - Where a varying's corners are read
 * @m:		machine
 * @mask:	lanes that need them
 * @e:		element
 * @words:	of mx_elem_words()
 */
struct corners {
	struct simt_machine *m;
	u64 mask;
	const struct mali_elem *e;
	u8 *words;
};

static bool mali_frag_read_corner(void *arg, u32 i, u32 vertex, u32 v[4])
{
	const struct corners *c = arg;

	return mx_read_words(c->words, c->e, vertex, v) ||
	       mx_read_elem(c->m, c->mask, c->e, vertex, v);
}

bool mali_frag_varying(struct simt_machine *m, u64 mask, const struct mali_elem *e, u32 comps,
		       bool perspective, bool flat, u32 v[][SIMT_LANES])
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_fragments *r = run->r;
	struct corners from = { .m = m, .mask = mask, .e = e, .words = mx_elem_words(m, e) };
	u32 quads = vr_quads_of(mask), c, l, n;
	bool ok, whole;

	ok = vr_shade_corners(&r->s, quads, mali_frag_read_corner, &from, r->corner, r->of, &n);
	simt_charge(m, PRIM_COST * n);
	if (!ok)
		return false;
	flat |= vr_is_flat(&vr_shade_prim(&r->s, 0)->p);
	for (c = 0; c < comps && flat; c++)
		EACH_LANE(l, mask)
			v[c][l] = r->corner[r->of[l / 4]][vr_shade_prim(&r->s, l)->provoking][c];
	if (flat)
		return true;
	mali_frag_weigh(m, perspective);
	whole = mask == vr_whole_quads(mask);
	vr_varying(simt_machine_simd(m), &r->s.w[perspective], quads,
		   (const u32 (*)[3][4])r->corner, r->of, comps, whole ? v : r->out);
	/* others of a quad may wait with their operands in @v */
	for (c = 0; c < comps && !whole; c++)
		EACH_LANE(l, mask)
			v[c][l] = r->out[c][l];
	return true;
}

void mali_frag_inv_w(struct simt_machine *m, u64 mask, u32 *out)
{
	struct mali_run *run = simt_machine_arg(m);

	mali_frag_weigh(m, false);
	vr_shade_inv_w(&run->r->s, simt_machine_simd(m), mask, out);
}

/* ---- blocks ---- */

#define ZS_FLAGS	(MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE | MALI_FRAG_STENCIL_TEST)

/* Are samples tested before the program, and written at its end? */
static bool is_early(const struct mali_frag *f)
{
	return (f->quads || f->flags & ZS_FLAGS) && !(f->flags & MALI_FRAG_LATER);
}

static struct vr_pixels mali_frag_pixels_of(struct mali_fragments *r)
{
	return (struct vr_pixels){ .x = r->x, .y = r->y, .cover = r->cover, .z = r->z };
}

static u64 mali_frag_place(struct simt_machine *m, u64 n)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_fragments *r = run->r;
	u32 samples = run->w.frag->flags & MALI_FRAG_PER_SAMPLE ? BIT(r->sample) : 0xffff;
	const struct vr_pixels to = mali_frag_pixels_of(r);

	if (!r->area)
		return vr_shade_begin(&r->s, simt_machine_simd(m), n, samples, &to);
	return vr_area_begin(&r->s, simt_machine_simd(m), &r->area->a, n, samples, &to);
}

u64 mali_frag_zs(struct simt_machine *m, u64 lanes, u32 what)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_fragments *r = run->r;
	const struct vr_pixels p = mali_frag_pixels_of(r);
	u32 flags = run->w.frag->flags;

	simt_charge(m, hweight64(lanes) * r->nsamples);
	if (r->area)
		r->area->m = m;
	return vr_shade_zs(&r->s, simt_machine_simd(m), lanes, &p,
			   flags & MALI_FRAG_SHADER_Z ? 1 : r->nsamples,
			   flags & MALI_FRAG_SHADER_S ? r->ref : NULL, what);
}

/* Registers besides r60: primitive, side, pixel, sample. */
#define PRELOADS	(BIT(9) | BIT(10) | BIT(11) | BIT(13))

/* Preload Bifrost's registers. */
static void mali_frag_preload(struct simt_block *b, const struct mali_run *run)
{
	const struct mali_fragments *r = run->r;
	u32 *r60 = sx_slot(b, 60, 0), l, coverage;
	u16 cover[SIMT_LANES];

	if (!~r->covered && r->nsamples == 1 && !(run->w.preload & PRELOADS)) {
		for (l = 0; l < SIMT_LANES; l++)
			r60[l] = COVERED;
		return;
	}
	if (r->nsamples == 1 && !(run->w.preload & PRELOADS)) {
		/* a copy, which is not where r60 is: for vectors */
		memcpy(cover, r->cover, sizeof(cover));
		for (l = 0; l < SIMT_LANES; l++)
			r60[l] = -(u32)cover[l] & COVERED;
		return;
	}
	EACH_LANE(l, b->live) {
		coverage = r->cover[l];
		if (r->nsamples == 1)
			coverage = coverage ? COVERED : 0;
		if (run->w.preload & BIT(9))
			*sx_slot(b, 57, l) = vr_shade_prim(&r->s, l)->primitive;
		if (run->w.preload & BIT(10))
			*sx_slot(b, 58, l) = mali_is_back(run, l);
		if (run->w.preload & BIT(11))
			*sx_slot(b, 59, l) = r->x[l] | (u32)r->y[l] << 16;
		*sx_slot(b, 60, l) = coverage;
		if (run->w.preload & BIT(13))
			*sx_slot(b, 61, l) = coverage | r->sample << 16;
	}
}

void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_fragments *r = run->r;
	/* divisions are slow */
	u64 n = r->turns == 1 ? g->group : g->group / r->turns;

	r->sample = g->group - n * r->turns;
	memset(r->cover, 0, sizeof(r->cover));
	r->moved = 0;
	r->tested = 0;
	r->covered = mali_frag_place(m, n);
	if (is_early(run->w.frag))
		r->covered = mali_frag_zs(m, r->covered, VR_ZS_TEST);
	b->live &= vr_whole_quads(r->covered);
	b->helper = b->live & ~r->covered;
	b->mask = b->live;
	simt_charge(m, 64);
	if (!b->live || mali_gpu_is_midgard(run->w.gpu))
		return;
	mali_frag_preload(b, run);
	mx_messages(m, b);
}

void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);

	if (is_early(run->w.frag))
		mali_frag_zs(m, run->r->covered & ~b->helper, VR_ZS_WRITE);
}

/* ---- coverage ---- */

u32 mali_alpha_test(const struct mali_frag *f, const struct mali_fragments *r, u32 coverage,
		    u32 alpha, u32 ref)
{
	const struct vr_alpha test = { .func = f->alpha_func, .ref = ref };

	if (f->flags & MALI_FRAG_ALPHA_TEST && !vr_alpha_passes(&test, alpha))
		return 0;
	if (!(f->flags & MALI_FRAG_ALPHA_TO_COVERAGE))
		return coverage;
	if (r->nsamples == 1)
		return vr_alpha_cover(1, alpha) ? coverage : 0;
	return coverage & vr_alpha_cover(r->nsamples, alpha);
}

/* Samples of a lane in a program's coverage; without multisampling any bit counts. */
static u32 mx_frag_samples_of(const struct mali_fragments *r, u32 lane, u32 coverage)
{
	if (r->nsamples == 1)
		return coverage ? r->cover[lane] : 0;
	return coverage & r->cover[lane];
}

/* Depth and stencil tests at the end of programs. Return: lanes with samples left. */
static u64 late_tests(struct simt_machine *m, const struct simt_block *b)
{
	return mali_frag_zs(m, sx_effect(b), VR_ZS_TEST | VR_ZS_WRITE);
}

/* Write the remaining coverage to the result. */
static void put_coverage(const struct simt_block *b, const struct simt_uop *u,
			 const struct mali_fragments *r, u32 lane, u32 coverage)
{
	if (r->nsamples > 1 || !r->cover[lane])
		coverage &= r->cover[lane];
	*sx_slot(b, u->d, lane) = coverage;
}

/* Lanes whose operand @i is not 0. */
static u64 mx_frag_nonzero(const struct simt_machine *m, const struct simt_block *b,
			   const struct simt_uop *u, u32 i)
{
	u64 set;

	if (u->s[i] & SIMT_U)
		return sx_src(b, u, i, 0) ? b->mask : 0;
	simt_nonzero(simt_machine_simd(m), sx_slot(b, u->s[i], 0), 1, 0, b->mask, &set);
	return set;
}

/* The first half of ATEST: what is covered, and coverage as a number. */
static void mx_frag_pass_alpha(const struct mali_run *run, const struct simt_block *b,
			       const struct simt_uop *u, u32 *left)
{
	const struct mali_frag *f = run->w.frag;
	struct mali_fragments *r = run->r;
	u32 l;

	EACH_LANE(l, b->mask) {
		left[l] = sx_src(b, u, 0, l);
		if (f->flags & ALPHA_FLAGS)
			left[l] = mali_alpha_test(f, r, left[l], sx_src(b, u, 1, l),
						  sx_src(b, u, 2, l));
		r->cover[l] = mx_frag_samples_of(r, l, left[l]);
	}
}

/*
 * ATEST: OpenGL ES has no alpha test since 2.0: coverage passes unless the launch has one. From
 * here on the program's coverage also applies to depth and stencil.
 */
bool mx_atest(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *run = simt_machine_arg(m);
	u32 flags = run->w.frag->flags, *left = run->v[0], l;
	struct mali_fragments *r = run->r;
	/* coverage of a pixel is all or nothing */
	bool plain = r->nsamples == 1 && !(flags & ALPHA_FLAGS);
	u64 none;

	if (plain)
		EACH_LANE(l, b->mask & ~mx_frag_nonzero(m, b, u, 0))
			r->cover[l] = 0;
	else
		mx_frag_pass_alpha(run, b, u, left);
	if (flags & MALI_FRAG_LATE && !(flags & (MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S)))
		late_tests(m, b);
	none = b->mask & ~vr_covered(r->cover);
	if (plain) {
		mx_copy_src(m, sx_slot(b, u->d, 0), b, u, 0);
		EACH_LANE(l, none) {
			*sx_slot(b, u->d, l) = 0;
		}
		b->helper |= none;
		return true;
	}
	EACH_LANE(l, b->mask) {
		put_coverage(b, u, r, l, left[l]);
		if (!*sx_slot(b, u->d, l))
			b->helper |= BIT_ULL(l);
	}
	return true;
}

bool mx_zs_emit(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	struct mali_run *run = simt_machine_arg(m);
	u32 flags = run->w.frag->flags, l;
	struct mali_fragments *r = run->r;

	/* late tests must see the values that the program emits */
	if ((u->imm & MALI_EXT_S && flags & MALI_FRAG_STENCIL_TEST &&
	     !(flags & MALI_FRAG_SHADER_S)) ||
	    (!(u->imm & MALI_EXT_S) && flags & MALI_FRAG_SHADER_S) ||
	    (!(u->imm & MALI_EXT_Z) && flags & MALI_FRAG_SHADER_Z))
		return mx_refuse(m, b->mask, MALI_RUN_BAD_STAGE, 0);
	EACH_LANE(l, b->mask) {
		r->cover[l] = mx_frag_samples_of(r, l, sx_src(b, u, 2, l));
		if (flags & MALI_FRAG_SHADER_Z)
			r->z[0][l] = mali_clamp_depth(sx_src(b, u, 0, l));
		if (flags & MALI_FRAG_SHADER_S)
			r->ref[l] = sx_src(b, u, 1, l);
	}
	if (flags & (MALI_FRAG_SHADER_Z | MALI_FRAG_SHADER_S))
		late_tests(m, b);
	EACH_LANE(l, b->mask) {
		put_coverage(b, u, r, l, b->helper >> l & 1 ? 0 : sx_src(b, u, 2, l));
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

/* Three components use three quarters of a tile buffer's pixel. */
static bool mx_frag_fits(const struct px_format *f, const struct mali_surf *s)
{
	return f->bytes == s->format.bytes || (s->tile && 4 * f->bytes == 3 * s->format.bytes);
}

/* Look up a target. Return: false with a fault. o->s NULL: no target, writes are ignored. */
static bool open_target(struct simt_machine *m, u64 mask, u32 target, u32 cvt, u32 comps,
			struct mali_output *o)
{
	struct mali_run *r = simt_machine_arg(m);

	o->s = NULL;
	if (target >= r->w.frag->ntargets)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_INDEX, 0, target);
	if (!r->r->target[target].t.va)
		return true;
	o->s = &r->r->target[target];
	o->format = o->s->format;
	if (!is_tile_format(cvt) &&
	    (!mx_cvt_format(&r->w, cvt, &o->format) || !mx_frag_fits(&o->format, o->s) ||
	     !px_format_readable(&o->format) || !px_format_writable(&o->format)))
		return mx_refuse_value(m, mask, MALI_RUN_BAD_FORMAT, 0, cvt);
	o->regfmt = cvt & MALI_CVT_RAW ? MALI_REG_AUTO : MALI_CVT_REG(cvt);
	o->nregs = mali_reg_slots(o->regfmt, comps);
	return o->nregs || mx_refuse_value(m, mask, MALI_RUN_BAD_FORMAT, 0, cvt);
}

/* ---- blending ---- */

/* Blend constant: the upper bits of a number as wide as the target's components. */
static u32 mx_frag_constant(const struct px_format *f, u32 flags)
{
	struct px_format one = { .layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 1,
				   .bytes = 2, .swizzle = { 0, 0, 0, 0 } };
	u32 bits = f->comp == PX_UNORM && f->bits[0] && f->bits[0] <= 16 ? f->bits[0] : 16;
	u16 word = (flags >> 16) >> (16 - bits);
	u32 v[4];

	one.bits[0] = bits;
	px_unpack(&one, &word, v);
	return v[0];
}

/* Blend equation; Midgard descriptors have it in their third word, followed by the constant. */
static u32 equation_of(const struct mali_run *r, const struct mali_blend *d)
{
	return mali_gpu_is_midgard(r->w.gpu) ? d->internal[0] : d->equation;
}

/* Midgard's is a float, which the blend unit limits like colours. */
static u32 constant_of(const struct mali_run *r, const struct mali_blend *d,
		       const struct px_format *f)
{
	if (mali_gpu_is_midgard(r->w.gpu))
		return vr_blend_limited(f, d->internal[1]);
	return mx_frag_constant(f, d->flags);
}

/* The colour replaces the target's, but for its alpha, which is 1. Integers have no such alpha. */
static bool opaque_one(const struct mali_colours *c, const struct mali_blend *d,
		       const struct mali_output *o)
{
	return BLEND_MODE(c->lo) == MALI_BLEND_OPAQUE && d->flags & MALI_BLEND_ALPHA_TO_ONE &&
	       px_format_kind(&o->format) == PX_KIND_F32;
}

/* State of the blend unit. Return: false: its use is not supported. */
static bool blend_state(const struct mali_run *r, const struct mali_blend *d,
			const struct mali_output *o, struct vr_blend *b)
{
	return mali_blend_state(equation_of(r, d), constant_of(r, d, &o->format),
				d->flags & MALI_BLEND_ALPHA_TO_ONE, b) &&
	       vr_blend_ok(b, &o->format);
}

u64 mali_few_pixels(const struct mali_fragments *r, u64 lanes)
{
	u64 rest = lanes;
	u32 n;

	if (SIMT_LANES * r->nsamples <= MAX_SAMPLES)
		return lanes;
	for (n = 0; n < MAX_SAMPLES / r->nsamples && rest; n++)
		rest &= rest - 1;
	return lanes & ~rest;
}

/* Blend into a target in memory; @b NULL: replace. Return: false with a fault. */
static bool blend_memory(struct simt_machine *m, u64 mask, const struct mali_colours *c,
			 const struct mali_output *o, const struct vr_blend *b,
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
				vr_blend_pixel(simt_machine_simd(m), &o->format, b, v, NULL, p);
			else
				px_pack(&o->format, v, REGS, p);
		}
	}
	return true;
}

static bool output_is_for(const struct mali_output *o, const struct mali_colours *c,
			  const struct mali_blend *d)
{
	return o->ready && o->lo == c->lo && o->hi == c->hi &&
	       !memcmp(&o->blend, d, sizeof(*d));
}

/* The output of a target for colours like @c. Return: false with a fault. */
static bool ready_output(struct simt_machine *m, u64 mask, const struct mali_colours *c,
			 u32 target, struct mali_output *o)
{
	struct mali_run *r = simt_machine_arg(m);
	bool fixed = BLEND_MODE(c->lo) == MALI_BLEND_FIXED;
	const struct mali_blend *d;

	o->ready = false;
	if (!open_target(m, mask, target, c->hi, REGS, o))
		return false;
	d = &r->w.frag->blend[target];
	if (fixed && !(d->flags & MALI_BLEND_ENABLE))
		o->s = NULL;
	if (o->s && fixed && !blend_state(r, d, o, &o->state))
		return mx_refuse_value(m, mask, MALI_RUN_BAD_BLEND, 0, equation_of(r, d));
	o->blends = fixed || (o->s && opaque_one(c, d, o) &&
			      mali_blend_state(MALI_BLEND_REPLACE, 0, true, &o->state));
	o->lo = c->lo;
	o->hi = c->hi;
	o->blend = r->w.frag->blend[target];
	o->ready = true;
	return true;
}

bool mali_blend(struct simt_machine *m, struct simt_block *b, u64 mask, struct mali_colours *c)
{
	struct mali_run *r = simt_machine_arg(m);
	u32 target = BLEND_TARGET(c->lo);
	const u32 (*v)[SIMT_LANES];
	const struct vr_blend *blend;
	struct mali_output *o;

	if (target >= r->w.frag->ntargets)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_INDEX, 0, target);
	o = &r->r->output[target];
	if (!output_is_for(o, c, &r->w.frag->blend[target]) &&
	    !ready_output(m, mask, c, target, o))
		return false;
	if (!o->s)
		return true;
	blend = o->blends ? &o->state : NULL;
	simt_charge(m, SAMPLE_COST * hweight64(mask) * (r->r->nsamples - 1));
	v = mali_block_from_reg(simt_machine_simd(m), o->regfmt, sx_slot(b, c->slot, 0), REGS,
				px_format_kind(&o->format), mask, r->v);
	if (!o->s->tile)
		return blend_memory(m, mask, c, o, blend, v);
	vr_keep_cover(c->cover, mask);
	vr_tile_blend(simt_machine_simd(m), o->s->tile, target, &o->format, blend, r->r->s.block,
		      c->cover, v, NULL);
	return true;
}

/* Blend the lanes that share this descriptor. */
static bool mx_frag_blend(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			  u64 mask, u32 lo, u32 hi)
{
	struct mali_run *r = simt_machine_arg(m);
	struct mali_colours c = { .slot = u->d, .lo = lo, .hi = hi };
	u32 l;

	/* the operand is not 0 */
	memcpy(c.cover, r->r->cover, sizeof(c.cover));
	EACH_LANE(l, r->r->nsamples > 1 ? mask : 0)
		c.cover[l] &= sx_src(b, u, 0, l);
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
	u64 left = simt_ext_lanes(m, b) & sx_effect(b) & mx_frag_nonzero(m, b, u, 0), lanes;
	u32 lo, hi;

	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lo = sx_src(b, u, 1, __ffs64(left));
		hi = sx_src(b, u, 2, __ffs64(left));
		lanes = mali_few_pixels(r->r, sx_same(b, u, 2, sx_same(b, u, 1, left)));
		if (BLEND_MODE(lo) == MALI_BLEND_OFF)
			continue;
		if (BLEND_MODE(lo) == MALI_BLEND_SHADER && is_called(m, u, lo, hi))
			continue;
		if (BLEND_MODE(lo) == MALI_BLEND_SHADER)
			return mx_refuse_blend(m, lanes, hi);
		if (!mx_frag_blend(m, b, u, lanes, lo, hi))
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
	u32 w = sx_src(b, u, 0, lane), comps = MALI_EXT_COMPS(u->imm), words[4], v[4];
	u32 sample = r->r->nsamples > 1 ? w & 255 : 0;
	u64 mask = BIT_ULL(lane);
	struct mali_output o;
	u8 *p;

	if (!own_pixel(w) || sample >= r->r->nsamples)
		return mx_refuse_value(m, mask, MALI_RUN_BAD_INDEX, 0, w);
	if (comps < 1 || comps > 4)
		return mx_refuse(m, mask, MALI_RUN_BAD_FORMAT, 0);
	if (!open_target(m, mask, w >> 8 & 255, sx_src(b, u, 2, lane), comps, &o))
		return false;
	if (!o.s) {
		memset(words, 0, sizeof(words));
		if (!store)
			mx_put(b, u->d, lane, words, min_t(u32, u->n, 4));
		return true;
	}
	if (store && !(mx_frag_samples_of(r->r, lane, sx_src(b, u, 1, lane)) >> sample & 1))
		return true;
	p = mali_sample_pixel(m, o.s, r->r->x[lane], r->r->y[lane], sample, mask, store);
	if (!p)
		return false;
	if (store) {
		mx_get(b, u->d, lane, words, o.nregs);
		mali_from_reg(o.regfmt, words, comps, px_format_kind(&o.format), v);
		px_pack(&o.format, v, comps, p);
	} else {
		px_unpack(&o.format, p, v);
		mali_to_reg(px_format_kind(&o.format), v, o.regfmt, comps, words);
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

	EACH_LANE(l, sx_effect(b))
		if (sx_src(b, u, 1, l) && !tile(m, b, u, l, true))
			return false;
	return true;
}
