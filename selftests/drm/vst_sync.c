// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the vshader ioctl tests: fences, shared buffers, gates.
 */
#include <fcntl.h>
#include <time.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include <drm_mode.h>

#include "vst.h"

int vst_syncobj(int fd, __u32 *handle)
{
	struct drm_syncobj_create arg = { 0 };
	int ret = vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &arg);

	*handle = arg.handle;
	return ret;
}

int vst_syncobj_destroy(int fd, __u32 handle)
{
	struct drm_syncobj_destroy arg = { .handle = handle };

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &arg);
}

static __s64 deadline(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
}

int vst_wait(int fd, __u32 handle, unsigned int ms)
{
	struct drm_syncobj_wait arg = {
		.handles = PTR(&handle),
		.count_handles = 1,
		.timeout_nsec = deadline(ms > 1000 ? ms * vst_scale() : ms),
	};

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &arg);
}

int vst_wait_point(int fd, __u32 handle, __u64 point, unsigned int ms, __u32 flags)
{
	struct drm_syncobj_timeline_wait arg = {
		.handles = PTR(&handle),
		.points = PTR(&point),
		.count_handles = 1,
		.timeout_nsec = deadline(ms > 1000 ? ms * vst_scale() : ms),
		.flags = flags,
	};

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &arg);
}

int vst_timeline_signal(int fd, __u32 handle, __u64 point)
{
	struct drm_syncobj_timeline_array arg = {
		.handles = PTR(&handle), .points = PTR(&point), .count_handles = 1,
	};

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &arg);
}

int vst_timeline_query(int fd, __u32 handle, __u64 *point)
{
	struct drm_syncobj_timeline_array arg = {
		.handles = PTR(&handle), .points = PTR(point), .count_handles = 1,
	};

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_QUERY, &arg);
}

int vst_syncobj_signal(int fd, __u32 handle)
{
	struct drm_syncobj_array arg = { .handles = PTR(&handle), .count_handles = 1 };

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &arg);
}

int vst_syncobj_reset(int fd, __u32 handle)
{
	struct drm_syncobj_array arg = { .handles = PTR(&handle), .count_handles = 1 };

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_RESET, &arg);
}

int vst_export_sync_file(int fd, __u32 handle)
{
	struct drm_syncobj_handle arg = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
		.fd = -1,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &arg);

	return ret ? ret : arg.fd;
}

int vst_import_sync_file(int fd, __u32 handle, int sync_file)
{
	struct drm_syncobj_handle arg = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
		.fd = sync_file,
	};

	return vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &arg);
}

int vst_sync_file_status(int file)
{
	struct sync_file_info info = { 0 };
	int ret = vst_ioctl(file, SYNC_IOC_FILE_INFO, &info);

	if (ret)
		return ret;
	return info.status > 0 ? 0 : info.status < 0 ? info.status : 1;
}

int vst_fence_status(int fd, __u32 handle)
{
	int file = vst_export_sync_file(fd, handle);
	int ret;

	if (file < 0)
		return file;
	ret = vst_sync_file_status(file);
	close(file);
	return ret;
}

int vst_prime_export(int fd, __u32 handle, int *dmabuf)
{
	struct drm_prime_handle arg = {
		.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR, .fd = -1,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &arg);

	*dmabuf = arg.fd;
	return ret;
}

int vst_prime_import(int fd, int dmabuf, __u32 *handle)
{
	struct drm_prime_handle arg = { .fd = dmabuf };
	int ret = vst_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &arg);

	*handle = arg.handle;
	return ret;
}

/* ---- gates ---- */

/* vgem's interface; its header is not everywhere. */
struct vgem_fence_attach {
	__u32 handle;
	__u32 flags;		/* 1: write */
	__u32 out_fence;
	__u32 pad;
};

struct vgem_fence_signal {
	__u32 fence;
	__u32 flags;
};

#define IOCTL_VGEM_FENCE_ATTACH	DRM_IOWR(DRM_COMMAND_BASE + 1, struct vgem_fence_attach)
#define IOCTL_VGEM_FENCE_SIGNAL	DRM_IOW(DRM_COMMAND_BASE + 2, struct vgem_fence_signal)

/* The primary node: dumb buffers are not for render nodes. */
static int open_vgem(void)
{
	unsigned int minor;

	for (minor = 0; minor < 16; minor++) {
		char name[32] = "";
		struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%u", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "vgem"))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

int vst_gate_new(struct vst_gate *g, size_t size)
{
	struct drm_mode_create_dumb dumb = {
		.width = size / 4, .height = 1, .bpp = 32,
	};
	int ret;

	memset(g, 0, sizeof(*g));
	g->dmabuf = -1;
	g->fd = open_vgem();
	if (g->fd < 0)
		return g->fd;
	ret = vst_ioctl(g->fd, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
	g->bo = dumb.handle;
	if (!ret)
		ret = vst_prime_export(g->fd, g->bo, &g->dmabuf);
	if (ret)
		vst_gate_free(g);
	return ret;
}

int vst_gate_close(struct vst_gate *g, bool write)
{
	struct vgem_fence_attach arg = { .handle = g->bo, .flags = write };
	int ret = vst_ioctl(g->fd, IOCTL_VGEM_FENCE_ATTACH, &arg);

	g->fence = arg.out_fence;
	return ret;
}

int vst_gate_open(struct vst_gate *g)
{
	struct vgem_fence_signal arg = { .fence = g->fence };

	return vst_ioctl(g->fd, IOCTL_VGEM_FENCE_SIGNAL, &arg);
}

int vst_gate_syncobj(struct vst_gate *g, int fd, __u32 *handle)
{
	struct dma_buf_export_sync_file arg = { .flags = DMA_BUF_SYNC_READ, .fd = -1 };
	int ret = vst_gate_close(g, true);

	if (!ret)
		ret = vst_ioctl(g->dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &arg);
	if (!ret)
		ret = vst_syncobj(fd, handle);
	if (!ret)
		ret = vst_import_sync_file(fd, *handle, arg.fd);
	if (arg.fd >= 0)
		close(arg.fd);
	return ret;
}

void vst_gate_free(struct vst_gate *g)
{
	if (g->dmabuf >= 0)
		close(g->dmabuf);
	if (g->fd >= 0)
		close(g->fd);
	g->fd = -1;
	g->dmabuf = -1;
}
