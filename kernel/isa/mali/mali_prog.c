// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Programs of works: read and lowered, or found in the cache. Fragment programs are lowered
 * together with the programs that their blend descriptors name.
 */
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

#define FIRST_QUADS	64	/* initial read of a program */
#define QUAD_BYTES	16
#define QUAD_WORDS	4
#define CHUNK		64	/* words compared at a time */
#define PIECE_WORDS	4096	/* words read, compared or copied per step */
#define VISITS		4	/* visits of micro-ops per unit of cost */
#define MAX_QUADS	(MALI_MAX_CODE / QUAD_BYTES)	/* all parts together */

/* Both families have the same limit. */
static_assert(MAX_QUADS == BI_MAX_QUADS && MAX_QUADS == MG_MAX_QUADS, "sizes of programs");

/* ---- list of parts ---- */

static void mali_prog_add_part(struct mali_run *r, u64 va, u32 tag)
{
	u32 i;

	for (i = 1; i < r->nparts; i++)
		if (r->part[i].va == va && r->part[i].tag == tag)
			return;
	r->part[r->nparts++] = (struct mali_part){ .va = va, .tag = tag };
}

/* Add a blend descriptor's program. Bifrost descriptors hold the lower half of the address. */
static void add_blend(struct mali_run *r, const struct mali_blend *d)
{
	u64 base = r->w.code ? r->w.frag->blend_base : r->w.code_va, va;

	if (mali_gpu_is_midgard(r->w.gpu)) {
		va = mali_blend_shader(d);
		if (va & ~15ULL)
			mali_prog_add_part(r, va & ~15ULL, va & 15);
		return;
	}
	va = mali_blend_pc(d->internal);
	if (va)
		mali_prog_add_part(r, (base & ~0xffffffffULL) | va, 0);
}

/* List the main program and its blend programs. */
static void list_parts(struct mali_run *r)
{
	const struct mali_work *w = &r->w;
	u32 i;

	r->nparts = 1;
	r->nlost = 0;
	r->part[0] = (struct mali_part){ .va = w->code_va, .tag = w->tag };
	if (w->stage != MALI_STAGE_FRAGMENT || !w->frag)
		return;
	for (i = 0; i < min_t(u32, w->frag->ntargets, MALI_MAX_TARGETS); i++)
		add_blend(r, &w->frag->blend[i]);
}

/* Compare words of a part from @at on, one piece at most. Return: number of equal words. */
static u32 same_words(struct mali_run *r, const u32 *words, const struct mali_part *p, u32 at)
{
	u32 buf[CHUNK], i, n, end = min_t(u32, p->nquads * QUAD_WORDS, at + PIECE_WORDS);

	r->cost += 1 + (end - at) / CHUNK;
	for (i = at; i < end; i += n) {
		n = min_t(u32, end - i, CHUNK);
		if (vs_map_fetch(r->map, p->va + i * sizeof(*buf), buf, n * sizeof(*buf)) !=
		    n * sizeof(*buf) ||
		    memcmp(buf, words + p->first * QUAD_WORDS + i, n * sizeof(*buf)))
			break;
	}
	return i - at;
}

/* Do the parameters of lowering match? */
static bool same_kind(const struct mali_run *r, const struct mali_cached *c)
{
	const struct mali_work *w = &r->w;
	u32 i;

	if (c->nparts != r->nparts)
		return false;
	for (i = 0; i < c->nparts; i++)
		if (c->part[i].va != r->part[i].va || c->part[i].tag != r->part[i].tag)
			return false;
	return c->entry == w->entry && c->gpu == w->gpu &&
	       c->stage == w->stage && c->tag == w->tag && c->fp_mode == w->fp_mode &&
	       c->work_regs == w->work_regs &&
	       (!mali_gpu_is_midgard(w->gpu) || c->npush == w->npush);
}

/* Find the next candidate in the cache, from @number on. */
static void next_cached(struct mali_run *r, u32 number)
{
	struct mali_prep *p = &r->prep;

	for (; number < MALI_RUN_CACHE; number++)
		if (r->cache[number].prog && same_kind(r, &r->cache[number]))
			break;
	p->number = number;
	p->part = r->w.code ? 1 : 0;
	p->at = 0;
}

