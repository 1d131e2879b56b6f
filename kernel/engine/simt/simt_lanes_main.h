/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One build of simt_lanes.h. The including file defines the vector primitives and
 * LANES_ENTRY(name).
 */
#include "simt_lanes.h"
#include "simt_compare.h"

static __always_inline u64 nonzero(const u32 *v)
{
	u64 set = 0;
	u32 l;

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W)
		set |= m_bits(m_icmp(SIMT_NE, ld_i(v + l), splat_i(0))) << l;
	return set;
}

bool LANES_ENTRY(nonzero)(const u32 *v, u32 n, u32 gap, u64 mask, u64 *set)
{
	u32 k;

	*set = nonzero(v) & mask;
	for (k = 1; k < n; k++) {
		v += gap;
		if ((nonzero(v) & mask) != *set)
			return false;
	}
	return true;
}

bool LANES_ENTRY(compare)(const struct simt_compare *c, u64 *set)
{
	u32 a_step = c->a_step * VS_W, b_step = c->b_step * VS_W, k;
	const u32 *a = c->a, *b = c->b;

	*set = simt_compared(c->how, a, a_step, b, b_step) & c->mask;
	for (k = 1; k < c->n; k++) {
		a += c->a_gap;
		b += c->b_gap;
		if ((simt_compared(c->how, a, a_step, b, b_step) & c->mask) != *set)
			return false;
	}
	return true;
}

/* All ones in the lanes of @mask, from lane @l on. */
static __always_inline vi active(u64 mask, u32 l)
{
#if VS_W == 1
	return -(vi)(mask >> l & 1);
#elif VS_W == 16
	unsigned short k = mask >> l;
	vi r;

	__asm__("vpmovm2d %1, %0" : "=v"(r) : "k"(k));
	return r;
#else
	vi bits = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		bits[i] = 1 << i;
	return i_eq(splat_i(mask >> l) & bits, bits);
#endif
}

/* Byte offsets of a vector's lanes in a row: lane number times @bytes. */
static __always_inline vi row_offsets(u32 bytes)
{
#if VS_W == 1
	return 0;
#else
	vi r = {};
	u32 i;

	for (i = 0; i < VS_W; i++)
		r[i] = i;
	return r * splat_i(bytes);
#endif
}

/* Reverse the lanes of @v, or rotate them down by @by, a constant. */
#if VS_W == 16
#define V_BACK(v)	__builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, \
						7, 6, 5, 4, 3, 2, 1, 0)
#define V_DOWN(v, by)	v_permute(v, (((vi){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, \
					     15 }) + (by)) & 15)
#elif VS_W == 8
#define V_BACK(v)	__builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0)
#define V_DOWN(v, by)	v_permute(v, (((vi){ 0, 1, 2, 3, 4, 5, 6, 7 }) + (by)) & 7)
#elif VS_W == 4
#define V_BACK(v)	__builtin_shufflevector(v, v, 3, 2, 1, 0)
#define V_DOWN(v, by)	v_permute(v, (((vi){ 0, 1, 2, 3 }) + (by)) & 3)
#endif

/* OR of all lanes. */
static __always_inline u32 any_of(vi v)
{
#if VS_W == 1
	return v;
#else
#if VS_W == 16
	v |= V_DOWN(v, 8);
#endif
#if VS_W >= 8
	v |= V_DOWN(v, 4);
#endif
	v |= V_DOWN(v, 2);
	return (v | V_DOWN(v, 1))[0];
#endif
}

