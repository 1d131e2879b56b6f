// SPDX-License-Identifier: GPL-2.0
/*
 * Programs: PROGRAM_CREATE with the verifier's verdicts, PROGRAM_QUERY,
 * PROGRAM_DESTROY.
 */
#include "vshader_test.h"

FIXTURE(program) {
	int fd;
	struct drm_vshader_limits limits;
	struct drm_vshader_program_create arg;
	struct drm_vshader_program_section sec[3];
	__u32 entry[2];
};

FIXTURE_SETUP(program)
{
	OPEN_OR_SKIP(return, self->fd);
	ASSERT_EQ(0, vst_limits(self->fd, &self->limits));
	vst_program_args(&vst_mov, &self->arg, self->sec);
	self->arg.entries = PTR(self->entry);
}

FIXTURE_TEARDOWN(program)
{
	close(self->fd);
}

/* Create a program from self->arg; destroy it again. */
static int create(FIXTURE_DATA(program) *self)
{
	int ret = vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &self->arg);

	if (!ret)
		vst_program_destroy(self->fd, self->arg.id);
	return ret;
}

static int create_words(FIXTURE_DATA(program) *self, const __u32 *code, __u32 n)
{
	self->sec[0].data = PTR(code);
	self->sec[0].size = 4ULL * n;
	memset(&self->arg.reject, 0xa5, sizeof(self->arg.reject));
	return create(self);
}

TEST_F(program, create_query_destroy)
{
	struct drm_vshader_program_info info;
	struct drm_vshader_program_query q = { .pointer = PTR(&info), .size = sizeof(info) };

	memset(&info, 0xa5, sizeof(info));
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &self->arg));
	EXPECT_NE(0, self->arg.id);
	q.id = self->arg.id;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	EXPECT_EQ(sizeof(info), q.size);
	EXPECT_EQ(DRM_VSHADER_ENGINE_PICA, info.engine);
	EXPECT_EQ(DRM_VSHADER_STAGE_VERTEX, info.stage);
	EXPECT_EQ(0, info.features);
	EXPECT_EQ(2, info.code_words);
	EXPECT_EQ(2, info.reachable_words);
	EXPECT_LE(2, info.uops);
	EXPECT_LE(8, info.slots);
	EXPECT_GE(512, info.slots);
	EXPECT_EQ(1, info.inputs);
	EXPECT_EQ(1, info.outputs);
	EXPECT_EQ(0, info.temps);
	EXPECT_EQ(0, info.uniform_rows);
	EXPECT_EQ(0, info.const_bools);
	EXPECT_EQ(0, info.const_ints);
	EXPECT_LT(0, info.memory);
	EXPECT_EQ(0, vst_program_destroy(self->fd, self->arg.id));
	EXPECT_EQ(-ENOENT, vst_program_destroy(self->fd, self->arg.id));
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
}

static int info_of(int fd, const struct vst_code *c, struct drm_vshader_program_info *info)
{
	struct drm_vshader_program_query q = { .pointer = PTR(info), .size = sizeof(*info) };
	int ret = vst_program(fd, c, &q.id);

	if (!ret)
		ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q);
	return ret;
}

TEST_F(program, resource_report)
{
	struct drm_vshader_program_info i;

	ASSERT_EQ(0, info_of(self->fd, &vst_mad, &i));
	EXPECT_EQ(1, i.inputs);
	EXPECT_EQ(1, i.temps);
	EXPECT_EQ(2, i.uniform_rows);
	EXPECT_EQ(0, i.features);

	ASSERT_EQ(0, info_of(self->fd, &vst_two, &i));
	EXPECT_EQ(3, i.outputs);

	ASSERT_EQ(0, info_of(self->fd, &vst_loop, &i));
	EXPECT_EQ(1, i.const_ints);
	EXPECT_EQ(DRM_VSHADER_PROG_LOOP, i.features & DRM_VSHADER_PROG_LOOP);
	EXPECT_EQ(0, i.inputs);

	ASSERT_EQ(0, info_of(self->fd, &vst_spin, &i));
	EXPECT_EQ(1, i.const_bools);
	EXPECT_EQ(DRM_VSHADER_PROG_FLOW, i.features & DRM_VSHADER_PROG_FLOW);
	EXPECT_EQ(0, i.features & DRM_VSHADER_PROG_DIVERGES);

	ASSERT_EQ(0, info_of(self->fd, &vst_relative, &i));
	EXPECT_EQ(DRM_VSHADER_PROG_RELATIVE, i.features & DRM_VSHADER_PROG_RELATIVE);
	EXPECT_EQ(96, i.uniform_rows);

	ASSERT_EQ(0, info_of(self->fd, &vst_diverge, &i));
	EXPECT_EQ(DRM_VSHADER_PROG_DIVERGES, i.features & DRM_VSHADER_PROG_DIVERGES);
	EXPECT_EQ(3, i.uniform_rows);

	ASSERT_EQ(0, info_of(self->fd, &vst_triangle, &i));
	EXPECT_EQ(DRM_VSHADER_STAGE_GEOMETRY, i.stage);
	EXPECT_EQ(DRM_VSHADER_PROG_EMIT, i.features & DRM_VSHADER_PROG_EMIT);
}

