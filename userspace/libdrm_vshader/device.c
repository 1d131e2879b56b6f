// SPDX-License-Identifier: MIT
/*
 * Devices, buffers and address spaces.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

const char *vshader_version(void)
{
#define STR2(x) #x
#define STR(x) STR2(x)
	return STR(VSHADER_VERSION_MAJOR) "." STR(VSHADER_VERSION_MINOR);
}

static int open_auto(struct vshader_device *dev)
{
	struct vshader_node node;
	int n = vshader_list_nodes(&node, 1);

	if (n > 0)
		return vsh_kernel_open(dev, node.path);
	return vsh_local_open(dev, "");
}

int vshader_open(const char *spec, struct vshader_device **out)
{
	struct vshader_device *dev = calloc(1, sizeof(*dev));
	int ret;

	if (!dev)
		return vsh_fail(ENOMEM, "out of memory");
	dev->fd = -1;
	if (!spec || !strcmp(spec, "auto"))
		ret = open_auto(dev);
	else if (!strcmp(spec, "local"))
		ret = vsh_local_open(dev, "");
	else if (!strncmp(spec, "local:", 6))
		ret = vsh_local_open(dev, spec + 6);
	else
		ret = vsh_kernel_open(dev, spec);
	if (ret)
		free(dev);
	else
		*out = dev;
	return ret;
}

int vshader_open_fd(int fd, struct vshader_device **out)
{
	struct vshader_device *dev = calloc(1, sizeof(*dev));
	int ret;

	if (!dev)
		return vsh_fail(ENOMEM, "out of memory");
	dev->fd = -1;
	ret = vsh_kernel_open_fd(dev, fd);
	if (ret)
		free(dev);
	else
		*out = dev;
	return ret;
}

void vshader_close(struct vshader_device *dev)
{
	if (!dev)
		return;
	if (dev->spare_sync)
		vshader_sync_destroy(dev, dev->spare_sync);
	dev->backend->close(dev);
	free(dev);
}

bool vshader_device_is_local(const struct vshader_device *dev)
{
	return dev->local;
}

const char *vshader_device_name(const struct vshader_device *dev)
{
	return dev->name;
}

void vshader_device_version(const struct vshader_device *dev, unsigned int *major,
			    unsigned int *minor)
{
	*major = dev->major;
	*minor = dev->minor;
}

int vshader_device_fd(const struct vshader_device *dev)
{
	return dev->fd;
}

int vshader_ioctl(struct vshader_device *dev, unsigned long request, void *arg)
{
	return dev->backend->ioctl(dev, request, arg);
}

/* ---- information ---- */

static int query(struct vshader_device *dev, uint32_t type, void *p, uint32_t size)
{
	struct drm_vshader_dev_query args = {
		.type = type,
		.size = size,
		.pointer = (uintptr_t)p,
	};

	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_DEV_QUERY, &args);
}

/* An array whose length only the device knows. */
static int query_array(struct vshader_device *dev, uint32_t type, void *p, uint32_t element,
		       unsigned int max)
{
	struct drm_vshader_dev_query args = { .type = type };
	uint32_t bytes;
	void *all;
	int ret;

	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_DEV_QUERY, &args);
	if (ret)
		return ret;
	bytes = args.size;
	all = calloc(1, bytes ? bytes : 1);
	if (!all)
		return vsh_fail(ENOMEM, "out of memory");
	ret = query(dev, type, all, bytes);
	if (!ret && max)
		memcpy(p, all, max < bytes / element ? max * element :
		       bytes / element * element);
	free(all);
	return ret ? ret : (int)(bytes / element);
}

int vshader_get_dev_info(struct vshader_device *dev, struct drm_vshader_dev_info *info)
{
	return query(dev, DRM_VSHADER_DEV_QUERY_DEV_INFO, info, sizeof(*info));
}

int vshader_get_limits(struct vshader_device *dev, struct drm_vshader_limits *limits)
{
	return query(dev, DRM_VSHADER_DEV_QUERY_LIMITS, limits, sizeof(*limits));
}

int vshader_get_engines(struct vshader_device *dev, struct drm_vshader_engine_info *engines,
			unsigned int max)
{
	return query_array(dev, DRM_VSHADER_DEV_QUERY_ENGINE_INFO, engines, sizeof(*engines), max);
}

int vshader_get_numerics(struct vshader_device *dev, struct drm_vshader_numeric_info *numerics,
			 unsigned int max)
{
	return query_array(dev, DRM_VSHADER_DEV_QUERY_NUMERIC_INFO, numerics, sizeof(*numerics),
			   max);
}

/* ---- buffers ---- */

