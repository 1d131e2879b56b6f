// SPDX-License-Identifier: GPL-2.0
/*
 * MBS1 loader and writer: a second round trip reproduces the first, and the programs pass
 * through the verifiers.
 */
#include "fuzz.h"

#include "isa/utgard/utgard_pp.h"
#include "isa/utgard/utgard_gp.h"
#include "mbs1.h"

static void verify(const struct vs_mbs1_program *p)
{
	uint32_t entry = 0;
	struct vs_src src = { .words = { p->code }, .nwords = { p->ncode }, .entries = &entry,
			      .nentries = 1 };
	struct upp_check check;
	struct vs_report rep;
	struct vs_reject rej;

	if (p->stage == VS_MBS1_VERTEX) {
		src.stage = VS_STAGE_VERTEX;
		MUST(p->ncode % 4 == 0 && p->instructions <= p->ncode / 4);
		ugp_verify(&src, &rep, &rej);
	} else {
		src.stage = VS_STAGE_FRAGMENT;
		upp_verify(&src, &rep, &check);
	}
}

static void check_symbols(const struct vs_mbs1_program *p)
{
	uint32_t kind, i;

	for (kind = 0; kind < VS_MBS1_NUM_KINDS; kind++) {
		for (i = 0; i < p->tables[kind].n; i++) {
			const struct vs_mbs1_symbol *s = &p->tables[kind].symbols[i];

			MUST(s->name && vs_mbs1_symbol(p, (enum vs_mbs1_kind)kind, s->name));
			MUST(s->parent == VS_MBS1_NONE || s->parent < p->tables[kind].n);
			MUST(!s->ninit || s->init);
			vs_mbs1_type_name(s->type);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_mbs1 *mbs = NULL, *again = NULL;
	void *out = NULL, *out2 = NULL;
	size_t len = 0, len2 = 0;
	struct vs_error err;
	uint32_t i;
	int ret;

	ret = vs_mbs1_parse(data, size, &mbs, &err);
	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(err.text[0] && memchr(err.text, 0, sizeof(err.text)));
		MUST(err.offset <= size);
		return 0;
	}
	MUST(mbs->n && mbs->n <= VS_MBS1_MAX_PROGRAMS);
	for (i = 0; i < mbs->n; i++) {
		verify(&mbs->programs[i]);
		check_symbols(&mbs->programs[i]);
	}
	MUST(!vs_mbs1_write(mbs, &out, &len));
	MUST(!vs_mbs1_parse(out, len, &again, &err));
	MUST(again->n == mbs->n);
	for (i = 0; i < mbs->n; i++) {
		MUST(again->programs[i].ncode == mbs->programs[i].ncode);
		MUST(!memcmp(again->programs[i].code, mbs->programs[i].code,
			     4 * mbs->programs[i].ncode));
	}
	MUST(!vs_mbs1_write(again, &out2, &len2));
	MUST(len == len2 && !memcmp(out, out2, len));
	free(out);
	free(out2);
	vs_mbs1_free(again);
	vs_mbs1_free(mbs);
	return 0;
}
