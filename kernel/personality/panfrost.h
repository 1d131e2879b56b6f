/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The panfrost personality.
 */
#ifndef VSHADER_PANFROST_H
#define VSHADER_PANFROST_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "drm/vshader_device.h"
#include "engine/vs_mappings.h"
#include "personality/pan_gpu.h"

struct drm_panfrost_submit;
struct shrinker;
struct vshader_bo;
struct vshader_vm;

/* Jobs with and without PANFROST_JD_REQ_FS. */
enum { PANFROST_QUEUE_FRAGMENT, PANFROST_QUEUE_OTHER, PANFROST_NUM_QUEUES };

/**
 * struct panfrost_device - A device.
 * @vdev: the device
 * @unneeded: pages of buffers that are not needed
 * @shrinker: wants memory
 * @purge: gives the memory of buffers that are not needed back
 */
struct panfrost_device {
	struct vshader_device *vdev;
	atomic_long_t unneeded;
	struct shrinker *shrinker;
	struct work_struct purge;
};

/**
 * struct panfrost_file - A client.
 * @vm: its address space; holds a reference
 * @queues: queues of its jobs
 * @lock: protects everything below
 * @bos: buffers that it has handles of, and their addresses; they are mapped for the kernel
 *	unless the flags are 0: their memory has been given back
 * @changed: the address space is older than @bos
 */
struct panfrost_file {
	struct vshader_vm *vm;
	u32 queues[PANFROST_NUM_QUEUES];

	/** @lock: protects everything below */
	struct mutex lock;
	struct vs_mappings bos;
	bool changed;
};

static inline struct panfrost_file *to_panfrost_file(const struct drm_file *file)
{
	return ((const struct vshader_file *)file->driver_priv)->personal;
}

/* Personality's hook for devices: what gives memory back. */
int panfrost_device_init(struct vshader_device *vdev);

/* Personality's hooks for handles. */
int panfrost_bo_open(struct vshader_bo *bo, struct drm_file *file);
void panfrost_bo_close(struct vshader_bo *bo, struct drm_file *file);

/**
 * panfrost_bo_update - bring the address space up to date
 * @pf: file
 *
 * Return: 0 or -ENOMEM.
 */
int panfrost_bo_update(struct panfrost_file *pf);

/**
 * panfrost_bo_purge - give memory back that a file does not need
 * @pf: file
 *
 * May sleep.
 */
void panfrost_bo_purge(struct panfrost_file *pf);

/* The ioctls; arguments as in the uAPI. */
int panfrost_create_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_get_bo_offset(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_wait_bo(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_madvise(struct drm_device *drm, void *data, struct drm_file *file);
int panfrost_submit(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* VSHADER_PANFROST_H */
