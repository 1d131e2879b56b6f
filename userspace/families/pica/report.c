// SPDX-License-Identifier: MIT
/*
 * Results of PICA200 jobs, as a table and as JSON.
 */
#include <string.h>

#include "jobfile_pica.h"
#include "pica.h"

#define VERTEX_WORDS	24

static float word_float(const uint8_t *p)
{
	uint32_t bits = jf_load(JF_F32, p);
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* ---- draws of native jobs ---- */

static void print_vertex(const uint8_t *p)
{
	const struct jf_name *s;
	uint32_t k, n;

	for (s = pica_semantics; s->name; s++) {
		n = s[1].name ? s[1].value - s->value : 2;
		if (s->value == 16)
			n = 1;
		else if (s->value == 18)
			n = 3;
		printf("      %-10s", s->name);
		for (k = 0; k < n; k++)
			printf(" %12.6g", word_float(p + 4 * (s->value + k)));
		putchar('\n');
	}
}

static void print_draws(const uint8_t *p, uint64_t bytes, bool verbose)
{
	static const char * const topologies[] = { "list", "strip", "fan", "shader" };
	struct drm_vshader_pica_draw h;
	uint32_t draw, i, k;
	uint64_t at = 0;

	for (draw = 0; bytes - at >= sizeof(h); draw++, at += h.size) {
		memcpy(&h, p + at, sizeof(h));
		if (!h.size || h.size > bytes - at)
			break;
		printf("    draw %u: %u triangles from %u vertices, %s%s%s\n", draw, h.vertices / 3,
		       h.input_vertices, h.topology < 4 ? topologies[h.topology] : "?",
		       h.flags & DRM_VSHADER_PICA_DRAW_INDEXED ? ", indexed" : "",
		       h.flags & DRM_VSHADER_PICA_DRAW_GEOMETRY ? ", geometry unit" : "");
		for (i = 0; i < h.vertices && (verbose || i < 3); i++) {
			const uint8_t *v = p + at + sizeof(h) + (uint64_t)i * 4 * VERTEX_WORDS;

			if (verbose) {
				printf("     vertex %u\n", i);
				print_vertex(v);
				continue;
			}
			printf("     vertex %u position", i);
			for (k = 0; k < 4; k++)
				printf(" %9.5g", word_float(v + 4 * k));
			printf("  color");
			for (k = 8; k < 12; k++)
				printf(" %7.4g", word_float(v + 4 * k));
			putchar('\n');
		}
		if (!verbose && h.vertices > 3)
			printf("     ... %u more\n", h.vertices - 3);
	}
}

/* ---- primitives of the geometry stage ---- */

static void print_prim(const struct jf_pica *p, const uint8_t *prim, bool inverted, uint64_t inv,
		       uint32_t n)
{
	uint32_t v, reg, c;

	printf("    invocation %llu, triangle %u%s\n", (unsigned long long)inv, n,
	       inverted ? ", winding inverted" : "");
	for (v = 0; v < 3; v++) {
		printf("     ");
		for (reg = 0; reg < 16; reg++) {
			if (!(p->output_mask >> reg & 1))
				continue;
			printf(" o%u", reg);
			for (c = 0; c < 4; c++, prim += 4)
				printf(" %8.5g", word_float(prim));
		}
		putchar('\n');
	}
}

static void print_prims(const struct jf_shader *sh, const struct pica_results *o, bool verbose)
{
	const struct jf_pica *p = sh->block;
	uint64_t prim = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	uint64_t info = 4 * (1 + (uint64_t)p->max_prims), i, at;
	uint32_t k, n, shown = 0;

	for (i = 0; i < jf_invocations(sh) && (i + 1) * info <= o->prim_info_bytes; i++) {
		n = jf_load(JF_U32, o->prim_info + i * info);
		for (k = 0; k < n && k < p->max_prims; k++) {
			at = (i * p->max_prims + k) * prim;
			if (at + prim > o->prim_bytes)
				return;
			if (!verbose && shown == 4) {
				printf("    ...\n");
				return;
			}
			print_prim(p, o->prims + at,
				   jf_load(JF_U32, o->prim_info + i * info + 4 + 4 * k) & 1, i, k);
			shown++;
		}
	}
}

/* ---- requests ---- */

static void print_requests(const uint8_t *p, uint64_t bytes, bool verbose)
{
	char text[256];
	uint32_t w[8];
	uint64_t at;

	for (at = 0; bytes - at >= sizeof(w); at += sizeof(w)) {
		if (!verbose && at == 8 * sizeof(w)) {
			printf("    ... %llu more\n",
			       (unsigned long long)((bytes - at) / sizeof(w)));
			return;
		}
		memcpy(w, p + at, sizeof(w));
		printf("    %s\n", pica_request_text(w, text, sizeof(text)));
	}
}

static void add_requests(struct json_object *o, const uint8_t *p, uint64_t bytes)
{
	struct json_object *list = js_array(o, "requests"), *j;
	char text[256];
	uint32_t w[8];
	uint64_t at;

	for (at = 0; bytes - at >= sizeof(w); at += sizeof(w)) {
		memcpy(w, p + at, sizeof(w));
		j = json_object_new_object();
		json_object_array_add(list, j);
		js_str(j, "text", pica_request_text(w, text, sizeof(text)));
		json_object_object_add(j, "words", js_bits(p + at, 8));
	}
}

void pica_print_results(const struct jf_job *jj, const struct jf_outcome *o, bool verbose)
{
	const struct pica_results *res = o->results;

	if (res->prims && res->prim_info)
		print_prims(&jj->shader, res, verbose);
	if (res->draws)
		print_draws(res->draws, res->draw_bytes, verbose);
	if (res->requests)
		print_requests(res->requests, res->request_bytes, verbose);
}

/* ---- JSON ---- */

static void add_draws(struct json_object *o, const uint8_t *p, uint64_t bytes)
{
	struct json_object *list = js_array(o, "draws");
	struct drm_vshader_pica_draw h;
	uint64_t at;
	uint32_t i;

	for (at = 0; bytes - at >= sizeof(h); at += h.size) {
		struct json_object *j, *v;

		memcpy(&h, p + at, sizeof(h));
		if (!h.size || h.size > bytes - at)
			break;
		j = json_object_new_object();
		json_object_array_add(list, j);
		js_int(j, "topology", h.topology);
		js_bool(j, "geometry", h.flags & DRM_VSHADER_PICA_DRAW_GEOMETRY);
		js_bool(j, "indexed", h.flags & DRM_VSHADER_PICA_DRAW_INDEXED);
		js_int(j, "input_vertices", h.input_vertices);
		js_int(j, "list_offset", h.list_offset);
		v = js_array(j, "vertices");
		for (i = 0; i < h.vertices; i++)
			json_object_array_add(v, js_bits(p + at + sizeof(h) +
							 (uint64_t)i * 4 * VERTEX_WORDS,
							 VERTEX_WORDS));
	}
}

static void add_prims(struct json_object *o, const struct jf_shader *sh,
		      const struct pica_results *out)
{
	const struct jf_pica *p = sh->block;
	uint32_t words = 12 * (uint32_t)__builtin_popcount(p->output_mask & 0xffff), k, n;
	uint64_t info = 4 * (1 + (uint64_t)p->max_prims), i, at;
	struct json_object *list = js_array(o, "primitives");

	for (i = 0; i < jf_invocations(sh) && (i + 1) * info <= out->prim_info_bytes; i++) {
		n = jf_load(JF_U32, out->prim_info + i * info);
		for (k = 0; k < n && k < p->max_prims; k++) {
			struct json_object *j = json_object_new_object();

			at = (i * p->max_prims + k) * words * 4;
			if (at + words * 4 > out->prim_bytes) {
				json_object_put(j);
				return;
			}
			js_int(j, "invocation", i);
			js_bool(j, "inverted", jf_load(JF_U32, out->prim_info + i * info + 4 +
						       4 * k) & 1);
			json_object_object_add(j, "data", js_bits(out->prims + at, words));
			json_object_array_add(list, j);
		}
	}
}

void pica_json_states(struct json_object *o, const struct jf_job *jj, const struct jf_outcome *out)
{
	if (jj->type == DRM_VSHADER_JOB_NATIVE &&
	    jj->native.format == DRM_VSHADER_NATIVE_PICA_CMDLIST)
		js_int(o, "ignored_writes", out->result.stray_reads);
}

void pica_json_results(struct json_object *o, const struct jf_job *jj,
		       const struct jf_outcome *out)
{
	const struct pica_results *res = out->results;

	if (res->prims && res->prim_info)
		add_prims(o, &jj->shader, res);
	if (res->draws)
		add_draws(o, res->draws, res->draw_bytes);
	if (res->requests)
		add_requests(o, res->requests, res->request_bytes);
}
