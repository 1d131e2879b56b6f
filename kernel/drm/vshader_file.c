// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Lifetime
 *
 * A device is unplugged while files are open and jobs run. Unplugging cancels all
 * jobs and waits a while for them; jobs that wait for fences of other drivers end later.
 * Each job holds its queue, each queue its file, each file the device and the module. The file
 * has the scheduler and the threads. See vshader_sched.c for fences, which live longer.
 *
 * drm_dev_unplug() waits for drm_dev_enter() sections of every DRM device, and a page of user
 * memory may never arrive (FUSE, userfaultfd). So ioctls copy user memory outside such sections.
 * They use nothing that unplugging frees: the file holds the device and the module. An ioctl that
 * is under way creates no queue once the device is gone, and a job that it submits to a queue
 * that is there ends without execution, because unplugging has cancelled the queue.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "compat/vshader_compat.h"
#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_file.h"
#include "vshader_job_run.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_quota.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

static void file_release(struct kref *ref)
{
	struct vshader_file *vf = container_of(ref, struct vshader_file, ref);
	struct drm_device *drm = &vf->vdev->drm;

	vshader_exec_free(vf->exec);
	vshader_sched_free(vf->sched);
	vshader_quota_drop_client(vf);
	vshader_account_put(vf->account);
	xa_destroy(&vf->vms);
	xa_destroy(&vf->programs);
	xa_destroy(&vf->queues);
	mutex_destroy(&vf->submit_lock);
	kfree(vf);
	drm_dev_put(drm);
	/* the caller's file holds the module, too, or removal waits for the caller's work */
	module_put(THIS_MODULE);
}

static const struct vshader_file_ops file_ops = {
	.release = file_release,
	.sched = &vshader_job_sched_ops,
	.exec = &vshader_job_exec_ops,
};

int vshader_file_open(struct drm_device *drm, struct drm_file *file)
{
	static atomic64_t clients;
	struct vshader_file *vf = kzalloc(sizeof(*vf), GFP_KERNEL_ACCOUNT);

	if (!vf)
		return -ENOMEM;
	kref_init(&vf->ref);
	vf->vdev = to_vshader_device(drm);
	vf->ops = &file_ops;
	vf->account = vshader_account_new(&vf->vdev->quota);
	if (!vf->account)
		goto err_file;
	vf->exec = vshader_exec_new(vf, vf->ops->exec);
	if (!vf->exec)
		goto err_account;
	__module_get(THIS_MODULE);
	drm_dev_get(drm);
	vf->client_id = vshader_compat_client_id(file, atomic64_inc_return(&clients));
	xa_init_flags(&vf->vms, XA_FLAGS_ALLOC1);
	xa_init_flags(&vf->programs, XA_FLAGS_ALLOC1);
	xa_init_flags(&vf->queues, XA_FLAGS_ALLOC1);
	mutex_init(&vf->submit_lock);
	init_llist_head(&vf->reap_list);
	INIT_WORK(&vf->reap, vshader_job_reap);
	file->driver_priv = vf;
	return 0;

err_account:
	vshader_account_put(vf->account);
err_file:
	kfree(vf);
	return -ENOMEM;
}

/*
 * The core frees the handles of the file before postclose, which takes long if there are many and
 * the process is killed in a control group without CPU time: others need not wait for that. Nor
 * does a job that ends wait for the CPU until they are freed.
 */
int vshader_file_release(struct inode *inode, struct file *filp)
{
	struct drm_file *file = filp->private_data;
	struct vshader_file *vf = file->driver_priv;

	vshader_exec_close(vf->exec);
	flush_work(&vf->exec->end);
	return drm_release(inode, filp);
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
	/* jobs that end now, so that their memory is gone when close() returns */
	flush_work(&vf->exec->end);
	flush_work(&vf->reap);
	vshader_file_put(vf);
}
