// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: from a fragment's colour to memory: alpha test, stencil, depth, blending,
 * formats.
 *
 * Blending is of integers, truncated, unlike that of the rasteriser's tile buffer.
 */
#include "../../isa/pica/pica_float.h"
#include "../../isa/pica/pica_launch.h"
#include "pica_paint.h"

/* ---- formats ---- */

static u32 expand5(u32 v)
{
	return v << 3 | v >> 2;
}

/**
 * pica_unpack_colour - read a colour
 * @format: of the frame buffer
 * @bytes: its bytes
 * @c: r, g, b, a
 */
void pica_unpack_colour(u32 format, const u8 *bytes, u8 c[4])
{
	u32 v = format == 1 ? 0 : bytes[0] | bytes[1] << 8;

	c[3] = 255;
	switch (format) {
	case 1:
		c[0] = bytes[2];
		c[1] = bytes[1];
		c[2] = bytes[0];
		break;
	case 2:
		c[0] = expand5(v >> 11);
		c[1] = expand5(v >> 6 & 31);
		c[2] = expand5(v >> 1 & 31);
		c[3] = v & 1 ? 255 : 0;
		break;
	case 3:
		c[0] = expand5(v >> 11);
		c[1] = (v >> 5 & 63) << 2 | (v >> 9 & 3);
		c[2] = expand5(v & 31);
		break;
	case 4:
		c[0] = (v >> 12) * 17;
		c[1] = (v >> 8 & 15) * 17;
		c[2] = (v >> 4 & 15) * 17;
		c[3] = (v & 15) * 17;
		break;
	default:
		c[0] = bytes[3];
		c[1] = bytes[2];
		c[2] = bytes[1];
		c[3] = bytes[0];
		break;
	}
}

/**
 * pica_pack_colour - write a colour, truncated to the format
 * @format: of the frame buffer
 * @c: r, g, b, a
 * @bytes: its bytes
 */
void pica_pack_colour(u32 format, const u8 c[4], u8 *bytes)
{
	u32 v = 0;

	switch (format) {
	case 1:
		bytes[0] = c[2];
		bytes[1] = c[1];
		bytes[2] = c[0];
		return;
	case 2:
		v = c[0] >> 3 << 11 | c[1] >> 3 << 6 | c[2] >> 3 << 1 | c[3] >> 7;
		break;
	case 3:
		v = c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3;
		break;
	case 4:
		v = c[0] >> 4 << 12 | c[1] >> 4 << 8 | (c[2] & 0xf0) | c[3] >> 4;
		break;
	default:
		bytes[0] = c[3];
		bytes[1] = c[2];
		bytes[2] = c[1];
		bytes[3] = c[0];
		return;
	}
	bytes[0] = v;
	bytes[1] = v >> 8;
}

/* Number of a pixel in a buffer. */
static u64 pixel_index(const struct pica_frag *f, const struct pica_pixel *px)
{
	u32 side = 1U << f->block, x = px->x & (side - 1), y = px->y & (side - 1);

	return (u64)(px->y - y) * f->width + (u64)(px->x - x) * side +
	       pica_morton(x, y, f->block);
}

/* ---- tests ---- */

/**
 * pica_compare - the chip's eight functions
 * @func: function
 * @a: fragment or reference
 * @b: buffer
 *
 * Return: passed.
 */
bool pica_compare(u32 func, u32 a, u32 b)
{
	switch (func & 7) {
	case 0:
		return false;
	case 1:
		return true;
	case 2:
		return a == b;
	case 3:
		return a != b;
	case 4:
		return a < b;
	case 5:
		return a <= b;
	case 6:
		return a > b;
	default:
		return a >= b;
	}
}

static u32 pica_out_stencil_op(u32 op, u32 old, u32 ref)
{
	switch (op & 7) {
	case 1:
		return 0;
	case 2:
		return ref;
	case 3:
		return min_t(u32, old + 1, 255);
	case 4:
		return old ? old - 1 : 0;
	case 5:
		return old ^ 0xff;
	case 6:
		return (old + 1) & 0xff;
	case 7:
		return (old - 1) & 0xff;
	default:
		return old;
	}
}

/* floor(z * (2^bits - 1)); z from 0 to 1. */
static u32 fixed_depth(u32 z, u32 bits)
{
	u64 v = (u64)((z & 0x7fffff) | 0x800000) * ((1U << bits) - 1);
	u32 shift = 150 - (z >> 23);

	return z < 0x800000 || shift > 63 ? 0 : (u32)(v >> shift);
}

/**
 * struct out_zs - Depth and stencil of a pixel.
 * @va:		address
 * @z:		depth in the buffer
 * @s:		stencil in the buffer
 * @new_z:	to be written
 * @new_s:	"
 */
struct out_zs {
	u64 va;
	u32 z;
	u32 s;
	u32 new_z;
	u32 new_s;
};

