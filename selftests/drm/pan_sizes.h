/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ioctls of the panfrost interface with arguments of all sizes from 0 to 192 bytes. By the DRM
 * core's rule what is missing of an argument is 0, what is more is ignored, and results that do not
 * fit are lost. The same tests are for the module (test_panfrost) and for "vshader gl" (gl_prog);
 * those of lima and vc4 have their own tables.
 */
#ifndef PAN_SIZES_H
#define PAN_SIZES_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/types.h>
#include <panfrost_drm.h>

#define PAN_MAX_SIZE	192	/* of the arguments that are tried */
#define PAN_CANARY	0xa5

/* Newer than the headers. */
#define PAN_NR_SET_LABEL_BO	0x49
#define PAN_NR_JM_CTX_CREATE	0x4a
#define PAN_NR_JM_CTX_DESTROY	0x4b
#define PAN_NR_SYNC_BO		0x4c
#define PAN_NR_QUERY_BO_INFO	0x4d

/* Return: 0 or a negative errno. */
static inline int pan_call(int file, unsigned int nr, size_t size, void *arg)
{
	return ioctl(file, _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, size), arg) ? -errno : 0;
}

/**
 * struct pan_sized - an ioctl whose argument is tried in all sizes
 * @name: for messages
 * @nr: number
 * @size: bytes of the argument that the ioctl has
 * @arg: argument
 * @to: words up to a result that differs from call to call, with it; 0: there is none
 * @undo: number of the ioctl that undoes the call, or 0; its argument is that result
 * @want: result of a complete call
 * @make: number of an ioctl that makes what the first word of the argument names, or 0
 * @make_arg: its argument
 * @make_at: offset of its result, in words
 */
struct pan_sized {
	const char *name;
	unsigned int nr;
	size_t size;
	__u32 arg[PAN_MAX_SIZE / 4];
	int to;
	unsigned int undo;
	int want;
	unsigned int make;
	__u32 make_arg[8];
	int make_at;
};

/* Undo a call: a handle, or a descriptor if there is no ioctl to undo it. */
static inline void pan_undo(int fd, const struct pan_sized *s, int ret, __u32 *arg)
{
	__u32 done[2] = { 0, 0 };

	if (ret || !s->to)
		return;
	done[0] = arg[s->to - 1];
	if (s->undo)
		pan_call(fd, s->undo, sizeof(done), done);
	else
		close(done[0]);
	arg[s->to - 1] = 0;
}

/* The argument, which may need an object. */
static inline void pan_argument(int fd, const struct pan_sized *s, __u32 *arg)
{
	__u32 make[8];

	memcpy(arg, s->arg, sizeof(s->arg));
	if (!s->make)
		return;
	memcpy(make, s->make_arg, sizeof(make));
	pan_call(fd, s->make, sizeof(make), make);
	arg[0] = make[s->make_at];
}

/* The ioctl consumes the object; if it has failed, the object is still there. */
static inline void pan_drop(int fd, const struct pan_sized *s, __u32 handle)
{
	__u32 done[2] = { handle, 0 };

	if (s->make)
		pan_call(fd, s->nr, sizeof(done), done);
}

/* A call with @size bytes is one with the rest 0, and leaves the bytes that follow alone. */
static inline bool pan_try_size(int fd, const struct pan_sized *s, size_t size)
{
	__u8 buf[2 * PAN_MAX_SIZE], arg[PAN_MAX_SIZE] = {};
	size_t i, common = size < s->size ? size : s->size;
	bool same = true;
	__u32 full[PAN_MAX_SIZE / 4];
	int want, ret;

	pan_argument(fd, s, full);
	memcpy(arg, full, common);
	want = pan_call(fd, s->nr, s->size, arg);
	pan_undo(fd, s, want, (__u32 *)arg);
	pan_drop(fd, s, full[0]);
	pan_argument(fd, s, full);
	memset(buf, PAN_CANARY, sizeof(buf));
	memset(buf, 0, size);
	memcpy(buf, full, common);
	ret = pan_call(fd, s->nr, size, buf);
	pan_drop(fd, s, full[0]);
	/* a result that does not fit is lost, and with it the object */
	if (size >= 4 * (size_t)s->to)
		pan_undo(fd, s, ret, (__u32 *)buf);
	for (i = 0; i < common && same; i++)
		same = (int)i / 4 == s->to - 1 || buf[i] == arg[i];
	for (i = size; i < sizeof(buf) && same; i++)
		same = buf[i] == PAN_CANARY;
	if (ret != want || !same)
		printf("# %s with %zu bytes: %d, expected %d%s\n", s->name, size, ret, want,
		       same ? "" : ", other bytes");
	return ret == want && same;
}

static inline bool pan_try_sizes(int fd, const struct pan_sized *s)
{
	__u32 arg[PAN_MAX_SIZE / 4];
	bool ok = true;
	size_t size;
	int ret;

	pan_argument(fd, s, arg);
	ret = pan_call(fd, s->nr, s->size, arg);
	if (s->make && ret)
		pan_drop(fd, s, arg[0]);
	pan_undo(fd, s, ret, arg);
	if (ret != s->want)
		printf("# %s: %d, expected %d\n", s->name, ret, s->want);
	for (size = 0; size <= PAN_MAX_SIZE; size++)
		ok &= pan_try_size(fd, s, size);
	return ok && ret == s->want;
}

#define PAN_LOW(p)	((__u32)(uintptr_t)(p))
#define PAN_HIGH(p)	((__u32)((__u64)(uintptr_t)(p) >> 32))
#define PAN_SIZED(id, ...) \
	{ .name = #id, .nr = _IOC_NR(DRM_IOCTL_##id), .size = _IOC_SIZE(DRM_IOCTL_##id), \
	  __VA_ARGS__ }
