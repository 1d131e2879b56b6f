// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Recording
 *
 * A recorder has two files: what the reader reads from, and a token. A DRM file that is opened by
 * a process that has the token among its file descriptors - it was inherited - is recorded, if the
 * process has no more rights than the recorder's had.
 *
 * A recorded submit is synchronous: before anything is armed it waits until there is room for the
 * record and until all fences that its jobs wait for have signalled, then copies what is mapped;
 * after the jobs have been pushed it waits for their end, and writes the record. Both is in the
 * submitting process, outside of the signalling path. Nobody waits for jobs that have not been
 * armed, so that a slow reader holds up nobody but who is recorded; and not for ever: after some
 * time the record is marked as incomplete and the jobs go on. Of records that nobody reads at all
 * there is a bound, too: numbers of submits tell what is missing.
 */
#include <linux/anon_inodes.h>
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_dumpfile.h"
#include "vshader_job.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_sched.h"
#include "vshader_vm.h"

#define DEFAULT_MB	256U
#define MAX_MB		1024U
#define MAX_RECORDS	65536U
#define WAIT_TIME	msecs_to_jiffies(10000)
#define JOB_TIME	msecs_to_jiffies(60000)

/**
 * struct vshader_recorder - A recorder.
 * @ref: held by its files and by recorded DRM files
 * @vdev: device; holds a reference
 * @cred: rights of who made it
 * @limit: bytes that records may take
 * @submit_lock: held by the submit that is recorded; outside of all other locks
 * @lock: protects everything below
 * @records: records to be read
 * @bytes: what they take
 * @count: how many they are
 * @writers: tokens and recorded files
 * @gone: the reader has closed its file
 * @slow: it has let a submit wait in vain
 * @submits: number of the last recorded submit
 * @wait: for records, for room
 * @read_lock: one read() at a time
 */
struct vshader_recorder {
	struct kref ref;
	struct vshader_device *vdev;
	const struct cred *cred;
	u64 limit;

	/** @submit_lock: held by the submit that is recorded */
	struct mutex submit_lock;

	/** @lock: protects everything below */
	spinlock_t lock;
	struct list_head records;
	u64 bytes;
	u32 count;
	u32 writers;
	bool gone;
	bool slow;
	u64 submits;
	wait_queue_head_t wait;

	/** @read_lock: one read() at a time */
	struct mutex read_lock;
};

/**
 * struct record - A record to be read.
 * @node: in &vshader_recorder.records
 * @head: what it begins with
 * @buf: dump, or NULL
 * @at: bytes that have been read, of both
 */
struct record {
	struct list_head node;
	struct drm_vshader_record_head head;
	void *buf;
	u64 at;
};

/**
 * struct session_job - A job being recorded.
 * @job: job; a reference if @armed
 * @before: what was mapped; only of the first job of an address space
 * @last: the last job of its address space
 * @record: its record
 * @cb: fence's callback
 * @done: the fence has signalled
 */
struct session_job {
	struct vshader_job *job;
	struct vshader_dump_memory before;
	bool last;
	struct record *record;
	struct dma_fence_cb cb;
	struct completion done;
};

/**
 * struct vshader_session - A submit being recorded.
 * @rec: recorder
 * @n: jobs
 * @armed: they are pushed
 * @incomplete: something is missing
 * @j: jobs
 */
struct vshader_session {
	struct vshader_recorder *rec;
	u32 n;
	bool armed;
	bool incomplete;
	struct session_job j[];
};

/* ---- the recorder ---- */

static void record_free(struct record *r)
{
	vfree(r->buf);
	kfree(r);
}

static void recorder_release(struct kref *ref)
{
	struct vshader_recorder *rec = container_of(ref, struct vshader_recorder, ref);
	struct record *r, *next;

	list_for_each_entry_safe(r, next, &rec->records, node)
		record_free(r);
	put_cred(rec->cred);
	mutex_destroy(&rec->submit_lock);
	mutex_destroy(&rec->read_lock);
	drm_dev_put(&rec->vdev->drm);
	kfree(rec);
}

static void add_writer(struct vshader_recorder *rec)
{
	kref_get(&rec->ref);
	spin_lock(&rec->lock);
	rec->writers++;
	spin_unlock(&rec->lock);
}

