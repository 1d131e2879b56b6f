// SPDX-License-Identifier: GPL-2.0
/*
 * Debugging: sessions through the ioctls, permissions, events that end a stopped job, and
 * that nothing ever waits for one. selftests/lib/test_debug.c tests the debug operations
 * for all engines, also on a device.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "vshader_drm_debug.h"
#include "vshader_test.h"
#include "vst_mali.h"

#define LANES		32
#define WHO		5
#define LONG_MS		(20000 * (int)vst_scale())

FIXTURE(debug) {
	struct vst_mali m;
	int dbg;
};

static int debug_queue(int fd, __u32 vm, __u32 *id)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_BIFROST,
		.vm_id = vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	*id = arg.id;
	return ret;
}

/* The file descriptor, which does not block, or a negative errno. */
static int attach(int fd, __u32 queue, __u32 flags, __u32 limit_ms)
{
	struct drm_vshader_debug_attach arg = {
		.queue_id = queue, .flags = flags, .stop_limit_ms = limit_ms,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &arg);

	if (!ret && fcntl(arg.fd, F_SETFL, O_NONBLOCK))
		return -errno;
	return ret ? ret : arg.fd;
}

static int call(int dbg, unsigned long request, void *arg)
{
	return ioctl(dbg, request, arg) ? -errno : 0;
}

static int set_break(int dbg, __u32 pc, __u32 flags)
{
	struct drm_vshader_debug_point p = {
		.pc = pc, .first = WHO, .last = WHO,
		.flags = DRM_VSHADER_DEBUG_POINT_FILTER | flags,
	};

	return call(dbg, DRM_IOCTL_VSHADER_DEBUG_SET_POINT, &p);
}

static int resume(int dbg, __u32 action)
{
	struct drm_vshader_debug_resume a = { .action = action };

	if (action >= DRM_VSHADER_DEBUG_STEP && action <= DRM_VSHADER_DEBUG_UNTIL)
		a.invocation = WHO;
	return call(dbg, DRM_IOCTL_VSHADER_DEBUG_RESUME, &a);
}

static int registers(int dbg, __u32 reg, __u32 *value, __u32 flags)
{
	struct drm_vshader_debug_registers a = {
		.invocation = WHO, .first = reg, .count = 1, .words = 1, .flags = flags,
		.values = PTR(value),
	};

	return call(dbg, DRM_IOCTL_VSHADER_DEBUG_REGISTERS, &a);
}

/* The next event of this type, others are passed over. 0, -ETIME, or -ENODEV at the end. */
static int wait_event(int dbg, __u32 type, struct drm_vshader_debug_event *ev, int ms)
{
	struct pollfd p = { .fd = dbg, .events = POLLIN };
	ssize_t n;

	for (;;) {
		n = read(dbg, ev, sizeof(*ev));
		if (!n)
			return -ENODEV;
		if (n == sizeof(*ev) && ev->type == type)
			return 0;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n < 0 && poll(&p, 1, ms) <= 0)
			return -ETIME;
	}
}

static int wait_stop(int dbg)
{
	struct drm_vshader_debug_event ev;

	return wait_event(dbg, DRM_VSHADER_DEBUG_EVENT_STOP, &ev, LONG_MS);
}

static void make_copy(struct vst_mali *m)
{
	const __u32 w[4] = { MALI_IN_VA, 0, MALI_OUT_VA, 0 };

	vst_mali_fill(m);
	memset(m->out.map, 0, PAGE);
	memset(m->res.map, 0xff, sizeof(*m->result));
	vst_mali_job(m, LANES, 1);
	memcpy(m->desc.map, w, sizeof(w));
	m->block.push.va = MALI_DESC_VA;
	m->block.push.count = 4;
}

/* A job of @m that is stopped at the store of its copy. */
static int stop_copy(struct vst_mali *m, int dbg)
{
	int ret;

	make_copy(m);
	ret = set_break(dbg, m->arch->copy_store, 0);
	if (!ret)
		ret = vst_submit(m->fd, &m->j);
	return ret ? ret : wait_stop(dbg);
}

