// SPDX-License-Identifier: GPL-2.0
/* Bifrost assembler: programs written by hand, labels, errors. */
#include "bifrost_test.h"

/* A loop, all three ways of operands, without register blocks and constants. */
static const char loop_text[] =
	"// sums 0..9 into r0\n"
	"start:\n"
	"ds(0) nbb ncph\n"
	"{\n"
	"	*MOV.i32 r0:t0, #0\n"
	"	+NOP t1\n"
	"	+MOV.i32 r1:t1, 0x00000000\n"
	"}\n"
	"again:\n"
	"ds(0) nbb r_uncond ncph\n"
	"{\n"
	"	*NOP t0\n"
	"	+IADD.s32 r0:t1, r0, r1\n"
	"	*NOP t0\n"
	"	+IADD.s32 r1:t1, r1, 0x00000001\n"
	"	*NOP t0\n"
	"	+ICMP.s32.m1.gt t1, 0x0000000a, t1\n"
	"	*NOP t0\n"
	"	+BRANCHZ.i16.eq t1, t1.h0, done\n"
	"}\n"
	"ds(0) nbb\n"
	"{\n"
	"	+JUMP t1, again\n"
	"}\n"
	"done:\n"
	"ds(0) eos store\n"
	"{\n"
	"	+STORE.i32 t1, u0.w0, u0.w1, @r0\n"
	"}\n";

static void test_loop(void)
{
	u32 *words = NULL, n = 0, entry = 0;
	struct bi_check check = { .gpu = BI_G52 };
	char msg[300] = "", *text = NULL;
	struct vs_report rep;
	bool ok = bi_test_assemble(loop_text, &words, &n, msg, sizeof(msg));

	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "a loop is assembled without register blocks");
	if (ok) {
		struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words },
				      .nwords = { n }, .entries = &entry, .nentries = 1 };

		ok = !bi_verify(&src, &rep, &check);
		if (!ok)
			tap_comment("%s", bi_reason_text(check.reject.reason));
		text = bi_test_listing(words, n);
	}
	tap_result(ok && check.clauses == 4 && rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP) &&
		   !check.indirect, "it is accepted: four clauses, a loop");
	tap_result(text && strstr(text, "+JUMP t1, clause_3\n") &&
		   strstr(text, "+BRANCHZ.i16.eq t1, t1.h0, clause_9\n") &&
		   strstr(text, ", 0x0000000a, t1"), "labels and constants are where they belong");
	if (text && (!strstr(text, "clause_3\n") || !strstr(text, "clause_9\n")))
		tap_comment("%s", text);
	free(text);
	free(words);
}

/* Words worked out by hand from the description of the fields. */
static void test_words(void)
{
	static const char text[] = "ds(0) eos\n{\n*MOV.i32 t0, r5\n+NOP t1\n}\n";
	/*
	 * Tag 0x48 | upper bits of the tuple (0x3d964 >> 17). Register block: port 0 reads
	 * r5, port 1 off and idle (control 8 in its field): 5 << 20 | 32 << 25.
	 */
	u64 regs = 5ULL << 20 | 32ULL << 25, fma = 0x701968, add = 0x3d964;
	u64 lo = 0x49 | regs << 8 | fma << 43;
	u64 hi = fma >> 21 | (add & 0x1ffff) << 2;
	u32 want[4] = { (u32)lo, (u32)(lo >> 32), (u32)hi, (u32)(hi >> 32) };
	u32 *words = NULL, n = 0;
	char msg[300];
	bool ok = bi_test_assemble(text, &words, &n, msg, sizeof(msg));

	ok = ok && n == 4 && !memcmp(words, want, sizeof(want));
	if (!ok && n == 4)
		tap_comment("%08x %08x %08x %08x, not %08x %08x %08x %08x", words[0], words[1],
			    words[2], words[3], want[0], want[1], want[2], want[3]);
	tap_result(ok, "a clause has the words that were worked out by hand");
	free(words);
}

#define HEAD	"ds(0) eos\n{\n"
#define TAIL	"}\n"

