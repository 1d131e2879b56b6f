/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Jobs for Mali GPUs: chains in memory are a native format (vs_native_in: va is the address
 * of the first job, model the GPU); shader jobs are launches whose resources are given as
 * addresses of the hardware's descriptor tables.
 */
#ifndef VS_MALI_JOB_H
#define VS_MALI_JOB_H

#include "../../engine/simt/simt_job.h"
#include "../../isa/isa.h"
#include "../../isa/mali/mali_run.h"
#include "mali_launch.h"

/* Default memory size of a job. */
#define MALI_JOB_MEMORY		SIMT_JOB_MEMORY
#define MALI_JOB_MIN_MEMORY	SIMT_JOB_MIN_MEMORY
#define MALI_JOB_MAX_MEMORY	SIMT_JOB_MAX_MEMORY

/**
 * struct mali_table - A descriptor table in memory.
 * @va:		first descriptor
 * @n:		number of descriptors
 */
struct mali_table {
	u64 va;
	u32 n;
};

/**
 * struct mali_shader - A shader job.
 * @map:	address space; must outlive the job
 * @prog:	program object, which determines the stage
 * @entry:	first instruction, in units of the ISA's entries
 * @gpu:	enum mali_gpu
 * @switches:	MALI_SW_*
 * @fp_mode:	v4, v5: as in struct mali_work
 * @work_regs:	v4, v5: as in struct mali_work
 * @memory:	bytes of all memory of the job; 0: MALI_JOB_MEMORY
 * @max_memory:	upper bound of @memory
 * @local:	compute: threads of a workgroup
 * @groups:	compute: workgroups; vertex: 1, vertices, instances; fragment: unused
 * @preload:	MALI_PRELOAD_MASK: preloaded registers
 * @message:	fragments of v7: preloaded messages
 * @ubos:	uniform buffers, 8 bytes each
 * @push:	push uniforms, 32-bit words
 * @attrs:	attributes and images, 8 bytes each
 * @attr_bufs:	their buffers, 16 bytes each
 * @varyings:	varyings, 8 bytes each
 * @varying_bufs: their buffers
 * @textures:	textures, 32 bytes each
 * @samplers:	samplers, 32 bytes each
 * @tls_va:	as in struct mali_work; 0: memory of the job's own
 * @tls_size:	"
 * @wls_va:	"; 0: memory of the job's own
 * @wls_size:	"
 * @wls_instances: "
 * @offset_start: "
 * @instance_size: " (0 counts as 1)
 * @position:	"
 * @frag:	fragment
 */
struct mali_shader {
	const struct vs_map *map;
	const struct vs_program *prog;
	u32 entry;
	u32 gpu;
	u32 switches;
	u32 fp_mode;
	u32 work_regs;
	u64 memory;
	u64 max_memory;
	u32 local[3];
	u64 groups[3];
	u32 preload;
	u16 message[2];
	struct mali_table ubos;
	struct mali_table push;
	struct mali_table attrs;
	u64 attr_bufs;
	struct mali_table varyings;
	u64 varying_bufs;
	struct mali_table textures;
	struct mali_table samplers;
	u64 tls_va;
	u32 tls_size;
	u64 wls_va;
	u32 wls_size;
	u32 wls_instances;
	u32 offset_start;
	u32 instance_size;
	u64 position;
	struct mali_frag frag;
};

/**
 * struct mali_counts - What a chain has done so far, for performance counters.
 * @jobs:	jobs that are done
 * @tasks:	parts of 32 x 32 pixels of FRAGMENT jobs that are done
 * @points:	primitives of TILER jobs that are done, before culling; those of quads and polygons
 *		are in none
 * @lines:	"
 * @triangles:	"
 */
struct mali_counts {
	u64 jobs;
	u64 tasks;
	u64 points;
	u64 lines;
	u64 triangles;
};

struct mali_exec;
struct vs_native;

/**
 * mali_shader_new - prepare a shader job
 * @s: job, copied; program and map must outlive it
 * @what: with -EINVAL: name of the invalid field
 * @out: the job
 *
 * All memory is allocated here. Descriptors are read when the job runs.
 *
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int mali_shader_new(const struct mali_shader *s, const char **what, struct mali_exec **out);
/* Add the job as one phase of an engine job; @e must outlive it. Return: as vs_job_add_fn(). */
int mali_exec_add(struct mali_exec *e, struct vs_job *job);
void mali_exec_free(struct mali_exec *e);
/* Exception status of a job that ended with a fault, as in its header. */
u32 mali_fault_status(const struct vs_fault *f);
/* Counts of a chain, when no worker executes it. */
const struct mali_counts *mali_chain_counts(const struct vs_native *n);
/* Text of a COMMAND fault's reason (its @code). */
const char *mali_exec_reason_text(u32 reason);

#endif /* VS_MALI_JOB_H */
