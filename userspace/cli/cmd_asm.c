// SPDX-License-Identifier: MIT
/*
 * vshader disasm, vshader asm, vshader verify: programs without jobs.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "output.h"
#include "trace_names.h"

enum { OPT_STAGE = 256, OPT_FORM, OPT_OPDESC, OPT_ENTRY, OPT_PROGRAM, OPT_GPU };

/* ---- help ---- */

/* Texts of ISAs: the member at @offset of struct cli_isa. */
static const char *join(char *buf, size_t size, size_t offset, const char *sep)
{
	const char *text;
	uint32_t i;

	buf[0] = 0;
	for (i = 0; i < JF_MAX_ISAS; i++) {
		size_t len = strlen(buf);

		memcpy(&text, (const char *)cli_isa_of(i) + offset, sizeof(text));
		if (text)
			snprintf(buf + len, size - len, "%s%s", len ? sep : "", text);
	}
	return buf;
}

#define JOIN(buf, member, sep) join(buf, sizeof(buf), offsetof(struct cli_isa, member), sep)

static const char *isa_list(char *buf, size_t size)
{
	size_t len = 0;
	uint32_t i;

	buf[0] = 0;
	for (i = 0; i < JF_MAX_ISAS && len < size; i++)
		if (vshader_engine_name(i))
			len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
						vshader_engine_name(i));
	return buf;
}

static void help_isa(void)
{
	char text[100];

	print_help("      --isa ISA      ");
	print_wrapped(21, "%s; default: the container's, or that of the suffix",
		      isa_list(text, sizeof(text)));
}

static void help_program(void)
{
	char text[400];

	help_isa();
	printf("      --gpu GPU      ");
	print_wrapped(21, "%s", JOIN(text, gpus, "; "));
	printf("      --stage STAGE  ");
	print_wrapped(21, "%s; containers say it themselves", JOIN(text, stages, "; "));
	puts("      --form FORM    hex, bin, shbin, mbs1, asm; default: guessed\n"
	     "      --opdesc FILE  operand descriptors, for raw words\n"
	     "      --entry ENTRY  word or label; default: the program's own, or 0\n"
	     "      --program N    which program of a container");
}

/* ---- options ---- */

static int parse_number(const char *text, unsigned int *out)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 0);
	if (*end || !isdigit((unsigned char)*text) || errno || n > UINT16_MAX)
		return fail("--program %s: expected the number of a program", text);
	*out = (unsigned int)n;
	return 0;
}

static void help_asm(void);

static int parse_options(int argc, char **argv, void (*help)(void), const char *short_options,
			 struct asm_options *opt)
{
	static const struct option options[] = {
		{ "isa", required_argument, NULL, 'i' },
		{ "gpu", required_argument, NULL, OPT_GPU },
		{ "stage", required_argument, NULL, OPT_STAGE },
		{ "form", required_argument, NULL, OPT_FORM },
		{ "opdesc", required_argument, NULL, OPT_OPDESC },
		{ "entry", required_argument, NULL, OPT_ENTRY },
		{ "program", required_argument, NULL, OPT_PROGRAM },
		{ "device", required_argument, NULL, 'd' },
		{ "output", required_argument, NULL, 'o' }, { "json", no_argument, NULL, 'j' },
		{ "words", no_argument, NULL, 'w' }, { "help", no_argument, NULL, 'h' }, { }
	};
	int c, ret = 0;

