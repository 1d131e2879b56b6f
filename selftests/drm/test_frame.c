// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of Utgard GPUs in memory: draws of the vertex processor, rejected frames, frames of
 * the pixel processor, memory that changes concurrently.
 */
#include "vshader_test.h"

#define CODE_VA		VA(1)
#define DATA_VA		VA(2)
#define OUT_VA		VA(3)
#define RESULT_VA	VA(4)
#define NOWHERE_VA	VA(64)

/* In the buffer of data. */
#define FRAME_AT	0x0000
#define VS_AT		0x0100
#define PLBU_AT		0x0200
#define ATTR_AT		0x0300
#define VAR_AT		0x0340
#define STATE_AT	0x0400
#define STREAM_AT	0x0480
#define ELEMS_AT	0x1000
#define CLEAR		0x44332211U
#define BLOCK_AT	0x2000
#define HEAP_AT		0x2400
#define HEAP_SIZE	0x0800
#define DATA(at)	(DATA_VA + (at))

/* In that of code: the pixel program. */
#define PIXELS_AT	0x0800

#define VERTICES	100

/* Of COMMAND faults. */
#define R_MISALIGNED	2
#define R_RANGE		3
#define R_COMMAND	4
#define R_UNKNOWN_BITS	5
#define R_FORMAT	7
#define R_MISSING	9
#define R_LIST		13

/* v0 = a0, the first component twice */
static const __u32 program[] = { 0x000b0ec2, 0x438022c1, 0x40034400, 0x000ad508 };

FIXTURE(frame) {
	int fd;
	__u32 vm;
	__u32 queue;
	struct vst_buf code;
	struct vst_buf data;
	struct vst_buf out;
	struct vst_buf res;
	struct drm_vshader_job_result *result;
	struct vst_job j;
	struct drm_vshader_native_job native;
};

static int new_queue(FIXTURE_DATA(frame) *f, __u32 engine, __u64 budget)
{
	struct drm_vshader_queue_create arg = {
		.engine = engine,
		.vm_id = f->vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.budget = budget,
	};
	int ret;

	if (f->queue)
		vst_queue_destroy(f->fd, f->queue);
	ret = vst_ioctl(f->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);
	f->queue = arg.id;
	return ret;
}

FIXTURE_SETUP(frame)
{
	const struct {
		struct vst_buf *b;
		__u64 va;
		unsigned int pages;
	} bufs[] = {
		{ &self->code, CODE_VA, 1 }, { &self->data, DATA_VA, 4 },
		{ &self->out, OUT_VA, 1 }, { &self->res, RESULT_VA, 1 },
	};
	unsigned int i;

	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &self->vm));
	for (i = 0; i < ARRAY_SIZE(bufs); i++)
		ASSERT_EQ(0, vst_buf_new(bufs[i].b, self->fd, self->vm, bufs[i].va,
					 bufs[i].pages * PAGE, true));
	self->result = self->res.map;
	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 0));
}

FIXTURE_TEARDOWN(frame)
{
	close(self->fd);
}

/* ---- a frame ---- */

static void put(FIXTURE_DATA(frame) *f, unsigned int at, unsigned int n, const __u32 *words)
{
	memcpy(f->data.u8 + at, words, 4 * n);
}

/* A draw of VERTICES vertices. */
static void make_frame(FIXTURE_DATA(frame) *f)
{
	const __u32 frame[] = { DATA(VS_AT), DATA(VS_AT) + 48, DATA(PLBU_AT),
				DATA(PLBU_AT) + 72, DATA(HEAP_AT),
				DATA(HEAP_AT) + HEAP_SIZE };
	const __u32 vs[] = {
		CODE_VA, 0x40010000,
		0, 0x10000040,
		0, 0x10000042,
		DATA(ATTR_AT), 0x20020000,
		DATA(VAR_AT), 0x20020008,
		VERTICES << 24, VERTICES >> 8,
	};
	/* one tile with one block */
	const __u32 plbu[] = {
		0x200, 0x1000010b,
		0, 0x1000010c,
		0, 0x10000109,
		1, 0x30000000,
		DATA(PLBU_AT) + 72, 0x28000000,
		0x2200, 0x1000010b,
		DATA(STATE_AT), 0x80000000 | OUT_VA >> 4,
		VERTICES << 24, 4 << 16 | VERTICES >> 8,
		0, 0x50000000,
		DATA(BLOCK_AT),
	};
	const __u32 attr[] = { DATA(ELEMS_AT), 16 << 11 | 3 };
	const __u32 var[] = { OUT_VA, 0x8020 };
	const __u32 state[16] = { [2] = 0xfc3b1ad2, [8] = 0xf807, [9] = CODE_VA + PIXELS_AT };
	unsigned int i;

	memset(f->data.map, 0, f->data.size);
	memcpy(f->code.map, program, sizeof(program));
	/* stop, without any field */
	f->code.u32[PIXELS_AT / 4] = 1 | 1 << 5;
	put(f, STATE_AT, ARRAY_SIZE(state), state);
	put(f, FRAME_AT, ARRAY_SIZE(frame), frame);
	put(f, VS_AT, ARRAY_SIZE(vs), vs);
	put(f, PLBU_AT, ARRAY_SIZE(plbu), plbu);
	put(f, ATTR_AT, ARRAY_SIZE(attr), attr);
	put(f, VAR_AT, ARRAY_SIZE(var), var);
	for (i = 0; i < 4 * VERTICES; i++)
		f->data.f32[ELEMS_AT / 4 + i] = i - 3.5f;
	vst_job_init(&f->j, f->queue, 0, 0);
	memset(&f->native, 0, sizeof(f->native));
	f->native.format = DRM_VSHADER_NATIVE_UTGARD_GP_FRAME;
	f->native.va = DATA(FRAME_AT);
	f->native.model = DRM_VSHADER_UTGARD_MALI400;
	f->j.job.type = DRM_VSHADER_JOB_NATIVE;
	f->j.job.desc = PTR(&f->native);
	f->j.job.desc_size = sizeof(f->native);
	f->j.job.result_va = RESULT_VA;
}

