/* SPDX-License-Identifier: MIT */
/*
 * Inside of libdrm_vshader: devices, backends, error texts.
 */
#ifndef VSHADER_PRIV_H
#define VSHADER_PRIV_H

#include <stdarg.h>

#include "vshader.h"

struct drm_vshader_debug_attach;
struct drm_vshader_debug_event;
struct vshader_bo;
struct vshader_debug;

/**
 * struct vsh_backend - how a device is reached
 * @ioctl: uAPI call; sets the error text on failure
 * @close: free the device's resources
 * @bo_map: map @bo; the address goes to @bo->ptr
 * @bo_close: unmap and drop the handle
 * @bo_export: file descriptor of a buffer
 * @bo_import: handle and size of a file descriptor's buffer
 * @sync_create: new syncobj
 * @sync_destroy: drop a syncobj
 * @sync_reset: forget a syncobj's fence
 * @sync_signal: signal from the host; @point 0 for a binary syncobj
 * @sync_wait: wait until an absolute time of CLOCK_MONOTONIC
 * @sync_query: last point reached
 * @debug_attach: begin a debug session
 * @debug_close: end it
 * @debug_ioctl: call of a debug session; sets no error text
 * @debug_read: take an event; -ETIME without one at the deadline; sets no error text
 *
 * All return 0 or a negative errno with the error text set.
 */
struct vsh_backend {
	int (*ioctl)(struct vshader_device *dev, unsigned long request, void *arg);
	void (*close)(struct vshader_device *dev);
	int (*bo_map)(struct vshader_bo *bo);
	void (*bo_close)(struct vshader_bo *bo);
	int (*bo_export)(struct vshader_bo *bo, int *fd);
	int (*bo_import)(struct vshader_device *dev, int fd, uint32_t *handle, uint64_t *size);
	int (*sync_create)(struct vshader_device *dev, bool signaled, uint32_t *handle);
	int (*sync_destroy)(struct vshader_device *dev, uint32_t handle);
	int (*sync_reset)(struct vshader_device *dev, uint32_t handle);
	int (*sync_signal)(struct vshader_device *dev, uint32_t handle, uint64_t point);
	int (*sync_wait)(struct vshader_device *dev, uint32_t handle, uint64_t point,
			 int64_t deadline_ns);
	int (*sync_query)(struct vshader_device *dev, uint32_t handle, uint64_t *point);
	int (*debug_attach)(struct vshader_debug *dbg, struct drm_vshader_debug_attach *args);
	void (*debug_close)(struct vshader_debug *dbg);
	int (*debug_ioctl)(struct vshader_debug *dbg, unsigned long request, void *arg);
	int (*debug_read)(struct vshader_debug *dbg, int64_t deadline_ns,
			  struct drm_vshader_debug_event *event);
};

/**
 * struct vshader_device - a device
 * @backend: how it is reached
 * @name: path of the node, or "local"
 * @major: interface version
 * @minor: interface version
 * @fd: DRM file, or -1
 * @local: local backend's state, or NULL
 * @spare_sync: sync object that vshader_submit_wait() has made, for the next job, or 0; atomic
 */
struct vshader_device {
	const struct vsh_backend *backend;
	char name[VSHADER_PATH_MAX];
	unsigned int major;
	unsigned int minor;
	int fd;
	struct vsl_device *local;
	uint32_t spare_sync;
};

/**
 * struct vshader_bo - a buffer
 * @dev: its device
 * @handle: GEM handle
 * @size: bytes
 * @ptr: mapping in the process, or NULL
 */
struct vshader_bo {
	struct vshader_device *dev;
	uint32_t handle;
	uint64_t size;
	void *ptr;
};

/**
 * struct vshader_debug - a debug session
 * @dev: its device
 * @fd: debug file descriptor; local backend: readable while there are events
 * @queue: local backend: queue; holds a reference
 */
struct vshader_debug {
	struct vshader_device *dev;
	int fd;
	struct vsl_queue *queue;
};

extern const struct vsh_backend vsh_kernel_backend;
extern const struct vsh_backend vsh_local_backend;

/* Fill a device whose memory is zeroed. */
int vsh_kernel_open(struct vshader_device *dev, const char *path);
int vsh_kernel_open_fd(struct vshader_device *dev, int fd);
int vsh_local_open(struct vshader_device *dev, const char *options);

/* Set the error text of this thread. Return: -@err. */
int vsh_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int vsh_vfail(int err, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Put text before the error text of this thread. */
void vsh_fail_prefix(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Name of an ioctl, for messages. */
const char *vsh_ioctl_name(unsigned long request);

int64_t vsh_now_ns(void);

/* This thread submits a job that it waits for next. */
extern _Thread_local bool vsh_waits_next;
/* Absolute time of a timeout, without overflow. */
int64_t vsh_deadline(int64_t timeout_ns);

#endif /* VSHADER_PRIV_H */
