// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Which values are still wanted, and what follows from it: micro-ops go whose results nobody
 * reads, results are written where they would be moved to, products become part of their sums,
 * comparisons part of their branches.
 *
 * What a thread wants at a place is what it reads on some way from there before it is written.
 * Ways are looked at by blocks: micro-ops that are executed one after the other.
 */
#include "simt_opt.h"

#define MAX_SWEEPS	12
#define MAX_LOOKS	0x200000	/* at micro-ops */
#define NEAR		24		/* micro-ops that are looked at around one */

/**
 * struct live - Slots whose values are wanted, going backwards.
 * @c:		code
 * @words:	of a set
 * @now:	the set: a bit per slot
 * @start:	first micro-ops of blocks
 * @at:		sets at the start of each block
 * @nblocks:	blocks
 */
struct live {
	struct simt_code *c;
	u32 words;
	u64 *now;
	u32 *start;
	u64 *at;
	u32 nblocks;
};

static void set(u64 *bits, u32 n)
{
	bits[n / 64] |= BIT_ULL(n % 64);
}

static void clear(u64 *bits, u32 n)
{
	bits[n / 64] &= ~BIT_ULL(n % 64);
}

u32 simt_opt_written(const struct simt_uop *u)
{
	switch (u->op) {
	case SIMT_LD:
		return DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4);
	case SIMT_ATOM:
		return u->imm & SIMT_ATOM_NORET ? 0 : u->imm & SIMT_ATOM_64 ? 2 : 1;
	case SIMT_EXT:
		return SIMT_EXT_SLOTS;
	case SIMT_ST:
		return 0;
	default:
		return simt_opinfo[u->op].class == SIMT_CL_C ? 0 : 1;
	}
}

u32 simt_opt_read_from(const struct simt_uop *u, u32 k, u32 *first)
{
	*first = k ? u->d2 : u->d;
	switch (u->op) {
	case SIMT_ST:
		return k ? 0 : DIV_ROUND_UP(SIMT_MEM_BYTES(u->imm), 4);
	case SIMT_ATOM:
		return k ? 2 : 0;
	case SIMT_EXT:
		return SIMT_EXT_SLOTS;
	default:
		return 0;
	}
}

static bool within(u32 s, u32 first, u32 n)
{
	return s >= first && s - first < n;
}

/* By something else than an operand. */
static bool reads_hidden(const struct simt_uop *u, u32 s)
{
	u32 first, n;

	n = simt_opt_read_from(u, 0, &first);
	if (within(s, first, n))
		return true;
	n = simt_opt_read_from(u, 1, &first);
	return within(s, first, n);
}

static bool reads(const struct simt_uop *u, u32 s)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (u->s[i] == s)
			return true;
	return reads_hidden(u, s);
}

static bool writes(const struct simt_uop *u, u32 s)
{
	return within(s, u->d, simt_opt_written(u)) || (u->op == SIMT_SHADD && u->d2 == s);
}

/* ---- sets ---- */

static void add(struct live *l, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < l->c->p->nslots; i++)
		set(l->now, i);
}

static void add_reads(struct live *l, const struct simt_uop *u)
{
	u32 i, first, n;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (!(u->s[i] & SIMT_U))
			add(l, u->s[i], 1);
	for (i = 0; i < 2; i++) {
		n = simt_opt_read_from(u, i, &first);
		add(l, first, n);
	}
}

static bool is_wanted(const struct live *l, u32 s)
{
	return s >= l->c->p->nslots || simt_opt_bit(l->now, s);
}

static bool wanted(const struct live *l, const struct simt_uop *u)
{
	if (simt_opinfo[u->op].class > SIMT_CL_I || is_wanted(l, u->d))
		return true;
	return u->op == SIMT_SHADD && is_wanted(l, u->d2);
}

