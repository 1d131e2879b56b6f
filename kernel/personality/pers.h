/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Common part of the personalities: see pers_file.c.
 */
#ifndef VSHADER_PERS_H
#define VSHADER_PERS_H

#include <linux/atomic.h>
#include <linux/dma-resv.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "drm/vshader_device.h"
#include "drm/vshader_vm.h"
#include "personality/pers_va.h"

struct shrinker;
struct vshader_bo;
struct vshader_submit_native;

/* Advice about the memory of a buffer, in &drm_gem_shmem_object.madv. */
enum { PERS_MADV_GONE = -1, PERS_MADV_WILLNEED, PERS_MADV_DONTNEED };

/**
 * struct pers_device - A device.
 * @vdev: the device
 * @unneeded: pages of buffers that are not needed
 * @shrinker: wants memory, until the device is unplugged
 * @purge: gives the memory of buffers that are not needed back
 */
struct pers_device {
	struct vshader_device *vdev;
	atomic_long_t unneeded;
	struct shrinker *shrinker;
	struct work_struct purge;
};

/**
 * struct pers_file - A client.
 * @vm: its address space; holds a reference
 * @vm_id: id of @vm
 * @acct: account of @nodes; holds a reference
 * @nodes: nodes of @vas
 * @lock: protects everything below
 * @vas: buffers that it has handles of; @vm maps them unless their memory has been given back
 */
struct pers_file {
	struct vshader_vm *vm;
	u32 vm_id;
	struct vshader_account *acct;
	struct vshader_nodes nodes;

	/** @lock: protects everything below */
	struct mutex lock;
	struct pers_vas vas;
};

static inline struct pers_file *to_pers_file(const struct drm_file *file)
{
	return ((const struct vshader_file *)file->driver_priv)->personal;
}

/* ---- pers_file.c ---- */

/**
 * pers_file_open - open a file, make its address space
 * @drm: device
 * @file: file
 * @pf: zeroed; the file's until pers_file_close()
 * @vm_flags: DRM_VSHADER_VM_*
 *
 * Return: 0 or an error: nothing is left of the file.
 */
int pers_file_open(struct drm_device *drm, struct drm_file *file, struct pers_file *pf,
		   u32 vm_flags);

/* Close a file. The core has closed the handles; its queues end. */
void pers_file_close(struct drm_device *drm, struct drm_file *file);

/**
 * pers_queue_create - make a hidden queue on the file's address space
 * @file: file
 * @engine: enum drm_vshader_engine
 * @priority: enum drm_vshader_priority
 * @time_limit_ms: time limit of its jobs
 * @kind: &vshader_queue.kind
 * @id: receives its id
 *
 * A fault does not ban it.
 *
 * Return: 0 or an error.
 */
int pers_queue_create(struct drm_file *file, u32 engine, u32 priority, u32 time_limit_ms, u32 kind,
		      u32 *id);

/*
 * A job that faults takes those along that follow it in either queue: their fences have
 * -ECANCELED. They are accepted nevertheless.
 */
void pers_queue_pair(struct drm_file *file, u32 a, u32 b);

/* Cancel the queue's jobs and destroy it. 0 is none. */
void pers_queue_destroy(struct drm_file *file, u32 id);

/* ---- pers_bo.c ---- */

/**
 * pers_bo_open - a file gets a handle: pick addresses and map the buffer
 * @bo: buffer
 * @file: file
 * @place: where it may be; its size is that of the buffer's addresses
 *
 * Return: 0 or an error.
 */
int pers_bo_open(struct vshader_bo *bo, struct drm_file *file, const struct pers_place *place);

/* A file gives a handle up: &vshader_personality.bo_close. */
void pers_bo_close(struct vshader_bo *bo, struct drm_file *file);

/* Address of a buffer in a file, 0: none, as its handles are closed. */
u64 pers_bo_va(struct drm_file *file, const struct vshader_bo *bo);

/* Bytes of addresses that a buffer takes. */
u64 pers_bo_size(struct vshader_bo *bo);

/**
 * pers_bo_new - a buffer with memory for its first addresses and a heap for the others
 * @vf: file
 * @size: bytes of addresses
 * @first: bytes of memory, a multiple of the page's size
 *
 * Return: buffer or an error pointer.
 */
