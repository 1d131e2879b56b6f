// SPDX-License-Identifier: GPL-2.0
/*
 * Device coredumps of vshader devices: finding and parsing them.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vst_dump.h"

#define MAX_DUMP	(64 << 20)

bool vst_dump_supported(void)
{
	return !access("/sys/class/devcoredump", R_OK);
}

unsigned int vst_dump_minor(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? ~0u : minor(st.st_rdev);
}

bool vst_dump_find(unsigned int minor, char *path, size_t size)
{
	char dir[128], want[512], have[512];
	bool found = false;
	struct dirent *d;
	DIR *dp;

	snprintf(dir, sizeof(dir), "/sys/dev/char/226:%u/device", minor);
	if (!realpath(dir, want))
		return false;
	dp = opendir("/sys/class/devcoredump");
	if (!dp)
		return false;
	while (!found && (d = readdir(dp))) {
		if (strncmp(d->d_name, "devcd", 5))
			continue;
		snprintf(dir, sizeof(dir), "/sys/class/devcoredump/%.32s/failing_device",
			 d->d_name);
		if (!realpath(dir, have) || strcmp(want, have))
			continue;
		snprintf(path, size, "/sys/class/devcoredump/%.32s/data", d->d_name);
		found = true;
	}
	closedir(dp);
	return found;
}

bool vst_dump_wait(unsigned int minor, char *path, size_t size)
{
	unsigned int i;

	for (i = 0; i < 100 * vst_scale(); i++) {
		if (vst_dump_find(minor, path, size))
			return true;
		usleep(20000);
	}
	return false;
}

char *vst_dump_take(unsigned int minor, size_t *size)
{
	char path[256], *buf = NULL;
	int len;

	if (!vst_dump_wait(minor, path, sizeof(path)))
		return NULL;
	buf = malloc(MAX_DUMP);
	len = buf ? vst_read_file(path, buf, MAX_DUMP) : -1;
	*size = len > 0 ? len : 0;
	vst_write_file(path, "1");
	return buf;
}

void vst_dump_drop(unsigned int minor)
{
	char path[256];

	while (vst_dump_find(minor, path, sizeof(path)) && !vst_write_file(path, "1"))
		usleep(20000);
}

const void *vst_dump_section(const void *dump, size_t size, __u64 type,
			     struct drm_vshader_dump_section *s)
{
	struct drm_vshader_dump_header head;
	size_t at = sizeof(head);
	__u64 i;

	if (size < sizeof(head))
		return NULL;
	memcpy(&head, dump, sizeof(head));
	if (memcmp(head.magic, DRM_VSHADER_DUMP_MAGIC, 8) || head.size != size ||
	    head.version != DRM_VSHADER_DUMP_VERSION)
		return NULL;
	for (i = 0; i < head.sections; i++) {
		if (at > size || size - at < sizeof(*s))
			return NULL;
		memcpy(s, (const char *)dump + at, sizeof(*s));
		at += sizeof(*s);
		if (s->size > size - at)
			return NULL;
		if (s->type == type)
			return (const char *)dump + at;
		at += (s->size + 7) & ~7ULL;
	}
	return NULL;
}

const void *vst_dump_memory(const void *dump, size_t size, __u64 va, size_t *len)
{
	struct drm_vshader_dump_section s;
	const char *p = vst_dump_section(dump, size, DRM_VSHADER_DUMP_MEMORY, &s);
	__u64 at = 0, run[2];

	while (p && s.size - at >= sizeof(run)) {
		memcpy(run, p + at, sizeof(run));
		at += sizeof(run);
		if (run[1] > s.size - at)
			return NULL;
		if (va >= run[0] && va - run[0] < run[1]) {
			*len = run[1] - (va - run[0]);
			return p + at + (va - run[0]);
		}
		at += run[1];
	}
	return NULL;
}
