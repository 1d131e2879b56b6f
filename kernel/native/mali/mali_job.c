// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Job chains as a native format: read and executed job by job when the chain's turn comes,
 * because jobs write descriptors of later ones. Outcomes are written to the jobs' headers; a
 * chain that is rejected as a whole has its outcome in the first job. The first fault ends it.
 */
#include "../../engine/vs_post.h"
#include "../native_ops.h"
#include "mali_desc.h"
#include "mali_exec.h"
#include "mali_frame.h"
#include "mali_tiler.h"

#define WALK_JOBS	128	/* headers per slice */
#define JOB_WEIGHT	64
#define JOB_ALIGN	64
#define TILES_PER_GUEST	4

/**
 * struct mali_chain_job - A chain being executed.
 * @base:	native job
 * @e:		execution state
 * @va:		first job
 * @walk:	walk, while the headers are read
 * @chain:	the chain, after the walk
 * @pos:	position in the chain's order
 * @mark:	@e.j.arena.used without the memory of the current job
 * @loaded:	the current job's descriptors are being read or used
 * @reading:	they are being read
 * @reader:	progress of reading
 * @stage:	enum stage of the current job
 * @tiler:	STAGE_TILER
 * @tiles:	STAGE_FRAME: the frame
 * @frame:	its tiles that this worker draws
 * @joining:	no tiles are left; guests may still draw
 */
struct mali_chain_job {
	struct vs_native base;
	struct mali_exec e;
	u64 va;
	struct mali_walk *walk;
	struct mali_chain *chain;
	u32 pos;
	u64 mark;
	bool loaded;
	bool reading;
	struct mali_reader reader;
	u32 stage;
	struct mali_tiler tiler;
	struct mali_tiles tiles;
	struct mali_frame *frame;
	bool joining;
};

/* What jobs of several stages do. */
enum stage { STAGE_NONE, STAGE_POSITIONS, STAGE_VARYINGS, STAGE_TILER, STAGE_FRAME };

static struct mali_chain_job *to_job(const struct vs_native *n)
{
	return container_of(n, struct mali_chain_job, base);
}

/* ---- outcomes ---- */

u32 mali_fault_status(const struct vs_fault *f)
{
	switch (f->kind) {
	case VS_FAULT_READ:
		return MALI_STATUS_JOB_READ_FAULT;
	case VS_FAULT_WRITE:
		return MALI_STATUS_JOB_WRITE_FAULT;
	case VS_FAULT_FETCH:
		return MALI_STATUS_INSTR_INVALID_PC;
	case VS_FAULT_ENCODING:
		return MALI_STATUS_INSTR_INVALID_ENC;
	case VS_FAULT_MISALIGNED:
		return MALI_STATUS_INSTR_ALIGN_FAULT;
	case VS_FAULT_DEADLOCK:
		return MALI_STATUS_INSTR_BARRIER_FAULT;
	case VS_FAULT_OVERFLOW:
		return MALI_STATUS_OUT_OF_MEMORY;
	case VS_FAULT_COMMAND:
		return f->code < MALI_RUN_REASON ? mali_reject_status(f->code) :
			MALI_STATUS_DATA_INVALID_FAULT;
	case VS_FAULT_BUDGET:
	case VS_FAULT_TIMEOUT:
	case VS_FAULT_HANG:
	case VS_FAULT_CANCELED:
		return MALI_STATUS_TERMINATED;
	default:
		return MALI_STATUS_UNKNOWN;
	}
}

static bool write_words(struct mali_exec *e, u64 va, const void *p, u32 size)
{
	if (va < VS_INTERNAL_VA && vs_map_write(e->j.map, va, p, size) == size)
		return true;
	simt_job_fault(&e->j, VS_FAULT_WRITE, va, size);
	return false;
}

static bool write_outcome(struct mali_exec *e, u64 va, const struct vs_fault *f)
{
	u32 status = f ? mali_fault_status(f) : MALI_STATUS_DONE;
	struct vs_fault was;

	if (!f)
		return write_words(e, va + MALI_OFF_STATUS, &status, sizeof(status));
	/* the original fault is reported */
	was = *f;
	if (write_words(e, va + MALI_OFF_STATUS, &status, sizeof(status)))
		write_words(e, va + MALI_OFF_FAULT, &was.address, sizeof(was.address));
	e->j.fault = was;
	return false;
}

