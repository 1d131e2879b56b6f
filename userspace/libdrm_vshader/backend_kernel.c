// SPDX-License-Identifier: MIT
/*
 * Kernel backend: a DRM render node of the vshader driver.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xf86drm.h>

#include "checks.h"
#include "priv.h"
#include "vshader_drm_debug.h"

#define DRI_DIR		"/dev/dri"
#define DRIVER_NAME	"vshader"

/* ---- calls ---- */

static const struct {
	unsigned long request;
	const char *name;
} ioctls[] = {
	{ DRM_IOCTL_VSHADER_DEV_QUERY, "DEV_QUERY" },
	{ DRM_IOCTL_VSHADER_VM_CREATE, "VM_CREATE" },
	{ DRM_IOCTL_VSHADER_VM_DESTROY, "VM_DESTROY" },
	{ DRM_IOCTL_VSHADER_VM_BIND, "VM_BIND" },
	{ DRM_IOCTL_VSHADER_BO_CREATE, "BO_CREATE" },
	{ DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, "BO_MMAP_OFFSET" },
	{ DRM_IOCTL_VSHADER_BO_SET_LABEL, "BO_SET_LABEL" },
	{ DRM_IOCTL_VSHADER_PROGRAM_CREATE, "PROGRAM_CREATE" },
	{ DRM_IOCTL_VSHADER_PROGRAM_DESTROY, "PROGRAM_DESTROY" },
	{ DRM_IOCTL_VSHADER_PROGRAM_QUERY, "PROGRAM_QUERY" },
	{ DRM_IOCTL_VSHADER_QUEUE_CREATE, "QUEUE_CREATE" },
	{ DRM_IOCTL_VSHADER_QUEUE_DESTROY, "QUEUE_DESTROY" },
	{ DRM_IOCTL_VSHADER_QUEUE_GET_STATE, "QUEUE_GET_STATE" },
	{ DRM_IOCTL_VSHADER_SUBMIT, "SUBMIT" },
	{ DRM_IOCTL_VSHADER_DEBUG_ATTACH, "DEBUG_ATTACH" },
};

const char *vsh_ioctl_name(unsigned long request)
{
	unsigned int i;

	for (i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]); i++) {
		if (ioctls[i].request == request)
			return ioctls[i].name;
	}
	return "unknown ioctl";
}

/* Text of an errno as the uAPI documents it: the kernel gives none. */
static const char *errno_hint(int err)
{
	switch (err) {
	case EINVAL:
		return "a field or a combination of fields is not valid";
	case ENOENT:
		return "there is no such object";
	case E2BIG:
		return "a limit of the device is exceeded, or a structure has a non-zero tail";
	case EIO:
		return "the queue is banned after a fault; see its state";
	case EBUSY:
		return "too many unfinished jobs on the queue";
	case ENOEXEC:
		return "the program or command list was rejected";
	case EACCES:
		return "this needs a privilege";
	case ENODEV:
		return "the device is gone";
	default:
		return NULL;
	}
}

static int call_failed(const char *what, int err)
{
	const char *hint = errno_hint(err);

	return vsh_fail(err, "%s: %s%s%s%s", what, strerror(err), hint ? " (" : "",
			hint ? hint : "", hint ? ")" : "");
}

static int kernel_ioctl(struct vshader_device *dev, unsigned long request, void *arg)
{
	int err;

	if (!drmIoctl(dev->fd, request, arg))
		return 0;
	err = errno;
	call_failed(vsh_ioctl_name(request), err);
	vsh_explain(request, arg, err);
	return -err;
}

/* ---- devices ---- */

static bool is_vshader(int fd, unsigned int *major, unsigned int *minor)
{
	drmVersionPtr v = drmGetVersion(fd);
	bool match = v && v->name && !strcmp(v->name, DRIVER_NAME);

	if (match) {
		*major = (unsigned int)v->version_major;
		*minor = (unsigned int)v->version_minor;
	}
	if (v)
		drmFreeVersion(v);
	return match;
}

