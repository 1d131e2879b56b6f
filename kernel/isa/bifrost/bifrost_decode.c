// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Packing and unpacking of Bifrost clauses: quads to tuples, constants and header, and back.
 *
 * A quad has a tag of 8 bits, a main part of 75 bits, a middle part of 30 and a top part
 * of 15 bits. Their contents depend on the number of tuples and the position of the quad
 * in the clause. A tuple has 78 bits; its upper three bits are stored in spare parts.
 */
#include "bifrost.h"

/* Contents of a part of a quad: a kind and, in the low three bits, a tuple. */
#define KIND(part)	((part) & 0xf8)
#define TUPLE(part)	((part) & 7)
#define LIT(n)		(0x00 | (n))	/* tags: literal value */
#define UP(n)		(0x08 | (n))	/* bits 77:75 of a tuple */
#define MAIN(n)		(0x10 | (n))	/* bits 74:0 */
#define LOW(n)		(0x18 | (n))	/* bits 29:0, or 44:30 in the top part */
#define HIGH(n)		(0x20 | (n))	/* bits 74:45 */
#define UP2(n)		(0x28 | (n))	/* upper bits of this tuple and the next one */
#define HEADER		0x30
#define CONST_M		0x38		/* a constant and its modes */
#define CONST_LOW	0x40		/* bits 18:4 of a constant */
#define CONST_MID	0x48		/* 48:19 */
#define CONST_HIGH	0x50		/* 63:49 */
#define ZERO		0x58
#define STOP		0x60		/* tags: 1 if the clause ends here */

/**
 * struct quad_format - contents of a quad with tuples
 * @tag: bits 7:6, 5:3 and 2:0 of the tag
 * @main: bits 82:8
 * @mid: bits 112:83
 * @top: bits 127:113
 */
struct quad_format {
	u8 tag[3];
	u8 main;
	u8 mid;
	u8 top;
};

enum {
	FORMAT_FIRST, FORMAT_SINGLE, FORMAT_2ND_END, FORMAT_2ND, FORMAT_3RD_CONST, FORMAT_3RD,
	FORMAT_3RD_END, FORMAT_3RD_LOW, FORMAT_4TH_END, FORMAT_4TH, FORMAT_5TH_CONST,
	FORMAT_5TH_END, FORMAT_5TH_LOW, FORMAT_6TH_END
};

static const struct quad_format formats[] = {
	[FORMAT_FIRST]	   = { { LIT(0), LIT(5), UP(0) }, MAIN(0), HEADER, HEADER },
	[FORMAT_SINGLE]	   = { { STOP, LIT(1), UP(0) }, MAIN(0), HEADER, HEADER },
	[FORMAT_2ND_END]   = { { STOP, LIT(0), LIT(3) }, MAIN(1), ZERO, UP(1) },
	[FORMAT_2ND]	   = { { LIT(0), LIT(4), UP(1) }, MAIN(1), LOW(2), LOW(2) },
	[FORMAT_3RD_CONST] = { { STOP, LIT(0), LIT(4) }, CONST_M, HIGH(2), UP(2) },
	[FORMAT_3RD]	   = { { LIT(0), LIT(0), LIT(1) }, MAIN(3), HIGH(2), UP2(2) },
	[FORMAT_3RD_END]   = { { STOP, LIT(0), LIT(5) }, MAIN(3), HIGH(2), UP2(2) },
	[FORMAT_3RD_LOW]   = { { LIT(2), UP(3), UP(2) }, MAIN(3), HIGH(2), CONST_LOW },
	[FORMAT_4TH_END]   = { { STOP, LIT(2), UP(4) }, MAIN(4), CONST_MID, CONST_HIGH },
	[FORMAT_4TH]	   = { { LIT(1), LIT(4), UP(4) }, MAIN(4), LOW(5), LOW(5) },
	[FORMAT_5TH_CONST] = { { STOP, LIT(0), LIT(6) }, CONST_M, HIGH(5), UP(5) },
	[FORMAT_5TH_END]   = { { STOP, LIT(0), LIT(7) }, MAIN(6), HIGH(5), UP2(5) },
	[FORMAT_5TH_LOW]   = { { LIT(3), UP(6), UP(5) }, MAIN(6), HIGH(5), CONST_LOW },
	[FORMAT_6TH_END]   = { { STOP, LIT(3), UP(7) }, MAIN(7), CONST_MID, CONST_HIGH },
};

