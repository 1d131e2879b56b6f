// SPDX-License-Identifier: GPL-2.0
/*
 * Order of the errors of every ioctl of panfrost's, lima's and vc4's devices, on both nodes: each
 * kind of wrong argument alone, and two of them at once, of which the first one that the driver
 * checks is reported. The expected errors are those of Linux 6.1's core and drivers, and of later
 * kernels for ioctls that are newer. test_gl.sh runs it on "vshader gl"; VST_PRINT=1 in the
 * environment prints all calls with their results.
 *
 * Needs a device with each of these personalities, and root.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/eventfd.h>

#include <lima_drm.h>
#include <panfrost_drm.h>
#include <vc4_drm.h>

#include "pan_sizes.h"
#include "vshader_test.h"

#define MINORS		64	/* of a kind */
#define NO_HANDLE	9999
#define NO_FD		9999
#define ALL		(~0U)
#define T_TILED		0x0700000000000001ULL
#define NR_EVENTFD	0xcf	/* newer than the headers */

struct pan_label {
	__u32 handle, pad;
	__u64 label;
};

struct pan_sync {
	__u64 ops;
	__u32 op_count, pad;
};

struct pan_op {
	__u32 handle, type, offset, size;
};

struct pan_info {
	__u32 handle, extra_flags, create_flags, pad;
};

struct pan_ctx {
	__u32 handle, priority;
};

struct pan_job {
	__u64 jc, in_syncs;
	__u32 in_sync_count, out_sync;
	__u64 bo_handles;
	__u32 bo_handle_count, requirements, jm_ctx_handle, pad;
};

struct event {
	__u32 handle, flags;
	__u64 point;
	__s32 fd;
	__u32 pad;
};

#define PAN_REQUEST(nr, type)	_IOC(_IOC_READ | _IOC_WRITE, 'd', nr, sizeof(struct type))
#define PAN_SET_LABEL		PAN_REQUEST(PAN_NR_SET_LABEL_BO, pan_label)
#define PAN_CTX_CREATE		PAN_REQUEST(PAN_NR_JM_CTX_CREATE, pan_ctx)
#define PAN_CTX_DESTROY		PAN_REQUEST(PAN_NR_JM_CTX_DESTROY, pan_ctx)
#define PAN_SYNC		PAN_REQUEST(PAN_NR_SYNC_BO, pan_sync)
#define PAN_QUERY		PAN_REQUEST(PAN_NR_QUERY_BO_INFO, pan_info)
#define PAN_SUBMIT		PAN_REQUEST(_IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), pan_job)
#define EVENTFD			_IOC(_IOC_READ | _IOC_WRITE, 'd', NR_EVENTFD, sizeof(struct event))

static __u64 at(const void *p)
{
	return (__u64)(uintptr_t)p;
}

FIXTURE(order) {
	int fd;
	int null;	/* a file that is not of the device */
	int sync_fd;	/* a syncobj's file */
	int file_fd;	/* a sync file */
	int bo_fd;	/* a buffer's file */
	__u32 bo;
	__u32 closed;	/* a handle no more */
	__u32 done;	/* a syncobj that has signalled */
	__u32 empty;	/* one without a fence */
	__u8 *edge;	/* the end of readable memory */
	const __u8 *constant;	/* memory that cannot be written */
};

FIXTURE_VARIANT(order) {
	const char *driver;
	const char *node;
	unsigned int first;
	bool card;
	bool timelines;
};

#define CARD	.node = "card", .first = 0, .card = true
#define RENDER	.node = "renderD", .first = 128
FIXTURE_VARIANT_ADD(order, panfrost) { .driver = "panfrost", RENDER, .timelines = true };
FIXTURE_VARIANT_ADD(order, panfrost_card) { .driver = "panfrost", CARD, .timelines = true };
FIXTURE_VARIANT_ADD(order, lima) { .driver = "lima", RENDER };
FIXTURE_VARIANT_ADD(order, lima_card) { .driver = "lima", CARD };
FIXTURE_VARIANT_ADD(order, vc4) { .driver = "vc4", RENDER };
FIXTURE_VARIANT_ADD(order, vc4_card) { .driver = "vc4", CARD };

static char node[64];	/* of the fixture */

static int open_node(const char *driver, const char *prefix, unsigned int first)
{
	char text[32];
	struct drm_version v;
	unsigned int i;
	int fd;

	for (i = first; i < first + MINORS; i++) {
		snprintf(node, sizeof(node), "/dev/dri/%s%u", prefix, i);
		fd = open(node, O_RDWR | O_CLOEXEC);
		memset(text, 0, sizeof(text));
		v = (struct drm_version){ .name = text, .name_len = sizeof(text) - 1 };
		if (fd >= 0 && !vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(text, driver))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

FIXTURE_SETUP(order)
{
	struct drm_syncobj_create sync = { .flags = DRM_SYNCOBJ_CREATE_SIGNALED };
	struct drm_syncobj_handle file = {};
	struct drm_prime_handle prime = {};

	self->fd = open_node(variant->driver, variant->node, variant->first);
	if (self->fd < 0)
		SKIP(return, "no device with the personality");
	ASSERT_EQ(0, vst_foreign_bo(self->fd, variant->driver, PAGE, &self->bo));
	ASSERT_EQ(0, vst_foreign_bo(self->fd, variant->driver, PAGE, &self->closed));
	ASSERT_EQ(0, vst_bo_close(self->fd, self->closed));
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync));
	self->done = sync.handle;
	sync.flags = 0;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync));
	self->empty = sync.handle;
	file.handle = self->done;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file));
	self->sync_fd = file.fd;
	file.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file));
	self->file_fd = file.fd;
	prime.handle = self->bo;
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	self->bo_fd = prime.fd;
	self->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->null);
	self->edge = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			  0);
	ASSERT_NE(MAP_FAILED, self->edge);
	self->edge += PAGE;
	ASSERT_EQ(0, mprotect(self->edge, PAGE, PROT_NONE));
	self->constant = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->constant);
}

FIXTURE_TEARDOWN(order)
{
	if (self->fd < 0)
		return;
	close(self->bo_fd);
	close(self->file_fd);
	close(self->sync_fd);
	close(self->null);
	close(self->fd);
}

/* ---- calls ---- */

static const char *error_name(int ret)
{
	return ret < 0 ? strerrorname_np(-ret) : "0";
}

