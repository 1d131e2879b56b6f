// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of the lima personality.
 *
 * A heap has memory for the first %LIMA_HEAP_PAGES pages of its addresses, and gets it for the
 * others when jobs access them. The lima driver doubles a heap when the chip has used it up.
 */
#include <drm/drm_utils.h>
#include <drm/drm_vma_manager.h>

#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "personality/lima.h"
#include "personality/lima_uapi.h"

int lima_bo_open(struct vshader_bo *bo, struct drm_file *file)
{
	struct pers_place place;

	lima_place(pers_bo_size(bo), false, &place);
	return pers_bo_open(bo, file, &place);
}

int lima_gem_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_lima_gem_create *args = data;
	u64 size = PAGE_ALIGN((u64)args->size), va;
	struct vshader_bo *bo;

	if (args->pad || args->flags & ~LIMA_BO_FLAG_HEAP || !args->size)
		return vshader_einval(drm, "pad %u, flags %#x, known %#x, size %u", args->pad,
				      args->flags, LIMA_BO_FLAG_HEAP, args->size);
	if (args->flags & LIMA_BO_FLAG_HEAP)
		bo = pers_bo_new(file->driver_priv, size, lima_heap_first(size, PAGE_SIZE));
	else
		bo = vshader_bo_new(to_vshader_device(drm), size, 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	bo->personal = args->flags;
	return pers_bo_handle(file, bo, &args->handle, &va);
}

/* As in the lima driver, a heap has an offset, too; to map it is an error. */
int lima_gem_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_lima_gem_info *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);

	if (!obj)
		return -ENOENT;
	args->va = pers_bo_va(file, to_vshader_bo(obj));
	args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	drm_gem_object_put(obj);
	return args->va ? 0 : -ENOENT;
}

int lima_gem_wait(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_lima_gem_wait *args = data;
	int ret;

	if (args->op & ~(LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE))
		return vshader_einval(drm, "op %#x, known %#x", args->op,
				      LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE);
	if (!args->op)
		return 0;
	/* who writes waits for all, who reads for those that write */
	ret = pers_bo_wait(file, args->handle, dma_resv_usage_rw(args->op & LIMA_GEM_WAIT_WRITE),
			   drm_timeout_abs_to_jiffies(args->timeout_ns));
	/* drm_gem_dma_resv_wait()'s error */
	return ret == -ENOENT ? vshader_einval(drm, "no handle %u", args->handle) : ret;
}
