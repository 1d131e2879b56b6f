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

#define EMULATOR_WORDS	5	/* before the program, and the end */
#define LIBRARY		"libvshader_gl.so"
#define POLL_MS		50

/* Folders of libraries, as Debian has them, of arm64 and this machine. */
#define EMULATOR	"qemu-aarch64-static"
#define ARM64		"aarch64-linux-gnu"
#if defined(__aarch64__)
#define NATIVE		ARM64
#elif defined(__x86_64__)
#define NATIVE		"x86_64-linux-gnu"
#else
#define NATIVE		"native"	/* no folder's name */
#endif

/** struct options - of the command */
struct options {
	struct gl_server server;
	const char *library;
	const char *sysroot;
	bool emulated;
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
	const char *folder = o->emulated ? ARM64 "/" : "";
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

/* A variable for the program's own libraries to find their parts in the sysroot. */
static void set_path(const char *name, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void set_path(const char *name, const char *fmt, ...)
{
	va_list ap;
	char *value;

	va_start(ap, fmt);
	if (vasprintf(&value, fmt, ap) < 0)
		abort();
	va_end(ap);
	setenv(name, value, 1);
	free(value);
}

static void enter_sysroot(const char *root, const char *triplet)
{
	const char *more = getenv("LD_LIBRARY_PATH");

	set_path("LD_LIBRARY_PATH", "%s/usr/lib/%s:%s/lib/%s%s%s", root, triplet, root, triplet,
		 more ? ":" : "", more ?: "");
	set_path("LIBGL_DRIVERS_PATH", "%s/usr/lib/%s/dri", root, triplet);
	set_path("__EGL_VENDOR_LIBRARY_DIRS", "%s/usr/share/glvnd/egl_vendor.d", root);
}

/*
 * The emulator is linked statically: it hands the variables of dynamic linking on to the program.
 */
static int exec_emulated(const struct options *o)
{
	unsigned int i, n = 0;
	const char **argv;

	for (i = 0; o->argv[i]; i++)
		;
	argv = calloc(i + EMULATOR_WORDS, sizeof(*argv));
	if (!argv)
		return -1;
	argv[n++] = EMULATOR;
	argv[n++] = "-L";
	argv[n++] = o->sysroot;
	for (i = 0; o->argv[i]; i++)
		argv[n++] = o->argv[i];
	execvp(argv[0], (char *const *)argv);
	return -1;
}

static int exec_program(const struct options *o, const char *library)
{
	if (o->sysroot)
		enter_sysroot(o->sysroot, o->emulated ? ARM64 : NATIVE);
	setenv("LD_PRELOAD", library, 1);
	return o->emulated ? exec_emulated(o) : execvp(o->argv[0], o->argv);
}

/* Return: the sysroot has libraries of an architecture. */
static bool has_libraries(const char *root, const char *triplet)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/usr/lib/%s", root, triplet);
	return !access(path, X_OK);
}

/* Which architecture the sysroot is of. */
static int check_sysroot(struct options *o)
{
	if (!o->sysroot || has_libraries(o->sysroot, NATIVE))
		return 0;
	o->emulated = has_libraries(o->sysroot, ARM64);
	if (o->emulated)
		return 0;
	return fail("%s: no folder usr/lib/" ARM64 " or usr/lib/" NATIVE, o->sysroot);
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
			    o->emulated ? " of " : "", o->emulated ? ARM64 : "");
	listener = make_socket();
	if (listener < 0)
		return EXIT_USAGE;
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid) {
		exec_program(o, library);
		fail("%s: %s", o->emulated ? EMULATOR : o->argv[0], strerror(errno));
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
"  -s, --sysroot DIR    use the libraries of this folder; those of arm64 on another machine with\n"
"                       qemu-user\n"
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

	ret = parse_options(&o, argc, argv) ?: check_sysroot(&o);
	return ret ? ret : run(&o);
}
