/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vc4 interface without DRM: chips and their parameters, addresses of buffers, jobs. What comes
 * from the user is validated by vc4_validate.h.
 */
#ifndef VS_VC4_GPU_H
#define VS_VC4_GPU_H

#include "drm/vshader_drm.h"
#include "native/vc4/vc4_validate.h"
#include "personality/pers_va.h"

struct drm_vc4_submit_cl;

/* Addresses of a file: buffers, then memory that jobs have beside them. */
#define VC4_VA_START	0x00010000ULL
#define VC4_VA_OWN	0x30000000ULL
#define VC4_VA_END	0x40000000ULL

/*
 * Memory for tile lists: a job has a slot, which begins with the tile state; and all jobs of a
 * file, which are executed one after the other, share the memory for lists that need more.
 */
#define VC4_SLOT_BYTES	0x80000U
#define VC4_NUM_SLOTS	32U
#define VC4_MORE_BYTES	0x4000000U

/*
 * After a slot: words of its bin and render job, counters of a performance monitor, then list,
 * records and uniforms.
 */
#define VC4_BIN_AT	VC4_SLOT_BYTES
#define VC4_RENDER_AT	(VC4_BIN_AT + 64)
#define VC4_COUNTERS_AT	(VC4_BIN_AT + 256)
#define VC4_EXEC_AT	(VC4_BIN_AT + 512)

#define VC4_BIN_JOB_WORDS	(VC4_BIN_WORDS + 2)

/* Most bytes of a job's list, records and uniforms; the driver's limit is its memory. */
#define VC4_MAX_EXEC	0x2000000U

/**
 * struct vc4_gpu - A chip with a VideoCore IV's 3D core.
 * @name: as in the module parameter
 * @compatible: in a device tree, as in the vc4 driver's table
 * @ident1: register V3D_IDENT1
 */
struct vc4_gpu {
	const char *name;
	const char *compatible;
	u32 ident1;
};

/* Find a chip. Return: NULL: unknown. */
const struct vc4_gpu *vc4_gpu_find(const char *name);

/* Value of a DRM_VC4_PARAM_*. Return: 0 or -EINVAL. */
int vc4_gpu_param(const struct vc4_gpu *gpu, u32 param, u64 *value);

/* Addresses that a buffer may have. @noexec: unused */
void vc4_place(u64 size, bool noexec, struct pers_place *place);

/* Addresses of memory that jobs have beside buffers. */
void vc4_own_place(u64 size, struct pers_place *place);

/* Queue of all jobs: enum drm_vshader_engine. */
u32 vc4_engine(void);

/**
 * vc4_native_job - put the words of a bin or render job into the job's memory
 * @render: render job
 * @mem: the job's memory
 * @va: its address
 * @words: words
 * @n: number of them
 * @count: the job adds its events to the counters at %VC4_COUNTERS_AT, which are 0 before
 * @job: receives the descriptor
 */
void vc4_native_job(bool render, u8 *mem, u64 va, const u32 *words, u32 n, bool count,
		    struct drm_vshader_native_job *job);

/* Check flags and padding of SUBMIT_CL. Return: 0 or -EINVAL. */
int vc4_check_submit(const struct drm_vc4_submit_cl *args);

/* Sizes of a job for the validator, which needs the user's data, memory and addresses, too. */
void vc4_job_sizes(const struct drm_vc4_submit_cl *args, struct vc4_val_job *job);

/**
 * vc4_bin_words - words of the bin job of a validated list
 * @job: job
 * @more_va: memory for tile lists that need more than the job's slot
 * @words: receives VC4_BIN_JOB_WORDS words
 */
void vc4_bin_words(const struct vc4_val_job *job, u32 more_va, u32 *words);

/**
 * vc4_render_words - validate the surfaces, and make the words of the render job
 * @args: arguments
 * @job: job, after vc4_validate_bin() if it has a list
 * @words: receives up to VC4_RENDER_DESC_WORDS words
 * @n: receives their number
 * @why: set if they are refused
 *
 * Mesa counts on Linux' comparison that lets one more column and row of tiles pass than are binned:
 * they are accepted, and not drawn, if they are outside of the image.
 *
 * Return: 0 or -EINVAL.
 */
int vc4_render_words(const struct drm_vc4_submit_cl *args, struct vc4_val_job *job, u32 *words,
		     u32 *n, struct vc4_refusal *why);

#endif /* VS_VC4_GPU_H */
