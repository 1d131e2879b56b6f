/* SPDX-License-Identifier: MIT */
/*
 * The preloaded library: a DRM file is a socket (gl_preload.c), the files of /dev and /sys that
 * describe the device are in a folder of "vshader gl" (gl_path.c).
 */
#ifndef GL_PRELOAD_H
#define GL_PRELOAD_H

#include <dlfcn.h>
#include <linux/limits.h>
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
struct gl_node;

/* The driver that the nodes are of. */
const struct gl_interface *gl_driver(void);

/* The node that a descriptor is of, or NULL. */
const struct gl_node *gl_node_of(int fd);

/* Open a node. @cloexec: as of open(). Return: descriptor, or -1 with errno. */
int gl_open_node(const struct gl_node *node, int cloexec);

/* ---- gl_path.c ---- */

/* The name in the folder, in @buf, or @path itself. @dir: as of openat() */
const char *gl_redirect(int dir, const char *path, char buf[PATH_MAX]);
/* The same of a call that follows links. */
const char *gl_follow(int dir, const char *path, char buf[PATH_MAX]);

/* Take the folder out of a name, in place. Return: @path */
char *gl_outside(char *path);

/* Whether an entry of an open folder is a node's file. */
bool gl_is_node_entry(int dir, const char *name);

/* An ioctl of a sync file. @result: 0 or a negative errno. Return: false: it is none. */
bool gl_syncfile_ioctl(int fd, unsigned long request, void *arg, int *result);

/*
 * Copy from or to an address of the caller. Return: 0 or -EFAULT. Where the emulator has no such
 * system call, a wrong address is a signal.
 */
int gl_read_user(void *to, const void *user, size_t size);
int gl_write_user(void *user, const void *from, size_t size);

/* ---- gl_dmabuf.c ---- */

struct gl_dmabuf;

/* Ask the server. @pass: file that goes or comes along, or -1. Return: 0 or a negative errno. */
int gl_ask_dmabuf(struct gl_dmabuf *args, int *pass);

/* An ioctl of an exported buffer. @result: 0 or a negative errno. Return: false: it is none. */
bool gl_dmabuf_ioctl(int fd, unsigned long request, void *arg, int *result);

/* Whether a descriptor is of an exported buffer that is a file here, not of the kernel. */
bool gl_is_dmabuf(int fd, struct stat *st);

/* Return: false: it is such a buffer, and smaller than the mapping. */
bool gl_dmabuf_maps(int fd, size_t len, off64_t at);

/* Name of a buffer's file, as in /proc. Return: length. */
size_t gl_dmabuf_link(const struct stat *st, char *buf, size_t size);

/* A file like /proc/self/fdinfo/@fd. Return: descriptor, or -1: it is none. */
int gl_dmabuf_fdinfo(int fd, int flags);

/* The C library's fstat(), which this library replaces. */
int gl_real_fstat(int fd, struct stat *st);

#endif /* GL_PRELOAD_H */
