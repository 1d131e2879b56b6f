// SPDX-License-Identifier: GPL-2.0
/*
 * The QPU engine: thread lists and shader jobs, valid and invalid; faults, deadlocks with
 * the PC of every QPU, limits, results.
 */
#include <time.h>

#include "../include/qpu_asm.h"
#include "vshader_test.h"

#define CODE_VA		VA(1)
#define UNIF_VA		VA(2)
#define OUT_VA		VA(3)
#define LIST_VA		VA(4)
#define RESULT_VA	VA(5)
#define NOWHERE_VA	VA(64)

#define NUM_QPUS	12
#define MAX_THREADS	4096
#define ALIAS		0xc0000000u
#define VPM_ROWS	64

FIXTURE(qpu) {
	int fd;
	__u32 vm;
	__u32 queue;
	__u32 program;
	struct vst_buf code;
	struct vst_buf unif;
	struct vst_buf out;
	struct vst_buf list;
	struct vst_buf res;
	struct drm_vshader_job_result *result;
	struct q_prog p;
	struct vst_job j;
	struct drm_vshader_native_job native;
	struct drm_vshader_qpu_job block;
	struct drm_vshader_qpu_thread threads[64];
};

static int new_queue(FIXTURE_DATA(qpu) *self, __u64 budget, __u32 ms)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_QPU,
		.vm_id = self->vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.budget = budget,
		.time_limit_ms = ms,
	};
	int ret;

	if (self->queue)
		vst_queue_destroy(self->fd, self->queue);
	ret = vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);
	self->queue = arg.id;
	return ret;
}

FIXTURE_SETUP(qpu)
{
	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &self->vm));
	ASSERT_EQ(0, vst_buf_new(&self->code, self->fd, self->vm, CODE_VA, 4 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->unif, self->fd, self->vm, UNIF_VA, 64 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->out, self->fd, self->vm, OUT_VA, 64 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->list, self->fd, self->vm, LIST_VA, 16 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->res, self->fd, self->vm, RESULT_VA, PAGE, true));
	self->result = self->res.map;
	ASSERT_EQ(0, new_queue(self, 0, 0));
}

FIXTURE_TEARDOWN(qpu)
{
	close(self->fd);
}

/* ---- programs ---- */

/*
 * 16 words to memory: element number + a uniform. Uniforms: row of the VPM, as the two
 * setup words want it; the number; the address.
 */
static void store_code(struct q_prog *p)
{
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_op(p, Q_ADD, QR0, Q_ELEM, Q_UNIF_B);
	q_mov(p, Q_VPM, QR0);
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_mov(p, Q_ST_ADDR, Q_UNIF);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	q_end(p);
}

#define STORE_UNIFS	4

static void store_unifs(__u32 *u, unsigned int row, __u32 number, __u32 address)
{
	u[0] = q_vpm_h32(0, 1, row);
	u[1] = number;
	u[2] = q_dma_store(0, 1, 16, 1, row, 0);
	u[3] = address;
}

static void put_code(FIXTURE_DATA(qpu) *self)
{
	q_finish(&self->p);
	memcpy(self->code.map, self->p.w, 8 * self->p.n);
}

/* A list of @n threads that all start at the code's first instruction. */
static void make_list(FIXTURE_DATA(qpu) *self, unsigned int n)
{
	unsigned int i;

	put_code(self);
	for (i = 0; i < n; i++) {
		self->list.u32[2 * i] = (__u32)UNIF_VA + 4 * STORE_UNIFS * i;
		self->list.u32[2 * i + 1] = (__u32)CODE_VA;
	}
	vst_job_init(&self->j, self->queue, 0, 0);
	memset(&self->native, 0, sizeof(self->native));
	self->native.format = DRM_VSHADER_NATIVE_QPU_LIST;
	self->native.va = LIST_VA;
	self->native.size = 8 * n;
	self->j.job.type = DRM_VSHADER_JOB_NATIVE;
	self->j.job.desc = PTR(&self->native);
	self->j.job.desc_size = sizeof(self->native);
	self->j.job.result_va = RESULT_VA;
}

