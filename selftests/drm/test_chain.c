// SPDX-License-Identifier: GPL-2.0
/*
 * Job chains of Mali GPUs in memory: execution order, job header write-back, malformed chains,
 * limits. The layouts are those of versions 5 and 7.
 */
#include "vshader_test.h"
#include "vst_mali.h"

/* In the descriptors' buffer. */
#define JOB_AT(n)	(0x40 * (n))	/* of 64 bytes; jobs with programs occupy 256 */
#define STATE_AT	0x40000
#define STORAGE_AT	0x40040
#define UBO_AT		0x40080
#define PUSH_AT		0x400c0
#define DESC(at)	(MALI_DESC_VA + (at))

#define MAX_JOBS	65535	/* of a chain */

enum {
	T_NULL = 1, T_WRITE, T_FLUSH, T_COMPUTE, T_VERTEX, T_GEOMETRY,
	T_FUSED = 8
};

enum { W_CYCLES = 1, W_TIMESTAMP, W_ZERO, W_IMM8, W_IMM16, W_IMM32, W_IMM64 };

/* Of job headers; numbers of the hardware. */
#define DONE		0x01
#define TERMINATED	0x04
#define CONFIG_FAULT	0x40
#define READ_FAULT	0x42
#define WRITE_FAULT	0x43
#define INVALID_PC	0x50
#define INVALID_ENC	0x51

/* Of COMMAND faults. */
#define R_UNMAPPED	1
#define R_MISALIGNED	2
#define R_TYPE		4
#define R_UNSUPPORTED	5
#define R_32BIT		6
#define R_LOOP		7
#define R_DUPLICATE	8
#define R_NO_INDEX	9
#define R_DEADLOCK	10
#define R_WRITE_TYPE	11
#define R_INVOCATION	12

FIXTURE(chain) {
	struct vst_mali m;
};

FIXTURE_VARIANT(chain) {
	const struct vst_mali_arch *arch;
};

FIXTURE_VARIANT_ADD(chain, bifrost) {
	.arch = &vst_mali_bifrost,
};

FIXTURE_VARIANT_ADD(chain, midgard) {
	.arch = &vst_mali_midgard,
};

