// SPDX-License-Identifier: GPL-2.0
/*
 * Recording of jobs through debugfs: commands, contents of records, clients, full buffers,
 * recorders that attach and detach.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>

#include "vshader_drm_debug.h"
#include "vshader_test.h"
#include "vst_dump.h"

#define MAX_RECORD	(8 << 20)

FIXTURE(record) {
	struct vst t;
	struct vst_job j;
	char path[64];
	int fd;
	char *dump;
	void *bad;		/* no access */
};

FIXTURE_SETUP(record)
{
	struct stat st;

	self->fd = -1;
	self->dump = NULL;
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	ASSERT_EQ(0, fstat(self->t.fd, &st));
	snprintf(self->path, sizeof(self->path), "/sys/kernel/debug/dri/%u/record",
		 minor(st.st_rdev));
	if (!vst_has_debugfs())
		SKIP(return, "needs debugfs and its rights");
	self->fd = open(self->path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->dump = malloc(MAX_RECORD);
	ASSERT_NE(NULL, self->dump);
	self->bad = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->bad);
}

FIXTURE_TEARDOWN(record)
{
	if (self->fd >= 0)
		close(self->fd);
	free(self->dump);
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static int command(int fd, const char *text)
{
	ssize_t n = write(fd, text, strlen(text));

	return n < 0 ? -errno : n == (ssize_t)strlen(text) ? 0 : -EIO;
}

/* A record and its dump. Return: 1, 0 at the end, -1 if it is none, or if it has no dump. */
static int next_record(FIXTURE_DATA(record) *self, struct drm_vshader_record_head *head)
{
	const struct drm_vshader_dump_header *h = (void *)self->dump;
	size_t done = 0;
	ssize_t n;

	n = read(self->fd, head, sizeof(*head));
	if (!n)
		return 0;
	if (n != sizeof(*head) || head->size > MAX_RECORD)
		return -1;
	while (done < head->size) {
		n = read(self->fd, self->dump + done, head->size - done);
		if (n <= 0)
			return -1;
		done += n;
	}
	return !head->size || h->size == head->size ? 1 : -1;
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & POLLIN;
}

static unsigned long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

TEST_F(record, commands)
{
	static const char * const bad[] = {
		"x", "client", "client=", "client=x", "size=0", "size=-1", "=1", "size=1 y",
		"client=0x10000000000000000", "after=0xffffffffffffffff",
	};
	char text[200];
	unsigned int i;
	int other;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, command(self->fd, bad[i]))
			TH_LOG("%s", bad[i]);
	}
	EXPECT_EQ(-E2BIG, command(self->fd, "size=1025"));
	memset(text, ' ', sizeof(text));
	text[sizeof(text) - 1] = 0;
	EXPECT_EQ(-E2BIG, command(self->fd, text));
	EXPECT_EQ(-1, write(self->fd, self->bad, 5));
	/* tools that read all of debugfs are not held up */
	EXPECT_EQ(0, read(self->fd, text, sizeof(text)));
	EXPECT_EQ(0, command(self->fd, " size=1\nafter=0\tstart\n"));
	EXPECT_EQ(-EBUSY, command(self->fd, "start"));
	other = open(self->path, O_RDWR);
	ASSERT_LE(0, other);
	EXPECT_EQ(-EBUSY, command(other, "start"));
	close(self->fd);
	self->fd = other;
	EXPECT_EQ(0, command(other, "start"));
}

