/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Mali engines.
 */
#ifndef VSHADER_MALI_H
#define VSHADER_MALI_H

#include "drm/vshader_drm.h"

struct vshader_job;

/**
 * vshader_mali_init - make a shader job of a Mali engine
 * @job: job with program
 * @desc: its descriptor
 *
 * Return: 0 or an error.
 */
int vshader_mali_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc);

#endif /* VSHADER_MALI_H */