static void make_stores(FIXTURE_DATA(qpu) *self, unsigned int n)
{
	unsigned int i;

	q_begin(&self->p);
	store_code(&self->p);
	make_list(self, n);
	for (i = 0; i < n; i++)
		store_unifs(self->unif.u32 + STORE_UNIFS * i, i % VPM_ROWS, 1000 * i,
			    (__u32)OUT_VA + 64 * i);
}

static bool stored(const FIXTURE_DATA(qpu) *self, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < 16 * n; i++) {
		if (self->out.u32[i] != 1000 * (i / 16) + i % 16)
			return false;
	}
	return true;
}

static int create_program(FIXTURE_DATA(qpu) *self, __u32 stage, __u32 entry)
{
	struct drm_vshader_program_section s = {
		.type = DRM_VSHADER_SECTION_CODE,
		.data = PTR(self->p.w),
		.size = 8 * self->p.n,
	};
	struct drm_vshader_program_create arg = {
		.engine = DRM_VSHADER_ENGINE_QPU,
		.stage = stage,
		.sections = DRM_VSHADER_OBJ_ARRAY(1, &s),
		.entries = PTR(&entry),
		.num_entries = 1,
	};
	int ret;

	q_finish(&self->p);
	ret = vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	self->program = arg.id;
	return ret;
}

static void make_shader(FIXTURE_DATA(qpu) *self, unsigned int n, __u32 pc)
{
	unsigned int i;

	vst_job_init(&self->j, self->queue, self->program, n);
	self->j.job.result_va = RESULT_VA;
	self->j.shader.engine_block = PTR(&self->block);
	self->j.shader.engine_block_size = sizeof(self->block);
	memset(&self->block, 0, sizeof(self->block));
	memset(self->threads, 0, sizeof(self->threads));
	self->block.threads = (struct drm_vshader_obj_array)
		DRM_VSHADER_OBJ_ARRAY(n, self->threads);
	for (i = 0; i < n; i++) {
		self->threads[i].uniforms = (__u32)UNIF_VA + 4 * STORE_UNIFS * i;
		self->threads[i].pc = pc;
		store_unifs(self->unif.u32 + STORE_UNIFS * i, i, 1000 * i,
			    (__u32)OUT_VA + 64 * i);
	}
}

static int run(FIXTURE_DATA(qpu) *self)
{
	memset(self->out.map, 0, self->out.size);
	memset(self->res.map, 0xff, sizeof(*self->result));
	return vst_run(self->fd, &self->j);
}

static int get_qpus(FIXTURE_DATA(qpu) *self, struct drm_vshader_queue_get_state *st,
		    struct drm_vshader_qpu_state *q)
{
	memset(st, 0, sizeof(*st));
	memset(q, 0xff, NUM_QPUS * sizeof(*q));
	st->id = self->queue;
	st->engine_state = PTR(q);
	st->engine_state_size = NUM_QPUS * sizeof(*q);
	return vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, st);
}

/* ---- lists ---- */

TEST_F(qpu, one_thread)
{
	make_stores(self, 1);
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 1));
	EXPECT_EQ(0, self->out.u32[16]);
	EXPECT_EQ(0, self->result->status);
	EXPECT_EQ(0, self->result->stray_reads);
	EXPECT_EQ(1, self->result->invocations);
	EXPECT_LE(self->p.n, self->result->weight);
	EXPECT_EQ(DRM_VSHADER_FAULT_NONE, self->result->fault.kind);
}

TEST_F(qpu, twelve_threads)
{
	struct drm_vshader_queue_get_state st;
	struct drm_vshader_qpu_state q[NUM_QPUS];

	make_stores(self, NUM_QPUS);
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, NUM_QPUS));
	EXPECT_EQ(NUM_QPUS, self->result->invocations);
	EXPECT_EQ(0, get_qpus(self, &st, q));
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(NUM_QPUS, st.invocations);
	/* no fault, no state; unused fields are cleared */
	EXPECT_EQ(0, st.engine_state_size);
	EXPECT_EQ(0, q[11].insns | q[0].wait);
}

