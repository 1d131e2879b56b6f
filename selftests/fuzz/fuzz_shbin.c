// SPDX-License-Identifier: GPL-2.0
/*
 * SHBIN loader and writer: a second round trip reproduces the first, and the programs
 * pass through the verifier.
 */
#include "fuzz.h"

#include "isa/isa.h"
#include "shbin.h"

static void verify(const struct vs_shbin *bin)
{
	uint32_t i;

	for (i = 0; i < bin->ndvles && i < 8; i++) {
		struct vs_src src = {
			.stage = bin->dvles[i].type == VS_SHBIN_GEOMETRY ? VS_STAGE_GEOMETRY :
				 VS_STAGE_VERTEX,
			.words = { bin->code, bin->opdesc },
			.nwords = { bin->ncode, bin->nopdesc },
			.entries = &bin->dvles[i].entry,
			.nentries = 1,
		};
		struct vs_program *prog = NULL;
		struct vs_reject rej = { 0 };

		if (!vs_program_create(vs_isa_by_id(VS_ISA_PICA), &src, &rej, NULL, &prog))
			vs_program_destroy(prog);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_error err = { .offset = 0, .text = "" };
	struct vs_shbin *bin = NULL, *again = NULL;
	void *out = NULL, *out2 = NULL;
	size_t len = 0, len2 = 0;
	int ret;

	ret = vs_shbin_parse(data, size, &bin, &err);
	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(err.text[0] && memchr(err.text, 0, sizeof(err.text)));
		MUST(err.offset <= size);
		return 0;
	}
	MUST(bin->ncode <= VS_SHBIN_MAX_CODE && bin->nopdesc <= VS_SHBIN_MAX_OPDESC);
	vs_shbin_find_label(bin->ndvles ? &bin->dvles[0] : &(struct vs_shbin_dvle){ 0 }, "main");
	verify(bin);
	if (!vs_shbin_write(bin, &out, &len)) {
		MUST(vs_shbin_parse(out, len, &again, &err) == 0);
		MUST(again->ncode == bin->ncode && again->nopdesc == bin->nopdesc);
		MUST(again->ndvles == bin->ndvles);
		MUST(!memcmp(again->code, bin->code, 4 * bin->ncode));
		MUST(vs_shbin_write(again, &out2, &len2) == 0);
		MUST(len == len2 && !memcmp(out, out2, len));
	}
	free(out);
	free(out2);
	vs_shbin_free(again);
	vs_shbin_free(bin);
	return 0;
}