static __always_inline void scan(const u32 *lo, const bool same_lo, const u32 *hi,
				 const bool same_hi, u64 mask, const bool all, u32 bytes,
				 struct simt_scan *s)
{
	u32 first = all ? 0 : __ffs64(mask), l, differ;
	u32 lo0 = lo[same_lo ? 0 : first], hi0 = hi[same_hi ? 0 : first];
	vi far = splat_i(0), differs = splat_i(0), stray = splat_i(0);
	vi row = i_add(row_offsets(bytes), splat_i(lo0)), step = splat_i(VS_W * bytes);
	vi lo_base = splat_i(lo0), hi_base = splat_i(hi0);

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W) {
		vi v = lo_base, h;

		if (!same_lo)
			v = ld_i(lo + l);
		h = same_hi ? hi_base : ld_i(hi + l);
		if (!all) {
			vi on = active(mask, l);

			far |= (h ^ hi_base) & on;
			differs |= (v ^ lo_base) & on;
		} else {
			far |= h ^ hi_base;
			differs |= v ^ lo_base;
			stray |= v ^ row;
			row = i_add(row, step);
		}
	}
	differ = same_lo ? 0 : any_of(differs);
	s->base = lo0 | (u64)hi0 << 32;
	s->near = same_hi || !any_of(far);
	s->same = s->near && !differ;
	if (differ)
		differ = ~0U >> __builtin_clz(differ);
	s->min = (s64)(lo0 & ~differ) - lo0;
	s->max = (s64)(lo0 | differ) - lo0;
	/* @stray has been compared modulo 2^32 */
	s->row = all && s->near && !any_of(stray) && s->max >= (SIMT_LANES - 1) * (s64)bytes;
}

/* Specialise for uniform operands: few cases, and cheap ones. */
static __always_inline void scan_steps(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step,
				       u64 mask, const bool all, u32 bytes, struct simt_scan *s)
{
	if (lo_step && hi_step)
		scan(lo, false, hi, false, mask, all, bytes, s);
	else if (lo_step)
		scan(lo, false, hi, true, mask, all, bytes, s);
	else if (hi_step)
		scan(lo, true, hi, false, mask, all, bytes, s);
	else
		scan(lo, true, hi, true, mask, all, bytes, s);
}

/* Minimum and maximum of the low words. */
static void scan_exactly(const u32 *lo, u32 lo_step, u64 mask, struct simt_scan *s)
{
	u32 l, least = (u32)s->base, most = (u32)s->base;

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(mask >> l & 1))
			continue;
		least = min(least, lo[l * lo_step]);
		most = max(most, lo[l * lo_step]);
	}
	s->min = (s64)least - (u32)s->base;
	s->max = (s64)most - (u32)s->base;
}

void LANES_ENTRY(scan)(const u32 *lo, u32 lo_step, const u32 *hi, u32 hi_step, u64 mask,
		       u32 bytes, bool exact, struct simt_scan *s)
{
	if (mask == ~0ULL)
		scan_steps(lo, lo_step, hi, hi_step, mask, true, bytes, s);
	else
		scan_steps(lo, lo_step, hi, hi_step, mask, false, bytes, s);
	if (exact)
		scan_exactly(lo, lo_step, mask, s);
}

void LANES_ENTRY(load_words)(u32 *d, const u8 *p, u32 n)
{
	u32 l, i;

	if (n == 4) {
		for (l = 0; l < SIMT_LANES; l += VS_W) {
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
		for (l = 0; l < SIMT_LANES; l += VS_W) {
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

#define ROW(k)	(p + (k) * stride)

void LANES_ENTRY(load_rows)(u32 *d, const u8 *p, u64 stride, u32 n)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l += VS_W, p += VS_W * stride) {
		vf t[4];

		V_LOAD_ROWS(t, ROW);
		st_f(d + l, t[0]);
		if (n > 1)
			st_f(d + SIMT_LANES + l, t[1]);
		if (n > 2)
			st_f(d + 2 * SIMT_LANES + l, t[2]);
		if (n > 3)
			st_f(d + 3 * SIMT_LANES + l, t[3]);
	}
}

void LANES_ENTRY(store_rows)(u8 *p, u64 stride, const u32 *s)
{
	u32 l, i;

	for (l = 0; l < SIMT_LANES; l += VS_W, p += VS_W * stride) {
		vf t[4];

		VS_UNROLL(4)
		for (i = 0; i < 4; i++)
			t[i] = ld_f(s + SIMT_LANES * i + l);
		V_STORE_ROWS(t, ROW);
	}
}

#undef ROW

#if VS_W == 1

void LANES_ENTRY(load_near)(u32 *d, u8 *p, u64 span, const u32 *off, u32 from)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l++)
		memcpy(d + l, p + (off[l] - from), 4);
}

#else

/* Lanes checked together: workgroup rows are often eight threads long. */
#define PART		(VS_W == 4 ? 4 : 8)

typedef VS_VEC(s32, 4 * PART) part_vec;
typedef s32 part_vec_u __attribute__((vector_size(4 * PART), may_alias)) __aligned(1);

