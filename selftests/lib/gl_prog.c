// SPDX-License-Identifier: GPL-2.0
/*
 * A program that looks at its render node as libdrm, GBM and Mesa do, and calls its ioctls as
 * headers of any age have them. test_gl.sh runs it under "vshader gl".
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/sync_file.h>
#include <panfrost_drm.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "../drm/pan_sizes.h"
#include "tap.h"

#define NODE		"/dev/dri/renderD128"
#define CARD		"/dev/dri/card0"
#define SYSFS		"/sys/dev/char/226:128"
#define SECOND		1000000000LL

/* Newer than the headers of some C libraries. */
#define SYNCOBJ_EVENTFD	0xcf
#define SET_CLIENT_NAME	0xd1
#define GEM_FLINK	0x0a
#define UNUSED_CORE	0xff
#define UNUSED_DRIVER	0x7f

/* Of panfrost 1.3 and later. */
#define PARAM_TIMESTAMP		(DRM_PANFROST_PARAM_AFBC_FEATURES + 1)
#define PARAM_FREQUENCY		(DRM_PANFROST_PARAM_AFBC_FEATURES + 2)
#define PARAM_PRIORITIES	(DRM_PANFROST_PARAM_AFBC_FEATURES + 3)
#define PARAM_COHERENCY		(DRM_PANFROST_PARAM_AFBC_FEATURES + 4)
#define CYCLE_COUNT		2
#define WB_MMAP			4

struct timeline_handle {
	uint32_t handle, flags;
	int32_t fd;
	uint32_t pad;
	uint64_t point;
};

struct eventfd_args {
	uint32_t handle, flags;
	uint64_t point;
	int32_t fd;
	uint32_t pad;
};

static int fd;

#define call(file, nr, size, arg)	pan_call(file, nr, size, arg)
#define CALL(request, arg)	call(fd, _IOC_NR(request), sizeof(*(arg)), arg)

/* libdrm returns -1 with errno from some calls and the negative errno from others. */
#define DRM(x)	({ int ret_ = (x); ret_ == -1 ? -errno : ret_; })

static void expect(int got, int want, const char *what)
{
	if (!tap_result(got == want, "%s", what))
		tap_comment("%d, expected %d", got, want);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- the node ---- */

static bool is_node(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(226, 128);
}

static void test_stat(void)
{
	struct statx sx;
	struct stat st;
	int dir;

	tap_result(!stat(NODE, &st) && is_node(&st), "stat");
	tap_result(!lstat(NODE, &st) && is_node(&st), "lstat");
	tap_result(!fstat(fd, &st) && is_node(&st), "fstat");
	tap_result(!fstatat(AT_FDCWD, NODE, &st, 0) && is_node(&st), "fstatat");
	tap_result(!fstatat(fd, "", &st, AT_EMPTY_PATH) && is_node(&st),
		   "fstatat of the descriptor");
	tap_result(!statx(AT_FDCWD, NODE, 0, STATX_TYPE, &sx) && S_ISCHR(sx.stx_mode) &&
		   sx.stx_rdev_major == 226 && sx.stx_rdev_minor == 128, "statx");
	tap_result(!statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &sx) && S_ISCHR(sx.stx_mode),
		   "statx of the descriptor");
	dir = open("/dev/dri", O_PATH | O_DIRECTORY);
	tap_result(dir >= 0 && !fstatat(dir, "renderD128", &st, 0) && is_node(&st),
		   "fstatat in the folder");
	close(dir);
	tap_result(!stat("/dev/dri", &st) && S_ISDIR(st.st_mode), "the folder");
	tap_result(!stat("/dev/null", &st) && st.st_rdev == makedev(1, 3), "another device");
	tap_result(stat("/dev/dri/renderD129", &st) && errno == ENOENT, "no second node");
}

static bool lists(const char *folder, const char *name)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	bool found = false;

	while (dir && !found && (e = readdir(dir)))
		found = !strcmp(e->d_name, name);
	if (dir)
		closedir(dir);
	return found;
}

static bool links_to(const char *path, const char *end)
{
	char text[256];
	ssize_t n = readlink(path, text, sizeof(text) - 1);
	size_t want = strlen(end);

	text[n > 0 ? n : 0] = 0;
	return n >= (ssize_t)want && !strcmp(text + n - want, end);
}

static bool has_line(const char *path, const char *line)
{
	FILE *file = fopen(path, "r");
	char text[256];
	bool found = false;

	while (file && !found && fgets(text, sizeof(text), file))
		found = !strncmp(text, line, strlen(line));
	if (file)
		fclose(file);
	return found;
}

static void test_sysfs(void)
{
	char path[64], *real;

	tap_result(lists("/dev/dri", "renderD128"), "/dev/dri lists the node");
	tap_result(lists(SYSFS "/device/drm", "renderD128"), "sysfs lists the node");
	tap_result(links_to(SYSFS "/device/subsystem", "/platform"), "on the platform bus");
	tap_result(links_to(SYSFS "/device/driver", "/panfrost"), "driver of the device");
	tap_result(has_line(SYSFS "/uevent", "DEVNAME=dri/renderD128\n"), "name in uevent");
	tap_result(has_line(SYSFS "/device/uevent", "OF_COMPATIBLE_0=arm,mali-"), "compatible");
	tap_result(!access(SYSFS, F_OK) && access("/sys/dev/char/226:1", F_OK), "access");
	tap_result(!access("/dev/char/226:128", R_OK | W_OK), "name by the number");
	real = realpath(SYSFS "/device", NULL);
	tap_result(real && !strcmp(real, "/sys/devices/platform/vshader"), "realpath (%s)", real);
	free(real);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tap_result(links_to(path, NODE), "name of the descriptor");
}

