// SPDX-License-Identifier: GPL-2.0
/*
 * Queues: QUEUE_CREATE, QUEUE_DESTROY, QUEUE_GET_STATE.
 */
#include <linux/capability.h>
#include <sys/syscall.h>

#include "vshader_test.h"

FIXTURE(queue) {
	int fd;
	__u32 vm;
	struct drm_vshader_limits limits;
	struct drm_vshader_queue_create arg;
};

FIXTURE_SETUP(queue)
{
	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_limits(self->fd, &self->limits));
	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &self->vm));
	self->arg.engine = DRM_VSHADER_ENGINE_PICA;
	self->arg.vm_id = self->vm;
	self->arg.priority = DRM_VSHADER_PRIORITY_MEDIUM;
}

FIXTURE_TEARDOWN(queue)
{
	close(self->fd);
}

static int create(FIXTURE_DATA(queue) *self)
{
	return vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &self->arg);
}

TEST_F(queue, create_state_destroy)
{
	struct drm_vshader_queue_get_state st, zero = { 0 };

	ASSERT_EQ(0, create(self));
	EXPECT_NE(0, self->arg.id);
	memset(&st, 0xa5, sizeof(st));
	st.id = self->arg.id;
	st.engine_state = 0;
	st.engine_state_size = 0;
	st.pad = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));
	zero.id = st.id;
	/* nothing has happened yet: all zero */
	EXPECT_EQ(0, memcmp(&st, &zero, sizeof(st)));
	EXPECT_EQ(0, vst_queue_destroy(self->fd, self->arg.id));
	EXPECT_EQ(-ENOENT, vst_queue_destroy(self->fd, self->arg.id));
	EXPECT_EQ(-ENOENT, vst_queue_state(self->fd, self->arg.id, &st));
	EXPECT_EQ(-ENOENT, vst_queue_state(self->fd, 0, &st));
	EXPECT_EQ(-ENOENT, vst_queue_state(self->fd, NEVER, &st));
}

TEST_F(queue, bad_fields)
{
	const struct drm_vshader_queue_create good = self->arg;

#define BAD(err, field, value) do {				\
	self->arg = good;					\
	self->arg.field = (value);				\
	EXPECT_EQ((err), create(self))				\
		TH_LOG("%s = %s", #field, #value);		\
} while (0)
	BAD(-EINVAL, engine, 6);
	BAD(-EINVAL, engine, NEVER);
	BAD(-ENOENT, vm_id, 0);
	BAD(-ENOENT, vm_id, NEVER);
	BAD(-EINVAL, priority, 3);
	BAD(-EINVAL, priority, NEVER);
	BAD(-EINVAL, flags, 2);
	BAD(-EINVAL, flags, 1u << 31);
	BAD(-E2BIG, budget, self->limits.max_budget + 1);
	BAD(-E2BIG, budget, ~0ULL);
	BAD(-E2BIG, time_limit_ms, self->limits.max_time_ms + 1);
	BAD(-E2BIG, time_limit_ms, NEVER);
#undef BAD
	self->arg = good;
	self->arg.budget = self->limits.max_budget;
	self->arg.time_limit_ms = self->limits.max_time_ms;
	EXPECT_EQ(0, create(self));
}

/* PICA has addresses of 32 bits. */
TEST_F(queue, wrong_kind_of_vm)
{
	ASSERT_EQ(0, vst_vm_create(self->fd, DRM_VSHADER_VM_48BIT, &self->arg.vm_id));
	EXPECT_EQ(-EINVAL, create(self));
}

TEST_F(queue, destroy_bad_fields)
{
	struct drm_vshader_queue_destroy d = { .pad = 1 };

	ASSERT_EQ(0, create(self));
	d.id = self->arg.id;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_DESTROY, &d));
	d.pad = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_DESTROY, &d));
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	syscall(SYS_capset, &head, data);
}

