/* SPDX-License-Identifier: GPL-2.0 */
/* Devices, files of the register model, and time, for tests of kernel drivers. */
#ifndef DRIVERS_HW_H
#define DRIVERS_HW_H

#include <dirent.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HW_FILES	"/sys/kernel/debug/vshader-model/"

static inline int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int64_t ms_since(int64_t begin)
{
	return (now_ns() - begin) / 1000000;
}

/* The render node of a driver. Return: -1: there is none. */
static inline int open_render(const char *driver)
{
	char path[40], name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };
	int i, fd;

	for (i = 128; i < 136; i++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, driver))
			return fd;
		close(fd);
	}
	return -1;
}

/* Return: 0 or errno. */
static inline int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? errno : 0;
}

/* Make the hardware fail: "hang 1". */
static inline bool hw_inject(const char *what)
{
	int fd = open(HW_FILES "inject", O_WRONLY);
	bool ok = fd >= 0 && write(fd, what, strlen(what)) == (ssize_t)strlen(what);

	close(fd);
	return ok;
}

/* Number of findings; prints those from @from on. */
static inline unsigned int hw_findings(unsigned int from)
{
	FILE *file = fopen(HW_FILES "findings", "r");
	unsigned int n = ~0U, i = 0;
	char line[256];

	if (!file)
		return n;
	if (fgets(line, sizeof(line), file))
		n = strtoul(line, NULL, 10);
	while (fgets(line, sizeof(line), file))
		if (i++ >= from)
			printf("# finding: %s", line);
	fclose(file);
	return n;
}

/* Number of findings from @from on that contain a text. */
static inline unsigned int hw_findings_with(unsigned int from, const char *text)
{
	FILE *file = fopen(HW_FILES "findings", "r");
	unsigned int n = 0, i = 0;
	char line[256];

	if (!file)
		return 0;
	/* the first line is the number of findings */
	while (fgets(line, sizeof(line), file))
		n += i++ > from && strstr(line, text);
	fclose(file);
	return n;
}

/* First line of a file, without its end; "" if there is none. */
static inline const char *read_line(const char *path, char *buf, int size)
{
	FILE *file = fopen(path, "r");

	buf[0] = 0;
	if (file && fgets(buf, size, file))
		buf[strcspn(buf, "\n")] = 0;
	if (file)
		fclose(file);
	return buf;
}

#endif /* DRIVERS_HW_H */
