/* SPDX-License-Identifier: MIT */
/*
 * vshader gl --system-calls: system calls of the program that are suspended (gl_calls.c), and
 * answered: those with paths (gl_calls_file.c), ioctls (gl_calls_ioctl.c), mappings of buffers
 * (gl_calls_map.c).
 */
#ifndef VSHADER_GL_CALLS_H
#define VSHADER_GL_CALLS_H

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__x86_64__)
#define GL_CALLS_ARCH	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define GL_CALLS_ARCH	AUDIT_ARCH_AARCH64
#endif

/* Results of no call. Not the device's: the kernel answers; or it has been answered. */
#define GL_CONTINUE	(1LL << 40)
#define GL_ANSWERED	(1LL << 41)

/**
 * struct gl_syscall - a suspended call
 * @listener: descriptor of the filter
 * @id: of the call
 * @tid: thread that calls
 * @process: descriptor of its process
 * @data: number and arguments
 */
struct gl_syscall {
	int listener;
	uint64_t id;
	pid_t tid;
	int process;
	struct seccomp_data data;
};

/* Answers of calls. Return: result, a negative errno, GL_CONTINUE or GL_ANSWERED. */
int64_t gl_syscall_file(const struct gl_syscall *c);
int64_t gl_syscall_ioctl(const struct gl_syscall *c);
int64_t gl_syscall_map(const struct gl_syscall *c);

/* Let the call return, which may have been interrupted. */
void gl_syscall_answer(const struct gl_syscall *c, int64_t value);

/* Read the program's memory. Return: bytes that could be read. */
size_t gl_syscall_peek(const struct gl_syscall *c, void *to, uint64_t from, size_t size);
/* Return: 0 or -EFAULT. */
int gl_syscall_read(const struct gl_syscall *c, void *to, uint64_t from, size_t size);
int gl_syscall_write(const struct gl_syscall *c, uint64_t to, const void *from, size_t size);
/* @size: of @to. Return: length, or -EFAULT, or -ENAMETOOLONG. */
ssize_t gl_syscall_string(const struct gl_syscall *c, char *to, uint64_t from, size_t size);

/* A descriptor of the program. Return: descriptor of this process, or a negative errno. */
int gl_syscall_get_fd(const struct gl_syscall *c, int fd);
/* Give the program a descriptor. Return: its number, or a negative errno. */
int gl_syscall_give_fd(const struct gl_syscall *c, int fd, bool cloexec);

/* Whether a descriptor of this process is of a node. */
bool gl_syscall_is_node(int fd);

/*
 * Whether the call comes from the C library of a process that has the preloaded library, which has
 * seen it: it is this library's own.
 */
bool gl_syscall_is_library(const struct gl_syscall *c);

/*
 * Functions of the preloaded library: the file of a path, which is the path itself if it is not the
 * device's; the memory of a buffer.
 */
extern const char *(*gl_library_redirect)(int dir, const char *path, char *buf);
extern int (*gl_library_memory)(int fd, off64_t at, int prot);

#endif /* VSHADER_GL_CALLS_H */
