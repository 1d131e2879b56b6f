// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Blocks: execution of 64 invocations from their inputs to their outputs. A block first runs on
 * an optimistic executor if that may be valid; if the results turn out to be doubtful, it is
 * rerun by the exact executor. Nothing is visible before the block ends.
 */
#include "vs_intern.h"

/* After this many consecutive failures, execute exactly for a while. */
#define MAX_RETRIES	4
#define PATIENCE	32

/* ---- floating-point mode ---- */

static u32 block_mode_of(enum vs_kind kind)
{
	switch (kind) {
	case VS_K_F24:
	case VS_K_F24_M:
		return VS_FPU_RZ_FLUSH;
	case VS_K_F24T_X:
		return VS_FPU_RZ;
	default:
		return VS_FPU_NEAREST;
	}
}

/* Approximate execution time per unit of weight, relative to the fastest executor. */
static u32 slowness(enum vs_simd simd, enum vs_kind kind)
{
	u32 narrow = simd == VS_SIMD_SSE2 || simd == VS_SIMD_NEON ? 2 : 1;

	if (simd == VS_SIMD_PORTABLE)
		return 100;
	return narrow * (kind == VS_K_F24N_X ? 8 : kind == VS_K_F24T_X ? 4 : 1);
}

/* Lanes that an executor computes at a time. */
static u32 width_of(enum vs_simd simd)
{
	static const u8 width[VS_NUM_SIMD] = { 1, 4, 8, 16, 4 };

	return width[simd];
}

/**
 * vs_block_fp_begin - start a slice: load the block's floating-point flags
 * @w: worker
 */
void vs_block_fp_begin(struct vs_worker *w)
{
	w->fpu = vs_fpu_begin(w->simd, block_mode_of(w->kind));
}

/**
 * vs_block_fp_end - end a slice: save the block's floating-point flags
 * @w: worker
 */
void vs_block_fp_end(struct vs_worker *w)
{
	w->flags |= vs_fpu_end(w->simd, w->fpu);
}

/**
 * vs_block_tainted - check whether the block's results may be wrong
 * @w: worker
 *
 * An invalid operation may have been 0 * inf, or in 1.7.16 a value left the range in
 * which the scaled executor is exact.
 */
bool vs_block_tainted(struct vs_worker *w)
{
	u32 i, r = 0;

	if (VS_K_IS_EXACT(w->kind))
		return false;
	if ((w->flags | vs_fpu_get()) & VS_FPU_IE)
		return true;
	for (i = 0; i < ARRAY_SIZE(w->b.range); i++)
		r |= w->b.range[i];
	return r & VS_RANGE_BIT;
}

static enum vs_kind exact_kind(const struct vs_launch *l)
{
	return l->fp == VS_FP_F32 ? VS_K_F32_X :
	       l->fp == VS_FP_F24T ? VS_K_F24T_X : VS_K_F24N_X;
}

static enum vs_kind choose_kind(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;

	if (w->simd == VS_SIMD_PORTABLE || w->b.nan_rule || w->ph->exact || w->ph->serial ||
	    l->fp == VS_FP_F24N)
		return exact_kind(l);
	if (w->patience) {
		w->patience--;
		return exact_kind(l);
	}
	return l->fp == VS_FP_F32 ? VS_K_F32 : VS_K_F24;
}

/* ---- launches ---- */

static u32 to_model(const struct vs_launch *l, u32 bits)
{
	return l->fp == VS_FP_F32 ? bits : vs_f24_load(bits, l->fp == VS_FP_F24N);
}

static u32 negate(const struct vs_launch *l, u32 bits)
{
	return l->fp != VS_FP_F32 && !bits ? 0 : bits ^ VS_F32_SIGN;
}

/* Row table: the existing rows, those beyond, and one of zeros. */
static void fill_rows(const struct vs_launch *l, u32 *rows)
{
	const struct vs_rows *r = &l->prog->rows;
	u32 i, beyond = to_model(l, r->beyond);

	memcpy(rows, l->unif, r->limit * 16);
	for (i = r->limit * 4; i < (r->mask + 1) * 4; i++)
		rows[i] = beyond;
	memset(rows + i, 0, 16);
}

