/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Dumps of jobs as files (uapi/drm/vshader_drm_dump.h). The same for the driver and for the
 * library's in-process backend.
 */
#ifndef VSHADER_DUMPFILE_H
#define VSHADER_DUMPFILE_H

#include "drm/vshader_drm_dump.h"
#include "engine/vs_post.h"
#include "isa/isa.h"
#include "debug/capture.h"
#include "engine/vs_mappings.h"

/* Bytes of memory that a dump has at most. */
#define VSHADER_DUMP_MEMORY	(32ULL << 20)
/* Bytes of memory that are looked at. */
#define VSHADER_DUMP_SCAN	BIT_ULL(30)
#define VSHADER_DUMP_MAX_INVS	1024U

/**
 * struct vshader_dump_memory - A section of memory.
 * @buf:	the section with its head and padding
 * @room:	bytes at @buf
 * @size:	bytes of the section
 * @truncated:	pages are missing
 */
struct vshader_dump_memory {
	void *buf;
	u64 room;
	u64 size;
	bool truncated;
};

/**
 * struct vshader_dump_src - What a dump is made of.
 * @isa:	engine
 * @device:	device, of @size bytes
 * @queue:	queue
 * @job:	job; @job.code_va is found out
 * @prog:	program, or NULL
 * @args:	what it was submitted with
 * @map:	its address space
 * @ext:	the same as mappings
 * @post:	what is left of it; may have no machine
 * @states:	states of the processors, a section of its own
 * @state_section: type of that section
 * @state_size:	bytes of a state
 * @num_states:	number of states
 * @limit:	bytes of memory that it may have
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
 * @base: contents before the job: only pages that have changed since are written; NULL: all
 *	pages that are not zero
 * @out: the section. Without a buffer only its size is computed; it stops soon after it
 *	exceeds @out->room
 *
 * Neither allocates nor takes locks; may sleep in cond_resched().
 */
void vshader_dump_memory(const struct vs_map *map, const struct vshader_dump_memory *base,
			 struct vshader_dump_memory *out);

/**
 * vshader_dump_record - write a record without its memory sections
 * @src: contents
 * @buf: buffer, or NULL: only the size is computed
 * @room: bytes there
 *
 * Neither allocates nor takes locks; may sleep in cond_resched().
 *
 * Return: bytes.
 */
u64 vshader_dump_record(const struct vshader_dump_src *src, void *buf, u64 room);

/**
 * vshader_dump_make - write a dump
 * @src: what it is made of
 * @alloc: memory for it
 * @out: the file
 * @size: its size
 *
 * Takes as long as it takes to look at the job's memory; may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int vshader_dump_make(const struct vshader_dump_src *src, void *(*alloc)(size_t size), void **out,
		      u64 *size);

#endif /* VSHADER_DUMPFILE_H */
