// SPDX-License-Identifier: MIT
/*
 * Local backend: workers. The job at the head of a queue is the one that runs; as many
 * workers join it as it can use. Threads, which start with the first job, take the place
 * of the kernel driver's workqueue.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "families/family.h"
#include "local.h"

/* ---- ending jobs; all with the lock ---- */

static int fault_errno(const struct vsl_job *job, uint32_t kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return -ETIME;
	case DRM_VSHADER_FAULT_CANCELED:
		return job->queue->error ? job->queue->error : -ECANCELED;
	default:
		return -EIO;
	}
}

static uint32_t state_bits(uint32_t kind)
{
	switch (kind) {
	case DRM_VSHADER_FAULT_NONE:
	case DRM_VSHADER_FAULT_CANCELED:
		return 0;
	case DRM_VSHADER_FAULT_BUDGET:
	case DRM_VSHADER_FAULT_TIMEOUT:
		return DRM_VSHADER_QUEUE_STATE_TIMEDOUT;
	default:
		return DRM_VSHADER_QUEUE_STATE_FAULT;
	}
}

static void update_queue(struct vsl_queue *q, const struct vsl_job *job,
			 const struct drm_vshader_job_result *r)
{
	uint32_t bits = state_bits(r->fault.kind);

	if (bits && !q->state) {
		q->fault = r->fault;
		q->num_states = vshader_family_states(q->family, job->work, job->native,
						      q->states);
	}
	q->state |= bits;
	q->completed++;
	q->invocations += r->invocations;
	if (r->status && !q->error)
		q->error = -ECANCELED;
}

/* The job is the head of its queue and no worker is inside. */
static void end_job(struct vsl_device *d, struct vsl_job *job, int cancel)
{
	struct drm_vshader_job_result r = { .busy_ns = job->busy_ns };
	struct vsl_queue *q = job->queue;
	struct vs_fault fault;

	vs_fault_init(&fault, VS_FAULT_NONE);
	if (cancel)
		fault.kind = VS_FAULT_CANCELED;
	else if (job->engine)
		fault = *vs_job_get_fault(job->engine);
	if (fault.kind != VS_FAULT_NONE)
		vshader_fault_fill(&fault, q->isa->id, job->number, &r.fault);
	r.status = cancel ? cancel : fault_errno(job, fault.kind);
	r.stray_reads = vshader_family_strays(q->family, job->work, job->native);
	if (job->engine) {
		r.invocations = vs_job_invocations(job->engine);
		r.weight = vs_job_weight(job->engine);
	}
	if (job->result_va)
		vs_map_write(&job->map->vs, job->result_va, &r, sizeof(r));
	vsl_dump_job(d, job, &r);
	vsl_record_end(d, job, &r);
	update_queue(q, job, &r);
	vsl_debug_ended(d, job, r.status, r.fault.kind);
	if (job->ctx && (!d->spare || job->arena >= d->spare_arena)) {
		vs_worker_free(d->spare);
		d->spare = job->ctx;
		d->spare_arena = job->arena;
		job->ctx = NULL;
	}
	q->head = job->next;
	if (!q->head)
		q->tail = NULL;
	q->queued--;
	job->next = d->dead;
	d->dead = job;
	vsl_fence_signal(d, job->fence, r.status);
	if (d->blocked)
		vsl_exec_kick(d, 1);
}

static bool ready(const struct vsl_job *job)
{
	uint32_t i;

	for (i = 0; i < job->num_waits; i++) {
		if (!job->waits[i]->signaled)
			return false;
	}
	return true;
}

/* Start the head of a queue; ends jobs that need no worker. Returns it if it runs. */
static struct vsl_job *start_head(struct vsl_device *d, struct vsl_queue *q)
{
	struct vsl_job *job;

	while ((job = q->head)) {
		if (job->started)
			return job;
		if (q->error) {
			end_job(d, job, q->error);
			continue;
		}
		if (!ready(job)) {
			d->blocked = true;
			return NULL;
		}
		if (!job->engine) {
			end_job(d, job, 0);
			continue;
		}
		vsl_record_begin(d, job);
		job->started = true;
		job->want = min(vs_job_parallelism(job->engine), d->num_workers);
		return job;
	}
	return NULL;
}

