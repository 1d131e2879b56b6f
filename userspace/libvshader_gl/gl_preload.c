// SPDX-License-Identifier: MIT
/*
 * Library to be preloaded (LD_PRELOAD) that gives a program the DRM nodes of the panfrost, lima or
 * vc4 driver. The file is a socket to "vshader gl", which executes the ioctls; this library sends
 * them and maps the memory of buffers.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <linux/sockios.h>

#include "gl_preload.h"
#include "gl_proto.h"
#include "personality/pan_uapi.h"
#include "personality/vc4_uapi.h"

#define PAGE		4096U

/* Mappings of at most so many bytes get their pages at once: a page costs less than its fault. */
#define MAX_POPULATED	65536U

/* One message at a time for each file; files may share a lock. */
#define NUM_LOCKS	64
static pthread_mutex_t locks[NUM_LOCKS] = {
	[0 ... NUM_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER,
};

/* The address of the server. Return: its length, 0: there is no server. */
static socklen_t server_address(struct sockaddr_un *a)
{
	const char *name = getenv(GL_SOCKET_ENV);

	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (!name || strlen(name) >= sizeof(a->sun_path) - 1)
		return 0;
	strcpy(a->sun_path + 1, name);
	return offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
}

/*
 * A connection has a name with the process that has opened it: the server's, the process, the
 * node's minor number, a number of its own. Return: length of the name without the last two.
 */
static socklen_t opener_address(struct sockaddr_un *a, const struct sockaddr_un *server)
{
	int n;

	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	n = snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "%s-%d-", server->sun_path + 1,
		     (int)getpid());
	return offsetof(struct sockaddr_un, sun_path) + 1 + n;
}

/*
 * A node's file is known by the name of its socket, also if another process or program has opened
 * it. @minor: of the node it has been opened as. Return: the process that has opened it and, in the
 * lower half, the number of its own; 0: the descriptor is not of a node
 */
static uint64_t find_file(int fd, unsigned long *minor)
{
	struct sockaddr_un server, name = {};
	socklen_t len = server_address(&server), n = sizeof(name) - 1;
	unsigned long opener;
	int saved = errno;
	char *at = (char *)&name + len;

	if (fd < 0 || !len || getsockname(fd, (struct sockaddr *)&name, &n) || n <= len ||
	    memcmp(&server, &name, len) || *at != '-') {
		errno = saved;
		return 0;
	}
	opener = strtoul(at + 1, &at, 10);
	*minor = *at ? strtoul(at + 1, &at, 10) : 0;
	return *at ? (uint64_t)opener << 32 | (uint32_t)strtoul(at + 1, NULL, 10) : 0;
}

static uint64_t file_of(int fd)
{
	unsigned long minor;

	return find_file(fd, &minor);
}

/* Whether this process, and not one before fork(), has opened the connection. */
static bool is_opener(uint64_t file)
{
	return file >> 32 == (uint32_t)getpid();
}

/* The handles of the files opened last. */
#define NUM_TABLES	16

/**
 * struct table - the handles of a file
 * @file: as of file_of()
 * @words: of bits, written by the server; NULL: none
 */
static struct table {
	uint64_t file;
	const uint64_t *words;
} tables[NUM_TABLES];

static pthread_mutex_t tables_lock = PTHREAD_MUTEX_INITIALIZER;

/* Threads that hold locks do not exist after fork(). */
static void renew_locks(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
	unsigned int i;

	for (i = 0; i < NUM_LOCKS; i++)
		locks[i] = unlocked;
	tables_lock = unlocked;
}

static void __attribute__((constructor)) begin(void)
{
	pthread_atfork(NULL, NULL, renew_locks);
}

const struct gl_node *gl_node_of(int fd)
{
	unsigned long minor;
	unsigned int i;

	if (!find_file(fd, &minor))
		return NULL;
	for (i = 0; i < GL_NODES; i++) {
		if (gl_nodes[i].minor == minor)
			return &gl_nodes[i];
	}
	return NULL;
}

const struct gl_interface *gl_driver(void)
{
	static const struct gl_interface *cached;
	const struct gl_interface *driver = __atomic_load_n(&cached, __ATOMIC_RELAXED);

	if (!driver) {
		driver = gl_interface_find(getenv(GL_DRIVER_ENV));
		__atomic_store_n(&cached, driver, __ATOMIC_RELAXED);
	}
	return driver;
}

