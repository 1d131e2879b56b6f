// SPDX-License-Identifier: GPL-2.0
/*
 * Attribute and output streams: formats, missing components, strides, index buffers,
 * instances and divisors.
 */
#include "vshader_test.h"

FIXTURE(streams) {
	struct vst t;
	struct vst_job j;
};

FIXTURE_SETUP(streams)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	memset(self->t.in.map, 0, self->t.in.size);
}

FIXTURE_TEARDOWN(streams)
{
	vst_teardown(&self->t);
}

/* o0 of @count vertices, attribute as given. */
static int run(FIXTURE_DATA(streams) *self, __u32 count, __u32 format, __u32 components,
	       __u32 stride)
{
	vst_job_init(&self->j, self->t.queue, self->t.program, count);
	vst_job_attr(&self->j, 0, self->t.in.va, format, components, stride);
	vst_job_out(&self->j, 0, self->t.out.va);
	return vst_run(self->t.fd, &self->j);
}

static void expect_vec(struct __test_metadata *_metadata, const float *v, float x, float y,
		       float z, float w)
{
	EXPECT_EQ(x, v[0]);
	EXPECT_EQ(y, v[1]);
	EXPECT_EQ(z, v[2]);
	EXPECT_EQ(w, v[3]);
}

TEST_F(streams, f32)
{
	const float in[4] = { 1.5, -2.25, 1e30, 0 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F32, 4, 16));
	EXPECT_EQ(0, memcmp(in, self->t.out.map, 16));
}

TEST_F(streams, s8)
{
	const __s8 in[8] = { 127, -128, -1, 0, 1, 2, 3, 4 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 2, DRM_VSHADER_FORMAT_S8, 4, 4));
	expect_vec(_metadata, self->t.out.f32, 127, -128, -1, 0);
	expect_vec(_metadata, self->t.out.f32 + 4, 1, 2, 3, 4);
}

TEST_F(streams, u8)
{
	const __u8 in[8] = { 255, 128, 1, 0, 9, 8, 7, 6 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 2, DRM_VSHADER_FORMAT_U8, 4, 4));
	expect_vec(_metadata, self->t.out.f32, 255, 128, 1, 0);
	expect_vec(_metadata, self->t.out.f32 + 4, 9, 8, 7, 6);
}

TEST_F(streams, s16)
{
	const __s16 in[8] = { 32767, -32768, -1, 300, 1, 2, 3, 4 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 2, DRM_VSHADER_FORMAT_S16, 4, 8));
	expect_vec(_metadata, self->t.out.f32, 32767, -32768, -1, 300);
	expect_vec(_metadata, self->t.out.f32 + 4, 1, 2, 3, 4);
}

TEST_F(streams, u16)
{
	const __u16 in[8] = { 65535, 32768, 1, 0, 5, 6, 7, 8 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 2, DRM_VSHADER_FORMAT_U16, 4, 8));
	expect_vec(_metadata, self->t.out.f32, 65535, 32768, 1, 0);
	expect_vec(_metadata, self->t.out.f32 + 4, 5, 6, 7, 8);
}

TEST_F(streams, f16)
{
	/* 1, -2, the largest, the smallest subnormal */
	const __u16 in[4] = { 0x3c00, 0xc000, 0x7bff, 0x0001 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F16, 4, 8));
	expect_vec(_metadata, self->t.out.f32, 1, -2, 65504, 0x1p-24f);
}

TEST_F(streams, f24)
{
	const __u32 in[4] = { F24_ONE, F24_TWO | 1 << 23, 0x010000, 0 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F24, 4, 16));
	expect_vec(_metadata, self->t.out.f32, 1, -2, 0x1p-62f, 0);
}

TEST_F(streams, u32)
{
	const __u32 in[4] = { 0x3f800000, 0x7f800000, 0x80000000, 0x12345678 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_U32, 4, 16));
	EXPECT_EQ(0, memcmp(in, self->t.out.map, 16));
}