#define NO_POS	0xff

/**
 * struct layout - layout of a clause by number of tuples
 * @nquads: quads with tuples
 * @format: their formats
 * @shared: the first constant is in one of these quads
 * @pos: position codes of the quads with two constants each that may follow
 */
struct layout {
	u8 nquads;
	u8 format[6];
	bool shared;
	u8 pos[3];
};

static const struct layout layouts[BI_MAX_TUPLES + 1] = {
	[1] = { 1, { FORMAT_SINGLE }, false, { 0, NO_POS, NO_POS } },
	[2] = { 2, { FORMAT_FIRST, FORMAT_2ND_END }, false, { 1, NO_POS, NO_POS } },
	[3] = { 3, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD_CONST }, true, { 3, NO_POS, NO_POS } },
	[4] = { 3, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD_END }, false, { 2, 5, NO_POS } },
	[5] = { 4, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD_LOW, FORMAT_4TH_END }, true,
		{ 4, 8, NO_POS } },
	[6] = { 5, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD, FORMAT_4TH, FORMAT_5TH_CONST }, true,
		{ 7, 11, 14 } },
	[7] = { 5, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD, FORMAT_4TH, FORMAT_5TH_END }, false,
		{ 6, 10, 13 } },
	[8] = { 6, { FORMAT_FIRST, FORMAT_2ND, FORMAT_3RD, FORMAT_4TH, FORMAT_5TH_LOW,
		     FORMAT_6TH_END }, true, { 9, 12, NO_POS } },
};

/* 128 bits: a quad or a tuple. */
struct wide {
	u64 lo;
	u64 hi;
};

static u64 bi_get_bits(const struct wide *w, u32 pos, u32 n)
{
	u64 v = pos >= 64 ? w->hi >> (pos - 64) : w->lo >> pos;

	if (pos && pos < 64 && pos + n > 64)
		v |= w->hi << (64 - pos);
	return v & GENMASK_ULL(n - 1, 0);
}

/* The bits must be 0 before the call. */
static void bi_decode_put_bits(struct wide *w, u32 pos, u64 v)
{
	if (pos >= 64) {
		w->hi |= v << (pos - 64);
		return;
	}
	w->lo |= v << pos;
	if (pos)
		w->hi |= v >> (64 - pos);
}

static struct wide load_quad(const u32 *words)
{
	return (struct wide){ words[0] | (u64)words[1] << 32, words[2] | (u64)words[3] << 32 };
}

static void store_quad(u32 *words, const struct wide *q)
{
	words[0] = (u32)q->lo;
	words[1] = (u32)(q->lo >> 32);
	words[2] = (u32)q->hi;
	words[3] = (u32)(q->hi >> 32);
}

/* A clause with its tuples partly assembled. */
struct pieces {
	struct wide tuples[BI_MAX_TUPLES];
	u64 header;
	u64 shared;	/* constant */
	u8 m;
};

static void take_quad(const struct quad_format *f, const struct wide *q, struct pieces *p)
{
	u32 mid = (u32)bi_get_bits(q, 83, 30), top = (u32)bi_get_bits(q, 113, 15), i;
	u32 tag[3] = { (u32)bi_get_bits(q, 6, 2), (u32)bi_get_bits(q, 3, 3),
		       (u32)bi_get_bits(q, 0, 3) };

	for (i = 0; i < 3; i++)
		if (KIND(f->tag[i]) == UP(0))
			bi_decode_put_bits(&p->tuples[TUPLE(f->tag[i])], 75, tag[i]);
	if (f->main == CONST_M) {
		p->shared = bi_get_bits(q, 8, 60) << 4;
		p->m = (u8)bi_get_bits(q, 68, 8);
	} else {
		bi_decode_put_bits(&p->tuples[TUPLE(f->main)], 0, bi_get_bits(q, 8, 60));
		bi_decode_put_bits(&p->tuples[TUPLE(f->main)], 60, bi_get_bits(q, 68, 15));
	}
	if (f->mid == HEADER)
		p->header = mid | (u64)top << 30;
	else if (f->mid == CONST_MID)
		p->shared |= (u64)mid << 19 | (u64)top << 49;
	else if (KIND(f->mid) == LOW(0))
		bi_decode_put_bits(&p->tuples[TUPLE(f->mid)], 0, mid | (u64)top << 30);
	else if (KIND(f->mid) == HIGH(0))
		bi_decode_put_bits(&p->tuples[TUPLE(f->mid)], 45, mid);
	if (f->top == CONST_LOW)
		p->shared |= (u64)top << 4;
	else if (KIND(f->top) == UP(0) || KIND(f->top) == UP2(0))
		bi_decode_put_bits(&p->tuples[TUPLE(f->top)], 75, top >> 12);
	if (KIND(f->top) == UP2(0))
		bi_decode_put_bits(&p->tuples[TUPLE(f->top) + 1], 75, top >> 9 & 7);
}