	while (!ret && (c = getopt_long(argc, argv, short_options, options, NULL)) != -1) {
		c = option_once(c, options, NULL);
		/* Long options share a table: some do not belong to each command. */
		if (c < 256 && c != '?' && !strchr(short_options, c))
			return usage_error();
		switch (c) {
		case 'i':
			ret = parse_isa(optarg);
			opt->prog.engine = ret < 0 ? 0 : (uint32_t)ret;
			opt->prog.has_engine = true;
			ret = ret < 0 ? EXIT_USAGE : 0;
			break;
		case OPT_GPU:
			opt->gpu = optarg;
			break;
		case OPT_STAGE:
			ret = parse_stage(optarg, &opt->prog);
			break;
		case OPT_FORM:
			opt->prog.form = optarg;
			break;
		case OPT_OPDESC:
			opt->prog.opdesc = optarg;
			break;
		case OPT_ENTRY:
			opt->prog.entry = optarg;
			break;
		case OPT_PROGRAM:
			opt->prog.has_index = true;
			ret = parse_number(optarg, &opt->prog.index);
			break;
		case 'd':
			opt->device = optarg;
			break;
		case 'o':
			opt->output = optarg;
			break;
		case 'j':
			opt->json = true;
			break;
		case 'w':
			opt->words = true;
			break;
		case 'h':
			help();
			return -1;
		default:
			return usage_error();
		}
	}
	/* Several files are sources to be linked. */
	if (!ret && (optind >= argc || (optind != argc - 1 && help != help_asm)))
		return usage_error();
	return ret;
}

/* ---- instruction sets of files ---- */

static bool has_suffix(const char *path, const char * const *suffixes)
{
	size_t n = strlen(path), m;

	for (; suffixes && *suffixes; suffixes++) {
		m = strlen(*suffixes);
		if (n >= m && !strcmp(path + n - m, *suffixes))
			return true;
	}
	return false;
}

/* Engines, bit by bit, whose container this is. */
static uint32_t owners(const uint8_t *data, size_t len)
{
	uint32_t i, mask = 0;

	for (i = 0; i < JF_MAX_ISAS; i++)
		if (cli_isa_of(i)->owns && cli_isa_of(i)->owns(data, len))
			mask |= 1u << i;
	return mask;
}

static int choose_owner(const char *path, uint32_t mask, struct program_options *opt)
{
	uint32_t first = 0;

	while (!(mask >> first & 1))
		first++;
	if (opt->form && (!strcmp(opt->form, "hex") || !strcmp(opt->form, "bin") ||
			  !strcmp(opt->form, "asm")))
		return fail("%s: --form %s, but the file is a container of %s programs", path,
			    opt->form, vshader_engine_name(first));
	if (opt->has_engine && !(mask >> opt->engine & 1))
		return fail("%s: --isa %s, but the file is a container of %s programs", path,
			    vshader_engine_name(opt->engine), vshader_engine_name(first));
	if (!opt->has_engine)
		opt->engine = first;
	return 0;
}

/*
 * The instruction set of a file: containers know it, sources have a suffix, raw words need
 * --isa.
 */
static int choose_isa(const char *path, bool source, struct asm_options *opt, bool *container)
{
	struct program_options *p = &opt->prog;
	const uint8_t *data;
	char text[100];
	uint32_t i, mask;
	size_t len;
	int ret = peek_input(path, &data, &len);

	if (ret)
		return ret;
	mask = owners(data, len);
	*container = mask;
	if (len >= 4 && !memcmp(data, "\177ELF", 4))
		return fail("%s: an ELF file, not a program of a GPU", path);
	if (!len)
		return fail("%s: the file is empty", path);
	if (source && mask)
		return fail("%s: the file is a container, not a source", path);
	if (mask)
		return choose_owner(path, mask, p);
	for (i = 0; !p->has_engine && i < JF_MAX_ISAS; i++) {
		if (has_suffix(path, cli_isa_of(i)->suffixes)) {
			p->engine = i;
			p->has_engine = true;
		}
	}
	if (!p->has_engine)
		return fail("%s: %s needs --isa (%s)", path,
			    source ? "a source without a suffix of a language" :
				     "a file of words",
			    isa_list(text, sizeof(text)));
	return 0;
}

/* Is a generation, or a stage, among those of the help? */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *at = strchr(list, ':') + 1;

	while (len && (at = strstr(at, name))) {
		if (at[-1] == ' ' && strchr(" ,", at[len]))
			return true;
		at += len;
	}
	return false;
}

