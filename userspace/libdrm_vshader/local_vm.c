// SPDX-License-Identifier: MIT
/*
 * Local backend: address spaces. As in the kernel driver, a bind makes a new snapshot
 * from the old one and puts it in place when everything has succeeded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

/* ---- snapshots ---- */

static void bo_get(void *obj)
{
	struct vsl_bo *bo = obj;

	atomic_fetch_add(&bo->ref, 1);
}

static void bo_put(void *obj)
{
	vsl_bo_put(obj);
}

static int node_alloc(struct vs_mappings_owner *o, void **node)
{
	*node = malloc(VS_MAPPINGS_NODE);
	return *node ? 0 : -ENOMEM;
}

static void node_free(struct vs_mappings_owner *o, void *node)
{
	free(node);
}

static const struct vs_mappings_ops mappings_ops = {
	.alloc = node_alloc,
	.free = node_free,
	.get = bo_get,
	.put = bo_put,
};

static struct vs_mappings_owner owner = { .ops = &mappings_ops };

void vsl_map_put(struct vsl_map *map)
{
	if (!map || atomic_fetch_sub(&map->ref, 1) != 1)
		return;
	vs_mappings_fini(&map->ext);
	free(map);
}

/* Takes @x over on success. */
static struct vsl_map *map_new(struct vs_mappings *x)
{
	struct vsl_map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	atomic_init(&map->ref, 1);
	map->ext = *x;
	map->vs.mappings = &map->ext;
	return map;
}

bool vsl_map_writable(const struct vsl_map *map, uint64_t va, uint64_t size)
{
	return vs_mappings_covered(&map->ext, va, size, VS_EXT_WRITE);
}

/* ---- address spaces ---- */

uint64_t vsl_vm_limit(const struct vsl_vm *vm)
{
	return vm->bits == 48 ? VSL_MAX_VA_48 : VSL_MAX_VA_32;
}

struct vsl_vm *vsl_vm_lookup(struct vsl_device *d, uint32_t id)
{
	struct vsl_vm *vm;

	pthread_mutex_lock(&d->lock);
	vm = vsl_table_get(&d->vms, id);
	if (vm)
		atomic_fetch_add(&vm->ref, 1);
	pthread_mutex_unlock(&d->lock);
	if (!vm)
		vsh_fail(ENOENT, "there is no VM %u", id);
	return vm;
}

void vsl_vm_put(struct vsl_vm *vm)
{
	if (!vm || atomic_fetch_sub(&vm->ref, 1) != 1)
		return;
	vsl_map_put(vm->map);
	if (atomic_fetch_sub(&vm->tag->ref, 1) == 1)
		free(vm->tag);
	free(vm);
}

struct vsl_map *vsl_vm_snapshot(struct vsl_device *d, struct vsl_vm *vm)
{
	struct vsl_map *map;

	pthread_mutex_lock(&d->lock);
	map = vm->map;
	atomic_fetch_add(&map->ref, 1);
	pthread_mutex_unlock(&d->lock);
	return map;
}

/* Of address spaces. */
static atomic_uint numbers;

static struct vsl_vm *vm_new(unsigned int bits, uint64_t start)
{
	struct vs_mappings none = { .owner = &owner };
	struct vsl_vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return NULL;
	vm->tag = calloc(1, sizeof(*vm->tag));
	vm->map = map_new(&none);
	if (!vm->tag || !vm->map) {
		free(vm->tag);
		vsl_map_put(vm->map);
		free(vm);
		return NULL;
	}
	atomic_init(&vm->ref, 1);
	atomic_init(&vm->tag->ref, 1);
	vm->number = ++numbers;
	vm->bits = bits;
	vm->alloc_start = start;
	return vm;
}

int vsl_vm_create(struct vsl_device *d, struct drm_vshader_vm_create *args)
{
	unsigned int bits = args->flags & DRM_VSHADER_VM_48BIT ? 48 : 32;
	struct vsl_vm *vm;
	int ret = vsh_check_vm_create(args);

	if (ret)
		return ret;
	vm = vm_new(bits, args->kernel_va_start ? args->kernel_va_start : VSL_KERNEL_VA);
	if (!vm)
		return vsh_fail(ENOMEM, "out of memory");
	pthread_mutex_lock(&d->lock);
	ret = vsl_table_add(&d->vms, vm, VSL_MAX_OBJECTS, &args->id);
	pthread_mutex_unlock(&d->lock);
	if (ret) {
		vsl_vm_put(vm);
		return vsh_fail(-ret, "too many VMs, the limit is %u", VSL_MAX_OBJECTS);
	}
	return 0;
}

int vsl_vm_destroy(struct vsl_device *d, struct drm_vshader_vm_destroy *args)
{
	struct vsl_vm *vm;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	pthread_mutex_lock(&d->lock);
	vm = vsl_table_remove(&d->vms, args->id);
	pthread_mutex_unlock(&d->lock);
	if (!vm)
		return vsh_fail(ENOENT, "there is no VM %u", args->id);
	vsl_vm_put(vm);
	return 0;
}

/* ---- binding ---- */

static int check_bo(const struct vsl_vm *vm, const struct drm_vshader_vm_bind_op *op,
		    const struct vsl_bo *bo)
{
	if (bo->tag && bo->tag != vm->tag)
		return vsh_fail(EINVAL, "buffer %u is exclusive to another VM", op->bo_handle);
	if (op->bo_offset > bo->size || op->size > bo->size - op->bo_offset)
		return vsh_fail(EINVAL, "the range is not inside of buffer %u of %llu bytes",
				op->bo_handle, (unsigned long long)bo->size);
	return 0;
}

