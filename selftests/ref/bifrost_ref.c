// SPDX-License-Identifier: GPL-2.0
/* Clauses, threads and jobs of the Bifrost reference model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bifrost_ref_int.h"

#define POISON		BFR_POISON

#define M60		((1ull << 60) - 1)

enum pcrel { PC_NONE, PC_LO, PC_HI, PC_BOTH };

struct tuple {
	uint32_t fma;
	uint32_t add;
	uint64_t regs;
};

struct clause {
	struct tuple t[8];
	unsigned int n;
	uint64_t header;
	uint64_t konst[6];
	enum pcrel pcrel[6];
	unsigned int quads;
};

/* Write port modes: none, low half, high half, whole word; _READ: the port reads. */
enum write { W_NONE, W_LO, W_HI, W_ALL, W_READ };

struct ports {
	unsigned int reg[4];
	bool read[2];
	enum write w2, w3;
	bool w3_fma;		/* port 3 takes the result of the multiplier */
};

/* Bits of a quadword, 64 at most. */
static uint64_t q(const uint32_t *w, unsigned int at, unsigned int n)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (uint64_t)(w[(at + i) / 32] >> ((at + i) % 32) & 1) << i;
	return v;
}

/*
 * A quadword is 8 tag bits, then fields of 60, 15, 30 and 15 bits. Of a tuple the first
 * 75 bits are together: 35 of registers, 23 of FMA, 17 of ADD; 3 more of ADD elsewhere.
 */
static void put_low(struct tuple *t, const uint32_t *w)
{
	t->regs = q(w, 8, 35);
	t->fma = (uint32_t)q(w, 43, 23);
	t->add |= (uint32_t)q(w, 66, 17);
}

/* The remaining bits, from 83 on, of a tuple whose first 30 bits are in an earlier quadword. */
static void put_half(struct tuple *t, const uint32_t *w)
{
	t->fma |= (uint32_t)q(w, 83, 13) << 10;
	t->add |= (uint32_t)q(w, 96, 17);
}

static void put_begin(struct tuple *t, const uint32_t *w)
{
	t->regs = q(w, 83, 35);
	t->fma |= (uint32_t)q(w, 118, 10);
}

static bool pc_mods(enum pcrel *out, unsigned int m1, unsigned int m2, bool single)
{
	static const uint8_t one[7][2] = {
		{ PC_NONE, PC_NONE }, { PC_LO, PC_NONE }, { PC_LO, PC_LO }, { 9, 9 },
		{ PC_HI, PC_NONE }, { PC_HI, PC_HI }, { PC_LO, PC_NONE },
	};
	static const uint8_t both[4][2] = {
		{ PC_BOTH, PC_NONE }, { PC_BOTH, PC_HI }, { PC_BOTH, PC_BOTH },
		{ PC_BOTH, PC_HI },
	};
	const uint8_t *m = m1 < 7 ? one[m1] : m1 == 7 && m2 < 4 ? both[m2] : one[0];

	if (m[0] == 9)
		return false;
	out[0] = m[0];
	if (!single)
		out[1] = m[1];
	return true;
}

static bool constants(struct clause *c, const uint32_t *w, unsigned int pos)
{
	static const uint8_t first[15] = { 0, 0, 0, 1, 1, 2, 0, 1, 3, 1, 2, 3, 3, 4, 5 };
	unsigned int m1 = ((uint32_t)q(w, 64, 4) - (uint32_t)q(w, 124, 4)) & 15;
	unsigned int m2 = ((uint32_t)q(w, 32, 4) - (uint32_t)q(w, 92, 4)) & 15;
	unsigned int i;

	if (pos == 15)
		return false;
	i = first[pos];
	c->konst[i] = q(w, 8, 60) << 4;
	if (i == 5)
		return pc_mods(&c->pcrel[5], m1, m2, true);
	c->konst[i + 1] = q(w, 68, 60) << 4;
	return pc_mods(&c->pcrel[i], m1, m2, false);
}

