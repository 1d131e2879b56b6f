// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs of the vc4 personality: a bin list and surfaces, after validation, become a bin job and a
 * render job of the file's queue. Checks and their errors are in the order of the vc4 driver.
 */
#include <linux/dma-fence.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>

#include "drm/vshader_args.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_submit.h"
#include "drm/vshader_vm.h"
#include "personality/vc4.h"

/**
 * struct vc4_submit - A job being submitted.
 * @args: arguments
 * @file: DRM file
 * @v: for the validator
 * @bos: buffers that it names
 * @user: copies of list, records and uniforms
 * @slot: its memory
 * @words: words of the render job, @nwords of them
 * @nwords: number of @words
 * @bin_words: words of the bin job
 * @syncs: sync operations: wait, signal
 * @job: render job
 * @bin: bin job
 */
struct vc4_submit {
	struct drm_vc4_submit_cl *args;
	struct drm_file *file;
	struct vc4_val_job v;
	struct pers_bos bos;
	u8 *user;
	struct vc4_slot *slot;
	u32 words[VC4_RENDER_DESC_WORDS];
	u32 nwords;
	u32 bin_words[VC4_BIN_JOB_WORDS];
	struct drm_vshader_sync syncs[2];
	struct vshader_submit_native job;
	struct vshader_submit_native bin;
};

static int vc4_submit_refused(const struct vc4_submit *s, const char *what,
			      const struct vc4_refusal *why, int ret)
{
	if (why->text)
		drm_dbg(s->file->minor->dev, "%s: %s: at %u, value %#x, limit %#x\n", what,
			why->text, why->at, why->value, why->limit);
	return ret;
}

/* ---- buffers ---- */

static int vc4_submit_add_bos(struct vc4_submit *s, const u32 *handles)
{
	const struct drm_device *drm = s->file->minor->dev;
	u32 i;

	for (i = 0; i < s->v.nbos; i++) {
		if (pers_bos_add(&s->bos, s->file, handles[i], false))
			return vshader_einval(drm, "no handle %u", handles[i]);
	}
	for (i = 0; i < s->v.nbos; i++) {
		struct vshader_bo *bo = to_vshader_bo(s->bos.objs[i]);
		u64 va = pers_bo_va(s->file, bo);

		if (!va || !vc4_bo_usable(bo))
			return vshader_einval(drm, "handle %u: memory is not needed", handles[i]);
		s->v.bo[i] = (struct vc4_val_bo){
			.bytes = vshader_bo_gem(bo)->size,
			.va = va,
			.shader = bo->own,
		};
	}
	return 0;
}

static int vc4_submit_find_bos(struct vc4_submit *s)
{
	u32 *handles;
	int ret;

	if (!s->v.nbos)
		return vshader_einval(s->file->minor->dev, "no buffers");
	/* the driver has no limit but memory */
	if (s->v.nbos > VSHADER_MAX_MAPPINGS)
		return -ENOMEM;
	/* one more for vc4_exec_new() */
	s->v.bo = kvcalloc(s->v.nbos + 1, sizeof(*s->v.bo), GFP_KERNEL_ACCOUNT);
	if (!s->v.bo)
		return -ENOMEM;
	ret = pers_bos_init(&s->bos, s->v.nbos + 1);
	if (ret)
		return ret;
	handles = vshader_copy_words(s->args->bo_handles, s->v.nbos);
	if (IS_ERR(handles))
		return PTR_ERR(handles);
	ret = vc4_submit_add_bos(s, handles);
	kvfree(handles);
	return ret;
}

/* ---- checks after that of the buffers and before that of the list ---- */

static int vc4_submit_check_ids(struct vc4_submit *s)
{
	struct dma_fence *fence;
	int ret;

	if (s->args->perfmonid &&
	    !vc4_perfmon_exists(to_vc4_file(s->file), s->args->perfmonid))
		return -ENOENT;
	if (!s->args->in_sync)
		return 0;
	ret = drm_syncobj_find_fence(s->file, s->args->in_sync, 0, 0, &fence);
	if (!ret)
		dma_fence_put(fence);
	return ret;
}

/* ---- list and surfaces ---- */

static int vc4_submit_copy(struct vc4_submit *s)
{
	const struct drm_vc4_submit_cl *args = s->args;
	u8 *at;

	/* the sum is less than %VC4_MAX_EXEC */
	s->user = kvmalloc(args->bin_cl_size + args->shader_rec_size + args->uniforms_size,
			   GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!s->user)
		return -ENOMEM;
	at = s->user;
	if (copy_from_user(at, u64_to_user_ptr(args->bin_cl), args->bin_cl_size))
		return -EFAULT;
	s->v.list = at;
	at += args->bin_cl_size;
	if (copy_from_user(at, u64_to_user_ptr(args->shader_rec), args->shader_rec_size))
		return -EFAULT;
	s->v.records = at;
	at += args->shader_rec_size;
	if (copy_from_user(at, u64_to_user_ptr(args->uniforms), args->uniforms_size))
		return -EFAULT;
	s->v.uniforms = at;
	return 0;
}

