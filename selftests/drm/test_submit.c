// SPDX-License-Identifier: GPL-2.0
/*
 * SUBMIT, good use: results bit for bit, both numeric models and their switches,
 * uniforms, flow, several jobs, the result record.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <sys/wait.h>

#include "vshader_test.h"

FIXTURE(submit) {
	struct vst t;
	struct vst_job j;
};

FIXTURE_SETUP(submit)
{
	SETUP_OR_SKIP(return, &self->t, NULL);
}

FIXTURE_TEARDOWN(submit)
{
	vst_teardown(&self->t);
}

/* The default job with another program. */
static int prepare(FIXTURE_DATA(submit) *self, const struct vst_code *c)
{
	int ret = vst_program(self->t.fd, c, &self->t.program);

	vst_default_job(&self->t, &self->j);
	return ret;
}

static int run(FIXTURE_DATA(submit) *self)
{
	return vst_run(self->t.fd, &self->j);
}

TEST_F(submit, copy)
{
	ASSERT_EQ(0, prepare(self, &vst_mov));
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
	/* and nothing after it */
	EXPECT_EQ(0, self->t.out.u32[4 * VST_COUNT]);
}

TEST_F(submit, result_record)
{
	struct drm_vshader_job_result *r = self->t.result.map;

	ASSERT_EQ(0, prepare(self, &vst_mov));
	memset(r, 0xa5, sizeof(*r) + 8);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, r->status);
	EXPECT_EQ(0, r->stray_reads);
	EXPECT_EQ(VST_COUNT, r->invocations);
	EXPECT_LT(0, r->weight);
	EXPECT_LT(0, r->busy_ns);
	EXPECT_EQ(DRM_VSHADER_FAULT_NONE, r->fault.kind);
	EXPECT_EQ(0xa5, self->t.result.u8[sizeof(*r)]);
}

/* Costs depend neither on earlier jobs nor on elapsed time. */
TEST_F(submit, weight_is_deterministic)
{
	struct drm_vshader_job_result *r = self->t.result.map;
	__u64 weight;
	int i;

	ASSERT_EQ(0, prepare(self, &vst_diverge));
	vst_job_unif(&self->j, 0, 100, 0, 0, 0);
	EXPECT_EQ(0, run(self));
	weight = r->weight;
	EXPECT_LT(0, weight);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(0, run(self));
		EXPECT_EQ(weight, r->weight);
	}
}

/*
 * (1 + 2^-16) * 1.5 = 1.5 + 1.5 * 2^-16: exact in binary32, half way between two
 * values with 16 mantissa bits.
 */
TEST_F(submit, numeric_models)
{
	const __u32 a = 0x3f800080;
	unsigned int i;

	ASSERT_EQ(0, prepare(self, &vst_mul));
	for (i = 0; i < 4 * VST_COUNT; i++)
		self->t.in.u32[i] = a;
	vst_job_unif(&self->j, 0, 1.5, 1.5, 1.5, 1.5);

	self->j.pica.model = DRM_VSHADER_PICA_F32;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(0x3fc000c0, self->t.out.u32[i]);

	self->j.pica.model = DRM_VSHADER_PICA_F24;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(0x3fc00080, self->t.out.u32[i]);

	self->j.pica.switches = DRM_VSHADER_PICA_ROUND_NEAREST;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(0x3fc00100, self->t.out.u32[i]);
}

/* 0 * inf = 0, inf - inf = NaN, overflow to infinity in the smaller format. */
TEST_F(submit, special_values)
{
	const __u32 inf = 0x7f800000;
	unsigned int model;

	ASSERT_EQ(0, prepare(self, &vst_mul));
	self->t.in.u32[0] = inf;
	self->t.in.u32[1] = inf;
	self->t.in.u32[2] = 0x5f000000;		/* 2^63 */
	self->t.in.u32[3] = 0x3f800000;
	vst_job_unif(&self->j, 0, 0, -1, 4, 1);
	for (model = 0; model < 2; model++) {
		self->j.pica.model = model;
		EXPECT_EQ(0, run(self));
		EXPECT_EQ(0, self->t.out.u32[0]);
		EXPECT_EQ(0xff800000, self->t.out.u32[1]);
		EXPECT_EQ(model == DRM_VSHADER_PICA_F24 ? inf : 0x60000000,
			  self->t.out.u32[2]);
		EXPECT_EQ(0x3f800000, self->t.out.u32[3]);
	}
}

