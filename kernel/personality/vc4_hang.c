// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Hang states of the vc4 personality. A device keeps the first job that has had a fault since
 * GET_HANG_STATE: its buffers, memory and registers, until they are asked for or the device is
 * unplugged. All memory stays charged to the client that has submitted the job.
 */
#include <linux/dma-resv.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "drm/vshader_fault.h"
#include "drm/vshader_gem.h"
#include "drm/vshader_job.h"
#include "drm/vshader_job_init.h"
#include "drm/vshader_queue.h"
#include "drm/vshader_quota.h"
#include "personality/vc4.h"

/* Bits of V3D_CTnCS. */
#define VC4_CTERR	0x08U	/* the thread has found an error in its list */
#define VC4_CTRUN	0x20U	/* it is still executing it */

/**
 * struct vc4_exec - What is kept of a bin and a render job until they have ended.
 * @kept: the jobs' view
 * @ref: of jobs that have not ended, and of &vc4_device.hang
 * @bos: buffers, then the slot; references
 * @vals: addresses and sizes of @bos
 * @acct: account that it is charged to; holds a reference
 * @bytes: as charged
 * @state: registers; without a fault those at the beginning
 */
struct vc4_exec {
	struct vshader_kept kept;
	struct kref ref;
	struct pers_bos bos;
	struct vc4_val_bo *vals;
	struct vshader_account *acct;
	u64 bytes;
	struct drm_vc4_get_hang_state state;
};

static void vc4_exec_release(struct kref *ref)
{
	struct vc4_exec *exec = container_of(ref, struct vc4_exec, ref);

	pers_bos_fini(&exec->bos);
	kvfree(exec->vals);
	vshader_quota_uncharge(exec->acct, exec->bytes);
	vshader_account_put(exec->acct);
	kfree(exec);
}

void vc4_exec_put(struct vc4_exec *exec)
{
	kref_put(&exec->ref, vc4_exec_release);
}

/* ---- fences of kept buffers ---- */

#define VC4_SETTLE_JIFFIES	msecs_to_jiffies(100)

/*
 * Fences refer to the module, which could not be unloaded as long as a state is kept. Return: none
 * of them does any more; else a job has not ended.
 */
static bool vc4_hang_settle_bo(struct dma_resv *resv)
{
	struct dma_fence *ended = dma_fence_get_stub(), *fence;
	struct dma_resv_iter cursor;
	bool done;

	dma_resv_lock(resv, NULL);
	done = dma_resv_test_signaled(resv, DMA_RESV_USAGE_BOOKKEEP);
	if (done) {
		dma_resv_for_each_fence(&cursor, resv, DMA_RESV_USAGE_BOOKKEEP, fence)
			dma_resv_replace_fences(resv, fence->context, ended, DMA_RESV_USAGE_READ);
	}
	dma_resv_unlock(resv);
	dma_fence_put(ended);
	return done;
}

static void vc4_hang_settle_later(struct vc4_device *vd)
{
	mutex_lock(&vd->lock);
	if (vd->hang && !vd->unplugged)
		schedule_delayed_work(&vd->settle, VC4_SETTLE_JIFFIES);
	mutex_unlock(&vd->lock);
}

/* Not by the work that ends jobs: others may wait for that with a buffer locked. */
static void vc4_hang_settle(struct work_struct *work)
{
	struct vc4_device *vd = container_of(to_delayed_work(work), struct vc4_device, settle);
	struct vc4_exec *exec;
	bool done = true;
	u32 i;

	mutex_lock(&vd->lock);
	exec = vd->hang;
	if (exec)
		kref_get(&exec->ref);
	mutex_unlock(&vd->lock);
	if (!exec)
		return;
	for (i = 0; i < exec->bos.n; i++) {
		if (!vc4_hang_settle_bo(exec->bos.objs[i]->resv))
			done = false;
		cond_resched();
	}
	vc4_exec_put(exec);
	if (!done)
		vc4_hang_settle_later(vd);
}

