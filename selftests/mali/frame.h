/* SPDX-License-Identifier: GPL-2.0 */
/* Frames made by hand, v5, v6 and v7: a TILER and a FRAGMENT job of a draw without a program. */
#ifndef SELFTESTS_MALI_FRAME_H
#define SELFTESTS_MALI_FRAME_H

#include "run.h"

#define FRAME_MEM_VA		0x100000ULL
#define FRAME_MEM_SIZE		0x240000
#define FRAME_BUDGET		(1ULL << 24)

/* Offsets in memory. */
#define FRAME_TILER_JOB		0x0000
#define FRAME_FRAGMENT_JOB	0x0200
#define FRAME_STATE		0x0400
#define FRAME_VIEWPORT		0x0500
#define FRAME_COUNTER		0x0540
#define FRAME_CONTEXT		0x0600	/* v7: tiler context; its heap descriptor */
#define FRAME_HEAP_DESC		0x0700
#define FRAME_LIST		0x0800	/* v5: polygon list */
#define FRAME_FB		0x1000
#define FRAME_POSITIONS		0x2000
#define FRAME_INDICES		0x4000
#define FRAME_SIZES		0x6000
#define FRAME_HEAP		0x10000
#define FRAME_HEAP_SIZE		0x20000
#define FRAME_DEPTH		0x40000
#define FRAME_COLOUR		0x140000
#define FRAME_ENABLE_MAP	0x7000

/**
 * struct frame - the frame, and what became of it
 * @mem:	memory from FRAME_MEM_VA on
 * @map:	it as an address space
 * @fault:	of the last job
 * @v5:		else v7, or
 * @v6:		v6
 * @size:	pixels each way, at most 256
 */
struct frame {
	u8 *mem;
	struct vs_map map;
	struct vs_fault fault;
	bool v5;
	bool v6;
	u32 size;
};

extern struct frame frame;

/* "v5", "v6" or "v7". */
const char *frame_arch_name(void);
/* Words at an offset in memory. */
void frame_w32(u32 at, u32 v);
void frame_w64(u32 at, u64 v);
u32 frame_r32(u32 at);
void frame_f32(u32 at, float f);
/* The draw descriptor. */
u32 frame_draw_at(void);
/* Header of a job. */
void frame_job(u32 at, u32 type);
/* Mode, its flags, number of indices. */
void frame_primitive(u32 mode, u32 flags, u32 count);
void frame_instances(u32 n, u32 vertices);
/* A draw of one triangle that writes depth, replaces stencil by 0xaa and counts samples. */
void frame_new(u32 samples);
void frame_vertex(u32 i, float x, float y, float z);
void frame_line_width(float width);
/* Run the job at @at. Return: 0, the fault is in frame.fault; or the error of the submit. */
int frame_run(u32 at);
/* Both jobs end without a fault. */
bool frame_draws(void);
/* Depth and stencil of a pixel; 0x55ffffff: not drawn. */
u32 frame_pixel(u32 x, u32 y);
/* Pixels of the rectangle are drawn, and no others. */
bool frame_is_drawn(u32 x0, u32 y0, u32 x1, u32 y1);
u32 frame_count_drawn(void);
/* Samples in the counter; v5 counts four for a pixel of a frame with one. */
u32 frame_counted(void);
/* Vertices of a rectangle, as a strip has them. */
void frame_corners(u32 first, float x0, float y0, float x1, float y1);
/* Memory for frames of 96 x 96 pixels: four tiles, most of them smaller. */
void frame_begin(void);
void frame_end(void);

#endif
