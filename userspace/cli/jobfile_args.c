// SPDX-License-Identifier: MIT
/*
 * Jobs described by the submission arguments in a dump's sections.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"
#include "vshader_dump.h"

/* ---- parsing ---- */

static int take_native(struct jf_ctx *c, const struct vshader_dump *d, struct jf_job *job)
{
	struct drm_vshader_native_job n;

	if (!vshader_dump_element(d, DRM_VSHADER_DUMP_NATIVE_JOB, 0, &n, sizeof(n)))
		return jf_error(c, "the file has neither a shader job nor a native one");
	job->type = DRM_VSHADER_JOB_NATIVE;
	job->native = (struct jf_native){
		.format = n.format, .flags = n.flags, .at = { JF_NONE, n.va }, .size = n.size,
		.output = { JF_NONE, n.output_va }, .output_size = n.output_size,
		.model = n.model, .switches = n.switches, .memory = n.memory,
	};
	return 0;
}

static int take_args(struct jf_ctx *c, struct vshader_dump *d, struct jf_job *job)
{
	struct drm_vshader_shader_job s;

	job->own.params.engine = d->queue.engine;
	if (!vshader_dump_element(d, DRM_VSHADER_DUMP_SHADER_JOB, 0, &s, sizeof(s)))
		return take_native(c, d, job);
	if (job->shader.program >= c->jf->num_programs ||
	    c->jf->programs[job->shader.program].engine != d->queue.engine)
		return jf_error(c, "the program is not of the job's engine, %s",
				vshader_engine_name(d->queue.engine));
	job->type = DRM_VSHADER_JOB_SHADER;
	job->shader.entry = s.entry;
	return 0;
}

int jf_parse_args(struct jf_ctx *c, const char *name, struct jf_job *job)
{
	struct vshader_dump *d;
	uint8_t *data, *copy;
	size_t len;
	int ret = jf_read_file(c, name, &data, &len);

	if (ret)
		return ret;
	copy = jf_alloc(&c->jf->blocks, len + 1);
	if (copy)
		memcpy(copy, data, len);
	free(data);
	if (!copy)
		return -ENOMEM;
	if (vshader_dump_parse(copy, len, &d))
		return jf_error(c, "\"%.80s\": %s", name, vshader_error());
	ret = take_args(c, d, job);
	vshader_dump_free(d);
	job->shader.args = copy;
	job->shader.args_size = len;
	return ret;
}

/* ---- running ---- */

void *run_load_one(struct runner *r, const struct vshader_dump *d, uint32_t type, size_t size)
{
	void *p = jf_alloc(&r->run->blocks, size);

	if (p)
		vshader_dump_element(d, type, 0, p, size);
	return p;
}

/*
 * The section's size gives the number of elements, not the count in the structure that
 * refers to it.
 */
int run_load_array(struct runner *r, const struct vshader_dump *d, uint32_t type, size_t size,
		   struct drm_vshader_obj_array *out)
{
	uint64_t i, n = d->part[type].count;
	uint8_t *p;

	if (n > JF_MAX_ITEMS)
		return -E2BIG;
	p = jf_alloc(&r->run->blocks, (n + 1) * size);
	if (!p)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		vshader_dump_element(d, type, i, p + i * size, size);
	*out = (struct drm_vshader_obj_array){
		.stride = (uint32_t)size, .count = (uint32_t)n, .array = (uintptr_t)p,
	};
	return 0;
}

int run_load_streams(struct runner *r, const struct vshader_dump *d, uint32_t type,
		     struct drm_vshader_obj_array *out)
{
	return run_load_array(r, d, type, sizeof(struct drm_vshader_stream), out);
}

int run_load_vertices(struct runner *r, const struct vshader_dump *d,
		      struct drm_vshader_vertices *v)
{
	int ret = run_load_streams(r, d, DRM_VSHADER_DUMP_ATTRIBUTES, &v->attributes);

	return ret ? ret : run_load_streams(r, d, DRM_VSHADER_DUMP_OUTPUTS, &v->outputs);
}

static int make_block(struct runner *r, const struct vshader_dump *d,
		      struct drm_vshader_shader_job *s)
{
	const struct jf_isa *isa = jf_isa_of(d->queue.engine);
	void *block;

	s->engine_block = 0;
	s->engine_block_size = 0;
	if (!d->part[DRM_VSHADER_DUMP_ENGINE_BLOCK].data)
		return 0;
	block = run_load_one(r, d, DRM_VSHADER_DUMP_ENGINE_BLOCK, isa->block_size);
	if (!block)
		return -ENOMEM;
	s->engine_block = (uintptr_t)block;
	s->engine_block_size = isa->block_size;
	return isa->load ? isa->load(r, d, block) : 0;
}

static int make(struct runner *r, const struct vshader_dump *d, uint32_t program,
		struct drm_vshader_job *job)
{
	struct drm_vshader_shader_job *s;
	int ret;

	s = run_load_one(r, d, DRM_VSHADER_DUMP_SHADER_JOB, sizeof(*s));
	ret = s ? make_block(r, d, s) : -ENOMEM;
	if (ret)
		return ret;
	s->program = program;
	job->desc = (uintptr_t)s;
	job->desc_size = sizeof(*s);
	return 0;
}

int run_make_args(struct runner *r, const struct jf_shader *sh, struct drm_vshader_job *job)
{
	struct vshader_dump *d;
	int ret = vshader_dump_parse(sh->args, sh->args_size, &d);

	if (ret)
		return ret;
	ret = make(r, d, r->programs[sh->program], job);
	vshader_dump_free(d);
	return ret;
}
