// SPDX-License-Identifier: GPL-2.0
/*
 * SUBMIT with each bad field: a clean error, nothing runs, the queue stays good.
 */
#include "vshader_test.h"

FIXTURE(args) {
	struct vst t;
	struct vst_job j;
	struct drm_vshader_limits limits;
};

FIXTURE_SETUP(args)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	ASSERT_EQ(0, vst_limits(self->t.fd, &self->limits));
}

FIXTURE_TEARDOWN(args)
{
	vst_teardown(&self->t);
}

/* Change one field of a good job; the address of the parts stays valid. */
#define BAD(err, field, val) do {					\
	vst_default_job(&self->t, &self->j);				\
	self->j.field = (val);						\
	EXPECT_EQ((err), vst_submit(self->t.fd, &self->j))		\
		TH_LOG("%s = %s", #field, #val);			\
} while (0)

/* After all that the queue must be usable and have seen none of it. */
static void expect_untouched(struct __test_metadata *_metadata, FIXTURE_DATA(args) *self)
{
	struct drm_vshader_queue_get_state st;

	EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(0, st.submitted);
	EXPECT_EQ(0, self->t.out.u32[4]);
	vst_default_job(&self->t, &self->j);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
}

TEST_F(args, submit)
{
	struct drm_vshader_submit arg = { .failed_job = NEVER };

#define SUBMIT(err) \
	EXPECT_EQ((err), vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg))
	vst_default_job(&self->t, &self->j);
	SUBMIT(-EINVAL);			/* no jobs */
	arg.jobs.count = 1;
	arg.jobs.stride = sizeof(self->j.job);
	arg.jobs.array = BAD_PTR;
	SUBMIT(-EFAULT);
	arg.jobs.array = PTR(&self->j.job);
	arg.jobs.stride = sizeof(self->j.job) - 8;
	SUBMIT(-EINVAL);
	arg.jobs.stride = 0;
	SUBMIT(-EINVAL);
	arg.jobs.stride = sizeof(self->j.job);
	arg.flags = 1;
	SUBMIT(-EINVAL);
	arg.flags = 1u << 31;
	SUBMIT(-EINVAL);
	arg.flags = 0;
	arg.jobs.count = self->limits.max_jobs + 1;
	SUBMIT(-E2BIG);
	arg.jobs.count = NEVER;
	SUBMIT(-E2BIG);
#undef SUBMIT
	expect_untouched(_metadata, self);
}

TEST_F(args, job)
{
	BAD(-ENOENT, job.queue_id, 0);
	BAD(-ENOENT, job.queue_id, NEVER);
	BAD(-EINVAL, job.type, 2);
	BAD(-EINVAL, job.type, NEVER);
	BAD(-EINVAL, job.flags, 2);
	BAD(-EINVAL, job.flags, 1u << 31);
	BAD(-EINVAL, job.desc_size, 0);
	BAD(-EINVAL, job.desc_size, sizeof(struct drm_vshader_shader_job) - 8);
	BAD(-EFAULT, job.desc, BAD_PTR);
	BAD(-EFAULT, job.desc, 0);
	BAD(-EINVAL, job.result_va, self->t.result.va + 4);
	BAD(-EINVAL, job.result_va, VA(99));
	BAD(-EINVAL, job.result_va, self->t.result.va + PAGE - 8);
	BAD(-EINVAL, job.result_va, 1ULL << 40);
	BAD(-EINVAL, job.result_va, ~7ULL);
	expect_untouched(_metadata, self);
}

/* The result needs a mapping that jobs may write. */
TEST_F(args, result_readonly)
{
	ASSERT_EQ(0, vst_map(self->t.fd, self->t.vm, self->t.result.handle, 0, VA(40), PAGE,
			     DRM_VSHADER_VM_BIND_READONLY));
	BAD(-EINVAL, job.result_va, VA(40));
	expect_untouched(_metadata, self);
}

