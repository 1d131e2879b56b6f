// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of the panfrost personality. Each handle has addresses as long as it lives, as in the
 * panfrost driver; there is no ioctl that maps. The address space that jobs see is rebuilt by the
 * first submit after a change.
 *
 * A heap has its addresses, and memory behind the first %PAN_HEAP_SIZE bytes of them. The panfrost
 * driver adds pages when the GPU touches them; nothing may be allocated while a fence waits.
 */
#include <linux/dma-resv.h>

#include <panfrost_drm.h>

#include <drm/drm_utils.h>

#include "drm/vshader_gem.h"
#include "drm/vshader_vm.h"
#include "personality/panfrost.h"

int panfrost_bo_open(struct vshader_bo *bo, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);
	struct drm_gem_object *obj = vshader_bo_gem(bo);
	int ret;

	ret = vshader_bo_map(bo);
	if (ret)
		return ret;
	mutex_lock(&pf->lock);
	ret = pan_va_add(&pf->bos, bo, bo->va_size ?: obj->size,
			 obj->import_attach || bo->personal & PANFROST_BO_NOEXEC);
	pf->changed |= !ret;
	mutex_unlock(&pf->lock);
	if (ret)
		vshader_bo_unmap(bo);
	return ret;
}

void panfrost_bo_close(struct vshader_bo *bo, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);
	bool removed;

	mutex_lock(&pf->lock);
	removed = pan_va_remove(&pf->bos, bo);
	pf->changed |= removed;
	mutex_unlock(&pf->lock);
	if (removed)
		vshader_bo_unmap(bo);
}

/* What the addresses have memory behind. */
static void cut_heaps(struct vs_mappings *x)
{
	u32 i;

	for (i = 0; i < x->n; i++) {
		struct vshader_bo *bo = x->e[i].obj;

		x->e[i].size = vshader_bo_gem(bo)->size;
	}
}

static int update_locked(struct panfrost_file *pf)
{
	struct vs_mappings x = { .n = pf->bos.n, .cap = pf->bos.n };
	int ret;

	x.e = kvmalloc_array(x.n, sizeof(*x.e), GFP_KERNEL_ACCOUNT);
	if (x.n && !x.e)
		return -ENOMEM;
	if (x.n)
		memcpy(x.e, pf->bos.e, x.n * sizeof(*x.e));
	cut_heaps(&x);
	ret = vshader_vm_replace(pf->vm, &x);
	pf->changed = ret;
	kvfree(x.e);
	return ret;
}

int panfrost_bo_update(struct panfrost_file *pf)
{
	int ret = 0;

	mutex_lock(&pf->lock);
	if (pf->changed)
		ret = update_locked(pf);
	mutex_unlock(&pf->lock);
	return ret;
}

static u64 bo_va(struct panfrost_file *pf, const struct vshader_bo *bo)
{
	u64 va;

	mutex_lock(&pf->lock);
	va = pan_va_of(&pf->bos, bo);
	mutex_unlock(&pf->lock);
	return va;
}

int panfrost_create_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_create_bo *args = data;
	bool heap = args->flags & PANFROST_BO_HEAP;
	u64 size = PAGE_ALIGN((u64)args->size);
	struct vshader_bo *bo;
	int ret;

	if (!args->size || args->pad || pan_check_bo(args->flags))
		return -EINVAL;
	bo = vshader_bo_new(to_vshader_device(drm), heap ? min(size, PAN_HEAP_SIZE) : size,
			    heap ? DRM_VSHADER_BO_NO_MMAP : 0, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	bo->personal = args->flags;
	bo->va_size = heap ? size : 0;
	ret = drm_gem_handle_create(file, vshader_bo_gem(bo), &args->handle);
	if (!ret) {
		args->offset = bo_va(to_panfrost_file(file), bo);
		/* another thread may have guessed the handle and closed it */
		ret = args->offset ? 0 : -EINVAL;
	}
	drm_gem_object_put(vshader_bo_gem(bo));
	return ret;
}

int panfrost_mmap_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_mmap_bo *args = data;
	struct drm_vshader_bo_mmap_offset own = { .handle = args->handle };
	int ret;

	if (args->flags)
		return -EINVAL;
	ret = vshader_bo_mmap_offset(file, &own);
	if (!ret)
		args->offset = own.offset;
	return ret;
}

int panfrost_get_bo_offset(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_get_bo_offset *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);

	if (!obj)
		return -ENOENT;
	args->offset = bo_va(to_panfrost_file(file), to_vshader_bo(obj));
	drm_gem_object_put(obj);
	return args->offset ? 0 : -EINVAL;
}

int panfrost_wait_bo(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_wait_bo *args = data;
	unsigned long timeout = drm_timeout_abs_to_jiffies(args->timeout_ns);
	struct drm_gem_object *obj;
	long ret;

	if (args->pad)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = dma_resv_wait_timeout(obj->resv, DMA_RESV_USAGE_READ, true, timeout);
	drm_gem_object_put(obj);
	if (!ret)
		return timeout ? -ETIMEDOUT : -EBUSY;
	return ret < 0 ? ret : 0;
}

/* Memory is kept whatever the advice: clients may not count on losing it. */
int panfrost_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_panfrost_madvise *args = data;
	struct drm_gem_object *obj;

	if (args->madv > PANFROST_MADV_DONTNEED)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	drm_gem_object_put(obj);
	args->retained = 1;
	return 0;
}
