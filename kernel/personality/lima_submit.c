// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs of the lima personality: a frame becomes a native job of its context's queue. Checks and
 * their errors are in the order of the lima driver.
 */
#include <linux/slab.h>

#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_submit.h"
#include "personality/lima.h"
#include "personality/lima_uapi.h"

/* in_sync[] and out_sync */
#define LIMA_MAX_SYNCS	3

/**
 * struct lima_submit - A job being submitted.
 * @args: arguments
 * @gpu: chip
 * @bos: buffers as given
 * @frame: copy of the frame
 * @syncs: sync operations
 * @job: for the submission
 */
struct lima_submit {
	const struct drm_lima_gem_submit *args;
	const struct lima_gpu *gpu;
	const struct drm_lima_gem_submit_bo *bos;
	u32 *frame;
	struct drm_vshader_sync syncs[LIMA_MAX_SYNCS];
	struct vshader_submit_native job;
};

static int lima_check_args(struct drm_device *drm, const struct lima_submit *s)
{
	const struct drm_lima_gem_submit *args = s->args;
	u32 size;

	if (args->pipe >= LIMA_NUM_PIPES || !args->nr_bos)
		return vshader_einval(drm, "pipe %u, limit %u, %u buffers, expected some",
				      args->pipe, LIMA_NUM_PIPES, args->nr_bos);
	if (args->flags & ~LIMA_SUBMIT_FLAG_EXPLICIT_FENCE)
		return vshader_einval(drm, "flags %#x, known %#x", args->flags,
				      LIMA_SUBMIT_FLAG_EXPLICIT_FENCE);
	size = lima_frame_size(s->gpu, args->pipe);
	if (args->frame_size != size)
		return vshader_einval(drm, "frame_size %u, expected %u", args->frame_size, size);
	/* the driver has no limit but memory */
	return args->nr_bos > VSHADER_MAX_MAPPINGS ? -ENOMEM : 0;
}

static void lima_make_syncs(struct lima_submit *s)
{
	const struct drm_lima_gem_submit *args = s->args;
	u32 i, n = 0;

	for (i = 0; i < ARRAY_SIZE(args->in_sync); i++) {
		if (args->in_sync[i])
			s->syncs[n++].handle = args->in_sync[i];
	}
	if (args->out_sync) {
		s->syncs[n].flags = DRM_VSHADER_SYNC_SIGNAL;
		s->syncs[n++].handle = args->out_sync;
	}
	s->job.syncs = s->syncs;
	s->job.nsyncs = n;
}

static int lima_make_bos(struct drm_file *file, const struct lima_submit *s,
			 struct pers_bos *bos)
{
	int ret;
	u32 i;

	for (i = 0; i < s->args->nr_bos; i++) {
		ret = pers_bos_add(bos, file, s->bos[i].handle,
				   s->bos[i].flags & LIMA_SUBMIT_BO_WRITE);
		if (ret)
			return ret;
	}
	return 0;
}

/* The heap of a frame of the vertex processor has the size of its buffer. */
static void lima_find_heap(struct drm_file *file, const struct lima_submit *s,
			   const struct pers_bos *bos)
{
	u32 i;

	for (i = 0; i < bos->n && s->args->pipe == LIMA_GP; i++) {
		struct vshader_bo *bo = to_vshader_bo(bos->objs[i]);

		if (bo->personal & LIMA_BO_FLAG_HEAP &&
		    lima_grow_heap(s->frame, pers_bo_va(file, bo), pers_bo_size(bo)))
			return;
	}
}

/* The frame has words that the driver refuses. */
static int lima_frame_invalid(const struct drm_device *drm, const struct lima_submit *s)
{
	/* the same place in frames of both chips */
	const struct drm_lima_m450_pp_frame *pp = (const void *)s->frame;
	const u32 *f = s->frame;

	if (s->args->pipe != LIMA_GP)
		return vshader_einval(drm, "num_pp %u, expected 1 to %u, or pad not 0", pp->num_pp,
				      s->gpu->num_pp);
	return vshader_einval(drm, "lists %#x to %#x, %#x to %#x, heap %#x to %#x, expected up",
			      f[0], f[1], f[2], f[3], f[4], f[5]);
}

/* Everything is copied. */
static int lima_submit_frame(struct drm_file *file, struct lima_submit *s)
{
	const struct drm_lima_gem_submit *args = s->args;
	struct pers_bos bos;
	int ret;

	if (lima_check_frame(s->gpu, args->pipe, s->frame))
		return lima_frame_invalid(file->minor->dev, s);
	ret = lima_ctx_queue(to_lima_file(file), args->ctx, args->pipe, &s->job.queue_id);
	if (ret)
		return ret;
	if (args->out_sync && !pers_sync_exists(file, args->out_sync))
		return -ENOENT;
	lima_make_syncs(s);
	ret = pers_bos_init(&bos, args->nr_bos);
	if (ret)
		return ret;
	bos.distinct = true;
	ret = lima_make_bos(file, s, &bos);
	if (ret)
		goto out_bos;
	lima_find_heap(file, s, &bos);
	lima_job(s->gpu, args->pipe, &s->job.desc);
	s->job.words = s->frame;
	s->job.nwords = args->frame_size / sizeof(u32);
	s->job.explicit_sync = args->flags & LIMA_SUBMIT_FLAG_EXPLICIT_FENCE;
	ret = pers_submit(file, &s->job, &bos);
out_bos:
	pers_bos_fini(&bos);
	return ret;
}

int lima_gem_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct lima_submit s = {
		.args = data,
		.gpu = to_vshader_device(drm)->chip,
	};
	u32 *bos;
	int ret;

	ret = lima_check_args(drm, &s);
	if (ret)
		return ret;
	bos = vshader_copy_words(s.args->bos, s.args->nr_bos * (sizeof(*s.bos) / sizeof(u32)));
	if (IS_ERR(bos))
		return PTR_ERR(bos);
	s.bos = (const struct drm_lima_gem_submit_bo *)bos;
	s.frame = vshader_copy_words(s.args->frame, s.args->frame_size / sizeof(u32));
	if (IS_ERR(s.frame)) {
		ret = PTR_ERR(s.frame);
		goto out_bos;
	}
	ret = lima_submit_frame(file, &s);
	kvfree(s.frame);
out_bos:
	kvfree(bos);
	return ret;
}
