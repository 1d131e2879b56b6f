// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Recording
 *
 * Root opens the file "record" of a device in debugfs, starts the recording with a write, and
 * reads a stream of records (uapi/drm/vshader_drm_dump.h), one for each job that is executed.
 * One file of a device records at a time.
 *
 * The execution code calls two functions, before the first slice of a job and after its last
 * one. They copy memory into a buffer that the write has allocated, charged to the writer, and
 * are in the fence signalling path: no allocation, no waiting, cond_resched() between pieces of
 * at most 64 KiB. A job that finds no room is not recorded; the next record has the number of
 * jobs that are missing. The copies cost the CPU time and the memory bandwidth of the recorded
 * client, and end when the job is cancelled. If nobody records, this costs two reads a job.
 *
 * Nothing here holds drm_dev_enter(). Unplugging the device ends the stream.
 */
#include <linux/bitmap.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_dump.h"
#include "debug/dumpfile.h"
#include "vshader_job.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_vm.h"

#define DEFAULT_MB	64U
#define MAX_MB		1024U
#define MAX_COMMAND	128U

/* Parts of a record, in the order in which they are read. */
enum { PART_HEAD, PART_JOB, PART_BEFORE, PART_AFTER, NUM_PARTS };

/**
 * struct vshader_record - The record of a job, itself in the recorder's buffer.
 * @node: in &vshader_recorder.records, once the job has ended
 * @head: first bytes of the record
 * @part: bytes of the record; all but the first are in the recorder's buffer
 * @read: bytes that have been read
 */
struct vshader_record {
	struct list_head node;
	struct drm_vshader_record_head head;
	struct vshader_dump_memory part[NUM_PARTS];
	u64 read;
};

/**
 * struct vshader_recorder - An open file.
 * @vdev: device; holds a reference
 * @read_lock: one read() at a time; protects @current_record
 * @current_record: record that is being read, or NULL
 * @gap: record of jobs that are missing
 * @first: first client that is recorded
 * @last: last client that is recorded
 * @mem: buffer, or NULL: not started
 * @pages: pages of @mem
 * @used: a bit for each page that is in use
 * @free: pages that are not
 * @hint: where to look for free pages
 * @jobs: jobs that are executed, &vshader_job.recorded
 * @records: records to be read
 * @lost: jobs without a record since the last record
 * @busy: threads that copy
 * @ended: nothing is recorded any more
 * @wait: for records, the end, and @busy to become 0
 *
 * Members from @first on are under &vshader_device.record_lock.
 */
struct vshader_recorder {
	struct vshader_device *vdev;

	/** @read_lock: one read() at a time; protects @current_record */
	struct mutex read_lock;
	struct vshader_record *current_record;
	struct vshader_record gap;

	u64 first;
	u64 last;
	void *mem;
	u32 pages;
	unsigned long *used;
	u32 free;
	u32 hint;
	struct list_head jobs;
	struct list_head records;
	u64 lost;
	u32 busy;
	bool ended;
	wait_queue_head_t wait;
};

/* ---- the buffer ---- */

static u64 free_bytes(struct vshader_recorder *rec)
{
	return (u64)READ_ONCE(rec->free) << PAGE_SHIFT;
}

static void *buf_alloc(struct vshader_recorder *rec, u64 size)
{
	u32 n = DIV_ROUND_UP_ULL(size, PAGE_SIZE);
	void *p = NULL;
	unsigned long at;

	if (size > free_bytes(rec))
		return NULL;
	spin_lock(&rec->vdev->record_lock);
	at = bitmap_find_next_zero_area(rec->used, rec->pages, rec->hint, n, 0);
	if (at >= rec->pages)
		at = bitmap_find_next_zero_area(rec->used, rec->pages, 0, n, 0);
	if (at < rec->pages) {
		bitmap_set(rec->used, at, n);
		WRITE_ONCE(rec->free, rec->free - n);
		rec->hint = at + n;
		p = rec->mem + (at << PAGE_SHIFT);
	}
	spin_unlock(&rec->vdev->record_lock);
	return p;
}

