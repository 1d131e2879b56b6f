// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of the streaming engine under a debugger: one worker executes block after block on
 * the exact portable executor, whose results equal those of all others.
 */
#include "vs_debug.h"
#include "vs_intern.h"
#include "vs_post.h"

/**
 * struct vs_debug_block - A launch under a debugger.
 * @dbg:	debugger
 * @job:	job with the launch as its only phase
 * @w:		worker
 * @begun:	the launch has begun
 * @failed:	the launch has faulted
 */
struct vs_debug_block {
	struct vs_debug *dbg;
	struct vs_job *job;
	struct vs_worker *w;
	bool begun;
	bool failed;
};

static struct vs_worker *worker_of(void *arg)
{
	return ((struct vs_debug_block *)arg)->w;
}

/* ---- location of invocations ---- */

static u64 group_lanes(const struct vs_worker *w, u32 i)
{
	return w->group[i].mask & w->live;
}

static u32 guest_pc(const struct vs_worker *w, u32 i)
{
	return w->ph->l.prog->guest_of_uop[w->group[i].pc];
}

static void group(void *arg, struct vs_debug_group *g)
{
	struct vs_worker *w = worker_of(arg);
	u64 lanes = w->ngroups ? group_lanes(w, w->cur) : 0;

	*g = (struct vs_debug_group){
		.invocation = w->inv0 + (lanes ? __ffs64(lanes) : 0),
		.lanes = lanes,
		.active = hweight64(lanes),
		.group = w->cur,
	};
}

static u64 find(void *arg, u64 first, u64 last)
{
	struct vs_worker *w = worker_of(arg);
	u64 left;

	for (left = group_lanes(w, w->cur); left; left &= left - 1) {
		u64 inv = w->inv0 + __ffs64(left);

		if (inv >= first && inv <= last)
			return inv;
	}
	return VS_DEBUG_NOBODY;
}

/* Group of an invocation; @ngroups if it is not being executed. */
static u32 group_of(const struct vs_worker *w, u64 inv)
{
	u32 i = w->ngroups;

	if (!w->running || inv < w->inv0 || inv - w->inv0 >= w->nlive)
		return w->ngroups;
	for (i = 0; i < w->ngroups; i++) {
		if (w->group[i].mask >> (inv - w->inv0) & 1)
			break;
	}
	return i;
}

static bool alive(void *arg, u64 inv)
{
	struct vs_worker *w = worker_of(arg);

	return group_of(w, inv) < w->ngroups;
}

static u32 depth(void *arg, u64 inv)
{
	struct vs_worker *w = worker_of(arg);
	u32 i = group_of(w, inv);

	return i < w->ngroups ? w->group[i].ncall : 0;
}

static u32 list(void *arg, struct vs_debug_inv *out, u32 max)
{
	struct vs_worker *w = worker_of(arg);
	u32 i, n = 0;
	u64 left;

	for (i = 0; w->running && i < w->ngroups; i++) {
		for (left = group_lanes(w, i); left; left &= left - 1, n++) {
			if (n >= max)
				continue;
			out[n] = (struct vs_debug_inv){
				.invocation = w->inv0 + __ffs64(left),
				.pc = guest_pc(w, i),
				.state = i == w->cur ? VS_DEBUG_INV_CURRENT : VS_DEBUG_INV_READY,
				.group = i,
				.lane = __ffs64(left),
				.depth = w->group[i].ncall,
			};
		}
	}
	return n;
}

/* ---- registers ---- */

static u32 access_slot(struct vs_worker *w, const struct vs_reg *r, u32 comp, u32 lane, u32 val,
		       bool write)
{
	u32 *slot = &w->b.slot[r->slot[comp]][lane];
	u64 *pred;

	if (r->type == 2) {
		pred = &w->b.pred[r->slot[comp]];
		if (write)
			*pred = val ? *pred | BIT_ULL(lane) : *pred & ~BIT_ULL(lane);
		return *pred >> lane & 1;
	}
	if (write && r->type == 0 && w->ph->l.fp != VS_FP_F32)
		val = vs_f24_load(val, w->ph->l.fp == VS_FP_F24N);
	if (write)
		*slot = val;
	return *slot;
}

static int access_uniform(const struct vs_worker *w, u32 row, u32 *val)
{
	u32 c;

	for (c = 0; c < 4; c++) {
		u32 word = 4 * row + c;

		val[c] = word < w->ph->l.prog->nunif ? w->b.unif[word] : 0;
	}
	return 0;
}

/* Register numbers are indices into the program's table. */
static int access_reg(void *arg, u64 inv, u32 reg, u32 *val, bool write)
{
	struct vs_worker *w = worker_of(arg);
	const struct vs_prog *p = w->ph->l.prog;
	u32 c;

	if (!alive(arg, inv))
		return -ENOENT;
	if (reg >= VS_DEBUG_BLOCK_LOOP) {
		if (write)
			return -EACCES;
		vs_debug_const(reg, w->ph->l.loops, w->bools, val);
		return 0;
	}
	if (reg >= VS_DEBUG_BLOCK_UNIF)
		return write ? -EACCES : access_uniform(w, reg - VS_DEBUG_BLOCK_UNIF, val);
	if (reg >= p->nregs)
		return -ENOENT;
	for (c = 0; c < p->regs[reg].ncomp; c++)
		val[c] = access_slot(w, &p->regs[reg], c, inv - w->inv0, val[c], write);
	return 0;
}

static const struct vs_debug_ops ops = {
	.group = group,
	.find = find,
	.alive = alive,
	.depth = depth,
	.list = list,
	.reg = access_reg,
};

/* ---- running ---- */