static void test_libdrm(void)
{
	drmDevicePtr devices[4], d;
	drmVersionPtr v = drmGetVersion(fd);
	char *name = drmGetDeviceNameFromFd2(fd);
	int n = drmGetDevices2(0, devices, 4);

	expect(n, 1, "drmGetDevices2: one device");
	tap_result(n == 1 && devices[0]->bustype == DRM_BUS_PLATFORM &&
		   devices[0]->available_nodes == (1 << DRM_NODE_RENDER | 1 << DRM_NODE_PRIMARY) &&
		   !strcmp(devices[0]->nodes[DRM_NODE_RENDER], NODE) &&
		   !strcmp(devices[0]->nodes[DRM_NODE_PRIMARY], CARD), "its nodes");
	tap_result(n == 1 && !strncmp(devices[0]->deviceinfo.platform->compatible[0],
				      "arm,mali-", 9), "its compatible string");
	expect(drmGetDevice2(fd, 0, &d), 0, "drmGetDevice2");
	tap_result(n == 1 && drmDevicesEqual(d, devices[0]), "is the same device");
	drmFreeDevice(&d);
	drmFreeDevices(devices, n);
	expect(drmGetNodeTypeFromFd(fd), DRM_NODE_RENDER, "drmGetNodeTypeFromFd");
	tap_result(name && !strcmp(name, NODE), "drmGetDeviceNameFromFd2");
	tap_result(v && !strcmp(v->name, "panfrost") && v->version_major == 1 &&
		   v->version_minor == 6, "drmGetVersion");
	free(name);
	drmFreeVersion(v);
}

/* Return: a name that libdrm gives is the one that is wanted. */
static bool is_name(char *name, const char *want)
{
	bool same = name && !strcmp(name, want);

	free(name);
	return same;
}

/* What compositors and GBM do with the node of a device without displays. */
static void test_card(void)
{
	int card = open(CARD, O_RDWR | O_CLOEXEC);
	drmDevicePtr d, other;
	drmVersionPtr v = drmGetVersion(card);
	int twin;

	tap_result(v && !strcmp(v->name, "panfrost"), "the primary node is of the driver");
	drmFreeVersion(v);
	expect(drmGetNodeTypeFromFd(card), DRM_NODE_PRIMARY, "type of the primary node");
	tap_result(is_name(drmGetDeviceNameFromFd2(card), CARD), "its name");
	tap_result(is_name(drmGetRenderDeviceNameFromFd(card), NODE), "its render node");
	tap_result(is_name(drmGetPrimaryDeviceNameFromFd(fd), CARD), "and the way back");
	expect(drmGetDevice2(card, 0, &d), 0, "drmGetDevice2 of it");
	expect(drmGetDevice2(fd, 0, &other), 0, "and of the render node");
	tap_result(drmDevicesEqual(d, other), "are one device");
	drmFreeDevice(&d);
	drmFreeDevice(&other);
	tap_result(!drmModeGetResources(card) && errno == EOPNOTSUPP, "it has no displays");
	tap_result(!drmIsKMS(card), "drmIsKMS");
	expect(drmAvailable(), 1, "drmAvailable");
	tap_result(drmIsMaster(card), "the first file is master");
	twin = drmOpenWithType("panfrost", NULL, DRM_NODE_PRIMARY);
	tap_result(twin >= 0 && drmGetNodeTypeFromFd(twin) == DRM_NODE_PRIMARY,
		   "drmOpenWithType finds it");
	close(twin);
	close(card);
}

/* Copies of the descriptor, and those that other programs inherit, are of the node. */
static void test_descriptors(void)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 100), dir = open("/dev", O_PATH | O_DIRECTORY);
	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };
	int second = openat(dir, NODE, O_RDWR | O_CLOEXEC);
	uint32_t handle, other;
	pid_t pid;
	int status;

	expect(call(copy, _IOC_NR(DRM_IOCTL_GET_CAP), sizeof(cap), &cap), 0, "a copy");
	close(copy);
	drmSyncobjCreate(fd, 0, &handle);
	drmSyncobjCreate(second, 0, &other);
	tap_result(second >= 0 && other == 1, "a second file has handles of its own");
	drmSyncobjDestroy(fd, handle);
	close(second);
	close(dir);
	pid = fork();
	if (!pid)
		_exit(call(fd, _IOC_NR(DRM_IOCTL_GET_CAP), sizeof(cap), &cap) ? 1 : 0);
	waitpid(pid, &status, 0);
	expect(status, 0, "a child's descriptor");
}

/* More files than any table of fixed size has, one after the other and at once. */
#define MANY		300

static bool is_panfrost(int file)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };

	return file >= 0 && !call(file, _IOC_NR(DRM_IOCTL_GET_CAP), sizeof(cap), &cap);
}

static int open_and_close(void)
{
	int i, file, copy;

	for (i = 0; i < MANY; i++) {
		file = open(NODE, O_RDWR | O_CLOEXEC);
		copy = dup(file);
		close(file);
		if (!is_panfrost(copy))
			break;
		close(copy);
	}
	return i;
}

static void *many_thread(void *n)
{
	*(int *)n = open_and_close();
	return NULL;
}

static void test_many_files(void)
{
	int files[MANY], n[2] = { 0, 0 }, i, status = -1;
	pthread_t threads[2];
	pid_t pid;

	expect(open_and_close(), MANY, "files one after the other");
	for (i = 0; i < MANY; i++) {
		files[i] = open(NODE, O_RDWR | O_CLOEXEC);
		if (!is_panfrost(files[i]))
			break;
	}
	expect(i, MANY, "files at once");
	while (i--)
		close(files[i]);
	pthread_create(&threads[0], NULL, many_thread, &n[0]);
	pthread_create(&threads[1], NULL, many_thread, &n[1]);
	pid = fork();
	if (!pid)
		_exit(open_and_close() != MANY);
	waitpid(pid, &status, 0);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	tap_result(n[0] == MANY && n[1] == MANY, "files of threads");
	expect(status, 0, "files of a child beside");
}

/* Threads and children that have inherited a file get the answers to their own calls. */
#define CALLS		400

static uint64_t ask_param(int file, uint32_t which)
{
	struct drm_panfrost_get_param arg = { .param = which };
	int ret = call(file, _IOC_NR(DRM_IOCTL_PANFROST_GET_PARAM), sizeof(arg), &arg);

	return ret ? ~0ULL : arg.value;
}

static void *ask_thread(void *which)
{
	uint32_t param = (uintptr_t)which;
	uint64_t want = ask_param(fd, param);
	uintptr_t wrong = 0;
	int i;

	for (i = 0; i < CALLS; i++)
		wrong += ask_param(fd, param) != want || want == ~0ULL;
	return (void *)wrong;
}

/* Return: number of wrong answers. */
static unsigned int ask_by_threads(void)
{
	static const uint32_t params[] = { DRM_PANFROST_PARAM_GPU_PROD_ID,
					   DRM_PANFROST_PARAM_TEXTURE_FEATURES0 };
	pthread_t threads[2];
	void *wrong[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, ask_thread, (void *)(uintptr_t)params[i]);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], &wrong[i]);
	return (uintptr_t)wrong[0] + (uintptr_t)wrong[1];
}