static void buf_free(struct vshader_recorder *rec, void *p, u64 size)
{
	u32 n = DIV_ROUND_UP_ULL(size, PAGE_SIZE);

	lockdep_assert_held(&rec->vdev->record_lock);
	if (!p)
		return;
	bitmap_clear(rec->used, (p - rec->mem) >> PAGE_SHIFT, n);
	WRITE_ONCE(rec->free, rec->free + n);
}

static void record_free(struct vshader_recorder *rec, struct vshader_record *r)
{
	u32 i;

	for (i = PART_JOB; i < NUM_PARTS; i++)
		buf_free(rec, r->part[i].buf, r->part[i].room);
	buf_free(rec, r, sizeof(*r));
}

/* ---- jobs ---- */

/* Memory of a job that others write at the same time is not the job's alone. */
static void find_overlaps(struct vshader_recorder *rec, struct vshader_job *job)
{
	struct vshader_job *other;

	list_for_each_entry(other, &rec->jobs, recorded) {
		if (other->queue->vm != job->queue->vm)
			continue;
		other->overlapped = true;
		job->overlapped = true;
	}
}

/* Return: the recorder, which stays until leave(), or NULL: the job is not recorded. */
static struct vshader_recorder *enter_begin(struct vshader_device *vdev, struct vshader_job *job)
{
	u64 client = job->queue->file->client_id;
	struct vshader_recorder *rec;

	spin_lock(&vdev->record_lock);
	rec = vdev->recorder;
	if (rec && (client < rec->first || client > rec->last))
		rec = NULL;
	if (rec) {
		rec->busy++;
		find_overlaps(rec, job);
		list_add(&job->recorded, &rec->jobs);
	}
	spin_unlock(&vdev->record_lock);
	return rec;
}

static struct vshader_recorder *enter_end(struct vshader_device *vdev, struct vshader_job *job,
					  struct vshader_record **r)
{
	struct vshader_recorder *rec = NULL;

	spin_lock(&vdev->record_lock);
	if (!list_empty(&job->recorded)) {
		rec = vdev->recorder;
		rec->busy++;
		*r = job->record;
	}
	spin_unlock(&vdev->record_lock);
	return rec;
}

static void record_leave(struct vshader_recorder *rec)
{
	lockdep_assert_held(&rec->vdev->record_lock);
	rec->busy--;
	wake_up_all(&rec->wait);
}

/* Write a section of memory into the buffer. Return: false: no room. */
static bool record_put_memory(struct vshader_recorder *rec, const struct vshader_job *job,
			      const struct vshader_dump_memory *base,
			      struct vshader_dump_memory *out)
{
	out->stop = &job->task.fifo->error;
	out->room = free_bytes(rec);
	vshader_dump_memory(&job->map->vs, base, out);
	out->room = out->size;
	out->buf = buf_alloc(rec, out->room);
	if (!out->buf)
		return false;
	vshader_dump_memory(&job->map->vs, base, out);
	return true;
}

/* Return: the beginning of a job's record, or NULL: no room. */
static struct vshader_record *record_new(struct vshader_recorder *rec, struct vshader_job *job)
{
	struct vshader_record *r = buf_alloc(rec, sizeof(*r));

	if (!r)
		return NULL;
	memset(r, 0, sizeof(*r));
	r->part[PART_HEAD].buf = &r->head;
	r->part[PART_HEAD].size = sizeof(r->head);
	r->head.client = job->queue->file->client_id;
	r->head.pid = job->queue->pid;
	if (record_put_memory(rec, job, NULL, &r->part[PART_BEFORE]))
		return r;
	spin_lock(&rec->vdev->record_lock);
	record_free(rec, r);
	spin_unlock(&rec->vdev->record_lock);
	return NULL;
}

void vshader_record_begin(struct vshader_job *job)
{
	struct vshader_device *vdev = job->queue->file->vdev;
	struct vshader_recorder *rec;
	struct vshader_record *r;

	rec = enter_begin(vdev, job);
	if (!rec)
		return;
	r = record_new(rec, job);
	spin_lock(&vdev->record_lock);
	/* the recording may have ended: nothing of it is used any more */
	if (!list_empty(&job->recorded))
		job->record = r;
	record_leave(rec);
	spin_unlock(&vdev->record_lock);
}