/* Options that the file or its instruction set has no use for would be ignored. */
static int check_options(const struct asm_options *opt, bool source, bool container)
{
	const struct program_options *p = &opt->prog;
	const char *isa = vshader_engine_name(p->engine);
	const struct cli_isa *cli = cli_isa_of(p->engine);

	if (source && (opt->gpu || p->has_stage || p->opdesc || p->entry || p->has_index))
		return fail("--gpu, --stage, --opdesc, --entry and --program are not for sources");
	if (opt->gpu && !cli->gpus)
		return fail("--gpu %s: instruction set %s has no generations", opt->gpu, isa);
	if (opt->gpu && !is_listed(cli->gpus, opt->gpu))
		return fail("unknown GPU \"%s\"; %s", opt->gpu, cli->gpus);
	if (p->has_stage && container)
		return fail("--stage is for words: the container says it");
	if (p->has_stage && !cli->stages)
		return fail("--stage: programs of instruction set %s have no stages", isa);
	if (p->has_stage && !is_listed(cli->stages, vshader_stage_name(p->stage)))
		return fail("--stage %s: expected %s", vshader_stage_name(p->stage), cli->stages);
	if (p->opdesc && (container || !cli->opdesc))
		return fail("--opdesc is for words of instruction sets with operand descriptors");
	if (p->has_index && !container && (!p->form || strcmp(p->form, "asm")))
		return fail("--program is for containers");
	if (opt->words && opt->json)
		return fail("--words and --json exclude each other");
	return 0;
}

/* Options and the instruction set. Return: as parse_options(). */
static int prepare(int argc, char **argv, void (*help)(void), const char *short_options,
		   bool source, struct asm_options *opt)
{
	int ret = parse_options(argc, argv, help, short_options, opt);
	bool container = false;

	if (!ret)
		ret = choose_isa(argv[optind], source, opt, &container);
	return ret ? ret : check_options(opt, source, container);
}

/* ---- disasm ---- */

/* Nothing for programs without a container. */
static void print_directives(const struct program_input *in, unsigned int index)
{
	char *text;

	if (!in->bin || vshader_binary_directives(in->bin, index, &text))
		return;
	fputs(text, stdout);
	free(text);
}

static uint32_t num_insns(const struct vshader_source *src)
{
	return src->num_words[DRM_VSHADER_SECTION_CODE] / jf_insn_words(src->engine);
}

static int disasm_words(const struct vshader_source *src)
{
	char text[256], hex[24];
	int bad = 0;
	uint32_t i;

	for (i = 0; i < num_insns(src); i++) {
		bad |= vshader_disasm_word(src, i, text, sizeof(text)) < 0;
		printf("%03x  %s  %s\n", i, insn_hex(src, i, hex, sizeof(hex)), text);
	}
	return bad ? EXIT_DIFFERS : EXIT_OK;
}

static int disasm_json(const struct vshader_source *src)
{
	struct json_object *root = json_object_new_object(), *list;
	char text[256], hex[24];
	uint32_t i;
	int bad = 0;

	js_str(root, "isa", vshader_engine_name(src->engine));
	js_str(root, "stage", vshader_stage_name(src->stage));
	list = js_array(root, "words");
	for (i = 0; i < num_insns(src); i++) {
		struct json_object *o = json_object_new_object();
		bool defined = !vshader_disasm_word(src, i, text, sizeof(text));

		js_int(o, "offset", i);
		js_str(o, "word", insn_hex(src, i, hex, sizeof(hex)));
		js_str(o, "text", text);
		js_bool(o, "defined", defined);
		json_object_array_add(list, o);
		bad |= !defined;
	}
	js_print(root);
	return bad ? EXIT_DIFFERS : EXIT_OK;
}

static int warn_undefined(const char *path, uint32_t engine, uint32_t n)
{
	if (!n)
		return EXIT_OK;
	fail("%s: %u word%s no instruction%s of %s", path, n, n == 1 ? " is" : "s are",
	     n == 1 ? "" : "s", vshader_engine_name(engine));
	return EXIT_DIFFERS;
}

/* Listings have numbers for what is undefined: words, groups of them, operations, operands. */
int asm_check_listing(const char *path, const char *text, uint32_t engine)
{
	static const char unknown[] = "unknown";
	uint32_t n = 0;

	for (; *text; text++) {
		if (!strncmp(text, ".word", 5) || !strncmp(text, ".quad", 5))
			n++;
		else if (!strncmp(text, unknown, sizeof(unknown) - 1) &&
			 isdigit((unsigned char)text[sizeof(unknown) - 1]))
			n++;
	}
	return warn_undefined(path, engine, n);
}