void vshader_record_leave(struct vshader_recorder *rec)
{
	if (!rec)
		return;
	spin_lock(&rec->lock);
	rec->writers--;
	spin_unlock(&rec->lock);
	wake_up_all(&rec->wait);
	kref_put(&rec->ref, recorder_release);
}

/* ---- the reader ---- */

static struct record *first_record(struct vshader_recorder *rec)
{
	struct record *r;

	spin_lock(&rec->lock);
	r = list_first_entry_or_null(&rec->records, struct record, node);
	spin_unlock(&rec->lock);
	return r;
}

static bool readable(struct vshader_recorder *rec)
{
	bool yes;

	spin_lock(&rec->lock);
	yes = !list_empty(&rec->records) || !rec->writers;
	spin_unlock(&rec->lock);
	return yes;
}

/* The bytes of a record that come next. */
static size_t next_bytes(const struct record *r, const void **from)
{
	const u64 head = sizeof(r->head);

	if (r->at < head) {
		*from = (const u8 *)&r->head + r->at;
		return head - r->at;
	}
	*from = (const u8 *)r->buf + (r->at - head);
	return r->head.size - (r->at - head);
}

static void drop_record(struct vshader_recorder *rec, struct record *r)
{
	spin_lock(&rec->lock);
	list_del(&r->node);
	rec->bytes -= r->head.size;
	rec->count--;
	rec->slow = false;
	spin_unlock(&rec->lock);
	wake_up_all(&rec->wait);
	record_free(r);
}

static ssize_t copy_record(struct vshader_recorder *rec, struct record *r, char __user *to,
			   size_t size)
{
	size_t done = 0, n;
	const void *from;

	while (done < size) {
		n = min(next_bytes(r, &from), size - done);
		if (!n)
			break;
		if (copy_to_user(to + done, from, n))
			return done ?: -EFAULT;
		r->at += n;
		done += n;
	}
	if (r->at == sizeof(r->head) + r->head.size)
		drop_record(rec, r);
	return done;
}

static ssize_t reader_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct vshader_recorder *rec = file->private_data;
	struct record *r;
	ssize_t ret;

	if (!size)
		return 0;
	do {
		if (!(file->f_flags & O_NONBLOCK) &&
		    wait_event_interruptible(rec->wait, readable(rec)))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&rec->read_lock))
			return -ERESTARTSYS;
		r = first_record(rec);
		if (r)
			ret = copy_record(rec, r, to, size);
		else
			ret = readable(rec) ? 0 : -EAGAIN;
		mutex_unlock(&rec->read_lock);
		/* another reader may have been faster */
	} while (ret == -EAGAIN && !(file->f_flags & O_NONBLOCK));
	return ret;
}

static __poll_t reader_poll(struct file *file, poll_table *wait)
{
	struct vshader_recorder *rec = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &rec->wait, wait);
	spin_lock(&rec->lock);
	if (!list_empty(&rec->records))
		mask |= EPOLLIN | EPOLLRDNORM;
	else if (!rec->writers)
		mask |= EPOLLHUP;
	spin_unlock(&rec->lock);
	return mask;
}

static int reader_release(struct inode *inode, struct file *file)
{
	struct vshader_recorder *rec = file->private_data;

	spin_lock(&rec->lock);
	rec->gone = true;
	spin_unlock(&rec->lock);
	wake_up_all(&rec->wait);
	kref_put(&rec->ref, recorder_release);
	return 0;
}

static const struct file_operations reader_fops = {
	.owner = THIS_MODULE,
	.read = reader_read,
	.poll = reader_poll,
	.release = reader_release,
	.llseek = noop_llseek,
};

/* ---- the token ---- */

static int token_release(struct inode *inode, struct file *file)
{
	vshader_record_leave(file->private_data);
	return 0;
}

static const struct file_operations token_fops = {
	.owner = THIS_MODULE,
	.release = token_release,
	.llseek = noop_llseek,
};

/* Could the recorder's maker look into this process anyway? */
static bool may_record(const struct vshader_recorder *rec)
{
	const struct cred *c = current_cred(), *r = rec->cred;

	return c->user_ns == r->user_ns &&
	       uid_eq(c->uid, r->uid) && uid_eq(c->euid, r->uid) && uid_eq(c->suid, r->uid) &&
	       gid_eq(c->gid, r->gid) && gid_eq(c->egid, r->gid) && gid_eq(c->sgid, r->gid) &&
	       cap_issubset(c->cap_permitted, r->cap_permitted);
}

