// SPDX-License-Identifier: MIT
/*
 * vshader record: runs a command and writes a job file for each of its submissions, on devices
 * and in-process.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "dump.h"

#define MAX_SOURCES	17	/* devices, and the socket of those that run in-process */
#define MAX_JOBS	64
#define POLL_MS		100

/** struct source - where records come from; @socket: of messages with files */
struct source {
	int fd;
	int token;
	bool socket;
	bool ended;
};

/** struct recording - what is being recorded; @jobs: of the submission that is being read */
struct recording {
	const char *dir;
	struct source sources[MAX_SOURCES];
	unsigned int num_sources;
	struct vshader_dump *jobs[MAX_JOBS];
	void *data[MAX_JOBS];
	uint32_t num_jobs;
	bool broken;
	unsigned long submits;
	unsigned long incomplete;
	int ret;
};

/* ---- records ---- */

static void forget(struct recording *r)
{
	uint32_t i;

	for (i = 0; i < r->num_jobs; i++) {
		vshader_dump_free(r->jobs[i]);
		free(r->data[i]);
	}
	r->num_jobs = 0;
	r->broken = false;
}

static void finish(struct recording *r)
{
	char name[32];

	if (r->broken || !r->num_jobs) {
		r->incomplete++;
	} else {
		snprintf(name, sizeof(name), "job%05lu", ++r->submits);
		if (dump_write_jobfile((const struct vshader_dump *const *)r->jobs, r->num_jobs,
				       r->dir, name))
			r->ret = EXIT_USAGE;
	}
	forget(r);
}

/* Takes @data over. */
static void add_record(struct recording *r, const struct drm_vshader_record_head *head, void *data)
{
	if (!head->job)
		forget(r);
	if (head->flags & DRM_VSHADER_RECORD_INCOMPLETE || !data || r->num_jobs == MAX_JOBS ||
	    head->job != r->num_jobs ||
	    vshader_dump_parse(data, head->size, &r->jobs[r->num_jobs])) {
		r->broken = true;
		free(data);
	} else {
		r->data[r->num_jobs++] = data;
	}
	if (head->job + 1 >= head->jobs)
		finish(r);
}

/* Return: bytes; fewer than @size at the end. */
static size_t read_all(int fd, void *p, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(fd, (uint8_t *)p + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static void *read_bytes(int fd, uint64_t size)
{
	void *p = size && size < SIZE_MAX ? malloc(size) : NULL;

	if (p && read_all(fd, p, size) == size)
		return p;
	free(p);
	return NULL;
}

static bool from_device(struct recording *r, struct source *s)
{
	struct drm_vshader_record_head head;

	if (read_all(s->fd, &head, sizeof(head)) != sizeof(head))
		return false;
	add_record(r, &head, head.size ? read_bytes(s->fd, head.size) : NULL);
	return true;
}

static bool from_socket(struct recording *r, struct source *s)
{
	struct drm_vshader_record_head head;
	struct iovec iov = { .iov_base = &head, .iov_len = sizeof(head) };
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	ssize_t n = recvmsg(s->fd, &msg, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	void *data = NULL;
	struct stat st;
	int fd;

	if (n != sizeof(head))
		return n < 0 && errno == EINTR;
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int))) {
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
		if (!fstat(fd, &st) && (uint64_t)st.st_size == head.size &&
		    lseek(fd, 0, SEEK_SET) == 0)
			data = read_bytes(fd, head.size);
		close(fd);
	}
	add_record(r, &head, data);
	return true;
}

/* What there is. Return: false: nothing within the time, or nothing will come any more. */
static bool drain(struct recording *r, int timeout)
{
	struct pollfd p[MAX_SOURCES];
	unsigned int i;
	bool any = false;

	for (i = 0; i < r->num_sources; i++)
		p[i] = (struct pollfd){ .fd = r->sources[i].ended ? -1 : r->sources[i].fd,
					.events = POLLIN };
	if (poll(p, r->num_sources, timeout) <= 0)
		return false;
	for (i = 0; i < r->num_sources; i++) {
		struct source *s = &r->sources[i];

		if (p[i].revents & POLLIN) {
			s->ended = s->socket ? !from_socket(r, s) : !from_device(r, s);
			any = true;
		} else if (p[i].revents) {
			s->ended = true;
		}
	}
	return any;
}

