// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost lowering: programs. Steps from code to a program of the SIMT machine: walk over the
 * reachable clauses, register liveness, a pass over the clauses that counts micro-ops, a pass
 * that emits them, and the machine's own passes (simt_finish.c).
 *
 * bifrost_lower_clause.c lowers a clause, bifrost_lower_op.c an operation by its rule; the rules
 * are in bifrost_lower_{float,word,conv,mem,msg,more}.c.
 */
#include "bifrost_lower_priv.h"

u32 bifrost_warp(enum bi_gpu gpu)
{
	return gpu == BI_G52 ? 8 : 4;
}

/* ---- the walk ---- */

/* Record the clause following a BLEND of the first part: blend programs return there. */
static int note_call(struct bl *l, const struct bi_view *v)
{
	u32 i, after = v->pos + v->c.quads;

	if (l->nparts < 2 || v->pos >= l->parts[1].first || v->header.message != BI_MSG_BLEND ||
	    v->header.flow == BI_FLOW_END)
		return 0;
	if (l->nback == BL_MAX_BACK)
		return bi_reject(&l->check, BI_UNSUPPORTED, v->pos,
				 bi_op_bits(v, v->c.ntuples - 1, BI_ADD),
				 2 * (v->c.ntuples - 1) + BI_ADD);
	for (i = 0; i < l->nback; i++)
		if (l->back[i] == after)
			return 0;
	l->back[l->nback++] = after;
	if (after < l->nquads)
		l->targets[after / 64] |= 1ULL << (after % 64);
	return 0;
}

/* Called by the walk for each reachable clause. */
static int note_clause(void *arg, const struct bi_view *v)
{
	struct bl *l = arg;
	s64 quad;
	u32 i, k;

	l->clauses++;
	bl_live_clause(l, v);
	/* out-of-range targets are rejected when the walk follows them */
	if (bi_branch_target(v, &quad) == BI_GOES_QUAD && quad >= 0 && quad < l->nquads)
		l->targets[quad / 64] |= 1ULL << (quad % 64);
	for (k = 0; k < BI_NUM_UNITS; k++) {
		u32 bits = bi_op_bits(v, 0, k);
		const struct bi_op *op = bi_op_find(k, bits);

		for (i = 0; i < 4 && op->src[i].codes; i++)
			l->carries |= bi_bits(bits, op->src[i].pos, 3) >= BI_SRC_T0;
	}
	return note_call(l, v);
}

/* First reachable clause at or after @pos, or BL_NOWHERE. */
static u32 next_seen(const struct bl *l, const u64 *seen, u32 pos)
{
	u32 i = pos / 64;
	u64 bits = seen[i] & ~0ULL << (pos % 64);

	while (!bits) {
		if (++i > l->nquads / 64)
			return BL_NOWHERE;
		bits = seen[i];
	}
	return 64 * i + __ffs64(bits);
}

/* Jump to a clause that is not adjacent in memory: encodings of clauses may overlap. */
static void jump_on(struct bl *l, u32 next)
{
	if (next == BL_NOWHERE)
		return;
	l->targets[next / 64] |= 1ULL << (next % 64);
	bl_emit(l, BL_UOP(.op = SIMT_JMP, .imm = next));
}

/* Begin a pass. */
static void begin_all(struct bl *l)
{
	l->seq.td = false;
	l->seq.skip = BL_NOWHERE;
	l->seq.next = BL_NOWHERE;
	l->seq.pos = next_seen(l, l->walk.places.seen, 0);
}

/* Lower the next clause, unless shorten_branch() has made it unreachable. */
static int lower_one(struct bl *l)
{
	u32 pos = l->seq.pos, next = l->seq.next;
	int ret;

	l->seq.after = next_seen(l, l->walk.places.seen, pos + 1);
	l->seq.pos = l->seq.after;
	if (pos == l->seq.skip) {
		l->seq.next = l->seq.skip_to;
		return 0;
	}
	if (next != pos)
		jump_on(l, next);
	ret = bl_clause(l, pos, next == pos);
	l->seq.next = pos + l->cl.v.c.quads;
	if (l->cl.branch == SIMT_JMP || l->cl.branch == SIMT_END ||
	    l->cl.v.header.flow == BI_FLOW_END)
		l->seq.next = BL_NOWHERE;
	return ret;
}

