// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: queries, address spaces, buffers, programs, queues.
 */
#include <sys/mman.h>

#include "ops.h"

FZ_OP(dev_query)
{
	struct drm_vshader_dev_query *a = fz_mem(c, sizeof(*a));

	a->type = fz_byte(c) % 6;
	a->size = 8 * fz_byte(c);
	a->pointer = PTR(fz_mem(c, 2048));
	fz_ioctl(c, fz_file(c), DRM_IOCTL_VSHADER_DEV_QUERY, a);
}

FZ_OP(vm_create)
{
	struct drm_vshader_vm_create *a = fz_mem(c, sizeof(*a));
	int fd = fz_file(c);

	a->flags = fz_byte(c) & DRM_VSHADER_VM_48BIT;
	if (!fz_ioctl(c, fd, DRM_IOCTL_VSHADER_VM_CREATE, a))
		fz_add(c, FZ_VM, fd, a->id);
}

FZ_OP(vm_destroy)
{
	struct drm_vshader_vm_destroy *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_VM);

	a->id = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_VM_DESTROY, a);
}

/* Where something is mapped already, or next to it, or somewhere else. */
static u64 bind_va(struct fz_ctx *c)
{
	u8 b = fz_byte(c);
	struct fz_res *map = b ? fz_res(c, FZ_MAP) : NULL;

	if (!map || !map->va)
		return VA(0) + (b % 64) * 16 * PAGE;
	return (map->va & ~(PAGE - 1)) + (b % 16) * PAGE;
}

static void bind_op(struct fz_ctx *c, struct drm_vshader_vm_bind_op *op)
{
	static const u8 flags[] = {
		0, DRM_VSHADER_VM_BIND_UNMAP, DRM_VSHADER_VM_BIND_READONLY,
		DRM_VSHADER_VM_BIND_NOEXEC, DRM_VSHADER_VM_BIND_ALLOC_VA,
	};
	struct fz_res *bo = fz_res(c, FZ_BO);
	bool unmap;

	op->flags = flags[fz_pick(c, ARRAY_SIZE(flags))];
	unmap = op->flags & DRM_VSHADER_VM_BIND_UNMAP;
	op->bo_handle = unmap ? 0 : bo->id;
	op->va = op->flags & DRM_VSHADER_VM_BIND_ALLOC_VA ? 0 : bind_va(c);
	op->size = (1 + fz_byte(c) % 16) * PAGE;
	if (op->size > bo->size && bo->size && !unmap)
		op->size = bo->size;
}

FZ_OP(vm_bind)
{
	struct drm_vshader_vm_bind *a = fz_mem(c, sizeof(*a));
	struct drm_vshader_vm_bind_op *ops = fz_mem(c, 4 * sizeof(*ops));
	struct fz_res *vm = fz_res(c, FZ_VM);
	u32 i;

	a->vm_id = vm->id;
	a->ops = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1 + fz_byte(c) % 4, ops);
	for (i = 0; i < a->ops.count; i++)
		bind_op(c, &ops[i]);
	fz_ioctl(c, vm->fd, DRM_IOCTL_VSHADER_VM_BIND, a);
}

/* Many mappings, or holes in many: binds and submits that follow meet a tree of some levels. */
FZ_OP(vm_crowd)
{
	struct drm_vshader_vm_bind *a = fz_mem(c, sizeof(*a));
	struct drm_vshader_vm_bind_op *ops = fz_mem(c, 64 * sizeof(*ops));
	u64 va = bind_va(c), step = (1 + fz_byte(c) % 4) * PAGE;
	struct fz_res *vm = fz_res(c, FZ_VM), *bo = fz_res(c, FZ_BO);
	u32 i, holes = fz_byte(c) % 4 == 3;

	a->vm_id = vm->id;
	a->ops = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(64, ops);
	for (i = 0; i < 64; i++) {
		ops[i].flags = holes ? DRM_VSHADER_VM_BIND_UNMAP :
				       (fz_byte(c) & 1) * DRM_VSHADER_VM_BIND_READONLY;
		ops[i].bo_handle = holes ? 0 : bo->id;
		ops[i].va = va + i * step;
		ops[i].size = PAGE;
	}
	fz_ioctl(c, vm->fd, DRM_IOCTL_VSHADER_VM_BIND, a);
}

FZ_OP(bo_create)
{
	struct drm_vshader_bo_create *a = fz_mem(c, sizeof(*a));
	int fd = fz_file(c);

	a->size = (1 + fz_byte(c) % 32) * PAGE;
	a->flags = fz_chance(c) ? DRM_VSHADER_BO_NO_MMAP : 0;
	a->exclusive_vm_id = fz_byte(c) % 4 == 1 ? fz_res(c, FZ_VM)->id : 0;
	if (!fz_ioctl(c, fd, DRM_IOCTL_VSHADER_BO_CREATE, a))
		fz_add(c, FZ_BO, fd, a->handle)->size = a->size;
}

