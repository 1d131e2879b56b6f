/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Between the interface's Utgard structures and the engine's, for the driver and for the
 * library's in-process backend. The interface's header has been included before.
 */
#ifndef VSHADER_UTGARD_CONV_H
#define VSHADER_UTGARD_CONV_H

#include "native/utgard/utgard_job.h"

/* Elements of streams. Return: false: there is no such format. */
static inline bool vshader_utgard_format_in(struct mali_format *to, u32 format, u32 comps)
{
	static const struct {
		u8 comp;
		u8 bits;
	} formats[] = {
		[DRM_VSHADER_FORMAT_F32] = { MALI_FLOAT, 32 },
		[DRM_VSHADER_FORMAT_S8] = { MALI_SINT, 8 },
		[DRM_VSHADER_FORMAT_U8] = { MALI_UINT, 8 },
		[DRM_VSHADER_FORMAT_S16] = { MALI_SINT, 16 },
		[DRM_VSHADER_FORMAT_U16] = { MALI_UINT, 16 },
		[DRM_VSHADER_FORMAT_F16] = { MALI_FLOAT, 16 },
		[DRM_VSHADER_FORMAT_F24] = { },
		[DRM_VSHADER_FORMAT_U32] = { MALI_FLOAT, 32 },
		[DRM_VSHADER_FORMAT_S32] = { MALI_SINT, 32 },
		[DRM_VSHADER_FORMAT_U32_VALUE] = { MALI_UINT, 32 },
		[DRM_VSHADER_FORMAT_SNORM8] = { MALI_SNORM, 8 },
		[DRM_VSHADER_FORMAT_UNORM8] = { MALI_UNORM, 8 },
		[DRM_VSHADER_FORMAT_SNORM16] = { MALI_SNORM, 16 },
		[DRM_VSHADER_FORMAT_UNORM16] = { MALI_UNORM, 16 },
		[DRM_VSHADER_FORMAT_SNORM32] = { MALI_SNORM, 32 },
		[DRM_VSHADER_FORMAT_UNORM32] = { MALI_UNORM, 32 },
		[DRM_VSHADER_FORMAT_FIXED] = { MALI_FIXED, 32 },
	};

	return format < ARRAY_SIZE(formats) &&
	       utgard_format((enum mali_comp)formats[format].comp, formats[format].bits, comps,
			     to);
}

/* Return: false: a field of the stream is not valid. */
static inline bool vshader_utgard_stream_in(struct utgard_stream *to,
					    const struct drm_vshader_stream *from, bool output)
{
	to->va = from->va;
	to->stride = from->stride;
	to->divisor = from->divisor;
	to->reg = from->reg;
	if (from->pad || (output && from->divisor) ||
	    !vshader_utgard_format_in(&to->format, from->format, from->components))
		return false;
	return !output || to->format.comp == MALI_FLOAT;
}

