/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* TILER jobs: primitives to lists in the tiler heap. */
#ifndef VS_MALI_TILER_H
#define VS_MALI_TILER_H

#include "mali_exec.h"
#include "mali_prim.h"

/**
 * struct mali_tiler - A TILER job in progress.
 * @p:		parser
 * @job:	address of the job
 * @prim:	its primitives
 * @heap:	where lists are
 * @list:	head of the lists
 * @frame:	width and height of the frame, less one
 * @instance:	current instance
 * @at:		next index
 * @a:		state of primitive assembly
 * @c:		assembled primitives
 * @nc:		number of them
 * @ic:		next of them
 * @binning:	address of the current primitive, 0: none
 * @box:	its bins: x0, y0, x1, y1
 * @x:		next bin
 * @y:		"
 */
struct mali_tiler {
	struct mali_parser p;
	u64 job;
	struct mali_prims prim;
	struct mali_heap heap;
	struct mali_list list;
	u32 frame[2];
	u32 instance;
	u32 at;
	struct vr_assembly a;
	struct vr_corners c[VR_MAX_ASSEMBLED + 1];
	u32 nc;
	u32 ic;
	u64 binning;
	u32 box[4];
	u32 x;
	u32 y;
};

/*
 * Begin the job at @job, whose descriptors @p reads. Return: 0, or -ENOEXEC: rejected.
 */
int mali_tiler_begin(struct mali_tiler *t, const struct mali_parser *p, u64 job);
/*
 * Handle some of the primitives. Return: 0: done; -EAGAIN: call again; -EFAULT: @fault.
 */
int mali_tiler_step(struct mali_tiler *t, struct simt_job *j);

#endif /* VS_MALI_TILER_H */
