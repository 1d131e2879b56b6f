// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fragments: which pixels a primitive covers, quads to lanes, targets and depth.
 *
 * Corners are snapped to 1/256 of a pixel; a pixel is covered if its centre is inside, or on
 * an edge that is at the top or on the left. Four lanes are a quad: (0, 0), (1, 0), (0, 1),
 * (1, 1); those that are not covered are helpers.
 */
#include "mali_run_int.h"

#define SUBPIXEL	8
#define ONE		256	/* in a pixel */
#define HALF		128
#define QUADS		(SIMT_LANES / 4)
#define COVERED		0xffffU		/* coverage of a pixel: all samples */

/* Binary32 to 1/256, nearest. Return: false if it is NaN or beyond MALI_MAX_FB. */
static bool to_fixed(u32 bits, s32 *out)
{
	u32 e = bits >> 23 & 0xff, mant = (bits & 0x7fffff) | 0x800000, shift;

	*out = 0;
	/* 2^16 */
	if ((bits & 0x7fffffff) > 143U << 23)
		return false;
	if (e < 150 - SUBPIXEL - 24)
		return true;
	if (e >= 150 - SUBPIXEL) {
		*out = mant << (e - (150 - SUBPIXEL));
	} else {
		shift = 150 - SUBPIXEL - e;
		*out = (mant + (1U << (shift - 1))) >> shift;
	}
	if (bits >> 31)
		*out = -*out;
	return true;
}

static s64 edge(const s32 *a, const s32 *b, s64 x, s64 y)
{
	return (s64)(b[0] - a[0]) * (y - a[1]) - (s64)(b[1] - a[1]) * (x - a[0]);
}

void mali_frag_edges(struct mali_raster *r, s64 x, s64 y, s64 e[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		e[i] = edge(r->at[(i + 1) % 3], r->at[(i + 2) % 3], x, y) * r->sign;
}

/* Is a point on this edge inside? Of two triangles that share it exactly one says so. */
static bool owns(const struct mali_raster *r, u32 i)
{
	const s32 *a = r->at[(i + 1) % 3], *b = r->at[(i + 2) % 3];
	s32 dx = (b[0] - a[0]) * r->sign, dy = (b[1] - a[1]) * r->sign;

	return dy < 0 || (!dy && dx > 0);
}

static bool in_point(const struct mali_raster *r, s32 x, s32 y)
{
	s32 dx = 2 * (x - r->at[0][0]) + r->size, dy = 2 * (y - r->at[0][1]) + r->size;

	return dx >= 0 && dy >= 0 && dx < 2 * r->size && dy < 2 * r->size;
}

/* Of a lane: are its pixel's edges inside? Puts them where varyings find them. */
static bool cover(struct mali_raster *r, u32 prim, u32 l)
{
	s32 x = r->x[l] * ONE + HALF, y = r->y[l] * ONE + HALF;
	bool in = true;
	s64 e[3];
	u32 i;

	if (prim != MALI_PRIM_TRIANGLE) {
		r->fp.e[0][l] = 1;
		r->fp.e[1][l] = 0;
		r->fp.e[2][l] = 0;
		return prim == MALI_PRIM_RECT || in_point(r, x, y);
	}
	mali_frag_edges(r, x, y, e);
	for (i = 0; i < 3; i++) {
		r->fp.e[i][l] = e[i];
		in &= e[i] > 0 || (!e[i] && owns(r, i));
	}
	return in;
}

/* ---- preparation ---- */

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
	if (!(f->flags & (MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE)))
		return true;
	return f->depth.va && read_target(arch, &f->depth, &r->r->depth) &&
	       mali_format_kind(&r->r->depth.format) == MALI_KIND_F32;
}