TEST_F(program, query_buffer_sizes)
{
	__u8 buf[256], full[256];
	struct drm_vshader_program_query q = { 0 };
	unsigned int i, dirty = 0;

	ASSERT_EQ(0, vst_program(self->fd, &vst_mov, &q.id));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	EXPECT_EQ(sizeof(struct drm_vshader_program_info), q.size);
	q.pointer = PTR(full);
	q.size = sizeof(full);
	memset(full, 0xa5, sizeof(full));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	EXPECT_EQ(sizeof(struct drm_vshader_program_info), q.size);
	for (i = q.size; i < sizeof(full); i++)
		dirty += full[i] != 0;
	EXPECT_EQ(0, dirty);
	q.pointer = PTR(buf);
	q.size = 20;
	memset(buf, 0xa5, sizeof(buf));
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	EXPECT_EQ(0, memcmp(buf, full, 20));
	EXPECT_EQ(0xa5, buf[20]);
	q.pointer = BAD_PTR;
	q.size = 64;
	EXPECT_EQ(-EFAULT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	q.id = NEVER;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
	q.id = 0;
	EXPECT_EQ(-ENOENT, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q));
}

TEST_F(program, destroy_bad_fields)
{
	struct drm_vshader_program_destroy d = { .pad = 1 };

	ASSERT_EQ(0, vst_program(self->fd, &vst_mov, &d.id));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_DESTROY, &d));
	d.pad = 0;
	EXPECT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_PROGRAM_DESTROY, &d));
	EXPECT_EQ(-ENOENT, vst_program_destroy(self->fd, 0));
	EXPECT_EQ(-ENOENT, vst_program_destroy(self->fd, NEVER));
}

TEST_F(program, bad_fields)
{
	const struct drm_vshader_program_create good = self->arg;

#define BAD(err, field, value) do {				\
	self->arg = good;					\
	self->arg.field = (value);				\
	EXPECT_EQ((err), create(self))				\
		TH_LOG("%s = %s", #field, #value);		\
} while (0)
	BAD(-EINVAL, engine, 6);
	BAD(-EINVAL, engine, NEVER);
	BAD(-EINVAL, stage, DRM_VSHADER_STAGE_FRAGMENT);
	BAD(-EINVAL, stage, 4);
	BAD(-EINVAL, stage, NEVER);
	BAD(-EINVAL, flags, 1);
	BAD(-EINVAL, flags, 1u << 31);
	BAD(-EFAULT, sections.array, BAD_PTR);
	BAD(-EINVAL, sections.stride, 8);
	BAD(-EINVAL, sections.stride, 0);
	BAD(-EINVAL, sections.count, 0);
	BAD(-EFAULT, entries, BAD_PTR);
	BAD(-EINVAL, num_entries, 0);
	BAD(-E2BIG, num_entries, self->limits.max_entries + 1);
	BAD(-E2BIG, num_entries, NEVER);
#undef BAD
	self->arg = good;
	self->arg.sections.count = NEVER;
	EXPECT_TRUE(create(self) < 0);
	self->arg = good;
	EXPECT_EQ(0, create(self));
}

