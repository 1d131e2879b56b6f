// SPDX-License-Identifier: MIT
/*
 * Results of job files, as a table and as JSON.
 */
#include <errno.h>
#include <string.h>

#include "cli.h"
#include "jobfile_json.h"

#define ROWS		8	/* of each output in the table, unless verbose */
#define VERTEX_WORDS	24

static const char *status_name(int status)
{
	if (!status)
		return "ok";
	return strerrorname_np(-status) ? strerrorname_np(-status) : "unknown error";
}

static float word_float(const uint8_t *p)
{
	uint32_t bits = jf_load(JF_F32, p);
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* A component of an output stream. */
static void print_component(const uint8_t *p, uint32_t format)
{
	uint32_t bits = jf_load(JF_U32, p);

	if (format == DRM_VSHADER_FORMAT_U32)
		printf("  0x%08x ", bits);
	else
		printf(" %12.6g", jf_decode(format == DRM_VSHADER_FORMAT_F24 ? JF_F24 : JF_F32,
					    bits));
}

static uint64_t stream_rows(const struct jf_stream *s, uint64_t bytes, uint64_t count)
{
	uint64_t row = s->components * 4ull;

	if (bytes < row)
		return 0;
	if (!s->stride)
		return 1;
	bytes = (bytes - row) / s->stride + 1;
	return bytes < count ? bytes : count;
}

static uint64_t invocations(const struct jf_shader *sh)
{
	return (uint64_t)sh->count * (sh->instances ? sh->instances : 1);
}

static void print_stream(const struct jf_stream *s, const uint8_t *p, uint64_t bytes,
			 uint64_t count, bool verbose)
{
	uint64_t i, rows = stream_rows(s, bytes, count), shown = rows;
	uint32_t k;

	if (!verbose && rows > ROWS)
		shown = ROWS;
	for (i = 0; i < shown; i++) {
		printf("    %-10s [%llu]", i ? "" : s->name, (unsigned long long)i);
		for (k = 0; k < s->components; k++)
			print_component(p + i * s->stride + 4 * k, s->format);
		putchar('\n');
	}
	if (shown < count)
		printf("    %-10s ... %llu more\n", "", (unsigned long long)(count - shown));
}

/* ---- native results ---- */

static void print_vertex(const uint8_t *p)
{
	const struct jf_name *s;
	uint32_t k, n;

	for (s = jf_semantics; s->name; s++) {
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

/* ---- geometry results ---- */

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

static void print_prims(const struct jf_shader *sh, const struct jf_outcome *o, bool verbose)
{
	const struct jf_pica *p = sh->pica;
	uint64_t prim = 48ull * (uint64_t)__builtin_popcount(p->output_mask & 0xffff);
	uint64_t info = 4 * (1 + (uint64_t)p->max_prims), i, at;
	uint32_t k, n, shown = 0;

	for (i = 0; i < invocations(sh) && (i + 1) * info <= o->prim_info_bytes; i++) {
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

/* ---- table ---- */

static void print_message(const char *text)
{
	const char *nl;

	for (; text && *text; text = nl ? nl + 1 : NULL) {
		nl = strchr(text, '\n');
		printf("    %.*s\n", nl ? (int)(nl - text) : (int)strlen(text), text);
		if (!nl)
			break;
	}
}

static void print_fault(const char *text)
{
	size_t len = strcspn(text, "\n");

	printf("    fault: %.*s\n", (int)len, text);
	if (text[len])
		print_message(text + len + 1);
}

static void print_checks(const struct jf_outcome *o, bool verbose)
{
	uint32_t i, passed = o->num_checks - o->num_failed;

	for (i = 0; i < o->num_checks; i++) {
		if (verbose || !o->checks[i].pass)
			printf("    %s  %s\n", o->checks[i].pass ? "pass" : "FAIL",
			       o->checks[i].text);
	}
	if (!verbose && o->num_checks && !o->num_failed)
		printf("    pass  %u check%s\n", passed, passed == 1 ? "" : "s");
}

static void print_program(const struct jf_outcome *o, bool verbose)
{
	printf("  program %-18s %s\n", o->name, !o->submit ? "accepted" :
	       o->submit == -ENOEXEC ? "rejected" : status_name(o->submit));
	if (o->submit || verbose)
		print_message(o->message);
	print_checks(o, verbose);
}

/* The instruction that a shader job's fault happened at. */
static void print_fault_word(const struct jf_program *p, uint32_t pc)
{
	struct vshader_source src = { .engine = p->engine, .stage = p->stage };
	char text[1024], hex[40];
	uint32_t i, n = pc;

	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		src.words[i] = p->words[i];
		src.num_words[i] = p->num_words[i];
	}
	/* the QPU counts in bytes */
	if (p->engine == DRM_VSHADER_ENGINE_QPU)
		n = pc / 8;
	if (n < src.num_words[DRM_VSHADER_SECTION_CODE] / insn_words(p->engine) &&
	    !vshader_disasm_word(&src, n, text, sizeof(text)))
		printf("    0x%03x: %s  %s\n", pc, insn_hex(&src, n, hex, sizeof(hex)), text);
}

static void print_job(const struct vshader_jobfile *jf, const struct jf_job *jj,
		      const struct jf_outcome *o, bool verbose)
{
	uint32_t i;

	if (!o->ran) {
		printf("  job %-22s refused: %s\n", o->name, status_name(o->submit));
		print_message(o->message);
		print_checks(o, verbose);
		return;
	}
	printf("  job %-22s %s; %llu invocations, weight %llu, %.3f ms\n", o->name,
	       o->result.status ? status_name(o->result.status) : "done",
	       (unsigned long long)o->result.invocations, (unsigned long long)o->result.weight,
	       (double)o->result.busy_ns / 1e6);
	if (o->result.stray_reads)
		printf("    %u elements read outside mapped memory by the TMUs\n",
		       o->result.stray_reads);
	if (o->message)
		print_fault(o->message);
	if (o->result.fault.kind && jj->type == DRM_VSHADER_JOB_SHADER)
		print_fault_word(&jf->programs[jj->shader.program], o->result.fault.pc);
	for (i = 0; i < o->num_streams && !o->result.status; i++) {
		if (o->streams[i])
			print_stream(&jj->shader.outputs[i], o->streams[i], o->stream_bytes[i],
				     invocations(&jj->shader), verbose);
	}
	if (o->prims && o->prim_info && !o->result.status)
		print_prims(&jj->shader, o, verbose);
	if (o->draws && !o->result.status)
		print_draws(o->draws, o->draw_bytes, verbose);
	print_checks(o, verbose);
}

void report_text(const struct vshader_jobfile *jf, const struct vshader_run *run, bool verbose)
{
	uint32_t i;

	if (jf->description)
		printf("  %s\n", jf->description);
	for (i = 0; i < run->num_outcomes; i++) {
		if (i < jf->num_programs)
			print_program(&run->outcomes[i], verbose);
		else
			print_job(jf, &jf->jobs[i - jf->num_programs], &run->outcomes[i], verbose);
	}
}

/* ---- JSON ---- */

static void add_checks(struct json_object *o, const struct jf_outcome *out)
{
	struct json_object *list = js_array(o, "checks");
	uint32_t i;

	for (i = 0; i < out->num_checks; i++) {
		struct json_object *c = json_object_new_object();

		js_bool(c, "pass", out->checks[i].pass);
		js_str(c, "text", out->checks[i].text);
		json_object_array_add(list, c);
	}
}

static void add_fault(struct json_object *o, const struct drm_vshader_fault *f, const char *text)
{
	struct json_object *j = js_object(o, "fault");

	js_str(j, "kind", vshader_fault_name(f->kind));
	js_str(j, "text", text);
	js_int(j, "address", f->address);
	js_int(j, "size", f->size);
	js_int(j, "code", f->code);
	js_int(j, "pc", f->pc);
	js_int(j, "invocation", f->invocation);
	js_int(j, "job", f->job);
	js_int(j, "draw", f->draw);
	js_int(j, "stream", f->stream);
	js_int(j, "depth", f->depth);
	js_int(j, "info", f->info);
	js_int(j, "active", f->active);
}

/* Values as hexadecimal bits: JSON has neither NaN nor infinities. */
static struct json_object *bits_array(const uint8_t *p, uint32_t n)
{
	struct json_object *a = json_object_new_array();
	char text[16];
	uint32_t i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "0x%08x", jf_load(JF_U32, p + 4 * i));
		json_object_array_add(a, json_object_new_string(text));
	}
	return a;
}

static void add_streams(struct json_object *o, const struct jf_shader *sh,
			const struct jf_outcome *out)
{
	struct json_object *list = js_array(o, "outputs");
	uint64_t k, rows;
	uint32_t i;

	for (i = 0; i < out->num_streams; i++) {
		const struct jf_stream *s = &sh->outputs[i];
		struct json_object *j = json_object_new_object(), *data;

		json_object_array_add(list, j);
		js_str(j, "name", s->name);
		js_int(j, "reg", s->reg);
		js_str(j, "format", jf_name_of(jf_formats, s->format));
		data = js_array(j, "data");
		if (!out->streams[i])
			continue;
		rows = stream_rows(s, out->stream_bytes[i], invocations(sh));
		for (k = 0; k < rows; k++)
			json_object_array_add(data, bits_array(out->streams[i] + k * s->stride,
							       s->components));
		js_bool(j, "complete", rows == invocations(sh) || !s->stride);
	}
}

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
			json_object_array_add(v, bits_array(p + at + sizeof(h) +
							    (uint64_t)i * 4 * VERTEX_WORDS,
							    VERTEX_WORDS));
	}
}