/* ---- workers ---- */

/* At the end: queues of a priority take turns. */
static void rotate(struct vsl_queue **at)
{
	struct vsl_queue *q = *at;

	*at = q->next;
	while (*at)
		at = &(*at)->next;
	q->next = NULL;
	*at = q;
}

/* Take a place in the job that is next in line. *@guest: others are inside. */
static struct vsl_job *claim(struct vsl_device *d, bool *guest)
{
	struct vsl_queue **q;
	struct vsl_job *job;
	int prio;

	d->blocked = false;
	for (prio = VSL_NUM_PRIORITIES - 1; prio >= 0; prio--) {
		for (q = &d->queue_list; *q; q = &(*q)->next) {
			if ((int)(*q)->priority != prio)
				continue;
			job = start_head(d, *q);
			if (!job || !job->want || job->done)
				continue;
			job->want--;
			*guest = job->active++;
			rotate(q);
			vsl_exec_kick(d, job->want);
			return job;
		}
	}
	return NULL;
}

/* Another phase has begun; this worker stays in the job. */
static void next_phase(struct vsl_device *d, struct vsl_job *job)
{
	uint32_t n = vs_job_parallelism(job->engine);

	pthread_mutex_lock(&d->lock);
	if (!job->done) {
		/* this thread is one of them, or takes the place of one */
		job->want = min(n ? n - 1 : 0, d->num_workers - 1);
		vsl_exec_kick(d, job->want);
	}
	pthread_mutex_unlock(&d->lock);
}

/*
 * Time of a worker in a job. The clock of a thread is a system call, which takes as long as a small
 * job: it is read only after SHORT_NS, of which at most these then count as used.
 */
#define SHORT_NS	100000

struct busy {
	int64_t began;	/* monotonic */
	int64_t start;	/* of the thread's clock, if @clocked */
	bool clocked;
};

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int64_t busy_ns(struct busy *b, int64_t now)
{
	if (!b->clocked && now - b->began < SHORT_NS)
		return now - b->began;
	if (!b->clocked)
		b->start = cpu_ns() - SHORT_NS;
	b->clocked = true;
	return cpu_ns() - b->start;
}

static struct vs_worker *guest_context(struct vsl_worker *w, u64 arena)
{
	if (w->guest_arena < arena) {
		vs_worker_free(w->guest);
		w->guest = vs_worker_new(arena);
		w->guest_arena = w->guest ? arena : 0;
	}
	return w->guest ? w->guest : w->ctx;
}

/*
 * A job with an arena keeps its context until it ends, whichever worker executes it; guests have
 * their own.
 */
static struct vs_worker *context(struct vsl_worker *w, struct vsl_job *job, bool guest)
{
	u64 arena = vs_job_arena(job->engine);
	struct vsl_device *d = w->dev;

	if (!arena)
		return w->ctx;
	arena = max_t(u64, arena, SIMT_JOB_MEMORY);
	if (guest)
		return guest_context(w, arena);
	if (job->ctx)
		return job->ctx;
	pthread_mutex_lock(&d->lock);
	if (d->spare && d->spare_arena >= arena) {
		job->ctx = d->spare;
		job->arena = d->spare_arena;
		d->spare = NULL;
	}
	pthread_mutex_unlock(&d->lock);
	if (!job->ctx) {
		job->ctx = vs_worker_new(arena);
		job->arena = arena;
	}
	if (job->ctx)
		return job->ctx;
	vs_job_cancel(job->engine, VS_FAULT_OVERFLOW);
	return w->ctx;
}

/* CPU time that a job of the queue may take, ns. */
static int64_t time_limit_ns(const struct vsl_queue *q)
{
	return 1000000ll * q->time_limit_ms * (q->debug ? VS_SESSION_TIME_SCALE : 1);
}

/*
 * A slice takes some milliseconds. If it was more than this, the machine has stood still: an
 * emulated one counts that as CPU time, of which the limit is none.
 */
