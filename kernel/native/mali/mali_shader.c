// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs: one launch of a program object, with resources in the hardware's descriptor
 * tables, which are read when the job runs.
 */
#include "mali_desc.h"
#include "mali_exec.h"

#define MAX_UBOS	255
#define MAX_TABLE	65535
#define MAX_PUSH	256
#define QUAD_BYTES	16
#define MIDGARD_WORK_REGS 16		/* at most */
#define MIDGARD_FP_MODE	3

/* Memory that the job provides if the caller provides none. */
#define WLS_VA		VS_INTERNAL_VA
#define TLS_VA		(VS_INTERNAL_VA + (1ULL << 32))
#define WLS_BYTES	262144		/* for all resident workgroups, at least one */
#define WLS_GROUPS	64

/**
 * struct mali_shader_job - A shader job being executed.
 * @e:		execution state
 * @s:		job as submitted
 * @chain:	for the descriptor parser: an empty chain
 * @map:	address space extended by the job's own memory
 * @own:	extents of that memory
 * @own_wls:	bytes of workgroup storage provided by the job
 * @own_tls:	bytes of thread storage provided by the job
 * @reader:	progress of reading the resources
 * @reading:	they are being read
 * @begun:	the launch has been begun
 */
struct mali_shader_job {
	struct mali_exec e;
	struct mali_shader s;
	struct mali_chain chain;
	struct vs_map map;
	struct vs_extent own[2];
	u64 own_wls;
	u64 own_tls;
	struct mali_reader reader;
	bool reading;
	bool begun;
};

static const u8 stages[] = {
	[VS_STAGE_VERTEX] = MALI_STAGE_VERTEX,
	[VS_STAGE_GEOMETRY] = MALI_NUM_STAGES,
	[VS_STAGE_FRAGMENT] = MALI_STAGE_FRAGMENT,
	[VS_STAGE_COMPUTE] = MALI_STAGE_COMPUTE,
};

static enum simt_next begin_resources(struct mali_shader_job *j)
{
	const struct mali_shader *s = &j->s;
	struct mali_launch *l = simt_arena_alloc(&j->e.j.arena, 1, sizeof(*l));

	if (!l)
		return simt_job_fault(&j->e.j, VS_FAULT_OVERFLOW, 0, 0);
	j->reading = true;
	j->reader = (struct mali_reader){
		.p = { .c = &j->chain, .arch = mali_arch_info(j->chain.arch), .why = &j->e.why },
		.l = l,
		.t = {
			.ubos = s->ubos.va,
			.nubos = s->ubos.n,
			.push = s->push.va,
			.npush = s->push.n,
			.attrs = s->attrs.va,
			.nattrs = s->attrs.n,
			.attr_bufs = s->attr_bufs,
			.varyings = s->varyings.va,
			.nvaryings = s->varyings.n,
			.varying_bufs = s->varying_bufs,
			.textures = s->textures.va,
			.ntextures = s->textures.n,
			.samplers = s->samplers.va,
			.nsamplers = s->samplers.n,
		},
	};
	return SIMT_NEXT_WAIT;
}

static void fill_work(const struct mali_shader *s, struct mali_work *w)
{
	w->stage = stages[s->prog->src.stage];
	memcpy(w->local, s->local, sizeof(w->local));
	memcpy(w->groups, s->groups, sizeof(w->groups));
	w->code = s->prog->src.words[VS_SECTION_CODE];
	w->ncode = s->prog->src.nwords[VS_SECTION_CODE];
	w->code_va = 0;
	w->entry = s->entry * QUAD_BYTES;
	w->tag = 0;
	w->fp_mode = s->fp_mode;
	w->work_regs = s->work_regs;
	w->preload = s->preload;
	memcpy(w->message, s->message, sizeof(w->message));
	w->tls_va = s->tls_va;
	w->tls_size = s->tls_size;
	w->wls_va = s->wls_va;
	w->wls_size = s->wls_size;
	w->wls_instances = s->wls_instances;
	w->offset_start = s->offset_start;
	w->instance_size = max(s->instance_size, 1U);
	w->position = s->position;
	if (w->stage == MALI_STAGE_FRAGMENT)
		w->frag = &s->frag;
	if (w->stage != MALI_STAGE_COMPUTE) {
		w->local[0] = 1;
		w->local[1] = 1;
		w->local[2] = 1;
	}
}

static enum simt_next mali_shader_launch(struct mali_shader_job *j)
{
	struct mali_launch *l = j->reader.l;
	struct mali_work w;

	l->prog.uniforms = j->s.push.n;
	mali_exec_work(&j->e, l, &w);
	fill_work(&j->s, &w);
	j->begun = true;
	return mali_exec_begin(&j->e, &w);
}

static enum simt_next mali_shader_next(struct mali_exec *e)
{
	struct mali_shader_job *j = container_of(e, struct mali_shader_job, e);
	enum simt_next n = SIMT_NEXT_WAIT;
	int ret;

	if (j->begun)
		return SIMT_NEXT_DONE;
	if (!j->reading)
		n = begin_resources(j);
	if (n != SIMT_NEXT_WAIT)
		return n;
	ret = mali_reader_step(&j->reader);
	mali_exec_reads(e, &j->chain);
	if (ret == -EAGAIN)
		return SIMT_NEXT_WAIT;
	return ret ? mali_exec_reject(e) : mali_shader_launch(j);
}

static bool mali_shader_ended(struct mali_exec *e, const struct vs_fault *fault)
{
	return !fault;
}