static __always_inline bool part_zero(part_vec v)
{
#if VS_W == 4
	return v_movemask(i_eq(v, splat_i(0))) == 15;
#else
	bool zero;

	__asm__("vptest %1, %1" : "=@ccz"(zero) : "x"(v));
	return zero;
#endif
}

/* Offsets of a part are compared modulo 2^32; the check against @span excludes wrap-around. */
void LANES_ENTRY(load_near)(u32 *d, u8 *p, u64 span, const u32 *off, u32 from)
{
	part_vec row = {};
	u32 i, l;

	for (i = 0; i < PART; i++)
		row[i] = 4 * i;
	for (l = 0; l < SIMT_LANES; l += PART) {
		part_vec diff = *(const part_vec *)(off + l) - ((s32)off[l] - (part_vec){});
		const u8 *at = NULL;

		if (part_zero(diff)) {
			s32 v;

			memcpy(&v, p + (off[l] - from), 4);
			*(part_vec *)(d + l) = v - (part_vec){};
			continue;
		}
		if (part_zero(diff ^ row))
			at = vs_bounded_ptr(p, span, off[l] - from, sizeof(row));
		if (at) {
			*(part_vec *)(d + l) = *(const part_vec_u *)at;
		} else {
			for (i = l; i < l + PART; i++)
				memcpy(d + i, p + (off[i] - from), 4);
		}
	}
}

#endif

void LANES_ENTRY(plus)(u32 *d, u32 gap, const u32 *s, const u32 *c, u32 n)
{
	u32 l, k;

	for (k = 0; k < n; k++, d += gap) {
		vi add = splat_i(c[k]);

		VS_UNROLL(4)
		for (l = 0; l < SIMT_LANES; l += VS_W)
			st_i(d + l, i_add(ld_i(s + l), add));
	}
}

/*
 * Words below 2^(31 - shift), or at least -2^(31 - shift) if signed, lose no bits when
 * shifted, and a sum that is not negative has not overflowed.
 */
bool LANES_ENTRY(offsets)(u32 *d, const u32 *s, u64 mask, const struct simt_wide *w)
{
	u32 room = 1U << (30 - w->shift), l;
	vi bias = splat_i(w->sign ? room : 0), most = splat_i(2 * room - 1), add = splat_i(w->add);
	vi bad = splat_i(0);

	VS_UNROLL(4)
	for (l = 0; l < SIMT_LANES; l += VS_W) {
		vi v = ld_i(s + l), r = i_add(i_shl(v, w->shift), add), large;

		large = m_and(m_ucmp(SIMT_GT, i_add(v, bias), most), splat_i(~0U));
		bad |= (large | r) & active(mask, l);
		st_i(d + l, r);
	}
	return !(any_of(bad) >> 31);
}

/* Words at any alignment: results of the texture unit, or on the stack. */
static __always_inline vi any_load(const u32 *p)
{
	vi v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static __always_inline void any_store(u32 *p, vi v)
{
	memcpy(p, &v, sizeof(v));
}

static __always_inline void put_lanes(u32 *d, u32 l, u64 mask, vi v)
{
	any_store(d + l, i_sel(active(mask, l), v, any_load(d + l)));
}

void LANES_ENTRY(put)(u32 *d, const u32 *s, u64 mask)
{
	u32 l;

	for (l = 0; l < SIMT_LANES; l += VS_W)
		put_lanes(d, l, mask, any_load(s + l));
}

static __always_inline vi any_half(const u32 *p)
{
	return h_narrow(f_canon(as_f(any_load(p))));
}

void LANES_ENTRY(to_halves)(u32 *d, const u32 *lo, const u32 *hi, u64 mask)
{
	u32 l;
	vi v;

	for (l = 0; l < SIMT_LANES; l += VS_W) {
		v = any_half(lo + l);
		if (hi)
			v |= i_shl(any_half(hi + l), 16);
		put_lanes(d, l, mask, v);
	}
}

void LANES_ENTRY(from_halves)(u32 *lo, u32 *hi, const u32 *s)
{
	u32 l;
	vi v;

	for (l = 0; l < SIMT_LANES; l += VS_W) {
		v = any_load(s + l);
		any_store(lo + l, as_i(f_canon(h_widen(v & splat_i(0xffff)))));
		any_store(hi + l, as_i(f_canon(h_widen(i_shr(v, 16)))));
	}
}

#include "simt_words_main.h"
