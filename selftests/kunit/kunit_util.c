// SPDX-License-Identifier: GPL-2.0
/*
 * Shared by the KUnit suites.
 */
#include <linux/module.h>

#include "kunit_util.h"

struct kt *kt_new(struct kunit *test)
{
	struct kt *k = kunit_kzalloc(test, sizeof(*k), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, k);
	k->test = test;
	k->mem = vs_zalloc(KT_BYTES);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, k->mem);
	k->ext = (struct vs_extent){
		.lo = KT_VA, .hi = KT_VA + KT_BYTES, .kva = (u8 *)k->mem, .flags = VS_EXT_WRITE,
	};
	k->map.n = 1;
	k->map.ext = &k->ext;
	k->pl.model = PICA_MODEL_F32;
	return k;
}

void kt_free(struct kt *k)
{
	if (k->prog)
		vs_program_destroy(k->prog);
	vs_free(k->unif);
	vs_free(k->mem);
}

int kt_program(struct kt *k, enum vs_stage stage, const u32 *code, u32 ncode,
	       struct vs_reject *rej)
{
	static const u32 entry;
	static u32 desc[128] = { PDESC_ALL };
	struct vs_src src = {
		.stage = stage,
		.words = { code, desc },
		.nwords = { ncode, ARRAY_SIZE(desc) },
		.entries = &entry,
		.nentries = 1,
	};
	struct vs_reject other;
	int ret;

	memset(&other, 0, sizeof(other));
	ret = vs_program_create(vs_isa_by_id(VS_ISA_PICA), &src, rej ? rej : &other, NULL,
				&k->prog);
	if (ret)
		k->prog = NULL;
	return ret;
}

void kt_launch(struct kt *k, u32 count)
{
	const char *what = "";

	vs_free(k->unif);
	k->unif = vs_zalloc_array(k->prog->prog->nunif + 1, 4);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(k->test, k->unif);
	memset(&k->launch, 0, sizeof(k->launch));
	k->launch.count = count;
	k->launch.instances = 1;
	k->launch.nattr = 1;
	k->launch.attr[0] = (struct vs_stream){
		.va = KT_VA, .stride = 16, .format = VS_FMT_F32, .ncomp = 4,
	};
	k->launch.nout = 1;
	k->launch.out[0] = (struct vs_stream){
		.va = KT_VA + KT_BYTES / 2, .stride = 16, .format = VS_FMT_F32, .ncomp = 4,
	};
	KUNIT_ASSERT_EQ_MSG(k->test, 0, pica_launch_fill(k->prog, &k->pl, &k->launch, 0, k->unif,
							 &what), "%s", what);
}

enum vs_fault_kind kt_run(struct kt *k, enum vs_simd simd, u64 budget, struct vs_fault *fault)
{
	struct vs_job_limits lim = { .budget = budget, .simd = simd, .slice = 3000 };
	struct vs_worker *w = vs_worker_new(0);
	struct vs_job *job = vs_job_new(&k->map, &lim, 1);
	enum vs_run run = VS_RUN_MORE;
	struct vs_fault seen = { .kind = ~0U };
	u32 steps = 0;

	KUNIT_EXPECT_NOT_ERR_OR_NULL(k->test, w);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(k->test, job);
	if (w && job && !vs_job_add_launch(job, &k->launch)) {
		while (run != VS_RUN_DONE && steps++ < 100000) {
			run = vs_job_step(job, w);
			cond_resched();
		}
		KUNIT_EXPECT_EQ(k->test, (int)run, (int)VS_RUN_DONE);
		if (run == VS_RUN_DONE)
			seen = *vs_job_get_fault(job);
	}
	if (fault)
		*fault = seen;
	vs_job_free(job);
	vs_worker_free(w);
	return seen.kind;
}

MODULE_DESCRIPTION("KUnit tests of vshader");
MODULE_LICENSE("GPL");