static int init_device(struct vshader_device *dev, int fd, const char *name)
{
	snprintf(dev->name, sizeof(dev->name), "%s", name);
	if (!is_vshader(fd, &dev->major, &dev->minor)) {
		close(fd);
		return vsh_fail(ENODEV, "%s is not a device of the vshader driver", name);
	}
	if (dev->major != VSHADER_VERSION_MAJOR) {
		close(fd);
		return vsh_fail(EPROTO, "%s speaks interface version %u.%u, this library %s", name,
				dev->major, dev->minor, vshader_version());
	}
	dev->fd = fd;
	dev->backend = &vsh_kernel_backend;
	return 0;
}

int vsh_kernel_open(struct vshader_device *dev, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		int err = errno;

		return vsh_fail(err, "%s: %s%s", path, strerror(err), err == ENOENT ?
				" (is the module vshader loaded? \"local\" works without it)" : "");
	}
	return init_device(dev, fd, path);
}

int vsh_kernel_open_fd(struct vshader_device *dev, int fd)
{
	char name[VSHADER_PATH_MAX];
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (own < 0)
		return vsh_fail(errno, "file descriptor %d: %s", fd, strerror(errno));
	snprintf(name, sizeof(name), "fd %d", fd);
	return init_device(dev, own, name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int vshader_list_nodes(struct vshader_node *nodes, unsigned int max)
{
	unsigned int i, n = 0, found = 0, major, minor;
	char *names[256];
	struct dirent *e;
	DIR *dir = opendir(DRI_DIR);

	if (!dir)
		return errno == ENOENT ? 0 : vsh_fail(errno, DRI_DIR ": %s", strerror(errno));
	while (n < 256 && (e = readdir(dir))) {
		if (!strncmp(e->d_name, "renderD", 7) && strlen(e->d_name) < 32) {
			names[n] = strdup(e->d_name);
			n += !!names[n];
		}
	}
	closedir(dir);
	qsort(names, n, sizeof(names[0]), compare_names);
	for (i = 0; i < n; i++) {
		char path[VSHADER_PATH_MAX];
		int fd;

		snprintf(path, sizeof(path), DRI_DIR "/%s", names[i]);
		free(names[i]);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_vshader(fd, &major, &minor) && found++ < max)
			memcpy(nodes[found - 1].path, path, sizeof(path));
		close(fd);
	}
	return (int)found;
}

static void kernel_close(struct vshader_device *dev)
{
	close(dev->fd);
}

/* ---- buffers ---- */

static int kernel_bo_map(struct vshader_bo *bo)
{
	struct drm_vshader_bo_mmap_offset args = { .handle = bo->handle };
	void *p;
	int ret;

	ret = kernel_ioctl(bo->dev, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &args);
	if (ret)
		return ret;
	p = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, bo->dev->fd,
		 (off_t)args.offset);
	if (p == MAP_FAILED)
		return call_failed("mmap of a buffer", errno);
	bo->ptr = p;
	return 0;
}

static void kernel_bo_close(struct vshader_bo *bo)
{
	if (bo->ptr)
		munmap(bo->ptr, bo->size);
	drmCloseBufferHandle(bo->dev->fd, bo->handle);
}

static int kernel_bo_export(struct vshader_bo *bo, int *fd)
{
	if (drmPrimeHandleToFD(bo->dev->fd, bo->handle, DRM_CLOEXEC | DRM_RDWR, fd))
		return call_failed("export of a buffer", errno);
	return 0;
}

static int kernel_bo_import(struct vshader_device *dev, int fd, uint32_t *handle, uint64_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return call_failed("size of a shared buffer", errno);
	if (drmPrimeFDToHandle(dev->fd, fd, handle))
		return call_failed("import of a buffer", errno);
	*size = (uint64_t)end;
	return 0;
}

/* ---- synchronisation ---- */

static int kernel_sync_create(struct vshader_device *dev, bool signaled, uint32_t *handle)
{
	if (drmSyncobjCreate(dev->fd, signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0, handle))
		return call_failed("syncobj create", errno);
	return 0;
}

static int kernel_sync_destroy(struct vshader_device *dev, uint32_t handle)
{
	if (drmSyncobjDestroy(dev->fd, handle))
		return call_failed("syncobj destroy", errno);
	return 0;
}

