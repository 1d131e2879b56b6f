// SPDX-License-Identifier: MIT
/*
 * Programs with the names in them: containers, results of assemblers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shbin.h"
#include "vsh_isa.h"

/* Files that an assembly reads: @bin's grow. */
struct sources {
	const struct vshader_include *include;
	struct vshader_binary *bin;
};

static int keep_source(struct vshader_binary *bin, const char *name, const char *text, size_t size)
{
	struct vsh_file *more = realloc(bin->files, (bin->num_files + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	bin->files = more;
	more += bin->num_files++;
	more->name = strdup(name);
	more->text = strndup(text, size);
	return more->name && more->text ? 0 : -ENOMEM;
}

static int load_source(void *ctx, const char *name, char **text, size_t *len)
{
	const struct sources *s = ctx;
	int ret;

	if (!s->include || !s->include->load)
		return -ENOENT;
	ret = s->include->load(s->include->ctx, name, text, len);
	if (ret)
		return ret;
	ret = keep_source(s->bin, name, *text, *len);
	if (ret)
		free(*text);
	return ret;
}

/* All errors or all warnings, a line each. */
static void join_messages(const struct vshader_binary *bin, const struct vs_as_diag *diag,
			  int errors, char *text, size_t size)
{
	size_t len = 0;
	uint32_t i;

	text[0] = 0;
	for (i = 0; i < diag->nmessages && i < VS_AS_MAX_MESSAGES; i++) {
		const struct vs_as_message *m = &diag->messages[i];

		if (!m->error != !errors)
			continue;
		len += (size_t)scnprintf(text + len, size - len, "%s%s", len ? "\n" : "",
					 m->file < bin->num_files ? bin->files[m->file].name :
								    "included file");
		if (m->line)
			len += (size_t)scnprintf(text + len, size - len, ":%u", m->line);
		if (m->column)
			len += (size_t)scnprintf(text + len, size - len, ":%u", m->column);
		len += (size_t)scnprintf(text + len, size - len, ": %s: %s",
					 m->error ? "error" : "warning", m->text);
	}
}

int vsh_assemble_words(int (*as)(const char *text, size_t len, uint32_t **words, uint32_t *nwords,
				 struct vs_as_debug *debug, struct vs_as_diag *diag),
		       uint32_t stage, const char *text, size_t size, struct vs_as_program *out,
		       struct vs_as_diag *diag)
{
	int ret;

	out->entries = calloc(1, sizeof(*out->entries));
	if (!out->entries)
		return -ENOMEM;
	out->nentries = 1;
	out->stage = stage;
	ret = as(text, size, &out->words, &out->nwords, &out->debug, diag);
	if (ret)
		vs_as_program_free(out);
	return ret;
}

static int link_texts(struct vshader_binary *bin, const struct vshader_text *texts,
		      unsigned int num, struct vs_as_diag *diag)
{
	struct vs_as_source *src = calloc(num, sizeof(*src));
	unsigned int i;
	int ret;

	if (!src)
		return -ENOMEM;
	for (i = 0; i < num; i++)
		src[i] = (struct vs_as_source){ .text = texts[i].text, .len = texts[i].size };
	ret = vsh_isa_of(bin->engine)->link(src, num, bin, diag);
	free(src);
	return ret;
}

static int assemble(struct vshader_binary *bin, const struct vshader_text *texts,
		    unsigned int num, const struct vshader_include *include)
{
	struct sources s = { .include = include, .bin = bin };
	const struct vs_as_options opt = { .load = load_source, .ctx = &s };
	struct vs_as_diag *diag = calloc(1, sizeof(*diag));
	char messages[4000];
	unsigned int i;
	int ret = 0;

	if (!diag)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < num && !ret; i++)
		ret = keep_source(bin, texts[i].name, texts[i].text, texts[i].size);
	if (!ret && num > 1)
		ret = link_texts(bin, texts, num, diag);
	else if (!ret)
		ret = vsh_isa_of(bin->engine)->assemble(texts->text, texts->size, &opt, bin, diag);
	join_messages(bin, diag, ret, messages, sizeof(messages));
	if (!ret)
		bin->warnings = strdup(messages);
	if (!ret && !bin->warnings)
		ret = -ENOMEM;
	if (ret == -ENOMEM)
		vsh_fail(ENOMEM, "out of memory");
	else if (ret)
		vsh_fail(EINVAL, "%s", messages);
	free(diag);
	return ret;
}

int vshader_assemble_files(uint32_t engine, const struct vshader_text *texts, unsigned int num,
			   const struct vshader_include *include, struct vshader_binary **out)
{
	const struct vsh_isa *isa = vsh_isa_of(engine);
	struct vshader_binary *bin;
	int ret;

	if (!isa->assemble)
		return vsh_fail(EOPNOTSUPP, "there is no assembler for engine %u", engine);
	if (!num)
		return vsh_fail(EINVAL, "no source");
	if (num > 1 && !isa->link)
		return vsh_fail(EOPNOTSUPP, "%s programs have one source, not %u",
				vshader_engine_name(engine), num);
	bin = calloc(1, sizeof(*bin));
	if (!bin)
		return vsh_fail(ENOMEM, "out of memory");
	bin->engine = engine;
	ret = assemble(bin, texts, num, include);
	if (ret) {
		vshader_binary_free(bin);
		return ret;
	}
	bin->shbin = bin->as.bin;
	*out = bin;
	return 0;
}

int vshader_assemble_with(uint32_t engine, const char *text, size_t size, const char *name,
			  const struct vshader_include *include, struct vshader_binary **out)
{
	const struct vshader_text one = { .text = text, .size = size, .name = name };

	return vshader_assemble_files(engine, &one, 1, include, out);
}

int vshader_assemble(uint32_t engine, const char *text, size_t size, const char *name,
		     struct vshader_binary **out)
{
	return vshader_assemble_with(engine, text, size, name, NULL, out);
}

void vshader_binary_free(struct vshader_binary *bin)
{
	uint32_t i;

	if (!bin)
		return;
	for (i = 0; i < bin->num_files; i++) {
		free(bin->files[i].name);
		free(bin->files[i].text);
	}
	free(bin->files);
	bin->as.bin = bin->shbin;
	vs_as_result_free(&bin->as);
	vs_as_program_free(&bin->prog);
	free(bin->warnings);
	free(bin);
}

const char *vshader_binary_warnings(const struct vshader_binary *bin)
{
	return bin->warnings ? bin->warnings : "";
}

int vshader_binary_write(const struct vshader_binary *bin, void **data, size_t *size)
{
	int ret;

	if (!bin->shbin)
		return vsh_fail(EOPNOTSUPP, "programs of engine %s have no container",
				vshader_engine_name(bin->engine));
	ret = vs_shbin_write(bin->shbin, data, size);
	return ret ? vsh_fail(-ret, "the program does not fit the SHBIN format") : 0;
}

int vshader_binary_directives(const struct vshader_binary *bin, unsigned int index, char **text)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);

	if (!d)
		return vsh_fail(ENOENT, "program %u is in no container", index);
	return vs_shbin_text(d, text) ? vsh_fail(ENOMEM, "out of memory") : 0;
}

