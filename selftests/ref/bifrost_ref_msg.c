// SPDX-License-Identifier: GPL-2.0
/* Memory, attributes, images and texels of the Bifrost reference model. */
#include <math.h>
#include <string.h>

#include "bifrost_ref_int.h"
#include "bifrost_ref_num.h"

enum kind { FLOATS, UINTS, SINTS };

/* Four components: single floats or integers. */
struct texel {
	enum kind kind;
	uint32_t v[4];
};

/* How a format stores components. */
struct layout {
	enum kind kind;
	bool norm;
	unsigned int comps;
	unsigned int bits;
	bool is_float;
};

static uint32_t get(const uint8_t *p, unsigned int n)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (uint32_t)p[i] << (8 * i);
	return v;
}

static void put(uint8_t *p, unsigned int n, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

uint32_t bfr_load(struct bfr *g, uint64_t va)
{
	const uint8_t *p = bfr_at(g, va, 4);

	if (p)
		return get(p, 4);
	bfr_fail(g, false, "read of %llx", (unsigned long long)va);
	return 0;
}

static uint8_t *ubo(struct bfr *g, const struct bfr_draw *d, uint32_t offset, uint32_t index,
		    uint32_t n)
{
	static uint8_t zero[16];
	uint64_t e, size;

	memset(zero, 0, sizeof(zero));
	if (index >= d->nubos)
		return zero;
	e = bfr_load(g, d->ubos + 8 * index);
	e |= (uint64_t)bfr_load(g, d->ubos + 8 * index + 4) << 32;
	size = 16 * ((e & 0xfff) + 1);
	/* nothing public says so, but robust access wants zeros out of range */
	if (!e || (uint64_t)offset + n > size)
		return zero;
	return bfr_at(g, (e >> 12 << 4) + offset, n);
}

uint8_t *bfr_seg(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t,
		 enum bfr_seg seg, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint8_t *p = NULL;

	switch (seg) {
	case BFR_SEG_GLOBAL:
		p = bfr_at(g, lo | (uint64_t)hi << 32, n);
		break;
	case BFR_SEG_WLS:
		if (n <= d->nwls && lo <= d->nwls - n)
			p = d->wls + lo;
		break;
	case BFR_SEG_TLS:
		if (n <= d->ntls && lo <= d->ntls - n)
			p = t->tls + lo;
		break;
	case BFR_SEG_UBO:
		p = ubo(g, d, lo, hi, n);
		break;
	}
	if (!p)
		bfr_fail(g, false, "segment %u, address %08x%08x", seg, hi, lo);
	return p;
}

uint32_t bfr_atom_op(unsigned int op, uint32_t a, uint32_t b)
{
	switch (op) {
	case BFR_ADD:
		return a + b;
	case BFR_SMIN:
		return (int32_t)a < (int32_t)b ? a : b;
	case BFR_SMAX:
		return (int32_t)a > (int32_t)b ? a : b;
	case BFR_UMIN:
		return a < b ? a : b;
	case BFR_UMAX:
		return a > b ? a : b;
	case BFR_AND:
		return a & b;
	case BFR_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

void bfr_atomic(struct bfr *g, uint64_t va, unsigned int op, uint32_t arg, struct bfr_step *s)
{
	static const uint32_t neutral[16] = {
		[BFR_SMIN] = 0x7fffffff, [BFR_SMAX] = 0x80000000, [BFR_UMIN] = 0xffffffff,
		[BFR_AND] = 0xffffffff,
	};
	uint8_t *p = bfr_at(g, va, 4);

	if (op != BFR_ADD && (op < BFR_SMIN || op > BFR_XOR))
		bfr_fail(g, true, "atomic operation %u", op);
	else if (!p)
		bfr_fail(g, false, "atomic at %llx", (unsigned long long)va);
	if (*g->error)
		return;
	s->out[0] = get(p, 4);
	s->out[1] = neutral[op];
	s->nout = 2;
	put(p, 4, bfr_atom_op(op, s->out[0], arg));
}

/*
 * A format word: 12 bits of component order, 8 of format, sRGB, endianness. The formats
 * from 96 up are regular: kind << 5 | (components - 1) << 3 | size.
 */
static bool layout(struct bfr *g, uint32_t fmt, struct layout *l)
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
		bfr_fail(g, true, "format %u", f);
		return false;
	}
	l->comps = (f >> 3 & 3) + 1;
	l->bits = 1u << size;
	l->kind = f >> 5 == 4 ? UINTS : f >> 5 == 6 ? SINTS : FLOATS;
	l->norm = f >> 5 == 3 || f >> 5 == 5;
	if (size != 7)
		return f >> 5 != 7;
	/* floats: of 32 bits among the UNORMs, of 16 among the SINTs */
	l->is_float = true;
	l->kind = FLOATS;
	l->bits = f >> 5 == 5 ? 32 : 16;
	if (f >> 5 == 5 || f >> 5 == 6)
		return true;
	bfr_fail(g, true, "format %u", f);
	return false;
}

static uint32_t to_component(const struct layout *l, bool is_signed, uint32_t raw)
{
	unsigned int top = 32 - l->bits;
	int32_t s = (int32_t)(raw << top) >> top;
	double max;

	if (l->is_float)
		return l->bits == 16 ? bfr_half((uint16_t)raw) : raw;
	if (l->kind == SINTS)
		return (uint32_t)s;
	if (l->kind == UINTS)
		return raw;
	max = ldexp(1, (int)l->bits - is_signed) - 1;
	/*
	 * Multiplied with the rounded reciprocal, as the renderers of the expected values
	 * do; how the GPU rounds is not known.
	 */
	max = bfr_f(bfr_to_single(1 / max, BFR_RTE));
	return bfr_to_single(is_signed ? fmax(s * max, -1) : raw * max, BFR_RTE);
}

static uint32_t from_component(const struct layout *l, bool is_signed, uint32_t v)
{
	double d, max;

	if (l->is_float)
		return l->bits == 16 ? bfr_to_half(bfr_f(v), BFR_RTE) : v;
	if (l->kind != FLOATS)
		return v;
	max = ldexp(1, (int)l->bits - is_signed) - 1;
	d = isnan(bfr_f(v)) ? 0 : fmin(fmax(bfr_f(v), is_signed ? -1 : 0), 1);
	/*
	 * The product is rounded to a single, then to even: so do the renderers of the
	 * expected values, and 0.3 shows it. How the GPU rounds is not known.
	 */
	return (uint32_t)(int64_t)rint(bfr_f(bfr_to_single(d * max, BFR_RTE)));
}

/* Which stored component makes each of RGBA (v7); 4 is zero, 5 is one. */
static bool order(struct bfr *g, uint32_t fmt, uint8_t *o)
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

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].code == (fmt & 0xfff)) {
			memcpy(o, known[i].o, 4);
			return true;
		}
	bfr_fail(g, true, "component order %u", fmt & 0xfff);
	return false;
}

