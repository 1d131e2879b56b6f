/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Length of a job's steps. Times are printed only, as the machine may be busy; tests check the
 * weight charged by a step, which is the same on every machine.
 */
#ifndef SELFTESTS_INCLUDE_SECTIONS_H
#define SELFTESTS_INCLUDE_SECTIONS_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernel/engine/vs_job.h"
#include "tap.h"

#define SECTIONS_SLICE	3000
#define SECTIONS_BUCKETS 24

/**
 * struct sections - Steps of a job.
 * @name:	of the case
 * @n:		steps
 * @count:	histogram of step lengths: bucket k counts steps of 2^(k-1) to 2^k us
 * @worst:	the longest one, ns of CPU time
 * @worst_at:	its number
 * @weight:	most weight that a step has charged
 * @weight_at:	its number
 */
struct sections {
	const char *name;
	u64 n;
	u64 count[SECTIONS_BUCKETS];
	u64 worst;
	u64 worst_at;
	u64 weight;
	u64 weight_at;
};

static inline u64 sections_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static inline void sections_add(struct sections *s, u64 ns, u64 weight)
{
	u64 us = ns / 1000;
	u32 k = us ? 64 - __builtin_clzll(us) : 0;

	s->count[k < SECTIONS_BUCKETS ? k : SECTIONS_BUCKETS - 1]++;
	if (ns > s->worst) {
		s->worst = ns;
		s->worst_at = s->n;
	}
	if (weight > s->weight) {
		s->weight = weight;
		s->weight_at = s->n;
	}
	s->n++;
}

static inline void sections_show(const struct sections *s)
{
	char text[256];
	int len = 0;
	u32 k;

	for (k = 0; k < SECTIONS_BUCKETS; k++)
		if (s->count[k])
			len += snprintf(text + len, sizeof(text) - len, " <%llu:%llu", 1ULL << k,
					(unsigned long long)s->count[k]);
	tap_comment("%s: %llu steps, longest %.1f us (step %llu), heaviest %llu (step %llu); us:%s",
		    s->name, (unsigned long long)s->n, s->worst / 1000.0,
		    (unsigned long long)s->worst_at, (unsigned long long)s->weight,
		    (unsigned long long)s->weight_at, text);
}

/* Run a job of one worker to its end. */
static inline void sections_run(struct sections *s, struct vs_job *job)
{
	struct vs_worker *w = vs_worker_new(vs_job_arena(job));
	u64 start, was;
	enum vs_run run;

	do {
		was = vs_job_weight(job);
		start = sections_now();
		run = vs_job_step(job, w);
		sections_add(s, sections_now() - start, vs_job_weight(job) - was);
	} while (run != VS_RUN_DONE);
	vs_worker_free(w);
	sections_show(s);
}

#endif