TEST_F(submit, uniforms)
{
	unsigned int i;

	ASSERT_EQ(0, prepare(self, &vst_mad));
	vst_job_unif(&self->j, 0, 2, 3, 4, 5);
	vst_job_unif(&self->j, 1, 0.5, 0.25, -1, 8);
	EXPECT_EQ(0, run(self));
	for (i = 0; i < VST_COUNT; i++) {
		float *in = self->t.in.f32 + 4 * i, *out = self->t.out.f32 + 4 * i;

		ASSERT_EQ(in[0] * 2 + 0.5f, out[0]);
		ASSERT_EQ(in[1] * 3 + 0.25f, out[1]);
		ASSERT_EQ(in[2] * 4 - 1, out[2]);
		ASSERT_EQ(in[3] * 5 + 8, out[3]);
	}
	/* rows that are not given are zero */
	self->j.pica.num_float_uniforms = 1;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(self->t.in.f32[4] * 2, self->t.out.f32[4]);
	self->j.pica.num_float_uniforms = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, self->t.out.f32[4]);
	/* copied at submit, all 96 rows may be there */
	self->j.pica.num_float_uniforms = 96;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(self->t.in.f32[4] * 2 + 0.5f, self->t.out.f32[4]);
}

TEST_F(submit, uniforms_in_float24)
{
	__u32 raw[2][4] = {
		{ F24_TWO, F24_TWO, F24_TWO, F24_TWO },
		{ F24_ONE, F24_ONE, F24_ONE, F24_ONE | 1 << 23 },
	};

	ASSERT_EQ(0, prepare(self, &vst_mad));
	self->j.pica.float_uniforms = PTR(raw);
	self->j.pica.num_float_uniforms = 2;
	self->j.pica.float_format = DRM_VSHADER_FORMAT_F24;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1, self->t.out.f32[0]);
	EXPECT_EQ(3, self->t.out.f32[1]);
	EXPECT_EQ(2 * 3 - 1, self->t.out.f32[3]);
	self->j.pica.model = DRM_VSHADER_PICA_F24;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(3, self->t.out.f32[1]);
}

TEST_F(submit, integer_uniforms)
{
	ASSERT_EQ(0, prepare(self, &vst_loop));
	vst_job_unif(&self->j, 0, 1, 2, 3, 4);
	vst_job_unif(&self->j, 1, 0, 0, 100, 0);
	self->j.pica.int_uniforms[0][0] = 9;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(10, self->t.out.f32[0]);
	EXPECT_EQ(20, self->t.out.f32[1]);
	EXPECT_EQ(130, self->t.out.f32[2]);
	EXPECT_EQ(40, self->t.out.f32[3]);
	self->j.pica.int_uniforms[0][0] = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1, self->t.out.f32[0]);
	self->j.pica.int_uniforms[0][0] = 255;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(256, self->t.out.f32[0]);
}

TEST_F(submit, boolean_uniforms)
{
	ASSERT_EQ(0, prepare(self, &vst_spin));
	self->j.pica.bool_uniforms = 1;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
}

TEST_F(submit, relative_addressing)
{
	unsigned int i;

	ASSERT_EQ(0, prepare(self, &vst_relative));
	for (i = 0; i < 96; i++)
		vst_job_unif(&self->j, i, i, 0, 0, 1000 + i);
	for (i = 0; i < VST_COUNT; i++)
		self->t.in.f32[4 * i] = 2 * i + 0.5;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < VST_COUNT; i++) {
		/* rows 96..127 read as ones */
		ASSERT_EQ(2 * i < 96 ? 2 * i : 1, self->t.out.f32[4 * i]);
		ASSERT_EQ(2 * i < 96 ? 1000 + 2 * i : 1, self->t.out.f32[4 * i + 3]);
	}
	/* out of range: treated as 0, or reads zeros */
	self->t.in.f32[0] = 1000;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1000, self->t.out.f32[3]);
	self->j.pica.switches = DRM_VSHADER_PICA_OOR_READS_ZERO;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, self->t.out.f32[3]);
}

TEST_F(submit, divergence)
{
	unsigned int i;

	ASSERT_EQ(0, prepare(self, &vst_diverge));
	vst_job_unif(&self->j, 0, 100, 0, 0, 0);
	vst_job_unif(&self->j, 1, 1, 1, 1, 1);
	vst_job_unif(&self->j, 2, 2, 2, 2, 2);
	/* odd invocations go one way, even ones the other */
	for (i = 0; i < VST_COUNT; i++)
		self->t.in.f32[4 * i] = i % 2 ? 0 : 200;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < VST_COUNT; i++)
		ASSERT_EQ(i % 2 ? 1 : 2, self->t.out.f32[4 * i]);
}