static void check(struct __test_metadata *_metadata, const char *what, int want, int got)
{
	if (getenv("VST_PRINT"))
		TH_LOG("%s: %s", what, error_name(got));
	EXPECT_EQ(want, got)
		TH_LOG("%s: %s, expected %s", what, error_name(got), error_name(want));
}

/* A call with members of its argument. */
#define TRY_NAMED(what, fd, want, request, type, ...) do {		\
	struct type _arg = { __VA_ARGS__ };				\
									\
	check(_metadata, what, want, vst_ioctl(fd, request, &_arg));	\
} while (0)

#define TRY_ON(fd, want, request, type, ...)	\
	TRY_NAMED(#request ": " #__VA_ARGS__, fd, want, request, type, ##__VA_ARGS__)
#define TRY(want, request, type, ...)	\
	TRY_NAMED(#request ": " #__VA_ARGS__, self->fd, want, request, type, ##__VA_ARGS__)

/* A call with a pointer. */
static void try_at(struct __test_metadata *_metadata, int fd, const char *what, int want,
		   unsigned int nr, size_t size, const void *p)
{
	check(_metadata, what, want,
	      vst_ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, size), (void *)p));
}

/* Zeros with as many bytes, as in the core. */
static void try_zeros(struct __test_metadata *_metadata, int fd, unsigned int nr, int want)
{
	__u8 arg[PAN_MAX_SIZE];
	char what[64];
	size_t size;

	for (size = 0; size <= 64; size++) {
		memset(arg, 0, sizeof(arg));
		snprintf(what, sizeof(what), "0x%02x with %zu zeros", nr, size);
		try_at(_metadata, fd, what, want, nr, size, arg);
	}
}

/* ---- the DRM core ---- */

TEST_F(order, syncobjs)
{
	struct drm_syncobj_create sync = {};

	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_CREATE, drm_syncobj_create, .flags = 2);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_CREATE, drm_syncobj_create, .flags = ALL);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = 0);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = ALL);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = self->done,
	    .pad = 1);
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync));
	TRY(0, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = sync.handle);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy, .handle = sync.handle);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = sync.handle);
}

#define TO_FILE		DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE
#define FROM_FILE	DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE

TEST_F(order, syncobj_files)
{
	int path = open("/dev/null", O_PATH | O_CLOEXEC), event = eventfd(0, EFD_CLOEXEC);

	ASSERT_LE(0, event);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = self->done,
	    .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = self->done,
	    .flags = 4);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = self->done,
	    .flags = ALL);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = NO_HANDLE,
	    .flags = TO_FILE);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = NO_HANDLE,
	    .flags = TO_FILE, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, drm_syncobj_handle, .handle = self->empty,
	    .flags = TO_FILE);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->sync_fd,
	    .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->sync_fd,
	    .flags = 4);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = -1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = NO_FD);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->null);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->fd);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->bo_fd);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = self->file_fd);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .fd = path);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = -1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = NO_HANDLE, .fd = -1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = self->null);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = self->sync_fd);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = self->bo_fd);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = event);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = NO_HANDLE, .fd = self->null);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = NO_HANDLE, .fd = self->file_fd);
	TRY(0, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, drm_syncobj_handle, .flags = FROM_FILE,
	    .handle = self->done, .fd = self->file_fd);
	close(event);
	close(path);
}

TEST_F(order, syncobj_arrays)
{
	const __u32 done[] = { self->done, self->done }, gone[] = { self->done, NO_HANDLE };
	const __u32 empty[] = { self->empty, NO_HANDLE };
	__u32 *edge = (__u32 *)self->edge - 1;

	*edge = self->done;
	TRY(0, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(done), .count_handles = 2);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(done),
	    .count_handles = 2, .flags = 0x10);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(done),
	    .count_handles = 2, .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .count_handles = 1, .flags = 0x10);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = BAD_PTR,
	    .count_handles = 1, .flags = ALL);
	TRY(-EFAULT, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .count_handles = 1);
	TRY(-EFAULT, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = BAD_PTR,
	    .count_handles = 1);
	TRY(0, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(edge), .count_handles = 1);
	TRY(-EFAULT, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(edge),
	    .count_handles = 2);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(gone),
	    .count_handles = 2);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(empty),
	    .count_handles = 2);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_WAIT, drm_syncobj_wait, .handles = at(empty),
	    .count_handles = 1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, .handles = at(done));
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, .handles = at(done),
	    .count_handles = 1, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, .count_handles = 1, .pad = 1);
	TRY(-EFAULT, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, .count_handles = 1);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_RESET, drm_syncobj_array, .handles = at(gone),
	    .count_handles = 2);
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_SIGNAL, drm_syncobj_array, .handles = at(done));
	TRY(-EINVAL, DRM_IOCTL_SYNCOBJ_SIGNAL, drm_syncobj_array, .handles = BAD_PTR,
	    .count_handles = 1, .pad = 1);
	TRY(-EFAULT, DRM_IOCTL_SYNCOBJ_SIGNAL, drm_syncobj_array, .handles = BAD_PTR,
	    .count_handles = 1);
	TRY(-ENOENT, DRM_IOCTL_SYNCOBJ_SIGNAL, drm_syncobj_array, .handles = at(gone),
	    .count_handles = 2);
}

/* "vshader gl" is as Linux 6.1. */
static bool refuses_flags(int fd, __u32 sync)
{
	struct drm_syncobj_transfer arg = { .src_handle = sync, .dst_handle = sync, .flags = 0x20 };

	return !getenv("VSHADER_GL_SOCKET") &&
	       vst_ioctl(fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &arg) == -EINVAL;
}

