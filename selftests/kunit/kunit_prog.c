// SPDX-License-Identifier: GPL-2.0
/*
 * The PICA verifier and the verifier of micro-ops, which is the last line of defence: it
 * must refuse whatever would lead the executor out of its tables.
 */
#include "kunit_util.h"

#include "engine/vs_opinfo.h"

static const u32 mixed[] = {
	P1(PICA_MOV, PD_R(0), PS_C(1), 0, 0),		/* 0 */
	P3(PICA_LOOP, 0, 3, 0),				/* 1: to word 3 */
	P1(PICA_ADD, PD_R(0), PS_C(0), PS_R(0), 0),	/* 2 */
	P0(PICA_NOP),					/* 3 */
	PCMP(4, 4, PS_C(0), PS_V(0), 0),		/* 4 */
	P2(PICA_IFC, 1, 0, 2, 7, 1),			/* 5: else at 7 */
	P1(PICA_MOV, PD_O(0), PS_R(0), 0, 0),		/* 6 */
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 7 */
	P1X(PICA_MOV, PD_O(1), PX_A0X, PS_C(2), 0, 0),	/* 8 */
	P0(PICA_END),
};

static int prog_init(struct kunit *test)
{
	struct kt *k = kt_new(test);

	test->priv = k;
	return kt_program(k, VS_STAGE_VERTEX, mixed, ARRAY_SIZE(mixed), NULL);
}

static void prog_exit(struct kunit *test)
{
	kt_free(test->priv);
}

static void prog_accepts(struct kunit *test)
{
	struct kt *k = test->priv;
	u32 bad;

	KUNIT_EXPECT_EQ(test, vs_prog_verify(k->prog->prog, &bad), 0);
	KUNIT_EXPECT_EQ(test, bad, VS_NO_UOP);
	KUNIT_EXPECT_EQ(test, k->prog->report.code_words, (u32)ARRAY_SIZE(mixed));
	KUNIT_EXPECT_EQ(test, k->prog->report.reachable_words, (u32)ARRAY_SIZE(mixed));
	KUNIT_EXPECT_EQ(test, k->prog->report.inputs, 1U);
	KUNIT_EXPECT_EQ(test, k->prog->report.outputs, 3U);
	KUNIT_EXPECT_EQ(test, k->prog->report.uniform_rows, 96U);
	KUNIT_EXPECT_NE(test, vs_program_entry(k->prog, 0), VS_NO_UOP);
	KUNIT_EXPECT_EQ(test, vs_program_entry(k->prog, 1), VS_NO_UOP);
	KUNIT_EXPECT_EQ(test, vs_program_entry(k->prog, ~0U), VS_NO_UOP);
}

/* First micro-op of a class, counted from the start. */
static struct vs_uop *find(struct vs_prog *p, bool control)
{
	u32 n;

	for (n = 0; n < p->nuops; n++)
		if (vs_op_is_control(p->uops[n].op) == control)
			return &p->uops[n];
	return NULL;
}

/* Change, expect a refusal, change back. */
#define REFUSED(field, value) do {						\
	typeof(field) __old = (field);						\
	u32 __bad;								\
	(field) = (value);							\
	KUNIT_EXPECT_EQ_MSG(test, vs_prog_verify(p, &__bad), -EINVAL,		\
			    "%s = %s", #field, #value);				\
	(field) = __old;							\
	KUNIT_EXPECT_EQ(test, vs_prog_verify(p, &__bad), 0);			\
} while (0)

static void prog_refuses_data(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_prog *p = k->prog->prog;
	struct vs_uop *u = find(p, false);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, u);
	REFUSED(u->op, VS_NUM_OPS);
	REFUSED(u->op, 0xffff);
	REFUSED(u->ncomp, 0);
	REFUSED(u->ncomp, 5);
	REFUSED(u->flags, 0xff);
	REFUSED(u->d[0], p->nslots);
	REFUSED(u->d[0], 0xffff);
	REFUSED(u->a[0], 0xffff);
	REFUSED(u->c[0], 0xffff);
	REFUSED(u->c[3], 1);
	REFUSED(u->imm, 0x80000000);
}

static void prog_refuses_flow(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_prog *p = k->prog->prog;
	u32 n, seen = 0;

	for (n = 0; n < p->nuops; n++) {
		struct vs_uop *u = &p->uops[n];

		if (u->op == VS_OP_IF) {
			REFUSED(u->f.target, p->nuops);
			REFUSED(u->f.target, ~0U);
			REFUSED(u->f.resume, p->nuops);
			REFUSED(u->f.other, ~0U);
			REFUSED(u->f.cond, 3);
			REFUSED(u->f.lut, 16);
			seen |= 1;
		}
		if (u->op == VS_OP_LOOP) {
			REFUSED(u->f.num, 4);
			REFUSED(u->f.al, VS_MAX_SLOTS);
			REFUSED(u->f.resume, ~0U);
			seen |= 2;
		}
		if (u->op == VS_OP_CMP) {
			REFUSED(u->imm, 6);
			REFUSED(u->imm, 0x60);
			REFUSED(u->d[0], VS_MAX_PREDS);
			seen |= 4;
		}
		if (u->op == VS_OP_LDROW) {
			REFUSED(u->imm, 0x200);
			REFUSED(u->b[0], 4);
			seen |= 8;
		}
	}
	KUNIT_EXPECT_EQ(test, seen, 15U);
}

