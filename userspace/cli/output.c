// SPDX-License-Identifier: MIT
/*
 * Files that commands write. Errors of writing are found when they are closed.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "jobfile_json.h"
#include "output.h"

#define DEFAULT_MODE	0666
#define MAX_MESSAGE	(PATH_MAX + 256)
#define MAX_TEMPORARIES	8	/* that a signal removes */

/* Files that have been written, by name. */
static struct {
	char **names;
	size_t n;
} written;

/* Temporary files that are being written; names, for the handler of signals. */
static char *_Atomic temporaries[MAX_TEMPORARIES];

static int oops(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int oops(struct output *o, const char *fmt, ...)
{
	char text[MAX_MESSAGE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return o->report ? o->report(o->arg, text) : fail("%s", text);
}

static bool is_written(const char *name)
{
	size_t i;

	for (i = 0; i < written.n; i++) {
		if (!strcmp(written.names[i], name))
			return true;
	}
	return false;
}

static int remember(char *name)
{
	char **more = reallocarray(written.names, written.n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	written.names = more;
	written.names[written.n++] = name;
	return 0;
}

/* The name without symbolic links, whether there is such a file or not. */
static char *resolve(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *real = realpath(path, NULL), *folder, *name;

	if (real || errno != ENOENT)
		return real;
	folder = slash ? strndup(path, slash - path + 1) : strdup(".");
	real = folder ? realpath(folder, NULL) : NULL;
	free(folder);
	if (!real || asprintf(&name, "%s/%s", real, slash ? slash + 1 : path) < 0)
		name = NULL;
	free(real);
	return name;
}

static int check_input(struct output *o, const struct stat *st)
{
	return jf_is_input(st) ? oops(o, "%s: input and output are one file", o->path) : 0;
}

/* The permissions of the file that is replaced, or those of a new one. */
static void set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	if (old) {
		fchmod(fd, old->st_mode & 07777);
		return;
	}
	mask = umask(0);
	umask(mask);
	fchmod(fd, DEFAULT_MODE & ~mask);
}

/* ---- temporary files, which a signal that ends the command removes ---- */

static void remove_temporaries(int number)
{
	unsigned int i;

	for (i = 0; i < MAX_TEMPORARIES; i++) {
		if (temporaries[i])
			unlink(temporaries[i]);
	}
	/* by the default action, when this returns */
	raise(number);
}

/* Catch signals that end the command, and hold them until @was is the mask again. */
static void hold_signals(sigset_t *was)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction a = { .sa_handler = remove_temporaries, .sa_flags = SA_RESETHAND }, old;
	sigset_t held;
	unsigned int i;

	sigemptyset(&held);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		/* nohup ignores some, the debugger has handlers of its own */
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &a, NULL);
		sigaddset(&held, numbers[i]);
	}
	pthread_sigmask(SIG_BLOCK, &held, was);
}

/* Of the list: @name takes the place of @old, one of them NULL. */
static void exchange(const char *old, char *name)
{
	unsigned int i;

	for (i = 0; i < MAX_TEMPORARIES; i++) {
		if (temporaries[i] == old) {
			temporaries[i] = name;
			return;
		}
	}
}

static FILE *make_temporary(char *name, const struct stat *old)
{
	int fd = mkostemp(name, O_CLOEXEC);
	FILE *f;

	if (fd < 0)
		return NULL;
	set_mode(fd, old);
	f = fdopen(fd, "wb");
	if (f) {
		exchange(NULL, name);
		return f;
	}
	close(fd);
	unlink(name);
	return NULL;
}

/* A file beside the target, if the folder takes one. */
static void open_temporary(struct output *o, const struct stat *old)
{
	sigset_t was;

	if (asprintf(&o->temporary, "%s.XXXXXX", o->target) < 0) {
		o->temporary = NULL;
		return;
	}
	/* a signal finds no file, or one that is in the list */
	hold_signals(&was);
	o->f = make_temporary(o->temporary, old);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (!o->f) {
		free(o->temporary);
		o->temporary = NULL;
	}
}

static void forget(struct output *o)
{
	if (o->temporary)
		exchange(o->temporary, NULL);
	free(o->target);
	free(o->temporary);
	o->f = NULL;
	o->target = NULL;
	o->temporary = NULL;
}

/* Begin a file that is to replace this one, if it can be replaced. Return: 0 or an error. */
static int open_target(struct output *o, const struct stat *old)
{
	o->target = resolve(o->path);
	if (!o->target)
		return oops(o, "%s: %s", o->path, strerror(errno));
	if (!o->report && is_written(o->target)) {
		forget(o);
		return oops(o, "%s: another output of this command is written there",
			    o->path);
	}
	if (!old || !access(o->target, W_OK))
		open_temporary(o, old);
	return 0;
}

static int open_file(struct output *o)
{
	const char *path = o->path;
	struct stat st, link;
	bool exists;
	int ret;

	if (!*path)
		return oops(o, "the name of an output is empty");
	exists = !stat(path, &st);
	ret = exists ? check_input(o, &st) : 0;
	if (ret)
		return ret;
	/* a link without its file is not replaced: the file is made */
	if (exists ? S_ISREG(st.st_mode) : lstat(path, &link) || !S_ISLNK(link.st_mode)) {
		ret = open_target(o, exists ? &st : NULL);
		if (ret || o->f)
			return ret;
	}
	/* a device, a pipe, a link, or a folder that takes no new files */
	o->f = fopen(path, "wbe");
	if (o->f)
		return 0;
	ret = errno;
	forget(o);
	return oops(o, "%s: %s", path, strerror(ret));
}

int output_open(struct output *o, const char *path)
{
	*o = (struct output){ .path = path };
	if (path && strcmp(path, "-"))
		return open_file(o);
	o->f = stdout;
	return 0;
}

int output_open_to(struct output *o, const char *path, output_report report, void *arg)
{
	*o = (struct output){ .path = path, .report = report, .arg = arg };
	return open_file(o);
}

/* Put the file in place. Inputs that were read in the meantime count, too. */
static int replace(struct output *o)
{
	struct stat st;
	int ret = stat(o->target, &st) ? 0 : check_input(o, &st);

	if (!ret && rename(o->temporary, o->target))
		ret = oops(o, "%s: %s", o->path, strerror(errno));
	return ret;
}

int output_close(struct output *o, int status)
{
	bool failed = o->report ? status : status >= EXIT_USAGE;
	int ret = 0, error;

	if (!o->f || o->f == stdout)
		return status;
	error = ferror(o->f) ? errno : 0;
	if (fclose(o->f) && !error)
		error = errno;
	if (error)
		ret = oops(o, "%s: %s", o->path, strerror(error));
	failed |= !!ret;
	if (o->temporary) {
		if (!failed)
			ret = replace(o);
		if (failed || ret)
			unlink(o->temporary);
	}
	if (!failed && !ret && !o->report && o->target && !remember(o->target))
		o->target = NULL;
	forget(o);
	if (o->report)
		return status ? status : ret;
	return ret > status ? ret : status;
}

static bool has_control(const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	return *text;
}

int output_name(const char *folder, const char *name)
{
	if (*name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..") &&
	    !has_control(name))
		return 0;
	return fail("%s: \"%s\" cannot be the name of a file there", folder, name);
}
