// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Uniformity analysis: values that are the same in all workgroups that run in step are computed
 * once for all of them.
 *
 * A value is uniform if it is computed only from uniform words, from start values that are equal
 * in all workgroups (local ids: simt_prog.uniform) and from other uniform values. It may differ
 * between lanes, but lane l has the same value in all blocks in step, as these have the same
 * lanes at the same micro-op. A uniform value is moved to a shared slot, following the program's
 * own slots, if every reader can find only shared values there: the first block in step writes it
 * and all blocks read it. When blocks stop running in step, shared slots are copied.
 *
 * Three data-flow problems, each solved over the basic blocks up to a fixed point:
 *
 * 1. forward: which slots hold uniform values;
 * 2. forward: which slots hold only candidates for shared slots;
 * 3. backward: which slots are read where 2 does not hold. Candidates in them are dropped, and
 *    2 and 3 are repeated.
 *
 * Nothing is shared if the solution takes more than MAX_SWEEPS.
 */
#include "simt_opt.h"

#define MAX_SWEEPS	64
#define MAX_VISITS	0x200000	/* of micro-ops, in all sweeps */
#define MAX_SHARED	64		/* slots */

/* Returned by a stage: share nothing. */
#define GIVE_UP		1

#define REPEAT_FROM	4		/* stage to repeat from after solve_own: init_full */

/*
 * Flags of a micro-op: source k is read from a shared slot; the result is uniform; it is a
 * candidate for a shared slot.
 */
#define F_SOURCE(k)	BIT(k)
#define F_UNIFORM	BIT(4)
#define F_SHARED	BIT(5)

/* The program has not been verified yet: slots may be out of range. */
static void simt_uniform_put(struct simt_uniform *h, u32 s, bool on)
{
	if (s >= h->c->p->nslots)
		return;
	if (on)
		simt_set_bit(h->now, s);
	else
		simt_clear_bit(h->now, s);
}

static bool has(const struct simt_uniform *h, u32 s)
{
	return s < h->c->p->nslots && simt_bit(h->now, s);
}

static void put_defs(struct simt_uniform *h, const struct simt_uop *u, bool on)
{
	u32 n = simt_num_defs(u), i;

	for (i = 0; i < n; i++)
		simt_uniform_put(h, u->d + i, on);
	if (u->op == SIMT_SHADD)
		simt_uniform_put(h, u->d2, on);
}

static u32 num_sources(const struct simt_uop *u)
{
	return simt_opinfo[u->op].nsrc;
}

/* A load from memory that is not the workgroup's or thread's own. */
static bool is_common_load(const struct simt_uop *u)
{
	u32 seg = SIMT_MEM_SEG(u->imm);

	return u->op == SIMT_LD && seg != SIMT_SEG_WLS && seg != SIMT_SEG_TLS &&
	       seg != SIMT_SEG_LOCAL;
}

/* ---- forward: uniform values, shared values ---- */

static void visit_uniform(struct simt_uniform *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	bool uniform = simt_is_straight(u) || is_common_load(u);
	u32 k;

	for (k = 0; k < num_sources(u); k++)
		uniform &= u->s[k] & SIMT_U || has(h, u->s[k]);
	h->flags[i] = uniform ? F_UNIFORM : 0;
	put_defs(h, u, uniform);
}

/* Return: the executor of @u can read operands from shared slots. */
static bool reads_shared(const struct simt_uop *u)
{
	return simt_is_straight(u) || u->op == SIMT_LD || u->op == SIMT_ST || simt_is_branch(u);
}

static void visit_shared(struct simt_uniform *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	u8 *flags = &h->flags[i];
	u32 k;

	*flags &= F_UNIFORM | F_SHARED;
	for (k = 0; k < num_sources(u) && reads_shared(u); k++)
		if (has(h, u->s[k]))
			*flags |= F_SOURCE(k);
	put_defs(h, u, *flags & F_SHARED);
}

/* Intersection: a slot is in the set only if it is on all paths. */
static void simt_uniform_meet(struct simt_uniform *h, u32 first)
{
	u64 *at = h->at + simt_bb_of(h->c, first) * h->words, less = 0;
	u32 i;

	for (i = 0; i < h->words; i++) {
		less |= at[i] & ~h->now[i];
		at[i] &= h->now[i];
	}
	h->changed |= less;
}

