/* SPDX-License-Identifier: MIT */
/*
 * QPU jobs of job files, and their results.
 */
#ifndef VSHADER_JOBFILE_QPU_H
#define VSHADER_JOBFILE_QPU_H

#include "jobfile_isa.h"

#define QPU_MAX_STATES	12

/**
 * struct jf_qpu_thread - thread
 * @uniforms: uniform stream
 * @num_uniforms: words at @uniforms, 0 if unknown
 * @code: byte in the program, or address of a list
 * @payload: fragment stage: W, Z and coefficients of varyings
 * @x: fragment stage: column of the 4 x 4 block in the tile
 * @y: fragment stage: row of the block
 * @coverage: fragment stage: a bit for each element
 * @flags: bits of enum drm_vshader_qpu_thread_flags
 */
struct jf_qpu_thread {
	struct jf_loc uniforms;
	uint32_t num_uniforms;
	struct jf_loc code;
	struct jf_loc payload;
	uint16_t x;
	uint16_t y;
	uint16_t coverage;
	uint16_t flags;
};

struct jf_qpu {
	uint32_t model;
	uint32_t switches;
	uint32_t num_threads;
	struct jf_qpu_thread *threads;
	struct jf_loc color;
	struct jf_loc zs;
	bool has_color;
	bool has_zs;
	uint32_t color_stride;
	uint32_t zs_stride;
	uint32_t width;
	uint32_t height;
	uint32_t samples;
	uint32_t depth;
};

/** struct qpu_states - where the QPUs were at a fault */
struct qpu_states {
	uint32_t n;
	struct drm_vshader_qpu_state list[QPU_MAX_STATES];
};

/* jobfile_expect.c */
extern const struct jf_expect_kind qpu_expects[];
int qpu_read_states(struct runner *r, uint32_t n, struct jf_outcome *o, char *text, size_t size);

/* jobfile_frame.c */
int qpu_frame_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job);

#endif /* VSHADER_JOBFILE_QPU_H */
