// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Lifetime
 *
 * A device is unplugged while files are open and jobs run. Unplugging cancels all
 * jobs and waits a while for them; jobs that wait for fences of other drivers end later.
 * Each job holds its queue, each queue its file, each file the device. The file has the
 * scheduler and the threads. See vshader_sched.c for fences, which live longer.
 *
 * drm_dev_unplug() waits for drm_dev_enter() sections of every DRM device, and a page of user
 * memory may never arrive (FUSE, userfaultfd). So ioctls copy user memory outside such sections.
 * They use nothing that unplugging frees: the file holds the device and the module. An ioctl that
 * is under way creates no queue once the device is gone, and a job that it submits to a queue
 * that is there ends without execution, because unplugging has cancelled the queue.
 */
#include <linux/dma-mapping.h>
#include <linux/jiffies.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "compat/vshader_compat.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_drv.h"
#include "vshader_dump.h"
#include "vshader_inject.h"
#include "vshader_job.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

/* How long unplugging waits for jobs. */
#define DRAIN_TIME	msecs_to_jiffies(2000)

/* Weight that is executed in a microsecond, roughly. */
#define WEIGHT_PER_US	60

int vshader_id_alloc(struct xarray *xa, void *obj, u32 *id)
{
	int ret = xa_alloc(xa, id, obj, XA_LIMIT(1, VSHADER_MAX_OBJECTS), GFP_KERNEL_ACCOUNT);

	return ret == -EBUSY ? -E2BIG : ret;
}

int vshader_file_open(struct drm_device *drm, struct drm_file *file)
{
	static atomic64_t clients;
	struct vshader_file *vf = kzalloc(sizeof(*vf), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!vf)
		return -ENOMEM;
	kref_init(&vf->ref);
	vf->vdev = to_vshader_device(drm);
	ret = vshader_quota_join(vf);
	if (ret) {
		kfree(vf);
		return ret;
	}
	drm_dev_get(drm);
	vf->client_id = vshader_compat_client_id(file, atomic64_inc_return(&clients));
	xa_init_flags(&vf->vms, XA_FLAGS_ALLOC1);
	xa_init_flags(&vf->programs, XA_FLAGS_ALLOC1);
	xa_init_flags(&vf->queues, XA_FLAGS_ALLOC1);
	mutex_init(&vf->submit_lock);
	init_llist_head(&vf->reap_list);
	INIT_WORK(&vf->reap, vshader_job_reap);
	vshader_exec_init(&vf->exec, vf);
	file->driver_priv = vf;
	return 0;
}

static void file_release(struct kref *ref)
{
	struct vshader_file *vf = container_of(ref, struct vshader_file, ref);
	struct drm_device *drm = &vf->vdev->drm;

	vshader_exec_fini(&vf->exec);
	vshader_sched_free(vf->sched);
	vshader_quota_leave(vf);
	xa_destroy(&vf->vms);
	xa_destroy(&vf->programs);
	xa_destroy(&vf->queues);
	mutex_destroy(&vf->submit_lock);
	kfree(vf);
	drm_dev_put(drm);
}

static int file_start(struct vshader_file *vf)
{
	int ret = vf->is_client ? 0 : vshader_quota_add_client(vf);

	if (!ret && !vf->sched) {
		vf->sched = vshader_sched_new(vf->vdev, vf->client_id);
		ret = vf->sched ? 0 : -ENOMEM;
	}
	return ret ?: vshader_exec_start(&vf->exec, 1);
}

int vshader_file_start(struct vshader_file *vf)
{
	int ret = mutex_lock_interruptible(&vf->submit_lock);

	if (ret)
		return ret;
	ret = file_start(vf);
	mutex_unlock(&vf->submit_lock);
	return ret;
}

struct vshader_file *vshader_file_get(struct vshader_file *vf)
{
	kref_get(&vf->ref);
	return vf;
}

void vshader_file_put(struct vshader_file *vf)
{
	kref_put(&vf->ref, file_release);
}

void vshader_file_close(struct drm_device *drm, struct drm_file *file)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_program *prog;
	struct vshader_queue *q;
	struct vshader_vm *vm;
	unsigned long id;

	xa_for_each(&vf->queues, id, q) {
		xa_erase(&vf->queues, id);
		vshader_queue_close(q);
	}
	xa_for_each(&vf->programs, id, prog) {
		xa_erase(&vf->programs, id);
		vshader_program_put(prog);
	}
	xa_for_each(&vf->vms, id, vm) {
		xa_erase(&vf->vms, id);
		vshader_vm_put(vm);
	}
	/* jobs that have ended, so that their memory is gone when close() returns */
	flush_work(&vf->reap);
	vshader_file_put(vf);
}

static int device_init(struct vshader_device *vdev)
{
	int ret;

	INIT_LIST_HEAD(&vdev->bos);
	INIT_LIST_HEAD(&vdev->queues);
	spin_lock_init(&vdev->queues_lock);
	spin_lock_init(&vdev->record_lock);
	init_waitqueue_head(&vdev->idle);
	vshader_quota_init(&vdev->quota);
	ret = drmm_mutex_init(&vdev->drm, &vdev->bos_lock);
	if (ret)
		return ret;
	ret = vshader_dump_init(vdev);
	if (!ret)
		ret = vshader_inject_init(vdev);
	if (ret)
		return ret;
	vdev->slice = clamp(vshader_slice_us, 5U, 1000U) * WEIGHT_PER_US;
	vdev->simd = vshader_simd;
	return 0;
}

int vshader_device_create(struct platform_device *pdev)
{
	struct vshader_device *vdev;
	int ret;

	/* imported buffers are mapped for the device, though it has no DMA */
	ret = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		return ret;
	vdev = devm_drm_dev_alloc(&pdev->dev, &vshader_drm_driver, struct vshader_device, drm);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);
	platform_set_drvdata(pdev, vdev);
	ret = device_init(vdev);
	return ret ?: drm_dev_register(&vdev->drm, 0);
}

/* The queues cannot go away before the list's lock is dropped. */
static void cancel_all(struct vshader_device *vdev)
{
	struct vshader_queue *q;

	spin_lock(&vdev->queues_lock);
	vdev->gone = true;
	list_for_each_entry(q, &vdev->queues, node) {
		spin_lock(&q->lock);
		q->state |= DRM_VSHADER_QUEUE_STATE_INNOCENT;
		spin_unlock(&q->lock);
		vshader_exec_cancel(q, -ENODEV);
		vshader_debug_gone(q);
	}
	spin_unlock(&vdev->queues_lock);
}

void vshader_device_remove(struct platform_device *pdev)
{
	struct vshader_device *vdev = platform_get_drvdata(pdev);

	cancel_all(vdev);
	vshader_record_unplug(vdev);
	drm_dev_unplug(&vdev->drm);
	wait_event_timeout(vdev->idle, !atomic_read(&vdev->jobs), DRAIN_TIME);
	flush_workqueue(vshader_wq);
}