/* Search the cache. Program objects are immutable; code in memory is compared. */
static int mali_prog_find_program(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;
	struct mali_cached *c = &r->cache[p->number];
	u32 n;

	if (p->number == MALI_RUN_CACHE) {
		p->step = MALI_PREP_READ;
		p->part = r->w.code ? 1 : 0;
		return -EAGAIN;
	}
	if (r->w.code != c->code) {
		c->prog = NULL;
		next_cached(r, p->number + 1);
		return -EAGAIN;
	}
	if (p->part == c->nparts) {
		p->prog = c->prog;
		memcpy(r->part, c->part, sizeof(r->part));
		return 0;
	}
	n = same_words(r, c->words, &c->part[p->part], p->at);
	p->at += n;
	if (p->at == c->part[p->part].nquads * QUAD_WORDS) {
		p->part++;
		p->at = 0;
	} else if (n < PIECE_WORDS) {
		c->prog = NULL;
		next_cached(r, p->number + 1);
	}
	return -EAGAIN;
}

static void forget_programs(struct mali_run *r)
{
	memset(r->cache, 0, sizeof(r->cache));
	simt_arena_reset(&r->progs, 0);
}

/* ---- reading ---- */

/* Begin to read @n quads of the part into the arena of programs. */
static int mali_prog_begin_read(struct mali_run *r, u32 n)
{
	struct mali_prep *p = &r->prep;

	p->words[p->part] = simt_arena_take(&r->progs, n, QUAD_BYTES);
	p->want = n;
	p->at = 0;
	p->got = 0;
	p->step = MALI_PREP_COPY;
	return p->words[p->part] ? -EAGAIN : -ENOMEM;
}

static int begin_extent(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;

	p->step = MALI_PREP_EXTENT;
	if (mali_gpu_is_midgard(r->w.gpu))
		return midgard_extent_new(&r->rest, p->words[p->part], p->got, 0, &p->mg_walk);
	return bifrost_extent_new(&r->rest, p->words[p->part], p->got, 0, &p->need, &p->bi);
}

/* Copy a piece of the code. */
static int copy_quads(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;
	u64 va = r->part[p->part].va + p->at * (u64)QUAD_BYTES, got = 0;
	u32 n = min_t(u32, p->want - p->at, PIECE_WORDS / QUAD_WORDS);
	u64 size = (u64)n * QUAD_BYTES;
	int ret;

	if (va < VS_INTERNAL_VA && size <= VS_INTERNAL_VA - va)
		got = vs_map_fetch(r->map, va, p->words[p->part] + p->at * QUAD_WORDS, size) /
		      QUAD_BYTES;
	r->cost += 1 + n * QUAD_WORDS / CHUNK;
	p->at += got;
	p->got = p->at;
	if (got == n && p->at < p->want)
		return -EAGAIN;
	ret = begin_extent(r);
	return ret ? ret : -EAGAIN;
}

/*
 * Leave out a blend program that cannot be read. Programs that write no colour, such as Mesa's
 * reload of depth, have one valid blend descriptor; hardware does not read the memory that follows
 * it. A program that calls one that was left out faults.
 */
static int lose_part(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;
	struct mali_part lost = r->part[p->part];

	r->nparts--;
	memmove(&r->part[p->part], &r->part[p->part + 1],
		(r->nparts - p->part) * sizeof(lost));
	r->part[r->nparts] = lost;
	r->nlost++;
	simt_arena_reset(&r->progs, p->part_mark);
	p->step = MALI_PREP_READ;
	return -EAGAIN;
}

/* Determine how much of the code belongs to the program. */
static int mali_prog_find_extent(struct mali_run *r, struct vs_fault *fault)
{
	struct mali_prep *p = &r->prep;
	u32 left = SIMT_PIECE;
	int ret;

	if (mali_gpu_is_midgard(r->w.gpu))
		ret = midgard_extent_step(p->mg_walk, &left, &p->need);
	else
		ret = bifrost_extent_step(p->bi, &left);
	r->cost += (SIMT_PIECE - left) / VISITS;
	if (ret)
		return ret;
	simt_arena_reset(&r->rest, 0);
	if (p->got && p->need <= p->got) {
		r->part[p->part].nquads = max(p->need, 1U);
		p->part++;
		p->step = MALI_PREP_READ;
		return -EAGAIN;
	}
	if (p->got < p->want && p->part)
		return lose_part(r);
	if (p->got < p->want)
		return vs_fault_memory(fault, VS_FAULT_FETCH,
				   r->part[p->part].va + (u64)p->got * QUAD_BYTES, QUAD_BYTES);
	if (p->want == MAX_QUADS)
		return -E2BIG;
	simt_arena_reset(&r->progs, p->part_mark);
	return mali_prog_begin_read(r, min_t(u32, max(p->need, 2 * p->want), MAX_QUADS));
}