static void test_inherited(void)
{
	int status = 0, one, i;
	unsigned int wrong;
	pid_t pids[3];

	for (i = 0; i < 3; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(ask_by_threads() != 0);
	}
	wrong = ask_by_threads();
	for (i = 0; i < 3; i++) {
		waitpid(pids[i], &one, 0);
		status |= one;
	}
	expect(wrong, 0, "answers beside children");
	expect(status, 0, "answers of children");
}

/* ---- objects ---- */

static uint32_t new_sync(int file, uint32_t flags)
{
	uint32_t handle = 0;

	drmSyncobjCreate(file, flags, &handle);
	return handle;
}

/* A buffer with a job that writes zeros to its word 64, of both architectures. */
struct chain {
	struct drm_panfrost_create_bo bo;
	uint32_t *words;
};

static struct chain new_chain(void)
{
	struct chain c = { .bo.size = 4096 };
	struct drm_panfrost_mmap_bo map = {};

	CALL(DRM_IOCTL_PANFROST_CREATE_BO, &c.bo);
	map.handle = c.bo.handle;
	CALL(DRM_IOCTL_PANFROST_MMAP_BO, &map);
	c.words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map.offset);
	c.words[4] = 1 | 2 << 1 | 1 << 16;
	c.words[8] = c.bo.offset + 256;
	c.words[10] = 3;
	c.words[64] = 7;
	c.words[65] = 7;
	return c;
}

static void free_chain(struct chain *c)
{
	munmap(c->words, 4096);
	drmCloseBufferHandle(fd, c->bo.handle);
}

static int submit_chain(const struct chain *c, uint32_t requirements, uint32_t context)
{
	struct {
		struct drm_panfrost_submit s;
		uint32_t more[2];
	} submit = {
		.s.jc = c->bo.offset,
		.s.bo_handles = (uintptr_t)&c->bo.handle,
		.s.bo_handle_count = 1,
		.s.requirements = requirements,
		.more = { context },
	};

	return call(fd, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), 48, &submit);
}

static int wait_bo(uint32_t handle)
{
	struct drm_panfrost_wait_bo wait = { .handle = handle, .timeout_ns = INT64_MAX };

	return CALL(DRM_IOCTL_PANFROST_WAIT_BO, &wait);
}

/* ---- sizes of arguments ---- */

static void size_result(bool ok, const char *name, void *data)
{
	tap_result(ok, "sizes of %s", name);
}

/* Calls that newer kernels than those of test_panfrost have. */
static void test_new_sizes(uint32_t sync, uint32_t timeline, uint32_t jc)
{
	int event = eventfd(0, EFD_CLOEXEC);
	const uint32_t *at = &sync;
	const struct pan_sized table[] = {
		{ .name = "SYNCOBJ_WAIT with a deadline", .nr = _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT),
		  .size = 40, .arg = { PAN_LOW(at), PAN_HIGH(at), 0, 0, 1, 1 | 1 << 3 } },
		{ .name = "SYNCOBJ_HANDLE_TO_FD with a point",
		  .nr = _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD), .size = 24,
		  .arg = { timeline, 3, 0, 0, 0 }, .to = 3 },
		{ .name = "SYNCOBJ_EVENTFD", .nr = SYNCOBJ_EVENTFD,
		  .size = sizeof(struct eventfd_args), .arg = { sync, 0, 0, 0, event } },
		{ .name = "SET_CLIENT_NAME", .nr = SET_CLIENT_NAME, .size = 16 },
		{ .name = "SUBMIT with a context", .nr = _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT),
		  .size = 48, .arg = { [0] = jc, [10] = 9 }, .want = -EINVAL },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		size_result(pan_try_sizes(fd, &table[i]), table[i].name, NULL);
	close(event);
}

static void test_sizes(void)
{
	struct pan_objects o = { .sync = new_sync(fd, DRM_SYNCOBJ_CREATE_SIGNALED),
				 .timeline = new_sync(fd, 0) };
	struct chain c = new_chain();

	o.bo = c.bo.handle;
	o.va = c.bo.offset;
	drmPrimeHandleToFD(fd, o.bo, DRM_CLOEXEC, &o.bo_fd);
	drmSyncobjHandleToFD(fd, o.sync, &o.sync_fd);
	pan_all_sizes(fd, &o, size_result, NULL);
	test_new_sizes(o.sync, o.timeline, o.va);
	drmSyncobjDestroy(fd, o.sync);
	drmSyncobjDestroy(fd, o.timeline);
	close(o.bo_fd);
	close(o.sync_fd);
	free_chain(&c);
}

/* Submits that fail; the closing line of "vshader gl" counts them. */
static void test_rejected(void)
{
	struct drm_panfrost_submit submit = {};
	struct chain c = new_chain();

	expect(call(fd, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), 0, &submit), -EINVAL,
	       "SUBMIT without an argument");
	expect(submit_chain(&c, 4, 0), -EINVAL, "an unknown requirement");
	expect(submit_chain(&c, 0, 33), -EINVAL, "a job of no context");
	expect(submit_chain(&c, 0, 0), 0, "a job");
	expect(wait_bo(c.bo.handle), 0, "its end");
	c.bo.handle = 999;
	expect(submit_chain(&c, 0, 0), -ENOENT, "of no buffer");
}

/* SUBMIT of Mesa 26 has 48 bytes. */
static void test_submit_sizes(void)
{
	struct {
		struct drm_panfrost_submit s;
		uint32_t more[8];
	} submit = {};
	struct chain c = new_chain();

	submit.s.jc = c.bo.offset;
	submit.s.bo_handles = (uintptr_t)&c.bo.handle;
	submit.s.bo_handle_count = 1;
	expect(call(fd, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), 48, &submit), 0,
	       "SUBMIT with 48 bytes");
	expect(wait_bo(c.bo.handle), 0, "its end");
	if (!tap_result(!c.words[64] && c.words[65] == 7 && c.words[0] == 1,
			"the job was executed"))
		tap_comment("status 0x%x, value 0x%x 0x%x", c.words[0], c.words[64], c.words[65]);
	/* without the buffers: they are not waited for */
	expect(call(fd, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), 24, &submit), 0,
	       "SUBMIT with 24 bytes");
	free_chain(&c);
}

/* ---- versions 1.3 to 1.6 ---- */

