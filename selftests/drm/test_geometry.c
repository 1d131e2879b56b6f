// SPDX-License-Identifier: GPL-2.0
/*
 * Shader jobs of the geometry stage.
 */
#include "vshader_test.h"

FIXTURE(geometry) {
	struct vst t;
	struct vst_job j;
	struct vst_buf prims;
	struct vst_buf info;
};

#define MAX_PRIMS	2

FIXTURE_SETUP(geometry)
{
	SETUP_OR_SKIP(return, &self->t, &vst_triangle);
	ASSERT_EQ(0, vst_buf_new(&self->prims, self->t.fd, self->t.vm, VA(16), 4 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->info, self->t.fd, self->t.vm, VA(17), PAGE, true));
}

FIXTURE_TEARDOWN(geometry)
{
	vst_buf_free(&self->prims, self->t.fd);
	vst_buf_free(&self->info, self->t.fd);
	vst_teardown(&self->t);
}

static void prepare(FIXTURE_DATA(geometry) *self, __u32 program, __u32 count)
{
	vst_job_init(&self->j, self->t.queue, program, count);
	vst_job_attr(&self->j, 0, self->t.in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	vst_job_unif(&self->j, 0, 100, 0, 0, 0);
	vst_job_unif(&self->j, 1, 0, 100, 0, 0);
	self->j.pica.output_mask = 1;
	self->j.pica.max_prims = MAX_PRIMS;
	self->j.pica.prims_va = self->prims.va;
	self->j.pica.prim_info_va = self->info.va;
	self->j.job.result_va = self->t.result.va;
}

/* One triangle from each point. */
TEST_F(geometry, triangles)
{
	unsigned int i;

	prepare(self, self->t.program, 20);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	for (i = 0; i < 20; i++) {
		float *v = self->prims.f32 + i * MAX_PRIMS * 3 * 4;
		__u32 *info = self->info.u32 + i * (1 + MAX_PRIMS);

		ASSERT_EQ(1, info[0]);
		ASSERT_EQ(0, info[1]);
		ASSERT_EQ(4 * i, v[0]);
		ASSERT_EQ(4 * i + 1, v[1]);
		ASSERT_EQ(4 * i + 3, v[3]);
		ASSERT_EQ(4 * i + 100, v[4]);
		ASSERT_EQ(4 * i + 1, v[5]);
		ASSERT_EQ(4 * i, v[8]);
		ASSERT_EQ(4 * i + 101, v[9]);
	}
	/* room for a second one stays untouched */
	EXPECT_EQ(0, self->prims.f32[12]);
}

TEST_F(geometry, info_is_optional)
{
	prepare(self, self->t.program, 3);
	self->j.pica.prim_info_va = 0;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(104, self->prims.f32[MAX_PRIMS * 12 + 4]);
	EXPECT_EQ(0, self->info.u32[0]);
}

/* Two outputs are packed in register order; the winding flag is reported. */
TEST_F(geometry, packed_outputs_and_winding)
{
	static const __u32 code[] = {
		P1(PICA_MOV, PD_O(2), PS_V(0), 0, 0),		/* mov o2, v0 */
		P1(PICA_MOV, PD_O(5), PS_C(0), 0, 0),		/* mov o5, c0 */
		PSETEMIT(0, 0, 0),
		P0(PICA_EMIT),
		P1(PICA_MOV, PD_O(2), PS_V(0), 0, 0),
		P1(PICA_MOV, PD_O(5), PS_C(0), 0, 0),
		PSETEMIT(1, 0, 0),
		P0(PICA_EMIT),
		P1(PICA_MOV, PD_O(2), PS_V(0), 0, 0),
		P1(PICA_MOV, PD_O(5), PS_C(1), 0, 0),
		PSETEMIT(2, 1, 1),
		P0(PICA_EMIT),
		P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = {
		DRM_VSHADER_STAGE_GEOMETRY, code, ARRAY_SIZE(code), desc, 1
	};
	__u32 program;

	ASSERT_EQ(0, vst_program(self->t.fd, &c, &program));
	prepare(self, program, 2);
	self->j.pica.output_mask = 1 << 2 | 1 << 5;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(1, self->info.u32[0]);
	EXPECT_EQ(1, self->info.u32[1] & 1);
	EXPECT_EQ(1, self->prims.f32[1]);
	EXPECT_EQ(100, self->prims.f32[4]);
	EXPECT_EQ(0, self->prims.f32[5]);
	/* the third vertex */
	EXPECT_EQ(2, self->prims.f32[16 + 2]);
	EXPECT_EQ(100, self->prims.f32[16 + 5]);
	/* invocation 1 */
	EXPECT_EQ(4, self->prims.f32[MAX_PRIMS * 24]);
}

/* Output overflow is a fault with the invocation that caused it. */
TEST_F(geometry, too_many_primitives)
{
	static const __u32 code[] = {
		PSETEMIT(2, 1, 0),				/* 0 */
		P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 1 */
		P0(PICA_EMIT),					/* 2 */
		P0(PICA_EMIT),					/* 3 */
		P0(PICA_EMIT),					/* 4 */
		P0(PICA_END),
	};
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = {
		DRM_VSHADER_STAGE_GEOMETRY, code, ARRAY_SIZE(code), desc, 1
	};
	struct drm_vshader_job_result *r = self->t.result.map;
	__u32 program;

	ASSERT_EQ(0, vst_program(self->t.fd, &c, &program));
	prepare(self, program, 1);
	self->j.pica.max_prims = 3;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(3, self->info.u32[0]);
	self->j.pica.max_prims = 2;
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(-EIO, r->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_OVERFLOW, r->fault.kind);
	EXPECT_EQ(4, r->fault.pc);
	EXPECT_EQ(0, r->fault.invocation);
}

TEST_F(geometry, bad_fields)
{
#define BAD(err, field, value) do {				\
	prepare(self, self->t.program, 1);			\
	self->j.field = (value);				\
	EXPECT_EQ((err), vst_submit(self->t.fd, &self->j))	\
		TH_LOG("%s = %s", #field, #value);		\
} while (0)
	BAD(-EINVAL, pica.output_mask, 0);
	BAD(-EINVAL, pica.output_mask, 1 << 16);
	BAD(-EINVAL, pica.max_prims, 0);
	BAD(-EINVAL, pica.max_prims, 4097);
	BAD(-EINVAL, pica.max_prims, NEVER);
#undef BAD
	prepare(self, self->t.program, 1);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

TEST_F(geometry, unmapped_primitives)
{
	struct drm_vshader_job_result *r = self->t.result.map;

	prepare(self, self->t.program, 1);
	self->j.pica.prims_va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, r->fault.kind);
	EXPECT_EQ(VA(99), r->fault.address);
}

TEST_HARNESS_MAIN
