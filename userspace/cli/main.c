// SPDX-License-Identifier: MIT
/*
 * The vshader command: sub-commands and shared helpers.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli_isa.h"
#include "jobfile_json.h"

#define HELP_WIDTH	86
#define NOT_FOUND	127	/* statuses of programs, as a shell has them */
#define NOT_EXECUTABLE	126
#define MAX_OPTIONS	32	/* with values, of a command */

/* why there is no "vshader gl" */
#define VSHADER_NO_GL	"panfrost_drm.h was missing; install linux-headers-amd64 and build with " \
			"KHDR=, the folder include/uapi of its headers"

const struct command commands[] = {
	{ "info", "[--device DEV] [--json]", "devices, engines, limits, numeric models", cmd_info },
	{ "run", "[OPTIONS] JOB.json...", "run job files, print and compare results", cmd_run },
	{ "test", "[OPTIONS] DIR|JOB.json...", "run job files with expectations, print TAP",
	  cmd_test },
	{ "diff", "[OPTIONS] A B", "compare two runs or two pictures", cmd_diff },
	{ "disasm", "[OPTIONS] FILE|-", "disassemble a program", cmd_disasm },
	{ "asm", "[OPTIONS] FILE...|-", "assemble a program", cmd_asm },
	{ "verify", "[OPTIONS] FILE|-", "run the driver's verifier on a program", cmd_verify },
	{ "debug", "[OPTIONS] JOB.json", "debugger: breakpoints, stepping, registers, memory",
	  cmd_debug },
	{ "trace", "[OPTIONS] JOB.json", "record the instructions that jobs execute", cmd_trace },
	{ "dump", "[OPTIONS] FILE|-", "decode the dump of a fault", cmd_dump },
	{ "record", "[OPTIONS] [--] COMMAND...", "run a command, write its jobs as job files",
	  cmd_record },
#ifdef VSHADER_GL
	{ "gl", "[OPTIONS] [--] PROGRAM...",
	  "run a program whose DRM driver is panfrost's, lima's or vc4's", cmd_gl },
#endif
	{ "vm", "--gpu GPU [OPTIONS] [--] [COMMAND...]",
	  "arm64 kernel in QEMU, its GPU driver on a register model", cmd_vm },
	{ "bench", "[OPTIONS]", "fixed workloads and latencies", cmd_bench },
};

const unsigned int num_commands = sizeof(commands) / sizeof(commands[0]);

static const struct command *running;

void print_error(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return;
	jf_mask(copy);
	fprintf(stderr, "%s\n", copy);
	free(copy);
}

int fail(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	fflush(stdout);
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	fprintf(stderr, "vshader%s%s: ", running ? " " : "", running ? running->name : "");
	print_error(n < 0 ? fmt : text);
	if (n >= 0)
		free(text);
	return EXIT_USAGE;
}

const char *safe_name(const char *name)
{
	static char *copy;
	char *p;

	free(copy);
	copy = strdup(name);
	if (!copy)
		return "?";
	jf_mask(copy);
	for (p = copy; *p; p++) {
		if (*p == '\n' || *p == '\t')
			*p = '?';
	}
	return copy;
}

/*
 * A file that the command opens must not get the number of a closed standard stream: such a
 * stream becomes one that fails.
 */
static void open_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}

static void nothing(int number)
{
	(void)number;
}

/*
 * Writing beyond the limit of a file's size is an error like others. Programs that the command
 * starts have the default again.
 */
static void handle_signals(void)
{
	struct sigaction a = { .sa_handler = nothing, .sa_flags = SA_RESTART };

	sigaction(SIGXFSZ, &a, NULL);
}

/*
 * Nothing a command prints may be lost: a full disk or a closed stream is an error whatever the
 * command returned.
 */
static int close_output(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	/* the stream does not know any more why it failed: a further byte fails as well */
	if (failed && write(STDOUT_FILENO, "\n", 1) == 1)
		errno = 0;
	failed |= fclose(stdout) != 0;
	if (!failed)
		return status;
	fail("standard output: %s", errno ? strerror(errno) : "write error");
	return status > EXIT_USAGE ? status : EXIT_USAGE;
}

int usage_error(void)
{
	fprintf(stderr, "usage: vshader %s %s\n", running->name, running->args);
	fprintf(stderr, "Try \"vshader %s --help\".\n", running->name);
	return EXIT_USAGE;
}

