/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs from their descriptors: everything but a native job's parsing.
 */
#ifndef VSHADER_JOB_INIT_H
#define VSHADER_JOB_INIT_H

#include "drm/vshader_drm.h"

struct dma_fence;
struct vshader_file;
struct vshader_job;
struct vshader_shared;

/**
 * struct vshader_kept - What a personality keeps for a job until it has ended.
 * @ended: called in a work after a successful submission, once for each job that has it
 */
struct vshader_kept {
	void (*ended)(struct vshader_kept *kept, const struct vshader_job *job);
};

/**
 * struct vshader_submit_native - One native job of a personality.
 * @queue_id: queue
 * @desc: descriptor
 * @words: the job itself, for interfaces that take it by value: &vshader_submit_native.desc.va is
 *	the address that messages and dumps give it; NULL: it is in memory
 * @nwords: number of @words
 * @before: another job of the queue, executed before this one, which is canceled if that one fails;
 *	or NULL
 * @explicit_sync: it does not wait for the users of @shared, which wait for it nevertheless
 * @syncs: sync operations
 * @nsyncs: number of @syncs
 * @shared: buffers to synchronise with others, read or written, as vshader_shared_fold() leaves
 *	them
 * @nshared: number of @shared
 * @fence: receives a reference to its fence, unless NULL
 * @kept: what is kept for it, or NULL; the caller's if the submission fails
 *
 * The caller owns everything that it points to.
 */
struct vshader_submit_native {
	u32 queue_id;
	struct drm_vshader_native_job desc;
	const u32 *words;
	u32 nwords;
	struct vshader_submit_native *before;
	bool explicit_sync;
	const struct drm_vshader_sync *syncs;
	u32 nsyncs;
	const struct vshader_shared *shared;
	u32 nshared;
	struct dma_fence **fence;
	struct vshader_kept *kept;
};

/**
 * vshader_job_new - create a job from its description
 * @vf: file
 * @uj: the job as submitted
 *
 * Return: job or an error pointer.
 */
struct vshader_job *vshader_job_new(struct vshader_file *vf, const struct drm_vshader_job *uj);

/**
 * vshader_job_new_native - create the job of a personality
 * @vf: file
 * @own: the job; &vshader_submit_native.shared lives until the job is armed
 *
 * Return: job or an error pointer.
 */
struct vshader_job *vshader_job_new_native(struct vshader_file *vf,
					   const struct vshader_submit_native *own);

#endif /* VSHADER_JOB_INIT_H */
