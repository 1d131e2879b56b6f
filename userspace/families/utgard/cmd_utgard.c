// SPDX-License-Identifier: MIT
/*
 * disasm, asm and verify of Utgard programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mbs1.h"
#include "cmd_utgard.h"
#include "mbs1_text.h"
#include "output.h"
#include "utgard.h"

/**
 * struct utgard_input - a program given on the command line
 * @in: its words
 * @mbs: container that it comes from, or NULL
 * @prog: the program in it
 * @pixel: for the pixel processor
 * @container: the container is wanted, not one of its programs
 */
struct utgard_input {
	struct program_input in;
	struct vs_mbs1 *mbs;
	const struct vs_mbs1_program *prog;
	bool pixel;
	bool container;
};

static void free_input(struct utgard_input *u)
{
	vs_mbs1_free(u->mbs);
	free_program(&u->in);
}

/* Take over words as code with the entry point 0. */
static int set_words(struct utgard_input *u, uint32_t *words, uint32_t n)
{
	u->in.words[DRM_VSHADER_SECTION_CODE] = words;
	u->in.src.engine = u->pixel ? DRM_VSHADER_ENGINE_UTGARD_PP : DRM_VSHADER_ENGINE_UTGARD_GP;
	u->in.src.words[DRM_VSHADER_SECTION_CODE] = words;
	u->in.src.num_words[DRM_VSHADER_SECTION_CODE] = n;
	u->in.entries = calloc(1, sizeof(*u->in.entries));
	u->in.src.entries = u->in.entries;
	u->in.src.num_entries = 1;
	return u->in.entries ? 0 : fail("out of memory");
}

/* A program of the container. */
static int choose_program(const char *path, const struct program_options *opt,
			  struct utgard_input *u)
{
	uint32_t *words;

	u->prog = vs_mbs1_find(u->mbs, u->pixel ? VS_MBS1_FRAGMENT : VS_MBS1_VERTEX, opt->index);
	if (!u->prog)
		return fail("%s: the container has no %s program %u", path,
			    u->pixel ? "fragment" : "vertex", opt->index);
	words = calloc(u->prog->ncode, sizeof(*words));
	if (!words)
		return fail("out of memory");
	memcpy(words, u->prog->code, u->prog->ncode * sizeof(*words));
	return set_words(u, words, u->prog->ncode);
}

static int load_mbs1(const char *path, const uint8_t *data, size_t len,
		     const struct program_options *opt, struct utgard_input *u)
{
	struct vs_error err;

	if (vs_mbs1_parse(data, len, &u->mbs, &err))
		return fail("%s: byte %zu: %s", path, err.offset, err.text);
	return choose_program(path, opt, u);
}

static int load_text(const char *path, const char *text, const struct program_options *opt,
		     struct utgard_input *u)
{
	int ret = mbs1_text_parse(path, text, &u->mbs);

	if (ret)
		return ret;
	/* all of them are written to a container, of whichever stage */
	if (!vs_mbs1_find(u->mbs, u->pixel ? VS_MBS1_FRAGMENT : VS_MBS1_VERTEX, opt->index) &&
	    u->container)
		u->pixel = !u->pixel;
	return choose_program(path, opt, u);
}

static const char *form_of(const struct program_options *opt, const uint8_t *data, size_t len)
{
	if (opt->form)
		return opt->form;
	return len >= 4 && !memcmp(data, "MBS1", 4) ? "mbs1" : NULL;
}

static int load(const char *path, const struct program_options *opt, struct utgard_input *u,
		bool container)
{
	const char *form;
	const uint8_t *data;
	size_t len;
	int ret;

	memset(u, 0, sizeof(*u));
	u->pixel = opt->engine == DRM_VSHADER_ENGINE_UTGARD_PP;
	u->container = container;
	ret = peek_input(path, &data, &len);
	if (ret)
		return ret;
	form = form_of(opt, data, len);
	if (form && !strcmp(form, "mbs1"))
		ret = load_mbs1(path, data, len, opt, u);
	else if ((!form || !strcmp(form, "asm")) && mbs1_is_text((const char *)data))
		ret = load_text(path, (const char *)data, opt, u);
	else if (form && !strcmp(form, "shbin"))
		ret = fail("an SHBIN holds no Utgard programs");
	else
		ret = load_program(path, opt, &u->in);
	if (!ret && opt->entry && (u->prog || (form && !strcmp(form, "asm"))))
		ret = fail("--entry is for words");
	if (ret)
		free_input(u);
	return ret;
}

