// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tile buffer: memory, clears, depth and stencil.
 */
#include "vr_fp.h"

#define PIXELS	(VR_TILE * VR_TILE)
#define ONE_F32	0x3f800000U
#define INF_F32	0x7f800000U

/* ---- memory ---- */

static u32 colour_bytes(const struct vr_tile *t, u32 i)
{
	return PIXELS * t->samples * t->format[i].bytes;
}

u32 vr_tile_bytes(const struct vr_tile *t)
{
	u32 i, bytes = 0;

	if ((t->samples != 1 && t->samples != 4) || t->ntargets > VR_MAX_TARGETS ||
	    t->zformat >= VR_NUM_ZFORMATS)
		return 0;
	for (i = 0; i < t->ntargets; i++) {
		if (t->format[i].bytes > PX_MAX_BYTES ||
		    (t->format[i].bytes && !px_format_writable(&t->format[i])))
			return 0;
		bytes += colour_bytes(t, i);
	}
	return bytes + PIXELS * t->samples * 5;
}

void vr_tile_place(struct vr_tile *t, void *mem)
{
	u8 *at = mem;
	u32 i;

	memset(t->plain, 0, sizeof(t->plain));
	t->z = mem;
	at += PIXELS * t->samples * sizeof(*t->z);
	t->s = at;
	at += PIXELS * t->samples;
	for (i = 0; i < t->ntargets; i++) {
		t->colour[i] = at;
		at += colour_bytes(t, i);
	}
}

void vr_tile_fill(u8 *to, const void *from, u32 bytes, u32 all)
{
	u32 done = bytes;

	memcpy(to, from, bytes);
	for (; done && done < all; done *= 2)
		memcpy(to + done, to, min(done, all - done));
}

void vr_tile_clear(struct vr_tile *t, u32 target, const void *pixel)
{
	u32 bytes = t->format[target].bytes;

	t->dirty[target] = 0;
	/* often it is as the tile before has left it */
	if (t->plain[target] == 0xffff && !memcmp(t->colour[target], pixel, bytes))
		return;
	t->plain[target] = 0xffff;
	vr_tile_fill(t->colour[target], pixel, bytes, colour_bytes(t, target));
}

void vr_tile_clear_zs(struct vr_tile *t, u32 z, u32 s)
{
	u32 code = vr_depth_code(t->zformat, z);

	t->dirty[VR_DIRTY_Z] = 0;
	t->dirty[VR_DIRTY_S] = 0;
	if ((t->plain[VR_DIRTY_Z] & t->plain[VR_DIRTY_S]) == 0xffff && t->z[0] == code &&
	    t->s[0] == (u8)s)
		return;
	t->plain[VR_DIRTY_Z] = 0xffff;
	t->plain[VR_DIRTY_S] = 0xffff;
	vr_tile_fill((u8 *)t->z, &code, sizeof(code), PIXELS * t->samples * sizeof(code));
	memset(t->s, (u8)s, PIXELS * t->samples);
}

/* ---- depth ---- */

/* Binary32 from 0 to 1 times @max, to nearest, halves up. @max: up to 24 bits */
static u32 to_unorm(u32 z, u32 max)
{
	u32 shift = 150 - (z >> 23);
	u64 p;

	if (z >> 31 || z > INF_F32)
		return 0;
	if (z >= ONE_F32)
		return max;
	/* 48 bits are less than a half */
	if (shift > 49)
		return 0;
	p = (u64)((z & 0x7fffff) | 0x800000) * max;
	return (u32)((p + BIT_ULL(shift - 1)) >> shift);
}

u32 vr_depth_code(u32 zformat, u32 z)
{
	switch (zformat) {
	case VR_Z16:
		return to_unorm(z, 0xffff);
	case VR_Z24:
		return to_unorm(z, 0xffffff);
	default:
		/* negative numbers have the reverse order; both zeros are one */
		if ((z & 0x7fffffff) > INF_F32 || !(z & 0x7fffffff))
			z = 0;
		return z >> 31 ? ~z : z | 1U << 31;
	}
}

u32 vr_depth_value(u32 zformat, u32 code)
{
	struct px_format f = { .layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 1,
				 .bytes = 4, .swizzle = { 0, 0, 0, 0 } };
	u32 v[4];

	if (zformat != VR_Z16 && zformat != VR_Z24)
		return code >> 31 ? code & 0x7fffffff : ~code;
	f.bits[0] = zformat == VR_Z16 ? 16 : 24;
	px_unpack(&f, &code, v);
	return v[0];
}

