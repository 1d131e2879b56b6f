// SPDX-License-Identifier: MIT
/*
 * Local backend: recording, as the kernel driver does it. The recording command gives the process
 * a socket; each record is a message with a file that has the dump.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local.h"
#include "debug/dumpfile.h"

#define WAIT_MS		10000

/** struct vsl_record - the record of a job that runs */
struct vsl_record {
	struct vshader_dump_memory before;
	bool overlapped;	/* another job of the address space has run at the same time */
};

void vsl_record_open(struct vsl_device *d)
{
	const char *text = secure_getenv("VSHADER_RECORD_FD");
	struct stat st;
	char *end;
	long fd;

	d->record_fd = -1;
	if (!text || !*text)
		return;
	fd = strtol(text, &end, 10);
	if (*end || fd < 0 || fd > INT32_MAX || fstat((int)fd, &st) || !S_ISSOCK(st.st_mode))
		return;
	d->record_fd = fcntl((int)fd, F_DUPFD_CLOEXEC, 3);
}

void vsl_record_close(struct vsl_device *d)
{
	if (d->record_fd >= 0)
		close(d->record_fd);
	d->record_fd = -1;
}

/* ---- before a job ---- */

/* Return: 0 or -ENOMEM. */
static int copy_memory(const struct vs_map *map, const struct vshader_dump_memory *base,
		       struct vshader_dump_memory *out)
{
	out->room = UINT64_MAX;
	vshader_dump_memory(map, base, out);
	out->room = out->size;
	out->buf = malloc(out->room);
	if (!out->buf)
		return -ENOMEM;
	vshader_dump_memory(map, base, out);
	return 0;
}

static void find_overlaps(struct vsl_device *d, struct vsl_job *job)
{
	struct vsl_queue *q;

	for (q = d->queue_list; q; q = q->next) {
		struct vsl_job *other = q->head;

		if (!other || other == job || !other->started || q->vm != job->queue->vm)
			continue;
		job->record->overlapped = true;
		if (other->record)
			other->record->overlapped = true;
	}
}

void vsl_record_begin(struct vsl_device *d, struct vsl_job *job)
{
	if (d->record_fd < 0)
		return;
	job->record = calloc(1, sizeof(*job->record));
	if (!job->record)
		return;
	find_overlaps(d, job);
	if (copy_memory(&job->map->vs, NULL, &job->record->before))
		vsl_record_free(job);
}

void vsl_record_free(struct vsl_job *job)
{
	if (!job->record)
		return;
	free(job->record->before.buf);
	free(job->record);
	job->record = NULL;
}

/* ---- after a job ---- */

static bool write_all(int fd, const void *p, uint64_t size)
{
	uint64_t done = 0;
	ssize_t n;

	while (done < size) {
		n = write(fd, (const uint8_t *)p + done, size - done);
		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

/* Return: a file with the dump, or -1. */
static int make_file(const struct vshader_dump_src *src, const struct vshader_dump_memory *before,
		     const struct vshader_dump_memory *after)
{
	uint64_t size = vshader_dump_record(src, NULL, 0);
	int fd = memfd_create("vshader-record", MFD_CLOEXEC);
	void *buf = malloc(size);

	if (fd >= 0 && buf && vshader_dump_record(src, buf, size) == size &&
	    write_all(fd, buf, size) && write_all(fd, before->buf, before->size) &&
	    write_all(fd, after->buf, after->size)) {
		free(buf);
		return fd;
	}
	free(buf);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Return: a file with the dump, or -1. */
static int make_record(const struct vsl_device *d, const struct vsl_job *job,
		       const struct drm_vshader_job_result *r, __u64 *flags)
{
	const struct vshader_dump_memory *before = &job->record->before;
	struct vshader_dump_memory after = { };
	struct vshader_dump_src src = { .record = true, .memory_sections = 2 };
	int file;

	if (copy_memory(&job->map->vs, before, &after))
		return -1;
	src.memory = before->size + after.size;
	vsl_dump_fill(d, job, r, &src);
	if (before->truncated || after.truncated)
		*flags |= DRM_VSHADER_RECORD_INCOMPLETE;
	if (job->record->overlapped)
		*flags |= DRM_VSHADER_RECORD_OVERLAPPED;
	file = make_file(&src, before, &after);
	free(after.buf);
	return file;
}

/* Return: 0, -EAGAIN: there is no room, -EPIPE: nobody reads any more. */
static int send_record(struct vsl_device *d, const struct drm_vshader_record_head *head, int file)
{
	struct iovec iov = { .iov_base = (void *)head, .iov_len = sizeof(*head) };
	struct pollfd p = { .fd = d->record_fd, .events = POLLOUT };
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (file >= 0) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &file, sizeof(file));
	}
	while (sendmsg(d->record_fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		if (errno != EAGAIN && errno != EINTR)
			return -EPIPE;
		/* one wait in vain: none again until the reader has read */
		if (errno == EAGAIN && (d->record_slow || poll(&p, 1, WAIT_MS) == 0)) {
			d->record_slow = true;
			return -EAGAIN;
		}
	}
	d->record_slow = false;
	return 0;
}

void vsl_record_end(struct vsl_device *d, struct vsl_job *job,
		    const struct drm_vshader_job_result *r)
{
	struct drm_vshader_record_head head = {};
	struct stat st;
	int ret, file;

	if (d->record_fd < 0 || !job->started)
		return;
	head.pid = (uint64_t)getpid();
	file = job->record ? make_record(d, job, r, &head.flags) : -1;
	if (file >= 0 && !fstat(file, &st))
		head.size = (uint64_t)st.st_size;
	else
		d->record_lost++;
	head.lost = d->record_lost;
	ret = send_record(d, &head, head.size ? file : -1);
	if (!ret)
		d->record_lost = 0;
	else if (head.size)
		d->record_lost++;
	if (file >= 0)
		close(file);
	if (ret == -EPIPE)
		vsl_record_close(d);
	vsl_record_free(job);
}