static bool read_corners(struct mali_raster *r, const struct mali_frag *f)
{
	u32 i, n = f->prim == MALI_PRIM_TRIANGLE ? 3 : f->prim == MALI_PRIM_POINT ? 1 : 0;
	s64 area;

	for (i = 0; i < 3; i++)
		r->fp.inv_w[i] = f->vertex[i][3];
	for (i = 0; i < n; i++) {
		if (!to_fixed(f->vertex[i][0], &r->at[i][0]) ||
		    !to_fixed(f->vertex[i][1], &r->at[i][1]))
			return false;
	}
	if (f->prim == MALI_PRIM_POINT)
		return to_fixed(f->point_size, &r->size) && r->size > 0;
	area = edge(r->at[0], r->at[1], r->at[2][0], r->at[2][1]);
	r->sign = area < 0 ? -1 : 1;
	/* nothing is inside */
	if (!area && n)
		r->nquads = 0;
	return true;
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

	*why = MALI_RUN_BAD_FRAGMENT;
	if (!f || f->x % 2 || f->y % 2 || f->x > MALI_MAX_FB || f->width > MALI_MAX_FB - f->x ||
	    f->y > MALI_MAX_FB || f->height > MALI_MAX_FB - f->y || f->prim >= MALI_NUM_PRIMS ||
	    f->flags & ~MALI_FRAG_ALL || f->provoking > 2 || f->depth_func > 7)
		return -ENOEXEC;
	ra = simt_arena_alloc(r->arena, 1, sizeof(*ra));
	if (!ra)
		return -ENOMEM;
	r->r = ra;
	ra->qwidth = DIV_ROUND_UP(f->width, 2);
	ra->nquads = (u64)ra->qwidth * DIV_ROUND_UP(f->height, 2);
	if (!read_corners(ra, f) || !read_targets(r, f))
		return -ENOEXEC;
	r->w.local[0] = SIMT_LANES;
	r->w.local[1] = 1;
	r->w.local[2] = 1;
	r->w.groups[0] = DIV_ROUND_UP(ra->nquads, QUADS);
	r->w.groups[1] = 1;
	r->w.groups[2] = 1;
	return 0;
}

/* ---- pixels ---- */

u8 *mali_pixel(struct simt_machine *m, const struct mali_surf *s, u32 x, u32 y, u64 mask,
	       bool write)
{
	u32 bytes = s->format.bytes;
	u64 at;
	u8 *p;

	if (!s->t.va)
		return NULL;
	if (s->t.order == MALI_LINEAR)
		at = (u64)y * s->t.row_stride + (u64)x * bytes;
	else
		at = (u64)(y >> 4) * s->t.row_stride +
		     ((u64)(x >> 4) * 256 + mali_tile_index(x & 15, y & 15, false)) * bytes;
	p = simt_ptr(m, s->t.va + at, bytes, write ? VS_EXT_WRITE : 0);
	if (!p)
		simt_fault(m, write ? VS_FAULT_WRITE : VS_FAULT_READ, mask, s->t.va + at, bytes);
	return p;
}

/* Binary32 to integers in the same order; both zeros are equal. */
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

/* Lanes of @mask whose depth @z passes; written if that is asked for. */
static u64 depth(struct simt_machine *m, u64 mask, const u32 *z, bool test, bool write)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	const struct mali_frag *f = run->w.frag;
	u64 pass = 0;
	u32 l, v[4];
	u8 *p;

	EACH_LANE(l, mask) {
		p = mali_pixel(m, &r->depth, r->x[l], r->y[l], BIT_ULL(l), write);
		if (!p)
			return pass;
		mali_unpack(&r->depth.format, p, v);
		if (test && !mali_compare(f->depth_func, z[l], v[0]))
			continue;
		pass |= BIT_ULL(l);
		v[0] = z[l];
		if (write)
			mali_pack(&r->depth.format, v, 1, p);
	}
	return pass;
}

/* Between 0 and 1; NaN is 0. */
static u32 clamp_depth(u32 z)
{
	if (z >> 31 || z > 0x7f800000)
		return 0;
	return min(z, 0x3f800000U);
}

u64 mali_depth_given(struct simt_machine *m, u64 mask, u32 *z)
{
	struct mali_run *run = simt_machine_arg(m);
	u32 flags = run->w.frag->flags, l;

	if (!(flags & (MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE)))
		return mask;
	EACH_LANE(l, mask)
		z[l] = clamp_depth(z[l]);
	return depth(m, mask, z, flags & MALI_FRAG_DEPTH_TEST, flags & MALI_FRAG_DEPTH_WRITE);
}

