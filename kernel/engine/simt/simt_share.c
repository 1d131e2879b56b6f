// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What is the same in all workgroups that run in step: computed once for all of them.
 *
 * A value is alike if it is made of uniform words, of what all workgroups start with (local
 * ids), and of other alike values only: then each lane has it in all blocks in step, as these
 * have the same lanes at the same place. Where all that reads a value can only find values that
 * are alike, it gets a slot behind the program's own: these slots are shared by blocks in step,
 * and written by the first one. Nobody else has to write them; when blocks part, they are
 * copied.
 *
 * Three questions about ways through the program lead there, each answered by sets of slots at
 * the starts of blocks of micro-ops: what is alike, which slots hold nothing else than values
 * that could go to shared slots, and which of these values somebody reads where that is not so.
 */
#include "simt_opt.h"

#define MAX_SWEEPS	64
#define MAX_LOOKS	0x200000	/* at micro-ops */
#define MAX_SHARED	64		/* slots */

/* Of a stage: nothing is shared. */
#define TOO_LONG	1

#define AGAIN		4		/* stage that is repeated */

/* Of a micro-op: sources that can be read from shared slots, and what it writes. */
#define F_SOURCE(k)	BIT(k)
#define F_ALIKE		BIT(4)
#define F_SHARED	BIT(5)

/* Programs have not been verified yet. */
static void put(struct simt_share *h, u32 s, bool on)
{
	if (s >= h->c->p->nslots)
		return;
	if (on)
		h->now[s / 64] |= BIT_ULL(s % 64);
	else
		h->now[s / 64] &= ~BIT_ULL(s % 64);
}

static bool has(const struct simt_share *h, u32 s)
{
	return s < h->c->p->nslots && simt_opt_bit(h->now, s);
}

static void put_written(struct simt_share *h, const struct simt_uop *u, bool on)
{
	u32 n = simt_opt_written(u), i;

	for (i = 0; i < n; i++)
		put(h, u->d + i, on);
	if (u->op == SIMT_SHADD)
		put(h, u->d2, on);
}

static u32 num_sources(const struct simt_uop *u)
{
	return simt_opinfo[u->op].nsrc;
}

/* Memory that all workgroups see at one address. */
static bool is_common_load(const struct simt_uop *u)
{
	u32 seg = SIMT_MEM_SEG(u->imm);

	return u->op == SIMT_LD && seg != SIMT_SEG_WLS && seg != SIMT_SEG_TLS &&
	       seg != SIMT_SEG_LOCAL;
}

static bool is_straight(const struct simt_uop *u)
{
	return simt_opinfo[u->op].class <= SIMT_CL_I;
}

/* ---- what is alike, and what can be shared: forward ---- */

static void alike_at(struct simt_share *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	bool alike = is_straight(u) || is_common_load(u);
	u32 k;

	for (k = 0; k < num_sources(u); k++)
		alike &= u->s[k] & SIMT_U || has(h, u->s[k]);
	h->flags[i] = alike ? F_ALIKE : 0;
	put_written(h, u, alike);
}

/* Can it read its operands where other blocks than its own have them? */
static bool reads_shared(const struct simt_uop *u)
{
	return is_straight(u) || u->op == SIMT_LD || u->op == SIMT_ST || simt_opt_branches(u);
}

static void shared_at(struct simt_share *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	u8 *flags = &h->flags[i];
	u32 k;

	*flags &= F_ALIKE | F_SHARED;
	for (k = 0; k < num_sources(u) && reads_shared(u); k++)
		if (has(h, u->s[k]))
			*flags |= F_SOURCE(k);
	put_written(h, u, *flags & F_SHARED);
}

/* Only what is so on all ways. */
static void meet(struct simt_share *h, u32 first)
{
	u64 *at = h->at + simt_opt_block(h->c, first) * h->words, less = 0;
	u32 i;

	for (i = 0; i < h->words; i++) {
		less |= at[i] & ~h->now[i];
		at[i] &= h->now[i];
	}
	h->changed |= less;
}