static int param(uint32_t which, uint64_t *value)
{
	struct drm_panfrost_get_param arg = { .param = which };
	int ret = CALL(DRM_IOCTL_PANFROST_GET_PARAM, &arg);

	*value = arg.value;
	return ret;
}

/* The parameter's clock and the jobs' are one; without the requirement there is none. */
static void test_timestamps(void)
{
	uint64_t frequency, before, after, stamp;
	struct chain c = new_chain();

	expect(param(PARAM_FREQUENCY, &frequency), 0, "frequency of the clock");
	tap_result(frequency == SECOND, "is 1 GHz");
	c.words[10] = 2;	/* a time stamp */
	expect(param(PARAM_TIMESTAMP, &before), 0, "time");
	expect(submit_chain(&c, CYCLE_COUNT, 0), 0, "a job with the clock");
	expect(wait_bo(c.bo.handle), 0, "its end");
	expect(param(PARAM_TIMESTAMP, &after), 0, "time after it");
	memcpy(&stamp, c.words + 64, sizeof(stamp));
	if (!tap_result(before <= stamp && stamp <= after, "the job's time is between"))
		tap_comment("%llu, %llu, %llu", (unsigned long long)before,
			    (unsigned long long)stamp, (unsigned long long)after);
	expect(submit_chain(&c, 0, 0), 0, "a job without");
	expect(wait_bo(c.bo.handle), 0, "its end");
	memcpy(&stamp, c.words + 64, sizeof(stamp));
	tap_result(stamp == 1, "counts jobs");
	free_chain(&c);
}

static void test_labels(void)
{
	struct { uint32_t handle, pad; uint64_t label; } arg;
	struct drm_panfrost_create_bo bo = { .size = 4096 };
	static char text[4200];

	CALL(DRM_IOCTL_PANFROST_CREATE_BO, &bo);
	memset(text, 'x', 4095);
	arg.handle = bo.handle;
	arg.pad = 0;
	arg.label = (uintptr_t)text;
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), 0, "a label of 4095 bytes");
	text[4095] = 'x';
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), -E2BIG, "a longer one");
	arg.label = 16;
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), -EFAULT, "one that is nowhere");
	arg.label = 0;
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), 0, "no label any more");
	arg.pad = 1;
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), -EINVAL, "padding");
	arg.pad = 0;
	arg.handle = 999;
	arg.label = 16;
	expect(call(fd, PAN_NR_SET_LABEL_BO, 16, &arg), -ENOENT, "of no buffer");
	drmCloseBufferHandle(fd, bo.handle);
}

static int destroy_context(uint32_t handle)
{
	uint32_t arg[2] = { handle, 0 };

	return call(fd, PAN_NR_JM_CTX_DESTROY, sizeof(arg), arg);
}

static void destroy_contexts(void)
{
	uint32_t i;

	for (i = 1; i <= 64; i++)
		destroy_context(i);
}

/* Jobs of a second context; the buffer orders them after those of the first. */
static void test_contexts(void)
{
	uint32_t create[2] = { 0, 0 }, last[2] = { 0, 3 };
	struct chain c = new_chain();
	uint64_t allowed;
	int i, ret;

	expect(param(PARAM_PRIORITIES, &allowed), 0, "priorities");
	tap_result((allowed & 3) == 3, "low and medium are allowed");
	expect(call(fd, PAN_NR_JM_CTX_CREATE, 8, last), -EINVAL, "an unknown priority");
	last[1] = 2;
	ret = call(fd, PAN_NR_JM_CTX_CREATE, 8, last);
	expect(ret, allowed & 4 ? 0 : -EACCES, "high priority as the parameter says");
	if (!ret)
		destroy_context(last[0]);
	expect(call(fd, PAN_NR_JM_CTX_CREATE, 8, create), 0, "a context of low priority");
	tap_result(create[0], "handle %u", create[0]);
	expect(submit_chain(&c, 0, 0), 0, "a job of the file's own");
	expect(submit_chain(&c, 0, create[0]), 0, "a job of the new one");
	expect(wait_bo(c.bo.handle), 0, "their end");
	tap_result(!c.words[64], "was executed");
	expect(destroy_context(create[0]), 0, "destroy");
	expect(destroy_context(create[0]), -EINVAL, "destroy twice");
	expect(destroy_context(0), -EINVAL, "destroy the file's own");
	for (i = 0; i < 64; i++) {
		create[1] = 1;
		if (call(fd, PAN_NR_JM_CTX_CREATE, 8, create))
			break;
	}
	expect(i, 64, "64 contexts");
	expect(call(fd, PAN_NR_JM_CTX_CREATE, 8, create), -EBUSY, "no more");
	destroy_contexts();
	free_chain(&c);
}

static void test_coherency(void)
{
	struct { uint64_t ops; uint32_t n, pad; } sync = {};
	uint32_t op[4] = { 0, 0, 100, 3996 }, info[4] = {};
	struct drm_panfrost_create_bo bo = { .size = 4096, .flags = PANFROST_BO_NOEXEC | WB_MMAP };
	struct drm_panfrost_create_bo heap = { .size = 4096, .flags = 3 | WB_MMAP };
	uint64_t value;

	expect(param(PARAM_COHERENCY, &value), 0, "coherency");
	tap_result(!value, "is ACE-Lite");
	expect(param(PARAM_COHERENCY + 1, &value), -EINVAL, "no further parameter");
	expect(CALL(DRM_IOCTL_PANFROST_CREATE_BO, &bo), 0, "a buffer to be mapped cached");
	expect(CALL(DRM_IOCTL_PANFROST_CREATE_BO, &heap), -EINVAL, "no such heap");
	info[0] = bo.handle;
	expect(call(fd, PAN_NR_QUERY_BO_INFO, 16, info), 0, "QUERY_BO_INFO");
	tap_result(!info[1] && info[2] == (PANFROST_BO_NOEXEC | WB_MMAP), "its flags");
	info[0] = 999;
	expect(call(fd, PAN_NR_QUERY_BO_INFO, 16, info), -ENOENT, "of no buffer");
	op[0] = bo.handle;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), 0, "SYNC_BO of nothing");
	sync.ops = (uintptr_t)op;
	sync.n = 1;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), 0, "SYNC_BO");
	op[3]++;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), -EINVAL, "beyond the end");
	op[3]--;
	op[1] = 2;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), -EINVAL, "of an unknown type");
	op[0] = 999;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), -ENOENT, "SYNC_BO of no buffer");
	sync.pad = 1;
	expect(call(fd, PAN_NR_SYNC_BO, 16, &sync), -EINVAL, "with padding");
	drmCloseBufferHandle(fd, bo.handle);
}