#define SLICE_MAX_NS	1000000000ll

static enum vs_run serve(struct vsl_worker *w, struct vsl_job *job, bool guest, uint64_t *busy)
{
	int64_t limit = time_limit_ns(job->queue) - (int64_t)job->busy_ns;
	int64_t now = vsh_now_ns(), check = now + limit, begin;
	struct busy spent = { .began = now };
	struct vs_worker *ctx = context(w, job, guest);
	enum vs_run run;

	do {
		if (job->queue->debug)
			vsl_debug_slice(w->dev, job);
		/* a stop is none, either */
		begin = job->queue->debug ? vsh_now_ns() : now;
		run = vs_job_step(job->engine, ctx);
		now = vsh_now_ns();
		if (now - begin > SLICE_MAX_NS)
			limit += now - begin - SLICE_MAX_NS;
		/* as early as the clock may be read */
		if (!spent.clocked && now - spent.began >= SHORT_NS)
			busy_ns(&spent, now);
		if (run == VS_RUN_STOP && !vsl_debug_stopped(w->dev, job))
			run = VS_RUN_MORE;
		if (run == VS_RUN_PHASE)
			next_phase(w->dev, job);
		/* the limit is CPU time, which cannot be over before that much time is */
		if (now >= check) {
			int64_t left = limit - busy_ns(&spent, now);

			if (left <= 0)
				vs_job_cancel(job->engine, VS_FAULT_TIMEOUT);
			check = now + (left > 0 ? left : 1000000000ll);
		}
	} while (run == VS_RUN_MORE || run == VS_RUN_PHASE);
	*busy = (uint64_t)busy_ns(&spent, now);
	return run;
}

/* Give the place back. The last one out of a job that is done ends it. */
static void leave(struct vsl_device *d, struct vsl_job *job, enum vs_run run, uint64_t busy)
{
	job->active--;
	job->busy_ns += busy;
	job->queue->busy_ns += busy;
	if (run == VS_RUN_DONE) {
		job->done = true;
		job->want = 0;
	}
	if (job->done && !job->active)
		end_job(d, job, 0);
}

static struct vsl_job *take_dead(struct vsl_device *d)
{
	struct vsl_job *dead = d->dead;

	d->dead = NULL;
	return dead;
}

static void free_jobs(struct vsl_job *job)
{
	while (job) {
		struct vsl_job *next = job->next;

		vsl_job_free(job);
		job = next;
	}
}

