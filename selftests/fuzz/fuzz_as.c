// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 assembler: any text; its output must be a container that can be written and
 * read again.
 */
#include "fuzz.h"

#include "shbin.h"
#include "vs_as.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct vs_as_diag diag;
	struct vs_as_result res = { 0 };
	struct vs_shbin *again = NULL;
	struct vs_error err;
	void *out = NULL;
	size_t len = 0;
	char *text;
	int ret;
	uint32_t i;

	/* exact size: sanitizers detect reads past the end */
	text = malloc(size ? size : 1);
	MUST(text);
	memcpy(text, data, size);
	memset(&diag, 0, sizeof(diag));
	ret = vs_as_pica(text, size, &res, &diag);
	free(text);
	MUST(diag.nmessages <= VS_AS_MAX_MESSAGES);
	for (i = 0; i < diag.nmessages; i++)
		MUST(memchr(diag.messages[i].text, 0, sizeof(diag.messages[i].text)));
	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(ret != -22 || diag.nerrors);
		return 0;
	}
	MUST(!diag.nerrors && res.bin && res.nentries);
	if (!vs_shbin_write(res.bin, &out, &len)) {
		MUST(vs_shbin_parse(out, len, &again, &err) == 0);
		MUST(again->ncode == res.bin->ncode);
		MUST(!memcmp(again->code, res.bin->code, 4 * again->ncode));
		vs_shbin_free(again);
		free(out);
	}
	vs_as_result_free(&res);
	return 0;
}
