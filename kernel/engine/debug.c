// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Debugging of jobs: stop conditions. */
#include "vs_debug.h"

void vs_debug_job(struct vs_debug *d, u64 job, u32 program)
{
	d->job = job;
	d->program = program;
	d->first = true;
	d->faulted = false;
	d->held = false;
	d->action = VS_DEBUG_GO;
	d->lost = false;
	d->hit = VS_DEBUG_MAX_POINTS;
	d->ops = NULL;
	/* other points may be enabled for this program */
	d->pts.gen--;
}

/* Copy hit and ignore counts of points that the session has not changed. */
static void give_back(const struct vs_debug *d, struct vs_debug_points *master)
{
	u32 i;

	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		const struct vs_debug_point *p = &d->pts.p[i];
		struct vs_debug_point *to = &master->p[i];

		if (!p->id || p->id != to->id || p->version != to->version)
			continue;
		to->hits = p->hits;
		to->ignore = p->ignore;
	}
}

static bool enabled(const struct vs_debug *d, const struct vs_debug_point *p)
{
	return p->id && !(p->flags & VS_DEBUG_DISABLED) &&
	       (!p->program || p->program == d->program);
}

void vs_debug_sync(struct vs_debug *d, struct vs_debug_points *master)
{
	u32 i;

	give_back(d, master);
	if (d->pts.gen == master->gen)
		return;
	d->pts = *master;
	d->breaks = 0;
	d->watches = 0;
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		const struct vs_debug_point *p = &d->pts.p[i];

		if (enabled(d, p) && p->watch)
			d->watches++;
		else if (enabled(d, p))
			d->breaks++;
	}
}

void vs_debug_interrupt(struct vs_debug *d)
{
	WRITE_ONCE(d->interrupt, true);
}

static u32 depth_of(const struct vs_debug *d)
{
	return d->ops->depth ? d->ops->depth(d->m, d->inv) : 0;
}

int vs_debug_resume(struct vs_debug *d, enum vs_debug_action action, u64 inv, u32 pc, u32 count)
{
	if (action == VS_DEBUG_GO) {
		d->action = action;
		return 0;
	}
	if (!d->ops || !d->ops->alive(d->m, inv))
		return -ENOENT;
	d->inv = inv;
	d->depth = depth_of(d);
	if (action == VS_DEBUG_STEP_OUT && !d->depth)
		return -EINVAL;
	d->action = action;
	d->until = pc;
	d->count = max(count, 1U);
	d->done = 0;
	d->back = VS_DEBUG_NO_CALL;
	return 0;
}

int vs_debug_jump(struct vs_debug *d, u64 inv, u32 pc)
{
	int ret;

	if (!d->ops || !d->ops->alive(d->m, inv))
		return -ENOENT;
	if (!d->ops->jump)
		return -EOPNOTSUPP;
	/* after a fault the job can only end */
	ret = d->faulted ? -EINVAL : d->ops->jump(d->m, inv, pc);
	/* other invocations, or another instruction, may be at the stop now */
	if (!ret && d->ops->find(d->m, inv, inv) != VS_DEBUG_NOBODY) {
		d->held = false;
		d->stop.pc = pc;
	}
	return ret;
}

void vs_debug_machine(struct vs_debug *d, const struct vs_debug_ops *ops, void *m,
		      const struct vs_map *map, u64 code_va)
{
	if (d->action != VS_DEBUG_GO)
		d->lost = true;
	d->held = false;
	d->ops = ops;
	d->m = m;
	d->map = map;
	d->code_va = code_va;
}

/* ---- stopping ---- */

static bool stop(struct vs_debug *d, enum vs_debug_reason reason, u32 pc, u64 inv)
{
	struct vs_debug_stop *s = &d->stop;

	memset(s, 0, sizeof(*s));
	s->reason = reason;
	s->pc = pc;
	d->ops->group(d->m, &s->g);
	s->inv = inv == VS_DEBUG_NOBODY ? s->g.invocation : inv;
	d->held = true;
	d->first = false;
	d->action = VS_DEBUG_GO;
	d->lost = false;
	return true;
}