static enum vs_run fail(struct vs_debug_block *b, struct vs_job *job)
{
	b->failed = true;
	if (vs_debug_fault(b->dbg, &b->w->fault))
		return VS_RUN_STOP;
	vs_debug_machine(b->dbg, NULL, NULL, NULL, 0);
	vs_job_fault(job, &b->w->fault);
	return VS_RUN_IDLE;
}

/* Return: the hooks have raised no fault; they do so in the launch's own job. */
static bool hooks_fine(struct vs_worker *w)
{
	if (!vs_job_is_ending(w->job))
		return true;
	w->fault = *vs_job_get_fault(w->job);
	return false;
}

static bool finish_block(struct vs_worker *w)
{
	if (!vs_stream_store(w) || (w->ph->l.flags & VS_LAUNCH_EMIT && !vs_emit_finish(w)))
		return false;
	if (w->ph->l.ops) {
		vs_serial_after(w);
		if (!hooks_fine(w))
			return false;
	}
	w->running = false;
	w->invocations += w->nlive;
	w->block++;
	return true;
}

/* Begin the next block that its hook does not skip. */
static enum vs_run begin(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;

	if (w->block == w->ph->nblocks)
		return VS_RUN_IDLE;
	if (w->ph->l.ops && !vs_serial_before(w)) {
		w->block++;
		return hooks_fine(w) ? VS_RUN_MORE : fail(b, job);
	}
	/* the debugger shows registers that the program does not read, too */
	if (!w->ph->serial)
		memset(w->b.slot, 0, w->ph->l.prog->nslots * sizeof(w->b.slot[0]));
	return vs_block_begin(w) ? VS_RUN_MORE : fail(b, job);
}

/* Execute one instruction of a group, or begin a block. VS_RUN_IDLE: nothing is left. */
static enum vs_run step(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;
	enum vs_blk r;

	if (!w->running)
		return begin(b, job);
	if (vs_debug_at(b->dbg, guest_pc(w, w->cur)))
		return VS_RUN_STOP;
	r = vs_flow_step(w);
	if (r == VS_BLK_FAULT || (r == VS_BLK_DONE && !finish_block(w)))
		return fail(b, job);
	return VS_RUN_MORE;
}

static enum vs_run run(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;
	enum vs_run r;

	do {
		r = step(b, job);
	} while (r == VS_RUN_MORE && w->left > 0 && w->used <= w->room &&
		 !vs_job_is_ending(job) && !vs_should_yield());
	if (r == VS_RUN_MORE && w->used > w->room) {
		vs_flow_fault(w, VS_FAULT_BUDGET, w->running ? w->group[w->cur].mask : 0);
		return fail(b, job);
	}
	return r;
}

/* Copy the state of KEEP launches from the job; a launch works on its own copy. */
static void load_kept(struct vs_debug_block *b, const struct vs_job *job)
{
	if (!(b->w->ph->l.flags & VS_LAUNCH_KEEP))
		return;
	*b->job->keep = *job->keep;
	vs_serial_load(b->w);
}

static void save_kept(struct vs_debug_block *b, struct vs_job *job)
{
	if (!(b->w->ph->l.flags & VS_LAUNCH_KEEP))
		return;
	vs_serial_save(b->w);
	*job->keep = *b->job->keep;
}

static enum vs_run phase(struct vs_job *job, void *arg)
{
	struct vs_debug_block *b = arg;
	struct vs_worker *w = b->w;
	u64 used = vs_job_weight(job);
	enum vs_run r;

	if (b->failed)
		return fail(b, job);
	if (!b->begun) {
		vs_block_prepare(b->job, &b->job->phases[0]);
		vs_block_attach(w, b->job, 0);
		/* launches of a job share the worker */
		w->block = 0;
		load_kept(b, job);
		vs_debug_machine(b->dbg, &ops, b, job->map, 0);
		vs_job_set_post(job, &ops, b, 0, true);
		b->begun = true;
	}
	w->left = job->lim.slice;
	w->room = job->lim.budget > used ? min_t(u64, job->lim.budget - used, S64_MAX) : 0;
	w->used = 0;
	w->invocations = 0;
	r = run(b, job);
	vs_job_account(job, w->used, w->invocations);
	if (r == VS_RUN_IDLE && !b->failed) {
		save_kept(b, job);
		vs_debug_machine(b->dbg, NULL, NULL, NULL, 0);
		vs_job_set_post(job, NULL, NULL, 0, false);
	}
	return r;
}

/* ---- creation ---- */

int vs_debug_block_add(struct vs_job *job, const struct vs_launch *l, struct vs_debug_block **out)
{
	struct vs_job_limits lim = { .budget = job->lim.budget, .simd = VS_SIMD_PORTABLE,
				     .slice = job->lim.slice };
	struct vs_debug_block *b;
	int ret = -ENOMEM;

	b = vs_zalloc(sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->dbg = job->lim.dbg;
	b->job = vs_job_new(job->map, &lim, 1);
	/* launches of a job follow each other */
	if (!job->dbg_worker)
		job->dbg_worker = vs_worker_new(0);
	b->w = job->dbg_worker;
	if (b->job && b->w) {
		vs_job_set_draw(b->job, job->draw);
		ret = vs_job_add_launch(b->job, l);
	}
	if (!ret && l->flags & VS_LAUNCH_KEEP)
		ret = vs_serial_new(job);
	if (!ret)
		ret = vs_job_add_fn(job, phase, b);
	if (ret)
		vs_debug_block_free(b);
	else
		*out = b;
	return ret;
}

void vs_debug_block_free(struct vs_debug_block *b)
{
	if (!b)
		return;
	vs_job_free(b->job);
	vs_free(b);
}
