// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Engine programs: the builder that front ends use.
 */
#include "vs_progint.h"

#define VS_UOP(name, class, weight, text) { #name, VS_CL_##class, weight },

const struct vs_opinfo vs_opinfo[VS_NUM_OPS] = {
#include "uops.def"
};

#undef VS_UOP

/**
 * struct vs_builder - A program being built.
 * @nguest:	guest words
 * @nslots:	slots
 * @nunif:	uniform words of the launch
 * @err:	first error
 * @guest:	current guest word, VS_NO_UOP before the first
 * @nuops:	number of @uops
 * @max:	capacity of @uops
 * @uops:	micro-ops, with guest words in flow fields
 * @guest_of:	guest word of each
 * @nconst:	number of constants
 * @consts:	their values
 * @neg:	some uniform word is used negated
 */
struct vs_builder {
	u32 nguest;
	u32 nslots;
	u32 nunif;
	int err;
	u32 guest;
	u32 nuops;
	u32 max;
	struct vs_uop *uops;
	u16 *guest_of;
	u32 nconst;
	u32 consts[VS_MAX_CONST];
	bool neg;
};

/* Negated words follow all others, whose number is unknown until the end. */
#define VS_NEG_BIT	0x8000

/**
 * vs_builder_new - start a program
 * @nguest: guest words, at most VS_MAX_GUEST
 * @nslots: slots that micro-ops may name
 * @nunif: uniform words that a launch provides
 *
 * Return: a builder, or NULL without memory or above the limits.
 */
struct vs_builder *vs_builder_new(u32 nguest, u32 nslots, u32 nunif)
{
	struct vs_builder *b;

	if (!nguest || nguest > VS_MAX_GUEST || !nslots || nslots > VS_MAX_SLOTS ||
	    nunif > VS_MAX_UNIF)
		return NULL;
	b = vs_zalloc(sizeof(*b));
	if (!b)
		return NULL;
	b->nguest = nguest;
	b->nslots = nslots;
	b->nunif = nunif;
	b->guest = VS_NO_UOP;
	b->max = 8 * nguest + 64;
	b->uops = vs_zalloc_array(b->max, sizeof(*b->uops));
	b->guest_of = vs_zalloc_array(b->max, sizeof(*b->guest_of));
	if (!b->uops || !b->guest_of) {
		vs_builder_free(b);
		return NULL;
	}
	return b;
}

/**
 * vs_builder_free - discard a builder
 * @b: builder, or NULL
 */
void vs_builder_free(struct vs_builder *b)
{
	if (!b)
		return;
	vs_free(b->uops);
	vs_free(b->guest_of);
	vs_free(b);
}

/**
 * vs_builder_guest - start a guest word
 * @b: builder
 * @guest: 0..nguest; micro-ops until the next call belong to it
 */
void vs_builder_guest(struct vs_builder *b, u32 guest)
{
	if (guest > b->nguest)
		b->err = -EINVAL;
	else
		b->guest = guest;
}

/**
 * vs_builder_emit - append a micro-op
 * @b: builder
 * @u: micro-op, copied; flow fields target, resume and other are guest words
 */
void vs_builder_emit(struct vs_builder *b, const struct vs_uop *u)
{
	struct vs_uop *d;

	if (b->err)
		return;
	if (b->guest == VS_NO_UOP || u->op >= VS_NUM_OPS) {
		b->err = -EINVAL;
		return;
	}
	if (b->nuops == b->max) {
		b->err = -E2BIG;
		return;
	}
	d = &b->uops[b->nuops];
	*d = *u;
	d->flags &= ~VS_UOP_FIRST;
	if (!b->nuops || b->guest_of[b->nuops - 1] != b->guest)
		d->flags |= VS_UOP_FIRST;
	b->guest_of[b->nuops++] = b->guest;
}

/**
 * vs_builder_const - uniform word of a constant
 * @b: builder
 * @bits: binary32
 *
 * Return: word number; equal constants share one.
 */
u32 vs_builder_const(struct vs_builder *b, u32 bits)
{
	u32 i;

	for (i = 0; i < b->nconst; i++) {
		if (b->consts[i] == bits)
			return b->nunif + i;
	}
	if (b->nconst == VS_MAX_CONST || b->nunif + b->nconst >= VS_MAX_UNIF) {
		b->err = -E2BIG;
		return 0;
	}
	b->consts[b->nconst] = bits;
	return b->nunif + b->nconst++;
}

/**
 * vs_builder_neg - uniform word of a negated word
 * @b: builder
 * @w: word
 *
 * Return: word number, valid for vs_builder_emit() only.
 */
