// SPDX-License-Identifier: GPL-2.0
/*
 * Job files on a machine that has no time for them: waits end before jobs do.
 *
 *   test_busy FILE         a job that runs until its time limit
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jobfile.h"
#include "lib_test.h"

#define SPIN_NS		20000000	/* CPU time that passes in a wait */

static pthread_t waiter;
static unsigned int waits;
static int64_t asked_s;		/* the sum of their times */
static atomic_bool idle;	/* the process gets no CPU time, as far as it can see */

int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (idle && clock == CLOCK_PROCESS_CPUTIME_ID) {
		*t = (struct timespec){ .tv_sec = 1 };
		return 0;
	}
	return syscall(SYS_clock_gettime, clock, t);
}

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
	struct timespec now;

	if (!pthread_equal(waiter, pthread_self()))
		return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, end);
	waits++;
	clock_gettime(CLOCK_MONOTONIC, &now);
	asked_s += end->tv_sec - now.tv_sec;
	pthread_mutex_unlock(mutex);
	while (!idle && process_ns() - began < SPIN_NS)
		sched_yield();
	pthread_mutex_lock(mutex);
	return out;
}

static void progress(struct vshader_jobfile *jf, struct vshader_device *dev)
{
	struct vshader_run *run = NULL;
	char err[512] = "";
	int ret = vshader_jobfile_run(jf, dev, &run, err, sizeof(err));

	if (!tap_result(!ret && run->num_checks && !run->num_failed && waits > 2,
			"a job reaches its limit, which is CPU time, after several waits"))
		tap_comment("%d, %u waits: %s", ret, waits, err);
	vshader_run_free(run);
}

static void standstill(struct vshader_jobfile *jf, struct vshader_device *dev)
{
	struct vshader_run *run = NULL;
	char err[512] = "";
	int ret;

	waits = 0;
	asked_s = 0;
	idle = true;
	ret = vshader_jobfile_run(jf, dev, &run, err, sizeof(err));
	idle = false;
	if (!tap_result(ret == -ETIME && waits == 2 && asked_s > 60 && asked_s < 90,
			"a job that gets no CPU time is waited for once, after a short look"))
		tap_comment("%d, %u waits, %lld s: %s", ret, waits, (long long)asked_s, err);
	vshader_run_free(run);
}

int main(int argc, char **argv)
{
	struct vshader_jobfile *jf;
	struct vshader_device *dev;
	char err[512] = "";
	int ret;

	waiter = pthread_self();
	if (!is_ok(vshader_open("local:workers=1", &dev), "open the device"))
		return tap_done();
	ret = vshader_jobfile_load(argc > 1 ? argv[1] : "", &jf, err, sizeof(err));
	if (tap_result(!ret, "load a job file")) {
		progress(jf, dev);
		standstill(jf, dev);
		vshader_jobfile_free(jf);
	} else {
		tap_comment("%s", err);
	}
	vshader_close(dev);
	return tap_done();
}
