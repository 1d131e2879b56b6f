// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address spaces.
 *
 * An address space is a pointer to its current snapshot. VM_BIND builds a new snapshot
 * from the old one and the operations, and puts it in place only when everything has
 * succeeded. Jobs hold the snapshot that was current when they were submitted, so that
 * translation needs no lock and unmapping never races with execution.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_gem.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_gem.h"
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

static void vm_release(struct kref *ref)
{
	struct vshader_vm *vm = container_of(ref, struct vshader_vm, ref);

	vshader_map_put(vm->map);
	vshader_vm_tag_put(vm->tag);
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

static struct vshader_vm *vm_new(u32 bits, u64 kernel_va)
{
	const struct vs_mappings none = {};
	static atomic64_t numbers;
	struct vshader_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);

	if (!vm)
		return NULL;
	kref_init(&vm->ref);
	vm->bits = bits;
	vm->number = atomic64_inc_return(&numbers);
	vm->kernel_va = kernel_va;
	mutex_init(&vm->bind_lock);
	spin_lock_init(&vm->map_lock);
	vm->tag = vshader_vm_tag_new();
	vm->map = vshader_map_new(&none);
	if (!IS_ERR(vm->map) && vm->tag)
		return vm;
	if (IS_ERR(vm->map))
		vm->map = NULL;
	vshader_vm_put(vm);
	return NULL;
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
		return -EINVAL;
	if (!PAGE_ALIGNED(start) || start < VSHADER_MIN_VA || start >= limit)
		return -EINVAL;
	vm = vm_new(bits, start);
	if (!vm)
		return -ENOMEM;
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
		return -EINVAL;
	vm = xa_erase(&vf->vms, args->id);
	if (!vm)
		return -ENOENT;
	vshader_vm_put(vm);
	return 0;
}

static int check_unmap(const struct drm_vshader_vm_bind_op *op)
{
	if (op->flags != DRM_VSHADER_VM_BIND_UNMAP || op->bo_handle || op->bo_offset)
		return -EINVAL;
	return 0;
}

/* Check an operation as far as possible without locks. */
static int check_op(const struct vshader_vm *vm, const struct drm_vshader_vm_bind_op *op)
{
	u64 limit = vshader_vm_limit(vm);

	if (op->flags & ~BIND_FLAGS)
		return -EINVAL;
	if (!op->size || !PAGE_ALIGNED(op->size) || op->size > limit - VSHADER_MIN_VA)
		return -EINVAL;
	if (!(op->flags & DRM_VSHADER_VM_BIND_ALLOC_VA) &&
	    (!PAGE_ALIGNED(op->va) || op->va < VSHADER_MIN_VA || op->va > limit - op->size))
		return -EINVAL;
	if (op->flags & DRM_VSHADER_VM_BIND_UNMAP)
		return check_unmap(op);
	return PAGE_ALIGNED(op->bo_offset) ? 0 : -EINVAL;
}

static int check_bo(const struct vshader_vm *vm, const struct drm_vshader_vm_bind_op *op,
		    struct vshader_bo *bo)
{
	u64 size = vshader_bo_gem(bo)->size;

	if (bo->tag && bo->tag != vm->tag)
		return -EINVAL;
	if (op->bo_offset > size || op->size > size - op->bo_offset)
		return -EINVAL;
	return 0;
}

/* Look the object up and make sure that it stays mapped for the kernel. */
static int prepare_op(struct drm_file *file, const struct vshader_vm *vm, struct bind_op *op)
{
	struct drm_gem_object *obj;
	int ret;

	ret = check_op(vm, &op->u);
	if (ret || op->u.flags & DRM_VSHADER_VM_BIND_UNMAP)
		return ret;
	obj = drm_gem_object_lookup(file, op->u.bo_handle);
	if (!obj)
		return -ENOENT;
	ret = check_bo(vm, &op->u, to_vshader_bo(obj));
	if (!ret)
		ret = vshader_bo_map(to_vshader_bo(obj));
	if (!ret)
		op->bo = to_vshader_bo(obj);
	drm_gem_object_put(obj);
	return ret;
}

