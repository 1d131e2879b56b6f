// SPDX-License-Identifier: GPL-2.0
/*
 * Shader jobs of the Utgard engines: vertices with streams, fragments with targets, arguments,
 * faults, limits. The program words are the output of vshader asm for the source in the
 * comments.
 */
#include "vshader_test.h"
#include "vst.h"

#define IN_VA		VA(1)
#define OUT_VA		VA(2)
#define MASK_VA		VA(3)
#define RESULT_VA	VA(4)
#define ROM_VA		VA(5)
#define NOWHERE_VA	VA(64)

#define VERTICES	100
#define ONE		0x3f800000

struct code {
	__u32 engine;
	__u32 n;
	__u32 words[20];
};

/*
 * 000:	mul.m0 ^2/v0.x a0.x t[0].x
 *	mul.m1 ^3/v0.y a0.y t[0].y
 *	add.a0 ^0/v0.z a0.z t[0].z
 *	add.a1 ^1/v0.w a0.w t[0].w
 * 001:	mov.a0 ^6/v1.x a1.x
 *	mov.a1 ^7/v1.y a1.y
 *	mov.m0 ^8/v1.z a1.z
 *	mov.m1 ^9/v1.w a1.w
 */
static const struct code scale = { DRM_VSHADER_ENGINE_UTGARD_GP, 8, {
	0x70868580, 0x438001e3, 0x40010d00, 0x000ad508,
	0xb00b0ec2, 0x47802ac1, 0xc4034400, 0x000ad508,
} };

/*
 * 000:	mov.p ^4 a0.w
 * 001:	mov.p ^10 a0.w
 *	branch ^10 000
 */
static const struct code gp_spin = { DRM_VSHADER_ENGINE_UTGARD_GP, 8, {
	0xad4ad6b5, 0x438002b5, 0x0007ff80, 0x0001d500,
	0xad4ad6b5, 0x438002b5, 0x0007ffe0, 0x00d1d500,
} };

/* load.v $0 0, load.u 0, mul.v0 $0 $0 ^uniform, stop */
static const struct code colour = { DRM_VSHADER_ENGINE_UTGARD_PP, 5, {
	0x000006a5, 0xf0003c60, 0x00002000, 0x9e720000, 0x0000781c,
} };

/* again: branch again */
static const struct code pp_spin = { DRM_VSHADER_ENGINE_UTGARD_PP, 4, {
	0x00010004, 0x00070000, 0x00000000, 0x00000040,
} };

/*
 * load.v $0 0, branch.lt $0.x ^const0.x keep, const0 0.5 0 0 0
 * discard, stop
 * keep: load.v $0 0, stop
 */
static const struct code discard = { DRM_VSHADER_ENGINE_UTGARD_PP, 14, {
	0x02230087, 0xf0003c60, 0x00100c00, 0x00005800, 0x01c000c0, 0x00000000, 0x00000000,
	0x02190024, 0x007f0003, 0x00000000, 0x00000000, 0x000000a3, 0xf0003c60, 0x00000000,
} };

FIXTURE(utgard) {
	int fd;
	__u32 vm;
	__u32 queue;
	__u32 program;
	struct vst_buf in;
	struct vst_buf out;
	struct vst_buf mask;
	struct vst_buf res;
	struct vst_buf rom;
	struct drm_vshader_job_result *result;
	struct vst_job j;
	struct drm_vshader_utgard_gp_job gp;
	struct drm_vshader_utgard_pp_job pp;
	struct drm_vshader_utgard_target target;
};

#define SELF	FIXTURE_DATA(utgard)

static int make_buffers(SELF *u)
{
	const struct {
		struct vst_buf *b;
		__u64 va;
	} bufs[] = {
		{ &u->in, IN_VA }, { &u->out, OUT_VA }, { &u->mask, MASK_VA },
		{ &u->res, RESULT_VA }, { &u->rom, ROM_VA },
	};
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(bufs) && !ret; i++)
		ret = vst_buf_new(bufs[i].b, u->fd, u->vm, bufs[i].va, 4 * PAGE, true);
	for (i = 0; i < 4 * VERTICES && !ret; i++)
		u->in.f32[i] = (float)i;
	return ret ? ret : vst_map(u->fd, u->vm, u->rom.handle, 0, ROM_VA, u->rom.size,
				   DRM_VSHADER_VM_BIND_READONLY);
}

FIXTURE_SETUP(utgard)
{
	self->fd = vst_open();
	if (self->fd == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, vst_vm_create(self->fd, 0, &self->vm));
	ASSERT_EQ(0, make_buffers(self));
	self->result = self->res.map;
}

