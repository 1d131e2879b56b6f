/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Submission.
 */
#ifndef VSHADER_SUBMIT_H
#define VSHADER_SUBMIT_H

#include "drm/vshader_drm.h"

struct drm_file;

/* The ioctl; arguments as in the uAPI. */
int vshader_submit(struct drm_file *file, struct drm_vshader_submit *args);

#endif /* VSHADER_SUBMIT_H */
