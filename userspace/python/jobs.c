// SPDX-License-Identifier: MIT
/*
 * Job files for language bindings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile.h"
#include "jobfile_json.h"
#include "jobs.h"

#define ERROR_ROOM	4096

/**
 * struct source - where a buffer comes from
 * @output: in the outputs of the job file; JF_NONE: a target
 * @target: in the targets of the run
 * @stream: output stream of a job, or NULL
 * @rows: elements of @stream
 */
struct source {
	uint32_t output;
	uint32_t target;
	const struct jf_stream *stream;
	uint64_t rows;
};

/**
 * struct vshader_jobs - job file and its results
 * @jf: job file
 * @run: results, or NULL
 * @sources: buffers
 * @num_sources: number of @sources, without targets
 */
struct vshader_jobs {
	struct vshader_jobfile *jf;
	struct vshader_run *run;
	struct source *sources;
	uint32_t num_sources;
};

static _Thread_local char error[ERROR_ROOM];

const char *vshader_jobs_error(void)
{
	return error;
}

/* ---- buffers of a file ---- */

/* Jobs without a name are called by their number, as in the names of targets. */
static int name_jobs(struct vshader_jobfile *jf)
{
	char text[16];
	uint32_t i, k;

	for (i = 0; i < jf->num_jobs; i++) {
		for (k = 0; k < i && jf->jobs[i].name; k++) {
			if (!strcmp(jf->jobs[k].name, jf->jobs[i].name))
				break;
		}
		if (jf->jobs[i].name && k == i)
			continue;
		snprintf(text, sizeof(text), "%u", i);
		jf->jobs[i].name = jf_strdup(&jf->blocks, text);
		if (!jf->jobs[i].name)
			return -ENOMEM;
	}
	return 0;
}

static int want(struct vshader_jobs *j, const char *name, const struct jf_stream *stream,
		uint64_t rows)
{
	struct source s = { .stream = stream, .rows = rows };
	int ret = vshader_jobfile_want(j->jf, name, false, &s.output, error, sizeof(error));

	if (!ret)
		j->sources[j->num_sources++] = s;
	return ret;
}

static int want_streams(struct vshader_jobs *j, const struct jf_job *job)
{
	char name[512];
	uint32_t k;
	int ret = 0;

	for (k = 0; k < job->shader.num_outputs && !ret; k++) {
		const struct jf_stream *s = &job->shader.outputs[k];

		if (snprintf(name, sizeof(name), "%s.%s", job->name, s->name) < (int)sizeof(name))
			ret = want(j, name, s, jf_invocations(&job->shader));
	}
	return ret;
}

static bool is_image(const struct vshader_jobfile *jf, const char *name, uint32_t images)
{
	while (images && strcmp(jf->outputs[images - 1].name, name))
		images--;
	return images;
}

/* Images, regions that have a name, output streams. */
static int want_all(struct vshader_jobs *j)
{
	struct vshader_jobfile *jf = j->jf;
	uint32_t i, images = jf->num_outputs, n = images + jf->num_regions;
	int ret = 0;

	for (i = 0; i < jf->num_jobs; i++)
		n += jf->jobs[i].shader.num_outputs;
	j->sources = calloc(n + 1, sizeof(*j->sources));
	if (!j->sources)
		return -ENOMEM;
	for (i = 0; i < images; i++) {
		jf->outputs[i].wanted = true;
		j->sources[j->num_sources++] = (struct source){ .output = i };
	}
	for (i = 0; i < jf->num_regions && !ret; i++) {
		const char *name = jf->regions[i].name;

		/* a colon describes an image */
		if (name && !strchr(name, ':') && !is_image(jf, name, images))
			ret = want(j, name, NULL, 0);
	}
	for (i = 0; i < jf->num_jobs && !ret; i++)
		ret = want_streams(j, &jf->jobs[i]);
	jf->want_targets = true;
	return ret;
}

int vshader_jobs_parse(const char *text, size_t size, const char *name, struct vshader_jobs **out)
{
	struct vshader_jobs *j = calloc(1, sizeof(*j));
	int ret;

	snprintf(error, sizeof(error), "out of memory");
	if (!j)
		return -ENOMEM;
	ret = vshader_jobfile_parse(text, size, name, 0, &j->jf, error, sizeof(error));
	if (!ret)
		ret = name_jobs(j->jf);
	if (!ret)
		ret = want_all(j);
	if (ret) {
		vshader_jobs_free(j);
		return ret;
	}
	*out = j;
	return 0;
}