/* Of the listing, which has numbers for undefined words. */
static int check_words(const char *path, const struct vshader_source *src)
{
	uint32_t i, bad = 0;
	char text[256];

	for (i = 0; i < num_insns(src); i++)
		bad += vshader_disasm_word(src, i, text, sizeof(text)) < 0;
	return warn_undefined(path, src->engine, bad);
}

int asm_check_entry(const struct asm_options *opt, const struct vshader_source *src)
{
	if (!opt->prog.entry || src->entries[0] < num_insns(src))
		return 0;
	return fail("entry %s: the program has %u instructions", opt->prog.entry, num_insns(src));
}

static void help_disasm(void)
{
	help_program();
	puts("  -w, --words        offsets and words beside the text, which cannot be assembled\n"
	     "  -j, --json         machine-readable output\n\n"
	     "What is printed assembles to the same words; the text of a container, to the same\n"
	     "container. The exit status is 1 if a word is undefined.");
}

int cmd_disasm(int argc, char **argv)
{
	struct asm_options opt = { };
	struct program_input in;
	char *text;
	int ret = prepare(argc, argv, help_disasm, "i:jwh", false, &opt);

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (cli_isa_of(opt.prog.engine)->disasm)
		return cli_isa_of(opt.prog.engine)->disasm(argv[optind], &opt);
	ret = load_program(argv[optind], &opt.prog, &in);
	if (ret)
		return ret;
	ret = asm_check_entry(&opt, &in.src);
	if (ret) {
		free_program(&in);
		return ret;
	}
	if (opt.json) {
		ret = disasm_json(&in.src);
	} else if (opt.words) {
		ret = disasm_words(&in.src);
	} else if (vshader_disasm(&in.src, &text)) {
		ret = fail("%s: %s", argv[optind], vshader_error());
	} else {
		print_directives(&in, opt.prog.index);
		fputs(text, stdout);
		free(text);
		ret = check_words(argv[optind], &in.src);
	}
	free_program(&in);
	return ret;
}

/* ---- asm ---- */

static void write_words(FILE *f, const uint32_t *w, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		fprintf(f, "%08x%c", w[i], i % 8 == 7 || i == n - 1 ? '\n' : ' ');
}

/* Is the source a bare list of words, without sections? */
static bool is_plain(const struct vshader_source *src)
{
	return src->stage == jf_isa_of(src->engine)->stage && src->num_entries == 1 &&
	       !src->entries[0] &&
	       !src->num_words[DRM_VSHADER_SECTION_OPDESC];
}

/* Write the format that disasm reads; a program without sections is written as bare words. */
static void write_hex(FILE *f, const struct vshader_source *src)
{
	uint32_t i;

	if (is_plain(src)) {
		write_words(f, src->words[DRM_VSHADER_SECTION_CODE],
			    src->num_words[DRM_VSHADER_SECTION_CODE]);
		return;
	}
	fprintf(f, "stage: %s\nentry:", vshader_stage_name(src->stage));
	for (i = 0; i < src->num_entries; i++)
		fprintf(f, " %x", src->entries[i]);
	fputc('\n', f);
	if (src->num_words[DRM_VSHADER_SECTION_OPDESC]) {
		fprintf(f, "opdesc:\n");
		write_words(f, src->words[DRM_VSHADER_SECTION_OPDESC],
			    src->num_words[DRM_VSHADER_SECTION_OPDESC]);
	}
	fprintf(f, "code:\n");
	write_words(f, src->words[DRM_VSHADER_SECTION_CODE],
		    src->num_words[DRM_VSHADER_SECTION_CODE]);
}