static u64 top_part(const struct quad_format *f, const struct pieces *p)
{
	const struct wide *t = &p->tuples[TUPLE(f->top)];

	switch (KIND(f->top)) {
	case HEADER:
		return p->header >> 30;
	case LOW(0):
		return bi_get_bits(t, 30, 15);
	case UP(0):
		return bi_get_bits(t, 75, 3) << 12;
	case UP2(0):
		return bi_get_bits(t, 75, 3) << 12 | bi_get_bits(t + 1, 75, 3) << 9;
	case CONST_LOW:
		return p->shared >> 4 & 0x7fff;
	default:
		return p->shared >> 49;
	}
}

static u64 mid_part(const struct quad_format *f, const struct pieces *p)
{
	switch (KIND(f->mid)) {
	case HEADER:
		return p->header & GENMASK_ULL(29, 0);
	case LOW(0):
		return bi_get_bits(&p->tuples[TUPLE(f->mid)], 0, 30);
	case HIGH(0):
		return bi_get_bits(&p->tuples[TUPLE(f->mid)], 45, 30);
	case CONST_MID:
		return p->shared >> 19 & GENMASK_ULL(29, 0);
	default:
		return 0;
	}
}

static u32 tag_part(u8 part, const struct pieces *p, bool stop)
{
	if (part == STOP)
		return stop;
	return KIND(part) == UP(0) ? (u32)bi_get_bits(&p->tuples[TUPLE(part)], 75, 3) : part;
}

static struct wide give_quad(const struct quad_format *f, const struct pieces *p, bool stop)
{
	struct wide q = { };

	bi_decode_put_bits(&q, 0, tag_part(f->tag[2], p, stop) | tag_part(f->tag[1], p, stop) << 3 |
			   tag_part(f->tag[0], p, stop) << 6);
	if (f->main == CONST_M) {
		bi_decode_put_bits(&q, 8, p->shared >> 4);
		bi_decode_put_bits(&q, 68, p->m);
	} else {
		bi_decode_put_bits(&q, 8, bi_get_bits(&p->tuples[TUPLE(f->main)], 0, 60));
		bi_decode_put_bits(&q, 68, bi_get_bits(&p->tuples[TUPLE(f->main)], 60, 15));
	}
	bi_decode_put_bits(&q, 83, mid_part(f, p));
	bi_decode_put_bits(&q, 113, top_part(f, p));
	return q;
}

static u32 tag_of(const u32 *words, u32 nquads, u32 i)
{
	return i < nquads ? words[4 * i] & 0xff : 0;
}

/* Number of tuples, from the tags; 0: not a clause. */
static u32 count_tuples(const u32 *words, u32 nquads)
{
	u32 tag = tag_of(words, nquads, 0);

	if ((tag >> 3 & 7) == 1)
		return 1;
	if (tag >> 3 != 5)
		return 0;
	tag = tag_of(words, nquads, 1);
	if ((tag & 0xbf) == 3)
		return 2;
	if (tag >> 3 != 4)
		return 0;
	tag = tag_of(words, nquads, 2);
	if (tag >> 6 == 2)
		return 5;
	if ((tag & 0xbf) == 4)
		return 3;
	if ((tag & 0xbf) == 5)
		return 4;
	tag = tag_of(words, nquads, 4);
	if (tag >> 6 == 3)
		return 8;
	if ((tag & 0xbf) == 6)
		return 6;
	return (tag & 0xbf) == 7 ? 7 : 0;
}

