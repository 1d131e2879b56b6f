// SPDX-License-Identifier: GPL-2.0
/* Bifrost verification: reject reasons; robustness against arbitrary bytes. */
#include "bifrost_test.h"

static int check_words(const u32 *words, u32 n, enum bi_gpu gpu, struct bi_check *check,
		       struct vs_report *rep)
{
	u32 entry = 0;
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };

	memset(check, 0, sizeof(*check));
	check->gpu = gpu;
	return bi_verify(&src, rep, check);
}

#define NOP	"\n{\n+NOP t1\n}\n"
#define OPS(s)	"\n{\n" s "}\n"

/* GPUs that accept a program, and why the others reject it. */
static const struct {
	const char *text;
	u32 gpus;
	enum bi_reason reason;
} programs[] = {
	{ "ds(0) eos" NOP, 15, BI_OK },
	{ "ds(0) nbb" NOP "ds(0) eos" NOP, 15, BI_OK },
	{ "ds(0) nbb" NOP, 0, BI_RUNS_OFF },
	{ ".zero 1\n", 0, BI_BAD_TAG },
	{ ".quad 0x29 0 0 0\n", 0, BI_BAD_TAG },
	{ ".quad 0x29 0 0 0\n.quad 0x21 0 0 0\n.quad 0x04 0 0 0\n", 0, BI_TRUNCATED },
	{ ".header 0x000000000001" OPS("+NOP t1\n"), 0, BI_BAD_HEADER },
	{ ".header 0x005800000000" OPS("+NOP t1\n"), 0, BI_BAD_HEADER },
	{ "ds(0) eos" OPS(".regs 0x0\n+NOP t1\n.regs 0x0\n+NOP t1\n"), 0, BI_BAD_PORTS },
	{ "ds(0) eos" OPS("*.bits 0x7fffff\n"), 0, BI_BAD_FMA },
	{ "ds(0) eos" OPS("+.bits 0xfffff\n"), 0, BI_BAD_ADD },
	{ "ds(0) eos" OPS(".ports\n+MOV.i32 t1, port0\n"), 0, BI_BAD_SOURCE },
	{ "ds(0) eos" OPS(".ports\n*.bits 0x70196a\n"), 0, BI_BAD_SOURCE },
	{ "ds(0) eos" OPS(".ports fau:0x07\n+MOV.i32 t1, fau.lo\n"), 0, BI_BAD_FAU },
	{ "ds(0) eos" OPS(".ports fau:0x40\n+MOV.i32 t1, fau.lo\n"), 0, BI_BAD_FAU },
	{ "ds(0) eos" OPS("+LOAD.i32 t1, r0, r1, @r2\n"), 0, BI_BAD_MESSAGE },
	{ "ds(0) eos load" OPS("+LOAD.i32 t1, r0, r1, @r2\n"), 15, BI_OK },
	{ "ds(0) eos load" OPS("+LOAD.i32.ubo t1, r0, r1, @r2\n"), 0, BI_BAD_MESSAGE },
	{ "ds(0) eos attr" OPS("+LOAD.i32.ubo t1, r0, r1, @r2\n"), 15, BI_OK },
	{ "ds(0) eos store" NOP, 0, BI_BAD_MESSAGE },
	{ "ds(0) eos" OPS("+JUMP t1, r0\n+NOP t1\n"), 0, BI_BAD_PLACE },
	{ "ds(0) eos atomic" OPS("*ATOM_C_RETURN.i32.aadd t0, r0, r1, r2\n"
				 "+ATOM_CX t1, r0, r1, r2, @r2\n+NOP t1\n"), 15, BI_OK },
	{ "ds(0) nbb" OPS("+JUMP t1, clause_99\n"), 0, BI_BAD_TARGET },
	{ "ds(0) nbb" OPS("+JUMP t1, clause_-1\n"), 0, BI_BAD_TARGET },
	{ "ds(0) nbb" OPS("+JUMP t1, clause_0\n"), 15, BI_OK },
	{ "ds(0) nbb" OPS("+JUMP t1, clause_1\n"), 0, BI_BAD_TAG },
	{ "ds(0) nbb" OPS("+JUMP t1, r0\n") ".quad 1 2 3 4\n", 15, BI_OK },
	{ "ds(0) eos" OPS(".const 0x3000000000000000\n.const 0x0\n.ports\n+NOP t1\n"), 0,
	  BI_BAD_CONST },
	{ "ds(0) eos" OPS("+FRCP.f32 t1, r0\n"), 15, BI_OK },
	{ "ds(0) eos" OPS("+FRSQ.f32 t1, r0\n"), 14, BI_BAD_GPU },
	{ "ds(0) eos" OPS("+FRCP_APPROX.f32 t1, r0\n"), 15, BI_OK },
	{ "ds(0) eos" OPS("+CLPER.i32.subgroup4.zero t1, r0, r1\n"), 8, BI_BAD_GPU },
	{ "ds(0) eos" OPS("+CLPER_OLD.i32 t1, r0, r1\n"), 7, BI_BAD_GPU },
};

