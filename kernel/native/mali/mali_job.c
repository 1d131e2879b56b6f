// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Job chains as a native format: read and executed job by job when the chain's turn comes,
 * because jobs write headers and descriptors of later ones. Outcomes are written to the jobs'
 * headers. The first fault ends the chain.
 */
#include "../../engine/vs_clock.h"
#include "../../engine/vs_post.h"
#include "../native_ops.h"
#include "mali_desc.h"
#include "mali_exec.h"
#include "mali_frame.h"
#include "mali_tiler.h"

#define WALK_JOBS	128	/* headers, and dependencies that are checked, per slice */
#define JOB_WEIGHT	64
#define JOB_ALIGN	64
#define TILES_PER_GUEST	4

/**
 * struct mali_chain_job - A chain being executed.
 * @base:	native job
 * @e:		execution state
 * @va:		first job
 * @clock:	jobs may read the time; otherwise it advances by one with each job
 * @chain:	the chain
 * @walk:	walk along it
 * @counts:	for performance counters
 * @job:	current job, or a rejected one; NULL: between two jobs
 * @mark:	@e.j.arena.used without the memory of the current job
 * @reading:	the current job's descriptors are being read
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
	bool clock;
	struct mali_chain chain;
	struct mali_walk *walk;
	struct mali_counts counts;
	struct mali_job *job;
	u64 mark;
	bool reading;
	struct mali_reader reader;
	u32 stage;
	struct mali_tiler tiler;
	struct mali_tiles tiles;
	struct mali_frame *frame;
	bool joining;
};

/* Stages of jobs that have several. */
enum stage { STAGE_NONE, STAGE_POSITIONS, STAGE_VARYINGS, STAGE_TILER, STAGE_FRAME };

static struct mali_chain_job *mali_job_to_job(const struct vs_native *n)
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

static enum simt_next mali_job_launch(struct mali_exec *e, const struct mali_job *job)
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

/* ---- counts ---- */

/* Of a TILER job that is done. */
static void mali_job_count_prims(struct mali_chain_job *c)
{
	switch (c->tiler.prim.mode) {
	case VR_POINTS:
		c->counts.points += c->tiler.prims;
		break;
	case VR_LINES:
	case VR_LINE_STRIP:
	case VR_LINE_LOOP:
		c->counts.lines += c->tiler.prims;
		break;
	case VR_TRIANGLES:
	case VR_TRIANGLE_STRIP:
	case VR_TRIANGLE_FAN:
		c->counts.triangles += c->tiler.prims;
		break;
	}
}

/* Of a frame that is done, whose bound is in parts of 16 x 16 pixels. */
static void mali_job_count_tasks(struct mali_chain_job *c)
{
	const struct mali_tiles *t = &c->tiles;
	u32 x = min(t->bound[2], (t->fb.width - 1) / 16) / 2;
	u32 y = min(t->bound[3], (t->fb.height - 1) / 16) / 2;

	if (x >= t->bound[0] / 2 && y >= t->bound[1] / 2)
		c->counts.tasks += (u64)(x - t->bound[0] / 2 + 1) * (y - t->bound[1] / 2 + 1);
}

const struct mali_counts *mali_chain_counts(const struct vs_native *n)
{
	return &mali_job_to_job(n)->counts;
}

/* ---- jobs of several stages ---- */

static struct mali_parser parser(struct mali_chain_job *c)
{
	return (struct mali_parser){ .c = &c->chain, .arch = mali_arch_info(c->chain.arch),
				     .job = c->job->pos, .why = &c->e.why };
}

/* Next step after a stage returned @ret. */
static enum simt_next staged(struct mali_chain_job *c, int ret)
{
	mali_exec_reads(&c->e, &c->chain);
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
	const struct mali_launch *l = c->job->launch;
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
	ret = mali_tiler_begin(&c->tiler, &p, c->job->va);
	return staged(c, ret ? ret : -EAGAIN);
}

