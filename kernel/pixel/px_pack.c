// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion between elements in memory and components.
 */
#include "px_pack.h"

#define F32_ONE		0x3f800000
#define F32_INF		0x7f800000

/* Bits of an element, first byte in memory lowest. */
struct element {
	u64 w[2];
};

/* 1 / (2^n - 1), to nearest, for n up to 16. */
static const u32 reciprocal[17] = {
	0x00000000, 0x3f800000, 0x3eaaaaab, 0x3e124925, 0x3d888889, 0x3d042108,
	0x3c820821, 0x3c010204, 0x3b808081, 0x3b004020, 0x3a802008, 0x3a001002,
	0x39800801, 0x39000400, 0x38800200, 0x38000100, 0x37800080,
};

static u32 low_bits(u32 n)
{
	return n >= 32 ? ~0U : (1U << n) - 1;
}

static u32 pack_get_bits(const struct element *e, u32 at, u32 n)
{
	u64 v = at < 64 ? e->w[0] >> at : e->w[1] >> (at & 63);

	if (at < 64 && at + n > 64)
		v |= e->w[1] << (64 - at);
	return (u32)v & low_bits(n);
}

static void pack_put_bits(struct element *e, u32 at, u32 n, u32 v)
{
	u64 mask = low_bits(n), bits = v & mask;

	if (at >= 64) {
		e->w[1] = (e->w[1] & ~(mask << (at & 63))) | bits << (at & 63);
		return;
	}
	e->w[0] = (e->w[0] & ~(mask << at)) | bits << at;
	if (at + n > 64)
		e->w[1] = (e->w[1] & ~(mask >> (64 - at))) | bits >> (64 - at);
}

static u32 pack_sign_extend(u32 v, u32 bits)
{
	return (u32)((s32)(v << (32 - bits)) >> (32 - bits));
}

/* Integer times binary32, both positive, to nearest even; no over- or underflow here. */
static u32 pack_scale(u32 v, u32 by)
{
	u64 p = (u64)v * ((by & 0x7fffff) | 0x800000), rest, half;
	u32 e = by >> 23, lead;

	if (!v)
		return 0;
	lead = 63 - __builtin_clzll(p);
	/* The product has at least the 24 bits of @by. */
	if (lead > 23) {
		half = 1ULL << (lead - 24);
		rest = p & (2 * half - 1);
		p >>= lead - 23;
		p += rest > half || (rest == half && p & 1);
	}
	return ((e + lead - 24) << 23) + (u32)p;
}

/*
 * v / (2^n - 1). Up to 16 bits, multiply by the reciprocal; above, its error would exceed one
 * ulp, so round the quotient: its binary digits are those of v, repeated.
 */
static u32 from_norm(u32 v, u32 n)
{
	u64 digits;
	u32 lead;

	if (n <= 16)
		return pack_scale(v, reciprocal[n]);
	if (!v)
		return 0;
	if (v == low_bits(n))
		return F32_ONE;
	digits = (u64)v << (64 - n) | (u64)v << (64 - 2 * n);
	if (3 * n > 64)
		digits |= (u64)v >> (3 * n - 64);
	lead = __builtin_clzll(digits);
	digits <<= lead;
	/* The digits never end: no ties. */
	return ((125 - lead) << 23) + (u32)(digits >> 40) + (digits >> 39 & 1);
}

static u32 from_snorm(u32 raw, u32 bits)
{
	s32 v = (s32)pack_sign_extend(raw, bits);
	u32 max = low_bits(bits - 1), mag = v < 0 ? -(u32)v : (u32)v;

	/* -1 is the only value of two bits other than 0 and 1. */
	if (mag > max)
		mag = max;
	return (v < 0 ? 0x80000000 : 0) | from_norm(mag, bits - 1);
}

static u32 pack_from_fixed(u32 raw)
{
	u32 f = px_s32_to_f32(raw);

	return f ? f - (16U << 23) : 0;
}

/* Unsigned float of @bits bits: the upper bits of a half. */
static u32 from_ufloat(u32 raw, u32 bits)
{
	return vs_f16_to_f32(raw << (15 - bits));
}

static u32 pack_from_memory(const struct px_format *f, u32 raw, u32 bits)
{
	if (f->layout == PX_UFLOAT)
		return from_ufloat(raw, bits);
	switch (f->comp) {
	case PX_UNORM:
		return from_norm(raw, bits);
	case PX_SNORM:
		return from_snorm(raw, bits);
	case PX_SINT:
		return pack_sign_extend(raw, bits);
	case PX_FLOAT:
		return bits == 16 ? vs_f16_to_f32(raw) : raw;
	case PX_FIXED:
		return pack_from_fixed(raw);
	default:
		return raw;
	}
}

