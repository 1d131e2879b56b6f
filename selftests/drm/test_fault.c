// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that fault, exceed their budget or their time: fence error, fault record, ban of
 * that queue, no effect on other clients.
 */
#include "vshader_test.h"
#include "vst_cgroup.h"

FIXTURE(fault) {
	struct vst t;
	struct vst_job j;
	struct drm_vshader_job_result *result;
	struct drm_vshader_job_result seen;	/* by expect_fault() */
	struct drm_vshader_limits limits;
};

FIXTURE_SETUP(fault)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	ASSERT_EQ(0, vst_limits(self->t.fd, &self->limits));
	vst_default_job(&self->t, &self->j);
	self->result = self->t.result.map;
}

FIXTURE_TEARDOWN(fault)
{
	vst_teardown(&self->t);
}

/*
 * The job must fail with @status and the fault @kind; the same record must be in the
 * result and in the queue's state; the queue must be banned, a new one must work.
 */
static void expect_fault(struct __test_metadata *_metadata, FIXTURE_DATA(fault) *self,
			 int status, __u32 kind)
{
	struct drm_vshader_queue_get_state st;
	struct vst_job j;

	memset(self->result, 0xa5, sizeof(*self->result));
	EXPECT_EQ(status, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(status, self->result->status);
	EXPECT_EQ(kind, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_ENGINE_PICA, self->result->fault.engine);
	self->seen = *self->result;

	ASSERT_EQ(0, vst_queue_state(self->t.fd, self->j.job.queue_id, &st));
	EXPECT_EQ(status == -ETIME ? DRM_VSHADER_QUEUE_STATE_TIMEDOUT :
		  DRM_VSHADER_QUEUE_STATE_FAULT, st.state);
	EXPECT_EQ(0, memcmp(&st.fault, &self->result->fault, sizeof(st.fault)));
	EXPECT_EQ(st.submitted, st.completed);
	EXPECT_EQ(st.submitted, st.fault.job);

	/* banned; asking again changes nothing */
	EXPECT_EQ(VST_SUBMIT_ERROR(-EIO), vst_run(self->t.fd, &self->j));
	vst_default_job(&self->t, &j);
	j.job.queue_id = self->j.job.queue_id;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EIO), vst_run(self->t.fd, &j));

	/* a new queue of the same VM works */
	EXPECT_EQ(0, vst_queue_destroy(self->t.fd, self->j.job.queue_id));
	EXPECT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
	j.job.queue_id = self->t.queue;
	j.shader.program = self->t.program;
	EXPECT_EQ(0, vst_run(self->t.fd, &j));
}

TEST_F(fault, unmapped_attribute)
{
	struct drm_vshader_fault *f = &self->seen.fault;

	self->j.attr[0].va = VA(99);
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_READ);
	EXPECT_EQ(VA(99), f->address);
	EXPECT_LE(4, f->size);
	EXPECT_GE(16, f->size);
	EXPECT_EQ(0, f->invocation);
	EXPECT_EQ(0, f->stream);
	EXPECT_EQ(NEVER, f->pc);
	/* the first on this queue */
	EXPECT_EQ(1, f->job);
}

/* First address past the mapping, reached by one invocation in the middle. */
TEST_F(fault, attribute_runs_off_the_end)
{
	struct drm_vshader_fault *f = &self->result->fault;

	self->j.attr[0].va = self->t.in.va + PAGE - 16 * 20;
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(self->t.in.va + PAGE, f->address);
	EXPECT_EQ(20, f->invocation);
	EXPECT_EQ(0, f->stream);
}

TEST_F(fault, address_wraps)
{
	self->j.attr[0].va = 0xfffffff0ULL;
	ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, self->t.in.handle, 0, 0xfffff000ULL,
			     PAGE, 0));
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_READ);
	EXPECT_EQ(1, self->seen.fault.invocation);
}

TEST_F(fault, unmapped_output)
{
	struct drm_vshader_fault *f = &self->result->fault;

	self->j.out[0].va = VA(77);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, f->kind);
	EXPECT_EQ(VA(77), f->address);
	EXPECT_EQ(0, f->invocation);
	EXPECT_EQ(16, f->stream);
}

TEST_F(fault, readonly_output)
{
	ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, self->t.out.handle, 0, VA(70), PAGE,
			     DRM_VSHADER_VM_BIND_READONLY));
	self->j.out[0].va = VA(70);
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_WRITE);
}

TEST_F(fault, unmapped_index_buffer)
{
	self->j.pica.vertices.index_type = DRM_VSHADER_INDEX_U16;
	self->j.pica.vertices.index_va = VA(88);
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_READ);
}