TEST_F(submit, two_outputs)
{
	unsigned int i;

	ASSERT_EQ(0, prepare(self, &vst_two));
	self->j.out[0].stride = 32;
	vst_job_out(&self->j, 1, self->t.out.va + 16)->stride = 32;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < VST_COUNT; i++) {
		float *in = self->t.in.f32 + 4 * i, *out = self->t.out.f32 + 8 * i;

		ASSERT_EQ(2 * in[0], out[0]);
		ASSERT_EQ(2 * in[3], out[3]);
		ASSERT_EQ(in[3], out[4]);
		ASSERT_EQ(in[2], out[5]);
		ASSERT_EQ(in[1], out[6]);
		ASSERT_EQ(in[0], out[7]);
	}
}

/* Counts around the size of a block; unused lanes of the last block write nothing. */
TEST_F(submit, counts)
{
	static const __u32 count[] = { 0, 1, 3, 4, 15, 16, 63, 64, 65, 127, 128, 129, 200 };
	struct drm_vshader_job_result *r = self->t.result.map;
	unsigned int i, k, wrong;

	ASSERT_EQ(0, prepare(self, &vst_mov));
	for (i = 0; i < ARRAY_SIZE(count); i++) {
		self->j.pica.vertices.count = count[i];
		self->j.attr[0].stride = 4;
		self->j.attr[0].components = 1;
		memset(self->t.out.map, 0xff, self->t.out.size);
		ASSERT_EQ(0, run(self));
		EXPECT_EQ(count[i], r->invocations);
		for (k = wrong = 0; k < count[i]; k++)
			wrong += self->t.out.f32[4 * k] != k;
		EXPECT_EQ(0, wrong);
		EXPECT_EQ(~0u, self->t.out.u32[4 * count[i]]);
	}
}

/* A job without an engine block does nothing, whatever program it has. */
TEST_F(submit, no_block)
{
	struct drm_vshader_job_result *r = self->t.result.map;

	ASSERT_EQ(0, prepare(self, &vst_mov));
	self->j.shader.engine_block = 0;
	self->j.shader.engine_block_size = 0;
	memset(self->t.result.map, 0xff, sizeof(*r));
	ASSERT_EQ(0, run(self));
	EXPECT_EQ(0, r->status);
	EXPECT_EQ(0, r->invocations);
	EXPECT_EQ(0, self->t.out.u32[4]);
	self->j.shader.pad = 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	self->j.shader.pad = 0;
	self->j.shader.program = NEVER;
	EXPECT_EQ(VST_SUBMIT_ERROR(-ENOENT), run(self));
}

/* Enough blocks for all workers, more than a slice of time. */
TEST_F(submit, many_invocations)
{
	const unsigned int count = 20000;
	struct vst_buf in, out;
	unsigned int i, wrong = 0;

	ASSERT_EQ(0, prepare(self, &vst_mul));
	ASSERT_EQ(0, vst_buf_new(&in, self->t.fd, self->t.vm, VA(16), 16 * count, true));
	ASSERT_EQ(0, vst_buf_new(&out, self->t.fd, self->t.vm, VA(32), 16 * count, false));
	for (i = 0; i < 4 * count; i++)
		in.f32[i] = i;
	vst_job_unif(&self->j, 0, 1, 2, 4, 8);
	self->j.pica.vertices.count = count;
	self->j.attr[0].va = in.va;
	self->j.out[0].va = out.va;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 4 * count; i++)
		wrong += out.f32[i] != in.f32[i] * (1 << i % 4);
	EXPECT_EQ(0, wrong);
	vst_buf_free(&in, self->t.fd);
	vst_buf_free(&out, self->t.fd);
}

/* A program that reads no input needs no attributes. */
TEST_F(submit, without_attributes)
{
	ASSERT_EQ(0, prepare(self, &vst_loop));
	self->j.pica.vertices.attributes.count = 0;
	vst_job_unif(&self->j, 0, 7, 7, 7, 7);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(7, self->t.out.f32[0]);
	EXPECT_EQ(7, self->t.out.f32[4 * VST_COUNT - 1]);
}