FIXTURE_SETUP(chain)
{
	int ret = vst_mali_setup(&self->m, variant->arch);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(chain)
{
	close(self->m.fd);
}

/* With jobs that write numbers, which version 5 does not have. */
FIXTURE(numbers) {
	struct vst_mali m;
};

FIXTURE_SETUP(numbers)
{
	int ret = vst_mali_setup(&self->m, &vst_mali_bifrost);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(numbers)
{
	close(self->m.fd);
}

static void w32(struct vst_mali *m, unsigned int at, __u32 v)
{
	m->desc.u32[at / 4] = v;
}

static void w64(struct vst_mali *m, unsigned int at, __u64 v)
{
	w32(m, at, v);
	w32(m, at + 4, v >> 32);
}

static __u32 status(const struct vst_mali *m, unsigned int at)
{
	return m->desc.u32[at / 4];
}

static __u64 fault_address(const struct vst_mali *m, unsigned int at)
{
	return m->desc.u32[at / 4 + 2] | (__u64)m->desc.u32[at / 4 + 3] << 32;
}

/* @next: offset, 0: last. */
static void put_job(struct vst_mali *m, unsigned int at, __u32 type, __u32 index, __u32 dep1,
		    __u32 dep2, unsigned int next)
{
	memset(m->desc.u8 + at, 0, 64);
	w32(m, at + 16, 1 | type << 1 | index << 16);
	w32(m, at + 20, dep1 | dep2 << 16);
	w64(m, at + 24, next ? DESC(next) : 0);
}

static void put_value(struct vst_mali *m, unsigned int at, __u64 to, __u32 type, __u64 value)
{
	w64(m, at + 32, to);
	w32(m, at + 40, type);
	w64(m, at + 48, value);
}

static void make_chain(struct vst_mali *m, __u64 va)
{
	vst_job_init(&m->j, m->queue, 0, 0);
	memset(&m->native, 0, sizeof(m->native));
	m->native.format = m->arch->chain;
	m->native.va = va;
	m->native.model = m->arch->gpu;
	m->j.job.type = DRM_VSHADER_JOB_NATIVE;
	m->j.job.desc = PTR(&m->native);
	m->j.job.desc_size = sizeof(m->native);
	m->j.job.result_va = MALI_RESULT_VA;
}

/* Sizes less one, each in 8 bits; workgroups of 32 threads. */
static void put_invocation(struct vst_mali *m, unsigned int at, unsigned int local,
			   unsigned int groups)
{
	w32(m, at + 32, (local - 1) | (groups - 1) << 8);
	w32(m, at + 36, 8 | 8 << 5 | 8 << 10 | 16 << 16 | 16 << 22);
}

static void put_compute(struct vst_mali *m, unsigned int at, const struct vst_mali_code *code,
			const __u32 push[4])
{
	unsigned int d = at + 64;

	memcpy(m->code.map, code->words, 4 * code->n);
	memset(m->desc.u8 + d, 0, 128);
	w32(m, d, 2 | 1 << 24);
	w64(m, d + 24, DESC(UBO_AT));
	w64(m, d + 48, DESC(PUSH_AT));
	w64(m, d + 56, DESC(STATE_AT));
	w64(m, d + 112, DESC(STORAGE_AT));
	memset(m->desc.u8 + STATE_AT, 0, 128);
	w64(m, STATE_AT, MALI_CODE_VA | (m->arch->tags ? code->words[0] & 15 : 0));
	w32(m, STATE_AT + 16, m->arch->state[0]);
	w32(m, STATE_AT + 48, m->arch->state[1]);
	w32(m, STORAGE_AT + 4, 0 | 8 << 8);	/* one workgroup, 128 bytes */
	w64(m, STORAGE_AT + 16, MALI_WLS_VA);
	w64(m, UBO_AT, vst_mali_ubo(MALI_IN_VA, 4 * MALI_LOCAL));
	memcpy(m->desc.u8 + PUSH_AT, push, 16);
	vst_mali_fill(m);
}

static void make_reverse(struct vst_mali *m, unsigned int at, unsigned int groups, __u32 factor)
{
	const __u32 push[4] = { MALI_OUT_VA, 0, factor, 4 * (MALI_LOCAL - 1) };

	put_job(m, at, T_COMPUTE, 1, 0, 0, 0);
	put_invocation(m, at, MALI_LOCAL, groups);
	put_compute(m, at, &m->arch->reverse, push);
	make_chain(m, DESC(at));
}

static void make_spin(struct vst_mali *m)
{
	static const __u32 push[4];

	put_job(m, 0, T_COMPUTE, 1, 0, 0, 0);
	put_invocation(m, 0, 4, 16);
	put_compute(m, 0, &m->arch->spin, push);
	make_chain(m, DESC(0));
}

/* ---- good chains ---- */

TEST_F(numbers, write_value)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_NULL, 1, 0, 0, JOB_AT(1));
	put_job(m, JOB_AT(1), T_WRITE, 2, 1, 0, JOB_AT(2));
	put_value(m, JOB_AT(1), MALI_OUT_VA + 8, W_IMM32, 0x600dcafe);
	put_job(m, JOB_AT(2), T_FLUSH, 3, 2, 0, 0);
	make_chain(m, DESC(JOB_AT(0)));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0x600dcafe, m->out.u32[2]);
	EXPECT_EQ(0, m->out.u32[1] | m->out.u32[3]);
	EXPECT_EQ(DONE, status(m, JOB_AT(0)));
	EXPECT_EQ(DONE, status(m, JOB_AT(1)));
	EXPECT_EQ(DONE, status(m, JOB_AT(2)));
	EXPECT_EQ(0, m->result->status);
	EXPECT_EQ(0, m->result->invocations);
	EXPECT_LT(0, m->result->weight);
}

TEST_F(chain, kinds_of_values)
{
	static const struct {
		__u32 type;
		__u32 lo;
		__u32 hi;
	} t[] = {
		/* there is no clock: jobs count */
		{ W_CYCLES, 1, 0 }, { W_TIMESTAMP, 2, 0 },
		{ W_ZERO, 0, 0xeeeeeeee }, { W_IMM8, 0xeeeeee88, 0xeeeeeeee },
		{ W_IMM16, 0xeeee7788, 0xeeeeeeee }, { W_IMM32, 0x55667788, 0xeeeeeeee },
		{ W_IMM64, 0x55667788, 0x11223344 },
	};
	struct vst_mali *m = &self->m;
	unsigned int i, n = m->arch->max_write;

	for (i = 0; i < n; i++) {
		put_job(m, JOB_AT(i), T_WRITE, 0, 0, 0, i + 1 < n ? JOB_AT(i + 1) : 0);
		put_value(m, JOB_AT(i), MALI_IN_VA + 8 * i, t[i].type, 0x1122334455667788);
	}
	memset(m->in.map, 0xee, 8 * n + 8);
	make_chain(m, DESC(0));
	EXPECT_EQ(0, vst_mali_run(m));
	for (i = 0; i < n; i++) {
		EXPECT_EQ(t[i].lo, m->in.u32[2 * i]);
		EXPECT_EQ(t[i].hi, m->in.u32[2 * i + 1]) {
			TH_LOG("type %u", t[i].type);
		}
	}
	EXPECT_EQ(0xeeeeeeee, m->in.u32[2 * n]);
}

