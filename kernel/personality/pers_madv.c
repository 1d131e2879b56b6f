// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory that buffers of a personality do not need (MADVISE), given back when the kernel wants
 * memory. That takes locks under which others allocate, and a new snapshot of the address space, so
 * that the shrinker only starts a work which does it.
 *
 * The helpers of DRM do not give the pages of a buffer to userspace if its advice is
 * %PERS_MADV_GONE.
 */
#include <linux/device.h>
#include <linux/shmem_fs.h>

#include <drm/drm_managed.h>
#include <drm/drm_vma_manager.h>

#include "compat/vshader_compat.h"
#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "personality/pers.h"

/* ---- advice ---- */

int pers_madv_set(struct vshader_bo *bo, int madv)
{
	struct pers_device *pd = to_vshader_device(bo->base.base.dev)->personal;
	long pages = vshader_bo_gem(bo)->size >> PAGE_SHIFT;
	int old;

	do {
		old = READ_ONCE(bo->base.madv);
	} while (old >= 0 && cmpxchg(&bo->base.madv, old, madv) != old);
	if (old == PERS_MADV_DONTNEED && madv != old)
		atomic_long_sub(pages, &pd->unneeded);
	else if (old == PERS_MADV_WILLNEED && madv == PERS_MADV_DONTNEED)
		atomic_long_add(pages, &pd->unneeded);
	return old;
}

static int pers_madvise_locked(struct pers_file *pf, struct vshader_bo *bo, u32 madv)
{
	const unsigned int *handles = &vshader_bo_gem(bo)->handle_count;
	const struct drm_device *drm = bo->base.base.dev;

	lockdep_assert_held(&pf->lock);
	/* another thread has closed it */
	if (!pers_va_of(&pf->vas, bo))
		return -ENOENT;
	switch (madv) {
	case PERS_MADV_WILLNEED:
		return pers_madv_set(bo, madv) >= 0;
	case PERS_MADV_DONTNEED:
		break;
	default:
		return READ_ONCE(bo->base.madv) >= 0;
	}
	/* others would lose it, too */
	if (READ_ONCE(*handles) != 1)
		return vshader_einval(drm, "DONTNEED: %u handles, limit 1", READ_ONCE(*handles));
	if (pers_madv_set(bo, madv) < 0)
		return 0;
	/* one that is opened meanwhile is counted before pers_bo_open() withdraws the advice */
	if (READ_ONCE(*handles) != 1) {
		pers_madv_set(bo, PERS_MADV_WILLNEED);
		return vshader_einval(drm, "DONTNEED: %u handles, limit 1", READ_ONCE(*handles));
	}
	return 1;
}

int pers_madvise(struct drm_file *file, u32 handle, u32 madv)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	struct pers_file *pf = to_pers_file(file);
	int ret;

	if (!obj)
		return -ENOENT;
	mutex_lock(&pf->lock);
	ret = pers_madvise_locked(pf, to_vshader_bo(obj), madv);
	mutex_unlock(&pf->lock);
	drm_gem_object_put(obj);
	return ret;
}

/* ---- purge ---- */

/* A mapping works on when its file has closed the handle. */
static bool pers_madv_others_map(const struct vshader_file *vf, struct vshader_bo *bo)
{
	s64 mapper;

	/* who maps it has had a handle */
	smp_rmb();
	mapper = atomic64_read(&bo->mapper);
	return mapper && mapper != vf->client_id;
}

/*
 * Return: the memory may be taken: no job that names it is under way, nobody else has it. A file
 * that opens it meanwhile either keeps the memory or gets an object that was purged.
 */
static bool pers_madv_take(const struct vshader_file *vf, struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	return READ_ONCE(bo->base.madv) == PERS_MADV_DONTNEED && !READ_ONCE(obj->dma_buf) &&
	       READ_ONCE(obj->handle_count) == 1 && !pers_madv_others_map(vf, bo) &&
	       dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_READ) &&
	       pers_madv_set(bo, PERS_MADV_GONE) == PERS_MADV_DONTNEED;
}

/* Pages that userspace, or a job under way, has mapped are freed when it unmaps them. */
static void pers_madv_drop(struct pers_file *pf, u64 va, struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	drm_vma_node_unmap(&obj->vma_node, obj->dev->anon_inode->i_mapping);
	shmem_truncate_range(file_inode(obj->filp), 0, (loff_t)-1);
	vshader_vm_unmap(pf->vm, va, obj->size);
}

static void pers_madv_purge_file(const struct vshader_file *vf)
{
	struct pers_file *pf = vf->personal;
	const struct vs_mappings *x = &pf->vas.by_va;
	const struct vs_mapping *m;

	mutex_lock(&pf->lock);
	for (m = vs_mappings_next(x, 0); m; m = vs_mappings_next(x, m->x.hi)) {
		/* the handle has a reference as long as the lock is held */
		if (pers_madv_take(vf, m->obj))
			pers_madv_drop(pf, m->x.lo, m->obj);
	}
	mutex_unlock(&pf->lock);
}

static void pers_madv_purge(struct work_struct *work)
{
	struct pers_device *pd = container_of(work, struct pers_device, purge);
	struct drm_device *drm = &pd->vdev->drm;
	struct drm_file *file;

	mutex_lock(&drm->filelist_mutex);
	list_for_each_entry(file, &drm->filelist, lhead)
		pers_madv_purge_file(file->driver_priv);
	mutex_unlock(&drm->filelist_mutex);
}

/* ---- shrinker ---- */

static unsigned long pers_madv_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct pers_device *pd = vshader_compat_shrinker_data(shrinker);
	long n = atomic_long_read(&pd->unneeded);

	return n > 0 ? n : SHRINK_EMPTY;
}

/* Nothing has been freed when this returns. */
static unsigned long pers_madv_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct pers_device *pd = vshader_compat_shrinker_data(shrinker);

	queue_work(vshader_wq, &pd->purge);
	return SHRINK_STOP;
}

/* The device is unplugged; what still holds it calls nothing here any more. */
static void pers_device_gone(void *data)
{
	struct pers_device *pd = data;

	vshader_compat_shrinker_free(pd->shrinker);
	cancel_work_sync(&pd->purge);
}

int pers_device_init_size(struct vshader_device *vdev, size_t size)
{
	struct pers_device *pd = drmm_kzalloc(&vdev->drm, size, GFP_KERNEL);

	if (!pd)
		return -ENOMEM;
	pd->vdev = vdev;
	INIT_WORK(&pd->purge, pers_madv_purge);
	vdev->personal = pd;
	pd->shrinker = vshader_compat_shrinker_new("vshader-personality", pers_madv_count,
						   pers_madv_scan, pd);
	if (!pd->shrinker)
		return -ENOMEM;
	return devm_add_action_or_reset(vdev->drm.dev, pers_device_gone, pd);
}

int pers_device_init(struct vshader_device *vdev)
{
	return pers_device_init_size(vdev, sizeof(struct pers_device));
}
