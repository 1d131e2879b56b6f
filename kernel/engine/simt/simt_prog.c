// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Programs of the SIMT machine: memory that they come from, building, printing.
 */
#include "simt_opt.h"

#define CONST_HASH	1024		/* power of two */
#define MAX_CONSTS	768		/* leaves room in the hash */

/* ---- arena ---- */

void *simt_arena_take(struct simt_arena *a, u64 n, u64 size)
{
	u64 bytes, room, at;

	if (check_mul_overflow(n, size, &bytes))
		return NULL;
	at = (a->used + 63) & ~63ULL;
	if (at > a->size)
		return NULL;
	room = a->size - at;
	if (bytes > room)
		return NULL;
	a->used = at + bytes;
	a->peak = max_t(u64, a->peak, a->used);
	return a->base + at;
}

void *simt_arena_alloc(struct simt_arena *a, u64 n, u64 size)
{
	void *p = simt_arena_take(a, n, size);

	if (p)
		memset(p, 0, n * size);
	return p;
}

void simt_arena_reset(struct simt_arena *a, u64 used)
{
	a->used = min_t(u64, used, a->used);
}

/* ---- building ---- */

struct label {
	u32 guest;
	u32 uop;
	bool used;
};

struct simt_builder {
	struct simt_arena *arena;
	struct simt_uop *uops;
	u32 nuops;
	u32 max_uops;
	struct label *labels;
	u32 nlabels;
	u32 max_labels;
	u32 nunif;
	u32 nconst;
	u32 *consts;
	u16 *hash;
	int error;
};

/**
 * simt_builder_new - start a program
 * @a: arena
 * @max_uops: most micro-ops that will be emitted
 * @max_labels: most labels
 * @nunif: words of uniforms that a launch provides
 *
 * Return: the builder, or NULL.
 */
struct simt_builder *simt_builder_new(struct simt_arena *a, u32 max_uops, u32 max_labels,
				      u32 nunif)
{
	struct simt_builder *b = simt_arena_alloc(a, 1, sizeof(*b));

	if (!b || nunif > SIMT_MAX_UNIF - MAX_CONSTS || max_uops > SIMT_MAX_UOPS)
		return NULL;
	b->arena = a;
	b->max_uops = max_uops;
	b->max_labels = max_labels;
	b->nunif = nunif;
	b->uops = simt_arena_alloc(a, max_uops, sizeof(*b->uops));
	b->labels = simt_arena_alloc(a, max_labels, sizeof(*b->labels));
	b->consts = simt_arena_alloc(a, MAX_CONSTS, sizeof(*b->consts));
	b->hash = simt_arena_alloc(a, CONST_HASH, sizeof(*b->hash));
	return b->uops && b->labels && b->consts && b->hash ? b : NULL;
}

static void fail(struct simt_builder *b, int error)
{
	if (!b->error)
		b->error = error;
}

/**
 * simt_builder_label - the next micro-op is where branches to a position arrive
 * @b: builder
 * @guest: position
 */
void simt_builder_label(struct simt_builder *b, u32 guest)
{
	if (b->nlabels == b->max_labels) {
		fail(b, -E2BIG);
		return;
	}
	b->labels[b->nlabels++] = (struct label){ .guest = guest, .uop = b->nuops };
}

/**
 * simt_builder_emit - append a micro-op
 * @b: builder
 * @u: micro-op, copied
 */
void simt_builder_emit(struct simt_builder *b, const struct simt_uop *u)
{
	if (b->nuops == b->max_uops) {
		fail(b, -E2BIG);
		return;
	}
	b->uops[b->nuops++] = *u;
}

/**
 * simt_builder_const - operand for a constant
 * @b: builder
 * @bits: its value
 *
 * Return: the operand; equal constants have the same.
 */
u16 simt_builder_const(struct simt_builder *b, u32 bits)
{
	u32 i = (bits * 0x9e3779b1U) >> 22;

	for (;; i = (i + 1) % CONST_HASH) {
		u32 k = b->hash[i];

		if (k && b->consts[k - 1] == bits)
			return SIMT_U | (b->nunif + k - 1);
		if (!k)
			break;
	}
	if (b->nconst == MAX_CONSTS) {
		fail(b, -E2BIG);
		return SIMT_U;
	}
	b->consts[b->nconst++] = bits;
	b->hash[i] = b->nconst;
	return SIMT_U | (b->nunif + b->nconst - 1);
}

/* Labels by position, the first of equal ones in front; there is no recursion. */
static void sort_labels(struct simt_builder *b)
{
	u32 gap, i, j;

	for (gap = b->nlabels / 2; gap; gap /= 2) {
		for (i = gap; i < b->nlabels; i++) {
			struct label t = b->labels[i];

			for (j = i; j >= gap && b->labels[j - gap].guest > t.guest; j -= gap)
				b->labels[j] = b->labels[j - gap];
			b->labels[j] = t;
		}
	}
}

static struct label *find_label(const struct simt_builder *b, u32 guest)
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