/* The first job depends on the last; the barrier orders the last after all others. */
TEST_F(numbers, dependencies)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_WRITE, 1, 3, 2, JOB_AT(1));
	put_value(m, JOB_AT(0), MALI_OUT_VA, W_IMM32, 1);
	put_job(m, JOB_AT(1), T_WRITE, 2, 3, 0, JOB_AT(2));
	put_value(m, JOB_AT(1), MALI_OUT_VA, W_IMM32, 2);
	put_job(m, JOB_AT(2), T_WRITE, 3, 0, 0, 0);
	put_value(m, JOB_AT(2), MALI_OUT_VA, W_IMM32, 3);
	make_chain(m, DESC(0));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(1, m->out.u32[0]);

	/* without dependencies in the order of the chain */
	w32(m, JOB_AT(0) + 20, 0);
	w32(m, JOB_AT(1) + 20, 0);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(3, m->out.u32[0]);
}

/* Jobs are read when it is their turn: one writes the value of the next. */
TEST_F(numbers, jobs_write_jobs)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_WRITE, 1, 0, 0, JOB_AT(1));
	put_value(m, JOB_AT(0), DESC(JOB_AT(1) + 48), W_IMM32, 0xabcd);
	put_job(m, JOB_AT(1), T_WRITE, 2, 1, 0, 0);
	put_value(m, JOB_AT(1), MALI_OUT_VA, W_IMM32, 1);
	make_chain(m, DESC(0));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0xabcd, m->out.u32[0]);
}

TEST_F(chain, compute)
{
	struct vst_mali *m = &self->m;

	make_reverse(m, JOB_AT(0), 7, 13);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 7, 13));
	EXPECT_EQ(DONE, status(m, JOB_AT(0)));
	EXPECT_EQ(7 * MALI_LOCAL, m->result->invocations);
}

/* An indirect dispatch: the sizes of the second job are written by the first. */
TEST_F(numbers, indirect)
{
	struct vst_mali *m = &self->m;

	make_reverse(m, JOB_AT(4), 1, 2);
	put_job(m, JOB_AT(0), T_WRITE, 7, 0, 0, JOB_AT(4));
	put_value(m, JOB_AT(0), DESC(JOB_AT(4) + 32), W_IMM32, (MALI_LOCAL - 1) | 8 << 8);
	w32(m, JOB_AT(4) + 20, 7);
	make_chain(m, DESC(0));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 9, 2));
	EXPECT_EQ(9 * MALI_LOCAL, m->result->invocations);
}

TEST_F(numbers, many_jobs)
{
	struct vst_mali *m = &self->m;
	unsigned int i, wrong = 0;

	for (i = 0; i < 4096; i++) {
		put_job(m, JOB_AT(i), T_WRITE, i + 1, i, 0, i < 4095 ? JOB_AT(i + 1) : 0);
		put_value(m, JOB_AT(i), MALI_OUT_VA + 4 * i, W_IMM32, ~i);
	}
	make_chain(m, DESC(0));
	EXPECT_EQ(0, vst_mali_run(m));
	for (i = 0; i < 4096; i++)
		wrong += m->out.u32[i] != ~i || status(m, JOB_AT(i)) != DONE;
	EXPECT_EQ(0, wrong);
}

