/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tiles of a frame, handed out to the workers that draw them. Results are the same for any number
 * of workers: tiles do not share pixels, programs that write memory run in the order of tiles, and
 * of several faults the one in the first tile is reported.
 */
#ifndef VR_TILES_H
#define VR_TILES_H

#include "vr_mem.h"

#define VR_TILES_WORKERS	(1 + VS_JOB_MAX_GUESTS)
#define VR_TILES_NONE		(~0U)

/**
 * struct vr_tiles - Tiles of a frame. In the job's memory: guests read it for as long as they are
 * in the job.
 * @x:		first column, tiles of 64 x 64 pixels
 * @y:		first row
 * @columns:	number of columns
 * @n:		number of tiles, row by row
 * @lock:	of the following members, and of counters in memory
 * @next:	first tile that nobody has taken
 * @nworkers:	workers that have joined, the job's own is 0
 * @tile:	tile of each worker, or VR_TILES_NONE
 * @bad:	first tile with a fault; it and later ones do not go on
 * @culprit:	worker with that fault
 * @fault:	the fault
 */
struct vr_tiles {
	u32 x;
	u32 y;
	u32 columns;
	u32 n;
	vs_lock lock;
	u32 next;
	u32 nworkers;
	u32 tile[VR_TILES_WORKERS];
	u32 bad;
	u32 culprit;
	struct vs_fault fault;
};

/*
 * Begin to hand out tiles. @bound: parts of 16 x 16 pixels that are drawn, x0, y0, x1, y1; @width,
 * @height: of the frame. The caller is worker 0.
 */
void vr_tiles_begin(struct vr_tiles *t, const u32 bound[4], u32 width, u32 height);
/* Return: number of a further worker, VR_TILES_NONE: no room. */
u32 vr_tiles_join(struct vr_tiles *t);
/* The worker's tile is done. Return: the next one, VR_TILES_NONE: there is none left. */
u32 vr_tiles_take(struct vr_tiles *t, u32 worker);
/* The worker's tile has faulted; without a tile, the frame. */
void vr_tiles_fault(struct vr_tiles *t, u32 worker, const struct vs_fault *fault);
/* A tile before the worker's has faulted. */
bool vr_tiles_is_over(const struct vr_tiles *t, u32 worker);
/* All tiles before the worker's are done. */
bool vr_tiles_is_first(struct vr_tiles *t, u32 worker);
/* Add to the counter of 64 bits at @va, or set it. Return: 0, or -EFAULT. */
int vr_tiles_count(struct vr_tiles *t, struct vr_mem *mem, u64 va, u64 n, bool add);

#endif /* VR_TILES_H */
