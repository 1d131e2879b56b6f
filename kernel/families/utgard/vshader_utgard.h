/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Utgard engines.
 */
#ifndef VSHADER_UTGARD_H
#define VSHADER_UTGARD_H

#include "drm/vshader_drm.h"

struct vshader_job;

/**
 * vshader_utgard_init - make a shader job of an Utgard engine
 * @job: job with program
 * @desc: its descriptor
 *
 * Return: 0 or an error.
 */
int vshader_utgard_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc);

#endif /* VSHADER_UTGARD_H */