/* Lower all clauses in ascending order. Return: 0, -EAGAIN, or an error. */
static int lower_all(struct bl *l, u32 *left)
{
	int ret;

	while (l->seq.pos != BL_NOWHERE) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, BI_VISIT);
		ret = lower_one(l);
		if (ret)
			return ret;
	}
	jump_on(l, l->seq.next);
	/* target of branches to address 0 */
	if (l->ends && l->builder)
		simt_builder_label(l->builder, l->nquads);
	if (l->ends)
		bl_emit(l, BL_UOP(.op = SIMT_END));
	return 0;
}

/* ---- steps ---- */

static struct bl *prepare(struct simt_arena *arena, const struct bi_code *code)
{
	struct bl *l = simt_arena_alloc(arena, 1, sizeof(*l));
	u32 n = code->nquads, i;
	struct bi_walk *w = &l->walk;
	u64 *places;

	if (!l)
		return NULL;
	memcpy(l->parts, code->parts, code->nparts * sizeof(*l->parts));
	w->words = code->words;
	w->nquads = code->nquads;
	w->parts = l->parts;
	w->nparts = code->nparts;
	places = simt_arena_alloc(arena, vs_todo_words(n), sizeof(u64));
	l->targets = simt_arena_alloc(arena, n / 64 + 1, sizeof(u64));
	if (!places || !l->targets)
		return NULL;
	vs_todo_init(&w->places, places, n);
	vs_todo_add(&w->places, code->entry);
	for (i = 1; i < code->nparts; i++) {
		u32 first = code->parts[i].first;

		vs_todo_add(&w->places, first);
		l->targets[first / 64] |= 1ULL << (first % 64);
	}
	w->check = &l->check;
	w->arg = l;
	l->arena = arena;
	l->words = code->words;
	l->nquads = code->nquads;
	l->entry = code->entry;
	l->nparts = code->nparts;
	l->part = l->parts;
	return l;
}

u64 bifrost_check_bytes(u32 nquads)
{
	/* 64: alignment of each allocation */
	return sizeof(struct bl) + 3 * sizeof(u64) * (nquads / 64 + 1) + bl_live_bytes(nquads) +
	       6 * 64;
}

static int step_walk(struct bl *l, u32 *left)
{
	int ret = bi_walk_step(&l->walk, left);

	l->seq.pos = l->nquads;
	return ret;
}

static int step_live(struct bl *l, u32 *left)
{
	int ret = bl_live_find(l, l->walk.places.seen, left);

	if (!ret)
		begin_all(l);
	return ret;
}

/* Count micro-ops, for the builder's size. */
static int step_count(struct bl *l, u32 *left)
{
	return lower_all(l, left);
}

static int step_builder(struct bl *l, u32 *left)
{
	u32 nunif = l->special ? BI_NUM_UNIF : 2 * l->npush;

	if (l->count > SIMT_MAX_UOPS)
		return -E2BIG;
	l->builder = simt_builder_new(l->arena, l->count, l->clauses + 1, nunif);
	begin_all(l);
	return l->builder ? 0 : -ENOMEM;
}

static int step_emit(struct bl *l, u32 *left)
{
	const struct simt_prog proto = {
		.nslots = l->segments ? BI_NUM_SEG_SLOTS : BI_NUM_SLOTS,
		.warp = bifrost_warp(l->gpu), .zero = bl_live_zero(l, l->entry),
		.quads = l->stage == VS_STAGE_FRAGMENT,
		.temp = BI_SLOT_TEMP,
		.keep = BI_SLOT_CARRY,
		.nkeep = BI_SLOT_STAGE - BI_SLOT_CARRY,
		.forget = !l->keeps,
		/* local ids */
		.uniform = { BIT_ULL(55) | BIT_ULL(56) },
		.compact = l->stage != VS_STAGE_FRAGMENT && !l->keeps,
		.debug = l->debug,
	};
	int ret = lower_all(l, left);

	if (ret)
		return ret;
	l->finish = simt_finish_new(l->builder, &proto, l->entry);
	return l->finish ? 0 : -ENOMEM;
}

