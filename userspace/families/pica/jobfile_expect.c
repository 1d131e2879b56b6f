// SPDX-License-Identifier: MIT
/*
 * Expectations of job files for PICA200 jobs: primitives of the geometry stage, draws of
 * native jobs.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "jobfile_pica.h"

#define DRAW_HEADER	sizeof(struct drm_vshader_pica_draw)
#define VERTEX_BYTES	96

#define DRAW_VERTICES	0x01
#define DRAW_TOPOLOGY	0x02
#define DRAW_INPUTS	0x04
#define DRAW_GEOMETRY	0x08
#define DRAW_INDEXED	0x10

/** struct pica_expect - an expectation; @draw by jf_expect.mask */
struct pica_expect {
	struct drm_vshader_pica_draw draw;
	uint32_t vertex;
	bool has_count;
	uint32_t count;
	uint32_t *flags;	/* of primitives: inverted */
	uint32_t num_flags;
};

static const struct jf_name topologies[] = {
	{ "list", 0 }, { "strip", 1 }, { "fan", 2 }, { "shader", 3 },
	{ }
};

const struct jf_name pica_semantics[] = {
	{ "position", 0 },
	{ "quaternion", 4 },
	{ "color", 8 },
	{ "texcoord0", 12 },
	{ "texcoord1", 14 },
	{ "texcoord0w", 16 },
	{ "view", 18 },
	{ "texcoord2", 22 },
	{ }
};

static unsigned int semantic_components(uint32_t word)
{
	switch (word) {
	case 12: case 14: case 22:
		return 2;
	case 16:
		return 1;
	case 18:
		return 3;
	default:
		return 4;
	}
}

/* ---- primitives of the geometry stage ---- */

static int check_prims(struct runner *r, uint32_t n, struct jf_outcome *o,
		       const struct jf_expect *e)
{
	const struct jf_pica *p = r->jf->jobs[n].shader.block;
	const struct pica_expect *own = e->own;
	struct jf_loc at = p->prim_info;
	const uint8_t *info = NULL, *prims;
	uint64_t bytes, size;
	uint32_t count, i;
	char name[64];
	int ret = 0;

	snprintf(name, sizeof(name), "primitives of invocation %llu",
		 (unsigned long long)e->number);
	if (p->has_prim_info) {
		at.offset += e->number * 4 * (1 + (uint64_t)p->max_prims);
		info = run_ptr(r, r->jobs[n].vm, &at, 4 * (1 + (uint64_t)p->max_prims));
	}
	count = info ? jf_load(JF_U32, info) : p->max_prims;
	if (own->has_count)
		ret = run_add_check(r, o, info && count == own->count, "%s: %u, expected %u", name,
				    count, own->count);
	for (i = 0; i < own->num_flags && info && !ret; i++) {
		bool inverted = i < count && jf_load(JF_U32, info + 4 + 4 * i) & 1;

		ret = run_add_check(r, o, i < count && inverted == own->flags[i],
				    "%s: primitive %u is %sinverted", name, i,
				    inverted ? "" : "not ");
	}
	if (ret || !e->values.count)
		return ret;
	bytes = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	size = bytes * (count < p->max_prims ? count : p->max_prims);
	prims = run_ptr(r, r->jobs[n].vm, &e->at, size);
	if (!prims)
		return run_add_check(r, o, false, "%s: the range is not (all) mapped", name);
	return run_check_values(r, o, e, name, prims, size);
}

/* ---- draws of native jobs ---- */

/* Header of draw @n, NULL if there is none. */
static const uint8_t *find_draw(const uint8_t *out, uint64_t size, uint64_t n,
				struct drm_vshader_pica_draw *h)
{
	uint64_t at = 0;

	for (;;) {
		if (size - at < DRAW_HEADER)
			return NULL;
		memcpy(h, out + at, sizeof(*h));
		if (!h->size || h->size < DRAW_HEADER || h->size > size - at ||
		    h->vertices > (h->size - DRAW_HEADER) / VERTEX_BYTES)
			return NULL;
		if (!n--)
			return out + at;
		at += h->size;
	}
}

/* Bytes of a native job's results with the header that ends them; 0 if damaged. */
static uint64_t draw_bytes(const uint8_t *out, uint64_t size)
{
	struct drm_vshader_pica_draw h;
	uint64_t at = 0;

	while (size - at >= DRAW_HEADER) {
		memcpy(&h, out + at, sizeof(h));
		if (!h.size)
			return at + DRAW_HEADER;
		if (!find_draw(out + at, size - at, 0, &h))
			return 0;
		at += h.size;
	}
	return 0;
}

