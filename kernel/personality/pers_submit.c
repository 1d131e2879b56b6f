// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs of personalities and the buffers that they name.
 */
#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "drm/vshader_submit.h"
#include "personality/pers.h"

int pers_bos_init(struct pers_bos *b, u32 max)
{
	*b = (struct pers_bos){};
	if (!max)
		return 0;
	b->objs = kvmalloc_array(max, sizeof(*b->objs), GFP_KERNEL_ACCOUNT);
	if (!b->objs)
		return -ENOMEM;
	b->shared = kvmalloc_array(max, sizeof(*b->shared), GFP_KERNEL_ACCOUNT);
	if (!b->shared) {
		kvfree(b->objs);
		b->objs = NULL;
		return -ENOMEM;
	}
	return 0;
}

int pers_bos_add(struct pers_bos *b, struct drm_file *file, u32 handle, bool write)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);

	if (!obj)
		return -ENOENT;
	b->objs[b->n] = obj;
	b->shared[b->n] = (struct vshader_shared){ .obj = obj, .write = write };
	b->n++;
	return 0;
}

void pers_bos_fini(struct pers_bos *b)
{
	u32 i;

	for (i = 0; i < b->n; i++)
		drm_gem_object_put(b->objs[i]);
	kvfree(b->shared);
	kvfree(b->objs);
}

bool pers_sync_exists(struct drm_file *file, u32 handle)
{
	struct drm_syncobj *sync = drm_syncobj_find(file, handle);

	if (!sync)
		return false;
	drm_syncobj_put(sync);
	return true;
}

int pers_submit(struct drm_file *file, struct vshader_submit_native *job, struct pers_bos *b)
{
	job->shared = b->shared;
	job->nshared = vshader_shared_fold(b->shared, b->n);
	if (b->distinct && job->nshared < b->n)
		return -EALREADY;
	if (job->before) {
		job->before->shared = job->shared;
		job->before->nshared = job->nshared;
	}
	return vshader_submit_native(file, job);
}
