// SPDX-License-Identifier: GPL-2.0
/*
 * Races: objects destroyed while others use them, files closed while jobs run, two
 * threads in one file. The tests check that nothing breaks (the kernel's own checks
 * report that) and that only documented errors occur.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>

#include "vshader_test.h"

#define ROUNDS	40

FIXTURE(race) {
	struct vst t;
	struct vst_job j;
	atomic_bool stop;
	atomic_bool started;
	atomic_bool pause;		/* the other thread is asked to pause */
	atomic_bool paused;
	unsigned int odd;		/* unexpected results of the other thread */
	int last;
	unsigned int done;
	unsigned int full;		/* submits to a full queue: the worker was late */
	unsigned int n;
};

FIXTURE_SETUP(race)
{
	SETUP_OR_SKIP(return, &self->t, &vst_mov);
	vst_default_job(&self->t, &self->j);
	self->j.job.result_va = 0;
}

FIXTURE_TEARDOWN(race)
{
	vst_teardown(&self->t);
	EXPECT_EQ(0, vst_alive());
}

static bool one_of(int ret, const int *list)
{
	while (*list && *list != ret)
		list++;
	return !ret || *list;
}

/* Submit until stopped; errors outside the list are failures. */
static void *submitter(void *arg)
{
	FIXTURE_DATA(race) *self = arg;
	static const int fine[] = { -ENOENT, -EIO, -EBUSY, -EINVAL, -ECANCELED, 0 };
	struct vst_job j = self->j;

	j.job.desc = PTR(&j.shader);
	j.pica.vertices.attributes.array = PTR(j.attr);
	j.pica.vertices.outputs.array = PTR(j.out);
	j.shader.engine_block = PTR(&j.pica);
	j.pica.float_uniforms = PTR(j.unif);
	while (!self->stop) {
		int ret;

		j.job.queue_id = self->t.queue;
		j.shader.program = self->t.program;
		ret = vst_submit(self->t.fd, &j);
		if (!one_of(ret, fine)) {
			self->odd++;
			self->last = ret;
		}
		self->done += !ret;
		self->full += ret == -EBUSY;
		self->n++;
		self->started = true;
		if (ret == -EBUSY)
			usleep(1000);
	}
	return NULL;
}

static void start(FIXTURE_DATA(race) *self, pthread_t *thread, void *(*fn)(void *))
{
	self->stop = false;
	self->started = false;
	pthread_create(thread, NULL, fn, self);
	while (!self->started)
		usleep(100);
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(race) *self,
		   pthread_t thread)
{
	self->stop = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, self->odd)
		TH_LOG("unexpected %d in the other thread", self->last);
	EXPECT_LT(0, self->n);
}

TEST_F(race, program_destroyed_during_submit)
{
	pthread_t thread;
	int i;

	start(self, &thread, submitter);
	for (i = 0; i < ROUNDS; i++) {
		__u32 old = self->t.program;

		EXPECT_EQ(0, vst_program(self->t.fd, &vst_mov, &self->t.program));
		EXPECT_EQ(0, vst_program_destroy(self->t.fd, old));
	}
	finish(_metadata, self, thread);
	EXPECT_LT(0, self->done);
}

TEST_F(race, queue_destroyed_during_submit)
{
	pthread_t thread;
	int i;

	start(self, &thread, submitter);
	for (i = 0; i < ROUNDS; i++) {
		__u32 old = self->t.queue;

		EXPECT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
		usleep(500);
		EXPECT_EQ(0, vst_queue_destroy(self->t.fd, old));
	}
	finish(_metadata, self, thread);
	EXPECT_LT(0, self->done);
}

/* Map and unmap a buffer next to those of the jobs. */
TEST_F(race, binds_during_submit)
{
	pthread_t thread;
	__u32 bo;
	int i;

	ASSERT_EQ(0, vst_bo_create(self->t.fd, 16 * PAGE, 0, 0, &bo));
	start(self, &thread, submitter);
	for (i = 0; i < 4 * ROUNDS; i++) {
		EXPECT_EQ(0, vst_map(self->t.fd, self->t.vm, bo, 0, VA(20 + i % 4), 16 * PAGE, 0));
		EXPECT_EQ(0, vst_unmap(self->t.fd, self->t.vm, VA(20 + i % 4) + 4 * PAGE,
				       4 * PAGE));
	}
	finish(_metadata, self, thread);
	EXPECT_EQ(self->n, self->done + self->full);
	EXPECT_LT(0, self->done);
}

