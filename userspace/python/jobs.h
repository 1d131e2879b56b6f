/* SPDX-License-Identifier: MIT */
/*
 * Job files for language bindings: no structure of the library or of the command is needed to
 * use it. A private library of the Python module, which may change with every version.
 */
#ifndef VSHADER_JOBS_H
#define VSHADER_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "vshader.h"

#pragma GCC visibility push(default)

#define VSHADER_JOBS_MAX_DIMS	3

struct vshader_jobs;

/**
 * struct vshader_jobs_buffer - memory that jobs wrote, as an array
 * @name: region, image, "JOB.OUTPUT", or target of a frame
 * @size: bytes without gaps
 * @shape: elements in each dimension, the last one varies fastest
 * @num_dims: number of @shape
 * @format: letter of an element as in Python's module struct, native
 */
struct vshader_jobs_buffer {
	const char *name;
	uint64_t size;
	uint32_t shape[VSHADER_JOBS_MAX_DIMS];
	uint32_t num_dims;
	char format;
};

/**
 * vshader_jobs_error - why the last call of this thread failed
 *
 * Return: a sentence.
 */
const char *vshader_jobs_error(void);

/**
 * vshader_jobs_parse - parse a job file
 * @text: job file
 * @size: bytes at @text
 * @name: name of the file; file names in it are relative to its folder
 * @out: the jobs
 *
 * Not to be called by two threads at a time.
 *
 * Return: 0 or a negative errno.
 */
int vshader_jobs_parse(const char *text, size_t size, const char *name, struct vshader_jobs **out);

/**
 * vshader_jobs_run - run the jobs, once
 * @jobs: jobs
 * @dev: device
 *
 * Return: 0 or a negative errno; a job that faults is none.
 */
int vshader_jobs_run(struct vshader_jobs *jobs, struct vshader_device *dev);

/**
 * vshader_jobs_report - outcome of the jobs as JSON
 * @jobs: jobs that have run
 *
 * Return: text to be released with free(), or NULL without memory.
 */
char *vshader_jobs_report(const struct vshader_jobs *jobs);

/**
 * vshader_jobs_buffer - describe a buffer
 * @jobs: jobs that have run
 * @n: which, from 0
 * @buf: filled
 *
 * Return: 0, -ENODATA it cannot be read, -ENOENT past the last one.
 */
int vshader_jobs_buffer(const struct vshader_jobs *jobs, uint32_t n,
			struct vshader_jobs_buffer *buf);

/**
 * vshader_jobs_read - copy a buffer
 * @jobs: jobs that have run
 * @n: buffer that vshader_jobs_buffer() has described
 * @dst: receives the size of the buffer
 */
void vshader_jobs_read(const struct vshader_jobs *jobs, uint32_t n, void *dst);

/**
 * vshader_jobs_free - release jobs and results
 * @jobs: jobs, or NULL
 */
void vshader_jobs_free(struct vshader_jobs *jobs);

#pragma GCC visibility pop

#endif /* VSHADER_JOBS_H */
