/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fences, the kernel's log, faults of allocations, and what a device holds, for tests of kernel
 * drivers.
 */
#ifndef DRIVERS_HW_SYNC_H
#define DRIVERS_HW_SYNC_H

#include <linux/dma-buf.h>
#include <linux/membarrier.h>
#include <linux/sync_file.h>
#include <signal.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "hw.h"

#define TIMEOUT_MS	500	/* of the drivers' jobs; lima's by its parameter */

static inline bool hw_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return ok;
}

/* ---- fences ---- */

struct sw_sync_fence {
	uint32_t value;
	char name[32];
	int32_t fence;
};

#define SW_SYNC_CREATE	_IOWR('W', 0, struct sw_sync_fence)
#define SW_SYNC_INC	_IOW('W', 1, uint32_t)

static inline uint32_t sync_new(int fd)
{
	struct drm_syncobj_create c = {};

	return ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &c) ? 0 : c.handle;
}

static inline void sync_free(int fd, uint32_t handle)
{
	struct drm_syncobj_destroy d = { .handle = handle };

	ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &d);
}

/*
 * A fence that is signalled by gate_open() only, as a syncobj of @fd.
 * Return: the timeline, -1: the kernel has none.
 */
static inline int gate_new(int fd, uint32_t *handle)
{
	struct sw_sync_fence f = { .value = 1, .name = "gate" };
	struct drm_syncobj_handle h = { .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE };
	int timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);

	*handle = sync_new(fd);
	if (timeline < 0 || ioctl(timeline, SW_SYNC_CREATE, &f))
		return -1;
	h.handle = *handle;
	h.fd = f.fence;
	if (ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h)) {
		close(timeline);
		timeline = -1;
	}
	close(f.fence);
	return timeline;
}

static inline void gate_open(int timeline)
{
	uint32_t one = 1;

	ioctl(timeline, SW_SYNC_INC, &one);
	close(timeline);
}

/* Return: 0 or errno; ETIME: not signalled. */
static inline int sync_wait(int fd, uint32_t handle, int ms)
{
	struct drm_syncobj_wait w = {
		.handles = (uintptr_t)&handle, .count_handles = 1,
		.timeout_nsec = now_ns() + hw_patience(ms) * 1000000,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};

	return call(fd, DRM_IOCTL_SYNCOBJ_WAIT, &w);
}

#define SYNC_NONE	1000

/*
 * Status of a syncobj's fence: 1 done, 0 pending, or a negative error; SYNC_NONE: it has no fence.
 * @name: NULL, or receives driver and timeline: "drm_sched pan_js"
 */
static inline int sync_status_name(int fd, uint32_t handle, char *name)
{
	struct drm_syncobj_handle h = {
		.handle = handle, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
	};
	struct sync_fence_info one = {};
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&one };
	int status = SYNC_NONE;

	if (ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h))
		return SYNC_NONE;
	if (!ioctl(h.fd, SYNC_IOC_FILE_INFO, &info))
		status = one.status;
	if (name)
		sprintf(name, "%s %s", one.driver_name, one.obj_name);
	close(h.fd);
	return status;
}

static inline int sync_status(int fd, uint32_t handle)
{
	return sync_status_name(fd, handle, NULL);
}

/* Wait for the fence. Return: its status. */
static inline int sync_end(int fd, uint32_t handle)
{
	int ret = sync_wait(fd, handle, 5000);

	return ret ? 0 : sync_status(fd, handle);
}

/* Since Linux 6.7 the fence of a job has the error of the hardware's fence. */
static inline int hw_error(int error)
{
	return hw_since(607) ? error : 1;
}

/*
 * Since 6.12 a worker puts a job, which has buffers and an address space. Until then the scheduler
 * takes the error of the next job for one of this job (spurious-timeout in found.rst).
 */
static inline void hw_settle(void)
{
	if (hw_since(612))
		usleep(20000);
}

/* ---- signals ---- */

static inline void sig_ignore(int signal)
{
}

