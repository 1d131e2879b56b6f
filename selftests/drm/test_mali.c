// SPDX-License-Identifier: GPL-2.0
/*
 * Shader jobs of the Mali engines: arguments, resources by descriptor tables, workgroups,
 * faults, limits. Job chains are in test_chain.c.
 */
#include "vshader_test.h"
#include "vst_mali.h"

#define PUSH_AT		0x000	/* in the descriptors' buffer */
#define UBO_AT		0x100

#define REASON_UNMAPPED	1	/* of a COMMAND fault: address cannot be read */
#define REASON_GROUP	0x101	/* too many threads in a workgroup, or none */

FIXTURE(mali) {
	struct vst_mali m;
};

FIXTURE_VARIANT(mali) {
	const struct vst_mali_arch *arch;
};

FIXTURE_VARIANT_ADD(mali, bifrost) {
	.arch = &vst_mali_bifrost,
};

FIXTURE_VARIANT_ADD(mali, midgard) {
	.arch = &vst_mali_midgard,
};

FIXTURE_SETUP(mali)
{
	int ret = vst_mali_setup(&self->m, variant->arch);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(mali)
{
	close(self->m.fd);
}

/* Of one family. */
FIXTURE(bifrost) {
	struct vst_mali m;
};

FIXTURE_SETUP(bifrost)
{
	int ret = vst_mali_setup(&self->m, &vst_mali_bifrost);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(bifrost)
{
	close(self->m.fd);
}

FIXTURE(midgard) {
	struct vst_mali m;
};

FIXTURE_SETUP(midgard)
{
	int ret = vst_mali_setup(&self->m, &vst_mali_midgard);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(midgard)
{
	close(self->m.fd);
}

static void push(struct vst_mali *m, const __u32 *w, unsigned int n)
{
	memcpy(&m->desc.u32[PUSH_AT / 4], w, 4 * n);
	m->block.push.va = MALI_DESC_VA + PUSH_AT;
	m->block.push.count = n;
}

static int make_reverse(struct vst_mali *m, unsigned int groups, __u32 factor)
{
	const __u32 w[4] = { MALI_OUT_VA, 0, factor, 4 * (MALI_LOCAL - 1) };
	__u64 ubo = vst_mali_ubo(MALI_IN_VA, 4 * MALI_LOCAL);
	int ret = vst_mali_program(m, &m->arch->reverse, DRM_VSHADER_STAGE_COMPUTE);

	vst_mali_fill(m);
	vst_mali_job(m, MALI_LOCAL, groups);
	push(m, w, 4);
	memcpy(&m->desc.u32[UBO_AT / 4], &ubo, sizeof(ubo));
	m->block.ubos.va = MALI_DESC_VA + UBO_AT;
	m->block.ubos.count = 1;
	m->block.wls_va = MALI_WLS_VA;
	m->block.wls_size = 4 * MALI_LOCAL;
	m->block.wls_instances = 1;
	return ret;
}

static int make_copy(struct vst_mali *m, __u64 from, __u64 to, unsigned int n)
{
	const __u32 w[4] = { from, from >> 32, to, to >> 32 };
	int ret = vst_mali_program(m, &m->arch->copy, DRM_VSHADER_STAGE_COMPUTE);

	vst_mali_fill(m);
	vst_mali_job(m, n, 1);
	push(m, w, 4);
	return ret;
}

static int make_spin(struct vst_mali *m)
{
	int ret = vst_mali_program(m, &m->arch->spin, DRM_VSHADER_STAGE_COMPUTE);

	vst_mali_job(m, 4, 16);
	return ret;
}

static bool copied(const struct vst_mali *m, unsigned int n)
{
	return !memcmp(m->in.map, m->out.map, 4 * n) && !m->out.u32[n];
}

/* ---- compute ---- */

TEST_F(mali, compute)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 1, 5));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 1, 5));
	EXPECT_EQ(0, m->result->status);
	EXPECT_EQ(0, m->result->stray_reads);
	EXPECT_EQ(MALI_LOCAL, m->result->invocations);
	EXPECT_LT(0, m->result->weight);
	EXPECT_EQ(DRM_VSHADER_FAULT_NONE, m->result->fault.kind);
}

