// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Programs of the SIMT machine: arena and builder. */
#include "simt_opt.h"

#define CONST_HASH	1024		/* power of two */
#define MAX_CONSTS	768		/* leaves room in the hash */

/* ---- arena ---- */

void *simt_arena_take(struct simt_arena *a, u64 n, u64 size)
{
	u64 bytes, room, at;

	if (check_mul_overflow(n, size, &bytes))
		return NULL;
	at = (a->used + 63) & ~63ULL;
	if (at > a->size)
		return NULL;
	room = a->size - at;
	if (bytes > room)
		return NULL;
	a->used = at + bytes;
	a->peak = max_t(u64, a->peak, a->used);
	return a->base + at;
}

void *simt_arena_alloc(struct simt_arena *a, u64 n, u64 size)
{
	void *p = simt_arena_take(a, n, size);

	if (p)
		memset(p, 0, n * size);
	return p;
}

struct simt_arena simt_arena_rest(const struct simt_arena *a, u64 size)
{
	u64 at = min((a->used + 63) & ~63ULL, a->size);

	return (struct simt_arena){ .base = a->base + at, .size = min(size, a->size - at) };
}

void simt_arena_reset(struct simt_arena *a, u64 used)
{
	a->used = min_t(u64, used, a->used);
}

/* ---- building ---- */

/**
 * simt_builder_new - start a program
 * @a: arena
 * @max_uops: most micro-ops that will be emitted
 * @max_labels: most labels
 * @nunif: words of uniforms that a launch provides
 *
 * Return: the builder, or NULL.
 */
struct simt_builder *simt_builder_new(struct simt_arena *a, u32 max_uops, u32 max_labels,
				      u32 nunif)
{
	struct simt_builder *b = simt_arena_alloc(a, 1, sizeof(*b));

	if (!b || nunif > SIMT_MAX_UNIF - MAX_CONSTS || max_uops > SIMT_MAX_UOPS)
		return NULL;
	b->arena = a;
	b->max_uops = max_uops;
	b->max_labels = max_labels;
	b->nunif = nunif;
	b->uops = simt_arena_take(a, max_uops, sizeof(*b->uops));
	b->labels = simt_arena_take(a, max_labels, sizeof(*b->labels));
	b->consts = simt_arena_alloc(a, MAX_CONSTS, sizeof(*b->consts));
	b->hash = simt_arena_alloc(a, CONST_HASH, sizeof(*b->hash));
	return b->uops && b->labels && b->consts && b->hash ? b : NULL;
}

static void simt_prog_fail(struct simt_builder *b, int error)
{
	if (!b->error)
		b->error = error;
}

/**
 * simt_builder_label - make the next micro-op the target of branches to a position
 * @b: builder
 * @guest: position
 */
void simt_builder_label(struct simt_builder *b, u32 guest)
{
	if (b->nlabels == b->max_labels) {
		simt_prog_fail(b, -E2BIG);
		return;
	}
	b->labels[b->nlabels++] = (struct simt_label){ .guest = guest, .uop = b->nuops };
}

/**
 * simt_builder_emit - append a micro-op
 * @b: builder
 * @u: micro-op, copied
 */
void simt_builder_emit(struct simt_builder *b, const struct simt_uop *u)
{
	if (b->nuops == b->max_uops) {
		simt_prog_fail(b, -E2BIG);
		return;
	}
	b->uops[b->nuops++] = *u;
}

/**
 * simt_builder_const - operand for a constant
 * @b: builder
 * @bits: its value
 *
 * Return: the operand; equal constants have the same.
 */
u16 simt_builder_const(struct simt_builder *b, u32 bits)
{
	u32 i = (bits * 0x9e3779b1U) >> 22;

	for (;; i = (i + 1) % CONST_HASH) {
		u32 k = b->hash[i];

		if (k && b->consts[k - 1] == bits)
			return SIMT_U | (b->nunif + k - 1);
		if (!k)
			break;
	}
	if (b->nconst == MAX_CONSTS) {
		simt_prog_fail(b, -E2BIG);
		return SIMT_U;
	}
	b->consts[b->nconst++] = bits;
	b->hash[i] = b->nconst;
	return SIMT_U | (b->nunif + b->nconst - 1);
}
