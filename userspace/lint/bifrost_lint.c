// SPDX-License-Identifier: MIT
/*
 * Warnings about Bifrost programs: entry points that no job can start at.
 */
#include "isa/bifrost/bifrost_lower.h"
#include "isa/bifrost/bifrost_verify.h"
#include "lint.h"

#define MAX_TRIED 8	/* entries */

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
		simt_arena_reset(&arena, 0);
		ret = bifrost_lower(&arena, src->words[VS_SECTION_CODE], nquads, 0,
				    src->entries[i], BI_NUM_GPUS, src->stage, 0, NULL, &rej);
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
