// SPDX-License-Identifier: MIT
/*
 * vshader gl: the folder with the files of /dev and /sys that describe the device, as libdrm, GBM
 * and Mesa read them. The preloaded library gives these files their names (gl_path.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl.h"

#define PREFIX		"vshader-gl-"
#define LOCK		"lock"	/* locked while the folder is in use */
#define PLATFORM	"sys/devices/platform/" GL_DEVICE

/**
 * struct entry - a file below the folder
 * @path: name; folders end with a slash
 * @text: contents, or NULL
 * @link: target of a symbolic link, or NULL
 *
 * A "%" and a letter stand for one of &struct names.
 */
struct entry {
	const char *path;
	const char *text;
	const char *link;
};

/* Folders before what is in them. */
static const struct entry entries[] = {
	{ "dev/" }, { "dev/dri/" }, { "dev/dri/by-path/" }, { "dev/char/" },

	{ "sys/" }, { "sys/devices/" }, { "sys/devices/platform/" }, { PLATFORM "/" },
	{ PLATFORM "/uevent",
	  "DRIVER=%D\nOF_NAME=gpu\nOF_FULLNAME=/vshader/gpu\n"
	  "OF_COMPATIBLE_0=%C\nOF_COMPATIBLE_N=1\nMODALIAS=of:NgpuT(null)C%C\n" },
	{ PLATFORM "/subsystem", NULL, "../../../bus/platform" },
	{ PLATFORM "/driver", NULL, "../../../bus/platform/drivers/%D" },
	{ PLATFORM "/drm/" },

	{ "sys/bus/" }, { "sys/bus/platform/" },
	{ "sys/bus/platform/devices/" }, { "sys/bus/platform/drivers/" },
	{ "sys/bus/platform/drivers/%D/" },
	{ "sys/bus/platform/devices/" GL_DEVICE, NULL, "../../../devices/platform/" GL_DEVICE },
	{ "sys/bus/platform/drivers/%D/" GL_DEVICE, NULL,
	  "../../../../devices/platform/" GL_DEVICE },

	{ "sys/class/" }, { "sys/class/drm/" },
	{ "sys/class/drm/version", "drm 1.1.0 20060810\n" },
	{ "sys/dev/" }, { "sys/dev/char/" },
};

/* Those of each node. */
static const struct entry node_entries[] = {
	{ "dev/dri/%N", "" },
	{ "dev/dri/by-path/platform-" GL_DEVICE "-%K", NULL, "../%N" },
	{ "dev/char/226:%M", NULL, "../dri/%N" },
	{ PLATFORM "/drm/%N/" },
	{ PLATFORM "/drm/%N/dev", "226:%M\n" },
	{ PLATFORM "/drm/%N/uevent",
	  "MAJOR=226\nMINOR=%M\nDEVNAME=dri/%N\nDEVTYPE=drm_minor\n" },
	{ PLATFORM "/drm/%N/device", NULL, "../../../" GL_DEVICE },
	{ PLATFORM "/drm/%N/subsystem", NULL, "../../../../../class/drm" },
	{ "sys/class/drm/%N", NULL, "../../devices/platform/" GL_DEVICE "/drm/%N" },
	{ "sys/dev/char/226:%M", NULL, "../../devices/platform/" GL_DEVICE "/drm/%N" },
};

/**
 * struct names - what entries have in place of letters
 * @driver: %D, the kernel driver
 * @compatible: %C, of the device tree
 * @node: %N, file name
 * @kind: %K, "render" or "card"
 * @minor: %M, its number
 */
struct names {
	const char *driver;
	const char *compatible;
	const char *node;
	const char *kind;
	char minor[12];
};

static char root[PATH_MAX];

static const char *get_name(char letter, const struct names *n)
{
	switch (letter) {
	case 'D':
		return n->driver;
	case 'C':
		return n->compatible;
	case 'N':
		return n->node;
	case 'K':
		return n->kind;
	default:
		return n->minor;
	}
}

