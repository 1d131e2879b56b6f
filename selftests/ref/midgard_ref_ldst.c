// SPDX-License-Identifier: GPL-2.0
/* Load/store bundles of the Midgard reference model. */
#include <math.h>
#include <string.h>

#include "midgard_ref_int.h"
#include "midgard_ref_num.h"

/* Decoded load/store operation. */
struct op {
	unsigned int op;
	unsigned int reg;
	unsigned int mask;
	unsigned int swizzle;
	unsigned int arg_comp, arg_reg;
	bool toggle;
	unsigned int index_format;
	unsigned int index_comp, index_reg, index_shift;
	int offset;
};

/* Execution state; @al: r26 and r27 before the bundle. */
struct state {
	struct mrf *g;
	const struct mgr_draw *d;
	struct mgr_thread *t;
	struct mgr_reg al[2];
};

/* Types of the converting operations, by the low two bits of their code. */
static const enum mrf_regfmt kinds[4] = { MRF_F32, MRF_F16, MRF_U32, MRF_S32 };

/* The eight registers that arguments are read from. */
static void argument(const struct state *s, unsigned int n, struct mgr_reg *r)
{
	const struct mgr_thread *t = s->t;
	const uint32_t *id = n == 4 ? t->local : n == 5 ? t->group : t->global;
	unsigned int i;

	memset(r, 0, sizeof(*r));
	switch (n) {
	case 0:
	case 1:
		*r = s->al[n];
		break;
	case 2:
		mgr_set_word(r, 0, (uint32_t)t->pc);
		mgr_set_word(r, 1, (uint32_t)(t->pc >> 32));
		mgr_set_word(r, 2, (uint32_t)t->tls);
		mgr_set_word(r, 3, (uint32_t)(t->tls >> 32));
		break;
	case 3:
		mgr_set_word(r, 0, (uint32_t)t->tls);
		mgr_set_word(r, 1, (uint32_t)(t->tls >> 32));
		mgr_set_word(r, 2, (uint32_t)t->wls);
		mgr_set_word(r, 3, (uint32_t)(t->wls >> 32));
		break;
	case 4:
	case 5:
	case 6:
		for (i = 0; i < 3; i++)
			mgr_set_word(r, i, id[i]);
		break;
	}
}

static uint32_t arg32(const struct state *s, unsigned int reg, unsigned int comp)
{
	struct mgr_reg r;

	argument(s, reg, &r);
	return mgr_word(&r, comp);
}

/* 64 bits from an even component. */
static uint64_t arg64(const struct state *s, unsigned int reg, unsigned int comp)
{
	struct mgr_reg r;

	argument(s, reg, &r);
	if (comp & 1)
		mrf_fail(s->g, true, "address from component %u", comp);
	return mgr_pair(&r, comp & 2);
}

/* Four words of an argument register in the order of the swizzle. */
static void swizzled(const struct state *s, unsigned int reg, unsigned int swizzle, uint32_t *out)
{
	struct mgr_reg r;
	unsigned int i;

	argument(s, reg, &r);
	for (i = 0; i < 4; i++)
		out[i] = mgr_word(&r, swizzle >> (2 * i) & 3);
}

static void write_dest(const struct state *s, const struct op *o, const uint32_t *v)
{
	struct mgr_reg *to;

	if (o->reg == 26 || o->reg == 27)
		to = &s->t->al[o->reg - 26];
	else if (o->reg == 28 || o->reg == 29)
		to = &s->t->at[o->reg - 28];
	else if (o->mask)
		to = mgr_work_reg(s->g, s->d, s->t, o->reg);
	else
		return;
	if (to)
		mgr_write_words(to, v, o->mask);
}

/* Write the fetched value in swizzle order. */
static void write_swizzled(const struct state *s, const struct op *o, const uint32_t *v)
{
	uint32_t out[4];
	unsigned int i;

	for (i = 0; i < 4; i++)
		out[i] = v[o->swizzle >> (2 * i) & 3];
	write_dest(s, o, out);
}

/* ---- memory ---- */

