/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Between the interface's Mali structures and the engine's, for the driver and for the
 * library's in-process backend. The interface's header has been included before.
 */
#ifndef VSHADER_MALI_CONV_H
#define VSHADER_MALI_CONV_H

#include "native/mali/mali_job.h"

static inline struct mali_table vshader_mali_table_in(const struct drm_vshader_mali_table *t)
{
	return (struct mali_table){ .va = t->va, .n = t->count };
}

static inline struct mali_target vshader_mali_target_in(const struct drm_vshader_mali_target *t)
{
	return (struct mali_target){
		.va = t->va,
		.row_stride = t->row_stride,
		.order = t->order,
		.format = t->format,
		.sample_stride = t->sample_stride,
	};
}

/* Everything of the block but the fragment stage. */
static inline void vshader_mali_job_in(struct mali_shader *s, const struct drm_vshader_mali_job *b)
{
	s->gpu = b->gpu;
	s->switches = b->switches;
	s->memory = b->memory;
	memcpy(s->local, b->local, sizeof(s->local));
	memcpy(s->groups, b->groups, sizeof(s->groups));
	s->preload = b->preload;
	memcpy(s->message, b->message, sizeof(s->message));
	s->ubos = vshader_mali_table_in(&b->ubos);
	s->push = vshader_mali_table_in(&b->push);
	s->attrs = vshader_mali_table_in(&b->attributes);
	s->attr_bufs = b->attribute_buffers;
	s->varyings = vshader_mali_table_in(&b->varyings);
	s->varying_bufs = b->varying_buffers;
	s->textures = vshader_mali_table_in(&b->textures);
	s->samplers = vshader_mali_table_in(&b->samplers);
	s->tls_va = b->tls_va;
	s->tls_size = b->tls_size;
	s->wls_va = b->wls_va;
	s->wls_size = b->wls_size;
	s->wls_instances = b->wls_instances;
	s->offset_start = b->offset_start;
	s->instance_size = b->instance_size;
	s->position = b->position_va;
	s->work_regs = b->work_registers;
	s->fp_mode = b->fp_mode;
}

/* @targets: at most MALI_MAX_TARGETS. */
static inline void vshader_mali_fragment_in(struct mali_frag *to,
					    const struct drm_vshader_mali_fragment *from,
					    const struct drm_vshader_mali_target *targets)
{
	u32 i;

	to->x = from->x;
	to->y = from->y;
	to->width = from->width;
	to->height = from->height;
	to->prim = from->prim;
	to->flags = from->flags;
	memcpy(to->vertex, from->vertex, sizeof(to->vertex));
	memcpy(to->index, from->index, sizeof(to->index));
	to->provoking = from->provoking;
	to->point_size = from->point_size;
	to->primitive = from->primitive;
	to->depth_func = from->depth_func;
	to->depth = vshader_mali_target_in(&from->depth);
	to->samples = from->samples;
	to->sample_mask = from->sample_mask;
	to->stencil = vshader_mali_target_in(&from->stencil);
	memcpy(to->stencil_side, from->stencil_side, sizeof(to->stencil_side));
	to->stencil_write = from->stencil_write;
	to->alpha_func = from->alpha_func;
	to->alpha_ref = from->alpha_ref;
	to->sample_positions = from->sample_positions;
	to->blend_base = from->blend_base;
	to->ntargets = from->targets.count;
	for (i = 0; i < to->ntargets; i++) {
		to->target[i] = vshader_mali_target_in(&targets[i]);
		to->blend[i].flags = targets[i].blend[0];
		to->blend[i].equation = targets[i].blend[1];
		to->blend[i].internal[0] = targets[i].blend[2];
		to->blend[i].internal[1] = targets[i].blend[3];
	}
}

/* Padding, and what other stages or depth images do not have. Return: name, or NULL. */
static inline const char *vshader_mali_bad_pad(const struct drm_vshader_mali_job *b)
{
	if (b->pad)
		return "pad";
	if (b->ubos.pad)
		return "ubos.pad";
	if (b->push.pad)
		return "push.pad";
	if (b->attributes.pad)
		return "attributes.pad";
	if (b->varyings.pad)
		return "varyings.pad";
	if (b->textures.pad)
		return "textures.pad";
	return b->samplers.pad ? "samplers.pad" : NULL;
}

static inline const char *vshader_mali_bad_fragment(const struct drm_vshader_mali_fragment *f)
{
	const u32 *b = f->depth.blend, *s = f->stencil.blend;

	if (f->pad)
		return "fragment.pad";
	if (f->pad2)
		return "fragment.pad2";
	if ((u32)f->blend_base)
		return "fragment.blend_base";
	if (s[0] | s[1] | s[2] | s[3])
		return "fragment.stencil.blend";
	return b[0] | b[1] | b[2] | b[3] ? "fragment.depth.blend" : NULL;
}

#endif /* VSHADER_MALI_CONV_H */
