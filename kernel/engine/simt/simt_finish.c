// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From a builder's micro-ops to a program. Programs have up to a million micro-ops, and are made
 * where nothing may take long: the work is a list of passes, each in pieces of bounded length.
 */
#include "simt_opt.h"

static void mark(u64 *bits, u32 i)
{
	bits[i / 64] |= BIT_ULL(i % 64);
}

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

/* Return: how far the label has been moved. */
static u32 sort_in(struct simt_label *labels, u32 i, u32 gap)
{
	struct simt_label t = labels[i];
	u32 j, n = 0;

	for (j = i; j >= gap && labels[j - gap].guest > t.guest; j -= gap, n++)
		labels[j] = labels[j - gap];
	labels[j] = t;
	return n;
}

/* Labels by position, the first of equal ones in front; there is no recursion. */
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

/* Memory that is needed until the program is complete. */
static int begin(struct simt_finish *f)
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

/* Where branches lead to. */
static int find_targets(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;
	struct simt_label *l;

	for (; simt_pass_more(p, c->n); p->i++) {
		if (!simt_opt_branches(&c->uops[p->i]))
			continue;
		l = find_label(f->b, c->uops[p->i].imm);
		if (!l || l->uop >= c->n)
			return -EINVAL;
		c->to[p->i] = l->uop;
		mark(c->labels, l->uop);
	}
	return simt_pass_end(p, c->n);
}

/* A branch over a jump: the jump is made if its condition is not met. */
static void fold_branch(struct simt_code *c, u32 i)
{
	struct simt_uop *u = &c->uops[i];

	if ((u->op != SIMT_BRNZ && u->op != SIMT_BRZ) || u[1].op != SIMT_JMP ||
	    c->to[i] != i + 2 || c->entry == i + 1 || simt_opt_bit(c->labels, i + 1))
		return;
	u->op = u->op == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ;
	c->to[i] = c->to[i + 1];
	u[1] = (struct simt_uop){ .op = SIMT_MOV, .guest = u[1].guest };
	mark(c->dead, i + 1);
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

/* Those that are left. */
static int mark_targets(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, c->n); p->i++)
		if (simt_opt_branches(&c->uops[p->i]))
			mark(f->joins, c->to[p->i]);
	if (p->i < c->n)
		return -EAGAIN;
	memcpy(c->labels, f->joins, (c->n / 64 + 1) * sizeof(*f->joins));
	mark(c->labels, c->entry);
	return 0;
}

/* ---- simpler micro-ops ---- */

static int optimize(struct simt_finish *f)
{
	static int (*const steps[])(struct simt_finish *f) = {
		simt_opt_begin, simt_opt_wls, simt_opt_copies, simt_opt_addresses,
		simt_opt_shifts, simt_live_begin, simt_live_blocks, simt_live_clear,
		simt_live_sets, simt_live_improve, simt_live_end, simt_opt_share,
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

static bool is_straight(u32 op)
{
	return simt_opinfo[op].class <= SIMT_CL_I;
}

static void place_one(struct simt_finish *f, u32 i)
{
	const struct simt_code *c = &f->c;
	const struct simt_uop *u = &c->uops[i];
	u32 *n = &c->p->nuops;

	f->place[i] = *n;
	if ((simt_opt_bit(f->joins, i) && u->op != SIMT_JOIN) ||
	    f->straight == SIMT_MAX_STRAIGHT - 1) {
		f->out[(*n)++] = (struct simt_uop){ .op = SIMT_JOIN, .guest = u->guest };
		f->straight = 0;
	}
	if (simt_opt_bit(c->dead, i))
		return;
	f->straight = is_straight(u->op) ? f->straight + 1 : 0;
	f->out[*n] = *u;
	/* known as the number it had; see resolve() */
	if (simt_opt_branches(u))
		f->out[*n].imm = c->to[i];
	++*n;
}

/* Copy with JOINs put in and without what is dead. */
static int place(struct simt_finish *f)
{
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, f->c.n); p->i++)
		place_one(f, p->i);
	if (p->i < f->c.n)
		return -EAGAIN;
	f->c.p->entry = f->place[f->c.entry];
	return 0;
}

/* Branches, handlers and what is to be known of the program as a whole. */
static int resolve(struct simt_finish *f)
{
	struct simt_prog *prog = f->c.p;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, prog->nuops); p->i++) {
		struct simt_uop *u = &f->out[p->i];

		if (simt_opt_branches(u))
			u->imm = f->place[u->imm];
		prog->barriers |= u->op == SIMT_BARRIER;
		prog->exts |= u->op == SIMT_EXT;
		prog->kills |= u->op == SIMT_KILL || u->op == SIMT_ENDKILL;
		u->h = simt_handler(u);
	}
	return simt_pass_end(p, prog->nuops);
}

static void add_written(struct simt_prog *p, u32 slot)
{
	if (slot < SIMT_LIVE_SLOTS)
		mark(p->written, slot);
}

/* Weights, also of stretches between looks at the slice; slots that are written. */
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
		if (!is_straight(u->op)) {
			prog->stretch = max(prog->stretch, f->stretch);
			f->stretch = 0;
		}
		for (k = 0; k < simt_opt_written(u); k++)
			add_written(prog, u->d + k);
		if (u->op == SIMT_SHADD)
			add_written(prog, u->d2);
	}
	return simt_pass_end(p, prog->nuops);
}

static int verify(struct simt_finish *f)
{
	if (!f->pass.i)
		f->straight = 0;
	return simt_verify_part(f->c.p, &f->pass, &f->straight);
}

/**
 * simt_finish_step - a piece of the work
 * @f: of simt_finish_new()
 * @left: visits of micro-ops that are left to the caller's piece
 * @out: the program, with 0
 *
 * Return: -EAGAIN: none are left; else as simt_prog_finish().
 */
int simt_finish_step(struct simt_finish *f, u32 *left, struct simt_prog **out)
{
	static int (*const passes[])(struct simt_finish *f) = {
		check_ops, sort_labels, begin, find_targets, fold_branches, mark_targets,
		optimize, place, resolve, simt_pack_find, simt_pack_renumber, measure, verify,
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
 * simt_finish_new - begin to make a program of a builder's micro-ops
 * @b: builder
 * @proto: as of simt_prog_finish()
 * @entry: guest position (a label) to start at
 *
 * Return: for simt_finish_step(), lives as long as @b; NULL: arena.
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
	return f;
}

int simt_prog_finish(struct simt_builder *b, const struct simt_prog *proto, u32 entry,
		     struct simt_prog **out)
{
	struct simt_finish *f;
	u32 left;
	int ret;

	if (b->error)
		return b->error;
	f = simt_finish_new(b, proto, entry);
	if (!f)
		return -ENOMEM;
	do {
		left = ~0U;
		ret = simt_finish_step(f, &left, out);
	} while (ret == -EAGAIN);
	return ret;
}