/* ---- the caller's memory ---- */

/*
 * The page of the stack that is in use is there, and most arguments are in it: a system call less,
 * which costs as much as sending the message.
 */
static bool is_in_use(const void *user, size_t size)
{
	uintptr_t page = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(PAGE - 1);
	uintptr_t at = (uintptr_t)user - page;

	return at < PAGE && size <= PAGE - at;
}

int gl_read_user(void *to, const void *user, size_t size)
{
	struct iovec own = { to, size }, other = { (void *)user, size };
	int saved = errno;
	ssize_t n;

	if (is_in_use(user, size)) {
		memcpy(to, user, size);
		return 0;
	}
	n = process_vm_readv(getpid(), &own, 1, &other, 1, 0);
	if (n < 0 && errno != EFAULT)
		memcpy(to, user, size);
	else if (n != (ssize_t)size)
		return -EFAULT;
	errno = saved;
	return 0;
}

int gl_write_user(void *user, const void *from, size_t size)
{
	struct iovec own = { (void *)from, size }, other = { user, size };
	int saved = errno;
	ssize_t n;

	if (is_in_use(user, size)) {
		memcpy(user, from, size);
		return 0;
	}
	n = process_vm_writev(getpid(), &own, 1, &other, 1, 0);
	if (n < 0 && errno != EFAULT)
		memcpy(user, from, size);
	else if (n != (ssize_t)size)
		return -EFAULT;
	errno = saved;
	return 0;
}

/* ---- messages ---- */

/* The socket for the answer, and the file of the call. */
#define MAX_PASS	2

/* State that goes along with an argument. */
struct message {
	struct iovec iov[6];
	int n;
	union {
		char space[CMSG_SPACE(MAX_PASS * sizeof(int))];
		struct cmsghdr align;
	} control;
};

static void put(struct message *m, void *p, size_t size)
{
	if (size)
		m->iov[m->n++] = (struct iovec){ p, size };
}

static int take_fd(struct msghdr *h)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(h);
	int fd = -1;

	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* @pass: files, the last of which may be -1 */
static int send_message(int fd, struct message *m, const int *pass, int n)
{
	struct msghdr h = { .msg_iov = m->iov, .msg_iovlen = m->n };
	struct cmsghdr *c;

	if (n && pass[n - 1] < 0)
		n--;
	if (n) {
		memset(&m->control, 0, sizeof(m->control));
		h.msg_control = m->control.space;
		h.msg_controllen = CMSG_SPACE(n * sizeof(int));
		c = CMSG_FIRSTHDR(&h);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), pass, n * sizeof(int));
	}
	if (sendmsg(fd, &h, MSG_NOSIGNAL) >= 0)
		return 0;
	/* pointers and descriptors of the caller */
	return errno == EFAULT || errno == EBADF ? -errno : -EIO;
}

