// SPDX-License-Identifier: GPL-2.0
/*
 * QPU assembler: any text. The listing of its output must assemble to the same words.
 */
#include "fuzz.h"

#include "../../userspace/disasm/qpu_disasm.h"
#include "vs_as.h"

static int load(void *ctx, const char *name, char **text, size_t *len)
{
	/* The source includes itself. */
	const struct fuzz_in *in = ctx;

	*text = malloc(in->left ? in->left : 1);
	MUST(*text);
	memcpy(*text, in->p, in->left);
	*len = in->left;
	return name[0] == 's' ? 0 : (free(*text), -2);
}

static void check_again(const struct vs_as_program *res)
{
	static struct vs_as_diag diag;
	struct vs_as_program again;
	struct vs_src src = { 0 };
	char *text;
	int len;

	src.stage = (enum vs_stage)res->stage;
	src.words[VS_SECTION_CODE] = res->words;
	src.nwords[VS_SECTION_CODE] = res->nwords;
	src.entries = res->entries;
	src.nentries = res->nentries;
	len = qpu_listing(&src, NULL, 0);
	MUST(len > 0);
	text = malloc((size_t)len + 1);
	MUST(text && qpu_listing(&src, text, (size_t)len + 1) == len);
	MUST(!vs_as_qpu(text, (size_t)len, NULL, &again, &diag));
	MUST(again.nwords == res->nwords && again.nentries == res->nentries);
	MUST(!memcmp(again.words, res->words, 4 * res->nwords));
	MUST(!memcmp(again.entries, res->entries, 4 * res->nentries));
	MUST(again.stage == res->stage);
	vs_as_program_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct vs_as_diag diag;
	struct fuzz_in in = { data, size };
	struct vs_as_options opt = { .load = load, .ctx = &in };
	struct vs_as_program res;
	uint32_t i;
	char *text;
	int ret;

	/* exact size: sanitizers detect reads past the end */
	text = malloc(size ? size : 1);
	MUST(text);
	memcpy(text, data, size);
	ret = vs_as_qpu(text, size, &opt, &res, &diag);
	free(text);
	MUST(diag.nmessages <= VS_AS_MAX_MESSAGES);
	for (i = 0; i < diag.nmessages; i++)
		MUST(memchr(diag.messages[i].text, 0, sizeof(diag.messages[i].text)));
	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(ret != -22 || diag.nerrors);
		MUST(!res.words && !res.entries && !res.debug.labels);
		return 0;
	}
	MUST(!diag.nerrors && res.nwords && !(res.nwords & 1) && res.nentries);
	if (res.nwords < 4096)
		check_again(&res);
	vs_as_program_free(&res);
	return 0;
}