static int place_op(const struct vsl_vm *vm, const struct vs_mappings *x,
		    struct drm_vshader_vm_bind_op *op)
{
	u64 va;

	if (!(op->flags & DRM_VSHADER_VM_BIND_ALLOC_VA))
		return 0;
	if (vs_mappings_gap(x, vm->alloc_start, vsl_vm_limit(vm), op->size, 1, &va))
		return vsh_fail(ENOSPC, "there is no gap of %llu bytes",
				(unsigned long long)op->size);
	op->va = va;
	return 0;
}

static u32 extent_flags(u32 flags)
{
	return (flags & DRM_VSHADER_VM_BIND_READONLY ? 0 : VS_EXT_WRITE) |
	       (flags & DRM_VSHADER_VM_BIND_NOEXEC ? 0 : VS_EXT_EXEC);
}

/* @held keeps the buffer alive that the operation maps. */
static int apply_op(struct vsl_device *d, const struct vsl_vm *vm, struct vs_mappings *x,
		    struct drm_vshader_vm_bind_op *op, struct vsl_bo **held)
{
	struct vs_mapping e = { .off = op->bo_offset };
	int ret = vsh_check_bind_op(op, vsl_vm_limit(vm));

	if (ret)
		return ret;
	if (!(op->flags & DRM_VSHADER_VM_BIND_UNMAP)) {
		*held = vsl_bo_lookup(d, op->bo_handle);
		if (!*held)
			return -ENOENT;
		ret = check_bo(vm, op, *held);
	}
	if (!ret)
		ret = place_op(vm, x, op);
	if (ret)
		return ret;
	if (*held) {
		e.x = (struct vs_extent){
			.lo = op->va,
			.hi = op->va + op->size,
			.kva = (*held)->ptr + op->bo_offset,
			.flags = extent_flags(op->flags),
		};
		e.obj = *held;
		ret = vs_mappings_map(x, &e);
	} else {
		ret = vs_mappings_unmap(x, op->va, op->size);
	}
	if (ret)
		return vsh_fail(-ret, "out of memory");
	if (x->n > VSL_MAX_MAPPINGS)
		return vsh_fail(E2BIG, "%u mappings, the limit is %u", x->n, VSL_MAX_MAPPINGS);
	return 0;
}

static int commit(struct vsl_device *d, struct vsl_vm *vm, struct vs_mappings *x)
{
	struct vsl_map *map, *old;

	map = map_new(x);
	if (!map)
		return vsh_fail(ENOMEM, "out of memory");
	pthread_mutex_lock(&d->lock);
	old = vm->map;
	vm->map = map;
	pthread_mutex_unlock(&d->lock);
	vsl_map_put(old);
	return 0;
}

static int bind(struct vsl_device *d, struct vsl_vm *vm, struct drm_vshader_vm_bind *args,
		struct drm_vshader_vm_bind_op *ops, struct vsl_bo **held)
{
	struct vs_mappings x;
	uint32_t i, n = args->ops.count;
	int ret = 0;

	/* Nobody else changes the snapshot: binds hold the submit lock. */
	vs_mappings_copy(&x, &vm->map->ext);
	for (i = 0; i < n && !ret; i++) {
		ret = apply_op(d, vm, &x, &ops[i], &held[i]);
		if (ret)
			args->failed_op = i;
	}
	if (!ret)
		ret = commit(d, vm, &x);
	if (ret) {
		vs_mappings_fini(&x);
		return ret;
	}
	for (i = 0; i < n; i++) {
		uint64_t at = args->ops.array + (uint64_t)i * args->ops.stride;

		if (ops[i].flags & DRM_VSHADER_VM_BIND_ALLOC_VA)
			((struct drm_vshader_vm_bind_op *)(uintptr_t)at)->va = ops[i].va;
	}
	return 0;
}

int vsl_vm_bind(struct vsl_device *d, struct drm_vshader_vm_bind *args)
{
	struct vsl_vm *vm = vsl_vm_lookup(d, args->vm_id);
	struct drm_vshader_vm_bind_op *ops;
	struct vsl_bo **held;
	uint32_t i, bad = 0;
	void *copy;
	int ret;

	if (!vm)
		return -ENOENT;
	ret = vsl_copy_array(&args->ops, VSL_MAX_BIND_OPS, sizeof(*ops),
			     offsetof(struct drm_vshader_vm_bind_op, size) + sizeof(ops->size),
			     &copy, &bad, "VM_BIND operations");
	if (ret || !copy) {
		if (ret)
			args->failed_op = bad;
		vsl_vm_put(vm);
		return ret;
	}
	ops = copy;
	held = calloc(args->ops.count, sizeof(*held));
	if (held) {
		pthread_mutex_lock(&d->submit_lock);
		ret = bind(d, vm, args, ops, held);
		pthread_mutex_unlock(&d->submit_lock);
		for (i = 0; i < args->ops.count; i++)
			vsl_bo_put(held[i]);
	} else {
		ret = vsh_fail(ENOMEM, "out of memory");
	}
	free(held);
	free(ops);
	vsl_vm_put(vm);
	return ret;
}