/* The result in memory, when it is there. */
static int status_of(const struct vst_mali *m)
{
	int i;

	for (i = 0; i < LONG_MS / 10 && m->result->status == -1; i++)
		usleep(10000);
	return m->result->status;
}

FIXTURE_SETUP(debug)
{
	int ret = vst_mali_setup(&self->m, &vst_mali_bifrost);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
	vst_queue_destroy(self->m.fd, self->m.queue);
	ASSERT_EQ(0, debug_queue(self->m.fd, self->m.vm, &self->m.queue));
	ASSERT_EQ(0, vst_mali_program(&self->m, &vst_mali_bifrost.copy, DRM_VSHADER_STAGE_COMPUTE));
	self->dbg = attach(self->m.fd, self->m.queue, 0, 0);
	ASSERT_LE(0, self->dbg);
}

FIXTURE_TEARDOWN(debug)
{
	close(self->dbg);
	close(self->m.fd);
}

/* ---- a session ---- */

TEST_F(debug, change)
{
	struct vst_mali *m = &self->m;
	struct drm_vshader_debug_event ev;
	__u32 v = 0, i;

	ASSERT_EQ(0, stop_copy(m, self->dbg));
	EXPECT_EQ(0, registers(self->dbg, 1, &v, 0));
	EXPECT_EQ(m->in.u32[WHO], v);
	v = 0x1234567;
	EXPECT_EQ(0, registers(self->dbg, 1, &v, DRM_VSHADER_DEBUG_ACCESS_WRITE));
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_CONTINUE));
	EXPECT_EQ(0, wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev, LONG_MS));
	EXPECT_EQ(0, ev.status);
	EXPECT_EQ(0, m->result->status);
	for (i = 0; i < LANES; i++)
		EXPECT_EQ(i == WHO ? 0x1234567 : m->in.u32[i], m->out.u32[i]);
	EXPECT_EQ(-EAGAIN, registers(self->dbg, 1, &v, 0));
}

TEST_F(debug, events)
{
	struct drm_vshader_debug_event ev[8];
	struct pollfd p = { .fd = self->dbg, .events = POLLIN };
	__u64 last = 0;
	ssize_t n;
	int i;

	EXPECT_EQ(0, poll(&p, 1, 0));
	EXPECT_EQ(-1, read(self->dbg, ev, sizeof(ev)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(-1, read(self->dbg, ev, sizeof(ev[0]) - 1));
	EXPECT_EQ(EINVAL, errno);
	make_copy(&self->m);
	ASSERT_EQ(0, set_break(self->dbg, self->m.arch->copy_store,
			       DRM_VSHADER_DEBUG_POINT_ONE_SHOT));
	ASSERT_EQ(0, vst_submit(self->m.fd, &self->m.j));
	ASSERT_EQ(1, poll(&p, 1, LONG_MS));
	while (last < 2) {
		n = read(self->dbg, ev, sizeof(ev));
		for (i = 0; i < (int)(n / (ssize_t)sizeof(ev[0])); i++) {
			EXPECT_EQ(last + 1, ev[i].seq);
			last = ev[i].seq;
			EXPECT_EQ(last == 1 ? DRM_VSHADER_DEBUG_EVENT_JOB_START :
				  DRM_VSHADER_DEBUG_EVENT_STOP, ev[i].type);
			EXPECT_EQ(1, ev[i].job);
		}
	}
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_CONTINUE));
	EXPECT_EQ(0, wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, ev, LONG_MS));
}

/* The file descriptor has ioctls of a separate type. */
TEST_F(debug, numbers)
{
	struct drm_vshader_debug_stop stop;
	unsigned int nr = _IOC_NR(DRM_IOCTL_VSHADER_DEBUG_GET_STOP);

	EXPECT_EQ(0xd5, _IOC_TYPE(DRM_IOCTL_VSHADER_DEBUG_GET_STOP));
	EXPECT_EQ(5, nr);
	EXPECT_EQ(0, call(self->dbg, DRM_IOCTL_VSHADER_DEBUG_GET_STOP, &stop));
	EXPECT_EQ(-ENOTTY, call(self->dbg, _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, sizeof(stop)),
				&stop));
	EXPECT_EQ(-ENOTTY, call(self->dbg, _IOC(_IOC_READ | _IOC_WRITE, 'd',
						DRM_COMMAND_BASE + 0x40 + nr, sizeof(stop)),
				&stop));
}