/* ---- arguments ---- */

/* Report the invalid field for the caller's message. */
static int mali_shader_bad(const char **what, const char *field)
{
	*what = field;
	return -EINVAL;
}

static int check_tables(const struct mali_shader *s, const char **what)
{
	if (s->ubos.n > MAX_UBOS)
		return mali_shader_bad(what, "ubos");
	if (s->push.n > MAX_PUSH)
		return mali_shader_bad(what, "push");
	if (s->attrs.n > MAX_TABLE)
		return mali_shader_bad(what, "attributes");
	if (s->varyings.n > MAX_TABLE)
		return mali_shader_bad(what, "varyings");
	if (s->textures.n > MAX_TABLE)
		return mali_shader_bad(what, "textures");
	return s->samplers.n > MAX_TABLE ? mali_shader_bad(what, "samplers") : 0;
}

static int mali_shader_check(const struct mali_shader *s, const char **what)
{
	u32 isa = mali_gpu_is_midgard(s->gpu) ? VS_ISA_MIDGARD : VS_ISA_BIFROST;

	if (mali_gpu_arch(s->gpu) == MALI_NUM_ARCH)
		return mali_shader_bad(what, "gpu");
	if (s->prog->src.stage >= ARRAY_SIZE(stages) ||
	    stages[s->prog->src.stage] == MALI_NUM_STAGES || s->prog->isa->id != isa)
		return mali_shader_bad(what, "program");
	if (!vs_program_has_entry(s->prog, s->entry))
		return mali_shader_bad(what, "entry");
	if (s->switches & ~MALI_SW_ALL)
		return mali_shader_bad(what, "switches");
	if (s->preload & ~MALI_PRELOAD_MASK)
		return mali_shader_bad(what, "preload");
	/* Bifrost programs contain these properties themselves */
	if (s->work_regs > (isa == VS_ISA_MIDGARD ? MIDGARD_WORK_REGS : 0))
		return mali_shader_bad(what, "work_registers");
	if (s->fp_mode > (isa == VS_ISA_MIDGARD ? MIDGARD_FP_MODE : 0))
		return mali_shader_bad(what, "fp_mode");
	if (s->frag.ntargets > MALI_MAX_TARGETS)
		return mali_shader_bad(what, "targets");
	if (s->wls_size && !s->wls_instances)
		return mali_shader_bad(what, "wls_instances");
	return check_tables(s, what);
}

/* Provide storage that has no address. Return: -E2BIG: not enough memory. */
static int choose_storage(struct mali_shader_job *j)
{
	u64 need = 0;

	if (j->s.wls_size && !j->s.wls_va) {
		j->s.wls_va = WLS_VA;
		j->s.wls_instances = clamp_t(u32, WLS_BYTES / j->s.wls_size, 1, WLS_GROUPS);
		j->own_wls = (u64)j->s.wls_size * j->s.wls_instances;
		need += j->own_wls;
	}
	if (j->s.tls_size && !j->s.tls_va) {
		j->s.tls_va = TLS_VA;
		j->own_tls = (u64)j->s.tls_size * SIMT_MAX_LOCAL;
		need += j->own_tls;
	}
	return need > j->e.j.memory ? -E2BIG : 0;
}

static bool mali_shader_add_extent(struct mali_shader_job *j, u64 va, u64 bytes)
{
	u8 *p = simt_arena_alloc(&j->e.j.arena, bytes, 1);

	if (!p)
		return false;
	j->own[j->map.n++] = (struct vs_extent){ .lo = va, .hi = va + bytes, .kva = p,
					  .flags = VS_EXT_WRITE };
	return true;
}

/* Extend the guest's address space by the job's own workgroup and thread storage. */
static bool mali_shader_start(struct mali_exec *e)
{
	struct mali_shader_job *j = container_of(e, struct mali_shader_job, e);

	if (!j->own_wls && !j->own_tls)
		return true;
	j->map = (struct vs_map){ .ext = j->own, .base = j->s.map };
	e->j.map = &j->map;
	if (j->own_wls && !mali_shader_add_extent(j, WLS_VA, j->own_wls))
		return false;
	return !j->own_tls || mali_shader_add_extent(j, TLS_VA, j->own_tls);
}

int mali_shader_new(const struct mali_shader *s, const char **what, struct mali_exec **out)
{
	struct mali_shader_job *j;
	int ret;

	*what = "";
	ret = mali_shader_check(s, what);
	if (ret)
		return ret;
	j = vs_zalloc(sizeof(*j));
	if (!j)
		return -ENOMEM;
	ret = mali_exec_init(&j->e, s->map, s->gpu, s->memory, s->max_memory);
	if (ret) {
		if (ret == -EINVAL)
			*what = "memory";
		vs_free(j);
		return ret;
	}
	j->s = *s;
	j->e.switches = s->switches;
	j->chain.arch = mali_gpu_arch(s->gpu);
	j->chain.tlb.map = s->map;
	j->chain.limits.arena = &j->e.j.arena;
	j->e.start = mali_shader_start;
	j->e.next = mali_shader_next;
	j->e.ended = mali_shader_ended;
	ret = choose_storage(j);
	if (ret) {
		mali_exec_free(&j->e);
		return ret;
	}
	*out = &j->e;
	return 0;
}

/**
 * mali_exec_free - free a shader job after its engine job
 * @e: job, or NULL
 */
void mali_exec_free(struct mali_exec *e)
{
	if (!e)
		return;
	vs_free(container_of(e, struct mali_shader_job, e));
}
