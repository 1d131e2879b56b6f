// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of Utgard's vertex processor (GP) and pixel processor (PP).
 */
#include "drm/vshader_drm_utgard.h"
#include "families/vertices.h"
#include "native/utgard/utgard_job.h"

/* ---- from the uAPI's structures ---- */

/* Elements of streams. Return: false: there is no such format. */
static bool stream_format_in(struct px_format *to, u32 format, u32 comps)
{
	static const struct {
		u8 comp;
		u8 bits;
	} formats[] = {
		[DRM_VSHADER_FORMAT_F32] = { PX_FLOAT, 32 },
		[DRM_VSHADER_FORMAT_S8] = { PX_SINT, 8 },
		[DRM_VSHADER_FORMAT_U8] = { PX_UINT, 8 },
		[DRM_VSHADER_FORMAT_S16] = { PX_SINT, 16 },
		[DRM_VSHADER_FORMAT_U16] = { PX_UINT, 16 },
		[DRM_VSHADER_FORMAT_F16] = { PX_FLOAT, 16 },
		[DRM_VSHADER_FORMAT_F24] = { },
		[DRM_VSHADER_FORMAT_U32] = { PX_FLOAT, 32 },
		[DRM_VSHADER_FORMAT_S32] = { PX_SINT, 32 },
		[DRM_VSHADER_FORMAT_U32_VALUE] = { PX_UINT, 32 },
		[DRM_VSHADER_FORMAT_SNORM8] = { PX_SNORM, 8 },
		[DRM_VSHADER_FORMAT_UNORM8] = { PX_UNORM, 8 },
		[DRM_VSHADER_FORMAT_SNORM16] = { PX_SNORM, 16 },
		[DRM_VSHADER_FORMAT_UNORM16] = { PX_UNORM, 16 },
		[DRM_VSHADER_FORMAT_SNORM32] = { PX_SNORM, 32 },
		[DRM_VSHADER_FORMAT_UNORM32] = { PX_UNORM, 32 },
		[DRM_VSHADER_FORMAT_FIXED] = { PX_FIXED, 32 },
	};

	return format < ARRAY_SIZE(formats) &&
	       utgard_format((enum px_comp)formats[format].comp, formats[format].bits, comps,
			     to);
}

/* Return: false: there is no such format. */
static bool stream_in(struct utgard_stream *to,
		      const struct drm_vshader_stream *from, bool output)
{
	to->va = from->va;
	to->stride = from->stride;
	to->divisor = from->divisor;
	to->reg = from->reg;
	if (!stream_format_in(&to->format, from->format, from->components))
		return false;
	return !output || to->format.comp == PX_FLOAT;
}

