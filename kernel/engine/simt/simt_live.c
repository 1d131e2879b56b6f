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
#define LOOKS		2		/* of these for a visit */

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

static void add(struct simt_live *l, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n && i < l->c->p->nslots; i++)
		set(l->now, i);
}

static void add_reads(struct simt_live *l, const struct simt_uop *u)
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

static bool is_wanted(const struct simt_live *l, u32 s)
{
	return s >= l->c->p->nslots || simt_opt_bit(l->now, s);
}

static bool wanted(const struct simt_live *l, const struct simt_uop *u)
{
	if (simt_opinfo[u->op].class > SIMT_CL_I || is_wanted(l, u->d))
		return true;
	return u->op == SIMT_SHADD && is_wanted(l, u->d2);
}

/* What is written surely need not be there before. */
static void remove_writes(struct simt_live *l, const struct simt_uop *u)
{
	u32 i, n = u->op == SIMT_EXT ? 0 : simt_opt_written(u);

	for (i = 0; i < n && u->d + i < l->c->p->nslots; i++)
		clear(l->now, u->d + i);
	if (u->op == SIMT_SHADD && u->d2 < l->c->p->nslots)
		clear(l->now, u->d2);
}

/* What may be wanted at all between blocks, and of threads that have ended. */
static void add_lasting(struct simt_live *l)
{
	const struct simt_prog *p = l->c->p;

	add(l, 0, p->temp ? p->temp : p->nslots);
	add(l, p->keep, p->nkeep);
}