/* More threads than QPUs, and than rows of the VPM. */
TEST_F(qpu, many_threads)
{
	make_stores(self, 1024);
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 1024));
	EXPECT_EQ(1024, self->result->invocations);
}

TEST_F(qpu, alias_bits)
{
	make_stores(self, 2);
	self->list.u32[0] |= ALIAS;
	self->list.u32[1] |= 0x40000000;
	self->list.u32[3] |= 0x80000000;
	self->unif.u32[3] |= ALIAS;
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 2));
}

/* One QPU releases the semaphore that the other acquires, in either order. */
TEST_F(qpu, semaphore)
{
	unsigned int other, order;

	for (order = 0; order < 2; order++) {
		q_begin(&self->p);
		q_acquire(&self->p, 5);
		store_code(&self->p);
		other = self->p.n;
		q_release(&self->p, 5);
		q_end(&self->p);
		make_list(self, 2);
		store_unifs(self->unif.u32 + STORE_UNIFS * order, 0, 0, (__u32)OUT_VA);
		self->list.u32[1] = (__u32)CODE_VA + (order ? 8 * other : 0);
		self->list.u32[3] = (__u32)CODE_VA + (order ? 0 : 8 * other);
		EXPECT_EQ(0, run(self));
		EXPECT_TRUE(stored(self, 1));
	}
}

TEST_F(qpu, bad_list_fields)
{
	const __u64 limit = 1ULL << 32;

	make_stores(self, 2);
#define BAD(error, field, value) do {					\
	typeof(self->native.field) old = self->native.field;		\
	self->native.field = (value);					\
	EXPECT_EQ(VST_SUBMIT_ERROR(error), run(self));			\
	self->native.field = old;					\
} while (0)
	BAD(-EINVAL, format, DRM_VSHADER_NATIVE_PICA_CMDLIST);
	BAD(-EINVAL, format, 2);
	BAD(-EINVAL, format, NEVER);
	BAD(-EINVAL, flags, 2);
	BAD(-EINVAL, va, limit - 8);
	BAD(-EINVAL, va, limit);
	BAD(-EINVAL, va, ~0ULL);
	BAD(-EINVAL, size, 0);
	BAD(-EINVAL, size, 4);
	BAD(-EINVAL, size, 12);
	BAD(-EINVAL, output_va, OUT_VA);
	BAD(-EINVAL, output_size, 8);
	BAD(-EINVAL, model, 1);
	BAD(-EINVAL, switches, 4);
	BAD(-EINVAL, switches, 0x80000000);
	BAD(-E2BIG, size, 8 * (MAX_THREADS + 1));
	BAD(-E2BIG, size, 1ULL << 31);
#undef BAD
	/* registers do not exist, so that there is nothing to reset */
	self->native.flags = DRM_VSHADER_NATIVE_RESET_STATE;
	self->native.switches = DRM_VSHADER_QPU_STRICT_HAZARDS | DRM_VSHADER_QPU_STRICT_TMU;
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 2));
}

static int submit_list(FIXTURE_DATA(qpu) *self, struct drm_vshader_fault *fault)
{
	struct drm_vshader_submit arg = { .jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->j.job) };
	int ret = vst_ioctl(self->fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);

	*fault = arg.fault;
	return ret;
}

