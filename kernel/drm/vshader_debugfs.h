/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Debugfs.
 */
#ifndef VSHADER_DEBUGFS_H
#define VSHADER_DEBUGFS_H

struct drm_minor;

/**
 * vshader_debugfs_init - DRM debugfs hook
 * @minor: minor
 */
void vshader_debugfs_init(struct drm_minor *minor);

#endif /* VSHADER_DEBUGFS_H */
