// SPDX-License-Identifier: GPL-2.0
/*
 * Hotplug: unbind and bind through sysfs with work in flight; several devices.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <linux/userfaultfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "vshader_drm_debug.h"
#include "vshader_test.h"

FIXTURE(unplug) {
	struct vst t;
	struct vst_job j;
	char driver[512];
	char name[256];
};

/* Name of the device and path of its driver in sysfs. */
static int find_device(int fd, char *driver, size_t size, char *name, size_t name_size)
{
	char path[128], real[512], *slash;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	snprintf(path, sizeof(path), "/sys/dev/char/226:%u/device", minor(st.st_rdev));
	if (!realpath(path, real))
		return -errno;
	slash = strrchr(real, '/');
	snprintf(name, name_size, "%s", slash + 1);
	snprintf(path, sizeof(path), "/sys/dev/char/226:%u/device/driver", minor(st.st_rdev));
	if (!realpath(path, real))
		return -errno;
	snprintf(driver, size, "%s", real);
	return 0;
}

FIXTURE_SETUP(unplug)
{
	int ret;

	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	ret = find_device(self->t.fd, self->driver, sizeof(self->driver), self->name,
			  sizeof(self->name));
	if (ret || geteuid() || access(self->driver, W_OK))
		SKIP(return, "needs the rights to unbind devices");
}

FIXTURE_TEARDOWN(unplug)
{
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static int driver_file(FIXTURE_DATA(unplug) *self, const char *file)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", self->driver, file);
	return vst_write_file(path, self->name);
}

/* Device files appear a little after the bind. */
static int rebind(FIXTURE_DATA(unplug) *self)
{
	int ret = driver_file(self, "bind"), fd, i;

	for (i = 0; i < 3000 && !ret; i++) {
		fd = vst_open();
		if (fd >= 0) {
			close(fd);
			return 0;
		}
		usleep(20000);
	}
	return ret ? ret : -ENODEV;
}

static int each_ioctl(int fd, unsigned int nr)
{
	static const unsigned int sizes[] = {
		16, 16, 8, 24, 24, 16, 16, 80, 8, 16, 32, 8, 104, 88,
	};
	__u64 arg[16] = { 0 };

	return vst_ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'd', DRM_COMMAND_BASE + nr, sizes[nr]),
			 arg);
}

TEST_F(unplug, idle)
{
	unsigned int nr;

	ASSERT_EQ(0, driver_file(self, "unbind"));
	for (nr = 0; nr <= DRM_VSHADER_SUBMIT; nr++) {
		EXPECT_EQ(-ENODEV, each_ioctl(self->t.fd, nr))
			TH_LOG("ioctl %u", nr);
	}
	/* memory that is mapped stays */
	self->t.out.u32[0] = 1;
	EXPECT_EQ(1, self->t.out.u32[0]);
	EXPECT_EQ(0, rebind(self));
	/* the old file stays dead */
	EXPECT_EQ(-ENODEV, each_ioctl(self->t.fd, DRM_VSHADER_DEV_QUERY));
}

/* A running job ends, its fence reports the error, and unbind does not wait for its time limit. */
TEST_F(unplug, running_job)
{
	int file, status = 1, i;
	__u32 done;

	ASSERT_EQ(0, vst_program(self->t.fd, &vst_spin, &self->j.shader.program));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	file = vst_export_sync_file(self->t.fd, done);
	ASSERT_LE(0, file);
	EXPECT_EQ(-ETIME, vst_wait(self->t.fd, done, 20));
	ASSERT_EQ(0, driver_file(self, "unbind"));
	for (i = 0; i < 6000; i++) {
		status = vst_sync_file_status(file);
		if (status != 1)
			break;
		usleep(10000);
	}
	EXPECT_TRUE(status == -ECANCELED || status == -ENODEV)
		TH_LOG("%d", status);
	close(file);
	EXPECT_EQ(0, rebind(self));
}

/* The next event of a type. Return: false: there is none. */
static bool next_event(int dbg, __u32 type, struct drm_vshader_debug_event *ev)
{
	struct pollfd p = { .fd = dbg, .events = POLLIN };

	while (poll(&p, 1, 20000 * (int)vst_scale()) > 0) {
		if (read(dbg, ev, sizeof(*ev)) != sizeof(*ev))
			return false;
		if (ev->type == type)
			return true;
	}
	return false;
}