TEST_F(qpu, bad_lists)
{
	struct drm_vshader_fault f;

	make_stores(self, 4);
	self->list.u32[5] += 4;
	EXPECT_EQ(-ENOEXEC, submit_list(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f.kind);
	EXPECT_EQ(DRM_VSHADER_ENGINE_QPU, f.engine);
	EXPECT_EQ(2, f.invocation);
	EXPECT_EQ(LIST_VA + 20, f.address);
	EXPECT_EQ((__u32)CODE_VA + 4, f.info);

	make_stores(self, 4);
	self->list.u32[6] += 2;
	EXPECT_EQ(-ENOEXEC, submit_list(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f.kind);
	EXPECT_EQ(3, f.invocation);

	/* the list itself is not in memory, or not all of it */
	make_stores(self, 4);
	self->native.va = NOWHERE_VA;
	EXPECT_EQ(-ENOEXEC, submit_list(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f.kind);
	EXPECT_EQ(NOWHERE_VA, f.address);
	self->native.va = LIST_VA + self->list.size - 16;
	EXPECT_EQ(-ENOEXEC, submit_list(self, &f));
	EXPECT_EQ(LIST_VA + self->list.size, f.address);
}

/* ---- shader jobs ---- */

TEST_F(qpu, shader_job)
{
	struct drm_vshader_program_info info;
	struct drm_vshader_program_query query = {
		.size = sizeof(info), .pointer = PTR(&info),
	};

	q_begin(&self->p);
	q_nop(&self->p);
	store_code(&self->p);
	ASSERT_EQ(0, create_program(self, DRM_VSHADER_STAGE_COMPUTE, 1));
	query.id = self->program;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &query));
	EXPECT_EQ(DRM_VSHADER_ENGINE_QPU, info.engine);
	EXPECT_EQ(self->p.n, info.code_words);
	EXPECT_EQ(self->p.n - 1, info.reachable_words);
	EXPECT_EQ(0, info.uops | info.slots);
	EXPECT_LE(8 * self->p.n, info.memory);

	make_shader(self, 40, 8);
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 40));
	EXPECT_EQ(40, self->result->invocations);
}

TEST_F(qpu, empty_shader_job)
{
	q_begin(&self->p);
	store_code(&self->p);
	ASSERT_EQ(0, create_program(self, DRM_VSHADER_STAGE_COMPUTE, 0));
	make_shader(self, 0, 0);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, self->result->status);
	EXPECT_EQ(0, self->result->invocations);
}

TEST_F(qpu, bad_shader_fields)
{
	q_begin(&self->p);
	store_code(&self->p);
	ASSERT_EQ(0, create_program(self, DRM_VSHADER_STAGE_COMPUTE, 0));
	make_shader(self, 2, 0);
#define BAD(error, field, value) do {					\
	typeof(field) old = (field);					\
	(field) = (value);						\
	EXPECT_EQ(VST_SUBMIT_ERROR(error), run(self)) {			\
		TH_LOG("%s", #field);					\
	}								\
	(field) = old;							\
} while (0)
	BAD(-ENOENT, self->j.shader.program, self->program + 1);
	BAD(-EINVAL, self->j.shader.entry, 1);
	BAD(-EINVAL, self->j.shader.pad, 1);
	BAD(-EINVAL, self->j.shader.engine_block_size, sizeof(self->block) - 8);
	BAD(-EINVAL, self->j.shader.engine_block_size, 0);
	BAD(-EFAULT, self->j.shader.engine_block, BAD_PTR);
	BAD(-EINVAL, self->block.model, 1);
	BAD(-EINVAL, self->block.switches, 4);
	BAD(-E2BIG, self->block.threads.count, MAX_THREADS + 1);
	BAD(-E2BIG, self->block.threads.count, NEVER);
	BAD(-EINVAL, self->block.threads.stride, 16);
	BAD(-EFAULT, self->block.threads.array, BAD_PTR);
	BAD(-EINVAL, self->block.color_va, OUT_VA);
	BAD(-EINVAL, self->block.color_va, ~0ULL);
	BAD(-EINVAL, self->block.zs_va, OUT_VA);
	BAD(-EINVAL, self->block.color_stride, 4);
	BAD(-EINVAL, self->block.zs_stride, 4);
	BAD(-EINVAL, self->block.width, 4);
	BAD(-EINVAL, self->block.width, 0x10000);
	BAD(-EINVAL, self->block.height, 4);
	BAD(-EINVAL, self->block.height, 0x10000);
	BAD(-EINVAL, self->block.samples, 1);
	BAD(-EINVAL, self->block.depth, 1);
	BAD(-EINVAL, self->threads[1].num_uniforms, 1 << 28);
	BAD(-EINVAL, self->threads[1].pc, 8);
	BAD(-EINVAL, self->threads[1].pc, 4);
	BAD(-EINVAL, self->threads[1].pc, 8 * self->p.n);
	BAD(-EINVAL, self->threads[1].payload, UNIF_VA);
	BAD(-EINVAL, self->threads[1].x, 4);
	BAD(-EINVAL, self->threads[1].y, 4);
	BAD(-EINVAL, self->threads[1].coverage, 1);
	BAD(-EINVAL, self->threads[1].flags, 1);
#undef BAD
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(stored(self, 2));
}