static int write_program(FILE *f, const char *form, const struct program_input *in)
{
	const struct vshader_source *src = &in->src;
	uint8_t le[4];
	size_t size;
	uint32_t i;
	void *data;

	if (!strcmp(form, "hex")) {
		write_hex(f, src);
	} else if (!strcmp(form, "bin")) {
		for (i = 0; i < src->num_words[DRM_VSHADER_SECTION_CODE]; i++) {
			jf_store(JF_U32, src->words[DRM_VSHADER_SECTION_CODE][i], le);
			fwrite(le, 1, 4, f);
		}
	} else if (!strcmp(form, "shbin")) {
		if (vshader_binary_write(in->bin, &data, &size))
			return fail("%s", vshader_error());
		fwrite(data, 1, size, f);
		free(data);
	} else {
		return fail("unknown form \"%s\"; forms of output are hex, bin, shbin", form);
	}
	return 0;
}

static int write_output(const char *path, const char *form, const struct program_input *in)
{
	struct output out;
	int ret = output_open(&out, path);

	return ret ? ret : output_close(&out, write_program(out.f, form, in));
}

/* Source that assembles may still be no program: the verifier's warnings belong to its source. */
static void warn_source(const char *path, const struct program_input *in)
{
	struct drm_vshader_program_info info;
	const char *line, *end;
	char log[4096] = "";
	struct vshader_diag diag = { .log = log, .log_size = sizeof(log) };

	if (*vshader_binary_warnings(in->bin))
		print_error(vshader_binary_warnings(in->bin));
	if (vshader_verify(&in->src, &info, &diag))
		return;
	for (line = log; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		fprintf(stderr, "%s: %.*s\n", safe_name(path), (int)(end - line), line);
	}
}

static void help_asm(void)
{
	char text[400];

	help_isa();
	printf("      --form FORM    ");
	print_wrapped(21, "of output: hex, bin (code only), %s; by default by its name, or hex",
		      JOIN(text, container, ", "));
	printf("  -o, --output FILE  output file, default standard output\n\n"
	       "Accepts %s and the output of \"vshader disasm\".\n", JOIN(text, language, ", "));
}

/* The form that the name of the output asks for; one that there is not is an error later. */
static const char *form_of(const char *path)
{
	static const char * const forms[] = { "shbin", "bin", "mbs", "mbs1" };
	const char *ending = path ? strrchr(path, '.') : NULL;
	unsigned int i;

	for (i = 0; ending && i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcmp(ending + 1, forms[i]))
			return forms[i];
	}
	return "hex";
}

int cmd_asm(int argc, char **argv)
{
	struct asm_options opt = { };
	struct program_input in;
	const char *form;
	int ret = prepare(argc, argv, help_asm, "i:o:h", true, &opt);

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (cli_isa_of(opt.prog.engine)->assemble)
		return optind == argc - 1 ?
		       cli_isa_of(opt.prog.engine)->assemble(argv[optind], &opt) :
		       usage_error();
	form = opt.prog.form ? opt.prog.form : form_of(opt.output);
	opt.prog.form = "asm";
	ret = optind == argc - 1 ? load_program(argv[optind], &opt.prog, &in) :
	      load_sources(argv + optind, (unsigned int)(argc - optind), &opt.prog, &in);
	if (ret)
		return ret;
	warn_source(argv[optind], &in);
	ret = write_output(opt.output, form, &in);
	free_program(&in);
	return ret;
}

/* ---- verify ---- */

static const char * const features[] = { "flow", "loop", "relative", "emit", "carries-state",
					 "diverges" };

static int ask_device(const struct asm_options *opt, const struct vshader_source *src,
		      struct drm_vshader_program_info *info, struct vshader_diag *diag)
{
	struct vshader_device *dev;
	uint32_t id;
	int ret;

	if (!opt->device)
		return vshader_verify(src, info, diag);
	ret = vshader_open(opt->device, &dev);
	if (ret)
		return ret;
	ret = vshader_program_create(dev, src, diag, &id);
	if (!ret)
		ret = vshader_program_query(dev, id, info);
	vshader_close(dev);
	return ret;
}

void asm_print_mask(const char *name, uint32_t mask, const char *prefix)
{
	const char *sep = "";
	uint32_t i;

	printf("  %-16s ", name);
	for (i = 0; i < 32; i++) {
		if (!(mask >> i & 1))
			continue;
		printf("%s%s%u", sep, prefix, i);
		sep = " ";
	}
	puts(*sep ? "" : "none");
}

