// SPDX-License-Identifier: MIT
/*
 * vshader gl: syncobjs as descriptors, sync files, eventfds.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>

#include "gl_priv.h"
#include "gl_sync.h"

/**
 * struct exported - a syncobj as a descriptor: one end of a pair of sockets, whose other end tells
 * that nobody holds it any more
 * @next: next one of the list
 * @sync: the syncobj
 * @ino: inode of the other end
 * @fd: this end
 */
struct exported {
	struct exported *next;
	struct gl_syncobj *sync;
	ino_t ino;
	int fd;
};

static struct exported *exports;

/**
 * struct watch - signals an eventfd, on a thread of its own
 * @next: next one of the list of sync files
 * @queued: next one of those that idle threads take
 * @signaled: it has been
 * @fence: after this fence; NULL: when the syncobj has one
 * @sync: syncobj whose point is waited for, or NULL
 * @value: the point
 * @available: not for the fence, but for the point to have one
 * @file: the eventfd stands for a sync file, which knows the time
 * @fd: eventfd
 */
struct watch {
	struct watch *next;
	struct watch *queued;
	bool signaled;
	struct gl_fence *fence;
	struct gl_syncobj *sync;
	uint64_t value;
	bool available;
	bool file;
	int fd;
};

/* Sync files that have not signalled, in their order: a file may stand for earlier ones. */
static struct watch *files;
/* inside of gl_sync_lock */
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;

static void add_file(struct watch *w)
{
	struct watch **at = &files;

	pthread_mutex_lock(&files_lock);
	while (*at)
		at = &(*at)->next;
	*at = w;
	pthread_mutex_unlock(&files_lock);
}

static void remove_file(const struct watch *w)
{
	struct watch **at = &files;

	pthread_mutex_lock(&files_lock);
	while (*at && *at != w)
		at = &(*at)->next;
	if (*at)
		*at = w->next;
	pthread_mutex_unlock(&files_lock);
}

static void free_watch(struct watch *w)
{
	if (w->file)
		remove_file(w);
	gl_fence_put(w->fence);
	if (w->sync) {
		pthread_mutex_lock(&gl_sync_lock);
		gl_syncobj_unref(w->sync);
		pthread_mutex_unlock(&gl_sync_lock);
	}
	if (w->fd >= 0)
		close(w->fd);
	free(w);
}

/* Return: whether the eventfd can be signalled. */
static bool look_at_watch(struct watch *w, int64_t ns)
{
	if (!w->fence) {
		pthread_mutex_lock(&gl_sync_lock);
		gl_syncobj_fence(w->sync, w->value, &w->fence);
		pthread_mutex_unlock(&gl_sync_lock);
	}
	return w->fence && (w->available || gl_fence_poll(w->fence, ns));
}

static int signal_watch(const struct watch *w, int fd)
{
	return eventfd_write(fd, w->file ? gl_now_ns() : 1);
}

/* Once. */
static void signal_file(struct watch *w)
{
	if (!w->signaled)
		signal_watch(w, w->fd);
	w->signaled = true;
}

void gl_sync_files_signal(void)
{
	struct watch *w;

	pthread_mutex_lock(&files_lock);
	for (w = files; w; w = w->next)
		if (!w->signaled && gl_fence_look(w->fence, 0))
			signal_file(w);
	pthread_mutex_unlock(&files_lock);
}

/* Threads wait so long for another watch: most frames have one, and a thread costs more. */
#define IDLE_SECONDS	1

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle_wake = PTHREAD_COND_INITIALIZER;
static struct watch *idle_queue;
/* waiting threads without the ones that @idle_queue is for */
static unsigned int idle_threads;

/* Return: whether an idle thread has taken the watch over. */
static bool give_watch(struct watch *w)
{
	bool given;

	pthread_mutex_lock(&idle_lock);
	given = idle_threads;
	if (given) {
		idle_threads--;
		w->queued = idle_queue;
		idle_queue = w;
		pthread_cond_signal(&idle_wake);
	}
	pthread_mutex_unlock(&idle_lock);
	return given;
}

