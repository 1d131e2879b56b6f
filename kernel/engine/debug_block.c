// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of the streaming engine under a debugger: one worker executes block after block on
 * the exact portable executor, whose results equal those of all others.
 */
#include "vs_debug.h"
#include "vs_intern.h"
#include "vs_opinfo.h"
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

static u64 debug_block_group_lanes(const struct vs_worker *w, u32 i)
{
	return w->group[i].mask & w->live;
}

static u32 guest_pc(const struct vs_worker *w, u32 i)
{
	return w->ph->l.prog->guest_of_uop[w->group[i].pc];
}

static void debug_block_group(void *arg, struct vs_debug_group *g)
{
	struct vs_worker *w = worker_of(arg);
	u64 lanes = w->ngroups ? debug_block_group_lanes(w, w->cur) : 0;

	*g = (struct vs_debug_group){
		.invocation = w->inv0 + (lanes ? __ffs64(lanes) : 0),
		.lanes = lanes,
		.active = hweight64(lanes),
		.group = w->cur,
	};
}

static u64 debug_block_find(void *arg, u64 first, u64 last)
{
	struct vs_worker *w = worker_of(arg);
	u64 left;

	for (left = debug_block_group_lanes(w, w->cur); left; left &= left - 1) {
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

static bool debug_block_alive(void *arg, u64 inv)
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

static u32 debug_block_list(void *arg, struct vs_debug_inv *out, u32 max)
{
	struct vs_worker *w = worker_of(arg);
	u32 i, n = 0;
	u64 left;

	for (i = 0; w->running && i < w->ngroups; i++) {
		for (left = debug_block_group_lanes(w, i); left; left &= left - 1, n++) {
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

static u32 debug_block_access_slot(struct vs_worker *w, const struct vs_reg *r, u32 comp, u32 lane,
				   u32 val, bool write)
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

static int debug_block_access_uniform(const struct vs_worker *w, u32 row, u32 *val)
{
	u32 c;

	for (c = 0; c < 4; c++) {
		u32 word = 4 * row + c;

		val[c] = word < w->ph->l.prog->nunif ? w->b.unif[word] : 0;
	}
	return 0;
}

/* Register numbers are indices into the program's table. */
static int debug_block_access_reg(void *arg, u64 inv, u32 reg, u32 *val, bool write)
{
	struct vs_worker *w = worker_of(arg);
	const struct vs_prog *p = w->ph->l.prog;
	u32 c;

	if (!debug_block_alive(arg, inv))
		return -ENOENT;
	if (reg >= VS_DEBUG_BLOCK_LOOP) {
		if (write)
			return -EACCES;
		vs_debug_const(reg, w->ph->l.loops, w->bools, val);
		return 0;
	}
	if (reg >= VS_DEBUG_BLOCK_UNIF)
		return write ? -EACCES :
		       debug_block_access_uniform(w, reg - VS_DEBUG_BLOCK_UNIF, val);
	if (reg >= p->nregs)
		return -ENOENT;
	for (c = 0; c < p->regs[reg].ncomp; c++)
		val[c] = debug_block_access_slot(w, &p->regs[reg], c, inv - w->inv0, val[c], write);
	return 0;
}

static const struct vs_debug_ops ops = {
	.group = debug_block_group,
	.find = debug_block_find,
	.alive = debug_block_alive,
	.depth = depth,
	.list = debug_block_list,
	.reg = debug_block_access_reg,
};

/* ---- NaNs and infinities ---- */

static bool debug_block_is_special(u32 bits)
{
	return (bits & 0x7f800000) == 0x7f800000;
}

/* Can the result be a NaN or an infinity that no operand is? */
static bool calculates(u32 op)
{
	switch (op) {
	case VS_OP_ADD:
	case VS_OP_SUB:
	case VS_OP_MUL:
	case VS_OP_MAD:
	case VS_OP_DP3:
	case VS_OP_DP4:
	case VS_OP_DPH:
	case VS_OP_RCP:
	case VS_OP_RSQ:
	case VS_OP_EX2:
	case VS_OP_LG2:
		return true;
	default:
		return false;
	}
}

/* Lanes of @mask in which one of @n slots, or uniform words, is a NaN or an infinity. */
static u64 debug_block_special_lanes(const struct vs_worker *w, const u16 *slots, u32 n, bool unif,
				     u64 mask)
{
	u64 lanes = 0, left;
	u32 i;

	for (i = 0; i < n; i++) {
		if (unif) {
			lanes |= debug_block_is_special(w->b.unif[slots[i]]) ? mask : 0;
			continue;
		}
		for (left = mask; left; left &= left - 1) {
			if (debug_block_is_special(w->b.slot[slots[i]][__ffs64(left)]))
				lanes |= left & -left;
		}
	}
	return lanes;
}

static u64 special_operands(const struct vs_worker *w, const struct vs_uop *u, u64 mask)
{
	const enum vs_class class = (enum vs_class)vs_opinfo[u->op].class;

	return debug_block_special_lanes(w, u->a, vs_src_comps(class, 0, u->ncomp),
					 u->flags & VS_UOP_A_UNIF, mask) |
	       debug_block_special_lanes(w, u->b, vs_src_comps(class, 1, u->ncomp),
					 u->flags & VS_UOP_B_UNIF, mask) |
	       debug_block_special_lanes(w, u->c, vs_src_comps(class, 2, u->ncomp),
					 u->flags & VS_UOP_C_UNIF, mask);
}

/**
 * struct floats - Floats of an instruction, as masks of lanes.
 * @mask:	lanes that execute it
 * @pc:		instruction
 * @first:	its first micro-op
 * @end:	the micro-op after its last one without control flow
 * @given:	an operand is a NaN or an infinity
 */
struct floats {
	u64 mask;
	u32 pc;
	u32 first;
	u32 end;
	u64 given;
};

static void debug_block_before(const struct vs_worker *w, struct floats *f)
{
	const struct vs_uop *uops = w->ph->l.prog->uops;
	u32 i = w->group[w->cur].pc;

	*f = (struct floats){ .mask = debug_block_group_lanes(w, w->cur),
			      .pc = guest_pc(w, w->cur) };
	i += uops[i].op == VS_OP_CHECK;
	f->first = i;
	while (!vs_op_is_control(uops[i].op) && (i == f->first || !(uops[i].flags & VS_UOP_FIRST)))
		i++;
	f->end = i;
	for (i = f->first; i < f->end; i++) {
		if (calculates(uops[i].op))
			f->given |= special_operands(w, &uops[i], f->mask);
	}
}

static void debug_block_after(struct vs_debug *dbg, const struct vs_worker *w,
			      const struct floats *f)
{
	u64 made = 0;
	u32 i;

	for (i = f->first; i < f->end; i++) {
		const struct vs_uop *u = &w->ph->l.prog->uops[i];

		if (calculates(u->op))
			made |= debug_block_special_lanes(w, u->d, u->ncomp, false,
							  f->mask & ~f->given);
	}
	for (; made; made &= made - 1)
		vs_debug_produced(dbg, w->inv0 + __ffs64(made), f->pc);
}

/* ---- running ---- */

static enum vs_run debug_block_fail(struct vs_debug_block *b, struct vs_job *job)
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
static enum vs_run debug_block_begin(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;

	if (w->block == w->ph->nblocks)
		return VS_RUN_IDLE;
	if (w->ph->l.ops && vs_serial_busy(w))
		return hooks_fine(w) ? VS_RUN_MORE : debug_block_fail(b, job);
	if (w->ph->l.ops && !vs_serial_before(w)) {
		w->block++;
		return hooks_fine(w) ? VS_RUN_MORE : debug_block_fail(b, job);
	}
	/* the debugger shows registers that the program does not read, too */
	if (!w->ph->serial)
		memset(w->b.slot, 0, w->ph->l.prog->nslots * sizeof(w->b.slot[0]));
	return vs_block_begin(w) ? VS_RUN_MORE : debug_block_fail(b, job);
}

/* Execute one instruction of a group, or begin a block. VS_RUN_IDLE: nothing is left. */
static enum vs_run debug_block_step(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;
	bool checks = vs_debug_checks(b->dbg);
	struct floats f;
	enum vs_blk r;

	if (!w->running)
		return debug_block_begin(b, job);
	if (vs_debug_at(b->dbg, guest_pc(w, w->cur), 0))
		return VS_RUN_STOP;
	if (checks)
		debug_block_before(w, &f);
	r = vs_flow_step(w);
	if (checks)
		debug_block_after(b->dbg, w, &f);
	if (r == VS_BLK_FAULT || (r == VS_BLK_DONE && !finish_block(w)))
		return debug_block_fail(b, job);
	return VS_RUN_MORE;
}

static enum vs_run debug_block_run(struct vs_debug_block *b, struct vs_job *job)
{
	struct vs_worker *w = b->w;
	enum vs_run r;

	do {
		r = debug_block_step(b, job);
	} while (r == VS_RUN_MORE && w->left > 0 && w->used <= w->room &&
		 !vs_job_is_ending(job) && !vs_should_yield());
	if (r == VS_RUN_MORE && w->used > w->room) {
		vs_flow_fault(w, VS_FAULT_BUDGET, w->running ? w->group[w->cur].mask : 0);
		return debug_block_fail(b, job);
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

static enum vs_run debug_block_phase(struct vs_job *job, void *arg)
{
	struct vs_debug_block *b = arg;
	struct vs_worker *w = b->w;
	u64 used = vs_job_weight(job);
	enum vs_run r;

	if (b->failed)
		return debug_block_fail(b, job);
	if (!b->begun) {
		vs_block_prepare(b->job, &b->job->phases[0]);
		vs_block_attach(w, b->job, 0);
		/* launches of a job share the worker */
		w->block = 0;
		load_kept(b, job);
		vs_debug_machine(b->dbg, &ops, b, job->map, w->ph->l.code_va);
		vs_job_set_post(job, &ops, b, w->ph->l.code_va, true);
		b->begun = true;
	}
	w->left = job->lim.slice;
	w->room = job->lim.budget > used ? min_t(u64, job->lim.budget - used, S64_MAX) : 0;
	w->used = 0;
	w->invocations = 0;
	r = debug_block_run(b, job);
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
		ret = vs_job_add_fn(job, debug_block_phase, b);
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
