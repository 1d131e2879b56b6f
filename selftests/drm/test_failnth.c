// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl with every allocation (and copy from or to the user) failing in turn,
 * by /proc/thread-self/fail-nth: each failure must be a clean error, after which the same
 * call works.
 */
#include <linux/dma-buf.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vshader_test.h"
#include "vst_failnth.h"
#include "vst_mali.h"

FIXTURE(failnth) {
	int fd;			/* fail-nth */
	int (*call)(FIXTURE_DATA(failnth) *self);
	void (*undo)(FIXTURE_DATA(failnth) *self);
	struct vst t;
	struct vst_job j;
	struct drm_vshader_job jobs[3];
	struct vst_job more[3];
	struct vst_mali m;
	__u32 handle;
	__u32 id;
	int dmabuf;
	char record[64];
	bool answer_lost;
};

FIXTURE_SETUP(failnth)
{
	self->fd = open(VST_FAILNTH, O_RDWR | O_CLOEXEC);
	if (self->fd < 0)
		SKIP(return, "kernel without fault injection");
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_failnth_setup();
	vst_default_job(&self->t, &self->j);
	self->dmabuf = -1;
	self->m.fd = -1;
}

FIXTURE_TEARDOWN(failnth)
{
	if (self->dmabuf >= 0)
		close(self->dmabuf);
	if (self->m.fd >= 0)
		close(self->m.fd);
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static int call_again(void *arg)
{
	FIXTURE_DATA(failnth) *self = arg;

	return self->call(self);
}

static void undo_again(void *arg)
{
	FIXTURE_DATA(failnth) *self = arg;

	if (self->undo)
		self->undo(self);
}

static void sweep(struct __test_metadata *_metadata, FIXTURE_DATA(failnth) *self,
		  int (*call)(FIXTURE_DATA(failnth) *), void (*undo)(FIXTURE_DATA(failnth) *))
{
	self->call = call;
	self->undo = undo;
	vst_failnth_sweep(_metadata, self->fd, call_again, undo_again, self);
}

static int once(FIXTURE_DATA(failnth) *self, unsigned long req, void *arg)
{
	return vst_ioctl_once(self->t.fd, req, arg);
}

/* ---- the calls ---- */

static int call_open(FIXTURE_DATA(failnth) *self)
{
	char path[64];

	/* the path is found without failures */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->t.fd);
	self->dmabuf = open(path, O_RDWR | O_CLOEXEC);
	return self->dmabuf < 0 ? -errno : 0;
}

static void undo_fd(FIXTURE_DATA(failnth) *self)
{
	close(self->dmabuf);
	self->dmabuf = -1;
}

TEST_F(failnth, open)
{
	sweep(_metadata, self, call_open, undo_fd);
}

static int call_record(FIXTURE_DATA(failnth) *self)
{
	int ret = 0;

	self->dmabuf = open(self->record, O_RDWR | O_CLOEXEC);
	if (self->dmabuf < 0)
		return -errno;
	if (write(self->dmabuf, "size=1", 6) != 6)
		ret = -errno;
	if (ret)
		undo_fd(self);
	return ret;
}

TEST_F(failnth, record)
{
	struct stat st;

	ASSERT_EQ(0, fstat(self->t.fd, &st));
	snprintf(self->record, sizeof(self->record), "/sys/kernel/debug/dri/%u/record",
		 minor(st.st_rdev));
	if (!vst_has_debugfs())
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, access(self->record, R_OK | W_OK));
	sweep(_metadata, self, call_record, undo_fd);
}

static int call_query(FIXTURE_DATA(failnth) *self)
{
	__u8 buf[256];
	struct drm_vshader_dev_query q = { .size = sizeof(buf), .pointer = PTR(buf) };
	int ret = 0;

	for (; !ret && q.type <= DRM_VSHADER_DEV_QUERY_NUMERIC_INFO; q.type++) {
		q.size = sizeof(buf);
		ret = once(self, DRM_IOCTL_VSHADER_DEV_QUERY, &q);
	}
	return ret;
}

TEST_F(failnth, dev_query)
{
	sweep(_metadata, self, call_query, NULL);
}

static int call_vm_create(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_vm_create arg = { 0 };
	int ret = once(self, DRM_IOCTL_VSHADER_VM_CREATE, &arg);

	self->id = arg.id;
	return ret;
}