/* ---- syncobjs ---- */

static int wait_points(uint32_t *handles, uint64_t *points, unsigned int n, int64_t until,
		       uint32_t flags)
{
	return drmSyncobjTimelineWait(fd, handles, points, n, until, flags, NULL);
}

static void test_binary(void)
{
	uint32_t h[2] = { new_sync(fd, 0), new_sync(fd, DRM_SYNCOBJ_CREATE_SIGNALED) };
	uint32_t first = 9, none = 999;

	expect(drmSyncobjWait(fd, h, 1, 0, 0, NULL), -EINVAL, "no fence");
	expect(drmSyncobjWait(fd, h, 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL), -ETIME,
	       "no fence, for submit");
	expect(drmSyncobjWait(fd, h, 2, now() + SECOND, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
			      &first), 0, "any of two");
	expect(first, 1, "the second");
	expect(drmSyncobjWait(fd, h, 2, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
			      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL), -ETIME, "all of two");
	expect(DRM(drmSyncobjSignal(fd, h, 1)), 0, "signal");
	expect(drmSyncobjWait(fd, h, 2, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, NULL), 0,
	       "all of two, signalled");
	expect(DRM(drmSyncobjReset(fd, h, 1)), 0, "reset");
	expect(drmSyncobjWait(fd, h, 1, 0, 0, NULL), -EINVAL, "has no fence any more");
	expect(drmSyncobjWait(fd, &none, 1, 0, 0, NULL), -ENOENT, "wait for no syncobj");
	expect(DRM(drmSyncobjReset(fd, &none, 1)), -ENOENT, "reset of no syncobj");
	expect(DRM(drmSyncobjSignal(fd, h, 0)), -EINVAL, "signal of none");
	expect(drmSyncobjWait(fd, h, 1, 0, 1 << 8, NULL), -EINVAL, "unknown flag");
	expect(DRM(drmSyncobjDestroy(fd, h[0])), 0, "destroy");
	expect(DRM(drmSyncobjDestroy(fd, h[0])), -EINVAL, "destroy twice");
	drmSyncobjDestroy(fd, h[1]);
}

static void test_timeline(void)
{
	uint32_t t = new_sync(fd, 0), b = new_sync(fd, 0);
	uint64_t at[] = { 3, 5, 7, 4 }, value = 99;

	expect(drmSyncobjTimelineSignal(fd, &t, &at[1], 1), 0, "signal of point 5");
	expect(drmSyncobjQuery(fd, &t, &value, 1), 0, "query");
	expect(value, 5, "is at 5");
	expect(wait_points(&t, &at[0], 1, 0, 0), 0, "point 3 is reached");
	expect(wait_points(&t, &at[2], 1, 0, 0), -EINVAL, "point 7 has no fence");
	expect(wait_points(&t, &at[2], 1, now() + 1000000,
			   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT), -ETIME, "point 7, for submit");
	expect(wait_points(&t, &at[2], 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE), -ETIME,
	       "point 7, available");
	expect(wait_points(&t, &at[1], 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE), 0,
	       "point 5, available");
	expect(drmSyncobjTimelineSignal(fd, &t, &at[3], 1), 0, "signal of point 4, too late");
	drmSyncobjQuery(fd, &t, &value, 1);
	expect(value, 5, "stays at 5");
	expect(DRM(drmSyncobjTransfer(fd, b, 0, t, 5, 0)), 0, "transfer to a binary one");
	expect(drmSyncobjWait(fd, &b, 1, 0, 0, NULL), 0, "which has signalled");
	expect(DRM(drmSyncobjTransfer(fd, t, 8, b, 0, 0)), 0, "transfer to point 8");
	expect(drmSyncobjQuery2(fd, &t, &value, 1, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 0,
	       "query of the last one");
	expect(value, 8, "is 8");
	expect(DRM(drmSyncobjTransfer(fd, b, 0, t, 9, 0)), -EINVAL, "transfer of no fence");
	expect(DRM(drmSyncobjTransfer(fd, 999, 0, t, 8, 0)), -ENOENT, "transfer to no syncobj");
	drmSyncobjDestroy(fd, t);
	drmSyncobjDestroy(fd, b);
}

/* ---- descriptors ---- */

static int poll_in(int file, int ms)
{
	struct pollfd p = { .fd = file, .events = POLLIN };

	return poll(&p, 1, ms) == 1 && p.revents & POLLIN;
}

static void *signal_later(void *p)
{
	const struct timespec pause = { 0, 20000000 };
	uint64_t point = 2;

	nanosleep(&pause, NULL);
	drmSyncobjTimelineSignal(fd, p, &point, 1);
	return NULL;
}

static void test_sync_files(void)
{
	uint32_t s = new_sync(fd, DRM_SYNCOBJ_CREATE_SIGNALED), t = new_sync(fd, 0);
	struct timeline_handle file = { .handle = t, .flags = 3, .point = 2 };
	uint64_t point = 2;
	pthread_t thread;
	int e, other;

	expect(DRM(drmSyncobjExportSyncFile(fd, t, &e)), -EINVAL, "sync file of no fence");
	expect(DRM(drmSyncobjExportSyncFile(fd, s, &e)), 0, "sync file");
	tap_result(poll_in(e, 60000), "has signalled");
	expect(DRM(drmSyncobjImportSyncFile(fd, t, e)), 0, "into a syncobj");
	expect(drmSyncobjWait(fd, &t, 1, 0, 0, NULL), 0, "which has signalled");
	close(e);
	other = open("/dev/null", O_RDONLY);
	expect(DRM(drmSyncobjImportSyncFile(fd, t, other)), -EINVAL, "not a sync file");
	close(other);
	expect(DRM(drmSyncobjImportSyncFile(fd, t, other)), -EINVAL, "a closed descriptor");
	drmSyncobjReset(fd, &t, 1);

	pthread_create(&thread, NULL, signal_later, &t);
	expect(wait_points(&t, &point, 1, now() + 60 * SECOND,
			   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT), 0, "signalled by a thread");
	pthread_join(thread, NULL);
	expect(call(fd, _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD), 24, &file), 0,
	       "sync file of a point");
	tap_result(poll_in(file.fd, 60000), "has signalled");
	close(file.fd);
	drmSyncobjDestroy(fd, s);
	drmSyncobjDestroy(fd, t);
}

