// SPDX-License-Identifier: MIT
/*
 * Local backend: recording, as the kernel driver does it. Whoever records gives the process a
 * socket; each record is a message with a file that has the dump.
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
#include "vshader_dumpfile.h"

#define MEMORY		(256ull << 20)
#define WAIT_MS		10000

/** struct vsl_record_job - a job that is recorded; @before and @last as in the kernel driver */
struct vsl_record_job {
	const struct vsl_job *job;
	const struct vsl_map *map;
	struct vshader_dump_memory before;
	bool last;
	void *buf;
	uint64_t size;
};

/** struct vsl_session - a submit that is recorded; @left: jobs that have not ended, under lock */
struct vsl_session {
	uint32_t n;
	uint32_t left;
	bool incomplete;
	struct vsl_record_job j[VSL_MAX_JOBS];
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

/* ---- before a submit ---- */

static const struct vshader_dump_memory *base_of(const struct vsl_session *s, uint32_t i)
{
	uint32_t k;

	for (k = 0; k < i && s->j[k].map != s->j[i].map; k++)
		;
	return &s->j[k].before;
}

static bool is_last(const struct vsl_session *s, uint32_t i)
{
	uint32_t k;

	for (k = i + 1; k < s->n; k++) {
		if (s->j[k].map == s->j[i].map)
			return false;
	}
	return true;
}

static void copy_memory(struct vsl_session *s)
{
	uint32_t i;

	for (i = 0; i < s->n && !s->incomplete; i++) {
		struct vsl_record_job *j = &s->j[i];

		j->last = is_last(s, i);
		if (base_of(s, i) != &j->before)
			continue;
		if (vshader_dump_copy(&j->map->vs, MEMORY, malloc, &j->before) ||
		    j->before.truncated)
			s->incomplete = true;
	}
}

struct vsl_session *vsl_record_begin(struct vsl_device *d, struct vsl_job *const *jobs, uint32_t n)
{
	struct vsl_session *s;
	uint32_t i;

	for (i = 0; i < n; i++) {
		/* a debugger may stop it for as long as it wants */
		if (jobs[i]->queue->debug)
			return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->n = n;
	s->left = n;
	for (i = 0; i < n; i++) {
		s->j[i].job = jobs[i];
		s->j[i].map = jobs[i]->map;
	}
	copy_memory(s);
	pthread_mutex_lock(&d->lock);
	d->session = s;
	pthread_mutex_unlock(&d->lock);
	return s;
}

/* ---- behind it ---- */

void vsl_record_ended(struct vsl_device *d, const struct vsl_job *job,
		      const struct drm_vshader_job_result *r)
{
	struct vsl_session *s = d->session;
	uint32_t i;

	for (i = 0; s && i < s->n; i++) {
		struct vsl_record_job *j = &s->j[i];
		const struct vshader_dump_record what = {
			.before = j->before.buf ? &j->before : NULL, .after = j->last,
			.limit = MEMORY,
		};

		if (j->job != job)
			continue;
		if (!s->incomplete &&
		    vsl_dump_make(d, job, r, &what, base_of(s, i), &j->buf, &j->size))
			s->incomplete = true;
		s->left--;
	}
}

static int make_file(const void *p, uint64_t size)
{
	int fd = memfd_create("vshader-record", MFD_CLOEXEC);
	uint64_t done = 0;
	ssize_t n;

	while (fd >= 0 && done < size) {
		n = write(fd, (const uint8_t *)p + done, size - done);
		if (n <= 0) {
			close(fd);
			return -1;
		}
		done += (uint64_t)n;
	}
	return fd;
}

/* Return: false: nobody reads any more. */
static bool send_record(struct vsl_device *d, const struct drm_vshader_record_head *head, int file)
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
			return false;
		/* who has been waited for in vain is not waited for again until he reads */
		if (errno == EAGAIN && (d->record_slow || poll(&p, 1, WAIT_MS) == 0)) {
			d->record_slow = true;
			return true;
		}
	}
	d->record_slow = false;
	return true;
}

static bool tell(struct vsl_device *d, const struct vsl_session *s, uint32_t i)
{
	const struct vsl_record_job *j = &s->j[i];
	struct drm_vshader_record_head head = {
		.size = j->size, .submit = d->record_submits, .job = i, .jobs = s->n,
		.pid = (uint64_t)getpid(),
	};
	int file = s->incomplete || !j->buf ? -1 : make_file(j->buf, j->size);
	bool ok;

	if (file < 0) {
		head.size = 0;
		head.flags = DRM_VSHADER_RECORD_INCOMPLETE;
	}
	ok = send_record(d, &head, file);
	if (file >= 0)
		close(file);
	return ok;
}

void vsl_record_end(struct vsl_device *d, struct vsl_session *s, bool submitted)
{
	uint32_t i;
	bool ok = true;

	if (!s)
		return;
	pthread_mutex_lock(&d->lock);
	while (submitted && s->left)
		pthread_cond_wait(&d->ended, &d->lock);
	d->session = NULL;
	pthread_mutex_unlock(&d->lock);
	if (submitted)
		d->record_submits++;
	for (i = 0; i < s->n; i++) {
		if (submitted && ok)
			ok = tell(d, s, i);
		free(s->j[i].before.buf);
		free(s->j[i].buf);
	}
	if (!ok)
		vsl_record_close(d);
	free(s);
}
