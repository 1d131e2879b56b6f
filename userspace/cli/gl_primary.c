// SPDX-License-Identifier: MIT
/*
 * vshader gl: what files of the primary node have in addition to those of the render node, as the
 * DRM core gives it to a driver without displays: masters, magics, names of buffers, and errors of
 * all ioctls of displays.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl_priv.h"

/* The core's interface. */
#define CORE_MAJOR	1
#define CORE_MINOR	4

/* The core does not say who has opened a file. */
#define OVERFLOW_UID	65534

/**
 * struct gl_master - what files of one master have in common
 * @refs: files, and one if it is the device's
 * @named: the device's name has been asked for by SET_VERSION
 * @magics: the last magic
 */
struct gl_master {
	unsigned int refs;
	bool named;
	uint32_t magics;
};

/**
 * struct gl_primary - of a file of the primary node
 * @next: next file
 * @sock: its connection
 * @master: of the file
 * @is_master: the file has made @master
 * @was_master: it has been the device's
 * @authenticated: it may use names of buffers
 * @magic: its magic, or 0
 */
struct gl_primary {
	struct gl_primary *next;
	int sock;
	struct gl_master *master;
	bool is_master;
	bool was_master;
	bool authenticated;
	uint32_t magic;
};

/* Protects all files, and what follows. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gl_primary *files;
static struct gl_master *current;	/* the device's, or NULL */

static void put_master(struct gl_master *m)
{
	if (m && !--m->refs)
		free(m);
}

static bool is_current(const struct gl_primary *p)
{
	return p->is_master && p->master == current;
}

static void set_master(struct gl_primary *p)
{
	current = p->master;
	current->refs++;
	p->was_master = true;
}

static void drop_master(void)
{
	put_master(current);
	current = NULL;
}

/* Return: 0 or -ENOMEM. */
static int make_master(struct gl_primary *p)
{
	struct gl_master *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->refs = 1;
	put_master(p->master);
	p->master = m;
	p->is_master = true;
	p->authenticated = true;
	set_master(p);
	return 0;
}

/*
 * A file that the program has closed is closed for all others, though its connection may not have
 * been served yet.
 */
static void reap(void)
{
	struct gl_primary *p;

	for (p = files; p; p = p->next) {
		struct pollfd end = { .fd = p->sock };

		if (is_current(p) && poll(&end, 1, 0) > 0 && end.revents & POLLHUP)
			drop_master();
	}
}

int gl_primary_open(struct gl_file *f, int sock)
{
	struct gl_primary *p = calloc(1, sizeof(*p));
	int ret = 0;

	if (!p)
		return -ENOMEM;
	p->sock = sock;
	p->authenticated = !f->opener.uid;
	pthread_mutex_lock(&lock);
	reap();
	if (current) {
		p->master = current;
		p->master->refs++;
	} else {
		ret = make_master(p);
	}
	if (!ret) {
		p->next = files;
		files = p;
		f->primary = p;
	}
	pthread_mutex_unlock(&lock);
	if (ret)
		free(p);
	return ret;
}

void gl_primary_close(struct gl_file *f)
{
	struct gl_primary *p = f->primary, **at = &files;

	if (!p)
		return;
	pthread_mutex_lock(&lock);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	if (is_current(p))
		drop_master();
	put_master(p->master);
	pthread_mutex_unlock(&lock);
	free(p);
}

/* ---- masters and magics; the lock is held ---- */

static int may_change_master(const struct gl_primary *p, const struct gl_call *c)
{
	return !c->caller.uid || (p->was_master && !c->inherited) ? 0 : -EACCES;
}

static int set_master_ioctl(struct gl_file *f, struct gl_call *c)
{
	struct gl_primary *p = f->primary;
	int ret = may_change_master(p, c);

	if (ret || is_current(p))
		return ret;
	if (current)
		return -EBUSY;
	if (!p->is_master)
		return make_master(p);
	set_master(p);
	return 0;
}