struct match {
	struct vshader_device *vdev;
	struct vshader_recorder *rec;
};

static int match_token(const void *p, struct file *file, unsigned int fd)
{
	struct match *m = (struct match *)p;
	struct vshader_recorder *rec = file->private_data;

	if (file->f_op != &token_fops || rec->vdev != m->vdev || !may_record(rec))
		return 0;
	add_writer(rec);
	m->rec = rec;
	return 1;
}

struct vshader_recorder *vshader_record_join(struct vshader_device *vdev)
{
	struct match m = { .vdev = vdev };

	if (current->files)
		iterate_fd(current->files, 0, match_token, &m);
	return m.rec;
}

int vshader_record_lock(struct vshader_recorder *rec)
{
	return mutex_lock_interruptible(&rec->submit_lock);
}

void vshader_record_unlock(struct vshader_recorder *rec)
{
	mutex_unlock(&rec->submit_lock);
}

/* ---- before a submit ---- */

static bool has_room(struct vshader_recorder *rec)
{
	bool yes;

	spin_lock(&rec->lock);
	yes = rec->gone || rec->slow || rec->bytes < rec->limit;
	spin_unlock(&rec->lock);
	return yes;
}

/* Return: -EINTR, or 0 with *@room false if the reader takes too long. */
static int wait_for_room(struct vshader_recorder *rec, bool *room)
{
	long ret = wait_event_interruptible_timeout(rec->wait, has_room(rec), WAIT_TIME);

	if (ret < 0)
		return -EINTR;
	spin_lock(&rec->lock);
	*room = rec->gone || rec->bytes < rec->limit;
	if (!*room)
		rec->slow = true;
	spin_unlock(&rec->lock);
	return 0;
}

/* Return: -EINTR, or 0 with *@ok cleared if it takes too long. */
static int wait_result(long ret, bool *ok)
{
	if (ret == -ERESTARTSYS || ret == -EINTR)
		return -EINTR;
	if (ret <= 0)
		*ok = false;
	return 0;
}

/* What the jobs of the submit signal themselves has no fence yet. */
static int wait_syncs(struct drm_file *file, const struct drm_vshader_sync *syncs, u32 n, bool *ok)
{
	struct dma_fence *fence;
	int ret = 0;
	u32 i;

	for (i = 0; i < n && !ret; i++) {
		if (syncs[i].flags & DRM_VSHADER_SYNC_SIGNAL ||
		    drm_syncobj_find_fence(file, syncs[i].handle, syncs[i].timeline_value, 0,
					   &fence))
			continue;
		ret = wait_result(dma_fence_wait_timeout(fence, true, WAIT_TIME), ok);
		dma_fence_put(fence);
	}
	return ret;
}

