// SPDX-License-Identifier: GPL-2.0
/*
 * Observability: fdinfo, debugfs, trace events, core dumps of faults.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vshader_test.h"
#include "vst_dump.h"

FIXTURE(observe) {
	struct vst t;
	struct vst_job j;
	unsigned int minor;
};

FIXTURE_SETUP(observe)
{
	struct stat st;

	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	ASSERT_EQ(0, fstat(self->t.fd, &st));
	self->minor = minor(st.st_rdev);
}

FIXTURE_TEARDOWN(observe)
{
	vst_teardown(&self->t);
}

/* Value of a key in our fdinfo, 0 and *found = false if it is not there. */
static unsigned long long fdinfo_value(int fd, const char *key, bool *found)
{
	char path[64], buf[4096], *p, *next;
	size_t len = strlen(key);

	*found = false;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (vst_read_file(path, buf, sizeof(buf)) < 0)
		return 0;
	for (p = buf; p && *p; p = next) {
		next = strchr(p, '\n');
		next = next ? next + 1 : NULL;
		if (!strncmp(p, key, len) && p[len] == ':') {
			*found = true;
			return strtoull(p + len + 1, NULL, 10);
		}
	}
	return 0;
}

TEST_F(observe, fdinfo_keys)
{
	char path[64], buf[4096];
	bool found;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", self->t.fd);
	ASSERT_LT(0, vst_read_file(path, buf, sizeof(buf)));
	EXPECT_NE(NULL, strstr(buf, "drm-driver:\tvshader\n"))
		TH_LOG("%s", buf);
	fdinfo_value(self->t.fd, "drm-client-id", &found);
	EXPECT_TRUE(found);
	fdinfo_value(self->t.fd, "drm-engine-pica", &found);
	EXPECT_TRUE(found);
	EXPECT_NE(NULL, strstr(buf, " ns\n"));
}

TEST_F(observe, client_ids_differ)
{
	bool found;
	int other = vst_open();

	ASSERT_LE(0, other);
	EXPECT_NE(fdinfo_value(self->t.fd, "drm-client-id", &found),
		  fdinfo_value(other, "drm-client-id", &found));
	close(other);
}

TEST_F(observe, busy_time_grows)
{
	unsigned long long ns[3];
	bool found;
	int i;

	ASSERT_EQ(0, vst_program(self->t.fd, &vst_long_loop, &self->j.shader.program));
	self->j.pica.int_uniforms[0][0] = 50;
	self->j.pica.int_uniforms[1][0] = 50;
	for (i = 0; i < 3; i++) {
		ns[i] = fdinfo_value(self->t.fd, "drm-engine-pica", &found);
		EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	}
	EXPECT_EQ(0, ns[0]);
	EXPECT_LT(ns[0], ns[1]);
	EXPECT_LT(ns[1], ns[2]);
}

TEST_F(observe, memory_is_counted)
{
	unsigned long long before, after;
	__u32 handle;
	bool found;

	before = fdinfo_value(self->t.fd, "drm-total-memory", &found);
	if (!found)
		before = fdinfo_value(self->t.fd, "drm-memory-memory", &found);
	if (!found)
		SKIP(return, "the driver shows no memory on this kernel");
	ASSERT_EQ(0, vst_bo_create(self->t.fd, 1 << 20, 0, 0, &handle));
	after = fdinfo_value(self->t.fd, "drm-total-memory", &found);
	if (!found)
		after = fdinfo_value(self->t.fd, "drm-memory-memory", &found);
	/* bytes, KiB or MiB: whatever the unit, it is more */
	EXPECT_LT(before, after);
}

/* Search all files below @dir for @text. */
static bool grep(const char *dir, const char *text, unsigned int *files)
{
	static char buf[65536];
	char path[512];
	struct dirent *d;
	bool found = false;
	DIR *dp = opendir(dir);

	if (!dp)
		return false;
	while ((d = readdir(dp))) {
		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		if (d->d_type == DT_DIR) {
			found |= grep(path, text, files);
			continue;
		}
		if (vst_read_file(path, buf, sizeof(buf)) < 0)
			continue;
		(*files)++;
		found |= !!strstr(buf, text);
	}
	closedir(dp);
	return found;
}

TEST_F(observe, debugfs)
{
	static const char label[] = "a label that nobody else has";
	struct drm_vshader_bo_set_label arg = {
		.handle = self->t.out.handle, .label = PTR(label),
	};
	unsigned int files = 0;
	char dir[64], line[128];

	snprintf(dir, sizeof(dir), "/sys/kernel/debug/dri/%u", self->minor);
	if (access(dir, R_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_TRUE(grep(dir, label, &files));
	EXPECT_LE(2, files);
	/* with the process that has made the buffer */
	snprintf(line, sizeof(line), "/%d %s\n", getpid(), label);
	EXPECT_TRUE(grep(dir, line, &files));
	/* whatever its name */
	ASSERT_EQ(0, prctl(PR_SET_NAME, "a b\nc\\"));
	ASSERT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &arg.handle));
	ASSERT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	snprintf(line, sizeof(line), " a\\040b\\012c\\134/%d %s\n", getpid(), label);
	EXPECT_TRUE(grep(dir, line, &files));
	ASSERT_EQ(0, vst_bo_close(self->t.fd, arg.handle));
	arg.handle = self->t.out.handle;
	/* labels are for the eyes only: whatever bytes, reading them must be safe */
	arg.label = PTR("\x1b[31m\x01\xff %s %n\n\\");
	EXPECT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_BO_SET_LABEL, &arg));
	EXPECT_FALSE(grep(dir, label, &files));
}

