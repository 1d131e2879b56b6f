// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory that buffers of the panfrost personality do not need (MADVISE), given back when the
 * kernel wants memory. That takes locks under which others allocate, and a new snapshot of the
 * address space, so that the shrinker only starts a work which does it.
 */
#include <drm/drm_managed.h>

#include "compat/vshader_compat.h"
#include "drm/vshader_device.h"
#include "personality/panfrost.h"

static unsigned long count_objects(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct panfrost_device *pd = vshader_compat_shrinker_data(shrinker);
	long n = atomic_long_read(&pd->unneeded);

	return n > 0 ? n : SHRINK_EMPTY;
}

/* Nothing has been freed when this returns. */
static unsigned long scan_objects(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct panfrost_device *pd = vshader_compat_shrinker_data(shrinker);

	queue_work(vshader_wq, &pd->purge);
	return SHRINK_STOP;
}

static void purge(struct work_struct *work)
{
	struct panfrost_device *pd = container_of(work, struct panfrost_device, purge);
	struct drm_device *drm = &pd->vdev->drm;
	struct drm_file *file;

	mutex_lock(&drm->filelist_mutex);
	list_for_each_entry(file, &drm->filelist, lhead)
		panfrost_bo_purge(to_panfrost_file(file));
	mutex_unlock(&drm->filelist_mutex);
}

static void device_fini(struct drm_device *drm, void *data)
{
	struct panfrost_device *pd = data;

	vshader_compat_shrinker_free(pd->shrinker);
	cancel_work_sync(&pd->purge);
}

int panfrost_device_init(struct vshader_device *vdev)
{
	struct panfrost_device *pd = drmm_kzalloc(&vdev->drm, sizeof(*pd), GFP_KERNEL);

	if (!pd)
		return -ENOMEM;
	pd->vdev = vdev;
	INIT_WORK(&pd->purge, purge);
	vdev->personal = pd;
	pd->shrinker = vshader_compat_shrinker_new("vshader-panfrost", count_objects, scan_objects,
						   pd);
	if (!pd->shrinker)
		return -ENOMEM;
	return drmm_add_action_or_reset(&vdev->drm, device_fini, pd);
}