TEST_F(order, timelines)
{
	const __u32 empty[] = { self->empty }, gone[] = { self->done, NO_HANDLE };
	__u64 points[2] = { 1, 1 };
	const int no = variant->timelines ? 0 : -EOPNOTSUPP;

#define TIMELINE(error) (no ? no : (error))
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = at(points), .count_handles = 1, .flags = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .count_handles = 1, .flags = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = at(points));
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .points = at(points), .count_handles = 1);
	TRY(TIMELINE(-ENOENT), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .handles = at(gone), .points = BAD_PTR, .count_handles = 2);
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = BAD_PTR, .count_handles = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = at(empty), .points = at(points), .count_handles = 1, .flags = 0x10);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = BAD_PTR, .points = BAD_PTR, .count_handles = 1, .flags = 0x10);
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .points = at(points), .count_handles = 1);
	TRY(TIMELINE(-ENOENT), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = at(gone), .points = BAD_PTR, .count_handles = 2);
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = at(gone), .points = BAD_PTR, .count_handles = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = at(empty), .points = at(points), .count_handles = 1);
	/* without points they are 0 */
	TRY(TIMELINE(0), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, drm_syncobj_timeline_wait,
	    .handles = at(gone), .count_handles = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = at(points), .count_handles = 1, .flags = 2);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = BAD_PTR, .points = BAD_PTR, .count_handles = 1, .flags = 2);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = at(points));
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .points = at(points), .count_handles = 1);
	TRY(TIMELINE(-ENOENT), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = at(gone), .points = BAD_PTR, .count_handles = 2);
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = at(empty), .count_handles = 1);
	TRY(TIMELINE(-EFAULT), DRM_IOCTL_SYNCOBJ_QUERY, drm_syncobj_timeline_array,
	    .handles = at(empty), .points = at(self->constant), .count_handles = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->done, .dst_handle = self->empty, .pad = 1);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = NO_HANDLE, .dst_handle = NO_HANDLE, .pad = 1);
	TRY(TIMELINE(-ENOENT), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->empty, .dst_handle = NO_HANDLE);
	TRY(TIMELINE(-ENOENT), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = NO_HANDLE, .dst_handle = self->empty);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->empty, .dst_handle = self->done);
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->done, .src_point = 5, .dst_handle = self->empty);
	/* flags that it does not know are ignored, by newer kernels (6.12.117 is one) refused */
	TRY(TIMELINE(-EINVAL), DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->empty, .dst_handle = self->done, .flags = 0x10);
	TRY(TIMELINE(refuses_flags(self->fd, self->done) ? -EINVAL : 0),
	    DRM_IOCTL_SYNCOBJ_TRANSFER, drm_syncobj_transfer,
	    .src_handle = self->done, .dst_handle = self->empty, .flags = 0x10);
	TRY(TIMELINE(0), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, drm_syncobj_timeline_array,
	    .handles = at(empty), .count_handles = 1);
}

/* It is newer: kernels before 6.6 know it as little as any number. */
TEST_F(order, eventfds)
{
	int event = eventfd(0, EFD_CLOEXEC);
	const int no = variant->timelines ? 0 : -EOPNOTSUPP;
	struct event arg = { .handle = self->done, .fd = event };

	if (vst_ioctl(self->fd, EVENTFD, &arg) == -EINVAL)
		SKIP(close(event); return, "no SYNCOBJ_EVENTFD");
	TRY(TIMELINE(-EINVAL), EVENTFD, event, .handle = self->done, .fd = event, .flags = 1);
	TRY(TIMELINE(-EINVAL), EVENTFD, event, .handle = self->done, .fd = event, .pad = 1);
	TRY(TIMELINE(-EINVAL), EVENTFD, event, .handle = NO_HANDLE, .fd = -1, .flags = 1);
	TRY(TIMELINE(-ENOENT), EVENTFD, event, .handle = NO_HANDLE, .fd = event);
	TRY(TIMELINE(-ENOENT), EVENTFD, event, .handle = NO_HANDLE, .fd = -1);
	TRY(TIMELINE(-EBADF), EVENTFD, event, .handle = self->done, .fd = -1);
	TRY(TIMELINE(-EINVAL), EVENTFD, event, .handle = self->done, .fd = self->null);
	close(event);
}

TEST_F(order, buffers)
{
	int path = open("/dev/null", O_PATH | O_CLOEXEC), memory = memfd_create("x", MFD_CLOEXEC);
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(0, ftruncate(memory, PAGE));
	TRY(-EINVAL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = 0);
	TRY(-EINVAL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = ALL);
	TRY(-EINVAL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, .handle = self->bo,
	    .flags = 1);
	TRY(-EINVAL, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, .handle = NO_HANDLE,
	    .flags = ALL);
	TRY(-ENOENT, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, .handle = NO_HANDLE);
	TRY(-ENOENT, DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle, .handle = self->closed,
	    .flags = DRM_RDWR);
	TRY(-EBADF, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = -1);
	TRY(-EBADF, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = NO_FD, .flags = ALL);
	TRY(-EBADF, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = path);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = self->null);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = self->fd);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = self->sync_fd);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = self->file_fd);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = ends[0]);
	TRY(-EINVAL, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = memory);
	TRY(0, DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle, .fd = self->bo_fd, .flags = ALL);
	/* what follows the handle is not read */
	TRY(0, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
	close(ends[0]);
	close(ends[1]);
	close(memory);
	close(path);
}

TEST_F(order, device)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_DUMB_BUFFER, .value = 7 };
	char text[8];

	TRY(-EOPNOTSUPP, DRM_IOCTL_GET_CAP, drm_get_cap, .capability = DRM_CAP_DUMB_BUFFER);
	TRY(-EOPNOTSUPP, DRM_IOCTL_GET_CAP, drm_get_cap, .capability = ~0ULL);
	/* the value is 0 also after an error */
	EXPECT_EQ(-EOPNOTSUPP, vst_ioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(0, cap.value);
	TRY(-EFAULT, DRM_IOCTL_VERSION, drm_version, .name = (char *)BAD_PTR, .name_len = 1);
	TRY(0, DRM_IOCTL_VERSION, drm_version, .name = (char *)BAD_PTR);
	TRY(0, DRM_IOCTL_VERSION, drm_version, .name_len = 8);
	TRY(-EFAULT, DRM_IOCTL_VERSION, drm_version, .desc = (char *)self->constant, .desc_len = 4,
	    .name = text, .name_len = sizeof(text));
}

/* ---- who may call ---- */