/* Workgroups follow each other in the memory of one, or go side by side in that of many. */
TEST_F(mali, workgroups)
{
	struct vst_mali *m = &self->m;
	unsigned int n;

	for (n = 1; n <= 64; n *= 4) {
		ASSERT_EQ(0, make_reverse(m, 100, 3));
		m->block.wls_instances = n;
		EXPECT_EQ(0, vst_mali_run(m));
		EXPECT_TRUE(vst_mali_reversed(m, 100, 3));
		EXPECT_EQ(100 * MALI_LOCAL, m->result->invocations);
	}
}

TEST_F(mali, deterministic)
{
	struct vst_mali *m = &self->m;
	__u64 weight;
	int i;

	ASSERT_EQ(0, make_reverse(m, 64, 11));
	EXPECT_EQ(0, vst_mali_run(m));
	weight = m->result->weight;
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, vst_mali_run(m));
		EXPECT_TRUE(vst_mali_reversed(m, 64, 11));
		EXPECT_EQ(weight, m->result->weight);
	}
}

/* Reads past the end of a buffer and from a missing buffer return 0. */
TEST_F(mali, short_buffer)
{
	struct vst_mali *m = &self->m;
	unsigned int i, wrong = 0;
	__u64 ubo = vst_mali_ubo(MALI_IN_VA, 4 * MALI_LOCAL / 2);

	ASSERT_EQ(0, make_reverse(m, 1, 1));
	memcpy(&m->desc.u32[UBO_AT / 4], &ubo, sizeof(ubo));
	EXPECT_EQ(0, vst_mali_run(m));
	for (i = 0; i < MALI_LOCAL; i++) {
		unsigned int from = MALI_LOCAL - 1 - i;

		wrong += m->out.u32[i] != (from < MALI_LOCAL / 2 ? m->in.u32[from] : 0);
	}
	EXPECT_EQ(0, wrong);
	m->block.ubos.count = 0;
	EXPECT_EQ(0, vst_mali_run(m));
	for (i = 0; i < MALI_LOCAL; i++)
		wrong += m->out.u32[i] != 0;
	EXPECT_EQ(0, wrong);
}

TEST_F(mali, empty)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 1, 1));
	m->j.shader.engine_block = 0;
	m->j.shader.engine_block_size = 0;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0, m->result->status);
	EXPECT_EQ(0, m->result->invocations);
	/* no workgroups */
	ASSERT_EQ(0, make_reverse(m, 1, 1));
	m->block.groups[1] = 0;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0, m->result->invocations);
}

/* Mappings may be read-only unless the job writes them. */
TEST_F(mali, read_only)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_copy(m, MALI_IN_VA, MALI_OUT_VA, 16));
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->in.handle, 0, MALI_IN_VA, m->in.size,
			     DRM_VSHADER_VM_BIND_READONLY));
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->desc.handle, 0, MALI_DESC_VA, m->desc.size,
			     DRM_VSHADER_VM_BIND_READONLY));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(copied(m, 16));

	ASSERT_EQ(0, make_copy(m, MALI_OUT_VA, MALI_IN_VA + 0x40, 16));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, m->result->fault.kind);
	EXPECT_EQ(MALI_IN_VA + 0x40, m->result->fault.address);
	EXPECT_EQ(m->arch->copy_store, m->result->fault.pc);
	EXPECT_EQ(7 * 16 * 16 + 3, m->in.u32[16]);
}

#define LARGE_VA	0x100000000ULL
#define LARGE_SIZE	0x100000000ULL

static __u64 available_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	unsigned long long kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return 1024 * kib;
}

/* Threads whose low words of addresses wrap around in a buffer of 4 GiB stay in it. */
TEST_F_TIMEOUT(bifrost, addresses_wrap, 300)
{
	struct vst_mali *m = &self->m;
	__u64 last = LARGE_VA + LARGE_SIZE - 4;
	__u32 bo;

	if (available_bytes() < LARGE_SIZE + LARGE_SIZE / 16)
		SKIP(return, "needs 4.25 GiB of memory");
	ASSERT_EQ(0, vst_bo_create(m->fd, LARGE_SIZE, DRM_VSHADER_BO_NO_MMAP, m->vm, &bo));
	ASSERT_EQ(0, vst_map(m->fd, m->vm, bo, 0, LARGE_VA, LARGE_SIZE, 0));
	ASSERT_EQ(0, make_copy(m, MALI_IN_VA, last, 64));
	EXPECT_EQ(0, vst_mali_run(m));
	ASSERT_EQ(0, make_copy(m, last, MALI_OUT_VA, 64));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(copied(m, 64));
	ASSERT_EQ(0, make_copy(m, LARGE_VA, MALI_OUT_VA, 63));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0, memcmp(&m->in.u32[1], m->out.map, 4 * 63));
}

