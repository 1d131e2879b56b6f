/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Native jobs.
 */
#ifndef VSHADER_NATIVE_H
#define VSHADER_NATIVE_H

struct vs_fault;
struct vs_native_state;
struct vshader_job;

/**
 * vshader_native_copy - copy a native job's command list
 * @job: job with a descriptor
 * @words: a job by value, or NULL: it is in memory
 * @nwords: number of @words
 *
 * Return: 0 or an error.
 */
int vshader_native_copy(struct vshader_job *job, const u32 *words, u32 nwords);

/**
 * vshader_native_parse - parse a native job
 * @job: job; the file's submit lock is held
 * @state: register state, changed only on success
 * @fault: filled with -ENOEXEC
 *
 * Return: 0 or an error.
 */
int vshader_native_parse(struct vshader_job *job, struct vs_native_state *state,
			 struct vs_fault *fault);

#endif /* VSHADER_NATIVE_H */
