/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Length of a job's steps. Times are printed only, as the machine may be busy; tests check the
 * weight charged by a step, which is the same on every machine.
 *
 * A job is executed several times: the time of a step is the shortest of its times, without that
 * of interrupts, of other virtual machines, and of page faults, which a kernel does not have there.
 * Environment: SECTIONS_RUNS, the number of runs (3); SECTIONS_TOP, number of the longest steps to
 * print (0).
 */
#ifndef SELFTESTS_INCLUDE_SECTIONS_H
#define SELFTESTS_INCLUDE_SECTIONS_H

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernel/engine/vs_debug.h"
#include "tap.h"

#define SECTIONS_SLICE	3000
#define SECTIONS_BUCKETS 24
#define SECTIONS_RUNS	3
#define SECTIONS_LONG	100000	/* ns */

/**
 * struct sections_way - How jobs are executed.
 * @limits:	of the job
 * @dbg:	a debugger with points of all kinds that do not stop
 * @points:	these
 * @name:	for messages
 * @next:	number of the next way
 */
struct sections_way {
	struct vs_job_limits limits;
	struct vs_debug dbg;
	struct vs_debug_points points;
	char name[32];
	u32 next;
};

/**
 * struct section - A step.
 * @ns:		the shortest of its times, CPU time
 * @weight:	charged by it
 */
struct section {
	u64 ns;
	u64 weight;
};

/**
 * struct sections - Steps of a job.
 * @name:	of the case
 * @step:	steps of the first run
 * @n:		their number
 * @room:	size of @step
 * @runs:	runs begun
 * @at:		step of the present run
 * @differ:	the present run had other steps than the first, or another number of them
 * @weight:	most weight that a step of any run has charged
 */
struct sections {
	const char *name;
	struct section *step;
	u64 n;
	u64 room;
	u32 runs;
	u64 at;
	bool differ;
	u64 weight;
};

static inline u32 sections_env(const char *name, u32 value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : value;
}

static inline u64 sections_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Begin another run of the same job. Return: it is wanted. */
static inline bool sections_again(struct sections *s)
{
	if (!s->runs) {
		/* memory of a run is used again by the next one */
		mallopt(M_MMAP_MAX, 0);
		mallopt(M_TRIM_THRESHOLD, -1);
	} else {
		s->differ |= s->at != s->n;
	}
	if (s->differ || s->runs >= sections_env("SECTIONS_RUNS", SECTIONS_RUNS))
		return false;
	s->runs++;
	s->at = 0;
	return true;
}

static inline void sections_add(struct sections *s, u64 ns, u64 weight)
{
	struct section *step;

	/* a block that is executed again gives its weight back */
	if ((s64)weight > 0)
		s->weight = max(s->weight, weight);
	if (s->runs == 1) {
		if (s->n == s->room) {
			s->room = 2 * s->room + 1024;
			s->step = realloc(s->step, s->room * sizeof(*s->step));
		}
		s->step[s->n++] = (struct section){ ns, weight };
	} else if (s->at < s->n && s->step[s->at].weight == weight) {
		step = &s->step[s->at];
		step->ns = min(step->ns, ns);
	} else {
		s->differ = true;
	}
	s->at++;
}

/* Return: the longest step of those that are shorter than @below, or s->n. */
static inline u64 sections_longest(const struct sections *s, u64 below)
{
	u64 best = s->n, k;

	for (k = 0; k < s->n; k++)
		if (s->step[k].ns < below &&
		    (best == s->n || s->step[k].ns > s->step[best].ns))
			best = k;
	return best;
}

static inline void sections_top(const struct sections *s)
{
	u32 top = sections_env("SECTIONS_TOP", 0), i;
	u64 below = ~0ULL, k;

	for (i = 0; i < top; i++) {
		k = sections_longest(s, below);
		if (k == s->n)
			return;
		below = s->step[k].ns;
		tap_comment("  step %llu: %.1f us, weight %llu", (unsigned long long)k,
			    below / 1000.0, (unsigned long long)s->step[k].weight);
	}
}

/* Print the steps, and forget them. @way: how they were executed, or NULL. */
static inline void sections_show(struct sections *s, const struct sections_way *way)
{
	u64 count[SECTIONS_BUCKETS] = {}, worst = sections_longest(s, ~0ULL), over = 0, k, us;
	char text[256] = "";
	int len = 0;
	u32 b;

	for (k = 0; k < s->n; k++) {
		us = s->step[k].ns / 1000;
		b = us ? 64 - __builtin_clzll(us) : 0;
		count[b < SECTIONS_BUCKETS ? b : SECTIONS_BUCKETS - 1]++;
		over += s->step[k].ns > SECTIONS_LONG;
	}
	for (b = 0; b < SECTIONS_BUCKETS; b++)
		if (count[b])
			len += snprintf(text + len, sizeof(text) - len, " <%llu:%llu", 1ULL << b,
					(unsigned long long)count[b]);
	tap_comment("%s%s%s: %llu steps, longest %.1f us (step %llu), %llu over %u us%s",
		    way ? way->name : "", way ? ": " : "", s->name, (unsigned long long)s->n,
		    s->n ? s->step[worst].ns / 1000.0 : 0, (unsigned long long)worst,
		    (unsigned long long)over, SECTIONS_LONG / 1000,
		    s->differ ? "; steps differ from run to run" : s->runs < 2 ? "; one run" : "");
	tap_comment("  heaviest %llu; us:%s", (unsigned long long)s->weight, text);
	sections_top(s);
	free(s->step);
	s->step = NULL;
}

static inline void sections_debug(struct sections_way *way)
{
	u32 i;

	way->dbg = (struct vs_debug){ .on = true };
	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++)
		way->points.p[i] = (struct vs_debug_point){
			.id = i + 1, .kind = i % 3, .flags = VS_DEBUG_READ | VS_DEBUG_WRITE,
			.pc = ~0U - 1, .va = ~0ULL - 1, .size = 1, .ignore = ~0U,
		};
	way->limits.dbg = &way->dbg;
}

/* Whether this is the first way of all. */
static inline bool sections_first(const struct sections_way *way)
{
	return way->limits.simd == VS_SIMD_PORTABLE && !way->limits.dbg;
}

/* Limits of the next job. */
static inline const struct vs_job_limits *sections_limits(struct sections_way *way)
{
	if (way->limits.dbg) {
		vs_debug_job(&way->dbg, 1, 1);
		way->points.gen = way->dbg.pts.gen + 1;
		vs_debug_sync(&way->dbg, &way->points);
	}
	return &way->limits;
}

/*
 * The next way: each executor of this machine, then the portable and the widest one under a
 * debugger. Return: false: these were all.
 */
static inline bool sections_next(struct sections_way *way)
{
	const enum vs_simd debugged[] = { VS_SIMD_PORTABLE, vs_simd_best() };
	bool debug;
	u32 k;

	while (way->next < VS_NUM_SIMD && !(vs_simd_mask() & 1U << way->next))
		way->next++;
	k = way->next++;
	debug = k >= VS_NUM_SIMD;
	if (k >= VS_NUM_SIMD + 2)
		return false;
	way->limits = (struct vs_job_limits){
		.budget = 1ULL << 40, .slice = SECTIONS_SLICE,
		.simd = debug ? debugged[k - VS_NUM_SIMD] : (enum vs_simd)k,
	};
	if (debug)
		sections_debug(way);
	snprintf(way->name, sizeof(way->name), "%s%s", vs_simd_name(way->limits.simd),
		 debug ? ", debugged" : "");
	return true;
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
}

#endif