TEST_F(numbers, too_many_jobs)
{
	struct vst_mali *m = &self->m;
	struct vst_buf b;
	unsigned int i;

	ASSERT_EQ(0, vst_buf_new(&b, m->fd, m->vm, VA(32), 64 * (MAX_JOBS + 64), true));
	for (i = 0; i <= MAX_JOBS; i++) {
		b.u32[16 * i + 4] = 1 | T_NULL << 1;
		b.u32[16 * i + 6] = b.va + 64 * (i + 1);
	}
	make_chain(m, b.va);
	b.u32[16 * (MAX_JOBS - 1) + 6] = 0;
	EXPECT_EQ(0, vst_mali_run(m));
	b.u32[16 * (MAX_JOBS - 1) + 6] = b.va + 64 * MAX_JOBS;
	b.u32[16 * MAX_JOBS + 6] = 0;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	vst_buf_free(&b, m->fd);
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
}

TEST_F(chain, deterministic)
{
	struct vst_mali *m = &self->m;
	__u64 weight;
	int i;

	make_reverse(m, 0, 50, 3);
	EXPECT_EQ(0, vst_mali_run(m));
	weight = m->result->weight;
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, vst_mali_run(m));
		EXPECT_TRUE(vst_mali_reversed(m, 50, 3));
		EXPECT_EQ(weight, m->result->weight);
	}
}

/* ---- arguments ---- */

TEST_F(chain, bad_fields)
{
	struct drm_vshader_limits limits;
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_limits(m->fd, &limits));
	make_reverse(m, 0, 2, 1);
#define BAD(error, field, value) do {					\
	typeof(m->native.field) old = m->native.field;			\
	m->native.field = (value);					\
	EXPECT_EQ(VST_SUBMIT_ERROR(error), vst_mali_run(m)) {		\
		TH_LOG("%s", #field);					\
	}								\
	m->native.field = old;						\
} while (0)
	BAD(-EINVAL, format, DRM_VSHADER_NATIVE_PICA_CMDLIST);
	BAD(-EINVAL, format, DRM_VSHADER_NATIVE_QPU_LIST);
	BAD(-EINVAL, format, m->arch->chain ^ 1);
	BAD(-EINVAL, format, NEVER);
	BAD(-EINVAL, flags, 2);
	BAD(-EINVAL, va, 0);
	BAD(-EINVAL, va, 1ULL << 48);
	BAD(-EINVAL, va, ~0ULL);
	BAD(-EINVAL, size, 8);
	BAD(-EINVAL, size, 4);
	BAD(-EINVAL, size, 1ULL << 40);
	BAD(-EINVAL, output_va, MALI_OUT_VA);
	BAD(-EINVAL, output_size, 8);
	BAD(-EINVAL, model, m->arch->other_gpu);
	BAD(-EINVAL, model, NEVER);
	BAD(-EINVAL, switches, 4);
	BAD(-EINVAL, switches, 0x80000000);
	BAD(-EINVAL, memory, 1);
	BAD(-EINVAL, memory, (1 << 20) - 1);
	BAD(-E2BIG, memory, limits.max_job_memory + 1);
	BAD(-E2BIG, memory, ~0ULL);
#undef BAD
	m->native.memory = 1 << 20;
	m->native.switches = m->arch->tags ? 0 : DRM_VSHADER_MALI_FUSED_FMA;
	m->native.flags = DRM_VSHADER_NATIVE_RESET_STATE;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 2, 1));
}

/* Chains are not for other engines' queues, and lists not for this one's. */
TEST_F(chain, engines_apart)
{
	struct vst_mali *m = &self->m;
	__u32 vm, pica;

	make_reverse(m, 0, 1, 1);
	ASSERT_EQ(0, vst_vm_create(m->fd, 0, &vm));
	ASSERT_EQ(0, vst_queue(m->fd, vm, 0, 0, &pica));
	m->j.job.queue_id = pica;
	m->j.job.result_va = 0;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), vst_run(m->fd, &m->j));
}

/* ---- chains that are none ---- */

#define ANY	1ULL	/* a loop is seen by different jobs of it */

/* A new queue, then a run that is to end with this. */
static void expect_reject(struct __test_metadata *_metadata, struct vst_mali *m, __u32 reason,
			  __u64 address)
{
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	m->j.job.queue_id = m->queue;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
	EXPECT_EQ(m->arch->engine, m->result->fault.engine);
	EXPECT_EQ(reason, m->result->fault.code);
	if (address == ANY)
		return;
	EXPECT_EQ(address, m->result->fault.address) {
		TH_LOG("reason %u", reason);
	}
}

#define REJECTED(reason, address)	expect_reject(_metadata, m, reason, address)