static bool try_program(u32 i)
{
	u32 *words = NULL, n, gpu, bad = 0;
	struct bi_check check;
	struct vs_report rep;
	char msg[300];

	if (!bi_test_assemble(programs[i].text, &words, &n, msg, sizeof(msg))) {
		tap_comment("\"%s\": %s", programs[i].text, msg);
		return false;
	}
	for (gpu = 0; gpu < BI_NUM_GPUS; gpu++) {
		bool accept = programs[i].gpus >> gpu & 1;
		int ret = check_words(words, n, (enum bi_gpu)gpu, &check, &rep);

		if (accept ? !ret : ret == -ENOEXEC && check.reject.reason == programs[i].reason)
			continue;
		tap_comment("\"%s\" on %s: %d, %s", programs[i].text,
			    bi_gpu_name((enum bi_gpu)gpu), ret,
			    bi_reason_text(check.reject.reason));
		bad++;
	}
	free(words);
	return !bad;
}

static void test_programs(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		bad += !try_program(i);
	tap_result(!bad, "%zu programs are accepted or rejected as they should be",
		   ARRAY_SIZE(programs));
}

static void test_sources(void)
{
	u32 words[4] = { }, entry = 0, far = 1;
	struct vs_src src = { .stage = VS_STAGE_GEOMETRY, .words = { words }, .nwords = { 4 },
			      .entries = &entry, .nentries = 1 };
	struct bi_check check = { };
	struct vs_report rep;
	bool ok;

	ok = bi_verify(&src, &rep, &check) == -ENOEXEC && check.reject.reason == BI_BAD_STAGE;
	src.stage = VS_STAGE_COMPUTE;
	src.nwords[0] = 3;
	ok = ok && bi_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == BI_BAD_SIZE;
	src.nwords[0] = 4;
	src.entries = &far;
	ok = ok && bi_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == BI_BAD_ENTRY;
	tap_result(ok, "stages, sizes and entry points are checked");
	/* A clause with reserved bits: the second quad of a clause of two tuples. */
	{
		u32 two[8] = { 0x28, 0, 0, 0, 0x43, 0, 0x100000, 0 };

		ok = check_words(two, 8, BI_G52, &check, &rep) == -ENOEXEC &&
		     check.reject.reason == BI_BAD_RESERVED;
		tap_result(ok, "reserved bits of a clause are rejected");
	}
}

/* Random programs, and good ones with bits changed. */
static void test_random(void)
{
	static u32 words[4 * BI_CLAUSE_QUADS * 16];
	u32 seen[BI_NUM_REASONS] = { }, i, k, n, kinds = 0, odd = 0;
	struct bi_check check;
	struct vs_report rep;
	struct bi_clause c;
	int ret;

	for (i = 0; i < 20000; i++) {
		for (k = 0, n = 0; k < 1 + i % 16; k++) {
			bi_test_clause(&c, i % 3);
			n += 4 * bi_clause_encode(&c, words + n);
		}
		for (k = 0; k < i % 5; k++)
			words[test_rand() % n] ^= 1U << test_rand() % 32;
		ret = check_words(words, n, (enum bi_gpu)(i % BI_NUM_GPUS), &check, &rep);
		odd += ret && (ret != -ENOEXEC || !check.reject.reason ||
			       check.reject.reason >= BI_NUM_REASONS ||
			       check.reject.offset >= n / 4);
		seen[ret ? check.reject.reason % BI_NUM_REASONS : 0]++;
	}
	for (i = 0; i < BI_NUM_REASONS; i++)
		kinds += !!seen[i];
	tap_result(!odd && kinds > 8, "20000 random programs: %u kinds of results, %u accepted",
		   kinds, seen[0]);
}

static u32 rejected, seconds;

static void try_file(const struct bi_test_file *f)
{
	const u32 entries[2] = { 0, f->second };
	struct vs_src src = { .stage = VS_STAGE_VERTEX, .words = { f->words },
			      .nwords = { f->nwords }, .entries = entries,
			      .nentries = f->second ? 2 : 1 };
	struct bi_check check = { .gpu = f->gpu };
	struct vs_report rep;

	seconds += !!f->second;
	if (!bi_verify(&src, &rep, &check) && check.clauses >= src.nentries)
		return;
	tap_comment("%s: quad %u: %s", f->name, check.reject.offset,
		    bi_reason_text(check.reject.reason));
	rejected++;
}

int main(int argc, char **argv)
{
	u32 n;

	test_programs();
	test_sources();
	test_random();
	n = bi_test_corpus(argc, argv, try_file);
	if (n)
		tap_result(!rejected,
			   "%u of %u binaries, %u with two programs, are accepted for their GPU",
			   n - rejected, n, seconds);
	else
		tap_skip("no corpus", "binaries of the corpus");
	return tap_done();
}