/* Reads one event from a file descriptor that blocks. */
struct reader {
	pthread_t thread;
	int dbg;
	struct drm_vshader_debug_event ev;
	ssize_t n;
	int err;
	bool done;
};

static void *reader_fn(void *arg)
{
	struct reader *r = arg;

	r->n = read(r->dbg, &r->ev, sizeof(r->ev));
	r->err = errno;
	__atomic_store_n(&r->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static bool reader_done(struct reader *r)
{
	return __atomic_load_n(&r->done, __ATOMIC_ACQUIRE);
}

/* Starts to read. Returns whether read() blocks. */
static bool reader_start(struct reader *r, int dbg)
{
	*r = (struct reader){ .dbg = dbg };
	fcntl(dbg, F_SETFL, 0);
	if (pthread_create(&r->thread, NULL, reader_fn, r))
		return false;
	usleep(200000);
	return !reader_done(r);
}

TEST_F(debug, read_blocks)
{
	struct reader r;

	/* until there is an event */
	ASSERT_TRUE(reader_start(&r, self->dbg));
	make_copy(&self->m);
	ASSERT_EQ(0, vst_submit(self->m.fd, &self->m.j));
	EXPECT_EQ(0, pthread_join(r.thread, NULL));
	EXPECT_EQ(sizeof(r.ev), r.n);
	EXPECT_EQ(DRM_VSHADER_DEBUG_EVENT_JOB_START, r.ev.type);
	EXPECT_EQ(sizeof(r.ev), read(self->dbg, &r.ev, sizeof(r.ev)));
	EXPECT_EQ(DRM_VSHADER_DEBUG_EVENT_JOB_END, r.ev.type);
	/* until the queue is gone, which is an event, and then the end of the file */
	ASSERT_TRUE(reader_start(&r, self->dbg));
	ASSERT_EQ(0, vst_queue_destroy(self->m.fd, self->m.queue));
	EXPECT_EQ(0, pthread_join(r.thread, NULL));
	EXPECT_EQ(sizeof(r.ev), r.n);
	EXPECT_EQ(DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE, r.ev.type);
	EXPECT_EQ(0, read(self->dbg, &r.ev, sizeof(r.ev)));
	fcntl(self->dbg, F_SETFL, O_NONBLOCK);
	EXPECT_EQ(0, read(self->dbg, &r.ev, sizeof(r.ev)));
}

static void ignore(int sig)
{
}

TEST_F(debug, read_is_interrupted)
{
	const struct sigaction act = { .sa_handler = ignore };
	struct reader r;

	ASSERT_EQ(0, sigaction(SIGUSR1, &act, NULL));
	ASSERT_TRUE(reader_start(&r, self->dbg));
	/* the first ones may come before the read */
	while (!reader_done(&r)) {
		pthread_kill(r.thread, SIGUSR1);
		usleep(1000);
	}
	EXPECT_EQ(0, pthread_join(r.thread, NULL));
	EXPECT_EQ(-1, r.n);
	EXPECT_EQ(EINTR, r.err);
}

/* Event overflow: the number of dropped events is reported. */
TEST_F(debug, overflow)
{
	struct drm_vshader_debug_event ev;
	__u64 seen = 0, missing = 0, last = 0;
	int i;

	make_copy(&self->m);
	for (i = 0; i < 300; i++) {
		ASSERT_EQ(0, vst_submit(self->m.fd, &self->m.j));
		ASSERT_NE(-1, status_of(&self->m));
		memset(self->m.res.map, 0xff, sizeof(*self->m.result));
	}
	while (read(self->dbg, &ev, sizeof(ev)) == sizeof(ev)) {
		if (ev.type == DRM_VSHADER_DEBUG_EVENT_OVERFLOW)
			missing += ev.value;
		else
			seen++;
		EXPECT_LT(last, ev.seq);
		last = ev.seq;
	}
	EXPECT_LT(0, missing);
	EXPECT_EQ(last, seen + missing);
}

/* ---- permissions ---- */

TEST_F(debug, who)
{
	struct vst_mali *m = &self->m;
	__u32 queue, more[16];
	int other, i, ret = 0;

	EXPECT_EQ(-EBUSY, attach(m->fd, m->queue, 0, 0));
	EXPECT_EQ(-ENOENT, attach(m->fd, 12345, 0, 0));
	EXPECT_EQ(-EINVAL, attach(m->fd, m->queue, 0x80, 0));
	EXPECT_EQ(-E2BIG, attach(m->fd, m->queue, 0, 0xffffffff));
	/* queues of another file have no name here */
	other = vst_open();
	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOENT, attach(other, m->queue, 0, 0));
	close(other);
	queue = m->queue;
	m->queue = 0;
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	EXPECT_EQ(-EOPNOTSUPP, attach(m->fd, m->queue, 0, 0));
	vst_queue_destroy(m->fd, m->queue);
	m->queue = queue;
	for (i = 0; i < 16 && !ret; i++)
		ret = debug_queue(m->fd, m->vm, &more[i]);
	EXPECT_EQ(-E2BIG, ret);
	EXPECT_EQ(16, i);
	EXPECT_EQ(0, vst_queue_destroy(m->fd, more[0]));
	/* a queue is freed with its last job; this one had none */
	EXPECT_EQ(0, debug_queue(m->fd, m->vm, &more[0]));
	/* another debugger can attach after this one */
	close(self->dbg);
	self->dbg = attach(m->fd, m->queue, 0, 0);
	EXPECT_LE(0, self->dbg);
}

/* ---- nothing waits for a stopped job ---- */

TEST_F(debug, no_signals)
{
	__u32 handle;

	make_copy(&self->m);
	ASSERT_EQ(0, vst_syncobj(self->m.fd, &handle));
	vst_job_sync(&self->m.j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	EXPECT_EQ(-EINVAL, vst_submit(self->m.fd, &self->m.j));
	make_copy(&self->m);
	vst_job_sync(&self->m.j, DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE, handle, 4);
	EXPECT_EQ(-EINVAL, vst_submit(self->m.fd, &self->m.j));
	/* waits are right */
	make_copy(&self->m);
	ASSERT_EQ(0, vst_syncobj_signal(self->m.fd, handle));
	vst_job_sync(&self->m.j, 0, handle, 0);
	EXPECT_EQ(0, vst_submit(self->m.fd, &self->m.j));
	EXPECT_EQ(0, status_of(&self->m));
}

/* A buffer that others share is mapped, and they do not notice. */
TEST_F(debug, shared_buffer)
{
	struct vst_mali *m = &self->m, n;
	struct pollfd p = { .events = POLLIN | POLLOUT };
	struct vst_buf shared;
	__u32 handle;

	ASSERT_EQ(0, vst_buf_new(&shared, m->fd, m->vm, VA(20), PAGE, false));
	ASSERT_EQ(0, vst_prime_export(m->fd, shared.handle, &p.fd));
	ASSERT_EQ(0, stop_copy(m, self->dbg));
	/* polling the buffer */
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLIN | POLLOUT, p.revents);
	/* a job of another file that writes it */
	ASSERT_EQ(0, vst_mali_setup(&n, &vst_mali_bifrost));
	ASSERT_EQ(0, vst_prime_import(n.fd, p.fd, &handle));
	ASSERT_EQ(0, vst_map(n.fd, n.vm, handle, 0, VA(20), PAGE, 0));
	ASSERT_EQ(0, vst_mali_program(&n, &vst_mali_bifrost.copy, DRM_VSHADER_STAGE_COMPUTE));
	make_copy(&n);
	EXPECT_EQ(0, vst_mali_run(&n));
	/* still stopped */
	EXPECT_EQ(-1, m->result->status);
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_CONTINUE));
	EXPECT_EQ(0, status_of(m));
	close(n.fd);
	close(p.fd);
}