static void print_lines(const char *prefix, const char *text)
{
	const char *nl;

	for (; *text; text = nl + 1) {
		nl = strchrnul(text, '\n');
		printf("%s%.*s\n", prefix, (int)(nl - text), text);
		if (!*nl)
			break;
	}
}

/* Does an instruction name one of the registers? Relative addresses count by their base. */
static bool is_used(const struct vshader_source *src, const struct vshader_register *reg)
{
	char text[256], name[32], *end;
	const char *at;
	uint32_t i;

	for (i = 0; i < num_insns(src); i++) {
		at = text;
		if (vshader_disasm_word(src, i, text, sizeof(text)) < 0)
			continue;
		while (trace_next_name(&at, src->engine, i, name, sizeof(name))) {
			unsigned long n = strtoul(name + 1, &end, 10);

			if (name[0] == reg->kind && end > name + 1 && !*end && n >= reg->first &&
			    n - reg->first < reg->count)
				return true;
		}
	}
	return false;
}

/* The next named uniform that a program of a container uses. Return: false: no more. */
static bool next_uniform(const struct program_input *in, unsigned int index, unsigned int *n,
			 struct vshader_register *reg)
{
	while (in->bin && !vshader_binary_register(in->bin, index, (*n)++, reg)) {
		if (strchr("cib", reg->kind) && reg->name && is_used(&in->src, reg))
			return true;
	}
	return false;
}

static void print_uniforms(const struct program_input *in, unsigned int index)
{
	struct vshader_register reg;
	unsigned int n = 0;

	while (next_uniform(in, index, &n, &reg)) {
		printf("  %-16s %s %c%u", "uniform", reg.name, reg.kind, reg.first);
		if (reg.count > 1)
			printf("-%c%u", reg.kind, reg.first + reg.count - 1);
		putchar('\n');
	}
}

static void print_report(const struct program_input *in, unsigned int index,
			 const struct drm_vshader_program_info *i, const struct vshader_diag *diag)
{
	unsigned int k;

	printf("accepted: %s program for %s\n", vshader_stage_name(i->stage),
	       vshader_engine_name(i->engine));
	printf("  %-16s %u, %u reachable\n", "words", i->code_words, i->reachable_words);
	if (cli_isa_of(i->engine)->print_info)
		cli_isa_of(i->engine)->print_info(i);
	print_uniforms(in, index);
	printf("  %-16s", "features");
	for (k = 0; k < sizeof(features) / sizeof(features[0]); k++) {
		if (i->features >> k & 1)
			printf(" %s", features[k]);
	}
	printf("%s\n  %-16s %u\n", i->features ? "" : " none", "warnings", diag->warnings);
	print_lines("    ", diag->log);
}

static void print_reject(const struct vshader_source *src, const struct drm_vshader_reject *r,
			 const char *log)
{
	char text[400], hex[24];

	printf("%s\n", vshader_error());
	printf("  %-16s %u\n", "reason", r->reason);
	printf("  %-16s %s word %u (%#x)\n", "place",
	       r->section == DRM_VSHADER_SECTION_OPDESC ? "descriptor" : "code", r->offset,
	       r->offset);
	printf("  %-16s bits %u to %u\n", "field", r->field_lo, r->field_hi);
	printf("  %-16s %u (%#x)\n", "value", r->value, r->value);
	printf("  %-16s %u (%#x)\n", "limit", r->limit, r->limit);
	if (r->section == DRM_VSHADER_SECTION_CODE &&
	    r->offset < num_insns(src)) {
		vshader_disasm_word(src, r->offset, text, sizeof(text));
		printf("  %-16s %s  %s\n", "word", insn_hex(src, r->offset, hex, sizeof(hex)),
		       text);
	}
	print_lines("    ", log);
}

static void add_mask(struct json_object *o, const char *key, uint32_t mask)
{
	struct json_object *a = js_array(o, key);
	uint32_t i;

	for (i = 0; i < 32; i++) {
		if (mask >> i & 1)
			json_object_array_add(a, json_object_new_int((int32_t)i));
	}
}