TEST_F(order, permissions)
{
	int second = open(node, O_RDWR | O_CLOEXEC);
	struct drm_set_version v = { 1, 4, -1, -1 };
	const bool card = variant->card;
	struct drm_unique u = { .unique = (char *)BAD_PTR, .unique_len = 64 };

	ASSERT_LE(0, second);
	TRY(card ? -EINVAL : -EACCES, DRM_IOCTL_GET_CLIENT, drm_client, .idx = 1);
	TRY(card ? -ENOENT : -EACCES, DRM_IOCTL_GEM_FLINK, drm_gem_flink, .handle = NO_HANDLE);
	TRY(card ? -ENOENT : -EACCES, DRM_IOCTL_GEM_FLINK, drm_gem_flink, .handle = self->closed);
	TRY(card ? -ENOENT : -EACCES, DRM_IOCTL_GEM_OPEN, drm_gem_open, .name = NO_HANDLE);
	TRY(card ? -ENOENT : -EACCES, DRM_IOCTL_GEM_OPEN, drm_gem_open, .name = ALL);
	TRY(card ? -EINVAL : -EACCES, DRM_IOCTL_AUTH_MAGIC, drm_auth, .magic = 0);
	TRY(card ? -EINVAL : -EACCES, DRM_IOCTL_AUTH_MAGIC, drm_auth, .magic = ALL);
	TRY(card ? -EOPNOTSUPP : -EACCES, DRM_IOCTL_SET_CLIENT_CAP, drm_set_client_cap,
	    .capability = ~0ULL);
	TRY(card ? -EINVAL : -EACCES, DRM_IOCTL_SET_VERSION, drm_set_version, .drm_di_major = 2);
	TRY_ON(second, -EACCES, DRM_IOCTL_SET_VERSION, drm_set_version, .drm_di_major = 2);
	TRY_ON(second, -EACCES, DRM_IOCTL_AUTH_MAGIC, drm_auth, .magic = 1);
	TRY_ON(second, -EACCES, DRM_IOCTL_SET_UNIQUE, drm_unique, .unique_len = 1);
	TRY(card ? -EINVAL : -EACCES, DRM_IOCTL_SET_UNIQUE, drm_unique, .unique_len = 1);
	check(_metadata, "DROP_MASTER of a second file", card ? -EINVAL : -EACCES,
	      vst_ioctl(second, DRM_IOCTL_DROP_MASTER, NULL));
	check(_metadata, "SET_MASTER of a second file", card ? -EBUSY : -EACCES,
	      vst_ioctl(second, DRM_IOCTL_SET_MASTER, NULL));
	check(_metadata, "SET_VERSION", card ? 0 : -EACCES,
	      vst_ioctl(self->fd, DRM_IOCTL_SET_VERSION, &v));
	check(_metadata, "GET_UNIQUE to no memory", card ? -EFAULT : -EACCES,
	      vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	/* as it was */
	EXPECT_EQ(64, u.unique_len);
	u.unique_len = 1;
	check(_metadata, "GET_UNIQUE, too long", card ? 0 : -EACCES,
	      vst_ioctl(self->fd, DRM_IOCTL_GET_UNIQUE, &u));
	close(second);
}

/* Numbers of all ioctls that the kernels from 6.1 on have. */
static bool is_core(unsigned int nr)
{
	static const __u8 ranges[][2] = {
		{ 0x00, 0x02 }, { 0x05, 0x07 }, { 0x09, 0x0d }, { 0x10, 0x13 }, { 0x1e, 0x1f },
		{ 0x27, 0x28 }, { 0x2c, 0x2e }, { 0x3a, 0x3c }, { 0x3f, 0x3f }, { 0xa0, 0xbf },
		{ 0xc0, 0xce },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (nr >= ranges[i][0] && nr <= ranges[i][1])
			return true;
	}
	return false;
}

/* Those that some kernels have, or none. */
static bool is_other(unsigned int nr)
{
	return nr > 0xce || (nr < DRM_COMMAND_BASE && !is_core(nr));
}

static unsigned int last_ioctl(const char *driver)
{
	if (!strcmp(driver, "panfrost"))
		return PAN_NR_QUERY_BO_INFO;
	return DRM_COMMAND_BASE + (!strcmp(driver, "lima") ? DRM_LIMA_CTX_FREE :
				   DRM_VC4_PERFMON_GET_VALUES);
}

/* What the number's argument is: whether it is read, or written. */
static bool is_copied(unsigned int nr)
{
	/* SET_MASTER, DROP_MASTER; FINISH and others that take nothing do so */
	return nr != 0x1e && nr != 0x1f;
}

/* An argument where no memory is comes before permission, an unknown number before that. */
TEST_F(order, no_memory)
{
	unsigned int nr, last = last_ioctl(variant->driver);
	char what[32];

	for (nr = 0; nr < 256; nr++) {
		bool own = nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END;

		if (is_other(nr) || !is_copied(nr))
			continue;
		snprintf(what, sizeof(what), "0x%02x with no memory", nr);
		try_at(_metadata, self->fd, what, own && nr > last ? -EINVAL : -EFAULT, nr, 8,
		       (void *)BAD_PTR);
		snprintf(what, sizeof(what), "0x%02x with half a memory", nr);
		try_at(_metadata, self->fd, what, own && nr > last ? -EINVAL : -EFAULT, nr, 8,
		       self->edge - 4);
		snprintf(what, sizeof(what), "0x%02x with a long half", nr);
		try_at(_metadata, self->fd, what, own && nr > last ? -EINVAL : -EFAULT, nr, 2048,
		       self->edge - 1024);
	}
	/* they have none */
	if (variant->card) {
		try_at(_metadata, self->fd, "SET_MASTER with no memory", 0, 0x1e, 8,
		       (void *)BAD_PTR);
		try_at(_metadata, self->fd, "DROP_MASTER with no memory", 0, 0x1f, 8,
		       (void *)BAD_PTR);
	}
}

/* Ioctls that are not DRM's, and DRM's on files that are not of the device. */
TEST_F(order, other_types)
{
	__u32 arg[4] = {};

	check(_metadata, "another type", -ENOTTY,
	      vst_ioctl(self->fd, _IOC(_IOC_READ | _IOC_WRITE, 'e', 1, 8), arg));
	check(_metadata, "FIONREAD", -ENOTTY, vst_ioctl(self->fd, 0x541b, arg));
	check(_metadata, "TCGETS", -ENOTTY, vst_ioctl(self->fd, 0x5401, arg));
	check(_metadata, "SIOCATMARK", -ENOTTY, vst_ioctl(self->fd, 0x8905, arg));
	TRY_ON(self->null, -ENOTTY, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
	TRY_ON(self->sync_fd, -ENOTTY, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
	TRY_ON(self->file_fd, -ENOTTY, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
	TRY_ON(self->bo_fd, -ENOTTY, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
	TRY_ON(-1, -EBADF, DRM_IOCTL_GEM_CLOSE, drm_gem_close, .handle = self->bo);
}

/* What the core does not execute any more, but answers. */
TEST_F(order, no_operations)
{
	static const __u8 masters[] = { 0x12, 0x13, 0x27, 0x28, 0x3f };
	int second = open(node, O_RDWR | O_CLOEXEC);
	char what[32];
	size_t i;

	ASSERT_LE(0, second);
	for (i = 0; i < ARRAY_SIZE(masters); i++) {
		snprintf(what, sizeof(what), "0x%02x", masters[i]);
		try_at(_metadata, self->fd, what, variant->card ? 0 : -EACCES, masters[i], 0, NULL);
		try_at(_metadata, second, what, -EACCES, masters[i], 0, NULL);
	}
	try_at(_metadata, self->fd, "FINISH", variant->card ? 0 : -EACCES, 0x2c, 0, NULL);
	close(second);
}

/* ---- panfrost ---- */

static void panfrost_zeros(struct __test_metadata *_metadata, int fd)
{
	static const struct { unsigned int nr; int want; } table[] = {
		{ 0x40, -EINVAL }, { 0x41, -ENOENT }, { 0x42, -EINVAL }, { 0x43, -ENOENT },
		{ 0x44, 0 }, { 0x45, -ENOENT }, { 0x46, -ENOSYS }, { 0x47, -ENOSYS },
		{ 0x48, -ENOENT }, { 0x49, -ENOENT }, { 0x4b, -EINVAL }, { 0x4c, 0 },
		{ 0x4d, -ENOENT }, { 0x4e, -EINVAL }, { 0x9f, -EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		try_zeros(_metadata, fd, table[i].nr, table[i].want);
}

TEST_F(order, ioctls_of_panfrost)
{
	__u32 gone[] = { self->bo, NO_HANDLE }, none[] = { self->done, NO_HANDLE };
	__u32 empty[] = { self->empty };
	struct pan_op ops[] = { { self->bo, 0, 0, 1 }, { NO_HANDLE, 0, 0, 1 } };
	struct pan_op type[] = { { self->bo, 9, 0, 1 } }, range[] = { { self->bo, 0, 0, ALL } };

	if (strcmp(variant->driver, "panfrost"))
		SKIP(return, "another driver");
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = 0);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .requirements = ALL);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .pad = 1);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = 0, .out_sync = NO_HANDLE);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .requirements = ALL, .out_sync = NO_HANDLE);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = 0, .bo_handles = BAD_PTR, .bo_handle_count = 1);
	TRY(-ENODEV, PAN_SUBMIT, pan_job, .jc = PAGE, .out_sync = NO_HANDLE);
	TRY(-ENODEV, PAN_SUBMIT, pan_job, .jc = PAGE, .out_sync = NO_HANDLE, .jm_ctx_handle = 50);
	TRY(-ENODEV, PAN_SUBMIT, pan_job, .jc = PAGE, .out_sync = NO_HANDLE, .in_syncs = BAD_PTR,
	    .in_sync_count = 1);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .jm_ctx_handle = 50);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .jm_ctx_handle = 50, .in_syncs = BAD_PTR,
	    .in_sync_count = 1);
	TRY(-EFAULT, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = BAD_PTR, .in_sync_count = 1);
	TRY(-EFAULT, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = BAD_PTR, .in_sync_count = 1,
	    .bo_handles = at(gone), .bo_handle_count = 2);
	TRY(-ENOENT, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = at(none), .in_sync_count = 2);
	TRY(-ENOENT, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = at(none), .in_sync_count = 2,
	    .bo_handles = BAD_PTR, .bo_handle_count = 1);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = at(empty), .in_sync_count = 1);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = at(empty), .in_sync_count = 1,
	    .bo_handles = BAD_PTR, .bo_handle_count = 1);
	TRY(-EINVAL, PAN_SUBMIT, pan_job, .jc = PAGE, .in_syncs = at(empty), .in_sync_count = 1,
	    .bo_handles = at(gone), .bo_handle_count = 2);
	TRY(-EFAULT, PAN_SUBMIT, pan_job, .jc = PAGE, .bo_handles = BAD_PTR, .bo_handle_count = 1);
	TRY(-ENOENT, PAN_SUBMIT, pan_job, .jc = PAGE, .bo_handles = at(gone), .bo_handle_count = 2);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_WAIT_BO, drm_panfrost_wait_bo, .handle = NO_HANDLE,
	    .pad = 1);
	TRY(-ENOENT, DRM_IOCTL_PANFROST_WAIT_BO, drm_panfrost_wait_bo, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_CREATE_BO, drm_panfrost_create_bo, .size = 0);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_CREATE_BO, drm_panfrost_create_bo, .size = PAGE, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_CREATE_BO, drm_panfrost_create_bo, .size = PAGE,
	    .flags = 0x100);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_CREATE_BO, drm_panfrost_create_bo, .size = PAGE,
	    .flags = PANFROST_BO_HEAP);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_MMAP_BO, drm_panfrost_mmap_bo, .handle = NO_HANDLE,
	    .flags = 1);
	TRY(-ENOENT, DRM_IOCTL_PANFROST_MMAP_BO, drm_panfrost_mmap_bo, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_GET_PARAM, drm_panfrost_get_param, .param = ALL);
	TRY(-EINVAL, DRM_IOCTL_PANFROST_GET_PARAM, drm_panfrost_get_param, .pad = 1);
	TRY(-ENOENT, DRM_IOCTL_PANFROST_GET_BO_OFFSET, drm_panfrost_get_bo_offset,
	    .handle = NO_HANDLE, .pad = 1);
	TRY(-ENOSYS, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, drm_panfrost_perfcnt_enable,
	    .enable = ALL);
	TRY(-ENOSYS, DRM_IOCTL_PANFROST_PERFCNT_DUMP, drm_panfrost_perfcnt_dump,
	    .buf_ptr = BAD_PTR);
	TRY(-ENOENT, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = NO_HANDLE,
	    .madv = 9);
	TRY(0, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo, .madv = 9);
	TRY(-EINVAL, PAN_SET_LABEL, pan_label, .handle = NO_HANDLE, .pad = 1, .label = BAD_PTR);
	TRY(-ENOENT, PAN_SET_LABEL, pan_label, .handle = NO_HANDLE, .label = BAD_PTR);
	TRY(-EFAULT, PAN_SET_LABEL, pan_label, .handle = self->bo, .label = BAD_PTR);
	TRY(-EINVAL, PAN_CTX_CREATE, pan_ctx, .priority = 9);
	TRY(-EINVAL, PAN_CTX_DESTROY, pan_ctx, .handle = 50);
	TRY(-EINVAL, PAN_CTX_DESTROY, pan_ctx, .handle = 50, .priority = 1);
	TRY(-EINVAL, PAN_SYNC, pan_sync, .ops = BAD_PTR, .op_count = 1, .pad = 1);
	TRY(-EFAULT, PAN_SYNC, pan_sync, .ops = BAD_PTR, .op_count = 1);
	TRY(-ENOENT, PAN_SYNC, pan_sync, .ops = at(ops), .op_count = 2);
	TRY(-EINVAL, PAN_SYNC, pan_sync, .ops = at(type), .op_count = 1);
	TRY(-EINVAL, PAN_SYNC, pan_sync, .ops = at(range), .op_count = 1);
	TRY(-ENOENT, PAN_QUERY, pan_info, .handle = self->closed, .pad = 1);
	panfrost_zeros(_metadata, self->fd);
}

