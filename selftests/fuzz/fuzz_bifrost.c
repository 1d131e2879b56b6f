// SPDX-License-Identifier: GPL-2.0
/*
 * Bifrost decoder, verifier, disassembler, assembler and lowering: any words, any text. Any
 * words give a listing that assembles to them, including the assembler's own output.
 * Lowered programs have passed the SIMT machine's verification.
 */
#include "fuzz.h"

#include "../include/lower.h"
#include "../../userspace/disasm/bifrost_disasm.h"
#include "vs_as.h"

#define MAX_WORDS	512

static void check_listing(const uint32_t *words, uint32_t n)
{
	static struct vs_as_diag diag;
	int len = bi_listing(words, n, NULL, 0);
	uint32_t *back, nback;
	char *text;

	MUST(len >= 0);
	text = malloc((size_t)len + 1);
	MUST(text);
	MUST(bi_listing(words, n, text, (size_t)len + 1) == len);
	MUST(strlen(text) == (size_t)len);
	MUST(!vs_as_bifrost(text, (size_t)len, &back, &nback, NULL, &diag));
	MUST(nback == n && !memcmp(words, back, 4 * n));
	free(back);
	free(text);
}

static void check_verify(const uint32_t *words, uint32_t n, uint32_t entry, uint32_t gpu)
{
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };
	struct bi_check check = { .gpu = (enum bi_gpu)gpu };
	struct vs_report rep;
	int ret = bi_verify(&src, &rep, &check);

	MUST(!ret || ret == -ENOEXEC);
	if (!ret) {
		MUST(check.clauses && rep.reachable_words);
	} else {
		MUST(check.reject.reason && check.reject.reason < BI_NUM_REASONS);
		MUST(strlen(bi_reason_text(check.reject.reason)) > 10);
	}
}

static void check_lower(const uint32_t *words, uint32_t n, uint32_t entry, uint32_t gpu)
{
	static uint8_t memory[4 << 20] __aligned(64);
	/* it tracks the memory that must be cleared before reuse */
	static struct simt_arena arena = { .base = memory };
	enum vs_stage stage = gpu & 1 ? VS_STAGE_FRAGMENT : VS_STAGE_COMPUTE;
	struct simt_prog *prog;
	struct vs_reject rej;
	uint32_t need;
	int ret;

	arena.size = sizeof(memory);
	simt_arena_reset(&arena, 0);
	ret = bifrost_lower(&arena, words, n / 4, 0x1000, entry, (enum bi_gpu)gpu, stage, 0, &prog,
			    &rej);
	MUST(!ret || (ret == -ENOEXEC && rej.reason && rej.reason < BI_NUM_REASONS));
	if (!ret)
		MUST(prog->nuops);
	simt_arena_reset(&arena, 0);
	MUST(!bifrost_extent(&arena, words, n / 4, entry, &need) && need);
	/* a complete program needs no further words */
	MUST(ret || need <= n / 4);
	arena.size = bifrost_check_bytes(n / 4);
	simt_arena_reset(&arena, 0);
	MUST(bifrost_lower(&arena, words, n / 4, 0x1000, entry, (enum bi_gpu)gpu, stage, 0, NULL,
			   &rej) == ret);
}

/* The same as a fragment program and its two blend programs, cut at a random word. */
static void check_parts(const uint32_t *words, uint32_t n, uint32_t cut, uint32_t gpu)
{
	static uint8_t memory[4 << 20] __aligned(64);
	static struct simt_arena arena = { .base = memory };
	uint32_t quads = n / 4, a = 1 + cut % 16, b = a + 1 + cut / 16;
	const struct bi_part parts[] = {
		{ .nquads = a, .va = 0x1000 },
		{ .first = a, .nquads = b - a, .va = 0x100002000 },
		{ .first = b, .nquads = quads - b, .va = 0x100003000 },
	};
	const struct bi_code code = {
		.words = words, .nquads = quads, .parts = parts, .nparts = ARRAY_SIZE(parts),
	};
	struct simt_prog *prog;
	struct simt_front *f;
	struct vs_reject rej;
	int ret;

	if (b >= quads)
		return;
	arena.size = sizeof(memory);
	simt_arena_reset(&arena, 0);
	ret = bifrost_lower_new(&arena, &code, (enum bi_gpu)gpu, VS_STAGE_FRAGMENT, 0, &f, &rej);
	ret = lower_run(ret, f, &prog, &rej);
	MUST(!ret || (ret == -ENOEXEC && rej.reason && rej.reason < BI_NUM_REASONS));
	if (!ret)
		MUST(prog->nuops);
}

static void check_text(const struct fuzz_in *in)
{
	static struct vs_as_diag diag;
	uint32_t *words, n;

	/* Programs of nothing but zeroes take time and show nothing. */
	if (memmem(in->p, in->left, ".zero", 5))
		return;
	if (vs_as_bifrost((const char *)in->p, in->left, &words, &n, NULL, &diag)) {
		MUST(diag.nerrors);
		return;
	}
	MUST(n && n % 4 == 0);
	check_listing(words, n);
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t words[MAX_WORDS];
	struct fuzz_in in = { data, size };
	uint32_t what = fuzz_u8(&in), n;

	/* Texts begin with a character, words with a number below 16. */
	if (what >= ' ') {
		in = (struct fuzz_in){ data, size };
		check_text(&in);
		return 0;
	}
	n = fuzz_words(&in, words, MAX_WORDS);
	check_verify(words, n, what >> 2 & 3, what & 3);
	check_lower(words, n, what >> 2 & 3, what & 3);
	check_parts(words, n, what * 7, what & 3);
	if (n >= 4)
		check_listing(words, n & ~3U);
	return 0;
}
