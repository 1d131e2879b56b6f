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
 * @flags: DRM_VSHADER_DEBUG_TRACE_* for records
 * @filter: record filter, NULL: instructions, without a filter
 * @record: called with each record; NULL: nothing is recorded
 * @on_event: called with each event of the jobs; may be NULL
 * @arg: for @record
 */
struct tracer {
	struct dbg d;
	uint32_t flags;
	const struct trace_filter *filter;
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
struct trace_filter;

/*
 * Exit status of jobs that ended; prints a line for each failed check. @f: filter, or NULL; it is
 * an error if no job has its invocations.
 */
int trace_status(const struct dbg *d, const struct trace_filter *f, const char *path);
void trace_fini(struct tracer *t);
/* Program of a record, NULL: unknown. */
struct dbg_code *trace_code(struct tracer *t, const struct drm_vshader_debug_trace_record *r);

/**
 * struct trace_filter - what is traced
 * @ranges: @inv and @pc are in use
 * @inv: first and last invocation
 * @pc: first and last instruction
 * @pixel: x, y and sample of a fragment
 * @num_pixel: components of @pixel in use, 0: any fragment
 * @instructions: by instructions, not by operations
 */
struct trace_filter {
	bool ranges;
	uint64_t inv[2];
	uint64_t pc[2];
	uint32_t pixel[3];
	unsigned int num_pixel;
	bool instructions;
};

/* Fields of the interface for a filter. Return: 0, or -EINVAL with a message. */
int trace_set_filter(struct dbg *d, const struct trace_filter *f,
		     struct drm_vshader_debug_trace *args);
/* Text of an instruction, or of an operation of it if these are traced. */
const char *trace_text(const struct dbg_code *c, const struct dbg_insn *i, uint32_t part,
		       const struct trace_filter *f, char *buf, size_t size);

/* Instructions with values of registers; lines to @f. Return: exit status. */
int trace_values(const char *path, const char *device, const struct trace_filter *opt, FILE *f);
/* Operations that produced NaNs and infinities, a line for each. Return: exit status. */
int trace_specials(const char *path, const char *device, const struct trace_filter *opt, FILE *f);

/* Jobs, cores and counters for chrome://tracing and Perfetto. Return: exit status. */
int trace_chrome(const char *path, const char *device, FILE *f);
/* Tables of what is executed most, listings with heat. Return: exit status. */
int trace_summary(const char *path, const char *device, bool summary, bool heat, FILE *f);

/* A line of JSON, which is freed. */
void trace_line(FILE *f, struct json_object *o);
/* Lines so far. */
unsigned long trace_lines(void);
/* A step of a fragment. */
struct json_object *trace_fragment(const struct drm_vshader_debug_trace_record *r);
/*
 * Run the file's jobs again, in this process, and print the fragments at a pixel. Return: 0, or
 * with a message.
 */
int trace_print_pixel(struct dbg *to, uint32_t x, uint32_t y);
/* An access to memory. */
struct json_object *trace_access(const struct drm_vshader_debug_trace_record *r);

#endif /* VSHADER_CLI_TRACE_H */
