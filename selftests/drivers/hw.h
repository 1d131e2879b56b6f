/* SPDX-License-Identifier: GPL-2.0 */
/* Devices, files of the register model, and time, for tests of kernel drivers. */
#ifndef DRIVERS_HW_H
#define DRIVERS_HW_H

#include <dirent.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../include/tap.h"

#include "hw_host.h"

/* End with the first failure: mutants have no need of the others. All files of a program see it. */
__attribute__((weak)) bool hw_stop;

/* Seconds of such a run, at most; 60 are usual. A driver that hangs has no other end. */
#define HW_ALARM_S	300

/* The driver is loaded once more before the tests. */
static bool hw_reload;

static inline bool hw_result(bool pass, const char *function, const char *condition)
{
	tap_result(pass, "%s: %s", function, condition);
	if (!pass && hw_stop)
		exit(tap_done());
	return pass;
}

#define CHECK(cond)	hw_result(cond, __func__, #cond)

/*
 * In loops whose number of rounds depends on time or on the state of memory: a result only if
 * @cond is false, so that all runs that pass have the same results. A CHECK() follows the loop.
 */
#define CHECK_ROUND(cond)	((void)((cond) || hw_result(false, __func__, #cond)))

static inline int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int64_t ms_since(int64_t begin)
{
	return (now_ns() - begin) / 1000000;
}

/*
 * Whether time stands still while this program computes: in the kernel "time" of scripts/uml, which
 * adds less than 1 us for each look at the clock.
 */
static inline bool hw_exact(void)
{
	int64_t begin = now_ns();
	int i;

	for (i = 0; i < 10000000; i++)
		__asm__ volatile ("" : : : "memory");
	return now_ns() - begin < 100000;
}

/*
 * Time for something that must come, which a second or more is enough for. A machine that stands
 * still for seconds delays it. Mutants, of which some have it never, are not waited for.
 */
static inline int64_t hw_patience(int ms)
{
	return ms < 1000 || hw_stop ? ms : 20LL * ms;
}

/* Whether a condition comes true, in a second or so. */
#define HW_SOON(cond) ({						\
	int64_t begin_ = now_ns();					\
	bool is_ = cond;						\
									\
	while (!is_ && ms_since(begin_) < hw_patience(1000)) {		\
		usleep(20000);						\
		is_ = cond;						\
	}								\
	is_; })

/* Time of jobs, of all and of the fastest 20 in a row, as a busy host delays some. */
struct hw_pace {
	int64_t begin, part, least;
	uint32_t jobs;
};

static inline void hw_pace_begin(struct hw_pace *p)
{
	p->begin = now_ns();
	p->part = p->begin;
	p->least = INT64_MAX;
}

static inline void hw_pace_job(struct hw_pace *p)
{
	int64_t now = now_ns();

	if (++p->jobs % 20)
		return;
	if (now - p->part < p->least)
		p->least = now - p->part;
	p->part = now;
}

static inline void hw_pace_print(const struct hw_pace *p)
{
	printf("# %lld us per job, %lld us in the fastest 20\n",
	       (long long)(now_ns() - p->begin) / 1000 / (p->jobs ?: 1),
	       (long long)p->least / 20000);
}

/* A node of a driver, "card" or "renderD" with a number from @first on; -1: there is none. */
static inline int open_node(const char *driver, const char *node, int first)
{
	char path[40];
	int i, fd;

	for (i = first; i < first + 8; i++) {
		char name[32] = "";
		struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

		snprintf(path, sizeof(path), "/dev/dri/%s%d", node, i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, driver))
			return fd;
		close(fd);
	}
	return -1;
}

static inline int open_render(const char *driver)
{
	hw_driver = driver;
	hw_device();
	return open_node(driver, "renderD", 128);
}

/* The primary node, which is the one that has names of buffers. */
static inline int open_primary(void)
{
	return open_node(hw_driver, "card", 0);
}

/* Return: 0 or errno. */
static inline int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? errno : 0;
}

/* Number of findings; prints those from @from on. */
static inline unsigned int hw_findings(unsigned int from)
{
	FILE *file = hw_file("findings");
	unsigned int n = ~0U, i = 0;
	char line[256];

	if (!file)
		return n;
	if (fgets(line, sizeof(line), file))
		n = strtoul(line, NULL, 10);
	while (fgets(line, sizeof(line), file))
		if (i++ >= from)
			printf("# finding: %s", line);
	fclose(file);
	return n;
}

