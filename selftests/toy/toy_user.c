// SPDX-License-Identifier: GPL-2.0
/*
 * Toy ISA in userspace: the parts that it has in the library and in job files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vsh_isa.h"

#include "jobfile_isa.h"
#include "toy.h"

static const char * const names[TOY_NUM_OPS] = {
	"end", "set", "load", "store", "add", "mul", "jnz"
};

/* ---- library ---- */

static int insn(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 w = src->words[VS_SECTION_CODE][offset];

	if (w >> 24 >= TOY_NUM_OPS)
		return snprintf(buf, size, "?") ? -ENOEXEC : 0;
	return snprintf(buf, size, "%s %d", names[w >> 24], (s32)(w << 8) >> 8);
}

static int listing(const struct vs_src *src, char *buf, size_t size)
{
	char line[32];
	int len = 0;
	u32 i;

	for (i = 0; i < src->nwords[VS_SECTION_CODE]; i++) {
		insn(src, i, line, sizeof(line));
		len += snprintf(buf + len, size > (size_t)len ? size - len : 0, "\t%s\t; %03x\n",
				line, i);
	}
	return len;
}

/* A line is an operation and its operand. */
static int assemble(const char *text, size_t size, const struct vs_as_options *opt,
		    struct vshader_binary *bin, struct vs_as_diag *diag)
{
	struct vs_as_program *out = &bin->prog;
	FILE *f = fmemopen((void *)text, size, "r");
	char line[80], name[16];
	int op, operand;

	out->words = calloc(size + 1, sizeof(*out->words));
	out->entries = calloc(1, sizeof(*out->entries));
	out->nentries = 1;
	out->stage = DRM_VSHADER_STAGE_COMPUTE;
	while (f && fgets(line, sizeof(line), f)) {
		operand = 0;
		for (op = sscanf(line, "%15s %d", name, &operand) > 0 ? 0 : TOY_NUM_OPS;
		     op < TOY_NUM_OPS && strcmp(names[op], name); op++)
			;
		if (op == TOY_NUM_OPS)
			break;
		out->words[out->nwords++] = TOY_WORD(op, operand);
	}
	if (f && feof(f))
		return fclose(f);
	if (f)
		fclose(f);
	diag->nmessages = 1;
	diag->messages[0] = (struct vs_as_message){
		.line = out->nwords + 1, .error = 1, .text = "unknown operation",
	};
	vs_as_program_free(out);
	return -EINVAL;
}

const struct vsh_isa vsh_toy_isa = {
	.disasm = { insn, listing },
	.assemble = assemble,
};

/* ---- job files ---- */

struct jf_toy {
	struct jf_loc in;
	struct jf_loc out;
};

static int parse(struct jf_ctx *c, struct json_object *o, struct jf_job *job, uint32_t vm)
{
	static const char * const keys[] = { "in", "out", NULL };
	struct json_object *block = jf_get(o, "toy");
	struct jf_toy *t = jf_alloc(&c->jf->blocks, sizeof(*t));
	size_t mark = jf_enter(c, "toy");
	int ret = block ? jf_keys(c, block, keys) : jf_error(c, "it is missing");

	job->shader.block = t;
	if (!ret)
		ret = jf_get_loc(c, block, "in", &t->in);
	if (!ret)
		ret = jf_get_loc(c, block, "out", &t->out);
	jf_leave(c, mark);
	return ret;
}

static void *make(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_toy *t = sh->block;
	struct toy_block *b = jf_alloc(&r->run->blocks, sizeof(*b));

	b->in_va = run_va(r, &t->in);
	b->out_va = run_va(r, &t->out);
	b->count = sh->count;
	return b;
}

const struct jf_isa jf_toy_isa = {
	.block = "toy",
	.block_size = sizeof(struct toy_block),
	.parse = parse,
	.make = make,
	.vertices = JF_VERTICES,
	.stage = DRM_VSHADER_STAGE_COMPUTE,
};