static uint32_t one(enum kind k)
{
	return k == FLOATS ? 0x3f800000 : 1;
}

static void unpack(struct bfr *g, uint32_t fmt, uint64_t va, struct texel *x)
{
	bool is_signed = (fmt >> 17 & 7) == 3;
	struct layout l;
	uint32_t c[6] = { 0 };
	uint8_t *p, o[4];
	unsigned int i;

	memset(x, 0, sizeof(*x));
	if (!layout(g, fmt, &l) || !order(g, fmt, o))
		return;
	p = bfr_at(g, va, l.comps * l.bits / 8);
	if (!p) {
		bfr_fail(g, false, "texel or attribute at %llx", (unsigned long long)va);
		return;
	}
	x->kind = l.kind;
	for (i = 0; i < l.comps; i++)
		c[i] = to_component(&l, is_signed, get(p + i * l.bits / 8, l.bits / 8));
	if (l.comps < 4)
		c[3] = one(l.kind);
	c[5] = one(l.kind);
	for (i = 0; i < 4; i++)
		x->v[i] = c[o[i]];
}

/* A component in the registers' type; conversions between floats and integers by value. */
static uint32_t convert(const struct texel *x, unsigned int i, enum bfr_regfmt fmt)
{
	bool to_float = fmt == BFR_F16 || fmt == BFR_F32;
	uint32_t v = x->v[i];

	if (to_float && x->kind != FLOATS)
		v = bfr_to_single(x->kind == SINTS ? (double)(int32_t)v : (double)v, BFR_RTE);
	if (!to_float && x->kind == FLOATS)
		v = fmt == BFR_S32 || fmt == BFR_S16 ? bfr_to_s32(v, BFR_RTZ) :
			bfr_to_u32(v, BFR_RTZ);
	return fmt == BFR_F16 ? bfr_to_half(bfr_f(v), BFR_RTE) : v;
}