TEST_F(queue, priorities)
{
	self->arg.priority = DRM_VSHADER_PRIORITY_LOW;
	EXPECT_EQ(0, create(self));
	self->arg.priority = DRM_VSHADER_PRIORITY_HIGH;
	if (geteuid() == 0)
		EXPECT_EQ(0, create(self));
	/* the test runs in a separate process */
	drop_capabilities();
	EXPECT_EQ(-EACCES, create(self));
	self->arg.priority = DRM_VSHADER_PRIORITY_MEDIUM;
	EXPECT_EQ(0, create(self));
}

TEST_F(queue, limit)
{
	unsigned int n = 0;
	int ret = 0;

	while (n <= self->limits.max_objects && !ret) {
		ret = create(self);
		n += !ret;
	}
	EXPECT_EQ(-E2BIG, ret);
	EXPECT_EQ(self->limits.max_objects, n);
}

TEST_F(queue, ids_are_private)
{
	struct drm_vshader_queue_get_state st;
	int other = vst_open();

	ASSERT_LE(0, other);
	ASSERT_EQ(0, create(self));
	EXPECT_EQ(-ENOENT, vst_queue_state(other, self->arg.id, &st));
	EXPECT_EQ(-ENOENT, vst_queue_destroy(other, self->arg.id));
	close(other);
}

TEST_F(queue, counters)
{
	struct drm_vshader_queue_get_state st;
	struct vst_job j;
	struct vst t;
	int i;

	SETUP_OR_SKIP(return, &t, &vst_mov);
	vst_default_job(&t, &j);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, vst_run(t.fd, &j));
	EXPECT_EQ(0, vst_queue_state(t.fd, t.queue, &st));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(3, st.submitted);
	EXPECT_EQ(3, st.completed);
	EXPECT_EQ(3 * VST_COUNT, st.invocations);
	EXPECT_LT(0, st.busy_ns);
	EXPECT_EQ(DRM_VSHADER_FAULT_NONE, st.fault.kind);
	vst_teardown(&t);
}

/* Jobs that have not started when their queue is destroyed end as canceled. */
TEST_F(queue, destroy_with_waiting_jobs)
{
	struct vst_gate gate;
	struct vst_job j;
	__u32 wait, done[3];
	struct vst t;
	int ret, i;

	ret = vst_gate_new(&gate, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	SETUP_OR_SKIP(return, &t, &vst_mov);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, t.fd, &wait));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, vst_syncobj(t.fd, &done[i]));
		vst_default_job(&t, &j);
		vst_job_sync(&j, 0, wait, 0);
		vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, done[i], 0);
		ASSERT_EQ(0, vst_submit(t.fd, &j));
	}
	EXPECT_EQ(-ETIME, vst_wait(t.fd, done[0], 20));
	EXPECT_EQ(0, vst_queue_destroy(t.fd, t.queue));
	EXPECT_EQ(-ENOENT, vst_submit(t.fd, &j));
	EXPECT_EQ(0, vst_gate_open(&gate));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, vst_wait(t.fd, done[i], 10000));
		EXPECT_EQ(-ECANCELED, vst_fence_status(t.fd, done[i]));
	}
	EXPECT_EQ(0, t.out.u32[4]);
	vst_teardown(&t);
	vst_gate_free(&gate);
	EXPECT_EQ(0, vst_alive());
}

/* A running one ends soon, too. */
TEST_F(queue, destroy_with_a_running_job)
{
	struct vst_job j;
	__u32 done;
	struct vst t;

	SETUP_OR_SKIP(return, &t, &vst_spin);
	ASSERT_EQ(0, vst_queue_destroy(t.fd, t.queue));
	ASSERT_EQ(0, vst_queue(t.fd, t.vm, 0, self->limits.max_time_ms, &t.queue));
	ASSERT_EQ(0, vst_syncobj(t.fd, &done));
	vst_default_job(&t, &j);
	vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, vst_submit(t.fd, &j));
	EXPECT_EQ(-ETIME, vst_wait(t.fd, done, 50));
	EXPECT_EQ(0, vst_queue_destroy(t.fd, t.queue));
	EXPECT_EQ(0, vst_wait(t.fd, done, 10000));
	EXPECT_EQ(-ECANCELED, vst_fence_status(t.fd, done));
	vst_teardown(&t);
	EXPECT_EQ(0, vst_alive());
}

TEST_HARNESS_MAIN
