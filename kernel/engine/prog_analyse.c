// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Definite assignment: the slots that an invocation may read before it writes them. These
 * must be zeroed, and in a unit whose registers persist they carry state from one
 * invocation to the next.
 *
 * The nodes of the flow graph are straight runs of micro-ops, a node for each guest
 * address at which ring entries pop (so that many blocks ending at one address cost
 * their sum, not their product), and one for BREAK. Edges are a superset of the possible
 * transfers by the ring stacks.
 *
 * In a program with EMIT there is a copy of the graph for each stack of calls, since
 * procedures that emit a vertex find the latch that their caller has set. CALL entries pop
 * only at the end of the newest one, so the stack at a node is known exactly. If there are
 * too many stacks, one copy serves all of them, and a procedure returns to every caller.
 */
#include "vs_intern.h"
#include "vs_progint.h"

/* Facts, a bit each: slots assigned, emit state latched and vertices filled on every path. */
#define FACT_PRED	VS_MAX_SLOTS
#define FACT_LATCH	(FACT_PRED + VS_MAX_PREDS)
#define FACT_FILLED	(FACT_LATCH + 16)
#define NUM_FACTS	(FACT_FILLED + 3)
#define FACT_WORDS	DIV_ROUND_UP(NUM_FACTS, 64)

/* Stacks of calls that are told apart, nodes of all copies of the graph. */
#define MAX_STACKS	16
#define MAX_NODES	16384
/* Of four entries that end at one instruction, the last one pops without a jump. */
#define MAX_DEPTH	(VS_CALL_RING - 1)

struct facts {
	u64 w[FACT_WORDS];
};

/**
 * struct stack - A stack of CALL entries. Number 0 is the empty one.
 * @parent:	stack below the newest entry
 * @call:	micro-op of the newest entry
 * @depth:	entries
 */
struct stack {
	u32 parent;
	u32 call;
	u32 depth;
};

/**
 * struct flow - The analysis.
 * @p:		program
 * @ngraph:	micro-ops (only first ones of runs are used), pop nodes, break node
 * @nnodes:	@ngraph for each stack: node n of stack k is k * @ngraph + n
 * @stack:	stacks found
 * @nstacks:	their number
 * @max_stacks:	space for copies of the graph
 * @merged:	one copy for all stacks
 * @overflow:	there are more stacks than space, or a deeper one
 * @in:		facts at entry of a node
 * @seen:	bit per node: reached
 * @leader:	bit per micro-op: begins a run
 * @head:	first CALL, IF or LOOP by end address
 * @next:	the following one, by micro-op
 * @queued:	bit per node
 * @queue:	work list of nodes, a ring
 * @qhead:	index of the next node
 * @qlen:	entries
 * @unset:	slots and preds read before they are written
 * @written:	slots and preds written anywhere
 * @al_zero:	slots that LOOP may save before they are written
 * @emit_carries: EMIT depends on an earlier invocation
 * @record:	record reads
 */
struct flow {
	struct vs_prog *p;
	u32 ngraph;
	u32 nnodes;
	struct stack stack[MAX_STACKS];
	u32 nstacks;
	u32 max_stacks;
	bool merged;
	bool overflow;
	struct facts *in;
	u64 *seen;
	u64 *leader;
	u32 *head;
	u32 *next;
	u64 *queued;
	u32 *queue;
	u32 qhead;
	u32 qlen;
	struct facts unset;
	struct facts written;
	struct facts al_zero;
	bool emit_carries;
	bool record;
};

static u32 pop_node(const struct flow *f, u32 guest)
{
	return f->p->nuops + guest;
}

static u32 break_node(const struct flow *f)
{
	return f->p->nuops + f->p->nguest + 1;
}

static void read_fact(struct flow *f, const struct facts *s, u32 n)
{
	if (f->record && !vs_bit(s->w, n))
		vs_bit_set(f->unset.w, n);
}

