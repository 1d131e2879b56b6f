/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Device coredumps of vshader devices.
 */
#ifndef VST_DUMP_H
#define VST_DUMP_H

#include "vst.h"
#include "vshader_drm_dump.h"

/* Has the kernel device coredumps? */
bool vst_dump_supported(void);
/* Minor number of a node. */
unsigned int vst_dump_minor(int fd);
/* Find the file of a device's coredump. @minor: minor number of the node */
bool vst_dump_find(unsigned int minor, char *path, size_t size);
/* The same, within some time. */
bool vst_dump_wait(unsigned int minor, char *path, size_t size);
/* The dump of the last fault, for free(), or NULL; the next fault makes another one. */
char *vst_dump_take(unsigned int minor, size_t *size);
/* Dumps of earlier faults go; there is one per device at a time. */
void vst_dump_drop(unsigned int minor);
/* A section; NULL: there is none, or the file is no dump. */
const void *vst_dump_section(const void *dump, size_t size, __u64 type,
			     struct drm_vshader_dump_section *s);
/* Bytes of memory at an address, at most up to the end of its run. */
const void *vst_dump_memory(const void *dump, size_t size, __u64 va, size_t *len);

#endif
