// SPDX-License-Identifier: GPL-2.0
/*
 * Others wait for a client that gets next to no CPU time: a millisecond of each second, of which
 * it has used those of the next seconds already. Its jobs end when they are cancelled, and when
 * somebody could have waited for them for too long.
 *
 * Times are printed only. That jobs do not wait for the group is shown by a witness, a process in
 * the group that counts: if it has not counted meanwhile, the group had no CPU time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "vshader_test.h"
#include "vst_cgroup.h"

#define NO_TIME		"1000 1000000"
#define MAX_MS		10000
/* An event that has not happened then never happens. */
#define WATCHDOG_MS	60000
#define ROUNDS		5
#define MAX_ROUNDS	1000
#define NICE		3

/*
 * A client, and a buffer that others wait for.
 * @t: the client's file; its threads are in the group
 * @program: executes for ever
 * @other: another file
 * @dmabuf: buffer of @other, to wait for; mapped by the client
 * @grouped: @cgroup exists
 */
FIXTURE(throttled) {
	struct vst t;
	__u32 program;
	int other;
	int dmabuf;
	char cgroup[64];
	bool grouped;
};

static __u64 now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
}

/* Return: 0 if nobody uses the buffer any more, -ETIME. */
static int wait_shared(int dmabuf, unsigned int ms)
{
	struct pollfd p = { .fd = dmabuf, .events = POLLOUT };

	return poll(&p, 1, ms) == 1 ? 0 : -ETIME;
}

static int enter(const FIXTURE_DATA(throttled) *self)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/cgroup.procs", self->cgroup);
	return vst_write_file(path, "0");
}

static int leave(void)
{
	return vst_write_file(VST_CGROUPS "/cgroup.procs", "0");
}

static int open_client(FIXTURE_DATA(throttled) *self)
{
	struct vst *t = &self->t;
	__u32 handle;
	int ret;

	t->fd = vst_open();
	if (t->fd < 0)
		return t->fd;
	ret = vst_vm_create(t->fd, 0, &t->vm);
	if (!ret)
		ret = vst_prime_import(t->fd, self->dmabuf, &handle);
	if (!ret)
		ret = vst_map(t->fd, t->vm, handle, 0, VA(9), PAGE, 0);
	return ret ?: vst_program(t->fd, &vst_spin, &self->program);
}

/* Return: 0, -ENODEV, -EPERM, another error: no controller. */
static int set_up(FIXTURE_DATA(throttled) *self)
{
	__u32 shared;
	int ret;

	self->t.fd = -1;
	self->dmabuf = -1;
	self->other = vst_open();
	if (self->other < 0)
		return self->other;
	if (geteuid())
		return -EPERM;
	ret = vst_cgroup_new("throttled", "max", self->cgroup, sizeof(self->cgroup));
	if (ret)
		return ret;
	self->grouped = true;
	ret = vst_bo_create(self->other, PAGE, 0, 0, &shared);
	if (!ret)
		ret = vst_prime_export(self->other, shared, &self->dmabuf);
	return ret ?: open_client(self);
}

static void tear_down(FIXTURE_DATA(throttled) *self)
{
	if (self->t.fd >= 0)
		close(self->t.fd);
	if (self->dmabuf >= 0)
		close(self->dmabuf);
	if (self->other >= 0)
		close(self->other);
	if (self->grouped)
		vst_cgroup_free(self->cgroup);
	self->grouped = false;
}

/* Return: NULL: the test can run, or has failed. */
static const char *skip_reason(const FIXTURE_DATA(throttled) *self, int ret)
{
	if (ret == -ENODEV)
		return "no vshader render node";
	if (ret == -EPERM)
		return "needs root";
	return ret && !self->grouped ? "no cpu controller of cgroup2" : NULL;
}

FIXTURE_SETUP(throttled)
{
	int ret = set_up(self);
	const char *reason = skip_reason(self, ret);

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, ret);
	setpriority(PRIO_PROCESS, 0, NICE);
}