static void deliver(struct bfr *g, const struct texel *x, enum bfr_regfmt fmt, unsigned int n,
		    struct bfr_step *s)
{
	unsigned int i;

	if (fmt == BFR_AUTO)
		fmt = x->kind == FLOATS ? BFR_F32 : x->kind == SINTS ? BFR_S32 : BFR_U32;
	if (fmt == BFR_F64 || fmt == BFR_I64) {
		bfr_fail(g, true, "registers of 64 bits");
		return;
	}
	memset(s->out, 0, sizeof(s->out));
	if (fmt == BFR_F32 || fmt == BFR_S32 || fmt == BFR_U32) {
		for (i = 0; i < n; i++)
			s->out[i] = convert(x, i, fmt);
		s->nout = n;
		return;
	}
	for (i = 0; i < n; i++)
		s->out[i / 2] |= (convert(x, i, fmt) & 0xffff) << (16 * (i & 1));
	s->nout = (n + 1) / 2;
}

/* An attribute's descriptor and its buffer's. */
struct attr {
	uint32_t fmt;
	uint32_t offset;
	uint64_t buffer;	/* descriptor */
	unsigned int type;
	uint64_t base;
	uint32_t stride;
	uint32_t size;
};

static bool attribute(struct bfr *g, const struct bfr_draw *d, unsigned int index, struct attr *a)
{
	uint32_t w, lo, hi;

	if (index >= d->nattributes) {
		bfr_fail(g, false, "attribute %u of %u", index, d->nattributes);
		return false;
	}
	w = bfr_load(g, d->attributes + 8 * index);
	a->offset = bfr_load(g, d->attributes + 8 * index + 4);
	a->fmt = w >> 10;
	a->buffer = d->buffers + 16 * (w & 511);
	lo = bfr_load(g, a->buffer);
	hi = bfr_load(g, a->buffer + 4);
	a->type = lo & 63;
	a->base = ((uint64_t)(hi & 0xffffff) << 32 | lo) & ~63ull;
	a->stride = bfr_load(g, a->buffer + 8);
	a->size = bfr_load(g, a->buffer + 12);
	return !*g->error;
}

/* Vertex or instance number to element of the buffer. */
static uint32_t element(struct bfr *g, const struct bfr_draw *d, const struct attr *a,
			uint32_t vertex, uint32_t instance)
{
	uint32_t linear = instance * d->padded + vertex, hi = bfr_load(g, a->buffer + 4);
	unsigned int r = hi >> 24 & 31, p = hi >> 29;

	switch (a->type) {
	case 1:
		return linear;
	case 2:
		return linear >> r;
	case 3:
		/* p is the odd factor, as for the padded count: (2 p + 1) << r */
		return linear % ((2 * p + 1) << r);
	case 4: {
		uint64_t num = bfr_load(g, a->buffer + 20) | 0x80000000u;

		return (uint32_t)((linear + (uint64_t)(p & 1)) * num >> 32 >> r);
	}
	default:
		bfr_fail(g, true, "attribute buffer type %u", a->type);
		return 0;
	}
}