/* ---- jobs ---- */

static struct mali_job *current_job(const struct mali_chain_job *c)
{
	return c->chain->jobs[c->chain->order[c->pos]];
}

static bool write_value(struct mali_exec *e, const struct mali_job *job, u64 count)
{
	static const u8 bytes[] = {
		[MALI_WRITE_CYCLES] = 8, [MALI_WRITE_TIMESTAMP] = 8, [MALI_WRITE_ZERO] = 4,
		[MALI_WRITE_IMM8] = 1, [MALI_WRITE_IMM16] = 2, [MALI_WRITE_IMM32] = 4,
		[MALI_WRITE_IMM64] = 8,
	};
	u64 v = job->write_value;

	if (job->write_type == MALI_WRITE_CYCLES || job->write_type == MALI_WRITE_TIMESTAMP)
		v = count;
	else if (job->write_type == MALI_WRITE_ZERO)
		v = 0;
	return write_words(e, job->write_va, &v, bytes[job->write_type]);
}

static enum simt_next launch(struct mali_exec *e, const struct mali_job *job)
{
	struct mali_work w;

	mali_exec_work(e, job->launch, &w);
	w.stage = job->type == MALI_JOB_VERTEX ? MALI_STAGE_VERTEX : MALI_STAGE_COMPUTE;
	return mali_exec_begin(e, &w);
}

/* Complete a job that runs no program. */
static enum simt_next job_over(struct mali_chain_job *c, bool ok)
{
	if (!ok || !c->e.ended(&c->e, NULL))
		return SIMT_NEXT_FAULT;
	return SIMT_NEXT_WAIT;
}

/* ---- jobs of several stages ---- */

static struct mali_parser parser(struct mali_chain_job *c)
{
	return (struct mali_parser){ .c = c->chain, .arch = mali_arch_info(c->chain->arch),
				     .job = c->chain->order[c->pos], .why = &c->e.why };
}

/* Next step after a stage returned @ret. */
static enum simt_next staged(struct mali_chain_job *c, int ret)
{
	mali_exec_reads(&c->e, c->chain);
	switch (ret) {
	case 0:
		c->stage = STAGE_NONE;
		return job_over(c, true);
	case -EAGAIN:
		return SIMT_NEXT_WAIT;
	case -EFAULT:
		return SIMT_NEXT_FAULT;
	default:
		return mali_exec_reject(&c->e);
	}
}

static enum simt_next vertices(struct mali_chain_job *c, const struct mali_program *prog)
{
	const struct mali_launch *l = current_job(c)->launch;
	struct mali_work w;

	mali_exec_work(&c->e, l, &w);
	w.stage = MALI_STAGE_VERTEX;
	w.code_va = prog->va;
	w.preload = prog->preload;
	w.warp_limit = prog->warp_limit;
	w.npush = l->push ? prog->uniforms : 0;
	return mali_exec_begin(&c->e, &w);
}

static enum simt_next begin_tiler(struct mali_chain_job *c)
{
	const struct mali_parser p = parser(c);
	int ret;

	c->stage = STAGE_TILER;
	ret = mali_tiler_begin(&c->tiler, &p, current_job(c)->va);
	return staged(c, ret ? ret : -EAGAIN);
}

/* Let other workers draw tiles, too; a debugger sees one worker. */
static void invite(struct mali_chain_job *c)
{
	struct mali_tiles *t = &c->tiles;
	struct simt_job *j = &c->e.j;
	u32 n = min_t(u32, t->n / TILES_PER_GUEST, VS_JOB_MAX_GUESTS);

	if (!n || j->dbg)
		return;
	t->gpu = c->e.gpu;
	t->switches = c->e.switches;
	t->memory = j->map;
	t->arena = j->memory;
	c->e.tiles = t;
	vs_job_invite(j->job, n, mali_frame_guest, t);
	j->invited = true;
}

static enum simt_next begin_frame(struct mali_chain_job *c)
{
	const struct mali_parser p = parser(c);
	int ret;

	c->stage = STAGE_FRAME;
	/* without tiles, there is nothing to wait for */
	c->joining = true;
	ret = mali_frame_read(&p, current_job(c)->va, &c->tiles);
	if (ret)
		return staged(c, ret);
	mali_tiles_begin(&c->tiles);
	ret = mali_frame_new(&p, &c->e.j, &c->tiles, 0, &c->frame);
	if (ret)
		return staged(c, ret);
	c->joining = false;
	invite(c);
	return staged(c, -EAGAIN);
}

