// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The worker of a Mali: executes the chains of the job slots one after the other, and writes
 * performance counters.
 */
#include "../native/mali/mali_desc.h"
#include "../native/mali/mali_job.h"
#include "mali_model.h"

#define OFF_NEXT	24
/* Of CONFIG: the cache is cleaned, at the begin or at the end; or invalidated, too */
#define FLUSH_START	BIT(8)
#define FLUSH_INVALIDATE BIT(9)
#define FLUSH_END	BIT(12)

/**
 * struct run - A chain that is executed.
 * @g:		model
 * @slot:	number of the slot
 * @job:	the slot's, which changes with a reset
 * @space:	address space
 * @map:	memory
 * @resets:	number of resets when it began
 * @j:		engine job
 * @fault:	how it ended
 */
struct run {
	struct mali_model *g;
	u32 slot;
	struct mali_next job;
	struct mali_space *space;
	struct vs_map map;
	u32 resets;
	struct vs_model_job j;
	struct vs_fault fault;
};

bool mali_work_ending(struct mali_model *g)
{
	u32 i;

	for (i = 0; i < MALI_SLOTS; i++) {
		if (g->slot[i].running)
			return READ_ONCE(g->slot[i].stop) || !READ_ONCE(g->slot[i].active) ||
			       READ_ONCE(g->gone);
	}
	return false;
}

/* ---- the engine ---- */

static int mali_work_make_job(struct run *r)
{
	u32 model = r->g->chip->model;
	struct vs_native_in in = {
		.format = mali_gpu_is_midgard(model) ? VS_NATIVE_MIDGARD_CHAIN :
			  VS_NATIVE_BIFROST_CHAIN,
		.va = r->job.head,
		.model = model,
		.map = &r->map,
	};

	return vs_model_job_begin(&r->g->engine, &in, &r->j, &r->fault);
}

/* Cycles of the slot that have passed since @*weight. */
static void mali_work_count(struct run *r, u64 *weight)
{
	struct mali_model *g = r->g;
	u64 now = vs_job_weight(r->j.job);

	vs_model_lock(&g->m);
	g->cycles += now - *weight;
	if (g->counting)
		g->counted += now - *weight;
	g->slot[r->slot].count.cycles += now - *weight;
	vs_model_unlock(&g->m);
	*weight = now;
}

static void mali_work_execute(struct run *r)
{
	const struct mali_counts *n = mali_chain_counts(r->j.native);
	struct mali_model *g = r->g;
	struct mali_slot_count *c = &g->slot[r->slot].count;
	enum vs_run run;
	u64 weight = 0;

	do {
		if (mali_work_ending(r->g))
			vs_job_cancel(r->j.job, VS_FAULT_CANCELED);
		run = vs_job_step(r->j.job, r->g->engine.worker);
		mali_work_count(r, &weight);
		vs_cond_resched();
	} while (run != VS_RUN_DONE);
	vs_model_lock(&g->m);
	c->threads += vs_job_invocations(r->j.job);
	c->jobs += n->jobs;
	c->tasks += n->tasks;
	g->points += n->points;
	g->lines += n->lines;
	g->triangles += n->triangles;
	vs_model_unlock(&g->m);
	r->fault = *vs_job_get_fault(r->j.job);
}

/* ---- ends ---- */

/* The first job of the chain that is not done; 0: all are. */
static u64 undone(struct run *r)
{
	u64 va = r->job.head;
	u32 n, w[8];

	for (n = 0; va && n < MALI_MAX_JOBS; n++) {
		if (vs_map_read(&r->map, va, w, sizeof(w)) != sizeof(w) ||
		    w[0] != MALI_STATUS_DONE)
			break;
		va = w[4] & 1 ? (u64)w[7] << 32 | w[6] : w[6];
	}
	return va;
}

/* A chain without an end is executed until it is stopped. */
static void hang(struct run *r)
{
	while (!mali_work_ending(r->g))
		vs_model_wait(&r->g->m);
}

static bool is_loop(const struct vs_fault *f)
{
	return f->kind == VS_FAULT_COMMAND && f->code == MALI_LOOP;
}

