/* SPDX-License-Identifier: GPL-2.0 */
/* Frames of Utgard GPUs in memory, and their execution. */
#ifndef SELFTESTS_UTGARD_FRAME_H
#define SELFTESTS_UTGARD_FRAME_H

#include "isa/utgard/utgard_gp.h"
#include "native/native.h"
#include "native/utgard/utgard_frame.h"

#define FR_CODE		0x00100000U	/* programs: read and executed */
#define FR_CODE_SIZE	0x4000
#define FR_PIXELS	(FR_CODE + 0x3000)	/* program of the render state */
#define FR_DATA		0x00200000U	/* lists, tables, uniforms, attributes: read */
#define FR_DATA_SIZE	0x40000
#define FR_OUT		0x00300000U	/* written */
#define FR_OUT_SIZE	0x100000

#define FR_HEAP		0x00400000U	/* tile heap, block array, blocks: written */
#define FR_HEAP_SIZE	0x00100000
#define FR_ARRAY	(FR_HEAP + FR_HEAP_SIZE)
#define FR_BLOCKS	(FR_ARRAY + 0x10000)
#define FR_LISTS_SIZE	(FR_HEAP_SIZE + 0x10000 + 512 * 512)

/* Layout of FR_DATA. */
#define FR_FRAME	FR_DATA
#define FR_PP		(FR_DATA + 0x800)	/* another frame, after it */
#define FR_VS		(FR_DATA + 0x1000)
#define FR_PLBU		(FR_DATA + 0x2000)
#define FR_ATTR		(FR_DATA + 0x3000)
#define FR_VAR		(FR_DATA + 0x4000)
#define FR_UNIF		(FR_DATA + 0x5000)
#define FR_STATE	(FR_DATA + 0x7000)
#define FR_LIST		(FR_DATA + 0x7800)	/* of textures */
#define FR_STREAM	(FR_DATA + 0x7c00)	/* tiles of the pixel processor */
#define FR_ELEMS	(FR_DATA + 0x8000)

/**
 * struct frame - Memory with a frame.
 * @code:	FR_CODE_SIZE bytes
 * @data:	FR_DATA_SIZE bytes
 * @out:	FR_OUT_SIZE bytes
 * @lists:	FR_LISTS_SIZE bytes
 * @vs:		end of the vertex list
 * @plbu:	end of the other list
 */
struct frame {
	u8 *code;
	u8 *data;
	u8 *out;
	u8 *lists;
	u32 vs;
	u32 plbu;
};

void frame_new(struct frame *f);
void frame_free(struct frame *f);
/* Memory at an address, which must be there. */
u32 *frame_at(struct frame *f, u32 va);
/* Append commands to the lists. */
void frame_vs(struct frame *f, u32 a, u32 b);
void frame_plbu(struct frame *f, u32 a, u32 b);
/* Words of the frame, from the lists. */
void frame_finish(struct frame *f);
/* Addresses of the blocks. */
void frame_blocks(struct frame *f);
/* Every command of the other list, as a driver writes it; a render state. */
void frame_usual_plbu(struct frame *f);
/* A render state with a program at @code and a texture. */
void frame_state(struct frame *f, u32 code);
/* A frame of the pixel processor, its state, a program at FR_CODE, a texture. */
void frame_pixels(struct frame *f, enum utf_gpu gpu);

/**
 * struct frame_run - Parameters of a run.
 * @simd:	executor
 * @slice:	weight of a slice
 * @budget:	of the job
 * @max_draws:	bound
 * @workers:	workers at the same time, 0: one
 * @memory:	of the job, 0: 8 MiB
 * @va:		of the frame, 0: FR_FRAME
 */
struct frame_run {
	enum vs_simd simd;
	u32 slice;
	u64 budget;
	u32 max_draws;
	u32 workers;
	u32 memory;
	u32 va;
};

/* Execute a frame. Return: result of vs_native_parse(); @fault: kind 0 if none. */
int frame_run(struct frame *f, u32 format, u32 gpu, const struct frame_run *how,
	      struct vs_fault *fault);
/* The map that jobs see. */
const struct vs_map *frame_map(struct frame *f);

#endif