/* Not by printf(): glibc's, with _FORTIFY_SOURCE, refuses formats that leave an argument out. */
static void expand(char *to, size_t size, const char *text, const struct names *n)
{
	size_t at = 0, length;
	const char *part;

	while (*text && at < size - 1) {
		part = text;
		length = 1;
		if (*text == '%' && text[1]) {
			part = get_name(*++text, n);
			length = strlen(part);
		}
		text++;
		if (length > size - 1 - at)
			length = size - 1 - at;
		memcpy(to + at, part, length);
		at += length;
	}
	to[at] = 0;
}

static int write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fputs(text, file);
	return fclose(file);
}

/* Return: 0 or EXIT_USAGE, reported. */
static int make_entry(const struct entry *e, const struct names *names)
{
	char name[PATH_MAX], path[2 * PATH_MAX], text[PATH_MAX];
	int ret;

	expand(name, sizeof(name), e->path, names);
	snprintf(path, sizeof(path), "%s/%s", root, name);
	expand(text, sizeof(text), e->link ?: e->text ?: "", names);
	if (e->link)
		ret = symlink(text, path);
	else
		ret = e->text ? write_text(path, text) : mkdir(path, 0755);
	return ret ? fail("%s: %s", path, strerror(errno)) : 0;
}

/* The lock file appears with its name when it is locked. It is closed by the end of the process. */
static int make_lock(void)
{
	char path[2 * PATH_MAX], name[2 * PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" LOCK ".new", root);
	snprintf(name, sizeof(name), "%s/" LOCK, root);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	return flock(fd, LOCK_EX) || rename(path, name);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Remove a folder of this user whose process was killed. */
static void remove_stale(const char *temporary, const char *name)
{
	char path[2 * PATH_MAX], lock[2 * PATH_MAX + sizeof("/" LOCK)];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", temporary, name);
	snprintf(lock, sizeof(lock), "%s/" LOCK, path);
	if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return;
	fd = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		remove_folder(path);
	close(fd);
}

static void remove_all_stale(const char *temporary)
{
	DIR *dir = opendir(temporary);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (!strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			remove_stale(temporary, e->d_name);
	}
	if (dir)
		closedir(dir);
}

/* In another process: connections and buffers may hold all descriptors that this one may have. */
void gl_root_remove(void)
{
	pid_t pid;

	if (!*root)
		return;
	pid = fork();
	if (!pid) {
		close_range(3, ~0U, 0);
		remove_folder(root);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		remove_folder(root);
	*root = 0;
}

/* The program may become another user. Return: 0 or EXIT_USAGE, reported. */
static int make_entries(const char *driver, const char *compatible)
{
	static const char * const kinds[GL_NODES] = { "render", "card" };
	struct names names = { driver, compatible, "", "", "" };
	unsigned int i, node;
	int ret = 0;

	if (chmod(root, 0755))
		return fail("%s: %s", root, strerror(errno));
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]) && !ret; i++)
		ret = make_entry(&entries[i], &names);
	for (node = 0; node < GL_NODES; node++) {
		names.node = gl_nodes[node].name;
		snprintf(names.minor, sizeof(names.minor), "%u", gl_nodes[node].minor);
		names.kind = kinds[node];
		for (i = 0; i < sizeof(node_entries) / sizeof(node_entries[0]) && !ret; i++)
			ret = make_entry(&node_entries[i], &names);
	}
	return ret;
}

int gl_root_create(const char *driver, const char *compatible)
{
	const char *temporary = getenv("TMPDIR") ?: "/tmp";
	/* the program may change to another folder */
	char *whole = realpath(temporary, NULL);
	mode_t was;
	int ret;

	remove_all_stale(temporary);
	snprintf(root, sizeof(root), "%s/" PREFIX "XXXXXX", whole ?: temporary);
	free(whole);
	if (!mkdtemp(root)) {
		fail("%s: %s", root, strerror(errno));
		*root = 0;
		return EXIT_USAGE;
	}
	if (make_lock()) {
		fail("%s/" LOCK ": %s", root, strerror(errno));
		gl_root_remove();
		return EXIT_USAGE;
	}
	was = umask(022);
	ret = make_entries(driver, compatible);
	umask(was);
	if (ret) {
		gl_root_remove();
		return ret;
	}
	return setenv(GL_ROOT_ENV, root, 1) || setenv(GL_DRIVER_ENV, driver, 1) ? EXIT_USAGE : 0;
}
