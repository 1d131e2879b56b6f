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

/* Of a micro-op: sources that can be read from shared slots, and what it writes. */
#define F_SOURCE(k)	BIT(k)
#define F_ALIKE		BIT(4)
#define F_SHARED	BIT(5)

enum question { Q_ALIKE, Q_SHARED };

/**
 * struct share - The state of questions.
 * @c:		code
 * @words:	of a set
 * @now:	set at a micro-op
 * @start:	first micro-ops of blocks
 * @at:		sets at the start of each block
 * @nblocks:	blocks
 * @flags:	per micro-op
 * @to:		shared slot of a slot, or 0
 * @sweeps:	through all micro-ops that are left
 */
struct share {
	struct simt_code *c;
	u32 words;
	u64 *now;
	u32 *start;
	u64 *at;
	u32 nblocks;
	u8 *flags;
	u16 *to;
	u32 sweeps;
};

/* Programs have not been verified yet. */
static void put(struct share *h, u32 s, bool on)
{
	if (s >= h->c->p->nslots)
		return;
	if (on)
		h->now[s / 64] |= BIT_ULL(s % 64);
	else
		h->now[s / 64] &= ~BIT_ULL(s % 64);
}

static bool has(const struct share *h, u32 s)
{
	return s < h->c->p->nslots && simt_opt_bit(h->now, s);
}

static void put_written(struct share *h, const struct simt_uop *u, bool on)
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

static void alike_at(struct share *h, u32 i)
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

static void shared_at(struct share *h, u32 i)
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

static u32 block_end(const struct share *h, u32 block)
{
	return block + 1 < h->nblocks ? h->start[block + 1] : h->c->n;
}

/* Only what is so on all ways. Return: that is less than before. */
static bool meet(struct share *h, u32 first)
{
	u64 *at = h->at + simt_opt_block(h->start, h->nblocks, first) * h->words, less = 0;
	u32 i;

	for (i = 0; i < h->words; i++) {
		less |= at[i] & ~h->now[i];
		at[i] &= h->now[i];
	}
	return less;
}

static bool forward(struct share *h, u32 block, enum question q)
{
	const struct simt_code *c = h->c;
	u32 end = block_end(h, block), i;
	bool less = false;

	memcpy(h->now, h->at + block * h->words, h->words * sizeof(*h->now));
	for (i = h->start[block]; i < end; i++) {
		if (simt_opt_bit(c->dead, i))
			continue;
		if (q == Q_ALIKE)
			alike_at(h, i);
		else
			shared_at(h, i);
	}
	if (simt_opt_branches(&c->uops[end - 1]))
		less |= meet(h, c->to[end - 1]);
	if (simt_opt_goes_on(&c->uops[end - 1]) && end < c->n)
		less |= meet(h, end);
	return less;
}

/* Return: false: it takes too long. */
static bool ask(struct share *h, enum question q)
{
	u64 *entry = h->at + simt_opt_block(h->start, h->nblocks, h->c->entry) * h->words;
	bool less = true;
	u32 i;

	memset(h->at, 0xff, h->nblocks * h->words * sizeof(*h->at));
	memset(entry, 0, h->words * sizeof(*entry));
	for (i = 0; q == Q_ALIKE && i < min_t(u32, h->words, ARRAY_SIZE(h->c->p->alike)); i++)
		entry[i] = h->c->p->alike[i];
	for (; less && h->sweeps; h->sweeps--) {
		less = false;
		for (i = 0; i < h->nblocks; i++)
			less |= forward(h, i, q);
	}
	return !less;
}

/* ---- what cannot be shared: backward ---- */

static void add_readers(struct share *h, u32 i)
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

/* Return: a value that somebody reads in its own slot could have been shared so far. */
static bool unshare_at(struct share *h, u32 i)
{
	const struct simt_uop *u = &h->c->uops[i];
	bool more = false;

	if (h->flags[i] & F_SHARED &&
	    (has(h, u->d) || (u->op == SIMT_SHADD && has(h, u->d2)))) {
		h->flags[i] &= ~F_SHARED;
		more = true;
	}
	/* EXT may leave some of them as they are */
	if (u->op != SIMT_EXT)
		put_written(h, u, false);
	add_readers(h, i);
	return more;
}

static void join(struct share *h, u32 first)
{
	const u64 *at = h->at + simt_opt_block(h->start, h->nblocks, first) * h->words;
	u32 i;

	for (i = 0; i < h->words; i++)
		h->now[i] |= at[i];
}