/* Whether a signal ends @wait, which returns an errno and takes a second or more by itself. */
static inline bool sig_ends(int (*wait)(void *arg), void *arg)
{
	/* again and again, as a busy machine may not have begun to wait */
	const struct itimerspec soon = { { 0, 50000000 }, { 0, 50000000 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	const struct sigaction act = { .sa_handler = sig_ignore };
	timer_t timer;
	int ret;

	sigaction(SIGUSR1, &act, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return false;
	timer_settime(timer, 0, &soon, NULL);
	ret = wait(arg);
	timer_delete(timer);
	return ret == EINTR;
}

/* ---- buffers of other devices ---- */

static inline int bo_export(int fd, uint32_t handle)
{
	struct drm_prime_handle p = { .handle = handle, .flags = DRM_RDWR | DRM_CLOEXEC };

	return ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p) ? -1 : p.fd;
}

/* Return: handle, 0: failed. */
static inline uint32_t bo_import(int fd, int buf)
{
	struct drm_prime_handle p = { .fd = buf };

	return ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &p) ? 0 : p.handle;
}

/*
 * Status of the fences that a reader of an exported buffer waits for, or a writer: 0 pending, 1
 * done or none. SYNC_NONE: this kernel does not tell.
 */
static inline int bo_status(int buf, bool write)
{
	struct dma_buf_export_sync_file e = {
		.flags = write ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ, .fd = -1,
	};
	struct sync_file_info info = {};
	int status = SYNC_NONE;

	if (ioctl(buf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &e))
		return SYNC_NONE;
	if (!ioctl(e.fd, SYNC_IOC_FILE_INFO, &info))
		status = info.status;
	close(e.fd);
	return status;
}

/* Another handle of a buffer in the file of a primary node. Return: handle, 0: failed. */
static inline uint32_t bo_again(int fd, uint32_t handle)
{
	struct drm_gem_flink f = { .handle = handle };
	struct drm_gem_open o = {};

	if (ioctl(fd, DRM_IOCTL_GEM_FLINK, &f))
		return 0;
	o.name = f.name;
	return ioctl(fd, DRM_IOCTL_GEM_OPEN, &o) ? 0 : o.handle;
}

/* ---- the kernel's log ---- */

/* Number of times that the kernel's log has one of @n texts; NULL is none. */
static inline unsigned int hw_said_any(const char * const *texts, unsigned int n)
{
	static char log[1 << 20];
	int bytes = klogctl(3, log, sizeof(log) - 1);
	unsigned int times = 0, i;
	char *at;

	log[bytes > 0 ? bytes : 0] = 0;
	for (i = 0; i < n; i++)
		for (at = texts[i] ? log : NULL; at && (at = strstr(at, texts[i])); at++)
			times++;
	return times;
}

/* Number of times that the kernel's log has a text. */
static inline unsigned int hw_said(const char *text)
{
	return hw_said_any(&text, 1);
}

/* Number of the device's errors in the kernel's log; it has no regulator. */
static inline unsigned int hw_device_errors(void)
{
	static char log[1 << 20];
	int bytes = klogctl(3, log, sizeof(log) - 1);
	char *line, *rest = NULL;
	unsigned int n = 0;

	log[bytes > 0 ? bytes : 0] = 0;
	for (line = strtok_r(log, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		n += !strncmp(line, "<3>", 3) && strstr(line, hw_device()) &&
		     !strstr(line, "no regulator");
	return n;
}

/* Whether a line of a file has a text. */
static inline bool hw_listed(const char *path, const char *text)
{
	FILE *file = fopen(path, "r");
	char line[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, text);
	if (file)
		fclose(file);
	return found;
}

/* ---- what a device holds ---- */

static inline bool hw_has_status(const char *status)
{
	char line[32];

	read_line(hw_device_file("power/runtime_status"), line, sizeof(line));
	return !strcmp(line, status);
}

/* Whether the device suspends by itself. */
static inline bool hw_suspends(void)
{
	return HW_SOON(hw_has_status("suspended"));
}

#define TRACING		"/sys/kernel/tracing/"

/* References for runtime PM that the device has; -1: this kernel does not tell. */
static inline int hw_references(void)
{
	static const char event[] = TRACING "events/rpm/rpm_resume/enable";
	char line[256], *at;
	int n, last = -1;
	FILE *trace;

	close(open(TRACING "trace", O_WRONLY | O_TRUNC));
	if (!hw_write(event, "1"))
		return -1;
	/* "on" has one itself */
	hw_write(hw_device_file("power/control"), "on");
	hw_write(hw_device_file("power/control"), "auto");
	hw_write(event, "0");
	trace = fopen(TRACING "trace", "r");
	while (trace && fgets(line, sizeof(line), trace)) {
		at = strstr(line, hw_device()) ? strstr(line, " cnt-") : NULL;
		if (at && sscanf(at, " cnt-%d", &n) == 1)
			last = n - 1;
	}
	if (trace)
		fclose(trace);
	return last;
}

/* Memory of buffers, in KiB. */
static inline unsigned int hw_buffers(void)
{
	unsigned int n = 0;
	char line[128];
	FILE *file;

	/* counters of the CPUs become those of the machine */
	hw_write("/proc/sys/vm/stat_refresh", "1");
	file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Shmem: %u", &n) == 1)
			break;
	if (file)
		fclose(file);
	return n;
}

/* Whether no more than @kib are left after a while: buffers are freed by a worker. */
static inline bool hw_buffers_are(unsigned int kib)
{
	bool good = HW_SOON(hw_buffers() <= kib);

	if (!good)
		printf("# %u KiB of buffers instead of %u\n", hw_buffers(), kib);
	return good;
}

/*
 * Mappings for DMA that the device has, as dma-debug counts them, with @coherent also what was
 * allocated as such; -1: this kernel has no such, -2: it has switched itself off.
 */
static inline int hw_mappings(bool coherent)
{
	FILE *file = fopen("/sys/kernel/debug/dma-api/dump", "r");
	const char *device = hw_device();
	size_t len = strlen(device);
	char line[256];
	int n = 0;

	if (!file)
		return -1;
	if (*read_line("/sys/kernel/debug/dma-api/disabled", line, sizeof(line)) != 'N')
		n = -2;
	while (n >= 0 && fgets(line, sizeof(line), file))
		n += !strncmp(line, device, len) && line[len] == ' ' &&
		     (coherent || !strstr(line, " coherent "));
	fclose(file);
	return n;
}

/* Whether no more of them are left. */
static inline bool hw_mappings_are(int number, bool coherent)
{
	bool good = HW_SOON(hw_mappings(coherent) <= number) && hw_mappings(coherent) != -2;

	if (!good)
		printf("# %d mappings for DMA instead of %d\n", hw_mappings(coherent), number);
	return good;
}

/* KiB of free pages, with those of slabs: KASAN frees objects late. */
static inline long hw_pages(void)
{
	char line[128];
	long sum = 0, n;
	FILE *file;

	hw_write("/proc/sys/vm/stat_refresh", "1");
	file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemFree: %ld", &n) == 1 || sscanf(line, "Slab: %ld", &n) == 1)
			sum += n;
	if (file)
		fclose(file);
	return sum;
}

/*
 * Whether @run(), repeated, leaves less than @kib each time: in one of some rounds, as caches grow
 * in the first. kmemleak knows no pages: tables of an address space are lost without a report.
 */
static inline bool hw_frees_pages(void (*run)(void *arg), void *arg, int kib)
{
	const int times = 64;
	long before, lost = kib * times;
	int i, n;

	for (n = 0; n < 5 && lost >= kib * times; n++) {
		before = hw_pages();
		for (i = 0; i < times; i++)
			run(arg);
		/* workers free buffers and spaces */
		usleep(500000);
		lost = before - hw_pages();
		printf("# %ld KiB are lost of %d times\n", lost, times);
	}
	return lost < kib * times;
}

/* How often a clock of the device tree is enabled. */
static inline int hw_clock(const char *name)
{
	char path[100], line[32];

	snprintf(path, sizeof(path), "/sys/kernel/debug/clk/%s/clk_enable_count", name);
	return atoi(read_line(path, line, sizeof(line)));
}

/**
 * struct hw_load - Load of the device in periods of 50 ms, in per cent
 * @first:	of the first period
 * @most:	of the busiest one
 * @last:	of the last one; -1: devfreq does not ask, as the device sleeps
 */
struct hw_load {
	int first, most, last;
};

/*
 * Load as devfreq has it of two or more periods from now on, for which it waits @ms. The device
 * tree must have operating points.
 */
static inline struct hw_load hw_utilization(int ms)
{
	struct hw_load l = { -1, -1, -1 };
	int64_t begin = now_ns();
	char line[256], *at;
	int load, n = 0;
	FILE *trace;

	close(open(TRACING "trace", O_WRONLY | O_TRUNC));
	if (!hw_write(TRACING "events/devfreq/devfreq_monitor/enable", "1"))
		return l;
	while (n < 2 && ms_since(begin) < ms) {
		usleep(20000);
		trace = fopen(TRACING "trace", "r");
		for (n = 0; trace && fgets(line, sizeof(line), trace);) {
			at = strstr(line, "devfreq_monitor: ") ? strstr(line, "load=") : NULL;
			if (!at || sscanf(at, "load=%d", &load) != 1)
				continue;
			l.last = load;
			l.most = load > l.most ? load : l.most;
			l.first = n++ ? l.first : load;
		}
		if (trace)
			fclose(trace);
	}
	hw_write(TRACING "events/devfreq/devfreq_monitor/enable", "0");
	if (n < 2)
		l.last = -1;
	return l;
}

/**
 * struct hw_hang - A job that never ends by itself
 * @client:	argument of the functions
 * @submit:	submit it to queue 0 or 1
 * @recovers:	whether it ends by its timeout, and the next job works
 * @works:	whether a job of queue 0 works
 */
struct hw_hang {
	void *client;
	bool (*submit)(void *client, uint32_t queue);
	bool (*recovers)(void *client);
	bool (*works)(void *client);
};

/*
 * devfreq counts time with a job as busy, whichever way jobs end: the tests before have had each.
 * It rests while the device sleeps.
 */
static inline void hw_devfreq(struct hw_hang h)
{
	struct hw_load load;
	uint32_t queue;
	int i;

	CHECK(hw_suspends() && hw_utilization(300).last == -1);
	/* time before resume does not count: the first period has a job all the time */
	CHECK(h.submit(h.client, 0));
	load = hw_utilization(TIMEOUT_MS);
	CHECK(h.recovers(h.client));
	printf("# a load of %d %% after resume\n", load.first);
	CHECK(load.first >= 90 || !hw_exact());
	CHECK(hw_write(hw_device_file("power/control"), "on"));
	for (queue = 0; queue < 2; queue++) {
		CHECK(!hw_utilization(hw_patience(1000)).last);
		load.most = 0;
		/* a busy machine has no whole period before the timeout */
		for (i = 0; i < 8 && load.most < 90; i++) {
			CHECK_ROUND(h.submit(h.client, queue));
			load = hw_utilization(TIMEOUT_MS);
			CHECK_ROUND(h.recovers(h.client));
		}
		CHECK(load.most >= 90);
	}
	CHECK(!hw_utilization(hw_patience(1000)).last);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
	CHECK(hw_suspends() && hw_utilization(300).last == -1);
}

/**
 * struct hw_times - When a driver ends a job and the use of the device
 * @start:	access that starts a job of queue 0
 * @stop:	the first one of its timeout
 * @off:	that of suspend
 * @idle_us:	from the start of a job that works to @off, at least and at most
 */
struct hw_times {
	struct hw_access start, stop, off;
	int64_t idle_us[2];
};

/* How long a job may execute, and when an idle device suspends. */
static inline void hw_check_times(struct hw_hang h, const struct hw_times *t)
{
	int64_t us[2];
	uint64_t time;

	time = hw_log_time();
	CHECK(h.submit(h.client, 0) && h.recovers(h.client));
	us[0] = hw_between(time, &t->start, &t->stop);
	CHECK(hw_suspends());
	time = hw_log_time();
	/* many accesses at one time are not later than it by more than a little */
	CHECK(h.works(h.client) && hw_log_time() <= (uint64_t)now_ns() + 20000);
	CHECK(hw_suspends());
	us[1] = hw_between(time, &t->start, &t->off);
	printf("# a timeout of %lld us, suspended after %lld us\n", (long long)us[0],
	       (long long)us[1]);
	/* a tick of 10 ms has begun; that of suspend may be late by a quarter */
	CHECK(us[0] >= TIMEOUT_MS * 1000 && us[0] <= TIMEOUT_MS * 1000 + 10500);
	CHECK(us[1] >= t->idle_us[0] && us[1] <= t->idle_us[1]);
}

/* Whether the governor of devfreq is loaded when a driver asks for it. */
static inline bool hw_governor(bool is)
{
	return is ? hw_write("/proc/sys/kernel/modprobe", "/sbin/modprobe") :
		    !system("rmmod governor_simpleondemand") &&
		    hw_write("/proc/sys/kernel/modprobe", "/bin/false");
}

/* Have all shrinkers run: purgeable buffers are freed. */
static inline void hw_shrink(void)
{
	int i;

	for (i = 0; i < 3; i++)
		hw_write("/proc/sys/vm/drop_caches", "2");
}

static inline unsigned int hw_number(const char *path)
{
	char line[32];

	return strtoul(read_line(path, line, sizeof(line)), NULL, 10);
}

/*
 * Have kswapd look for memory until @done() or a second is over: shrinkers run with its locks,
 * which those that drop_caches runs have not.
 */
static inline bool hw_reclaims(bool (*done)(void *arg), void *arg)
{
	static const char path[] = "/proc/sys/vm/min_free_kbytes";
	unsigned int usual = hw_number(path), free = 0, n;
	char line[128], text[16];
	bool good = false;
	FILE *file;
	void *p;

	/* 9/10 of what is free: kswapd begins at 5/4 of it, others wait for memory below it */
	file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof(line), file) && sscanf(line, "MemFree: %u", &free) != 1)
		;
	if (file)
		fclose(file);
	snprintf(text, sizeof(text), "%u", free / 10 * 9);
	if (!hw_write(path, text))
		return false;
	for (n = 0; n < 50 && !good; n++) {
		p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p != MAP_FAILED) {
			memset(p, 1, 65536);
			munmap(p, 65536);
		}
		usleep(20000);
		good = done(arg);
	}
	snprintf(text, sizeof(text), "%u", usual);
	return hw_write(path, text) && good;
}

