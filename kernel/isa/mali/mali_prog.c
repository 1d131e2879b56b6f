// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Programs of works: they are read and lowered, or found among those that have been. Fragment
 * programs are lowered together with the programs that their blend descriptors name.
 */
#include "../bifrost/bifrost_lower.h"
#include "../midgard/midgard_lower.h"
#include "mali_run_int.h"

#define FIRST_QUADS	64	/* of a program that are read at first */
#define QUAD_BYTES	16
#define QUAD_WORDS	4
#define CHUNK		64	/* words compared at a time */
#define QUAD_COST	64	/* weight of lowering a quad, about */
#define MAX_QUADS	(MALI_MAX_CODE / QUAD_BYTES)	/* of all parts together */

/* Programs of both families may be as large. */
static_assert(MAX_QUADS == BI_MAX_QUADS && MAX_QUADS == MG_MAX_QUADS, "sizes of programs");

/* ---- which ones ---- */

static void add_part(struct mali_run *r, u64 va, u32 tag)
{
	u32 i;

	for (i = 1; i < r->nparts; i++)
		if (r->part[i].va == va && r->part[i].tag == tag)
			return;
	r->part[r->nparts++] = (struct mali_part){ .va = va, .tag = tag };
}

/* What a blend descriptor names. Those of Bifrost have the lower half of addresses. */
static void add_blend(struct mali_run *r, const struct mali_blend *d)
{
	u64 base = r->w.code ? r->w.frag->blend_base : r->w.code_va, va;

	if (mali_gpu_is_midgard(r->w.gpu)) {
		va = mali_blend_shader(d);
		if (va & ~15ULL)
			add_part(r, va & ~15ULL, va & 15);
		return;
	}
	va = mali_blend_pc(d->internal);
	if (va)
		add_part(r, (base & ~0xffffffffULL) | va, 0);
}

/* The program, and those that blend for it. */
static void list_parts(struct mali_run *r)
{
	const struct mali_work *w = &r->w;
	u32 i;

	r->nparts = 1;
	r->part[0] = (struct mali_part){ .va = w->code_va, .tag = w->tag };
	if (w->stage != MALI_STAGE_FRAGMENT || !w->frag)
		return;
	for (i = 0; i < min_t(u32, w->frag->ntargets, MALI_MAX_TARGETS); i++)
		add_blend(r, &w->frag->blend[i]);
}

/* ---- those that have been lowered ---- */

static bool same_words(struct mali_run *r, const struct mali_cached *c, const struct mali_part *p)
{
	u32 buf[CHUNK], i, n, nwords = p->nquads * QUAD_WORDS;
	const u32 *words = c->words + p->first * QUAD_WORDS;

	r->cost += nwords / CHUNK;
	for (i = 0; i < nwords; i += n) {
		n = min_t(u32, nwords - i, CHUNK);
		if (vs_map_fetch(r->map, p->va + i * sizeof(*buf), buf, n * sizeof(*buf)) !=
		    n * sizeof(*buf) || memcmp(buf, words + i, n * sizeof(*buf)))
			return false;
	}
	return true;
}

static bool same_code(struct mali_run *r, const struct mali_cached *c)
{
	u32 i;

	if (r->w.code != c->code)
		return false;
	for (i = c->code ? 1 : 0; i < c->nparts; i++)
		if (!same_words(r, c, &c->part[i]))
			return false;
	return true;
}

/* Is it lowered in the same way? */
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

static struct simt_prog *find_program(struct mali_run *r)
{
	u32 i;

	for (i = 0; i < MALI_RUN_CACHE; i++) {
		struct mali_cached *c = &r->cache[i];

		if (!c->prog || !same_kind(r, c))
			continue;
		if (same_code(r, c))
			return c->prog;
		c->prog = NULL;
	}
	return NULL;
}

static void forget_programs(struct mali_run *r)
{
	memset(r->cache, 0, sizeof(r->cache));
	simt_arena_reset(&r->progs, 0);
}