/* Return: false: there is no such format. */
static inline bool vshader_utgard_pixel_in(struct mali_format *to, u32 format)
{
	static const struct {
		u8 comp;
		u8 ncomp;
		u8 bits[4];
		u8 swizzle[4];
	} pixels[] = {
		[DRM_VSHADER_UTGARD_PIXEL_RGBA8] = {
			MALI_UNORM, 4, { 8, 8, 8, 8 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA8] = {
			MALI_UNORM, 4, { 8, 8, 8, 8 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGR565] = {
			MALI_UNORM, 3, { 5, 6, 5 }, { 2, 1, 0, MALI_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA5551] = {
			MALI_UNORM, 4, { 5, 5, 5, 1 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA4] = {
			MALI_UNORM, 4, { 4, 4, 4, 4 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_R8] = {
			MALI_UNORM, 1, { 8 }, { 0, MALI_SWZ_0, MALI_SWZ_0, MALI_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_RG8] = {
			MALI_UNORM, 2, { 8, 8 }, { 0, 1, MALI_SWZ_0, MALI_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_RGBA16F] = {
			MALI_FLOAT, 4, { 16, 16, 16, 16 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_RGBA32F] = {
			MALI_FLOAT, 4, { 32, 32, 32, 32 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_R32F] = {
			MALI_FLOAT, 1, { 32 }, { 0, MALI_SWZ_0, MALI_SWZ_0, MALI_SWZ_1 } },
	};
	u32 i, bits = 0;

	if (format >= ARRAY_SIZE(pixels))
		return false;
	*to = (struct mali_format){ .layout = MALI_PLAIN, .comp = pixels[format].comp,
				    .ncomp = pixels[format].ncomp };
	for (i = 0; i < 4; i++) {
		to->bits[i] = pixels[format].bits[i];
		to->swizzle[i] = pixels[format].swizzle[i];
		bits += to->bits[i];
	}
	to->bytes = bits / 8;
	return true;
}

/* Return: false: there is no such format. */
static inline bool vshader_utgard_target_in(struct upp_target *to,
					    const struct drm_vshader_utgard_target *from)
{
	to->va = from->va;
	to->row_stride = from->row_stride;
	to->order = from->order;
	to->reg = from->reg;
	return vshader_utgard_pixel_in(&to->format, from->format);
}

/* What the job's descriptor says about vertices. */
static inline void vshader_utgard_range_in(struct utgard_shader *s,
					   const struct drm_vshader_shader_job *d)
{
	s->gp.first = d->first;
	s->gp.count = d->count;
	s->gp.instances = d->instances ? d->instances : 1;
	s->gp.index_size = d->index_type == DRM_VSHADER_INDEX_NONE ? 0 :
			   1 << (d->index_type - DRM_VSHADER_INDEX_U8);
	s->gp.index_va = d->index_va;
}

static inline void vshader_utgard_gp_in(struct utgard_shader *s,
					const struct drm_vshader_utgard_gp_job *b)
{
	s->gp.uniforms = b->uniforms;
	s->gp.nrows = b->num_rows;
	s->memory = b->memory;
}

/* All but the targets. */
static inline void vshader_utgard_pp_in(struct utgard_shader *s,
					const struct drm_vshader_utgard_pp_job *b)
{
	s->pp.uniforms = b->uniforms;
	s->pp.nrows = b->num_rows;
	s->pp.switches = b->switches;
	s->pp.temps = b->temporaries;
	s->pp.mask = b->mask_va;
	s->pp.mask_stride = b->mask_stride;
	s->pp.depth = b->depth_va;
	s->pp.depth_stride = b->depth_stride;
	s->textures = b->textures;
	s->pp.ntextures = b->num_textures;
	s->memory = b->memory;
	s->frag.x = b->x;
	s->frag.y = b->y;
	s->frag.width = b->width;
	s->frag.height = b->height;
	s->frag.prim = b->prim;
	s->frag.flags = b->flags;
	memcpy(s->frag.vertex, b->vertex, sizeof(s->frag.vertex));
	memcpy(s->frag.index, b->index, sizeof(s->frag.index));
	s->frag.point_size = b->point_size;
}

/* What has to be 0, and flags. Return: name, or NULL. */
static inline const char *vshader_utgard_bad_pp(const struct drm_vshader_utgard_pp_job *b)
{
	if (b->switches & ~UPP_SW_ALL)
		return "switches";
	return b->flags & ~(MALI_FRAG_BACK | MALI_FRAG_POINT_UP) ? "flags" : NULL;
}

/* What jobs of the pixel processor do not use. Return: name, or NULL. */
static inline const char *vshader_utgard_bad_pp_desc(const struct drm_vshader_shader_job *d)
{
	if (d->first)
		return "first";
	if (d->instances)
		return "instances";
	if (d->index_type || d->index_va)
		return "index buffer";
	if (d->outputs.count)
		return "outputs";
	return d->count > 1 ? "count" : NULL;
}

/* An address that is not below @limit, where something is. Return: name, or NULL. */
static inline const char *vshader_utgard_bad_va(const struct utgard_shader *s, bool gp,
						u64 limit)
{
	u32 n = gp ? s->gp.nattr : s->pp.nin, i;

	for (i = 0; i < n; i++)
		if (s->in[i].va >= limit)
			return "attributes";
	for (i = 0; i < s->gp.nout && gp; i++)
		if (s->out[i].va >= limit)
			return "outputs";
	if (gp && s->gp.index_size && s->gp.index_va >= limit)
		return "index_va";
	if ((gp ? s->gp.uniforms : s->pp.uniforms) >= limit)
		return "uniforms";
	if (gp)
		return NULL;
	for (i = 0; i < s->pp.ntargets; i++)
		if (s->pp.target[i].va >= limit)
			return "targets";
	if (s->textures >= limit)
		return "textures";
	if (s->pp.depth >= limit)
		return "depth_va";
	return s->pp.mask >= limit ? "mask_va" : NULL;
}

#endif /* VSHADER_UTGARD_CONV_H */
