// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What a job was submitted with. Structures are brought to the size that is known here, longer
 * ones are cut off: what they had more of was 0, or the job would not have been accepted.
 */
#include "debug/capture.h"

#define MAX_ELEMENTS	4096U
#define FIRST_ROOM	1024U

struct capture {
	struct vshader_capture *c;
	vshader_capture_copy copy;
};

static int grow(struct vshader_capture *c, u64 more)
{
	u64 room = c->room ?: FIRST_ROOM;
	u8 *buf;

	while (room < c->size + more)
		room *= 2;
	if (room == c->room)
		return 0;
	buf = vs_zalloc(room);
	if (!buf)
		return -ENOMEM;
	if (c->size)
		memcpy(buf, c->buf, c->size);
	vs_free(c->buf);
	c->buf = buf;
	c->room = room;
	return 0;
}

/* Room for a section. Return: 0 with where its bytes go at *@out. */
static int section(struct vshader_capture *c, u64 type, u64 count, u64 size, void **out)
{
	const struct drm_vshader_dump_section s = { .type = type, .count = count, .size = size };
	int ret;

	size = (size + 7) & ~7ULL;
	ret = grow(c, sizeof(s) + size);
	if (ret)
		return ret;
	memcpy(c->buf + c->size, &s, sizeof(s));
	*out = c->buf + c->size + sizeof(s);
	c->size += sizeof(s) + size;
	c->sections++;
	return 0;
}

static int one(struct capture *k, u64 type, u64 src, u64 given, u64 size, void **out)
{
	int ret = section(k->c, type, 1, size, out);

	return ret ?: k->copy(*out, src, min(given, size));
}

static int many(struct capture *k, u64 type, const struct drm_vshader_obj_array *a, u64 size)
{
	u32 n = min(a->count, MAX_ELEMENTS), i;
	void *to;
	int ret;

	if (!n)
		return 0;
	ret = section(k->c, type, n, n * size, &to);
	if (!ret && a->stride == size)
		return k->copy(to, a->array, n * size);
	for (i = 0; i < n && !ret; i++)
		ret = k->copy((u8 *)to + i * size, a->array + (u64)i * a->stride,
			      min_t(u64, a->stride, size));
	return ret;
}

static void forget(struct drm_vshader_obj_array *a)
{
	a->array = 0;
}

/* ---- blocks of engines ---- */

static int engine_block(struct capture *k, const struct drm_vshader_shader_job *d, u64 size,
			void **out)
{
	return one(k, DRM_VSHADER_DUMP_ENGINE_BLOCK, d->engine_block, d->engine_block_size, size,
		   out);
}

static int pica(struct capture *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_pica_job *b;
	struct drm_vshader_obj_array rows;
	void *p;
	int ret;

	ret = engine_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	rows = (struct drm_vshader_obj_array){ .stride = 16, .count = b->num_float_uniforms,
					       .array = b->float_uniforms };
	b->float_uniforms = 0;
	return many(k, DRM_VSHADER_DUMP_FLOAT_UNIFORMS, &rows, 16);
}

static int qpu(struct capture *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_qpu_job *b;
	struct drm_vshader_obj_array threads;
	void *p;
	int ret;

	ret = engine_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	threads = b->threads;
	forget(&b->threads);
	return many(k, DRM_VSHADER_DUMP_QPU_THREADS, &threads,
		    sizeof(struct drm_vshader_qpu_thread));
}

static int mali_fragment(struct capture *k, u64 src, u32 given)
{
	struct drm_vshader_mali_fragment *f;
	struct drm_vshader_obj_array targets;
	void *p;
	int ret;

	ret = one(k, DRM_VSHADER_DUMP_MALI_FRAGMENT, src, given, sizeof(*f), &p);
	if (ret)
		return ret;
	f = p;
	targets = f->targets;
	forget(&f->targets);
	return many(k, DRM_VSHADER_DUMP_TARGETS, &targets,
		    sizeof(struct drm_vshader_mali_target));
}

static int mali(struct capture *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_mali_job *b;
	u64 fragment;
	void *p;
	int ret;

	ret = engine_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	fragment = b->fragment;
	b->fragment = 0;
	return fragment ? mali_fragment(k, fragment, b->fragment_size) : 0;
}

static int utgard_gp(struct capture *k, const struct drm_vshader_shader_job *d)
{
	void *p;

	return engine_block(k, d, sizeof(struct drm_vshader_utgard_gp_job), &p);
}

static int utgard_pp(struct capture *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_utgard_pp_job *b;
	struct drm_vshader_obj_array targets;
	void *p;
	int ret;

	ret = engine_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	targets = b->targets;
	forget(&b->targets);
	return many(k, DRM_VSHADER_DUMP_TARGETS, &targets,
		    sizeof(struct drm_vshader_utgard_target));
}

static int block(struct capture *k, const struct drm_vshader_shader_job *d,
		 const struct vs_isa *isa)
{
	if (!d->engine_block)
		return 0;
	switch (isa->id) {
	case VS_ISA_PICA:
		return pica(k, d);
	case VS_ISA_QPU:
		return qpu(k, d);
	case VS_ISA_BIFROST:
	case VS_ISA_MIDGARD:
		return mali(k, d);
	case VS_ISA_UTGARD_GP:
		return utgard_gp(k, d);
	case VS_ISA_UTGARD_PP:
		return utgard_pp(k, d);
	default:
		return -EINVAL;
	}
}

/* ---- jobs ---- */

static int shader(struct capture *k, const struct drm_vshader_job *uj, const struct vs_isa *isa)
{
	struct drm_vshader_shader_job *p, d;
	void *at;
	int ret;

	ret = one(k, DRM_VSHADER_DUMP_SHADER_JOB, uj->desc, uj->desc_size, sizeof(d), &at);
	if (ret)
		return ret;
	p = at;
	d = *p;
	p->engine_block = 0;
	forget(&p->attributes);
	forget(&p->outputs);
	ret = block(k, &d, isa);
	if (!ret)
		ret = many(k, DRM_VSHADER_DUMP_ATTRIBUTES, &d.attributes,
			   sizeof(struct drm_vshader_stream));
	return ret ?: many(k, DRM_VSHADER_DUMP_OUTPUTS, &d.outputs,
			   sizeof(struct drm_vshader_stream));
}

int vshader_capture_job(struct vshader_capture *c, const struct drm_vshader_job *uj,
			const struct vs_isa *isa, vshader_capture_copy copy)
{
	struct capture k = { .c = c, .copy = copy };
	void *at;
	int ret;

	if (uj->type == DRM_VSHADER_JOB_NATIVE)
		ret = one(&k, DRM_VSHADER_DUMP_NATIVE_JOB, uj->desc, uj->desc_size,
			  sizeof(struct drm_vshader_native_job), &at);
	else
		ret = shader(&k, uj, isa);
	if (ret)
		vshader_capture_free(c);
	return ret;
}

void vshader_capture_free(struct vshader_capture *c)
{
	vs_free(c->buf);
	memset(c, 0, sizeof(*c));
}