/* Let other workers draw tiles, too; a debugger sees one worker. */
static void mali_job_invite(struct mali_chain_job *c)
{
	struct mali_tiles *t = &c->tiles;
	struct simt_job *j = &c->e.j;
	u32 n = min_t(u32, t->tiles.n / TILES_PER_GUEST, VS_JOB_MAX_GUESTS);

	if (!n || j->dbg)
		return;
	t->gpu = c->e.gpu;
	t->switches = c->e.switches;
	t->memory = j->map;
	t->arena = j->memory;
	c->e.tiles = &t->tiles;
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
	ret = mali_frame_read(&p, c->job->va, &c->tiles);
	if (ret)
		return staged(c, ret);
	vr_tiles_begin(&c->tiles.tiles, c->tiles.bound, c->tiles.fb.width, c->tiles.fb.height);
	ret = mali_frame_new(&p, &c->e.j, &c->tiles, 0, &c->frame);
	if (ret)
		return staged(c, ret);
	c->joining = false;
	mali_job_invite(c);
	return staged(c, -EAGAIN);
}

/* Wait for the guests. */
static enum simt_next join_frame(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;

	if (!vs_job_alone(e->j.job))
		return SIMT_NEXT_WAIT;
	e->tiles = NULL;
	if (c->tiles.tiles.bad == VR_TILES_NONE) {
		mali_job_count_tasks(c);
		return staged(c, 0);
	}
	e->j.fault = c->tiles.tiles.fault;
	/* a guest's registers are gone */
	if (c->tiles.tiles.culprit)
		vs_job_set_post(e->j.job, NULL, NULL, 0, false);
	return SIMT_NEXT_FAULT;
}

static enum simt_next step_frame(struct mali_chain_job *c)
{
	int ret;

	if (c->joining)
		return join_frame(c);
	ret = mali_frame_step(c->frame);
	if (ret == VR_FRAME_SHADE)
		return mali_frame_launch(c->frame, &c->e);
	c->joining = !ret;
	return staged(c, ret ? ret : -EAGAIN);
}

/* Go on with the current job's next stage. */
static enum simt_next next_stage(struct mali_chain_job *c)
{
	const struct mali_launch *l = c->job->launch;
	int ret;

	switch (c->stage) {
	case STAGE_POSITIONS:
		c->stage = STAGE_VARYINGS;
		return l->secondary.va ? vertices(c, &l->secondary) : SIMT_NEXT_WAIT;
	case STAGE_VARYINGS:
		return begin_tiler(c);
	case STAGE_TILER:
		ret = mali_tiler_step(&c->tiler, &c->e.j);
		if (!ret)
			mali_job_count_prims(c);
		return staged(c, ret);
	default:
		return step_frame(c);
	}
}