/* ---- reading ---- */

/* Up to @n quads at @va into the arena of programs; *@got of them can be read. */
static u32 *read_quads(struct mali_run *r, u64 va, u32 n, u32 *got)
{
	u32 *words = simt_arena_alloc(&r->progs, n, QUAD_BYTES);
	u64 size = (u64)n * QUAD_BYTES;

	if (!words)
		return NULL;
	if (va >= VS_INTERNAL_VA || size > VS_INTERNAL_VA - va)
		*got = 0;
	else
		*got = vs_map_fetch(r->map, va, words, size) / QUAD_BYTES;
	return words;
}

static int extent(struct mali_run *r, const u32 *words, u32 nquads, u32 *need)
{
	if (mali_gpu_is_midgard(r->w.gpu))
		return midgard_extent(&r->rest, words, nquads, 0, need);
	return bifrost_extent(&r->rest, words, nquads, 0, need);
}

/*
 * All that can be reached of a program in memory, whose size nothing says. Code is followed as
 * far as it has been read, and more is read, until nothing leads behind.
 */
static int fetch(struct mali_run *r, u64 va, const u32 **out, u32 *nquads,
		 struct vs_fault *fault)
{
	u64 mark = r->progs.used;
	u32 n = FIRST_QUADS, need, got;
	u32 *words;
	int ret;

	for (;;) {
		words = read_quads(r, va, n, &got);
		if (!words)
			return -ENOMEM;
		ret = extent(r, words, got, &need);
		simt_arena_reset(&r->rest, 0);
		if (ret)
			return ret;
		if (got && need <= got)
			break;
		if (got < n)
			return simt_refuse(fault, VS_FAULT_FETCH, va + (u64)got * QUAD_BYTES,
					   QUAD_BYTES);
		if (n == MAX_QUADS)
			return -E2BIG;
		n = min_t(u32, max(need, 2 * n), MAX_QUADS);
		simt_arena_reset(&r->progs, mark);
	}
	*out = words;
	*nquads = max(need, 1U);
	return 0;
}

/* All parts behind each other. */
static int join(struct mali_run *r, const u32 *const *words, const u32 **out, u32 *nquads)
{
	u32 *all, n = 0, i;

	for (i = 0; i < r->nparts; i++) {
		r->part[i].first = n;
		n += r->part[i].nquads;
	}
	if (n > MAX_QUADS)
		return -E2BIG;
	all = simt_arena_alloc(&r->progs, n, QUAD_BYTES);
	if (!all)
		return -ENOMEM;
	for (i = 0; i < r->nparts; i++)
		memcpy(all + r->part[i].first * QUAD_WORDS, words[i],
		       r->part[i].nquads * QUAD_BYTES);
	*out = all;
	*nquads = n;
	return 0;
}

static int read_parts(struct mali_run *r, const u32 **out, u32 *nquads, struct vs_fault *fault)
{
	const u32 *words[ARRAY_SIZE(r->part)];
	int ret = 0;
	u32 i;

	words[0] = r->w.code;
	r->part[0].nquads = r->w.ncode / QUAD_WORDS;
	for (i = r->w.code ? 1 : 0; i < r->nparts && !ret; i++)
		ret = fetch(r, r->part[i].va, &words[i], &r->part[i].nquads, fault);
	if (ret)
		return ret;
	*out = words[0];
	*nquads = r->part[0].nquads;
	return r->nparts > 1 ? join(r, words, out, nquads) : 0;
}

/* ---- lowering ---- */

static const enum vs_stage stages[] = {
	[MALI_STAGE_COMPUTE] = VS_STAGE_COMPUTE,
	[MALI_STAGE_VERTEX] = VS_STAGE_VERTEX,
	[MALI_STAGE_FRAGMENT] = VS_STAGE_FRAGMENT,
};