static void undo_vm(FIXTURE_DATA(failnth) *self)
{
	vst_vm_destroy(self->t.fd, self->id);
}

TEST_F(failnth, vm_create)
{
	sweep(_metadata, self, call_vm_create, undo_vm);
}

/*
 * If copying the reply to the user fails, the object is already destroyed. Any other
 * failure must leave it intact.
 */
static int destroyed(FIXTURE_DATA(failnth) *self, int ret)
{
	if (ret == -ENOENT && self->answer_lost)
		ret = 0;
	self->answer_lost = ret == -EFAULT;
	return ret;
}

static int call_vm_destroy(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_vm_destroy arg = { .id = self->id };

	return destroyed(self, once(self, DRM_IOCTL_VSHADER_VM_DESTROY, &arg));
}

static void new_vm(FIXTURE_DATA(failnth) *self)
{
	vst_vm_create(self->t.fd, 0, &self->id);
}

TEST_F(failnth, vm_destroy)
{
	new_vm(self);
	sweep(_metadata, self, call_vm_destroy, new_vm);
}

static int call_bind(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_vm_bind_op op[4] = {
		{ .bo_handle = self->handle, .va = VA(50), .size = 8 * PAGE },
		{ .bo_handle = self->handle, .va = VA(50) + 2 * PAGE, .size = PAGE,
		  .flags = DRM_VSHADER_VM_BIND_READONLY },
		{ .flags = DRM_VSHADER_VM_BIND_UNMAP, .va = VA(50) + 5 * PAGE, .size = PAGE },
		{ .flags = DRM_VSHADER_VM_BIND_ALLOC_VA, .bo_handle = self->handle, .size = PAGE },
	};
	struct drm_vshader_vm_bind arg = {
		.vm_id = self->t.vm, .ops = DRM_VSHADER_OBJ_ARRAY(4, op),
	};

	return once(self, DRM_IOCTL_VSHADER_VM_BIND, &arg);
}

static void undo_bind(FIXTURE_DATA(failnth) *self)
{
	vst_unmap(self->t.fd, self->t.vm, VA(50), 0x100000);
}

TEST_F(failnth, vm_bind)
{
	ASSERT_EQ(0, vst_bo_create(self->t.fd, 8 * PAGE, 0, 0, &self->handle));
	sweep(_metadata, self, call_bind, undo_bind);
}

static int call_bo_create(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_bo_create arg = { .size = PAGE };
	int ret = once(self, DRM_IOCTL_VSHADER_BO_CREATE, &arg);

	self->handle = arg.handle;
	return ret;
}

static void undo_bo(FIXTURE_DATA(failnth) *self)
{
	vst_bo_close(self->t.fd, self->handle);
}

TEST_F(failnth, bo_create)
{
	sweep(_metadata, self, call_bo_create, undo_bo);
}

static int call_mmap(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_bo_mmap_offset arg = { 0 };
	struct drm_vshader_bo_create bo = { .size = 4 * PAGE };
	__u8 *map;
	int ret;

	/* a new one each time: the offset and the pages are made once */
	ret = once(self, DRM_IOCTL_VSHADER_BO_CREATE, &bo);
	if (ret)
		return ret;
	arg.handle = bo.handle;
	ret = once(self, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg);
	if (!ret) {
		map = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, self->t.fd,
			   arg.offset);
		if (map == MAP_FAILED)
			ret = -errno;
		else
			munmap(map, 4 * PAGE);
	}
	vst_bo_close(self->t.fd, bo.handle);
	return ret;
}

TEST_F(failnth, bo_mmap)
{
	sweep(_metadata, self, call_mmap, NULL);
}

static int call_label(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_bo_set_label arg = {
		.handle = self->t.in.handle, .label = PTR("label"),
	};

	return once(self, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg);
}

TEST_F(failnth, bo_set_label)
{
	sweep(_metadata, self, call_label, NULL);
}

