// SPDX-License-Identifier: GPL-2.0
/*
 * Contents of the device coredump of a fault.
 */
#include "vshader_test.h"
#include "vst_dump.h"
#include "vst_mali.h"

/* Only memory sections may contain kernel addresses. */
static unsigned int kernel_pointers(const char *dump, size_t size)
{
	struct drm_vshader_dump_section s;
	unsigned int type, n = 0;
	const char *p;
	__u64 i, v;

	for (type = DRM_VSHADER_DUMP_DEVICE; type <= DRM_VSHADER_DUMP_QPUS; type++) {
		p = type == DRM_VSHADER_DUMP_MEMORY ? NULL :
		    vst_dump_section(dump, size, type, &s);
		for (i = 0; p && i + 8 <= s.size; i += 8) {
			memcpy(&v, p + i, sizeof(v));
			/* two words, one of which is ~0, are no pointer */
			n += v >> 47 == 0x1ffff && (__u32)v && v < 0xfffffffffffff000ULL;
		}
	}
	return n;
}

FIXTURE(pica) {
	struct vst t;
	struct vst_job j;
	unsigned int node;
};

FIXTURE_SETUP(pica)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	self->node = vst_dump_minor(self->t.fd);
	vst_dump_drop(self->node);
}

FIXTURE_TEARDOWN(pica)
{
	vst_teardown(&self->t);
}

