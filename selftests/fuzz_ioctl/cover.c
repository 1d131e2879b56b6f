// SPDX-License-Identifier: GPL-2.0
/*
 * Coverage of the kernel by a thread's system calls (Documentation/dev-tools/kcov.rst). Jobs are
 * executed by other threads and are not covered.
 */
#include <fcntl.h>
#include <linux/kcov.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "fz.h"

#define ENTRIES		(16 << 10)

/* The area: number of entries, then program counters. */
bool fz_cover_start(void **handle)
{
	unsigned long *area;
	int fd;

	*handle = NULL;
	fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (ioctl(fd, KCOV_INIT_TRACE, ENTRIES))
		return false;
	area = mmap(NULL, ENTRIES * sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC))
		return false;
	*handle = area;
	return true;
}

void fz_cover_begin(void *handle)
{
	unsigned long *area = handle;

	if (area)
		__atomic_store_n(&area[0], 0, __ATOMIC_RELAXED);
}

static u32 edge(unsigned long from, unsigned long to)
{
	return (from * 0x9e3779b97f4a7c15ULL ^ to * 0xbf58476d1ce4e5b9ULL) >> 44;
}

void fz_cover_end(void *handle)
{
	unsigned long *area = handle, from = 0, n, i;

	if (!area)
		return;
	n = __atomic_load_n(&area[0], __ATOMIC_RELAXED);
	for (i = 1; i <= n && i < ENTRIES; i++) {
		u8 *seen = &fz_shared->seen[edge(from, area[i])];

		from = area[i];
		if (*seen)
			continue;
		*seen = 1;
		fz_shared->edges++;
		fz_shared->fresh++;
	}
}