u32 vs_builder_neg(struct vs_builder *b, u32 w)
{
	b->neg = true;
	return w ^ VS_NEG_BIT;
}

/* Guest words that are reachable other than from the preceding word. */
static void find_joins(const struct vs_builder *b, u64 *join)
{
	u32 i;

	for (i = 0; i < b->nuops; i++) {
		const struct vs_uop *u = &b->uops[i];
		u32 use = vs_flow_use(u);

		if (use & VS_USE_TARGET && u->f.target <= b->nguest)
			vs_bit_set(join, u->f.target);
		if (use & VS_USE_OTHER && u->f.other <= b->nguest)
			vs_bit_set(join, u->f.other);
	}
}

static void add_check(struct vs_prog *p, struct vs_uop *first, u32 guest)
{
	struct vs_uop *d = &p->uops[p->nuops];

	memset(d, 0, sizeof(*d));
	d->op = VS_OP_CHECK;
	d->ncomp = 1;
	d->flags = VS_UOP_FIRST;
	first->flags &= ~VS_UOP_FIRST;
	p->guest_of_uop[p->nuops++] = guest;
}

/* Number of micro-ops of the guest word that starts at @i. */
static u32 guest_len(const struct vs_builder *b, u32 i)
{
	u32 n = 1;

	while (i + n < b->nuops && b->guest_of[i + n] == b->guest_of[i])
		n++;
	return n;
}

/* Copy the micro-ops, with CHECKs at joins and in long straight runs. */
static void place_uops(struct vs_builder *b, struct vs_prog *p, const u64 *join)
{
	u32 i, run = 0;

	for (i = 0; i < b->nuops; i++) {
		struct vs_uop *u = &b->uops[i];
		u32 g = b->guest_of[i];

		if (u->flags & VS_UOP_FIRST) {
			p->uop_of_guest[g] = p->nuops;
			if ((run && vs_bit(join, g)) || run + guest_len(b, i) >= VS_MAX_STRAIGHT) {
				add_check(p, u, g);
				run = 0;
			}
		}
		p->uops[p->nuops] = *u;
		p->guest_of_uop[p->nuops++] = g;
		run = vs_op_is_control(u->op) ? 0 : run + 1;
	}
}

/* The last micro-op must be END. */
static void add_end(struct vs_builder *b)
{
	struct vs_uop end = { .op = VS_OP_END, .ncomp = 1 };

	if (b->nuops && b->uops[b->nuops - 1].op == VS_OP_END)
		return;
	if (b->nuops && b->guest_of[b->nuops - 1] != b->nguest)
		vs_builder_guest(b, b->nguest);
	vs_builder_emit(b, &end);
}

static int to_uop(const struct vs_prog *p, u32 *field)
{
	if (*field > p->nguest || p->uop_of_guest[*field] == VS_NO_UOP)
		return -EINVAL;
	*field = p->uop_of_guest[*field];
	return 0;
}

static int translate_flow(const struct vs_prog *p, struct vs_uop *u)
{
	u32 use = vs_flow_use(u);

	if (use & VS_USE_TARGET ? to_uop(p, &u->f.target) : 0)
		return -EINVAL;
	if (use & VS_USE_RESUME ? to_uop(p, &u->f.resume) : 0)
		return -EINVAL;
	if (use & VS_USE_OTHER ? to_uop(p, &u->f.other) : 0)
		return -EINVAL;
	if (!(use & VS_USE_TARGET))
		u->f.target = 0;
	if (!(use & VS_USE_RESUME))
		u->f.resume = 0;
	if (!(use & VS_USE_OTHER))
		u->f.other = 0;
	return 0;
}

static void translate_neg(const struct vs_prog *p, u16 *words, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (words[i] & VS_NEG_BIT)
			words[i] = (words[i] & ~VS_NEG_BIT) + p->nunif + p->nconst;
	}
}

static int translate(struct vs_prog *p)
{
	u32 i;

	for (i = 0; i < p->nuops; i++) {
		struct vs_uop *u = &p->uops[i];
		enum vs_class class = vs_opinfo[u->op].class;

		if (class == VS_CL_FL) {
			if (translate_flow(p, u))
				return -EINVAL;
		} else if (u->ncomp >= 1 && u->ncomp <= 4) {
			if (u->flags & VS_UOP_A_UNIF)
				translate_neg(p, u->a, vs_src_comps(class, 0, u->ncomp));
			if (u->flags & VS_UOP_B_UNIF)
				translate_neg(p, u->b, vs_src_comps(class, 1, u->ncomp));
			if (u->flags & VS_UOP_C_UNIF)
				translate_neg(p, u->c, vs_src_comps(class, 2, u->ncomp));
		}
		u->handler = vs_handler(u);
		p->wsum[i + 1] = p->wsum[i] + vs_opinfo[u->op].weight;
	}
	return 0;
}