/* ---- sources ---- */

static int add_socket(struct recording *r)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd))
		return fail("socket: %s", strerror(errno));
	r->sources[r->num_sources++] = (struct source){
		.fd = fd[0], .token = fd[1], .socket = true,
	};
	return 0;
}

static int add_device(struct recording *r, const char *path)
{
	struct drm_vshader_record args = { };
	struct vshader_device *dev;
	int ret;

	ret = vshader_open(path, &dev);
	if (ret)
		return fail("%s", vshader_error());
	ret = vshader_ioctl(dev, DRM_IOCTL_VSHADER_RECORD, &args);
	if (ret)
		fail("%s: %s", path, vshader_error());
	vshader_close(dev);
	if (ret)
		return EXIT_USAGE;
	r->sources[r->num_sources++] = (struct source){ .fd = args.reader, .token = args.token };
	return 0;
}

static int add_devices(struct recording *r)
{
	struct vshader_node nodes[MAX_SOURCES - 1];
	int i, ret = 0, n = vshader_list_nodes(nodes, MAX_SOURCES - 1);

	if (n > MAX_SOURCES - 1)
		n = MAX_SOURCES - 1;
	for (i = 0; i < n && !ret; i++)
		ret = add_device(r, nodes[i].path);
	return ret;
}

/* ---- the command ---- */

static void child(const struct recording *r, char **argv)
{
	unsigned int i;
	char text[16];

	for (i = 0; i < r->num_sources; i++) {
		fcntl(r->sources[i].token, F_SETFD, 0);
		if (!r->sources[i].socket)
			continue;
		snprintf(text, sizeof(text), "%d", r->sources[i].token);
		setenv("VSHADER_RECORD_FD", text, 1);
	}
	execvp(argv[0], argv);
	fprintf(stderr, "vshader record: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What the command leaves running is recorded no further than it ran. */
static int follow(struct recording *r, pid_t pid)
{
	bool running = true;
	int status = 0;

	while (running) {
		running = waitpid(pid, &status, WNOHANG) == 0;
		while (drain(r, running ? POLL_MS : 0))
			;
	}
	return exit_status(status);
}

static int run_command(struct recording *r, char **argv)
{
	unsigned int i;
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid)
		child(r, argv);
	for (i = 0; i < r->num_sources; i++) {
		close(r->sources[i].token);
		r->sources[i].token = -1;
	}
	/* the command decides what to do about them */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	status = follow(r, pid);
	fprintf(stderr, "vshader record: %lu submissions in %s\n", r->submits, r->dir);
	if (r->incomplete)
		fprintf(stderr, "vshader record: %lu could not be recorded\n", r->incomplete);
	return r->ret ? r->ret : status ? status : r->incomplete ? EXIT_DIFFERS : EXIT_OK;
}

static void close_sources(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < r->num_sources; i++) {
		close(r->sources[i].fd);
		if (r->sources[i].token >= 0)
			close(r->sources[i].token);
	}
}

int cmd_record(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const char help[] =
"  -o, --output DIR  folder for job files, by default \"vshader-record\"\n";
	struct recording r = { .dir = "vshader-record" };
	int c, ret;

	while ((c = getopt_long(argc, argv, "+o:h", options, NULL)) != -1) {
		switch (c) {
		case 'o':
			r.dir = optarg;
			break;
		case 'h':
			return print_help(help);
		default:
			return usage_error();
		}
	}
	if (optind == argc)
		return usage_error();
	if (mkdir(r.dir, 0777) && errno != EEXIST)
		return fail("%s: %s", r.dir, strerror(errno));
	ret = add_devices(&r);
	if (!ret)
		ret = add_socket(&r);
	if (!ret)
		ret = run_command(&r, argv + optind);
	forget(&r);
	close_sources(&r);
	return ret;
}
