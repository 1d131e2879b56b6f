// SPDX-License-Identifier: GPL-2.0
/* Formats of attributes and texels, of the Mali reference models. */
#include <math.h>
#include <string.h>

#include "mali_ref_int.h"
#include "mali_ref_num.h"

/* Component layout of a format. */
struct layout {
	enum mrf_kind kind;
	bool norm;
	unsigned int comps;
	unsigned int bits;
	bool is_float;
};

/*
 * A format word: 12 bits of component order, 8 of format, sRGB, endianness. The formats
 * from 96 up are regular: kind << 5 | (components - 1) << 3 | size.
 */
static bool layout(struct mrf *g, uint32_t fmt, struct layout *l)
{
	unsigned int f = fmt >> 12 & 255, size = f & 7;

	memset(l, 0, sizeof(*l));
	if (f == 237)		/* the tile buffer's name for RGBA8 */
		f = 187, size = 3;
	if (f == 94) {		/* positions: floats here, to be snapped later */
		l->comps = 4;
		l->bits = 32;
		l->is_float = true;
		return true;
	}
	if (f < 96 || size < 3 || (size > 5 && size != 7) || fmt >> 20 & 3) {
		mrf_fail(g, true, "format %u", f);
		return false;
	}
	l->comps = (f >> 3 & 3) + 1;
	l->bits = 1u << size;
	l->kind = f >> 5 == 4 ? MRF_UINTS : f >> 5 == 6 ? MRF_SINTS : MRF_FLOATS;
	l->norm = f >> 5 == 3 || f >> 5 == 5;
	if (size != 7)
		return f >> 5 != 7;
	/* floats: 32 bits among the UNORMs, 16 bits among the SINTs */
	l->is_float = true;
	l->kind = MRF_FLOATS;
	l->bits = f >> 5 == 5 ? 32 : 16;
	if (f >> 5 == 5 || f >> 5 == 6)
		return true;
	mrf_fail(g, true, "format %u", f);
	return false;
}

static uint32_t to_component(const struct layout *l, bool is_signed, uint32_t raw)
{
	unsigned int top = 32 - l->bits;
	int32_t s = (int32_t)(raw << top) >> top;
	double max;

	if (l->is_float)
		return l->bits == 16 ? mrf_half((uint16_t)raw) : raw;
	if (l->kind == MRF_SINTS)
		return (uint32_t)s;
	if (l->kind == MRF_UINTS)
		return raw;
	max = ldexp(1, (int)l->bits - is_signed) - 1;
	/*
	 * Multiplied by the rounded reciprocal, as in the renderers of the expected
	 * values; the GPU's rounding is unknown.
	 */
	max = mrf_f(mrf_to_single(1 / max, MRF_RTE));
	return mrf_to_single(is_signed ? fmax(s * max, -1) : raw * max, MRF_RTE);
}

static uint32_t from_component(const struct layout *l, bool is_signed, uint32_t v)
{
	double d, max;

	if (l->is_float)
		return l->bits == 16 ? mrf_to_half(mrf_f(v), MRF_RTE) : v;
	if (l->kind != MRF_FLOATS)
		return v;
	max = ldexp(1, (int)l->bits - is_signed) - 1;
	d = isnan(mrf_f(v)) ? 0 : fmin(fmax(mrf_f(v), is_signed ? -1 : 0), 1);
	/*
	 * The product is rounded to a single, then to even, as in the renderers of the
	 * expected values (0.3 shows it). The GPU's rounding is unknown.
	 */
	return (uint32_t)(int64_t)rint(mrf_f(mrf_to_single(d * max, MRF_RTE)));
}

/* Stored component of each of RGBA; 4 is zero, 5 is one. */
static bool order(struct mrf *g, uint32_t fmt, uint8_t *o)
{
	static const struct { uint16_t code; uint8_t o[4]; } known[] = {
		{ 0, { 0, 1, 2, 3 } }, { 2, { 1, 0, 2, 3 } }, { 4, { 2, 1, 0, 3 } },
		{ 8, { 1, 2, 3, 0 } }, { 12, { 3, 2, 1, 0 } }, { 16, { 0, 1, 2, 5 } },
		{ 18, { 1, 0, 2, 5 } }, { 20, { 2, 1, 0, 5 } }, { 226, { 0, 0, 0, 0 } },
		{ 227, { 0, 0, 0, 5 } }, { 240, { 0, 4, 4, 4 } },
		/* v6 has selectors of three bits; its position programs use this one */
		{ 0x688, { 0, 1, 2, 3 } },
	};
	unsigned int i;
	bool all = g->arch == 5;

	/* selectors of three bits */
	for (i = 0; all && i < 4; i++) {
		o[i] = fmt >> (3 * i) & 7;
		all = o[i] < 6;
	}
	if (all)
		return true;
	for (i = 0; g->arch != 5 && i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].code == (fmt & 0xfff)) {
			memcpy(o, known[i].o, 4);
			return true;
		}
	mrf_fail(g, true, "component order %u", fmt & 0xfff);
	return false;
}

uint32_t mrf_one(enum mrf_kind k)
{
	return k == MRF_FLOATS ? 0x3f800000 : 1;
}