void bfr_ld_attr(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t vertex,
		 uint32_t instance, enum bfr_regfmt fmt, unsigned int n, struct bfr_step *s)
{
	struct texel x = { 0 };
	struct attr a;
	uint64_t at;

	if (!attribute(g, d, index, &a))
		return;
	at = (uint64_t)element(g, d, &a, vertex, instance) * a.stride + (int32_t)a.offset;
	if (at < a.size)
		unpack(g, a.fmt, a.base + at, &x);
	if (!*g->error)
		deliver(g, &x, fmt, n, s);
}

/* Offset of a texel in blocks of 16 x 16 whose coordinate bits are interleaved. */
static uint32_t interleaved(uint32_t x, uint32_t y, uint32_t bytes, uint32_t row)
{
	uint32_t in = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		in |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return (y >> 4) * row + ((x >> 4) * 256 + in) * bytes;
}

/* Image coordinates: halves of one word, then the third. Return: 0: outside. */
static uint64_t image(struct bfr *g, const struct attr *a, uint32_t xy, uint32_t z)
{
	uint32_t st = bfr_load(g, a->buffer + 16), tr = bfr_load(g, a->buffer + 20);
	uint32_t row = bfr_load(g, a->buffer + 24), slice = bfr_load(g, a->buffer + 28);
	uint32_t x = xy & 0xffff, y = xy >> 16, at;

	if ((a->type != 5 && a->type != 6) || (st & 63) != 32) {
		bfr_fail(g, true, "image in buffer type %u", a->type);
		return 0;
	}
	if (x > st >> 16 || y > (tr & 0xffff) || z > tr >> 16)
		return 0;
	at = a->type == 6 ? interleaved(x, y, a->stride, row) : y * row + x * a->stride;
	return a->base + at + (uint64_t)z * slice;
}

void bfr_ld_image(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t xy,
		  uint32_t z, enum bfr_regfmt fmt, unsigned int n, struct bfr_step *s)
{
	struct texel x = { 0 };
	struct attr a;
	uint64_t va;

	if (!attribute(g, d, index, &a))
		return;
	va = image(g, &a, xy, z);
	if (va)
		unpack(g, a.fmt, va, &x);
	if (!*g->error)
		deliver(g, &x, fmt, n, s);
}

/* Format and register type for a typed store; AUTO stores registers as they are. */
static uint32_t conversion(uint32_t fmt, enum bfr_regfmt reg)
{
	return fmt | (reg == BFR_AUTO ? 1u << 22 : (uint32_t)reg << 24);
}

void bfr_lea_image(struct bfr *g, const struct bfr_draw *d, unsigned int index, uint32_t xy,
		   uint32_t z, enum bfr_regfmt fmt, struct bfr_step *s)
{
	struct attr a;
	uint64_t va;

	if (!attribute(g, d, index, &a))
		return;
	va = image(g, &a, xy, z);
	s->out[0] = (uint32_t)va;
	s->out[1] = (uint32_t)(va >> 32);
	s->out[2] = conversion(a.fmt, fmt);
	s->nout = 3;
}

/* LEA_ATTR without DTSEL is about the second table: varyings. */
void bfr_lea_varying(struct bfr *g, const struct bfr_draw *d, unsigned int index,
		     uint32_t vertex, uint32_t instance, enum bfr_regfmt fmt, struct bfr_step *s)
{
	struct bfr_draw v = *d;
	struct attr a;
	uint64_t va;

	v.attributes = d->varyings;
	v.buffers = d->varbufs;
	v.nattributes = 16;
	if (!attribute(g, &v, index, &a))
		return;
	va = a.base + (uint64_t)element(g, &v, &a, vertex, instance) * a.stride +
		(int32_t)a.offset;
	s->out[0] = (uint32_t)va;
	s->out[1] = (uint32_t)(va >> 32);
	s->out[2] = conversion(a.fmt, fmt);
	s->nout = 3;
}

