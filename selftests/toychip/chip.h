/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A toy GPU that draws triangles: frames in memory, as its driver would write them.
 */
#ifndef SELFTESTS_TOYCHIP_H
#define SELFTESTS_TOYCHIP_H

#include "native/native.h"

/**
 * struct toychip_frame - A frame.
 * @width:	pixels
 * @height:	"
 * @colour:	image: RGBA8, rows of 4 * @width bytes
 * @heap:	memory for lists
 * @heap_size:	its bytes
 * @clear:	colour of pixels that nothing covers
 * @draws:	struct toychip_draw
 * @ndraws:	number of them
 * @load:	the image is kept where nothing covers it; @clear is unused
 */
struct toychip_frame {
	u32 width;
	u32 height;
	u64 colour;
	u64 heap;
	u32 heap_size;
	u32 clear;
	u64 draws;
	u32 ndraws;
	u32 load;
};

#define TOYCHIP_DEPTH	0x1	/* test and write depth: less passes */
#define TOYCHIP_BLEND	0x2	/* the destination shows through by 1 - alpha */
#define TOYCHIP_CLIP	0x4	/* see @clip */

/**
 * struct toychip_draw - A list of triangles.
 * @vertices:	struct toychip_vertex
 * @count:	number of them
 * @flags:	TOYCHIP_*
 * @clip:	first and last column and row: x0, y0, x1, y1
 */
struct toychip_draw {
	u64 vertices;
	u32 count;
	u32 flags;
	u16 clip[4];
};

/**
 * struct toychip_vertex - A vertex.
 * @at:		position in the window, y downwards; depth; 1 / w
 * @colour:	red, green, blue, alpha
 */
struct toychip_vertex {
	float at[4];
	float colour[4];
};

/* Reasons of COMMAND faults. */
enum toychip_reason { TOYCHIP_OK, TOYCHIP_BAD_SIZE, TOYCHIP_BAD_FLAGS, TOYCHIP_NUM_REASONS };

#endif /* SELFTESTS_TOYCHIP_H */
