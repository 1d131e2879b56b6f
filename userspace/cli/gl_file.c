// SPDX-License-Identifier: MIT
/*
 * vshader gl: a DRM file of a driver over the library: its messages, and ioctls of the DRM core.
 * The counterpart of kernel/personality/pers_file.c; a driver adds its ioctls (gl_panfrost.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <drm.h>

#include "cli.h"
#include "gl_priv.h"

#define MAX_NAME	64	/* of a client */

/* ---- ioctls of the core ---- */

static int get_cap(struct gl_file *f, struct gl_call *c)
{
	struct drm_get_cap *args = (void *)c->arg;

	switch (args->capability) {
	case DRM_CAP_PRIME:
		args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	case DRM_CAP_SYNCOBJ_TIMELINE:
		args->value = f->server->driver->timelines;
		return 0;
	case DRM_CAP_SYNCOBJ:
	case DRM_CAP_TIMESTAMP_MONOTONIC:
		args->value = 1;
		return 0;
	default:
		/* all others are for drivers with displays */
		args->value = 0;
		return -EOPNOTSUPP;
	}
}

/* The name is for fdinfo, which a socket does not have. */
static int set_client_name(struct gl_file *f, struct gl_call *c)
{
	const struct gl_client_name *args = (void *)c->arg;
	const unsigned char *name = (const void *)(uintptr_t)args->name;
	uint64_t i;

	if (args->len > MAX_NAME)
		return -EINVAL;
	if (c->arrays)
		return c->arrays;
	for (i = 0; i < args->len; i++) {
		if (name[i] <= ' ' || name[i] > '~')
			return -EINVAL;
	}
	return 0;
}

static const struct gl_ioctl ioctls[] = {
	{ NR(DRM_IOCTL_GET_CAP), get_cap },
	{ GL_SET_CLIENT_NAME, set_client_name, .late = true },
	{ }
};

static const struct gl_ioctl *find_ioctl(const struct gl_driver *driver, uint32_t nr)
{
	const struct gl_ioctl * const tables[] = { ioctls, gl_bo_ioctls, gl_sync_ioctls,
						   driver->ioctls };
	const struct gl_ioctl *i;
	unsigned int t;

	for (t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (i = tables[t]; i->fn; i++) {
			if (i->nr == nr)
				return i;
		}
	}
	return NULL;
}

/* ---- messages ---- */

/* The error of an array, which else is the next one of those that have come. */
static int32_t find_array(const struct gl_array *a, const uint8_t *arg, int32_t error,
			  uint32_t left)
{
	if (error)
		return error < 0 ? error : -EINVAL;
	return gl_array_bytes(a, arg) > left ? -EINVAL : 0;
}

/*
 * Let the argument's pointers point to the arrays that have come, or to nothing.
 * Return: error of the first one that has one.
 */
static int set_arrays(const struct gl_driver *driver, const struct gl_request *r,
		      struct gl_call *c, const uint8_t *arrays)
{
	const struct gl_array *a;
	uint32_t used = 0, i = 0;
	uint64_t at;
	int ret = 0;

	memset(c->errors, 0, sizeof(c->errors));
	for (a = gl_next_array(NULL, driver->kind, r->nr); a;
	     a = gl_next_array(a, driver->kind, r->nr)) {
		if (a->out == GL_OUT_ONLY)
			continue;
		at = 0;
		if (gl_array_is_read(a, c->arg)) {
			c->errors[i] = find_array(a, c->arg, r->errors[i], r->arrays - used);
			if (!c->errors[i]) {
				at = (uintptr_t)(arrays + used);
				used += gl_array_bytes(a, c->arg);
			}
		}
		memcpy(c->arg + a->pointer, &at, sizeof(at));
		if (!ret)
			ret = c->errors[i];
		i++;
	}
	return ret;
}

static int answer(struct gl_file *f, const struct gl_request *r, struct gl_call *c,
		  const uint8_t *arrays)
{
	const struct gl_ioctl *i = find_ioctl(f->server->driver, r->nr);

	if (!i)
		return gl_primary_ioctl(f, r->nr, c);
	if (i->timeline && !f->server->driver->timelines)
		return -EOPNOTSUPP;
	c->arrays = set_arrays(f->server->driver, r, c, arrays);
	return c->arrays && !i->late ? c->arrays : i->fn(f, c);
}

/**
 * struct connection - of a program
 * @server: server
 * @sock: socket
 * @arrays: room for the arrays of a message
 * @answer: socket for the answer to the last message
 * @opener: process that has connected, and its user
 */
struct connection {
	struct gl_server *server;
	int sock;
	uint8_t *arrays;
	int answer;
	struct ucred opener;
};

