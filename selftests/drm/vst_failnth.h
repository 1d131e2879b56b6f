/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls with every allocation (and copy from or to the user) failing in turn, by
 * /proc/thread-self/fail-nth. After vshader_test.h.
 */
#ifndef VST_FAILNTH_H
#define VST_FAILNTH_H

#include <fcntl.h>

#define VST_FAILNTH	"/proc/thread-self/fail-nth"
#define VST_FAILNTH_MAX	100000	/* more failure points than any ioctl has */

/* Configure the fault-injection capabilities, if present; errors do not matter. */
static inline void vst_failnth_setup(void)
{
	static const struct {
		const char *file;
		const char *value;
	} t[] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/task-filter", "N" },
		{ "failslab/verbose", "0" },
		{ "failslab/cache-filter", "N" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	unsigned int i;
	char path[128];

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", t[i].file);
		vst_write_file(path, t[i].value);
	}
}

static inline bool vst_failnth_arm(int fd, unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return pwrite(fd, text, strlen(text), 0) > 0;
}

/*
 * True if the failure was injected; later calls do not fail. A pending injection may hit
 * the user copies of the calls here.
 */
static inline bool vst_failnth_disarm(int fd)
{
	char text[16] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (!vst_failnth_arm(fd, 0) && !vst_failnth_arm(fd, 0))
		abort();
	return n > 0 && atoi(text) == 0;
}

/* -ENOSPC: shmem files, where the kernel has no memory for an inode. */
static inline bool vst_failnth_clean(int ret)
{
	return ret == 0 || ret == -ENOMEM || ret == -EFAULT || ret == -EINTR || ret == -EAGAIN ||
	       ret == -ENOSPC;
}

/*
 * Repeat @call, failing the n-th injection point, until it completes without an
 * injection. @undo follows each success.
 */
static inline void vst_failnth_sweep(struct __test_metadata *_metadata, int fd,
				     int (*call)(void *arg), void (*undo)(void *arg), void *arg)
{
	unsigned int n, failures = 0;
	bool injected = true;
	int ret;

	/* memory in single pages has thousands of points, which are alike */
	for (n = 1; injected && n < VST_FAILNTH_MAX; n += 1 + n / 256) {
		ASSERT_TRUE(vst_failnth_arm(fd, n));
		ret = call(arg);
		injected = vst_failnth_disarm(fd);
		EXPECT_TRUE(vst_failnth_clean(ret))
			TH_LOG("point %u: %d", n, ret);
		failures += ret != 0;
		/* without an injection it must work */
		EXPECT_TRUE(injected || !ret)
			TH_LOG("point %u: %d", n, ret);
		if (!ret && undo)
			undo(arg);
	}
	EXPECT_GT(VST_FAILNTH_MAX, n);
	EXPECT_EQ(0, call(arg));
	if (undo)
		undo(arg);
	TH_LOG("points up to %u, %u of them fail", n, failures);
}

#endif