/* ---- arguments ---- */

#define BAD(error, field, value) do {					\
	typeof(field) old = (field);					\
	(field) = (value);						\
	EXPECT_EQ(VST_SUBMIT_ERROR(error), vst_mali_run(m)) {		\
		TH_LOG("%s", #field);					\
	}								\
	(field) = old;							\
} while (0)

TEST_F(mali, bad_job)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 2, 9));
	BAD(-ENOENT, m->j.shader.program, m->program + 1);
	BAD(-EINVAL, m->j.shader.entry, 1);
	BAD(-EINVAL, m->j.shader.pad, 1);
	BAD(-EINVAL, m->j.shader.engine_block_size, sizeof(m->block) - 8);
	BAD(-EINVAL, m->j.shader.engine_block_size, 0);
	BAD(-EFAULT, m->j.shader.engine_block, BAD_PTR);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 2, 9));
}

/* A block of a later version: accepted if the unknown part is zero. */
TEST_F(mali, longer_block)
{
	struct {
		struct drm_vshader_mali_job block;
		__u64 more;
	} b;
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 1, 2));
	b.block = m->block;
	b.more = 0;
	m->j.shader.engine_block = PTR(&b);
	m->j.shader.engine_block_size = sizeof(b);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 1, 2));
	b.more = 1;
	EXPECT_EQ(VST_SUBMIT_ERROR(-E2BIG), vst_mali_run(m));
}

TEST_F(mali, bad_block)
{
	struct drm_vshader_mali_job *b = &self->m.block;
	struct drm_vshader_limits limits;
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_limits(m->fd, &limits));
	ASSERT_EQ(0, make_reverse(m, 2, 9));
	BAD(-EINVAL, b->gpu, m->arch->other_gpu);
	BAD(-EINVAL, b->gpu, NEVER);
	BAD(-EINVAL, b->switches, 2);
	BAD(-EINVAL, b->switches, 0x80000000);
	BAD(-EINVAL, b->preload, 1);
	BAD(-EINVAL, b->preload, 0x8000);
	BAD(-EINVAL, b->pad, 1);
	BAD(-EINVAL, b->ubos.pad, 1);
	BAD(-EINVAL, b->push.pad, 1);
	BAD(-EINVAL, b->attributes.pad, 1);
	BAD(-EINVAL, b->varyings.pad, 1);
	BAD(-EINVAL, b->textures.pad, 1);
	BAD(-EINVAL, b->samplers.pad, 1);
	BAD(-EINVAL, b->ubos.count, 256);
	BAD(-EINVAL, b->ubos.count, NEVER);
	BAD(-EINVAL, b->push.count, 257);
	BAD(-EINVAL, b->push.count, NEVER);
	BAD(-EINVAL, b->attributes.count, 65536);
	BAD(-EINVAL, b->varyings.count, 65536);
	BAD(-EINVAL, b->textures.count, 65536);
	BAD(-EINVAL, b->samplers.count, 65536);
	BAD(-EINVAL, b->wls_instances, 0);
	BAD(-EINVAL, b->memory, 4096);
	BAD(-E2BIG, b->memory, limits.max_job_memory + 1);
	BAD(-E2BIG, b->memory, ~0ULL);
	BAD(-EINVAL, b->fragment, PTR(m));
	BAD(-EINVAL, b->fragment_size, 8);
	BAD(-EINVAL, b->work_registers, m->arch->tags ? 17 : 1);
	BAD(-EINVAL, b->fp_mode, m->arch->tags ? 4 : 1);
	b->memory = limits.max_job_memory;
	EXPECT_EQ(0, vst_mali_run(m));
	b->memory = 1 << 20;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(vst_mali_reversed(m, 2, 9));
}

