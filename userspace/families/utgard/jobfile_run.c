// SPDX-License-Identifier: MIT
/*
 * Running job files: the Utgard block of a job, once addresses are known.
 */
#include <stdio.h>
#include <string.h>

#include "jobfile_utgard.h"

void *utgard_make_gp(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_utgard *u = sh->block;
	struct drm_vshader_utgard_gp_job *b = jf_alloc(&r->run->blocks, sizeof(*b));

	if (!b || !run_make_vertices(r, sh, &b->vertices))
		return NULL;
	b->uniforms = run_va(r, &u->uniforms.at);
	b->num_rows = u->uniforms.count;
	b->memory = u->memory;
	return b;
}

static struct drm_vshader_utgard_target *make_targets(struct runner *r, const struct jf_utgard *u)
{
	struct drm_vshader_utgard_target *t;
	uint32_t i;

	t = jf_alloc(&r->run->blocks, ((size_t)u->num_targets + 1) * sizeof(*t));
	for (i = 0; t && i < u->num_targets; i++) {
		const struct jf_utgard_target *in = &u->targets[i];

		t[i].va = run_va(r, &in->at);
		t[i].row_stride = in->row_stride;
		t[i].order = in->order;
		t[i].format = in->format;
		t[i].reg = in->reg;
	}
	return t;
}

void *utgard_make_pp(struct runner *r, const struct jf_shader *sh)
{
	const struct jf_utgard *u = sh->block;
	struct drm_vshader_utgard_pp_job *b = jf_alloc(&r->run->blocks, sizeof(*b));
	struct drm_vshader_utgard_target *t = make_targets(r, u);
	struct drm_vshader_vertices v;

	if (!b || !t || !run_make_vertices(r, sh, &v))
		return NULL;
	b->inputs = v.attributes;
	b->uniforms = run_va(r, &u->uniforms.at);
	b->textures = run_va(r, &u->textures.at);
	b->num_rows = u->uniforms.count;
	b->num_textures = u->textures.count;
	b->switches = u->switches;
	b->temporaries = u->temporaries;
	b->x = u->raster.x;
	b->y = u->raster.y;
	b->width = u->raster.width;
	b->height = u->raster.height;
	b->prim = u->raster.prim;
	b->flags = u->raster.flags;
	memcpy(b->vertex, u->raster.vertex, sizeof(b->vertex));
	memcpy(b->index, u->raster.index, sizeof(b->index));
	b->point_size = u->raster.point_size;
	b->targets = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(u->num_targets, t);
	b->mask_va = run_va(r, &u->mask.at);
	b->mask_stride = u->mask.row_stride;
	b->depth_va = run_va(r, &u->depth.at);
	b->depth_stride = u->depth.row_stride;
	b->memory = u->memory;
	return b;
}

/* The images that a pixel program wrote. */
int utgard_shader_targets(struct runner *r, uint32_t n)
{
	static const char * const formats[] = {
		[DRM_VSHADER_UTGARD_PIXEL_RGBA8] = "r8g8b8a8",
		[DRM_VSHADER_UTGARD_PIXEL_BGRA8] = "b8g8r8a8",
		[DRM_VSHADER_UTGARD_PIXEL_BGR565] = "b5g6r5",
		[DRM_VSHADER_UTGARD_PIXEL_BGRA5551] = "b5g5r5a1",
		[DRM_VSHADER_UTGARD_PIXEL_BGRA4] = "b4g4r4a4",
		[DRM_VSHADER_UTGARD_PIXEL_R8] = "r8",
		[DRM_VSHADER_UTGARD_PIXEL_RG8] = "r8g8",
		[DRM_VSHADER_UTGARD_PIXEL_RGBA16F] = "r16g16b16a16f",
		[DRM_VSHADER_UTGARD_PIXEL_RGBA32F] = "r32g32b32a32f",
		[DRM_VSHADER_UTGARD_PIXEL_R32F] = "r32f",
	};
	const struct jf_utgard *u = r->jf->jobs[n].shader.block;
	char name[24];
	uint32_t i;
	int ret = 0;

	for (i = 0; u && i < u->num_targets && !ret; i++) {
		const struct jf_utgard_target *t = &u->targets[i];
		struct jf_picture p = {
			.width = u->raster.x + u->raster.width,
			.height = u->raster.y + u->raster.height,
			.stride = t->row_stride,
			.layout = t->order == 1 ? JF_U_INTERLEAVED : JF_LINEAR,
		};

		if (t->format >= sizeof(formats) / sizeof(formats[0]) || !formats[t->format] ||
		    !jf_pixel_format(formats[t->format], &p.pixel))
			continue;
		snprintf(name, sizeof(name), "colour%u", i);
		ret = run_add_target(r, n, name, run_va(r, &t->at), &p);
	}
	return ret;
}
