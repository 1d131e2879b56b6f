// SPDX-License-Identifier: MIT
/*
 * Folders: those below the folder of "vshader gl" have the names that they have on a board, and the
 * node in them is a device.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gl_preload.h"
#include "gl_proto.h"

#define IN_ROOT(path)	gl_redirect(AT_FDCWD, path, (char[PATH_MAX]){ 0 })
#define FOLLOWED(path)	gl_follow(AT_FDCWD, path, (char[PATH_MAX]){ 0 })

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "64-bit inode numbers");

EXPORT DIR *opendir(const char *path)
{
	return NEXT(opendir)(FOLLOWED(path));
}

EXPORT struct dirent *readdir(DIR *dir)
{
	struct dirent *e = NEXT(readdir)(dir);

	if (e && e->d_type == DT_REG && gl_is_node_entry(dirfd(dir), e->d_name))
		e->d_type = DT_CHR;
	return e;
}

EXPORT struct dirent64 *readdir64(DIR *dir)
{
	return (struct dirent64 *)readdir(dir);
}

/* ---- scandir() ---- */

typedef int (*filter_fn)(const struct dirent *e);
typedef int (*compare_fn)(const struct dirent **a, const struct dirent **b);

static struct dirent *copy_entry(const struct dirent *e)
{
	struct dirent *copy = malloc(e->d_reclen);

	return copy ? memcpy(copy, e, e->d_reclen) : NULL;
}

/* Return: number of entries, or -1 with errno. */
static int read_entries(DIR *dir, struct dirent ***list, filter_fn filter)
{
	struct dirent **all = NULL, **more, *e;
	int n = 0;

	errno = 0;
	while ((e = readdir(dir))) {
		if (filter && !filter(e))
			continue;
		more = reallocarray(all, n + 1, sizeof(*all));
		if (!more)
			break;
		all = more;
		all[n] = copy_entry(e);
		if (!all[n])
			break;
		n++;
	}
	/* a filter may set errno */
	if (!e) {
		*list = all;
		return n;
	}
	while (n--)
		free(all[n]);
	free(all);
	errno = ENOMEM;
	return -1;
}

EXPORT int scandir(const char *path, struct dirent ***list, filter_fn filter, compare_fn compare)
{
	DIR *dir = opendir(path);
	int n, saved;

	if (!dir)
		return -1;
	n = read_entries(dir, list, filter);
	saved = errno;
	closedir(dir);
	errno = saved;
	if (n > 0 && compare)
		qsort(*list, n, sizeof(**list), (int (*)(const void *, const void *))compare);
	return n;
}

EXPORT int scandir64(const char *path, struct dirent64 ***list,
		     int (*filter)(const struct dirent64 *),
		     int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	return scandir(path, (struct dirent ***)list, (filter_fn)filter, (compare_fn)compare);
}

/* ---- glob() ---- */

static int stat_path(const char *path, struct stat *st)
{
	return stat(path, st);
}

static int lstat_path(const char *path, struct stat *st)
{
	return lstat(path, st);
}

/* The C library's functions find files by themselves, unless they are given others. */
EXPORT int glob(const char *pattern, int flags, int (*error)(const char *path, int err), glob_t *g)
{
	if (!(flags & GLOB_ALTDIRFUNC)) {
		g->gl_opendir = (void *)opendir;
		g->gl_readdir = (void *)readdir;
		g->gl_closedir = (void *)closedir;
		g->gl_stat = stat_path;
		g->gl_lstat = lstat_path;
	}
	return NEXT(glob)(pattern, flags | GLOB_ALTDIRFUNC, error, g);
}

EXPORT int glob64(const char *pattern, int flags, int (*error)(const char *path, int err),
		  glob64_t *g)
{
	return glob(pattern, flags, error, (glob_t *)g);
}

/* ---- nftw() ---- */

static __thread __nftw_func_t visitor;
static __thread __ftw_func_t old_visitor;

/* The callback gets a path without the folder, and the node as a device. */
static int visit(const char *path, const struct stat *st, int type, struct FTW *f)
{
	size_t n = strlen(path);
	char name[PATH_MAX];
	struct FTW own = *f;
	struct stat real;

	if (n >= sizeof(name))
		return 0;
	memcpy(name, path, n + 1);
	gl_outside(name);
	own.base -= n - strlen(name);
	if (lstat(name, &real) || !S_ISCHR(real.st_mode))
		real = *st;
	return visitor ? visitor(name, &real, type, &own) : old_visitor(name, &real, type);
}

/* Another path than the folder's is the C library's. */
EXPORT int nftw(const char *path, __nftw_func_t fn, int descriptors, int flags)
{
	const char *at = IN_ROOT(path);
	__nftw_func_t was = visitor;
	int ret;

	if (at == path)
		return NEXT(nftw)(path, fn, descriptors, flags);
	visitor = fn;
	ret = NEXT(nftw)(at, visit, descriptors, flags);
	visitor = was;
	return ret;
}

EXPORT int ftw(const char *path, __ftw_func_t fn, int descriptors)
{
	const char *at = IN_ROOT(path);
	__nftw_func_t was = visitor;
	__ftw_func_t was_old = old_visitor;
	int ret;

	if (at == path)
		return NEXT(ftw)(path, fn, descriptors);
	visitor = NULL;
	old_visitor = fn;
	ret = NEXT(nftw)(at, visit, descriptors, 0);
	visitor = was;
	old_visitor = was_old;
	return ret;
}

EXPORT int nftw64(const char *path, __nftw64_func_t fn, int descriptors, int flags)
{
	return nftw(path, (__nftw_func_t)fn, descriptors, flags);
}

EXPORT int ftw64(const char *path, __ftw64_func_t fn, int descriptors)
{
	return ftw(path, (__ftw_func_t)fn, descriptors);
}

/* ---- the current folder ---- */

EXPORT int chdir(const char *path)
{
	return NEXT(chdir)(FOLLOWED(path));
}

EXPORT char *getcwd(char *buf, size_t size)
{
	char path[PATH_MAX], *out;

	if (!NEXT(getcwd)(path, sizeof(path)))
		return NULL;
	gl_outside(path);
	if (!buf)
		return size && strlen(path) >= size ? (errno = ERANGE, NULL) : strdup(path);
	out = strlen(path) < size ? strcpy(buf, path) : NULL;
	if (!out)
		errno = size ? ERANGE : EINVAL;
	return out;
}

EXPORT char *get_current_dir_name(void)
{
	return getcwd(NULL, 0);
}