TEST_F(qpu, bad_fragment_fields)
{
	q_begin(&self->p);
	q_end(&self->p);
	ASSERT_EQ(0, create_program(self, DRM_VSHADER_STAGE_FRAGMENT, 0));
	make_shader(self, 1, 0);
	self->block.color_va = OUT_VA;
	self->block.color_stride = 256;
	self->block.width = 64;
	self->block.height = 32;
	self->block.samples = 1;
	self->threads[0].coverage = 0xffff;
	EXPECT_EQ(0, run(self));
#define BAD(field, value) do {						\
	typeof(field) old = (field);					\
	(field) = (value);						\
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self)) {		\
		TH_LOG("%s", #field);					\
	}								\
	(field) = old;							\
} while (0)
	BAD(self->block.width, 0);
	BAD(self->block.width, 6);
	BAD(self->block.width, 68);
	BAD(self->block.height, 0);
	BAD(self->block.height, 2);
	BAD(self->block.height, 68);
	BAD(self->block.samples, 0);
	BAD(self->block.samples, 2);
	BAD(self->threads[0].x, 2);
	BAD(self->threads[0].x, 64);
	BAD(self->threads[0].y, 32);
	BAD(self->threads[0].flags, 2);
#undef BAD
	EXPECT_EQ(0, run(self));
}

TEST_F(qpu, programs_rejected)
{
	q_begin(&self->p);
	q_end(&self->p);
	EXPECT_EQ(-EINVAL, create_program(self, DRM_VSHADER_STAGE_VERTEX, 0));
	EXPECT_EQ(-EINVAL, create_program(self, DRM_VSHADER_STAGE_GEOMETRY, 0));
	EXPECT_EQ(-ENOEXEC, create_program(self, DRM_VSHADER_STAGE_COMPUTE, 3));
	/* a load immediate of no form */
	q_begin(&self->p);
	q_word(&self->p, q_ldi_word(6, QR0, 1));
	q_end(&self->p);
	EXPECT_EQ(-ENOEXEC, create_program(self, DRM_VSHADER_STAGE_COMPUTE, 0));
	/* as such, half an instruction */
	q_begin(&self->p);
	q_end(&self->p);
	{
		struct drm_vshader_program_section s = {
			.type = DRM_VSHADER_SECTION_CODE, .data = PTR(self->p.w), .size = 20,
		};
		__u32 entry = 0;
		struct drm_vshader_program_create arg = {
			.engine = DRM_VSHADER_ENGINE_QPU,
			.stage = DRM_VSHADER_STAGE_COMPUTE,
			.sections = DRM_VSHADER_OBJ_ARRAY(1, &s),
			.entries = PTR(&entry),
			.num_entries = 1,
		};

		EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg));
	}
}

/* ---- faults ---- */

