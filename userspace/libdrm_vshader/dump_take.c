// SPDX-License-Identifier: MIT
/*
 * Taking of dumps: the device coredump of the kernel driver, or the dump that the in-process
 * backend has kept.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "local.h"
#include "vshader_dump.h"

#define CLASS_DIR	"/sys/class/devcoredump"
#define POLL_NS		10000000

void vshader_dump_enable(struct vshader_device *dev)
{
	if (dev->local)
		vsl_dump_enable(dev->local);
}

/* ---- the kernel driver ---- */

static bool device_dir(const struct vshader_device *dev, char *real)
{
	char path[64];
	struct stat st;

	if (fstat(dev->fd, &st))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	return realpath(path, real);
}

/* The coredump of a device. */
static bool find_dump(const char *device, char *path, size_t size)
{
	char link[PATH_MAX], real[PATH_MAX];
	struct dirent *e;
	DIR *dir = opendir(CLASS_DIR);
	bool found = false;

	while (dir && !found && (e = readdir(dir))) {
		snprintf(link, sizeof(link), CLASS_DIR "/%s/failing_device", e->d_name);
		found = *e->d_name != '.' && realpath(link, real) && !strcmp(real, device);
		snprintf(path, size, CLASS_DIR "/%s/data", e->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static int read_all(int fd, void **data, size_t *size)
{
	size_t room = 1 << 20, n = 0;
	uint8_t *buf = malloc(room), *more;
	ssize_t got = 0;

	while (buf && (got = read(fd, buf + n, room - n)) > 0) {
		n += (size_t)got;
		if (n < room)
			continue;
		room *= 2;
		more = realloc(buf, room);
		if (!more)
			free(buf);
		buf = more;
	}
	if (!buf)
		return vsh_fail(ENOMEM, "out of memory");
	if (got < 0) {
		free(buf);
		return vsh_fail(errno, "device coredump: %s", strerror(errno));
	}
	*data = buf;
	*size = n;
	return 0;
}

static int read_dump(const char *path, void **data, size_t *size)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return vsh_fail(errno, "%s: %s", path, strerror(errno));
	ret = read_all(fd, data, size);
	/* whatever is written makes it go away */
	if (!ret && write(fd, "1", 1) < 0)
		ret = 0;
	close(fd);
	return ret;
}

static int take_kernel(struct vshader_device *dev, int64_t timeout_ns, void **data, size_t *size)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int64_t deadline = vsh_deadline(timeout_ns);
	char device[PATH_MAX], path[PATH_MAX];

	if (!device_dir(dev, device))
		return vsh_fail(ENOENT, "%s is not in /sys", dev->name);
	while (!find_dump(device, path, sizeof(path))) {
		if (vsh_now_ns() >= deadline)
			return vsh_fail(ENOENT, "%s has no device coredump", dev->name);
		nanosleep(&pause, NULL);
	}
	return read_dump(path, data, size);
}

int vshader_dump_take(struct vshader_device *dev, int64_t timeout_ns, void **data, size_t *size)
{
	return dev->local ? vsl_dump_take(dev->local, data, size) :
			    take_kernel(dev, timeout_ns, data, size);
}
