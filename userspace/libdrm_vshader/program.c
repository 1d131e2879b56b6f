// SPDX-License-Identifier: MIT
/*
 * Verification and disassembly without a device.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disasm.h"
#include "lint.h"
#include "program.h"

#define MAX_LISTING	(16u << 20)

static int get_isa(uint32_t engine, const struct vs_isa **out)
{
	*out = vs_isa_by_id(engine);
	if (*out)
		return 0;
	return vsh_fail(EINVAL, "engine %u (%s) is not built in", engine,
			vshader_engine_name(engine) ? vshader_engine_name(engine) : "unknown");
}

static void to_vs_src(const struct vshader_source *src, struct vs_src *out)
{
	unsigned int i;

	*out = (struct vs_src){
		.stage = (enum vs_stage)src->stage,
		.entries = src->entries,
		.nentries = src->num_entries,
	};
	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		out->words[i] = src->words[i];
		out->nwords[i] = src->num_words[i];
	}
}

void vsh_reject(const struct vs_reject *in, struct drm_vshader_reject *out)
{
	*out = (struct drm_vshader_reject){
		.reason = in->reason,
		.section = in->section,
		.offset = in->offset,
		.field_lo = in->field_lo,
		.field_hi = in->field_hi,
		.value = in->value,
		.limit = in->limit,
	};
}

void vsh_program_info(const struct vs_program *p, struct drm_vshader_program_info *info)
{
	const struct vs_report *r = &p->report;

	*info = (struct drm_vshader_program_info){
		.engine = p->isa->id,
		.stage = p->src.stage,
		.features = r->features,
		.code_words = r->code_words,
		.reachable_words = r->reachable_words,
		.uops = p->prog ? p->prog->nuops : 0,
		.slots = p->prog ? p->prog->nslots : 0,
		.inputs = r->inputs,
		.outputs = r->outputs,
		.temps = r->temps,
		.uniform_rows = r->uniform_rows,
		.const_bools = r->const_bools,
		.const_ints = r->const_ints,
		.memory = p->prog ? p->prog->bytes : 4ull * p->src.nwords[VS_SECTION_CODE],
	};
}

static int create_failed(const struct vs_isa *isa, const struct vs_src *src, int ret)
{
	switch (ret) {
	case -EINVAL:
		if (src->stage >= 32 || !(isa->stage_mask >> src->stage & 1))
			return vsh_fail(EINVAL, "stage %u (%s) is not one of engine %s",
					src->stage, vshader_stage_name(src->stage) ?
					vshader_stage_name(src->stage) : "unknown", isa->name);
		if (!src->nentries)
			return vsh_fail(EINVAL, "a program needs at least one entry point");
		return vsh_fail(EINVAL, "the program is not complete: a section has no words");
	case -E2BIG:
		return vsh_fail(E2BIG, "the program is too large: engine %s takes %u words",
				isa->name, isa->max_words);
	default:
		return vsh_fail(-ret, "program: %s", strerror(-ret));
	}
}

int vsh_program_new(const struct vshader_source *source, struct vshader_diag *diag,
		    struct vs_program **out)
{
	struct vs_log log = {
		.buf = diag ? diag->log : NULL,
		.size = diag && diag->log ? diag->log_size : 0,
	};
	struct vs_reject rej = { };
	const struct vs_isa *isa;
	struct vs_src src;
	char text[400];
	int ret;

	if (diag) {
		memset(&diag->reject, 0, sizeof(diag->reject));
		diag->log_len = 0;
		diag->warnings = 0;
		if (log.size)
			log.buf[0] = 0;
	}
	ret = get_isa(source->engine, &isa);
	if (ret)
		return ret;
	to_vs_src(source, &src);
	ret = vs_program_create(isa, &src, &rej, log.size ? &log : NULL, out);
	if (diag) {
		vsh_reject(&rej, &diag->reject);
		diag->log_len = (uint32_t)log.len;
	}
	if (ret == -ENOEXEC) {
		struct drm_vshader_reject r;

		vsh_reject(&rej, &r);
		return vsh_fail(ENOEXEC, "program rejected: %s",
				vshader_reject_text(source->engine, &r, text, sizeof(text)));
	}
	return ret ? create_failed(isa, &src, ret) : 0;
}

int vsh_program_lint(const struct vshader_source *source, struct vshader_diag *diag)
{
	struct vs_log log = {
		.buf = diag->log,
		.size = diag->log ? diag->log_size : 0,
		.len = diag->log_len,
	};
	const struct vs_isa *isa;
	struct vs_src src;
	int ret = get_isa(source->engine, &isa);

	if (ret)
		return ret;
	to_vs_src(source, &src);
	ret = vs_lint(isa, &src, &log);
	if (ret < 0)
		return vsh_fail(-ret, "program: %s", strerror(-ret));
	diag->log_len = (uint32_t)log.len;
	diag->warnings = (uint32_t)ret;
	return 0;
}

int vshader_verify(const struct vshader_source *src, struct drm_vshader_program_info *info,
		   struct vshader_diag *diag)
{
	struct vs_program *p;
	int ret = vsh_program_new(src, diag, &p);

	if (ret)
		return ret;
	if (info)
		vsh_program_info(p, info);
	vs_program_destroy(p);
	return diag ? vsh_program_lint(src, diag) : 0;
}

int vshader_disasm_word(const struct vshader_source *source, uint32_t offset, char *buf,
			size_t size)
{
	const struct vs_isa *isa;
	struct vs_src src;
	uint32_t words;
	int ret = get_isa(source->engine, &isa);

	if (ret)
		return ret;
	to_vs_src(source, &src);
	words = src.nwords[VS_SECTION_CODE] / (isa->word_bytes / 4);
	if (offset >= words)
		return vsh_fail(EINVAL, "word %u is past the end, the program has %u", offset,
				words);
	ret = vs_disasm_of(isa)->insn(&src, offset, buf, size);
	return ret < 0 ? vsh_fail(-ret, "word %#x is undefined", offset) : 0;
}

static int list_failed(const struct vs_src *src, int ret)
{
	switch (ret) {
	case -E2BIG:
		return vsh_fail(EINVAL, "%u words and %u descriptors are more than a program has",
				src->nwords[VS_SECTION_CODE], src->nwords[VS_SECTION_OPDESC]);
	default:
		return vsh_fail(-ret, "the program cannot be listed: %s", strerror(-ret));
	}
}

int vshader_disasm(const struct vshader_source *source, char **text)
{
	const struct vs_isa *isa;
	struct vs_src src;
	int len, ret = get_isa(source->engine, &isa);

	if (ret)
		return ret;
	to_vs_src(source, &src);
	if (src.nwords[VS_SECTION_CODE] % (isa->word_bytes / 4))
		return vsh_fail(EINVAL, "%u words of code: instructions are groups of %u words",
				src.nwords[VS_SECTION_CODE], isa->word_bytes / 4);
	len = vs_disasm_of(isa)->listing(&src, NULL, 0);
	if (len > (int)MAX_LISTING)
		len = -E2BIG;
	if (len < 0)
		return list_failed(&src, len);
	*text = malloc((size_t)len + 1);
	if (!*text)
		return vsh_fail(ENOMEM, "out of memory");
	ret = vs_disasm_of(isa)->listing(&src, *text, (size_t)len + 1);
	if (ret == len)
		return 0;
	free(*text);
	return list_failed(&src, ret < 0 ? ret : -EIO);
}
