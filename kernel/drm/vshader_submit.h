/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Submission.
 */
#ifndef VSHADER_SUBMIT_H
#define VSHADER_SUBMIT_H

#include "vshader_job_init.h"

struct drm_file;
struct drm_vshader_submit;

/**
 * vshader_submit_native - submit one native job
 * @file: DRM file
 * @job: the job
 *
 * Waits while the queue has as many unfinished jobs as it takes.
 *
 * Return: 0, -EINTR, or an error of the ioctl.
 */
int vshader_submit_native(struct drm_file *file, const struct vshader_submit_native *job);

/* DRM_IOCTL_VSHADER_SUBMIT. */
int vshader_submit(struct drm_file *file, struct drm_vshader_submit *args);

#endif /* VSHADER_SUBMIT_H */
