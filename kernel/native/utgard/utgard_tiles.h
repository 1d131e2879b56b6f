/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Frames of the pixel processor: what all workers that draw its tiles read, and a worker's part.
 */
#ifndef VS_UTGARD_TILES_H
#define VS_UTGARD_TILES_H

#include "../../isa/utgard/utgard_quads.h"
#include "../../raster/vr_frame.h"
#include "utgard_frame_job.h"
#include "utgard_lists.h"

#define UTT_MAX_SIDE	256	/* tiles of 16 x 16 pixels */

/**
 * struct utf_tiles - A frame and its tiles. In the job's memory: guests read it for as long as they
 * are in the job.
 * @tiles:	tiles of 64 x 64 pixels
 * @va:		address of the frame
 * @map:	address space
 * @arena:	bytes of workers' arenas
 * @words:	words of the frame
 * @width:	pixels
 * @height:	pixels
 * @columns:	tiles of 16 x 16 pixels
 * @rows:	"
 * @samples:	of a pixel, for all tiles; draws may need more
 * @ntargets:	1: there are colours
 * @format:	of colours in the tile buffer
 * @clear:	a pixel of it
 * @zformat:	enum vr_zformat
 * @z:		binary32 that depth is cleared to
 * @s:		stencil value
 * @temps:	rows of temporaries of programs
 * @nimages:	number of @image and of @images
 * @image:	images to store
 * @images:	the images themselves
 * @unit:	words of their write-back units
 * @list:	of each tile of 16 x 16 pixels: address of its list, with bit 0; or 0
 */
struct utf_tiles {
	struct vr_tiles tiles;
	u64 va;
	const struct vs_map *map;
	u64 arena;
	u32 words[UTF_PP_MAX_WORDS];
	u32 width;
	u32 height;
	u32 columns;
	u32 rows;
	u32 samples;
	u32 ntargets;
	struct px_format format;
	u8 clear[PX_MAX_BYTES];
	u32 zformat;
	u32 z;
	u32 s;
	u32 temps;
	u32 nimages;
	struct vr_access image[UTF_PP_WB_UNITS];
	struct vr_image images[UTF_PP_WB_UNITS];
	u32 unit[UTF_PP_WB_UNITS];
	u32 *list;
};

/* ---- utgard_pp_target.c ---- */

/*
 * Read the words of a frame, which utf_pp_check() has checked. Return: UTF_OK or the reject reason;
 * *@word: index of the invalid word.
 */
enum utf_reason utt_read(struct utf_tiles *t, u32 *word);

/* ---- utgard_pp_state.c ---- */

/**
 * struct utf_state - A draw of the frame with all its state.
 * @d:		state of the rasteriser; its id is the address of struct utl_draw
 * @list:	state of the tile list unit
 * @words:	render state
 * @four:	four samples of a pixel are needed
 * @q:		state of shading
 */
struct utf_state {
	struct vr_draw d;
	struct utl_draw list;
	u32 words[UTF_STATE_WORDS];
	bool four;
	struct upq_draw q;
};

#define UTF_MAX_CODE	4096	/* words of a program */

/**
 * struct utf_program - A lowered program.
 * @next:	next program of the same hash
 * @va:		address
 * @flags:	UPP_LOWER_*
 * @p:		the program
 */
struct utf_program {
	struct utf_program *next;
	u32 va;
	u32 flags;
	struct upp_program p;
};

#define UTF_PROGRAMS	16

/**
 * struct utf_reader - Draws being read.
 * @j:		job
 * @t:		frame
 * @programs:	programs that have been lowered
 * @code:	room for the words of a program
 * @s:		draw that is being read, or NULL
 * @lowering:	its program is being lowered, or NULL
 * @program:	its program
 */
struct utf_reader {
	struct simt_job *j;
	const struct utf_tiles *t;
	struct utf_program *programs[UTF_PROGRAMS];
	u32 *code;
	struct utf_state *s;
	struct simt_front *lowering;
	struct utf_program *program;
};

/*
 * Read the draw at @va, into the arena. Return: 0: r->s is ready; -EAGAIN: call again; -ENOEXEC:
 * fault in the job; -ENOMEM: the arena is full.
 */
int utf_read_draw(struct utf_reader *r, u32 va);

/* ---- utgard_pp_tiles.c ---- */

#define UTT_CURSORS	16
#define UTT_CACHE	64

/**
 * struct utt_cursor - Place in a list.
 * @box:	pixels of its tiles: x0, y0, x1, y1
 * @va:		of @b
 * @at:		next primitive
 * @b:		part of the list
 */
struct utt_cursor {
	s32 box[4];
	u32 va;
	u32 at;
	struct utl_block b;
};

/**
 * struct utt_worker - A worker's part of a frame.
 * @f:		tiles, blocks, stores
 * @j:		job
 * @run:	machine
 * @q:		its launches
 * @t:		frame
 * @memory:	of the tile buffer, with four samples
 * @mark:	arena without draws
 * @cache:	draws that have been read
 * @r:		reading of draws
 * @alone:	the draw that is being read has all of the arena
 * @four:	the current tile needs four samples
 * @parts:	listed parts of the current tile
 * @ncursors:	number of @cursor
 * @cursor:	lists of the current tile
 */
struct utt_worker {
	struct vr_frame f;
	struct simt_job *j;
	struct utgard_run *run;
	struct upq_run *q;
	struct utf_tiles *t;
	void *memory;
	u64 mark;
	struct utf_state *cache[UTT_CACHE];
	struct utf_reader r;
	bool alone;
	bool four;
	u16 parts;
	u32 ncursors;
	struct utt_cursor cursor[UTT_CURSORS];
};

/* Begin to draw tiles as @worker. Return: NULL: the arena of @j is too small. */
struct utt_worker *utt_new(struct simt_job *j, struct utgard_run *run, struct utf_tiles *t,
			   u32 worker);
/* As simt_job_ops.next: SIMT_NEXT_DONE: all tiles are drawn. */
enum simt_next utt_next(struct utt_worker *w);
/* A launch has ended without a fault. */
static inline void utt_shaded(struct utt_worker *w)
{
	vr_frame_shaded(&w->f);
}

/* Leave as much of the arena to the job as to guests. Return: false: the arena is too small. */
bool utt_reserve(struct simt_job *j);
/* As vs_guest_fn: draw tiles of the frame @arg, a struct utf_tiles. */
enum vs_run utt_guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg);

#endif /* VS_UTGARD_TILES_H */