static void *worker_fn(void *arg)
{
	struct vsl_worker *w = arg;
	struct vsl_device *d = w->dev;
	struct vsl_job *job, *dead;
	enum vs_run run;
	uint64_t busy;
	bool guest;

	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		job = claim(d, &guest);
		dead = take_dead(d);
		if (!job && !dead) {
			d->idle_workers++;
			pthread_cond_wait(&d->work, &d->lock);
			d->idle_workers--;
			continue;
		}
		pthread_mutex_unlock(&d->lock);
		free_jobs(dead);
		if (job)
			run = serve(w, job, guest, &busy);
		pthread_mutex_lock(&d->lock);
		if (job)
			leave(d, job, run, busy);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

/* Take a place in the job of a fence, whose limit is at most half of the time until @deadline. */
static struct vsl_job *claim_own(struct vsl_device *d, const struct vsl_fence *f, int64_t deadline)
{
	struct vsl_queue *q = d->queue_list;
	struct vsl_job *job;

	while (q && !(q->head && q->head->fence == f))
		q = q->next;
	if (!q || q->head->started ||
	    deadline - vsh_now_ns() < 2 * time_limit_ns(q))
		return NULL;
	job = start_head(d, q);
	if (!job || job->fence != f)
		return NULL;
	job->want--;
	job->active++;
	vsl_exec_kick(d, job->want);
	return job;
}

bool vsl_exec_help(struct vsl_device *d, struct vsl_fence *f, int64_t deadline)
{
	struct vsl_worker *w = &d->helper;
	struct vsl_job *job, *dead;
	struct vsl_queue *q;
	enum vs_run run;
	uint64_t busy;

	if (d->helping)
		return false;
	w->dev = d;
	if (!w->ctx)
		w->ctx = vs_worker_new(0);
	job = w->ctx ? claim_own(d, f, deadline) : NULL;
	if (!job)
		return false;
	q = job->queue;
	d->helping = true;
	pthread_mutex_unlock(&d->lock);
	run = serve(w, job, false, &busy);
	pthread_mutex_lock(&d->lock);
	leave(d, job, run, busy);
	d->helping = false;
	dead = take_dead(d);
	/* a worker would look for more itself */
	if (q->head)
		vsl_exec_kick(d, 1);
	pthread_mutex_unlock(&d->lock);
	free_jobs(dead);
	pthread_mutex_lock(&d->lock);
	return true;
}

/* Signals are for the program's own threads; a fault still is one of the thread that has it. */
static int start_thread(struct vsl_worker *w)
{
	static const int faults[] = { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP };
	sigset_t set, was;
	unsigned int i;
	int err;

	sigfillset(&set);
	for (i = 0; i < ARRAY_SIZE(faults); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_SETMASK, &set, &was);
	err = pthread_create(&w->thread, NULL, worker_fn, w);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return err;
}

int vsl_exec_start(struct vsl_device *d)
{
	/* Under submit_lock: nobody else starts workers. */
	while (d->started_workers < d->num_workers) {
		struct vsl_worker *w = &d->workers[d->started_workers];
		int err;

		w->dev = d;
		if (!w->ctx)
			w->ctx = vs_worker_new(0);
		if (!w->ctx)
			return vsh_fail(ENOMEM, "out of memory");
		err = start_thread(w);
		if (err)
			return vsh_fail(err, "cannot start a worker: %s", strerror(err));
		d->started_workers++;
	}
	return 0;
}

void vsl_exec_stop(struct vsl_device *d)
{
	uint32_t i;

	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_broadcast(&d->work);
	pthread_mutex_unlock(&d->lock);
	for (i = 0; i < d->started_workers; i++)
		pthread_join(d->workers[i].thread, NULL);
	for (i = 0; i < VSL_MAX_WORKERS; i++) {
		vs_worker_free(d->workers[i].guest);
		vs_worker_free(d->workers[i].ctx);
	}
	vsl_exec_reap(d);
	vs_worker_free(d->helper.guest);
	vs_worker_free(d->helper.ctx);
	vs_worker_free(d->spare);
}

/* ---- for the other parts ---- */

void vsl_exec_push(struct vsl_device *d, struct vsl_job *job)
{
	struct vsl_queue *q = job->queue;

	job->next = NULL;
	if (q->tail)
		q->tail->next = job;
	else
		q->head = job;
	q->tail = job;
	q->queued++;
}

void vsl_exec_kick(struct vsl_device *d, uint32_t workers)
{
	workers = min(workers, d->idle_workers);
	if (workers > 1)
		pthread_cond_broadcast(&d->work);
	else if (workers)
		pthread_cond_signal(&d->work);
}

void vsl_exec_resume(struct vsl_device *d, struct vsl_queue *q)
{
	struct vsl_job *job = q->head;

	if (!job || !job->stopped)
		return;
	job->stopped = false;
	job->want = 1;
	vsl_exec_kick(d, 1);
}

void vsl_exec_cancel(struct vsl_device *d, struct vsl_queue *q, int error)
{
	struct vsl_job *job;

	if (!q->error)
		q->error = error;
	job = q->head;
	if (job && job->started && (job->active || job->stopped))
		vs_job_cancel(job->engine, VS_FAULT_CANCELED);
	if (job && job->stopped)
		vsl_exec_resume(d, q);
	else if (job && job->started && job->active)
		return;
	else if (job && job->started)
		end_job(d, job, q->error);
	/* Jobs queued after the running one end after it. */
	start_head(d, q);
}

void vsl_exec_reap(struct vsl_device *d)
{
	struct vsl_job *dead;

	pthread_mutex_lock(&d->lock);
	dead = take_dead(d);
	pthread_mutex_unlock(&d->lock);
	free_jobs(dead);
}
