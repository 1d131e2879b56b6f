// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs and sync objects: binary, timeline, sync files, restarts.
 */
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

#include "vshader_test.h"

FIXTURE(sync) {
	struct vst t;
	struct vst_job j;
	__u32 obj;
};

FIXTURE_SETUP(sync)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &self->obj));
}

FIXTURE_TEARDOWN(sync)
{
	vst_teardown(&self->t);
}

#define TIMELINE	DRM_VSHADER_SYNC_TIMELINE
#define SIGNAL		DRM_VSHADER_SYNC_SIGNAL

#define GATE_OR_SKIP(statement, g) do {				\
	int __ret = vst_gate_new((g), PAGE);			\
	if (__ret == -ENODEV)					\
		SKIP(statement, "needs vgem");			\
	ASSERT_EQ(0, __ret);					\
} while (0)

TEST_F(sync, binary_signal)
{
	EXPECT_EQ(-EINVAL, vst_wait(self->t.fd, self->obj, 0));
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_wait(self->t.fd, self->obj, 10000));
	EXPECT_EQ(0, vst_fence_status(self->t.fd, self->obj));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
}

TEST_F(sync, wait_for_a_signalled_one)
{
	EXPECT_EQ(0, vst_syncobj_signal(self->t.fd, self->obj));
	vst_job_sync(&self->j, 0, self->obj, 0);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

TEST_F(sync, wait_holds_the_job)
{
	struct vst_gate gate;
	__u32 wait;

	GATE_OR_SKIP(return, &gate);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	vst_job_sync(&self->j, 0, wait, 0);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(-ETIME, vst_wait(self->t.fd, self->obj, 50));
	EXPECT_EQ(0, self->t.out.u32[4]);
	/* the submit holds its own references to the sync objects */
	EXPECT_EQ(0, vst_syncobj_destroy(self->t.fd, wait));
	EXPECT_EQ(0, vst_gate_open(&gate));
	EXPECT_EQ(0, vst_wait(self->t.fd, self->obj, 10000));
	EXPECT_EQ(4, self->t.out.f32[4]);
	vst_gate_free(&gate);
}

/* One object as wait and signal: the old fence is waited for, then replaced. */
TEST_F(sync, wait_and_signal_the_same)
{
	int i;

	EXPECT_EQ(0, vst_syncobj_signal(self->t.fd, self->obj));
	vst_job_sync(&self->j, 0, self->obj, 0);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_wait(self->t.fd, self->obj, 10000));
}

TEST_F(sync, several)
{
	__u32 obj[3];
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, vst_syncobj(self->t.fd, &obj[i]));
		vst_job_sync(&self->j, SIGNAL, obj[i], 0);
	}
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, vst_wait(self->t.fd, obj[i], 10000));
}

TEST_F(sync, timeline_points)
{
	__u64 point = 0;
	int i;

	for (i = 1; i <= 4; i++) {
		vst_default_job(&self->t, &self->j);
		if (i > 1)
			vst_job_sync(&self->j, TIMELINE, self->obj, 10 * (i - 1));
		vst_job_sync(&self->j, SIGNAL | TIMELINE, self->obj, 10 * i);
		EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	}
	EXPECT_EQ(0, vst_wait_point(self->t.fd, self->obj, 40, 10000, 0));
	EXPECT_EQ(0, vst_timeline_query(self->t.fd, self->obj, &point));
	EXPECT_EQ(40, point);
	/* a point between two is reached with the next one */
	EXPECT_EQ(0, vst_wait_point(self->t.fd, self->obj, 15, 0, 0));
	EXPECT_EQ(-EINVAL, vst_wait_point(self->t.fd, self->obj, 41, 0, 0));
	/* that nothing will signal cannot be waited for by a job */
	vst_default_job(&self->t, &self->j);
	vst_job_sync(&self->j, TIMELINE, self->obj, 41);
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
}

TEST_F(sync, timeline_signalled_by_the_host)
{
	EXPECT_EQ(0, vst_timeline_signal(self->t.fd, self->obj, 7));
	vst_job_sync(&self->j, TIMELINE, self->obj, 7);
	vst_job_sync(&self->j, SIGNAL | TIMELINE, self->obj, 8);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_wait_point(self->t.fd, self->obj, 8, 10000, 0));
}

