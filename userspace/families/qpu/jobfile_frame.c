// SPDX-License-Identifier: MIT
/*
 * Job files: the images of frames of VideoCore IV, found from the words of render jobs.
 */
#include <string.h>

#include "native/vc4/vc4_cl.h"
#include "jobfile_qpu.h"

/* Packets of render lists that may precede the rendering mode, and their bytes. */
#define CLEAR_COLORS		0x72
#define RENDERING_MODE		0x71
#define MODE_BYTES		11
#define MAX_PACKETS		16

/** struct place - of an image; @layout and @format as in surfaces' bits */
struct place {
	uint32_t va;
	uint32_t width;
	uint32_t height;
	uint32_t layout;
	uint32_t format;
};

/* Channels are in the order of Mesa's RGBA8888: programs pack them. */
static int qpu_add_target(struct runner *r, uint32_t n, const struct place *at, const char *name)
{
	static const uint32_t layouts[] = { JF_LINEAR, JF_T, JF_LT };
	const char *format = strcmp(name, "depth") ? at->format == 1 ? "r8g8b8a8" : "b5g6r5" :
						     "s8z24";
	struct jf_picture p = { .width = at->width, .height = at->height };
	uint32_t columns;

	if (at->layout >= sizeof(layouts) / sizeof(layouts[0]) || !at->width || !at->height ||
	    !jf_pixel_format(format, &p.pixel))
		return 0;
	p.layout = layouts[at->layout];
	/* rows have whole microtiles */
	columns = p.pixel.bytes == 4 ? 4 : 8;
	p.stride = p.layout == JF_LINEAR ?
		   (at->width + columns - 1) / columns * columns * p.pixel.bytes :
		   jf_picture_stride(&p);
	return run_add_target(r, n, name, at->va & 0x3fffffff & ~15U, &p);
}

/* Surfaces with all samples are left out. */
static int qpu_described(struct runner *r, uint32_t n, const uint32_t *w)
{
	const uint32_t *colour = w + VC4_RENDER_SURFACES + 2 * VC4_COLOR_WRITE;
	const uint32_t *zs = w + VC4_RENDER_SURFACES + 2 * VC4_ZS_WRITE;
	struct place at = { .width = w[VC4_RENDER_SIZE] & 0xffff,
			    .height = w[VC4_RENDER_SIZE] >> 16 };
	int ret = 0;

	if (colour[0]) {
		at.va = colour[0];
		at.layout = colour[1] >> 6 & 3;
		at.format = colour[1] >> 2 & 3;
		ret = qpu_add_target(r, n, &at, "colour0");
	}
	if (zs[0] && !ret) {
		at.va = zs[0];
		at.layout = zs[1] >> 4 & 3;
		at.format = zs[1] >> 8 & 3;
		ret = qpu_add_target(r, n, &at, (zs[1] & 7) == 2 ? "depth" : "colour1");
	}
	return ret;
}

static uint32_t qpu_bytes(const uint8_t *p, uint32_t n)
{
	uint32_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* The image of the rendering mode, which packets 0x18 and 0x19 store to. */
static int qpu_listed(struct runner *r, uint32_t n, uint32_t start, uint32_t end)
{
	struct jf_loc at = { .region = JF_NONE, .offset = start & 0x3fffffff };
	const uint8_t *p;
	struct place to;
	uint32_t i, mode;

	for (i = 0; i < MAX_PACKETS; i++) {
		p = at.offset < (end & 0x3fffffff) ? run_ptr(r, r->jobs[n].vm, &at, 1) : NULL;
		if (!p)
			return 0;
		if (*p == RENDERING_MODE)
			break;
		/* no operation, or the clear values */
		if (*p != 1 && *p != CLEAR_COLORS)
			return 0;
		at.offset += *p == CLEAR_COLORS ? 14 : 1;
	}
	p = i < MAX_PACKETS ? run_ptr(r, r->jobs[n].vm, &at, MODE_BYTES) : NULL;
	if (!p)
		return 0;
	mode = qpu_bytes(p + 9, 2);
	to = (struct place){ .va = qpu_bytes(p + 1, 4), .width = qpu_bytes(p + 5, 2),
			     .height = qpu_bytes(p + 7, 2), .layout = mode >> 6 & 3,
			     .format = mode >> 2 & 3 };
	return qpu_add_target(r, n, &to, "colour0");
}

/* A job that cannot be read has been reported when it ran. */
int qpu_frame_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	const struct jf_loc at = { .region = JF_NONE, .offset = job->va };
	uint32_t w[VC4_RENDER_DESC_WORDS] = {};
	const uint8_t *p;

	if (job->format != DRM_VSHADER_NATIVE_VC4_RENDER || job->size > sizeof(w) ||
	    job->size < VC4_RENDER_LIST_WORDS * sizeof(*w))
		return 0;
	p = run_ptr(r, r->jobs[n].vm, &at, job->size);
	if (!p)
		return 0;
	memcpy(w, p, job->size);
	if (w[VC4_RENDER_KIND] == VC4_RENDER_CL)
		return qpu_listed(r, n, w[VC4_RENDER_START], w[VC4_RENDER_END]);
	return job->size == sizeof(w) ? qpu_described(r, n, w) : 0;
}
