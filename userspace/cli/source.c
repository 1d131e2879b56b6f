// SPDX-License-Identifier: MIT
/*
 * Programs given on the command line: hexadecimal words, binary words, containers,
 * assembly.
 *
 * Hexadecimal text: words of up to 8 digits separated by white space; "#" starts a
 * comment. Words are code unless a line "opdesc:" or "code:" selects the section; entry
 * points follow "entry:", a stage follows "stage:". "vshader asm" prints this format.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"

#define MAX_WORDS	(16u << 20)
#define MAX_ENTRIES	256u

struct words {
	uint32_t *p;
	uint32_t n;
	uint32_t room;
};

static int add_word(struct words *w, uint32_t word)
{
	if (w->n == w->room) {
		uint32_t room = w->room ? w->room * 2 : 256;
		uint32_t *n = room > MAX_WORDS ? NULL : realloc(w->p, room * sizeof(*n));

		if (!n)
			return fail("too many words");
		w->p = n;
		w->room = room;
	}
	w->p[w->n++] = word;
	return 0;
}

const char *insn_hex(const struct vshader_source *src, uint32_t n, char *buf, size_t size)
{
	unsigned int k, words = jf_insn_words(src->engine);
	const uint32_t *w = src->words[DRM_VSHADER_SECTION_CODE] + (size_t)words * n;
	size_t len = 0;

	for (k = 0; k < words && len + 10 <= size; k++)
		len += (size_t)snprintf(buf + len, size - len, "%s%08x", k ? " " : "", w[k]);
	return buf;
}

int parse_stage(const char *name, struct program_options *opt)
{
	uint32_t i;

	for (i = 0; vshader_stage_name(i); i++) {
		if (!strcmp(vshader_stage_name(i), name)) {
			opt->stage = i;
			opt->has_stage = true;
			return 0;
		}
	}
	return fail("unknown stage \"%s\"; stages are vertex, geometry, fragment, compute", name);
}

/* ---- hexadecimal text ---- */

enum hex_section { HEX_CODE, HEX_OPDESC, HEX_ENTRY, HEX_STAGE, HEX_NUM };

static int parse_token(const char *path, size_t line, char *tok, enum hex_section *section,
		       struct words *lists, struct program_options *opt)
{
	static const char * const names[HEX_NUM] = { "code:", "opdesc:", "entry:", "stage:" };
	unsigned int i;
	char *end;
	unsigned long long v;

	for (i = 0; i < HEX_NUM; i++) {
		if (!strcmp(names[i], tok)) {
			*section = (enum hex_section)i;
			return 0;
		}
	}
	if (*section == HEX_STAGE) {
		*section = HEX_CODE;
		return opt->has_stage ? 0 : parse_stage(tok, opt);
	}
	errno = 0;
	v = strtoull(tok, &end, 16);
	if (tok[0] == '-' || tok[0] == '+' || *end || errno || v > UINT32_MAX)
		return fail("%s:%zu: expected a word of 1 to 8 hexadecimal digits, got \"%.20s\"",
			    path, line, tok);
	return add_word(&lists[*section], (uint32_t)v);
}

static int parse_hex(const char *path, char *text, struct words *lists,
		     struct program_options *opt)
{
	enum hex_section section = HEX_CODE;
	char *line, *tok, *save = NULL, *next;
	size_t number = 0;
	int ret = 0;

	for (line = text; line && !ret; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		number++;
		line[strcspn(line, "#")] = 0;
		for (tok = strtok_r(line, " \t\r,", &save); tok && !ret;
		     tok = strtok_r(NULL, " \t\r,", &save))
			ret = parse_token(path, number, tok, &section, lists, opt);
		/* Entry points stand on their line only. */
		if (section == HEX_ENTRY)
			section = HEX_CODE;
	}
	return ret;
}

static bool looks_hex(const uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if ((p[i] < 32 && !strchr("\t\r\n", p[i])) || p[i] > 126)
			return false;
	}
	return true;
}

static int parse_bin(const char *path, const uint8_t *data, size_t len, struct words *w)
{
	size_t i;
	int ret = 0;

	if (len % 4)
		return fail("%s: %zu bytes, expected a multiple of 4", path, len);
	for (i = 0; i < len && !ret; i += 4)
		ret = add_word(w, jf_load(JF_U32, data + i));
	return ret;
}

