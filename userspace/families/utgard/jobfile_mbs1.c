// SPDX-License-Identifier: MIT
/*
 * Programs of job files in MBS1 containers: their words and symbols.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_utgard.h"
#include "mbs1.h"

#define ROW	4	/* scalars of a register or of a row of uniforms */

static const struct vs_mbs1_program *program_of(const struct jf_program *p)
{
	return p->mbs ? &p->mbs->programs[p->bin_index] : NULL;
}

static int take_words(struct jf_ctx *c, struct jf_program *p)
{
	const struct vs_mbs1_program *prog;

	if (p->bin_index >= p->mbs->n)
		return jf_error(c, "there is no program %u; the container has %u", p->bin_index,
				p->mbs->n);
	prog = program_of(p);
	p->entries = jf_alloc(&c->jf->blocks, sizeof(*p->entries));
	if (!p->entries)
		return -ENOMEM;
	p->num_entries = 1;
	p->engine = prog->stage == VS_MBS1_VERTEX ? DRM_VSHADER_ENGINE_UTGARD_GP :
						    DRM_VSHADER_ENGINE_UTGARD_PP;
	p->stage = prog->stage == VS_MBS1_VERTEX ? DRM_VSHADER_STAGE_VERTEX :
						   DRM_VSHADER_STAGE_FRAGMENT;
	p->words[DRM_VSHADER_SECTION_CODE] = prog->code;
	p->num_words[DRM_VSHADER_SECTION_CODE] = prog->ncode;
	return 0;
}

/* The words stay with the container. */
int jf_load_mbs1(struct jf_ctx *c, const char *name, struct jf_program *p)
{
	struct vs_error err = { };
	uint8_t *data;
	size_t len;
	int ret = jf_read_file(c, name, &data, &len);

	if (ret)
		return ret;
	ret = vs_mbs1_parse(data, len, &p->mbs, &err);
	free(data);
	if (ret)
		return jf_error(c, "\"%s\": %s", name, err.text);
	return take_words(c, p);
}

void jf_free_mbs1(struct jf_program *p)
{
	vs_mbs1_free(p->mbs);
}

/* Rows of temporaries that a program asks for. */
uint32_t jf_mbs1_temporaries(const struct jf_program *p)
{
	const struct vs_mbs1_program *prog = program_of(p);

	return prog ? prog->stack_size : 0;
}

/* Register of a name; @kind: 'v' input, 'o' output. */
bool jf_mbs1_register(const struct jf_program *p, const char *name, char kind, uint32_t *reg)
{
	const struct vs_mbs1_program *prog = program_of(p);
	const struct vs_mbs1_symbol *s;

	if (!prog)
		return false;
	s = vs_mbs1_symbol(prog, kind == 'v' && prog->stage == VS_MBS1_VERTEX ?
			   VS_MBS1_ATTRIBUTE : VS_MBS1_VARYING, name);
	if (!s || s->offset == VS_MBS1_NONE)
		return false;
	*reg = s->offset / ROW;
	return true;
}

/* ---- uniforms by their names ---- */

/**
 * struct fill - uniforms being filled
 * @data: rows
 * @num: scalars there
 * @type: of a scalar
 */
struct fill {
	uint8_t *data;
	uint32_t num;
	enum jf_type type;
};

static unsigned int scalar_bytes(const struct fill *f)
{
	return f->type == JF_F16 ? 2 : 4;
}

/* Numbers that follow each other in a symbol go where its elements are. */
static uint32_t place(const struct vs_mbs1_symbol *s, uint32_t i)
{
	uint32_t size = s->size ? s->size : 1, stride = s->stride ? s->stride : size;

	return s->offset + i / size * stride + i % size;
}

static int put(struct jf_ctx *c, struct fill *f, const struct vs_mbs1_symbol *s, uint32_t i,
	       uint32_t bits)
{
	uint32_t at = place(s, i);

	if (at >= f->num)
		return jf_error(c, "more values than the program's uniforms have");
	jf_store(f->type, bits, f->data + (size_t)at * scalar_bytes(f));
	return 0;
}

static float as_float(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static int put_initial(struct jf_ctx *c, struct fill *f, const struct vs_mbs1_table *t)
{
	uint32_t i, k;
	int ret = 0;

	for (i = 0; i < t->n && !ret; i++)
		for (k = 0; k < t->symbols[i].ninit && !ret; k++)
			ret = put(c, f, &t->symbols[i], k,
				  jf_encode(f->type, (double)as_float(t->symbols[i].init[k])));
	return ret;
}

static int put_named(struct jf_ctx *c, struct fill *f, const struct vs_mbs1_program *prog,
		     const char *name, struct json_object *list)
{
	const struct vs_mbs1_symbol *s = vs_mbs1_symbol(prog, VS_MBS1_UNIFORM, name);
	size_t mark = jf_enter(c, name);
	struct jf_values v;
	uint32_t i;
	int ret;

	ret = s ? jf_parse_values(c, list, f->type, false, &v) :
		  jf_error(c, "the program has no such uniform");
	for (i = 0; !ret && i < v.count; i++)
		ret = put(c, f, s, i, v.v[i].bits);
	jf_leave(c, mark);
	return ret;
}

static uint32_t num_scalars(const struct vs_mbs1_table *t)
{
	uint32_t i, last, n = t->sized ? t->size : 0;

	for (i = 0; i < t->n; i++) {
		last = t->symbols[i].entries ? t->symbols[i].entries : 1;
		last = place(&t->symbols[i], last * (t->symbols[i].size ?
						     t->symbols[i].size : 1) - 1);
		n = last >= n ? last + 1 : n;
	}
	return (n + ROW - 1) / ROW * ROW;
}

/* Rows for the uniforms of a program: the container's, then the file's. */
int jf_mbs1_uniforms(struct jf_ctx *c, const struct jf_program *p, struct json_object *values,
		     uint32_t vm, struct jf_loc *at, uint32_t *rows)
{
	const struct vs_mbs1_program *prog = program_of(p);
	struct fill f = { .type = p->stage == DRM_VSHADER_STAGE_VERTEX ? JF_F32 : JF_F16 };
	struct jf_region *r;
	struct jf_piece *piece;
	int ret;

	if (!prog)
		return jf_error(c, "only programs of MBS1 containers know names");
	f.num = num_scalars(&prog->tables[VS_MBS1_UNIFORM]);
	*rows = f.num / ROW;
	if (!f.num)
		return 0;
	ret = jf_new_region(c, NULL, vm, (uint64_t)f.num * scalar_bytes(&f), &at->region);
	piece = jf_alloc(&c->jf->blocks, sizeof(*piece));
	f.data = jf_alloc(&c->jf->blocks, (size_t)f.num * scalar_bytes(&f));
	if (ret || !piece || !f.data)
		return ret ? ret : -ENOMEM;
	at->offset = 0;
	r = &c->jf->regions[at->region];
	*piece = (struct jf_piece){ .data = f.data, .len = r->size, .repeat = 1 };
	r->pieces = piece;
	r->num_pieces = 1;
	ret = put_initial(c, &f, &prog->tables[VS_MBS1_UNIFORM]);
	if (ret || !values)
		return ret;
	if (!json_object_is_type(values, json_type_object))
		return jf_error(c, "expected an object");
	json_object_object_foreach(values, name, list) {
		ret = put_named(c, &f, prog, name, list);
		if (ret)
			return ret;
	}
	return 0;
}