/* Return: the scaled executor can represent all uniforms that the program reads. */
static bool scalable(const struct vs_launch *l, const u32 *tab, u32 words)
{
	const struct vs_prog *p = l->prog;
	u32 i;

	for (i = 0; i < words; i++) {
		bool used = p->unif_used[i / 64] >> (i % 64) & 1;

		if (p->uses_rows && i < p->rows.limit * 4)
			used = true;
		if (used && !vs_f24_scalable(tab[i]))
			return false;
	}
	return !p->uses_rows || vs_f24_scalable(to_model(l, p->rows.beyond));
}

/**
 * vs_block_prepare - fill the tables of a launch when its phase begins
 * @job: job
 * @ph: phase; no other worker is executing the job
 *
 * Return: true.
 */
bool vs_block_prepare(struct vs_job *job, struct vs_phase *ph)
{
	const struct vs_launch *l = &ph->l;
	const struct vs_prog *p = l->prog;
	u32 words = p->nunif + p->nconst, i, *t = job->tab, *s = job->tab + job->tab_words;

	memcpy(t, l->unif, p->nunif * 4);
	for (i = 0; i < p->nconst; i++)
		t[p->nunif + i] = to_model(l, p->consts[i]);
	for (i = 0; i < words && p->uses_neg; i++)
		t[words + i] = negate(l, t[i]);
	job->tab_rows = 2 * words;
	if (p->uses_rows)
		fill_rows(l, t + job->tab_rows);
	if (l->fp != VS_FP_F24T || ph->serial)
		return true;
	ph->exact = !scalable(l, t, words);
	for (i = 0; i < job->tab_rows && !ph->exact; i++)
		s[i] = vs_f24_scale(t[i]);
	for (; i < job->tab_words && !ph->exact && p->uses_rows; i++)
		s[i] = vs_f24_scale(t[i]);
	return true;
}

/**
 * vs_phase_init - compute blocks and chunks of a launch phase
 * @ph: phase with its launch set
 *
 * Return: false on overflow.
 */
bool vs_phase_init(struct vs_phase *ph)
{
	const struct vs_launch *l = &ph->l;
	u32 after = l->flags & VS_LAUNCH_EMIT ? l->emit.bool_after : ~0U;

	ph->total = (u64)l->count * l->instances;
	ph->serial = l->flags & VS_LAUNCH_SERIAL &&
		     (l->prog->carries || l->ops || l->flags & VS_LAUNCH_KEEP);
	ph->split = !ph->serial && after < 32 && l->prog->bools_used >> after & 1 &&
		    ph->total > 1;
	if (ph->serial)
		ph->nblocks = ph->total;
	else if (ph->split)
		ph->nblocks = 1 + DIV_ROUND_UP(ph->total - 1, VS_LANES);
	else
		ph->nblocks = DIV_ROUND_UP(ph->total, VS_LANES);
	/* Small launches are divided into smaller chunks. */
	ph->chunk = clamp_t(u64, ph->nblocks / 8, 1, VS_CHUNK_BLOCKS);
	if (ph->serial) {
		ph->chunk = 0;
		ph->nchunks = ph->total ? 1 : 0;
	} else {
		ph->nchunks = DIV_ROUND_UP(ph->nblocks, ph->chunk);
	}
	return true;
}

/**
 * vs_block_attach - a worker joins a launch
 * @w: worker
 * @job: job
 * @phase: number of its phase
 */
void vs_block_attach(struct vs_worker *w, struct vs_job *job, u64 phase)
{
	w->job = job;
	w->phase = phase;
	w->ph = &job->phases[phase];
	w->tlb = (struct vs_tlb){ .map = job->map };
	w->simd = job->lim.simd;
	w->b.nan_rule = job->nan_rule;
	w->running = false;
	w->retries = 0;
	w->patience = 0;
	w->slow = 1;
	if (w->ph->kind != VS_PHASE_LAUNCH)
		return;
	/* Data of other jobs must not be visible, and must not taint results. */
	memset(w->b.slot, 0, w->ph->l.prog->nslots * sizeof(w->b.slot[0]));
	memset(w->b.pred, 0, sizeof(w->b.pred));
	w->b.expanded = 0;
	memset(w->b.lanemask, 0, sizeof(w->b.lanemask));
	if (w->ph->l.flags & VS_LAUNCH_EMIT) {
		memset(w->emit, 0, sizeof(w->emit));
		vs_emit_reset(w);
	}
}

/* ---- blocks ---- */