TEST_F(chain, job_types)
{
	static const struct {
		__u32 type;
		__u32 reason;
	} t[] = {
		{ 0, R_TYPE }, { T_GEOMETRY, R_UNSUPPORTED }, { T_FUSED, R_UNSUPPORTED },
		{ 11, R_TYPE }, { 127, R_TYPE },
	};
	struct vst_mali *m = &self->m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		put_job(m, JOB_AT(0), T_WRITE, 1, 0, 0, JOB_AT(1));
		put_value(m, JOB_AT(0), MALI_IN_VA, W_ZERO, 0);
		m->in.u32[0] = 5;
		put_job(m, JOB_AT(1), t[i].type, 2, 0, 0, JOB_AT(2));
		put_job(m, JOB_AT(2), T_NULL, 3, 0, 0, 0);
		make_chain(m, DESC(0));
		if (t[i].type > m->arch->max_job) {
			REJECTED(R_TYPE, DESC(JOB_AT(1) + 16));
			continue;
		}
		REJECTED(t[i].reason, DESC(JOB_AT(1) + 16));
		if (t[i].reason != R_UNSUPPORTED)
			continue;
		/* earlier jobs have run, later ones have not */
		EXPECT_EQ(1, m->result->fault.draw);
		EXPECT_EQ(0, m->in.u32[0]);
		EXPECT_EQ(DONE, status(m, JOB_AT(0)));
		EXPECT_EQ(CONFIG_FAULT, status(m, JOB_AT(1)));
		EXPECT_EQ(DESC(JOB_AT(1) + 16), fault_address(m, JOB_AT(1)));
		EXPECT_EQ(0, status(m, JOB_AT(2)));
	}
}

TEST_F(chain, next_pointers)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_NULL, 1, 0, 0, JOB_AT(1));
	put_job(m, JOB_AT(1), T_NULL, 2, 0, 0, JOB_AT(2));
	put_job(m, JOB_AT(2), T_NULL, 3, 0, 0, JOB_AT(1));
	make_chain(m, DESC(0));
	REJECTED(R_LOOP, ANY);
	/* headers are read when their turn comes: the loop is met when all jobs have run */
	EXPECT_EQ(DONE, status(m, JOB_AT(0)));
	EXPECT_EQ(CONFIG_FAULT, status(m, JOB_AT(1)));
	EXPECT_EQ(DONE, status(m, JOB_AT(2)));
	w64(m, JOB_AT(2) + 24, DESC(JOB_AT(2)));
	REJECTED(R_LOOP, ANY);
	w64(m, JOB_AT(2) + 24, MALI_NOWHERE_VA);
	REJECTED(R_UNMAPPED, MALI_NOWHERE_VA);
	EXPECT_EQ(DONE, status(m, JOB_AT(2)));
	w64(m, JOB_AT(2) + 24, ~0ULL << 12);
	REJECTED(R_UNMAPPED, ~0ULL << 12);
	w64(m, JOB_AT(2) + 24, DESC(JOB_AT(3) + 4));
	REJECTED(R_MISALIGNED, DESC(JOB_AT(3) + 4));
	/* the first job */
	make_chain(m, MALI_NOWHERE_VA);
	REJECTED(R_UNMAPPED, MALI_NOWHERE_VA);
	make_chain(m, DESC(32));
	REJECTED(R_MISALIGNED, DESC(32));
}

TEST_F(chain, bad_dependencies)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_NULL, 1, 0, 2, JOB_AT(1));
	put_job(m, JOB_AT(1), T_NULL, 2, 1, 0, 0);
	make_chain(m, DESC(0));
	/* the first of those that wait */
	REJECTED(R_DEADLOCK, DESC(JOB_AT(0) + 20));
	w32(m, JOB_AT(1) + 20, 9);
	REJECTED(R_NO_INDEX, DESC(JOB_AT(1) + 20));
	put_job(m, JOB_AT(1), T_NULL, 1, 0, 0, 0);
	REJECTED(R_DUPLICATE, DESC(JOB_AT(1) + 16));
}

