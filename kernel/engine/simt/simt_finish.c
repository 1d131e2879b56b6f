// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From a builder's micro-ops to a program: resolves labels, runs the optimization passes, places
 * micro-ops and JOINs, verifies.
 *
 * Programs have up to a million micro-ops and are made on a worker that must stay responsive:
 * the passes run in pieces of bounded length.
 */
#include "simt_opt.h"

/* ---- labels ---- */

static int check_ops(struct simt_finish *f)
{
	const struct simt_builder *b = f->b;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, b->nuops); p->i++) {
		u32 op = b->uops[p->i].op;

		if (op >= SIMT_NUM_OPS)
			return -EINVAL;
		f->c.kills |= op == SIMT_KILL || op == SIMT_ENDKILL;
	}
	f->gap = b->nlabels / 2;
	return simt_pass_end(p, b->nuops);
}

/* One insertion of the shell sort. Return: number of moves. */
static u32 sort_in(struct simt_label *labels, u32 i, u32 gap)
{
	struct simt_label t = labels[i];
	u32 j, n = 0;

	for (j = i; j >= gap && labels[j - gap].guest > t.guest; j -= gap, n++)
		labels[j] = labels[j - gap];
	labels[j] = t;
	return n;
}

/* Shell sort of labels by position: needs no stack. */
static int sort_labels(struct simt_finish *f)
{
	struct simt_builder *b = f->b;
	struct simt_pass *p = &f->pass;

	for (; f->gap; f->gap /= 2) {
		for (p->i = max(p->i, f->gap); simt_pass_more(p, b->nlabels); p->i++)
			simt_pass_use(p, sort_in(b->labels, p->i, f->gap));
		if (p->i < b->nlabels)
			return -EAGAIN;
		p->i = 0;
	}
	return 0;
}

static struct simt_label *find_label(const struct simt_builder *b, u32 guest)
{
	u32 lo = 0, hi = b->nlabels;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (b->labels[mid].guest == guest)
			return &b->labels[mid];
		if (b->labels[mid].guest < guest)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* Allocate the passes' memory, which is freed after the last one. */
static int simt_finish_begin(struct simt_finish *f)
{
	const struct simt_label *l = find_label(f->b, f->entry);
	struct simt_code *c = &f->c;
	u32 n = f->b->nuops, sets = n / 64 + 1;

	if (!l || l->uop >= n)
		return -EINVAL;
	c->uops = f->b->uops;
	c->n = n;
	c->entry = l->uop;
	f->joins = simt_arena_alloc(f->a, sets, sizeof(*f->joins));
	f->place = simt_arena_take(f->a, n, sizeof(*f->place));
	c->labels = simt_arena_alloc(f->a, sets, sizeof(*c->labels));
	c->dead = simt_arena_alloc(f->a, sets, sizeof(*c->dead));
	c->to = simt_arena_take(f->a, n, sizeof(*c->to));
	memset(c->p->live, 0xff, sizeof(c->p->live));
	return f->joins && f->place && c->labels && c->dead && c->to ? 0 : -ENOMEM;
}

/* Resolve the guest positions in branches. */
static int find_targets(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;
	struct simt_label *l;

	for (; simt_pass_more(p, c->n); p->i++) {
		if (!simt_is_branch(&c->uops[p->i]))
			continue;
		l = find_label(f->b, c->uops[p->i].imm);
		if (!l || l->uop >= c->n)
			return -EINVAL;
		c->to[p->i] = l->uop;
		simt_set_bit(c->labels, l->uop);
	}
	return simt_pass_end(p, c->n);
}

/* A conditional branch over a jump becomes the opposite branch to the jump's target. */
static void fold_branch(struct simt_code *c, u32 i)
{
	struct simt_uop *u = &c->uops[i];

	if ((u->op != SIMT_BRNZ && u->op != SIMT_BRZ) || u[1].op != SIMT_JMP ||
	    c->to[i] != i + 2 || c->entry == i + 1 || simt_bit(c->labels, i + 1))
		return;
	u->op = u->op == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ;
	c->to[i] = c->to[i + 1];
	u[1] = (struct simt_uop){ .op = SIMT_MOV, .guest = u[1].guest };
	simt_set_bit(c->dead, i + 1);
}

static int fold_branches(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;

	if (c->p->debug || c->n < 3)
		return 0;
	for (; simt_pass_more(p, c->n - 2); p->i++)
		fold_branch(c, p->i);
	return simt_pass_end(p, c->n - 2);
}

/* Mark the targets of remaining branches, which need JOINs. */
static int mark_targets(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, c->n); p->i++)
		if (simt_is_branch(&c->uops[p->i]))
			simt_set_bit(f->joins, c->to[p->i]);
	if (p->i < c->n)
		return -EAGAIN;
	memcpy(c->labels, f->joins, (c->n / 64 + 1) * sizeof(*f->joins));
	simt_set_bit(c->labels, c->entry);
	return 0;
}

