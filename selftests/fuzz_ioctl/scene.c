// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes: dumps of jobs, which scenes.py has put into one file, one after the other.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "fz.h"

struct fz_scene *fz_scenes;
u32 fz_nscenes;
int fz_scene_file;
const u8 *fz_scene_data;

/* 0, or -EBADMSG. */
static int parse(struct fz_scene *s, const u8 *p, u64 size)
{
	const struct drm_vshader_dump_header *h = (const void *)p;
	const u8 *end = p + size;
	u64 i;

	memset(s, 0, sizeof(*s));
	p += sizeof(*h);
	for (i = 0; i < h->sections; i++) {
		const struct drm_vshader_dump_section *sec = (const void *)p;

		if (end - p < (ptrdiff_t)sizeof(*sec) || sec->size > end - p - sizeof(*sec))
			return -EBADMSG;
		p += sizeof(*sec);
		if (sec->type < FZ_SECTIONS) {
			s->sec[sec->type].p = p;
			s->sec[sec->type].n = sec->count;
			s->sec[sec->type].size = sec->size;
		}
		p += (sec->size + 7) & ~7ULL;
	}
	s->queue = (const void *)s->sec[DRM_VSHADER_DUMP_QUEUE].p;
	s->job = (const void *)s->sec[DRM_VSHADER_DUMP_JOB].p;
	s->program = (const void *)s->sec[DRM_VSHADER_DUMP_PROGRAM].p;
	return s->queue && s->job ? 0 : -EBADMSG;
}

static int split(const u8 *p, u64 size)
{
	while (size) {
		const struct drm_vshader_dump_header *h = (const void *)p;

		if (size < sizeof(*h) || memcmp(h->magic, DRM_VSHADER_DUMP_MAGIC, 8) ||
		    h->size < sizeof(*h) || h->size > size || fz_nscenes == 255)
			return -EBADMSG;
		fz_scenes = realloc(fz_scenes, (fz_nscenes + 1) * sizeof(*fz_scenes));
		if (!fz_scenes)
			return -ENOMEM;
		if (parse(&fz_scenes[fz_nscenes++], p, h->size))
			return -EBADMSG;
		p += h->size;
		size -= h->size;
	}
	return fz_nscenes ? 0 : -EBADMSG;
}

int fz_scenes_load(const char *path)
{
	struct stat st;
	u64 done = 0;
	ssize_t n;
	u8 *p;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return -errno;
	p = malloc(st.st_size + 1);
	while (p && (n = read(fd, p + done, st.st_size - done)) > 0)
		done += n;
	fz_scene_file = fd;
	fz_scene_data = p;
	return p ? split(p, done) : -ENOMEM;
}
