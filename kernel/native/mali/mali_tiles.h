/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tiles of a FRAGMENT job, handed out to the workers that draw them. Results are the same for any
 * number of workers: tiles do not share pixels, programs that write memory run in the order of
 * tiles, and of several faults the one in the first tile is reported.
 */
#ifndef VS_MALI_TILES_H
#define VS_MALI_TILES_H

#include "mali_fb.h"
#include "mali_prim.h"

#define MALI_TILES_WORKERS	(1 + VS_JOB_MAX_GUESTS)
#define MALI_TILES_NONE		(~0U)

/**
 * struct mali_tiles - A frame and its tiles. In the job's memory: guests read it for as long as
 * they are in the job.
 * @gpu:	enum mali_gpu
 * @switches:	MALI_SW_*
 * @memory:	address space
 * @arena:	bytes of workers' arenas
 * @job:	position of the job in its chain
 * @fb:		framebuffer
 * @bound:	tiles of 16 x 16 pixels to write: x0, y0, x1, y1
 * @map:	tile enable map, 0: none
 * @map_stride:	bytes of a row of it
 * @list:	head of the tiler's lists
 * @x:		first column, tiles of 64 x 64 pixels
 * @y:		first row
 * @columns:	number of columns
 * @n:		number of tiles, row by row
 * @lock:	of the following members, and of occlusion counters in memory
 * @next:	first tile that nobody has taken
 * @nworkers:	workers that have joined, the job's own is 0
 * @tile:	tile of each worker, or MALI_TILES_NONE
 * @bad:	first tile with a fault; it and those behind it do not go on
 * @culprit:	worker with that fault
 * @fault:	the fault
 */
struct mali_tiles {
	u32 gpu;
	u32 switches;
	const struct vs_map *memory;
	u64 arena;
	u32 job;
	struct mali_fb fb;
	u32 bound[4];
	u64 map;
	u32 map_stride;
	struct mali_list list;
	u32 x;
	u32 y;
	u32 columns;
	u32 n;
	vs_lock lock;
	u32 next;
	u32 nworkers;
	u32 tile[MALI_TILES_WORKERS];
	u32 bad;
	u32 culprit;
	struct vs_fault fault;
};

/* Begin to hand out tiles; the frame has been read. The caller is worker 0. */
void mali_tiles_begin(struct mali_tiles *t);
/* Return: number of a further worker, MALI_TILES_NONE: no room. */
u32 mali_tiles_join(struct mali_tiles *t);
/* The worker's tile is done. Return: the next one, MALI_TILES_NONE: there is none left. */
u32 mali_tiles_take(struct mali_tiles *t, u32 worker);
/* The worker's tile has faulted; without a tile, the frame. */
void mali_tiles_fault(struct mali_tiles *t, u32 worker, const struct vs_fault *fault);
/* A tile before the worker's has faulted. */
bool mali_tiles_is_over(const struct mali_tiles *t, u32 worker);
/* All tiles before the worker's are done. */
bool mali_tiles_is_first(struct mali_tiles *t, u32 worker);
/* Add to the counter at @va, or set it. Return: 0, or the VS_FAULT_* of the access. */
u32 mali_tiles_count(struct mali_tiles *t, const struct vs_map *map, u64 va, u64 n, bool add);

#endif /* VS_MALI_TILES_H */
