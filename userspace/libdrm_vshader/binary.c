// SPDX-License-Identifier: MIT
/*
 * Containers of programs: SHBIN files and what the assembler makes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/pica/pica_float.h"
#include "priv.h"
#include "shbin.h"
#include "vs_as.h"

#define MAX_INCLUDED	64

/**
 * struct vshader_binary - a container
 * @engine: enum drm_vshader_engine
 * @shbin: PICA200 container
 * @as: what the assembler adds to it: entry points, labels; zero for files
 * @qpu: QPU program
 */
struct vshader_binary {
	uint32_t engine;
	struct vs_shbin *shbin;
	struct vs_as_result as;
	struct vs_as_qpu_result qpu;
};

/**
 * struct sources - files that an assembly reads
 * @include: how to get them
 * @names: their names; the first is the main source's
 * @n: number of @names
 */
struct sources {
	const struct vshader_include *include;
	char *names[MAX_INCLUDED];
	uint32_t n;
};

int vshader_binary_load(const void *data, size_t size, struct vshader_binary **out)
{
	struct vshader_binary *bin;
	struct vs_error err = { };
	int ret;

	if (size < 4 || memcmp(data, "DVLB", 4))
		return vsh_fail(EINVAL, "no known container: an SHBIN begins with \"DVLB\"");
	bin = calloc(1, sizeof(*bin));
	if (!bin)
		return vsh_fail(ENOMEM, "out of memory");
	bin->engine = DRM_VSHADER_ENGINE_PICA;
	ret = vs_shbin_parse(data, size, &bin->shbin, &err);
	if (ret) {
		free(bin);
		if (ret == -ENOMEM)
			return vsh_fail(ENOMEM, "out of memory");
		return vsh_fail(-ret, "SHBIN, byte %zu: %s", err.offset, err.text);
	}
	*out = bin;
	return 0;
}

static int load_source(void *ctx, const char *name, char **text, size_t *len)
{
	struct sources *s = ctx;
	int ret;

	if (!s->include || !s->include->load)
		return -ENOENT;
	ret = s->include->load(s->include->ctx, name, text, len);
	if (!ret && s->n < MAX_INCLUDED)
		s->names[s->n++] = strdup(name);
	return ret;
}

/* All messages, a line each. */
static void set_messages(const struct sources *s, const struct vs_as_diag *diag)
{
	char text[4000];
	size_t len = 0;
	uint32_t i;

	text[0] = 0;
	for (i = 0; i < diag->nmessages && i < VS_AS_MAX_MESSAGES; i++) {
		const struct vs_as_message *m = &diag->messages[i];

		if (!m->error)
			continue;
		len += (size_t)scnprintf(text + len, sizeof(text) - len, "%s%s", len ? "\n" : "",
					 m->file < s->n && s->names[m->file] ?
					 s->names[m->file] : "included file");
		if (m->line)
			len += (size_t)scnprintf(text + len, sizeof(text) - len, ":%u", m->line);
		if (m->column)
			len += (size_t)scnprintf(text + len, sizeof(text) - len, ":%u", m->column);
		len += (size_t)scnprintf(text + len, sizeof(text) - len, ": error: %s", m->text);
	}
	vsh_fail(EINVAL, "%s", text);
}

/* Languages without entry points and stages: the program starts at its first word. */
static int assemble_words(uint32_t engine, const char *text, size_t size,
			  struct vs_as_qpu_result *out, struct vs_as_diag *diag)
{
	int ret;

	out->entries = calloc(1, sizeof(*out->entries));
	if (!out->entries)
		return -ENOMEM;
	out->nentries = 1;
	out->stage = DRM_VSHADER_STAGE_COMPUTE;
	switch (engine) {
	case DRM_VSHADER_ENGINE_MIDGARD:
		ret = vs_as_midgard(text, size, &out->words, &out->nwords, diag);
		break;
	case DRM_VSHADER_ENGINE_UTGARD_GP:
		out->stage = DRM_VSHADER_STAGE_VERTEX;
		ret = vs_as_utgard_gp(text, size, &out->words, &out->nwords, diag);
		break;
	case DRM_VSHADER_ENGINE_UTGARD_PP:
		out->stage = DRM_VSHADER_STAGE_FRAGMENT;
		ret = vs_as_utgard_pp(text, size, &out->words, &out->nwords, diag);
		break;
	default:
		ret = vs_as_bifrost(text, size, &out->words, &out->nwords, diag);
		break;
	}
	if (ret)
		vs_as_qpu_free(out);
	return ret;
}

static int assemble(struct vshader_binary *bin, const char *text, size_t size, struct sources *s)
{
	const struct vs_as_qpu_options opt = { .load = load_source, .ctx = s };
	struct vs_as_diag *diag = calloc(1, sizeof(*diag));
	int ret;

	if (!diag)
		return vsh_fail(ENOMEM, "out of memory");
	if (bin->engine == DRM_VSHADER_ENGINE_QPU)
		ret = vs_as_qpu(text, size, &opt, &bin->qpu, diag);
	else if (bin->engine != DRM_VSHADER_ENGINE_PICA)
		ret = assemble_words(bin->engine, text, size, &bin->qpu, diag);
	else
		ret = vs_as_pica(text, size, &bin->as, diag);
	if (ret == -ENOMEM)
		vsh_fail(ENOMEM, "out of memory");
	else if (ret)
		set_messages(s, diag);
	free(diag);
	return ret;
}