TEST_F(submit, without_outputs)
{
	struct drm_vshader_job_result *r = self->t.result.map;

	ASSERT_EQ(0, prepare(self, &vst_mov));
	self->j.pica.vertices.outputs.count = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(VST_COUNT, r->invocations);
	EXPECT_EQ(0, self->t.out.u32[4]);
}

TEST_F(submit, entry_points)
{
	/* 0: o0 = v0 + v0; 2: o0 = v0 */
	static const __u32 code[] = {
		P1(PICA_ADD, PD_O(0), PS_V(0), PS_V(0), 0), P0(PICA_END),
		P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0), P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	static const __u32 entry[] = { 0, 2 };
	const struct vst_code c = { 0, code, 4, desc, 1 };
	struct drm_vshader_program_section sec[2];
	struct drm_vshader_program_create arg;

	vst_program_args(&c, &arg, sec);
	arg.entries = PTR(entry);
	arg.num_entries = 2;
	ASSERT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg));
	self->t.program = arg.id;
	vst_default_job(&self->t, &self->j);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(2 * 5, self->t.out.f32[5]);
	self->j.shader.entry = 2;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(5, self->t.out.f32[5]);
	/* not declared */
	self->j.shader.entry = 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	self->j.shader.entry = 3;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	self->j.shader.entry = NEVER;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
}

/* Jobs of one queue run in order. */
TEST_F(submit, queue_is_in_order)
{
	struct drm_vshader_job jobs[4];
	struct vst_job j[4];
	__u32 done;
	int i;

	ASSERT_EQ(0, prepare(self, &vst_two));		/* o0 = 2 * v0 */
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	for (i = 0; i < 4; i++) {
		vst_default_job(&self->t, &j[i]);
		j[i].attr[0].va = i ? self->t.out.va : self->t.in.va;
		if (i == 3)
			vst_job_sync(&j[i], DRM_VSHADER_SYNC_SIGNAL, done, 0);
		jobs[i] = j[i].job;
	}
	ASSERT_EQ(0, vst_submit_jobs(self->t.fd, jobs, 4, NULL));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 10000));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(16.0f * i, self->t.out.f32[i]);
}

/* A job may wait for a fence that an earlier job of the same array signals. */
TEST_F(submit, dependencies_in_one_submit)
{
	struct drm_vshader_job jobs[2];
	struct vst_job a, b;
	__u32 between, done;

	ASSERT_EQ(0, prepare(self, &vst_two));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &between));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_default_job(&self->t, &a);
	vst_job_sync(&a, DRM_VSHADER_SYNC_SIGNAL, between, 0);
	vst_default_job(&self->t, &b);
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &b.job.queue_id));
	b.attr[0].va = self->t.out.va;
	b.out[0].va = self->t.out.va + 2 * PAGE;
	vst_job_sync(&b, 0, between, 0);
	vst_job_sync(&b, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	jobs[0] = a.job;
	jobs[1] = b.job;
	ASSERT_EQ(0, vst_submit_jobs(self->t.fd, jobs, 2, NULL));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 10000));
	EXPECT_EQ(0, vst_fence_status(self->t.fd, done));
	EXPECT_EQ(4 * 9, self->t.out.f32[2 * PAGE / 4 + 9]);
	/* the other way round there is nothing to wait for yet */
	ASSERT_EQ(0, vst_syncobj_reset(self->t.fd, between));
	jobs[0] = b.job;
	jobs[1] = a.job;
	EXPECT_EQ(-EINVAL, vst_submit_jobs(self->t.fd, jobs, 2, NULL));
}

/* Programs may go as soon as the job is submitted. */
TEST_F(submit, program_destroyed_at_once)
{
	__u32 done;

	ASSERT_EQ(0, prepare(self, &vst_mov));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_program_destroy(self->t.fd, self->t.program));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 10000));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
	EXPECT_EQ(VST_SUBMIT_ERROR(-ENOENT), run(self));
}

TEST_F(submit, no_implicit_sync)
{
	ASSERT_EQ(0, prepare(self, &vst_mov));
	self->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, memcmp(self->t.in.map, self->t.out.map, 16 * VST_COUNT));
}

