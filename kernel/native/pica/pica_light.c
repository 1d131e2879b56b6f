// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: fragment lighting. Binary32 in integers.
 */
#include "../../isa/pica/pica_float.h"
#include "pica_lit.h"

enum { IN_NH, IN_VH, IN_NV, IN_LN, IN_SP, IN_CP, NUM_INS };

/**
 * struct lit - A fragment being lit.
 * @f:		draw
 * @px:		fragment
 * @c0:		configuration registers
 * @c1:		"
 * @luts:	tables of the configuration
 * @all:	configuration 8, which has all inputs
 * @n:		normal
 * @t:		tangent
 * @view:	as interpolated
 * @v:		", normalised
 * @shadow:	r, g, b, a
 * @in:		inputs of tables, of the current light
 * @sum:	primary, secondary colour: r, g, b, a
 */
struct lit {
	const struct pica_frag *f;
	const struct pica_pixel *px;
	u32 c0;
	u32 c1;
	u32 luts;
	bool all;
	u32 n[3];
	u32 t[3];
	u32 view[3];
	u32 v[3];
	u32 shadow[4];
	u32 in[NUM_INS];
	u32 sum[2][4];
};

/* ---- vectors ---- */

static u32 dot(const u32 a[3], const u32 b[3])
{
	return pf_add(pf_add(pf_mul(a[0], b[0]), pf_mul(a[1], b[1])), pf_mul(a[2], b[2]));
}

static void scale(u32 v[3], u32 by, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		v[i] = pf_mul(v[i], by);
}

/* Vectors without a length stay. */
static void normalise(u32 v[3])
{
	u32 length = sf_sqrt(dot(v, v), false);

	if (length)
		scale(v, pf_div(PICA_ONE, length), 3);
}

static void cross(const u32 a[3], const u32 b[3], u32 out[3])
{
	u32 i, j, k;

	for (i = 0; i < 3; i++) {
		j = (i + 1) % 3;
		k = (i + 2) % 3;
		out[i] = pf_sub(pf_mul(a[j], b[k]), pf_mul(a[k], b[j]));
	}
}

/* Rotate by a unit quaternion: v + 2 q x (q x v + w v). */
static void rotate(const u32 q[4], u32 v[3])
{
	u32 a[3], b[3], i;

	cross(q, v, a);
	for (i = 0; i < 3; i++)
		a[i] = pf_add(a[i], pf_mul(q[3], v[i]));
	cross(q, a, b);
	for (i = 0; i < 3; i++)
		v[i] = pf_add(v[i], pf_mul(PICA_TWO, b[i]));
}

/* ---- surface ---- */

/* Vector of a texel: 2 c / 255 - 1. */
static void bump(const struct lit *s, const u8 c[4], u32 out[3])
{
	u32 i, rest;

	for (i = 0; i < 3; i++)
		out[i] = pf_div(pf_int(2 * c[i] - 255), 0x437f0000);
	if (s->c0 >> 30 & 1)
		return;
	rest = pf_sub(PICA_ONE, pf_add(pf_mul(out[0], out[0]), pf_mul(out[1], out[1])));
	out[2] = rest >> 31 ? 0 : sf_sqrt(rest, false);
}

static void pica_light_surface(struct lit *s, const struct pica_pixel *px)
{
	u32 mode = s->c0 >> 28 & 3, q[4], length, i;

	s->n[2] = PICA_ONE;
	s->t[0] = PICA_ONE;
	if (mode == 1)
		bump(s, px->src[PICA_SRC_TEX0 + (s->c0 >> 22 & 3)], s->n);
	else if (mode == 2)
		bump(s, px->src[PICA_SRC_TEX0 + (s->c0 >> 22 & 3)], s->t);
	memcpy(q, &px->v[PICA_V_QUAT], sizeof(q));
	length = sf_sqrt(pf_add(dot(q, q), pf_mul(q[3], q[3])), false);
	if (length)
		scale(q, pf_div(PICA_ONE, length), 4);
	rotate(q, s->n);
	rotate(q, s->t);
	memcpy(s->view, &px->v[PICA_V_VIEW], sizeof(s->view));
	memcpy(s->v, s->view, sizeof(s->v));
	normalise(s->v);
	for (i = 0; i < 4; i++) {
		u32 c = px->src[PICA_SRC_TEX0 + (s->c0 >> 24 & 3)][i];

		s->shadow[i] = pf_div(pf_int(s->c0 >> 18 & 1 ? 255 - c : c), 0x437f0000);
		if (!(s->c0 & 1))
			s->shadow[i] = PICA_ONE;
	}
}

/* ---- tables ---- */

