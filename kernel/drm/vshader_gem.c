// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffer objects: shmem objects, plus labels, a VM that may own them, and a kernel
 * mapping that exists while an address space maps them.
 */
#include <linux/dma-buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_gem.h>
#include <drm/drm_prime.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>

#include "compat/vshader_compat.h"
#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_gem.h"
#include "vshader_heap.h"
#include "vshader_personality.h"
#include "vshader_vm.h"

struct vshader_vm_tag *vshader_vm_tag_new(void)
{
	struct vshader_vm_tag *tag = kzalloc(sizeof(*tag), GFP_KERNEL_ACCOUNT);

	if (tag)
		kref_init(&tag->ref);
	return tag;
}

static void vm_tag_release(struct kref *ref)
{
	kfree(container_of(ref, struct vshader_vm_tag, ref));
}

void vshader_vm_tag_put(struct vshader_vm_tag *tag)
{
	if (tag)
		kref_put(&tag->ref, vm_tag_release);
}

/*
 * Jobs read and write buffers in the fence signalling path, where dma_buf_begin_cpu_access()
 * must not be called: it waits for fences, takes the reservation lock and allocates. SUBMIT
 * cannot call it either: a device that the job waits for writes the buffer later, and the
 * wait would make SUBMIT synchronous. So the exporter must keep a mapping coherent by itself.
 */
static int import_vmap(struct dma_buf *buf, struct iosys_map *map)
{
	int ret;

	if (!buf->ops->vmap || buf->ops->begin_cpu_access || buf->ops->end_cpu_access)
		return -EOPNOTSUPP;
	/* not through the shmem helper, which warns about I/O memory */
	ret = vshader_compat_dma_buf_vmap(buf, map);
	if (ret)
		return ret == -ENOMEM || ret == -EINTR ? ret : -EOPNOTSUPP;
	if (map->is_iomem) {
		vshader_compat_dma_buf_vunmap(buf, map);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int bo_vmap(struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	if (obj->import_attach)
		return import_vmap(obj->import_attach->dmabuf, &bo->map);
	return vshader_compat_shmem_vmap(&bo->base, &bo->map);
}

static void bo_vunmap(struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	if (obj->import_attach)
		vshader_compat_dma_buf_vunmap(obj->import_attach->dmabuf, &bo->map);
	else
		vshader_compat_shmem_vunmap(&bo->base, &bo->map);
	iosys_map_clear(&bo->map);
}

int vshader_bo_map(struct vshader_bo *bo)
{
	int ret = 0;

	if (atomic_inc_not_zero(&bo->map_count))
		goto out_get;
	mutex_lock(&bo->map_lock);
	if (!atomic_read(&bo->map_count)) {
		ret = bo_vmap(bo);
		if (ret)
			goto err_unlock;
	}
	atomic_inc(&bo->map_count);
	mutex_unlock(&bo->map_lock);
out_get:
	drm_gem_object_get(vshader_bo_gem(bo));
	return 0;

err_unlock:
	mutex_unlock(&bo->map_lock);
	return ret;
}

void vshader_bo_map_again(struct vshader_bo *bo)
{
	atomic_inc(&bo->map_count);
	drm_gem_object_get(vshader_bo_gem(bo));
}

void vshader_bo_unmap(struct vshader_bo *bo)
{
	if (atomic_dec_and_mutex_lock(&bo->map_count, &bo->map_lock)) {
		bo_vunmap(bo);
		mutex_unlock(&bo->map_lock);
	}
	drm_gem_object_put(vshader_bo_gem(bo));
}

/*
 * The object, its inode, file and label; its lists of pages and its kernel's page tables; what
 * the personality has.
 */
static u64 bo_memory(struct vshader_bo *bo)
{
	return SZ_4K + (vshader_bo_gem(bo)->size >> PAGE_SHIFT) * 2 * sizeof(void *) +
	       bo->own_bytes;
}

/* The first file that gets a handle pays until the object is freed. */
int vshader_bo_charge(struct vshader_bo *bo, struct vshader_account *acct)
{
	int ret = 0;

	mutex_lock(&bo->map_lock);
	if (bo->acct)
		goto out_unlock;
	ret = vshader_quota_charge(acct, bo_memory(bo));
	if (ret)
		goto out_unlock;
	bo->acct = vshader_account_get(acct);
out_unlock:
	mutex_unlock(&bo->map_lock);
	return ret;
}

static void bo_uncharge(struct vshader_bo *bo)
{
	if (!bo->acct)
		return;
	vshader_quota_uncharge(bo->acct, bo_memory(bo) + bo->label_charge);
	vshader_account_put(bo->acct);
}

static void vshader_gem_free(struct drm_gem_object *obj)
{
	struct vshader_device *vdev = to_vshader_device(obj->dev);
	struct vshader_bo *bo = to_vshader_bo(obj);

	mutex_lock(&vdev->bos_lock);
	list_del_init(&bo->node);
	mutex_unlock(&vdev->bos_lock);

	if (vdev->personality && vdev->personality->bo_free)
		vdev->personality->bo_free(bo);
	bo_uncharge(bo);
	vshader_heap_free(bo->heap);
	vshader_vm_tag_put(bo->tag);
	kfree(bo->label);
	mutex_destroy(&bo->label_lock);
	mutex_destroy(&bo->map_lock);
	drm_gem_shmem_free(&bo->base);
}

/* Whether the personality allows it. */
static int check_share(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	const struct vshader_personality *p = to_vshader_device(obj->dev)->personality;

	return p && p->bo_share ? p->bo_share(to_vshader_bo(obj), vma) : 0;
}

static struct dma_buf *vshader_gem_export(struct drm_gem_object *obj, int flags)
{
	int ret = check_share(obj, NULL);

	if (ret)
		return ERR_PTR(ret);
	if (to_vshader_bo(obj)->tag)
		return ERR_PTR(vshader_einval(obj->dev, "export: exclusive to a VM"));
	if (to_vshader_bo(obj)->va_size)
		return ERR_PTR(vshader_einval(obj->dev,
					      "export: a heap has less memory than addresses"));
	return drm_gem_prime_export(obj, flags);
}

/*
 * Note which client maps it. A mapping of a dma-buf is no client's: the object has a dma-buf as
 * long as anybody has a handle.
 */
static void bo_note_mapper(struct vshader_bo *bo, const struct file *filp)
{
	const struct drm_file *file = filp->private_data;
	s64 id, old;

	if (filp->f_op != vshader_bo_gem(bo)->dev->driver->fops)
		return;
	id = ((struct vshader_file *)file->driver_priv)->client_id;
	old = atomic64_cmpxchg(&bo->mapper, 0, id);
	if (old && old != id)
		atomic64_set(&bo->mapper, VSHADER_BO_MAPPERS);
}

static int vshader_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct vshader_bo *bo = to_vshader_bo(obj);
	int ret;

	if (bo->flags & DRM_VSHADER_BO_NO_MMAP)
		return vshader_einval(obj->dev, "mmap: created with NO_MMAP");
	ret = check_share(obj, vma);
	if (ret)
		return ret;
	/* before the handle that permits it can be closed */
	bo_note_mapper(bo, vma->vm_file);
	ret = drm_gem_shmem_mmap(&bo->base, vma);
	if (ret)
		return ret;
	/* the core warns without it, and not all exporters set it: udmabuf does not */
	if (obj->import_attach)
		vshader_compat_vm_flags_set(vma, VM_DONTEXPAND);
	return 0;
}

/* A handle, also by GEM_OPEN. */
static int vshader_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	const struct vshader_personality *p = to_vshader_device(obj->dev)->personality;
	struct vshader_bo *bo = to_vshader_bo(obj);
	int ret;

	if (bo->tag && !vshader_vm_has_tag(file->driver_priv, bo->tag)) {
		drm_dbg(obj->dev, "handle: the object is exclusive to another file's VM\n");
		return -EPERM;
	}
	ret = vshader_bo_charge(bo, ((struct vshader_file *)file->driver_priv)->account);
	if (ret)
		return ret;
	return p ? p->bo_open(bo, file) : 0;
}

