// SPDX-License-Identifier: GPL-2.0
/*
 * Midgard decoder, verifier, disassembler and assembler: any words, any text. Any words give a
 * listing that assembles to them, including the assembler's own output.
 */
#include "fuzz.h"

#include "../include/lower.h"
#include "../../userspace/disasm/midgard_disasm.h"
#include "vs_as.h"

#define MAX_WORDS	512

static void check_listing(const uint32_t *words, uint32_t n)
{
	static struct vs_as_diag diag;
	int len = mg_listing(words, n, NULL, 0);
	uint32_t *back, nback;
	char *text;

	MUST(len >= 0);
	text = malloc((size_t)len + 1);
	MUST(text);
	MUST(mg_listing(words, n, text, (size_t)len + 1) == len);
	MUST(strlen(text) == (size_t)len);
	MUST(!vs_as_midgard(text, (size_t)len, &back, &nback, NULL, &diag));
	MUST(nback == n && !memcmp(words, back, 4 * n));
	free(back);
	free(text);
}

static void check_source(const struct mg_alu *a, const struct mg_src *s)
{
	uint32_t i;

	if (s->kind == MG_SRC_IMM)
		return;
	MUST(s->bits == 8 || s->bits == 16 || s->bits == 32 || s->bits == 64);
	for (i = 0; i < a->nlanes; i++)
		MUST(s->elem[i] < 128 / s->bits);
}

/* A decoded bundle names existing registers only, and can be encoded again. */
static void check_bundle(const uint32_t *words, uint32_t nquads)
{
	uint32_t back[4 * MG_BUNDLE_QUADS], i;
	struct mg_where where = { 0 };
	struct mg_bundle b;

	if (mg_bundle_decode(words, nquads, &b, &where)) {
		MUST(where.hi >= where.lo && where.hi < 512);
		return;
	}
	MUST(b.quads && b.quads <= nquads);
	MUST(mg_bundle_encode(&b, back) == b.quads && !memcmp(words, back, 16 * b.quads));
	for (i = 0; i < b.nalu; i++) {
		MUST(b.alu[i].nlanes && b.alu[i].nlanes <= MG_MAX_LANES);
		check_source(&b.alu[i], &b.alu[i].src[0]);
		check_source(&b.alu[i], &b.alu[i].src[1]);
	}
	if (mg_bundle_check(&b, MG_T860, &where))
		MUST(where.hi >= where.lo && where.hi < 128 * b.quads);
}

static void check_verify(const uint32_t *words, uint32_t n, uint32_t entry, uint32_t gpu)
{
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };
	struct mg_check check = { .gpu = (enum mg_gpu)gpu };
	struct vs_report rep;
	int ret = mg_verify(&src, &rep, &check);

	MUST(!ret || ret == -ENOEXEC);
	if (!ret) {
		MUST(check.bundles && rep.reachable_words);
		return;
	}
	MUST(check.reject.reason && check.reject.reason < MG_NUM_REASONS);
	MUST(check.reject.field_lo <= check.reject.field_hi && check.reject.field_hi < 128);
	MUST(strlen(mg_reason_text(check.reject.reason)) > 10);
}

/* A fragment program and its two blend programs, cut at a random word. */
static void check_parts(const uint32_t *words, uint32_t n, uint32_t cut, uint32_t gpu)
{
	static uint8_t memory[4 << 20] __aligned(64);
	static struct simt_arena arena = { .base = memory };
	uint32_t quads = n / 4, a = 1 + cut % 16, b = a + 1 + cut / 16;
	const struct mg_part parts[] = {
		{ .nquads = a, .va = 0x1000 },
		{ .first = a, .nquads = b - a, .va = 0x100002000 },
		{ .first = b, .nquads = quads - b, .va = 0x100003000 },
	};
	const struct mg_code code = {
		.words = words, .nquads = quads, .parts = parts, .nparts = ARRAY_SIZE(parts),
		.va = 0x1000, .gpu = (enum mg_gpu)gpu, .stage = VS_STAGE_FRAGMENT, .uniforms = 4,
	};
	struct simt_prog *prog;
	struct vs_reject rej;
	int ret;

	if (b >= quads)
		return;
	arena.size = sizeof(memory);
	simt_arena_reset(&arena, 0);
	ret = midgard_lower(&arena, &code, &prog, &rej);
	MUST(!ret || (ret == -ENOEXEC && rej.reason && rej.reason < MG_LAST_REASON));
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
	if (vs_as_midgard((const char *)in->p, in->left, &words, &n, NULL, &diag)) {
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

	/* Texts begin with a character, words with a number below 8. */
	if (what >= ' ') {
		in = (struct fuzz_in){ data, size };
		check_text(&in);
		return 0;
	}
	n = fuzz_words(&in, words, MAX_WORDS);
	check_verify(words, n, what >> 1 & 3, what & 1);
	if (n >= 4) {
		check_bundle(words, n / 4);
		check_listing(words, n & ~3U);
		/* the second blend program begins one quad, or nine, after the first */
		check_parts(words, n, what >> 1 | (n & 1) << 7, what & 1);
	}
	return 0;
}