static void write_fact(struct flow *f, struct facts *s, u32 n)
{
	vs_bit_set(s->w, n);
	if (f->record)
		vs_bit_set(f->written.w, n);
}

static void data_op(struct flow *f, struct facts *s, const struct vs_uop *u)
{
	enum vs_class class = vs_opinfo[u->op].class;
	const u16 *src[3] = { u->a, u->b, u->c };
	u32 i, k, n;

	if (u->op == VS_OP_NOP)
		return;
	for (k = 0; k < 3; k++) {
		if (u->flags & (VS_UOP_A_UNIF << k))
			continue;
		n = vs_src_comps(class, k, u->ncomp);
		for (i = 0; i < n; i++)
			read_fact(f, s, src[k][i]);
	}
	for (i = 0; i < u->ncomp; i++)
		write_fact(f, s, u->d[i] + (class == VS_CL_P2 ? FACT_PRED : 0));
}

/* Read all components of output registers that are written somewhere. */
static void read_outputs(struct flow *f, const struct facts *s)
{
	u32 r, c;

	for (r = 0; r < f->p->nout; r++) {
		for (c = 0; c < 4 && f->p->out_written >> r & 1; c++)
			read_fact(f, s, f->p->out_slot + 4 * r + c);
	}
}

static void prog_analyse_swap_banks(struct flow *f, struct facts *s)
{
	u32 i;

	if (!f->p->shadow_slot)
		return;
	for (i = 0; i < 4U * f->p->nout; i++) {
		u32 a = f->p->out_slot + i, b = f->p->shadow_slot + i;
		bool had = vs_bit(s->w, a);

		if (vs_bit(s->w, b))
			vs_bit_set(s->w, a);
		else
			vs_bit_clear(s->w, a);
		if (had)
			vs_bit_set(s->w, b);
		else
			vs_bit_clear(s->w, b);
	}
}

static void emit_op(struct flow *f, struct facts *s)
{
	u32 k, slot, latch = 16;

	read_outputs(f, s);
	for (k = 0; k < 16; k++) {
		if (vs_bit(s->w, FACT_LATCH + k))
			latch = k;
	}
	if (latch == 16) {
		/* Latched before this invocation, or not equal on all paths. */
		f->emit_carries |= f->record;
	} else {
		slot = latch & 3;
		vs_bit_set(s->w, FACT_FILLED + slot);
		for (k = 0; k < 3 && latch & 4; k++) {
			if (!vs_bit(s->w, FACT_FILLED + k))
				f->emit_carries |= f->record;
		}
	}
	prog_analyse_swap_banks(f, s);
}

static void setemit_op(struct facts *s, u32 imm)
{
	u32 k;

	for (k = 0; k < 16; k++)
		vs_bit_clear(s->w, FACT_LATCH + k);
	vs_bit_set(s->w, FACT_LATCH + imm);
}

static void control_op(struct flow *f, struct facts *s, const struct vs_uop *u)
{
	switch (u->op) {
	case VS_OP_END:
		read_outputs(f, s);
		break;
	case VS_OP_LOOP:
		if (f->record && !vs_bit(s->w, u->f.al))
			vs_bit_set(f->al_zero.w, u->f.al);
		write_fact(f, s, u->f.al);
		break;
	case VS_OP_SETEMIT:
		setemit_op(s, u->imm);
		break;
	case VS_OP_EMIT:
		emit_op(f, s);
		break;
	case VS_OP_BR:
	case VS_OP_CALL:
	case VS_OP_IF:
	case VS_OP_BREAK:
		if (u->f.cond != VS_COND_PREDS)
			break;
		if ((u->f.lut ^ u->f.lut >> 1) & 5)
			read_fact(f, s, FACT_PRED);
		if ((u->f.lut ^ u->f.lut >> 2) & 3)
			read_fact(f, s, FACT_PRED + 1);
		break;
	}
}