/* A userspace waiter may start before the submit. */
TEST_F(sync, wait_before_submit)
{
	pid_t pid;
	int status;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(vst_wait_point(self->t.fd, self->obj, 5, 10000,
				     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) ? 1 : 0);
	usleep(20000);
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	vst_job_sync(&self->j, SIGNAL | TIMELINE, self->obj, 5);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(sync, sync_file)
{
	struct pollfd p = { .events = POLLIN };
	struct vst_gate gate;
	__u32 wait;
	int file;

	GATE_OR_SKIP(return, &gate);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	vst_job_sync(&self->j, 0, wait, 0);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	file = vst_export_sync_file(self->t.fd, self->obj);
	ASSERT_LE(0, file);
	p.fd = file;
	EXPECT_EQ(0, poll(&p, 1, 20));
	EXPECT_EQ(0, vst_gate_open(&gate));
	EXPECT_EQ(1, poll(&p, 1, 10000));
	EXPECT_EQ(POLLIN, p.revents);
	/* imported again it can be waited for */
	EXPECT_EQ(0, vst_import_sync_file(self->t.fd, wait, file));
	vst_default_job(&self->t, &self->j);
	vst_job_sync(&self->j, 0, wait, 0);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	close(file);
	vst_gate_free(&gate);
}

/* Fences outlive the file of the queue. */
TEST_F(sync, fence_outlives_the_file)
{
	struct pollfd p = { .events = POLLIN };
	struct vst_gate gate;
	__u32 wait;
	int file;

	GATE_OR_SKIP(return, &gate);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	vst_job_sync(&self->j, 0, wait, 0);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	file = vst_export_sync_file(self->t.fd, self->obj);
	ASSERT_LE(0, file);
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_gate_open(&gate));
	p.fd = file;
	EXPECT_EQ(1, poll(&p, 1, 10000));
	close(file);
	vst_gate_free(&gate);
	EXPECT_EQ(0, vst_alive());
}

/* A job that depends on one that failed still ends. */
TEST_F(sync, failed_dependency)
{
	__u32 queue, first;

	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &queue));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &first));
	self->j.attr[0].va = VA(99);
	vst_job_sync(&self->j, SIGNAL, first, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	vst_default_job(&self->t, &self->j);
	self->j.job.queue_id = queue;
	vst_job_sync(&self->j, 0, first, 0);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_wait(self->t.fd, self->obj, 10000));
	EXPECT_EQ(-EIO, vst_fence_status(self->t.fd, first));
}

static void on_alarm(int sig)
{
}

/* Signals all the time: ioctls fail with EINTR or work, and leave their argument alone. */
TEST_F(sync, interrupted)
{
	const struct sigaction act = { .sa_handler = on_alarm };	/* no SA_RESTART */
	const struct itimerval fast = { { 0, 500 }, { 0, 500 } }, off = { { 0, 0 }, { 0, 0 } };
	unsigned int i, restarts = 0, changed = 0, other = 0;

	sigaction(SIGALRM, &act, NULL);
	vst_job_sync(&self->j, SIGNAL, self->obj, 0);
	setitimer(ITIMER_REAL, &fast, NULL);
	for (i = 0; i < 200; i++) {
		struct drm_vshader_submit arg = {
			.jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->j.job), .failed_job = NEVER,
		};
		struct drm_vshader_submit old = arg;
		struct drm_vshader_program_section sec[2];
		struct drm_vshader_program_create prog, old_prog;
		int ret;

		ret = vst_ioctl_once(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);
		if (ret == -EINTR) {
			restarts++;
			changed += memcmp(&arg, &old, sizeof(arg)) != 0;
		} else if (ret == -EBUSY) {
			vst_wait(self->t.fd, self->obj, 10000);
		} else {
			other += ret != 0;
		}
		vst_program_args(&vst_mov, &prog, sec);
		old_prog = prog;
		ret = vst_ioctl_once(self->t.fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &prog);
		if (ret == -EINTR) {
			restarts++;
			changed += memcmp(&prog, &old_prog, sizeof(prog)) != 0;
		} else if (!ret) {
			vst_program_destroy(self->t.fd, prog.id);
		} else {
			other++;
		}
	}
	setitimer(ITIMER_REAL, &off, NULL);
	EXPECT_EQ(0, changed);
	EXPECT_EQ(0, other);
	TH_LOG("%u of 400 calls were interrupted", restarts);
	EXPECT_EQ(0, vst_wait(self->t.fd, self->obj, 10000));
}

TEST_HARNESS_MAIN