/* ---- stencil ---- */

static u32 tile_stencil_op(u32 op, u32 v, u32 ref)
{
	switch (op) {
	case VR_REPLACE:
		return ref;
	case VR_ZERO:
		return 0;
	case VR_INVERT:
		return ~v & 0xff;
	case VR_INCR_WRAP:
		return (v + 1) & 0xff;
	case VR_DECR_WRAP:
		return (v - 1) & 0xff;
	case VR_INCR:
		return v < 0xff ? v + 1 : v;
	case VR_DECR:
		return v ? v - 1 : v;
	default:
		return v;
	}
}

static void tile_update(const struct vr_stencil *s, u32 op, u32 ref, u8 *value)
{
	*value = (tile_stencil_op(op, *value, ref) & s->write) | (*value & ~s->write);
}

u32 vr_zs_enabled(const struct vr_tile *t, const struct vr_zs *zs)
{
	u32 flags = zs->flags;

	if (t->zformat == VR_Z_NONE)
		flags &= ~(VR_DEPTH_TEST | VR_DEPTH_WRITE);
	if (!t->has_stencil)
		flags &= ~VR_STENCIL_TEST;
	return flags & (VR_DEPTH_TEST | VR_DEPTH_WRITE | VR_STENCIL_TEST);
}

u64 vr_tile_zs(struct vr_tile *t, const struct vr_zs *zs, bool back, u32 x, u32 y, u64 cover,
	       const u32 *z, const u32 *ref, u32 what)
{
	const struct vr_stencil *s = &zs->side[back];
	u32 flags = vr_zs_enabled(t, zs), at = vr_tile_index(t, x, y), i, code = 0, r;
	u64 bit;

	if (!flags)
		goto count;
	if (cover && flags & VR_STENCIL_TEST && s->write && (s->fail | s->zfail | s->pass))
		vr_tile_touch(t, VR_DIRTY_S, x, y);
	for (i = 0; i < 4 * t->samples; i++) {
		bit = VR_SAMPLE(i & 3, i >> 2);
		if (!(cover & bit))
			continue;
		r = ref ? ref[i & 3] & 0xff : s->ref;
		if (flags & (VR_DEPTH_TEST | VR_DEPTH_WRITE))
			code = vr_depth_code(t->zformat, z[i]);
		if (what & VR_ZS_TEST && flags & VR_STENCIL_TEST &&
		    !vr_compare(s->func, r & s->read, t->s[at + i] & s->read)) {
			tile_update(s, s->fail, r, &t->s[at + i]);
			cover &= ~bit;
			continue;
		}
		if (what & VR_ZS_TEST && flags & VR_DEPTH_TEST &&
		    !vr_compare(zs->func, code, t->z[at + i])) {
			if (flags & VR_STENCIL_TEST)
				tile_update(s, s->zfail, r, &t->s[at + i]);
			cover &= ~bit;
			continue;
		}
		if (!(what & VR_ZS_WRITE))
			continue;
		if (flags & VR_STENCIL_TEST)
			tile_update(s, s->pass, r, &t->s[at + i]);
		if (flags & VR_DEPTH_WRITE)
			t->z[at + i] = code;
	}
	if (cover && what & VR_ZS_WRITE && flags & VR_DEPTH_WRITE)
		vr_tile_touch(t, VR_DIRTY_Z, x, y);
count:
	if (what & VR_ZS_WRITE)
		t->passed += hweight64(cover);
	return cover;
}

/* ---- alpha ---- */

u32 vr_byte(u32 f)
{
	return to_unorm(f, 255);
}

bool vr_alpha_passes(const struct vr_alpha *a, u32 alpha)
{
	s64 x = vr_depth_order(alpha), y = vr_depth_order(a->ref), inf = INF_F32;

	if (a->bytes)
		return vr_compare(a->func, vr_byte(alpha), a->ref);
	if (x > inf || x < -inf || y > inf || y < -inf)
		return a->func == 7;
	return a->func & (x < y ? 1 : x > y ? 4 : 2);
}

u32 vr_alpha_cover(u32 samples, u32 alpha)
{
	u32 shift = __ffs64(samples) + 1, n = 0, k;

	if (alpha >> 31 || alpha > INF_F32)
		return 0;
	for (k = 0; k < samples; k++)
		/* (2 k + 1) / (2 samples) */
		n += alpha >= px_s32_to_f32(2 * k + 1) - (shift << 23);
	return (1U << n) - 1;
}
