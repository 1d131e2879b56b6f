// SPDX-License-Identifier: MIT
/*
 * Results of jobs, for files: images and other memory, by name.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

static const struct jf_name layouts[] = {
	{ "linear", JF_LINEAR }, { "u-interleaved", JF_U_INTERLEAVED }, { "morton", JF_MORTON }, { }
};

int jf_parse_format(struct jf_ctx *c, struct json_object *o, struct jf_picture *p)
{
	const char *format = "rgba8";
	size_t mark;
	int ret = jf_string(c, o, "format", &format);

	if (!ret)
		ret = jf_enum(c, o, "layout", layouts, &p->layout);
	if (!ret)
		ret = jf_u32(c, o, "stride", INT32_MAX, &p->stride);
	if (!ret)
		ret = jf_bool(c, o, "flip", &p->flip);
	if (ret)
		return ret;
	if (jf_pixel_format(format, &p->pixel)) {
		ret = jf_u32(c, o, "max", UINT32_MAX, &p->pixel.max);
		return ret || p->pixel.max ? ret : jf_error(c, "\"max\" is 0");
	}
	mark = jf_enter(c, "format");
	ret = jf_error(c, "\"%.40s\" is no format of pixels, such as \"r8g8b8a8\", \"z24s8\"",
		       format);
	jf_leave(c, mark);
	return ret;
}

/* Once the format is known. */
static int complete(struct jf_ctx *c, struct jf_output *out)
{
	struct jf_picture *p = &out->picture;
	const struct jf_region *r;

	if (!p->width || !p->height)
		return jf_error(c, "the image has no pixels");
	if (!p->stride)
		p->stride = jf_picture_stride(p);
	if (p->stride < jf_picture_stride(p))
		return jf_error(c, "a row has %u bytes, \"stride\" is %u", jf_picture_stride(p),
				p->stride);
	out->size = jf_picture_size(p);
	if (out->at.region == JF_NONE)
		return 0;
	r = &c->jf->regions[out->at.region];
	if (out->at.offset > r->size || out->size > r->size - out->at.offset)
		return jf_error(c, "the image has %llu bytes, which the region ends before",
				(unsigned long long)out->size);
	return 0;
}

static struct jf_output *new_output(struct vshader_jobfile *jf)
{
	struct jf_output *list = jf_alloc(&jf->blocks, (jf->num_outputs + 1) * sizeof(*list));

	if (!list)
		return NULL;
	if (jf->num_outputs)
		memcpy(list, jf->outputs, jf->num_outputs * sizeof(*list));
	jf->outputs = list;
	return &list[jf->num_outputs++];
}

static int parse_image(struct jf_ctx *c, struct json_object *o)
{
	static const char * const keys[] = { "name", "at", "width", "height", "format", "layout",
					     "stride", "flip", "max", "vm", "comment", NULL };
	struct jf_output *out = new_output(c->jf);
	int ret;

	if (!out)
		return -ENOMEM;
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "name");
	if (!ret)
		ret = jf_string(c, o, "name", &out->name);
	if (!ret)
		ret = jf_require(c, o, "at");
	if (!ret)
		ret = jf_get_loc(c, o, "at", &out->at);
	if (!ret)
		ret = jf_u32(c, o, "width", JF_MAX_SIDE, &out->picture.width);
	if (!ret)
		ret = jf_u32(c, o, "height", JF_MAX_SIDE, &out->picture.height);
	if (!ret)
		ret = jf_vm_index(c, o, &out->vm);
	if (!ret)
		ret = jf_parse_format(c, o, &out->picture);
	out->image = true;
	return ret ? ret : complete(c, out);
}

int jf_parse_images(struct jf_ctx *c, struct json_object *root)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, root, "images", 256, &list, &n);

	mark = jf_enter(c, "images");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_image(c, json_object_array_get_idx(list, i));
		if (!ret)
			ret = jf_unique(c, "images", &c->jf->outputs->name,
					sizeof(*c->jf->outputs), i);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

/* ---- asked for by name ---- */

