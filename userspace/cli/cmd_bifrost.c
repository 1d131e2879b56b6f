// SPDX-License-Identifier: MIT
/*
 * disasm, asm and verify of Bifrost programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../as/vs_as.h"
#include "../families/mali/bifrost.h"
#include "cmd_bifrost.h"

static int assemble(const char *path, mali_as_fn as, uint32_t **words, uint32_t *nwords)
{
	struct vs_as_diag diag;
	uint8_t *data;
	uint32_t i;
	size_t len;
	int ret = read_input(path, &data, &len);

	if (ret)
		return ret;
	ret = as((const char *)data, len, words, nwords, &diag);
	free(data);
	for (i = 0; i < diag.nmessages; i++)
		fprintf(stderr, "%s:%u: error: %s\n", path, diag.messages[i].line,
			diag.messages[i].text);
	if (ret == -ENOMEM)
		return fail("out of memory");
	return ret ? EXIT_USAGE : 0;
}

int mali_load(const char *path, const struct program_options *opt, mali_as_fn as,
	      struct program_input *in)
{
	struct program_options words = *opt;
	uint32_t n;
	int ret;

	if (!opt->form || strcmp(opt->form, "asm"))
		return load_program(path, &words, in);
	memset(in, 0, sizeof(*in));
	if (opt->entry)
		return fail("--entry is for words");
	ret = assemble(path, as, &in->words[DRM_VSHADER_SECTION_CODE], &n);
	if (ret)
		return ret;
	in->entries = calloc(1, sizeof(*in->entries));
	if (!in->entries) {
		free_program(in);
		return fail("out of memory");
	}
	in->src.words[DRM_VSHADER_SECTION_CODE] = in->words[DRM_VSHADER_SECTION_CODE];
	in->src.num_words[DRM_VSHADER_SECTION_CODE] = n;
	in->src.entries = in->entries;
	in->src.num_entries = 1;
	return 0;
}

int bifrost_disasm(const char *path, const struct program_options *opt)
{
	struct program_input in;
	char *text = NULL;
	int ret = mali_load(path, opt, vs_as_bifrost, &in);

	if (ret)
		return ret;
	ret = vsh_bifrost_listing(in.src.words[DRM_VSHADER_SECTION_CODE],
				  in.src.num_words[DRM_VSHADER_SECTION_CODE], &text);
	if (ret == -EINVAL)
		ret = fail("%s: Bifrost code consists of groups of four words", path);
	else if (ret)
		ret = fail("%s: %s", path, strerror(-ret));
	else
		fputs(text, stdout);
	free(text);
	free_program(&in);
	return ret;
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

int mali_asm(const char *path, const char *output, const char *form, mali_as_fn as)
{
	uint32_t *words = NULL, n;
	bool hex = !form || !strcmp(form, "hex");
	FILE *f;
	int ret;

	if (!hex && strcmp(form, "bin"))
		return fail("unknown form \"%s\"; forms of output are hex, bin", form);
	ret = assemble(path, as, &words, &n);
	if (ret)
		return ret;
	f = output ? fopen(output, "wbe") : stdout;
	if (!f) {
		free(words);
		return fail("%s: %s", output, strerror(errno));
	}
	write_words(f, words, n, hex);
	free(words);
	if (fflush(f) || ferror(f))
		ret = fail("%s: %s", output ? output : "stdout", strerror(errno));
	if (f != stdout)
		fclose(f);
	return ret;
}

int bifrost_asm(const char *path, const char *output, const char *form)
{
	return mali_asm(path, output, form, vs_as_bifrost);
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

int bifrost_verify(const char *path, const struct program_options *opt, const char *gpu,
		   bool json)
{
	int number = vsh_bifrost_gpu(gpu ? gpu : "g52"), ret;
	struct vsh_bifrost_report rep;
	struct program_input in;

	if (number < 0)
		return fail("unknown GPU \"%s\"; Bifrost has g71, g72, g31, g52", gpu);
	ret = mali_load(path, opt, vs_as_bifrost, &in);
	if (ret)
		return ret;
	ret = vsh_bifrost_verify(in.src.words[DRM_VSHADER_SECTION_CODE],
				 in.src.num_words[DRM_VSHADER_SECTION_CODE], in.src.entries,
				 in.src.num_entries, number, &rep);
	free_program(&in);
	if (ret)
		return fail("%s", strerror(-ret));
	if (json)
		print_json(&rep);
	else
		print_text(&rep);
	return rep.accepted ? EXIT_OK : EXIT_DIFFERS;
}