static bool backward(struct share *h, u32 block, bool *unshared)
{
	const struct simt_code *c = h->c;
	u32 end = block_end(h, block), i;
	u64 *at = h->at + block * h->words, more = 0;

	memset(h->now, 0, h->words * sizeof(*h->now));
	if (simt_opt_branches(&c->uops[end - 1]))
		join(h, c->to[end - 1]);
	if (simt_opt_goes_on(&c->uops[end - 1]) && end < c->n)
		join(h, end);
	for (i = end; i-- > h->start[block];)
		if (!simt_opt_bit(c->dead, i))
			*unshared |= unshare_at(h, i);
	for (i = 0; i < h->words; i++) {
		more |= h->now[i] & ~at[i];
		at[i] |= h->now[i];
	}
	return more;
}

static bool unshare(struct share *h, bool *unshared)
{
	bool more = true;
	u32 i;

	*unshared = false;
	memset(h->at, 0, h->nblocks * h->words * sizeof(*h->at));
	for (; more && h->sweeps; h->sweeps--) {
		more = false;
		for (i = h->nblocks; i-- > 0;)
			more |= backward(h, i, unshared);
	}
	return !more;
}

/* ---- all of it ---- */

static bool has_room(struct share *h, u32 s, u32 *n)
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
static void propose(struct share *h)
{
	u32 i, n = 0;

	for (i = 0; i < h->c->n; i++) {
		const struct simt_uop *u = &h->c->uops[i];

		if (simt_opt_bit(h->c->dead, i) || !(h->flags[i] & F_ALIKE) ||
		    simt_opt_written(u) != 1)
			continue;
		if (has_room(h, u->d, &n) && (u->op != SIMT_SHADD || has_room(h, u->d2, &n)))
			h->flags[i] |= F_SHARED;
	}
}

/* From now on in shared slots; these get numbers without gaps. */
static u32 use_shared(struct share *h)
{
	u32 i, k, n = 0, own = h->c->p->nslots;

	memset(h->to, 0, own * sizeof(*h->to));
	for (i = 0; i < h->c->n; i++) {
		const struct simt_uop *u = &h->c->uops[i];

		if (simt_opt_bit(h->c->dead, i) || !(h->flags[i] & F_SHARED))
			continue;
		has_room(h, u->d, &n);
		if (u->op == SIMT_SHADD)
			has_room(h, u->d2, &n);
	}
	for (i = 0; i < h->c->n; i++) {
		struct simt_uop *u = &h->c->uops[i];

		if (simt_opt_bit(h->c->dead, i))
			continue;
		for (k = 0; k < num_sources(u); k++)
			if (h->flags[i] & F_SOURCE(k))
				u->s[k] = h->to[u->s[k]];
		if (!(h->flags[i] & F_SHARED))
			continue;
		u->d = h->to[u->d];
		if (u->op == SIMT_SHADD)
			u->d2 = h->to[u->d2];
	}
	return n;
}

/* Programs that run a block at a time have nothing to share. */
static bool runs_in_step(const struct simt_code *c)
{
	u32 i;

	if (c->p->quads || !c->p->forget)
		return false;
	for (i = 0; i < c->n; i++)
		if (c->uops[i].op == SIMT_KILL || c->uops[i].op == SIMT_ENDKILL)
			return false;
	return true;
}

static bool prepare(struct share *h, struct simt_arena *a)
{
	struct simt_code *c = h->c;

	h->words = DIV_ROUND_UP(c->p->nslots, 64);
	h->nblocks = simt_opt_blocks(c, NULL);
	h->sweeps = min_t(u32, MAX_SWEEPS, MAX_LOOKS / c->n);
	h->now = simt_arena_alloc(a, h->words, sizeof(*h->now));
	h->start = simt_arena_alloc(a, h->nblocks, sizeof(*h->start));
	h->at = simt_arena_alloc(a, (u64)h->nblocks * h->words, sizeof(*h->at));
	h->flags = simt_arena_alloc(a, c->n, sizeof(*h->flags));
	h->to = simt_arena_alloc(a, c->p->nslots, sizeof(*h->to));
	if (!h->now || !h->start || !h->at || !h->flags || !h->to)
		return false;
	simt_opt_blocks(c, h->start);
	return true;
}

u32 simt_opt_share(struct simt_arena *a, struct simt_code *c)
{
	struct share h = { .c = c };
	bool unshared = true;

	if (!runs_in_step(c) || !prepare(&h, a) || !ask(&h, Q_ALIKE))
		return 0;
	propose(&h);
	while (unshared) {
		if (!ask(&h, Q_SHARED) || !unshare(&h, &unshared))
			return 0;
	}
	return use_shared(&h);
}
