// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: sync objects, sync files, timelines of sw_sync.
 */
#include <fcntl.h>
#include <linux/sync_file.h>
#include <sys/ioctl.h>

#include "ops.h"

/* Of drivers/dma-buf/sw_sync.c; there is no header. */
struct sw_sync_create_fence_data {
	__u32 value;
	char name[32];
	__s32 fence;
};

#define SW_SYNC_IOC_CREATE_FENCE	_IOWR('W', 0, struct sw_sync_create_fence_data)
#define SW_SYNC_IOC_INC			_IOW('W', 1, __u32)

FZ_OP(syncobj_create)
{
	struct drm_syncobj_create *a = fz_mem(c, sizeof(*a));
	int fd = fz_file(c);

	a->flags = fz_byte(c) & DRM_SYNCOBJ_CREATE_SIGNALED;
	if (!fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_CREATE, a))
		fz_add(c, FZ_SYNCOBJ, fd, a->handle);
}

FZ_OP(syncobj_destroy)
{
	struct drm_syncobj_destroy *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_SYNCOBJ);

	a->handle = r->id;
	fz_ioctl(c, r->fd, DRM_IOCTL_SYNCOBJ_DESTROY, a);
}

/* One or two handles. */
static u32 handles(struct fz_ctx *c, u32 *n, int *fd)
{
	struct fz_res *r = fz_res(c, FZ_SYNCOBJ);
	u32 *h = fz_mem(c, 16);

	h[0] = r->id;
	h[1] = fz_res(c, FZ_SYNCOBJ)->id;
	*fd = r->fd;
	*n = 1 + (fz_byte(c) & 1);
	return (u8 *)h - c->arena;
}

static void array(struct fz_ctx *c, unsigned long request)
{
	struct drm_syncobj_array *a = fz_mem(c, sizeof(*a));
	u32 n, at;
	int fd;

	at = handles(c, &n, &fd);
	a->handles = PTR(c->arena + at);
	a->count_handles = n;
	fz_ioctl(c, fd, request, a);
}

FZ_OP(syncobj_reset)
{
	array(c, DRM_IOCTL_SYNCOBJ_RESET);
}

FZ_OP(syncobj_signal)
{
	array(c, DRM_IOCTL_SYNCOBJ_SIGNAL);
}

static __s64 timeout(struct fz_ctx *c)
{
	static const u8 ms[] = { 10, 0, 1, 3 };

	return fz_now() + ms[fz_pick(c, ARRAY_SIZE(ms))] * NSEC_PER_MS;
}

FZ_OP(wait)
{
	struct drm_syncobj_wait *a = fz_mem(c, sizeof(*a));
	u32 n, at;
	int fd;

	at = handles(c, &n, &fd);
	a->handles = PTR(c->arena + at);
	a->count_handles = n;
	a->timeout_nsec = timeout(c);
	a->flags = fz_byte(c) & 3;
	fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_WAIT, a);
}

static u64 *points(struct fz_ctx *c)
{
	u64 *p = fz_mem(c, 16);

	p[0] = fz_byte(c) % 8;
	p[1] = fz_byte(c) % 8;
	return p;
}

FZ_OP(timeline_wait)
{
	struct drm_syncobj_timeline_wait *a = fz_mem(c, sizeof(*a));
	u32 n, at;
	int fd;

	at = handles(c, &n, &fd);
	a->handles = PTR(c->arena + at);
	a->points = PTR(points(c));
	a->count_handles = n;
	a->timeout_nsec = timeout(c);
	a->flags = fz_byte(c) & 7;
	fz_ioctl(c, fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, a);
}

static void timeline(struct fz_ctx *c, unsigned long request)
{
	struct drm_syncobj_timeline_array *a = fz_mem(c, sizeof(*a));
	u32 n, at;
	int fd;

	at = handles(c, &n, &fd);
	a->handles = PTR(c->arena + at);
	a->points = PTR(points(c));
	a->count_handles = n;
	a->flags = request == DRM_IOCTL_SYNCOBJ_QUERY ? fz_byte(c) & 1 : 0;
	fz_ioctl(c, fd, request, a);
}

FZ_OP(timeline_signal)
{
	timeline(c, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL);
}

FZ_OP(timeline_query)
{
	timeline(c, DRM_IOCTL_SYNCOBJ_QUERY);
}

FZ_OP(transfer)
{
	struct drm_syncobj_transfer *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_SYNCOBJ);

	a->src_handle = r->id;
	a->dst_handle = fz_res(c, FZ_SYNCOBJ)->id;
	a->src_point = fz_byte(c) % 8;
	a->dst_point = fz_byte(c) % 8;
	fz_ioctl(c, r->fd, DRM_IOCTL_SYNCOBJ_TRANSFER, a);
}

/* As a sync file, or the object itself. */
FZ_OP(syncobj_to_fd)
{
	struct drm_syncobj_handle *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_SYNCOBJ);

	a->handle = r->id;
	a->flags = fz_byte(c) % 4 ? 0 : DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
	if (!fz_ioctl(c, r->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, a))
		fz_add(c, FZ_FENCE, a->fd, 0);
}

FZ_OP(syncobj_from_fd)
{
	struct drm_syncobj_handle *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_SYNCOBJ);

	a->fd = fz_res(c, FZ_FENCE)->fd;
	a->handle = r->id;
	a->flags = fz_byte(c) % 4 ? 0 : DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
	if (!fz_ioctl(c, r->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, a) && !a->flags)
		fz_add(c, FZ_SYNCOBJ, r->fd, a->handle);
}

FZ_OP(sw_timeline)
{
	int fd = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		fz_add(c, FZ_TIMELINE, fd, 0);
}

/* Fences end when their timeline is closed, at the end of the sequence at the latest. */
FZ_OP(sw_fence)
{
	struct sw_sync_create_fence_data *a = fz_mem(c, sizeof(*a));
	struct fz_res *r;

	if (!fz_last(c, FZ_TIMELINE))
		fz_op_sw_timeline(c);
	r = fz_res(c, FZ_TIMELINE);
	a->value = 1 + fz_byte(c) % 4;
	if (!fz_ioctl(c, r->fd, SW_SYNC_IOC_CREATE_FENCE, a))
		fz_add(c, FZ_FENCE, a->fence, 0);
}

FZ_OP(sw_inc)
{
	u32 *n = fz_mem(c, 8);

	*n = 1 + fz_byte(c) % 4;
	fz_ioctl(c, fz_res(c, FZ_TIMELINE)->fd, SW_SYNC_IOC_INC, n);
}

FZ_OP(fence_merge)
{
	struct sync_merge_data *a = fz_mem(c, sizeof(*a));
	struct fz_res *r = fz_res(c, FZ_FENCE);

	a->fd2 = fz_res(c, FZ_FENCE)->fd;
	if (!fz_ioctl(c, r->fd, SYNC_IOC_MERGE, a))
		fz_add(c, FZ_FENCE, a->fence, 0);
}

FZ_OP(fence_info)
{
	struct sync_file_info *a = fz_mem(c, sizeof(*a));

	a->num_fences = fz_byte(c) % 8;
	a->sync_fence_info = PTR(fz_mem(c, 8 * sizeof(struct sync_fence_info)));
	fz_ioctl(c, fz_res(c, FZ_FENCE)->fd, SYNC_IOC_FILE_INFO, a);
}
