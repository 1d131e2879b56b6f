/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Shader jobs of the Utgard engines: one launch of a program object.
 */
#ifndef VS_UTGARD_JOB_H
#define VS_UTGARD_JOB_H

#include "../../engine/simt/simt_job.h"
#include "../../isa/isa.h"
#include "../../isa/utgard/utgard_run.h"

/**
 * struct utgard_shader - A shader job.
 * @map:	address space; must outlive the job
 * @prog:	program object, which determines the processor
 * @entry:	first instruction, in units of the ISA's entries
 * @memory:	bytes of all memory of the job; 0: SIMT_JOB_MEMORY
 * @max_memory:	upper bound of @memory
 * @in:		attributes or inputs, @gp.nattr or @pp.nin of them
 * @out:	vertex processor: outputs, @gp.nout of them
 * @gp:		vertex processor: launch; code and streams are set by utgard_shader_new()
 * @pp:		pixel processor: likewise, with textures and primitive
 * @frag:	pixel processor: primitive
 * @textures:	pixel processor: texture list, @pp.ntextures units
 */
struct utgard_shader {
	const struct vs_map *map;
	const struct vs_program *prog;
	u32 entry;
	u64 memory;
	u64 max_memory;
	struct utgard_stream in[UGP_NUM_ATTRIBUTES];
	struct utgard_stream out[UGP_NUM_VARYINGS];
	struct ugp_work gp;
	struct upp_work pp;
	struct mali_frag frag;
	u64 textures;
};

struct utgard_job;

/**
 * utgard_shader_new - prepare a shader job
 * @s: job, copied; program and map must outlive it
 * @what: with -EINVAL: name of the invalid field
 * @out: the job
 *
 * All memory is allocated here. Uniforms, descriptors and streams are read when the job runs.
 *
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int utgard_shader_new(const struct utgard_shader *s, const char **what, struct utgard_job **out);
/* Add the job as one phase of an engine job; @j must outlive it. Return: as vs_job_add_fn(). */
int utgard_job_add(struct utgard_job *j, struct vs_job *job);
void utgard_job_free(struct utgard_job *j);

#endif /* VS_UTGARD_JOB_H */