static int drop_master_ioctl(struct gl_file *f, struct gl_call *c)
{
	int ret = may_change_master(f->primary, c);

	if (ret)
		return ret;
	if (!is_current(f->primary))
		return -EINVAL;
	drop_master();
	return 0;
}

static int get_magic(struct gl_file *f, struct gl_call *c)
{
	struct gl_primary *p = f->primary;

	if (!p->magic)
		p->magic = ++p->master->magics;
	((struct drm_auth *)c->arg)->magic = p->magic;
	return 0;
}

/* A magic serves once. */
static int auth_magic(struct gl_file *f, struct gl_call *c)
{
	uint32_t magic = ((struct drm_auth *)c->arg)->magic;
	struct gl_primary *p;

	for (p = files; p; p = p->next) {
		if (magic && p->magic == magic && p->master == f->primary->master) {
			p->authenticated = true;
			p->magic = 0;
			return 0;
		}
	}
	return -EINVAL;
}

static int get_client(struct gl_file *f, struct gl_call *c)
{
	struct drm_client *args = (void *)c->arg;

	if (args->idx)
		return -EINVAL;
	args->auth = f->primary->authenticated;
	args->pid = c->caller.pid;
	args->uid = OVERFLOW_UID;
	args->magic = 0;
	args->iocs = 0;
	return 0;
}

static int get_stats(struct gl_file *f, struct gl_call *c)
{
	/* the preloaded library clears what is longer than a message */
	memset(c->arg, 0, GL_LABEL_BYTES);
	return 0;
}

static int get_unique(struct gl_file *f, struct gl_call *c)
{
	struct drm_unique *args = (void *)c->arg;

	args->unique_len = f->primary->master->named ? strlen(GL_DEVICE) : 0;
	return 0;
}

/* -1: do not care. Return: whether a version is between MAJOR.0 and MAJOR.MINOR. */
static bool has_version(int want_major, int want_minor, int major, int minor)
{
	return want_major == -1 || (want_major == major && want_minor >= 0 && want_minor <= minor);
}

static int set_version(struct gl_file *f, struct gl_call *c)
{
	const struct gl_interface *driver = gl_interface_find(f->server->interface);
	struct drm_set_version *args = (void *)c->arg;
	int ret = 0;

	if (!has_version(args->drm_di_major, args->drm_di_minor, CORE_MAJOR, CORE_MINOR)) {
		ret = -EINVAL;
	} else {
		if (args->drm_di_major != -1 && args->drm_di_minor >= 1)
			f->primary->master->named = true;
		if (!has_version(args->drm_dd_major, args->drm_dd_minor, driver->major,
				 driver->minor))
			ret = -EINVAL;
	}
	*args = (struct drm_set_version){ CORE_MAJOR, CORE_MINOR, driver->major, driver->minor };
	return ret;
}

/* ---- the table ---- */

/* ROOT: a master who is root */
enum who { ANY, MASTER, ROOT, AUTHENTICATED };

/**
 * struct primary - ioctls of the primary node
 * @first: number
 * @last: the last one with the same answer
 * @who: may call it
 * @error: answer if there is no function
 * @fn: function, with the lock held, or NULL
 * @unlocked: function, without it, or NULL
 */
struct primary {
	uint32_t first, last;
	enum who who;
	int error;
	int (*fn)(struct gl_file *f, struct gl_call *c);
	int (*unlocked)(struct gl_file *f, struct gl_call *c);
};

