// SPDX-License-Identifier: MIT
/*
 * Running job files: the Mali block of a job, once addresses are known.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_mali.h"

static struct drm_vshader_mali_table table(const struct runner *r, const struct jf_table *t)
{
	return (struct drm_vshader_mali_table){ .va = run_va(r, &t->at), .count = t->count };
}

/* The hardware's table: address in units of 16 bytes, and how many of them, less one. */
static void make_ubo_table(struct runner *r, const struct jf_mali *m)
{
	uint8_t *p = m->ubo_list ? r->regions[m->ubos.at.region].ptr : NULL;
	uint32_t i;

	for (i = 0; p && i < m->ubos.count; i++) {
		uint64_t va = run_va(r, &m->ubo_list[i].at);
		uint64_t e = (m->ubo_list[i].size + 15) / 16 - 1;

		e |= va >> 4 << 12;
		jf_store(JF_U32, (uint32_t)e, p + 8 * i);
		jf_store(JF_U32, (uint32_t)(e >> 32), p + 8 * i + 4);
	}
}

/* Descriptors of Midgard have the whole address, those of Bifrost its lower half. */
static void set_program(struct drm_vshader_mali_target *t, uint32_t gpu, uint64_t va)
{
	if (gpu >= DRM_VSHADER_MALI_T760) {
		t->blend[2] = (uint32_t)va;
		t->blend[3] = (uint32_t)(va >> 32);
	} else {
		t->blend[3] = (uint32_t)va;
	}
}

static struct drm_vshader_mali_target target(const struct runner *r, uint32_t gpu,
					     const struct jf_mali_target *in, bool depth)
{
	struct drm_vshader_mali_target t = {
		.va = run_va(r, &in->at),
		.row_stride = in->row_stride,
		.order = in->order,
		.format = in->format,
		.sample_stride = in->sample_stride,
	};

	if (!depth)
		memcpy(t.blend, in->blend, sizeof(t.blend));
	if (in->program.region != JF_NONE)
		set_program(&t, gpu, run_va(r, &in->program));
	return t;
}

static struct drm_vshader_mali_fragment *make_fragment(struct runner *r, uint32_t gpu,
						       const struct jf_mali_fragment *in)
{
	struct drm_vshader_mali_fragment *f = jf_alloc(&r->run->blocks, sizeof(*f));
	struct drm_vshader_mali_target *t;
	uint32_t i;

	t = jf_alloc(&r->run->blocks, ((size_t)in->num_targets + 1) * sizeof(*t));
	if (!f || !t)
		return NULL;
	f->x = in->raster.x;
	f->y = in->raster.y;
	f->width = in->raster.width;
	f->height = in->raster.height;
	f->prim = in->raster.prim;
	f->flags = in->raster.flags;
	memcpy(f->vertex, in->raster.vertex, sizeof(f->vertex));
	memcpy(f->index, in->raster.index, sizeof(f->index));
	f->provoking = in->provoking;
	f->point_size = in->raster.point_size;
	f->primitive = in->primitive;
	f->depth_func = in->depth_func;
	f->depth = target(r, gpu, &in->depth, true);
	f->samples = in->samples;
	f->sample_mask = in->sample_mask;
	f->stencil = target(r, gpu, &in->stencil, true);
	memcpy(f->stencil_side, in->stencil_side, sizeof(f->stencil_side));
	f->stencil_write = in->stencil_write;
	f->alpha_func = in->alpha_func;
	f->alpha_ref = in->alpha_ref;
	f->sample_positions = run_va(r, &in->sample_positions);
	for (i = 0; i < in->num_targets; i++) {
		t[i] = target(r, gpu, &in->targets[i], false);
		/* all of them are in the same 4 GiB */
		if (in->targets[i].program.region != JF_NONE && gpu < DRM_VSHADER_MALI_T760)
			f->blend_base = run_va(r, &in->targets[i].program) & ~0xffffffffULL;
	}
	f->targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(in->num_targets, t);
	return f;
}

/* Return: the block, or NULL. */
void *mali_make(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_mali *m = sh->block;
	struct drm_vshader_mali_job *b = jf_alloc(&r->run->blocks, sizeof(*b));

	if (!b)
		return NULL;
	make_ubo_table(r, m);
	b->gpu = m->gpu;
	b->switches = m->switches;
	memcpy(b->local, m->local, sizeof(b->local));
	memcpy(b->groups, m->groups, sizeof(b->groups));
	b->preload = m->preload;
	b->message[0] = (uint16_t)m->message[0];
	b->message[1] = (uint16_t)m->message[1];
	b->ubos = table(r, &m->ubos);
	b->push = table(r, &m->push);
	b->attributes = table(r, &m->attributes);
	b->varyings = table(r, &m->varyings);
	b->textures = table(r, &m->textures);
	b->samplers = table(r, &m->samplers);
	b->attribute_buffers = run_va(r, &m->attribute_buffers);
	b->varying_buffers = run_va(r, &m->varying_buffers);
	b->tls_va = run_va(r, &m->tls);
	b->tls_size = m->tls_size;
	b->wls_va = run_va(r, &m->wls);
	b->wls_size = m->wls_size;
	b->wls_instances = m->wls_instances;
	b->offset_start = m->offset_start;
	b->instance_size = m->instance_size;
	b->position_va = run_va(r, &m->position);
	b->memory = m->memory;
	b->work_registers = m->work_registers;
	b->fp_mode = m->fp_mode;
	if (m->fragment) {
		b->fragment = (uintptr_t)make_fragment(r, m->gpu, m->fragment);
		b->fragment_size = sizeof(struct drm_vshader_mali_fragment);
		if (!b->fragment)
			return NULL;
	}
	return b;
}