static void add_prims(struct json_object *o, const struct jf_shader *sh,
		      const struct jf_outcome *out)
{
	const struct jf_pica *p = sh->pica;
	uint32_t words = 12 * (uint32_t)__builtin_popcount(p->output_mask & 0xffff), k, n;
	uint64_t info = 4 * (1 + (uint64_t)p->max_prims), i, at;
	struct json_object *list = js_array(o, "primitives");

	for (i = 0; i < invocations(sh) && (i + 1) * info <= out->prim_info_bytes; i++) {
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
			json_object_object_add(j, "data", bits_array(out->prims + at, words));
			json_object_array_add(list, j);
		}
	}
}

static void add_qpus(struct json_object *o, const struct jf_outcome *out)
{
	struct json_object *list = js_array(o, "qpus");
	uint32_t i;

	for (i = 0; i < out->num_qpus; i++) {
		const struct drm_vshader_qpu_state *q = &out->qpus[i];
		struct json_object *j = json_object_new_object();

		js_str(j, "wait", vshader_qpu_wait_name(q->wait));
		js_int(j, "info", q->info);
		js_int(j, "pc", q->pc);
		js_int(j, "thread", q->thread);
		js_int(j, "insns", q->insns);
		json_object_array_add(list, j);
	}
}

static void add_job(struct json_object *o, const struct jf_job *jj, const struct jf_outcome *out)
{
	js_str(o, "submit", status_name(out->submit));
	if (!out->ran) {
		js_str(o, "message", out->message);
		return;
	}
	js_str(o, "status", status_name(out->result.status));
	js_int(o, "invocations", out->result.invocations);
	js_int(o, "weight", out->result.weight);
	js_int(o, "busy_ns", out->result.busy_ns);
	js_int(o, "latency_ns", out->latency_ns);
	if (out->result.fault.kind)
		add_fault(o, &out->result.fault, out->message);
	if (out->result.fault.engine == DRM_VSHADER_ENGINE_QPU || jj->shader.qpu)
		js_int(o, "stray_reads", out->result.stray_reads);
	if (out->num_qpus)
		add_qpus(o, out);
	if (jj->type == DRM_VSHADER_JOB_SHADER)
		add_streams(o, &jj->shader, out);
	if (out->prims && out->prim_info)
		add_prims(o, &jj->shader, out);
	if (out->draws)
		add_draws(o, out->draws, out->draw_bytes);
}

struct json_object *report_json(const struct vshader_jobfile *jf, const struct vshader_run *run)
{
	struct json_object *root = json_object_new_object(), *list;
	uint32_t i;

	if (jf->name)
		js_str(root, "name", jf->name);
	js_bool(root, "pass", !run->num_failed);
	js_int(root, "checks", run->num_checks);
	js_int(root, "failed", run->num_failed);
	list = js_array(root, "programs");
	for (i = 0; i < run->num_outcomes; i++) {
		const struct jf_outcome *out = &run->outcomes[i];
		struct json_object *o = json_object_new_object();

		if (i == jf->num_programs)
			list = js_array(root, "jobs");
		json_object_array_add(list, o);
		js_str(o, "name", out->name);
		if (out->is_program) {
			js_bool(o, "accepted", !out->submit);
			js_str(o, "message", out->message);
		} else {
			add_job(o, &jf->jobs[i - jf->num_programs], out);
		}
		add_checks(o, out);
	}
	return root;
}
