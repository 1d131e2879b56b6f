/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Between the interface's QPU structures and the machine's, for the driver and for the
 * library's in-process backend. The interface's header has been included before.
 */
#ifndef VSHADER_QPU_CONV_H
#define VSHADER_QPU_CONV_H

#include "isa/qpu/qpu_machine.h"

static inline void vshader_qpu_thread_in(struct qpu_thread *to,
					 const struct drm_vshader_qpu_thread *from)
{
	*to = (struct qpu_thread){
		.uniforms = from->uniforms,
		.pc = from->pc,
		.payload = from->payload,
		.x = from->x,
		.y = from->y,
		.coverage = from->coverage,
		.flags = from->flags,
	};
}

/* The caller has checked what is narrower in the machine: width and height. */
static inline struct qpu_launch vshader_qpu_launch_in(const struct drm_vshader_qpu_job *b,
						      const struct vs_map *map,
						      const struct qpu_thread *threads)
{
	return (struct qpu_launch){
		.map = map,
		.threads = threads,
		.nthreads = b->threads.count,
		.switches = b->switches,
		.tile = {
			.color_va = b->color_va,
			.zs_va = b->zs_va,
			.color_stride = b->color_stride,
			.zs_stride = b->zs_stride,
			.width = (u16)b->width,
			.height = (u16)b->height,
			.samples = b->samples,
			.depth = b->depth,
		},
	};
}

/* Where the QPUs stand: QPU_NUM states. */
static inline void vshader_qpu_states_out(const struct qpu_job *m,
					  struct drm_vshader_qpu_state *to)
{
	struct qpu_state s[QPU_NUM];
	u32 i;

	qpu_job_get_state(m, s);
	for (i = 0; i < QPU_NUM; i++)
		to[i] = (struct drm_vshader_qpu_state){
			.wait = s[i].wait,
			.info = s[i].info,
			.pc = s[i].pc,
			.thread = s[i].thread,
			.insns = s[i].insns,
		};
}

#endif /* VSHADER_QPU_CONV_H */
