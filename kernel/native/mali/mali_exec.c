// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Execution of Mali jobs: launches from descriptors, and their completion. */
#include "mali_exec.h"

/* ---- faults ---- */

enum simt_next mali_exec_reject(struct mali_exec *e)
{
	simt_job_fault_command(&e->j, e->why.va, e->why.reason, (u32)e->why.value);
	e->j.fault.draw = e->why.job;
	return SIMT_NEXT_FAULT;
}

/**
 * mali_exec_reason_text - text of a COMMAND fault's reason
 * @reason: its @code
 *
 * Return: text, never NULL.
 */
const char *mali_exec_reason_text(u32 reason)
{
	return reason < MALI_RUN_REASON ? mali_reason_text(reason) : mali_run_reason_text(reason);
}

/* ---- work ---- */

#define READ_WEIGHT	4	/* weight of reading a descriptor, approximately */

void mali_exec_reads(struct mali_exec *e, struct mali_chain *c)
{
	e->j.charge += c->reads * READ_WEIGHT;
	c->reads = 0;
}

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
		.dbg = e->j.dbg,
	};
	memcpy(w->local, l->local, sizeof(w->local));
	memcpy(w->groups, l->groups, sizeof(w->groups));
}

/* Programs that write memory run in the order of tiles. */
static enum simt_next mali_exec_run(struct mali_exec *e)
{
	struct vr_tiles *t = e->tiles;

	if (t && vr_tiles_is_over(t, e->worker))
		return simt_job_fault(&e->j, VS_FAULT_CANCELED, 0, 0);
	e->held = t && mali_run_stores(e->run) && !vr_tiles_is_first(t, e->worker);
	if (!e->held)
		return simt_job_run(&e->j, mali_run_machine(e->run));
	vs_relax();
	return SIMT_NEXT_WAIT;
}

/* Next step after the preparation returned @ret. */
static enum simt_next prepared(struct mali_exec *e, u32 draw, int ret)
{
	e->j.charge += mali_run_cost(e->run);
	e->j.fault.draw = draw;
	e->preparing = ret == -EAGAIN;
	if (e->preparing)
		return SIMT_NEXT_WAIT;
	if (ret == -ENOEXEC)
		return SIMT_NEXT_FAULT;
	if (ret)
		return simt_job_fault(&e->j, VS_FAULT_OVERFLOW, e->code_va, 0);
	return mali_exec_run(e);
}

enum simt_next mali_exec_begin(struct mali_exec *e, const struct mali_work *w)
{
	u32 draw = e->j.fault.draw;

	e->code_va = w->code_va;
	return prepared(e, draw, mali_run_prepare(e->run, w, &e->j.fault));
}

static enum simt_next mali_exec_go_on(struct mali_exec *e)
{
	u32 draw = e->j.fault.draw;

	return prepared(e, draw, mali_run_prepare_step(e->run, &e->j.fault));
}

/* ---- the job ---- */

static bool mali_exec_start(struct simt_job *j)
{
	struct mali_exec *e = container_of(j, struct mali_exec, j);

	if (e->start && !e->start(e))
		return false;
	e->run = mali_run_new(&j->arena, j->map);
	return e->run;
}

static enum simt_next mali_exec_next(struct simt_job *j)
{
	struct mali_exec *e = container_of(j, struct mali_exec, j);

	if (e->held)
		return mali_exec_run(e);
	return e->preparing ? mali_exec_go_on(e) : e->next(e);
}

static bool mali_exec_ended(struct simt_job *j, const struct vs_fault *fault)
{
	struct mali_exec *e = container_of(j, struct mali_exec, j);

	if (j->m || e->held)
		mali_run_end(e->run);
	e->held = false;
	e->preparing = false;
	return e->ended(e, fault);
}

static const struct simt_job_ops ops = {
	.start = mali_exec_start,
	.next = mali_exec_next,
	.ended = mali_exec_ended,
};

int mali_exec_init(struct mali_exec *e, const struct vs_map *map, u32 gpu, u64 memory,
		   u64 max_memory)
{
	e->gpu = gpu;
	return simt_job_init(&e->j, &ops, map, memory, max_memory);
}

void mali_exec_guest(struct mali_exec *e, const struct vs_map *map, u32 gpu, u32 switches,
		     struct simt_arena arena)
{
	e->gpu = gpu;
	e->switches = switches;
	e->j = (struct simt_job){ .ops = &ops, .map = map, .memory = arena.size, .arena = arena,
				  .guest = true };
}

int mali_exec_add(struct mali_exec *e, struct vs_job *job)
{
	return simt_job_add(&e->j, job);
}
