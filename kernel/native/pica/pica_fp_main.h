/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 pictures: fragments of a block side by side, for any width of vectors;
 * PICA_FP_ENTRY(name) names the entry points. The operations are those of pica_light.c and
 * pica_comb.c in the same order. Bits of NaNs do not matter: their lanes are left out.
 */
#include "../../isa/pica/pica_float.h"
#include "../../isa/pica/pica_launch.h"
#include "pica_fp.h"
#include "pica_lit.h"

typedef VS_VEC(u32, 4 * VS_W) vu;

static __always_inline vf at_f(const u32 *p)
{
	vf v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline vf number(float f)
{
	return f - (vf){};
}

static __always_inline float one_number(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* All ones in lanes that are numbers. */
static __always_inline vi is_finite(vf a)
{
	return ((vi)a & 0x7fffffff) < 0x7f800000;
}

/* NaN and below 0: 0. Above 1: 1. */
static __always_inline vf clamp01(vf a)
{
	vi bits = (vi)a;

	bits &= ~(bits >> 31) & (vi)(bits <= 0x7f800000);
	return (vf)i_sel(bits > 0x3f800000, splat_i(0x3f800000), bits);
}

static __always_inline vf larger(vf a, vf b)
{
	return f_sel(a > b, a, b);
}

static __always_inline vf lesser(vf a, vf b)
{
	return f_sel(a < b, a, b);
}

/* Largest integers not above. */
static __always_inline vi floors(vf a)
{
	vi i = f_to_i(a);

	return i + (vi)(i_to_f(i) > a);
}

static __always_inline void put_bytes(u8 *out, vi v)
{
	u32 i;

	for (i = 0; i < VS_W; i++)
		out[i] = (u8)v[i];
}

static __always_inline vf get_bytes(const u8 *p)
{
	vi v;
	u32 i;

	for (i = 0; i < VS_W; i++)
		v[i] = p[i];
	return i_to_f(v);
}

/* ---- before textures ---- */

/* Texel at level 0 with 8 fractional bits. */
static void place(const struct pica_texunit *t, const u32 v[PICA_V_WORDS][VS_LANES], s32 *at,
		  u32 axis, u64 *placed)
{
	vf size = number(one_number(t->fsize[0][axis])), c, limit = number(4194304);
	vi i;
	u32 l;

	for (l = 0; l < VS_LANES; l += VS_W) {
		c = at_f(v[t->coord + axis] + l) * size;
		*placed &= ~((v_movemask(~((vi)(c < limit) & (vi)(-limit < c))) &
			      ((1ULL << VS_W) - 1)) << l);
		c = f_sel((vi)(c < limit) & (vi)(-limit < c), c, number(0));
		i = floors(c * number(256));
		memcpy(at + l, &i, sizeof(i));
	}
}

void PICA_FP_ENTRY(prepare)(const struct pica_frag *f, const u32 v[PICA_V_WORDS][VS_LANES],
			    struct pica_lanes *b)
{
	u32 i, l;
	vf c;

	for (i = 0; i < 4; i++) {
		for (l = 0; l < VS_LANES; l += VS_W) {
			c = clamp01(at_f(v[PICA_V_COLOUR + i] + l)) * number(255);
			put_bytes(&b->src[PICA_SRC_PRIMARY][i][l],
				  (f_to_i(c * number(2)) + 1) >> 1);
		}
	}
	for (i = 0; i < PICA_NUM_UNITS; i++) {
		b->placed[i] = 0;
		if (!f->unit[i].on || f->unit[i].type != PICA_TEX_2D)
			continue;
		b->placed[i] = ~0ULL;
		place(&f->unit[i], v, b->at[i][0], 0, &b->placed[i]);
		place(&f->unit[i], v, b->at[i][1], 1, &b->placed[i]);
	}
}

/* ---- lighting ---- */

enum { IN_NH, IN_VH, IN_NV, IN_LN, IN_SP, IN_CP, NUM_INS };

/**
 * struct vlit - Fragments being lit, as struct lit.
 * @f:		draw
 * @c0:		configuration registers
 * @c1:		"
 * @luts:	tables of the configuration
 * @all:	configuration 8
 * @n:		normal
 * @t:		tangent
 * @view:	as interpolated
 * @v:		", normalised
 * @shadow:	r, g, b, a
 * @in:		inputs of tables
 * @sum:	primary, secondary colour
 * @ok:		lanes without infinities and NaNs so far
 */
struct vlit {
	const struct pica_frag *f;
	u32 c0;
	u32 c1;
	u32 luts;
	bool all;
	vf n[3];
	vf t[3];
	vf view[3];
	vf v[3];
	vf shadow[4];
	vf in[NUM_INS];
	vf sum[2][4];
	vi ok;
};

static __always_inline vf dot(const vf a[3], const vf b[3])
{
	return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static __always_inline void check(struct vlit *s, const vf *v, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		s->ok &= is_finite(v[i]);
}

/* Vectors of length 0 stay. */
static __always_inline void scale_to(vf *v, u32 n, vf length)
{
	vf by = number(1) / length;
	vi none = length == number(0);
	u32 i;

	by = f_sel(none, number(1), by);
	for (i = 0; i < n; i++)
		v[i] = v[i] * by;
}

static __always_inline void normalise(vf v[3])
{
	scale_to(v, 3, f_sqrt(dot(v, v)));
}

static __always_inline void cross(const vf a[3], const vf b[3], vf out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static __always_inline void rotate(const vf q[4], vf v[3])
{
	vf a[3], b[3];
	u32 i;

	cross(q, v, a);
	for (i = 0; i < 3; i++)
		a[i] = a[i] + q[3] * v[i];
	cross(q, a, b);
	for (i = 0; i < 3; i++)
		v[i] = v[i] + number(2) * b[i];
}

static void bump(const struct vlit *s, u8 (*c)[VS_LANES], u32 l, vf out[3])
{
	vf rest;
	u32 i;

	for (i = 0; i < 3; i++)
		out[i] = (get_bytes(c[i] + l) * number(2) - number(255)) / number(255);
	if (s->c0 >> 30 & 1)
		return;
	rest = number(1) - (out[0] * out[0] + out[1] * out[1]);
	out[2] = f_sqrt((vf)((vi)rest & ~((vi)rest >> 31)));
}

static void surface(struct vlit *s, const u32 v[PICA_V_WORDS][VS_LANES], struct pica_lanes *b,
		    u32 l)
{
	u32 mode = s->c0 >> 28 & 3, i;
	vf q[4], c;

	for (i = 0; i < 3; i++) {
		s->n[i] = number(i == 2);
		s->t[i] = number(i == 0);
		s->view[i] = at_f(v[PICA_V_VIEW + i] + l);
		s->v[i] = s->view[i];
	}
	if (mode == 1)
		bump(s, b->src[PICA_SRC_TEX0 + (s->c0 >> 22 & 3)], l, s->n);
	else if (mode == 2)
		bump(s, b->src[PICA_SRC_TEX0 + (s->c0 >> 22 & 3)], l, s->t);
	for (i = 0; i < 4; i++)
		q[i] = at_f(v[PICA_V_QUAT + i] + l);
	scale_to(q, 4, f_sqrt(dot(q, q) + q[3] * q[3]));
	rotate(q, s->n);
	rotate(q, s->t);
	normalise(s->v);
	check(s, q, 4);
	check(s, s->n, 3);
	check(s, s->t, 3);
	check(s, s->v, 3);
	for (i = 0; i < 4; i++) {
		c = get_bytes(b->src[PICA_SRC_TEX0 + (s->c0 >> 24 & 3)][i] + l);
		if (s->c0 >> 18 & 1)
			c = number(255) - c;
		s->shadow[i] = number(1);
		if (s->c0 & 1)
			s->shadow[i] = c / number(255);
	}
}

static __always_inline vf entry(const u32 lut[256], vi at, vf rest)
{
	vi e, d;
	u32 i;

	for (i = 0; i < VS_W; i++)
		e[i] = (s32)lut[at[i] & 0xff];
	d = e >> 12 & 0x7ff;
	d = i_sel(e << 8 < 0, -d, d);
	return i_to_f(e & 0xfff) / number(4095) + (i_to_f(d) / number(2047)) * rest;
}

static vf look_up(const u32 lut[256], vf x, bool absolute)
{
	vf at;
	vi i;

	if (absolute) {
		at = (vf)((vi)x & 0x7fffffff) * number(256);
		i = f_to_i(lesser(at, number(255)));
	} else {
		at = x * number(128);
		i = floors(larger(lesser(at, number(127)), number(-128)));
	}
	return entry(lut, i, at - i_to_f(i));
}

static vf from_lut(const struct vlit *s, u32 k, u32 table)
{
	static const float scales[8] = { 1, 2, 4, 8, 1, 1, 0.25f, 0.5f };
	const u32 *r = s->f->r;
	u32 in = r[PICA_REG_LIGHT_LUT_SELECT] >> (4 * k) & 7;
	bool absolute = !(r[PICA_REG_LIGHT_LUT_ABS] >> (4 * k + 1) & 1);

	return look_up(s->f->luts->light[table], in < NUM_INS ? s->in[in] : number(0), absolute) *
	       number(scales[r[PICA_REG_LIGHT_LUT_SCALE] >> (4 * k) & 7]);
}

static vf lut_or(const struct vlit *s, u32 k, vf other)
{
	return pica_lit_has(s->f, s->luts, s->c1, k) ? from_lut(s, k, k) : other;
}

static __always_inline vf light_colour(u32 word, u32 i)
{
	return number((float)(s32)(word >> (20 - 10 * i) & 0x3ff) / 255);
}

static vf geometry(struct vlit *s, const u32 *r, vf l[3])
{
	vf h[3], half[3], spot[3], hh, along;
	u32 i;

	for (i = 0; i < 3; i++) {
		spot[i] = number((float)(i < 2 ? pica_signed(r[6], 16 * i, 13) :
						 pica_signed(r[7], 0, 13)) / 2047);
		if (!(r[9] & 1))
			l[i] = l[i] + s->view[i];
	}
	normalise(l);
	for (i = 0; i < 3; i++) {
		h[i] = l[i] + s->v[i];
		half[i] = h[i];
	}
	hh = dot(h, h);
	normalise(half);
	s->in[IN_NH] = dot(s->n, half);
	s->in[IN_VH] = dot(s->v, half);
	s->in[IN_NV] = dot(s->n, s->v);
	s->in[IN_LN] = dot(l, s->n);
	s->in[IN_SP] = dot(l, spot);
	s->in[IN_CP] = number(0);
	if (s->all) {
		along = s->in[IN_NH];
		for (i = 0; i < 3; i++)
			half[i] = half[i] - s->n[i] * along;
		s->in[IN_CP] = dot(half, s->t);
	}
	check(s, l, 3);
	check(s, &hh, 1);
	check(s, s->in, NUM_INS);
	return hh;
}

static vf attenuation(struct vlit *s, const u32 *r, u32 i, vf distance)
{
	vf v = number(1), at;

	if (s->luts & PICA_LIT_DA && !(s->c1 >> (24 + i) & 1)) {
		at = number(one_number(pica_f20_to_f32(r[10] & 0xfffff))) +
		     number(one_number(pica_f20_to_f32(r[11] & 0xfffff))) * distance;
		check(s, &at, 1);
		v = look_up(s->f->luts->light[PICA_LUT_DA0 + i], clamp01(at), true);
	}
	if (s->luts & 1U << PICA_LUT_SP && !(s->c1 >> (8 + i) & 1))
		v = v * from_lut(s, PICA_LUT_SP, PICA_LUT_SP0 + i);
	return v;
}

/* Alone for the size of stack frames. */
static noinline void add_light(struct vlit *s, u32 i)
{
	const u32 *r = &s->f->r[PICA_REG_LIGHT0 + 16 * i];
	bool shaded = s->c0 & 1 && !(s->c1 >> i & 1);
	bool both = s->c0 >> 27 & 1 && s->f->switches & PICA_SW_CLAMP_OF_BOTH;
	vf l[3] = { number(one_number(pica_f16_to_f32(r[4] & 0xffff))),
		    number(one_number(pica_f16_to_f32(r[4] >> 16))),
		    number(one_number(pica_f16_to_f32(r[5] & 0xffff))) };
	vf away[3], d, hh, g, att, h, refl[3], d0, d1, v, w, zero = number(0);
	u32 k;

	for (k = 0; k < 3; k++)
		away[k] = l[k] + s->view[k];
	hh = geometry(s, r, l);
	d = s->in[IN_LN];
	if (r[9] & 2)
		d = (vf)((vi)d & 0x7fffffff);
	else
		d = f_sel(d < zero, zero, d);
	g = d / f_sel(hh == zero, number(1), hh);
	if (!(s->f->switches & PICA_SW_FACTOR_UNBOUNDED))
		g = clamp01(g);
	g = f_sel(hh == zero, zero, g);
	att = attenuation(s, r, i, f_sqrt(dot(away, away)));
	h = number(1);
	if (both)
		h = f_sel(s->in[IN_LN] < zero, zero, h);
	else if (s->c0 >> 27 & 1)
		h = f_sel(d == zero, zero, h);
	d0 = lut_or(s, PICA_LUT_D0, number(1));
	d1 = lut_or(s, PICA_LUT_D1, number(1));
	refl[0] = lut_or(s, PICA_LUT_RR, number(1));
	refl[1] = lut_or(s, PICA_LUT_RG, refl[0]);
	refl[2] = lut_or(s, PICA_LUT_RB, refl[0]);
	for (k = 0; k < 3; k++) {
		v = light_colour(r[2], k) * d;
		if (shaded && s->c0 >> 16 & 1)
			v = v * s->shadow[k];
		v = (v + light_colour(r[3], k)) * att;
		if (both)
			v = v * h;
		s->sum[0][k] = s->sum[0][k] + v;

		v = light_colour(r[0], k) * d0;
		if (r[9] & 4)
			v = v * g;
		w = (light_colour(r[1], k) * refl[k]) * d1;
		if (r[9] & 8)
			w = w * g;
		v = ((v + w) * h) * att;
		if (shaded && s->c0 >> 17 & 1)
			v = v * s->shadow[k];
		s->sum[1][k] = s->sum[1][k] + v;
	}
}

static void set_alpha(struct vlit *s)
{
	bool both = s->f->switches & PICA_SW_SHADOW_ALPHA_OF_BOTH, routed;
	u32 i;

	for (i = 0; i < 2; i++) {
		routed = s->c0 >> (2 + i) & 1;
		s->sum[i][3] = number(1);
		if (routed)
			s->sum[i][3] = lut_or(s, PICA_LUT_FR, number(1));
		if (s->c0 >> 19 & 1 && (routed || both))
			s->sum[i][3] = s->sum[i][3] * s->shadow[3];
	}
}

void PICA_FP_ENTRY(light)(const struct pica_frag *f, const u32 v[PICA_V_WORDS][VS_LANES],
			  struct pica_lanes *b)
{
	u32 c0 = f->r[PICA_REG_LIGHT_CONFIG0], last = f->r[PICA_REG_NUM_LIGHTS] & 7, i, k, l;
	struct vlit s = { .f = f, .c0 = c0, .c1 = f->r[PICA_REG_LIGHT_CONFIG1],
			  .luts = pica_lit_tables(c0 >> 4), .all = (c0 >> 4 & 15) == 8 };

	b->lit = 0;
	for (l = 0; l < VS_LANES; l += VS_W) {
		s.ok = splat_i(~0U);
		surface(&s, v, b, l);
		for (i = 0; i < 3; i++) {
			s.sum[0][i] = light_colour(f->r[PICA_REG_AMBIENT], i);
			s.sum[1][i] = number(0);
		}
		for (i = 0; i <= last; i++)
			add_light(&s, f->r[PICA_REG_LIGHT_ORDER] >> (4 * i) & 7);
		set_alpha(&s);
		for (i = 0; i < 2; i++) {
			check(&s, s.sum[i], 4);
			for (k = 0; k < 4; k++)
				put_bytes(&b->src[PICA_SRC_LIGHT0 + i][k][l],
					  f_to_i(clamp01(s.sum[i][k]) * number(255)));
		}
		b->lit |= (v_movemask(s.ok) & ((1ULL << VS_W) - 1)) << l;
	}
}

/* ---- combiners ---- */

/**
 * struct vcomb - A combiner at work.
 * @arg:	operands by component
 * @flip:	255: the operand is inverted
 */
struct vcomb {
	const u8 *arg[3][4];
	u8 flip[3][4];
};

#define EACH_LANE(expr)							\
	do {								\
		for (l = 0; l < VS_LANES; l++) {			\
			s32 x = a[l] ^ fa, y = b[l] ^ fb, z = c[l] ^ fc;	\
			s32 v_ = (expr);				\
									\
			(void)x;					\
			(void)y;					\
			(void)z;					\
			v_ = v_ < 0 ? 0 : v_ > 255 ? 255 : v_;		\
			v_ <<= shift;					\
			out[l] = (u8)(v_ > 255 ? 255 : v_);		\
		}							\
	} while (0)

/* v / 255 of up to 65535. */
#define BY_255(v)	((s32)((u32)(v) * 0x8081U >> 23))

static void apply(const struct vcomb *m, u32 op, u32 i, u32 shift, u8 *out)
{
	const u8 *a = m->arg[0][i], *b = m->arg[1][i], *c = m->arg[2][i];
	u8 fa = m->flip[0][i], fb = m->flip[1][i], fc = m->flip[2][i];
	s32 t;
	u32 l;

	switch (op) {
	case PICA_OP_REPLACE:
		EACH_LANE(x);
		break;
	case PICA_OP_MODULATE:
		EACH_LANE(BY_255(x * y));
		break;
	case PICA_OP_ADD:
		EACH_LANE(x + y);
		break;
	case PICA_OP_ADD_SIGNED:
		EACH_LANE(x + y - 128);
		break;
	case PICA_OP_LERP:
		EACH_LANE(BY_255(x * z + y * (255 - z)));
		break;
	case PICA_OP_SUBTRACT:
		EACH_LANE(x - y);
		break;
	case PICA_OP_MULTIPLY_ADD:
		/* beyond this limit it saturates */
		EACH_LANE((t = x * y + 255 * z, BY_255(t > 65279 ? 65279 : t)));
		break;
	case PICA_OP_ADD_MULTIPLY:
		EACH_LANE((t = x + y, BY_255((t > 255 ? 255 : t) * z)));
		break;
	default:
		memset(out, 0, VS_LANES);
		break;
	}
}

static void dot3(const struct vcomb *m, u32 shift, u8 *out)
{
	s32 sum, v, x, y;
	u32 l, i;

	for (l = 0; l < VS_LANES; l++) {
		sum = 0;
		for (i = 0; i < 3; i++) {
			x = m->arg[0][i][l] ^ m->flip[0][i];
			y = m->arg[1][i][l] ^ m->flip[1][i];
			v = (2 * x - 255) * (2 * y - 255) + 128;
			sum += v / 256;
		}
		sum = sum < 0 ? 0 : sum > 255 ? 255 : sum;
		sum <<= shift;
		out[l] = (u8)(sum > 255 ? 255 : sum);
	}
}

static bool is_dot3(u32 op)
{
	return op == PICA_OP_DOT3_RGB || op == PICA_OP_DOT3_RGBA;
}

static void run_stage(const struct vcomb *m, const u32 *r, u8 out[4][VS_LANES])
{
	u32 rgb = r[2] & 0xf, a = r[2] >> 16 & 0xf, i;
	u32 shift = (r[4] & 3) % 3, ashift = (r[4] >> 16 & 3) % 3;

	if (is_dot3(rgb)) {
		dot3(m, shift, out[0]);
		memcpy(out[1], out[0], VS_LANES);
		memcpy(out[2], out[0], VS_LANES);
	} else {
		for (i = 0; i < 3; i++)
			apply(m, rgb, i, shift, out[i]);
	}
	if (rgb == PICA_OP_DOT3_RGBA)
		memcpy(out[3], out[0], VS_LANES);
	else if (is_dot3(a))
		dot3(m, ashift, out[3]);
	else
		apply(m, a, 3, ashift, out[3]);
}

static void get_args(struct vcomb *m, const u32 *r, u32 stage, u8 (*src)[4][VS_LANES])
{
	u32 j, i, code;

	for (j = 0; j < 3; j++) {
		for (i = 0; i < 4; i++) {
			u32 at = i == 3 ? 16 : 0;

			code = i == 3 ? r[1] >> (12 + 4 * j) & 7 : r[1] >> (4 * j) & 0xf;
			m->arg[j][i] = src[pica_comb_source(stage, r[0] >> (at + 4 * j) & 0xf,
							    r[0] >> (at + 8) & 0xf)]
					  [i == 3 ? pica_comb_alpha(code) :
						    pica_comb_rgb(code, i)];
			m->flip[j][i] = code & 1 ? 255 : 0;
		}
	}
}

/* Passes the stage before it on. */
static bool does_nothing(const u32 *r)
{
	return (r[0] & 0x000f000f) == 0x000f000f && !(r[1] & 0x0000700f) &&
	       !(r[2] & 0x000f000f) && !((r[4] & 3) % 3) && !((r[4] >> 16 & 3) % 3);
}

static void fill(u8 p[4][VS_LANES], u32 word)
{
	u32 i;

	for (i = 0; i < 4; i++)
		memset(p[i], word >> (8 * i) & 0xff, VS_LANES);
}

void PICA_FP_ENTRY(combine)(const struct pica_frag *f, struct pica_lanes *b)
{
	u32 update = f->r[PICA_REG_COMB_UPDATE], n;
	u8 (*prev)[VS_LANES] = b->src[PICA_SRC_PREVIOUS];
	u8 (*buffer)[VS_LANES] = b->src[PICA_SRC_BUFFER];
	bool buffered = update & 0xff00;
	struct vcomb m;

	fill(buffer, f->r[PICA_REG_COMB_BUFFER]);
	if (buffered)
		memcpy(b->next, buffer, sizeof(b->next));
	for (n = 0; n < PICA_NUM_STAGES; n++) {
		const u32 *r = &f->r[pica_comb_base(n)];

		if (!n || !does_nothing(r)) {
			fill(b->src[PICA_SRC_CONSTANT], r[3]);
			get_args(&m, r, n, b->src);
			run_stage(&m, r, b->out);
			memcpy(prev, b->out, sizeof(b->out));
		}
		if (!buffered)
			continue;
		memcpy(buffer, b->next, sizeof(b->next));
		if (n < 4 && update >> (8 + n) & 1)
			memcpy(b->next, prev, 3 * VS_LANES);
		if (n < 4 && update >> (12 + n) & 1)
			memcpy(b->next[3], prev[3], VS_LANES);
	}
}
