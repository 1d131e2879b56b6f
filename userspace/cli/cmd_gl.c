// SPDX-License-Identifier: MIT
/*
 * vshader gl: runs a program whose DRM driver is panfrost's, lima's or vc4's, with Mesa or without,
 * on this machine's library or device, without the module's personality.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl.h"
#include "install.h"

#define EMULATOR_WORDS	5	/* before the program, and the end */
#define LIBRARY		"libvshader_gl.so"
#define POLL_MS		50
#define STATUS_NOT_EXECUTED	126	/* and higher ones: not the program's own */

/* Folders of libraries, as Debian has them, of arm64 and this machine. */
#define EMULATOR	"qemu-aarch64-static"
/* Newer packages sign return addresses, which takes the emulator five sixths of the time. */
#define EMULATED_CPU	"max,pauth=off"
#define ARM64		"aarch64-linux-gnu"
#if defined(__aarch64__)
#define NATIVE		ARM64
#elif defined(__x86_64__)
#define NATIVE		"x86_64-linux-gnu"
#else
#define NATIVE		"native"	/* no folder's name */
#endif

/* System calls are seen: by another process of this command, or in this one. */
enum calls { CALLS_NOT, CALLS_OUTSIDE, CALLS_HERE };

/** struct options - of the command */
struct options {
	struct gl_server server;
	const char *library;
	const char *sysroot;
	bool setup;
	bool emulated;
	enum calls calls;
	bool allow_unused;
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

/* A descriptor to be given up when there is none for a connection. */
static int reserve = -1;

static void refuse(struct gl_server *server)
{
	pthread_mutex_lock(&server->lock);
	server->files++;
	server->refused++;
	pthread_mutex_unlock(&server->lock);
}

static void take_connection(struct gl_server *server, int listener)
{
	struct connection *c = malloc(sizeof(*c));
	int sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	pthread_t thread;

	if (sock < 0 && (errno == EMFILE || errno == ENFILE)) {
		close(reserve);
		sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		close(sock);
		reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
		refuse(server);
		free(c);
		return;
	}
	if (c && sock >= 0) {
		c->server = server;
		c->sock = sock;
		if (!pthread_create(&thread, NULL, serve, c)) {
			pthread_detach(thread);
			return;
		}
	}
	if (sock >= 0) {
		close(sock);
		refuse(server);
	}
	free(c);
}

/* Each file and each buffer of the program is a descriptor of this process. */
static void raise_limit(struct rlimit *was)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, was);
	limit = *was;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static socklen_t socket_address(struct sockaddr_un *a, const char *name)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "%s", name);
	return offsetof(struct sockaddr_un, sun_path) + 1 + strlen(a->sun_path + 1);
}

/* Return: another "vshader gl" has started this one, and serves: its name is in use. */
static bool is_inside(void)
{
	const char *name = getenv(GL_SOCKET_ENV);
	struct sockaddr_un a;
	socklen_t len;
	bool inside;
	int fd;

	if (!name || !getenv(GL_ROOT_ENV))
		return false;
	len = socket_address(&a, name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	inside = fd >= 0 && bind(fd, (struct sockaddr *)&a, len) && errno == EADDRINUSE;
	if (fd >= 0)
		close(fd);
	return inside;
}

/* A process of another container with this one's network may have the same number. */
static int bind_name(int fd, char *name, size_t size)
{
	struct sockaddr_un a;
	socklen_t len;
	int i = 0;

	do {
		snprintf(name, size, "vshader-gl-%d.%d", (int)getpid(), i);
		len = socket_address(&a, name);
		if (!bind(fd, (struct sockaddr *)&a, len))
			return 0;
	} while (errno == EADDRINUSE && ++i < 1000);
	return -1;
}

static int make_socket(void)
{
	char name[64];
	int fd;

	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind_name(fd, name, sizeof(name)) || listen(fd, 64)) {
		fail("socket: %s", strerror(errno));
		return -1;
	}
	setenv(GL_SOCKET_ENV, name, 1);
	return fd;
}