/* Who knows that a job has ended finds its sync file signalled, too. */
static void test_sync_file_order(void)
{
	uint32_t sync = new_sync(fd, 0);
	struct chain c = new_chain();
	struct drm_panfrost_submit last = {
		.jc = c.bo.offset, .bo_handles = (uintptr_t)&c.bo.handle, .bo_handle_count = 1,
		.out_sync = sync,
	};
	const char *rounds = getenv("SYNC_FILES");
	int file, i, k, late = 0, wrong = 0, n = rounds ? atoi(rounds) : 600;

	for (i = 0; i < n; i++) {
		/* it is exported before it has ended */
		for (k = 0; k < 30; k++)
			wrong += submit_chain(&c, 0, 0) != 0;
		wrong += CALL(DRM_IOCTL_PANFROST_SUBMIT, &last) != 0;
		wrong += DRM(drmSyncobjExportSyncFile(fd, sync, &file)) != 0;
		wrong += (i & 1 ? wait_bo(c.bo.handle) :
			  drmSyncobjWait(fd, &sync, 1, INT64_MAX, 0, NULL)) != 0;
		late += !poll_in(file, 0);
		close(file);
	}
	tap_result(n > 0 && !wrong && !late,
		   "%d sync files of jobs that have ended: %d wrong, %d late", n, wrong, late);
	free_chain(&c);
	drmSyncobjDestroy(fd, sync);
}

static int file_info(int file, struct sync_file_info *info, struct sync_fence_info *fence)
{
	memset(info, 0, sizeof(*info));
	info->num_fences = !!fence;
	info->sync_fence_info = (uintptr_t)fence;
	return ioctl(file, SYNC_IOC_FILE_INFO, info) ? -errno : 0;
}

/* Two fences, of which the second signals later; Mesa and Vulkan's loader merge them. */
static void test_merge(void)
{
	struct sync_merge_data merge = { .name = "both" };
	uint32_t t = new_sync(fd, 0), b = new_sync(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
	struct sync_fence_info fence = {};
	struct sync_file_info info;
	int64_t from = now();
	int first, second, gate;

	drmSyncobjExportSyncFile(fd, b, &first);
	expect(file_info(first, &info, &fence), 0, "SYNC_IOC_FILE_INFO");
	tap_result(info.status == 1 && info.num_fences == 1 && fence.status == 1,
		   "has signalled");
	tap_result(fence.timestamp_ns && (int64_t)fence.timestamp_ns <= now(), "before now");
	/* a fence that signals when this process writes */
	gate = eventfd(0, EFD_CLOEXEC);
	expect(DRM(drmSyncobjImportSyncFile(fd, t, gate)), -EINVAL, "an eventfd is no sync file");
	merge.fd2 = gate;
	expect(ioctl(first, SYNC_IOC_MERGE, &merge) ? -errno : 0, -ENOENT, "nor to merge with");
	/* the mark of those of "vshader gl" */
	fcntl(gate, F_SETSIG, 30);
	expect(DRM(drmSyncobjImportSyncFile(fd, t, gate)), 0, "a fence that waits");
	drmSyncobjExportSyncFile(fd, t, &second);
	merge.fd2 = second;
	expect(ioctl(first, SYNC_IOC_MERGE, &merge) ? -errno : 0, 0, "SYNC_IOC_MERGE");
	expect(file_info(merge.fence, &info, NULL), 0, "of the merged one");
	tap_result(!info.status && !poll_in(merge.fence, 20), "which has not signalled");
	eventfd_write(gate, 1);
	tap_result(poll_in(merge.fence, 60000), "and does with the second");
	expect(file_info(merge.fence, &info, &fence), 0, "its information");
	tap_result(info.status == 1 && (int64_t)fence.timestamp_ns >= from, "has the time");
	merge.flags = 1;
	expect(ioctl(first, SYNC_IOC_MERGE, &merge) ? -errno : 0, -EINVAL, "unknown flags");
	merge.flags = 0;
	merge.fd2 = fd;
	expect(ioctl(first, SYNC_IOC_MERGE, &merge) ? -errno : 0, -ENOENT, "not with a node");
	close(merge.fence);
	close(first);
	close(gate);
	close(second);
	drmSyncobjDestroy(fd, t);
	drmSyncobjDestroy(fd, b);
}

static void test_eventfd(void)
{
	uint32_t t = new_sync(fd, 0);
	struct eventfd_args args = { .handle = t, .point = 2 };
	uint64_t point = 2;

	args.fd = eventfd(0, EFD_CLOEXEC);
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), 0, "eventfd without a fence");
	tap_result(!poll_in(args.fd, 10), "not signalled");
	drmSyncobjTimelineSignal(fd, &t, &point, 1);
	tap_result(poll_in(args.fd, 60000), "signalled");
	args.handle = 999;
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), -ENOENT, "of no syncobj");
	close(args.fd);
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), -ENOENT,
	       "of no syncobj with a closed descriptor");
	args.handle = t;
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), -EBADF, "a closed descriptor");
	args.pad = 1;
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), -EINVAL, "with padding");
	args.pad = 0;
	args.fd = open("/dev/null", O_WRONLY);
	expect(call(fd, SYNCOBJ_EVENTFD, sizeof(args), &args), -EINVAL, "not an eventfd");
	close(args.fd);
	drmSyncobjDestroy(fd, t);
}

/* Another process with the files of this one. Return: its status. */
static int other_process(int sync_fd, int bo_fd)
{
	int own = open(NODE, O_RDWR | O_CLOEXEC);
	uint32_t sync, bo, again;
	uint64_t point = 1;
	uint32_t *words;

	if (own < 0 || drmSyncobjFDToHandle(own, sync_fd, &sync) ||
	    drmPrimeFDToHandle(own, bo_fd, &bo) || drmPrimeFDToHandle(own, bo_fd, &again) ||
	    bo != again)
		return 1;
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, bo_fd, 0);
	if (words == MAP_FAILED || words[0] != 0x1234)
		return 2;
	words[1] = 0x5678;
	return drmSyncobjTimelineSignal(own, &sync, &point, 1) ? 3 : 0;
}

