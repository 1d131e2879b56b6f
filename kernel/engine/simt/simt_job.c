// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Jobs of consecutive SIMT launches: memory, slices, budget, faults. */
#include "../vs_debug.h"
#include "../vs_intern.h"
#include "../vs_post.h"
#include "simt_job.h"

/* Steps between launches in a slice, of few microseconds each. */
#define NEXT_STEPS	8

int simt_job_init(struct simt_job *j, const struct simt_job_ops *ops, const struct vs_map *map,
		  u64 memory, u64 max_memory)
{
	if (!memory)
		memory = min_t(u64, SIMT_JOB_MEMORY, max_memory);
	if (memory < SIMT_JOB_MIN_MEMORY)
		return -EINVAL;
	if (memory > max_memory || memory > SIMT_JOB_MAX_MEMORY)
		return -E2BIG;
	j->ops = ops;
	j->map = map;
	j->memory = memory;
	return 0;
}

enum simt_next simt_job_fault(struct simt_job *j, enum vs_fault_kind kind, u64 va, u32 size)
{
	u32 draw = j->fault.draw;

	vs_fault_memory(&j->fault, kind, va, size);
	j->fault.draw = draw;
	return SIMT_NEXT_FAULT;
}

enum simt_next simt_job_fault_command(struct simt_job *j, u64 va, u32 code, u32 info)
{
	u32 draw = j->fault.draw;

	vs_fault_command(&j->fault, va, code, info);
	j->fault.draw = draw;
	return SIMT_NEXT_FAULT;
}

enum simt_next simt_job_run(struct simt_job *j, struct simt_machine *m)
{
	j->m = m;
	j->threads = 0;
	return SIMT_NEXT_RUN;
}

/* ---- slices ---- */

static bool simt_job_over_budget(const struct vs_job *job)
{
	return vs_job_weight(job) > job->lim.budget;
}

static void simt_job_account(struct simt_job *j, struct vs_job *job, u64 used)
{
	u64 threads = j->m ? simt_machine_threads(j->m) : j->threads;

	vs_job_account(job, used + j->charge, threads - j->threads);
	j->threads = threads;
	j->spent += used + j->charge;
	j->charge = 0;
}

static void simt_job_budget_fault(struct simt_job *j, struct vs_job *job)
{
	simt_job_fault(j, VS_FAULT_BUDGET, 0, 0);
	j->fault.invocation = vs_job_invocations(job);
}

static bool end_launch(struct simt_job *j, const struct vs_fault *fault)
{
	bool ok;

	if (j->dbg)
		vs_debug_machine(j->dbg, NULL, NULL, NULL, 0);
	ok = j->ops->ended(j, fault);
	j->m = NULL;
	return ok;
}

/* Return: a debugger stop, or one for a fault or the end of the launch. */
static bool stops(struct simt_job *j, enum simt_status s)
{
	return s == SIMT_RUN_STOP ||
	       (s == SIMT_RUN_FAULT && j->dbg && vs_debug_fault(j->dbg, &j->fault)) ||
	       (s == SIMT_RUN_DONE && j->dbg && vs_debug_last(j->dbg));
}

/* Run a slice of the current launch. *@more: false: the job ends. Return: true: debugger stop. */
static bool simt_job_run_launch(struct simt_job *j, struct vs_job *job, bool *more)
{
	u64 weight = vs_job_weight(job), used = 0, room;
	u32 draw = j->fault.draw;
	enum simt_status s;

	if (!j->guest)
		simt_debug_post(j->m, job);
	room = job->lim.budget > weight ? job->lim.budget - weight : 0;
	s = simt_machine_run(j->m, job->lim.simd, min_t(u64, job->lim.slice - j->spent, room + 1),
			     &used);
	simt_job_account(j, job, used);
	*more = true;
	if (s == SIMT_RUN_FAULT) {
		j->fault = *simt_machine_fault(j->m);
		j->fault.draw = draw;
	}
	if (stops(j, s))
		return true;
	if (s == SIMT_RUN_MORE && simt_job_over_budget(job))
		simt_job_budget_fault(j, job);
	if (s == SIMT_RUN_DONE && !j->guest)
		vs_job_set_post(job, NULL, NULL, 0, false);
	if (s != SIMT_RUN_MORE || j->fault.kind)
		*more = end_launch(j, j->fault.kind ? &j->fault : NULL);
	return false;
}

/* Has the slice time for another step without a launch? */
static bool goes_on(const struct simt_job *j, const struct vs_job *job, enum simt_next n)
{
	return n == SIMT_NEXT_WAIT && !j->invited && j->spent + j->charge < job->lim.slice &&
	       vs_job_weight(job) + j->charge <= job->lim.budget && !vs_should_yield();
}

/* Start the next launch. Return: false: nothing left to do, or a fault. */
static bool next_launch(struct simt_job *j, struct vs_job *job)
{
	enum simt_next n;
	u32 i = 0;

	do {
		n = j->ops->next(j);
	} while (++i < NEXT_STEPS && goes_on(j, job, n));
	simt_job_account(j, job, 0);
	if (n == SIMT_NEXT_FAULT)
		return j->ops->ended(j, &j->fault);
	if (n != SIMT_NEXT_DONE && simt_job_over_budget(job)) {
		simt_job_budget_fault(j, job);
		return end_launch(j, &j->fault);
	}
	return n != SIMT_NEXT_DONE;
}

static bool simt_job_start(struct simt_job *j, struct vs_job *job)
{
	if (j->started)
		return true;
	if (!j->arena.base)
		j->arena = (struct simt_arena){
			.base = vs_job_take_arena(job, j->memory),
			.size = j->memory,
		};
	j->started = j->arena.base && j->ops->start(j);
	if (!j->started)
		simt_job_fault(j, VS_FAULT_OVERFLOW, 0, 0);
	return j->started;
}

/* Has a launch just begun or ended, and the slice time for what follows it? */
static bool simt_job_follows(const struct simt_job *j, const struct vs_job *job, bool launched)
{
	return launched != !!j->m && !j->invited && !j->dbg && j->spent < job->lim.slice / 2 &&
	       !vs_job_is_ending(job) && !vs_should_yield();
}

enum vs_run simt_job_slice(struct simt_job *j, struct vs_job *job)
{
	bool more, invited, launched;

	j->spent = 0;
	j->job = job;
	j->dbg = job->lim.dbg;
	j->simd = job->lim.simd;
	more = simt_job_start(j, job);
	do {
		launched = j->m;
		if (more && !launched)
			more = next_launch(j, job);
		else if (more && simt_job_run_launch(j, job, &more))
			return VS_RUN_STOP;
	} while (more && simt_job_follows(j, job, launched));
	invited = j->invited;
	j->invited = false;
	if (more)
		return invited ? VS_RUN_PHASE : VS_RUN_MORE;
	return VS_RUN_IDLE;
}

static enum vs_run simt_job_phase(struct vs_job *job, void *arg)
{
	struct simt_job *j = arg;
	enum vs_run run = simt_job_slice(j, job);

	if (run == VS_RUN_IDLE && j->fault.kind)
		vs_job_fault(job, &j->fault);
	return run;
}

int simt_job_add(struct simt_job *j, struct vs_job *job)
{
	vs_job_need_arena(job, j->memory);
	return vs_job_add_fn(job, simt_job_phase, j);
}
