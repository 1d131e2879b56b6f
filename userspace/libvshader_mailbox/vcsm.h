/* SPDX-License-Identifier: MIT */
/*
 * The allocators /dev/vcsm and /dev/vcsm-cma: memory that is shared with the QPUs.
 */
#ifndef MBOX_VCSM_H
#define MBOX_VCSM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/*
 * Addresses in calls of /dev/vcsm have 32 bits. Where mappings cannot be placed accordingly the
 * file does not exist, and libvcsm takes the other one.
 */
#if UINTPTR_MAX == UINT32_MAX
#define VCSM_MAP_LOW	0
#elif defined(MAP_32BIT)
#define VCSM_MAP_LOW	MAP_32BIT
#endif

/* Calls of the two device files. Return: 0, or -1 with errno. */
int vcsm_ioctl(int fd, unsigned long request, void *arg);
int vcsm_cma_ioctl(unsigned long request, void *arg);

/* Whether a descriptor is memory of /dev/vcsm-cma. */
bool vcsm_is_buffer(int fd);
/*
 * Descriptor for a mapping of /dev/vcsm, to be closed; offsets in the file are handles. Return: -1:
 * no such handle, or not that many bytes.
 */
int vcsm_export(uint64_t handle, size_t size);

/* A handle of /dev/vcsm or a buffer (@handle 0) was mapped. */
void vcsm_mapped(uint32_t handle, int buffer, void *addr);
/* A range that starts here is about to be unmapped. */
void vcsm_unmapped(const void *addr);
/* A descriptor of a device file or a buffer was closed. */
void vcsm_closed(int fd);

#endif /* MBOX_VCSM_H */