/* Execute the current job, whose descriptors have been read. */
static enum simt_next run_job(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;
	struct mali_job *job = c->job;

	switch (job->type) {
	case MALI_JOB_WRITE_VALUE:
		return job_over(c, write_value(e, job,
					       c->clock ? vs_now_ns() : c->counts.jobs + 1));
	case MALI_JOB_COMPUTE:
	case MALI_JOB_VERTEX:
		return mali_job_launch(e, job);
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
static enum simt_next mali_job_loaded(struct mali_chain_job *c, int ret)
{
	mali_exec_reads(&c->e, &c->chain);
	c->reading = ret == -EAGAIN;
	if (c->reading)
		return SIMT_NEXT_WAIT;
	return ret ? mali_exec_reject(&c->e) : run_job(c);
}

static enum simt_next begin_job(struct mali_chain_job *c)
{
	struct mali_parser p = parser(c);
	struct mali_exec *e = &c->e;
	int ret;

	e->j.charge += JOB_WEIGHT;
	e->j.fault.draw = c->job->pos;
	ret = mali_job_load(&p, c->job, &c->reader);
	/* most jobs have few descriptors */
	if (ret == -EAGAIN)
		ret = mali_reader_step(&c->reader);
	return mali_job_loaded(c, ret);
}

/* The fault of a tile is reported when those before it are done. */
static bool tile_fault(struct mali_chain_job *c, const struct vs_fault *fault)
{
	vr_tiles_fault(&c->tiles.tiles, 0, fault);
	c->e.j.fault.kind = VS_FAULT_NONE;
	c->joining = true;
	return true;
}

static bool mali_job_ended(struct mali_exec *e, const struct vs_fault *fault)
{
	struct mali_chain_job *c = container_of(e, struct mali_chain_job, e);
	const struct mali_job *job = c->job;

	/* between two jobs, or a next pointer that is no address of a header */
	if (!job || job->va % JOB_ALIGN)
		return !fault;
	if (fault && c->stage == STAGE_FRAME && !c->joining)
		return tile_fault(c, fault);
	if (!fault && c->stage != STAGE_NONE) {
		if (c->stage == STAGE_FRAME)
			mali_frame_shaded(c->frame, e->run);
		return true;
	}
	c->stage = STAGE_NONE;
	simt_arena_reset(&e->j.arena, c->mark);
	c->job = NULL;
	c->reading = false;
	if (!write_outcome(e, job->va, fault))
		return false;
	mali_walk_done(c->walk);
	c->counts.jobs++;
	return true;
}

/* ---- the chain ---- */

static enum simt_next mali_job_walk(struct mali_chain_job *c)
{
	struct mali_exec *e = &c->e;
	u32 left = WALK_JOBS;
	int ret = 0;

	if (!c->walk)
		ret = mali_walk_new(&c->chain, c->va, &e->why, &c->walk);
	if (!ret)
		ret = mali_walk_next(c->walk, &left, &c->job);
	e->j.charge += WALK_JOBS - left;
	c->mark = e->j.arena.used;
	if (!ret && c->job) {
		e->j.charge++;
		return begin_job(c);
	}
	if (!ret)
		return SIMT_NEXT_DONE;
	if (ret != -EAGAIN)
		return mali_exec_reject(e);
	c->job = NULL;
	return SIMT_NEXT_WAIT;
}

static enum simt_next mali_job_next(struct mali_exec *e)
{
	struct mali_chain_job *c = container_of(e, struct mali_chain_job, e);

	if (c->reading)
		return mali_job_loaded(c, mali_reader_step(&c->reader));
	if (c->stage != STAGE_NONE)
		return next_stage(c);
	return mali_job_walk(c);
}

/* ---- native format ---- */

static int mali_job_parse(const struct vs_native_in *in, struct vs_native_state *s,
			  struct vs_native **out, struct vs_fault *fault)
{
	bool midgard = in->format == VS_NATIVE_MIDGARD_CHAIN;
	struct mali_chain_job *c;
	int ret;

	if (in->nwords || in->output_va || in->output_size || in->switches & ~MALI_SW_CHAIN ||
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
	c->chain.arch = mali_gpu_arch(in->model);
	c->chain.tlb.map = in->map;
	c->chain.limits.arena = &c->e.j.arena;
	c->e.switches = in->switches & MALI_SW_ALL;
	c->clock = in->switches & MALI_SW_CLOCK;
	c->e.start = mali_frame_reserve;
	c->e.next = mali_job_next;
	c->e.ended = mali_job_ended;
	*out = &c->base;
	return 0;
}

static const struct vs_map *mali_job_map(const struct vs_native *n)
{
	return mali_job_to_job(n)->e.j.map;
}

static u32 mali_job_phases(const struct vs_native *n)
{
	return 1;
}

static int mali_job_add_phases(struct vs_native *n, struct vs_job *job)
{
	vs_job_expect_guests(job);
	return mali_exec_add(&mali_job_to_job(n)->e, job);
}

static u64 mali_job_memory(const struct vs_native *n)
{
	return sizeof(*mali_job_to_job(n));
}

static void chain_free(struct vs_native *n)
{
	vs_free(mali_job_to_job(n));
}

#define CHAIN_OPS(which)			\
	{					\
		.isa = which,			\
		.in_memory = true,		\
		.parse = mali_job_parse,			\
		.map = mali_job_map,			\
		.phases = mali_job_phases,		\
		.add_phases = mali_job_add_phases,	\
		.memory = mali_job_memory,		\
		.reason_text = mali_exec_reason_text, \
		.free = chain_free,		\
	}

const struct vs_native_ops bifrost_chain_ops = CHAIN_OPS(VS_ISA_BIFROST);
const struct vs_native_ops midgard_chain_ops = CHAIN_OPS(VS_ISA_MIDGARD);
