// SPDX-License-Identifier: GPL-2.0
/*
 * QPU verifier and disassembler: any words. Verification ends, counts its warnings, points
 * into the program; the text of a defined instruction assembles to the same word.
 */
#include "fuzz.h"

#include "../../userspace/disasm/qpu_disasm.h"
#include "../../userspace/lint/qpu_lint.h"
#include "vs_as.h"

#define MAX_WORDS	2048

static void check_lints(const struct vs_lints *found, uint32_t ninsns)
{
	uint32_t i;

	for (i = 0; i < found->n && i < found->max; i++) {
		MUST(found->list[i].code < QPU_NUM_LINTS);
		MUST(found->list[i].offset < ninsns);
		MUST(!i || found->list[i].offset >= found->list[i - 1].offset);
	}
}

static void check_text(const struct vs_src *src, uint32_t offset)
{
	static struct vs_as_diag diag;
	struct vs_as_program res;
	char text[QPU_MAX_TEXT];

	if (qpu_disasm(src, offset, text, sizeof(text)) < 0)
		return;
	MUST(!vs_as_qpu(text, strlen(text), NULL, &res, &diag));
	MUST(res.nwords == 2);
	MUST(!memcmp(res.words, src->words[VS_SECTION_CODE] + 2 * offset, 8));
	vs_as_program_free(&res);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t words[MAX_WORDS];
	static struct vs_lint_warning lints[32];
	struct vs_lints found = { .list = lints, .max = 32 };
	struct fuzz_in in = { data, size };
	struct vs_report rep;
	struct vs_reject rej;
	struct vs_src src = { 0 };
	uint32_t entries[2], n;
	int ret;

	src.stage = fuzz_u8(&in) & 1 ? VS_STAGE_FRAGMENT : VS_STAGE_COMPUTE;
	entries[0] = fuzz_u8(&in) & 3;
	entries[1] = fuzz_u8(&in);
	src.nentries = fuzz_u8(&in) & 1 ? 2 : 1;
	src.entries = entries;
	n = fuzz_words(&in, words, MAX_WORDS);
	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = n;
	ret = qpu_check_program(&src, &rep, &rej);
	MUST(!ret || ret == -ENOEXEC);
	if (ret) {
		MUST(rej.reason > QPU_OK && rej.reason < QPU_NUM_REASONS);
		MUST(rej.field_lo <= rej.field_hi && rej.field_hi < 64);
		MUST(qpu_reason_text(rej.reason));
	} else {
		MUST(rep.code_words == n / 2 && rep.reachable_words <= rep.code_words);
		MUST(!qpu_lint(&src, &found));
		check_lints(&found, n / 2);
	}
	if (n >= 2)
		check_text(&src, fuzz_next(&n) % (src.nwords[VS_SECTION_CODE] / 2));
	return 0;
}
