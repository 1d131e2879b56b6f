/* SPDX-License-Identifier: MIT */
/*
 * Recording the instructions that the jobs of a file execute.
 */
#ifndef VSHADER_CLI_TRACE_H
#define VSHADER_CLI_TRACE_H

#include "debug.h"

/**
 * struct tracer - recorded run
 * @d: debugger that runs the jobs
 * @filter: record filter; only the FILTER flag and the filter_* fields are used
 * @record: called with each record; NULL: nothing is recorded
 * @on_event: called with each event of the jobs; may be NULL
 * @arg: for @record
 */
struct tracer {
	struct dbg d;
	struct drm_vshader_debug_trace filter;
	int (*record)(struct tracer *t, const struct drm_vshader_debug_trace_record *r);
	void (*on_event)(struct dbg *d, const struct drm_vshader_debug_event *e);
	void *arg;
};

/*
 * Run all jobs of a file in a session that stops nothing, @trace: as in struct dbg.
 * Return: 0, or an exit status with a message.
 */
int trace_session(struct dbg *d, const char *path, const char *device,
		  int (*trace)(struct dbg *d),
		  void (*on_event)(struct dbg *d, const struct drm_vshader_debug_event *e),
		  void *hook);
/* Run all jobs; prints a message on failure. Call trace_fini() after errors, too. */
int trace_run(struct tracer *t, const char *path, const char *device);
/* Exit status of jobs that ended; prints a line for each failed check. */
int trace_status(const struct dbg *d, const char *path);
void trace_fini(struct tracer *t);
/* Program of a record, NULL: unknown. */
struct dbg_code *trace_code(struct tracer *t, const struct drm_vshader_debug_trace_record *r);

/**
 * struct trace_values - range of instructions traced with values
 * @inv: first and last invocation
 * @pc: first and last instruction
 */
struct trace_values {
	uint64_t inv[2];
	uint64_t pc[2];
};

/* Instructions with values of registers; lines to @f. Return: exit status. */
int trace_values(const char *path, const char *device, const struct trace_values *opt, FILE *f);

/* Jobs, cores and counters for chrome://tracing and Perfetto. Return: exit status. */
int trace_chrome(const char *path, const char *device, FILE *f);
/* Tables of what is executed most, listings with heat. Return: exit status. */
int trace_summary(const char *path, const char *device, bool summary, bool heat, FILE *f);

/* A line of JSON, which is freed. */
void trace_line(FILE *f, struct json_object *o);
/* An access to memory. */
struct json_object *trace_access(const struct drm_vshader_debug_trace_record *r);

#endif /* VSHADER_CLI_TRACE_H */
