// SPDX-License-Identifier: MIT
/*
 * vshader gl: runs a program whose DRM driver is panfrost's, with Mesa or without, on this
 * machine's library or device, without the module's personality.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl.h"

#define EMULATOR_WORDS	16	/* before the program, and the end */
#define LIBRARY		"libvshader_gl.so"
#define POLL_MS		50

/* The emulator and library folders of programs of another architecture: arm64, as Debian has it. */
#define EMULATOR	"qemu-aarch64-static"
#define TRIPLET		"aarch64-linux-gnu"

/** struct options - of the command */
struct options {
	struct gl_server server;
	const char *library;
	const char *sysroot;
	bool quiet;
	char **argv;
};

/* ---- connections ---- */

/** struct connection - of a DRM file */
struct connection {
	struct gl_server *server;
	int sock;
};

static void *serve(void *p)
{
	struct connection c = *(struct connection *)p;

	free(p);
	gl_serve(c.server, c.sock);
	return NULL;
}

static void take_connection(struct gl_server *server, int listener)
{
	struct connection *c = malloc(sizeof(*c));
	pthread_t thread;

	if (!c)
		return;
	c->server = server;
	c->sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (c->sock < 0 || pthread_create(&thread, NULL, serve, c)) {
		if (c->sock >= 0)
			close(c->sock);
		free(c);
		return;
	}
	pthread_detach(thread);
}

static int make_socket(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	char name[64];
	socklen_t len;
	int fd;

	snprintf(name, sizeof(name), "vshader-gl-%d", (int)getpid());
	strcpy(a.sun_path + 1, name);
	len = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, len) || listen(fd, 64)) {
		fail("socket: %s", strerror(errno));
		return -1;
	}
	setenv(GL_SOCKET_ENV, name, 1);
	return fd;
}

/* ---- the program ---- */

/* The library beside the command, as in the build folder, or in the folder of its installation. */
static const char *find_library(const struct options *o, char *buf, size_t size)
{
	const char *folder = o->sysroot ? TRIPLET "/" : "";
	char self[PATH_MAX];
	ssize_t n;
	int i;

	if (o->library)
		return o->library;
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = 0;
	for (i = 0; i < 2 && strrchr(self, '/'); i++)
		*strrchr(self, '/') = 0;
	snprintf(buf, size, "%s/lib/%s" LIBRARY, self, folder);
	if (access(buf, R_OK))
		snprintf(buf, size, VSHADER_PRELOADDIR "/%s" LIBRARY, folder);
	return access(buf, R_OK) ? NULL : buf;
}

/* A word for the emulator; it lives as long as the process. */
static void add_env(const char **argv, unsigned int *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_env(const char **argv, unsigned int *n, const char *fmt, ...)
{
	va_list ap;
	char *word;

	va_start(ap, fmt);
	if (vasprintf(&word, fmt, ap) < 0)
		abort();
	va_end(ap);
	argv[(*n)++] = "-E";
	argv[(*n)++] = word;
}

/* The program in the emulator, with the sysroot's libraries. */
static int exec_emulated(const struct options *o, const char *library)
{
	const char *root = o->sysroot, **argv;
	unsigned int i, n = 0;

	for (i = 0; o->argv[i]; i++)
		;
	argv = calloc(i + EMULATOR_WORDS, sizeof(*argv));
	if (!argv)
		return -1;
	argv[n++] = EMULATOR;
	argv[n++] = "-L";
	argv[n++] = root;
	add_env(argv, &n, "LD_PRELOAD=%s", library);
	add_env(argv, &n, "LD_LIBRARY_PATH=%s/usr/lib/" TRIPLET ":%s/lib/" TRIPLET, root, root);
	add_env(argv, &n, "LIBGL_DRIVERS_PATH=%s/usr/lib/" TRIPLET "/dri", root);
	add_env(argv, &n, "__EGL_VENDOR_LIBRARY_DIRS=%s/usr/share/glvnd/egl_vendor.d", root);
	for (i = 0; o->argv[i]; i++)
		argv[n++] = o->argv[i];
	execvp(argv[0], (char *const *)argv);
	return -1;
}

static int exec_program(const struct options *o, const char *library)
{
	if (o->sysroot)
		return exec_emulated(o, library);
	setenv("LD_PRELOAD", library, 1);
	execvp(o->argv[0], o->argv);
	return -1;
}

/* Exit status of the program as a shell has it. */
static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int wait_for(struct options *o, int listener, pid_t pid)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };
	int status;

	for (;;) {
		if (poll(&p, 1, POLL_MS) > 0)
			take_connection(&o->server, listener);
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status_of(status);
	}
}

static int run(struct options *o)
{
	char buf[2 * PATH_MAX];
	const char *library = find_library(o, buf, sizeof(buf));
	int listener, status;
	pid_t pid;

	if (!library)
		return fail("no " LIBRARY "%s%s beside this command: give it with --library",
			    o->sysroot ? " of " : "", o->sysroot ? TRIPLET : "");
	listener = make_socket();
	if (listener < 0)
		return EXIT_USAGE;
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid) {
		exec_program(o, library);
		fail("%s: %s", o->sysroot ? EMULATOR : o->argv[0], strerror(errno));
		_exit(127);
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	status = wait_for(o, listener, pid);
	close(listener);
	pthread_mutex_lock(&o->server.lock);
	if (!o->quiet)
		fprintf(stderr, "vshader gl: %s: %lu jobs, %lu faults\n", o->server.gpu->name,
			o->server.jobs, o->server.faults);
	if (!status && o->server.faults)
		status = EXIT_DIFFERS;
	pthread_mutex_unlock(&o->server.lock);
	return status;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "gpu", required_argument, NULL, 'g' },
		{ "device", required_argument, NULL, 'd' },
		{ "library", required_argument, NULL, 'l' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const char help[] =
"  -g, --gpu CHIP       t760, t860 (default), g31, g52, g71 or g72\n"
"  -d, --device DEVICE  render node that executes, by default in this process (\"local\")\n"
"  -s, --sysroot DIR    run an arm64 program with qemu-user and the libraries of this folder\n"
"  -l, --library FILE   libvshader_gl.so of the program's architecture, by default the one\n"
"                       beside this command\n"
"  -q, --quiet          no summary\n";
	int c;

	while ((c = getopt_long(argc, argv, "+g:d:l:s:qh", options, NULL)) != -1) {
		switch (c) {
		case 'g':
			o->server.gpu = pan_gpu_find(optarg);
			if (!o->server.gpu)
				return fail("no chip \"%s\"", optarg);
			break;
		case 'd':
			o->server.device = optarg;
			break;
		case 'l':
			o->library = optarg;
			break;
		case 's':
			o->sysroot = optarg;
			break;
		case 'q':
			o->quiet = true;
			break;
		case 'h':
			exit(print_help(help));
		default:
			return usage_error();
		}
	}
	o->argv = argv + optind;
	return optind == argc ? usage_error() : 0;
}

int cmd_gl(int argc, char **argv)
{
	struct options o = {
		.server = {
			.gpu = pan_gpu_find("t860"),
			.device = "local",
			.lock = PTHREAD_MUTEX_INITIALIZER,
		},
	};
	int ret;

	ret = parse_options(&o, argc, argv);
	return ret ? ret : run(&o);
}
