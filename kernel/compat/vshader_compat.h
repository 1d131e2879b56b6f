/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Differences between kernel versions, and nothing else. The HAVE_ macros come from
 * searching the headers in Kbuild: stable series change API, so that version numbers
 * say little.
 */
#ifndef VSHADER_COMPAT_H
#define VSHADER_COMPAT_H

#include <linux/device.h>
#include <linux/dma-buf.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/shrinker.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/gpu_scheduler.h>

/* The argument was an identifier up to 6.12 and is a string since. */
#define VSHADER_IMPORT_NS(name)	MODULE_INFO(import_ns, name)

/* Of CLOCK_MONOTONIC. */
static inline void vshader_compat_hrtimer(struct hrtimer *timer,
					  enum hrtimer_restart (*function)(struct hrtimer *))
{
#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#endif
}

/* Returned int up to 6.10, with remove_new as the void one; there is only one since. */
#ifdef HAVE_PDRV_REMOVE_VOID
#define remove_new	remove
#endif

/* The device of &device_type.uevent. */
#ifdef HAVE_DEVTYPE_UEVENT_CONST
#define VSHADER_UEVENT_DEVICE	const struct device
#else
#define VSHADER_UEVENT_DEVICE	struct device
#endif

#ifdef HAVE_SCHED_PRIORITY_LOW
#define VSHADER_SCHED_LOW	DRM_SCHED_PRIORITY_LOW
#else
#define VSHADER_SCHED_LOW	DRM_SCHED_PRIORITY_MIN
#endif

static inline int vshader_compat_sched_init(struct drm_gpu_scheduler *sched,
					    const struct drm_sched_backend_ops *ops,
					    u32 limit, const char *name, struct device *dev)
{
#ifdef HAVE_SCHED_INIT_ARGS
	const struct drm_sched_init_args args = {
		.ops = ops,
#ifdef HAVE_SCHED_NUM_RQS
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.credit_limit = limit,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = name,
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
#else
	return drm_sched_init(sched, ops, limit, 0, MAX_SCHEDULE_TIMEOUT, NULL, NULL, name, dev);
#endif
}

/*
 * The scheduler frees jobs from the front of its list: this one is about to signal, and need not
 * wait for those before it.
 */
static inline void vshader_compat_sched_front(struct drm_sched_job *job)
{
	struct drm_gpu_scheduler *sched = job->sched;

	spin_lock(&sched->job_list_lock);
	list_move(&job->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
}

static inline int vshader_compat_job_init(struct drm_sched_job *job,
					  struct drm_sched_entity *entity, void *owner,
					  u64 client_id)
{
#if defined(HAVE_SCHED_JOB_CLIENT_ID)
	return drm_sched_job_init(job, entity, 1, owner, client_id);
#elif defined(HAVE_SCHED_JOB_CREDITS)
	return drm_sched_job_init(job, entity, 1, owner);
#else
	return drm_sched_job_init(job, entity, owner);
#endif
}

/* Return value of timedout_job if there is nothing to recover. */
static inline enum drm_gpu_sched_stat vshader_compat_sched_handled(void)
{
#ifdef HAVE_SCHED_STAT_RESET
	return DRM_GPU_SCHED_STAT_RESET;
#else
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

/* Map an object of our own; takes whatever locks that needs. */
static inline int vshader_compat_shmem_vmap(struct drm_gem_shmem_object *shmem,
					    struct iosys_map *map)
{
#if defined(HAVE_DRM_GEM_VMAP_UNLOCKED)
	return drm_gem_vmap_unlocked(&shmem->base, map);
#elif defined(HAVE_DRM_GEM_VMAP)
	return drm_gem_vmap(&shmem->base, map);
#else
	return drm_gem_shmem_vmap(shmem, map);
#endif
}

static inline void vshader_compat_shmem_vunmap(struct drm_gem_shmem_object *shmem,
					       struct iosys_map *map)
{
#if defined(HAVE_DRM_GEM_VMAP_UNLOCKED)
	drm_gem_vunmap_unlocked(&shmem->base, map);
#elif defined(HAVE_DRM_GEM_VMAP)
	drm_gem_vunmap(&shmem->base, map);
#else
	drm_gem_shmem_vunmap(shmem, map);
#endif
}

static inline int vshader_compat_dma_buf_vmap(struct dma_buf *buf, struct iosys_map *map)
{
#ifdef HAVE_DMA_BUF_VMAP_UNLOCKED
	return dma_buf_vmap_unlocked(buf, map);
#else
	return dma_buf_vmap(buf, map);
#endif
}

static inline void vshader_compat_dma_buf_vunmap(struct dma_buf *buf, struct iosys_map *map)
{
#ifdef HAVE_DMA_BUF_VMAP_UNLOCKED
	dma_buf_vunmap_unlocked(buf, map);
#else
	dma_buf_vunmap(buf, map);
#endif
}

static inline void vshader_compat_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_SET
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void vshader_compat_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_SET
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/* The core numbers clients where it shows fdinfo itself; @own is used otherwise. */
static inline u64 vshader_compat_client_id(struct drm_file *file, u64 own)
{
#ifdef HAVE_DRM_SHOW_FDINFO
	return file->client_id;
#else
	return own;
#endif
}

typedef unsigned long vshader_shrink_fn(struct shrinker *shrinker, struct shrink_control *sc);

#ifdef HAVE_SHRINKER_ALLOC

/* Register a shrinker. Return: NULL: no memory. */
static inline struct shrinker *vshader_compat_shrinker_new(const char *name,
							   vshader_shrink_fn *count,
							   vshader_shrink_fn *scan, void *data)
{
	struct shrinker *s = shrinker_alloc(0, "%s", name);

	if (!s)
		return NULL;
	s->count_objects = count;
	s->scan_objects = scan;
	s->private_data = data;
	shrinker_register(s);
	return s;
}

static inline void *vshader_compat_shrinker_data(struct shrinker *s)
{
	return s->private_data;
}

static inline void vshader_compat_shrinker_free(struct shrinker *s)
{
	shrinker_free(s);
}

#else

struct vshader_compat_shrinker {
	struct shrinker base;
	void *data;
};

static inline struct shrinker *vshader_compat_shrinker_new(const char *name,
							   vshader_shrink_fn *count,
							   vshader_shrink_fn *scan, void *data)
{
	struct vshader_compat_shrinker *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	s->base.count_objects = count;
	s->base.scan_objects = scan;
	s->base.seeks = DEFAULT_SEEKS;
	s->data = data;
	if (register_shrinker(&s->base, "%s", name)) {
		kfree(s);
		return NULL;
	}
	return &s->base;
}

static inline void *vshader_compat_shrinker_data(struct shrinker *s)
{
	return container_of(s, struct vshader_compat_shrinker, base)->data;
}

static inline void vshader_compat_shrinker_free(struct shrinker *s)
{
	unregister_shrinker(s);
	kfree(container_of(s, struct vshader_compat_shrinker, base));
}

#endif

#endif /* VSHADER_COMPAT_H */
