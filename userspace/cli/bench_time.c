// SPDX-License-Identifier: MIT
/*
 * Benchmarks: clocks, hashes.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

uint64_t bench_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Linux: the clock of a thread by its number. */
#define THREAD_CLOCK(tid)	((clockid_t)((~(unsigned int)(tid) << 3) | 6))

static uint64_t thread_ns(clockid_t clock)
{
	struct timespec ts;

	/* threads may have gone */
	if (clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * CPU time of all other threads. The process clock lags for running threads, by as much
 * as the length of a short job; the threads' own clocks do not.
 */
static uint64_t others_ns(void)
{
	DIR *dir = opendir("/proc/self/task");
	pid_t self = (pid_t)syscall(SYS_gettid), tid;
	uint64_t all = 0;
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0 && tid != self)
			all += thread_ns(THREAD_CLOCK(tid));
	}
	if (dir)
		closedir(dir);
	return all;
}

uint64_t bench_cpu_start(void)
{
	uint64_t others = others_ns();

	return others + thread_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t bench_cpu_since(uint64_t start)
{
	uint64_t self = thread_ns(CLOCK_THREAD_CPUTIME_ID);

	return self + others_ns() - start;
}

/* FNV-1a with the start value of the published hashes. */
uint64_t bench_hash(const void *p, size_t bytes)
{
	const uint8_t *b = p;
	uint64_t h = 1469598103934665603ull;
	size_t i;

	for (i = 0; i < bytes; i++)
		h = (h ^ b[i]) * 0x100000001b3ull;
	return h;
}

bool bench_wanted(const struct bench_params *p, const char *name)
{
	size_t n = p->workload ? strlen(p->workload) : 0;

	if (!n)
		return true;
	/* q is all of q1 to q10, q1 is not q10 */
	return !strncmp(name, p->workload, n) &&
	       !(isdigit(p->workload[n - 1]) && isdigit(name[n]));
}

int bench_compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}
