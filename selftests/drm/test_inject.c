// SPDX-License-Identifier: GPL-2.0
/*
 * Fault injection through debugfs: each kind acts as documented in
 * Documentation/fault-injection.rst, once, on the chosen job, and the fence of every job
 * signals.
 */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>

#include "vshader_test.h"

#define LIMIT_MS	300
#define DELAY_MS	400
#define MAX_DELAY_MS	10000
#define HOLE		VA(40)

static const char * const kinds[] = {
	"fail_submit", "hang_job", "fault_page", "delay_completion", "lose_completion",
	"corrupt_buffer",
};

static const char * const trace_roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

FIXTURE(inject) {
	struct vst t;
	struct vst_job j;
	char dir[64];
	__u64 began;
};

static __u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

static int set(const char *dir, const char *kind, const char *file, __u64 value)
{
	char path[160], text[32];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, kind, file);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return vst_write_file(path, text);
}

/* The next job, or submit, has this fault. */
static int arm(const char *dir, const char *kind)
{
	int ret = set(dir, kind, "times", 1);

	return ret ? ret : set(dir, kind, "probability", 100);
}

static void disarm_all(const char *dir)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		set(dir, kinds[i], "probability", 0);
		set(dir, kinds[i], "task-filter", 0);
		set(dir, kinds[i], "interval", 1);
	}
}

/* Switch the trace event on or off. */
static bool trace_on(const char *value)
{
	char path[128];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/trace", trace_roots[i]);
		if (*value == '1')
			vst_write_file(path, "");
		snprintf(path, sizeof(path), "%s/events/vshader/vshader_inject/enable",
			 trace_roots[i]);
		if (!vst_write_file(path, value))
			return true;
	}
	return false;
}

static bool traced(const char *text)
{
	static char buf[65536];
	char path[128];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/trace", trace_roots[i]);
		if (vst_read_file(path, buf, sizeof(buf)) > 0)
			return strstr(buf, text);
	}
	return false;
}

FIXTURE_SETUP(inject)
{
	struct stat st;

	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	ASSERT_EQ(0, fstat(self->t.fd, &st));
	snprintf(self->dir, sizeof(self->dir), "/sys/kernel/debug/dri/%u", minor(st.st_rdev));
	if (!vst_has_debugfs()) {
		vst_teardown(&self->t);
		SKIP(return, "no debugfs");
	}
	if (set(self->dir, "hang_job", "probability", 0)) {
		vst_teardown(&self->t);
		SKIP(return, "kernel without CONFIG_FAULT_INJECTION_DEBUG_FS");
	}
	disarm_all(self->dir);
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, LIMIT_MS, &self->t.queue));
	vst_default_job(&self->t, &self->j);
	memset(self->t.result.map, 0xff, sizeof(struct drm_vshader_job_result));
	ASSERT_TRUE(trace_on("1"));
	self->began = now_ms();
}

FIXTURE_TEARDOWN(inject)
{
	if (self->t.fd < 0 || !*self->dir)
		return;
	trace_on("0");
	disarm_all(self->dir);
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static const struct drm_vshader_job_result *result_of(const struct vst *t)
{
	return t->result.map;
}

static __u64 elapsed(const FIXTURE_DATA(inject) *self)
{
	return now_ms() - self->began;
}

TEST_F(inject, fail_submit)
{
	static const int errors[] = { ENOMEM, EIO, ENOSPC };
	struct drm_vshader_queue_get_state st;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		ASSERT_EQ(0, set(self->dir, "fail_submit", "errno", errors[i]));
		ASSERT_EQ(0, arm(self->dir, "fail_submit"));
		EXPECT_EQ(-errors[i], vst_submit(self->t.fd, &self->j));
		EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	}
	EXPECT_TRUE(traced("kind=fail_submit value=0x5"));
	EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(ARRAY_SIZE(errors), st.submitted);
	/* numbers that userspace never sees are not used */
	ASSERT_EQ(0, set(self->dir, "fail_submit", "errno", 512));
	ASSERT_EQ(0, arm(self->dir, "fail_submit"));
	EXPECT_EQ(-511, vst_submit(self->t.fd, &self->j));
	ASSERT_EQ(0, set(self->dir, "fail_submit", "errno", 0));
	ASSERT_EQ(0, arm(self->dir, "fail_submit"));
	EXPECT_EQ(-1, vst_submit(self->t.fd, &self->j));
	ASSERT_EQ(0, set(self->dir, "fail_submit", "errno", ENOMEM));
}

