/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs from their descriptors.
 */
#ifndef VSHADER_JOB_INIT_H
#define VSHADER_JOB_INIT_H

struct drm_vshader_job;
struct drm_vshader_native_job;
struct vshader_file;
struct vshader_job;

/**
 * vshader_job_new - create a job from its description
 * @vf: file
 * @uj: the job as submitted
 * @native: the descriptor of a native job that does not come from userspace, or NULL: @uj has
 *	its address
 *
 * Everything but a native job's parsing. Return: job or an error pointer.
 */
struct vshader_job *vshader_job_new(struct vshader_file *vf, const struct drm_vshader_job *uj,
				    const struct drm_vshader_native_job *native);

#endif /* VSHADER_JOB_INIT_H */