static const struct {
	const char *text;
	const char *error;
} bad[] = {
	{ "", "no clauses" },
	{ "{\n" TAIL, "without a header" },
	{ "ds(0) eos\n", "not complete" },
	{ HEAD TAIL, "without tuples" },
	{ HEAD "+NOP t1\n", "not complete" },
	{ "ds(9) eos\n{\n+NOP t1\n" TAIL, "unknown word" },
	{ "ds(0)\n{\n+NOP t1\n" TAIL, "lacks flow control" },
	{ "ds(0) eos bogus\n{\n+NOP t1\n" TAIL, "unknown word" },
	{ "ds(0) eos dwb(8)\n{\n+NOP t1\n" TAIL, "0 to 7" },
	{ HEAD "+BOGUS t1, r0\n" TAIL, "unknown operation" },
	{ HEAD "*IADD.s32 t0, r0, r1\n" TAIL, "unknown operation" },
	{ HEAD "+IADD.s32.bogus t1, r0, r1\n" TAIL, "does not have" },
	{ HEAD "+IADD.s32 t1, r0\n" TAIL, "does not have" },
	{ HEAD "+IADD.s32 t1, r0, r1, r2\n" TAIL, "does not have" },
	{ HEAD "+IADD.s32 t1, r64, r1\n" TAIL, "does not read r64" },
	{ HEAD "+IADD.s32 t1, u128.w0, r1\n" TAIL, "does not read" },
	{ HEAD "+IADD.s32 t1, u0.w0, u1.w0\n" TAIL, "two special values" },
	{ HEAD "+IADD.s32 t1, u0.w0, 0x00000001\n" TAIL, "and a special value" },
	{ HEAD "+JUMP t1, nowhere\n" TAIL, "does not read nowhere" },
	{ HEAD "*CSEL.i32.eq t0, r0, r1, r2, r3\n" TAIL, "more than three registers" },
	{ HEAD ".ports 0:r0\n+IADD.s32 t1, r0, r1\n" TAIL, "does not read r1" },
	{ HEAD ".ports 0:r0\n+MOV.i32 r1:t1, r0\n" TAIL, "the destination is t1" },
	{ HEAD ".ports 4:r0\n+NOP t1\n" TAIL, "not the use of a port" },
	{ HEAD ".ports 2:r0=add\n+NOP t1\n" TAIL, "not the use of a port" },
	{ HEAD ".ports 0:r5 1:r2\n+NOP t1\n" TAIL, "cannot be used like this" },
	{ HEAD "*MOV.i32 r0:t0, #0\n+MOV.i32 r1:t1, t\n" TAIL, "cannot write both" },
	{ HEAD ".regs 0x800000000\n+NOP t1\n" TAIL, "35 bits" },
	{ HEAD ".const 0x1\n.ports\n+NOP t1\n" TAIL, "low four bits" },
	{ HEAD ".const 0x10\n.ports\n+NOP t1\n" TAIL, "cannot have 1 constants" },
	{ HEAD "*.bits 0x800000\n" TAIL, "23 or 20 bits" },
	{ HEAD "+LOAD.i32 t1, r0, r1, @r2\n+STORE.i32 t1, r0, r1, @r3\n" TAIL,
	  "one staging register" },
	{ HEAD "+LOAD.i32 t1, r0, r1, @x2\n" TAIL, "not a register" },
	{ "a:\na:\n" HEAD "+NOP t1\n" TAIL, "is in line" },
	{ ".quad 1 2 3\n", "four words" },
	{ ".zero 0\n", "no quads" },
	{ ".zero 70000\n", "number of quads" },
	{ ".zero 65536\n.zero 1\n", "too long" },
	{ ".bogus\n", "unknown directive" },
	{ HEAD "+NOP t1\n+NOP t1\n+NOP t1\n+NOP t1\n+NOP t1\n+NOP t1\n+NOP t1\n+NOP t1\n"
	  "+NOP t1\n" TAIL, "more than eight tuples" },
};

static void test_errors(void)
{
	u32 *words, n, i, missed = 0;
	char msg[300];

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		words = NULL;
		snprintf(msg, sizeof(msg), "accepted");
		if (!bi_test_assemble(bad[i].text, &words, &n, msg, sizeof(msg)) &&
		    strstr(msg, bad[i].error))
			continue;
		tap_comment("\"%s\": %s, not \"%s\"", bad[i].text, msg, bad[i].error);
		missed++;
		free(words);
	}
	tap_result(!missed, "%zu wrong sources have their messages", ARRAY_SIZE(bad));
}

/* Text that has been damaged is assembled or refused, nothing else. */
static void test_damage(void)
{
	char text[sizeof(loop_text)], msg[300];
	u32 i, k, n, accepted = 0;
	u32 *words;

	for (i = 0; i < 3000; i++) {
		memcpy(text, loop_text, sizeof(text));
		for (k = 0; k < 1 + i % 4; k++)
			text[test_rand() % (sizeof(text) - 1)] =
				"\n ,.:{}()*+#@0r9tu_x"[test_rand() % 20];
		words = NULL;
		accepted += bi_test_assemble(text, &words, &n, msg, sizeof(msg));
		free(words);
	}
	tap_result(accepted && accepted < i, "%u damaged sources: %u assembled, the others refused",
		   i, accepted);
}

int main(void)
{
	test_loop();
	test_words();
	test_errors();
	test_damage();
	return tap_done();
}
