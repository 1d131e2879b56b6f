// SPDX-License-Identifier: MIT
/*
 * Files that are read: the job file, and those that it names. Each is remembered, so that no
 * output replaces it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jobfile_json.h"

#define FIRST_ROOM	65536U

static struct {
	struct {
		dev_t dev;
		ino_t ino;
	} *files;
	size_t n;
} inputs;

bool jf_is_input(const struct stat *st)
{
	size_t i;

	for (i = 0; i < inputs.n; i++) {
		if (inputs.files[i].dev == st->st_dev && inputs.files[i].ino == st->st_ino)
			return true;
	}
	return false;
}

static int remember(const struct stat *st)
{
	void *more;

	if (!S_ISREG(st->st_mode) || jf_is_input(st))
		return 0;
	more = reallocarray(inputs.files, inputs.n + 1, sizeof(*inputs.files));
	if (!more)
		return -ENOMEM;
	inputs.files = more;
	inputs.files[inputs.n].dev = st->st_dev;
	inputs.files[inputs.n++].ino = st->st_ino;
	return 0;
}

/* Read to the end, with room for a NUL. */
static int read_all(int fd, size_t room, size_t max, uint8_t **data, size_t *len)
{
	uint8_t *p = malloc(room + 1), *more;
	size_t done = 0;
	ssize_t n;

	while (p) {
		n = read(fd, p + done, room - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || done + n > max)
			break;
		done += n;
		if (done < room)
			continue;
		room = room < max ? 2 * room : room + 1;
		more = realloc(p, room + 1);
		if (!more)
			free(p);
		p = more;
	}
	if (!p)
		return -ENOMEM;
	if (n) {
		free(p);
		return n < 0 ? -errno : -EFBIG;
	}
	p[done] = 0;
	*data = p;
	*len = done;
	return 0;
}

static int read_fd(int fd, bool regular, size_t max, uint8_t **data, size_t *len)
{
	struct stat st;
	int ret;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (regular && !S_ISREG(st.st_mode))
		return -EINVAL;
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
		return -EFBIG;
	ret = remember(&st);
	/* one more byte than the file has: the next read is at the end */
	return ret ? ret : read_all(fd, S_ISREG(st.st_mode) ? st.st_size + 1U : FIRST_ROOM, max,
				    data, len);
}

int jf_read_path(const char *path, size_t max, uint8_t **data, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret;

	if (fd < 0)
		return -errno;
	ret = read_fd(fd, true, max, data, len);
	close(fd);
	return ret;
}

int jf_read_argument(const char *path, size_t max, uint8_t **data, size_t *len)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int ret;

	if (fd < 0)
		return -errno;
	ret = read_fd(fd, false, max, data, len);
	if (fd != STDIN_FILENO)
		close(fd);
	return ret;
}