void mrf_unpack_bytes(struct mrf *g, uint32_t fmt, const uint8_t *p, struct mrf_texel *x)
{
	bool is_signed = (fmt >> 17 & 7) == 3;
	struct layout l;
	uint32_t c[6] = { 0 };
	uint8_t o[4];
	unsigned int i;

	memset(x, 0, sizeof(*x));
	if (!layout(g, fmt, &l) || !order(g, fmt, o))
		return;
	x->kind = l.kind;
	for (i = 0; i < l.comps; i++)
		c[i] = to_component(&l, is_signed, mrf_get(p + i * l.bits / 8, l.bits / 8));
	if (l.comps < 4)
		c[3] = mrf_one(l.kind);
	c[5] = mrf_one(l.kind);
	for (i = 0; i < 4; i++)
		x->v[i] = c[o[i]];
}

void mrf_unpack(struct mrf *g, uint32_t fmt, uint64_t va, struct mrf_texel *x)
{
	enum mrf_kind kind;
	unsigned int n = mrf_texel_size(g, fmt, &kind);
	const uint8_t *p = mrf_at(g, va, n);

	memset(x, 0, sizeof(*x));
	if (n && p)
		mrf_unpack_bytes(g, fmt, p, x);
	else if (n)
		mrf_fail(g, false, "texel or attribute at %llx", (unsigned long long)va);
}

/* A component in the registers' type; conversions between floats and integers by value. */
static uint32_t convert(const struct mrf_texel *x, unsigned int i, enum mrf_regfmt fmt)
{
	bool to_float = fmt == MRF_F16 || fmt == MRF_F32;
	uint32_t v = x->v[i];

	if (to_float && x->kind != MRF_FLOATS)
		v = mrf_to_single(x->kind == MRF_SINTS ? (double)(int32_t)v : (double)v, MRF_RTE);
	if (!to_float && x->kind == MRF_FLOATS)
		v = fmt == MRF_S32 || fmt == MRF_S16 ? mrf_to_s32(v, MRF_RTZ) :
			mrf_to_u32(v, MRF_RTZ);
	return fmt == MRF_F16 ? mrf_to_half(mrf_f(v), MRF_RTE) : v;
}

unsigned int mrf_deliver(struct mrf *g, const struct mrf_texel *x, enum mrf_regfmt fmt,
			 unsigned int n, uint32_t *out)
{
	unsigned int i;

	if (fmt == MRF_AUTO)
		fmt = x->kind == MRF_FLOATS ? MRF_F32 : x->kind == MRF_SINTS ? MRF_S32 : MRF_U32;
	if (fmt == MRF_F64 || fmt == MRF_I64) {
		mrf_fail(g, true, "registers of 64 bits");
		return 0;
	}
	memset(out, 0, 4 * sizeof(*out));
	if (fmt == MRF_F32 || fmt == MRF_S32 || fmt == MRF_U32) {
		for (i = 0; i < n; i++)
			out[i] = convert(x, i, fmt);
		return n;
	}
	for (i = 0; i < n; i++)
		out[i / 2] |= (convert(x, i, fmt) & 0xffff) << (16 * (i & 1));
	return (n + 1) / 2;
}

unsigned int mrf_texel_size(struct mrf *g, uint32_t fmt, enum mrf_kind *kind)
{
	struct layout l;

	if (!layout(g, fmt, &l))
		return 0;
	*kind = l.kind;
	return l.comps * l.bits / 8;
}

uint32_t mrf_conversion(uint32_t fmt, enum mrf_regfmt reg)
{
	return fmt | (reg == MRF_AUTO ? 1u << 22 : (uint32_t)reg << 24);
}

unsigned int mrf_pack_size(struct mrf *g, uint32_t cvt)
{
	enum mrf_kind kind;

	return mrf_texel_size(g, cvt & 0x3fffff, &kind);
}

void mrf_pack(struct mrf *g, uint32_t cvt, unsigned int n, const uint32_t *data, uint8_t *p)
{
	bool is_signed = (cvt >> 17 & 7) == 3, raw = cvt >> 22 & 1;
	enum mrf_regfmt from = cvt >> 24 & 7;
	struct layout l;
	uint8_t o[4];
	unsigned int i, k;
	uint32_t v;

	if (!layout(g, cvt & 0x3fffff, &l) || !order(g, cvt & 0x3fffff, o))
		return;
	for (i = 0; i < n; i++) {
		k = o[i];
		if (k >= l.comps)
			continue;
		v = data[i];
		if (!raw && from == MRF_F16)
			v = mrf_half(mrf_lane16(data[i / 2], i));
		else if (!raw && (from == MRF_S16 || from == MRF_U16))
			v = mrf_lane16(data[i / 2], i);
		mrf_put(p + k * l.bits / 8, l.bits / 8, from_component(&l, is_signed, v));
	}
}

void mrf_st_cvt(struct mrf *g, uint64_t va, uint32_t cvt, unsigned int n, const uint32_t *data)
{
	unsigned int size;
	uint8_t *p;

	/* address 0 marks a texel outside the image */
	size = va ? mrf_pack_size(g, cvt) : 0;
	if (!size)
		return;
	p = mrf_at(g, va, size);
	if (p)
		mrf_pack(g, cvt, n, data, p);
	else
		mrf_fail(g, false, "typed store at %llx", (unsigned long long)va);
}
