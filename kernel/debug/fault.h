/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Fault records as the uAPI has them. */
#ifndef VSHADER_FAULT_RECORD_H
#define VSHADER_FAULT_RECORD_H

#include "drm/vshader_drm.h"
#include "engine/vs_job.h"

/* @out: fault @in of job @number on a queue for the ISA @engine. */
static inline void vshader_fault_fill(const struct vs_fault *in, u32 engine, u64 number,
				      struct drm_vshader_fault *out)
{
	*out = (struct drm_vshader_fault){
		.kind = in->kind,
		.engine = engine,
		.address = in->address,
		.pc = in->pc,
		.size = in->size,
		.code = in->code,
		.info = in->info,
		.invocation = in->invocation,
		.job = number,
		.draw = in->draw,
		.stream = in->stream,
		.depth = in->depth,
		.active = in->active,
	};
}

#endif /* VSHADER_FAULT_RECORD_H */