int option_once(int code, const struct option *options, const int *many)
{
	static struct {
		int code;
		const char *value;
	} seen[MAX_OPTIONS];
	unsigned int i;

	while (many && *many && *many != code)
		many++;
	if (code == -1 || code == '?' || (many && *many))
		return code;
	while (options->name && options->val != code)
		options++;
	if (!options->name || options->has_arg != required_argument)
		return code;
	for (i = 0; i < MAX_OPTIONS && seen[i].value && seen[i].code != code; i++)
		;
	if (i < MAX_OPTIONS && seen[i].value) {
		fail("--%s is given twice: \"%s\", \"%s\"", options->name, seen[i].value, optarg);
		return '?';
	}
	if (i < MAX_OPTIONS) {
		seen[i].code = code;
		seen[i].value = optarg;
	}
	return code;
}

int refuse_stdout(const char *option, const char *path)
{
	return strcmp(path, "-") ? 0 : fail("%s -: cannot be standard output", option);
}

int parse_limited(const char *option, const char *text, unsigned long lo, unsigned long hi,
		  unsigned long *out)
{
	char *end;

	errno = 0;
	*out = strtoul(text, &end, 10);
	/* strtoul() takes blanks and signs */
	if (*text < '0' || *text > '9' || *end || errno || *out < lo || *out > hi)
		return fail("%s %s: expected %lu to %lu", option, text, lo, hi);
	return 0;
}

