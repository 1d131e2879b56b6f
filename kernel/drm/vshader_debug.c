// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Debugging
 *
 * Jobs of a queue that can be debugged signal no sync object and are in no reservation object.
 * So only the queue itself ever waits for the fence of one of its jobs, which may therefore
 * take as long as its debugger likes, up to a limit: the memory of a job should not be held
 * for ever either. Such a queue has execution slots of its own, so that a stopped job does
 * not keep other jobs of the client from starting.
 *
 * A stopped job has no thread and holds no lock. Its state belongs to the holder of
 * &vshader_debug.lock, as long as the state is "stopped": a thread takes the lock and changes
 * the state before it executes anything.
 *
 * The debugger's file holds the queue. Every event that ends a stopped job - the debugger's
 * file or the DRM file is closed, the queue is destroyed, the device is unplugged, the time
 * limit expires - cancels its engine job and hands it to a worker, which finds that there is
 * nothing to execute and ends it.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vshader_args.h"
#include "vshader_debug.h"
#include "vshader_device.h"
#include "vshader_exec.h"

unsigned int vshader_max_stop_s = 3600;
module_param_named(debug_stop_max, vshader_max_stop_s, uint, 0644);
MODULE_PARM_DESC(debug_stop_max, "how long debuggers may stop a job, seconds (default 3600)");

/* ---- the limit ---- */

/* Also takes the timer away. */
static void arm(struct vshader_debug *g, u64 now)
{
	u64 left = vs_session_time_left(&g->c, now);

	lockdep_assert_held(&g->lock);
	if (left == ~0ULL)
		cancel_delayed_work(&g->limit);
	else
		mod_delayed_work(vshader_wq, &g->limit, nsecs_to_jiffies(left) + 1);
}

static void limit_fn(struct work_struct *work)
{
	struct vshader_debug *g = container_of(to_delayed_work(work), struct vshader_debug, limit);
	u64 now = ktime_get_ns();
	bool over;

	spin_lock(&g->lock);
	over = !vs_session_time_left(&g->c, now);
	/* jiffies that were late catch up at once: the work may be early */
	if (!over)
		arm(g, now);
	spin_unlock(&g->lock);
	if (over)
		vshader_exec_end(g->fifo, VS_FAULT_TIMEOUT);
}

static const struct drm_device *debug_drm(const struct vshader_debug *g)
{
	return &g->fifo->exec->file->vdev->drm;
}

/* ---- interface for queues and workers ---- */

struct vshader_debug *vshader_debug_new(const struct vs_isa *isa, struct vshader_fifo *fifo,
					void (*put)(struct vshader_fifo *fifo))
{
	struct vshader_debug *g;

	if (!isa->nbanks)
		return ERR_PTR(-EOPNOTSUPP);
	g = kvzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);
	if (!g)
		return ERR_PTR(-ENOMEM);
	g->fifo = fifo;
	g->put = put;
	spin_lock_init(&g->lock);
	init_waitqueue_head(&g->wait);
	INIT_DELAYED_WORK(&g->limit, limit_fn);
	vs_session_init(&g->c, isa);
	return g;
}

void vshader_debug_free(struct vshader_debug *g)
{
	if (!g)
		return;
	cancel_delayed_work_sync(&g->limit);
	kvfree(vs_session_fini(&g->c));
	kvfree(g);
}

void vshader_debug_slice(struct vshader_debug *g, u64 number, u32 program)
{
	bool events;

	spin_lock(&g->lock);
	events = vs_session_slice(&g->c, number, program, ktime_get_ns());
	spin_unlock(&g->lock);
	if (events)
		wake_up_all(&g->wait);
}

bool vshader_debug_stopped(struct vshader_debug *g, const struct vs_job *engine)
{
	u64 now = ktime_get_ns();
	bool stays;

	spin_lock(&g->lock);
	stays = !vs_job_is_ending(engine) && vs_session_stopped(&g->c, now);
	if (stays)
		arm(g, now);
	spin_unlock(&g->lock);
	if (stays)
		wake_up_all(&g->wait);
	return stays;
}

void vshader_debug_ended(struct vshader_debug *g, u64 number, int status, u32 kind)
{
	bool events;

	if (!g)
		return;
	spin_lock(&g->lock);
	events = vs_session_ended(&g->c, number, status, kind, ktime_get_ns());
	spin_unlock(&g->lock);
	if (events)
		wake_up_all(&g->wait);
}