/* Numbers of ioctls that kernels before 6.8 had for other drivers are none. */
static const struct primary table[] = {
	{ 0x01, 0x01, ANY, 0, get_unique },
	{ 0x02, 0x02, ANY, 0, get_magic },
	{ 0x05, 0x05, ANY, 0, get_client },
	{ 0x06, 0x06, ANY, 0, get_stats },
	{ 0x07, 0x07, MASTER, 0, set_version },
	{ 0x0a, 0x0a, AUTHENTICATED, 0, NULL, gl_bo_flink },
	{ 0x0b, 0x0b, AUTHENTICATED, 0, NULL, gl_bo_open },
	{ 0x0d, 0x0d, ANY, -EOPNOTSUPP },	/* SET_CLIENT_CAP */
	{ 0x10, 0x10, ROOT, -EINVAL },		/* SET_UNIQUE */
	{ 0x11, 0x11, MASTER, 0, auth_magic },
	{ 0x12, 0x13, ROOT, 0 },		/* BLOCK, UNBLOCK do nothing */
	{ 0x1e, 0x1e, ANY, 0, set_master_ioctl },
	{ 0x1f, 0x1f, ANY, 0, drop_master_ioctl },
	{ 0x27, 0x28, ROOT, 0 },		/* ADD_DRAW, RM_DRAW do nothing */
	{ 0x2c, 0x2c, AUTHENTICATED, 0 },	/* FINISH does nothing */
	{ 0x3a, 0x3c, ANY, -EOPNOTSUPP },	/* WAIT_VBLANK, CRTC_*_SEQUENCE */
	{ 0x3f, 0x3f, ROOT, 0 },		/* UPDATE_DRAW does nothing */
	{ 0xa0, 0xa1, ANY, -EOPNOTSUPP },
	{ 0xa2, 0xa3, MASTER, -EOPNOTSUPP },	/* SETCRTC, CURSOR */
	{ 0xa4, 0xa4, ANY, -EOPNOTSUPP },
	{ 0xa5, 0xa5, MASTER, -EOPNOTSUPP },	/* SETGAMMA */
	{ 0xa6, 0xa7, ANY, -EOPNOTSUPP },
	{ 0xa8, 0xa9, MASTER, 0 },		/* ATTACHMODE, DETACHMODE do nothing */
	{ 0xaa, 0xaa, ANY, -EOPNOTSUPP },
	{ 0xab, 0xab, MASTER, -EOPNOTSUPP },	/* SETPROPERTY */
	{ 0xac, 0xaf, ANY, -EOPNOTSUPP },
	{ 0xb0, 0xb1, MASTER, -EOPNOTSUPP },	/* PAGE_FLIP, DIRTYFB */
	{ 0xb2, 0xb4, ANY, -ENOSYS },		/* CREATE_DUMB, MAP_DUMB, DESTROY_DUMB */
	{ 0xb5, 0xb6, ANY, -EOPNOTSUPP },
	{ 0xb7, 0xb7, MASTER, -EOPNOTSUPP },	/* SETPLANE */
	{ 0xb8, 0xb9, ANY, -EOPNOTSUPP },
	{ 0xba, 0xbc, MASTER, -EOPNOTSUPP },	/* OBJ_SETPROPERTY, CURSOR2, ATOMIC */
	{ 0xbd, 0xbe, ANY, -EOPNOTSUPP },
	{ 0xc6, 0xc9, MASTER, -EOPNOTSUPP },	/* leases */
	{ 0xce, 0xce, ANY, -EINVAL },		/* GETFB2 */
	{ 0xd0, 0xd0, ANY, -EOPNOTSUPP },	/* CLOSEFB */
};

static bool is_allowed(const struct gl_primary *p, const struct gl_call *c, enum who who)
{
	switch (who) {
	case MASTER:
		return is_current(p);
	case ROOT:
		return is_current(p) && !c->caller.uid;
	case AUTHENTICATED:
		return p->authenticated;
	default:
		return true;
	}
}

static int answer(struct gl_file *f, struct gl_call *c, const struct primary *i)
{
	int ret;

	pthread_mutex_lock(&lock);
	reap();
	if (!is_allowed(f->primary, c, i->who))
		ret = -EACCES;
	else
		ret = i->fn ? i->fn(f, c) : i->error;
	pthread_mutex_unlock(&lock);
	return ret || !i->unlocked ? ret : i->unlocked(f, c);
}

int gl_primary_ioctl(struct gl_file *f, uint32_t nr, struct gl_call *c)
{
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (nr >= table[i].first && nr <= table[i].last)
			return f->primary ? answer(f, c, &table[i]) : -EACCES;
	}
	return -EINVAL;
}