static void copy_proto(struct vs_prog *p, const struct vs_prog *proto)
{
	p->rows = proto->rows;
	p->in_slot = proto->in_slot;
	p->out_slot = proto->out_slot;
	p->shadow_slot = proto->shadow_slot;
	p->nin = proto->nin;
	p->nout = proto->nout;
	p->in_used = proto->in_used;
	p->out_written = proto->out_written;
}

/* Allocate everything for at most @max micro-ops. */
static int alloc_prog(struct vs_prog *p, const struct vs_builder *b, const struct vs_prog *proto,
		      u32 max)
{
	u32 i, words = DIV_ROUND_UP(b->nunif + b->nconst, 64) + 1;

	p->uops = vs_zalloc_array(max, sizeof(*p->uops));
	p->guest_of_uop = vs_zalloc_array(max, sizeof(*p->guest_of_uop));
	p->wsum = vs_zalloc_array(max + 1, sizeof(*p->wsum));
	p->uop_of_guest = vs_zalloc_array(b->nguest + 1, sizeof(*p->uop_of_guest));
	p->consts = vs_zalloc_array(b->nconst + 1, sizeof(*p->consts));
	p->regs = vs_zalloc_array(proto->nregs + 1, sizeof(*p->regs));
	p->zero = vs_zalloc_array(b->nslots, sizeof(*p->zero));
	p->unif_used = vs_zalloc_array(words, sizeof(*p->unif_used));
	if (!p->uops || !p->guest_of_uop || !p->wsum || !p->uop_of_guest || !p->consts ||
	    !p->regs || !p->zero || !p->unif_used)
		return -ENOMEM;
	p->bytes = sizeof(*p) + max * (sizeof(*p->uops) + sizeof(*p->guest_of_uop) + 4) +
		   b->nguest * 4 + b->nconst * 4 + proto->nregs * sizeof(*p->regs) +
		   b->nslots * 2 + words * 8;
	p->nguest = b->nguest;
	p->nslots = b->nslots;
	p->nunif = b->nunif;
	p->nconst = b->nconst;
	p->uses_neg = b->neg;
	p->nregs = proto->nregs;
	memcpy(p->consts, b->consts, b->nconst * sizeof(*p->consts));
	if (proto->nregs)
		memcpy(p->regs, proto->regs, proto->nregs * sizeof(*p->regs));
	for (i = 0; i <= b->nguest; i++)
		p->uop_of_guest[i] = VS_NO_UOP;
	return 0;
}

static int prog_build(struct vs_builder *b, const struct vs_prog *proto, const u32 *entries,
		      u32 nentries, struct vs_prog *p)
{
	u64 *join;
	u32 bad;
	int ret;

	add_end(b);
	if (b->err)
		return b->err;
	/* At most one CHECK per guest word, each of which has micro-ops. */
	ret = alloc_prog(p, b, proto, 2 * b->nuops);
	if (ret)
		return ret;
	copy_proto(p, proto);
	join = vs_zalloc_array(b->nguest / 64 + 1, sizeof(*join));
	if (!join)
		return -ENOMEM;
	find_joins(b, join);
	place_uops(b, p, join);
	vs_free(join);
	if (p->nuops > VS_MAX_UOPS)
		return -E2BIG;
	ret = translate(p);
	if (ret)
		return ret;
	ret = vs_prog_verify(p, &bad);
	if (ret)
		return ret;
	return vs_prog_analyse(p, entries, nentries);
}

int vs_prog_finish(struct vs_builder *b, const struct vs_prog *proto, const u32 *entries,
		   u32 nentries, struct vs_prog **out)
{
	struct vs_prog *p = vs_zalloc(sizeof(*p));
	int ret = p ? prog_build(b, proto, entries, nentries, p) : -ENOMEM;

	vs_builder_free(b);
	if (ret) {
		vs_prog_free(p);
		return ret;
	}
	*out = p;
	return 0;
}

/**
 * vs_prog_free - free a program
 * @p: program, or NULL
 */
void vs_prog_free(struct vs_prog *p)
{
	if (!p)
		return;
	vs_free(p->uops);
	vs_free(p->guest_of_uop);
	vs_free(p->wsum);
	vs_free(p->uop_of_guest);
	vs_free(p->consts);
	vs_free(p->regs);
	vs_free(p->zero);
	vs_free(p->unif_used);
	vs_free(p);
}