/* Missing components of a stream come from (0, 0, 0, 1). */
TEST_F(streams, missing_components)
{
	const float in[4] = { 5, 6, 7, 8 };

	memcpy(self->t.in.map, in, sizeof(in));
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F32, 1, 16));
	expect_vec(_metadata, self->t.out.f32, 5, 0, 0, 1);
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F32, 2, 16));
	expect_vec(_metadata, self->t.out.f32, 5, 6, 0, 1);
	EXPECT_EQ(0, run(self, 1, DRM_VSHADER_FORMAT_F32, 3, 16));
	expect_vec(_metadata, self->t.out.f32, 5, 6, 7, 1);
}

TEST_F(streams, strides)
{
	unsigned int i;

	for (i = 0; i < 256; i++)
		self->t.in.f32[i] = i;
	/* interleaved, overlapping, none */
	EXPECT_EQ(0, run(self, 10, DRM_VSHADER_FORMAT_F32, 3, 20));
	expect_vec(_metadata, self->t.out.f32 + 4 * 9, 45, 46, 47, 1);
	EXPECT_EQ(0, run(self, 70, DRM_VSHADER_FORMAT_F32, 4, 4));
	expect_vec(_metadata, self->t.out.f32 + 4 * 69, 69, 70, 71, 72);
	EXPECT_EQ(0, run(self, 70, DRM_VSHADER_FORMAT_F32, 2, 0));
	expect_vec(_metadata, self->t.out.f32 + 4 * 69, 0, 1, 0, 1);
}

TEST_F(streams, outputs_in_float24)
{
	const float in[4] = { 1, -2, 0x1p-62f, 1.5 };

	memcpy(self->t.in.map, in, sizeof(in));
	vst_job_init(&self->j, self->t.queue, self->t.program, 1);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	vst_job_out(&self->j, 0, self->t.out.va)->format = DRM_VSHADER_FORMAT_F24;
	self->j.pica.model = DRM_VSHADER_PICA_F24;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(F24_ONE, self->t.out.u32[0]);
	EXPECT_EQ(F24_TWO | 1 << 23, self->t.out.u32[1]);
	EXPECT_EQ(0x010000, self->t.out.u32[2]);
	EXPECT_EQ(0x3f8000, self->t.out.u32[3]);
}

TEST_F(streams, narrow_outputs)
{
	unsigned int i;

	for (i = 0; i < 256; i++)
		self->t.in.f32[i] = i + 1;
	memset(self->t.out.map, 0xff, self->t.out.size);
	vst_job_init(&self->j, self->t.queue, self->t.program, 64);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	vst_job_out(&self->j, 0, self->t.out.va);
	self->j.out[0].components = 2;
	self->j.out[0].stride = 12;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	for (i = 0; i < 64; i++) {
		ASSERT_EQ(4 * i + 1, self->t.out.f32[3 * i]);
		ASSERT_EQ(4 * i + 2, self->t.out.f32[3 * i + 1]);
		/* the gaps are left alone */
		ASSERT_EQ(~0u, self->t.out.u32[3 * i + 2]);
	}
	EXPECT_EQ(~0u, self->t.out.u32[3 * 64]);
}

/* A register has one stream, in and out. */
TEST_F(streams, register_named_twice)
{
	vst_job_init(&self->j, self->t.queue, self->t.program, 1);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 1, 16);
	vst_job_out(&self->j, 0, self->t.out.va);
	vst_job_out(&self->j, 0, self->t.out.va + 64);
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
	self->j.pica.vertices.outputs.count = 1;
	vst_job_attr(&self->j, 0, self->t.in.va + 64, DRM_VSHADER_FORMAT_F32, 1, 16);
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
	self->j.attr[1].reg = 1;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

