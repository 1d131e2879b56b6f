// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blending of a pixel.
 */
#include "vr_fp.h"

#define ONE_F32	0x3f800000U
#define INF_F32	0x7f800000U

static bool term_ok(const struct vr_term *t)
{
	return t->src >= -1 && t->src <= 1 && t->dst >= -1 && t->dst <= 1 &&
	       t->factor < VR_NUM_FACTORS;
}

static bool function_ok(const struct vr_function *f)
{
	return f->op < VR_NUM_BLEND_OPS && term_ok(&f->a) && term_ok(&f->b);
}

bool vr_blend_ok(const struct vr_blend *b, const struct px_format *f)
{
	return function_ok(&b->f[0]) && function_ok(&b->f[1]) && b->logic < VR_NUM_LOGIC &&
	       px_format_kind(f) == PX_KIND_F32;
}

u32 vr_blend_limited(const struct px_format *f, u32 v)
{
	bool is_signed = f->comp == PX_SNORM;
	u32 low = is_signed ? ONE_F32 | 1U << 31 : 0;

	if (f->comp != PX_UNORM && !is_signed)
		return v;
	if ((v & 0x7fffffff) > INF_F32)
		return 0;
	if (v >> 31)
		return is_signed ? min(v, low) : 0;
	return min(v, ONE_F32);
}

/* Bits of @new and @old by a logic operation: bit 2 s + d of its number less 1. */
static u8 logic_bits(u32 logic, u8 new, u8 old)
{
	u32 f = logic - 1, out = 0;

	if (f & 1)
		out |= ~new & ~old;
	if (f & 2)
		out |= ~new & old;
	if (f & 4)
		out |= new & ~old;
	if (f & 8)
		out |= new & old;
	return (u8)out;
}

/* The result's components. @src: limited; @was: pixel */
static void apply_logic(const struct px_format *f, u32 logic, const u32 src[4], const void *was,
			u32 out[4])
{
	const u8 *old = was;
	u8 p[PX_MAX_BYTES];
	u32 i;

	memcpy(p, old, f->bytes);
	px_pack(f, src, 4, p);
	for (i = 0; i < f->bytes; i++)
		p[i] = logic_bits(logic, p[i], old[i]);
	px_unpack(f, p, out);
}

void vr_blend_pixel(enum vs_simd simd, const struct px_format *f, const struct vr_blend *b,
		    const u32 src[4], const u32 second[4], void *p)
{
	struct vr_mix x = {};
	u32 was[4], i;

	for (i = 0; i < 4; i++) {
		x.src[0][i] = vr_blend_limited(f, src[i]);
		if (second)
			x.src[1][i] = vr_blend_limited(f, second[i]);
	}
	if (b->alpha_one)
		x.src[0][3] = ONE_F32;
	px_unpack(f, p, was);
	memcpy(x.dst, was, sizeof(x.dst));
	if (b->logic)
		apply_logic(f, b->logic, x.src[0], p, x.dst);
	else
		vr_mix(simd, b, &x);
	for (i = 0; i < 4; i++)
		if (!(b->write >> i & 1))
			x.dst[i] = was[i];
	px_pack(f, x.dst, 4, p);
}