/* Return: NULL: none has come. */
static struct watch *take_watch(void)
{
	struct timespec end;
	struct watch *w;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += IDLE_SECONDS;
	pthread_mutex_lock(&idle_lock);
	idle_threads++;
	while (!idle_queue && !pthread_cond_timedwait(&idle_wake, &idle_lock, &end))
		;
	w = idle_queue;
	if (w)
		idle_queue = w->queued;
	else
		idle_threads--;
	pthread_mutex_unlock(&idle_lock);
	return w;
}

static void *watch_thread(void *p)
{
	const struct timespec pause = { 0, GL_LOOK_NS };
	struct watch *w;

	for (w = p; w; w = take_watch()) {
		while (!look_at_watch(w, GL_PATIENCE_NS))
			nanosleep(&pause, NULL);
		pthread_mutex_lock(&files_lock);
		signal_file(w);
		pthread_mutex_unlock(&files_lock);
		free_watch(w);
	}
	return NULL;
}

/* Takes the watch over. @fd: eventfd, stays the caller's. */
static int start_watch(struct watch *w, int fd)
{
	pthread_t thread;
	int ret = 0;

	if (look_at_watch(w, 0)) {
		ret = signal_watch(w, fd) ? -errno : 0;
		goto out_free;
	}
	w->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (w->fd >= 0 && w->file) {
		add_file(w);
		/* it may have been too late for the last one who looked */
		gl_sync_files_signal();
	}
	if (w->fd >= 0 && give_watch(w))
		return 0;
	if (w->fd < 0 || pthread_create(&thread, NULL, watch_thread, w)) {
		ret = -ENOMEM;
		goto out_free;
	}
	pthread_detach(thread);
	return 0;

out_free:
	free_watch(w);
	return ret;
}

static struct watch *new_watch(void)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (w)
		w->fd = -1;
	return w;
}

