// SPDX-License-Identifier: MIT
/*
 * Utgard programs for the command line.
 */
#include "lint.h"
#include "utgard_disasm.h"

#include "utgard.h"

static int verify_gp(const struct vs_src *src, struct vs_report *found,
		     struct vsh_utgard_report *rep)
{
	struct vs_reject rej;
	int ret = ugp_verify(src, found, &rej);

	rep->insns = found->code_words / UGP_WORDS;
	rep->text = ugp_reason_text(rej.reason);
	rep->field = ugp_reject_field(&rej);
	rep->reason = rej.reason;
	rep->offset = rej.offset;
	rep->field_lo = rej.field_lo;
	rep->field_hi = rej.field_hi;
	rep->value = rej.value;
	rep->limit = rej.limit;
	return ret;
}

static int verify_pp(const struct vs_src *src, struct vs_report *found,
		     struct vsh_utgard_report *rep)
{
	struct upp_check check;
	int ret = upp_verify(src, found, &check);

	rep->insns = check.insns;
	rep->samplers = check.samplers;
	rep->indexed_samplers = check.indexed_samplers;
	rep->discard = check.discard;
	rep->group = check.group;
	rep->fb_read = check.fb_read;
	rep->temps = check.temps;
	rep->temp_low = check.temp_low;
	rep->temp_high = check.temp_high;
	rep->first_count = check.first_count;
	rep->text = upp_reason_text(check.reject.reason);
	if (ret)
		rep->field = upp_field_name((enum upp_field)check.field);
	rep->part = check.part;
	rep->reason = check.reject.reason;
	rep->offset = check.reject.offset;
	rep->field_lo = check.reject.field_lo;
	rep->field_hi = check.reject.field_hi;
	rep->value = check.reject.value;
	rep->limit = check.reject.limit;
	return ret;
}

int vsh_utgard_verify(bool pixel, const uint32_t *words, uint32_t nwords,
		      const uint32_t *entries, uint32_t nentries, struct vsh_utgard_report *rep,
		      char *log, size_t size)
{
	struct vs_src src = { .stage = pixel ? VS_STAGE_FRAGMENT : VS_STAGE_VERTEX,
			      .words = { words }, .nwords = { nwords }, .entries = entries,
			      .nentries = nentries };
	struct vs_log text = { .buf = log, .size = size };
	struct vs_report found;
	int ret, warnings = 0;

	memset(rep, 0, sizeof(*rep));
	if (size)
		log[0] = '\0';
	ret = pixel ? verify_pp(&src, &found, rep) : verify_gp(&src, &found, rep);
	if (ret && ret != -ENOEXEC)
		return ret;
	rep->accepted = !ret;
	if (!ret)
		warnings = pixel ? upp_lint(&src, &text) : ugp_lint(&src, &text);
	if (warnings < 0)
		return warnings;
	rep->words = found.reachable_words;
	rep->inputs = found.inputs;
	rep->outputs = found.outputs;
	rep->registers = found.temps;
	rep->rows = found.uniform_rows;
	rep->flow = found.features & VS_FEAT_FLOW;
	rep->loop = found.features & VS_FEAT_LOOP;
	rep->relative = found.features & VS_FEAT_RELATIVE;
	rep->warnings = warnings;
	return 0;
}