/* Number of findings from @from on that contain a text. */
static inline unsigned int hw_findings_with(unsigned int from, const char *text)
{
	FILE *file = hw_file("findings");
	unsigned int n = 0, i = 0;
	char line[256];

	if (!file)
		return 0;
	/* the first line is the number of findings */
	while (fgets(line, sizeof(line), file))
		n += i++ > from && strstr(line, text);
	fclose(file);
	return n;
}

/*
 * A mistake of Linux' driver (Documentation/found.rst): expected by its name as long as the driver
 * has it. Without it, the test fails as "fixed".
 */
static inline void hw_known(bool right, const char *name, const char *mistake)
{
	/* nor is a mutant found that corrects it by chance */
	if (right && !hw_stop)
		hw_result(false, name, "fixed, expected to fail");
	else if (right)
		hw_result(true, name, "fixed");
	else
		printf("not ok %u %s # TODO Linux: %s\n", ++tap.run, name, mistake);
}

/* The next access of the log, and its time in ns. */
static inline bool hw_next_access(FILE *log, uint64_t *time, char *what, char *name,
				  uint32_t *value)
{
	unsigned long long us;
	unsigned int ns;
	char line[256];

	while (fgets(line, sizeof(line), log)) {
		if (sscanf(line, "%llu.%u %c %63s 0x%x", &us, &ns, what, name, value) != 5)
			continue;
		*time = us * 1000 + ns;
		return true;
	}
	return false;
}

/* Whether the log of accesses has this one: "W PP_BCAST_FRAME 0x00000000". */
static inline bool hw_logged(char access, const char *name, uint32_t value)
{
	FILE *log = hw_file("log");
	char what, reg[64];
	bool found = false;
	uint64_t time;
	uint32_t v;

	while (!found && log && hw_next_access(log, &time, &what, reg, &v))
		found = what == access && !strcmp(reg, name) && v == value;
	if (log)
		fclose(log);
	return found;
}

/* An access in the log: its value has @value in the bits of @mask. */
struct hw_access {
	char what;
	const char *name;
	uint32_t value;
	uint32_t mask;
};

#define HW_READ(name, value)	{ 'R', name, value, ~0U }
#define HW_WRITE(name, value)	{ 'W', name, value, ~0U }
#define HW_READS(name)		{ 'R', name, 0, 0 }
#define HW_WRITES(name)		{ 'W', name, 0, 0 }

/* Time of the last access that the log has, ns. */
static inline uint64_t hw_log_time(void)
{
	FILE *log = hw_file("log");
	uint64_t time = 0;
	char what, name[64];
	uint32_t value;

	while (log && hw_next_access(log, &time, &what, name, &value))
		;
	if (log)
		fclose(log);
	return time;
}

/* Whether each access in the log is later than the one before. */
static inline bool hw_log_in_order(void)
{
	uint64_t time, before = 0;
	FILE *log = hw_file("log");
	bool good = log;
	char what, name[64];
	uint32_t value;

	for (; good && hw_next_access(log, &time, &what, name, &value); before = time)
		good = time > before;
	if (log)
		fclose(log);
	return good && before;
}

/* How many of these accesses, in this order, the log has after a time, up to the first missing. */
static inline unsigned int hw_find(uint64_t after, const struct hw_access *want, unsigned int n,
				   uint64_t *last)
{
	FILE *log = hw_file("log");
	char what, name[64];
	unsigned int i = 0;
	uint32_t value;
	uint64_t time;

	*last = after;
	while (log && i < n && hw_next_access(log, &time, &what, name, &value)) {
		if (time <= after || what != want[i].what || strcmp(name, want[i].name) ||
		    (value & want[i].mask) != want[i].value)
			continue;
		*last = time;
		i++;
	}
	if (log)
		fclose(log);
	return i;
}

/* Whether the log has an access after a time. */
static inline bool hw_has(uint64_t after, const struct hw_access *want)
{
	uint64_t last;

	return hw_find(after, want, 1, &last) == 1;
}

