// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Geometry output: vertex slots, primitives, output banks. */
#include "vs_intern.h"

/* Bits of a SETEMIT value. */
#define LATCH_SLOT(v)	((v) & 3)
#define LATCH_PRIM	4
#define LATCH_INVERT	8

/*
 * Primitives take 10 us and more if all lanes have one of many outputs: words of vertices per unit
 * of time, and units for a copy of outputs.
 */
#define WORDS_PER_TIME	4
#define COPY_TIME	128

/**
 * vs_emit_reset - discard vertices and primitives
 * @w: worker
 */
void vs_emit_reset(struct vs_worker *w)
{
	memset(w->latch, 0, sizeof(w->latch));
	memset(w->prims, 0, sizeof(w->prims));
	/* Only programs that read vertices they have not emitted depend on these. */
	if (w->ph->l.prog->carries || w->ph->l.flags & VS_LAUNCH_KEEP)
		memset(w->emit, 0, sizeof(w->emit));
}

/**
 * vs_emit_setemit - execute SETEMIT: set the latch
 * @w: worker
 * @mask: lanes
 * @imm: value
 */
void vs_emit_setemit(struct vs_worker *w, u64 mask, u32 imm)
{
	for (; mask; mask &= mask - 1)
		w->latch[__ffs64(mask)] = imm;
}

/* Copy the lanes of @mask, mostly all of them or just one. */
static void copy_lanes(u32 *dst, const u32 *src, u64 mask)
{
	if (mask == ~0ULL) {
		memcpy(dst, src, VS_LANES * sizeof(*dst));
		return;
	}
	for (; mask; mask &= mask - 1)
		dst[__ffs64(mask)] = src[__ffs64(mask)];
}

static void swap_lanes(u32 *a, u32 *b, u64 mask)
{
	u32 tmp[VS_LANES];

	if (mask == 1) {
		swap(*a, *b);
		return;
	}
	memcpy(tmp, a, sizeof(tmp));
	copy_lanes(a, b, mask);
	copy_lanes(b, tmp, mask);
}

/* Copy the enabled outputs of @mask to vertex slot @slot. */
static void fill_slot(struct vs_worker *w, u64 mask, u32 slot)
{
	const struct vs_launch *l = &w->ph->l;
	u32 r, c, n = 0;

	for (r = 0; r < l->prog->nout; r++) {
		for (c = 0; c < 4 && l->emit.mask >> r & 1; c++)
			copy_lanes(w->emit[slot][n++], w->b.slot[l->prog->out_slot + 4 * r + c],
				   mask);
	}
}

/* Swap the output banks. */
static void emit_swap_banks(struct vs_worker *w, u64 mask)
{
	const struct vs_prog *p = w->ph->l.prog;
	/* Outputs that another program left in the banks are swapped, too. */
	u32 regs = w->ph->l.flags & VS_LAUNCH_KEEP ? w->job->keep->written : p->out_written;
	u32 r, c;

	if (!p->shadow_slot)
		return;
	for (r = 0; r < p->nout; r++) {
		for (c = 0; c < 4 && regs >> r & 1; c++)
			swap_lanes(w->b.slot[p->out_slot + 4 * r + c],
				   w->b.slot[p->shadow_slot + 4 * r + c], mask);
	}
}

static bool emit_emit_fault(struct vs_worker *w, enum vs_fault_kind kind, u32 lane, u64 addr,
			    u32 size)
{
	vs_flow_fault(w, kind, BIT_ULL(lane));
	w->fault.address = addr;
	w->fault.size = size;
	return false;
}

static bool write_guest(struct vs_worker *w, u32 lane, u64 va, const void *src, u32 size)
{
	void *p = vs_tlb_ptr(&w->tlb, va, size, VS_EXT_WRITE);
	u64 bad;

	if (likely(p)) {
		memcpy(p, src, size);
		return true;
	}
	bad = vs_map_bad(w->tlb.map, va, size, VS_EXT_WRITE);
	if (bad != va + size)
		return emit_emit_fault(w, VS_FAULT_WRITE, lane, bad, size);
	vs_map_write(w->tlb.map, va, src, size);
	return true;
}

/* *@va = base + (a * b + c) * size. Return: false on overflow. */
static bool emit_address(u64 base, u64 a, u64 b, u64 c, u64 size, u64 *va)
{
	u64 n;

	return !check_mul_overflow(a, b, &n) && !check_add_overflow(n, c, &n) &&
	       !check_mul_overflow(n, size, &n) && !check_add_overflow(base, n, va);
}

/**
 * struct emit_to - Where primitives go.
 * @words:	words of a vertex
 * @inv:	invocation of lane 0
 * @prims:	memory of the primitives of lane 0 and up, NULL: no single mapping has all of it
 * @info:	the same for counts and flags
 */
struct emit_to {
	u32 words;
	u64 inv;
	u8 *prims;
	u8 *info;
};

/* Memory of all live lanes at @va, @each bytes for one, or NULL. */
static u8 *emit_span(struct vs_worker *w, u64 base, u64 inv, u64 each)
{
	u64 va;

	if (!emit_address(base, inv, each, 0, 1, &va))
		return NULL;
	return vs_tlb_ptr(&w->tlb, va, w->nlive * each, VS_EXT_WRITE);
}