static int call_program(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_program_section sec[2];
	struct drm_vshader_program_create arg;
	char log[256];
	int ret;

	vst_program_args(&vst_diverge, &arg, sec);
	arg.log = PTR(log);
	arg.log_size = sizeof(log);
	ret = once(self, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	self->id = arg.id;
	return ret;
}

static void undo_program(FIXTURE_DATA(failnth) *self)
{
	vst_program_destroy(self->t.fd, self->id);
}

TEST_F(failnth, program_create)
{
	sweep(_metadata, self, call_program, undo_program);
}

static int call_program_query(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_program_info info;
	struct drm_vshader_program_query q = {
		.id = self->t.program, .pointer = PTR(&info), .size = sizeof(info),
	};

	return once(self, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q);
}

TEST_F(failnth, program_query)
{
	sweep(_metadata, self, call_program_query, NULL);
}

static int call_queue(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_queue_create arg = { .vm_id = self->t.vm, .priority = 1 };
	int ret = once(self, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	self->id = arg.id;
	return ret;
}

static void undo_queue(FIXTURE_DATA(failnth) *self)
{
	vst_queue_destroy(self->t.fd, self->id);
}

TEST_F(failnth, queue_create)
{
	sweep(_metadata, self, call_queue, undo_queue);
}

static int call_queue_destroy(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_queue_destroy arg = { .id = self->id };

	return destroyed(self, once(self, DRM_IOCTL_VSHADER_QUEUE_DESTROY, &arg));
}

static void new_queue(FIXTURE_DATA(failnth) *self)
{
	vst_queue(self->t.fd, self->t.vm, 0, 0, &self->id);
}

TEST_F(failnth, queue_destroy)
{
	new_queue(self);
	sweep(_metadata, self, call_queue_destroy, new_queue);
}

static int call_queue_state(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_queue_get_state arg = { .id = self->t.queue };

	return once(self, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &arg);
}

TEST_F(failnth, queue_get_state)
{
	sweep(_metadata, self, call_queue_state, NULL);
}

static int call_submit(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_submit arg = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(3, self->jobs),
	};

	return once(self, DRM_IOCTL_VSHADER_SUBMIT, &arg);
}

/* Results of a submit that went through, injection or not, must be right. */
static void wait_submit(FIXTURE_DATA(failnth) *self)
{
	if (vst_wait(self->t.fd, self->handle, 10000) ||
	    vst_fence_status(self->t.fd, self->handle) ||
	    memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT))
		abort();
	memset(self->t.out.map, 0, 16 * VST_COUNT);
}

/*
 * Three jobs with dependencies, a shared buffer, a timeline: the most allocations per
 * ioctl. Either all jobs or none are submitted.
 */
TEST_F(failnth, submit)
{
	struct drm_vshader_queue_get_state st;
	__u32 first, timeline, shared;
	int i;

	ASSERT_EQ(0, vst_syncobj(self->t.fd, &self->handle));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &first));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &timeline));
	ASSERT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &shared));
	ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, shared, 0, VA(60), PAGE, 0));
	for (i = 0; i < 3; i++) {
		struct vst_job *j = &self->more[i];

		vst_default_job(&self->t, j);
		if (i)
			vst_job_sync(j, 0, first, 0);
		else
			vst_job_sync(j, DRM_VSHADER_SYNC_SIGNAL, first, 0);
		if (i == 2) {
			vst_job_sync(j, DRM_VSHADER_SYNC_SIGNAL, self->handle, 0);
			vst_job_sync(j, DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE,
				     timeline, 1);
		}
		self->jobs[i] = j->job;
	}
	sweep(_metadata, self, call_submit, wait_submit);
	ASSERT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(0, st.submitted % 3);
	EXPECT_EQ(st.submitted, st.completed);
}

static int call_native(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_native_job desc = {
		.flags = DRM_VSHADER_NATIVE_RESET_STATE, .va = self->t.in.va, .size = 64,
		.output_va = self->t.out.va, .output_size = PAGE,
	};
	struct drm_vshader_submit arg = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->j.job),
	};

	self->j.job.type = DRM_VSHADER_JOB_NATIVE;
	self->j.job.desc = PTR(&desc);
	self->j.job.desc_size = sizeof(desc);
	return once(self, DRM_IOCTL_VSHADER_SUBMIT, &arg);
}

TEST_F(failnth, submit_native)
{
	/* writes of 0 to register 0, with an empty byte mask */
	memset(self->t.in.map, 0, PAGE);
	sweep(_metadata, self, call_native, NULL);
}

static int call_mali(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_submit arg = { .jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->m.j.job) };

	return vst_ioctl_once(self->m.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);
}

/* The job reads programs and descriptors when it runs: no allocations then. */
static void wait_mali(FIXTURE_DATA(failnth) *self)
{
	if (vst_wait(self->m.fd, self->handle, 10000) ||
	    vst_fence_status(self->m.fd, self->handle) || self->m.out.u32[0] != 0x3e800000)
		abort();
	self->m.out.u32[0] = 0;
}