static void mali_work_finish(struct run *r, int error)
{
	struct mali_slot *s = &r->g->slot[r->slot];
	bool hangs = s->hangs || is_loop(&r->fault);
	u32 status = MALI_STATUS_DONE;
	u64 tail;

	if (hangs)
		hang(r);
	if (error)
		status = MALI_STATUS_JOB_CONFIG_FAULT;
	else if (r->fault.kind)
		status = mali_fault_status(&r->fault);
	tail = status == MALI_STATUS_DONE ? 0 : undone(r);
	vs_model_lock(&r->g->m);
	s->running = false;
	/* of a reset chain nothing is left */
	if (s->active && r->resets == r->g->resets) {
		if (r->job.config & FLUSH_END)
			mali_l2_clean(r->g, MALI_L2_REG);
		if (s->stop && (hangs || status != MALI_STATUS_DONE))
			status = s->stop;
		s->tail = tail ?: r->job.head;
		mali_slot_end_or_hold(r->g, r->slot, status);
	}
	vs_model_unlock(&r->g->m);
}

/* With the lock. */
static void begin_run(struct mali_model *g, u32 n, struct run *r)
{
	struct mali_space *s = &g->space[g->slot[n].job.config & (MALI_SPACES - 1)];

	*r = (struct run){
		.g = g, .slot = n, .job = g->slot[n].job, .space = s,
		.map = { .pager = &s->pager }, .resets = g->resets,
	};
}

/* Whether the job has failed for a right that the driver has given since. */
static bool mali_work_again(struct run *r)
{
	u32 need = r->fault.kind == VS_FAULT_WRITE ? VS_EXT_WRITE : VS_EXT_EXEC;

	if ((r->fault.kind != VS_FAULT_WRITE && r->fault.kind != VS_FAULT_FETCH) ||
	    !mali_space_denied(r->space, r->fault.address, r->fault.size, need))
		return false;
	r->job.head = undone(r) ?: r->job.head;
	return true;
}

static void run_chain(struct run *r)
{
	bool again;
	int ret;

	mali_l2_begin(r->space, r->job.config & FLUSH_START, r->job.config & FLUSH_INVALIDATE);
	mali_space_begin(r->space);
	do {
		r->fault = (struct vs_fault){};
		ret = mali_work_make_job(r);
		if (!ret)
			mali_work_execute(r);
		again = !ret && mali_work_again(r);
		if (!again)
			mali_work_finish(r, ret);
		vs_model_job_end(&r->j);
		r->j = (struct vs_model_job){};
	} while (again);
	mali_space_end(r->space);
}

/* ---- performance counters ---- */

/* Numbers of counters, as in Mesa, src/panfrost/perf. */
enum {
	/* of the job manager */
	COUNTER_GPU_ACTIVE = 6, COUNTER_JOBS = 8, COUNTER_TASKS = 9, COUNTER_ACTIVE = 10,
	COUNTERS_PER_SLOT = 8,
	/* of the tiler: Midgard, Bifrost */
	COUNTER_MG_TRIANGLES = 4, COUNTER_MG_POINTS = 7, COUNTER_MG_LINES = 8,
	COUNTER_TRIANGLES = 6, COUNTER_LINES = 7, COUNTER_POINTS = 8,
	/* of a core */
	COUNTER_FRAG_ACTIVE = 4, COUNTER_FRAG_THREADS = 12, COUNTER_FRAG_NUM_TILES = 20,
	COUNTER_COMPUTE_ACTIVE = 22, COUNTER_COMPUTE_THREADS = 24,
	COUNTER_ENABLE = 2, FIRST_COUNTER = 4
};

static void count_jobs(const struct mali_model *g, u32 *block)
{
	u32 n, *c;

	block[COUNTER_GPU_ACTIVE] = (u32)(g->cycles - g->cycles_base);
	for (n = 0; n < MALI_SLOTS; n++) {
		c = block + n * COUNTERS_PER_SLOT;
		c[COUNTER_JOBS] = (u32)g->slot[n].count.jobs;
		c[COUNTER_ACTIVE] = (u32)g->slot[n].count.cycles;
	}
	/* those of the other slots follow a division of jobs that is not public */
	block[COUNTER_TASKS] = (u32)g->slot[0].count.tasks;
}

static void count_tiler(const struct mali_model *g, u32 *block)
{
	bool midgard = mali_gpu_is_midgard(g->chip->model);

	block[midgard ? COUNTER_MG_TRIANGLES : COUNTER_TRIANGLES] = (u32)g->triangles;
	block[midgard ? COUNTER_MG_LINES : COUNTER_LINES] = (u32)g->lines;
	block[midgard ? COUNTER_MG_POINTS : COUNTER_POINTS] = (u32)g->points;
}