TEST_F(program, bad_sections)
{
	struct drm_vshader_program_section good[2] = { self->sec[0], self->sec[1] };

#define BAD(err, n, field, value) do {				\
	memcpy(self->sec, good, sizeof(good));			\
	self->sec[n].field = (value);				\
	EXPECT_EQ((err), create(self))				\
		TH_LOG("%d.%s = %s", n, #field, #value);	\
} while (0)
	BAD(-EINVAL, 0, type, 2);
	BAD(-EINVAL, 0, type, NEVER);
	/* twice, and none of the mandatory one */
	BAD(-EINVAL, 0, type, DRM_VSHADER_SECTION_OPDESC);
	BAD(-EINVAL, 1, type, DRM_VSHADER_SECTION_CODE);
	BAD(-EINVAL, 0, pad, 1);
	BAD(-EINVAL, 0, size, 6);
	BAD(-EINVAL, 0, size, 0);
	BAD(-E2BIG, 0, size, self->limits.max_code_size + 4ULL);
	BAD(-E2BIG, 0, size, ~0ULL & ~3ULL);
	BAD(-EFAULT, 0, data, BAD_PTR);
	BAD(-EFAULT, 1, data, BAD_PTR);
#undef BAD
	memcpy(self->sec, good, sizeof(good));
	self->arg.sections.count = 1;
	self->arg.sections.array = PTR(&self->sec[1]);
	EXPECT_EQ(-EINVAL, create(self));
}

/* Callers of a later version: longer elements, with or without news in them. */
TEST_F(program, longer_sections)
{
	struct {
		struct drm_vshader_program_section s;
		__u64 later;
	} sec[2] = { { .s = self->sec[0] }, { .s = self->sec[1] } };

	self->arg.sections.array = PTR(sec);
	self->arg.sections.stride = sizeof(sec[0]);
	EXPECT_EQ(0, create(self));
	sec[1].later = 1ULL << 63;
	EXPECT_EQ(-E2BIG, create(self));
}

TEST_F(program, entries)
{
	self->entry[0] = 2;
	EXPECT_NE(0, create(self));
	self->entry[0] = NEVER;
	EXPECT_NE(0, create(self));
	self->entry[0] = 1;
	EXPECT_EQ(0, create(self));
	self->entry[1] = 0;
	self->arg.num_entries = 2;
	EXPECT_EQ(0, create(self));
}

/* Every opcode without an operation, with the location of the bad field. */
TEST_F(program, undefined_opcodes)
{
	static const __u8 op[] = {
		0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1c, 0x1d, 0x1e, 0x1f,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op); i++) {
		const __u32 code[] = { P0(PICA_NOP), P0(op[i]), P0(PICA_END) };

		EXPECT_EQ(-ENOEXEC, create_words(self, code, 3))
			TH_LOG("opcode %x", op[i]);
		EXPECT_NE(0, self->arg.reject.reason);
		EXPECT_EQ(DRM_VSHADER_SECTION_CODE, self->arg.reject.section);
		EXPECT_EQ(1, self->arg.reject.offset);
		EXPECT_EQ(26, self->arg.reject.field_lo);
		EXPECT_EQ(31, self->arg.reject.field_hi);
		EXPECT_EQ(op[i], self->arg.reject.value);
		EXPECT_EQ(0, self->arg.reject.pad);
	}
}

/* No id, and no leaked object. */
TEST_F(program, rejected_leaves_nothing)
{
	const __u32 code[] = { P0(PICA_UNDEF), P0(PICA_END) };
	unsigned int i;
	__u32 id;

	for (i = 0; i < 4 * self->limits.max_objects && i < 10000; i++)
		ASSERT_EQ(-ENOEXEC, create_words(self, code, 2));
	EXPECT_EQ(0, vst_program(self->fd, &vst_mov, &id));
}

TEST_F(program, branch_out_of_the_program)
{
	const __u32 code[] = { P2(PICA_JMPC, 1, 0, 2, 100, 0), P0(PICA_NOP), P0(PICA_END) };

	EXPECT_EQ(-ENOEXEC, create_words(self, code, 3));
	EXPECT_NE(0, self->arg.reject.reason);
	EXPECT_EQ(0, self->arg.reject.offset);
	EXPECT_EQ(10, self->arg.reject.field_lo);
	EXPECT_EQ(21, self->arg.reject.field_hi);
	EXPECT_EQ(100, self->arg.reject.value);
}

TEST_F(program, missing_descriptor)
{
	const __u32 code[] = { P1(PICA_MOV, PD_O(0), PS_V(0), 0, 1), P0(PICA_END) };

	EXPECT_EQ(-ENOEXEC, create_words(self, code, 2));
	EXPECT_NE(0, self->arg.reject.reason);
	EXPECT_EQ(0, self->arg.reject.offset);
	EXPECT_EQ(0, self->arg.reject.field_lo);
	EXPECT_EQ(6, self->arg.reject.field_hi);
	EXPECT_EQ(1, self->arg.reject.value);
	EXPECT_EQ(1, self->arg.reject.limit);
}