void vshader_debug_gone(struct vshader_debug *g)
{
	if (!g)
		return;
	spin_lock(&g->lock);
	vs_session_gone(&g->c, ktime_get_ns());
	spin_unlock(&g->lock);
	wake_up_all(&g->wait);
}

/* ---- calls ---- */

static int do_set_point(struct vshader_debug *g, void *arg)
{
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_set_point(&g->c, arg);
	spin_unlock(&g->lock);
	return ret;
}

static int do_get_point(struct vshader_debug *g, void *arg)
{
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_get_point(&g->c, arg);
	spin_unlock(&g->lock);
	return ret;
}

static int do_clear_point(struct vshader_debug *g, void *arg)
{
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_clear_point(&g->c, arg);
	spin_unlock(&g->lock);
	return ret;
}

static int do_interrupt(struct vshader_debug *g, void *arg)
{
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_interrupt(&g->c, arg);
	spin_unlock(&g->lock);
	return ret;
}

static int do_resume(struct vshader_debug *g, void *arg)
{
	u64 now = ktime_get_ns();
	bool kill, go;
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_resume(&g->c, arg, now, &kill, &go);
	if (go)
		arm(g, now);
	spin_unlock(&g->lock);
	if (kill)
		vshader_exec_end(g->fifo, VS_FAULT_CANCELED);
	if (go) {
		wake_up_all(&g->wait);
		vshader_exec_resume(g->fifo);
	}
	return ret;
}

static int do_get_stop(struct vshader_debug *g, void *arg)
{
	spin_lock(&g->lock);
	vs_session_get_stop(&g->c, arg);
	spin_unlock(&g->lock);
	return 0;
}

static int do_invocations(struct vshader_debug *g, void *arg)
{
	struct drm_vshader_debug_invocations *a = arg;
	u32 max = min_t(u32, a->count, VS_SESSION_MAX_INVS), n = 0;
	struct vs_debug_inv *out;
	int ret;

	BUILD_BUG_ON(sizeof(*out) != sizeof(struct drm_vshader_debug_invocation));
	if (a->pad)
		return vshader_einval(debug_drm(g), "pad %u, expected 0", a->pad);
	out = kvcalloc(max_t(u32, max, 1), sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out)
		return -ENOMEM;
	spin_lock(&g->lock);
	ret = vs_session_invocations(&g->c, out, max, &n);
	spin_unlock(&g->lock);
	max = min(max, n);
	if (!ret && copy_to_user(u64_to_user_ptr(a->array), out, max * sizeof(*out)))
		ret = -EFAULT;
	a->count = n;
	kvfree(out);
	return ret;
}

static int do_registers(struct vshader_debug *g, void *arg)
{
	struct drm_vshader_debug_registers *a = arg;
	bool write = a->flags & DRM_VSHADER_DEBUG_ACCESS_WRITE;
	size_t size = a->words * sizeof(u32);
	u32 *values;
	int ret;

	ret = vs_session_check_registers(&g->c, a);
	if (ret)
		return ret;
	values = kvzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!values)
		return -ENOMEM;
	if (write && copy_from_user(values, u64_to_user_ptr(a->values), size)) {
		ret = -EFAULT;
		goto out_free;
	}
	spin_lock(&g->lock);
	ret = vs_session_registers(&g->c, a, values);
	spin_unlock(&g->lock);
	if (ret)
		goto out_free;
	if (!write && copy_to_user(u64_to_user_ptr(a->values), values, size))
		ret = -EFAULT;
out_free:
	kvfree(values);
	return ret;
}

static int do_memory(struct vshader_debug *g, void *arg)
{
	struct drm_vshader_debug_memory *a = arg;
	bool write = a->flags & DRM_VSHADER_DEBUG_ACCESS_WRITE;
	void *data;
	int ret;

	ret = vs_session_check_memory(a);
	if (ret)
		return ret;
	data = kvmalloc(a->size, GFP_KERNEL_ACCOUNT);
	if (!data)
		return -ENOMEM;
	if (write && copy_from_user(data, u64_to_user_ptr(a->data), a->size)) {
		ret = -EFAULT;
		goto out_free;
	}
	spin_lock(&g->lock);
	ret = vs_session_memory(&g->c, a, data);
	spin_unlock(&g->lock);
	if (ret)
		goto out_free;
	/* at most the bytes that were read */
	if (!write && copy_to_user(u64_to_user_ptr(a->data), data, a->size))
		ret = -EFAULT;
out_free:
	kvfree(data);
	return ret;
}