TEST_F(chain, bad_payloads)
{
	struct vst_mali *m = &self->m;

	put_job(m, JOB_AT(0), T_WRITE, 1, 0, 0, 0);
	put_value(m, JOB_AT(0), MALI_OUT_VA, 0, 1);
	make_chain(m, DESC(0));
	REJECTED(R_WRITE_TYPE, DESC(JOB_AT(0) + 40));
	put_value(m, JOB_AT(0), MALI_OUT_VA, m->arch->max_write + 1, 1);
	REJECTED(R_WRITE_TYPE, DESC(JOB_AT(0) + 40));

	make_reverse(m, 0, 1, 1);
	w32(m, 36, 5 | 3 << 5);
	REJECTED(R_INVOCATION, DESC(36));
	make_reverse(m, 0, 1, 1);
	w32(m, 16, T_COMPUTE << 1 | 1 << 16);
	REJECTED(R_32BIT, DESC(16));
	make_reverse(m, 0, 1, 1);
	w64(m, 64 + 56, MALI_NOWHERE_VA);
	REJECTED(R_UNMAPPED, MALI_NOWHERE_VA);
	EXPECT_EQ(READ_FAULT, status(m, 0));
	make_reverse(m, 0, 1, 1);
	w64(m, 64 + 48, MALI_NOWHERE_VA);
	REJECTED(R_UNMAPPED, MALI_NOWHERE_VA);
	/* after the rejects, a correct job runs as before */
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	make_reverse(m, 0, 1, 1);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 1, 1));
}

/* ---- faults ---- */

TEST_F(chain, memory_faults)
{
	const __u32 push[4] = { MALI_IN_VA + 0xfff0, 0, MALI_OUT_VA, 0 };
	const struct drm_vshader_fault *f = &self->m.result->fault;
	struct vst_mali *m = &self->m;

	/* the fifth thread of the second job reads past the end */
	put_job(m, JOB_AT(0), T_NULL, 1, 0, 0, JOB_AT(4));
	put_job(m, JOB_AT(4), T_COMPUTE, 2, 1, 0, 0);
	put_invocation(m, JOB_AT(4), 16, 1);
	put_compute(m, JOB_AT(4), &m->arch->copy, push);
	make_chain(m, DESC(0));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(MALI_IN_VA + 0x10000, f->address);
	EXPECT_EQ(4, f->invocation);
	EXPECT_EQ(1, f->draw);
	EXPECT_EQ(m->arch->copy_load, f->pc);
	EXPECT_EQ(DONE, status(m, JOB_AT(0)));
	EXPECT_EQ(READ_FAULT, status(m, JOB_AT(4)));
	EXPECT_EQ(MALI_IN_VA + 0x10000, fault_address(m, JOB_AT(4)));

	/* a value to nowhere */
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	put_job(m, JOB_AT(0), T_WRITE, 1, 0, 0, 0);
	put_value(m, JOB_AT(0), MALI_NOWHERE_VA + 8, W_TIMESTAMP, 0);
	make_chain(m, DESC(0));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, f->kind);
	EXPECT_EQ(MALI_NOWHERE_VA + 8, f->address);
	EXPECT_EQ(WRITE_FAULT, status(m, JOB_AT(0)));
}

TEST_F(chain, code_faults)
{
	struct vst_mali *m = &self->m;

	make_reverse(m, 0, 1, 1);
	w64(m, STATE_AT, MALI_NOWHERE_VA);
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, m->result->fault.kind);
	EXPECT_EQ(MALI_NOWHERE_VA, m->result->fault.address);
	EXPECT_EQ(INVALID_PC, status(m, 0));

	/* in memory that is for data only */
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	make_reverse(m, 0, 1, 1);
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->code.handle, 0, MALI_CODE_VA, m->code.size,
			     DRM_VSHADER_VM_BIND_NOEXEC));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, m->result->fault.kind);
	EXPECT_EQ(MALI_CODE_VA, m->result->fault.address);
	EXPECT_EQ(INVALID_PC, status(m, 0));
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->code.handle, 0, MALI_CODE_VA, m->code.size, 0));

	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	make_reverse(m, 0, 1, 1);
	memset(m->code.map, 0xff, 256);
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, m->result->fault.kind);
	EXPECT_EQ(INVALID_ENC, status(m, 0));
}

/* Headers are written: they cannot be where that is not allowed. */
TEST_F(chain, read_only)
{
	struct vst_mali *m = &self->m;

	make_reverse(m, 0, 1, 1);
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->code.handle, 0, MALI_CODE_VA, m->code.size,
			     DRM_VSHADER_VM_BIND_READONLY));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 1, 1));
	make_reverse(m, 0, 1, 1);
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->desc.handle, 0, MALI_DESC_VA, m->desc.size,
			     DRM_VSHADER_VM_BIND_READONLY));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, m->result->fault.kind);
	EXPECT_EQ(DESC(0), m->result->fault.address);
	EXPECT_EQ(0, status(m, 0));
}