static void test_sharing(void)
{
	struct drm_panfrost_create_bo bo = { .size = 4096 };
	struct drm_panfrost_mmap_bo map = {};
	uint32_t t = new_sync(fd, 0);
	uint64_t point = 1;
	int status, sync_fd, bo_fd;
	uint32_t *words, own = 0;
	pid_t pid;

	CALL(DRM_IOCTL_PANFROST_CREATE_BO, &bo);
	map.handle = bo.handle;
	CALL(DRM_IOCTL_PANFROST_MMAP_BO, &map);
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map.offset);
	words[0] = 0x1234;
	expect(drmSyncobjHandleToFD(fd, t, &sync_fd), 0, "descriptor of a syncobj");
	expect(drmPrimeHandleToFD(fd, bo.handle, DRM_CLOEXEC | DRM_RDWR, &bo_fd), 0,
	       "descriptor of a buffer");
	tap_result(fcntl(bo_fd, F_GETFD) & FD_CLOEXEC, "is closed by exec");
	expect(DRM(drmPrimeFDToHandle(fd, bo_fd, &own)), 0, "back in its own file");
	expect(own, bo.handle, "is the same handle");
	expect(DRM(drmSyncobjFDToHandle(fd, bo_fd, &own)), -EINVAL, "a buffer is no syncobj");
	expect(DRM(drmPrimeFDToHandle(fd, sync_fd, &own)), -EINVAL, "a syncobj is no buffer");
	pid = fork();
	if (!pid)
		_exit(other_process(sync_fd, bo_fd));
	expect(wait_points(&t, &point, 1, now() + 60 * SECOND,
			   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT), 0, "signalled by a process");
	expect(words[1], 0x5678, "which has written");
	waitpid(pid, &status, 0);
	expect(status, 0, "and ended well");
	close(sync_fd);
	close(bo_fd);
	munmap(words, 4096);
	drmSyncobjDestroy(fd, t);
	drmCloseBufferHandle(fd, bo.handle);
}

/* ---- memory that may be dropped ---- */

/* Return: whether the memory was kept, or an error. */
static int keep_memory(int file, uint32_t handle, uint32_t madv)
{
	struct drm_panfrost_madvise arg = { .handle = handle, .madv = madv, .retained = 9 };
	int ret = call(file, _IOC_NR(DRM_IOCTL_PANFROST_MADVISE), sizeof(arg), &arg);

	return ret ? ret : (int)arg.retained;
}

static uint32_t new_handle(int file)
{
	struct drm_panfrost_create_bo bo = { .size = 4096 };

	return call(file, _IOC_NR(DRM_IOCTL_PANFROST_CREATE_BO), sizeof(bo), &bo) ? 0 : bo.handle;
}

/* MADVISE succeeds while the handle exists, whichever process has created or closed it. */
static void test_madvise(void)
{
	uint32_t mine = new_handle(fd), theirs = mine + 1, last = 0;
	int second = open(NODE, O_RDWR | O_CLOEXEC), files[20], memory, status, i;
	pid_t pid;

	expect(keep_memory(fd, mine, PANFROST_MADV_DONTNEED), 1, "memory that may be dropped");
	expect(keep_memory(fd, mine, PANFROST_MADV_WILLNEED), 1, "is still there");
	expect(keep_memory(fd, 0, PANFROST_MADV_DONTNEED), -ENOENT, "no buffer");
	expect(keep_memory(fd, theirs, PANFROST_MADV_DONTNEED), -ENOENT, "of a later handle");
	expect(keep_memory(fd, ~0U, PANFROST_MADV_DONTNEED), -ENOENT, "of no handle");
	expect(keep_memory(second, mine, PANFROST_MADV_DONTNEED), -ENOENT, "of another file");
	pid = fork();
	if (!pid)
		_exit(drmCloseBufferHandle(fd, mine) || new_handle(fd) != mine ||
		      new_handle(fd) != theirs || drmCloseBufferHandle(fd, mine) ||
		      keep_memory(fd, mine, 0) != -ENOENT || keep_memory(fd, theirs, 0) != 1);
	waitpid(pid, &status, 0);
	expect(status, 0, "a child closes one and makes another one");
	expect(keep_memory(fd, mine, PANFROST_MADV_WILLNEED), -ENOENT, "which is gone here, too");
	expect(keep_memory(fd, theirs, PANFROST_MADV_WILLNEED), 1, "and the other one there");
	memory = -1;
	drmPrimeHandleToFD(fd, theirs, DRM_CLOEXEC, &memory);
	expect(drmPrimeFDToHandle(second, memory, &last), 0, "imported by the other file");
	expect(keep_memory(second, last, PANFROST_MADV_DONTNEED), -EINVAL, "which has it, too");
	close(memory);
	for (i = 0; i < 20; i++)
		files[i] = open(NODE, O_RDWR | O_CLOEXEC);
	expect(keep_memory(fd, theirs, PANFROST_MADV_WILLNEED), 1, "after many other files");
	expect(keep_memory(second, last, PANFROST_MADV_WILLNEED), 1, "and of the second one");
	expect(keep_memory(files[19], theirs, PANFROST_MADV_DONTNEED), -ENOENT, "not of the last");
	while (i--)
		close(files[i]);
	close(second);
	drmCloseBufferHandle(fd, theirs);
	expect(keep_memory(fd, theirs, PANFROST_MADV_DONTNEED), -ENOENT, "of a closed one");
}

/* Jobs that write a word each, the last one word 64. @va: of the page in the jobs' file */
static void make_long(uint32_t *words, uint64_t va)
{
	uint32_t *job = words, i, n = 56;

	for (i = 1; i <= n; i++, job = words + 128 + 16 * (i - 2)) {
		const uint64_t at[2] = { i < n ? va + 448 + 64 * i : 0, va + 256 + 8 * (i < n) };

		job[4] = 1 | 2 << 1 | i << 16;
		job[5] = i - 1;
		memcpy(job + 6, at, sizeof(at));	/* the next one, and the word */
		job[10] = 3;
	}
}

/* Jobs of a file, one after the other. Return: how many had not written when the wait was over. */
static int wait_often(int file, struct chain *c, uint32_t handle, uint64_t jc)
{
	struct drm_panfrost_submit submit = { .jc = jc, .bo_handles = (uintptr_t)&handle,
					      .bo_handle_count = 1 };
	int early = 0, i;

	make_long(c->words, jc);
	for (i = 0; i < 200; i++) {
		c->words[64] = 7;
		early += call(file, _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT), sizeof(submit), &submit) ||
			 wait_bo(c->bo.handle) || c->words[64];
	}
	return early;
}

