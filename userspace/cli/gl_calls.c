// SPDX-License-Identifier: MIT
/*
 * vshader gl --system-calls: what a preloaded library does not see. The system calls of the program
 * that take a path or a descriptor of the device are suspended by seccomp and answered here, in a
 * process that itself has the library preloaded: it makes the call of the C library in the
 * program's place, and copies the arguments and results from and to the program's memory.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl.h"
#include "gl_calls.h"

/* Newer than the headers of some C libraries. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV	(1UL << 5)
#endif

#ifdef GL_CALLS_ARCH

/* ---- functions of the preloaded library ---- */

const char *(*gl_library_redirect)(int dir, const char *path, char *buf);
int (*gl_library_memory)(int fd, off64_t at, int prot);

static bool find_library(void)
{
	gl_library_redirect = (typeof(gl_library_redirect))
		dlsym(RTLD_DEFAULT, "vshader_gl_redirect");
	gl_library_memory = (typeof(gl_library_memory))dlsym(RTLD_DEFAULT, "vshader_gl_memory");
	return gl_library_redirect && gl_library_memory;
}

/* ---- the program's memory and descriptors ---- */

size_t gl_syscall_peek(const struct gl_syscall *c, void *to, uint64_t from, size_t size)
{
	struct iovec own = { to, size }, other = { (void *)(uintptr_t)from, size };
	ssize_t n = process_vm_readv(c->tid, &own, 1, &other, 1, 0);

	return n > 0 ? n : 0;
}

int gl_syscall_read(const struct gl_syscall *c, void *to, uint64_t from, size_t size)
{
	return gl_syscall_peek(c, to, from, size) == size ? 0 : -EFAULT;
}

int gl_syscall_write(const struct gl_syscall *c, uint64_t to, const void *from, size_t size)
{
	struct iovec own = { (void *)from, size }, other = { (void *)(uintptr_t)to, size };

	return process_vm_writev(c->tid, &own, 1, &other, 1, 0) == (ssize_t)size ? 0 : -EFAULT;
}

ssize_t gl_syscall_string(const struct gl_syscall *c, char *to, uint64_t from, size_t size)
{
	size_t n = 0, more, got;
	const char *end;

	while (n < size) {
		more = 4096 - (from + n) % 4096;
		more = more < size - n ? more : size - n;
		got = gl_syscall_peek(c, to + n, from + n, more);
		end = memchr(to + n, 0, got);
		if (end)
			return end - to;
		if (got < more)
			return -EFAULT;
		n += got;
	}
	return -ENAMETOOLONG;
}

int gl_syscall_get_fd(const struct gl_syscall *c, int fd)
{
	int own = syscall(SYS_pidfd_getfd, c->process, fd, 0);

	return own < 0 ? -errno : own;
}

int gl_syscall_give_fd(const struct gl_syscall *c, int fd, bool cloexec)
{
	struct seccomp_notif_addfd add = {
		.id = c->id,
		.srcfd = fd,
		.newfd_flags = cloexec ? O_CLOEXEC : 0,
	};
	int number = ioctl(c->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);

	return number < 0 ? -errno : number;
}

bool gl_syscall_is_node(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) && major(st.st_rdev) == GL_NODE_MAJOR;
}

bool gl_syscall_is_library(const struct gl_syscall *c)
{
	unsigned long long from, to, at = c->data.instruction_pointer;
	bool loaded = false, libc = false;
	char path[64], line[PATH_MAX];
	const char *name;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)c->tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		name = strrchr(line, '/');
		if (!name || sscanf(line, "%llx-%llx", &from, &to) != 2)
			continue;
		loaded |= !strncmp(name, "/libvshader_gl.so", 17);
		libc |= at >= from && at < to &&
			(!strncmp(name, "/libc.", 6) || !strncmp(name, "/libc-", 6));
	}
	if (f)
		fclose(f);
	return loaded && libc;
}

/* ---- suspended calls ---- */

void gl_syscall_answer(const struct gl_syscall *c, int64_t value)
{
	struct seccomp_notif_resp r = { .id = c->id };

	if (value == GL_CONTINUE)
		r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else if (value < 0)
		r.error = value;
	else
		r.val = value;
	ioctl(c->listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

/* The process of a thread. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	int pid = tid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f) && sscanf(line, "Tgid: %d", &pid) != 1)
		;
	if (f)
		fclose(f);
	return pid;
}

static void *handle(void *p)
{
	struct gl_syscall *c = p;
	int64_t ret = GL_CONTINUE;

	c->process = syscall(SYS_pidfd_open, process_of(c->tid), 0);
	if (c->process >= 0) {
		if (c->data.nr == SYS_mmap)
			ret = gl_syscall_map(c);
		else if (c->data.nr == SYS_ioctl)
			ret = gl_syscall_ioctl(c);
		else
			ret = gl_syscall_file(c);
		close(c->process);
	}
	if (ret != GL_ANSWERED)
		gl_syscall_answer(c, ret);
	free(c);
	return NULL;
}

/* Take a call over. */
static void receive(int listener)
{
	struct seccomp_notif n = {};
	struct gl_syscall *c;
	pthread_t thread;

	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n))
		return;
	c = malloc(sizeof(*c));
	if (c) {
		*c = (struct gl_syscall){ listener, n.id, n.pid, -1, n.data };
		if (!pthread_create(&thread, NULL, handle, c)) {
			pthread_detach(thread);
			return;
		}
	}
	gl_syscall_answer(&(struct gl_syscall){ listener, n.id, n.pid, -1, n.data }, -ENOMEM);
	free(c);
}

