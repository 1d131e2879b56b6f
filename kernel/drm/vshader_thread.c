// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A client's threads and slots: made before jobs are armed, ended when the client is idle.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "compat/vshader_compat.h"
#include "vshader_device.h"
#include "vshader_exec.h"

/* How long threads and slots of a client without jobs are kept. */
#define IDLE_TIME	(5 * HZ)

/*
 * How often limits and killed processes are checked, ms. Timers in jiffies are up to two ticks
 * late, 8 ms with 250 Hz.
 */
#define WATCH_TIME	4
#define WATCH_TIME_SLOW	100

static unsigned int threads;
module_param(threads, uint, 0444);
MODULE_PARM_DESC(threads, "threads per open file (1-16, default: number of CPUs)");

u32 vshader_exec_max_threads(void)
{
	return clamp_t(u32, threads ?: num_online_cpus(), 1, VSHADER_MAX_THREADS);
}

static int thread_new(struct vshader_exec *exec)
{
	struct vshader_thread *th = &exec->threads[exec->num_threads];
	struct task_struct *task;
	int ret;

	th->exec = exec;
	task = kthread_create(vshader_exec_thread, th, "vshader-%llu/%u", exec->file->client_id,
			      exec->num_threads);
	if (IS_ERR(task))
		return PTR_ERR(task);
	ret = cgroup_attach_task_all(current, task);
	if (ret) {
		kthread_stop(task);
		return ret;
	}
	/* best effort: a CPU may just have gone */
	set_cpus_allowed_ptr(task, current->cpus_ptr);
	set_user_nice(task, task_nice(current));
	th->task = task;
	exec->num_threads++;
	wake_up_process(task);
	return 0;
}

static void start_watch(struct vshader_exec *exec, u32 ms)
{
	if (!READ_ONCE(exec->watch_ended))
		hrtimer_start(&exec->watch_timer, ms_to_ktime(ms), HRTIMER_MODE_REL);
}

int vshader_exec_start(struct vshader_exec *exec, u32 n)
{
	u32 was = exec->num_threads;
	int ret = 0;

	n = min3(n, vshader_exec_max_threads(), cpumask_weight(current->cpus_ptr));
	while (exec->num_threads < n && !ret)
		ret = thread_new(exec);
	if (!was && exec->num_threads)
		start_watch(exec, WATCH_TIME);
	return exec->num_threads ? 0 : ret;
}

static void stop_threads(struct vshader_exec *exec)
{
	struct task_struct *task;

	while (exec->num_threads) {
		task = exec->threads[--exec->num_threads].task;
		vshader_exec_raise(task);
		kthread_stop(task);
	}
}

void vshader_exec_trim(struct vshader_exec *exec)
{
	u32 i;

	for (i = 0; i < VSHADER_NUM_PRIORITIES; i++)
		vshader_pools_trim(exec, exec->pools[i]);
}

/* Threads that the task can use together with the client's other tasks. */
static u32 threads_for(const struct vshader_exec *exec, const struct vshader_task *task)
{
	if (vs_job_expects_guests(task->engine))
		return max(exec->busy, min(vshader_exec_max_threads(), VS_JOB_MAX_GUESTS + 1U));
	if (!vs_job_arena(task->engine) &&
	    (task->varies || vs_job_parallelism(task->engine) > 1))
		return vshader_exec_max_threads();
	return exec->busy;
}

int vshader_exec_reserve(struct vshader_task *task)
{
	struct vshader_fifo *fifo = task->fifo;
	struct vshader_exec *exec = fifo->exec;
	struct vshader_pool *pool;
	u32 class, slots, n;
	int ret;

	if (!task->engine)
		return 0;
	class = vshader_slot_class(vs_job_arena(task->engine));
	pool = fifo->own_slots ? &fifo->pools[class] : &exec->pools[fifo->priority][class];
	spin_lock(&exec->lock);
	task->pool = pool;
	exec->tasks++;
	if (!fifo->num_reserved++)
		exec->busy++;
	if (!fifo->reserved[class]++)
		pool->busy++;
	n = threads_for(exec, task);
	slots = pool->busy;
	if (!class || vs_job_expects_guests(task->engine))
		slots += n - 1;
	spin_unlock(&exec->lock);

	ret = vshader_pool_grow(exec, pool, slots);
	if (ret)
		goto err_unreserve;
	ret = vshader_exec_start(exec, n);
	if (ret)
		goto err_unreserve;
	return 0;

err_unreserve:
	vshader_exec_unreserve(task);
	return ret;
}