/*
 * Whether all writes to a register that the log has are one of two values; prints the first that is
 * not. A wrong one shows also where a right one follows before it has an effect.
 */
static inline bool hw_only(const char *reg, uint32_t one, uint32_t other)
{
	FILE *log = hw_file("log");
	char what, name[64];
	uint32_t value;
	uint64_t time;
	bool good = true;

	while (log && good && hw_next_access(log, &time, &what, name, &value)) {
		good = what != 'W' || strcmp(name, reg) || value == one || value == other;
		if (!good)
			printf("# %s 0x%x is neither 0x%x nor 0x%x\n", reg, value, one, other);
	}
	if (log)
		fclose(log);
	return good;
}

/* Microseconds from an access after a time to another one after it; -1: they are not there. */
static inline int64_t hw_between(uint64_t after, const struct hw_access *from,
				 const struct hw_access *to)
{
	uint64_t begin, end;

	if (hw_find(after, from, 1, &begin) != 1 || hw_find(begin, to, 1, &end) != 1)
		return -1;
	return (end - begin) / 1000;
}

/* Whether these microseconds are about @us: polls end a little before or after it. */
static inline bool hw_waited(const char *what, int64_t got, int64_t us)
{
	bool good = got >= us - us / 10 && got <= us + us / 5 + 500;

	printf("# %s: waited %lld us, should be %lld\n", what, (long long)got, (long long)us);
	return good;
}

/* Print accesses after a time. */
static inline void hw_show(uint64_t after, unsigned int n)
{
	FILE *log = hw_file("log");
	char what, name[64];
	uint32_t value;
	uint64_t time;

	while (log && n && hw_next_access(log, &time, &what, name, &value)) {
		if (time <= after)
			continue;
		printf("#   %c %s 0x%x\n", what, name, value);
		n--;
	}
	if (log)
		fclose(log);
}

/*
 * Whether the log has these accesses after a time, in this order; others may come between them.
 * Prints the first that is missing, and what follows the one before it.
 */
static inline bool hw_sequence(uint64_t after, const struct hw_access *want, unsigned int n)
{
	uint64_t last;
	unsigned int i = 0;
	/* a thread may be about to make the last ones */
	bool all = HW_SOON((i = hw_find(after, want, n, &last)) == n);

	if (all)
		return true;
	printf("# %c %s 0x%x is missing, access %u of %u\n", want[i].what, want[i].name,
	       want[i].value, i + 1, n);
	hw_show(last, 12);
	return false;
}

/* Whether the kernel is Linux 6.7 or newer: 607. */
static inline bool hw_since(int version)
{
	struct utsname u;
	int major, minor;

	return !uname(&u) && sscanf(u.release, "%d.%d", &major, &minor) == 2 &&
	       major * 100 + minor >= version;
}

static inline void hw_kmemleak(const char *command)
{
	int fd = open("/sys/kernel/debug/kmemleak", O_WRONLY);

	if (fd >= 0 && write(fd, command, strlen(command)) < 0)
		printf("# kmemleak: %s: %s\n", command, strerror(errno));
	close(fd);
}

/**
 * struct hw_leaked - Objects in kmemleak's list
 * @all:	their number, without those that the kernel has allocated before its first process:
 *		its device tree is not tracked
 * @fences:	of these, fences of the scheduler of jobs of other processes
 * @parents:	fences of the driver, to which the scheduler's refer
 * @small:	objects of less than a page
 */
struct hw_leaked {
	unsigned int all, fences, parents, small;
};

/* Of the last hw_leaks(), without fences: one for all files of a program. */
__attribute__((weak)) unsigned int hw_small_leaks;

/* Operations of a kind of fence. */
struct hw_fence_kind {
	unsigned long long address;
	char name[64];
};

/* All kinds that modules of now have. Return: their number. */
static inline unsigned int hw_fence_kinds(struct hw_fence_kind *kinds, unsigned int max)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned int n = 0;
	char line[256];

	while (file && n < max && fgets(line, sizeof(line), file))
		n += strstr(line, "_fence_ops") &&
		     sscanf(line, "%llx %*c %63s", &kinds[n].address, kinds[n].name) == 2;
	if (file)
		fclose(file);
	return n;
}

