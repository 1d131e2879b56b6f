// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Debug hooks: one block under control, always by the exact portable executor, whose
 * results are those of all others.
 */
#include "vs_debug.h"
#include "vs_intern.h"

/**
 * struct vs_debug - A block under the debugger.
 * @job:	job with one phase
 * @w:		worker
 * @trace:	called before every instruction, or NULL
 * @arg:	its argument
 * @state:	how the last run ended
 * @ended:	the block is done or has a fault
 * @resume:	stopped at a breakpoint that is to be passed
 */
struct vs_debug {
	struct vs_job *job;
	struct vs_worker *w;
	vs_trace_fn trace;
	void *arg;
	enum vs_debug_stop state;
	bool ended;
	bool resume;
};

static void *copy_of(const void *src, size_t n, size_t size)
{
	void *p = vs_zalloc_array(n + 1, size);

	if (p && n)
		memcpy(p, src, n * size);
	return p;
}

struct vs_prog *vs_debug_clone(const struct vs_prog *p)
{
	struct vs_prog *c = copy_of(p, 1, sizeof(*p));
	u32 words = DIV_ROUND_UP(p->nunif + p->nconst, 64) + 1;

	if (!c)
		return NULL;
	c->orig = copy_of(p->orig ? p->orig : p->uops, p->nuops, sizeof(*p->uops));
	c->uops = copy_of(p->uops, p->nuops, sizeof(*p->uops));
	c->uop_of_guest = copy_of(p->uop_of_guest, p->nguest + 1, sizeof(*p->uop_of_guest));
	c->guest_of_uop = copy_of(p->guest_of_uop, p->nuops, sizeof(*p->guest_of_uop));
	c->consts = copy_of(p->consts, p->nconst, sizeof(*p->consts));
	c->zero = copy_of(p->zero, p->nzero, sizeof(*p->zero));
	c->regs = copy_of(p->regs, p->nregs, sizeof(*p->regs));
	c->wsum = copy_of(p->wsum, p->nuops + 1, sizeof(*p->wsum));
	c->unif_used = copy_of(p->unif_used, words, sizeof(*p->unif_used));
	if (!c->orig || !c->uops || !c->uop_of_guest || !c->guest_of_uop || !c->consts ||
	    !c->zero || !c->regs || !c->wsum || !c->unif_used) {
		vs_prog_free(c);
		return NULL;
	}
	return c;
}

static struct vs_uop *guest_uop(struct vs_prog *p, u32 guest)
{
	u32 n = guest <= p->nguest ? p->uop_of_guest[guest] : VS_NO_UOP;

	return n == VS_NO_UOP || !p->orig ? NULL : &p->uops[n];
}

int vs_debug_break_set(struct vs_prog *p, u32 guest)
{
	struct vs_uop *u = guest_uop(p, guest);

	if (!u)
		return -ENOENT;
	if (u->op == VS_OP_BPT)
		return -EEXIST;
	u->op = VS_OP_BPT;
	u->handler = VS_H_CONTROL;
	return 0;
}

int vs_debug_break_clear(struct vs_prog *p, u32 guest)
{
	struct vs_uop *u = guest_uop(p, guest);

	if (!u || u->op != VS_OP_BPT)
		return -ENOENT;
	*u = p->orig[u - p->uops];
	return 0;
}

/**
 * vs_debug_new - a block under the debugger
 * @map: address translation
 * @lim: bounds; the executor is the portable one whatever this says
 * @l: launch; its program is a vs_debug_clone() if there are to be breakpoints
 * @block: number of the block
 *
 * Return: the debugger, or NULL without memory or such a block.
 */
struct vs_debug *vs_debug_new(const struct vs_map *map, const struct vs_job_limits *lim,
			      const struct vs_launch *l, u32 block)
{
	struct vs_debug *d = vs_zalloc(sizeof(*d));
	struct vs_job_limits portable = *lim;

	if (!d)
		return NULL;
	portable.simd = VS_SIMD_PORTABLE;
	d->job = vs_job_new(map, &portable, 1);
	d->w = vs_worker_new(0);
	if (!d->job || !d->w || vs_job_add_launch(d->job, l) ||
	    block >= d->job->phases[0].nblocks) {
		vs_debug_free(d);
		return NULL;
	}
	vs_block_prepare(d->job, &d->job->phases[0]);
	vs_block_attach(d->w, d->job, 0);
	d->w->block = block;
	d->w->left = S64_MAX;
	d->w->room = min_t(u64, lim->budget, S64_MAX);
	d->ended = !vs_block_begin(d->w);
	d->state = d->ended ? VS_STOP_FAULT : VS_STOP_STEP;
	return d;
}

/**
 * vs_debug_free - end debugging
 * @d: debugger, or NULL
 */
void vs_debug_free(struct vs_debug *d)
{
	if (!d)
		return;
	vs_job_free(d->job);
	vs_worker_free(d->w);
	vs_free(d);
}

/**
 * vs_debug_set_trace - be told of every instruction
 * @d: debugger
 * @fn: function, or NULL
 * @arg: its argument
 */
void vs_debug_set_trace(struct vs_debug *d, vs_trace_fn fn, void *arg)
{
	d->trace = fn;
	d->arg = arg;
}

