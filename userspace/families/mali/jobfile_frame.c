// SPDX-License-Identifier: MIT
/*
 * Job files: the images of jobs, found from descriptors: targets of FRAGMENT jobs and of fragment
 * programs, images of compute jobs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "native/mali/mali_desc.h"
#include "native/mali/mali_frame.h"
#include "isa/mali/mali_run.h"
#include "jobfile_mali.h"

#define MAX_MEMORY	(16ull << 20)	/* of a parsed chain */

/* ---- the job's memory ---- */

static int by_address(const void *a, const void *b)
{
	const struct vs_extent *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Mappings of the VM that nothing has taken the place of. */
static uint32_t find_memory(const struct runner *r, uint32_t vm, struct vs_extent *ext)
{
	uint32_t i, n = 0;

	for (i = 0; i < r->num_mappings; i++) {
		const struct run_mapping *m = &r->mappings[i];
		const struct jf_loc at = { .region = JF_NONE, .offset = m->va };
		const uint8_t *p = m->vm == vm ? run_ptr(r, vm, &at, m->size) : NULL;

		if (p && m->region != JF_NONE && p == r->regions[m->region].ptr + m->offset)
			ext[n++] = (struct vs_extent){ m->va, m->va + m->size, (u8 *)p, 0 };
	}
	if (n)
		qsort(ext, n, sizeof(*ext), by_address);
	return n;
}

/* ---- formats ---- */

static char component(const struct px_format *f, uint32_t i)
{
	uint32_t c;

	for (c = 0; c < 4; c++)
		if (f->swizzle[c] == i)
			return "rgba"[c];
	return 'x';
}

/* Return: false: raw bits, which have no meaning for viewers, or blocks. */
static bool colour_format(const struct px_format *f, struct jf_pixel *out)
{
	static const char kinds[] = {
		[PX_UNORM] = 0, [PX_SNORM] = 'n', [PX_UINT] = 'u', [PX_SINT] = 's',
		[PX_FLOAT] = 'f',
	};
	uint32_t i, shift = 0;

	*out = (struct jf_pixel){ .bytes = f->bytes, .num = f->ncomp, .max = 255 };
	if (f->layout != PX_PLAIN || f->comp >= sizeof(kinds) || !f->ncomp)
		return false;
	out->kind = kinds[f->comp];
	for (i = 0; i < f->ncomp; i++) {
		if (out->kind == 'f' && f->bits[i] < 10)
			return false;
		out->comp[i].name = component(f, i);
		out->comp[i].shift = (uint8_t)shift;
		out->comp[i].bits = f->bits[i];
		shift += f->bits[i];
	}
	return true;
}

/* Bits of the tile buffer are what programs made of them: halves and floats mostly. */
static const char *raw_format(uint32_t bytes)
{
	static const char * const names[17] = {
		[1] = "r8ui", [2] = "r16f", [4] = "r32f", [6] = "r16g16b16f", [8] = "r16g16b16a16f",
		[12] = "r32g32b32f", [16] = "r32g32b32a32f",
	};

	return bytes < 17 ? names[bytes] : NULL;
}

static const char *zs_format(uint32_t kind)
{
	static const char * const names[VR_NUM_ZS_IMAGES] = {
		[VR_IMAGE_Z16] = "z16", [VR_IMAGE_Z24X8] = "z24x8", [VR_IMAGE_Z24S8] = "z24s8",
		[VR_IMAGE_Z32F] = "z32f", [VR_IMAGE_Z32F_S8X24] = "z32s8x24f", [VR_IMAGE_S8] = "s8",
	};

	return names[kind];
}

/* ---- frames ---- */

static int add(struct runner *r, uint32_t n, const char *name, const struct vr_image *m,
	       const struct jf_pixel *pixel)
{
	const struct jf_picture p = {
		.width = m->width, .height = m->height, .stride = (uint32_t)m->row_stride,
		.layout = m->order == PX_TILED ? JF_U_INTERLEAVED : JF_LINEAR, .pixel = *pixel,
	};

	return m->row_stride > INT32_MAX ? 0 : run_add_target(r, n, name, m->va, &p);
}

static int add_frame(struct runner *r, uint32_t n, const struct mali_fb *fb)
{
	static const char * const zs[] = { "depth", "stencil" };
	struct jf_pixel pixel;
	char name[24];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < fb->ntargets && !ret; i++) {
		const struct vr_image *m = &fb->image[i];

		snprintf(name, sizeof(name), "colour%u", i);
		if (m->va && (colour_format(&m->format, &pixel) ||
			      (raw_format(m->format.bytes) &&
			       jf_pixel_format(raw_format(m->format.bytes), &pixel))))
			ret = add(r, n, name, m, &pixel);
	}
	for (i = 0; i < MALI_FB_NUM_ZS && !ret; i++)
		if (fb->zs[i].va && jf_pixel_format(zs_format(fb->zs[i].zs), &pixel))
			ret = add(r, n, zs[i], &fb->zs[i], &pixel);
	return ret;
}