/* Write the rest of a job's record. Return: false: no room. */
static bool record_finish(struct vshader_recorder *rec, struct vshader_record *r,
			  struct vshader_job *job)
{
	struct vshader_dump_memory *dump = &r->part[PART_JOB];
	struct vshader_dump_memory *before = &r->part[PART_BEFORE];
	struct vshader_dump_memory *after = &r->part[PART_AFTER];
	u64 memory;

	if (!record_put_memory(rec, job, before, after))
		*after = (struct vshader_dump_memory){ .truncated = true };
	if (before->truncated || after->truncated)
		r->head.flags |= DRM_VSHADER_RECORD_INCOMPLETE;
	memory = before->size + after->size;
	dump->room = vshader_dump_job(job, memory, after->buf ? 2 : 1, NULL, 0);
	dump->buf = buf_alloc(rec, dump->room);
	if (!dump->buf)
		return false;
	dump->size = vshader_dump_job(job, memory, after->buf ? 2 : 1, dump->buf, dump->room);
	r->head.size = dump->size + memory;
	return true;
}

static void add_record(struct vshader_recorder *rec, struct vshader_record *r, bool overlapped)
{
	lockdep_assert_held(&rec->vdev->record_lock);
	if (overlapped)
		r->head.flags |= DRM_VSHADER_RECORD_OVERLAPPED;
	r->head.lost = rec->lost;
	rec->lost = 0;
	list_add_tail(&r->node, &rec->records);
}

void vshader_record_end(struct vshader_job *job)
{
	struct vshader_device *vdev = job->queue->file->vdev;
	struct vshader_recorder *rec;
	struct vshader_record *r;
	bool ok;

	if (likely(list_empty_careful(&job->recorded)))
		return;
	rec = enter_end(vdev, job, &r);
	if (!rec)
		return;
	ok = r && record_finish(rec, r, job);
	spin_lock(&vdev->record_lock);
	if (ok) {
		add_record(rec, r, job->overlapped);
	} else {
		rec->lost++;
		if (r)
			record_free(rec, r);
	}
	list_del_init(&job->recorded);
	record_leave(rec);
	spin_unlock(&vdev->record_lock);
}

/* ---- the reader ---- */

/* The next record, one that reports the number of missing records, or NULL. */
static struct vshader_record *next_record(struct vshader_recorder *rec)
{
	struct vshader_record *r = rec->current_record;

	if (r)
		return r;
	spin_lock(&rec->vdev->record_lock);
	r = list_first_entry_or_null(&rec->records, struct vshader_record, node);
	if (r) {
		list_del(&r->node);
	} else if (rec->lost) {
		r = &rec->gap;
		r->head.lost = rec->lost;
		r->read = 0;
		rec->lost = 0;
	}
	spin_unlock(&rec->vdev->record_lock);
	rec->current_record = r;
	return r;
}

static bool has_records(struct vshader_recorder *rec)
{
	lockdep_assert_held(&rec->vdev->record_lock);
	return !list_empty(&rec->records) || rec->lost;
}

/* At the end: nothing will come any more. */
static bool at_end(struct vshader_recorder *rec)
{
	lockdep_assert_held(&rec->vdev->record_lock);
	return (rec->ended || !rec->mem) && !rec->busy && !has_records(rec);
}

static bool record_readable(struct vshader_recorder *rec)
{
	bool yes = READ_ONCE(rec->current_record);

	spin_lock(&rec->vdev->record_lock);
	yes |= has_records(rec) || at_end(rec);
	spin_unlock(&rec->vdev->record_lock);
	return yes;
}

/* Bytes of a record that come next. */
static const void *next_bytes(const struct vshader_record *r, u64 *n)
{
	u64 at = r->read;
	u32 i;

	for (i = 0; i < NUM_PARTS - 1 && at >= r->part[i].size; i++)
		at -= r->part[i].size;
	*n = r->part[i].size - at;
	return r->part[i].buf + at;
}