/* WAIT_BO waits for jobs of all files. Of a file that is new the library has the tables. */
static void test_wait(void)
{
	struct drm_panfrost_create_bo heap = { .size = 4096, .flags = 3 };
	int second = open(NODE, O_RDWR | O_CLOEXEC), memory = -1, first = fd;
	struct drm_panfrost_get_bo_offset at = {};
	struct drm_panfrost_wait_bo wait = {};
	struct chain c;

	fd = open(NODE, O_RDWR | O_CLOEXEC);
	wait.handle = new_handle(fd);
	c = new_chain();
	expect(wait_bo(wait.handle), 0, "wait for a buffer without jobs");
	expect(wait_often(fd, &c, c.bo.handle, c.bo.offset), 0, "jobs have written");
	expect(CALL(DRM_IOCTL_PANFROST_WAIT_BO, &wait), 0, "a buffer without jobs after them");
	wait.pad = 1;
	expect(CALL(DRM_IOCTL_PANFROST_WAIT_BO, &wait), -EINVAL, "with a pad that is not 0");
	drmCloseBufferHandle(fd, wait.handle);
	expect(wait_bo(wait.handle), -ENOENT, "a closed buffer");
	CALL(DRM_IOCTL_PANFROST_CREATE_BO, &heap);
	expect(CALL(DRM_IOCTL_PANFROST_MMAP_BO, &(struct drm_panfrost_mmap_bo){ heap.handle }),
	       -EINVAL, "a heap cannot be mapped");
	drmPrimeHandleToFD(fd, c.bo.handle, DRM_CLOEXEC | DRM_RDWR, &memory);
	expect(drmPrimeFDToHandle(second, memory, &at.handle), 0, "a buffer of two files");
	call(second, _IOC_NR(DRM_IOCTL_PANFROST_GET_BO_OFFSET), sizeof(at), &at);
	expect(wait_often(second, &c, at.handle, at.offset), 0, "jobs of the other have written");
	close(memory);
	close(second);
	free_chain(&c);
	close(fd);
	fd = first;
}

/* Which of several errors of a job is reported. */
static void test_order(void)
{
	struct drm_panfrost_submit submit = { .jc = 64, .in_syncs = 16, .in_sync_count = ~0U };

	expect(CALL(DRM_IOCTL_PANFROST_SUBMIT, &submit), -E2BIG, "too many syncobjs");
	submit.out_sync = 999;
	expect(CALL(DRM_IOCTL_PANFROST_SUBMIT, &submit), -E2BIG, "before another one");
	submit.in_sync_count = 1;
	expect(CALL(DRM_IOCTL_PANFROST_SUBMIT, &submit), -ENODEV, "which is before their address");
	submit.out_sync = 0;
	expect(CALL(DRM_IOCTL_PANFROST_SUBMIT, &submit), -EFAULT, "syncobjs that are nowhere");
}

/* ---- what there is not ---- */

static void test_errors(void)
{
	struct { uint64_t len, name; } name = { 4, (uintptr_t)"mesa" };
	struct drm_gem_flink flink = { .handle = 1 };
	struct drm_get_cap cap = { .capability = DRM_CAP_DUMB_BUFFER };
	uint32_t arg[16] = {};

	expect(call(fd, GEM_FLINK, sizeof(flink), &flink), -EACCES, "FLINK");
	expect(call(fd, UNUSED_DRIVER, 16, arg), -EINVAL, "an unknown ioctl of the driver");
	expect(call(fd, UNUSED_CORE, 16, arg), -EINVAL, "an unknown ioctl of the core");
	expect(CALL(DRM_IOCTL_GET_CAP, &cap), -EOPNOTSUPP, "capability of displays");
	expect(call(fd, SET_CLIENT_NAME, sizeof(name), &name), 0, "SET_CLIENT_NAME");
	name.name = (uintptr_t)"a b\n";
	expect(call(fd, SET_CLIENT_NAME, sizeof(name), &name), -EINVAL, "a name with spaces");
	name.len = 65;
	expect(call(fd, SET_CLIENT_NAME, sizeof(name), &name), -EINVAL, "a long name");
	name.len = 4;
	name.name = 16;
	expect(call(fd, SET_CLIENT_NAME, sizeof(name), &name), -EFAULT, "a name that is nowhere");
}

/* A job whose header is of an unknown type, in a buffer with a label. */
static int fault(void)
{
	struct { uint32_t handle, pad; uint64_t label; } arg = {
		.label = (uintptr_t)"red\033[31m",
	};
	struct chain c = new_chain();

	arg.handle = c.bo.handle;
	c.words[4] = 1 | 99 << 1 | 1 << 16;
	return call(fd, PAN_NR_SET_LABEL_BO, 16, &arg) || submit_chain(&c, 0, 0) ||
	       wait_bo(c.bo.handle);
}

/* A job, then buffers until there is no descriptor for another one, nor for a file. */
static int hoard(void)
{
	struct drm_panfrost_create_bo bo = { .size = 4096 };
	struct chain c = new_chain();
	bool refused;

	if (submit_chain(&c, 0, 0) || wait_bo(c.bo.handle))
		return 2;
	while (!CALL(DRM_IOCTL_PANFROST_CREATE_BO, &bo))
		;
	refused = open(NODE, O_RDWR | O_CLOEXEC) < 0;
	/* a child that outlives this process, and the device, holds the buffers */
	if (!fork()) {
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		alarm(5);
		pause();
	}
	return !refused;
}

int main(int argc, char **argv)
{
	fd = open(NODE, O_RDWR | O_CLOEXEC);
	if (!tap_result(fd >= 0, "open"))
		return tap_done();
	if (argc > 1 && !strcmp(argv[1], "rejected")) {
		test_rejected();
		return tap_done();
	}
	/* among them arguments that SUBMIT cannot have */
	if (argc > 1 && !strcmp(argv[1], "sizes")) {
		test_sizes();
		test_order();
		return tap_done();
	}
	if (argc > 1)
		return strcmp(argv[1], "hoard") ? fault() : hoard();
	test_stat();
	test_sysfs();
	test_libdrm();
	test_card();
	test_descriptors();
	test_many_files();
	test_inherited();
	test_submit_sizes();
	test_timestamps();
	test_labels();
	test_contexts();
	test_coherency();
	test_binary();
	test_timeline();
	test_sync_files();
	test_sync_file_order();
	test_merge();
	test_eventfd();
	test_sharing();
	test_madvise();
	test_wait();
	test_errors();
	return tap_done();
}
