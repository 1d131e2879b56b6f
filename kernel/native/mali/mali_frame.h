/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * FRAGMENT jobs: for each tile of the frame, clear, shade the primitives of its list, store.
 */
#ifndef VS_MALI_FRAME_H
#define VS_MALI_FRAME_H

#include "../../raster/vr_frame.h"
#include "mali_exec.h"
#include "mali_tiles.h"

/**
 * struct mali_state - A draw of the frame with all its state.
 * @d:		state of the rasteriser; its id is the address of the draw descriptor
 * @launch:	program and resources; prog.va 0: depth and stencil only
 * @prim:	primitives
 * @frag:	state of fragments
 * @occlusion:	address of the counter; 0: none
 * @counts:	what a sample adds to the counter; 0: it is set to 1 if there are any
 * @checked:	mali_reload_is() has been called
 */
struct mali_state {
	struct vr_draw d;
	struct mali_launch *launch;
	struct mali_prims prim;
	struct mali_frag frag;
	u64 occlusion;
	u32 counts;
	bool checked;
};

/* mali_state.c: read the words around the launch, which has been read. */
int mali_state_read(struct mali_parser *p, const struct mali_fb *fb, const u32 *draw,
		    struct mali_state *s);

/* Sources of a tile's primitives, in their order. */
enum mali_frame_source {
	MALI_FRAME_PRE,		/* shaders before the frame */
	MALI_FRAME_BIN,		/* the tiler's list */
	MALI_FRAME_POST		/* the shader after the frame */
};

#define MALI_FRAME_CACHE	64

/**
 * struct mali_frame - A worker's part of a FRAGMENT job.
 * @f:		tiles, blocks, stores
 * @p:		parser
 * @j:		job
 * @t:		the frame
 * @mark:	arena without draws
 * @cache:	draws that have been read
 * @source:	enum mali_frame_source
 * @listed:	the tile's list has primitives
 * @chunk:	chunk of the tile's list
 * @next:	next entry of it
 * @shader:	next primitive of a frame shader
 * @pass:	number of the frame shader
 * @state:	draw that is being read, or NULL
 * @reader:	progress of reading
 * @reload:	address of a draw that copies the target to itself, 0: none known
 * @load:	the tile's load in place of it, image NULL: none
 */
struct mali_frame {
	struct vr_frame f;
	struct mali_parser p;
	struct simt_job *j;
	struct mali_tiles *t;
	u64 mark;
	struct mali_state *cache[MALI_FRAME_CACHE];
	u32 source;
	bool listed;
	struct vr_chunk chunk;
	u32 next;
	u32 shader;
	u32 pass;
	struct mali_state *state;
	struct mali_reader reader;
	u64 reload;
	struct vr_access load;
};

/* Read the frame of the FRAGMENT job at @job. Return: 0, -ENOEXEC: rejected. */
int mali_frame_read(const struct mali_parser *p, u64 job, struct mali_tiles *t);
/*
 * Begin to draw tiles of @t as @worker. *@out is in the arena of @j. Return: 0, -E2BIG: no room
 * there.
 */
int mali_frame_new(const struct mali_parser *p, struct simt_job *j, struct mali_tiles *t,
		   u32 worker, struct mali_frame **out);

/*
 * Go on for some microseconds. Return: 0: done; -EAGAIN: call again; VR_FRAME_SHADE: run the
 * program of f->f.draw on f->f.quads, then call vr_frame_shaded(); -ENOEXEC, -E2BIG: rejected;
 * -EFAULT: fault in f->j, also when a tile before this one has faulted.
 */
int mali_frame_step(struct mali_frame *f);
/* Begin to run the program. Return: as mali_exec_begin(). */
enum simt_next mali_frame_launch(struct mali_frame *f, struct mali_exec *e);

/* The program has run: as vr_frame_shaded(). */
void mali_frame_shaded(struct mali_frame *f, const struct mali_run *run);

/*
 * mali_reload.c: does a draw, whose program has just run, copy the target to itself, wherever it
 * comes first in a tile? Midgard only.
 */
bool mali_reload_is(struct vr_mem *mem, const struct mali_fb *fb, const struct mali_state *s,
		    const struct mali_run *run);
/*
 * Does the tile's list, whose first chunk has been read, begin with @f->reload? Then @f->load
 * replaces it, and the list begins after it. *@idle: and there is nothing to load or store.
 */
bool mali_reload_tile(struct mali_frame *f, bool *idle);

/* Leave as much of the arena to the job as to guests. Return: false: the arena is too small. */
bool mali_frame_reserve(struct mali_exec *e);
/* As vs_guest_fn: draw tiles of the frame @arg, a struct mali_tiles. */
enum vs_run mali_frame_guest(struct vs_job *job, struct vs_worker *w, bool first, void *arg);

#endif /* VS_MALI_FRAME_H */
