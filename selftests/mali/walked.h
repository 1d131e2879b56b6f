/* SPDX-License-Identifier: GPL-2.0 */
/* Chains of jobs that are read from the first job to the last, and not executed. */
#ifndef SELFTESTS_MALI_WALKED_H
#define SELFTESTS_MALI_WALKED_H

#include <stdlib.h>

#include "native/mali/mali_desc.h"

/**
 * struct walked - A chain.
 * @c:		owner of the descriptors
 * @walk:	walk along it
 * @why:	reject
 * @job:	current job, NULL at the end
 * @njobs:	number of @jobs
 * @jobs:	jobs that have been read, in the order in which they would run
 */
struct walked {
	struct mali_chain c;
	struct mali_walk *walk;
	struct mali_reject *why;
	struct mali_job *job;
	u32 njobs;
	struct mali_job *jobs;
};

static inline int walked_begin(struct walked *w, enum mali_arch arch, const struct vs_map *map,
			       u64 va, u64 max_memory, struct mali_reject *why)
{
	*w = (struct walked){ .c = { .arch = arch, .tlb.map = map,
				     .limits.max_memory = max_memory }, .why = why };
	return mali_walk_new(&w->c, va, why, &w->walk);
}

/* Read the next header. */
static inline int walked_next(struct walked *w)
{
	u32 left = UINT32_MAX;

	return mali_walk_next(w->walk, &left, &w->job);
}

/* Read the current job's descriptors. */
static inline int walked_load(struct walked *w)
{
	struct mali_parser p = { .c = &w->c, .arch = mali_arch_info(w->c.arch),
				 .job = w->job->pos, .why = w->why };
	struct mali_reader r;
	int ret = mali_job_load(&p, w->job, &r);

	while (ret == -EAGAIN)
		ret = mali_reader_step(&r);
	return ret;
}

/* Keep the current job, and go on. */
static inline void walked_done(struct walked *w)
{
	/* room for a power of two of them */
	if (!(w->njobs & (w->njobs - 1)))
		w->jobs = realloc(w->jobs, (w->njobs ? 2 * w->njobs : 1) * sizeof(*w->jobs));
	w->jobs[w->njobs++] = *w->job;
	mali_walk_done(w->walk);
}

static inline void walked_free(struct walked *w)
{
	mali_free_blocks(&w->c);
	free(w->jobs);
}

/* Read all jobs. Nothing is to be freed after an error. */
static inline int walked_read(struct walked *w, enum mali_arch arch, const struct vs_map *map,
			      u64 va, u64 max_memory, struct mali_reject *why)
{
	int ret = walked_begin(w, arch, map, va, max_memory, why);

	while (!ret) {
		ret = walked_next(w);
		if (!ret && !w->job)
			return 0;
		if (!ret)
			ret = walked_load(w);
		if (!ret)
			walked_done(w);
	}
	walked_free(w);
	return ret;
}

#endif
