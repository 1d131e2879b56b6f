// SPDX-License-Identifier: MIT
/*
 * Results of job files, as a table and as JSON.
 */
#include <errno.h>
#include <string.h>

#include "cli_isa.h"
#include "color.h"

#define ROWS		8	/* of each output in the table, unless verbose */

static const char *status_name(int status)
{
	if (!status)
		return "ok";
	return strerrorname_np(-status) ? strerrorname_np(-status) : "unknown error";
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

/* ---- memory that jobs wrote ---- */

/* Are these words floats rather than numbers? Zeros are both. */
static bool are_floats(const struct jf_write *w)
{
	uint32_t n = 0, bits, exponent;
	uint64_t i;

	for (i = 0; i + 4 <= w->kept; i += 4) {
		bits = jf_load(JF_U32, w->data + i);
		exponent = bits >> 23 & 0xff;
		if (!(bits << 1))
			continue;
		/* about a trillionth to a trillion */
		if (exponent < 127 - 40 || exponent > 127 + 40)
			return false;
		n++;
	}
	return n;
}

static void print_write(const struct jf_write *w, bool verbose)
{
	uint32_t format = are_floats(w) ? DRM_VSHADER_FORMAT_F32 : DRM_VSHADER_FORMAT_U32;
	uint64_t words = (w->kept + 3) / 4, rows = (words + 3) / 4, shown = rows, i, k;
	char place[24];

	if (!verbose && rows > ROWS)
		shown = ROWS;
	for (i = 0; i < shown; i++) {
		snprintf(place, sizeof(place), "0x%llx",
			 (unsigned long long)(w->name ? w->offset : w->va) + 16 * i);
		printf("    %-10s [%s]", i ? "" : w->name ? w->name : "memory", place);
		for (k = 4 * i; k < 4 * i + 4 && k < words; k++)
			print_component(w->data + 4 * k, format);
		putchar('\n');
	}
	if (16 * shown < w->size)
		printf("    %-10s ... %llu more bytes\n", "",
		       (unsigned long long)(w->size - 16 * shown));
}

static void add_writes(struct json_object *o, const struct jf_outcome *out)
{
	struct json_object *list, *j;
	uint32_t i;

	if (!out->num_writes)
		return;
	list = js_array(o, "writes");
	for (i = 0; i < out->num_writes; i++) {
		const struct jf_write *w = &out->writes[i];

		j = json_object_new_object();
		json_object_array_add(list, j);
		if (w->name)
			js_str(j, "region", w->name);
		js_int(j, "va", w->va);
		js_int(j, "offset", w->offset);
		js_int(j, "size", w->size);
		js_int(j, "changed", w->changed);
		json_object_object_add(j, "data", js_bits(w->data, (uint32_t)((w->kept + 3) / 4)));
		js_bool(j, "complete", w->kept == w->size);
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

	printf("    %sfault%s: %.*s\n", color_begin(COLOR_BAD), color_end(), (int)len, text);
	if (text[len])
		print_message(text + len + 1);
}

/* "pass" or "FAIL", in colour */
static const char *verdict(bool pass)
{
	static char text[2][48];

	snprintf(text[pass], sizeof(text[pass]), "%s%s%s",
		 color_begin(pass ? COLOR_GOOD : COLOR_BAD), pass ? "pass" : "FAIL", color_end());
	return text[pass];
}

static void print_checks(const struct jf_outcome *o, bool verbose)
{
	uint32_t i, passed = o->num_checks - o->num_failed;

	for (i = 0; i < o->num_checks; i++) {
		if (verbose || !o->checks[i].pass)
			printf("    %s  %s\n", verdict(o->checks[i].pass), o->checks[i].text);
	}
	if (!verbose && o->num_checks && !o->num_failed)
		printf("    %s  %u check%s\n", verdict(true), passed, passed == 1 ? "" : "s");
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
	uint32_t i, end, n = pc / jf_pc_unit(p->engine);

	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		src.words[i] = p->words[i];
		src.num_words[i] = p->num_words[i];
	}
	end = src.num_words[DRM_VSHADER_SECTION_CODE] / jf_insn_words(p->engine);
	if (n == end)
		printf("    0x%03x: execution runs off the end of the program\n", pc);
	else if (n < end && !vshader_disasm_word(&src, n, text, sizeof(text)))
		printf("    0x%03x: %s  %s\n", pc, insn_hex(&src, n, hex, sizeof(hex)), text);
}

static void print_job(const struct vshader_jobfile *jf, const struct jf_job *jj,
		      const struct jf_outcome *o, bool verbose)
{
	const struct cli_isa *isa = cli_isa_of_job(jf, jj);
	uint32_t i;

	if (!o->ran) {
		printf("  job %-22s %srefused%s: %s\n", o->name, color_begin(COLOR_BAD),
		       color_end(), status_name(o->submit));
		print_message(o->message);
		print_checks(o, verbose);
		return;
	}
	printf("  job %-22s %s%s%s; %llu invocations, weight %llu, %.3f ms\n", o->name,
	       color_begin(o->result.status ? COLOR_BAD : COLOR_GOOD),
	       o->result.status ? status_name(o->result.status) : "done", color_end(),
	       (unsigned long long)o->result.invocations, (unsigned long long)o->result.weight,
	       (double)o->result.busy_ns / 1e6);
	if (o->result.stray_reads && isa->stray_text)
		printf("    warning: %s: %u\n", isa->stray_text, o->result.stray_reads);
	if (o->message)
		print_fault(o->message);
	if (o->result.fault.kind && jj->type == DRM_VSHADER_JOB_SHADER)
		print_fault_word(&jf->programs[jj->shader.program], o->result.fault.pc);
	for (i = 0; i < o->num_streams && !o->result.status; i++) {
		if (o->streams[i])
			print_stream(&jj->shader.outputs[i], o->streams[i], o->stream_bytes[i],
				     jf_invocations(&jj->shader), verbose);
	}
	if (isa->print_results && o->results && !o->result.status)
		isa->print_results(jj, o, verbose);
	for (i = 0; i < o->num_writes; i++)
		print_write(&o->writes[i], verbose);
	print_checks(o, verbose);
}

/* Pixels as hexadecimal digits, the highest bit first. */
static void print_image(const struct jf_output *o, const uint8_t *data)
{
	const struct jf_picture *p = &o->picture;
	const uint8_t *pixel;
	uint32_t x, y, i;

	printf("  image %-20s %u x %u pixels, %u bytes each\n", o->name, p->width, p->height,
	       p->pixel.bytes);
	for (y = 0; y < p->height; y++) {
		printf("    [%u]", y);
		for (x = 0; x < p->width; x++) {
			pixel = data + jf_picture_place(p, x, y);
			putchar(' ');
			for (i = p->pixel.bytes; i-- > 0;)
				printf("%02x", pixel[i]);
		}
		putchar('\n');
	}
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
	if (run->writes_bytes)
		printf("  the memory that jobs wrote is not shown: %llu MiB are too many\n",
		       (unsigned long long)run->writes_bytes >> 20);
	for (i = 0; verbose && i < run->num_files; i++)
		if (jf->outputs[i].image && run->files[i])
			print_image(&jf->outputs[i], run->files[i]);
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
		rows = stream_rows(s, out->stream_bytes[i], jf_invocations(sh));
		for (k = 0; k < rows; k++)
			json_object_array_add(data, js_bits(out->streams[i] + k * s->stride,
							    s->components));
		js_bool(j, "complete", rows == jf_invocations(sh) || !s->stride);
	}
}

static void add_job(struct json_object *o, const struct vshader_jobfile *jf,
		    const struct jf_job *jj, const struct jf_outcome *out)
{
	const struct cli_isa *isa = cli_isa_of_job(jf, jj);

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
	if (isa->json_states)
		isa->json_states(o, jj, out);
	if (jj->type == DRM_VSHADER_JOB_SHADER)
		add_streams(o, &jj->shader, out);
	if (isa->json_results && out->results)
		isa->json_results(o, jj, out);
	add_writes(o, out);
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
			add_job(o, jf, &jf->jobs[i - jf->num_programs], out);
		}
		add_checks(o, out);
	}
	return root;
}