#define PAN_SIZED_NEW(id, bytes, ...) \
	{ .name = #id, .nr = PAN_NR_##id, .size = (bytes), __VA_ARGS__ }

/**
 * struct pan_objects - what the tests need
 * @bo: buffer with a chain at its beginning, which may be executed often
 * @va: its address, whose first three bytes are 0: parts of it are no addresses
 * @bo_fd: the buffer as a file
 * @sync: syncobj that has signalled
 * @sync_fd: the syncobj as a file
 * @timeline: syncobj for points
 */
struct pan_objects {
	__u32 bo;
	__u64 va;
	int bo_fd;
	__u32 sync;
	int sync_fd;
	__u32 timeline;
};

/* Calls @result for each ioctl. */
static inline void pan_all_sizes(int fd, const struct pan_objects *o,
				 void (*result)(bool ok, const char *name, void *data), void *data)
{
	static __u64 point = 1, out;
	static __u32 op[4];
	static const char label[] = "a label";
	const __u32 *sync = &o->sync, *timeline = &o->timeline, *bo = &o->bo;
	const struct pan_sized table[] = {
		PAN_SIZED(VERSION),
		PAN_SIZED(GET_CAP, .arg = { DRM_CAP_PRIME }),
		PAN_SIZED(GEM_CLOSE, .make = _IOC_NR(DRM_IOCTL_PANFROST_CREATE_BO),
			  .make_arg = { 4096 }, .make_at = 2),
		PAN_SIZED(PRIME_HANDLE_TO_FD, .arg = { o->bo }, .to = 3),
		PAN_SIZED(PRIME_FD_TO_HANDLE, .arg = { 0, 0, o->bo_fd }),
		PAN_SIZED(PANFROST_SUBMIT,
			  .arg = { PAN_LOW(o->va), PAN_HIGH(o->va), 0, 0, 0, 0, PAN_LOW(bo),
				   PAN_HIGH(bo), 1 }),
		PAN_SIZED(PANFROST_WAIT_BO, .arg = { o->bo, 0, ~0U, ~0U >> 1 }),
		PAN_SIZED(PANFROST_CREATE_BO, .arg = { 4096 }, .to = 3,
			  .undo = _IOC_NR(DRM_IOCTL_GEM_CLOSE)),
		PAN_SIZED(PANFROST_MMAP_BO, .arg = { o->bo }),
		PAN_SIZED(PANFROST_GET_PARAM, .arg = { DRM_PANFROST_PARAM_SHADER_PRESENT }),
		PAN_SIZED(PANFROST_GET_BO_OFFSET, .arg = { o->bo }),
		PAN_SIZED(PANFROST_PERFCNT_ENABLE, .arg = { 1 }, .want = -ENOSYS),
		PAN_SIZED(PANFROST_PERFCNT_DUMP, .want = -ENOSYS),
		PAN_SIZED(PANFROST_MADVISE, .arg = { o->bo }),
		PAN_SIZED_NEW(SET_LABEL_BO, 16,
			      .arg = { o->bo, 0, PAN_LOW(label), PAN_HIGH(label) }),
		PAN_SIZED_NEW(JM_CTX_CREATE, 8, .arg = { 0, 1 }, .to = 1,
			      .undo = PAN_NR_JM_CTX_DESTROY),
		PAN_SIZED_NEW(JM_CTX_DESTROY, 8, .make = PAN_NR_JM_CTX_CREATE,
			      .make_arg = { 0, 1 }),
		PAN_SIZED_NEW(SYNC_BO, 16, .arg = { PAN_LOW(op), PAN_HIGH(op), 1 }),
		PAN_SIZED_NEW(QUERY_BO_INFO, 16, .arg = { o->bo }),
		PAN_SIZED(SYNCOBJ_CREATE, .to = 1, .undo = _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY)),
		PAN_SIZED(SYNCOBJ_DESTROY, .make = _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE)),
		PAN_SIZED(SYNCOBJ_WAIT, .arg = { PAN_LOW(sync), PAN_HIGH(sync), 0, 0, 1, 1 }),
		PAN_SIZED(SYNCOBJ_RESET, .arg = { PAN_LOW(timeline), PAN_HIGH(timeline), 1 }),
		PAN_SIZED(SYNCOBJ_TIMELINE_SIGNAL,
			  .arg = { PAN_LOW(timeline), PAN_HIGH(timeline), PAN_LOW(&point),
				   PAN_HIGH(&point), 1 }),
		PAN_SIZED(SYNCOBJ_TIMELINE_WAIT,
			  .arg = { PAN_LOW(timeline), PAN_HIGH(timeline), PAN_LOW(&point),
				   PAN_HIGH(&point), 0, 0, 1, 1 }),
		PAN_SIZED(SYNCOBJ_QUERY,
			  .arg = { PAN_LOW(timeline), PAN_HIGH(timeline), PAN_LOW(&out),
				   PAN_HIGH(&out), 1 }),
		PAN_SIZED(SYNCOBJ_TRANSFER, .arg = { o->sync, o->timeline }),
		PAN_SIZED(SYNCOBJ_SIGNAL, .arg = { PAN_LOW(sync), PAN_HIGH(sync), 1 }),
		PAN_SIZED(SYNCOBJ_HANDLE_TO_FD, .arg = { o->sync, 1 }, .to = 3),
		PAN_SIZED(SYNCOBJ_FD_TO_HANDLE, .arg = { 0, 0, o->sync_fd }, .to = 1,
			  .undo = _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY)),
	};
	size_t i;

	op[0] = o->bo;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		result(pan_try_sizes(fd, &table[i]), table[i].name, data);
}

#endif /* PAN_SIZES_H */
