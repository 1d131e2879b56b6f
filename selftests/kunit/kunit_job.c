// SPDX-License-Identifier: GPL-2.0
/*
 * Memory maps, and jobs run to their end in the kernel, on every executor it has.
 */
#include "kunit_util.h"

static int job_init(struct kunit *test)
{
	test->priv = kt_new(test);
	return 0;
}

static void job_exit(struct kunit *test)
{
	kt_free(test->priv);
}

static void map_lookup(struct kunit *test)
{
	static u8 mem[3][256];
	const struct vs_extent e[] = {
		{ 0x1000, 0x1100, mem[0], VS_EXT_WRITE },
		{ 0x1100, 0x1200, mem[1], 0 },
		{ 0x3000, 0x3100, mem[2], VS_EXT_WRITE },
	};
	const struct vs_map m = { ARRAY_SIZE(e), e };
	const struct vs_map none = { 0, NULL };

	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&none, 0), (const struct vs_extent *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0xfff), (const struct vs_extent *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0x1000), &e[0]);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0x10ff), &e[0]);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0x1100), &e[1]);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0x1200), (const struct vs_extent *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, 0x30ff), &e[2]);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_find(&m, ~0ULL), (const struct vs_extent *)NULL);

	KUNIT_EXPECT_PTR_EQ(test, vs_map_ptr(&m, 0x1010, 0xf0, VS_EXT_WRITE),
			    (void *)&mem[0][0x10]);
	/* too long, no right, wraps */
	KUNIT_EXPECT_PTR_EQ(test, vs_map_ptr(&m, 0x1010, 0xf1, 0), (void *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_ptr(&m, 0x1100, 4, VS_EXT_WRITE), (void *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, vs_map_ptr(&m, 0x3000, ~0ULL, 0), (void *)NULL);
}

static void map_copies(struct kunit *test)
{
	static u8 mem[2][16], buf[40];
	const struct vs_extent e[] = {
		{ 0x1000, 0x1010, mem[0], VS_EXT_WRITE },
		{ 0x1010, 0x1020, mem[1], VS_EXT_WRITE },
		{ 0x1020, 0x1030, mem[0], 0 },
	};
	const struct vs_map m = { ARRAY_SIZE(e), e };

	memset(buf, 7, sizeof(buf));
	KUNIT_EXPECT_EQ(test, vs_map_write(&m, 0x1008, buf, 16), 16ULL);
	KUNIT_EXPECT_EQ(test, mem[0][7], 0);
	KUNIT_EXPECT_EQ(test, mem[0][8], 7);
	KUNIT_EXPECT_EQ(test, mem[1][7], 7);
	KUNIT_EXPECT_EQ(test, mem[1][8], 0);
	/* up to what may not be written */
	KUNIT_EXPECT_EQ(test, vs_map_write(&m, 0x1018, buf, 16), 8ULL);
	KUNIT_EXPECT_EQ(test, vs_map_read(&m, 0x1018, buf, 40), 24ULL);
	KUNIT_EXPECT_EQ(test, vs_map_read(&m, 0x2000, buf, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, vs_map_read(&m, ~0ULL, buf, 8), 0ULL);
}

/* o0 = v0 * c0 + r0 in a loop, if v0.x < c0.x; every executor gives the same bits. */
static const u32 program[] = {
	P1(PICA_MOV, PD_R(0), PS_C(1), 0, 0),		/* 0 */
	PCMP(4, 4, PS_C(0), PS_V(0), 0),		/* 1 */
	P2(PICA_IFC, 1, 0, 2, 6, 0),			/* 2: if cmp.x, to word 5 */
	P3(PICA_LOOP, 0, 4, 0),				/* 3: to word 4 */
	PMAD(PD_R(0), PS_V(0), PS_C(0), PS_R(0), 0),	/* 4 */
	P0(PICA_NOP),					/* 5 */
	P1(PICA_RSQ, PD_R(1), PS_R(0), 0, 0),		/* 6 */
	P1(PICA_ADD, PD_O(0), PS_R(0), PS_R(1), 0),	/* 7 */
	P0(PICA_END),
};

static void run_everywhere(struct kunit *test, u32 model, u32 switches)
{
	static const u32 floats[2][4] = {
		{ 0x42480000, 0x3f8ccccd, 0x40000000, 0x3eaaaaab },
		{ 0x3f800000, 0x3f000000, 0x40490fdb, 0x3dcccccd },
	};
	struct kt *k = test->priv;
	const u32 count = 200, bytes = 16 * count;
	u32 *first = kunit_kzalloc(test, bytes, GFP_KERNEL);
	u32 simd, i, builds = 0, seed = 3;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, first);
	KUNIT_ASSERT_EQ(test, kt_program(k, VS_STAGE_VERTEX, program, ARRAY_SIZE(program), NULL),
			0);
	for (i = 0; i < 4 * count; i++) {
		seed = seed * 1664525 + 1013904223;
		/* between 2^-16 and 2^16, and anything in a few places */
		k->mem[i] = i % 37 ? (seed & 0x807fffff) | (111 + (seed >> 9) % 32) << 23 : seed;
	}
	k->pl.model = model;
	k->pl.switches = switches;
	k->pl.floats = floats;
	k->pl.nfloats = 2;
	k->pl.ints[0][0] = 5;
	kt_launch(k, count);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & 1U << simd))
			continue;
		memset(KT_OUT(k), 0, bytes);
		KUNIT_EXPECT_EQ(test, (int)kt_run(k, simd, 1 << 24, NULL), (int)VS_FAULT_NONE);
		if (!builds++)
			memcpy(first, KT_OUT(k), bytes);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(first, KT_OUT(k), bytes), 0, "%s",
				    vs_simd_name(simd));
	}
	KUNIT_EXPECT_GT(test, builds, 0U);
	kunit_info(test, "%u executors agree\n", builds);
}