int bifrost_lower_step(struct bl *l, u32 *left, struct simt_prog **out, struct vs_reject *rej)
{
	static int (*const steps[])(struct bl *l, u32 *left) = {
		step_walk, step_live, step_count, step_builder, step_emit,
	};
	u32 n = l->checks ? 3 : ARRAY_SIZE(steps);
	int ret = 0;

	for (; l->step < n && !ret; l->step += !ret)
		ret = steps[l->step](l, left);
	if (!ret && !l->checks)
		ret = simt_finish_step(l->finish, left, out);
	*rej = l->check.reject;
	return ret;
}

int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct bl **out, struct vs_reject *rej)
{
	bool checks = flags & BI_LOWER_CHECK;
	u32 nquads = code->nquads;
	struct bl *l;

	memset(rej, 0, sizeof(*rej));
	if (!nquads || nquads > BI_MAX_QUADS || code->entry >= code->parts[0].nquads ||
	    gpu >= BI_NUM_GPUS + checks) {
		rej->reason = nquads && nquads <= BI_MAX_QUADS ? BI_BAD_ENTRY : BI_BAD_SIZE;
		rej->value = code->entry;
		rej->limit = nquads;
		return -ENOEXEC;
	}
	l = prepare(arena, code);
	if (!l)
		return -ENOMEM;
	l->walk.clause = note_clause;
	l->gpu = gpu;
	l->stage = stage;
	l->checks = checks;
	l->fused = flags & BI_LOWER_FUSED_FMA;
	l->keeps = flags & BI_LOWER_KEEP_REGS;
	l->debug = flags & BI_LOWER_DEBUG;
	l->check.gpu = gpu;
	*out = l;
	return bl_live_init(l, arena);
}

/* ---- interfaces ---- */

/* Run all steps without interruption, where sleeping is allowed. */
static int lower_code(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct simt_prog **out,
		      struct vs_reject *rej)
{
	u32 left;
	struct bl *l;
	int ret;

	ret = bifrost_lower_new(arena, code, gpu, stage, flags | (out ? 0 : BI_LOWER_CHECK), &l,
				rej);
	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
		ret = bifrost_lower_step(l, &left, out, rej);
		vs_cond_resched();
	} while (ret == -EAGAIN);
	return ret;
}

int bifrost_lower(struct simt_arena *arena, const u32 *words, u32 nquads, u64 va, u32 entry,
		  enum bi_gpu gpu, enum vs_stage stage, u32 flags, struct simt_prog **out,
		  struct vs_reject *rej)
{
	const struct bi_part all = { .nquads = nquads, .va = va };
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = &all, .nparts = 1, .entry = entry,
	};

	return lower_code(arena, &code, gpu, stage, flags, out, rej);
}

int bifrost_lower_parts(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
			u32 flags, struct simt_prog **out, struct vs_reject *rej)
{
	return lower_code(arena, code, gpu, VS_STAGE_FRAGMENT, flags, out, rej);
}

int bifrost_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       u32 *need, struct bl **out)
{
	const struct bi_part all = { .nquads = nquads };
	const struct bi_code code = {
		.words = words, .nquads = nquads, .parts = &all, .nparts = 1, .entry = entry,
	};
	struct bl *l;

	*need = entry + 1;
	*out = NULL;
	if (entry >= nquads || nquads > BI_MAX_QUADS)
		return 0;
	l = prepare(arena, &code);
	if (!l)
		return -ENOMEM;
	/* any GPU: lowering rejects operations that the actual one lacks */
	l->check.gpu = BI_NUM_GPUS;
	l->walk.need = need;
	*out = l;
	return 0;
}

int bifrost_extent_step(struct bl *l, u32 *left)
{
	/* lowering reports rejections */
	return l && bi_walk_step(&l->walk, left) == -EAGAIN ? -EAGAIN : 0;
}

int bifrost_extent(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry, u32 *need)
{
	u64 used = arena->used;
	u32 left;
	struct bl *l;
	int ret = bifrost_extent_new(arena, words, nquads, entry, need, &l);

	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
	} while (bifrost_extent_step(l, &left));
	simt_arena_reset(arena, used);
	return 0;
}

const char *bifrost_reject_name(const struct vs_reject *rej)
{
	const struct bi_op *op = bi_op_find(rej->limit & 1 ? BI_ADD : BI_FMA, rej->value);

	return rej->reason == BI_UNSUPPORTED && op ? op->name : "?";
}