static int receive_message(int fd, struct message *m, int *passed)
{
	struct msghdr h = {
		.msg_iov = m->iov,
		.msg_iovlen = m->n,
		.msg_control = m->control.space,
		.msg_controllen = sizeof(m->control.space),
	};
	ssize_t n;

	do {
		n = recvmsg(fd, &h, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	*passed = n > 0 ? take_fd(&h) : -1;
	if (n < 0 && errno == EFAULT)
		return -EFAULT;
	return n < (ssize_t)sizeof(struct gl_reply) ? -EIO : 0;
}

/* The arrays that the ioctl reads. Return: number of them. */
static int read_arrays(uint32_t nr, const void *arg, struct iovec *list)
{
	enum gl_kind kind = gl_driver()->kind;
	const struct gl_array *a;
	int n = 0;

	for (a = gl_next_array(NULL, kind, nr); a; a = gl_next_array(a, kind, nr)) {
		if (a->out == GL_OUT_ONLY)
			continue;
		list[n++] = (struct iovec){
			gl_array_at(a, arg),
			gl_array_is_read(a, arg) ? gl_array_bytes(a, arg) : 0,
		};
	}
	return n;
}

/* Room for the arrays that the ioctl writes. */
static void put_results(struct message *m, uint32_t nr, const void *arg)
{
	enum gl_kind kind = gl_driver()->kind;
	const struct gl_array *a;

	for (a = gl_next_array(NULL, kind, nr); a; a = gl_next_array(a, kind, nr)) {
		if (a->out == 1 || a->out == GL_OUT_ONLY)
			put(m, gl_array_at(a, arg), gl_array_bytes(a, arg));
	}
}

/* Leave out arrays that are too long for any message. Return: bytes of the others. */
static uint64_t limit_arrays(struct gl_request *r, struct iovec *list, int n)
{
	uint64_t total = 0;
	int i;

	for (i = 0; i < n; i++) {
		if (list[i].iov_len > GL_MAX_FILE - total) {
			r->errors[i] = -EINVAL;
			list[i].iov_len = 0;
		}
		total += list[i].iov_len;
	}
	return total;
}

/*
 * Put arrays into a file, which finds those that cannot be read, and leave these out.
 * Return: file, or a negative errno.
 */
static int arrays_file(struct gl_request *r, struct iovec *list, int n)
{
	int fd = memfd_create("vshader-gl", MFD_CLOEXEC), i;
	ssize_t done;

	if (fd < 0)
		return -ENOMEM;
	r->arrays = 0;
	for (i = 0; i < n; i++) {
		done = list[i].iov_len ? write(fd, list[i].iov_base, list[i].iov_len) : 0;
		if (done == (ssize_t)list[i].iov_len) {
			r->arrays += done;
			continue;
		}
		/* its readable part */
		r->errors[i] = done < 0 && errno != EFAULT ? -ENOMEM : -EFAULT;
		if (lseek(fd, r->arrays, SEEK_SET) < 0 || ftruncate(fd, r->arrays)) {
			close(fd);
			return -ENOMEM;
		}
	}
	r->in_file = 1;
	return fd;
}

/* Send an ioctl with its arrays. @answer: socket, or -1. Return: 0 or a negative errno. */
static int send_request(int fd, struct gl_request *r, void *arg, int answer, int pass)
{
	int files[MAX_PASS] = { answer }, n = answer >= 0, *last = &files[n], file, ret, i;
	struct iovec list[GL_MAX_READ];
	int num = read_arrays(r->nr, arg, list);
	uint64_t bytes = limit_arrays(r, list, num);
	struct message out = {};

	*last = pass;
	n++;
	put(&out, r, sizeof(*r));
	put(&out, arg, GL_MAX_ARG);
	if (bytes <= GL_MAX_ARRAYS) {
		r->arrays = bytes;
		for (i = 0; i < num; i++)
			put(&out, list[i].iov_base, list[i].iov_len);
		ret = send_message(fd, &out, files, n);
		if (ret != -EFAULT)
			return ret;
		out.n = 2;
	}
	/* no ioctl has arrays and a file */
	if (pass >= 0)
		return -EFAULT;
	file = arrays_file(r, list, num);
	if (file < 0)
		return file;
	*last = file;
	ret = send_message(fd, &out, files, n);
	close(file);
	return ret;
}

/*
 * @answer: pair of sockets for the answer, or NULL: the connection itself.
 * Return: 0, a negative errno, or GL_AGAIN.
 */
static int exchange_by(int fd, const int *answer, uint32_t nr, void *arg, int64_t since, int *pass)
{
	struct gl_request r = { .nr = nr, .since = since, .own_reply = !!answer };
	struct message in = {};
	struct gl_reply reply;
	int ret;

	put(&in, &reply, sizeof(reply));
	put(&in, arg, GL_MAX_ARG);
	put_results(&in, nr, arg);
	ret = send_request(fd, &r, arg, answer ? answer[1] : -1, *pass);
	if (answer)
		close(answer[1]);
	if (!ret)
		ret = receive_message(answer ? answer[0] : fd, &in, pass);
	if (answer)
		close(answer[0]);
	return ret ? ret : reply.ret;
}

/* Processes that share a connection would take each other's answers. */
static int exchange(uint64_t file, int fd, uint32_t nr, void *arg, int64_t since, int *pass)
{
	int answer[2];

	if (is_opener(file))
		return exchange_by(fd, NULL, nr, arg, since, pass);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, answer))
		return -errno;
	return exchange_by(fd, answer, nr, arg, since, pass);
}