TEST_F(mali, bad_fragment)
{
	struct drm_vshader_mali_target targets[9] = {};
	struct drm_vshader_mali_fragment f = { .width = 4, .height = 4 };
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_program(m, &m->arch->rcp, DRM_VSHADER_STAGE_FRAGMENT));
	vst_mali_job(m, 0, 0);
	push(m, (const __u32[]){ MALI_OUT_VA, 0, 0x40800000, 0 }, 4);
	m->block.preload = 0;
	EXPECT_EQ(VST_SUBMIT_ERROR(-EINVAL), vst_mali_run(m));
	m->block.fragment = PTR(&f);
	m->block.fragment_size = sizeof(f);
	f.targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, targets);
	BAD(-EINVAL, m->block.fragment_size, sizeof(f) - 8);
	BAD(-EFAULT, m->block.fragment, BAD_PTR);
	BAD(-EINVAL, f.pad, 1);
	BAD(-EINVAL, f.pad2, 1);
	BAD(-EINVAL, f.blend_base, 0x100000001ULL);
	BAD(-EINVAL, f.stencil.blend[1], 1);
	BAD(-EINVAL, f.depth.blend[0], 1);
	BAD(-EINVAL, f.depth.blend[3], 1);
	BAD(-EFAULT, f.targets.array, BAD_PTR);
	BAD(-E2BIG, f.targets.count, 9);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(0x3e800000, m->out.u32[0]);
	/* a number of samples that no GPU has */
	f.samples = 5;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
	f.samples = 0;
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	m->j.job.queue_id = m->queue;
	/* a rectangle with odd corners is reported when the job runs */
	f.x = 1;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
}

/* Number of pixels that are @v, from the word on. */
static unsigned int pixels(const struct vst_mali *m, unsigned int from, __u32 v)
{
	unsigned int i, n = 0;

	for (i = 0; i < 64; i++)
		n += m->out.u32[from + i] == v;
	return n;
}

#define RGBA8		(187 << 12)
#define TILE_RGBA8	(237 << 12 | 1 << 24)
#define SECOND		0x1000

TEST_F(bifrost, blend_program)
{
	struct drm_vshader_mali_target targets[2] = {
		{ .va = MALI_OUT_VA, .row_stride = 32, .order = 2, .format = RGBA8,
		  .blend = { 0x200, 0, MALI_TARGETS_BACK, (__u32)MALI_CODE_VA } },
		{ .va = MALI_OUT_VA + SECOND, .row_stride = 32, .order = 2, .format = RGBA8,
		  .blend = { 0x200, 0, 1 | 1 << 16, TILE_RGBA8 } },
	};
	struct drm_vshader_mali_fragment f = {
		.width = 8, .height = 8, .blend_base = MALI_CODE_VA & ~0xffffffffULL,
	};
	static const __u32 colour[4] = { 0x3f800000, 0x3f000000, 0x3e800000, 0x3f400000 };
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_program(m, &vst_mali_targets, DRM_VSHADER_STAGE_FRAGMENT));
	vst_mali_job(m, 0, 0);
	m->block.preload = 0x3e00;
	push(m, colour, 4);
	memcpy(m->code.map, vst_mali_minus.words, 4 * vst_mali_minus.n);
	f.targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(2, targets);
	m->block.fragment = PTR(&f);
	m->block.fragment_size = sizeof(f);
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(64, pixels(m, 0, 0x004080ff));
	EXPECT_EQ(64, pixels(m, SECOND / 4, 0xff4080bf));
	EXPECT_EQ(64, m->result->invocations);
	/* address 0 ends threads */
	targets[0].blend[2] = 0;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(64, pixels(m, 0, 0x004080ff));
	EXPECT_EQ(64, pixels(m, SECOND / 4, 0));
	/* not a return address */
	targets[0].blend[2] = 0x50;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, m->result->fault.kind);
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	vst_mali_job(m, 0, 0);
	push(m, colour, 4);
	m->block.fragment = PTR(&f);
	m->block.fragment_size = sizeof(f);
	/* no program */
	targets[0].blend[3] = (__u32)MALI_NOWHERE_VA;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, m->result->fault.kind);
	EXPECT_EQ(MALI_NOWHERE_VA, m->result->fault.address);
}