/* Decode one quadword. Return: 0 continue, 1 last one, -1 undefined. */
static int quad(struct clause *c, const uint32_t *w)
{
	unsigned int tag = w[0] & 0xff, low = tag & 7, idx;
	bool stop = tag & 0x40;

	if (tag & 0x80) {
		idx = stop ? 5 : 2;
		put_low(&c->t[idx + 1], w);
		c->t[idx + 1].add |= (tag >> 3 & 7) << 17;
		put_half(&c->t[idx], w);
		c->t[idx].add |= low << 17;
		c->konst[0] = q(w, 113, 15) << 4;
		return 0;
	}
	switch (tag >> 3 & 7) {
	case 0:
		if (low == 3) {
			put_low(&c->t[1], w);
			c->t[1].add |= (uint32_t)q(w, 125, 3) << 17;
			c->n = 2;
			return stop;
		}
		if (low == 4 || low == 6) {
			idx = low == 4 ? 2 : 5;
			put_half(&c->t[idx], w);
			c->t[idx].add |= (uint32_t)q(w, 125, 3) << 17;
			c->konst[0] = q(w, 8, 60) << 4;
			if (!pc_mods(&c->pcrel[0], (uint32_t)q(w, 68, 4), (uint32_t)q(w, 72, 4),
				     true))
				return -1;
			c->n = idx + 1;
			return stop;
		}
		if (low != 1 && low != 5 && low != 7)
			return -1;
		idx = low == 7 ? 5 : 2;
		put_half(&c->t[idx], w);
		c->t[idx].add |= (uint32_t)q(w, 125, 3) << 17;
		put_low(&c->t[idx + 1], w);
		c->t[idx + 1].add |= (uint32_t)q(w, 122, 3) << 17;
		if (low == 1)
			return 0;
		c->n = idx + 2;
		return stop;
	case 2:
	case 3:
		idx = (tag >> 3 & 7) == 2 ? 4 : 7;
		put_low(&c->t[idx], w);
		c->t[idx].add |= low << 17;
		c->konst[0] |= q(w, 83, 45) << 19;
		c->n = idx + 1;
		return stop;
	case 4:
		idx = stop ? 4 : 1;
		put_low(&c->t[idx], w);
		c->t[idx].add |= low << 17;
		put_begin(&c->t[idx + 1], w);
		return 0;
	case 1:
	case 5:
		c->header = q(w, 83, 45);
		put_low(&c->t[0], w);
		c->t[0].add |= low << 17;
		if ((tag >> 3 & 7) == 5)
			return 0;
		c->n = 1;
		return stop;
	default:
		return constants(c, w, tag & 15) ? stop : -1;
	}
}

static bool fetch(struct mrf *g, uint64_t pc, struct clause *c)
{
	unsigned int i;
	uint32_t w[4];
	uint8_t *p;
	int r = 0;

	memset(c, 0, sizeof(*c));
	for (i = 0; !r && i < 9; i++) {
		p = mrf_at(g, pc + 16 * i, 16);
		if (!p || (pc & 15)) {
			mrf_fail(g, false, "no code at %llx", (unsigned long long)pc);
			return false;
		}
		memcpy(w, p, 16);
		r = quad(c, w);
	}
	if (r != 1 || !c->n) {
		mrf_fail(g, false, "no clause at %llx", (unsigned long long)pc);
		return false;
	}
	c->quads = i;
	return true;
}

static const uint8_t control[32][3] = {
	/* port 2, port 3, port 3 from FMA */
	[1] = { W_READ, W_LO, 1 }, [2] = { W_READ, W_HI, 1 }, [3] = { W_READ, W_ALL, 1 },
	[4] = { W_READ, W_LO, 0 }, [5] = { W_READ, W_HI, 0 }, [6] = { W_READ, W_ALL, 0 },
	[7] = { W_LO, W_LO, 0 }, [8] = { W_LO, W_HI, 0 }, [9] = { W_LO, W_ALL, 0 },
	[10] = { W_HI, W_LO, 0 }, [11] = { W_HI, W_HI, 0 }, [12] = { W_HI, W_ALL, 0 },
	[13] = { W_ALL, W_LO, 0 }, [14] = { W_ALL, W_HI, 0 }, [15] = { W_ALL, W_ALL, 0 },
	[16] = { W_NONE, W_NONE, 1 }, [17] = { W_NONE, W_ALL, 1 }, [18] = { W_NONE, W_LO, 1 },
	[19] = { W_NONE, W_HI, 1 }, [20] = { W_READ, W_NONE, 0 }, [21] = { W_NONE, W_ALL, 0 },
	[22] = { W_NONE, W_LO, 0 }, [23] = { W_NONE, W_HI, 0 }, [24] = { W_LO, W_HI, 0 },
	[26] = { W_HI, W_LO, 0 }, [27] = { W_NONE, W_NONE, 1 },
};