/* ---- faults ---- */

/* The job is the bin job, or the render job after a bin job that has succeeded. */
static void vc4_hang_registers(struct drm_vc4_get_hang_state *s, const struct vshader_job *job)
{
	bool refused = job->fault.kind == DRM_VSHADER_FAULT_COMMAND && job->fault.address;
	u32 status = refused ? VC4_CTERR : VC4_CTRUN;

	if (job->native_desc.format == DRM_VSHADER_NATIVE_VC4_BIN) {
		s->ct0ca = refused ? job->fault.address : s->start_bin;
		s->ct0cs = status;
		s->start_render = 0;
		s->ct1ea = 0;
		return;
	}
	s->ct0ca = s->ct0ea;
	s->start_bin = 0;
	s->ct1ca = refused ? job->fault.address : s->start_render;
	s->ct1cs = status;
}

/* The reference becomes the device's if it has no other state. */
static bool vc4_hang_keep(struct vc4_device *vd, struct vc4_exec *exec)
{
	bool keep;

	mutex_lock(&vd->lock);
	keep = !vd->hang && !vd->unplugged;
	if (keep)
		vd->hang = exec;
	mutex_unlock(&vd->lock);
	return keep;
}

static void vc4_exec_ended(struct vshader_kept *kept, const struct vshader_job *job)
{
	struct vc4_device *vd = to_vc4_device(&job->queue->file->vdev->drm);
	struct vc4_exec *exec = container_of(kept, struct vc4_exec, kept);
	u32 i;

	if (!vshader_fault_state(job->fault.kind)) {
		vc4_exec_put(exec);
		/* it may have used buffers of a state */
		vc4_hang_settle_later(vd);
		return;
	}
	/* one of the two jobs: the render job is canceled if the bin job has failed */
	vc4_hang_registers(&exec->state, job);
	for (i = 0; i < exec->bos.n; i++)
		vc4_bo_retain(to_vshader_bo(exec->bos.objs[i]));
	if (!vc4_hang_keep(vd, exec))
		vc4_exec_put(exec);
	vc4_hang_settle_later(vd);
}

/* ---- submission ---- */

static void vc4_exec_fill(struct vc4_exec *exec, const struct vc4_file *vf,
			  const struct vc4_val_job *v, const struct vc4_slot *slot, u32 nwords)
{
	exec->state = (struct drm_vc4_get_hang_state){
		.start_render = slot->va + VC4_RENDER_AT,
		.ct1ea = slot->va + VC4_RENDER_AT + nwords * sizeof(u32),
		.bpoa = vf->more_va,
		.bpos = VC4_MORE_BYTES,
	};
	if (!v->list_bytes)
		return;
	exec->state.start_bin = v->start;
	exec->state.ct0ea = v->end;
}

/* The slot comes after the buffers, for which there is room. */
static void vc4_exec_take(struct vc4_exec *exec, struct pers_bos *bos, struct vc4_val_job *v,
			  const struct vc4_slot *slot)
{
	struct drm_gem_object *obj = vshader_bo_gem(slot->bo);

	exec->bos.objs = bos->objs;
	exec->bos.n = bos->n + 1;
	exec->bos.objs[bos->n] = obj;
	drm_gem_object_get(obj);
	exec->vals = v->bo;
	exec->vals[bos->n] = (struct vc4_val_bo){ .bytes = obj->size, .va = slot->va };
	bos->objs = NULL;
	v->bo = NULL;
}