/* ---- optimization ---- */

static int optimize(struct simt_finish *f)
{
	static int (*const steps[])(struct simt_finish *f) = {
		simt_addr_begin, simt_addr_check_wls, simt_copy_propagate, simt_addr_fold,
		simt_addr_fuse_shifts, simt_cfg_build, simt_live_begin, simt_live_solve,
		simt_fuse, simt_cfg_drop_jumps, simt_live_entry, simt_uniform_share,
	};
	int ret;

	if (f->c.p->debug)
		return 0;
	while (f->step < ARRAY_SIZE(steps)) {
		ret = steps[f->step](f);
		if (ret)
			return ret;
		f->step++;
		f->pass.i = 0;
	}
	return 0;
}

/* ---- the program ---- */

static void place_one(struct simt_finish *f, u32 i)
{
	const struct simt_code *c = &f->c;
	const struct simt_uop *u = &c->uops[i];
	u32 *n = &c->p->nuops;

	f->place[i] = *n;
	if ((simt_bit(f->joins, i) && u->op != SIMT_JOIN) ||
	    f->straight == SIMT_MAX_STRAIGHT - 1) {
		f->out[(*n)++] = (struct simt_uop){ .op = SIMT_JOIN, .guest = u->guest };
		f->straight = 0;
	}
	if (simt_bit(c->dead, i))
		return;
	f->straight = simt_is_straight(u) ? f->straight + 1 : 0;
	f->out[*n] = *u;
	/* simt_finish_resolve() replaces the old index by the new one */
	if (simt_is_branch(u))
		f->out[*n].imm = c->to[i];
	++*n;
}

/* Copy micro-ops that are not dead, and insert JOINs. */
static int simt_finish_place(struct simt_finish *f)
{
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, f->c.n); p->i++)
		place_one(f, p->i);
	if (p->i < f->c.n)
		return -EAGAIN;
	f->c.p->entry = f->place[f->c.entry];
	return 0;
}

/* Executors are faster if a word of the uniform table is the second operand. */
static void order_operands(struct simt_uop *u)
{
	u32 first = SIMT_NEG(0) | SIMT_ABS(0), second = SIMT_NEG(1) | SIMT_ABS(1);
	u16 s = u->s[0];

	if (u->op != SIMT_FADD && u->op != SIMT_FMUL && u->op != SIMT_FMA && u->op != SIMT_FMAU &&
	    u->op != SIMT_IADD && u->op != SIMT_IMUL && u->op != SIMT_IMAD)
		return;
	if (!(s & SIMT_U) || u->s[1] & SIMT_U)
		return;
	u->s[0] = u->s[1];
	u->s[1] = s;
	u->mods = (u->mods & ~(first | second)) | (u->mods & first) << 1 | (u->mods & second) >> 1;
}

/* Set branch targets, the executors' handlers and the properties of the program. */
static int simt_finish_resolve(struct simt_finish *f)
{
	struct simt_prog *prog = f->c.p;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, prog->nuops); p->i++) {
		struct simt_uop *u = &f->out[p->i];

		if (simt_is_branch(u))
			u->imm = f->place[u->imm];
		prog->barriers |= u->op == SIMT_BARRIER;
		prog->exts |= u->op == SIMT_EXT;
		prog->kills |= u->op == SIMT_KILL || u->op == SIMT_ENDKILL;
		order_operands(u);
		u->h = simt_handler(u);
	}
	return simt_pass_end(p, prog->nuops);
}

static void add_written(struct simt_prog *p, u32 slot)
{
	if (slot < SIMT_LIVE_SLOTS)
		simt_set_bit(p->written, slot);
}

