// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "vst.h"
#include "vst_cgroup.h"

#define PARAMETERS	"/sys/module/vshader/parameters/"

int vst_cgroup_limit(const char *path, const char *cpu_max)
{
	char file[160];

	snprintf(file, sizeof(file), "%s/cpu.max", path);
	return vst_write_file(file, cpu_max);
}

int vst_cgroup_new(const char *name, const char *cpu_max, char *path, size_t size)
{
	int ret;

	mkdir(VST_CGROUPS, 0755);
	if (access(VST_CGROUPS "/cgroup.controllers", R_OK) &&
	    mount("none", VST_CGROUPS, "cgroup2", 0, NULL))
		return -errno;
	ret = vst_write_file(VST_CGROUPS "/cgroup.subtree_control", "+cpu");
	if (ret)
		return ret;
	snprintf(path, size, VST_CGROUPS "/%s", name);
	if (mkdir(path, 0755) && errno != EEXIST)
		return -errno;
	return vst_cgroup_limit(path, cpu_max);
}

void vst_cgroup_free(const char *path)
{
	int i;

	/* its threads are on their way out */
	for (i = 0; i < 100 && rmdir(path) && errno == EBUSY; i++)
		usleep(50000);
	umount(VST_CGROUPS);
	rmdir(VST_CGROUPS);
}

int vst_parameter_set(struct vst_parameter *p, const char *name, const char *value)
{
	int ret;

	snprintf(p->path, sizeof(p->path), PARAMETERS "%s", name);
	ret = vst_read_file(p->path, p->was, sizeof(p->was));
	if (ret < 0)
		return ret;
	return vst_write_file(p->path, value);
}

void vst_parameter_reset(const struct vst_parameter *p)
{
	vst_write_file(p->path, p->was);
}