static int vc4_submit_list(struct vc4_submit *s)
{
	struct vc4_refusal why = {};
	u32 bytes;
	int ret;

	bytes = s->v.list_bytes ? vc4_val_bytes(&s->v) : 0;
	if (s->v.list_bytes && !bytes)
		return vshader_einval(s->file->minor->dev, "sizes exceed 32 bits");
	if (bytes > VC4_MAX_EXEC)
		return -ENOMEM;
	if (s->v.list_bytes) {
		ret = vc4_submit_copy(s);
		if (ret)
			return ret;
	}
	s->slot = vc4_slot_take(s->file, bytes);
	if (IS_ERR(s->slot))
		return PTR_ERR(s->slot);
	if (!s->v.list_bytes)
		return 0;
	s->v.slot_va = s->slot->va;
	s->v.va = s->slot->va + VC4_EXEC_AT;
	s->v.out = vc4_slot_mem(s->slot) + VC4_EXEC_AT;
	ret = vc4_validate_bin(&s->v, &why);
	if (ret)
		return vc4_submit_refused(s, "bin list", &why, ret);
	/* tile state, and no list of a job before */
	memset(vc4_slot_mem(s->slot), 0, VC4_SLOT_BYTES);
	return 0;
}

static int vc4_submit_surfaces(struct vc4_submit *s)
{
	struct vc4_refusal why = {};
	int ret;

	ret = vc4_render_words(s->args, &s->v, s->words, &s->nwords, &why);
	return ret ? vc4_submit_refused(s, "surfaces", &why, ret) : 0;
}

/* ---- submission ---- */

static void vc4_submit_make_jobs(struct vc4_submit *s)
{
	struct vc4_file *vf = to_vc4_file(s->file);
	struct vshader_submit_native *first = &s->job;
	u8 *mem = vc4_slot_mem(s->slot);
	u32 i;

	for (i = 0; i < s->bos.n; i++)
		s->bos.shared[i].write = s->v.bo[i].use & VC4_USE_WRITE;
	vc4_native_job(true, mem, s->slot->va, s->words, s->nwords, s->args->perfmonid,
		       &s->job.desc);
	s->job.queue_id = vf->queue;
	if (s->v.list_bytes) {
		vc4_bin_words(&s->v, vf->more_va, s->bin_words);
		vc4_native_job(false, mem, s->slot->va, s->bin_words, VC4_BIN_JOB_WORDS,
			       s->args->perfmonid, &s->bin.desc);
		s->bin.queue_id = vf->queue;
		s->job.before = &s->bin;
		first = &s->bin;
	}
	if (s->args->in_sync) {
		s->syncs[0].handle = s->args->in_sync;
		first->syncs = &s->syncs[0];
		first->nsyncs = 1;
	}
	if (!s->args->out_sync)
		return;
	s->syncs[1].handle = s->args->out_sync;
	s->syncs[1].flags = DRM_VSHADER_SYNC_SIGNAL;
	if (!s->job.nsyncs)
		s->job.syncs = &s->syncs[1];
	s->job.nsyncs++;
}

static int vc4_submit_push(struct vc4_submit *s)
{
	struct vc4_device *vd = to_vc4_device(s->file->minor->dev);
	struct dma_fence *fence = NULL;
	struct vc4_number *number;
	struct vc4_exec *exec;
	int ret;

	number = vc4_number_new();
	if (!number)
		return -ENOMEM;
	exec = vc4_exec_new(s->file, &s->bos, &s->v, s->slot, s->nwords);
	if (IS_ERR(exec)) {
		ret = PTR_ERR(exec);
		goto err_free;
	}
	s->job.fence = &fence;
	s->job.kept = vc4_exec_get(exec);
	if (s->job.before)
		s->bin.kept = vc4_exec_get(exec);
	ret = pers_submit(s->file, &s->job, &s->bos);
	/* its objects are no longer there */
	s->bos.n = 0;
	vc4_exec_put(exec);
	if (ret)
		goto err_put;
	s->args->seqno = vc4_number_job(vd, number, fence);
	swap(s->slot->fence, fence);
	s->slot->perfmon = s->args->perfmonid;
	dma_fence_put(fence);
	return 0;

err_put:
	if (s->job.before)
		vc4_exec_put(exec);
	vc4_exec_put(exec);
err_free:
	vc4_number_free(number);
	return ret;
}

/* A slot is the file's until its fence is set. */
static int vc4_submit_locked(struct vc4_submit *s)
{
	int ret;

	ret = vc4_submit_list(s);
	if (ret)
		return ret;
	ret = vc4_submit_surfaces(s);
	if (ret)
		return ret;
	if (s->args->out_sync && !pers_sync_exists(s->file, s->args->out_sync))
		return vshader_einval(s->file->minor->dev, "no syncobj %u", s->args->out_sync);
	vc4_submit_make_jobs(s);
	return vc4_submit_push(s);
}

static int vc4_submit_checked(struct vc4_submit *s)
{
	struct vc4_file *vf = to_vc4_file(s->file);
	int ret;

	ret = vc4_submit_find_bos(s);
	if (ret)
		return ret;
	ret = vc4_submit_check_ids(s);
	if (ret)
		return ret;
	ret = mutex_lock_interruptible(&vf->lock);
	if (ret)
		return ret;
	ret = vc4_submit_locked(s);
	mutex_unlock(&vf->lock);
	return ret;
}

int vc4_submit_cl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_submit_cl *args = data;
	struct vc4_submit *s;
	int ret;

	if (vc4_check_submit(args))
		return vshader_einval(drm, "flags %#x, pad %u", args->flags, args->pad2);
	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return -ENOMEM;
	s->args = args;
	s->file = file;
	vc4_job_sizes(args, &s->v);
	ret = vc4_submit_checked(s);
	pers_bos_fini(&s->bos);
	kvfree(s->user);
	kvfree(s->v.bo);
	kfree(s);
	return ret;
}