FIXTURE_TEARDOWN(throttled)
{
	tear_down(self);
	EXPECT_EQ(0, vst_alive());
}

/* A job that executes for ever, on a new queue unless @queue is one. */
static int submit(const FIXTURE_DATA(throttled) *self, __u32 vm, __u32 *queue, __u32 signal)
{
	struct vst_job j;
	int ret = *queue ? 0 : vst_queue(self->t.fd, vm, 0, MAX_MS, queue);

	if (ret)
		return ret;
	vst_job_init(&j, *queue, self->program, VST_COUNT);
	if (signal)
		vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, signal, 0);
	return vst_submit(self->t.fd, &j);
}

/* The threads that this takes are created in the group. */
static int submit_in_group(const FIXTURE_DATA(throttled) *self, __u32 vm, __u32 *queue,
			   __u32 signal)
{
	int ret = enter(self);

	if (!ret)
		ret = submit(self, vm, queue, signal);
	return ret ?: leave();
}

static int spin(const FIXTURE_DATA(throttled) *self, __u32 *queue)
{
	return submit_in_group(self, self->t.vm, queue, 0);
}

/* Wait until the job of a queue is being executed. */
static int wait_busy(const FIXTURE_DATA(throttled) *self, __u32 queue)
{
	struct drm_vshader_queue_get_state st = { 0 };
	int i, ret = 0;

	for (i = 0; i < 1000 && !ret && !st.busy_ns; i++) {
		usleep(10000);
		ret = vst_queue_state(self->t.fd, queue, &st);
	}
	return ret ?: st.busy_ns ? 0 : -ETIME;
}

/* The client executes a while, until its group has no CPU time for seconds. */
static int throttle(const FIXTURE_DATA(throttled) *self, __u32 queue)
{
	struct drm_vshader_queue_get_state st;
	__u64 was;
	int i, ret;

	ret = wait_busy(self, queue);
	if (!ret)
		ret = vst_cgroup_limit(self->cgroup, NO_TIME);
	for (i = 0; i < 300 && !ret; i++) {
		ret = vst_queue_state(self->t.fd, queue, &st);
		was = st.busy_ns;
		usleep(100000);
		if (!ret)
			ret = vst_queue_state(self->t.fd, queue, &st);
		if (st.busy_ns == was)
			return ret;
	}
	return ret ?: -ETIME;
}

static int unthrottle(const FIXTURE_DATA(throttled) *self)
{
	return vst_cgroup_limit(self->cgroup, "max");
}

/**
 * struct witness - memory that is shared with a process in the group
 * @count:	it counts
 * @on:		while this is set; otherwise it leaves the CPU time to the client's threads
 */
struct witness {
	__u64 count;
	__u32 on;
};

static pid_t start_witness(const FIXTURE_DATA(throttled) *self, struct witness **witness)
{
	struct witness *w = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				 -1, 0);
	pid_t pid;

	*witness = w;
	if (w == MAP_FAILED)
		return -1;
	pid = fork();
	if (pid)
		return pid;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || enter(self))
		_exit(1);
	for (;;) {
		if (__atomic_load_n(&w->on, __ATOMIC_RELAXED))
			__atomic_add_fetch(&w->count, 1, __ATOMIC_RELAXED);
		else
			usleep(1000);
	}
}

/**
 * struct waiter - thread that waits for the client's jobs
 * @witness:	witness, or NULL
 * @count_end:	its count when they had ended
 * @end:	the time then, us; 0: they have not
 */
struct waiter {
	pthread_t thread;
	int dmabuf;
	const struct witness *witness;
	__u64 count_end;
	__u64 end;
};

