// SPDX-License-Identifier: MIT
/*
 * vshader record: runs a command and writes a job file for each job that it executes, on devices
 * and in-process.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "dump.h"

#define MAX_SOURCES	17	/* devices, and the socket of in-process clients */
#define POLL_MS		100
#define JOB_NAME	"job%05lu"
#define DEBUGFS		"/sys/kernel/debug/dri"

/** struct source - where records come from; @socket: of messages with files */
struct source {
	int fd;
	int token;
	bool socket;
	bool ended;
};

/** struct recording - state of the command */
struct recording {
	const char *dir;
	const char *device;	/* the only one, or NULL */
	unsigned int buffer_mb;	/* 0: default */
	struct source sources[MAX_SOURCES];
	unsigned int num_sources;
	unsigned long number;	/* of the last job's files */
	unsigned long jobs;	/* whose files are whole */
	unsigned long lost;
	unsigned long overlapped;
	bool allow_unused;
	int ret;
};

/* ---- records ---- */

static void add_record(struct recording *r, const struct drm_vshader_record_head *head,
		       const void *data)
{
	bool overlapped = head->flags & DRM_VSHADER_RECORD_OVERLAPPED;
	struct vshader_dump *d;
	char name[32];

	r->lost += head->lost;
	if (!head->size)
		return;
	if (head->flags & DRM_VSHADER_RECORD_INCOMPLETE || !data ||
	    vshader_dump_parse(data, head->size, &d)) {
		r->lost++;
		return;
	}
	r->overlapped += overlapped;
	snprintf(name, sizeof(name), JOB_NAME, ++r->number);
	if (dump_write_jobfile(d, r->dir, name, !overlapped))
		r->ret = EXIT_USAGE;
	else
		r->jobs++;
	vshader_dump_free(d);
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
	void *data;

	if (read_all(s->fd, &head, sizeof(head)) != sizeof(head))
		return false;
	data = read_bytes(s->fd, head.size);
	if (head.size && !data)
		return false;
	add_record(r, &head, data);
	free(data);
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
	free(data);
	return true;
}

/* Drain available records. Return: false on timeout, or when all sources have ended. */
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

/*
 * The highest number of a device's DRM files; later files have higher numbers. Not all drivers as
 * which a device can present itself have it in fdinfo.
 */
static unsigned long long last_client(unsigned int node)
{
	unsigned long long id, last = 0;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), DEBUGFS "/%u/vms", node);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "client %llu", &id) == 1 && id > last)
			last = id;
	}
	if (f)
		fclose(f);
	return last;
}

/* Record the DRM files of a device that are opened from now on. */
static int start(struct recording *r, unsigned int node, const char *path)
{
	char command[64];
	int n, fd;

	n = snprintf(command, sizeof(command), "after=%llu", last_client(node));
	if (r->buffer_mb)
		n += snprintf(command + n, sizeof(command) - (size_t)n, " size=%u", r->buffer_mb);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (write(fd, command, (size_t)n) != n) {
		close(fd);
		return -1;
	}
	r->sources[r->num_sources++] = (struct source){ .fd = fd, .token = -1 };
	return 0;
}

static int add_device(struct recording *r, const char *node)
{
	int fd = open(node, O_RDWR | O_CLOEXEC);
	char path[64];
	struct stat st;
	int ret = 0;

	if (fd < 0 || fstat(fd, &st))
		return fail("%s: %s", node, strerror(errno));
	snprintf(path, sizeof(path), DEBUGFS "/%u/record", minor(st.st_rdev));
	if (start(r, minor(st.st_rdev), path))
		ret = fail("%s: %s: %s (root records devices; --device local needs no rights)",
			   node, path, strerror(errno));
	close(fd);
	return ret;
}

