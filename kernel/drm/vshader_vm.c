// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address spaces.
 *
 * An address space is a pointer to its current snapshot. VM_BIND makes a new snapshot, which
 * shares with the old one what the operations do not change, and puts it in place only when
 * everything has succeeded. Jobs hold the snapshot that was current when they were submitted, so
 * that translation needs no lock and unmapping never races with execution.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_gem.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_gem.h"
#include "vshader_quota.h"
#include "vshader_trace.h"
#include "vshader_vm.h"

#define BIND_FLAGS	(DRM_VSHADER_VM_BIND_UNMAP | DRM_VSHADER_VM_BIND_READONLY | \
			 DRM_VSHADER_VM_BIND_NOEXEC | DRM_VSHADER_VM_BIND_ALLOC_VA)

/**
 * struct bind_op - One operation, checked.
 * @u: as given; @u.va is set when the kernel picks the address
 * @bo: mapped object, or NULL to unmap
 */
struct bind_op {
	struct drm_vshader_vm_bind_op u;
	struct vshader_bo *bo;
};

u64 vshader_vm_limit(const struct vshader_vm *vm)
{
	return vm->bits == 48 ? VSHADER_MAX_VA_48 : VSHADER_MAX_VA_32;
}

struct vshader_vm *vshader_vm_lookup(struct vshader_file *vf, u32 id)
{
	struct vshader_vm *vm;

	xa_lock(&vf->vms);
	vm = xa_load(&vf->vms, id);
	if (vm)
		kref_get(&vm->ref);
	xa_unlock(&vf->vms);
	return vm;
}

bool vshader_vm_has_tag(struct vshader_file *vf, const struct vshader_vm_tag *tag)
{
	struct vshader_vm *vm;
	unsigned long id;
	bool has = false;

	xa_lock(&vf->vms);
	xa_for_each(&vf->vms, id, vm)
		has |= vm->tag == tag;
	xa_unlock(&vf->vms);
	return has;
}

static void vm_release(struct kref *ref)
{
	struct vshader_vm *vm = container_of(ref, struct vshader_vm, ref);

	vshader_map_put(vm->map);
	vshader_vm_tag_put(vm->tag);
	vshader_account_put(vm->acct);
	mutex_destroy(&vm->bind_lock);
	kfree(vm);
}

void vshader_vm_put(struct vshader_vm *vm)
{
	if (vm)
		kref_put(&vm->ref, vm_release);
}

struct vshader_map *vshader_vm_snapshot(struct vshader_vm *vm)
{
	struct vshader_map *map;

	spin_lock(&vm->map_lock);
	map = vm->map;
	kref_get(&map->ref);
	spin_unlock(&vm->map_lock);
	return map;
}

static struct vshader_vm *vm_new(struct vshader_account *acct, u32 bits, u64 kernel_va)
{
	static atomic64_t numbers;
	struct vshader_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	struct vshader_edit none;
	struct vshader_map *map;

	if (!vm)
		return ERR_PTR(-ENOMEM);
	kref_init(&vm->ref);
	vm->bits = bits;
	vm->number = atomic64_inc_return(&numbers);
	vm->kernel_va = kernel_va;
	mutex_init(&vm->bind_lock);
	spin_lock_init(&vm->map_lock);
	vm->acct = vshader_account_get(acct);
	vshader_map_init(vm);
	vshader_edit_begin(&none, vm, NULL);
	map = vshader_map_new(&none);
	if (IS_ERR(map))
		goto err_vm;
	vm->map = map;
	vm->tag = vshader_vm_tag_new();
	if (vm->tag)
		return vm;
	map = ERR_PTR(-ENOMEM);
err_vm:
	vshader_vm_put(vm);
	return ERR_CAST(map);
}