TEST_F(qpu, deadlock_names_all)
{
	struct drm_vshader_queue_get_state st;
	struct drm_vshader_qpu_state q[NUM_QPUS];
	unsigned int sema, mutex, end, i, n[3];

	q_begin(&self->p);
	/* takes the mutex and waits for ever */
	q_mov(&self->p, Q_NOWHERE, Q_MUTEX);
	n[0] = self->p.n;
	q_acquire(&self->p, 9);
	q_end(&self->p);
	/* waits for the mutex, later than the first */
	mutex = self->p.n;
	q_nop(&self->p);
	q_nop(&self->p);
	n[1] = self->p.n;
	q_mov(&self->p, Q_NOWHERE, Q_MUTEX);
	q_end(&self->p);
	/* releases a semaphore past its maximum count */
	sema = self->p.n;
	for (i = 0; i < 15; i++)
		q_release(&self->p, 2);
	n[2] = self->p.n;
	q_release(&self->p, 2);
	q_end(&self->p);
	end = self->p.n;
	q_end(&self->p);
	make_list(self, 4);
	self->list.u32[3] = (__u32)CODE_VA + 8 * mutex;
	self->list.u32[5] = (__u32)CODE_VA + 8 * sema;
	self->list.u32[7] = (__u32)CODE_VA + 8 * end;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(-EIO, self->result->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_DEADLOCK, self->result->fault.kind);
	EXPECT_EQ(1, self->result->invocations);

	ASSERT_EQ(0, get_qpus(self, &st, q));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_FAULT, st.state);
	EXPECT_EQ(DRM_VSHADER_FAULT_DEADLOCK, st.fault.kind);
	EXPECT_EQ(sizeof(q), st.engine_state_size);
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_SEMA_DEC, q[0].wait);
	EXPECT_EQ(9, q[0].info);
	EXPECT_EQ((__u32)CODE_VA + 8 * n[0], q[0].pc);
	EXPECT_EQ(0, q[0].thread);
	EXPECT_EQ(n[0], q[0].insns);
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_MUTEX, q[1].wait);
	EXPECT_EQ(0, q[1].info);
	EXPECT_EQ((__u32)CODE_VA + 8 * n[1], q[1].pc);
	EXPECT_EQ(1, q[1].thread);
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_SEMA_INC, q[2].wait);
	EXPECT_EQ(2, q[2].info);
	EXPECT_EQ((__u32)CODE_VA + 8 * n[2], q[2].pc);
	for (i = 3; i < NUM_QPUS; i++)
		EXPECT_EQ(DRM_VSHADER_QPU_WAIT_IDLE, q[i].wait);

	/* banned; a second submit fails in the same way */
	EXPECT_EQ(VST_SUBMIT_ERROR(-EIO), run(self));
	ASSERT_EQ(0, get_qpus(self, &st, q));
	EXPECT_EQ(9, q[0].info);
}

/* With and without room for the state; with a shorter structure than the kernel's. */
TEST_F(qpu, state_sizes)
{
	size_t old = offsetof(struct drm_vshader_queue_get_state, engine_state);
	unsigned long req = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE,
				 DRM_COMMAND_BASE + DRM_VSHADER_QUEUE_GET_STATE, old);
	struct drm_vshader_queue_get_state st;
	struct drm_vshader_qpu_state q[NUM_QPUS + 1];

	q_begin(&self->p);
	q_acquire(&self->p, 0);
	q_end(&self->p);
	make_list(self, 1);
	EXPECT_EQ(-EIO, run(self));

	memset(&st, 0, sizeof(st));
	st.id = self->queue;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));
	EXPECT_EQ(NUM_QPUS * sizeof(q[0]), st.engine_state_size);

	memset(q, 0xff, sizeof(q));
	st.engine_state = PTR(q);
	st.engine_state_size = sizeof(q[0]) + 4;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_SEMA_DEC, q[0].wait);
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_IDLE, q[1].wait);
	EXPECT_EQ(NEVER, q[1].info);

	st.engine_state_size = sizeof(q);
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));
	EXPECT_EQ(0, q[NUM_QPUS].wait | q[NUM_QPUS].info);
	EXPECT_EQ(DRM_VSHADER_QPU_WAIT_IDLE, q[NUM_QPUS - 1].wait);

	st.engine_state = BAD_PTR;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));
	st.engine_state = 0;
	st.pad = 1;
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st));

	memset(&st, 0xee, sizeof(st));
	st.id = self->queue;
	EXPECT_EQ(0, vst_ioctl(self->fd, req, &st));
	EXPECT_EQ(DRM_VSHADER_FAULT_DEADLOCK, st.fault.kind);
	EXPECT_EQ(0xeeeeeeee, st.engine_state_size);
}