int vshader_jobs_run(struct vshader_jobs *j, struct vshader_device *dev)
{
	if (j->run) {
		snprintf(error, sizeof(error), "the jobs have run already");
		return -EBUSY;
	}
	return vshader_jobfile_run(j->jf, dev, &j->run, error, sizeof(error));
}

void vshader_jobs_free(struct vshader_jobs *j)
{
	if (!j)
		return;
	vshader_run_free(j->run);
	vshader_jobfile_free(j->jf);
	free(j->sources);
	free(j);
}

/* ---- arrays ---- */

static unsigned int bytes_of(char format)
{
	switch (format) {
	case 'B':
	case 'b':
		return 1;
	case 'H':
	case 'h':
		return 2;
	case 'Q':
		return 8;
	default:
		return 4;
	}
}

/* Bits of each component, if all have the same and nothing is between them; otherwise 0. */
static uint32_t component_bits(const struct jf_pixel *p)
{
	uint32_t i, bits = p->num ? p->comp[0].bits : 0;

	for (i = 0; i < p->num; i++) {
		if (p->comp[i].bits != bits || p->comp[i].shift != i * bits)
			return 0;
	}
	return bits * p->num == 8 * p->bytes ? bits : 0;
}

/* Components where they are whole bytes, otherwise pixels. */
static void describe_picture(const struct jf_picture *p, struct vshader_jobs_buffer *b)
{
	uint32_t bits = component_bits(&p->pixel), comps = 1;
	bool is_signed = p->pixel.kind == 's' || p->pixel.kind == 'n';

	b->num_dims = 2;
	b->shape[0] = p->height;
	b->shape[1] = p->width;
	if (bits >= 16 && p->pixel.kind == 'f') {
		b->format = 'f';
		comps = p->pixel.num;
	} else if (bits == 8 || bits == 16 || bits == 32) {
		b->format = bits == 8 ? 'B' : bits == 16 ? 'H' : 'I';
		if (is_signed)
			b->format = bits == 8 ? 'b' : bits == 16 ? 'h' : 'i';
		comps = p->pixel.num;
	} else if (p->pixel.bytes == 2 || p->pixel.bytes == 4 || p->pixel.bytes == 8) {
		b->format = p->pixel.bytes == 2 ? 'H' : p->pixel.bytes == 4 ? 'I' : 'Q';
	} else {
		b->format = 'B';
		comps = p->pixel.bytes;
	}
	if (comps > 1) {
		b->num_dims = 3;
		b->shape[2] = comps;
	}
	b->size = (uint64_t)p->height * p->width * comps * bytes_of(b->format);
}

/* Floats become binary32, which has all values of the others. */
static void read_picture(const struct jf_picture *p, const uint8_t *data, uint8_t *dst)
{
	uint32_t x, y, i, bits = component_bits(&p->pixel);
	bool half = p->pixel.kind == 'f' && bits == 16;
	const uint8_t *pixel;
	double value;

	for (y = 0; y < p->height; y++) {
		for (x = 0; x < p->width; x++) {
			pixel = data + jf_picture_place(p, x, y);
			for (i = 0; half && i < p->pixel.num; i++, dst += 4) {
				value = jf_decode(JF_F16, jf_load(JF_F16, pixel + 2 * i));
				jf_store(JF_F32, jf_encode(JF_F32, value), dst);
			}
			if (half)
				continue;
			memcpy(dst, pixel, p->pixel.bytes);
			dst += p->pixel.bytes;
		}
	}
}

static void describe_stream(const struct source *s, struct vshader_jobs_buffer *b)
{
	b->num_dims = 2;
	b->shape[0] = (uint32_t)s->rows;
	b->shape[1] = s->stream->components;
	b->format = s->stream->format == DRM_VSHADER_FORMAT_U32 ? 'I' : 'f';
	b->size = 4 * s->rows * s->stream->components;
}

static void read_stream(const struct source *s, const uint8_t *data, uint8_t *dst)
{
	enum jf_type type = s->stream->format == DRM_VSHADER_FORMAT_F24 ? JF_F24 :
			    s->stream->format == DRM_VSHADER_FORMAT_F16 ? JF_F16 : JF_U32;
	uint64_t row;
	uint32_t k, bits;

	for (row = 0; row < s->rows; row++) {
		for (k = 0; k < s->stream->components; k++, dst += 4) {
			bits = jf_load(type, data + row * s->stream->stride +
				       k * jf_type_bytes(type));
			if (type != JF_U32)
				bits = jf_encode(JF_F32, jf_decode(type, bits));
			jf_store(JF_U32, bits, dst);
		}
	}
}