static int debug_trace(struct vshader_debug *g, struct drm_vshader_debug_trace *a,
		       struct vs_debug_record *out, struct vs_debug_record **buffer)
{
	int ret;

	spin_lock(&g->lock);
	ret = vs_session_trace(&g->c, a, out, buffer);
	spin_unlock(&g->lock);
	if (ret)
		return ret;
	if (copy_to_user(u64_to_user_ptr(a->records), out, a->count * sizeof(*out)))
		return -EFAULT;
	return 0;
}

static int do_trace(struct vshader_debug *g, void *arg)
{
	struct drm_vshader_debug_trace *a = arg;
	struct vs_debug_record *out, *buffer = NULL;
	int ret;

	BUILD_BUG_ON(sizeof(*out) != sizeof(struct drm_vshader_debug_trace_record));
	ret = vs_session_check_trace(&g->c, a);
	if (ret)
		return ret;
	a->count = min_t(u32, a->count, VS_SESSION_TRACE);
	out = kvcalloc(max_t(u32, a->count, 1), sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out)
		return -ENOMEM;
	if (a->flags & DRM_VSHADER_DEBUG_TRACE_ON) {
		buffer = kvcalloc(VS_SESSION_TRACE, sizeof(*buffer), GFP_KERNEL_ACCOUNT);
		if (!buffer) {
			ret = -ENOMEM;
			goto out_free;
		}
	}
	ret = debug_trace(g, a, out, &buffer);
	/* NULL if the session has taken it */
	kvfree(buffer);
out_free:
	kvfree(out);
	return ret;
}

/**
 * struct debug_call - An ioctl of the debug file.
 * @cmd: its number
 * @fn: handler; the argument is copied in and out
 */
struct debug_call {
	unsigned int cmd;
	int (*fn)(struct vshader_debug *g, void *arg);
};

static const struct debug_call calls[] = {
	{ DRM_IOCTL_VSHADER_DEBUG_SET_POINT, do_set_point },
	{ DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT, do_clear_point },
	{ DRM_IOCTL_VSHADER_DEBUG_GET_POINT, do_get_point },
	{ DRM_IOCTL_VSHADER_DEBUG_INTERRUPT, do_interrupt },
	{ DRM_IOCTL_VSHADER_DEBUG_RESUME, do_resume },
	{ DRM_IOCTL_VSHADER_DEBUG_GET_STOP, do_get_stop },
	{ DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS, do_invocations },
	{ DRM_IOCTL_VSHADER_DEBUG_REGISTERS, do_registers },
	{ DRM_IOCTL_VSHADER_DEBUG_MEMORY, do_memory },
	{ DRM_IOCTL_VSHADER_DEBUG_TRACE, do_trace },
};

/* Room for the largest argument. */
union debug_arg {
	struct drm_vshader_debug_stop stop;
	struct drm_vshader_debug_point point;
	struct drm_vshader_debug_trace trace;
};

/* As with DRM's own ioctls, structures may be shorter or longer than the kernel's. */
static const struct debug_call *find_call(unsigned int cmd)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (_IOC_TYPE(cmd) == _IOC_TYPE(calls[i].cmd) &&
		    _IOC_NR(cmd) == _IOC_NR(calls[i].cmd) &&
		    _IOC_DIR(cmd) == _IOC_DIR(calls[i].cmd))
			return &calls[i];
	}
	return NULL;
}

static long debug_ioctl(struct file *file, unsigned int cmd, unsigned long user)
{
	const struct debug_call *call = find_call(cmd);
	struct vshader_debug *g = file->private_data;
	union debug_arg arg = {};
	size_t size;
	int ret;

	if (!call)
		return -ENOTTY;
	size = min_t(size_t, _IOC_SIZE(cmd), _IOC_SIZE(call->cmd));
	BUILD_BUG_ON(sizeof(arg) < sizeof(struct drm_vshader_debug_memory));
	BUILD_BUG_ON(sizeof(arg) < sizeof(struct drm_vshader_debug_registers));
	if (copy_from_user(&arg, (void __user *)user, size))
		return -EFAULT;
	ret = call->fn(g, &arg);
	/* the library shares the checks of a session, which have no device */
	if (ret == -EINVAL)
		drm_dbg(debug_drm(g), "debug: ioctl %#x has an invalid argument\n", _IOC_NR(cmd));
	if (ret)
		return ret;
	return copy_to_user((void __user *)user, &arg, size) ? -EFAULT : 0;
}