static int mali_setup(FIXTURE_DATA(failnth) *self)
{
	int ret = vst_mali_setup(&self->m, &vst_mali_bifrost);

	if (ret)
		return ret;
	vst_job_init(&self->m.j, self->m.queue, 0, 1);
	self->m.j.job.result_va = MALI_RESULT_VA;
	ret = vst_syncobj(self->m.fd, &self->handle);
	vst_job_sync(&self->m.j, DRM_VSHADER_SYNC_SIGNAL, self->handle, 0);
	return ret;
}

TEST_F(failnth, submit_mali)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, mali_setup(self));
	ASSERT_EQ(0, vst_mali_program(m, &m->arch->rcp, DRM_VSHADER_STAGE_COMPUTE));
	m->j.shader.program = m->program;
	m->j.shader.engine_block = PTR(&m->block);
	m->j.shader.engine_block_size = sizeof(m->block);
	m->block = (struct drm_vshader_mali_job){
		.gpu = DRM_VSHADER_MALI_G52, .local = { 1, 1, 1 }, .groups = { 1, 1, 1 },
		.push = { .va = MALI_DESC_VA, .count = 4 }, .memory = 1 << 20,
	};
	m->desc.u32[0] = MALI_OUT_VA;
	m->desc.u32[2] = 0x40800000;
	sweep(_metadata, self, call_mali, wait_mali);
}

TEST_F(failnth, submit_chain)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, mali_setup(self));
	/* one job, which writes a value */
	m->desc.u32[4] = 1 | 2 << 1 | 1 << 16;
	m->desc.u32[8] = MALI_OUT_VA;
	m->desc.u32[10] = 6;
	m->desc.u32[12] = 0x3e800000;
	m->native = (struct drm_vshader_native_job){
		.format = DRM_VSHADER_NATIVE_BIFROST_CHAIN, .va = MALI_DESC_VA,
		.model = DRM_VSHADER_MALI_G52, .memory = 1 << 20,
	};
	m->j.job.type = DRM_VSHADER_JOB_NATIVE;
	m->j.job.desc = PTR(&m->native);
	m->j.job.desc_size = sizeof(m->native);
	sweep(_metadata, self, call_mali, wait_mali);
}

static int call_export(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_bo_create bo = { .size = PAGE };
	struct drm_prime_handle arg = { .flags = DRM_CLOEXEC | DRM_RDWR, .fd = -1 };
	int ret;

	ret = once(self, DRM_IOCTL_VSHADER_BO_CREATE, &bo);
	if (ret)
		return ret;
	arg.handle = bo.handle;
	ret = once(self, DRM_IOCTL_PRIME_HANDLE_TO_FD, &arg);
	if (!ret)
		close(arg.fd);
	vst_bo_close(self->t.fd, bo.handle);
	return ret;
}

TEST_F(failnth, prime_export)
{
	sweep(_metadata, self, call_export, NULL);
}

static int call_import(FIXTURE_DATA(failnth) *self)
{
	struct drm_prime_handle arg = { .fd = self->dmabuf };
	int ret = once(self, DRM_IOCTL_PRIME_FD_TO_HANDLE, &arg);

	self->handle = arg.handle;
	return ret;
}

TEST_F(failnth, prime_import)
{
	struct vst_gate g;
	int ret = vst_gate_new(&g, PAGE);

	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	self->dmabuf = dup(g.dmabuf);
	vst_gate_free(&g);
	sweep(_metadata, self, call_import, undo_bo);
}

/* Faults while nothing can be allocated for their record or their dump. */
static int call_fault(FIXTURE_DATA(failnth) *self)
{
	struct drm_vshader_queue_create q = { .vm_id = self->t.vm, .priority = 1 };
	struct drm_vshader_submit arg = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->j.job),
	};
	int ret = once(self, DRM_IOCTL_VSHADER_QUEUE_CREATE, &q);

	if (ret)
		return ret;
	self->j.job.queue_id = q.id;
	ret = once(self, DRM_IOCTL_VSHADER_SUBMIT, &arg);
	vst_queue_destroy(self->t.fd, q.id);
	return ret;
}

TEST_F(failnth, queue_with_a_faulty_job)
{
	self->j.attr[0].va = VA(99);
	sweep(_metadata, self, call_fault, NULL);
}

TEST_HARNESS_MAIN