/* More stopped jobs than workers; ordinary jobs of the same file progress. */
TEST_F(debug, others_go_on)
{
	struct vst_mali *m = &self->m;
	__u32 queue[8], mine = m->queue;
	int dbg[8], i;

	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, debug_queue(m->fd, m->vm, &queue[i]));
		dbg[i] = attach(m->fd, queue[i], DRM_VSHADER_DEBUG_STOP_START, 0);
		ASSERT_LE(0, dbg[i]);
		m->queue = queue[i];
		make_copy(m);
		ASSERT_EQ(0, vst_submit(m->fd, &m->j));
		ASSERT_EQ(0, vst_submit(m->fd, &m->j));
		ASSERT_EQ(0, wait_stop(dbg[i]));
	}
	m->queue = 0;
	ASSERT_EQ(0, vst_mali_queue(m, 0, 0));
	for (i = 0; i < 50; i++) {
		make_copy(m);
		ASSERT_EQ(0, vst_mali_run(m));
	}
	vst_queue_destroy(m->fd, m->queue);
	m->queue = mine;
	for (i = 0; i < 8; i++)
		close(dbg[i]);
}

/* ---- events that end a stopped job ---- */

TEST_F(debug, close_ends)
{
	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	close(self->dbg);
	self->dbg = -1;
	EXPECT_EQ(-ECANCELED, status_of(&self->m));
}