unsigned int bfr_pack_size(struct bfr *g, uint32_t cvt)
{
	struct layout l;

	return layout(g, cvt & 0x3fffff, &l) ? l.comps * l.bits / 8 : 0;
}

void bfr_pack(struct bfr *g, uint32_t cvt, unsigned int n, const uint32_t *data, uint8_t *p)
{
	bool is_signed = (cvt >> 17 & 7) == 3, raw = cvt >> 22 & 1;
	enum bfr_regfmt from = cvt >> 24 & 7;
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
		if (!raw && from == BFR_F16)
			v = bfr_half(bfr_lane16(data[i / 2], i));
		else if (!raw && (from == BFR_S16 || from == BFR_U16))
			v = bfr_lane16(data[i / 2], i);
		put(p + k * l.bits / 8, l.bits / 8, from_component(&l, is_signed, v));
	}
}

void bfr_st_cvt(struct bfr *g, uint64_t va, uint32_t cvt, unsigned int n, const uint32_t *data)
{
	unsigned int size;
	uint8_t *p;

	/* an address of 0 stands for a texel outside the image */
	size = va ? bfr_pack_size(g, cvt) : 0;
	if (!size)
		return;
	p = bfr_at(g, va, size);
	if (p)
		bfr_pack(g, cvt, n, data, p);
	else
		bfr_fail(g, false, "typed store at %llx", (unsigned long long)va);
}

void bfr_unpack(struct bfr *g, uint32_t fmt, uint64_t va, uint32_t *out)
{
	struct texel x;

	unpack(g, fmt, va, &x);
	memcpy(out, x.v, sizeof(x.v));
}

/* struct tex - a texture descriptor of v7 */
struct tex {
	uint32_t fmt;
	uint32_t width, height, depth, layers;
	uint32_t swizzle;
	unsigned int ordering, levels, faces;
	uint64_t surfaces;
};

static bool texture(struct bfr *g, const struct bfr_draw *d, unsigned int index, struct tex *x)
{
	uint64_t at = d->textures + 32 * (uint64_t)index;
	uint32_t w[8];
	unsigned int i;

	if (index >= d->ntextures) {
		bfr_fail(g, false, "texture %u of %u", index, d->ntextures);
		return false;
	}
	for (i = 0; i < 8; i++)
		w[i] = bfr_load(g, at + 4 * i);
	x->fmt = w[0] >> 10;
	x->faces = (w[0] >> 4 & 3) == 0 ? 6 : 1;
	x->width = (w[1] & 0xffff) + 1;
	x->height = (w[1] >> 16) + 1;
	x->swizzle = w[2] & 0xfff;
	x->ordering = w[2] >> 12 & 15;
	x->levels = (w[2] >> 16 & 31) + 1;
	x->surfaces = w[4] | (uint64_t)w[5] << 32;
	x->layers = (w[6] & 0xffff) + 1;
	x->depth = (w[7] & 0xffff) + 1;
	return !*g->error;
}

static uint32_t at_level(uint32_t n, unsigned int level)
{
	return n >> level ? n >> level : 1;
}

/* Texel of integer coordinates; those outside read as zeros. */
static void fetch_texel(struct bfr *g, const struct tex *x, const uint32_t *c, uint32_t level,
			uint32_t face, uint32_t layer, struct texel *out)
{
	uint64_t entry, base;
	uint32_t row, slice, at;
	struct texel raw;
	struct layout l;
	unsigned int i;

	memset(out, 0, sizeof(*out));
	if (!layout(g, x->fmt, &l))
		return;
	out->kind = l.kind;
	if (level >= x->levels || layer >= x->layers || face >= x->faces ||
	    c[0] >= at_level(x->width, level) || c[1] >= at_level(x->height, level) ||
	    c[2] >= at_level(x->depth, level))
		return;
	/* v7: levels vary fastest, then faces, then layers */
	entry = x->surfaces + 16 * ((uint64_t)(layer * x->faces + face) * x->levels + level);
	base = bfr_load(g, entry) | (uint64_t)bfr_load(g, entry + 4) << 32;
	row = bfr_load(g, entry + 8);
	slice = bfr_load(g, entry + 12);
	if (x->ordering == 1) {
		at = interleaved(c[0], c[1], l.comps * l.bits / 8, row);
	} else if (x->ordering == 2) {
		at = c[1] * row + c[0] * l.comps * l.bits / 8;
	} else {
		bfr_fail(g, true, "texel ordering %u", x->ordering);
		return;
	}
	unpack(g, x->fmt, base + at + (uint64_t)c[2] * slice, &raw);
	for (i = 0; i < 4; i++) {
		unsigned int sel = x->swizzle >> (3 * i) & 7;

		out->v[i] = sel < 4 ? raw.v[sel] : sel == 5 ? one(raw.kind) : 0;
	}
}

