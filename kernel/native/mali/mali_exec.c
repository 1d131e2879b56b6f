// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Execution of Mali jobs: memory, slices, budget, faults. All memory that a job needs when it
 * runs is allocated when it is submitted.
 */
#include "mali_exec.h"

#define ALIGN_TO	64

int mali_exec_init(struct mali_exec *e, const struct vs_map *map, u32 gpu, u64 memory,
		   u64 max_memory)
{
	unsigned long base;

	if (!memory)
		memory = min_t(u64, MALI_JOB_MEMORY, max_memory);
	if (memory < MALI_JOB_MIN_MEMORY)
		return -EINVAL;
	if (memory > max_memory || memory > MALI_JOB_MAX_MEMORY)
		return -E2BIG;
	e->raw = vs_alloc(memory);
	if (!e->raw)
		return -ENOMEM;
	base = ((unsigned long)e->raw + ALIGN_TO - 1) & ~(unsigned long)(ALIGN_TO - 1);
	e->arena.base = (u8 *)base;
	e->arena.size = memory - (base - (unsigned long)e->raw);
	e->map = map;
	e->gpu = gpu;
	e->memory = memory;
	return 0;
}

void mali_exec_fini(struct mali_exec *e)
{
	vs_free(e->raw);
}

/* ---- faults ---- */

enum mali_next mali_exec_fault(struct mali_exec *e, enum vs_fault_kind kind, u64 va, u32 size)
{
	u32 draw = e->fault.draw;

	e->fault = (struct vs_fault){ .kind = kind, .pc = ~0U, .stream = ~0U, .address = va,
				      .size = size, .draw = draw };
	return MALI_NEXT_FAULT;
}

enum mali_next mali_exec_reject(struct mali_exec *e)
{
	mali_exec_fault(e, VS_FAULT_COMMAND, e->why.va, e->why.reason);
	e->fault.info = (u32)e->why.value;
	e->fault.draw = e->why.job;
	return MALI_NEXT_FAULT;
}

/**
 * mali_exec_reason_text - text of a COMMAND fault's reason
 * @reason: its @size
 *
 * Return: text, never NULL.
 */
const char *mali_exec_reason_text(u32 reason)
{
	return reason < MALI_RUN_REASON ? mali_reason_text(reason) : mali_run_reason_text(reason);
}

/* ---- works ---- */

void mali_exec_work(const struct mali_exec *e, const struct mali_launch *l, struct mali_work *w)
{
	*w = (struct mali_work){
		.gpu = e->gpu,
		.arch = mali_gpu_arch(e->gpu),
		.switches = e->switches,
		.ubos = l->ubos,
		.nubos = l->nubos,
		.push = l->push,
		.npush = l->push ? l->prog.uniforms : 0,
		.attrs = l->attrs,
		.varyings = l->varyings,
		.textures = l->textures,
		.ntextures = l->ntextures,
		.samplers = l->samplers,
		.nsamplers = l->nsamplers,
		.preload = l->prog.preload,
		.message = { l->prog.message[0], l->prog.message[1] },
		.warp_limit = l->prog.warp_limit,
		.code_va = l->prog.va,
		.tag = l->prog.tag,
		.fp_mode = l->prog.fp_mode,
		.work_regs = mali_gpu_is_midgard(e->gpu) ? l->prog.work_regs : 0,
		.tls_va = l->storage.tls_va,
		.tls_size = l->storage.tls_size,
		.wls_va = l->storage.wls_va,
		.wls_size = l->storage.wls_size,
		.wls_instances = l->storage.wls_instances,
		.offset_start = l->offset_start,
		.instance_size = l->instance_size,
		.position = l->position,
	};
	memcpy(w->local, l->local, sizeof(w->local));
	memcpy(w->groups, l->groups, sizeof(w->groups));
}

enum mali_next mali_exec_begin(struct mali_exec *e, const struct mali_work *w)
{
	u32 draw = e->fault.draw;
	int ret;

	ret = mali_run_begin(e->run, w, &e->fault);
	e->charge += mali_run_cost(e->run);
	e->fault.draw = draw;
	if (ret == -ENOEXEC)
		return MALI_NEXT_FAULT;
	if (ret)
		return mali_exec_fault(e, VS_FAULT_OVERFLOW, w->code_va, 0);
	e->running = true;
	e->threads = 0;
	return MALI_NEXT_RUN;
}

/* ---- slices ---- */

static bool over_budget(const struct vs_job *job)
{
	return vs_job_weight(job) > job->lim.budget;
}

static void account(struct mali_exec *e, struct vs_job *job, u64 used)
{
	u64 threads = mali_run_threads(e->run);

	vs_job_account(job, used + e->charge, threads - e->threads);
	e->threads = threads;
	e->charge = 0;
}

static void budget_fault(struct mali_exec *e, struct vs_job *job)
{
	mali_exec_fault(e, VS_FAULT_BUDGET, 0, 0);
	e->fault.invocation = vs_job_invocations(job);
}

/* A slice of the work that runs. Return: false: it ends the job. */
static bool run_work(struct mali_exec *e, struct vs_job *job)
{
	u64 weight = vs_job_weight(job), used = 0, room;
	const struct vs_fault *f = NULL;
	enum simt_status s;

	room = job->lim.budget > weight ? job->lim.budget - weight : 0;
	s = mali_run_step(e->run, job->lim.simd, min_t(u64, job->lim.slice, room + 1), &used);
	account(e, job, used);
	if (s == SIMT_RUN_MORE && !over_budget(job))
		return true;
	if (s == SIMT_RUN_FAULT) {
		f = mali_run_fault(e->run);
	} else if (s == SIMT_RUN_MORE) {
		budget_fault(e, job);
		f = &e->fault;
	}
	if (f) {
		u32 draw = e->fault.draw;

		e->fault = *f;
		e->fault.draw = draw;
		f = &e->fault;
	}
	mali_run_end(e->run);
	e->running = false;
	return e->ended(e, f) && !f;
}

/* Return: false: there is nothing more to do, or a fault. */
static bool next_work(struct mali_exec *e, struct vs_job *job)
{
	enum mali_next n = e->next(e);

	vs_job_account(job, e->charge, 0);
	e->charge = 0;
	if (n == MALI_NEXT_FAULT) {
		e->ended(e, &e->fault);
		return false;
	}
	if (n != MALI_NEXT_DONE && over_budget(job)) {
		if (e->running)
			mali_run_end(e->run);
		e->running = false;
		budget_fault(e, job);
		e->ended(e, &e->fault);
		return false;
	}
	return n != MALI_NEXT_DONE;
}

static bool start(struct mali_exec *e)
{
	if (e->run)
		return true;
	e->run = mali_run_new(&e->arena, e->map);
	if (!e->run)
		mali_exec_fault(e, VS_FAULT_OVERFLOW, 0, 0);
	return e->run;
}

static enum vs_run phase(struct vs_job *job, void *arg)
{
	struct mali_exec *e = arg;
	bool more;

	more = start(e) && (e->running ? run_work(e, job) : next_work(e, job));
	if (more)
		return VS_RUN_MORE;
	if (e->fault.kind)
		vs_job_fault(job, &e->fault);
	return VS_RUN_IDLE;
}

int mali_exec_add(struct mali_exec *e, struct vs_job *job)
{
	return vs_job_add_fn(job, phase, e);
}

/**
 * mali_exec_memory - memory of a job
 * @e: job
 *
 * Return: bytes held.
 */
u64 mali_exec_memory(const struct mali_exec *e)
{
	return e->memory + sizeof(*e);
}
