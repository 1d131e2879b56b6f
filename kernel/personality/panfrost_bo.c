// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers of the panfrost personality. Each handle has addresses as long as it lives, as in the
 * panfrost driver; there is no ioctl that maps. The address space that jobs see is rebuilt by the
 * first submit after a change.
 *
 * A heap has memory behind the first %PAN_HEAP_SIZE bytes of its addresses, and gets it behind the
 * others when jobs access them.
 *
 * The advice is in &drm_gem_shmem_object.madv: 0, or 1 for a buffer that is not needed, or -1 for
 * one that had its memory taken, whose pages the helpers do not give to userspace any more.
 */
#include <linux/dma-resv.h>
#include <linux/shmem_fs.h>

#include <panfrost_drm.h>

#include <drm/drm_device.h>
#include <drm/drm_utils.h>
#include <drm/drm_vma_manager.h>

#include "drm/vshader_gem.h"
#include "drm/vshader_heap.h"
#include "drm/vshader_vm.h"
#include "personality/panfrost.h"

#define MADV_PURGED	(-1)

static void count_unneeded(struct vshader_bo *bo, bool add)
{
	struct panfrost_device *pd = to_vshader_device(bo->base.base.dev)->personal;
	long pages = vshader_bo_gem(bo)->size >> PAGE_SHIFT;

	atomic_long_add(add ? pages : -pages, &pd->unneeded);
}

/* Return: what the advice was before; one about memory that has gone stays. */
static int set_madv(struct vshader_bo *bo, int madv)
{
	int old;

	do {
		old = READ_ONCE(bo->base.madv);
	} while (old >= 0 && cmpxchg(&bo->base.madv, old, madv) != old);
	if (old == PANFROST_MADV_DONTNEED && madv != old)
		count_unneeded(bo, false);
	else if (!old && madv == PANFROST_MADV_DONTNEED)
		count_unneeded(bo, true);
	return old;
}

static int add_heap(struct panfrost_file *pf, struct vshader_bo *bo, struct drm_file *file)
{
	u64 size = vshader_bo_gem(bo)->size;

	if (bo->va_size <= size)
		return 0;
	bo->heap = vshader_heap_new(file->driver_priv, pan_va_of(&pf->bos, bo) + size,
				    bo->va_size - size);
	if (bo->heap)
		return 0;
	pan_va_remove(&pf->bos, bo);
	return -ENOMEM;
}

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
	if (!ret)
		ret = add_heap(pf, bo, file);
	pf->changed |= !ret;
	mutex_unlock(&pf->lock);
	if (ret)
		vshader_bo_unmap(bo);
	return ret;
}

static struct vs_mapping *find_bo(struct panfrost_file *pf, const struct vshader_bo *bo)
{
	u32 i;

	for (i = 0; i < pf->bos.n; i++) {
		if (pf->bos.e[i].obj == bo)
			return &pf->bos.e[i];
	}
	return NULL;
}

void panfrost_bo_close(struct vshader_bo *bo, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);
	struct vs_mapping *m;
	bool mapped = false;

	mutex_lock(&pf->lock);
	m = find_bo(pf, bo);
	if (m) {
		mapped = m->flags;
		pan_va_remove(&pf->bos, bo);
		pf->changed = true;
	}
	set_madv(bo, PANFROST_MADV_WILLNEED);
	mutex_unlock(&pf->lock);
	if (mapped)
		vshader_bo_unmap(bo);
}

/* What the addresses have memory behind. */
static void copy_memory(const struct vs_mappings *bos, struct vs_mappings *x)
{
	u32 i;

	for (i = 0; i < bos->n; i++) {
		if (!bos->e[i].flags)
			continue;
		x->e[x->n] = bos->e[i];
		x->e[x->n++].size = vshader_bo_gem(bos->e[i].obj)->size;
	}
}

static int update_locked(struct panfrost_file *pf)
{
	struct vs_mappings x = { .cap = pf->bos.n };
	int ret;

	x.e = kvmalloc_array(x.cap, sizeof(*x.e), GFP_KERNEL_ACCOUNT);
	if (x.cap && !x.e)
		return -ENOMEM;
	copy_memory(&pf->bos, &x);
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

/* Return: the memory may go: no job that names it is under way, nobody else has it. */
static bool take_unneeded(struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	return READ_ONCE(bo->base.madv) == PANFROST_MADV_DONTNEED && !READ_ONCE(obj->dma_buf) &&
	       dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_READ) &&
	       set_madv(bo, MADV_PURGED) == PANFROST_MADV_DONTNEED;
}

/* Pages that userspace, or a job under way, has mapped are freed when it unmaps them. */
static void drop_memory(struct vshader_bo *bo)
{
	struct drm_gem_object *obj = vshader_bo_gem(bo);

	drm_vma_node_unmap(&obj->vma_node, obj->dev->anon_inode->i_mapping);
	shmem_truncate_range(file_inode(obj->filp), 0, (loff_t)-1);
	vshader_bo_unmap(bo);
}

void panfrost_bo_purge(struct panfrost_file *pf)
{
	struct vs_mappings *x = &pf->bos;
	u32 i;

	mutex_lock(&pf->lock);
	for (i = 0; i < x->n; i++) {
		if (!x->e[i].flags || !take_unneeded(x->e[i].obj))
			continue;
		x->e[i].flags = 0;
		pf->changed = true;
		/* the handle has a reference as long as the lock is held */
		drop_memory(x->e[i].obj);
	}
	/* the current snapshot has the memory, too; without another one the next submit frees it */
	if (pf->changed)
		update_locked(pf);
	mutex_unlock(&pf->lock);
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
	u64 size = ALIGN((u64)args->size, heap ? PAN_HEAP_GRANULE : PAGE_SIZE);
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

/* As in the panfrost driver, advice that it does not know has no effect. */
static int advise(struct panfrost_file *pf, struct vshader_bo *bo, u32 madv)
{
	int old = READ_ONCE(bo->base.madv);

	lockdep_assert_held(&pf->lock);
	/* others would lose it, too */
	if (madv == PANFROST_MADV_DONTNEED && READ_ONCE(vshader_bo_gem(bo)->handle_count) != 1)
		return -EINVAL;
	if (madv == PANFROST_MADV_DONTNEED || madv == PANFROST_MADV_WILLNEED)
		old = set_madv(bo, madv);
	return old >= 0;
}

int panfrost_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct panfrost_file *pf = to_panfrost_file(file);
	struct drm_panfrost_madvise *args = data;
	struct drm_gem_object *obj;
	int ret;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	mutex_lock(&pf->lock);
	ret = advise(pf, to_vshader_bo(obj), args->madv);
	mutex_unlock(&pf->lock);
	drm_gem_object_put(obj);
	if (ret < 0)
		return ret;
	args->retained = ret;
	return 0;
}