static void take_consts(const struct wide *q, u64 *consts)
{
	consts[0] = bi_get_bits(q, 8, 60) << 4;
	consts[1] = bi_get_bits(q, 68, 60) << 4;
}

static struct wide give_consts(const u64 *consts, u32 pos, bool stop)
{
	struct wide q = { };

	bi_decode_put_bits(&q, 0, pos | (stop ? 0x70 : 0x30));
	bi_decode_put_bits(&q, 8, consts[0] >> 4);
	bi_decode_put_bits(&q, 68, consts[1] >> 4);
	return q;
}

u32 bi_min_consts(u32 ntuples)
{
	return layouts[ntuples].shared;
}

u32 bi_max_consts(u32 ntuples)
{
	u32 n = layouts[ntuples].shared, i;

	for (i = 0; i < 3; i++)
		n += layouts[ntuples].pos[i] == NO_POS ? 0 : 2;
	return n;
}

bool bi_const_has_modes(u32 ntuples)
{
	return layouts[ntuples].shared && ntuples % 3 == 0;
}

u32 bi_clause_encode(const struct bi_clause *c, u32 *words)
{
	struct pieces p = { .header = c->header, .m = c->m };
	const struct layout *l;
	u32 i, more, quads;
	struct wide q;

	if (c->ntuples < 1 || c->ntuples > BI_MAX_TUPLES)
		return 0;
	l = &layouts[c->ntuples];
	if (c->nconsts < l->shared || c->nconsts > bi_max_consts(c->ntuples) ||
	    (c->nconsts - l->shared) % 2 || (c->m && !bi_const_has_modes(c->ntuples)))
		return 0;
	more = (c->nconsts - l->shared) / 2;
	for (i = 0; i < c->ntuples; i++) {
		bi_decode_put_bits(&p.tuples[i], 0, c->tuples[i].regs);
		bi_decode_put_bits(&p.tuples[i], 35, c->tuples[i].fma);
		bi_decode_put_bits(&p.tuples[i], 58, c->tuples[i].add);
	}
	if (l->shared)
		p.shared = c->consts[0];
	for (i = 0; i < l->nquads; i++) {
		q = give_quad(&formats[l->format[i]], &p, !more);
		store_quad(words + 4 * i, &q);
	}
	quads = l->nquads + more;
	for (i = 0; i < more; i++) {
		q = give_consts(c->consts + l->shared + 2 * i, l->pos[i], i + 1 == more);
		store_quad(words + 4 * (l->nquads + i), &q);
	}
	return quads;
}

static enum bi_reason take_all(const u32 *words, u32 nquads, struct bi_clause *c)
{
	const struct layout *l = &layouts[c->ntuples];
	struct pieces p = { };
	struct wide q;
	bool stop;
	u32 i;

	for (i = 0; i < l->nquads; i++) {
		q = load_quad(words + 4 * i);
		take_quad(&formats[l->format[i]], &q, &p);
	}
	c->nconsts = l->shared;
	c->consts[0] = p.shared;
	c->header = p.header;
	c->m = p.m;
	for (i = 0; i < c->ntuples; i++) {
		c->tuples[i].regs = bi_get_bits(&p.tuples[i], 0, 35);
		c->tuples[i].fma = (u32)bi_get_bits(&p.tuples[i], 35, 23);
		c->tuples[i].add = (u32)bi_get_bits(&p.tuples[i], 58, 20);
	}
	stop = tag_of(words, nquads, l->nquads - 1) & 0x40;
	for (i = 0; !stop; i++) {
		if (i >= 3 || l->pos[i] == NO_POS)
			return BI_BAD_TAG;
		if (l->nquads + i >= nquads)
			return BI_TRUNCATED;
		q = load_quad(words + 4 * (l->nquads + i));
		take_consts(&q, c->consts + c->nconsts);
		c->nconsts += 2;
		stop = q.lo & 0x40;
	}
	c->quads = (u8)(l->nquads + i);
	return BI_OK;
}