/* Free memory is not zero. */
static inline void hw_stain(void)
{
	const size_t bytes = 48 << 20;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	if (p == MAP_FAILED)
		return;
	memset(p, 0x5a, bytes);
	munmap(p, bytes);
}

/* ---- locks ---- */

/* How often a lock is taken, at least. */
struct lock_use {
	const char *name;
	unsigned int least;
};

/*
 * Whether @run() takes these locks, in any thread. The kernel must have lockdep's tracepoints.
 * Dropping a lock shows on a single CPU only in this way.
 */
static inline bool hw_locks(const char *what, void (*run)(void *arg), void *arg,
			    const struct lock_use *want, unsigned int n)
{
	unsigned int i, got[8] = {};
	char text[512] = "";
	bool good = true;
	FILE *trace;

	for (i = 0; i < n; i++)
		sprintf(text + strlen(text), "%sname == \"%s\"", i ? " || " : "", want[i].name);
	if (!hw_write(TRACING "events/lock/lock_acquire/filter", text))
		return !access(TRACING "events/lock", F_OK) ? false : true;
	close(open(TRACING "trace", O_WRONLY | O_TRUNC));
	hw_write(TRACING "events/lock/lock_acquire/enable", "1");
	run(arg);
	hw_write(TRACING "events/lock/lock_acquire/enable", "0");
	trace = fopen(TRACING "trace", "r");
	while (trace && fgets(text, sizeof(text), trace)) {
		for (i = 0; i < n; i++)
			got[i] += strstr(text, "lock_acquire: ") && strstr(text, want[i].name);
	}
	if (trace)
		fclose(trace);
	for (i = 0; i < n; i++) {
		printf("# %s: %s %u times, at least %u\n", what, want[i].name, got[i],
		       want[i].least);
		good &= got[i] >= want[i].least;
	}
	return good;
}