FIXTURE_TEARDOWN(utgard)
{
	close(self->fd);
}

static int make_queue(SELF *u, __u32 engine, __u64 budget, __u32 ms)
{
	struct drm_vshader_queue_create arg = {
		.engine = engine, .vm_id = u->vm, .budget = budget, .time_limit_ms = ms,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
	};
	int ret = vst_ioctl(u->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	u->queue = arg.id;
	return ret;
}

static int make_program(SELF *u, const struct code *c, __u32 entry)
{
	struct drm_vshader_program_section s = {
		.type = DRM_VSHADER_SECTION_CODE, .data = PTR(c->words), .size = 4 * c->n,
	};
	struct drm_vshader_program_create arg = {
		.engine = c->engine,
		.stage = c->engine == DRM_VSHADER_ENGINE_UTGARD_GP ?
			 DRM_VSHADER_STAGE_VERTEX : DRM_VSHADER_STAGE_FRAGMENT,
		.sections = DRM_VSHADER_OBJ_ARRAY(1, &s),
		.entries = PTR(&entry),
		.num_entries = 1,
	};
	int ret = vst_ioctl(u->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);

	u->program = arg.id;
	return ret;
}

static int run(SELF *u)
{
	memset(u->out.map, 0, u->out.size);
	memset(u->mask.map, 7, u->mask.size);
	memset(u->res.map, 0xff, sizeof(*u->result));
	return vst_run(u->fd, &u->j);
}

static int limited(SELF *u, const struct code *c, __u64 budget, __u32 ms)
{
	int ret = make_queue(u, c->engine, budget, ms);

	if (!ret)
		ret = make_program(u, c, 0);
	vst_job_init(&u->j, u->queue, u->program, 1);
	u->j.job.result_va = RESULT_VA;
	return ret;
}

static int make_vertices(SELF *u, const struct code *c, __u64 budget, __u32 ms)
{
	int ret = limited(u, c, budget, ms);

	u->j.shader.engine_block = PTR(&u->gp);
	u->j.shader.engine_block_size = sizeof(u->gp);
	vst_job_attr(&u->j, 0, IN_VA, DRM_VSHADER_FORMAT_F32, 4, 16);
	vst_job_out(&u->j, 0, OUT_VA);
	u->gp = (struct drm_vshader_utgard_gp_job){
		.vertices = u->j.pica.vertices, .uniforms = IN_VA + 16, .num_rows = 1,
	};
	u->gp.vertices.count = VERTICES;
	return ret;
}

static int make_fragments(SELF *u, const struct code *c, __u64 budget, __u32 ms)
{
	int ret = limited(u, c, budget, ms);

	u->j.shader.engine_block = PTR(&u->pp);
	u->j.shader.engine_block_size = sizeof(u->pp);
	u->target = (struct drm_vshader_utgard_target){
		.va = OUT_VA, .row_stride = 128, .order = 2,
		.format = DRM_VSHADER_UTGARD_PIXEL_RGBA32F,
	};
	u->pp = (struct drm_vshader_utgard_pp_job){
		.uniforms = ROM_VA, .num_rows = 1, .switches = DRM_VSHADER_UTGARD_FP32,
		.width = 8, .height = 8, .mask_va = MASK_VA, .mask_stride = 8,
		.targets = DRM_VSHADER_OBJ_ARRAY(1, &u->target),
	};
	/* halves: 1, 2, 0.5, -1 */
	u->rom.u32[0] = 0x40003c00;
	u->rom.u32[1] = 0xbc003800;
	return ret;
}

/* The fragments' only input. */
static void fragment_input(SELF *u, __u64 va, __u32 stride)
{
	struct drm_vshader_stream *in = vst_job_attr(&u->j, 0, va, DRM_VSHADER_FORMAT_F32, 4,
						     stride);

	u->pp.inputs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, in);
}

/* ---- vertices ---- */

static unsigned int wrong_vertices(SELF *u, unsigned int first)
{
	const float *row = u->in.f32 + 4;
	unsigned int i, n = 0;

	for (i = 0; i < VERTICES - first; i++) {
		const float *v = u->in.f32 + 4 * (i + first), *o = u->out.f32 + 4 * i;

		n += o[0] != v[0] * row[0] || o[1] != v[1] * row[1] ||
		     o[2] != v[2] + row[2] || o[3] != v[3] + row[3];
	}
	return n;
}