static uint64_t address(const struct state *s, const struct op *o, bool with_index)
{
	uint64_t base, index = 0;

	base = o->toggle ? arg64(s, o->arg_reg, o->arg_comp) :
		arg32(s, o->arg_reg, o->arg_comp);
	if (with_index && o->index_reg != 7) {
		switch (o->index_format) {
		case 1:
			index = arg64(s, o->index_reg, o->index_comp);
			break;
		case 2:
			index = arg32(s, o->index_reg, o->index_comp);
			break;
		case 3:
			index = (uint64_t)(int32_t)arg32(s, o->index_reg, o->index_comp);
			break;
		default:
			mrf_fail(s->g, true, "index format 0");
		}
	}
	return base + (index << o->index_shift) + (uint64_t)(int64_t)o->offset;
}

/* Bytes of an access, and of the units in which they are swapped; 0: not one of these. */
static unsigned int access_size(unsigned int op, unsigned int *swap, bool *is_signed)
{
	static const struct { uint8_t size, swap; bool is_signed; } sizes[20] = {
		[0] = { 1, 1, false }, [1] = { 1, 1, true }, [4] = { 2, 1, false },
		[5] = { 2, 1, true }, [6] = { 2, 2, false }, [7] = { 2, 2, true },
		[8] = { 4, 1, false }, [9] = { 4, 2, false }, [10] = { 4, 4, false },
		[12] = { 8, 1, false }, [13] = { 8, 2, false }, [14] = { 8, 4, false },
		[15] = { 8, 8, false }, [16] = { 16, 1, false }, [17] = { 16, 2, false },
		[18] = { 16, 4, false }, [19] = { 16, 8, false },
	};

	if (op > 19)
		return 0;
	*swap = sizes[op].swap;
	*is_signed = sizes[op].is_signed;
	return sizes[op].size;
}

static void swap_bytes(uint8_t *p, unsigned int n, unsigned int unit)
{
	unsigned int i, k;
	uint8_t b;

	for (i = 0; i < n; i += unit)
		for (k = 0; k < unit / 2; k++) {
			b = p[i + k];
			p[i + k] = p[i + unit - 1 - k];
			p[i + unit - 1 - k] = b;
		}
}

/* Sixteen bytes as words; less than a word is extended. */
static void words(const uint8_t *p, unsigned int n, bool is_signed, uint32_t *v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		v[i] = 0;
	if (n < 4) {
		v[0] = mrf_get(p, n);
		if (is_signed)
			v[0] = (uint32_t)mgr_sext(v[0], 8 * n);
		return;
	}
	for (i = 0; i < n / 4; i++)
		v[i] = mrf_get(p + 4 * i, 4);
}

static void load(const struct state *s, const struct op *o, unsigned int n, unsigned int swap,
		 bool is_signed, const uint8_t *from)
{
	uint8_t bytes[16] = { 0 };
	uint32_t v[4];

	memcpy(bytes, from, n);
	swap_bytes(bytes, n, swap);
	words(bytes, n, is_signed, v);
	write_swizzled(s, o, v);
}

static void load_memory(const struct state *s, const struct op *o)
{
	static const uint8_t zero[16];
	unsigned int swap, n;
	bool is_signed;
	const uint8_t *p;
	uint64_t va;

	n = access_size(o->op - 0x80, &swap, &is_signed);
	va = address(s, o, true);
	p = n ? mrf_at(s->g, va, n) : NULL;
	/* helpers compute addresses without bounds checks */
	if (n && !p && !s->t->covered)
		p = zero;
	if (p)
		load(s, o, n, swap, is_signed, p);
	else
		mrf_fail(s->g, !n, "load %02x at %llx", o->op, (unsigned long long)va);
}