/* Wait for the guests. */
static enum simt_next join_frame(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;

	if (!vs_job_alone(e->j.job))
		return SIMT_NEXT_WAIT;
	e->tiles = NULL;
	if (c->tiles.bad == MALI_TILES_NONE)
		return staged(c, 0);
	e->j.fault = c->tiles.fault;
	/* a guest's registers are gone */
	if (c->tiles.culprit)
		vs_job_set_post(e->j.job, NULL, NULL, 0, false);
	return SIMT_NEXT_FAULT;
}

static enum simt_next step_frame(struct mali_chain_job *c)
{
	int ret;

	if (c->joining)
		return join_frame(c);
	ret = mali_frame_step(c->frame);
	if (ret == MALI_FRAME_LAUNCH)
		return mali_frame_launch(c->frame, &c->e);
	c->joining = !ret;
	return staged(c, ret ? ret : -EAGAIN);
}

/* Go on with the current job's next stage. */
static enum simt_next next_stage(struct mali_chain_job *c)
{
	const struct mali_launch *l = current_job(c)->launch;

	switch (c->stage) {
	case STAGE_POSITIONS:
		c->stage = STAGE_VARYINGS;
		return l->secondary.va ? vertices(c, &l->secondary) : SIMT_NEXT_WAIT;
	case STAGE_VARYINGS:
		return begin_tiler(c);
	case STAGE_TILER:
		return staged(c, mali_tiler_step(&c->tiler, &c->e.j));
	default:
		return step_frame(c);
	}
}

/* Execute the current job, whose descriptors have been read. */
static enum simt_next run_job(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;
	struct mali_job *job = current_job(c);

	switch (job->type) {
	case MALI_JOB_WRITE_VALUE:
		/* time advances by jobs: there is no clock that jobs could read */
		return job_over(c, write_value(e, job, c->pos + 1ULL));
	case MALI_JOB_COMPUTE:
	case MALI_JOB_VERTEX:
		return launch(e, job);
	case MALI_JOB_INDEXED_VERTEX:
		c->stage = STAGE_POSITIONS;
		return vertices(c, &job->launch->prog);
	case MALI_JOB_TILER:
		return begin_tiler(c);
	case MALI_JOB_FRAGMENT:
		return begin_frame(c);
	default:
		return job_over(c, true);
	}
}

/* Next step after reading the descriptors returned @ret. */
static enum simt_next loaded(struct mali_chain_job *c, int ret)
{
	mali_exec_reads(&c->e, c->chain);
	c->reading = ret == -EAGAIN;
	if (c->reading)
		return SIMT_NEXT_WAIT;
	return ret ? mali_exec_reject(&c->e) : run_job(c);
}

static enum simt_next begin_job(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;
	u32 n = c->chain->order[c->pos];
	int ret;

	c->loaded = true;
	c->mark = e->j.arena.used;
	e->j.charge += JOB_WEIGHT;
	e->j.fault.draw = n;
	ret = mali_chain_load_begin(c->chain, n, &e->why, &c->reader);
	/* most jobs have few descriptors */
	if (ret == -EAGAIN)
		ret = mali_reader_step(&c->reader);
	return loaded(c, ret);
}

/* The fault of a tile is reported when those before it are done. */
static bool tile_fault(struct mali_chain_job *c, const struct vs_fault *fault)
{
	mali_tiles_fault(&c->tiles, 0, fault);
	c->e.j.fault.kind = VS_FAULT_NONE;
	c->joining = true;
	return true;
}

static bool ended(struct mali_exec *e, const struct vs_fault *fault)
{
	struct mali_chain_job *c = container_of(e, struct mali_chain_job, e);
	struct mali_job *job;

	/* first case: chain rejected as a whole; second: between two jobs */
	if (!c->chain && !(c->va % JOB_ALIGN))
		return write_outcome(e, c->va, fault);
	if (!c->loaded)
		return !fault;
	if (fault && c->stage == STAGE_FRAME && !c->joining)
		return tile_fault(c, fault);
	if (!fault && c->stage != STAGE_NONE) {
		if (c->stage == STAGE_FRAME)
			mali_frame_ran(c->frame);
		return true;
	}
	job = current_job(c);
	c->stage = STAGE_NONE;
	simt_arena_reset(&e->j.arena, c->mark);
	job->launch = NULL;
	c->loaded = false;
	c->reading = false;
	if (!write_outcome(e, job->va, fault))
		return false;
	c->pos++;
	return true;
}