static bool stop_watch(struct vs_debug *d, u32 pc)
{
	const struct vs_debug_stop access = d->stop;

	stop(d, VS_DEBUG_WATCH, pc, access.inv);
	d->stop.point = d->pts.p[d->hit].id;
	d->stop.access_pc = access.access_pc;
	d->stop.access_flags = access.access_flags;
	d->stop.access_size = access.access_size;
	d->stop.access_va = access.access_va;
	d->hit = VS_DEBUG_MAX_POINTS;
	return true;
}

/* Count a hit of a point. Return: it stops the job. */
static bool counts(struct vs_debug_point *p)
{
	p->hits++;
	if (p->ignore) {
		p->ignore--;
		return false;
	}
	return true;
}

/* All breakpoints at @pc are counted; the first one that stops is reported. */
static bool at_break(struct vs_debug *d, u32 pc)
{
	struct vs_debug_point *found = NULL;
	u64 inv, who = VS_DEBUG_NOBODY;
	u32 i;

	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		struct vs_debug_point *p = &d->pts.p[i];

		if (p->pc != pc || p->watch || !enabled(d, p))
			continue;
		inv = VS_DEBUG_NOBODY;
		if (p->flags & VS_DEBUG_FILTER) {
			inv = d->ops->find(d->m, p->first, p->last);
			if (inv == VS_DEBUG_NOBODY)
				continue;
		}
		if (!counts(p) || found)
			continue;
		found = p;
		who = inv;
	}
	if (!found)
		return false;
	stop(d, VS_DEBUG_BREAK, pc, who);
	d->stop.point = found->id;
	if (found->flags & VS_DEBUG_ONE_SHOT)
		found->flags |= VS_DEBUG_DISABLED;
	return true;
}

static bool here(const struct vs_debug *d)
{
	return d->ops->find(d->m, d->inv, d->inv) != VS_DEBUG_NOBODY;
}

/* Return: the step of the invocation is complete at @pc. */
static bool step_done(const struct vs_debug *d, u32 pc)
{
	switch (d->action) {
	case VS_DEBUG_STEP_IN:
		return d->done >= d->count;
	case VS_DEBUG_STEP_OVER:
		return d->done >= d->count && depth_of(d) <= d->depth &&
		       (d->back == VS_DEBUG_NO_CALL || d->back == pc);
	case VS_DEBUG_STEP_OUT:
		return depth_of(d) < d->depth;
	default:	/* VS_DEBUG_UNTIL */
		return d->done && pc == d->until;
	}
}

static bool at_step(struct vs_debug *d, u32 pc)
{
	if (d->lost || !d->ops->alive(d->m, d->inv))
		return stop(d, VS_DEBUG_ENDED, pc, d->inv);
	if (here(d) && step_done(d, pc))
		return stop(d, VS_DEBUG_STEP, pc, d->inv);
	return false;
}

static bool traced(const struct vs_debug *d, u32 pc)
{
	const struct vs_debug_trace *t = &d->trace;

	if (!t->on)
		return false;
	if (!t->filter)
		return true;
	return pc >= t->pc_first && pc <= t->pc_last &&
	       d->ops->find(d->m, t->first, t->last) != VS_DEBUG_NOBODY;
}

/* Count the instruction if the stepping invocation executes it. */
static void count_step(struct vs_debug *d, u32 pc)
{
	if (d->action == VS_DEBUG_STEP_OVER && depth_of(d) > d->depth)
		return;
	if (d->action == VS_DEBUG_STEP_OVER && d->ops->call) {
		if (d->back != VS_DEBUG_NO_CALL && d->back != pc)
			return;
		d->back = d->ops->call(d->m, d->inv);
	}
	d->done++;
}