TEST_F(program, undefined_condition)
{
	const __u32 code[] = { PCMP(6, 0, PS_C(0), PS_V(0), 0), P0(PICA_END) };

	EXPECT_EQ(-ENOEXEC, create_words(self, code, 2));
	EXPECT_EQ(24, self->arg.reject.field_lo);
	EXPECT_EQ(26, self->arg.reject.field_hi);
	EXPECT_EQ(6, self->arg.reject.value);
}

TEST_F(program, emit_in_a_vertex_program)
{
	const __u32 code[] = { P0(PICA_EMIT), P0(PICA_END) };

	EXPECT_EQ(-ENOEXEC, create_words(self, code, 2));
	EXPECT_EQ(0, self->arg.reject.offset);
	self->arg.stage = DRM_VSHADER_STAGE_GEOMETRY;
	EXPECT_EQ(0, create_words(self, code, 2));
}

/* At most 4096 words; a bad word at the end is found, or is unreachable. */
TEST_F(program, longest)
{
	static __u32 code[4097];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(code); i++)
		code[i] = P0(PICA_NOP);
	code[4095] = P0(PICA_END);
	EXPECT_EQ(0, create_words(self, code, 4096));
	EXPECT_EQ(-E2BIG, create_words(self, code, 4097));
	code[0] = P0(PICA_END);
	code[4000] = P0(PICA_UNDEF);
	i = create_words(self, code, 4096) == 0;
	if (!i)
		EXPECT_EQ(4000, self->arg.reject.offset);
}

TEST_F(program, log)
{
	const __u32 bad[] = { P0(PICA_NOP), P0(PICA_UNDEF), P0(PICA_END) };
	char log[512];
	__u32 full;

	memset(log, 0xa5, sizeof(log));
	self->arg.log = PTR(log);
	self->arg.log_size = sizeof(log);
	EXPECT_EQ(-ENOEXEC, create_words(self, bad, 3));
	full = self->arg.log_size;
	ASSERT_LT(1, full);
	ASSERT_GE(sizeof(log), full);
	EXPECT_EQ(0, log[full - 1]);
	EXPECT_EQ(full - 1, strlen(log));

	/* a smaller buffer gets a prefix, still terminated */
	memset(log, 0xa5, sizeof(log));
	self->arg.log_size = 8;
	EXPECT_EQ(-ENOEXEC, create_words(self, bad, 3));
	EXPECT_GE(8, self->arg.log_size);
	EXPECT_EQ((char)0xa5, log[8]);
	EXPECT_NE(NULL, memchr(log, 0, 8));

	/* no room at all, and a bad pointer */
	self->arg.log_size = 0;
	EXPECT_EQ(-ENOEXEC, create_words(self, bad, 3));
	self->arg.log = BAD_PTR;
	self->arg.log_size = 100;
	EXPECT_EQ(-EFAULT, create_words(self, bad, 3));
	self->arg.log = PTR(log);
	self->arg.log_size = NEVER;
	memset(log, 0xa5, sizeof(log));
	EXPECT_EQ(-ENOEXEC, create_words(self, bad, 3));
	EXPECT_GE(sizeof(log), self->arg.log_size);
}

TEST_F(program, limits)
{
	unsigned int n = 0;
	int ret = 0;
	__u32 id;

	while (n <= self->limits.max_objects && !ret) {
		ret = vst_program(self->fd, &vst_mov, &id);
		n += !ret;
	}
	EXPECT_EQ(-E2BIG, ret);
	EXPECT_EQ(self->limits.max_objects, n);
}

/* The words are copied: changing them later changes nothing. */
TEST_F(program, is_immutable)
{
	__u32 code[] = { P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0), P0(PICA_END) };
	__u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 2, desc, 1 };
	struct vst_job j;
	struct vst t;

	SETUP_OR_SKIP(return, &t, &c);
	memset(code, 0xff, sizeof(code));
	desc[0] = 0;
	vst_default_job(&t, &j);
	EXPECT_EQ(0, vst_run(t.fd, &j));
	EXPECT_EQ(0, memcmp(t.in.map, t.out.map, 16 * VST_COUNT));
	vst_teardown(&t);
}

TEST_HARNESS_MAIN