/* ---- the filter ---- */

#define LOAD(member)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS(k, n)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)
#define IF(k, n)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, n, 0)
#define SUSPEND		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define ALLOW		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Calls that are suspended whatever their arguments are. */
static const uint32_t suspended[] = {
	SYS_openat, SYS_openat2, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_faccessat,
	SYS_faccessat2, SYS_readlinkat,
#ifdef __x86_64__
	SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
};

#define NUM_SUSPENDED	(sizeof(suspended) / sizeof(suspended[0]))

static const struct sock_filter head[] = { LOAD(arch), IF(GL_CALLS_ARCH, 1), ALLOW, LOAD(nr) };

/* Low halves come first on these machines. */
static const struct sock_filter tail[] = {
	UNLESS(SYS_ioctl, 7),
	LOAD(args[1]),
	BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, _IOC_TYPESHIFT),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, _IOC_TYPEMASK),
	IF(DRM_IOCTL_BASE, 2), IF(DMA_BUF_BASE, 1), UNLESS(SYNC_IOC_MAGIC, 1), SUSPEND,
	/* the offset is not 0, as that of a buffer */
	LOAD(nr), UNLESS(SYS_mmap, 4),
	LOAD(args[4]), IF(~0U, 2),
	LOAD(args[5]), UNLESS(0, 1), ALLOW, SUSPEND,
};

#define NUM_HEAD	(sizeof(head) / sizeof(head[0]))
#define NUM_TAIL	(sizeof(tail) / sizeof(tail[0]))
#define NUM_FILTER	(NUM_HEAD + 2 * NUM_SUSPENDED + NUM_TAIL)

static void make_filter(struct sock_filter *f)
{
	unsigned int i;

	memcpy(f, head, sizeof(head));
	f += NUM_HEAD;
	for (i = 0; i < NUM_SUSPENDED; i++) {
		*f++ = (struct sock_filter)UNLESS(suspended[i], 1);
		*f++ = (struct sock_filter)SUSPEND;
	}
	memcpy(f, tail, sizeof(tail));
}

/* In the program, before it is executed. Return: descriptor of the filter, or -1 with errno. */
static int install_filter(void)
{
	struct sock_filter filter[NUM_FILTER];
	const struct sock_fprog prog = { NUM_FILTER, filter };
	const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	int fd;

	make_filter(filter);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	/* a call that has begun is not made twice because of a signal */
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		     flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &prog);
	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	return fd;
}

/* ---- the program ---- */

union control {
	char space[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static bool send_fd(int sock, int fd)
{
	union control control = {};
	struct iovec iov = { &(char){ 0 }, 1 };
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.space,
			    .msg_controllen = sizeof(control.space) };
	struct cmsghdr *m = CMSG_FIRSTHDR(&h);

	m->cmsg_level = SOL_SOCKET;
	m->cmsg_type = SCM_RIGHTS;
	m->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(m), &fd, sizeof(int));
	return sendmsg(sock, &h, 0) == 1;
}

/* Return: descriptor, or -1. */
static int receive_fd(int sock)
{
	union control control = {};
	struct iovec iov = { &(char){ 0 }, 1 };
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.space,
			    .msg_controllen = sizeof(control.space) };
	struct cmsghdr *m;
	int fd = -1;

	if (recvmsg(sock, &h, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	m = CMSG_FIRSTHDR(&h);
	if (m && m->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(m), sizeof(int));
	return fd;
}

/* The program has other calls than the filter until it is executed: it is a copy of this one. */
static int begin(int sock, int (*program)(void *p), void *p)
{
	int fd = install_filter();

	if (fd < 0)
		return fail("--system-calls: seccomp: %s", strerror(errno));
	if (!send_fd(sock, fd))
		return fail("--system-calls: %s", strerror(errno));
	close(fd);
	close(sock);
	setenv(GL_CALLS_ENV, getenv(GL_SOCKET_ENV) ?: "", 1);
	return program(p);
}

/* Return: status of waitpid(). */
static int supervise(int listener, pid_t pid)
{
	struct pollfd p[2] = { { .fd = listener, .events = POLLIN },
			       { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN } };
	int status = 0;

	while (!p[1].revents) {
		if (poll(p, 2, -1) < 0)
			continue;
		if (p[0].revents & POLLIN)
			receive(listener);
		else if (p[0].revents)
			/* nobody has the filter any more */
			p[0].fd = -1;
	}
	waitpid(pid, &status, 0);
	close(p[1].fd);
	return status;
}

int gl_calls_run(int (*program)(void *p), void *p)
{
	int pair[2], listener, status;
	pid_t pid;

	if (!find_library())
		return fail("--system-calls: the library is not preloaded here");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return fail("socketpair: %s", strerror(errno));
	gl_hold_signals();
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid) {
		close(pair[0]);
		gl_release_signals();
		_exit(begin(pair[1], program, p));
	}
	gl_guard(pid);
	close(pair[1]);
	listener = receive_fd(pair[0]);
	close(pair[0]);
	status = supervise(listener, pid);
	return gl_status_of(status);
}

#else

int gl_calls_run(int (*program)(void *p), void *p)
{
	return fail("--system-calls is for x86-64 and arm64");
}

#endif