static u32 extent_flags(u32 flags)
{
	return (flags & DRM_VSHADER_VM_BIND_READONLY ? 0 : VS_EXT_WRITE) |
	       (flags & DRM_VSHADER_VM_BIND_NOEXEC ? 0 : VS_EXT_EXEC);
}

static int apply_op(const struct vshader_vm *vm, struct vs_mappings *x, struct bind_op *op)
{
	struct vs_mapping e = {
		.size = op->u.size,
		.off = op->u.bo_offset,
		.obj = op->bo,
		.flags = extent_flags(op->u.flags),
	};
	int ret;

	if (op->u.flags & DRM_VSHADER_VM_BIND_ALLOC_VA) {
		ret = vs_mappings_gap(x, vm->kernel_va, vshader_vm_limit(vm),
				      op->u.size, PAGE_SIZE, &op->u.va);
		if (ret)
			return ret;
	}
	e.va = op->u.va;
	if (op->bo)
		ret = vs_mappings_map(x, &e);
	else
		ret = vs_mappings_unmap(x, e.va, e.size);
	if (!ret && x->n > VSHADER_MAX_MAPPINGS)
		ret = -E2BIG;
	return ret;
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

/* Copy the current mappings, with room for the additions of @n operations. */
static int extents_copy(const struct vshader_vm *vm, u32 n, struct vs_mappings *x)
{
	const struct vs_mappings *now = &vm->map->ext;

	x->cap = now->n + n * VS_MAPPINGS_GROWTH;
	x->e = kvmalloc_array(x->cap, sizeof(*x->e), GFP_KERNEL_ACCOUNT);
	if (!x->e)
		return -ENOMEM;
	if (now->n)
		memcpy(x->e, now->e, now->n * sizeof(*x->e));
	x->n = now->n;
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

int vshader_vm_replace(struct vshader_vm *vm, const struct vs_mappings *x)
{
	struct vshader_map *map = vshader_map_new(x);

	if (IS_ERR(map))
		return PTR_ERR(map);
	mutex_lock(&vm->bind_lock);
	set_map(vm, map);
	mutex_unlock(&vm->bind_lock);
	return 0;
}

static int bind_locked(struct vshader_vm *vm, const struct drm_vshader_obj_array *array,
		       struct bind_op *ops, u32 *bad)
{
	struct vs_mappings x = {};
	struct vshader_map *map;
	int ret;
	u32 i;

	ret = extents_copy(vm, array->count, &x);
	if (ret)
		return ret;
	for (i = 0; i < array->count && !ret; i++) {
		*bad = i;
		ret = apply_op(vm, &x, &ops[i]);
	}
	map = ret ? ERR_PTR(ret) : vshader_map_new(&x);
	kvfree(x.e);
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
	for (i = 0; !ret && i < array->count; i++)
		trace_vshader_bind(vm_id, &ops[i].u);
	return ret;
}

static int bind_ops(struct drm_file *file, struct vshader_vm *vm,
		    const struct drm_vshader_vm_bind *args, u32 *bad)
{
	struct drm_vshader_vm_bind_op *uops;
	struct bind_op *ops;
	int ret = 0;
	u32 i;

	uops = VSHADER_COPY_ARRAY(&args->ops, VSHADER_MAX_BIND_OPS,
				  struct drm_vshader_vm_bind_op, size, bad);
	if (IS_ERR_OR_NULL(uops))
		return PTR_ERR_OR_ZERO(uops);
	ops = kvcalloc(args->ops.count, sizeof(*ops), GFP_KERNEL_ACCOUNT);
	if (!ops)
		ret = -ENOMEM;
	for (i = 0; i < args->ops.count && !ret; i++) {
		*bad = i;
		ops[i].u = uops[i];
		ret = prepare_op(file, vm, &ops[i]);
	}
	if (!ret)
		ret = bind_prepared(vm, args->vm_id, &args->ops, ops, bad);
	for (i = 0; ops && i < args->ops.count; i++) {
		if (ops[i].bo)
			vshader_bo_unmap(ops[i].bo);
	}
	kvfree(ops);
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