/* An index that points far away. */
TEST_F(fault, wild_index)
{
	struct drm_vshader_fault *f = &self->result->fault;
	struct vst_buf index;

	ASSERT_EQ(0, vst_buf_new(&index, self->t.fd, self->t.vm, VA(50), PAGE, true));
	index.u32[7] = 0x00800000;
	self->j.pica.vertices.index_type = DRM_VSHADER_INDEX_U32;
	self->j.pica.vertices.index_va = index.va;
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(7, f->invocation);
	EXPECT_EQ(self->t.in.va + 0x08000000, f->address);
	vst_buf_free(&index, self->t.fd);
}

TEST_F(fault, misaligned_attribute)
{
	self->j.attr[0].va += 2;
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_MISALIGNED);
}

/* Aligned to the component's size is enough; bytes go anywhere. */
TEST_F(fault, alignment_of_small_components)
{
	self->j.attr[0].va += 2;
	self->j.attr[0].format = DRM_VSHADER_FORMAT_S16;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	self->j.attr[0].va += 1;
	self->j.attr[0].format = DRM_VSHADER_FORMAT_U8;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	self->j.attr[0].format = DRM_VSHADER_FORMAT_U16;
	expect_fault(_metadata, self, -EIO, DRM_VSHADER_FAULT_MISALIGNED);
}

TEST_F(fault, misaligned_stride)
{
	struct drm_vshader_fault *f = &self->result->fault;

	self->j.attr[0].stride = 18;
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_MISALIGNED, f->kind);
	EXPECT_EQ(1, f->invocation);
	EXPECT_EQ(self->t.in.va + 18, f->address);
}

static int spin_queue(FIXTURE_DATA(fault) *self, __u64 budget, __u32 ms)
{
	int ret = vst_program(self->t.fd, &vst_spin, &self->j.shader.program);

	if (!ret)
		ret = vst_queue(self->t.fd, self->t.vm, budget, ms, &self->j.job.queue_id);
	return ret;
}

TEST_F(fault, budget)
{
	ASSERT_EQ(0, spin_queue(self, 100000, 0));
	expect_fault(_metadata, self, -ETIME, DRM_VSHADER_FAULT_BUDGET);
	EXPECT_LE(50000, self->seen.weight);
	EXPECT_GE(200000, self->seen.weight);
}

/* A budget that is just enough is no fault; one less is. */
TEST_F(fault, exact_budget)
{
	__u64 weight;
	__u32 queue;

	ASSERT_EQ(0, vst_program(self->t.fd, &vst_long_loop, &self->j.shader.program));
	self->j.pica.int_uniforms[0][0] = 20;
	self->j.pica.int_uniforms[1][0] = 30;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	weight = self->result->weight;
	EXPECT_LT(21 * 31, weight);
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, weight, 0, &queue));
	self->j.job.queue_id = queue;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, weight / 2, 0, &queue));
	self->j.job.queue_id = queue;
	EXPECT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, self->result->fault.kind);
}

TEST_F(fault, timeout)
{
	ASSERT_EQ(0, spin_queue(self, self->limits.max_budget, 50));
	memset(self->result, 0xa5, sizeof(*self->result));
	EXPECT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(-ETIME, self->result->status);
	EXPECT_TRUE(self->result->fault.kind == DRM_VSHADER_FAULT_TIMEOUT ||
		    self->result->fault.kind == DRM_VSHADER_FAULT_BUDGET);
	/* 50 ms are no budget's work on any machine */
	if (self->limits.max_budget > 100000000)
		EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, self->result->fault.kind);
}

/* CPU time of a job that a limit of 30 ms ends. */
static __u64 ended_after(FIXTURE_DATA(fault) *self, __u32 flags)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_PICA, .vm_id = self->t.vm, .flags = flags,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM, .time_limit_ms = 30,
	};
	struct drm_vshader_queue_get_state st;

	if (vst_program(self->t.fd, &vst_spin, &self->j.shader.program) ||
	    vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg))
		return 0;
	self->j.job.queue_id = arg.id;
	/* debug queues have no fences */
	if (vst_submit(self->t.fd, &self->j))
		return 0;
	do {
		usleep(10000);
		if (vst_queue_state(self->t.fd, arg.id, &st))
			return 0;
	} while (!st.completed);
	return self->result->fault.kind == DRM_VSHADER_FAULT_TIMEOUT ? st.busy_ns : 0;
}

/* For emulated machines, and where debuggers and traces slow jobs down. */
TEST_F_TIMEOUT(fault, timeout_scaled, 120)
{
	struct vst_parameter scale;

	if (self->limits.max_budget <= 1000000000)
		SKIP(return, "the largest budget ends before the time does");
	EXPECT_LE(10 * 30 * 1000000ULL, ended_after(self, DRM_VSHADER_QUEUE_DEBUG));
	if (vst_parameter_set(&scale, "time_scale", "7"))
		SKIP(return, "no module parameters");
	EXPECT_LE(7 * 30 * 1000000ULL, ended_after(self, 0));
	vst_parameter_reset(&scale);
}

