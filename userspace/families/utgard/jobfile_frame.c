// SPDX-License-Identifier: MIT
/*
 * Job files: the images of frames of the pixel processor, found from their write-back units.
 */
#include <stdio.h>
#include <string.h>

#include "native/utgard/utgard_frame.h"
#include "jobfile_utgard.h"

/* Words of a write-back unit, and of the frame. */
enum { WB_TYPE, WB_VA, WB_FORMAT, WB_LAYOUT = 4, WB_PITCH, WB_FLAGS };
enum { WORD_WIDTH = 10, WORD_HEIGHT };

#define WB_DEPTH	1
#define WB_COLOUR	2
#define WB_TILES	2	/* layout */
#define WB_SWAP		0x4	/* flag: red before blue */
#define TILE		16

/** struct format - of a unit; @swapped: its name with red before blue */
struct format {
	const char *name;
	const char *swapped;
};

/* From the lowest bit on. */
static const struct format formats[16] = {
	{ "b5g6r5", "r5g6b5" }, { "b5g5r5a1", "r5g5b5a1" }, { "b4g4r4a4", "r4g4b4a4" },
	{ "b8g8r8a8", "r8g8b8a8" }, { "r8", "r8" }, { "g8r8", "r8g8" },
	{ "b16g16r16a16f", "r16g16b16a16f" }, { "r16f", "r16f" }, { "g16r16f", "r16g16f" },
	[14] = { "z16", "z16" }, [15] = { "z24s8", "z24s8" },
};

static int add_unit(struct runner *r, uint32_t n, const uint32_t *frame, const uint32_t *wb,
		    uint32_t i)
{
	const struct format *f = &formats[wb[WB_FORMAT] & 15];
	const char *format = wb[WB_FLAGS] & WB_SWAP ? f->swapped : f->name;
	struct jf_picture p = {
		.width = (frame[WORD_WIDTH] & 0x3fff) + 1,
		.height = (frame[WORD_HEIGHT] & 0x3fff) + 1,
		.layout = wb[WB_LAYOUT] == WB_TILES ? JF_U_INTERLEAVED : JF_LINEAR,
	};
	uint64_t stride;
	char name[24];

	if ((wb[WB_TYPE] != WB_DEPTH && wb[WB_TYPE] != WB_COLOUR) || !format ||
	    !jf_pixel_format(format, &p.pixel))
		return 0;
	stride = (uint64_t)wb[WB_PITCH] *
		 (p.layout == JF_LINEAR ? 8 : TILE * TILE * p.pixel.bytes);
	if (stride > INT32_MAX)
		return 0;
	p.stride = (uint32_t)stride;
	snprintf(name, sizeof(name), wb[WB_TYPE] == WB_DEPTH ? "depth" : "colour%u", i);
	return run_add_target(r, n, name, wb[WB_VA], &p);
}

/* Of several samples the first one; a frame that cannot be read has been reported when it ran. */
int utgard_frame_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	const struct jf_loc at = { .region = JF_NONE, .offset = job->va };
	uint32_t frame[UTF_PP_MAX_WORDS], words, i, colours = 0;
	const uint32_t *wb = frame + UTF_PP_FRAME_WORDS + 1;
	const uint8_t *p;
	int ret = 0;

	if (job->format != DRM_VSHADER_NATIVE_UTGARD_PP_FRAME || job->model >= UTF_NUM_GPUS)
		return 0;
	words = utf_pp_words(job->model);
	p = run_ptr(r, r->jobs[n].vm, &at, words * sizeof(*frame));
	if (!p)
		return 0;
	memcpy(frame, p, words * sizeof(*frame));
	for (i = 0; i < UTF_PP_WB_UNITS && !ret; i++, wb += UTF_PP_WB_WORDS) {
		ret = add_unit(r, n, frame, wb, colours);
		colours += wb[WB_TYPE] == WB_COLOUR;
	}
	return ret;
}
