// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: the six combiners with their buffer, and fog. 8 bits per component.
 */
#include "pica_lit.h"

/**
 * struct comb - A combiner at work.
 * @r:		its registers
 * @src:	sources
 * @arg:	operands: r, g, b, a
 */
struct comb {
	const u32 *r;
	u8 (*src)[4];
	u8 arg[3][4];
};

static u8 pica_comb_operand(u8 v, u32 code)
{
	return code & 1 ? 255 - v : v;
}

static void get_args(struct comb *c, u32 stage)
{
	u32 j, i, rgb, a;

	for (j = 0; j < 3; j++) {
		const u8 *s = c->src[pica_comb_source(stage, c->r[0] >> (4 * j) & 0xf,
						      c->r[0] >> 8 & 0xf)];

		rgb = c->r[1] >> (4 * j) & 0xf;
		for (i = 0; i < 3; i++)
			c->arg[j][i] = pica_comb_operand(s[pica_comb_rgb(rgb, i)], rgb);
		s = c->src[pica_comb_source(stage, c->r[0] >> (16 + 4 * j) & 0xf,
					    c->r[0] >> 24 & 0xf)];
		a = c->r[1] >> (12 + 4 * j) & 7;
		c->arg[j][3] = pica_comb_operand(s[pica_comb_alpha(a)], a);
	}
}

static s32 dot3(const struct comb *c)
{
	s32 sum = 0, i;

	for (i = 0; i < 3; i++)
		sum += ((2 * c->arg[0][i] - 255) * (2 * c->arg[1][i] - 255) + 128) / 256;
	return sum;
}

static s32 apply(const struct comb *c, u32 op, u32 i)
{
	s32 x = c->arg[0][i], y = c->arg[1][i], z = c->arg[2][i];

	switch (op) {
	case PICA_OP_REPLACE:
		return x;
	case PICA_OP_MODULATE:
		return x * y / 255;
	case PICA_OP_ADD:
		return x + y;
	case PICA_OP_ADD_SIGNED:
		return x + y - 128;
	case PICA_OP_LERP:
		return (x * z + y * (255 - z)) / 255;
	case PICA_OP_SUBTRACT:
		return x - y;
	case PICA_OP_DOT3_RGB:
	case PICA_OP_DOT3_RGBA:
		return dot3(c);
	case PICA_OP_MULTIPLY_ADD:
		return (x * y + 255 * z) / 255;
	case PICA_OP_ADD_MULTIPLY:
		return min(x + y, 255) * z / 255;
	default:
		return 0;
	}
}

/* Multiply by 1, 2 or 4, saturate. */
static u8 pica_comb_scaled(s32 v, u32 scale)
{
	v = clamp_t(s32, v, 0, 255) << (scale & 3) % 3;
	return min(v, 255);
}

static void run_stage(struct comb *c, u8 out[4])
{
	u32 rgb = c->r[2] & 0xf, a = c->r[2] >> 16 & 0xf, i;

	for (i = 0; i < 3; i++)
		out[i] = pica_comb_scaled(apply(c, rgb, i), c->r[4]);
	if (rgb == PICA_OP_DOT3_RGBA)
		out[3] = out[0];
	else
		out[3] = pica_comb_scaled(apply(c, a, 3), c->r[4] >> 16);
}

static void note_stage(const struct comb *c, const struct pica_pixel *px, u32 n)
{
	const u32 v[6] = { pica_word(c->arg[0]), pica_word(c->arg[1]), pica_word(c->arg[2]),
			   pica_word(px->out), pica_word(px->src[PICA_SRC_BUFFER]) };

	pica_note(px, PICA_STEP_COMBINER, n, v);
}

static void bytes(u32 word, u8 c[4])
{
	u32 i;

	for (i = 0; i < 4; i++)
		c[i] = word >> (8 * i);
}

/**
 * pica_combine - calculate a fragment's colour from its sources
 * @f: draw
 * @px: fragment; its sources from PICA_SRC_BUFFER on are used as scratch
 *
 * The value that a stage writes to the buffer can be read from the next stage but one on.
 */
void pica_combine(const struct pica_frag *f, struct pica_pixel *px)
{
	u32 update = f->r[PICA_REG_COMB_UPDATE], n;
	struct comb c = { .src = px->src };
	u8 next[4];

	bytes(f->r[PICA_REG_COMB_BUFFER], next);
	memcpy(px->src[PICA_SRC_BUFFER], next, 4);
	for (n = 0; n < PICA_NUM_STAGES; n++) {
		c.r = &f->r[pica_comb_base(n)];
		bytes(c.r[3], px->src[PICA_SRC_CONSTANT]);
		get_args(&c, n);
		run_stage(&c, px->out);
		note_stage(&c, px, n);
		memcpy(px->src[PICA_SRC_PREVIOUS], px->out, 4);
		memcpy(px->src[PICA_SRC_BUFFER], next, 4);
		if (n < 4 && update >> (8 + n) & 1)
			memcpy(next, px->out, 3);
		if (n < 4 && update >> (12 + n) & 1)
			next[3] = px->out[3];
	}
}

/**
 * pica_fog - apply fog to a fragment's colour
 * @f: draw
 * @px: fragment
 *
 * The table's value between two entries has 12 fractional bits.
 */
void pica_fog(const struct pica_frag *f, struct pica_pixel *px)
{
	const u32 one = 2047 << 12;
	u32 v[6] = { 0, pica_word(px->out) }, z, e, i, fog;
	s32 k;

	if ((f->r[PICA_REG_COMB_UPDATE] & 7) != 5)
		return;
	z = (u32)pica_fix(px->z, 19);
	if (f->r[PICA_REG_COMB_UPDATE] >> 16 & 1)
		z = (1U << 19) - z;
	i = min_t(u32, z >> 12, 127);
	e = f->luts->fog[i];
	k = (s32)((e >> 13 & 0x7ff) << 12) + pica_signed(e, 0, 13) * (s32)(z - (i << 12));
	k = clamp_t(s32, k, 0, (s32)one);
	for (i = 0; i < 3; i++) {
		fog = f->r[PICA_REG_FOG_COLOUR] >> (8 * i) & 0xff;
		px->out[i] = ((u32)k * px->out[i] + (one - (u32)k) * fog) / one;
	}
	if (px->watch) {
		v[0] = pf_div(pf_int(k), pf_int((s32)one));
		v[2] = pica_word(px->out);
		pica_note(px, PICA_STEP_FOG, 0, v);
	}
}