/* ---- allocations that fail ---- */

#define FAIL_NTH	"/proc/thread-self/fail-nth"

/*
 * Whether the kernel can fail allocations of a process. Those of kmemleak, which follow each one
 * of an object, are left out if the harness has told the caches of all others by slub_debug=A.
 */
static inline bool fail_init(void)
{
	char line[8];
	bool told = !strcmp(read_line("/sys/kernel/slab/kmalloc-64/failslab", line, 8), "1");

	return hw_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "N") &&
	       hw_write("/sys/kernel/debug/failslab/cache-filter", told ? "Y" : "N") &&
	       hw_write("/sys/kernel/debug/failslab/verbose", "0") &&
	       hw_write("/sys/kernel/debug/fail_usercopy/verbose", "0") &&
	       hw_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "Y") &&
	       hw_write(FAIL_NTH, "0");
}

/*
 * Let pages fail, too, which only tables and buffers need by themselves; or objects only, where
 * @pages is false, so that their order does not depend on what slabs hold.
 */
static inline void fail_pages(bool pages)
{
	hw_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", pages ? "N" : "Y");
	hw_write("/sys/kernel/debug/fail_page_alloc/min-order", pages ? "0" : "30");
	hw_write("/sys/kernel/debug/fail_page_alloc/verbose", "0");
}