/* Integer coordinate at a wrap mode. */
static uint32_t wrap(struct bfr *g, int i, int n, unsigned int mode)
{
	int p;

	switch (mode) {
	case 8:
		return (uint32_t)((i % n + n) % n);
	case 9:
		return (uint32_t)(i < 0 ? 0 : i >= n ? n - 1 : i);
	case 12:
		p = (i % (2 * n) + 2 * n) % (2 * n);
		return (uint32_t)(p < n ? p : 2 * n - 1 - p);
	default:
		bfr_fail(g, true, "wrap mode %u", mode);
		return 0;
	}
}

struct sampling {
	const struct tex *x;
	uint32_t word0;
	double u, v;
};

/* One level, nearest or bilinear; added to @sum with weight @w. */
static void sample_level(struct bfr *g, const struct sampling *sm, unsigned int level,
			 bool nearest, double w, double *sum)
{
	uint32_t nx = at_level(sm->x->width, level), ny = at_level(sm->x->height, level);
	double u = sm->u * nx, v = sm->v * ny, fu, fv;
	unsigned int i, k, taps = nearest ? 1 : 4;
	struct texel t;
	int x, y;

	if (!nearest) {
		u -= 0.5;
		v -= 0.5;
	}
	x = (int)floor(u);
	y = (int)floor(v);
	fu = nearest ? 0 : u - x;
	fv = nearest ? 0 : v - y;
	for (i = 0; i < taps && !*g->error; i++) {
		uint32_t c[3] = {
			wrap(g, x + (int)(i & 1), (int)nx, sm->word0 >> 16 & 15),
			wrap(g, y + (int)(i >> 1), (int)ny, sm->word0 >> 12 & 15), 0,
		};
		double wt = w * (i & 1 ? fu : 1 - fu) * (i >> 1 ? fv : 1 - fv);

		fetch_texel(g, sm->x, c, level, 0, 0, &t);
		for (k = 0; k < 4; k++)
			sum[k] += wt * bfr_f(t.v[k]);
	}
}

/* Level of detail from the differences between the lanes of the quad. */
static double computed_lod(const struct tex *x, const struct bfr_quad *q)
{
	double du = bfr_f(q->src[1][0]) - bfr_f(q->src[0][0]);
	double dv = bfr_f(q->src[1][1]) - bfr_f(q->src[0][1]);
	double eu = bfr_f(q->src[2][0]) - bfr_f(q->src[0][0]);
	double ev = bfr_f(q->src[2][1]) - bfr_f(q->src[0][1]);
	double a = hypot(du * x->width, dv * x->height);
	double b = hypot(eu * x->width, ev * x->height);

	return log2(fmax(fmax(a, b), 1e-10));
}

void bfr_sample(struct bfr *g, const struct bfr_draw *d, const struct bfr_thread *t,
		unsigned int texture_index, unsigned int sampler, bool computed, double lod,
		enum bfr_regfmt fmt, struct bfr_step *s)
{
	uint64_t at = d->samplers + 32 * (uint64_t)sampler;
	uint32_t w0, w1, mode;
	double sum[4] = { 0 }, frac;
	struct sampling sm = { 0 };
	struct texel out = { 0 };
	struct tex x;
	unsigned int i, level;
	bool nearest;

