/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vertices and streams of shader jobs, for families that have them. Functions return 0 or an
 * error that has been reported.
 */
#ifndef VSHADER_VERTICES_H
#define VSHADER_VERTICES_H

#include "drm/vshader_drm_stream.h"
#include "families/family.h"

/* Check numbers of vertices and the index buffer. */
int vshader_vertices_check(const struct vshader_shader *s, const struct drm_vshader_vertices *v);
/* Bytes of an index; 0: there is no index buffer. @v has been checked. */
u32 vshader_vertices_index_size(const struct drm_vshader_vertices *v);
static inline u32 vshader_vertices_instances(const struct drm_vshader_vertices *v)
{
	return v->instances ? v->instances : 1;
}

/*
 * Copy an array of streams; *@out is for vs_free(), NULL if the array is empty. Formats and
 * registers, which depend on the ISA, are not checked.
 */
int vshader_streams_copy(const struct vshader_shader *s, const struct drm_vshader_obj_array *a,
			 bool output, struct drm_vshader_stream **out);

/* For dumps: copy the streams and clear the pointers to them. */
int vshader_attributes_capture(struct vshader_capturing *k, struct drm_vshader_obj_array *a);
int vshader_vertices_capture(struct vshader_capturing *k, struct drm_vshader_vertices *v);

#endif /* VSHADER_VERTICES_H */
