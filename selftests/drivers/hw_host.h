/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The host of a register model: files of User-Mode-Linux in debugfs, or the control page of a GPU
 * in QEMU (userspace/libvshader_qemu/qemu_gpu.h). Tests know neither.
 */
#ifndef DRIVERS_HW_HOST_H
#define DRIVERS_HW_HOST_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HW_UML		"/sys/kernel/debug/vshader-model/"
#define HW_TREE		"/proc/device-tree/"

/* Registers of the control page, by 32 bits. */
enum { HW_OPEN = 2, HW_TEXT, HW_PUT, HW_INJECT };

/* Driver that is tested: the page of its first GPU. One for all files of a program. */
__attribute__((weak)) const char *hw_driver;
__attribute__((weak)) char hw_name[40];

static inline bool hw_is_page_of(const char *node, const char *driver)
{
	char path[300], name[32] = "";
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), HW_TREE "%s/vshader,driver", node);
	file = fopen(path, "r");
	if (!file)
		return false;
	ok = fread(name, 1, sizeof(name) - 1, file) && (!driver || !strcmp(name, driver));
	fclose(file);
	return ok;
}

/* Physical address of the control page; 0: there is none. */
static inline uint64_t hw_page_address(void)
{
	DIR *dir = opendir(HW_TREE);
	struct dirent *e;
	uint64_t at = 0;

	while (dir && !at && (e = readdir(dir))) {
		if (!strncmp(e->d_name, "vshader-model@", 14) &&
		    hw_is_page_of(e->d_name, hw_driver))
			at = strtoull(e->d_name + 14, NULL, 16);
	}
	if (dir)
		closedir(dir);
	return at;
}

static inline uint32_t *hw_page(void)
{
	uint64_t at = hw_page_address();
	int fd = at ? open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC) : -1;
	void *p;

	if (fd < 0)
		return NULL;
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

/* Accesses that the compiler keeps. */
static inline uint32_t hw_read(const uint32_t *page, int reg)
{
	return __atomic_load_n(&page[reg], __ATOMIC_RELAXED);
}

static inline void hw_put(uint32_t *page, int reg, uint32_t value)
{
	__atomic_store_n(&page[reg], value, __ATOMIC_RELAXED);
}

/* The model's findings, or the log of accesses. NULL: there is none. */
static inline FILE *hw_file(const char *name)
{
	char path[80];
	uint32_t *page;
	FILE *file;
	uint32_t w;

	snprintf(path, sizeof(path), HW_UML "%s", name);
	file = fopen(path, "r");
	if (file)
		return file;
	page = hw_page();
	if (!page)
		return NULL;
	file = fdopen(memfd_create(name, MFD_CLOEXEC), "w+");
	hw_put(page, HW_OPEN, strcmp(name, "log") ? 0 : ~0U);
	while (file && (w = hw_read(page, HW_TEXT)))
		fwrite(&w, 1, w >> 24 ? 4 : w >> 16 ? 3 : w >> 8 ? 2 : 1, file);
	munmap(page, 4096);
	if (file)
		rewind(file);
	return file;
}

/* Make the hardware fail: "hang 1". */
static inline bool hw_inject(const char *what)
{
	int fd = open(HW_UML "inject", O_WRONLY);
	uint32_t *page;
	bool ok;

	if (fd >= 0) {
		ok = write(fd, what, strlen(what)) == (ssize_t)strlen(what);
		close(fd);
		return ok;
	}
	page = hw_page();
	if (!page)
		return false;
	while (*what)
		hw_put(page, HW_PUT, *what++);
	hw_put(page, HW_INJECT, 1);
	ok = !hw_read(page, HW_INJECT);
	munmap(page, 4096);
	return ok;
}

/* Name of the driver's platform device, also when the driver has gone; "" if there was none. */
static inline const char *hw_device(void)
{
	char path[80];
	struct dirent *e;
	DIR *dir;

	if (hw_name[0])
		return hw_name;
	snprintf(path, sizeof(path), "/sys/bus/platform/drivers/%s", hw_driver);
	dir = opendir(path);
	while (dir && !hw_name[0] && (e = readdir(dir))) {
		if (strlen(e->d_name) > 4 && !strcmp(e->d_name + strlen(e->d_name) - 4, ".gpu"))
			snprintf(hw_name, sizeof(hw_name), "%.39s", e->d_name);
	}
	if (dir)
		closedir(dir);
	return hw_name;
}

/* Path of a file of this device. */
static inline const char *hw_device_file(const char *file)
{
	static char path[160];

	snprintf(path, sizeof(path), "/sys/bus/platform/devices/%s/%s", hw_device(), file);
	return path;
}

#endif /* DRIVERS_HW_HOST_H */
