// SPDX-License-Identifier: MIT
/*
 * Midgard programs for the command line.
 */
#include "midgard_disasm.h"

#include "midgard.h"

int vsh_midgard_gpu(const char *name)
{
	return mg_gpu_by_name(name);
}

int vsh_midgard_verify(const uint32_t *words, uint32_t nwords, const uint32_t *entries,
		       uint32_t nentries, int gpu, struct vsh_midgard_report *rep)
{
	/* The checks do not depend on the stage. */
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words },
			      .nwords = { nwords }, .entries = entries, .nentries = nentries };
	struct mg_check check = { .gpu = (enum mg_gpu)gpu };
	struct vs_report found;
	int ret = mg_verify(&src, &found, &check);

	if (ret && ret != -ENOEXEC)
		return ret;
	*rep = (struct vsh_midgard_report){
		.accepted = !ret, .bundles = check.bundles, .words = found.reachable_words,
		.registers = found.temps, .flow = found.features & VS_FEAT_FLOW,
		.loop = found.features & VS_FEAT_LOOP, .calls = check.calls,
		.reason = check.reject.reason, .text = mg_reason_text(check.reject.reason),
		.quad = check.reject.offset, .field_lo = check.reject.field_lo,
		.field_hi = check.reject.field_hi, .value = check.reject.value,
		.limit = check.reject.limit,
	};
	return 0;
}
