// SPDX-License-Identifier: MIT
/*
 * disasm, asm and verify of Bifrost programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bifrost.h"
#include "cmd_bifrost.h"
#include "output.h"

int mali_load(const char *path, const struct program_options *opt, struct program_input *in)
{
	if (opt->form && !strcmp(opt->form, "asm") && opt->entry)
		return fail("--entry is for words");
	return load_program(path, opt, in);
}

int mali_disasm(const char *path, const struct asm_options *opt)
{
	struct program_input in;
	char *text;
	int ret;

	ret = mali_load(path, &opt->prog, &in);
	if (ret)
		return ret;
	ret = asm_check_entry(opt, &in.src);
	if (ret) {
		free_program(&in);
		return ret;
	}
	if (vshader_disasm(&in.src, &text)) {
		ret = fail("%s: %s", path, vshader_error());
	} else {
		if (opt->json || opt->words) {
			ret = mali_print_units(&in.src, text, opt->json);
		} else {
			ret = asm_check_listing(path, text, opt->prog.engine);
			fputs(text, stdout);
		}
		free(text);
	}
	free_program(&in);
	return ret;
}

int bifrost_disasm(const char *path, const struct asm_options *opt)
{
	return mali_disasm(path, opt);
}

static void write_words(FILE *f, const uint32_t *w, uint32_t n, bool hex)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint8_t le[4] = { (uint8_t)w[i], (uint8_t)(w[i] >> 8), (uint8_t)(w[i] >> 16),
				  (uint8_t)(w[i] >> 24) };

		if (hex)
			fprintf(f, "%08x%c", w[i], i % 4 == 3 ? '\n' : ' ');
		else
			fwrite(le, 1, 4, f);
	}
}

int mali_asm(const char *path, const struct asm_options *opt)
{
	const char *form = opt->prog.form ? opt->prog.form : "hex";
	struct program_options text = opt->prog;
	struct program_input in;
	struct output out;
	int ret;

	if (strcmp(form, "hex") && strcmp(form, "bin"))
		return fail("unknown form \"%s\"; forms of output are hex, bin", form);
	text.form = "asm";
	ret = load_program(path, &text, &in);
	if (ret)
		return ret;
	ret = output_open(&out, opt->output);
	if (ret) {
		free_program(&in);
		return ret;
	}
	write_words(out.f, in.src.words[DRM_VSHADER_SECTION_CODE],
		    in.src.num_words[DRM_VSHADER_SECTION_CODE], !strcmp(form, "hex"));
	free_program(&in);
	return output_close(&out, 0);
}

static void print_text(const struct vsh_bifrost_report *r)
{
	if (r->accepted) {
		printf("accepted: Bifrost program\n");
		printf("  %-16s %u\n  %-16s %u\n", "clauses", r->clauses, "words", r->words);
		printf("  %-16s%s%s%s\n", "features", r->flow ? " flow" : "",
		       r->loop ? " loop" : "", r->indirect ? " indirect" : "");
		return;
	}
	printf("%s\n", r->text);
	printf("  %-16s %u\n", "reason", r->reason);
	printf("  %-16s clause_%u\n", "place", r->quad);
	printf("  %-16s %u (%#x)\n", "value", r->value, r->value);
	printf("  %-16s %u (%#x)\n", "limit", r->limit, r->limit);
}

static void print_json(const struct vsh_bifrost_report *r)
{
	struct json_object *o = json_object_new_object(), *j;

	js_bool(o, "accepted", r->accepted);
	if (r->accepted) {
		j = js_object(o, "report");
		js_str(j, "engine", "bifrost");
		js_int(j, "clauses", r->clauses);
		js_int(j, "reachable_words", r->words);
		js_bool(j, "flow", r->flow);
		js_bool(j, "loop", r->loop);
		js_bool(j, "indirect", r->indirect);
	} else {
		j = js_object(o, "reject");
		js_str(j, "text", r->text);
		js_int(j, "reason", r->reason);
		js_int(j, "offset", r->quad);
		js_int(j, "value", r->value);
		js_int(j, "limit", r->limit);
	}
	js_print(o);
}

int bifrost_verify(const char *path, const struct asm_options *opt)
{
	int number = vsh_bifrost_gpu(opt->gpu ? opt->gpu : "g52"), ret;
	struct vsh_bifrost_report rep;
	struct program_input in;

	if (opt->device)
		return fail("no device executes Bifrost programs");
	if (number < 0)
		return fail("unknown GPU \"%s\"; Bifrost has g71, g72, g31, g52", opt->gpu);
	ret = mali_load(path, &opt->prog, &in);
	if (ret)
		return ret;
	ret = vsh_bifrost_verify(in.src.words[DRM_VSHADER_SECTION_CODE],
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