/* Buffers are numbered by fields that have no other use; a set bit 0 has not been seen. */
static void load_ubo(const struct state *s, const struct op *o)
{
	unsigned int swap, n = access_size(o->op - 0xa0, &swap, &(bool){ false }), buffer;
	uint32_t offset = (uint32_t)(o->offset >> 2);
	const uint8_t *p;

	if (!n || o->offset & 1) {
		mrf_fail(s->g, true, "UBO load %02x, offset %x", o->op, o->offset);
		return;
	}
	buffer = o->arg_comp | o->arg_reg << 2 | o->toggle << 5 | o->index_format << 6;
	offset += arg32(s, o->index_reg, o->index_comp) << o->index_shift;
	p = mrf_ubo(s->g, &s->d->d, offset, buffer, n);
	if (p)
		load(s, o, n, swap, o->op & 1, p);
	else
		mrf_fail(s->g, false, "UBO %u is not mapped at %x", buffer, offset);
}

/* A mask bit covers a quarter of the stored value, but at least a byte. */
static void store_memory(const struct state *s, const struct op *o)
{
	unsigned int swap, n, i;
	uint8_t bytes[16], *p;
	bool is_signed;
	uint32_t v[4];
	uint64_t va;

	n = access_size(o->op - 0xc0, &swap, &is_signed);
	va = address(s, o, true);
	if (!n || o->reg > 1) {
		mrf_fail(s->g, true, "store %02x of register %u", o->op, o->reg);
		return;
	}
	swizzled(s, o->reg, o->swizzle, v);
	for (i = 0; i < 4; i++)
		mrf_put(bytes + 4 * i, 4, v[i]);
	swap_bytes(bytes, n, swap);
	if (!s->t->covered)
		return;
	p = mrf_at(s->g, va, n);
	if (!p) {
		mrf_fail(s->g, false, "store at %llx", (unsigned long long)va);
		return;
	}
	for (i = 0; i < n; i++)
		if (o->mask >> (n < 4 ? i : 4 * i / n) & 1)
			p[i] = bytes[i];
}

/* ---- atomics ---- */

static uint64_t combine(unsigned int op, uint64_t a, uint64_t b, unsigned int bits)
{
	bool less = op == 4 || op == 6 ? mgr_sext(a, bits) < mgr_sext(b, bits) : a < b;

	switch (op) {
	case 0:
		return a + b;
	case 1:
		return a & b;
	case 2:
		return a | b;
	case 3:
		return a ^ b;
	case 4:
	case 5:
		return less ? a : b;
	case 6:
	case 7:
		return less ? b : a;
	default:
		return b;
	}
}

static uint64_t get_value(const struct state *s, unsigned int reg, unsigned int comp, bool wide)
{
	return wide ? arg64(s, reg, comp) : arg32(s, reg, comp);
}

/*
 * The swizzle field encodes the value, the index field the comparand. All components get
 * the old value. Address 0 is a texel outside its image.
 */
static void atomic(const struct state *s, const struct op *o)
{
	bool wide = o->op & 1, exchange = (o->op & 0x3c) == 0x24;
	unsigned int n = wide ? 8 : 4, i;
	uint64_t va = address(s, o, !exchange), old = 0, v, with;
	uint8_t bytes[8], *p = mrf_at(s->g, va, n);
	uint32_t out[4];

	v = get_value(s, o->swizzle >> 2 & 7, o->swizzle & 3, wide);
	with = exchange ? get_value(s, o->index_reg, o->index_comp, wide) : 0;
	if (!p && va && s->t->covered)
		mrf_fail(s->g, false, "atomic at %llx", (unsigned long long)va);
	if (p) {
		memcpy(bytes, p, n);
		swap_bytes(bytes, n, o->op & 2 ? n : 1);
		old = mrf_get(bytes, 4) | (wide ? (uint64_t)mrf_get(bytes + 4, 4) << 32 : 0);
	}
	if (p && s->t->covered) {
		if (exchange)
			v = old == with ? v : old;
		else
			v = combine(o->op >> 2 & 15, old, v, 8 * n);
		mrf_put(bytes, 4, (uint32_t)v);
		if (wide)
			mrf_put(bytes + 4, 4, (uint32_t)(v >> 32));
		swap_bytes(bytes, n, o->op & 2 ? n : 1);
		memcpy(p, bytes, n);
	}
	for (i = 0; i < 4; i++)
		out[i] = (uint32_t)(wide && i & 1 ? old >> 32 : old);
	write_dest(s, o, out);
}