/* Entry and the rest of the input times its difference, whose sign is apart. */
static u32 entry(const u32 lut[256], u32 i, u32 rest)
{
	u32 e = lut[i & 0xff];
	s32 d = e >> 12 & 0x7ff;

	if (e >> 23 & 1)
		d = -d;
	return pf_add(pf_div(pf_int((s32)(e & 0xfff)), 0x457ff000),
		      pf_mul(pf_div(pf_int(d), 0x44ffe000), rest));
}

/* Input from 0 to 1, or from -1 to 1. */
static u32 pica_light_look_up(const u32 lut[256], u32 x, bool absolute)
{
	u32 at = absolute ? pf_mul(pf_abs(x), 0x43800000) : pf_mul(x, 0x43000000);
	s64 i = pica_fix(at, 0);

	i = absolute ? clamp_t(s64, i, 0, 255) : clamp_t(s64, i, -128, 127);
	return entry(lut, (u32)i, pf_sub(at, pf_int((s32)i)));
}

/* Table @k of the registers of inputs, scales and signs; @table: where it is. */
static u32 from_lut(const struct lit *s, u32 k, u32 table)
{
	static const u32 scales[8] = {
		PICA_ONE, PICA_TWO, 0x40800000, 0x41000000, PICA_ONE, PICA_ONE, 0x3e800000,
		PICA_HALF
	};
	const u32 *r = s->f->r;
	u32 in = r[PICA_REG_LIGHT_LUT_SELECT] >> (4 * k) & 7;
	bool absolute = !(r[PICA_REG_LIGHT_LUT_ABS] >> (4 * k + 1) & 1);
	u32 v = pica_light_look_up(s->f->luts->light[table], in < NUM_INS ? s->in[in] : 0,
				   absolute);

	return pf_mul(v, scales[r[PICA_REG_LIGHT_LUT_SCALE] >> (4 * k) & 7]);
}

static u32 lut_or(const struct lit *s, u32 k, u32 other)
{
	return pica_lit_has(s->f, s->luts, s->c1, k) ? from_lut(s, k, k) : other;
}

/* ---- lights ---- */

static u32 light_colour(u32 word, u32 i)
{
	return pf_div(pf_int((s32)(word >> (20 - 10 * i) & 0x3ff)), 0x437f0000);
}

/* Light vector and half vector; inputs of tables. Return: of the geometric factor, H * H. */
static u32 pica_light_geometry(struct lit *s, const u32 *r, u32 l[3])
{
	u32 h[3], half[3], spot[3], along, hh, i;

	for (i = 0; i < 3; i++) {
		spot[i] = pf_div(pf_int(i < 2 ? pica_signed(r[6], 16 * i, 13) :
						pica_signed(r[7], 0, 13)), 0x44ffe000);
		if (!(r[9] & 1))
			l[i] = pf_add(l[i], s->view[i]);
	}
	normalise(l);
	for (i = 0; i < 3; i++)
		h[i] = pf_add(l[i], s->v[i]);
	hh = dot(h, h);
	memcpy(half, h, sizeof(half));
	normalise(half);
	s->in[IN_NH] = dot(s->n, half);
	s->in[IN_VH] = dot(s->v, half);
	s->in[IN_NV] = dot(s->n, s->v);
	s->in[IN_LN] = dot(l, s->n);
	s->in[IN_SP] = dot(l, spot);
	s->in[IN_CP] = 0;
	if (s->all) {
		along = s->in[IN_NH];
		for (i = 0; i < 3; i++)
			half[i] = pf_sub(half[i], pf_mul(s->n[i], along));
		s->in[IN_CP] = dot(half, s->t);
	}
	return hh;
}

/* Distance and spot attenuation of light @i. */
static u32 attenuation(const struct lit *s, const u32 *r, u32 i, u32 distance)
{
	u32 v = PICA_ONE, at;

	if (s->luts & PICA_LIT_DA && !(s->c1 >> (24 + i) & 1)) {
		at = pf_add(pica_f20_to_f32(r[10] & 0xfffff),
			    pf_mul(pica_f20_to_f32(r[11] & 0xfffff), distance));
		v = pica_light_look_up(s->f->luts->light[PICA_LUT_DA0 + i], pf_clamp01(at), true);
	}
	if (s->luts & 1U << PICA_LUT_SP && !(s->c1 >> (8 + i) & 1))
		v = pf_mul(v, from_lut(s, PICA_LUT_SP, PICA_LUT_SP0 + i));
	return v;
}