static void record_done(struct vshader_recorder *rec, struct vshader_record *r)
{
	WRITE_ONCE(rec->current_record, NULL);
	if (r == &rec->gap)
		return;
	spin_lock(&rec->vdev->record_lock);
	record_free(rec, r);
	spin_unlock(&rec->vdev->record_lock);
}

static ssize_t copy_record(struct vshader_recorder *rec, struct vshader_record *r,
			   char __user *to, size_t size)
{
	u64 all = sizeof(r->head) + r->head.size, n;
	size_t done = 0;
	const void *from;

	while (done < size && r->read < all) {
		from = next_bytes(r, &n);
		n = min_t(u64, n, size - done);
		if (copy_to_user(to + done, from, n))
			return done ?: -EFAULT;
		r->read += n;
		done += n;
	}
	if (r->read == all)
		record_done(rec, r);
	return done;
}

static ssize_t record_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct vshader_recorder *rec = file->private_data;
	bool wait = !(file->f_flags & O_NONBLOCK);
	struct vshader_record *r;
	ssize_t ret;

	if (!size)
		return 0;
	do {
		if (wait && wait_event_interruptible(rec->wait, record_readable(rec)))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&rec->read_lock))
			return -ERESTARTSYS;
		r = next_record(rec);
		if (r)
			ret = copy_record(rec, r, to, size);
		else
			ret = record_readable(rec) ? 0 : -EAGAIN;
		mutex_unlock(&rec->read_lock);
		/* another reader may have been faster */
	} while (ret == -EAGAIN && wait);
	return ret;
}

static __poll_t record_poll(struct file *file, poll_table *wait)
{
	struct vshader_recorder *rec = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &rec->wait, wait);
	if (record_readable(rec))
		mask |= EPOLLIN | EPOLLRDNORM;
	spin_lock(&rec->vdev->record_lock);
	if (at_end(rec))
		mask |= EPOLLHUP;
	spin_unlock(&rec->vdev->record_lock);
	return mask;
}

/* ---- start and end ---- */

/**
 * struct settings - A command.
 * @first: first client
 * @last: last client
 * @mb: size of the buffer, MiB
 */
struct settings {
	u64 first;
	u64 last;
	u32 mb;
};

static int record_parse_word(const struct drm_device *drm, struct settings *s, char *word)
{
	char *value = strchr(word, '=');
	u64 v;

	if (!value)
		return vshader_einval(drm, "record: unknown word %s", word);
	*value++ = 0;
	if (kstrtou64(value, 0, &v))
		return vshader_einval(drm, "record: %s=%s is no number", word, value);
	if (!strcmp(word, "client")) {
		s->first = v;
		s->last = v;
	} else if (!strcmp(word, "after") && v < U64_MAX) {
		s->first = v + 1;
		s->last = U64_MAX;
	} else if (!strcmp(word, "size") && v) {
		if (v > MAX_MB)
			return -E2BIG;
		s->mb = v;
	} else {
		return vshader_einval(drm, "record: %s=%llu is unknown or out of range", word, v);
	}
	return 0;
}

static int record_parse(const struct drm_device *drm, struct settings *s, char *text)
{
	char *word;
	int ret = 0;

	*s = (struct settings){ .last = U64_MAX, .mb = DEFAULT_MB };
	while (!ret && (word = strsep(&text, " \t\n"))) {
		if (*word && strcmp(word, "start"))
			ret = record_parse_word(drm, s, word);
	}
	return ret;
}

/* The buffer is set before anybody else sees the recorder. */
static int record_publish(struct vshader_recorder *rec, const struct settings *s, void *mem,
			  unsigned long *used)
{
	struct vshader_device *vdev = rec->vdev;
	int ret = 0;

	spin_lock(&vdev->record_lock);
	if (vdev->record_gone) {
		ret = -ENODEV;
	} else if (rec->mem || vdev->recorder) {
		ret = -EBUSY;
	} else {
		rec->first = s->first;
		rec->last = s->last;
		rec->pages = s->mb << (20 - PAGE_SHIFT);
		rec->free = rec->pages;
		rec->used = used;
		rec->mem = mem;
		WRITE_ONCE(vdev->recorder, rec);
	}
	spin_unlock(&vdev->record_lock);
	return ret;
}