static void forward(struct simt_share *h, u32 i, void (*visit)(struct simt_share *h, u32 i))
{
	const struct simt_code *c = h->c;

	if (i == c->start[h->block])
		memcpy(h->now, h->at + h->block * h->words, h->words * sizeof(*h->now));
	if (!simt_opt_bit(c->dead, i))
		visit(h, i);
	if (i + 1 != simt_opt_block_end(c, h->block))
		return;
	if (simt_opt_branches(&c->uops[i]))
		meet(h, c->to[i]);
	if (simt_opt_goes_on(&c->uops[i]) && i + 1 < c->n)
		meet(h, i + 1);
	h->block++;
}

/* Return: 0: the sets do not change any more. */
static int ask(struct simt_finish *f, void (*visit)(struct simt_share *h, u32 i))
{
	struct simt_share *h = &f->share;
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
	return TOO_LONG;
}

/* Sets are full, but for the entry's. */
static int fill(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, h->c->nblocks); p->i++)
		memset(h->at + p->i * h->words, 0xff, h->words * sizeof(*h->at));
	if (p->i < h->c->nblocks)
		return -EAGAIN;
	memset(h->at + simt_opt_block(h->c, h->c->entry) * h->words, 0,
	       h->words * sizeof(*h->at));
	return 0;
}

static int fill_alike(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	u64 *entry = h->at + simt_opt_block(h->c, h->c->entry) * h->words;
	int ret = fill(f);
	u32 i;

	for (i = 0; !ret && i < min_t(u32, h->words, ARRAY_SIZE(h->c->p->alike)); i++)
		entry[i] = h->c->p->alike[i];
	return ret;
}

static int ask_alike(struct simt_finish *f)
{
	return ask(f, alike_at);
}

static int ask_shared(struct simt_finish *f)
{
	return ask(f, shared_at);
}

/* ---- what cannot be shared: backward ---- */

static void add_readers(struct simt_share *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	u32 k, j, n, first;

	for (k = 0; k < num_sources(u); k++)
		if (!(u->s[k] & SIMT_U) && !(h->flags[i] & F_SOURCE(k)))
			put(h, u->s[k], true);
	for (k = 0; k < 2; k++) {
		n = simt_opt_read_from(u, k, &first);
		for (j = first; j < first + n; j++)
			put(h, j, true);
	}
}

/* A value that somebody reads in its own slot cannot be shared. */
static void unshare_at(struct simt_share *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];

	if (h->flags[i] & F_SHARED &&
	    (has(h, u->d) || (u->op == SIMT_SHADD && has(h, u->d2)))) {
		h->flags[i] &= ~F_SHARED;
		h->unshared = true;
	}
	/* EXT may leave some of them as they are */
	if (u->op != SIMT_EXT)
		put_written(h, u, false);
	add_readers(h, i);
}

static void join(struct simt_share *h, u32 first)
{
	const u64 *at = h->at + simt_opt_block(h->c, first) * h->words;
	u32 i;

	for (i = 0; i < h->words; i++)
		h->now[i] |= at[i];
}

static void backward(struct simt_share *h, u32 i)
{
	const struct simt_code *c = h->c;
	u64 *at = h->at + h->block * h->words, more = 0;
	u32 k;

	if (i + 1 == simt_opt_block_end(c, h->block)) {
		memset(h->now, 0, h->words * sizeof(*h->now));
		if (simt_opt_branches(&c->uops[i]))
			join(h, c->to[i]);
		if (simt_opt_goes_on(&c->uops[i]) && i + 1 < c->n)
			join(h, i + 1);
	}
	if (!simt_opt_bit(c->dead, i))
		unshare_at(h, i);
	if (i != c->start[h->block])
		return;
	for (k = 0; k < h->words; k++) {
		more |= h->now[k] & ~at[k];
		at[k] |= h->now[k];
	}
	h->changed |= more;
	h->block--;
}