static void add_light(struct lit *s, u32 i)
{
	const u32 *r = &s->f->r[PICA_REG_LIGHT0 + 16 * i];
	bool shaded = s->c0 & 1 && !(s->c1 >> i & 1);
	u32 l[3] = { pica_f16_to_f32(r[4] & 0xffff), pica_f16_to_f32(r[4] >> 16),
		     pica_f16_to_f32(r[5] & 0xffff) };
	bool clamped = s->c0 >> 27 & 1;
	bool both = clamped && s->f->switches & PICA_SW_CLAMP_OF_BOTH;
	u32 away[3], d, hh, g, att, h, refl[3], d0, d1, v, w, k, terms[6];

	for (k = 0; k < 3; k++)
		away[k] = pf_add(l[k], s->view[k]);
	hh = pica_light_geometry(s, r, l);
	d = s->in[IN_LN];
	d = r[9] & 2 ? pf_abs(d) : pf_is_neg(d) ? 0 : d;
	g = hh << 1 ? pf_div(d, hh) : 0;
	if (!(s->f->switches & PICA_SW_FACTOR_UNBOUNDED))
		g = pf_clamp01(g);
	att = attenuation(s, r, i, sf_sqrt(dot(away, away), false));
	h = clamped && (both ? pf_is_neg(s->in[IN_LN]) : !(d << 1)) ? 0 : PICA_ONE;
	pica_note(s->px, PICA_STEP_LIGHT, i, s->in);
	d0 = lut_or(s, PICA_LUT_D0, PICA_ONE);
	d1 = lut_or(s, PICA_LUT_D1, PICA_ONE);
	refl[0] = lut_or(s, PICA_LUT_RR, PICA_ONE);
	refl[1] = lut_or(s, PICA_LUT_RG, refl[0]);
	refl[2] = lut_or(s, PICA_LUT_RB, refl[0]);
	terms[0] = d;
	terms[1] = d0;
	terms[2] = d1;
	terms[3] = refl[0];
	terms[4] = g;
	terms[5] = att;
	pica_note(s->px, PICA_STEP_TERMS, i, terms);
	for (k = 0; k < 3; k++) {
		v = pf_mul(light_colour(r[2], k), d);
		if (shaded && s->c0 >> 16 & 1)
			v = pf_mul(v, s->shadow[k]);
		v = pf_mul(pf_add(v, light_colour(r[3], k)), att);
		if (both)
			v = pf_mul(v, h);
		s->sum[0][k] = pf_add(s->sum[0][k], v);

		v = pf_mul(light_colour(r[0], k), d0);
		if (r[9] & 4)
			v = pf_mul(v, g);
		w = pf_mul(pf_mul(light_colour(r[1], k), refl[k]), d1);
		if (r[9] & 8)
			w = pf_mul(w, g);
		v = pf_mul(pf_mul(pf_add(v, w), h), att);
		if (shaded && s->c0 >> 17 & 1)
			v = pf_mul(v, s->shadow[k]);
		s->sum[1][k] = pf_add(s->sum[1][k], v);
	}
}

/* The Fresnel factor is that of the last light's input. */
static void set_alpha(struct lit *s)
{
	bool both = s->f->switches & PICA_SW_SHADOW_ALPHA_OF_BOTH, routed;
	u32 i;

	for (i = 0; i < 2; i++) {
		routed = s->c0 >> (2 + i) & 1;
		s->sum[i][3] = PICA_ONE;
		if (routed)
			s->sum[i][3] = lut_or(s, PICA_LUT_FR, PICA_ONE);
		if (s->c0 >> 19 & 1 && (routed || both))
			s->sum[i][3] = pf_mul(s->sum[i][3], s->shadow[3]);
	}
}

/**
 * pica_light - calculate the two colours of fragment lighting
 * @f: draw with lighting
 * @px: fragment, with its texels
 */
void pica_light(const struct pica_frag *f, struct pica_pixel *px)
{
	struct lit s = { .f = f, .px = px, .c0 = f->r[PICA_REG_LIGHT_CONFIG0],
			 .c1 = f->r[PICA_REG_LIGHT_CONFIG1] };
	u32 last = f->r[PICA_REG_NUM_LIGHTS] & 7, i, k, v[6] = {};

	s.all = (s.c0 >> 4 & 15) == 8;
	s.luts = pica_lit_tables(s.c0 >> 4);
	pica_light_surface(&s, px);
	memcpy(v, s.n, sizeof(s.n));
	memcpy(v + 3, s.v, sizeof(s.v));
	pica_note(px, PICA_STEP_NORMAL, 0, v);
	for (i = 0; i < 3; i++)
		s.sum[0][i] = light_colour(f->r[PICA_REG_AMBIENT], i);
	for (i = 0; i <= last; i++)
		add_light(&s, f->r[PICA_REG_LIGHT_ORDER] >> (4 * i) & 7);
	set_alpha(&s);
	for (i = 0; i < 2; i++) {
		for (k = 0; k < 4; k++)
			px->src[PICA_SRC_LIGHT0 + i][k] = pica_unorm8(s.sum[i][k], false);
		v[i] = pica_word(px->src[PICA_SRC_LIGHT0 + i]);
	}
	pica_note(px, PICA_STEP_LIT, 0, v);
}