/**
 * vshader_vm_create - DRM_IOCTL_VSHADER_VM_CREATE
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_vm_create(struct drm_file *file, struct drm_vshader_vm_create *args)
{
	struct vshader_file *vf = file->driver_priv;
	u32 bits = args->flags & DRM_VSHADER_VM_48BIT ? 48 : 32;
	u64 limit = bits == 48 ? VSHADER_MAX_VA_48 : VSHADER_MAX_VA_32;
	u64 start = args->kernel_va_start ?: VSHADER_KERNEL_VA;
	struct vshader_vm *vm;
	int ret;

	if (args->flags & ~DRM_VSHADER_VM_48BIT)
		return vshader_einval(&vf->vdev->drm, "flags %#x, known %#x", args->flags,
				      DRM_VSHADER_VM_48BIT);
	if (!PAGE_ALIGNED(start) || start < VSHADER_MIN_VA || start >= limit)
		return vshader_einval(&vf->vdev->drm,
				      "kernel_va_start %#llx, expected a page of %#llx to %#llx",
				      start, VSHADER_MIN_VA, limit);
	vm = vm_new(vf->account, bits, start);
	if (IS_ERR(vm))
		return PTR_ERR(vm);
	ret = vshader_id_alloc(&vf->vms, vm, &args->id);
	if (ret)
		vshader_vm_put(vm);
	return ret;
}

/**
 * vshader_vm_destroy - DRM_IOCTL_VSHADER_VM_DESTROY
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_vm_destroy(struct drm_file *file, struct drm_vshader_vm_destroy *args)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_vm *vm;

	if (args->pad)
		return vshader_einval(&vf->vdev->drm, "pad %u, expected 0", args->pad);
	vm = xa_erase(&vf->vms, args->id);
	if (!vm)
		return -ENOENT;
	vshader_vm_put(vm);
	return 0;
}

static int vm_check_unmap(const struct drm_device *drm, const struct drm_vshader_vm_bind_op *op)
{
	if (op->flags != DRM_VSHADER_VM_BIND_UNMAP || op->bo_handle || op->bo_offset)
		return vshader_einval(drm, "unmap: flags %#x, bo_handle %u, bo_offset %#llx",
				      op->flags, op->bo_handle, op->bo_offset);
	return 0;
}

/* Check an operation as far as possible without locks. */
static int vm_check_op(const struct drm_device *drm, const struct vshader_vm *vm,
		       const struct drm_vshader_vm_bind_op *op)
{
	u64 limit = vshader_vm_limit(vm);

	if (op->flags & ~BIND_FLAGS)
		return vshader_einval(drm, "flags %#x, known %#x", op->flags, BIND_FLAGS);
	if (!op->size || !PAGE_ALIGNED(op->size) || op->size > limit - VSHADER_MIN_VA)
		return vshader_einval(drm, "size %#llx, expected pages, limit %#llx", op->size,
				      limit - VSHADER_MIN_VA);
	if (!(op->flags & DRM_VSHADER_VM_BIND_ALLOC_VA) &&
	    (!PAGE_ALIGNED(op->va) || op->va < VSHADER_MIN_VA || op->va > limit - op->size))
		return vshader_einval(drm, "va %#llx, expected a page of %#llx to %#llx", op->va,
				      VSHADER_MIN_VA, limit - op->size);
	if (op->flags & DRM_VSHADER_VM_BIND_UNMAP)
		return vm_check_unmap(drm, op);
	if (!PAGE_ALIGNED(op->bo_offset))
		return vshader_einval(drm, "bo_offset %#llx, expected a page", op->bo_offset);
	return 0;
}

static int vm_check_bo(const struct vshader_vm *vm, const struct drm_vshader_vm_bind_op *op,
		       struct vshader_bo *bo)
{
	const struct drm_gem_object *obj = vshader_bo_gem(bo);

	if (bo->tag && bo->tag != vm->tag)
		return vshader_einval(obj->dev, "bo_handle %u: exclusive to another VM",
				      op->bo_handle);
	if (op->bo_offset > obj->size || op->size > obj->size - op->bo_offset)
		return vshader_einval(obj->dev, "bo_offset %#llx, size %#llx, the object has %#zx",
				      op->bo_offset, op->size, obj->size);
	return 0;
}