/* ---- limits ---- */

TEST_F(chain, budget)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_queue(m, 100000, 0));
	make_spin(m);
	EXPECT_EQ(-ETIME, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, m->result->fault.kind);
	EXPECT_GT(200000, m->result->weight);
	EXPECT_EQ(TERMINATED, status(m, 0));
}

/* Jobs that do nothing have their weight, too. */
TEST_F(chain, budget_of_headers)
{
	struct vst_mali *m = &self->m;
	unsigned int i;

	ASSERT_EQ(0, vst_mali_queue(m, 200000, 0));
	for (i = 0; i < 4096; i++)
		put_job(m, JOB_AT(i), T_NULL, 0, 0, 0, i < 4095 ? JOB_AT(i + 1) : 0);
	make_chain(m, DESC(0));
	EXPECT_EQ(-ETIME, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, m->result->fault.kind);
	EXPECT_EQ(DONE, status(m, 0));
	EXPECT_EQ(0, status(m, JOB_AT(4095)));
}

TEST_F(chain, timeout)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_queue(m, 0, 50));
	make_spin(m);
	EXPECT_EQ(-ETIME, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, m->result->fault.kind);
}

TEST_F(chain, destroy_while_running)
{
	make_spin(&self->m);
	EXPECT_EQ(-ECANCELED, vst_mali_cancel(&self->m));
	EXPECT_EQ(0, vst_alive());
}

/* Two concurrent chains, each in its own queue. */
TEST_F(chain, two_queues)
{
	struct vst_mali *m = &self->m;
	__u32 spinning, handle;

	make_spin(m);
	/* programs stay where they are read from */
	ASSERT_EQ(0, vst_syncobj(m->fd, &handle));
	vst_job_sync(&m->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	m->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	m->j.job.result_va = 0;
	ASSERT_EQ(0, vst_submit(m->fd, &m->j));
	EXPECT_EQ(-ETIME, vst_wait(m->fd, handle, 20));
	spinning = m->queue;
	m->queue = 0;
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	put_job(m, JOB_AT(16), T_WRITE, 1, 0, 0, 0);
	put_value(m, JOB_AT(16), MALI_OUT_VA, W_CYCLES, 0);
	make_chain(m, DESC(JOB_AT(16)));
	m->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(1, m->out.u32[0]);
	EXPECT_EQ(1, vst_fence_status(m->fd, handle));
	ASSERT_EQ(0, vst_queue_destroy(m->fd, spinning));
	EXPECT_EQ(0, vst_wait(m->fd, handle, 10000 * vst_scale()));
	EXPECT_EQ(-ECANCELED, vst_fence_status(m->fd, handle));
}

/* Jobs, descriptors and code change while they are read: the job must end. */
TEST_F(chain, memory_changes)
{
	struct vst_mali *m = &self->m;
	unsigned int i, k, seed = 1;
	__u32 handle;

	for (k = 0; k < 8; k++) {
		ASSERT_EQ(0, vst_mali_queue(m, 0, 100));
		make_reverse(m, JOB_AT(4), 1000, k);
		put_job(m, JOB_AT(0), T_NULL, 7, 0, 0, JOB_AT(4));
		make_chain(m, DESC(0));
		ASSERT_EQ(0, vst_syncobj(m->fd, &handle));
		vst_job_sync(&m->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
		ASSERT_EQ(0, vst_submit(m->fd, &m->j));
		for (i = 0; i < 20000; i++) {
			seed = seed * 1664525 + 1013904223;
			m->desc.u32[(seed >> 8) % 112] ^= 1u << (seed >> 27);
			m->code.u32[(seed >> 12) % 64] ^= 1u << (seed >> 27);
			m->desc.u32[STATE_AT / 4 + (seed >> 16) % 48] ^= 1u << (seed >> 27);
		}
		EXPECT_EQ(0, vst_wait(m->fd, handle, 10000 * vst_scale()));
		EXPECT_NE(1, vst_fence_status(m->fd, handle));
		EXPECT_EQ(0, vst_syncobj_destroy(m->fd, handle));
	}
	EXPECT_EQ(0, vst_alive());
}

TEST_HARNESS_MAIN