/*
 * Make the first allocation of @run() fail, then the second, until there is none that could:
 * each time @run must return 0 or an error for it (shmem says ENOSPC), or @other, if that is
 * not 0. Return: number of failures.
 */
static inline int fail_each(int (*run)(void *arg), void *arg, const char *name, int other)
{
	char text[16];
	int n, ret;

	for (n = 1; n < 400; n++) {
		snprintf(text, sizeof(text), "%d", n);
		hw_write(FAIL_NTH, text);
		ret = run(arg);
		read_line(FAIL_NTH, text, sizeof(text));
		hw_write(FAIL_NTH, "0");
		if (atoi(text))
			break;
		if (ret && ret != ENOMEM && ret != EFAULT && ret != ENOSPC && ret != other)
			hw_result(false, name, strerror(ret));
	}
	/* there was none */
	hw_result(!ret, name, "without failures");
	return n - 1;
}

/* Allocations do not fail until fail_again(). @left: receives which one would have. */
static inline void fail_pause(char left[16])
{
	read_line(FAIL_NTH, left, 16);
	hw_write(FAIL_NTH, "0");
}

static inline void fail_again(const char *left)
{
	hw_write(FAIL_NTH, left[0] ? left : "0");
}

/* Make allocation @nth of all threads of the kernel fail whose name has @comm; 0: none. */
static inline int fail_threads(const char *comm, int nth)
{
	char path[300], line[64], text[16];
	DIR *dir = opendir("/proc");
	struct dirent *e;
	int threads = 0;

	snprintf(text, sizeof(text), "%d", nth);
	while (dir && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		if (!strstr(read_line(path, line, sizeof(line)), comm))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/fail-nth", e->d_name);
		threads += hw_write(path, text);
	}
	if (dir)
		closedir(dir);
	return threads;
}

