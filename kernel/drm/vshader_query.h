/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Device queries.
 */
#ifndef VSHADER_QUERY_H
#define VSHADER_QUERY_H

#include "drm/vshader_drm.h"

struct drm_file;

/* The ioctl; arguments as in the uAPI. */
int vshader_dev_query(struct drm_file *file, struct drm_vshader_dev_query *args);

#endif /* VSHADER_QUERY_H */
