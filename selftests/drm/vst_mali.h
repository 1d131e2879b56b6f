/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the Bifrost engine share: a file with memory, programs, jobs.
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

/* Threads of a workgroup of vst_mali_reverse. */
#define MALI_LOCAL	32

struct vst_mali_code {
	const __u32 *words;
	__u32 n;
};

/*
 * Push words: address of the output (two words), a factor, 4 * (threads - 1). The word of
 * uniform buffer 0 that a thread's number says, times the factor, plus the group's number,
 * goes through workgroup memory to the output of the thread that comes as many before the
 * last as this one comes behind the first.
 */
extern const struct vst_mali_code vst_mali_reverse;
/* Push words: from, to (two words each). A word by the thread's number. */
extern const struct vst_mali_code vst_mali_copy;
/* Quads of the copy's clauses that load and store. */
#define MALI_COPY_LOAD	2
#define MALI_COPY_STORE	6
extern const struct vst_mali_code vst_mali_spin;	/* for ever */
/* Push words: to (two words), a number. 1 / number with an operation that G71 lacks. */
extern const struct vst_mali_code vst_mali_rcp;

/* A file with a 48-bit address space, a queue of the engine, and buffers. */
struct vst_mali {
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

/* 0, -ENODEV without a device, or what failed. */
int vst_mali_setup(struct vst_mali *m);
/* In place of the queue that there was; budget and limit as in QUEUE_CREATE. */
int vst_mali_queue(struct vst_mali *m, __u64 budget, __u32 ms);
int vst_mali_program(struct vst_mali *m, const struct vst_mali_code *c, __u32 stage);
/* Output and result are cleared before. Return: as vst_run(). */
int vst_mali_run(struct vst_mali *m);
/* Input of vst_mali_reverse, and what it is to give for @groups groups. */
void vst_mali_fill(struct vst_mali *m);
bool vst_mali_reversed(const struct vst_mali *m, unsigned int groups, __u32 factor);
/* Entry of a table of uniform buffers. */
__u64 vst_mali_ubo(__u64 va, __u32 size);
/* Destroys the queue of a job that would run for ever. Return: the fence's status. */
int vst_mali_cancel(struct vst_mali *m);

#endif