/* Facts @s reach node @n with stack @k: keep those that hold on all paths. */
static void reach(struct flow *f, u32 k, u32 n, const struct facts *s)
{
	bool first, change;
	u32 i;

	if (f->record)
		return;
	n += k * f->ngraph;
	first = !vs_bit(f->seen, n);
	change = first;
	for (i = 0; i < FACT_WORDS; i++) {
		u64 v = first ? s->w[i] : f->in[n].w[i] & s->w[i];

		change |= v != f->in[n].w[i];
		f->in[n].w[i] = v;
	}
	vs_bit_set(f->seen, n);
	if (!change || vs_bit(f->queued, n))
		return;
	vs_bit_set(f->queued, n);
	f->queue[(f->qhead + f->qlen++) % f->nnodes] = n;
}

/* Return: stack @k and an entry of the CALL micro-op @call. */
static u32 push_stack(struct flow *f, u32 k, u32 call)
{
	u32 i;

	if (f->merged)
		return 0;
	for (i = 1; i < f->nstacks; i++) {
		if (f->stack[i].parent == k && f->stack[i].call == call)
			return i;
	}
	if (f->nstacks == f->max_stacks || f->stack[k].depth == MAX_DEPTH) {
		f->overflow = true;
		return 0;
	}
	f->stack[i] = (struct stack){ .parent = k, .call = call, .depth = f->stack[k].depth + 1 };
	return f->nstacks++;
}

/* @u leads to @n with stack @k, before entries pop. */
static void prog_analyse_go(struct flow *f, const struct vs_uop *u, u32 k, u32 n,
			    const struct facts *s)
{
	u32 next = u->f.next;

	if (!(u->flags & VS_UOP_RINGS) || next > f->p->nguest) {
		reach(f, k, n, s);
		return;
	}
	/* Stack 0 is empty, or with one copy of the graph unknown. */
	while (k && f->p->uops[f->stack[k].call].f.end == next) {
		u32 resume = f->p->uops[f->stack[k].call].f.resume;

		/* BREAK leaves its loop whatever pops. */
		if (n != break_node(f))
			n = resume;
		next = f->p->guest_of_uop[resume];
		k = f->stack[k].parent;
	}
	reach(f, k, n, s);
	reach(f, k, pop_node(f, u->f.next), s);
}

static void leave_run(struct flow *f, u32 k, u32 n, const struct facts *s)
{
	const struct vs_uop *u = &f->p->uops[n];
	u32 use = vs_flow_use(u);

	if (u->op == VS_OP_END)
		return;
	if (use & VS_USE_TARGET)
		prog_analyse_go(f, u, u->op == VS_OP_CALL ? push_stack(f, k, n) : k, u->f.target,
				s);
	/* A CALL returns by a pop; if it is unconditional, the next word is not reached. */
	if (use & VS_USE_RESUME && !(u->op == VS_OP_CALL && u->f.cond == VS_COND_ALWAYS))
		prog_analyse_go(f, u, k, u->f.resume, s);
	if (u->op == VS_OP_BREAK)
		prog_analyse_go(f, u, k, break_node(f), s);
	if (u->op == VS_OP_CHECK || vs_opinfo[u->op].class == VS_CL_HP)
		prog_analyse_go(f, u, k, n + 1, s);
}

static void run_node(struct flow *f, u32 stack, u32 n)
{
	struct facts s = f->in[stack * f->ngraph + n];

	for (;; n++) {
		const struct vs_uop *u = &f->p->uops[n];

		if (vs_op_is_control(u->op)) {
			control_op(f, &s, u);
			leave_run(f, stack, n, &s);
			return;
		}
		data_op(f, &s, u);
		if (vs_bit(f->leader, n + 1)) {
			reach(f, stack, n + 1, &s);
			return;
		}
	}
}