/* Each sample has its own pixels; the mask selects the covered ones. */
TEST_F(bifrost, samples)
{
	struct drm_vshader_mali_target targets[2] = {
		{ .va = MALI_OUT_VA, .row_stride = 32, .order = 2, .format = RGBA8,
		  .sample_stride = 256, .blend = { 0x200, 0, 1, TILE_RGBA8 } },
		{ .blend = { 0x200, 0, 1 | 1 << 16, TILE_RGBA8 } },
	};
	struct drm_vshader_mali_fragment f = {
		.width = 8, .height = 8, .samples = 4, .sample_mask = 5,
	};
	static const __u32 colour[4] = { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000 };
	struct vst_mali *m = &self->m;
	unsigned int s;

	ASSERT_EQ(0, vst_mali_program(m, &vst_mali_targets, DRM_VSHADER_STAGE_FRAGMENT));
	vst_mali_job(m, 0, 0);
	m->block.preload = 0x3e00;
	push(m, colour, 4);
	f.targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(2, targets);
	m->block.fragment = PTR(&f);
	m->block.fragment_size = sizeof(f);
	EXPECT_EQ(0, vst_mali_run(m));
	for (s = 0; s < 4; s++)
		EXPECT_EQ(64, pixels(m, 64 * s, s & 1 ? 0 : ~0U));
	EXPECT_EQ(64, m->result->invocations);
	/* a thread per sample; uncovered ones are helpers */
	f.flags = DRM_VSHADER_MALI_FRAG_PER_SAMPLE;
	EXPECT_EQ(0, vst_mali_run(m));
	for (s = 0; s < 4; s++)
		EXPECT_EQ(64, pixels(m, 64 * s, s & 1 ? 0 : ~0U));
	EXPECT_EQ(128, m->result->invocations);
}

#define MIDGARD_RGBA8	(RGBA8 | 0x688)
#define MIDGARD_REPLACE	0xf0122122U
#define MIDGARD_OLD	0x40302010U

/* A program xors with the first target's bits, the blend unit replaces the second's colours. */
TEST_F(midgard, blend_program)
{
	struct drm_vshader_mali_target targets[2] = {
		{ .va = MALI_IN_VA, .row_stride = 32, .order = 2, .format = MIDGARD_RGBA8,
		  .blend = { 0x202, 0, (__u32)MALI_CODE_VA | 5, MALI_CODE_VA >> 32 } },
		{ .va = MALI_OUT_VA, .row_stride = 32, .order = 2, .format = MIDGARD_RGBA8,
		  .blend = { 0x200, 0, MIDGARD_REPLACE, 0 } },
	};
	struct drm_vshader_mali_fragment f = { .width = 8, .height = 8 };
	static const __u32 push_words[8] = { 0x44332211, 0, 0, 0, 0x3f800000, 0, 0, 0x3f800000 };
	struct vst_mali *m = &self->m;
	unsigned int i, bad = 0;

	for (i = 0; i < 64; i++)
		m->in.u32[i] = MIDGARD_OLD;
	ASSERT_EQ(0, vst_mali_program(m, &vst_midgard_targets, DRM_VSHADER_STAGE_FRAGMENT));
	vst_mali_job(m, 0, 0);
	push(m, push_words, 8);
	memcpy(m->code.map, vst_midgard_xor.words, 4 * vst_midgard_xor.n);
	f.targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(2, targets);
	m->block.fragment = PTR(&f);
	m->block.fragment_size = sizeof(f);
	EXPECT_EQ(0, vst_mali_run(m));
	for (i = 0; i < 64; i++)
		bad += m->in.u32[i] != (MIDGARD_OLD ^ 0x44332211);
	EXPECT_EQ(0, bad);
	EXPECT_EQ(64, pixels(m, 0, 0xff0000ff));
	/* alpha of the first write is of no use: nothing passes, and no program is called */
	f.flags = DRM_VSHADER_MALI_FRAG_ALPHA_TEST;
	f.alpha_func = 4;
	f.alpha_ref = 0x3f000000;
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_EQ(64, pixels(m, 0, 0));
	EXPECT_EQ(MIDGARD_OLD ^ 0x44332211, m->in.u32[5]);
	/* another tag than the program's */
	f.flags = 0;
	targets[0].blend[2] ^= 1;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, m->result->fault.kind);
	EXPECT_EQ(MALI_CODE_VA, m->result->fault.address);
}