/* Digits and nothing else up to @end. */
static bool number(const char *text, char end, uint32_t max, uint32_t *out)
{
	unsigned long long n;
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoull(text, &stop, 10);
	*out = (uint32_t)n;
	return !errno && n <= max && *stop == end;
}

/* "PLACE:WIDTHxHEIGHT[:FORMAT[:STRIDE]]" */
static int described(struct jf_ctx *c, char *text, struct jf_output *out)
{
	char *size = strchr(text, ':'), *height, *format, *stride = NULL;
	struct json_object *place;
	int ret;

	*size++ = 0;
	format = strchr(size, ':');
	if (format)
		*format++ = 0;
	stride = format ? strchr(format, ':') : NULL;
	if (stride)
		*stride++ = 0;
	height = strchr(size, 'x');
	if (!height || !number(size, 'x', JF_MAX_SIDE, &out->picture.width) ||
	    !number(height + 1, 0, JF_MAX_SIDE, &out->picture.height))
		return jf_error(c, "\"%.40s\": expected WIDTHxHEIGHT, up to %u", size, JF_MAX_SIDE);
	if (!jf_pixel_format(format ? format : "rgba8", &out->picture.pixel))
		return jf_error(c, "\"%.40s\" is no format of pixels", format);
	if (stride && !number(stride, 0, INT32_MAX, &out->picture.stride))
		return jf_error(c, "\"%.40s\": expected a stride in bytes", stride);
	place = json_object_new_string(text);
	if (!place)
		return -ENOMEM;
	ret = jf_parse_loc(c, place, &out->at);
	json_object_put(place);
	out->image = true;
	return ret ? ret : complete(c, out);
}

/* A region, whole, or the output stream "OUTPUT" or "JOB.OUTPUT". */
static int find_memory(struct jf_ctx *c, const char *name, struct jf_output *out)
{
	const struct vshader_jobfile *jf = c->jf;
	uint32_t i, k, found = 0;

	for (i = 0; i < jf->num_regions; i++) {
		if (!jf->regions[i].name || strcmp(jf->regions[i].name, name))
			continue;
		out->at.region = i;
		out->size = jf->regions[i].size;
		out->vm = jf->regions[i].vm;
		return 0;
	}
	for (i = 0; i < jf->num_jobs; i++) {
		const struct jf_job *j = &jf->jobs[i];
		size_t len = j->name ? strlen(j->name) : 0;
		bool mine = len && !strncmp(j->name, name, len) && name[len] == '.';
		uint64_t n = jf_invocations(&j->shader);

		for (k = 0; k < j->shader.num_outputs; k++) {
			const struct jf_stream *s = &j->shader.outputs[k];

			if (strcmp(s->name, mine ? name + len + 1 : name))
				continue;
			found++;
			out->at = s->at;
			out->size = n ? (n - 1) * s->stride + jf_stream_bytes(s) : 0;
			out->vm = j->queue == JF_NONE ? j->own.params.vm :
							jf->queues[j->queue].params.vm;
		}
	}
	if (found == 1)
		return 0;
	if (found)
		return jf_error(c, "%u outputs are called \"%.64s\"; name one as JOB.OUTPUT",
				found, name);
	return jf_error(c, "\"%.64s\" is no image, region or output", name);
}

int vshader_jobfile_want(struct vshader_jobfile *jf, const char *name, bool image, uint32_t *index,
			 char *err, size_t err_size)
{
	struct jf_ctx c = { .jf = jf, .err = err, .err_size = err_size };
	struct jf_output *out;
	char *copy;
	uint32_t i;
	int ret;

	for (i = 0; i < jf->num_outputs; i++) {
		if (strcmp(jf->outputs[i].name, name) || (image && !jf->outputs[i].image))
			continue;
		jf->outputs[i].wanted = true;
		*index = i;
		return 0;
	}
	if (image && !strchr(name, ':')) {
		jf->want_targets = true;
		*index = JF_NONE;
		return 0;
	}
	copy = jf_strdup(&jf->blocks, name);
	out = new_output(jf);
	if (!copy || !out) {
		jf_error(&c, "out of memory");
		return -ENOMEM;
	}
	out->name = copy;
	out->wanted = true;
	*index = jf->num_outputs - 1;
	if (strchr(name, ':'))
		ret = described(&c, jf_strdup(&jf->blocks, name), out);
	else
		ret = find_memory(&c, name, out);
	/* a failed one is not left for the run */
	if (ret)
		jf->num_outputs--;
	return ret;
}

