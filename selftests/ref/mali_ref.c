// SPDX-License-Identifier: GPL-2.0
/* Reference models: memory and the jobs that all Mali GPUs have. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mali_ref_int.h"

void mrf_fail(struct mrf *g, bool unsupported, const char *fmt, ...)
{
	va_list ap;

	if (*g->error)
		return;
	g->unsupported = unsupported;
	va_start(ap, fmt);
	vsnprintf(g->error, sizeof(g->error), fmt, ap);
	va_end(ap);
}

bool mrf_map(struct mrf *g, uint64_t va, uint64_t size)
{
	unsigned int i;

	if (g->nbo == MRF_MAX_BOS || !size || va + size < va)
		return false;
	for (i = 0; i < g->nbo; i++)
		if (va < g->bo[i].va + g->bo[i].size && g->bo[i].va < va + size)
			return false;
	g->bo[g->nbo].va = va;
	g->bo[g->nbo].size = size;
	g->bo[g->nbo].bytes = calloc(1, size);
	return g->bo[g->nbo++].bytes;
}

uint8_t *mrf_at(struct mrf *g, uint64_t va, uint64_t n)
{
	unsigned int i;

	for (i = 0; i < g->nbo; i++)
		if (va >= g->bo[i].va && n <= g->bo[i].size &&
		    va - g->bo[i].va <= g->bo[i].size - n)
			return g->bo[i].bytes + (va - g->bo[i].va);
	return NULL;
}

void mrf_free(struct mrf *g)
{
	unsigned int i;

	for (i = 0; i < g->nbo; i++)
		free(g->bo[i].bytes);
	memset(g, 0, sizeof(*g));
}

uint32_t mrf_get(const uint8_t *p, unsigned int n)
{
	uint32_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (uint32_t)p[i] << (8 * i);
	return v;
}

void mrf_put(uint8_t *p, unsigned int n, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

uint32_t mrf_load(struct mrf *g, uint64_t va)
{
	const uint8_t *p = mrf_at(g, va, 4);

	if (p)
		return mrf_get(p, 4);
	mrf_fail(g, false, "read of %llx", (unsigned long long)va);
	return 0;
}

uint64_t mrf_load64(struct mrf *g, uint64_t va)
{
	uint64_t lo = mrf_load(g, va);

	return lo | (uint64_t)mrf_load(g, va + 4) << 32;
}

/* Six sizes less one, packed into a word; where each begins is in the next word. */
void mrf_dims(struct mrf *g, uint64_t va, struct mrf_dims *dm)
{
	uint32_t v = mrf_load(g, va), at = mrf_load(g, va + 4);
	unsigned int b[7], i;

	b[0] = 0;
	b[1] = at & 31;
	b[2] = at >> 5 & 31;
	b[3] = at >> 10 & 63;
	b[4] = at >> 16 & 63;
	b[5] = at >> 22 & 63;
	b[6] = 32;
	for (i = 0; i < 6; i++) {
		unsigned int n = 0;

		if (b[i] > b[i + 1] || b[i + 1] > 32) {
			mrf_fail(g, false, "invocation %x %x", v, at);
			return;
		}
		if (b[i] < 32)
			n = (uint32_t)((uint64_t)v >> b[i] &
				       ((1ull << (b[i + 1] - b[i])) - 1));
		(i < 3 ? dm->local : dm->groups)[i % 3] = n + 1;
	}
}

uint8_t *mrf_ubo(struct mrf *g, const struct mrf_draw *d, uint32_t offset, uint32_t index,
		 uint32_t n)
{
	static uint8_t part[16];
	uint64_t e, size;
	uint8_t *p;

	memset(part, 0, sizeof(part));
	if (index >= d->nubos)
		return part;
	e = mrf_load64(g, d->ubos + 8 * (uint64_t)index);
	size = 16 * ((e & 0xfff) + 1);
	/* undocumented; robust access returns zeros out of range */
	if (!e || offset >= size)
		return part;
	if ((uint64_t)offset + n <= size)
		return mrf_at(g, (e >> 12 << 4) + offset, n);
	/* compilers fetch 16 bytes although they need 12 */
	p = mrf_at(g, (e >> 12 << 4) + offset, size - offset);
	if (p)
		memcpy(part, p, size - offset);
	return part;
}

