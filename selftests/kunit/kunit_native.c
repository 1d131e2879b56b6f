// SPDX-License-Identifier: GPL-2.0
/*
 * The PICA command list parser: lists that are right, wrong and random.
 */
#include "kunit_util.h"

#include "native/native.h"

#define CMD(reg)	((reg) | 0xf << 16)

struct fixture {
	struct kt *k;
	struct vs_native_state *state;
	struct vs_native_in in;
	struct vs_fault fault;
	u32 words[256];
};

static int native_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	f->k = kt_new(test);
	f->state = vs_native_state_new(VS_NATIVE_PICA_CMDLIST);
	if (!f->state)
		return -ENOMEM;
	f->in.words = f->words;
	f->in.va = KT_VA;
	f->in.output_va = KT_VA + KT_BYTES / 2;
	f->in.output_size = KT_BYTES / 2;
	f->in.model = PICA_MODEL_F32;
	f->in.map = &f->k->map;
	f->in.max_memory = 16 << 20;
	f->in.max_draws = 16;
	test->priv = f;
	return 0;
}

static void native_exit(struct kunit *test)
{
	struct fixture *f = test->priv;

	vs_native_state_free(f->state);
	kt_free(f->k);
}

static void put(struct fixture *f, u32 reg, u32 value)
{
	f->words[f->in.nwords++] = value;
	f->words[f->in.nwords++] = CMD(reg);
}

static int parse(struct fixture *f)
{
	struct vs_native *n = NULL;
	int ret;

	memset(&f->fault, 0, sizeof(f->fault));
	ret = vs_native_parse(&f->in, f->state, &n, &f->fault);
	if (!ret)
		vs_native_free(n);
	return ret;
}

static void native_empty(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, parse(f), 0);
	put(f, 0x228, 3);
	KUNIT_EXPECT_EQ(test, parse(f), 0);
}

static void native_truncated(struct kunit *test)
{
	struct fixture *f = test->priv;

	put(f, 0x228, 3);
	f->words[1] |= 5 << 20;		/* five more values, which are not there */
	KUNIT_EXPECT_EQ(test, parse(f), -ENOEXEC);
	KUNIT_EXPECT_EQ(test, f->fault.kind, (u32)VS_FAULT_COMMAND);
	KUNIT_EXPECT_EQ(test, f->fault.info, f->words[1]);
}

static void native_unknown_register(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct vs_native *n = NULL;

	put(f, 0x7fff, 3);
	KUNIT_ASSERT_EQ(test, vs_native_parse(&f->in, f->state, &n, &f->fault), 0);
	KUNIT_EXPECT_EQ(test, vs_native_strays(n), 1U);
	vs_native_free(n);
}

/* A draw with an empty code memory, or one that holds nonsense. */
static void native_bad_program(struct kunit *test)
{
	struct fixture *f = test->priv;

	put(f, 0x228, 3);
	put(f, 0x22e, 1);
	KUNIT_EXPECT_EQ(test, parse(f), -ENOEXEC);
	KUNIT_EXPECT_EQ(test, f->fault.kind, (u32)VS_FAULT_ENCODING);
	f->in.nwords = 0;
	put(f, 0x2cb, 0);
	put(f, 0x2cc, P0(PICA_UNDEF));
	put(f, 0x22e, 1);
	KUNIT_EXPECT_EQ(test, parse(f), -ENOEXEC);
	KUNIT_EXPECT_EQ(test, f->fault.kind, (u32)VS_FAULT_ENCODING);
	KUNIT_EXPECT_EQ(test, f->fault.pc, 0U);
}

static void native_limits(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	put(f, 0x2cb, 0);
	put(f, 0x2cc, P0(PICA_END));
	put(f, 0x228, 3);
	for (i = 0; i < 17; i++)
		put(f, 0x22e, 1);
	KUNIT_EXPECT_EQ(test, parse(f), -E2BIG);
	f->in.max_draws = 17;
	KUNIT_EXPECT_EQ(test, parse(f), 0);
	f->in.max_memory = 4096;
	KUNIT_EXPECT_EQ(test, parse(f), -E2BIG);
}

/* Jumps in circles must come to an end. */
static void native_endless_jump(struct kunit *test)
{
	struct fixture *f = test->priv;

	put(f, 0x238, 2);		/* size / 8 */
	put(f, 0x23a, KT_VA >> 3);	/* address / 8: this list */
	put(f, 0x23c, 1);
	memcpy(f->k->mem, f->words, 4 * f->in.nwords);
	/* the list in memory jumps to itself */
	f->k->mem[0] = 1;
	f->k->mem[1] = CMD(0x23c);
	KUNIT_EXPECT_NE(test, parse(f), 0);
	KUNIT_EXPECT_NE(test, f->fault.kind, (u32)VS_FAULT_NONE);
	/* into the void */
	f->words[2] = 0x1000 >> 3;
	KUNIT_EXPECT_EQ(test, parse(f), -ENOEXEC);
	KUNIT_EXPECT_EQ(test, f->fault.kind, (u32)VS_FAULT_FETCH);
}

static void native_random(struct kunit *test)
{
	static const u16 regs[] = {
		0x010, 0x04f, 0x050, 0x200, 0x201, 0x202, 0x203, 0x204, 0x205, 0x227, 0x228,
		0x229, 0x22a, 0x22e, 0x22f, 0x232, 0x233, 0x234, 0x235, 0x238, 0x23a, 0x23c,
		0x242, 0x244, 0x24a, 0x252, 0x254, 0x25e, 0x25f, 0x280, 0x289, 0x28d, 0x290,
		0x291, 0x29b, 0x29c, 0x2a5, 0x2a6, 0x2b0, 0x2b9, 0x2ba, 0x2bb, 0x2bd, 0x2c0,
		0x2c1, 0x2cb, 0x2cc, 0x2d5, 0x2d6,
	};
	struct fixture *f = test->priv;
	u32 seed = 5, round, i, good = 0;

	for (round = 0; round < 1500; round++) {
		f->in.nwords = 0;
		put(f, 0x2cb, 0);
		put(f, 0x2cc, P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0));
		put(f, 0x2cc, P0(PICA_END));
		for (i = 0; i < 40; i++) {
			u32 v;

			seed = seed * 1664525 + 1013904223;
			v = seed % 3 ? seed >> 20 & 15 : seed ^ seed >> 13;
			put(f, regs[(seed >> 10) % ARRAY_SIZE(regs)], v);
			if (seed % 11 == 0)
				f->words[f->in.nwords - 1] ^= 1U << (seed >> 7) % 32;
		}
		good += parse(f) == 0;
	}
	KUNIT_EXPECT_GT(test, good, 0U);
	KUNIT_EXPECT_LT(test, good, 1500U);
}

static struct kunit_case native_cases[] = {
	KUNIT_CASE(native_empty),
	KUNIT_CASE(native_truncated),
	KUNIT_CASE(native_unknown_register),
	KUNIT_CASE(native_bad_program),
	KUNIT_CASE(native_limits),
	KUNIT_CASE(native_endless_jump),
	KUNIT_CASE(native_random),
	{ }
};

static struct kunit_suite native_suite = {
	.name = "vshader_native",
	.init = native_init,
	.exit = native_exit,
	.test_cases = native_cases,
};

kunit_test_suite(native_suite);