/* ---- the chain ---- */

static enum simt_next new_walk(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;
	const struct mali_limits limits = { .max_jobs = MALI_JOB_MAX_JOBS, .arena = &e->j.arena };
	int ret;

	ret = mali_walk_new(mali_gpu_arch(e->gpu), e->j.map, c->va, &limits, &e->why, &c->walk);
	return ret ? simt_job_fault(&e->j, VS_FAULT_OVERFLOW, c->va, 0) : SIMT_NEXT_WAIT;
}

static enum simt_next walk(struct mali_chain_job *c)
{
	int ret;

	if (!c->walk)
		return new_walk(c);
	ret = mali_walk_step(c->walk, WALK_JOBS, &c->chain);
	c->e.j.charge += ret ? WALK_JOBS : min_t(u32, c->chain->njobs, WALK_JOBS);
	if (!ret || ret == -EAGAIN)
		return SIMT_NEXT_WAIT;
	return mali_exec_reject(&c->e);
}

static enum simt_next next(struct mali_exec *e)
{
	struct mali_chain_job *c = container_of(e, struct mali_chain_job, e);

	if (!c->chain)
		return walk(c);
	if (c->reading)
		return loaded(c, mali_reader_step(&c->reader));
	if (c->stage != STAGE_NONE)
		return next_stage(c);
	return c->pos < c->chain->njobs ? begin_job(c) : SIMT_NEXT_DONE;
}

/* ---- native format ---- */

static struct vs_native_state *state_new(void)
{
	return vs_zalloc(sizeof(struct vs_native_state));
}

static void state_free(struct vs_native_state *s)
{
	vs_free(s);
}

static void state_reset(struct vs_native_state *s)
{
}

static void state_copy(struct vs_native_state *dst, const struct vs_native_state *src)
{
}

static int parse(const struct vs_native_in *in, struct vs_native_state *s,
		 struct vs_native **out, struct vs_fault *fault)
{
	bool midgard = in->format == VS_NATIVE_MIDGARD_CHAIN;
	struct mali_chain_job *c;
	int ret;

	if (in->nwords || in->output_va || in->output_size || in->switches & ~MALI_SW_ALL ||
	    !in->va || mali_gpu_arch(in->model) == MALI_NUM_ARCH ||
	    mali_gpu_is_midgard(in->model) != midgard)
		return -EINVAL;
	c = vs_zalloc(sizeof(*c));
	if (!c)
		return -ENOMEM;
	ret = mali_exec_init(&c->e, in->map, in->model, in->memory, in->max_memory);
	if (ret) {
		vs_free(c);
		return ret;
	}
	c->va = in->va;
	c->e.switches = in->switches;
	c->e.start = mali_frame_reserve;
	c->e.next = next;
	c->e.ended = ended;
	*out = &c->base;
	return 0;
}

static const struct vs_map *map(const struct vs_native *n)
{
	return to_job(n)->e.j.map;
}

static u32 phases(const struct vs_native *n)
{
	return 1;
}

static int add_phases(struct vs_native *n, struct vs_job *job)
{
	vs_job_expect_guests(job);
	return mali_exec_add(&to_job(n)->e, job);
}

static u64 memory(const struct vs_native *n)
{
	return sizeof(*to_job(n));
}

static void chain_free(struct vs_native *n)
{
	vs_free(to_job(n));
}

#define CHAIN_OPS(which)			\
	{					\
		.isa = which,			\
		.in_memory = true,		\
		.state_new = state_new,		\
		.state_free = state_free,	\
		.state_reset = state_reset,	\
		.state_copy = state_copy,	\
		.parse = parse,			\
		.map = map,			\
		.phases = phases,		\
		.add_phases = add_phases,	\
		.memory = memory,		\
		.reason_text = mali_exec_reason_text, \
		.free = chain_free,		\
	}

const struct vs_native_ops bifrost_chain_ops = CHAIN_OPS(VS_ISA_BIFROST);
const struct vs_native_ops midgard_chain_ops = CHAIN_OPS(VS_ISA_MIDGARD);