/* ---- results ---- */

/*
 * Make a name that no target has, by a number. Return: false: there is one with the same contents;
 * the jobs of a chain often have the same image.
 */
static bool unique(const struct vshader_run *run, char *name, size_t room, const uint8_t *data,
		   uint64_t size)
{
	size_t len = strlen(name);
	uint32_t i, number = 1;

	for (i = 0; i < run->num_targets; i++) {
		const struct jf_target *t = &run->targets[i];

		if (strcmp(t->name, name))
			continue;
		if (t->size == size && !memcmp(t->data, data, size))
			return false;
		snprintf(name + len, room - len, "-%u", ++number);
		i = UINT32_MAX;	/* from the first one */
	}
	return true;
}

int run_add_target(struct runner *r, uint32_t n, const char *name, uint64_t va,
		   const struct jf_picture *p)
{
	const struct jf_loc at = { .region = JF_NONE, .offset = va };
	const char *job = r->jf->jobs[n].name;
	uint64_t size = jf_picture_size(p);
	const uint8_t *data = size ? run_ptr(r, r->jobs[n].vm, &at, size) : NULL;
	struct vshader_run *run = r->run;
	struct jf_target *list;
	char text[96];

	if (!data || p->stride < jf_picture_stride(p))
		return 0;
	if (job)
		snprintf(text, sizeof(text), "%.64s.%s", job, name);
	else
		snprintf(text, sizeof(text), "%u.%s", n, name);
	if (!unique(run, text, sizeof(text), data, size))
		return 0;
	list = jf_alloc(&run->blocks, (run->num_targets + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	if (run->num_targets)
		memcpy(list, run->targets, run->num_targets * sizeof(*list));
	run->targets = list;
	list += run->num_targets;
	*list = (struct jf_target){ .name = jf_strdup(&run->blocks, text), .picture = *p,
				    .size = size, .data = jf_alloc(&run->blocks, size) };
	if (!list->name || !list->data)
		return -ENOMEM;
	memcpy(list->data, data, size);
	run->num_targets++;
	return 0;
}

static int keep_targets(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < jf->num_jobs && !ret; i++) {
		const struct jf_isa *isa = jf_isa_of_job(jf, &jf->jobs[i]);
		struct drm_vshader_job job = { };

		if (jf->jobs[i].type != DRM_VSHADER_JOB_NATIVE) {
			ret = isa->shader_targets ? isa->shader_targets(r, i) : 0;
			continue;
		}
		if (!isa->targets)
			continue;
		ret = run_make_job(r, i, &job);
		if (!ret)
			ret = isa->targets(r, i, (const void *)(uintptr_t)job.desc);
	}
	return ret;
}

int run_keep_files(struct runner *r)
{
	const struct vshader_jobfile *jf = r->jf;
	struct vshader_run *run = r->run;
	const uint8_t *p;
	uint32_t i;

	run->files = jf_alloc(&run->blocks, jf->num_outputs * sizeof(*run->files));
	if (!run->files)
		return -ENOMEM;
	run->num_files = jf->num_outputs;
	for (i = 0; i < jf->num_outputs; i++) {
		const struct jf_output *out = &jf->outputs[i];

		p = out->wanted ? run_ptr(r, out->vm, &out->at, out->size) : NULL;
		if (!p)
			continue;
		run->files[i] = jf_alloc(&run->blocks, out->size + 1);
		if (!run->files[i])
			return -ENOMEM;
		memcpy(run->files[i], p, out->size);
	}
	return jf->want_targets ? keep_targets(r) : 0;
}