static void forward(struct simt_uniform *h, u32 i, void (*visit)(struct simt_uniform *h, u32 i))
{
	const struct simt_code *c = h->c;

	if (i == c->start[h->block])
		memcpy(h->now, h->at + h->block * h->words, h->words * sizeof(*h->now));
	if (!simt_bit(c->dead, i))
		visit(h, i);
	if (i + 1 != simt_bb_end(c, h->block))
		return;
	if (simt_is_branch(&c->uops[i]))
		simt_uniform_meet(h, c->to[i]);
	if (simt_falls_through(&c->uops[i]) && i + 1 < c->n)
		simt_uniform_meet(h, i + 1);
	h->block++;
}

/* Return: 0: fixed point. */
static int solve_forward(struct simt_finish *f, void (*visit)(struct simt_uniform *h, u32 i))
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;

	while (h->sweeps) {
		if (!p->i) {
			h->block = 0;
			h->changed = false;
		}
		for (; simt_pass_more(p, h->c->n); p->i++)
			forward(h, p->i, visit);
		if (p->i < h->c->n)
			return -EAGAIN;
		h->sweeps--;
		if (!h->changed)
			return 0;
		p->i = 0;
	}
	return GIVE_UP;
}

/* Start from full sets, but for the entry's: the greatest fixed point is wanted. */
static int init_full(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, h->c->nblocks); p->i++)
		memset(h->at + p->i * h->words, 0xff, h->words * sizeof(*h->at));
	if (p->i < h->c->nblocks)
		return -EAGAIN;
	memset(h->at + simt_bb_of(h->c, h->c->entry) * h->words, 0,
	       h->words * sizeof(*h->at));
	return 0;
}

/* The same; uniform start values are in the entry's set. */
static int init_uniform(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	u64 *entry = h->at + simt_bb_of(h->c, h->c->entry) * h->words;
	int ret = init_full(f);
	u32 i;

	for (i = 0; !ret && i < min_t(u32, h->words, ARRAY_SIZE(h->c->p->uniform)); i++)
		entry[i] = h->c->p->uniform[i];
	return ret;
}

static int solve_uniform(struct simt_finish *f)
{
	return solve_forward(f, visit_uniform);
}

static int solve_shared(struct simt_finish *f)
{
	return solve_forward(f, visit_shared);
}

/* ---- backward: slots that are read as the block's own ---- */

static void add_own_uses(struct simt_uniform *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	u32 k, j, n, first;

	for (k = 0; k < num_sources(u); k++)
		if (!(u->s[k] & SIMT_U) && !(h->flags[i] & F_SOURCE(k)))
			simt_uniform_put(h, u->s[k], true);
	for (k = 0; k < 2; k++) {
		n = simt_implicit_uses(u, k, &first);
		for (j = first; j < first + n; j++)
			simt_uniform_put(h, j, true);
	}
}

/* A candidate that may be read as the block's own value is dropped. */
static void visit_own(struct simt_uniform *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];

	if (h->flags[i] & F_SHARED &&
	    (has(h, u->d) || (u->op == SIMT_SHADD && has(h, u->d2)))) {
		h->flags[i] &= ~F_SHARED;
		h->dropped = true;
	}
	/* EXT may leave slots of its range as they were: no kill */
	if (u->op != SIMT_EXT)
		put_defs(h, u, false);
	add_own_uses(h, i);
}

/* Union over the successors. */
static void simt_uniform_join(struct simt_uniform *h, u32 first)
{
	const u64 *at = h->at + simt_bb_of(h->c, first) * h->words;
	u32 i;

	for (i = 0; i < h->words; i++)
		h->now[i] |= at[i];
}

static void backward(struct simt_uniform *h, u32 i)
{
	const struct simt_code *c = h->c;
	u64 *at = h->at + h->block * h->words, more = 0;
	u32 k;

	if (i + 1 == simt_bb_end(c, h->block)) {
		memset(h->now, 0, h->words * sizeof(*h->now));
		if (simt_is_branch(&c->uops[i]))
			simt_uniform_join(h, c->to[i]);
		if (simt_falls_through(&c->uops[i]) && i + 1 < c->n)
			simt_uniform_join(h, i + 1);
	}
	if (!simt_bit(c->dead, i))
		visit_own(h, i);
	if (i != c->start[h->block])
		return;
	for (k = 0; k < h->words; k++) {
		more |= h->now[k] & ~at[k];
		at[k] |= h->now[k];
	}
	h->changed |= more;
	h->block--;
}

/* Start from empty sets. */
static int init_empty(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;

	h->dropped = false;
	for (; simt_pass_more(p, h->c->nblocks); p->i++)
		memset(h->at + p->i * h->words, 0, h->words * sizeof(*h->at));
	return simt_pass_end(p, h->c->nblocks);
}

