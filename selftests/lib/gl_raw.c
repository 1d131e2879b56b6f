// SPDX-License-Identifier: GPL-2.0
/*
 * A program that calls the kernel itself: what a preloaded library does not see. test_gl.sh runs it
 * under "vshader gl --system-calls", linked dynamically and statically. With "library" it calls
 * syscall(), which the preloaded library replaces.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <panfrost_drm.h>

#include "tap.h"

#define NODE		"/dev/dri/renderD128"
#define CARD		"/dev/dri/card0"
#define PAGE		4096
#define ROUNDS		200

static bool by_library;	/* which makes the calls */

/* Return: result, or a negative errno. */
static long own_call(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long ret;

	asm volatile("syscall" : "=a" (ret)
		     : "a" (nr), "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
		     : "rcx", "r11", "memory");
	return ret;
#else
	register long x8 asm("x8") = nr;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x4 asm("x4") = e;
	register long x5 asm("x5") = f;

	asm volatile("svc 0" : "+r" (x0)
		     : "r" (x8), "r" (x1), "r" (x2), "r" (x3), "r" (x4), "r" (x5) : "memory");
	return x0;
#endif
}

static long kernel(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;

	if (!by_library)
		return own_call(nr, a, b, c, d, e, f);
	ret = syscall(nr, a, b, c, d, e, f);
	return ret == -1 ? -errno : ret;
}

static int raw_open(const char *path)
{
	return kernel(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
}

static int raw_ioctl(int fd, unsigned long request, void *arg)
{
	return kernel(SYS_ioctl, fd, request, (long)arg, 0, 0, 0);
}

static void *raw_map(int fd, uint64_t at)
{
	return (void *)kernel(SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
}

static void expect(long got, long want, const char *what)
{
	if (!tap_result(got == want, "%s", what))
		tap_comment("%ld, expected %ld", got, want);
}

static bool is_node(long ret, const struct stat *st, unsigned int number)
{
	return !ret && S_ISCHR(st->st_mode) && st->st_rdev == makedev(226, number);
}

static void test_paths(int fd)
{
	char text[256] = "", name[16] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };
	int dir, card = raw_open(CARD);
	struct statx sx;
	struct stat st;
	long n;

	tap_result(is_node(kernel(SYS_newfstatat, AT_FDCWD, (long)NODE, (long)&st, 0, 0, 0), &st,
			   128), "stat");
	tap_result(is_node(kernel(SYS_fstat, fd, (long)&st, 0, 0, 0, 0), &st, 128), "fstat");
	tap_result(is_node(kernel(SYS_fstat, card, (long)&st, 0, 0, 0, 0), &st, 0),
		   "fstat of the primary node");
	expect(kernel(SYS_statx, AT_FDCWD, (long)NODE, 0, STATX_TYPE, (long)&sx, 0), 0, "statx");
	tap_result(S_ISCHR(sx.stx_mode) && sx.stx_rdev_minor == 128, "is the node's");
	expect(kernel(SYS_faccessat, AT_FDCWD, (long)NODE, R_OK | W_OK, 0, 0, 0), 0, "access");
	expect(kernel(SYS_faccessat, AT_FDCWD, (long)"/dev/dri/none", R_OK, 0, 0, 0), -ENOENT,
	       "access to no node");
	expect(raw_open("/dev/dri/none"), -ENOENT, "open of no node");
	n = kernel(SYS_readlinkat, AT_FDCWD, (long)"/sys/dev/char/226:128/device/subsystem",
		   (long)text, sizeof(text) - 1, 0, 0);
	tap_result(n > 0 && strstr(text, "/platform"), "readlink in sysfs");
	dir = kernel(SYS_openat, AT_FDCWD, (long)"/dev/dri", O_RDONLY | O_DIRECTORY, 0, 0, 0);
	n = kernel(SYS_openat, dir, (long)"renderD128", O_RDWR, 0, 0, 0);
	expect(raw_ioctl(n, DRM_IOCTL_VERSION, &v), 0, "a file by its folder");
	tap_result(!strcmp(name, "panfrost"), "is of the driver (%s)", name);
	close(n);
	close(dir);
	close(card);
	/* what is not the device's is the kernel's */
	tap_result(!kernel(SYS_newfstatat, AT_FDCWD, (long)"/dev/null", (long)&st, 0, 0, 0) &&
		   st.st_rdev == makedev(1, 3), "another file");
	expect(raw_ioctl(STDOUT_FILENO, DRM_IOCTL_VERSION, &v), -ENOTTY, "another file's ioctl");
}

static unsigned int alarms;

static void on_alarm(int number)
{
	__atomic_add_fetch(&alarms, 1, __ATOMIC_RELAXED);
}

/* Mappings beside a signal every millisecond. */
static void test_mappings(int fd)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { };
	struct drm_panfrost_create_bo bo = { .size = PAGE };
	struct drm_panfrost_mmap_bo map = { };
	uint32_t *first, *p = MAP_FAILED;
	int i;

	expect(raw_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &bo), 0, "a buffer");
	map.handle = bo.handle;
	expect(raw_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &map), 0, "its offset");
	first = raw_map(fd, map.offset);
	if (!tap_result((long)first > 0, "mapped"))
		return;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < ROUNDS; i++) {
		p = raw_map(fd, map.offset);
		if ((long)p < 0)
			break;
		*first = i;
		if (*p != (uint32_t)i)
			break;
		munmap(p, PAGE);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	expect(i, ROUNDS, "mapped often");
	if (i < ROUNDS)
		tap_comment("%p", (void *)p);
	tap_result(__atomic_load_n(&alarms, __ATOMIC_RELAXED), "beside signals");
	expect((long)raw_map(fd, 999 * PAGE), -EINVAL, "no such buffer");
	munmap(first, PAGE);
}

