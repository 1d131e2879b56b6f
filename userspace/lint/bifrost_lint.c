// SPDX-License-Identifier: MIT
/*
 * Warnings about Bifrost programs: entry points that no job can start at.
 */
#include "isa/bifrost/bifrost_lower.h"
#include "isa/bifrost/bifrost_verify.h"
#include "lint.h"

#define MAX_TRIED 8	/* entries */

static int lint_entry(struct simt_arena *arena, const struct vs_src *src, u32 nquads, u32 entry,
		      struct vs_reject *rej)
{
	const struct bi_part all = { .nquads = nquads };
	const struct bi_code code = {
		.words = src->words[VS_SECTION_CODE], .nquads = nquads, .parts = &all,
		.nparts = 1, .entry = entry,
	};
	struct simt_front *f;
	u32 left;
	int ret;

	simt_arena_reset(arena, 0);
	ret = bifrost_lower_new(arena, &code, BI_NUM_GPUS, src->stage, BI_LOWER_CHECK, &f, rej);
	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
		ret = simt_front_step(f, &left, NULL, rej);
	} while (ret == -EAGAIN);
	return ret;
}

int bi_lint(const struct vs_src *src, struct vs_log *log)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, n = min_t(u32, src->nentries, MAX_TRIED), i;
	struct simt_arena arena = { .size = bifrost_check_bytes(nquads) };
	struct vs_reject rej;
	int ret = 0, found = 0;

	arena.base = vs_zalloc(arena.size);
	if (!arena.base)
		return -ENOMEM;
	for (i = 0; i < n && (!ret || ret == -ENOEXEC); i++) {
		ret = lint_entry(&arena, src, nquads, src->entries[i], &rej);
		if (ret != -ENOEXEC)
			continue;
		found++;
		vs_log_printf(log, "quad %u: %s%s%s\n", rej.offset, bi_reason_text(rej.reason),
			      rej.reason == BI_UNSUPPORTED ? ": " : "",
			      rej.reason == BI_UNSUPPORTED ? bifrost_reject_name(&rej) : "");
	}
	vs_free(arena.base);
	return ret && ret != -ENOEXEC ? ret : found;
}