/*
 * Wait until the fences of lima's last tasks are freed: RCU does that some time after the
 * scheduler has put them, and the removal of the driver does not wait for it (fence-cache, of which
 * the kernel may die). A cache that others share is not looked at; fences that have leaked
 * (killed-fence) stay, so that the wait has an end.
 */
static inline void hw_await_fences(void)
{
	const char *cache = "/sys/kernel/slab/lima_fence";
	char path[100], line[80];
	struct stat st;
	int i;

	syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	if (lstat(cache, &st) || !S_ISDIR(st.st_mode))
		return;
	snprintf(path, sizeof(path), "%s/objects", cache);
	for (i = 0; i < 100 && atoi(read_line(path, line, sizeof(line))); i++)
		usleep(10000);
}

/* Bind the driver to its device, or remove it. Return: 0 or errno. */
static inline int hw_bind(bool bind)
{
	static int fds[2] = { -1, -1 };
	char path[100];
	int i;

	/* once, as an allocation of open() may fail */
	for (i = 0; i < 2 && fds[i] < 0; i++) {
		snprintf(path, sizeof(path), "/sys/bus/platform/drivers/%s/%s", hw_driver,
			 i ? "bind" : "unbind");
		fds[i] = open(path, O_WRONLY | O_CLOEXEC);
	}
	if (!bind)
		hw_await_fences();
	return write(fds[bind], hw_device(), strlen(hw_device())) < 0 ? errno : 0;
}

