// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Post-mortem state of a job that ended with a fault.
 *
 * Machines that belong to a job stay unchanged. Blocks of the streaming engine are in workers,
 * which continue with other jobs: each worker has a buffer for the registers of one block. A
 * job that ends takes it, and returns it when the job is freed; a job that faults meanwhile
 * has no registers to show.
 */
#include "vs_intern.h"
#include "vs_post.h"

#define MAX_COMPS	4

/**
 * struct vs_snap - Registers of a block.
 * @users:	references: the worker, and the job that has taken the buffer
 * @inv0:	first invocation
 * @live:	lanes that are invocations and have not ended
 * @now:	lanes that execute
 * @pc:		next instruction of each lane
 * @depth:	call depth of each lane
 * @group:	group of each lane: lanes with equal numbers execute together
 * @ncomp:	components of each register
 * @nregs:	number of registers
 * @unif:	uniforms, owned by the job
 * @nunif:	number of uniform words
 * @loops:	loop descriptors
 * @bools:	boolean uniforms
 * @val:	values
 */
struct vs_snap {
	vs_atomic users;
	u64 inv0;
	u64 live;
	u64 now;
	u32 pc[VS_LANES];
	u8 depth[VS_LANES];
	u8 group[VS_LANES];
	u8 ncomp[VS_DEBUG_BLOCK_UNIF];
	u32 nregs;
	const u32 *unif;
	u32 nunif;
	struct vs_loop loops[4];
	u32 bools;
	u32 val[VS_DEBUG_BLOCK_UNIF][MAX_COMPS][VS_LANES];
};

struct vs_snap *vs_snap_new(void)
{
	struct vs_snap *s = vs_zalloc(sizeof(*s));

	if (s)
		vs_atomic_set(&s->users, 1);
	return s;
}

void vs_snap_put(struct vs_snap *s)
{
	if (s && vs_atomic_fetch_add(&s->users, -1ULL) == 1)
		vs_free(s);
}

/* ---- reading ---- */

static u32 post_list(void *arg, struct vs_debug_inv *out, u32 max)
{
	struct vs_snap *s = arg;
	u64 left;
	u32 n = 0;

	for (left = s->live; left; left &= left - 1, n++) {
		u32 lane = __ffs64(left);

		if (n >= max)
			continue;
		out[n] = (struct vs_debug_inv){
			.invocation = s->inv0 + lane,
			.pc = s->pc[lane],
			.state = s->now >> lane & 1 ? VS_DEBUG_INV_CURRENT : VS_DEBUG_INV_READY,
			.group = s->group[lane],
			.lane = lane,
			.depth = s->depth[lane],
		};
	}
	return n;
}

static int read_uniform(const struct vs_snap *s, u32 row, u32 *val)
{
	u32 c;

	for (c = 0; c < MAX_COMPS; c++)
		val[c] = MAX_COMPS * row + c < s->nunif ? s->unif[MAX_COMPS * row + c] : 0;
	return 0;
}

static int reg(void *arg, u64 inv, u32 reg, u32 *val, bool write)
{
	struct vs_snap *s = arg;
	u32 c;

	if (write || inv < s->inv0 || inv - s->inv0 >= VS_LANES)
		return -ENOENT;
	if (reg >= VS_DEBUG_BLOCK_LOOP) {
		vs_debug_const(reg, s->loops, s->bools, val);
		return 0;
	}
	if (reg >= VS_DEBUG_BLOCK_UNIF)
		return read_uniform(s, reg - VS_DEBUG_BLOCK_UNIF, val);
	if (reg >= s->nregs)
		return -ENODATA;
	for (c = 0; c < s->ncomp[reg]; c++)
		val[c] = s->val[reg][c][inv - s->inv0];
	return 0;
}

static const struct vs_debug_ops ops = {
	.list = post_list,
	.reg = reg,
};

/* ---- saving ---- */

/* Executors that scale by 2^-64 hold small magnitudes only. */
static u32 unscale(u32 bits)
{
	u32 exp = bits >> 23 & 0xff;

	return exp && exp < 0xff - 64 ? bits + (64U << 23) : bits;
}

static u32 post_value(const struct vs_worker *w, const struct vs_reg *r, u32 c, u32 lane)
{
	u32 v;

	if (r->type == 2)
		return w->b.pred[r->slot[c]] >> lane & 1;
	v = w->b.slot[r->slot[c]][lane];
	return r->type == 0 && vs_kind_is_scaled(w->kind) ? unscale(v) : v;
}

static void copy_registers(struct vs_snap *s, const struct vs_worker *w)
{
	const struct vs_prog *p = w->ph->l.prog;
	u32 r, c, lane;

	s->nregs = min_t(u32, p->nregs, VS_DEBUG_BLOCK_UNIF);
	for (r = 0; r < s->nregs; r++) {
		s->ncomp[r] = min_t(u32, p->regs[r].ncomp, MAX_COMPS);
		for (c = 0; c < s->ncomp[r]; c++) {
			for (lane = 0; lane < w->nlive; lane++)
				s->val[r][c][lane] = post_value(w, &p->regs[r], c, lane);
		}
	}
}

static void copy_group(struct vs_snap *s, const struct vs_worker *w, u32 i)
{
	const struct vs_group *g = &w->group[i];
	u64 left = g->mask & w->live;

	s->live |= left;
	if (i == w->cur)
		s->now = left;
	for (; left; left &= left - 1) {
		u32 lane = __ffs64(left);

		s->pc[lane] = w->ph->l.prog->guest_of_uop[g->pc];
		s->depth[lane] = g->ncall;
		s->group[lane] = i;
	}
}

void vs_snap_take(struct vs_job *job, struct vs_worker *w)
{
	struct vs_snap *s = w->snap;
	u32 i;

	job->has_post = true;
	if (!w->running || !w->ngroups)
		return;
	if (vs_atomic_cmpxchg(&s->users, 1, 2) != 1)
		return;
	s->inv0 = w->inv0;
	s->live = 0;
	s->now = 0;
	s->unif = w->ph->l.unif;
	s->nunif = w->ph->l.prog->nunif;
	memcpy(s->loops, w->ph->l.loops, sizeof(s->loops));
	s->bools = w->bools;
	for (i = 0; i < w->ngroups; i++)
		copy_group(s, w, i);
	copy_registers(s, w);
	job->snap = s;
	job->post = (struct vs_post){
		.ops = &ops, .m = s, .code_va = w->ph->l.code_va, .map = job->map, .exact = true,
	};
}

struct vs_snap *vs_snap_drop(struct vs_job *job)
{
	struct vs_snap *was = job->snap;

	job->snap = NULL;
	job->post = (struct vs_post){};
	return was;
}

/* ---- any machine ---- */

void vs_job_set_post(struct vs_job *job, const struct vs_debug_ops *post, void *m, u64 code_va,
		     bool exact)
{
	job->post = (struct vs_post){
		.ops = post, .m = m, .code_va = code_va, .map = job->map, .exact = exact,
	};
}

const struct vs_post *vs_job_get_post(const struct vs_job *job)
{
	return &job->post;
}