/* Allocate memory for all parts, concatenated. */
static int begin_join(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;
	u32 n = 0, i;

	for (i = 0; i < r->nparts; i++) {
		r->part[i].first = n;
		n += r->part[i].nquads;
	}
	p->all = p->words[0];
	p->nquads = n;
	p->step = MALI_PREP_LOWER;
	if (r->nparts == 1)
		return -EAGAIN;
	if (n > MAX_QUADS)
		return -E2BIG;
	p->joined = simt_arena_take(&r->progs, n, QUAD_BYTES);
	p->all = p->joined;
	p->part = 0;
	p->at = 0;
	p->step = MALI_PREP_JOIN;
	return p->joined ? -EAGAIN : -ENOMEM;
}

static int join_parts(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;
	const struct mali_part *part = &r->part[p->part];
	u32 n;

	if (p->part == r->nparts) {
		p->step = MALI_PREP_LOWER;
		return -EAGAIN;
	}
	n = min_t(u32, part->nquads - p->at, PIECE_WORDS / QUAD_WORDS);
	memcpy(p->joined + (part->first + p->at) * QUAD_WORDS,
	       p->words[p->part] + p->at * QUAD_WORDS, (size_t)n * QUAD_BYTES);
	r->cost += 1 + n * QUAD_WORDS / CHUNK;
	p->at += n;
	if (p->at == part->nquads) {
		p->part++;
		p->at = 0;
	}
	return -EAGAIN;
}

/*
 * Read the reachable code of a program in memory, whose size is unknown: follow the code read so
 * far and read more until no branch leads past the end.
 */
static int mali_prog_read_part(struct mali_run *r)
{
	struct mali_prep *p = &r->prep;

	if (r->w.code) {
		p->words[0] = (u32 *)r->w.code;
		r->part[0].nquads = r->w.ncode / QUAD_WORDS;
	}
	if (p->part == r->nparts)
		return begin_join(r);
	p->part_mark = r->progs.used;
	return mali_prog_begin_read(r, FIRST_QUADS);
}

/* ---- lowering ---- */

static const enum vs_stage stages[] = {
	[MALI_STAGE_COMPUTE] = VS_STAGE_COMPUTE,
	[MALI_STAGE_VERTEX] = VS_STAGE_VERTEX,
	[MALI_STAGE_FRAGMENT] = VS_STAGE_FRAGMENT,
};

static int begin_midgard(struct mali_run *r, struct vs_reject *rej)
{
	struct mg_part parts[ARRAY_SIZE(r->part)];
	const struct mg_code code = {
		.words = r->prep.all, .nquads = r->prep.nquads, .va = r->w.code_va,
		.parts = r->nparts > 1 ? parts : NULL, .nparts = r->nparts,
		.entry = r->w.entry / QUAD_BYTES, .tag = r->w.tag,
		.gpu = (enum mg_gpu)(r->w.gpu - MALI_T760), .stage = stages[r->w.stage],
		.fp_mode = r->w.fp_mode, .work = r->w.work_regs,
		.uniforms = DIV_ROUND_UP(r->w.npush, 4), .debug = r->w.dbg,
	};
	u32 i;

	for (i = 0; i < r->nparts; i++)
		parts[i] = (struct mg_part){ .va = r->part[i].va, .first = r->part[i].first,
					     .nquads = r->part[i].nquads,
					     .tag = r->part[i].tag };
	return midgard_lower_new(&r->progs, &code, &r->prep.front, rej);
}