TEST_F(mali, address_space)
{
	struct drm_vshader_queue_create arg = {
		.engine = variant->arch->engine,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
	};

	ASSERT_EQ(0, vst_vm_create(self->m.fd, 0, &arg.vm_id));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->m.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg));
}

/* Everything far above 4 GiB. */
TEST_F(mali, high_addresses)
{
	const __u64 from = 0x123456789000ULL, to = 0x7ffff0000000ULL;
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->in.handle, 0, from, m->in.size, 0));
	ASSERT_EQ(0, vst_map(m->fd, m->vm, m->out.handle, 0, to, m->out.size, 0));
	ASSERT_EQ(0, make_copy(m, from, to, 64));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(copied(m, 32));
}

TEST_F(mali, programs_rejected)
{
	static const __u32 garbage[8] = { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff };
	struct vst_mali *m = &self->m;
	const struct vst_mali_code cut = { m->arch->copy.words, m->arch->copy.n - 4 };

	EXPECT_EQ(-ENOEXEC, vst_mali_program(m, &(struct vst_mali_code){ garbage, 8 },
					     DRM_VSHADER_STAGE_COMPUTE));
	EXPECT_EQ(-EINVAL, vst_mali_program(m, &m->arch->copy, DRM_VSHADER_STAGE_GEOMETRY));
	/* part of a quad; the last quad is missing */
	EXPECT_GT(0, vst_mali_program(m, &(struct vst_mali_code){ m->arch->copy.words, 6 },
				      DRM_VSHADER_STAGE_COMPUTE));
	EXPECT_EQ(-ENOEXEC, vst_mali_program(m, &cut, DRM_VSHADER_STAGE_COMPUTE));
}

TEST_F(mali, program_query)
{
	struct drm_vshader_program_info info;
	struct drm_vshader_program_query query = { .size = sizeof(info), .pointer = PTR(&info) };
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_program(m, &m->arch->reverse, DRM_VSHADER_STAGE_COMPUTE));
	query.id = m->program;
	ASSERT_EQ(0, vst_ioctl(m->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &query));
	EXPECT_EQ(m->arch->engine, info.engine);
	EXPECT_EQ(DRM_VSHADER_STAGE_COMPUTE, info.stage);
	EXPECT_LE(4 * m->arch->reverse.n, info.memory);
}

/* Engines do not take each other's queues, programs and blocks. */
TEST_F(mali, engines_apart)
{
	struct vst_mali *m = &self->m;
	__u32 vm, pica, id;

	ASSERT_EQ(0, make_reverse(m, 1, 1));
	ASSERT_EQ(0, vst_vm_create(m->fd, 0, &vm));
	ASSERT_EQ(0, vst_queue(m->fd, vm, 0, 0, &pica));
	BAD(-EINVAL, m->j.job.queue_id, pica);
	ASSERT_EQ(0, vst_program(m->fd, &vst_mov, &id));
	BAD(-EINVAL, m->j.shader.program, id);
	EXPECT_EQ(0, vst_mali_run(m));
}

/* ---- faults ---- */

TEST_F(mali, unmapped_read)
{
	const struct drm_vshader_fault *f = &self->m.result->fault;
	struct vst_mali *m = &self->m;
	struct drm_vshader_queue_get_state st;

	/* the fifth thread is the first that reads past the end */
	ASSERT_EQ(0, make_copy(m, MALI_IN_VA + m->in.size - 16, MALI_OUT_VA, 16));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(-EIO, m->result->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(m->arch->engine, f->engine);
	EXPECT_EQ(MALI_IN_VA + m->in.size, f->address);
	EXPECT_EQ(4, f->size);
	EXPECT_EQ(m->arch->copy_load, f->pc);
	EXPECT_EQ(4, f->invocation);
	ASSERT_EQ(0, vst_queue_state(m->fd, m->queue, &st));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_FAULT, st.state);
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, st.fault.kind);
	EXPECT_EQ(MALI_IN_VA + m->in.size, st.fault.address);
	/* the queue is banned, another one is not */
	EXPECT_EQ(VST_SUBMIT_ERROR(-EIO), vst_mali_run(m));
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	ASSERT_EQ(0, make_copy(m, MALI_IN_VA, MALI_OUT_VA, 16));
	EXPECT_EQ(0, vst_mali_run(m));
	EXPECT_TRUE(copied(m, 16));
}