static void vshader_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	const struct vshader_personality *p = to_vshader_device(obj->dev)->personality;

	if (p)
		p->bo_close(to_vshader_bo(obj), file);
}

static const struct drm_gem_object_funcs vshader_gem_funcs = {
	.free = vshader_gem_free,
	.open = vshader_gem_open,
	.close = vshader_gem_close,
	.export = vshader_gem_export,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = vshader_gem_mmap,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

/**
 * vshader_gem_create_object - allocate an object for the shmem helpers
 * @drm: device
 * @size: its size
 *
 * The helpers may free it again with kfree(), so it is not in the device's list yet.
 *
 * Return: object or -ENOMEM.
 */
struct drm_gem_object *vshader_gem_create_object(struct drm_device *drm, size_t size)
{
	struct vshader_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);

	/* the helpers give the object to kfree() */
	BUILD_BUG_ON(offsetof(struct vshader_bo, base.base) != 0);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&bo->node);
	mutex_init(&bo->label_lock);
	mutex_init(&bo->map_lock);
	vshader_bo_gem(bo)->funcs = &vshader_gem_funcs;
	return vshader_bo_gem(bo);
}

static void bo_add(struct vshader_device *vdev, struct vshader_bo *bo)
{
	bo->creator = task_tgid_nr(current);
	get_task_comm(bo->comm, current->group_leader);
	mutex_lock(&vdev->bos_lock);
	list_add_tail(&bo->node, &vdev->bos);
	mutex_unlock(&vdev->bos_lock);
}

/**
 * vshader_gem_import_sg_table - object for an imported dma-buf
 * @drm: device
 * @attach: attachment
 * @sgt: its pages
 *
 * Return: object or an error pointer.
 */
struct drm_gem_object *
vshader_gem_import_sg_table(struct drm_device *drm, struct dma_buf_attachment *attach,
			    struct sg_table *sgt)
{
	struct drm_gem_object *obj = drm_gem_shmem_prime_import_sg_table(drm, attach, sgt);