static int begin_bifrost(struct mali_run *r, struct vs_reject *rej)
{
	u32 flags = r->w.switches & MALI_SW_FUSED_FMA ? BI_LOWER_FUSED_FMA : 0, i;
	struct bi_part parts[ARRAY_SIZE(r->part)];
	const struct bi_code code = {
		.words = r->prep.all, .nquads = r->prep.nquads, .parts = parts,
		.nparts = r->nparts, .entry = r->w.entry / QUAD_BYTES,
	};

	if (r->w.dbg)
		flags |= BI_LOWER_DEBUG;
	for (i = 0; i < r->nparts; i++)
		parts[i] = (struct bi_part){ .first = r->part[i].first, .va = r->part[i].va,
					     .nquads = r->part[i].nquads };
	return bifrost_lower_new(&r->progs, &code, (enum bi_gpu)r->w.gpu, stages[r->w.stage],
				 flags, &r->prep.front, rej);
}

/* Turn a rejection into a fault. */
static int mali_prog_refuse(struct mali_run *r, struct vs_reject *rej, struct vs_fault *fault)
{
	u32 i = r->nparts - 1;

	while (i && r->part[i].first > rej->offset)
		i--;
	rej->offset -= r->part[i].first;
	return vs_fault_program(fault, r->part[i].va + (u64)rej->offset * QUAD_BYTES, rej->offset,
				rej->reason, rej->value);
}

static int mali_prog_begin_lower(struct mali_run *r, struct vs_fault *fault)
{
	struct vs_reject rej = {};
	int ret;

	r->prep.step = MALI_PREP_PIECE;
	ret = mali_gpu_is_midgard(r->w.gpu) ? begin_midgard(r, &rej) : begin_bifrost(r, &rej);
	if (ret == -ENOEXEC)
		return mali_prog_refuse(r, &rej, fault);
	return ret ? ret : -EAGAIN;
}

static void keep_program(struct mali_run *r)
{
	struct mali_cached *c = &r->cache[r->next++ % MALI_RUN_CACHE];

	*c = (struct mali_cached){ .prog = r->prep.prog, .words = r->prep.all, .code = r->w.code,
				   .nparts = r->nparts, .entry = r->w.entry, .gpu = r->w.gpu,
				   .stage = r->w.stage, .tag = r->w.tag,
				   .fp_mode = r->w.fp_mode, .work_regs = r->w.work_regs,
				   .npush = r->w.npush };
	memcpy(c->part, r->part, sizeof(c->part));
}

static int mali_prog_lower(struct mali_run *r, struct vs_fault *fault)
{
	struct mali_prep *p = &r->prep;
	struct vs_reject rej = {};
	u32 left = SIMT_PIECE;
	int ret;

	ret = simt_front_step(p->front, &left, &p->prog, &rej);
	r->cost += 1 + (SIMT_PIECE - left) / VISITS;
	if (ret == -ENOEXEC)
		return mali_prog_refuse(r, &rej, fault);
	if (!ret)
		keep_program(r);
	return ret;
}

/* ---- steps ---- */

static int run_step(struct mali_run *r, struct vs_fault *fault)
{
	switch (r->prep.step) {
	case MALI_PREP_FIND:
		return mali_prog_find_program(r);
	case MALI_PREP_READ:
		return mali_prog_read_part(r);
	case MALI_PREP_COPY:
		return copy_quads(r);
	case MALI_PREP_EXTENT:
		return mali_prog_find_extent(r, fault);
	case MALI_PREP_JOIN:
		return join_parts(r);
	case MALI_PREP_LOWER:
		return mali_prog_begin_lower(r, fault);
	default:
		return mali_prog_lower(r, fault);
	}
}

void mali_program_begin(struct mali_run *r)
{
	r->prep = (struct mali_prep){ .step = MALI_PREP_FIND, .mark = r->progs.used };
	list_parts(r);
	next_cached(r, 0);
}

int mali_program_step(struct mali_run *r, struct simt_prog **out, struct vs_fault *fault)
{
	struct mali_prep *p = &r->prep;
	int ret = run_step(r, fault);

	if (ret == -EAGAIN)
		return ret;
	if (ret == -ENOMEM && p->mark) {
		/* retry with an empty cache */
		forget_programs(r);
		simt_arena_reset(&r->rest, 0);
		mali_program_begin(r);
		return -EAGAIN;
	}
	if (ret)
		simt_arena_reset(&r->progs, p->mark);
	*out = p->prog;
	return ret;
}