static void job_f32_everywhere(struct kunit *test)
{
	run_everywhere(test, PICA_MODEL_F32, 0);
}

static void job_f24_everywhere(struct kunit *test)
{
	run_everywhere(test, PICA_MODEL_F24, 0);
}

static void job_f24_nearest_everywhere(struct kunit *test)
{
	run_everywhere(test, PICA_MODEL_F24, PICA_SW_ROUND_NEAREST);
}

static const u32 spin[] = { P3(PICA_JMPU, 0, 0, 1), P0(PICA_NOP), P0(PICA_END) };
static const u32 copy[] = { P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0), P0(PICA_END) };

static void job_budget(struct kunit *test)
{
	struct kt *k = test->priv;

	KUNIT_ASSERT_EQ(test, kt_program(k, VS_STAGE_VERTEX, spin, ARRAY_SIZE(spin), NULL), 0);
	kt_launch(k, 64);
	KUNIT_EXPECT_EQ(test, (int)kt_run(k, vs_simd_best(), 50000, NULL), (int)VS_FAULT_BUDGET);
}

static void job_memory_faults(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_fault f;
	u32 simd;

	KUNIT_ASSERT_EQ(test, kt_program(k, VS_STAGE_VERTEX, copy, ARRAY_SIZE(copy), NULL), 0);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() & 1U << simd))
			continue;
		/* runs off the end of memory at invocation 70 */
		kt_launch(k, 200);
		k->launch.attr[0].va = KT_VA + KT_BYTES - 70 * 16;
		KUNIT_EXPECT_EQ(test, (int)kt_run(k, simd, 1 << 24, &f), (int)VS_FAULT_READ);
		KUNIT_EXPECT_EQ(test, f.address, KT_VA + KT_BYTES);
		KUNIT_EXPECT_EQ(test, f.invocation, 70ULL);
		KUNIT_EXPECT_EQ(test, f.stream, 0U);
		KUNIT_EXPECT_EQ(test, f.pc, ~0U);

		kt_launch(k, 200);
		k->launch.out[0].va = 0x1000;
		KUNIT_EXPECT_EQ(test, (int)kt_run(k, simd, 1 << 24, &f), (int)VS_FAULT_WRITE);
		KUNIT_EXPECT_EQ(test, f.address, 0x1000ULL);
		KUNIT_EXPECT_EQ(test, f.stream, 16U);

		kt_launch(k, 200);
		k->ext.flags = 0;
		KUNIT_EXPECT_EQ(test, (int)kt_run(k, simd, 1 << 24, &f), (int)VS_FAULT_WRITE);
		k->ext.flags = VS_EXT_WRITE;

		kt_launch(k, 200);
		k->launch.attr[0].va = KT_VA + 1;
		KUNIT_EXPECT_EQ(test, (int)kt_run(k, simd, 1 << 24, &f),
				(int)VS_FAULT_MISALIGNED);
	}
}

static void job_cancel(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_job_limits lim = { .budget = 1ULL << 40, .simd = vs_simd_best(), .slice = 3000 };
	struct vs_worker *w = vs_worker_new(0);
	struct vs_job *job;
	enum vs_run run = VS_RUN_MORE;
	int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, w);
	KUNIT_ASSERT_EQ(test, kt_program(k, VS_STAGE_VERTEX, spin, ARRAY_SIZE(spin), NULL), 0);
	kt_launch(k, 64);
	job = vs_job_new(&k->map, &lim, 1);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
	KUNIT_ASSERT_EQ(test, vs_job_add_launch(job, &k->launch), 0);
	for (i = 0; i < 20; i++) {
		run = vs_job_step(job, w);
		/* the first one may also begin the phase */
		KUNIT_EXPECT_TRUE(test, run == VS_RUN_MORE || (!i && run == VS_RUN_PHASE));
	}
	vs_job_cancel(job, VS_FAULT_TIMEOUT);
	vs_job_cancel(job, VS_FAULT_CANCELED);
	for (i = 0; i < 20 && run != VS_RUN_DONE; i++)
		run = vs_job_step(job, w);
	KUNIT_EXPECT_EQ(test, (int)run, (int)VS_RUN_DONE);
	/* the first one wins */
	KUNIT_EXPECT_EQ(test, vs_job_get_fault(job)->kind, (u32)VS_FAULT_TIMEOUT);
	vs_job_free(job);
	vs_worker_free(w);
}

static struct kunit_case job_cases[] = {
	KUNIT_CASE(map_lookup),
	KUNIT_CASE(map_copies),
	KUNIT_CASE(job_f32_everywhere),
	KUNIT_CASE(job_f24_everywhere),
	KUNIT_CASE(job_f24_nearest_everywhere),
	KUNIT_CASE(job_budget),
	KUNIT_CASE(job_memory_faults),
	KUNIT_CASE(job_cancel),
	{ }
};

static struct kunit_suite job_suite = {
	.name = "vshader_job",
	.init = job_init,
	.exit = job_exit,
	.test_cases = job_cases,
};

kunit_test_suite(job_suite);
