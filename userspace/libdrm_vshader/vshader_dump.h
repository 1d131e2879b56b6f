/* SPDX-License-Identifier: MIT */
/*
 * Dumps of jobs with libdrm_vshader: taking one after a fault, and reading the file.
 * vshader_drm_dump.h documents the format.
 */
#ifndef VSHADER_DUMP_FILE_H
#define VSHADER_DUMP_FILE_H

#include "vshader.h"
#include "vshader_drm_dump.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- taking ---- */

/**
 * vshader_dump_enable - faults leave dumps from now on
 * @dev: device
 *
 * A device of the kernel driver does that always; in-process it has to be asked for. The first
 * one is kept until it is taken.
 */
void vshader_dump_enable(struct vshader_device *dev);

/**
 * vshader_dump_take - take the dump that a fault has left
 * @dev: device
 * @timeout_ns: how long to wait for it: the kernel makes it after the job has ended
 * @data: the file, for free()
 * @size: its size
 *
 * Of a device of the kernel driver this is its device coredump, which needs to be root, and it
 * may be of a fault of another process.
 *
 * Return: 0, -ENOENT there is none, -EACCES, -ENOMEM.
 */
int vshader_dump_take(struct vshader_device *dev, int64_t timeout_ns, void **data, size_t *size);

/* ---- reading ---- */

#define VSHADER_DUMP_TYPES	25

/**
 * struct vshader_dump_part - a section
 * @flags: bits of enum drm_vshader_dump_flags
 * @count: elements
 * @each: bytes of an element in the file
 * @size: bytes
 * @data: in the file; NULL: there is none of the type
 */
struct vshader_dump_part {
	uint64_t flags;
	uint64_t count;
	uint64_t each;
	uint64_t size;
	const uint8_t *data;
};

/**
 * struct vshader_dump - a dump that has been read
 * @device: device
 * @queue: queue
 * @job: job
 * @program: program
 * @has_program: there is one
 * @part: sections by type
 * @num_mappings: mappings
 * @mappings: address space
 * @num_banks: banks of registers
 * @banks: kinds of registers
 * @num_invocations: invocations whose registers are known
 * @invocations: those that were executed
 * @exact: see DRM_VSHADER_DUMP_EXACT
 *
 * All structures are as this library knows them.
 */
struct vshader_dump {
	struct drm_vshader_dump_device device;
	struct drm_vshader_dump_queue queue;
	struct drm_vshader_dump_job job;
	struct drm_vshader_dump_program program;
	bool has_program;
	struct vshader_dump_part part[VSHADER_DUMP_TYPES];
	uint32_t num_mappings;
	struct drm_vshader_dump_mapping *mappings;
	uint32_t num_banks;
	struct drm_vshader_debug_bank *banks;
	uint32_t num_invocations;
	struct drm_vshader_debug_invocation *invocations;
	bool exact;
};

/**
 * vshader_dump_parse - read a dump
 * @data: the file, which has to stay
 * @size: its size
 * @out: the dump
 *
 * All lengths are checked: any bytes can be given to it.
 *
 * Return: 0, -EINVAL with the reason in vshader_error(), -ENOMEM.
 */
int vshader_dump_parse(const void *data, size_t size, struct vshader_dump **out);
void vshader_dump_free(struct vshader_dump *d);

/**
 * vshader_dump_element - element of a section, as the library knows it
 * @d: dump
 * @type: enum drm_vshader_dump_type
 * @n: number of the element
 * @to: where to
 * @size: bytes there; members that the file lacks are 0
 *
 * Return: false: there is no such element.
 */
bool vshader_dump_element(const struct vshader_dump *d, uint32_t type, uint64_t n, void *to,
			  size_t size);

/**
 * vshader_dump_run - bytes of memory
 * @d: dump
 * @type: DRM_VSHADER_DUMP_MEMORY or DRM_VSHADER_DUMP_MEMORY_AFTER
 * @at: in: where to look, 0 for the first one; out: for the next one
 * @va: address
 * @len: bytes
 *
 * Return: the bytes, or NULL: no more.
 */
const uint8_t *vshader_dump_run(const struct vshader_dump *d, uint32_t type, uint64_t *at,
				uint64_t *va, uint64_t *len);

/**
 * vshader_dump_read - read memory
 * @d: dump
 * @va: address
 * @to: destination; bytes that the dump lacks are 0
 * @size: bytes
 *
 * Return: bytes from @va on that were mapped.
 */
uint64_t vshader_dump_read(const struct vshader_dump *d, uint64_t va, void *to, uint64_t size);

/**
 * vshader_dump_register - value of a register
 * @d: dump
 * @inv: which of @invocations
 * @reg: number of the register
 * @val: 16 words for its components
 *
 * Return: components; 0: it is not known.
 */
uint32_t vshader_dump_register(const struct vshader_dump *d, uint32_t inv, uint32_t reg,
			       uint32_t *val);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_DUMP_FILE_H */