/* ---- the program ---- */

/* The loader only warns of a library to preload that it cannot load. */
static int check_library(const char *path)
{
	char head[SELFMAG] = "";
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return fail("%s: %s", path, strerror(errno));
	errno = 0;
	n = fread(head, 1, sizeof(head), f);
	if (n != sizeof(head) || memcmp(head, ELFMAG, SELFMAG))
		n = 0;
	if (!n)
		fail("%s: %s", path, errno ? strerror(errno) : "not a shared library");
	fclose(f);
	return n ? 0 : EXIT_USAGE;
}

/* The path from "/": the program may change to another folder. */
static const char *whole_path(const char *path, char *buf)
{
	return path && realpath(path, buf) ? buf : path;
}

/* The library beside the command, as in the build folder, or in the folder of its installation. */
static const char *find_library(const struct options *o, char *buf, size_t size)
{
	if (o->library)
		return check_library(o->library) ? NULL : whole_path(o->library, buf);
	return install_library(o->emulated ? ARM64 "/" LIBRARY : LIBRARY, buf, size) ? buf : NULL;
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
	setenv("QEMU_CPU", EMULATED_CPU, 0);
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

/*
 * This command with the library preloaded, which answers the program's system calls; its arguments
 * are the program's.
 */
static int exec_self(const struct options *o, const char *library)
{
	static const char * const self[] = { "vshader", "gl", "--system-calls", "--" };
	const unsigned int n = sizeof(self) / sizeof(self[0]);
	const char **argv;
	unsigned int i;

	for (i = 0; o->argv[i]; i++)
		;
	argv = calloc(n + i + 1, sizeof(*argv));
	if (!argv)
		return -1;
	memcpy(argv, self, sizeof(self));
	memcpy(argv + n, o->argv, i * sizeof(*argv));
	setenv("LD_PRELOAD", library, 1);
	execv("/proc/self/exe", (char *const *)argv);
	return -1;
}

/* Return: exit status; there is no program then. */
static int become_program(const struct options *o, const char *library)
{
	int error;

	if (o->calls == CALLS_OUTSIDE)
		exec_self(o, library);
	else
		exec_program(o, library);
	error = errno;
	fail("%s: %s%s", o->emulated ? EMULATOR : o->argv[0], strerror(error),
	     o->emulated ? ": install qemu-user-static" : "");
	return program_status(error);
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
	static char whole[PATH_MAX];
	int ret = 0;

	if (o->sysroot) {
		o->sysroot = whole_path(gl_setup_sysroot(o->sysroot), whole);
		ret = o->sysroot ? 0 : EXIT_USAGE;
	} else {
		ret = gl_setup_default(o->argv[0], &o->sysroot);
	}
	if (ret)
		return ret;
	if (!o->sysroot || has_libraries(o->sysroot, NATIVE))
		return 0;
	o->emulated = has_libraries(o->sysroot, ARM64);
	if (o->emulated)
		return 0;
	return fail("%s: no folder usr/lib/" ARM64 " or usr/lib/" NATIVE, o->sysroot);
}

/*
 * ---- signals that end this process: the program gets them, and its end is waited for ----
 *
 * Those of a terminal go to the program, too, if there is one.
 */

static pid_t program;

static void forward(int number)
{
	if (program)
		kill(program, number);
}

static void ending_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGQUIT);
}

