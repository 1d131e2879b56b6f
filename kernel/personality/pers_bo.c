// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of personalities. A buffer has addresses in a file as long as the file has handles of
 * it. Several handles of a file share them; in drivers where each handle has its own addresses,
 * programs cannot tell which belong to which.
 */
#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_heap.h"
#include "personality/pers.h"

u64 pers_bo_size(struct vshader_bo *bo)
{
	return bo->va_size ?: vshader_bo_gem(bo)->size;
}

static int pers_bo_open_locked(struct pers_file *pf, struct vshader_bo *bo,
			       const struct pers_place *place)
{
	int ret;

	/* not for a purge any more, as the other file may need it */
	pers_madv_set(bo, PERS_MADV_WILLNEED);
	ret = pers_va_add(&pf->vas, bo, place);
	if (ret)
		return min(ret, 0);
	if (READ_ONCE(bo->base.madv) < 0)
		return 0;
	ret = vshader_vm_map(pf->vm, pers_va_of(&pf->vas, bo), bo, place->flags);
	if (ret)
		pers_va_remove(&pf->vas, bo);
	return ret;
}

int pers_bo_open(struct vshader_bo *bo, struct drm_file *file, const struct pers_place *place)
{
	struct pers_file *pf = to_pers_file(file);
	int ret;

	ret = vshader_bo_map(bo);
	if (ret)
		return ret;
	mutex_lock(&pf->lock);
	ret = pers_bo_open_locked(pf, bo, place);
	mutex_unlock(&pf->lock);
	/* the address space has a use of its own */
	vshader_bo_unmap(bo);
	return ret;
}

void pers_bo_close(struct vshader_bo *bo, struct drm_file *file)
{
	struct pers_file *pf = to_pers_file(file);
	u64 va;

	mutex_lock(&pf->lock);
	va = pers_va_of(&pf->vas, bo);
	if (pers_va_remove(&pf->vas, bo))
		vshader_vm_unmap(pf->vm, va, pers_bo_size(bo));
	pers_madv_set(bo, PERS_MADV_WILLNEED);
	mutex_unlock(&pf->lock);
}

struct vshader_bo *pers_bo_new(struct vshader_file *vf, u64 size, u64 first)
{
	struct vshader_bo *bo = vshader_bo_new(vf->vdev, min(size, first), DRM_VSHADER_BO_NO_MMAP,
					       NULL);
	struct vshader_heap *heap;

	if (IS_ERR(bo))
		return bo;
	bo->va_size = size;
	if (size <= first)
		return bo;
	heap = vshader_heap_new(vf->account, size - first);
	if (IS_ERR(heap)) {
		drm_gem_object_put(vshader_bo_gem(bo));
		return ERR_CAST(heap);
	}
	bo->heap = heap;
	return bo;
}

u64 pers_bo_va(struct drm_file *file, const struct vshader_bo *bo)
{
	struct pers_file *pf = to_pers_file(file);
	u64 va;

	mutex_lock(&pf->lock);
	va = pers_va_of(&pf->vas, bo);
	mutex_unlock(&pf->lock);
	return va;
}

int pers_bo_handle(struct drm_file *file, struct vshader_bo *bo, u32 *handle, u64 *va)
{
	int ret;

	ret = drm_gem_handle_create(file, vshader_bo_gem(bo), handle);
	if (ret)
		goto out_put;
	*va = pers_bo_va(file, bo);
	if (!*va)
		ret = vshader_einval(file->minor->dev, "handle %u is closed", *handle);
out_put:
	drm_gem_object_put(vshader_bo_gem(bo));
	return ret;
}

int pers_bo_offset(struct drm_file *file, u32 handle, u64 *va)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);

	if (!obj)
		return -ENOENT;
	*va = pers_bo_va(file, to_vshader_bo(obj));
	drm_gem_object_put(obj);
	if (!*va)
		return vshader_einval(file->minor->dev, "handle %u is closed", handle);
	return 0;
}

int pers_bo_wait(struct drm_file *file, u32 handle, enum dma_resv_usage usage,
		 unsigned long timeout)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	long ret;

	if (!obj)
		return -ENOENT;
	ret = dma_resv_wait_timeout(obj->resv, usage, true, timeout);
	drm_gem_object_put(obj);
	if (!ret)
		return timeout ? -ETIMEDOUT : -EBUSY;
	return ret < 0 ? ret : 0;
}