uint32_t mrf_atom_op(unsigned int op, uint32_t a, uint32_t b)
{
	switch (op) {
	case MRF_ADD:
		return a + b;
	case MRF_SMIN:
		return (int32_t)a < (int32_t)b ? a : b;
	case MRF_SMAX:
		return (int32_t)a > (int32_t)b ? a : b;
	case MRF_UMIN:
		return a < b ? a : b;
	case MRF_UMAX:
		return a > b ? a : b;
	case MRF_AND:
		return a & b;
	case MRF_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

void mrf_write_value(struct mrf *g, uint64_t job)
{
	uint32_t type = mrf_load(g, job + 40);
	unsigned int n = type == 3 || type == 6 ? 4 : type == 7 ? 8 : 0;
	uint8_t *to = mrf_at(g, mrf_load64(g, job + 32), n), *from = mrf_at(g, job + 48, 8);

	/* zero, immediates of 32 and 64 bits; the others are counters and time */
	if (!n)
		mrf_fail(g, true, "write value type %u", type);
	else if (!to || !from)
		mrf_fail(g, false, "write value outside memory");
	else if (type == 3)
		memset(to, 0, n);
	else
		memcpy(to, from, n);
}

bool mrf_clear_color(struct mrf *g, uint64_t job, uint32_t *color)
{
	uint64_t fb;

	if ((mrf_load(g, job + 16) >> 1 & 127) != 9)
		return false;
	fb = mrf_load64(g, job + 40);
	/* render targets are after the parameters, and after depth's if it has any */
	*color = mrf_load(g, (fb & ~63ull) + (fb & 2 ? 192 : 128) + 48);
	return !*g->error;
}

void mrf_draw_state(struct mrf *g, uint64_t dcd, struct mrf_draw *d)
{
	uint64_t rsd = mrf_load64(g, dcd + 56);
	uint32_t w = mrf_load(g, dcd);

	memset(d, 0, sizeof(*d));
	d->ubos = mrf_load64(g, dcd + 24);
	d->textures = mrf_load64(g, dcd + 32);
	d->samplers = mrf_load64(g, dcd + 40);
	d->push = mrf_load64(g, dcd + 48);
	d->buffers = mrf_load64(g, dcd + 64);
	d->attributes = mrf_load64(g, dcd + 72);
	d->varbufs = mrf_load64(g, dcd + 80);
	d->varyings = mrf_load64(g, dcd + 88);
	d->state = rsd;
	d->offset = mrf_load(g, dcd + 4);
	/* odd factor in the three high bits, power of two in the five low ones */
	d->padded = (2 * (w >> 21 & 7) + 1) << (w >> 16 & 31);
	d->code = mrf_load64(g, rsd) & ~15ull;
	d->nsamplers = mrf_load(g, rsd + 8) & 0xffff;
	d->ntextures = mrf_load(g, rsd + 8) >> 16;
	d->nattributes = mrf_load(g, rsd + 12) & 0xffff;
	d->nvaryings = mrf_load(g, rsd + 12) >> 16;
	d->nubos = mrf_load(g, rsd + 16) & 0xff;
}

void mrf_chain(struct mrf *g, uint64_t chain,
	       void (*run)(struct mrf *g, uint64_t job, unsigned int type))
{
	uint64_t job = chain, next;
	uint32_t type, done = 1;
	unsigned int n = 0;

	*g->error = 0;
	while (job && !*g->error && n++ < 1000) {
		if (!mrf_at(g, job, 64)) {
			mrf_fail(g, false, "no job at %llx", (unsigned long long)job);
			break;
		}
		type = mrf_load(g, job + 16) >> 1 & 127;
		next = mrf_load64(g, job + 24);
		if (type == 2)
			mrf_write_value(g, job);
		else if (type != 1 && type != 3)
			run(g, job, type);
		if (!*g->error)
			memcpy(mrf_at(g, job, 4), &done, 4);
		job = next;
	}
	if (job && !*g->error)
		mrf_fail(g, false, "endless chain");
}