/* Of an object that begins with @dump: the name of its operations if it is a fence, or NULL. */
static inline const char *hw_fence_ops(const char *dump, const struct hw_fence_kind *kinds,
				       unsigned int n)
{
	unsigned long long ops = 0;
	unsigned int b[16], i;

	/* the second word of struct dma_fence; there are no backtraces in User-Mode-Linux */
	if (sscanf(dump, " %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x %x", b, b + 1, b + 2, b + 3,
		   b + 4, b + 5, b + 6, b + 7, b + 8, b + 9, b + 10, b + 11, b + 12, b + 13, b + 14,
		   b + 15) == 16)
		for (i = 16; i-- > 8;)
			ops = ops << 8 | b[i];
	for (i = 0; i < n; i++)
		if (ops && kinds[i].address == ops)
			return kinds[i].name;
	return NULL;
}

static inline struct hw_leaked hw_kmemleak_list(bool print)
{
	FILE *file = fopen("/sys/kernel/debug/kmemleak", "r");
	struct hw_leaked n = { 0, 0, 0, 0 };
	bool ours = false, next = false, child = false;
	struct hw_fence_kind kinds[32];
	unsigned int size = 0, known;
	const char *ops, *pid;
	char line[256];

	known = print ? hw_fence_kinds(kinds, 32) : 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "unreferenced", 12) && strstr(line, "(size "))
			size = strtoul(strstr(line, "(size ") + 6, NULL, 10);
		if (strstr(line, "comm \"")) {
			n.all += ours = !strstr(line, "comm \"swapper\"");
			n.small += ours && size < 4096;
			pid = strstr(line, "\", pid ");
			child = pid && atoi(pid + 7) != getpid();
		}
		ops = next && ours ? hw_fence_ops(line, kinds, known) : NULL;
		next = strstr(line, "hex dump");
		if (ops && !strcmp(ops, "drm_sched_fence_ops_scheduled"))
			n.fences += child;
		else if (ops)
			n.parents++;
		if (print && (ours || !strncmp(line, "unreferenced", 12)))
			printf("# leak: %s", line);
	}
	if (file)
		fclose(file);
	return n;
}

/* Of 8 killed processes with jobs in up to two queues. */
#define HW_KILLED_FENCES	16

/*
 * Number of objects that have leaked, which are forgotten; prints them. Linux before 6.12 leaks
 * fences of killed jobs (killed-fence in found.rst). Whether it does depends on time: if they are
 * few, and of processes that test_killed() has ended, a comment tells, and they do not count. A
 * driver that forgets its references leaks one of each job.
 */
static inline unsigned int hw_leaks(void)
{
	struct hw_leaked n = { 0, 0, 0, 0 };
	unsigned int fences;
	int i;

	/* an object is reported when it has been without a reference for 5 s */
	sleep(6);
	/* a block that a later scan finds referenced, or freed, was none */
	for (i = 0; i < 5 && (i < 2 || n.all); i++) {
		hw_kmemleak("scan");
		sleep(1);
		if (i)
			n = hw_kmemleak_list(i == 4);
	}
	hw_kmemleak("clear");
	fences = n.fences + (n.parents < n.fences ? n.parents : n.fences);
	hw_small_leaks = n.small > fences ? n.small - fences : 0;
	if (!n.fences || n.fences > HW_KILLED_FENCES || hw_since(612))
		return n.all;
	printf("# killed-fence: Linux leaks %u fences of killed jobs\n", fences);
	return n.all - fences;
}

/* Whether the command line has the name of a test, or none; "-NAME": all others. */
static inline bool hw_chosen(const char *name, int argc, char **argv)
{
	bool any = false;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], name))
			return true;
		if (!strcmp(argv[i], "--stop"))
			hw_stop = true;
		else if (!strcmp(argv[i], "--reload"))
			hw_reload = true;
		else if (argv[i][0] != '-')
			any = true;
		else if (!strcmp(argv[i] + 1, name))
			return false;
	}
	return !any;
}

/* First line of a file, without its end; "" if there is none. */
static inline const char *read_line(const char *path, char *buf, int size)
{
	FILE *file = fopen(path, "r");

	buf[0] = 0;
	if (file && fgets(buf, size, file))
		buf[strcspn(buf, "\n")] = 0;
	if (file)
		fclose(file);
	return buf;
}

#endif /* DRIVERS_HW_H */