TEST_F(mali, unmapped_write)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_copy(m, MALI_IN_VA, MALI_NOWHERE_VA, 8));
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, m->result->fault.kind);
	EXPECT_EQ(MALI_NOWHERE_VA, m->result->fault.address);
	EXPECT_EQ(m->arch->copy_store, m->result->fault.pc);
	EXPECT_EQ(0, m->result->fault.invocation);
}

/* Addresses of the device's own memory, and invalid ones. */
TEST_F(mali, far_addresses)
{
	static const __u64 far[] = {
		0, 1ULL << 47, 1ULL << 48, 1ULL << 56, 1ULL << 60, 1ULL << 63, ~0xfULL,
	};
	struct vst_mali *m = &self->m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(far); i++) {
		ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
		ASSERT_EQ(0, make_copy(m, far[i], MALI_OUT_VA, 1));
		EXPECT_EQ(-EIO, vst_mali_run(m));
		EXPECT_EQ(DRM_VSHADER_FAULT_READ, m->result->fault.kind);
		EXPECT_EQ(far[i], m->result->fault.address);
	}
}

/*
 * A Bifrost workgroup's memory has the size in the job, even if the following addresses
 * are mapped.
 */
TEST_F(mali, workgroup_memory)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 1, 1));
	m->block.wls_size = 4 * MALI_LOCAL - 4;
	if (m->arch->wls_ends) {
		EXPECT_EQ(-EIO, vst_mali_run(m));
		EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, m->result->fault.kind);
		EXPECT_EQ(MALI_WLS_VA + 4 * MALI_LOCAL - 4, m->result->fault.address);
		EXPECT_EQ(MALI_LOCAL - 1, m->result->fault.invocation);
	} else {
		/* it is where addresses lead to */
		EXPECT_EQ(0, vst_mali_run(m));
		EXPECT_TRUE(vst_mali_reversed(m, 1, 1));
	}
	/* nor at unmapped addresses */
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	ASSERT_EQ(0, make_reverse(m, 1, 1));
	m->block.wls_va = MALI_NOWHERE_VA;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, m->result->fault.kind);
	EXPECT_EQ(MALI_NOWHERE_VA, m->result->fault.address);
}

/* Tables are read when the job runs. */
TEST_F(mali, tables)
{
	struct vst_mali *m = &self->m;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		struct drm_vshader_mali_table *t[] = {
			&m->block.ubos, &m->block.push, &m->block.attributes,
			&m->block.varyings, &m->block.textures, &m->block.samplers,
		};

		ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
		ASSERT_EQ(0, make_reverse(m, 1, 1));
		*t[i] = (struct drm_vshader_mali_table){ .va = MALI_NOWHERE_VA, .count = 4 };
		/* textures and samplers that the program does not use are not missed */
		if (i >= 4) {
			EXPECT_EQ(0, vst_mali_run(m));
			EXPECT_TRUE(vst_mali_reversed(m, 1, 1));
			continue;
		}
		EXPECT_EQ(-EIO, vst_mali_run(m));
		EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
		EXPECT_EQ(REASON_UNMAPPED, m->result->fault.code);
		EXPECT_EQ(MALI_NOWHERE_VA, m->result->fault.address) {
			TH_LOG("table %u", i);
		}
	}
}

TEST_F(mali, group_sizes)
{
	static const __u32 sizes[][3] = {
		{ 0, 1, 1 }, { 1, 1, 0 }, { 4096, 1, 1 }, { 1, 1, NEVER }, { 65536, 65536, 1 },
	};
	struct vst_mali *m = &self->m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
		ASSERT_EQ(0, make_reverse(m, 1, 1));
		memcpy(m->block.local, sizes[i], sizeof(m->block.local));
		EXPECT_EQ(-EIO, vst_mali_run(m));
		EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, m->result->fault.kind);
		EXPECT_EQ(REASON_GROUP, m->result->fault.code);
	}
}