static bool ports(uint64_t regs, bool first, struct ports *p)
{
	unsigned int r3 = regs >> 8 & 63, r2 = regs >> 14 & 63, r0 = regs >> 20 & 31;
	unsigned int r1 = regs >> 25 & 63, ctrl = regs >> 31 & 15;

	p->reg[2] = r2;
	p->reg[3] = r3;
	if (!ctrl) {
		ctrl = r1 >> 2;
		p->read[0] = !(r1 & 2);
		p->read[1] = false;
		p->reg[0] = r0 | (r1 & 1) << 5;
		p->reg[1] = 0;
	} else {
		p->read[0] = true;
		p->read[1] = true;
		p->reg[0] = r0 <= r1 ? r0 : 63 - r0;
		p->reg[1] = r0 <= r1 ? r1 : 63 - r1;
	}
	if (first)
		ctrl = (ctrl & 7) | (ctrl & 8) << 1;
	else if (r2 == r3)
		ctrl += 16;
	p->w2 = control[ctrl & 31][0];
	p->w3 = control[ctrl & 31][1];
	p->w3_fma = control[ctrl & 31][2];
	return ctrl < 32 && (p->w2 || p->w3 || ctrl == 16 || ctrl == 27);
}

static void write_port(uint32_t *r, enum write how, uint32_t v)
{
	if (how == W_ALL)
		*r = v;
	else if (how == W_LO)
		*r = (*r & 0xffff0000) | (v & 0xffff);
	else if (how == W_HI)
		*r = (*r & 0xffff) | (v & 0xffff0000);
}

/*
 * Write the tuple's results as the register block of the next tuple (of the first one
 * after the last) specifies.
 */
static void write_back(struct bfr_thread *t, const struct ports *p)
{
	if (p->w2 != W_READ)
		write_port(&t->r[p->reg[2]], p->w2, t->t[0]);
	write_port(&t->r[p->reg[3]], p->w3, t->t[p->w3_fma ? 0 : 1]);
}

static uint64_t sext(uint64_t v, unsigned int n)
{
	return (uint64_t)((int64_t)(v << (64 - n)) >> (64 - n));
}

static bool fau(struct mrf *g, const struct mrf_draw *d, const struct clause *c,
		const struct bfr_thread *t, unsigned int idx, uint32_t *out)
{
	static const uint8_t which[8] = { 9, 9, 4, 5, 0, 1, 2, 3 };
	uint64_t v, pc = t->pc;

	if (idx & 0x80) {
		if ((idx & 0x7f) >= d->npush) {
			mrf_fail(g, false, "uniform %u of %u", idx & 0x7f, d->npush);
			return false;
		}
		out[0] = mrf_load(g, d->push + 8 * (idx & 0x7f));
		out[1] = mrf_load(g, d->push + 8 * (idx & 0x7f) + 4);
		return !*g->error;
	}
	if (idx >= 0x20) {
		unsigned int i = which[idx >> 4];

		v = c->konst[i] | (idx & 15);
		out[0] = (uint32_t)v;
		out[1] = (uint32_t)(v >> 32);
		if (c->pcrel[i] == PC_LO) {
			v = pc + sext(v & M60, 60);
			out[0] = (uint32_t)v;
			out[1] = (uint32_t)(v >> 32);
		}
		if (c->pcrel[i] == PC_HI || c->pcrel[i] == PC_BOTH)
			out[1] = (uint32_t)(pc + sext(out[1], 28));
		if (c->pcrel[i] == PC_BOTH)
			out[0] = (uint32_t)(pc + sext(out[0], 28));
		return true;
	}
	out[0] = idx == 1 ? t->lane : 0;
	out[1] = 0;
	/*
	 * Lane; alpha test datum, which is for ATEST alone, and there is no alpha test;
	 * the first blend descriptor.
	 */
	if (idx == 8 && d->frag) {
		out[0] = mrf_load(g, d->state + 64 + 8);
		out[1] = mrf_load(g, d->state + 64 + 12);
	}
	if (idx > 1 && idx != 5 && (idx < 8 || idx > 15)) {
		mrf_fail(g, true, "FAU %02x", idx);
		return false;
	}
	return true;
}

static void sources(uint32_t op, const struct bfr_step *s, const struct bfr_thread *t,
		    uint32_t three, uint32_t *src)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		unsigned int sel = op >> (3 * i) & 7;

		src[i] = sel < 3 ? s->port[sel] : sel == 3 ? three :
			sel < 6 ? s->fau[sel - 4] : t->t[sel - 6];
	}
}

/* A thread in a clause that it executes together with its neighbours. */
struct lane {
	struct bfr_thread *t;
	struct bfr_step s;
	bool jump;
	uint32_t target;
};

