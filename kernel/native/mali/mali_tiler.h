/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* TILER jobs: primitives to records in the tiler heap. */
#ifndef VS_MALI_TILER_H
#define VS_MALI_TILER_H

#include "mali_exec.h"
#include "mali_prim.h"

/**
 * struct mali_tiler - A TILER job in progress.
 * @p:		parser
 * @job:	address of the job
 * @prim:	its primitives
 * @heap:	where records are
 * @list:	head of the list
 * @frame:	width and height of the frame, less one
 * @instance:	current instance
 * @at:		next index
 * @a:		state of primitive assembly
 * @rec:	record of the current primitives
 * @open:	@rec has begun
 * @box:	pixels that its primitives may cover: x0, y0, x1, y1
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
	struct mali_record rec;
	bool open;
	s32 box[4];
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