TEST_F(streams, several_inputs)
{
	/* o0 = v3, o1 = v15 + v15 */
	static const __u32 code[] = {
		P1(PICA_MOV, PD_O(0), PS_V(3), 0, 0),
		P1(PICA_ADD, PD_O(1), PS_V(15), PS_V(15), 0),
		P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 3, desc, 1 };
	__u32 program;

	ASSERT_EQ(0, vst_program(self->t.fd, &c, &program));
	self->t.in.u16[0] = 11;
	self->t.in.f32[16] = 12;
	vst_job_init(&self->j, self->t.queue, program, 1);
	vst_job_attr(&self->j, 3, self->t.in.va, DRM_VSHADER_FORMAT_U16, 1, 2);
	vst_job_attr(&self->j, 15, self->t.in.va + 64, DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&self->j, 0, self->t.out.va);
	vst_job_out(&self->j, 1, self->t.out.va + 16);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	expect_vec(_metadata, self->t.out.f32, 11, 0, 0, 1);
	expect_vec(_metadata, self->t.out.f32 + 4, 24, 0, 0, 2);
}

TEST_F(streams, first_vertex)
{
	unsigned int i;

	for (i = 0; i < 256; i++)
		self->t.in.f32[i] = i;
	vst_job_init(&self->j, self->t.queue, self->t.program, 5);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&self->j, 0, self->t.out.va);
	self->j.pica.vertices.first = 100;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	/* outputs go by the number of the invocation */
	for (i = 0; i < 5; i++)
		EXPECT_EQ(100 + i, self->t.out.f32[4 * i]);
}

/* 70, 69, ... 1, in little endian of the width that @type has. */
static int run_indexed(FIXTURE_DATA(streams) *self, __u32 type, __u32 first)
{
	static const unsigned int bytes[] = { 0, 1, 2, 4 };
	int i;

	memset(self->t.result.map, 0, PAGE);
	for (i = 0; i < 70; i++)
		self->t.result.u8[i * bytes[type]] = 70 - i;
	vst_job_init(&self->j, self->t.queue, self->t.program, 70);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 1, 4);
	vst_job_out(&self->j, 0, self->t.out.va);
	self->j.pica.vertices.index_type = type;
	self->j.pica.vertices.index_va = self->t.result.va;
	self->j.pica.vertices.first = first;
	return vst_run(self->t.fd, &self->j);
}

TEST_F(streams, index_buffer)
{
	__u32 type, first;
	int i;

	for (i = 0; i < 256; i++)
		self->t.in.f32[i] = i;
	for (type = DRM_VSHADER_INDEX_U8; type <= DRM_VSHADER_INDEX_U32; type++) {
		for (first = 0; first < 100; first += 50) {
			EXPECT_EQ(0, run_indexed(self, type, first));
			for (i = 0; i < 70; i++) {
				ASSERT_EQ(first + 70 - i, self->t.out.f32[4 * i])
					TH_LOG("type %u invocation %d", type, i);
			}
		}
	}
}

TEST_F(streams, instances)
{
	/* o0 = v0 + v1 */
	static const __u32 code[] = {
		P1(PICA_MOV, PD_R(0), PS_V(1), 0, 0),
		P1(PICA_ADD, PD_O(0), PS_V(0), PS_R(0), 0),
		P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 3, desc, 1 };
	unsigned int divisor, i;
	__u32 program;

	ASSERT_EQ(0, vst_program(self->t.fd, &c, &program));
	for (i = 0; i < 64; i++)
		self->t.in.f32[i] = i;
	for (i = 0; i < 64; i++)
		self->t.in.f32[64 + i] = 1000 * i;
	for (divisor = 1; divisor < 4; divisor++) {
		vst_job_init(&self->j, self->t.queue, program, 10);
		vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 1, 4);
		vst_job_attr(&self->j, 1, self->t.in.va + 256, DRM_VSHADER_FORMAT_F32, 1,
			     4)->divisor = divisor;
		vst_job_out(&self->j, 0, self->t.out.va);
		self->j.pica.vertices.instances = 9;
		EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
		for (i = 0; i < 90; i++) {
			ASSERT_EQ(i % 10 + 1000 * (i / 10 / divisor), self->t.out.f32[4 * i])
				TH_LOG("divisor %u invocation %u", divisor, i);
		}
	}
}

TEST_HARNESS_MAIN