/* Nobody if it cannot be told. */
static struct ucred other_end(int sock)
{
	struct ucred who = { .uid = -1 };
	socklen_t n = sizeof(who);

	getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &who, &n);
	return who;
}

/* The files that have come with a message. Return: the message is complete */
static bool take_files(struct connection *o, const struct msghdr *h, const struct gl_request *r,
		       struct gl_call *c)
{
	struct cmsghdr *m = CMSG_FIRSTHDR(h);
	int fds[2] = { -1, -1 };

	if (m && m->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(m), m->cmsg_len - CMSG_LEN(0));
	o->answer = r->own_reply ? fds[0] : o->sock;
	c->pass = fds[!!r->own_reply];
	return o->answer >= 0;
}

static bool receive(struct connection *o, struct gl_request *r, struct gl_call *c)
{
	struct iovec iov[3] = { { r, sizeof(*r) }, { c->arg, sizeof(c->arg) },
				{ o->arrays, GL_MAX_ARRAYS } };
	union {
		char space[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr h = {
		.msg_iov = iov,
		.msg_iovlen = 3,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	ssize_t n;

	n = recvmsg(o->sock, &h, MSG_CMSG_CLOEXEC);
	if (n < (ssize_t)sizeof(*r) || !take_files(o, &h, r, c))
		return false;
	c->since = r->since;
	c->inherited = r->own_reply;
	c->sock = o->sock;
	c->caller = r->own_reply ? other_end(o->answer) : o->opener;
	n -= sizeof(*r) + GL_MAX_ARG;
	if (r->in_file)
		return !n && r->arrays <= GL_MAX_FILE;
	return r->arrays <= GL_MAX_ARRAYS && n == r->arrays;
}

/* Arrays that are too large for a message. They are copied: the program could change them. */
static uint8_t *read_file(struct gl_request *r, struct gl_call *c)
{
	uint8_t *p = malloc(r->arrays + 1);
	uint32_t at = 0;
	ssize_t n = 1;

	for (; p && at < r->arrays && n > 0; at += n)
		n = pread(c->pass, p + at, r->arrays - at, at);
	/* find_array() finds that nothing has come */
	if (!p || n <= 0)
		r->arrays = 0;
	close(c->pass);
	c->pass = -1;
	return p;
}

/* The arrays that the ioctl has written, from the argument whose pointers are of this process. */
static int put_arrays(enum gl_kind kind, uint32_t nr, const struct gl_call *c, struct iovec *iov)
{
	const struct gl_array *a;
	int n = 0;

	for (a = gl_next_array(NULL, kind, nr); a; a = gl_next_array(a, kind, nr)) {
		if (a->out == 1 || a->out == GL_OUT_ONLY)
			iov[n++] = (struct iovec){ gl_array_at(a, c->arg),
						   gl_array_bytes(a, c->arg) };
	}
	return n;
}

/* @out: arrays, @n of them. */
static bool reply(int sock, int ret, struct gl_call *c, int pass, const struct iovec *out, int n)
{
	struct gl_reply head = { .ret = ret };
	struct iovec iov[4] = { { &head, sizeof(head) }, { c->arg, GL_MAX_ARG } };
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = {};
	struct msghdr h = { .msg_iov = iov, .msg_iovlen = 2 + n };
	struct cmsghdr *m;

	memcpy(iov + 2, out, n * sizeof(*out));
	if (pass >= 0) {
		h.msg_control = control.space;
		h.msg_controllen = sizeof(control.space);
		m = CMSG_FIRSTHDR(&h);
		m->cmsg_level = SOL_SOCKET;
		m->cmsg_type = SCM_RIGHTS;
		m->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(m), &pass, sizeof(int));
	}
	return sendmsg(sock, &h, MSG_NOSIGNAL) > 0;
}

/* The argument goes back as it has come but for what the call has changed. */
static void restore_pointers(enum gl_kind kind, uint32_t nr, uint8_t *arg, const uint8_t *old)
{
	const struct gl_array *a;

	for (a = gl_next_array(NULL, kind, nr); a; a = gl_next_array(a, kind, nr))
		memcpy(arg + a->pointer, old + a->pointer, 8);
}

static void count(struct gl_server *server, uint32_t nr, int ret)
{
	pthread_mutex_lock(&server->lock);
	if (ret < 0) {
		server->failed_nr = nr;
		server->failed_errno = -ret;
		if (nr == server->driver->submit) {
			server->rejected++;
			server->rejected_errno = -ret;
		}
	}
	pthread_mutex_unlock(&server->lock);
}

/* Answers a message. @p: the function's own */
typedef int (*answer_fn)(void *p, const struct gl_request *r, struct gl_call *c,
			 const uint8_t *arrays);

/* Answer a message that has come. */
static bool answer_one(struct connection *o, struct gl_request *r, struct gl_call *c,
		       answer_fn fn, void *p)
{
	enum gl_kind kind = o->server->driver->kind;
	uint8_t arg[GL_MAX_ARG];
	uint8_t *file = NULL;
	struct iovec out[2];
	int ret, came, n;
	bool ok;

	if (r->in_file)
		file = read_file(r, c);
	came = c->pass;
	memcpy(arg, c->arg, sizeof(arg));
	ret = fn(p, r, c, file ? file : o->arrays);
	n = ret ? 0 : put_arrays(kind, r->nr, c, out);
	restore_pointers(kind, r->nr, c->arg, arg);
	ok = reply(o->answer, ret, c, c->pass != came && !ret ? c->pass : -1, out, n);
	free(file);
	if (came >= 0)
		close(came);
	if (c->pass >= 0 && c->pass != came)
		close(c->pass);
	if (o->answer == o->sock)
		return ok;
	/* of another process than the one that has opened the file */
	close(o->answer);
	return true;
}

/* @minor: of the node, @sock: connection */
static int file_init(struct gl_file *f, uint32_t minor, int sock)
{
	int ret = 0;

	if (minor == GL_CARD_MINOR)
		ret = gl_primary_open(f, sock);
	if (!ret)
		ret = vshader_open(f->server->device, &f->dev);
	if (ret)
		return ret;
	f->timeline = gl_timeline_new(f->dev, NULL);
	if (!f->timeline) {
		vshader_close(f->dev);
		return -ENOMEM;
	}
	ret = vshader_vm_create(f->dev, f->server->driver->vm_flags, 0, &f->vm);
	if (!ret)
		ret = f->server->driver->open(f);
	f->open = !ret;
	return ret;
}

/* The jobs end with their queues, and so do their fences, which others may hold. */
static void file_fini(struct gl_file *f)
{
	gl_primary_close(f);
	f->server->driver->close(f);
	gl_bo_fini(f);
	gl_sync_fini(f);
	gl_timeline_put(f->timeline);
}

/* ---- connections ---- */

static int answer_ioctl(void *p, const struct gl_request *r, struct gl_call *c,
			const uint8_t *arrays)
{
	struct gl_file *f = p;
	int ret = answer(f, r, c, arrays);

	gl_bo_settle(f);
	count(f->server, r->nr, ret);
	return ret;
}

static int answer_dmabuf(void *p, const struct gl_request *r, struct gl_call *c,
			 const uint8_t *arrays)
{
	return r->nr == GL_DMABUF ? gl_dmabuf(c) : -EINVAL;
}

static int answer_open(void *p, const struct gl_request *r, struct gl_call *c,
		       const uint8_t *arrays)
{
	struct gl_file *f = p;
	uint32_t minor;
	int ret;

	memcpy(&minor, c->arg, sizeof(minor));
	ret = file_init(f, minor, c->sock);
	if (ret)
		fail("%s: %s", f->server->device, vshader_error());
	else if (f->server->driver->kind == GL_PANFROST)
		c->pass = gl_bo_publish(f);
	pthread_mutex_lock(&f->server->lock);
	f->server->files++;
	if (ret)
		f->server->refused++;
	pthread_mutex_unlock(&f->server->lock);
	return ret;
}

/* Messages until the other end is closed. The first one, which has come, opens a file. */
static void serve_file(struct connection *o, struct gl_request *r, struct gl_call *c)
{
	struct gl_file f = { .server = o->server, .opener = o->opener };

	if (answer_one(o, r, c, answer_open, &f) && f.open)
		while (receive(o, r, c) &&
		       answer_one(o, r, c, answer_ioctl, &f))
			;
	file_fini(&f);
}

static void serve_dmabuf(struct connection *o, struct gl_request *r, struct gl_call *c)
{
	while (answer_one(o, r, c, answer_dmabuf, NULL) && receive(o, r, c))
		;
}

void gl_serve(struct gl_server *server, int sock)
{
	struct connection o = {
		.server = server,
		.sock = sock,
		.arrays = malloc(GL_MAX_ARRAYS),
		.opener = other_end(sock),
	};
	struct gl_request r;
	struct gl_call c;

	if (o.arrays && receive(&o, &r, &c)) {
		if (r.nr == GL_OPEN)
			serve_file(&o, &r, &c);
		else if (r.nr == GL_DMABUF)
			serve_dmabuf(&o, &r, &c);
	}
	free(o.arrays);
	close(sock);
}