struct vc4_exec *vc4_exec_new(struct drm_file *file, struct pers_bos *bos, struct vc4_val_job *v,
			      const struct vc4_slot *slot, u32 nwords)
{
	struct vc4_file *vf = to_vc4_file(file);
	u64 bytes = sizeof(struct vc4_exec) +
		    (bos->n + 1) * (sizeof(*bos->objs) + sizeof(*v->bo));
	struct vc4_exec *exec;
	int ret;

	exec = kzalloc(sizeof(*exec), GFP_KERNEL_ACCOUNT);
	if (!exec)
		return ERR_PTR(-ENOMEM);
	ret = vshader_quota_charge(vf->base.acct, bytes);
	if (ret) {
		kfree(exec);
		return ERR_PTR(ret);
	}
	exec->kept.ended = vc4_exec_ended;
	kref_init(&exec->ref);
	exec->acct = vshader_account_get(vf->base.acct);
	exec->bytes = bytes;
	vc4_exec_fill(exec, vf, v, slot, nwords);
	vc4_exec_take(exec, bos, v, slot);
	return exec;
}

struct vshader_kept *vc4_exec_get(struct vc4_exec *exec)
{
	kref_get(&exec->ref);
	return &exec->kept;
}

/* ---- device ---- */

/* Buffers of other devices must not keep these devices, nor the other way round. */
static void vc4_hang_fini(void *data)
{
	struct vc4_device *vd = data;
	struct vc4_exec *exec;

	mutex_lock(&vd->lock);
	exec = vd->hang;
	vd->hang = NULL;
	vd->unplugged = true;
	mutex_unlock(&vd->lock);
	cancel_delayed_work_sync(&vd->settle);
	if (exec)
		vc4_exec_put(exec);
}

int vc4_hang_init(struct vshader_device *vdev)
{
	struct vc4_device *vd = to_vc4_device(&vdev->drm);

	INIT_DELAYED_WORK(&vd->settle, vc4_hang_settle);
	return devm_add_action_or_reset(vdev->drm.dev, vc4_hang_fini, vd);
}

/* ---- the ioctl ---- */

/* Handles for the caller. Return: 0, or an error: there are none. */
static int vc4_hang_open(const struct vc4_exec *exec, struct drm_file *file,
			 struct drm_vc4_get_hang_state_bo *bo)
{
	u32 i;
	int ret;

	for (i = 0; i < exec->bos.n; i++) {
		ret = drm_gem_handle_create(file, exec->bos.objs[i], &bo[i].handle);
		if (ret)
			goto err_delete;
		bo[i].paddr = exec->vals[i].va;
		bo[i].size = exec->bos.objs[i]->size;
	}
	return 0;

err_delete:
	while (i)
		drm_gem_handle_delete(file, bo[--i].handle);
	return ret;
}

static int vc4_hang_copy(const struct vc4_exec *exec, struct drm_file *file, u64 user)
{
	struct drm_vc4_get_hang_state_bo *bo;
	u32 i, n = exec->bos.n;
	int ret;

	bo = kvcalloc(n, sizeof(*bo), GFP_KERNEL_ACCOUNT);
	if (!bo)
		return -ENOMEM;
	ret = vc4_hang_open(exec, file, bo);
	if (ret)
		goto out_free;
	if (copy_to_user(u64_to_user_ptr(user), bo, n * sizeof(*bo))) {
		ret = -EFAULT;
		for (i = 0; i < n; i++)
			drm_gem_handle_delete(file, bo[i].handle);
	}
out_free:
	kvfree(bo);
	return ret;
}

/* As in the driver, the state is gone even if it cannot be copied. */
int vc4_get_hang_state(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vc4_get_hang_state *args = data;
	struct vc4_device *vd = to_vc4_device(drm);
	struct vc4_exec *exec;
	u64 user = args->bo;
	int ret;

	mutex_lock(&vd->lock);
	exec = vd->hang;
	ret = exec ? 0 : -ENOENT;
	if (exec && args->bo_count < exec->bos.n) {
		args->bo_count = exec->bos.n;
		exec = NULL;
	}
	if (exec)
		vd->hang = NULL;
	mutex_unlock(&vd->lock);
	if (!exec)
		return ret;
	*args = exec->state;
	args->bo = user;
	args->bo_count = exec->bos.n;
	ret = vc4_hang_copy(exec, file, user);
	vc4_exec_put(exec);
	return ret;
}