static int kernel_sync_reset(struct vshader_device *dev, uint32_t handle)
{
	if (drmSyncobjReset(dev->fd, &handle, 1))
		return call_failed("syncobj reset", errno);
	return 0;
}

static int kernel_sync_signal(struct vshader_device *dev, uint32_t handle, uint64_t point)
{
	int ret = point ? drmSyncobjTimelineSignal(dev->fd, &handle, &point, 1) :
			  drmSyncobjSignal(dev->fd, &handle, 1);

	return ret ? call_failed("syncobj signal", errno) : 0;
}

static int kernel_sync_wait(struct vshader_device *dev, uint32_t handle, uint64_t point,
			    int64_t deadline_ns)
{
	unsigned int flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
			     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	int ret;

	if (point)
		ret = drmSyncobjTimelineWait(dev->fd, &handle, &point, 1, deadline_ns, flags, NULL);
	else
		ret = drmSyncobjWait(dev->fd, &handle, 1, deadline_ns, flags, NULL);
	if (ret == -ETIME)
		return vsh_fail(ETIME, "still waiting when the time was over");
	return ret ? call_failed("syncobj wait", -ret) : 0;
}

static int kernel_sync_query(struct vshader_device *dev, uint32_t handle, uint64_t *point)
{
	if (drmSyncobjQuery(dev->fd, &handle, point, 1))
		return call_failed("syncobj query", errno);
	return 0;
}

/* ---- debugging ---- */

static int kernel_debug_attach(struct vshader_debug *dbg, struct drm_vshader_debug_attach *args)
{
	int ret = kernel_ioctl(dbg->dev, DRM_IOCTL_VSHADER_DEBUG_ATTACH, args);

	if (ret == -EBUSY)
		return vsh_fail(EBUSY, "queue %u has a debugger", args->queue_id);
	if (ret == -EOPNOTSUPP)
		return vsh_fail(EOPNOTSUPP, "queue %u was created without DEBUG", args->queue_id);
	if (ret)
		return ret;
	dbg->fd = args->fd;
	/* events have deadlines: poll() waits for them, not read() */
	fcntl(dbg->fd, F_SETFL, O_NONBLOCK);
	return 0;
}

static void kernel_debug_close(struct vshader_debug *dbg)
{
	close(dbg->fd);
}

/* -EAGAIN means that the job is not stopped: not to be repeated as drmIoctl() would. */
static int kernel_debug_ioctl(struct vshader_debug *dbg, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(dbg->fd, request, arg);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

static int kernel_debug_read(struct vshader_debug *dbg, int64_t deadline,
			     struct drm_vshader_debug_event *event)
{
	struct pollfd p = { .fd = dbg->fd, .events = POLLIN };
	int64_t left;
	int ret;

	for (;;) {
		ret = (int)read(dbg->fd, event, sizeof(*event));
		if (ret == (int)sizeof(*event))
			return 0;
		if (!ret)
			return -ENODEV;
		if (ret < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		left = deadline - vsh_now_ns();
		if (left <= 0)
			return -ETIME;
		if (deadline == INT64_MAX)
			ret = poll(&p, 1, -1);
		else
			ret = poll(&p, 1, left > 1000000000000ll ? 1000000 :
				   (int)(left / 1000000 + 1));
		if (ret < 0 && errno != EINTR)
			return -errno;
	}
}

const struct vsh_backend vsh_kernel_backend = {
	.ioctl = kernel_ioctl,
	.close = kernel_close,
	.bo_map = kernel_bo_map,
	.bo_close = kernel_bo_close,
	.bo_export = kernel_bo_export,
	.bo_import = kernel_bo_import,
	.sync_create = kernel_sync_create,
	.sync_destroy = kernel_sync_destroy,
	.sync_reset = kernel_sync_reset,
	.sync_signal = kernel_sync_signal,
	.sync_wait = kernel_sync_wait,
	.sync_query = kernel_sync_query,
	.debug_attach = kernel_debug_attach,
	.debug_close = kernel_debug_close,
	.debug_ioctl = kernel_debug_ioctl,
	.debug_read = kernel_debug_read,
};
