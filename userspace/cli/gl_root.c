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
#define NUMBER		"226:128"
#define PLATFORM	"sys/devices/platform/vshader"
#define MINOR		PLATFORM "/drm/" GL_NODE_NAME

/**
 * struct entry - a file below the folder
 * @path: name; folders end with a slash
 * @text: contents, or NULL
 * @link: target of a symbolic link, or NULL
 *
 * All are formats for the name of the driver and the compatible string.
 */
struct entry {
	const char *path;
	const char *text;
	const char *link;
};

/* Folders before what is in them. */
static const struct entry entries[] = {
	{ "dev/" }, { "dev/dri/" }, { "dev/dri/by-path/" },
	{ "dev/dri/" GL_NODE_NAME, "" },
	{ "dev/dri/by-path/platform-vshader-render", NULL, "../" GL_NODE_NAME },

	{ "sys/" }, { "sys/devices/" }, { "sys/devices/platform/" }, { PLATFORM "/" },
	{ PLATFORM "/uevent",
	  "DRIVER=%1$s\nOF_NAME=gpu\nOF_FULLNAME=/vshader/gpu\n"
	  "OF_COMPATIBLE_0=%2$s\nOF_COMPATIBLE_N=1\nMODALIAS=of:NgpuT(null)C%2$s\n" },
	{ PLATFORM "/subsystem", NULL, "../../../bus/platform" },
	{ PLATFORM "/driver", NULL, "../../../bus/platform/drivers/%1$s" },
	{ PLATFORM "/drm/" }, { MINOR "/" },
	{ MINOR "/dev", NUMBER "\n" },
	{ MINOR "/uevent",
	  "MAJOR=226\nMINOR=128\nDEVNAME=dri/" GL_NODE_NAME "\nDEVTYPE=drm_minor\n" },
	{ MINOR "/device", NULL, "../../../vshader" },
	{ MINOR "/subsystem", NULL, "../../../../../class/drm" },

	{ "sys/bus/" }, { "sys/bus/platform/" },
	{ "sys/bus/platform/devices/" }, { "sys/bus/platform/drivers/" },
	{ "sys/bus/platform/drivers/%1$s/" },
	{ "sys/bus/platform/devices/vshader", NULL, "../../../devices/platform/vshader" },
	{ "sys/bus/platform/drivers/%1$s/vshader", NULL,
	  "../../../../devices/platform/vshader" },

	{ "sys/class/" }, { "sys/class/drm/" },
	{ "sys/class/drm/version", "drm 1.1.0 20060810\n" },
	{ "sys/class/drm/" GL_NODE_NAME, NULL,
	  "../../devices/platform/vshader/drm/" GL_NODE_NAME },
	{ "sys/dev/" }, { "sys/dev/char/" },
	{ "sys/dev/char/" NUMBER, NULL, "../../devices/platform/vshader/drm/" GL_NODE_NAME },
};

static char root[PATH_MAX];

static int write_text(const char *path, const char *format, const char *driver,
		      const char *compatible)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fprintf(file, format, driver, compatible);
	return fclose(file);
}

static int make_entry(const struct entry *e, const char *driver, const char *compatible)
{
	char name[PATH_MAX], path[2 * PATH_MAX], link[PATH_MAX];

	snprintf(name, sizeof(name), e->path, driver, compatible);
	snprintf(path, sizeof(path), "%s/%s", root, name);
	if (e->link) {
		snprintf(link, sizeof(link), e->link, driver, compatible);
		return symlink(link, path);
	}
	return e->text ? write_text(path, e->text, driver, compatible) : mkdir(path, 0755);
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

int gl_root_create(const char *driver, const char *compatible)
{
	const char *temporary = getenv("TMPDIR") ?: "/tmp";
	/* the program may change to another folder */
	char *whole = realpath(temporary, NULL);
	unsigned int i;

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
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (make_entry(&entries[i], driver, compatible)) {
			fail("%s/%s: %s", root, entries[i].path, strerror(errno));
			gl_root_remove();
			return EXIT_USAGE;
		}
	}
	return setenv(GL_ROOT_ENV, root, 1) || setenv(GL_DRIVER_ENV, driver, 1) ? EXIT_USAGE : 0;
}