/* sRGB needs components of 8 bits. */
static bool srgb_ok(const struct px_format *f)
{
	u32 i;

	if (!f->srgb)
		return true;
	if (f->comp != PX_UNORM)
		return false;
	for (i = 0; i < 3; i++)
		if (f->swizzle[i] < 4 && f->bits[f->swizzle[i]] != 8)
			return false;
	return true;
}

bool px_format_readable(const struct px_format *f)
{
	return !f->big_endian && srgb_ok(f);
}

bool px_format_writable(const struct px_format *f)
{
	return px_format_readable(f) && f->layout != PX_ETC2 && f->layout != PX_CONSTANT;
}

enum px_kind px_format_kind(const struct px_format *f)
{
	if (f->comp == PX_UINT)
		return PX_KIND_U32;
	return f->comp == PX_SINT ? PX_KIND_S32 : PX_KIND_F32;
}

/* Component of a shared exponent format: three 9-bit mantissas, exponent bias 15. */
static u32 from_shared(u32 m, u32 e)
{
	u32 v = px_u32_to_f32(m);

	return v ? v + (e << 23) - (24U << 23) : 0;
}

/* Extract the raw bits of each component. */
static void load_raw(const struct px_format *f, const u8 *p, u32 raw[4])
{
	struct element e = {};
	u32 i, at = 0;

	memcpy(&e, p, min_t(u32, f->bytes, sizeof(e)));
	for (i = 0; i < 4; at += f->bits[i++])
		raw[i] = f->bits[i] ? pack_get_bits(&e, at, f->bits[i]) : 0;
	if (f->layout == PX_SHARED_EXP)
		for (i = 0; i < 3; i++)
			raw[i] |= (u32)e.w[0] >> 27 << 9;
}

static u32 pack_component(const struct px_format *f, u32 i, u32 raw)
{
	u32 s = f->swizzle[i];

	if (f->layout == PX_SHARED_EXP)
		return from_shared(raw & 0x1ff, raw >> 9);
	if (f->srgb && i < 3)
		return px_srgb_to_f32(raw);
	return pack_from_memory(f, raw, f->bits[s]);
}

bool px_is_words(const struct px_format *f)
{
	static const u8 bits[4] = { 32, 32, 32, 32 }, order[4] = { 0, 1, 2, 3 };

	return !memcmp(f->bits, bits, sizeof(bits)) && !memcmp(f->swizzle, order, sizeof(order)) &&
	       (f->layout == PX_PLAIN || f->layout == PX_SNAP4) &&
	       (f->comp == PX_FLOAT || f->comp == PX_UINT || f->comp == PX_SINT);
}

/* Are all components words? They are not converted. */
static bool has_words(const struct px_format *f)
{
	u32 i;

	if (f->layout != PX_PLAIN || f->srgb ||
	    (f->comp != PX_FLOAT && f->comp != PX_UINT && f->comp != PX_SINT))
		return false;
	for (i = 0; i < 4; i++)
		if (f->bits[i] != (i < f->ncomp ? 32 : 0))
			return false;
	return f->ncomp && f->bytes == 4 * f->ncomp;
}

u32 px_num_words(const struct px_format *f)
{
	u32 i;

	if (px_is_words(f))
		return 4;
	for (i = 0; i < 4; i++)
		if (i < f->ncomp ? f->swizzle[i] != i : f->swizzle[i] < 4)
			return 0;
	return has_words(f) ? f->ncomp : 0;
}

void px_unpack(const struct px_format *f, const void *p, u32 v[4])
{
	u32 i, s, raw[4] = {};
	bool words;

	if (px_is_words(f)) {
		memcpy(v, p, 4 * sizeof(*v));
		return;
	}
	words = has_words(f);
	if (words)
		memcpy(raw, p, f->bytes);
	else if (f->bytes && f->layout != PX_ETC2)
		load_raw(f, p, raw);
	for (i = 0; i < 4; i++) {
		s = f->swizzle[i];
		if (s < 4)
			v[i] = words ? raw[s] : pack_component(f, i, raw[s]);
		else
			v[i] = s == PX_SWZ_1 ? px_one(px_format_kind(f)) : 0;
	}
}

/* ---- writing ---- */

/* Round a binary32 between 0 and 2^32 to the nearest even integer, saturated at @max. */
static u32 round_even(u32 f, u32 max)
{
	u32 e = f >> 23, m = (f & 0x7fffff) | 0x800000, n, rest, half;

	if (e >= 150)
		return e >= 159 ? max : min(max, m << (e - 150));
	if (e < 126)
		return 0;
	n = 150 - e;
	half = 1U << (n - 1);
	rest = m & (2 * half - 1);
	m >>= n;
	m += rest > half || (rest == half && m & 1);
	return min(max, m);
}

