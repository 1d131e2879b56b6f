// SPDX-License-Identifier: GPL-2.0
/* Fragment lighting. */
#include <math.h>
#include <string.h>

#include "pica_draw_ref.h"

static double dot(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit_length(double *v)
{
	double l = sqrt(dot(v, v));
	int i;

	for (i = 0; i < 3 && l > 0; i++)
		v[i] /= l;
}

/* The matrix of a quaternion times a vector. */
static void turn(const double q[4], const double v[3], double out[3])
{
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double m[3][3] = {
		{ 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
		{ 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
		{ 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) },
	};
	int i;

	for (i = 0; i < 3; i++)
		out[i] = dot(m[i], v);
}

static double table(const uint32_t *lut, double x, bool absolute)
{
	double at = absolute ? 256 * fabs(x) : 128 * x;
	int i = (int)floor(at), d;

	if (absolute)
		i = i > 255 ? 255 : i;
	else
		i = i > 127 ? 127 : i < -128 ? -128 : i;
	d = lut[i & 255] >> 12 & 0x7ff;
	return (lut[i & 255] & 0xfff) / 4095.0 +
	       (lut[i & 255] >> 23 & 1 ? -d : d) / 2047.0 * (at - i);
}

static void light_vec(int mode, const int texel[4], bool keep_z, double v[3])
{
	int i;

	for (i = 0; i < 3; i++)
		v[i] = texel[i] / 255.0 * 2 - 1;
	if (!keep_z)
		v[2] = sqrt(fmax(0, 1 - v[0] * v[0] - v[1] * v[1]));
}

static double component(uint32_t word, int i)
{
	return (word >> (20 - 10 * i) & 1023) / 255.0;
}

struct inputs {
	double in[8];
};

static double scaled(const struct pica_draw_ref *s, int k, int t, const double *in)
{
	static const double by[8] = { 1, 2, 4, 8, 1, 1, 0.25, 0.5 };

	return table(s->light[t], in[s->r[0x1d1] >> (4 * k) & 7],
		     !(s->r[0x1d0] >> (4 * k + 1) & 1)) *
	       by[s->r[0x1d2] >> (4 * k) & 7];
}

/* Is a table turned off by itself? */
static bool is_off(const struct pica_draw_ref *s, int k)
{
	int bit = s->reflections_swapped && k >= 4 ? 10 - k : k;

	return s->r[0x1c4] >> (16 + bit) & 1;
}

/* Which of D0, D1, SP, FR, RB, RG, RR, DA a configuration has. */
static bool has(int config, const char *name)
{
	static const char *const all[9] = {
		"D0 RR SP DA", "FR RR SP DA", "D0 D1 RR DA", "D0 D1 FR DA", "D0 D1 RR RG RB SP DA",
		"D0 FR RR RG RB SP DA", "D0 D1 FR RR SP DA", "", "D0 D1 FR RR RG RB SP DA",
	};

	return config < 9 && strstr(all[config], name);
}

void pica_draw_ref_light(struct pica_draw_ref *s, struct pica_draw_ref_frag *f)
{
	static const char *const names[7] = { "D0", "D1", "SP", "FR", "RB", "RG", "RR" };
	uint32_t c0 = s->r[0x1c3], c1 = s->r[0x1c4];
	int config = c0 >> 4 & 15, slot, i, k;
	double q[4], sum[2][4] = { { 0 } }, len, lut[7], shade[4], view[3], v[3], in[8] = { 0 };
	double n[3] = { 0, 0, 1 }, t[3] = { 1, 0, 0 }, normal[3], tangent[3];

	if ((c0 >> 28 & 3) == 1)
		light_vec(1, f->src[3 + (c0 >> 22 & 3)], c0 >> 30 & 1, n);
	if ((c0 >> 28 & 3) == 2)
		light_vec(2, f->src[3 + (c0 >> 22 & 3)], c0 >> 30 & 1, t);
	memcpy(q, f->a + 4, sizeof(q));
	len = sqrt(dot(q, q) + q[3] * q[3]);
	for (i = 0; i < 4; i++)
		q[i] /= len;
	turn(q, n, normal);
	turn(q, t, tangent);
	memcpy(view, f->a + 18, sizeof(view));
	memcpy(v, view, sizeof(v));
	unit_length(v);
	for (i = 0; i < 4; i++) {
		shade[i] = f->src[3 + (c0 >> 24 & 3)][i] / 255.0;
		if (c0 >> 18 & 1)
			shade[i] = 1 - shade[i];
	}
	for (slot = 0; slot <= (int)(s->r[0x1c2] & 7); slot++) {
		int no = s->r[0x1d9] >> (4 * slot) & 7;
		const uint32_t *r = &s->r[0x140 + 16 * no];
		bool shadow = c0 & 1 && !(c1 >> no & 1);
		double l[3] = { pica_draw_ref_float(r[4] & 0xffff, 5, 10),
				pica_draw_ref_float(r[4] >> 16, 5, 10),
				pica_draw_ref_float(r[5] & 0xffff, 5, 10) };
		double spot[3], h[3], hn[3], away[3], d, g, att = 1, cp[3];

		for (k = 0; k < 3; k++) {
			int raw = k == 0 ? r[6] : k == 1 ? r[6] >> 16 : r[7];

			spot[k] = ((int)((unsigned int)raw << 19) >> 19) / 2047.0;
			away[k] = l[k] + view[k];
			if (!(r[9] & 1))
				l[k] = away[k];
		}
		unit_length(l);
		for (k = 0; k < 3; k++) {
			hn[k] = l[k] + v[k];
			h[k] = hn[k];
		}
		unit_length(hn);
		in[0] = dot(normal, hn);
		in[1] = dot(v, hn);
		in[2] = dot(normal, v);
		in[3] = dot(normal, l);
		in[4] = dot(l, spot);
		for (k = 0; k < 3; k++)
			cp[k] = hn[k] - normal[k] * in[0];
		in[5] = config == 8 ? dot(cp, tangent) : 0;
		d = r[9] & 2 ? fabs(in[3]) : fmax(in[3], 0);
		g = dot(h, h) > 0 ? d / dot(h, h) : 0;
		if (!s->factor_unbounded)
			g = fmin(g, 1);
		for (k = 0; k < 7; k++)
			lut[k] = has(config, names[k]) && !is_off(s, k) && k != 2 ?
				 scaled(s, k, k, in) : 1;
		for (k = 4; k < 6; k++) {
			if (!has(config, names[k]) || is_off(s, k))
				lut[k] = lut[6];
		}
		if (has(config, "SP") && !(c1 >> (8 + no) & 1))
			att *= scaled(s, 2, 8 + no, in);
		if (has(config, "DA") && !(c1 >> (24 + no) & 1)) {
			double x = pica_draw_ref_float(r[10] & 0xfffff, 7, 12) +
				   pica_draw_ref_float(r[11] & 0xfffff, 7, 12) *
				   sqrt(dot(away, away));

			att *= table(s->light[16 + no], fmin(fmax(x, 0), 1), true);
		}
		for (k = 0; k < 3; k++) {
			double spec = component(r[0], k) * lut[0] * (r[9] & 4 ? g : 1) +
				      component(r[1], k) * lut[6 - k] * lut[1] * (r[9] & 8 ? g : 1);

			bool clamped = c0 >> 27 & 1 && (s->clamp_of_both ? in[3] < 0 : d <= 0);

			if (!clamped || !s->clamp_of_both)
				sum[0][k] += (component(r[2], k) * d *
					      (shadow && c0 >> 16 & 1 ? shade[k] : 1) +
					      component(r[3], k)) * att;
			if (!clamped)
				sum[1][k] += spec * att * (shadow && c0 >> 17 & 1 ? shade[k] : 1);
		}
	}
	for (i = 0; i < 2; i++) {
		sum[i][3] = 1;
		if (c0 >> (2 + i) & 1)
			sum[i][3] = lut[3];
		if (c0 & 1 && c0 >> 19 & 1 && (c0 >> (2 + i) & 1 || s->shadow_alpha_of_both))
			sum[i][3] *= shade[3];
		for (k = 0; k < 4; k++) {
			double x = sum[i][k] + (i == 0 && k < 3 ? component(s->r[0x1c0], k) : 0);

			f->src[1 + i][k] = (int)(255 * fmin(fmax(x, 0), 1));
		}
	}
}
