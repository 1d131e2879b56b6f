/* SPDX-License-Identifier: MIT */
/*
 * The preloaded library: a DRM file is a socket (gl_preload.c), the files of /dev and /sys that
 * describe the device are in a folder of "vshader gl" (gl_path.c).
 */
#ifndef GL_PRELOAD_H
#define GL_PRELOAD_H

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/stat.h>

#define EXPORT		__attribute__((visibility("default")))

/* A function of the C library. */
#define NEXT(name) ({ \
	static typeof(name) *cached; \
	typeof(name) *fn = __atomic_load_n(&cached, __ATOMIC_RELAXED); \
	if (!fn) { \
		fn = (typeof(name) *)dlsym(RTLD_NEXT, #name); \
		__atomic_store_n(&cached, fn, __ATOMIC_RELAXED); \
	} \
	fn; })

struct gl_interface;

/* The driver that the node is of. */
const struct gl_interface *gl_driver(void);

/* Whether a descriptor is of the render node. */
bool gl_is_node(int fd);

/* Open the render node. Return: descriptor, or -1 with errno. */
int gl_open_node(void);

/* An ioctl of a sync file. @result: 0 or a negative errno. Return: false: it is none. */
bool gl_syncfile_ioctl(int fd, unsigned long request, void *arg, int *result);

/* The C library's fstat(), which this library replaces. */
int gl_real_fstat(int fd, struct stat *st);

#endif /* GL_PRELOAD_H */
