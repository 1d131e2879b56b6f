/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Dump files of jobs (uapi/drm/vshader_drm_dump.h). Shared by the driver and the library's
 * in-process backend.
 */
#ifndef VSHADER_DUMPFILE_H
#define VSHADER_DUMPFILE_H

#include "drm/vshader_drm_dump.h"
#include "engine/vs_post.h"
#include "isa/isa.h"
#include "debug/capture.h"
#include "engine/vs_mappings.h"

/* Default limit of memory in a dump, bytes. */
#define VSHADER_DUMP_MEMORY	(32ULL << 20)
/* Maximum memory scanned for a dump, bytes. */
#define VSHADER_DUMP_SCAN	BIT_ULL(30)
#define VSHADER_DUMP_MAX_INVS	1024U

/**
 * struct vshader_dump_memory - A section of memory.
 * @buf:	the section with its header and padding
 * @room:	size of @buf, bytes
 * @size:	size of the section, bytes
 * @truncated:	pages are missing
 * @stop:	not 0: leave out all further pages; or NULL
 */
struct vshader_dump_memory {
	void *buf;
	u64 room;
	u64 size;
	bool truncated;
	const int *stop;
};

/**
 * struct vshader_dump_src - Contents of a dump.
 * @isa:	engine
 * @device:	device
 * @queue:	queue
 * @job:	job; the callee computes @job.code_va
 * @prog:	program, or NULL
 * @args:	copy of the submission
 * @map:	address space of the job
 * @ext:	the same as mappings
 * @post:	post-mortem state; may have no machine
 * @states:	states of the processors, a section of its own
 * @state_section: type of that section
 * @state_size:	bytes of a state
 * @num_states:	number of states
 * @limit:	maximum memory in the dump, bytes
 * @record:	this is a record of a job: no registers, memory sections follow separately
 * @memory:	records: bytes of the memory sections
 * @memory_sections: records: number of them
 */
struct vshader_dump_src {
	const struct vs_isa *isa;
	struct drm_vshader_dump_device device;
	struct drm_vshader_dump_queue queue;
	struct drm_vshader_dump_job job;
	const struct vs_program *prog;
	const struct vshader_capture *args;
	const struct vs_map *map;
	const struct vs_post *post;
	const void *states;
	u32 state_section;
	u32 state_size;
	u32 num_states;
	u64 limit;
	bool record;
	u64 memory;
	u32 memory_sections;
};

/**
 * vshader_dump_memory - write a section of memory
 * @map: address space
 * @base: contents before the job, to write only changed pages; NULL: write all nonzero pages
 * @out: the section. Without a buffer only its size is computed, until it exceeds
 *	@out->room
 *
 * Neither allocates nor takes locks; may sleep in cond_resched().
 */
void vshader_dump_memory(const struct vs_map *map, const struct vshader_dump_memory *base,
			 struct vshader_dump_memory *out);

/**
 * vshader_dump_record - write a record without its memory sections
 * @src: contents
 * @buf: buffer, or NULL: only the size is computed
 * @room: size of @buf, bytes
 *
 * Neither allocates nor takes locks; may sleep in cond_resched().
 *
 * Return: bytes.
 */
u64 vshader_dump_record(const struct vshader_dump_src *src, void *buf, u64 room);

/**
 * vshader_dump_make - write a dump
 * @src: contents
 * @alloc: allocates the file
 * @out: the file
 * @size: size of the file, bytes
 *
 * Takes time proportional to the job's memory; may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_dump_make(const struct vshader_dump_src *src, void *(*alloc)(size_t size), void **out,
		      u64 *size);

#endif /* VSHADER_DUMPFILE_H */