/* Give the connection its name. Return: 0 or -1 with errno. */
static int bind_opener(int fd, const struct sockaddr_un *server, unsigned int minor)
{
	static unsigned int number;
	struct sockaddr_un a;
	socklen_t len;
	int ret;

	do {
		len = opener_address(&a, server);
		len += snprintf((char *)&a + len, sizeof(a) - len, "%u.%u", minor,
				__atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
		ret = bind(fd, (struct sockaddr *)&a, len);
	} while (ret && errno == EADDRINUSE);
	return ret;
}

/* ---- handles ---- */

/* @memory: file with the handles of the node's file @fd, taken over; -1: none */
static void add_table(int fd, int memory)
{
	static unsigned int next;
	struct table t = { .file = file_of(fd) }, *at;
	void *p = MAP_FAILED;
	unsigned int i;

	if (memory < 0)
		return;
	if (t.file)
		p = NEXT(mmap64)(NULL, GL_HANDLES_BYTES, PROT_READ, MAP_SHARED, memory, 0);
	close(memory);
	if (p == MAP_FAILED)
		return;
	t.words = p;
	pthread_mutex_lock(&tables_lock);
	at = &tables[next++ % NUM_TABLES];
	/* a process and its number may have come back */
	for (i = 0; i < NUM_TABLES; i++)
		if (tables[i].file == t.file)
			at = &tables[i];
	if (at->words)
		munmap((void *)at->words, GL_HANDLES_BYTES);
	*at = t;
	pthread_mutex_unlock(&tables_lock);
}

/* Return: true: the file has the handle now, with @idle without jobs; false: ask the server */
static bool has_handle(uint64_t file, uint32_t handle, bool idle)
{
	uint64_t word, busy = 0;
	bool found = false;
	unsigned int i;

	if (handle >= GL_HANDLES)
		return false;
	pthread_mutex_lock(&tables_lock);
	for (i = 0; i < NUM_TABLES; i++) {
		if (tables[i].file != file)
			continue;
		word = __atomic_load_n(&tables[i].words[handle / 64], __ATOMIC_ACQUIRE);
		if (idle)
			busy = __atomic_load_n(&tables[i].words[GL_HANDLES_WORDS + handle / 64],
					       __ATOMIC_ACQUIRE);
		found = (word & ~busy) >> (handle % 64) & 1;
		break;
	}
	pthread_mutex_unlock(&tables_lock);
	return found;
}

/* A connection of its own to the server. Return: descriptor, or -ENODEV, or another errno. */
static int connect_server(unsigned int minor)
{
	struct sockaddr_un a;
	socklen_t len = server_address(&a);
	int fd;

	if (!len)
		return -ENODEV;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (!bind_opener(fd, &a, minor) && !connect(fd, (struct sockaddr *)&a, len))
		return fd;
	close(fd);
	return -ENODEV;
}

int gl_open_node(const struct gl_node *node, int cloexec)
{
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8))) = {};
	int fd = connect_server(node->minor), pass = -1, ret = fd;

	memcpy(arg, &node->minor, sizeof(node->minor));
	if (fd >= 0)
		ret = exchange(file_of(fd), fd, GL_OPEN, arg, 0, &pass);
	if (!ret) {
		add_table(fd, pass);
		if (!cloexec)
			fcntl(fd, F_SETFD, 0);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	/* the server has no descriptor for the connection */
	errno = ret == -EIO ? ENFILE : -ret;
	return -1;
}

int gl_ask_dmabuf(struct gl_dmabuf *args, int *pass)
{
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8))) = {};
	int fd = connect_server(gl_nodes[0].minor), came = *pass, ret;

	if (fd < 0)
		return fd;
	do {
		*pass = came;
		memcpy(arg, args, sizeof(*args));
		ret = exchange(file_of(fd), fd, GL_DMABUF, arg, 0, pass);
	} while (ret == GL_AGAIN);
	memcpy(args, arg, sizeof(*args));
	close(fd);
	return ret;
}

/* @file: of @fd; @arg has GL_MAX_ARG bytes. */
static int call(uint64_t file, int fd, uint32_t nr, void *arg, int *pass)
{
	pthread_mutex_t *lock = &locks[file % NUM_LOCKS];
	struct timespec now;
	int came = *pass;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &now);
	do {
		*pass = came;
		pthread_mutex_lock(lock);
		ret = exchange(file, fd, nr, arg, now.tv_sec * 1000000000LL + now.tv_nsec, pass);
		pthread_mutex_unlock(lock);
	} while (ret == GL_AGAIN);
	return ret;
}