/* Descriptors from a separate file, in either raw form. */
static int load_opdesc(const char *path, struct words *w)
{
	struct program_options opt = { };
	struct words lists[HEX_NUM] = { };
	uint8_t *data;
	size_t len;
	int ret = read_input(path, &data, &len);

	if (ret)
		return ret;
	if (!len)
		ret = fail("%s: the file is empty", path);
	else if (looks_hex(data, len))
		ret = parse_hex(path, (char *)data, lists, &opt);
	else
		ret = parse_bin(path, data, len, &lists[HEX_CODE]);
	free(data);
	free(w->p);
	*w = lists[HEX_OPDESC].n ? lists[HEX_OPDESC] : lists[HEX_CODE];
	free(lists[HEX_OPDESC].n ? lists[HEX_CODE].p : lists[HEX_OPDESC].p);
	free(lists[HEX_ENTRY].p);
	free(lists[HEX_STAGE].p);
	return ret;
}

static int set_raw(struct program_input *in, struct words *lists,
		   const struct program_options *opt)
{
	in->words[DRM_VSHADER_SECTION_CODE] = lists[HEX_CODE].p;
	in->words[DRM_VSHADER_SECTION_OPDESC] = lists[HEX_OPDESC].p;
	in->entries = lists[HEX_ENTRY].p;
	free(lists[HEX_STAGE].p);
	in->src = (struct vshader_source){
		.engine = opt->engine,
		.stage = opt->stage,
		.words = { lists[HEX_CODE].p, lists[HEX_OPDESC].p },
		.num_words = { lists[HEX_CODE].n, lists[HEX_OPDESC].n },
		.entries = lists[HEX_ENTRY].p,
		.num_entries = lists[HEX_ENTRY].n,
	};
	if (lists[HEX_ENTRY].n)
		return lists[HEX_ENTRY].n > MAX_ENTRIES ? fail("too many entry points") : 0;
	in->entries = calloc(1, sizeof(*in->entries));
	if (!in->entries)
		return fail("out of memory");
	in->src.entries = in->entries;
	in->src.num_entries = 1;
	return 0;
}

static int load_raw(const char *path, uint8_t *data, size_t len, bool hex,
		    const struct program_options *options, struct program_input *in)
{
	struct program_options opt = *options;
	struct words lists[HEX_NUM] = { };
	int ret;

	ret = hex ? parse_hex(path, (char *)data, lists, &opt) :
		    parse_bin(path, data, len, &lists[HEX_CODE]);
	if (!ret && opt.opdesc)
		ret = load_opdesc(opt.opdesc, &lists[HEX_OPDESC]);
	if (!ret && !lists[HEX_CODE].n)
		ret = fail("%s: there are no words", path);
	return set_raw(in, lists, &opt) || ret ? EXIT_USAGE : 0;
}

/* ---- containers and assembly ---- */

/* Included files are searched in the directory of the source. */
static int load_include(void *ctx, const char *name, char **text, size_t *size)
{
	const char *source = ctx, *slash = strrchr(source, '/');
	uint8_t *data;
	char *path;
	int ret;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - source) + 1 : 0, source, name) < 0)
		return -ENOMEM;
	ret = jf_read_path(path, JF_MAX_FILE, &data, size);
	free(path);
	if (!ret)
		*text = (char *)data;
	return ret;
}