/* ---- attributes, varyings, images ---- */

/* The number of a descriptor. */
static unsigned int number(const struct state *s, const struct op *o)
{
	return (arg32(s, o->index_reg, o->index_comp) << o->index_shift) +
		(uint32_t)(o->offset >> 9);
}

/* Bit 0 of the index format: the register type comes from the descriptor. */
static enum mrf_regfmt regfmt(const struct op *o)
{
	if (o->index_format & 1)
		return MRF_AUTO;
	return kinds[o->op & 3];
}

static void converted(const struct state *s, const struct op *o, const struct mrf_texel *x)
{
	uint32_t v[4] = { 0 };

	mrf_deliver(s->g, x, regfmt(o), 4, v);
	if (!*s->g->error)
		write_swizzled(s, o, v);
}

/* Bit 1 of the index format: the second table, that of varyings. */
static void second_table(const struct op *o, const struct mrf_draw *d, struct mrf_draw *out)
{
	*out = *d;
	if (!(o->index_format & 2))
		return;
	out->attributes = d->varyings;
	out->nattributes = d->nvaryings;
	out->buffers = d->varbufs;
}

static void load_attribute(const struct state *s, const struct op *o)
{
	uint32_t vertex = s->t->vertex, instance = s->t->instance;
	struct mrf_texel x = { 0 };
	struct mrf_draw d;

	second_table(o, &s->d->d, &d);
	if (o->toggle) {
		vertex = arg32(s, o->arg_reg, o->arg_comp) +
			(uint32_t)mgr_sext(o->offset & 0x1ff, 9);
		instance = 0;
	}
	mrf_ld_attr(s->g, &d, number(s, o), vertex, instance, &x);
	converted(s, o, &x);
}

/* A varying divided by one of its components; that of a cube as its two coordinates. */
static void project(struct mrf_texel *x, unsigned int by)
{
	uint32_t w = x->v[by];
	unsigned int i;

	for (i = 0; i < 4; i++)
		x->v[i] = mrf_to_single((double)mrf_f(x->v[i]) / mrf_f(w), MRF_RTE);
}

static void load_varying(const struct state *s, const struct op *o)
{
	unsigned int params = o->offset & 0x1ff;
	struct mrf_texel x = { 0 };

	if (!(o->index_format & 2)) {
		mrf_fail(s->g, true, "varying of the first table");
		return;
	}
	mgr_varying(s->g, s->d, s->t, number(s, o), params, &x);
	if (params & 4)
		mrf_fail(s->g, true, "varying modifier %u", params & 7);
	else if (params & 3)
		project(&x, params & 3);
	converted(s, o, &x);
}

static void store_varying(const struct state *s, const struct op *o)
{
	uint32_t v[4], fmt;
	uint64_t va;

	if (!(o->index_format & 2) || o->reg > 1) {
		mrf_fail(s->g, true, "varying of the first table, or register %u", o->reg);
		return;
	}
	swizzled(s, o->reg, o->swizzle, v);
	va = mrf_lea_varying(s->g, &s->d->d, number(s, o), s->t->vertex, s->t->instance, &fmt);
	if (!*s->g->error)
		mrf_st_cvt(s->g, va, mrf_conversion(fmt, regfmt(o)), 4, v);
}

/* Halves of one word; with 64 bits the third is in the next one. */
static void coordinates(const struct state *s, const struct op *o, uint32_t *xy, uint32_t *z)
{
	*xy = arg32(s, o->arg_reg, o->arg_comp);
	*z = o->toggle ? arg32(s, o->arg_reg, o->arg_comp + 1) & 0xffff : 0;
}

static void load_image(const struct state *s, const struct op *o)
{
	struct mrf_texel x = { 0 };
	struct mrf_draw d;
	uint32_t xy, z;

	second_table(o, &s->d->d, &d);
	coordinates(s, o, &xy, &z);
	mrf_ld_image(s->g, &d, number(s, o), xy, z, &x);
	converted(s, o, &x);
}