	if (!IS_ERR(obj))
		bo_add(to_vshader_device(drm), to_vshader_bo(obj));
	return obj;
}

struct vshader_bo *vshader_bo_new(struct vshader_device *vdev, u64 size, u32 flags,
				  struct vshader_vm_tag *tag)
{
	struct drm_gem_shmem_object *shmem = drm_gem_shmem_create(&vdev->drm, size);
	struct vshader_bo *bo;

	if (IS_ERR(shmem))
		return ERR_CAST(shmem);
	bo = to_vshader_bo(&shmem->base);
	bo->flags = flags;
	if (tag) {
		kref_get(&tag->ref);
		bo->tag = tag;
	}
	bo_add(vdev, bo);
	return bo;
}

static int bo_create_in(struct drm_file *file, struct drm_vshader_bo_create *args,
			struct vshader_vm_tag *tag)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_bo *bo = vshader_bo_new(vf->vdev, args->size, args->flags, tag);
	u32 handle;
	u64 size;
	int ret;

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	size = vshader_bo_gem(bo)->size;
	ret = drm_gem_handle_create(file, vshader_bo_gem(bo), &handle);
	/* the handle holds the object now */
	drm_gem_object_put(vshader_bo_gem(bo));
	if (ret)
		return ret;
	args->size = size;
	args->handle = handle;
	return 0;
}

/**
 * vshader_bo_create - DRM_IOCTL_VSHADER_BO_CREATE
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_bo_create(struct drm_file *file, struct drm_vshader_bo_create *args)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_vm *vm;
	int ret;

	if (!args->size || args->pad || args->flags & ~DRM_VSHADER_BO_NO_MMAP)
		return vshader_einval(&vf->vdev->drm, "size %llu, pad %u, flags %#x, known %#x",
				      args->size, args->pad, args->flags, DRM_VSHADER_BO_NO_MMAP);
	if (args->size > VSHADER_MAX_BO_SIZE)
		return -E2BIG;
	if (!args->exclusive_vm_id)
		return bo_create_in(file, args, NULL);

	vm = vshader_vm_lookup(vf, args->exclusive_vm_id);
	if (!vm)
		return -ENOENT;
	ret = bo_create_in(file, args, vm->tag);
	vshader_vm_put(vm);
	/* destroyed meanwhile */
	return ret == -EPERM ? -ENOENT : ret;
}

/**
 * vshader_bo_mmap_offset - DRM_IOCTL_VSHADER_BO_MMAP_OFFSET
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_bo_mmap_offset(struct drm_file *file, struct drm_vshader_bo_mmap_offset *args)
{
	struct drm_gem_object *obj;
	int ret = 0;

	if (args->pad)
		return vshader_einval(file->minor->dev, "pad %u, expected 0", args->pad);
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	if (to_vshader_bo(obj)->flags & DRM_VSHADER_BO_NO_MMAP)
		ret = vshader_einval(obj->dev, "handle %u: created with NO_MMAP", args->handle);
	else
		args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	drm_gem_object_put(obj);
	return ret;
}

/* @len: receives the bytes with the end. */
static char *copy_label(u64 user, u32 max, u32 *len)
{
	long n;

	*len = 0;
	if (!user)
		return NULL;
	n = strnlen_user(u64_to_user_ptr(user), max);
	if (!n)
		return ERR_PTR(-EFAULT);
	if (n > max)
		return ERR_PTR(-E2BIG);
	*len = n;
	return strndup_user(u64_to_user_ptr(user), max);
}

/* Those of ordinary length are charged with the object. */
static u32 label_charge(u32 len)
{
	return len > VSHADER_MAX_LABEL ? len : 0;
}

static int put_label(struct vshader_bo *bo, char *label, u32 len)
{
	struct vshader_account *acct = READ_ONCE(bo->acct);
	u32 charge = label_charge(len);
	int ret = 0;

	if (charge) {
		/* a handle that was guessed while it is made */
		ret = acct ? vshader_quota_charge(acct, charge) : -ENOENT;
		if (ret)
			goto out_free;
	}
	mutex_lock(&bo->label_lock);
	swap(bo->label, label);
	swap(bo->label_charge, charge);
	mutex_unlock(&bo->label_lock);
	if (charge)
		vshader_quota_uncharge(acct, charge);
out_free:
	kfree(label);
	return ret;
}

int vshader_bo_label(struct drm_file *file, u32 handle, u64 user, u32 max)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	char *label;
	int ret;
	u32 len;

	if (!obj)
		return -ENOENT;
	label = copy_label(user, max, &len);
	ret = IS_ERR(label) ? PTR_ERR(label) : put_label(to_vshader_bo(obj), label, len);
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vshader_bo_set_label - DRM_IOCTL_VSHADER_BO_SET_LABEL
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_bo_set_label(struct drm_file *file, struct drm_vshader_bo_set_label *args)
{
	if (args->pad)
		return vshader_einval(file->minor->dev, "pad %u, expected 0", args->pad);
	return vshader_bo_label(file, args->handle, args->label, VSHADER_MAX_LABEL);
}