/* ---- disasm ---- */

/* The text of a container: all programs, or @only one of them. */
static int print_container(const char *path, const struct vs_mbs1 *mbs,
			   const struct vs_mbs1_program *only)
{
	struct vs_mbs1 all = only ? (struct vs_mbs1){ (struct vs_mbs1_program *)only, 1 } : *mbs;
	struct vshader_source src = { };
	int ret = 0, bad;
	uint32_t i;
	char *text;

	for (i = 0; i < all.n; i++) {
		const struct vs_mbs1_program *p = &all.programs[i];

		src.engine = p->stage == VS_MBS1_VERTEX ? DRM_VSHADER_ENGINE_UTGARD_GP :
							  DRM_VSHADER_ENGINE_UTGARD_PP;
		src.words[DRM_VSHADER_SECTION_CODE] = p->code;
		src.num_words[DRM_VSHADER_SECTION_CODE] = p->ncode;
		if (vshader_disasm(&src, &text))
			return fail("%s: %s", path, vshader_error());
		mbs1_text_program(stdout, p);
		fputs(text, stdout);
		bad = asm_check_listing(path, text, src.engine);
		ret = bad ? bad : ret;
		free(text);
	}
	return ret;
}

static void json_symbols(struct json_object *root, const struct vs_mbs1_program *p)
{
	static const char * const kinds[] = { "uniforms", "attributes", "varyings" };
	uint32_t kind, i;

	for (kind = 0; kind < VS_MBS1_NUM_KINDS; kind++) {
		struct json_object *list = js_array(root, kinds[kind]);

		for (i = 0; i < p->tables[kind].n; i++) {
			const struct vs_mbs1_symbol *s = &p->tables[kind].symbols[i];
			struct json_object *o = json_object_new_object();

			js_str(o, "name", s->name);
			js_int(o, "type", s->type);
			js_int(o, "components", s->components);
			js_int(o, "size", s->size);
			js_int(o, "entries", s->entries);
			js_int(o, "stride", s->stride);
			js_int(o, "precision", s->precision);
			if (s->offset != VS_MBS1_NONE)
				js_int(o, "offset", s->offset);
			if (s->parent != VS_MBS1_NONE)
				js_int(o, "parent", s->parent);
			json_object_array_add(list, o);
		}
	}
}

/* Each line of the listing for itself; symbols if there are any. */
static void print_json_text(const struct utgard_input *u, char *text)
{
	struct json_object *root = json_object_new_object(), *list;
	char *line;

	js_str(root, "isa", u->pixel ? "utgard-pp" : "utgard-gp");
	list = js_array(root, "lines");
	while ((line = strsep(&text, "\n")))
		if (*line)
			json_object_array_add(list, json_object_new_string(line));
	if (u->prog)
		json_symbols(root, u->prog);
	js_print(root);
}

static int print_listing(const char *path, const struct utgard_input *u, bool json)
{
	char *text;
	int ret;

	if (vshader_disasm(&u->in.src, &text))
		return fail("%s: %s", path, vshader_error());
	ret = asm_check_listing(path, text, u->in.src.engine);
	if (json)
		print_json_text(u, text);
	else
		fputs(text, stdout);
	free(text);
	return ret;
}

int utgard_disasm(const char *path, const struct asm_options *opt)
{
	bool whole = !opt->prog.has_engine && !opt->prog.index;
	struct utgard_input u;
	const uint8_t *data;
	size_t len;
	int ret;

	if (opt->words)
		return fail("--words: Utgard programs are printed as text only");
	ret = peek_input(path, &data, &len);
	if (!ret)
		ret = load(path, &opt->prog, &u, false);
	if (ret)
		return ret;
	ret = asm_check_entry(opt, &u.in.src);
	if (ret) {
		free_input(&u);
		return ret;
	}
	if (u.mbs && !opt->json) {
		/* one program alone is another container */
		if (whole)
			mbs1_text_head(stdout, u.mbs, data, len);
		else
			puts(".mbs1");
		ret = print_container(path, u.mbs, whole ? NULL : u.prog);
	} else {
		ret = print_listing(path, &u, opt->json);
	}
	free_input(&u);
	return ret;
}