TEST_F(utgard, vertices)
{
	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, wrong_vertices(self, 0));
	EXPECT_EQ(0, self->result->status);
	EXPECT_EQ(VERTICES, self->result->invocations);
	EXPECT_LT(0, self->result->weight);
	/* skip the first ones */
	self->gp.vertices.first = 10;
	self->gp.vertices.count = VERTICES - 10;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, wrong_vertices(self, 10));
	EXPECT_EQ(0, self->out.u32[4 * (VERTICES - 10)]);
}

TEST_F(utgard, indices_and_instances)
{
	struct drm_vshader_stream *s;
	unsigned int i, wrong = 0;

	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	for (i = 0; i < 16; i++)
		self->in.u8[0x2000 + i] = (__u8)(15 - i);
	self->in.u32[0x3000 / 4] = 0x807f4000;
	self->in.u32[0x3000 / 4 + 1] = 0xff000080;
	self->gp.vertices.count = 16;
	self->gp.vertices.instances = 2;
	self->gp.vertices.index_type = DRM_VSHADER_INDEX_U8;
	self->gp.vertices.index_va = IN_VA + 0x2000;
	self->gp.vertices.attributes.count = 2;
	s = vst_job_attr(&self->j, 1, IN_VA + 0x3000, DRM_VSHADER_FORMAT_UNORM8, 4, 4);
	s->divisor = 1;
	self->j.out[0].reg = 1;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(32, self->result->invocations);
	for (i = 0; i < 32; i++)
		wrong += self->out.f32[4 * i] != (i < 16 ? 0 : 128 / 255.f) ||
			 self->out.f32[4 * i + 3] != (i < 16 ? 128 / 255.f : 1);
	EXPECT_EQ(0, wrong);
	self->j.out[0].reg = 0;
	self->gp.vertices.instances = 1;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 16; i++)
		wrong += self->out.f32[4 * i] != self->in.f32[4 * (15 - i)] * self->in.f32[4];
	EXPECT_EQ(0, wrong);
}

/* Uniforms that are not there are zeros, attributes without a stream 0, 0, 0, 1. */
TEST_F(utgard, missing_inputs)
{
	unsigned int i, wrong = 0;

	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	self->gp.num_rows = 0;
	self->gp.vertices.attributes.count = 0;
	EXPECT_EQ(0, run(self));
	for (i = 0; i < VERTICES; i++)
		wrong += self->out.u32[4 * i] || self->out.u32[4 * i + 3] != ONE;
	EXPECT_EQ(0, wrong);
}

TEST_F(utgard, vertex_faults)
{
	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	self->j.attr[0].va = NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_ENGINE_UTGARD_GP, self->result->fault.engine);
	EXPECT_EQ(NOWHERE_VA, self->result->fault.address);
	EXPECT_EQ(16, self->result->fault.size);
	EXPECT_EQ(0, self->result->fault.stream);
	EXPECT_EQ(NEVER, self->result->fault.pc);

	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	self->j.out[0].va = ROM_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, self->result->fault.kind);
	EXPECT_EQ(16, self->result->fault.stream);

	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	self->gp.uniforms = NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, self->result->fault.kind);
	EXPECT_EQ(NEVER, self->result->fault.stream);
}

/* ---- fragments ---- */

TEST_F(utgard, fragments)
{
	static const float unif[4] = { 1, 2, 0.5f, -1 };
	unsigned int i, wrong = 0;

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	fragment_input(self, IN_VA, 16);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(64, self->result->invocations);
	for (i = 0; i < 256; i++)
		wrong += self->out.f32[i] != self->in.f32[i] * unif[i % 4];
	for (i = 0; i < 64; i++)
		wrong += self->mask.u8[i] != 1;
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(7, self->mask.u8[64]);
	/* registers of halves: numbers above 2048 lose their last bits */
	self->in.f32[0] = 2049;
	self->pp.switches = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(2048, self->out.f32[0]);
}

TEST_F(utgard, discarded)
{
	unsigned int i, wrong = 0;

	ASSERT_EQ(0, make_fragments(self, &discard, 0, 0));
	for (i = 0; i < 64; i++)
		self->in.f32[4 * i] = i % 3 ? 0.25f : 1;
	fragment_input(self, IN_VA, 16);
	EXPECT_EQ(0, run(self));
	for (i = 0; i < 64; i++)
		wrong += self->mask.u8[i] != !!(i % 3) ||
			 self->out.f32[4 * i] != (i % 3 ? 0.25f : 0);
	EXPECT_EQ(0, wrong);
}