TEST_F(args, shader)
{
	BAD(-ENOENT, shader.program, 0);
	BAD(-ENOENT, shader.program, NEVER);
	BAD(-EINVAL, shader.entry, 1);
	BAD(-EINVAL, shader.entry, NEVER);
	BAD(-E2BIG, pica.vertices.count, self->limits.max_invocations + 1);
	BAD(-E2BIG, pica.vertices.count, NEVER);
	BAD(-E2BIG, pica.vertices.instances, self->limits.max_invocations);
	BAD(-E2BIG, pica.vertices.instances, NEVER);
	BAD(-EINVAL, pica.vertices.index_type, 4);
	BAD(-EINVAL, pica.vertices.index_type, NEVER);
	BAD(-EFAULT, pica.vertices.attributes.array, BAD_PTR);
	BAD(-EINVAL, pica.vertices.attributes.stride, 24);
	BAD(-EINVAL, pica.vertices.attributes.stride, 0);
	BAD(-E2BIG, pica.vertices.attributes.count, self->limits.max_streams + 1);
	BAD(-E2BIG, pica.vertices.attributes.count, NEVER);
	BAD(-EFAULT, pica.vertices.outputs.array, BAD_PTR);
	BAD(-EINVAL, pica.vertices.outputs.stride, 24);
	BAD(-E2BIG, pica.vertices.outputs.count, self->limits.max_streams + 1);
	BAD(-EFAULT, shader.engine_block, BAD_PTR);
	BAD(-EFAULT, shader.engine_block, 0);
	BAD(-EINVAL, shader.engine_block_size, 0);
	BAD(-EINVAL, shader.engine_block_size, sizeof(struct drm_vshader_pica_job) - 8);
	BAD(-EINVAL, shader.pad, 1);
	expect_untouched(_metadata, self);
}

/* The product of count and instances must not wrap either. */
TEST_F(args, invocations_overflow)
{
	vst_default_job(&self->t, &self->j);
	self->j.pica.vertices.count = 1u << 16;
	self->j.pica.vertices.instances = 1u << 16;
	EXPECT_EQ(-E2BIG, vst_submit(self->t.fd, &self->j));
	self->j.pica.vertices.count = 3;
	self->j.pica.vertices.instances = 0x55555556;
	EXPECT_EQ(-E2BIG, vst_submit(self->t.fd, &self->j));
	expect_untouched(_metadata, self);
}

TEST_F(args, attribute)
{
	BAD(-EINVAL, attr[0].format, 8);
	BAD(-EINVAL, attr[0].format, NEVER);
	BAD(-EINVAL, attr[0].reg, 16);
	BAD(-EINVAL, attr[0].reg, NEVER);
	BAD(-EINVAL, attr[0].components, 0);
	BAD(-EINVAL, attr[0].components, 5);
	BAD(-EINVAL, attr[0].components, NEVER);
	BAD(-EINVAL, attr[0].pad, 1);
	expect_untouched(_metadata, self);
}

TEST_F(args, output)
{
	BAD(-EINVAL, out[0].format, DRM_VSHADER_FORMAT_S8);
	BAD(-EINVAL, out[0].format, DRM_VSHADER_FORMAT_F16);
	BAD(-EINVAL, out[0].format, 8);
	BAD(-EINVAL, out[0].reg, 16);
	BAD(-EINVAL, out[0].components, 0);
	BAD(-EINVAL, out[0].components, 5);
	BAD(-EINVAL, out[0].divisor, 1);
	BAD(-EINVAL, out[0].pad, 1);
	expect_untouched(_metadata, self);
}