TEST_F(debug, detach_does_not)
{
	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_DETACH));
	close(self->dbg);
	self->dbg = -1;
	EXPECT_EQ(0, status_of(&self->m));
}

TEST_F(debug, kill_ends)
{
	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_KILL));
	EXPECT_EQ(-ECANCELED, status_of(&self->m));
}

TEST_F(debug, limit_ends)
{
	struct drm_vshader_debug_event ev;

	close(self->dbg);
	self->dbg = attach(self->m.fd, self->m.queue, 0, 200);
	ASSERT_LE(0, self->dbg);
	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	EXPECT_EQ(0, wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev, LONG_MS));
	EXPECT_EQ(-ETIME, ev.status);
	EXPECT_EQ(DRM_VSHADER_FAULT_TIMEOUT, ev.fault);
	EXPECT_EQ(-ETIME, self->m.result->status);
}

TEST_F(debug, queue_ends)
{
	struct drm_vshader_debug_stop stop;
	struct drm_vshader_debug_event ev;
	struct pollfd p = { .fd = self->dbg };

	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	EXPECT_EQ(0, vst_queue_destroy(self->m.fd, self->m.queue));
	EXPECT_EQ(-ECANCELED, status_of(&self->m));
	EXPECT_EQ(1, poll(&p, 1, LONG_MS));
	EXPECT_EQ(POLLHUP, p.revents);
	while (!wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev, 100))
		EXPECT_EQ(-ECANCELED, ev.status);
	EXPECT_EQ(0, call(self->dbg, DRM_IOCTL_VSHADER_DEBUG_GET_STOP, &stop));
	EXPECT_EQ(DRM_VSHADER_DEBUG_STATE_GONE, stop.state);
}

TEST_F(debug, file_ends)
{
	struct vst_mali *m = &self->m;
	struct vst_buf *bufs[] = { &m->code, &m->in, &m->out, &m->desc, &m->wls, &m->res };
	struct drm_vshader_debug_event ev;
	struct pollfd p = { .fd = self->dbg };
	unsigned int i;
	int ret = 0;

	ASSERT_EQ(0, stop_copy(m, self->dbg));
	close(m->fd);
	m->fd = -1;
	/* mappings keep the file open */
	EXPECT_EQ(0, poll(&p, 1, 50));
	for (i = 0; i < ARRAY_SIZE(bufs); i++)
		munmap(bufs[i]->map, bufs[i]->size);
	/* the queue may be destroyed before its job has ended: read() returns 0 in between */
	for (i = 0; i < LONG_MS / 10; i++) {
		ret = wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev, LONG_MS);
		if (ret != -ENODEV)
			break;
		usleep(10000);
	}
	EXPECT_EQ(0, ret);
	EXPECT_EQ(-ECANCELED, ev.status);
	EXPECT_EQ(1, poll(&p, 1, LONG_MS));
	EXPECT_EQ(POLLHUP, p.revents & POLLHUP);
}

/* ---- anything ---- */