int vshader_assemble_with(uint32_t engine, const char *text, size_t size, const char *name,
			  const struct vshader_include *include, struct vshader_binary **out)
{
	struct sources s = { .include = include, .names = { (char *)name }, .n = 1 };
	struct vshader_binary *bin;
	int ret;

	if (engine > DRM_VSHADER_ENGINE_UTGARD_PP)
		return vsh_fail(EOPNOTSUPP, "there is no assembler for engine %u", engine);
	bin = calloc(1, sizeof(*bin));
	if (!bin)
		return vsh_fail(ENOMEM, "out of memory");
	bin->engine = engine;
	ret = assemble(bin, text, size, &s);
	while (s.n > 1)
		free(s.names[--s.n]);
	if (ret) {
		free(bin);
		return ret;
	}
	bin->shbin = bin->as.bin;
	*out = bin;
	return 0;
}

int vshader_assemble(uint32_t engine, const char *text, size_t size, const char *name,
		     struct vshader_binary **out)
{
	return vshader_assemble_with(engine, text, size, name, NULL, out);
}

void vshader_binary_free(struct vshader_binary *bin)
{
	if (!bin)
		return;
	bin->as.bin = bin->shbin;
	vs_as_result_free(&bin->as);
	vs_as_qpu_free(&bin->qpu);
	free(bin);
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

unsigned int vshader_binary_count(const struct vshader_binary *bin)
{
	return bin->shbin ? bin->shbin->ndvles : 1;
}

static const struct vs_shbin_dvle *find_dvle(const struct vshader_binary *bin, unsigned int index)
{
	return bin->shbin && index < bin->shbin->ndvles ? &bin->shbin->dvles[index] : NULL;
}

static void qpu_source(const struct vshader_binary *bin, struct vshader_source *src)
{
	*src = (struct vshader_source){
		.engine = bin->engine,
		.stage = bin->qpu.stage,
		.words = { bin->qpu.words },
		.num_words = { bin->qpu.nwords },
		.entries = bin->qpu.entries,
		.num_entries = bin->qpu.nentries,
	};
}

int vshader_binary_source(const struct vshader_binary *bin, unsigned int index,
			  struct vshader_source *src)
{
	const struct vs_shbin_dvle *d = find_dvle(bin, index);
	bool all = bin->as.nentries && bin->shbin->ndvles == 1;

	if (!bin->shbin && !index) {
		qpu_source(bin, src);
		return 0;
	}
	if (!d)
		return vsh_fail(ENOENT, "program %u does not exist, the container has %u", index,
				vshader_binary_count(bin));
	*src = (struct vshader_source){
		.engine = DRM_VSHADER_ENGINE_PICA,
		.stage = d->type == VS_SHBIN_GEOMETRY ? DRM_VSHADER_STAGE_GEOMETRY :
							DRM_VSHADER_STAGE_VERTEX,
		.words = { bin->shbin->code, bin->shbin->opdesc },
		.num_words = { bin->shbin->ncode, bin->shbin->nopdesc },
		.entries = all ? bin->as.entries : &d->entry,
		.num_entries = all ? bin->as.nentries : 1,
	};
	return 0;
}

static bool find_label(const struct vs_as_label *labels, uint32_t n, const char *name,
		       uint32_t *word)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!strcmp(labels[i].name, name)) {
			*word = labels[i].word;
			return true;
		}
	}
	return false;
}

int vshader_binary_label(const struct vshader_binary *bin, unsigned int index, const char *name,
			 uint32_t *word)
{
	const struct vs_shbin_dvle *d = find_dvle(bin, index);
	const struct vs_shbin_label *l = d ? vs_shbin_find_label(d, name) : NULL;

	if (l) {
		*word = l->word;
		return 0;
	}
	if (d && find_label(bin->as.labels, bin->as.nlabels, name, word))
		return 0;
	if (!bin->shbin && !index && find_label(bin->qpu.labels, bin->qpu.nlabels, name, word))
		return 0;
	return vsh_fail(ENOENT, "there is no label \"%.64s\"", name);
}

int vshader_binary_register(const struct vshader_binary *bin, unsigned int index, unsigned int n,
			    struct vshader_register *reg)
{
	const struct vs_shbin_dvle *d = find_dvle(bin, index);

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

int vshader_binary_constants(const struct vshader_binary *bin, unsigned int index,
			     struct vshader_constants *consts)
{
	const struct vs_shbin_dvle *d = find_dvle(bin, index);
	uint32_t i, j;

	if (!d)
		return vsh_fail(ENOENT, "program %u does not exist", index);
	memset(consts, 0, sizeof(*consts));
	consts->output_mask = d->out_mask;
	for (i = 0; i < d->nconsts; i++) {
		const struct vs_shbin_const *k = &d->consts[i];

		if (k->type == VS_SHBIN_FLOAT && k->reg < 96) {
			consts->float_mask[k->reg / 32] |= 1u << k->reg % 32;
			for (j = 0; j < 4; j++)
				consts->floats[k->reg][j] = pica_f24_to_f32(k->value[j] & 0xffffff);
		} else if (k->type == VS_SHBIN_INT && k->reg < 4) {
			consts->int_mask |= 1u << k->reg;
			for (j = 0; j < 4; j++)
				consts->ints[k->reg][j] = (uint8_t)k->value[j];
		} else if (k->type == VS_SHBIN_BOOL && k->reg < 16) {
			consts->bool_mask |= 1u << k->reg;
			consts->bools |= (k->value[0] & 1) << k->reg;
		}
	}
	return 0;
}