static uint64_t image_address(const struct state *s, const struct op *o, uint32_t *fmt)
{
	struct mrf_draw d;
	uint32_t xy, z;

	second_table(o, &s->d->d, &d);
	coordinates(s, o, &xy, &z);
	return mrf_lea_image(s->g, &d, number(s, o), xy, z, fmt);
}

static void store_image(const struct state *s, const struct op *o)
{
	uint32_t v[4], fmt;
	uint64_t va;

	if (o->reg > 1) {
		mrf_fail(s->g, true, "image store of register %u", o->reg);
		return;
	}
	swizzled(s, o->reg, o->swizzle, v);
	va = image_address(s, o, &fmt);
	if (!*s->g->error && s->t->covered)
		mrf_st_cvt(s->g, va, mrf_conversion(fmt, regfmt(o)), 4, v);
}

static void put_address(const struct state *s, const struct op *o, uint64_t va)
{
	uint32_t v[4] = { (uint32_t)va, (uint32_t)(va >> 32), 0, 0 };

	v[2] = v[0];
	v[3] = v[1];
	write_dest(s, o, v);
}

/* ---- other operations ---- */

/*
 * Face and coordinates on it, per the usual cube map tables. The two words have an
 * encoding private to this model and its texture operations: coordinates from 0 to 1, with
 * the face above them in bits that are zero in such numbers.
 */
static void cube(const struct state *s, const struct op *o)
{
	/* for x, y, z: which coordinates, and their signs for a positive and a negative axis */
	static const struct { uint8_t s, t; int8_t ss[2], ts[2]; } face[3] = {
		{ 2, 1, { -1, 1 }, { -1, -1 } }, { 0, 2, { 1, 1 }, { 1, -1 } },
		{ 0, 1, { 1, -1 }, { -1, -1 } },
	};
	unsigned int axis = 0, minus, i, f;
	uint32_t in[4], v[4] = { 0 };
	double c[3], m, a, b;

	if (!o->toggle) {
		mrf_fail(s->g, true, "cube coordinates of 16 bits");
		return;
	}
	swizzled(s, o->arg_reg, o->swizzle, in);
	for (i = 0; i < 3; i++)
		c[i] = mrf_f(in[i]);
	if (fabs(c[1]) > fabs(c[axis]))
		axis = 1;
	if (fabs(c[2]) > fabs(c[axis]))
		axis = 2;
	m = fabs(c[axis]);
	minus = signbit(c[axis]) ? 1 : 0;
	f = 2 * axis + minus;
	if (m > 0) {
		a = face[axis].ss[minus] * c[face[axis].s] / m;
		b = face[axis].ts[minus] * c[face[axis].t] / m;
		v[0] = mrf_to_single(0.5 * (a + 1), MRF_RTE);
		v[1] = mrf_to_single(0.5 * (b + 1), MRF_RTE);
	}
	v[0] |= (f & 3) << 30;
	v[1] |= f >> 2 << 30;
	write_dest(s, o, v);
}

static void divide(const struct state *s, const struct op *o)
{
	struct mrf_texel x = { 0 };

	if (!o->toggle) {
		mrf_fail(s->g, true, "division of 16 bits");
		return;
	}
	swizzled(s, o->arg_reg, o->swizzle, x.v);
	project(&x, o->op - 0x10);
	x.v[3] = 0x3f800000;
	write_dest(s, o, x.v);
}

/* A format, 22 bits of it in two fields, that turns four components into words. */
static void colour(const struct state *s, const struct op *o)
{
	uint32_t fmt = ((uint32_t)o->offset << 4 | o->index_shift) & 0x3fffff, in[4], v[4] = { 0 };
	struct mrf_texel x = { 0 };
	uint8_t bytes[16] = { 0 };
	unsigned int i;

	swizzled(s, o->arg_reg, o->swizzle, in);
	if (o->op < 8) {
		for (i = 0; i < 4; i++)
			mrf_put(bytes + 4 * i, 4, in[i]);
		mrf_unpack_bytes(s->g, fmt, bytes, &x);
		mrf_deliver(s->g, &x, kinds[o->op & 3], 4, v);
	} else {
		mrf_pack(s->g, mrf_conversion(fmt, kinds[o->op & 3]), 4, in, bytes);
		for (i = 0; i < 4; i++)
			v[i] = mrf_get(bytes + 4 * i, 4);
	}
	if (!*s->g->error)
		write_dest(s, o, v);
}