/* Others who write to what the job has mapped. */
static int wait_shared(const struct vshader_job *job, bool *ok)
{
	int ret = 0;
	u32 i;

	if (job->flags & DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		return 0;
	for (i = 0; i < job->map->nshared && !ret; i++)
		ret = wait_result(dma_resv_wait_timeout(job->map->shared[i].obj->resv,
							DMA_RESV_USAGE_WRITE, true, WAIT_TIME),
				  ok);
	return ret;
}

static void *record_alloc(size_t size)
{
	return __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
}

static bool seen_before(const struct vshader_session *s, u32 i)
{
	u32 k;

	for (k = 0; k < i; k++) {
		if (s->j[k].job->map == s->j[i].job->map)
			return true;
	}
	return false;
}

static bool seen_behind(const struct vshader_session *s, u32 i)
{
	u32 k;

	for (k = i + 1; k < s->n; k++) {
		if (s->j[k].job->map == s->j[i].job->map)
			return true;
	}
	return false;
}

static void copy_memory(struct vshader_session *s)
{
	u32 i;

	for (i = 0; i < s->n && !s->incomplete; i++) {
		struct session_job *j = &s->j[i];

		j->last = !seen_behind(s, i);
		if (seen_before(s, i))
			continue;
		if (vshader_dump_copy(&j->job->map->vs, s->rec->limit / 2, record_alloc,
				      &j->before) || j->before.truncated)
			s->incomplete = true;
	}
}

static int prepare(struct vshader_session *s, struct drm_file *file,
		   const struct drm_vshader_job *ujobs, struct drm_vshader_sync **syncs)
{
	bool ok = true;
	int ret;
	u32 i;

	ret = wait_for_room(s->rec, &ok);
	for (i = 0; i < s->n && ok && !ret; i++) {
		/* a debugger may stop it for as long as it wants */
		if (s->j[i].job->queue->debug)
			ok = false;
		ret = wait_syncs(file, syncs[i], ujobs[i].syncs.count, &ok);
		if (!ret)
			ret = wait_shared(s->j[i].job, &ok);
	}
	if (ret)
		return ret;
	s->incomplete = !ok;
	copy_memory(s);
	return 0;
}

static bool is_gone(struct vshader_recorder *rec)
{
	bool gone;

	spin_lock(&rec->lock);
	gone = rec->gone;
	spin_unlock(&rec->lock);
	return gone;
}

int vshader_record_begin(struct vshader_recorder *rec, struct drm_file *file,
			 struct vshader_job **jobs, const struct drm_vshader_job *ujobs,
			 struct drm_vshader_sync **syncs, u32 n, struct vshader_session **out)
{
	struct vshader_session *s;
	int ret;
	u32 i;

	*out = NULL;
	if (is_gone(rec))
		return 0;
	s = kzalloc(struct_size(s, j, n), GFP_KERNEL_ACCOUNT);
	if (!s)
		return -ENOMEM;
	s->rec = rec;
	s->n = n;
	ret = 0;
	for (i = 0; i < n; i++) {
		s->j[i].job = jobs[i];
		init_completion(&s->j[i].done);
		s->j[i].record = kzalloc(sizeof(*s->j[i].record), GFP_KERNEL_ACCOUNT);
		if (!s->j[i].record)
			ret = -ENOMEM;
	}
	if (!ret)
		ret = prepare(s, file, ujobs, syncs);
	if (ret)
		vshader_record_end(s);
	else
		*out = s;
	return ret;
}

static void job_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	complete(&container_of(cb, struct session_job, cb)->done);
}

void vshader_record_armed(struct vshader_session *s)
{
	u32 i;

	for (i = 0; s && i < s->n; i++) {
		vshader_job_get(s->j[i].job);
		if (dma_fence_add_callback(&s->j[i].job->fence->base, &s->j[i].cb, job_signalled))
			complete(&s->j[i].done);
	}
	if (s)
		s->armed = true;
}

/* ---- behind a submit ---- */

static bool fits(struct vshader_recorder *rec, u64 size)
{
	bool yes;

	spin_lock(&rec->lock);
	yes = rec->gone || rec->slow || !rec->bytes || rec->bytes + size <= rec->limit;
	spin_unlock(&rec->lock);
	return yes;
}

/* All that is left of it is that it is missing. */
static void strip(struct record *r)
{
	vfree(r->buf);
	r->buf = NULL;
	r->head.size = 0;
	r->head.flags |= DRM_VSHADER_RECORD_INCOMPLETE;
}

/* Return: false: there is no room, or nobody to read it. */
static bool try_add(struct vshader_recorder *rec, struct record *r)
{
	bool ok;

	spin_lock(&rec->lock);
	ok = !rec->gone && rec->count < MAX_RECORDS &&
	     (!rec->bytes || !r->head.size || rec->bytes + r->head.size <= rec->limit);
	if (ok) {
		list_add_tail(&r->node, &rec->records);
		rec->bytes += r->head.size;
		rec->count++;
	} else {
		rec->slow = true;
	}
	spin_unlock(&rec->lock);
	if (ok)
		wake_up_all(&rec->wait);
	return ok;
}

static void add_record(struct vshader_recorder *rec, struct record *r)
{
	wait_event_killable_timeout(rec->wait, fits(rec, r->head.size), WAIT_TIME);
	if (try_add(rec, r))
		return;
	strip(r);
	if (!try_add(rec, r))
		record_free(r);
}

/* Memory before the submit, which the first job of the address space has. */
static const struct vshader_dump_memory *base_of(const struct vshader_session *s, u32 i)
{
	u32 k;

	for (k = 0; k < i && s->j[k].job->map != s->j[i].job->map; k++)
		;
	return &s->j[k].before;
}

