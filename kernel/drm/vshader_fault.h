/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fault records.
 */
#ifndef VSHADER_FAULT_H
#define VSHADER_FAULT_H

#include "drm/vshader_drm.h"
#include "engine/vs_job.h"

/**
 * vshader_fault_fill - fault record of the uAPI from the engine's
 * @in: the engine's
 * @engine: enum drm_vshader_engine
 * @number: number of the job
 * @out: the uAPI's
 */
void vshader_fault_fill(const struct vs_fault *in, u32 engine, u64 number,
			struct drm_vshader_fault *out);

/**
 * vshader_fault_state - state of a queue whose job had a fault
 * @kind: enum drm_vshader_fault_kind
 *
 * Return: bits of enum drm_vshader_queue_state; 0: the queue stays usable.
 */
u32 vshader_fault_state(u32 kind);

/**
 * vshader_fault_name - name of a fault kind
 * @kind: enum drm_vshader_fault_kind
 *
 * Return: text.
 */
const char *vshader_fault_name(u32 kind);

#endif /* VSHADER_FAULT_H */
