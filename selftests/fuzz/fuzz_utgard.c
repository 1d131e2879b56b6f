// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard decoders, verifiers, disassemblers and assemblers: any words, any text. Any words
 * give a listing that assembles to them, including the assembler's own output.
 */
#include "fuzz.h"

#include "../../userspace/disasm/utgard_disasm.h"
#include "../../userspace/lint/lint.h"
#include "vs_as.h"

#define MAX_WORDS	192

static int listing(int pixel, const uint32_t *words, uint32_t n, char *buf, size_t size)
{
	return pixel ? upp_listing(words, n, buf, size) : ugp_listing(words, n, buf, size);
}

static int assemble(int pixel, const char *text, size_t len, uint32_t **words, uint32_t *n,
		    struct vs_as_diag *diag)
{
	return pixel ? vs_as_utgard_pp(text, len, words, n, NULL, diag) :
		       vs_as_utgard_gp(text, len, words, n, NULL, diag);
}

static void check_listing(int pixel, const uint32_t *words, uint32_t n)
{
	static struct vs_as_diag diag;
	int len = listing(pixel, words, n, NULL, 0);
	uint32_t *back, nback;
	char *text;

	MUST(len >= 0);
	text = malloc((size_t)len + 1);
	MUST(text);
	MUST(listing(pixel, words, n, text, (size_t)len + 1) == len);
	MUST(strlen(text) == (size_t)len);
	MUST(!assemble(pixel, text, (size_t)len, &back, &nback, &diag));
	MUST(nback == n && !memcmp(words, back, 4 * n));
	free(back);
	free(text);
}

static void check_vertex(const uint32_t *words, uint32_t n)
{
	uint32_t entry = 0;
	struct vs_src src = { .stage = VS_STAGE_VERTEX, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };
	char text[200] = "";
	struct vs_log log = { .buf = text, .size = sizeof(text) };
	struct vs_report rep;
	struct vs_reject rej;
	int ret = ugp_verify(&src, &rep, &rej);

	MUST(!ret || ret == -ENOEXEC);
	if (!ret) {
		ret = ugp_lint(&src, &log);
		MUST(ret >= 0 && strlen(text) == log.len && !text[0] == !ret);
		return;
	}
	MUST(rej.reason && rej.reason < UGP_NUM_REASONS);
	MUST(strlen(ugp_reason_text(rej.reason)) > 10);
	MUST(rej.reason <= UGP_BAD_ENTRY || ugp_reject_field(&rej));
}

static void check_pixel(const uint32_t *words, uint32_t n, uint32_t entry)
{
	struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };
	char text[200] = "";
	struct vs_log log = { .buf = text, .size = sizeof(text) };
	struct upp_check check;
	struct vs_report rep;
	int ret = upp_verify(&src, &rep, &check);

	MUST(!ret || ret == -ENOEXEC);
	if (!ret) {
		ret = upp_lint(&src, &log);
		MUST(ret >= 0 && strlen(text) == log.len && !text[0] == !ret);
		MUST(check.insns && rep.reachable_words && check.first_count);
		return;
	}
	MUST(check.reject.reason && check.reject.reason < UPP_NUM_REASONS);
	MUST(strlen(upp_reason_text(check.reject.reason)) > 10);
	MUST(check.field <= UPP_NUM_FIELDS && upp_field_name((enum upp_field)check.field));
}

static void check_text(int pixel, const struct fuzz_in *in)
{
	static struct vs_as_diag diag;
	uint32_t *words, n;

	if (assemble(pixel, (const char *)in->p, in->left, &words, &n, &diag)) {
		MUST(diag.nerrors);
		return;
	}
	MUST(n);
	check_listing(pixel, words, n);
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t words[MAX_WORDS];
	struct fuzz_in in = { data, size };
	uint32_t what = fuzz_u8(&in), n;

	/* Texts begin with a character, words with a number below 32. */
	if (what >= ' ') {
		in = (struct fuzz_in){ data, size };
		check_text(0, &in);
		check_text(1, &in);
		return 0;
	}
	n = fuzz_words(&in, words, MAX_WORDS);
	check_vertex(words, n);
	check_pixel(words, n, what);
	if (!n)
		return 0;
	check_listing(1, words, n);
	if (n >= 4)
		check_listing(0, words, n & ~3U);
	return 0;
}