u32 simt_opt_block(const struct simt_code *c, u32 at)
{
	u32 lo = 0, hi = c->nblocks, mid;

	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (c->start[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

u32 simt_opt_block_end(const struct simt_code *c, u32 block)
{
	return block + 1 < c->nblocks ? c->start[block + 1] : c->n;
}

static void add_block(struct simt_live *l, u32 at)
{
	u32 block = simt_opt_block(l->c, at), i;

	for (i = 0; i < l->words; i++)
		l->now[i] |= l->at[block * l->words + i];
}

static bool ends_block(const struct simt_uop *u)
{
	return simt_opt_branches(u) || u->op == SIMT_END || u->op == SIMT_ENDKILL ||
	       u->op == SIMT_FAULT;
}

/* Behind a micro-op: what the places want where it may lead to. */
static void set_after(struct simt_live *l, u32 i)
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

static bool is_dead(const struct simt_live *l, u32 i)
{
	return simt_opt_bit(l->c->dead, i);
}

/* Micro-op @i is the last one of the current block. */
static bool ends_current(const struct simt_live *l, u32 i)
{
	return i + 1 == simt_opt_block_end(l->c, l->block);
}

/* The current block's set at its start is complete. */
static void merge(struct simt_live *l)
{
	u64 *at = l->at + l->block * l->words, more = 0;
	u32 i;

	for (i = 0; i < l->words; i++) {
		more |= l->now[i] & ~at[i];
		at[i] |= l->now[i];
	}
	l->more |= more;
}

/* Backwards over micro-op @i. */
static void look(struct simt_live *l, u32 i)
{
	const struct simt_uop *u = &l->c->uops[i];

	if (ends_current(l, i))
		set_after(l, i);
	if (!is_dead(l, i) && wanted(l, u)) {
		remove_writes(l, u);
		add_reads(l, u);
	}
	if (i != l->c->start[l->block])
		return;
	merge(l);
	l->block--;
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
static bool write_there(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops;
	u32 s = uops[i].s[0], d = uops[i].d, k, j;

	if (s & SIMT_U || s == d || s >= l->c->p->nslots || simt_opt_bit(l->now, s))
		return false;
	for (j = i; j-- > first && i - j <= NEAR;) {
		l->looks++;
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
static u32 find_product(struct simt_live *l, u32 i, u32 k, u32 first)
{
	const struct simt_uop *uops = l->c->uops, *sum = &uops[i], *m;
	u32 d = sum->s[k], j, w;

	if (d & SIMT_U || d == sum->s[!k] || sum->mods & SIMT_ABS(k))
		return 0;
	if (d != sum->d && is_wanted(l, d))
		return 0;
	for (j = i; j-- > first && i - j <= NEAR;) {
		l->looks++;
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

static void join_product(struct simt_live *l, u32 i, u32 first)
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
static void join_comparison(struct simt_live *l, u32 i, u32 first)
{
	struct simt_uop *uops = l->c->uops, *u = &uops[i];
	u32 d = u->s[0], j = i, w;

	if (d & SIMT_U || is_wanted(l, d))
		return;
	while (j-- > first && i - j <= NEAR) {
		l->looks++;
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

/* Micro-op @i of a block that begins at @first. Return: it is dead. */
static bool is_needless(struct simt_live *l, u32 i, u32 first)
{
	const struct simt_uop *u = &l->c->uops[i];

	return !wanted(l, u) || (u->op == SIMT_MOV && write_there(l, i, first));
}

static void improve(struct simt_live *l, u32 i)
{
	struct simt_uop *u = &l->c->uops[i];
	u32 first = l->c->start[l->block];

	if (ends_current(l, i))
		set_after(l, i);
	if (i == first)
		l->block--;
	if (is_dead(l, i))
		return;
	if (is_needless(l, i, first)) {
		set(l->c->dead, i);
		return;
	}
	if (u->op == SIMT_FADD)
		join_product(l, i, first);
	if (u->op == SIMT_BRNZ || u->op == SIMT_BRZ)
		join_comparison(l, i, first);
	remove_writes(l, u);
	add_reads(l, u);
}

/* Only slots that are read before they are written need to be zeros at the start. */
static void lower_zero(const struct simt_live *l, struct simt_prog *p)
{
	const u64 *at = l->at + simt_opt_block(l->c, l->c->entry) * l->words;
	u32 i;

	while (p->zero && !simt_opt_bit(at, p->zero - 1))
		p->zero--;
	for (i = 0; i < min_t(u32, p->nslots, SIMT_LIVE_SLOTS); i++) {
		if (!simt_opt_bit(at, i))
			clear(p->live, i);
	}
}

/* Nothing is left between jump @i and where it goes. */
static bool leads_on(const struct simt_code *c, u32 i, struct simt_pass *p)
{
	u32 k;

	if (c->uops[i].op != SIMT_JMP || c->to[i] <= i)
		return false;
	for (k = i + 1; k < c->to[i] && simt_opt_bit(c->dead, k); k++) {
		/* a word of them at once */
		if (!(k % 64) && k + 64 <= c->to[i] && !~c->dead[k / 64])
			k += 63;
	}
	simt_pass_use(p, (k - i) / 64);
	return k == c->to[i];
}

/* ---- passes ---- */

int simt_live_begin(struct simt_finish *f)
{
	struct simt_live *l = &f->live;

	l->c = &f->c;
	l->words = DIV_ROUND_UP(f->c.p->nslots, 64);
	l->now = simt_arena_alloc(f->a, l->words, sizeof(*l->now));
	f->c.nblocks = 0;
	/* their number is not known yet: what is left is given back */
	f->c.start = simt_arena_take(f->a, 0, sizeof(*f->c.start));
	return l->now && f->c.start ? 0 : -ENOMEM;
}

/* Where basic blocks begin. */
int simt_live_blocks(struct simt_finish *f)
{
	struct simt_code *c = &f->c;
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, c->n); p->i++) {
		if (c->nblocks && !simt_opt_bit(c->labels, p->i) &&
		    !ends_block(&c->uops[p->i - 1]))
			continue;
		if (f->a->size - f->a->used < sizeof(*c->start))
			return -ENOMEM;
		f->a->used += sizeof(*c->start);
		c->start[c->nblocks++] = p->i;
	}
	return simt_pass_end(p, c->n);
}

/* Without sets of blocks everything that lasts is wanted between them. */
int simt_live_clear(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;

	if (!p->i) {
		l->at = simt_arena_take(f->a, (u64)f->c.nblocks * l->words, sizeof(*l->at));
		l->sweeps = min_t(u32, MAX_SWEEPS, MAX_LOOKS / f->c.n);
		l->more = false;
	}
	if (!l->at)
		return 0;
	for (; simt_pass_more(p, f->c.nblocks); p->i++)
		memset(l->at + p->i * l->words, 0, l->words * sizeof(*l->at));
	return simt_pass_end(p, f->c.nblocks);
}

int simt_live_sets(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;
	u32 n = f->c.n;

	for (; l->at && l->sweeps; l->sweeps--) {
		if (!p->i)
			l->block = f->c.nblocks - 1;
		for (; simt_pass_more(p, n); p->i++)
			look(l, n - 1 - p->i);
		if (p->i < n)
			return -EAGAIN;
		if (!l->more)
			return 0;
		l->more = false;
		p->i = 0;
	}
	l->at = NULL;
	return 0;
}

int simt_live_improve(struct simt_finish *f)
{
	struct simt_live *l = &f->live;
	struct simt_pass *p = &f->pass;
	u32 n = f->c.n;

	if (!p->i)
		l->block = f->c.nblocks - 1;
	for (; simt_pass_more(p, n); p->i++) {
		l->looks = 0;
		improve(l, n - 1 - p->i);
		simt_pass_use(p, l->looks / LOOKS);
	}
	return simt_pass_end(p, n);
}

int simt_live_end(struct simt_finish *f)
{
	struct simt_pass *p = &f->pass;

	for (; simt_pass_more(p, f->c.n - 1); p->i++)
		if (leads_on(&f->c, p->i, p))
			set(f->c.dead, p->i);
	if (p->i < f->c.n - 1)
		return -EAGAIN;
	if (f->live.at)
		lower_zero(&f->live, f->c.p);
	return 0;
}