unsigned int vshader_binary_count(const struct vshader_binary *bin)
{
	return bin->shbin ? bin->shbin->ndvles : 1;
}

const struct vs_shbin_dvle *vsh_find_dvle(const struct vshader_binary *bin, unsigned int index)
{
	return bin->shbin && index < bin->shbin->ndvles ? &bin->shbin->dvles[index] : NULL;
}

static void prog_source(const struct vshader_binary *bin, struct vshader_source *src)
{
	*src = (struct vshader_source){
		.engine = bin->engine,
		.stage = bin->prog.stage,
		.words = { bin->prog.words },
		.num_words = { bin->prog.nwords },
		.entries = bin->prog.entries,
		.num_entries = bin->prog.nentries,
	};
}

int vshader_binary_source(const struct vshader_binary *bin, unsigned int index,
			  struct vshader_source *src)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);
	bool all = bin->as.nentries && bin->shbin->ndvles == 1;

	if (!bin->shbin && !index) {
		prog_source(bin, src);
		return 0;
	}
	if (!d)
		return vsh_fail(ENOENT, "program %u does not exist, the container has %u", index,
				vshader_binary_count(bin));
	*src = (struct vshader_source){
		.engine = bin->engine,
		.stage = d->type == VS_SHBIN_GEOMETRY ? DRM_VSHADER_STAGE_GEOMETRY :
							DRM_VSHADER_STAGE_VERTEX,
		.words = { bin->shbin->code, bin->shbin->opdesc },
		.num_words = { bin->shbin->ncode, bin->shbin->nopdesc },
		.entries = all ? bin->as.entries : &d->entry,
		.num_entries = all ? bin->as.nentries : 1,
	};
	return 0;
}

