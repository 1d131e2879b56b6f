/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Native job formats: parsed into the same launch records as shader jobs. A new format
 * is one folder and one line in formats.def.
 */
#ifndef VS_NATIVE_H
#define VS_NATIVE_H

#include "../isa/isa.h"
#include "../engine/vs_job.h"

/* Same numbers as enum drm_vshader_native_format. */
enum vs_native_format {
#define VS_NATIVE(name, ops) VS_NATIVE_##name,
#include "formats.def"
#undef VS_NATIVE
	VS_NUM_NATIVE
};

/**
 * struct vs_native_in - A native job as submitted.
 * @format:	enum vs_native_format
 * @words:	copy of the command list (never shared memory); formats in memory have none, or
 *		those that allow it a job by value
 * @nwords:	its length
 * @va:		its guest address, for messages; a job by value is not in memory
 * @output_va:	results
 * @output_size: room for results, bytes
 * @model:	numeric model of the ISA's block
 * @switches:	switches of the ISA's block
 * @map:	address space; must outlive the job
 * @memory:	formats in memory: requested size in bytes; 0: a default
 * @max_memory:	upper bound of all allocations, bytes
 * @max_draws:	upper bound of draws
 */
struct vs_native_in {
	u32 format;
	const u32 *words;
	u32 nwords;
	u64 va;
	u64 output_va;
	u64 output_size;
	u32 model;
	u32 switches;
	const struct vs_map *map;
	u64 memory;
	u64 max_memory;
	u32 max_draws;
};

/* Registers that persist from job to job of a queue. */
struct vs_native_state;
/* A parsed job: programs, uniforms, scratch. */
struct vs_native;

u32 vs_native_state_bytes(u32 format);
struct vs_native_state *vs_native_state_new(u32 format);
void vs_native_state_free(struct vs_native_state *s);
void vs_native_state_reset(struct vs_native_state *s);
/* Copy registers between states of one format, to submit several jobs or none. */
void vs_native_state_copy(struct vs_native_state *dst, const struct vs_native_state *src);

/**
 * vs_native_parse - parse and prepare; all memory is allocated here
 * @in: the job; words need not outlive the call
 * @s: updated only on success
 * @out: the parsed job
 * @fault: with -ENOEXEC: FETCH, ENCODING or COMMAND with address, info = command word,
 *	draw = draw number, pc where it applies, code = reason (COMMAND: of the format,
 *	ENCODING: of the program's verifier, which then also sets pc and info)
 *
 * Return: 0, -ENOEXEC, -EINVAL, -E2BIG, -ENOMEM.
 */
int vs_native_parse(const struct vs_native_in *in, struct vs_native_state *s,
		    struct vs_native **out, struct vs_fault *fault);
/* Address space for the engine job: the guest's plus the job's scratch. */
const struct vs_map *vs_native_map(const struct vs_native *n);
/* Number of phases that the engine job needs room for. */
u32 vs_native_phases(const struct vs_native *n);
int vs_native_add_phases(struct vs_native *n, struct vs_job *job);
u64 vs_native_memory(const struct vs_native *n);
/* Accesses of the list that had no effect, for the job's result. */
u32 vs_native_strays(const struct vs_native *n);
/* Engine that accepts a format, VS_MAX_ISAS if there is no such format. */
enum vs_isa_id vs_native_isa(u32 format);
u32 vs_native_formats(enum vs_isa_id isa);
/* Jobs of the format are read from memory when they run: they have no words. */
bool vs_native_in_memory(u32 format);
/* Text of a COMMAND fault's reason, its @code. */
const char *vs_native_reason_text(u32 format, u32 reason);
/* Call when the engine job has been freed. */
void vs_native_free(struct vs_native *n);

#endif /* VS_NATIVE_H */