static int add_devices(struct recording *r)
{
	struct vshader_node nodes[MAX_SOURCES - 1];
	int i, ret = 0, n;

	if (r->device)
		return strcmp(r->device, "local") ? add_device(r, r->device) : 0;
	n = vshader_list_nodes(nodes, MAX_SOURCES - 1);
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
	int error;

	for (i = 0; i < r->num_sources; i++) {
		if (!r->sources[i].socket)
			continue;
		fcntl(r->sources[i].token, F_SETFD, 0);
		snprintf(text, sizeof(text), "%d", r->sources[i].token);
		setenv("VSHADER_RECORD_FD", text, 1);
	}
	execvp(argv[0], argv);
	error = errno;
	fail("%s: %s", argv[0], strerror(error));
	_exit(program_status(error));
}

static int exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Processes that outlive the command are recorded until the command exits only. */
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
		if (r->sources[i].socket)
			close(r->sources[i].token);
		r->sources[i].token = -1;
	}
	/* the command handles these signals itself */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	status = follow(r, pid);
	fprintf(stderr, "vshader record: %lu jobs in %s\n", r->jobs, r->dir);
	if (r->overlapped)
		fprintf(stderr, "vshader record: %lu overlapped others: no expected memory\n",
			r->overlapped);
	if (r->lost)
		fprintf(stderr, "vshader record: %lu not recorded: the buffer is full (--buffer)\n",
			r->lost);
	if (r->ret || status)
		return r->ret ? r->ret : status;
	if (!r->jobs && !r->lost && !r->allow_unused) {
		fail("the command executed no job%s%s", r->device ? " on " : "", r->device ?: "");
		return EXIT_DIFFERS;
	}
	return r->lost ? EXIT_DIFFERS : EXIT_OK;
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

static int parse_options(struct recording *r, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "device", required_argument, NULL, 'd' },
		{ "buffer", required_argument, NULL, 'b' },
		{ "allow-unused", no_argument, NULL, 'u' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const char help[] =
"  -o, --output DIR     folder for job files, by default \"vshader-record\"\n"
"  -d, --device DEVICE  record only this render node, or only in-process jobs (\"local\")\n"
"  -b, --buffer MIB     buffer of each device in the kernel, 1 to 1024, by default 64\n"
"      --allow-unused   a command that executes no job is no failure\n";
	unsigned long n;
	int c;

	while ((c = getopt_long(argc, argv, "+o:d:b:h", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'o':
			r->dir = optarg;
			if (refuse_stdout("--output", optarg))
				return EXIT_USAGE;
			break;
		case 'd':
			r->device = optarg;
			break;
		case 'b':
			if (parse_limited("--buffer", optarg, 1, 1024, &n))
				return EXIT_USAGE;
			r->buffer_mb = (unsigned int)n;
			break;
		case 'u':
			r->allow_unused = true;
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	return optind == argc ? usage_error() : 0;
}

/* Make the folder. It is one recording's: job files of another one would be among its own. */
static int make_folder(const char *dir)
{
	struct stat st;
	char *first;
	int ret = 0;

	if (mkdir(dir, 0777) && (errno != EEXIST || stat(dir, &st)))
		return fail("%s: %s", dir, strerror(errno));
	if (!stat(dir, &st) && !S_ISDIR(st.st_mode))
		return fail("%s: not a folder", dir);
	if (asprintf(&first, "%s/" JOB_NAME ".json", dir, 1ul) < 0)
		return fail("out of memory");
	if (!access(first, F_OK))
		ret = fail("%s: a recording is there (remove it, or give another --output)", first);
	free(first);
	return ret;
}

int cmd_record(int argc, char **argv)
{
	struct recording r = { .dir = "vshader-record" };
	int ret;

	ret = parse_options(&r, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	ret = make_folder(r.dir);
	if (!ret)
		ret = add_devices(&r);
	if (!ret)
		ret = add_socket(&r);
	if (!ret)
		ret = run_command(&r, argv + optind);
	close_sources(&r);
	return ret;
}
