// SPDX-License-Identifier: GPL-2.0
/*
 * Recording of the jobs of other processes: who is recorded, what is in a record, readers that
 * are slow or gone.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "vshader_test.h"
#include "vst_dump.h"

#define MAX_RECORD	(8 << 20)

static int record(int fd, __u32 mb, struct drm_vshader_record *r)
{
	*r = (struct drm_vshader_record){ .limit_mb = mb, .reader = -1, .token = -1 };
	return vst_ioctl(fd, DRM_IOCTL_VSHADER_RECORD, r);
}

/* A record and its dump. Return: 1, 0 at the end, or -1. */
static int next_record(int fd, struct drm_vshader_record_head *head, char *dump)
{
	size_t done = 0;
	ssize_t n;

	n = read(fd, head, sizeof(*head));
	if (n <= 0)
		return n;
	if (n != sizeof(*head) || head->size > MAX_RECORD)
		return -1;
	while (done < head->size) {
		n = read(fd, dump + done, head->size - done);
		if (n <= 0)
			return -1;
		done += n;
	}
	return 1;
}

/* What a recorded process does. @pages: of memory that is not zero, besides. */
static int work(unsigned int jobs, unsigned int pages)
{
	struct vst_buf more;
	struct vst_job j;
	struct vst t;
	unsigned int i;

	if (vst_setup(&t, &vst_mov))
		return 2;
	if (pages) {
		if (vst_buf_new(&more, t.fd, t.vm, VA(50), pages * PAGE, true))
			return 3;
		memset(more.map, 0x5a, pages * PAGE);
	}
	vst_default_job(&t, &j);
	for (i = 0; i < jobs; i++) {
		if (vst_run(t.fd, &j))
			return 4;
	}
	return memcmp(t.in.map, t.out.map, 16) ? 5 : 0;
}

static pid_t start(unsigned int jobs, unsigned int pages)
{
	pid_t pid = fork();

	if (!pid)
		_exit(work(jobs, pages));
	return pid;
}

static int finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

FIXTURE(record) {
	int fd;
	struct drm_vshader_record r;
	char *dump;
};

FIXTURE_SETUP(record)
{
	self->fd = vst_open();
	if (self->fd < 0)
		SKIP(return, "no vshader render node");
	self->dump = malloc(MAX_RECORD);
	ASSERT_NE(NULL, self->dump);
	self->r.reader = -1;
	self->r.token = -1;
}

FIXTURE_TEARDOWN(record)
{
	close(self->fd);
	close(self->r.reader);
	close(self->r.token);
	free(self->dump);
}

TEST_F(record, arguments)
{
	struct drm_vshader_record r = { .flags = 1 };

	EXPECT_EQ(-EINVAL, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_RECORD, &r));
	r.flags = 0;
	r.limit_mb = 1025;
	EXPECT_EQ(-E2BIG, vst_ioctl(self->fd, DRM_IOCTL_VSHADER_RECORD, &r));
	ASSERT_EQ(0, record(self->fd, 1024, &self->r));
	EXPECT_NE(0, fcntl(self->r.reader, F_GETFD) & FD_CLOEXEC);
	EXPECT_NE(0, fcntl(self->r.token, F_GETFD) & FD_CLOEXEC);
}

TEST_F(record, jobs_of_a_child)
{
	struct drm_vshader_record_head head;
	struct drm_vshader_dump_section s;
	const struct drm_vshader_dump_job *job;
	unsigned int i;
	pid_t pid;

	ASSERT_EQ(0, record(self->fd, 0, &self->r));
	pid = start(3, 0);
	ASSERT_LT(0, pid);
	close(self->r.token);
	self->r.token = -1;
	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(1, next_record(self->r.reader, &head, self->dump));
		EXPECT_EQ(0, head.flags);
		EXPECT_EQ(i, head.submit);
		EXPECT_EQ(0, head.job);
		EXPECT_EQ(1, head.jobs);
		EXPECT_EQ((__u64)pid, head.pid);
		job = vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_JOB, &s);
		ASSERT_NE(NULL, job);
		EXPECT_EQ(0, job->status);
		EXPECT_EQ(VST_COUNT, job->invocations);
		EXPECT_NE(NULL, vst_dump_section(self->dump, head.size,
						 DRM_VSHADER_DUMP_SHADER_JOB, &s));
		EXPECT_NE(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_CODE,
						 &s));
		ASSERT_NE(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_MEMORY,
						 &s));
		EXPECT_LT(0, s.count);
		ASSERT_NE(NULL, vst_dump_section(self->dump, head.size,
						 DRM_VSHADER_DUMP_MEMORY_AFTER, &s));
		/* the first one writes the output, the others the same again */
		if (i == 1)
			EXPECT_LT(0, s.count);
	}
	EXPECT_EQ(0, finish(pid));
	EXPECT_EQ(0, next_record(self->r.reader, &head, self->dump));
}