TEST_F(pica, what_was_submitted)
{
	const struct drm_vshader_shader_job *shader;
	const struct drm_vshader_pica_job *block;
	const struct drm_vshader_dump_queue *queue;
	const struct drm_vshader_dump_job *job;
	const struct drm_vshader_stream *attr;
	struct drm_vshader_dump_section s;
	const void *p;
	size_t size;
	char *dump;

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	self->j.attr[0].va = VA(99);
	ASSERT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	queue = vst_dump_section(dump, size, DRM_VSHADER_DUMP_QUEUE, &s);
	ASSERT_NE(NULL, queue);
	EXPECT_EQ(DRM_VSHADER_ENGINE_PICA, queue->engine);
	EXPECT_EQ((__u32)getpid(), queue->pid);
	job = vst_dump_section(dump, size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	ASSERT_EQ(sizeof(*job), s.size);
	EXPECT_EQ(-EIO, job->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, job->fault.kind);
	EXPECT_EQ(VA(99), job->fault.address);
	shader = vst_dump_section(dump, size, DRM_VSHADER_DUMP_SHADER_JOB, &s);
	ASSERT_NE(NULL, shader);
	EXPECT_EQ(0, shader->engine_block);
	EXPECT_EQ(sizeof(*block), shader->engine_block_size);
	block = vst_dump_section(dump, size, DRM_VSHADER_DUMP_ENGINE_BLOCK, &s);
	ASSERT_NE(NULL, block);
	EXPECT_EQ(self->j.pica.vertices.count, block->vertices.count);
	EXPECT_EQ(0, block->vertices.attributes.array);
	EXPECT_EQ(0, block->vertices.outputs.array);
	EXPECT_EQ(0, block->float_uniforms);
	attr = vst_dump_section(dump, size, DRM_VSHADER_DUMP_ATTRIBUTES, &s);
	ASSERT_NE(NULL, attr);
	EXPECT_EQ(1, s.count);
	EXPECT_EQ(0, memcmp(attr, &self->j.attr[0], sizeof(*attr)));
	p = vst_dump_section(dump, size, DRM_VSHADER_DUMP_CODE, &s);
	ASSERT_NE(NULL, p);
	EXPECT_EQ(vst_mov.ncode * 4, s.size);
	EXPECT_EQ(0, memcmp(p, vst_mov.code, s.size));
	p = vst_dump_section(dump, size, DRM_VSHADER_DUMP_OPDESC, &s);
	ASSERT_NE(NULL, p);
	EXPECT_EQ(0, memcmp(p, vst_mov.desc, s.size));
	EXPECT_EQ(0, kernel_pointers(dump, size));
	free(dump);
}

TEST_F(pica, memory_and_map)
{
	const struct drm_vshader_dump_mapping *m;
	struct drm_vshader_dump_section s;
	size_t size, len, i, n = 0;
	const void *p;
	char *dump;

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	self->j.attr[0].va = VA(99);
	ASSERT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	m = vst_dump_section(dump, size, DRM_VSHADER_DUMP_MAP, &s);
	ASSERT_NE(NULL, m);
	ASSERT_EQ(sizeof(*m), s.size / s.count);
	for (i = 0; i < s.count; i++)
		n += m[i].va == self->t.in.va && m[i].size == self->t.in.size;
	EXPECT_EQ(1, n);
	p = vst_dump_memory(dump, size, self->t.in.va, &len);
	ASSERT_NE(NULL, p);
	EXPECT_EQ(0, memcmp(p, self->t.in.map, len < self->t.in.size ? len : self->t.in.size));
	vst_dump_section(dump, size, DRM_VSHADER_DUMP_MEMORY, &s);
	EXPECT_EQ(0, s.flags & DRM_VSHADER_DUMP_TRUNCATED);
	free(dump);
}

/* Offset of the per-invocation register values. */
static size_t own_values(const char *dump, size_t size)
{
	struct drm_vshader_dump_section s;
	const struct drm_vshader_debug_bank *b;
	size_t i, regs = 0, words = 0;

	b = vst_dump_section(dump, size, DRM_VSHADER_DUMP_BANKS, &s);
	for (i = 0; b && i < s.count; i++) {
		regs += b[i].count;
		if (b[i].flags & DRM_VSHADER_DEBUG_BANK_UNIFORM)
			words += b[i].count * b[i].components;
	}
	return (regs + 63) / 64 * 8 + words * 4;
}

/* The registers of a block that was in a worker. */
TEST_F(pica, registers)
{
	const struct drm_vshader_debug_invocation *inv;
	struct drm_vshader_dump_section s;
	const char *values;
	size_t size, at;
	char *dump;
	float v0[4];

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 10000, 0, &self->j.job.queue_id));
	ASSERT_EQ(0, vst_program(self->t.fd, &vst_spin, &self->j.shader.program));
	self->j.pica.vertices.count = 1;
	ASSERT_EQ(-ETIME, vst_run(self->t.fd, &self->j));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	inv = vst_dump_section(dump, size, DRM_VSHADER_DUMP_INVOCATIONS, &s);
	ASSERT_NE(NULL, inv);
	EXPECT_EQ(1, s.count);
	EXPECT_EQ(0, inv->invocation);
	EXPECT_GT(vst_spin.ncode, inv->pc);
	values = vst_dump_section(dump, size, DRM_VSHADER_DUMP_REGISTERS, &s);
	ASSERT_NE(NULL, values);
	EXPECT_NE(0, s.flags & DRM_VSHADER_DUMP_EXACT);
	at = own_values(dump, size);
	ASSERT_LE(at + sizeof(v0), s.size);
	memcpy(v0, values + at, sizeof(v0));
	EXPECT_EQ(0, memcmp(v0, self->t.in.f32, sizeof(v0)));
	free(dump);
}

