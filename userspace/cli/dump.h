/* SPDX-License-Identifier: MIT */
/*
 * Dumps of jobs on the command line.
 */
#ifndef VSHADER_CLI_DUMP_H
#define VSHADER_CLI_DUMP_H

#include "debug_code.h"
#include "vshader_dump.h"

struct json_object;

/* dump_print.c */

/** struct dump_options - optional sections of the output */
struct dump_options {
	bool all;		/* all invocations, all of the program */
	bool memory;		/* contents of memory */
	bool has_invocation;
	uint64_t invocation;
};

void dump_print(const struct vshader_dump *d, const struct dump_options *opt);

/* dump_json.c */
struct json_object *dump_json(const struct vshader_dump *d);

/* dump_code.c: the code that was executed, from the program or from memory; or NULL. */
struct dbg_code *dump_code(const struct vshader_dump *d);

/* dump_jobfile.c */

/**
 * dump_write_jobfile - write a job file and the files it refers to
 * @d: dump of its job
 * @dir: folder, created if missing
 * @name: name of the files, without folder
 * @after: MEMORY_AFTER is expected
 *
 * Return: 0, or EXIT_USAGE with a message.
 */
int dump_write_jobfile(const struct vshader_dump *d, const char *dir, const char *name,
		       bool after);

#endif /* VSHADER_CLI_DUMP_H */