/* Record an executed instruction. Return: the trace buffer is full. */
static bool pass(struct vs_debug *d, u32 pc)
{
	struct vs_debug_trace *t = &d->trace;
	struct vs_debug_group g;

	if (traced(d, pc)) {
		/* accesses of an instruction follow it */
		if (t->n + (t->accesses ? t->max / 2 : 0) >= t->max)
			return stop(d, VS_DEBUG_TRACE, pc, VS_DEBUG_NOBODY);
		d->ops->group(d->m, &g);
		t->rec[t->n++] = (struct vs_debug_record){
			.job = d->job, .invocation = g.invocation, .lanes = g.lanes, .pc = pc,
			.active = g.active, .code_va = d->code_va,
		};
	}
	d->held = false;
	d->first = false;
	if (d->action != VS_DEBUG_GO && here(d))
		count_step(d, pc);
	return false;
}

bool vs_debug_at(struct vs_debug *d, u32 pc)
{
	if (!d->on) {
		d->held = false;
		return false;
	}
	if (d->held)
		return pass(d, pc);
	if (d->hit < VS_DEBUG_MAX_POINTS)
		return stop_watch(d, pc);
	if (d->breaks && at_break(d, pc))
		return true;
	if (d->action != VS_DEBUG_GO && at_step(d, pc))
		return true;
	if (READ_ONCE(d->interrupt)) {
		WRITE_ONCE(d->interrupt, false);
		return stop(d, VS_DEBUG_INTERRUPT, pc, VS_DEBUG_NOBODY);
	}
	if (d->first && d->stop_start)
		return stop(d, VS_DEBUG_START, pc, VS_DEBUG_NOBODY);
	if (d->trace.stop && traced(d, pc))
		return stop(d, VS_DEBUG_TRACE, pc, VS_DEBUG_NOBODY);
	return pass(d, pc);
}

static bool overlaps(const struct vs_debug_point *p, u64 va, u64 size)
{
	return va < p->va ? p->va - va < size : va - p->va < p->size;
}

/* If an instruction has more accesses than fit, its record is flagged VS_DEBUG_MISSING. */
static void trace_access(struct vs_debug *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags)
{
	struct vs_debug_trace *t = &d->trace;

	if (!t->on || !t->accesses)
		return;
	if (t->filter && (pc < t->pc_first || pc > t->pc_last || inv < t->first || inv > t->last))
		return;
	if (t->n >= t->max) {
		t->rec[t->n - 1].flags |= VS_DEBUG_MISSING;
		return;
	}
	t->rec[t->n++] = (struct vs_debug_record){
		.job = d->job, .invocation = inv, .pc = pc, .code_va = d->code_va, .va = va,
		.size = min_t(u64, size, ~0U), .flags = flags,
	};
}

void vs_debug_access(struct vs_debug *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags)
{
	u32 i;

	/* internal memory is not visible to the guest */
	if (va >= VS_INTERNAL_VA)
		return;
	trace_access(d, inv, pc, va, size, flags);
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		struct vs_debug_point *p = &d->pts.p[i];

		if (!p->watch || !(p->flags & flags) || !enabled(d, p) ||
		    !overlaps(p, va, size))
			continue;
		if (p->flags & VS_DEBUG_FILTER && (inv < p->first || inv > p->last))
			continue;
		if (!counts(p) || d->hit < VS_DEBUG_MAX_POINTS)
			continue;
		d->hit = i;
		d->stop.inv = inv;
		d->stop.access_pc = pc;
		d->stop.access_flags = p->flags & flags;
		d->stop.access_size = size;
		d->stop.access_va = va;
		if (p->flags & VS_DEBUG_ONE_SHOT)
			p->flags |= VS_DEBUG_DISABLED;
	}
}

bool vs_debug_fault(struct vs_debug *d, const struct vs_fault *f)
{
	if (!d->on || !d->stop_fault || d->faulted || !d->ops)
		return false;
	d->faulted = true;
	stop(d, VS_DEBUG_FAULT, f->pc, f->invocation);
	d->held = false;
	d->stop.fault = *f;
	return true;
}

bool vs_debug_last(struct vs_debug *d)
{
	if (!d->on || !d->ops || d->hit >= VS_DEBUG_MAX_POINTS)
		return false;
	stop_watch(d, ~0U);
	/* no instruction is executed next */
	d->held = false;
	return true;
}