static void *wait_fn(void *arg)
{
	struct waiter *w = arg;

	w->end = wait_shared(w->dmabuf, WATCHDOG_MS) ? 0 : now_us();
	if (w->witness)
		w->count_end = __atomic_load_n(&w->witness->count, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Wait in another thread, while this one may be in an ioctl. */
static int start_wait(const FIXTURE_DATA(throttled) *self, struct waiter *w)
{
	int ret = wait_shared(self->dmabuf, 0);

	if (ret != -ETIME)
		return -EALREADY;
	w->dmabuf = self->dmabuf;
	return -pthread_create(&w->thread, NULL, wait_fn, w);
}

/* Return: microseconds from @begin until nobody used the buffer any more, ~0: for ever. */
static __u64 end_wait(struct waiter *w, __u64 begin)
{
	pthread_join(w->thread, NULL);
	return w->end ? w->end - begin : ~0ULL;
}

static int compare(const void *a, const void *b)
{
	return *(const __u64 *)a < *(const __u64 *)b ? -1 : *(const __u64 *)a > *(const __u64 *)b;
}

static void print_times(const char *what, __u64 *us, unsigned int n)
{
	qsort(us, n, sizeof(*us), compare);
	printf("# %s: %llu to %llu us, median %llu us of %u\n", what, us[0], us[n - 1], us[n / 2],
	       n);
}

/*
 * By another process of the client, which has CPU time. The group may happen to get its millisecond
 * just then, but not each time.
 */
TEST_F_TIMEOUT(throttled, queue_destroy, 300)
{
	__u64 us[ROUNDS], begin, count;
	struct witness *witness;
	struct waiter w = {};
	int i, without = 0;
	pid_t pid;

	pid = start_witness(self, &witness);
	ASSERT_LT(0, pid);
	for (i = 0; i < ROUNDS; i++) {
		__u32 queue = 0;

		ASSERT_EQ(0, spin(self, &queue));
		ASSERT_EQ(0, throttle(self, queue));
		__atomic_store_n(&witness->on, 1, __ATOMIC_SEQ_CST);
		w.witness = witness;
		ASSERT_EQ(0, start_wait(self, &w));
		count = __atomic_load_n(&witness->count, __ATOMIC_SEQ_CST);
		begin = now_us();
		EXPECT_EQ(0, vst_queue_destroy(self->t.fd, queue));
		us[i] = end_wait(&w, begin);
		EXPECT_NE(~0ULL, us[i]);
		without += w.count_end == count;
		__atomic_store_n(&witness->on, 0, __ATOMIC_SEQ_CST);
		ASSERT_EQ(0, unthrottle(self));
		EXPECT_EQ(0, wait_shared(self->dmabuf, WATCHDOG_MS));
	}
	print_times("QUEUE_DESTROY", us, ROUNDS);
	printf("# %d times of %d without CPU time for the group\n", without, ROUNDS);
	EXPECT_LT(0, without);
	kill(pid, SIGKILL);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
}

/* Jobs of a destroyed queue that have not started. */
TEST_F_TIMEOUT(throttled, queued_jobs, 120)
{
	__u32 queue = 0, done;
	int i;

	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	for (i = 0; i < 100; i++)
		ASSERT_EQ(0, submit_in_group(self, self->t.vm, &queue, i == 99 ? done : 0));
	ASSERT_EQ(0, throttle(self, queue));
	EXPECT_EQ(0, vst_queue_destroy(self->t.fd, queue));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, WATCHDOG_MS));
	EXPECT_EQ(-ECANCELED, vst_fence_status(self->t.fd, done));
	EXPECT_EQ(0, wait_shared(self->dmabuf, WATCHDOG_MS));
}

/* ---- from the cancellation until the fence signals ---- */

/*
 * How a client's job is cancelled, and what CPU time the client has. The job has executed longer
 * than that when it is cancelled. Environment: VST_ROUNDS, the number of measurements (1).
 */
FIXTURE(cancel) {
	FIXTURE_DATA(throttled) c;
	__u64 us[MAX_ROUNDS];
	unsigned int rounds;
};

