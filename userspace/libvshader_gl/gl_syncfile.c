// SPDX-License-Identifier: MIT
/*
 * Sync files are eventfds, whose value is the time at which the fence has signalled. Their ioctls,
 * SYNC_IOC_MERGE and SYNC_IOC_FILE_INFO, are answered here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm.h>
#include <linux/sync_file.h>

#include "gl_preload.h"
#include "gl_proto.h"

#define EVENTFD		"anon_inode:[eventfd]"
#define HANDLE_FILE	(DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE | GL_SYNCOBJ_TIMELINE)

static bool is_sync_file(int fd)
{
	char path[64], text[sizeof(EVENTFD)];
	ssize_t n;

	if (fcntl(fd, F_GETSIG) != GL_SYNC_FILE_SIGNAL)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = NEXT(readlink)(path, text, sizeof(text));
	return n == sizeof(EVENTFD) - 1 && !memcmp(text, EVENTFD, n);
}

/* The value without taking it away. */
static uint64_t event_value(int fd)
{
	unsigned long long value = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = NEXT(fopen)(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "eventfd-count: %llx", &value) == 1)
			break;
	}
	if (file)
		fclose(file);
	return value;
}

/* A file has one fence, also if it was merged. */
static int file_info(int fd, struct sync_file_info *info)
{
	uint64_t value = event_value(fd);
	struct sync_fence_info fence = {
		.obj_name = "vshader-gl",
		.status = value != 0,
		.timestamp_ns = value,
	};

	if (info->flags || info->pad)
		return -EINVAL;
	snprintf(fence.driver_name, sizeof(fence.driver_name), "%s", gl_driver()->name);
	if (info->num_fences)
		memcpy((void *)(uintptr_t)info->sync_fence_info, &fence, sizeof(fence));
	memset(info->name, 0, sizeof(info->name));
	strcpy(info->name, "vshader-gl");
	info->status = fence.status;
	info->num_fences = 1;
	return 0;
}

static int take_file(int node, uint32_t handle, uint64_t point, int fd)
{
	struct gl_syncobj_handle in = {
		.handle = handle, .flags = HANDLE_FILE, .fd = fd, .point = point,
	};

	return ioctl(node, GL_IOCTL(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, in), &in) ? -errno : 0;
}

/* Two points of a timeline; the second is reached when both fences have signalled. */
static int merge_on(int node, int fd, struct sync_merge_data *data)
{
	struct drm_syncobj_create sync = {};
	struct gl_syncobj_handle out = { .flags = HANDLE_FILE, .point = 2 };
	int ret;

	if (ioctl(node, DRM_IOCTL_SYNCOBJ_CREATE, &sync))
		return -errno;
	ret = take_file(node, sync.handle, 1, fd);
	if (!ret)
		ret = take_file(node, sync.handle, 2, data->fd2);
	if (ret)
		return ret;
	out.handle = sync.handle;
	if (ioctl(node, GL_IOCTL(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, out), &out))
		return -errno;
	data->fence = out.fd;
	return 0;
}

static int merge(int fd, struct sync_merge_data *data)
{
	int node, ret;

	if (data->flags || data->pad)
		return -EINVAL;
	if (!is_sync_file(data->fd2))
		return -ENOENT;
	node = gl_open_node(&gl_nodes[0], O_CLOEXEC);
	if (node < 0)
		return -errno;
	ret = merge_on(node, fd, data);
	close(node);
	return ret;
}

bool gl_syncfile_ioctl(int fd, unsigned long request, void *arg, int *ret)
{
	if (_IOC_TYPE(request) != SYNC_IOC_MAGIC || !is_sync_file(fd))
		return false;
	switch (request) {
	case SYNC_IOC_MERGE:
		*ret = merge(fd, arg);
		return true;
	case SYNC_IOC_FILE_INFO:
		*ret = file_info(fd, arg);
		return true;
	default:
		return false;
	}
}