/* Lines and names of the program; those of a container that was not assembled are empty. */
static const struct vs_as_debug *find_debug(const struct vshader_binary *bin, unsigned int index)
{
	static const struct vs_as_debug none;

	if (index >= vshader_binary_count(bin))
		return &none;
	return bin->shbin ? &bin->as.debug : &bin->prog.debug;
}

static bool find_label(const struct vs_as_debug *g, const char *name, uint32_t *word)
{
	uint32_t i;

	for (i = 0; i < g->nlabels; i++) {
		if (!strcmp(g->labels[i].name, name)) {
			*word = g->labels[i].word;
			return true;
		}
	}
	return false;
}

int vshader_binary_label(const struct vshader_binary *bin, unsigned int index, const char *name,
			 uint32_t *word)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);
	const struct vs_shbin_label *l = d ? vs_shbin_find_label(d, name) : NULL;

	if (l) {
		*word = l->word;
		return 0;
	}
	if (find_label(find_debug(bin, index), name, word))
		return 0;
	return vsh_fail(ENOENT, "there is no label \"%.64s\"", name);
}

int vshader_binary_register(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			    struct vshader_register *reg)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);

	if (d && n < d->nregs) {
		const struct vs_shbin_reg *r = &d->regs[n];

		*reg = (struct vshader_register){
			.kind = r->kind,
			.first = (uint8_t)r->first,
			.count = (uint8_t)(r->last - r->first + 1),
			.name = r->name,
		};
		return 0;
	}
	n -= d ? d->nregs : 0;
	if (d && n < d->nouts) {
		const struct vs_shbin_out *o = &d->outs[n];

		*reg = (struct vshader_register){
			.kind = 'o',
			.first = (uint8_t)o->reg,
			.count = 1,
			.mask = o->mask & 15,
			.type = o->type,
		};
		return 0;
	}
	return vsh_fail(ENOENT, "no such register");
}

int vshader_binary_file(const struct vshader_binary *bin, unsigned int n, const char **name,
			const char **text)
{
	if (n >= bin->num_files)
		return vsh_fail(ENOENT, "there is no source %u", n);
	*name = bin->files[n].name;
	*text = bin->files[n].text;
	return 0;
}

int vshader_binary_line(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			struct vshader_line *line)
{
	const struct vs_as_debug *g = find_debug(bin, index);

	if (n >= g->nlines)
		return vsh_fail(ENOENT, "there is no line %u", n);
	*line = (struct vshader_line){
		.word = g->lines[n].word,
		.file = g->lines[n].file,
		.line = g->lines[n].line,
		.last = g->lines[n].last,
	};
	return 0;
}

int vshader_binary_symbol(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			  struct vshader_symbol *sym)
{
	const struct vs_shbin_dvle *d = vsh_find_dvle(bin, index);
	const struct vs_as_debug *g = find_debug(bin, index);

	memset(sym, 0, sizeof(*sym));
	if (d && n < d->nlabels) {
		sym->name = d->labels[n].name;
		sym->word = d->labels[n].word;
		return 0;
	}
	n -= d ? d->nlabels : 0;
	if (n < g->nlabels) {
		sym->name = g->labels[n].name;
		sym->word = g->labels[n].word;
		return 0;
	}
	n -= g->nlabels;
	if (n >= g->nnames)
		return vsh_fail(ENOENT, "no such symbol");
	sym->name = g->names[n].name;
	sym->value = g->names[n].value;
	sym->count = g->names[n].count;
	return 0;
}