TEST_F(record, rights)
{
	int status = 0;
	pid_t pid;

	if (geteuid())
		SKIP(return, "needs to be root");
	pid = fork();
	if (!pid) {
		if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
			_exit(100);
		_exit(open(self->path, O_RDONLY) < 0 ? errno : 101);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(EACCES, WEXITSTATUS(status));
}

TEST_F(record, contents)
{
	struct drm_vshader_record_head head;
	const struct drm_vshader_dump_job *job;
	struct drm_vshader_dump_section s;
	const char *p, *end;
	__u64 run[2];
	unsigned int i;
	bool found;

	ASSERT_EQ(0, command(self->fd, "start"));
	EXPECT_FALSE(is_readable(self->fd));
	for (i = 1; i <= 3; i++) {
		/* two jobs may take the same time: then their results are equal */
		memset(self->t.result.map, 0xff, sizeof(struct drm_vshader_job_result));
		ASSERT_EQ(0, vst_run(self->t.fd, &self->j));
	}
	EXPECT_TRUE(is_readable(self->fd));
	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(1, next_record(self, &head));
		EXPECT_EQ(0, head.flags);
		EXPECT_EQ(0, head.lost);
		EXPECT_EQ((__u64)getpid(), head.pid);
		EXPECT_EQ(vst_client_id(self->t.fd), head.client);
		job = vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_JOB, &s);
		ASSERT_NE(NULL, job);
		EXPECT_EQ(i, job->number);
		EXPECT_EQ(0, job->status);
		EXPECT_EQ(VST_COUNT, job->invocations);
		EXPECT_NE(NULL, vst_dump_section(self->dump, head.size,
						 DRM_VSHADER_DUMP_SHADER_JOB, &s));
		EXPECT_NE(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_CODE,
						 &s));
		ASSERT_NE(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_MAP,
						 &s));
		EXPECT_EQ(3, s.count);
		/* the input before the job; the output only from the second one on */
		p = vst_dump_memory(self->dump, head.size, self->t.in.va, &(size_t){ 0 });
		ASSERT_NE(NULL, p);
		EXPECT_EQ(0, memcmp(p, self->t.in.map, PAGE));
		p = vst_dump_memory(self->dump, head.size, self->t.out.va, &(size_t){ 0 });
		EXPECT_EQ(i > 1, !!p);
		/* changed memory: the output by the first job, the result by all */
		p = vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_MEMORY_AFTER, &s);
		ASSERT_NE(NULL, p);
		EXPECT_EQ(i == 1 ? 2 : 1, s.count);
		found = false;
		for (end = p + s.size; p < end; p += sizeof(run) + run[1]) {
			memcpy(run, p, sizeof(run));
			if (run[0] != self->t.out.va)
				continue;
			found = true;
			EXPECT_EQ(0, memcmp(p + sizeof(run), self->t.out.map, PAGE));
		}
		EXPECT_EQ(i == 1, found);
	}
	EXPECT_FALSE(is_readable(self->fd));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read(self->fd, &head, sizeof(head)));
	EXPECT_EQ(EAGAIN, errno);
}

TEST_F(record, byte_by_byte)
{
	struct drm_vshader_record_head head;
	char *p = (char *)&head;
	unsigned int i;
	__u64 at;

	ASSERT_EQ(0, command(self->fd, "start"));
	ASSERT_EQ(0, vst_run(self->t.fd, &self->j));
	for (i = 0; i < sizeof(head); i++)
		ASSERT_EQ(1, read(self->fd, p + i, 1));
	ASSERT_GT(MAX_RECORD, head.size);
	for (at = 0; at < head.size; at += i) {
		i = head.size - at < 1001 ? head.size - at : 1001;
		ASSERT_EQ(i, read(self->fd, self->dump + at, i));
		/* a bad address loses nothing */
		if (at + i < head.size)
			EXPECT_EQ(-1, read(self->fd, self->bad, 1));
	}
	EXPECT_EQ(head.size, ((struct drm_vshader_dump_header *)self->dump)->size);
	EXPECT_FALSE(is_readable(self->fd));
}

TEST_F(record, faults)
{
	struct drm_vshader_record_head head;
	struct drm_vshader_dump_section s;
	const struct drm_vshader_dump_job *job;

	ASSERT_EQ(0, command(self->fd, "start"));
	self->j.out[0].va = VA(99);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	job = vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	EXPECT_EQ(-EIO, job->status);
	EXPECT_EQ(DRM_VSHADER_FAULT_WRITE, job->fault.kind);
	/* the queue is banned: jobs that are not executed are not recorded */
	EXPECT_NE(0, vst_run(self->t.fd, &self->j));
	EXPECT_FALSE(is_readable(self->fd));
}

