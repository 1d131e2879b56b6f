/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared fixture of the Mali engines' tests: a file with memory, programs, jobs.
 */
#ifndef VST_MALI_H
#define VST_MALI_H

#include "vst.h"

#define MALI_CODE_VA	VA(1)
#define MALI_IN_VA	VA(2)
#define MALI_OUT_VA	VA(3)
#define MALI_DESC_VA	VA(4)
#define MALI_WLS_VA	VA(5)
#define MALI_RESULT_VA	VA(6)
#define MALI_NOWHERE_VA	VA(64)

/* Threads of a workgroup of "reverse". */
#define MALI_LOCAL	32

struct vst_mali_code {
	const __u32 *words;
	__u32 n;
};

/* Properties of a GPU family. */
struct vst_mali_arch {
	__u32 engine;
	__u32 gpu;
	__u32 other_gpu;	/* of another family */
	__u32 chain;		/* format */
	__u32 preload;
	__u32 state[2];		/* of a renderer state, words 4 and 12 */
	__u32 max_write;	/* last type of a value that jobs write */
	__u32 max_job;		/* last type of a job */
	bool tags;		/* addresses of programs carry the first bundle's tag */
	bool wls_ends;		/* a workgroup cannot leave its memory */
	/*
	 * Push words: address of the output (two words), a factor, 4 * (threads - 1). Each
	 * thread multiplies its word of uniform buffer 0 by the factor, adds the group's
	 * index, and passes the result through workgroup memory to the thread in the mirrored
	 * position, which stores it.
	 */
	struct vst_mali_code reverse;
	/* Push words: from, to (two words each). A word by the thread's number. */
	struct vst_mali_code copy;
	/* Quads of the copy that load and store. */
	__u32 copy_load;
	__u32 copy_store;
	struct vst_mali_code spin;	/* for ever */
	/* Push words: to (two words), a number. 1 / number. */
	struct vst_mali_code rcp;
};

extern const struct vst_mali_arch vst_mali_bifrost;
extern const struct vst_mali_arch vst_mali_midgard;

/*
 * Push words: Bifrost: a colour, blended into target 0; then alpha, green, blue, red into target 1.
 * Midgard: a colour for each.
 */
extern const struct vst_mali_code vst_mali_targets;
extern const struct vst_mali_code vst_midgard_targets;
#define MALI_TARGETS_BACK	0x40	/* where Bifrost's first BLEND returns to */
/* As rcp of Bifrost, but 1 / sqrt(number); G71 lacks the operation. */
extern const struct vst_mali_code vst_mali_rsq;
/*
 * Blend programs: the colour minus target 0, alpha from the target; Midgard: the
 * exclusive or of the bits.
 */
extern const struct vst_mali_code vst_mali_minus;
extern const struct vst_mali_code vst_midgard_xor;

/* A file with a 48-bit address space, a queue of the engine, and buffers. */
struct vst_mali {
	const struct vst_mali_arch *arch;
	int fd;
	__u32 vm;
	__u32 queue;
	__u32 program;
	struct vst_buf code;
	struct vst_buf in;	/* 16 pages */
	struct vst_buf out;
	struct vst_buf desc;
	struct vst_buf wls;
	struct vst_buf res;
	struct drm_vshader_job_result *result;
	struct vst_job j;
	struct drm_vshader_mali_job block;
	struct drm_vshader_native_job native;
};

/* Return: 0, -ENODEV without a device, or another negative errno. */
int vst_mali_setup(struct vst_mali *m, const struct vst_mali_arch *arch);
/* Replace the queue; budget and limit as in QUEUE_CREATE. */
int vst_mali_queue(struct vst_mali *m, __u64 budget, __u32 ms);
int vst_mali_program(struct vst_mali *m, const struct vst_mali_code *c, __u32 stage);
/* Set up @m->j as a compute job of the queue and program. */
void vst_mali_job(struct vst_mali *m, unsigned int local, unsigned int groups);
/* Output and result are cleared before. Return: as vst_run(). */
int vst_mali_run(struct vst_mali *m);
/* Fill the input of "reverse". */
void vst_mali_fill(struct vst_mali *m);
bool vst_mali_reversed(const struct vst_mali *m, unsigned int groups, __u32 factor);
/* Entry of a table of uniform buffers. */
__u64 vst_mali_ubo(__u64 va, __u32 size);
/* Destroys the queue of a job that would run for ever. Return: the fence's status. */
int vst_mali_cancel(struct vst_mali *m);

#endif