/* Every third submit. */
TEST_F(inject, interval)
{
	unsigned int i, failed = 0;

	ASSERT_EQ(0, set(self->dir, "fail_submit", "interval", 3));
	ASSERT_EQ(0, set(self->dir, "fail_submit", "times", 1000));
	ASSERT_EQ(0, set(self->dir, "fail_submit", "probability", 100));
	for (i = 0; i < 30; i++)
		failed += vst_run(self->t.fd, &self->j) == VST_SUBMIT_ERROR(-ENOMEM);
	EXPECT_EQ(10, failed);
}

/* Only in processes that ask for it. */
TEST_F(inject, task_filter)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, set(self->dir, "fail_submit", "task-filter", 1));
	ASSERT_EQ(0, arm(self->dir, "fail_submit"));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (vst_write_file("/proc/self/make-it-fail", "1"))
			_exit(77);
		_exit(vst_run(self->t.fd, &self->j) == VST_SUBMIT_ERROR(-ENOMEM));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(1, WEXITSTATUS(status));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

TEST_F(inject, hang_until_the_limit)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);
	struct drm_vshader_queue_get_state st;

	ASSERT_EQ(0, arm(self->dir, "hang_job"));
	EXPECT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	EXPECT_LE(LIMIT_MS, elapsed(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, result->fault.kind);
	EXPECT_TRUE(result->fault.info & DRM_VSHADER_FAULT_INJECTED);
	EXPECT_EQ(0, result->invocations);
	EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_TIMEDOUT, st.state);
	EXPECT_TRUE(traced("kind=hang_job"));
}

TEST_F(inject, hang_until_cancelled)
{
	__u32 done;

	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 10000, &self->t.queue));
	self->j.job.queue_id = self->t.queue;
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, arm(self->dir, "hang_job"));
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(-ETIME, vst_wait(self->t.fd, done, 100));
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 2000 * vst_scale()));
	EXPECT_EQ(-ECANCELED, vst_fence_status(self->t.fd, done));
}

/* A page that one job does not have, and others do. */
TEST_F(inject, fault_page)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);
	__u32 handle;

	ASSERT_EQ(0, vst_bo_create(self->t.fd, 4 * PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, handle, 0, HOLE, 4 * PAGE, 0));
	ASSERT_EQ(0, set(self->dir, "fault_page", "address", HOLE + PAGE + 8));
	/* not by a job that does not touch it */
	ASSERT_EQ(0, arm(self->dir, "fault_page"));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_TRUE(traced("kind=fault_page value=0x12801000"));
	/* a job without the fault */
	self->j.attr[0].va = HOLE + PAGE - 16;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	/* and with it */
	ASSERT_EQ(0, arm(self->dir, "fault_page"));
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(-EIO, result->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, result->fault.kind);
	EXPECT_EQ(HOLE + PAGE, result->fault.address);
	EXPECT_EQ(1, result->fault.invocation);
	EXPECT_TRUE(result->fault.info & DRM_VSHADER_FAULT_INJECTED);
}

/* The first access to memory. */
TEST_F(inject, fault_everywhere)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);

	ASSERT_EQ(0, set(self->dir, "fault_page", "address", 0));
	ASSERT_EQ(0, arm(self->dir, "fault_page"));
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, result->fault.kind);
	EXPECT_EQ(self->t.in.va, result->fault.address);
	EXPECT_TRUE(result->fault.info & DRM_VSHADER_FAULT_INJECTED);
	/* a fault of the program's own is not one */
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, LIMIT_MS, &self->t.queue));
	self->j.job.queue_id = self->t.queue;
	self->j.attr[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(VA(99), result->fault.address);
	EXPECT_FALSE(result->fault.info & DRM_VSHADER_FAULT_INJECTED);
}

