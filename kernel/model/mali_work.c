// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali: what the worker does. Chains of the job slots are executed by the engine, one after the
 * other; performance counters are written.
 */
#include "../native/mali/mali_desc.h"
#include "../native/mali/mali_job.h"
#include "mali_model.h"

#define OFF_NEXT	24

/**
 * struct run - A chain that is executed.
 * @g:		model
 * @slot:	number of the slot
 * @space:	address space
 * @map:	memory
 * @resets:	number of resets when it began
 * @j:		engine job
 * @fault:	how it ended
 */
struct run {
	struct mali_model *g;
	u32 slot;
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
			return READ_ONCE(g->slot[i].stop) || !READ_ONCE(g->slot[i].active);
	}
	return false;
}

/* ---- the engine ---- */

static int make_job(struct run *r)
{
	u32 model = r->g->chip->model;
	struct vs_native_in in = {
		.format = mali_gpu_is_midgard(model) ? VS_NATIVE_MIDGARD_CHAIN :
			  VS_NATIVE_BIFROST_CHAIN,
		.va = r->g->slot[r->slot].job.head,
		.model = model,
		.map = &r->map,
	};

	return vs_model_job_begin(&r->g->engine, &in, &r->j, &r->fault);
}

/* Cycles of the slot that have passed since @*weight. */
static void count(struct run *r, u64 *weight)
{
	struct mali_model *g = r->g;
	u64 now = vs_job_weight(r->j.job);

	vs_model_lock(&g->m);
	g->cycles += now - *weight;
	g->slot[r->slot].cycles += now - *weight;
	vs_model_unlock(&g->m);
	*weight = now;
}

static void execute(struct run *r)
{
	enum vs_run run;
	u64 weight = 0;

	do {
		if (mali_work_ending(r->g))
			vs_job_cancel(r->j.job, VS_FAULT_CANCELED);
		run = vs_job_step(r->j.job, r->g->engine.worker);
		count(r, &weight);
		vs_cond_resched();
	} while (run != VS_RUN_DONE);
	r->fault = *vs_job_get_fault(r->j.job);
}

/* ---- ends ---- */

/* The first job of the chain that is not done; 0: all are. */
static u64 undone(struct run *r)
{
	u64 va = r->g->slot[r->slot].job.head;
	u32 n, w[8];

	for (n = 0; va && n < MALI_JOB_MAX_JOBS; n++) {
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
	const struct vs_model_host *h = &r->g->m.host;

	while (!mali_work_ending(r->g))
		h->wait(h->priv);
}

static bool is_loop(const struct vs_fault *f)
{
	return f->kind == VS_FAULT_COMMAND && f->code == MALI_LOOP;
}

static void finish(struct run *r, int error)
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
		if (s->stop && (hangs || status != MALI_STATUS_DONE))
			status = s->stop;
		s->tail = tail ?: s->job.head;
		mali_slot_end(r->g, r->slot, status);
	}
	vs_model_unlock(&r->g->m);
}

static void run_chain(struct mali_model *g, u32 n)
{
	u32 as = g->slot[n].job.config & 0xf;
	struct mali_space *s = &g->space[as % MALI_SPACES];
	struct run r = {
		.g = g, .slot = n, .space = s, .map = { .pager = &s->pager },
		.resets = g->resets,
	};
	int ret;

	mali_space_begin(s);
	ret = make_job(&r);
	if (!ret)
		execute(&r);
	finish(&r, ret);
	vs_model_job_end(&r.j);
	mali_space_end(s);
}

/* ---- performance counters ---- */

#define BLOCK_WORDS	64
#define BLOCKS		4

/* Numbers of counters in the job manager's block, as in Mesa, src/panfrost/perf. */
enum { COUNTER_GPU_ACTIVE = 6, COUNTER_JOBS = 8, COUNTER_ACTIVE = 10, COUNTERS_PER_SLOT = 8 };

static void fill_counters(struct mali_model *g, u32 *block)
{
	u32 n, *c;

	block[2] = g->plain[0x06c / 4];
	block[COUNTER_GPU_ACTIVE] = (u32)(g->cycles - g->cycles_base);
	for (n = 0; n < MALI_SLOTS; n++) {
		c = block + n * COUNTERS_PER_SLOT;
		c[COUNTER_JOBS] = g->slot[n].jobs;
		c[COUNTER_ACTIVE] = (u32)g->slot[n].cycles;
	}
}

/* Blocks of the job manager, the tiler, the L2 cache and a core. Only the first one counts. */
static void write_sample(struct mali_model *g)
{
	struct mali_space *s = &g->space[g->perf_config >> 4 & (MALI_SPACES - 1)];
	const struct vs_map map = { .pager = &s->pager };
	u32 block[BLOCK_WORDS], i;

	for (i = 0; i < BLOCKS; i++) {
		memset(block, 0, sizeof(block));
		if (!i)
			fill_counters(g, block);
		vs_map_write(&map, g->perf_base + i * sizeof(block), block, sizeof(block));
	}
	mali_space_end(s);
	vs_model_lock(&g->m);
	g->sample = false;
	g->gpu.raw |= MALI_IRQ_SAMPLE;
	vs_model_unlock(&g->m);
}

/* ---- work ---- */

static void fail(struct mali_model *g)
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
static u32 choose(struct mali_model *g)
{
	u32 i, n;

	for (i = 0; i < MALI_SLOTS; i++) {
		n = (g->turn + i) % MALI_SLOTS;
		if (!g->slot[n].active || g->slot[n].running || !g->ready[MALI_L2] ||
		    !(g->slot[n].job.affinity & g->ready[MALI_SHADER]))
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
	bool sample;
	u32 n;

	vs_model_lock(m);
	fail(g);
	sample = g->sample;
	n = choose(g);
	vs_model_unlock(m);
	if (n < MALI_SLOTS)
		run_chain(g, n);
	if (sample)
		write_sample(g);
	return n < MALI_SLOTS;
}