/* A job that its debugger has stopped ends, too, and the debugger hears of it. */
TEST_F(unplug, stopped_job)
{
	struct drm_vshader_queue_create queue = {
		.engine = DRM_VSHADER_ENGINE_PICA, .vm_id = self->t.vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM, .flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	struct drm_vshader_debug_attach attach = { .flags = DRM_VSHADER_DEBUG_STOP_START };
	struct drm_vshader_debug_resume resume = { };
	struct drm_vshader_debug_stop stop = { };
	struct drm_vshader_debug_event ev;

	ASSERT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &queue));
	attach.queue_id = queue.id;
	ASSERT_EQ(0, vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &attach));
	self->j.job.queue_id = queue.id;
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	ASSERT_TRUE(next_event(attach.fd, DRM_VSHADER_DEBUG_EVENT_STOP, &ev));
	EXPECT_EQ(DRM_VSHADER_DEBUG_REASON_START, ev.reason);
	ASSERT_EQ(0, driver_file(self, "unbind"));
	/* unbind has waited for the job; nothing else could have ended it */
	EXPECT_TRUE(next_event(attach.fd, DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE, &ev));
	EXPECT_TRUE(next_event(attach.fd, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev));
	EXPECT_NE(0, ev.status);
	EXPECT_EQ(0, read(attach.fd, &ev, sizeof(ev)));
	if (!ioctl(attach.fd, DRM_IOCTL_VSHADER_DEBUG_GET_STOP, &stop))
		EXPECT_EQ(DRM_VSHADER_DEBUG_STATE_GONE, stop.state);
	EXPECT_EQ(-1, ioctl(attach.fd, DRM_IOCTL_VSHADER_DEBUG_RESUME, &resume));
	close(attach.fd);
	EXPECT_EQ(0, rebind(self));
}

TEST_F(unplug, many_waiting_jobs)
{
	struct vst_gate gate;
	__u32 wait;
	int i, ret;

	ret = vst_gate_new(&gate, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	vst_job_sync(&self->j, 0, wait, 0);
	for (i = 0; i < 20; i++)
		ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	/* the gate opens by itself if unbind should wait for it: that is vgem's promise */
	EXPECT_EQ(0, driver_file(self, "unbind"));
	EXPECT_EQ(0, vst_gate_open(&gate));
	vst_gate_free(&gate);
	EXPECT_EQ(0, rebind(self));
}

static void *submitter(void *arg)
{
	FIXTURE_DATA(unplug) *self = arg;
	int ret;

	do {
		ret = vst_submit(self->t.fd, &self->j);
		if (ret == -EBUSY)
			usleep(1000);
	} while (!ret || ret == -EBUSY || ret == -EIO);
	return (void *)(long)ret;
}

TEST_F(unplug, during_submits)
{
	pthread_t thread;
	void *ret;

	ASSERT_EQ(0, pthread_create(&thread, NULL, submitter, self));
	usleep(10000);
	ASSERT_EQ(0, driver_file(self, "unbind"));
	pthread_join(thread, &ret);
	EXPECT_EQ(-ENODEV, (long)ret);
	EXPECT_EQ(0, rebind(self));
}

/* Nothing of a closed file may keep the device from going. */
TEST_F(unplug, again_and_again)
{
	int i;

	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, driver_file(self, "unbind"));
		vst_teardown(&self->t);
		ASSERT_EQ(0, rebind(self));
		ASSERT_EQ(0, vst_setup(&self->t, &vst_mov));
		vst_default_job(&self->t, &self->j);
		EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	}
}

/* ---- user memory that does not arrive ---- */

/**
 * struct stuck - Page that blocks every access to it.
 * @uffd: userfaultfd
 * @page: page
 * @fd: file that an ioctl reads it through
 * @ret: result of that ioctl
 */
struct stuck {
	int uffd;
	int done;	/* pipe that is closed when the page may arrive */
	bool late;	/* it was not closed in time */
	void *page;
	int fd;
	int ret;
};

static int make_stuck(struct stuck *s)
{
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };

	s->uffd = syscall(__NR_userfaultfd, O_CLOEXEC);
	if (s->uffd < 0)
		return -errno;
	s->page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (__u64)(unsigned long)s->page;
	reg.range.len = PAGE;
	if (s->page == MAP_FAILED || ioctl(s->uffd, UFFDIO_API, &api) ||
	    ioctl(s->uffd, UFFDIO_REGISTER, &reg))
		return -errno;
	return 0;
}

/* Closing the descriptor lets the page arrive, as zeros. */
static void *release_later(void *arg)
{
	struct stuck *s = arg;
	struct pollfd end = { .fd = s->done };

	s->late = poll(&end, 1, 60000) == 0;
	close(s->uffd);
	return NULL;
}

static void *stuck_submit(void *arg)
{
	struct stuck *s = arg;
	struct drm_vshader_submit submit = {
		.jobs = {
			.count = 1, .stride = sizeof(struct drm_vshader_job),
			.array = (__u64)(unsigned long)s->page,
		},
	};

	s->ret = vst_ioctl(s->fd, DRM_IOCTL_VSHADER_SUBMIT, &submit);
	return NULL;
}