/* ---- the file ---- */

static bool take_event(struct vshader_debug *g, struct drm_vshader_debug_event *ev)
{
	bool found;

	spin_lock(&g->lock);
	found = vs_session_read(&g->c, ev);
	spin_unlock(&g->lock);
	return found;
}

static __poll_t event_mask(struct vshader_debug *g)
{
	__poll_t mask = 0;

	spin_lock(&g->lock);
	if (vs_session_has_event(&g->c))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (g->c.gone)
		mask |= EPOLLHUP;
	spin_unlock(&g->lock);
	return mask;
}

/* The events that fit. Returns bytes or -EFAULT. */
static ssize_t copy_events(struct vshader_debug *g, char __user *buf, size_t size)
{
	struct drm_vshader_debug_event ev;
	ssize_t done = 0;

	while (size - done >= sizeof(ev) && take_event(g, &ev)) {
		if (copy_to_user(buf + done, &ev, sizeof(ev)))
			return done ?: -EFAULT;
		done += sizeof(ev);
	}
	return done;
}

static ssize_t debug_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct vshader_debug *g = file->private_data;
	ssize_t done;
	__poll_t mask;

	if (size < sizeof(struct drm_vshader_debug_event))
		return vshader_einval(debug_drm(g), "read of %zu bytes, at least %zu", size,
				      sizeof(struct drm_vshader_debug_event));
	for (;;) {
		done = copy_events(g, buf, size);
		if (done)
			return done;
		mask = event_mask(g);
		if (mask == EPOLLHUP)
			return 0;
		if (!mask && file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (!mask && wait_event_interruptible(g->wait, event_mask(g)))
			return -ERESTARTSYS;
	}
}

static __poll_t debug_poll(struct file *file, poll_table *wait)
{
	struct vshader_debug *g = file->private_data;

	poll_wait(file, &g->wait, wait);
	return event_mask(g);
}

static void detach(struct vshader_debug *g)
{
	bool end;

	spin_lock(&g->lock);
	end = vs_session_close(&g->c);
	spin_unlock(&g->lock);
	if (end)
		vshader_exec_end(g->fifo, VS_FAULT_CANCELED);
}

static int debug_release(struct inode *inode, struct file *file)
{
	struct vshader_debug *g = file->private_data;

	detach(g);
	g->put(g->fifo);
	return 0;
}

static const struct file_operations debug_fops = {
	.owner = THIS_MODULE,
	.read = debug_read,
	.poll = debug_poll,
	.unlocked_ioctl = debug_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.release = debug_release,
	.llseek = noop_llseek,
};

/* The session is begun; the file that ends it takes the queue's reference. */
static int debug_make_file(struct vshader_debug *g, s32 *out)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct file *file;

	if (fd < 0)
		return fd;
	file = anon_inode_getfile("[vshader-debug]", &debug_fops, g, O_RDWR);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	*out = fd;
	fd_install(fd, file);
	return 0;
}

/* The session could not begin; the job continues without one. */
static void debug_give_up(struct vshader_debug *g)
{
	bool stopped;

	spin_lock(&g->lock);
	vs_session_close(&g->c);
	stopped = g->c.state == DRM_VSHADER_DEBUG_STATE_STOPPED;
	spin_unlock(&g->lock);
	if (stopped)
		vshader_exec_resume(g->fifo);
}

int vshader_debug_attach(struct vshader_debug *g, struct drm_vshader_debug_attach *args)
{
	u64 ms = args->stop_limit_ms ?: VSHADER_DEFAULT_STOP_MS;
	u64 most = READ_ONCE(vshader_max_stop_s) * (u64)MSEC_PER_SEC;
	int ret;

	if (args->stop_limit_ms > most)
		return -E2BIG;
	spin_lock(&g->lock);
	ret = vs_session_attach(&g->c, args->flags, min(ms, most) * NSEC_PER_MSEC);
	spin_unlock(&g->lock);
	if (ret == -EINVAL)
		drm_dbg(debug_drm(g), "attach: flags %#x\n", args->flags);
	if (ret)
		return ret;
	ret = debug_make_file(g, &args->fd);
	if (ret)
		debug_give_up(g);
	return ret;
}