TEST_F(inject, delay_completion)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);
	int ret = 0, status = 0;
	bool early = false, ran = false;
	__u32 done, ms;

	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	/* until this process has looked in time: it may have to wait for a CPU */
	for (ms = DELAY_MS; !early && ms <= MAX_DELAY_MS; ms *= 2) {
		__u64 submitted = now_ms();

		ASSERT_EQ(0, set(self->dir, "delay_completion", "delay_ms", ms));
		ASSERT_EQ(0, arm(self->dir, "delay_completion"));
		memset(self->t.out.map, 0xa5, 16 * VST_COUNT);
		memset(self->t.result.map, 0xff, sizeof(*result));
		ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
		ret = vst_wait(self->t.fd, done, ms / 4);
		/* it has run, and its result is not there yet */
		ran = !memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT);
		status = result->status;
		early = now_ms() < submitted + ms;
		EXPECT_EQ(0, vst_wait(self->t.fd, done, 20000));
		EXPECT_LE(submitted + ms, now_ms());
	}
	EXPECT_TRUE(early);
	EXPECT_EQ(-ETIME, ret);
	EXPECT_TRUE(ran);
	EXPECT_EQ(-1, status);
	EXPECT_TRUE(traced("kind=delay_completion"));
	EXPECT_EQ(0, vst_fence_status(self->t.fd, done));
	EXPECT_EQ(0, result->status);
}

TEST_F(inject, lose_completion)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);
	struct drm_vshader_queue_get_state st;

	ASSERT_EQ(0, arm(self->dir, "lose_completion"));
	EXPECT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	EXPECT_LE(LIMIT_MS, elapsed(self));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
	EXPECT_EQ(-ETIME, result->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, result->fault.kind);
	EXPECT_TRUE(result->fault.info & DRM_VSHADER_FAULT_INJECTED);
	EXPECT_EQ(VST_COUNT, result->invocations);
	EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_TIMEDOUT, st.state);
	EXPECT_TRUE(traced("kind=lose_completion"));
	EXPECT_EQ(-EIO, vst_submit(self->t.fd, &self->j));
}

/* A late completion without a waiter leaks nothing. */
TEST_F(inject, late_completion_without_the_file)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, set(self->dir, kinds[3 + i], "times", 4));
		ASSERT_EQ(0, set(self->dir, kinds[3 + i], "probability", 100));
	}
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	vst_teardown(&self->t);
	self->t.fd = vst_open();
	ASSERT_LE(0, self->t.fd);
	usleep(2 * LIMIT_MS * 1000);
}

TEST_F(inject, corrupt_buffer)
{
	const struct drm_vshader_job_result *result = result_of(&self->t);
	unsigned int i;

	ASSERT_EQ(0, set(self->dir, "corrupt_buffer", "address", self->t.out.va + 20));
	ASSERT_EQ(0, set(self->dir, "corrupt_buffer", "mask", 0x8001));
	ASSERT_EQ(0, arm(self->dir, "corrupt_buffer"));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	for (i = 0; i < 4 * VST_COUNT; i++)
		EXPECT_EQ(self->t.in.u32[i] ^ (i == 5 ? 0x8001 : 0), self->t.out.u32[i]);
	EXPECT_TRUE(traced("kind=corrupt_buffer"));
	/* no memory there */
	ASSERT_EQ(0, set(self->dir, "corrupt_buffer", "address", VA(99)));
	ASSERT_EQ(0, arm(self->dir, "corrupt_buffer"));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	/* the result record */
	ASSERT_EQ(0, set(self->dir, "corrupt_buffer", "address", 0));
	ASSERT_EQ(0, set(self->dir, "corrupt_buffer", "mask", 1));
	ASSERT_EQ(0, arm(self->dir, "corrupt_buffer"));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(1, result->status);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, result->status);
}

TEST_HARNESS_MAIN