enum bi_reason bi_clause_decode(const u32 *words, u32 nquads, struct bi_clause *c)
{
	u32 back[4 * BI_CLAUSE_QUADS], i;
	enum bi_reason reason;

	memset(c, 0, sizeof(*c));
	c->ntuples = (u8)count_tuples(words, nquads);
	if (!c->ntuples)
		return BI_BAD_TAG;
	if (layouts[c->ntuples].nquads > nquads)
		return BI_TRUNCATED;
	reason = take_all(words, nquads, c);
	if (reason)
		return reason;
	bi_clause_encode(c, back);
	for (i = 0; i < c->quads; i++)
		if ((words[4 * i] ^ back[4 * i]) & 0xff)
			return BI_BAD_TAG;
	return memcmp(words, back, 16 * c->quads) ? BI_BAD_RESERVED : BI_OK;
}

/* Modes of two constants, from the 4-bit difference of their upper four bits. */
static bool pair_modes(u32 m1, u32 m2, u8 *first, u8 *second)
{
	static const u8 by_m1[7][2] = {
		{ BI_CONST_PLAIN, BI_CONST_PLAIN }, { BI_CONST_PC_LO, BI_CONST_PLAIN },
		{ BI_CONST_PC_LO, BI_CONST_PC_LO }, { },
		{ BI_CONST_PC_HI, BI_CONST_PLAIN }, { BI_CONST_PC_HI, BI_CONST_PC_HI },
		{ BI_CONST_PC_LO, BI_CONST_PLAIN },
	};
	static const u8 by_m2[4] = {
		BI_CONST_PLAIN, BI_CONST_PC_HI, BI_CONST_PC_BOTH, BI_CONST_PC_HI
	};

	if (m1 == 3 || (m1 == 7 && m2 > 3))
		return false;
	if (m1 == 7) {
		*first = BI_CONST_PC_BOTH;
		*second = by_m2[m2];
	} else {
		*first = m1 < 7 ? by_m1[m1][0] : BI_CONST_PLAIN;
		*second = m1 < 7 ? by_m1[m1][1] : BI_CONST_PLAIN;
	}
	return true;
}

enum bi_reason bi_const_modes(const struct bi_clause *c, u8 modes[BI_MAX_CONSTS])
{
	u32 i = bi_min_consts(c->ntuples);
	u8 unused;

	memset(modes, 0, BI_MAX_CONSTS);
	if (i && !pair_modes(c->m & 0xf, c->m >> 4, &modes[0], &unused))
		return BI_BAD_CONST;
	for (; i + 1 < c->nconsts; i += 2) {
		u64 a = c->consts[i], b = c->consts[i + 1];

		if (!pair_modes(((a >> 60) - (b >> 60)) & 0xf, ((a >> 28) - (b >> 28)) & 0xf,
				&modes[i], &modes[i + 1]))
			return BI_BAD_CONST;
	}
	return BI_OK;
}

bool bi_header_decode(u64 header, struct bi_header *h)
{
	struct wide w = { header, 0 };

	h->ftz = (u8)bi_get_bits(&w, 5, 2);
	h->suppress_inf = (u8)bi_get_bits(&w, 7, 1);
	h->suppress_nan = (u8)bi_get_bits(&w, 8, 1);
	h->fpe = (u8)bi_get_bits(&w, 9, 2);
	h->flow = (u8)bi_get_bits(&w, 11, 3);
	h->td = (u8)bi_get_bits(&w, 15, 1);
	h->ncph = (u8)bi_get_bits(&w, 16, 1);
	h->osrb = (u8)bi_get_bits(&w, 17, 1);
	h->sr = (u8)bi_get_bits(&w, 18, 6);
	h->wait = (u8)bi_get_bits(&w, 24, 8);
	h->slot = (u8)bi_get_bits(&w, 32, 3);
	h->message = (u8)bi_get_bits(&w, 35, 5);
	h->next_message = (u8)bi_get_bits(&w, 40, 5);
	return !bi_get_bits(&w, 0, 5) && !bi_get_bits(&w, 14, 1) &&
	       h->message <= BI_MSG_64BIT && h->message != 11 &&
	       h->next_message <= BI_MSG_64BIT && h->next_message != 11;
}