static int record_start(struct vshader_recorder *rec, const struct settings *s)
{
	u32 pages = s->mb << (20 - PAGE_SHIFT);
	unsigned long *used;
	void *mem;
	int ret;

	mem = __vmalloc((size_t)s->mb << 20, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem)
		return -ENOMEM;
	used = kvcalloc(BITS_TO_LONGS(pages), sizeof(*used), GFP_KERNEL_ACCOUNT);
	if (!used) {
		ret = -ENOMEM;
		goto err_mem;
	}
	ret = record_publish(rec, s, mem, used);
	if (ret)
		goto err_used;
	return 0;

err_used:
	kvfree(used);
err_mem:
	vfree(mem);
	return ret;
}

static ssize_t record_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	struct vshader_recorder *rec = file->private_data;
	struct settings s;
	char *text;
	int ret;

	if (size > MAX_COMMAND)
		return -E2BIG;
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = record_parse(&rec->vdev->drm, &s, text);
	kfree(text);
	if (ret)
		return ret;
	ret = record_start(rec, &s);
	return ret ?: size;
}

/* Jobs that are executed forget the recorder. */
static void record_stop(struct vshader_recorder *rec)
{
	struct vshader_job *job, *next;

	lockdep_assert_held(&rec->vdev->record_lock);
	if (rec->vdev->recorder == rec)
		WRITE_ONCE(rec->vdev->recorder, NULL);
	rec->ended = true;
	list_for_each_entry_safe(job, next, &rec->jobs, recorded) {
		job->record = NULL;
		list_del_init(&job->recorded);
	}
	wake_up_all(&rec->wait);
}

static bool record_is_idle(struct vshader_recorder *rec)
{
	bool idle;

	spin_lock(&rec->vdev->record_lock);
	idle = !rec->busy;
	spin_unlock(&rec->vdev->record_lock);
	return idle;
}

static int record_release(struct inode *inode, struct file *file)
{
	struct vshader_recorder *rec = file->private_data;
	struct vshader_device *vdev = rec->vdev;

	spin_lock(&vdev->record_lock);
	record_stop(rec);
	spin_unlock(&vdev->record_lock);
	/* threads that are in the middle of a copy */
	wait_event(rec->wait, record_is_idle(rec));
	vfree(rec->mem);
	kvfree(rec->used);
	mutex_destroy(&rec->read_lock);
	kfree(rec);
	drm_dev_put(&vdev->drm);
	return 0;
}

static int record_open(struct inode *inode, struct file *file)
{
	struct vshader_device *vdev = inode->i_private;
	struct vshader_recorder *rec = kzalloc(sizeof(*rec), GFP_KERNEL_ACCOUNT);

	if (!rec)
		return -ENOMEM;
	drm_dev_get(&vdev->drm);
	rec->vdev = vdev;
	mutex_init(&rec->read_lock);
	rec->gap.part[PART_HEAD].buf = &rec->gap.head;
	rec->gap.part[PART_HEAD].size = sizeof(rec->gap.head);
	INIT_LIST_HEAD(&rec->jobs);
	INIT_LIST_HEAD(&rec->records);
	init_waitqueue_head(&rec->wait);
	file->private_data = rec;
	return stream_open(inode, file);
}

static const struct file_operations record_fops = {
	.owner = THIS_MODULE,
	.open = record_open,
	.release = record_release,
	.read = record_read,
	.write = record_write,
	.poll = record_poll,
	.llseek = noop_llseek,
};

void vshader_record_unplug(struct vshader_device *vdev)
{
	spin_lock(&vdev->record_lock);
	vdev->record_gone = true;
	if (vdev->recorder)
		record_stop(vdev->recorder);
	spin_unlock(&vdev->record_lock);
}

void vshader_record_debugfs(struct vshader_device *vdev, struct dentry *dir)
{
	/* open files hold their own references, so that no read() delays the removal */
	debugfs_create_file_unsafe("record", 0600, dir, vdev, &record_fops);
}