/* Images that a compute job is given, the first slice of each; programs may or may not use them. */
static int add_images(struct runner *r, uint32_t n, struct mali_parser *p, struct mali_job *job)
{
	const struct mali_attr_table *t;
	struct mali_reader reader;
	struct jf_pixel pixel;
	char name[24];
	int ret = mali_job_load(p, job, &reader);
	uint32_t i, order;

	while (ret == -EAGAIN)
		ret = mali_reader_step(&reader);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	t = &reader.l->attrs;
	for (i = 0; i < t->n && !ret; i++) {
		const struct mali_attr *a = &t->attr[i];
		const struct mali_attr_buf *b = a->va && !a->bad ? &t->bufs[a->buf] : NULL;

		if (!b || !b->va || (b->type != MALI_BUF_3D_LINEAR &&
				     b->type != MALI_BUF_3D_INTERLEAVED))
			continue;
		order = b->type == MALI_BUF_3D_INTERLEAVED ? PX_TILED : PX_LINEAR;
		if (!colour_format(&a->format, &pixel))
			continue;
		snprintf(name, sizeof(name), "image%u", i);
		ret = add(r, n, name, &(struct vr_image){
				.va = b->va, .width = b->dim[0], .height = b->dim[1],
				.row_stride = b->row_stride, .order = order }, &pixel);
	}
	return ret;
}

/*
 * Targets of the FRAGMENT jobs, images of the COMPUTE jobs; a chain that cannot be read has been
 * reported when it ran.
 */
static int add_frames(struct runner *r, uint32_t n, struct mali_chain *c, uint64_t va)
{
	struct mali_reject why;
	struct mali_walk *walk;
	struct mali_tiles t;
	struct mali_job *job;
	uint32_t left = UINT32_MAX;
	int ret = 0;

	if (mali_walk_new(c, va, &why, &walk))
		return 0;
	while (!ret && !mali_walk_next(walk, &left, &job) && job) {
		struct mali_parser p = { .c = c, .arch = mali_arch_info(c->arch),
					 .job = job->pos, .why = &why };

		if (job->type == MALI_JOB_FRAGMENT && !mali_frame_read(&p, job->va, &t))
			ret = add_frame(r, n, &t.fb);
		else if (job->type == MALI_JOB_COMPUTE)
			ret = add_images(r, n, &p, job);
		mali_walk_done(walk);
	}
	return ret;
}

int mali_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	struct mali_chain c = { .arch = mali_gpu_arch(job->model),
				.limits.max_memory = MAX_MEMORY };
	struct vs_map map;
	struct vs_extent *ext;
	int ret;

	if (c.arch == MALI_NUM_ARCH)
		return 0;
	ext = calloc(r->num_mappings + 1, sizeof(*ext));
	if (!ext)
		return -ENOMEM;
	map = (struct vs_map){ find_memory(r, r->jobs[n].vm, ext), ext };
	c.tlb.map = &map;
	ret = add_frames(r, n, &c, job->va);
	mali_free_blocks(&c);
	free(ext);
	return ret;
}

/* ---- fragment programs ---- */

static int add_target(struct runner *r, uint32_t n, const char *name,
		      const struct jf_mali_fragment *f, enum mali_arch arch,
		      const struct jf_mali_target *t)
{
	struct px_format format;
	struct jf_pixel pixel;

	if ((t->at.region == JF_NONE && !t->at.offset) ||
	    !mali_format_decode(arch, t->format, &format) || !colour_format(&format, &pixel))
		return 0;
	return add(r, n, name, &(struct vr_image){
			.va = run_va(r, &t->at), .row_stride = t->row_stride,
			.width = f->raster.x + f->raster.width,
			.height = f->raster.y + f->raster.height,
			.order = t->order == PX_TILED ? PX_TILED : PX_LINEAR }, &pixel);
}

/* Samples that are stored apart: the first of each pixel. */
int mali_shader_targets(struct runner *r, uint32_t n)
{
	const struct jf_mali *m = r->jf->jobs[n].shader.block;
	const struct jf_mali_fragment *f = m ? m->fragment : NULL;
	enum mali_arch arch = m ? mali_gpu_arch(m->gpu) : MALI_NUM_ARCH;
	char name[24];
	uint32_t i;
	int ret = 0;

	if (!f || arch == MALI_NUM_ARCH)
		return 0;
	for (i = 0; i < f->num_targets && !ret; i++) {
		snprintf(name, sizeof(name), "colour%u", i);
		ret = add_target(r, n, name, f, arch, &f->targets[i]);
	}
	if (!ret)
		ret = add_target(r, n, "depth", f, arch, &f->depth);
	return ret ? ret : add_target(r, n, "stencil", f, arch, &f->stencil);
}