static void *signal_later(void *p)
{
	struct drm_syncobj_array array = { .count_handles = 1 };
	uint32_t *words = p;
	const struct timespec pause = { 0, 20000000 };

	nanosleep(&pause, NULL);
	array.handles = (uintptr_t)&words[1];
	raw_ioctl(words[0], DRM_IOCTL_SYNCOBJ_SIGNAL, &array);
	return NULL;
}

/* One thread waits, another one signals. */
static void test_threads(int fd)
{
	struct drm_syncobj_create sync = { };
	struct drm_syncobj_wait wait = {
		.timeout_nsec = INT64_MAX,
		.count_handles = 1,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};
	uint32_t words[2] = { fd };
	pthread_t thread;

	expect(raw_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &sync), 0, "a syncobj");
	words[1] = sync.handle;
	wait.handles = (uintptr_t)&words[1];
	pthread_create(&thread, NULL, signal_later, words);
	expect(raw_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0, "signalled by a thread");
	pthread_join(thread, NULL);
	wait.handles = 16;
	expect(raw_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), -EFAULT, "handles that are nowhere");
	expect(raw_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, (void *)16), -EFAULT,
	       "an argument that is nowhere");
}

/* A buffer goes to a child as a file. */
static void test_files(int fd)
{
	struct drm_panfrost_create_bo bo = { .size = PAGE };
	struct drm_panfrost_mmap_bo map = { };
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC | DRM_RDWR };
	int status = -1, own;
	uint32_t *words;
	pid_t pid;

	raw_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &bo);
	map.handle = bo.handle;
	raw_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &map);
	prime.handle = bo.handle;
	expect(raw_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0, "a buffer as a file");
	tap_result(fcntl(prime.fd, F_GETFD) == FD_CLOEXEC, "is closed by exec");
	words = raw_map(fd, map.offset);
	pid = fork();
	if (!pid) {
		own = raw_open(NODE);
		if (own < 0 || raw_ioctl(own, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime))
			_exit(1);
		map.handle = prime.handle;
		raw_ioctl(own, DRM_IOCTL_PANFROST_MMAP_BO, &map);
		words = raw_map(own, map.offset);
		if ((long)words < 0)
			_exit(2);
		*words = 0x1234;
		_exit(0);
	}
	waitpid(pid, &status, 0);
	expect(status, 0, "a child imports and writes it");
	tap_result((long)words > 0 && *words == 0x1234, "what it has written");
}

/* The same file by the C library and by the kernel. */
static void test_both(int fd)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };
	int other = open(NODE, O_RDWR | O_CLOEXEC);
	struct stat st;

	expect(ioctl(fd, DRM_IOCTL_GET_CAP, &cap), 0, "an ioctl of the C library");
	expect(raw_ioctl(other, DRM_IOCTL_GET_CAP, &cap), 0, "of a file that it has opened");
	tap_result(is_node(fstat(fd, &st), &st, 128) && is_node(fstat(other, &st), &st, 128) &&
		   is_node(kernel(SYS_fstat, other, (long)&st, 0, 0, 0, 0), &st, 128),
		   "fstat of both");
	close(other);
}

/* Tables of handles are the server's: a program can read them only. */
static void test_tables(void)
{
	static const char table[] = "/memfd:vshader-gl ";
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int found = 0, writable = 0;
	unsigned long from, to;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (!strstr(line, table) || sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		found++;
		writable += !mprotect((void *)from, to - from, PROT_READ | PROT_WRITE);
	}
	if (maps)
		fclose(maps);
	tap_result(found && !writable, "%u tables, none of them can be written", found);
}

/* A job that writes zeros to the word 64 of its buffer. */
static void test_job(int fd)
{
	struct drm_panfrost_create_bo bo = { .size = PAGE };
	struct drm_panfrost_mmap_bo map = { };
	struct drm_panfrost_submit submit = { .bo_handle_count = 1 };
	struct drm_panfrost_wait_bo wait = { .timeout_ns = INT64_MAX };
	uint32_t *words;

	raw_ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &bo);
	map.handle = bo.handle;
	raw_ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &map);
	words = raw_map(fd, map.offset);
	if (!tap_result((long)words > 0, "a job's buffer"))
		return;
	words[4] = 1 | 2 << 1 | 1 << 16;
	words[8] = bo.offset + 256;
	words[10] = 3;
	words[64] = 7;
	submit.jc = bo.offset;
	submit.bo_handles = (uintptr_t)&bo.handle;
	expect(raw_ioctl(fd, DRM_IOCTL_PANFROST_SUBMIT, &submit), 0, "a job");
	wait.handle = bo.handle;
	expect(raw_ioctl(fd, DRM_IOCTL_PANFROST_WAIT_BO, &wait), 0, "its end");
	expect(words[64], 0, "its result");
}

int main(int argc, char **argv)
{
	int fd;

	by_library = argc > 1 && !strcmp(argv[1], "library");
	fd = raw_open(NODE);
	if (!tap_result(fd >= 0, "open"))
		return tap_done();
	test_paths(fd);
	test_mappings(fd);
	test_threads(fd);
	test_files(fd);
	test_both(fd);
	if (by_library)
		test_tables();
	test_job(fd);
	return tap_done();
}
