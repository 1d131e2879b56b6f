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
	d->part = 0;
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
	d->specials = 0;
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		const struct vs_debug_point *p = &d->pts.p[i];

		if (!enabled(d, p))
			continue;
		d->breaks += p->kind == VS_DEBUG_BREAKPOINT;
		d->watches += p->kind == VS_DEBUG_WATCHPOINT;
		d->specials += p->kind == VS_DEBUG_SPECIALS;
	}
}

void vs_debug_interrupt(struct vs_debug *d)
{
	WRITE_ONCE(d->interrupt, true);
}

static u32 debug_depth_of(const struct vs_debug *d)
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
	d->depth = debug_depth_of(d);
	if (action == VS_DEBUG_STEP_OUT && !d->depth)
		return -EINVAL;
	d->action = action;
	d->until = pc;
	d->count = max(count, 1U);
	/* the rest of an instruction counts as one */
	d->done = action != VS_DEBUG_STEP_OPERATION && d->stop.part &&
		  d->ops->find(d->m, inv, inv) != VS_DEBUG_NOBODY;
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
		d->stop.part = 0;
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
	s->part = d->part;
	d->ops->group(d->m, &s->g);
	s->inv = inv == VS_DEBUG_NOBODY ? s->g.invocation : inv;
	d->held = true;
	d->first = false;
	d->action = VS_DEBUG_GO;
	d->lost = false;
	return true;
}