/* |f|, at most 1, times the maximum of @bits bits. */
static u32 to_norm(u32 f, u32 bits)
{
	u32 a = f & 0x7fffffff, max = low_bits(bits);

	/* Far below half of 2^-32. */
	if (a > F32_INF || a < 0x2b800000)
		return 0;
	return round_even(pack_scale(max, min_t(u32, a, F32_ONE)), max);
}

static u32 to_snorm(u32 f, u32 bits)
{
	u32 v = to_norm(f, bits - 1);

	return f >> 31 ? -v : v;
}

static u32 pack_to_fixed(u32 f)
{
	u32 a = f & 0x7fffffff, v;

	if (a > F32_INF || a < 16U << 23)
		return 0;
	/* Saturate from 2^15 on. */
	v = a >= 0x47000000 ? 0x7fffffffU + (f >> 31) : round_even(a + (16U << 23), ~0U);
	v = min(v, 0x7fffffffU + (f >> 31));
	return f >> 31 ? -v : v;
}

/* Round toward zero; finite numbers stay finite. */
static u32 to_ufloat(u32 f, u32 bits)
{
	u32 drop = 15 - bits, e = f >> 23 & 0xff, m;

	if ((f & 0x7fffffff) > F32_INF)
		return 0x7e00 >> drop;
	if (f >> 31)
		return 0;
	if (f == F32_INF)
		return 0x7c00 >> drop;
	if (e >= 143)
		return 0x7bff >> drop;
	if (e >= 113)
		return (f - (112U << 23)) >> 13 >> drop;
	m = (f & 0x7fffff) | 0x800000;
	return e < 102 ? 0 : m >> (126 - e) >> drop;
}

/* Saturate. */
static u32 to_sint(u32 v, u32 bits)
{
	s32 max = low_bits(bits - 1);

	return clamp_t(s32, v, -max - 1, max);
}

static u32 to_memory(const struct px_format *f, u32 v, u32 bits)
{
	if (f->layout == PX_UFLOAT)
		return to_ufloat(v, bits);
	switch (f->comp) {
	case PX_UNORM:
		return v >> 31 ? 0 : to_norm(v, bits);
	case PX_SNORM:
		return to_snorm(v, bits);
	case PX_FLOAT:
		return bits == 16 ? px_f32_to_f16(v) : v;
	case PX_FIXED:
		return pack_to_fixed(v);
	case PX_UINT:
		return min(v, low_bits(bits));
	case PX_SINT:
		return to_sint(v, bits);
	default:
		return v;
	}
}

/* Round half up, as GL's extension requires; @e: biased exponent of a mantissa of 1. */
static u32 to_shared(u32 f, u32 e)
{
	u32 m = (f & 0x7fffff) | 0x800000, n;

	n = e + 23 - (f >> 23);
	return f >> 23 && n < 32 ? (m + (1U << (n - 1))) >> n : 0;
}

static u32 pack_shared(const u32 c[3])
{
	u32 i, v[3], top = 0, e;

	for (i = 0; i < 3; i++) {
		v[i] = c[i] >> 31 || c[i] > F32_INF ? 0 : min_t(u32, c[i], 0x477f8000);
		top = max(top, v[i]);
	}
	/* Normalise the largest component; 2^-24 is the smallest step. */
	e = max_t(u32, top >> 23, 111) - 8;
	if (to_shared(top, e) == 512)
		e++;
	return to_shared(v[0], e) | to_shared(v[1], e) << 9 | to_shared(v[2], e) << 18 |
	       (e - 103) << 27;
}

void px_pack(const struct px_format *f, const u32 v[4], u32 comps, void *p)
{
	struct element e = {};
	u32 i, k, at = 0, c[4] = {};
	bool have[4] = {};

	if (comps == 4 && px_is_words(f)) {
		memcpy(p, v, 4 * sizeof(*v));
		return;
	}
	for (i = min_t(u32, comps, 4); i-- > 0;) {
		k = f->swizzle[i];
		if (k >= 4)
			continue;
		c[k] = v[i];
		if (f->srgb && i < 3)
			c[k] = pack_scale(px_f32_to_srgb(v[i]), reciprocal[8]);
		have[k] = true;
	}
	memcpy(&e, p, min_t(u32, f->bytes, sizeof(e)));
	if (f->layout == PX_SHARED_EXP)
		e.w[0] = pack_shared(c);
	else
		for (i = 0; i < 4; at += f->bits[i++])
			if (have[i])
				pack_put_bits(&e, at, f->bits[i], to_memory(f, c[i], f->bits[i]));
	memcpy(p, &e, min_t(u32, f->bytes, sizeof(e)));
}