/* Where branches lead to. */
static int find_targets(struct simt_builder *b, struct simt_code *c)
{
	u32 i;

	for (i = 0; i < b->nuops; i++) {
		struct label *l;

		if (!simt_opt_branches(&b->uops[i]))
			continue;
		l = find_label(b, b->uops[i].imm);
		if (!l || l->uop >= b->nuops)
			return -EINVAL;
		c->to[i] = l->uop;
	}
	return 0;
}

static void mark(u64 *bits, u32 i)
{
	bits[i / 64] |= BIT_ULL(i % 64);
}

static void mark_targets(const struct simt_code *c, u64 *bits)
{
	u32 i;

	for (i = 0; i < c->n; i++)
		if (simt_opt_branches(&c->uops[i]))
			mark(bits, c->to[i]);
}

/* A branch over a jump: the jump is made if its condition is not met. */
static void fold_branches(struct simt_code *c)
{
	u32 i;

	mark_targets(c, c->labels);
	for (i = 0; i + 2 < c->n; i++) {
		struct simt_uop *u = &c->uops[i];

		if ((u->op != SIMT_BRNZ && u->op != SIMT_BRZ) || u[1].op != SIMT_JMP ||
		    c->to[i] != i + 2 || c->entry == i + 1 || simt_opt_bit(c->labels, i + 1))
			continue;
		u->op = u->op == SIMT_BRZ ? SIMT_BRNZ : SIMT_BRZ;
		c->to[i] = c->to[i + 1];
		u[1] = (struct simt_uop){ .op = SIMT_MOV, .guest = u[1].guest };
		mark(c->dead, i + 1);
	}
}

static bool is_straight(u32 op)
{
	return simt_opinfo[op].class <= SIMT_CL_I;
}

/*
 * Copy with JOINs put in and without what is @dead; @at says where micro-op i is afterwards.
 * Return: their number.
 */
static u32 place(const struct simt_code *c, const u64 *joins, u32 *at, struct simt_uop *out)
{
	u32 i, n = 0, run = 0;

	for (i = 0; i < c->n; i++) {
		at[i] = n;
		if ((simt_opt_bit(joins, i) && c->uops[i].op != SIMT_JOIN) ||
		    run == SIMT_MAX_STRAIGHT - 1) {
			out[n++] = (struct simt_uop){ .op = SIMT_JOIN, .guest = c->uops[i].guest };
			run = 0;
		}
		if (simt_opt_bit(c->dead, i))
			continue;
		run = is_straight(c->uops[i].op) ? run + 1 : 0;
		out[n++] = c->uops[i];
		/* known as the number it had; see resolve() */
		if (simt_opt_branches(&c->uops[i]))
			out[n - 1].imm = c->to[i];
	}
	return n;
}

static u32 *sum_weights(struct simt_arena *a, const struct simt_uop *uops, u32 n)
{
	u32 *sum = simt_arena_alloc(a, n + 1, sizeof(*sum)), i;

	for (i = 0; i < n && sum; i++)
		sum[i + 1] = sum[i] + simt_opinfo[uops[i].op].weight;
	return sum;
}

/* Branches, handlers and what is to be known of the program as a whole. */
static void resolve(struct simt_prog *p, const u32 *at, struct simt_uop *uops)
{
	u32 i;

	for (i = 0; i < p->nuops; i++) {
		struct simt_uop *u = &uops[i];

		if (simt_opt_branches(u))
			u->imm = at[u->imm];
		p->barriers |= u->op == SIMT_BARRIER;
		p->exts |= u->op == SIMT_EXT;
		p->kills |= u->op == SIMT_KILL || u->op == SIMT_ENDKILL;
		u->h = simt_handler(u);
	}
}

static bool alloc_code(struct simt_builder *b, struct simt_code *c)
{
	u32 sets = b->nuops / 64 + 1;

	c->uops = b->uops;
	c->n = b->nuops;
	c->labels = simt_arena_alloc(b->arena, sets, sizeof(*c->labels));
	c->dead = simt_arena_alloc(b->arena, sets, sizeof(*c->dead));
	c->to = simt_arena_alloc(b->arena, b->nuops, sizeof(*c->to));
	return c->labels && c->dead && c->to;
}

/* Micro-ops as they will be executed, and their number. */
static int finish_uops(struct simt_builder *b, struct simt_code *c, struct simt_uop *uops,
		       u16 *slots)
{
	u64 *joins = simt_arena_alloc(b->arena, b->nuops / 64 + 1, sizeof(*joins));
	u32 *at = simt_arena_alloc(b->arena, b->nuops, sizeof(*at));
	int ret = 0;

	if (!joins || !at || !alloc_code(b, c))
		return -ENOMEM;
	if (find_targets(b, c))
		return -EINVAL;
	if (!c->p->debug)
		fold_branches(c);
	mark_targets(c, joins);
	memcpy(c->labels, joins, (b->nuops / 64 + 1) * sizeof(*joins));
	mark(c->labels, c->entry);
	memset(c->p->live, 0xff, sizeof(c->p->live));
	if (!c->p->debug)
		ret = simt_optimize(b->arena, c);
	if (ret)
		return ret;
	c->p->nuops = place(c, joins, at, uops);
	c->p->entry = at[c->entry];
	resolve(c->p, at, uops);
	simt_opt_pack(c->p, uops, slots);
	return 0;
}

