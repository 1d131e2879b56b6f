// SPDX-License-Identifier: MIT
/*
 * disasm, asm and verify of Midgard programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "midgard.h"
#include "cmd_bifrost.h"
#include "cmd_midgard.h"

int midgard_disasm(const char *path, const struct asm_options *opt)
{
	return mali_disasm(path, opt);
}

static void print_text(const struct vsh_midgard_report *r)
{
	if (!r->accepted) {
		printf("%s\n  %-16s %u\n  %-16s quad %u, bits %u to %u\n", r->text, "reason",
		       r->reason, "place", r->quad, r->field_lo, r->field_hi);
		printf("  %-16s %u (%#x)\n  %-16s %u (%#x)\n", "value", r->value, r->value,
		       "limit", r->limit, r->limit);
		return;
	}
	printf("accepted: Midgard program\n");
	printf("  %-16s %u\n  %-16s %u\n  %-16s %u\n", "bundles", r->bundles, "words", r->words,
	       "work registers", r->registers);
	printf("  %-16s%s%s%s\n", "features", r->flow ? " flow" : "", r->loop ? " loop" : "",
	       r->calls ? " calls" : "");
}

static void print_json(const struct vsh_midgard_report *r)
{
	struct json_object *o = json_object_new_object();
	struct json_object *j = js_object(o, r->accepted ? "report" : "reject");

	js_bool(o, "accepted", r->accepted);
	if (r->accepted) {
		js_str(j, "engine", "midgard");
		js_int(j, "bundles", r->bundles);
		js_int(j, "reachable_words", r->words);
		js_int(j, "temporaries", r->registers);
		js_bool(j, "flow", r->flow);
		js_bool(j, "loop", r->loop);
		js_bool(j, "calls", r->calls);
	} else {
		js_str(j, "text", r->text);
		js_int(j, "reason", r->reason);
		js_int(j, "offset", r->quad);
		js_int(j, "field_lo", r->field_lo);
		js_int(j, "field_hi", r->field_hi);
		js_int(j, "value", r->value);
		js_int(j, "limit", r->limit);
	}
	js_print(o);
}

int midgard_verify(const char *path, const struct asm_options *opt)
{
	int number = vsh_midgard_gpu(opt->gpu ? opt->gpu : "t860"), ret;
	struct vsh_midgard_report rep;
	struct program_input in;

	if (opt->device)
		return fail("no device executes Midgard programs");
	if (number < 0)
		return fail("unknown GPU \"%s\"; Midgard has t760, t860", opt->gpu);
	ret = mali_load(path, &opt->prog, &in);
	if (ret)
		return ret;
	ret = vsh_midgard_verify(in.src.words[DRM_VSHADER_SECTION_CODE],
				 in.src.num_words[DRM_VSHADER_SECTION_CODE], in.src.entries,
				 in.src.num_entries, number, &rep);
	free_program(&in);
	if (ret)
		return fail("%s", strerror(-ret));
	if (opt->json)
		print_json(&rep);
	else
		print_text(&rep);
	return rep.accepted ? EXIT_OK : EXIT_DIFFERS;
}