/* What is written surely need not be there before. */
static void remove_writes(struct live *l, const struct simt_uop *u)
{
	u32 i, n = u->op == SIMT_EXT ? 0 : simt_opt_written(u);

	for (i = 0; i < n && u->d + i < l->c->p->nslots; i++)
		clear(l->now, u->d + i);
	if (u->op == SIMT_SHADD && u->d2 < l->c->p->nslots)
		clear(l->now, u->d2);
}

/* What may be wanted at all between blocks, and of threads that have ended. */
static void add_lasting(struct live *l)
{
	const struct simt_prog *p = l->c->p;

	add(l, 0, p->temp ? p->temp : p->nslots);
	add(l, p->keep, p->nkeep);
}

u32 simt_opt_block(const u32 *start, u32 nblocks, u32 at)
{
	u32 lo = 0, hi = nblocks, mid;

	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (start[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static void add_block(struct live *l, u32 at)
{
	u32 block = simt_opt_block(l->start, l->nblocks, at), i;

	for (i = 0; i < l->words; i++)
		l->now[i] |= l->at[block * l->words + i];
}

/* Behind a micro-op: what the places want where it may lead to. */
static void set_after(struct live *l, u32 i)
{
	const struct simt_uop *u = &l->c->uops[i];
	u32 op = u->op;

	memset(l->now, 0, l->words * sizeof(*l->now));
	if (!l->at || ((op == SIMT_END || op == SIMT_ENDKILL) && !l->c->p->forget))
		add_lasting(l);
	if (!l->at)
		return;
	if (simt_opt_branches(u))
		add_block(l, l->c->to[i]);
	if (simt_opt_goes_on(u) && i + 1 < l->c->n)
		add_block(l, i + 1);
}

static bool is_dead(const struct live *l, u32 i)
{
	return simt_opt_bit(l->c->dead, i);
}

/* Backwards through a block. Return: its set at the start has grown. */
static bool look(struct live *l, u32 block)
{
	u32 end = block + 1 < l->nblocks ? l->start[block + 1] : l->c->n, i;
	u64 *at = l->at + block * l->words, more = 0;

	set_after(l, end - 1);
	for (i = end; i-- > l->start[block];) {
		const struct simt_uop *u = &l->c->uops[i];

		if (is_dead(l, i) || !wanted(l, u))
			continue;
		remove_writes(l, u);
		add_reads(l, u);
	}
	for (i = 0; i < l->words; i++) {
		more |= l->now[i] & ~at[i];
		at[i] |= l->now[i];
	}
	return more;
}

/* ---- results where they would be moved to ---- */

/* Is @u the one that makes all of slot @s, and can it write slot @d instead? */
static bool can_write(const struct simt_uop *u, u32 s, u32 d)
{
	u32 i;

	if (u->d != s || u->op == SIMT_SHADD || u->op == SIMT_CLPER || u->op == SIMT_WMASK)
		return false;
	if (simt_opinfo[u->op].class <= SIMT_CL_I)
		return true;
	if (u->op != SIMT_LD || simt_opt_written(u) != 1)
		return false;
	for (i = 0; i < 2; i++)
		if (u->s[i] == d)
			return false;
	return true;
}

static void read_other(struct simt_uop *u, u32 from, u32 to)
{
	u32 i;

	for (i = 0; i < simt_opinfo[u->op].nsrc; i++)
		if (u->s[i] == from)
			u->s[i] = (u16)to;
}

/* Micro-op @i moves a slot that nobody wants afterwards: write its value to the other one. */
static bool write_there(struct live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops;
	u32 s = uops[i].s[0], d = uops[i].d, k, j;

	if (s & SIMT_U || s == d || s >= l->c->p->nslots || simt_opt_bit(l->now, s))
		return false;
	for (j = i; j-- > first && i - j <= NEAR;) {
		if (is_dead(l, j))
			continue;
		if (can_write(&uops[j], s, d))
			break;
		if (writes(&uops[j], s) || writes(&uops[j], d) || reads(&uops[j], d) ||
		    reads_hidden(&uops[j], s))
			return false;
	}
	if (j + 1 == first || j > i || i - j > NEAR)
		return false;
	uops[j].d = (u16)d;
	for (k = j + 1; k < i; k++)
		if (!is_dead(l, k))
			read_other(&uops[k], s, d);
	return true;
}

/* ---- products and sums ---- */

static bool is_product(const struct simt_uop *u, u32 d)
{
	return u->op == SIMT_FMUL && u->d == d && u->s[0] != d && u->s[1] != d &&
	       !SIMT_CLAMP_OF(u->mods);
}

/* Where the product is that micro-op @i adds as its operand @k. Return: 0 if it is none. */
static u32 find_product(const struct live *l, u32 i, u32 k, u32 first)
{
	const struct simt_uop *uops = l->c->uops, *sum = &uops[i], *m;
	u32 d = sum->s[k], j, w;

	if (d & SIMT_U || d == sum->s[!k] || sum->mods & SIMT_ABS(k))
		return 0;
	if (d != sum->d && is_wanted(l, d))
		return 0;
	for (j = i; j-- > first && i - j <= NEAR;) {
		if (is_dead(l, j))
			continue;
		if (is_product(&uops[j], d))
			break;
		if (writes(&uops[j], d) || reads(&uops[j], d))
			return 0;
	}
	if (j + 1 == first || j > i || i - j > NEAR)
		return 0;
	/* the factors must still be there */
	m = &uops[j];
	for (w = j + 1; w < i; w++)
		if (!is_dead(l, w) && (writes(&uops[w], m->s[0]) || writes(&uops[w], m->s[1])))
			return 0;
	return j + 1;
}

static void join_product(struct live *l, u32 i, u32 first)
{
	struct simt_uop *sum = &l->c->uops[i];
	const struct simt_uop *m;
	u32 k, at;
	u16 mods;

	for (k = 0; k < 2; k++) {
		at = find_product(l, i, k, first);
		if (!at)
			continue;
		m = &l->c->uops[at - 1];
		mods = m->mods ^ (sum->mods & SIMT_NEG(k) ? SIMT_NEG(0) : 0);
		mods |= sum->mods & SIMT_NEG(!k) ? SIMT_NEG(2) : 0;
		mods |= sum->mods & SIMT_ABS(!k) ? SIMT_ABS(2) : 0;
		mods |= SIMT_CLAMP(SIMT_CLAMP_OF(sum->mods));
		sum->s[2] = sum->s[!k];
		sum->s[0] = m->s[0];
		sum->s[1] = m->s[1];
		sum->op = SIMT_FMAU;
		sum->mods = mods;
		set(l->c->dead, at - 1);
		return;
	}
}

/* ---- comparisons and branches ---- */

static bool is_comparison(const struct simt_uop *u, u32 d)
{
	if (u->d != d || u->mods)
		return false;
	return u->op == SIMT_FCMP ||
	       ((u->op == SIMT_ICMP || u->op == SIMT_UCMP) && (u->imm & 7) <= SIMT_LE);
}

/* Branch @i by a comparison that nobody else wants. */
static void join_comparison(struct live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops, *u = &uops[i];
	u32 d = u->s[0], j = i, w;

	if (d & SIMT_U || is_wanted(l, d))
		return;
	while (j-- > first && i - j <= NEAR) {
		if (is_dead(l, j))
			continue;
		if (is_comparison(&uops[j], d))
			break;
		if (writes(&uops[j], d) || reads(&uops[j], d))
			return;
	}
	if (j + 1 == first || j > i || i - j > NEAR)
		return;
	for (w = j + 1; w < i; w++)
		if (!is_dead(l, w) && (writes(&uops[w], uops[j].s[0]) ||
				       writes(&uops[w], uops[j].s[1])))
			return;
	u->n = SIMT_BRCMP(uops[j].imm & 7, uops[j].op == SIMT_FCMP ? SIMT_CMP_F :
			  uops[j].op == SIMT_ICMP ? SIMT_CMP_I : SIMT_CMP_U);
	u->n |= u->op == SIMT_BRZ ? SIMT_BRCMP_NOT : 0;
	u->op = SIMT_BRCMP;
	u->s[0] = uops[j].s[0];
	u->s[1] = uops[j].s[1];
	set(l->c->dead, j);
}

/* ---- all of it ---- */

static void improve(struct live *l, u32 block)
{
	u32 end = block + 1 < l->nblocks ? l->start[block + 1] : l->c->n, i;
	u32 first = l->start[block];

	set_after(l, end - 1);
	for (i = end; i-- > first;) {
		struct simt_uop *u = &l->c->uops[i];

		if (is_dead(l, i))
			continue;
		if (!wanted(l, u) || (u->op == SIMT_MOV && write_there(l, i, first))) {
			set(l->c->dead, i);
			continue;
		}
		if (u->op == SIMT_FADD)
			join_product(l, i, first);
		if (u->op == SIMT_BRNZ || u->op == SIMT_BRZ)
			join_comparison(l, i, first);
		remove_writes(l, u);
		add_reads(l, u);
	}
}

static bool ends_block(const struct simt_uop *u)
{
	return simt_opt_branches(u) || u->op == SIMT_END || u->op == SIMT_ENDKILL ||
	       u->op == SIMT_FAULT;
}

u32 simt_opt_blocks(const struct simt_code *c, u32 *start)
{
	u32 i, n = 0;

	for (i = 0; i < c->n; i++) {
		if (i && !simt_opt_bit(c->labels, i) && !ends_block(&c->uops[i - 1]))
			continue;
		if (start)
			start[n] = i;
		n++;
	}
	return n;
}

/* Without sets of blocks everything that lasts is wanted between them. */
static void find_sets(struct live *l, struct simt_arena *a)
{
	u32 sweeps = min_t(u32, MAX_SWEEPS, MAX_LOOKS / l->c->n), i;
	bool more = true;

	l->at = simt_arena_alloc(a, (u64)l->nblocks * l->words, sizeof(*l->at));
	for (; l->at && more && sweeps; sweeps--) {
		more = false;
		for (i = l->nblocks; i-- > 0;)
			more |= look(l, i);
	}
	if (more)
		l->at = NULL;
}

/* Only slots that are read before they are written need to be zeros at the start. */
static void lower_zero(const struct live *l, struct simt_prog *p)
{
	const u64 *at = l->at;
	u32 i;

	for (i = 0; l->start[i] != l->c->entry; i++)
		at += l->words;
	while (p->zero && !simt_opt_bit(at, p->zero - 1))
		p->zero--;
	for (i = 0; i < min_t(u32, p->nslots, SIMT_LIVE_SLOTS); i++) {
		if (!simt_opt_bit(at, i))
			clear(p->live, i);
	}
}

/* Nothing is left between them and where they go. */
static void remove_jumps(const struct simt_code *c)
{
	u32 i, k;

	for (i = 0; i + 1 < c->n; i++) {
		if (c->uops[i].op != SIMT_JMP || c->to[i] <= i)
			continue;
		for (k = i + 1; k < c->to[i] && simt_opt_bit(c->dead, k); k++)
			;
		if (k == c->to[i])
			set(c->dead, i);
	}
}

int simt_opt_live(struct simt_arena *a, struct simt_code *c)
{
	struct live l = { .c = c, .words = DIV_ROUND_UP(c->p->nslots, 64) };
	u32 i;

	l.nblocks = simt_opt_blocks(c, NULL);
	l.now = simt_arena_alloc(a, l.words, sizeof(*l.now));
	l.start = simt_arena_alloc(a, l.nblocks, sizeof(*l.start));
	if (!l.now || !l.start)
		return -ENOMEM;
	simt_opt_blocks(c, l.start);
	find_sets(&l, a);
	for (i = l.nblocks; i-- > 0;)
		improve(&l, i);
	remove_jumps(c);
	if (l.at)
		lower_zero(&l, c->p);
	return 0;
}