TEST_F(record, clients)
{
	struct drm_vshader_record_head head;
	struct vst_job j;
	char text[64];
	struct vst t;

	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	vst_default_job(&t, &j);
	snprintf(text, sizeof(text), "client=%llu", vst_client_id(t.fd));
	ASSERT_EQ(0, command(self->fd, text));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_FALSE(is_readable(self->fd));
	EXPECT_EQ(0, vst_run(t.fd, &j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(vst_client_id(t.fd), head.client);

	close(self->fd);
	self->fd = open(self->path, O_RDWR);
	snprintf(text, sizeof(text), "after=%llu", vst_client_id(t.fd));
	ASSERT_EQ(0, command(self->fd, text));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_run(t.fd, &j));
	EXPECT_FALSE(is_readable(self->fd));
	vst_teardown(&t);
	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	vst_default_job(&t, &j);
	EXPECT_EQ(0, vst_run(t.fd, &j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(vst_client_id(t.fd), head.client);
	vst_teardown(&t);
}

/* More pages that are not zero. */
static int add_pages(FIXTURE_DATA(record) *self, unsigned int pages)
{
	struct vst_buf more;
	int ret = vst_buf_new(&more, self->t.fd, self->t.vm, VA(50), pages * PAGE, true);

	if (!ret)
		memset(more.map, 0x5a, pages * PAGE);
	return ret;
}

static unsigned long long run_jobs(FIXTURE_DATA(record) *self, unsigned int n, int *ret)
{
	unsigned long long began = now_ms();

	for (*ret = 0; n && !*ret; n--)
		*ret = vst_run(self->t.fd, &self->j);
	return now_ms() - began;
}

/* A reader that never reads blocks nothing, and learns the number of missed jobs. */
TEST_F(record, never_read)
{
	struct drm_vshader_record_head head;
	unsigned int jobs = 0, lost = 0, gaps = 0;
	unsigned long long plain, full;
	int ret;

	ASSERT_EQ(0, add_pages(self, 100));
	plain = run_jobs(self, 64, &ret);
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, command(self->fd, "size=1"));
	/* two fit */
	run_jobs(self, 4, &ret);
	ASSERT_EQ(0, ret);
	full = run_jobs(self, 64, &ret);
	ASSERT_EQ(0, ret);
	printf("# 64 jobs: %llu ms, not recorded %llu ms\n", full, plain);
	while (is_readable(self->fd)) {
		ASSERT_EQ(1, next_record(self, &head));
		jobs += !!head.size;
		gaps += !!head.lost;
		lost += head.lost;
	}
	EXPECT_EQ(2, jobs);
	EXPECT_EQ(1, gaps);
	EXPECT_EQ(66, lost);
	/* there is room again */
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_NE(0, head.size);
	EXPECT_EQ(0, head.lost);
}

/* A gap stands where the jobs are missing. */
TEST_F(record, too_large)
{
	struct drm_vshader_record_head head;
	struct vst_job j;
	struct vst t;

	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	vst_default_job(&t, &j);
	ASSERT_EQ(0, add_pages(self, 512));
	ASSERT_EQ(0, command(self->fd, "size=1"));
	EXPECT_EQ(0, vst_run(t.fd, &j));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, vst_run(t.fd, &j));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(0, head.lost);
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(2, head.lost);
	EXPECT_EQ(vst_client_id(t.fd), head.client);
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(1, head.lost);
	EXPECT_EQ(0, head.size);
	EXPECT_FALSE(is_readable(self->fd));
	vst_teardown(&t);
}

/* Room for the memory before the job, but not for the changes. */
TEST_F(record, incomplete)
{
	const unsigned int count = 2 * 65536;
	struct drm_vshader_record_head head;
	struct drm_vshader_dump_section s;
	struct vst_buf large;

	ASSERT_EQ(0, vst_buf_new(&large, self->t.fd, self->t.vm, VA(50), count * 16, true));
	vst_job_init(&self->j, self->t.queue, self->t.program, count);
	/* all read the second vertex */
	vst_job_attr(&self->j, 0, self->t.in.va + 16, DRM_VSHADER_FORMAT_F32, 4, 0);
	vst_job_out(&self->j, 0, large.va);
	ASSERT_EQ(0, command(self->fd, "size=1"));
	ASSERT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(DRM_VSHADER_RECORD_INCOMPLETE, head.flags);
	EXPECT_NE(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_MEMORY, &s));
	EXPECT_EQ(NULL, vst_dump_section(self->dump, head.size, DRM_VSHADER_DUMP_MEMORY_AFTER,
					 &s));
}

/* Submit a job that stays before its first instruction until the file is closed. */
static int stopped_job(FIXTURE_DATA(record) *self)
{
	struct drm_vshader_queue_create queue = {
		.engine = DRM_VSHADER_ENGINE_PICA, .vm_id = self->t.vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM, .flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	struct drm_vshader_debug_attach attach = { .flags = DRM_VSHADER_DEBUG_STOP_START };
	struct drm_vshader_debug_event ev = { };
	struct pollfd p = { .events = POLLIN };
	struct vst_job j;

	if (vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &queue))
		return -1;
	attach.queue_id = queue.id;
	if (vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &attach))
		return -1;
	vst_default_job(&self->t, &j);
	j.job.queue_id = queue.id;
	if (vst_submit(self->t.fd, &j))
		return -1;
	p.fd = attach.fd;
	while (ev.type != DRM_VSHADER_DEBUG_EVENT_STOP) {
		if (poll(&p, 1, 20000 * (int)vst_scale()) != 1 ||
		    read(attach.fd, &ev, sizeof(ev)) != sizeof(ev))
			return -1;
	}
	return attach.fd;
}