/* Not before there is a program. */
void gl_hold_signals(void)
{
	sigset_t set;

	ending_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

void gl_release_signals(void)
{
	sigset_t set;

	ending_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void forward_signal(int number)
{
	struct sigaction a = { .sa_handler = forward, .sa_flags = SA_RESTART }, was;

	/* as nohup has it */
	if (!sigaction(number, NULL, &was) && was.sa_handler != SIG_IGN)
		sigaction(number, &a, NULL);
}

/* What is held is the program's. */
static void leave_to_program(int number)
{
	sigset_t held;

	if (!sigpending(&held) && sigismember(&held, number) == 1)
		forward(number);
	signal(number, SIG_IGN);
}

void gl_guard(pid_t pid)
{
	program = pid;
	leave_to_program(SIGINT);
	leave_to_program(SIGQUIT);
	forward_signal(SIGTERM);
	forward_signal(SIGHUP);
	gl_release_signals();
}

/* ---- the program's end ---- */

int gl_status_of(int status)
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
			return gl_status_of(status);
	}
}

static int no_library(const struct options *o)
{
	/* reported */
	if (o->library)
		return EXIT_USAGE;
	if (o->emulated)
		return fail("no %s of arm64: install gcc-%s, then \"make userspace\" builds it",
			    LIBRARY, ARM64);
	return fail("no %s beside this command: \"make userspace\" builds it", LIBRARY);
}

/* Why the program has not used the device. */
static void report_unused(const struct options *o)
{
	const struct gl_server *server = &o->server;

	if (!server->files && !o->calls && gl_setup_is_static(o->argv[0]))
		fail("%s is linked statically: use --system-calls", o->argv[0]);
	else if (!server->files)
		fail("the program did not open " GL_DRI GL_RENDER " or " GL_CARD
		     ": it is for another driver or architecture%s",
		     o->calls ? "" : ", or calls the kernel itself: --system-calls");
	else if (server->failed_errno)
		fail("the program opened the device and submitted no job; ioctl 0x%02x failed: %s",
		     server->failed_nr, strerror(server->failed_errno));
	else
		fail("the program opened the device and submitted no job");
}

static void print_summary(const struct gl_server *server)
{
	fprintf(stderr, "vshader gl: %s: %lu jobs, %lu faults", server->name, server->jobs,
		server->faults);
	if (server->rejected)
		fprintf(stderr, ", %lu rejected: %s", server->rejected,
			strerror(server->rejected_errno));
	fputc('\n', stderr);
}

/* Report what the program has done. Return: exit status. */
static int finish(struct options *o, int status)
{
	struct gl_server *server = &o->server;

	pthread_mutex_lock(&server->lock);
	if (!o->quiet)
		print_summary(server);
	if (server->refused)
		fail("%lu of %lu opens of the device were refused", server->refused,
		     server->files);
	if (!status && (server->faults || server->refused || server->rejected))
		status = EXIT_DIFFERS;
	/* an allocator has no jobs; a program may fail because it has not found the device */
	if (!server->jobs && !server->exported && !o->allow_unused &&
	    (!status || (!server->files && status < STATUS_NOT_EXECUTED))) {
		report_unused(o);
		if (!status)
			status = EXIT_DIFFERS;
	}
	pthread_mutex_unlock(&server->lock);
	return status;
}

static int start(struct options *o, const char *library)
{
	int listener = make_socket();
	struct rlimit limit;
	int status;
	pid_t pid;

	if (listener < 0)
		return EXIT_USAGE;
	raise_limit(&limit);
	pid = fork();
	if (pid < 0)
		return fail("fork: %s", strerror(errno));
	if (!pid) {
		setrlimit(RLIMIT_NOFILE, &limit);
		gl_release_signals();
		_exit(become_program(o, library));
	}
	gl_guard(pid);
	status = wait_for(o, listener, pid);
	program = 0;
	close(listener);
	return finish(o, status);
}

/* Before the program, which would see a device without jobs. */
static int check_device(const struct options *o)
{
	struct vshader_device *dev;

	if (open_device(o->server.device, &dev))
		return EXIT_USAGE;
	vshader_close(dev);
	return 0;
}

/* Return: another "vshader gl" around this one sees the system calls. */
static bool are_calls_seen(void)
{
	const char *by = getenv(GL_CALLS_ENV), *server = getenv(GL_SOCKET_ENV);

	return by && server && !strcmp(by, server);
}

