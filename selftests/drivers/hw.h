/* SPDX-License-Identifier: GPL-2.0 */
/* Files of the register model, and time, for tests of kernel drivers. */
#ifndef DRIVERS_HW_H
#define DRIVERS_HW_H

#include <dirent.h>
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
