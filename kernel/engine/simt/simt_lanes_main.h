/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A build of simt_lanes.h. The including file has defined the vector primitives and
 * LANES_ENTRY(name).
 */
#include "simt_lanes.h"

#define EACH_LANE(l)	for (l = 0; l < SIMT_LANES; l += VS_W)

/* The vector primitives of one lane keep comparisons as 0 and -1, too. */
u64 LANES_ENTRY(nonzero)(const u32 *v)
{
	u64 zero = 0;
	u32 l;

	EACH_LANE(l)
		zero |= v_movemask(i_eq(ld_i(v + l), splat_i(0))) << l;
	return ~zero;
}

static __always_inline vi operand(const u32 *p, u32 step, u32 l)
{
	return step ? ld_i(p + l) : splat_i(*p);
}

static __always_inline vi v_min(vi a, vi b)
{
	return i_sel(i_gt(a, b), b, a);
}

static __always_inline vi v_max(vi a, vi b)
{
	return i_sel(i_gt(a, b), a, b);
}

/* Modulo 2^32; one lane is no vector, whose overflow would be defined. */
static __always_inline vi v_sub(vi a, vi b)
{
#if VS_W == 1
	return (vi)((u32)a - (u32)b);
#else
	return a - b;
#endif
}

/* All ones in the active lanes. */
static __always_inline vi active(const u32 *lanemask, u32 l)
{
	return ld_i(lanemask + l);
}

static __always_inline void scan(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
				 const u32 *lanemask, u32 first, u32 bytes,
				 struct simt_scan *s)
{
	u32 lo0 = lo[first * lo_step], hi0 = hi[first * hi_step], tmp[2][16] __aligned(64), i, l;
	vi far = splat_i(0), differ = splat_i(0), stray = splat_i(0), least = splat_i(0);
	vi most = splat_i(0), row, step = splat_i(VS_W * bytes);

	for (i = 0; i < VS_W; i++)
		tmp[0][i] = (i - first) * bytes;
	row = ld_i(tmp[0]);
	EACH_LANE(l) {
		vi on = active(lanemask, l);
		vi d = v_sub(operand(lo, lo_step, l), splat_i(lo0)) & on;

		/* sums of 32 bits that leave 4 GiB show as distance */
		far |= (operand(hi, hi_step, l) ^ splat_i(hi0)) & on;
		differ |= d;
		stray |= (d ^ row) & on;
		least = v_min(least, d);
		most = v_max(most, d);
		row += step;
	}
	st_i(tmp[0], least);
	st_i(tmp[1], most);
	s->base = lo0 | (u64)hi0 << 32;
	s->near = !v_movemask(~i_eq(far, splat_i(0)));
	s->same = s->near && !v_movemask(~i_eq(differ, splat_i(0)));
	s->row = s->near && !v_movemask(~i_eq(stray, splat_i(0)));
	s->min = 0;
	s->max = 0;
	for (i = 0; i < VS_W; i++) {
		s->min = min_t(s32, s->min, tmp[0][i]);
		s->max = max_t(s32, s->max, tmp[1][i]);
	}
}

void LANES_ENTRY(scan)(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step, u64 mask,
		       u32 bytes, struct simt_scan *s)
{
	u32 lanemask[SIMT_LANES] __aligned(64), l, first = __ffs64(mask);

	for (l = 0; l < SIMT_LANES; l++)
		lanemask[l] = -(u32)(mask >> l & 1);
	scan(lo, lo_step, hi, hi_step, lanemask, first, bytes, s);
	/* distances were taken modulo 2^32: the high words are equal, so it must not wrap */
	if ((s64)(u32)s->base + s->min < 0 || (s64)(u32)s->base + s->max > 0xffffffffLL) {
		s->near = false;
		s->row = false;
	}
}

void LANES_ENTRY(load_words)(u32 *d, const u8 *p, u32 n)
{
	u32 l, i;

	if (n == 4) {
		EACH_LANE(l) {
			vf t[4];

#define VS_LIN(k)	(p + (l + (k)) * 16)
			V_LOAD_ROWS(t, VS_LIN);
#undef VS_LIN
			for (i = 0; i < 4; i++)
				st_f(d + SIMT_LANES * i + l, t[i]);
		}
		return;
	}
	for (i = 0; i < n; i++) {
		for (l = 0; l < SIMT_LANES; l++)
			memcpy(d + SIMT_LANES * i + l, p + 4 * (n * l + i), 4);
	}
}

void LANES_ENTRY(store_words)(u8 *p, const u32 *s, u32 n)
{
	u32 l, i;

	if (n == 4) {
		EACH_LANE(l) {
			vf t[4];

			for (i = 0; i < 4; i++)
				t[i] = ld_f(s + SIMT_LANES * i + l);
#define VS_LIN(k)	(p + (l + (k)) * 16)
			V_STORE_ROWS(t, VS_LIN);
#undef VS_LIN
		}
		return;
	}
	for (i = 0; i < n; i++) {
		for (l = 0; l < SIMT_LANES; l++)
			memcpy(p + 4 * (n * l + i), s + SIMT_LANES * i + l, 4);
	}
}