static bool load_zs(struct pica_paint *p, const struct pica_pixel *px, struct out_zs *o)
{
	const struct pica_frag *f = p->frag;
	u8 b[4] = {};
	u32 v;

	o->va = f->zs + pixel_index(f, px) * f->zbytes;
	if (!pica_get(&p->mem, PICA_MEM_DEPTH, o->va, b, f->zbytes))
		return false;
	v = b[0] | b[1] << 8 | b[2] << 16;
	o->z = v;
	o->s = b[3];
	o->new_z = o->z;
	o->new_s = o->s;
	return true;
}

static bool store_zs(struct pica_paint *p, const struct out_zs *o)
{
	u32 v = o->new_z | o->new_s << 24;
	u8 b[4] = { v, v >> 8, v >> 16, v >> 24 };

	if (o->new_z == o->z && o->new_s == o->s)
		return true;
	return pica_put(&p->mem, PICA_MEM_DEPTH, o->va, b, p->frag->zbytes);
}

/* Set the stencil of a test's result, if it can be written. */
static void pica_out_set_stencil(const struct pica_frag *f, struct out_zs *o, u32 shift)
{
	u32 cfg = f->r[PICA_REG_STENCIL_TEST], mask = cfg >> 8 & 0xff;
	u32 v = pica_out_stencil_op(f->r[PICA_REG_STENCIL_OP] >> shift, o->s, cfg >> 16 & 0xff);

	if (f->r[PICA_REG_DEPTH_WRITE] & 1)
		o->new_s = (o->s & ~mask) | (v & mask);
}

/* Return: passed; results are in @o. */
static bool test_zs(const struct pica_frag *f, u32 z, bool stencil, struct out_zs *o)
{
	u32 cfg = f->r[PICA_REG_STENCIL_TEST], mask = cfg >> 24;
	u32 dm = f->r[PICA_REG_DEPTH_COLOUR_MASK];

	if (stencil && !pica_compare(cfg >> 4, cfg >> 16 & mask, o->s & mask)) {
		pica_out_set_stencil(f, o, 0);
		return false;
	}
	if (dm & 1 && !pica_compare(dm >> 4, z, o->z)) {
		if (stencil)
			pica_out_set_stencil(f, o, 4);
		return false;
	}
	if (stencil)
		pica_out_set_stencil(f, o, 8);
	if (dm >> 12 & 1 && f->r[PICA_REG_DEPTH_WRITE] & 2)
		o->new_z = z;
	return true;
}

/* Stencil and depth. Return: passed. */
static bool depth_stencil(struct pica_paint *p, const struct pica_pixel *px)
{
	const struct pica_frag *f = p->frag;
	u32 dm = f->r[PICA_REG_DEPTH_COLOUR_MASK];
	bool stencil = f->r[PICA_REG_STENCIL_TEST] & 1 && f->zbytes == 4, ok;
	struct out_zs o;
	u32 v[6];

	if (!stencil && !(dm & 1) && !(dm >> 12 & 1 && f->r[PICA_REG_DEPTH_WRITE] & 2))
		return true;
	if (!load_zs(p, px, &o))
		return false;
	ok = test_zs(f, fixed_depth(px->z, f->zbits), stencil, &o);
	v[0] = ok;
	v[1] = fixed_depth(px->z, f->zbits);
	v[2] = o.z;
	v[3] = o.s;
	v[4] = o.new_z;
	v[5] = o.new_s;
	pica_note(px, PICA_STEP_DEPTH, 0, v);
	return store_zs(p, &o) && ok;
}

/* ---- colour ---- */

static u32 factor(const struct pica_frag *f, u32 code, u32 i, const u8 s[4], const u8 d[4])
{
	u32 constant = f->r[PICA_REG_BLEND_COLOUR];

	switch (code & 15) {
	case 0:
		return 0;
	case 1:
		return 255;
	case 2:
		return s[i];
	case 3:
		return 255 - s[i];
	case 4:
		return d[i];
	case 5:
		return 255 - d[i];
	case 6:
		return s[3];
	case 7:
		return 255 - s[3];
	case 8:
		return d[3];
	case 9:
		return 255 - d[3];
	case 10:
		return constant >> (8 * i) & 0xff;
	case 11:
		return 255 - (constant >> (8 * i) & 0xff);
	case 12:
		return constant >> 24;
	case 13:
		return 255 - (constant >> 24);
	case 14:
		return i == 3 ? 255 : min_t(u32, s[3], 255 - d[3]);
	default:
		return 255;
	}
}

static u8 blend(const struct pica_frag *f, u32 i, const u8 s[4], const u8 d[4])
{
	u32 cfg = f->r[PICA_REG_BLEND], eq = i == 3 ? cfg >> 8 & 7 : cfg & 7;
	s32 x = s[i] * factor(f, i == 3 ? cfg >> 24 : cfg >> 16, i, s, d);
	s32 y = d[i] * factor(f, i == 3 ? cfg >> 28 : cfg >> 20, i, s, d);

	if ((eq == 3 || eq == 4) && !(f->switches & PICA_SW_FACTORS_OF_MIN_MAX)) {
		x = 255 * s[i];
		y = 255 * d[i];
	}
	switch (eq) {
	case 1:
		x -= y;
		break;
	case 2:
		x = y - x;
		break;
	case 3:
		x = min(x, y);
		break;
	case 4:
		x = max(x, y);
		break;
	default:
		x += y;
		break;
	}
	return clamp_t(s32, x / 255, 0, 255);
}

