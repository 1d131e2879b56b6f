/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* FRAGMENT jobs, as all workers that draw their tiles see them. */
#ifndef VS_MALI_TILES_H
#define VS_MALI_TILES_H

#include "../../raster/vr_tiles.h"
#include "mali_fb.h"
#include "mali_prim.h"

/**
 * struct mali_tiles - A frame and its tiles. In the job's memory: guests read it for as long as
 * they are in the job.
 * @tiles:	tiles
 * @gpu:	enum mali_gpu
 * @switches:	MALI_SW_*
 * @memory:	address space
 * @arena:	bytes of workers' arenas
 * @job:	position of the job in its chain
 * @fb:		framebuffer
 * @bound:	tiles of 16 x 16 pixels to write: x0, y0, x1, y1
 * @map:	tile enable map, a bit for 32 x 32 pixels; 0: none
 * @map_stride:	bytes of a row of it
 * @list:	head of the tiler's lists
 */
struct mali_tiles {
	struct vr_tiles tiles;
	u32 gpu;
	u32 switches;
	const struct vs_map *memory;
	u64 arena;
	u32 job;
	struct mali_fb fb;
	u32 bound[4];
	u64 map;
	u32 map_stride;
	struct vr_lists list;
};

#endif /* VS_MALI_TILES_H */