/* ---- asm ---- */

/* An instruction of the vertex processor a line, words of the other one likewise. */
static void write_hex(FILE *f, const uint32_t *w, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		fprintf(f, "%08x%c", w[i], i % 4 == 3 || i == n - 1 ? '\n' : ' ');
}

static void write_bin(FILE *f, const uint32_t *w, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint8_t le[4] = { (uint8_t)w[i], (uint8_t)(w[i] >> 8), (uint8_t)(w[i] >> 16),
				  (uint8_t)(w[i] >> 24) };

		fwrite(le, 1, 4, f);
	}
}

static int write_container(FILE *f, const struct vs_mbs1 *mbs)
{
	size_t size;
	void *data;
	int ret = vs_mbs1_write(mbs, &data, &size);

	if (ret)
		return fail("%s", strerror(-ret));
	fwrite(data, 1, size, f);
	free(data);
	return 0;
}

/* Without symbols, for Mali-400. */
static int write_mbs1(FILE *f, const struct utgard_input *u, const uint32_t *w, uint32_t n)
{
	struct vsh_utgard_report rep;
	struct vs_mbs1_program p = {
		.stage = u->pixel ? VS_MBS1_FRAGMENT : VS_MBS1_VERTEX, .core = u->pixel ? 7 : 6,
		.code = (uint32_t *)w, .ncode = n, .instructions = u->pixel ? 0 : n / 4,
	};
	struct vs_mbs1 mbs = { &p, 1 };
	int ret = vsh_utgard_verify(u->pixel, w, n, u->in.src.entries, 1, &rep, NULL, 0);

	if (ret || !rep.accepted)
		return fail("%s", ret ? strerror(-ret) : rep.text);
	p.discard = rep.discard;
	p.buffers[0] = rep.fb_read;
	p.buffers[1] = u->pixel;
	return write_container(f, &mbs);
}

static int write_form(FILE *f, const char *form, struct utgard_input *u)
{
	const uint32_t *w = u->in.src.words[DRM_VSHADER_SECTION_CODE];
	uint32_t n = u->in.src.num_words[DRM_VSHADER_SECTION_CODE];

	if (!strcmp(form, "mbs1"))
		return u->mbs ? write_container(f, u->mbs) : write_mbs1(f, u, w, n);
	if (!strcmp(form, "bin"))
		write_bin(f, w, n);
	else
		write_hex(f, w, n);
	return 0;
}

int utgard_asm(const char *path, const struct asm_options *opt)
{
	const char *form = opt->prog.form ? opt->prog.form : "hex";
	struct program_options text = opt->prog;
	struct utgard_input u;
	struct output out;
	int ret;

	if (strcmp(form, "hex") && strcmp(form, "bin") && strcmp(form, "mbs1"))
		return fail("unknown form \"%s\"; forms of output are hex, bin, mbs1", form);
	text.form = "asm";
	ret = load(path, &text, &u, !strcmp(form, "mbs1"));
	if (ret)
		return ret;
	ret = output_open(&out, opt->output);
	if (ret) {
		free_input(&u);
		return ret;
	}
	ret = write_form(out.f, form, &u);
	free_input(&u);
	return output_close(&out, ret);
}

/* ---- verify ---- */

static void print_mask(const char *name, uint32_t mask, const char *prefix)
{
	uint32_t i;

	printf("  %-16s", name);
	for (i = 0; i < 32; i++)
		if (mask >> i & 1)
			printf(" %s%u", prefix, i);
	puts(mask ? "" : " none");
}

static void print_lines(const char *text)
{
	const char *nl;

	for (; *text; text = nl + 1) {
		nl = strchrnul(text, '\n');
		printf("    %.*s\n", (int)(nl - text), text);
		if (!*nl)
			break;
	}
}

