/* SPDX-License-Identifier: MIT */
/*
 * The preloaded library for programs with their own mailbox.c: device files (vcio.c) and what
 * stat() says of them (vcio_stat.c).
 */
#ifndef MBOX_VCIO_H
#define MBOX_VCIO_H

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/types.h>

#define EXPORT		__attribute__((visibility("default")))

#define VCIO_DEV	makedev(100, 0)

/* A function of the C library, looked up once; dlsym() gives the same each time. */
#define NEXT(name) ({ \
	static typeof(name) *cached; \
	typeof(name) *fn = __atomic_load_n(&cached, __ATOMIC_RELAXED); \
	if (!fn) { \
		fn = (typeof(name) *)vcio_next(#name); \
		__atomic_store_n(&cached, fn, __ATOMIC_RELAXED); \
	} \
	fn; })

void *vcio_next(const char *name);

/* Device files. */
enum vcio_kind { KIND_NONE, KIND_VCIO, KIND_MEM, KIND_VCSM, KIND_VCSM_CMA };

/* The device file that a path names, following links. */
enum vcio_kind vcio_kind_of_path(int dir, const char *path);

/* The device file that a descriptor is of. */
enum vcio_kind vcio_kind_of(int fd);

/* Whether a path is a node that a program has made, or that is on the machine. */
bool vcio_is_node(int dir, const char *path);

/*
 * Functions of the C library without a public declaration: programs built with _FORTIFY_SOURCE, or
 * with an older C library, call them.
 */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *dev);
int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev);

#endif /* MBOX_VCIO_H */