static struct emit_to emit_to(struct vs_worker *w)
{
	const struct vs_emit *e = &w->ph->l.emit;
	struct emit_to to = {
		.words = 4 * hweight32(e->mask),
		.inv = w->ph->l.ops ? 0 : w->inv0,
	};

	if (to.words)
		to.prims = emit_span(w, e->prims_va, to.inv, 12ULL * to.words * e->max_prims);
	if (e->info_va)
		to.info = emit_span(w, e->info_va, to.inv, 4 * (1 + (u64)e->max_prims));
	return to;
}

/* The primitive in vertex slots 0, 1, 2 of a lane. */
static void emit_gather(const struct vs_worker *w, const struct emit_to *to, u32 lane, u32 *buf)
{
	bool scaled = vs_kind_is_scaled(w->kind);
	u32 v, i;

	for (v = 0; v < 3; v++, buf += to->words) {
		const u32 (*from)[VS_LANES] = w->emit[v];

		if (scaled) {
			for (i = 0; i < to->words; i++)
				buf[i] = vs_f24_unscale(from[i][lane]);
		} else {
			for (i = 0; i < to->words; i++)
				buf[i] = from[i][lane];
		}
	}
}

static bool emit_write_prim(struct vs_worker *w, const struct emit_to *to, u32 lane, u32 k)
{
	const struct vs_emit *e = &w->ph->l.emit;
	u32 buf[3 * VS_EMIT_WORDS], size = 12 * to->words;
	u64 va;

	emit_gather(w, to, lane, buf);
	if (to->prims) {
		memcpy(to->prims + ((u64)lane * e->max_prims + k) * size, buf, size);
		return true;
	}
	if (!emit_address(e->prims_va, to->inv + lane, e->max_prims, k, size, &va))
		return emit_emit_fault(w, VS_FAULT_WRITE, lane, ~0ULL, size);
	return !size || write_guest(w, lane, va, buf, size);
}

/* Word @n of a lane's counts and flags. */
static bool write_info(struct vs_worker *w, const struct emit_to *to, u32 lane, u32 n, u32 info)
{
	const struct vs_emit *e = &w->ph->l.emit;
	u64 each = 1 + (u64)e->max_prims, va;

	if (to->info) {
		memcpy(to->info + (lane * each + n) * 4, &info, 4);
		return true;
	}
	if (!emit_address(e->info_va, to->inv + lane, each, n, 4, &va))
		return emit_emit_fault(w, VS_FAULT_WRITE, lane, ~0ULL, 4);
	return write_guest(w, lane, va, &info, 4);
}

/* Write the primitive of a lane to memory. */
static bool hand_over(struct vs_worker *w, const struct emit_to *to, u32 lane)
{
	const struct vs_emit *e = &w->ph->l.emit;
	u32 k = w->prims[lane];

	if (k >= e->max_prims)
		return emit_emit_fault(w, VS_FAULT_OVERFLOW, lane, 0, 0);
	if (!emit_write_prim(w, to, lane, k))
		return false;
	if (e->info_va && !write_info(w, to, lane, 1 + k, w->latch[lane] & LATCH_INVERT ? 1 : 0))
		return false;
	w->prims[lane]++;
	return true;
}

/* Write the primitives of the lanes of @mask whose latch asks for one. */
static bool hand_over_all(struct vs_worker *w, u64 mask)
{
	struct emit_to to;
	u64 todo = 0;

	for (; mask; mask &= mask - 1) {
		if (w->latch[__ffs64(mask)] & LATCH_PRIM)
			todo |= mask & -mask;
	}
	if (!todo)
		return true;
	to = emit_to(w);
	w->left -= (s64)hweight64(todo) * to.words / WORDS_PER_TIME;
	for (; todo; todo &= todo - 1) {
		if (!hand_over(w, &to, __ffs64(todo)))
			return false;
	}
	return true;
}

/**
 * vs_emit - execute EMIT
 * @w: worker
 * @mask: lanes
 *
 * Memory writes cannot be undone: if the block's results are already doubtful, only the
 * rerun emits.
 *
 * Return: true, or false with w->fault set or the block tainted.
 */
bool vs_emit(struct vs_worker *w, u64 mask)
{
	u64 todo, in_slot[3] = { };
	u32 i;

	if (!(w->ph->l.flags & VS_LAUNCH_EMIT)) {
		vs_flow_fault(w, VS_FAULT_ENCODING, mask);
		return false;
	}
	if (vs_block_tainted(w)) {
		vs_flow_fault(w, VS_FAULT_NONE, mask);
		return false;
	}
	for (todo = mask; todo; todo &= todo - 1)
		in_slot[LATCH_SLOT(w->latch[__ffs64(todo)])] |= todo & -todo;
	for (i = 0; i < 3; i++) {
		if (in_slot[i])
			fill_slot(w, in_slot[i], i);
	}
	w->left -= COPY_TIME;
	if (!hand_over_all(w, mask & w->live))
		return false;
	emit_swap_banks(w, mask);
	return true;
}

/**
 * vs_emit_finish - write the primitive counts of the block's invocations
 * @w: worker
 *
 * Return: false with w->fault set.
 */
bool vs_emit_finish(struct vs_worker *w)
{
	struct emit_to to;
	u32 i;

	if (!w->ph->l.emit.info_va)
		return true;
	to = emit_to(w);
	for (i = 0; i < w->nlive; i++) {
		if (!write_info(w, &to, i, 0, w->prims[i]))
			return false;
	}
	return true;
}
