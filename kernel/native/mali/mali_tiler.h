/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* TILER jobs: primitives to lists in the tiler heap. */
#ifndef VS_MALI_TILER_H
#define VS_MALI_TILER_H

#include "mali_exec.h"
#include "mali_prim.h"

#define TILER_INDICES	32	/* read at once */

/**
 * struct mali_tiler - A TILER job in progress.
 * @p:		parser
 * @job:	address of the job
 * @prim:	its primitives
 * @bins:	bins of the current primitive
 * @heap:	where lists are
 * @list:	head of the lists
 * @last:	list of the last primitive
 * @instance:	current instance
 * @at:		next index
 * @index:	indices as in memory, the next one is number @used
 * @used:	see @index
 * @read:	number of @index
 * @a:		state of primitive assembly
 * @c:		assembled primitives
 * @nc:		number of them
 * @ic:		next of them
 * @prims:	number of primitives that have been assembled
 * @binning:	address of the current primitive
 */
struct mali_tiler {
	struct mali_parser p;
	u64 job;
	struct mali_prims prim;
	struct vr_binner bins;
	struct mali_heap heap;
	struct vr_lists list;
	struct vr_list last;
	u32 instance;
	u32 at;
	u8 index[TILER_INDICES * sizeof(u32)];
	u32 used;
	u32 read;
	struct vr_assembly a;
	struct vr_corners c[VR_MAX_ASSEMBLED + 1];
	u32 nc;
	u32 ic;
	u64 prims;
	u64 binning;
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