static bool at_break(const struct vs_debug *d)
{
	const struct vs_worker *w = d->w;

	return w->ph->l.prog->uops[w->group[w->cur].pc].op == VS_OP_BPT;
}

static enum vs_debug_stop ended(struct vs_debug *d, enum vs_debug_stop state)
{
	d->ended = true;
	d->state = state;
	return state;
}

static enum vs_debug_stop finish(struct vs_debug *d)
{
	struct vs_worker *w = d->w;

	if (!vs_stream_store(w) ||
	    (w->ph->l.flags & VS_LAUNCH_EMIT && !vs_emit_finish(w)))
		return ended(d, VS_STOP_FAULT);
	return ended(d, VS_STOP_DONE);
}

static enum vs_debug_stop step_one(struct vs_debug *d)
{
	struct vs_worker *w = d->w;
	enum vs_blk r;

	if (w->used > w->room) {
		vs_flow_fault(w, VS_FAULT_BUDGET, w->group[w->cur].mask);
		return ended(d, VS_STOP_BUDGET);
	}
	if (d->trace)
		d->trace(d->arg, w->ph->l.prog->guest_of_uop[w->group[w->cur].pc],
			 w->group[w->cur].mask & w->live);
	r = vs_flow_step(w);
	w->left = S64_MAX;
	if (r == VS_BLK_DONE)
		return finish(d);
	if (r == VS_BLK_FAULT)
		return ended(d, VS_STOP_FAULT);
	d->state = VS_STOP_STEP;
	return VS_STOP_STEP;
}

enum vs_debug_stop vs_debug_continue(struct vs_debug *d)
{
	enum vs_debug_stop r;

	while (!d->ended) {
		if (at_break(d) && !d->resume) {
			d->resume = true;
			d->state = VS_STOP_BREAK;
			return VS_STOP_BREAK;
		}
		d->resume = false;
		r = step_one(d);
		if (r != VS_STOP_STEP)
			return r;
	}
	return d->state;
}

enum vs_debug_stop vs_debug_step(struct vs_debug *d)
{
	if (d->ended)
		return d->state;
	d->resume = false;
	return step_one(d);
}

u32 vs_debug_pc(const struct vs_debug *d, u64 *mask)
{
	const struct vs_group *g = &d->w->group[d->w->cur];

	if (!d->w->ngroups) {
		*mask = 0;
		return ~0U;
	}
	*mask = g->mask & d->w->live;
	return d->w->ph->l.prog->guest_of_uop[g->pc];
}

u32 vs_debug_lane_pc(const struct vs_debug *d, u32 lane)
{
	const struct vs_worker *w = d->w;
	u32 i;

	for (i = 0; i < w->ngroups && lane < w->nlive; i++) {
		if (w->group[i].mask >> lane & 1)
			return w->ph->l.prog->guest_of_uop[w->group[i].pc];
	}
	return ~0U;
}

static const struct vs_reg *find_reg(const struct vs_debug *d, const char *name, u32 comp,
				     u32 lane)
{
	const struct vs_prog *p = d->w->ph->l.prog;
	u32 i;

	for (i = 0; i < p->nregs; i++) {
		if (!strncmp(p->regs[i].name, name, sizeof(p->regs[i].name)))
			return comp < p->regs[i].ncomp && lane < VS_LANES ? &p->regs[i] : NULL;
	}
	return NULL;
}

/**
 * vs_debug_reg_read - read a register
 * @d: debugger
 * @reg: name
 * @comp: component
 * @lane: lane
 * @val: its value
 *
 * Return: 0 or -ENOENT.
 */
int vs_debug_reg_read(const struct vs_debug *d, const char *reg, u32 comp, u32 lane, u32 *val)
{
	const struct vs_reg *r = find_reg(d, reg, comp, lane);

	if (!r)
		return -ENOENT;
	*val = r->type == 2 ? d->w->b.pred[r->slot[comp]] >> lane & 1 :
	       d->w->b.slot[r->slot[comp]][lane];
	return 0;
}

/**
 * vs_debug_reg_write - write a register
 * @d: debugger
 * @reg: name
 * @comp: component
 * @lane: lane
 * @val: value; floats are brought into the numeric model's format
 *
 * Return: 0 or -ENOENT.
 */
int vs_debug_reg_write(struct vs_debug *d, const char *reg, u32 comp, u32 lane, u32 val)
{
	const struct vs_reg *r = find_reg(d, reg, comp, lane);
	u32 fp = d->w->ph->l.fp;
	u64 *pred;

	if (!r)
		return -ENOENT;
	if (r->type == 2) {
		pred = &d->w->b.pred[r->slot[comp]];
		*pred = val ? *pred | BIT_ULL(lane) : *pred & ~BIT_ULL(lane);
		return 0;
	}
	if (r->type == 0 && fp != VS_FP_F32)
		val = vs_f24_load(val, fp == VS_FP_F24N);
	d->w->b.slot[r->slot[comp]][lane] = val;
	return 0;
}

/**
 * vs_debug_fault - the fault that stopped the block
 * @d: debugger
 *
 * Return: fault record; kind VS_FAULT_NONE if there was none.
 */
const struct vs_fault *vs_debug_fault(const struct vs_debug *d)
{
	return &d->w->fault;
}
