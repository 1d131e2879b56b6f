// SPDX-License-Identifier: GPL-2.0
/*
 * New sequences: from those that reached something, from a scene, or from nothing. They depend on
 * the random numbers and on the corpus only: seed, number and corpus give a sequence again.
 */
#include "fz.h"

void fz_keep(struct fz_corpus *c, const struct fz_seq *s)
{
	if (c->n == c->max) {
		c->max = c->max ? 2 * c->max : 256;
		c->seq = realloc(c->seq, c->max * sizeof(*c->seq));
		if (!c->seq)
			abort();
	}
	c->seq[c->n++] = *s;
}

static struct fz_call plain_call(const char *name, u8 first)
{
	struct fz_call c = { .op = fz_op_find(name), .b = { first } };

	return c;
}

void fz_first(u32 n, struct fz_seq *s)
{
	static const char * const then[] = { "syncobj_create", "submit", "wait", "queue_state" };
	u32 i;

	s->n = 0;
	s->call[s->n++] = plain_call("scene", n);
	for (i = 0; i < ARRAY_SIZE(then); i++)
		s->call[s->n++] = plain_call(then[i], 0);
}

static u32 interesting(struct fz_rng *r)
{
	switch (fz_below(r, 8)) {
	case 0:
		return fz_below(r, 8);
	case 1:
		return 1u << fz_below(r, 32);
	case 2:
		return (1u << fz_below(r, 32)) - 1;
	case 3:
		return -fz_below(r, 16);
	case 4:
		return fz_below(r, 64) * PAGE;
	case 5:
		return fz_below(r, 256);
	case 6:
		return 0x7f800000 + fz_below(r, 3) * 0x400000;	/* binary32: infinity, NaN */
	default:
		return fz_rnd(r);
	}
}

static void add_poke(struct fz_rng *r, struct fz_call *c)
{
	struct fz_poke *p;

	if (c->npokes < FZ_POKES && (!c->npokes || fz_below(r, 2)))
		p = &c->poke[c->npokes++];
	else
		p = &c->poke[fz_below(r, c->npokes)];
	/* arguments come first, code and tables are large */
	p->at = fz_below(r, fz_below(r, 2) ? 32 : fz_below(r, 2) ? 192 : 16384);
	p->how = fz_below(r, FZ_HOWS);
	p->value = interesting(r);
}

static void change_byte(struct fz_rng *r, struct fz_call *c)
{
	u8 *b = &c->b[fz_below(r, fz_below(r, 3) ? 5 : FZ_BYTES)];

	switch (fz_below(r, 4)) {
	case 0:
		*b = 0;
		break;
	case 1:
		*b = fz_below(r, 8);
		break;
	case 2:
		*b ^= 1 << fz_below(r, 8);
		break;
	default:
		*b = fz_rnd(r);
	}
}

static u8 any_op(struct fz_rng *r)
{
	u32 i, sum = 0, n;

	for (i = 0; i < fz_nops; i++)
		sum += fz_ops[i].weight;
	n = fz_below(r, sum);
	for (i = 0; n >= fz_ops[i].weight; i++)
		n -= fz_ops[i].weight;
	return i;
}

static struct fz_call any_call(struct fz_rng *r)
{
	struct fz_call c = { .op = any_op(r) };
	u32 i;

	for (i = fz_below(r, 4); i; i--)
		change_byte(r, &c);
	if (!fz_below(r, 4))
		add_poke(r, &c);
	if (!fz_below(r, 8)) {
		c.lane = fz_below(r, FZ_LANES);
		c.async = fz_below(r, 2);
	}
	return c;
}

static void insert(struct fz_seq *s, u32 at, const struct fz_call *c)
{
	if (s->n == FZ_CALLS)
		return;
	memmove(&s->call[at + 1], &s->call[at], (s->n - at) * sizeof(*c));
	s->call[at] = *c;
	s->n++;
}

/*
 * Jobs of a client whose group has 5 ms of CPU time per 20 ms, until it has been without for some
 * periods. Other calls follow, every other time already in between.
 */