static int check_draw(struct runner *r, uint32_t n, struct jf_outcome *o,
		      const struct jf_expect *e)
{
	const struct jf_native *nat = &r->jf->jobs[n].native;
	const struct pica_expect *own = e->own;
	const uint8_t *out, *draw;
	struct drm_vshader_pica_draw h;
	uint64_t skip;
	char name[64];
	int ret;

	snprintf(name, sizeof(name), "draw %llu", (unsigned long long)e->number);
	out = nat->format == DRM_VSHADER_NATIVE_PICA_CMDLIST ?
	      run_ptr(r, r->jobs[n].vm, &nat->output, nat->output_size) : NULL;
	draw = out ? find_draw(out, nat->output_size, e->number, &h) : NULL;
	if (!draw)
		return run_add_check(r, o, false, "%s: there is none", name);
	ret = run_check_field(r, o, e->mask & DRAW_VERTICES, "draw: vertices", h.vertices,
			      own->draw.vertices);
	if (!ret)
		ret = run_check_field(r, o, e->mask & DRAW_TOPOLOGY, "draw: topology", h.topology,
				      own->draw.topology);
	if (!ret)
		ret = run_check_field(r, o, e->mask & DRAW_INPUTS, "draw: input vertices",
				      h.input_vertices, own->draw.input_vertices);
	if (!ret && e->mask & DRAW_GEOMETRY)
		ret = run_add_check(r, o,
				    !((h.flags ^ own->draw.flags) & DRM_VSHADER_PICA_DRAW_GEOMETRY),
				    "%s: geometry unit %sused", name,
				    h.flags & DRM_VSHADER_PICA_DRAW_GEOMETRY ? "" : "not ");
	if (!ret && e->mask & DRAW_INDEXED)
		ret = run_add_check(r, o,
				    !((h.flags ^ own->draw.flags) & DRM_VSHADER_PICA_DRAW_INDEXED),
				    "%s: %sindexed", name,
				    h.flags & DRM_VSHADER_PICA_DRAW_INDEXED ? "" : "not ");
	if (ret || !e->values.count)
		return ret;
	skip = DRAW_HEADER + (uint64_t)own->vertex * VERTEX_BYTES + e->at.offset;
	if (skip > h.size)
		return run_add_check(r, o, false, "%s: vertex %u is not there", name, own->vertex);
	return run_check_values(r, o, e, name, draw + skip, h.size - skip);
}

static int check_ignored(struct runner *r, uint32_t n, struct jf_outcome *o,
			 const struct jf_expect *e)
{
	return run_check_field(r, o, true, "ignored writes", o->result.stray_reads, e->number);
}

/* ---- parsing ---- */

static struct pica_expect *new_expect(struct jf_ctx *c, struct jf_expect *e,
				      int (*check)(struct runner *r, uint32_t n,
						   struct jf_outcome *o,
						   const struct jf_expect *e))
{
	struct pica_expect *own = jf_alloc(&c->jf->blocks, sizeof(*own));

	e->check = check;
	e->own = own;
	return own;
}

static int parse_inverted(struct jf_ctx *c, struct json_object *o, struct pica_expect *p)
{
	struct json_object *list;
	size_t i, n;
	int ret = jf_list(c, o, "inverted", 4096, &list, &n);

	if (ret || !n)
		return ret;
	p->flags = jf_alloc(&c->jf->blocks, n * sizeof(*p->flags));
	if (!p->flags)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct json_object *v = json_object_array_get_idx(list, i);

		if (!json_object_is_type(v, json_type_boolean))
			return jf_error(c, "\"inverted\" is a list of true and false");
		p->flags[i] = json_object_get_boolean(v);
	}
	p->num_flags = (uint32_t)n;
	return 0;
}

static int parse_prims(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		       struct jf_expect *e)
{
	static const char * const keys[] = { "prims", "count", "inverted", "name", "comment",
					     JF_VALUE_KEYS, NULL };
	bool mine = jf_isa_of_job(c->jf, job) == &jf_pica_isa;
	const struct jf_pica *p = mine ? job->shader.block : NULL;
	struct pica_expect *own = new_expect(c, e, check_prims);
	uint64_t bytes;
	int ret;

	if (!own)
		return -ENOMEM;
	ret = jf_keys(c, o, keys);
	if (!ret && (!p || !p->has_prims))
		ret = jf_error(c, "this is no geometry job");
	if (!ret)
		ret = jf_u64(c, o, "prims", UINT32_MAX, &e->number);
	if (!ret)
		ret = jf_u32(c, o, "count", 4096, &own->count);
	if (!ret)
		ret = parse_inverted(c, o, own);
	if (!ret)
		ret = jf_parse_expected(c, o, false, e);
	own->has_count = jf_get(o, "count");
	e->max_checks = 10 + own->num_flags;
	if (!ret && (own->has_count || own->flags) && !p->has_prim_info)
		ret = jf_error(c, "\"count\" and \"inverted\" need \"prim_info\"");
	if (ret)
		return ret;
	bytes = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	e->at = p->prims;
	e->at.offset += e->number * p->max_prims * bytes;
	return 0;
}