static int lower_midgard(struct mali_run *r, const u32 *words, u32 nquads,
			 struct simt_prog **out, struct vs_reject *rej)
{
	struct mg_part parts[ARRAY_SIZE(r->part)];
	const struct mg_code code = {
		.words = words, .nquads = nquads, .va = r->w.code_va,
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
	return midgard_lower(&r->progs, &code, out, rej);
}

static int lower_bifrost_parts(struct mali_run *r, const u32 *words, u32 nquads, u32 flags,
			       struct simt_prog **out, struct vs_reject *rej)
{
	struct bi_part parts[ARRAY_SIZE(r->part)];
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = parts, .nparts = r->nparts,
		.entry = r->w.entry / QUAD_BYTES,
	};
	u32 i;

	for (i = 0; i < r->nparts; i++)
		parts[i] = (struct bi_part){ .first = r->part[i].first, .va = r->part[i].va,
					     .nquads = r->part[i].nquads };
	return bifrost_lower_parts(&r->progs, &code, (enum bi_gpu)r->w.gpu, flags, out, rej);
}

static int lower_bifrost(struct mali_run *r, const u32 *words, u32 nquads,
			 struct simt_prog **out, struct vs_reject *rej)
{
	u32 flags = r->w.switches & MALI_SW_FUSED_FMA ? BI_LOWER_FUSED_FMA : 0;

	if (r->w.dbg)
		flags |= BI_LOWER_DEBUG;
	if (r->nparts > 1)
		return lower_bifrost_parts(r, words, nquads, flags, out, rej);
	return bifrost_lower(&r->progs, words, nquads, r->w.code_va, r->w.entry / QUAD_BYTES,
			     (enum bi_gpu)r->w.gpu, stages[r->w.stage], flags, out, rej);
}

static int lower(struct mali_run *r, const u32 *words, u32 nquads, struct simt_prog **out,
		 struct vs_fault *fault)
{
	struct vs_reject rej = {};
	u32 i = r->nparts - 1;
	int ret;

	if (mali_gpu_is_midgard(r->w.gpu))
		ret = lower_midgard(r, words, nquads, out, &rej);
	else
		ret = lower_bifrost(r, words, nquads, out, &rej);
	if (ret != -ENOEXEC)
		return ret;
	while (i && r->part[i].first > rej.offset)
		i--;
	rej.offset -= r->part[i].first;
	simt_refuse(fault, VS_FAULT_ENCODING, r->part[i].va + (u64)rej.offset * QUAD_BYTES,
		    rej.reason);
	fault->pc = rej.offset;
	fault->info = rej.value;
	return -ENOEXEC;
}

static int make_program(struct mali_run *r, struct simt_prog **out, struct vs_fault *fault)
{
	struct mali_cached *c;
	const u32 *words;
	u32 nquads;
	int ret;

	ret = read_parts(r, &words, &nquads, fault);
	if (ret)
		return ret;
	r->cost += nquads * QUAD_COST;
	ret = lower(r, words, nquads, out, fault);
	if (ret)
		return ret;
	c = &r->cache[r->next++ % MALI_RUN_CACHE];
	*c = (struct mali_cached){ .prog = *out, .words = words, .code = r->w.code,
				   .nparts = r->nparts, .entry = r->w.entry, .gpu = r->w.gpu,
				   .stage = r->w.stage, .tag = r->w.tag,
				   .fp_mode = r->w.fp_mode, .work_regs = r->w.work_regs,
				   .npush = r->w.npush };
	memcpy(c->part, r->part, sizeof(c->part));
	return 0;
}

int mali_program(struct mali_run *r, struct simt_prog **out, struct vs_fault *fault)
{
	u64 mark = r->progs.used;
	int ret;

	list_parts(r);
	*out = find_program(r);
	if (*out)
		return 0;
	ret = make_program(r, out, fault);
	if (ret == -ENOMEM && mark) {
		forget_programs(r);
		mark = 0;
		ret = make_program(r, out, fault);
	}
	if (ret)
		simt_arena_reset(&r->progs, mark);
	return ret;
}