/** struct become - arguments of become_program() */
struct become {
	const struct options *o;
	const char *library;
};

static int become(void *p)
{
	const struct become *b = p;

	return become_program(b->o, b->library);
}

/* Processes that share buffers have one server, which knows all fences. */
static int join_server(struct options *o, const char *library)
{
	if (o->server.device || o->server.chip)
		return fail("--gpu and --device are those of the \"vshader gl\" around this one");
	if (o->calls)
		o->calls = CALLS_HERE;
	if (!o->calls || are_calls_seen())
		return become_program(o, library);
	return gl_calls_run(become, &(struct become){ o, library });
}

static int run(struct options *o)
{
	char buf[2 * PATH_MAX];
	const char *library = find_library(o, buf, sizeof(buf));
	int status;

	if (!library)
		return no_library(o);
	if (o->calls && o->emulated)
		return fail("--system-calls: the emulator's system calls are not the program's");
	if (is_inside())
		return join_server(o, library);
	if (!o->server.device)
		o->server.device = "local";
	if (!o->server.chip)
		gl_panfrost_chip(&o->server, "t860");
	status = check_device(o);
	if (status)
		return status;
	gl_hold_signals();
	status = gl_root_create(o->server.interface, o->server.compatible);
	if (status)
		return status;
	status = start(o, library);
	gl_root_remove();
	return status;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "gpu", required_argument, NULL, 'g' },
		{ "device", required_argument, NULL, 'd' },
		{ "library", required_argument, NULL, 'l' },
		{ "sysroot", required_argument, NULL, 's' },
		{ "setup", no_argument, NULL, 'S' },
		{ "system-calls", no_argument, NULL, 'c' },
		{ "allow-unused", no_argument, NULL, 'u' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const char help[] =
"  -g, --gpu CHIP       t760, t860 (default), g31, g52, g71 or g72; lima's mali400, mali400mp1 to\n"
"                       mali400mp4 or mali450; vc4's vc4 or cygnus\n"
"  -d, --device DEVICE  render node that executes, by default in this process (\"local\")\n"
"  -s, --sysroot DIR    use the libraries of this folder; those of arm64 on another machine with\n"
"                       qemu-user; or a suite that was set up\n"
"      --setup [SUITE]  get Debian's Mesa for arm64: bookworm (default), trixie, sid or newest; or\n"
"                       \"built\": bookworm's, compiled for this machine\n"
"  -l, --library FILE   libvshader_gl.so of the program's architecture, by default the one\n"
"                       beside this command\n"
"      --system-calls   for programs that are static or call the kernel themselves: their system\n"
"                       calls are seen too, which makes them slower\n"
"      --allow-unused   a program that submits no job is no failure\n"
"  -q, --quiet          no summary\n";
	int c;

	while ((c = getopt_long(argc, argv, "+g:d:l:s:qh", options, NULL)) != -1) {
		switch (option_once(c, options, NULL)) {
		case 'g':
			if (!gl_panfrost_chip(&o->server, optarg) &&
			    !gl_lima_chip(&o->server, optarg) &&
			    !gl_vc4_chip(&o->server, optarg))
				return fail("no chip \"%s\"; \"vshader gl --help\" has a list",
					    optarg);
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
		case 'S':
			o->setup = true;
			break;
		case 'c':
			o->calls = CALLS_OUTSIDE;
			break;
		case 'u':
			o->allow_unused = true;
			break;
		case 'q':
			o->quiet = true;
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	o->argv = argv + optind;
	if (o->setup)
		return argc - optind > 1 ? usage_error() : 0;
	return optind == argc ? usage_error() : 0;
}

int cmd_gl(int argc, char **argv)
{
	/* threads may still close files of the program when this process ends */
	static struct options o = {
		.server.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int ret;

	ret = parse_options(&o, argc, argv);
	if (!ret && o.setup)
		return gl_setup(o.argv[0]);
	if (!ret)
		ret = check_sysroot(&o);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	return run(&o);
}
