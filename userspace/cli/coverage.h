/* SPDX-License-Identifier: MIT */
/*
 * Execution counts of the instructions of a job file's programs.
 */
#ifndef VSHADER_CLI_COVERAGE_H
#define VSHADER_CLI_COVERAGE_H

#include "cli.h"

struct coverage;

/* Run a file. NULL after a message. */
struct coverage *coverage_run(const char *path, const char *device);
void coverage_free(struct coverage *c);
const struct vshader_jobfile *coverage_jobfile(const struct coverage *c);
const struct vshader_run *coverage_results(const struct coverage *c);
void coverage_print(struct coverage *c);
struct json_object *coverage_json(struct coverage *c);

#endif /* VSHADER_CLI_COVERAGE_H */