/* Stop for the watchpoint, or the point at NaNs, that the previous operation has hit. */
static bool stop_hit(struct vs_debug *d, u32 pc)
{
	const struct vs_debug_stop access = d->stop;
	const struct vs_debug_point *p = &d->pts.p[d->hit];

	stop(d, p->kind == VS_DEBUG_SPECIALS ? VS_DEBUG_SPECIAL : VS_DEBUG_WATCH, pc, access.inv);
	d->stop.point = p->id;
	d->stop.access_pc = access.access_pc;
	d->stop.access_part = access.access_part;
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

		if (p->pc != pc || p->kind != VS_DEBUG_BREAKPOINT || !enabled(d, p))
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
	if (d->part && d->action != VS_DEBUG_STEP_OPERATION)
		return false;
	switch (d->action) {
	case VS_DEBUG_STEP_IN:
	case VS_DEBUG_STEP_OPERATION:
		return d->done >= d->count;
	case VS_DEBUG_STEP_OVER:
		return d->done >= d->count && debug_depth_of(d) <= d->depth &&
		       (d->back == VS_DEBUG_NO_CALL || d->back == pc);
	case VS_DEBUG_STEP_OUT:
		return debug_depth_of(d) < d->depth;
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

/* Does an invocation pass the trace's filters? */
static bool passes(const struct vs_debug *d, u32 pc, u64 inv)
{
	const struct vs_debug_trace *t = &d->trace;
	u32 val[VS_DEBUG_MAX_COMPONENTS] = {};

	if (t->filter && (pc < t->pc_first || pc > t->pc_last || inv < t->first || inv > t->last))
		return false;
	return !t->by_reg || (!d->ops->reg(d->m, inv, t->reg, val, false) &&
			      !memcmp(val, t->values, t->words * sizeof(*val)));
}

/* The lowest invocation at the instruction that passes the trace's filters, or nobody. */
static u64 find_traced(const struct vs_debug *d, u32 pc)
{
	const struct vs_debug_trace *t = &d->trace;
	u64 last = t->filter ? t->last : VS_DEBUG_NOBODY - 1;
	u64 inv = t->filter ? t->first : 0;

	do {
		inv = d->ops->find(d->m, inv, last);
		if (inv == VS_DEBUG_NOBODY || passes(d, pc, inv))
			return inv;
	} while (inv++ < last);
	return VS_DEBUG_NOBODY;
}

static bool traced(const struct vs_debug *d, u32 pc)
{
	const struct vs_debug_trace *t = &d->trace;

	if (!t->on || t->fragments || (d->part && !t->operations))
		return false;
	return (!t->filter && !t->by_reg) || find_traced(d, pc) != VS_DEBUG_NOBODY;
}

/* Count the instruction if the stepping invocation executes it. */
static void count_step(struct vs_debug *d, u32 pc)
{
	if (d->part && d->action != VS_DEBUG_STEP_OPERATION)
		return;
	if (d->action == VS_DEBUG_STEP_OVER && debug_depth_of(d) > d->depth)
		return;
	if (d->action == VS_DEBUG_STEP_OVER && d->ops->call) {
		if (d->back != VS_DEBUG_NO_CALL && d->back != pc)
			return;
		d->back = d->ops->call(d->m, d->inv);
	}
	d->done++;
}

u64 vs_debug_code(const struct vs_debug *d, u32 *pc)
{
	return d->ops && d->ops->code ? d->ops->code(d->m, pc) : d->code_va;
}

/* Record an executed instruction. Return: the trace buffer is full. */
static bool debug_pass(struct vs_debug *d, u32 pc)
{
	struct vs_debug_trace *t = &d->trace;
	struct vs_debug_group g;

	if (traced(d, pc)) {
		/* accesses of an instruction, and the NaNs that it produces, follow it */
		if (t->n + (t->accesses || t->specials ? t->max / 2 : 0) >= t->max)
			return stop(d, VS_DEBUG_TRACE, pc, VS_DEBUG_NOBODY);
		d->ops->group(d->m, &g);
		t->rec[t->n++] = (struct vs_debug_record){
			.job = d->job, .invocation = g.invocation, .lanes = g.lanes, .pc = pc,
			.active = g.active, .part = d->part,
		};
		t->rec[t->n - 1].code_va = vs_debug_code(d, &t->rec[t->n - 1].pc);
		if (t->by_reg)
			t->rec[t->n - 1].invocation = find_traced(d, pc);
	}
	d->held = false;
	d->first = false;
	if (d->action != VS_DEBUG_GO && here(d))
		count_step(d, pc);
	return false;
}

bool vs_debug_at(struct vs_debug *d, u32 pc, u32 part)
{
	d->part = part;
	if (!d->on) {
		d->held = false;
		return false;
	}
	if (d->held)
		return debug_pass(d, pc);
	if (d->hit < VS_DEBUG_MAX_POINTS)
		return stop_hit(d, pc);
	if (d->breaks && !part && at_break(d, pc))
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
	if (d->trace.on && d->trace.fragments && d->trace.n > d->trace.max / 2)
		return stop(d, VS_DEBUG_TRACE, pc, VS_DEBUG_NOBODY);
	return debug_pass(d, pc);
}

static bool overlaps(const struct vs_debug_point *p, u64 va, u64 size)
{
	return va < p->va ? p->va - va < size : va - p->va < p->size;
}

/* If an instruction has more accesses than fit, its record is flagged VS_DEBUG_MISSING. */
static void trace_access(struct vs_debug *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags)
{
	struct vs_debug_trace *t = &d->trace;

	if (!passes(d, pc, inv))
		return;
	if (t->n >= t->max) {
		t->rec[t->n - 1].flags |= VS_DEBUG_MISSING;
		return;
	}
	t->rec[t->n++] = (struct vs_debug_record){
		.job = d->job, .invocation = inv, .pc = pc, .va = va,
		.size = min_t(u64, size, ~0U), .flags = flags, .part = d->part,
	};
	t->rec[t->n - 1].code_va = vs_debug_code(d, &t->rec[t->n - 1].pc);
}

/* The current operation of @inv hits point @i. Return: it is to be reported for this access. */
static bool hits(struct vs_debug *d, u32 i, u64 inv, u32 pc)
{
	struct vs_debug_point *p = &d->pts.p[i];

	if (p->flags & VS_DEBUG_FILTER && (inv < p->first || inv > p->last))
		return false;
	if (!counts(p) || d->hit < VS_DEBUG_MAX_POINTS)
		return false;
	d->hit = i;
	d->stop.inv = inv;
	d->stop.access_pc = pc;
	d->stop.access_part = d->part;
	d->stop.access_flags = 0;
	d->stop.access_size = 0;
	d->stop.access_va = 0;
	if (p->flags & VS_DEBUG_ONE_SHOT)
		p->flags |= VS_DEBUG_DISABLED;
	return true;
}

void vs_debug_access(struct vs_debug *d, u64 inv, u32 pc, u64 va, u64 size, u32 flags)
{
	u32 i;

	/* internal memory is not visible to the guest */
	if (va >= VS_INTERNAL_VA)
		return;
	if (d->trace.on && d->trace.accesses)
		trace_access(d, inv, pc, va, size, flags);
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		const struct vs_debug_point *p = &d->pts.p[i];

		if (p->kind != VS_DEBUG_WATCHPOINT || !(p->flags & flags) || !enabled(d, p) ||
		    !overlaps(p, va, size) || !hits(d, i, inv, pc))
			continue;
		d->stop.access_flags = p->flags & flags;
		d->stop.access_size = size;
		d->stop.access_va = va;
	}
}

/**
 * vs_debug_fragment - record a step of a fragment
 * @d: debugger that traces fragments
 * @draw: draw
 * @step: enum drm_vshader_debug_fragment
 * @n: number of a unit, light or stage
 * @v: six words
 */
void vs_debug_fragment(struct vs_debug *d, u64 draw, u32 step, u32 n, const u32 v[6])
{
	struct vs_debug_trace *t = &d->trace;

	if (t->n >= t->max) {
		if (t->n)
			t->rec[t->n - 1].flags |= VS_DEBUG_MISSING;
		return;
	}
	t->rec[t->n++] = (struct vs_debug_record){
		.job = d->job, .invocation = draw, .pc = n, .part = step,
		.flags = VS_DEBUG_FRAGMENT, .lanes = v[0] | (u64)v[1] << 32,
		.code_va = v[2] | (u64)v[3] << 32, .va = v[4] | (u64)v[5] << 32,
	};
}

void vs_debug_produced(struct vs_debug *d, u64 inv, u32 pc)
{
	u32 i;

	if (d->trace.on && d->trace.specials)
		trace_access(d, inv, pc, 0, 0, VS_DEBUG_PRODUCED);
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		if (d->pts.p[i].kind == VS_DEBUG_SPECIALS && enabled(d, &d->pts.p[i]))
			hits(d, i, inv, pc);
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
	d->part = 0;
	stop_hit(d, ~0U);
	/* no instruction is executed next */
	d->held = false;
	return true;
}