/* Look the object up and make sure that it stays mapped for the kernel. */
static int prepare_op(struct drm_file *file, const struct vshader_vm *vm, struct bind_op *op)
{
	struct drm_gem_object *obj;
	int ret;

	ret = vm_check_op(file->minor->dev, vm, &op->u);
	if (ret)
		return ret;
	if (op->u.flags & DRM_VSHADER_VM_BIND_UNMAP)
		return 0;
	obj = drm_gem_object_lookup(file, op->u.bo_handle);
	if (!obj)
		return -ENOENT;
	ret = vm_check_bo(vm, &op->u, to_vshader_bo(obj));
	if (ret)
		goto out_put;
	ret = vshader_bo_map(to_vshader_bo(obj));
	if (ret)
		goto out_put;
	op->bo = to_vshader_bo(obj);
out_put:
	drm_gem_object_put(obj);
	return ret;
}

static u32 extent_flags(u32 flags)
{
	return (flags & DRM_VSHADER_VM_BIND_READONLY ? 0 : VS_EXT_WRITE) |
	       (flags & DRM_VSHADER_VM_BIND_NOEXEC ? 0 : VS_EXT_EXEC);
}

static int apply_op(const struct vshader_vm *vm, struct vshader_edit *edit, struct bind_op *op)
{
	int ret;

	if (op->u.flags & DRM_VSHADER_VM_BIND_ALLOC_VA) {
		ret = vs_mappings_gap(&edit->ext, vm->kernel_va, vshader_vm_limit(vm),
				      op->u.size, PAGE_SIZE, &op->u.va);
		if (ret)
			return ret;
	}
	if (op->bo)
		ret = vshader_edit_map(edit, op->u.va, op->u.size, op->bo, op->u.bo_offset,
				       extent_flags(op->u.flags));
	else
		ret = vshader_edit_unmap(edit, op->u.va, op->u.size);
	if (ret)
		return ret;
	return edit->ext.n > VSHADER_MAX_MAPPINGS ? -E2BIG : 0;
}

/* Tell userspace the addresses that were picked. */
static int report_vas(const struct drm_vshader_obj_array *array, const struct bind_op *ops,
		      u32 *bad)
{
	u32 i;

	for (i = 0; i < array->count; i++) {
		u64 at = array->array + (u64)i * array->stride +
			 offsetof(struct drm_vshader_vm_bind_op, va);

		if (!(ops[i].u.flags & DRM_VSHADER_VM_BIND_ALLOC_VA))
			continue;
		if (copy_to_user(u64_to_user_ptr(at), &ops[i].u.va, sizeof(u64))) {
			*bad = i;
			return -EFAULT;
		}
	}
	return 0;
}

static void set_map(struct vshader_vm *vm, struct vshader_map *map)
{
	struct vshader_map *old = vm->map;

	spin_lock(&vm->map_lock);
	vm->map = map;
	spin_unlock(&vm->map_lock);
	vshader_map_put(old);
}

/* Put a snapshot in place, or return its error. */
static int vm_commit(struct vshader_vm *vm, struct vshader_edit *edit)
{
	struct vshader_map *map = vshader_map_new(edit);

	if (IS_ERR(map))
		return PTR_ERR(map);
	set_map(vm, map);
	return 0;
}

int vshader_vm_map(struct vshader_vm *vm, u64 va, struct vshader_bo *bo, u32 flags)
{
	struct vshader_edit edit;
	int ret;

	mutex_lock(&vm->bind_lock);
	vshader_edit_begin(&edit, vm, vm->map);
	ret = vshader_edit_map(&edit, va, vshader_bo_gem(bo)->size, bo, 0, flags);
	if (ret)
		vshader_edit_abort(&edit);
	else
		ret = vm_commit(vm, &edit);
	mutex_unlock(&vm->bind_lock);
	return ret;
}