TEST_F(args, pica)
{
	BAD(-EINVAL, pica.model, 2);
	BAD(-EINVAL, pica.model, NEVER);
	BAD(-EINVAL, pica.switches, DRM_VSHADER_PICA_CLAMP_OF_BOTH << 1);
	BAD(-EINVAL, pica.switches, 1u << 31);
	BAD(-EINVAL, pica.switches, DRM_VSHADER_PICA_ROUND_NEAREST);	/* with F32 */
	BAD(-EINVAL, pica.num_float_uniforms, 97);
	BAD(-EINVAL, pica.num_float_uniforms, NEVER);
	BAD(-EINVAL, pica.float_format, DRM_VSHADER_FORMAT_S8);
	BAD(-EINVAL, pica.float_format, NEVER);
	BAD(-EINVAL, pica.bool_uniforms, 1u << 16);
	BAD(-EINVAL, pica.output_mask, 1);		/* geometry only */
	BAD(-EINVAL, pica.pad, 1);
	vst_default_job(&self->t, &self->j);
	self->j.pica.num_float_uniforms = 1;
	self->j.pica.float_uniforms = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_submit(self->t.fd, &self->j));
	expect_untouched(_metadata, self);
}

TEST_F(args, sync)
{
	__u32 handle;

	ASSERT_EQ(0, vst_syncobj(self->t.fd, &handle));
#define SYNC(err, flags, handle, point) do {				\
	vst_default_job(&self->t, &self->j);				\
	vst_job_sync(&self->j, flags, handle, point);			\
	EXPECT_EQ((err), vst_submit(self->t.fd, &self->j))		\
		TH_LOG("flags %d handle %d point %d", flags, handle, point);	\
} while (0)
	SYNC(-EINVAL, 4, handle, 0);
	SYNC(-EINVAL, 1 << 30, handle, 0);
	SYNC(-ENOENT, DRM_VSHADER_SYNC_SIGNAL, 0, 0);
	SYNC(-ENOENT, DRM_VSHADER_SYNC_SIGNAL, (int)NEVER, 0);
	SYNC(-ENOENT, 0, 0, 0);
	SYNC(-EINVAL, DRM_VSHADER_SYNC_SIGNAL, handle, 1);
	SYNC(-EINVAL, DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE, handle, 0);
	/* nothing has been submitted that would signal it */
	SYNC(-EINVAL, 0, handle, 0);
	SYNC(-EINVAL, DRM_VSHADER_SYNC_TIMELINE, handle, 1);
#undef SYNC
	BAD(-E2BIG, job.syncs.count, self->limits.max_syncs + 1);
	BAD(-E2BIG, job.syncs.count, NEVER);
	vst_default_job(&self->t, &self->j);
	self->j.job.syncs.count = 1;
	self->j.job.syncs.array = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_submit(self->t.fd, &self->j));
	self->j.job.syncs.array = PTR(self->j.sync);
	self->j.job.syncs.stride = 8;
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
	expect_untouched(_metadata, self);
	/* a failed submit signals nothing */
	EXPECT_EQ(-EINVAL, vst_wait(self->t.fd, handle, 0));
}

/* Objects of another file are unknown. */
TEST_F(args, strangers)
{
	struct vst other;

	SETUP_OR_SKIP(return, &other, &vst_mov);
	/* ids that the other file has and this one has not */
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	vst_default_job(&self->t, &self->j);
	EXPECT_EQ(-ENOENT, vst_submit(self->t.fd, &self->j));
	ASSERT_EQ(0, vst_program_destroy(other.fd, other.program));
	vst_default_job(&other, &self->j);
	EXPECT_EQ(-ENOENT, vst_submit(other.fd, &self->j));
	vst_teardown(&other);
}

/* All or none: the second job is bad, so the first does not run. */
TEST_F(args, all_or_none)
{
	struct drm_vshader_job jobs[3];
	struct vst_job bad;
	__u32 failed;

	vst_default_job(&self->t, &self->j);
	vst_default_job(&self->t, &bad);
	bad.shader.entry = 7;
	jobs[0] = self->j.job;
	jobs[1] = bad.job;
	jobs[2] = self->j.job;
	EXPECT_EQ(-EINVAL, vst_submit_jobs(self->t.fd, jobs, 3, &failed));
	EXPECT_EQ(1, failed);
	bad.shader.entry = 0;
	bad.job.queue_id = NEVER;
	jobs[0] = bad.job;
	EXPECT_EQ(-ENOENT, vst_submit_jobs(self->t.fd, jobs, 3, &failed));
	EXPECT_EQ(0, failed);
	usleep(20000);
	expect_untouched(_metadata, self);
}