TEST_F(qpu, memory_faults)
{
	const struct drm_vshader_fault *f = &self->result->fault;

	/* a store to nowhere */
	make_stores(self, 2);
	self->unif.u32[STORE_UNIFS + 3] = (__u32)NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, f->kind);
	EXPECT_EQ(DRM_VSHADER_ENGINE_QPU, f->engine);
	EXPECT_EQ(NOWHERE_VA, f->address);
	EXPECT_EQ(1, f->invocation);
	EXPECT_EQ(1, f->info);
	EXPECT_EQ((__u32)CODE_VA + 8 * 4, f->pc);

	/* code in no memory, and in memory that is not for code */
	ASSERT_EQ(0, new_queue(self, 0, 0));
	make_stores(self, 1);
	self->list.u32[1] = (__u32)NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f->kind);
	EXPECT_EQ((__u32)NOWHERE_VA, f->pc);
	ASSERT_EQ(0, new_queue(self, 0, 0));
	make_stores(self, 1);
	ASSERT_EQ(0, vst_map(self->fd, self->vm, self->code.handle, 0, CODE_VA, self->code.size,
			     DRM_VSHADER_VM_BIND_NOEXEC));
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f->kind);

	/* uniforms */
	ASSERT_EQ(0, vst_map(self->fd, self->vm, self->code.handle, 0, CODE_VA, self->code.size,
			     0));
	ASSERT_EQ(0, new_queue(self, 0, 0));
	make_stores(self, 1);
	self->list.u32[0] = (__u32)NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(NOWHERE_VA, f->address);

	/* a store to memory that is read only */
	ASSERT_EQ(0, vst_map(self->fd, self->vm, self->out.handle, 0, OUT_VA, self->out.size,
			     DRM_VSHADER_VM_BIND_READONLY));
	ASSERT_EQ(0, new_queue(self, 0, 0));
	make_stores(self, 1);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, f->kind);
}

/* Programs read past the end of their buffers: counted, or a fault on request. */
TEST_F(qpu, stray_reads)
{
	q_begin(&self->p);
	q_ldi(&self->p, Q_TMU_S(0), (uint32_t)NOWHERE_VA);
	Q(&self->p, .sig = Q_WITH(Q_SIG_LDTMU0));
	q_end(&self->p);
	make_list(self, 3);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, self->result->status);
	EXPECT_EQ(3 * 16, self->result->stray_reads);

	self->native.switches = DRM_VSHADER_QPU_STRICT_TMU;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, self->result->fault.kind);
	EXPECT_EQ(NOWHERE_VA, self->result->fault.address);
}

TEST_F(qpu, hazards)
{
	/* a file register is read right after it was written */
	q_begin(&self->p);
	q_mov(&self->p, Q_A(3), QR0);
	q_mov(&self->p, QR1, Q_A(3));
	q_end(&self->p);
	make_list(self, 1);
	EXPECT_EQ(0, run(self));
	self->native.switches = DRM_VSHADER_QPU_STRICT_HAZARDS;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_HAZARD, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_QPU_HAZARD_REG_RAW, self->result->fault.code);
	EXPECT_EQ((__u32)CODE_VA + 8, self->result->fault.pc);
}

TEST_F(qpu, hangs)
{
	/* the result of a TMU that was asked nothing */
	q_begin(&self->p);
	Q(&self->p, .sig = Q_WITH(Q_SIG_LDTMU1));
	q_end(&self->p);
	make_list(self, 1);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_HANG, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_QPU_HAZARD_TMU_EMPTY, self->result->fault.code);

	ASSERT_EQ(0, new_queue(self, 0, 0));
	q_begin(&self->p);
	q_mov(&self->p, QR0, Q_VPM);
	q_end(&self->p);
	make_list(self, 1);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_HANG, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_QPU_HAZARD_VPM_EMPTY, self->result->fault.code);
}