static int empty(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_pass *p = &f->pass;

	h->unshared = false;
	for (; simt_pass_more(p, h->c->nblocks); p->i++)
		memset(h->at + p->i * h->words, 0, h->words * sizeof(*h->at));
	return simt_pass_end(p, h->c->nblocks);
}

static int unshare(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
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
	return TOO_LONG;
}

/* ---- all of it ---- */

static bool has_room(struct simt_share *h, u32 s, u32 *n)
{
	if (s >= h->c->p->nslots)
		return false;
	if (!h->to[s] && *n < MAX_SHARED && h->c->p->nslots + *n < SIMT_MAX_SLOTS) {
		h->to[s] = (u16)(h->c->p->nslots + *n);
		++*n;
	}
	return h->to[s];
}

/* Values that are alike, and one slot. */
static int propose(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, h->c->n); p->i++) {
		const struct simt_uop *u = &h->c->uops[p->i];

		if (simt_opt_bit(h->c->dead, p->i) || !(h->flags[p->i] & F_ALIKE) ||
		    simt_opt_written(u) != 1)
			continue;
		if (has_room(h, u->d, &h->n) && (u->op != SIMT_SHADD || has_room(h, u->d2, &h->n)))
			h->flags[p->i] |= F_SHARED;
	}
	return simt_pass_end(p, h->c->n);
}

static void write_shared(struct simt_share *h, struct simt_uop *u)
{
	has_room(h, u->d, &h->n);
	u->d = h->to[u->d];
	if (u->op != SIMT_SHADD)
		return;
	has_room(h, u->d2, &h->n);
	u->d2 = h->to[u->d2];
}

/* Shared slots that are used get numbers without gaps. */
static int write_all(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_pass *p = &f->pass;

	if (!p->i) {
		memset(h->to, 0, h->c->p->nslots * sizeof(*h->to));
		h->n = 0;
	}
	for (; simt_pass_more(p, h->c->n); p->i++)
		if (!simt_opt_bit(h->c->dead, p->i) && h->flags[p->i] & F_SHARED)
			write_shared(h, &h->c->uops[p->i]);
	return simt_pass_end(p, h->c->n);
}

static int read_all(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_pass *p = &f->pass;
	u32 k;

	for (; simt_pass_more(p, h->c->n); p->i++) {
		struct simt_uop *u = &h->c->uops[p->i];

		if (simt_opt_bit(h->c->dead, p->i))
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

/* Programs that run a block at a time have nothing to share. */
static int prepare(struct simt_finish *f)
{
	struct simt_share *h = &f->share;
	struct simt_code *c = &f->c;

	if (c->p->quads || !c->p->forget || c->kills)
		return TOO_LONG;
	h->c = c;
	h->words = DIV_ROUND_UP(c->p->nslots, 64);
	h->sweeps = min_t(u32, MAX_SWEEPS, MAX_LOOKS / c->n);
	h->n = 0;
	h->now = simt_arena_alloc(f->a, h->words, sizeof(*h->now));
	h->at = simt_arena_take(f->a, (u64)c->nblocks * h->words, sizeof(*h->at));
	h->flags = simt_arena_take(f->a, c->n, sizeof(*h->flags));
	h->to = simt_arena_alloc(f->a, c->p->nslots, sizeof(*h->to));
	return h->now && h->at && h->flags && h->to ? 0 : TOO_LONG;
}

int simt_opt_share(struct simt_finish *f)
{
	static int (*const stages[])(struct simt_finish *f) = {
		prepare, fill_alike, ask_alike, propose,
		fill, ask_shared, empty, unshare, write_all, read_all,
	};
	struct simt_share *h = &f->share;
	int ret;

	while (h->stage < ARRAY_SIZE(stages)) {
		ret = stages[h->stage](f);
		if (ret == TOO_LONG)
			return 0;
		if (ret)
			return ret;
		f->pass.i = 0;
		/* once more without those values */
		h->stage = stages[h->stage] == unshare && h->unshared ? AGAIN : h->stage + 1;
	}
	return 0;
}