/* An ioctl that waits for user memory cannot block unplugging. */
TEST_F(unplug, stuck_ioctl)
{
	struct stuck s = { .fd = self->t.fd };
	pthread_t submitter, releaser;
	struct uffd_msg msg;
	int ret, ends[2];

	ret = make_stuck(&s);
	if (ret == -ENOSYS || ret == -EPERM)
		SKIP(return, "no userfaultfd");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pipe(ends));
	s.done = ends[0];
	ASSERT_EQ(0, pthread_create(&submitter, NULL, stuck_submit, &s));
	ASSERT_EQ(0, pthread_create(&releaser, NULL, release_later, &s));
	/* the submit waits for its page now */
	ASSERT_EQ(sizeof(msg), read(s.uffd, &msg, sizeof(msg)));
	EXPECT_EQ(0, driver_file(self, "unbind"));
	close(ends[1]);
	pthread_join(releaser, NULL);
	close(ends[0]);
	EXPECT_FALSE(s.late);
	pthread_join(submitter, NULL);
	EXPECT_GT(0, s.ret);
	munmap(s.page, PAGE);
	EXPECT_EQ(0, rebind(self));
}

/* Buffers that another driver still holds. */
TEST_F(unplug, exported_buffer)
{
	__u32 handle;
	__u8 *map;
	int dmabuf;

	ASSERT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &handle));
	ASSERT_EQ(0, vst_prime_export(self->t.fd, handle, &dmabuf));
	map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, dmabuf, 0);
	ASSERT_NE(MAP_FAILED, (void *)map);
	ASSERT_EQ(0, driver_file(self, "unbind"));
	vst_teardown(&self->t);
	map[0] = 5;
	EXPECT_EQ(5, map[0]);
	munmap(map, PAGE);
	close(dmabuf);
	EXPECT_EQ(0, rebind(self));
}

static void *read_record(void *arg)
{
	char buf[4096];
	int fd = (long)arg;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		;
	return (void *)n;
}

/* A recorder that waits for the next record gets the end of the file, and holds nothing up. */
TEST_F(unplug, recorder)
{
	struct pollfd p = { .events = POLLIN };
	pthread_t thread;
	char path[64];
	struct stat st;
	void *ret;
	int other;

	ASSERT_EQ(0, fstat(self->t.fd, &st));
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/record", minor(st.st_rdev));
	if (!vst_has_debugfs())
		SKIP(return, "no debugfs");
	p.fd = open(path, O_RDWR);
	ASSERT_LE(0, p.fd);
	other = open(path, O_RDWR);
	ASSERT_EQ(5, write(p.fd, "start", 5));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_record, (void *)(long)p.fd));
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	ASSERT_EQ(0, vst_program(self->t.fd, &vst_spin, &self->j.shader.program));
	ASSERT_EQ(0, vst_submit(self->t.fd, &self->j));
	usleep(20000);
	ASSERT_EQ(0, driver_file(self, "unbind"));
	pthread_join(thread, &ret);
	EXPECT_EQ(0, (long)ret);
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_NE(0, p.revents & POLLHUP);
	/* one that is open and has not started */
	EXPECT_EQ(-1, write(other, "start", 5));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(0, rebind(self));
	close(other);
	close(p.fd);
}

/* A client that executes on several queues until the device is gone. */
static void load_device(int ready)
{
	struct drm_vshader_queue_get_state st;
	__u32 program, queue;
	struct vst_job j;
	struct vst t;
	int i;

	if (vst_setup(&t, &vst_mov) || vst_program(t.fd, &vst_spin, &program))
		_exit(1);
	vst_default_job(&t, &j);
	j.shader.program = program;
	j.job.result_va = 0;
	for (i = 0; i < 4; i++) {
		if (vst_queue(t.fd, t.vm, 0, 0, &queue))
			_exit(2);
		j.job.queue_id = queue;
		if (vst_submit(t.fd, &j) || vst_submit(t.fd, &j))
			_exit(3);
	}
	if (write(ready, "", 1) != 1)
		_exit(4);
	for (i = 0; i < 6000; i++) {
		if (vst_queue_state(t.fd, queue, &st) == -ENODEV)
			_exit(0);
		usleep(10000);
	}
	_exit(5);
}

/* Clients that keep all CPUs busy hold up nothing. */
TEST_F_TIMEOUT(unplug, under_load, 120)
{
	pid_t pid[6];
	int ready[2], status;
	unsigned int i;
	char c;

	ASSERT_EQ(0, pipe(ready));
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		pid[i] = fork();
		if (!pid[i])
			load_device(ready[1]);
	}
	for (i = 0; i < ARRAY_SIZE(pid); i++)
		ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, driver_file(self, "unbind"));
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		EXPECT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(0, WEXITSTATUS(status));
	}
	EXPECT_EQ(0, rebind(self));
}

/* Every device works and none knows the others' objects. */
TEST(several_devices)
{
	char path[64];
	unsigned int n = 0;

	while (!vst_node(n, path, sizeof(path))) {
		setenv("VSHADER_DEVICE", path, 1);
		EXPECT_EQ(0, vst_alive())
			TH_LOG("%s", path);
		n++;
	}
	if (!n)
		SKIP(return, "no vshader render node");
	if (n == 1)
		SKIP(return, "one device only (module parameter)");
}

TEST_HARNESS_MAIN
