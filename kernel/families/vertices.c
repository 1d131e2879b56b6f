// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Vertices and streams of shader jobs: checks that do not depend on the ISA, and dumps.
 */
#include "families/vertices.h"

int vshader_vertices_check(const struct vshader_shader *s, const struct drm_vshader_vertices *v)
{
	const char *name = s->family->name;
	u32 instances = vshader_vertices_instances(v);

	if (v->index_type > DRM_VSHADER_INDEX_U32)
		return s->ops->fail(s, EINVAL, "%s job: unknown index type %u", name,
				    v->index_type);
	if ((u64)v->count * instances > s->max_invocations)
		return s->ops->fail(s, E2BIG, "%s job: %u invocations times %u, the limit is %u",
				    name, v->count, instances, s->max_invocations);
	if (v->index_type == DRM_VSHADER_INDEX_NONE)
		return 0;
	return vshader_shader_check_va(s, v->index_va, 1, "index buffer");
}

u32 vshader_vertices_index_size(const struct drm_vshader_vertices *v)
{
	return v->index_type == DRM_VSHADER_INDEX_NONE ? 0 :
	       1U << (v->index_type - DRM_VSHADER_INDEX_U8);
}

/* ---- streams ---- */

static int vertices_check_stream(const struct vshader_shader *s,
				 const struct drm_vshader_stream *in, bool output, u32 n)
{
	const char *what = output ? "output" : "attribute";

	if (in->pad)
		return s->ops->fail(s, EINVAL, "%s %u: pad is not 0", what, n);
	if (!in->components || in->components > 4)
		return s->ops->fail(s, EINVAL, "%s %u: %u components, expected 1 to 4", what, n,
				    in->components);
	if (output && in->divisor)
		return s->ops->fail(s, EINVAL, "output %u: outputs have no divisor", n);
	return vshader_shader_check_va(s, in->va, 1, what);
}

int vshader_streams_copy(const struct vshader_shader *s, const struct drm_vshader_obj_array *a,
			 bool output, struct drm_vshader_stream **out)
{
	struct drm_vshader_stream *in;
	void *copy;
	int ret;
	u32 i;

	ret = vshader_shader_array(s, a, VS_MAX_STREAMS, sizeof(*in),
				   offsetofend(struct drm_vshader_stream, pad),
				   output ? "outputs" : "attributes", &copy);
	if (ret)
		return ret;
	in = copy;
	for (i = 0; i < a->count && !ret; i++)
		ret = vertices_check_stream(s, &in[i], output, i);
	if (ret)
		vs_free(copy);
	else
		*out = in;
	return ret;
}

/* ---- dumps ---- */

static int capture_streams(struct vshader_capturing *k, u64 type,
			   const struct drm_vshader_obj_array *a)
{
	return vshader_capture_many(k, type, a, sizeof(struct drm_vshader_stream));
}

int vshader_attributes_capture(struct vshader_capturing *k, struct drm_vshader_obj_array *a)
{
	struct drm_vshader_obj_array from = *a;

	a->array = 0;
	return capture_streams(k, DRM_VSHADER_DUMP_ATTRIBUTES, &from);
}

int vshader_vertices_capture(struct vshader_capturing *k, struct drm_vshader_vertices *v)
{
	struct drm_vshader_obj_array outputs = v->outputs;
	int ret;

	v->outputs.array = 0;
	/* the block may move */
	ret = vshader_attributes_capture(k, &v->attributes);
	return ret ? ret : capture_streams(k, DRM_VSHADER_DUMP_OUTPUTS, &outputs);
}