static void prog_refuses_header(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_prog *p = k->prog->prog;

	REFUSED(p->nslots, VS_MAX_SLOTS + 1);
	REFUSED(p->nslots, 1);
	REFUSED(p->nuops, 0);
	REFUSED(p->nuops, p->nuops - 1);	/* does not end any more */
	REFUSED(p->in_slot, 0xffff);
	REFUSED(p->out_slot, 0xffff);
	REFUSED(p->nin, 17);
	REFUSED(p->nunif, 0);
	REFUSED(p->rows.limit, 0xffffffff);
	REFUSED(p->rows.mask, 0xffffffff);
	REFUSED(p->uop_of_guest[0], p->nuops);
}

/*
 * Random corruption: whatever the verdict, the verifier itself must not be led astray;
 * programs that pass must run without harm (the sanitizers tell).
 */
static void prog_random_corruption(struct kunit *test)
{
	struct kt *k = test->priv;
	struct vs_prog *p = k->prog->prog;
	u32 seed = 99, round, passed = 0;

	kt_launch(k, 64);
	for (round = 0; round < 4000; round++) {
		u8 *bytes = (u8 *)p->uops;
		u32 at, bit, bad;

		seed = seed * 1664525 + 1013904223;
		at = (seed >> 4) % (p->nuops * sizeof(*p->uops));
		bit = 1 << seed % 3 * 2;
		bytes[at] ^= bit;
		if (!vs_prog_verify(p, &bad)) {
			passed++;
			if (passed % 8 == 0)
				kt_run(k, vs_simd_best(), 20000, NULL);
		}
		bytes[at] ^= bit;
	}
	KUNIT_EXPECT_GT(test, passed, 0U);
	KUNIT_EXPECT_LT(test, passed, 4000U);
}

static void pica_undefined_opcodes(struct kunit *test)
{
	static const u8 op[] = { 0x10, 0x11, 0x14, 0x17, 0x1c, 0x1f };
	struct kt *k = kt_new(test);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(op); i++) {
		const u32 code[] = { P0(PICA_NOP), P0(op[i]), P0(PICA_END) };
		struct vs_reject rej = { 0 };

		KUNIT_EXPECT_EQ(test, kt_program(k, VS_STAGE_VERTEX, code, 3, &rej), -ENOEXEC);
		KUNIT_EXPECT_NE(test, rej.reason, 0U);
		KUNIT_EXPECT_EQ(test, rej.offset, 1U);
		KUNIT_EXPECT_EQ(test, rej.field_lo, 26);
		KUNIT_EXPECT_EQ(test, rej.field_hi, 31);
		KUNIT_EXPECT_EQ(test, rej.value, (u32)op[i]);
		KUNIT_EXPECT_GT(test,
				strlen(vs_isa_by_id(VS_ISA_PICA)->reason_text(rej.reason)), 4UL);
	}
	kt_free(k);
}

static void pica_random_words(struct kunit *test)
{
	struct kt *k = kt_new(test);
	u32 seed = 7, round, i, good = 0;
	u32 code[16];

	for (round = 0; round < 2000; round++) {
		for (i = 0; i < ARRAY_SIZE(code); i++) {
			seed = seed * 1664525 + 1013904223;
			code[i] = seed ^ seed >> 15;
		}
		if (kt_program(k, round % 2, code, ARRAY_SIZE(code), NULL))
			continue;
		good++;
		vs_program_destroy(k->prog);
		k->prog = NULL;
	}
	KUNIT_EXPECT_LT(test, good, 2000U);
	kt_free(k);
}

static struct kunit_case prog_cases[] = {
	KUNIT_CASE(prog_accepts),
	KUNIT_CASE(prog_refuses_data),
	KUNIT_CASE(prog_refuses_flow),
	KUNIT_CASE(prog_refuses_header),
	KUNIT_CASE(prog_random_corruption),
	KUNIT_CASE(pica_undefined_opcodes),
	KUNIT_CASE(pica_random_words),
	{ }
};

static struct kunit_suite prog_suite = {
	.name = "vshader_prog",
	.init = prog_init,
	.exit = prog_exit,
	.test_cases = prog_cases,
};

kunit_test_suite(prog_suite);
