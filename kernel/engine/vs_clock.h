/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The time, for jobs that may read it. Not in vs_glue.h: <time.h> has names that the front ends
 * use.
 */
#ifndef VS_CLOCK_H
#define VS_CLOCK_H

#include "vs_glue.h"

#ifdef __KERNEL__

#include <linux/ktime.h>

/* CLOCK_MONOTONIC. */
static inline u64 vs_now_ns(void)
{
	return ktime_get_ns();
}

#else

#include <time.h>

static inline u64 vs_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

#endif

#endif /* VS_CLOCK_H */