/* A file of before, and one of a process that does not have the token. */
TEST_F(record, who_is_not_recorded)
{
	struct pollfd p = { .events = POLLIN };
	struct vst_job j;
	struct vst t;
	pid_t pid;

	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	ASSERT_EQ(0, record(self->fd, 0, &self->r));
	vst_default_job(&t, &j);
	EXPECT_EQ(0, vst_run(t.fd, &j));
	pid = fork();
	if (!pid) {
		close(self->r.token);
		_exit(work(1, 0));
	}
	EXPECT_EQ(0, finish(pid));
	p.fd = self->r.reader;
	EXPECT_EQ(0, poll(&p, 1, 0));
	close(self->r.token);
	self->r.token = -1;
	EXPECT_EQ(1, poll(&p, 1, 1000));
	EXPECT_NE(0, p.revents & POLLHUP);
	vst_teardown(&t);
}

/* By its name alone: the root directory of a test machine may be closed to others. */
static int name_device(void)
{
	char path[64];

	if (vst_node(0, path, sizeof(path)) || chdir("/dev/dri"))
		return -1;
	setenv("VSHADER_DEVICE", strrchr(path, '/') + 1, 1);
	return 0;
}

TEST_F(record, another_user)
{
	struct drm_vshader_record_head head;
	struct stat st;
	pid_t pid;
	int ret;

	if (geteuid())
		SKIP(return, "needs to be root");
	ASSERT_EQ(0, record(self->fd, 0, &self->r));
	/* for as long as this takes everybody may open the device */
	ASSERT_EQ(0, fstat(self->fd, &st));
	ASSERT_EQ(0, fchmod(self->fd, (st.st_mode & 07777) | 0666));
	pid = fork();
	if (!pid) {
		if (name_device() || setresgid(65534, 65534, 65534) ||
		    setresuid(65534, 65534, 65534))
			_exit(100);
		_exit(vst_open() < 0 ? 100 : work(1, 0));
	}
	ret = finish(pid);
	EXPECT_EQ(0, fchmod(self->fd, st.st_mode & 07777));
	close(self->r.token);
	self->r.token = -1;
	if (ret == 100)
		SKIP(return, "nobody may not open the device");
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, next_record(self->r.reader, &head, self->dump));
}

TEST_F(record, reader_is_gone)
{
	pid_t pid;

	ASSERT_EQ(0, record(self->fd, 0, &self->r));
	close(self->r.reader);
	self->r.reader = -1;
	/* also one that the child has inherited */
	pid = start(3, 0);
	EXPECT_EQ(0, finish(pid));
}

TEST_F(record, reader_goes_away)
{
	struct drm_vshader_record_head head;
	int other[2], status;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(other));
	ASSERT_EQ(0, record(self->fd, 1, &self->r));
	pid = fork();
	if (!pid) {
		close(self->r.reader);
		close(other[1]);
		status = work(1, 64);
		/* while nobody reads and there is no room the reader is closed */
		if (read(other[0], &c, 1) < 0 || !status)
			status = work(8, 64);
		_exit(status);
	}
	ASSERT_EQ(1, next_record(self->r.reader, &head, self->dump));
	close(self->r.reader);
	self->r.reader = -1;
	close(other[1]);
	EXPECT_EQ(0, finish(pid));
	close(other[0]);
}

/* Who reads too late finds records that are incomplete; the jobs have gone on. */
TEST_F(record, slow_reader)
{
	struct drm_vshader_record_head head;
	unsigned int complete = 0, incomplete = 0;
	pid_t pid;

	ASSERT_EQ(0, record(self->fd, 1, &self->r));
	pid = start(8, 100);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, finish(pid));
	close(self->r.token);
	self->r.token = -1;
	while (next_record(self->r.reader, &head, self->dump) == 1) {
		if (head.flags & DRM_VSHADER_RECORD_INCOMPLETE)
			incomplete++;
		else
			complete++;
	}
	EXPECT_LT(0, complete);
	EXPECT_LT(0, incomplete);
	EXPECT_EQ(8, complete + incomplete);
}

/* More memory than records may take. */
TEST_F(record, too_large)
{
	struct drm_vshader_record_head head;
	pid_t pid;

	ASSERT_EQ(0, record(self->fd, 1, &self->r));
	pid = start(1, 512);
	EXPECT_EQ(0, finish(pid));
	close(self->r.token);
	self->r.token = -1;
	ASSERT_EQ(1, next_record(self->r.reader, &head, self->dump));
	EXPECT_EQ(DRM_VSHADER_RECORD_INCOMPLETE, head.flags);
	EXPECT_EQ(0, head.size);
}

/* Killed in the middle of it. */
TEST_F(record, killed)
{
	struct drm_vshader_record_head head;
	pid_t pid;
	int ret;

	ASSERT_EQ(0, record(self->fd, 1, &self->r));
	pid = start(100, 100);
	ASSERT_LT(0, pid);
	close(self->r.token);
	self->r.token = -1;
	ASSERT_EQ(1, next_record(self->r.reader, &head, self->dump));
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, finish(pid));
	do {
		ret = next_record(self->r.reader, &head, self->dump);
	} while (ret == 1);
	EXPECT_EQ(0, ret);
}

TEST_HARNESS_MAIN