FIXTURE_VARIANT(cancel) {
	const char *cpu_max;
	unsigned int settle_ms;
};

FIXTURE_VARIANT_ADD(cancel, unlimited) {
	.cpu_max = "max",
	.settle_ms = 20,
};

FIXTURE_VARIANT_ADD(cancel, one_percent) {
	.cpu_max = "1000 100000",
	.settle_ms = 300,
};

FIXTURE_VARIANT_ADD(cancel, no_time) {
	.cpu_max = NO_TIME,
	.settle_ms = 500,
};

FIXTURE_SETUP(cancel)
{
	const char *rounds = getenv("VST_ROUNDS");
	int ret = set_up(&self->c);
	const char *reason = skip_reason(&self->c, ret);

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, ret);
	self->rounds = rounds ? strtoul(rounds, NULL, 10) : 1;
	if (!self->rounds || self->rounds > MAX_ROUNDS)
		self->rounds = MAX_ROUNDS;
}

FIXTURE_TEARDOWN(cancel)
{
	tear_down(&self->c);
	EXPECT_EQ(0, vst_alive());
}

static int settle(FIXTURE_DATA(throttled) *c, const FIXTURE_VARIANT(cancel) *v)
{
	int ret = vst_cgroup_limit(c->cgroup, v->cpu_max);

	usleep(1000 * v->settle_ms);
	return ret;
}

/* A job is being executed, in the way of the variant. */
static int begin_round(FIXTURE_DATA(throttled) *c, const FIXTURE_VARIANT(cancel) *v, __u32 *queue)
{
	int ret = spin(c, queue);

	if (!ret)
		ret = wait_busy(c, *queue);
	return ret ?: settle(c, v);
}

/* Everything is made again: the round may have taken the client or the device away. */
static int end_round(FIXTURE_DATA(throttled) *c)
{
	int ret = unthrottle(c);

	tear_down(c);
	return ret ?: set_up(c);
}

TEST_F_TIMEOUT(cancel, queue_destroy, 300)
{
	struct waiter w = {};
	unsigned int i;
	__u64 begin;

	for (i = 0; i < self->rounds; i++) {
		__u32 queue = 0;

		ASSERT_EQ(0, begin_round(&self->c, variant, &queue));
		ASSERT_EQ(0, start_wait(&self->c, &w));
		begin = now_us();
		EXPECT_EQ(0, vst_queue_destroy(self->c.t.fd, queue));
		self->us[i] = end_wait(&w, begin);
		EXPECT_NE(~0ULL, self->us[i]);
		ASSERT_EQ(0, end_round(&self->c));
	}
	print_times("QUEUE_DESTROY", self->us, self->rounds);
}

/* Three jobs wait for the first one. close() itself ends when the client's threads have. */
TEST_F_TIMEOUT(cancel, close, 300)
{
	__u64 begin, all[MAX_ROUNDS];
	struct waiter w = {};
	unsigned int i, k;
	__u32 queue;

	for (i = 0; i < self->rounds; i++) {
		queue = 0;
		ASSERT_EQ(0, begin_round(&self->c, variant, &queue));
		for (k = 0; k < 3; k++) {
			queue = 0;
			ASSERT_EQ(0, submit(&self->c, self->c.t.vm, &queue, 0));
		}
		ASSERT_EQ(0, start_wait(&self->c, &w));
		begin = now_us();
		close(self->c.t.fd);
		all[i] = now_us() - begin;
		self->c.t.fd = -1;
		self->us[i] = end_wait(&w, begin);
		EXPECT_NE(~0ULL, self->us[i]);
		ASSERT_EQ(0, end_round(&self->c));
	}
	print_times("close()", self->us, self->rounds);
	print_times("close() itself", all, self->rounds);
}