TEST_F(observe, trace_events)
{
	static const char * const base[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	static char buf[65536];
	char path[256];
	unsigned int i, lines = 0;
	char *p;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events/vshader/enable", base[i]);
		if (!access(path, W_OK))
			break;
	}
	if (i == 2)
		SKIP(return, "no trace events");
	EXPECT_EQ(0, vst_write_file(path, "1"));
	snprintf(path, sizeof(path), "%s/trace", base[i]);
	vst_write_file(path, "");
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	self->j.attr[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	ASSERT_LT(0, vst_read_file(path, buf, sizeof(buf)));
	for (p = buf; (p = strstr(p, ": vshader_")); p++)
		lines++;
	/* at least submit, start and end of both jobs */
	EXPECT_LE(6, lines)
		TH_LOG("%s", buf);
	EXPECT_NE(NULL, strstr(buf, "fault"));
	snprintf(path, sizeof(path), "%s/events/vshader/enable", base[i]);
	vst_write_file(path, "0");
}

TEST_F(observe, core_dump)
{
	static char buf[1 << 20];
	char path[256];
	int len, i;

	if (access("/sys/class/devcoredump", R_OK))
		SKIP(return, "kernel without device core dumps");
	vst_dump_drop(self->minor);
	self->j.attr[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	ASSERT_TRUE(vst_dump_wait(self->minor, path, sizeof(path)));
	len = vst_read_file(path, buf, sizeof(buf));
	ASSERT_LE((int)sizeof(struct drm_vshader_fault), len);
	/* the dump can be read twice, and is gone when written to */
	EXPECT_EQ(len, vst_read_file(path, buf, sizeof(buf)));
	EXPECT_EQ(0, vst_write_file(path, "1"));
	/* by a work */
	for (i = 0; i < 3000 && !access(path, R_OK); i++)
		usleep(20000);
	EXPECT_NE(0, access(path, R_OK));
}

/* An unread dump may outlive all objects that it describes. */
TEST_F(observe, core_dump_outlives_the_file)
{
	static char buf[1 << 20];
	char path[256];

	if (access("/sys/class/devcoredump", R_OK))
		SKIP(return, "kernel without device core dumps");
	vst_dump_drop(self->minor);
	self->j.attr[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	ASSERT_TRUE(vst_dump_wait(self->minor, path, sizeof(path)));
	vst_teardown(&self->t);
	EXPECT_LT(0, vst_read_file(path, buf, sizeof(buf)));
	EXPECT_EQ(0, vst_write_file(path, "1"));
}

/* The kernel log is not for user mistakes. */
TEST_F(observe, log_stays_quiet)
{
	static char record[8192];
	struct drm_vshader_bo_create bo = { .size = 0, .flags = NEVER };
	unsigned int i;
	size_t n = 0;
	ssize_t r;
	int fd;

	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		SKIP(return, "no /dev/kmsg");
	lseek(fd, 0, SEEK_END);
	for (i = 0; i < 20; i++) {
		vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_BO_CREATE, &bo);
		vst_queue_destroy(self->t.fd, NEVER);
		vst_submit(self->t.fd, &self->j);
		self->j.shader.entry = 1 + i;
	}
	while ((r = read(fd, record, sizeof(record) - 1)) > 0) {
		record[r] = 0;
		/* one record per read; priority is the number in front */
		if (strstr(record, "vshader"))
			n += strtoul(record, NULL, 10) % 8 < 6;
	}
	close(fd);
	EXPECT_EQ(0, n);
}

#define DRM_DEBUG	"/sys/module/drm/parameters/debug"

/* With the driver's messages on, each -EINVAL names the field, its value and the limit. */
TEST_F(observe, messages_of_einval)
{
	static const char * const expected[] = {
		"size 0, pad 0, flags 0x80, known ",
		"flags 0x40, expected 0",
		"size 0x123, expected pages, limit ",
		"priority 77, limit ",
		"submit: job 0: -22",
	};
	struct drm_vshader_bo_create bo = { .flags = 0x80 };
	struct drm_vshader_submit submit = { .flags = 0x40 };
	struct drm_vshader_vm_bind_op op = { .size = 0x123, .va = VA(90) };
	struct drm_vshader_queue_create queue = { .vm_id = self->t.vm, .priority = 77 };
	bool seen[ARRAY_SIZE(expected)] = {};
	static char record[8192];
	char was[16] = "";
	unsigned int i;
	ssize_t r;
	int fd;

	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || vst_read_file(DRM_DEBUG, was, sizeof(was)) < 0 ||
	    vst_write_file(DRM_DEBUG, "2"))
		SKIP(return, "no /dev/kmsg, or no parameter debug of drm");
	lseek(fd, 0, SEEK_END);
	EXPECT_EQ(-EINVAL, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_BO_CREATE, &bo));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &submit));
	EXPECT_EQ(-EINVAL, vst_bind_ops(self->t.fd, self->t.vm, &op, 1, NULL));
	EXPECT_EQ(-EINVAL, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &queue));
	self->j.job.type = 99;
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_write_file(DRM_DEBUG, was));
	while ((r = read(fd, record, sizeof(record) - 1)) > 0) {
		record[r] = 0;
		for (i = 0; i < ARRAY_SIZE(expected); i++)
			seen[i] |= !!strstr(record, expected[i]);
	}
	close(fd);
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_TRUE(seen[i])
			TH_LOG("no message: %s", expected[i]);
	}
}

TEST_HARNESS_MAIN
