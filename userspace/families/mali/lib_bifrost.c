// SPDX-License-Identifier: MIT
/*
 * Bifrost programs for the command line.
 */
#include "bifrost_disasm.h"

#include "bifrost.h"

int vsh_bifrost_gpu(const char *name)
{
	return bi_gpu_by_name(name);
}

int vsh_bifrost_verify(const uint32_t *words, uint32_t nwords, const uint32_t *entries,
		       uint32_t nentries, int gpu, struct vsh_bifrost_report *rep)
{
	/* The checks do not depend on the stage. */
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words },
			      .nwords = { nwords }, .entries = entries, .nentries = nentries };
	struct bi_check check = { .gpu = (enum bi_gpu)gpu };
	struct vs_report found;
	int ret = bi_verify(&src, &found, &check);

	memset(rep, 0, sizeof(*rep));
	if (ret && ret != -ENOEXEC)
		return ret;
	rep->accepted = !ret;
	rep->clauses = check.clauses;
	rep->words = found.reachable_words;
	rep->flow = found.features & VS_FEAT_FLOW;
	rep->loop = found.features & VS_FEAT_LOOP;
	rep->indirect = check.indirect;
	rep->reason = check.reject.reason;
	rep->text = bi_reason_text(check.reject.reason);
	rep->quad = check.reject.offset;
	rep->value = check.reject.value;
	rep->limit = check.reject.limit;
	return 0;
}