static int run(FIXTURE_DATA(frame) *f)
{
	memset(f->out.map, 0, f->out.size);
	memset(f->res.map, 0xff, sizeof(*f->result));
	return vst_run(f->fd, &f->j);
}

/* Vertices that have been written, from the first one on. */
static unsigned int written(const FIXTURE_DATA(frame) *f)
{
	unsigned int n, k;

	for (n = 0; n < VERTICES; n++)
		for (k = 0; k < 4; k++)
			if (f->out.f32[4 * n + k] != (k ? 1 : 2) * (4 * n + k - 3.5f))
				return n;
	return n;
}

TEST_F(frame, draw)
{
	make_frame(self);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(VERTICES, written(self));
	EXPECT_EQ(VERTICES, self->result->invocations);
	/* the same again, of the other GPU */
	self->native.model = DRM_VSHADER_UTGARD_MALI450;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(VERTICES, written(self));
}

TEST_F(frame, jump)
{
	const __u32 jump[] = { DATA(0x800), 0xf0000000 };
	const __u32 back[] = { VERTICES << 24, VERTICES >> 8, DATA(VS_AT) + 48, 0xf0000000 };

	make_frame(self);
	put(self, VS_AT + 40, ARRAY_SIZE(jump), jump);
	put(self, 0x800, ARRAY_SIZE(back), back);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(VERTICES, written(self));
}

/* ---- rejected frames ---- */

static void command_fault(struct __test_metadata *_metadata, FIXTURE_DATA(frame) *self,
			  unsigned int at, __u32 word, unsigned int where, __u32 reason)
{
	struct drm_vshader_fault *f = &self->result->fault;

	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 0));
	make_frame(self);
	put(self, at, 1, &word);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f->kind);
	EXPECT_EQ(DATA(where), f->address) TH_LOG("word at %x", at);
	EXPECT_EQ(reason, f->code) TH_LOG("word at %x", at);
}

#define REJECT(...) command_fault(_metadata, self, __VA_ARGS__)

TEST_F(frame, rejects)
{
	REJECT(FRAME_AT, DATA(VS_AT) + 4, FRAME_AT, R_MISALIGNED);
	REJECT(FRAME_AT + 4, 0, FRAME_AT + 4, R_RANGE);
	REJECT(VS_AT + 4, 0xe0000000, VS_AT, R_COMMAND);
	REJECT(VS_AT + 8, 1, VS_AT + 8, R_UNKNOWN_BITS);
	REJECT(VS_AT, 0, VS_AT + 40, R_MISSING);
	REJECT(ATTR_AT + 4, 16 << 11 | 12 << 2, ATTR_AT, R_FORMAT);
	REJECT(VAR_AT + 4, 0x8022, VAR_AT, R_FORMAT);
	REJECT(PLBU_AT + 4, 0x10000103, PLBU_AT, R_COMMAND);
	/* draws before it have been executed */
	EXPECT_EQ(VERTICES, written(self));
}

TEST_F(frame, arguments)
{
	make_frame(self);
	self->native.size = 24;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.model = DRM_VSHADER_UTGARD_MALI450 + 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.switches = 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.va = 0;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.output_va = OUT_VA;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.memory = PAGE;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	make_frame(self);
	self->native.memory = 1ULL << 60;
	EXPECT_EQ(VST_SUBMIT_ERROR(-E2BIG), run(self));
	make_frame(self);
	self->native.format = DRM_VSHADER_NATIVE_UTGARD_PP_FRAME;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
}

