// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Personalities
 *
 * A personality gives a device the name, the version and the ioctls of another driver. Everything
 * that such interfaces have in common is in pers_*.c; a personality adds its ioctls.
 *
 * A file has one hidden address space, and hidden queues on the same scheduler, threads,
 * statistics, dumps, recorder and fault injection as files of the driver's own interface. The
 * differences:
 *
 * - a buffer gets its addresses with its handle and has them as long as the file has a handle of
 *   it; there is no ioctl that maps (pers_va.c, pers_bo.c);
 * - memory that userspace declares as not needed is given back when the kernel wants memory
 *   (pers_madv.c);
 * - a job may access all buffers of its file, and synchronises implicitly with those that it names,
 *   which it reads or writes (pers_submit.c);
 * - a fault is the fence's error and bans nothing.
 */
#include <drm/drm_file.h>

#include "drm/vshader_file.h"
#include "drm/vshader_queue.h"
#include "personality/pers.h"

int pers_file_open(struct drm_device *drm, struct drm_file *file, struct pers_file *pf,
		   u32 vm_flags)
{
	struct drm_vshader_vm_create args = { .flags = vm_flags };
	struct vshader_file *vf;
	int ret;

	ret = vshader_file_open(drm, file);
	if (ret)
		return ret;
	vf = file->driver_priv;
	vf->personal = pf;
	mutex_init(&pf->lock);
	pf->acct = vshader_account_get(vf->account);
	vshader_nodes_init(&pf->nodes, pf->acct);
	pf->vas.by_va.owner = &pf->nodes.owner;
	pf->vas.by_obj.owner = &pf->nodes.owner;
	ret = vshader_vm_create(file, &args);
	if (ret) {
		pers_file_close(drm, file);
		return ret;
	}
	pf->vm_id = args.id;
	pf->vm = vshader_vm_lookup(vf, args.id);
	pf->vm->explicit_sync = true;
	return 0;
}

void pers_file_close(struct drm_device *drm, struct drm_file *file)
{
	struct pers_file *pf = to_pers_file(file);

	vshader_file_close(drm, file);
	vshader_vm_put(pf->vm);
	pers_va_fini(&pf->vas);
	vshader_account_put(pf->acct);
	mutex_destroy(&pf->lock);
}

int pers_queue_create(struct drm_file *file, u32 engine, u32 priority, u32 time_limit_ms, u32 kind,
		      u32 *id)
{
	struct drm_vshader_queue_create args = {
		.engine = engine,
		.vm_id = to_pers_file(file)->vm_id,
		.priority = priority,
		.time_limit_ms = clamp(time_limit_ms, 1U, VSHADER_MAX_TIME_MS),
	};
	struct vshader_queue *q;
	int ret;

	ret = vshader_queue_create(file, &args);
	if (ret)
		return ret;
	*id = args.id;
	q = vshader_queue_lookup(file->driver_priv, args.id);
	q->fifo.no_ban = true;
	q->kind = kind;
	vshader_queue_put(q);
	return 0;
}

void pers_queue_pair(struct drm_file *file, u32 a, u32 b)
{
	struct vshader_queue *x = vshader_queue_lookup(file->driver_priv, a);
	struct vshader_queue *y = vshader_queue_lookup(file->driver_priv, b);

	if (x && y)
		vshader_fifo_pair(&x->fifo, &y->fifo);
	vshader_queue_put(x);
	vshader_queue_put(y);
}

void pers_queue_destroy(struct drm_file *file, u32 id)
{
	struct drm_vshader_queue_destroy args = { .id = id };

	if (id)
		vshader_queue_destroy(file, &args);
}