static int solve_own(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;
	u32 n = h->c->n;

	while (h->sweeps) {
		if (!p->i) {
			h->block = h->c->nblocks - 1;
			h->changed = false;
		}
		for (; simt_pass_more(p, n); p->i++)
			backward(h, n - 1 - p->i);
		if (p->i < n)
			return -EAGAIN;
		h->sweeps--;
		if (!h->changed)
			return 0;
		p->i = 0;
	}
	return GIVE_UP;
}

/* ---- slots ---- */

/* Assign slot @s a shared slot unless it has one. Return: false if none is left. */
static bool simt_uniform_assign(struct simt_uniform *h, u32 s, u32 *n)
{
	if (s >= h->c->p->nslots)
		return false;
	if (!h->to[s] && *n < MAX_SHARED && h->c->p->nslots + *n < SIMT_MAX_SLOTS) {
		h->to[s] = (u16)(h->c->p->nslots + *n);
		++*n;
	}
	return h->to[s];
}

/* Candidates: uniform results of one slot. */
static int propose(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, h->c->n); p->i++) {
		const struct simt_uop *u = &h->c->uops[p->i];

		if (simt_bit(h->c->dead, p->i) || !(h->flags[p->i] & F_UNIFORM) ||
		    simt_num_defs(u) != 1)
			continue;
		if (simt_uniform_assign(h, u->d, &h->n) &&
		    (u->op != SIMT_SHADD || simt_uniform_assign(h, u->d2, &h->n)))
			h->flags[p->i] |= F_SHARED;
	}
	return simt_pass_end(p, h->c->n);
}

static void rewrite_def(struct simt_uniform *h, struct simt_uop *u)
{
	simt_uniform_assign(h, u->d, &h->n);
	u->d = h->to[u->d];
	if (u->op != SIMT_SHADD)
		return;
	simt_uniform_assign(h, u->d2, &h->n);
	u->d2 = h->to[u->d2];
}

/* Move results to shared slots, renumbered without those of dropped candidates. */
static int rewrite_defs(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;

	if (!p->i) {
		memset(h->to, 0, h->c->p->nslots * sizeof(*h->to));
		h->n = 0;
	}
	for (; simt_pass_more(p, h->c->n); p->i++)
		if (!simt_bit(h->c->dead, p->i) && h->flags[p->i] & F_SHARED)
			rewrite_def(h, &h->c->uops[p->i]);
	return simt_pass_end(p, h->c->n);
}

/* Make operands read from shared slots. */
static int rewrite_uses(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_pass *p = &f->pass;
	u32 k;

	for (; simt_pass_more(p, h->c->n); p->i++) {
		struct simt_uop *u = &h->c->uops[p->i];

		if (simt_bit(h->c->dead, p->i))
			continue;
		for (k = 0; k < num_sources(u); k++)
			if (h->flags[p->i] & F_SOURCE(k))
				u->s[k] = h->to[u->s[k]];
	}
	if (p->i < h->c->n)
		return -EAGAIN;
	h->c->p->nslots += h->n;
	return 0;
}

/* Programs whose blocks never run in step have nothing to share. */
static int simt_uniform_prepare(struct simt_finish *f)
{
	struct simt_uniform *h = &f->uniform;
	struct simt_code *c = &f->c;

	if (c->p->quads || !c->p->forget || c->kills)
		return GIVE_UP;
	h->c = c;
	h->words = DIV_ROUND_UP(c->p->nslots, 64);
	h->sweeps = min_t(u32, MAX_SWEEPS, MAX_VISITS / c->n);
	h->n = 0;
	h->now = simt_arena_alloc(f->a, h->words, sizeof(*h->now));
	h->at = simt_arena_take(f->a, (u64)c->nblocks * h->words, sizeof(*h->at));
	h->flags = simt_arena_take(f->a, c->n, sizeof(*h->flags));
	h->to = simt_arena_alloc(f->a, c->p->nslots, sizeof(*h->to));
	return h->now && h->at && h->flags && h->to ? 0 : GIVE_UP;
}

int simt_uniform_share(struct simt_finish *f)
{
	static int (*const stages[])(struct simt_finish *f) = {
		simt_uniform_prepare, init_uniform, solve_uniform, propose,
		init_full, solve_shared, init_empty, solve_own, rewrite_defs, rewrite_uses,
	};
	struct simt_uniform *h = &f->uniform;
	int ret;

	while (h->stage < ARRAY_SIZE(stages)) {
		ret = stages[h->stage](f);
		if (ret == GIVE_UP)
			return 0;
		if (ret)
			return ret;
		f->pass.i = 0;
		/* repeat without the dropped candidates */
		h->stage = stages[h->stage] == solve_own && h->dropped ? REPEAT_FROM : h->stage + 1;
	}
	return 0;
}