/* Half of the square, the same at all corners. */
TEST_F(utgard, triangle)
{
	static const float corners[3][4] = { { 0, 0, 0, 1 }, { 8, 0, 0, 1 }, { 0, 8, 0, 1 } };
	unsigned int x, y, wrong = 0;

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	fragment_input(self, IN_VA + 16, 0);
	memcpy(self->pp.vertex, corners, sizeof(corners));
	self->pp.prim = DRM_VSHADER_UTGARD_PRIM_TRIANGLE;
	EXPECT_EQ(0, run(self));
	for (y = 0; y < 8; y++)
		for (x = 0; x < 8; x++)
			wrong += self->mask.u8[8 * y + x] != (x + y < 7 ? 1 : 7) ||
				 self->out.f32[32 * y + 4 * x] != (x + y < 7 ? 4 : 0);
	EXPECT_EQ(0, wrong);
	self->pp.flags = DRM_VSHADER_UTGARD_FRAG_BACK;
	EXPECT_EQ(0, run(self));
}

TEST_F(utgard, fragment_faults)
{
	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->target.va = NOWHERE_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, self->result->fault.kind);
	EXPECT_EQ(DRM_VSHADER_ENGINE_UTGARD_PP, self->result->fault.engine);
	EXPECT_EQ(NOWHERE_VA, self->result->fault.address);
	EXPECT_EQ(16, self->result->fault.stream);

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->pp.textures = NOWHERE_VA;
	self->pp.num_textures = 1;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, self->result->fault.kind);
	EXPECT_EQ(NOWHERE_VA, self->result->fault.address);

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->pp.x = 1;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, self->result->fault.kind);

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->pp.mask_va = ROM_VA;
	EXPECT_EQ(-EIO, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, self->result->fault.kind);
	EXPECT_EQ(20, self->result->fault.stream);
}

/* ---- arguments ---- */

#define BAD(error, field, value) do {					\
	typeof(field) old = (field);					\
	(field) = (value);						\
	EXPECT_EQ(VST_SUBMIT_ERROR(error), run(self)) {			\
		TH_LOG("%s", #field);					\
	}								\
	(field) = old;							\
} while (0)

TEST_F(utgard, bad_vertices)
{
	struct drm_vshader_limits limits;
	struct vst_job *j = &self->j;

	ASSERT_EQ(0, vst_limits(self->fd, &limits));
	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	BAD(-ENOENT, j->shader.program, self->program + 1);
	BAD(-EINVAL, j->shader.entry, 1);
	BAD(-EINVAL, self->gp.vertices.index_type, DRM_VSHADER_INDEX_U32 + 1);
	BAD(-EINVAL, j->shader.pad, 1);
	BAD(-E2BIG, self->gp.vertices.count, limits.max_invocations + 1);
	BAD(-EINVAL, j->shader.engine_block_size, sizeof(self->gp) - 8);
	BAD(-EFAULT, j->shader.engine_block, BAD_PTR);
	BAD(-E2BIG, self->gp.vertices.attributes.count, 17);
	BAD(-EINVAL, j->attr[0].reg, 16);
	BAD(-EINVAL, j->attr[0].format, DRM_VSHADER_FORMAT_F24);
	BAD(-EINVAL, j->attr[0].format, DRM_VSHADER_FORMAT_FIXED + 1);
	BAD(-EINVAL, j->attr[0].components, 0);
	BAD(-EINVAL, j->attr[0].components, 5);
	BAD(-EINVAL, j->attr[0].pad, 1);
	BAD(-EINVAL, j->attr[0].va, 1ULL << 32);
	BAD(-EINVAL, j->out[0].reg, 16);
	BAD(-EINVAL, j->out[0].divisor, 1);
	BAD(-EINVAL, j->out[0].format, DRM_VSHADER_FORMAT_U8);
	BAD(-EINVAL, self->gp.num_rows, 305);
	BAD(-EINVAL, self->gp.num_rows, NEVER);
	BAD(-EINVAL, self->gp.switches, 1);
	BAD(-EINVAL, self->gp.uniforms, 1ULL << 32);
	BAD(-EINVAL, self->gp.memory, 4096);
	BAD(-E2BIG, self->gp.memory, limits.max_job_memory + 1);
	/* twice the same */
	j->attr[1] = j->attr[0];
	self->gp.vertices.attributes.count = 2;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
	self->gp.vertices.attributes.count = 1;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, wrong_vertices(self, 0));
}

