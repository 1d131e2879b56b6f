/* SPDX-License-Identifier: MIT */
/*
 * Bifrost and Midgard jobs of job files.
 */
#ifndef VSHADER_JOBFILE_MALI_H
#define VSHADER_JOBFILE_MALI_H

#include "jobfile_isa.h"

struct jf_mali_ubo {
	struct jf_loc at;
	uint64_t size;
};

struct jf_mali_target {
	struct jf_loc at;
	uint32_t row_stride;
	uint32_t order;
	uint32_t format;
	uint32_t sample_stride;
	uint32_t blend[4];
	struct jf_loc program;
};

struct jf_mali_fragment {
	struct jf_raster raster;
	uint32_t provoking;
	uint32_t primitive;
	uint32_t depth_func;
	struct jf_mali_target depth;
	uint32_t num_targets;
	struct jf_mali_target *targets;
	uint32_t samples;
	uint32_t sample_mask;
	struct jf_mali_target stencil;
	uint32_t stencil_side[2];
	uint32_t stencil_write;
	uint32_t alpha_func;
	uint32_t alpha_ref;
	struct jf_loc sample_positions;
};

/** struct jf_mali - @ubo_list: entries of the table @ubos, or NULL */
struct jf_mali {
	uint32_t gpu;
	uint32_t switches;
	uint32_t local[3];
	uint64_t groups[3];
	uint32_t preload;
	uint32_t message[2];
	struct jf_table ubos;
	struct jf_mali_ubo *ubo_list;
	struct jf_table push;
	struct jf_table attributes;
	struct jf_table varyings;
	struct jf_table textures;
	struct jf_table samplers;
	struct jf_loc attribute_buffers;
	struct jf_loc varying_buffers;
	struct jf_loc tls;
	struct jf_loc wls;
	struct jf_loc position;
	uint32_t tls_size;
	uint32_t wls_size;
	uint32_t wls_instances;
	uint32_t offset_start;
	uint32_t instance_size;
	uint32_t work_registers;
	uint32_t fp_mode;
	uint64_t memory;
	struct jf_mali_fragment *fragment;
};

/* jobfile_run.c */
void *mali_make(struct runner *r, const struct jf_shader *sh);
/* jobfile_frame.c */
int mali_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);
int mali_shader_targets(struct runner *r, uint32_t n);

#endif /* VSHADER_JOBFILE_MALI_H */