/* First half of a tuple: read operands, write the previous tuple's results, multiply. */
static void tuple_fma(struct mrf *g, const struct mrf_draw *d, const struct clause *c,
		      unsigned int i, struct lane *l, uint32_t *src)
{
	struct bfr_thread *t = l->t;
	struct ports p;
	unsigned int k;

	if (!ports(c->t[i].regs, !i, &p)) {
		mrf_fail(g, false, "register block %llx", (unsigned long long)c->t[i].regs);
		return;
	}
	for (k = 0; k < 2; k++)
		l->s.port[k] = p.read[k] ? t->r[p.reg[k]] : POISON;
	l->s.port[2] = p.w2 == W_READ ? t->r[p.reg[2]] : POISON;
	if (i)
		write_back(t, &p);
	if (!fau(g, d, c, t, c->t[i].regs & 0xff, l->s.fau))
		return;
	l->s.atom = -1;
	l->s.jump = false;
	sources(c->t[i].fma, &l->s, t, 0, src);
	l->s.fma = bfr_exec_fma(g, c->t[i].fma, src, &l->s);
	sources(c->t[i].add, &l->s, t, l->s.fma, src);
}

static void end_clause(const struct clause *c, struct lane *l)
{
	struct bfr_thread *t = l->t;
	struct ports p;
	unsigned int i;

	ports(c->t[0].regs, true, &p);
	write_back(t, &p);
	for (i = 0; i < l->s.nout; i++)
		t->r[(l->s.sr + i) & 63] = l->s.out[i];
	if (l->jump && !l->target)
		t->done = true;		/* a branch to 0 ends the thread */
	else if (l->jump)
		t->pc = (t->pc & ~0xffffffffull) | l->target;
	else if (!(c->header >> 11 & 7))
		t->done = true;
	else
		t->pc += 16 * c->quads;
}

/*
 * A tuple's reads do not see the previous tuple's concurrent writes; the message reads
 * its staging registers itself, after those writes. Message results reach their registers
 * at the end of the clause.
 */
static void clause(struct mrf *g, const struct mrf_draw *d, struct bfr_thread **t, unsigned int n)
{
	struct lane l[4];
	struct clause c;
	unsigned int i, k;
	uint32_t src[4][4];
	struct bfr_quad quad;

	memset(l, 0, sizeof(l));
	memset(&quad, 0, sizeof(quad));
	if (!fetch(g, t[0]->pc, &c))
		return;
	if (c.header >> 5 & 0x3f) {
		mrf_fail(g, true, "clause with float modes %llx", (unsigned long long)c.header);
		return;
	}
	for (k = 0; k < n; k++) {
		l[k].t = t[k];
		l[k].s.sr = c.header >> 18 & 63;
		l[k].s.quad = &quad;
	}
	for (i = 0; i < c.n && !*g->error; i++) {
		for (k = 0; k < n && !*g->error; k++) {
			tuple_fma(g, d, &c, i, &l[k], src[k]);
			memcpy(quad.src[t[k]->lane], src[k], sizeof(src[k]));
			quad.active[t[k]->lane] = true;
		}
		for (k = 0; k < n && !*g->error; k++) {
			t[k]->t[1] = bfr_exec_add(g, d, t[k], c.t[i].add, src[k], &l[k].s);
			t[k]->t[0] = l[k].s.fma;
			if (l[k].s.jump) {
				l[k].jump = true;
				l[k].target = l[k].s.target;
			}
		}
	}
	for (k = 0; k < n && !*g->error; k++)
		end_clause(&c, &l[k]);
}

static void step(struct mrf *g, const struct mrf_draw *d, struct bfr_thread **t, unsigned int n)
{
	uint64_t pc = t[0]->pc;

	if (g->budget < n) {
		mrf_fail(g, false, "budget used up");
		return;
	}
	g->budget -= n;
	g->steps += n;
	clause(g, d, t, n);
	if (*g->error) {
		size_t at = strlen(g->error);

		snprintf(g->error + at, sizeof(g->error) - at, " (clause_%lld)",
			 (long long)(pc - d->code) / 16);
	}
}

/* Four fragments: the lanes with the lowest PC execute together. */
void bfr_run_quad(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t)
{
	struct bfr_thread *now[4];
	unsigned int i, n = 1;
	uint64_t pc;

	while (n && !*g->error) {
		pc = ~0ull;
		for (i = 0; i < 4; i++)
			if (!t[i].done && t[i].pc < pc)
				pc = t[i].pc;
		for (n = 0, i = 0; i < 4; i++)
			if (!t[i].done && t[i].pc == pc)
				now[n++] = &t[i];
		if (n)
			step(g, d, now, n);
	}
}

