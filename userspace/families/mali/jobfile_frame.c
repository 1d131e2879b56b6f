// SPDX-License-Identifier: MIT
/*
 * Job files: the targets of FRAGMENT jobs, found from their framebuffer descriptors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static char component(const struct mali_format *f, uint32_t i)
{
	uint32_t c;

	for (c = 0; c < 4; c++)
		if (f->swizzle[c] == i)
			return "rgba"[c];
	return 'x';
}

/* Return: false: raw bits, which have no meaning for viewers. */
static bool colour_format(const struct mali_format *f, struct jf_pixel *out)
{
	uint32_t i, shift = 0;

	*out = (struct jf_pixel){ .bytes = f->bytes, .num = f->ncomp, .max = 255 };
	if (f->layout != MALI_PLAIN || f->comp != MALI_UNORM)
		return false;
	for (i = 0; i < f->ncomp; i++) {
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
		.layout = m->tiled ? JF_U_INTERLEAVED : JF_LINEAR, .pixel = *pixel,
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

static int add_frames(struct runner *r, uint32_t n, struct mali_chain *c)
{
	struct mali_reject why;
	struct mali_tiles t;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < c->njobs && !ret; i++) {
		struct mali_parser p = { .c = c, .arch = mali_arch_info(c->arch), .job = i,
					 .why = &why };

		if (c->jobs[i]->type == MALI_JOB_FRAGMENT &&
		    !mali_frame_read(&p, c->jobs[i]->va, &t))
			ret = add_frame(r, n, &t.fb);
	}
	return ret;
}

int mali_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	const struct mali_limits limits = { .max_jobs = MALI_MAX_JOBS, .max_memory = MAX_MEMORY };
	enum mali_arch arch = mali_gpu_arch(job->model);
	struct mali_reject why;
	struct mali_chain *c;
	struct vs_map map;
	struct vs_extent *ext;
	int ret = 0;

	if (arch == MALI_NUM_ARCH)
		return 0;
	ext = calloc(r->num_mappings + 1, sizeof(*ext));
	if (!ext)
		return -ENOMEM;
	map = (struct vs_map){ find_memory(r, r->jobs[n].vm, ext), ext };
	/* a chain that cannot be read has been reported when it ran */
	if (!mali_chain_walk(arch, &map, job->va, &limits, &c, &why)) {
		ret = add_frames(r, n, c);
		mali_chain_free(c);
	}
	free(ext);
	return ret;
}