struct vshader_bo *pers_bo_new(struct vshader_file *vf, u64 size, u64 first);

/**
 * pers_bo_handle - give a file a handle of a new buffer
 * @file: file
 * @bo: buffer; the reference is taken over
 * @handle: receives the handle
 * @va: receives the address
 *
 * Return: 0, -EINVAL: another thread has guessed the handle and closed it, or an error.
 */
int pers_bo_handle(struct drm_file *file, struct vshader_bo *bo, u32 *handle, u64 *va);

/**
 * pers_bo_offset - the address of a buffer
 * @file: file
 * @handle: handle of the file
 * @va: receives it
 *
 * Return: 0, -ENOENT or -EINVAL.
 */
int pers_bo_offset(struct drm_file *file, u32 handle, u64 *va);

/**
 * pers_bo_wait - wait for the jobs that use a buffer
 * @file: file
 * @handle: handle of the file
 * @usage: %DMA_RESV_USAGE_READ: all, %DMA_RESV_USAGE_WRITE: those that write
 * @timeout: jiffies
 *
 * Return: 0, -ENOENT, -ETIMEDOUT, -EBUSY if @timeout is 0, or -ERESTARTSYS.
 */
int pers_bo_wait(struct drm_file *file, u32 handle, enum dma_resv_usage usage,
		 unsigned long timeout);

/* ---- pers_madv.c ---- */

/* Make the shrinker of a device. Return: 0 or an error. */
int pers_device_init(struct vshader_device *vdev);

/* The same with a zeroed structure of @size bytes that begins with struct pers_device. */
int pers_device_init_size(struct vshader_device *vdev, size_t size);

/**
 * pers_madv_set - change the advice about a buffer's memory
 * @bo: buffer
 * @madv: %PERS_MADV_WILLNEED, %PERS_MADV_DONTNEED, %PERS_MADV_GONE
 *
 * Return: the advice before; %PERS_MADV_GONE stays.
 */
int pers_madv_set(struct vshader_bo *bo, int madv);

/**
 * pers_madvise - advice of userspace
 * @file: file
 * @handle: handle of the file
 * @madv: %PERS_MADV_WILLNEED, %PERS_MADV_DONTNEED; others have no effect
 *
 * Return: 1: the memory is there, 0: it is gone, -ENOENT, -EINVAL: others have handles, too.
 */
int pers_madvise(struct drm_file *file, u32 handle, u32 madv);

/* ---- pers_submit.c ---- */

/**
 * struct pers_bos - Buffers that a job names.
 * @n: number of them
 * @distinct: an object that is named twice is an error: -EALREADY
 * @objs: references
 * @shared: the same with their use
 */
struct pers_bos {
	u32 n;
	bool distinct;
	struct drm_gem_object **objs;
	struct vshader_shared *shared;
};

/**
 * pers_bos_init - room for the buffers of a job
 * @b: receives it
 * @max: most buffers
 *
 * Return: 0 or -ENOMEM; pers_bos_fini() may follow either.
 */
int pers_bos_init(struct pers_bos *b, u32 max);

/**
 * pers_bos_add - add a buffer
 * @b: buffers, with room
 * @file: file
 * @handle: handle of the file
 * @write: the job writes it, as far as others know
 *
 * Return: 0 or -ENOENT.
 */
int pers_bos_add(struct pers_bos *b, struct drm_file *file, u32 handle, bool write);

/* Drop the references, free the room. */
void pers_bos_fini(struct pers_bos *b);

/* Whether a syncobj exists. Interfaces differ in the error of SUBMIT if not. */
bool pers_sync_exists(struct drm_file *file, u32 handle);

/**
 * pers_submit - submit a job, synchronised implicitly with the buffers that it names
 * @file: file
 * @job: the job; the buffers are filled in
 * @b: buffers; they may be sorted
 *
 * Return: as vshader_submit_native(), or -EALREADY.
 */
int pers_submit(struct drm_file *file, struct vshader_submit_native *job, struct pers_bos *b);

#endif /* VSHADER_PERS_H */