/* As with a sync file, reading is possible when the fence has signalled. */
int gl_sync_file_new(struct gl_fence *fence, int *fd)
{
	struct watch *w = new_watch();
	int ret;

	if (!w) {
		gl_fence_put(fence);
		return -ENOMEM;
	}
	w->file = true;
	w->fence = fence;
	*fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (*fd < 0 || fcntl(*fd, F_SETSIG, GL_SYNC_FILE_SIGNAL)) {
		ret = -errno;
		free_watch(w);
	} else {
		ret = start_watch(w, *fd);
	}
	if (ret && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return ret;
}

static int export_file(struct gl_file *f, uint32_t handle, uint64_t value, int *fd)
{
	struct gl_fence *fence;
	int ret = gl_sync_fence(f, handle, value, &fence);

	return ret ? ret : gl_sync_file_new(fence, fd);
}

static bool is_anonymous(int fd, const char *kind)
{
	char path[64], text[64], want[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	snprintf(want, sizeof(want), "anon_inode:%s", kind);
	n = fd >= 0 ? readlink(path, text, sizeof(text)) : -1;
	return n == (ssize_t)strlen(want) && !memcmp(text, want, n);
}

/* A sync file of this command is an eventfd with a mark, others are the kernel's. */
static bool is_sync_file(int fd)
{
	if (fcntl(fd, F_GETSIG) == GL_SYNC_FILE_SIGNAL && is_anonymous(fd, "[eventfd]"))
		return true;
	return is_anonymous(fd, "sync_file");
}

int gl_sync_file_fence(int fd, struct gl_fence **out)
{
	struct gl_fence *fence;

	if (!is_sync_file(fd))
		return -EINVAL;
	fence = gl_fence_alloc(0);
	if (!fence)
		return -ENOMEM;
	fence->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fence->fd < 0) {
		gl_fence_put(fence);
		return -EMFILE;
	}
	*out = fence;
	return 0;
}

static int import_file(struct gl_file *f, uint32_t handle, uint64_t value, int fd)
{
	struct gl_fence *fence;
	struct gl_syncobj *s;
	int ret = gl_sync_file_fence(fd, &fence);

	if (ret)
		return ret;
	pthread_mutex_lock(&gl_sync_lock);
	s = gl_syncobj_find(f, handle);
	if (s)
		ret = gl_syncobj_attach(s, value, fence);
	pthread_mutex_unlock(&gl_sync_lock);
	if (s)
		return ret;
	gl_fence_put(fence);
	return -ENOENT;
}

void gl_sync_reap(void)
{
	struct exported **at = &exports;

	while (*at) {
		struct exported *e = *at;
		struct pollfd p = { .fd = e->fd };

		if (poll(&p, 1, 0) <= 0) {
			at = &e->next;
			continue;
		}
		*at = e->next;
		close(e->fd);
		gl_syncobj_unref(e->sync);
		free(e);
	}
}

static int export_object(struct gl_file *f, uint32_t handle, int *fd)
{
	struct exported *e = calloc(1, sizeof(*e));
	int pair[2], ret = -ENOMEM;
	struct stat st;

	if (!e)
		return -ENOMEM;
	pthread_mutex_lock(&gl_sync_lock);
	gl_sync_reap();
	e->sync = gl_syncobj_find(f, handle);
	if (!e->sync) {
		ret = -EINVAL;
		goto err_unlock;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		ret = -errno;
		goto err_unlock;
	}
	fstat(pair[1], &st);
	e->ino = st.st_ino;
	e->fd = pair[0];
	e->sync->refs++;
	e->next = exports;
	exports = e;
	pthread_mutex_unlock(&gl_sync_lock);
	*fd = pair[1];
	return 0;

err_unlock:
	pthread_mutex_unlock(&gl_sync_lock);
	free(e);
	return ret;
}

static int import_object(struct gl_file *f, int fd, uint32_t *handle)
{
	struct exported *e;
	struct stat st;
	int ret = -EINVAL;

	if (fd < 0 || fstat(fd, &st) || !S_ISSOCK(st.st_mode))
		return -EINVAL;
	pthread_mutex_lock(&gl_sync_lock);
	gl_sync_reap();
	for (e = exports; e && e->ino != st.st_ino; e = e->next)
		;
	if (e)
		ret = gl_syncobj_add(f, e->sync, handle);
	pthread_mutex_unlock(&gl_sync_lock);
	return ret;
}

/* The point of a timeline comes with a flag of newer kernels. Return: 0, or -EINVAL. */
static int handle_point(const struct gl_syncobj_handle *args, uint32_t file_flag, uint64_t *value)
{
	bool timeline = args->flags & GL_SYNCOBJ_TIMELINE;

	if (args->pad || args->flags & ~(file_flag | GL_SYNCOBJ_TIMELINE))
		return -EINVAL;
	if ((timeline && !(args->flags & file_flag)) || (!timeline && args->point))
		return -EINVAL;
	*value = args->point;
	return 0;
}

int gl_sync_to_fd(struct gl_file *f, struct gl_call *c)
{
	const struct gl_syncobj_handle *args = (void *)c->arg;
	uint64_t value;
	int ret = handle_point(args, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE, &value);

	if (ret)
		return ret;
	return args->flags ? export_file(f, args->handle, value, &c->pass) :
			     export_object(f, args->handle, &c->pass);
}

int gl_sync_from_fd(struct gl_file *f, struct gl_call *c)
{
	struct gl_syncobj_handle *args = (void *)c->arg;
	uint64_t value;
	int ret = handle_point(args, DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, &value);

	if (ret)
		return ret;
	return args->flags ? import_file(f, args->handle, value, c->pass) :
			     import_object(f, c->pass, &args->handle);
}

int gl_sync_eventfd(struct gl_file *f, struct gl_call *c)
{
	const struct gl_syncobj_eventfd *args = (void *)c->arg;
	struct watch *w;
	int ret;

	if (args->flags & ~DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || args->pad)
		return -EINVAL;
	w = new_watch();
	if (!w)
		return -ENOMEM;
	w->value = args->point;
	w->available = args->flags;
	pthread_mutex_lock(&gl_sync_lock);
	w->sync = gl_syncobj_find(f, args->handle);
	if (w->sync)
		w->sync->refs++;
	pthread_mutex_unlock(&gl_sync_lock);
	if (w->sync && is_anonymous(c->pass, "[eventfd]"))
		return start_watch(w, c->pass);
	ret = !w->sync ? -ENOENT : c->pass < 0 ? -EBADF : -EINVAL;
	free_watch(w);
	return ret;
}