/* What no assembler reads, and would say something else about. */
static int check_text(const char *path, const uint8_t *data, size_t len)
{
	const uint8_t *zero = memchr(data, 0, len), *p, *line = data;
	unsigned int n = 1;

	if (len >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
		return fail("%s:1:1: byte order mark: save the file without it", path);
	if (len >= 2 && (!memcmp(data, "\xff\xfe", 2) || !memcmp(data, "\xfe\xff", 2)))
		return fail("%s:1:1: UTF-16: save the file as UTF-8", path);
	if (!zero)
		return 0;
	for (p = data; p < zero; p++) {
		if (*p != '\n')
			continue;
		line = p + 1;
		n++;
	}
	return fail("%s:%u:%u: a zero byte: not a text", path, n, (unsigned int)(zero - line) + 1);
}

static int load_binary(const char *path, const uint8_t *data, size_t len, bool text,
		       const struct program_options *opt, struct program_input *in)
{
	const struct vshader_include include = { .load = load_include, .ctx = (void *)path };
	int ret;

	if (text && check_text(path, data, len))
		return EXIT_USAGE;
	ret = text ? vshader_assemble_with(opt->engine, (const char *)data, len, path, &include,
					   &in->bin) :
		     vshader_binary_load(data, len, &in->bin);
	if (ret && text) {
		print_error(vshader_error());
		return EXIT_USAGE;
	}
	if (ret)
		return fail("%s: %s", path, vshader_error());
	if (vshader_binary_source(in->bin, opt->index, &in->src))
		return fail("%s: %s", path, vshader_error());
	return 0;
}

/* Assemble several sources into one program. */
int load_sources(char **paths, unsigned int num, const struct program_options *opt,
		 struct program_input *in)
{
	struct vshader_text *texts = calloc(num, sizeof(*texts));
	uint8_t *data;
	unsigned int i;
	int ret = 0;

	memset(in, 0, sizeof(*in));
	if (!texts)
		return fail("out of memory");
	for (i = 0; i < num && !ret; i++) {
		ret = read_input(paths[i], &data, &texts[i].size);
		if (!ret && check_text(paths[i], data, texts[i].size)) {
			free(data);
			ret = EXIT_USAGE;
		}
		texts[i].text = ret ? NULL : (const char *)data;
		texts[i].name = paths[i];
	}
	if (!ret && vshader_assemble_files(opt->engine, texts, num, NULL, &in->bin)) {
		print_error(vshader_error());
		ret = EXIT_USAGE;
	}
	if (!ret && vshader_binary_source(in->bin, opt->index, &in->src))
		ret = fail("%s: %s", paths[0], vshader_error());
	for (i = 0; i < num; i++)
		free((void *)texts[i].text);
	free(texts);
	if (ret)
		free_program(in);
	return ret;
}

/* An instruction may have several words. */
static int check_whole(const char *path, const struct vshader_source *src)
{
	uint32_t n = jf_insn_words(src->engine);

	if (src->num_words[DRM_VSHADER_SECTION_CODE] % n == 0)
		return 0;
	return fail("%s: code of %s consists of groups of %s words", path,
		    vshader_engine_name(src->engine), n == 2 ? "two" : "four");
}

static int set_entry(const struct program_options *opt, struct program_input *in)
{
	unsigned long long number;
	uint32_t word;
	char *end;

	if (!opt->entry)
		return 0;
	number = strtoull(opt->entry, &end, 0);
	if (isspace((unsigned char)*opt->entry) || *opt->entry == '+')
		return fail("entry \"%s\": neither a number nor a label", opt->entry);
	if (!*end && end != opt->entry && (number > UINT32_MAX || *opt->entry == '-'))
		return fail("entry %s: expected a word from 0 to %u", opt->entry, UINT32_MAX);
	word = (uint32_t)number;
	if ((*end || end == opt->entry) &&
	    (!in->bin || vshader_binary_label(in->bin, opt->index, opt->entry, &word)))
		return fail("entry \"%s\": neither a number nor a label", opt->entry);
	free(in->entries);
	in->entries = malloc(sizeof(*in->entries));
	if (!in->entries)
		return fail("out of memory");
	in->entries[0] = word;
	in->src.entries = in->entries;
	in->src.num_entries = 1;
	return 0;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n >= m && !strcmp(path + n - m, suffix);
}

static const char *guess_form(const char *path, const uint8_t *data, size_t len)
{
	const char * const *s;
	uint32_t i;

	if (len >= 4 && !memcmp(data, "DVLB", 4))
		return "shbin";
	for (i = 0; i < JF_MAX_ISAS; i++)
		for (s = cli_isa_of(i)->suffixes; s && *s; s++)
			if (has_suffix(path, *s))
				return "asm";
	return looks_hex(data, len) ? "hex" : "bin";
}

int load_program(const char *path, const struct program_options *options,
		 struct program_input *in)
{
	struct program_options with = *options, *opt = &with;
	const char *form = opt->form;
	uint8_t *data;
	size_t len;
	int ret = read_input(path, &data, &len);

	memset(in, 0, sizeof(*in));
	if (ret)
		return ret;
	if (!opt->has_stage)
		opt->stage = jf_isa_of(opt->engine)->stage;
	if (!form)
		form = guess_form(path, data, len);
	if (!strcmp(form, "hex") || !strcmp(form, "bin"))
		ret = load_raw(path, data, len, !strcmp(form, "hex"), opt, in);
	else if (!strcmp(form, "shbin") || !strcmp(form, "asm"))
		ret = load_binary(path, data, len, !strcmp(form, "asm"), opt, in);
	else
		ret = fail("unknown form \"%s\"; forms are hex, bin, shbin, asm", form);
	free(data);
	if (!ret)
		ret = set_entry(opt, in);
	if (!ret)
		ret = check_whole(path, &in->src);
	if (!ret && opt->has_stage)
		in->src.stage = opt->stage;
	if (ret)
		free_program(in);
	return ret;
}

void free_program(struct program_input *in)
{
	unsigned int i;

	vshader_binary_free(in->bin);
	for (i = 0; i < VSHADER_NUM_SECTIONS; i++)
		free(in->words[i]);
	free(in->entries);
	memset(in, 0, sizeof(*in));
}