FZ_OP(bo_map)
{
	struct drm_vshader_bo_mmap_offset *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_BO), *m;
	u64 size = r->size && r->size <= 1 << 20 ? r->size : PAGE;
	int flags = fz_chance(c) ? MAP_PRIVATE : MAP_SHARED;
	void *p;

	a->handle = r->id;
	if (fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, a))
		return;
	if (fz_chance(c))
		size += PAGE;
	p = mmap(NULL, size, PROT_READ | (fz_chance(c) ? 0 : PROT_WRITE), flags, r->fd,
		 a->offset + (fz_chance(c) ? PAGE : 0));
	if (p == MAP_FAILED)
		return;
	m = fz_add(c, FZ_MAP, r->fd, r->id);
	m->size = size;
	m->map = p;
}

FZ_OP(bo_label)
{
	struct drm_vshader_bo_set_label *a = fz_mem(c, sizeof(*a));
	u32 len = fz_byte(c) % 128;
	struct fz_res *r = fz_res(c, FZ_BO);
	char *text = fz_mem(c, 136);

	memset(text, 'a' + len % 26, len);
	a->handle = r->id;
	a->label = fz_chance(c) ? 0 : PTR(text);
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, a);
}

FZ_OP(program_query)
{
	struct drm_vshader_program_query *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PROGRAM);

	a->id = r->id;
	a->size = sizeof(struct drm_vshader_program_info) + fz_byte(c) % 16;
	a->pointer = PTR(fz_mem(c, 256));
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_PROGRAM_QUERY, a);
}

FZ_OP(program_destroy)
{
	struct drm_vshader_program_destroy *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PROGRAM);

	a->id = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_PROGRAM_DESTROY, a);
}

FZ_OP(queue_create)
{
	static const u8 prio[] = {
		DRM_VSHADER_PRIORITY_MEDIUM, DRM_VSHADER_PRIORITY_LOW, DRM_VSHADER_PRIORITY_HIGH, 3,
	};
	static const u32 budget[] = { 200000, 1000, 20000000, 0 };
	struct drm_vshader_queue_create *a = fz_mem(c, sizeof(*a));
	struct fz_res *vm = fz_res(c, FZ_VM), *q;
	u8 engine = fz_byte(c), scene = vm->scene;

	/* of the scene that the address space is for, if there is one */
	a->engine = engine || !scene ? engine % 7 : fz_scenes[scene - 1].queue->engine;
	a->vm_id = vm->id;
	a->priority = prio[fz_pick(c, ARRAY_SIZE(prio))];
	a->flags = fz_byte(c) % 4 == 1 ? DRM_VSHADER_QUEUE_DEBUG : 0;
	a->budget = budget[fz_pick(c, ARRAY_SIZE(budget))];
	a->time_limit_ms = 1 + (fz_byte(c) ^ 50);
	if (fz_ioctl(c, vm->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, a))
		return;
	q = fz_add(c, FZ_QUEUE, vm->fd, a->id);
	q->scene = scene;
	q->size = a->flags;
}

FZ_OP(queue_destroy)
{
	struct drm_vshader_queue_destroy *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_QUEUE);

	a->id = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_QUEUE_DESTROY, a);
}

FZ_OP(queue_state)
{
	struct drm_vshader_queue_get_state *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_QUEUE);

	a->id = r->id;
	if (fz_byte(c) % 2) {
		a->engine_state_size = 8 * fz_byte(c);
		a->engine_state = PTR(fz_mem(c, 2048));
	}
	fz_ioctl(c, r->fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, a);
}

/* ---- jobs that end by their time limit, of 101 ms by default, or by cancellation ---- */

FZ_OP(spin)
{
	struct vst_job *j = fz_mem(c, sizeof(*j));
	struct drm_vshader_submit *a = fz_mem(c, sizeof(*a));
	u32 vm, program, queue, n = 1 + fz_byte(c) % 8, ms = 1 + (fz_byte(c) ^ 100), i;
	struct fz_res *sync = fz_last(c, FZ_SYNCOBJ);
	struct drm_vshader_job *jobs;
	int fd = fz_file(c);

	if (vst_vm_create(fd, 0, &vm))
		return;
	fz_add(c, FZ_VM, fd, vm);
	if (vst_program(fd, &vst_spin, &program))
		return;
	fz_add(c, FZ_PROGRAM, fd, program);
	if (vst_queue(fd, vm, 0, ms, &queue))
		return;
	fz_add(c, FZ_QUEUE, fd, queue);
	vst_job_init(j, queue, program, VST_COUNT);
	if (sync && sync->fd == fd)
		vst_job_sync(j, DRM_VSHADER_SYNC_SIGNAL, sync->id, 0);
	jobs = fz_mem(c, n * sizeof(*jobs));
	for (i = 0; i < n; i++)
		jobs[i] = j->job;
	a->jobs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n, jobs);
	fz_ioctl(c, fd, DRM_IOCTL_VSHADER_SUBMIT, a);
}
