/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * DRM files.
 */
#ifndef VSHADER_FILE_H
#define VSHADER_FILE_H

struct drm_device;
struct drm_file;
struct file;
struct inode;

/**
 * vshader_file_open - DRM open hook
 * @drm: device
 * @file: the file
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_file_open(struct drm_device *drm, struct drm_file *file);

/**
 * vshader_file_release - file operation: cancel all jobs, then as drm_release()
 * @inode: device node
 * @filp: the file
 *
 * Return: 0.
 */
int vshader_file_release(struct inode *inode, struct file *filp);

/**
 * vshader_file_close - DRM postclose hook: destroy the objects of the file
 * @drm: device
 * @file: the file
 */
void vshader_file_close(struct drm_device *drm, struct drm_file *file);

#endif /* VSHADER_FILE_H */