TEST_F(utgard, bad_fragments)
{
	struct vst_job *j = &self->j;

	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	fragment_input(self, IN_VA, 16);
	BAD(-EINVAL, j->shader.entry, 1);
	BAD(-E2BIG, self->pp.inputs.count, 17);
	BAD(-EFAULT, self->pp.inputs.array, BAD_PTR);
	BAD(-EINVAL, j->shader.pad, 1);
	BAD(-EINVAL, j->shader.engine_block_size, sizeof(self->pp) - 8);
	BAD(-EFAULT, j->shader.engine_block, BAD_PTR);
	BAD(-EINVAL, j->attr[0].reg, 15);
	BAD(-EINVAL, j->attr[0].components, 5);
	BAD(-EINVAL, self->pp.switches, 2);
	BAD(-EINVAL, self->pp.flags, 4);
	BAD(-EINVAL, self->pp.prim, 3);
	BAD(-EINVAL, self->pp.num_rows, 65537);
	BAD(-EINVAL, self->pp.num_textures, 65);
	BAD(-EINVAL, self->pp.temporaries, 1025);
	BAD(-EINVAL, self->pp.uniforms, 1ULL << 32);
	BAD(-EINVAL, self->pp.textures, 1ULL << 32);
	BAD(-EINVAL, self->pp.mask_va, 1ULL << 32);
	BAD(-EINVAL, self->pp.depth_va, 1ULL << 32);
	BAD(-EINVAL, self->pp.memory, 4096);
	BAD(-E2BIG, self->pp.targets.count, 5);
	BAD(-EFAULT, self->pp.targets.array, BAD_PTR);
	BAD(-EINVAL, self->target.format, DRM_VSHADER_UTGARD_PIXEL_R32F + 1);
	BAD(-EINVAL, self->target.order, 0);
	BAD(-EINVAL, self->target.reg, 6);
	BAD(-EINVAL, self->target.va, 1ULL << 32);
	/* positions require separate fragments */
	j->attr[0].reg = DRM_VSHADER_UTGARD_IN_COORD;
	BAD(-EINVAL, self->pp.prim, DRM_VSHADER_UTGARD_PRIM_POINT);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1, self->mask.u8[0]);
}

/* A block of a later version: accepted if the unknown part is zero. */
TEST_F(utgard, longer_block)
{
	struct {
		struct drm_vshader_utgard_gp_job block;
		__u64 more;
	} b = { .more = 0 };

	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	b.block = self->gp;
	self->j.shader.engine_block = PTR(&b);
	self->j.shader.engine_block_size = sizeof(b);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, wrong_vertices(self, 0));
	b.more = 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-E2BIG), run(self));
}

TEST_F(utgard, programs)
{
	struct code bad = scale;

	/* entries of vertex programs are their first instruction */
	EXPECT_EQ(-ENOEXEC, make_program(self, &scale, 1));
	bad.n = 6;
	EXPECT_EQ(-EINVAL, make_program(self, &bad, 0));
	bad.n = 8;
	bad.words[7] = NEVER;
	EXPECT_EQ(-ENOEXEC, make_program(self, &bad, 0));
	bad = colour;
	bad.n = 4;
	EXPECT_EQ(-ENOEXEC, make_program(self, &bad, 0));
	/* a job may start at any entry point of the program */
	ASSERT_EQ(0, make_fragments(self, &discard, 0, 0));
	ASSERT_EQ(0, make_program(self, &discard, 11));
	self->j.shader.program = self->program;
	self->j.shader.entry = 11;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1, self->mask.u8[0]);
}

TEST_F(utgard, empty)
{
	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	self->gp.vertices.count = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0, self->result->invocations);
	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->j.shader.engine_block = 0;
	self->j.shader.engine_block_size = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(7, self->mask.u8[0]);
	ASSERT_EQ(0, make_fragments(self, &colour, 0, 0));
	self->pp.height = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(7, self->mask.u8[0]);
}

/* ---- limits ---- */

TEST_F(utgard, budget)
{
	ASSERT_EQ(0, make_vertices(self, &gp_spin, 100000, 0));
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, self->result->fault.kind);
	ASSERT_EQ(0, make_fragments(self, &pp_spin, 100000, 0));
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, self->result->fault.kind);
	/* that queue is banned */
	EXPECT_EQ(VST_SUBMIT_ERROR(-EIO), run(self));
}

TEST_F(utgard, timeout)
{
	ASSERT_EQ(0, make_vertices(self, &gp_spin, 0, 50));
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, self->result->fault.kind);
	ASSERT_EQ(0, make_fragments(self, &pp_spin, 0, 50));
	EXPECT_EQ(-ETIME, run(self));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, self->result->fault.kind);
}

TEST_F(utgard, wrong_engine)
{
	ASSERT_EQ(0, make_vertices(self, &scale, 0, 0));
	ASSERT_EQ(0, make_program(self, &colour, 0));
	self->j.shader.program = self->program;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), run(self));
}

TEST_HARNESS_MAIN