static void tell(struct vshader_session *s, u32 i)
{
	struct session_job *j = &s->j[i];
	struct record *r = j->record;
	const struct vshader_dump_record what = {
		.before = j->before.buf ? &j->before : NULL, .after = j->last,
		.limit = s->rec->limit / 2,
	};

	j->record = NULL;
	r->head.submit = s->rec->submits;
	r->head.job = i;
	r->head.jobs = s->n;
	r->head.client = j->job->queue->file->client_id;
	r->head.pid = task_tgid_nr(current);
	if (s->incomplete || vshader_dump_record(j->job, &what, base_of(s, i), record_alloc,
						 &r->buf, &r->head.size) ||
	    r->head.size > s->rec->limit)
		strip(r);
	add_record(s->rec, r);
}

static void wait_for_jobs(struct vshader_session *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct session_job *j = &s->j[i];

		if (!s->incomplete &&
		    wait_for_completion_killable_timeout(&j->done, JOB_TIME) <= 0)
			s->incomplete = true;
		if (!dma_fence_remove_callback(&j->job->fence->base, &j->cb))
			/* it has been called, or is never going to be */
			continue;
		s->incomplete = true;
	}
}

void vshader_record_end(struct vshader_session *s)
{
	u32 i;

	if (!s)
		return;
	if (s->armed) {
		wait_for_jobs(s);
		s->rec->submits++;
		for (i = 0; i < s->n; i++)
			tell(s, i);
	}
	for (i = 0; i < s->n; i++) {
		if (s->armed)
			vshader_job_put(s->j[i].job);
		vfree(s->j[i].before.buf);
		kfree(s->j[i].record);
	}
	kfree(s);
}

/* ---- making one ---- */

static struct vshader_recorder *recorder_new(struct vshader_device *vdev, u32 mb)
{
	struct vshader_recorder *rec = kzalloc(sizeof(*rec), GFP_KERNEL_ACCOUNT);

	if (!rec)
		return NULL;
	kref_init(&rec->ref);
	drm_dev_get(&vdev->drm);
	rec->vdev = vdev;
	rec->cred = get_current_cred();
	rec->limit = (u64)mb << 20;
	mutex_init(&rec->submit_lock);
	mutex_init(&rec->read_lock);
	spin_lock_init(&rec->lock);
	INIT_LIST_HEAD(&rec->records);
	init_waitqueue_head(&rec->wait);
	return rec;
}

/* The files take over a reference each. */
static int make_files(struct vshader_recorder *rec, struct file **reader, struct file **token)
{
	*reader = anon_inode_getfile("[vshader-record]", &reader_fops, rec, O_RDONLY);
	if (IS_ERR(*reader))
		return PTR_ERR(*reader);
	kref_get(&rec->ref);
	*token = anon_inode_getfile("[vshader-token]", &token_fops, rec, O_RDONLY);
	if (IS_ERR(*token)) {
		fput(*reader);
		return PTR_ERR(*token);
	}
	add_writer(rec);
	return 0;
}

static int give_files(struct vshader_recorder *rec, struct drm_vshader_record *args)
{
	struct file *reader, *token;
	int ret, fds[2];

	fds[0] = get_unused_fd_flags(O_CLOEXEC);
	if (fds[0] < 0)
		return fds[0];
	fds[1] = get_unused_fd_flags(O_CLOEXEC);
	if (fds[1] < 0) {
		put_unused_fd(fds[0]);
		return fds[1];
	}
	ret = make_files(rec, &reader, &token);
	if (ret) {
		put_unused_fd(fds[0]);
		put_unused_fd(fds[1]);
		return ret;
	}
	args->reader = fds[0];
	args->token = fds[1];
	fd_install(fds[0], reader);
	fd_install(fds[1], token);
	return 0;
}

/**
 * vshader_record - DRM_IOCTL_VSHADER_RECORD
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_record(struct drm_file *file, struct drm_vshader_record *args)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_recorder *rec;
	int ret;

	if (args->flags)
		return -EINVAL;
	if (args->limit_mb > MAX_MB)
		return -E2BIG;
	rec = recorder_new(vf->vdev, args->limit_mb ?: DEFAULT_MB);
	if (!rec)
		return -ENOMEM;
	ret = give_files(rec, args);
	kref_put(&rec->ref, recorder_release);
	return ret;
}