	if (sampler >= d->nsamplers || !texture(g, d, texture_index, &x)) {
		bfr_fail(g, false, "sampler %u of %u", sampler, d->nsamplers);
		return;
	}
	w0 = bfr_load(g, at);
	w1 = bfr_load(g, at + 4);
	if (x.faces != 1 || !(w0 >> 25 & 1) || bfr_load(g, at + 8) & 0xffff) {
		bfr_fail(g, true, "cube, pixel coordinates or bias");
		return;
	}
	if (computed)
		lod += computed_lod(&x, s->quad);
	lod = fmin(fmax(lod, (w1 & 0x1fff) / 256.0), (w1 >> 16 & 0x1fff) / 256.0);
	nearest = w0 >> (lod > 0 ? 27 : 28) & 1;
	lod = fmin(fmax(lod, 0), x.levels - 1);
	mode = w0 >> 30;
	sm.x = &x;
	sm.word0 = w0;
	sm.u = bfr_f(s->quad->src[t->lane][0]);
	sm.v = bfr_f(s->quad->src[t->lane][1]);
	if (mode == 3) {
		level = (unsigned int)floor(lod);
		frac = lod - level;
		sample_level(g, &sm, level, nearest, 1 - frac, sum);
		if (frac)
			sample_level(g, &sm, level + 1, nearest, frac, sum);
	} else {
		level = mode == 1 ? 0 : (unsigned int)floor(lod + 0.5);
		sample_level(g, &sm, level, nearest, 1, sum);
	}
	for (i = 0; i < 4; i++)
		out.v[i] = bfr_to_single(sum[i], BFR_RTE);
	if (!*g->error)
		deliver(g, &out, fmt, 4, s);
}

void bfr_texc(struct bfr *g, const struct bfr_draw *d, struct bfr_thread *t, uint32_t x,
	      uint32_t y, uint32_t desc, struct bfr_step *s)
{
	static const uint8_t reg[16] = {
		BFR_F16, BFR_F16, BFR_F16, BFR_F16, BFR_F32, BFR_F32, BFR_F32, BFR_F32,
		BFR_AUTO, BFR_AUTO, BFR_AUTO, BFR_AUTO, BFR_U16, BFR_S16, BFR_U32, BFR_S32,
	};
	unsigned int sr = s->sr, fmt = desc >> 24 & 15;
	uint32_t c[3] = { x, y, 0 }, layer = 0, lod, index = desc >> 4 & 127;
	struct texel out;
	struct tex tex;

	if ((desc >> 12 & 7) == 7 && desc >> 22 & 1 && desc & 0x800 && !(desc & 0x38000) &&
	    (desc >> 18 & 3) == 2 && desc >> 28 == 15 && !(fmt & 11)) {
		/* 4 explicit, 5 bias, 6 zero, 7 computed; 8 bits are behind the point */
		unsigned int mode = desc >> 20 & 3;
		double lod = mode < 2 ? (int16_t)t->r[sr & 63] / 256.0 : 0;

		bfr_sample(g, d, t, index, desc & 15, mode & 1, lod, reg[fmt], s);
		return;
	}
	if ((desc >> 12 & 7) != 6 || (desc >> 20 & 7) != 1 || !(desc & 0x800) ||
	    (desc & 0x18000) || desc >> 28 != 15 || (fmt & 3 && fmt < 8)) {
		bfr_fail(g, true, "texture operation %08x", desc);
		return;
	}
	/* staging registers hold, in this order, what the operation has of these */
	if ((desc >> 18 & 3) == 3)
		c[2] = t->r[sr++ & 63];
	lod = t->r[sr++ & 63];
	if (desc >> 17 & 1)
		layer = t->r[sr++ & 63];
	if (!texture(g, d, index, &tex))
		return;
	fetch_texel(g, &tex, c, lod & 0xffff, lod >> 16, layer, &out);
	if (!*g->error)
		deliver(g, &out, reg[fmt], 4, s);
}