static inline bool hw_remove(void)
{
	char command[64];

	hw_await_fences();
	snprintf(command, sizeof(command), "rmmod %s", hw_driver);
	return !system(command);
}

/* Load the driver that the guest was started with, as scripts/check-drivers does. */
static inline bool hw_load(void)
{
	bool own = !access("/stage/module/driver.ko", F_OK);
	char command[80];

	snprintf(command, sizeof(command), "%s %s %s", own ? "insmod" : "modprobe",
		 own ? "/stage/module/driver.ko" : hw_driver,
		 strcmp(hw_driver, "lima") ? "" : "sched_timeout_ms=500");
	return !system(command);
}

/**
 * struct fail_probe - How a driver is probed without memory
 * @step:	each so many allocations, for the last three fifths of them
 * @said:	what the driver says of some failures before it first accesses the hardware
 * @last:	what it says of the one that is the last to be tried, or NULL
 * @silent:	number of failures before that access that it says nothing of and that are not the
 *		last; an allocation may have fewer
 * @works:	whether the device does, after a probe that went well all the same, and whose node
 *		the kernel's core could make; the log's time before the probe
 */
struct fail_probe {
	int step;
	const char *said, *last;
	int silent;
	bool (*works)(uint64_t since);
};

/*
 * Make an allocation of a probe fail, the last one first: nothing of a device may be left. The
 * first ones are the DRM core's, most of whose failures Linux 6.1 does not survive; how many there
 * are varies by a few. So none is left out of the first two fifths, which are half as many again as
 * the core's, and the last one is of the driver's own. Return: number of probes that failed.
 */
static inline int fail_probes(const struct fail_probe *f)
{
	const char * const said_of[] = { f->said, f->last };
	int n, ret, fd, all, failed = 0, silent = 0, step = f->step;
	unsigned int said, said_before = 0, last = f->last ? hw_said(f->last) : 0;
	uint64_t time, time_before = 0;
	char text[16];

	hw_write(FAIL_NTH, "1000");
	ret = hw_bind(true);
	read_line(FAIL_NTH, text, sizeof(text));
	hw_write(FAIL_NTH, "0");
	hw_result(!ret, "probe", "without failures");
	all = 1000 - atoi(text);
	for (n = all; n > 0 && silent <= f->silent; n -= step) {
		if (!ret) {
			hw_bind(false);
			time_before = hw_log_time();
			said_before = hw_said_any(said_of, 2);
		}
		snprintf(text, sizeof(text), "%d", n);
		hw_write(FAIL_NTH, text);
		ret = hw_bind(true);
		hw_write(FAIL_NTH, "0");
		if (n <= all * 2 / 5)
			step = 1;
		if (!ret) {
			fd = open_render(hw_driver);
			if (fd >= 0 && !f->works(time_before))
				hw_result(false, "probe", "one that went well is of use");
			close(fd);
			continue;
		}
		failed++;
		if (ret != ENOMEM && ret != EFAULT && ret != EBUSY)
			hw_result(false, "probe", strerror(ret));
		fd = open_render(hw_driver);
		if (fd >= 0 || hw_clock("clock"))
			hw_result(false, "probe", "a failed one leaves nothing");
		close(fd);
		if (f->last && hw_said(f->last) != last)
			break;
		time = hw_log_time();
		said = hw_said_any(said_of, 2);
		if (time == time_before) {
			step = 1;
			silent += said == said_before;
		}
		time_before = time;
		said_before = said;
	}
	if (!ret)
		hw_bind(false);
	return failed;
}

#endif /* DRIVERS_HW_SYNC_H */