/* Dot products are summed from left to right. */
TEST_F(submit, accumulation_order)
{
	/* dp4 o0, c0, v0: (1e8 * 1) + (1 * 1) + (-1e8 * 1) + (1 * 1), left to right */
	static const __u32 code[] = {
		P1(PICA_DP4, PD_O(0), PS_C(0), PS_V(0), 0), P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 2, desc, 1 };
	int i;

	ASSERT_EQ(0, prepare(self, &c));
	for (i = 0; i < 4 * VST_COUNT; i++)
		self->t.in.f32[i] = 1;
	vst_job_unif(&self->j, 0, 1e8, 1, -1e8, 1);
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 4 * VST_COUNT; i++)
		ASSERT_EQ(1, self->t.out.f32[i]);
}

/* ---- long submits ---- */

#define MANY_VMS	64
#define MANY_BOS	1024

static __u64 now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
}

static void use_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/**
 * struct sleeper - process that is woken each millisecond, before all others
 * @times:	that it was woken
 * @worst:	longest time between two of them, us
 */
struct sleeper {
	__u64 times;
	__u64 worst;
};

static pid_t start_sleeper(struct sleeper *s)
{
	struct sched_param prio = { .sched_priority = 50 };
	pid_t pid = fork();
	__u64 last, now, worst;

	if (pid)
		return pid;
	if (sched_setscheduler(0, SCHED_FIFO, &prio))
		_exit(1);
	for (last = now_us();; last = now) {
		usleep(1000);
		now = now_us();
		worst = __atomic_load_n(&s->worst, __ATOMIC_SEQ_CST);
		if (now - last > worst)
			__atomic_store_n(&s->worst, now - last, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&s->times, 1, __ATOMIC_SEQ_CST);
	}
}

/* An address space with all the buffers, and a job in it. */
static int make_many(struct vst *t, const __u32 *bos, struct vst_job *j)
{
	struct drm_vshader_vm_bind_op ops[256] = { };
	__u32 vm, queue, bad;
	int ret, i, k;

	ret = vst_vm_create(t->fd, 0, &vm);
	for (i = 0; i < MANY_BOS && !ret; i += 256) {
		for (k = 0; k < 256; k++) {
			ops[k].bo_handle = bos[i + k];
			ops[k].va = VA(16) + (i + k) * PAGE;
			ops[k].size = PAGE;
		}
		ret = vst_bind_ops(t->fd, vm, ops, 256, &bad);
	}
	if (!ret)
		ret = vst_map(t->fd, vm, bos[0], 0, t->in.va, PAGE, 0);
	if (!ret)
		ret = vst_map(t->fd, vm, bos[1], 0, t->out.va, PAGE, 0);
	if (!ret)
		ret = vst_queue(t->fd, vm, 0, 0, &queue);
	vst_default_job(t, j);
	j->job.queue_id = queue;
	j->job.result_va = 0;
	return ret;
}

/*
 * A submit of many jobs with many buffers lets others execute in between. How long they have to
 * wait depends on the machine and is printed only.
 */
TEST(long_submit_yields)
{
	static struct drm_vshader_job jobs[MANY_VMS];
	static struct vst_job j[MANY_VMS];
	__u32 bos[MANY_BOS], bad, i;
	struct sleeper *s;
	__u64 times = 0, took;
	struct vst t;
	pid_t pid;

	SETUP_OR_SKIP(return, &t, &vst_mov);
	s = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)s);
	for (i = 0; i < MANY_BOS; i++)
		ASSERT_EQ(0, vst_bo_create(t.fd, PAGE, 0, 0, &bos[i]));
	for (i = 0; i < MANY_VMS; i++) {
		ASSERT_EQ(0, make_many(&t, bos, &j[i]));
		jobs[i] = j[i].job;
	}
	use_one_cpu();
	pid = start_sleeper(s);
	usleep(100000);
	/* a submit that does not yield lets the other process execute once, at its end */
	for (i = 0; i < 20 && times < 4; i++) {
		__atomic_store_n(&s->worst, 0, __ATOMIC_SEQ_CST);
		times = __atomic_load_n(&s->times, __ATOMIC_SEQ_CST);
		took = now_us();
		ASSERT_EQ(0, vst_submit_jobs(t.fd, jobs, MANY_VMS, &bad));
		took = now_us() - took;
		times = __atomic_load_n(&s->times, __ATOMIC_SEQ_CST) - times;
		printf("# submit %llu us: another process executed %llu times, waited %llu us\n",
		       took, times, s->worst);
	}
	EXPECT_LE(4, times);
	kill(pid, SIGKILL);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	vst_teardown(&t);
}

TEST_HARNESS_MAIN