static struct vshader_bo *new_bo(struct vshader_device *dev)
{
	struct vshader_bo *bo = calloc(1, sizeof(*bo));

	if (bo)
		bo->dev = dev;
	return bo;
}

int vshader_bo_create(struct vshader_device *dev, uint64_t size, uint32_t flags,
		      uint32_t exclusive_vm, struct vshader_bo **out)
{
	struct drm_vshader_bo_create args = {
		.size = size,
		.flags = flags,
		.exclusive_vm_id = exclusive_vm,
	};
	struct vshader_bo *bo = new_bo(dev);
	int ret;

	if (!bo)
		return vsh_fail(ENOMEM, "out of memory");
	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_BO_CREATE, &args);
	if (ret) {
		free(bo);
		return ret;
	}
	bo->handle = args.handle;
	bo->size = args.size;
	*out = bo;
	return 0;
}

int vshader_bo_import(struct vshader_device *dev, int fd, struct vshader_bo **out)
{
	struct vshader_bo *bo = new_bo(dev);
	int ret;

	if (!bo)
		return vsh_fail(ENOMEM, "out of memory");
	ret = dev->backend->bo_import(dev, fd, &bo->handle, &bo->size);
	if (ret)
		free(bo);
	else
		*out = bo;
	return ret;
}

int vshader_bo_export(struct vshader_bo *bo, int *fd)
{
	return bo->dev->backend->bo_export(bo, fd);
}

void vshader_bo_destroy(struct vshader_bo *bo)
{
	if (!bo)
		return;
	bo->dev->backend->bo_close(bo);
	free(bo);
}

int vshader_bo_map(struct vshader_bo *bo, void **ptr)
{
	int ret = bo->ptr ? 0 : bo->dev->backend->bo_map(bo);

	if (!ret)
		*ptr = bo->ptr;
	return ret;
}

int vshader_bo_set_label(struct vshader_bo *bo, const char *label)
{
	struct drm_vshader_bo_set_label args = {
		.handle = bo->handle,
		.label = (uintptr_t)label,
	};

	return vshader_ioctl(bo->dev, DRM_IOCTL_VSHADER_BO_SET_LABEL, &args);
}

uint64_t vshader_bo_size(const struct vshader_bo *bo)
{
	return bo->size;
}

uint32_t vshader_bo_handle(const struct vshader_bo *bo)
{
	return bo->handle;
}

/* ---- address spaces ---- */

int vshader_vm_create(struct vshader_device *dev, uint32_t flags, uint64_t alloc_start,
		      uint32_t *id)
{
	struct drm_vshader_vm_create args = {
		.flags = flags,
		.kernel_va_start = alloc_start,
	};
	int ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_VM_CREATE, &args);

	if (!ret)
		*id = args.id;
	return ret;
}

int vshader_vm_destroy(struct vshader_device *dev, uint32_t id)
{
	struct drm_vshader_vm_destroy args = { .id = id };

	return vshader_ioctl(dev, DRM_IOCTL_VSHADER_VM_DESTROY, &args);
}

int vshader_vm_bind(struct vshader_device *dev, uint32_t id, struct drm_vshader_vm_bind_op *ops,
		    uint32_t num_ops)
{
	struct drm_vshader_vm_bind args = {
		.vm_id = id,
		.ops = DRM_VSHADER_OBJ_ARRAY(num_ops, ops),
	};
	int ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_VM_BIND, &args);

	if (ret && args.failed_op < num_ops) {
		const struct drm_vshader_vm_bind_op *op = &ops[args.failed_op];

		vsh_fail_prefix("operation %u (%s %#llx, %llu bytes): ", args.failed_op,
				op->flags & DRM_VSHADER_VM_BIND_UNMAP ? "unmap" : "map",
				(unsigned long long)op->va, (unsigned long long)op->size);
	}
	return ret;
}

int vshader_vm_map(struct vshader_device *dev, uint32_t id, struct vshader_bo *bo, uint32_t flags,
		   uint64_t *va)
{
	struct drm_vshader_vm_bind_op op = {
		.flags = flags | (*va ? 0 : DRM_VSHADER_VM_BIND_ALLOC_VA),
		.bo_handle = bo->handle,
		.va = *va,
		.size = bo->size,
	};
	int ret = vshader_vm_bind(dev, id, &op, 1);

	if (!ret)
		*va = op.va;
	return ret;
}

int vshader_vm_unmap(struct vshader_device *dev, uint32_t id, uint64_t va, uint64_t size)
{
	struct drm_vshader_vm_bind_op op = {
		.flags = DRM_VSHADER_VM_BIND_UNMAP,
		.va = va,
		.size = size,
	};

	return vshader_vm_bind(dev, id, &op, 1);
}
