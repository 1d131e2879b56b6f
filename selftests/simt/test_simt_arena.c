// SPDX-License-Identifier: GPL-2.0
/*
 * Arenas: jobs of the SIMT machine declare their memory, and use their worker's arena.
 */
#include "../include/tap.h"
#include "engine/simt/simt_job.h"

static const struct vs_map map;
static u32 starts;
static u64 room;
static u8 *base;

static bool start(struct simt_job *j)
{
	starts++;
	room = j->arena.size;
	base = j->arena.base;
	memset(base, 0xa5, room);
	return true;
}

static enum simt_next next(struct simt_job *j)
{
	return SIMT_NEXT_DONE;
}

static bool ended(struct simt_job *j, const struct vs_fault *fault)
{
	return !fault;
}

static const struct simt_job_ops ops = { .start = start, .next = next, .ended = ended };

static int make(struct simt_job *j, u64 memory)
{
	memset(j, 0, sizeof(*j));
	return simt_job_init(j, &ops, &map, memory, SIMT_JOB_MAX_MEMORY);
}

/* Return: kind of the fault. */
static u32 run(struct simt_job *j, struct vs_worker *w, u64 *arena)
{
	const struct vs_job_limits limits = { .budget = 1000, .slice = 100 };
	struct vs_job *job = vs_job_new(&map, &limits, 1);
	u32 kind;

	simt_job_add(j, job);
	*arena = vs_job_arena(job);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		;
	kind = vs_job_get_fault(job)->kind;
	vs_job_free(job);
	return kind;
}

static void test_worker(void)
{
	struct vs_worker *w = vs_worker_new(2 * SIMT_JOB_MEMORY);
	struct simt_job j;
	u64 arena, i, sum = 0;
	u8 *first;

	tap_result(!make(&j, 0) && run(&j, w, &arena) == VS_FAULT_NONE && starts == 1 &&
		   room == SIMT_JOB_MEMORY && arena == room, "a job has the default size");
	first = base;
	tap_result(!((unsigned long)base & 63), "an arena is aligned");
	tap_result(!make(&j, 2 * SIMT_JOB_MEMORY) && run(&j, w, &arena) == VS_FAULT_NONE &&
		   base == first && room == 2 * SIMT_JOB_MEMORY && arena == room,
		   "the next job of the worker has the same memory, all of it if it asks");
	tap_result(!make(&j, 2 * SIMT_JOB_MEMORY + 64) &&
		   run(&j, w, &arena) == VS_FAULT_OVERFLOW && starts == 2,
		   "a job that needs more than the worker has does not start");
	vs_worker_free(w);
	w = vs_worker_new(SIMT_JOB_MIN_MEMORY);
	make(&j, SIMT_JOB_MIN_MEMORY);
	run(&j, w, &arena);
	vs_worker_free(w);
	w = vs_worker_new(SIMT_JOB_MIN_MEMORY);
	for (i = 0; i < SIMT_JOB_MIN_MEMORY; i++)
		sum += ((u8 *)vs_worker_arena(w))[i];
	tap_result(!sum, "a new arena is zero");
	vs_worker_free(w);
}

static void test_bounds(void)
{
	struct simt_job j;

	tap_result(make(&j, SIMT_JOB_MIN_MEMORY - 1) == -EINVAL &&
		   make(&j, SIMT_JOB_MAX_MEMORY + 1) == -E2BIG, "bounds hold");
}

int main(void)
{
	test_worker();
	test_bounds();
	return tap_done();
}