static void print_accepted(const struct vsh_utgard_report *r, bool pixel)
{
	printf("accepted\n");
	printf("  %-16s %u\n  %-16s %u\n", "instructions", r->insns, "words", r->words);
	print_mask(pixel ? "varyings" : "attributes", r->inputs, pixel ? "" : "a");
	if (!pixel)
		print_mask("varyings", r->outputs, "v");
	print_mask("registers", r->registers, "$");
	printf("  %-16s %u\n", "uniform rows", r->rows);
	if (pixel) {
		print_mask("textures", r->samplers, "");
		if (r->temps)
			printf("  %-16s %d to %d\n", "temporaries", r->temp_low, r->temp_high);
		printf("  %-16s %u words\n", "first", r->first_count);
	}
	printf("  %-16s%s%s%s%s%s%s%s\n", "features", r->flow ? " flow" : "",
	       r->loop ? " loop" : "", r->relative ? " relative" : "",
	       r->discard ? " discard" : "", r->group ? " group" : "",
	       r->fb_read ? " fb-read" : "", r->indexed_samplers ? " indexed-textures" : "");
	printf("  %-16s %u\n", "warnings", r->warnings);
}

static void print_rejected(const struct vsh_utgard_report *r, bool pixel)
{
	printf("%s\n", r->text);
	printf("  %-16s %u\n", "reason", r->reason);
	printf("  %-16s %s %u\n", "place", pixel ? "word" : "instruction", r->offset);
	if (r->field)
		printf("  %-16s %s%s%s, bits %u to %u\n", "field", r->field, r->part ? "." : "",
		       r->part ? r->part : "", r->field_lo, r->field_hi);
	printf("  %-16s %u (%#x)\n", "value", r->value, r->value);
	printf("  %-16s %u (%#x)\n", "limit", r->limit, r->limit);
}

static void json_accepted(struct json_object *j, const struct vsh_utgard_report *r, bool pixel)
{
	js_str(j, "engine", pixel ? "utgard-pp" : "utgard-gp");
	js_int(j, "instructions", r->insns);
	js_int(j, "reachable_words", r->words);
	js_int(j, "inputs", r->inputs);
	js_int(j, "outputs", r->outputs);
	js_int(j, "registers", r->registers);
	js_int(j, "uniform_rows", r->rows);
	js_bool(j, "flow", r->flow);
	js_bool(j, "loop", r->loop);
	js_bool(j, "relative", r->relative);
	js_int(j, "warnings", r->warnings);
	if (!pixel)
		return;
	js_int(j, "samplers", r->samplers);
	js_bool(j, "indexed_samplers", r->indexed_samplers);
	js_bool(j, "discard", r->discard);
	js_bool(j, "group", r->group);
	js_bool(j, "fb_read", r->fb_read);
	js_int(j, "first_words", r->first_count);
	js_bool(j, "temporaries", r->temps);
	if (r->temps) {
		js_num(j, "temporary_low", r->temp_low);
		js_num(j, "temporary_high", r->temp_high);
	}
}

static void print_json(const struct vsh_utgard_report *r, bool pixel, const char *log)
{
	struct json_object *o = json_object_new_object(), *j;

	js_bool(o, "accepted", r->accepted);
	js_str(o, "log", log);
	if (r->accepted) {
		json_accepted(js_object(o, "report"), r, pixel);
	} else {
		j = js_object(o, "reject");
		js_str(j, "text", r->text);
		js_int(j, "reason", r->reason);
		js_int(j, "offset", r->offset);
		if (r->field)
			js_str(j, "field", r->field);
		if (r->part)
			js_str(j, "part", r->part);
		js_int(j, "field_lo", r->field_lo);
		js_int(j, "field_hi", r->field_hi);
		js_int(j, "value", r->value);
		js_int(j, "limit", r->limit);
	}
	js_print(o);
}

int utgard_verify(const char *path, const struct asm_options *opt)
{
	struct vsh_utgard_report rep;
	static char log[65536];
	struct utgard_input u;
	bool pixel;
	int ret;

	if (opt->device)
		return fail("no device executes Utgard programs");
	ret = load(path, &opt->prog, &u, false);
	if (ret)
		return ret;
	pixel = u.pixel;
	ret = vsh_utgard_verify(pixel, u.in.src.words[DRM_VSHADER_SECTION_CODE],
				u.in.src.num_words[DRM_VSHADER_SECTION_CODE], u.in.src.entries,
				u.in.src.num_entries, &rep, log, sizeof(log));
	free_input(&u);
	if (ret)
		return fail("%s", strerror(-ret));
	if (opt->json)
		print_json(&rep, pixel, log);
	else if (rep.accepted)
		print_accepted(&rep, pixel);
	else
		print_rejected(&rep, pixel);
	if (!opt->json)
		print_lines(log);
	return rep.accepted ? EXIT_OK : EXIT_DIFFERS;
}