/* Unmap the jobs' own memory: whether they fault depends on the mappings at submit. */
TEST_F(race, unmap_during_run)
{
	pthread_t thread;
	int i;

	start(self, &thread, submitter);
	for (i = 0; i < ROUNDS; i++) {
		struct vst_buf *b = &self->t.out;
		__u32 old = self->t.queue;

		EXPECT_EQ(0, vst_unmap(self->t.fd, self->t.vm, b->va, b->size));
		usleep(500);
		EXPECT_EQ(0, vst_map(self->t.fd, self->t.vm, b->handle, 0, b->va, b->size, 0));
		/* banned by now, probably */
		EXPECT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
		EXPECT_EQ(0, vst_queue_destroy(self->t.fd, old));
		usleep(500);
	}
	finish(_metadata, self, thread);
}

TEST_F(race, vm_destroyed_during_submit)
{
	pthread_t thread;

	start(self, &thread, submitter);
	EXPECT_EQ(0, vst_vm_destroy(self->t.fd, self->t.vm));
	usleep(20000);
	finish(_metadata, self, thread);
	/* the queue has its own reference */
	EXPECT_EQ(self->n, self->done + self->full);
	EXPECT_LT(0, self->done);
}

/* When the queue is not full. */
static int submit_with_room(FIXTURE_DATA(race) *self)
{
	int ret;

	while ((ret = vst_submit(self->t.fd, &self->j)) == -EBUSY)
		usleep(1000);
	return ret;
}

/* Two threads submit to one queue: every job runs, in some order. */
TEST_F(race, two_submitters)
{
	struct drm_vshader_queue_get_state st;
	pthread_t thread;
	unsigned int i;
	__u32 done;

	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	start(self, &thread, submitter);
	for (i = 0; i < 4 * ROUNDS; i++)
		EXPECT_EQ(0, submit_with_room(self));
	finish(_metadata, self, thread);
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	EXPECT_EQ(0, submit_with_room(self));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 20000));
	/* the count moves with the fence or shortly after it */
	for (i = 0; i < 6000; i++) {
		EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
		if (st.completed == st.submitted)
			break;
		usleep(10000);
	}
	EXPECT_EQ(4 * ROUNDS + self->done + 1, st.submitted);
	EXPECT_EQ(st.submitted, st.completed);
	EXPECT_EQ(0, st.state);
	EXPECT_EQ(st.submitted * VST_COUNT, st.invocations);
}

/* Count a result: a success, or an error caused by concurrent destruction. */
static void count(FIXTURE_DATA(race) *self, int ret)
{
	static const int gone[] = { -ENOENT, -EINVAL, 0 };

	if (!one_of(ret, gone)) {
		self->odd++;
		self->last = ret;
	}
	self->done += !ret;
}

/* One creates, another destroys whatever ids there may be. */
static void *destroyer(void *arg)
{
	FIXTURE_DATA(race) *self = arg;
	__u32 id = 0;

	self->started = true;
	while (!self->stop) {
		self->paused = self->pause;
		if (self->paused) {
			usleep(100);
			continue;
		}
		id = id % 12 + 1;
		count(self, vst_queue_destroy(self->t.fd, id));
		count(self, vst_program_destroy(self->t.fd, id));
		count(self, vst_vm_destroy(self->t.fd, id));
		count(self, vst_bo_close(self->t.fd, id));
		self->n++;
	}
	return NULL;
}

TEST_F(race, destroy_anything)
{
	/* -EACCES: a mapping of what is bound, but has no handle any more */
	static const int gone[] = { -ENOENT, -EINVAL, -EIO, -EACCES, 0 };
	pthread_t thread;
	int i;

	start(self, &thread, destroyer);
	for (i = 0; i < 2 * ROUNDS; i++) {
		__u32 vm = 0, queue = 0, program = 0;
		struct vst_buf b;
		int ret;

		/* now and then destroy only after a submit */
		self->pause = i % 8 == 0;
		while (self->pause != self->paused)
			usleep(100);

		EXPECT_EQ(0, vst_vm_create(self->t.fd, 0, &vm));
		EXPECT_TRUE(one_of(vst_queue(self->t.fd, vm, 0, 0, &queue), gone));
		EXPECT_EQ(0, vst_program(self->t.fd, &vst_mov, &program));
		EXPECT_TRUE(one_of(vst_buf_new(&b, self->t.fd, vm, VA(0), PAGE, i % 2), gone));
		vst_job_init(&self->j, queue, program, VST_COUNT);
		vst_job_attr(&self->j, 0, b.va, DRM_VSHADER_FORMAT_F32, 4, 16);
		vst_job_out(&self->j, 0, b.va + 2048);
		ret = vst_submit(self->t.fd, &self->j);
		EXPECT_TRUE(self->pause ? !ret : one_of(ret, gone))
			TH_LOG("submit gives %d", ret);
		vst_buf_free(&b, self->t.fd);
		EXPECT_TRUE(one_of(vst_program_destroy(self->t.fd, program), gone));
		EXPECT_TRUE(one_of(vst_queue_destroy(self->t.fd, queue), gone));
		EXPECT_TRUE(one_of(vst_vm_destroy(self->t.fd, vm), gone));
	}
	finish(_metadata, self, thread);
	/* at least one object was destroyed */
	EXPECT_LT(0, self->done);
}