static u8 pica_out_logic(u32 op, u8 s, u8 d)
{
	switch (op & 15) {
	case 0:
		return 0;
	case 1:
		return s & d;
	case 2:
		return s & ~d;
	case 3:
		return s;
	case 4:
		return 0xff;
	case 5:
		return ~s;
	case 6:
		return d;
	case 7:
		return ~d;
	case 8:
		return ~(s & d);
	case 9:
		return s | d;
	case 10:
		return ~(s | d);
	case 11:
		return s ^ d;
	case 12:
		return ~(s ^ d);
	case 13:
		return ~s & d;
	case 14:
		return s | ~d;
	default:
		return ~s | d;
	}
}

static void store_colour(struct pica_paint *p, const struct pica_pixel *px)
{
	const struct pica_frag *f = p->frag;
	u64 va = f->colour + pixel_index(f, px) * f->cbytes;
	u8 bytes[4] = {}, d[4] = {}, c[4];
	u32 i, v[6] = {};

	if (f->reads) {
		if (!pica_get(&p->mem, PICA_MEM_COLOUR, va, bytes, f->cbytes))
			return;
		pica_unpack_colour(f->cformat, bytes, d);
	}
	for (i = 0; i < 4; i++) {
		if (!(f->cmask >> i & 1))
			c[i] = d[i];
		else if (f->r[PICA_REG_COLOUR_OP] >> 8 & 1)
			c[i] = blend(f, i, px->out, d);
		else
			c[i] = pica_out_logic(f->r[PICA_REG_LOGIC_OP], px->out[i], d[i]);
	}
	v[0] = pica_word(px->out);
	v[1] = pica_word(d);
	v[2] = pica_word(c);
	pica_note(px, PICA_STEP_COLOUR, 0, v);
	pica_pack_colour(f->cformat, c, bytes);
	pica_put(&p->mem, PICA_MEM_COLOUR, va, bytes, f->cbytes);
}

/* ---- shadow maps ---- */

/* Density of a fragment that is behind what the map has: g / (constant + linear * z / stored). */
static u32 shadow_density(const struct pica_frag *f, u32 z, u32 stored, u32 g)
{
	u32 k = f->r[PICA_REG_SHADOW];
	u32 by = pf_add(pica_f16_to_f32(k & 0xffff),
			pf_mul(pica_f16_to_f32(k >> 16),
			       pf_div(pf_int((s32)z), pf_int((s32)stored))));
	s64 v = pica_fix(pf_div(pf_int((s32)g), by), 0);

	return clamp_t(s64, v, 0, 255);
}

/* The colour buffer has 24 bits of depth, the highest first, and 8 bits of density. */
static void store_shadow(struct pica_paint *p, const struct pica_pixel *px)
{
	const struct pica_frag *f = p->frag;
	u64 va = f->colour + pixel_index(f, px) * 4;
	u32 z = fixed_depth(px->z, 24), stored, v[6] = {};
	u8 b[4];

	if (!pica_get(&p->mem, PICA_MEM_COLOUR, va, b, 4))
		return;
	stored = b[0] << 16 | b[1] << 8 | b[2];
	v[0] = z;
	v[1] = pica_word(b);
	v[2] = v[1];
	if (z >= stored) {
		pica_note(px, PICA_STEP_SHADOW, 0, v);
		return;
	}
	if (px->out[1]) {
		b[3] = min_t(u32, b[3], shadow_density(f, z, stored, px->out[1]));
	} else {
		b[0] = z >> 16;
		b[1] = z >> 8;
		b[2] = z;
	}
	v[2] = pica_word(b);
	pica_note(px, PICA_STEP_SHADOW, 0, v);
	pica_put(&p->mem, PICA_MEM_COLOUR, va, b, 4);
}

/**
 * pica_output - test a fragment and write it
 * @p: state; its fault is set if memory cannot be accessed
 * @px: fragment with its colour
 */
void pica_output(struct pica_paint *p, struct pica_pixel *px)
{
	const struct pica_frag *f = p->frag;
	u32 test = f->r[PICA_REG_ALPHA_TEST], v[6] = {};
	bool passed;

	if (f->mode == PICA_MODE_SHADOW) {
		store_shadow(p, px);
		return;
	}
	passed = !(test & 1) || pica_compare(test >> 4, px->out[3], test >> 8 & 0xff);
	if (test & 1) {
		v[0] = passed;
		v[1] = px->out[3];
		v[2] = test >> 8 & 0xff;
		v[3] = test >> 4 & 7;
		pica_note(px, PICA_STEP_ALPHA, 0, v);
	}
	if (!passed)
		return;
	pica_fog(f, px);
	if (depth_stencil(p, px) && f->cmask)
		store_colour(p, px);
}