void mali_frag_z(struct simt_machine *m, u64 mask, u32 *z)
{
	struct mali_run *run = simt_machine_arg(m);
	const struct mali_frag *f = run->w.frag;
	u32 v[3] = { f->vertex[0][2], f->vertex[1][2], f->vertex[2][2] };

	mali_fp_linear(simt_machine_simd(m), &run->r->fp, mask, v, z);
}

/* Depth of the primitive, unless the program makes its own. */
static u64 early_depth(struct simt_machine *m, u64 mask)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	u32 flags = run->w.frag->flags, l;

	if (flags & MALI_FRAG_SHADER_Z ||
	    !(flags & (MALI_FRAG_DEPTH_TEST | MALI_FRAG_DEPTH_WRITE)))
		return mask;
	mali_frag_z(m, mask, r->z);
	EACH_LANE(l, mask)
		r->z[l] = clamp_depth(r->z[l]);
	return flags & MALI_FRAG_DEPTH_TEST ? depth(m, mask, r->z, true, false) : mask;
}

/* ---- blocks ---- */

/* Pixels of the lanes. Return: lanes that there are. */
static u64 place(struct mali_raster *r, const struct mali_frag *f, u64 first)
{
	u64 q, lanes = 0;
	u32 i, k, l;

	for (i = 0; i < QUADS; i++) {
		q = first + i;
		if (q >= r->nquads)
			break;
		for (k = 0; k < 4; k++) {
			l = 4 * i + k;
			r->x[l] = f->x + 2 * (u32)(q % r->qwidth) + (k & 1);
			r->y[l] = f->y + 2 * (u32)(q / r->qwidth) + (k >> 1);
		}
		lanes |= 15ULL << (4 * i);
	}
	return lanes;
}

static u64 cover_block(struct mali_raster *r, const struct mali_frag *f, u64 lanes)
{
	u64 covered = 0;
	u32 l;

	EACH_LANE(l, lanes) {
		if (cover(r, f->prim, l) && r->x[l] - f->x < f->width &&
		    r->y[l] - f->y < f->height)
			covered |= BIT_ULL(l);
	}
	return covered;
}

/* All lanes of quads that have one of @lanes. */
static u64 whole_quads(u64 lanes)
{
	lanes |= lanes >> 1;
	lanes |= lanes >> 2;
	return (lanes & 0x1111111111111111ULL) * 15;
}

static void preload(struct simt_block *b, const struct mali_run *run)
{
	const struct mali_raster *r = run->r;
	const struct mali_frag *f = run->w.frag;
	u32 l, coverage;

	EACH_LANE(l, b->live) {
		coverage = r->covered >> l & 1 ? COVERED : 0;
		if (run->w.preload & BIT(9))
			*mx_slot(b, 57, l) = f->primitive;
		if (run->w.preload & BIT(10))
			*mx_slot(b, 58, l) = f->flags & MALI_FRAG_BACK;
		if (run->w.preload & BIT(11))
			*mx_slot(b, 59, l) = r->x[l] | (u32)r->y[l] << 16;
		*mx_slot(b, 60, l) = coverage;
		if (run->w.preload & BIT(13))
			*mx_slot(b, 61, l) = coverage;
	}
}

void mali_frag_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);
	struct mali_raster *r = run->r;
	u64 lanes;

	lanes = place(r, run->w.frag, g->group * QUADS);
	r->covered = early_depth(m, cover_block(r, run->w.frag, lanes));
	b->live &= whole_quads(r->covered);
	b->helper = b->live & ~r->covered;
	b->mask = b->live;
	simt_charge(m, 64);
	if (!b->live)
		return;
	preload(b, run);
	mx_messages(m, b);
}

void mali_frag_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct mali_run *run = simt_machine_arg(m);
	u32 flags = run->w.frag->flags;

	if (flags & MALI_FRAG_DEPTH_WRITE && !(flags & MALI_FRAG_SHADER_Z))
		depth(m, run->r->covered & ~b->helper, run->r->z, false, true);
}