/* Return: false: there is no such format. */
static bool pixel_in(struct px_format *to, u32 format)
{
	static const struct {
		u8 comp;
		u8 ncomp;
		u8 bits[4];
		u8 swizzle[4];
	} pixels[] = {
		[DRM_VSHADER_UTGARD_PIXEL_RGBA8] = {
			PX_UNORM, 4, { 8, 8, 8, 8 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA8] = {
			PX_UNORM, 4, { 8, 8, 8, 8 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGR565] = {
			PX_UNORM, 3, { 5, 6, 5 }, { 2, 1, 0, PX_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA5551] = {
			PX_UNORM, 4, { 5, 5, 5, 1 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_BGRA4] = {
			PX_UNORM, 4, { 4, 4, 4, 4 }, { 2, 1, 0, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_R8] = {
			PX_UNORM, 1, { 8 }, { 0, PX_SWZ_0, PX_SWZ_0, PX_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_RG8] = {
			PX_UNORM, 2, { 8, 8 }, { 0, 1, PX_SWZ_0, PX_SWZ_1 } },
		[DRM_VSHADER_UTGARD_PIXEL_RGBA16F] = {
			PX_FLOAT, 4, { 16, 16, 16, 16 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_RGBA32F] = {
			PX_FLOAT, 4, { 32, 32, 32, 32 }, { 0, 1, 2, 3 } },
		[DRM_VSHADER_UTGARD_PIXEL_R32F] = {
			PX_FLOAT, 1, { 32 }, { 0, PX_SWZ_0, PX_SWZ_0, PX_SWZ_1 } },
	};
	u32 i, bits = 0;

	if (format >= ARRAY_SIZE(pixels))
		return false;
	*to = (struct px_format){ .layout = PX_PLAIN, .comp = pixels[format].comp,
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
static bool utgard_family_target_in(struct upp_target *to,
				    const struct drm_vshader_utgard_target *from)
{
	to->va = from->va;
	to->row_stride = from->row_stride;
	to->order = from->order;
	to->reg = from->reg;
	return pixel_in(&to->format, from->format);
}

/* All but the streams. */
static void gp_in(struct utgard_shader *s, const struct drm_vshader_utgard_gp_job *b)
{
	s->gp.first = b->vertices.first;
	s->gp.count = b->vertices.count;
	s->gp.instances = vshader_vertices_instances(&b->vertices);
	s->gp.index_size = vshader_vertices_index_size(&b->vertices);
	s->gp.index_va = b->vertices.index_va;
	s->gp.uniforms = b->uniforms;
	s->gp.nrows = b->num_rows;
	s->memory = b->memory;
}

/* All but the inputs and targets. */
static void pp_in(struct utgard_shader *s,
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

/* Name of a field with unknown bits, or NULL. */
static const char *bad_pp(const struct drm_vshader_utgard_pp_job *b)
{
	if (b->switches & ~UPP_SW_ALL)
		return "switches";
	return b->flags & ~(MALI_FRAG_BACK | UPP_FRAG_Y_UP) ? "flags" : NULL;
}

/* Name of an address that is not below @limit, or NULL; streams and indices are checked. */
static const char *bad_va(const struct utgard_shader *s, bool gp,
			  u64 limit)
{
	u32 i;

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

static int copy_streams(const struct vshader_shader *s, const struct drm_vshader_obj_array *array,
			bool output, struct utgard_stream *to, u32 *n)
{
	struct drm_vshader_stream *in;
	int ret;
	u32 i;

	static_assert(VS_MAX_STREAMS == UGP_NUM_ATTRIBUTES, "streams of Utgard");
	ret = vshader_streams_copy(s, array, output, &in);
	if (ret)
		return ret;
	for (i = 0; i < array->count && !ret; i++)
		if (!stream_in(&to[i], &in[i], output))
			ret = s->ops->fail(s, EINVAL, "Utgard job: %s %u: unknown format %u",
					   output ? "output" : "attribute", i, in[i].format);
	*n = array->count;
	vs_free(in);
	return ret;
}

/* ---- vertex processor ---- */

static int copy_gp(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		   struct utgard_shader *u)
{
	struct drm_vshader_utgard_gp_job b;
	int ret;

	ret = vshader_shader_block(s, d, &b, offsetofend(struct drm_vshader_utgard_gp_job, memory));
	if (ret)
		return ret;
	if (b.switches)
		return s->ops->fail(s, EINVAL, "Utgard block: switches are not 0");
	ret = vshader_vertices_check(s, &b.vertices);
	if (ret)
		return ret;
	ret = copy_streams(s, &b.vertices.attributes, false, u->in, &u->gp.nattr);
	if (ret)
		return ret;
	ret = copy_streams(s, &b.vertices.outputs, true, u->out, &u->gp.nout);
	if (ret)
		return ret;
	gp_in(u, &b);
	return 0;
}

/* ---- pixel processor ---- */

static int utgard_family_copy_targets(const struct vshader_shader *s,
				      const struct drm_vshader_obj_array *array, struct upp_work *w)
{
	const struct drm_vshader_utgard_target *targets;
	void *copy;
	int ret;
	u32 i;

	ret = vshader_shader_array(s, array, UPP_MAX_TARGETS, sizeof(*targets),
				   offsetofend(struct drm_vshader_utgard_target, reg), "targets",
				   &copy);
	if (ret)
		return ret;
	targets = copy;
	for (i = 0; i < array->count && !ret; i++)
		if (!utgard_family_target_in(&w->target[i], &targets[i]))
			ret = s->ops->fail(s, EINVAL,
					   "Utgard block: target %u: unknown format %u", i,
					   targets[i].format);
	w->ntargets = array->count;
	vs_free(copy);
	return ret;
}

static int copy_pp(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
		   struct utgard_shader *u)
{
	struct drm_vshader_utgard_pp_job b;
	const char *what;
	int ret;

	ret = vshader_shader_block(s, d, &b, offsetofend(struct drm_vshader_utgard_pp_job, memory));
	if (ret)
		return ret;
	what = bad_pp(&b);
	if (what)
		return s->ops->fail(s, EINVAL, "Utgard block: %s is not valid", what);
	pp_in(u, &b);
	ret = copy_streams(s, &b.inputs, false, u->in, &u->pp.nin);
	return ret ? ret : utgard_family_copy_targets(s, &b.targets, &u->pp);
}

/* ---- both ---- */

static int utgard_family_fill(const struct vshader_shader *s,
			      const struct drm_vshader_shader_job *d, struct utgard_shader *u)
{
	bool gp = s->isa->id == VS_ISA_UTGARD_GP;
	const char *what;
	int ret;

	u->map = s->map;
	u->prog = s->prog;
	u->entry = d->entry;
	u->max_memory = s->max_memory;
	ret = gp ? copy_gp(s, d, u) : copy_pp(s, d, u);
	if (ret)
		return ret;
	what = bad_va(u, gp, s->va_limit);
	if (what)
		return s->ops->fail(s, EINVAL,
				    "Utgard job: %s is no address of a 32-bit address space",
				    what);
	return 0;
}

static int utgard_family_make(const struct vshader_shader *s,
			      const struct drm_vshader_shader_job *d, void **work)
{
	struct utgard_shader *u = vs_zalloc(sizeof(*u));
	struct utgard_job *job = NULL;
	const char *what = "";
	int ret;

	if (!u)
		return s->ops->fail(s, ENOMEM, "out of memory");
	ret = utgard_family_fill(s, d, u);
	if (!ret && s->prog && (s->isa->id == VS_ISA_UTGARD_PP || u->gp.count)) {
		ret = utgard_shader_new(u, &what, &job);
		vshader_shader_refused(s, ret, what);
		*work = job;
	}
	vs_free(u);
	return ret;
}

static int utgard_family_add(void *work, struct vs_job *engine)
{
	return utgard_job_add(work, engine);
}

static void utgard_family_work_free(void *work)
{
	utgard_job_free(work);
}

static int capture_gp(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_utgard_gp_job *b;
	void *p;
	int ret;

	ret = vshader_capture_block(k, d, sizeof(*b), &p);
	b = p;
	return ret ? ret : vshader_vertices_capture(k, &b->vertices);
}

static int capture_pp(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_utgard_pp_job *b;
	struct drm_vshader_obj_array targets;
	void *p;
	int ret;

	ret = vshader_capture_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	targets = b->targets;
	b->targets.array = 0;
	ret = vshader_attributes_capture(k, &b->inputs);
	return ret ? ret : vshader_capture_many(k, DRM_VSHADER_DUMP_TARGETS, &targets,
						sizeof(struct drm_vshader_utgard_target));
}

const struct vshader_family utgard_gp_family = {
	.name = "Utgard",
	.block_name = "Utgard block",
	.block_size = sizeof(struct drm_vshader_utgard_gp_job),
	.make = utgard_family_make,
	.add = utgard_family_add,
	.free = utgard_family_work_free,
	.capture = capture_gp,
};

const struct vshader_family utgard_pp_family = {
	.name = "Utgard",
	.block_name = "Utgard block",
	.block_size = sizeof(struct drm_vshader_utgard_pp_job),
	.make = utgard_family_make,
	.add = utgard_family_add,
	.free = utgard_family_work_free,
	.capture = capture_pp,
};