void vshader_vm_unmap(struct vshader_vm *vm, u64 va, u64 size)
{
	struct vshader_edit edit;
	int ret;

	mutex_lock(&vm->bind_lock);
	/* jobs allocate no nodes but for injected faults */
	vm->mapped.must = true;
	vm->heaps.must = true;
	vshader_edit_begin(&edit, vm, vm->map);
	ret = vshader_edit_unmap(&edit, va, size);
	if (ret)
		vshader_edit_abort(&edit);
	else
		ret = vm_commit(vm, &edit);
	WARN_ON(ret);
	vm->heaps.must = false;
	vm->mapped.must = false;
	mutex_unlock(&vm->bind_lock);
}

static int bind_locked(struct vshader_vm *vm, const struct drm_vshader_obj_array *array,
		       struct bind_op *ops, u32 *bad)
{
	struct vshader_edit edit;
	struct vshader_map *map;
	int ret;
	u32 i;

	vshader_edit_begin(&edit, vm, vm->map);
	for (i = 0; i < array->count; i++) {
		*bad = i;
		ret = apply_op(vm, &edit, &ops[i]);
		if (ret) {
			vshader_edit_abort(&edit);
			return ret;
		}
	}
	map = vshader_map_new(&edit);
	if (IS_ERR(map))
		return PTR_ERR(map);

	/* last, as nothing may have happened if userspace cannot be told */
	ret = report_vas(array, ops, bad);
	if (ret) {
		vshader_map_put(map);
		return ret;
	}
	set_map(vm, map);
	return 0;
}

static int bind_prepared(struct vshader_vm *vm, u32 vm_id,
			 const struct drm_vshader_obj_array *array, struct bind_op *ops,
			 u32 *bad)
{
	int ret;
	u32 i;

	ret = mutex_lock_interruptible(&vm->bind_lock);
	if (ret)
		return ret;
	ret = bind_locked(vm, array, ops, bad);
	mutex_unlock(&vm->bind_lock);
	if (ret)
		return ret;
	for (i = 0; i < array->count; i++)
		trace_vshader_bind(vm_id, &ops[i].u);
	return 0;
}

static int bind_ops(struct drm_file *file, struct vshader_vm *vm,
		    const struct drm_vshader_vm_bind *args, u32 *bad)
{
	struct drm_vshader_vm_bind_op *uops;
	struct bind_op *ops;
	int ret;
	u32 i;

	uops = VSHADER_COPY_ARRAY(file->minor->dev, &args->ops, VSHADER_MAX_BIND_OPS,
				  struct drm_vshader_vm_bind_op, size, bad);
	if (IS_ERR_OR_NULL(uops))
		return PTR_ERR_OR_ZERO(uops);
	ops = kvcalloc(args->ops.count, sizeof(*ops), GFP_KERNEL_ACCOUNT);
	if (!ops) {
		ret = -ENOMEM;
		goto out_uops;
	}
	for (i = 0; i < args->ops.count; i++) {
		*bad = i;
		ops[i].u = uops[i];
		ret = prepare_op(file, vm, &ops[i]);
		if (ret)
			goto out_ops;
	}
	ret = bind_prepared(vm, args->vm_id, &args->ops, ops, bad);
out_ops:
	for (i = 0; i < args->ops.count; i++) {
		if (ops[i].bo)
			vshader_bo_unmap(ops[i].bo);
	}
	kvfree(ops);
out_uops:
	kvfree(uops);
	return ret;
}

/**
 * vshader_vm_bind - DRM_IOCTL_VSHADER_VM_BIND
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error, with the operation at fault in @args unless -EINTR.
 */
int vshader_vm_bind(struct drm_file *file, struct drm_vshader_vm_bind *args)
{
	struct vshader_vm *vm = vshader_vm_lookup(file->driver_priv, args->vm_id);
	u32 bad = 0;
	int ret;

	if (!vm)
		return -ENOENT;
	ret = bind_ops(file, vm, args, &bad);
	vshader_vm_put(vm);
	if (ret && ret != -EINTR)
		args->failed_op = bad;
	return ret;
}