/* ---- ioctls ---- */

/* @to: of the caller, or NULL; @len: its size, receives the text's. Return: 0 or -EFAULT. */
static int put_text(char *to, size_t *len, const char *text)
{
	size_t n = strlen(text), room = *len < n ? *len : n;

	*len = n;
	return to && room ? gl_write_user(to, text, room) : 0;
}

static int get_version(struct drm_version *v)
{
	const struct gl_interface *driver = gl_driver();
	char desc[64];

	snprintf(desc, sizeof(desc), "vshader as %s", driver->name);
	v->version_major = driver->major;
	v->version_minor = driver->minor;
	v->version_patchlevel = 0;
	return put_text(v->name, &v->name_len, driver->name) ?:
	       put_text(v->date, &v->date_len, "20261123") ?:
	       put_text(v->desc, &v->desc_len, desc);
}

/* The name of the device, which it has if the server says so. */
static int get_unique(uint64_t file, int fd, struct drm_unique *u)
{
	size_t room = u->unique_len;
	int pass = -1, ret;

	ret = call(file, fd, GL_GET_UNIQUE, u, &pass);
	if (!ret && u->unique_len && u->unique_len <= room)
		ret = gl_write_user(u->unique, GL_DEVICE, u->unique_len);
	if (ret)
		u->unique_len = room;
	return ret;
}

/*
 * The kernel copies a path as it copies a label: at most 4096 bytes, with the end. That there is
 * no such file does not matter.
 */
static int check_text(uint64_t text)
{
	if (!text || !NEXT(syscall)(SYS_faccessat, -1, text, F_OK))
		return 0;
	switch (errno) {
	case EFAULT:
		return -EFAULT;
	case ENAMETOOLONG:
		return strnlen((const char *)(uintptr_t)text, PAN_MAX_LABEL) < PAN_MAX_LABEL ? 0 :
			-E2BIG;
	default:
		return 0;
	}
}

/* @max: of its characters, or 0: it may be missing; ~0 is none with its end */
static void measure_label(uint8_t *arg, uint64_t label, uint32_t max)
{
	int32_t error = max && (!label || max == UINT32_MAX) ? -EFAULT : check_text(label);
	uint32_t bytes = 0;

	if (!error && label)
		bytes = strlen((const char *)(uintptr_t)label) + 1;
	if (max && (bytes > max + 1ULL || error == -E2BIG))
		error = -EINVAL;
	memcpy(arg + GL_LABEL_BYTES, &bytes, sizeof(bytes));
	memcpy(arg + GL_LABEL_ERRNO, &error, sizeof(error));
}

/* Words that the argument is too short to contain. */
static void complete(uint32_t nr, uint8_t *arg)
{
	const uint32_t counters = GL_MAX_COUNTERS;

	switch (gl_driver()->kind) {
	case GL_PANFROST:
		if (nr == (DRM_IOCTL_PAN_SET_LABEL_BO & 0xff))
			measure_label(arg, ((struct pan_set_label_bo *)arg)->label, 0);
		break;
	case GL_VC4:
		if (nr == (DRM_IOCTL_VC4_LABEL_BO & 0xff))
			measure_label(arg, ((struct drm_vc4_label_bo *)arg)->name,
				      ((struct drm_vc4_label_bo *)arg)->len);
		if (nr == (DRM_IOCTL_VC4_PERFMON_GET_VALUES & 0xff))
			memcpy(arg + GL_COUNTERS, &counters, sizeof(counters));
		break;
	default:
		break;
	}
}

/* The member with a file that goes along, or NULL. */
static int *passed_fd(uint32_t nr, void *arg, bool *in)
{
	*in = true;
	switch (nr) {
	case DRM_IOCTL_PRIME_HANDLE_TO_FD & 0xff:
		*in = false;
		/* fall through */
	case DRM_IOCTL_PRIME_FD_TO_HANDLE & 0xff:
		return &((struct drm_prime_handle *)arg)->fd;
	case DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD & 0xff:
		*in = false;
		/* fall through */
	case DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE & 0xff:
		return &((struct gl_syncobj_handle *)arg)->fd;
	case GL_SYNCOBJ_EVENTFD:
		return &((struct gl_syncobj_eventfd *)arg)->fd;
	default:
		*in = false;
		return NULL;
	}
}