int program_status(int error)
{
	return error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

int print_help(const char *options)
{
	printf("usage: vshader %s %s\n\n%s\n\n%s", running->name, running->args, running->text,
	       options);
	return EXIT_OK;
}

void print_wrapped(unsigned int indent, const char *fmt, ...)
{
	unsigned int at = indent, n;
	const char *p, *end;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (p = text; *p; p = end + (*end == ' ')) {
		end = strchrnul(p, ' ');
		n = (unsigned int)(end - p);
		if (at > indent && at + 1 + n > HELP_WIDTH) {
			printf("\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		for (; p < end; p++)
			putchar(*p == '~' ? ' ' : *p);
		at += n;
	}
	putchar('\n');
}

static int print_overview(FILE *f)
{
	unsigned int i;

	fprintf(f, "usage: vshader COMMAND [OPTIONS] ...\n\n"
		"Runs programs of GPU instruction sets on the vshader device, or in this\n"
		"process with --device local.\n\ncommands:\n");
	for (i = 0; i < num_commands; i++)
		fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].text);
	fprintf(f, "  %-8s %s\n", "help", "help for all commands or one of them");
	fprintf(f, "\nExit status: 0 all as expected, 1 a result differs or a job faulted\n"
		"unexpectedly, 2 bad usage or input.\n");
	return EXIT_OK;
}

static const struct command *find_command(const char *name)
{
	unsigned int i;

	for (i = 0; i < num_commands; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

/* getopt_long() starts its messages with the first argument. */
static int run_command(int argc, char **argv)
{
	static char name[40];

	snprintf(name, sizeof(name), "vshader %s", running->name);
	argv[0] = name;
	return running->run(argc, argv);
}

static int unknown_command(const char *name)
{
#ifndef VSHADER_GL
	if (!strcmp(name, "gl"))
		return fail("this build has no gl: %s", VSHADER_NO_GL);
#endif
	if (*name == '-' && name[1])
		return fail("unknown option \"%s\": options follow the command",
			    name);
	return fail("unknown command \"%s\"; try \"vshader help\"", name);
}

static int show_help(int argc, char **argv)
{
	char option[8] = "--help";
	char *args[3] = { NULL, option, NULL };

	if (argc < 2)
		return print_overview(stdout);
	if (argc > 2)
		return fail("help takes one command, not %d", argc - 1);
	if (!strcmp(argv[1], "help"))
		return print_overview(stdout);
	running = find_command(argv[1]);
	if (!running)
		return unknown_command(argv[1]);
	return run_command(2, args);
}

static int run_main(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		if (argc > 2)
			return fail("%s takes no arguments", argv[1]);
		printf("vshader %s\n", vshader_version());
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return show_help(argc - 1, argv + 1);
	running = find_command(argv[1]);
	if (!running)
		return unknown_command(argv[1]);
	return run_command(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	open_streams();
	handle_signals();
	return close_output(run_main(argc, argv));
}

int open_device(const char *spec, struct vshader_device **dev)
{
	if (vshader_open(spec, dev))
		return fail("%s", vshader_error());
	return 0;
}

/* Instruction sets of a GPU or family called @name, as options; NULL: there are none. */
static const char *isa_hint(const char *name, char *buf, size_t size)
{
	const char *dash = strrchr(name, '-'), *gpu = dash ? dash + 1 : name;
	const char * const *n;
	size_t len = 0;
	uint32_t i;

	/* "VENDOR-GPU" is a GPU, too */
	buf[0] = 0;
	for (i = 0; i < JF_MAX_ISAS; i++) {
		for (n = cli_isa_of(i)->names; n && *n; n++) {
			if (strcasecmp(*n, gpu) || len >= size)
				continue;
			len += (size_t)snprintf(buf + len, size - len, "%s--isa %s",
						len ? " or " : "", vshader_engine_name(i));
		}
	}
	return len ? buf : NULL;
}

int parse_isa(const char *name)
{
	int engine = vshader_engine_by_name(name);
	char hint[100];

	if (engine >= 0)
		return engine;
	if (isa_hint(name, hint, sizeof(hint)))
		fail("\"%s\" is not an instruction set; its programs are those of %s", name, hint);
	else
		fail("%s", vshader_error());
	return engine;
}

/* ---- input ---- */

/* Input read ahead by peek_input(); pipes can be read once. */
static struct {
	const char *path;
	uint8_t *data;
	size_t len;
} ahead;

int peek_input(const char *path, const uint8_t **data, size_t *len)
{
	int ret = read_input(path, &ahead.data, &ahead.len);

	if (ret)
		return ret;
	ahead.path = path;
	*data = ahead.data;
	*len = ahead.len;
	return 0;
}

int read_input(const char *path, uint8_t **data, size_t *len)
{
	struct stat st;
	int ret;

	if (ahead.path && !strcmp(ahead.path, path)) {
		ahead.path = NULL;
		*data = ahead.data;
		*len = ahead.len;
		return 0;
	}
	ret = jf_read_argument(path, JF_MAX_FILE, data, len);
	if (ret)
		return fail("%s: %s", path, strerror(-ret));
	/* ">>" of the file itself */
	if (!fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode) && jf_is_input(&st)) {
		free(*data);
		return fail("%s: input and output are one file", path);
	}
	return 0;
}

/* ---- JSON ---- */

static struct json_object *must(struct json_object *o)
{
	if (!o)
		abort();
	return o;
}

/* Names of files may be any bytes, JSON is UTF-8. */
static struct json_object *new_string(const char *s)
{
	char *copy = strdup(s), *p;
	struct json_object *o;
	unsigned int n;

	if (!copy)
		abort();
	for (p = copy; *p; p += n ? n : 1) {
		n = (uint8_t)*p < 0x80 ? 1 : utf8_len((const uint8_t *)p);
		if (!n)
			*p = '?';
	}
	o = must(json_object_new_string(copy));
	free(copy);
	return o;
}

void js_str(struct json_object *o, const char *key, const char *s)
{
	json_object_object_add(o, key, s ? new_string(s) : NULL);
}

void js_int(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, must(json_object_new_uint64(n)));
}

void js_num(struct json_object *o, const char *key, double d)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6g", d);
	json_object_object_add(o, key, must(json_object_new_double_s(d, text)));
}

void js_bool(struct json_object *o, const char *key, bool b)
{
	json_object_object_add(o, key, must(json_object_new_boolean(b)));
}

struct json_object *js_array(struct json_object *o, const char *key)
{
	struct json_object *a = must(json_object_new_array());

	json_object_object_add(o, key, a);
	return a;
}

struct json_object *js_object(struct json_object *o, const char *key)
{
	struct json_object *a = must(json_object_new_object());

	json_object_object_add(o, key, a);
	return a;
}

struct json_object *js_bits(const uint8_t *p, uint32_t n)
{
	struct json_object *a = json_object_new_array();
	char text[16];
	uint32_t i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "0x%08x", jf_load(JF_U32, p + 4 * i));
		json_object_array_add(a, json_object_new_string(text));
	}
	return a;
}

void js_line(struct json_object *o)
{
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	fflush(stdout);
}

void js_print(struct json_object *o)
{
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}