/* Return: 0 or -ENOENT. */
static int find_source(const struct vshader_jobs *j, uint32_t n, struct source *s)
{
	if (!j->run)
		return -ENOENT;
	if (n < j->num_sources) {
		*s = j->sources[n];
		return 0;
	}
	*s = (struct source){ .output = JF_NONE, .target = n - j->num_sources };
	return s->target < j->run->num_targets ? 0 : -ENOENT;
}

int vshader_jobs_buffer(const struct vshader_jobs *j, uint32_t n, struct vshader_jobs_buffer *b)
{
	const struct jf_output *o;
	struct source s;

	if (find_source(j, n, &s))
		return -ENOENT;
	*b = (struct vshader_jobs_buffer){ };
	if (s.output == JF_NONE) {
		b->name = j->run->targets[s.target].name;
		describe_picture(&j->run->targets[s.target].picture, b);
		return 0;
	}
	o = &j->jf->outputs[s.output];
	b->name = o->name;
	if (!j->run->files[s.output] || s.rows > UINT32_MAX)
		return -ENODATA;
	if (s.stream) {
		describe_stream(&s, b);
	} else if (o->image) {
		describe_picture(&o->picture, b);
	} else {
		b->format = 'B';
		b->num_dims = 1;
		b->shape[0] = (uint32_t)o->size;
		b->size = o->size;
	}
	return 0;
}

void vshader_jobs_read(const struct vshader_jobs *j, uint32_t n, void *dst)
{
	const struct jf_output *o;
	struct source s;

	if (find_source(j, n, &s))
		return;
	if (s.output == JF_NONE) {
		read_picture(&j->run->targets[s.target].picture, j->run->targets[s.target].data,
			     dst);
		return;
	}
	o = &j->jf->outputs[s.output];
	if (s.stream)
		read_stream(&s, j->run->files[s.output], dst);
	else if (o->image)
		read_picture(&o->picture, j->run->files[s.output], dst);
	else
		memcpy(dst, j->run->files[s.output], o->size);
}

/* ---- report ---- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, text ? json_object_new_string(text) : NULL);
}

static void add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

static void add_errno(struct json_object *o, const char *key, int err)
{
	const char *name = err ? strerrorname_np(-err) : "ok";

	add_text(o, key, name ? name : "unknown error");
}

static void add_fault(struct json_object *o, const struct drm_vshader_fault *f)
{
	struct json_object *j = json_object_new_object();

	add_text(j, "kind", vshader_fault_name(f->kind));
	add_number(j, "address", f->address);
	add_number(j, "size", f->size);
	add_number(j, "pc", f->pc);
	add_number(j, "invocation", f->invocation);
	json_object_object_add(o, "fault", j);
}

static struct json_object *outcome(const struct jf_outcome *out)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	uint32_t i;

	add_text(o, "name", out->name);
	add_text(o, "message", out->message);
	add_errno(o, "submit", out->submit);
	if (out->ran) {
		add_errno(o, "status", out->result.status);
		add_number(o, "invocations", out->result.invocations);
		add_number(o, "weight", out->result.weight);
		add_number(o, "busy_ns", out->result.busy_ns);
	}
	if (out->ran && out->result.fault.kind)
		add_fault(o, &out->result.fault);
	for (i = 0; i < out->num_checks; i++) {
		if (!out->checks[i].pass)
			json_object_array_add(list, json_object_new_string(out->checks[i].text));
	}
	json_object_object_add(o, "failures", list);
	return o;
}

char *vshader_jobs_report(const struct vshader_jobs *j)
{
	struct json_object *root = json_object_new_object(), *list[2];
	uint32_t i;
	char *text;

	add_number(root, "checks", j->run->num_checks);
	add_number(root, "failed", j->run->num_failed);
	list[0] = json_object_new_array();
	list[1] = json_object_new_array();
	json_object_object_add(root, "programs", list[0]);
	json_object_object_add(root, "jobs", list[1]);
	for (i = 0; i < j->run->num_outcomes; i++)
		json_object_array_add(list[!j->run->outcomes[i].is_program],
				      outcome(&j->run->outcomes[i]));
	text = strdup(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN));
	json_object_put(root);
	return text;
}