TEST_F(fault, timeout_bans)
{
	if (self->limits.max_budget <= 100000000)
		SKIP(return, "the largest budget ends before the time does");
	ASSERT_EQ(0, spin_queue(self, 0, 30));
	expect_fault(_metadata, self, -ETIME, DRM_VSHADER_FAULT_TIMEOUT);
}

TEST_F(fault, hang)
{
	struct drm_vshader_fault *f = &self->result->fault;

	ASSERT_EQ(0, vst_program(self->t.fd, &vst_hang, &self->j.shader.program));
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_HANG, f->kind);
	EXPECT_EQ(1, f->pc);
	EXPECT_EQ(0, f->invocation);
	EXPECT_EQ(~0ULL, f->active);
	EXPECT_EQ(NEVER, f->stream);
}

/* Only some invocations hang: the lowest one is reported. */
TEST_F(fault, hang_of_some)
{
	static const __u32 code[] = {
		PCMP(4, 4, PS_C(0), PS_V(0), 0),		/* 0: c0 > v0 */
		P2(PICA_BREAKC, 0, 0, 2, 0, 0),			/* 1: breakc !cmp.x */
		P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),
		P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 4, desc, 1 };
	struct drm_vshader_fault *f = &self->result->fault;

	ASSERT_EQ(0, vst_program(self->t.fd, &c, &self->j.shader.program));
	vst_job_unif(&self->j, 0, 4 * 10 - 1, 0, 0, 0);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_HANG, f->kind);
	EXPECT_EQ(1, f->pc);
	EXPECT_EQ(10, f->invocation);
	EXPECT_EQ(~0ULL << 10, f->active);
}

/* Jobs after a faulting one do not run. */
TEST_F(fault, jobs_behind_are_cancelled)
{
	struct drm_vshader_job jobs[3];
	struct vst_job j[3];
	__u32 done[3];
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, vst_syncobj(self->t.fd, &done[i]));
		vst_default_job(&self->t, &j[i]);
		if (!i)
			j[i].attr[0].va = VA(99);
		j[i].job.result_va += i * 128;
		vst_job_sync(&j[i], DRM_VSHADER_SYNC_SIGNAL, done[i], 0);
		jobs[i] = j[i].job;
	}
	ASSERT_EQ(0, vst_submit_jobs(self->t.fd, jobs, 3, NULL));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, vst_wait(self->t.fd, done[i], 10000));
	EXPECT_EQ(-EIO, vst_fence_status(self->t.fd, done[0]));
	EXPECT_EQ(-ECANCELED, vst_fence_status(self->t.fd, done[1]));
	EXPECT_EQ(-ECANCELED, vst_fence_status(self->t.fd, done[2]));
	EXPECT_EQ(0, self->t.out.u32[4]);
}

/* Two queues of one VM: the fault of one is nothing to the other. */
TEST_F(fault, innocent_queue)
{
	struct drm_vshader_queue_get_state st;
	struct vst_job good;
	int i;

	vst_default_job(&self->t, &good);
	ASSERT_EQ(0, spin_queue(self, 200000, 0));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, vst_run(self->t.fd, &good));
		if (i == 1)
			EXPECT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	}
	EXPECT_EQ(0, vst_queue_state(self->t.fd, good.job.queue_id, &st));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(DRM_VSHADER_FAULT_NONE, st.fault.kind);
	EXPECT_EQ(3, st.completed);
}

/* While one queue spins on one of the workers, others get their turn. */
TEST_F(fault, spinning_does_not_block_others)
{
	struct drm_vshader_dev_info info;
	struct vst_job good;
	__u32 done;
	int i;

	ASSERT_EQ(0, vst_dev_info(self->t.fd, &info));
	if (info.num_workers < 2)
		SKIP(return, "the device has one worker only");
	vst_default_job(&self->t, &good);
	ASSERT_EQ(0, spin_queue(self, 0, self->limits.max_time_ms));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	self->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, vst_run(self->t.fd, &good));
	EXPECT_EQ(-ETIME, vst_wait(self->t.fd, done, 0));
	EXPECT_EQ(0, vst_queue_destroy(self->t.fd, self->j.job.queue_id));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 10000));
}

/* Another process's fault is none of ours. */
TEST_F(fault, other_file)
{
	struct vst other;

	SETUP_OR_SKIP(return, &other, &vst_mov);
	self->j.out[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	vst_default_job(&other, &self->j);
	EXPECT_EQ(0, vst_run(other.fd, &self->j));
	vst_teardown(&other);
}

TEST_HARNESS_MAIN