/* Files closed with jobs waiting and running in them. */
TEST_F(race, close_during_run)
{
	int i;

	for (i = 0; i < ROUNDS / 4; i++) {
		struct vst_job j;
		struct vst t;
		int k;

		ASSERT_EQ(0, vst_setup(&t, i % 2 ? &vst_spin : &vst_mov));
		vst_default_job(&t, &j);
		for (k = 0; k < 10; k++)
			EXPECT_EQ(0, vst_submit(t.fd, &j));
		usleep(i * 300);
		vst_teardown(&t);
	}
}

/* Processes killed at any moment. */
TEST_F(race, killed_processes)
{
	int i;

	for (i = 0; i < ROUNDS / 4; i++) {
		pid_t pid = fork();
		int status;

		ASSERT_LE(0, pid);
		if (!pid) {
			struct vst_job j;
			struct vst t;

			if (vst_setup(&t, i % 3 ? &vst_mov : &vst_spin))
				_exit(1);
			vst_default_job(&t, &j);
			for (;;)
				if (vst_submit(t.fd, &j) &&
				    vst_queue(t.fd, t.vm, 0, 0, &j.job.queue_id))
					pause();
		}
		usleep(3000 + i * 1000);
		kill(pid, SIGKILL);
		EXPECT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
}

/* A child uses the inherited file while the parent closes it. */
TEST_F(race, inherited_file)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		int i, bad = 0;

		for (i = 0; i < ROUNDS; i++)
			bad += vst_submit(self->t.fd, &self->j) != 0;
		_exit(bad != 0);
	}
	close(self->t.fd);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	self->t.fd = -1;
}

/* Handles of shared buffers closed and imported at the same time. */
static void *importer(void *arg)
{
	FIXTURE_DATA(race) *self = arg;
	int fd = vst_open(), dmabuf;
	__u32 handle;

	while (!self->stop && fd >= 0) {
		if (!vst_prime_export(self->t.fd, self->t.program, &dmabuf)) {
			if (!vst_prime_import(fd, dmabuf, &handle))
				vst_bo_close(fd, handle);
			close(dmabuf);
		}
		self->n++;
		self->started = true;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

TEST_F(race, export_and_close)
{
	pthread_t thread;
	__u32 handle;
	int i;

	ASSERT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &handle));
	/* the field is free for this: the importer exports that handle */
	self->t.program = handle;
	start(self, &thread, importer);
	for (i = 0; i < 4 * ROUNDS; i++) {
		vst_bo_close(self->t.fd, handle);
		EXPECT_EQ(0, vst_bo_create(self->t.fd, PAGE, 0, 0, &handle));
		self->t.program = handle;
	}
	finish(_metadata, self, thread);
}

/* Faults and core dumps with concurrent readers. */
TEST_F(race, faults_while_state_is_read)
{
	pthread_t thread;
	int i;

	self->j.attr[0].va = VA(99);
	start(self, &thread, submitter);
	for (i = 0; i < ROUNDS; i++) {
		struct drm_vshader_queue_get_state st;
		__u32 old = self->t.queue;

		EXPECT_EQ(0, vst_queue_state(self->t.fd, self->t.queue, &st));
		EXPECT_TRUE(st.fault.kind == DRM_VSHADER_FAULT_NONE ||
			    (st.fault.kind == DRM_VSHADER_FAULT_READ &&
			     st.fault.address == VA(99)));
		EXPECT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->t.queue));
		EXPECT_EQ(0, vst_queue_destroy(self->t.fd, old));
		usleep(500);
	}
	finish(_metadata, self, thread);
}

TEST_HARNESS_MAIN
