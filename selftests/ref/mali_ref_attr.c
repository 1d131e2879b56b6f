// SPDX-License-Identifier: GPL-2.0
/* Attributes, varyings and images, of the Mali reference models. */
#include <string.h>

#include "mali_ref_int.h"

/* Buffers of v5 that have no memory. */
enum { VERTEX_ID = 34, INSTANCE_ID = 36 };

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

static bool attribute(struct mrf *g, const struct mrf_draw *d, unsigned int index, struct attr *a)
{
	uint32_t w, lo, hi;

	if (index >= d->nattributes) {
		mrf_fail(g, false, "attribute %u of %u", index, d->nattributes);
		return false;
	}
	w = mrf_load(g, d->attributes + 8 * index);
	a->offset = mrf_load(g, d->attributes + 8 * index + 4);
	a->fmt = w >> 10;
	a->buffer = d->buffers + 16 * (w & 511);
	lo = mrf_load(g, a->buffer);
	hi = mrf_load(g, a->buffer + 4);
	a->type = lo & 63;
	a->base = ((uint64_t)(hi & 0xffffff) << 32 | lo) & ~63ull;
	a->stride = mrf_load(g, a->buffer + 8);
	a->size = mrf_load(g, a->buffer + 12);
	return !*g->error;
}

/* Vertex or instance number to element of the buffer. */
static uint32_t element(struct mrf *g, const struct mrf_draw *d, const struct attr *a,
			uint32_t vertex, uint32_t instance)
{
	uint32_t linear = instance * d->padded + vertex, hi = mrf_load(g, a->buffer + 4);
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
		uint64_t num = mrf_load(g, a->buffer + 20) | 0x80000000u;

		return (uint32_t)((linear + (uint64_t)(p & 1)) * num >> 32 >> r);
	}
	default:
		mrf_fail(g, true, "attribute buffer type %u", a->type);
		return 0;
	}
}

/* Element index: of the vertex or the instance, plus the buffer's offset. */
static uint32_t number(struct mrf *g, const struct mrf_draw *d, const struct attr *a,
		       uint32_t vertex, uint32_t instance)
{
	uint32_t linear = instance * d->padded + vertex, hi = mrf_load(g, a->buffer + 4);
	uint64_t all = (2ull * (hi >> 29) + 1) << (hi >> 24 & 31);

	if (a->type == VERTEX_ID)
		return (uint32_t)(linear % all) + a->size;
	return (uint32_t)((linear + (uint64_t)(hi >> 29 & 1)) * (a->stride | 1ull << 31) >> 32 >>
			  (hi >> 24 & 31)) + a->size;
}

void mrf_ld_attr(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t vertex,
		 uint32_t instance, struct mrf_texel *x)
{
	struct attr a;
	uint64_t at;

	memset(x, 0, sizeof(*x));
	if (!attribute(g, d, index, &a))
		return;
	if (g->arch == 5 && (a.type == VERTEX_ID || a.type == INSTANCE_ID)) {
		x->kind = MRF_SINTS;
		x->v[0] = number(g, d, &a, vertex, instance);
		return;
	}
	at = (uint64_t)element(g, d, &a, vertex, instance) * a.stride + (int32_t)a.offset;
	if (at < a.size)
		mrf_unpack(g, a.fmt, a.base + at, x);
}

/* Offset of a texel in blocks of 16 x 16 whose coordinate bits are interleaved. */
uint32_t mrf_interleaved(uint32_t x, uint32_t y, uint32_t bytes, uint32_t row)
{
	uint32_t in = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		in |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return (y >> 4) * row + ((x >> 4) * 256 + in) * bytes;
}

/* Image coordinates: halves of one word, then the third. Return: 0: outside. */
static uint64_t image(struct mrf *g, const struct attr *a, uint32_t xy, uint32_t z)
{
	uint32_t st = mrf_load(g, a->buffer + 16), tr = mrf_load(g, a->buffer + 20);
	uint32_t row = mrf_load(g, a->buffer + 24), slice = mrf_load(g, a->buffer + 28);
	uint32_t x = xy & 0xffff, y = xy >> 16, at;

	if ((a->type != 5 && a->type != 6) || (st & 63) != 32) {
		mrf_fail(g, true, "image in buffer type %u", a->type);
		return 0;
	}
	if (x > st >> 16 || y > (tr & 0xffff) || z > tr >> 16)
		return 0;
	at = a->type == 6 ? mrf_interleaved(x, y, a->stride, row) : y * row + x * a->stride;
	return a->base + at + (uint64_t)z * slice;
}

void mrf_ld_image(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t xy,
		  uint32_t z, struct mrf_texel *x)
{
	struct attr a;
	uint64_t va;

	memset(x, 0, sizeof(*x));
	if (!attribute(g, d, index, &a))
		return;
	va = image(g, &a, xy, z);
	if (va)
		mrf_unpack(g, a.fmt, va, x);
}

uint64_t mrf_lea_image(struct mrf *g, const struct mrf_draw *d, unsigned int index, uint32_t xy,
		       uint32_t z, uint32_t *fmt)
{
	struct attr a;

	*fmt = 0;
	if (!attribute(g, d, index, &a))
		return 0;
	*fmt = a.fmt;
	return image(g, &a, xy, z);
}

uint64_t mrf_lea_varying(struct mrf *g, const struct mrf_draw *d, unsigned int index,
			 uint32_t vertex, uint32_t instance, uint32_t *fmt)
{
	struct mrf_draw v = *d;
	struct attr a;

	*fmt = 0;
	v.attributes = d->varyings;
	v.buffers = d->varbufs;
	v.nattributes = g->arch == 5 ? d->nvaryings : 16;
	if (!attribute(g, &v, index, &a))
		return 0;
	*fmt = a.fmt;
	return a.base + (uint64_t)element(g, &v, &a, vertex, instance) * a.stride +
		(int32_t)a.offset;
}