/* Memory of an object that has a second handle is needed. */
TEST_F(order, advice_of_panfrost)
{
	__u32 imported;
	int second;

	if (strcmp(variant->driver, "panfrost"))
		SKIP(return, "another driver");
	second = open(node, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, second);
	TRY(0, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo,
	    .madv = PANFROST_MADV_DONTNEED);
	ASSERT_EQ(0, vst_prime_import(second, self->bo_fd, &imported));
	TRY(-EINVAL, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo,
	    .madv = PANFROST_MADV_DONTNEED);
	TRY_ON(second, -EINVAL, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise,
	       .handle = imported, .madv = PANFROST_MADV_DONTNEED);
	TRY(0, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo,
	    .madv = PANFROST_MADV_WILLNEED);
	ASSERT_EQ(0, vst_bo_close(second, imported));
	TRY(0, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo,
	    .madv = PANFROST_MADV_DONTNEED);
	TRY(0, DRM_IOCTL_PANFROST_MADVISE, drm_panfrost_madvise, .handle = self->bo,
	    .madv = PANFROST_MADV_WILLNEED);
	close(second);
}

/* ---- lima ---- */

static void lima_zeros(struct __test_metadata *_metadata, int fd)
{
	static const struct { unsigned int nr; int want; } table[] = {
		{ 0x40, 0 }, { 0x41, -EINVAL }, { 0x42, -ENOENT }, { 0x43, -EINVAL }, { 0x44, 0 },
		{ 0x46, -EINVAL }, { 0x47, -EINVAL }, { 0x9f, -EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		try_zeros(_metadata, fd, table[i].nr, table[i].want);
}

#define LIMA_SUBMIT(want, ...)	\
	TRY_NAMED("LIMA_GEM_SUBMIT: " #__VA_ARGS__, self->fd, want, DRM_IOCTL_LIMA_GEM_SUBMIT, \
		  drm_lima_gem_submit, ##__VA_ARGS__)
#define BOS(p, n)	.bos = at(p), .nr_bos = (n)
#define FRAME(p)	.frame = at(p), .frame_size = sizeof(frame)

TEST_F(order, ioctls_of_lima)
{
	struct drm_lima_gem_submit_bo bo[] = { { self->bo, 1 } }, gone[] = { { NO_HANDLE, 1 } };
	struct drm_lima_gem_submit_bo twice[] = { { self->bo, 1 }, { self->bo, 1 } };
	struct drm_lima_gem_submit_bo both[] = { { self->bo, 1 }, { self->bo, 1 },
						 { NO_HANDLE, 1 } };
	struct drm_lima_gp_frame wrong = {}, frame = { .frame = { 0, 8 } };
	const void *no = (void *)BAD_PTR;
	struct drm_lima_ctx_create ctx = {};

	if (strcmp(variant->driver, "lima"))
		SKIP(return, "another driver");
	/* while there is no context */
	lima_zeros(_metadata, self->fd);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GET_PARAM, drm_lima_get_param, .param = ALL);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GET_PARAM, drm_lima_get_param, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_CREATE, drm_lima_gem_create, .size = PAGE, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_CREATE, drm_lima_gem_create, .size = PAGE, .flags = 2);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_CREATE, drm_lima_gem_create, .size = 0);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_CREATE, drm_lima_gem_create, .size = 0,
	    .flags = LIMA_BO_FLAG_HEAP);
	TRY(-ENOENT, DRM_IOCTL_LIMA_GEM_INFO, drm_lima_gem_info, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_WAIT, drm_lima_gem_wait, .handle = self->bo, .op = 4);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_WAIT, drm_lima_gem_wait, .handle = NO_HANDLE, .op = ALL);
	TRY(0, DRM_IOCTL_LIMA_GEM_WAIT, drm_lima_gem_wait, .handle = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_WAIT, drm_lima_gem_wait, .handle = NO_HANDLE, .op = 1);
	TRY(-EINVAL, DRM_IOCTL_LIMA_GEM_WAIT, drm_lima_gem_wait, .handle = self->closed, .op = 2);
	/* nothing of it is read */
	TRY(0, DRM_IOCTL_LIMA_CTX_CREATE, drm_lima_ctx_create, ._pad = 1);
	TRY(-EINVAL, DRM_IOCTL_LIMA_CTX_FREE, drm_lima_ctx_free, .id = NO_HANDLE);
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx));
	TRY(-EINVAL, DRM_IOCTL_LIMA_CTX_FREE, drm_lima_ctx_free, .id = ctx.id, ._pad = 1);
	LIMA_SUBMIT(-EINVAL, .pipe = 2, BOS(no, 1), FRAME(no));
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(no, 0), FRAME(no));
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(no, 1), FRAME(no), .flags = 2);
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(no, 1), .frame = BAD_PTR, .frame_size = 4);
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(no, ALL), .frame_size = 0);
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(no, ALL), FRAME(no), .flags = 2);
	LIMA_SUBMIT(-ENOMEM, .pipe = 0, BOS(no, ALL), FRAME(no));
	LIMA_SUBMIT(-ENOMEM, .pipe = 0, BOS(bo, ALL), FRAME(&frame), .ctx = NO_HANDLE);
	LIMA_SUBMIT(-EFAULT, .pipe = 0, BOS(no, 1), FRAME(&frame), .ctx = NO_HANDLE);
	LIMA_SUBMIT(-EFAULT, .pipe = 0, BOS(no, 1), FRAME(&wrong), .ctx = ctx.id);
	LIMA_SUBMIT(-EFAULT, .pipe = 0, BOS(bo, 1), FRAME(no), .ctx = NO_HANDLE);
	LIMA_SUBMIT(-EFAULT, .pipe = 0, BOS(gone, 1), FRAME(no), .ctx = ctx.id,
		    .out_sync = NO_HANDLE);
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(bo, 1), FRAME(&wrong), .ctx = NO_HANDLE);
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(gone, 1), FRAME(&wrong), .ctx = ctx.id,
		    .out_sync = NO_HANDLE);
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(bo, 1), FRAME(&frame), .ctx = NO_HANDLE);
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(twice, 2), FRAME(&frame), .ctx = NO_HANDLE,
		    .in_sync = { self->empty });
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(bo, 1), FRAME(&frame), .ctx = ctx.id,
		    .out_sync = NO_HANDLE);
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(twice, 2), FRAME(&frame), .ctx = ctx.id,
		    .out_sync = NO_HANDLE);
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(gone, 1), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { self->empty });
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(both, 3), FRAME(&frame), .ctx = ctx.id);
	LIMA_SUBMIT(-EALREADY, .pipe = 0, BOS(twice, 2), FRAME(&frame), .ctx = ctx.id);
	LIMA_SUBMIT(-EALREADY, .pipe = 0, BOS(twice, 2), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { NO_HANDLE });
	LIMA_SUBMIT(-EALREADY, .pipe = 0, BOS(twice, 2), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { self->empty });
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(bo, 1), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { NO_HANDLE });
	LIMA_SUBMIT(-EINVAL, .pipe = 0, BOS(bo, 1), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { self->empty, NO_HANDLE });
	LIMA_SUBMIT(-ENOENT, .pipe = 0, BOS(bo, 1), FRAME(&frame), .ctx = ctx.id,
		    .in_sync = { self->done, NO_HANDLE }, .flags = 1);
}

