/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Buffer objects.
 */
#ifndef VSHADER_GEM_H
#define VSHADER_GEM_H

#include <linux/atomic.h>
#include <linux/iosys-map.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#include <drm/drm_gem_shmem_helper.h>

#include "drm/vshader_drm.h"

struct dma_buf_attachment;
struct drm_file;
struct vshader_account;
struct vshader_device;
struct vshader_heap;

/**
 * struct vshader_vm_tag - Identity of an address space, for its exclusive objects.
 * @ref: held by the VM and by its exclusive objects
 * @jobs: jobs of the VM that have not ended
 *
 * Separate from the VM, which holds its objects by mapping them.
 */
struct vshader_vm_tag {
	struct kref ref;
	atomic_t jobs;
};

#define VSHADER_BO_MAPPERS	(-1LL)

/**
 * struct vshader_bo - Buffer object.
 * @base: shmem object
 * @flags: bits of enum drm_vshader_bo_flags
 * @acct: account of the first file that had a handle; holds a reference; NULL: no handle yet
 * @tag: the only VM that may map the object, or NULL
 * @personal: the personality's flags
 * @own: the personality's, unchanged once there is a handle; or NULL
 * @own_bytes: memory of @own, charged with the object
 * @mapper: id of the only client that has mapped it, 0: none has, %VSHADER_BO_MAPPERS: several
 * @va_size: bytes of addresses, for an object with @heap; 0: as many as its memory
 * @heap: memory of the addresses that follow those of its own, or NULL
 * @node: in &vshader_device.bos
 * @creator: id of the process that made or imported it, in the initial namespace
 * @comm: name of that process's thread
 * @label_lock: protects @label
 * @label: name given by userspace, or NULL
 * @label_charge: bytes charged for it beside the object's
 * @map_lock: serialises the first and the last use of @map; protects @acct
 * @map_count: uses of @map
 * @map: the kernel's mapping of the memory while @map_count > 0
 */
struct vshader_bo {
	struct drm_gem_shmem_object base;
	u32 flags;
	struct vshader_account *acct;
	struct vshader_vm_tag *tag;
	u32 personal;
	void *own;
	u64 own_bytes;
	atomic64_t mapper;
	u64 va_size;
	struct vshader_heap *heap;
	struct list_head node;
	pid_t creator;
	char comm[TASK_COMM_LEN];

	/** @label_lock: protects @label */
	struct mutex label_lock;
	char *label;
	u32 label_charge;

	/** @map_lock: serialises the first and the last use of @map, and setting @acct */
	struct mutex map_lock;
	atomic_t map_count;
	struct iosys_map map;
};

static inline struct vshader_bo *to_vshader_bo(struct drm_gem_object *obj)
{
	return container_of(to_drm_gem_shmem_obj(obj), struct vshader_bo, base);
}

static inline struct drm_gem_object *vshader_bo_gem(struct vshader_bo *bo)
{
	return &bo->base.base;
}

/**
 * vshader_vm_tag_new - allocate a tag
 *
 * Return: tag or NULL.
 */
struct vshader_vm_tag *vshader_vm_tag_new(void);

/**
 * vshader_vm_tag_put - drop a reference
 * @tag: tag or NULL
 */
void vshader_vm_tag_put(struct vshader_vm_tag *tag);

/**
 * vshader_bo_new - create an object
 * @vdev: device
 * @size: bytes
 * @flags: bits of enum drm_vshader_bo_flags
 * @tag: the only VM that may map it, or NULL
 *
 * Return: a reference, or an error pointer.
 */
struct vshader_bo *vshader_bo_new(struct vshader_device *vdev, u64 size, u32 flags,
				  struct vshader_vm_tag *tag);

/**
 * vshader_bo_charge - let an account pay for an object, unless another does
 * @bo: object
 * @acct: account
 *
 * Return: 0, -EDQUOT or -ENOSPC.
 */
int vshader_bo_charge(struct vshader_bo *bo, struct vshader_account *acct);

/**
 * vshader_bo_map - pin and map for the kernel; takes a reference on the object
 * @bo: object
 *
 * May sleep. Return: 0, -ENOMEM, -EINTR, or -EOPNOTSUPP if jobs cannot access an imported
 * object in place.
 */
int vshader_bo_map(struct vshader_bo *bo);

/**
 * vshader_bo_map_again - another use of an object that is mapped already
 * @bo: object
 */
void vshader_bo_map_again(struct vshader_bo *bo);

/**
 * vshader_bo_unmap - undo one vshader_bo_map() or _again(); may sleep
 * @bo: object
 */
void vshader_bo_unmap(struct vshader_bo *bo);

/**
 * vshader_bo_label - give an object a label
 * @file: DRM file
 * @handle: object
 * @user: user pointer of the text, or 0
 * @max: most bytes, with the end
 *
 * Return: 0, -ENOENT, -EFAULT, -E2BIG, -ENOMEM, -EDQUOT or -ENOSPC.
 */
int vshader_bo_label(struct drm_file *file, u32 handle, u64 user, u32 max);

/* Hooks of struct drm_driver. */
struct drm_gem_object *vshader_gem_create_object(struct drm_device *drm, size_t size);
struct drm_gem_object *
vshader_gem_import_sg_table(struct drm_device *drm, struct dma_buf_attachment *attach,
			    struct sg_table *sgt);

/* The ioctls; arguments as in the uAPI. */
int vshader_bo_create(struct drm_file *file, struct drm_vshader_bo_create *args);
int vshader_bo_mmap_offset(struct drm_file *file, struct drm_vshader_bo_mmap_offset *args);
int vshader_bo_set_label(struct drm_file *file, struct drm_vshader_bo_set_label *args);

#endif /* VSHADER_GEM_H */