static void load_special(const struct state *s, const struct op *o)
{
	uint32_t v[4] = { 0 };

	switch (number(s, o)) {
	case 96:
		/* sample mask */
		v[0] = s->t->covered;
		break;
	case 97:
		/* sample */
		break;
	default:
		mrf_fail(s->g, true, "special value %u", number(s, o));
	}
	write_swizzled(s, o, v);
}

/* Load from the only render target, RGBA8 or raw. */
static void load_tile(const struct state *s, const struct op *o)
{
	struct mrf_texel x = { 0 };
	uint32_t *texel = mgr_target(s->g, s->t), v[4] = { 0 };
	unsigned int i;

	if (texel && o->op == 0xba) {
		v[0] = *texel;
		write_swizzled(s, o, v);
		return;
	}
	for (i = 0; i < 4 && texel; i++)
		x.v[i] = mrf_to_single((*texel >> (8 * i) & 255) / 255.0, MRF_RTE);
	mrf_deliver(s->g, &x, kinds[o->op & 1], 4, v);
	write_swizzled(s, o, v);
}

static void execute(const struct state *s, const struct op *o)
{
	uint32_t v[4], fmt;

	switch (o->op) {
	case 0x03:
		break;
	case 0x04 ... 0x0b:
		colour(s, o);
		break;
	case 0x0c:
		put_address(s, o, address(s, o, true));
		break;
	case 0x0d:
		put_address(s, o, image_address(s, o, &fmt));
		break;
	case 0x0e:
		cube(s, o);
		break;
	case 0x10:
		swizzled(s, o->arg_reg, o->swizzle, v);
		write_dest(s, o, v);
		break;
	case 0x11 ... 0x13:
		divide(s, o);
		break;
	case 0x40 ... 0x67:
		atomic(s, o);
		break;
	case 0x80 ... 0x93:
		load_memory(s, o);
		break;
	case 0x94 ... 0x97:
		load_attribute(s, o);
		break;
	case 0x98 ... 0x9b:
		load_varying(s, o);
		break;
	case 0x9e ... 0x9f:
		load_special(s, o);
		break;
	case 0xa0 ... 0xb3:
		load_ubo(s, o);
		break;
	case 0xb4 ... 0xb7:
		load_image(s, o);
		break;
	case 0xb8 ... 0xba:
		load_tile(s, o);
		break;
	case 0xc0 ... 0xd3:
		store_memory(s, o);
		break;
	case 0xd4 ... 0xd7:
		store_varying(s, o);
		break;
	case 0xd8 ... 0xdb:
		store_image(s, o);
		break;
	default:
		mrf_fail(s->g, o->op != 0xfc, "load/store operation %02x", o->op);
	}
}

static void decode(const uint32_t *w, unsigned int at, struct op *o)
{
	uint64_t v = mgr_bits(w, at, 60);

	o->op = v & 255;
	o->reg = v >> 8 & 31;
	o->mask = v >> 13 & 15;
	o->swizzle = v >> 17 & 255;
	o->arg_comp = v >> 25 & 3;
	o->arg_reg = v >> 27 & 7;
	o->toggle = v >> 30 & 1;
	o->index_format = v >> 31 & 3;
	o->index_comp = v >> 33 & 3;
	o->index_reg = v >> 35 & 7;
	o->index_shift = v >> 38 & 15;
	o->offset = (int)mgr_sext(v >> 42, 18);
}

void mgr_exec_ldst(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		   const uint32_t *w)
{
	struct state s = { g, d, t, { t->al[0], t->al[1] } };
	struct op o;

	decode(w, 8, &o);
	execute(&s, &o);
	decode(w, 68, &o);
	if (!*g->error)
		execute(&s, &o);
}