static int parse_draw(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
		      struct jf_expect *e)
{
	static const char * const keys[] = { "draw", "vertices", "topology", "input_vertices",
					     "geometry", "indexed", "vertex", "semantic", "name",
					     "comment", JF_VALUE_KEYS, NULL };
	struct pica_expect *own = new_expect(c, e, check_draw);
	bool geometry = false, indexed = false;
	uint32_t word = 0;
	int ret;

	if (!own)
		return -ENOMEM;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_u64(c, o, "draw", UINT32_MAX, &e->number);
	if (!ret)
		ret = jf_u32(c, o, "vertices", UINT32_MAX, &own->draw.vertices);
	if (!ret)
		ret = jf_enum(c, o, "topology", topologies, &own->draw.topology);
	if (!ret)
		ret = jf_u32(c, o, "input_vertices", UINT32_MAX, &own->draw.input_vertices);
	if (!ret)
		ret = jf_bool(c, o, "geometry", &geometry);
	if (!ret)
		ret = jf_bool(c, o, "indexed", &indexed);
	if (!ret)
		ret = jf_u32(c, o, "vertex", UINT32_MAX, &own->vertex);
	if (!ret)
		ret = jf_enum(c, o, "semantic", pica_semantics, &word);
	if (!ret)
		ret = jf_parse_expected(c, o, false, e);
	if (ret)
		return ret;
	e->mask = (jf_get(o, "vertices") ? DRAW_VERTICES : 0) |
		  (jf_get(o, "topology") ? DRAW_TOPOLOGY : 0) |
		  (jf_get(o, "input_vertices") ? DRAW_INPUTS : 0) |
		  (jf_get(o, "geometry") ? DRAW_GEOMETRY : 0) |
		  (jf_get(o, "indexed") ? DRAW_INDEXED : 0);
	own->draw.flags = (geometry ? DRM_VSHADER_PICA_DRAW_GEOMETRY : 0) |
			(indexed ? DRM_VSHADER_PICA_DRAW_INDEXED : 0);
	e->at.region = JF_NONE;
	e->at.offset = 4ull * word;
	e->stride = 96;
	e->group = jf_get(o, "semantic") ? semantic_components(word) : 24;
	return 0;
}

static int parse_ignored(struct jf_ctx *c, struct json_object *o, const struct jf_job *job,
			 struct jf_expect *e)
{
	static const char * const keys[] = { "ignored_writes", "name", "comment", NULL };
	int ret = jf_keys(c, o, keys);

	e->check = check_ignored;
	return ret ? ret : jf_u64(c, o, "ignored_writes", UINT32_MAX, &e->number);
}

const struct jf_expect_kind pica_expects[] = {
	{ "prims", parse_prims },
	{ "draw", parse_draw },
	{ "ignored_writes", parse_ignored },
	{ }
};

/* ---- copies for printing ---- */

static int keep_prims(struct runner *r, uint32_t n, struct pica_results *res)
{
	const struct jf_shader *sh = &r->jf->jobs[n].shader;
	const struct jf_pica *p = sh->block;
	uint64_t count = (uint64_t)sh->count * (sh->instances ? sh->instances : 1);
	uint64_t prim = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	int ret;

	/* Sizes are those that the device accepted. */
	if (!p->has_prims || !p->has_prim_info || p->max_prims > 4096)
		return 0;
	ret = run_keep(r, r->jobs[n].vm, &p->prims, count * p->max_prims * prim, &res->prims,
		       &res->prim_bytes);
	if (ret)
		return ret;
	return run_keep(r, r->jobs[n].vm, &p->prim_info,
			count * 4 * (1 + (uint64_t)p->max_prims), &res->prim_info,
			&res->prim_info_bytes);
}

int pica_keep(struct runner *r, uint32_t n, struct jf_outcome *o)
{
	const struct jf_job *jj = &r->jf->jobs[n];
	const struct jf_native *nat = &jj->native;
	struct pica_results *res = jf_alloc(&r->run->blocks, sizeof(*res));
	const uint8_t *p;

	if (!res)
		return run_error(r, -ENOMEM, "results");
	o->results = res;
	if (jj->type == DRM_VSHADER_JOB_SHADER)
		return jj->shader.block ? keep_prims(r, n, res) : 0;
	if (nat->format == DRM_VSHADER_NATIVE_PICA_GX)
		return run_keep(r, r->jobs[n].vm, &nat->at, nat->size, &res->requests,
				&res->request_bytes);
	p = run_ptr(r, r->jobs[n].vm, &nat->output, nat->output_size);
	return p ? run_keep(r, r->jobs[n].vm, &nat->output, draw_bytes(p, nat->output_size),
			    &res->draws, &res->draw_bytes) : 0;
}