/* The kernel passes a file on with the flags that the caller asks for. */
static int received_fd(uint32_t nr, const void *arg, int fd)
{
	const struct drm_prime_handle *h = arg;

	if (fd >= 0 && nr == (DRM_IOCTL_PRIME_HANDLE_TO_FD & 0xff) && !(h->flags & DRM_CLOEXEC))
		fcntl(fd, F_SETFD, 0);
	return fd;
}

/* Not with O_PATH, which the kernel takes for no file. */
static bool is_open(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && !(flags & O_PATH);
}

static int send_ioctl(uint64_t file, int fd, uint32_t nr, void *arg)
{
	bool in = false;
	int *at = passed_fd(nr, arg, &in);
	int pass = in ? *at : -1;
	int ret;

	/* the server checks the other arguments first, so it gets these calls without a file */
	if (in && !is_open(pass)) {
		if (nr == (DRM_IOCTL_PRIME_FD_TO_HANDLE & 0xff))
			return -EBADF;
		pass = -1;
	}
	ret = call(file, fd, nr, arg, &pass);
	if (at && !in && !ret)
		*at = received_fd(nr, arg, pass);
	return ret;
}

/* Members that no ioctl has: they have to be there. Return: 0 or -EFAULT. */
static int read_rest(const uint8_t *user, uint32_t from, uint32_t size)
{
	uint8_t rest[256];
	uint32_t n;
	int ret = 0;

	for (; from < size && !ret; from += n) {
		n = size - from < sizeof(rest) ? size - from : sizeof(rest);
		ret = gl_read_user(rest, user + from, n);
	}
	return ret;
}

/* They come back as they were, or 0 if they are not read. Return: 0 or -EFAULT. */
static int write_rest(uint8_t *user, uint32_t from, uint32_t size, bool was_read)
{
	uint8_t rest[256] = {};
	uint32_t n;
	int ret = 0;

	for (; from < size && !ret; from += n) {
		n = size - from < sizeof(rest) ? size - from : sizeof(rest);
		if (was_read)
			ret = gl_read_user(rest, user + from, n);
		if (!ret)
			ret = gl_write_user(user + from, rest, n);
	}
	return ret;
}

/* Memory that no other file has is never taken back: the handle is all of the question. */
static bool keeps_memory(uint64_t file, struct drm_panfrost_madvise *madvise)
{
	if (!has_handle(file, madvise->handle, false))
		return false;
	madvise->retained = 1;
	return true;
}

static bool has_offset(uint64_t file, struct drm_panfrost_mmap_bo *map)
{
	if (map->flags || !has_handle(file, map->handle, false))
		return false;
	map->offset = (uint64_t)map->handle * GL_PAGE;
	return true;
}

/* Ioctls that succeed, as the server's tables say. Return: false: it has to be asked. */
static bool is_answered(uint64_t file, uint32_t nr, void *arg)
{
	const struct drm_panfrost_wait_bo *wait = arg;

	if (gl_driver()->kind != GL_PANFROST)
		return false;
	switch (nr) {
	case DRM_IOCTL_PANFROST_MADVISE & 0xff:
		return keeps_memory(file, arg);
	case DRM_IOCTL_PANFROST_WAIT_BO & 0xff:
		return !wait->pad && has_handle(file, wait->handle, true);
	case DRM_IOCTL_PANFROST_MMAP_BO & 0xff:
		return has_offset(file, arg);
	default:
		return false;
	}
}

static uint32_t at_most(uint32_t size, uint32_t limit)
{
	return size < limit ? size : limit;
}

/*
 * An argument may be shorter or longer than the one that the ioctl has, as in the DRM core: what
 * is missing is 0, what is more is kept. It is read, and written, if both the call and the ioctl
 * say so; of an unknown ioctl it is not looked at.
 */