/* G71 does not have the operation, the others do. */
TEST_F(bifrost, other_gpu)
{
	struct vst_mali *m = &self->m;
	__u32 gpu;

	ASSERT_EQ(0, vst_mali_program(m, &vst_mali_rsq, DRM_VSHADER_STAGE_COMPUTE));
	for (gpu = DRM_VSHADER_MALI_G71; gpu <= DRM_VSHADER_MALI_G52; gpu++) {
		ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
		vst_mali_job(m, 1, 1);
		push(m, (const __u32[]){ MALI_OUT_VA, 0, 0x41800000, 0 }, 4);
		m->block.gpu = gpu;
		if (gpu == DRM_VSHADER_MALI_G71) {
			EXPECT_EQ(-EIO, vst_mali_run(m));
			EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, m->result->fault.kind);
			EXPECT_EQ(0, m->result->fault.pc);
		} else {
			EXPECT_EQ(0, vst_mali_run(m));
			EXPECT_EQ(0x3e800000, m->out.u32[0]);
		}
	}
}

/* Less thread or workgroup memory than the job requires. */
TEST_F(mali, job_memory)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_reverse(m, 1, 1));
	m->block.memory = 1 << 20;
	m->block.textures.va = MALI_DESC_VA;
	m->block.textures.count = 65535;
	EXPECT_EQ(-EIO, vst_mali_run(m));
	EXPECT_NE(DRM_VSHADER_FAULT_NONE, m->result->fault.kind);
	EXPECT_EQ(0, vst_alive());
}

/* ---- limits ---- */

TEST_F(mali, budget)
{
	struct drm_vshader_queue_get_state st;
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_queue(m, 100000, 0));
	ASSERT_EQ(0, make_spin(m));
	EXPECT_EQ(-ETIME, vst_mali_run(m));
	EXPECT_EQ(-ETIME, m->result->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_BUDGET, m->result->fault.kind);
	EXPECT_LT(100000, m->result->weight);
	EXPECT_GT(200000, m->result->weight);
	ASSERT_EQ(0, vst_queue_state(m->fd, m->queue, &st));
	EXPECT_EQ(DRM_VSHADER_QUEUE_STATE_TIMEDOUT, st.state);
}

TEST_F(mali, timeout)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, vst_mali_queue(m, 0, 50));
	ASSERT_EQ(0, make_spin(m));
	EXPECT_EQ(-ETIME, vst_mali_run(m));
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, m->result->fault.kind);
	EXPECT_EQ(-ETIME, m->result->status);
}

TEST_F(mali, destroy_while_running)
{
	ASSERT_EQ(0, make_spin(&self->m));
	EXPECT_EQ(-ECANCELED, vst_mali_cancel(&self->m));
	EXPECT_EQ(0, vst_alive());
}

TEST_F(mali, close_while_running)
{
	struct vst_mali *m = &self->m;

	ASSERT_EQ(0, make_spin(m));
	ASSERT_EQ(0, vst_submit(m->fd, &m->j));
	usleep(5000);
	close(m->fd);
	m->fd = vst_open();
	ASSERT_LE(0, m->fd);
	EXPECT_EQ(0, vst_alive());
}

/* One queue's endless job does not hold up another's. */
TEST_F(mali, two_queues)
{
	struct vst_mali *m = &self->m;
	__u32 spinning, handle, program;
	int i;

	ASSERT_EQ(0, make_spin(m));
	program = m->program;
	ASSERT_EQ(0, vst_syncobj(m->fd, &handle));
	vst_job_sync(&m->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	m->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
	m->j.job.result_va = 0;
	ASSERT_EQ(0, vst_submit(m->fd, &m->j));
	spinning = m->queue;
	m->queue = 0;
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, make_reverse(m, 10, i));
		m->j.job.flags = DRM_VSHADER_JOB_NO_IMPLICIT_SYNC;
		EXPECT_EQ(0, vst_mali_run(m));
		EXPECT_TRUE(vst_mali_reversed(m, 10, i));
	}
	EXPECT_EQ(1, vst_fence_status(m->fd, handle));
	/* programs may go before the jobs that use them */
	EXPECT_EQ(0, vst_program_destroy(m->fd, program));
	ASSERT_EQ(0, vst_queue_destroy(m->fd, spinning));
	EXPECT_EQ(0, vst_wait(m->fd, handle, 10000 * vst_scale()));
	EXPECT_EQ(-ECANCELED, vst_fence_status(m->fd, handle));
}

TEST_HARNESS_MAIN
