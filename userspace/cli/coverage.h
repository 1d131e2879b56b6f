/* SPDX-License-Identifier: MIT */
/*
 * Execution counts of the instructions of a job file's programs.
 */
#ifndef VSHADER_CLI_COVERAGE_H
#define VSHADER_CLI_COVERAGE_H

#include "cli.h"

#include "debug.h"

struct coverage;

/**
 * struct coverage_row - counters of an instruction
 * @pc: which
 * @times: executions
 * @lanes: invocations that took part, in all of them
 * @room: invocations of the executing blocks: @lanes without divergence
 * @divergent: executions without some of the block's invocations
 * @text: instruction, NULL: unknown
 */
struct coverage_row {
	uint32_t pc;
	uint64_t times;
	uint64_t lanes;
	uint64_t room;
	uint64_t divergent;
	const char *text;
};

/**
 * struct coverage_memory - receiver of memory accesses
 * @access: called with each access; 0 or a negative errno with a message
 * @arg: for @access
 */
struct coverage_memory {
	int (*access)(struct dbg *d, void *arg, const struct drm_vshader_debug_trace_record *r);
	void *arg;
};

/* Run a file; @memory: NULL without accesses. Return: NULL after a message. */
struct coverage *coverage_run(const char *path, const char *device,
			      const struct coverage_memory *memory);
void coverage_free(struct coverage *c);
const struct vshader_jobfile *coverage_jobfile(const struct coverage *c);
const struct vshader_run *coverage_results(const struct coverage *c);
/* Exit status of the run; prints a line for each failed check. */
int coverage_status(const struct coverage *c, const char *path);
/* Instruction @i of program @n; not executed ones only of programs of the file. */
bool coverage_row(struct coverage *c, uint32_t n, uint32_t i, struct coverage_row *out);
/* "lit", or "job 0, code at 0x40009000". Return: false if there is no program @n. */
bool coverage_name(const struct coverage *c, uint32_t n, char *text, size_t size);
/* Code of program @n, NULL: unknown. */
const struct dbg_code *coverage_code(const struct coverage *c, uint32_t n);
void coverage_print(struct coverage *c);
struct json_object *coverage_json(struct coverage *c);

#endif /* VSHADER_CLI_COVERAGE_H */