/* Pop the entries that end at the node's address; those of CALL only if they are unknown. */
static void do_pop_node(struct flow *f, u32 k, u32 n)
{
	const struct facts *in = &f->in[k * f->ngraph + n];
	u32 i;

	for (i = f->head[n - f->p->nuops]; i != VS_NO_UOP; i = f->next[i]) {
		const struct vs_uop *u = &f->p->uops[i];

		if (u->op == VS_OP_CALL && !f->merged)
			continue;
		if (u->op != VS_OP_CALL)
			reach(f, k, u->f.other, in);
		if (u->op != VS_OP_IF)
			reach(f, k, u->f.resume, in);
		/* The return address may end another block. */
		if (u->op == VS_OP_CALL)
			reach(f, k, pop_node(f, f->p->guest_of_uop[u->f.resume]), in);
	}
}

static void do_break_node(struct flow *f, u32 k, u32 n)
{
	u32 i;

	for (i = 0; i < f->p->nuops; i++) {
		if (f->p->uops[i].op == VS_OP_LOOP)
			reach(f, k, f->p->uops[i].f.other, &f->in[k * f->ngraph + n]);
	}
}

static void do_node(struct flow *f, u32 node)
{
	u32 k = node / f->ngraph, n = node % f->ngraph;

	if (n < f->p->nuops)
		run_node(f, k, n);
	else if (n == break_node(f))
		do_break_node(f, k, n);
	else
		do_pop_node(f, k, n);
}

static void find_leaders(struct flow *f, u32 n)
{
	const struct vs_uop *u = &f->p->uops[n];
	u32 use = vs_flow_use(u);

	if (!vs_op_is_control(u->op))
		return;
	if (n + 1 < f->p->nuops)
		vs_bit_set(f->leader, n + 1);
	if (use & VS_USE_TARGET)
		vs_bit_set(f->leader, u->f.target);
	if (use & VS_USE_RESUME)
		vs_bit_set(f->leader, u->f.resume);
	if (use & VS_USE_OTHER)
		vs_bit_set(f->leader, u->f.other);
	if ((u->op == VS_OP_CALL || u->op == VS_OP_IF || u->op == VS_OP_LOOP) &&
	    u->f.end <= f->p->nguest) {
		f->next[n] = f->head[u->f.end];
		f->head[u->f.end] = n;
	}
}

static int flow_alloc(struct flow *f)
{
	u32 i, words;

	f->ngraph = break_node(f) + 1;
	f->max_stacks = f->merged ? 1 : clamp_t(u32, MAX_NODES / f->ngraph, 1, MAX_STACKS);
	f->nnodes = f->ngraph * f->max_stacks;
	f->nstacks = 1;
	words = DIV_ROUND_UP(f->nnodes, 64);
	f->in = vs_zalloc_array(f->nnodes, sizeof(*f->in));
	f->seen = vs_zalloc_array(words, sizeof(u64));
	f->leader = vs_zalloc_array(words, sizeof(u64));
	f->queued = vs_zalloc_array(words, sizeof(u64));
	f->head = vs_zalloc_array(f->p->nguest + 1, sizeof(u32));
	f->next = vs_zalloc_array(f->p->nuops, sizeof(u32));
	f->queue = vs_zalloc_array(f->nnodes, sizeof(u32));
	if (!f->in || !f->seen || !f->leader || !f->queued || !f->head || !f->next || !f->queue)
		return -ENOMEM;
	for (i = 0; i <= f->p->nguest; i++)
		f->head[i] = VS_NO_UOP;
	return 0;
}

static void flow_free(struct flow *f)
{
	vs_free(f->in);
	vs_free(f->seen);
	vs_free(f->leader);
	vs_free(f->queued);
	vs_free(f->head);
	vs_free(f->next);
	vs_free(f->queue);
	vs_free(f);
}

static void solve(struct flow *f)
{
	u32 n, count = 0;

	while (f->qlen && !f->overflow) {
		n = f->queue[f->qhead];
		f->qhead = (f->qhead + 1) % f->nnodes;
		f->qlen--;
		vs_bit_clear(f->queued, n);
		do_node(f, n);
		if (!(++count % 64))
			vs_cond_resched();
	}
	f->record = true;
	for (n = 0; n < f->nnodes && !f->overflow; n++) {
		if (vs_bit(f->seen, n))
			do_node(f, n);
	}
}