void fz_throttled_first(u64 n, struct fz_rng *r, struct fz_seq *s)
{
	static const struct {
		const char *name;
		u8 b[2];
	} calls[] = {
		{ "throttle" }, { "syncobj_create" }, { "spin" }, { "throttle", { 0, 2 } },
		{ "pause", { 255 } }, { "pause", { 255 } },
	};
	struct fz_call c;
	u32 i;

	s->n = 0;
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		c = plain_call(calls[i].name, calls[i].b[0]);
		c.b[1] = calls[i].b[1];
		s->call[s->n++] = c;
	}
	for (i = 2 + fz_below(r, 8); i; i--) {
		u32 from = n % 2 ? 3 : ARRAY_SIZE(calls);

		c = any_call(r);
		insert(s, from + fz_below(r, s->n - from + 1), &c);
	}
}

static void delete(struct fz_seq *s, u32 at)
{
	s->n--;
	memmove(&s->call[at], &s->call[at + 1], (s->n - at) * sizeof(s->call[0]));
}

/* The beginning of this one, the end of another. */
static void splice(const struct fz_corpus *c, struct fz_rng *r, struct fz_seq *s)
{
	const struct fz_seq *o = &c->seq[fz_below(r, c->n)];
	u32 i = fz_below(r, o->n + 1);

	s->n = fz_below(r, s->n + 1);
	for (; i < o->n && s->n < FZ_CALLS; i++)
		s->call[s->n++] = o->call[i];
}

static void mutate(const struct fz_corpus *corpus, struct fz_rng *r, struct fz_seq *s)
{
	u32 at = fz_below(r, s->n);
	struct fz_call *c = &s->call[at], copy;
	u32 i;

	switch (s->n ? fz_below(r, 16) : 0) {
	case 0 ... 2:
		for (i = 1 + fz_below(r, 4); i; i--) {
			copy = any_call(r);
			insert(s, fz_below(r, s->n + 1), &copy);
		}
		break;
	case 3:
		delete(s, at);
		break;
	case 4:
		copy = *c;
		insert(s, fz_below(r, s->n + 1), &copy);
		break;
	case 5 ... 7:
		change_byte(r, c);
		break;
	case 8 ... 11:
		add_poke(r, c);
		break;
	case 12:
		c->lane = fz_below(r, FZ_LANES);
		c->async = fz_below(r, 2);
		break;
	case 13:
		c->fail = fz_below(r, 4) ? 1 + fz_below(r, 12) : fz_below(r, 60);
		break;
	case 14:
		if (c->npokes)
			c->npokes--;
		else
			c->fail = 0;
		break;
	default:
		splice(corpus, r, s);
	}
}

/* A scene, its job, and something around them. */
static void from_scene(struct fz_rng *r, struct fz_seq *s)
{
	struct fz_call c;
	u32 i;

	fz_first(fz_below(r, fz_nscenes), s);
	for (i = 2 + fz_below(r, 16); i; i--) {
		c = any_call(r);
		insert(s, 1 + fz_below(r, s->n), &c);
	}
}

static void from_nothing(struct fz_rng *r, struct fz_seq *s)
{
	u32 n = 2 + fz_below(r, 16);

	for (s->n = 0; s->n < n; s->n++)
		s->call[s->n] = any_call(r);
}

void fz_make(const struct fz_corpus *c, struct fz_rng *r, struct fz_seq *s)
{
	u32 i, kind = fz_below(r, 16);

	if (kind == 0 || !c->n) {
		from_nothing(r, s);
		return;
	}
	if (kind <= 3 && fz_nscenes) {
		from_scene(r, s);
	} else {
		/* newer ones have been mutated less */
		u32 from = fz_below(r, 2) ? c->n - c->n / 4 : 0;

		*s = c->seq[from + fz_below(r, c->n - from)];
	}
	for (i = 1 + fz_below(r, 4); i; i--)
		mutate(c, r, s);
}