TEST_F_TIMEOUT(debug, garbage, 300)
{
	unsigned long request;
	__u8 arg[256];
	int i, k;

	srand(7);
	ASSERT_EQ(0, stop_copy(&self->m, self->dbg));
	for (i = 0; i < 20000; i++) {
		k = rand() % 12;
		if (k == DRM_VSHADER_DEBUG_RESUME - DRM_VSHADER_DEBUG_SET_POINT)
			continue;
		request = _IOC(_IOC_READ | _IOC_WRITE, DRM_VSHADER_DEBUG_IOCTL_BASE,
			       DRM_VSHADER_DEBUG_SET_POINT + k,
			       rand() % 4 ? 8 * (rand() % 20) : 64);
		memset(arg, 0, sizeof(arg));
		for (k = rand() % 24; k > 0; k--)
			arg[rand() % 128] = rand() % 3 ? rand() % 3 : rand();
		call(self->dbg, request, arg);
	}
	EXPECT_EQ(-ENOTTY, call(self->dbg, DRM_IOCTL_VSHADER_SUBMIT, arg));
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_KILL));
	EXPECT_EQ(-ECANCELED, status_of(&self->m));
}

static void act(struct vst_mali *m, int *dbg)
{
	struct drm_vshader_debug_interrupt intr = { 0 };
	struct drm_vshader_debug_event ev;
	__u32 v = 0;

	switch (rand() % 8) {
	case 0:
		set_break(*dbg, rand() % 8, rand() % 2);
		break;
	case 1:
		call(*dbg, DRM_IOCTL_VSHADER_DEBUG_INTERRUPT, &intr);
		break;
	case 2:
		close(*dbg);
		*dbg = attach(m->fd, m->queue, rand() % 4, rand() % 2 ? 0 : 1 + rand() % 20);
		break;
	case 3:
		registers(*dbg, rand() % 70, &v, rand() % 2);
		break;
	case 4:
		vst_submit(m->fd, &m->j);
		break;
	case 5:
		wait_event(*dbg, DRM_VSHADER_DEBUG_EVENT_STOP, &ev, 1);
		break;
	default:
		resume(*dbg, rand() % 7);
		break;
	}
}

/* One round; the file descriptors of children that are killed close by themselves. */
static void sequence(struct vst_mali *m)
{
	int dbg, i, n = 2 + rand() % 12;

	if (debug_queue(m->fd, m->vm, &m->queue))
		return;
	dbg = attach(m->fd, m->queue, rand() % 4, 0);
	make_copy(m);
	vst_submit(m->fd, &m->j);
	for (i = 0; i < n; i++)
		act(m, &dbg);
	if (rand() % 2)
		vst_queue_destroy(m->fd, m->queue);
	if (dbg >= 0)
		close(dbg);
	vst_queue_destroy(m->fd, m->queue);
}

TEST_F_TIMEOUT(debug, random, 600)
{
	struct vst_mali *m = &self->m;
	struct drm_vshader_debug_event ev;
	int i, status, rounds = vst_env("KSFT_ROUNDS", 1000);
	__u32 mine = m->queue;
	pid_t pid;

	srand(10 + vst_env("KSFT_SEED", 1));
	for (i = 0; i < rounds; i++) {
		if (i % 10) {
			sequence(m);
			continue;
		}
		pid = fork();
		if (!pid) {
			srand(i);
			if (!vst_mali_setup(m, &vst_mali_bifrost) &&
			    !vst_mali_program(m, &vst_mali_bifrost.copy, DRM_VSHADER_STAGE_COMPUTE))
				for (;;)
					sequence(m);
			_exit(1);
		}
		ASSERT_LT(0, pid);
		usleep(1000 * (5 + rand() % 20));
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
	}
	m->queue = mine;
	EXPECT_EQ(0, vst_alive());
	ASSERT_EQ(0, stop_copy(m, self->dbg));
	EXPECT_EQ(0, resume(self->dbg, DRM_VSHADER_DEBUG_CONTINUE));
	/* jobs of queues that are gone may write to the same result a moment later */
	EXPECT_EQ(0, wait_event(self->dbg, DRM_VSHADER_DEBUG_EVENT_JOB_END, &ev, LONG_MS));
	EXPECT_EQ(0, ev.status);
}

TEST_HARNESS_MAIN