/* Structures of a later version: longer, with and without news in the tail. */
TEST_F(args, longer_structures)
{
	struct {
		struct drm_vshader_job job;
		__u64 later;
	} job = { .later = 0 };
	struct {
		struct drm_vshader_shader_job shader;
		__u64 later;
	} shader = { .later = 0 };
	struct {
		struct drm_vshader_pica_job pica;
		__u64 later[2];
	} pica = { .later = { 0 } };
	struct {
		struct drm_vshader_stream s;
		__u64 later;
	} attr = { .later = 0 };
	struct drm_vshader_submit arg = { .jobs = DRM_VSHADER_OBJ_ARRAY(1, &job) };
	__u64 *later[] = { &job.later, &shader.later, &pica.later[1], &attr.later };
	unsigned int i;

	vst_default_job(&self->t, &self->j);
	job.job = self->j.job;
	shader.shader = self->j.shader;
	pica.pica = self->j.pica;
	attr.s = self->j.attr[0];
	job.job.desc = PTR(&shader);
	job.job.desc_size = sizeof(shader);
	shader.shader.engine_block = PTR(&pica);
	shader.shader.engine_block_size = sizeof(pica);
	pica.pica.vertices.attributes.array = PTR(&attr);
	pica.pica.vertices.attributes.stride = sizeof(attr);
	for (i = 0; i < ARRAY_SIZE(later); i++) {
		*later[i] = 1ULL << 40;
		EXPECT_EQ(-E2BIG, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg))
			TH_LOG("structure %u", i);
		*later[i] = 0;
	}
	EXPECT_EQ(0, self->t.out.u32[4]);
	EXPECT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg));
	/* the queue is in order */
	vst_default_job(&self->t, &self->j);
	self->j.pica.vertices.count = 1;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
}

/* More unfinished jobs than the queue takes. */
TEST_F(args, queued_jobs_limit)
{
	struct vst_gate gate;
	__u32 wait, done;
	unsigned int n = 0;
	int ret, opened;

	if (self->limits.max_queued_jobs > 5000)
		SKIP(return, "%u jobs are too many to try", self->limits.max_queued_jobs);
	ret = vst_gate_new(&gate, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_default_job(&self->t, &self->j);
	self->j.pica.vertices.count = 1;
	vst_job_sync(&self->j, 0, wait, 0);
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ret = 0;
	while (!ret && n <= self->limits.max_queued_jobs) {
		ret = vst_submit(self->t.fd, &self->j);
		n += !ret;
	}
	opened = vst_gate_open(&gate);
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 20000));
	if (opened == -ETIMEDOUT) {
		vst_gate_free(&gate);
		SKIP(return, "submitting takes longer than vgem holds a fence");
	}
	EXPECT_EQ(0, opened);
	EXPECT_EQ(-EBUSY, ret);
	EXPECT_EQ(self->limits.max_queued_jobs, n);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	vst_gate_free(&gate);
}

/* A command list at an unmapped address. */
TEST_F(args, native_on_bad_memory)
{
	struct drm_vshader_native_job n = { .va = VA(90), .size = 64, .flags = 1 };

	vst_default_job(&self->t, &self->j);
	self->j.job.type = DRM_VSHADER_JOB_NATIVE;
	self->j.job.desc = PTR(&n);
	self->j.job.desc_size = sizeof(n);
	EXPECT_NE(0, vst_submit(self->t.fd, &self->j));
	expect_untouched(_metadata, self);
}

TEST_HARNESS_MAIN
