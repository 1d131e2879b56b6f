/* SPDX-License-Identifier: MIT */
/*
 * Run the jobs of a file one at a time, mostly on debuggable queues. Sync operations are dropped:
 * no jobs run concurrently, and nothing may wait for a stopped job.
 */
#ifndef VSHADER_JOBFILE_STEP_H
#define VSHADER_JOBFILE_STEP_H

#include "jobfile.h"

struct vshader_steps;

/**
 * vshader_steps_open - create the objects that the jobs of a file need
 * @jf: job file
 * @dev: device
 * @debug: use debuggable queues
 * @out: state of the run
 * @err: buffer for error messages, lives as long as the run
 * @err_size: bytes at @err
 *
 * Return: 0 or a negative errno with a message at @err.
 */
int vshader_steps_open(const struct vshader_jobfile *jf, struct vshader_device *dev, bool debug,
		       struct vshader_steps **out, char *err, size_t err_size);

/**
 * vshader_steps_prepare - make a job ready
 * @s: run
 * @n: job, each once and in order
 * @queue: its queue
 *
 * Return: 0 or a negative errno with a message.
 */
int vshader_steps_prepare(struct vshader_steps *s, uint32_t n, uint32_t *queue);

/**
 * vshader_steps_submit - start a job
 * @s: run
 * @n: job
 *
 * Return: 0, 1 if it was refused (its outcome has the error), or a negative errno with a
 * message.
 */
int vshader_steps_submit(struct vshader_steps *s, uint32_t n);

/**
 * vshader_steps_finish - results of a job that has ended
 * @s: run
 * @n: job
 *
 * Return: 0 or a negative errno with a message.
 */
int vshader_steps_finish(struct vshader_steps *s, uint32_t n);

/**
 * vshader_steps_outcome - outcome of a job
 * @s: run
 * @n: job
 *
 * Return: its outcome.
 */
const struct jf_outcome *vshader_steps_outcome(const struct vshader_steps *s, uint32_t n);

/**
 * vshader_steps_program - program of an id
 * @s: run
 * @id: program id on the device
 *
 * Return: its number in the file, or JF_NONE.
 */
uint32_t vshader_steps_program(const struct vshader_steps *s, uint32_t id);

/**
 * vshader_steps_program_id - id of a program
 * @s: run
 * @n: its number in the file
 *
 * Return: id on the device, 0: it was rejected.
 */
uint32_t vshader_steps_program_id(const struct vshader_steps *s, uint32_t n);

/**
 * vshader_steps_va - address of a memory region
 * @s: run
 * @region: its number in the file
 *
 * Return: address, 0 if it is not mapped.
 */
uint64_t vshader_steps_va(const struct vshader_steps *s, uint32_t region);

/**
 * vshader_steps_memory - memory of a job, at any time
 * @s: run
 * @n: job
 * @va: address
 * @start: where the mapping that holds @va begins
 * @size: bytes of it
 *
 * Return: pointer to the byte at @start, NULL if it is not mapped or not readable from
 * userspace.
 */
const uint8_t *vshader_steps_memory(const struct vshader_steps *s, uint32_t n, uint64_t va,
				    uint64_t *start, uint64_t *size);

/**
 * vshader_steps_run - results of the jobs so far
 * @s: run
 *
 * Return: the results, which vshader_steps_close() returns too; their bytes for files are
 * kept by it only.
 */
struct vshader_run *vshader_steps_run(struct vshader_steps *s);

/**
 * vshader_steps_close - end a run
 * @s: run, or NULL
 *
 * Return: results, released with vshader_run_free(), or NULL.
 */
struct vshader_run *vshader_steps_close(struct vshader_steps *s);

#endif /* VSHADER_JOBFILE_STEP_H */