/* The only process that has the file, in the group. Never returns. */
static void be_killed(FIXTURE_DATA(throttled) *c, int ready)
{
	__u32 queue = 0;
	int ret = enter(c);

	close(c->t.fd);
	if (!ret)
		ret = open_client(c);
	if (!ret)
		ret = submit(c, c->t.vm, &queue, 0);
	if (!ret)
		ret = wait_busy(c, queue);
	if (write(ready, &ret, sizeof(ret)) != sizeof(ret))
		_exit(1);
	for (;;)
		pause();
}

/* Return: the process, or a negative errno. */
static pid_t start_victim(FIXTURE_DATA(throttled) *c)
{
	int p[2], ret = -EPIPE;
	pid_t pid;

	if (pipe(p))
		return -errno;
	pid = fork();
	if (!pid)
		be_killed(c, p[1]);
	close(p[1]);
	if (read(p[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -EPIPE;
	close(p[0]);
	return ret ?: pid;
}

/* The process takes long to die in its group: others need not wait for that. */
TEST_F_TIMEOUT(cancel, kill, 300)
{
	struct waiter w = {};
	unsigned int i;
	__u64 begin;
	pid_t pid;

	for (i = 0; i < self->rounds; i++) {
		pid = start_victim(&self->c);
		ASSERT_LT(0, pid);
		ASSERT_EQ(0, settle(&self->c, variant));
		ASSERT_EQ(0, start_wait(&self->c, &w));
		begin = now_us();
		kill(pid, SIGKILL);
		self->us[i] = end_wait(&w, begin);
		EXPECT_NE(~0ULL, self->us[i]);
		EXPECT_EQ(0, unthrottle(&self->c));
		EXPECT_EQ(pid, waitpid(pid, NULL, 0));
		ASSERT_EQ(0, end_round(&self->c));
	}
	print_times("SIGKILL", self->us, self->rounds);
}

static int bind_again(const char *name)
{
	int i, fd = -1;

	if (vst_write_file("/sys/bus/platform/drivers/vshader/bind", name))
		return -ENODEV;
	for (i = 0; i < 1200 && fd < 0; i++) {
		fd = vst_open();
		usleep(50000);
	}
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

TEST_F_TIMEOUT(cancel, unbind, 300)
{
	struct waiter w = {};
	unsigned int i;
	char name[64];
	__u64 begin;

	for (i = 0; i < self->rounds; i++) {
		__u32 queue = 0;

		ASSERT_EQ(0, begin_round(&self->c, variant, &queue));
		ASSERT_EQ(0, vst_device_name(self->c.other, name, sizeof(name)));
		ASSERT_EQ(0, start_wait(&self->c, &w));
		begin = now_us();
		ASSERT_EQ(0, vst_write_file("/sys/bus/platform/drivers/vshader/unbind", name));
		self->us[i] = end_wait(&w, begin);
		EXPECT_NE(~0ULL, self->us[i]);
		ASSERT_EQ(0, bind_again(name));
		ASSERT_EQ(0, end_round(&self->c));
	}
	print_times("unbind", self->us, self->rounds);
}

/* ---- limits ---- */

/* A job whose CPU time limit ends its group's time, too. */
TEST_F_TIMEOUT(throttled, time_limit, 120)
{
	struct drm_vshader_queue_get_state st;
	__u32 queue;

	ASSERT_EQ(0, vst_cgroup_limit(self->cgroup, "30000 1000000"));
	ASSERT_EQ(0, enter(self));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 20, &queue));
	EXPECT_EQ(0, submit(self, self->t.vm, &queue, 0));
	ASSERT_EQ(0, leave());
	EXPECT_EQ(0, wait_shared(self->dmabuf, WATCHDOG_MS * vst_scale()));
	ASSERT_EQ(0, vst_queue_state(self->t.fd, queue, &st));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, st.fault.kind);
	EXPECT_EQ(0, st.fault.info);
}

/*
 * Others wait for the second job of a queue: the first one, for which nobody waits, ends, too. A
 * job for which nobody can wait, on another queue, goes on.
 */
TEST_F_TIMEOUT(throttled, shared_limit, 120)
{
	struct drm_vshader_queue_get_state st;
	__u32 vm, done, alone = 0, queue = 0;
	struct vst_parameter limit;
	__u64 begin;

	ASSERT_EQ(0, vst_vm_create(self->t.fd, 0, &vm));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	ASSERT_EQ(0, vst_parameter_set(&limit, "shared_ms", "2000"));
	EXPECT_EQ(0, submit_in_group(self, vm, &alone, 0));
	EXPECT_EQ(0, submit_in_group(self, vm, &queue, 0));
	EXPECT_EQ(0, throttle(self, alone));

	begin = now_us();
	EXPECT_EQ(0, submit(self, vm, &queue, done));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, WATCHDOG_MS));
	/* not before the limit */
	EXPECT_LE(2000, (now_us() - begin) / 1000);
	printf("# ended after %llu ms\n", (now_us() - begin) / 1000);
	EXPECT_GT(0, vst_fence_status(self->t.fd, done));
	vst_parameter_reset(&limit);

	ASSERT_EQ(0, vst_queue_state(self->t.fd, queue, &st));
	EXPECT_EQ(2, st.completed);
	EXPECT_EQ(1, st.fault.job);
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, st.fault.kind);
	EXPECT_EQ(DRM_VSHADER_TIMEOUT_SHARED, st.fault.info);
	ASSERT_EQ(0, vst_queue_state(self->t.fd, alone, &st));
	EXPECT_EQ(0, st.completed);
}