static void conclude(struct flow *f)
{
	struct vs_prog *p = f->p;
	u32 i;

	for (i = 0; p->shadow_slot && p->has_emit && i < 4U * p->nout; i++) {
		if (vs_bit(f->written.w, p->out_slot + i))
			vs_bit_set(f->written.w, p->shadow_slot + i);
	}
	p->carries = f->emit_carries;
	p->nzero = 0;
	for (i = 0; i < p->nslots; i++) {
		bool unset = vs_bit(f->unset.w, i), written = vs_bit(f->written.w, i);

		if (unset && written)
			p->carries = true;
		/* Slots that are never written keep their initial zeros. */
		if ((unset || vs_bit(f->al_zero.w, i)) && written)
			p->zero[p->nzero++] = i;
	}
	for (i = 0; i < VS_MAX_PREDS; i++) {
		if (vs_bit(f->unset.w, FACT_PRED + i) && vs_bit(f->written.w, FACT_PRED + i))
			p->carries = true;
	}
}

/* Record the uniforms that the program uses, and whether EMIT and indexed reads occur. */
static void survey(struct vs_prog *p)
{
	u32 i, k, n, words = p->nunif + p->nconst;

	for (i = 0; i < p->nuops; i++) {
		const struct vs_uop *u = &p->uops[i];
		const u16 *src[3] = { u->a, u->b, u->c };

		p->has_emit |= u->op == VS_OP_EMIT;
		p->uses_rows |= u->op == VS_OP_LDROW;
		if (vs_opinfo[u->op].class == VS_CL_FL && u->f.cond == VS_COND_BOOL)
			p->bools_used |= 1U << u->f.num;
		if (vs_op_is_control(u->op))
			continue;
		for (k = 0; k < 3; k++) {
			if (!(u->flags & (VS_UOP_A_UNIF << k)))
				continue;
			n = vs_src_comps(vs_opinfo[u->op].class, k, u->ncomp);
			while (n--)
				vs_bit_set(p->unif_used, src[k][n] % words);
		}
	}
}

/* Analyse; with @merged, one copy of the graph serves all stacks. Return: -EAGAIN too many. */
static int analyse(struct vs_prog *p, const u32 *entries, u32 nentries, bool merged)
{
	struct flow *f = vs_zalloc(sizeof(*f));
	struct facts start = { };
	u32 i;
	int ret;

	if (!f)
		return -ENOMEM;
	f->p = p;
	f->merged = merged;
	ret = flow_alloc(f);
	if (ret)
		goto out;
	for (i = 0; i < p->nuops; i++)
		find_leaders(f, i);
	for (i = 0; i < 4U * p->nin; i++)
		vs_bit_set(start.w, p->in_slot + i);
	for (i = 0; i < nentries; i++)
		vs_bit_set(f->leader, p->uop_of_guest[entries[i]]);
	for (i = 0; i < nentries; i++)
		reach(f, 0, p->uop_of_guest[entries[i]], &start);
	solve(f);
	if (f->overflow)
		ret = -EAGAIN;
	else
		conclude(f);
out:
	flow_free(f);
	return ret;
}

/**
 * vs_prog_analyse - compute the slots to zero, and whether state is carried
 * @p: verified program
 * @entries: guest words where execution may start
 * @nentries: number of @entries
 *
 * Return: 0, -ENOMEM, -EINVAL if an entry has no micro-ops.
 */
int vs_prog_analyse(struct vs_prog *p, const u32 *entries, u32 nentries)
{
	u32 i;
	int ret;

	for (i = 0; i < nentries; i++) {
		if (entries[i] > p->nguest || p->uop_of_guest[entries[i]] == VS_NO_UOP)
			return -EINVAL;
	}
	survey(p);
	ret = analyse(p, entries, nentries, !p->has_emit);
	return ret == -EAGAIN ? analyse(p, entries, nentries, true) : ret;
}