/* Slot 0 has jobs of fragments. Bifrost counts warps instead of threads, which the engine lacks. */
static void count_core(const struct mali_model *g, u32 *block)
{
	const struct mali_slot_count *frag = &g->slot[0].count, *a = &g->slot[1].count;
	const struct mali_slot_count *b = &g->slot[2].count;

	block[COUNTER_FRAG_ACTIVE] = (u32)frag->cycles;
	block[COUNTER_COMPUTE_ACTIVE] = (u32)(a->cycles + b->cycles);
	if (!mali_gpu_is_midgard(g->chip->model))
		return;
	block[COUNTER_FRAG_THREADS] = (u32)frag->threads;
	block[COUNTER_FRAG_NUM_TILES] = (u32)frag->tasks;
	block[COUNTER_COMPUTE_THREADS] = (u32)(a->threads + b->threads);
}

/* Blocks of the job manager, the tiler, the L2 cache and a core. */
static void fill_counters(const struct mali_model *g, u32 n, u32 *block)
{
	static const u32 enable[MALI_BLOCKS] = { 0x06c, 0x074, 0x07c, 0x070 };
	u32 enabled = g->plain[enable[n] / 4], i;

	if (n == 0)
		count_jobs(g, block);
	else if (n == 1)
		count_tiler(g, block);
	else if (n == 3)
		count_core(g, block);
	/* a bit for four counters */
	for (i = FIRST_COUNTER; i < MALI_BLOCK_WORDS; i++) {
		if (!(enabled & BIT(i / 4)))
			block[i] = 0;
	}
	block[COUNTER_ENABLE] = enabled;
}

/* The sample is in the L2 cache until that is cleaned. */
static void mali_work_sample(struct mali_model *g)
{
	u32 i;

	vs_model_lock(&g->m);
	memset(g->dirty_words, 0, sizeof(g->dirty_words));
	for (i = 0; i < MALI_BLOCKS; i++)
		fill_counters(g, i, &g->dirty_words[i * MALI_BLOCK_WORDS]);
	g->dirty_va = g->perf_base;
	g->dirty_as = g->perf_config >> 4 & (MALI_SPACES - 1);
	g->dirty = true;
	g->sample = false;
	g->gpu.raw |= MALI_IRQ_SAMPLE;
	vs_model_unlock(&g->m);
}

/* Write the sample to memory: a command, or the flush of a job. */
static void clean_sample(struct mali_model *g)
{
	struct mali_space *s = &g->space[g->dirty_as];
	const struct vs_map map = { .pager = &s->pager };

	mali_l2_begin(s, false, false);
	vs_map_write(&map, g->dirty_va, g->dirty_words, sizeof(g->dirty_words));
	mali_space_end(s);
	vs_model_lock(&g->m);
	mali_l2_clean(g, MALI_L2_REG);
	if (g->clean)
		g->gpu.raw |= MALI_IRQ_CLEAN;
	g->clean = false;
	g->dirty = false;
	vs_model_unlock(&g->m);
}

/* ---- work ---- */

static void mali_work_fail(struct mali_model *g)
{
	if (vs_model_fails(&g->m, MALI_FAIL_SPURIOUS))
		g->spurious = true;
	if (vs_model_fails(&g->m, MALI_FAIL_GPU)) {
		g->fault_status = 0x88;
		g->fault_address = 0xdead000;
		g->gpu.raw |= MALI_IRQ_FAULT;
	}
}

/* A slot with a chain whose cores have power, in turn; MALI_SLOTS: none. */
static u32 mali_work_choose(struct mali_model *g)
{
	u32 i, n;

	g->turn += vs_model_random(&g->m, MALI_SLOTS);
	for (i = 0; i < MALI_SLOTS; i++) {
		n = (g->turn + i) % MALI_SLOTS;
		if (!g->slot[n].active || g->slot[n].running || g->slot[n].held ||
		    !g->ready[MALI_L2] || !(g->slot[n].job.affinity & g->ready[MALI_SHADER]))
			continue;
		g->turn = n + 1;
		g->slot[n].running = true;
		return n;
	}
	return MALI_SLOTS;
}

bool mali_work(struct vs_model *m)
{
	struct mali_model *g = to_mali(m);
	bool sample, clean;
	struct run r;
	u32 n;

	vs_model_lock(m);
	mali_work_fail(g);
	g->gone = false;
	sample = g->sample;
	n = mali_work_choose(g);
	if (n < MALI_SLOTS)
		begin_run(g, n, &r);
	clean = g->clean || (g->dirty && n < MALI_SLOTS &&
			     g->slot[n].job.config & (FLUSH_START | FLUSH_END));
	vs_model_unlock(m);
	if (clean)
		clean_sample(g);
	if (n < MALI_SLOTS)
		run_chain(&r);
	if (sample)
		mali_work_sample(g);
	return n < MALI_SLOTS;
}