/* Return: whether the client has been idle for so long that it has no threads any more. */
static bool end_idle(struct vshader_exec *exec)
{
	bool idle;

	/* a submit is under way */
	if (!mutex_trylock(&exec->file->submit_lock))
		return false;
	spin_lock(&exec->lock);
	idle = !exec->tasks && time_after(jiffies, exec->idle_since + IDLE_TIME);
	spin_unlock(&exec->lock);
	if (idle) {
		stop_threads(exec);
		vshader_exec_trim(exec);
	}
	mutex_unlock(&exec->file->submit_lock);
	return idle;
}

static void watch_fn(struct work_struct *work)
{
	struct vshader_exec *exec = container_of(work, struct vshader_exec, watch);
	bool soon = vshader_exec_check_limits(exec);

	if (!end_idle(exec))
		start_watch(exec, soon ? WATCH_TIME : WATCH_TIME_SLOW);
}

static enum hrtimer_restart watch_timer_fn(struct hrtimer *timer)
{
	struct vshader_exec *exec = container_of(timer, struct vshader_exec, watch_timer);

	queue_work(vshader_end_wq, &exec->watch);
	return HRTIMER_NORESTART;
}

static void end_watch(struct vshader_exec *exec)
{
	WRITE_ONCE(exec->watch_ended, true);
	/* does not start the timer any more */
	cancel_work_sync(&exec->watch);
	hrtimer_cancel(&exec->watch_timer);
	/* may have been queued by the timer meanwhile */
	cancel_work_sync(&exec->watch);
}

struct vshader_exec *vshader_exec_new(struct vshader_file *vf, const struct vshader_exec_ops *ops)
{
	struct vshader_exec *exec = kzalloc(sizeof(*exec), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!exec)
		return NULL;
	exec->file = vf;
	exec->ops = ops;
	exec->idle_since = jiffies;
	spin_lock_init(&exec->lock);
	for (i = 0; i < ARRAY_SIZE(exec->runnable); i++)
		INIT_LIST_HEAD(&exec->runnable[i]);
	INIT_LIST_HEAD(&exec->started);
	init_waitqueue_head(&exec->wait);
	mutex_init(&exec->raise_lock);
	INIT_WORK(&exec->end, vshader_exec_end_fn);
	INIT_WORK(&exec->watch, watch_fn);
	vshader_compat_hrtimer(&exec->watch_timer, watch_timer_fn);
	for (i = 0; i < VSHADER_NUM_PRIORITIES; i++)
		vshader_pools_init(exec->pools[i], max(8U, 2 * vshader_exec_max_threads()));
	return exec;
}

void vshader_exec_free(struct vshader_exec *exec)
{
	end_watch(exec);
	cancel_work_sync(&exec->end);
	stop_threads(exec);
	vshader_exec_trim(exec);
	mutex_destroy(&exec->raise_lock);
	kfree(exec);
}

void vshader_fifo_init(struct vshader_fifo *fifo)
{
	INIT_LIST_HEAD(&fifo->tasks);
	fifo->time_scale = 1;
	vshader_pools_init(fifo->pools, 1);
}

void vshader_fifo_used(struct vshader_fifo *fifo)
{
	struct pid *user = task_tgid(current);

	if (READ_ONCE(fifo->user) == user)
		return;
	spin_lock(&fifo->exec->lock);
	swap(user, fifo->user);
	get_pid(fifo->user);
	spin_unlock(&fifo->exec->lock);
	put_pid(user);
}

void vshader_fifo_pair(struct vshader_fifo *a, struct vshader_fifo *b)
{
	spin_lock(&a->exec->lock);
	a->pair = b;
	b->pair = a;
	spin_unlock(&a->exec->lock);
}

static void fifo_unpair(struct vshader_fifo *fifo)
{
	if (!fifo->exec)
		return;
	spin_lock(&fifo->exec->lock);
	if (fifo->pair)
		fifo->pair->pair = NULL;
	spin_unlock(&fifo->exec->lock);
}

void vshader_fifo_fini(struct vshader_fifo *fifo)
{
	fifo_unpair(fifo);
	put_pid(fifo->user);
	vshader_pools_trim(fifo->exec, fifo->pools);
}

void vshader_task_init(struct vshader_task *task, struct vshader_fifo *fifo)
{
	task->fifo = fifo;
	INIT_LIST_HEAD(&task->entry);
	INIT_LIST_HEAD(&task->head);
	INIT_LIST_HEAD(&task->run);
	INIT_LIST_HEAD(&task->parked);
}
