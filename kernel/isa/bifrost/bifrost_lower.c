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
static u32 bl_next_seen(const struct bl *l, u32 pos)
{
	return simt_front_next(l->walk.places.seen, l->nquads, pos);
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
static void bl_begin_all(struct simt_front *f)
{
	struct bl *l = container_of(f, struct bl, f);

	l->seq.td = false;
	l->seq.skip = BL_NOWHERE;
	l->seq.next = BL_NOWHERE;
	l->seq.pos = bl_next_seen(l, 0);
}

/* Lower the next clause, unless shorten_branch() has made it unreachable. */
static int bl_lower_one(struct bl *l)
{
	u32 pos = l->seq.pos, next = l->seq.next;
	int ret;

	l->seq.after = bl_next_seen(l, pos + 1);
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
static int bl_lower_all(struct simt_front *f, u32 *left)
{
	struct bl *l = container_of(f, struct bl, f);
	int ret;

	while (l->seq.pos != BL_NOWHERE) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, BI_VISIT);
		ret = bl_lower_one(l);
		if (ret)
			return ret;
	}
	jump_on(l, l->seq.next);
	/* target of branches to address 0 */
	if (l->ends) {
		simt_front_label(f, l->nquads);
		bl_emit(l, BL_UOP(.op = SIMT_END));
	}
	return 0;
}

/* ---- steps ---- */

static struct bl *bl_prepare(struct simt_arena *arena, const struct bi_code *code)
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
	l->f.arena = arena;
	l->f.rej = &l->check.reject;
	l->f.first = BI_SLOT_WORK;
	l->f.end = BI_SLOT_WORK + BI_NUM_WORK;
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

static int bl_look_walk(struct simt_front *f, u32 *left)
{
	struct bl *l = container_of(f, struct bl, f);
	int ret = bi_walk_step(&l->walk, left);

	l->seq.pos = l->nquads;
	return ret;
}

static int bl_look_live(struct simt_front *f, u32 *left)
{
	struct bl *l = container_of(f, struct bl, f);

	return bl_live_find(l, l->walk.places.seen, left);
}

static u32 bl_plan(struct simt_front *f, struct simt_prog *p)
{
	const struct bl *l = container_of(f, struct bl, f);
	bool fragment = l->stage == VS_STAGE_FRAGMENT;

	*p = (struct simt_prog){
		.nslots = l->segments ? BI_NUM_SEG_SLOTS : BI_NUM_SLOTS,
		.warp = bifrost_warp(l->gpu),
		.zero = l->debug ? BI_SLOT_SHOW + BI_NUM_UNITS : bl_live_zero(l, l->entry),
		.quads = fragment,
		.temp = BI_SLOT_TEMP,
		.keep = BI_SLOT_CARRY,
		.nkeep = BI_SLOT_STAGE - BI_SLOT_CARRY,
		.forget = !l->keeps,
		/* local ids */
		.uniform = { BIT_ULL(55) | BIT_ULL(56) },
		.compact = !fragment && !l->keeps,
		.sparse = !l->keeps,
		.debug = l->debug,
		.nunif = BI_UNIF_PUSH + 2 * (l->debug ? BI_DBG_PAIRS : l->npush),
		.entry = l->entry,
	};
	return l->clauses + 1;
}

static const struct simt_front_ops bl_ops = {
	.look = { bl_look_walk, bl_look_live }, .begin = bl_begin_all, .lower = bl_lower_all,
	.plan = bl_plan,
};

int bifrost_lower_new(struct simt_arena *arena, const struct bi_code *code, enum bi_gpu gpu,
		      enum vs_stage stage, u32 flags, struct simt_front **out,
		      struct vs_reject *rej)
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
	l = bl_prepare(arena, code);
	if (!l)
		return -ENOMEM;
	l->f.ops = &bl_ops;
	l->f.checks = checks;
	l->walk.clause = note_clause;
	l->gpu = gpu;
	l->stage = stage;
	l->fused = flags & BI_LOWER_FUSED_FMA;
	l->keeps = flags & BI_LOWER_KEEP_REGS;
	l->debug = flags & BI_LOWER_DEBUG;
	l->check.gpu = gpu;
	*out = &l->f;
	return bl_live_init(l, arena);
}

/* ---- interfaces ---- */

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
	l = bl_prepare(arena, &code);
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

const char *bifrost_reject_name(const struct vs_reject *rej)
{
	const struct bi_op *op = bi_op_find(rej->limit & 1 ? BI_ADD : BI_FMA, rej->value);

	return rej->reason == BI_UNSUPPORTED && op ? op->name : "?";
}