int simt_prog_finish(struct simt_builder *b, const struct simt_prog *proto, u32 entry,
		     struct simt_prog **out)
{
	u32 extra = b->nuops / (SIMT_MAX_STRAIGHT - 1) + b->nlabels + 1, i, bad;
	struct simt_code c = { };
	struct simt_uop *uops;
	struct simt_prog *p;
	struct label *l;
	u16 *slots;
	u64 used;
	int ret;

	if (b->error)
		return b->error;
	for (i = 0; i < b->nuops; i++) {
		if (b->uops[i].op >= SIMT_NUM_OPS)
			return -EINVAL;
	}
	p = simt_arena_alloc(b->arena, 1, sizeof(*p));
	uops = simt_arena_alloc(b->arena, b->nuops + extra, sizeof(*uops));
	slots = simt_arena_alloc(b->arena, SIMT_MAX_SLOTS, sizeof(*slots));
	if (!p || !uops || !slots)
		return -ENOMEM;
	sort_labels(b);
	l = find_label(b, entry);
	if (!l || l->uop >= b->nuops)
		return -EINVAL;
	*p = *proto;
	p->own = p->nslots;
	p->barriers = false;
	p->kills = false;
	p->exts = false;
	p->nunif = b->nunif;
	p->nconst = b->nconst;
	p->consts = b->consts;
	p->uops = uops;
	c.p = p;
	c.entry = l->uop;
	used = b->arena->used;
	ret = finish_uops(b, &c, uops, slots);
	simt_arena_reset(b->arena, used);
	if (ret)
		return ret;
	p->wsum = sum_weights(b->arena, uops, p->nuops);
	if (!p->wsum)
		return -ENOMEM;
	if (simt_prog_verify(p, &bad))
		return -EINVAL;
	*out = p;
	return 0;
}

/* ---- printing ---- */

static const char * const cmp_names[] = { "eq", "gt", "ge", "ne", "lt", "le", "gtlt", "ord" };

static int print_src(const struct simt_prog *p, const struct simt_uop *u, u32 i, char *buf,
		     size_t size)
{
	const char *neg = u->mods & SIMT_NEG(i) ? "-" : "";
	const char *bar = u->mods & SIMT_ABS(i) ? "|" : "";
	u32 n = u->s[i] & ~SIMT_U;

	if (!(u->s[i] & SIMT_U))
		return scnprintf(buf, size, ", %s%ss%u%s", neg, bar, n, bar);
	if (n < p->nunif)
		return scnprintf(buf, size, ", %s%su%u%s", neg, bar, n, bar);
	if (n - p->nunif >= p->nconst)
		return scnprintf(buf, size, ", ?");
	return scnprintf(buf, size, ", %s%s#%08x%s", neg, bar, p->consts[n - p->nunif], bar);
}

static int print_imm(const struct simt_uop *u, char *buf, size_t size)
{
	switch (u->op) {
	case SIMT_FCMP:
	case SIMT_ICMP:
	case SIMT_UCMP:
	case SIMT_FCSEL:
	case SIMT_ICSEL:
	case SIMT_UCSEL:
	case SIMT_HCMP:
		return scnprintf(buf, size, " .%s %x", cmp_names[u->imm & 7], u->imm >> 4);
	case SIMT_BRCMP:
		return scnprintf(buf, size, " .%s%s %x imm %x", u->n & SIMT_BRCMP_NOT ? "!" : "",
				 cmp_names[u->n & 7], u->n >> 3 & 3, u->imm);
	default:
		return u->imm ? scnprintf(buf, size, " imm %x", u->imm) : 0;
	}
}

/**
 * simt_prog_print_uop - one line of text
 * @p: program
 * @n: micro-op
 * @buf: where to
 * @size: room
 *
 * Return: characters written.
 */
int simt_prog_print_uop(const struct simt_prog *p, u32 n, char *buf, size_t size)
{
	const struct simt_uop *u = &p->uops[n];
	const struct simt_opinfo *o = &simt_opinfo[u->op];
	int len;
	u32 i;

	len = scnprintf(buf, size, "%5u %5x  %-8s s%u", n, u->guest, o->name, u->d);
	if (u->op == SIMT_SHADD || u->op == SIMT_EXT || u->op == SIMT_ATOM)
		len += scnprintf(buf + len, size - len, "/s%u", u->d2);
	for (i = 0; i < o->nsrc; i++)
		len += print_src(p, u, i, buf + len, size - len);
	if (SIMT_CLAMP_OF(u->mods))
		len += scnprintf(buf + len, size - len, " clamp %u", SIMT_CLAMP_OF(u->mods));
	return len + print_imm(u, buf + len, size - len);
}
