/* SPDX-License-Identifier: MIT */
/*
 * Utgard jobs of job files.
 */
#ifndef VSHADER_JOBFILE_UTGARD_H
#define VSHADER_JOBFILE_UTGARD_H

#include "jobfile_isa.h"

struct jf_utgard_target {
	struct jf_loc at;
	uint32_t row_stride;
	uint32_t order;
	uint32_t format;
	uint32_t reg;
};

struct jf_utgard_plane {
	struct jf_loc at;
	uint32_t row_stride;
};

/** struct jf_utgard - both processors; members after @memory are the pixel processor's */
struct jf_utgard {
	struct jf_table uniforms;
	uint64_t memory;
	struct jf_table textures;
	uint32_t switches;
	uint32_t temporaries;
	struct jf_raster raster;
	uint32_t num_targets;
	struct jf_utgard_target *targets;
	struct jf_utgard_plane mask;
	struct jf_utgard_plane depth;
};

/* jobfile_run.c */
void *utgard_make_gp(struct runner *r, const struct jf_shader *sh);
void *utgard_make_pp(struct runner *r, const struct jf_shader *sh);
int utgard_shader_targets(struct runner *r, uint32_t n);
int utgard_frame_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);

#endif /* VSHADER_JOBFILE_UTGARD_H */
