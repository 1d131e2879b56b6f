// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: devices that present themselves as the panfrost driver's.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include <panfrost_drm.h>

#include "ops.h"
#include "touch.h"

#define HEAP_SIZE	(32 << 20)

static int pan_file(struct fz_ctx *c)
{
	struct fz_res *r = fz_last(c, FZ_PANFROST);

	if (!r) {
		fz_op_pan_open(c);
		r = fz_last(c, FZ_PANFROST);
	}
	return r ? r->fd : -1;
}

FZ_OP(pan_open)
{
	u32 n = fz_byte(c);
	const char *path = fz_shared->npanfrost ? fz_shared->panfrost[n % fz_shared->npanfrost] :
						  NULL;
	int fd = path ? fz_open_node(path, fz_byte(c) % 2) : -1;

	if (fd >= 0)
		fz_add(c, FZ_PANFROST, fd, 0);
}

/* Sometimes their ids are used with another file, or the file with vshader's ioctls. */
FZ_OP(pan_confuse)
{
	struct fz_res *r = fz_res(c, FZ_PAN_BO);

	if (r->fd >= 0)
		fz_add(c, fz_chance(c) ? FZ_DRM : FZ_BO, r->fd, r->id);
}

FZ_OP(pan_param)
{
	struct drm_panfrost_get_param *a = fz_mem(c, sizeof(*a));

	a->param = fz_byte(c);
	fz_ioctl(c, pan_file(c), DRM_IOCTL_PANFROST_GET_PARAM, a);
}

/* Jobs in memory: values to write, chains that go anywhere, and what else the bytes say. */
static void fill(struct fz_ctx *c, u32 *w, u64 va, u64 size)
{
	u32 n = 1 + fz_byte(c) % 8, i;

	for (i = 0; i < n; i++, w += 16) {
		u32 type = 1 + fz_byte(c) % 10;
		u64 next = i + 1 < n ? va + 64 * (i + 1) : fz_chance(c) ? va : 0;
		u64 to = va + 16 * fz_byte(c) + (fz_chance(c) ? size : 0);

		w[4] = 1 | (type == 1 ? 2 : type) << 1 | (i + 1) << 16;
		w[5] = fz_chance(c) ? i : 0;
		w[6] = next;
		w[7] = next >> 32;
		w[8] = to;
		w[9] = to >> 32;
		w[10] = 3;
	}
}

FZ_OP(pan_create_bo)
{
	struct drm_panfrost_create_bo *a = fz_mem(c, sizeof(*a));
	struct drm_panfrost_mmap_bo *m = fz_mem(c, sizeof(*m));
	int fd = pan_file(c);
	struct fz_res *r;
	void *p;

	a->size = (1 + fz_byte(c) % 16) * PAGE;
	if (fz_chance(c)) {
		a->size = HEAP_SIZE;
		a->flags = PANFROST_BO_HEAP | PANFROST_BO_NOEXEC;
	}
	if (fz_ioctl(c, fd, DRM_IOCTL_PANFROST_CREATE_BO, a))
		return;
	r = fz_add(c, FZ_PAN_BO, fd, a->handle);
	r->size = a->size;
	r->va = a->offset;
	m->handle = a->handle;
	if (a->flags || fz_plain_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, m))
		return;
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m->offset);
	if (p == MAP_FAILED)
		return;
	if (fz_touch_begin())
		fill(c, p, r->va, r->size);
	fz_touch_end();
	munmap(p, PAGE);
}

FZ_OP(pan_close_bo)
{
	struct drm_gem_close *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PAN_BO);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_GEM_CLOSE, a);
}

FZ_OP(pan_offset)
{
	struct drm_panfrost_get_bo_offset *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PAN_BO);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_PANFROST_GET_BO_OFFSET, a);
}

FZ_OP(pan_wait_bo)
{
	struct drm_panfrost_wait_bo *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PAN_BO);

	a->handle = r->id;
	a->timeout_ns = fz_now() + (s64)fz_byte(c) * NSEC_PER_MS / 16;
	fz_ioctl(c, r->fd, DRM_IOCTL_PANFROST_WAIT_BO, a);
}

FZ_OP(pan_madvise)
{
	struct drm_panfrost_madvise *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_PAN_BO);

	a->handle = r->id;
	a->madv = fz_byte(c) % 3;
	fz_ioctl(c, r->fd, DRM_IOCTL_PANFROST_MADVISE, a);
}

FZ_OP(pan_submit)
{
	struct drm_panfrost_submit *a = fz_mem(c, sizeof(*a));
	u32 *handles = fz_mem(c, 64), *in = fz_mem(c, 64), i;
	struct fz_res *r = fz_res(c, FZ_PAN_BO), *sync;

	a->jc = r->va + 64 * (fz_byte(c) % 8);
	a->requirements = fz_chance(c);
	a->bo_handles = PTR(handles);
	a->bo_handle_count = fz_byte(c) % 4;
	for (i = 0; i < a->bo_handle_count; i++)
		handles[i] = fz_res(c, FZ_PAN_BO)->id;
	if (fz_chance(c)) {
		sync = fz_res(c, FZ_SYNCOBJ);
		in[0] = sync->id;
		a->in_syncs = PTR(in);
		a->in_sync_count = 1;
	}
	a->out_sync = fz_chance(c) ? fz_res(c, FZ_SYNCOBJ)->id : 0;
	fz_ioctl(c, r->fd, DRM_IOCTL_PANFROST_SUBMIT, a);
}

FZ_OP(pan_syncobj)
{
	struct drm_syncobj_create *a = fz_mem(c, sizeof(*a));
	int fd = pan_file(c);

	a->flags = fz_chance(c) ? 0 : DRM_SYNCOBJ_CREATE_SIGNALED;
	if (!fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_CREATE, a))
		fz_add(c, FZ_SYNCOBJ, fd, a->handle);
}