/* A dump is kept until it has been read; only then the next one is taken. */
TEST_F(pica, the_first_one_is_kept)
{
	const struct drm_vshader_dump_job *job;
	struct drm_vshader_dump_section s;
	char path[256], *dump;
	size_t size;

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	self->j.attr[0].va = VA(98);
	ASSERT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	ASSERT_TRUE(vst_dump_wait(self->node, path, sizeof(path)));
	ASSERT_EQ(0, vst_queue_destroy(self->t.fd, self->t.queue));
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
	self->j.job.queue_id = self->t.queue;
	self->j.attr[0].va = VA(99);
	ASSERT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	job = vst_dump_section(dump, size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	EXPECT_EQ(VA(98), job->fault.address);
	free(dump);
}

FIXTURE(mali) {
	struct vst_mali m;
	unsigned int node;
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
	self->node = vst_dump_minor(self->m.fd);
	vst_dump_drop(self->node);
}

FIXTURE_TEARDOWN(mali)
{
	close(self->m.fd);
}

static void copy_job(struct vst_mali *m, unsigned int local)
{
	__u32 *push = m->desc.map;

	vst_job_init(&m->j, m->queue, m->program, 1);
	m->j.job.result_va = MALI_RESULT_VA;
	m->j.shader.engine_block = PTR(&m->block);
	m->j.shader.engine_block_size = sizeof(m->block);
	memset(&m->block, 0, sizeof(m->block));
	m->block.gpu = m->arch->gpu;
	m->block.local[0] = local;
	m->block.local[1] = 1;
	m->block.local[2] = 1;
	m->block.groups[0] = 1;
	m->block.groups[1] = 1;
	m->block.groups[2] = 1;
	m->block.preload = m->arch->preload;
	push[0] = (__u32)MALI_NOWHERE_VA;
	push[1] = 0;
	push[2] = (__u32)MALI_OUT_VA;
	push[3] = 0;
	m->block.push.va = MALI_DESC_VA;
	m->block.push.count = 4;
}

/* All invocations of the block, at the instruction at fault. */
TEST_F(mali, registers)
{
	const struct drm_vshader_debug_invocation *inv;
	const struct drm_vshader_dump_job *job;
	struct drm_vshader_dump_section s;
	const __u32 *words;
	size_t size, i;
	char *dump;

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	ASSERT_EQ(0, vst_mali_program(&self->m, &self->m.arch->copy,
				      DRM_VSHADER_STAGE_COMPUTE));
	copy_job(&self->m, 16);
	ASSERT_EQ(-EIO, vst_mali_run(&self->m));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	job = vst_dump_section(dump, size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, job->fault.kind);
	EXPECT_EQ(MALI_NOWHERE_VA, job->fault.address);
	inv = vst_dump_section(dump, size, DRM_VSHADER_DUMP_INVOCATIONS, &s);
	ASSERT_NE(NULL, inv);
	ASSERT_EQ(16, s.count);
	for (i = 0; i < 16; i++) {
		EXPECT_EQ(i, inv[i].invocation);
		EXPECT_EQ(job->fault.pc, inv[i].pc);
	}
	words = vst_dump_section(dump, size, DRM_VSHADER_DUMP_REGISTERS, &s);
	ASSERT_NE(NULL, words);
	EXPECT_EQ(16, s.count);
	EXPECT_EQ(0, kernel_pointers(dump, size));
	EXPECT_NE(NULL, vst_dump_section(dump, size, DRM_VSHADER_DUMP_ENGINE_BLOCK, &s));
	EXPECT_NE(NULL, vst_dump_section(dump, size, DRM_VSHADER_DUMP_CODE, &s));
	free(dump);
}

/* Also of a job that is ended from outside. */
TEST_F(mali, time_limit)
{
	const struct drm_vshader_dump_job *job;
	struct drm_vshader_dump_section s;
	size_t size;
	char *dump;

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	ASSERT_EQ(0, vst_mali_queue(&self->m, 0, 50));
	ASSERT_EQ(0, vst_mali_program(&self->m, &self->m.arch->spin,
				      DRM_VSHADER_STAGE_COMPUTE));
	copy_job(&self->m, 16);
	ASSERT_EQ(-ETIME, vst_mali_run(&self->m));
	dump = vst_dump_take(self->node, &size);
	ASSERT_NE(NULL, dump);
	job = vst_dump_section(dump, size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, job->fault.kind);
	EXPECT_NE(NULL, vst_dump_section(dump, size, DRM_VSHADER_DUMP_INVOCATIONS, &s));
	EXPECT_EQ(16, s.count);
	free(dump);
}

TEST_HARNESS_MAIN
