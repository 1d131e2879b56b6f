/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Arithmetic of fragments on the binary64 primitives of mali_dp.h; FP_ENTRY(name) names the
 * entry points.
 */

#define QUIET_NAN	0x7fc00000U
#define CHUNK		8	/* lanes whose weights are kept at a time */

static inline u32 result(fd a)
{
	return d_is_nan(a) ? QUIET_NAN : f_from_d(a);
}

/**
 * struct weights - Weights of the corners in some lanes
 * @n:		of each corner
 * @all:	their sum
 */
struct weights {
	fd n[3][CHUNK];
	fd all[CHUNK];
};

/* All lanes from @at on, also those without a pixel. */
static __always_inline void weigh(const struct mali_fp_prim *p, u32 at, struct weights *w)
{
	fd zero = d_from_s64(0), by;
	u32 i, l;

	for (i = 0; i < 3; i++) {
		by = d_from_f(p->inv_w[i]);
		for (l = 0; l < CHUNK; l++)
			w->n[i][l] = dp_mul(d_from_s64(p->e[i][at + l]), by);
	}
	for (l = 0; l < CHUNK; l++)
		w->all[l] = dp_add(dp_add(dp_add(zero, w->n[0][l]), w->n[1][l]), w->n[2][l]);
}

static __always_inline void weighted(const struct weights *w, const u32 v[3], u32 out[CHUNK])
{
	fd zero = d_from_s64(0), value[3], mean[CHUNK], sum;
	u32 i, l;

	for (i = 0; i < 3; i++)
		value[i] = d_from_f(v[i]);
	for (l = 0; l < CHUNK; l++) {
		sum = dp_add(zero, dp_mul(w->n[0][l], value[0]));
		sum = dp_add(sum, dp_mul(w->n[1][l], value[1]));
		sum = dp_add(sum, dp_mul(w->n[2][l], value[2]));
		mean[l] = dp_div(sum, w->all[l]);
	}
	for (l = 0; l < CHUNK; l++)
		out[l] = f_from_d(mean[l]);
	/* not a condition on binary64, which would end the vectors */
	for (l = 0; l < CHUNK; l++)
		out[l] = out[l] << 1 > 0xff000000 ? QUIET_NAN : out[l];
}

static __always_inline void put_lanes(u32 lanes, const u32 value[CHUNK], u32 *out)
{
	u32 l;

	if (lanes == (1U << CHUNK) - 1) {
		memcpy(out, value, CHUNK * sizeof(*out));
		return;
	}
	for (l = 0; l < CHUNK; l++)
		if (lanes >> l & 1)
			out[l] = value[l];
}

void FP_ENTRY(perspective)(const struct mali_fp_prim *p, u64 mask, const u32 v[][3], u32 n,
			   u32 *out)
{
	u32 at, k, lanes, value[CHUNK];
	struct weights w;

	for (at = 0; at < SIMT_LANES && n; at += CHUNK) {
		lanes = mask >> at & ((1U << CHUNK) - 1);
		if (!lanes)
			continue;
		weigh(p, at, &w);
		for (k = 0; k < n; k++) {
			weighted(&w, v[k], value);
			put_lanes(lanes, value, out + k * SIMT_LANES + at);
		}
	}
}

void FP_ENTRY(linear)(const struct mali_fp_prim *p, u64 mask, const u32 v[3], u32 *out)
{
	fd value[3], sum, all;
	u64 left;
	u32 l, i;

	for (i = 0; i < 3; i++)
		value[i] = d_from_f(v[i]);
	for (left = mask; left; left &= left - 1) {
		l = __ffs64(left);
		sum = d_from_s64(0);
		for (i = 0; i < 3; i++)
			sum = dp_add(sum, dp_mul(d_from_s64(p->e[i][l]), value[i]));
		all = d_from_s64(p->e[0][l] + p->e[1][l] + p->e[2][l]);
		out[l] = result(dp_div(sum, all));
	}
}

u32 FP_ENTRY(ratio)(s32 a, s32 b)
{
	return result(dp_div(d_from_s64(a), d_from_s64(b)));
}

/* ---- blending ---- */

static fd operand_c(u32 function, const fd *src, const fd *dst, fd constant, u32 i)
{
	switch (function >> 8 & 7) {
	case MALI_BLEND_C_SRC:
		return src[i];
	case MALI_BLEND_C_DEST:
		return dst[i];
	case MALI_BLEND_C_SRC_X_2:
		return dp_add(src[i], src[i]);
	case MALI_BLEND_C_SRC_ALPHA:
		return src[3];
	case MALI_BLEND_C_DEST_ALPHA:
		return dst[3];
	case MALI_BLEND_C_CONSTANT:
		return constant;
	default:
		return d_from_s64(0);
	}
}

/* One channel of the blend function: A + B * C with signs, or with 1 - C. */
static fd blend_one(u32 function, const fd *src, const fd *dst, fd constant, u32 i)
{
	fd zero = d_from_s64(0), a = zero, b, c;

	if ((function & 3) == MALI_BLEND_A_SRC)
		a = src[i];
	else if ((function & 3) == MALI_BLEND_A_DEST)
		a = dst[i];
	switch (function >> 4 & 3) {
	case MALI_BLEND_B_SRC_MINUS_DEST:
		b = dp_sub(src[i], dst[i]);
		break;
	case MALI_BLEND_B_SRC_PLUS_DEST:
		b = dp_add(src[i], dst[i]);
		break;
	case MALI_BLEND_B_SRC:
		b = src[i];
		break;
	default:
		b = dst[i];
		break;
	}
	c = operand_c(function, src, dst, constant, i);
	if (function >> 11 & 1)
		c = dp_sub(d_from_s64(1), c);
	if (function >> 3 & 1)
		a = dp_sub(zero, a);
	if (function >> 7 & 1)
		b = dp_sub(zero, b);
	return dp_add(a, dp_mul(b, c));
}

void FP_ENTRY(blend)(struct mali_fp_blend *b)
{
	fd src[4], dst[4], constant = d_from_f(b->constant);
	u32 i;

	for (i = 0; i < 4; i++) {
		src[i] = d_from_f(b->src[i]);
		dst[i] = d_from_f(b->dst[i]);
	}
	for (i = 0; i < 4; i++)
		b->dst[i] = result(blend_one(i < 3 ? b->equation : b->equation >> 12, src, dst,
					     constant, i));
}
