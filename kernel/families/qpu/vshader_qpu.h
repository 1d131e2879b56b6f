/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * QPU engine.
 */
#ifndef VSHADER_QPU_H
#define VSHADER_QPU_H

#include "drm/vshader_drm.h"
#include "isa/qpu/qpu_machine.h"

struct vshader_job;

/**
 * struct vshader_qpu_states - Where the QPUs stood at a fault.
 * @n: 0 or %QPU_NUM
 * @s: states
 */
struct vshader_qpu_states {
	u32 n;
	struct drm_vshader_qpu_state s[QPU_NUM];
};

/**
 * vshader_qpu_init - make a shader job of the QPU engine
 * @job: job with program
 * @desc: its descriptor
 *
 * Return: 0 or an error.
 */
int vshader_qpu_init(struct vshader_job *job, const struct drm_vshader_shader_job *desc);

/**
 * vshader_qpu_get_states - where the QPUs stand after a job's end
 * @job: job of any engine
 * @out: states, none for other engines
 *
 * Neither sleeps nor allocates.
 */
void vshader_qpu_get_states(const struct vshader_job *job, struct vshader_qpu_states *out);

/**
 * vshader_qpu_stray_reads - TMU reads outside mapped memory
 * @job: job of any engine, ended
 *
 * Return: how many, as &drm_vshader_job_result.stray_reads.
 */
u32 vshader_qpu_stray_reads(const struct vshader_job *job);

/**
 * vshader_qpu_wait_name - what a QPU waits for
 * @wait: enum drm_vshader_qpu_wait
 *
 * Return: text.
 */
const char *vshader_qpu_wait_name(u32 wait);

#endif /* VSHADER_QPU_H */