/* Jobs of one address space that run at the same time. */
TEST_F(record, overlapped)
{
	struct drm_vshader_record_head head;
	struct vst_job j;
	struct vst t;
	int stopped;

	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	vst_default_job(&t, &j);
	ASSERT_EQ(0, command(self->fd, "start"));
	stopped = stopped_job(self);
	ASSERT_LE(0, stopped);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(DRM_VSHADER_RECORD_OVERLAPPED, head.flags);
	/* another address space */
	EXPECT_EQ(0, vst_run(t.fd, &j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(0, head.flags);
	/* resume; the job waits for the record */
	close(stopped);
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(DRM_VSHADER_RECORD_OVERLAPPED, head.flags);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	EXPECT_EQ(0, head.flags);
	vst_teardown(&t);
}

/* The recorder closes, and another one opens, while a job runs. */
TEST_F(record, closed_meanwhile)
{
	struct drm_vshader_record_head head;
	int stopped;

	ASSERT_EQ(0, command(self->fd, "start"));
	stopped = stopped_job(self);
	ASSERT_LE(0, stopped);
	close(self->fd);
	self->fd = open(self->path, O_RDWR);
	ASSERT_EQ(0, command(self->fd, "start"));
	close(stopped);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(1, next_record(self, &head));
	/* not the job that began before */
	EXPECT_EQ(0, head.flags);
	EXPECT_FALSE(is_readable(self->fd));
}

/* Run jobs in a file of its own until stopped. */
static pid_t start_client(unsigned int jobs, unsigned int pages)
{
	FIXTURE_DATA(record) self = { };
	int ret = 1;
	pid_t pid = fork();

	if (pid)
		return pid;
	if (vst_setup(&self.t, &vst_mov) || (pages && add_pages(&self, pages)))
		_exit(2);
	vst_default_job(&self.t, &self.j);
	run_jobs(&self, jobs, &ret);
	_exit(ret ? 3 : 0);
}

static int finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Each job is recorded or counted, and each record is whole. */
TEST_F(record, many_clients)
{
	struct drm_vshader_record_head head;
	unsigned int i, jobs = 0, complete = 0;
	pid_t pid[4];

	ASSERT_EQ(0, command(self->fd, "size=1"));
	for (i = 0; i < ARRAY_SIZE(pid); i++)
		pid[i] = start_client(50, 20 * i);
	while (jobs < 50 * ARRAY_SIZE(pid)) {
		ASSERT_EQ(1, next_record(self, &head));
		EXPECT_EQ(0, head.flags & DRM_VSHADER_RECORD_OVERLAPPED);
		jobs += head.lost + !!head.size;
		complete += !!head.size;
	}
	EXPECT_EQ(50 * ARRAY_SIZE(pid), jobs);
	EXPECT_LT(0, complete);
	for (i = 0; i < ARRAY_SIZE(pid); i++)
		EXPECT_EQ(0, finish(pid[i]));
	EXPECT_FALSE(is_readable(self->fd));
}

/* Recorders open and close under load, and read little or nothing. */
TEST_F(record, come_and_go)
{
	unsigned int i, began = 0;
	pid_t pid[2];

	for (i = 0; i < ARRAY_SIZE(pid); i++)
		pid[i] = start_client(NEVER, 60);
	/* until one of them has met a job, as the clients may have to wait for a CPU */
	for (i = 0; i < 60 || (!began && i < 20000); i++) {
		close(self->fd);
		self->fd = open(self->path, O_RDWR | O_NONBLOCK);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, command(self->fd, i % 2 ? "size=1" : "size=4"));
		usleep(1000 * (i % 4));
		if (read(self->fd, self->dump, 1000 * (i % 60)) > 0)
			began++;
	}
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		kill(pid[i], SIGKILL);
		/* a job that failed would have ended it before */
		EXPECT_EQ(1000 + SIGKILL, finish(pid[i]));
	}
	EXPECT_LT(0, began);
}

static void *read_one(void *arg)
{
	FIXTURE_DATA(record) *self = arg;
	struct drm_vshader_record_head head;

	return (void *)(long)next_record(self, &head);
}

/* A reader that waits can be ended by a signal, and gets the next record otherwise. */
TEST_F(record, waiting_reader)
{
	pthread_t thread;
	int status;
	void *ret;
	pid_t pid;

	ASSERT_EQ(0, command(self->fd, "start"));
	pid = fork();
	if (!pid)
		_exit(read(self->fd, self->dump, 1) == 1);
	usleep(20000);
	kill(pid, SIGTERM);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_one, self));
	usleep(20000);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	pthread_join(thread, &ret);
	EXPECT_EQ(1, (long)ret);
}

TEST_HARNESS_MAIN