static void json_report(struct json_object *o, const struct drm_vshader_program_info *i)
{
	struct json_object *f;
	unsigned int k;

	js_str(o, "engine", vshader_engine_name(i->engine));
	js_str(o, "stage", vshader_stage_name(i->stage));
	js_int(o, "code_words", i->code_words);
	js_int(o, "reachable_words", i->reachable_words);
	js_int(o, "uops", i->uops);
	js_int(o, "slots", i->slots);
	js_int(o, "memory", i->memory);
	add_mask(o, "inputs", i->inputs);
	add_mask(o, "outputs", i->outputs);
	add_mask(o, "temps", i->temps);
	js_int(o, "uniform_rows", i->uniform_rows);
	add_mask(o, "const_ints", i->const_ints);
	add_mask(o, "const_bools", i->const_bools);
	f = js_array(o, "features");
	for (k = 0; k < sizeof(features) / sizeof(features[0]); k++) {
		if (i->features >> k & 1)
			json_object_array_add(f, json_object_new_string(features[k]));
	}
}

static void json_uniforms(struct json_object *o, const struct program_input *in,
			  unsigned int index)
{
	struct json_object *list = js_array(o, "uniforms"), *r;
	struct vshader_register reg;
	unsigned int n = 0;

	while (next_uniform(in, index, &n, &reg)) {
		const char kind[2] = { reg.kind };

		r = json_object_new_object();
		js_str(r, "name", reg.name);
		js_str(r, "kind", kind);
		js_int(r, "first", reg.first);
		js_int(r, "count", reg.count);
		json_object_array_add(list, r);
	}
}

static void print_json(const struct program_input *in, unsigned int index, int ret,
		       const struct drm_vshader_program_info *info,
		       const struct vshader_diag *diag)
{
	const struct drm_vshader_reject *r = &diag->reject;
	struct json_object *o = json_object_new_object(), *j;

	js_bool(o, "accepted", !ret);
	js_str(o, "log", diag->log);
	if (!ret) {
		j = js_object(o, "report");
		json_report(j, info);
		json_uniforms(j, in, index);
		js_int(j, "warnings", diag->warnings);
	} else {
		j = js_object(o, "reject");
		js_str(j, "text", vshader_error());
		js_int(j, "reason", r->reason);
		js_str(j, "section", r->section ? "opdesc" : "code");
		js_int(j, "offset", r->offset);
		js_int(j, "field_lo", r->field_lo);
		js_int(j, "field_hi", r->field_hi);
		js_int(j, "value", r->value);
		js_int(j, "limit", r->limit);
	}
	js_print(o);
}

static int verify(const struct asm_options *opt, const struct program_input *in)
{
	struct drm_vshader_program_info info = { };
	static char log[65536];
	struct vshader_diag diag = { .log = log, .log_size = sizeof(log) };
	int ret = ask_device(opt, &in->src, &info, &diag);

	if (ret && ret != -ENOEXEC)
		return fail("%s", vshader_error());
	if (opt->json)
		print_json(in, opt->prog.index, ret, &info, &diag);
	else if (ret)
		print_reject(&in->src, &diag.reject, log);
	else
		print_report(in, opt->prog.index, &info, &diag);
	return ret ? EXIT_DIFFERS : EXIT_OK;
}

static void help_verify(void)
{
	static const char text[] =
"  -d, --device DEV   ask this device's verifier; default: the built-in one, which is\n"
"                     the same\n"
"  -j, --json         machine-readable output\n\n"
"The exit status is 1 if the program is rejected.";

	help_program();
	puts(text);
}

int cmd_verify(int argc, char **argv)
{
	struct asm_options opt = { };
	struct program_input in;
	int ret = prepare(argc, argv, help_verify, "i:d:jh", false, &opt);

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (cli_isa_of(opt.prog.engine)->verify)
		return cli_isa_of(opt.prog.engine)->verify(argv[optind], &opt);
	ret = load_program(argv[optind], &opt.prog, &in);
	if (ret)
		return ret;
	ret = verify(&opt, &in);
	free_program(&in);
	return ret;
}
