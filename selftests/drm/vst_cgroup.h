/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control groups with a limit of CPU time, and parameters of the module.
 */
#ifndef VST_CGROUP_H
#define VST_CGROUP_H

#include <stddef.h>

/* Where cgroup2 is mounted for the tests. */
#define VST_CGROUPS	"/tmp/vshader-cgroup"

/* A group with this cpu.max, its folder in @path. Return: 0, or -ENOENT etc.: no controller. */
int vst_cgroup_new(const char *name, const char *cpu_max, char *path, size_t size);
int vst_cgroup_limit(const char *path, const char *cpu_max);
/* Remove a group whose processes are about to end. */
void vst_cgroup_free(const char *path);

struct vst_parameter {
	char path[96];
	char was[32];
};

int vst_parameter_set(struct vst_parameter *p, const char *name, const char *value);
void vst_parameter_reset(const struct vst_parameter *p);

#endif