/* Words in memory are not verified: invalid instructions fault on execution. */
TEST_F(qpu, garbage_in_memory)
{
	q_begin(&self->p);
	q_nop(&self->p);
	q_word(&self->p, q_ldi_word(6, QR0, 1));
	q_end(&self->p);
	make_list(self, 1);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, self->result->fault.kind);
	EXPECT_EQ((__u32)CODE_VA + 8, self->result->fault.pc);
}

/* ---- limits ---- */

static void make_spin(FIXTURE_DATA(qpu) *self, unsigned int n)
{
	unsigned int top;

	q_begin(&self->p);
	top = q_here(&self->p);
	q_branch(&self->p, Q_BR_ALWAYS, top);
	make_list(self, n);
}

TEST_F(qpu, budget)
{
	struct drm_vshader_queue_get_state st;
	struct drm_vshader_qpu_state q[NUM_QPUS];
	unsigned int i;

	ASSERT_EQ(0, new_queue(self, 100000, 0));
	make_spin(self, NUM_QPUS);
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, self->result->fault.kind);
	EXPECT_EQ(0, self->result->invocations);
	ASSERT_EQ(0, get_qpus(self, &st, q));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_TIMEDOUT, st.state);
	for (i = 0; i < NUM_QPUS; i++) {
		EXPECT_EQ(DRM_VSHADER_QPU_WAIT_NONE, q[i].wait);
		EXPECT_EQ(i, q[i].thread);
		EXPECT_LT(0, q[i].insns);
		EXPECT_GE(100000, q[i].insns);
	}
}

TEST_F(qpu, timeout)
{
	ASSERT_EQ(0, new_queue(self, 0, 50));
	make_spin(self, 2);
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, self->result->fault.kind);
	EXPECT_EQ(-ETIME, self->result->status);
}

TEST_F(qpu, destroy_while_running)
{
	__u32 handle;

	make_spin(self, NUM_QPUS);
	ASSERT_EQ(0, vst_syncobj(self->fd, &handle));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	ASSERT_EQ(0, vst_submit(self->fd, &self->j));
	EXPECT_EQ(-ETIME, vst_wait(self->fd, handle, 20));
	ASSERT_EQ(0, vst_queue_destroy(self->fd, self->queue));
	self->queue = 0;
	EXPECT_EQ(0, vst_wait(self->fd, handle, 10000));
	EXPECT_EQ(-ECANCELED, vst_fence_status(self->fd, handle));
}

/* Code and uniforms change under a running job: whatever it does, it ends. */
TEST_F(qpu, memory_changes)
{
	unsigned int i, seed = 1;
	__u32 handle;

	ASSERT_EQ(0, new_queue(self, 0, 200));
	make_spin(self, NUM_QPUS);
	ASSERT_EQ(0, vst_syncobj(self->fd, &handle));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	ASSERT_EQ(0, vst_submit(self->fd, &self->j));
	for (i = 0; i < 100000; i++) {
		seed = seed * 1664525 + 1013904223;
		self->code.u32[(seed >> 8) % 16] = seed;
		self->list.u32[i % 24] = seed;
	}
	EXPECT_EQ(0, vst_wait(self->fd, handle, 10000));
	EXPECT_NE(1, vst_fence_status(self->fd, handle));
}

/* The same job returns the same result and executes the same number of instructions. */
TEST_F(qpu, deterministic)
{
	__u64 weight;
	int i;

	make_stores(self, 200);
	EXPECT_EQ(0, run(self));
	weight = self->result->weight;
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, run(self));
		EXPECT_TRUE(stored(self, 200));
		EXPECT_EQ(weight, self->result->weight);
	}
}

/* Engines do not take each other's queues, programs and formats. */
TEST_F(qpu, engines_apart)
{
	__u32 pica, id;

	ASSERT_EQ(0, vst_queue(self->fd, self->vm, 0, 0, &pica));
	make_stores(self, 1);
	self->j.job.queue_id = pica;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	ASSERT_EQ(0, vst_program(self->fd, &vst_mov, &id));
	self->program = id;
	make_shader(self, 1, 0);
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
}

TEST_HARNESS_MAIN