/*
 * Compute prefix sums of weights and the maximum between two slice checks; record slots that are
 * written, and those that are used, unless compaction has.
 */
static int measure(struct simt_finish *f)
{
	struct simt_prog *prog = f->c.p;
	struct simt_pass *p = &f->pass;
	u32 k;

	for (; simt_pass_more(p, prog->nuops); p->i++) {
		const struct simt_uop *u = &f->out[p->i];
		u32 weight = simt_opinfo[u->op].weight;

		f->wsum[p->i + 1] = f->wsum[p->i] + weight;
		f->stretch += weight;
		if (!simt_is_straight(u)) {
			prog->stretch = max(prog->stretch, f->stretch);
			f->stretch = 0;
		}
		for (k = 0; k < simt_num_defs(u); k++)
			add_written(prog, u->d + k);
		if (u->op == SIMT_SHADD)
			add_written(prog, u->d2);
		if (prog->sparse && !prog->at)
			simt_mark_used(u, f->uses);
	}
	if (prog->sparse && !prog->at)
		memcpy(prog->used, f->uses, sizeof(prog->used));
	return simt_pass_end(p, prog->nuops);
}

static int simt_finish_verify(struct simt_finish *f)
{
	if (!f->pass.i)
		f->straight = 0;
	return simt_verify_part(f->c.p, &f->pass, &f->straight);
}

/**
 * simt_finish_step - run passes for one piece
 * @f: from simt_finish_new()
 * @left: visits of micro-ops left in the caller's piece
 * @out: the program, with 0
 *
 * Return: 0, -EAGAIN: none are left; -ENOMEM (arena), -E2BIG (limits), -EINVAL (defect of the
 * front end).
 */
int simt_finish_step(struct simt_finish *f, u32 *left, struct simt_prog **out)
{
	static int (*const passes[])(struct simt_finish *f) = {
		check_ops, sort_labels, simt_finish_begin, find_targets, fold_branches,
		mark_targets, optimize, simt_finish_place, simt_finish_resolve,
		simt_compact_collect, simt_compact_renumber, measure, simt_finish_verify,
	};
	int ret = f->b->error;

	f->pass.left = *left;
	while (!ret && f->number < ARRAY_SIZE(passes)) {
		ret = passes[f->number](f);
		if (ret)
			break;
		f->number++;
		f->pass.i = 0;
	}
	*left = f->pass.left;
	if (ret == -EAGAIN)
		return ret;
	simt_arena_reset(f->a, f->used);
	if (!ret)
		*out = f->c.p;
	return ret;
}

/**
 * simt_finish_new - start to build a program from a builder's micro-ops
 * @b: builder
 * @proto: nslots, warp, zero, quads, temp, keep, nkeep, forget, nout, debug, wls, uniform, compact,
 *	sparse
 * @entry: guest position (a label) to start at
 *
 * Return: state for simt_finish_step(), lives as long as @b; NULL: arena exhausted.
 */
struct simt_finish *simt_finish_new(struct simt_builder *b, const struct simt_prog *proto,
				    u32 entry)
{
	u32 max_out = b->nuops + b->nuops / (SIMT_MAX_STRAIGHT - 1) + b->nlabels + 1;
	struct simt_finish *f = &b->finish;
	struct simt_prog *p;

	f->b = b;
	f->a = b->arena;
	f->entry = entry;
	p = simt_arena_alloc(f->a, 1, sizeof(*p));
	f->out = simt_arena_take(f->a, max_out, sizeof(*f->out));
	f->slots = simt_arena_take(f->a, SIMT_MAX_SLOTS, sizeof(*f->slots));
	f->wsum = simt_arena_take(f->a, max_out + 1, sizeof(*f->wsum));
	if (!p || !f->out || !f->slots || !f->wsum)
		return NULL;
	f->wsum[0] = 0;
	f->c.p = p;
	f->used = f->a->used;
	*p = *proto;
	p->own = p->nslots;
	p->nuops = 0;
	p->barriers = false;
	p->kills = false;
	p->exts = false;
	p->at = NULL;
	p->nunif = b->nunif;
	p->nconst = b->nconst;
	p->consts = b->consts;
	p->uops = f->out;
	p->wsum = f->wsum;
	p->stretch = 1;
	memset(p->written, 0, sizeof(p->written));
	memset(p->used, 0xff, sizeof(p->used));
	return f;
}
