// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs of the panfrost personality: a chain becomes a native job of one of two hidden queues.
 */
#include <linux/dma-fence.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>

#include "drm/vshader_args.h"
#include "drm/vshader_submit.h"
#include "personality/pan_uapi.h"
#include "personality/panfrost.h"

static int check_args(const struct pan_submit *args, struct drm_file *file)
{
	if (args->pad || !args->jc || args->requirements & ~PAN_JD_REQ_ALL)
		return vshader_einval(file->minor->dev,
				      "pad %u, jc %#llx, requirements %#x, known %#x", args->pad,
				      args->jc, args->requirements, PAN_JD_REQ_ALL);
	if (args->in_sync_count >= VSHADER_MAX_SYNCS ||
	    args->bo_handle_count > VSHADER_MAX_MAPPINGS)
		return -E2BIG;
	/* the panfrost driver's error */
	return args->out_sync && !pers_sync_exists(file, args->out_sync) ? -ENODEV : 0;
}

/* As in the panfrost driver, before the buffers are looked up. */
static int check_in_sync(struct drm_file *file, u32 handle)
{
	struct dma_fence *fence;
	int ret = drm_syncobj_find_fence(file, handle, 0, 0, &fence);

	if (!ret)
		dma_fence_put(fence);
	return ret;
}

static int make_syncs(struct drm_file *file, const struct pan_submit *args,
		      struct drm_vshader_sync *syncs)
{
	u32 i, *handles;
	int ret = 0;

	if (args->in_sync_count) {
		handles = vshader_copy_words(args->in_syncs, args->in_sync_count);
		if (IS_ERR(handles))
			return PTR_ERR(handles);
		for (i = 0; i < args->in_sync_count && !ret; i++) {
			syncs[i].handle = handles[i];
			ret = check_in_sync(file, handles[i]);
		}
		kvfree(handles);
		if (ret)
			return ret;
	}
	if (!args->out_sync)
		return args->in_sync_count;
	syncs[args->in_sync_count].flags = DRM_VSHADER_SYNC_SIGNAL;
	syncs[args->in_sync_count].handle = args->out_sync;
	return args->in_sync_count + 1;
}

/* As the panfrost driver has it, all buffers are written. */
static int make_bos(struct drm_file *file, const struct pan_submit *args, struct pers_bos *bos)
{
	u32 i, *handles;
	int ret = 0;

	if (!args->bo_handle_count)
		return 0;
	handles = vshader_copy_words(args->bo_handles, args->bo_handle_count);
	if (IS_ERR(handles))
		return PTR_ERR(handles);
	for (i = 0; i < args->bo_handle_count; i++) {
		ret = pers_bos_add(bos, file, handles[i], true);
		if (ret)
			break;
	}
	kvfree(handles);
	return ret;
}

static int submit(struct drm_file *file, const struct pan_submit *args,
		  struct drm_vshader_sync *syncs)
{
	const struct vshader_file *vf = file->driver_priv;
	u32 which = args->requirements & PANFROST_JD_REQ_FS ? PANFROST_QUEUE_FRAGMENT :
							      PANFROST_QUEUE_OTHER;
	struct vshader_submit_native job = {
		.syncs = syncs,
	};
	struct pers_bos bos;
	int ret;

	ret = panfrost_ctx_queue(to_panfrost_file(file), args->jm_ctx_handle, which,
				 &job.queue_id);
	if (ret)
		return vshader_einval(file->minor->dev, "no context %u", args->jm_ctx_handle);
	ret = make_syncs(file, args, syncs);
	if (ret < 0)
		return ret;
	job.nsyncs = ret;
	ret = pers_bos_init(&bos, args->bo_handle_count);
	if (ret)
		return ret;
	ret = make_bos(file, args, &bos);
	if (ret)
		goto out_bos;
	pan_job(vf->vdev->chip, args->jc, args->requirements, &job.desc);
	ret = pers_submit(file, &job, &bos);
out_bos:
	pers_bos_fini(&bos);
	return ret;
}

int panfrost_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct pan_submit *args = data;
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