/* ---- vc4 ---- */

static void vc4_zeros(struct __test_metadata *_metadata, int fd)
{
	static const struct { unsigned int nr; int want; } table[] = {
		{ 0x40, -EINVAL }, { 0x41, 0 }, { 0x42, -EINVAL }, { 0x43, -EINVAL },
		{ 0x44, -EINVAL }, { 0x45, -EINVAL }, { 0x47, 0 }, { 0x48, -ENOENT },
		{ 0x49, -ENOENT }, { 0x4a, -EINVAL }, { 0x4b, -ENOENT }, { 0x4c, -EINVAL },
		{ 0x4d, -EINVAL }, { 0x4e, -EINVAL }, { 0x4f, -EINVAL }, { 0x9f, -EINVAL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		try_zeros(_metadata, fd, table[i].nr, table[i].want);
}

/* There may be one of a job of another test. */
static int get_hang_state(int fd, __u64 bos)
{
	static struct drm_vc4_get_hang_state_bo states[256];
	struct drm_vc4_get_hang_state arg = { .bo = at(states), .bo_count = ARRAY_SIZE(states) };

	while (!vst_ioctl(fd, DRM_IOCTL_VC4_GET_HANG_STATE, &arg))
		arg = (struct drm_vc4_get_hang_state){ .bo = at(states),
						       .bo_count = ARRAY_SIZE(states) };
	arg = (struct drm_vc4_get_hang_state){ .bo = bos, .bo_count = ALL };
	return vst_ioctl(fd, DRM_IOCTL_VC4_GET_HANG_STATE, &arg);
}

#define VC4_SUBMIT(want, ...)	\
	TRY_NAMED("VC4_SUBMIT_CL: " #__VA_ARGS__, self->fd, want, DRM_IOCTL_VC4_SUBMIT_CL, \
		  drm_vc4_submit_cl, ##__VA_ARGS__)
#define HANDLES(p, n)	.bo_handles = at(p), .bo_handle_count = (n)
#define LIST(p)		.bin_cl = at(p), .bin_cl_size = 8

TEST_F(order, ioctls_of_vc4)
{
	__u32 bo[] = { self->bo }, gone[] = { self->bo, NO_HANDLE };
	const void *no = (void *)BAD_PTR;
	struct drm_vc4_perfmon_create monitor = { .ncounters = 1 };
	__u64 list = 0;

	if (strcmp(variant->driver, "vc4"))
		SKIP(return, "another driver");
	TRY(-EINVAL, DRM_IOCTL_VC4_GET_PARAM, drm_vc4_get_param, .param = ALL);
	TRY(-EINVAL, DRM_IOCTL_VC4_GET_PARAM, drm_vc4_get_param, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_BO, drm_vc4_create_bo, .size = 0, .flags = ALL);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = BAD_PTR);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = BAD_PTR,
	    .size = 7);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = BAD_PTR,
	    .size = 8, .flags = 1);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = BAD_PTR,
	    .size = 8, .pad = 1);
	TRY(-EFAULT, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = BAD_PTR,
	    .size = 8);
	TRY(-EINVAL, DRM_IOCTL_VC4_CREATE_SHADER_BO, drm_vc4_create_shader_bo, .data = at(&list),
	    .size = 8);
	TRY(-EINVAL, DRM_IOCTL_VC4_MMAP_BO, drm_vc4_mmap_bo, .handle = self->closed);
	TRY(0, DRM_IOCTL_VC4_MMAP_BO, drm_vc4_mmap_bo, .handle = self->bo, .flags = ALL);
	TRY(-ETIME, DRM_IOCTL_VC4_WAIT_SEQNO, drm_vc4_wait_seqno, .seqno = ~0ULL);
	TRY(-EINVAL, DRM_IOCTL_VC4_WAIT_BO, drm_vc4_wait_bo, .handle = self->bo, .pad = 1);
	TRY(-EINVAL, DRM_IOCTL_VC4_WAIT_BO, drm_vc4_wait_bo, .handle = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_VC4_SET_TILING, drm_vc4_set_tiling, .handle = NO_HANDLE,
	    .flags = 1);
	TRY(-EINVAL, DRM_IOCTL_VC4_SET_TILING, drm_vc4_set_tiling, .handle = NO_HANDLE,
	    .modifier = 5);
	TRY(-ENOENT, DRM_IOCTL_VC4_SET_TILING, drm_vc4_set_tiling, .handle = NO_HANDLE,
	    .modifier = T_TILED);
	TRY(-EINVAL, DRM_IOCTL_VC4_GET_TILING, drm_vc4_get_tiling, .handle = NO_HANDLE,
	    .flags = 1);
	TRY(-EINVAL, DRM_IOCTL_VC4_GET_TILING, drm_vc4_get_tiling, .handle = NO_HANDLE,
	    .modifier = 1);
	TRY(-ENOENT, DRM_IOCTL_VC4_GET_TILING, drm_vc4_get_tiling, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = NO_HANDLE,
	    .name = BAD_PTR);
	TRY(-EFAULT, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = NO_HANDLE, .len = 3,
	    .name = BAD_PTR);
	TRY(-EFAULT, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = self->bo, .len = 3);
	TRY(-EINVAL, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = NO_HANDLE, .len = 3,
	    .name = at("four"));
	TRY(-ENOENT, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = NO_HANDLE, .len = 4,
	    .name = at("four"));
	/* its length with the end is 0 */
	TRY(-EFAULT, DRM_IOCTL_VC4_LABEL_BO, drm_vc4_label_bo, .handle = NO_HANDLE, .len = ALL,
	    .name = at("four"));
	TRY(-EINVAL, DRM_IOCTL_VC4_GEM_MADVISE, drm_vc4_gem_madvise, .handle = NO_HANDLE,
	    .madv = 2);
	TRY(-EINVAL, DRM_IOCTL_VC4_GEM_MADVISE, drm_vc4_gem_madvise, .handle = NO_HANDLE,
	    .pad = 1);
	TRY(-ENOENT, DRM_IOCTL_VC4_GEM_MADVISE, drm_vc4_gem_madvise, .handle = self->closed);
	TRY(-EINVAL, DRM_IOCTL_VC4_PERFMON_CREATE, drm_vc4_perfmon_create, .ncounters = 17,
	    .events = { 255 });
	TRY(-EINVAL, DRM_IOCTL_VC4_PERFMON_CREATE, drm_vc4_perfmon_create, .ncounters = 2,
	    .events = { 0, 30 });
	TRY(0, DRM_IOCTL_VC4_PERFMON_CREATE, drm_vc4_perfmon_create, .ncounters = 1,
	    .events = { 0, 30 });
	TRY(-EINVAL, DRM_IOCTL_VC4_PERFMON_DESTROY, drm_vc4_perfmon_destroy, .id = NO_HANDLE);
	TRY(-EINVAL, DRM_IOCTL_VC4_PERFMON_GET_VALUES, drm_vc4_perfmon_get_values,
	    .id = NO_HANDLE, .values_ptr = BAD_PTR);
	ASSERT_EQ(0, vst_ioctl(self->fd, DRM_IOCTL_VC4_PERFMON_CREATE, &monitor));
	TRY(-EFAULT, DRM_IOCTL_VC4_PERFMON_GET_VALUES, drm_vc4_perfmon_get_values,
	    .id = monitor.id, .values_ptr = BAD_PTR);
	TRY(-EFAULT, DRM_IOCTL_VC4_PERFMON_GET_VALUES, drm_vc4_perfmon_get_values,
	    .id = monitor.id, .values_ptr = at(self->constant));
	TRY(0, DRM_IOCTL_VC4_PERFMON_GET_VALUES, drm_vc4_perfmon_get_values, .id = monitor.id,
	    .values_ptr = at(self->edge - 8));
	check(_metadata, "GET_HANG_STATE", variant->card ? -ENOENT : -EACCES,
	      get_hang_state(self->fd, BAD_PTR));
	VC4_SUBMIT(-EINVAL, HANDLES(no, 1), .flags = 0x100);
	VC4_SUBMIT(-EINVAL, HANDLES(no, 1), .pad2 = 1);
	VC4_SUBMIT(-EINVAL, HANDLES(no, 0), LIST(no), .perfmonid = NO_HANDLE);
	VC4_SUBMIT(-EINVAL, HANDLES(no, ALL), .flags = 0x100);
	VC4_SUBMIT(-ENOMEM, HANDLES(no, ALL), LIST(no));
	VC4_SUBMIT(-EFAULT, HANDLES(no, 1), LIST(no), .perfmonid = NO_HANDLE);
	VC4_SUBMIT(-EFAULT, HANDLES(no, 1), LIST(&list), .in_sync = NO_HANDLE);
	VC4_SUBMIT(-EINVAL, HANDLES(gone, 2), LIST(no), .perfmonid = NO_HANDLE);
	VC4_SUBMIT(-EINVAL, HANDLES(gone, 2), LIST(&list), .in_sync = NO_HANDLE);
	VC4_SUBMIT(-ENOENT, HANDLES(bo, 1), LIST(no), .perfmonid = NO_HANDLE);
	VC4_SUBMIT(-ENOENT, HANDLES(bo, 1), LIST(no), .perfmonid = NO_HANDLE,
		   .in_sync = self->empty);
	VC4_SUBMIT(-ENOENT, HANDLES(bo, 1), LIST(no), .in_sync = NO_HANDLE);
	VC4_SUBMIT(-EINVAL, HANDLES(bo, 1), LIST(no), .in_sync = self->empty);
	VC4_SUBMIT(-EINVAL, HANDLES(bo, 1), LIST(no), .uniforms = BAD_PTR, .uniforms_size = ALL);
	VC4_SUBMIT(-EFAULT, HANDLES(bo, 1), LIST(no), .out_sync = NO_HANDLE);
	VC4_SUBMIT(-EFAULT, HANDLES(bo, 1), LIST(no), .uniforms = BAD_PTR, .uniforms_size = 4);
	VC4_SUBMIT(-EFAULT, HANDLES(bo, 1), LIST(&list), .uniforms = BAD_PTR, .uniforms_size = 4);
	VC4_SUBMIT(-EFAULT, HANDLES(bo, 1), LIST(&list), .shader_rec = BAD_PTR,
		   .shader_rec_size = 4);
	VC4_SUBMIT(-EINVAL, HANDLES(bo, 1), LIST(&list), .out_sync = NO_HANDLE);
	/* without a list neither records nor uniforms are read */
	VC4_SUBMIT(-EINVAL, HANDLES(bo, 1), .uniforms = BAD_PTR, .uniforms_size = 4,
		   .shader_rec = BAD_PTR, .shader_rec_size = 4, .bin_cl = BAD_PTR,
		   .max_x_tile = 1, .min_x_tile = 2);
	vc4_zeros(_metadata, self->fd);
	/* its handle is the one that was closed */
	TRY(0, DRM_IOCTL_VC4_CREATE_BO, drm_vc4_create_bo, .size = 1, .flags = ALL, .pad = ALL);
}

TEST_HARNESS_MAIN
