// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs of the panfrost personality: a chain becomes a native job of one of two hidden queues.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <panfrost_drm.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "drm/vshader_args.h"
#include "drm/vshader_submit.h"
#include "personality/panfrost.h"

static int check_args(const struct drm_panfrost_submit *args, struct drm_file *file)
{
	struct drm_syncobj *out;

	if (!args->jc || args->requirements & ~PANFROST_JD_REQ_FS)
		return -EINVAL;
	if (args->in_sync_count >= VSHADER_MAX_SYNCS ||
	    args->bo_handle_count > VSHADER_MAX_MAPPINGS)
		return -E2BIG;
	if (!args->out_sync)
		return 0;
	/* the panfrost driver's error */
	out = drm_syncobj_find(file, args->out_sync);
	if (!out)
		return -ENODEV;
	drm_syncobj_put(out);
	return 0;
}

static int make_syncs(const struct drm_panfrost_submit *args, struct drm_vshader_sync *syncs)
{
	u32 i, *handles;

	if (args->in_sync_count) {
		handles = vshader_copy_words(args->in_syncs, args->in_sync_count);
		if (IS_ERR(handles))
			return PTR_ERR(handles);
		for (i = 0; i < args->in_sync_count; i++)
			syncs[i].handle = handles[i];
		kvfree(handles);
	}
	if (!args->out_sync)
		return args->in_sync_count;
	syncs[args->in_sync_count].flags = DRM_VSHADER_SYNC_SIGNAL;
	syncs[args->in_sync_count].handle = args->out_sync;
	return args->in_sync_count + 1;
}

static void put_objs(struct vshader_submit_native *job)
{
	u32 i;

	for (i = 0; job->objs && i < job->nobjs; i++)
		drm_gem_object_put(job->objs[i]);
	kvfree(job->objs);
}

static int submit(struct drm_file *file, const struct drm_panfrost_submit *args,
		  struct drm_vshader_sync *syncs)
{
	struct panfrost_file *pf = to_panfrost_file(file);
	const struct vshader_file *vf = file->driver_priv;
	struct vshader_submit_native job = {
		.queue_id = pf->queues[args->requirements & PANFROST_JD_REQ_FS ?
				       PANFROST_QUEUE_FRAGMENT : PANFROST_QUEUE_OTHER],
		.syncs = syncs,
		.nobjs = args->bo_handle_count,
	};
	int ret;

	ret = make_syncs(args, syncs);
	if (ret < 0)
		return ret;
	job.nsyncs = ret;
	ret = drm_gem_objects_lookup(file, u64_to_user_ptr(args->bo_handles), job.nobjs,
				     &job.objs);
	if (!ret)
		ret = panfrost_bo_update(pf);
	pan_job(vf->vdev->chip, args->jc, &job.desc);
	if (!ret)
		ret = vshader_submit_native(file, &job);
	put_objs(&job);
	return ret;
}

int panfrost_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_panfrost_submit *args = data;
	struct drm_vshader_sync *syncs;
	int ret;

	ret = check_args(args, file);
	if (ret)
		return ret;
	syncs = kcalloc(VSHADER_MAX_SYNCS, sizeof(*syncs), GFP_KERNEL_ACCOUNT);
	if (!syncs)
		return -ENOMEM;
	ret = submit(file, args, syncs);
	kfree(syncs);
	return ret;
}
