/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * FRAGMENT jobs: for each tile of the frame, clear, shade the primitives of its list, store.
 */
#ifndef VS_MALI_FRAME_H
#define VS_MALI_FRAME_H

#include "../../isa/mali/mali_quads.h"
#include "mali_exec.h"
#include "mali_tiles.h"

/**
 * struct mali_state - A draw of the frame with all its state.
 * @va:		draw descriptor
 * @index:	of the draw's job
 * @launch:	program and resources; prog.va 0: depth and stencil only
 * @prim:	primitives
 * @rs:		state of setup
 * @depth:	state of depth
 * @zs:		tests
 * @frag:	state of fragments
 * @single:	one sample for all of a pixel's
 * @occlusion:	address of the counter; 0: none
 * @counts:	the counter counts samples, else it is set if there are any
 */
struct mali_state {
	u64 va;
	u32 index;
	struct mali_launch *launch;
	struct mali_prims prim;
	struct vr_state rs;
	struct vr_depth depth;
	struct vr_zs zs;
	struct mali_frag frag;
	bool single;
	u64 occlusion;
	bool counts;
};

/* mali_state.c: read the words around the launch, which has been read. */
int mali_state_read(struct mali_parser *p, const struct mali_fb *fb, const u32 *draw,
		    struct mali_state *s);

enum mali_frame_phase {
	MALI_FRAME_TILE,	/* select the next tile */
	MALI_FRAME_PRE,		/* shaders before the frame */
	MALI_FRAME_BIN,		/* the tiler's list */
	MALI_FRAME_POST,	/* the shader after the frame */
	MALI_FRAME_STORE,	/* write the targets */
	MALI_FRAME_DONE
};

#define MALI_FRAME_CACHE	64

/**
 * struct mali_frame - A worker's part of a FRAGMENT job.
 * @p:		parser
 * @j:		job
 * @t:		the frame
 * @worker:	number in @t
 * @tile:	tile buffer
 * @quads:	blocks
 * @mark:	arena without draws
 * @cache:	draws that have been read
 * @phase:	enum mali_frame_phase
 * @tx:		current tile of 64 x 64 pixels
 * @ty:		"
 * @touched:	primitives may have covered pixels of it
 * @att:	attachment being stored
 * @storing:	@io is in progress
 * @io:		a store
 * @chunk:	chunk of the tile's list
 * @next:	next entry of it
 * @shader:	next primitive of a frame shader
 * @pass:	number of the frame shader
 * @state:	current draw
 * @reading:	its tables are being read
 * @reader:	progress of reading
 * @walking:	the primitive @quads->nprims - 1 covers blocks that are left
 * @walk:	its coverage
 * @block:	8 x 8 pixels of it
 * @quad:	next quad of @block
 * @ran:	blocks that have been run, of a draw without a program
 * @passed:	samples that had passed when the draw began
 */
struct mali_frame {
	struct mali_parser p;
	struct simt_job *j;
	struct mali_tiles *t;
	u32 worker;
	struct vr_tile tile;
	struct mali_quads *quads;
	u64 mark;
	struct mali_state *cache[MALI_FRAME_CACHE];
	u32 phase;
	u32 tx;
	u32 ty;
	bool touched;
	u32 att;
	bool storing;
	struct vr_io io;
	struct mali_chunk chunk;
	u32 next;
	u32 shader;
	u32 pass;
	struct mali_state *state;
	bool reading;
	struct mali_reader reader;
	bool walking;
	struct vr_walk walk;
	struct vr_block block;
	u32 quad;
	u32 ran;
	u64 passed;
};

/* Read the frame of the FRAGMENT job at @job. Return: 0, -ENOEXEC: rejected. */
int mali_frame_read(const struct mali_parser *p, u64 job, struct mali_tiles *t);
/*
 * Begin to draw tiles of @t as @worker. *@out is in the arena of @j. Return: 0, -E2BIG: no room
 * there.
 */
int mali_frame_new(const struct mali_parser *p, struct simt_job *j, struct mali_tiles *t,
		   u32 worker, struct mali_frame **out);

#define MALI_FRAME_LAUNCH	1

/*
 * Go on for some microseconds. Return: 0: done; -EAGAIN: call again; MALI_FRAME_LAUNCH: run
 * f->state's program on f->quads, then call mali_frame_ran(); -ENOEXEC, -E2BIG: rejected;
 * -EFAULT: fault in f->j, also when a tile before this one has faulted.
 */
int mali_frame_step(struct mali_frame *f);
/* Begin to run the program. Return: as mali_exec_begin(). */
enum simt_next mali_frame_launch(struct mali_frame *f, struct mali_exec *e);
void mali_frame_ran(struct mali_frame *f);

/* Leave as much of the arena to the job as to guests. Return: false: the arena is too small. */
bool mali_frame_reserve(struct mali_exec *e);
/* As vs_guest_fn: draw tiles of the frame @arg, a struct mali_tiles. */
enum vs_run mali_frame_guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg);

#endif /* VS_MALI_FRAME_H */
