// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Depth and stencil of shader jobs: images in memory, of which the quad being tested has a copy.
 */
#include "mali_run_int.h"

static bool in_image(const struct mali_target *t, enum mali_arch arch, enum px_kind kind,
		     struct mali_surf *s)
{
	return t->va && mali_surf_decode(arch, t, s) && px_format_kind(&s->format) == kind;
}

static u32 zformat_of(const struct px_format *f)
{
	if (f->comp == PX_UNORM && f->bits[0] == 24)
		return VR_Z24;
	return f->comp == PX_UNORM && f->bits[0] == 16 ? VR_Z16 : VR_Z32F;
}

bool mali_zs_begin(struct mali_area *a, const struct mali_frag *f, enum mali_arch arch)
{
	struct vr_zs *zs = &a->a.zs;
	struct vr_tile *t = &a->a.tile;
	u32 i;

	zs->flags = (f->flags & MALI_FRAG_DEPTH_TEST ? VR_DEPTH_TEST : 0) |
		    (f->flags & MALI_FRAG_DEPTH_WRITE ? VR_DEPTH_WRITE : 0) |
		    (f->flags & MALI_FRAG_STENCIL_TEST ? VR_STENCIL_TEST : 0);
	zs->func = f->depth_func;
	for (i = 0; i < 2; i++)
		zs->side[i] = mali_stencil(f->stencil_side[i], f->stencil_write >> (8 * i));
	t->z = a->z;
	t->s = a->s;
	if (zs->flags & (VR_DEPTH_TEST | VR_DEPTH_WRITE)) {
		if (!in_image(&f->depth, arch, PX_KIND_F32, &a->depth))
			return false;
		t->zformat = zformat_of(&a->depth.format);
	}
	t->has_stencil = zs->flags & VR_STENCIL_TEST;
	return !t->has_stencil || in_image(&f->stencil, arch, PX_KIND_U32, &a->stencil);
}

/* Pixel of a sample; @i: its index in the quad's copy, pixel + 4 * sample. */
static u8 *zs_pixel(const struct mali_area *a, const struct mali_surf *s, u32 lane, u32 i,
		    bool write)
{
	const struct mali_run *run = simt_machine_arg(a->m);
	u32 l = lane + (i & 3);

	return mali_sample_pixel(a->m, s, run->r->x[l], run->r->y[l], i >> 2, BIT_ULL(l), write);
}

/* Component of the stencil value: second in formats with depth. */
static u32 stencil_part(const struct mali_area *a)
{
	return a->stencil.format.ncomp > 1;
}

static bool load_sample(struct mali_area *a, u32 lane, u32 i)
{
	u32 v[4], flags = vr_zs_enabled(&a->a.tile, &a->a.zs);
	const u8 *p;

	if (flags & VR_DEPTH_TEST) {
		p = zs_pixel(a, &a->depth, lane, i, false);
		if (!p)
			return false;
		px_unpack(&a->depth.format, p, v);
		a->z[i] = vr_depth_code(a->a.tile.zformat, v[0]);
	}
	if (!(flags & VR_STENCIL_TEST))
		return true;
	p = zs_pixel(a, &a->stencil, lane, i, false);
	if (!p)
		return false;
	px_unpack(&a->stencil.format, p, v);
	a->s[i] = (u8)v[stencil_part(a)];
	a->was[i] = a->s[i];
	return true;
}

/* The byte next to 24 bits of depth may be a stencil value. */
static bool store_depth(struct mali_area *a, u32 lane, u32 i)
{
	const struct px_format *f = &a->depth.format;
	u8 *p = zs_pixel(a, &a->depth, lane, i, true), top;
	u32 v[4] = { vr_depth_value(a->a.tile.zformat, a->z[i]) };

	if (!p)
		return false;
	top = p[f->bytes - 1];
	px_pack(f, v, 1, p);
	if (f->bytes == 4 && f->bits[0] == 24)
		p[3] = top;
	return true;
}

static bool store_stencil(struct mali_area *a, u32 lane, u32 i)
{
	const struct px_format *f = &a->stencil.format;
	u8 *p = zs_pixel(a, &a->stencil, lane, i, true);
	u32 v[4];

	if (!p)
		return false;
	px_unpack(f, p, v);
	v[stencil_part(a)] = (v[stencil_part(a)] & ~0xffU) | a->s[i];
	px_pack(f, v, 4, p);
	return true;
}

static bool zs_load(struct vr_area *area, u32 lane, u64 cover)
{
	struct mali_area *a = container_of(area, struct mali_area, a);
	u32 i;

	for (i = 0; i < 4 * area->tile.samples; i++)
		if (cover & VR_SAMPLE(i & 3, i >> 2) && !load_sample(a, lane, i))
			return false;
	return true;
}

static bool zs_store(struct vr_area *area, u32 lane, u64 cover, u64 passed)
{
	struct mali_area *a = container_of(area, struct mali_area, a);
	u32 flags = vr_zs_enabled(&area->tile, &area->zs), i;
	u64 bit;

	for (i = 0; i < 4 * area->tile.samples; i++) {
		bit = VR_SAMPLE(i & 3, i >> 2);
		if (flags & VR_STENCIL_TEST && cover & bit && a->s[i] != a->was[i] &&
		    !store_stencil(a, lane, i))
			return false;
		if (flags & VR_DEPTH_WRITE && passed & bit && !store_depth(a, lane, i))
			return false;
	}
	return true;
}

const struct vr_area_ops mali_zs_ops = { .load = zs_load, .store = zs_store };

struct vr_stencil mali_stencil(u32 word, u32 write)
{
	return (struct vr_stencil){
		.ref = word & 0xff,
		.read = word >> 8 & 0xff,
		.write = write & 0xff,
		.func = word >> 16 & 7,
		.fail = word >> 19 & 7,
		.zfail = word >> 22 & 7,
		.pass = word >> 25 & 7,
	};
}
