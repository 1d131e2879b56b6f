/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The DRM driver.
 */
#ifndef VSHADER_DRV_H
#define VSHADER_DRV_H

#include <drm/drm_drv.h>

extern const struct drm_driver vshader_drm_driver;

#endif /* VSHADER_DRV_H */
