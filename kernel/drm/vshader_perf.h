/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Usage statistics in fdinfo.
 */
#ifndef VSHADER_PERF_H
#define VSHADER_PERF_H

#include <linux/types.h>

struct drm_file;
struct file;
struct seq_file;
struct vshader_file;

/**
 * struct vshader_memory - Memory of the buffers that a file has handles of, bytes.
 * @total: addresses
 * @shared: of those, in buffers that others have, too
 * @resident: memory
 * @purgeable: of @resident, what userspace does not need and no job uses
 * @active: memory of buffers that jobs under way use
 */
struct vshader_memory {
	u64 total;
	u64 shared;
	u64 resident;
	u64 purgeable;
	u64 active;
};

/* Add up the memory of a file. */
void vshader_memory_of(struct drm_file *file, struct vshader_memory *mem);

/* The keys that each DRM driver with fdinfo has. */
void vshader_fdinfo_client(struct seq_file *m, const struct vshader_file *vf);

/**
 * vshader_show_fdinfo - file operation of vshader's own interface
 * @m: where to
 * @f: DRM file
 */
void vshader_show_fdinfo(struct seq_file *m, struct file *f);

#endif /* VSHADER_PERF_H */
