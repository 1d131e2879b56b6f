// SPDX-License-Identifier: GPL-2.0
/*
 * Job files on a machine that has no time for them: waits end before jobs do.
 *
 *   test_busy FILE         a job that runs until its time limit
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "jobfile.h"
#include "lib_test.h"

#define SPIN_NS		20000000	/* CPU time that passes in a wait */

static pthread_t waiter;
static unsigned int waits;

static int64_t process_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* The time of the waiting thread is over as soon as the process has had a little of a processor. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *end)
{
	int64_t began = process_ns();
	const int out = ETIMEDOUT;

	if (!pthread_equal(waiter, pthread_self()))
		return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, end);
	waits++;
	pthread_mutex_unlock(mutex);
	while (process_ns() - began < SPIN_NS)
		sched_yield();
	pthread_mutex_lock(mutex);
	return out;
}

int main(int argc, char **argv)
{
	struct vshader_run *run = NULL;
	struct vshader_jobfile *jf;
	struct vshader_device *dev;
	char err[512] = "";
	int ret;

	waiter = pthread_self();
	if (!is_ok(vshader_open("local:workers=1", &dev), "open the device"))
		return tap_done();
	ret = vshader_jobfile_load(argc > 1 ? argv[1] : "", &jf, err, sizeof(err));
	if (tap_result(!ret, "load a job file")) {
		ret = vshader_jobfile_run(jf, dev, &run, err, sizeof(err));
		tap_result(!ret && run->num_checks && !run->num_failed && waits > 1,
			   "a job reaches its limit, which is CPU time, after several waits");
		vshader_run_free(run);
		vshader_jobfile_free(jf);
	}
	if (*err)
		tap_comment("%s", err);
	vshader_close(dev);
	return tap_done();
}