static int node_ioctl(uint64_t file, int fd, unsigned long request, void *user)
{
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8))) = {};
	uint32_t nr = _IOC_NR(request), size = _IOC_SIZE(request);
	uint32_t dir = _IOC_DIR(request) & _IOC_DIR(gl_request_of(gl_driver()->kind, nr));
	uint32_t in = dir & _IOC_WRITE ? size : 0, out = dir & _IOC_READ ? size : 0;
	int ret;

	if ((in && gl_read_user(arg, user, at_most(in, GL_MAX_ARG))) ||
	    read_rest(user, GL_MAX_ARG, in))
		return -EFAULT;
	complete(nr, arg);
	if (nr == (DRM_IOCTL_VERSION & 0xff))
		ret = get_version((void *)arg);
	else if (nr == GL_GET_UNIQUE)
		ret = get_unique(file, fd, (void *)arg);
	else if (is_answered(file, nr, arg))
		ret = 0;
	else
		ret = send_ioctl(file, fd, nr, arg);
	if ((out && gl_write_user(user, arg, at_most(out, GL_LABEL_BYTES))) ||
	    write_rest(user, GL_LABEL_BYTES, out, in))
		return -EFAULT;
	return ret;
}

/* Whether a socket answers a request, which a device does not know. */
static bool is_of_sockets(unsigned long request)
{
	return request == FIONREAD || request == TIOCOUTQ || _IOC_TYPE(request) == SOCK_IOC_TYPE;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	uint64_t file = 0;
	va_list ap;
	void *arg;
	int ret;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (_IOC_TYPE(request) == DRM_IOCTL_BASE || is_of_sockets(request))
		file = file_of(fd);
	if (file)
		ret = is_of_sockets(request) ? -ENOTTY : node_ioctl(file, fd, request, arg);
	else if (!gl_syncfile_ioctl(fd, request, arg, &ret) &&
		 !gl_dmabuf_ioctl(fd, request, arg, &ret))
		return NEXT(ioctl)(fd, request, arg);
	if (!ret)
		return 0;
	errno = -ret;
	return -1;
}

/* ---- writing ---- */

/* A DRM file has nothing to write to; the socket would send it to the server. */
static bool cannot_write(int fd)
{
	if (!file_of(fd))
		return false;
	errno = EINVAL;
	return true;
}

EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
	return cannot_write(fd) ? -1 : NEXT(write)(fd, buf, n);
}

EXPORT ssize_t writev(int fd, const struct iovec *iov, int n)
{
	return cannot_write(fd) ? -1 : NEXT(writev)(fd, iov, n);
}

EXPORT ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t at)
{
	return cannot_write(fd) ? -1 : NEXT(pwrite64)(fd, buf, n, at);
}

EXPORT ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	return cannot_write(fd) ? -1 : NEXT(pwrite)(fd, buf, n, at);
}

/* ---- memory ---- */

/* The memory of a buffer. Return: descriptor, or -1. */
static int get_memory(uint64_t file, int fd, off64_t at, int prot)
{
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8))) = {};
	uint32_t words[2] = { at / GL_PAGE, !!(prot & PROT_WRITE) };
	int memory = -1;

	memcpy(arg, words, sizeof(words));
	return call(file, fd, GL_MAP, arg, &memory) ? -1 : memory;
}

/* For "vshader gl --system-calls". */
int vshader_gl_memory(int fd, off64_t at, int prot);
EXPORT int vshader_gl_memory(int fd, off64_t at, int prot)
{
	uint64_t file = file_of(fd);

	return file ? get_memory(file, fd, at, prot) : -1;
}

static void *map_bo(uint64_t file, int fd, void *addr, size_t len, int prot, int flags,
		    off64_t at)
{
	/* small ones are written soon, mostly all of it */
	int populate = len <= MAX_POPULATED ? MAP_POPULATE : 0;
	int memory = get_memory(file, fd, at, prot);
	void *p;

	if (memory < 0) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	p = NEXT(mmap64)(addr, len, prot, (flags & MAP_FIXED) | MAP_SHARED | populate, memory, 0);
	close(memory);
	return p;
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t at)
{
	uint64_t file = fd < 0 || flags & MAP_ANONYMOUS ? 0 : file_of(fd);

	if (file)
		return map_bo(file, fd, addr, len, prot, flags, at);
	if (fd >= 0 && !(flags & MAP_ANONYMOUS) && !gl_dmabuf_maps(fd, len, at)) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return NEXT(mmap64)(addr, len, prot, flags, fd, at);
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t at)
{
	return mmap64(addr, len, prot, flags, fd, at);
}