TEST_F(frame, memory)
{
	struct drm_vshader_fault *f = &self->result->fault;
	__u32 nowhere = NOWHERE_VA;

	make_frame(self);
	self->native.va = NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(NOWHERE_VA, f->address);

	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 0));
	make_frame(self);
	put(self, VAR_AT, 1, &nowhere);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, f->kind);
	EXPECT_EQ(NOWHERE_VA, f->address);

	/* code in memory that is for data only */
	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 0));
	make_frame(self);
	ASSERT_EQ(0, vst_map(self->fd, self->vm, self->code.handle, 0, CODE_VA, self->code.size,
			     DRM_VSHADER_VM_BIND_NOEXEC));
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f->kind);
	EXPECT_EQ(CODE_VA, f->address);
	ASSERT_EQ(0, vst_map(self->fd, self->vm, self->code.handle, 0, CODE_VA, self->code.size,
			     0));

	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 0));
	make_frame(self);
	memset(self->code.map, 0xff, 16);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, f->kind);
	EXPECT_EQ(CODE_VA, f->address);
	EXPECT_EQ(0, f->pc);
}

/* Lists that go round for ever. */
TEST_F(frame, endless)
{
	const __u32 jump[] = { DATA(VS_AT), 0xf0000000 };
	struct drm_vshader_fault *f = &self->result->fault;

	make_frame(self);
	put(self, VS_AT, ARRAY_SIZE(jump), jump);
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f->kind);
	ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 1000));
	make_frame(self);
	put(self, VS_AT, ARRAY_SIZE(jump), jump);
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, f->kind);
}

/* ---- the pixel processor ---- */

/* The tile lists of the frame above, and the memory of a cleared tile. */
static void make_pixels(FIXTURE_DATA(frame) *f)
{
	const __u32 stream[] = {
		0, 0xb8000000,
		0xe0000002 | DATA(BLOCK_AT) >> 3, 0xb0000000,
		0, 0xbc000000,
		0, 0,
	};
	const __u32 frame[68] = {
		[1] = DATA(STATE_AT), [3] = 2, [4] = 0xffffff,
		[6] = CLEAR, [7] = CLEAR, [8] = CLEAR, [9] = CLEAR, [10] = 15, [11] = 15,
		[16] = 1, [17] = 31, [18] = 0x77, [19] = 1, [21] = 0xe0c, [22] = 0x8888,
		[23] = 1,
		/* RGBA8, rows of 64 bytes */
		[24] = 2, [25] = OUT_VA, [26] = 3, [29] = 8, [30] = 4,
		[60] = DATA(STREAM_AT),
	};

	put(f, STREAM_AT, ARRAY_SIZE(stream), stream);
	put(f, FRAME_AT, ARRAY_SIZE(frame), frame);
	f->native.format = DRM_VSHADER_NATIVE_UTGARD_PP_FRAME;
}

static int run_pixels(FIXTURE_DATA(frame) *f)
{
	int ret = new_queue(f, DRM_VSHADER_ENGINE_UTGARD_PP, 0);

	f->j.job.queue_id = f->queue;
	return ret ?: run(f);
}

TEST_F(frame, pixels)
{
	struct drm_vshader_fault *f = &self->result->fault;
	const __u32 bad = 1;
	unsigned int i;

	make_frame(self);
	ASSERT_EQ(0, run(self));
	make_pixels(self);
	EXPECT_EQ(0, run_pixels(self));
	for (i = 0; i < 256; i++)
		ASSERT_EQ(CLEAR, self->out.u32[i]);
	EXPECT_EQ(0, self->out.u32[256]);

	put(self, FRAME_AT + 56, 1, &bad);
	EXPECT_EQ(-EIO, run_pixels(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f->kind);
	EXPECT_EQ(DATA(FRAME_AT) + 56, f->address);
	EXPECT_EQ(R_UNKNOWN_BITS, f->code);

	/* a block that no frame has made */
	make_pixels(self);
	put(self, BLOCK_AT, 1, &bad);
	EXPECT_EQ(-EIO, run_pixels(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f->kind);
	EXPECT_EQ(R_LIST, f->code);
	EXPECT_EQ(0, self->out.u32[0]);
}

/* Frames, lists and code change while they are read: the job must end. */
TEST_F(frame, memory_changes)
{
	unsigned int i, k, seed = 1;
	__u32 handle;

	for (k = 0; k < 8; k++) {
		ASSERT_EQ(0, new_queue(self, DRM_VSHADER_ENGINE_UTGARD_GP, 1 << 24));
		make_frame(self);
		ASSERT_EQ(0, vst_syncobj(self->fd, &handle));
		vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
		ASSERT_EQ(0, vst_submit(self->fd, &self->j));
		for (i = 0; i < 20000; i++) {
			seed = seed * 1664525 + 1013904223;
			self->data.u32[(seed >> 8) % 224] ^= 1u << (seed >> 27);
			self->code.u32[(seed >> 12) % 4] ^= 1u << (seed >> 27);
		}
		EXPECT_EQ(0, vst_wait(self->fd, handle, 10000 * vst_scale()));
		EXPECT_NE(1, vst_fence_status(self->fd, handle));
		EXPECT_EQ(0, vst_syncobj_destroy(self->fd, handle));
	}
	EXPECT_EQ(0, vst_alive());
}

TEST_HARNESS_MAIN