static void use_tables(struct vs_worker *w)
{
	const struct vs_job *job = w->job;
	const struct vs_rows *r = &w->ph->l.prog->rows;

	w->b.unif = job->tab + (vs_kind_is_scaled(w->kind) ? job->tab_words : 0);
	w->b.rows = w->b.unif + job->tab_rows;
	w->b.row_mask = r->mask;
	w->b.off_min = r->off_min;
	w->b.off_max = r->off_max;
	w->b.oor_zero = w->ph->l.flags & VS_LAUNCH_OOR_ZERO;
}

/* Put the block into its initial state for executor w->kind. */
static bool block_load_block(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;
	const struct vs_prog *p = l->prog;
	u32 i;

	vs_fpu_mode(w->simd, block_mode_of(w->kind));
	use_tables(w);
	w->slow = slowness(w->simd, w->kind);
	w->b.lanes = w->ph->serial ? width_of(w->simd) : VS_LANES;
	w->flags = 0;
	w->probe = 0;
	w->block_used = 0;
	w->redo = false;
	memset(w->b.range, 0, sizeof(w->b.range));
	if (!w->ph->serial) {
		for (i = 0; i < p->nzero; i++)
			memset(w->b.slot[p->zero[i]], 0, sizeof(w->b.slot[0]));
		memset(w->b.pred, 0, sizeof(w->b.pred));
		if (l->flags & VS_LAUNCH_EMIT)
			vs_emit_reset(w);
	} else {
		memset(w->prims, 0, sizeof(w->prims));
	}
	vs_flow_start(w, w->ph->serial ? 1 : ~0ULL, l->entry);
	if (!vs_stream_load(w))
		return false;
	/* Subnormal inputs were lost. Results that underflow later are correct. */
	if (vs_kind_is_scaled(w->kind) && vs_fpu_get() & VS_FPU_UE)
		w->b.range[0] |= VS_RANGE_BIT;
	return true;
}

/**
 * vs_block_begin - start block w->block
 * @w: worker
 *
 * Return: false with w->fault set.
 */
bool vs_block_begin(struct vs_worker *w)
{
	const struct vs_phase *ph = w->ph;
	u64 n;

	if (ph->serial) {
		w->inv0 = w->block;
		n = 1;
	} else if (ph->split) {
		w->inv0 = w->block ? 1 + (w->block - 1) * VS_LANES : 0;
		n = w->block ? ph->total - w->inv0 : 1;
	} else {
		w->inv0 = w->block * VS_LANES;
		n = ph->total - w->inv0;
	}
	w->nlive = min_t(u64, n, VS_LANES);
	w->live = w->nlive == VS_LANES ? ~0ULL : BIT_ULL(w->nlive) - 1;
	w->bools = ph->l.ops ? w->hook_bools : ph->l.bools;
	if (ph->l.flags & VS_LAUNCH_EMIT && ph->l.emit.bool_after < 32 && w->inv0)
		w->bools |= 1U << ph->l.emit.bool_after;
	w->kind = choose_kind(w);
	w->running = true;
	return block_load_block(w);
}

static bool restart(struct vs_worker *w)
{
	if (++w->retries >= MAX_RETRIES) {
		w->retries = MAX_RETRIES - 1;
		w->patience = PATIENCE;
	}
	w->kind = exact_kind(&w->ph->l);
	w->used -= w->block_used;
	return block_load_block(w);
}

/* Store the outputs if all lanes have ended and the results are valid. */
static enum vs_blk block_finish(struct vs_worker *w)
{
	if (!VS_K_IS_EXACT(w->kind))
		w->retries = 0;
	if (!vs_stream_store(w))
		return VS_BLK_FAULT;
	if (w->ph->l.flags & VS_LAUNCH_EMIT && !vs_emit_finish(w))
		return VS_BLK_FAULT;
	if (w->ph->l.ops)
		vs_serial_after(w);
	w->running = false;
	w->invocations += w->nlive;
	return VS_BLK_DONE;
}

/**
 * vs_block_run - continue the block
 * @w: worker
 *
 * Return: VS_BLK_DONE outputs written, _MORE slice over, _FAULT see w->fault, _BREAK.
 */
enum vs_blk vs_block_run(struct vs_worker *w)
{
	enum vs_blk r = w->redo ? VS_BLK_FAULT : vs_flow_run(w);

	if (r != VS_BLK_DONE && r != VS_BLK_FAULT)
		return r;
	if (w->redo || vs_block_tainted(w)) {
		if (!restart(w))
			return VS_BLK_FAULT;
		return VS_BLK_MORE;
	}
	return r == VS_BLK_DONE ? block_finish(w) : r;
}
