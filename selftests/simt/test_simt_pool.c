// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of jobs of the SIMT machine: what a job leaves for the next one.
 */
#include <stdlib.h>

#include "../include/tap.h"
#include "engine/simt/simt_job.h"

static const struct vs_map map;
static const struct simt_job_ops ops;

static int make(struct simt_job *j, u64 memory, struct simt_pool *pool)
{
	memset(j, 0, sizeof(*j));
	return simt_job_init(j, &ops, &map, memory, SIMT_JOB_MAX_MEMORY, pool);
}

static void test_next(struct simt_pool *pool)
{
	struct simt_job j;
	void *first;
	bool ok;

	ok = !make(&j, 0, pool);
	first = j.raw;
	tap_result(ok && j.memory == SIMT_JOB_MEMORY && j.arena.size <= j.memory &&
		   j.arena.size > j.memory - 64, "a job has the default");
	simt_job_fini(&j);
	ok = !make(&j, SIMT_JOB_MEMORY, pool);
	tap_result(ok && j.raw == first, "the next one has the same memory");
	simt_job_fini(&j);
	ok = !make(&j, 2 * SIMT_JOB_MEMORY, pool);
	tap_result(ok && j.raw != first && j.memory == 2 * SIMT_JOB_MEMORY,
		   "but not if it wants more");
	simt_job_fini(&j);
	ok = !make(&j, 0, pool);
	tap_result(ok && j.raw == first, "which is given back, not kept");
	simt_job_fini(&j);
}

static void test_two(struct simt_pool *pool)
{
	struct simt_job a, b;
	void *kept;
	bool ok;

	ok = !make(&a, 0, pool);
	ok &= !make(&b, 0, pool);
	tap_result(ok && a.raw != b.raw, "two at the same time have their own");
	kept = b.raw;
	simt_job_fini(&b);
	simt_job_fini(&a);
	ok = !make(&a, 0, pool);
	tap_result(ok && a.raw == kept, "what came first is kept");
	simt_job_fini(&a);
}

static void test_bounds(struct simt_pool *pool)
{
	struct simt_job j;

	tap_result(make(&j, SIMT_JOB_MIN_MEMORY - 1, pool) == -EINVAL &&
		   make(&j, SIMT_JOB_MAX_MEMORY + 1, pool) == -E2BIG, "bounds hold");
	tap_result(!make(&j, 0, NULL), "no pool, no difference");
	simt_job_fini(&j);
}

int main(void)
{
	struct simt_pool pool = { };

	test_next(&pool);
	test_two(&pool);
	test_bounds(&pool);
	simt_pool_fini(&pool);
	tap_result(!vs_atomic_read(&pool.spare), "nothing is left");
	return tap_done();
}