/* ---- raised threads ---- */

/* Threads of the client with another policy or nice value than the client's; -1: no threads. */
static int odd_threads(int fd)
{
	char path[300], comm[32], want[32], info[2048], *at;
	int n = 0, found = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (vst_read_file(path, info, sizeof(info)) < 0)
		return -1;
	at = strstr(info, "drm-client-id:");
	snprintf(want, sizeof(want), "vshader-%llu/", at ? strtoull(at + 14, NULL, 10) : 0);
	d = opendir("/proc");
	while (d && (e = readdir(d))) {
		pid_t pid = atoi(e->d_name);

		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		if (pid <= 0 || vst_read_file(path, comm, sizeof(comm)) <= 0 ||
		    strncmp(comm, want, strlen(want)))
			continue;
		found++;
		n += sched_getscheduler(pid) != SCHED_OTHER ||
		     getpriority(PRIO_PROCESS, pid) != NICE;
	}
	if (d)
		closedir(d);
	return found ? n : -1;
}

/* Return: the threads that are odd for longer than it takes to create one, or to let one go. */
static int still_odd(int fd)
{
	int i, n = odd_threads(fd);

	for (i = 0; i < 3000 && n; i++) {
		usleep(20000);
		n = odd_threads(fd);
	}
	return n;
}

/* They are for what has been cancelled only: then they are what they were. */
TEST_F_TIMEOUT(throttled, threads_go_back, 120)
{
	struct drm_vshader_queue_get_state st;
	__u32 vm, queue = 0, other = 0;

	ASSERT_EQ(0, vst_vm_create(self->t.fd, 0, &vm));
	ASSERT_EQ(0, submit_in_group(self, vm, &other, 0));
	ASSERT_EQ(0, spin(self, &queue));
	EXPECT_EQ(0, still_odd(self->t.fd));
	ASSERT_EQ(0, wait_busy(self, other));
	ASSERT_EQ(0, throttle(self, queue));
	EXPECT_EQ(0, vst_queue_destroy(self->t.fd, queue));
	EXPECT_EQ(0, wait_shared(self->dmabuf, WATCHDOG_MS));
	EXPECT_EQ(0, still_odd(self->t.fd));
	ASSERT_EQ(0, vst_queue_state(self->t.fd, other, &st));
	EXPECT_EQ(0, st.completed);
}

TEST_HARNESS_MAIN