void bfr_run_one(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t)
{
	while (!*g->error && !t->done && !t->waits)
		step(g, d, &t, 1);
}

/* Every thread up to its end or a barrier, again until all have ended. */
static void run_group(struct mrf *g, const struct mrf_draw *d, struct bfr_thread *t,
		      unsigned int n)
{
	unsigned int i;
	bool more = true;

	while (more && !*g->error) {
		more = false;
		for (i = 0; i < n && !*g->error; i++) {
			bfr_run_one(g, d, &t[i]);
			more |= !t[i].done;
		}
		for (i = 0; i < n; i++)
			t[i].waits = false;
	}
}

void bfr_draw_state(struct mrf *g, uint64_t dcd, struct mrf_draw *d, uint32_t *preload)
{
	uint64_t storage = mrf_load64(g, dcd + 112);
	uint32_t w, size, shift;

	mrf_draw_state(g, dcd, d);
	*preload = mrf_load(g, d->state + 48);
	d->npush = *preload >> 15 & 127;
	size = mrf_load(g, storage) & 31;
	d->ntls = size ? 8u << size : 0;
	if (d->ntls > MRF_TLS_MAX)
		d->ntls = MRF_TLS_MAX;
	w = mrf_load(g, storage + 4);
	shift = w >> 8 & 31;
	d->nwls = (w & 31) != 31 && shift && shift < 17 ? 1u << (shift - 1) : 0;
}

static void start(struct bfr_thread *t, const struct mrf_draw *d, const struct mrf_dims *dm,
		  const unsigned int *group, const unsigned int *local, uint32_t preload)
{
	uint32_t v[8];
	unsigned int i;

	v[0] = local[0] | local[1] << 16;
	v[1] = local[2];
	for (i = 0; i < 3; i++) {
		v[2 + i] = group[i];
		v[5 + i] = group[i] * dm->local[i] + local[i];
	}
	for (i = 0; i < 64; i++)
		t->r[i] = POISON;
	for (i = 0; i < 8; i++)
		if (preload >> (7 + i) & 1)
			t->r[55 + i] = v[i];
	t->t[0] = POISON;
	t->t[1] = POISON;
	t->pc = d->code;
	t->done = false;
	t->waits = false;
	t->covered = true;
	if (d->ntls)
		memset(t->tls, 0xa5, d->ntls);
}

static void compute(struct mrf *g, uint64_t job)
{
	struct bfr_thread *t;
	struct mrf_dims dm = { 0 };
	struct mrf_draw d;
	unsigned int n, i, gr[3], lo[3];
	uint32_t preload;

	mrf_dims(g, job + 32, &dm);
	bfr_draw_state(g, job + 64, &d, &preload);
	if (*g->error)
		return;
	n = dm.local[0] * dm.local[1] * dm.local[2];
	if (!n || n > MRF_GROUP_MAX) {
		mrf_fail(g, false, "group of %u threads", n);
		return;
	}
	t = calloc(n, sizeof(*t));
	d.wls = d.nwls ? malloc(d.nwls) : NULL;
	for (i = 0; i < n; i++)
		t[i].tls = d.ntls ? malloc(d.ntls) : NULL;
	for (gr[2] = 0; gr[2] < dm.groups[2] && !*g->error; gr[2]++)
		for (gr[1] = 0; gr[1] < dm.groups[1] && !*g->error; gr[1]++)
			for (gr[0] = 0; gr[0] < dm.groups[0] && !*g->error; gr[0]++) {
				if (d.nwls)
					memset(d.wls, 0xa5, d.nwls);
				for (i = 0; i < n; i++) {
					lo[0] = i % dm.local[0];
					lo[1] = i / dm.local[0] % dm.local[1];
					lo[2] = i / dm.local[0] / dm.local[1];
					start(&t[i], &d, &dm, gr, lo, preload);
				}
				g->threads += n;
				run_group(g, &d, t, n);
			}
	for (i = 0; i < n; i++)
		free(t[i].tls);
	free(d.wls);
	free(t);
}

static void run_job(struct mrf *g, uint64_t job, unsigned int type)
{
	if (type == 4 || type == 5)
		compute(g, job);
	else if (type == 7)
		bfr_draw_tiler(g, job);
	else if (type == 10)
		bfr_draw_job(g, job);
	else
		mrf_fail(g, true, "job type %u", type);
}

bool bfr_run(struct mrf *g, uint64_t chain)
{
	mrf_chain(g, chain, run_job);
	return !*g->error;
}
